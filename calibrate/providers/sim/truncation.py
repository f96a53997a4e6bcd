"""Whether a claim goes on where a source breaks off."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from calibrate.providers.sim.attention import Given
from calibrate.providers.sim.figures import Figure, same_figure
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.passages import Clause

__all__ = ["completes", "truncation_findings"]

_FRAGMENT_SHARED = 0.5
_LOOSE_WORDS = 2
_LINKS = frozenset({"and", "but", "or", "y", "e", "pero", "o"})


def completes(claim: Clause, fragment: Clause) -> bool:
    """Whether a claim goes on where a broken-off clause ends."""
    if not fragment.truncated:
        return False
    last = next((word for word in reversed(fragment.words) if word.weight), None)
    shared = sum(word.weight for word in fragment.words if word.concepts & claim.concepts)
    total = sum(word.weight for word in fragment.words)
    return last is not None and total > 0 and shared / total >= _FRAGMENT_SHARED


def truncation_findings(claim: Clause, speaking: Sequence[Clause], given: Given) -> Iterable[Finding]:
    """Return the finding when a claim says more than the broken-off clause that speaks of it."""
    fragment = next((clause for clause in speaking[:2] if completes(claim, clause)), None)
    if fragment is None:
        return
    known = frozenset[str]().union(*(clause.concepts | clause.heading for clause in speaking)) | given.question
    beyond = [
        word.form
        for word in claim.words
        if word.weight == 1.0 and not word.concepts & known and not word.form.isdigit()
    ]
    figures = [figure.text for figure in claim.figures if not _found(figure, speaking) and figure not in given.figures]
    if beyond or figures or _takes_up_loose_end(claim, fragment):
        yield Finding("truncation", "truncation", 0.8, ", ".join([*figures, *beyond][:4]), fragment.text)


def _takes_up_loose_end(claim: Clause, fragment: Clause) -> bool:
    """Whether a claim says something of what a broken-off clause only names: "..., and refunds"."""
    start = max(
        (place for place, word in enumerate(fragment.words) if word.form in _LINKS or place in fragment.breaks),
        default=0,
    )
    loose = [word for word in fragment.words[start:] if word.weight]
    # "..., but tripods are": the verb is there and what it would say is not.
    hanging = bool(start) or not fragment.words[-1].weight
    return (
        bool(hanging and loose) and all(word.concepts & claim.concepts for word in loose) and len(loose) <= _LOOSE_WORDS
    )


def _found(figure: Figure, clauses: Sequence[Clause]) -> bool:
    return any(same_figure(figure, other) for clause in clauses for other in clause.figures)
