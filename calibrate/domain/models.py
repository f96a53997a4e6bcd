"""The model protocol: one request in, one response out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from calibrate.domain.digests import Json, digest

__all__ = ["Finish", "Model", "ModelRequest", "ModelResponse", "UncertainCharge", "Usage", "request_key"]

Finish = Literal["stop", "length", "refusal"]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a model is asked.

    Attributes:
        system: the instructions, identical over all items of an evaluation where possible (prompt caching).
        user: the data block, or the meta-prompt.
        schema: JSON schema the reply must follow, or None for free text.
        temperature: sampling temperature; None leaves the provider's default.
        max_tokens: the largest reply, reasoning included.
        item: the item's id and inputs for judges that are code (``py:``, ``exec:``); models ignore it, and it is set
            for those judges only.
        repeat: 0 for the first reply to this request, 1 for an independent second one, ...
        confidence: whether to ask for the probability of the label that the reply states, where a model can tell it.
    """

    system: str
    user: str
    schema: Mapping[str, Json] | None = None
    temperature: float | None = 0.0
    max_tokens: int = 1024
    item: Mapping[str, Json] | None = None
    repeat: int = 0
    confidence: bool = False

    def to_json(self) -> dict[str, Json]:
        """Return the request as JSON, as it enters its key."""
        told: dict[str, Json] = {"confidence": True} if self.confidence else {}
        return told | {
            "system": self.system,
            "user": self.user,
            "schema": self.schema,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "item": self.item,
            "repeat": self.repeat,
        }


@dataclass(frozen=True, slots=True)
class Usage:
    """Billed tokens. None means that the provider did not say.

    Attributes:
        input_tokens: all input tokens, cached ones included.
        cache_read_tokens: the part of the input read from the provider's prompt cache.
        cache_write_tokens: the part of the input written to it.
        output_tokens: all output tokens, reasoning included.
        reasoning_tokens: the part of the output spent on hidden reasoning.
    """

    input_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """What a model answered.

    Attributes:
        text: the reply; empty when there is none.
        finish: why it ended: by itself, at the token limit, or as a refusal.
        model: the model that the provider says answered.
        usage: billed tokens.
        cost: US dollars, or None when the price or the usage is unknown; a replayed response keeps what it cost then.
        latency: seconds from request to reply.
        cached_at: for a response replayed from the cache, when it was first received (ISO 8601, UTC).
        confidence: the probability, in [0, 1], that the model gave to the label it states, where it tells one.
        enlarged: earlier replies to this request that hidden reasoning used up before it was asked again with a larger
            limit; usage and cost include them.
        batch: the number of the batch job that it came in; None for the reply to a call.
    """

    text: str
    finish: Finish
    model: str
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    latency: float = 0.0
    cached_at: str | None = None
    confidence: float | None = None
    enlarged: int = 0
    batch: int | None = None


@dataclass(frozen=True, slots=True)
class UncertainCharge:
    """A charge of unknown amount: an attempt that may have been billed without an answer, or a reply without usage.

    Attributes:
        model: the model's name.
        reason: what happened.
        at_most: US dollars that it can have cost at most, or None when the price is unknown.
    """

    model: str
    reason: str
    at_most: float | None


class Model(Protocol):
    """Anything that answers a request: a provider, the simulator, a user's function, a replay, or a wrapper."""

    @property
    def name(self) -> str:
        """The name as the user wrote it, such as ``openai:gpt-4.1``."""

    @property
    def simulated(self) -> bool:
        """Whether replies are simulated; said wherever a result shows."""

    @property
    def identity(self) -> Mapping[str, Json]:
        """Everything beside the request that can change a reply (base URL, code digest, simulator version)."""

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer one request.

        Raises:
            ProviderError: no answer after all retries.
        """

    async def close(self) -> None:
        """Release connections; the model is not used afterwards."""


def request_key(model: Model, request: ModelRequest) -> str:
    """Return the content address of a request to a model: the key of cache, resume and "already tried"."""
    return digest({"model": model.name, "identity": model.identity, "request": request.to_json()})
