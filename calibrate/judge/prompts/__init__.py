"""The default prompts: what a team writes before it calibrates, one per common dimension or task, in two languages.

They are generic on purpose and tuned to nothing; a baseline measures how far that takes a judge.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import cache
from pathlib import Path
from string import Template

from calibrate.domain import Scale
from calibrate.judge.tasks import Task
from calibrate.judge.verdict_format import Language, language_of

__all__ = ["default_prompt"]

_ALIASES = {
    **dict.fromkeys(["faithfulness", "faithful", "groundedness", "fidelidad", "fundamentacion"], "faithfulness"),
    **dict.fromkeys(["relevance", "relevancy", "answer relevance", "answer relevancy"], "relevance"),
    **dict.fromkeys(["relevancia", "pertinencia"], "relevance"),
    **dict.fromkeys(["accuracy", "factual accuracy", "exactitud", "exactitud factual"], "accuracy"),
    "precision factual": "accuracy",
    **dict.fromkeys(["correctness", "answer correctness", "correccion"], "correctness"),
    "correccion de la respuesta": "correctness",
    **dict.fromkeys(["context relevancy", "context relevance", "contextual relevancy"], "context_relevancy"),
    **dict.fromkeys(["pertinencia del contexto", "relevancia del contexto"], "context_relevancy"),
    **dict.fromkeys(["abstention", "abstencion"], "abstention"),
    **dict.fromkeys(["claim support", "claim verification", "respaldo de afirmaciones"], "claim_support"),
    **dict.fromkeys(["respaldo de las afirmaciones", "verificacion de afirmaciones"], "claim_support"),
    **dict.fromkeys(["claims", "claim splitting", "claim extraction", "afirmaciones"], "claims"),
    **dict.fromkeys(["division en afirmaciones", "extraccion de afirmaciones"], "claims"),
}
_ANSWER_RELEVANCY = frozenset(
    ["answer relevance", "answer relevancy", "relevancia de la respuesta", "pertinencia de la respuesta"]
)
_OF_TASK: dict[Task, str] = {"split": "claims", "verify": "claim_support", "questions": "answer_relevancy"}
_WITHOUT_LABELS = frozenset(_OF_TASK.values())
_FITS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "correctness": (("reference", "answer"), ()),
    "context_relevancy": (("question", "context"), ("answer",)),
    "abstention": (("answer",), ("context",)),
}
"""Of a prompt that speaks of certain inputs: which an item must have, and which it must not have besides."""

_ELSE = {**dict.fromkeys(["correctness", "answer correctness", "correccion"], "accuracy")}
"""The prompt of a dimension whose own one speaks of inputs that the items do not have; else the general one."""


def default_prompt(
    dimension: str, scale: Scale, language: str, task: Task | None = None, inputs: Collection[str] | None = None
) -> str:
    """Return generic instructions for a dimension.

    Args:
        dimension: faithfulness, relevance, accuracy, correctness (against a reference answer), context relevancy,
            abstention, claims and claim support, under their usual English and Spanish names, have prompts of their
            own; any other is named in a general one.
        scale: its kind decides how the verdict is asked for; a pairwise scale asks for a preference.
        language: BCP 47 tag; Spanish for ``es``, else English.
        task: what the judge is asked to do. A step of judging claim by claim has one prompt, whatever the dimension is
            called. None goes by the dimension: claims are split, claim support is verified, and answer relevancy on
            an interval scale has questions written back.
        inputs: what the items have; a prompt that speaks of a reference is not for items without one. None when it is
            not known.
    """
    written_in = language_of(language)
    folded = _fold(dimension)
    name = _name(folded, scale, task)
    if inputs is not None and name in _FITS:
        needed, strange = _FITS[name]
        if not set(needed).issubset(inputs) or not set(strange).isdisjoint(inputs):
            name = _ELSE.get(folded, "other")
    text = _template(name, written_in).substitute(dimension=dimension.replace("_", " ").strip())
    # The labels of a step are no verdict on the whole item; its reply format says what there is to write.
    return text if name in _WITHOUT_LABELS and task != "verdict" else f"{text}\n{_closing(scale, written_in)}"


def _name(dimension: str, scale: Scale, task: Task | None) -> str:
    if scale.kind == "pairwise":
        return "preference"
    if task in _OF_TASK:
        return _OF_TASK[task]
    if task is None and scale.kind == "interval" and dimension in _ANSWER_RELEVANCY:
        return "answer_relevancy"
    name = _ALIASES.get(dimension, "other")
    # A verdict about claims is no list of them, and one on a claim's support quotes nothing.
    return "other" if name in ("claims", "claim_support") and task == "verdict" else name


def _fold(dimension: str) -> str:
    plain = unicodedata.normalize("NFKD", dimension.casefold())
    letters = "".join(char if char.isalnum() else " " for char in plain if not unicodedata.combining(char))
    return " ".join(letters.split())


@cache
def _template(name: str, language: Language) -> Template:
    return Template(Path(__file__).with_name(f"{name}.{language}.txt").read_text(encoding="utf-8").strip())


def _closing(scale: Scale, language: Language) -> str:
    labels = scale.labels
    quoted = ", ".join(f'"{label}"' for label in labels)
    english = language == "en"
    match scale.kind:
        case "binary":
            if english:
                return f'Answer "{scale.positive}" if the criterion is met and "{scale.negative}" if it is not.'
            return f'Responde "{scale.positive}" si se cumple el criterio y "{scale.negative}" si no se cumple.'
        case "ordinal":
            if english:
                return f'Give a level from "{labels[0]}", the worst, to "{labels[-1]}", the best.'
            return f'Da un nivel de "{labels[0]}", el peor, a "{labels[-1]}", el mejor.'
        case "interval":
            return "The better the answer, the higher the number." if english else "Cuanto mejor, más alto el número."
        case "nominal" | "pairwise":
            return (
                f"Choose the label that fits best: {quoted}." if english else f"Elige la etiqueta adecuada: {quoted}."
            )
