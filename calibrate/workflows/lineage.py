"""Where a prompt comes from: the edits between the baseline and it, and what each did to the items."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calibrate.domain import Item, Json
from calibrate.store import CandidateRecord
from calibrate.workflows.answers import Answers, Change
from calibrate.workflows.patterns import FailurePattern, PatternChange, changes

__all__ = ["Edit", "describe_edit", "edits_to", "side_edits"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One step: a candidate, what it was written from, and what that changed.

    Attributes:
        candidate: the rewrite.
        parent: the candidate it rewrote.
        partner: the second parent of a merge, else None.
        change: from the parent to the candidate.
        partner_change: from the partner to it; None when there is no partner.
        patterns: failure patterns of which parent or candidate make errors.
        diff: unified diff of the two prompts, parent first, by lines.
    """

    candidate: CandidateRecord
    parent: CandidateRecord
    partner: CandidateRecord | None
    change: Change
    partner_change: Change | None
    patterns: tuple[PatternChange, ...]
    diff: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """Return the edit as JSON; lengths are in characters."""
        own, parent, partner = self.candidate, self.parent, self.partner
        return {
            "candidate": own.number,
            "iteration": own.iteration,
            "strategy": own.strategy,
            "status": own.status,
            "reason": own.reason,
            "parent": parent.number,
            "partner": None if partner is None else partner.number,
            "score_before": parent.score,
            "score_of_partner": None if partner is None else partner.score,
            "score_after": own.score,
            "length_before": len(parent.prompt),
            "length_after": len(own.prompt),
            "shown": list(own.shown),
            **self.change.to_json(),
            "from_partner": None if self.partner_change is None else self.partner_change.to_json(),
            "patterns": [each.to_json() for each in self.patterns],
            "prompt_diff": list(self.diff),
        }


def edits_to(number: int, candidates: Mapping[int, CandidateRecord]) -> tuple[int, ...]:
    """Return the rewrites from the baseline to a candidate, by way of first parents, itself last; none for 0."""
    line: list[int] = []
    at: int | None = number
    while at is not None and at in candidates and candidates[at].parent is not None and at not in line:
        line.append(at)
        at = candidates[at].parent
    return tuple(reversed(line))


def side_edits(main: Iterable[int], candidates: Mapping[int, CandidateRecord]) -> tuple[int, ...]:
    """Return the rewrites that reached a line of edits by way of its merges only, in order of number."""
    main = tuple(main)
    found: set[int] = set()
    open_ends = list(main)
    while open_ends:
        partner = candidates[open_ends.pop()].partner
        new = set() if partner is None else set(edits_to(partner, candidates)) - found - set(main)
        found |= new
        open_ends += new
    return tuple(sorted(found))


def describe_edit(
    number: int,
    candidates: Mapping[int, CandidateRecord],
    answers: Mapping[int, Answers],
    items: Sequence[Item],
    patterns: Sequence[FailurePattern],
    run_id: int,
) -> Edit:
    """Describe the step to one candidate.

    Args:
        number: a candidate with a parent.
        candidates: the run's candidates by number.
        answers: what each candidate got right.
        items: the labelled items in the order of the set.
        patterns: the failure patterns of the run.
        run_id: the run, for the names in the diff.
    """
    own = candidates[number]
    assert own.parent is not None
    parent = candidates[own.parent]
    partner = None if own.partner is None else candidates[own.partner]
    after, before = answers[number], answers[parent.number]
    return Edit(
        candidate=own,
        parent=parent,
        partner=partner,
        change=Change.between(items, before, after),
        partner_change=None if partner is None else Change.between(items, answers[partner.number], after),
        patterns=changes(patterns, before, after),
        diff=_diff(parent, own, run_id),
    )


def _diff(before: CandidateRecord, after: CandidateRecord, run_id: int) -> tuple[str, ...]:
    old, new = before.prompt.splitlines(), after.prompt.splitlines()
    names = (f"{run_id}:{before.number}", f"{run_id}:{after.number}")
    return tuple(difflib.unified_diff(old, new, *names, lineterm="", n=2))
