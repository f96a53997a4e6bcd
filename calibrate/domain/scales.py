"""Label scales, and the one rule by which a raw value becomes a declared label.

The same rule reads golden sets, recorded verdicts and model replies, so that ``"Yes."`` means the same everywhere.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from calibrate.domain.digests import Json
from calibrate.errors import InputError

__all__ = ["Scale", "ScaleKind", "match_label", "normalise_label", "number"]

ScaleKind = Literal["binary", "nominal", "pairwise", "ordinal", "interval"]

_ZERO_WIDTH = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD])
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_EDGES = " \t\r\n\f\v\xa0*_`~#\"'“”‘’«».,;:!?¡¿()[]{}<>|/\\"


def normalise_label(text: str) -> str:
    """Fold Unicode form and case; trim white space, zero-width characters, markup and surrounding punctuation."""
    folded = unicodedata.normalize("NFKC", text.translate(_ZERO_WIDTH)).casefold()
    # A leading point or comma stays: ".5" must not read as "5".
    return unicodedata.normalize("NFKC", folded).lstrip(_EDGES.replace(".", "").replace(",", "")).rstrip(_EDGES)


def number(raw: object) -> float | None:
    """Read ``raw`` as a finite number, or return None. Booleans are not numbers here."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int | float):
        try:
            return float(raw) if math.isfinite(raw) else None
        except OverflowError:  # a whole number larger than any float
            return None
    if isinstance(raw, str):
        text = raw.translate(_ZERO_WIDTH).strip()
        return float(text) if _NUMBER.fullmatch(text) and math.isfinite(float(text)) else None
    return None


def match_label(raw: object, labels: Sequence[str]) -> str | None:
    """Return the declared label that ``raw`` states as a whole, or None.

    Text matches after normalisation; numbers match labels of equal value (``1.0`` is ``"1"``, ``4.5`` is nothing);
    booleans match ``true``/``false`` labels, else ``1``/``0``. Nothing is rounded and no part of a word matches.
    """
    if isinstance(raw, bool):
        names = ("true", "1") if raw else ("false", "0")
        return next((label for name in names for label in labels if normalise_label(label) == name), None)
    if isinstance(raw, str):
        if raw in labels:
            return raw
        wanted = normalise_label(raw)
        if wanted:
            for label in labels:
                if normalise_label(label) == wanted:
                    return label
        raw = wanted
    value = number(raw)
    if value is None:
        return None
    return next((label for label in labels if number(label) == value), None)


@dataclass(frozen=True, slots=True)
class Scale:
    """How the labels of one dimension are to be read.

    Attributes:
        kind: binary, nominal, pairwise (A/B/tie), ordinal or interval.
        labels: the declared labels; for an ordinal scale in ascending order; empty for an interval scale.
        positive: the positive label of a binary scale, else None.
        threshold: interval scales: scores at or above it count as positive.
        low: interval scales: the lowest possible score, if declared.
        high: interval scales: the highest possible score, if declared.
    """

    kind: ScaleKind
    labels: tuple[str, ...] = ()
    positive: str | None = None
    threshold: float | None = None
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if self.kind == "interval":
            if self.labels:
                raise InputError("an interval scale has no labels; declare a threshold, low and high instead")
            return
        if len({_identity(label) for label in self.labels}) != len(self.labels):
            raise InputError(f"labels {', '.join(self.labels)}: two of them read the same")
        if len(self.labels) < 2:
            raise InputError("a scale needs at least two labels")
        if self.kind == "binary":
            if len(self.labels) != 2:
                raise InputError(
                    f"a binary scale has two labels, found {len(self.labels)}: {', '.join(self.labels[:8])}"
                )
            if self.positive not in self.labels:
                raise InputError(f"name the positive label: --positive {' or '.join(self.labels)}", field="positive")

    @property
    def negative(self) -> str:
        """The other label of a binary scale."""
        return next(label for label in self.labels if label != self.positive)

    def match(self, raw: object) -> str | None:
        """Return ``raw`` as a label of this scale, or None. Interval labels are canonical decimal text."""
        if self.kind != "interval":
            return match_label(raw, self.labels)
        value = number(raw)
        if (
            value is None
            or (self.low is not None and value < self.low)
            or (self.high is not None and value > self.high)
        ):
            return None
        return repr(value)

    def value(self, label: str) -> float:
        """Return the number that correlations use.

        Binary: 1 for the positive label, else 0. Pairwise: A 1, tie 0, B -1. Ordinal: the declared value, or the rank
        when labels are words. Interval: the score. Nominal: the position (no correlation is taken of it).
        """
        if self.kind == "interval":
            return float(label)
        if self.kind == "binary":
            return 1.0 if label == self.positive else 0.0
        if self.kind == "pairwise":
            return {"a": 1.0, "b": -1.0}.get(normalise_label(label), 0.0)
        if self.kind == "ordinal":
            values = [number(each) for each in self.labels]
            if all(each is not None for each in values):
                return float(label)
        return float(self.labels.index(label))

    def passes(self, label: str) -> bool | None:
        """Whether ``label`` is on the good side: binary and interval scales only, else None."""
        if self.kind == "binary":
            return label == self.positive
        if self.kind == "interval" and self.threshold is not None:
            return float(label) >= self.threshold
        return None

    def to_json(self) -> dict[str, Json]:
        """Return the declaration as JSON; equal scales give equal JSON."""
        return {
            "kind": self.kind,
            "labels": list(self.labels),
            "positive": self.positive,
            "threshold": self.threshold,
            "low": self.low,
            "high": self.high,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Scale:
        """Read back what ``to_json`` wrote."""
        return cls(**{**data, "labels": tuple(data["labels"])})


def _identity(label: str) -> str:
    value = number(label)
    return repr(value) if value is not None else normalise_label(label)
