"""What a user says about labels, and the scale and reader that follow from it.

A scale is declared, or deduced from labels that leave no doubt (0/1, A/B/tie); any other labels are listed and the
scale is asked for.
"""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from calibrate.domain import Json, Scale, ScaleKind, match_label, normalise_label, number
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank

__all__ = ["Declaration", "FoundLabels", "LabelReader", "find_labels", "label_identity", "resolve_scale"]

_ZERO_ONE = {"0.0", "1.0", "true", "false"}
_PAIRWISE = {"a", "b", "tie"}
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Declaration:
    """A scale as far as it is declared; None and empty mean "not said".

    Attributes:
        scale: the kind of scale.
        labels: the labels; of an ordinal scale in ascending order.
        positive: the positive label; it says that the scale is binary, if nothing else does.
        threshold: interval scales: scores at or above it are positive.
        low: interval scales: the lowest possible score.
        high: interval scales: the highest possible score.
        aliases: other words for the labels, such as ``{"good": "1"}``.
    """

    scale: ScaleKind | None = None
    labels: tuple[str, ...] = ()
    positive: str | None = None
    threshold: float | None = None
    low: float | None = None
    high: float | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)

    def over(self, base: Declaration) -> Declaration:
        """Return this declaration with what it leaves unsaid taken from ``base``; another scale stands alone."""
        base_scale = base.scale or ("binary" if base.positive is not None else None)
        if self.scale is not None and base_scale is not None and self.scale != base_scale:
            return self
        return Declaration(
            scale=self.scale or base.scale,
            labels=self.labels or base.labels,
            positive=base.positive if self.positive is None else self.positive,
            threshold=base.threshold if self.threshold is None else self.threshold,
            low=base.low if self.low is None else self.low,
            high=base.high if self.high is None else self.high,
            aliases={**base.aliases, **self.aliases},
        )


@dataclass(frozen=True, slots=True)
class FoundLabels:
    """The distinct labels of some cells, after aliases: spelling and count of each, by identity."""

    spellings: Mapping[str, str]
    counts: Mapping[str, int]

    def __str__(self) -> str:
        shown = [f"{self.spellings[key]} ({count})" for key, count in list(self.counts.items())[:_SHOWN]]
        more = len(self.counts) - len(shown)
        return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def label_identity(raw: Json) -> str:
    """Return what two spellings of one label have in common: the value of a number, else the normalised text."""
    if isinstance(raw, bool):
        return "true" if raw else "false"
    text = cell_text(raw)
    normal = normalise_label(text)
    value = number(normal)
    return normal or text if value is None else repr(value)


def find_labels(cells: Iterable[Json], aliases: Mapping[str, str]) -> FoundLabels:
    """List the distinct labels of ``cells``: ``Yes``, ``yes `` and ``YES`` are one, spelled as first seen."""
    replaced = {label_identity(word): label for word, label in aliases.items()}
    spellings: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for (_, cell), count in _tally(cells).items():
        label = replaced.get(label_identity(cell), cell)
        identity = label_identity(label)
        spellings.setdefault(identity, _spelling(label))
        counts[identity] += count
    return FoundLabels(spellings, counts)


def resolve_scale(declared: Declaration, found: FoundLabels, *, source: str) -> Scale:
    """Return the declared scale, completed from the labels found, or the scale that they leave no doubt about.

    Raises:
        InputError: the scale cannot be told, or the declaration contradicts itself; says what to declare.
    """
    _refuse_unusable(declared, source)
    kind = declared.scale or _deduce(declared, found, source)
    try:
        if kind == "interval":
            return _interval(declared)
        labels = _labels(kind, declared, found)
        if kind == "binary":
            return Scale("binary", labels, _positive(declared.positive, labels))
        if declared.positive is not None:
            raise InputError(f"only a binary scale has a positive label, this one is {kind}", field="positive")
        return Scale(kind, labels)
    except InputError as error:
        raise InputError(error.message, file=source, field=error.field) from None


class LabelReader:
    """Reads cells as labels of one scale, remembering each distinct cell.

    Args:
        scale: the scale.
        aliases: other words for its labels; a 0/1 scale knows true and false already.
        source: the file, for messages.

    Raises:
        InputError: an alias stands for no label of the scale.
    """

    def __init__(self, scale: Scale, aliases: Mapping[str, str], *, source: str | None = None) -> None:
        self.scale = scale
        self._aliases: dict[str, str] = {}
        if set(scale.labels) == {"0", "1"}:
            self._aliases = {"true": "1", "false": "0"}
        for word, label in aliases.items():
            matched = scale.match(label)
            if matched is None:
                raise InputError(
                    f"the alias '{word}' stands for '{label}', which is not a label ({self.expected})", file=source
                )
            self._aliases[label_identity(word)] = matched
        self._texts: dict[str, str | None] = {}
        self._others: dict[tuple[type, Json], str | None] = {}

    @property
    def expected(self) -> str:
        """What a label may be, in words."""
        if self.scale.kind != "interval":
            return ", ".join(self.scale.labels)
        if self.scale.low is None and self.scale.high is None:
            return "a number"
        low = "" if self.scale.low is None else f" from {self.scale.low:g}"
        high = "" if self.scale.high is None else f" to {self.scale.high:g}"
        return f"a number{low}{high}"

    def read(self, cell: Json) -> str | None:
        """Return the label that a cell states, or None."""
        if isinstance(cell, str):
            if cell not in self._texts:
                self._texts[cell] = self._match(cell)
            return self._texts[cell]
        if not isinstance(cell, bool | int | float):
            return None
        key = (type(cell), cell)  # True == 1 == 1.0, yet they may read differently
        if key not in self._others:
            self._others[key] = self._match(cell)
        return self._others[key]

    def _match(self, cell: Json) -> str | None:
        return self._aliases.get(label_identity(cell)) or self.scale.match(cell)


def _tally(cells: Iterable[Json]) -> Counter[tuple[type, Json]]:
    # The type is part of the key: True == 1 == 1.0, yet they are spelled differently.
    tally = Counter((type(cell), cell if isinstance(cell, str | int | float) else cell_text(cell)) for cell in cells)
    return Counter({key: count for key, count in tally.items() if not is_blank(key[1])})


def _spelling(label: Json) -> str:
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return cell_text(label).strip()


def _deduce(declared: Declaration, found: FoundLabels, source: str) -> ScaleKind:
    if declared.positive is not None:
        return "binary"
    identities = {label_identity(label) for label in declared.labels} or set(found.counts)
    if identities and identities <= _ZERO_ONE:
        return "binary"
    if identities and identities <= _PAIRWISE:
        return "pairwise"
    what = f"labels found: {found}" if found.counts else "no label says what the scale is"
    raise InputError(
        f"{what}; say how to read them with --scale (binary, nominal, ordinal, pairwise, interval), --labels and, "
        f"for a binary scale, --positive (in card.toml: scale, labels, positive){_line_for_two(declared, found)}",
        file=source,
    )


def _line_for_two(declared: Declaration, found: FoundLabels) -> str:
    """Return the options that read two labels, ready to be copied; which of the two is the good one is a guess.

    Of more labels, if they are words: what reads words without an order.
    """
    if declared.scale is None and len(found.counts) > 2 and all(number(key) is None for key in found.counts):
        return "; for labels without an order: --scale nominal"
    names = [found.spellings[key] for key in sorted(found.counts, key=lambda key: found.counts[key])]
    if declared.scale is not None or declared.labels or len(names) != 2 or any("," in name for name in names):
        return ""
    positive = shlex.quote(names[1])
    return (
        f"; for these two, where --positive is the label of a good answer: --scale binary --labels "
        f"{shlex.quote(','.join(names))} --positive {positive}"
    )


def _refuse_unusable(declared: Declaration, source: str) -> None:
    for name in ("threshold", "low", "high"):
        value = getattr(declared, name)
        if value is not None and not math.isfinite(value):
            raise InputError(
                f"{value} is no finite number; give one with --{name}, or {name} in card.toml", file=source, field=name
            )
    if len({label_identity(label) for label in declared.labels}) != len(declared.labels):
        raise InputError(
            f"labels {', '.join(declared.labels)}: two of them read the same; list each label once",
            file=source,
            field="labels",
        )


def _interval(declared: Declaration) -> Scale:
    if declared.threshold is None:
        raise InputError("an interval scale needs --threshold: scores at or above it are positive", field="threshold")
    low, high, threshold = declared.low, declared.high, declared.threshold
    if low is not None and high is not None and low >= high:
        raise InputError(f"low {low:g} is not below high {high:g}", field="low")
    if (low is not None and threshold < low) or (high is not None and threshold > high):
        raise InputError(f"threshold {threshold:g} lies outside the scale", field="threshold")
    low, high = None if low is None else float(low), None if high is None else float(high)
    return Scale("interval", declared.labels, threshold=float(threshold), low=low, high=high)


def _labels(kind: ScaleKind, declared: Declaration, found: FoundLabels) -> tuple[str, ...]:
    if declared.threshold is not None or declared.low is not None or declared.high is not None:
        raise InputError(f"threshold, low and high belong to an interval scale, this one is {kind}", field="scale")
    if declared.labels:
        return _ascending(declared.labels) if kind == "ordinal" else declared.labels
    if kind == "pairwise":
        return ("A", "B", "tie")
    if kind == "ordinal":
        raise InputError(
            f"an ordinal scale needs its labels in ascending order, such as --labels 1,2,3,4,5 (found: {found})",
            field="labels",
        )
    if kind == "binary" and found.counts and set(found.counts) <= _ZERO_ONE:
        return ("0", "1")
    labels = tuple(found.spellings[identity] for identity in sorted(found.counts, key=_label_order))
    if kind == "binary" and len(labels) != 2:
        raise InputError(
            f"a binary scale has two labels, found {len(labels)}{f': {found}' if labels else ''}; declare them with "
            "--labels",
            field="labels",
        )
    return labels


def _positive(declared: str | None, labels: Sequence[str]) -> str:
    if declared is not None:
        positive = match_label(declared, labels)
        if positive is None:
            raise InputError(f"'{declared}' is not one of the labels {', '.join(labels)}", field="positive")
        return positive
    for usual in ("1", "true"):
        positive = match_label(usual, labels)
        if positive is not None and {label_identity(label) for label in labels} <= _ZERO_ONE:
            return positive
    raise InputError(f"name the positive label: --positive {' or --positive '.join(labels)}", field="positive")


def _ascending(labels: tuple[str, ...]) -> tuple[str, ...]:
    values = {label: number(label) for label in labels}
    if any(value is None for value in values.values()):
        return labels
    return tuple(sorted(labels, key=lambda label: values[label] or 0.0))


def _label_order(identity: str) -> tuple[float, str]:
    value = number(identity)
    return (float("inf") if value is None else value, identity)
