"""What a report says of the search: the candidates in order, the failure patterns, and what became of the prompt."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Literal

from calibrate.report import (
    OUTCOMES,
    Block,
    Cell,
    Column,
    Diff,
    Outcome,
    Paragraph,
    Preformatted,
    Section,
    Step,
    Table,
    trajectory_chart,
)
from calibrate.report.figures import three
from calibrate.store import CandidateRecord
from calibrate.workflows.calibration import Calibration
from calibrate.workflows.explain import score_name
from calibrate.workflows.record import money_column
from calibrate.workflows.search_told import search_in_words
from calibrate.workflows.sentences import counted
from calibrate.workflows.stored import Chosen, best_name

__all__ = ["patterns_section", "prompt_section", "trajectory_section"]

_CLOSE = 9  # digits to which scores are compared, as a search does
_LONGEST_REASON = 200
_STOPPED = {
    "target": "the target was reached",
    "plateau": "no further gain (plateau)",
    "stalled": "no further gain (stalled)",
    "limit": "the limit of iterations was reached",
    "exhausted": "none of its strategies applies to the best prompt",
}


def trajectory_section(calibration: Calibration) -> Section:
    """Return every candidate: where it came from, and whether it did better or worse."""
    candidates = calibration.stored.candidates
    score, best = score_name(calibration.objective), best_name(calibration.stored)
    winner = calibration.winner.candidate.number
    steps = [
        Step(
            each.number,
            each.iteration,
            each.strategy,
            each.parent,
            each.score,
            outcome,
            each.number == winner,
            (_short(each.reason),) if each.reason else (),
        )
        for each, outcome in zip(candidates, _outcomes(candidates), strict=True)
    ]
    worse = sum(each.outcome == "below_parent" for each in steps)
    summary = f"{_counts(candidates)} {counted(worse, 'candidate')} scored below the prompt it was written from."
    if worse != 1:
        summary = f"{_counts(candidates)} {worse or 'None'} scored below the prompt they were written from."
    blocks: tuple[Block, ...] = (
        Paragraph(f"{summary} Stopped: {_STOPPED.get(calibration.stopped, calibration.stopped)}."),
        trajectory_chart(steps, score, _table(candidates, steps, score, best), best),
        Paragraph(f"How it searched: {search_in_words(calibration.stored.run)}.", "muted"),
    )
    return Section("trajectory", "How it got there", blocks)


def _counts(candidates: Sequence[CandidateRecord]) -> str:
    rewrites = [each for each in candidates if each.number]
    parts = [
        f"{count} {what}"
        for status, what in (("rejected", "rejected"), ("stopped", "stopped early"))
        if (count := sum(each.status == status for each in rewrites))
    ]
    iterations = max(each.iteration for each in candidates)
    told = f" ({', '.join(parts)})" if parts else ""
    return f"{counted(len(rewrites), 'rewrite')}{told} in {counted(iterations, 'iteration')}."


def _outcomes(candidates: Sequence[CandidateRecord]) -> Iterator[Outcome]:
    scores = {each.number: round(each.score, _CLOSE) for each in candidates if each.score is not None}
    best: float | None = None
    for each in candidates:
        score = scores.get(each.number)
        if score is None:
            yield "rejected" if each.status == "rejected" else "stopped"
            continue
        parent = None if each.parent is None else scores.get(each.parent)
        if each.parent is None:
            yield "start"
        elif best is None or score > best:
            yield "best"
        elif parent is not None and score < parent:
            yield "below_parent"
        else:
            yield "level" if score == best else "below_best"
        best = score if best is None else max(best, score)


def _table(candidates: Sequence[CandidateRecord], steps: Sequence[Step], score: str, best: str) -> Table:
    costs = money_column([None if each.status == "rejected" else each.cost for each in candidates])
    columns = (
        Column("candidate"),
        Column("iteration", numeric=True),
        Column("strategy"),
        Column("written from"),
        Column(score, numeric=True),
        Column("outcome"),
        Column("cost", numeric=True),
    )
    rows = tuple(
        (
            Cell(str(each.number)),
            Cell(str(each.iteration)),
            Cell(each.strategy),
            Cell(_origin(each)),
            Cell("" if each.score is None else three(each.score)),
            Cell(
                f"{OUTCOMES[step.outcome][1]} {OUTCOMES[step.outcome][2]}{f', the {best}' if step.winner else ''}",
                _short(each.reason),
                "strong" if step.winner else "",
            ),
            Cell("" if each.status == "rejected" else cost),
        )
        for each, step, cost in zip(candidates, steps, costs, strict=True)
    )
    return Table("All candidates, as a table", columns, rows, folded=True)


def _origin(candidate: CandidateRecord) -> str:
    return " and ".join(str(each) for each in (candidate.parent, candidate.partner) if each is not None)


def _short(reason: str) -> str:
    line = " ".join(reason.split())
    return line if len(line) <= _LONGEST_REASON else f"{line[: _LONGEST_REASON - 1]}…"


def patterns_section(calibration: Calibration) -> Iterator[Section]:
    """Return how often baseline and winner fail in each way that was found; nothing where none was."""
    if not calibration.patterns:
        return
    columns = (
        Column("pattern"),
        Column("before", numeric=True),
        Column("after", numeric=True),
        Column("what it is", prose=True),
    )
    rows = tuple(
        (
            Cell(each.pattern.name),
            Cell(str(each.errors[0].errors)),
            Cell(str(each.errors[-1].errors)),
            Cell(each.pattern.description),
        )
        for each in calibration.patterns
    )
    table = Table(
        f"Errors in each failure pattern, at the baseline and at the {best_name(calibration.stored)}", columns, rows
    )
    yield Section("patterns", "Failure patterns", (table,))


def prompt_section(chosen: Chosen) -> Section:
    """Return the prompt, and what a calibration changed in the one it started from."""
    prompt, number = chosen.candidate.prompt, chosen.candidate.number
    if chosen.stored.run.kind != "optimize":
        return Section("prompt", "The prompt", (Preformatted(f"Prompt {chosen.reference}", prompt),))
    whole = Preformatted(f"Prompt {chosen.reference} in full", prompt, folded=True)
    if number == 0:
        said = Paragraph("It is the prompt that the calibration started from.")
        return Section("prompt", "The prompt", (said, Preformatted(f"Prompt {chosen.reference}", prompt)))
    before = chosen.stored.candidate(0).prompt
    caption = f"From the baseline to candidate {number}: lines with − were taken out, lines with + are new."
    return Section("prompt", "What changed in the prompt", (Diff(caption, tuple(_lines(before, prompt))), whole))


def _lines(before: str, after: str) -> Iterator[tuple[Literal["same", "removed", "added"], str]]:
    old, new = before.splitlines(), after.splitlines()
    for what, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            yield from (("same", line) for line in old[i:j])
            continue
        yield from (("removed", line) for line in old[i:j])
        yield from (("added", line) for line in new[k:m])
