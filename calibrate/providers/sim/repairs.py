"""What a writer does about a reply of its own that could not be used."""

from __future__ import annotations

import re
from dataclasses import replace

from calibrate.domain.similarity import jaccard, shingles
from calibrate.providers.sim.metaprompt import MetaPrompt

__all__ = ["avoiding", "differs", "limit_of", "lost_placeholders", "shall_differ", "shall_not_copy"]

_NUMBER = re.compile(r"\d+")
_LOST = re.compile(r"placeholders?\s+lost:\s*(.+)", re.IGNORECASE)
_DIFFER = re.compile(r"\bduplicate|\bcopies\b", re.IGNORECASE)
_COPY = re.compile(r"\bcopies\b", re.IGNORECASE)
_LONG = re.compile(r"too long|cut off", re.IGNORECASE)
_TIGHTER = 0.8
_QUARTER = 0.25
_LEAST = 40
_ALIKE = 0.9


def limit_of(meta: MetaPrompt) -> int:
    """Return the most characters the rewrite may have.

    After a reply that was too long: as much less than the reply as it was over the limit, since the program may add to
    what is replied, but not below a quarter of the limit, since of a long reply only the beginning is shown; after one
    that was cut off, or that cannot be seen, a fifth less than the limit.
    """
    if meta.repair is None or not _LONG.search(meta.repair.problem):
        return meta.limit
    numbers = [int(number) for number in _NUMBER.findall(meta.repair.problem)]
    limit = int(_TIGHTER * meta.limit)
    if len(numbers) > 1:
        had, allowed = numbers[:2]
        own = len(meta.repair.reply) or had
        limit = min(limit, allowed, max(own - (had - allowed), int(_QUARTER * allowed)))
    return max(_LEAST, limit)


def lost_placeholders(meta: MetaPrompt) -> tuple[str, ...]:
    """Return the placeholders that the reply had lost."""
    found = _LOST.search(meta.repair.problem) if meta.repair else None
    return tuple(name.strip(" {}.") for name in found[1].split(",") if name.strip(" {}.")) if found else ()


def shall_differ(meta: MetaPrompt) -> bool:
    """Whether the reply was too much like another text."""
    return meta.repair is not None and _DIFFER.search(meta.repair.problem) is not None


def shall_not_copy(meta: MetaPrompt) -> bool:
    """Whether the reply had copied from an item."""
    return meta.repair is not None and _COPY.search(meta.repair.problem) is not None


def avoiding(meta: MetaPrompt) -> MetaPrompt:
    """Return the meta-prompt with the reply among what has been tried, when another one is asked for."""
    if meta.repair is None or not meta.repair.reply or not shall_differ(meta):
        return meta
    return replace(meta, tried=(*meta.tried, meta.repair.reply))


def differs(text: str, meta: MetaPrompt) -> bool:
    """Whether a rewrite is none of the texts tried, nor nearly the reply that is to be mended."""
    folded = _folded(text)
    if any(_folded(each) == folded for each in (*meta.tried, meta.current, meta.other)):
        return False
    if meta.repair is None or not shall_differ(meta):
        return True
    # A duplicate is one of the current prompt or of something tried as well as of the reply.
    near = (meta.repair.reply, *((meta.current, *meta.tried) if "near" in meta.repair.problem.casefold() else ()))
    own = shingles(text)
    return all(jaccard(own, shingles(each)) < _ALIKE for each in near)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
