"""What the reader knows of a word: its stem, the concepts it can stand for, how much it says, whether it denies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from calibrate.providers.sim import lexicon_en, lexicon_es
from calibrate.providers.sim.language import Language, stem

__all__ = ["Lexicon", "Word", "are_opposites", "expressions", "lexicon", "look_up"]

FUNCTION_WEIGHT = 0.0
LIGHT_WEIGHT = 0.35
_CONNECTING = frozenset({"up_to", "at_least", "at_most", "al_menos", "como_maximo", "como_minimo", "hasta"})
# They deny that one pays, but say nothing that a source's silence could bear out.
_QUIET_DENIALS = frozenset({"free", "gratis", "complimentary", "gratuito", "gratuita", "gratuitos", "gratuitas"})


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """One word as the reader understands it.

    Attributes:
        form: the folded word.
        stem: its stem.
        concepts: its stem and every group of near synonyms it belongs to; two words that share one mean alike.
        weight: how much it says: 0 function word, 0.35 light word, 1 content word.
        negator: whether it negates what follows ("not", "sin").
        denies: whether it is the denial of its concept ("forbidden" of "allowed").
        quiet: whether it denies without being felt as a denial ("free").
        strong: whether it commits to more than most sources do ("free", "always").
        contrasts: the classes of mutually exclusive words it belongs to ("monthly", "annual").
    """

    form: str
    stem: str
    concepts: frozenset[str]
    weight: float
    negator: bool = False
    denies: bool = False
    quiet: bool = False
    strong: bool = False
    contrasts: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The word lists of one language, by stem where words inflect."""

    function: frozenset[str]
    light: frozenset[str]
    negators: frozenset[str]
    denials: dict[str, str]
    groups: dict[str, frozenset[str]]
    opposites: dict[str, frozenset[str]]
    contrasts: dict[str, frozenset[int]]
    strong: frozenset[str]
    universal: frozenset[str]
    hedges: frozenset[str]
    restrictors: frozenset[str]
    conditionals: frozenset[str]
    boilerplate: str


@cache
def lexicon(language: Language) -> Lexicon:
    """Return the word lists of a language; a language that is not known has none."""
    if language == "other":
        empty: frozenset[str] = frozenset()
        return Lexicon(empty, empty, empty, {}, {}, {}, {}, empty, empty, empty, empty, empty, "")
    module = lexicon_en if language == "en" else lexicon_es

    def stems(words: list[str]) -> frozenset[str]:
        return frozenset(stem(word, language) for word in words)

    groups: dict[str, set[str]] = {}
    for index, line in enumerate(module.SYNONYMS):
        for word in line.split():
            groups.setdefault(stem(word, language), set()).add(f"{language}{index}")
    opposites: dict[str, set[str]] = {}
    for pair in module.ANTONYMS:
        one, other = (stem(word, language) for word in pair.split("/"))
        opposites.setdefault(one, set()).add(other)
        opposites.setdefault(other, set()).add(one)
    contrasts: dict[str, set[int]] = {}
    for index, line in enumerate(module.CONTRASTS):
        for word in line.split():
            contrasts.setdefault(word, set()).add(index)
    return Lexicon(
        function=frozenset(module.FUNCTION),
        light=stems(module.LIGHT),
        negators=frozenset(module.NEGATORS),
        denials=dict(pair.split("=") for pair in module.NEGATIVE_FORMS),
        groups={key: frozenset(value) for key, value in groups.items()},
        opposites={key: frozenset(value) for key, value in opposites.items()},
        contrasts={key: frozenset(value) for key, value in contrasts.items()},
        strong=stems(module.STRONG),
        universal=frozenset(module.UNIVERSAL),
        hedges=frozenset(module.HEDGES),
        restrictors=frozenset(module.RESTRICTORS),
        conditionals=frozenset(module.CONDITIONALS),
        boilerplate=module.BOILERPLATE,
    )


@cache
def expressions(language: Language) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the expressions of several words (``send back``), by their first word, longest first."""
    if language == "other":
        return {}
    module = lexicon_en if language == "en" else lexicon_es
    found: dict[str, set[tuple[str, ...]]] = {}
    lines = (*module.SYNONYMS, *module.CONTRASTS, *module.CONDITIONALS, *module.ANTONYMS)
    for word in " ".join(lines).replace("/", " ").split():
        parts = tuple(word.split("_"))
        if len(parts) > 1:
            found.setdefault(parts[0], set()).add(parts)
    return {first: tuple(sorted(rest, key=len, reverse=True)) for first, rest in found.items()}


@lru_cache(maxsize=65536)
def look_up(form: str, language: Language) -> Word:
    """Return what is known of a folded word or expression."""
    known = lexicon(language)
    base = known.denials.get(form, form)
    root = stem(base, language)
    own = stem(form, language)
    if form in known.function or form in known.negators or form in known.conditionals or form in _CONNECTING:
        weight = FUNCTION_WEIGHT
    elif own in known.light and form not in known.denials:
        weight = LIGHT_WEIGHT
    else:
        weight = 1.0
    return Word(
        form=form,
        stem=own,
        concepts=frozenset({own, root}) | known.groups.get(root, frozenset()) | known.groups.get(own, frozenset()),
        weight=weight,
        negator=form in known.negators,
        denies=base != form,
        quiet=form in _QUIET_DENIALS,
        strong=own in known.strong,
        # By form, not by stem: "monthly" is in a class that "a month" is not in.
        contrasts=_contrasts(form, known),
    )


def _contrasts(form: str, known: Lexicon) -> frozenset[int]:
    for candidate in (form, form.removesuffix("s"), form.removesuffix("es")):
        if candidate in known.contrasts:
            return known.contrasts[candidate]
    return frozenset()


@lru_cache(maxsize=65536)
def are_opposites(one: str, other: str, language: Language) -> bool:
    """Whether two stems are opposites of one another ("open", "closed")."""
    return other in lexicon(language).opposites.get(one, frozenset())
