"""What a table of recorded verdicts cannot tell, and the user does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from calibrate.domain import ScaleKind
from calibrate.golden.declaration import Declaration

__all__ = ["RecordedOptions"]


@dataclass(frozen=True, slots=True)
class RecordedOptions:
    """What a table cannot tell.

    Attributes:
        human: the column with the human labels; found by its usual names when not given.
        judges: the columns with the judges' verdicts; found by their usual names when not given.
        scale: the kind of scale.
        labels: the labels; of an ordinal scale in ascending order.
        positive: the positive label of a binary scale.
        threshold: interval scales: scores at or above it are positive.
        low: interval scales: the lowest possible score.
        high: interval scales: the highest possible score.
        aliases: raw label to declared label, in every column; ``{"COLUMN:good": "1"}`` in that column only.
        pass_if: rules such as ``"score >= 0.5"`` that turn the numbers of a column (``score``: of every judge column)
            into the positive or the negative label.
        id: the column with the ids; row numbers when there is none.
        group: the column with the resampling unit.
        by: columns to slice by.
        dimension: the dimension of a table without a dimension column, else the one that is wanted.
        run: the column that tells repeats of an item apart.
        reason: the column with the judge's reasoning; ``JUDGE_reason`` is found by itself.
        confidence_column: the column with the judge's probability, from 0 to 1, that its label is right;
            ``JUDGE_confidence`` is found by itself.
        encoding: of a text file; UTF-8 when not given.
        delimiter: of a CSV file; found when not given.
        from_tool: the tool that wrote the file (``promptfoo``, ``deepeval``, ``inspect``, ``mlflow``, ``langfuse`` or
            ``openinference``); its verdicts, reasons and human labels are then found by what its format says.
        labels_from: a table with the human labels by id, where the file with the verdicts has none.
        needs_human: refuse a table without human labels; False reads verdicts on unlabelled data.
    """

    human: str | None = None
    judges: tuple[str, ...] = ()
    scale: ScaleKind | None = None
    labels: tuple[str, ...] = ()
    positive: str | None = None
    threshold: float | None = None
    low: float | None = None
    high: float | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    pass_if: tuple[str, ...] = ()
    id: str | None = None
    group: str | None = None
    by: tuple[str, ...] = ()
    dimension: str | None = None
    run: str | None = None
    reason: str | None = None
    confidence_column: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    from_tool: str | None = None
    labels_from: str | None = None
    needs_human: bool = True

    def declared(self, columns: Sequence[str], column: str) -> Declaration:
        """Return what is said about the scale, with the aliases that hold in one column."""
        aliases = {}
        for word, label in self.aliases.items():
            where, colon, own = word.partition(":")
            if not colon or where not in columns:
                aliases[word] = label
            elif where == column:
                aliases[own] = label
        return Declaration(
            scale=self.scale,
            labels=self.labels,
            positive=self.positive,
            threshold=self.threshold,
            low=self.low,
            high=self.high,
            aliases=aliases,
        )
