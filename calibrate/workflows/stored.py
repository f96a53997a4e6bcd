"""Reading runs back: the result of a run is always a view of what was recorded."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from calibrate.domain import GoldenSet, Verdict
from calibrate.errors import InputError
from calibrate.metrics import Alignment, Comparison, compare
from calibrate.store import CandidateRecord, RunRecord, Spending, Store
from calibrate.workflows.baseline import measure
from calibrate.workflows.calibrated import calibrated_by
from calibrate.workflows.people import people_of
from calibrate.workflows.rag_stored import refuse_rag_run
from calibrate.workflows.ranking import objective_of, rank
from calibrate.workflows.results import JudgeAlignment
from calibrate.workflows.splitter import judge_name

__all__ = [
    "Chosen",
    "StoredRun",
    "best_name",
    "choose",
    "compare_chosen",
    "fold_in_words",
    "folds_of",
    "load_run",
    "misses_constraint",
    "parse_reference",
    "slices_of",
]

_REFERENCE = re.compile(r"(\d+)(?::(\d+))?")


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run with its golden set and candidates.

    Attributes:
        run: the run.
        golden: the set as it was, one dimension.
        candidates: all candidates by number.
        spending: what was paid, for the calibrations of its folds too.
        winner: the number of the best candidate, as it was recorded or so far; None when nothing was judged.
        folds: the runs of its cross-fit.
        judged: by evaluation of its candidates, the number of verdicts; what a candidate cost is for all of them.
    """

    run: RunRecord
    golden: GoldenSet
    candidates: tuple[CandidateRecord, ...]
    spending: Spending
    winner: int | None
    folds: tuple[int, ...] = ()
    judged: Mapping[int, int] = field(default_factory=dict)

    @property
    def simulated(self) -> bool:
        """Whether a simulated model had a part in it."""
        judge = self.run.spec["judge"]
        of_roles = (self.run.spec.get("judges") or {}).values()
        others = (self.run.spec.get("optimizer"), judge.get("splitter"), *of_roles)
        models = (judge["model"], *((each or {}).get("model", "") for each in others))
        return any(str(model).startswith("sim:") for model in models)

    def candidate(self, number: int) -> CandidateRecord:
        """Return a candidate by number.

        Raises:
            InputError: there is no such candidate.
        """
        for candidate in self.candidates:
            if candidate.number == number:
                return candidate
        raise InputError(f"run {self.run.id} has no candidate {number}; `calibrate show {self.run.id}` lists them")


@dataclass(frozen=True, slots=True)
class Chosen:
    """One judged candidate of a run, with its verdicts measured again.

    Attributes:
        stored: its run.
        candidate: the candidate.
        golden: the items that it is measured on: those of the run, less those that its prompt shows as examples.
        verdicts: by item id.
        result: the alignment.
    """

    stored: StoredRun
    candidate: CandidateRecord
    golden: GoldenSet
    verdicts: Mapping[str, Verdict]
    result: JudgeAlignment

    @property
    def alignment(self) -> Alignment:
        """The alignment suite."""
        return self.result.alignment

    @property
    def reference(self) -> str:
        """How a user names it: ``RUN:CANDIDATE``."""
        return f"{self.stored.run.id}:{self.candidate.number}"


def misses_constraint(stored: StoredRun) -> bool:
    """Whether not even the best prompt of a run keeps the constraint of its objective."""
    if " subject to " not in objective_of(stored.run) or stored.winner is None:
        return False
    score = stored.candidate(stored.winner).score
    return score is not None and score < 0


def parse_reference(text: str) -> tuple[int, int | None]:
    """Read ``RUN`` or ``RUN:CANDIDATE``.

    Raises:
        InputError: it is neither.
    """
    match = _REFERENCE.fullmatch(text.strip())
    if match is None:
        raise InputError(f"'{text}' names no run; use its number, such as 2, or 2:5 for its candidate 5")
    return int(match[1]), None if match[2] is None else int(match[2])


def load_run(store: Store, run_id: int) -> StoredRun:
    """Read a run with everything that belongs to it.

    Raises:
        InputError: there is no such run.
    """
    run = store.run(run_id)
    candidates = store.candidates(run_id)
    spending = store.spending(run_id)
    folds = folds_of(store, run_id)
    for fold in folds:
        spending += store.spending(fold.id)
    golden = store.golden(run.golden_digest)
    winner = _winner(run, candidates)
    judged = store.verdict_counts([each.evaluation for each in candidates if each.evaluation is not None])
    return StoredRun(run, golden, candidates, spending, winner, tuple(each.id for each in folds), judged)


def _winner(run: RunRecord, candidates: Sequence[CandidateRecord]) -> int | None:
    """Return the winner that a finished run recorded; of any other run, the best candidate so far."""
    scored = {each.number: each for each in candidates if each.status == "scored"}
    recorded = (run.result or {}).get("winner")
    if recorded in scored:
        return int(recorded)
    best = max(scored.values(), key=rank, default=None)
    return None if best is None else best.number


def best_name(stored: StoredRun) -> str:
    """Name the best prompt of a run: the winner, or, while the run is not done, the best so far."""
    return "winner" if stored.run.status == "done" else "best so far"


def folds_of(store: Store, run_id: int) -> tuple[RunRecord, ...]:
    """Return the calibrations of a run's cross-fit."""
    return tuple(run for run in store.runs() if (run.spec.get("fold") or {}).get("of") == run_id)


def fold_in_words(run: RunRecord) -> str:
    """Say which part of which cross-fit a run is; empty when it is none."""
    fold = run.spec.get("fold")
    if not fold:
        return ""
    count = f" of {fold['count']}" if "count" in fold else ""
    return f"fold {fold['number']}{count} of run {fold['of']}'s cross-fit: see run {fold['of']}"


def choose(
    store: Store,
    stored: StoredRun,
    number: int | None = None,
    annotators: str = "experts",
    *,
    without: Sequence[str] = (),
) -> Chosen:
    """Return a judged candidate: the one numbered, or the winner.

    Args:
        store: the run database.
        stored: the run.
        number: the candidate; None for the winner.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
        without: further items that it is not to be measured on.

    Raises:
        InputError: it does not exist or was never judged, or not on all items.
    """
    if stored.run.kind == "bias":
        of = stored.run.spec["of"]
        raise InputError(
            f"run {stored.run.id} probed the judge of {of} for bias and has no prompt of its own; name {of}"
        )
    refuse_rag_run(stored.run)
    if number is None and stored.winner is None:
        raise InputError(f"run {stored.run.id} has not judged anything yet; run the same command again to go on")
    candidate = stored.candidate(stored.winner or 0 if number is None else number)
    if candidate.evaluation is None:
        raise InputError(f"candidate {candidate.number} of run {stored.run.id} was not judged: {candidate.reason}")
    if candidate.status == "stopped":
        raise InputError(
            f"candidate {candidate.number} of run {stored.run.id} has no full score: {candidate.reason}; "
            f"see `calibrate explain {stored.run.id}:{candidate.number} --diff`"
        )
    golden = stored.golden.without((*candidate.shown, *without))
    verdicts = store.verdicts(candidate.evaluation)
    alignment = measure(golden, verdicts, seed=int(stored.run.spec.get("seed", 0)))
    judge = JudgeAlignment(
        judge_name(stored.run.spec["judge"]),
        stored.run.dimension,
        None,
        alignment,
        people_of(golden, verdicts, annotators),
        calibrated_by(store, stored.run, candidate),
    )
    return Chosen(stored, candidate, golden, verdicts, judge)


def slices_of(chosen: Chosen, columns: Sequence[str]) -> tuple[JudgeAlignment, ...]:
    """Return the alignment of a candidate on each slice: the items that share a value of a column.

    Raises:
        InputError: no item has such a column.
    """
    stored, found = chosen.stored, []
    known = dict.fromkeys(name for item in stored.golden.items for name in item.attributes)
    for column in columns:
        if column not in known:
            raise InputError(f"no column '{column}' in {stored.golden.name}; it has {', '.join(known) or 'none'}")
        items = chosen.golden.labelled
        for value in dict.fromkeys(item.attributes.get(column) for item in items):
            part = chosen.golden.with_items(item for item in items if item.attributes.get(column) == value)
            alignment = measure(part, chosen.verdicts, seed=int(stored.run.spec.get("seed", 0)))
            name = f"{column}={value or '(empty)'}"
            found.append(JudgeAlignment(chosen.result.judge, stored.run.dimension, name, alignment))
    return tuple(found)


def compare_chosen(first: Chosen, second: Chosen) -> Comparison:
    """Compare two candidates that judged the same set: second minus first, paired."""
    # What one of them shows as an example, neither is compared on.
    golden = first.golden.without(second.candidate.shown)
    seed = int(first.stored.run.spec.get("seed", 0))
    items = golden.labelled
    return compare(
        [item.label for item in items],
        [first.verdicts[item.id] for item in items],
        [second.verdicts[item.id] for item in items],
        golden.scales[first.stored.run.dimension],
        invalid="wrong",
        groups=[item.group for item in items] if any(item.group for item in items) else None,
        seed=seed,
    )
