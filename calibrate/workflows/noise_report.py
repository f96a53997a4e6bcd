"""How far a judge's verdicts vary, from fresh runs or from the repeats in a table, as a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibrate.domain import Json, Scale, Verdict
from calibrate.metrics import NoiseFloor, VoteGain, noise_floor, vote_gain
from calibrate.workflows.results import document

__all__ = ["JudgeNoise", "NoiseReport", "measure_noise"]


@dataclass(frozen=True, slots=True)
class JudgeNoise:
    """One judge's own variation on one dimension.

    Attributes:
        judge: its name.
        dimension: the dimension.
        ids: the items, in the order of the floor's rows.
        floor: flip rate, spread and resolution.
        votes: what majority votes would buy; None on interval scales.
        run: the number of the run that measured it; None for recorded verdicts.
        spent: what the runs cost, as JSON; None for recorded verdicts.
        spent_in_words: the same in words.
    """

    judge: str
    dimension: str
    ids: tuple[str, ...]
    floor: NoiseFloor
    votes: VoteGain | None
    run: int | None = None
    spent: Mapping[str, Json] | None = None
    spent_in_words: str = ""

    @property
    def sentence(self) -> str:
        """What a manager can quote."""
        floor = self.floor
        if floor.resolution.value is None:
            return f"{self.judge} on {self.dimension}: its noise is undefined ({floor.resolution.reason})."
        rate = floor.flip_rate.value or 0.0
        return (
            f"{self.judge} on {self.dimension}: over {floor.k} runs {len(floor.flips)} of {floor.n} items change their "
            f"verdict ({rate:.1%} of pairs of runs differ on an item); differences in alignment up to "
            f"{floor.resolution.value:.2f} are its own noise."
        )

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON; flips carry the item's id."""
        flips: list[Json] = [{**flip.to_json(), "id": self.ids[flip.row]} for flip in self.floor.flips]
        return {
            "sentence": self.sentence,
            "judge": self.judge,
            "dimension": self.dimension,
            "run": self.run,
            **self.floor.to_json(),
            "flips": flips,
            "votes": None if self.votes is None else self.votes.to_json(),
            "spent": None if self.spent is None else dict(self.spent),
        }


@dataclass(frozen=True, slots=True)
class NoiseReport:
    """What repeating showed."""

    results: tuple[JudgeNoise, ...]
    simulated: bool = False

    @property
    def sentence(self) -> str:
        """What a manager can quote."""
        return " ".join(each.sentence for each in self.results)

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        return document(
            "ok",
            sentence=self.sentence,
            simulated=self.simulated,
            noise=[each.to_json() for each in self.results],
        )


def measure_noise(
    judge: str,
    dimension: str,
    ids: Sequence[str],
    human: Sequence[str | None],
    repeats: Sequence[Sequence[Verdict]],
    scale: Scale,
    *,
    seed: int = 0,
) -> JudgeNoise:
    """Measure the noise of a judge from its repeats on the same items."""
    votes = None if scale.kind == "interval" else vote_gain(human, repeats, scale, seed=seed)
    return JudgeNoise(judge, dimension, tuple(ids), noise_floor(human, repeats, scale, seed=seed), votes)
