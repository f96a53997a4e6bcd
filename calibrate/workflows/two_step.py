"""Judging answers claim by claim: split, hold every claim against the context, and compose the verdict.

Each step is an ordinary evaluation of a golden set that is derived for it, so that what was paid is kept, an
interrupted command goes on between any two replies, and one ledger holds for both models. The composed verdict is an
evaluation of its own on the set's own scale.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from calibrate.domain import GoldenSet, Item, Json, Judgement, Model, Scored, Unscored, Verdict
from calibrate.judge import Prompt, PromptJudge, compose_verdict, factual_claims
from calibrate.optimizer import Trial
from calibrate.providers import Ledger, caution
from calibrate.runner import BatchCounts
from calibrate.store import Store
from calibrate.workflows.addresses import Evaluations
from calibrate.workflows.evaluated import Evaluated
from calibrate.workflows.evaluation import Evaluator, Part
from calibrate.workflows.progress import Progress
from calibrate.workflows.returned import returned_notes
from calibrate.workflows.sentences import counted
from calibrate.workflows.setup import JudgeOptions, Prepared
from calibrate.workflows.splitter import Splitter

__all__ = ["AnyEvaluator", "TwoStepEvaluator", "claim_facts", "evaluator_for"]


class TwoStepEvaluator:
    """Judges prompts of a verifier on answers that a splitter has taken apart.

    Whatever it is to judge, the answers of all its items are split first, once for each repetition: prompts that are
    compared are held against the same claims.

    Args:
        store: where everything is recorded.
        run_id: the run that pays.
        part: the dimension, with its splitter.
        model: the verifier's model.
        judge: how both are asked.
        progress: told of what happens.
        ledger: the command's.
        golden: the stored items to judge; None for those of the dimension.
        unlabelled: whether the items without a label are judged too.
    """

    def __init__(
        self,
        store: Store,
        run_id: int,
        part: Prepared,
        model: Model,
        judge: JudgeOptions,
        *,
        progress: Progress,
        ledger: Ledger,
        golden: GoldenSet | None = None,
        unlabelled: bool = False,
    ) -> None:
        assert part.splitter is not None
        golden = part.golden if golden is None else golden
        self._splitter: Splitter = part.splitter
        self._store, self._run_id, self._part, self._model, self._how = store, run_id, part, model, judge
        self._progress, self._ledger = progress, ledger
        self._golden = golden if unlabelled else golden.with_items(golden.labelled)
        (self._scale,) = golden.scales.values()
        self._evaluations = Evaluations(store, run_id, golden, model)
        self._labels = {item.id: item.label for item in self._golden.items}
        self._splits: dict[int, _Split] = {}
        self._checks: dict[int, _Checks] = {}
        self._watching = _Watching(progress)
        self._splitting: Evaluator | None = None

    async def evaluate(self, prompts: Sequence[Prompt], title: str, *, repeat: int = 0) -> list[Evaluated]:
        """Judge all prompts on all items; see :meth:`Evaluator.evaluate`."""
        return await self.repeat([(prompt, repeat) for prompt in prompts], title)

    async def repeat(self, runs: Sequence[tuple[Prompt, int]], title: str) -> list[Evaluated]:
        """Judge prompts on all items, each as the repetition of that number, which splits the answers anew too."""
        items = self._golden.items
        return await self.judge([Part(prompt, items, items, number) for prompt, number in runs], title)

    async def judge(self, parts: Sequence[Part], title: str) -> list[Evaluated]:
        """Judge prompts, each on its own items; the claims for the parts of a repetition go to one flat pool."""
        await self._split([part.repeat for part in parts], title)
        found: dict[int, Evaluated] = {}
        for number in dict.fromkeys(part.repeat for part in parts):
            places = [place for place, part in enumerate(parts) if part.repeat == number]
            judged = await self._judge_claims([parts[place] for place in places], self._checks[number], title)
            for place, checked in zip(places, judged, strict=True):
                found[place] = await self._compose(parts[place], self._splits[number], self._checks[number], checked)
        return [found[place] for place in range(len(parts))]

    async def _split(self, repeats: Iterable[int], title: str) -> None:
        """Split the answers of all items for the repetitions that have no splits yet, in one pool."""
        missing = [number for number in dict.fromkeys(repeats) if number not in self._splits]
        if not missing:
            return
        splitter, first = self._splitter, self._splitting is None
        answers = splitter.answers(self._golden)
        if self._splitting is None:
            self._store.save_golden(answers, self._part.source)
            self._splitting = Evaluator(
                self._store,
                self._run_id,
                answers,
                splitter.model,
                splitter.settings,
                concurrency=self._how.concurrency,
                progress=self._watching,
                ledger=self._ledger,
                fresh=self._how.fresh,
                poll_seconds=self._how.polls_every,
                unlabelled=True,
            )
        # A splitter is asked once where a verifier votes: under the numbers of first votes, which are the run's own.
        votes = self._part.settings.votes
        parts = [Part(splitter.prompt, answers.items, answers.items, number * votes) for number in missing]
        judged = await self._splitting.judge(parts, f"{title}: splitting answers into claims")
        for number, evaluated in zip(missing, judged, strict=True):
            self._splits[number] = split = _Split(evaluated.evaluation, self._watching.take(evaluated.evaluation))
            self._checks[number] = self._checks_of(split)
        if first:
            warned = caution(splitter.model) if splitter.model.name != self._model.name else None
            notes = returned_notes(self._store, splitter.model.name, judged[0])
            for note in (*notes, *([warned] if warned else [])):
                self._progress.note(note)

    def _checks_of(self, split: _Split) -> _Checks:
        """Return what the verifier is to judge of a split."""
        claims = {name: factual_claims(each.verdict) for name, each in split.judgements.items()}
        golden = self._splitter.claims(self._golden, claims)
        ids = {name: self._splitter.ids(name, len(each)) for name, each in claims.items()}
        checks = _Checks({item.id: item for item in golden.items}, ids)
        if golden.items:
            self._store.save_golden(golden, self._part.source)
            checks.evaluator = Evaluator(
                self._store,
                self._run_id,
                golden,
                self._model,
                replace(self._part.settings, task="verify"),
                concurrency=self._how.concurrency,
                progress=self._progress,
                ledger=self._ledger,
                fresh=self._how.fresh,
                poll_seconds=self._how.polls_every,
                unlabelled=True,
            )
        return checks

    async def _judge_claims(self, parts: Sequence[Part], checks: _Checks, title: str) -> list[Evaluated | None]:
        """Hold the claims of all parts against their contexts, in one pool; None for a part that has none."""
        asked = [checks.part(part) for part in parts]
        judged: Sequence[Evaluated] = ()
        if checks.evaluator is not None:
            some = [part for part in asked if part.scope]
            judged = await checks.evaluator.judge(some, f"{title}: holding claims against the context")
        waiting = iter(judged)
        return [next(waiting) if part.scope else None for part in asked]

    async def _compose(self, part: Part, split: _Split, checks: _Checks, checked: Evaluated | None) -> Evaluated:
        """Record the verdicts that follow from both steps, and return them with what both took."""
        verdicts: dict[str, Verdict] = {}
        for item in part.items:
            found = [] if checked is None else [checked.verdicts[name] for name in checks.ids[item.id]]
            claims = split.judgements[item.id].verdict
            verdicts[item.id] = compose_verdict(claims, found, self._scale, self._splitter.labels)
        judge = PromptJudge(part.prompt, self._model.name, self._scale, self._part.settings)

        def has_the_same(evaluation: int) -> bool:
            whole = len(verdicts) == len(part.scope)
            return whole and verdicts.items() <= self._store.verdicts(evaluation).items()

        asked: dict[str, Json] = {
            "splitter": self._splitter.record,
            "claims_of": split.evaluation,
            "held_in": None if checked is None else checked.evaluation,
        }
        result = Evaluated(self._evaluations.open(judge, asked, part.repeat, has_the_same))
        result.add_bill(split.bill(part.items))
        if checked is not None:
            result.add_bill(checked)
        keys = checks.keys(part)
        judgements = [
            Judgement(result.evaluation, name, verdict, keys.get(name, ""), None) for name, verdict in verdicts.items()
        ]
        await asyncio.to_thread(self._store.record, self._run_id, self._model.name, judgements)
        result.verdicts = {name: _short(verdict, self._labels[name]) for name, verdict in verdicts.items()}
        return result


AnyEvaluator: TypeAlias = Evaluator | TwoStepEvaluator


def evaluator_for(
    store: Store,
    run_id: int,
    part: Prepared,
    model: Model,
    judge: JudgeOptions,
    *,
    progress: Progress,
    ledger: Ledger,
    golden: GoldenSet | None = None,
    unlabelled: bool = False,
) -> AnyEvaluator:
    """Return the evaluator that a command's options ask for: of one step, or of two where there is a splitter.

    Args:
        store: where everything is recorded.
        run_id: the run that pays.
        part: the dimension.
        model: the judge's model; the verifier's where there is a splitter.
        judge: how it is asked.
        progress: told of what happens.
        ledger: the command's.
        golden: the stored items to judge; None for those of the dimension.
        unlabelled: whether the items without a label are judged too.
    """
    made = Evaluator.for_part if part.splitter is None else TwoStepEvaluator
    return made(
        store, run_id, part, model, judge, progress=progress, ledger=ledger, golden=golden, unlabelled=unlabelled
    )


def claim_facts(verdicts: Iterable[Verdict], splitter: Splitter) -> dict[str, Json]:
    """Return how many claims verdicts rest on, and the same in words.

    Args:
        verdicts: with their evidence.
        splitter: who has made the claims.
    """
    told = [each.evidence for each in verdicts if isinstance(each, Scored) and each.evidence]
    claims = [each for one in told if isinstance(listed := one["claims"], Sequence) for each in listed]
    held = [each for each in claims if isinstance(each, Mapping) and each["kind"] == "factual"]
    supported = sum(count for one in told if isinstance(count := one["supported"], int))
    others = len(claims) - len(held)
    apart = f"; {counted(others, 'conditional or normative claim')} beside them" if others else ""
    calls = "one call a claim" if splitter.per_claim else "one call for all claims of an answer"
    words = (
        f"Judged claim by claim ({splitter.model.name} splits the answers; {calls}): "
        f"{supported:,} of {counted(len(held), 'factual claim')} supported{apart}."
    )
    return {
        "splitter": splitter.model.name,
        "per_claim": splitter.per_claim,
        "factual": len(held),
        "supported": supported,
        "not_checked": others,
        "in_words": words,
    }


@dataclass(slots=True)
class _Split:
    """The answers of one repetition, split."""

    evaluation: int
    judgements: Mapping[str, Judgement]
    paid_for: set[str] = field(default_factory=set)

    def bill(self, items: Sequence[Item]) -> Evaluated:
        """Return what splitting these took; of several prompts judged on them, the first one has paid."""
        found = Evaluated(self.evaluation)
        for item in items:
            judgement = self.judgements[item.id]
            found.add(judgement, None)
            if item.id in self.paid_for:
                found.paid_calls -= judgement.paid
        self.paid_for.update(item.id for item in items)
        found.returned.clear()  # who answered is asked of the verifier, whose model may be another one
        return found


@dataclass(slots=True)
class _Checks:
    """The claims of one repetition.

    Attributes:
        items: what the verifier judges, by id.
        ids: by item id, the ids of its claims.
        evaluator: who judges them; None where there are none.
    """

    items: Mapping[str, Item]
    ids: Mapping[str, Sequence[str]]
    evaluator: Evaluator | None = None

    def part(self, part: Part) -> Part:
        """Return what the verifier is to judge for a part."""
        return replace(part, items=self._of(part.items), scope=self._of(part.scope))

    def keys(self, part: Part) -> dict[str, str]:
        """Return the address of the first reply on each item's claims: it tells which model answered."""
        if self.evaluator is None:
            return {}
        asked = self.part(part)
        keys = dict(zip((item.id for item in asked.items), self.evaluator.keys(asked), strict=True))
        return {item.id: keys[self.ids[item.id][0]] for item in part.items if self.ids[item.id]}

    def _of(self, items: Sequence[Item]) -> list[Item]:
        return [self.items[name] for item in items for name in self.ids[item.id]]


class _Watching:
    """Passes on what the splitter's work tells, and keeps its judgements: their evidence is what comes next."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._found: dict[int, dict[str, Judgement]] = {}

    def take(self, evaluation: int) -> Mapping[str, Judgement]:
        """Return the judgements of an evaluation by item id, and forget them here."""
        return self._found.pop(evaluation, {})

    def judged(self, judgement: Judgement) -> None:
        """One answer is split."""
        self._found.setdefault(judgement.evaluation, {})[judgement.item_id] = judgement
        self._progress.judged(judgement)

    def note(self, text: str) -> None:
        """Passed on."""
        self._progress.note(text)

    def begin(self, title: str, total: int) -> None:
        """Passed on."""
        self._progress.begin(title, total)

    def polled(self, counts: BatchCounts) -> None:
        """Passed on."""
        self._progress.polled(counts)

    def end(self) -> None:
        """Passed on."""
        self._progress.end()

    def tried(self, trial: Trial, score: str = "alignment") -> None:
        """Passed on."""
        self._progress.tried(trial, score)


def _short(verdict: Verdict, label: str | None) -> Verdict:
    """Leave out why, where a verdict agrees with the label: it is in the store."""
    if isinstance(verdict, Unscored) or verdict.label != label:
        return verdict
    return replace(verdict, reasoning="", evidence=None)
