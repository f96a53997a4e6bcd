"""A judged prompt: its verdicts, what they cost, and who gave them."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TypeVar

from calibrate.domain import Judgement, ModelResponse, Scored, Verdict

__all__ = ["Bill", "Evaluated"]

Number = TypeVar("Number", int, float)


@dataclass(slots=True)
class Bill:
    """What the replies to a prompt took, whenever they came.

    Attributes:
        replies: how many there are; an item takes several where a judge votes.
        cost: US dollars of all of them; None when one is unknown. Calls that failed are no part of it.
        input_tokens: of all of them, cached ones too; None when one did not tell.
        output_tokens: of all of them, reasoning included; None when one did not tell.
        batched: those that came in a batch.
        batch_cost: US dollars of these, at its price; None when one is unknown.
        seconds: from request to reply, of each reply that somebody waited for.
    """

    replies: int = 0
    cost: float | None = 0.0
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    batched: int = 0
    batch_cost: float | None = 0.0
    seconds: array[float] = field(default_factory=lambda: array("d"))

    def add(self, response: ModelResponse) -> None:
        """Count a reply."""
        self.replies += 1
        self.cost = _sum(self.cost, response.cost)
        self.input_tokens = _sum(self.input_tokens, response.usage.input_tokens)
        self.output_tokens = _sum(self.output_tokens, response.usage.output_tokens)
        if response.batch is None:
            self.seconds.append(response.latency)
        else:
            self.batched += 1
            self.batch_cost = _sum(self.batch_cost, response.cost)

    def extend(self, other: Bill) -> None:
        """Count the replies of another bill."""
        self.replies += other.replies
        self.cost = _sum(self.cost, other.cost)
        self.input_tokens = _sum(self.input_tokens, other.input_tokens)
        self.output_tokens = _sum(self.output_tokens, other.output_tokens)
        self.batched += other.batched
        self.batch_cost = _sum(self.batch_cost, other.batch_cost)
        self.seconds.extend(other.seconds)


@dataclass(slots=True)
class Evaluated:
    """A prompt judged on the labelled items of one dimension.

    Attributes:
        evaluation: its id in the store.
        verdicts: by item id. A verdict that agrees with the label comes without its reasoning, which is in the store.
        cost: US dollars that judging it takes without any cache; None when a part is unknown.
        paid_calls: calls made now; the rest was replayed.
        replayed_from: the time of the oldest replayed response, None when nothing was replayed.
        returned: the models that answered, as the provider names them, with the number of their answers.
        moved: pairs whose verdict changed when the answers changed places, over all votes; None in one order.
        bill: cost, tokens and times of the replies, replayed ones too.
    """

    evaluation: int
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    cost: float | None = 0.0
    paid_calls: int = 0
    replayed_from: str | None = None
    returned: Counter[str] = field(default_factory=Counter)
    moved: int | None = None
    bill: Bill = field(default_factory=Bill)

    def add(self, judgement: Judgement, label: str | None, *, shared: bool = False) -> None:
        """Count one recorded judgement.

        Args:
            judgement: what was recorded.
            label: the experts'.
            shared: whether its reply was counted with another item: one split of an answer serves all its statements.
        """
        verdict, response = judgement.verdict, judgement.response
        if isinstance(verdict, Scored) and verdict.label == label:
            verdict = replace(verdict, reasoning="")
        self.verdicts[judgement.item_id] = verdict
        self.paid_calls += judgement.paid
        if shared:
            return
        if response is None or response.cost is None or self.cost is None:
            self.cost = None  # a failed call may have been billed all the same
        else:
            self.cost += response.cost
        if response is not None:
            self.bill.add(response)
            self.returned[response.model] += 1
            self._replayed(response.cached_at)

    def add_bill(self, part: Evaluated) -> None:
        """Count what a part of this evaluation cost, and who answered."""
        self.cost = None if self.cost is None or part.cost is None else self.cost + part.cost
        self.bill.extend(part.bill)
        self.paid_calls += part.paid_calls
        self.returned.update(part.returned)
        self._replayed(part.replayed_from)

    def _replayed(self, moment: str | None) -> None:
        if moment and (self.replayed_from is None or moment < self.replayed_from):
            self.replayed_from = moment


def _sum(one: Number | None, other: Number | None) -> Number | None:
    return None if one is None or other is None else one + other
