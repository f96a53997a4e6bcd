"""The alignment of recorded verdicts: judges side by side, dimensions and slices each apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from calibrate.errors import InputError
from calibrate.golden import Recorded, RecordedOptions, load_recorded
from calibrate.metrics import Family, align, family
from calibrate.workflows.noise_report import JudgeNoise, measure_noise
from calibrate.workflows.people import measure_people, read_annotators
from calibrate.workflows.progress import Progress
from calibrate.workflows.results import JudgeAlignment, Report, Status, too_many_unscored
from calibrate.workflows.sentences import judges_sentence

__all__ = ["POOLED", "ScoreOptions", "score"]

POOLED = "all dimensions"
"""The name under which the rows of all dimensions are measured together, beside each of them."""

Invalid = Literal["exclude", "wrong", "category"]

_MOST_COMPARED = 12  # judges: every pair of more would take long, and hardly any difference would stand out
_MOST_SCORED = 5  # judges on an interval scale, where a pair takes some ten times longer


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """What to measure.

    Attributes:
        file: the table.
        recorded: how it is read.
        invalid: how unscored verdicts count.
        max_unscored: share of unscored verdicts above which a judge is not called usable.
        require: fail when an alignment of a whole dimension is below this.
        seed: of the intervals.
        annotators: what the raters are: ``experts``, ``skilled`` or ``crowd``.
    """

    file: str
    recorded: RecordedOptions
    invalid: str = "exclude"
    max_unscored: float = 0.05
    require: float | None = None
    seed: int = 0
    annotators: str = "experts"


def score(options: ScoreOptions, progress: Progress) -> Report:
    """Measure every judge on every dimension and slice.

    Raises:
        InputError: the table or an option cannot be used.
    """
    invalid = next((each for each in get_args(Invalid) if each == options.invalid), None)
    if invalid is None:
        raise InputError(f"'{options.invalid}' is no policy; use exclude, wrong or category", field="--invalid")
    read_annotators(options.annotators)
    recorded = load_recorded(options.file, options.recorded)
    for message in recorded.messages:
        progress.note(message)
    results = tuple(_results(recorded, options, invalid))
    whole = [each for each in results if each.slice is None]
    missed = () if options.require is None else tuple(_missed(whole, options.require))
    for message in missed:
        progress.note(message)
    status: Status = "ok"
    if any(too_many_unscored(each.alignment, options.max_unscored) for each in whole):
        status = "too_many_unscored"
    elif missed:
        status = "below_acceptable"
    repeats = _repeats(recorded.labelled(), options.seed)
    families = dict(_families(recorded.labelled(), invalid, options.seed))
    return Report(
        sentence=judges_sentence(whole, options.max_unscored, families),
        results=results,
        status=status,
        notes=(*recorded.messages, *missed),
        details={"noise": [each.to_json() for each in repeats]} if repeats else {},
        families=families,
    )


def _missed(results: Sequence[JudgeAlignment], required: float) -> Iterator[str]:
    """Say which alignments are below what is required, or undefined."""
    several = len({each.dimension for each in results}) > 1
    for each in results:
        who = f"{each.judge} on {each.dimension}" if several else each.judge
        found = each.alignment.alignment
        if found.value is None:
            yield f"{who}: alignment is undefined ({found.reason}), which does not meet --require {required:g}"
        elif found.value < required:
            yield f"{who}: alignment {_below(found.value, required)} is below --require {required:g}"


def _below(value: float, required: float) -> str:
    """Write a figure with as many digits as show that it is below another; two at least."""
    return next((shown for digits in range(2, 16) if float(shown := f"{value:.{digits}f}") < required), f"{value}")


def _results(recorded: Recorded, options: ScoreOptions, invalid: Invalid) -> Iterator[JudgeAlignment]:
    """Each dimension apart, each run of it, and each slice; last, all dimensions pooled where there are several."""
    labelled = recorded.labelled()
    for dimension in labelled.scales:
        part = _where(labelled, labelled.dimensions, dimension)
        rated = _where(recorded, recorded.dimensions, dimension)
        for run in dict.fromkeys(part.runs):
            once = _where(part, part.runs, run)
            yield from _judges(once, options, invalid, dimension, run, None, _where(rated, rated.runs, run))
            for column, values in once.slices.items():
                for value in dict.fromkeys(values):
                    piece = _where(once, values, value)
                    yield from _judges(piece, options, invalid, dimension, run, f"{column}={value or '(empty)'}")
    if len(labelled.scales) > 1:
        for run in dict.fromkeys(labelled.runs):
            once = _where(labelled, labelled.runs, run)
            yield from _judges(once, options, invalid, POOLED, run, None, _where(recorded, recorded.runs, run))


def _judges(
    recorded: Recorded,
    options: ScoreOptions,
    invalid: Invalid,
    dimension: str,
    run: str | None,
    slice_name: str | None,
    rated: Recorded | None = None,
) -> Iterator[JudgeAlignment]:
    """One alignment for each judge on these rows; ``rated`` are the raters' rows, unlabelled ones too."""
    scale = next(iter(recorded.scales.values()))  # a table has one scale for all its rows
    for judge in recorded.judges:
        own = recorded.asked_of(judge)
        if recorded.rows and not own.rows:
            continue
        verdicts = own.verdicts[judge]
        alignment = align(
            own.human,
            verdicts,
            scale,
            invalid=invalid,
            groups=_groups(own),
            seed=options.seed,
            max_unscored=options.max_unscored,
        )
        people = None
        if rated is not None:
            people = measure_people(
                rated.ratings, own.ratings, verdicts, scale, gold=recorded.gold, annotators=options.annotators
            )
        name = judge if run is None else f"{judge} (run {run})"
        yield JudgeAlignment(name, dimension, slice_name, alignment, people)


def _families(recorded: Recorded, invalid: Invalid, seed: int) -> Iterator[tuple[str, Family]]:
    """Compare the judges of each dimension and run with each other, where there are several and not very many."""
    for dimension, scale in recorded.scales.items():
        most = _MOST_SCORED if scale.kind == "interval" else _MOST_COMPARED
        if not 1 < len(recorded.verdicts) <= most:
            continue
        part = _where(recorded, recorded.dimensions, dimension)
        for run in dict.fromkeys(part.runs):
            once = _where(part, part.runs, run)
            asked = [judge for judge in once.judges if once.asked_of(judge).rows]
            common = once.asked_of(*asked)
            if len(asked) < 2 or not common.rows:
                continue
            verdicts = {judge: common.verdicts[judge] for judge in asked}
            name = dimension if run is None else f"{dimension} (run {run})"
            yield name, family(common.human, verdicts, scale, groups=_groups(common), seed=seed, invalid=invalid)


def _groups(recorded: Recorded) -> tuple[str | None, ...] | None:
    return recorded.groups if any(group is not None for group in recorded.groups) else None


def _where(recorded: Recorded, values: Sequence[str | None], wanted: str | None) -> Recorded:
    return recorded.select([position for position, value in enumerate(values) if value == wanted])


def _repeats(recorded: Recorded, seed: int) -> tuple[JudgeNoise, ...]:
    """Measure each judge's noise over the items that every run of the table holds."""
    found = []
    for dimension, scale in recorded.scales.items():
        whole = _where(recorded, recorded.dimensions, dimension)
        for judge in whole.judges:
            part = whole.asked_of(judge)
            positions: dict[str | None, dict[str, int]] = {}
            for position, (run, item) in enumerate(zip(part.runs, part.ids, strict=True)):
                positions.setdefault(run, {})[item] = position
            if len(positions) < 2:
                continue
            first, *others = positions.values()
            shared = [item for item in first if all(item in each for each in others)]
            verdicts = part.verdicts[judge]
            repeats = [[verdicts[each[item]] for item in shared] for each in positions.values()]
            human = [part.human[first[item]] for item in shared]
            found.append(measure_noise(judge, dimension, shared, human, repeats, scale, seed=seed))
    return tuple(found)
