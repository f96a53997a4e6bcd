"""Options that commands share, in groups.

A group is a function whose parameters are Typer options and whose result is one object. ``grouped`` puts the options of
groups into a command's signature and hands the command the objects.
"""

import functools
import inspect
import json
import math
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar, get_args

import typer

from calibrate.console.pipes import fits, write
from calibrate.domain import Json, ScaleKind
from calibrate.errors import InputError

if TYPE_CHECKING:
    from calibrate.config import Settings
    from calibrate.golden import LoadOptions
    from calibrate.workflows.progress import Progress

__all__ = [
    "Annotators",
    "Budget",
    "Dimensions",
    "DryRun",
    "MaxUnscored",
    "Output",
    "Reference",
    "Seed",
    "SetPath",
    "TableOptions",
    "as_keywords",
    "finite",
    "grouped",
    "output_options",
    "pairs",
    "print_json",
    "set_options",
    "split",
    "table_options",
]

_SET, _MONEY = "Golden set", "Money"


def finite(value: float | None) -> float | None:
    """Refuse ``nan`` and ``inf``, which are no thresholds."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a number to compare with")
    return value


SetPath = Annotated[str, typer.Argument(metavar="SET", help="A file, a folder with card.toml, or a shipped set.")]
Reference = Annotated[str, typer.Argument(metavar="ID", help="A run, such as 2, or one of its candidates: 2:5.")]
Dimensions = Annotated[
    list[str] | None, typer.Option("--dimension", help="Only this dimension; may be repeated.", rich_help_panel=_SET)
]
MaxUnscored = Annotated[
    float,
    typer.Option("--max-unscored", min=0, max=1, help="Share of unscored verdicts above which the exit code is 1."),
]
Budget = Annotated[
    float | None,
    typer.Option(
        "--budget",
        metavar="USD",
        min=0,
        callback=finite,
        help="Spend no more, on all models together; an interrupted run's earlier parts count.",
        rich_help_panel=_MONEY,
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Show what would be done and what it costs, and stop.", rich_help_panel=_MONEY),
]
Annotators = Annotated[
    str,
    typer.Option("--annotators", help="What the raters are: experts, skilled or crowd.", rich_help_panel=_SET),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Of the intervals, and of a search's draws.")]


class HasJson(Protocol):
    """A result that knows its JSON document."""

    def to_json(self) -> Mapping[str, Json]:
        """Return the document."""


Result = TypeVar("Result")
Document = TypeVar("Document", bound=HasJson)


def grouped(**groups: Callable[..., Any]) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Give a command (or a larger group) the options of groups; each group's result arrives under its keyword."""

    def decorate(command: Callable[..., Result]) -> Callable[..., Result]:
        own = [p for name, p in inspect.signature(command).parameters.items() if name not in groups]
        of_group = {name: inspect.signature(group).parameters for name, group in groups.items()}

        @functools.wraps(command)
        def call(**values: Any) -> Result:
            made = {
                name: group(**{each: values.pop(each) for each in of_group[name]}) for name, group in groups.items()
            }
            return command(**values, **made)

        parameters = [*own, *(each for found in of_group.values() for each in found.values())]
        ordered = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
        call.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]  # what inspect.signature reads
        call.__annotations__ = {each.name: each.annotation for each in ordered}
        return call

    return decorate


@dataclass(frozen=True, slots=True)
class Output:
    """Where results go: one JSON document on stdout, or tables; notes and progress always on stderr."""

    as_json: bool
    quiet: bool
    db: str | None

    def emit(self, result: Document, render: Callable[[Document], None]) -> None:
        """Print a result as JSON or with ``render``."""
        if self.as_json:
            print_json(result.to_json())
        else:
            render(result)

    def progress(self) -> "Progress":
        """Return what tells of progress on stderr, or nothing."""
        if self.quiet:
            from calibrate.workflows.progress import Quiet

            return Quiet()
        from calibrate.console.progress import ConsoleProgress

        return ConsoleProgress()

    def settings(self) -> "Settings":
        """Return the settings of this environment and folder."""
        from calibrate.config import load_settings

        return load_settings(os.environ, Path.cwd())

    def database(self) -> str:
        """Return the database to use."""
        return self.db or self.settings().database_url


def output_options(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document on stdout, all else on stderr.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print results only: no progress, no notes.")] = False,
    db: Annotated[
        str | None, typer.Option("--db", help="Run database, a file or URL; default $CALIBRATE_DB, else ./runs.db.")
    ] = None,
) -> Output:
    """The options of every command."""
    return Output(as_json, quiet, db)


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How a table with labels is read; the field names are those of the loaders' options."""

    scale: ScaleKind | None
    labels: tuple[str, ...]
    positive: str | None
    threshold: float | None
    low: float | None
    high: float | None
    aliases: Mapping[str, str]
    id: str | None
    group: str | None
    encoding: str | None
    delimiter: str | None


def table_options(
    scale: Annotated[
        str | None,
        typer.Option("--scale", help="binary, nominal, pairwise, ordinal or interval.", rich_help_panel=_SET),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option("--labels", help="The labels, separated by commas; ordinal ones ascending.", rich_help_panel=_SET),
    ] = None,
    positive: Annotated[
        str | None, typer.Option("--positive", help="The label of a good answer (binary).", rich_help_panel=_SET)
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold", callback=finite, help="Interval scales: scores from here on are good.", rich_help_panel=_SET
        ),
    ] = None,
    low: Annotated[
        float | None,
        typer.Option(
            "--low", callback=finite, help="Interval scales: the lowest possible score.", rich_help_panel=_SET
        ),
    ] = None,
    high: Annotated[
        float | None,
        typer.Option(
            "--high", callback=finite, help="Interval scales: the highest possible score.", rich_help_panel=_SET
        ),
    ] = None,
    aliases: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="RAW=LABEL", help="Read RAW as LABEL; may be repeated.", rich_help_panel=_SET),
    ] = None,
    id_column: Annotated[str | None, typer.Option("--id", help="The id column.", rich_help_panel=_SET)] = None,
    group: Annotated[
        str | None,
        typer.Option("--group", help="Column of what is resampled as a whole (document).", rich_help_panel=_SET),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Of the file; default UTF-8.", rich_help_panel=_SET)
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option("--delimiter", help="Of the table; found by itself.", rich_help_panel=_SET)
    ] = None,
) -> TableOptions:
    """What a table cannot tell by itself."""
    return TableOptions(
        scale=_scale(scale),
        labels=split(labels),
        positive=positive,
        threshold=threshold,
        low=low,
        high=high,
        aliases=pairs(aliases, "--map"),
        id=id_column,
        group=group,
        encoding=encoding,
        delimiter=delimiter,
    )


@grouped(table=table_options)
def set_options(
    table: TableOptions,
    human: Annotated[
        str | None, typer.Option("--human", help="The experts' label column.", rich_help_panel=_SET)
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--column", metavar="ROLE=COLUMN", help="Name a column, such as context=passage.", rich_help_panel=_SET
        ),
    ] = None,
    inputs: Annotated[
        str | None,
        typer.Option("--inputs", help="The columns the judge sees, separated by commas.", rich_help_panel=_SET),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option("--language", help="en or es; decides the default prompt.", rich_help_panel=_SET),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse unlabelled items.", rich_help_panel=_SET)] = False,
) -> "LoadOptions":
    """How a golden set is read; options override its card."""
    from calibrate.golden import LoadOptions

    return LoadOptions(
        **as_keywords(table),
        label=human,
        columns=pairs(columns, "--column"),
        inputs=split(inputs),
        language=language,
        strict=strict,
    )


def pairs(values: list[str] | None, option: str) -> dict[str, str]:
    """Read repeated ``KEY=VALUE`` options.

    Raises:
        InputError: one of them has no equals sign.
    """
    found: dict[str, str] = {}
    for value in values or ():
        key, equals, right = value.partition("=")
        if not equals or not key.strip():
            raise InputError(f"'{value}' is not of the form KEY=VALUE", field=option)
        found[key.strip()] = right.strip()
    return found


def split(value: str | None) -> tuple[str, ...]:
    """Read a list separated by commas."""
    return tuple(part.strip() for part in (value or "").split(",") if part.strip())


def as_keywords(options: TableOptions) -> dict[str, Any]:
    """Return the options as keyword arguments of a loader's options."""
    return {each.name: getattr(options, each.name) for each in fields(options)}


def _scale(value: str | None) -> ScaleKind | None:
    for kind in get_args(ScaleKind):
        if kind == value:
            return kind  # type: ignore[no-any-return]  # get_args forgets the literal
    if value is not None:
        raise InputError(f"there is no scale '{value}'; use one of {', '.join(get_args(ScaleKind))}", field="--scale")
    return None


def print_json(document: Mapping[str, Json]) -> None:
    """Write one JSON document on stdout."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
    if not fits(text, sys.stdout):
        text = json.dumps(document, allow_nan=False, indent=2)
    write(text + "\n", sys.stdout)
