"""How a winner came about, on the terminal: its edits, the failure patterns, what was in vain, the trajectory."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from calibrate.console.chart import say_trajectory
from calibrate.console.style import SIMULATED, arrow_of, console, plain_table, value
from calibrate.workflows.explain import Explanation, score_name
from calibrate.workflows.lineage import Edit
from calibrate.workflows.patterns import PatternTrace
from calibrate.workflows.record import money_column
from calibrate.workflows.sentences import counted

__all__ = ["show_explanation"]

_MOST_IDS = 10
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def show_explanation(explanation: Explanation, *, diff: bool = False) -> None:
    """Print an explanation.

    Args:
        explanation: what to print.
        diff: whether the texts of the edits are shown too.
    """
    out = console()
    _say(out, explanation.sentence, style="bold")
    if explanation.simulated:
        out.print(SIMULATED, style="yellow")
    arrow = arrow_of(out)
    if explanation.edits:
        _heading(out, "Edits")
        for each in explanation.edits:
            _say_edit(out, each, arrow, diff=diff)
        if len(explanation.edits) > 1:
            change = explanation.change
            _say(out, f"  In all: fixed {_named(change.fixed)}; broke {_named(change.broken)}")
    if explanation.side_edits:
        _heading(out, "What was merged in came from")
        for each in explanation.side_edits:
            _say_edit(out, each, arrow, diff=diff)
    _say_patterns(out, explanation, arrow)
    _say_in_vain(out, explanation)
    _say_yields(out, explanation)
    out.print()
    say_trajectory(
        out,
        explanation.stored.candidates,
        winner=explanation.stored.winner,
        name=score_name(explanation.objective),
    )
    _say_notes(out, explanation)


def _say_edit(out: Console, edit: Edit, arrow: str, *, diff: bool) -> None:
    own, parent, partner = edit.candidate, edit.parent, edit.partner
    origin = f"{parent.number} ({value(parent.score)})"
    if partner is not None:
        origin += f" and {partner.number} ({value(partner.score)})"
    _say(
        out,
        f"  {own.number}: {own.strategy} of {origin}, iteration {own.iteration}: {arrow} {value(own.score)}; "
        f"{len(parent.prompt):,} {arrow} {counted(len(own.prompt), 'character')}",
    )
    if own.reason:
        _say(out, f"     stopped: {own.reason}")
    change = edit.change
    _say(out, f"     fixed {_named(change.fixed)}", style="green" if change.fixed else "")
    _say(out, f"     broke {_named(change.broken)}", style="red" if change.broken else "")
    if edit.partner_change is not None and partner is not None:
        of = edit.partner_change
        _say(out, f"     of {partner.number} it fixed {_named(of.fixed)}; broke {_named(of.broken)}")
    for each in edit.patterns:
        _say(out, f"     {each.name}: {each.before} {arrow} {each.after}")
    if change.left_out:
        shown = f" ({len(own.shown)} shown as examples)" if own.shown else ""
        _say(out, f"     not compared, without a verdict on one side: {counted(len(change.left_out), 'item')}{shown}")
    if diff:
        for line in edit.diff or ("(the prompts are the same)",):
            _say(out, f"     {line}", style=_COLOURS.get(line[:1], ""))


def _say_patterns(out: Console, explanation: Explanation, arrow: str) -> None:
    if explanation.no_patterns:
        _heading(out, f"No failure patterns: {explanation.no_patterns}")
    if not explanation.patterns:
        return
    numbers = [each.candidate for each in explanation.patterns[0].errors]
    where = f" at candidates {f' {arrow} '.join(map(str, numbers))}" if len(numbers) > 1 else " at the baseline"
    _heading(out, f"Failure patterns: errors{where}")
    for each in explanation.patterns:
        _say(out, f"  {each.pattern.name}: {_steps(each, arrow)}")
        if each.pattern.description:
            _say(out, f"     {each.pattern.description}", style="dim")


def _steps(trace: PatternTrace, arrow: str) -> str:
    """Write the counts one after the other; what a prompt was not judged on stands beside its count."""
    return f" {arrow} ".join(
        f"{each.errors}" + (f" ({each.left_out} not judged)" if each.left_out else "") for each in trace.errors
    )


def _say_in_vain(out: Console, explanation: Explanation) -> None:
    vain = explanation.in_vain
    if vain:
        _heading(out, f"Tried in vain: {counted(sum(each.rewrites for each in vain), 'rewrite')}")
        table = plain_table(("strategy", "rewrites", "best", "rejected", "stopped"))
        for each in vain:
            rejected = sum(each.rejected.values())
            table.add_row(escape(each.strategy), str(each.rewrites), value(each.best), str(rejected), str(each.stopped))
        out.print(table)
        reasons: dict[str, int] = {}
        for each in vain:
            for reason, times in each.rejected.items():
                reasons[reason] = reasons.get(reason, 0) + times
        for reason, times in sorted(reasons.items(), key=lambda pair: -pair[1]):
            _say(out, f"  rejected {_times(times)}: {reason}")
    if explanation.never_right:
        _say(out, f"\nNo prompt got right: {_named(explanation.never_right)}")
    if explanation.lost:
        number = explanation.candidate.number
        _say(out, f"\nOnly the baseline got right, candidate {number} gets wrong: {_named(explanation.lost)}")


def _say_yields(out: Console, explanation: Explanation) -> None:
    if not explanation.yields:
        return
    _heading(out, "Strategies")
    cost = "cost of judging" + (" (made up)" if explanation.simulated else "")
    table = plain_table(("strategy", "tries", "rejected", "stopped", "wins", "gain", cost))
    costs = money_column([each.cost for each in explanation.yields])
    for each, amount in zip(explanation.yields, costs, strict=True):
        counts = (each.tries, each.rejected, each.stopped, each.wins)
        table.add_row(escape(each.strategy), *map(str, counts), f"{each.gain:.3f}", amount)
    out.print(table)


def _say_notes(out: Console, explanation: Explanation) -> None:
    run = explanation.stored.run.id
    name = explanation.objective
    what = name if score_name(name) == name else f"{score_name(name)} ({name})"
    _say(
        out,
        f"\nScores: {what}, on the items that were searched on, unscored verdicts counted as wrong. Wins: above all "
        "parents. Gain: what it added to the best so far.",
        style="dim",
    )
    _say(
        out,
        f"A single item may be fixed or broken by the judge's own noise; `calibrate show {run}` tells what of "
        "the gain is real.",
        style="dim",
    )


def _named(ids: Sequence[str]) -> str:
    """Count items and name the first ten."""
    if not ids:
        return "none"
    more = f" and {len(ids) - _MOST_IDS} more (--json names them)" if len(ids) > _MOST_IDS else ""
    return f"{counted(len(ids), 'item')}: {', '.join(ids[:_MOST_IDS])}{more}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _heading(out: Console, text: str) -> None:
    _say(out, f"\n{text}", style="bold")


def _say(out: Console, text: str, *, style: str = "") -> None:
    out.print(text, style=style, markup=False, soft_wrap=True)
