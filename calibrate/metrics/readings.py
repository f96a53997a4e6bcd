"""What the figures say, in words.

Sentences use the set's own label words: terms of error that flip their meaning with the positive class are never used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from calibrate.domain import Json, ScaleKind
from calibrate.metrics.agreement import Array
from calibrate.metrics.estimates import Estimate
from calibrate.metrics.references import Reference

__all__ = ["Facts", "Reading", "ReadingCode", "read"]

ReadingCode = Literal[
    "undefined",
    "unscored",
    "errors",
    "right_by_chance",
    "conservative",
    "blind",
    "small_class",
    "below_constant",
    "not_above_constant",
    "random_level",
    "worse_than_random",
    "one_number",
    "no_threshold",
    "one_group",
    "beyond_chance",
]

HIGH_ACCURACY = 0.6
LOW_KAPPA = 0.2
HIGH_PRECISION = 0.8
LOW_RECALL = 0.6
BLIND_RECALL = 0.1
BLIND_AT_MOST = 0.5
"""A judge is called blind only when even the upper end of recall lies below this."""
GOOD_KAPPA = 0.6
FEW_OF_CLASS = 5
_MOST_DIGITS = 6

_UNDEFINED = {
    "no_items": "No item has a gold label, so nothing can be measured.",
    "none_scored": "No verdict states a label, so nothing can be measured.",
    "single_class_gold": "People gave all scored items the same label: kappa, r, rho and alignment are undefined.",
    "too_few": "Fewer than 3 scored items: r, rho and alignment are undefined.",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence about a judge.

    Attributes:
        code: which of the readings it is.
        text: the sentence.
        praise: whether it says something good about the judge.
    """

    code: ReadingCode
    text: str
    praise: bool = False

    def to_json(self) -> dict[str, Json]:
        """Return code and text as JSON."""
        return {"code": self.code, "text": self.text}


@dataclass(frozen=True, slots=True)
class Facts:
    """What the readings look at.

    Attributes:
        kind: the scale.
        n: labelled items.
        scored: items whose verdict states a label.
        max_unscored: the largest share of unscored verdicts at which a judge may still be praised.
        one_group: whether all items belong to one group.
        labels: classes of the table.
        positive: index of the positive class, or None where averages are over classes.
        table: ``[k, k]``, rows gold, columns judge.
        alignment: the mean.
        metrics: the components, by name.
        recall: recall of each class, with its Wilson interval.
        reference: the two reference judges.
    """

    kind: ScaleKind
    n: int
    scored: int
    max_unscored: float
    one_group: bool
    labels: tuple[str, ...]
    positive: int | None
    table: Array
    alignment: Estimate
    metrics: Mapping[str, Estimate]
    recall: Mapping[str, Estimate]
    reference: Reference


def read(facts: Facts) -> tuple[Reading, ...]:
    """Return the readings, warnings first; praise only when nothing speaks against it."""
    warnings = [
        *_unscored(facts),
        *_undefined(facts),
        *_groups(facts),
        *_classes(facts),
        *_conservative(facts),
        *_chance(facts),
        *_references(facts),
    ]
    praise = [] if any(each.code != "small_class" for each in warnings) else _praise(facts)
    return (*warnings, *praise, *_errors(facts), *_identities(facts))


def _unscored(facts: Facts) -> list[Reading]:
    missing = facts.n - facts.scored
    if facts.n == 0 or missing / facts.n <= facts.max_unscored:
        return []
    text = (
        f"{missing} of {facts.n} verdicts state{'s' if missing == 1 else ''} no label "
        f"(more than {facts.max_unscored:.0%}): these figures describe only the {_items(facts.scored)} the judge "
        "answered."
    )
    return [Reading("unscored", text)]


def _undefined(facts: Facts) -> list[Reading]:
    text = _UNDEFINED.get(facts.alignment.reason or "")
    return [Reading("undefined", text)] if text else []


def _groups(facts: Facts) -> list[Reading]:
    if not facts.one_group:
        return []
    return [Reading("one_group", "All items belong to one group: nothing can be resampled, so there are no intervals.")]


def _classes(facts: Facts) -> list[Reading]:
    found = []
    for at, (label, recall) in enumerate(facts.recall.items()):
        count, right = int(facts.table[at].sum()), int(facts.table[at, at])
        if recall.value is None or recall.value > BLIND_RECALL:
            continue
        if recall.high is not None and recall.high < BLIND_AT_MOST:
            text = f"Blind to '{label}': it finds {right} of the {count} items that people call so."
            found.append(Reading("blind", text))
        elif count < FEW_OF_CLASS:
            text = (
                f"It misses '{label}', which only {_items(count)} {'has' if count == 1 else 'have'}: too few to tell."
            )
            found.append(Reading("small_class", text))
    return found


def _conservative(facts: Facts) -> list[Reading]:
    at, precision, recall = facts.positive, _value(facts, "precision"), _value(facts, "recall")
    if at is None or precision is None or recall is None or precision < HIGH_PRECISION or recall > LOW_RECALL:
        return []
    missed, count = int(facts.table[at].sum() - facts.table[at, at]), int(facts.table[at].sum())
    label = facts.labels[at]
    text = (
        f"Conservative: when it says '{label}' it mostly is right, but it misses {missed} of {count} '{label}' items."
    )
    return [Reading("conservative", text)]


def _chance(facts: Facts) -> list[Reading]:
    accuracy, kappa = _value(facts, "accuracy"), _value(facts, "cohen_kappa")
    if accuracy is None or kappa is None or accuracy < HIGH_ACCURACY or kappa > LOW_KAPPA:
        return []
    text = f"Right by chance: accuracy is {accuracy:.2f}, but agreement beyond chance (kappa) is {kappa:.2f}."
    return [Reading("right_by_chance", text)]


def _references(facts: Facts) -> list[Reading]:
    found: list[Reading] = []
    value, low, high = facts.alignment.value, facts.alignment.low, facts.alignment.high
    constant, random = facts.reference.constant, facts.reference.random
    if value is None or constant is None or random is None:
        return found
    label = facts.reference.constant_label
    always = "a constant judge" if label is None else f"a judge that always says '{label}'"
    if value < constant:
        figure, other = _apart(value, constant)
        text = f"Below the best constant judge: alignment {figure}, against {other} for {always}."
        found.append(Reading("below_constant", text))
    elif low is not None and low <= constant:
        text = f"These {_items(facts.scored)} cannot tell it from {always}: the interval reaches down to {low:.2f}."
        found.append(Reading("not_above_constant", text))
    if high is not None and high < random:
        figure, other = _apart(value, random)
        text = f"Worse than a random judge with the same rates: alignment {figure}, against {other}."
        found.append(Reading("worse_than_random", text))
    elif value <= random or (low is not None and low <= random):
        text = f"Not told apart from a random judge with the same rates (alignment {random:.2f})."
        found.append(Reading("random_level", text))
    return found


def _praise(facts: Facts) -> list[Reading]:
    kappa = _value(facts, "cohen_kappa")
    if facts.alignment.low is None or kappa is None or kappa < GOOD_KAPPA:
        return []
    return [Reading("beyond_chance", f"Agrees with people well beyond chance (kappa {kappa:.2f}).", praise=True)]


def _errors(facts: Facts) -> list[Reading]:
    if facts.positive is None or facts.table.sum() == 0:
        return []
    counts = facts.table.astype(int)
    parts = [
        f"it calls {counts[at, 1 - at]} of {counts[at].sum()} '{facts.labels[at]}' items '{facts.labels[1 - at]}'"
        for at in (0, 1)
        if counts[at].sum() > 0
    ]
    return [Reading("errors", f"Errors: {', and '.join(parts)}.")]


def _identities(facts: Facts) -> list[Reading]:
    if not facts.labels:
        text = "No threshold is declared, so only r and rho of the raw scores are measured and averaged."
        return [Reading("no_threshold", text)]
    r = _value(facts, "pearson")
    if facts.kind != "binary" or r is None:
        return []
    text = f"On two labels Pearson's r, Spearman's rho, phi and MCC are one number ({r:.3f})."
    return [Reading("one_number", text)]


def _apart(first: float, second: float) -> tuple[str, str]:
    """Write two figures with as many digits as it takes to see that they differ, at least two."""
    digits = 2
    while digits < _MOST_DIGITS and f"{first:.{digits}f}" == f"{second:.{digits}f}":
        digits += 1
    return f"{first:.{digits}f}", f"{second:.{digits}f}"


def _items(count: int) -> str:
    return f"{count} item" if count == 1 else f"{count} items"


def _value(facts: Facts, name: str) -> float | None:
    figure = facts.metrics.get(name)
    return None if figure is None else figure.value
