"""Reading one variant's figures: where the fault lies, retrieval first.

A rule fires on the value of a figure. It is certain only when the whole 95 % interval lies on that side of its
threshold, and where all questions are 0 or 1 when the exact binomial test (Clopper and Pearson 1934) rejects the
threshold at 2.5 % too: an approximate interval is too sure of a handful of questions. Else it is called likely. What
declared phrases decide, and no judge, is likely at most. A rule whose figures are undefined is silent and says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from calibrate.rag.diagnoses import Diagnosis, Evidence, Fault, FaultCode, Rule, Silent, doubt
from calibrate.rag.figures import Figure
from calibrate.rag.names import figure_name
from calibrate.rag.retrieval import CUTS
from calibrate.rag.summaries import summarise

__all__ = [
    "ABSTENTION_ENOUGH",
    "ANSWERED_ENOUGH",
    "CORRECT_ENOUGH",
    "FAITHFUL_ENOUGH",
    "FEWEST_QUESTIONS",
    "LOST_ENOUGH",
    "RECALL_ENOUGH",
    "variant_faults",
    "variant_rules",
]

ABSTENTION_ENOUGH = 0.9
"""Below it more than one in ten questions that nothing answers gets an invented answer."""

RECALL_ENOUGH = 0.8
"""Recall from which on retrieval is called high: below it more than a fifth of what answers the questions is missing,
and no prompt makes up for that."""

LOST_ENOUGH = 0.1
"""Recall lost between the wide cut and the context from which on ranking is at fault; less is what any cut costs."""

FAITHFUL_ENOUGH = 0.9
"""Below it more than one claim in ten is not in a context that holds the answer."""

CORRECT_ENOUGH = 0.8
"""Below it more than one in five answers is wrong or lacks something though its context holds it; lower than for
faithfulness, as references are worded by people and right answers are missed."""

ANSWERED_ENOUGH = 0.9
"""Below it more than one in ten questions whose answer stood in the context is declined."""

FEWEST_QUESTIONS = 3
"""Fewer questions with a full context say nothing about how the system answers from one."""

FEWEST_LACKING = 2
"""Questions that lack a chunk from which on retrieval is not called in order while its interval reaches below the
threshold; one is an accident."""

ERROR = 0.025
"""Chance that a fault is called certain where its figure lies at the threshold."""


def variant_faults(figures: Sequence[Figure], *, cuts: Sequence[int] = CUTS, seed: int = 0) -> Diagnosis:
    """Say where the fault of a variant lies.

    - ``invents``: ``abstention_recall`` is low. To be fixed first.
    - ``retrieval``: recall at the widest cut is low: index, chunking or query. Not settled, and so silent, where recall
      is just high enough, its interval reaches below and two questions or more lack a chunk.
    - ``reranker``: recall in the context is low, and much lower than at the widest cut.
    - ``generation``: over the questions whose relevant chunks all stood in the context, and that it did not decline,
      faithfulness or correctness is low.
    - ``declines``: of those whose relevant chunks all stood in the context, many are declined.

    Where the rankings are no deeper than the contexts, the second and the third cannot be told apart, and it says so.

    Args:
        figures: of the variant.
        cuts: the cuts its retrieval was measured at.
        seed: of the intervals.
    """
    return Diagnosis.of(rule(_Measured(figures, f"recall@{max(cuts)}", seed)) for rule in _RULES)


def variant_rules(cuts: Sequence[int] = CUTS) -> tuple[Rule, ...]:
    """Return the rules that a variant is read by, with their thresholds, in the order to read them.

    Args:
        cuts: the cuts that retrieval is measured at.
    """
    wide = f"recall@{max(cuts)}"
    return (
        Rule(
            "invents",
            ("abstention_recall",),
            f"abstention where it must is below {ABSTENTION_ENOUGH:.2f}",
            {"abstention_recall": ABSTENTION_ENOUGH},
        ),
        Rule("retrieval", (wide,), f"{wide} is below {RECALL_ENOUGH:.2f}", {wide: RECALL_ENOUGH}),
        Rule(
            "reranker",
            (wide, "context_recall"),
            f"context recall is below {RECALL_ENOUGH:.2f}, and at least {LOST_ENOUGH:.2f} below {wide}",
            {"context_recall": RECALL_ENOUGH, wide: LOST_ENOUGH},
        ),
        Rule(
            "generation",
            ("context_recall", "faithfulness", "correctness"),
            f"faithfulness is below {FAITHFUL_ENOUGH:.2f}, or correctness below {CORRECT_ENOUGH:.2f}, of the questions "
            "that it answers with all that is relevant in the context",
            {"faithfulness": FAITHFUL_ENOUGH, "correctness": CORRECT_ENOUGH},
        ),
        Rule(
            "declines",
            ("context_recall", "answer_rate"),
            f"answering where it can is below {ANSWERED_ENOUGH:.2f} of the questions with all that is relevant in the "
            "context",
            {"answer_rate": ANSWERED_ENOUGH},
        ),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """A figure over some of its questions: what a rule tells of it, and its values."""

    evidence: Evidence
    values: tuple[float, ...]

    @property
    def value(self) -> float:
        """The figure, without the rounding of a sum: nine times 0.8 is not below 0.8."""
        return round(self.evidence.value, 9)

    def surely_below(self, threshold: float) -> bool:
        """Tell whether chance alone does not bring a figure at the threshold this low."""
        high = self.evidence.high
        return high is not None and high < threshold and _chance_of_fewer(self.values, threshold) <= ERROR

    def surely_above(self, threshold: float) -> bool:
        """Tell whether chance alone does not bring a figure at the threshold this high."""
        low, others = self.evidence.low, [1 - each for each in self.values]
        return low is not None and low > threshold and _chance_of_fewer(others, 1 - threshold) <= ERROR


class _Measured:
    """The figures of a variant, by name, with their intervals."""

    def __init__(self, figures: Sequence[Figure], wide: str, seed: int) -> None:
        self.figures: Mapping[str, Figure] = {each.name: each for each in figures if each.values}
        self.wide, self._seed = wide, seed

    def missing(self, *names: str) -> tuple[str, ...]:
        return tuple(name for name in names if name not in self.figures)

    def found(self, name: str, only: frozenset[str] | None = None) -> _Found | None:
        """Return a figure, over the given questions only; None when it has no value there."""
        figure = self.figures.get(name)
        values = {} if figure is None else figure.values
        return self._found(
            name, {question: value for question, value in values.items() if only is None or question in only}
        )

    def by_phrases(self, name: str) -> bool:
        """Tell whether declared phrases, not a judge, decided a figure of abstention."""
        return self.figures[name].judge is None

    @property
    def lost(self) -> _Found | None:
        """The recall lost between the widest cut and the context, question by question."""
        wide, context = self.figures[self.wide].values, self.figures["context_recall"].values
        values = {name: wide[name] - context[name] for name in sorted(wide.keys() & context.keys())}
        return self._found("recall lost before the context", values)

    @property
    def full(self) -> frozenset[str]:
        """The questions whose relevant chunks all stood in the context."""
        return frozenset(name for name, value in self.figures["context_recall"].values.items() if value == 1.0)

    @property
    def declined(self) -> frozenset[str]:
        """The questions that it declined though the corpus answers them, as far as that was measured."""
        answered = self.figures.get("answer_rate")
        return frozenset(() if answered is None else (name for name, value in answered.values.items() if value < 1.0))

    @property
    def shallow(self) -> bool:
        """Whether no ranking is deeper than the deepest context."""
        sizes = [self.figures.get(name) for name in ("retrieved_chunks", "context_chunks")]
        if sizes[0] is None or sizes[1] is None:
            return False
        return max(sizes[0].values.values()) <= max(sizes[1].values.values())

    def _found(self, name: str, values: Mapping[str, float]) -> _Found | None:
        told = summarise(Figure(name, values), seed=self._seed)
        if told.value is None:
            return None
        return _Found(Evidence(told.name, told.value, told.low, told.high, told.n), tuple(values.values()))


def _invents(measured: _Measured) -> Fault | Silent | None:
    found = measured.found("abstention_recall")
    if found is None:
        return _silent("invents", measured.missing("abstention_recall"))
    if found.value >= ABSTENTION_ENOUGH:
        return None
    return _fault(
        "invents",
        0,
        found.surely_below(ABSTENTION_ENOUGH),
        "it answers questions that nothing in the corpus answers: it invents, fix this first",
        found,
        by_phrases=measured.by_phrases("abstention_recall"),
    )


def _retrieval(measured: _Measured) -> Fault | Silent | None:
    wide = measured.found(measured.wide)
    if wide is None:
        return _silent("retrieval", measured.missing(measured.wide))
    if wide.value >= RECALL_ENOUGH:
        return _retrieval_unsettled(wide)
    cause = "what answers the questions is not found at all: index, chunking or query"
    if measured.shallow:
        cause = (
            "what answers the questions is not found: index, chunking or query, or the reranker; the rankings are no "
            "deeper than the contexts, so record more retrieved chunks to tell"
        )
    return _fault("retrieval", 1, wide.surely_below(RECALL_ENOUGH), cause, wide)


def _retrieval_unsettled(wide: _Found) -> Silent | None:
    lacking = sum(value < 1 for value in wide.values)
    low = wide.evidence.low
    if low is None or low >= RECALL_ENOUGH or lacking < FEWEST_LACKING:
        return None
    return Silent(
        "retrieval",
        (),
        f"{wide.evidence.in_words}: {lacking} of {len(wide.values)} questions lack a chunk, and these do not settle "
        f"whether it is below {RECALL_ENOUGH:.2f}",
    )


def _reranker(measured: _Measured) -> Fault | Silent | None:
    missing = measured.missing(measured.wide, "context_recall")
    if missing:
        return _silent("reranker", missing)
    if measured.shallow:
        return Silent("reranker", (), "the rankings are no deeper than the contexts; record more retrieved chunks")
    wide, context, lost = measured.found(measured.wide), measured.found("context_recall"), measured.lost
    if wide is None or context is None or lost is None:
        return _silent("reranker", (measured.wide, "context_recall"))
    if context.value >= RECALL_ENOUGH or lost.value < LOST_ENOUGH:
        return None
    certain = context.surely_below(RECALL_ENOUGH) and lost.surely_above(LOST_ENOUGH)
    found = "is found" if wide.value >= RECALL_ENOUGH else "is found, where it is,"
    cause = f"what answers the questions {found} and does not reach the context: the reranker, or a context too small"
    return _fault("reranker", 2, certain, cause, wide, context)


def _generation(measured: _Measured) -> Fault | Silent | None:
    too_few = _too_few(measured, "generation")
    if too_few is not None:
        return too_few
    answered = measured.full - measured.declined
    if len(answered) < FEWEST_QUESTIONS:
        return Silent(
            "generation", (), f"of {len(measured.full)} questions with a full context it answers {len(answered)} only"
        )
    limits = {"faithfulness": FAITHFUL_ENOUGH, "correctness": CORRECT_ENOUGH}
    told = {name: measured.found(name, answered) for name in limits}
    found = {name: each for name, each in told.items() if each is not None}
    if not found:
        return _silent("generation", tuple(limits))
    low = {name: each for name, each in found.items() if each.value < limits[name]}
    if not low:
        return None
    certain = any(each.surely_below(limits[name]) for name, each in low.items())
    cause = "what it needs stands in the context and it answers otherwise: generation"
    return _fault("generation", 3, certain, cause, *low.values())


def _declines(measured: _Measured) -> Fault | Silent | None:
    too_few = _too_few(measured, "declines")
    if too_few is not None:
        return too_few
    found = measured.found("answer_rate", measured.full)
    if found is None:
        return _silent("declines", ("answer_rate",))
    if found.value >= ANSWERED_ENOUGH:
        return None
    cause = "it declines questions whose answer stood in the context: generation is too cautious"
    by_phrases = measured.by_phrases("answer_rate")
    return _fault("declines", 4, found.surely_below(ANSWERED_ENOUGH), cause, found, by_phrases=by_phrases)


_RULES: tuple[Callable[[_Measured], Fault | Silent | None], ...] = (
    _invents,
    _retrieval,
    _reranker,
    _generation,
    _declines,
)


def _too_few(measured: _Measured, code: FaultCode) -> Silent | None:
    missing = measured.missing("context_recall")
    if missing:
        return _silent(code, missing)
    full = len(measured.full)
    if full >= FEWEST_QUESTIONS:
        return None
    return Silent(code, (), f"the whole answer stood in the context of {full} questions only; too few to read")


def _silent(code: FaultCode, missing: tuple[str, ...]) -> Silent:
    return Silent(code, missing, f"no value of {', '.join(map(figure_name, missing))}")


def _fault(code: FaultCode, order: int, settled: bool, cause: str, *found: _Found, by_phrases: bool = False) -> Fault:
    figures = tuple(each.evidence for each in found)
    told = ", ".join(each.in_words for each in figures)
    n = min(each.n for each in figures)
    questions = "1 question" if n == 1 else f"{n} questions"
    said = f"{told}, over {questions}: {doubt(settled=settled, by_phrases=by_phrases)}{cause}"
    return Fault(code, said, settled and not by_phrases, order, n, figures)


def _chance_of_fewer(values: Sequence[float], threshold: float) -> float:
    """Return the chance of so few ones at the threshold; 0 where values are no zeros and ones and nothing is exact."""
    if any(value not in (0.0, 1.0) for value in values):
        return 0.0
    from scipy.stats import binom

    return float(binom.cdf(sum(values), len(values), threshold))
