import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from calibrate.domain import ModelRequest, ModelResponse, request_key
from calibrate.errors import ProviderError
from calibrate.providers import CachedModel

REQUEST = ModelRequest(system="s", user="u")
STORED = ModelResponse(
    text="stored", finish="stop", model="m", cost=0.5, latency=2.0, cached_at="2026-01-01T00:00:00+00:00"
)
NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


class Counting:
    """Answers when it is let, and counts how often it was asked."""

    name = "counting"
    simulated = False
    identity = {}  # noqa: RUF012 — never changed

    def __init__(self, failure=None):
        self.calls = 0
        self.cancelled = 0
        self.failure = failure
        self.go = asyncio.Event()

    async def complete(self, request):
        self.calls += 1
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.failure:
            raise self.failure
        return ModelResponse(text=f"answer {self.calls}", finish="stop", model="m", cost=1.0)

    async def close(self):
        pass


def nothing(key):
    return None


def cached(inner, lookup=nothing, **options):
    return CachedModel(inner, lookup, now=lambda: NOW, **options)


async def settle():
    for _ in range(10):
        await asyncio.sleep(0)


def test_a_stored_response_is_replayed_as_it_is():
    inner = Counting()
    stored = {request_key(inner, REQUEST): STORED}
    assert asyncio.run(cached(inner, stored.get).complete(REQUEST)) == STORED
    assert inner.calls == 0


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, user="v"),
        replace(REQUEST, repeat=1),
        replace(REQUEST, temperature=1.0),
        replace(REQUEST, item={"id": "1"}),
    ],
)
def test_another_request_is_not_a_hit(other):
    inner = Counting()
    inner.go.set()
    stored = {request_key(inner, REQUEST): STORED}
    response = asyncio.run(cached(inner, stored.get).complete(other))
    assert (response.text, response.cached_at) == ("answer 1", None)


def test_a_key_that_comes_again_later_is_paid_for_once():
    async def run():
        model = cached(inner, keep={request_key(inner, REQUEST)})
        return [await model.complete(REQUEST) for _ in range(3)]

    inner = Counting()
    inner.go.set()
    first, *others = asyncio.run(run())
    assert inner.calls == 1
    assert first.cached_at is None
    assert [each.text for each in others] == ["answer 1", "answer 1"]
    assert all(each.cached_at == NOW.isoformat(timespec="seconds") for each in others)


def test_identical_requests_in_flight_are_one_call_that_is_paid_once():
    async def run():
        model = cached(inner)
        tasks = [asyncio.create_task(model.complete(REQUEST)) for _ in range(5)]
        await settle()
        inner.go.set()
        return await asyncio.gather(*tasks)

    inner = Counting()
    responses = asyncio.run(run())
    assert inner.calls == 1
    assert {response.text for response in responses} == {"answer 1"}
    paid = [response for response in responses if response.cached_at is None]
    assert len(paid) == 1
    assert {response.cached_at for response in responses if response is not paid[0]} == {"2026-03-04T05:06:07+00:00"}


def test_different_requests_in_flight_are_different_calls():
    async def run():
        model = cached(inner)
        inner.go.set()
        await asyncio.gather(model.complete(REQUEST), model.complete(replace(REQUEST, repeat=1)))

    inner = Counting()
    asyncio.run(run())
    assert inner.calls == 2


def test_requests_after_one_another_are_not_joined():
    async def run():
        model = cached(inner)
        inner.go.set()
        return [await model.complete(REQUEST), await model.complete(REQUEST)]

    inner = Counting()
    assert [response.text for response in asyncio.run(run())] == ["answer 1", "answer 2"]


def test_a_failure_reaches_everyone_who_waits_and_is_not_kept():
    async def run():
        model = cached(inner)
        tasks = [asyncio.create_task(model.complete(REQUEST)) for _ in range(3)]
        await settle()
        inner.go.set()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        inner.failure = None
        return outcomes, await model.complete(REQUEST)

    inner = Counting(failure=ProviderError("down"))
    outcomes, later = asyncio.run(run())
    assert [str(outcome) for outcome in outcomes] == ["down"] * 3
    assert later.text == "answer 2"


def test_who_gives_up_first_does_not_take_the_reply_from_the_others():
    async def run():
        model = cached(inner)
        first = asyncio.create_task(model.complete(REQUEST))
        await settle()
        second = asyncio.create_task(model.complete(REQUEST))
        await settle()
        first.cancel()
        await settle()
        inner.go.set()
        return await second

    inner = Counting()
    assert asyncio.run(run()).text == "answer 1"
    assert (inner.calls, inner.cancelled) == (1, 0)


def test_when_all_give_up_the_call_ends_and_the_next_request_starts_anew():
    async def run():
        model = cached(inner)
        tasks = [asyncio.create_task(model.complete(REQUEST)) for _ in range(2)]
        await settle()
        for task in tasks:
            task.cancel()
        await asyncio.sleep(0)  # they have left; the call they waited for is not over yet
        anew = asyncio.create_task(model.complete(REQUEST))
        await settle()
        inner.go.set()
        return await anew

    inner = Counting()
    assert asyncio.run(run()).text == "answer 2"
    assert inner.cancelled == 1


def test_a_reply_that_comes_as_its_caller_is_stopped_is_handed_over():
    async def run():
        model = cached(inner)
        task = asyncio.create_task(model.complete(REQUEST))
        await settle()
        inner.go.set()
        while not all(flight.task.done() for flight in model._flights.values()):
            await asyncio.sleep(0)
        task.cancel()
        return await asyncio.gather(task, return_exceptions=True)

    inner = Counting()
    (outcome,) = asyncio.run(run())
    assert inner.cancelled == 0
    assert getattr(outcome, "text", outcome) == "answer 1"
