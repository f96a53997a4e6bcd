"""A text as the reader holds it: clauses with their words, figures, names, negations, and what they are about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from calibrate.providers.sim.figures import Figure, find_figures
from calibrate.providers.sim.grammar import (
    ALL_OF_THEM,
    CONJUNCTIONS_OF_NOUNS,
    DENYING_VERBS,
    HARMLESS_NEGATIONS,
    NOT_NAMES,
    POINTING_OPENERS,
    REFERRING,
    SCOPE_ENDS,
    SHORT_REACH,
    SUBJECTLESS_OPENERS,
    VERBS,
)
from calibrate.providers.sim.language import Language, detect_language, fold_word
from calibrate.providers.sim.lexicon import Word, expressions, lexicon, look_up
from calibrate.providers.sim.text import Sentence, clauses, sentences

__all__ = ["Clause", "read_clauses", "read_words", "text_language"]

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?|[,.;:()?!]")
_WORD_ONLY = re.compile(r"[^\W\d_]+")
_LABEL = re.compile(r"([^\W\d_a-záéíóúñ][^:.;!?]{1,60}):\s")
_NEGATION_REACH = 4
_SUBJECT_WORDS = 4
_TITLE_CASE = 0.7


@dataclass(slots=True)
class Clause:
    """One clause of a text.

    Attributes:
        text: as written.
        language: of the whole text.
        words: all its words, function words included.
        breaks: positions of the words that follow a comma or another mark.
        negated: positions of the words a negation reaches.
        figures: its numbers, amounts, dates.
        names: folded proper names in it (single words).
        contrasts: for each class of mutually exclusive words, which of them it has.
        subject: the content words in front of its verb; those of the clause it refers back to when it has none itself.
        subject_names: the names among them.
        subject_contrasts: the contrasts of what it is about, those of its heading included.
        concepts: all its concepts.
        weight: the weight of its words together.
        sentence: index of its sentence.
        truncated: whether its sentence breaks off.
        question: whether its sentence asks.
        general: whether it speaks of everything before it ("both", "all").
        heading: concepts of the heading it stands under.
        carried: whether that label stands in front of an earlier sentence.
        label: stems of that heading or, where there is none, of the label that opens its sentence or an earlier one
            ("Basic plan: ...").
        inner: stems of the label of its sentence, under a heading.
    """

    text: str
    language: Language
    words: tuple[Word, ...]
    breaks: frozenset[int]
    negated: frozenset[int]
    figures: tuple[Figure, ...]
    names: frozenset[str]
    contrasts: dict[int, frozenset[str]]
    subject: tuple[Word, ...]
    subject_names: frozenset[str]
    subject_contrasts: dict[int, frozenset[str]]
    concepts: frozenset[str]
    weight: float
    sentence: int
    truncated: bool = False
    question: bool = False
    general: bool = False
    heading: frozenset[str] = frozenset()
    label: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()
    carried: bool = False

    @property
    def head(self) -> frozenset[str]:
        """The concepts of its subject; empty when that is a light word such as "customers"."""
        return frozenset[str]().union(*(word.concepts for word in self.subject if word.weight == 1.0))


def text_language(*texts: str) -> Language:
    """Return the language of several texts taken together."""
    words = [fold_word(word) for text in texts for word in _WORD_ONLY.findall(text[:4000])]
    return detect_language(words)


def read_words(text: str, language: Language) -> tuple[Word, ...]:
    """Return the words of a text, expressions joined."""
    return tuple(look_up(form, language) for form in _forms(text, language) if form[0].isalnum())


def read_clauses(chunks: Sequence[str], language: Language, *, whole_sentences: bool = False) -> list[Clause]:
    """Read a text given as one or more chunks.

    Args:
        chunks: the parts of the text; what it is about never carries over from one to the next.
        language: its language.
        whole_sentences: whether to leave sentences uncut.
    """
    read: list[Clause] = []
    number = 0
    for chunk in chunks:
        cut = sentences(chunk)
        known_names = _names_in_running_text(cut, language)
        title: Clause | None = None
        previous: Clause | None = None
        label: frozenset[str] = frozenset()
        for sentence in cut:
            if sentence.heading:
                title, previous = _clause(sentence.text, language, number, known_names), None
                label = _stems(title.words)
                if title.figures:
                    # "Basic - 5 euros a month": such a heading states something, too.
                    title.label = label
                    read.append(title)
                    number += 1
                continue
            opening = _LABEL.match(sentence.text)
            own = _stems(read_words(opening[1], language)) if opening else frozenset()
            if own and title is None:
                label = own
            parts = [sentence.text] if whole_sentences or sentence.subject else clauses(sentence.text)
            for part in parts:
                clause = _clause(part, language, number, known_names)
                clause.truncated = sentence.truncated and part is parts[-1]
                clause.question = sentence.text.rstrip().endswith("?")
                clause.label = label
                clause.inner = own if title is not None else frozenset()
                clause.carried = title is None and not own
                if title is not None:
                    clause.heading = title.concepts
                if sentence.subject:
                    clause.subject = read_words(sentence.subject, language)
                    clause.names |= frozenset(word.form for word in clause.subject if word.weight)
                    clause.subject_names = clause.names
                else:
                    _set_subject(clause, previous, title, opens=part is parts[0])
                read.append(clause)
                previous = clause
            number += 1
    return read


def _stems(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.stem for word in words if word.weight and not word.form[0].isdigit())


def _set_subject(clause: Clause, previous: Clause | None, title: Clause | None, *, opens: bool) -> None:
    """Take over from an earlier clause, or from the heading, what the clause is about when it does not say so "
    "itself."""
    if any(word.form in ALL_OF_THEM for word in clause.words[:3]):
        clause.subject, clause.subject_names, clause.general = (), frozenset(), True
        return
    refers = _refers_back(clause)
    if previous is not None and not clause.subject_names and (not opens or refers):
        if not clause.subject or refers:
            clause.subject = previous.subject
            clause.subject_names = previous.subject_names
            clause.subject_contrasts = {**previous.subject_contrasts, **clause.subject_contrasts}
    elif title is not None and not clause.subject_names:
        clause.subject_names = title.names
    if title is not None:
        clause.subject_contrasts = {**title.contrasts, **clause.subject_contrasts}


def _refers_back(clause: Clause) -> bool:
    """Whether the clause speaks of what came before it: it opens with a pronoun or, in Spanish, with a bare verb."""
    opening = [word.form for word in clause.words[:2]]
    if not opening:
        return False
    return not REFERRING.isdisjoint(opening) or opening[0] in SUBJECTLESS_OPENERS or opening[0] in POINTING_OPENERS


def _clause(text: str, language: Language, sentence: int, known_names: frozenset[str]) -> Clause:
    words: list[Word] = []
    marks: list[int] = []
    for form in _forms(text, language):
        if form[0].isalnum():
            words.append(look_up(form, language))
        else:
            marks.append(len(words))
    breaks = frozenset(marks)
    concepts: set[str] = set()
    weight = 0.0
    for word in words:
        if word.weight:
            concepts |= word.concepts
            weight += word.weight
    subject = _subject(words)
    names = frozenset(word.form for word in words if word.form in known_names)
    contrasts = _contrasts(words)
    return Clause(
        text=text,
        language=language,
        words=tuple(words),
        breaks=breaks,
        negated=_negated(words, breaks),
        figures=find_figures(" ".join(fold_word(part) for part in text.split())),
        names=names,
        contrasts=contrasts,
        subject=subject,
        subject_names=frozenset(word.form for word in subject if word.form in names),
        subject_contrasts=contrasts,
        concepts=frozenset(concepts),
        weight=weight,
        sentence=sentence,
    )


def _contrasts(words: Sequence[Word]) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = {}
    for word in words:
        for group in word.contrasts:
            found.setdefault(group, set()).add(word.stem)
    return {group: frozenset(members) for group, members in found.items()}


def _subject(words: Sequence[Word]) -> tuple[Word, ...]:
    """Return the content words in front of the first verb, or none when no verb is seen."""
    found: list[Word] = []
    for word in words:
        if word.form in VERBS:
            return tuple(found[:_SUBJECT_WORDS])
        if word.weight and not word.form[0].isdigit():
            found.append(word)
        elif found and word.form not in CONJUNCTIONS_OF_NOUNS:
            break
    return ()


def _forms(text: str, language: Language) -> list[str]:
    """Return the folded words and marks of a text, expressions of several words joined by ``_``."""
    forms = [fold_word(token) for token in _TOKEN.findall(text)]
    known = expressions(language)
    joined: list[str] = []
    position = 0
    while position < len(forms):
        form = forms[position]
        if language == "en" and form.endswith(("n't", "n’t")):
            joined.append("not")
            position += 1
            continue
        for expression in known.get(form, ()):
            if tuple(forms[position : position + len(expression)]) == expression:
                joined.append("_".join(expression))
                position += len(expression)
                break
        else:
            joined.append(form.split("'")[0].split("’")[0] or form)
            position += 1
    return joined


def _negated(words: Sequence[Word], marks: frozenset[int]) -> frozenset[int]:
    reached: set[int] = set()
    for position, word in enumerate(words):
        if not word.negator and word.form not in DENYING_VERBS:
            continue
        if position + 1 >= len(words) and word.form in ("not", "no", "tampoco"):
            # "Hens may be kept, cockerels may not": what the negation stands behind.
            reached.update(_in_front(words, marks, position))
            continue
        if position + 1 in marks:
            continue
        following = words[position + 1].form if position + 1 < len(words) else ""
        if (word.form, following) in HARMLESS_NEGATIONS:
            continue
        left = 1 if word.form in SHORT_REACH else _NEGATION_REACH
        for place in range(position + 1, len(words)):
            if (place in marks and place > position + 1) or words[place].form in SCOPE_ENDS or left == 0:
                break
            if words[place].weight:
                reached.add(place)
                left -= 1
    return frozenset(reached)


def _in_front(words: Sequence[Word], marks: frozenset[int], position: int) -> list[int]:
    found: list[int] = []
    for place in range(position - 1, -1, -1):
        if words[place].weight and len(found) < _NEGATION_REACH:
            found.append(place)
        if place in marks:
            break
    return found


def _names_in_running_text(cut: Sequence[Sentence], language: Language) -> frozenset[str]:
    """Return the folded words that are proper names: capitalised inside a sentence, or with digits or capitals "
    "inside."""
    names: set[str] = set()
    function = lexicon(language).function
    for sentence in cut:
        tokens = sentence.text.split()
        capitalised = sum(1 for token in tokens if token[:1].isupper())
        if sentence.heading or (len(tokens) > 3 and capitalised > _TITLE_CASE * len(tokens)):
            continue
        first = True
        opening = ""
        for token in tokens:
            bare = token.strip("\"'“”‘’«»()[]*_.,;:!?¿¡")
            if bare and not bare.islower() and not bare.isdigit():
                folded = fold_word(bare.split("'")[0].split("’")[0])
                mixed = any(c.isupper() for c in bare[1:]) or (bare.isalnum() and any(c.isdigit() for c in bare))
                if mixed or (bare[0].isupper() and not first):
                    # "Marie Keller": the word that opens the sentence is part of the name that follows it.
                    names.update(({opening} if opening else set()) - function)
                    names.update(part for part in re.findall(r"[^\W_]+", folded) if part not in function)
                opening = folded if first and bare[0].isupper() else ""
            elif bare:
                opening = ""
            first = token.endswith((".", "!", "?", ":", "…"))
    return frozenset(names - NOT_NAMES)
