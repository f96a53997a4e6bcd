"""Claims held against a context, one by one: a label for each, the passage that decides, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from calibrate.domain import Json
from calibrate.providers.sim.checks import Attention
from calibrate.providers.sim.concepts import fold
from calibrate.providers.sim.evidence import Source, covered_weight, shared_weight
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.judging import judge_support
from calibrate.providers.sim.labels import CONTRADICTING, State, state_in
from calibrate.providers.sim.language import Language, fold_word
from calibrate.providers.sim.passages import Clause, read_clauses, text_language
from calibrate.providers.sim.polarity import contradiction, speaks_of_silence
from calibrate.providers.sim.requests import ABSTAIN
from calibrate.providers.sim.text import sentences
from calibrate.providers.sim.wordings import found_in_words

__all__ = ["attention_to_claims", "labels_by_state", "state_of_claim", "verify_claims"]

_STRICT_COVER = 0.6
_LENIENT_COVER = 0.3
_SAME_MATTER = 0.45
_SAME_WORDS = 0.9
_MOST_PASSAGES = 3
_POSITIVE = frozenset({"1", "yes", "si", "true"})
_DECIDES: dict[Literal["en", "es"], dict[State, str]] = {
    "en": {
        "supported": "The context states it.",
        "contradicted": "The context says otherwise.",
        "partial": "The context states only a part of it.",
        "missing": "The context does not state it.",
    },
    "es": {
        "supported": "El contexto lo dice.",
        "contradicted": "El contexto dice otra cosa.",
        "partial": "El contexto solo dice una parte.",
        "missing": "El contexto no lo dice.",
    },
}
_NOTHING = {"en": "There is no claim or no context.", "es": "No hay afirmación o no hay contexto."}
_MEANING: tuple[tuple[State, re.Pattern[str]], ...] = (
    ("missing", re.compile(r"\b(?:not say|no lo dice|only a part|solo una parte|not mention|no menciona)")),
    ("contradicted", re.compile(r"\b(?:otherwise|lo contrario|otra cosa)")),
    ("supported", re.compile(r"\b(?:says all|dice todo|says it|lo dice)")),
)


@dataclass(frozen=True, slots=True)
class _Verified:
    state: State
    quote: str = ""
    findings: tuple[Finding, ...] = ()
    empty: bool = False


def verify_claims(
    claims: Sequence[str],
    context: tuple[str, ...],
    labels: Mapping[str, str],
    attention: Attention,
    language: Literal["en", "es"],
    *,
    abstain: bool = False,
) -> list[Json]:
    """Return one verdict for each claim, in order: its number, the reasoning, the quote, the label.

    Args:
        claims: what is verified; each by itself.
        context: the chunks to verify it by.
        labels: the labels offered, and what the format section says of them.
        attention: the checks to make, as :func:`attention_to_claims` gives them.
        language: of the reasoning.
        abstain: whether a claim may be left without a verdict when there is nothing to go by.
    """
    by_state = labels_by_state(labels)
    verdicts: list[Json] = []
    for number, claim in enumerate(claims, start=1):
        found = _verify(claim, context, attention)
        why = [_NOTHING[language] if found.empty else _DECIDES[language][found.state]]
        why += [f"{found_in_words(finding, language)}." for finding in found.findings[:2]]
        verdicts.append(
            {
                "claim": number,
                "reasoning": " ".join(why),
                "quote": found.quote,
                "label": ABSTAIN if abstain and found.empty else by_state[found.state],
            }
        )
    return verdicts


def state_of_claim(claim: str, context: tuple[str, ...], attention: Attention) -> State:
    """Return what a context says of one claim."""
    return _verify(claim, context, attention).state


def attention_to_claims(directives: frozenset[str], asked: frozenset[str], *, small: bool) -> Attention:
    """Return the checks of a claim that a prompt asks for.

    Args:
        directives: what it asks for as any judge prompt does.
        asked: its step directives. To tell contradictions apart means to compare figures and to watch negations; a
            claim that must be supported as a whole is read in its parts, each of which has to hold.
        small: whether the smaller reader reads.
    """
    checks = set(directives) | {"omission"}  # a claim never has to tell everything
    if "contradiction" in asked:
        checks |= {"figures", "negation"}
    if "whole" in asked:
        checks |= {"claims", "all-or-nothing"}
    return Attention(frozenset(checks), small)


def labels_by_state(labels: Mapping[str, str]) -> dict[State, str]:
    """Return the label to give in each state of a claim.

    Labels are known by their names in English or Spanish, and by what the format section says of them; a label that
    tells nothing is the positive one of two when it is listed first.
    """
    known = {label: _state_of(label, meaning) for label, meaning in labels.items()}
    names = list(labels)
    supported = next((label for label in names if known[label] == "supported"), names[0])
    others = [label for label in names if label != supported] or [supported]

    def first(*states: State) -> str:
        return next((label for state in states for label in others if known[label] == state), others[-1])

    return {
        "supported": supported,
        "contradicted": first("contradicted", "missing", "partial"),
        "missing": first("missing", "partial", "contradicted"),
        "partial": first("partial", "missing", "contradicted"),
    }


def _state_of(label: str, meaning: str) -> State | None:
    plain = fold(label).strip()
    if plain in _POSITIVE:
        return "supported"
    named = state_in(plain) if len(plain) > 1 else None
    return named or next((state for state, pattern in _MEANING if pattern.search(fold(meaning))), None)


def _verify(claim: str, context: tuple[str, ...], attention: Attention) -> _Verified:
    if not claim.strip() or not any(chunk.strip() for chunk in context):
        return _Verified("missing", empty=True)
    language = text_language(claim, *context)
    source = _source(context, language)
    findings = {
        result.text: result.findings
        for result in judge_support(claim, context, "", attention).results
        if result.fails and result.text
    }
    parts = read_clauses((claim,), language, whole_sentences=not attention.to("claims"))
    states = [_state(part, source, findings.get(part.text, ()), attention) for part in parts]
    held = states.count("supported")
    failing = tuple(finding for found in findings.values() for finding in found)
    quote = _quote(claim, context, source, language)
    if "contradicted" in states and (attention.to("all-or-nothing") or 2 * held <= len(states)):
        return _Verified("contradicted", quote, failing)
    if held == len(states) and states:
        return _Verified("supported", quote)
    if held and not attention.to("all-or-nothing") and 2 * held >= len(states):
        # Half of it is enough for a reader who was not told otherwise.
        return _Verified("supported", quote, failing)
    return _Verified("partial" if held else "missing", "", failing)


def _state(part: Clause, source: Source, failing: Sequence[Finding], attention: Attention) -> State:
    if speaks_of_silence(" ".join(fold_word(word) for word in part.text.split())):
        return "missing"
    covered = _covered(part, source, attention)
    if any(finding.kind in CONTRADICTING for finding in failing):
        return "contradicted" if covered >= _SAME_MATTER else "missing"
    if attention.to("negation") and _turned_round(part, source):
        return "contradicted"
    strict = attention.to("unsupported") or attention.to("all-or-nothing")
    enough = _STRICT_COVER if strict else _LENIENT_COVER
    return "supported" if not failing and covered >= enough else "missing"


def _turned_round(part: Clause, source: Source) -> bool:
    """Whether the source says the opposite in the very same words."""
    best = next(iter(source.about(part).clauses), None)
    if best is None or contradiction(part, best, frozenset()) is None:
        return False
    ours, theirs = (frozenset(word.stem for word in clause.words) for clause in (part, best))
    return min(shared_weight(part, theirs), shared_weight(best, ours)) >= _SAME_WORDS


def _covered(part: Clause, source: Source, attention: Attention) -> float:
    """Return how much of a statement, its figures aside, the passages that speak of it say, in [0, 1]."""
    passages = [each for clause in source.about(part).clauses[:_MOST_PASSAGES] for each in source.sentence_of(clause)]
    if not passages:
        return 0.0
    figures = frozenset(word.form for word in part.words if word.form[0].isdigit())
    if attention.small:
        stems = frozenset(word.stem for clause in passages for word in (*clause.words, *clause.subject))
        return shared_weight(
            part, stems | frozenset[str]().union(*(clause.label for clause in passages)), ignoring=figures
        )
    concepts = frozenset[str]().union(
        *(clause.concepts | clause.heading for clause in passages),
        *(word.concepts for clause in passages for word in clause.subject),
    )
    return covered_weight(part, concepts, ignoring=figures)


def _quote(claim: str, context: tuple[str, ...], source: Source, language: Language) -> str:
    """Return the sentence of the context that speaks most of a claim, as it is written there; empty when none does."""
    read = read_clauses((claim,), language, whole_sentences=True)
    if not read:
        return ""
    whole = max(read, key=lambda clause: clause.weight)
    evidence = source.about(whole).clauses
    if not evidence:
        return ""
    wanted = _plain(evidence[0].text)
    for flat, cut in _cut(context):
        for sentence in cut:
            if wanted in _plain(sentence) and _plain(sentence) in flat:
                return sentence
        if wanted in flat:
            return evidence[0].text
    # Table rows are read with their headings: quoted is the line that says most of it.
    words = {word.form for word in evidence[0].words if word.weight}
    lines = [line.strip() for chunk in context for line in chunk.split("\n") if line.strip()]
    return max(lines, key=lambda line: len(words & {fold_word(word) for word in re.findall(r"[^\W_]+", line)}))


@lru_cache(maxsize=128)
def _cut(context: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((_plain(chunk), tuple(sentence.text for sentence in sentences(chunk))) for chunk in context)


@lru_cache(maxsize=128)
def _source(context: tuple[str, ...], language: Language) -> Source:
    return Source(read_clauses(context, language))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
