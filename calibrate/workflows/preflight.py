"""What a command is about to do and what that will cost, told before anything is spent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from calibrate.domain import Json, Model, ModelRequest, canonical_json, request_key
from calibrate.errors import InputError, StoreError
from calibrate.judge import PromptJudge
from calibrate.providers import CONCURRENCY, expected_cost, how_to_price, largest_cost, limits_of
from calibrate.providers.batches import open_batches
from calibrate.store import Store, Typical
from calibrate.workflows.record import money
from calibrate.workflows.results import document
from calibrate.workflows.setup import JudgeOptions, Prepared

__all__ = [
    "CHARACTERS_PER_TOKEN",
    "OUTPUT_TOKENS",
    "DryRun",
    "Estimate",
    "Work",
    "estimate",
    "judging",
    "known_replies",
    "refuse_unknown_price",
    "request_characters",
    "work_of",
]

CHARACTERS_PER_TOKEN = 4
"""Taken for all models and languages."""

OUTPUT_TOKENS = {"judge": 100, "optimizer": 700}
"""Of a reply, where no earlier one tells."""

_SECONDS = 2.0
_DAY = 86_400.0
_CHUNK = 500
_PRICED_ONE_BY_ONE = 2000  # items; in a larger set each call counts as much as the longest can cost


@dataclass(frozen=True, slots=True)
class Work:
    """Calls that one model is about to get.

    Attributes:
        model: its name.
        calls: calls to be paid for, all that there can be.
        stored: further requests whose replies are stored already.
        input_tokens: of the calls that are to be expected, estimated at four characters a token.
        output_tokens: of the same calls, at the mean of earlier replies of this model, else an assumption.
        cost: US dollars that they cost; None when the price is unknown.
        most: US dollars that the calls can cost at most, one attempt each; None when that is unknown.
        seconds: how long they take at the mean latency of earlier replies, else an assumed one.
        assumed: whether output and latency are assumptions, for want of earlier replies.
        batched: whether they go through a batch endpoint; ``seconds`` is then the longest that one batch takes.
        purpose: what the calls are for, in a word or two.
        unlikely: those of ``calls`` that are made only where something goes wrong, such as asking once more for a reply
            that cannot be used; they are no part of tokens, ``cost`` and ``seconds``.
        assumes: what else is assumed, in words; empty for nothing.
    """

    model: str
    calls: int
    stored: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    most: float | None
    seconds: float
    assumed: bool
    batched: bool = False
    purpose: str = ""
    unlikely: int = 0
    assumes: str = ""

    def to_json(self) -> dict[str, Json]:
        """Return the work as JSON."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return told if self.assumes else {name: value for name, value in told.items() if name != "assumes"}


@dataclass(frozen=True, slots=True)
class Estimate:
    """The work of a command.

    Attributes:
        works: by model and purpose.
        upper: whether the command may stop before it has done all of this.
        simulated: whether prices are made up.
    """

    works: tuple[Work, ...]
    upper: bool = False
    simulated: bool = False

    @property
    def calls(self) -> int:
        """All calls together."""
        return sum(work.calls for work in self.works)

    @property
    def cost(self) -> float | None:
        """US dollars to be expected; None when a part is unknown."""
        return _sum(work.cost for work in self.works)

    @property
    def most(self) -> float | None:
        """US dollars at most; None when a part is unknown."""
        return _sum(work.most for work in self.works)

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return sum(work.seconds for work in self.works)

    @property
    def sentence(self) -> str:
        """The estimate in a line."""
        stored = sum(work.stored for work in self.works)
        if not self.calls:
            return f"{_all_stored(stored)}: no calls are needed" if stored else "no calls are needed"
        calls = " and ".join(
            f"{work.calls:,} call{'s' if work.calls > 1 else ''} to {work.model}"
            for work in self._by_model()
            if work.calls
        )
        tokens = sum(work.input_tokens for work in self.works), sum(work.output_tokens for work in self.works)
        size = f"about {tokens[0]:,} input and {tokens[1]:,} output tokens; " if any(tokens) else ""
        cost = "the cost is unknown" if self.cost is None else f"about {money(self.cost)}"
        if self.cost is not None and self.most is not None and not self.upper:
            cost += f", at most {money(self.most)}"
        if self.cost == 0:
            cost = "no cost"
        elif self.simulated and self.cost is not None:
            cost += " (made-up prices)"
        replayed = f", {stored:,} more are stored" if stored else ""
        time = "within a day for each batch" if any(work.batched for work in self.works) else _time(self.seconds)
        assumptions = ["usual lengths and times"] if any(work.assumed for work in self.works) else []
        assumptions += dict.fromkeys(work.assumes for work in self.works if work.assumes)
        assumed = f", assuming {' and '.join(assumptions)}" if assumptions else ""
        return f"{'up to ' if self.upper else ''}{calls}{replayed}; {size}{cost}; {time}{assumed}"

    def to_json(self) -> dict[str, Json]:
        """Return the estimate as JSON."""
        return {
            "calls": self.calls,
            "cost": self.cost,
            "at_most": self.most,
            "seconds": self.seconds,
            "upper_bound": self.upper,
            "work": [work.to_json() for work in self.works],
        }

    def _by_model(self) -> list[Work]:
        """The works with those of one model added up, for the sentence."""
        calls: dict[str, Work] = {}
        for work in self.works:
            before = calls.get(work.model)
            total = work.calls + (before.calls if before else 0)
            calls[work.model] = Work(work.model, total, 0, 0, 0, None, None, 0.0, assumed=False)
        return list(calls.values())


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a command would have done."""

    estimate: Estimate

    @property
    def sentence(self) -> str:
        """The estimate in a line."""
        return self.estimate.sentence

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        told = self.estimate
        return document(
            "ok", dry_run=True, sentence=told.sentence, simulated=told.simulated, estimate=told.to_json(), results=[]
        )


@contextmanager
def known_replies(db: str) -> Iterator[Store | None]:
    """Open the run database to look stored replies up; None when there is none yet (it is not made)."""
    try:
        store = Store(db, create=False)
    except StoreError:
        yield None  # not there yet; whatever else is wrong with it, the command itself will say
        return
    with store:
        yield store


def judging(
    store: Store | None,
    model: Model,
    part: Prepared,
    judge: JudgeOptions,
    *,
    unlabelled: bool = False,
    repeats: Sequence[int] = (0,),
    purpose: str = "judging the prompt",
) -> Work:
    """Return the work of judging one dimension with its prompt; ``unlabelled`` items too, where that is asked for.

    ``repeats`` are the numbers of the repetitions: 0 is the first run.
    """
    scale = part.golden.scales[part.dimension]
    prompt_judge = PromptJudge(part.prompt, model.name, scale, part.settings)
    items = part.golden.items if unlabelled else part.golden.labelled
    votes = part.settings.votes
    asks = [replace(ask, repeat=number * votes + ask.repeat) for number in repeats for ask in part.settings.asks]
    calls = stored = characters = 0
    seen = set[str]()  # a request that comes again is asked once
    most: float | None = 0.0
    longest = ModelRequest(system="", user="")
    for start in range(0, len(items), _CHUNK):
        chunk = items[start : start + _CHUNK]
        requests = [prompt_judge.request(item, ask) for item in chunk for ask in asks]
        keys = [request_key(model, request) for request in requests]
        known = set() if store is None or judge.fresh else store.known(keys)
        for key, request in zip(keys, requests, strict=True):
            if key in seen:
                continue
            seen.add(key)
            if key in known:
                stored += 1
                continue
            calls += 1
            characters += request_characters(request)
            if request_characters(request) > request_characters(longest):
                longest = request
            if len(items) <= _PRICED_ONE_BY_ONE:
                most = _sum((most, largest_cost(model, request)))
    if len(items) > _PRICED_ONE_BY_ONE:
        most = _times(calls, largest_cost(model, longest))
    tokens = characters // CHARACTERS_PER_TOKEN
    return work_of(store, model, judge, calls, tokens, "judge", stored, most, purpose)


def work_of(
    store: Store | None,
    model: Model,
    judge: JudgeOptions,
    calls: int,
    input_tokens: int,
    role: str,
    stored: int,
    most: float | None,
    purpose: str,
    unlikely: int = 0,
) -> Work:
    """Return calls as work.

    Args:
        store: the run database; None when there is none yet.
        model: who is asked.
        judge: how the judge is asked.
        calls: those that are to be expected.
        input_tokens: theirs.
        role: ``judge`` or ``optimizer``.
        stored: further requests whose replies are stored already.
        most: US dollars that the calls can cost at most; None when that is unknown.
        purpose: what for.
        unlikely: further calls, made only where something goes wrong.
    """
    typical = Typical(0, None, None) if store is None else store.typical(model.name)
    known = typical.replies > 0
    mean = typical.output_tokens
    usual = 0 if judge.is_code and role == "judge" else OUTPUT_TOKENS[role]
    output = round(calls * (usual if mean is None else mean))
    latency = _SECONDS if typical.latency is None else typical.latency
    if not known and model.simulated:
        latency = 0.01
    places, rate = limits_of(model)
    seconds = calls * latency / (min(places or CONCURRENCY, calls) or 1)
    share = 1.0
    batched = judge.mode == "batch" and role == "judge"
    if batched:
        share, seconds, rate = open_batches(model).discount, _DAY if calls else 0.0, None
    expected = expected_cost(model, input_tokens, output) if calls else 0.0
    return Work(
        model=model.name,
        calls=calls + unlikely,
        stored=stored,
        input_tokens=input_tokens,
        output_tokens=output,
        cost=None if expected is None else expected * share,
        most=0.0 if not calls else None if most is None else most * share,
        seconds=max(seconds, calls / rate * 60) if rate else seconds,
        assumed=calls > 0 and not known,
        batched=batched and calls > 0,
        purpose=purpose,
        unlikely=unlikely,
    )


def request_characters(request: ModelRequest) -> int:
    """Return how many characters of a request are paid for."""
    schema = len(canonical_json(request.schema)) if request.schema is not None else 0
    return len(request.system) + len(request.user) + schema


def estimate(works: Iterable[Work], models: Sequence[Model], *, upper: bool = False) -> Estimate:
    """Put the works of a command together."""
    some = tuple(work for work in works if work.calls or work.stored)
    return Estimate(some, upper, any(model.simulated for model in models))


def refuse_unknown_price(model: Model, budget: float | None) -> None:
    """Refuse a budget for a model whose price is unknown.

    Raises:
        InputError: there is a budget, and nothing is known about the price.
    """
    if budget is not None and largest_cost(model, ModelRequest(system="", user="?")) is None:
        raise InputError(f"{model.name}: --budget needs a price, and none is known: {how_to_price(model.name)}")


def _all_stored(replies: int) -> str:
    return "the one reply is stored" if replies == 1 else f"all {replies:,} replies are stored"


def _sum(values: Iterable[float | None]) -> float | None:
    total = 0.0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _times(count: int, value: float | None) -> float | None:
    return None if value is None else count * value


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {round(seconds / 60)} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
