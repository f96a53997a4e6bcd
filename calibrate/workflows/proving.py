"""Testing a winner: against chance, against the judge's own noise, and on items that no meta-prompt saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibrate.domain import GoldenSet, Text, Verdict, digest
from calibrate.errors import InputError
from calibrate.golden import load_golden
from calibrate.judge import Prompt
from calibrate.metrics import Comparison, NoiseFloor, compare, corrected_for_choosing, noise_floor, permutation_p
from calibrate.providers import Ledger
from calibrate.store import Store
from calibrate.workflows.evaluation import Evaluator
from calibrate.workflows.evidence import Chance, Evidence, Noise, Unseen
from calibrate.workflows.progress import Progress
from calibrate.workflows.search import PlannedSearch
from calibrate.workflows.setup import Prepared

__all__ = ["Prover", "compare_on"]

Verdicts = Mapping[str, Verdict]


class Prover:
    """Tests the winner of one run; what it judges is recorded and paid by that run.

    Args:
        store: the run database.
        run_id: the run.
        part: the dimension, with the items that the search may see and those that were held out.
        search: the judge and the options.
        progress: told of what happens.
        ledger: the command's.
    """

    def __init__(
        self, store: Store, run_id: int, part: Prepared, search: PlannedSearch, progress: Progress, ledger: Ledger
    ) -> None:
        self._store, self._run_id, self._part = store, run_id, part
        self._search, self._progress, self._ledger = search, progress, ledger

    def chance(self, judged: Sequence[Verdicts]) -> Chance | None:
        """Return whether choosing explains the gain; ``judged`` holds the baseline first, then every scored rewrite."""
        if len(judged) < 2:
            return None
        golden, seed = self._part.golden, self._search.options.seed
        items, scale = golden.labelled, golden.scales[self._part.dimension]
        human, groups = [item.label for item in items], _groups(golden)
        baseline, *others = [[verdicts[item.id] for item in items] for verdicts in judged]
        return Chance.of(
            permutation_p(human, baseline, others, scale, groups=groups, seed=seed),
            corrected_for_choosing(human, [baseline, *others], scale, groups=groups, seed=seed),
        )

    async def noise(self, baseline: Prompt, verdicts: Verdicts, winner: Prompt | None, repeats: int) -> Noise | None:
        """Run baseline and winner again; the baseline's first run counts as one of its repeats, the winner's does not.

        Args:
            baseline: the prompt that the search started from.
            verdicts: its first run.
            winner: the best prompt; None when that is the baseline.
            repeats: fresh runs of each; below 2 nothing is measured.
        """
        if repeats < 2:
            return None
        again = [(baseline, number) for number in range(1, repeats)]
        if winner is not None:
            again += [(winner, number) for number in range(1, repeats + 1)]
        evaluator = self._evaluator(self._part.golden)
        runs = [each.verdicts for each in await evaluator.repeat(again, f"Noise: {repeats} runs each")]
        before, after = [verdicts, *runs[: repeats - 1]], runs[repeats - 1 :]
        return Noise.of(self._floor(before), self._floor(after) if after else None)

    async def holdout(self, baseline: Prompt, winner: Prompt) -> Unseen | None:
        """Compare winner and baseline on the items that were held out; None when there are none."""
        held = self._part.held_out
        if held is None:
            return None
        comparison = await self.on(held, baseline, winner, "Holdout")
        return Unseen.of("holdout", comparison, uses=self._uses(held.digest) + 1, digest=held.digest)

    async def confirm(self, file: str, baseline: Prompt, winner: Prompt) -> Unseen:
        """Compare winner and baseline on fresh labels; items that the calibration's set holds too are left out.

        Raises:
            InputError: the file cannot be used, has another scale, or holds nothing new.
        """
        loaded = load_golden(file, self._search.options.load)
        dimension, golden = self._part.dimension, loaded.golden
        if dimension not in golden.scales:
            raise InputError(f"no dimension '{dimension}' in it; it has {', '.join(golden.dimensions)}", file=file)
        fresh = golden.only(dimension)
        if fresh.scales[dimension] != self._part.golden.scales[dimension]:
            raise InputError(f"its '{dimension}' has another scale than the set that was calibrated on", file=file)
        known = {_content(item.inputs) for part in self._parts() for item in part.items}
        new = fresh.with_items(item for item in fresh.labelled if _content(item.inputs) not in known)
        left_out = len(fresh.labelled) - len(new.items)
        if left_out:
            self._progress.note(f"{left_out} items of {file} are in the calibration's own set and are left out")
        if not new.items:
            raise InputError("all its labelled items are in the set that was calibrated on", file=file)
        comparison = await self.on(new, baseline, winner, "Fresh labels")
        return Unseen.of("confirm", comparison, uses=self._uses(new.digest) + 1, digest=new.digest, where=file)

    async def on(self, golden: GoldenSet, baseline: Prompt, winner: Prompt, title: str) -> Comparison:
        """Judge items with both prompts and compare them."""
        before, after = await self.judge(golden, [baseline, winner], title)
        return compare_on(golden, before, after, seed=self._search.options.seed)

    async def judge(self, golden: GoldenSet, prompts: Sequence[Prompt], title: str) -> list[Verdicts]:
        """Judge items with prompts; the results come in the order of the prompts."""
        self._store.save_golden(golden, self._part.source)
        return [each.verdicts for each in await self._evaluator(golden).evaluate(prompts, title)]

    def _evaluator(self, golden: GoldenSet) -> Evaluator:
        judge = self._search.options.judge
        return Evaluator(
            self._store,
            self._run_id,
            golden,
            self._search.judge,
            self._part.settings,
            concurrency=judge.concurrency,
            progress=self._progress,
            ledger=self._ledger,
            fresh=judge.fresh,
            poll_seconds=judge.polls_every,
        )

    def _floor(self, runs: Sequence[Verdicts]) -> NoiseFloor:
        golden = self._part.golden
        items = golden.labelled
        return noise_floor(
            [item.label for item in items],
            [[verdicts[item.id] for item in items] for verdicts in runs],
            golden.scales[self._part.dimension],
            seed=self._search.options.seed,
        )

    def _parts(self) -> list[GoldenSet]:
        return [part for part in (self._part.golden, self._part.held_out) if part is not None]

    def _uses(self, key: str) -> int:
        """How often other runs have judged a winner on these items."""
        return sum(
            unseen.digest == key
            for run in self._store.runs()
            if run.id != self._run_id
            for unseen in Evidence.from_json((run.result or {}).get("evidence")).unseen
        )


def compare_on(golden: GoldenSet, before: Verdicts, after: Verdicts, *, seed: int) -> Comparison:
    """Compare two judges on the labelled items of a set with one dimension, paired: second less first."""
    (dimension,) = golden.dimensions
    items = golden.labelled
    return compare(
        [item.label for item in items],
        [before[item.id] for item in items],
        [after[item.id] for item in items],
        golden.scales[dimension],
        groups=_groups(golden),
        seed=seed,
    )


def _groups(golden: GoldenSet) -> list[str | None] | None:
    groups = [item.group for item in golden.labelled]
    return groups if any(groups) else None


def _content(inputs: Mapping[str, Text]) -> str:
    return digest({name: value if isinstance(value, str) else list(value) for name, value in inputs.items()})
