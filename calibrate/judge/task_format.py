"""What a judge of a single step is told about its reply: the format section in words, and the JSON schema."""

from __future__ import annotations

from calibrate.domain import Json, Scale
from calibrate.judge.claims import CLAIM_KINDS
from calibrate.judge.support import label_roles
from calibrate.judge.tasks import Task
from calibrate.judge.verdict_format import ABSTENTION, Language, Placement, data_sentence

__all__ = ["task_schema", "task_section"]

_SECTIONS: dict[tuple[Task, Language], tuple[str, ...]] = {
    ("split", "en"): (
        "## Claims",
        'Reply with one JSON object and nothing else: {"reasoning": "...", "claims": [{"claim": "...", "kind": ...}]}. '
        "Write the claims in the order of the answer and in its language; where it states nothing, the list is empty.",
        'Kind "factual": it says that something is so; a rule, a duty or a permission that it reports is factual too.',
        'Kind "conditional": it holds only under a condition that the answer leaves open.',
        'Kind "normative": it is advice or an opinion of the answer itself, and reports no rule.',
    ),
    ("split", "es"): (
        "## Afirmaciones",
        "Responde con un solo objeto JSON y nada más: "
        '{"reasoning": "...", "claims": [{"claim": "...", "kind": ...}]}. '
        "Escribe las afirmaciones en el orden de la respuesta y en su idioma; si no afirma nada, la lista queda vacía.",
        'Tipo "factual": dice que algo es así; una norma, una obligación o un permiso que refiere también es factual.',
        'Tipo "conditional": solo vale bajo una condición que la respuesta deja abierta.',
        'Tipo "normative": es un consejo o una opinión de la propia respuesta, y no refiere ninguna norma.',
    ),
    ("verify", "en"): (
        "## Verdicts",
        'Reply with one JSON object and nothing else: {"verdicts": [{"claim": 1, "reasoning": "...", "quote": "...", '
        '"label": ...}]}. One entry for each claim, with its number; a single claim has number 1. Write the reasoning '
        "first, then the passage of the context that decides, copied word for word, then the label. Where no passage "
        "decides, the quote is empty.",
        'Label "{supported}": the context says all of it. It needs a quote.',
        'Label "{contradicted}": the context says otherwise.',
        'Label "{not_mentioned}": the context does not say it, or only a part of it.',
        'Label "{not_mentioned}": the context does not say it, says only a part of it, or says otherwise.',
        f'Label "{ABSTENTION}": the claim cannot be assessed from what is given.',
    ),
    ("verify", "es"): (
        "## Veredictos",
        'Responde con un solo objeto JSON y nada más: {"verdicts": [{"claim": 1, "reasoning": "...", "quote": "...", '
        '"label": ...}]}. Una entrada por afirmación, con su número; una sola afirmación tiene el número 1. Escribe '
        "primero el razonamiento, después el pasaje del contexto que decide, copiado palabra por palabra, y después la "
        "etiqueta. Si ningún pasaje decide, la cita queda vacía.",
        'Etiqueta "{supported}": el contexto dice todo lo que afirma. Necesita una cita.',
        'Etiqueta "{contradicted}": el contexto dice lo contrario.',
        'Etiqueta "{not_mentioned}": el contexto no lo dice, o solo una parte.',
        'Etiqueta "{not_mentioned}": el contexto no lo dice, dice solo una parte, o dice lo contrario.',
        f'Etiqueta "{ABSTENTION}": la afirmación no se puede evaluar con lo que se da.',
    ),
    ("questions", "en"): (
        "## Questions",
        'Reply with one JSON object and nothing else: {"questions": ["...", "...", "..."]}. Three questions, in the '
        "language of the answer.",
    ),
    ("questions", "es"): (
        "## Preguntas",
        'Responde con un solo objeto JSON y nada más: {"questions": ["...", "...", "..."]}. Tres preguntas, en el '
        "idioma de la respuesta.",
    ),
}


def task_section(
    task: Task, scale: Scale, language: Language, *, allow_abstain: bool, placement: Placement = "block"
) -> str:
    """Write the section that follows the instructions: where the data is, the reply's form, and what its words mean."""
    heading, *lines = _SECTIONS[task, language]
    if task == "verify":
        reply, supported, contradicted, third, either, abstain = lines
        roles = label_roles(scale)
        told = [supported, contradicted, third] if roles.contradicted is not None else [supported, either]
        lines = [reply, *(_named(line, scale) for line in told), *([abstain] if allow_abstain else [])]
    return "\n".join([heading, data_sentence(language, placement), *lines])


def task_schema(task: Task, scale: Scale, *, allow_abstain: bool) -> dict[str, Json]:
    """Return the JSON schema of a reply."""
    text: Json = {"type": "string"}
    if task == "split":
        claim = _object({"claim": text, "kind": {"type": "string", "enum": list(CLAIM_KINDS)}})
        return _object({"reasoning": text, "claims": {"type": "array", "items": claim}})
    if task == "questions":
        return _object({"questions": {"type": "array", "items": text}})
    label: Json = {"type": "string", "enum": [*scale.labels, *([ABSTENTION] if allow_abstain else [])]}
    verdict = _object({"claim": {"type": "integer"}, "reasoning": text, "quote": text, "label": label})
    return _object({"verdicts": {"type": "array", "items": verdict}})


def _named(line: str, scale: Scale) -> str:
    roles = label_roles(scale)
    named = {
        "supported": roles.supported,
        "contradicted": roles.contradicted or "",
        "not_mentioned": roles.not_mentioned,
    }
    for name, label in named.items():
        line = line.replace("{" + name + "}", label)  # a label may hold braces of its own
    return line


def _object(properties: dict[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
