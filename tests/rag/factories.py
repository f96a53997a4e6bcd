"""Small banks, corpora and variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibrate.rag import Bank, Chunk, Corpus, Figure, Output, Question, Variant


def question(name: str, relevant: Sequence[str] = (), **fields: object) -> Question:
    """A question about itself; without relevant chunks nothing answers it."""
    given: dict[str, object] = {"text": f"What about {name}?", **fields}
    return Question(id=name, relevant=tuple(relevant), **given)  # type: ignore[arg-type]


def bank(relevant: Mapping[str, Sequence[str]], *, language: str = "en", **fields: object) -> Bank:
    """A bank of questions by id, with their relevant chunks; the other fields are those of every question."""
    return Bank("bank", tuple(question(name, each, **fields) for name, each in relevant.items()), language)


def corpus(*ids: str, **texts: str) -> Corpus:
    """A corpus of chunks by id; those with a text of their own are named."""
    said = {each: f"About {each}." for each in ids} | texts
    return Corpus(tuple(Chunk(name, text) for name, text in said.items()))


def output(
    name: str, ranked: Sequence[str] = (), context: Sequence[str] | None = None, answer: str = "Yes.", **fields: object
) -> Output:
    """What a system did with one question; the context is the ranking unless one is given."""
    seen = tuple(ranked if context is None else context)
    return Output(name, tuple(ranked), seen, answer, **fields)  # type: ignore[arg-type]


def variant(*outputs: Output, name: str = "a") -> Variant:
    """A variant with these outputs."""
    return Variant(name, {each.question: each for each in outputs})


def figure(name: str, values: Sequence[float] | Mapping[str, float], **fields: object) -> Figure:
    """A figure; values in a row belong to the questions q0, q1, ..."""
    by_question = values if isinstance(values, Mapping) else {f"q{at}": each for at, each in enumerate(values)}
    return Figure(name, dict(by_question), **fields)  # type: ignore[arg-type]


def named(figures: Sequence[Figure]) -> dict[str, Figure]:
    """Figures by name."""
    return {each.name: each for each in figures}
