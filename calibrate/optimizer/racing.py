"""Racing: a candidate that agrees with the experts less often than the incumbent is stopped, at a stated error rate.

Items are judged in a random order. A candidate that on all items would agree with the experts at least as often as the
incumbent is stopped with a probability of at most ``error``, over the order. Verdicts are taken as they are: nothing is
assumed about the judge, and that the incumbent was chosen on the same items does not matter. Two things have to hold:
the order is drawn anew for each candidate, after the candidate and its incumbent are fixed (an order in use before has
helped to choose them), and at most ``looks`` looks are taken. Each looks at level ``error / looks``, so that the sum
over looks (Bonferroni) keeps the rate. It is a rate for each candidate, not for all of a search together.

The test at one look. On all n items let D be discordant (one of the two judges is right, the other wrong), W of them
won by the candidate. The d discordant items among those seen are a random part of the D: the wins w among them are
hypergeometric, given d. The hypothesis is W >= D/2; of its W the least, ceil(D/2), makes few wins most likely. D itself
is unknown, between d and d + remaining: p is the largest of P(Hypergeometric(D, ceil(D/2), d) <= w) over those. For w <
d/2 it is that of the largest even D:

- Odd D is never the worst: D - 1 has one win less to draw from and D + 1 one loss more, each of which makes wins rarer
  and P larger.
- Of even D = 2K the largest is the worst: the ratio of the probabilities of w at K + 1 and at K is a constant over
  (K + 1 - w)(K + 1 - d + w), which is largest at w = d/2. So the step to K + 1 takes from the middle and gives to both
  sides, in equal parts by symmetry, and every lower tail below the middle grows.

For w >= d/2, D = d gives p = 1. The binomial(d, 1/2) is the limit for many remaining items and is above p throughout;
p is smaller the fewer remain, down to 0 where the rest cannot make up for the losses.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from calibrate.domain import Scale, Scored, Verdict
from calibrate.errors import InputError
from calibrate.optimizer.objective import Objective

__all__ = ["ERROR", "beaten", "raced", "random_order", "refuse_racing"]

ERROR = 0.05
"""How often a candidate may be stopped that agrees at least as often as the incumbent."""


def refuse_racing(scale: Scale, objective: Objective) -> None:
    """Refuse objectives and scales for which fewer agreements do not say that a candidate is worse.

    Raises:
        InputError: the scale is ordinal or interval, where disagreements differ in size; or the objective is pareto,
            has a constraint, or rests on precision or recall, which rise while agreement falls.
    """
    tested = "racing tests how often a candidate agrees with the experts"
    if scale.kind not in ("binary", "nominal", "pairwise"):
        raise InputError(f"{tested}; on a scale of kind {scale.kind} it matters also by how much it is off")
    if objective.front:
        raise InputError(f"{tested}; pareto needs every candidate's alignment, beside its cost")
    if objective.bounds:
        raise InputError(f"{tested}; a candidate can agree less often and alone meet the constraint")
    one_sided = next((each.text for each in objective.figures if each.name in ("precision", "recall")), None)
    if one_sided is not None:
        raise InputError(f"{tested}; a candidate can agree less often and have the higher {one_sided}")


def random_order(n: int, seed: int | Sequence[int]) -> list[int]:
    """Return the positions 0 to n - 1 in a random order.

    Args:
        n: how many items.
        seed: of non-negative numbers, such as a search's seed and a candidate's number: each candidate needs an order
            of its own.
    """
    import numpy as np

    return [int(at) for at in np.random.default_rng(seed).permutation(n)]


def beaten(wins: int, losses: int, remaining: int) -> float:
    """Return the p-value of the hypothesis that on all items the candidate wins at least as often as it loses.

    Args:
        wins: items seen that the candidate has right and the incumbent wrong.
        losses: items seen that the incumbent has right and the candidate wrong.
        remaining: items not yet seen.
    """
    if wins >= losses:
        return 1.0
    seen = wins + losses
    half = (seen + remaining) // 2  # wins, and losses, among the largest even number of discordant items
    if losses > half:
        return 0.0
    ways = sum(comb(half, won) * comb(half, seen - won) for won in range(max(0, seen - half), wins + 1))
    return ways / comb(2 * half, seen)


def raced(
    labels: Sequence[str],
    incumbent: Sequence[Verdict],
    verdicts: Sequence[Verdict | None],
    *,
    looks: int,
    error: float = ERROR,
) -> str:
    """Say why a candidate is stopped at this look; empty when it goes on, or when all its verdicts are known.

    Args:
        labels: gold, ``[n]``.
        incumbent: the verdicts of the best prompt so far, ``[n]``.
        verdicts: the candidate's on the same items, known on the first of its random order, else None. An unscored
            verdict is a disagreement.
        looks: how many looks are taken at most, fixed before the first.
        error: the error rate over all looks, in (0, 1).
    """
    rows = [row for row in zip(labels, incumbent, verdicts, strict=True) if row[2] is not None]
    remaining = len(labels) - len(rows)
    if remaining == 0:
        return ""
    outcomes = [(_agrees(label, verdict), _agrees(label, best)) for label, best, verdict in rows]
    wins, losses = outcomes.count((True, False)), outcomes.count((False, True))
    p = beaten(wins, losses, remaining)
    if p > error / looks:
        return ""
    return (
        f"stopped after {len(rows)} of {len(labels)} items: {wins} won and {losses} lost against the best "
        f"({_p_in_words(p)}; error rate {error:g})"
    )


def _agrees(label: str, verdict: Verdict | None) -> bool:
    return isinstance(verdict, Scored) and verdict.label == label


def _p_in_words(p: float) -> str:
    return f"p = {p:.3f}" if p >= 0.0005 else "p < 0.001"
