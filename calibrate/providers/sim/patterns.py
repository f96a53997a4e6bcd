"""Grouping the errors of a judge prompt by what seems to be amiss in each: the simulated writer's error analysis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from calibrate.providers.sim.concepts import concepts_in, fold
from calibrate.providers.sim.diagnosis import CUES, diagnose, dimension_shown
from calibrate.providers.sim.directives import DIRECTIVES, recognise
from calibrate.providers.sim.metaprompt import KnownPattern, MetaPrompt
from calibrate.providers.sim.weighing import CORE

__all__ = ["patterns_found"]

Tongue = Literal["en", "es"]


@dataclass(frozen=True, slots=True)
class _Cause:
    """What is amiss: a check that is missing or too strict, or nothing that was found.

    Attributes:
        what: whether a directive is missing, is applied too strictly, or nothing is known.
        directive: which one; empty when nothing is known.
    """

    what: Literal["missing", "strict", "unknown"]
    directive: str = ""


_UNKNOWN = _Cause("unknown")
_MOST = 8
_MISSING: dict[str, dict[Tongue, tuple[str, str]]] = {
    "figures": {
        "en": ("wrong figures overlooked", "The judge does not compare numbers, dates and amounts with the source."),
        "es": ("cifras equivocadas", "El juez no compara números, fechas e importes con la fuente."),
    },
    "entities": {
        "en": ("one thing taken for another", "The judge does not see that the source says it of something else."),
        "es": ("una cosa tomada por otra", "El juez no ve que la fuente lo dice de otra cosa."),
    },
    "negation": {
        "en": ("negations and conditions missed", "The judge does not notice a reversed meaning or a lost condition."),
        "es": (
            "negaciones y condiciones inadvertidas",
            "El juez no advierte un sentido invertido o una condición perdida.",
        ),
    },
    "claims": {
        "en": ("answers judged as a whole", "The judge does not look at each claim of an answer by itself."),
        "es": ("respuestas juzgadas en bloque", "El juez no mira cada afirmación de la respuesta por separado."),
    },
    "unsupported": {
        "en": ("unsupported additions", "The judge accepts what the source does not state."),
        "es": ("añadidos sin respaldo", "El juez acepta lo que la fuente no dice."),
    },
    "silence": {
        "en": ("silence taken for a no", "The judge accepts denials of what the source does not mention."),
        "es": ("silencio tomado por un no", "El juez acepta que se niegue lo que la fuente no menciona."),
    },
    "truncation": {
        "en": (
            "broken-off sentences completed",
            "The judge accepts how the answer goes on where the source is cut off.",
        ),
        "es": ("frases cortadas completadas", "El juez acepta cómo sigue la respuesta donde la fuente está cortada."),
    },
    "paraphrase": {
        "en": ("other wording taken for an error", "The judge fails answers that say the same in other words."),
        "es": ("otra redacción tomada por error", "El juez suspende respuestas que dicen lo mismo con otras palabras."),
    },
    "omission": {
        "en": ("brevity taken for an error", "The judge fails answers for the details that they leave out."),
        "es": ("brevedad tomada por error", "El juez suspende respuestas por los detalles que omiten."),
    },
    "all-or-nothing": {
        "en": ("single errors forgiven", "The judge accepts an answer although one of its claims fails."),
        "es": ("errores sueltos perdonados", "El juez acepta una respuesta aunque falle una de sus afirmaciones."),
    },
}
_MATTERS: dict[str, dict[Tongue, str]] = {
    "figures": {"en": "figures", "es": "las cifras"},
    "entities": {"en": "what is spoken of", "es": "aquello de lo que se habla"},
    "negation": {"en": "negations", "es": "las negaciones"},
    "claims": {"en": "single claims", "es": "las afirmaciones sueltas"},
    "unsupported": {"en": "support", "es": "el respaldo"},
    "silence": {"en": "denials", "es": "lo que se niega"},
    "truncation": {"en": "cut sentences", "es": "las frases cortadas"},
    "all-or-nothing": {"en": "single errors", "es": "los errores sueltos"},
    "paraphrase": {"en": "wording", "es": "la redacción"},
    "omission": {"en": "completeness", "es": "lo omitido"},
}
_TOO_STRICT: dict[Tongue, tuple[str, str]] = {
    "en": ("too strict about {matter}", "The judge fails answers over {matter} that the experts accept."),
    "es": ("demasiado rigor con {matter}", "El juez suspende por {matter} respuestas que los expertos aceptan."),
}
_UNEXPLAINED: dict[Tongue, tuple[str, str]] = {
    "en": ("unexplained", "What leads the judge astray is not apparent."),
    "es": ("sin explicación", "No se ve qué desvía al juez."),
}


def patterns_found(meta: MetaPrompt) -> str:
    """Return the reply to a request for patterns: every error in exactly one, largest first, known names used again."""
    numbers = [error.number or str(place) for place, error in enumerate(meta.errors, start=1)]
    groups: dict[_Cause, list[str]] = {}
    for number, cause in zip(numbers, _causes(meta), strict=True):
        groups.setdefault(cause, []).append(number)
    left = list({each.name: each for each in meta.known}.values())
    lines: list[str] = []
    for cause, members in _largest(groups):
        name, meaning = _described(cause, meta.language)
        known = next((each for each in left if cause in _meant(each)), None)
        if known is not None:
            left.remove(known)
            name = known.name
        lines.append(f'<pattern name="{name}" errors="{", ".join(members)}">{meaning}</pattern>')
    return "\n".join(["<patterns>", *lines, "</patterns>"])


def _causes(meta: MetaPrompt) -> list[_Cause]:
    """Return what is amiss in each error; where several causes are as likely, the one that most other errors share."""
    asked, dimension = recognise(meta.current), dimension_shown(meta)
    found: list[dict[_Cause, float]] = []
    total: dict[_Cause, float] = defaultdict(float)
    for error in meta.errors:
        diagnosis = diagnose(replace(meta, errors=(error,)), asked, dimension)
        missing = (*diagnosis.stricter.items(), *diagnosis.gentler.items())
        votes = {_Cause("missing", name): count for name, count in missing}
        votes |= {_Cause("strict", name): count for name, count in diagnosis.drop.items()}
        for cause, count in votes.items():
            total[cause] += count
        found.append(votes)
    order = [*DIRECTIVES]

    def likely(votes: dict[_Cause, float]) -> _Cause:
        return max(votes, key=lambda each: (votes[each], total[each], -order.index(each.directive)), default=_UNKNOWN)

    return [likely(votes) for votes in found]


def _largest(groups: Mapping[_Cause, list[str]]) -> list[tuple[_Cause, list[str]]]:
    """Return the groups, largest first; what is one too many of them joins the unexplained."""
    # Sorting keeps the order of appearance among groups of one size.
    ordered = sorted(groups, key=lambda cause: -len(groups[cause]))
    if len(ordered) > _MOST:
        kept = [cause for cause in ordered if cause != _UNKNOWN][: _MOST - 1]
        rest = {number for cause in ordered if cause not in kept for number in groups[cause]}
        in_order = [number for members in groups.values() for number in members if number in rest]
        groups = {**{cause: groups[cause] for cause in kept}, _UNKNOWN: in_order}
        ordered = sorted(groups, key=lambda cause: -len(groups[cause]))
    return [(cause, groups[cause]) for cause in ordered]


def _described(cause: _Cause, language: Tongue) -> tuple[str, str]:
    """Return a cause's name and, in one sentence, what goes wrong."""
    if cause.what == "unknown":
        return _UNEXPLAINED[language]
    if cause.what == "missing":
        return _MISSING[cause.directive][language]
    name, meaning = _TOO_STRICT[language]
    matter = _MATTERS[cause.directive][language]
    return name.format(matter=matter), meaning.format(matter=matter)


def _meant(pattern: KnownPattern) -> frozenset[_Cause]:
    """Return the causes that a known pattern may be about: that of the name, or those its words speak of most."""
    name = pattern.name.strip().casefold()
    if name in _NAMED:
        return frozenset({_NAMED[name]})
    spoken = (concepts_in(fold(pattern.name)), concepts_in(fold(pattern.meaning)))
    asked = recognise(f"{pattern.name}. {pattern.meaning}")
    scores = {
        each: sum(len(concepts & (CORE[each] | CUES.get(each, frozenset()))) for concepts in spoken) + (each in asked)
        for each in DIRECTIVES
    }
    most = max(scores.values())
    return frozenset(_Cause("missing", each) for each, score in scores.items() if score == most > 0)


_CAUSES = (
    *(_Cause("missing", each) for each in DIRECTIVES),
    *(_Cause("strict", each) for each in DIRECTIVES),
    _UNKNOWN,
)
_TONGUES: tuple[Tongue, ...] = ("en", "es")
_NAMED = {_described(cause, tongue)[0]: cause for cause in _CAUSES for tongue in _TONGUES}
_NAMED |= {"other": _UNKNOWN}  # what an optimizer calls errors that were put in no pattern
