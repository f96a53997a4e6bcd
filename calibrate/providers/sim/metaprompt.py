"""Reading the meta-prompt: what the optimizer tells a prompt writer. Sections it leaves out are empty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from calibrate.domain import ModelRequest
from calibrate.providers.sim.examples import split_examples

__all__ = ["KnownPattern", "MetaPrompt", "Repair", "ShownError", "read_meta_prompt"]

_SECTION = r"<{name}\b((?:[^>\"]|\"[^\"]*\")*)>\n?(.*?)\n?</{name}>"
_ATTRIBUTE = re.compile(r"(\w+)=\"([^\"]*)\"")
_ELEMENT = re.compile(r"<([^<>/\s][^<>\n]*)>\n?(.*?)\n?</\1>", re.DOTALL)
_CHUNK = re.compile(r"<chunk index=\"[^\"\n]*\">\n?(.*?)\n?</chunk>", re.DOTALL)
_FIELD = re.compile(r"^([A-Z][A-Za-z ]+?):\s*(.*)$", re.MULTILINE)
_GOOD_BAD = re.compile(r"Good label:\s*\"(.*?)\"\.\s*Bad label:\s*\"(.*?)\"")
_REPAIR = re.compile(r"(?<=</request>)\s*<repair>(.*)</repair>\s*\Z", re.DOTALL)
_PROMPT = re.compile(r"<prompt>\n?(.*?)\n?</prompt>", re.DOTALL | re.IGNORECASE)
_OWN_ELEMENTS = frozenset({"expert_label", "expert_note", "judge_label", "judge_reasoning"})
_NO_LIMIT = 6000
_PATTERNS = "patterns"


@dataclass(frozen=True, slots=True)
class ShownError:
    """One disagreement between judge and experts.

    Attributes:
        kind: ``wrongly accepted``, ``wrongly rejected``, or another scale's kind.
        inputs: the item's inputs by name, each as its chunks.
        expert_label: what the experts say.
        note: why, when they said.
        judge_label: what the judge said.
        reasoning: why.
        number: what a reply calls it by; empty where errors have no numbers.
    """

    kind: str
    inputs: Mapping[str, tuple[str, ...]]
    expert_label: str
    note: str
    judge_label: str
    reasoning: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class KnownPattern:
    """A pattern of failure that was found before.

    Attributes:
        name: its name, as it is written in the request.
        meaning: what goes wrong.
    """

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Repair:
    """What was wrong with an earlier reply to the same request.

    Attributes:
        problem: why the reply could not be used.
        reply: the prompt it held, or all of it when it held none; may be empty.
    """

    problem: str
    reply: str


@dataclass(frozen=True, slots=True)
class MetaPrompt:
    """What a prompt writer is told.

    Attributes:
        dimension: what is judged, as the user calls it.
        language: ``es``, or ``en`` for every other language.
        labels: the labels, good ones first when the scale is binary.
        limit: the most characters a prompt may have.
        tried: the instructions of earlier prompts.
        errors: disagreements to learn from.
        current: the instructions to improve on.
        strategy: how to go about it.
        examples: the block of labelled examples after the current instructions, with the white space in front of it.
        other: the instructions of a second prompt, to be merged with the current one.
        repair: what was wrong with an earlier reply, when this is a follow-up.
        wants_patterns: whether the errors are to be grouped, and no prompt is asked for.
        known: patterns of failure found before.
    """

    dimension: str
    language: Literal["en", "es"]
    labels: tuple[str, ...]
    limit: int
    tried: tuple[str, ...]
    errors: tuple[ShownError, ...]
    current: str
    strategy: str
    examples: str = ""
    other: str = ""
    repair: Repair | None = None
    wants_patterns: bool = False
    known: tuple[KnownPattern, ...] = ()


def read_meta_prompt(request: ModelRequest) -> MetaPrompt | None:
    """Return what the optimizer tells, or None when the request is no meta-prompt."""
    repair = _REPAIR.search(request.user)
    user = request.user[: repair.start()] if repair else request.user
    asked, current = _last(user, "request"), _last(user, "current")
    task = _first(user, "task")
    if asked is None or current is None or task is None:
        return None
    attributes = dict(_ATTRIBUTE.findall(asked[1]))
    analysis = attributes.get("analysis", "").strip().casefold()
    if analysis and analysis != _PATTERNS:
        return None
    fields = {name.casefold(): value.strip() for name, value in _FIELD.findall(task[2])}
    good_bad = _GOOD_BAD.search(task[2])
    labels = good_bad.groups() if good_bad else tuple(re.findall(r"\"([^\"]*)\"", fields.get("labels", "")))
    limit = re.search(r"\d+", fields.get("length limit", ""))
    history, errors, other = _first(user, "history"), _first(user, "errors"), _last(user, "other")
    known = _first(user, "known_patterns")
    instructions, examples = split_examples(_plain(current[2]).strip())
    return MetaPrompt(
        dimension=fields.get("dimension", "").casefold(),
        language="es" if fields.get("language", "").casefold().startswith("es") else "en",
        labels=labels,
        limit=int(limit.group()) if limit else _NO_LIMIT,
        tried=tuple(_instructions(found[2]) for found in _all(history[2], "tried")) if history else (),
        errors=tuple(_error(found) for found in _all(errors[2], "error")) if errors else (),
        current=instructions,
        strategy=attributes.get("strategy", "").strip().casefold(),
        examples=examples,
        other=_instructions(other[2]).strip() if other else "",
        repair=_repair(repair[1]) if repair else None,
        wants_patterns=bool(analysis),
        known=tuple(_known(found) for found in _all(known[2], "pattern")) if known else (),
    )


def _all(text: str, name: str) -> list[re.Match[str]]:
    return list(re.finditer(_SECTION.format(name=name), text, re.DOTALL))


def _first(text: str, name: str) -> re.Match[str] | None:
    return re.search(_SECTION.format(name=name), text, re.DOTALL)


def _last(text: str, name: str) -> re.Match[str] | None:
    found = _all(text, name)
    return found[-1] if found else None


def _error(found: re.Match[str]) -> ShownError:
    elements = {name.strip(): body for name, body in _ELEMENT.findall(found[2])}
    inputs = {name: _chunks(body) for name, body in elements.items() if name not in _OWN_ELEMENTS}
    attributes = dict(_ATTRIBUTE.findall(found[1]))
    return ShownError(
        kind=attributes.get("kind", ""),
        inputs=inputs,
        expert_label=_plain(elements.get("expert_label", "")),
        note=_plain(elements.get("expert_note", "")),
        judge_label=_plain(elements.get("judge_label", "")),
        reasoning=_plain(elements.get("judge_reasoning", "")),
        number=attributes.get("number", ""),
    )


def _known(found: re.Match[str]) -> KnownPattern:
    return KnownPattern(dict(_ATTRIBUTE.findall(found[1])).get("name", ""), _plain(found[2]).strip())


def _repair(text: str) -> Repair:
    problem, reply = _first(text, "problem"), _last(text, "reply")
    said = _plain(reply[2]).strip() if reply else ""
    prompts = _PROMPT.findall(said)
    return Repair(_plain(problem[2]).strip() if problem else "", prompts[-1].strip() if prompts else said)


def _chunks(body: str) -> tuple[str, ...]:
    chunks = _CHUNK.findall(body) or [body]
    return tuple(_plain(chunk) for chunk in chunks if chunk.strip() and chunk.strip() != "(empty)")


def _instructions(prompt: str) -> str:
    return split_examples(_plain(prompt))[0]


def _plain(text: str) -> str:
    return text.replace("&lt;", "<").strip("\n")
