"""The options that say how a calibration searches."""

from typing import TYPE_CHECKING, Annotated

import typer

from calibrate.cli.options import grouped

if TYPE_CHECKING:
    from calibrate.workflows.procedure import SearchOptions

__all__ = ["search_options"]

_SEARCH = "Search"


@grouped()
def search_options(
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            help="What is rewritten: opro (the best), pareto (what is best on some items), beam (the best few).",
            rich_help_panel=_SEARCH,
        ),
    ] = "opro",
    width: Annotated[int, typer.Option("--width", min=1, help="Rewrites an iteration.", rich_help_panel=_SEARCH)] = 5,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="Use this strategy only; may be repeated. `calibrate strategies` lists them.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    folder: Annotated[
        str | None,
        typer.Option(
            "--strategies", metavar="FOLDER", help="Strategies of your own, a .md file each.", rich_help_panel=_SEARCH
        ),
    ] = None,
    no_analysis: Annotated[
        bool,
        typer.Option("--no-analysis", help="Do not group errors into failure patterns.", rich_help_panel=_SEARCH),
    ] = False,
    objective: Annotated[
        str,
        typer.Option(
            "--objective",
            help="What rewrites are ranked by: alignment, a figure such as recall:unfaithful, a mix such as"
            " '0.7*alignment + 0.3*recall:0', or pareto (alignment, and its front against cost).",
            rich_help_panel=_SEARCH,
        ),
    ] = "alignment",
    subject_to: Annotated[
        str,
        typer.Option(
            "--subject-to",
            metavar="'FIGURE>=X'",
            help="What the winner has to keep, such as 'precision>=0.8'.",
            rich_help_panel=_SEARCH,
        ),
    ] = "",
    prune: Annotated[
        bool,
        typer.Option(
            "--prune",
            help="Stop judging a rewrite that cannot win any more (binary sets; loses nothing).",
            rich_help_panel=_SEARCH,
        ),
    ] = False,
    race: Annotated[
        bool,
        typer.Option(
            "--race",
            help="Stop judging a rewrite that is unlikely to win (and 5 % of those that are as good); for large sets.",
            rich_help_panel=_SEARCH,
        ),
    ] = False,
) -> "SearchOptions":
    """How a calibration searches."""
    from calibrate.workflows.procedure import SearchOptions

    return SearchOptions(
        policy=policy,
        width=width,
        strategies=tuple(strategy or ()),
        folder=folder,
        analysis=not no_analysis,
        objective=objective,
        subject_to=subject_to,
        prune=prune,
        race=race,
    )
