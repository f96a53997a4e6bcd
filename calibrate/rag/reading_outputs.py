"""From a table to what a system did, in one variant or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from calibrate.errors import InputError
from calibrate.golden.messages import listing
from calibrate.golden.table import Table
from calibrate.rag.bank import Bank
from calibrate.rag.outputs import Output, Variant
from calibrate.rag.table_cells import WHITE_SPACE_NOTE, Cell
from calibrate.rag.table_columns import OUTPUT_ROLES, Columns, find_columns

__all__ = ["read_outputs"]

_THOUSANDTHS = "_ms"


@dataclass(slots=True)
class _Reading:
    """How the rows of a table are read, and what was found out on the way."""

    table: Table
    columns: Columns
    context_from_ranked: int | None
    strangers: dict[str, None] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)

    def said(self) -> tuple[str, ...]:
        """What there is to say, in sentences."""
        strangers = list(self.strangers)
        left_out = (
            f"{len(strangers)} question{'' if len(strangers) == 1 else 's'} that the bank does not have, left out"
        )
        return (
            *self.table.messages,
            *self.columns.said,
            *(f"{_outputs(count)} {what}" for what, count in self.seen.items()),
            *((f"{left_out}: {listing(strangers)}",) if strangers else ()),
        )


def read_outputs(
    table: Table, bank: Bank, given: Mapping[str, str], *, name: str, context_from_ranked: int | None = None
) -> tuple[tuple[Variant, ...], tuple[str, ...]]:
    """Read the outputs of a table, by variant, and say what there is to say about the reading.

    Args:
        table: one row for each question and variant.
        bank: outputs to other questions than its own are counted and left out.
        given: which column is what, where that is not plain.
        name: the name of the one variant of a table that has no column for it.
        context_from_ranked: without a column of contexts, the context is that many of the first retrieved chunks.

    Raises:
        InputError: names file, row and field: a column that is missing, a question twice in one variant, no list of
            ids, or a figure that is no finite number of 0 or more.
    """
    columns = find_columns(table.columns, table.source, OUTPUT_ROLES, given)
    for role, what in (
        ("question_id", "the ids of the questions"),
        ("ranked", "the ids of the retrieved chunks, best first"),
        ("answer", "the answers"),
    ):
        columns.needed(role, what)
    if "context" not in columns.found and context_from_ranked is None:
        usual = ", ".join(OUTPUT_ROLES["context"])
        raise InputError(
            f"no column holds the ids of the chunks in the context (usual names: {usual}); "
            "name it with --column context=NAME, or say with --context-from-ranked K that it is the first K retrieved",
            file=table.source,
        )
    reading = _Reading(table, columns, context_from_ranked)
    variants: dict[str, dict[str, Output]] = {}
    for row_number, row in table.numbered():
        cells = {role: Cell.of(table, row_number, row, column) for role, column in columns.found.items()}
        outputs = variants.setdefault(cells["variant"].text("variant") if "variant" in cells else name, {})
        output = _output(cells, row_number, reading)
        first = outputs.setdefault(output.question, output)
        if first is not output:
            raise InputError(
                f"question '{output.question}' has two outputs in one variant, in rows {first.row} and {row_number}; "
                "tell variants apart by a column 'variant'",
                file=table.source,
                row=row_number,
                field=columns.found["question_id"],
            )
    reading.strangers = {each: None for outputs in variants.values() for each in outputs if each not in bank.by_id}
    return (
        tuple(
            Variant(variant, {each: output for each, output in outputs.items() if each in bank.by_id}, table.source)
            for variant, outputs in variants.items()
        ),
        reading.said(),
    )


def _output(cells: Mapping[str, Cell], row_number: int, reading: _Reading) -> Output:
    ranked = _each_once(cells["ranked"].ids("nothing was retrieved"), "retrieved", reading)
    scores = cells["ranked"].scores()
    if any(later > earlier for earlier, later in pairwise(scores)):
        reading.seen["whose chunks do not stand by falling score: the order as given counts"] += 1
    if any(cells[role].split_at_white_space for role in ("ranked", "context") if role in cells):
        reading.seen[f"whose chunks are {WHITE_SPACE_NOTE}"] += 1
    if "context" in cells:
        context = _each_once(cells["context"].ids("the context was empty"), "in the context", reading)
    else:
        context = ranked[: reading.context_from_ranked]
    answer = cells["answer"].optional_text()
    if answer is None:
        reading.seen["without an answer: taken as an empty one"] += 1
    return Output(
        question=cells["question_id"].text("id"),
        ranked=ranked,
        context=context,
        answer=answer or "",
        latency=_seconds(cells.get("latency")),
        input_tokens=cells["input_tokens"].count() if "input_tokens" in cells else None,
        output_tokens=cells["output_tokens"].count() if "output_tokens" in cells else None,
        cost=cells["cost"].amount() if "cost" in cells else None,
        row=row_number,
    )


def _each_once(ids: tuple[str, ...], where: str, reading: _Reading) -> tuple[str, ...]:
    once = tuple(dict.fromkeys(ids))
    if len(once) < len(ids):
        reading.seen[f"with a chunk twice among those {where}: it keeps its first place"] += 1
    return once


def _seconds(cell: Cell | None) -> float | None:
    amount = None if cell is None else cell.amount()
    if cell is None or amount is None:
        return None
    return amount / 1000 if cell.column.strip().casefold().endswith(_THOUSANDTHS) else amount


def _outputs(count: int) -> str:
    return "1 output" if count == 1 else f"{count} outputs"
