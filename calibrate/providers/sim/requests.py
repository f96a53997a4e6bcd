"""Reading a judge request: the instructions, the labels and what they mean, and the inputs of the item."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from calibrate.domain import Json, ModelRequest, normalise_label, number

__all__ = ["ABSTAIN", "JudgeTask", "Role", "inputs_of", "read_task", "roles_of"]

ABSTAIN = "CANNOT_ASSESS"

Scale = Literal["binary", "nominal", "ordinal", "pairwise", "interval"]
Role = Literal["answer", "answer_a", "answer_b", "question", "context", "reference"]

_HEADING = re.compile(r"^##\s*(Verdict|Veredicto)\s*$", re.MULTILINE)
_LABEL_LINE = re.compile(r"^\s*(?:Label|Etiqueta)\s+\"(.*)\"\s*:\s*(.*)$", re.MULTILINE)
_NUMBER_LINE = re.compile(r"^\s*(?:Label|Etiqueta)\s*:\s*(.*)$", re.MULTILINE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_INPUT = re.compile(r"<([^<>/\s][^<>\n]*)>\n(.*?)\n</\1>", re.DOTALL)
_CHUNK = re.compile(r"<chunk index=\"[^\"\n]*\">\n(.*?)\n</chunk>", re.DOTALL)
_EMPTY = "(empty)"
_ROLE_NAMES: dict[Role, str] = {
    "answer_a": "answer_a response_a output_a respuesta_a candidate_a a",
    "answer_b": "answer_b response_b output_b respuesta_b candidate_b b",
    "answer": "answer response output reply summary completion prediction candidate generation respuesta salida "
    "resumen",
    "question": "question input prompt query instruction user_question pregunta consulta entrada",
    "context": "context contexts source sources document documents passage passages article evidence contexto "
    "fuente documento pasaje articulo",
    "reference": "reference references expected ground_truth gold ideal target correct_answer referencia esperada "
    "respuesta_correcta",
}
_ROLE_OF: dict[str, Role] = {name: role for role, names in _ROLE_NAMES.items() for name in names.split()}
_SECTION = re.compile(
    r"^[ \t>*#]*(question|context|answer|reference|source|document|response|summary|pregunta|contexto|respuesta|"
    r"referencia|fuente|documento|resumen)"
    r"[ \t*]*:[ \t*]*(.*(?:\n(?![ \t>*#]*\w+[ \t*]*:|##|\s*$).*)*)",
    re.IGNORECASE | re.MULTILINE,
)
_TAGGED = re.compile(r"<(\w+)>\n?(.*?)\n?</\1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class JudgeTask:
    """What a judge request asks, item aside.

    Attributes:
        instructions: the prompt's author's own words.
        language: ``en`` or ``es``: the language of the format section, and of the reply.
        scale: the kind of label.
        labels: the labels offered, abstention aside; ascending on an ordinal scale; empty on an interval scale.
        positive: the label of a binary scale that says the criterion is met.
        low: the lowest score of an interval scale.
        high: the highest.
        abstain: whether the abstention is offered.
    """

    instructions: str
    language: Literal["en", "es"]
    scale: Scale
    labels: tuple[str, ...] = ()
    positive: str = ""
    low: float = 0.0
    high: float = 1.0
    abstain: bool = False


def read_task(request: ModelRequest) -> JudgeTask | None:
    """Return what a request asks a judge, or None when it is no judge request."""
    return _read_task(request.system, _key(request.schema))


def inputs_of(request: ModelRequest) -> dict[str, tuple[str, ...]]:
    """Return the inputs of the data block by name, each as its chunks; an empty input has none."""
    start, end = request.user.find("<item>"), request.user.rfind("</item>")
    block = request.user[start + len("<item>") : end] if 0 <= start < end else ""
    found: dict[str, tuple[str, ...]] = {}
    for match in _INPUT.finditer(block):
        name, body = match[1].strip(), match[2]
        chunks = [chunk[1] for chunk in _CHUNK.finditer(body)] or [body]
        texts = (chunk.replace("&lt;", "<") for chunk in chunks if chunk.strip() != _EMPTY)
        found.setdefault(name, tuple(text for text in texts if text.strip()))
    return found


def roles_of(inputs: Mapping[str, tuple[str, ...]], instructions: str) -> tuple[dict[Role, tuple[str, ...]], str]:
    """Return the inputs by role, and the instructions without item text.

    A prompt's author may place inputs in the instructions; those are found by their tags or by lines such as
    ``Question: ...`` and taken out, so that item text is never read as an instruction.
    """
    roles: dict[Role, tuple[str, ...]] = {}
    spare: list[tuple[str, ...]] = []
    for name, chunks in inputs.items():
        role = _ROLE_OF.get(name.strip().casefold().replace(" ", "_").replace("-", "_"))
        if role is None:
            spare.append(chunks)
        else:
            roles.setdefault(role, chunks)
    answered = "answer" in roles or "answer_a" in roles
    if not (answered and "question" in roles and ("context" in roles or "reference" in roles)):
        instructions = _take_placed_inputs(instructions, roles)
    if not {"answer", "answer_a", "answer_b"} & set(roles) and spare:
        roles["answer"] = spare.pop()
    if spare and "context" not in roles:
        roles["context"] = tuple(chunk for chunks in spare for chunk in chunks)
    return roles, instructions


def _take_placed_inputs(instructions: str, roles: dict[Role, tuple[str, ...]]) -> str:
    for pattern in (_TAGGED, _SECTION):
        for match in list(pattern.finditer(instructions)):
            role = _ROLE_OF.get(match[1].casefold())
            if role is not None and role not in roles and match[2].strip():
                roles[role] = (match[2].strip(),)
                instructions = instructions.replace(match.group(), " ", 1)
    return instructions


def _key(schema: Mapping[str, Json] | None) -> tuple[tuple[str, ...], str, float | None, float | None]:
    """Return what the schema says of the label: its values, its type, its bounds."""
    properties = schema.get("properties") if schema else None
    label = properties.get("label") if isinstance(properties, Mapping) else None
    if not isinstance(label, Mapping):
        return (), "", None, None
    values = label.get("enum")
    kind = label.get("type")
    return (
        tuple(str(value) for value in values) if isinstance(values, list | tuple) else (),
        kind if isinstance(kind, str) else "",
        number(label.get("minimum")),
        number(label.get("maximum")),
    )


@lru_cache(maxsize=256)
def _read_task(system: str, label: tuple[tuple[str, ...], str, float | None, float | None]) -> JudgeTask | None:
    headings = list(_HEADING.finditer(system))
    section = system[headings[-1].end() :] if headings else ""
    instructions = system[: headings[-1].start()].strip() if headings else system.strip()
    language: Literal["en", "es"] = "es" if headings and headings[-1][1] == "Veredicto" else "en"
    values, kind, low, high = label
    meanings = {name: meaning.casefold() for name, meaning in _LABEL_LINE.findall(section)}
    labels = tuple(name for name in (meanings or values) if name != ABSTAIN)
    abstain = ABSTAIN in meanings or ABSTAIN in values
    if not labels:
        line = _NUMBER_LINE.search(section)
        if line is None and kind != "number":
            return None
        bounds = [float(each) for each in _NUMBER.findall(line[1])] if line else []
        if len(bounds) < 2:
            bounds = [0.0 if low is None else low, 1.0 if high is None else high]
        return JudgeTask(instructions, language, "interval", low=bounds[0], high=bounds[1], abstain=abstain)
    scale = _scale(labels, " ".join(meanings.values()))
    positive = _positive(labels, meanings) if scale == "binary" else ""
    return JudgeTask(instructions, language, scale, labels, positive, abstain=abstain)


def _scale(labels: tuple[str, ...], meanings: str) -> Scale:
    if "criterion" in meanings or "criterio" in meanings:
        return "binary"
    if (
        "better" in meanings
        or "mejor" in meanings
        or {normalise_label(label) for label in labels} <= {"a", "b", "tie", "empate"}
    ):
        return "pairwise"
    if "level" in meanings or "nivel" in meanings:
        return "ordinal"
    if meanings:
        return "nominal"
    if len(labels) == 2:
        return "binary"
    return "ordinal" if all(number(label) is not None for label in labels) else "nominal"


def _positive(labels: tuple[str, ...], meanings: Mapping[str, str]) -> str:
    for label in labels:
        meaning = meanings.get(label, "")
        if meaning and not re.search(r"\bnot\b|\bno\b", meaning):
            return label
    good = {
        "1",
        "yes",
        "si",
        "sí",
        "true",
        "pass",
        "good",
        "faithful",
        "relevant",
        "correct",
        "supported",
        "fiel",
        "pertinente",
    }
    return next((label for label in labels if normalise_label(label) in good), labels[-1])
