"""What a RAG system did with the questions of a bank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibrate.domain import Json, digest

__all__ = ["Output", "Variant"]


@dataclass(frozen=True, slots=True)
class Output:
    """What a system retrieved and answered to one question.

    Attributes:
        question: the id of the question.
        ranked: the ids of the retrieved chunks, best first; each of them once.
        context: the ids of the chunks that stood in the answering model's context, in their order.
        answer: the answer, with its citations (``[id]``).
        latency: seconds from question to answer; None when not told.
        input_tokens: of the answering model; None when not told.
        output_tokens: of the answering model; None when not told.
        cost: US dollars that the answer cost; None when not told.
        row: its data row in the file it came from, 0 when it came from elsewhere.
    """

    question: str
    ranked: tuple[str, ...]
    context: tuple[str, ...]
    answer: str
    latency: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    row: int = 0

    def to_json(self) -> dict[str, Json]:
        """Return everything but the row as JSON."""
        return {
            "question": self.question,
            "ranked": list(self.ranked),
            "context": list(self.context),
            "answer": self.answer,
            "latency": self.latency,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost": self.cost,
        }


@dataclass(frozen=True)
class Variant:
    """One version of a system, on the questions of a bank.

    Attributes:
        name: what the user calls it.
        outputs: by the id of the question; questions of the bank that it lacks are counted as missing.
        source: the file they came from, or the function that was asked.
    """

    name: str
    outputs: Mapping[str, Output]
    source: str = ""

    @property
    def digest(self) -> str:
        """Content digest over the outputs."""
        return digest({name: self.outputs[name].to_json() for name in sorted(self.outputs)})
