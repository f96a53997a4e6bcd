"""How a search goes about it, and when it stops."""

from __future__ import annotations

from dataclasses import dataclass, field

from calibrate.optimizer.policies import POLICIES, Policy
from calibrate.optimizer.strategies import STRATEGIES, Strategy

__all__ = ["Limits", "Procedure"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When the loop stops, and how much it shows.

    Attributes:
        iterations: at most so many.
        target: stop when the best score reaches this.
        min_gain: a gain below this over ``patience`` iterations is none.
        patience: iterations without a gain before it stops.
        plateau: the score from which a stop without gain is called ``plateau`` instead of ``stalled``.
        history: prompts shown to the meta-LLM.
        errors: misjudged items shown to the meta-LLM.
        characters: what the prompts shown may have together, and what the items shown may; for meta-LLMs of a small
            context. One item is shown whatever it has.
    """

    iterations: int = 9
    target: float = 0.95
    min_gain: float = 0.02
    patience: int = 3
    plateau: float = 0.80
    history: int = 20
    errors: int = 12
    characters: int = 60_000


@dataclass(frozen=True, slots=True)
class Procedure:
    """How the loop searches.

    Attributes:
        strategies: the ways to rewrite that it may use.
        policy: how it chooses the prompts to rewrite.
        width: candidates of an iteration.
        analysis: whether errors are grouped into failure patterns first.
        seed: of all draws.
    """

    strategies: tuple[Strategy, ...] = STRATEGIES
    policy: Policy = field(default=POLICIES["opro"])
    width: int = 5
    analysis: bool = True
    seed: int = 0
