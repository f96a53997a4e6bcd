"""``calibrate rag run``: evaluate and compare variants of a system that retrieves and then answers."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from calibrate.cli.options import Budget, DryRun, Output, Seed, grouped, output_options
from calibrate.cli.rag_options import BankPath, ContextFromRanked, Variants, reading_options

if TYPE_CHECKING:
    from calibrate.workflows.rag_loading import RagReading

__all__ = ["run"]

_JUDGES, _METRICS, _SAMPLE = "Judges", "Metrics", "Sample"


@grouped(reading=reading_options, out=output_options)
def run(
    bank: BankPath,
    reading: "RagReading",
    out: Output,
    variant: Variants = None,
    context_from_ranked: ContextFromRanked = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            metavar="NAME=MODULE:FUNCTION",
            help="A live system, asked every question and compared with what is recorded; may be repeated. Its outputs "
            "are kept in NAME.outputs.jsonl of the working directory.",
        ),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            metavar="[ROLE=]JUDGE",
            help="A model, a bundle.json, or a run of this database (12 or 12:3). Without a role it plays all of them; "
            "roles: claims, claim_support, answer_relevancy, context_relevancy, correctness, abstention. "
            "Without any judge only what needs no model is measured.",
            rich_help_panel=_JUDGES,
        ),
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option(
            "--embedder",
            help="For answer relevancy: lexical (default), openai:text-embedding-3-small, or one of calibrate.toml.",
            rich_help_panel=_JUDGES,
        ),
    ] = None,
    per_claim: Annotated[
        bool,
        typer.Option("--per-claim", help="Verify each claim in a call of its own.", rich_help_panel=_JUDGES),
    ] = False,
    concurrency: Annotated[
        int | None,
        typer.Option("--concurrency", min=1, help="Calls in flight at most; default 64.", rich_help_panel=_JUDGES),
    ] = None,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Ask again instead of replaying stored replies.", rich_help_panel=_JUDGES),
    ] = False,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            help="Only this one; may be repeated: retrieval, citations, abstention, faithfulness, citation_support, "
            "answer_relevancy, context_relevancy, correctness. Default: all that the judges allow.",
            rich_help_panel=_METRICS,
        ),
    ] = None,
    cut: Annotated[
        list[int] | None,
        typer.Option(
            "--cut",
            min=1,
            help="Depth of the ranked figures; may be repeated, the wide one first. Default: 50 and 5.",
            rich_help_panel=_METRICS,
        ),
    ] = None,
    context_unit: Annotated[
        Literal["chunk", "sentence"],
        typer.Option("--context-unit", help="What context relevancy is judged by.", rich_help_panel=_METRICS),
    ] = "chunk",
    abstain_phrase: Annotated[
        list[str] | None,
        typer.Option(
            "--abstain-phrase",
            help="What your system says when it abstains, beside the usual phrases; may be repeated.",
            rich_help_panel=_METRICS,
        ),
    ] = None,
    only_these_phrases: Annotated[
        bool,
        typer.Option("--only-these-phrases", help="Leave the usual phrases out.", rich_help_panel=_METRICS),
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample", min=1, help="So many questions, spread over the strata; default all.", rich_help_panel=_SAMPLE
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="COLUMN", help="A column whose values are strata too.", rich_help_panel=_SAMPLE),
    ] = None,
    reviewed_only: Annotated[
        bool,
        typer.Option(
            "--reviewed-only", help="Leave out drafted questions that nobody has reviewed.", rich_help_panel=_SAMPLE
        ),
    ] = False,
    max_unscored: Annotated[
        float,
        typer.Option(
            "--max-unscored",
            min=0,
            max=1,
            help="Share of a judge's verdicts, or of a variant's outputs, above which gaps make the exit code 1.",
        ),
    ] = 0.05,
    budget: Budget = None,
    dry_run: DryRun = False,
    seed: Seed = 0,
) -> None:
    """Measure retrieval and answers apart, say where the fault lies, and compare variants question by question.

    Every verdict is stored before it counts; the same command again makes no calls. `calibrate report` writes a page.
    """
    from calibrate.console.rag import show_rag, show_rag_plan
    from calibrate.workflows.rag import rag_dry_run, rag_run
    from calibrate.workflows.rag_judges import read_judges
    from calibrate.workflows.rag_options import CUTS, RagOptions, read_metrics

    options = RagOptions(
        bank,
        tuple(variant or ()),
        tuple(system or ()),
        replace(reading, context_from_ranked=context_from_ranked),
        judges=read_judges(judge or ()),
        metrics=read_metrics(metric or ()),
        cuts=tuple(cut or CUTS),
        phrases=tuple(abstain_phrase or ()),
        only_phrases=only_these_phrases,
        per_claim=per_claim,
        context_unit=context_unit,
        embedder=embedder,
        sample=sample,
        by=by,
        reviewed_only=reviewed_only,
        max_unscored=max_unscored,
        seed=seed,
        budget=budget,
        concurrency=concurrency,
        fresh=fresh,
    )
    if dry_run:
        plan = asyncio.run(rag_dry_run(options, out.settings(), out.database(), out.progress()))
        out.emit(plan, show_rag_plan)
        return
    report = asyncio.run(rag_run(options, out.settings(), out.database(), out.progress()))
    out.emit(report, lambda each: show_rag(each, out.db))
    raise typer.Exit(0 if report.status == "ok" else 1)
