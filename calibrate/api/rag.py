"""Evaluating RAG systems: retrieval and answers by variant, with judges whose own alignment is told."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar

from calibrate.api.common import names_of, run_to_end, settings_here
from calibrate.errors import InputError
from calibrate.rag.judged_items import ROLES
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

Judge: TypeAlias = str | int | Path
Judges: TypeAlias = Judge | Sequence[Judge] | Mapping[str | None, Judge]
"""One judge for all roles; several as on the command line (``["sim:reader", "claim_support=12"]``); or judges by role,
where the one for ``""`` or None plays every role without one of its own. A judge is a model (``provider:name``), a
bundle, or a run of the database."""

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def _in_step(work: Callable[Parameters, Coroutine[Any, Any, Result]], name: str) -> Callable[Parameters, Result]:
    """Return a function of the same arguments that waits for the result."""

    @functools.wraps(work)
    def wait(*given: Parameters.args, **options: Parameters.kwargs) -> Result:
        return run_to_end(work(*given, **options))

    wait.__name__ = wait.__qualname__ = name
    return wait


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
    reviewed_only: bool = False,
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
        systems: live systems, ``NAME=MODULE:FUNCTION``, or by name; compared with the recorded outputs.
        judges: None for what needs no model only; one for all roles, several as on the command line (``"sim:reader"``,
            ``"claim_support=12"``), or by role. Roles: ``claims``, ``claim_support``, ``answer_relevancy``,
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
        reviewed_only: whether drafted questions that nobody has reviewed are left out.
        max_unscored: share of a judge's verdicts, and of a variant's outputs, that may be missing.
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
        _reading(reading, arag_run),
        judges=read_judges(_judges(judges)),
        metrics=read_metrics(names_of(metrics)),
        cuts=_cuts(cuts),
        phrases=names_of(abstain_phrases),
        only_phrases=only_these_phrases,
        per_claim=per_claim,
        context_unit=context_unit,
        embedder=embedder,
        sample=sample,
        by=by,
        reviewed_only=reviewed_only,
        max_unscored=max_unscored,
        seed=seed,
        budget=budget,
        concurrency=concurrency,
        fresh=fresh,
    )
    settings = settings_here()
    return await _rag.rag_run(asked, settings, db or settings.database_url, progress or Quiet())


rag_run = _in_step(arag_run, "rag_run")


def rag_check(bank: str | Path, *, variants: Variants = (), **reading: Any) -> RagCheck:
    """Check a bank of questions, its corpus, and recorded outputs, before anything is measured.

    Args:
        bank: a table, a folder with ``bank.*`` and ``corpus.*``, or a shipped bank.
        variants: recorded outputs; empty for those in the bank's folder.
        reading: as for :func:`arag_run`.

    Raises:
        InputError: a file cannot be read.
    """
    return check_rag(str(bank), _reading(reading, rag_check), _variants(variants))


def _variants(given: Variants) -> tuple[str, ...]:
    """Return variants as ``NAME=FILE``, or as files.

    Raises:
        InputError: one of them is no path.
    """
    what = (
        "a variant is a file of recorded outputs, not {}; live functions are named as "
        "systems={{'NAME': 'MODULE:FUNCTION'}}"
    )
    return _named(given, (str, Path), what)


def _systems(given: str | Sequence[str] | Mapping[str, str]) -> tuple[str, ...]:
    return _named(given, (str,), "a live system is named by where it is, systems={{'NAME': 'MODULE:FUNCTION'}}, not {}")


def _judges(given: Judges | None) -> tuple[str, ...]:
    """Return judges as the command line names them.

    Raises:
        InputError: one of them is no judge, or there is no such role.
    """
    if given is None:
        return ()
    what = "a judge is a model ('provider:name'), a bundle, or a run of the database, not {}"
    if not isinstance(given, Mapping):
        return _named(given, (str, int, Path), what)
    unknown = [role for role in given if role and role not in ROLES]
    if unknown:
        raise InputError(f"there is no role '{unknown[0]}'; the roles are {', '.join(ROLES)}", field="judges")
    return _named({role or "": judge for role, judge in given.items()}, (str, int, Path), what)


def _cuts(given: int | Sequence[int]) -> tuple[int, ...]:
    """Return the cuts.

    Raises:
        InputError: one of them is no whole number.
    """
    cuts = tuple(given) if isinstance(given, Sequence) else (given,)
    wrong = [each for each in cuts if not isinstance(each, int) or isinstance(each, bool)]
    if wrong:
        raise InputError(f"a cut is a number of chunks, not {wrong[0]!r}", field="cuts")
    return cuts


def _named(given: object, kinds: tuple[type, ...], what: str) -> tuple[str, ...]:
    """Return one, several, or those of a mapping as ``KEY=VALUE``; without its key where that is empty.

    Raises:
        InputError: one of them is of another kind; ``what`` says which are right, with a place for what it is.
    """
    if isinstance(given, Mapping):
        pairs = list(given.items())
    elif isinstance(given, Sequence) and not isinstance(given, str):
        pairs = [("", each) for each in given]
    else:
        pairs = [("", given)]
    for _, each in pairs:
        if not isinstance(each, kinds) or isinstance(each, bool):
            raise InputError(what.format(type(each).__name__))
    return tuple(f"{name}={each}" if name else str(each) for name, each in pairs)


def _reading(options: Mapping[str, Any], of: Callable[..., Any]) -> RagReading:
    """Return how the tables are read.

    Raises:
        InputError: there is no such option.
    """
    reading = RagReading.__dataclass_fields__
    unknown = next((name for name in options if name not in reading), None)
    if unknown is not None:
        known = [name for name in inspect.signature(of).parameters if name not in ("bank", "reading")] + [*reading]
        near = get_close_matches(unknown, known, 1)
        meant = f", perhaps you mean '{near[0]}'" if near else ""
        raise InputError(f"there is no option '{unknown}'{meant}; the options are {', '.join(known)}")
    corpus = options.get("corpus")
    return RagReading(**{**options, "corpus": None if corpus is None else Path(corpus)})
