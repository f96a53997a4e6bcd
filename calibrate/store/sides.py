"""Which items are held out."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from calibrate.store.statements import chunks
from calibrate.store.tables import SideRow

__all__ = ["known_sides"]


def known_sides(session: Session, keys: Sequence[str]) -> dict[str, bool]:
    """Return which of ``keys`` are held out, for those whose side was chosen before."""
    found: dict[str, bool] = {}
    for chunk in chunks(list(dict.fromkeys(keys))):
        query = select(SideRow.key, SideRow.held_out).where(SideRow.key.in_(chunk))
        found.update((row.key, row.held_out) for row in session.execute(query))
    return found
