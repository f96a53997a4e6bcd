"""Two variants on the same questions: what differs, and whether more than chance or one or two questions made it so.

Paired, question by question, over the questions that have a value in both. Values of 0 and 1: exact McNemar test, and
Tango's interval; others: sign-flip permutation test of the mean difference, and the differences that this test does not
reject. Of shares that interval reaches as far as one more question, which was not asked, could move the difference: it
has a width where nothing changed, and lies in [-1, 1]. All tests of one call are one family, corrected together (Holm).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibrate.domain import Json
from calibrate.metrics import Interval, holm, mcnemar_exact
from calibrate.metrics.differences import paired_difference
from calibrate.rag.figures import Figure
from calibrate.rag.summaries import UNSEEN

__all__ = ["LEVEL", "Conclusion", "Paired", "compare_variants"]

Array = NDArray[np.float64]

LEVEL = 0.05
"""Chance of any claim in a family of tests where there is nothing to find."""

Conclusion = Literal["better", "worse", "higher", "lower", "noise", "not distinguishable"]
"""``better``, ``worse``: the second variant is, tested and corrected; ``higher``, ``lower`` where neither is better.
``noise``: without the one or two questions that speak most for it there is no difference, or it is below the judge's
noise floor. ``not distinguishable``: these questions cannot tell, or nothing differs."""


@dataclass(frozen=True)
class Paired:
    """One figure of two variants.

    Attributes:
        name: of the figure.
        first: name of the one variant.
        second: name of the other.
        first_value: mean of the one over the questions that both have a value for.
        second_value: mean of the other over these.
        difference: second less first; None when they share no question.
        low: lower end of its 95 % interval, which holds 0 whenever the test alone does not reject "no difference"; in
            [-1, 1] for shares.
        high: upper end.
        p: two-sided p of "no difference", of this test alone; None when they share no question.
        p_holm: corrected for all tests of the family.
        n: questions with a value in both.
        changed: the questions whose value differs, in order of their ids.
        noise_floor: the difference that the judge's own variation explains, if it is known.
        conclusion: see ``Conclusion``.
        higher_is_better: whether more is better; None where neither is.
        judge: the role of the judge that the figure comes from, if any.
    """

    name: str
    first: str
    second: str
    first_value: float | None
    second_value: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    n: int
    changed: tuple[str, ...]
    noise_floor: float | None
    conclusion: Conclusion
    higher_is_better: bool | None = True
    judge: str | None = None

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "name": self.name,
            "first": self.first,
            "second": self.second,
            "first_value": self.first_value,
            "second_value": self.second_value,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "p_holm": self.p_holm,
            "n": self.n,
            "changed": list(self.changed),
            "noise_floor": self.noise_floor,
            "conclusion": self.conclusion,
            "higher_is_better": self.higher_is_better,
            "judge": self.judge,
        }


def compare_variants(
    variants: Mapping[str, Sequence[Figure]],
    *,
    noise_floors: Mapping[str, float] | None = None,
    floors_by_pair: Mapping[tuple[str, str, str], float] | None = None,
    seed: int = 0,
    draws: int = 10_000,
) -> tuple[Paired, ...]:
    """Compare every two variants in every figure that both have, as one family of tests.

    Args:
        variants: the figures of each variant, by its name; those given first are what the others are compared with.
        noise_floors: by the name of a figure, the smallest difference that is more than its judge's own variation.
        floors_by_pair: the same by first variant, second variant and figure; goes before ``noise_floors``.
        seed: of the generator.
        draws: sign flips drawn where there are too many to go through all.
    """
    floors, of_pairs = noise_floors or {}, floors_by_pair or {}
    tests = []
    for (first, ours), (second, theirs) in combinations(variants.items(), 2):
        others = {each.name: each for each in theirs}
        for each in ours:
            if each.name in others:
                generator = np.random.default_rng([seed, *each.name.encode()])
                tests.append(_Test.of(first, second, each, others[each.name], generator, draws))
    defined = [test.p for test in tests if test.p is not None]
    corrected = iter(holm(defined))
    return tuple(
        test.concluded(
            None if test.p is None else next(corrected),
            of_pairs.get((test.first, test.second, test.figure.name), floors.get(test.figure.name)),
        )
        for test in tests
    )


@dataclass(frozen=True)
class _Test:
    first: str
    second: str
    figure: Figure
    questions: tuple[str, ...]
    before: Array
    after: Array
    p: float | None
    ends: Interval | None

    @classmethod
    def of(cls, first: str, second: str, ours: Figure, theirs: Figure, generator: Generator, draws: int) -> _Test:
        """Test one figure of two variants on the questions that both have a value for."""
        questions = tuple(sorted(ours.values.keys() & theirs.values.keys()))
        before, after = (np.array([each.values[name] for name in questions], float) for each in (ours, theirs))
        if not questions:
            return cls(first, second, ours, questions, before, after, None, None)
        if bool(np.isin([before, after], (0.0, 1.0)).all()) and ours.is_share:
            more, less = int((after > before).sum()), int((after < before).sum())
            p = mcnemar_exact(less, more)
            tango = paired_difference(more, less, len(questions))
            ends = Interval(tango.low, tango.high)
        else:
            p, ends = _sign_flips(after - before, generator, draws)
            ends = _of_shares(after - before, p, ends, generator, draws) if ours.is_share else ends
        if p >= LEVEL:
            ends = Interval(min(ends.low, 0.0), max(ends.high, 0.0))
        return cls(first, second, ours, questions, before, after, p, ends)

    def concluded(self, p_holm: float | None, floor: float | None) -> Paired:
        """Return the comparison, once its p is corrected for the others."""
        found = self.after - self.before
        difference = float(found.mean()) if found.size else None
        return Paired(
            self.figure.name,
            self.first,
            self.second,
            float(self.before.mean()) if found.size else None,
            float(self.after.mean()) if found.size else None,
            difference,
            None if self.ends is None else self.ends.low,
            None if self.ends is None else self.ends.high,
            self.p,
            p_holm,
            len(self.questions),
            tuple(name for name, changed in zip(self.questions, _differs(found), strict=True) if changed),
            floor,
            _conclusion(found, p_holm, floor, self.figure.higher_is_better),
            self.figure.higher_is_better,
            self.figure.judge,
        )


_FEW = 2
_MOST_TO_ENUMERATE = 13
_EQUAL = 1e-12


def _conclusion(found: Array, p_holm: float | None, floor: float | None, higher_is_better: bool | None) -> Conclusion:
    if not _differs(found).any() or p_holm is None:
        return "not distinguishable"
    total = float(found.sum())
    if abs(total) <= _EQUAL * found.size:
        return "not distinguishable"
    towards = np.sort(found * np.sign(total))
    if float(towards[:-_FEW].sum()) <= _EQUAL or (floor is not None and abs(total) / found.size < floor):
        return "noise"
    if p_holm >= LEVEL:
        return "not distinguishable"
    if higher_is_better is None:
        return "higher" if total > 0 else "lower"
    return "better" if (total > 0) is higher_is_better else "worse"


def _differs(found: Array) -> NDArray[np.bool_]:
    """Tell which differences are more than rounding."""
    return np.abs(found) > _EQUAL


def _sign_flips(found: Array, generator: Generator, draws: int) -> tuple[float, Interval]:
    """Return the p of "no difference", and the differences that the same test does not reject."""
    n, mean = found.size, float(found.mean())
    changed = found[_differs(found)]
    if changed.size == 0:
        return 1.0, Interval(0.0, 0.0)
    flips = generator.integers(0, 2, size=(draws, n), dtype=np.int8) * 2.0 - 1.0
    sums, sizes = flips @ found / n, flips.sum(axis=1) / n

    def p_of(difference: float) -> float:
        beyond = np.abs(sums - difference * sizes) >= abs(mean - difference) - _EQUAL
        return (1 + int(beyond.sum())) / (1 + draws)

    if changed.size <= _MOST_TO_ENUMERATE:
        signs = np.array(list(product((-1.0, 1.0), repeat=changed.size)))
        p = float((np.abs(signs @ changed) >= abs(changed.sum()) - _EQUAL * n).mean())
    else:
        p = p_of(0.0)
    reach = 2.0 * float(np.abs(found - mean).max()) or abs(mean) * _EQUAL

    def end(sign: float) -> float:
        inside, outside = 0.0, reach
        for _ in range(50):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if p_of(mean + sign * middle) >= LEVEL else (inside, middle)
        return mean + sign * inside

    return p, Interval(end(-1.0), end(1.0))


def _of_shares(found: Array, p: float, ends: Interval, generator: Generator, draws: int) -> Interval:
    """Return an interval of a difference of shares that does not collapse where all questions agree.

    As in ``summaries``: a Bayesian bootstrap with one more question, which moved by a whole point.
    """
    weights = generator.dirichlet([*np.ones(found.size), UNSEEN], size=draws)
    means = weights[:, :-1] @ found
    low = min(ends.low, float(np.quantile(means - weights[:, -1], 0.025)))
    high = max(ends.high, float(np.quantile(means + weights[:, -1], 0.975)))
    if p < LEVEL:  # the test rejects "no difference": the end towards it is the test's own
        low, high = (ends.low, high) if found.mean() > 0 else (low, ends.high)
    return Interval(max(low, -1.0), min(high, 1.0))
