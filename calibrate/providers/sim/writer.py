"""The offline prompt writer: it answers the real meta-prompt with a rewrite, and guesses as writers do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from random import Random

from calibrate.domain import Json, ModelRequest, ModelResponse, digest
from calibrate.errors import InputError
from calibrate.providers.prices import Pricing
from calibrate.providers.sim.billing import SIMULATOR_VERSION, most_cost, pricing, respond
from calibrate.providers.sim.combining import shortened, united
from calibrate.providers.sim.diagnosis import STRICT, TOLERANT, Diagnosis, diagnose, dimension_shown
from calibrate.providers.sim.directives import DIRECTIVES, recognise
from calibrate.providers.sim.drafting import (
    add,
    drop,
    fit,
    keep_placeholders,
    leave_out,
    placeholders,
    sentences_of,
)
from calibrate.providers.sim.focuses import FEW_SHOT, FOCUSES, points_at_examples
from calibrate.providers.sim.metaprompt import MetaPrompt, read_meta_prompt
from calibrate.providers.sim.patterns import patterns_found
from calibrate.providers.sim.phrasings import ASKING, COMMENTS
from calibrate.providers.sim.question_drafting import draft_question
from calibrate.providers.sim.repairs import avoiding, differs, limit_of, lost_placeholders, shall_not_copy
from calibrate.providers.sim.rewriting import FROM_SCRATCH, choose, directives_wanted, draw, edited, from_scratch, say
from calibrate.providers.sim.step_rewriting import rewritten_split, splits_answers

__all__ = ["WRITER", "SimWriter"]

WRITER = "sim:writer"

_CANNOT = (
    "This is the offline simulator sim:writer. It can rewrite judge prompts when it is given the optimizer's "
    "meta-prompt, and draft questions from a passage; it cannot answer this request. Use a real model for it."
)
_ATTEMPTS = 8
_FITTING = {"fix wrongly accepted": STRICT, "fix wrongly rejected": TOLERANT}
_MERGE, _SHORTEN = "merge", "shorten"
_MUST_DIFFER = frozenset({*FOCUSES, FEW_SHOT, _MERGE, _SHORTEN})
_TERSER = 0.6
_ROOM = 40


class SimWriter:
    """A rule-based prompt writer behind the model protocol.

    It reads the errors shown with the reader's own checks and their notes, guesses what the prompt lacks or has too
    much of, and writes that down in one of several phrasings, by the strategy asked for. It draws its choices from the
    request's digest: the same request gives the same text, another repeat another one. It sees a few errors only, so
    some of its rewrites help, some do not, and some hurt. Asked for the patterns in the errors, it groups them by what
    it guesses to be amiss in each. Told what was wrong with a reply, it answers again without that. A block of
    labelled examples at the end of the current prompt stays as it is, or goes where new ones will follow. Asked for a
    question about a passage, it turns a statement of the passage around.

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
        """Answer a meta-prompt with a rewrite, or with patterns; say so when the request is none."""
        await asyncio.sleep(0)  # lets progress and interruption through between two rewrites
        started = self._clock()
        meta = read_meta_prompt(request)
        if meta is None:
            text = draft_question(request, Random(int(digest(request.to_json()), 16))) or _CANNOT
        elif meta.wants_patterns:
            text = patterns_found(meta)
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
    meta = avoiding(meta)
    asked = recognise(meta.current)
    diagnosis = diagnose(meta, asked, dimension_shown(meta))
    drafts = _cuts(meta, asked, random) if meta.strategy == _SHORTEN else _drafts(meta, asked, diagnosis, random)
    text = ""
    for draft in drafts:
        text = _finished(draft, meta)
        if (meta.strategy not in _MUST_DIFFER and meta.repair is None) or differs(text, meta):
            break
    return text


def _drafts(meta: MetaPrompt, asked: frozenset[str], diagnosis: Diagnosis, random: Random) -> Iterator[str]:
    """Yield rewrites, the one most like what was asked for first."""
    if splits_answers(meta):
        for _ in range(_ATTEMPTS):
            yield rewritten_split(meta, random)
    merging = frozenset[str]()
    if meta.strategy == _MERGE and meta.other:
        merging = recognise(meta.other)
        if not shall_not_copy(meta):
            pair = (meta.current, meta.other)
            for base, other in random.sample((pair, pair[::-1]), 2):
                yield _with(asked | merging, united(base, other, meta.labels), meta, random)
    for _ in range(_ATTEMPTS):
        wanted = _untried(meta, asked, diagnosis, merging, random)
        if meta.strategy in FROM_SCRATCH:
            yield from_scratch(meta, wanted, random)
        else:
            yield edited(meta, asked, wanted, random)
    # No edit was unlike enough.
    yield from_scratch(meta, _untried(meta, asked, diagnosis, merging, random), random)


def _untried(
    meta: MetaPrompt, asked: frozenset[str], diagnosis: Diagnosis, merging: frozenset[str], random: Random
) -> frozenset[str]:
    """Return directives to ask for that no earlier prompt has asked for together, if such are found."""
    seen = {recognise(text) for text in (*meta.tried, meta.current)}
    wanted = asked
    for attempt in range(_ATTEMPTS):
        wanted = directives_wanted(meta.strategy, asked, diagnosis, random, merging=merging)
        if meta.strategy == FEW_SHOT:
            break  # the examples make the difference
        if 2 * attempt >= _ATTEMPTS:
            # What the errors speak for has been tried: something else along with it.
            fitting = _FITTING.get(meta.strategy, frozenset(DIRECTIVES))
            wanted |= draw({}, fitting - wanted, 1, random)
        if wanted not in seen:
            break
    return wanted


def _cuts(meta: MetaPrompt, asked: frozenset[str], random: Random) -> list[str]:
    """Return shorter versions of the current instructions, and at the end the shortest of those that are none."""
    cut = shortened(meta.current, meta.labels)
    texts = [cut, *(_restated(cut, meta, random) for _ in range(_ATTEMPTS))]
    if random.random() < _TERSER:
        texts = [*texts[1:], cut]
    texts.extend(sorted((from_scratch(meta, asked, random) for _ in range(_ATTEMPTS)), key=len))
    shorter = [text for text in texts if len(text) < len(meta.current)]
    return [*shorter, min((text for text in texts if text != meta.current), key=len, default=meta.current)]


def _restated(text: str, meta: MetaPrompt, random: Random) -> str:
    """Return a prompt with some of its sentences in fewer words."""
    for directive in sorted(recognise(text)):
        left = drop(text, directive)
        fewer = [each for each in ASKING[directive][meta.language] if len(each) + 1 < len(text) - len(left)]
        if fewer and random.random() < _TERSER:
            changed = add(left, [choose(fewer, meta, random)])
            text = changed if recognise(changed) == recognise(text) else text
    return text


def _with(wanted: frozenset[str], text: str, meta: MetaPrompt, random: Random) -> str:
    """Return a prompt that asks for everything wanted; what is missing is added."""
    return add(text, [say(directive, meta, random) for directive in sorted(wanted - recognise(text))])


def _finished(text: str, meta: MetaPrompt) -> str:
    """Return a rewrite with its placeholders and the block of examples, within the limit."""
    text = keep_placeholders(
        text, tuple(dict.fromkeys((*placeholders(meta.current), *lost_placeholders(meta)))), meta.language
    )
    limit = limit_of(meta)
    # The block is no part of a reply that new examples follow; where it leaves no room for instructions it must go.
    kept = meta.strategy != FEW_SHOT and limit - len(meta.examples) >= _ROOM
    block = meta.examples if kept else ""
    if not block and meta.strategy != FEW_SHOT:
        pointing = [place for place, each in enumerate(sentences_of(text)) if points_at_examples(each)]
        text = leave_out(text, pointing) if pointing else text
    room = limit - len(block)
    if meta.repair is not None and len(text) > room:
        text = shortened(text, meta.labels)
    return fit(text, room) + block
