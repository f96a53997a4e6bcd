"""Where verdicts go: an evaluation by the content address of its judge, its items, and how they were asked about."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

from calibrate.domain import GoldenSet, Json, Model, digest
from calibrate.judge import PromptJudge
from calibrate.store import Store

__all__ = ["Evaluations"]


class Evaluations:
    """Opens the evaluations of one model on one dimension of a golden set.

    Args:
        store: where they are.
        run_id: the run that judges.
        golden: the stored set, restricted to one dimension.
        model: the judge model.
    """

    def __init__(self, store: Store, run_id: int, golden: GoldenSet, model: Model) -> None:
        (self._dimension,) = golden.dimensions
        self._store, self._run_id, self._model, self._golden_digest = store, run_id, model, golden.digest
        self._opened: dict[str, int] = {}

    def open(self, judge: PromptJudge, asked: Mapping[str, Json], repeat: int, holds_all: Callable[[int], bool]) -> int:
        """Return the first evaluation of its kind that ``holds_all`` verdicts already or may be written to.

        What another, finished run refers to stays as it was measured: where a verdict there is missing or has failed,
        all verdicts are recorded in the next one. That is decided once, for what is judged in stages too.

        Args:
            judge: the judge.
            asked: what else is part of the address.
            repeat: the number of the repetition.
            holds_all: whether the verdicts of a frozen evaluation are those that would be written.
        """
        address: dict[str, Json] = {
            "judge": judge.digest,
            "identity": self._model.identity,
            "golden": self._golden_digest,
            "dimension": self._dimension,
            **asked,
        }
        kind = digest(address)
        if kind not in self._opened:
            chain = (
                self._store.evaluation(
                    key=digest({**address, "number": number}) if number else kind,
                    golden_digest=self._golden_digest,
                    dimension=self._dimension,
                    prompt=judge.prompt.text,
                    model=self._model.name,
                    judge={"digest": judge.digest, "settings": judge.settings.to_json()},
                    repeat=repeat,
                )
                for number in itertools.count()
            )
            self._opened[kind] = next(
                each for each in chain if not self._store.is_frozen(each, self._run_id) or holds_all(each)
            )
        return self._opened[kind]
