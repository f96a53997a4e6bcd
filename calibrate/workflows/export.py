"""The winning prompt, written so that it runs elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.export import Exported, answering, calls_in_words, ending, export, to_be_set
from calibrate.golden import CARD_NAME, refuse_overwriting, write_text
from calibrate.judge import JudgeSettings, Prompt
from calibrate.store import RunRecord, Store
from calibrate.workflows.bundles import is_bundle, load_bundle
from calibrate.workflows.results import document
from calibrate.workflows.runs import describe
from calibrate.workflows.setup import input_names
from calibrate.workflows.stored import Chosen, choose, load_run, parse_reference

__all__ = ["ExportedPrompt", "export_prompt", "files_in_use", "sources_of"]


@dataclass(frozen=True, slots=True)
class ExportedPrompt:
    """A prompt in a format.

    Attributes:
        sentence: what was exported, and the notes.
        format: the format.
        text: the file's content.
        path: where it was written, None when it was not.
        simulated: whether a simulated model had a part in it.
        notes: what has to be known before it is used.
    """

    sentence: str
    format: str
    text: str
    path: str | None
    simulated: bool = False
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        return document(
            "ok",
            sentence=self.sentence,
            simulated=self.simulated,
            notes=list(self.notes),
            format=self.format,
            path=self.path,
            text=self.text,
        )


def export_prompt(db: str, reference: str, to: str, output: Path | None, *, overwrite: bool = False) -> ExportedPrompt:
    """Export the winner of a run, one of its candidates, or the judge of a bundle, for which no run is needed.

    A judge of two steps is no single prompt: of such a run only the text of the verifier's prompt can be had.

    Raises:
        InputError: there is no such candidate, bundle or format, the run's judge has two steps, or the file cannot be
            written, its name has another ending than the format, or it exists and is not to be overwritten (the run
            database and the golden set's table never are).
    """
    _refuse_ending(to, output)
    if is_bundle(reference):
        if output is not None:
            refuse_overwriting(output, overwrite=overwrite, never=(reference,))
        return _written(load_bundle(reference).exported, f"of {reference}", to, output)
    run_id, number = parse_reference(reference)
    with Store(db, create=False) as store:
        chosen = choose(store, load_run(store, run_id), number)
        if output is not None:
            refuse_overwriting(output, overwrite=overwrite, never=files_in_use(store, chosen.stored.run))
        returned = store.returned_models(chosen.candidate.evaluation) if chosen.candidate.evaluation else ()
    stored, run = chosen.stored, chosen.stored.run
    judge = run.spec["judge"]
    splitter = judge.get("splitter")
    if splitter and to != "text":
        raise InputError(
            f"run {run.id} judges claim by claim, and a judge of two steps is exported part by part: calibrate each "
            "with --task split / --task verify and export these"
        )
    names = (*input_names(stored.golden), *(["claim"] if splitter else []))
    exported = Exported(
        name=f"{stored.golden.name}-{run.dimension}",
        dimension=run.dimension,
        prompt=Prompt.parse(chosen.candidate.prompt, names),
        model=str(judge["model"]),
        models_returned=returned,
        scale=stored.golden.scales[run.dimension],
        settings=JudgeSettings(**judge["settings"]),
        inputs=names,
        metrics=chosen.result.to_json(),
        provenance={
            "golden_set": stored.golden.name,
            "golden_digest": run.golden_digest,
            "run": chosen.reference,
            "version": run.version,
            "n": chosen.alignment.n,
            "sentence": describe(db, reference).sentence,
            "simulated": stored.simulated,
            "examples": _examples(chosen),
            "created": run.created,
        },
        answering=answering(judge.get("identity") or {}),
    )
    further = f"It is what the verifier is told of claims; {splitter['model']} splits the answers." if splitter else ""
    return _written(exported, chosen.reference, to, output, further)


def _examples(chosen: Chosen) -> list[Json]:
    """Return the ids of the items that a prompt quotes; a bundle's prompt that was judged keeps those it came with."""
    shown: list[Json] = list(chosen.candidate.shown)
    record = (chosen.stored.run.result or {}).get("record") or {}
    if shown or chosen.candidate.number != 0:
        return shown
    return list((record.get("bundle") or {}).get("examples", ()))


def _written(exported: Exported, name: str, to: str, output: Path | None, further: str = "") -> ExportedPrompt:
    text = export(exported, to)
    if output is not None:
        write_text(output, text)
    where = f", written to {output}" if output is not None else ""
    notes = (*([further] if further else []), *_notes(exported, to))
    sentence = " ".join([f"Prompt {name} as {to}{where}.", *notes])
    simulated = bool(exported.provenance.get("simulated")) or exported.model.startswith("sim:")
    return ExportedPrompt(sentence, to, text, str(output) if output else None, simulated, notes)


def _refuse_ending(to: str, output: Path | None) -> None:
    wanted = ending(to)
    if output is not None and wanted is not None and output.suffix.lower() != wanted:
        what = "a Python module" if wanted == ".py" else "JSON"
        raise InputError(f"--to {to} writes {what}: give it a name that ends in {wanted}", file=str(output))


def _notes(exported: Exported, to: str) -> tuple[str, ...]:
    """Say what the file itself does not say, or what stops it from running."""
    calls = calls_in_words(exported)
    alone = f"{calls} The text alone says nothing of that: ask as often." if calls and to == "text" else ""
    unreal = "" if to in ("text", "json") else to_be_set(exported)
    return tuple(note for note in (alone, unreal) if note)


def files_in_use(store: Store, run: RunRecord) -> tuple[Path, ...]:
    """Return what no output of a run may replace: the database with its log, and the golden set's table and card.

    A run keeps its table's path as it was given; one that is relative may be so to the database's folder, too.
    """
    database = store.file
    beside = () if database is None else tuple(Path(f"{database}{end}") for end in ("", "-wal", "-shm", "-journal"))
    given = sources_of(store, run)
    tables = [*given, *(database.parent / each for each in given if database is not None)]
    cards = [card for each in tables if (card := each.with_name(CARD_NAME)).is_file()]
    return (*beside, *tables, *cards)


def sources_of(store: Store, run: RunRecord) -> tuple[Path, ...]:
    """Return where a run's golden set was read from: as it was given, then the whole path it was first read from."""
    record = (run.result or {}).get("record") or {}
    return tuple(Path(source) for source in (record.get("source"), store.golden_origin(run.golden_digest)[1]) if source)
