"""What a RAG evaluation would ask of its judges, what that costs, and what so many questions can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibrate.domain import Json
from calibrate.rag import Bank
from calibrate.rag.sample_resolution import SampleResolution, resolution
from calibrate.workflows.preflight import DryRun, Estimate
from calibrate.workflows.rag_asking import EMBEDDING
from calibrate.workflows.sentences import counted

__all__ = ["RagPlan", "plan_of", "resolution_sentence"]


@dataclass(frozen=True, slots=True)
class RagPlan(DryRun):
    """A plan: nothing is written or spent.

    Attributes:
        questions: that are evaluated.
        variants: that are evaluated.
        resolves: what can be told of them, by ``answerable`` (retrieval and answers) and ``unanswerable`` (abstention).
    """

    questions: int = 0
    variants: int = 0
    resolves: tuple[tuple[str, SampleResolution], ...] = ()

    @property
    def calls_a_question(self) -> float:
        """Judge calls for one question of one variant, those with a stored reply too; an embedder's are none."""
        asked = sum(work.calls + work.stored for work in self.estimate.works if work.purpose != EMBEDDING)
        return asked / (self.questions * self.variants) if self.questions and self.variants else 0.0

    @property
    def notes(self) -> tuple[str, ...]:
        """What stands below the estimate, in sentences."""
        size = f"{counted(self.questions, 'question')} and {counted(self.variants, 'variant')}"
        return (f"{size}: {self.calls_a_question:.1f} judge calls a question and variant.", *map(_told, self.resolves))

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        return {
            **super(RagPlan, self).to_json(),  # dataclasses with slots are made anew: a bare super() finds the old one
            "questions": self.questions,
            "variants": self.variants,
            "calls_a_question": self.calls_a_question,
            "resolution": {name: each.to_json() for name, each in self.resolves},
            "notes": list(self.notes),
        }


def plan_of(told: Estimate, bank: Bank, variants: Sequence[object]) -> RagPlan:
    """Return the plan for a bank, or a sample of it, and so many variants."""
    answerable = sum(each.answerable for each in bank.questions)
    counts = (("answerable", answerable), ("unanswerable", len(bank.questions) - answerable))
    resolves = tuple((name, resolution(count)) for name, count in counts if count)
    return RagPlan(told, len(bank.questions), len(variants), resolves)


def resolution_sentence(n: int, found: SampleResolution, what: str = "") -> str:
    """Say how precisely a share is known from so many questions, and which difference of two variants they find."""
    width = f"a share is known to about ±{found.half_width:.2f}"
    paired = (
        "no difference of two variants can be found"
        if found.difference is None
        else f"a difference of {found.difference:.2f} between two variants is found four times in five"
    )
    return f"{counted(n, f'{what} question'.strip())}: {width}; {paired}."


def _told(each: tuple[str, SampleResolution]) -> str:
    name, found = each
    return resolution_sentence(found.n, found, name)
