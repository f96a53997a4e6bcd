"""Rewrites of one judge prompt: which directives it shall ask for, and its text, edited or written from scratch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from calibrate.providers.sim.diagnosis import STRICT, TOLERANT, Diagnosis
from calibrate.providers.sim.directives import DIRECTIVES
from calibrate.providers.sim.drafting import add, definitions, drop, first_sentence, leave_out, sentences_of
from calibrate.providers.sim.focuses import EXAMPLES_FOLLOW, FEW_SHOT, FOCUSES, points_at_examples
from calibrate.providers.sim.metaprompt import MetaPrompt
from calibrate.providers.sim.phrasings import ASKING, CLOSINGS, CRITERIA, INTRODUCTIONS

__all__ = ["FROM_SCRATCH", "choose", "directives_wanted", "draw", "edited", "from_scratch", "say"]

FROM_SCRATCH = ("explicit rubric", "radical simplification")
"""Strategies that do not edit the prompt but write it anew."""

_WHIM = 0.12
_EASE = 0.35
_BESIDE = 0.5
_ALONG = 0.5


def directives_wanted(
    strategy: str, asked: frozenset[str], diagnosis: Diagnosis, random: Random, *, merging: frozenset[str] = frozenset()
) -> frozenset[str]:
    """Return the directives that a rewrite shall ask for.

    Args:
        strategy: how to go about it; one without a rule of its own is general improvement.
        asked: what the current prompt asks for.
        diagnosis: what the errors speak for.
        random: where choices are drawn from.
        merging: what a second prompt asks for besides.
    """
    if strategy == "fix wrongly accepted":
        return asked | draw(diagnosis.stricter, STRICT - asked, random.randint(1, 3), random)
    if strategy == "fix wrongly rejected":
        over_strict = draw(diagnosis.drop, asked & STRICT, 1, random) if diagnosis.drop else frozenset()
        gentler = draw(diagnosis.gentler, TOLERANT - asked, random.randint(1, 2), random)
        if over_strict and (not gentler or random.random() < _EASE):
            return asked - over_strict
        return asked | gentler
    votes = {**diagnosis.stricter}
    for name, count in diagnosis.gentler.items():
        votes[name] = votes.get(name, 0.0) + count
    left = frozenset(DIRECTIVES) - asked
    if strategy == "explicit rubric":
        return asked | draw(votes, left, random.randint(2, 4), random)
    if strategy == "radical simplification":
        # Few words: what the errors speak for most, and some of what was there.
        kept = frozenset(name for name in sorted(asked) if random.random() < 0.6)
        return frozenset(kept | draw(votes, frozenset(DIRECTIVES) - kept, random.randint(1, 3), random))
    if strategy in FOCUSES:
        focus = FOCUSES[strategy]
        weighed = {name: votes.get(name, 0.0) + _BESIDE * (name in focus.beside) for name in left}
        count = random.randint(1, 2) if votes else random.randint(0, 1)
        return asked | {focus.directive} | draw(weighed, left - {focus.directive}, count, random)
    if strategy == FEW_SHOT:
        # The examples are to do the work: at most one directive along with them.
        return asked | (draw(votes, left, 1, random) if votes and random.random() < _ALONG else frozenset())
    if merging:
        return asked | merging
    wanted = asked | draw(votes, left, random.randint(1, 2), random)
    if diagnosis.drop and random.random() < _EASE:
        wanted -= draw(diagnosis.drop, asked & STRICT, 1, random)
    return wanted


def draw(votes: Mapping[str, float], among: Iterable[str], count: int, random: Random) -> frozenset[str]:
    """Draw directives by their votes; now and then one on a whim."""
    left = sorted(among)
    drawn: set[str] = set()
    while left and len(drawn) < count:
        weights = [votes.get(name, 0.0) for name in left]
        if not any(weights) and drawn:
            break
        if not any(weights) or random.random() < _WHIM:
            weights = [1.0] * len(left)
        name = random.choices(left, weights)[0]
        drawn.add(name)
        left.remove(name)
    return frozenset(drawn)


def edited(meta: MetaPrompt, asked: frozenset[str], wanted: frozenset[str], random: Random) -> str:
    """Return the current instructions, changed to ask for what is wanted and said as the strategy says it."""
    text = meta.current
    for directive in sorted(asked - wanted):
        text = drop(text, directive)
    new = sorted(wanted - asked)
    opening: list[str] = []
    if meta.strategy in FOCUSES:
        focus = FOCUSES[meta.strategy]
        # What was said of it before is said in the strategy's way, unless nothing would be left of the prompt.
        shorter = drop(text, focus.directive)
        text = shorter if first_sentence(shorter) else text
        new = [directive for directive in new if directive != focus.directive]
        opening = [choose(focus.sentences[meta.language], meta, random)]
    elif meta.strategy == FEW_SHOT:
        pointing = [place for place, each in enumerate(sentences_of(text)) if points_at_examples(each)]
        text = leave_out(text, pointing) or text
        opening = [choose(EXAMPLES_FOLLOW[meta.language], meta, random)]
    elif not new and wanted == asked and asked:
        # Nothing to add: say one thing in other words.
        again = random.choice(sorted(asked))
        text, new = drop(text, again), [again]
    random.shuffle(new)
    return add(text, [*opening, *(say(directive, meta, random) for directive in new)])


def from_scratch(meta: MetaPrompt, wanted: frozenset[str], random: Random) -> str:
    """Return new instructions that ask for what is wanted; as a numbered list when a rubric is asked for."""
    introductions = INTRODUCTIONS.get(meta.dimension)
    introduction = random.choice(introductions[meta.language]) if introductions else first_sentence(meta.current)
    if not introduction:
        introduction = random.choice(INTRODUCTIONS["faithfulness"][meta.language])
    # Claims come first and the verdict last, whatever else is asked.
    shuffled = random.sample(sorted(wanted), len(wanted))
    order = sorted(shuffled, key=lambda name: (name != "claims", name == "all-or-nothing"))
    sentences = [say(directive, meta, random) for directive in order]
    lines = definitions(meta.current, meta.labels)
    if meta.strategy == "explicit rubric":
        numbered = [f"{number}. {sentence}" for number, sentence in enumerate(sentences, start=1)]
        closing = random.choice(CLOSINGS[meta.language])
        return "\n".join(
            _without_empty([introduction, random.choice(CRITERIA[meta.language]), *numbered, *lines, closing])
        )
    return "\n".join(_without_empty([" ".join([introduction, *sentences]), *lines]))


def say(directive: str, meta: MetaPrompt, random: Random) -> str:
    """Return one phrasing of a directive, preferably one that no earlier prompt has."""
    return choose(ASKING[directive][meta.language], meta, random)


def choose(phrasings: Sequence[str], meta: MetaPrompt, random: Random) -> str:
    """Return one of several phrasings, preferably one that no earlier prompt has."""
    told = (*meta.tried, meta.current)
    fresh = [phrasing for phrasing in phrasings if not any(phrasing in text for text in told)]
    return random.choice(fresh or list(phrasings))


def _without_empty(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line]
