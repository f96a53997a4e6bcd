"""The default prompts: what a team writes before it calibrates, one per common dimension, in English and Spanish.

They are generic on purpose and tuned to nothing; a baseline measures how far that takes a judge.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from string import Template

from calibrate.domain import Scale
from calibrate.judge.verdict_format import Language, language_of

__all__ = ["default_prompt"]

_ALIASES = {
    **dict.fromkeys(["faithfulness", "faithful", "groundedness", "fidelidad", "fundamentacion"], "faithfulness"),
    **dict.fromkeys(["relevance", "relevancy", "answer relevance", "answer relevancy"], "relevance"),
    **dict.fromkeys(["relevancia", "pertinencia"], "relevance"),
    **dict.fromkeys(["accuracy", "factual accuracy", "correctness", "answer correctness"], "accuracy"),
    **dict.fromkeys(["exactitud", "exactitud factual", "precision factual", "correccion"], "accuracy"),
}


def default_prompt(dimension: str, scale: Scale, language: str) -> str:
    """Return generic instructions for a dimension.

    Args:
        dimension: faithfulness, relevance and accuracy, under their usual English and Spanish names, have prompts of
            their own; any other is named in a general one.
        scale: its kind decides how the verdict is asked for; a pairwise scale asks for a preference.
        language: BCP 47 tag; Spanish for ``es``, else English.
    """
    written_in = language_of(language)
    named = _fold(dimension)
    name = "preference" if scale.kind == "pairwise" else _ALIASES.get(named, "other")
    text = _template(name, written_in).substitute(dimension=dimension.replace("_", " ").strip())
    return f"{text}\n{_closing(scale, written_in)}"


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
