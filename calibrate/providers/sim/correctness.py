"""Whether an answer says what a reference answer says: nothing essential left out, nothing contradicted."""

from __future__ import annotations

from calibrate.providers.sim.checks import Attention
from calibrate.providers.sim.figures import find_figures, same_figure
from calibrate.providers.sim.findings import Finding
from calibrate.providers.sim.judging import ClaimResult, Judgement
from calibrate.providers.sim.language import fold_word
from calibrate.providers.sim.relevance import wants_figure
from calibrate.providers.sim.statements import single_statements
from calibrate.providers.sim.text import sentences
from calibrate.providers.sim.verifying import attention_to_claims, state_of_claim

__all__ = ["judge_correctness"]

_MOST = 0.6
_SOME = 0.4
_BEYOND = frozenset({"unsupported", "silence", "claims", "all-or-nothing"})


def judge_correctness(answer: str, references: tuple[str, ...], question: str, attention: Attention) -> Judgement:
    """Judge whether an answer says what a reference answer says; what it says beyond that is not judged.

    Args:
        answer: what is judged.
        references: accepted answers; any one will do.
        question: what was asked. Where it asks for a figure, an answer that gives the reference's has the essential.
        attention: the checks to make. Told that something essential may be missing, the reader wants most of the
            reference, else some of it.
    """
    accepted = [reference for reference in references if reference.strip()]
    if not answer.strip() or not accepted:
        return Judgement(good=False, score=0.0, overlap=0.0, reason="empty", empty=True)
    judged = [_against(answer, reference, question, attention) for reference in accepted]
    return max(judged, key=lambda each: (each.good, each.score))


def _against(answer: str, reference: str, question: str, attention: Attention) -> Judgement:
    steps = attention.directives - {"whole"} | ({"whole"} if attention.to("essential") else frozenset())
    asked = attention_to_claims(attention.directives - _BEYOND, steps, small=attention.small)
    wanted = _statements(reference)
    states = [state_of_claim(statement, (answer,), asked) for statement in wanted]
    given = wants_figure(question) and _gives_the_figure(answer, wanted)
    told = states.count("supported") / len(states) if states else 0.0
    results = [
        ClaimResult(statement, (Finding("not_the_reference", "figures", 1.0, statement, reference),))
        for statement in _statements(answer)
        if state_of_claim(statement, (reference,), asked) == "contradicted"
    ]
    enough = _MOST if attention.to("essential") else _SOME
    if told < enough and not given:
        results.append(ClaimResult("", (Finding("omission", "omission", 0.6, reference[:80]),)))
    good = not results
    return Judgement(
        good, told if good else 0.4 * told, told, tuple(results), "as_reference" if good else "not_as_reference"
    )


def _statements(text: str) -> list[str]:
    return [part for sentence in sentences(text) for part in single_statements(sentence.text)]


def _gives_the_figure(answer: str, wanted: list[str]) -> bool:
    """Whether the answer gives the first figure of the reference."""
    first = next((figure for statement in wanted for figure in find_figures(_folded(statement))), None)
    return first is not None and any(same_figure(first, other) for other in find_figures(_folded(answer)))


def _folded(text: str) -> str:
    return " ".join(fold_word(word) for word in text.split())
