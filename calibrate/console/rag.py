"""A RAG evaluation on the terminal: where the fault lies, every figure by variant, what differs, and who judged."""

from __future__ import annotations

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
_LONGEST_QUESTION = 70
_WIDEST = 140  # characters of a line of a table, in a pipe too
_COLOURS = {"better": "green", "worse": "red", "noise": "yellow"}


def show_rag(report: RagReport) -> None:
    """Print the sentence, the figures by variant, the differences, what changed, and the judges behind it."""
    out = console()
    out.print(report.sentence, style="bold", markup=False, soft_wrap=True)
    if report.simulated:
        out.print(SIMULATED, style="yellow")
    _say_figures(out, report)
    _say_faults(out, report)
    _say_differences(out, report)
    _say_changes(out, report)
    _say_judges(out, report)
    out.print(f"\nRun {report.run}; `calibrate report {report.run} -o rag.html` writes the page.", markup=False)


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
    for name in dict.fromkeys(name for each in figures for name in each):
        found = [each.get(name) for each in figures]
        role = next((each["judge"] for each in found if each is not None and each["judge"]), None)
        trust = trust_in_words(judges_behind(name, role, report.facts["judges"]))
        table.add_row(figure_name(name), *map(_cell, found), questions_in_words(found), trust)
    out.print(table)
    for variant in report.variants:
        for note in variant["notes"]:
            out.print(f"{variant['name']}: {note}.", markup=False, soft_wrap=True)
        told = system_in_words(variant)
        if told:
            out.print(f"{variant['name']}: {told}.", markup=False, soft_wrap=True)


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


def _say_differences(out: Console, report: RagReport) -> None:
    if not report.comparisons:
        return
    out.print("\nDifferences, question by question (p corrected for their number by Holm's method):", markup=False)
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
    questions = report.facts["questions"]
    for pair in report.facts["changes"]:
        changed = pair["questions"]
        if not changed:
            continue
        title = f"{counted(len(changed), 'question')} changed from {pair['first']} to {pair['second']}"
        shown = f", the {_MOST_CHANGES} that changed most" if len(changed) > _MOST_CHANGES else ""
        out.print(f"\n{title}{shown}:", markup=False)
        for each in changed[:_MOST_CHANGES]:
            moves = ", ".join(move_in_words(move) for move in each["moves"][:4])
            text = questions[each["question"]]["text"]
            short = text if len(text) <= _LONGEST_QUESTION else text[: _LONGEST_QUESTION - 1] + "…"
            out.print(f"- {each['question']} {short}: {moves}", markup=False, soft_wrap=True)


def _say_judges(out: Console, report: RagReport) -> None:
    judges = report.facts["judges"]
    if not judges:
        out.print("\nNo judge was asked: what needs a model was not measured (--judge).", markup=False)
        return
    out.print("\nThe judges behind these figures:", markup=False)
    for each in judges:
        out.print(f"- {judge_in_words(each)}", markup=False, soft_wrap=True)
    out.print(f"Paid: {report.spent_in_words}.", markup=False, soft_wrap=True)
