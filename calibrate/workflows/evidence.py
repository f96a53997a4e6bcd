"""What stands behind a winner (STATISTICS sections 4 and 5): chance, the judge's own noise, and items nobody saw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Literal

from calibrate.domain import Json
from calibrate.metrics import Comparison, Corrected, Estimate, NoiseFloor, Permutation

__all__ = ["Chance", "Evidence", "Noise", "Source", "Unseen"]

_CLOSE = 1e-9  # alignment: a gain of exactly one flip is within the noise, whatever the last digit says

Source = Literal["holdout", "confirm", "cross_fit"]
Conclusion = Literal["better", "non_inferior", "worse", "cannot_tell"]


@dataclass(frozen=True, slots=True)
class Chance:
    """Whether choosing the best of many explains the gain on the items that it was chosen on.

    Attributes:
        p: permutation p over the baseline and all scored candidates.
        candidates: how many were compared with the baseline.
        corrected: the winner's alignment, corrected for having been chosen.
        optimism: what choosing added; None when it is undefined.
        stopped: those among the candidates that were stopped; the verdicts they lack were drawn from those of others.
    """

    p: Estimate
    candidates: int
    corrected: Estimate
    optimism: float | None
    stopped: int = 0

    @classmethod
    def of(cls, permutation: Permutation, corrected: Corrected, stopped: int = 0) -> Chance:
        """Return it from what was measured."""
        return cls(permutation.p, permutation.candidates, corrected.corrected, corrected.optimism, stopped)

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON."""
        return {
            "p": self.p.to_json(),
            "candidates": self.candidates,
            "corrected": self.corrected.to_json(),
            "optimism": self.optimism,
            "stopped": self.stopped,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Chance:
        """Read back what ``to_json`` wrote."""
        p, corrected = Estimate(**data["p"]), Estimate(**data["corrected"])
        return cls(p, data["candidates"], corrected, data["optimism"], data.get("stopped", 0))


@dataclass(frozen=True, slots=True)
class Noise:
    """The judge's own variation between fresh runs.

    Attributes:
        repeats: fresh runs of the baseline, and of the winner.
        resolution: the difference in alignment that the variation explains, the larger of both prompts'; None when it
            is undefined.
        flip_rate: share of the pairs of repeats on an item that differ, the larger of both prompts'.
        baseline: alignment of each run of the baseline; None where it is undefined.
        winner: alignment of each fresh run of the winner, its search score not among them; empty without a winner.
    """

    repeats: int
    resolution: float | None
    flip_rate: float | None
    baseline: tuple[float | None, ...]
    winner: tuple[float | None, ...] = ()

    @classmethod
    def of(cls, baseline: NoiseFloor, winner: NoiseFloor | None) -> Noise:
        """Return it from the floors of both prompts."""
        floors = [floor for floor in (baseline, winner) if floor is not None]
        return cls(
            baseline.k,
            _largest(floor.resolution.value for floor in floors),
            _largest(floor.flip_rate.value for floor in floors),
            tuple(each.value for each in baseline.alignment),
            () if winner is None else tuple(each.value for each in winner.alignment),
        )

    @property
    def fresh(self) -> float | None:
        """Mean alignment of the winner's fresh runs."""
        return _mean(self.winner)

    @property
    def fresh_gain(self) -> float | None:
        """Mean alignment of the winner's fresh runs less that of the baseline's runs."""
        after, before = _mean(self.winner), _mean(self.baseline)
        return None if after is None or before is None else after - before

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON."""
        return {
            "repeats": self.repeats,
            "resolution": self.resolution,
            "flip_rate": self.flip_rate,
            "baseline": list(self.baseline),
            "winner": list(self.winner),
            "winner_fresh": self.fresh,
            "fresh_gain": self.fresh_gain,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Noise:
        """Read back what ``to_json`` wrote."""
        return cls(
            data["repeats"], data["resolution"], data["flip_rate"], tuple(data["baseline"]), tuple(data["winner"])
        )


@dataclass(frozen=True, slots=True)
class Unseen:
    """Winner against baseline on items that no meta-prompt saw.

    Attributes:
        source: a holdout, fresh labels, or the left-out folds of a cross-fit (which speaks of the procedure, not of one
            prompt).
        n: items compared.
        baseline: alignment of the baseline on them.
        winner: alignment of the winner.
        difference: winner less baseline, with its paired interval.
        conclusion: what the interval says.
        half_width: the smallest difference these items resolve.
        uses: which test this is that judges a winner on some of these items: 1 for the first.
        items: the items, by the first eight digits of the digest of their content or group.
        where: the file or the number of folds.
    """

    source: Source
    n: int
    baseline: Estimate
    winner: Estimate
    difference: Estimate
    conclusion: Conclusion
    half_width: float | None
    uses: int
    items: tuple[str, ...]
    where: str = ""

    @classmethod
    def of(
        cls, source: Source, comparison: Comparison, *, uses: int, items: tuple[str, ...], where: str = ""
    ) -> Unseen:
        """Return it from a comparison of the winner with the baseline."""
        return cls(
            source,
            comparison.n,
            comparison.baseline,
            comparison.candidate,
            comparison.difference,
            comparison.conclusion(),
            comparison.half_width,
            uses,
            items,
            where,
        )

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON."""
        return {
            "source": self.source,
            "n": self.n,
            "baseline": self.baseline.to_json(),
            "winner": self.winner.to_json(),
            "difference": self.difference.to_json(),
            "conclusion": self.conclusion,
            "half_width": self.half_width,
            "uses": self.uses,
            "items": list(self.items),
            "where": self.where,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Unseen:
        """Read back what ``to_json`` wrote."""
        figures = {name: Estimate(**data[name]) for name in ("baseline", "winner", "difference")}
        return cls(**{**data, **figures, "items": tuple(data["items"])})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that was measured about a winner beside the search itself.

    Attributes:
        chance: None when nothing but the baseline was scored.
        noise: None when it was not measured.
        unseen: tests on unseen items, in the order in which they were made.
    """

    chance: Chance | None = None
    noise: Noise | None = None
    unseen: tuple[Unseen, ...] = ()

    @property
    def verdict_on_unseen(self) -> Unseen | None:
        """The test that a claim about unseen answers rests on: fresh labels, else the holdout, else the cross-fit.

        Of several tests on fresh labels it is the first: later ones were made in the knowledge of it.
        """
        first = {each.source: each for each in reversed(self.unseen)}
        return first.get("confirm") or first.get("holdout") or first.get("cross_fit")

    def with_unseen(self, test: Unseen) -> Evidence:
        """Return the evidence with one more test on unseen items; one that was made before is not made again."""
        made = any(
            (each.source, each.items, each.where) == (test.source, test.items, test.where) for each in self.unseen
        )
        return self if made else replace(self, unseen=(*self.unseen, test))

    def is_within_noise(self, gain: float) -> bool | None:
        """Whether the judge's own variation explains a gain; None when that is not known."""
        if self.noise is None or self.noise.resolution is None:
            return None
        return gain <= self.noise.resolution + _CLOSE

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON."""
        return {
            "chance": None if self.chance is None else self.chance.to_json(),
            "noise": None if self.noise is None else self.noise.to_json(),
            "unseen": [each.to_json() for each in self.unseen],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> Evidence:
        """Read back what ``to_json`` wrote; nothing gives no evidence."""
        if not data:
            return cls()
        return cls(
            Chance.from_json(data["chance"]) if data["chance"] else None,
            Noise.from_json(data["noise"]) if data["noise"] else None,
            tuple(Unseen.from_json(each) for each in data["unseen"]),
        )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None


def _largest(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return max(known, default=None)
