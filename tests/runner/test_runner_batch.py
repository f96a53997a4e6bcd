"""Batch runs: what was submitted is collected once and paid for once, whatever happens in between.

The real SDKs talk to a server on the loopback, and jobs are kept in a real database. Nobody waits: the time between two
looks at the provider passes at once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, Reply, error
from loopback_batches import Fate
from store.store_data import a_run, an_evaluation

from calibrate.config import Secret, Settings
from calibrate.domain import (
    Item,
    Judgement,
    Model,
    ModelRequest,
    ModelResponse,
    Scored,
    Unscored,
    Usage,
    Verdict,
    request_key,
)
from calibrate.errors import BudgetExceeded, CalibrateError, ProviderError
from calibrate.providers import Ledger, innermost, open_model
from calibrate.providers.batches import open_batches
from calibrate.providers.batches.protocol import BatchLimits
from calibrate.runner import BatchCounts, Task, run_batch
from calibrate.store import BatchJobs, Store
from calibrate.workflows.batches import LedgerBudget

MODELS = ["openai:gpt-4.1", "anthropic:claude-haiku-4-5"]
VERDICT = '{"label": "1"}'
SCHEMA = {
    "type": "object",
    "properties": {"label": {"type": "string"}},
    "required": ["label"],
    "additionalProperties": False,
}
ITEMS = tuple(f"i{n}" for n in range(5))


async def at_once(seconds: float) -> None:
    await asyncio.sleep(0)


async def interrupt(seconds: float) -> None:
    raise asyncio.CancelledError


def request(item: str) -> ModelRequest:
    return ModelRequest(system="Judge. JSON.", user=f"item {item}", schema=SCHEMA, max_tokens=50)


def read(response: ModelResponse) -> Verdict:
    return Scored("1", response.text)


@dataclass
class Runs:
    """Runs batches, each as a process of its own would: with a store, connections and knowledge of its own.

    Attributes:
        server: the provider.
        database: where jobs and verdicts are kept.
        name: the model.
        counts: what was said at each look.
        done: judgements of the latest run that were counted.
    """

    server: Loopback
    database: str
    name: str
    counts: list[BatchCounts] = field(default_factory=list)
    done: list[Judgement] = field(default_factory=list)

    def __call__(self, items: Sequence[str] = ITEMS, **options: Any) -> dict[str, Verdict]:
        """Run to the end and return the stored verdicts by item."""
        asyncio.run(self.run(items, **options))
        return self.verdicts()

    def verdicts(self) -> dict[str, Verdict]:
        with Store(self.database) as store:
            return store.verdicts(an_evaluation(store))

    def spending(self) -> tuple[int, float | None]:
        with Store(self.database) as store:
            found = store.spending(a_run(store, kind="baseline").id)
        return found.calls, found.cost

    async def run(
        self,
        items: Sequence[str] = ITEMS,
        *,
        fresh: bool = False,
        limits: BatchLimits | None = None,
        stored: Callable[[Sequence[Judgement]], None] = lambda _: None,
        **options: Any,
    ) -> None:
        model = self.model()
        self.done = []
        try:
            with Store(self.database) as store:
                run, evaluation = a_run(store, kind="baseline"), an_evaluation(store)

                recorded: set[str] = set()

                async def record(judgements: Sequence[Judgement]) -> None:
                    stored(judgements)
                    store.record(run.id, self.name, judgements)
                    recorded.update(each.item_id for each in judgements)

                def count(judgement: Judgement) -> None:
                    assert judgement.item_id in recorded, "counted before it was recorded"
                    self.done.append(judgement)

                tasks = [
                    Task(evaluation, Item(f"{item}", "faithfulness", {}), request(item[:2]), self.key(item[:2]), read)
                    for item in items
                ]
                known = {} if fresh else store.responses(task.key for task in tasks)
                await run_batch(
                    tasks,
                    open_batches(model, limits),
                    BatchJobs(store, run.id, self.name),
                    record,
                    lookup=known.get,
                    on_done=count,
                    on_poll=self.counts.append,
                    **{"sleep": at_once, **options},
                )
        finally:
            await model.close()

    def key(self, item: str) -> str:
        return request_key(innermost(self.model()), request(item))

    def model(self) -> Model:
        settings = Settings(
            openai_key=Secret("sk-one"),
            anthropic_key=Secret("sk-two"),
            openai_base_url=self.server.openai_url,
            anthropic_base_url=self.server.base_url,
        )
        return open_model(self.name, settings)


def fates(by_key: Mapping[str, Fate | None]) -> Callable[[str, int], Fate | None]:
    """Return what becomes of requests in the first batch that has them."""
    return lambda key, times: by_key.get(key) if times == 1 else None


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(Reply(VERDICT, input_tokens=1000, output_tokens=100)) as running:
        yield running


@pytest.fixture(params=MODELS)
def runs(request: pytest.FixtureRequest, server: Loopback, tmp_path: Path) -> Runs:
    return Runs(server, str(tmp_path / "runs.db"), request.param)


ONE_PROVIDER_FAST = pytest.mark.parametrize(
    "runs", [MODELS[0], pytest.param(MODELS[1], marks=pytest.mark.slow)], indirect=True
)
"""For what starts processes of its own and does not depend on the provider."""


@pytest.fixture
def openai_runs(server: Loopback, tmp_path: Path) -> Runs:
    return Runs(server, str(tmp_path / "runs.db"), MODELS[0])


def scored(verdicts: Mapping[str, Verdict]) -> list[str]:
    return sorted(item for item, verdict in verdicts.items() if isinstance(verdict, Scored))


def test_every_item_is_judged_in_one_batch_and_recorded_before_it_counts(runs: Runs, server: Loopback) -> None:
    verdicts = runs()
    assert scored(verdicts) == list(ITEMS)
    assert len(server.batches.batches) == 1
    assert sorted(server.batches.charged) == sorted(map(runs.key, ITEMS))
    assert sorted(each.item_id for each in runs.done) == list(ITEMS)
    assert [each.response.latency for each in runs.done if each.response] == [0.0] * 5


def test_what_was_billed_is_what_is_stored_as_spent(openai_runs: Runs, server: Loopback) -> None:
    # Not the server's prices, which are its own: those of the price data, at half.
    openai_runs()
    calls, cost = openai_runs.spending()
    assert calls == 5
    assert cost == pytest.approx(5 * (1000 * 2.0 + 100 * 8.0) / 1e6 / 2)


def test_the_same_run_again_submits_nothing(runs: Runs, server: Loopback) -> None:
    first, second = runs(), runs()
    assert first == second
    assert len(server.batches.batches) == 1
    assert [each.paid for each in runs.done] == [False] * 5


def test_it_looks_until_the_batch_has_ended_and_tells_its_counts(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 3
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    runs(sleep=wait, poll_seconds=45.0)
    assert waits == [45.0] * 3
    assert runs.counts == [BatchCounts(1, 5, 0)] * 3 + [BatchCounts(1, 5, 5)]


def test_identical_requests_are_sent_once_and_judge_every_item(runs: Runs, server: Loopback) -> None:
    verdicts = runs(["i0", "i0 again", "i1", "i0 once more"])
    assert scored(verdicts) == ["i0", "i0 again", "i0 once more", "i1"]
    assert len(server.batches.charged) == 2
    assert sorted(each.item_id for each in runs.done if each.paid) == ["i0", "i1"]
    assert runs.spending()[0] == 2


def test_more_requests_than_a_batch_takes_go_into_several(runs: Runs, server: Loopback) -> None:
    assert scored(runs(limits=BatchLimits(2, 10**6))) == list(ITEMS)
    assert sorted(len(batch.requests) for batch in server.batches.batches) == [1, 2, 2]


def test_many_judgements_are_recorded_in_chunks(openai_runs: Runs, server: Loopback) -> None:
    sizes: list[int] = []
    items = [f"i{n % 10} {n}" for n in range(1200)]
    assert len(openai_runs(items, stored=lambda judgements: sizes.append(len(judgements)))) == 1200
    assert sum(sizes) == 1200
    assert max(sizes) <= 500


# Requests that fail


def test_expired_and_missing_requests_are_submitted_again_and_only_those(runs: Runs, server: Loopback) -> None:
    server.batches.script.fate = fates({runs.key("i0"): "expired", runs.key("i3"): "missing"})
    assert scored(runs()) == list(ITEMS)
    assert [sorted(batch.requests) for batch in server.batches.batches[1:]] == [sorted(map(runs.key, ("i0", "i3")))]
    assert len(server.batches.charged) == 5


def test_what_expires_three_times_is_an_error_with_its_reason(runs: Runs, server: Loopback) -> None:
    expired = runs.key("i1")
    server.batches.script.fate = lambda key, times: "expired" if key == expired else None
    verdicts = runs()
    assert scored(verdicts) == ["i0", "i2", "i3", "i4"]
    left = verdicts["i1"]
    assert isinstance(left, Unscored)
    assert left.reason == "error"
    assert "expired" in left.detail
    assert "given up after 3 batches" in left.detail
    assert [len(batch.requests) for batch in server.batches.batches] == [5, 1, 1]


def test_a_request_that_fails_for_the_time_being_is_submitted_again(runs: Runs, server: Loopback) -> None:
    broken = iter([error(529, "overloaded")])
    server._replies = lambda call: next(broken, VERDICT) if "i2" in call.user else VERDICT
    assert scored(runs()) == list(ITEMS)
    assert [len(batch.requests) for batch in server.batches.batches] == [5, 1]


def test_a_request_that_is_refused_is_an_error_at_once(runs: Runs, server: Loopback) -> None:
    server._replies = lambda call: error(400, "indecent item") if "i2" in call.user else VERDICT
    verdicts = runs()
    assert scored(verdicts) == ["i0", "i1", "i3", "i4"]
    assert isinstance(verdicts["i2"], Unscored)
    assert "indecent item" in verdicts["i2"].detail
    assert "given up" not in verdicts["i2"].detail
    assert len(server.batches.batches) == 1


def test_a_request_that_was_cancelled_at_the_provider_is_not_submitted_again(runs: Runs, server: Loopback) -> None:
    server.batches.script.fate = fates({runs.key("i1"): "cancelled"})
    assert scored(runs()) == ["i0", "i2", "i3", "i4"]
    assert len(server.batches.batches) == 1


@pytest.mark.parametrize(
    ("name", "refuses", "batches"),
    [
        (MODELS[0], {"temperature"}, 2),
        (MODELS[0], {"temperature", "json_schema", "json_object"}, 4),
        (MODELS[1], {"output_config", "tools"}, 3),
    ],
)
def test_refused_parameters_are_learned_from_and_all_requests_submitted_in_another_form(
    server: Loopback, tmp_path: Path, name: str, refuses: set[str], batches: int
) -> None:
    server.refuses = frozenset(refuses)
    runs = Runs(server, str(tmp_path / "runs.db"), name)
    assert scored(runs()) == list(ITEMS)
    assert len(server.batches.batches) == batches
    assert len(server.batches.charged) == 5


def test_a_batch_that_fails_validation_ends_the_run_in_one_line_and_is_not_waited_for_again(
    openai_runs: Runs, server: Loopback
) -> None:
    server.batches.script.problem = "The enqueued token limit is reached."
    with pytest.raises(ProviderError, match=r"gpt-4.1: the provider refuses the batch: The enqueued .* \(line 1"):
        openai_runs()
    server.batches.script.problem = None
    assert scored(openai_runs()) == list(ITEMS)
    assert len(server.batches.batches) == 2


def test_a_run_in_which_every_request_failed_ends_with_the_cause_and_is_recorded(runs: Runs, server: Loopback) -> None:
    server._replies = error(400, "no such thing")
    with pytest.raises(ProviderError, match=r"all 5 requests failed; the last one: .*no such thing"):
        runs()
    assert len(runs.verdicts()) == 5


# Killed, cancelled, cut off


def test_a_cancelled_run_leaves_its_batch_and_the_next_one_collects_it(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 2

    with pytest.raises(asyncio.CancelledError):
        runs(sleep=interrupt)
    assert runs.verdicts() == {}
    assert scored(runs()) == list(ITEMS)
    assert len(server.batches.batches) == 1
    assert [each.paid for each in runs.done] == [True] * 5


def test_a_batch_is_adopted_by_a_run_with_a_part_of_its_requests_and_with_others(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 1

    with pytest.raises(asyncio.CancelledError):
        runs(sleep=interrupt)
    assert scored(runs(["i0", "i9"])) == ["i0", "i9"]
    assert [len(batch.requests) for batch in server.batches.batches] == [5, 1]
    assert runs.spending()[0] == 6  # what nobody asked for was kept
    assert scored(runs()) == [*ITEMS, "i9"]
    assert len(server.batches.charged) == 6


def test_a_reply_to_a_submission_that_is_lost_does_not_submit_it_twice(runs: Runs, server: Loopback) -> None:
    server.batches.script.lost_replies = 1
    server.batches.script.looks = 1
    assert scored(runs()) == list(ITEMS)
    assert len(server.batches.batches) == 1


def test_a_submission_that_fails_for_the_time_being_is_tried_again(runs: Runs, server: Loopback) -> None:
    server.batches.script.refused = 3
    assert scored(runs()) == list(ITEMS)
    assert len(server.batches.batches) == 1


def test_a_run_killed_while_it_collects_pays_once(runs: Runs, server: Loopback) -> None:
    chunks: list[int] = []

    def killed(judgements: Sequence[Judgement]) -> None:
        chunks.append(len(judgements))
        raise KeyboardInterrupt

    for stored in (killed, lambda _: None):
        try:
            runs(stored=stored)
        except KeyboardInterrupt:
            assert runs.verdicts() == {}
    assert chunks == [5]
    assert len(server.batches.batches) == 1
    assert runs.spending()[0] == 5


@pytest.mark.parametrize("fresh", [False, True])
def test_what_was_recorded_before_the_job_was_closed_is_not_paid_twice(
    runs: Runs, server: Loopback, monkeypatch: pytest.MonkeyPatch, fresh: bool
) -> None:
    with monkeypatch.context() as patch:

        def killed(self: BatchJobs, job: int, status: str) -> None:
            raise KeyboardInterrupt

        patch.setattr(BatchJobs, "close", killed)
        with pytest.raises(KeyboardInterrupt):
            runs()
    assert runs.spending()[0] == 5
    assert scored(runs([*ITEMS, "i9"], fresh=fresh)) == [*ITEMS, "i9"]
    assert runs.spending()[0] == 6
    assert len(server.batches.charged) == 6


def answered_by_calls(runs: Runs) -> None:
    """Let a run of calls answer what waits in a batch."""
    called = ModelResponse("called", "stop", "m", Usage(input_tokens=1, output_tokens=1), 0.5, latency=1.0)
    with Store(runs.database) as store:
        run, evaluation = a_run(store, kind="baseline"), an_evaluation(store)
        judgements = [Judgement(evaluation, item, read(called), runs.key(item), called) for item in ITEMS]
        store.record(run.id, runs.name, judgements)


def test_the_replies_of_a_batch_are_recorded_beside_those_of_calls_made_meanwhile(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 1
    with pytest.raises(asyncio.CancelledError):
        runs(sleep=interrupt)
    answered_by_calls(runs)
    verdicts = runs(fresh=True)
    assert {each.reasoning for each in verdicts.values() if isinstance(each, Scored)} == {VERDICT}
    assert [each.paid for each in runs.done] == [True] * 5
    assert len(server.batches.charged) == 5
    assert runs.spending()[0] == 10


def test_a_batch_that_was_overtaken_by_calls_is_paid_when_it_has_ended_and_replays_stay_what_they_were(
    runs: Runs, server: Loopback
) -> None:
    server.batches.script.looks = 2
    with pytest.raises(asyncio.CancelledError):
        runs(sleep=interrupt)
    answered_by_calls(runs)
    replayed = runs.verdicts()
    purse = Purse(left=1.0)
    for calls in (5, 10, 10):  # it is looked at and left alone; it has ended; it is closed
        assert runs(budget=purse) == replayed
        assert [each.paid for each in runs.done] == [False] * 5
        assert runs.spending()[0] == calls
    assert 1.0 - purse.left == pytest.approx((runs.spending()[1] or 0.0) - 5 * 0.5)
    assert len(server.batches.batches) == 1


def test_a_look_at_an_overtaken_batch_that_fails_does_not_fail_the_run(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 1
    with pytest.raises(asyncio.CancelledError):
        runs(sleep=interrupt)
    answered_by_calls(runs)
    found = server.batches.batches.pop()
    assert scored(runs()) == list(ITEMS)
    server.batches.batches.append(found)
    runs()
    assert runs.spending()[0] == 10


@pytest.mark.slow
@ONE_PROVIDER_FAST
def test_of_an_overtaken_batch_the_id_that_never_arrived_is_looked_for(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 1
    process = another_process(runs, "submission")
    process.communicate(timeout=60)
    answered_by_calls(runs)
    server.batches.batches[0].looks = 0
    runs()
    assert runs.spending()[0] == 10
    assert len(server.batches.batches) == 1


OTHER_PROCESS = """
import asyncio, os, signal, sys
from loopback import Loopback
from runner.test_runner_batch import Runs
from calibrate.providers.batches import anthropic_batches, openai_batches

class Server:
    base_url, openai_url = sys.argv[1], sys.argv[1] + "/v1"

def dies_after(kind):
    submit = kind.submit
    async def submitted(self, requests, token):
        await submit(self, requests, token)
        os.kill(os.getpid(), signal.SIGKILL)
    kind.submit = submitted

if sys.argv[4] == "submission":
    dies_after(openai_batches.OpenAIBatches)
    dies_after(anthropic_batches.AnthropicBatches)
async def wait(seconds):
    print("waits", flush=True)
    await asyncio.sleep(0.01 if sys.argv[4] == "waiting" else 3600)
asyncio.run(Runs(Server, sys.argv[2], sys.argv[3]).run(sleep=wait))
"""


def another_process(runs: Runs, dies: str) -> subprocess.Popen[str]:
    arguments = [runs.server.base_url, runs.database, runs.name, dies]
    return subprocess.Popen(
        [sys.executable, "-c", OTHER_PROCESS, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": ":".join([*sys.path, str(Path(__file__).parents[1])])},
    )


@pytest.mark.slow
def test_a_process_killed_between_submission_and_collection_pays_once(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 1
    process = another_process(runs, "asleep")
    assert process.stdout is not None
    assert process.stdout.readline() == "waits\n"
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert runs.verdicts() == {}
    assert scored(runs()) == list(ITEMS)
    assert len(server.batches.batches) == 1
    assert len(server.batches.charged) == 5


@pytest.mark.slow
def test_a_process_killed_before_the_id_was_stored_pays_once(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 2
    process = another_process(runs, "submission")
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert len(server.batches.batches) == 1
    assert scored(runs()) == list(ITEMS)
    assert len(server.batches.batches) == 1
    assert len(server.batches.charged) == 5


@pytest.mark.slow
@ONE_PROVIDER_FAST
def test_a_process_waits_for_the_job_of_another_one_and_takes_its_answers(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = float("inf")
    process = another_process(runs, "waiting")
    assert process.stdout is not None
    assert process.stdout.readline() == "waits\n"
    looks = 0

    async def wait(seconds: float) -> None:
        nonlocal looks
        looks += 1
        if looks == 2:
            server.batches.batches[0].looks = 0
        await asyncio.sleep(0.01)

    verdicts = runs(sleep=wait)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert scored(verdicts) == list(ITEMS)
    assert [each.paid for each in runs.done] == [False] * 5
    assert len(server.batches.batches) == 1
    assert runs.spending()[0] == 5


def test_a_batch_that_turns_out_to_be_somebody_elses_is_given_back(server: Loopback, tmp_path: Path) -> None:
    ours = Runs(server, str(tmp_path / "ours.db"), MODELS[1])
    theirs = Runs(server, str(tmp_path / "theirs.db"), MODELS[1])
    server.batches.script.looks = 1

    others = ["i5", "i6", "i7", "i8", "i9"]
    with pytest.raises(asyncio.CancelledError):
        theirs(others, sleep=interrupt)
    with Store(ours.database) as store:  # killed before it could submit anything
        BatchJobs(store, a_run(store, kind="baseline").id, ours.name).intend([ours.key(item) for item in ITEMS])
    server.batches.batches[0].looks = 1
    assert scored(ours()) == list(ITEMS)
    assert scored(theirs(others)) == others
    assert len(server.batches.batches) == 2
    assert len(server.batches.charged) == 10


def test_results_that_the_provider_keeps_no_more_are_asked_for_again(server: Loopback, tmp_path: Path) -> None:
    runs = Runs(server, str(tmp_path / "runs.db"), MODELS[1])
    server.batches.script.looks = 1

    with pytest.raises(asyncio.CancelledError):
        runs(sleep=interrupt)
    server.batches.batches[0].archived = True
    ledger = Ledger(1.0)
    assert scored(runs(budget=LedgerBudget(ledger, runs.name))) == list(ITEMS)
    assert len(server.batches.batches) == 2
    # What came in the first one may have been billed.
    assert [each.at_most for each in ledger.take_uncertain()] == [most_of_one(runs)] * 5
    assert ledger.spent == pytest.approx(5 * most_of_one(runs) + (runs.spending()[1] or 0.0))


def test_an_outage_of_some_looks_is_waited_for_and_a_longer_one_ends_in_one_line(
    openai_runs: Runs, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = 4
    look = server.batches._find

    def fails(batch: str) -> Any:
        nonlocal failures
        failures -= 1
        if failures >= 0:
            from loopback_apis import Refused

            raise Refused(503, "out of order")
        return look(batch)

    monkeypatch.setattr(server.batches, "_find", fails)
    assert scored(openai_runs()) == list(ITEMS)
    failures = 10**6
    with pytest.raises(ProviderError, match="out of order"):
        openai_runs(fresh=True)
    failures = 0
    openai_runs(fresh=True)
    assert len(server.batches.batches) == 2


# Money


@dataclass
class Purse:
    """A budget.

    Attributes:
        left: US dollars that are neither held nor spent.
        held: US dollars held now.
        settled: what requests cost.
    """

    left: float
    held: float = 0.0
    settled: list[float | None] = field(default_factory=list)

    async def reserve(self, most: float | None) -> float:
        assert most is not None
        if most > self.left:
            raise BudgetExceeded("the budget ends here")
        self.left -= most
        self.held += most
        return most

    def is_open(self, response: ModelResponse) -> bool:
        return response.cost is None

    def keep(self, cost: float, reason: str) -> None:
        raise AssertionError(reason)

    def settle(self, held: float | None, cost: float | None, *, reason: str = "", most: float | None = None) -> None:
        held = held or 0.0
        self.held -= held
        self.left += held - (held if cost is None else cost)
        self.settled.append(cost)


def most_of_one(runs: Runs) -> float:
    most = open_batches(runs.model()).most_cost(request("i0"))
    assert most is not None
    return most


def test_a_budget_holds_the_most_of_everything_before_it_is_submitted(runs: Runs, server: Loopback) -> None:
    purse = Purse(left=most_of_one(runs) * 5.1)
    seen: list[float] = []

    async def wait(seconds: float) -> None:
        seen.append(purse.held)

    server.batches.script.looks = 1
    runs(budget=purse, sleep=wait)
    assert seen == [pytest.approx(most_of_one(runs) * 5)]
    assert purse.held == pytest.approx(0.0)
    assert len(purse.settled) == 5
    assert sum(cost or 0.0 for cost in purse.settled) == pytest.approx(runs.spending()[1])


def test_of_what_a_budget_does_not_cover_nothing_is_submitted(runs: Runs, server: Loopback) -> None:
    purse = Purse(left=most_of_one(runs) * 2.5)
    with pytest.raises(BudgetExceeded, match="the budget ends here"):
        runs(budget=purse)
    assert scored(runs.verdicts()) == ["i0", "i1"]
    assert [len(batch.requests) for batch in server.batches.batches] == [2]
    assert purse.held == pytest.approx(0.0)


def test_requests_that_are_not_billed_give_back_what_was_held(runs: Runs, server: Loopback) -> None:
    server.batches.script.fate = lambda key, times: "cancelled"
    purse = Purse(left=1.0)
    with pytest.raises(CalibrateError):
        runs(budget=purse)
    assert purse.settled == [0.0] * 5
    assert purse.left == pytest.approx(1.0)


def test_what_an_earlier_process_submitted_is_held_before_more_is_submitted(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 1

    with pytest.raises(asyncio.CancelledError):
        runs(sleep=interrupt)
    batches: list[int] = []

    async def wait(seconds: float) -> None:
        batches.append(len(server.batches.batches))

    server.batches.batches[0].looks = 1
    purse = Purse(left=most_of_one(runs) * 5.5)
    # Cheaper than it could have been, the earlier batch leaves room for what did not fit beside it.
    server._replies = Reply(VERDICT, input_tokens=10, output_tokens=1)
    assert scored(runs([*ITEMS, "i9"], budget=purse, sleep=wait)) == [*ITEMS, "i9"]
    assert batches[0] == 1
    assert [len(batch.requests) for batch in server.batches.batches] == [5, 1]
    assert purse.held == pytest.approx(0.0)


def test_what_is_held_for_a_job_that_another_process_gives_up_is_held_once(openai_runs: Runs, server: Loopback) -> None:
    with Store(openai_runs.database) as other:
        jobs = BatchJobs(other, a_run(other, kind="baseline").id, openai_runs.name)
        job = jobs.intend([openai_runs.key(item) for item in ITEMS[:2]])
        assert job is not None
        given_up = job.id

        async def give_up(seconds: float) -> None:
            jobs.close(given_up, "collected")

        purse = Purse(left=1.0)
        server.batches.script.looks = 1
        assert scored(openai_runs(budget=purse, sleep=give_up)) == list(ITEMS)
    assert [len(batch.requests) for batch in server.batches.batches] == [3, 2]
    assert purse.held == pytest.approx(0.0)
    assert 1.0 - purse.left == pytest.approx(openai_runs.spending()[1])


def test_what_stays_with_the_provider_counts_as_spent_and_is_not_waited_for(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 1
    most = most_of_one(runs) * 5
    ledger = Ledger(most * 1.5)
    with pytest.raises(asyncio.CancelledError):
        runs(budget=LedgerBudget(ledger, runs.name), sleep=interrupt)
    assert (ledger.spent, ledger.reserved) == (pytest.approx(most), 0.0)
    with pytest.raises(BudgetExceeded):
        asyncio.run(asyncio.wait_for(ledger.reserve("meta", most), 60))


@pytest.mark.parametrize("first", [Reply(VERDICT), Reply("", finish="length")])
def test_replies_without_a_price_that_tell_their_tokens_are_no_charges_beside_the_calls(
    server: Loopback, tmp_path: Path, first: Reply
) -> None:
    server._replies = lambda call: (
        first if 50 in (call.body.get("max_tokens"), call.body.get("max_completion_tokens")) else Reply(VERDICT)
    )
    runs = Runs(server, str(tmp_path / "runs.db"), "openai:my-own")
    ledger = Ledger()
    assert scored(runs(budget=LedgerBudget(ledger, runs.name))) == list(ITEMS)
    assert len(server.batches.batches) == (1 if first.text else 2)
    assert ledger.take_uncertain() == ()


def test_a_charge_of_a_model_without_a_price_has_no_known_bound(server: Loopback, tmp_path: Path) -> None:
    server._replies = Reply(VERDICT, usage=False)
    runs = Runs(server, str(tmp_path / "runs.db"), "openai:my-own")
    ledger = Ledger()
    runs(["i0"], budget=LedgerBudget(ledger, runs.name))
    assert [each.at_most for each in ledger.take_uncertain()] == [None]


@pytest.mark.parametrize("cap", [None, 1.0])
@pytest.mark.parametrize("interrupted", [False, True])
def test_a_reply_that_does_not_tell_its_tokens_is_a_charge_of_the_most_that_it_can_be(
    openai_runs: Runs, server: Loopback, cap: float | None, interrupted: bool
) -> None:
    server._replies = Reply(VERDICT, usage=False)
    if interrupted:
        server.batches.script.looks = 1
        with pytest.raises(asyncio.CancelledError):
            openai_runs(["i0"], sleep=interrupt)
    ledger = Ledger(cap)
    openai_runs(["i0"], budget=LedgerBudget(ledger, openai_runs.name))
    most = most_of_one(openai_runs)
    assert [each.at_most for each in ledger.take_uncertain()] == [most]
    assert (ledger.spent, ledger.reserved) == (most, 0.0)


def test_a_reply_that_reasoning_used_up_is_counted_once(runs: Runs, server: Loopback) -> None:
    def reply(call: Any) -> Reply:
        limit = call.body.get("max_tokens") or call.body["max_completion_tokens"]
        return Reply("", finish="length") if limit == 50 else Reply(VERDICT)

    server._replies = reply
    purse = Purse(left=1.0)
    assert scored(runs(budget=purse)) == list(ITEMS)
    assert [len(batch.requests) for batch in server.batches.batches] == [5, 5]
    assert 1.0 - purse.left == pytest.approx(runs.spending()[1])
    assert purse.held == pytest.approx(0.0)


@pytest.mark.parametrize("second", ["not collected", "without usage"])
def test_a_reply_that_reasoning_used_up_is_a_charge_when_nothing_says_what_it_and_the_next_one_cost(
    openai_runs: Runs, server: Loopback, second: str
) -> None:
    used_up = Reply("", finish="length", input_tokens=1000, output_tokens=50)
    later = Reply(VERDICT, usage=False)
    server._replies = lambda call: used_up if call.body["max_tokens"] == 50 else later
    looks = 0

    async def wait(seconds: float) -> None:
        nonlocal looks
        looks += 1
        if looks == 2 and second == "not collected":
            raise asyncio.CancelledError

    server.batches.script.looks = 1
    ledger = Ledger(1.0)
    with suppress(asyncio.CancelledError):
        openai_runs(budget=LedgerBudget(ledger, openai_runs.name), sleep=wait)
    assert [len(batch.requests) for batch in server.batches.batches] == [5, 5]
    known, unknown = pytest.approx((1000 * 2.0 + 50 * 8.0) / 1e6 / 2), ledger.take_uncertain()
    assert [each.at_most for each in unknown if "one of two replies" in each.reason] == [known] * 5
    assert len(unknown) == (5 if second == "not collected" else 10)
    assert ledger.spent > sum(each.at_most or 0.0 for each in unknown) - 1e-9
    assert ledger.reserved == 0.0


def test_a_budget_counts_what_an_earlier_process_submitted(runs: Runs, server: Loopback) -> None:
    server.batches.script.looks = 1

    with pytest.raises(asyncio.CancelledError):
        runs(sleep=interrupt)
    purse = Purse(left=1.0)
    runs(budget=purse)
    assert len(purse.settled) == 5
    assert 1.0 - purse.left == pytest.approx(runs.spending()[1])
