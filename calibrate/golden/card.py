"""``card.toml``: what a folder says about its golden set."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from calibrate.domain import ScaleKind
from calibrate.errors import InputError
from calibrate.golden.declaration import Declaration

__all__ = ["CARD_NAME", "Card", "DimensionCard", "read_card", "with_key"]

CARD_NAME = "card.toml"
_MAX_CARD = 1_000_000


def _label(value: object) -> object:
    """Labels may stand in a card as numbers or booleans: ``labels = [0, 1]``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


Label = Annotated[str, BeforeValidator(_label)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class _Declared(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    scale: ScaleKind | None = None
    labels: tuple[Label, ...] = ()
    positive: Label | None = None
    threshold: Finite | None = None
    low: Finite | None = None
    high: Finite | None = None
    aliases: dict[str, Label] = Field(default_factory=dict)
    label: str | None = None
    raters: tuple[str, ...] = ()
    adjudicated: str | None = None
    note: str | None = None

    @property
    def declaration(self) -> Declaration:
        """What is said about the scale."""
        return Declaration(
            scale=self.scale,
            labels=self.labels,
            positive=self.positive,
            threshold=self.threshold,
            low=self.low,
            high=self.high,
            aliases=self.aliases,
        )


class DimensionCard(_Declared):
    """What a card says about one dimension; what it leaves unsaid is as for the whole set.

    A ``label`` column (or ``raters``) here says that the table has the labels of several dimensions side by side.

    Attributes:
        inputs: the columns that a judge of this dimension sees.
    """

    inputs: tuple[str, ...] = ()


class Card(_Declared):
    """A golden set's card. Unknown keys are refused.

    Attributes:
        name: the set's name; the folder's when not given.
        dimension: the one dimension of a table without a dimension column.
        scale: the kind of scale; with labels, positive, threshold, low and high as in `Scale`.
        language: BCP 47 tag.
        group: the column with the resampling unit.
        id: the column with the items' ids.
        inputs: the columns that the judge sees; the usual ones when not given.
        file: the table; the only one in the folder when not given.
        label: the column with the gold labels.
        raters: the columns of the raters; ``rater_*`` and ``annotator_*`` when not given.
        adjudicated: the column that decides where raters tie.
        note: the column with the experts' notes.
        provenance: how the set was made.
        aliases: raw label to declared label.
        columns: role to column.
        dimensions: what differs between dimensions.
    """

    name: str | None = None
    dimension: str | None = None
    language: str = "en"
    group: str | None = None
    id: str | None = None
    inputs: tuple[str, ...] = ()
    file: str | None = None
    provenance: str = ""
    columns: dict[str, str] = Field(default_factory=dict)
    dimensions: dict[str, DimensionCard] = Field(default_factory=dict)


def read_card(path: Path) -> Card:
    """Read a card.

    Raises:
        InputError: the file cannot be read, is no TOML, or has an unknown or ill-typed key; names file, line and key.
    """
    text = read_card_text(path)
    try:
        return Card.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", file=str(path)) from None
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        keys = [str(part) for part in problem["loc"] if isinstance(part, str)]
        known = DimensionCard if keys[:1] == ["dimensions"] else Card
        what = problem["msg"].lower()
        if problem["type"] == "extra_forbidden":
            what = f"unknown key; known are {', '.join(known.model_fields)}"
        line = _line_of(text, keys)
        place = f"line {line}: " if line else ""
        raise InputError(f"{place}{what}", file=str(path), field=".".join(keys)) from None
    except ValueError:  # the one thing that the TOML reader leaves to Python
        raise InputError("not valid TOML: a number of thousands of digits", file=str(path)) from None


def read_card_text(path: Path) -> str:
    """Return the text of a card file.

    Raises:
        InputError: it cannot be read, or is no UTF-8 text.
    """
    try:
        if path.stat().st_size > _MAX_CARD:
            raise InputError("larger than 1 MB, not a card", file=str(path))
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text; save it as UTF-8", file=str(path)) from None


def with_key(text: str, table: tuple[str, ...], key: str, value: str, *, source: str) -> str:
    """Return a card's text with one text value set; comments and everything else stay as they are.

    Args:
        text: the card.
        table: the TOML table that the key belongs to: ``()`` or ``("dimensions", name)``.
        key: a bare key.
        value: its new text.
        source: the card's path, for messages.

    Raises:
        InputError: the card is written in a way that cannot be edited by line; says what to do.
    """
    wanted = _parsed_with(text, table, key, value)
    lines = text.split("\n")
    assignment = f"{key} = {_toml_string(value)}"
    starts = [number for number, line in enumerate(lines) if _is_assignment(line, key)]
    spans = [(start, end) for start in starts for end in range(start + 1, len(lines) + 1)]
    heads = [0] if not table else [number + 1 for number, line in enumerate(lines) if line.lstrip().startswith("[")]
    for start, end in (*spans, *((head, head) for head in heads)):
        edited = "\n".join([*lines[:start], assignment, *lines[end:]])
        try:
            if tomllib.loads(edited) == wanted:
                return edited
        except tomllib.TOMLDecodeError:
            continue
    name = f"[{'.'.join(table)}] " if table else ""
    raise InputError(f"add {name}{key} = {_toml_string(value)} to the card and try again", file=source)


def _parsed_with(text: str, table: tuple[str, ...], key: str, value: str) -> dict[str, object]:
    document = tomllib.loads(text)
    place = document
    for name in table:
        place = place.setdefault(name, {})
    place[key] = value
    return document


def _toml_string(value: str) -> str:
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(escapes.get(c, c if c >= " " and c != "\x7f" else f"\\u{ord(c):04X}") for c in value) + '"'


def _is_assignment(line: str, key: str) -> bool:
    return re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line) is not None


def _line_of(text: str, keys: list[str]) -> int | None:
    """The line of the last key that stands at the start of a line or in a table's header, as far as text can tell."""
    lines = text.split("\n")
    after = 0
    found = None
    for key in keys:
        for number in range(after, len(lines)):
            header = re.match(rf"\s*\[[^\]]*\b{re.escape(key)}\b[^\]]*\]", lines[number])
            if header or _is_assignment(lines[number], key):
                found, after = number + 1, number
                break
    return found
