"""Rewrites of a prompt that splits answers into claims: it lacks not checks, but what makes a good claim."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Literal

from calibrate.providers.sim.drafting import add, first_sentence
from calibrate.providers.sim.metaprompt import MetaPrompt
from calibrate.providers.sim.rewriting import FROM_SCRATCH, choose
from calibrate.providers.sim.step_directives import recognise_step

__all__ = ["SPLIT_ASKING", "rewritten_split", "splits_answers"]

Tongue = Literal["en", "es"]

SPLIT_ASKING: Mapping[str, Mapping[Tongue, tuple[str, ...]]] = {
    "atomic": {
        "en": ("Each claim is atomic: one fact and no more.", "Write one fact per claim; split compound sentences."),
        "es": (
            "Cada afirmación es atómica: un solo dato y nada más.",
            "Escribe un solo hecho por afirmación: un único dato en cada una, y separa las oraciones compuestas.",
        ),
    },
    "self-contained": {
        "en": (
            "Each claim is self-contained: replace every pronoun by its noun.",
            "A claim must be understood by itself; repeat the subject instead of a pronoun.",
        ),
        "es": (
            "Cada afirmación es autónoma: sustituye cada pronombre por su nombre.",
            "Cada afirmación se entiende por sí misma; repite el sujeto en lugar del pronombre.",
        ),
    },
    "conditional": {
        "en": ("Mark what holds only under a condition as conditional.",),
        "es": ("Marca como condicional lo que solo vale bajo una condición.",),
    },
    "normative": {
        "en": ("Mark advice and opinions of the answer itself as normative.",),
        "es": ("Marca como normativos los consejos y opiniones de la propia respuesta.",),
    },
    "no citations": {
        "en": ("Leave out citations such as [id].", "Remove citations in brackets."),
        "es": ("Deja fuera las citas como [id].", "Quita las citas entre corchetes."),
    },
    "no greetings": {
        "en": ("Leave out greetings and courtesies.",),
        "es": ("Deja fuera los saludos y las fórmulas de cortesía.",),
    },
}
"""How to ask for each step directive of a split; each phrasing is recognised as asking for it."""

_DIMENSIONS = frozenset(
    "claims|claim splitting|claim extraction|afirmaciones|división en afirmaciones|extracción de afirmaciones".split(
        "|"
    )
)
_ELSEWHERE = frozenset({"merge", "shorten", "few-shot from disagreements"})
_MOST_ADDED = 3
_NOTE_WEIGHT = 4.0


def splits_answers(meta: MetaPrompt) -> bool:
    """Whether a prompt that splits answers is to be rewritten, by a strategy that is about what it says."""
    return meta.dimension.replace("_", " ") in _DIMENSIONS and meta.strategy not in _ELSEWHERE


def rewritten_split(meta: MetaPrompt, random: Random) -> str:
    """Return the current instructions, or their first sentence, with more of what makes a good claim.

    What the notes of the errors speak of is asked for with preference.
    """
    scratch = meta.strategy in FROM_SCRATCH
    base = (first_sentence(meta.current) if scratch else "") or meta.current
    asked = recognise_step(meta.current)
    noted = frozenset[str]().union(*(recognise_step(error.note) for error in meta.errors))
    wanted = [name for name in SPLIT_ASKING if scratch and name in asked]
    left = [name for name in SPLIT_ASKING if name not in asked]
    for _ in range(random.randint(1, _MOST_ADDED)):
        if left:
            drawn = random.choices(left, [_NOTE_WEIGHT if name in noted else 1.0 for name in left])[0]
            left.remove(drawn)
            wanted.append(drawn)
    if not wanted:
        # Everything is asked for: one thing is said again, in other words.
        wanted = [random.choice(list(SPLIT_ASKING))]
    return add(base, [choose(SPLIT_ASKING[name][meta.language], meta, random) for name in wanted])
