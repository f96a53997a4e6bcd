"""Reading the change from one variant to another: what became better or worse, and what did not follow.

A move counts as one when its own paired test rejects "no difference" and it does not rest on one or two questions or
the judge's noise. A fault is certain when all of its moves are still there after the correction for all tests, and the
intervals of what did not move leave no room for one; else it is called likely. What declared phrases of abstention
decide, and no judge, is likely at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from calibrate.rag.comparing import LEVEL, Paired
from calibrate.rag.diagnoses import Diagnosis, Evidence, Fault, FaultCode, Rule, Silent, doubt
from calibrate.rag.names import figure_name
from calibrate.rag.retrieval import CUTS

__all__ = ["FOLLOWED", "change_faults", "change_rules", "evidence_of", "moved"]

FOLLOWED = 0.05
"""A figure whose interval reaches this far from 0 may have moved, and these questions did not show it."""

Move = Literal["up", "down"]


def change_faults(paired: Sequence[Paired], *, cuts: Sequence[int] = CUTS) -> Diagnosis:
    """Say what a change did.

    - ``invents_more``: ``abstention_recall`` fell. To be fixed first.
    - ``retrieval_worse``: recall at the widest cut fell: index, chunking or query.
    - ``reranker_worse``: recall in the context fell, recall at the widest cut did not.
    - ``generation_worse``: faithfulness or correctness fell, recall in the context did not; where only correctness did
      and more is declined, generation has become too cautious.
    - ``answers_do_not_follow``: recall in the context (or at the narrowest cut) rose, faithfulness and correctness did
      not: generation.
    - ``memory``: faithfulness fell and correctness rose: it answers from memory.
    - ``k_too_large``: contexts hold more chunks, context relevancy fell, and faithfulness did not gain.

    Args:
        paired: the comparisons of two variants, one of each figure.
        cuts: the cuts that retrieval was measured at.
    """
    by_name = {each.name: each for each in paired if each.n}
    return Diagnosis.of(rule(_Changes(by_name, f"recall@{max(cuts)}", f"recall@{min(cuts)}")) for rule in _RULES)


def change_rules(cuts: Sequence[int] = CUTS) -> tuple[Rule, ...]:
    """Return the rules that a change is read by, in the order to read them.

    "Falls" and "rises" are what a paired test shows at 5 %; they have no threshold of their own.

    Args:
        cuts: the cuts that retrieval is measured at.
    """
    wide, narrow = f"recall@{max(cuts)}", f"recall@{min(cuts)}"
    return (
        Rule("invents_more", ("abstention_recall",), "abstention where it must falls"),
        Rule("retrieval_worse", (wide,), f"{wide} falls"),
        Rule("reranker_worse", (wide, "context_recall"), f"context recall falls and {wide} does not"),
        Rule(
            "generation_worse",
            ("context_recall", *_ANSWERS, "answer_rate"),
            "faithfulness or correctness falls and context recall does not",
        ),
        Rule(
            "answers_do_not_follow",
            ("context_recall", narrow, *_ANSWERS),
            f"context recall (or else {narrow}) rises, faithfulness and correctness do not",
        ),
        Rule("memory", _ANSWERS, "faithfulness falls and correctness rises"),
        Rule(
            "k_too_large",
            ("context_chunks", "context_relevancy", "faithfulness"),
            "contexts hold more chunks, context relevancy falls, faithfulness does not rise",
        ),
    )


def moved(paired: Paired | None) -> Move | None:
    """Return which way a figure moved, by its own test; None when it cannot be told or is noise."""
    if paired is None or paired.p is None or paired.difference is None:
        return None
    if paired.conclusion == "noise" or paired.p >= LEVEL:
        return None
    return "up" if paired.difference > 0 else "down"


def evidence_of(paired: Paired) -> Evidence:
    """Return a comparison as what a rule rests on."""
    return Evidence(
        paired.name,
        paired.difference or 0.0,
        paired.low,
        paired.high,
        paired.n,
        paired.first_value,
        paired.second_value,
    )


class _Changes:
    """The comparisons by name, and the two cuts."""

    def __init__(self, by_name: Mapping[str, Paired], wide: str, narrow: str) -> None:
        self.by_name, self.wide, self.narrow = by_name, wide, narrow

    def move(self, name: str) -> Move | None:
        return moved(self.by_name.get(name))

    def missing(self, *names: str) -> tuple[str, ...]:
        return tuple(name for name in names if name not in self.by_name)

    def kept(self, name: str) -> bool:
        """Tell whether a figure has not fallen by as much as would matter."""
        low = self.by_name[name].low
        return low is not None and low > -FOLLOWED

    def may_have_gained(self, name: str) -> bool:
        """Tell whether a figure may have gained what would matter."""
        high = self.by_name[name].high
        return high is None or high >= FOLLOWED

    def fault(self, code: FaultCode, order: int, cause: str, names: Sequence[str], *, certain: bool = True) -> Fault:
        """Name a fault; it is certain when every figure that moved did so after correction too."""
        found = [self.by_name[name] for name in names]
        moves = [each for each in found if moved(each)]
        settled = certain and all(each.p_holm is not None and each.p_holm < LEVEL for each in moves)
        by_phrases = any(each.name in _OF_ABSTENTION and each.judge is None for each in moves)
        evidence = tuple(evidence_of(each) for each in found)
        n = min(each.n for each in found)
        questions = "1 question" if n == 1 else f"{n} questions"
        told = ", ".join(each.in_words for each in evidence)
        said = f"{told}, over {questions}: {doubt(settled=settled, by_phrases=by_phrases)}{cause}"
        return Fault(code, said, settled and not by_phrases, order, n, evidence)


def _invents_more(changes: _Changes) -> Fault | Silent | None:
    missing = changes.missing("abstention_recall")
    if missing:
        return _silent("invents_more", missing)
    if changes.move("abstention_recall") != "down":
        return None
    return changes.fault("invents_more", 0, "it invents more often, fix this first", ["abstention_recall"])


def _retrieval_worse(changes: _Changes) -> Fault | Silent | None:
    missing = changes.missing(changes.wide)
    if missing:
        return _silent("retrieval_worse", missing)
    if changes.move(changes.wide) != "down":
        return None
    return changes.fault("retrieval_worse", 1, "less is found at all: index, chunking or query", [changes.wide])


def _reranker_worse(changes: _Changes) -> Fault | Silent | None:
    missing = changes.missing(changes.wide, "context_recall")
    if missing:
        return _silent("reranker_worse", missing)
    if changes.move("context_recall") != "down" or changes.move(changes.wide) == "down":
        return None
    cause = "as much is found and less of it reaches the context: the reranker, or a context too small"
    certain = changes.kept(changes.wide)
    return changes.fault("reranker_worse", 2, cause, [changes.wide, "context_recall"], certain=certain)


def _generation_worse(changes: _Changes) -> Fault | Silent | None:
    answers = [name for name in _ANSWERS if name in changes.by_name]
    missing = changes.missing("context_recall") + (() if answers else _ANSWERS)
    if missing:
        return _silent("generation_worse", missing)
    fell = [name for name in answers if changes.move(name) == "down"]
    rose = any(changes.move(name) == "up" for name in answers)
    if not fell or rose or changes.move("context_recall") == "down":
        return None
    certain = changes.kept("context_recall")
    if fell == ["correctness"] and changes.move("answer_rate") == "down":
        cause = "as much stands in the context and more is declined: generation is more cautious"
        return changes.fault(
            "generation_worse", 3, cause, ["context_recall", "correctness", "answer_rate"], certain=certain
        )
    cause = "as much stands in the context and answers are worse: generation"
    return changes.fault("generation_worse", 3, cause, ["context_recall", *fell], certain=certain)


def _answers_do_not_follow(changes: _Changes) -> Fault | Silent | None:
    retrieval = [name for name in ("context_recall", changes.narrow) if name in changes.by_name]
    answers = [name for name in _ANSWERS if name in changes.by_name]
    missing = (() if retrieval else ("context_recall", changes.narrow)) + (() if answers else _ANSWERS)
    if missing:
        return _silent("answers_do_not_follow", missing)
    if changes.move(retrieval[0]) != "up" or any(changes.move(name) == "up" for name in answers):
        return None
    certain = not any(changes.may_have_gained(name) for name in answers)
    cause = "retrieval is better and the answers are not: generation"
    return changes.fault("answers_do_not_follow", 4, cause, [retrieval[0], *answers], certain=certain)


def _memory(changes: _Changes) -> Fault | Silent | None:
    missing = changes.missing("faithfulness", "correctness")
    if missing:
        return _silent("memory", missing)
    if (changes.move("faithfulness"), changes.move("correctness")) != ("down", "up"):
        return None
    cause = "more is right and less of it comes from the context: it answers from memory"
    return changes.fault("memory", 5, cause, ["faithfulness", "correctness"])


def _k_too_large(changes: _Changes) -> Fault | Silent | None:
    needed = ("context_chunks", "context_relevancy", "faithfulness")
    missing = changes.missing(*needed)
    if missing:
        return _silent("k_too_large", missing)
    moves = tuple(changes.move(name) for name in needed)
    if moves[:2] != ("up", "down") or moves[2] == "up":
        return None
    cause = "the context grew by what is not needed and faithfulness did not gain: k is too large"
    return changes.fault("k_too_large", 6, cause, needed, certain=not changes.may_have_gained("faithfulness"))


_ANSWERS = ("faithfulness", "correctness")
_OF_ABSTENTION = frozenset({"abstention_recall", "answer_rate"})
_RULES: tuple[Callable[[_Changes], Fault | Silent | None], ...] = (
    _invents_more,
    _retrieval_worse,
    _reranker_worse,
    _generation_worse,
    _answers_do_not_follow,
    _memory,
    _k_too_large,
)


def _silent(code: FaultCode, missing: tuple[str, ...]) -> Silent:
    return Silent(code, missing, f"no question has a value of {', '.join(map(figure_name, missing))} in both variants")
