"""An iteration's proposals: which strategy rewrites which prompt, what it is shown, and what came back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from calibrate.domain import Item, ModelRequest, ModelResponse, Scored, alike
from calibrate.optimizer.allocation import Draw, allocate, tallies
from calibrate.optimizer.checks import CandidateChecks
from calibrate.optimizer.examples import MOST_EXAMPLES, choose_examples, instructions_of, with_examples
from calibrate.optimizer.meta_prompt import Lesson, MetaTask, meta_request
from calibrate.optimizer.patterns import Pattern, grouped
from calibrate.optimizer.policies import Standing
from calibrate.optimizer.replies import Reading, read_rewrite
from calibrate.optimizer.strategies import Situation, Strategy
from calibrate.optimizer.trials import Candidate, Misjudged, Remembered, Trial

__all__ = ["Draft", "Place", "Scene", "assign", "read_draft", "remembered", "request_of", "within"]

_WORTH_A_LOOK = 40
_MOST_HIDDEN = 0.2  # of the items; more than that and a prompt that shows examples is hardly compared any more
_ROOM_FOR_EXAMPLES = 0.5  # of the longest prompt allowed; the rest is for the instructions


@dataclass(frozen=True, slots=True)
class Place:
    """One rewrite of an iteration.

    Attributes:
        number: its place, from 0.
        parent: the trial to rewrite.
        strategy: how.
        draw: how the strategy was drawn.
        partner: the trial to unite the parent with, None for none.
        examples: the items that the rewrite will show.
        errors: the parent's errors to learn from, with the names of their patterns.
    """

    number: int
    parent: Trial
    strategy: Strategy
    draw: Draw
    partner: Trial | None = None
    examples: tuple[Item, ...] = ()
    errors: tuple[tuple[Misjudged, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """What came back for a place.

    Attributes:
        place: the place.
        candidate: the candidate, its prompt empty when none could be read.
        problem: why it must not be judged; empty when it may.
        mendable: whether asking once more can help.
        reply: what the meta-LLM wrote, as far as it can be shown to it again; never its reasoning.
    """

    place: Place
    candidate: Candidate
    problem: str
    mendable: bool
    reply: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What an iteration's places are assigned from.

    Attributes:
        task: what stays the same.
        items: the labelled items, and those that the prompt to start from shows, by id.
        standing: the scored trials.
        errors: the errors of a trial, the most telling first.
        patterns: the failure patterns known.
        limit: errors that a rewrite is shown at most.
        characters: what their texts may have together.
    """

    task: MetaTask
    items: Mapping[str, Item]
    standing: Standing
    errors: Callable[[Trial], list[Misjudged]]
    patterns: Sequence[Pattern] = field(default=())
    limit: int = 12
    characters: int = 60_000

    def shown(self, trial: Trial) -> list[Item]:
        """Return the items that a trial's prompt shows."""
        return [self.items[name] for name in trial.candidate.shown if name in self.items]

    def partner(self, parent: Trial) -> Trial | None:
        """Return the trial that is right on most items that the parent is wrong on, the better one of equals."""
        right = self.standing.right
        mine = right[parent.candidate.number]
        others = [trial for trial in self.standing.ranked if trial is not parent]
        best = max(others, key=lambda trial: len(right[trial.candidate.number] - mine), default=None)
        return best if best is not None and right[best.candidate.number] - mine else None

    def _spare(self, errors: Sequence[Misjudged], already: Sequence[Item]) -> list[Misjudged]:
        """Return errors, no two alike, that can be shown without taking too many items out of the scoring."""
        items = list(self.items.values())
        hidden = alike(items, [item.id for item in already])
        room = max(MOST_EXAMPLES, int(_MOST_HIDDEN * len(items)))
        spare: list[Misjudged] = []
        for error in errors[:_WORTH_A_LOOK]:
            more = alike(items, [error.item.id])
            if more.isdisjoint(hidden) and len(hidden) + len(more) <= room:
                hidden |= more
                spare.append(error)
        return spare

    def examples(self, parent: Trial, errors: Sequence[Misjudged]) -> tuple[Item, ...]:
        """Return the items that a rewrite of the parent would show; none when none of its errors fits."""
        already = self.shown(parent)
        room = int(self.task.max_characters * _ROOM_FOR_EXAMPLES)
        chosen = choose_examples(self._spare(errors, already), already, room, self.task.language)
        return chosen if any(item not in already for item in chosen) else ()


def assign(
    scene: Scene,
    parents: Sequence[Trial],
    strategies: Sequence[Strategy],
    trials: Sequence[Trial],
    random: Random,
) -> list[Place]:
    """Assign a strategy to each parent: in the order drawn, the first one that applies and was not used yet.

    Args:
        scene: what the strategies work on.
        parents: the trials to rewrite, one for each place.
        strategies: all that may be used.
        trials: everything tried so far, by which the strategies are drawn.
        random: the draws.
    """
    situations = {parent.candidate.number: _situation(scene, parent) for parent in parents}
    useful = [s for s in strategies if any(s.applies(situation) for situation in situations.values())]
    known = {strategy.name: strategy for strategy in useful}
    draws = allocate(list(known), tallies(trials), random)
    places: list[Place] = []
    left = list(draws)
    for number, parent in enumerate(parents):
        situation = situations[parent.candidate.number]
        fitting = [draw for draw in left if known[draw.strategy].applies(situation)]
        if not fitting:
            left += draws  # a further round, after what is left of this one for other parents
            fitting = [draw for draw in left if known[draw.strategy].applies(situation)]
        if not fitting:
            continue  # nothing applies to this parent
        left.remove(fitting[0])
        places.append(_place(scene, number, parent, known[fitting[0].strategy], fitting[0]))
    return places


def request_of(
    scene: Scene, place: Place, history: Sequence[Remembered], others: Sequence[Remembered], rejected: Sequence[str]
) -> ModelRequest:
    """Return the meta-prompt of a place."""
    errors = scene.errors(place.parent)
    counted = [(pattern, len(own)) for pattern, own in grouped(errors, scene.patterns) if pattern is not None]
    lesson = Lesson(
        current=remembered(place.parent),
        history=history,
        others=others,
        rejected=rejected,
        patterns=counted,
        errors=place.errors,
        partner=None if place.partner is None else remembered(place.partner),
        examples=len(place.parent.candidate.shown),
    )
    return meta_request(scene.task, place.strategy, lesson)


def read_draft(
    scene: Scene,
    place: Place,
    reply: ModelResponse,
    number: int,
    iteration: int,
    checks: CandidateChecks,
    validate: Callable[[str], str],
) -> Draft:
    """Turn a reply into a candidate, with the reason why it must not be judged."""
    reading: Reading = read_rewrite(reply)
    parent = place.parent.candidate
    examples = place.examples or (tuple(scene.shown(place.parent)) if place.strategy.keeps_examples else ())
    prompt = with_examples(reading.prompt, examples, scene.task.language) if reading.prompt else ""
    candidate = Candidate(
        number,
        iteration,
        place.strategy.name,
        parent.number,
        prompt,
        None if place.partner is None else place.partner.candidate.number,
        tuple(item.id for item in examples) if prompt else (),
    )
    if reading.problem:
        return Draft(place, candidate, reading.problem, reading.mendable, reading.prompt)
    known = instructions_of(parent.prompt, parent.shown)
    if place.partner is not None:
        other = place.partner.candidate
        known = f"{known}\n{instructions_of(other.prompt, other.shown)}"
    problem = checks.problem(prompt, known, reading.prompt, candidate.shown) or validate(prompt)
    return Draft(place, candidate, problem, True, reading.prompt)


def remembered(trial: Trial) -> Remembered:
    """Return a scored trial as the meta-prompt shows it: its instructions, without the examples."""
    assert trial.score is not None  # only scored trials are shown
    candidate = trial.candidate
    return Remembered(instructions_of(candidate.prompt, candidate.shown), trial.score, candidate.strategy)


def within(errors: Sequence[Misjudged], characters: int) -> list[Misjudged]:
    """Return the errors whose texts have so many characters together at most, in their order; the first one always."""
    fitting: list[Misjudged] = []
    for error in errors:
        characters -= _length(error)
        if characters >= 0 or not fitting:
            fitting.append(error)
    return fitting


def _length(error: Misjudged) -> int:
    texts = sum(len(text) if isinstance(text, str) else sum(map(len, text)) for text in error.item.inputs.values())
    said = error.verdict.reasoning if isinstance(error.verdict, Scored) else error.verdict.detail
    return texts + len(error.item.note) + len(said)


def _situation(scene: Scene, parent: Trial) -> Situation:
    errors = scene.errors(parent)
    return Situation(
        errors,
        instructions_of(parent.candidate.prompt, parent.candidate.shown),
        scene.task.inputs,
        has_partner=scene.partner(parent) is not None,
        # Where the label follows from several steps, it is no reply that the judge could learn from.
        has_examples=not scene.task.step and bool(scene.examples(parent, errors)),
        judge_task=scene.task.judge_task,
    )


def _place(scene: Scene, number: int, parent: Trial, strategy: Strategy, draw: Draw) -> Place:
    groups = grouped(scene.errors(parent), scene.patterns)
    turned = groups[number % len(groups) :] + groups[: number % len(groups)] if groups else []
    names = {error.item.id: pattern.name if pattern else "" for pattern, own in groups for error in own}
    chosen = within(strategy.choose([own for _, own in turned], scene.limit), scene.characters)
    place = Place(number, parent, strategy, draw, errors=tuple((error, names[error.item.id]) for error in chosen))
    if strategy.brings == "partner":
        return replace(place, partner=scene.partner(parent))
    if strategy.brings == "examples":
        return replace(place, examples=scene.examples(parent, chosen) or scene.examples(parent, scene.errors(parent)))
    return place
