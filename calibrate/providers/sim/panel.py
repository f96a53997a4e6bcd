"""One answer of an item, judged on one dimension."""

from __future__ import annotations

from collections.abc import Mapping

from calibrate.providers.sim.abstaining import judge_abstention
from calibrate.providers.sim.accuracy import judge_accuracy
from calibrate.providers.sim.checks import Attention
from calibrate.providers.sim.context_need import judge_context
from calibrate.providers.sim.correctness import judge_correctness
from calibrate.providers.sim.dimension import Dimension
from calibrate.providers.sim.judging import Judgement, judge_support
from calibrate.providers.sim.relevance import judge_relevance
from calibrate.providers.sim.requests import Role

__all__ = ["judge_roles"]


def judge_roles(
    roles: Mapping[Role, tuple[str, ...]], answer: Role, dimension: Dimension, attention: Attention
) -> Judgement:
    """Judge one answer.

    Args:
        roles: the item's inputs.
        answer: which of them is the answer.
        dimension: what to judge; overall quality is the worse of support and relevance.
        attention: the checks to make.
    """
    text = "\n".join(roles.get(answer, ()))
    question = "\n".join(roles.get("question", ()))
    context = roles.get("context", ())
    references = roles.get("reference", ())
    if dimension == "abstention":
        return judge_abstention(text, attention)
    if dimension == "context relevancy":
        return judge_context("\n".join(context) or text, question, attention)
    if dimension == "correctness":
        return judge_correctness(text, references, question, attention)
    if dimension == "relevance":
        return judge_relevance(text, question, attention)
    if dimension == "accuracy":
        return judge_accuracy(text, references, context, question, attention)
    if dimension == "faithfulness":
        return judge_support(text, context, question, attention)
    source = context or references
    judged = [judge_support(text, source, question, attention)] if source else []
    judged += [judge_relevance(text, question, attention)] if question else []
    if not judged:
        return judge_accuracy(text, (), (), question, attention)
    return min(judged, key=lambda each: (each.good, each.score))
