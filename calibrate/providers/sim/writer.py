"""The offline prompt writer: it answers the real meta-prompt with a rewrite, and guesses as writers do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from calibrate.domain import Json, ModelRequest, ModelResponse, digest
from calibrate.errors import InputError
from calibrate.providers.prices import Pricing
from calibrate.providers.sim.billing import SIMULATOR_VERSION, most_cost, pricing, respond
from calibrate.providers.sim.diagnosis import STRICT, TOLERANT, Diagnosis, diagnose
from calibrate.providers.sim.dimension import dimension_of
from calibrate.providers.sim.directives import DIRECTIVES, recognise
from calibrate.providers.sim.drafting import (
    add,
    definitions,
    drop,
    first_sentence,
    fit,
    keep_placeholders,
    placeholders,
)
from calibrate.providers.sim.metaprompt import MetaPrompt, read_meta_prompt
from calibrate.providers.sim.phrasings import ASKING, CLOSINGS, COMMENTS, CRITERIA, INTRODUCTIONS
from calibrate.providers.sim.requests import Role, roles_of

__all__ = ["WRITER", "SimWriter"]

WRITER = "sim:writer"

_CANNOT = (
    "This is the offline simulator sim:writer. It can rewrite judge prompts when it is given the optimizer's "
    "meta-prompt; it"
    " cannot answer this request. Use a real model for it."
)
_ATTEMPTS = 8
_FITTING = {"fix wrongly accepted": STRICT, "fix wrongly rejected": TOLERANT}
_WHIM = 0.12
_EASE = 0.35


class SimWriter:
    """A rule-based prompt writer behind the model protocol.

    It reads the errors shown with the reader's own checks and their notes, guesses what the prompt lacks or has too
    much of, and writes that down in one of several phrasings, by the strategy asked for. It draws its choices from the
    request's digest: the same request gives the same text, another repeat another one. It sees a few errors only, so
    some of its rewrites help, some do not, and some hurt.

    Args:
        name: ``sim:writer``.
        clock: where latency is measured.

    Raises:
        InputError: another name.
    """

    def __init__(self, name: str = WRITER, *, clock: Callable[[], float] = time.perf_counter) -> None:
        if name != WRITER:
            raise InputError(f"no simulated writer is called {name}; use {WRITER}")
        self._clock = clock

    @property
    def name(self) -> str:
        """The name as the user wrote it."""
        return WRITER

    @property
    def simulated(self) -> bool:
        """Always true."""
        return True

    @property
    def identity(self) -> Mapping[str, Json]:
        """The simulator's version."""
        return {"simulator": SIMULATOR_VERSION}

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer a meta-prompt with a rewrite; say so when the request is none."""
        await asyncio.sleep(0)  # lets progress and interruption through between two rewrites
        started = self._clock()
        meta = read_meta_prompt(request)
        if meta is None:
            text = _CANNOT
        else:
            rewrite = _rewrite(meta, Random(int(digest(request.to_json()), 16)))
            comment = COMMENTS[meta.language].format(strategy=meta.strategy)
            text = f"{comment}\n<prompt>\n{rewrite}\n</prompt>"
        return respond(request, text, WRITER, self._clock() - started)

    @property
    def pricing(self) -> Pricing:
        """Made-up prices."""
        return pricing(WRITER)

    def most_cost(self, request: ModelRequest) -> float:
        """Return the most, in made-up US dollars, that the response to a request can cost."""
        return most_cost(request, WRITER)

    async def close(self) -> None:
        """Do nothing: there is no connection."""


def _rewrite(meta: MetaPrompt, random: Random) -> str:
    asked = recognise(meta.current)
    roles: set[Role] = set()
    for error in meta.errors:
        roles |= set(roles_of(error.inputs, "")[0])
    dimension = dimension_of(f"{meta.dimension}. {meta.current}", frozenset(roles or {"question", "context", "answer"}))
    diagnosis = diagnose(meta, asked, dimension)
    seen = {recognise(text) for text in (*meta.tried, meta.current)}
    wanted = asked
    for attempt in range(_ATTEMPTS):
        wanted = _wanted(meta.strategy, asked, diagnosis, random)
        if 2 * attempt >= _ATTEMPTS:
            # What the errors speak for has been tried: something else along with it.
            fitting = _FITTING.get(meta.strategy, frozenset(DIRECTIVES))
            wanted |= _draw({}, fitting - wanted, 1, random)
        if wanted not in seen:
            break
    if meta.strategy in ("explicit rubric", "radical simplification"):
        text = _from_scratch(meta, wanted, random)
    else:
        text = _edited(meta, asked, wanted, random)
    return fit(keep_placeholders(text, placeholders(meta.current), meta.language), meta.limit)


def _wanted(strategy: str, asked: frozenset[str], diagnosis: Diagnosis, random: Random) -> frozenset[str]:
    """Return the directives that the rewrite shall ask for."""
    if strategy == "fix wrongly accepted":
        return asked | _draw(diagnosis.stricter, STRICT - asked, random.randint(1, 3), random)
    if strategy == "fix wrongly rejected":
        over_strict = _draw(diagnosis.drop, asked & STRICT, 1, random) if diagnosis.drop else frozenset()
        gentler = _draw(diagnosis.gentler, TOLERANT - asked, random.randint(1, 2), random)
        if over_strict and (not gentler or random.random() < _EASE):
            return asked - over_strict
        return asked | gentler
    votes = {**diagnosis.stricter}
    for name, count in diagnosis.gentler.items():
        votes[name] = votes.get(name, 0.0) + count
    if strategy == "explicit rubric":
        return asked | _draw(votes, frozenset(DIRECTIVES) - asked, random.randint(2, 4), random)
    if strategy == "radical simplification":
        # Few words: what the errors speak for most, and some of what was there.
        kept = frozenset(name for name in sorted(asked) if random.random() < 0.6)
        return frozenset(kept | _draw(votes, frozenset(DIRECTIVES) - kept, random.randint(1, 3), random))
    wanted = asked | _draw(votes, frozenset(DIRECTIVES) - asked, random.randint(1, 2), random)
    if diagnosis.drop and random.random() < _EASE:
        wanted -= _draw(diagnosis.drop, asked & STRICT, 1, random)
    return wanted


def _draw(votes: Mapping[str, float], among: Iterable[str], count: int, random: Random) -> frozenset[str]:
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


def _edited(meta: MetaPrompt, asked: frozenset[str], wanted: frozenset[str], random: Random) -> str:
    text = meta.current
    for directive in sorted(asked - wanted):
        text = drop(text, directive)
    new = sorted(wanted - asked)
    if not new and wanted == asked and asked:
        # Nothing to add: say one thing in other words.
        again = random.choice(sorted(asked))
        text, new = drop(text, again), [again]
    random.shuffle(new)
    return add(text, [_say(directive, meta, random) for directive in new])


def _from_scratch(meta: MetaPrompt, wanted: frozenset[str], random: Random) -> str:
    introductions = INTRODUCTIONS.get(meta.dimension)
    introduction = random.choice(introductions[meta.language]) if introductions else first_sentence(meta.current)
    if not introduction:
        introduction = random.choice(INTRODUCTIONS["faithfulness"][meta.language])
    # Claims come first and the verdict last, whatever else is asked.
    shuffled = random.sample(sorted(wanted), len(wanted))
    order = sorted(shuffled, key=lambda name: (name != "claims", name == "all-or-nothing"))
    sentences = [_say(directive, meta, random) for directive in order]
    lines = definitions(meta.current, meta.labels)
    if meta.strategy == "explicit rubric":
        numbered = [f"{number}. {sentence}" for number, sentence in enumerate(sentences, start=1)]
        closing = random.choice(CLOSINGS[meta.language])
        return "\n".join(
            _without_empty([introduction, random.choice(CRITERIA[meta.language]), *numbered, *lines, closing])
        )
    return "\n".join(_without_empty([" ".join([introduction, *sentences]), *lines]))


def _say(directive: str, meta: MetaPrompt, random: Random) -> str:
    """Return one phrasing of a directive, preferably one that no earlier prompt has."""
    phrasings = ASKING[directive][meta.language]
    told = (*meta.tried, meta.current)
    fresh = [phrasing for phrasing in phrasings if not any(phrasing in text for text in told)]
    return random.choice(fresh or list(phrasings))


def _without_empty(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line]
