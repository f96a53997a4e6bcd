"""What judge and experts see differently, written as a table that experts fill in."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibrate.domain import Json, Scored
from calibrate.errors import InputError
from calibrate.golden import CARD_NAME, builtin_sets, refuse_overwriting, write_csv, write_json_lines
from calibrate.optimizer import Misjudged, misjudged
from calibrate.store import Store
from calibrate.workflows.calibrated import calibration_in_words
from calibrate.workflows.export import files_in_use, sources_of
from calibrate.workflows.results import document
from calibrate.workflows.stored import choose, load_run, parse_reference

__all__ = ["Written", "write_disagreements"]


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written.

    Attributes:
        sentence: what it holds and what to do with it.
        path: the file.
        rows: its number of rows.
        notes: what else is to be known.
    """

    sentence: str
    path: str
    rows: int
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        return document("ok", sentence=self.sentence, path=self.path, rows=self.rows, notes=list(self.notes))


def write_disagreements(db: str, reference: str, output: Path, *, overwrite: bool = False) -> Written:
    """Write the misjudged items of a run's winner, or of one candidate.

    Columns: id, dimension, every input, label (the experts'), judge_label, judge_reasoning, expert_note, and the empty
    columns ``label_new`` and ``note``.

    Raises:
        InputError: there is no such candidate, the file's name ends neither in .csv nor in .jsonl, or the file exists
            and is not to be overwritten (the run database and the golden set's table never are).
    """
    if output.suffix not in (".csv", ".jsonl"):
        raise InputError("name a .csv or .jsonl file", file=str(output), field="--output")
    run_id, number = parse_reference(reference)
    with Store(db, create=False) as store:
        chosen = choose(store, load_run(store, run_id), number)
        refuse_overwriting(output, overwrite=overwrite, never=files_in_use(store, chosen.stored.run))
        sources = sources_of(store, chosen.stored.run)
    golden = chosen.golden
    scale = golden.scales[chosen.stored.run.dimension]
    errors = misjudged(golden.labelled, chosen.verdicts, scale)
    names = tuple(dict.fromkeys(name for error in errors for name in error.item.inputs))
    columns = ("id", "dimension", *names, "label", "judge_label", "judge_reasoning", "expert_note", "label_new", "note")
    rows = [_row(error) for error in errors]
    if output.suffix == ".csv":
        write_csv(output, columns, rows)
    else:
        write_json_lines(output, [{name: row.get(name, "") for name in columns} for row in rows])
    who = "The simulated judge and the experts" if chosen.stored.simulated else "Judge and experts"
    sentence = (
        f"{who} differ on {len(rows)} of {len(golden.labelled)} items; fill in label_new (and note) in "
        f"{output} where the experts have changed their mind, then: "
        f"calibrate golden merge {_set_of(sources)} {shlex.quote(str(output))}"
    )
    notes: tuple[str, ...] = ()
    if chosen.result.calibrated is not None and chosen.result.calibrated.run is None:
        judge, dimension = chosen.result.judge, chosen.stored.run.dimension
        notes = (f"{calibration_in_words(chosen.result.calibrated, dimension, judge=judge)}.",)
    return Written(sentence, str(output), len(rows), notes)


def _set_of(sources: Sequence[Path]) -> str:
    """Return what a user calls the set of a table: SET where that is not known, or comes with the package."""
    table = next((each for each in sources if each.is_file()), None)
    if table is None:
        return "SET"
    shipped = any(table.resolve().is_relative_to(folder.resolve()) for folder in builtin_sets().values())
    if shipped:
        return "SET"
    found = table.parent if (table.parent / CARD_NAME).is_file() else table
    here = Path.cwd()
    return shlex.quote(str(found.relative_to(here) if found.is_relative_to(here) else found))


def _row(error: Misjudged) -> Mapping[str, Json]:
    item, verdict = error.item, error.verdict
    if isinstance(verdict, Scored):
        judge_label, judge_reasoning = verdict.label, verdict.reasoning
    else:
        judge_label, judge_reasoning = f"({verdict.reason})", verdict.detail
    inputs: dict[str, Json] = {k: v if isinstance(v, str) else list(v) for k, v in item.inputs.items()}
    return {
        "id": item.id,
        "dimension": item.dimension,
        **inputs,
        "label": item.label,
        "judge_label": judge_label,
        "judge_reasoning": judge_reasoning,
        "expert_note": item.note,
        "label_new": "",
        "note": "",
    }
