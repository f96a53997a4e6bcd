"""A world: items, a judge that answers to what a prompt says, and a writer of prompts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random

import numpy as np
from scipy.special import ndtri

from calibrate.domain import Item, ModelRequest, ModelResponse, Scored, Verdict

from .concepts import FEATURES, Direction, feature_number
from .material import PLAIN, SCALE, Material, write_item
from .prompts import compose, parse, say
from .responses import Family, draw_response
from .subjects import CONCEPTS
from .writing import Writer

__all__ = ["FAMILIES", "World", "alignment_of_table"]

FAMILIES: tuple[Family, ...] = ("modes", "tradeoffs", "interactions", "null")

_EXAMPLE = 0.35
"""The strength that many examples of a mode come to; one has half of it."""
_KNOWN = 0.97
"""How often an item is judged right that the prompt itself shows with its label."""


class World:
    """A judge model, a meta-LLM and labelled items, all drawn from a family and a seed.

    Attributes:
        items: the development items.
        unseen: items of the same distribution.
        baseline: the prompt to start from; it states none to two of the features that help here.
        insight: how often the writer understands what an error is about.
        loss: how often a rewrite loses a feature of the current prompt.
        needed: the features that mend the failure modes of this world, as numbers.
    """

    scale = SCALE

    def __init__(self, family: Family, seed: int, *, development: int = 60, unseen: int = 400) -> None:
        self.family, self.seed = family, seed
        self._name = f"{family}|{seed}"
        draw = np.random.default_rng(_number(self._name))
        self.material = _draw_material(family, development, unseen, draw)
        self.items, self.unseen = self.material.items[:development], self.material.items[development:]
        self._response = draw_response(family, self.material, draw)
        self._place = {item.id: n for n, item in enumerate(self.material.items)}
        self._by_code = {code: n for n, code in enumerate(self.material.codes)}
        # The share of a verdict's draw that is the item's own, the features', the wording's, the repeat's.
        features, wording, repeat = draw.uniform(0.03, 0.10), draw.uniform(0.02, 0.06), draw.uniform(0.01, 0.05)
        if family == "null":
            features, wording = 0.0, wording + features
        self._shares = np.sqrt([1 - features - wording - repeat, features, wording, repeat])
        self._own = draw.standard_normal(len(self.material.items)) * self._shares[0]
        self._verdicts = [
            (_verdict(not good), _verdict(bool(good))) for good in self.material.gold
        ]  # by item: wrong, right
        self._thresholds: dict[tuple[object, ...], tuple[np.ndarray, np.ndarray]] = {}
        self.needed = tuple(
            feature_number(c, d) for c, d in zip(self.material.concepts, self.material.directions, strict=True)
        )
        random = Random(f"{self._name}|texts")
        self.baseline = compose([say(f, random) for f in random.sample(self.needed, random.randint(0, 2))], random)
        self._writer = Writer(self._name)
        self.insight, self.loss = self._writer.insight, self._writer.loss

    def judge(self, prompt: str, items: Iterable[Item], repeat: int = 0) -> dict[str, Verdict]:
        """Judge items with a prompt: a pure function of world, prompt, item and repeat."""
        right = self.right(prompt, repeat).tolist()
        return {item.id: self._verdicts[n][right[n]] for item in items for n in (self._place[item.id],)}

    def right(self, prompt: str, repeat: int = 0) -> np.ndarray:
        """Return whether the verdict on each item is right, the development items first, then the unseen ones."""
        threshold, stable = self._threshold(prompt)
        noise = stable + self._shares[2] * self._normals(f"{prompt}|wording")
        noise += self._shares[3] * self._normals(f"{prompt}|{repeat}")
        return noise < threshold

    def alignment(self, prompt: str, items: Sequence[Item], repeat: int = 0) -> float:
        """Return the alignment of a prompt on items, equal to ``calibrate.metrics.alignment_value``."""
        at = np.array([self._place[item.id] for item in items])
        return self._alignment(self.right(prompt, repeat)[at], self.material.gold[at])

    def expected(self, prompt: str) -> float:
        """Return the alignment of the expected table on the unseen items: without noise, and without luck."""
        parsed = parse(prompt)
        strengths, known = self._strengths(parsed.features, parsed.codes)
        return self._expected(self._right(strengths, parsed.weight, known))

    @cached_property
    def attainable(self) -> float:
        """The best expected alignment on the unseen items that a greedy search over sets of features finds.

        It adds, takes out or exchanges for another what helps most, one feature or one with what it needs at a time.
        """
        best, value = frozenset(parse(self.baseline).features), -1.0
        needs = self._response.needs
        while True:
            moves = [best ^ {feature} for feature in range(len(FEATURES))]
            moves += [best | {feature, needed} for feature, (needed, _) in needs.items()]
            found, which = max((self._expected_of(move), -n) for n, move in enumerate([best, *moves]))
            if found <= value + 1e-9:
                return value
            best, value = [best, *moves][-which], found

    @property
    def writer(self) -> Writer:
        """The meta-LLM: call it with a request; ``writer.rewrite`` serves formats of other optimizers."""
        return self._writer

    def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer a request to the meta-LLM."""
        return self._writer(request)

    @cached_property
    def modes(self) -> Mapping[str, str]:
        """What each item is about, by id: a concept and the direction of its mode, or ``plain``."""
        names = [
            f"{CONCEPTS[c].name}:{d}" for c, d in zip(self.material.concepts, self.material.directions, strict=True)
        ]
        return {
            item.id: "plain" if mode == PLAIN else names[mode]
            for item, mode in zip(self.material.items, self.material.mode.tolist(), strict=True)
        }

    def _threshold(self, prompt: str) -> tuple[np.ndarray, np.ndarray]:
        parsed = parse(prompt)
        key = (parsed.features, parsed.weight, parsed.codes)
        if key not in self._thresholds:
            strengths, known = self._strengths(parsed.features, parsed.codes)
            right = self._right(strengths, parsed.weight, known)
            stable = self._own + self._shares[1] * self._normals(f"features|{parsed.features}|{parsed.codes}")
            self._thresholds[key] = ndtri(right), stable
        return self._thresholds[key]

    def _strengths(self, features: Iterable[int], codes: Iterable[str]) -> tuple[np.ndarray, list[int]]:
        """Return the strength of each feature, examples being weak ones, and the items known by heart."""
        strengths = np.zeros(len(FEATURES))
        known = [self._by_code[code] for code in codes if code in self._by_code]
        for place in known:
            if (mode := int(self.material.mode[place])) != PLAIN:
                direction: Direction = "lenient" if self.material.gold[place] else "strict"
                feature = feature_number(self.material.concepts[mode], direction)
                strengths[feature] += (_EXAMPLE - strengths[feature]) / 2
        strengths[list(features)] = 1.0
        return strengths, known

    def _right(self, strengths: np.ndarray, sentences: int, known: Sequence[int]) -> np.ndarray:
        right = self._response.right(strengths, sentences)
        if known and self.family != "null":
            right[known] = np.maximum(right[known], _KNOWN)
        return right

    def _expected_of(self, features: frozenset[int]) -> float:
        return self._expected(self._right(self._strengths(features, ())[0], len(features), ()))

    def _expected(self, right: np.ndarray) -> float:
        at = slice(len(self.items), None)
        return self._alignment(right[at], self.material.gold[at])

    @staticmethod
    def _alignment(right: np.ndarray, gold: np.ndarray) -> float:
        positive = float(gold.sum())
        tp = float((right * gold).sum())
        tn = float(right.sum()) - tp
        return alignment_of_table(tp, positive - tp, len(gold) - positive - tn, tn)

    def _normals(self, name: str) -> np.ndarray:
        generator = np.random.Generator(np.random.PCG64(_number(f"{self._name}|{name}")))
        return generator.standard_normal(len(self.material.items))


def alignment_of_table(tp: float, fn: float, fp: float, tn: float) -> float:
    """Return the alignment of a binary table whose gold has both classes, in [-1, 1].

    The mean of accuracy, precision, recall, F1, kappa, r and rho; of two binary columns, r and rho are phi.
    """
    n, positive, said = tp + fn + fp + tn, tp + fn, tp + fp
    accuracy = (tp + tn) / n
    precision = tp / said if said else 0.0
    chance = (positive * said + (n - positive) * (n - said)) / n**2
    spread = positive * (n - positive) * said * (n - said)
    phi = (tp * tn - fp * fn) / spread**0.5 if spread else 0.0
    return (
        accuracy + precision + tp / positive + 2 * tp / (positive + said) + (accuracy - chance) / (1 - chance) + 2 * phi
    ) / 7


def _draw_material(family: Family, development: int, unseen: int, draw: np.random.Generator) -> Material:
    """Draw the items.

    Modes: 8 to 14 (``tradeoffs`` 5 to 9, ``interactions`` 6 to 8), prevalence Dirichlet(1.2), beside U(0.15, 0.35)
    plain items, of which U(0.5, 0.65) are good. A mode calls for strictness with probability Beta(4, 3), drawn for the
    world. U(0.65, 0.9) of a mode's items show its failure. U(0.2, 0.5) of all items have an expert's note.
    """
    low, high = {"tradeoffs": (5, 9), "interactions": (6, 8)}.get(family, (8, 14))
    count = int(draw.integers(low, high + 1))
    concepts = tuple(int(each) for each in draw.permutation(len(CONCEPTS))[:count])
    lenient_judge = draw.beta(4, 3)
    directions: tuple[Direction, ...] = tuple(
        "strict" if each < lenient_judge else "lenient" for each in draw.random(count)
    )
    plain = draw.uniform(0.15, 0.35)
    n = development + unseen
    mode = draw.choice(np.arange(-1, count), size=n, p=[plain, *(draw.dirichlet([1.2] * count) * (1 - plain))])
    fails = draw.uniform(0.65, 0.9, count)[mode] > draw.random(n)
    strict = np.array([direction == "strict" for direction in directions])[mode]
    gold = np.where(mode == PLAIN, draw.random(n) < draw.uniform(0.5, 0.65), fails != strict)
    gold[[0, 1, development, development + 1]] = True, False, True, False  # alignment needs both classes
    noted = draw.random(n) < draw.uniform(0.2, 0.5)
    slots = draw.integers(0, 10_000, (n, 4)).tolist()
    codes = tuple(f"K-{each + 100_000}" for each in draw.choice(900_000, n, replace=False).tolist())
    items = tuple(
        write_item(
            f"d{k:03}" if k < development else f"u{k - development:03}",
            codes[k],
            None if mode[k] == PLAIN else concepts[mode[k]],
            bool(gold[k]),
            bool(noted[k]),
            slots[k],
        )
        for k in range(n)
    )
    return Material(items, mode, gold, concepts, directions, codes)


def _verdict(good: bool) -> Scored:
    return Scored("1", "The context bears it out.") if good else Scored("0", "The context does not bear it out.")


def _number(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest(), "big")
