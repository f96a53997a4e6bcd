"""Whether a figure follows from others: a quarter off a price, twice an amount, six hours four times a day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from calibrate.providers.sim.figures import Figure

__all__ = ["follows"]

_DAY = 1440.0
_WORKING_WEEK = 5
_MOST_TIMES = 100
_MOST_FIGURES = 24
_CLOSE = 1e-6
_SOME_YEAR = 2023


def follows(figure: Figure, source: Sequence[Figure], at_hand: Sequence[Figure], *, halved: bool = False) -> bool:
    """Whether a figure can be worked out from a source's figures and those of the question and of the claim itself.

    Args:
        figure: what is stated.
        source: the source's figures.
        at_hand: the figures of the question and the claim's others.
        halved: whether the source speaks of halves or doubles.
    """
    source = source[:_MOST_FIGURES]
    at_hand = [other for other in at_hand if other is not figure][:_MOST_FIGURES]
    known = [*source, *at_hand]
    return any(_equal(figure.value, value) for value in _worked_out(figure, known, source, at_hand, halved=halved))


def _worked_out(
    figure: Figure, known: Sequence[Figure], source: Sequence[Figure], at_hand: Sequence[Figure], *, halved: bool
) -> Iterator[float]:
    if figure.kind == "date":
        yield from _dates(known)
        return
    same = [other for other in known if other.kind == figure.kind]
    ours = [other for other in at_hand if other.kind == figure.kind]
    if figure.kind == "money":
        shares = [other.value / 100 for other in known if other.kind == "percent"] + [0.5]
        times = [
            other.value for other in [*at_hand, *source] if other.kind == "number" and 1 < other.value <= _MOST_TIMES
        ]
        times += [other.value / _unit(other) for other in at_hand if other.kind in ("minutes", "workdays", "grams")]
        times += list(_differences(known))
        for amount in same:
            for share in shares:
                yield amount.value * share
                yield amount.value * (1 - share)
            for factor in times:
                yield amount.value * factor
        yield from _sums(same, same)
        return
    if figure.kind == "number":
        yield from (_DAY / other.value for other in known if other.kind == "minutes" and other.value)
        for other in known:
            yield from (each.value - other.value for each in ours)
    if figure.kind == "workdays":
        yield from (other.value / (7 * _DAY) * _WORKING_WEEK for other in known if other.kind == "minutes")
    if figure.kind == "percent":
        yield from (100 - other.value for other in same)
    yield from _sums(ours, same)
    if halved:
        yield from (other.value * factor for other in source if other.kind == figure.kind for factor in (0.5, 2.0))
    if figure.kind not in ("number", "date", "percent"):
        # "2 litres for every 100": what is asked of 40 has its share.
        yield from (
            other.value * one.value / base.value
            for other in source
            if other.kind == figure.kind
            for one in at_hand
            for base in source
            if one.kind == base.kind not in ("number", "date", "clock", figure.kind) and base.value
        )
    counts = [other.value for other in at_hand if other.kind == "number" and 1 < other.value <= _MOST_TIMES]
    if figure.kind not in ("number", "date", "percent"):
        yield from (other.value * count for other in same for count in counts)
    if figure.kind in ("minutes", "number"):
        # "24 and your licence since 18": years are told as plain numbers.
        plain = [other.value for other in known if other.kind == "number"]
        years = [abs(one - other) for one in plain for other in plain]
        yield from (value * 365 * _DAY for value in years) if figure.unit.startswith(("year", "ano")) else ()


def _dates(known: Sequence[Figure]) -> Iterator[float]:
    """Yield the dates that lie a stated time before or after a stated date."""
    spans = [round(other.value / _DAY) for other in known if other.kind == "minutes" and other.value >= _DAY]
    for other in known:
        month, day = divmod(int(other.value), 100)
        if other.kind != "date" or not day:
            continue
        try:
            start = date(other.year or _SOME_YEAR, month, day)
        except ValueError:
            continue
        for span in spans:
            for end in (start + timedelta(days=span), start - timedelta(days=span)):
                yield end.day + 100 * end.month


def _sums(some: Sequence[Figure], others: Sequence[Figure]) -> Iterator[float]:
    for one in some:
        for other in others:
            if one is not other:
                yield one.value + other.value
                yield abs(one.value - other.value)


def _differences(known: Sequence[Figure]) -> Iterator[float]:
    for place, one in enumerate(known):
        for other in known[place + 1 :]:
            if (
                one.kind == other.kind
                and one.unit == other.unit
                and one.kind in ("grams", "number", "minutes", "metres")
            ):
                from_units = abs(one.value - other.value)
                yield from_units / _unit(one)


def _unit(figure: Figure) -> float:
    written = figure.text.split()[0].replace(",", ".") if figure.text else ""
    try:
        return figure.value / float(written) if float(written) else 1.0
    except ValueError:
        return 1.0


def _equal(one: float, other: float) -> bool:
    return abs(one - other) <= max(_CLOSE, 0.005 if one < 1000 else 0.5)
