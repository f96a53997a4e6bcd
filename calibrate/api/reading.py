"""What was done: runs, differences, disagreements, prompts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from calibrate.api.common import database, names_of
from calibrate.workflows.card import WrittenCard
from calibrate.workflows.card import card as _card
from calibrate.workflows.disagreements import Written, write_disagreements
from calibrate.workflows.explain import Explanation
from calibrate.workflows.explain import explain as _explain
from calibrate.workflows.export import ExportedPrompt
from calibrate.workflows.export import export_prompt as _export_prompt
from calibrate.workflows.report import MOST_ITEMS, RunReport
from calibrate.workflows.report import write_report as _write_report
from calibrate.workflows.runs import Difference, RunDescription, RunList, compare_runs, describe, list_runs
from calibrate.workflows.strategies import StrategyList, list_strategies

__all__ = ["card", "diff", "disagreements", "explain", "export_prompt", "runs", "show", "strategies", "write_report"]


def runs(db: str | None = None) -> RunList:
    """List all runs."""
    return list_runs(database(db))


def show(
    reference: str | int, *, annotators: str = "experts", by: str | Sequence[str] = (), db: str | None = None
) -> RunDescription:
    """Return a run, or one of its candidates (``"2:5"``), in full.

    Args:
        reference: the run or candidate.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
        by: columns of the golden set whose values are measured apart.
        db: the run database.

    Raises:
        InputError: there is no such run, candidate or column.
    """
    return describe(database(db), str(reference), annotators=annotators, by=names_of(by))


def diff(first: str | int, second: str | int, *, db: str | None = None) -> Difference:
    """Compare two prompts."""
    return compare_runs(database(db), str(first), str(second))


def explain(reference: str | int, *, db: str | None = None) -> Explanation:
    """Return how a calibration's winner, or one of its candidates (``"2:5"``), came about.

    Raises:
        InputError: there is no such run or candidate, it was not judged, or the run is no calibration.
    """
    return _explain(database(db), str(reference))


def disagreements(
    reference: str | int, output: str | Path, *, overwrite: bool = False, db: str | None = None
) -> Written:
    """Write what judge and experts see differently, for the experts to fill in."""
    return write_disagreements(database(db), str(reference), Path(output), overwrite=overwrite)


def export_prompt(
    reference: str | int,
    to: str = "text",
    *,
    output: str | Path | None = None,
    overwrite: bool = False,
    db: str | None = None,
) -> ExportedPrompt:
    """Return (and write) a calibrated judge in one of the formats of ``calibrate export``."""
    return _export_prompt(
        database(db), str(reference), to, None if output is None else Path(output), overwrite=overwrite
    )


def write_report(
    reference: str | int,
    output: str | Path | None = None,
    *,
    format: str | None = None,
    overwrite: bool = False,
    max_items: int = MOST_ITEMS,
    annotators: str = "experts",
    db: str | None = None,
) -> RunReport:
    """Write a run, or one of its candidates (``"2:5"``), as a page that opens offline, or as Markdown.

    Args:
        reference: the run or candidate.
        output: the file; only Markdown can do without one.
        format: ``html`` or ``md``; None to go by the file's name.
        overwrite: whether a file that exists is replaced.
        max_items: disagreements that HTML shows.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
        db: the run database.

    Raises:
        InputError: there is no such run, candidate or format, or the file cannot be written, or exists.
    """
    path = None if output is None else Path(output)
    return _write_report(
        database(db),
        str(reference),
        path,
        format=format,
        overwrite=overwrite,
        most_items=max_items,
        annotators=annotators,
    )


def card(
    reference: str | int,
    output: str | Path | None = None,
    *,
    to: str = "md",
    review_by: date | str | None = None,
    overwrite: bool = False,
    db: str | None = None,
) -> WrittenCard:
    """Return (and write) the card of a judge: one page on what it is, how it was measured, and what it may be used for.

    Args:
        reference: a run (its winner), or one of its candidates (``"2:5"``).
        output: the file to write; None for none.
        to: ``md`` or ``json``.
        review_by: the day by which it is to be looked at again; None for 90 days after the run ended.
        overwrite: whether a file that exists is replaced.
        db: the run database.

    Raises:
        InputError: there is no such judged candidate, format or date, or the file cannot be written.
    """
    return _card(
        database(db),
        str(reference),
        None if output is None else Path(output),
        to=to,
        review_by=None if review_by is None else str(review_by),
        overwrite=overwrite,
    )


def strategies(folder: str | Path | None = None) -> StrategyList:
    """List the ways in which the meta-LLM is asked to rewrite a prompt, and when each is used.

    Args:
        folder: a folder with strategies of your own, a Markdown file for each; None for the built-in ones.

    Raises:
        InputError: the folder, or a file in it, cannot be used.
    """
    return list_strategies(folder)
