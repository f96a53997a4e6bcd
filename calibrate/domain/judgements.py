"""What one judge call came to: the unit that is recorded, and counted only after that."""

from __future__ import annotations

from dataclasses import dataclass

from calibrate.domain.models import ModelResponse
from calibrate.domain.verdicts import Verdict

__all__ = ["Judgement"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One item judged once.

    Attributes:
        evaluation: the evaluation it belongs to.
        item_id: the item.
        verdict: scored, or unscored with its reason.
        key: the content address of the request.
        response: the model's response, or None when the call failed after all retries.
    """

    evaluation: int
    item_id: str
    verdict: Verdict
    key: str
    response: ModelResponse | None

    @property
    def paid(self) -> bool:
        """Whether this judgement made a call (a replayed response was paid for earlier)."""
        return self.response is not None and self.response.cached_at is None
