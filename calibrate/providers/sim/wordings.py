"""The reader's reasoning in words: what it checked, what it found, what follows."""

from __future__ import annotations

from typing import Literal

from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.judging import Judgement

__all__ = ["found_in_words", "reasoning"]

_MOST_SHOWN = 3
_LONGEST_QUOTE = 110

_FOUND: dict[str, tuple[str, str]] = {
    "figure_differs": ("it says {said} where the source says {source}", "dice {said} donde la fuente dice {source}"),
    "figure_missing": ("the figure {said} is not in the source", "la cifra {said} no está en la fuente"),
    "other_subject": (
        'this is said of something else in the source, not of {said}: "{source}"',
        "la fuente lo dice de otra cosa y no de {said}: «{source}»",
    ),
    "unknown_name": ("the source does not know {said}", "la fuente no conoce {said}"),
    "negation": (
        'a negation is on one side only ({said}): "{source}"',
        "la negación está en un solo lado ({said}): «{source}»",
    ),
    "opposite": ('it says the opposite ({said}): "{source}"', "dice lo contrario ({said}): «{source}»"),
    "condition_lost": ('it drops the condition "{said}"', "pierde la condición «{said}»"),
    "condition_added": ('it adds the condition "{said}"', "añade la condición «{said}»"),
    "universal": ('it says "{said}" where the source says "{source}"', "dice «{said}» donde la fuente dice «{source}»"),
    "unsupported": ("the source does not state: {said}", "la fuente no dice: {said}"),
    "wording": (
        "hardly any of its words are in the source: {said}",
        "casi ninguna de sus palabras está en la fuente: {said}",
    ),
    "silence": (
        "it denies something that the source is merely silent about",
        "niega algo sobre lo que la fuente simplemente calla",
    ),
    "truncation": (
        'it completes a source sentence that is cut off ({said}): "{source}"',
        "completa una frase de la fuente que está cortada ({said}): «{source}»",
    ),
    "omission": ("the answer leaves most of it out", "la respuesta omite casi todo"),
    "off_topic": ("it has nothing to do with the question", "no tiene que ver con la pregunta"),
    "no_figure": (
        "the question asks for a number or a date and gets none",
        "la pregunta pide un número o una fecha y no lo recibe",
    ),
    "unanswered": ("this part of the question is left open: {said}", "esta parte de la pregunta queda abierta: {said}"),
    "other_than_asked": ("it speaks of {said}, the question of {source}", "habla de {said} y la pregunta, de {source}"),
    "opposite_of_asked": (
        'it speaks of "{said}", the question of "{source}"',
        "habla de «{said}» y la pregunta, de «{source}»",
    ),
    "not_the_reference": ("it is not what the reference says: {source}", "no es lo que dice la referencia: {source}"),
}
_REASON: dict[str, tuple[str, str]] = {
    "empty": (
        "There is nothing to judge, or nothing to judge it by.",
        "No hay nada que juzgar o nada con que juzgarlo.",
    ),
    "overlap": (
        "Judged as a whole: the answer shares {overlap:.0%} of its wording with the material; nothing was checked "
        "in detail.",
        "Juzgado en conjunto: la respuesta comparte el {overlap:.0%} de sus palabras con el material; no se ha "
        "comprobado nada en detalle.",
    ),
    "little_overlap": (
        "Judged as a whole: the answer shares only {overlap:.0%} of its wording with the material.",
        "Juzgado en conjunto: la respuesta comparte solo el {overlap:.0%} de sus palabras con el material.",
    ),
    "checked": (
        "Checked: {checks}. {fine} of {all} statements hold.",
        "Comprobado: {checks}. Se sostienen {fine} de {all} afirmaciones.",
    ),
    "some_fail": (
        "Checked: {checks}. {fine} of {all} statements hold, which is enough.",
        "Comprobado: {checks}. Se sostienen {fine} de {all} afirmaciones, lo que basta.",
    ),
    "most_fail": (
        "Checked: {checks}. Only {fine} of {all} statements hold.",
        "Comprobado: {checks}. Solo se sostienen {fine} de {all} afirmaciones.",
    ),
    "one_fails": (
        "Checked: {checks}. {fine} of {all} statements hold, and one that fails is enough to fail the answer.",
        "Comprobado: {checks}. Se sostienen {fine} de {all} afirmaciones, y basta una que falle para suspender la "
        "respuesta.",
    ),
    "evasive": (
        "The answer does not answer: it says that it does not know.",
        "La respuesta no responde: dice que no lo sabe.",
    ),
    "answers": ("The answer answers, at least in part.", "La respuesta responde, al menos en parte."),
    "needed": (
        "The passage speaks of {overlap:.0%} of what the question asks about.",
        "El pasaje habla del {overlap:.0%} de lo que pregunta la pregunta.",
    ),
    "not_needed": (
        "The passage does not give what the question asks for; it speaks of {overlap:.0%} of it.",
        "El pasaje no da lo que pide la pregunta; habla del {overlap:.0%} de ello.",
    ),
    "as_reference": (
        "It says {overlap:.0%} of what the reference says, and nothing against it.",
        "Dice el {overlap:.0%} de lo que dice la referencia, y nada en contra.",
    ),
    "not_as_reference": (
        "It says {overlap:.0%} of what the reference says.",
        "Dice el {overlap:.0%} de lo que dice la referencia.",
    ),
    "claims_nothing": (
        "The answer claims nothing that could be wrong.",
        "La respuesta no afirma nada que pueda estar mal.",
    ),
    "nothing_to_check": (
        "There is no source to check the answer against; nothing speaks against it.",
        "No hay fuente con que comprobar la respuesta; nada habla en su contra.",
    ),
}
_CHECKS: dict[str, tuple[str, str]] = {
    "figures": ("figures", "cifras"),
    "entities": ("what each statement is about", "de qué habla cada afirmación"),
    "negation": ("negations and conditions", "negaciones y condiciones"),
    "claims": ("each claim by itself", "cada afirmación por separado"),
    "unsupported": ("support for every statement", "respaldo de cada afirmación"),
    "silence": ("denials", "negativas"),
    "truncation": ("broken-off sentences", "frases cortadas"),
}


def reasoning(judgement: Judgement, directives: frozenset[str], language: Literal["en", "es"]) -> str:
    """Return what a judgement rests on, in a few sentences."""
    which = 0 if language == "en" else 1
    checks = [names[which] for name, names in _CHECKS.items() if name in directives]
    fine = sum(1 for result in judgement.results if not result.fails)
    parts = [
        _REASON[judgement.reason][which].format(
            overlap=judgement.overlap,
            checks=", ".join(checks) or ("wording" if language == "en" else "redacción"),
            fine=fine,
            all=len(judgement.results),
        )
    ]
    failing = [result for result in judgement.results if result.findings]
    for result in failing[:_MOST_SHOWN]:
        found = "; ".join(_found(finding, which) for finding in result.findings[:2])
        parts.append(f"{_quote(result.text, which)}{found}.")
    return " ".join(parts)


def found_in_words(finding: Finding, language: Literal["en", "es"]) -> str:
    """Return one fault in words, as a sentence without its full stop."""
    said = _found(finding, 0 if language == "en" else 1)
    return f"{said[:1].upper()}{said[1:]}"


def _found(finding: Finding, which: int) -> str:
    return _FOUND[finding.kind][which].format(said=_short(finding.said), source=_short(finding.source))


def _quote(text: str, which: int) -> str:
    if not text:
        return ""
    return f'"{_short(text)}": ' if which == 0 else f"«{_short(text)}»: "


def _short(text: str) -> str:
    flat = " ".join(text.split()).encode("utf-8", "replace").decode("utf-8")
    return flat if len(flat) <= _LONGEST_QUOTE else f"{flat[:_LONGEST_QUOTE].rstrip()}..."
