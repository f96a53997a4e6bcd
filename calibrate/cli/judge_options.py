"""The options that say which judge is asked, and how."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from calibrate.cli.batching import Batching, batch_options
from calibrate.cli.options import grouped
from calibrate.cli.two_steps import TwoSteps, two_step_options

if TYPE_CHECKING:
    from calibrate.workflows.setup import JudgeOptions

__all__ = ["JUDGES", "Fresh", "asking_options", "judge_options", "repeated_judge_options"]

_JUDGE = "Judge"

JUDGES = (
    "openai:NAME, anthropic:NAME, openai-decisions:NAME, local:FILE.gguf, local:smollm2, sim:reader, sim:reader-small, "
    "py:module:function, exec:command, a name of calibrate.toml, or a bundle.json of `calibrate export`: a whole "
    "judge, with all its settings"
)
"""What can be named as a judge."""

Fresh = Annotated[
    bool, typer.Option("--fresh", help="Ask again instead of replaying stored replies.", rich_help_panel=_JUDGE)
]


@grouped(batching=batch_options, steps=two_step_options)
def asking_options(
    batching: Batching,
    steps: TwoSteps,
    single_braces: Annotated[
        bool, typer.Option("--single-braces", help="{name} in the prompt places an input.", rich_help_panel=_JUDGE)
    ] = False,
    parse: Annotated[
        str | None,
        typer.Option(
            "--parse", metavar="label=REGEX", help="The judge has an output format of its own.", rich_help_panel=_JUDGE
        ),
    ] = None,
    allow_abstain: Annotated[
        bool, typer.Option("--allow-abstain", help="Offer CANNOT_ASSESS to the judge.", rich_help_panel=_JUDGE)
    ] = False,
    temperature: Annotated[
        float | None, typer.Option("--temperature", min=0, help="Of the judge; default 0.", rich_help_panel=_JUDGE)
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option("--max-tokens", min=1, help="The judge's largest reply; default 1024.", rich_help_panel=_JUDGE),
    ] = None,
    confidence: Annotated[
        bool,
        typer.Option(
            "--confidence",
            help="Ask for the probability of the label, where the model tells its tokens'.",
            rich_help_panel=_JUDGE,
        ),
    ] = False,
    adaptive: Annotated[
        bool,
        typer.Option("--adaptive", help="Of three votes, the third only where two differ.", rich_help_panel=_JUDGE),
    ] = False,
    both_orders: Annotated[
        bool,
        typer.Option("--both-orders", help="Judge a pair of answers in both orders.", rich_help_panel=_JUDGE),
    ] = False,
    task: Annotated[
        str | None,
        typer.Option(
            "--task",
            metavar="TASK",
            help="verdict; or a step of judging claims: split, verify; or questions (answer relevancy).",
            rich_help_panel=_JUDGE,
        ),
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option(
            "--embedder",
            metavar="NAME",
            help="For --task questions: lexical (default), openai:text-embedding-3-small, or one of calibrate.toml.",
            rich_help_panel=_JUDGE,
        ),
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency", min=1, help="Calls in flight at most; default 64, or as declared.", rich_help_panel=_JUDGE
        ),
    ] = None,
) -> "JudgeOptions":
    """How a judge is asked; which one, and with which prompt, is still open."""
    from calibrate.judge import read_task
    from calibrate.workflows.setup import JudgeOptions

    fixing = {
        "single_braces": single_braces or None,
        "parse": parse,
        "allow_abstain": allow_abstain or None,
        "temperature": temperature,
        "max_tokens": max_tokens,
        "confidence": confidence or None,
        "adaptive": adaptive or None,
        "both_orders": both_orders or None,
        "task": None if task is None else read_task(task),
    }
    given: dict[str, Any] = {name: value for name, value in fixing.items() if value is not None}
    if embedder is not None:
        given["embedder"] = embedder
    return JudgeOptions("", **given, concurrency=concurrency, **batching, **steps, given=tuple(given))


@grouped(how=asking_options)
def repeated_judge_options(
    how: "JudgeOptions",
    judge: Annotated[str, typer.Option("--judge", help=f"{JUDGES}.", rich_help_panel=_JUDGE)],
    prompt: Annotated[
        Path | None,
        typer.Option(
            "--prompt",
            help="Prompt file, or a bundle.json, whose prompt is taken; default: a generic prompt.",
            rich_help_panel=_JUDGE,
        ),
    ] = None,
    votes: Annotated[
        int | None,
        typer.Option(
            "--votes",
            min=1,
            help="Ask so often about each item; the majority counts. Default 1.",
            rich_help_panel=_JUDGE,
        ),
    ] = None,
) -> "JudgeOptions":
    """Which judge, and how it is asked, for a command that asks anew by itself."""
    own: dict[str, Any] = {name: value for name, value in (("prompt", prompt), ("votes", votes)) if value is not None}
    return replace(how, model=judge, **own, given=(*how.given, *own))


@grouped(judge=repeated_judge_options)
def judge_options(
    judge: "JudgeOptions",
    fresh: Fresh = False,
) -> "JudgeOptions":
    """Which judge, and how it is asked."""
    return replace(judge, fresh=fresh)
