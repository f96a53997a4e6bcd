"""Judge calls through a provider's batch endpoint, each recorded before it counts.

Jobs outlive the process: whatever was submitted is collected, by this run or by the next one with the same requests.

1. What is stored already is recorded; the rest waits.
2. Open jobs that hold waiting requests are adopted, those of a killed process too. One whose id never arrived is looked
   for at the provider by its token. A job that another living process owns is left to it, and waited for.
3. Requests in no open job are written down as a job, and only then submitted.
4. Jobs that have ended are collected, and closed after everything in them was recorded.
5. Requests that expired, failed for the time being, or were refused for their form go into another job.
6. Jobs whose requests were all answered otherwise are billed all the same: those that have ended are recorded too.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from calibrate.domain import Judgement, ModelRequest, ModelResponse
from calibrate.errors import BudgetExceeded, InputError, ProviderError
from calibrate.providers.batches.protocol import AnotherForm, BatchEndpoint, BatchRequest, BatchState, Outcome
from calibrate.providers.retry import CallError, NoRetry, RateLimited, Transient
from calibrate.runner.holds import Holds
from calibrate.runner.jobs import Budget, Job, Jobs
from calibrate.runner.pool import Task
from calibrate.runner.recorder import CHUNK, Recorder

__all__ = ["BatchCounts", "run_batch"]

_ROUNDS = 3
_FORMS = 8  # more than there are forms of a request; a provider that refuses every one ends it
_ATTEMPTS = 10
_LONGEST_WAIT = 60.0

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class BatchCounts:
    """How far the jobs at the provider have come.

    Attributes:
        jobs: jobs that are waited for, those of other processes included.
        total: their requests.
        done: requests that the provider is done with; it need not tell before a batch ends.
    """

    jobs: int
    total: int
    done: int


async def run_batch(
    tasks: Iterable[Task],
    endpoint: BatchEndpoint,
    jobs: Jobs,
    record: Callable[[Sequence[Judgement]], Awaitable[None]],
    *,
    lookup: Callable[[str], ModelResponse | None] = lambda _: None,
    on_done: Callable[[Judgement], None] = lambda _: None,
    on_poll: Callable[[BatchCounts], None] = lambda _: None,
    budget: Budget | None = None,
    poll_seconds: float = 30.0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> None:
    """Judge all tasks through a batch endpoint.

    Args:
        tasks: what to judge; all of them are held in memory until they are answered.
        endpoint: where requests are submitted.
        jobs: where jobs are kept.
        record: makes judgements durable; never called twice at once.
        lookup: finds stored responses by key, with ``cached_at`` set; asked when a task is taken.
        on_done: called for each judgement after it was recorded.
        on_poll: called after each look at the jobs.
        budget: a cap; of what does not fit, nothing is submitted.
        poll_seconds: between two looks at the jobs.
        sleep: waits that many seconds.
        now: the time, for requests that several tasks share.

    Raises:
        InputError: a task could not be made, or the server has no batch endpoint.
        ProviderError: a batch was refused as a whole, the provider cannot be reached, or every one of at least 3
            requests failed; all that was answered is recorded, and what is submitted stays with the provider.
        BudgetExceeded: not everything could be paid for; what was submitted is collected and recorded.
        asyncio.CancelledError: the caller was cancelled; what is submitted stays with the provider.
    """
    run = _Run(endpoint, jobs, Recorder(record, on_done, now), budget, sleep)
    try:
        await run.take(tasks, lookup)
        while run.waiting:
            opened = await run.adopt()
            if opened is None:
                continue
            if await run.submit(opened):
                continue
            if not opened:
                break
            if not await run.collect(opened, on_poll):
                await sleep(poll_seconds)
        await run.recorder.flush()
        await run.book()
    finally:
        run.holds.leave()
    run.check()


class _Run:
    """The requests that wait for an answer, and how often each was tried."""

    def __init__(
        self,
        endpoint: BatchEndpoint,
        jobs: Jobs,
        recorder: Recorder,
        budget: Budget | None,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self.recorder = recorder
        self.waiting: dict[str, list[Task]] = {}
        self.holds = Holds(budget, endpoint.most_cost)
        self._endpoint, self._jobs, self._sleep = endpoint, jobs, sleep
        self._rounds: Counter[str] = Counter()
        self._forms: Counter[str] = Counter()
        self._not_ours: set[str] = set()
        self._own: set[int] = set()
        self._ended: BudgetExceeded | None = None

    async def take(self, tasks: Iterable[Task], lookup: Callable[[str], ModelResponse | None]) -> None:
        """Record what is stored, and let the rest wait."""
        for task in tasks:
            stored = lookup(task.key)
            if stored is None:
                self.waiting.setdefault(task.key, []).append(task)
            else:
                await self.recorder.answer([task], stored)
        await self.recorder.flush()

    async def adopt(self) -> list[Job] | None:
        """Return the open jobs with waiting requests, their ids found; None when the list is to be made anew."""
        opened = await asyncio.to_thread(self._jobs.open, list(self.waiting))
        for job in opened:
            if job.provider_id is None and await asyncio.to_thread(self._jobs.take, job.id):
                others = self._not_ours | {each.provider_id for each in opened if each.provider_id is not None}
                found = await self._find(job, others)
                if found is None:
                    await asyncio.to_thread(self._jobs.close, job.id, "never submitted")
                else:
                    await asyncio.to_thread(self._jobs.submitted, job.id, found)
                return None
        return list(opened)

    async def submit(self, opened: Sequence[Job]) -> bool:
        """Submit what waits and is in no open job; say whether anything has changed."""
        taken = frozenset[str]().union(*(job.keys for job in opened))
        free = [key for key in self.waiting if key not in taken]
        if not free:
            return False
        # Another process may have collected them since they were looked up.
        answers = await asyncio.to_thread(self._jobs.answered, free)
        for key, response in answers.items():
            await self._answer(key, response)
        if answers:
            await self.recorder.flush()
        if not await self._hold([key for key in taken if key in self.waiting]):
            return bool(answers)  # what is submitted already may cost all that is left: it is collected first
        final = all(job.id in self._own for job in opened)
        requests = await self._affordable([key for key in free if key in self.waiting], final=final)
        for portion in self._endpoint.portions(requests):
            await self._submit(portion)
        return bool(answers or requests)

    async def collect(self, opened: Sequence[Job], on_poll: Callable[[BatchCounts], None]) -> bool:
        """Look at all jobs and collect those that have ended; say whether any has."""
        total = done = 0
        ended: list[tuple[Job, str, BatchState]] = []
        for job in opened:
            total += len(job.keys)
            # Taken at each look: a sign of life for processes on other machines.
            if job.provider_id is not None and await asyncio.to_thread(self._jobs.take, job.id):
                state = await self._patiently(partial(self._endpoint.poll, job.provider_id))
                done += state.done
                if state.ended:
                    ended.append((job, job.provider_id, state))
        on_poll(BatchCounts(len(opened), total, done))
        for job, provider_id, state in ended:
            await self._collect(job, provider_id, state)
        return bool(ended)

    async def book(self) -> None:
        """Record what jobs that were overtaken have cost, where they have ended; whatever fails is left for later."""
        for job in await asyncio.to_thread(self._jobs.overtaken):
            if await asyncio.to_thread(self._jobs.take, job.id):
                with suppress(InputError, ProviderError):
                    await self._book(job)

    def check(self) -> None:
        """Raise what ended the run early.

        Raises:
            BudgetExceeded: some requests could not be paid for.
            ProviderError: nothing succeeded.
        """
        if self._ended is not None and self.waiting:
            raise self._ended
        self.recorder.check()

    async def _book(self, job: Job) -> None:
        provider_id = job.provider_id or await self._endpoint.find(job.token, job.created, job.keys, self._not_ours)
        if provider_id is None:
            await asyncio.to_thread(self._jobs.close, job.id, "never submitted")
            return
        if job.provider_id is None:
            await asyncio.to_thread(self._jobs.submitted, job.id, provider_id)
        state = await self._endpoint.poll(provider_id)
        if state.ended:
            await self._collect(job, provider_id, state)

    async def _hold(self, keys: Iterable[str]) -> bool:
        """Hold what jobs of earlier processes can cost; say whether it fits."""
        try:
            for key in keys:
                if key not in self.holds:
                    await self.holds.hold(key, self.waiting[key][0].request)
        except BudgetExceeded:
            return False
        return True

    async def _affordable(self, keys: Iterable[str], *, final: bool) -> list[BatchRequest]:
        """Hold what requests can cost, and return those that fit.

        Args:
            keys: of the requests.
            final: whether what does not fit now is given up; else it is tried again when something was collected.
        """
        requests: list[BatchRequest] = []
        for key in keys:
            if self._ended is not None:
                break
            request = self.waiting[key][0].request
            try:
                await self.holds.hold(key, request)
            except BudgetExceeded as error:
                self._ended = error if final else None
                break
            requests.append(BatchRequest(key, request))
        return requests

    async def _submit(self, requests: Sequence[BatchRequest]) -> None:
        wanted = [each.key for each in requests]
        job = await asyncio.to_thread(self._jobs.intend, wanted, self.holds.most(wanted))
        keys = job.keys if job is not None else frozenset()
        for each in requests:
            if each.key not in keys:  # another process was faster
                self.holds.settle(each.key, 0.0)
        if job is None:
            return
        self._own.add(job.id)
        provider_id = await self._sent(job, [each for each in requests if each.key in keys])
        # Also when the run is cancelled just now: the id is worth the moment.
        await asyncio.shield(asyncio.to_thread(self._jobs.submitted, job.id, provider_id))

    async def _sent(self, job: Job, requests: Sequence[BatchRequest]) -> str:
        attempt = 0
        while True:
            try:
                return await self._endpoint.submit(requests, job.token)
            except (CallError, InputError) as error:
                if isinstance(error, InputError) or (isinstance(error.retry, NoRetry) and not error.billable):
                    await asyncio.to_thread(self._jobs.close, job.id, "refused")
                    raise
                attempt += 1
                if attempt == _ATTEMPTS:
                    raise  # whether it was submitted is found out by the next run
                await self._sleep(_wait(error, attempt))
                found = await self._find(job, self._not_ours)
                if found is not None:
                    return found

    async def _find(self, job: Job, others: Iterable[str]) -> str | None:
        return await self._patiently(partial(self._endpoint.find, job.token, job.created, job.keys, frozenset(others)))

    async def _collect(self, job: Job, provider_id: str, state: BatchState) -> None:
        if state.problem is not None:
            await asyncio.to_thread(self._jobs.close, job.id, "refused")
            for key in job.keys:
                self.holds.settle(key, 0.0)
            raise ProviderError(f"{self._endpoint.name}: the provider refuses the batch: {state.problem}")
        collected: set[str] = set()
        if not state.gone and not await self._patiently(partial(self._read, job, provider_id, collected)):
            self._not_ours.add(provider_id)
            await asyncio.to_thread(self._jobs.submitted, job.id, None)
            return
        # Results that are kept no more may have been billed.
        retry = NoRetry() if state.cancelled else Transient()
        left = CallError(f"{self._endpoint.name}: no result in its batch", retry=retry, billable=state.gone)
        await self._settle_all(job, [(key, left) for key in job.keys if key not in collected])
        await asyncio.to_thread(self._jobs.close, job.id, "gone" if state.gone else "collected")

    async def _read(self, job: Job, provider_id: str, collected: set[str]) -> bool:
        """Record the results of a job but for the keys in ``collected``; False when they are not this job's."""
        asked = {key: self.waiting[key][0].request for key in job.keys if key in self.waiting}
        chunk: list[tuple[str, Outcome]] = []
        results = self._endpoint.results(provider_id, asked)
        try:
            async for key, outcome in results:
                if key not in job.keys and not collected and not chunk:
                    return False
                if key in job.keys and key not in collected:
                    chunk.append((key, outcome))
                if len(chunk) == CHUNK:
                    await self._settle_all(job, chunk)
                    collected.update(key for key, _ in chunk)
                    chunk = []
        finally:
            await results.aclose()
        await self._settle_all(job, chunk)
        collected.update(key for key, _ in chunk)
        return True

    async def _settle_all(self, job: Job, outcomes: Sequence[tuple[str, Outcome]]) -> None:
        # A process that was killed while it collected has recorded some of them: those are paid for already. Replies
        # that came otherwise are beside the point: these here are billed all the same.
        recorded = await asyncio.to_thread(self._jobs.booked, job.id, [key for key, _ in outcomes])
        unasked: list[tuple[str, ModelResponse]] = []
        for key, outcome in outcomes:
            if key in recorded:
                await self._answer(key, recorded[key])
            elif isinstance(outcome, CallError):
                await self._fail(key, outcome)
            else:
                self.holds.settle_reply(key, outcome, self._request(key), more=False)
                reply = replace(outcome, batch=job.id)
                if key in self.waiting:
                    await self._answer(key, reply)
                else:
                    unasked.append((key, reply))
        if unasked:
            await asyncio.to_thread(self._jobs.keep, unasked)
        await self.recorder.flush()

    async def _answer(self, key: str, response: ModelResponse) -> None:
        self.holds.settle(key, 0.0)
        if key in self.waiting:
            await self.recorder.answer(self.waiting.pop(key), response)

    async def _fail(self, key: str, error: CallError) -> None:
        if isinstance(error, AnotherForm) and error.reply is not None:
            self.holds.settle_reply(key, error.reply, self._request(key), more=True)
        else:
            self.holds.settle(key, None if error.billable else 0.0, str(error), self._request(key))
        if key not in self.waiting:
            return
        tried, most = (self._forms, _FORMS) if isinstance(error, AnotherForm) else (self._rounds, _ROUNDS)
        tried[key] += 1
        if not isinstance(error.retry, NoRetry) and tried[key] < most:
            return  # it waits on, and goes into another job as soon as this one is closed
        batches = self._rounds[key] + self._forms[key]
        given_up = f" (given up after {batches} batches)" if batches > 1 else ""
        await self.recorder.fail(self.waiting.pop(key), f"{error}{given_up}")

    def _request(self, key: str) -> ModelRequest | None:
        return self.waiting[key][0].request if key in self.waiting else None

    async def _patiently(self, attempt: Callable[[], Awaitable[_Result]]) -> _Result:
        """Try again what failed for the time being: a batch lasts for hours, and so may an outage."""
        failures = 0
        while True:
            try:
                return await attempt()
            except CallError as error:
                failures += 1
                if isinstance(error.retry, NoRetry) or failures == _ATTEMPTS:
                    raise
                await self._sleep(_wait(error, failures))


def _wait(error: CallError | InputError, failures: int) -> float:
    retry = getattr(error, "retry", None)
    return retry.seconds if isinstance(retry, RateLimited) else min(_LONGEST_WAIT, 2.0 ** (failures - 1))
