"""Reasoning that uses up the token limit is asked once more with more room, and both replies are paid for."""

import asyncio

import pytest

from calibrate.domain import ModelRequest, ModelResponse, UncertainCharge, Usage
from calibrate.providers import CallError, Ledger, NoRetry, RoomForThinking, dropped_parameters

REQUEST = ModelRequest(system="", user="?", max_tokens=100)


class Thinking:
    """Needs so many tokens before it says anything."""

    name = "thinking"
    simulated = False
    identity = {}  # noqa: RUF012 — never changed

    def __init__(self, needs, text="", fails_from=None):
        self.needs, self.text, self.fails_from = needs, text, fails_from
        self.limits = []

    async def complete(self, request):
        self.limits.append(request.max_tokens)
        if self.fails_from is not None and len(self.limits) >= self.fails_from:
            raise CallError("broken", retry=NoRetry())
        enough = request.max_tokens >= self.needs
        used = min(self.needs, request.max_tokens)
        return ModelResponse(
            text="verdict" if enough else self.text,
            finish="stop" if enough else "length",
            model="thinking",
            usage=Usage(10, 0, 0, used, used - 1),
            cost=used / 100,
            latency=1.0,
        )

    async def close(self):
        pass


def ask(inner, times=1, ledger=None):
    async def run():
        model = RoomForThinking(inner, ledger or Ledger())
        return model, [await model.complete(REQUEST) for _ in range(times)]

    return asyncio.run(run())


@pytest.mark.parametrize("said", ["", "  \n", "<think>hmm", "\n<thinking>first I"])
def test_a_reply_that_is_all_reasoning_is_asked_for_again_with_more_room(said):
    inner = Thinking(needs=300, text=said)
    _, (response,) = ask(inner)
    assert inner.limits == [100, 400]
    assert (response.text, response.finish, response.enlarged) == ("verdict", "stop", 1)
    assert response.usage == Usage(20, 0, 0, 400, 398)
    assert response.cost == pytest.approx(4.0)
    assert response.latency == 2.0


def test_what_was_learned_holds_for_later_requests():
    inner = Thinking(needs=300)
    model, (_, second) = ask(inner, times=2)
    assert inner.limits == [100, 400, 400]
    assert second.enlarged == 0
    assert model.enlarged == 1
    assert dropped_parameters(model) == ("token limit (4 times as large instead: reasoning used it up)",)


def test_it_is_asked_once_more_and_not_twice():
    inner = Thinking(needs=1000)
    _, (response,) = ask(inner)
    assert inner.limits == [100, 400]
    assert (response.finish, response.text) == ("length", "")


@pytest.mark.parametrize("said", ['{"reasoning": "the answer sa', "<think>done</think> The verdict is"])
def test_a_verdict_that_is_cut_short_is_not_asked_for_again(said):
    inner = Thinking(needs=300, text=said)
    model, (response,) = ask(inner)
    assert inner.limits == [100]
    assert response.text == said
    assert dropped_parameters(model) == ()


def test_a_reply_that_was_used_up_is_not_forgotten_when_the_next_one_fails():
    ledger = Ledger()
    with pytest.raises(CallError):
        ask(Thinking(needs=300, fails_from=2), ledger=ledger)
    (charge,) = ledger.take_uncertain()
    assert charge == UncertainCharge("thinking", charge.reason, 1.0)
    assert "reasoning" in charge.reason
