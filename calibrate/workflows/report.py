"""A run as a page to send: HTML that opens from disk, or Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden import refuse_overwriting, write_text
from calibrate.report import Disagreements, Page, Section, html_page, markdown_page, require_libraries
from calibrate.store import Store
from calibrate.workflows.export import files_in_use
from calibrate.workflows.rag_page import rag_page
from calibrate.workflows.report_alignment import alignment_sections, checklist_section, people_section
from calibrate.workflows.report_cost import comparable_runs, cost_section
from calibrate.workflows.report_evidence import evidence_section, noise_section, probes_section
from calibrate.workflows.report_items import disagreements_of
from calibrate.workflows.report_search import patterns_section, prompt_section, trajectory_section
from calibrate.workflows.results import document
from calibrate.workflows.runs import RunDescription, describe
from calibrate.workflows.splitter import judge_name
from calibrate.workflows.stored import StoredRun, fold_in_words, load_run, parse_reference

__all__ = ["FORMATS", "MOST_ITEMS", "RunReport", "write_report"]

FORMATS = ("html", "md")
MOST_ITEMS = 200
"""Disagreements, or questions whose outcome changed, that a page shows unless told otherwise."""

_KINDS = {"optimize": "Calibration", "baseline": "Baseline", "noise": "Noise", "bias": "Probes for bias"}


LeftOut: TypeAlias = Literal["disagreements", "changed questions"]


@dataclass(frozen=True, slots=True)
class RunReport:
    """A page about a run.

    Attributes:
        sentence: what a manager can quote: what came out.
        format: ``html`` or ``md``.
        text: the page.
        path: where it was written, None when it was not.
        left_out: disagreements, or questions whose outcome changed, that are not on the page.
        simulated: whether a simulated model had a part in the run.
        what: what is left out.
    """

    sentence: str
    format: str
    text: str
    path: str | None
    left_out: int
    simulated: bool
    what: LeftOut = "disagreements"

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document; it holds the page itself where that was not written to a file."""
        return document(
            "ok",
            sentence=self.sentence,
            format=self.format,
            path=self.path,
            **{f"{self.what.replace(' ', '_')}_left_out": self.left_out},
            simulated=self.simulated,
            text=self.text if self.path is None else None,
        )


def write_report(
    db: str,
    reference: str,
    output: Path | None,
    *,
    format: str | None = None,
    overwrite: bool = False,
    most_items: int = MOST_ITEMS,
    annotators: str = "experts",
) -> RunReport:
    """Write the page of a run, or of one of its candidates.

    Args:
        db: the run database.
        reference: ``RUN`` or ``RUN:CANDIDATE``.
        output: the file; None, for Markdown only, to return the text alone.
        format: ``html`` or ``md``; None to go by the file's name: Markdown where it ends in .md, else HTML.
        overwrite: whether a file that exists is replaced.
        most_items: disagreements, or questions of a RAG evaluation whose outcome changed, that HTML shows; Markdown
            shows few in any case.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.

    Raises:
        InputError: there is no such run, candidate or format, the run has judged nothing, a library is missing, or the
            file cannot be written, or exists and is not to be overwritten (the run database and the golden set's table
            never are).
    """
    if format is None:
        format = "md" if output is not None and output.suffix.lower() in (".md", ".markdown") else "html"
    if format not in FORMATS:
        raise InputError(f"there is no format '{format}'; use {' or '.join(FORMATS)}", field="--format")
    if format == "html":
        if output is None:
            raise InputError("name the file to write, such as -o report.html; --format md needs none", field="--output")
        require_libraries()
    run_id, number = parse_reference(reference)
    with Store(db, create=False) as store:
        run = store.run(run_id)
        if number is not None and run.kind == "optimize" and run.status == "done":
            # The winner of a finished calibration is what the page of the whole run is about.
            reference = str(run_id) if load_run(store, run_id).winner == number else reference
        if output is not None:
            refuse_overwriting(output, overwrite=overwrite, never=files_in_use(store, run))
        described = describe(db, reference, annotators=annotators)
        if run.kind == "rag" and described.rag is None:
            raise InputError(f"{described.sentence.rstrip('.')}: there is nothing to report")
        if described.chosen is None and not described.probes and described.rag is None:
            raise InputError(f"run {run_id} ({run.status}) has judged nothing yet; run the same command again to go on")
        others = () if run.kind == "rag" else comparable_runs(store, run)
    if described.rag is not None:
        page, left_out = rag_page(described.rag, run, most_items, markdown=format == "md")
    else:
        shown, left_out = disagreements_of(described.chosen, most_items, markdown=format == "md")
        page = _page(described, [*_sections(described, shown, others)])
    text = html_page(page) if format == "html" else markdown_page(page)
    if output is not None:
        write_text(output, text)
    where = None if output is None else str(output)
    what: LeftOut = "disagreements" if described.rag is None else "changed questions"
    return RunReport(described.sentence, format, text, where, left_out, described.stored.simulated, what)


def _page(described: RunDescription, sections: Sequence[Section]) -> Page:
    stored, chosen = described.stored, described.chosen
    run = stored.run
    title = f"{_KINDS[run.kind]} of a judge of {run.dimension}"
    if chosen is not None and described.calibration is None and run.kind == "optimize":
        title = f"Candidate {chosen.reference}, a judge of {run.dimension}"
    optimizer = (run.spec.get("optimizer") or {}).get("model")
    facts = [
        ("golden set", stored.golden.name),
        ("dimension", run.dimension),
        ("items", f"{len(stored.golden.labelled):,}"),
        ("judge", judge_name(run.spec["judge"])),
        *([("optimizer", str(optimizer))] if optimizer else []),
        ("run", f"{run.id}, {run.status}"),
        ("started", run.created[:10]),
    ]
    notes = ["The run is not finished: the figures are those so far."] if run.status != "done" else []
    notes += [f"This run is {fold_in_words(run)}."] if run.spec.get("fold") else []
    return Page(title, described.sentence, tuple(sections), tuple(facts), stored.simulated, tuple(notes))


def _sections(described: RunDescription, shown: Disagreements | None, others: Sequence[StoredRun]) -> Iterator[Section]:
    """Return the parts that a run has, what matters most first."""
    chosen, calibration, run = described.chosen, described.calibration, described.stored.run
    if described.probes:
        yield probes_section(described.probes)
    if described.noise is not None:
        yield noise_section(described.noise)
    if chosen is None:
        return
    yield from alignment_sections(chosen, calibration)
    if calibration is not None:
        yield from evidence_section(calibration.evidence, calibration.stored)
        yield trajectory_section(calibration)
        yield from patterns_section(calibration)
    if not run.spec["judge"]["settings"].get("code"):
        yield prompt_section(chosen)
    if shown is not None:
        yield Section("disagreements", "What judge and experts see differently", (shown,))
    yield cost_section(chosen, others)
    yield from people_section(chosen)
    yield checklist_section(chosen, described.checklist)
