"""The named ways in which the meta-LLM is asked to rewrite a judge prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibrate.optimizer.trials import ErrorKind, Misjudged

__all__ = ["STRATEGIES", "Strategy"]


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to rewrite.

    Attributes:
        name: how it is called in logs and in the meta-prompt.
        request: what it asks of the meta-LLM.
        evidence: the kinds of errors it shows first; empty for all kinds. A strategy with kinds of its own is used only
            while the current prompt makes such errors.
    """

    name: str
    request: str
    evidence: frozenset[ErrorKind] = frozenset()

    def applies(self, errors: Sequence[Misjudged]) -> bool:
        """Whether the current errors give this strategy something to work on."""
        return not self.evidence or any(error.kind in self.evidence for error in errors)

    def choose(self, errors: Sequence[Misjudged], limit: int) -> tuple[Misjudged, ...]:
        """Return at most ``limit`` errors to show: its own kinds first, each kind in the order given."""
        first = [error for error in errors if error.kind in self.evidence]
        rest = [error for error in errors if error.kind not in self.evidence]
        return tuple((first + rest)[:limit])


STRATEGIES: tuple[Strategy, ...] = (
    Strategy(
        "general improvement",
        "Improve the current prompt so that the judge agrees with the experts more often. Work out from the errors "
        "what the judge does not look at or misunderstands, and change or add the instructions that would have led it "
        "right. Keep what works.",
    ),
    Strategy(
        "fix wrongly rejected",
        "The judge is too strict on some items: it fails or underrates answers that the experts accept. Find what "
        "these answers have in common and change the instructions so that such answers are accepted, without opening "
        "the door to bad ones.",
        frozenset({"wrongly rejected", "under-scored"}),
    ),
    Strategy(
        "fix wrongly accepted",
        "The judge is too lenient on some items: it passes or overrates answers that the experts reject. Find which "
        "check would have caught each of them and add it as a general instruction, without making the judge strict "
        "about what the experts do not mind.",
        frozenset({"wrongly accepted", "over-scored"}),
    ),
    Strategy(
        "explicit rubric",
        "Rewrite the prompt as an explicit rubric: numbered criteria, each of which can be checked by itself, followed "
        "by the rule that leads from the criteria to the label. Cover the errors shown.",
    ),
    Strategy(
        "radical simplification",
        "Write the shortest prompt that could work: a few plain sentences that state what decides the label. Drop "
        "every instruction that the errors and scores do not justify.",
    ),
)
"""The five strategies of every iteration."""
