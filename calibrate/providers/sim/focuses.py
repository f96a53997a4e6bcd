"""Rewriting strategies that are about one thing: what it is, and how it is asked for.

Each sentence is recognised as asking for its directive alone; those that point at labelled examples ask for none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["EXAMPLES_FOLLOW", "FEW_SHOT", "FOCUSES", "Focus", "points_at_examples"]

Tongue = Literal["en", "es"]

FEW_SHOT = "few-shot from disagreements"
"""The strategy whose instructions are followed by labelled examples that the program adds."""


@dataclass(frozen=True, slots=True)
class Focus:
    """What a strategy is about.

    Attributes:
        directive: what it asks for in any case.
        beside: directives that go well with it.
        sentences: how it asks, by language.
    """

    directive: str
    beside: frozenset[str]
    sentences: dict[Tongue, tuple[str, ...]]


FOCUSES: dict[str, Focus] = {
    "claim enumeration": Focus(
        "claims",
        frozenset({"all-or-nothing", "unsupported"}),
        {
            "en": (
                "First list every claim of the answer, then check each claim by itself.",
                "Write down the claims that the answer makes, one per line, and verify them one by one.",
                "Enumerate all statements of the answer and examine each one separately before you decide.",
                "Make a list of the single claims in the answer and check every item of it against the source.",
            ),
            "es": (
                "Enumera primero todas las afirmaciones de la respuesta y comprueba después cada una por separado.",
                "Anota las afirmaciones que hace la respuesta, una por línea, y verifícalas una a una.",
                "Haz una lista de los enunciados sueltos de la respuesta y examina cada uno antes de decidir.",
                "Elabora una lista de las afirmaciones de la respuesta y comprueba cada una con la fuente.",
            ),
        },
    ),
    "entity attribution": Focus(
        "entities",
        frozenset({"claims", "figures"}),
        {
            "en": (
                "Ask whom or what a statement is about, and check that the source says it of the same one.",
                "Name the product, person or place that the answer speaks of, for what the source says of another one "
                "is no support.",
                "Establish who or what each statement is about, and look only at what the source says about that same "
                "person, product or place.",
                "Note which product, person or plan the answer means and make sure that the source attributes it to "
                "the same one.",
            ),
            "es": (
                "Di de qué producto, persona o lugar trata la respuesta y comprueba que la fuente lo dice de ese "
                "mismo.",
                "Pregúntate de qué producto, persona o plan habla la respuesta, porque lo que la fuente dice de otro "
                "no sirve.",
                "Determina de quién o de qué se dice algo y comprueba que la fuente lo atribuye a esa misma persona o "
                "producto.",
                "Anota a qué persona, producto o lugar se refiere la respuesta, y trata como error lo que la fuente "
                "atribuye a otro.",
            ),
        },
    ),
    "evidence quoting": Focus(
        "unsupported",
        frozenset({"truncation", "silence"}),
        {
            "en": (
                "Quote the passage of the source that supports a statement, and treat a statement without such a "
                "passage as an error.",
                "Cite the sentence of the source behind every statement, and count whatever the source does not state "
                "as an error.",
                "Cite for what the answer states a passage that backs it, as whatever the source does not state is an "
                "error.",
                "Find the passage that backs a statement and cite it, and count whatever the source does not state "
                "as an error.",
            ),
            "es": (
                "Cita el pasaje que respalda lo dicho, y cuenta como error lo que la fuente no dice.",
                "Copia la frase de la fuente en que se apoya la respuesta, y trata como error lo que la fuente no "
                "respalda.",
                "Aduce para lo que dice la respuesta un pasaje de la fuente, pues todo lo que carezca de respaldo en "
                "ella es un error.",
                "Busca y cita el pasaje de la fuente que demuestra lo dicho, y trata como error lo que la fuente no "
                "respalde.",
            ),
        },
    ),
}
"""What the strategies that are about one thing ask for, by their names."""

EXAMPLES_FOLLOW: dict[Tongue, tuple[str, ...]] = {
    "en": (
        "Labelled examples follow these instructions, so decide as the experts did there.",
        "Go by the labelled examples below.",
        "The items that experts have labelled below show how to decide.",
        "See the labelled examples at the end for how experts decide.",
    ),
    "es": (
        "Tras estas instrucciones hay ejemplos etiquetados: decide como lo hicieron allí los expertos.",
        "Guíate por los ejemplos etiquetados que figuran abajo.",
        "Abajo hay casos que etiquetaron los expertos, y los nuevos se juzgan de la misma manera.",
        "Mira en los ejemplos etiquetados del final cómo deciden los expertos.",
    ),
}
"""Sentences that refer to the labelled examples after the instructions."""


def points_at_examples(sentence: str) -> bool:
    """Whether a sentence is one of those that refer to the examples."""
    return any(sentence.strip() in sentences for sentences in EXAMPLES_FOLLOW.values())
