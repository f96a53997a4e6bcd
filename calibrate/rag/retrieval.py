"""Retrieval, without any model: was what answers the question found, and did it reach the context (STATISTICS 9).

The ranked figures are those of ``ir_measures``; this module says which questions they are over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from calibrate.errors import InputError
from calibrate.rag.bank import Bank, Question
from calibrate.rag.figures import Figure
from calibrate.rag.names import figure_name
from calibrate.rag.outputs import Output, Variant

if TYPE_CHECKING:
    from ir_measures import Measure

__all__ = ["CUTS", "depth_notes", "retrieval_figures"]

CUTS = (50, 5)
"""The wide cut, what a reranker could choose from, and the cut of a usual context."""


def retrieval_figures(bank: Bank, variant: Variant, cuts: Sequence[int] = CUTS) -> tuple[Figure, ...]:
    """Measure what a variant retrieved.

    For each cut ``recall@k``, ``precision@k``, ``hit_rate@k`` and ``ndcg@k``; then ``mrr`` over the whole ranking;
    ``context_recall``, the share of the relevant chunks that stood in the context, and ``context_precision``, the share
    of the context that is relevant; and how many chunks were retrieved (``retrieved_chunks``) and stood in the context
    (``context_chunks``). All but the last two are in [0, 1].

    Questions without a relevant chunk are left out (``no_relevant_chunk``), and those that the variant has no output
    for (``no_output``). Whoever retrieved nothing, or put nothing into the context, gets 0. An output with a context
    and no ranking does not tell its ranking, and a variant with rankings and no context at all does not tell its
    contexts (``not_told``).

    Args:
        bank: the questions, with their relevant chunks.
        variant: what the system did.
        cuts: the depths at which a ranking is cut, each above 0.

    Raises:
        InputError: a cut is not above 0, or ``ir_measures`` is not installed.
    """
    cuts = tuple(dict.fromkeys(cuts))
    if not cuts or min(cuts) < 1:
        raise InputError(f"a cut is a number of chunks from 1 on, not {min(cuts, default='none')}", field="cuts")
    no_ranking = _left_out(bank, variant, ranking_not_told)
    no_context = _left_out(bank, variant, lambda output: contexts_not_told(variant) and not output.context)
    ranked = [each for each in bank.questions if each.id not in no_ranking]
    found = _ranked_values(ranked, variant, cuts)
    return (
        *(Figure(name, values, no_ranking) for name, values in found.items()),
        *_context_figures([each for each in bank.questions if each.id not in no_context], variant, no_context),
        *_sizes(bank, variant),
    )


def depth_notes(bank: Bank, variant: Variant, cuts: Sequence[int] = CUTS) -> dict[int, str]:
    """Return, by cut, what to know where no ranking is as deep; often nothing.

    A ranking of ten chunks has no recall at 50: ``recall@50, precision@50, hit rate@50 and nDCG@50 are over at most 10
    retrieved chunks``.
    """
    depths = [
        len(variant.outputs[each.id].ranked)
        for each in bank.questions
        if each.answerable and each.id in variant.outputs and not ranking_not_told(variant.outputs[each.id])
    ]
    deepest = max(depths, default=0)
    if not deepest:
        return {}
    chunks = "1 retrieved chunk" if deepest == 1 else f"{deepest} retrieved chunks"
    notes = {}
    for cut in dict.fromkeys(cuts):
        if cut > deepest:
            *names, last = (figure_name(f"{kind}@{cut}") for kind in _KINDS)
            notes[cut] = f"{', '.join(names)} and {last} are over at most {chunks}"
    return notes


def ranking_not_told(output: Output) -> bool:
    """Whether an output has a context that must come from somewhere, and no ranking."""
    return bool(output.context) and not output.ranked


def contexts_not_told(variant: Variant) -> bool:
    """Whether a variant retrieves and never has a context: its file does not tell them."""
    outputs = variant.outputs.values()
    return any(each.ranked for each in outputs) and not any(each.context for each in outputs)


_KINDS = ("recall", "precision", "hit_rate", "ndcg")


def _ranked_values(questions: Sequence[Question], variant: Variant, cuts: Sequence[int]) -> dict[str, dict[str, float]]:
    """Return the values of each ranked figure by question, through ``ir_measures``."""
    measures = _measures(cuts)
    import ir_measures

    values = {name: dict.fromkeys((each.id for each in questions), 0.0) for name in measures}
    # Ids are counted through: the library cuts them off at a NUL, and then tells of a question that was not asked.
    ids = {str(at): each.id for at, each in enumerate(questions)}
    chunks: dict[str, str] = {}
    relevant = [
        ir_measures.Qrel(at, chunks.setdefault(chunk, str(len(chunks))), 1)
        for at, each in zip(ids, questions, strict=True)
        for chunk in each.relevant
    ]
    # Equal scores would be ordered by id; scores that fall by one keep the order of the ranking.
    retrieved = [
        ir_measures.ScoredDoc(at, chunks.setdefault(chunk, str(len(chunks))), float(-place))
        for at, each in zip(ids, questions, strict=True)
        for place, chunk in enumerate(variant.outputs[each.id].ranked)
    ]
    if retrieved:
        names = {measure: name for name, measure in measures.items()}
        for metric in ir_measures.iter_calc(list(names), relevant, retrieved):
            values[names[metric.measure]][ids[metric.query_id]] = float(metric.value)
    return values


def _measures(cuts: Sequence[int]) -> dict[str, Measure]:
    try:
        from ir_measures import RR, P, R, Success, nDCG
    except ModuleNotFoundError:
        raise InputError("retrieval figures need ir-measures, which is not installed: pip install '.[rag]'") from None
    kinds = dict(zip(_KINDS, (R, P, Success, nDCG), strict=True))
    return {**{f"{name}@{cut}": kind @ cut for cut in cuts for name, kind in kinds.items()}, "mrr": RR}


def _context_figures(
    questions: Sequence[Question], variant: Variant, left_out: Mapping[str, str]
) -> tuple[Figure, Figure]:
    recall, precision = {}, {}
    for each in questions:
        context, relevant = set(variant.outputs[each.id].context), set(each.relevant)
        recall[each.id] = len(context & relevant) / len(relevant)
        precision[each.id] = len(context & relevant) / len(context) if context else 0.0
    return Figure("context_recall", recall, left_out), Figure("context_precision", precision, left_out)


def _sizes(bank: Bank, variant: Variant) -> tuple[Figure, Figure]:
    missing = {each.id: "no_output" for each in bank.questions if each.id not in variant.outputs}
    outputs = {each.id: variant.outputs[each.id] for each in bank.questions if each.id in variant.outputs}
    no_ranking = {name: "not_told" for name, each in outputs.items() if ranking_not_told(each)}
    no_context = dict.fromkeys(outputs, "not_told") if contexts_not_told(variant) else {}
    return (
        Figure(
            "retrieved_chunks",
            {name: float(len(each.ranked)) for name, each in outputs.items() if name not in no_ranking},
            missing | no_ranking,
            higher_is_better=None,
        ),
        Figure(
            "context_chunks",
            {name: float(len(set(each.context))) for name, each in outputs.items() if name not in no_context},
            missing | no_context,
            higher_is_better=None,
        ),
    )


def _left_out(bank: Bank, variant: Variant, not_told: Callable[[Output], bool]) -> dict[str, str]:
    found = {}
    for each in bank.questions:
        output = variant.outputs.get(each.id)
        if not each.answerable:
            found[each.id] = "no_relevant_chunk"
        elif output is None:
            found[each.id] = "no_output"
        elif not_told(output):
            found[each.id] = "not_told"
    return found
