"""How a calibration is to search: policy, strategies, objective and early stopping, read from a command's options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibrate.domain import Json, Scale
from calibrate.errors import InputError
from calibrate.optimizer import POLICIES, STRATEGIES, Objective, Procedure, Stopping
from calibrate.optimizer.user_strategies import chosen_strategies, load_strategies, strategy_record

__all__ = ["Plan", "SearchOptions"]

_MOST_PLACES = 50


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search.

    Attributes:
        policy: ``opro``, ``pareto`` or ``beam``.
        width: candidates of an iteration.
        strategies: names of the strategies to use; empty for all.
        folder: a folder with strategies of the user's own.
        analysis: whether the meta-LLM groups errors into failure patterns first.
        objective: what candidates are ranked by, as :meth:`Objective.parse` reads it.
        subject_to: the objective's constraint.
        prune: stop candidates that cannot win any more.
        race: stop candidates that are unlikely to win.
    """

    policy: str = "opro"
    width: int = 5
    strategies: tuple[str, ...] = ()
    folder: str | None = None
    analysis: bool = True
    objective: str = "alignment"
    subject_to: str = ""
    prune: bool = False
    race: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The same, read and found sound.

    Attributes:
        procedure: how the loop searches.
        stopping: which candidates are not judged to the end.
        options: what it was read from.
    """

    procedure: Procedure
    stopping: Stopping
    options: SearchOptions

    @classmethod
    def of(cls, options: SearchOptions, *, seed: int) -> Plan:
        """Read options.

        Raises:
            InputError: one of them cannot be used.
        """
        if options.policy not in POLICIES:
            raise InputError(
                f"there is no search policy '{options.policy}'; use {', '.join(POLICIES)}", field="--policy"
            )
        if not 1 <= options.width <= _MOST_PLACES:
            raise InputError(
                f"{options.width} candidates an iteration: 1 to {_MOST_PLACES} are possible", field="--width"
            )
        own = load_strategies(options.folder) if options.folder is not None else ()
        strategies = chosen_strategies(STRATEGIES, own, options.strategies)
        if all(each.brings == "partner" for each in strategies):
            raise InputError(
                f"'{strategies[0].name}' needs a second prompt to unite with; add another --strategy",
                field="--strategy",
            )
        procedure = Procedure(strategies, POLICIES[options.policy], options.width, options.analysis, seed)
        return cls(procedure, Stopping(options.prune, options.race), options)

    def objective(self, scale: Scale) -> Objective:
        """Return what candidates are ranked by on a scale.

        Raises:
            InputError: the scale does not have it, or early stopping is not sound with it.
        """
        objective = Objective.parse(self.options.objective, self.options.subject_to, scale=scale)
        self.stopping.refuse(scale, objective)
        return objective

    def record(self, objective: Objective) -> dict[str, Json]:
        """Return what fixes the search, for a run's specification."""
        return {
            "strategies": strategy_record(self.procedure.strategies),
            "policy": self.procedure.policy.name,
            "width": self.procedure.width,
            "analysis": self.procedure.analysis,
            "objective": objective.text,
            **({"prune": True} if self.stopping.prune else {}),
            **({"race": self.stopping.error} if self.stopping.race else {}),
        }


def names_of(strategies: Sequence[Json]) -> tuple[str, ...]:
    """Return the names in a specification's list of strategies."""
    return tuple(str(each["name"]) if isinstance(each, dict) else str(each) for each in strategies)
