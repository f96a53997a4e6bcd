"""What comparing judges comes to: every judge with its figures and its cost, side by side on the same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from calibrate.domain import Json, Verdict
from calibrate.metrics import Alignment, Automation, Beside, Estimate, Family
from calibrate.workflows.results import JudgeAlignment, Status, document
from calibrate.workflows.verdict_costs import Toll

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Compared", "ComparedSet", "Gain", "Kind", "Standings", "by_cost"]

Kind = Literal["judge", "jury", "cascade"]


@dataclass(frozen=True, slots=True)
class Compared:
    """A judge, or what is made of several judges' verdicts.

    Attributes:
        result: its alignment; ``result.judge`` is its name in the comparison.
        kind: a judge that was asked, a jury, or a cascade.
        how: its prompt, or the rule by which it decides, in words.
        verdicts: by item id.
        toll: what a verdict takes.
        run: the run that holds its verdicts; None for juries and cascades.
        origin: the candidate that its prompt is, ``RUN:CANDIDATE``; None for any other prompt.
        returned: the models that answered, as the provider names them.
        details: further facts by name, as JSON.
        automation: what it may decide alone, where it tells its confidence; else None.
    """

    result: JudgeAlignment
    kind: Kind
    how: str
    verdicts: Mapping[str, Verdict]
    toll: Toll
    run: int | None = None
    origin: str | None = None
    returned: tuple[str, ...] = ()
    details: Mapping[str, Json] = field(default_factory=dict)
    automation: Automation | None = None

    @property
    def name(self) -> str:
        """What tells it from the others."""
        return self.result.judge

    @property
    def alignment(self) -> Alignment:
        """The alignment suite."""
        return self.result.alignment

    @property
    def ranked(self) -> Estimate:
        """The alignment that it is compared and ranked by: unscored verdicts count as wrong."""
        return (self.alignment.wrong or self.alignment).alignment

    @property
    def score(self) -> float | None:
        """The same without its interval."""
        return self.ranked.value

    @property
    def beats_constant(self) -> bool:
        """Whether its alignment is higher than that of a judge that always says the same."""
        constant = self.alignment.reference.constant
        return self.score is not None and (constant is None or self.score > constant)

    @property
    def cost(self) -> float | None:
        """US dollars a verdict, call by call; None when unknown."""
        return self.toll.cost.live


@dataclass(frozen=True, slots=True)
class Gain:
    """What calibrating a judge again buys over the prompt that it was given.

    Attributes:
        model: the judge's model.
        transferred: the name of the judge with the given prompt.
        recalibrated: the name of the judge with its own; None when none did better.
        run: the calibration.
    """

    model: str
    transferred: str
    recalibrated: str | None
    run: int

    def to_json(self) -> dict[str, Json]:
        """Return the fields as JSON."""
        return {
            "model": self.model,
            "transferred": self.transferred,
            "recalibrated": self.recalibrated,
            "run": self.run,
        }


@dataclass(frozen=True, slots=True)
class Standings:
    """The judges of one dimension, compared.

    Attributes:
        dimension: the dimension.
        n: items that all of them judged.
        sentence: which judge to take, or that these data cannot tell.
        compared: the judges in the order asked for, then juries and cascades.
        family: the differences of the judges, all pairs; juries and cascades are no part of it, nor are judges that
            leave too many items without a verdict, unless all do.
        best: the judge of the highest alignment, of equals the cheapest; None when all leave too many items open.
        beside: how each of the others stands beside the best judge, by name.
        front: the names of those that no other one beats at the same or a lower cost.
        choice: the judge to take: the cheapest of those that are shown to be as good as the best, else the best; None
            when there is no best or what it costs is unknown.
        gains: what calibrating again bought, for each judge that was.
        notes: what should be known beside the figures.
    """

    dimension: str
    n: int
    sentence: str
    compared: tuple[Compared, ...]
    family: Family
    best: str | None
    beside: Mapping[str, Beside]
    front: tuple[str, ...]
    choice: str | None
    gains: tuple[Gain, ...] = ()
    notes: tuple[str, ...] = ()

    def of(self, name: str) -> Compared:
        """Return one of them by name."""
        return next(each for each in self.compared if each.name == name)

    def results_json(self, volume: int | None) -> list[dict[str, Json]]:
        """Return the entries of the ``results`` list."""
        return [
            {
                **each.result.to_json(),
                "kind": each.kind,
                "how": each.how,
                "run": each.run,
                "prompt_from": each.origin,
                "models_returned": list(each.returned),
                **each.toll.to_json(volume),
                "on_front": each.name in self.front,
                "choice": each.name == self.choice,
                "best": each.name == self.best,
                "beside_best": self.beside[each.name].to_json() if each.name in self.beside else None,
                **each.details,
                "automation": None if each.automation is None else each.automation.to_json(),
            }
            for each in self.compared
        ]

    def to_json(self) -> dict[str, Json]:
        """Return everything but the judges themselves as JSON."""
        return {
            "dimension": self.dimension,
            "n": self.n,
            "sentence": self.sentence,
            "best": self.best,
            "front": list(self.front),
            "choice": self.choice,
            "family": self.family.to_json(),
            "recalibrated": [each.to_json() for each in self.gains],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class ComparedSet:
    """Judges compared on a golden set.

    Attributes:
        each: by dimension.
        failed: why judges could not be had, by their names; they are no part of the comparison.
        volume: verdicts a day that costs are told for; None for none.
        status: ``ok``, or what was missed.
        notes: what was found or left out in reading the set.
        simulated: whether a simulated model had a part in it.
        paid: what the runs behind it have paid for, earlier ones too, as JSON.
        paid_in_words: the same for a person.
    """

    each: tuple[Standings, ...]
    failed: Mapping[str, str] = field(default_factory=dict)
    volume: int | None = None
    status: Status = "ok"
    notes: tuple[str, ...] = ()
    simulated: bool = False
    paid: Mapping[str, Json] = field(default_factory=dict)
    paid_in_words: str = ""

    @property
    def sentence(self) -> str:
        """What may be said, of each dimension by its name where there are several."""
        said = [each.sentence for each in self.each]
        if len(said) > 1:
            said = [f"{each.dimension[:1].upper()}{each.dimension[1:]}: {each.sentence}" for each in self.each]
        return " ".join([*said, *(f"{name} failed: {why}." for name, why in self.failed.items())])

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document: all judges in ``results``, the rest by dimension under ``comparisons``."""
        return document(
            self.status,
            results=[entry for each in self.each for entry in each.results_json(self.volume)],
            sentence=self.sentence,
            comparisons=[each.to_json() for each in self.each],
            failed=dict(self.failed),
            volume=self.volume,
            simulated=self.simulated,
            spent=dict(self.paid),
            notes=list(self.notes),
        )

    def frame(self) -> pd.DataFrame:
        """Return one row for each judge and dimension: figures, cost, time, and whether it is on the front."""
        from calibrate.workflows.results import frame

        found = frame([each.result for standings in self.each for each in standings.compared])
        rows = [(standings, each) for standings in self.each for each in standings.compared]
        found["kind"] = [each.kind for _, each in rows]
        found["cost_per_verdict"] = [each.cost for _, each in rows]
        found["median_seconds"] = [each.toll.median_seconds for _, each in rows]
        found["p95_seconds"] = [each.toll.p95_seconds for _, each in rows]
        found["on_front"] = [each.name in standings.front for standings, each in rows]
        return found


def by_cost(compared: Sequence[Compared]) -> list[Compared]:
    """Return them with the cheapest first, and those of unknown cost last."""
    return sorted(compared, key=lambda each: (each.cost is None, each.cost or 0.0))
