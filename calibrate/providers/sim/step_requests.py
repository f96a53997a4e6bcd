"""Reading a request for one step of judging claim by claim: split an answer, verify claims, write questions back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from calibrate.domain import Json, ModelRequest
from calibrate.providers.sim.examples import split_examples
from calibrate.providers.sim.requests import ABSTAIN, inputs_of, roles_of

__all__ = ["Step", "StepRequest", "read_step"]

Step = Literal["split", "verify", "questions"]

_STEPS: dict[str, Step] = {"claims": "split", "verdicts": "verify", "questions": "questions"}
_HEADING = re.compile(
    r"^##[ \t]*(?:Claims|Verdicts?|Questions|(Afirmaciones|Veredictos?|Preguntas))[ \t]*$", re.MULTILINE
)
_LABEL_LINE = re.compile(r"^\s*(?:Label|Etiqueta)\s+\"(.*)\"\s*:\s*(.*)$", re.MULTILINE)
_CLAIM = re.compile(r"<(claims?|statements?|afirmaci[oó]n|afirmaciones)>\n?(.*?)\n?</\1>", re.DOTALL | re.IGNORECASE)
_CLAIM_LINE = re.compile(
    r"^[ \t>*#]*(?:claim|statement|afirmaci[oó]n)[ \t*]*:[ \t*]*(\S.*)$", re.IGNORECASE | re.MULTILINE
)
_CHUNK = re.compile(r"<chunk index=\"[^\"\n]*\">\n?(.*?)\n?</chunk>", re.DOTALL)
_EMPTY = "(empty)"


@dataclass(frozen=True, slots=True)
class StepRequest:
    """What a request for one step asks and holds.

    Attributes:
        step: which step.
        instructions: the prompt's author's own words, item text and examples taken out.
        language: ``en`` or ``es``: the language of the format section.
        answer: the answer to split or to ask about; None when the item has none.
        context: the chunks of the context; None when the item has none.
        claims: the claims to verify, in order; an empty one stays in its place.
        labels: what each label offered for a claim means, by the format section; empty where that does not say.
        abstain: whether the abstention is offered.
    """

    step: Step
    instructions: str
    language: Literal["en", "es"]
    answer: str | None
    context: tuple[str, ...] | None
    claims: tuple[str, ...]
    labels: Mapping[str, str]
    abstain: bool

    @property
    def complete(self) -> bool:
        """Whether the item has what the step needs."""
        if self.step == "verify":
            return bool(self.claims) and self.context is not None
        return self.answer is not None


def read_step(request: ModelRequest) -> StepRequest | None:
    """Return what a request for one step asks, or None when it is none. Its reply schema tells."""
    properties = _properties(request.schema)
    step = next((_STEPS[name] for name in properties if name in _STEPS), None)
    if step is None or "label" in properties:
        return None
    headings = list(_HEADING.finditer(request.system))
    end = headings[-1].start() if headings else len(request.system)
    section = request.system[end:]
    instructions = split_examples(request.system[:end].strip())[0]
    inputs = inputs_of(request)
    claims, instructions = _claims(request.user, instructions)
    others = {name: chunks for name, chunks in inputs.items() if _CLAIM.fullmatch(f"<{name}></{name}>") is None}
    roles, instructions = roles_of(others, instructions)
    offered = _offered(properties)
    meanings = {name: meaning.casefold() for name, meaning in _LABEL_LINE.findall(section)}
    return StepRequest(
        step=step,
        instructions=instructions,
        language="es" if headings and headings[-1][1] else "en",
        answer="\n".join(roles["answer"]) if "answer" in roles else None,
        context=roles.get("context"),
        claims=claims,
        labels={label: meanings.get(label, "") for label in (offered or meanings) if label != ABSTAIN},
        abstain=ABSTAIN in offered or ABSTAIN in meanings,
    )


def _claims(user: str, instructions: str) -> tuple[tuple[str, ...], str]:
    """Return the claims of the data block, or those that the prompt places, and the instructions without them."""
    start, end = user.find("<item>"), user.rfind("</item>")
    found = _CLAIM.search(user[start:end]) if 0 <= start < end else None
    if found is not None:
        return _parts(found[2]), instructions
    for pattern, group in ((_CLAIM, 2), (_CLAIM_LINE, 1)):
        placed = pattern.search(instructions)
        if placed is not None and placed[group].strip():
            return _parts(placed[group]), instructions.replace(placed.group(), " ", 1)
    return (), instructions


def _parts(body: str) -> tuple[str, ...]:
    parts = _CHUNK.findall(body) or [body]
    return tuple("" if part.strip() == _EMPTY else part.replace("&lt;", "<").strip() for part in parts)


def _properties(schema: Mapping[str, Json] | None) -> Mapping[str, Json]:
    properties = schema.get("properties") if schema else None
    return properties if isinstance(properties, Mapping) else {}


def _offered(properties: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the labels that the schema of one verdict on a claim lists."""
    at: Json = dict(properties)
    for name in ("verdicts", "items", "properties", "label", "enum"):
        at = at.get(name) if isinstance(at, Mapping) else None
    return tuple(str(label) for label in at) if isinstance(at, list | tuple) else ()
