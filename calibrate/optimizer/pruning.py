"""Pruning without loss: a candidate is stopped as soon as perfect agreement on the rest could not make it the best.

The bound is the value with every verdict not yet known taken to agree with gold. It holds where no figure falls when
one verdict is mended (turned from a disagreement into agreement): mending those of the final verdicts that turn out
wrong leads to the bound's.

On a binary scale no figure falls. Let P and N count gold, a = TP, d = TN, b = P - a = FN, c = N - d = FP, s = a + c
predicted positive, t = b + d predicted negative. Mending raises a by 1 (b falls) or d by 1 (c falls).

- Accuracy (a + d)/(P + N), recall a/P and d/N: plain.
- Precision a/(a + c) rises in a and falls in c. Nothing predicted is 0; mending leads there only from a = 0,
  c = 1, which is 0 too. The other label's is the same with the classes exchanged.
- F1 a/(a + (b + c)/2) rises in a and falls in b and c; with P = 0 it is 0 throughout.
- Kappa 2u/(N s + P t) with u = a N - c P = a N + d P - N P: its derivative in a has the sign of
  N**2 - d (N - P) >= d P >= 0, as d <= N; in d by symmetry. A constant judge has u = 0.
- Phi, which r and rho are: u/sqrt(P N s t). Its derivative in a has the sign of 2 N s t - u (t - s), which is at least
  N s t: where t >= s because u = a N - c P <= N s, else because -u = b N - d P <= N t; in d by symmetry. A constant
  judge has 0. Mending away from it leads to u > 0 (from s = 0 to a = 1, c = 0, u = N; from t = 0 to d = 1, b = 0,
  u = P), mending into it comes from u < 0 (from t = 1: b = 1, d = 0, u = -N; from s = 1: c = 1, a = 0, u = -P).
- One-class gold: kappa and phi are 0 throughout, and alignment is an error.

So neither alignment (their mean) falls, nor a weighted mean, nor the value under a constraint: shortfalls do not grow,
and feasible values, at least 0, stand above them.

Elsewhere it does not hold: on an ordinal scale margins, mid-ranks and the classes that occur move with a verdict, and
alignment can fall; on nominal scales kappa can, on raw scores r.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from calibrate.domain import Scale, Scored, Verdict
from calibrate.errors import InputError
from calibrate.optimizer.objective import Objective

__all__ = ["best_possible", "pruned", "refuse_pruning", "stages", "telling_order"]

_CAN_FALL = {
    "nominal": "Cohen's kappa",
    "pairwise": "Cohen's kappa",
    "ordinal": "alignment",
    "interval": "the correlation of the scores",
}


def refuse_pruning(scale: Scale, objective: Objective) -> None:
    """Refuse what the bound is not proven for.

    Raises:
        InputError: the scale is not binary, or a front needs the full score of every candidate.
    """
    if objective.front:
        raise InputError("pareto reports every candidate's alignment: none can be stopped early")
    if scale.kind != "binary":
        raise InputError(
            "candidates can be stopped early without loss on binary scales only: on a scale of kind "
            f"{scale.kind} one more agreement can lower {_CAN_FALL[scale.kind]}, so that there is no proven bound on "
            "what a candidate can still reach"
        )


def best_possible(
    labels: Sequence[str], verdicts: Sequence[Verdict | None], scale: Scale, objective: Objective
) -> float:
    """Return the value if every verdict not yet known agreed with gold: no candidate with these verdicts ends higher.

    Args:
        labels: gold, ``[n]``.
        verdicts: the verdicts on the same items, None where there is none yet.
        scale: a binary scale (see :func:`refuse_pruning`).
        objective: what candidates are ranked by.

    Raises:
        InputError: as :meth:`Objective.value`.
    """
    assumed = [Scored(label) if each is None else each for label, each in zip(labels, verdicts, strict=True)]
    return objective.value(labels, assumed, scale)


def telling_order(
    labels: Sequence[str], incumbent: Sequence[Verdict], others: Sequence[Sequence[Verdict | None]], scale: Scale
) -> list[int]:
    """Return the positions of all items, the most telling first.

    What the incumbent gets wrong comes first, since it bounds what can be gained; then what earlier candidates got
    wrong most often; equals in the order of the set.

    Args:
        labels: gold, ``[n]``.
        incumbent: the verdicts of the best prompt so far, ``[n]``.
        others: the verdicts of earlier candidates, each ``[n]``, None where one was stopped before.
        scale: a binary scale.
    """

    def telling(at: int) -> tuple[bool, int]:
        often = sum(_wrong(labels[at], other[at], scale) for other in others)
        return not _wrong(labels[at], incumbent[at], scale), -often

    return sorted(range(len(labels)), key=telling)


def stages(order: Sequence[int], wrong: int, parts: int = 5) -> list[list[int]]:
    """Cut an order into stages, after each of which a candidate may be stopped.

    Args:
        order: as :func:`telling_order` gives it.
        wrong: how many the incumbent gets wrong, which lead the order. They are the first stage, together with the next
            part where they are fewer than ``1 / parts`` of all.
        parts: the rest is cut into ``parts - 1`` equal parts.
    """
    first, rest = list(order[:wrong]), list(order[wrong:])
    count = max(1, min(parts - 1, len(rest)))
    ends = [len(rest) * at // count for at in range(count + 1)]
    equal = [rest[start:end] for start, end in pairwise(ends)]
    if parts <= 1 or len(first) * parts < len(order):
        return [first + equal[0], *equal[1:]]
    return [stage for stage in (first, *equal) if stage]


def pruned(
    labels: Sequence[str],
    verdicts: Sequence[Verdict | None],
    scale: Scale,
    objective: Objective,
    best_value: float,
    *,
    ties_lose: bool = False,
) -> str:
    """Say why a candidate cannot become the best; empty when it can, or when all its verdicts are known.

    Args:
        labels: gold, ``[n]``.
        verdicts: the verdicts on the same items, None where there is none yet.
        scale: a binary scale (see :func:`refuse_pruning`).
        objective: what candidates are ranked by.
        best_value: the best value so far.
        ties_lose: whether a candidate that can only equal the best is stopped too: right where the earlier one wins a
            tie and values within ``TIE`` of each other are one.
    """
    known = sum(each is not None for each in verdicts)
    if known == len(verdicts):
        return ""
    from calibrate.metrics.selection import TIE

    bound = best_possible(labels, verdicts, scale, objective)
    if bound < best_value - TIE or (ties_lose and bound <= best_value + TIE):
        return (
            f"stopped after {known} of {len(labels)} items: at most {bound:.4f} with perfect agreement on the rest, "
            f"the best has {best_value:.4f}"
        )
    return ""


def _wrong(label: str, verdict: Verdict | None, scale: Scale) -> bool:
    """Whether a known verdict differs from gold; an unscored one does."""
    if verdict is None:
        return False
    return not isinstance(verdict, Scored) or scale.passes(verdict.label) != scale.passes(label)
