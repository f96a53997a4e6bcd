"""Citations of an answer, written ``[id]``: do they exist, stood they in the context, and what do they follow.

What counts as a citation: square brackets whose content is the id of a chunk, or several, separated by commas,
semicolons, "and" or "y"; and brackets with letters, digits and ``._:/#@+|~-`` but no white space (``[7]``,
``[refunds-9]``), since that is what an invented id looks like. Not a citation: a Markdown link ``[text](url)``, prose
in brackets that holds white space, ``[sic]``, ``[x]``, and a letter changed in a quotation (``[T]he``). Ids are matched
exactly. An id may hold brackets itself: ``[c[1]]`` cites ``c[1]`` where that exists; where it does not, its ``[1]`` is
left alone, since nobody can tell what was meant.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from calibrate.domain import Json
from calibrate.rag.bank import Bank
from calibrate.rag.corpus import Corpus
from calibrate.rag.figures import Figure, share_figure
from calibrate.rag.outputs import Variant
from calibrate.rag.sentences import Sentence, sentences

__all__ = [
    "Citation",
    "CitationStatus",
    "CitedClaim",
    "bracketed_ids",
    "citation_figures",
    "citation_support_figure",
    "citations",
    "cited_claims",
    "names_sources",
    "sentences_with_citations",
    "with_citations_as",
    "without_citations",
]

CitationStatus = Literal["valid", "unknown", "not_in_context"]
"""``valid``: the chunk exists and stood in the context. ``unknown``: the corpus has no chunk of that id.
``not_in_context``: the chunk exists and the answering model never saw it."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One id that an answer cites.

    Attributes:
        id: the id, as written.
        status: whether it exists, and stood in the context.
        start: index of the opening bracket in the answer.
        end: index after the closing bracket; several ids of one bracket share both.
        claim: what it follows, see :func:`cited_claims`; empty in a mere list of sources.
    """

    id: str
    status: CitationStatus
    start: int
    end: int
    claim: str

    def to_json(self) -> dict[str, Json]:
        """Return every field as JSON."""
        return {"id": self.id, "status": self.status, "start": self.start, "end": self.end, "claim": self.claim}


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """What an answer states with citations.

    Attributes:
        sentence: the statement, without the brackets.
        ids: the valid citations that it stands on; their chunks are the context to verify it against.
    """

    sentence: str
    ids: tuple[str, ...]


def citations(answer: str, corpus: Corpus, context: Iterable[str]) -> tuple[Citation, ...]:
    """Return the citations of an answer, in their order.

    Args:
        answer: the answer.
        corpus: the chunks that exist.
        context: the ids of the chunks that stood in the context.
    """
    seen = frozenset(context)
    found = _brackets(answer, corpus)
    claims = _claims(answer, found)
    return tuple(
        Citation(each, _status(each, corpus, seen), bracket.start, bracket.end, claim)
        for bracket, claim in zip(found, claims, strict=True)
        for each in bracket.ids
    )


def cited_claims(answer: str, corpus: Corpus, context: Iterable[str]) -> tuple[CitedClaim, ...]:
    """Return what an answer states with valid citations, for a verifier.

    A citation stands for the sentence that it is in or comes right after. Where a sentence has citations at several
    places, each stands for the words since the one before, and the last also for what follows it. Fewer than three
    words, or "according to the policy", are no statement: what comes next is taken too. A list of sources states
    nothing.
    """
    ids: dict[str, list[str]] = {}
    for each in citations(answer, corpus, context):
        if each.claim and each.status == "valid":
            ids.setdefault(each.claim, []).append(each.id)
    return tuple(CitedClaim(claim, tuple(dict.fromkeys(each))) for claim, each in ids.items())


def citation_figures(
    bank: Bank, variant: Variant, corpus: Corpus, abstained: Mapping[str, bool | None]
) -> tuple[Figure, Figure]:
    """Measure the citations of a variant.

    ``citations_valid``: 1 when the answer cites something and all of it is valid, else 0; an answer that cites nothing
    is 0. ``citation_precision``: valid citations / citations, left out where there are none (``no_citations``).
    Left out: questions without output (``no_output``), those on which the system abstained (``abstained``), and those
    where it is unknown whether it did (``unscored``).

    Args:
        bank: the questions.
        variant: what the system did.
        corpus: the chunks that exist.
        abstained: by question, whether the system abstained; None where nobody could tell.
    """
    valid, precision = {}, {}
    left_out, uncited = {}, {}
    for each in bank.questions:
        output = variant.outputs.get(each.id)
        if output is None:
            left_out[each.id] = "no_output"
        elif (declined := abstained.get(each.id)) is not False:
            left_out[each.id] = "abstained" if declined else "unscored"
        else:
            found = citations(output.answer, corpus, output.context)
            right = sum(citation.status == "valid" for citation in found)
            valid[each.id] = float(bool(found) and right == len(found))
            if found:
                precision[each.id] = right / len(found)
            else:
                uncited[each.id] = "no_citations"
    return Figure("citations_valid", valid, left_out), Figure("citation_precision", precision, left_out | uncited)


def citation_support_figure(
    supported: Mapping[str, Sequence[bool | None]], left_out: Mapping[str, str], *, judge: str = "claim_support"
) -> Figure:
    """Return the share of cited claims that the cited chunks support, ``citation_support``.

    Args:
        supported: by question, whether each cited claim is supported; None where the judge gave no verdict, which
            leaves the question ``unscored``. A question without cited claims is left out as ``no_citations``.
        left_out: the other questions, and why they have no value.
        judge: the role of the judge.
    """
    return share_figure("citation_support", supported, left_out, nothing="no_citations", judge=judge)


def bracketed_ids(text: str, known: Container[str] = ()) -> tuple[str, ...]:
    """Return the ids that a text cites, in their order.

    Args:
        text: an answer, or a part of one.
        known: the ids that exist; without them only brackets without white space are recognised.
    """
    return tuple(each for bracket in _brackets(text, known) for each in bracket.ids)


def sentences_with_citations(text: str, known: Container[str] = ()) -> tuple[str, ...]:
    """Return the sentences of a text, each with the citations in it and right after it."""
    starts = [each.start for each in sentences(_blanked(text, _brackets(text, known)))]
    return tuple(text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=False))


def names_sources(text: str) -> bool:
    """Whether a text without its citations only says that these are the sources: ``Sources:``, ``Ref.``."""
    return _SOURCES.fullmatch(text) is not None


def with_citations_as(mark: str, text: str, known: Container[str] = ()) -> str:
    """Return a text with a mark in place of each bracket that cites."""
    kept, end = [], 0
    for each in _brackets(text, known):
        kept += [text[end : each.start], mark]
        end = each.end
    return "".join([*kept, text[end:]])


def without_citations(text: str, known: Container[str] = ()) -> str:
    """Return a text without its citations, single spaces between its words."""
    return _tidied(_blanked(text, _brackets(text, known)))


@dataclass(frozen=True, slots=True)
class _Bracket:
    ids: tuple[str, ...]
    start: int
    end: int


_BRACKET = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])+)\](?![\w(]|:\s*(?:https?:|www\.|/))")
_PLAIN_BRACKET = re.compile(r"(?<![!\w])\[([^\[\]]+)\](?![\w(\[]|:\s*(?:https?:|www\.|/))")
_WORD_BEFORE = re.compile(r"[\w.:/#@+|~-]*$")
_BETWEEN = re.compile(r"\s*[,;]\s*|\s+(?:y|e|and|&)\s+", re.IGNORECASE)
_INTRODUCED = re.compile(r"(?:sources?|fuentes?|chunks?|fragmentos?|docs?|documentos?|ids?|refs?)\s*[:#.]?\s+", re.I)
_ID = re.compile(r"[#^@]?\w[\w.:/#@+|~-]*")
_NO_IDS = frozenset({"sic", "x"})
_SOURCES = re.compile(r"\W*(?:sources?|fuentes?|referenc(?:es|ias?)|cit(?:ations?|as?)|refs?)\W*", re.I)
_ATTRIBUTION = re.compile(
    r"\W*(?:according to|as (?:stated|described|set out) in|as per|per|based on|see"
    r"|seg[uú]n|conforme a|de acuerdo con|ver)\b(?:\W+\w+){0,5}\W*",
    re.I,
)
_FEWEST_WORDS = 3
_LONGEST_ID = 200


def _brackets(text: str, known: Container[str]) -> list[_Bracket]:
    return [each for match in _BRACKET.finditer(text) for each in _read(text, match, known)]


def _read(text: str, match: re.Match[str], known: Container[str]) -> Iterator[_Bracket]:
    """Return what a bracket cites, and where nothing, what the brackets in it do."""
    content = match[1].strip()
    if "[" not in content:
        ids = _id_with_brackets(text, match, known) if content not in known else None
        ids = _ids(content, known) if ids is None else ids
        if ids:
            yield _Bracket(ids, match.start(), match.end())
        return
    ids = (content,) if content in known else tuple(part for part in _BETWEEN.split(content) if part in known)
    if ids:
        yield _Bracket(ids, match.start(), match.end())
        return
    for inner in _PLAIN_BRACKET.finditer(text, match.start(1), match.end(1)):
        yield from _read(text, inner, known)


def _id_with_brackets(text: str, match: re.Match[str], known: Container[str]) -> tuple[str, ...] | None:
    """Return the id ``[1]`` where that is one, nothing in ``c[1]`` where that is one, None where neither is."""
    if match[0] in known:
        return (match[0],)
    word = _WORD_BEFORE.search(text, max(match.start() - _LONGEST_ID, 0), match.start())
    return () if word is not None and word[0] + match[0] in known else None


def _ids(content: str, known: Container[str]) -> tuple[str, ...]:
    """Return the ids in a bracket; none when it is prose."""
    if content in known:
        return (content,)
    introduced = _INTRODUCED.match(content)
    for candidate in (content, content[introduced.end() :] if introduced else ""):
        parts = tuple(part for part in _BETWEEN.split(candidate) if part)
        if candidate in known:
            return (candidate,)
        if any(part in known for part in parts) or (parts and all(map(_looks_like_an_id, parts))):
            return tuple(part for part in parts if part in known or _looks_like_an_id(part))
    return ()


def _looks_like_an_id(part: str) -> bool:
    return bool(_ID.fullmatch(part)) and part.casefold() not in _NO_IDS


def _status(chunk: str, corpus: Corpus, context: frozenset[str]) -> CitationStatus:
    if chunk not in corpus:
        return "unknown"
    return "valid" if chunk in context else "not_in_context"


def _claims(answer: str, found: Sequence[_Bracket]) -> list[str]:
    """Return what each bracket stands for."""
    bare = _blanked(answer, found)
    whole = sentences(bare)
    by_sentence: dict[int, list[int]] = {}
    starts = [each.start for each in whole]
    for at, bracket in enumerate(found):
        by_sentence.setdefault(max(bisect_left(starts, bracket.start) - 1, 0), []).append(at)
    claims = [""] * len(found)
    for number, places in by_sentence.items():
        if not whole or names_sources(whole[number].text):
            continue
        for group, claim in _parts(bare, whole[number], _groups(bare, [(at, found[at]) for at in places])):
            for at in group:
                claims[at] = claim
    return claims


def _groups(bare: str, brackets: Sequence[tuple[int, _Bracket]]) -> list[list[tuple[int, _Bracket]]]:
    """Put brackets with no word between them together."""
    groups = [[brackets[0]]]
    for (_, before), each in pairwise(brackets):
        if any(character.isalnum() for character in bare[before.end : each[1].start]):
            groups.append([each])
        else:
            groups[-1].append(each)
    return groups


def _parts(
    bare: str, sentence: Sentence, groups: Sequence[Sequence[tuple[int, _Bracket]]]
) -> Iterable[tuple[list[int], str]]:
    """Return what each group of brackets in a sentence stands for."""
    starts = [sentence.start, *(group[-1][1].end for group in groups[:-1])]
    ends = [*(group[0][1].start for group in groups[:-1]), sentence.end]
    whole = _tidied(sentence.text)
    for number, group in enumerate(groups):
        part = _tidied(bare[starts[number] : ends[number]]).lstrip(",;: ")
        if not _states(part) and number + 1 < len(groups):
            part = _tidied(bare[starts[number] : ends[number + 1]]).lstrip(",;: ")
        yield [at for at, _ in group], part if _states(part) else whole


def _states(part: str) -> bool:
    return len(part.split()) >= _FEWEST_WORDS and not _ATTRIBUTION.fullmatch(part)


def _blanked(text: str, found: Sequence[_Bracket]) -> str:
    """Put spaces for the brackets, so that places stay as they are."""
    kept, end = [], 0
    for each in found:
        kept += [text[end : each.start], " " * (each.end - each.start)]
        end = each.end
    return "".join([*kept, text[end:]])


def _tidied(text: str) -> str:
    return re.sub(r"\s+([.,;:!?…)])", r"\1", " ".join(text.split()))
