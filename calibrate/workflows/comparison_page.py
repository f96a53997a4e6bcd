"""A comparison as a page to send: cost against alignment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from calibrate.golden import refuse_overwriting, write_text
from calibrate.workflows.compared import Compared, ComparedSet, Standings
from calibrate.workflows.record import money
from calibrate.workflows.verdict_costs import DAYS_A_YEAR

__all__ = ["page_paths", "refuse_page", "write_page"]


def refuse_page(path: Path, db: str, set_path: str, *, overwrite: bool) -> None:
    """Refuse, before anything is spent, a page that cannot be written.

    Raises:
        InputError: the file exists, is the run database or the golden set, or what draws pages is not installed.
    """
    from calibrate.report import require_libraries

    require_libraries()
    refuse_overwriting(path, overwrite=overwrite, never=[set_path, *([] if "://" in db else [db])])


def page_paths(path: Path, found: ComparedSet) -> tuple[tuple[Path, Standings], ...]:
    """Return the file of each dimension: the one that was named, or one for each where there are several."""
    if len(found.each) == 1:
        return ((path, found.each[0]),)
    return tuple((path.with_stem(f"{path.stem}-{each.dimension}"), each) for each in found.each)


def write_page(path: Path, found: ComparedSet) -> tuple[Path, ...]:
    """Write the page, one for each dimension, and return the files.

    Raises:
        InputError: it cannot be written, or what draws pages is not installed.
    """
    from calibrate.report import JudgePoint, comparison_page

    written = []
    for file, standings in page_paths(path, found):
        points = [
            JudgePoint(
                name=each.name,
                kind=each.kind,
                alignment=each.score,
                low=each.alignment.alignment.low,
                high=each.alignment.alignment.high,
                cost_per_verdict=each.cost,
                on_front=each.name in standings.front,
                figures=dict(_figures(each, standings, found.volume)),
            )
            for each in standings.compared
        ]
        title = f"Judges of {standings.dimension} compared on {standings.n} items"
        notes = [*standings.notes, *found.notes]
        write_text(file, comparison_page(title, standings.sentence, points, notes, simulated=found.simulated))
        written.append(file)
    return tuple(written)


def _figures(one: Compared, standings: Standings, volume: int | None) -> Iterator[tuple[str, str]]:
    """Yield what stands beside a judge: its standing, recall of each class, missing verdicts, money and time."""
    beside = standings.beside.get(one.name)
    if beside is not None or one.name == standings.family.best:
        yield "beside the best", "best" if beside is None else beside.in_words
    for label, recall in one.alignment.recall_by_class.items():
        if recall.value is not None:
            yield f"recall of {label}", f"{recall.value:.2f}"
    kappa = one.alignment.metrics["cohen_kappa"].value
    if kappa is not None:
        yield "kappa", f"{kappa:.2f}"
    yield "without a verdict", f"{one.alignment.n - one.alignment.scored} of {one.alignment.n}"
    if volume is not None:
        for name, verdicts in ((f"a day at {volume:,}", volume), ("a year", volume * DAYS_A_YEAR)):
            cost = one.toll.cost.times(verdicts)
            yield name, money(cost.live)
            if cost.batch is not None:
                yield f"{name}, in batches", money(cost.batch)
    if one.toll.median_seconds is not None and one.toll.p95_seconds is not None:
        yield "seconds a call (median, p95)", f"{one.toll.median_seconds:.2f}, {one.toll.p95_seconds:.2f}"
    if one.how:
        yield "prompt or rule", one.how
