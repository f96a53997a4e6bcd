"""Seeded worlds in which search methods for judge prompts are compared: models of LLM judges and of prompt writers.

A world is drawn from its family and seed. Worlds of ``TUNING_SEEDS`` are there to choose settings on; what is reported
comes from ``REPORTED_WORLDS`` only.
"""

from __future__ import annotations

from .concepts import FEATURES
from .prompts import parse
from .reading import Evidence, Reading, read
from .responses import Family
from .subjects import CONCEPTS
from .world import FAMILIES, World, alignment_of_table
from .writing import USELESS, Writer

__all__ = [
    "CONCEPTS",
    "FAMILIES",
    "FEATURES",
    "REPORTED_SEEDS",
    "REPORTED_WORLDS",
    "TUNING_SEEDS",
    "USELESS",
    "Evidence",
    "Family",
    "Reading",
    "World",
    "Writer",
    "alignment_of_table",
    "parse",
    "read",
]

TUNING_SEEDS = range(100)
"""The seeds to try things on."""

REPORTED_SEEDS = range(1000, 1050)
"""The seeds of the worlds that are reported; nothing is chosen by them."""

REPORTED_WORLDS: tuple[tuple[Family, int], ...] = tuple(
    (family, seed) for family in FAMILIES for seed in REPORTED_SEEDS
)
"""The 200 worlds that are reported, by family and seed: fifty of each family."""
