"""What a report says of money: alignment against cost, other judges of the same items included, and the bill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from calibrate.domain import canonical_json
from calibrate.report import (
    Block,
    Cell,
    Column,
    CostPoint,
    Facts,
    Paragraph,
    Section,
    Series,
    Table,
    cost_chart,
    letters,
)
from calibrate.report.figures import between, three
from calibrate.store import CandidateRecord, RunRecord, Store
from calibrate.workflows.front import cost_per_verdict, front_of
from calibrate.workflows.ranking import alignment_of
from calibrate.workflows.record import money, money_column, spending_in_words
from calibrate.workflows.sentences import counted
from calibrate.workflows.splitter import judge_name
from calibrate.workflows.stored import Chosen, StoredRun, load_run

__all__ = ["comparable_runs", "cost_section"]

_MOST_OTHERS = 12
"""Judges of other runs that a page shows."""

_CANDIDATE = Series("a candidate of this run", "circle", "○", "s1")
_CHOSEN = Series("the prompt of this report", "star", "☆", "s2", "top left")
_OTHER = Series("another run on the same items", "diamond", "◇", "s3")


@dataclass(frozen=True, slots=True)
class _Judge:
    """A judged prompt with its alignment as its score."""

    stored: StoredRun
    candidate: CandidateRecord
    series: Series

    @property
    def reference(self) -> str:
        return f"{self.stored.run.id}:{self.candidate.number}"


def comparable_runs(store: Store, run: RunRecord) -> tuple[StoredRun, ...]:
    """Return the other baselines and calibrations of the same golden set and dimension that have judged something."""
    same = (
        each
        for each in store.runs()
        if each.id != run.id
        and each.kind in ("baseline", "optimize")
        and (each.golden_digest, each.dimension) == (run.golden_digest, run.dimension)
    )
    return tuple(each for each in (load_run(store, one.id) for one in same) if each.winner is not None)


def cost_section(chosen: Chosen, others: Sequence[StoredRun]) -> Section:
    """Return alignment against cost, and what the run has paid for."""
    judges = _judges(chosen, others)
    on_front = _on_front(judges, chosen)
    judges, left_out = _shown(judges, on_front, chosen)
    costs = {id(each): _cost(each) for each in judges}
    names = _letters(judges, chosen)
    rows = sorted(
        judges,
        key=lambda each: (each.stored is not chosen.stored, costs[id(each)] is None, costs[id(each)] or 0.0),
    )
    table = _table(rows, costs, on_front, names, folded=len(rows) > 8)
    blocks: list[Block] = [Facts(_bill(chosen))]
    drawn = [each for each in judges if each.candidate.score is not None]
    if len(drawn) > 1:
        drawn.sort(key=lambda each: each.series is _CHOSEN)  # drawn last, above the others
        points = [_point(each, costs[id(each)], id(each.candidate) in on_front, names[id(each)]) for each in drawn]
        caption = "Alignment, unscored verdicts counted as wrong, against the cost of 1,000 verdicts."
        blocks.append(cost_chart("cost", caption, points, table))
    else:
        blocks.append(table)
    blocks += [Paragraph(each, "muted") for each in _notes(judges, left_out, chosen)]
    unknown = sum(cost is None for cost in costs.values())
    if unknown:
        text = f"Of unknown cost, and never on the front: {counted(unknown, 'prompt')}."
        blocks.append(Paragraph(text, "muted"))
    return Section("cost", "What it costs", tuple(blocks))


def _judges(chosen: Chosen, others: Sequence[StoredRun]) -> list[_Judge]:
    """Return the scored candidates of the run, then the best prompt of each other run, the latest first.

    Each pair of prompt and model is there once: a baseline of a calibration's prompt is no other judge.
    """
    found = []
    for each in chosen.stored.candidates:
        if each.status == "scored":
            series = _CHOSEN if each.number == chosen.candidate.number else _CANDIDATE
            found.append(_judge(chosen.stored, each, series))
    known = {_who(each) for each in found}
    for stored in reversed(others):
        best = _judge(stored, stored.candidate(stored.winner or 0), _OTHER)
        if _who(best) not in known:
            known.add(_who(best))
            found.append(best)
    return found


def _who(judge: _Judge) -> tuple[str, str]:
    """Return what tells a judge from others: its prompt, and its model with its identity and its splitter."""
    asked = judge.stored.run.spec["judge"]
    return judge.candidate.prompt, canonical_json([asked["model"], asked.get("identity"), asked.get("splitter")])


def _on_front(judges: Sequence[_Judge], chosen: Chosen) -> set[int]:
    """Return the candidates on the front; one that is no better than a constant answer is on none."""
    constant = chosen.alignment.reference.constant
    useful = [each for each in judges if constant is None or (each.candidate.score or 0.0) > constant]
    judged = {evaluation: count for each in judges for evaluation, count in each.stored.judged.items()}
    return {id(each.candidate) for each in front_of([each.candidate for each in useful], judged)}


def _shown(judges: Sequence[_Judge], on_front: set[int], chosen: Chosen) -> tuple[list[_Judge], int]:
    """Return the run's own candidates and as many others as a page has room for, and how many are left out."""
    own = [each for each in judges if each.stored is chosen.stored]
    others = [each for each in judges if each.stored is not chosen.stored]
    others.sort(key=lambda each: (id(each.candidate) not in on_front, -(each.candidate.score or 0.0)))
    return [*own, *others[:_MOST_OTHERS]], len(others[_MOST_OTHERS:])


def _notes(judges: Sequence[_Judge], left_out: int, chosen: Chosen) -> Iterator[str]:
    """Say what the table does not show, and how its figures differ from those above."""
    constant, label = chosen.alignment.reference.constant, chosen.alignment.reference.constant_label
    if constant is not None and any((each.candidate.score or 0.0) <= constant for each in judges):
        yield f"Never on the front: what does no better than always saying {label!r} ({three(constant)})."
    if any(each.candidate.shown for each in judges):
        yield (
            "A prompt that shows items as examples is measured on the others; here, where prompts are ranked, those "
            "items count as the prompt before it judged them, so that its alignment may differ from the figure above."
        )
    if left_out:
        yield f"Left out: {counted(left_out, 'other judge')} of these items; calibrate runs lists them."


def _judge(stored: StoredRun, candidate: CandidateRecord, series: Series) -> _Judge:
    return _Judge(stored, replace(candidate, score=alignment_of(stored.run, candidate)), series)


def _cost(judge: _Judge) -> float | None:
    """Return US dollars per 1,000 verdicts."""
    one = cost_per_verdict(judge.candidate, judge.stored.judged)
    return None if one is None else 1000 * one


def _letters(judges: Sequence[_Judge], chosen: Chosen) -> dict[int, str]:
    """Name the run's own candidates by number, and the other judges by letter."""
    own = [each for each in judges if each.stored is chosen.stored]
    others = [each for each in judges if each.stored is not chosen.stored]
    return {id(each): str(each.candidate.number) for each in own} | {
        id(each): letter for each, letter in zip(others, letters(len(others)), strict=True)
    }


def _interval(judge: _Judge) -> tuple[float | None, float | None]:
    """Return the interval that was recorded for this very figure; none for a prompt that shows examples."""
    metrics = judge.candidate.metrics
    if metrics is None or judge.candidate.shown or judge.candidate.score is None:
        return None, None
    figure = (metrics.get("wrong") or metrics)["alignment"]
    same = figure.get("value") is not None and abs(figure["value"] - judge.candidate.score) < 1e-9
    return (figure.get("low"), figure.get("high")) if same else (None, None)


def _point(judge: _Judge, cost: float | None, on_front: bool, letter: str) -> CostPoint:
    candidate = judge.candidate
    low, high = (None, None) if judge.series is _CANDIDATE else _interval(judge)
    told = (
        f"{judge.reference} {judge.stored.run.spec['judge']['model']}, {candidate.strategy}",
        f"alignment {three(candidate.score)} {between(low, high)}",
        f"{money(cost)} per 1,000 verdicts",
    )
    # Candidates lie close to each other: only those that matter are named on the chart itself.
    named = on_front or judge.series is not _CANDIDATE or not candidate.number
    return CostPoint(letter if named else "", cost, candidate.score or 0.0, low, high, judge.series, on_front, told)


def _table(
    judges: Sequence[_Judge],
    costs: dict[int, float | None],
    on_front: set[int],
    names: dict[int, str],
    *,
    folded: bool,
) -> Table:
    columns = (
        Column("prompt"),
        Column("sign"),
        Column("judge"),
        Column("strategy"),
        Column("alignment", numeric=True),
        Column("cost of 1,000", numeric=True),
        Column("front"),
    )
    written = money_column([costs[id(each)] for each in judges])
    rows = tuple(
        (
            Cell(each.reference, tone="strong" if each.series is _CHOSEN else ""),
            Cell(names[id(each)], tone="muted"),
            Cell(judge_name(each.stored.run.spec["judge"])),
            Cell(each.candidate.strategy),
            Cell(three(each.candidate.score), between(*_interval(each))),
            Cell(cost),
            Cell("yes" if id(each.candidate) in on_front else ""),
        )
        for each, cost in zip(judges, written, strict=True)
    )
    return Table("Prompts by cost, with 95 % intervals where they were recorded", columns, rows, folded=folded)


def _bill(chosen: Chosen) -> tuple[tuple[str, str], ...]:
    stored = chosen.stored
    folds = f", {counted(len(stored.folds), 'fold')} included" if stored.folds else ""
    made_up = " (made-up prices)" if stored.simulated else ""
    judging = chosen.candidate.cost
    return (
        ("paid by this run in all", spending_in_words(stored.spending, simulated=stored.simulated) + folds),
        (f"judging the set with {chosen.reference} once", f"{money(judging)}{made_up if judging else ''}"),
    )
