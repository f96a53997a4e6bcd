"""Reading what was done: the list of runs, one run or candidate in full, and the difference of two prompts."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calibrate.domain import Item, Json, Scored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import Comparison, Probe
from calibrate.store import Store
from calibrate.workflows.calibration import Calibration, calibration
from calibrate.workflows.checklist import Fact, checklist, checklist_json
from calibrate.workflows.noise_report import JudgeNoise
from calibrate.workflows.rag_report import RagReport
from calibrate.workflows.rag_stored import rag_report_of, rag_run_in_words, refuse_rag_run
from calibrate.workflows.ranking import alignment_of
from calibrate.workflows.record import spending_in_words, spent
from calibrate.workflows.results import JudgeAlignment, document
from calibrate.workflows.sentences import counted, figure, judge_sentence, signed
from calibrate.workflows.splitter import judge_name
from calibrate.workflows.stored import Chosen, StoredRun, choose, compare_chosen, load_run, parse_reference, slices_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Difference", "RunDescription", "RunList", "compare_runs", "describe", "list_runs"]


@dataclass(frozen=True, slots=True)
class RunList:
    """All runs of a database, the oldest first."""

    runs: tuple[StoredRun, ...]

    @staticmethod
    def scores(stored: StoredRun) -> tuple[float | None, float | None]:
        """Return the alignment of a run's first prompt and of its best one."""
        by_number = {
            each.number: alignment_of(stored.run, each) if (each.metrics or {}).get("scored") else None
            for each in stored.candidates
        }
        return by_number.get(0), None if stored.winner is None else by_number[stored.winner]

    @staticmethod
    def size(stored: StoredRun) -> int:
        """Return how many items a run judges: those with a label, or the questions of a bank."""
        return len(stored.golden.items if stored.run.kind == "rag" else stored.golden.labelled)

    def rows(self) -> list[dict[str, Json]]:
        """Return one row for each run."""
        return [
            {
                "run": each.run.id,
                "kind": each.run.kind,
                "golden_set": each.golden.name,
                "dimension": each.run.dimension,
                "n": self.size(each),
                "judge": judge_name(each.run.spec["judge"]),
                "status": each.run.status,
                "stopped": (each.run.result or {}).get("stopped"),
                "candidates": len(each.candidates),
                **dict(zip(("baseline", "best"), self.scores(each), strict=True)),
                "spent": spent(each.spending),
                "created": each.run.created,
            }
            for each in self.runs
        ]

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        return document("ok", runs=self.rows())

    def frame(self) -> pd.DataFrame:
        """Return the runs as a pandas frame."""
        import pandas as pd

        return pd.DataFrame(self.rows())


@dataclass(frozen=True, slots=True)
class RunDescription:
    """One run, or one candidate of it, in full.

    Attributes:
        sentence: what came out.
        stored: the run.
        chosen: the candidate shown: the one asked for, or the winner; None when nothing was judged.
        calibration: the before and after, when the whole of a calibration was asked for.
        checklist: every fact that a report of the candidate states; empty when nothing was judged.
        noise: what the runs of a judge showed, when the whole of them was asked for.
        probes: what probing a judge for leanings has found.
        slices: the candidate on the slices that were asked for.
        rag: what a RAG evaluation found; None for other runs, and where it has no result yet.
    """

    sentence: str
    stored: StoredRun
    chosen: Chosen | None
    calibration: Calibration | None
    checklist: tuple[Fact, ...] = ()
    noise: JudgeNoise | None = None
    probes: tuple[Probe, ...] = ()
    slices: tuple[JudgeAlignment, ...] = ()
    rag: RagReport | None = None

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        if self.rag is not None:
            return self.rag.to_json()
        run, parts = self.stored.run, dict[str, Json]()
        if self.calibration is not None:
            parts = {**self.calibration.facts_json(), "results": list(self.calibration.results_json())}
        elif self.chosen is not None:
            parts = {"results": [self.chosen.result.to_json()]}
        elif self.stored.run.kind == "bias":
            parts = {"results": [each.to_json() for each in self.probes]}
        if self.slices:
            measured = parts.get("results")
            whole = list(measured) if isinstance(measured, Sequence) else []
            parts["results"] = [*whole, *(each.to_json() for each in self.slices)]
        if self.noise is not None:
            parts["noise"] = [self.noise.to_json()]
        if self.chosen is not None:
            parts |= {
                "prompt": self.chosen.candidate.prompt,
                "candidate": self.chosen.candidate.number,
                "verdicts": {key: verdict_json(verdict) for key, verdict in self.chosen.verdicts.items()},
                "checklist": checklist_json(self.checklist),
            }
        return document(
            "ok",
            **{
                **parts,
                "sentence": self.sentence,
                "run": run.id,
                "kind": run.kind,
                "run_status": run.status,
                "spec": dict(run.spec),
                "record": (run.result or {}).get("record"),
                "golden_digest": run.golden_digest,
                "version": run.version,
                "created": run.created,
                "finished": run.finished,
                "spent": spent(self.stored.spending),
                "simulated": self.stored.simulated,
            },
        )


@dataclass(frozen=True, slots=True)
class ChangedItem:
    """An item on which two prompts differ.

    Attributes:
        item: the item.
        first: the first prompt's verdict.
        second: the second one's.
        effect: ``fixed``, ``broken``, or ``changed`` when both are wrong.
    """

    item: Item
    first: Verdict
    second: Verdict
    effect: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Two prompts side by side.

    Attributes:
        sentence: the difference of their alignments.
        first: the first.
        second: the second.
        lines: a unified diff of their texts.
        changed: the items whose verdict changed, None when the two ran on different sets.
        comparison: second against first, paired; None when they ran on different sets.
    """

    sentence: str
    first: Chosen
    second: Chosen
    lines: tuple[str, ...]
    changed: tuple[ChangedItem, ...] | None
    comparison: Comparison | None

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        changed: Json = None
        if self.changed is not None:
            changed = [
                {
                    "id": each.item.id,
                    "label": each.item.label,
                    "first": verdict_json(each.first),
                    "second": verdict_json(each.second),
                    "effect": each.effect,
                }
                for each in self.changed
            ]
        return document(
            "ok",
            sentence=self.sentence,
            results=[self.first.result.to_json(), self.second.result.to_json()],
            comparison=None if self.comparison is None else self.comparison.to_json(),
            prompt_diff=list(self.lines),
            changed=changed,
        )


def list_runs(db: str) -> RunList:
    """Return all runs of a database."""
    with Store(db, create=False) as store:
        return RunList(tuple(load_run(store, run.id) for run in store.runs()))


def describe(
    db: str, reference: str, max_unscored: float = 0.05, annotators: str = "experts", by: Sequence[str] = ()
) -> RunDescription:
    """Return a run in full, or one of its candidates.

    Args:
        db: the run database.
        reference: ``RUN`` or ``RUN:CANDIDATE``.
        max_unscored: share of unscored verdicts above which no good word is said.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
        by: columns of the golden set whose values are measured apart.

    Raises:
        InputError: there is no such run, candidate or column.
    """
    found = _described(db, reference, max_unscored, annotators)
    if by:
        refuse_rag_run(found.stored.run, field="--by")
    return replace(found, slices=slices_of(found.chosen, by)) if by and found.chosen is not None else found


def _described(db: str, reference: str, max_unscored: float, annotators: str) -> RunDescription:
    run_id, number = parse_reference(reference)
    with Store(db, create=False) as store:
        stored = load_run(store, run_id)
        if number is None and stored.run.kind == "rag":
            return _described_rag(stored)
        if number is None and stored.winner is None:
            sentence = f"Run {run_id} ({stored.run.status}) has judged nothing yet."
            found = stored.run.result or {}
            if stored.run.kind == "bias":
                said = found.get("sentence", "nothing is known yet")
                sentence = f"Run {run_id} ({stored.run.status}) probed a judge for leanings: {said}"
            probes = tuple(Probe.from_json(each) for each in found.get("probes", ()))
            return RunDescription(sentence, stored, None, None, probes=probes)
        if number is None and stored.run.kind == "optimize":
            whole = calibration(store, run_id, max_unscored=max_unscored, annotators=annotators)
            return RunDescription(whole.sentence, stored, whole.winner, whole, _checklist(store, whole.winner))
        chosen = choose(store, stored, number, annotators)
        sentence, noise = judge_sentence(chosen.result, max_unscored), None
        if number is None:
            noise = _noise(stored)
        if noise is not None:
            sentence = f"{noise.sentence} In the first run {sentence}"
        return RunDescription(sentence, stored, chosen, None, _checklist(store, chosen), noise)


def _described_rag(stored: StoredRun) -> RunDescription:
    report = rag_report_of(stored.run, stored.spending)
    sentence = rag_run_in_words(stored.run) if report is None else report.sentence
    return RunDescription(sentence, stored, None, None, rag=report)


def _noise(stored: StoredRun) -> JudgeNoise | None:
    found = (stored.run.result or {}).get("noise")
    if found is None:
        return None
    ids = [item.id for item in stored.golden.labelled]
    words = spending_in_words(stored.spending, simulated=stored.simulated)
    return JudgeNoise.from_json(found, ids, stored.run.id, words)


def _checklist(store: Store, chosen: Chosen) -> tuple[Fact, ...]:
    assert chosen.candidate.evaluation is not None
    return checklist(chosen, store.returned_models(chosen.candidate.evaluation))


def compare_runs(db: str, first: str, second: str) -> Difference:
    """Compare two prompts.

    Raises:
        InputError: one of them does not exist, or they judge different dimensions.
    """
    with Store(db, create=False) as store:
        one, other = (
            choose(store, load_run(store, run_id), number) for run_id, number in map(parse_reference, (first, second))
        )
    if one.stored.run.dimension != other.stored.run.dimension:
        raise InputError(
            f"{one.reference} judges {one.stored.run.dimension}, {other.reference} {other.stored.run.dimension}; "
            "only prompts for one dimension can be compared"
        )
    lines = tuple(
        difflib.unified_diff(
            one.candidate.prompt.splitlines(),
            other.candidate.prompt.splitlines(),
            one.reference,
            other.reference,
            lineterm="",
            n=2,
        )
    )
    figures = (
        f"{one.reference} {figure(one.alignment.alignment)}, {other.reference} {figure(other.alignment.alignment)}"
    )
    if one.stored.run.golden_digest != other.stored.run.golden_digest:
        return Difference(f"Different sets, not comparable item by item: {figures}.", one, other, lines, None, None)
    comparison = compare_chosen(one, other)
    changed = _changed(one, other)
    sentence = (
        f"From {one.reference} to {other.reference} alignment changes by {signed(comparison.difference)}; "
        f"{counted(len(changed), 'verdict')} differ{'s' if len(changed) == 1 else ''}."
    )
    return Difference(sentence, one, other, lines, changed, comparison)


def verdict_json(verdict: Verdict) -> dict[str, Json]:
    """Return a verdict as JSON, with its evidence where it rests on any."""
    if isinstance(verdict, Scored):
        told: dict[str, Json] = {} if verdict.evidence is None else {"evidence": dict(verdict.evidence)}
        return {"label": verdict.label, "reasoning": verdict.reasoning, "confidence": verdict.confidence, **told}
    return {"label": None, "unscored": verdict.reason, "detail": verdict.detail}


def _changed(one: Chosen, other: Chosen) -> tuple[ChangedItem, ...]:
    found = []
    for item in one.golden.without(other.candidate.shown).labelled:
        before, after = one.verdicts[item.id], other.verdicts[item.id]
        if _label(before) == _label(after):
            continue
        right_before, right_after = _label(before) == item.label, _label(after) == item.label
        effect = "fixed" if right_after else "broken" if right_before else "changed"
        found.append(ChangedItem(item, before, after, effect))
    return tuple(found)


def _label(verdict: Verdict) -> str:
    return verdict.label if isinstance(verdict, Scored) else f"({verdict.reason})"
