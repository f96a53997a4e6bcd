"""What a report says of a judge's alignment: before and after, confusion, references, raters, and the checklist."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calibrate.metrics import Alignment, AlternativeAnnotator, Confidence, Estimate, HumanCeiling
from calibrate.report import Block, Cell, Column, Confusion, Facts, Notes, Paragraph, Section, Table
from calibrate.report.figures import between, three
from calibrate.workflows.calibrated import calibration_in_words
from calibrate.workflows.calibration import Calibration
from calibrate.workflows.checklist import Fact
from calibrate.workflows.results import METRIC_NAMES
from calibrate.workflows.sentences import figure, signed
from calibrate.workflows.stored import Chosen, best_name

__all__ = ["alignment_sections", "checklist_section", "estimate_cell", "people_section"]

_MANY_CLASSES = 12


def alignment_sections(chosen: Chosen, calibration: Calibration | None) -> Iterator[Section]:
    """Return the figures of a candidate, beside those of the baseline where a whole calibration is told."""
    changed = calibration is not None and calibration.comparison is not None
    if calibration is None:
        named = [(chosen.reference, chosen.alignment)]
    elif changed:
        best = best_name(calibration.stored)
        named = [("baseline", calibration.baseline.alignment), (best, calibration.winner.alignment)]
    else:
        named = [("baseline, unsurpassed", calibration.baseline.alignment)]
    blocks: list[Block] = []
    if calibration is not None and calibration.comparison is not None:
        blocks.append(Paragraph(f"Difference in alignment, paired: {signed(calibration.comparison.difference)}."))
    blocks.append(_figures(named))
    blocks.append(Notes(tuple(_beside(chosen))))
    yield Section("figures", "Before and after" if changed else "Figures", tuple(blocks), beside=True)
    yield from _confusions(named)
    if chosen.alignment.confidence is not None:
        yield _confidence(chosen.alignment.confidence)


def _figures(named: Sequence[tuple[str, Alignment]]) -> Table:
    alignments = [each for _, each in named]
    rows: list[tuple[Cell, ...]] = [
        (Cell("alignment", tone="strong"), *(estimate_cell(each.alignment, strong=True) for each in alignments)),
        *_metric_rows(alignments),
        *_recall_rows(alignments),
        (Cell("best constant judge"), *(_constant(each) for each in alignments)),
        (Cell("random judge"), *(Cell(three(each.reference.random)) for each in alignments)),
        (Cell("items"), *(Cell(f"{each.n:,}") for each in alignments)),
        (Cell("with a verdict"), *(Cell(f"{each.scored:,}") for each in alignments)),
    ]
    columns = (Column("figure"), *(Column(name, numeric=True) for name, _ in named))
    beside = " (in brackets: beside alignment, not in it)" if any(each.extras for each in alignments) else ""
    caption = f"Figures with 95 % intervals{beside}"
    return Table(caption, columns, tuple(rows))


def _metric_rows(alignments: Sequence[Alignment]) -> Iterator[tuple[Cell, ...]]:
    for key in dict.fromkeys(key for each in alignments for key in each.metrics):
        found = (each.metrics.get(key) for each in alignments)
        yield Cell(METRIC_NAMES.get(key, key)), *map(estimate_cell, found)
    for key in dict.fromkeys(key for each in alignments for key in each.extras):
        found = (each.extras.get(key) for each in alignments)
        yield Cell(f"({METRIC_NAMES.get(key, key.replace('_', ' '))})"), *map(estimate_cell, found)


def _recall_rows(alignments: Sequence[Alignment]) -> Iterator[tuple[Cell, ...]]:
    labels = dict.fromkeys(label for each in alignments for label, count in each.n_per_class.items() if count)
    for label in labels if len(labels) <= _MANY_CLASSES else ():
        yield Cell(f"recall of {label}"), *(estimate_cell(each.recall_by_class.get(label)) for each in alignments)


def estimate_cell(estimate: Estimate | None, *, strong: bool = False) -> Cell:
    """Return a figure with its interval, or why there is none."""
    if estimate is None:
        return Cell("")
    if estimate.value is None:
        return Cell("undefined", str(estimate.reason).replace("_", " "), "muted")
    return Cell(three(estimate.value), between(estimate.low, estimate.high), "strong" if strong else "")


def _constant(alignment: Alignment) -> Cell:
    reference = alignment.reference
    label = "" if reference.constant is None else f"always {reference.constant_label}"
    return Cell(three(reference.constant), label)


def _beside(chosen: Chosen) -> Iterator[str]:
    """What stands beside the figures: the readings, bounds, and what calibrated the judge."""
    alignment, result = chosen.alignment, chosen.result
    if alignment.accuracy_bounds is not None and alignment.scored < alignment.n:
        low, high = alignment.accuracy_bounds.low, alignment.accuracy_bounds.high
        yield f"Accuracy on all {alignment.n} items lies between {low:.3f} and {high:.3f}."
    unscored = ", ".join(f"{count} {reason}" for reason, count in alignment.unscored.items() if count)
    if unscored:
        yield f"Without a verdict: {unscored} of {alignment.n} items."
    for reading in alignment.readings:
        yield reading.text
    if result.calibrated is not None:
        words = calibration_in_words(result.calibrated, result.dimension, judge=result.judge)
        yield f"{words[0].upper()}{words[1:]}."
        if chosen.candidate.shown and result.calibrated.run == chosen.stored.run.id:
            yield "That alignment counts the items that the prompt shows as the prompt before it judged them."


def _confusions(named: Sequence[tuple[str, Alignment]]) -> Iterator[Section]:
    drawn = [(name, each.confusion) for name, each in named if each.confusion.labels]
    if not drawn:
        return
    classes = max(len(each.labels) for _, each in drawn)
    if classes > _MANY_CLASSES:
        text = f"The scale has {classes} labels, too many for a table here; calibrate show --json has the counts."
        yield Section("confusion", "Confusion", (Paragraph(text, "muted"),))
        return
    tables = (Confusion(name.capitalize(), each.labels, each.matrix) for name, each in drawn)
    yield Section("confusion", "Confusion", tuple(tables), beside=True)


def _confidence(confidence: Confidence) -> Section:
    """Return how far the confidence that the judge states can be believed."""
    chance = "" if confidence.ece_by_chance is None else f" (up to {three(confidence.ece_by_chance)} by chance alone)"
    facts = (
        ("Brier score", figure(confidence.brier)),
        ("expected calibration error", f"{figure(confidence.ece)}{chance}"),
        ("verdicts with a confidence", f"{confidence.n:,}"),
        ("without one", f"{confidence.without_confidence:,}"),
        ("without a verdict", f"{confidence.unscored:,}"),
    )
    blocks: list[Block] = [Facts(facts)]
    if confidence.bins:
        columns = tuple(Column(name, numeric=True) for name in ("confidence", "n", "mean", "right"))
        rows = tuple(
            (
                Cell(three(each.low) if each.low == each.high else f"{three(each.low)} to {three(each.high)}"),
                Cell(f"{each.n:,}"),
                Cell(three(each.confidence)),
                estimate_cell(each.right),
            )
            for each in confidence.bins
        )
        blocks.append(Table("How often the judge is right at each confidence, with 95 % intervals", columns, rows))
    return Section("confidence", "Can its confidence be believed?", tuple(blocks))


def people_section(chosen: Chosen) -> Iterator[Section]:
    """Return what is known about the raters, and the judge among them."""
    people = chosen.result.people
    if people is None:
        return
    reason = people.gate.reason
    blocks: list[Block] = [Paragraph(f"{reason[0].upper()}{reason[1:]} (gold: {people.gold}).")]
    if people.ceiling is not None:
        blocks += _ceiling(people.ceiling)
    elif people.no_ceiling is not None:
        blocks.append(
            Paragraph("Human ceiling: undefined, since the items on which the two raters differ have no gold.", "muted")
        )
    if len(people.raters) > 1:
        who = f"Alternative-annotator test, raters taken as {people.annotators}"
        undefined = people.undefined
        if undefined is not None:
            blocks.append(Paragraph(f"{who}: undefined: {undefined[1]}.", "muted"))
        elif people.alternative is not None:
            blocks.append(Paragraph(f"{who}: {_outcome(people.alternative)}."))
    yield Section("raters", "The raters", tuple(blocks))


def _ceiling(ceiling: HumanCeiling) -> list[Block]:
    columns = (
        Column("rater"),
        Column("items", numeric=True),
        Column("rater's alignment", numeric=True),
        Column("judge's alignment", numeric=True),
    )
    rows = tuple(
        (
            Cell(row.rater),
            Cell(f"{row.n:,}"),
            estimate_cell(row.human.alignment),
            estimate_cell(row.judge.alignment),
        )
        for row in ceiling.rows
    )
    over = f"{ceiling.defined} of {len(ceiling.rows)} raters"
    if ceiling.human.value is None:
        said = f"undefined ({ceiling.human.reason})"
    else:
        said = f"raters {three(ceiling.human.value)}, the judge {three(ceiling.judge.value)}, mean over {over}"
    return [
        Table("Each rater, and the judge, against the same majorities of the other raters", columns, rows),
        Paragraph(f"Human ceiling: {said}."),
    ]


def _outcome(test: AlternativeAnnotator) -> str:
    verdict = "the judge may stand in for a rater" if test.passed else "the judge may not stand in for a rater"
    won = f"won against {len(test.won)} of {len(test.p_values)}"
    omega = "undefined" if test.omega is None else f"{test.omega:.2f}"
    return f"{verdict} (omega {omega}, {won}; epsilon {test.epsilon:g})"


def checklist_section(chosen: Chosen, checklist: Sequence[Fact]) -> Section:
    """Return every fact that a report states, or why it is not known."""
    run = chosen.stored.run
    facts = (
        *((fact.name, fact.words) for fact in checklist),
        ("prompt", f"candidate {chosen.reference}"),
        ("run", f"{run.created} by calibrate {run.version}; {run.status}"),
    )
    return Section("record", "What stands behind the figures", (Facts(facts),))
