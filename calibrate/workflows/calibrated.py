"""Whether a judge, a pair of prompt and model, was ever calibrated on a dimension: said wherever it is reported.

The rule: a judge is *calibrated* on a dimension when this run database holds one of

1. a finished calibration of that dimension whose winner is this prompt, a rewrite, with this model as its judge;
2. a finished run, of that dimension and this model, that started from this prompt (that of a baseline or of fresh runs
   for its noise, candidate 0 of a calibration) and measured it as acceptable on a golden set: alignment, unscored
   verdicts counted as wrong, of at least 0.70, or of the threshold that the calibration declared.

The other candidates of a calibration do not count: their scores helped to choose them. Nor does a prompt that no
rewrite did better than, unless it is acceptable: nothing was calibrated then. Same prompt is same text; same model is
same name and same identity, so that another server or version behind a name is another model. Settings (temperature,
length) and the label scale are not compared. A baseline that measures itself as acceptable is calibrated by itself. A
calibration whose winner falls short of its threshold counts, and the shortfall is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from calibrate.domain import Json
from calibrate.workflows.ranking import alignment_of

if TYPE_CHECKING:
    from calibrate.store import CandidateRecord, RunRecord, Store

__all__ = ["ACCEPTABLE", "CALIBRATION_UNKNOWN", "Calibrated", "calibrated_by", "calibration_in_words"]

ACCEPTABLE = 0.7
"""The alignment that counts as acceptable where none was declared."""

CALIBRATION_UNKNOWN = "recorded verdicts do not tell prompt and model: not known whether they were ever calibrated"


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What a judge was calibrated by.

    Attributes:
        run: the run, None when there is none: the judge was never calibrated.
        how: ``winner`` of a calibration, or ``measured`` as acceptable.
        alignment: in that run, unscored verdicts counted as wrong.
        acceptable: the threshold of that run.
    """

    run: int | None
    how: Literal["winner", "measured"] | None = None
    alignment: float | None = None
    acceptable: float = ACCEPTABLE

    @property
    def acceptable_met(self) -> bool:
        """Whether the alignment reaches the threshold."""
        return self.alignment is not None and self.alignment >= self.acceptable

    def to_json(self) -> Json:
        """Return False, or the run and what it found."""
        if self.run is None:
            return False
        return {
            "run": self.run,
            "how": self.how,
            "alignment": self.alignment,
            "acceptable": self.acceptable,
            "acceptable_met": self.acceptable_met,
        }


def calibrated_by(store: Store, run: RunRecord, candidate: CandidateRecord) -> Calibrated:
    """Return what calibrated the judge of a run's candidate, by the rule of this module.

    Acceptable ones come before winners that fell short. Of acceptable ones a winner comes first: that it was chosen on
    its items stays true however often it is measured on them again. Then this run before others, later before earlier.

    Args:
        store: the run database.
        run: a run that the candidate belongs to, finished or not.
        candidate: the judged candidate.
    """
    judge = _model(run)
    found = []
    if run.kind in ("baseline", "noise"):
        found.append(_measured(run, candidate))
    others = (each for each in store.runs() if each.status == "done" and each.dimension == run.dimension)
    for each in others:
        if _model(each) == judge:
            found += _by_run(store, each, candidate.prompt)
    standing = [each for each in found if each is not None]
    if not standing:
        return Calibrated(None)
    return max(
        standing, key=lambda each: (each.acceptable_met, each.how == "winner", each.run == run.id, each.run or 0)
    )


def calibration_in_words(calibrated: Calibrated, dimension: str, *, judge: str = "") -> str:
    """Say what calibrated a judge, or that nothing did; ``judge`` is its model, since code has no prompt."""
    who = "this judge (code)" if judge.startswith(("py:", "exec:")) else "this judge (prompt and model)"
    if calibrated.run is None:
        return f"{who} was never calibrated on {dimension}"
    value = "undefined" if calibrated.alignment is None else f"{calibrated.alignment:.2f}"
    if calibrated.how == "measured":
        return f"{who} was measured on {dimension} by run {calibrated.run}: acceptable, alignment {value}"
    short = "" if calibrated.acceptable_met else f", which is below the acceptable {calibrated.acceptable:.2f}"
    where = "on the items that run searched on"
    return f"{who} was calibrated on {dimension} by run {calibrated.run}, alignment {value} {where}{short}"


def _model(run: RunRecord) -> tuple[Json, Json]:
    judge = run.spec["judge"]
    return judge["model"], judge.get("identity")


def _by_run(store: Store, run: RunRecord, prompt: str) -> list[Calibrated | None]:
    """Return what a finished run says about a prompt: as its winner, and as the one it started from."""
    same = [each for each in store.candidates(run.id) if each.prompt == prompt and each.status == "scored"]
    winner = (run.result or {}).get("winner")
    found: list[Calibrated | None] = [_measured(run, each) for each in same if each.number == 0]
    if run.kind == "optimize":
        won = [each for each in same if each.number and each.number == winner]
        found += [Calibrated(run.id, "winner", alignment_of(run, each), _threshold(run)) for each in won]
    return found


def _measured(run: RunRecord, candidate: CandidateRecord) -> Calibrated | None:
    found = Calibrated(run.id, "measured", alignment_of(run, candidate), _threshold(run))
    return found if found.acceptable_met else None


def _threshold(run: RunRecord) -> float:
    return float(run.spec.get("acceptable", ACCEPTABLE))
