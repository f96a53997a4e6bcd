"""The failure patterns that a calibration found, and what became of each from prompt to prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibrate.domain import Json
from calibrate.workflows.answers import Answers

__all__ = ["FailurePattern", "PatternChange", "PatternErrors", "PatternTrace", "changes", "patterns_of", "traces"]


@dataclass(frozen=True, slots=True)
class FailurePattern:
    """Errors of one kind.

    Attributes:
        name: its name.
        description: what goes wrong.
        items: ids of the items on which it was seen, whichever prompt misjudged them.
        found: the iteration that found it; None when that is not recorded.
    """

    name: str
    description: str
    items: tuple[str, ...]
    found: int | None

    def errors(self, answers: Answers) -> frozenset[str]:
        """Return those of its items that a prompt misjudges."""
        return answers.wrong.intersection(self.items)


@dataclass(frozen=True, slots=True)
class PatternErrors:
    """A pattern at one candidate.

    Attributes:
        candidate: its number.
        errors: items of the pattern that it misjudges.
        left_out: items of the pattern that it has no verdict on.
    """

    candidate: int
    errors: int
    left_out: int

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {"candidate": self.candidate, "errors": self.errors, "left_out": self.left_out}


@dataclass(frozen=True, slots=True)
class PatternTrace:
    """A pattern over the whole: at the baseline and at every candidate on the way to the prompt explained."""

    pattern: FailurePattern
    errors: tuple[PatternErrors, ...]

    def to_json(self) -> dict[str, Json]:
        """Return the pattern with its counts."""
        return {
            "name": self.pattern.name,
            "description": self.pattern.description,
            "items": list(self.pattern.items),
            "found": self.pattern.found,
            "errors": [each.to_json() for each in self.errors],
        }


@dataclass(frozen=True, slots=True)
class PatternChange:
    """A pattern's errors before and after an edit, on the items that both prompts were judged on."""

    name: str
    before: int
    after: int

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {"name": self.name, "before": self.before, "after": self.after}


def patterns_of(iterations: Mapping[int, Mapping[str, Any]]) -> tuple[tuple[FailurePattern, ...], str]:
    """Return the patterns known in the end, and why there are none where that is on record.

    Args:
        iterations: what each iteration decided, by number; none for runs that kept no such record. The patterns of an
            iteration are all that are known by then.
    """
    known: Sequence[Mapping[str, Any]] = ()
    why_not = ""
    for number in sorted(iterations):
        known = iterations[number].get("patterns") or known
        why_not = str(iterations[number].get("analysis") or why_not)
    found = tuple(
        FailurePattern(
            str(each["name"]), str(each.get("description", "")), tuple(map(str, each["items"])), each.get("found")
        )
        for each in known
    )
    return found, "" if found else why_not


def traces(
    patterns: Sequence[FailurePattern], answers: Mapping[int, Answers], numbers: Sequence[int]
) -> tuple[PatternTrace, ...]:
    """Follow each pattern over candidates; the one with the most errors at the first of them comes first."""
    found = [
        PatternTrace(
            pattern,
            tuple(
                PatternErrors(
                    number,
                    len(pattern.errors(answers[number])),
                    len(set(pattern.items) - answers[number].judged),
                )
                for number in numbers
            ),
        )
        for pattern in patterns
    ]
    return tuple(sorted(found, key=lambda each: -each.errors[0].errors))


def changes(patterns: Sequence[FailurePattern], before: Answers, after: Answers) -> tuple[PatternChange, ...]:
    """Return the patterns of which either prompt makes errors, on the items that both were judged on."""
    both = before.judged & after.judged
    found = [
        PatternChange(each.name, len(each.errors(before) & both), len(each.errors(after) & both)) for each in patterns
    ]
    return tuple(each for each in found if each.before or each.after)
