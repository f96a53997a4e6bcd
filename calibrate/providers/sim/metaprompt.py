"""Reading the meta-prompt: what the optimizer tells a prompt writer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from calibrate.domain import ModelRequest

__all__ = ["MetaPrompt", "ShownError", "read_meta_prompt"]

_SECTION = r"<{name}\b([^>]*)>\n?(.*?)\n?</{name}>"
_ATTRIBUTE = re.compile(r"(\w+)=\"([^\"]*)\"")
_ELEMENT = re.compile(r"<([^<>/\s][^<>\n]*)>\n?(.*?)\n?</\1>", re.DOTALL)
_CHUNK = re.compile(r"<chunk index=\"[^\"\n]*\">\n?(.*?)\n?</chunk>", re.DOTALL)
_FIELD = re.compile(r"^([A-Z][A-Za-z ]+?):\s*(.*)$", re.MULTILINE)
_GOOD_BAD = re.compile(r"Good label:\s*\"(.*?)\"\.\s*Bad label:\s*\"(.*?)\"")
_OWN_ELEMENTS = frozenset({"expert_label", "expert_note", "judge_label", "judge_reasoning"})
_NO_LIMIT = 6000


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
    """

    kind: str
    inputs: Mapping[str, tuple[str, ...]]
    expert_label: str
    note: str
    judge_label: str
    reasoning: str


@dataclass(frozen=True, slots=True)
class MetaPrompt:
    """What a prompt writer is told.

    Attributes:
        dimension: what is judged, as the user calls it.
        language: ``es``, or ``en`` for every other language.
        labels: the labels, good ones first when the scale is binary.
        limit: the most characters a prompt may have.
        tried: earlier prompts.
        errors: disagreements to learn from.
        current: the prompt to improve on.
        strategy: how to go about it.
    """

    dimension: str
    language: Literal["en", "es"]
    labels: tuple[str, ...]
    limit: int
    tried: tuple[str, ...]
    errors: tuple[ShownError, ...]
    current: str
    strategy: str


def read_meta_prompt(request: ModelRequest) -> MetaPrompt | None:
    """Return what the optimizer tells, or None when the request is no meta-prompt."""
    user = request.user
    asked, current = _last(user, "request"), _last(user, "current")
    task = _first(user, "task")
    if asked is None or current is None or task is None:
        return None
    strategy = dict(_ATTRIBUTE.findall(asked[1])).get("strategy", "")
    fields = {name.casefold(): value.strip() for name, value in _FIELD.findall(task[2])}
    good_bad = _GOOD_BAD.search(task[2])
    labels = good_bad.groups() if good_bad else tuple(re.findall(r"\"([^\"]*)\"", fields.get("labels", "")))
    limit = re.search(r"\d+", fields.get("length limit", ""))
    history, errors = _first(user, "history"), _first(user, "errors")
    return MetaPrompt(
        dimension=fields.get("dimension", "").casefold(),
        language="es" if fields.get("language", "").casefold().startswith("es") else "en",
        labels=labels,
        limit=int(limit.group()) if limit else _NO_LIMIT,
        tried=tuple(_plain(found[2]) for found in _all(history[2], "tried")) if history else (),
        errors=tuple(_error(found) for found in _all(errors[2], "error")) if errors else (),
        current=_plain(current[2]).strip(),
        strategy=strategy.strip().casefold(),
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
    return ShownError(
        kind=dict(_ATTRIBUTE.findall(found[1])).get("kind", ""),
        inputs=inputs,
        expert_label=_plain(elements.get("expert_label", "")),
        note=_plain(elements.get("expert_note", "")),
        judge_label=_plain(elements.get("judge_label", "")),
        reasoning=_plain(elements.get("judge_reasoning", "")),
    )


def _chunks(body: str) -> tuple[str, ...]:
    chunks = _CHUNK.findall(body) or [body]
    return tuple(_plain(chunk) for chunk in chunks if chunk.strip() and chunk.strip() != "(empty)")


def _plain(text: str) -> str:
    return text.replace("&lt;", "<").strip("\n")
