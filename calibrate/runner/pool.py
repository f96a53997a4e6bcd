"""One flat pool of judge calls with one writer behind it.

Workers take the next task as soon as they are free, so there is no barrier between evaluations. Finished judgements
go to a queue; the writer records whatever has gathered there as one batch, and only then are they counted and
reported. Nothing is gathered beyond that, so memory does not grow with the number of tasks. A failure of one item
becomes that item's unscored verdict; a systemic one (a wrong key), or one that repeats many times without a success in
between, ends the run, with everything that was answered recorded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass

from calibrate.domain import Item, Judgement, Model, ModelRequest, ModelResponse, Unscored, Verdict
from calibrate.errors import BudgetExceeded, InputError, ProviderError

__all__ = ["Task", "run"]

_PATIENCE = 20
_MOST_WORKERS = 1024
_FEWEST_THAT_TELL = 3
_MOST_UNRECORDED = 256  # paid replies that a kill can cost; beyond, calls wait for the database


@dataclass(frozen=True, slots=True)
class Task:
    """One judge call.

    Attributes:
        evaluation: the evaluation it belongs to.
        item: the item to judge.
        request: the rendered request.
        key: its content address.
        read: turns a response into a verdict.
    """

    evaluation: int
    item: Item
    request: ModelRequest
    key: str
    read: Callable[[ModelResponse], Verdict]


async def run(
    tasks: Iterable[Task],
    model: Model,
    record: Callable[[Sequence[Judgement]], Awaitable[None]],
    *,
    concurrency: int = 16,
    on_done: Callable[[Judgement], None] = lambda _: None,
) -> None:
    """Judge all tasks.

    Args:
        tasks: what to judge; taken one by one, so a generator keeps memory flat.
        model: answers requests.
        record: makes a batch durable; called by one writer, never twice at once.
        concurrency: calls in flight at most; above 1,024 it is 1,024.
        on_done: called for each judgement after it was recorded, in order of completion.

    Raises:
        InputError: a task could not be made, or ``concurrency`` is below 1.
        ProviderError: the model failed many times in a row without a success, or in every one of at least 3 calls; all
            of it is recorded.
        BudgetExceeded: no call could be paid for any more; those in flight were finished and recorded.
        asyncio.CancelledError: the caller was cancelled; what was answered is recorded.
    """
    if concurrency < 1:
        raise InputError(f"concurrency {concurrency}: at least one call must be in flight", field="concurrency")
    queue: asyncio.Queue[Judgement | None] = asyncio.Queue()
    concurrency = min(concurrency, _MOST_WORKERS)
    failures = _Failures(max(_PATIENCE, 2 * concurrency))
    waiting = _Waiting(tasks)
    writer = asyncio.create_task(_write(queue, record, waiting, on_done))
    workers = [asyncio.create_task(_work(waiting, model, queue, failures)) for _ in range(_workers(tasks, concurrency))]
    pool = asyncio.gather(*workers)
    try:
        # The writer ends first only when it fails (a full disk); paying for what cannot be kept would be waste.
        await asyncio.wait((pool, writer), return_when=asyncio.FIRST_COMPLETED)
        if pool.done():
            pool.result()
    finally:
        waiting.stop()
        for worker in workers:
            worker.cancel()
        await asyncio.gather(pool, *workers, return_exceptions=True)
        queue.put_nowait(None)
        await writer
    if waiting.ended is not None:
        raise waiting.ended
    failures.check()


def _workers(tasks: Iterable[Task], concurrency: int) -> int:
    return min(concurrency, len(tasks)) if isinstance(tasks, Sized) else concurrency


async def _work(waiting: _Waiting, model: Model, queue: asyncio.Queue[Judgement | None], failures: _Failures) -> None:
    for task in waiting:
        try:
            response = await model.complete(task.request)
        except BudgetExceeded as error:
            # Nobody judged this item, and what other workers have in flight is paid for: they finish it.
            waiting.end(error)
        except ProviderError as error:
            verdict = Unscored("error", str(error))
            queue.put_nowait(Judgement(task.evaluation, task.item.id, verdict, task.key, None))
            failures.add(error)
        else:
            queue.put_nowait(Judgement(task.evaluation, task.item.id, task.read(response), task.key, response))
            failures.clear()
        # A model that answers without waiting (a replay, the simulator) must not keep the writer from its turn.
        await asyncio.sleep(0)
        if queue.qsize() >= _MOST_UNRECORDED:
            await waiting.until_recorded()


async def _write(
    queue: asyncio.Queue[Judgement | None],
    record: Callable[[Sequence[Judgement]], Awaitable[None]],
    waiting: _Waiting,
    on_done: Callable[[Judgement], None],
) -> None:
    open_for_more = True
    while open_for_more:
        gathered = [await queue.get()]
        while not queue.empty():
            gathered.append(queue.get_nowait())
        open_for_more = None not in gathered
        batch = [each for each in gathered if each is not None]
        if batch:
            await record(batch)
            waiting.recorded()
            for judgement in batch:
                on_done(judgement)


class _Waiting:
    """The tasks that no worker has taken yet."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = iter(tasks)
        self._recorded = asyncio.Event()
        self._stopped = False
        self.ended: BudgetExceeded | None = None

    def __iter__(self) -> Iterator[Task]:
        return self

    def __next__(self) -> Task:
        if self._stopped or self.ended is not None:
            raise StopIteration
        return next(self._tasks)

    async def until_recorded(self) -> None:
        """Wait until the writer has recorded its next batch."""
        if not self._stopped:  # a writer that failed records nothing any more
            self._recorded.clear()
            await self._recorded.wait()

    def recorded(self) -> None:
        """A batch was recorded."""
        self._recorded.set()

    def stop(self) -> None:
        """Hand out no more tasks: a worker whose reply comes as it is stopped records it, and takes no other."""
        self._stopped = True
        self._recorded.set()

    def end(self, error: BudgetExceeded) -> None:
        """Hand out no more tasks."""
        self.ended = error


class _Failures:
    """Counts failures in a row; one item's bad luck is not systemic, a dead provider is."""

    def __init__(self, patience: int) -> None:
        self._patience, self._in_a_row = patience, 0
        self._any_success, self._last = False, ""

    def add(self, error: ProviderError) -> None:
        self._in_a_row += 1
        self._last = str(error)
        if error.systemic:
            raise error
        if self._in_a_row >= self._patience:
            raise ProviderError(f"{self._in_a_row} calls in a row failed; the last one: {error}") from error

    def clear(self) -> None:
        self._in_a_row, self._any_success = 0, True

    def check(self) -> None:
        """Raise when nothing succeeded: a few items that all failed tell of the provider, not of the items."""
        if not self._any_success and self._in_a_row >= _FEWEST_THAT_TELL:
            raise ProviderError(f"all {self._in_a_row} calls failed; the last one: {self._last}")
