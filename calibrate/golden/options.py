"""What a user can say about a golden set on the command line or in code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from calibrate.domain import ScaleKind
from calibrate.golden.card import Card
from calibrate.golden.declaration import Declaration

__all__ = ["LoadOptions"]


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What the user says beside, or instead of, a card; each option overrides the card's key of that name.

    Attributes:
        scale: the kind of scale.
        labels: the labels; of an ordinal scale in ascending order.
        positive: the positive label of a binary scale.
        threshold: interval scales: scores at or above it are positive.
        low: interval scales: the lowest possible score.
        high: interval scales: the highest possible score.
        aliases: raw label to declared label, beside the card's.
        columns: role to column, beside the card's.
        id: the column with the ids.
        group: the column with the resampling unit.
        dimension: the set's one dimension; of a set with several, the one that is wanted.
        language: BCP 47 tag.
        inputs: the columns that the judge sees.
        label: the column with the gold labels.
        raters: the columns of the raters.
        adjudicated: the column that decides where raters tie.
        note: the column with the experts' notes.
        name: the set's name.
        encoding: of a text file; UTF-8 when not given.
        delimiter: of a CSV file; found when not given.
        strict: refuse a set in which any item has no gold label.
        needs_labels: refuse a table without label or rater columns; False reads production data with a declared scale.
    """

    scale: ScaleKind | None = None
    labels: tuple[str, ...] = ()
    positive: str | None = None
    threshold: float | None = None
    low: float | None = None
    high: float | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    id: str | None = None
    group: str | None = None
    dimension: str | None = None
    language: str | None = None
    inputs: tuple[str, ...] = ()
    label: str | None = None
    raters: tuple[str, ...] = ()
    adjudicated: str | None = None
    note: str | None = None
    name: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    strict: bool = False
    needs_labels: bool = True

    @property
    def declaration(self) -> Declaration:
        """What is said about the scale."""
        return Declaration(**{each.name: getattr(self, each.name) for each in fields(Declaration)})

    def declared(self, card: Card, dimension: str) -> Declaration:
        """Return what is said about a dimension's scale: by these options, else in its own table, else in the card."""
        declaration = card.declaration
        if dimension in card.dimensions:
            declaration = card.dimensions[dimension].declaration.over(declaration)
        return self.declaration.over(declaration)

    def over(self, card: Card) -> Card:
        """Return the card with the columns, names and language that these options say."""
        said = ("id", "group", "dimension", "language", "inputs", "label", "raters", "adjudicated", "note", "name")
        update = {key: value for key in said if (value := getattr(self, key))}
        return card.model_copy(update={**update, "columns": {**card.columns, **self.columns}})
