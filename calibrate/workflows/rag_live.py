"""Live RAG systems: a Python function that is asked every question of a bank."""

from __future__ import annotations

import asyncio
import functools
import itertools
import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibrate.config import Settings, redact
from calibrate.domain import Json
from calibrate.errors import InputError, ProviderError
from calibrate.golden import Table, read_table, write_json_lines
from calibrate.providers.code_judges import FunctionJudge
from calibrate.rag import Bank, Question, Variant
from calibrate.rag.reading_outputs import read_outputs
from calibrate.rag.returned_outputs import output_row
from calibrate.workflows.progress import Progress
from calibrate.workflows.sentences import counted

__all__ = ["AT_ONCE", "ask_systems"]

AT_ONCE = 8
"""Questions that one system is asked at the same time."""

_OPTION = "--system"


@dataclass(frozen=True, slots=True)
class _System:
    """A function, loaded.

    Attributes:
        name: what its variant is called.
        spec: ``MODULE:FUNCTION``.
        function: calls it.
    """

    name: str
    spec: str
    function: FunctionJudge


@dataclass(slots=True)
class _Asked:
    """What has come of a system so far.

    Attributes:
        rows: the outputs, as recorded ones are written, by the id of the question.
        failures: what the function raised, by the id of the question.
        refused: the first error that ends the evaluation: a return value that is no output, or a full disk.
    """

    rows: dict[str, Mapping[str, Json]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    refused: InputError | None = None


async def ask_systems(
    specs: Sequence[str],
    bank: Bank,
    progress: Progress,
    *,
    taken: Sequence[str] = (),
    save: Path | None = None,
    fresh: bool = False,
    settings: Settings | None = None,
    context_from_ranked: int | None = None,
) -> tuple[Variant, ...]:
    """Ask every system all questions of a bank, one system after the other.

    A system is a function, sync or async, that is imported from the working directory or the installed modules. It gets
    ``{"id": ..., "question": ...}``, and never the relevant chunks or the reference. It returns a mapping with the
    columns of recorded outputs: ``ranked``, ``context`` and ``answer``, and if it likes ``latency`` (else the time of
    the call counts), ``input_tokens``, ``output_tokens`` and ``cost``. A question on which it raises has no output.

    Args:
        specs: ``NAME=MODULE:FUNCTION``, or ``MODULE:FUNCTION``, whose name is that of the function.
        bank: the questions.
        progress: told which systems are asked, and what failed.
        taken: names of variants that there are already.
        save: a folder where each output is written to ``NAME.outputs.jsonl`` as it arrives, which is read as recorded
            outputs are. Questions with an output there are not asked again, unless the function, its module's source or
            the question has changed since: such outputs are set aside in a file of their own.
        fresh: whether to set all of them aside and ask again.
        settings: known keys, which are taken out of the functions' own messages.
        context_from_ranked: where a function tells no context, it is that many of the first retrieved chunks.

    Returns:
        One variant a system; its ``source`` is ``MODULE:FUNCTION``.

    Raises:
        InputError: a system cannot be loaded, two have one name, a return value is no output, or the outputs cannot be
            saved.
        ProviderError: a function raised on every question.
    """
    systems = _load(specs, taken, settings)
    variants = []
    for system in systems:
        path = None if save is None else save / f"{system.name}.outputs.jsonl"
        asked = _Asked() if path is None else _Asked(_saved(path, system, bank, progress, fresh=fresh))
        await _ask(system, bank, asked, progress, path, context_from_ranked)
        variants.append(_variant(system, bank, asked, progress))
    return tuple(variants)


def _load(specs: Sequence[str], taken: Iterable[str], settings: Settings | None) -> list[_System]:
    names = set(taken)
    hide: Callable[[str], str] = str if settings is None else functools.partial(redact, settings=settings)
    read = []
    for spec in specs:
        name, equals, function = spec.partition("=")
        function = (function if equals else name).strip().removeprefix("py:")
        module, _, attribute = function.partition(":")
        name = name.strip() if equals else attribute
        if not module or not attribute or not name:
            raise InputError(f"'{spec}' is not of the form NAME=MODULE:FUNCTION", field=_OPTION)
        if Path(name).name != name:
            raise InputError(f"'{name}' is no name of a variant; leave out / and the like", field=_OPTION)
        if name in names:
            raise InputError(f"two variants are called '{name}'; give NAME={function}", field=_OPTION)
        names.add(name)
        read.append((name, function))
    return [_System(name, function, FunctionJudge(function, Path.cwd(), hide)) for name, function in read]


async def _ask(
    system: _System,
    bank: Bank,
    asked: _Asked,
    progress: Progress,
    path: Path | None,
    context_from_ranked: int | None,
) -> None:
    """Ask what has no output yet, and keep each output as it arrives; what is in flight at a refusal is kept too."""
    missing = [each for each in bank.questions if each.id not in asked.rows]
    if not missing:
        return
    kept = "" if path is None else f"; the outputs are kept in {path.resolve()}"
    progress.note(f"asking {system.spec} {counted(len(missing), 'question')}, up to {AT_ONCE} at once{kept}")
    waiting = iter(missing)

    async def one(question: Question) -> None:
        try:
            value, seconds = await system.function.call({"id": question.id, "question": question.text})
        except ProviderError as error:
            asked.failures[question.id] = str(error)
            return
        try:
            told = output_row(value, question, seconds, system=system.spec, context_from_ranked=context_from_ranked)
            row = {"id": question.id, "question": question.text, **told, **_origin(system)}
            if path is not None:
                _append(path, row)
        except InputError as error:
            asked.refused = asked.refused or error
            return
        asked.rows[question.id] = row

    async def work() -> None:
        for question in waiting:
            await one(question)
            if asked.refused is not None:
                return

    await asyncio.gather(*(work() for _ in range(min(AT_ONCE, len(missing)))))
    if asked.refused is not None:
        raise asked.refused


def _variant(system: _System, bank: Bank, asked: _Asked, progress: Progress) -> Variant:
    failed = len(asked.failures)
    if failed:
        first = next(each for each in bank.questions if each.id in asked.failures).id
        said = asked.failures[first].removeprefix(f"{system.spec} raised ")
        if not asked.rows:
            raise ProviderError(f"{system.spec} raised on every one of {counted(failed, 'question')}, such as: {said}")
        progress.note(
            f"{system.name}: {system.spec} raised on {failed} of {counted(len(bank.questions), 'question')}, which "
            f"{'has' if failed == 1 else 'have'} no output; '{first}': {said}"
        )
    rows = [asked.rows[each.id] for each in bank.questions if each.id in asked.rows]
    columns = tuple(dict.fromkeys(column for row in rows for column in row))
    table = Table(system.spec, columns, tuple(rows), tuple(range(1, len(rows) + 1)))
    (variant,), said_of_it = read_outputs(table, bank, {}, name=system.name)
    for message in said_of_it:
        progress.note(f"{system.name}: {message}")
    return variant


def _origin(system: _System) -> dict[str, Json]:
    return {"system": system.spec, "code": system.function.identity["source"]}


def _saved(
    path: Path, system: _System, bank: Bank, progress: Progress, *, fresh: bool
) -> dict[str, Mapping[str, Json]]:
    """Return the outputs to the bank's questions that an earlier evaluation has saved, and set aside what is outdated.

    Raises:
        InputError: the file holds something else, or cannot be used.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or not _finish_last_line(path):
            return {}
    except OSError as error:
        raise InputError(f"cannot be used: {error.strerror}", file=str(path)) from None
    rows: dict[str, Mapping[str, Json]] = {}
    outdated = 0
    for number, row in read_table(path).numbered():
        if "system" not in row:
            raise InputError(
                "not the outputs of a live system; move the file, or give the system another NAME",
                file=str(path),
                row=number,
            )
        name = str(row.get("id"))
        question = bank.by_id.get(name)
        same = question is None or row.get("question") == question.text
        if fresh or not same or name in rows or any(row.get(key) != each for key, each in _origin(system).items()):
            outdated += 1
        else:
            rows[name] = row
    if outdated:
        aside = _set_aside(path, rows.values())
        why = "they are asked for again" if fresh else "the function or the question has changed since"
        progress.note(f"{system.name}: {counted(outdated, 'earlier output')} set aside in {aside}: {why}")
    known = {name: row for name, row in rows.items() if name in bank.by_id}
    if known:
        progress.note(
            f"{system.name}: {path} holds {counted(len(known), 'output')} already; --fresh asks for them again"
        )
    return known


def _set_aside(path: Path, kept: Iterable[Mapping[str, Json]]) -> Path:
    """Leave only some rows in a file, and all that it held in a copy of a name that is free."""
    names = (path.with_suffix(f".{number}{path.suffix}") for number in itertools.count(1))
    aside = next(each for each in names if not each.exists())
    try:
        shutil.copy2(path, aside)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(aside)) from None
    write_json_lines(path, kept)
    return aside


def _finish_last_line(path: Path) -> bool:
    """End the last line of a file whose writer was stopped in the middle; return whether the file holds anything."""
    data = path.read_bytes()
    start = data.rfind(b"\n") + 1
    if data[start:]:
        try:
            json.loads(data[start:])
        except ValueError:
            os.truncate(path, start)
            return start > 0
        with path.open("ab") as file:
            file.write(b"\n")
    return bool(data.strip())


def _append(path: Path, row: Mapping[str, Json]) -> None:
    line = json.dumps(row, ensure_ascii=False) + "\n"
    try:
        with path.open("ab") as file:
            file.write(line.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from None
