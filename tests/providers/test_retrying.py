"""Retries on a clock that only sleeping moves."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Loopback, dropped, error

from calibrate.config import Secret
from calibrate.domain import ModelRequest, ModelResponse
from calibrate.errors import InputError, ProviderError
from calibrate.providers import (
    CallError,
    LimitedModel,
    NoRetry,
    Pricing,
    RateLimited,
    RetryingModel,
    Transient,
    innermost,
)
from calibrate.providers.endpoint import Endpoint
from calibrate.providers.openai_model import OpenAIModel

REQUEST = ModelRequest(system="", user="?")


class Time:
    """A clock and the sleep that moves it."""

    def __init__(self):
        self.now = 1000.0
        self.slept = []

    def clock(self):
        return self.now

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.now = max(self.now, self.now + seconds)
        await asyncio.sleep(0)


class Scripted:
    """A model that fails as told, then answers."""

    name = "scripted"
    simulated = False
    identity = {"script": 1}  # noqa: RUF012 — never changed

    def __init__(self, *outcomes, time=None, seconds=0.0):
        self.outcomes = list(outcomes)
        self.calls = 0
        self.closed = False
        self.time = time
        self.seconds = seconds

    async def complete(self, request):
        self.calls += 1
        if self.time:
            self.time.now += self.seconds
        await asyncio.sleep(0)
        outcome = self.outcomes.pop(0) if self.outcomes else "ok"
        if isinstance(outcome, Exception):
            raise outcome
        return ModelResponse(text=outcome, finish="stop", model="scripted")

    async def close(self):
        self.closed = True


def fails(retry, message="scripted: failed", systemic=False):
    return CallError(message, retry=retry, systemic=systemic)


def retrying(inner, time, **options):
    return RetryingModel(inner, clock=time.clock, sleep=time.sleep, jitter=lambda: 0.0, **options)


def test_a_transient_failure_is_tried_again_after_growing_waits():
    time, inner = Time(), Scripted(*[fails(Transient())] * 4, "ok")
    assert asyncio.run(retrying(inner, time).complete(REQUEST)).text == "ok"
    assert time.slept == [1.0, 2.0, 4.0, 8.0]


def test_after_five_attempts_it_is_given_up():
    time, inner = Time(), Scripted(*[fails(Transient(), systemic=True)] * 9)
    with pytest.raises(CallError, match=r"^scripted: failed \(given up after 5 attempts\)$") as caught:
        asyncio.run(retrying(inner, time).complete(REQUEST))
    assert inner.calls == 5
    assert (caught.value.retry, caught.value.systemic) == (NoRetry(), True)


@pytest.mark.parametrize(
    "problem", [fails(NoRetry()), InputError("no such model"), ProviderError("raised"), KeyError()]
)
def test_what_another_attempt_cannot_help_is_not_tried_again(problem):
    time, inner = Time(), Scripted(problem)
    with pytest.raises(type(problem)) as caught:
        asyncio.run(retrying(inner, time).complete(REQUEST))
    assert caught.value is problem
    assert inner.calls == 1
    assert time.slept == []


def test_a_stated_limit_is_waited_out_and_does_not_count_as_an_attempt():
    time, inner = Time(), Scripted(*[fails(RateLimited(20.0))] * 8, "ok")
    assert asyncio.run(retrying(inner, time, attempts=1).complete(REQUEST)).text == "ok"
    assert time.slept == [20.0] * 8


def test_a_stated_limit_holds_back_every_request_of_the_model():
    async def run():
        model = retrying(inner, time)
        first = asyncio.create_task(model.complete(REQUEST))
        while not time.slept:
            await asyncio.sleep(0)
        await asyncio.gather(first, *(model.complete(REQUEST) for _ in range(3)))

    async def sleep(seconds):
        time.slept.append(seconds)
        for _ in range(20):
            await asyncio.sleep(0)
        calls_while_limited.append(inner.calls)
        time.now = max(time.now, 1000.0 + 20.0)

    time, inner, calls_while_limited = Time(), Scripted(fails(RateLimited(20.0))), []
    time.sleep = sleep
    asyncio.run(run())
    assert calls_while_limited[0] == 1
    assert inner.calls == 5
    assert time.slept == [20.0] * 4


def test_a_limit_longer_than_the_total_time_is_given_up_at_once():
    time, inner = Time(), Scripted(fails(RateLimited(601.0), "scripted: slow down"))
    with pytest.raises(CallError, match=r"slow down \(given up after 1 attempt\)"):
        asyncio.run(retrying(inner, time, total_seconds=600.0).complete(REQUEST))
    assert time.slept == []


def test_limits_without_end_are_given_up_when_the_total_time_is_over():
    time, inner = Time(), Scripted(*[fails(RateLimited(50.0))] * 100)
    with pytest.raises(CallError, match="given up"):
        asyncio.run(retrying(inner, time, total_seconds=600.0).complete(REQUEST))
    assert inner.calls == 13


def test_a_request_does_not_wait_beyond_its_own_time_for_a_limit_another_one_met():
    class Two(Scripted):
        async def complete(self, request):
            if request.user == "late":
                raise fails(RateLimited(80.0))
            await limited.wait()
            raise fails(Transient())

    async def sleep(seconds):
        if seconds == 80.0:
            limited.set()
            await asyncio.Event().wait()
        time.now += seconds

    async def run():
        model = RetryingModel(Two(), total_seconds=100.0, clock=time.clock, sleep=sleep, jitter=lambda: 0.0)
        early = asyncio.create_task(model.complete(ModelRequest(system="", user="early")))
        await asyncio.sleep(0)
        time.now += 50.0
        late = asyncio.create_task(model.complete(ModelRequest(system="", user="late")))
        try:
            await early
        finally:
            late.cancel()

    time, limited = Time(), asyncio.Event()
    with pytest.raises(CallError, match="scripted: rate limited for another 79 s"):
        asyncio.run(run())


def test_nothing_is_started_after_the_total_time():
    time = Time()
    inner = Scripted(*[fails(Transient())] * 9, time=time, seconds=250.0)
    with pytest.raises(CallError, match="given up after 3 attempts"):
        asyncio.run(retrying(inner, time, attempts=9, total_seconds=600.0).complete(REQUEST))


@given(st.floats(min_value=0, max_value=1, exclude_max=True), st.integers(min_value=1, max_value=12))
def test_waits_are_shortened_by_at_most_half_and_never_above_thirty_seconds(jitter, failures):
    time, inner = Time(), Scripted(*[fails(Transient())] * failures, "ok")
    model = RetryingModel(
        inner, attempts=20, total_seconds=1e6, clock=time.clock, sleep=time.sleep, jitter=lambda: jitter
    )
    asyncio.run(model.complete(REQUEST))
    for number, wait in enumerate(time.slept):
        assert 0.5 * min(30.0, 2.0**number) <= wait <= min(30.0, 2.0**number)


def test_a_wrapper_shows_the_inner_model_and_closes_it():
    inner = Scripted()
    model = RetryingModel(LimitedModel(inner, 2))
    assert (model.name, model.simulated, model.identity) == ("scripted", False, {"script": 1})
    assert innermost(model) is inner
    asyncio.run(model.close())
    assert inner.closed


def openai_at(server):
    return OpenAIModel(
        Endpoint(
            name="openai:m",
            model="m",
            base_url=server.openai_url,
            pricing=Pricing("m", provider="openai"),
            key=Secret("k"),
            key_variable="OPENAI_API_KEY",
        )
    )


@pytest.mark.parametrize(
    ("replies", "slept"),
    [
        ([error(500), dropped(), error(529), "ok"], [1.0, 2.0, 4.0]),
        ([error(429, retry_after=7), error(500), "ok"], [7.0, 1.0]),
        (["ok"], []),
    ],
)
def test_over_http_a_provider_that_recovers_answers(replies, slept):
    async def run():
        model = retrying(openai_at(server), time)
        response = await model.complete(REQUEST)
        await model.close()
        return response

    time = Time()
    with Loopback(replies) as server:
        assert asyncio.run(run()).text == "ok"
    assert time.slept == pytest.approx(slept)
    assert server.requests == len(replies)


def test_over_http_a_bad_request_is_made_once():
    async def run():
        model = retrying(openai_at(server), time)
        try:
            await model.complete(REQUEST)
        finally:
            await model.close()

    time = Time()
    with Loopback(error(400)) as server, pytest.raises(CallError, match="answered 400"):
        asyncio.run(run())
    assert server.requests == 1


class TestConcurrencyLimit:
    def test_no_more_than_the_limit_are_in_flight(self):
        running = most = 0

        class Slow(Scripted):
            async def complete(self, request):
                nonlocal running, most
                running += 1
                most = max(most, running)
                await asyncio.sleep(0)
                running -= 1
                return await super().complete(request)

        async def run():
            model = LimitedModel(Slow(), 3)
            await asyncio.gather(*(model.complete(REQUEST) for _ in range(20)))

        asyncio.run(run())
        assert most == 3

    def test_a_failure_frees_its_place(self):
        async def run():
            model = LimitedModel(Scripted(fails(NoRetry())), 1)
            with pytest.raises(CallError):
                await model.complete(REQUEST)
            return await model.complete(REQUEST)

        assert asyncio.run(run()).text == "ok"

    def test_a_request_that_waits_for_its_next_attempt_holds_no_place(self):
        async def run():
            inner = Scripted(fails(Transient()))
            model = RetryingModel(LimitedModel(inner, 1), sleep=sleep)
            waiting = asyncio.create_task(model.complete(REQUEST))
            await asleep.wait()
            assert (await model.complete(REQUEST)).text == "ok"
            wake.set()
            assert (await waiting).text == "ok"

        async def sleep(seconds):
            asleep.set()
            await wake.wait()

        asleep, wake = asyncio.Event(), asyncio.Event()
        asyncio.run(run())
