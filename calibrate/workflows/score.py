"""The alignment of recorded verdicts: judges side by side, dimensions and slices each apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from calibrate.domain import Json, Scored
from calibrate.errors import InputError
from calibrate.golden import Recorded, RecordedOptions, load_recorded
from calibrate.metrics import align
from calibrate.workflows.progress import Progress
from calibrate.workflows.results import JudgeAlignment, Report, Status
from calibrate.workflows.sentences import joined, judge_sentence

__all__ = ["ScoreOptions", "score"]

Invalid = Literal["exclude", "wrong", "category"]


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
    """

    file: str
    recorded: RecordedOptions
    invalid: str = "exclude"
    max_unscored: float = 0.05
    require: float | None = None
    seed: int = 0


def score(options: ScoreOptions, progress: Progress) -> Report:
    """Measure every judge on every dimension and slice.

    Raises:
        InputError: the table or an option cannot be used.
    """
    invalid = next((each for each in get_args(Invalid) if each == options.invalid), None)
    if invalid is None:
        raise InputError(f"'{options.invalid}' is no policy; use exclude, wrong or category", field="--invalid")
    recorded = load_recorded(options.file, options.recorded)
    for message in recorded.messages:
        progress.note(message)
    results = tuple(_results(recorded, options, invalid))
    whole = [each for each in results if each.slice is None]
    status: Status = "ok"
    if any(each.alignment.coverage < 1 - options.max_unscored for each in whole):
        status = "too_many_unscored"
    elif options.require is not None and any((each.alignment.value.value or 0) < options.require for each in whole):
        status = "below_acceptable"
    return Report(
        sentence=joined(judge_sentence(each, options.max_unscored) for each in whole),
        results=results,
        status=status,
        notes=recorded.messages,
        details={"repeats": _repeats(recorded)} if any(run is not None for run in recorded.runs) else {},
    )


def _results(recorded: Recorded, options: ScoreOptions, invalid: Invalid) -> Iterator[JudgeAlignment]:
    for dimension in recorded.scales:
        part = _where(recorded, recorded.dimensions, dimension).labelled()
        for run in dict.fromkeys(part.runs):
            once = _where(part, part.runs, run)
            yield from _judges(once, options, invalid, run, None)
            for column, values in once.slices.items():
                for value in dict.fromkeys(values):
                    piece = _where(once, values, value)
                    yield from _judges(piece, options, invalid, run, f"{column}={value or '(empty)'}")


def _judges(
    recorded: Recorded, options: ScoreOptions, invalid: Invalid, run: str | None, slice_name: str | None
) -> Iterator[JudgeAlignment]:
    """One alignment for each judge on rows of one dimension, run and slice."""
    ((dimension, scale),) = recorded.scales.items()
    human = [label for label in recorded.human if label is not None]
    grouped = any(group is not None for group in recorded.groups)
    groups = [g or i for g, i in zip(recorded.groups, recorded.ids, strict=True)] if grouped else None
    for judge, verdicts in recorded.verdicts.items():
        alignment = align(human, verdicts, scale, invalid=invalid, groups=groups, seed=options.seed)
        name = judge if run is None else f"{judge} (run {run})"
        yield JudgeAlignment(name, dimension, slice_name, alignment)


def _where(recorded: Recorded, values: Sequence[str | None], wanted: str | None) -> Recorded:
    return recorded.select([position for position, value in enumerate(values) if value == wanted])


def _repeats(recorded: Recorded) -> dict[str, Json]:
    """For each judge, over how many items and runs the table repeats it, and the share of items whose verdict flips."""
    found: dict[str, Json] = {}
    for judge, verdicts in recorded.verdicts.items():
        seen: dict[tuple[str, str], list[str]] = {}
        for key, verdict in zip(zip(recorded.dimensions, recorded.ids, strict=True), verdicts, strict=True):
            seen.setdefault(key, []).append(verdict.label if isinstance(verdict, Scored) else f"({verdict.reason})")
        repeated = [labels for labels in seen.values() if len(labels) > 1]
        flips = sum(len(set(labels)) > 1 for labels in repeated)
        found[judge] = {
            "items": len(repeated),
            "runs": len(set(recorded.runs)),
            "flips": flips,
            "flip_rate": flips / len(repeated) if repeated else None,
        }
    return found
