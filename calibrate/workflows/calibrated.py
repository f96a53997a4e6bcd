"""Whether a judge, a pair of prompt and model, was ever calibrated on a dimension: said wherever it is reported.

The rule: a judge is *calibrated* on a dimension when this run database holds one of

1. a finished calibration of that dimension whose winner is this prompt, a rewrite, with this model as its judge;
2. a finished run, of that dimension and this model **on the same golden set**, that started from this prompt (that of
   a baseline or of fresh runs for its noise, candidate 0 of a calibration) and measured it as acceptable: alignment,
   unscored verdicts counted as wrong, of at least 0.70, or of the threshold that the calibration declared, **on at
   least 30 items**. What a judge does on another set says nothing of this one, and fewer items say next to nothing.

A calibration always comes before a measurement: that a prompt was chosen on its items stays true however often it is
measured, and so does a shortfall. Number of items and, of another golden set, its name stand beside the alignment; a
calibration on another set is told, and a judge's card goes on to say that on this set it was never calibrated. A set
that holds all items which a calibration searched on, with the same labels, is no other one: some were held out then, or
labels were added since.

The other candidates of a calibration do not count: their scores helped to choose them. Nor does a prompt that no
rewrite did better than, unless it is acceptable: nothing was calibrated then. Same prompt is same text; same model is
same name and same identity, so that another server or version behind a name is another model. A judge that judges claim
by claim is the same with the same splitter only. Settings (temperature, length) and the label scale are not compared. A
baseline that measures itself as acceptable is calibrated by itself. A calibration whose winner falls short of its
threshold counts, and the shortfall is said.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from calibrate.domain import Json
from calibrate.workflows.ranking import alignment_of

if TYPE_CHECKING:
    from calibrate.store import CandidateRecord, RunRecord, Store

__all__ = ["ACCEPTABLE", "CALIBRATION_UNKNOWN", "LEAST_ITEMS", "Calibrated", "calibrated_by", "calibration_in_words"]

ACCEPTABLE = 0.7
"""The alignment that counts as acceptable where none was declared."""

LEAST_ITEMS = 30
"""Items below which no measurement makes a judge acceptable."""

CALIBRATION_UNKNOWN = "recorded verdicts do not tell prompt and model: not known whether they were ever calibrated"


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What a judge was calibrated by.

    Attributes:
        run: the run, None when there is none: the judge was never calibrated.
        how: ``winner`` of a calibration, or ``measured`` as acceptable.
        alignment: in that run, unscored verdicts counted as wrong.
        acceptable: the threshold of that run.
        n: items that the alignment is of; None when the run does not tell.
        golden_set: the name of the golden set of that run.
        same_set: whether its items are items of the golden set of the run that the judge is reported in.
    """

    run: int | None
    how: Literal["winner", "measured"] | None = None
    alignment: float | None = None
    acceptable: float = ACCEPTABLE
    n: int | None = None
    golden_set: str | None = None
    same_set: bool = True

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
            "n": self.n,
            "golden_set": self.golden_set,
            "same_golden_set": self.same_set,
        }


def calibrated_by(store: Store, run: RunRecord, candidate: CandidateRecord) -> Calibrated:
    """Return what calibrated the judge of a run's candidate, by the rule of this module.

    Calibrations come before measurements, acceptable ones before those that fell short, this golden set before others,
    this run before others, later before earlier.

    Args:
        store: the run database.
        run: a run that the candidate belongs to, finished or not.
        candidate: the judged candidate.
    """
    judge = _model(run)
    found = []
    if run.kind in ("baseline", "noise"):
        found.append((run, _measured(run, candidate)))
    others = (each for each in store.runs() if each.status == "done" and each.dimension == run.dimension)
    for each in others:
        if _model(each) == judge:
            found += [(each, one) for one in _by_run(store, each, candidate.prompt)]
    standing = [
        replace(one, same_set=same)
        for other, one in found
        if one is not None and ((same := other.golden_digest == run.golden_digest) or one.how == "winner")
    ]
    if not standing:
        return Calibrated(None)
    best = max(
        standing,
        key=lambda one: (one.how == "winner", one.acceptable_met, one.same_set, one.run == run.id, one.run or 0),
    )
    of = run if best.run == run.id else store.run(best.run or 0)
    same = best.same_set or _contents(store, of) <= _contents(store, run)
    return replace(best, golden_set=store.golden_origin(of.golden_digest)[0], same_set=same)


def calibration_in_words(calibrated: Calibrated, dimension: str, *, judge: str = "") -> str:
    """Say what calibrated a judge, or that nothing did; ``judge`` is its model, since code has no prompt."""
    who = "this judge (code)" if judge.startswith(("py:", "exec:")) else "this judge (prompt and model)"
    if calibrated.run is None:
        return f"{who} was never calibrated on {dimension}"
    value = "undefined" if calibrated.alignment is None else f"{calibrated.alignment:.2f}"
    elsewhere = "" if calibrated.same_set else f", golden set {calibrated.golden_set}"
    size = "" if calibrated.n is None else f" (n = {calibrated.n}{elsewhere})"
    if calibrated.how == "measured":
        return f"{who} was measured on {dimension} by run {calibrated.run}: acceptable, alignment {value}{size}"
    short = "" if calibrated.acceptable_met else f", which is below the acceptable {calibrated.acceptable:.2f}"
    where = f"on the items that run searched on{size}"
    return f"{who} was calibrated on {dimension} by run {calibrated.run}, alignment {value} {where}{short}"


def _contents(store: Store, run: RunRecord) -> frozenset[tuple[object, str | None]]:
    """Return what a run's judge is measured on: inputs and label of each labelled item."""
    items = store.golden(run.golden_digest).labelled
    return frozenset((tuple(sorted(item.inputs.items())), item.label) for item in items)


def _model(run: RunRecord) -> tuple[Json, Json, Json]:
    judge = run.spec["judge"]
    return judge["model"], judge.get("identity"), judge.get("splitter")


def _by_run(store: Store, run: RunRecord, prompt: str) -> list[Calibrated | None]:
    """Return what a finished run says about a prompt: as its winner, and as the one it started from."""
    same = [each for each in store.candidates(run.id) if each.prompt == prompt and each.status == "scored"]
    winner = (run.result or {}).get("winner")
    found: list[Calibrated | None] = [_measured(run, each) for each in same if each.number == 0]
    if run.kind == "optimize":
        won = [each for each in same if each.number and each.number == winner]
        found += [_standing(run, each, "winner") for each in won]
    return found


def _measured(run: RunRecord, candidate: CandidateRecord) -> Calibrated | None:
    found = _standing(run, candidate, "measured")
    return found if found.acceptable_met and (found.n or 0) >= LEAST_ITEMS else None


def _standing(run: RunRecord, candidate: CandidateRecord, how: Literal["winner", "measured"]) -> Calibrated:
    n = (candidate.metrics or {}).get("n")
    return Calibrated(run.id, how, alignment_of(run, candidate), _threshold(run), n)


def _threshold(run: RunRecord) -> float:
    return float(run.spec.get("acceptable", ACCEPTABLE))
