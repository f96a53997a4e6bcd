"""What a reading rule says: a fault with the figures it rests on, or that it cannot say anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from calibrate.domain import Json
from calibrate.rag.names import figure_name

__all__ = ["Diagnosis", "Evidence", "Fault", "FaultCode", "Rule", "Silent", "doubt"]

FaultCode = Literal[
    "invents",
    "retrieval",
    "reranker",
    "generation",
    "declines",
    "invents_more",
    "retrieval_worse",
    "reranker_worse",
    "generation_worse",
    "answers_do_not_follow",
    "memory",
    "k_too_large",
]
"""Of one variant: ``invents``: it answers what nothing answers. ``retrieval``: index, chunking or query. ``reranker``:
found, and lost before the context. ``generation``: in the context, and not in the answer. ``declines``: in the context,
and no answer. Of a change: the same, grown (``..._worse``, ``invents_more``); ``answers_do_not_follow``: retrieval is
better and answers are not; ``memory``: it answers from memory; ``k_too_large``: more context that is not needed."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A reading rule, for whoever reads the figures.

    Attributes:
        code: which rule.
        figures: the names of the figures that it reads.
        thresholds: by figure, the value that counts as low (or, where the sentence says so, as a loss); empty where
            the rule reads tested differences.
        sentence: when it fires, with its thresholds.
    """

    code: FaultCode
    figures: tuple[str, ...]
    sentence: str
    thresholds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A figure that a rule rests on.

    Attributes:
        name: of the figure.
        value: the figure, or, of a change, the difference.
        low: lower end of its 95 % interval, None without one.
        high: upper end.
        n: the questions it is over.
        first: of a change, the value before it.
        second: of a change, the value after it.
    """

    name: str
    value: float
    low: float | None
    high: float | None
    n: int
    first: float | None = None
    second: float | None = None

    @property
    def in_words(self) -> str:
        """The figure with its interval, for a sentence."""
        if self.first is not None and self.second is not None:
            return f"{figure_name(self.name)} {self.first:.2f} to {self.second:.2f}{self._interval('+')}"
        return f"{figure_name(self.name)} {self.value:.2f}{self._interval('')}"

    def _interval(self, sign: str) -> str:
        if self.low is None or self.high is None:
            return ""
        told = f"{self.low:{sign}.2f} to {self.high:{sign}.2f}"
        return f" (difference {self.value:{sign}.2f}, 95 % {told})" if sign else f" (95 % {told})"

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON, ``first`` and ``second`` of a change only."""
        found: dict[str, Json] = {
            "name": self.name,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "n": self.n,
        }
        return found if self.first is None else {**found, "first": self.first, "second": self.second}


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a fault lies, as far as the figures tell.

    Attributes:
        code: which rule.
        sentence: what it says, with its figures.
        certain: whether the figures allow no other reading; else it is likely. What is read off declared phrases of
            abstention, without a judge, is never certain.
        order: the place in which faults are to be looked at, from 0.
        rests_on: the questions that the figure with the fewest is over.
        figures: what it rests on.
    """

    code: FaultCode
    sentence: str
    certain: bool
    order: int
    rests_on: int
    figures: tuple[Evidence, ...]

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "code": self.code,
            "sentence": self.sentence,
            "certain": self.certain,
            "order": self.order,
            "rests_on": self.rests_on,
            "figures": [each.to_json() for each in self.figures],
        }


@dataclass(frozen=True, slots=True)
class Silent:
    """A rule that cannot say anything.

    Attributes:
        code: which rule.
        missing: the figures that are undefined or were not measured.
        sentence: what is missing, in words.
    """

    code: FaultCode
    missing: tuple[str, ...]
    sentence: str

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {"code": self.code, "missing": list(self.missing), "sentence": self.sentence}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What all rules say.

    Attributes:
        faults: those found, in the order to look at them.
        silent: the rules that cannot say anything; a rule in neither found its figures in order.
    """

    faults: tuple[Fault, ...]
    silent: tuple[Silent, ...]

    @classmethod
    def of(cls, said: Iterable[Fault | Silent | None]) -> Diagnosis:
        """Sort out what each rule says; None is a rule that finds nothing wrong."""
        told = [each for each in said if each is not None]
        faults = sorted((each for each in told if isinstance(each, Fault)), key=lambda each: each.order)
        return cls(tuple(faults), tuple(each for each in told if isinstance(each, Silent)))

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {
            "faults": [each.to_json() for each in self.faults],
            "silent": [each.to_json() for each in self.silent],
        }


def doubt(*, settled: bool, by_phrases: bool) -> str:
    """Return what to say before a fault that is not certain, empty for one that is.

    Args:
        settled: whether the questions are enough.
        by_phrases: whether declared phrases, not a judge, decided what abstains.
    """
    few = "" if settled else "not certain on so few questions"
    phrases = "decided by declared phrases and no judge" if by_phrases else ""
    reasons = ", ".join(each for each in (few, phrases) if each)
    return f"likely, {reasons}: " if reasons else ""
