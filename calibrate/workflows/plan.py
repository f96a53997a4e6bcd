"""How many labels: what more of them would buy, and which items to label next."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from calibrate.domain import GoldenSet, Json
from calibrate.errors import InputError
from calibrate.golden import LoadOptions, load_golden, refuse_overwriting, write_csv, write_json_lines
from calibrate.metrics import interval_half_width, resolvable_difference
from calibrate.store import Store
from calibrate.workflows.baseline import ranking as ranked_alignment
from calibrate.workflows.golden import GoldenCheck, check_golden, class_counts, used_classes
from calibrate.workflows.next_labels import Ranking, Suggestion, opinions, rank_unlabelled
from calibrate.workflows.preflight import known_replies
from calibrate.workflows.results import document
from calibrate.workflows.sentences import counted
from calibrate.workflows.setup import input_names, select_dimensions
from calibrate.workflows.stored import choose, load_run, parse_reference

__all__ = ["DimensionPlan", "PlanOptions", "PlanRow", "Sample", "check_and_plan", "write_sample"]

_ASSUMED = 0.7
_FEWEST_ROWS, _MOST_ROWS = 4, 9
_SUGGESTED = 10


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What to plan for.

    Attributes:
        run: the run (or candidate) whose measured alignment is assumed; None assumes 0.7.
        difference: of the alignments of two judges, to be told apart; above 0.
        by: the column with the slices in which labels may be rare.
        seed: of the random draw.
    """

    run: str | None = None
    difference: float = 0.05
    by: str | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PlanRow:
    """What so many labelled items buy.

    Attributes:
        n: the items, classes in the shares they have now.
        classes: the items of each class that are then to be expected.
        half_width: half the width of the 95 % interval of alignment.
        resolvable: the smallest difference of two judges, paired, that is resolved.
    """

    n: int
    classes: dict[str, int]
    half_width: float
    resolvable: float

    def to_json(self) -> dict[str, Json]:
        """Return the fields as JSON."""
        return {
            "n": self.n,
            "classes": dict(self.classes),
            "half_width": self.half_width,
            "resolvable_difference": self.resolvable,
        }


@dataclass(frozen=True, slots=True)
class DimensionPlan:
    """What more labels of one dimension buy, and where to find them.

    Attributes:
        dimension: its name.
        labelled: labelled items now.
        assumed: the alignment that is assumed.
        assumed_from: the run that measured it, None when it is the usual assumption.
        rows: now, and with twice, four times, ... as many; empty when fewer than two classes have items.
        difference: the wished difference.
        items_for_difference: the items that resolve it; None above ten million, or without rows.
        rarest: the class with fewest labelled items, None without classes.
        ranking: the unlabelled items, the ones to label first at the front.
    """

    dimension: str
    labelled: int
    assumed: float
    assumed_from: str | None
    rows: tuple[PlanRow, ...]
    difference: float
    items_for_difference: int | None
    rarest: str | None
    ranking: Ranking

    @property
    def suggested(self) -> tuple[Suggestion, ...]:
        """The first of the items to label next."""
        return self.ranking.suggestions[:_SUGGESTED]

    def to_json(self) -> dict[str, Json]:
        """Return the entry of the ``plan`` list."""
        return {
            "dimension": self.dimension,
            "labelled": self.labelled,
            "unlabelled": len(self.ranking.suggestions),
            "assumed_alignment": self.assumed,
            "assumed_from": self.assumed_from,
            "rows": [row.to_json() for row in self.rows],
            "difference": self.difference,
            "items_for_difference": self.items_for_difference,
            "rarest_class": self.rarest,
            "label_next": [each.to_json() for each in self.suggested],
            "how": self.ranking.how,
        }


@dataclass(frozen=True, slots=True)
class Sample:
    """A file of items to label.

    Attributes:
        sentence: what it holds and what to do with it.
        path: the file.
        suggestions: its rows, and why each is there.
        how: how they were chosen, by dimension.
    """

    sentence: str
    path: str
    suggestions: tuple[Suggestion, ...]
    how: dict[str, str]

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        items = [each.to_json() for each in self.suggestions]
        return document("ok", sentence=self.sentence, path=self.path, rows=len(items), items=items, how=dict(self.how))


def check_and_plan(
    path: str, load: LoadOptions, dimensions: tuple[str, ...], options: PlanOptions, db: str
) -> GoldenCheck:
    """Check a golden set, and plan its next labels.

    Raises:
        InputError: it cannot be read, has no such dimension or column, or there is no such run.
    """
    if options.difference <= 0:
        raise InputError("a difference to resolve is above 0", field="--difference")
    found = check_golden(path, load, dimensions)
    golden = load_golden(path, load).golden
    chosen = select_dimensions(golden, dimensions)
    with ExitStack() as stack:
        # Without --run a database is looked into if there is one; with it, whatever is wrong with it must be said.
        store = stack.enter_context(known_replies(db) if options.run is None else Store(db, create=False))
        measured = _measured(store, options.run, chosen)
        plans = tuple(_plan(golden.only(name), store, options, measured.get(name)) for name in chosen)
    return replace(found, plan=plans)


def write_sample(
    path: str,
    output: Path,
    load: LoadOptions,
    dimensions: tuple[str, ...],
    options: PlanOptions,
    db: str,
    *,
    number: int = 50,
    overwrite: bool = False,
) -> Sample:
    """Write the items to label next, with the empty columns ``label_new`` and ``note`` that a merge takes in.

    Columns: id, dimension, every input, label_new, note. Why an item was chosen stays out of the file, so that what
    judges said does not sway the people who label it.

    Raises:
        InputError: every item has a label, the file's name ends neither in .csv nor in .jsonl, or the file exists and
            is not to be overwritten (the run database and the golden set's files never are).
    """
    if output.suffix not in (".csv", ".jsonl"):
        raise InputError("name a .csv or .jsonl file", file=str(output), field="--output")
    loaded = load_golden(path, load)
    golden = loaded.golden
    chosen = select_dimensions(golden, dimensions)
    with known_replies(db) as store:
        database = None if store is None else store.file
        beside = [] if database is None else [f"{database}{end}" for end in ("", "-wal", "-shm", "-journal")]
        card = [] if loaded.location.card_path is None else [loaded.location.card_path]
        refuse_overwriting(output, overwrite=overwrite, never=[loaded.source, *card, *beside])
        parts = [golden.only(name) for name in chosen]
        rankings = [rank_unlabelled(part, opinions(store, part), by=options.by, seed=options.seed) for part in parts]
    taken = _in_turn([ranking.suggestions for ranking in rankings], number)
    if not taken:
        raise InputError(
            f"every item has a label ({', '.join(chosen)}): there is nothing to sample", file=loaded.source
        )
    columns = ("id", "dimension", *input_names(golden.with_items(each.item for each in taken)), "label_new", "note")
    rows = [_row(each, columns) for each in taken]
    if output.suffix == ".csv":
        write_csv(output, columns, rows)
    else:
        write_json_lines(output, rows)
    available = sum(len(ranking.suggestions) for ranking in rankings)
    informed = sum(each.score > 0 for each in taken)
    chosen_how = f"{informed} chosen for what is known of them, {len(taken) - informed} drawn at random"
    sentence = (
        f"{output}: {counted(len(taken), 'item')} of {available} without a label ({chosen_how}); fill in label_new "
        f"(and note), then: calibrate golden merge {path} {output}"
    )
    how = {name: ranking.how for name, ranking in zip(chosen, rankings, strict=True)}
    return Sample(sentence, str(output), taken, how)


def _measured(store: Store | None, reference: str | None, dimensions: Sequence[str]) -> dict[str, tuple[str, float]]:
    """Return, for the dimension of a run, what names the judge and its alignment."""
    if reference is None:
        return {}
    run_id, number = parse_reference(reference)
    assert store is not None
    found = choose(store, load_run(store, run_id), number)
    dimension = found.stored.run.dimension
    if dimension not in dimensions:
        raise InputError(f"run {run_id} judged {dimension}, not {', '.join(dimensions)}", field="--run")
    alignment = ranked_alignment(found.alignment)
    if alignment is None:
        raise InputError(f"the alignment of {found.reference} is undefined; leave --run out", field="--run")
    return {dimension: (found.reference, alignment)}


def _plan(
    golden: GoldenSet, store: Store | None, options: PlanOptions, measured: tuple[str, float] | None
) -> DimensionPlan:
    (dimension,) = golden.dimensions
    scale, labelled = golden.scales[dimension], len(golden.labelled)
    assumed_from, assumed = measured or (None, _ASSUMED)
    classes = class_counts(golden, scale)
    present = {label: count for label, count in classes.items() if count}
    rows: list[PlanRow] = []
    needed = None
    used = used_classes(classes, scale)
    if used is not None:
        shares, used_scale = used
        first = resolvable_difference(labelled, shares, used_scale, assumed=assumed, wished=options.difference)
        needed, n = first.items_for_wished, labelled
        while len(rows) < _FEWEST_ROWS or (len(rows) < _MOST_ROWS and needed is not None and rows[-1].n < needed):
            rows.append(
                PlanRow(
                    n,
                    {label: round(count / labelled * n) for label, count in present.items()},
                    interval_half_width(n, shares, used_scale, assumed=assumed),
                    resolvable_difference(n, shares, used_scale, assumed=assumed).half_width,
                )
            )
            n *= 2
    return DimensionPlan(
        dimension=dimension,
        labelled=labelled,
        assumed=assumed,
        assumed_from=assumed_from,
        rows=tuple(rows),
        difference=options.difference,
        items_for_difference=needed,
        rarest=min(classes, key=lambda label: classes[label], default=None),
        ranking=rank_unlabelled(golden, opinions(store, golden), by=options.by, seed=options.seed),
    )


def _in_turn(rankings: Sequence[Sequence[Suggestion]], number: int) -> tuple[Suggestion, ...]:
    """Take the first of each dimension, then the second of each, and so on."""
    longest = max((len(each) for each in rankings), default=0)
    turns = (each[place] for place in range(longest) for each in rankings if place < len(each))
    return tuple(suggestion for suggestion, _ in zip(turns, range(number), strict=False))


def _row(suggestion: Suggestion, columns: Sequence[str]) -> dict[str, Json]:
    item = suggestion.item
    inputs: dict[str, Json] = {k: v if isinstance(v, str) else list(v) for k, v in item.inputs.items()}
    row: dict[str, Json] = {"id": item.id, "dimension": item.dimension, **inputs}
    return {name: row.get(name, "") for name in columns}
