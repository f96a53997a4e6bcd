"""Labelled examples at the end of a judge prompt: chosen among its errors, and known by the items they show.

The program writes them, so that it is certain which items a prompt shows: the candidate is not scored on those.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from calibrate.domain import Item
from calibrate.judge import neutralise
from calibrate.optimizer.trials import Misjudged

__all__ = ["MOST_EXAMPLES", "choose_examples", "instructions_of", "shows", "with_examples"]

MOST_EXAMPLES = 4
"""Examples that a prompt shows at most."""

_LEADS = {"es": "Ejemplos etiquetados por expertos:", "en": "Examples labelled by experts:"}
_OPENING, _CLOSING = "<examples>", "</examples>"
_BRACE = re.compile(r"\{(?=[\w{])")


def choose_examples(
    errors: Iterable[Misjudged], already: Sequence[Item], room: int, language: str, most: int = MOST_EXAMPLES
) -> tuple[Item, ...]:
    """Return the items to show: those shown already, and errors as long as they fit.

    Args:
        errors: the errors, the most telling first.
        already: items that the prompt to rewrite shows.
        room: characters that the examples may take.
        language: the language that they are introduced in.
        most: how many examples there may be.
    """
    chosen = list(already[-(most - 1) :]) if already else []
    for error in errors:
        if len(chosen) == most:
            break
        if error.item not in chosen and len(_block([*chosen, error.item], language)) <= room:
            chosen.append(error.item)
    return tuple(chosen)


def with_examples(instructions: str, items: Sequence[Item], language: str) -> str:
    """Return a prompt: the instructions, and after them the items with their labels; no items, no block."""
    return f"{instructions.rstrip()}\n\n{_block(items, language)}" if items else instructions


def instructions_of(prompt: str, shown: Sequence[str]) -> str:
    """Return what stands before the examples of a prompt that shows items; other prompts are returned as they are."""
    if not shown:
        return prompt
    # Items say neither: their tags are neutralised, and an input that is called "examples" does not follow a lead.
    return prompt[: max(0, *(prompt.rfind(f"{lead}\n{_OPENING}\n") for lead in _LEADS.values()))].rstrip()


def shows(prompt: str, item: Item) -> bool:
    """Return whether a prompt holds all inputs of an item as :func:`with_examples` writes them."""
    return bool(item.inputs) and all(f"\n{_input(name, item)}\n" in prompt for name in item.inputs)


def _block(items: Sequence[Item], language: str) -> str:
    lines = [_LEADS.get(language[:2].casefold(), _LEADS["en"]), _OPENING]
    for item in items:
        tags = _tags(item)
        lines.append("<example>")
        lines += [_input(name, item) for name in item.inputs]
        lines.append(f"<label>{_plain(item.label or '', tags)}</label>")
        if item.note:
            lines.append(f"<why>{_plain(item.note, tags)}</why>")
        lines.append("</example>")
    return "\n".join([*lines, _CLOSING])


def _input(name: str, item: Item) -> str:
    content = item.inputs[name]
    text = content if isinstance(content, str) else "\n\n".join(content)
    return f"<{name}>\n{_plain(text, _tags(item))}\n</{name}>"


def _tags(item: Item) -> frozenset[str]:
    return frozenset(("examples", "example", "label", "why", *item.inputs))


def _plain(text: str, tags: frozenset[str]) -> str:
    """Return an item's text so that it is neither markup nor a placeholder: ``{{answer}}`` becomes ``{ { answer}}``."""
    return _BRACE.sub("{ ", neutralise(text, tags))
