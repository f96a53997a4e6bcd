"""A RAG evaluation on the terminal: figures by variant, faults, what goes wrong, what differs, and who judged."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from calibrate.console.estimates import show_dry_run
from calibrate.console.style import SIMULATED, console, plain_table
from calibrate.rag.names import figure_name
from calibrate.workflows.rag_plan import RagPlan
from calibrate.workflows.rag_report import RagReport
from calibrate.workflows.rag_words import (
    conclusion_in_words,
    difference_in_words,
    failures_in_words,
    figure_interval,
    figure_value,
    judge_in_words,
    judges_behind,
    move_in_words,
    p_in_words,
    questions_in_words,
    system_in_words,
    trust_in_words,
)
from calibrate.workflows.sentences import counted

__all__ = ["show_rag", "show_rag_plan"]

_MOST_CHANGES = 8
_MOST_FAILURES = 10  # of a variant
_MOST_OF_ONE = 3  # things that are wrong with one question
_LONGEST_QUESTION = 70
_WIDEST = 140  # characters of a line of a table, in a pipe too
_COLOURS = {"better": "green", "worse": "red", "noise": "yellow"}


def show_rag(report: RagReport, db: str | None = None) -> None:
    """Print the sentence, figures, faults, what goes wrong, the differences, what changed, and the judges behind it.

    Args:
        report: what the run found.
        db: the run database, where another than the default was named.
    """
    out = console()
    out.print(report.sentence, style="bold", markup=False, soft_wrap=True)
    if report.simulated:
        out.print(SIMULATED, style="yellow")
    _say_figures(out, report)
    _say_faults(out, report)
    _say_failures(out, report)
    _say_differences(out, report)
    _say_changes(out, report)
    _say_judges(out, report)
    named = "" if db is None or "://" in db else f" --db {shlex.quote(db)}"  # an URL may hold a password
    page = f"`calibrate report {report.run} -o rag.html{named}`"
    out.print(f"\nRun {report.run}; {page} writes the page.", markup=False, soft_wrap=True)


def show_rag_plan(plan: RagPlan) -> None:
    """Print what would be asked, and what so many questions can show."""
    show_dry_run(plan)
    out = console()
    for note in plan.notes:
        out.print(note, markup=False, soft_wrap=True)


def _say_figures(out: Console, report: RagReport) -> None:
    names = [variant["name"] for variant in report.variants]
    figures = [{each["name"]: each for each in variant["figures"]} for variant in report.variants]
    out.print()
    table = plain_table(("", *map(escape, names), "questions", "judge: alignment"), widest=_WIDEST)
    hidden = _hidden(report)
    for name in dict.fromkeys(name for each in figures for name in each if name not in hidden):
        found = [each.get(name) for each in figures]
        role = next((each["judge"] for each in found if each is not None and each["judge"]), None)
        trust = trust_in_words(judges_behind(name, role, report.facts["judges"]))
        table.add_row(figure_name(name), *map(_cell, found), questions_in_words(found), trust)
    out.print(table)
    if hidden:
        out.print(f"Not in this table, but in the report and in --json: {', '.join(hidden.values())}.", markup=False)
    for variant in report.variants:
        for note in variant["notes"]:
            if note.partition(" ")[0] not in hidden:
                out.print(f"{variant['name']}: {note}.", markup=False, soft_wrap=True)
        told = system_in_words(variant)
        if told:
            out.print(f"{variant['name']}: {told}.", markup=False, soft_wrap=True)


def _hidden(report: RagReport) -> dict[str, str]:
    """Return the ranked figures that a reader of the table can do without: their names, and as a person reads them.

    Precision at a cut says less than how much of the context is relevant. Hit rate and nDCG at a cut that no ranking
    reaches repeat those at the deepest rank; recall there stays, as the faults are read from it.
    """
    traces = [trace for each in report.facts["traces"].values() for trace in each.values()]
    deepest = max((trace["retrieved"] for trace in traces), default=0)
    cuts = report.facts["cuts"]
    names = [f"precision@{cut}" for cut in cuts]
    names += [f"{kind}@{cut}" for kind in ("hit_rate", "ndcg") for cut in cuts if deepest < cut > min(cuts)]
    measured = {figure["name"] for variant in report.variants for figure in variant["figures"]}
    return {name: figure_name(name) for name in names if name in measured}


def _cell(figure: Mapping[str, Any] | None) -> str:
    ends = figure_interval(figure, ", ")
    return f"{figure_value(figure)} [{ends}]" if ends else figure_value(figure)


def _say_faults(out: Console, report: RagReport) -> None:
    for title, faults in _faults(report):
        out.print(f"\n{title}", style="bold", markup=False)
        for each in faults:
            out.print(f"- {each['sentence']}", markup=False, soft_wrap=True)


def _faults(report: RagReport) -> Sequence[tuple[str, Sequence[Mapping[str, Any]]]]:
    found = [(f"Where the fault of {each['name']} lies:", each["faults"]) for each in report.variants]
    for pair in report.facts["between"]:
        found.append((f"From {pair['first']} to {pair['second']}:", pair["faults"]))
        found.append((f"Beware, from {pair['first']} to {pair['second']}:", pair["warnings"]))
    return [(title, faults) for title, faults in found if faults]


def _say_failures(out: Console, report: RagReport) -> None:
    for variant in report.variants:
        failures = variant["failures"]
        said = failures_in_words(failures, report.facts["bank"]["questions"])
        end = ". The worst first:" if failures else "."
        out.print(f"\n{variant['name']}: {said}{end}", markup=False, soft_wrap=True)
        for each in failures[:_MOST_FAILURES]:
            told = "; ".join(each["told"][:_MOST_OF_ONE])
            more = len(each["told"]) - _MOST_OF_ONE
            rest = f"; and {more} more" if more > 0 else ""
            out.print(f"- {_question(report, each['question'])}: {told}{rest}", markup=False, soft_wrap=True)
        if len(failures) > _MOST_FAILURES:
            page = f"calibrate report {report.run}"
            out.print(f"- {len(failures) - _MOST_FAILURES} more: {page}", markup=False)


def _question(report: RagReport, name: str) -> str:
    text = " ".join(report.facts["questions"][name]["text"].split())
    return f"{name} {text if len(text) <= _LONGEST_QUESTION else text[: _LONGEST_QUESTION - 1] + '…'}"


def _say_differences(out: Console, report: RagReport) -> None:
    if not report.comparisons:
        return
    said = "over the questions that have a value in both variants; p (Holm) is corrected for the number of tests"
    out.print(f"\nDifferences, question by question, {said}:", markup=False, soft_wrap=True)
    table = plain_table(
        ("", "variants", "conclusion", "difference", "p", "p (Holm)", "questions", "changed"), right=3, widest=_WIDEST
    )
    for each in report.comparisons:
        if each["difference"] is None:
            continue
        colour = _COLOURS.get(each["conclusion"])
        said = escape(conclusion_in_words(each))
        difference, ends = difference_in_words(each, ", ")
        table.add_row(
            figure_name(each["name"]),
            escape(f"{each['first']}, {each['second']}"),
            f"[{colour}]{said}[/]" if colour else said,
            f"{difference} [{ends}]" if ends else difference,
            p_in_words(each["p"]),
            p_in_words(each["p_holm"]),
            str(each["n"]),
            str(len(each["changed"])),
        )
    out.print(table)


def _say_changes(out: Console, report: RagReport) -> None:
    for pair in report.facts["changes"]:
        changed = pair["questions"]
        if not changed:
            continue
        title = f"{counted(len(changed), 'question')} changed from {pair['first']} to {pair['second']}"
        shown = f", the {_MOST_CHANGES} that changed most" if len(changed) > _MOST_CHANGES else ""
        out.print(f"\n{title}{shown}:", markup=False)
        for each in changed[:_MOST_CHANGES]:
            moves = ", ".join(move_in_words(move) for move in each["moves"][:4])
            out.print(f"- {_question(report, each['question'])}: {moves}", markup=False, soft_wrap=True)


def _say_judges(out: Console, report: RagReport) -> None:
    judges = report.facts["judges"]
    if not judges:
        out.print("\nNo judge was asked: what needs a model was not measured (--judge).", markup=False)
        return
    out.print("\nThe judges behind these figures:", markup=False)
    for each in judges:
        out.print(f"- {judge_in_words(each)}", markup=False, soft_wrap=True)
    out.print(f"Paid: {report.spent_in_words}.", markup=False, soft_wrap=True)
