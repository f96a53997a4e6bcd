"""The state of one search: what was tried, what is known of its errors, and what to ask for next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from calibrate.domain import Item, Json, ModelRequest, ModelResponse
from calibrate.optimizer.checks import CandidateChecks
from calibrate.optimizer.examples import instructions_of
from calibrate.optimizer.meta_prompt import MetaTask, error_lines, tags_of, task_lines
from calibrate.optimizer.patterns import MOST_ERRORS, Pattern, analysis_request, read_patterns
from calibrate.optimizer.policies import Standing
from calibrate.optimizer.procedure import Limits, Procedure
from calibrate.optimizer.proposals import Draft, Place, Scene, assign, read_draft, remembered, request_of, within
from calibrate.optimizer.replies import repair_request
from calibrate.optimizer.trials import Memory, Misjudged, Remembered, Trial, misjudged

__all__ = ["Search"]

_ITERATIONS_APART = 1_000_000
_PLACES_APART = 1_000
_ANALYSIS = _PLACES_APART - 1  # the place of the error analysis

_T = TypeVar("_T")


class Search:
    """The state of one calibration.

    Args:
        baseline: the prompt to start from.
        items: the labelled items.
        task: what stays the same.
        memory: what earlier calibrations have tried.
        procedure: how to search.
        validate: says why a prompt cannot be run at all.
        limits: how much the meta-LLM is shown.
        shown: items that the prompt to start from shows as examples.
    """

    def __init__(
        self,
        baseline: str,
        items: tuple[Item, ...],
        task: MetaTask,
        memory: Memory,
        procedure: Procedure,
        validate: Callable[[str], str],
        limits: Limits,
        shown: Sequence[Item] = (),
    ) -> None:
        self._items, self._task, self._procedure, self._validate = items, task, procedure, validate
        self._by_id, self._limits = {item.id: item for item in (*items, *shown)}, limits
        # One prompt, one line of history.
        one_each = {(each.judge, each.prompt, each.shown): each for each in memory.scored}.values()
        self._memory = [each for each in one_each if not each.judge]
        self._others = sorted((each for each in one_each if each.judge), key=lambda each: each.score)
        self._checks = CandidateChecks(
            items, placeholders=task.placeholders, max_characters=max(task.max_characters, len(baseline))
        )
        for earlier in self._memory:
            name = f"a prompt of an earlier calibration ({earlier.score:.3f})"
            self._checks.remember(name, earlier.prompt, earlier.shown)
        for prompt in memory.stopped:
            self._checks.remember("a prompt that an earlier calibration stopped", prompt)
        self._rejections = memory.rejections
        self.trials: list[Trial] = []
        self.patterns: tuple[Pattern, ...] = ()
        self._iteration = 0

    @property
    def best(self) -> Trial:
        """The trial ranked first."""
        return max(self._scored(), key=lambda trial: trial.rank)

    def add(self, trial: Trial) -> None:
        """Count a trial, and remember the baseline's prompt."""
        if trial.candidate.number == 0:
            start = trial.candidate
            self._checks.remember("the baseline", instructions_of(start.prompt, start.shown), start.shown)
        self.trials.append(trial)

    def begin(self) -> int:
        """Begin an iteration: choose the prompts to rewrite; return its number."""
        self._iteration += 1
        self._random = Random(f"{self._procedure.seed}:{self._task.repeat}:{self._iteration}")
        self._standing = Standing(self._scored(), self._items, self._task.scale)
        self._parents = self._procedure.policy.parents(self._standing, self._procedure.width, self._random)
        self._problem = ""
        self._wrong = self._times_wrong()
        return self._iteration

    def analysis_request(self) -> ModelRequest | None:
        """Return the request to group the parents' errors that no pattern holds yet; None when there are none."""
        if not self._procedure.analysis:
            return None
        self._asked = within(self._unexplained(), self._limits.characters)[:MOST_ERRORS]
        if not self._asked:
            return None
        best = remembered(self.best)
        return analysis_request(
            task_lines(self._task),
            tags_of(self._task),
            best.prompt,
            best.score,
            self.patterns,
            self._asked,
            error_lines,
            temperature=self._task.temperature,
            max_tokens=self._task.max_tokens,
            repeat=self._repeat(_ANALYSIS),
            judge_task=self._task.judge_task,
        )

    def learn(self, reply: ModelResponse) -> None:
        """Take in an error analysis; one that cannot be read leaves the errors as they are."""
        self.patterns, self._problem = read_patterns(reply, self._asked, self.patterns, self._iteration)

    def places(self) -> list[Place]:
        """Return the iteration's rewrites."""
        limits = self._limits
        self._scene = Scene(
            self._task, self._by_id, self._standing, self.errors_of, self.patterns, limits.errors, limits.characters
        )
        self._places = assign(self._scene, self._parents, self._procedure.strategies, self.trials, self._random)
        return self._places

    def record(self) -> dict[str, Json]:
        """Return what the iteration has decided."""
        first = len(self.trials)
        return {
            "best": self.best.candidate.number,
            "chosen": [
                {
                    "slot": place.number,
                    "strategy": place.strategy.name,
                    "parent": place.parent.candidate.number,
                    "partner": None if place.partner is None else place.partner.candidate.number,
                    "draw": round(place.draw.value, 6),
                    "tries": place.draw.tries,
                    "wins": place.draw.wins,
                    "candidate": first + position,
                }
                for position, place in enumerate(self._places)
            ],
            "patterns": [
                {"name": each.name, "description": each.description, "items": list(each.items), "found": each.found}
                for each in self.patterns
            ],
            "analysis": self._problem,
        }

    def request(self, place: Place) -> ModelRequest:
        """Return the meta-prompt of a place."""
        request = request_of(self._scene, place, self._history(), self._fitting(self._others), self._rejected())
        # An iteration that changed nothing asks the same again; it must draw anew, not be answered from the cache.
        return replace(request, repeat=self._repeat(place.number))

    def read(self, places: Sequence[Place], replies: Sequence[ModelResponse]) -> list[Draft]:
        """Turn the replies into drafts, in the order of their places."""
        first = len(self.trials)
        return [
            self._read(place, reply, first + position)
            for position, (place, reply) in enumerate(zip(places, replies, strict=True))
        ]

    def follow_ups(self, drafts: Sequence[Draft], requests: Sequence[ModelRequest]) -> dict[int, ModelRequest]:
        """Return one further request for each draft that asking once more can mend, by the draft's position."""
        return {
            position: repair_request(request, draft.problem, draft.reply, tags=self._task.inputs)
            for position, (draft, request) in enumerate(zip(drafts, requests, strict=True))
            if draft.problem and draft.mendable
        }

    def mend(self, drafts: Sequence[Draft], replies: Mapping[int, ModelResponse]) -> list[Draft]:
        """Replace drafts by what a follow-up brought; one that failed again keeps its first problem, and says so."""
        mended = list(drafts)
        for position, reply in replies.items():
            before = drafts[position]
            after = self._read(before.place, reply, before.candidate.number)
            if after.problem:
                kept = before.candidate if not after.candidate.prompt else after.candidate
                problem = f"{before.problem}; asked once more: {after.problem}"
                after = replace(after, candidate=kept, problem=problem)
            mended[position] = after
        return mended

    def errors_of(self, trial: Trial) -> list[Misjudged]:
        """Return a trial's errors by distance, then by how many of the prompts tried got the item wrong."""
        assert trial.evaluation is not None  # parents were scored
        found = misjudged(self._items, trial.evaluation.verdicts, self._task.scale)
        return sorted(found, key=lambda error: (-error.distance, -self._wrong.get(error.item.id, 0)))

    def _read(self, place: Place, reply: ModelResponse, number: int) -> Draft:
        draft = read_draft(self._scene, place, reply, number, self._iteration, self._checks, self._validate)
        if not draft.problem:
            candidate = draft.candidate
            written = instructions_of(candidate.prompt, candidate.shown)
            self._checks.remember(f"candidate {number}", written, candidate.shown)
        return draft

    def _scored(self) -> list[Trial]:
        scored = [trial for trial in self.trials if trial.score is not None]
        return sorted(scored, key=lambda trial: trial.candidate.number)

    def _unexplained(self) -> list[Misjudged]:
        explained = {item for pattern in self.patterns for item in pattern.items}
        found: dict[str, Misjudged] = {}
        for parent in self._parents:
            for error in self.errors_of(parent):
                if error.item.id not in explained:
                    found.setdefault(error.item.id, error)
        return list(found.values())

    def _history(self) -> list[Remembered]:
        known = [*self._memory, *(remembered(trial) for trial in self._scored())]
        return self._fitting(sorted(known, key=lambda each: each.score))

    def _fitting(self, ascending: Sequence[Remembered]) -> list[Remembered]:
        """Return the best of these prompts, as many as a request may show."""
        room, fitting = self._limits.characters, 0
        for each in reversed(self._last(ascending)):
            room -= len(each.prompt)
            if room < 0:
                break
            fitting += 1
        return list(ascending[len(ascending) - fitting :])

    def _rejected(self) -> list[str]:
        lines = list(self._rejections)
        for trial in self.trials:
            problem = trial.rejected or (trial.evaluation.stopped if trial.evaluation else "")
            if problem:
                lines.append(f"strategy {trial.candidate.strategy}: {problem}")
        return self._last(lines)

    def _last(self, values: Sequence[_T]) -> list[_T]:
        return list(values[max(0, len(values) - self._limits.history) :])

    def _times_wrong(self) -> dict[str, int]:
        wrong: dict[str, int] = {}
        for trial in self.trials:
            if trial.evaluation is not None:
                for error in misjudged(self._items, trial.evaluation.verdicts, self._task.scale):
                    wrong[error.item.id] = wrong.get(error.item.id, 0) + 1
        return wrong

    def _repeat(self, place: int) -> int:
        return self._task.repeat * _ITERATIONS_APART + self._iteration * _PLACES_APART + place
