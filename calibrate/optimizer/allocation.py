"""Which strategies get the next calls: those that have won, drawn so that the others keep a chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from calibrate.optimizer.trials import Trial

__all__ = ["Draw", "Tally", "allocate", "tallies"]

_MEMORY = 0.8
"""Weight of what a strategy did one iteration ago, beside what it does now: what helped at first may be used up."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How a strategy has fared.

    Attributes:
        tries: candidates that it proposed.
        wins: those that scored above their parent, and above their second parent where they had one.
        recent_wins: wins, each weighed by how long ago it was.
        recent_losses: the other tries, weighed alike.
    """

    tries: int = 0
    wins: int = 0
    recent_wins: float = 0.0
    recent_losses: float = 0.0


@dataclass(frozen=True, slots=True)
class Draw:
    """A strategy that was drawn.

    Attributes:
        strategy: its name.
        value: the chance of a win that was drawn for it, in [0, 1].
        tries: its tries so far.
        wins: its wins so far.
    """

    strategy: str
    value: float
    tries: int
    wins: int


def tallies(trials: Sequence[Trial], iteration: int) -> dict[str, Tally]:
    """Return how each strategy has fared before an iteration; a rewrite that was rejected or stopped has not won."""
    scores = {trial.candidate.number: trial.score for trial in trials}
    found: dict[str, Tally] = {}
    for trial in trials:
        candidate = trial.candidate
        if candidate.parent is None:
            continue
        before = found.get(candidate.strategy, Tally())
        won = _won(trial, scores)
        weight = _MEMORY ** (iteration - 1 - candidate.iteration)
        found[candidate.strategy] = Tally(
            before.tries + 1,
            before.wins + won,
            before.recent_wins + weight * won,
            before.recent_losses + weight * (not won),
        )
    return found


def allocate(names: Sequence[str], tally: Mapping[str, Tally], count: int, random: Random) -> list[Draw]:
    """Draw the strategies of an iteration by Thompson sampling, the highest draw first.

    For each strategy a chance of winning is drawn from the Beta distribution of its wins and losses (even prior), and
    the strategies with the highest draws are used; with fewer strategies than places they are used again in turn.

    Args:
        names: the strategies that apply, in their order.
        tally: how they have fared; those without an entry are new.
        count: places to fill.
        random: the draws.
    """
    draws = []
    for name in names:
        known = tally.get(name, Tally())
        value = random.betavariate(1 + known.recent_wins, 1 + known.recent_losses)
        draws.append(Draw(name, value, known.tries, known.wins))
    ranked = sorted(draws, key=lambda draw: -draw.value)
    return [ranked[place % len(ranked)] for place in range(count)] if ranked else []


def _won(trial: Trial, scores: Mapping[int, float | None]) -> bool:
    if trial.score is None:
        return False
    candidate = trial.candidate
    before = [scores.get(number) for number in (candidate.parent, candidate.partner) if number is not None]
    return all(trial.score > score for score in before if score is not None)
