"""Fewer requests at once when a provider has too much to do, more again when it answers; and rates per minute."""

import asyncio
import itertools
import selectors

import pytest

from calibrate.domain import ModelRequest, ModelResponse, Usage
from calibrate.providers import CallError, LimitedModel, NoRetry, RateLimited, RetryingModel, Transient
from calibrate.providers.limits import limits_of

REQUEST = ModelRequest(system="", user="?")


class VirtualTime(asyncio.SelectorEventLoop):
    """A loop on which waiting takes no time: the clock jumps to the next timer."""

    def __init__(self):
        super().__init__(selectors.SelectSelector())
        self.now = 0.0
        select = self._selector.select

        def jump(timeout=None):
            if timeout:
                self.now += timeout
            return select(0)

        self._selector.select = jump

    def time(self):
        self.now += 1e-7  # as every clock: a step too small for it would be waited for without end
        return self.now


def in_virtual_time(work):
    with asyncio.Runner(loop_factory=VirtualTime) as runner:
        return runner.run(work())


class Provider:
    """Serves ``capacity`` requests at once, each in a second, and refuses the others."""

    name = "provider"
    simulated = False
    identity = {}  # noqa: RUF012 — never changed

    def __init__(self, capacity=10**6, refusal=None, output=None):
        self.capacity, self.refusal, self.output = capacity, refusal or Transient(overloaded=True), output
        self.in_flight = self.refused = self.most = 0
        self.started = []

    async def complete(self, request):
        self.started.append(asyncio.get_running_loop().time())
        if self.in_flight >= self.capacity:
            self.refused += 1
            await asyncio.sleep(0.1)
            raise CallError("too many", retry=self.refusal)
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        await asyncio.sleep(1.0)
        self.in_flight -= 1
        return ModelResponse("ok", "stop", "provider", Usage(output_tokens=self.output))

    async def close(self):
        pass


async def ask(model, count):
    return await asyncio.gather(*(model.complete(REQUEST) for _ in range(count)), return_exceptions=True)


@pytest.mark.parametrize("refusal", [Transient(overloaded=True), RateLimited(5.0)])
def test_an_overload_halves_the_requests_in_flight_once_for_all_that_were_in_flight(refusal):
    async def work():
        limited = LimitedModel(Provider(capacity=0, refusal=refusal), 32)
        await ask(limited, 32)
        return limited.room

    assert in_virtual_time(work) == 16.0


@pytest.mark.parametrize("refusal", [Transient(), NoRetry()])
def test_other_failures_change_nothing(refusal):
    async def work():
        limited = LimitedModel(Provider(capacity=0, refusal=refusal), 32)
        await ask(limited, 32)
        return limited.room

    assert in_virtual_time(work) == 32.0


def test_it_never_falls_below_one_request():
    async def work():
        limited = LimitedModel(Provider(capacity=0), 4)
        for _ in range(10):
            await ask(limited, 1)
        return limited.room

    assert in_virtual_time(work) == 1.0


def test_answers_raise_it_again_by_one_a_round_and_never_beyond_the_limit():
    async def work():
        limited = LimitedModel(Provider(), 8)
        limited.room = 4.0
        await ask(limited, 4)
        after_a_round = limited.room
        await ask(limited, 200)
        return after_a_round, limited.room

    after_a_round, at_the_end = in_virtual_time(work)
    assert after_a_round == pytest.approx(5.0, abs=0.2)
    assert at_the_end == 8.0


def test_it_settles_near_what_a_provider_can_do_and_everything_is_answered():
    async def work():
        provider = Provider(capacity=10)
        limited = LimitedModel(provider, 64)
        model = RetryingModel(limited, attempts=50, clock=asyncio.get_running_loop().time)
        replies = await ask(model, 500)
        return provider, limited, replies, asyncio.get_running_loop().time()

    provider, limited, replies, seconds = in_virtual_time(work)
    assert all(isinstance(each, ModelResponse) for each in replies)
    assert provider.most == 10
    assert limited.room <= 16
    assert provider.refused < 500  # far fewer than one refusal a request
    assert seconds < 150  # the ideal is 50 seconds


def test_a_slow_model_does_not_hold_back_another():
    async def work():
        slow, fast = LimitedModel(Provider(capacity=0), 2), LimitedModel(Provider(), 2)
        await ask(slow, 10)
        start = asyncio.get_running_loop().time()
        await ask(fast, 2)
        return fast.room, asyncio.get_running_loop().time() - start

    assert in_virtual_time(work) == (2.0, pytest.approx(1.0, abs=0.01))


def test_a_place_that_was_given_to_a_request_that_is_stopped_goes_to_the_next():
    async def work():
        limited = LimitedModel(Provider(), 1)
        first, second, third = (asyncio.create_task(limited.complete(REQUEST)) for _ in range(3))
        await first
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        return await third

    assert in_virtual_time(work).text == "ok"


def most_in_a_minute(moments):
    return max(sum(start <= each < start + 60 for each in moments) for start in moments)


def test_requests_per_minute():
    async def work():
        provider = Provider()
        await ask(LimitedModel(provider, 500, requests_per_minute=60), 200)
        return provider.started

    started = in_virtual_time(work)
    assert len(started) == 200
    assert most_in_a_minute(started) <= 66  # a window of five seconds may go out at once
    assert started[-1] < 205


def test_few_requests_per_minute_are_spread():
    async def work():
        provider = Provider()
        await ask(LimitedModel(provider, 500, requests_per_minute=2), 5)
        return provider.started

    started = in_virtual_time(work)
    assert [later - earlier for earlier, later in itertools.pairwise(started)] == [pytest.approx(30, abs=0.1)] * 4


def test_tokens_per_minute_count_the_mean_output_after_the_first_replies():
    async def work(limit, output):
        provider = Provider(output=output)
        limited = LimitedModel(provider, 1, tokens_per_minute=limit)
        for _ in range(20):
            await limited.complete(ModelRequest(system="x" * 400, user="", max_tokens=1000))
        return provider.started

    # 100 tokens of input; 1,000 expected of the first reply, then 100: 20 requests are about 4,900 tokens.
    started = in_virtual_time(lambda: work(1000, 100))
    assert 4.0 * 60 < started[-1] < 5.0 * 60


def test_a_request_larger_than_what_may_be_sent_at_once_waits_and_is_sent():
    async def work():
        provider = Provider(output=1)
        limited = LimitedModel(provider, 1, tokens_per_minute=600)
        for _ in range(2):
            await limited.complete(ModelRequest(system="x" * 4 * 1200, user="", max_tokens=1))
        return provider.started

    started = in_virtual_time(work)
    assert started[1] - started[0] > 100


def test_the_limits_of_a_wrapped_model_are_known():
    limited = LimitedModel(Provider(), 3, requests_per_minute=7)
    assert limits_of(RetryingModel(limited)) == (3, 7)
    assert limits_of(Provider()) == (None, None)


def test_when_a_reply_says_that_nothing_remains_the_next_request_waits():
    class Headers(Provider):
        pause = 30.0

    async def work():
        provider = Headers()
        model = RetryingModel(LimitedModel(provider, 4), clock=asyncio.get_running_loop().time)
        await model.complete(REQUEST)
        await model.complete(REQUEST)
        return provider.started

    assert in_virtual_time(work) == pytest.approx([0.0, 31.0], abs=0.01)
