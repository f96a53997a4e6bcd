"""How a calibration's winner came about: its edits, what they did to failure patterns, and what else was tried."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.store import CandidateRecord, Store
from calibrate.workflows.answers import NO_ANSWERS, Change, answers_of
from calibrate.workflows.lineage import Edit, describe_edit, edits_to, side_edits
from calibrate.workflows.patterns import PatternTrace, patterns_of, traces
from calibrate.workflows.rag_stored import refuse_rag_run
from calibrate.workflows.ranking import objective_of
from calibrate.workflows.results import document
from calibrate.workflows.sentences import counted
from calibrate.workflows.stored import StoredRun, load_run, misses_constraint, parse_reference
from calibrate.workflows.yields import InVain, StrategyYield, in_vain, lost_items, never_right, new_bests, yields

__all__ = ["Explanation", "explain", "score_name"]

_KINDS = {"baseline": "a baseline", "noise": "a measurement of noise", "bias": "a search for bias"}
_LONGEST_NAME = 24


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a candidate of a calibration came about, by default its winner.

    Attributes:
        sentence: what a manager can quote.
        stored: the run.
        candidate: the candidate that is explained.
        edits: the rewrites that led to it, by way of first parents, the first one first; none for the baseline.
        side_edits: the rewrites that led to what its merges brought in, as far as they are not among ``edits``.
        change: what happened to the items between the baseline and it.
        patterns: the failure patterns, each at the baseline and at every candidate on the way to this one.
        no_patterns: why no patterns were found; empty when there are some or when that is not on record.
        in_vain: the rewrites that the winner does not come from, by strategy.
        never_right: items that no candidate got right.
        lost: items that the baseline alone got right and that the candidate gets wrong.
        yields: what each strategy brought.
    """

    sentence: str
    stored: StoredRun
    candidate: CandidateRecord
    edits: tuple[Edit, ...]
    side_edits: tuple[Edit, ...]
    change: Change
    patterns: tuple[PatternTrace, ...]
    no_patterns: str
    in_vain: tuple[InVain, ...]
    never_right: tuple[str, ...]
    lost: tuple[str, ...]
    yields: tuple[StrategyYield, ...]

    @property
    def objective(self) -> str:
        """What candidates were ranked by, as it was asked for."""
        return objective_of(self.stored.run)

    @property
    def simulated(self) -> bool:
        """Whether a simulated model had a part in it."""
        return self.stored.simulated

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        run, bests = self.stored.run, {each.number for each in new_bests(self.stored.candidates)}
        return document(
            "ok",
            sentence=self.sentence,
            simulated=self.simulated,
            run=run.id,
            run_status=run.status,
            dimension=run.dimension,
            golden_digest=run.golden_digest,
            objective=self.objective,
            policy=run.spec.get("policy"),
            candidate=self.candidate.number,
            winner=self.stored.winner,
            lineage=[each.to_json() for each in self.edits],
            side_lineage=[each.to_json() for each in self.side_edits],
            change=self.change.to_json(),
            patterns=[each.to_json() for each in self.patterns],
            no_patterns=self.no_patterns,
            in_vain=[each.to_json() for each in self.in_vain],
            never_right=list(self.never_right),
            lost=list(self.lost),
            strategies=[each.to_json() for each in self.yields],
            trajectory=[
                {
                    "candidate": each.number,
                    "iteration": each.iteration,
                    "strategy": each.strategy,
                    "parent": each.parent,
                    "partner": each.partner,
                    "status": each.status,
                    "score": each.score,
                    "new_best": each.number in bests,
                }
                for each in self.stored.candidates
            ],
        )


def explain(db: str, reference: str) -> Explanation:
    """Tell how a calibration's winner, or one of its candidates, came about.

    Args:
        db: the run database.
        reference: ``RUN`` or ``RUN:CANDIDATE``; a run that is not finished is explained as far as it is.

    Raises:
        InputError: there is no such run or candidate, it was not judged, or the run is no calibration.
    """
    run_id, number = parse_reference(reference)
    with Store(db, create=False) as store:
        stored = load_run(store, run_id)
        candidate = _explained(stored, number)
        items, scale = stored.golden.labelled, stored.golden.scales[stored.run.dimension]
        answers = {
            each.number: NO_ANSWERS
            if each.evaluation is None
            else answers_of(items, store.verdicts(each.evaluation), scale)
            for each in stored.candidates
        }
        patterns, no_patterns = patterns_of(store.iterations(run_id))
    by_number = {each.number: each for each in stored.candidates}
    line = edits_to(candidate.number, by_number)
    edits, sides = (
        tuple(describe_edit(each, by_number, answers, items, patterns, run_id) for each in numbers)
        for numbers in (line, side_edits(line, by_number))
    )
    winning = edits_to(stored.winner or 0, by_number)
    tried_in_vain = in_vain(stored.candidates, {*winning, *side_edits(winning, by_number)})
    change = Change.between(items, answers[0], answers[candidate.number])
    return Explanation(
        sentence=_sentence(stored, candidate, edits, sides, change, tried_in_vain),
        stored=stored,
        candidate=candidate,
        edits=edits,
        side_edits=sides,
        change=change,
        patterns=traces(patterns, answers, [0, *line]),
        no_patterns=no_patterns,
        in_vain=tried_in_vain,
        never_right=never_right(items, answers),
        lost=lost_items(items, answers, candidate.number),
        yields=yields(stored.candidates),
    )


def score_name(objective: str) -> str:
    """Return what to call a score beside its figure: the objective itself where it is short."""
    if objective == "pareto":
        return "alignment"
    return objective if len(objective) <= _LONGEST_NAME else "score"


def _explained(stored: StoredRun, number: int | None) -> CandidateRecord:
    run = stored.run
    refuse_rag_run(run)
    if run.kind != "optimize":
        raise InputError(
            f"run {run.id} is {_KINDS.get(run.kind, run.kind)}, no calibration: no winner to explain; "
            f"`calibrate show {run.id}` shows it"
        )
    if stored.winner is None:
        raise InputError(f"run {run.id} has not judged anything yet; run the same command again to go on")
    candidate = stored.candidate(stored.winner if number is None else number)
    if candidate.evaluation is None:
        raise InputError(f"candidate {candidate.number} of run {run.id} was not judged: {candidate.reason}")
    return candidate


def _sentence(
    stored: StoredRun,
    candidate: CandidateRecord,
    edits: Collection[Edit],
    sides: Collection[Edit],
    change: Change,
    vain: Sequence[InVain],
) -> str:
    run, winner = stored.run, stored.candidate(stored.winner or 0)
    name = score_name(objective_of(run))
    done = run.status == "done"
    start = "" if done else "Unfinished: "
    if misses_constraint(stored):
        start += "no prompt met the constraint; "
    called = f"run {run.id}'s winner" if done else f"run {run.id}'s best prompt so far"
    further = _count(vain, "further rewrite")
    if candidate.number == 0 and winner.number == 0:
        outcome = f"none of {_count(vain, 'rewrite')} did better" if vain else "no rewrite was tried"
        text = f"{called} is the prompt that it started from ({name} {_figure(winner)}): {outcome}."
        return start + _capital(text, start)
    if candidate.number != winner.number:
        who, where = f"candidate {candidate.number} of run {run.id}", f"{name} {_figure(candidate)}"
        end = f"; {'the winner' if done else 'the best so far'} is candidate {winner.number} ({_figure(winner)})."
    else:
        who, where = called, f"candidate {candidate.number}, {name} {_figure(candidate)}"
        end = f"; {further} did not help." if further else "; no other rewrite was tried."
    if not edits:
        return start + _capital(f"{who} ({where}) is the prompt that it started from{end}", start)
    merged = f" ({len(sides)} of them in what was merged in)" if sides else ""
    left_out = f" ({counted(len(change.left_out), 'item')} not compared)" if change.left_out else ""
    return start + _capital(
        f"{who} ({where}) came from the baseline ({_figure(stored.candidate(0))}) in "
        f"{counted(len(edits) + len(sides), 'edit')}{merged}, which fixed {_items(len(change.fixed))} and broke "
        f"{len(change.broken) or 'none'}{left_out}{end}",
        start,
    )


def _count(vain: Sequence[InVain], noun: str) -> str:
    """Count the rewrites in vain, and say how many of them were not judged to the end; empty when there are none."""
    number, stopped = sum(each.rewrites for each in vain), sum(each.stopped for each in vain)
    rejected = sum(sum(each.rejected.values()) for each in vain)
    parts = [f"{count} {what}" for count, what in ((rejected, "rejected"), (stopped, "stopped early")) if count]
    return (counted(number, noun) + (f" ({', '.join(parts)})" if parts else "")) if number else ""


def _items(number: int) -> str:
    return counted(number, "item") if number else "no item"


def _figure(candidate: CandidateRecord) -> str:
    if candidate.status == "stopped":
        return "unknown, stopped early"
    return "undefined" if candidate.score is None else f"{candidate.score:.2f}"


def _capital(text: str, start: str) -> str:
    return text if start else text[:1].upper() + text[1:]
