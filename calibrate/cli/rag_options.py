"""Options of the commands that read a bank of questions, its corpus and recorded outputs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibrate.cli.options import pairs

if TYPE_CHECKING:
    from calibrate.workflows.rag_loading import RagReading

__all__ = ["BankPath", "ContextFromRanked", "Variants", "reading_options"]

_BANK = "Question bank"
_OUTPUTS = "Recorded outputs"

BankPath = Annotated[
    str, typer.Argument(metavar="BANK", help="A table, a folder with bank.* and corpus.*, or a shipped bank.")
]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        metavar="NAME=FILE",
        help="Outputs of one variant; may be repeated. Default: variants/* in the bank's folder. A line for each "
        "question: id, ranked (ids of chunks, best first), context (ids, not texts, of the chunks that the answering "
        "model saw), answer; optional: latency (seconds), input_tokens, output_tokens, cost (US dollars).",
        rich_help_panel=_OUTPUTS,
    ),
]
ContextFromRanked = Annotated[
    int | None,
    typer.Option(
        "--context-from-ranked",
        metavar="K",
        min=1,
        help="Without a context column, the context was the first K retrieved chunks.",
        rich_help_panel=_OUTPUTS,
    ),
]


def reading_options(
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="FILE", help="The chunks: id, text, document.", rich_help_panel=_BANK),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="ROLE=COLUMN",
            help="Name a column, such as relevant=gold_ids or chunk_id=key.",
            rich_help_panel=_BANK,
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            help="en or es; default: as the card or the column names say.",
            rich_help_panel=_BANK,
        ),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Of the files; default UTF-8.", rich_help_panel=_BANK)
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option("--delimiter", help="Of CSV files; found by itself.", rich_help_panel=_BANK)
    ] = None,
) -> "RagReading":
    """How a bank, its corpus and outputs are read."""
    from calibrate.workflows.rag_loading import RagReading

    return RagReading(
        corpus=corpus,
        language=language,
        columns=pairs(columns, "--column"),
        encoding=encoding,
        delimiter=delimiter,
    )
