"""What a prompt quotes of the items that it is to be measured on, as a message says it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from calibrate.domain import Item

__all__ = ["quoted_in_words"]

_NAMED = 3  # items that a message names


def quoted_in_words(prompts: Iterable[tuple[str, Sequence[Item]]]) -> tuple[str, ...]:
    """Say which labelled items prompts quote; nothing when they quote none.

    Args:
        prompts: each with the labelled items that it judges.
    """
    from calibrate.optimizer.leaks import quoted_items  # the search is no part of what every command loads

    ids = tuple(dict.fromkeys(name for text, items in prompts for name in quoted_items(text, items)))
    if not ids:
        return ()
    items, them = ("item", "it") if len(ids) == 1 else ("items", "them")
    first = ", ".join(ids[:_NAMED]) + (", ..." if len(ids) > _NAMED else "")
    return (
        f"the prompt quotes {len(ids)} {items} of the set ({first}): figures on {them} flatter; "
        f"leave {them} out of the set",
    )
