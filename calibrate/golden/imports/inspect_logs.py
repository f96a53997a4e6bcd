"""Logs of Inspect: ``.json``, and ``.eval``, which is a ZIP file of JSON files. Each scorer is a judge."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text
from calibrate.golden.imports.documents import Document, objects, parse_document
from calibrate.golden.imports.imported import Imported, Rows
from calibrate.golden.table import MAX_FILE
from calibrate.golden.tables import read_bytes

__all__ = ["read_inspect", "read_inspect_archive", "recognises_inspect"]

_GRADES: Mapping[str, Json] = {"C": True, "I": False}
_OTHER_GRADES = {"P", "N"}
_MOST_ENTRIES = 1_000_000
_FAILED = {"grader_failed", "scoring_failed"}


def recognises_inspect(content: Json) -> bool:
    """Whether this looks like a log of Inspect."""
    return isinstance(content, Mapping) and "eval" in content and ("samples" in content or "plan" in content)


def read_inspect_archive(path: str | Path) -> Document:
    """Read an ``.eval`` file's samples.

    Raises:
        InputError: it is no such archive, is compressed in a way this Python does not read, or is too large.
    """
    source = str(path)
    data = read_bytes(Path(path), source)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [
                each
                for each in archive.infolist()
                if each.filename.startswith("samples/") and each.filename.endswith(".json")
            ]
            if len(entries) > _MOST_ENTRIES or sum(each.file_size for each in entries) > MAX_FILE:
                raise InputError(f"larger than {MAX_FILE // 1_000_000_000} GB when unpacked; split it", file=source)
            documents = [parse_document(archive.read(each).decode(), source) for each in entries]
    except NotImplementedError:
        raise InputError(
            f"packed with Zstandard, which this Python does not read; unpack it with 'inspect log convert --to json "
            f"--output-dir DIR {Path(path).name}' and give the .json file",
            file=source,
        ) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, UnicodeDecodeError):
        raise InputError("no .eval log of Inspect: not a readable ZIP file", file=source) from None
    said = tuple(dict.fromkeys(message for each in documents for message in each.messages))
    return Document(source, {"eval": {}, "samples": [each.content for each in documents]}, said)


def read_inspect(document: Document) -> Imported:
    """Read one row per sample and epoch.

    The grades C and I are the verdicts true and false; other values stand as they are recorded. A score whose grader
    failed, and every score of a sample that failed, is an error; one without a value is no verdict.

    Raises:
        InputError: it is no such log.
    """
    content = document.content
    samples = objects(content.get("samples")) if isinstance(content, Mapping) else []
    if not samples:
        raise InputError("no Inspect log with samples: expected samples, a list", file=document.source)
    rows = Rows(document.source)
    several = len({cell_text(each.get("epoch")) for each in samples}) > 1
    samples = sorted(samples, key=lambda each: cell_text(each.get("epoch")).zfill(9))
    verdicts: dict[str, dict[int, Json]] = {}
    failed = set()
    for position, sample in enumerate(samples):
        row = rows.add(position + 1 if sample.get("id") is None else sample["id"])
        if several:
            rows.put(row, "run", "", sample.get("epoch"))
        _describe(rows, row, sample)
        scores = sample.get("scores")
        for name, score in scores.items() if isinstance(scores, Mapping) else ():
            if isinstance(score, Mapping):
                _score(rows, row, name, score, verdicts)
        if sample.get("error") is not None:
            failed.add(row)
    graded = [_put_verdicts(rows, name, values) for name, values in verdicts.items()]
    for row in range(len(samples)):  # a log's scorers are asked about every sample
        for name in verdicts:
            if not rows.holds(row, "verdict", name):
                rows.put(row, "verdict", name, "error" if row in failed else None)
    said = ("grades: C read as true, I as false; as recorded in the 'value' columns",) if any(graded) else ()
    return rows.imported("inspect", (*document.messages, *said))


def _describe(rows: Rows, row: int, sample: Mapping[str, Json]) -> None:
    output = sample.get("output")
    completion = None
    if isinstance(output, Mapping):
        completion = output.get("completion")
        choice = next(iter(objects(output.get("choices"))), {})
        message = choice.get("message")
        if completion is None and isinstance(message, Mapping):
            completion = message.get("content")
    rows.put(row, "item", "input", sample.get("input"))
    rows.put(row, "item", "target", sample.get("target"))
    rows.put(row, "item", "output", completion)
    rows.put_all(row, "metadata", sample.get("metadata"))


def _score(rows: Rows, row: int, scorer: str, score: Mapping[str, Json], verdicts: dict[str, dict[int, Json]]) -> None:
    """Note a scorer's value; a value of several named values is as many judges."""
    value = score.get("value")
    parts = {f"{scorer} {key}": each for key, each in value.items()} if isinstance(value, Mapping) else {scorer: value}
    for name, each in parts.items():
        verdicts.setdefault(name, {})[row] = "error" if cell_text(score.get("reason")) in _FAILED else each
        rows.put(row, "reason", name, score.get("explanation"))


def _put_verdicts(rows: Rows, name: str, values: Mapping[int, Json]) -> bool:
    """Fill a scorer's verdicts; return whether they are grades."""
    stated = {each for each in values.values() if isinstance(each, str) and each != "error"}
    graded = bool(stated) and stated <= {*_GRADES, *_OTHER_GRADES}
    for row, value in values.items():
        grade = graded and isinstance(value, str) and value != "error"
        rows.put(row, "verdict", name, _GRADES.get(value, value) if grade and isinstance(value, str) else value)
        if grade:
            rows.put(row, "value", name, value)
    return graded
