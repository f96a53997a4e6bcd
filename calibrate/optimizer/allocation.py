"""Which strategies get the next calls: those that have done well, drawn so that the others keep a chance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from calibrate.optimizer.trials import Trial

__all__ = ["Draw", "Tally", "allocate", "tallies"]

_STEP = 0.03
"""A gain of this much over the parent counts as 0.73 of a success, none as half of one, a loss of it as 0.27."""
_WEIGHT = 2.0
"""How much a try weighs beside the even prior, which is one success and one failure."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How a strategy has fared.

    Attributes:
        tries: candidates that it proposed.
        wins: those that scored above their parent, and above their second parent where they had one.
        success: the sum over its tries of how well each did, in [0, tries].
    """

    tries: int = 0
    wins: int = 0
    success: float = 0.0


@dataclass(frozen=True, slots=True)
class Draw:
    """A strategy that was drawn.

    Attributes:
        strategy: its name.
        value: the chance of success that was drawn for it, in [0, 1].
        tries: its tries so far.
        wins: its wins so far.
    """

    strategy: str
    value: float
    tries: int
    wins: int


def tallies(trials: Sequence[Trial]) -> dict[str, Tally]:
    """Return how each strategy has fared.

    Wins are rare: a strategy that comes close teaches more than one that ruins the prompt, so that success is a matter
    of degree, the logistic function of the gain over the parent (the better one, of two). A rewrite that was rejected
    or stopped is no success at all.
    """
    scores = {trial.candidate.number: trial.score for trial in trials}
    found: dict[str, Tally] = {}
    for trial in trials:
        if trial.candidate.parent is None:
            continue
        before = found.get(trial.candidate.strategy, Tally())
        gain = _gain(trial, scores)
        success = 0.0 if gain is None else (1 + math.tanh(gain / (2 * _STEP))) / 2  # the logistic, without overflow
        won = gain is not None and gain > 0
        found[trial.candidate.strategy] = Tally(before.tries + 1, before.wins + won, before.success + success)
    return found


def allocate(names: Sequence[str], tally: Mapping[str, Tally], random: Random) -> list[Draw]:
    """Draw an order of strategies by Thompson sampling, the highest draw first.

    For each strategy a chance of success is drawn from the Beta distribution of its successes and failures (even
    prior).

    Args:
        names: the strategies that apply, in their order.
        tally: how they have fared; those without an entry are new.
        random: the draws.
    """
    draws = []
    for name in names:
        known = tally.get(name, Tally())
        failure = known.tries - known.success
        value = random.betavariate(1 + _WEIGHT * known.success, 1 + _WEIGHT * failure)
        draws.append(Draw(name, value, known.tries, known.wins))
    return sorted(draws, key=lambda draw: -draw.value)


def _gain(trial: Trial, scores: Mapping[int, float | None]) -> float | None:
    candidate = trial.candidate
    before = [scores.get(number) for number in (candidate.parent, candidate.partner) if number is not None]
    known = [score for score in before if score is not None]
    return None if trial.score is None or not known else trial.score - max(known)
