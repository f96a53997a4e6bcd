"""The result of a calibration: before, after, and how it got there, as a view of what was recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibrate.domain import Json
from calibrate.metrics import Comparison
from calibrate.optimizer import Objective
from calibrate.store import Store
from calibrate.workflows.answers import answers_of
from calibrate.workflows.evidence import Evidence
from calibrate.workflows.front import FrontPoint, front_of
from calibrate.workflows.patterns import PatternTrace, patterns_of, traces
from calibrate.workflows.ranking import alignment_of, objective_of
from calibrate.workflows.record import spent
from calibrate.workflows.results import Status, document, frame, too_many_unscored
from calibrate.workflows.sentences import Search, calibration_sentence
from calibrate.workflows.stored import Chosen, StoredRun, choose, compare_chosen, load_run, misses_constraint
from calibrate.workflows.versions import other_version

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Calibration", "Calibrations", "calibration"]


@dataclass(frozen=True, slots=True)
class Calibration:
    """One calibration.

    Attributes:
        stored: the run with all candidates.
        baseline: the prompt it started from.
        winner: the best prompt so far.
        comparison: winner against baseline on the same items, paired; None when the winner is the baseline.
        evidence: what was measured beside the search: chance, noise, unseen items.
        patterns: the failure patterns found, each at the baseline and at the winner.
        sentence: what may be said about it.
        status: ``ok`` or the threshold that was missed.
    """

    stored: StoredRun
    baseline: Chosen
    winner: Chosen
    comparison: Comparison | None
    evidence: Evidence
    patterns: tuple[PatternTrace, ...]
    sentence: str
    status: Status

    @property
    def run_id(self) -> int:
        """The number that users type."""
        return self.stored.run.id

    @property
    def prompt(self) -> str:
        """The winning prompt."""
        return self.winner.candidate.prompt

    @property
    def stopped(self) -> str:
        """Why it ended, or the run's status while it has not."""
        return str((self.stored.run.result or {}).get("stopped", self.stored.run.status))

    @property
    def simulated(self) -> bool:
        """Whether a simulated model had a part in it."""
        return self.stored.simulated

    @property
    def objective(self) -> str:
        """What candidates were ranked by."""
        return objective_of(self.stored.run)

    @property
    def better_before(self) -> str:
        """An earlier prompt that scored higher with the same judge on the same items; empty when there is none."""
        return str((self.stored.run.result or {}).get("better_before", ""))

    @property
    def front(self) -> tuple[FrontPoint, ...]:
        """The front of alignment against cost per verdict, where that was the objective; else empty."""
        if self.objective != "pareto":
            return ()
        return front_of(self.stored.candidates, self.stored.judged)

    @property
    def acceptable(self) -> float:
        """The threshold that was set before the run."""
        return float(self.stored.run.spec["acceptable"])

    @property
    def acceptable_met(self) -> bool:
        """Whether the winner reaches it and keeps the constraint; what it shows counts as its parent judged it."""
        return _met(self.winner, self.acceptable)

    def frame(self) -> pd.DataFrame:
        """Return baseline and winner as a frame."""
        return frame([self.baseline.result, self.winner.result])

    def trajectory(self) -> pd.DataFrame:
        """Return one row for each candidate: number, iteration, strategy, parent, status, score, cost, reason."""
        import pandas as pd

        columns = ("number", "iteration", "strategy", "parent", "status", "score", "cost", "reason", "prompt")
        return pd.DataFrame([{name: getattr(each, name) for name in columns} for each in self.stored.candidates])

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document; ``results`` holds the baseline and the winner."""
        return document(self.status, results=self.results_json(), **self.facts_json())

    def results_json(self) -> list[dict[str, Json]]:
        """Return the ``results`` entries of baseline and winner."""
        return [
            {**chosen.result.to_json(), "run": self.run_id, "candidate": chosen.candidate.number, "role": role}
            for role, chosen in (("baseline", self.baseline), ("winner", self.winner))
        ]

    def facts_json(self) -> dict[str, Json]:
        """Return everything of the document but the alignments."""
        run = self.stored.run
        return {
            "sentence": self.sentence,
            "simulated": self.simulated,
            "run": run.id,
            "dimension": run.dimension,
            "stopped": self.stopped,
            "iterations": max(each.iteration for each in self.stored.candidates),
            "acceptable": self.acceptable,
            "acceptable_met": self.acceptable_met,
            "comparison": None if self.comparison is None else self.comparison.to_json(),
            "evidence": self.evidence.to_json(),
            "objective": self.objective,
            "better_before": self.better_before or None,
            "front": [each.to_json() for each in self.front],
            "patterns": [each.to_json() for each in self.patterns],
            "spent": spent(self.stored.spending),
            "winner": {"number": self.winner.candidate.number, "prompt": self.prompt},
            "candidates": [
                {
                    "number": each.number,
                    "iteration": each.iteration,
                    "strategy": each.strategy,
                    "parent": each.parent,
                    "partner": each.partner,
                    "shown": list(each.shown),
                    "status": each.status,
                    "reason": each.reason,
                    "score": each.score,
                    "cost": each.cost,
                }
                for each in self.stored.candidates
            ],
        }


@dataclass(frozen=True, slots=True)
class Calibrations:
    """The calibrations of a set, one for each dimension."""

    each: tuple[Calibration, ...]

    @property
    def sentence(self) -> str:
        """What may be said, of each dimension by its name where there are several."""
        if len(self.each) == 1:
            return self.each[0].sentence
        return " ".join(f"{one.stored.run.dimension.capitalize()}: {one.sentence}" for one in self.each)

    @property
    def status(self) -> Status:
        """``ok``, or the first threshold that was missed."""
        return next((one.status for one in self.each if one.status != "ok"), "ok")

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document: all alignments in ``results``, the rest under ``calibrations``."""
        return document(
            self.status,
            results=[result for one in self.each for result in one.results_json()],
            sentence=self.sentence,
            calibrations=[one.facts_json() for one in self.each],
        )


def calibration(
    store: Store, run_id: int, *, max_unscored: float = 0.05, require: bool = False, annotators: str = "experts"
) -> Calibration:
    """Read a calibration back.

    Args:
        store: the run database.
        run_id: the run.
        max_unscored: share of unscored verdicts above which the winner is not called usable.
        require: whether missing the acceptable alignment counts as a failure.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.

    Raises:
        InputError: there is no such run, or it has not judged anything yet.
    """
    stored = load_run(store, run_id)
    winner = choose(store, stored, None, annotators)
    baseline = choose(store, stored, 0, annotators, without=winner.candidate.shown)
    same = winner.candidate.number == baseline.candidate.number
    comparison = None if same else compare_chosen(baseline, winner)
    evidence = Evidence.from_json((stored.run.result or {}).get("evidence"))
    sentence = calibration_sentence(
        baseline.alignment, winner.alignment, comparison, _search(stored), evidence, max_unscored=max_unscored
    )
    sentence = _missed(stored) + sentence + _on_the_rest(winner) + _ranked_by(stored)
    status: Status = "ok"
    if too_many_unscored(winner.alignment, max_unscored):
        status = "too_many_unscored"
    elif require and not _met(winner, float(stored.run.spec["acceptable"])):
        status = "below_acceptable"
    patterns = _patterns(store, baseline, winner)
    return Calibration(stored, baseline, winner, comparison, evidence, patterns, sentence, status)


def _patterns(store: Store, baseline: Chosen, winner: Chosen) -> tuple[PatternTrace, ...]:
    stored = winner.stored
    found, _ = patterns_of(store.iterations(stored.run.id))
    items, scale = stored.golden.labelled, stored.golden.scales[stored.run.dimension]
    answers = {each.candidate.number: answers_of(items, each.verdicts, scale) for each in (baseline, winner)}
    return traces(found, answers, list(answers))


def _on_the_rest(winner: Chosen) -> str:
    """Say which items a winner that shows examples is not measured on, and its alignment with them."""
    left_out = len(winner.stored.golden.labelled) - len(winner.golden.labelled)
    counted = alignment_of(winner.stored.run, winner.candidate)
    if not left_out or counted is None:
        return ""
    items = (
        "1 item that it shows as an example is"
        if left_out == 1
        else (f"{left_out} items that it shows as examples, or that are like them, are")
    )
    return f" {items} left out; counted as the prompt before it judged, its alignment is {counted:.2f}."


def _ranked_by(stored: StoredRun) -> str:
    """Say what candidates were ranked by and what became of it, unless that is plain alignment."""
    objective = Objective.parse(objective_of(stored.run), scale=stored.golden.scales[stored.run.dimension])
    if objective.is_alignment or stored.winner is None:
        return ""
    before, after = stored.candidate(0).score, stored.candidate(stored.winner).score
    if before is None or after is None:
        return ""
    what = objective.in_words(stored.golden.scales[stored.run.dimension])
    return f" Ranked by {what}: {before:.2f} before, {after:.2f} after."


def _missed(stored: StoredRun) -> str:
    """Say that no prompt met the constraint, where that is so."""
    if not misses_constraint(stored):
        return ""
    bounds = objective_of(stored.run).partition(" subject to ")[2]
    score = stored.candidate(stored.winner or 0).score or 0.0
    return f"No prompt met {bounds}: the best one misses it by {-score:.2f}. "


def _search(stored: StoredRun) -> Search:
    rewrites = [each for each in stored.candidates if each.number]
    rejected = tuple(each.reason for each in rewrites if each.status == "rejected")
    ended, version = stored.run.status == "done", other_version(stored.run)
    return Search(len(rewrites) - len(rejected), rejected, ended, version)


def _met(winner: Chosen, acceptable: float) -> bool:
    candidate = winner.candidate
    if misses_constraint(winner.stored):
        return False
    value = alignment_of(winner.stored.run, candidate) if candidate.shown else winner.alignment.alignment.value
    return value is not None and value >= acceptable
