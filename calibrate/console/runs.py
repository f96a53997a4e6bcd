"""Runs, candidates, differences and written files on the terminal."""

from __future__ import annotations

import sys

from rich.markup import escape

from calibrate.console.bias import say_probes
from calibrate.console.calibrations import show_calibration
from calibrate.console.noise import say_noise
from calibrate.console.people import say_calibrated
from calibrate.console.pipes import write
from calibrate.console.rag import show_rag
from calibrate.console.reports import alignment_table, say_result, say_slices
from calibrate.console.style import SIMULATED, PlainConsole, console, plain_table, value
from calibrate.domain import Scored, Verdict
from calibrate.workflows.card import WrittenCard
from calibrate.workflows.disagreements import Written
from calibrate.workflows.export import ExportedPrompt
from calibrate.workflows.record import money_column
from calibrate.workflows.runs import Difference, RunDescription, RunList
from calibrate.workflows.search_told import search_in_words, search_marks
from calibrate.workflows.sentences import counted
from calibrate.workflows.splitter import judge_name

__all__ = ["show_checklist", "show_difference", "show_export", "show_run", "show_runs", "show_written"]

_LONGEST_REASON = 400
_MOST_DIFFERENCES = 20
_COLOURS = {"fixed": "green", "broken": "red", "changed": "yellow"}


def show_runs(runs: RunList) -> None:
    """Print a line for each run."""
    out = console()
    out.print(f"{counted(len(runs.runs), 'run')}." if runs.runs else "No runs yet.", style="bold")
    table = plain_table(
        ("run", "kind", "golden set", "n", "judge", "status", "tried", "baseline", "best", "spent"), right=99
    )
    costs = money_column([None if each.spending.unknown else each.spending.cost for each in runs.runs])
    for each, cost in zip(runs.runs, costs, strict=True):
        scores = [value(_score) for _score in runs.scores(each)]
        table.add_row(
            str(each.run.id),
            each.run.kind + (f" {marks}" if (marks := search_marks(each.run)) else ""),
            escape(f"{each.golden.name}, {each.run.dimension}"),
            str(runs.size(each)),
            escape(judge_name(each.run.spec["judge"])) + (" (simulated)" if each.simulated else ""),
            each.run.status,
            str(len(each.candidates)),
            *scores,
            f"{cost} +" if each.spending.uncertain else cost,
        )
    if runs.runs:
        out.print(table)
    if any(each.spending.uncertain for each in runs.runs):
        out.print(
            "+: and charges of unknown amount, for attempts without a usable reply; `calibrate runs --json` says how "
            "many and how much at most.",
            markup=False,
            soft_wrap=True,
        )


def show_run(description: RunDescription, db: str | None = None) -> None:
    """Print one run, or one candidate, in full; hints name the database where another than the default was named."""
    out = console()
    chosen = description.chosen
    if description.rag is not None:
        show_rag(description.rag, db)
        return
    if description.calibration is not None:
        show_calibration(description.calibration)
    else:
        out.print(description.sentence, style="bold", markup=False)
        if description.stored.simulated:
            out.print(SIMULATED, style="yellow")
        if chosen is not None:
            out.print(alignment_table([(chosen.reference, chosen.result)]))
            say_result(out, chosen.result)
        if description.noise is not None:
            say_noise(out, description.noise)
        if description.probes:
            say_probes(out, description.probes)
    if chosen is None:
        return
    say_slices(out, description.slices)
    out.print(f"\nPrompt {chosen.reference}:", style="bold")
    out.print(chosen.candidate.prompt, markup=False, soft_wrap=True)
    wrong = [item for item in chosen.golden.labelled if _label(chosen.verdicts[item.id]) != item.label]
    out.print(
        f"\nJudge and experts differ on {len(wrong)} of {len(chosen.golden.labelled)} items{':' if wrong else '.'}",
        style="bold",
    )
    for item in wrong[:_MOST_DIFFERENCES]:
        verdict = chosen.verdicts[item.id]
        reason = verdict.reasoning if isinstance(verdict, Scored) else verdict.detail
        out.print(
            f"  {item.id}: experts {item.label}, judge {_label(verdict)}: {_short(reason)}",
            markup=False,
            soft_wrap=True,
        )
    if len(wrong) > _MOST_DIFFERENCES:
        out.print(
            f"  and {len(wrong) - _MOST_DIFFERENCES} more; all of them: calibrate disagreements {chosen.reference} "
            "-o review.csv, or --json",
            markup=False,
            soft_wrap=True,
        )
    run = chosen.stored.run
    splitter = run.spec["judge"].get("splitter")
    out.print("\nRecord:", style="bold")
    for name, fact in (
        ("golden set", f"{chosen.stored.golden.name} ({run.golden_digest}), {chosen.stored.golden.gold}"),
        ("judge", f"{run.spec['judge']['model']} {run.spec['judge']['settings']}"),
        *([("splitter", f"{splitter['model']} {splitter['settings']}")] if splitter else []),
        ("optimizer", str((run.spec.get("optimizer") or {}).get("model", "none"))),
        *((("search", search_in_words(run)),) if run.kind == "optimize" else ()),
        ("created", f"{run.created} by calibrate {run.version}; {run.status}"),
    ):
        out.print(f"  {name}: {fact}", markup=False, soft_wrap=True)


def show_checklist(description: RunDescription) -> None:
    """Print every fact that a report states, or why it is not known."""
    out = console()
    out.print(description.sentence, style="bold", markup=False, soft_wrap=True)
    if description.stored.simulated:
        out.print(SIMULATED, style="yellow")
    for fact in description.checklist:
        style = "" if fact.known else "dim"
        out.print(f"{fact.name}: {fact.words}", style=style, markup=False, soft_wrap=True)


def show_difference(difference: Difference) -> None:
    """Print two prompts side by side."""
    out = console()
    first, second = difference.first, difference.second
    out.print(difference.sentence, style="bold", markup=False)
    if first.stored.simulated or second.stored.simulated:
        out.print(SIMULATED, style="yellow")
    out.print(alignment_table([(each.reference, each.result) for each in (first, second)]))
    for side in (first, second):
        say_calibrated(out, side.result, name=side.reference)
    out.print()
    for line in difference.lines or ("(the prompts are the same)",):
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
        out.print(line, style=colour, markup=False, soft_wrap=True)
    for each in difference.changed or ():
        out.print(
            f"{each.effect}: {each.item.id} (experts {each.item.label}): {_label(each.first)} -> {_label(each.second)}",
            style=_COLOURS[each.effect],
            markup=False,
        )


def show_written(written: Written) -> None:
    """Print what was written."""
    out = console()
    out.print(written.sentence, markup=False, soft_wrap=True)
    for note in written.notes:
        out.print(f"Note: {note}", markup=False, soft_wrap=True)


def show_export(exported: ExportedPrompt | WrittenCard) -> None:
    """Print the export itself, or where it was written."""
    if exported.path is None:
        write(exported.text if exported.text.endswith("\n") else exported.text + "\n", sys.stdout)
        for note in exported.notes if isinstance(exported, ExportedPrompt) else ():
            PlainConsole(stderr=True).print(note, markup=False, soft_wrap=True)
    else:
        console().print(exported.sentence, markup=False, soft_wrap=True)


def _label(verdict: Verdict) -> str:
    return verdict.label if isinstance(verdict, Scored) else f"({verdict.reason})"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_REASON else line[: _LONGEST_REASON - 1] + "…"
