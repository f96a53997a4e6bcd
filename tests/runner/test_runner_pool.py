"""The runner: every judgement is recorded before it counts, none is lost or doubled, and it ends when it should.

Time is counted in turns of the event loop, so that nothing here waits.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrate.domain import Item, Judgement, ModelRequest, ModelResponse, Scored, Unscored
from calibrate.errors import BudgetExceeded, InputError, ProviderError, StoreError
from calibrate.runner import Task, run


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


@dataclass
class FakeModel:
    """Answers each item after some turns, or raises what it is told to raise.

    Attributes:
        turns: turns until the answer, by item; 1 for the others.
        errors: what is raised instead of an answer, by item.
    """

    turns: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, Exception] = field(default_factory=dict)
    name: str = "fake:model"
    simulated: bool = True
    identity: Mapping[str, Any] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0

    async def complete(self, request: ModelRequest) -> ModelResponse:
        item = request.user
        self.calls.append(item)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await turns(self.turns.get(item, 1))
        except asyncio.CancelledError:
            self.cancelled.append(item)
            raise
        finally:
            self.in_flight -= 1
        if item in self.errors:
            raise self.errors[item]
        self.answered.append(item)
        return ModelResponse(f"reply to {item}", "stop", self.name)

    async def close(self) -> None:
        pass


@dataclass
class Log:
    """Records batches, and notes what happened in which order."""

    turns: int = 1
    error: Exception | None = None
    fails_from: int = 0
    batches: list[list[Judgement]] = field(default_factory=list)
    events: list[tuple[str, str]] = field(default_factory=list)
    writing: bool = False

    async def record(self, judgements: Sequence[Judgement]) -> None:
        assert not self.writing, "two batches at once"
        self.writing = True
        try:
            await turns(self.turns)
            if self.error is not None and len(self.batches) >= self.fails_from:
                raise self.error
            self.batches.append(list(judgements))
            self.events += [("recorded", each.item_id) for each in judgements]
        finally:
            self.writing = False

    def done(self, judgement: Judgement) -> None:
        self.events.append(("done", judgement.item_id))

    @property
    def recorded(self) -> list[str]:
        return [each.item_id for batch in self.batches for each in batch]

    @property
    def counted(self) -> list[str]:
        return [item for event, item in self.events if event == "done"]


def task(item_id: str) -> Task:
    request = ModelRequest("Judge it.", item_id)
    return Task(7, Item(item_id, "f", {}), request, f"key of {item_id}", lambda reply: Scored("1", reply.text))


def tasks(count: int) -> list[Task]:
    return [task(str(n)) for n in range(count)]


def judge(model: FakeModel, log: Log, todo: Iterable[Task], concurrency: int = 4) -> list[Judgement]:
    found: list[Judgement] = []

    def done(judgement: Judgement) -> None:
        log.done(judgement)
        found.append(judgement)

    in_loop(run(todo, model, log.record, concurrency=concurrency, on_done=done))
    return found


def in_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end; whatever asyncio would complain of on standard error fails the test."""
    complaints: list[dict[str, Any]] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        try:
            await work
        finally:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            assert not others, "something is left running"

    try:
        asyncio.run(main())
    finally:
        gc.collect(1)
        assert complaints == []


# Results


def test_a_judgement_holds_the_verdict_and_the_response_it_was_read_from() -> None:
    (judgement,) = judge(FakeModel(), Log(), [task("a")])
    assert judgement == Judgement(
        evaluation=7,
        item_id="a",
        verdict=Scored("1", "reply to a"),
        key="key of a",
        response=ModelResponse("reply to a", "stop", "fake:model"),
    )


def test_judgements_come_in_order_of_completion() -> None:
    model = FakeModel(turns={"0": 9, "1": 3, "2": 6})
    assert [each.item_id for each in judge(model, Log(), tasks(3))] == ["1", "2", "0"]


def test_nothing_to_do_records_nothing() -> None:
    log = Log()
    assert judge(FakeModel(), log, []) == []
    assert log.batches == []


# Durable before counted


def test_a_judgement_is_reported_only_after_it_was_recorded() -> None:
    log = Log(turns=5)
    judge(FakeModel(), log, tasks(30))
    recorded: set[str] = set()
    for event, item in log.events:
        if event == "recorded":
            recorded.add(item)
        else:
            assert item in recorded
    assert log.counted == log.recorded


def test_what_is_finished_while_a_batch_is_written_makes_the_next_batch() -> None:
    log = Log(turns=40)
    judge(FakeModel(turns={"0": 0}), log, tasks(9), concurrency=9)
    assert [len(batch) for batch in log.batches] == [1, 8]


def test_a_model_that_never_waits_does_not_keep_the_writer_from_its_turn() -> None:
    """Else a long run on a simulated or replayed judge would be recorded at its very end."""
    model, log = FakeModel(turns={str(n): 0 for n in range(200)}), Log()
    behind: list[int] = []

    def done(judgement: Judgement) -> None:
        log.done(judgement)
        behind.append(len(model.answered) - len(log.counted))

    in_loop(run(tasks(200), model, log.record, concurrency=4, on_done=done))
    assert len(log.batches) > 20
    assert max(behind) < 40


# The pool


@pytest.mark.parametrize("concurrency", [1, 3, 16])
def test_as_many_calls_as_allowed_are_in_flight_and_no_more(concurrency: int) -> None:
    model = FakeModel(turns={str(n): 2 + n % 5 for n in range(60)})
    judge(model, Log(), tasks(60), concurrency)
    assert model.most_in_flight == concurrency


def test_one_at_a_time_keeps_the_order() -> None:
    assert [each.item_id for each in judge(FakeModel(), Log(), tasks(9), concurrency=1)] == list("012345678")


def test_a_slow_call_holds_up_nobody() -> None:
    model = FakeModel(turns={"0": 500})
    assert judge(model, Log(), tasks(50), concurrency=2)[-1].item_id == "0"


def test_more_workers_than_tasks() -> None:
    assert len(judge(FakeModel(), Log(), tasks(2), concurrency=50)) == 2


@pytest.mark.slow
@pytest.mark.parametrize("make", [list, iter], ids=["list", "generator"])
def test_no_concurrency_is_too_large(make: Callable[[list[Task]], Iterable[Task]]) -> None:
    model = FakeModel(turns={str(n): 5 for n in range(1500)})
    assert len(judge(model, Log(), make(tasks(1500)), concurrency=99_999_999_999_999_999_999)) == 1500
    assert model.most_in_flight == 1024


@pytest.mark.parametrize("concurrency", [0, -1])
def test_no_calls_in_flight_would_judge_nothing_and_is_refused(concurrency: int) -> None:
    with pytest.raises(InputError, match="at least one call must be in flight"):
        judge(FakeModel(), Log(), tasks(2), concurrency)


def test_tasks_are_taken_one_by_one_as_workers_are_free() -> None:
    model, waiting = FakeModel(turns={str(n): n % 7 for n in range(100)}), []

    def made_on_demand() -> Iterator[Task]:
        for n, each in enumerate(tasks(100)):
            waiting.append(n - len(model.answered))
            yield each

    assert len(judge(model, Log(), made_on_demand(), concurrency=4)) == 100
    assert max(waiting) < 4


# Failures of single items


def test_a_failed_item_becomes_unscored_and_the_others_go_on() -> None:
    log = Log()
    found = judge(FakeModel(errors={"1": ProviderError("timeout after 5 attempts")}), log, tasks(3))
    by_item = {each.item_id: each for each in found}
    assert by_item["1"].verdict == Unscored("error", "timeout after 5 attempts")
    assert by_item["1"].response is None
    assert not by_item["1"].paid
    assert sorted(log.recorded) == ["0", "1", "2"]
    assert by_item["0"].verdict == Scored("1", "reply to 0")
    assert by_item["2"].verdict == Scored("1", "reply to 2")


def test_failures_with_a_success_now_and_then_are_not_systemic() -> None:
    errors = {str(n): ProviderError("overloaded") for n in range(200) if n % 20}
    found = judge(FakeModel(errors=errors), Log(), tasks(200), concurrency=1)
    assert sum(each.response is None for each in found) == 190


# Failures of the model


@pytest.mark.parametrize(("concurrency", "patience"), [(1, 20), (10, 20), (16, 32)])
def test_many_failures_in_a_row_end_the_run_with_what_was_answered_recorded(concurrency: int, patience: int) -> None:
    errors = {str(n): ProviderError(f"overloaded {n}") for n in range(5, 1000)}
    model, log = FakeModel(errors=errors), Log(turns=3)
    with pytest.raises(ProviderError, match=rf"^{patience} calls in a row failed; the last one: overloaded \d+$"):
        judge(model, log, tasks(1000), concurrency)
    assert set(model.answered) == {"0", "1", "2", "3", "4"}
    assert set(log.recorded) >= set(model.answered)
    assert set(log.counted) == set(log.recorded)
    assert len(model.calls) < 5 + patience + concurrency


@pytest.mark.parametrize("count", [3, 19])
def test_when_every_call_failed_the_cause_is_told_after_all_was_recorded(count: int) -> None:
    log = Log(turns=3)
    model = FakeModel(errors={str(n): ProviderError(f"overloaded {n}") for n in range(count)})
    with pytest.raises(ProviderError, match=rf"^all {count} calls failed; the last one: overloaded {count - 1}$"):
        judge(model, log, tasks(count), concurrency=1)
    assert log.recorded == log.counted == [str(n) for n in range(count)]


def test_two_failures_tell_nothing_of_the_provider() -> None:
    found = judge(FakeModel(errors={"0": ProviderError("no"), "1": ProviderError("no")}), Log(), tasks(2))
    assert [each.verdict for each in found] == [Unscored("error", "no")] * 2


def test_one_success_is_enough_to_go_on() -> None:
    found = judge(FakeModel(errors={str(n): ProviderError("no") for n in range(1, 19)}), Log(), tasks(19))
    assert sum(each.response is None for each in found) == 18


def test_a_systemic_failure_ends_the_run_at_once() -> None:
    wrong_key = ProviderError("openai:gpt: refused the key (401)")
    wrong_key.systemic = True
    model, log = FakeModel(errors={str(n): wrong_key for n in range(100)}), Log()
    with pytest.raises(ProviderError) as caught:
        judge(model, log, tasks(100), concurrency=8)
    assert caught.value is wrong_key
    assert len(model.calls) == 8


def test_the_budgets_end_lets_calls_in_flight_finish_and_starts_no_more() -> None:
    ended = BudgetExceeded("the budget of $1 is spent")
    model = FakeModel(turns={"0": 50, "1": 60}, errors={"3": ended})
    log = Log()
    with pytest.raises(BudgetExceeded) as caught:
        judge(model, log, tasks(100), concurrency=3)
    assert caught.value is ended
    assert model.cancelled == []
    assert model.calls == ["0", "1", "2", "3"]
    assert sorted(log.recorded) == ["0", "1", "2"]  # the item that nobody paid for has no verdict
    assert sorted(log.counted) == ["0", "1", "2"]


# Errors that are not the provider's


def test_an_input_error_ends_the_run_at_once_with_what_was_answered_recorded() -> None:
    model, log = FakeModel(turns={"0": 2, "9": 500}, errors={"20": InputError("item 20 has no input")}), Log(turns=2)
    with pytest.raises(InputError, match="item 20 has no input"):
        judge(model, log, tasks(1000), concurrency=4)
    assert "9" in model.cancelled
    assert set(log.recorded) == set(model.answered)
    assert len(model.calls) < 30


def test_a_task_that_cannot_be_made_ends_the_run() -> None:
    log = Log()

    def broken() -> Iterator[Task]:
        yield from tasks(5)
        raise InputError("item 5 has no input 'context'")

    with pytest.raises(InputError, match="item 5 has no input"):
        judge(FakeModel(), log, broken(), concurrency=1)
    assert log.recorded == ["0", "1", "2", "3", "4"]


def test_a_bug_keeps_its_exception() -> None:
    with pytest.raises(ZeroDivisionError):
        judge(FakeModel(errors={"3": ZeroDivisionError()}), Log(), tasks(50))


def test_a_recorder_that_fails_stops_the_workers() -> None:
    """Paying for what cannot be kept would be waste."""
    full = StoreError("runs.db cannot be written: the disk is full")
    model, log = FakeModel(), Log(error=full, fails_from=2)
    with pytest.raises(StoreError) as caught:
        judge(model, log, tasks(10_000), concurrency=4)
    assert caught.value is full
    assert len(model.calls) < 100
    assert log.counted == log.recorded
    assert len(log.batches) == 2


def test_a_failing_recorder_is_reported_when_the_workers_have_just_finished() -> None:
    full = StoreError("the disk is full")
    with pytest.raises(StoreError):
        judge(FakeModel(), Log(turns=50, error=full), tasks(3))


# Cancellation


@pytest.mark.parametrize("after", [0, 1, 5, 20, 50])
def test_cancelling_records_what_was_answered(after: int) -> None:
    model, log = FakeModel(turns={str(n): 1 + n % 6 for n in range(1000)}), Log(turns=4)

    async def cancelled() -> list[Judgement]:
        running = asyncio.create_task(run(tasks(1000), model, log.record, concurrency=4, on_done=log.done))
        await turns(after)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return []

    in_loop(cancelled())
    assert log.recorded == log.counted
    assert set(log.recorded) == set(model.answered)
    assert len(model.calls) < 1000
    assert len(model.answered) + len(model.cancelled) == len(model.calls)


# Whatever happens


@settings(max_examples=150, deadline=None)
@given(
    latencies=st.lists(st.integers(0, 12), max_size=40),
    failing=st.sets(st.integers(0, 39)),
    concurrency=st.integers(1, 8),
    write_turns=st.integers(0, 10),
)
def test_no_task_is_lost_or_doubled(
    latencies: list[int], failing: set[int], concurrency: int, write_turns: int
) -> None:
    count = len(latencies)
    failing = failing - {0}  # a run in which nothing succeeds ends with an error
    model = FakeModel(
        turns={str(n): latency for n, latency in enumerate(latencies)},
        # At most 19 of them, below what ends a run.
        errors={str(n): ProviderError("overloaded") for n in sorted(failing)[:19]},
    )
    log = Log(turns=write_turns)
    found = judge(model, log, tasks(count), concurrency)
    everything = sorted(map(str, range(count)))
    assert sorted(model.calls) == everything
    assert sorted(each.item_id for each in found) == everything
    assert log.recorded == log.counted == [each.item_id for each in found]
    for each in found:
        assert (each.response is None) == (each.item_id in model.errors)


ENDS: Mapping[str, Callable[[], Exception]] = {
    "input": lambda: InputError("no"),
    "budget": lambda: BudgetExceeded("spent"),
    "bug": lambda: ZeroDivisionError(),
}


@settings(max_examples=150, deadline=None)
@given(
    latencies=st.lists(st.integers(0, 12), min_size=1, max_size=40),
    at=st.integers(0, 39),
    end=st.sampled_from(sorted(ENDS)),
    concurrency=st.integers(1, 8),
    write_turns=st.integers(0, 10),
)
def test_however_a_run_ends_what_was_answered_is_recorded_once(
    latencies: list[int], at: int, end: str, concurrency: int, write_turns: int
) -> None:
    error = ENDS[end]()
    model = FakeModel(
        turns={str(n): latency for n, latency in enumerate(latencies)}, errors={str(at % len(latencies)): error}
    )
    log = Log(turns=write_turns)
    with pytest.raises(type(error)) as caught:
        judge(model, log, tasks(len(latencies)), concurrency)
    assert caught.value is error
    assert sorted(log.recorded) == sorted(model.answered)
    assert log.recorded == log.counted
    assert len(set(model.calls)) == len(model.calls)


def test_a_recorder_that_fails_as_many_replies_wait_ends_the_run() -> None:
    """A worker whose reply comes as it is stopped must not wait for a writer that is gone."""

    class Late(FakeModel):
        async def complete(self, request: ModelRequest) -> ModelResponse:
            try:
                return await super().complete(request)
            except asyncio.CancelledError:
                return ModelResponse("reply as it was stopped", "stop", self.name)

    model = Late(turns={str(n): 1 if n < 100 else 10**9 for n in range(600)})
    log = Log(turns=50, error=StoreError("disk full"))

    async def bounded() -> None:
        async with asyncio.timeout(20):
            await run(tasks(600), model, log.record, concurrency=600, on_done=log.done)

    with pytest.raises(StoreError, match="disk full"):
        in_loop(bounded())
