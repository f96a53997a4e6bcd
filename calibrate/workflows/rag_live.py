"""Live RAG systems: a Python function that is asked every question of a bank."""

from __future__ import annotations

from collections.abc import Sequence

from calibrate.errors import InputError
from calibrate.rag import Bank, Variant
from calibrate.workflows.progress import Progress

__all__ = ["ask_systems"]


async def ask_systems(
    specs: Sequence[str], bank: Bank, progress: Progress, *, taken: Sequence[str] = ()
) -> tuple[Variant, ...]:
    """Placeholder until the module is written."""
    raise InputError("live systems come later")
