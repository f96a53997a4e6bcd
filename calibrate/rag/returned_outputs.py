"""What a system's function returned for one question, read by the rules of recorded outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.table import Table
from calibrate.rag.bank import Bank, Question
from calibrate.rag.reading_outputs import read_outputs
from calibrate.rag.table_columns import OUTPUT_ROLES, find_columns

__all__ = ["output_row"]

_ROLES = {role: names for role, names in OUTPUT_ROLES.items() if role not in ("question_id", "variant")}
_NEEDED = {
    "ranked": "the ids of the retrieved chunks, best first",
    "context": "the ids of the chunks in the context",
    "answer": "the answer",
}


def output_row(
    value: object, question: Question, seconds: float, *, system: str, context_from_ranked: int | None = None
) -> dict[str, Json]:
    """Return a row of recorded outputs, under the plain names of its columns.

    Args:
        value: a mapping with the columns of recorded outputs (`calibrate.rag.table_columns`), less the question's id;
            other keys do not count. Tuples and arrays are lists.
        question: the question that was asked.
        seconds: how long that took; counts where the mapping tells no latency of its own.
        system: the function, for messages.
        context_from_ranked: where the mapping tells no context, it is that many of the first retrieved chunks.

    Raises:
        InputError: names the question and the key: one that is missing, or holds what its column cannot.
    """
    where = f"{system}, question '{question.id}'"
    if not isinstance(value, Mapping):
        raise InputError(
            f"the function returned {_named(value)}; return a mapping with 'ranked', 'context' and 'answer'", file=where
        )
    given = {str(key): each for key, each in value.items()}
    columns = find_columns(tuple(given), where, _ROLES, {})
    for role, what in _NEEDED.items():
        if role not in columns.found and not (role == "context" and context_from_ranked is not None):
            usual = ", ".join(OUTPUT_ROLES[role])
            raise InputError(f"the mapping has no '{role}', {what} (usual names: {usual})", file=where)
    told: dict[str, Json] = {}
    for column in columns.found.values():
        try:
            told[column] = _plain(given[column], where, column)
        except RecursionError:
            raise InputError(
                "it contains itself, or is nested too deeply; return plain lists and texts", file=where, field=column
            ) from None
    table = Table(where, ("id", *told), ({"id": question.id, **told},), (1,))
    alone = Bank("", (question,))
    try:
        (variant,), _ = read_outputs(table, alone, {}, name="", context_from_ranked=context_from_ranked)
    except InputError as error:
        raise InputError(error.message, file=where, field=error.field) from None
    output = variant.outputs[question.id]
    row: dict[str, Json] = {role: told[column] for role, column in columns.found.items()}
    row.setdefault("context", list(output.context))
    row["latency"] = seconds if output.latency is None else output.latency
    return row


def _plain(value: Any, where: str, key: str) -> Json:
    """Return a value as JSON has it."""
    if hasattr(value, "tolist"):  # arrays and their scalars
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{value} is no number; leave the key out if it is unknown", file=where, field=key)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair cannot be written
    if isinstance(value, list | tuple):
        return [_plain(each, where, key) for each in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(each, where, key) for name, each in value.items()}
    raise InputError(f"{_named(value)} is no text, number, list or mapping of these", file=where, field=key)


def _named(value: object) -> str:
    return "nothing" if value is None else f"a value of the type {type(value).__name__}"
