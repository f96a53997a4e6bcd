"""How far a judge's verdicts vary, from fresh runs or from the repeats in a table, as a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibrate.domain import Json, Scale, Verdict
from calibrate.metrics import Estimate, Flip, NoiseFloor, VoteGain, noise_floor, vote_gain
from calibrate.workflows.results import document
from calibrate.workflows.sentences import counted

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
        who, flips, most = f"{self.judge} on {self.dimension}", len(floor.flips), f"{floor.resolution.value:.2f}"
        if not flips:
            # The resolution is then a bound for flips that were not seen, and nothing that was measured.
            return (
                f"{who}: no verdict changed in {floor.k} runs on {counted(floor.n, 'item')}; so few runs cannot rule "
                f"out differences in alignment up to {most}."
            )
        rate = floor.flip_rate.value or 0.0
        change = "changes its" if flips == 1 else "change their"
        return (
            f"{who}: over {floor.k} runs {flips} of {counted(floor.n, 'item')} {change} verdict ({rate:.1%} of pairs "
            f"of runs differ on an item); differences in alignment up to {most} are its own noise."
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any], ids: Sequence[str], run: int, spent_in_words: str) -> JudgeNoise:
        """Read what :meth:`to_json` wrote; ``ids`` are those of the items in the order of its rows."""
        votes = data["votes"]
        return cls(
            data["judge"],
            data["dimension"],
            tuple(ids),
            _floor(data),
            None if votes is None else _votes(votes),
            run,
            data["spent"],
            spent_in_words,
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


def _floor(data: Mapping[str, Any]) -> NoiseFloor:
    return NoiseFloor(
        k=data["k"],
        n=data["n"],
        flip_rate=Estimate(**data["flip_rate"]),
        flips=tuple(Flip(each["row"], each["labels"], each["unscored"]) for each in data["flips"]),
        alignment=tuple(Estimate(**each) for each in data["alignment"]),
        sd=Estimate(**data["sd"]),
        resolution=Estimate(**data["resolution"]),
        one_flip=Estimate(**data["one_flip"]),
        draws=data["draws"],
    )


def _votes(data: Mapping[str, Any]) -> VoteGain:
    return VoteGain(
        k=data["k"],
        n=data["n"],
        by_votes={int(count): Estimate(**each) for count, each in data["by_votes"].items()},
        adaptive=Estimate(**data["adaptive"]),
        adaptive_calls=Estimate(**data["adaptive_calls"]),
        draws=data["draws"],
    )
