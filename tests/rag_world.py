"""A small RAG system worked by hand, and judges of it behind HTTP whose verdicts follow rules that a test can state.

Ten desks, each with a chunk of three sentences, forty chunks about something else, and three questions that nothing
answers. The judges know four rules:

- A splitter takes every sentence as a claim: conditional when it begins with "If" or "Si", normative when it begins
  with "You should" or "Conviene", else factual.
- A verifier finds a claim supported when the context has it word for word, contradicted when it has it but for its
  numbers and negations, else not mentioned. A claim "by hearsay" it calls supported, with a quote that it made up.
- A judge of correctness passes an answer whose sentences all stand in the chunks that answer the question; a judge of
  context relevancy passes just these chunks.
- A judge of abstention sees whether the answer begins with "I do not know" or "No consta".
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loopback import Call, Reply

from calibrate.rag import Bank, Corpus
from calibrate.rag.citations import without_citations
from calibrate.rag.sentences import sentences

__all__ = [
    "ANSWERABLE",
    "CHUNKS",
    "JUDGE",
    "UNANSWERABLE",
    "RagJudges",
    "desk_answer",
    "element",
    "figure",
    "parts_of",
    "role_of",
    "rows_of",
    "write_corpus",
    "write_desks",
    "write_variant",
]

JUDGE = "openai:gpt-4.1-2025-04-14"

ANSWERABLE = tuple(f"q{number:02}" for number in range(1, 11))
UNANSWERABLE = ("n01", "n02", "n03")
CHUNKS: Mapping[str, str] = {
    **{
        f"c{n:02}": f"The fee of desk {n:02} is {10 + n} euros. Desk {n:02} opens at {n} hours. Dogs like desk {n:02}."
        for n in range(1, 11)
    },
    **{f"x{n:02}": f"Garden {n:02} has roses." for n in range(1, 41)},
}
_OTHERS = tuple(name for name in CHUNKS if name.startswith("x"))


# The system


def write_desks(folder: Path) -> Path:
    """Write bank and corpus; return the bank's file."""
    rows = [
        {"id": name, "question": f"What is the fee of desk {name[1:]}?", "relevant": [f"c{name[1:]}"],
         "reference": f"The fee is {10 + int(name[1:])} euros."}
        for name in ANSWERABLE
    ]  # fmt: skip
    rows += [{"id": name, "question": f"Who runs desk {name}?", "relevant": []} for name in UNANSWERABLE]
    write_corpus(folder / "corpus.jsonl", CHUNKS)
    return _write(folder / "bank.jsonl", rows)


def write_corpus(path: Path, chunks: Mapping[str, str]) -> Path:
    return _write(path, [{"id": name, "text": text} for name, text in chunks.items()])


def desk_answer(question: str) -> dict[str, Any]:
    """Return the output of a system without a fault."""
    if question in UNANSWERABLE:
        return {"ranked": _OTHERS[:40], "context": _OTHERS[:3], "answer": "I do not know."}
    chunk = f"c{question[1:]}"
    fee, hours, _ = (each.text.rstrip(".") for each in sentences(CHUNKS[chunk]))
    return {
        "ranked": (chunk, *_OTHERS),
        "context": (chunk, *_OTHERS[:2]),
        "answer": f"{fee} [{chunk}]. {hours} [{chunk}].",
    }


def write_variant(
    path: Path,
    questions: Iterable[str] = (*ANSWERABLE, *UNANSWERABLE),
    change: Callable[[str, dict[str, Any]], Mapping[str, Any]] | None = None,
    made: Callable[[str], dict[str, Any]] = desk_answer,
) -> str:
    """Write recorded outputs; ``change`` returns the fields of an output that are to be others.

    Returns ``NAME=FILE``, the name being the file's.
    """
    rows = []
    for name in questions:
        row = made(name)
        rows.append({"id": name, **row, **(change(name, row) if change else {})})
    _write(path, rows)
    return f"{path.stem}={path}"


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


# The judges


@dataclass(slots=True)
class RagJudges:
    """All judges in one: the function that a loopback server calls.

    Attributes:
        relevant: by the text of a question, the texts of the chunks that answer it.
        special: replies to calls whose message holds a text, in place of the judge's.
        held_from: from this call on nothing is answered while it is set.
        answered: how often each request was answered.
        roles: how many calls each role got.
    """

    relevant: Mapping[str, Sequence[str]]
    special: Mapping[str, Reply] = field(default_factory=dict)
    held_from: int | None = None
    answered: Counter[str] = field(default_factory=Counter)
    roles: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, bank: Bank, corpus: Corpus) -> RagJudges:
        return cls({each.text: corpus.texts(each.relevant) for each in bank.questions})

    @classmethod
    def of_desks(cls) -> RagJudges:
        return cls({f"What is the fee of desk {name[1:]}?": [CHUNKS[f"c{name[1:]}"]] for name in ANSWERABLE})

    def __call__(self, call: Call) -> Reply:
        if self.held_from is not None and call.index >= self.held_from:
            return Reply(latency=3600.0)
        self.answered[json.dumps(call.body, sort_keys=True)] += 1
        self.roles[role_of(call)] += 1
        if call.api == "embeddings":
            return Reply("")
        special = next((reply for text, reply in self.special.items() if text in call.user), None)
        return special or Reply(self.say(call))

    def say(self, call: Call) -> str:
        """Return what the judge of the call's role says."""
        match role_of(call):
            case "claims":
                claims = [{"claim": each, "kind": _kind(each)} for each in _sentences(element(call, "answer"))]
                return _json({"reasoning": "sentence by sentence", "claims": claims})
            case "claim_support":
                context = "\n".join(parts_of(call, "context"))
                labels = _labels(call)
                verdicts = [
                    {"claim": number, **_verified(each, context, labels)}
                    for number, each in enumerate(parts_of(call, "claim"), 1)
                ]
                return _json({"verdicts": verdicts})
            case "answer_relevancy":
                first = _sentences(element(call, "answer"))[0]
                return _json({"questions": [f"What about this: {first}", "What is the fee of desk 01?", "Who?"]})
            case "context_relevancy":
                return self._verdict(element(call, "context") in self.relevant.get(element(call, "question"), ()))
            case "correctness":
                text = _folded(" ".join(self.relevant.get(element(call, "question"), ())))
                said = _sentences(element(call, "answer"))
                return self._verdict(all(_folded(each) in text for each in said))
            case _:
                return self._verdict(element(call, "answer").startswith(("I do not know", "No consta")))

    def _verdict(self, passes: bool) -> str:
        return _json({"reasoning": "by the rule", "label": "1" if passes else "0"})


def role_of(call: Call) -> str:
    """Return the role of the judge that a call asks; ``embeddings`` where it asks none."""
    if call.api == "embeddings":
        return "embeddings"
    asked = set((call.schema or {})["properties"])
    if "claims" in asked:
        return "claims"
    if "verdicts" in asked:
        return "claim_support"
    if "questions" in asked:
        return "answer_relevancy"
    if "<reference>" in call.user:
        return "correctness"
    return "context_relevancy" if "<context>" in call.user else "abstention"


def element(call: Call, name: str) -> str:
    """Return the text of an input as the judge sees it."""
    found = re.search(rf"<{name}>\n(.*?)\n</{name}>", call.user, re.DOTALL)
    assert found is not None, call.user
    return found[1]


def parts_of(call: Call, name: str) -> list[str]:
    """Return the texts of an input that may have several."""
    whole = element(call, name)
    return re.findall(r'<chunk index="\d+">\n(.*?)\n</chunk>', whole, re.DOTALL) or [whole]


def _kind(claim: str) -> str:
    if claim.startswith(("If ", "Si ")):
        return "conditional"
    return "normative" if claim.startswith(("You should", "Conviene")) else "factual"


def _labels(call: Call) -> tuple[str, str, str]:
    schema: Any = call.schema
    supported, contradicted, not_mentioned = schema["properties"]["verdicts"]["items"]["properties"]["label"]["enum"]
    return supported, contradicted, not_mentioned


def _verified(claim: str, context: str, labels: tuple[str, str, str]) -> dict[str, str]:
    supported, contradicted, not_mentioned = labels
    if "by hearsay" in claim:
        return {"reasoning": "so they say", "quote": "as everybody knows", "label": supported}
    if _folded(claim) in _folded(context):
        return {"reasoning": "word for word", "quote": claim.rstrip("."), "label": supported}
    for said in _sentences(context):
        if _skeleton(said) == _skeleton(claim):
            return {"reasoning": "other figures", "quote": said, "label": contradicted}
    return {"reasoning": "nothing on it", "quote": "", "label": not_mentioned}


def _skeleton(text: str) -> str:
    return re.sub(r"\d", "", re.sub(r"\b(?:not?|never|nunca)\b\s*", "", _folded(text)))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _sentences(text: str) -> list[str]:
    return [each.text for each in sentences(without_citations(text))]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# What came of it


def figure(document: Mapping[str, Any], variant: str, name: str) -> Mapping[str, Any]:
    """Return a figure of a variant in a report's JSON."""
    (mine,) = [each for each in document["results"] if each["name"] == variant]
    (found,) = [each for each in mine["figures"] if each["name"] == name]
    return dict(found)


def rows_of(document: Mapping[str, Any], variant: str) -> Mapping[str, Any]:
    """Return the trace of each question."""
    return dict(document["traces"][variant])
