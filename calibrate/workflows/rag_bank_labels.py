"""A judge held against the bank itself: people have said which chunks answer a question.

That is a measurement on the very data that is reported, for nothing: of the chunks that the judge of context relevancy
saw, those that the bank lists as relevant should be needed. The list may lack chunks that help a little, so that what
the judge calls needed beside it is no sure error; what it misses of the list is one.
"""

from __future__ import annotations

from calibrate.domain import Json
from calibrate.metrics import align
from calibrate.rag import Bank
from calibrate.workflows.rag_asking import Answered
from calibrate.workflows.rag_judges import RoleJudge

__all__ = ["on_this_bank"]


def on_this_bank(judge: RoleJudge, answered: Answered, bank: Bank, seed: int = 0) -> dict[str, Json] | None:
    """Return how the judge of context relevancy agrees with the bank's lists of relevant chunks.

    None for the other judges, for one that gives scores, and where sentences were judged: the bank says nothing of
    them. Every chunk counts once for each question, whatever the number of variants that retrieved it.
    """
    verdicts = answered.verdicts[judge.role]
    if judge.role != "context_relevancy" or judge.scale.kind != "binary" or not verdicts.items:
        return None
    seen = {}
    for item in verdicts.items:
        question, chunk = item.attributes["question"], item.attributes["chunk"]
        if item.attributes["part"] != chunk:
            return None
        seen[question, chunk] = verdicts.evaluated.verdicts[item.id]
    assert judge.scale.positive is not None
    relevant = [chunk in bank.by_id[question].relevant for question, chunk in seen]
    labels = [judge.scale.positive if each else judge.scale.negative for each in relevant]
    found = align(labels, list(seen.values()), judge.scale, groups=[question for question, _ in seen], seed=seed)
    recall = found.recall_by_class
    return {
        "n": found.n,
        "relevant": sum(relevant),
        "alignment": found.alignment.to_json(),
        "recall_of_relevant": recall[judge.scale.positive].to_json(),
        "recall_of_others": recall[judge.scale.negative].to_json(),
        "sentence": _sentence(found.alignment.value, recall[judge.scale.positive].value, len(seen), sum(relevant)),
    }


def _sentence(alignment: float | None, recall: float | None, chunks: int, relevant: int) -> str:
    value = "undefined" if alignment is None else f"{alignment:.2f}"
    found = "" if recall is None else f"; it calls {recall:.0%} of the {relevant} relevant ones needed"
    return f"against this bank's own lists of relevant chunks: alignment {value} on {chunks} chunks{found}"
