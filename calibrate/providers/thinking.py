"""Room for models that think: hidden reasoning that uses up the token limit leaves no reply, only a bill."""

from __future__ import annotations

import re
from dataclasses import replace

from calibrate.domain import Model, ModelRequest, ModelResponse, UncertainCharge, Usage
from calibrate.providers.ledger import Ledger
from calibrate.providers.wrapper import ModelWrapper, innermost

__all__ = ["FACTOR", "RoomForThinking", "both_replies", "used_up", "with_room"]

FACTOR = 4
"""By how much the token limit is multiplied."""

_OPEN_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>(?!.*</\1>)", re.DOTALL | re.IGNORECASE)


class RoomForThinking(ModelWrapper):
    """Asks once more, with four times the token limit, when reasoning used all of it up.

    Later requests are asked with the larger limit at once: what it has cost to find out is paid once. It stands outside
    the retries. Usage, cost and latency of the response are those of both replies. A limit that is declared for the
    model is kept.

    Args:
        inner: the model.
        ledger: where a reply is entered that no response will stand for: the second request fails, or does not tell
            what it cost.

    Attributes:
        enlarged: replies so far that were used up by reasoning.
        factor: by how much the token limit of a request is multiplied now.
    """

    def __init__(self, inner: Model, ledger: Ledger) -> None:
        super().__init__(inner)
        self._ledger = ledger
        self.enlarged = 0
        self.factor = 1

    @property
    def is_fixed(self) -> bool:
        """Whether the token limit is declared, so that asking for more would change nothing."""
        endpoint = getattr(innermost(self.inner), "endpoint", None)
        return getattr(endpoint, "max_tokens", None) is not None

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request, with more room when it turns out to need it."""
        asked_with = self.factor
        response = await self.inner.complete(with_room(request, asked_with))
        if asked_with > 1 or self.is_fixed or not used_up(response):
            return response
        self.enlarged += 1
        self.factor = FACTOR
        try:
            second = await self.inner.complete(with_room(request, FACTOR))
        except BaseException:
            # What does not tell its cost is in the ledger already, with the most that it can be.
            if not self._ledger.is_open(response):
                self._keep("reasoning used up the token limit, and the request with a larger one failed", response.cost)
            raise
        if (response.cost is None) != (second.cost is None):
            # What both have cost is unknown, and recorded as unknown; what one of them has cost is not.
            known = second.cost if response.cost is None else response.cost
            self._keep("one of two replies, since reasoning used up the token limit; the other did not tell", known)
        return both_replies(response, second)

    def _keep(self, reason: str, cost: float | None) -> None:
        self._ledger.keep(UncertainCharge(self.name, reason, cost))


def both_replies(first: ModelResponse, second: ModelResponse) -> ModelResponse:
    """Return the second reply with what both have taken."""
    return replace(
        second,
        usage=_sum(first.usage, second.usage),
        cost=None if first.cost is None or second.cost is None else first.cost + second.cost,
        latency=first.latency + second.latency,
        enlarged=1,
    )


def with_room(request: ModelRequest, factor: int) -> ModelRequest:
    """Return the request with ``factor`` times its token limit."""
    return request if factor == 1 else replace(request, max_tokens=request.max_tokens * factor)


def used_up(response: ModelResponse) -> bool:
    """Return whether the limit ended the reply before anything but reasoning was said."""
    return response.finish == "length" and (not response.text.strip() or bool(_OPEN_THOUGHT.match(response.text)))


def _sum(one: Usage, other: Usage) -> Usage:
    def both(first: int | None, second: int | None) -> int | None:
        return None if first is None or second is None else first + second

    return Usage(
        input_tokens=both(one.input_tokens, other.input_tokens),
        cache_read_tokens=both(one.cache_read_tokens, other.cache_read_tokens),
        cache_write_tokens=both(one.cache_write_tokens, other.cache_write_tokens),
        output_tokens=both(one.output_tokens, other.output_tokens),
        reasoning_tokens=both(one.reasoning_tokens, other.reasoning_tokens),
    )
