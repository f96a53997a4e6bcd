"""What is known of a judge that gives figures of a RAG system: its own alignment with experts, and how far it varies.

A figure is no better than its judge. The judge is looked up by what it is: prompt, and all that decides a verdict
(:mod:`calibrate.workflows.rag_same_judge`). One that gives verdicts must have been measured on the dimension that it
judges; a step of judging claim by claim is the same step whatever the dimension of its set is called. A run or a bundle
of another dimension, or of another language than the bank's, that is named all the same is told with its figures, and
proves nothing here. Calibrated is the winner of a finished calibration; other candidates, which it did not choose, and
the prompt that it started from are measured at most. A bundle brings the alignment that it was exported with.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from calibrate.domain import GoldenSet, Json, Scale, digest
from calibrate.store import CandidateRecord, RunRecord, Store
from calibrate.workflows.bundles import Bundle
from calibrate.workflows.calibrated import ACCEPTABLE, LEAST_ITEMS
from calibrate.workflows.rag_judge_errors import JudgeErrors, errors_in_words, errors_of
from calibrate.workflows.rag_same_judge import primary_language, same_judge, same_name, same_scale, task_of

__all__ = ["Standing", "standing_of"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A judge's own alignment and noise.

    Attributes:
        role: what it judges.
        judge: its model.
        alignment: with the experts, unscored verdicts left out; None when it was never measured, or is undefined.
        low: lower end of its 95 % interval.
        high: upper end.
        n: items that it was measured on.
        golden_set: whose labels these were.
        source: ``run 3:2`` or the bundle's file; empty when it was never measured.
        calibrated: whether a calibration chose its prompt.
        chosen_on_these: whether it chose it on the very items that the alignment is of, which flatters.
        flip_rate: share of the verdicts that change when it is asked again; None when its noise was not measured.
        elsewhere: whether it was measured on another dimension, or in another language, so that its alignment proves
            nothing here.
        flips_elsewhere: whether its noise was measured there only, so that it gives no floor here.
        errors: how often it errs either way; None for roles without two sides, and where it was measured elsewhere.
        remarks: what else has to be known before the alignment is believed.
    """

    role: str
    judge: str
    alignment: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    golden_set: str = ""
    source: str = ""
    calibrated: bool = False
    chosen_on_these: bool = False
    flip_rate: float | None = None
    elsewhere: bool = False
    flips_elsewhere: bool = False
    errors: JudgeErrors | None = None
    remarks: tuple[str, ...] = ()

    @property
    def measured(self) -> bool:
        """Whether it was held against experts on such data: those of its role, in the bank's language."""
        return bool(self.source) and not self.elsewhere

    @property
    def sentence(self) -> str:
        """What stands beside every figure that it gives."""
        who = f"{self.role} ({self.judge})"
        if not self.source:
            never = f"{who} was never calibrated on such data: how far its figures can be trusted is unknown"
            return "; ".join((never, *self.remarks))
        value = "undefined" if self.alignment is None else f"{self.alignment:.2f}"
        if self.low is not None and self.high is not None:
            value += f" [{self.low:.2f}, {self.high:.2f}]"
        size = "" if self.n is None else f", n = {self.n}"
        how = "calibrated" if self.calibrated else "measured, not calibrated"
        chosen = ", the items that it was chosen on" if self.chosen_on_these else ""
        where = f"{self.golden_set or 'a set of unknown name'}{size}{chosen}"
        said = f"{who}: {how}, alignment {value} on {where} ({self.source})"
        weak = "" if self.alignment is not None and self.alignment >= ACCEPTABLE else f", below {ACCEPTABLE:.2f}"
        few = f", on fewer than {LEAST_ITEMS} items" if self.n is not None and self.n < LEAST_ITEMS else ""
        erring = () if self.errors is None else (errors_in_words(self.role, self.errors),)
        there = " there" if self.flips_elsewhere else ""
        noise = "noise not measured" if self.flip_rate is None else f"{self.flip_rate:.1%} of its verdicts flip{there}"
        return "; ".join((f"{said}{weak}{few}", *erring, *self.remarks, noise))

    def floor(self, verdicts: float) -> float | None:
        """Return the largest difference of two means of a variant's verdicts that the judge's flips explain, at 95 %.

        Verdicts that flip with probability f between two askings have a variance of f/2 each (f = 2p(1 - p)); the mean
        of N of them one of f/2N, and the difference of two such means one of f/N. The floor is 1.96 * sqrt(f / N), in
        the unit of the mean of verdicts that count 0 or 1. None when the noise was not measured on such data, and for
        similarities and counts of claims, which are no such verdicts.
        """
        if self.flip_rate is None or self.flips_elsewhere or verdicts <= 0:
            return None
        return None if self.role in ("answer_relevancy", "claims") else 1.96 * math.sqrt(self.flip_rate / verdicts)

    def to_json(self) -> dict[str, Json]:
        """Return everything that is known, with the sentence."""
        named: dict[str, Json] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {
            **named,
            "errors": None if self.errors is None else self.errors.to_json(),
            "remarks": list(self.remarks),
            "measured": self.measured,
            "sentence": self.sentence,
        }


def standing_of(
    store: Store | None,
    role: str,
    prompt: str,
    judge: Mapping[str, Any],
    *,
    scale: Scale | None = None,
    language: str = "",
    together: bool = False,
    bundle: Bundle | None = None,
    reference: str = "",
) -> Standing:
    """Return what is known of a judge.

    Args:
        store: the run database; None when there is none yet.
        role: the dimension that it judges.
        prompt: its prompt.
        judge: its record, as runs keep it (`judge_record`).
        scale: its labels; None does not ask whether it was measured with the same.
        language: of the bank, BCP 47; empty does not ask whether it was measured in the same.
        together: whether all claims of an answer are verified in one call.
        bundle: the bundle that it comes from; its own alignment goes before one of another judge of the database.
        reference: the run and candidate that it was taken from, ``RUN:CANDIDATE``.
    """
    here = _Here(role, prompt, judge, scale, language, together)
    look = None if store is None else _Look(store, here)
    found = None if look is None else _in(look, reference)
    if bundle is not None and (found is None or not found.measured):
        found = _of_bundle(bundle, here)
    found = found or Standing(role, here.model)
    if store is None or look is None:
        return found
    of = {role} if bundle is None else {role, bundle.exported.dimension}
    if reference:
        run = store.run(int(reference.partition(":")[0]))
        of.add(run.dimension)
        if run.spec["judge"].get("identity") != judge.get("identity"):
            found = replace(found, remarks=(*found.remarks, f"run {run.id} was another model behind this name"))
    flips = _flip_rate(look, of)
    return found if flips is None else replace(found, flip_rate=flips[0], flips_elsewhere=flips[1])


@dataclass(frozen=True, slots=True)
class _Here:
    """A judge as it is asked in the evaluation."""

    role: str
    prompt: str
    judge: Mapping[str, Any]
    scale: Scale | None
    language: str
    together: bool

    @property
    def model(self) -> str:
        return str(self.judge["model"])

    def is_of(self, dimension: str) -> bool:
        return same_name(dimension, self.role) or task_of(self.judge) != "verdict"

    def strange(self, dimension: str, *languages: str) -> tuple[str, ...]:
        """Say why what was measured on a dimension, in some languages, proves nothing here; nothing where it does."""
        said = () if self.is_of(dimension) else (f"measured on {dimension}: unproven for {self.role}",)
        other = [each for each in languages if primary_language(each) != primary_language(self.language)]
        if not self.language or not other:
            return said
        return (*said, f"measured in {other[0]}, and this bank is in {self.language}: unproven here")

    def remarks(self, *, one_claim: bool) -> tuple[str, ...]:
        if self.role != "claim_support" or not self.together or not one_claim:
            return ()
        return ("measured one claim a call, here all claims of an answer in one call",)

    def measured(self, dimension: str, metrics: Mapping[str, Any]) -> dict[str, Any]:
        alignment = metrics.get("alignment") or {}
        errors = errors_of(self.role, metrics) if self.is_of(dimension) else None
        ends = {name: alignment.get(name) for name in ("low", "high")}
        return {"alignment": alignment.get("value"), **ends, "errors": errors}


@dataclass(frozen=True, slots=True)
class _Look:
    """The runs of a database in which the judge was asked."""

    store: Store
    here: _Here
    sets: dict[str, GoldenSet] = field(default_factory=dict)

    def runs(self, dimensions: set[str], reference: str = "") -> Iterator[RunRecord]:
        """Yield the runs of the same judge on some dimensions, or of the one that is named."""
        named = reference.partition(":")[0]
        for run in self.store.runs():
            about = str(run.id) == named or self.here.is_of(run.dimension) or run.dimension in dimensions
            if (
                run.kind in ("baseline", "optimize", "noise")
                and about
                and same_judge(run.spec["judge"], self.here.judge)
            ):
                yield run

    def golden(self, run: RunRecord) -> GoldenSet:
        if run.golden_digest not in self.sets:
            self.sets[run.golden_digest] = self.store.golden(run.golden_digest)
        return self.sets[run.golden_digest]

    def same_labels(self, run: RunRecord) -> bool:
        there = self.golden(run).scales[run.dimension]
        return self.here.scale is None or same_scale(task_of(self.here.judge), there, self.here.scale)

    def strange(self, run: RunRecord) -> tuple[str, ...]:
        asked_in = (self.here.judge.get("settings") or {}).get("language", "en")
        return self.here.strange(run.dimension, self.golden(run).language, asked_in)

    def standing(self, run: RunRecord, candidate: CandidateRecord) -> Standing:
        metrics, strange = candidate.metrics or {}, self.strange(run)
        won = run.kind == "optimize" and candidate.number > 0 and candidate.number == _winner(run)
        claims = (item.inputs.get("claim", "") for item in self.golden(run).items)
        one_claim = all(isinstance(claim, str) or len(claim) == 1 for claim in claims)
        return Standing(
            self.here.role,
            self.here.model,
            **self.here.measured(run.dimension, metrics),
            n=_count(metrics.get("n")),
            golden_set=self.golden(run).name,
            source=f"run {run.id}:{candidate.number}",
            calibrated=won,
            chosen_on_these=won,
            elsewhere=bool(strange),
            remarks=(*strange, *self.here.remarks(one_claim=one_claim)),
        )


def _of_bundle(bundle: Bundle, here: _Here) -> Standing:
    exported, told = bundle.exported, bundle.exported.provenance
    run = str(told.get("run") or "")
    by = exported.metrics.get("calibrated")
    chosen = isinstance(by, Mapping) and by.get("how") == "winner"
    strange = here.strange(exported.dimension, exported.settings.language)
    return Standing(
        here.role,
        here.model,
        **here.measured(exported.dimension, exported.metrics),
        n=_count(told.get("n")),
        golden_set=str(told.get("golden_set") or ""),
        source=f"{bundle.path}, run {run}" if run else bundle.path,
        calibrated=chosen,
        chosen_on_these=chosen and isinstance(by, Mapping) and str(by.get("run")) == run.partition(":")[0],
        elsewhere=bool(strange),
        # A bundle does not tell what its items were like; sets of claims have one in each.
        remarks=(*strange, *here.remarks(one_claim=True)),
    )


def _in(look: _Look, reference: str) -> Standing | None:
    """Return the run that a judge was taken from, else the latest measurement of it: of such data, if there is one."""
    named, latest = None, dict[bool, Standing]()
    for run in look.runs({look.here.role}, reference):
        if not look.same_labels(run):
            continue
        for candidate in look.store.candidates(run.id):
            if candidate.prompt != look.here.prompt or candidate.status != "scored":
                continue
            found = look.standing(run, candidate)
            before = latest.get(found.elsewhere)
            found = replace(found, calibrated=found.calibrated or (before is not None and before.calibrated))
            latest[found.elsewhere] = found
            if named is None and reference.partition(":")[0] == str(run.id):
                named = found
    if named is not None and not named.elsewhere:
        return named
    return latest.get(False) or named or latest.get(True)


def _winner(run: RunRecord) -> int | None:
    winner: int | None = (run.result or {}).get("winner") if run.status == "done" else None
    return winner


def _flip_rate(look: _Look, of: set[str]) -> tuple[float, bool] | None:
    """Return the share of flips that the latest run of the judge's noise found, or the search that chose its prompt.

    The second is whether that was elsewhere, since nothing was measured of such data.
    """
    latest = dict[bool, float]()
    for run in look.runs(of):
        told = _noise(run, look.here.prompt, look.store)
        if told is not None and look.same_labels(run):
            latest[bool(look.strange(run))] = told
    return next(((latest[elsewhere], elsewhere) for elsewhere in (False, True) if elsewhere in latest), None)


def _noise(run: RunRecord, prompt: str, store: Store) -> float | None:
    result = run.result or {}
    if run.kind == "noise" and run.spec.get("prompt") == digest(prompt):
        rate = ((result.get("noise") or {}).get("flip_rate") or {}).get("value")
        return None if rate is None else float(rate)
    if run.kind == "optimize" and (noise := (result.get("evidence") or {}).get("noise")):
        winner = next((each for each in store.candidates(run.id) if each.number == result.get("winner")), None)
        if winner is not None and winner.prompt == prompt and noise.get("flip_rate") is not None:
            return float(noise["flip_rate"])
    return None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) else None
