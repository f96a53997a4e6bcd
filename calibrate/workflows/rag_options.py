"""What a RAG evaluation is asked to do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from calibrate.errors import InputError
from calibrate.rag.judged_items import ContextUnit, Role
from calibrate.rag.retrieval import CUTS
from calibrate.workflows.rag_loading import RagReading

__all__ = ["CUTS", "METRICS", "Metric", "RagOptions", "judge_notes", "metrics_for", "read_metrics", "roles_for"]

Metric: TypeAlias = Literal[
    "retrieval",
    "citations",
    "abstention",
    "faithfulness",
    "citation_support",
    "answer_relevancy",
    "context_relevancy",
    "correctness",
]
METRICS: tuple[Metric, ...] = get_args(Metric)

_WITHOUT_MODEL: tuple[Metric, ...] = ("retrieval", "citations", "abstention")
_ROLES: Mapping[Metric, tuple[Role, ...]] = {
    "faithfulness": ("claims", "claim_support"),
    "citation_support": ("claim_support",),
    "answer_relevancy": ("answer_relevancy",),
    "context_relevancy": ("context_relevancy",),
    "correctness": ("correctness",),
}


@dataclass(frozen=True, slots=True)
class RagOptions:
    """What to evaluate, and with which judges.

    Attributes:
        bank: the bank: a table, a folder, or the name of one that comes with the package.
        variants: recorded outputs, ``NAME=FILE`` or ``FILE``; empty for those in the bank's folder.
        systems: live systems, ``NAME=MODULE:FUNCTION``, asked about every question.
        reading: how bank, corpus and outputs are read.
        judges: by role; the one for None plays every role that has none of its own but abstention, which phrases decide
            unless a judge is named for just that.
        metrics: those that were asked for; empty for all that the judges allow.
        cuts: depths of the ranked figures; the first is the wide one, the last that of a context.
        phrases: what a system says when it abstains, beside the usual phrases.
        only_phrases: whether these are the only ones.
        per_claim: whether each claim is verified in a call of its own.
        context_unit: what context relevancy is judged by.
        embedder: whose embeddings compare questions that were written back; None for the lexical one, or that of the
            judge.
        sample: questions to evaluate, drawn by strata; None for all.
        by: a column of the bank whose values are strata too.
        reviewed_only: whether drafted questions that nobody has reviewed are left out.
        max_unscored: share of a judge's verdicts, and of a variant's outputs, that may be missing.
        seed: of sample, intervals and tests.
        budget: US dollars that the judges may cost; None for no limit.
        concurrency: calls in flight at most; None takes what is declared for the model.
        fresh: whether judges and live systems are asked again instead of replaying what is stored.
    """

    bank: str
    variants: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    reading: RagReading = field(default_factory=RagReading)
    judges: Mapping[Role | None, str] = field(default_factory=dict)
    metrics: tuple[Metric, ...] = ()
    cuts: tuple[int, ...] = CUTS
    phrases: tuple[str, ...] = ()
    only_phrases: bool = False
    per_claim: bool = False
    context_unit: ContextUnit = "chunk"
    embedder: str | None = None
    sample: int | None = None
    by: str | None = None
    reviewed_only: bool = False
    max_unscored: float = 0.05
    seed: int = 0
    budget: float | None = None
    concurrency: int | None = None
    fresh: bool = False

    def __post_init__(self) -> None:
        """Refuse what the command line would refuse, for callers of the Python interface too."""
        if self.seed < 0:
            raise InputError(f"seed {self.seed}: give a number from 0 on", field="seed")
        if not 0 <= self.max_unscored <= 1:
            raise InputError(f"max_unscored {self.max_unscored}: give a share from 0 to 1", field="max_unscored")
        if self.budget is not None and not 0 <= self.budget < math.inf:
            raise InputError(f"budget {self.budget}: give US dollars from 0 on", field="budget")
        if self.concurrency is not None and self.concurrency < 1:
            raise InputError(f"concurrency {self.concurrency}: give at least 1", field="concurrency")
        if self.context_unit not in get_args(ContextUnit):
            raise InputError(f"context_unit {self.context_unit}: give chunk or sentence", field="context_unit")
        if not all(isinstance(each, str) and each.strip() for each in self.phrases):
            raise InputError("an abstain phrase is a text of at least one word", field="abstain_phrase")
        if self.only_phrases and not self.phrases:
            raise InputError(
                "without the usual phrases nothing tells who abstains; give --abstain-phrase",
                field="only_these_phrases",
            )


def read_metrics(given: Sequence[str]) -> tuple[Metric, ...]:
    """Read the names of metrics.

    Raises:
        InputError: there is no such metric.
    """
    unknown = [name for name in given if name not in METRICS]
    if unknown:
        raise InputError(f"--metric {unknown[0]}: give one of {', '.join(METRICS)}", field="--metric")
    return tuple(metric for metric in METRICS if metric in given)


def metrics_for(asked: Sequence[Metric], judges: Mapping[Role | None, str]) -> tuple[Metric, ...]:
    """Return the metrics to compute: those asked for, else all whose judges are named.

    Raises:
        InputError: one was asked for whose judge is not named, or a judge was named that is of no use alone.
    """
    for metric in asked:
        missing = [role for role in _ROLES.get(metric, ()) if role not in judges and None not in judges]
        if missing:
            raise InputError(f"{metric} needs a judge for {missing[0]}; give --judge MODEL, or {missing[0]}=MODEL")
    if "claims" in judges and "claim_support" not in judges and None not in judges:
        raise InputError("no metric uses the judge of claims alone: name claim_support too")
    if asked:
        return tuple(metric for metric in METRICS if metric in asked)
    able = (metric for metric in METRICS if all(role in judges or None in judges for role in _ROLES.get(metric, ())))
    return tuple(metric for metric in able if metric in _WITHOUT_MODEL or judges)


def roles_for(metrics: Sequence[Metric], judges: Mapping[Role | None, str]) -> tuple[Role, ...]:
    """Return the roles that metrics need, in the order in which they are asked.

    Abstention is decided by a rule unless a judge is named for just that.
    """
    needed = dict.fromkeys(role for metric in metrics for role in _ROLES.get(metric, ()))
    first: tuple[Role, ...] = ("abstention",) if "abstention" in judges else ()
    last: tuple[Role, ...] = ("claim_support",) if "claim_support" in needed else ()
    return (*first, *(role for role in needed if role not in last), *last)


def judge_notes(
    asked: Sequence[Metric], metrics: Sequence[Metric], judges: Mapping[Role | None, str]
) -> tuple[str, ...]:
    """Say what the named judges do not give: a metric that needs another one too, or anything at all.

    Args:
        asked: the metrics that were asked for.
        metrics: those that are computed.
        judges: by role.
    """
    notes = []
    if not asked and "claim_support" in judges and "claims" not in judges and None not in judges:
        notes.append("no faithfulness: it needs a judge of claims too; claim_support alone gives citation support")
    needed = roles_for(metrics, judges)
    notes += [
        f"the judge of {role} is not asked: none of the metrics needs it"
        for role in judges
        if role is not None and role not in needed
    ]
    return tuple(notes)
