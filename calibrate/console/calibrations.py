"""Calibrations on the terminal: the sentence, before and after, the trajectory, the cost, what to do next."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from calibrate.console.evidence import say_evidence
from calibrate.console.reports import alignment_table, say_result
from calibrate.console.style import SIMULATED, arrow_of, console, plain_table, value
from calibrate.store import CandidateRecord
from calibrate.workflows.calibration import Calibration, Calibrations
from calibrate.workflows.demo import Demo
from calibrate.workflows.explain import score_name
from calibrate.workflows.record import money, money_column, spending_in_words
from calibrate.workflows.sentences import counted
from calibrate.workflows.versions import other_version

__all__ = ["show_calibration", "show_calibrations", "show_demo"]

_STOPPED = {
    "target": "the target was reached",
    "plateau": "no further gain (plateau)",
    "stalled": "no further gain (stalled)",
    "limit": "the limit of iterations was reached",
    "exhausted": "none of its strategies applies to the best prompt",
    "running": "not finished; the same command goes on",
    "interrupted": "interrupted; the same command goes on",
    "failed": "failed; the same command goes on",
}
_BAR = 20
_LONGEST_REASON = 50


def show_calibrations(calibrations: Calibrations) -> None:
    """Print each calibration."""
    several = len(calibrations.each) > 1
    for position, each in enumerate(calibrations.each):
        if several:
            between = [""] if position else []
            console().print(*between, each.stored.run.dimension, sep="\n", style="bold", markup=False)
        show_calibration(each)


def show_calibration(calibration: Calibration) -> None:
    """Print one calibration."""
    out = console()
    out.print(calibration.sentence, style="bold", markup=False, soft_wrap=True)
    if calibration.simulated:
        out.print(SIMULATED, style="yellow")
    out.print()
    out.print(alignment_table([("baseline", calibration.baseline.result), ("winner", calibration.winner.result)]))
    say_result(out, calibration.winner.result)
    say_evidence(out, calibration.evidence)
    _say_patterns(out, calibration)
    out.print()
    out.print(_trajectory(calibration))
    _say_ties(out, calibration)
    _say_front(out, calibration)
    run, spending = calibration.stored.run, calibration.stored.spending
    folds = f", {counted(len(calibration.stored.folds), 'fold')} included" if calibration.stored.folds else ""
    paid = spending_in_words(spending, simulated=calibration.simulated) + folds
    out.print()
    out.print(
        f"Stopped: {_stopped(calibration)}. Paid in all: {paid}. "
        f"Acceptable ({calibration.acceptable:.2f}): {'yes' if calibration.acceptable_met else 'no'}.",
        markup=False,
    )
    if calibration.better_before:
        before = calibration.better_before
        out.print(f"An earlier prompt, {before}, scored higher on these items: start from it with --from {before}.")
    commands = f"show {run.id} · explain {run.id} · diff {run.id}:0 {run.id} · export {run.id} --to text"
    out.print(f"Run {run.id}: calibrate {commands}")


def _stopped(calibration: Calibration) -> str:
    """Say why it ended, or how it goes on."""
    version = other_version(calibration.stored.run)
    if version and calibration.stored.run.status != "done":
        return f"not finished, by {version}: the same command starts another calibration"
    return _STOPPED.get(calibration.stopped, calibration.stopped)


def _say_patterns(out: Console, calibration: Calibration) -> None:
    """Print how often the baseline and the winner fail in each way that was found."""
    if calibration.patterns:
        arrow = f" {arrow_of(out)} "
        found = "; ".join(
            f"{each.pattern.name} {arrow.join(str(at.errors) for at in each.errors)}" for each in calibration.patterns
        )
        out.print(f"Failure patterns, errors before and after: {found}.", markup=False, soft_wrap=True)


def _say_ties(out: Console, calibration: Calibration) -> None:
    winner = calibration.winner.candidate
    if winner.score is None:
        return
    same = [each for each in calibration.stored.candidates if each.score is not None and each is not winner]
    tied = [str(each.number) for each in same if round(each.score or 0.0, 9) == round(winner.score, 9)]
    if tied:
        why = "the prompt to start from comes first" if winner.number == 0 else "the shortest of equals wins"
        out.print(f"The same score: {', '.join(tied)}; {why}.", markup=False, soft_wrap=True)


def _say_front(out: Console, calibration: Calibration) -> None:
    if not calibration.front:
        return
    table = plain_table(("alignment against cost", "alignment", "cost of 1,000 verdicts"), right=9)
    for each in calibration.front:
        number = each.candidate.number
        mark = " (winner)" if number == calibration.winner.candidate.number else ""
        table.add_row(f"candidate {number}{mark}", value(each.candidate.score, 4), money(1000 * each.cost))
    out.print()
    out.print(table)


def show_demo(demo: Demo) -> None:
    """Print the tour's calibration and where to go from there."""
    calibration = demo.calibration
    show_calibration(calibration)
    run = calibration.run_id
    out = console()
    out.print("\nNext:", style="bold")
    for command, what in (
        (f"calibrate show {run}", "the winning prompt, every candidate, the full record"),
        (f"calibrate disagreements {run} -o review.csv", "what judge and experts still see differently"),
        (f"calibrate export {run} --to python -o judge.py", "the winner as a module without dependencies"),
        ("calibrate score your_verdicts.csv", "your own recorded judge against your own labels"),
        ("calibrate baseline your_set.csv --judge openai:NAME", "your own judge (needs OPENAI_API_KEY)"),
    ):
        out.print(f"  {command:<52} {what}", markup=False)


def _trajectory(calibration: Calibration) -> object:
    score = score_name(calibration.objective)
    table = plain_table(("#", "iteration", "strategy", "parent", score, "", "cost"), right=9)
    best = float("-inf")
    candidates = calibration.stored.candidates
    costs = money_column([None if each.status == "rejected" else each.cost for each in candidates])
    for each, cost in zip(candidates, costs, strict=True):
        mark = ""
        if each.score is not None and each.score > best:
            best, mark = each.score, " best so far"
        if each.number == calibration.winner.candidate.number:
            mark = " winner"
        table.add_row(
            str(each.number),
            str(each.iteration),
            escape(each.strategy),
            "" if each.parent is None else str(each.parent),
            value(each.score, 4),
            escape(_left_off(each)) if each.score is None else _bar(each) + mark,
            "" if each.status == "rejected" else cost,
        )
    return table


def _left_off(candidate: CandidateRecord) -> str:
    """Say in short why a candidate has no score; `explain` and the JSON have it in full."""
    if candidate.status == "stopped":
        return candidate.reason.partition(":")[0]
    reason = f"rejected: {candidate.reason}"
    return reason if len(reason) <= _LONGEST_REASON else reason[: _LONGEST_REASON - 3] + "..."


def _bar(candidate: CandidateRecord) -> str:
    filled = round(max(0.0, min(1.0, candidate.score or 0.0)) * _BAR)
    return "█" * filled + "·" * (_BAR - filled)
