"""The judges of the four families: the probability that a verdict is right, given what the prompt says.

Every number below is a prior; U(a, b) is uniform. They describe judges, and know nothing of any search.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy.special import ndtr

from .concepts import BROAD, FEATURES, SCAFFOLDS, feature_number
from .material import PLAIN, Material
from .subjects import CONCEPTS

__all__ = ["Family", "Response", "draw_response"]

Family = Literal["modes", "tradeoffs", "interactions", "null"]

_FIRST_WAY = 2 * len(CONCEPTS)
_SEVERITY, _GENEROSITY, _LENGTH, _KNOWLEDGE = (FEATURES.index(name) for name in BROAD)


@dataclass(frozen=True, slots=True)
class Response:
    """How a judge answers to features.

    Attributes:
        start: ``[items]``; the probability of a right verdict without any feature; for ``tradeoffs`` the quality that
            the judge sees, in units of its own noise.
        gain: ``[features, items]``; what a feature adds to ``start``.
        harm: ``[features, items]``; log of the factor by which a feature lowers a probability.
        sign: for ``tradeoffs``, 1 for good items and -1 for bad ones; else None.
        needs: by feature, the feature that it needs beside it and the share of its strength that it has without.
        capacity: how many sentences with features a judge heeds in full.
        fading: with ``n`` sentences above capacity, each has the strength ``(capacity / n) ** fading``.
    """

    start: np.ndarray
    gain: np.ndarray
    harm: np.ndarray
    sign: np.ndarray | None = None
    needs: dict[int, tuple[int, float]] = field(default_factory=dict)
    capacity: float = np.inf
    fading: float = 0.0

    def right(self, strengths: np.ndarray, sentences: int) -> np.ndarray:
        """Return the probability that each verdict is right, ``[items]``.

        Args:
            strengths: ``[features]``, each in [0, 1].
            sentences: how many sentences of the prompt state a feature.
        """
        effective = strengths.copy()
        for feature, (needed, alone) in self.needs.items():
            effective[feature] *= alone + (1 - alone) * strengths[needed]
        if sentences > self.capacity:
            effective *= (self.capacity / sentences) ** self.fading
        seen = self.start + effective @ self.gain
        if self.sign is not None:
            return np.clip(ndtr(self.sign * seen), 0.01, 0.99)
        return np.clip(np.clip(seen, 0.02, 0.98) * np.exp(effective @ self.harm), 0.02, 0.98)


def draw_response(family: Family, material: Material, draw: np.random.Generator) -> Response:
    """Draw a judge of a family for these items."""
    if family == "tradeoffs":
        return _tradeoffs(material, draw)
    if family == "null":
        return _null(material, draw)
    response = _modes(material, draw)
    return _interactions(response, material, draw) if family == "interactions" else response


def _modes(material: Material, draw: np.random.Generator) -> Response:
    """Independent failure modes with side effects.

    An item that shows the failure of its mode is judged right with U(0.03, 0.40), drawn for each mode, +-0.05 by item;
    with the feature of the mode with 0.60 + 0.35 Beta(6, 1). All other items: Beta(28, 1).
    """
    n, fault = len(material.items), material.fault
    start = draw.beta(28, 1, n)
    gain, kept = np.zeros((len(FEATURES), n)), np.ones((len(FEATURES), n))
    strict_fault = np.zeros(n, dtype=bool)
    own = [feature_number(c, d) for c, d in zip(material.concepts, material.directions, strict=True)]
    for mode, feature in enumerate(own):
        here = material.mode == mode
        low = np.clip(draw.uniform(0.03, 0.40) + draw.uniform(-0.05, 0.05, n), 0.02, 0.45)
        start = np.where(here & fault, low, start)
        gain[feature] += (here & fault) * np.maximum(0.60 + 0.35 * draw.beta(6, 1) - low, 0.0)
        strict_fault |= here & fault & (material.directions[mode] == "strict")
        # The feature is overdone on a share of the mode's other items; its opposite makes things worse.
        _break(kept, draw, feature, here & ~fault, draw.uniform(0.0, 0.10))
        _break(kept, draw, feature ^ 1, here, draw.uniform(0.3, 0.7))
        # Side effects: none, one or two other modes, of which U(0.05, 0.20) of the items are broken.
        for other in draw.permutation(len(own))[: draw.integers(0, 3)]:
            if other != mode:
                _break(kept, draw, feature, material.mode == other, draw.uniform(0.05, 0.20))
    for feature in range(_FIRST_WAY):
        # Features about what does not occur here: most have no effect, three in ten break some items.
        if feature not in own and feature ^ 1 not in own and draw.random() < 0.3:
            _break(kept, draw, feature, np.ones(n, dtype=bool), draw.uniform(0.02, 0.12))
    for way in range(_FIRST_WAY, _FIRST_WAY + len(SCAFFOLDS)):
        gain[way] += strict_fault * draw.uniform(-0.03, 0.10)
        _break(kept, draw, way, np.ones(n, dtype=bool), draw.uniform(0.0, 0.03))
    gain[_SEVERITY] += strict_fault * draw.uniform(0.0, 0.25)
    gain[_GENEROSITY] += (fault & ~strict_fault) * draw.uniform(0.0, 0.25)
    _break(kept, draw, _SEVERITY, material.gold, draw.uniform(0.08, 0.35))
    _break(kept, draw, _GENEROSITY, ~material.gold, draw.uniform(0.08, 0.35))
    for feature in (_LENGTH, _KNOWLEDGE):
        _break(kept, draw, feature, np.ones(n, dtype=bool), draw.uniform(0.03, 0.2))
    return Response(start, gain, np.log(kept))


def _break(
    kept: np.ndarray, draw: np.random.Generator, feature: int, where: np.ndarray, share: float, to: float = 0.1
) -> None:
    """Let a feature break a share of these items: their probability falls to a tenth."""
    kept[feature] *= np.where(where & (draw.random(len(where)) < share), to, 1.0)


def _interactions(response: Response, material: Material, draw: np.random.Generator) -> Response:
    """Failure modes whose features lean on one another, and a judge of limited attention.

    Each mode's feature needs another one with probability 0.45: a way of working (one time in two) or the feature of
    another mode; alone it has U(0.05, 0.30) of its strength. Capacity U(7, 10) sentences, fading U(0.4, 0.9).
    """
    own = [feature_number(c, d) for c, d in zip(material.concepts, material.directions, strict=True)]
    needs: dict[int, tuple[int, float]] = {}
    for feature in own:
        if draw.random() < 0.45:
            ways = list(range(_FIRST_WAY, _FIRST_WAY + len(SCAFFOLDS)))
            others = [other for other in own if other != feature and other not in needs]
            pool = ways if draw.random() < 0.5 or not others else others
            needs[feature] = (int(pool[draw.integers(len(pool))]), draw.uniform(0.05, 0.30))
    return Response(
        response.start,
        response.gain,
        response.harm,
        needs=needs,
        capacity=draw.uniform(7, 10),
        fading=draw.uniform(0.4, 0.9),
    )


def _tradeoffs(material: Material, draw: np.random.Generator) -> Response:
    """A judge with a strictness, and items near the threshold.

    An item's quality is N(0, 1) folded to its gold side, plus 0.1. The judge sees it with noise of U(0.20, 0.35), with
    a leniency of its own of U(-0.5, 0.5), and on items of a mode with a bias of U(0.9, 2.2) towards the mode's error.
    The mode's feature moves what is seen by U(0.6, 1.3) of 1.5 against the bias, which may be too little or too much,
    and by U(0.02, 0.15) on all other items; its opposite moves it the other way.
    """
    n, gold = len(material.items), material.gold
    noise = draw.uniform(0.20, 0.35)
    quality = (np.abs(draw.standard_normal(n)) + 0.1) * np.where(gold, 1.0, -1.0)
    seen = quality + draw.uniform(-0.5, 0.5)
    gain = np.zeros((len(FEATURES), n))
    modes = dict(zip(material.concepts, range(len(material.concepts)), strict=True))
    for concept in range(len(CONCEPTS)):
        here = material.mode == modes.get(concept, PLAIN - 1)
        moved = np.where(here, 1.5 * draw.uniform(0.6, 1.3), draw.uniform(0.02, 0.15))
        bias = draw.uniform(0.9, 2.2)
        gain[feature_number(concept, "strict")] = -moved
        gain[feature_number(concept, "lenient")] = moved
        if concept in modes:
            seen = seen + here * np.where(material.directions[modes[concept]] == "strict", bias, -bias)
    for way in range(_FIRST_WAY, _FIRST_WAY + len(SCAFFOLDS)):
        gain[way] = draw.uniform(-0.2, 0.2)
    gain[_SEVERITY], gain[_GENEROSITY] = -draw.uniform(0.3, 0.8), draw.uniform(0.3, 0.8)
    for feature in (_LENGTH, _KNOWLEDGE):
        gain[feature] = draw.normal(0.0, draw.uniform(0.2, 0.6), n)
    return Response(seen / noise, gain / noise, np.zeros_like(gain), sign=np.where(gold, 1.0, -1.0))


def _null(material: Material, draw: np.random.Generator) -> Response:
    """A judge that no instruction moves: a share U(0.4, 0.75) of items at Beta(9, 1), the others at Beta(1, 3)."""
    n = len(material.items)
    easy = draw.random(n) < draw.uniform(0.4, 0.75)
    nothing = np.zeros((len(FEATURES), n))
    return Response(np.where(easy, draw.beta(9, 1, n), draw.beta(1, 3, n)), nothing, nothing)
