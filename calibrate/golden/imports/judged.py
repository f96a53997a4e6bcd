"""Judgements that stand in a list, each with its name and who gave it: one row per thing that was judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from calibrate.domain import Json
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.imports.imported import Imported, Rows

__all__ = ["Judgement", "Thing", "tabulate"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judgement of one thing.

    Attributes:
        name: what was judged about it.
        human: whether a person gave it.
        verdict: a label, a number or a boolean; None when it has none, ``error`` when its judge failed.
        score: the number beside a label, if there is one.
        reason: why.
        at: when, for the order of several.
    """

    name: str
    human: bool
    verdict: Json
    score: Json = None
    reason: Json = None
    at: str = ""


@dataclass(slots=True)
class Thing:
    """What was judged: what is known about it, and its judgements."""

    item: dict[str, Json] = field(default_factory=dict)
    metadata: dict[str, Json] = field(default_factory=dict)
    judgements: list[Judgement] = field(default_factory=list)


def tabulate(source: str, tool: str, things: Mapping[str, Thing], messages: Sequence[str]) -> Imported:
    """Return one row per thing.

    Of several judgements of one name by judges the last counts. Of several labels of one name by people the one that
    most of them gave counts; where people tie there is no label.
    """
    rows = Rows(source)
    replaced: Counter[str] = Counter()
    ties: Counter[str] = Counter()
    for thing_id, thing in things.items():
        row = rows.add(thing_id)
        rows.put_all(row, "item", thing.item)
        rows.put_all(row, "metadata", thing.metadata)
        people: dict[str, list[Judgement]] = {}
        for judgement in sorted(thing.judgements, key=lambda each: each.at):
            if judgement.human:
                people.setdefault(judgement.name, []).append(judgement)
                continue
            if rows.holds(row, "verdict", judgement.name):
                replaced[judgement.name] += 1
            rows.replace(row, ("verdict", "score", "reason"), judgement.name, _cells(judgement))
        for name, given in people.items():
            agreed = _agreed(given)
            if agreed is None:
                ties[name] += 1
            else:
                rows.replace(row, ("human", "human score", "human reason"), name, _cells(agreed))
    said = [f"{name}: {count} earlier verdicts on the same item, left out" for name, count in replaced.items()]
    said += [f"{name}: people tie on {count} items, which have no human label" for name, count in ties.items()]
    return rows.imported(tool, (*messages, *said))


def _cells(judgement: Judgement) -> tuple[Json, Json, Json]:
    return judgement.verdict, judgement.score, judgement.reason


def _agreed(given: Sequence[Judgement]) -> Judgement | None:
    """Return the last judgement with the label that most gave; None where several labels are ahead together."""
    stated = [each for each in given if not is_blank(each.verdict)]
    if not stated:
        return given[-1]
    (first, votes), *others = Counter(cell_text(each.verdict) for each in stated).most_common(2)
    if others and others[0][1] == votes:
        return None
    return next(each for each in reversed(stated) if cell_text(each.verdict) == first)
