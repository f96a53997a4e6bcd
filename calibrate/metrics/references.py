"""Two judges that know nothing, on the same items: beside them one sees what an alignment is worth (STATISTICS 1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibrate.domain import Json
from calibrate.metrics.agreement import Array, Suite, alignment, components

__all__ = ["Reference", "independent_table", "reference_judges"]


@dataclass(frozen=True, slots=True)
class Reference:
    """Alignments of the two reference judges; None where alignment is undefined on these items.

    Attributes:
        constant: the best judge that gives every item the same label.
        constant_label: that label.
        random: a judge that gives the judge's labels at the judge's rates, whatever the item.
    """

    constant: float | None
    constant_label: str | None
    random: float | None

    def to_json(self) -> dict[str, Json]:
        """Return the figures as JSON."""
        return {"constant": self.constant, "constant_label": self.constant_label, "random": self.random}


def reference_judges(table: Array, how: Suite, *, raw_correlations: bool = False) -> Reference:
    """Return the reference judges for one table.

    Args:
        table: ``[k, k]``, rows gold, columns judge.
        how: the table's suite; an extra class is never gold and never the constant label. Without classes (raw scores
            without a threshold) both judges correlate 0 with people.
        raw_correlations: whether r and rho of raw scores belong to the mean (interval scale): both are 0 here.
    """
    if not how.labels:
        return Reference(0.0, None, 0.0)
    human = table.sum(1)
    candidates = range(len(how.labels) - how.extra_class)
    values = [_alignment(np.outer(human, np.eye(len(how.labels))[at]), how, raw_correlations) for at in candidates]
    random = _alignment(independent_table(table), how, raw_correlations)
    if not np.isfinite(random):
        return Reference(None, None, None)
    best = int(np.argmax(values))
    return Reference(values[best], how.labels[candidates[best]], random)


def independent_table(table: Array) -> Array:
    """Return the table with the same margins and no association: row total x column total / n."""
    total = table.sum()
    return np.outer(table.sum(1), table.sum(0)) / total if total > 0 else table


def _alignment(table: Array, how: Suite, raw_correlations: bool) -> float:
    parts = components(table, how)
    if raw_correlations:
        parts |= {"pearson": np.zeros(()), "spearman": np.zeros(())}
    return float(alignment(parts))
