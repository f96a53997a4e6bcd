"""Reading one variant's figures: where the fault lies, retrieval first.

A rule fires on the value of a figure. It is certain only when the whole 95 % interval lies on that side of its
threshold; else it says that the figures point there. A rule whose figures are undefined is silent and says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from calibrate.rag.diagnoses import Diagnosis, Evidence, Fault, FaultCode, Silent
from calibrate.rag.figures import Figure
from calibrate.rag.names import figure_name
from calibrate.rag.retrieval import CUTS
from calibrate.rag.summaries import Summary, summarise

__all__ = [
    "ABSTENTION_ENOUGH",
    "ANSWERED_ENOUGH",
    "CORRECT_ENOUGH",
    "FAITHFUL_ENOUGH",
    "FEWEST_QUESTIONS",
    "LOST_ENOUGH",
    "RECALL_ENOUGH",
    "variant_faults",
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


def variant_faults(figures: Sequence[Figure], *, cuts: Sequence[int] = CUTS, seed: int = 0) -> Diagnosis:
    """Say where the fault of a variant lies.

    - ``invents``: ``abstention_recall`` is low. To be fixed first.
    - ``retrieval``: recall at the widest cut is low: index, chunking or query.
    - ``reranker``: recall in the context is low, and much lower than at the widest cut.
    - ``generation``: over the questions whose relevant chunks all stood in the context, faithfulness or correctness is
      low.
    - ``declines``: over the same, many are declined.

    Where the rankings are no deeper than the contexts, the second and the third cannot be told apart, and it says so.

    Args:
        figures: of the variant.
        cuts: the cuts its retrieval was measured at.
        seed: of the intervals.
    """
    return Diagnosis.of(rule(_Measured(figures, f"recall@{max(cuts)}", seed)) for rule in _RULES)


class _Measured:
    """The figures of a variant, by name, with their intervals."""

    def __init__(self, figures: Sequence[Figure], wide: str, seed: int) -> None:
        self.figures: Mapping[str, Figure] = {each.name: each for each in figures if each.values}
        self.wide, self._seed = wide, seed

    def missing(self, *names: str) -> tuple[str, ...]:
        return tuple(name for name in names if name not in self.figures)

    def evidence(self, name: str, only: frozenset[str] | None = None) -> Evidence | None:
        """Return a figure, over the given questions only; None when it has no value there."""
        figure = self.figures.get(name)
        values = {} if figure is None else figure.values
        kept = {question: value for question, value in values.items() if only is None or question in only}
        return _as_evidence(summarise(Figure(name, kept), seed=self._seed))

    @property
    def lost(self) -> Evidence | None:
        """The recall lost between the widest cut and the context, question by question."""
        wide, context = self.figures[self.wide].values, self.figures["context_recall"].values
        values = {name: wide[name] - context[name] for name in sorted(wide.keys() & context.keys())}
        return _as_evidence(summarise(Figure("recall lost before the context", values), seed=self._seed))

    @property
    def full(self) -> frozenset[str]:
        """The questions whose relevant chunks all stood in the context."""
        return frozenset(name for name, value in self.figures["context_recall"].values.items() if value == 1.0)

    @property
    def shallow(self) -> bool:
        """Whether no ranking is deeper than the deepest context."""
        sizes = [self.figures.get(name) for name in ("retrieved_chunks", "context_chunks")]
        if sizes[0] is None or sizes[1] is None:
            return False
        return max(sizes[0].values.values()) <= max(sizes[1].values.values())


def _invents(measured: _Measured) -> Fault | Silent | None:
    found = measured.evidence("abstention_recall")
    if found is None:
        return _silent("invents", measured.missing("abstention_recall"))
    if found.value >= ABSTENTION_ENOUGH:
        return None
    return _fault(
        "invents",
        0,
        _below(found, ABSTENTION_ENOUGH),
        "it answers questions that nothing in the corpus answers: it invents, fix this first",
        found,
    )


def _retrieval(measured: _Measured) -> Fault | Silent | None:
    wide = measured.evidence(measured.wide)
    if wide is None:
        return _silent("retrieval", measured.missing(measured.wide))
    if wide.value >= RECALL_ENOUGH:
        return None
    cause = "what answers the questions is not found at all: index, chunking or query"
    if measured.shallow:
        cause = (
            "what answers the questions is not found: index, chunking or query, or the reranker; the rankings are no "
            "deeper than the contexts, so record more retrieved chunks to tell"
        )
    return _fault("retrieval", 1, _below(wide, RECALL_ENOUGH), cause, wide)


def _reranker(measured: _Measured) -> Fault | Silent | None:
    missing = measured.missing(measured.wide, "context_recall")
    if missing:
        return _silent("reranker", missing)
    if measured.shallow:
        return Silent("reranker", (), "the rankings are no deeper than the contexts; record more retrieved chunks")
    wide, context, lost = measured.evidence(measured.wide), measured.evidence("context_recall"), measured.lost
    if wide is None or context is None or lost is None:
        return _silent("reranker", (measured.wide, "context_recall"))
    if context.value >= RECALL_ENOUGH or lost.value < LOST_ENOUGH:
        return None
    certain = _below(context, RECALL_ENOUGH) and lost.low is not None and lost.low > 0
    found = "is found" if wide.value >= RECALL_ENOUGH else "is found, where it is,"
    cause = f"what answers the questions {found} and does not reach the context: the reranker, or a context too small"
    return _fault("reranker", 2, certain, cause, wide, context)


def _generation(measured: _Measured) -> Fault | Silent | None:
    too_few = _too_few(measured, "generation")
    if too_few is not None:
        return too_few
    limits = {"faithfulness": FAITHFUL_ENOUGH, "correctness": CORRECT_ENOUGH}
    told = {name: measured.evidence(name, measured.full) for name in limits}
    found = [each for each in told.values() if each is not None]
    if not found:
        return _silent("generation", tuple(limits))
    low = [each for each in found if each.value < limits[each.name]]
    if not low:
        return None
    certain = any(_below(each, limits[each.name]) for each in low)
    return _fault(
        "generation", 3, certain, "what it needs stands in the context and it answers otherwise: generation", *low
    )


def _declines(measured: _Measured) -> Fault | Silent | None:
    too_few = _too_few(measured, "declines")
    if too_few is not None:
        return too_few
    found = measured.evidence("answer_rate", measured.full)
    if found is None:
        return _silent("declines", ("answer_rate",))
    if found.value >= ANSWERED_ENOUGH:
        return None
    cause = "it declines questions whose answer stood in the context: generation is too cautious"
    return _fault("declines", 4, _below(found, ANSWERED_ENOUGH), cause, found)


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


def _fault(code: FaultCode, order: int, certain: bool, cause: str, *figures: Evidence) -> Fault:
    told = ", ".join(each.in_words for each in figures)
    n = min(each.n for each in figures)
    verb = "" if certain else "the figures point to this and do not settle it: "
    questions = "1 question" if n == 1 else f"{n} questions"
    return Fault(code, f"{told}, over {questions}: {verb}{cause}", certain, order, n, figures)


def _below(found: Evidence, threshold: float) -> bool:
    return found.high is not None and found.high < threshold


def _as_evidence(summary: Summary) -> Evidence | None:
    if summary.value is None:
        return None
    return Evidence(summary.name, summary.value, summary.low, summary.high, summary.n)
