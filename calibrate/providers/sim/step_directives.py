"""What a prompt for one step of a RAG evaluation can ask of the reader beyond the checks of a claim."""

from __future__ import annotations

import re
from functools import lru_cache

from calibrate.providers.sim.concepts import fold

__all__ = ["STEP_DIRECTIVES", "recognise_step"]

STEP_DIRECTIVES: dict[str, str] = {
    "atomic": "one fact in each claim",
    "self-contained": "claims that can be understood by themselves, without pronouns for what came before",
    "conditional": "mark what holds only under a condition",
    "normative": "mark the advice and the opinions of the answer itself",
    "no citations": "leave citations out",
    "no greetings": "leave out greetings and whatever else states nothing",
    "whole": "a claim that is supported in part only is not supported",
    "contradiction": "tell what the context contradicts from what it does not mention",
    "different": "different questions",
    "essential": "an answer has to give what is essential in the reference",
    "partial answers": "an answer in part is an answer and no abstention",
    "needed": "a passage on the same subject is not enough: the answer must need it",
}

_ASKING: dict[str, re.Pattern[str]] = {
    "atomic": re.compile(
        r"\b(?:atomic|single (?:fact|piece|thing)|one (?:single )?(?:fact|thing|idea)|smallest|indivisib|minimal\b|"
        r"joined by|compound|simple (?:statement|claim|sentence)|un (?:solo|unico) (?:dato|hecho)|"
        r"una (?:sola|unica) (?:cosa|idea)|unid[oa]s (?:por|con)|compuest[oa]s?\b|"
        r"(?:enunciad|oracion|afirmacion)\w* simple)"
    ),
    "self-contained": re.compile(
        r"\b(?:self[- ]?(?:contained|sufficient)|stands? (?:alone|on (?:its|their) own)|"
        r"(?:understood|makes? sense|read) (?:alone|by (?:itself|themselves)|on (?:its|their) own|without)|pronoun|"
        r"decontextuali|autonom|autocontenid|autosuficien|pronombre|"
        r"(?:entiend\w+|comprend\w+|lee\w*) (?:por si|sin (?:las|los|el|la|leer|ver|mas|necesidad)))"
    ),
    "conditional": re.compile(r"\b(?:condition|condicion)"),
    "normative": re.compile(
        r"\b(?:normativ|recommend|recomend|advice|consejo|opinion|should be|ought|se deberia|deberia hacer)"
    ),
    "no citations": re.compile(
        r"\b(?:without|leav\w+ out|omit\w*|ignor\w+|drop\w*|remov\w+|strip\w*|no|sin|dej\w+ fuera|omit\w+|quit\w+|"
        r"elimin\w+)\b[^.\n]{0,60}\b(?:citation|citas?\b|bracket|corchete|footnote|reference mark|notas? al pie)"
    ),
    "no greetings": re.compile(
        r"\b(?:greeting|saludo|courtes|cortesia|pleasantr|filler|small talk|relleno|formulas? de|"
        r"states? nothing|no (?:afirma|dice) nada)"
    ),
    "whole": re.compile(
        r"\b(?:part(?:ly|ially|ial)\b|in part\b|only (?:a )?part|all of (?:it|the claim)|every (?:part|detail)|fully|"
        r"entire|completely|whole claim|(?:en|una) parte\b|parcial|(?:la dice|lo dice|toda|todo) enter[oa]|"
        r"por completo|completamente|totalmente|en su totalidad|integramente|toda la afirmacion|cada (?:parte|detalle))"
    ),
    "contradiction": re.compile(r"\b(?:contradic|conflict|opposite|contrari[oa]|can not be true|no puede ser verdad)"),
    "essential": re.compile(
        r"\b(?:essential|important|main\b|leav\w+ out|omit|omission|missing|incomplete|esencial|principal|omit|omision|"
        r"falt\w+ algo|incomplet)"
    ),
    "partial answers": re.compile(r"\b(?:parts?\b|partly|partial|partes?\b|parcial)"),
    "needed": re.compile(
        r"\b(?:needed|necessary|needs\b|same (?:subject|topic)|necesari|necesita\b|hac\w+ falta|mismo (?:tema|asunto))"
    ),
    "different": re.compile(r"\b(?:differ|distinct|varied|distint|diferent|diversas?\b|variadas?\b)"),
}


@lru_cache(maxsize=256)
def recognise_step(instructions: str) -> frozenset[str]:
    """Return what a prompt asks for (names as in :data:`STEP_DIRECTIVES`), in English or Spanish."""
    text = fold(instructions)
    return frozenset(name for name, pattern in _ASKING.items() if pattern.search(text))
