"""Testing a winner: against chance, against the judge's own noise, and on items that no meta-prompt saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from calibrate.domain import GoldenSet, Verdict
from calibrate.golden import side_key
from calibrate.judge import Prompt
from calibrate.metrics import Comparison, NoiseFloor, compare, corrected_for_choosing, noise_floor, permutation_p
from calibrate.providers import Ledger
from calibrate.store import Store
from calibrate.workflows.evaluation import own_repeats
from calibrate.workflows.evidence import Chance, Evidence, Noise, Source, Unseen
from calibrate.workflows.progress import Progress
from calibrate.workflows.search import PlannedSearch
from calibrate.workflows.setup import Prepared
from calibrate.workflows.two_step import AnyEvaluator, evaluator_for

__all__ = ["Prover", "compare_on", "item_digests"]

Verdicts = Mapping[str, Verdict]

_DIGITS = 8


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
        """Return whether choosing explains the gain.

        A rewrite that was stopped could have won by chance too, so that it counts: each verdict it lacks is drawn from
        those that other prompts gave on the item. Left out, it would make the p value too small.

        Args:
            judged: the verdicts of the baseline, then those of every rewrite that was judged, to the end or not.
        """
        if len(judged) < 2:
            return None
        golden, seed = self._part.golden, self._search.options.seed
        items, scale = golden.labelled, golden.scales[self._part.dimension]
        human, groups = [item.label for item in items], _groups(golden)
        whole = [verdicts for verdicts in judged if all(item.id in verdicts for item in items)]
        random = Random(seed)
        baseline, *others = [
            [verdicts.get(item.id) or random.choice(whole)[item.id] for item in items] for verdicts in judged
        ]
        return Chance.of(
            permutation_p(human, baseline, others, scale, groups=groups, seed=seed),
            corrected_for_choosing(human, [baseline, *others], scale, groups=groups, seed=seed),
            len(judged) - len(whole),
        )

    async def noise(
        self,
        baseline: Prompt,
        verdicts: Verdicts,
        winner: Prompt | None,
        repeats: int,
        *,
        without: Sequence[str] = (),
    ) -> Noise | None:
        """Run baseline and winner again; the baseline's first run counts as one of its repeats, the winner's does not.

        Args:
            baseline: the prompt that the search started from.
            verdicts: its first run.
            winner: the best prompt; None when that is the baseline.
            repeats: fresh runs of each; below 2 nothing is measured.
            without: items that the winner shows as examples; neither prompt is run on them.
        """
        if repeats < 2:
            return None
        # Under numbers of this run's own: what another run was answered would hide a change of the model since.
        numbers = own_repeats(self._run_id, 2 * repeats - 1, votes=self._part.settings.votes)
        again = [(baseline, number) for number in numbers[: repeats - 1]]
        if winner is not None:
            again += [(winner, number) for number in numbers[repeats - 1 :]]
        golden = self._part.golden.without(without)
        if without:
            self._store.save_golden(golden, self._part.source)
        evaluator = self._evaluator(golden)
        runs = [each.verdicts for each in await evaluator.repeat(again, f"Noise: {repeats} runs each")]
        before, after = [verdicts, *runs[: repeats - 1]], runs[repeats - 1 :]
        return Noise.of(self._floor(golden, before), self._floor(golden, after) if after else None)

    async def holdout(self, baseline: Prompt, winner: Prompt) -> Unseen | None:
        """Compare winner and baseline on the items that were held out; None when there are none."""
        held = self._part.held_out
        return None if held is None else await self._test("holdout", held, baseline, winner, "Holdout")

    async def confirm(self, baseline: Prompt, winner: Prompt) -> Unseen | None:
        """Compare winner and baseline on fresh labels; None when there are none."""
        fresh, where = self._part.fresh, self._search.options.confirm
        if fresh is None:
            return None
        return await self._test("confirm", fresh, baseline, winner, "Fresh labels", where=where or "")

    async def _test(
        self, source: Source, golden: GoldenSet, baseline: Prompt, winner: Prompt, title: str, where: str = ""
    ) -> Unseen:
        comparison = await self.on(golden, baseline, winner, title)
        items = item_digests(golden)
        return Unseen.of(source, comparison, uses=self._uses(items) + 1, items=items, where=where)

    async def on(self, golden: GoldenSet, baseline: Prompt, winner: Prompt, title: str) -> Comparison:
        """Judge items with both prompts and compare them."""
        before, after = await self.judge(golden, [baseline, winner], title)
        return compare_on(golden, before, after, seed=self._search.options.seed)

    async def judge(self, golden: GoldenSet, prompts: Sequence[Prompt], title: str) -> list[Verdicts]:
        """Judge items with prompts; the results come in the order of the prompts."""
        self._store.save_golden(golden, self._part.source)
        return [each.verdicts for each in await self._evaluator(golden).evaluate(prompts, title)]

    def _evaluator(self, golden: GoldenSet) -> AnyEvaluator:
        return evaluator_for(
            self._store,
            self._run_id,
            self._part,
            self._search.judge,
            self._search.options.judge,
            progress=self._progress,
            ledger=self._ledger,
            golden=golden,
        )

    def _floor(self, golden: GoldenSet, runs: Sequence[Verdicts]) -> NoiseFloor:
        items = golden.labelled
        return noise_floor(
            [item.label for item in items],
            [[verdicts[item.id] for item in items] for verdicts in runs],
            golden.scales[self._part.dimension],
            seed=self._search.options.seed,
        )

    def _uses(self, items: Sequence[str]) -> int:
        """How many tests of winners some of these items have been in before."""
        mine = set(items)
        return sum(
            unseen.source != "cross_fit" and not mine.isdisjoint(unseen.items)
            for run in self._store.runs()
            for unseen in Evidence.from_json((run.result or {}).get("evidence")).unseen
        )


def item_digests(golden: GoldenSet) -> tuple[str, ...]:
    """Return what tells the labelled items of a set with one dimension from others, whatever their labels."""
    (dimension,) = golden.dimensions
    return tuple(sorted({side_key(item, dimension)[:_DIGITS] for item in golden.labelled}))


def compare_on(golden: GoldenSet, before: Verdicts, after: Verdicts, *, seed: int) -> Comparison:
    """Compare two judges on the labelled items of a set with one dimension, paired: second less first.

    An item without a verdict counts as a disagreement: nobody wins by declining hard items.
    """
    (dimension,) = golden.dimensions
    items = golden.labelled
    return compare(
        [item.label for item in items],
        [before[item.id] for item in items],
        [after[item.id] for item in items],
        golden.scales[dimension],
        invalid="wrong",
        groups=_groups(golden),
        seed=seed,
    )


def _groups(golden: GoldenSet) -> list[str | None] | None:
    groups = [item.group for item in golden.labelled]
    return groups if any(groups) else None
