"""Starting a calibration from a prompt that an earlier run has tried."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calibrate.domain import Item, unlike
from calibrate.errors import InputError
from calibrate.workflows.bundles import is_bundle
from calibrate.workflows.preflight import known_replies
from calibrate.workflows.rag_stored import refuse_rag_run
from calibrate.workflows.setup import JudgeOptions, Prepared
from calibrate.workflows.stored import load_run, parse_reference

__all__ = ["Start", "start_from", "without_shown"]


@dataclass(frozen=True, slots=True)
class Start:
    """Where a calibration starts.

    Attributes:
        reference: the candidate, as a user names it.
        judge: the judge, with the candidate's prompt.
        shown: the items that the prompt shows as examples.
        dimension: what it was written for.
    """

    reference: str
    judge: JudgeOptions
    shown: tuple[Item, ...]
    dimension: str


def start_from(reference: str, judge: JudgeOptions, db: str, *, field: str = "--from") -> Start:
    """Return the judge with an earlier prompt: the winner of a run, or one of its candidates.

    Raises:
        InputError: there is no such candidate, it was never judged or rejected, or a prompt was given besides.
    """
    if is_bundle(judge.model):
        raise InputError(f"{judge.model} is a whole judge, with its prompt; leave --from out, or name its model")
    if judge.prompt is not None or judge.prompt_text is not None:
        raise InputError(f"the prompt comes from {field}; leave --prompt out")
    run_id, number = parse_reference(reference)
    with known_replies(db) as store:
        if store is None:
            raise InputError(f"{db} holds no runs yet: there is no run {run_id} to start from", field=field)
        stored = load_run(store, run_id)
    if stored.run.kind == "bias":
        raise InputError(f"run {run_id} probed a judge for leanings: it has no prompt of its own", field=field)
    refuse_rag_run(stored.run, field=field)
    if number is None and stored.winner is None:
        raise InputError(f"run {run_id} has not judged anything yet: there is no prompt to start from", field=field)
    candidate = stored.candidate(stored.winner or 0 if number is None else number)
    if candidate.status == "rejected":
        raise InputError(f"candidate {candidate.number} of run {run_id} was rejected: {candidate.reason}")
    if str(stored.run.spec["judge"]["model"]).startswith(("py:", "exec:")):
        raise InputError(f"the judge of run {run_id} is code: there is no prompt to start from")
    in_steps = bool(stored.run.spec["judge"].get("splitter"))
    if in_steps != (judge.splitter is not None):
        way = "judges claim by claim: name a --splitter too" if in_steps else "gives one verdict: leave --splitter out"
        raise InputError(f"run {run_id} {way}, or start from another prompt", field=field)
    task = stored.run.spec["judge"]["settings"].get("task", "verdict")
    if task != judge.task and not in_steps:
        raise InputError(f"the prompt of run {run_id} is for --task {task}: give --task {task} too", field=field)
    # Those that the run itself started with are in its specification: they are not in its set any more.
    known = [*(Item.from_json(each) for each in stored.run.spec.get("examples", ())), *stored.golden.items]
    by_id = {item.id: item for item in reversed(known)}
    shown = tuple(by_id[name] for name in candidate.shown if name in by_id)
    if candidate.number == 0 and not shown:
        bundle = ((stored.run.result or {}).get("record") or {}).get("bundle") or {}
        shown = tuple(Item.from_json(each) for each in bundle.get("shown", ()))
    name = f"{run_id}:{candidate.number}"
    return Start(name, replace(judge, prompt_text=candidate.prompt), shown, stored.run.dimension)


def without_shown(part: Prepared, start: Start, notes: list[str]) -> Prepared:
    """Return a dimension without the items that the prompt shows: it would be scored on its own examples.

    Raises:
        InputError: the prompt was written for another dimension.
    """
    if part.dimension != start.dimension:
        raise InputError(
            f"candidate {start.reference} judges '{start.dimension}', not '{part.dimension}'; "
            f"use --dimension {start.dimension}"
        )
    if not start.shown:
        return part
    left = unlike(part.golden.items, start.shown)
    left_out = len(part.golden.items) - len(left)
    if left_out:
        notes.append(f"{left_out} items are left out: {start.reference} shows them, or items like them, as examples")
    return replace(part, golden=part.golden.with_items(left), shown=start.shown)
