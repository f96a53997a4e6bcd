"""DSPy's requests, read as the worlds need them, and replies in the form that they ask for.

DSPy writes a request as a system message, which lists the fields and states the objective, and a user message with
the input fields under ``[[ ## name ## ]]``. Replies are wanted in the same form, or as a JSON object.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from optimizer_worlds.reading import Evidence, Reading

from calibrate.domain import ModelResponse

__all__ = ["Asked", "Judging", "judging", "reading", "replies", "say"]

_FIELD = re.compile(r"^\[\[ ## (\w+) ## \]\]$", re.MULTILINE)
_OUTPUTS = re.compile(r"Your output fields are:\n(.*?)\nAll interactions", re.DOTALL)
_NAME = re.compile(r"^\d+\. `(\w+)`", re.MULTILINE)
_OBJECTIVE = "your objective is: "
_EXAMPLE = re.compile(r"Example\((\{.*?\})\) \(input_keys=")
_CODE = re.compile(r"\bK-\d{6}\b")
_ITEM = re.compile(r"(?P<item>.*?\bK-\d{6}\b\)?)(?P<beside>(?:\nLabel: \d|\nNote: [^\n]*)*)", re.DOTALL)
# As the driver words it.
_FEEDBACK = re.compile(r"The expert's label is (\d); the judge said (\d)\.(?: Expert's note: (.*))?", re.DOTALL)

_CURRENT = ("current_instruction", "basic_instruction")
_WRITTEN = ("new_instruction", "proposed_instruction")
_WAYS = 11  # as the other methods without strategies: neither lucky nor lost for a whole world
_QUOTED = 8


@dataclass(frozen=True, slots=True)
class Judging:
    """A request to the judge.

    Attributes:
        prompt: its instructions, with the demonstrations that come with them as labelled examples.
        code: the case number of the item.
    """

    prompt: str
    code: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to the meta-LLM.

    Attributes:
        field: the output that counts.
        fields: all outputs that it asks for.
        as_json: whether they are wanted as a JSON object.
        reading: what the writer takes in; None when no instruction is asked for.
        quotes: some of the items that are shown: what a reply to any other request says of them.
    """

    field: str
    fields: tuple[str, ...]
    as_json: bool
    reading: Reading | None
    quotes: tuple[Evidence, ...]


def judging(messages: Sequence[Mapping[str, str]]) -> Judging:
    """Read a request to the judge."""
    system, *turns = messages
    prompt = _objective(system["content"])
    if demonstrations := list(zip(turns[:-1:2], turns[1:-1:2], strict=True)):
        shown = [
            "\n".join(f"{name.capitalize()}: {text}" for name, text in _fields(shown["content"] + "\n" + said).items())
            for shown, reply in demonstrations
            for said in (reply["content"],)
        ]
        prompt += "\n\nExamples:\n" + "\n\n".join(shown)
    return Judging(prompt, _CODE.findall(turns[-1]["content"])[-1])


def reading(system: str, user: str, random: Random) -> Asked:
    """Read a request to the meta-LLM; ``random`` draws how an instruction is rewritten, and what is quoted."""
    outputs, given = _OUTPUTS.search(system), _fields(user)
    fields = tuple(_NAME.findall(outputs[1])) if outputs else ()
    shown = [each for name, text in given.items() if name not in _CURRENT for each in _items(text)]
    once: dict[str, Evidence] = {}
    for each in shown:
        once.setdefault("".join(_CODE.findall(each.text)), each)
    items = tuple(once.values())
    quotes = tuple(random.sample(items, min(_QUOTED, len(items))))
    field = next((name for name in fields if name in _WRITTEN), "")
    wanted = None
    if field:
        current = next((given[name] for name in _CURRENT if name in given), "")
        wanted = Reading("rewrite", current, evidence=items, strategy=f"way {random.randrange(_WAYS)}")
    return Asked(field or fields[-1], fields, "Outputs will be a JSON object" in system, wanted, quotes)


def replies(asked: Asked, written: ModelResponse | None) -> tuple[str, str]:
    """Return text and finish reason.

    Args:
        asked: what was asked for.
        written: the writer's reply to a request for an instruction; one that cannot be used stays so.
    """
    if written is None:
        quoted = "\n\n".join(map(_quoted, asked.quotes))
        return say(dict.fromkeys(asked.fields, quoted or "Answers are judged against a context."), asked), "stop"
    text = written.text
    whole = re.fullmatch(r"<prompt>\n(.*)\n</prompt>", text, re.DOTALL)
    if whole:
        return say({name: whole[1] if name == asked.field else "As asked." for name in asked.fields}, asked), "stop"
    if written.finish == "length":
        cut = say({asked.field: text.removeprefix("<prompt>\n")}, asked)
        return cut[: len(cut) * 2 // 3], "length"
    return text, written.finish


def say(values: Mapping[str, str], asked: Asked | None = None) -> str:
    """Write fields as DSPy reads them: after markers, or as a JSON object where that is asked for."""
    if asked is not None and asked.as_json:
        return json.dumps(values)
    return "\n\n".join(f"[[ ## {name} ## ]]\n{text}" for name, text in {**values, "completed": ""}.items())


def _quoted(item: Evidence) -> str:
    """Write an item so that what is known of it can be read again."""
    return (
        item.text + (f"\nLabel: {item.label}" if item.label else "") + ("\nNote: see the expert." if item.noted else "")
    )


def _objective(system: str) -> str:
    return textwrap.dedent(system[system.index(_OBJECTIVE) + len(_OBJECTIVE) :].lstrip("\n")).strip()


def _fields(text: str) -> dict[str, str]:
    """Return the fields of a message, without what tells how to reply."""
    marks = [*_FIELD.finditer(text), None]
    found = {}
    for mark, following in pairwise(marks):
        value = text[mark.end() : following.start() if following else len(text)]
        found[mark[1]] = value.split("\n\nRespond with ")[0].strip()
    found.pop("completed", None)
    return found


def _items(text: str) -> list[Evidence]:
    """Return the items of a field: a JSON list with feedback, the source of examples, or paragraphs."""
    if not _CODE.search(text):
        return []
    try:
        records = json.loads(text)
    except ValueError:
        records = None
    if isinstance(records, list):
        return [_with_feedback(each) for each in records if isinstance(each, dict)]
    if sources := _EXAMPLE.findall(text):
        return [_labelled(ast.literal_eval(each)) for each in sources]
    return [_written_out(found["item"], found["beside"]) for found in _ITEM.finditer(text)]


def _with_feedback(record: Mapping[str, object]) -> Evidence:
    inputs, told = record.get("Inputs"), _FEEDBACK.search(str(record.get("Feedback", "")))
    text = "\n".join(map(str, inputs.values())) if isinstance(inputs, dict) else str(inputs)
    if told is None:
        return Evidence(text)
    label, said, note = told.groups()
    kind = "right" if label == said else "wrongly accepted" if said == "1" else "wrongly rejected"
    return Evidence(text, kind, label, bool(note))


def _labelled(example: Mapping[str, str]) -> Evidence:
    text = "\n".join(text for name, text in example.items() if name not in ("label", "note"))
    return Evidence(text, label=example.get("label", ""), noted=bool(example.get("note")))


def _written_out(item: str, beside: str) -> Evidence:
    """Return an item of running text, its inputs being the last paragraph before its case number."""
    label = re.search(r"Label: (\d)", beside)
    return Evidence(item.strip().split("\n\n")[-1], label=label[1] if label else "", noted="Note: " in beside)
