"""Edits that must not matter to a judge, made the same way every time: of the answer, of its prompt, of the order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from calibrate.domain import GoldenSet, Item, Scored, Text
from calibrate.judge import JudgeSettings, Prompt, swap_answers, undo_swap
from calibrate.judge import language_of as _language_of

__all__ = ["AGAIN", "AS_GIVEN", "EDITS", "LAYOUT", "SWAPPED", "Variant", "edited", "new_layout", "swapped"]

AGAIN, AS_GIVEN, LAYOUT, SWAPPED = "asked again", "order as given", "prompt layout", "order swapped"

_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+[\"'”»)]*(?=\s)|\Z)", re.DOTALL)
_GAP = re.compile(r"(?<=[.!?…]) (?=\S)")
_HEADING = re.compile(r"^(#{1,5})(?= )", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n\s*\n")
_OPENER = {"en": "Thank you for your question.", "es": "Gracias por su pregunta."}
_TASK = {"en": "## Task", "es": "## Tarea"}


@dataclass(frozen=True, slots=True)
class Variant:
    """A set and a prompt to be judged beside the original.

    Attributes:
        name: what it is called in results.
        golden: the set, with the same item ids.
        prompt: the prompt.
        settings: how the judge is asked.
        repeat: the number of an independent repetition; 0 for the first replies.
    """

    name: str
    golden: GoldenSet
    prompt: Prompt
    settings: JudgeSettings
    repeat: int = 0


def _white_space(text: str, language: str) -> str:  # noqa: ARG001 — one signature for all edits
    """Two spaces between sentences, an empty line before and after."""
    return f"\n{_GAP.sub('  ', text)}\n\n" if text else text


def _polite_opener(text: str, language: str) -> str:
    return f"{_OPENER[_language_of(language)]} {text}" if text else text


def _restatement(text: str, language: str) -> str:  # noqa: ARG001 — one signature for all edits
    """The answer's own first sentence once more at its end."""
    first = _SENTENCE.search(text)
    return f"{text.rstrip()} {first.group().strip()}" if first else text


EDITS: Mapping[str, Callable[[str, str], str]] = {
    "white space": _white_space,
    "polite opener": _polite_opener,
    "restatement": _restatement,
}
"""The edits of an answer, by name."""


def edited(golden: GoldenSet, name: str, inputs: Sequence[str]) -> GoldenSet:
    """Return the set with one of the edits made in these inputs."""
    edit = EDITS[name]

    def changed(value: Text) -> Text:
        if isinstance(value, str):
            return edit(value, golden.language)
        return (edit("\n".join(value), golden.language),) if value else value

    def item(each: Item) -> Item:
        return replace(each, inputs={k: changed(v) if k in inputs else v for k, v in each.inputs.items()})

    return golden.with_items(item(each) for each in golden.items)


def new_layout(prompt: Prompt, inputs: Iterable[str], language: str) -> Prompt:
    """Return the prompt with headings one level lower (or a heading where it has none) and one more empty line."""
    text = _HEADING.sub(r"\1#", prompt.text)
    if text == prompt.text:
        text = f"{_TASK[_language_of(language)]}\n\n{text}"
    return Prompt.parse(_PARAGRAPHS.sub("\n\n\n", text), tuple(inputs))


def swapped(golden: GoldenSet) -> GoldenSet:
    """Return a set of pairs with the two answers, and the labels, exchanged.

    Raises:
        InputError: an item has no two answers.
    """
    (dimension,) = golden.dimensions
    scale = golden.scales[dimension]

    def item(each: Item) -> Item:
        label = undo_swap(Scored(each.label), scale) if each.label is not None else None
        return replace(swap_answers(each), label=label.label if isinstance(label, Scored) else None)

    return golden.with_items(item(each) for each in golden.items)
