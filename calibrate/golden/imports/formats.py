"""The tools whose files are read, and the way from a file to its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.imports.deepeval import read_deepeval, recognises_deepeval
from calibrate.golden.imports.documents import Document, read_document
from calibrate.golden.imports.imported import Imported
from calibrate.golden.imports.inspect_logs import read_inspect, read_inspect_archive, recognises_inspect
from calibrate.golden.imports.langfuse import read_langfuse, recognises_langfuse
from calibrate.golden.imports.mlflow import read_mlflow, recognises_mlflow
from calibrate.golden.imports.openinference import read_openinference, recognises_openinference
from calibrate.golden.imports.promptfoo import read_promptfoo, recognises_promptfoo

__all__ = ["TOOLS", "read_imported"]

_ARCHIVE = ".eval"


@dataclass(frozen=True, slots=True)
class _Format:
    recognises: Callable[[Json], bool]
    read: Callable[[Document], Imported]


_FORMATS: Mapping[str, _Format] = {
    "promptfoo": _Format(recognises_promptfoo, read_promptfoo),
    "deepeval": _Format(recognises_deepeval, read_deepeval),
    "inspect": _Format(recognises_inspect, read_inspect),
    "mlflow": _Format(recognises_mlflow, read_mlflow),
    "langfuse": _Format(recognises_langfuse, read_langfuse),
    "openinference": _Format(recognises_openinference, read_openinference),
}

TOOLS: tuple[str, ...] = tuple(_FORMATS)
"""The tools whose files are read."""


def read_imported(
    path: str | Path, tool: str, *, encoding: str | None = None, delimiter: str | None = None
) -> Imported:
    """Read the file of a tool.

    Args:
        path: the file.
        tool: one of `TOOLS`.
        encoding: of a text file; UTF-8 when not given.
        delimiter: of a CSV file; found when not given.

    Raises:
        InputError: there is no such tool, or the file is not of its format; names the format it looks like.
    """
    if tool not in _FORMATS:
        raise InputError(f"'{tool}' is no tool whose files are read; known are {', '.join(TOOLS)}", field="--from")
    if Path(path).suffix.lower() == _ARCHIVE:
        document = read_inspect_archive(path)
    else:
        document = read_document(path, encoding=encoding, delimiter=delimiter)
    try:
        if not _FORMATS[tool].recognises(document.content):
            like = [name for name, each in _FORMATS.items() if each.recognises(document.content)]
            if like:
                raise InputError(
                    f"no {tool} file; it looks like one of {' or '.join(like)}: --from {like[0]}", file=document.source
                )
        return _FORMATS[tool].read(document)
    except RecursionError:
        raise InputError("not readable: nested too deeply", file=document.source) from None
