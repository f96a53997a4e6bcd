"""Which probes a judge's verdicts allow, and their wiring: from items and verdicts to the statistics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibrate.domain import GoldenSet, Verdict
from calibrate.errors import InputError
from calibrate.judge import undo_swap
from calibrate.metrics import Probe, by_group, changed_verdicts, leniency, verbosity
from calibrate.workflows.bias_case import Case, answer_inputs, is_own
from calibrate.workflows.harmless_edits import AGAIN, AS_GIVEN, SWAPPED

__all__ = ["ProbeOptions", "probes_of_changes", "probes_of_verdicts"]

_OWN, _OTHERS = "its own answers", "the answers of others"
_OWN_FIRST, _OWN_SECOND = "its own answer first", "its own answer second"
_NO_SIDE = "the scale has no accepting side; name the labels that accept, such as --accept 4,5"


@dataclass(frozen=True, slots=True)
class ProbeOptions:
    """What a set cannot tell by itself.

    Attributes:
        by: columns whose values are to be compared.
        model_columns: the column that tells which model answered (for pairs two, first that of A); found by its usual
            names.
        own: the values of it that are the judge's own; empty for those that read as its name.
        answer: the inputs that are answers; found by their usual names.
        accept: the labels that count as accepting, on ordinal and nominal scales.
    """

    by: tuple[str, ...] = ()
    model_columns: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    accept: tuple[str, ...] = ()


def probes_of_verdicts(case: Case, golden: GoldenSet, judge: str, options: ProbeOptions) -> list[Probe]:
    """Return what stored verdicts show: verbosity, leniency, own answers, columns."""
    if not case.has_sides:
        names = ("verbosity", "leniency", *options.by)
        return [Probe(each, "difference", len(case.items), "not_identifiable", _NO_SIDE) for each in names]
    probes = [_verbosity(case, answer_inputs(golden, options.answer)), _leniency(case)]
    own = _self_preference(case, judge, options)
    if own is not None:
        probes.append(own)
    for column in options.by:
        part, values = case.column(column)
        decided = part.judge_sides != 0
        part = part.only(decided)
        values = [value for value, keep in zip(values, decided, strict=True) if keep]
        verb = "prefers the first answer of" if case.is_pairs else "accepts"
        accepts = part.judge_sides > 0
        probes += by_group(column, accepts, part.human_codes, values, groups=part.groups, verb=verb)
    return probes


def probes_of_changes(
    case: Case, original: Mapping[str, Verdict], verdicts: Mapping[str, Mapping[str, Verdict]], *, noiseless: bool
) -> list[Probe]:
    """Return what became of the verdicts when something changed that must not matter.

    Args:
        case: the original verdicts, with what is known of the items.
        original: the verdicts by item id.
        verdicts: by name of the change, the verdicts by item id.
        noiseless: whether the judge is known to answer the same to the same.
    """
    same = None if AGAIN not in verdicts else case.changes(original, verdicts[AGAIN])
    sides = ("towards A", "towards B") if case.is_pairs else ("to accepting", "to rejecting")
    if case.scale.kind == "ordinal" and not case.has_sides:
        sides = ("upwards", "downwards")
    probes = []
    for name, after in verdicts.items():
        if name in (AGAIN, AS_GIVEN):
            continue
        before, words = original, sides
        if name == SWAPPED:
            after = {key: undo_swap(each, case.scale) for key, each in after.items()}
            # What moved to B when A changed places leaned to the first place.
            before, after = after, verdicts.get(AS_GIVEN, original)
            words = ("towards the first answer", "towards the second answer")
        changes, ids, unscored = case.changes(before, after)
        again = None
        if same is not None:
            flips = dict(zip(same[1], same[0].changed, strict=True))
            kept = np.array([each in flips for each in ids], dtype=bool)
            ids = [each for each in ids if each in flips]
            changes = replace(changes, changed=changes.changed[kept], lean=changes.lean[kept])
            again = np.array([flips[each] for each in ids], dtype=bool)
        changes = replace(changes, again=again, noiseless=noiseless)
        probe_name = "position" if name == SWAPPED else name
        probes.append(changed_verdicts(probe_name, changes, words, groups=case.groups_of(ids), unscored=unscored))
    return probes


def _verbosity(case: Case, inputs: tuple[str, ...]) -> Probe:
    if not inputs:
        why = "no input is known to be the answer; name it with --answer"
        return Probe("verbosity", "odds_ratio", len(case.items), "not_identifiable", why)
    errs = case.judge_sides != case.human_sides
    decided = case.decided()
    return verbosity(
        decided.judge_sides > 0,
        decided.human_codes,
        decided.lengths(inputs),
        errs=errs[case.judge_sides != 0],
        pairs=case.is_pairs,
        groups=decided.groups,
    )


def _leniency(case: Case) -> Probe:
    if not case.is_pairs:
        return leniency(case.judge_sides > 0, case.human_sides > 0, groups=case.groups)
    part = case.only((case.judge_sides != 0) & (case.human_sides != 0))
    side = ("prefers the first answer", "prefers the second answer")
    found = leniency(part.judge_sides > 0, part.human_sides > 0, groups=part.groups, side=side)
    return replace(found, name="first_answer")


def _self_preference(case: Case, judge: str, options: ProbeOptions) -> Probe | None:
    columns = options.model_columns or tuple(case.model_columns())
    wanted = 2 if case.is_pairs else 1
    if not columns:
        return None
    if len(columns) != wanted:
        named = " and ".join(columns)
        if options.model_columns:
            raise InputError(f"{named}: name {wanted} column{'s' if wanted > 1 else ''}", field="--model-column")
        why = f"columns {named} could tell which model answered; decide with --model-column"
        return Probe("self_preference", "difference", len(case.items), "not_identifiable", why)

    def own(value: str) -> bool:
        return value in options.own if options.own else is_own(value, judge)

    part, values = case.column(columns[0], most=None)
    if case.is_pairs:
        return _own_of_pairs(part, columns[1], values, own)
    if not any(map(own, values)):
        found = ", ".join(dict.fromkeys(values))
        why = f"no answer is by {judge}; column {columns[0]} has {found}; name its own with --own"
        return Probe("self_preference", "difference", len(values), "not_identifiable", why)
    sorted_ = [_OWN if own(value) else _OTHERS for value in values]
    probe = by_group("self_preference", part.judge_sides > 0, part.human_codes, sorted_, of=[_OWN], groups=part.groups)[
        0
    ]
    return replace(probe, value=None)


def _own_of_pairs(part: Case, second: str, first_models: Sequence[str], own: Callable[[str], bool]) -> Probe:
    """Compare pairs in which the judge's own answer stands first with pairs in which it stands second."""
    second_models = [item.attributes.get(second, "").strip() for item in part.items]
    first_own = np.array([own(each) for each in first_models], dtype=bool)
    second_own = np.array([own(each) for each in second_models], dtype=bool)
    kept = (first_own != second_own) & (part.judge_sides != 0)
    part = part.only(kept)
    values = [_OWN_FIRST if mine else _OWN_SECOND for mine in first_own[kept]]
    accepts = part.judge_sides > 0
    probe = by_group("self_preference", accepts, part.human_codes, values, of=[_OWN_FIRST], groups=part.groups)[0]
    if probe.conclusion != "biased":
        return replace(probe, value=None)
    more = "more" if (probe.effect or 0.0) > 0 else "less"
    reason = f"at the same human label the judge prefers its own answer {more} often than the other"
    return replace(probe, value=None, reason=reason)
