"""``calibrate rag draft``: let a model write questions from chunks, for a person to accept."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibrate.cli.judge_options import Fresh
from calibrate.cli.options import Budget, DryRun, Output, grouped, output_options
from calibrate.cli.rag_options import reading_options

if TYPE_CHECKING:
    from calibrate.workflows.rag_loading import RagReading

__all__ = ["draft"]


@grouped(reading=reading_options, out=output_options)
def draft(
    source: Annotated[
        str,
        typer.Argument(
            metavar="BANK_OR_CORPUS",
            help="A bank with its corpus (as for `rag check`), or the table of a corpus alone, which needs -o.",
        ),
    ],
    reading: "RagReading",
    out: Output,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help="Who writes: openai:NAME, anthropic:NAME, local:FILE.gguf, local:smollm2, sim:writer, or a name of "
            "calibrate.toml.",
        ),
    ],
    number: Annotated[
        int, typer.Option("-n", "--number", min=0, help="Questions with an answer, one a chunk and one call each.")
    ] = 20,
    unanswerable: Annotated[
        int,
        typer.Option(
            "--unanswerable",
            metavar="N",
            min=0,
            help="Questions besides, close to a chunk's topic, that nothing in the corpus should answer; check that.",
        ),
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="JSONL or CSV file for the drafts alone; default: the next version of the bank.",
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace that file if it exists.")] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the draw of chunks; another one draws others.")] = 0,
    budget: Budget = None,
    dry_run: DryRun = False,
    fresh: Fresh = False,
) -> None:
    """Let a model write questions from chunks, for a person to read, accept or drop.

    Until then they wait in the bank as not reviewed, and `calibrate rag run` counts them like all others, unless it has
    --reviewed-only. Chunks are drawn over all documents, those without a question first. Every reply is stored before
    it counts: the same command again, before or after drafts are written, pays only for what is missing; a larger -n or
    another --seed writes more. The old version of the bank stays as it is.

    `calibrate rag draft corpus.jsonl --model sim:writer -n 10 -o bank.jsonl` starts a bank offline, with a simulated
    writer; `calibrate rag draft shop --model openai:gpt-4.1 --unanswerable 5` adds to the bank in the folder shop. Read
    the drafts, then take the good ones in with `calibrate rag accept BANK ID... --drop-others`.
    """
    from calibrate.console.estimates import show_dry_run
    from calibrate.console.rag_draft import show_drafts
    from calibrate.workflows.rag_draft import DraftOptions, draft_dry_run
    from calibrate.workflows.rag_draft import draft as run

    options = DraftOptions(
        source,
        model,
        number,
        unanswerable,
        output,
        overwrite=overwrite,
        seed=seed,
        budget=budget,
        fresh=fresh,
        reading=reading,
    )
    if dry_run:
        out.emit(asyncio.run(draft_dry_run(options, out.settings(), out.database())), show_dry_run)
        return
    out.emit(asyncio.run(run(options, out.settings(), out.database(), out.progress())), show_drafts)
