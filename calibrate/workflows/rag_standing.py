"""What is known of a judge that gives figures of a RAG system: its own alignment with experts, and how far it varies.

A figure is no better than its judge. The judge is looked up by what it is: prompt, model with its identity, and task.
One that gives verdicts must have been measured on the dimension that it judges, or be taken from that run; a step of
judging claim by claim is the same step whatever the dimension of its set is called. Calibrated is the winner of a
finished calibration; other candidates, which it did not choose, and the prompt that it started from are measured at
most. A bundle brings the alignment that it was exported with.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from calibrate.domain import Json, digest
from calibrate.store import RunRecord, Store
from calibrate.workflows.bundles import Bundle
from calibrate.workflows.calibrated import ACCEPTABLE, LEAST_ITEMS

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

    @property
    def measured(self) -> bool:
        """Whether it was ever held against experts."""
        return bool(self.source)

    @property
    def sentence(self) -> str:
        """What stands beside every figure that it gives."""
        who = f"{self.role} ({self.judge})"
        if not self.measured:
            return f"{who} was never calibrated on such data: how far its figures can be trusted is unknown"
        value = "undefined" if self.alignment is None else f"{self.alignment:.2f}"
        if self.low is not None and self.high is not None:
            value += f" [{self.low:.2f}, {self.high:.2f}]"
        size = "" if self.n is None else f", n = {self.n}"
        how = "calibrated" if self.calibrated else "measured, not calibrated"
        chosen = ", the items that it was chosen on" if self.chosen_on_these else ""
        where = f"{self.golden_set or 'a set of unknown name'}{size}{chosen}"
        said = f"{who}: {how}, alignment {value} on {where} ({self.source})"
        noise = "noise not measured" if self.flip_rate is None else f"{self.flip_rate:.1%} of its verdicts flip"
        weak = "" if self.alignment is not None and self.alignment >= ACCEPTABLE else f", below {ACCEPTABLE:.2f}"
        few = f", on fewer than {LEAST_ITEMS} items" if self.n is not None and self.n < LEAST_ITEMS else ""
        return f"{said}{weak}{few}; {noise}"

    def floor(self, verdicts: float) -> float | None:
        """Return the largest difference of two means of a variant's verdicts that the judge's flips explain, at 95 %.

        Verdicts that flip with probability f between two askings have a variance of f/2 each (f = 2p(1 - p)); the mean
        of N of them one of f/2N, and the difference of two such means one of f/N. The floor is 1.96 * sqrt(f / N), in
        the unit of the mean of verdicts that count 0 or 1. None when the noise was not measured, and for similarities
        and counts of claims, which are no such verdicts.
        """
        if self.flip_rate is None or verdicts <= 0 or self.role in ("answer_relevancy", "claims"):
            return None
        return 1.96 * math.sqrt(self.flip_rate / verdicts)

    def to_json(self) -> dict[str, Json]:
        """Return everything that is known, with the sentence."""
        named: dict[str, Json] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**named, "measured": self.measured, "sentence": self.sentence}


def standing_of(
    store: Store | None,
    role: str,
    prompt: str,
    judge: Mapping[str, Any],
    *,
    bundle: Bundle | None = None,
    reference: str = "",
) -> Standing:
    """Return what is known of a judge.

    Args:
        store: the run database; None when there is none yet.
        role: the dimension that it judges.
        prompt: its prompt.
        judge: its record, as runs keep it (`judge_record`).
        bundle: the bundle that it comes from; its own alignment goes before one of another judge of the database.
        reference: the run and candidate that it was taken from, ``RUN:CANDIDATE``.
    """
    model = str(judge["model"])
    found = None if store is None else _in(store, role, prompt, judge, reference)
    of = {role} if bundle is None else {role, bundle.exported.dimension}
    if store is not None and reference:
        of.add(store.run(int(reference.partition(":")[0])).dimension)
    flips = None if store is None else _flip_rate(store, of, prompt, judge)
    if bundle is not None and (found is None or not found.measured):
        found = _of_bundle(bundle, role, model)
    found = found or Standing(role, model)
    return found if flips is None else replace(found, flip_rate=flips)


def _of_bundle(bundle: Bundle, role: str, model: str) -> Standing:
    metrics, told = bundle.exported.metrics, bundle.exported.provenance
    run = str(told.get("run") or "")
    by = metrics.get("calibrated")
    chosen = isinstance(by, Mapping) and by.get("how") == "winner"
    return Standing(
        role,
        model,
        **_figures(metrics),
        n=_count(told.get("n")),
        golden_set=str(told.get("golden_set") or ""),
        source=f"{bundle.path}, run {run}" if run else bundle.path,
        calibrated=chosen,
        chosen_on_these=chosen and isinstance(by, Mapping) and str(by.get("run")) == run.partition(":")[0],
    )


def _in(store: Store, role: str, prompt: str, judge: Mapping[str, Any], reference: str) -> Standing | None:
    """Return the latest measurement of a judge: the run that it was taken from, else one on its dimension."""
    found = None
    for run in store.runs():
        if run.kind not in ("baseline", "optimize", "noise") or not _same(run.spec["judge"], judge):
            continue
        named = reference.partition(":")[0] == str(run.id)
        if not named and not _is_about(run, {role}):
            continue
        for candidate in store.candidates(run.id):
            if candidate.prompt != prompt or candidate.status != "scored":
                continue
            won = run.kind == "optimize" and candidate.number > 0 and candidate.number == _winner(run)
            standing = Standing(
                role,
                str(judge["model"]),
                **_figures(candidate.metrics or {}),
                n=_count((candidate.metrics or {}).get("n")),
                golden_set=store.golden_origin(run.golden_digest)[0],
                source=f"run {run.id}:{candidate.number}",
                calibrated=won or (found is not None and found.calibrated),
                chosen_on_these=won,
            )
            if named:
                return standing
            found = standing
    return found


def _winner(run: RunRecord) -> int | None:
    winner: int | None = (run.result or {}).get("winner") if run.status == "done" else None
    return winner


def _is_about(run: RunRecord, dimensions: set[str]) -> bool:
    return run.dimension in dimensions or _task(run.spec["judge"]) != "verdict"


def _task(judge: Mapping[str, Any]) -> str:
    return str((judge.get("settings") or {}).get("task", "verdict"))


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return (
        one.get("model") == other.get("model")
        and one.get("identity") == other.get("identity")
        and _task(one) == _task(other)
        and one.get("splitter") == other.get("splitter")
    )


def _flip_rate(store: Store, of: set[str], prompt: str, judge: Mapping[str, Any]) -> float | None:
    """Return the share of flips that the latest run of the judge's noise found, or the search that chose its prompt."""
    found = None
    for run in store.runs():
        if run.result is None or not _same(run.spec["judge"], judge) or not _is_about(run, of):
            continue
        told = _noise(run, digest(prompt), prompt, store)
        found = found if told is None else told
    return found


def _noise(run: RunRecord, prompt_digest: str, prompt: str, store: Store) -> float | None:
    result = run.result or {}
    if run.kind == "noise" and run.spec.get("prompt") == prompt_digest:
        rate = ((result.get("noise") or {}).get("flip_rate") or {}).get("value")
        return None if rate is None else float(rate)
    if run.kind == "optimize" and (noise := (result.get("evidence") or {}).get("noise")):
        winner = next((each for each in store.candidates(run.id) if each.number == result.get("winner")), None)
        if winner is not None and winner.prompt == prompt and noise.get("flip_rate") is not None:
            return float(noise["flip_rate"])
    return None


def _figures(metrics: Mapping[str, Any]) -> dict[str, Any]:
    alignment = metrics.get("alignment") or {}
    return {"alignment": alignment.get("value"), "low": alignment.get("low"), "high": alignment.get("high")}


def _count(value: object) -> int | None:
    return value if isinstance(value, int) else None
