"""How tables and sentences name the figures."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["figure_name"]

_NAMES: Mapping[str, str] = {
    "mrr": "MRR",
    "context_recall": "context recall",
    "context_precision": "context precision",
    "abstention_recall": "abstention where it must",
    "answer_rate": "answering where it can",
    "abstention": "abstaining or answering rightly",
    "faithfulness": "faithfulness",
    "contradiction_rate": "claims contradicted",
    "correctness": "correctness",
    "answer_relevancy": "answer relevancy",
    "context_relevancy": "context relevancy",
    "citations_valid": "citations valid",
    "citation_precision": "citation precision",
    "citation_support": "cited chunks support",
    "factual_claims": "factual claims",
    "conditional_claims": "conditional claims",
    "normative_claims": "normative claims",
    "answer_words": "words an answer",
    "latency": "seconds an answer",
    "tokens": "tokens an answer",
    "cost": "US dollars an answer",
    "retrieved_chunks": "chunks retrieved",
    "context_chunks": "chunks in the context",
}


def figure_name(name: str) -> str:
    """Return how a figure is named for a person: ``context_recall`` is ``context recall``."""
    return _NAMES.get(name, name.replace("hit_rate@", "hit rate@").replace("ndcg@", "nDCG@"))
