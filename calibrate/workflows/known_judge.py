"""Everything that is on record of one judge: figures, checklist, evidence, failure patterns, and probes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibrate.domain import canonical_json, digest
from calibrate.errors import InputError
from calibrate.metrics import Probe
from calibrate.store import RunRecord, Store
from calibrate.workflows.answers import answers_of
from calibrate.workflows.checklist import Fact, checklist
from calibrate.workflows.evidence import Evidence
from calibrate.workflows.patterns import PatternTrace, patterns_of, traces
from calibrate.workflows.returned import is_floating_alias
from calibrate.workflows.stored import Chosen, choose, load_run, parse_reference

__all__ = ["KnownJudge", "known_judge"]


@dataclass(frozen=True, slots=True)
class KnownJudge:
    """A judge, and everything that is on record of it.

    Attributes:
        chosen: the judge, measured.
        facts: the checklist by key.
        evidence: what was measured beside the search; empty for other candidates than the winner of a calibration.
        patterns: the failure patterns of its run, each with its errors at this candidate.
        no_patterns: why there are none, where that is on record.
        bias: the latest finished run that probed it for leanings; None when it was not probed.
    """

    chosen: Chosen
    facts: Mapping[str, Fact]
    evidence: Evidence
    patterns: tuple[PatternTrace, ...]
    no_patterns: str
    bias: RunRecord | None

    @property
    def record(self) -> Mapping[str, Any]:
        """What the run recorded when it ended; empty while it has not."""
        return (self.chosen.stored.run.result or {}).get("record") or {}

    @property
    def probes(self) -> tuple[Probe, ...] | None:
        """What probing has found; None when it was not probed."""
        if self.bias is None:
            return None
        return tuple(Probe.from_json(each) for each in (self.bias.result or {}).get("probes", ()))

    @property
    def code(self) -> bool:
        """Whether it is code and has no prompt."""
        return bool(self.chosen.stored.run.spec["judge"]["settings"].get("code"))

    @property
    def floating(self) -> bool:
        """Whether its model's name may stand for another model tomorrow."""
        return is_floating_alias(str(self.chosen.stored.run.spec["judge"]["model"]))


def known_judge(store: Store, reference: str) -> KnownJudge:
    """Return everything that is on record of a run's winner, or of one of its candidates.

    Args:
        store: the run database.
        reference: ``RUN`` or ``RUN:CANDIDATE``.

    Raises:
        InputError: there is no such judged candidate, or the run holds probes of another run's judge.
    """
    run_id, number = parse_reference(reference)
    stored = load_run(store, run_id)
    if stored.run.kind == "bias":
        of = stored.run.spec["of"]
        raise InputError(f"run {run_id} holds probes of another run's judge; `calibrate card {of}` is its card")
    chosen = choose(store, stored, number)
    candidate = chosen.candidate
    assert candidate.evaluation is not None
    facts = checklist(chosen, store.returned_models(candidate.evaluation))
    # The tests compare the winner with the first prompt; of other candidates they say nothing.
    tested = candidate.number == stored.winner and stored.run.kind == "optimize"
    evidence = Evidence.from_json((stored.run.result or {}).get("evidence")) if tested else Evidence()
    patterns, why_not = patterns_of(store.iterations(run_id))
    scale = stored.golden.scales[stored.run.dimension]
    answers = {candidate.number: answers_of(stored.golden.labelled, chosen.verdicts, scale)}
    return KnownJudge(
        chosen,
        {each.key: each for each in facts},
        evidence,
        traces(patterns, answers, [candidate.number]),
        why_not,
        _bias_run(store, chosen),
    )


def _bias_run(store: Store, chosen: Chosen) -> RunRecord | None:
    """Return the latest finished run of probes of this judge: its prompt, model and settings."""
    run, prompt = chosen.stored.run, digest(chosen.candidate.prompt)
    judge = canonical_json(run.spec["judge"])
    for each in reversed(store.runs()):
        same = each.dimension == run.dimension and each.spec.get("prompt") == prompt
        if each.kind == "bias" and each.status == "done" and same and canonical_json(each.spec["judge"]) == judge:
            return each
    return None
