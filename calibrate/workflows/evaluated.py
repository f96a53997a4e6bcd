"""A judged prompt: its verdicts, what they cost, and who gave them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from calibrate.domain import Judgement, Scored, Verdict

__all__ = ["Evaluated"]


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
    """

    evaluation: int
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    cost: float | None = 0.0
    paid_calls: int = 0
    replayed_from: str | None = None
    returned: Counter[str] = field(default_factory=Counter)
    moved: int | None = None

    def add(self, judgement: Judgement, label: str | None) -> None:
        """Count one recorded judgement; ``label`` is the experts'."""
        verdict, response = judgement.verdict, judgement.response
        if isinstance(verdict, Scored) and verdict.label == label:
            verdict = replace(verdict, reasoning="")
        self.verdicts[judgement.item_id] = verdict
        self.paid_calls += judgement.paid
        if response is None or response.cost is None or self.cost is None:
            self.cost = None  # a failed call may have been billed all the same
        else:
            self.cost += response.cost
        if response is not None:
            self.returned[response.model] += 1
            self._replayed(response.cached_at)

    def add_bill(self, part: Evaluated) -> None:
        """Count what a part of this evaluation cost, and who answered."""
        self.cost = None if self.cost is None or part.cost is None else self.cost + part.cost
        self.paid_calls += part.paid_calls
        self.returned.update(part.returned)
        self._replayed(part.replayed_from)

    def _replayed(self, moment: str | None) -> None:
        if moment and (self.replayed_from is None or moment < self.replayed_from):
            self.replayed_from = moment
