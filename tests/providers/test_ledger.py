"""The cap holds while many calls are in flight, and what nobody knows is kept apart."""

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrate.domain import ModelRequest, ModelResponse, UncertainCharge, Usage
from calibrate.errors import BudgetExceeded, InputError
from calibrate.providers import CallError, Ledger, MeteredModel, NoRetry, Transient
from calibrate.providers.ledger import in_dollars

REQUEST = ModelRequest(system="", user="?")
TOLD = Usage(input_tokens=1, output_tokens=1)


class Charging:
    """Charges as told, at most ``most``; an exception in place of a cost is raised, and charged when it is billable."""

    name = "charging"
    simulated = False
    identity = {}  # noqa: RUF012 — never changed

    def __init__(self, outcomes, most=1.0, turns=1):
        self.outcomes = list(outcomes)
        self.most, self.turns = most, turns
        self.charged = self.highest = 0.0
        self.in_flight = self.most_in_flight = 0

    def most_cost(self, request):
        return self.most

    async def complete(self, request):
        outcome = self.outcomes.pop(0)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        for _ in range(self.turns):
            await asyncio.sleep(0)
        self.in_flight -= 1
        if isinstance(outcome, CallError):
            self.charged += self.most if outcome.billable else 0.0
            raise outcome
        self.charged += self.most if outcome is None else outcome
        usage = Usage() if outcome is None else TOLD
        return ModelResponse("ok", "stop", "charging", usage, cost=outcome)

    async def close(self):
        pass


async def ask_all(model, count):
    return await asyncio.gather(*(model.complete(REQUEST) for _ in range(count)), return_exceptions=True)


def broken(billable):
    return CallError("the connection broke", retry=Transient(), billable=billable)


def test_what_was_ordered_earlier_counts_as_spent_once():
    ledger = Ledger(1.0)
    for order in (1, 2, 1):
        ledger.count_once(order, 0.25)
    assert ledger.spent == 0.5


def test_without_a_cap_what_calls_cost_is_added_up():
    ledger = Ledger()
    asyncio.run(ask_all(MeteredModel(Charging([0.25, 0.5]), ledger), 2))
    assert ledger.spent == 0.75
    assert ledger.take_uncertain() == ()


def test_calls_in_flight_are_held_at_the_most_they_can_cost():
    async def run():
        ledger = Ledger(cap=10.0)
        model = Charging([0.1] * 30, most=3.0)
        await ask_all(MeteredModel(model, ledger), 30)
        return model, ledger

    model, ledger = asyncio.run(run())
    assert model.most_in_flight == 3
    assert ledger.spent == pytest.approx(3.0)
    assert ledger.reserved == 0.0


def test_it_ends_only_when_the_next_call_cannot_be_afforded_and_nothing_is_in_flight():
    ledger = Ledger(cap=1.0)
    model = Charging([0.3] * 9, most=0.5)
    outcomes = asyncio.run(ask_all(MeteredModel(model, ledger), 9))
    answered = [each for each in outcomes if isinstance(each, ModelResponse)]
    refused = [each for each in outcomes if isinstance(each, BudgetExceeded)]
    assert (len(answered), len(refused)) == (2, 7)  # after 0.6, another 0.5 does not fit
    assert "budget of $1.00" in str(refused[0])
    assert "raise --budget" in str(refused[0])


@pytest.mark.parametrize(
    ("amount", "decimals", "said"),
    [
        (0.0001, 2, "$0.0001"),
        (0.00001234, 2, "$0.00001234"),
        (0.35, 2, "$0.35"),
        (1234.5, 2, "$1,234.50"),
        (0.0, 2, "$0.00"),
        (0.0, 4, "$0.0000"),
        (0.000031, 4, "$0.000031"),
        (0.23, 4, "$0.2300"),
        (1e-15, 2, "$0.0000000000"),
    ],
)
def test_an_amount_is_written_with_the_digits_that_tell_it(amount, decimals, said):
    assert in_dollars(amount, decimals) == said


def test_a_tiny_budget_is_said_as_it_is():
    (outcome,) = asyncio.run(ask_all(MeteredModel(Charging([0.1], most=0.00002), Ledger(cap=0.00001)), 1))
    assert str(outcome).startswith("the budget of $0.00001 ends here: $0.0000 are spent")
    assert "can cost up to $0.00002;" in str(outcome)


def test_what_earlier_parts_spent_counts():
    ledger = Ledger(cap=1.0, spent=0.9)
    (outcome,) = asyncio.run(ask_all(MeteredModel(Charging([0.1], most=0.2), ledger), 1))
    assert isinstance(outcome, BudgetExceeded)


def test_an_attempt_that_may_have_been_billed_counts_in_full_and_is_kept():
    ledger = Ledger(cap=5.0)
    asyncio.run(ask_all(MeteredModel(Charging([broken(True)], most=2.0), ledger), 1))
    assert ledger.spent == 2.0
    assert ledger.take_uncertain() == (UncertainCharge("charging", "the connection broke", 2.0),)
    assert ledger.take_uncertain() == ()


def test_a_refused_attempt_costs_nothing():
    ledger = Ledger(cap=5.0)
    asyncio.run(ask_all(MeteredModel(Charging([CallError("429", retry=NoRetry())]), ledger), 1))
    assert (ledger.spent, ledger.reserved, ledger.take_uncertain()) == (0.0, 0.0, ())


def test_a_reply_that_does_not_tell_its_usage_counts_in_full():
    ledger = Ledger(cap=5.0)
    (outcome,) = asyncio.run(ask_all(MeteredModel(Charging([None], most=2.0), ledger), 1))
    assert outcome.cost is None
    assert ledger.spent == 2.0
    assert [each.at_most for each in ledger.take_uncertain()] == [2.0]


def test_a_reply_of_a_model_without_a_price_is_no_uncertain_charge():
    class Unpriced(Charging):
        async def complete(self, request):
            return ModelResponse("ok", "stop", "charging", TOLD, cost=None)

    ledger = Ledger()
    asyncio.run(ask_all(MeteredModel(Unpriced([], most=None), ledger), 1))
    assert ledger.take_uncertain() == ()


def test_a_call_that_is_stopped_in_flight_may_have_been_billed():
    async def run():
        ledger = Ledger(cap=5.0)
        task = asyncio.create_task(MeteredModel(Charging([1.0], most=2.0, turns=100), ledger).complete(REQUEST))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return ledger

    ledger = asyncio.run(run())
    assert (ledger.spent, ledger.reserved) == (2.0, 0.0)
    assert len(ledger.take_uncertain()) == 1


def test_a_waiting_call_that_is_stopped_holds_nothing():
    async def run():
        ledger = Ledger(cap=1.0)
        model = MeteredModel(Charging([0.1, 0.1], most=1.0, turns=5), ledger)
        first = asyncio.create_task(model.complete(REQUEST))
        await asyncio.sleep(0)
        second = asyncio.create_task(model.complete(REQUEST))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        return ledger

    ledger = asyncio.run(run())
    assert (ledger.spent, ledger.reserved, ledger.take_uncertain()) == (0.1, 0.0, ())


@pytest.mark.parametrize(
    ("model", "hint"),
    [
        ("openai:new", 'under [models."openai:new"] in calibrate.toml'),
        ("house", "under [models.house]"),
        ("py:a:b", "own code"),
    ],
)
def test_a_cap_without_a_price_is_refused_and_says_where_to_declare_it(model, hint):
    unpriced = Charging([1.0], most=None)
    unpriced.name = model
    (outcome,) = asyncio.run(ask_all(MeteredModel(unpriced, Ledger(cap=1.0)), 1))
    assert isinstance(outcome, InputError)
    assert hint in str(outcome)


@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    cap=st.floats(0.0, 20.0),
    most=st.floats(0.01, 3.0),
    count=st.integers(1, 60),
    turns=st.integers(1, 5),
)
def test_whatever_calls_cost_the_cap_is_never_exceeded(seed, cap, most, count, turns):
    draw = random.Random(seed)
    outcomes = [
        draw.choice([draw.uniform(0.0, most), draw.uniform(0.0, most), None, broken(True), broken(False)])
        for _ in range(count)
    ]
    ledger = Ledger(cap=cap)
    model = Charging(outcomes, most=most, turns=turns)
    asyncio.run(ask_all(MeteredModel(model, ledger), count))
    assert model.charged <= cap + 1e-9
    assert model.charged <= ledger.spent + 1e-9
    assert ledger.reserved == 0.0
