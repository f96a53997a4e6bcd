"""A comparison as a page to send: cost against alignment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from calibrate.errors import InputError
from calibrate.golden import LoadOptions, load_golden, refuse_overwriting, write_text
from calibrate.workflows.compared import Compared, ComparedSet, Standings
from calibrate.workflows.record import money
from calibrate.workflows.verdict_costs import DAYS_A_YEAR

__all__ = ["dimensions_of", "page_paths", "refuse_page", "write_page"]

_UNFIT = re.compile(r"[^\w.-]+")  # for the name of a file


def refuse_page(path: Path, db: str, set_path: str, dimensions: Sequence[str], *, overwrite: bool) -> None:
    """Refuse, before anything is spent, a page that cannot be written.

    Args:
        path: the file that was named.
        db: the run database.
        set_path: the golden set.
        dimensions: those that are compared: with several, each has a page of its own.
        overwrite: whether a page that exists may be replaced.

    Raises:
        InputError: the file exists, is the run database or the golden set, or what draws pages is not installed.
    """
    from calibrate.report import require_libraries

    require_libraries()
    if path.suffix.lower() not in (".html", ".htm"):
        raise InputError("a page is HTML; give it a name that ends in .html", file=str(path))
    if not path.parent.is_dir():
        raise InputError("no such folder; make it first", file=str(path.parent))
    for page in page_paths(path, dimensions):
        refuse_overwriting(page, overwrite=overwrite, never=[set_path, *([] if "://" in db else [db])])


def dimensions_of(set_path: str, load: LoadOptions) -> tuple[str, ...]:
    """Return the dimensions of a golden set.

    Raises:
        InputError: it cannot be used.
    """
    return load_golden(set_path, load).golden.dimensions


def page_paths(path: Path, dimensions: Sequence[str]) -> tuple[Path, ...]:
    """Return the file of each dimension: the one that was named, or one for each where there are several."""
    if len(dimensions) <= 1:
        return (path,)
    return tuple(path.with_stem(f"{path.stem}-{_UNFIT.sub('_', each)}") for each in dimensions)


def write_page(path: Path, found: ComparedSet) -> tuple[Path, ...]:
    """Write the page, one for each dimension, and return the files.

    Raises:
        InputError: it cannot be written, or what draws pages is not installed.
    """
    from calibrate.report import JudgePoint, comparison_page

    files = page_paths(path, [each.dimension for each in found.each])
    for file, standings in zip(files, found.each, strict=True):
        points = [
            JudgePoint(
                name=each.name,
                kind=each.kind,
                alignment=each.score,
                low=each.ranked.low,
                high=each.ranked.high,
                cost_per_verdict=each.cost,
                on_front=each.name in standings.front,
                figures=dict(_figures(each, standings, found.volume)),
            )
            for each in standings.compared
        ]
        title = f"Judges of {standings.dimension} compared on {standings.n} items"
        write_text(file, comparison_page(title, standings.sentence, points, standings.notes, simulated=found.simulated))
    return files


def _figures(one: Compared, standings: Standings, volume: int | None) -> Iterator[tuple[str, str]]:
    """Yield what stands beside a judge: its standing, recall of each class, missing verdicts, money and time."""
    beside = standings.beside.get(one.name)
    if beside is not None or one.name == standings.best:
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
