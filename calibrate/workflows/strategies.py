"""The rewrite strategies that a search can use: those that come with the program, and the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calibrate.domain import Json
from calibrate.optimizer.strategies import LENGTHY, STRATEGIES, Strategy
from calibrate.optimizer.user_strategies import ERROR_KINDS, chosen_strategies, load_strategies, strategy_digest

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ONLY_WHERE", "ListedStrategy", "StrategyList", "list_strategies"]

ONLY_WHERE = {
    "evidence quoting": "the judge sees more than one input",
    "shorten": f"the prompt has {LENGTHY} characters or more",
}
"""The conditions of strategies that come with the program, in words: code cannot say what it tests."""

_BRINGS = {
    "nothing": "",
    "partner": "another prompt is right on an item that this one gets wrong",
    "examples": "an item that it gets wrong fits as an example",
}


@dataclass(frozen=True, slots=True)
class ListedStrategy:
    """A strategy, and where it comes from.

    Attributes:
        strategy: the strategy.
        own: whether it is the user's.
        replaces: whether it takes the place of one that comes with the program.
    """

    strategy: Strategy
    own: bool = False
    replaces: bool = False

    @property
    def used_while(self) -> str:
        """When a search uses it, in words that follow "while": ``always`` where nothing restricts it."""
        strategy = self.strategy
        kinds = [kind for kind in ERROR_KINDS if kind in strategy.evidence]
        conditions = [
            f"items come out {_any_of(kinds)}" if kinds else "",
            _BRINGS[strategy.brings],
            "" if self.own else ONLY_WHERE.get(strategy.name, ""),
        ]
        return " and ".join(each for each in conditions if each) or "always"

    def row(self) -> dict[str, Json]:
        """Return the strategy as one row."""
        strategy = self.strategy
        return {
            "name": strategy.name,
            "own": self.own,
            "replaces": self.replaces,
            "description": strategy.description,
            "used_while": self.used_while,
            "evidence": [kind for kind in ERROR_KINDS if kind in strategy.evidence],
            "brings": strategy.brings,
            "keeps_examples": strategy.keeps_examples,
            "request": strategy.request,
            "digest": strategy_digest(strategy) if self.own else None,
        }


@dataclass(frozen=True, slots=True)
class StrategyList:
    """The strategies that a search can use, in the order in which it knows them.

    Attributes:
        strategies: the strategies.
        folder: where the user's own ones come from; None without.
    """

    strategies: tuple[ListedStrategy, ...]
    folder: str | None = None

    @property
    def sentence(self) -> str:
        """How many there are, and of which origin."""
        own = sum(each.own for each in self.strategies)
        replaced = sum(each.replaces for each in self.strategies)
        if self.folder is None:
            return f"A search rewrites the judge's prompt in {len(self.strategies)} ways."
        instead = f", {replaced} of them in place of a built-in one" if replaced else ""
        return (
            f"A search rewrites the judge's prompt in {len(self.strategies)} ways: {len(self.strategies) - own} built "
            f"in, {own} of your own{instead}."
        )

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        from calibrate.workflows.results import document  # loads NumPy, which the table needs not

        return document(
            "ok",
            sentence=self.sentence,
            folder=self.folder,
            strategies=[each.row() for each in self.strategies],
        )

    def frame(self) -> pd.DataFrame:
        """Return the strategies as a pandas frame."""
        import pandas as pd

        return pd.DataFrame([each.row() for each in self.strategies])


def list_strategies(folder: str | Path | None = None) -> StrategyList:
    """Return the strategies that come with the program, and those of a folder.

    Raises:
        InputError: the folder, or a file in it, cannot be used.
    """
    own = () if folder is None else load_strategies(folder)
    mine, built_in = {each.name for each in own}, {each.name for each in STRATEGIES}
    listed = tuple(
        ListedStrategy(each, each.name in mine, each.name in mine and each.name in built_in)
        for each in chosen_strategies(STRATEGIES, own)
    )
    return StrategyList(listed, None if folder is None else str(folder))


def _any_of(kinds: Sequence[str]) -> str:
    return kinds[0] if len(kinds) == 1 else f"{', '.join(kinds[:-1])} or {kinds[-1]}"
