"""Evaluating RAG systems: retrieval and answers by variant, with judges whose own alignment is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from calibrate.api.common import names_of, run_to_end, settings_here
from calibrate.errors import InputError
from calibrate.workflows import rag as _rag
from calibrate.workflows.progress import Progress, Quiet
from calibrate.workflows.rag_check import RagCheck, check_rag
from calibrate.workflows.rag_judges import read_judges
from calibrate.workflows.rag_loading import RagReading
from calibrate.workflows.rag_options import CUTS, RagOptions, read_metrics
from calibrate.workflows.rag_report import RagReport

__all__ = ["Judges", "Variants", "arag_run", "rag_check", "rag_run"]

Variants: TypeAlias = str | Path | Sequence[str | Path] | Mapping[str, str | Path]
"""Files of recorded outputs: variants are named by their files, or by the keys of a mapping."""

Judges: TypeAlias = str | int | Path | Mapping[str, str | int | Path]
"""One judge for all roles, or judges by role: models (``provider:name``), bundles, runs of the database."""


async def arag_run(
    bank: str | Path,
    *,
    variants: Variants = (),
    systems: str | Sequence[str] | Mapping[str, str] = (),
    judges: Judges | None = None,
    metrics: str | Sequence[str] = (),
    cuts: int | Sequence[int] = CUTS,
    context_unit: Literal["chunk", "sentence"] = "chunk",
    abstain_phrases: str | Sequence[str] = (),
    only_these_phrases: bool = False,
    per_claim: bool = False,
    embedder: str | None = None,
    sample: int | None = None,
    by: str | None = None,
    max_unscored: float = 0.05,
    budget: float | None = None,
    concurrency: int | None = None,
    fresh: bool = False,
    seed: int = 0,
    db: str | None = None,
    progress: Progress | None = None,
    **reading: Any,
) -> RagReport:
    """Evaluate the variants of a RAG system on a bank of questions, and compare them; what is stored is replayed.

    Args:
        bank: a table, a folder with ``bank.*`` and ``corpus.*``, or a shipped bank.
        variants: recorded outputs; empty for those in the bank's folder.
        systems: live systems, ``NAME=MODULE:FUNCTION``, or by name.
        judges: None for what needs no model only. Roles: ``claims``, ``claim_support``, ``answer_relevancy``,
            ``context_relevancy``, ``correctness``, ``abstention``.
        metrics: which to measure; empty for all that the judges allow.
        cuts: depths of the ranked figures, the wide one first.
        context_unit: what context relevancy is judged by.
        abstain_phrases: what the system says when it abstains, beside the usual phrases.
        only_these_phrases: whether the usual phrases are left out.
        per_claim: whether each claim is verified in a call of its own.
        embedder: whose embeddings answer relevancy compares with; None for the lexical one, or that of the judge.
        sample: questions to evaluate, spread over the strata; None for all.
        by: a column of the bank whose values are strata too.
        max_unscored: share of a judge's verdicts that may be missing.
        budget: US dollars that the judges may cost; None for no limit.
        concurrency: calls in flight at most.
        fresh: whether judges are asked again instead of replaying stored replies.
        seed: of sample, intervals and tests.
        db: the run database.
        progress: told of what happens; None for silence.
        reading: fields of :class:`calibrate.workflows.rag_loading.RagReading`: ``corpus``, ``language``, ``columns``,
            ``context_from_ranked``, ``encoding``, ``delimiter``.

    Raises:
        InputError: bad input; nothing was written.
        ProviderError: a judge failed throughout; what was answered is stored.
        BudgetExceeded: the budget ended; what was answered is stored.
    """
    asked = RagOptions(
        str(bank),
        _variants(variants),
        _systems(systems),
        _reading(reading),
        judges=read_judges(_judges(judges)),
        metrics=read_metrics(names_of(metrics)),
        cuts=(cuts,) if isinstance(cuts, int) else tuple(cuts),
        phrases=names_of(abstain_phrases),
        only_phrases=only_these_phrases,
        per_claim=per_claim,
        context_unit=context_unit,
        embedder=embedder,
        sample=sample,
        by=by,
        max_unscored=max_unscored,
        seed=seed,
        budget=budget,
        concurrency=concurrency,
        fresh=fresh,
    )
    settings = settings_here()
    return await _rag.rag_run(asked, settings, db or settings.database_url, progress or Quiet())


def rag_run(bank: str | Path, **options: Any) -> RagReport:
    """Evaluate the variants of a RAG system on a bank of questions, and compare them; see :func:`arag_run`."""
    return run_to_end(arag_run(bank, **options))


def rag_check(bank: str | Path, *, variants: Variants = (), **reading: Any) -> RagCheck:
    """Check a bank of questions, its corpus, and recorded outputs, before anything is measured.

    Args:
        bank: a table, a folder with ``bank.*`` and ``corpus.*``, or a shipped bank.
        variants: recorded outputs; empty for those in the bank's folder.
        reading: as for :func:`arag_run`.

    Raises:
        InputError: a file cannot be read.
    """
    return check_rag(str(bank), _reading(reading), _variants(variants))


def _variants(given: Variants) -> tuple[str, ...]:
    """Return variants as ``NAME=FILE``, or as files.

    Raises:
        InputError: one of them is no path.
    """
    if isinstance(given, str | Path):
        return (str(given),)
    files = list(given.values()) if isinstance(given, Mapping) else list(given)
    for each in files:
        if not isinstance(each, str | Path):
            raise InputError(
                f"a variant is a file of recorded outputs, not {type(each).__name__}; live functions are named as "
                "systems={'NAME': 'MODULE:FUNCTION'}"
            )
    if isinstance(given, Mapping):
        return tuple(f"{name}={file}" for name, file in given.items())
    return tuple(map(str, files))


def _systems(given: str | Sequence[str] | Mapping[str, str]) -> tuple[str, ...]:
    if isinstance(given, Mapping):
        return tuple(f"{name}={function}" for name, function in given.items())
    return names_of(given)


def _judges(given: Judges | None) -> tuple[str, ...]:
    if given is None:
        return ()
    if isinstance(given, Mapping):
        return tuple(f"{role}={judge}" for role, judge in given.items())
    return (str(given),)


def _reading(options: Mapping[str, Any]) -> RagReading:
    """Return how the tables are read.

    Raises:
        InputError: there is no such option.
    """
    known = RagReading.__dataclass_fields__
    unknown = [name for name in options if name not in known]
    if unknown:
        raise InputError(f"there is no option '{unknown[0]}'; reading takes {', '.join(known)}")
    corpus = options.get("corpus")
    return RagReading(**{**options, "corpus": None if corpus is None else Path(corpus)})
