"""Judging through a provider's batch endpoint: wires the runner to the endpoint, the stored jobs and the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

from calibrate import runner
from calibrate.domain import Judgement, Model, ModelResponse, UncertainCharge
from calibrate.errors import BudgetExceeded
from calibrate.providers import Ledger
from calibrate.providers.batches import open_batches
from calibrate.providers.ledger import in_dollars
from calibrate.store import BatchJobs, Store
from calibrate.workflows.progress import Progress

__all__ = ["LedgerBudget", "judge_in_batches", "note_open_batches"]


async def judge_in_batches(
    tasks: Iterable[runner.Task],
    model: Model,
    store: Store,
    run_id: int,
    record: Callable[[Sequence[Judgement]], Awaitable[None]],
    *,
    lookup: Callable[[str], ModelResponse | None],
    on_done: Callable[[Judgement], None],
    progress: Progress,
    ledger: Ledger,
    poll_seconds: float,
) -> None:
    """Judge all tasks through the model's batch endpoint; see :func:`calibrate.runner.run_batch`.

    Raises:
        InputError: the model has no batch endpoint.
    """
    endpoint = open_batches(model)
    try:
        await runner.run_batch(
            tasks,
            endpoint,
            BatchJobs(store, run_id, model.name),
            record,
            lookup=lookup,
            on_done=on_done,
            on_poll=progress.polled,
            budget=LedgerBudget(ledger, model.name),
            poll_seconds=poll_seconds,
        )
    except asyncio.CancelledError:
        progress.note("batches that were submitted stay with the provider; the same command collects them")
        raise


def note_open_batches(store: Store, run_id: int, model: Model, progress: Progress, ledger: Ledger | None) -> None:
    """Say that requests to the model are in batches that were not collected, before they are paid for as calls.

    Args:
        store: where jobs are kept.
        run_id: the run.
        model: the model.
        progress: told of them.
        ledger: what the batches of the run can cost counts towards its cap: they are billed, collected or not. None
            when earlier parts of the run do not count.
    """
    jobs = BatchJobs(store, run_id, model.name)
    pending = jobs.pending()
    if not pending:
        return
    progress.note(
        f"{pending:,} requests to {model.name} are in batches that were not collected; --mode batch collects those "
        "of this set instead of paying for them again"
    )
    if ledger is not None and ledger.cap is not None:
        most = jobs.most()
        known = {job: each for job, each in most.items() if each is not None}
        for job, each in known.items():
            ledger.count_once(job, each)
        if known:
            progress.note(
                f"the batches of this run can cost up to ${sum(known.values()):,.4f}, which counts towards --budget"
            )
        if len(known) < len(most):
            progress.note("what batches of this run can cost is not known here: it does not count towards --budget")


class LedgerBudget:
    """The ledger as the budget of a batch.

    It never waits: what is held for the requests of a batch stays held until the batch is collected.

    Args:
        ledger: the command's.
        model: the model's name.
    """

    def __init__(self, ledger: Ledger, model: str) -> None:
        self._ledger, self._model = ledger, model

    async def reserve(self, most: float | None) -> float | None:
        """Hold the largest possible cost of a request.

        Raises:
            BudgetExceeded: it does not fit.
            InputError: there is a cap and the price is unknown.
        """
        ledger = self._ledger
        if ledger.cap is None:
            return most
        if most is not None and not ledger.fits(most):
            raise BudgetExceeded(
                f"the budget of {in_dollars(ledger.cap, 2)} ends here: {in_dollars(ledger.spent)} are spent, the "
                f"requests of this batch can cost up to {in_dollars(ledger.reserved)}, and one more up to "
                f"{in_dollars(most)}; what was answered is kept; raise --budget to go on"
            )
        return await ledger.reserve(self._model, most)

    def is_open(self, response: ModelResponse) -> bool:
        """Whether a reply is entered as a charge of unknown amount; see :class:`calibrate.providers.Ledger`."""
        return self._ledger.is_open(response)

    def keep(self, cost: float, reason: str) -> None:
        """Enter what no recorded reply stands for; see :class:`calibrate.runner.Budget`."""
        self._ledger.keep(UncertainCharge(self._model, reason, cost))

    def settle(self, held: float | None, cost: float | None, *, reason: str = "", most: float | None = None) -> None:
        """Enter what a request cost; see :class:`calibrate.runner.Budget`."""
        if cost is None:
            if held is None:
                self._ledger.spent += most or 0.0
                self._ledger.keep(UncertainCharge(self._model, reason, most))
            else:
                self._ledger.leave_open(held, UncertainCharge(self._model, reason, held))
        elif held is None:
            self._ledger.spent += cost
        else:
            self._ledger.settle(held, cost)
