"""A question with what variants of a RAG system did with it, as a page shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from calibrate.rag.names import figure_name
from calibrate.report import Line, Trace, TracedQuestion, TracePart
from calibrate.workflows.rag_words import figure_value
from calibrate.workflows.sentences import counted

__all__ = ["size_of", "traced_question"]

_LONGEST_TEXT = 6_000  # characters of one text
_LONGEST_CHUNK = 1_200
_MOST_CHUNKS = 30  # of one context
_MARKUP = 50  # bytes about a text

_TONES: Mapping[str, Any] = {
    "better": "good",
    "worse": "bad",
    "valid": "good",
    "unknown": "bad",
    "not_in_context": "bad",
    "supported": "good",
    "contradicted": "bad",
    "not_mentioned": "bad",
}
_CITATIONS = {
    "valid": "stood in the context",
    "unknown": "the corpus has no such chunk",
    "not_in_context": "exists, and was not in the context",
}
_SHOWN_FIGURES = ("faithfulness", "correctness", "citation_support", "answer_relevancy", "context_relevancy", "latency")


def traced_question(
    facts: Mapping[str, Any],
    question: str,
    variants: Sequence[str],
    label: str,
    told: Sequence[str],
    *,
    longest_chunk: int = _LONGEST_CHUNK,
) -> TracedQuestion:
    """Return a question with what each of some variants did.

    Args:
        facts: what the run found.
        question: its id.
        variants: whose traces stand side by side.
        label: what became of it, in a word or two.
        told: the same in full.
        longest_chunk: characters that are shown of a chunk of the context.
    """
    asked, chunks = facts["questions"][question], facts["chunks"]
    about = [TracePart("reference", (Line(_cut(asked["reference"])),))] if asked["reference"] else []
    if not asked["relevant"]:
        about.append(TracePart("relevant chunks", (Line("nothing in the corpus answers it: the system must abstain"),)))
    relevant = tuple(Line(_cut(chunks.get(each, ""), _LONGEST_CHUNK), each) for each in asked["relevant"])
    if any(each.text for each in relevant):
        about.append(TracePart("relevant chunks, in full", relevant, folded=True))
    traces = tuple(
        Trace(name, tuple(_parts(facts, facts["traces"][name].get(question), longest_chunk))) for name in variants
    )
    return TracedQuestion(question, _cut(asked["text"]), label, tuple(told), tuple(about), traces)


def size_of(one: TracedQuestion) -> int:
    """Return the bytes of HTML that a question takes, about."""
    parts = (*one.about, *(part for trace in one.traces for part in trace.parts))
    lines = [text for part in parts for line in part.lines for text in (line.text, line.mark, line.note)]
    texts = [one.id, one.text, *one.moves, *(part.name for part in parts), *lines]
    return 500 + sum(len(escape(text).encode()) + _MARKUP for text in texts if text)


def _parts(facts: Mapping[str, Any], trace: Mapping[str, Any] | None, longest_chunk: int) -> Iterator[TracePart]:
    if trace is None:
        yield TracePart("answer", (Line("", note="no output for this question", tone="bad"),))
        return
    chunks = facts["chunks"]
    yield TracePart("answer", (Line(_cut(trace["answer"]), note=_abstained(trace["abstained"])),))
    yield TracePart("citations", tuple(_citation(each) for each in trace["citations"]))
    if trace["relevant"]:
        name = f"relevant chunks, of {counted(trace['retrieved'], 'chunk')} retrieved"
        yield TracePart(name, tuple(_relevant(each) for each in trace["relevant"]))
    if trace["claims"]:
        yield TracePart("claims, held against the context", tuple(_claim(each) for each in trace["claims"]))
    if trace["cited_claims"]:
        yield TracePart("claims, held against what they cite", tuple(_claim(each) for each in trace["cited_claims"]))
    said = tuple(_said(role, each) for role, each in trace["said"].items())
    if said:
        yield TracePart("what the judges said", said)
    figures = tuple(
        Line(f"{figure_name(name)} {figure_value({'name': name, 'value': trace['figures'][name]})}")
        for name in _SHOWN_FIGURES
        if name in trace["figures"]
    )
    if figures:
        yield TracePart("figures", figures)
    if trace["questions_written_back"]:
        back = (
            Line(each["question"], note=_similarity(each["similarity"])) for each in trace["questions_written_back"]
        )
        yield TracePart("questions written back", tuple(back), folded=True)
    yield TracePart("context", tuple(_context(trace, chunks, longest_chunk)), folded=True)


def _abstained(abstained: bool | None) -> str:
    if abstained is None:
        return "whether it abstains has no verdict"
    return "abstains" if abstained else ""


def _citation(each: Mapping[str, Any]) -> Line:
    status = each["status"]
    return Line("", f"[{each['id']}]", _CITATIONS.get(status, status.replace("_", " ")), _TONES.get(status, ""))


def _relevant(each: Mapping[str, Any]) -> Line:
    rank = "not retrieved" if each["rank"] is None else f"rank {each['rank']}"
    where = "in the context" if each["in_context"] else "not in the context"
    return Line("", each["id"], f"{rank}, {where}", "good" if each["in_context"] else "bad")


def _claim(each: Mapping[str, Any]) -> Line:
    if each["kind"] != "factual":
        return Line(each["text"], note=f"{each['kind']}: not verifiable, in no figure")
    if each["label"] is None:
        return Line(each["text"], note="no verdict")
    said = each["label"].replace("_", " ")
    if each["quote"]:
        found = "found in the context word by word" if each["quote_found"] else "not found in the context"
        said += f": “{_cut(each['quote'], _LONGEST_CHUNK)}” ({found})"
    if each["reasoning"]:
        said += f" — {_cut(each['reasoning'], _LONGEST_CHUNK)}"
    return Line(_cut(each["text"]), note=said, tone=_TONES.get(each["label"], ""))


def _said(role: str, each: Mapping[str, Any]) -> Line:
    if each["label"] is None:
        return Line(_cut(each.get("detail", "")), role.replace("_", " "), f"no verdict: {each['unscored']}")
    return Line(_cut(each.get("reasoning", "")), f"{role.replace('_', ' ')}: {each['label']}")


def _similarity(similarity: float) -> str:
    return f"similarity {similarity:.2f}"


def _context(trace: Mapping[str, Any], chunks: Mapping[str, str], longest: int) -> Iterator[Line]:
    needed: dict[str, bool | None] = {each["part"]: each["needed"] for each in trace["context_needed"]}
    context: Sequence[str] = trace["context"]
    for each in context[:_MOST_CHUNKS]:
        note = "" if needed.get(each) is None else "needed" if needed[each] else "not needed"
        yield Line(_cut(chunks.get(each, "(its text is not in the corpus)"), longest), each, note)
    if len(context) > _MOST_CHUNKS:
        yield Line("", note=f"and {counted(len(context) - _MOST_CHUNKS, 'more chunk')}")


def _cut(text: str, longest: int = _LONGEST_TEXT) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… (and {len(text) - longest:,} more characters)"
