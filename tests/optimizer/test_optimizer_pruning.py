"""Pruning without loss: the bound is one, and the winner is exactly that of judging every candidate on all items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import alignment_value
from calibrate.metrics.agreement import alignment, class_scores, components, suite_for
from calibrate.metrics.selection import TIE
from calibrate.optimizer.objective import Objective
from calibrate.optimizer.pruning import best_possible, pruned, refuse_pruning, stages, telling_order

BINARY = Scale("binary", ("0", "1"), positive="1")
NOMINAL = Scale("nominal", ("a", "b", "c"))
PAIRWISE = Scale("pairwise", ("A", "B", "tie"))
ORDINAL = Scale("ordinal", ("1", "2", "3"))
INTERVAL = Scale("interval", threshold=0.5)
ALIGNMENT = Objective()
OBJECTIVES = [
    ALIGNMENT,
    *(
        Objective.parse(*text, scale=BINARY)
        for text in (
            ["recall:0"],
            ["precision"],
            ["cohen_kappa"],
            ["0.7*alignment + 0.3*recall:0"],
            ["recall:0", "precision:0>=0.6"],
            ["alignment", "recall:0>=0.5 and recall:1>=0.7"],
            ["0.5*f1 + 0.5*pearson", "cohen_kappa>=0.1"],
        )
    ),
]


def scored(labels: str) -> list[Verdict]:
    """Verdicts out of letters: ``-`` is unscored."""
    return [Unscored("invalid") if label == "-" else Scored(label) for label in labels]


def known(labels: str) -> list[Verdict | None]:
    """Verdicts out of letters: ``-`` is unscored, ``?`` not yet known."""
    return [None if label == "?" else each for label, each in zip(labels, scored(labels), strict=True)]


# Mending a verdict lowers nothing on a binary scale


def binary_tables(n: int) -> Iterator[tuple[int, int, int, int]]:
    """Every (TP, FN, FP, TN) of n items."""
    for tp, fn, fp in product(range(n + 1), repeat=3):
        if tp + fn + fp <= n:
            yield tp, fn, fp, n - tp - fn - fp


def mended(table: tuple[int, int, int, int]) -> list[tuple[int, int, int, int]]:
    tp, fn, fp, tn = table
    return [(tp + 1, fn - 1, fp, tn)] * (fn > 0) + [(tp, fn, fp - 1, tn + 1)] * (fp > 0)


def figures(tables: Sequence[tuple[int, int, int, int]]) -> dict[str, np.ndarray]:
    """Every figure of tables, undefined ones as 0."""
    tp, fn, fp, tn = np.array(tables, dtype=float).T
    stack = np.stack([np.stack([tn, fp], -1), np.stack([fn, tp], -1)], -2)
    parts = components(stack, suite_for(BINARY))
    precision, recall, _ = class_scores(stack)
    other = {"precision:0": precision[:, 0], "recall:0": recall[:, 0], "alignment": alignment(parts)}
    return {name: np.nan_to_num(each) for name, each in {**parts, **other}.items()}


@pytest.mark.parametrize("n", range(1, 15))
def test_no_figure_falls_when_a_verdict_is_mended(n: int) -> None:
    moves = [(before, after) for before in binary_tables(n) for after in mended(before)]
    before, after = (figures([move[side] for move in moves]) for side in (0, 1))
    assert set(before) > {"alignment", "accuracy", "precision", "recall", "f1", "cohen_kappa", "pearson", "spearman"}
    for name, values in before.items():
        fall = values - after[name]
        worst = int(fall.argmax())
        assert fall[worst] <= 1e-12, (name, moves[worst])


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda each: each.text)
def test_no_objective_falls_when_a_verdict_is_mended(objective: Objective) -> None:
    def value(table: tuple[int, int, int, int]) -> float:
        tp, fn, fp, tn = table
        return objective.value(
            "1" * (tp + fn) + "0" * (fp + tn), scored("1" * tp + "0" * fn + "1" * fp + "0" * tn), BINARY
        )

    values = {each: value(each) for each in binary_tables(6) if 0 < each[0] + each[1] < 6}
    assert all(values[after] >= values[table] - 1e-12 for table in values for after in mended(table))


# What is refused, and why


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda each: each.text)
def test_every_objective_but_a_front_is_bounded_on_a_binary_scale(objective: Objective) -> None:
    refuse_pruning(BINARY, objective)


def test_a_front_is_refused() -> None:
    with pytest.raises(InputError, match="pareto reports every candidate's alignment"):
        refuse_pruning(BINARY, Objective.parse("pareto", scale=BINARY))


@pytest.mark.parametrize(
    ("scale", "falls"),
    [
        (NOMINAL, "on a scale of kind nominal one more agreement can lower Cohen's kappa"),
        (PAIRWISE, "on a scale of kind pairwise one more agreement can lower Cohen's kappa"),
        (ORDINAL, "on a scale of kind ordinal one more agreement can lower alignment"),
        (INTERVAL, "on a scale of kind interval one more agreement can lower the correlation of the scores"),
    ],
)
def test_other_scales_are_refused(scale: Scale, falls: str) -> None:
    with pytest.raises(InputError, match="on binary scales only") as found:
        refuse_pruning(scale, ALIGNMENT)
    assert falls in str(found.value)


def test_one_more_agreement_can_lower_alignment_on_an_ordinal_scale() -> None:
    gold = "112"
    assert alignment_value(gold, scored("233"), ORDINAL) == pytest.approx(0.1571, abs=5e-5)
    assert alignment_value(gold, scored("232"), ORDINAL) == pytest.approx(-0.0140, abs=5e-5)


def test_one_more_agreement_can_lower_kappa_on_a_nominal_scale() -> None:
    kappa = Objective.parse("cohen_kappa", scale=NOMINAL)
    gold = "aaaaaabbbb"
    assert kappa.value(gold, scored("cbbbbbaaaa"), NOMINAL) == pytest.approx(1 - 10 / 5.6)
    assert kappa.value(gold, scored("abbbbbaaaa"), NOMINAL) == pytest.approx(1 - 9 / 5.0)


def test_one_more_agreement_can_lower_a_correlation_of_scores() -> None:
    gold, half = ["0.2", "0.4", "0.6", "0.8"], ["0.1", "0.2", "0.3", "0.4"]
    pearson = Objective.parse("pearson", scale=INTERVAL)
    assert pearson.value(gold, [Scored(each) for each in half], INTERVAL) == pytest.approx(1)
    assert pearson.value(gold, [Scored(each) for each in ["0.1", "0.4", "0.3", "0.4"]], INTERVAL) < 0.9


# The bound


def test_the_bound_takes_what_is_not_known_as_right() -> None:
    gold = "1" * 21 + "0" * 9
    accuracy = Objective.parse("accuracy", scale=BINARY)
    assert best_possible(gold, [None] * 30, BINARY, ALIGNMENT) == 1
    assert best_possible(gold, known("0-" + "?" * 28), BINARY, accuracy) == pytest.approx(28 / 30)
    judged = scored("1" * 19 + "00" + "111" + "0" * 6)  # the calibrated prompt of STATISTICS section 1
    assert best_possible(gold, judged, BINARY, ALIGNMENT) == pytest.approx(0.7514, abs=5e-5)


@given(st.data())
def test_no_candidate_ends_above_its_bound(data: st.DataObject) -> None:
    n = data.draw(st.integers(3, 20))
    gold = "01" + "".join(data.draw(st.lists(st.sampled_from("01"), min_size=n, max_size=n)))
    judged = scored("".join(data.draw(st.lists(st.sampled_from("01-"), min_size=n + 2, max_size=n + 2))))
    order = data.draw(st.permutations(range(n + 2)))
    objective = data.draw(st.sampled_from(OBJECTIVES))
    so_far: list[Verdict | None] = [None] * (n + 2)
    bound = best_possible(gold, so_far, BINARY, objective)
    for at in order:
        so_far[at] = judged[at]
        bound, before = best_possible(gold, so_far, BINARY, objective), bound
        assert bound <= before + 1e-12
    assert bound == objective.value(gold, judged, BINARY)


def test_the_reason_states_the_bound_and_the_best() -> None:
    gold, wrong = "01" * 50, "10" * 20 + "?" * 60
    accuracy = Objective.parse("accuracy", scale=BINARY)
    found = pruned(gold, known(wrong), BINARY, accuracy, 0.61)
    assert found == (
        "stopped after 40 of 100 items: at most 0.6000 with perfect agreement on the rest, the best has 0.6100"
    )
    assert pruned(gold, known(wrong), BINARY, accuracy, 0.59) == ""
    assert pruned(gold, known("10" * 50), BINARY, accuracy, 0.59) == ""  # all known: nothing left to save


def test_a_tie_is_stopped_only_where_ties_lose() -> None:
    gold, judged = "0101010101", known("10" + "?" * 8)
    accuracy = Objective.parse("accuracy", scale=BINARY)
    for best in (0.8, 0.8 + TIE / 2, 0.8 - TIE / 2):
        assert pruned(gold, judged, BINARY, accuracy, best) == ""
        assert pruned(gold, judged, BINARY, accuracy, best, ties_lose=True) != ""


# Order and stages


def test_what_the_incumbent_gets_wrong_comes_first_then_what_others_do() -> None:
    gold, incumbent = "000111", scored("0101-1")  # wrong: 1, 4
    others = [known("111111"), known("1?0?10"), known("00000?")]  # 0: twice; 1, 2, 3, 4, 5: once
    assert telling_order(gold, incumbent, others, BINARY) == [1, 4, 0, 2, 3, 5]
    assert telling_order(gold, incumbent, [], BINARY) == [1, 4, 0, 2, 3, 5]
    assert telling_order(gold, scored(gold), [known("00-??0")], BINARY) == [2, 5, 0, 1, 3, 4]


@pytest.mark.parametrize(
    ("n", "wrong", "sizes"),
    [
        (100, 30, [30, 17, 18, 17, 18]),
        (100, 20, [20, 20, 20, 20, 20]),
        (100, 8, [31, 23, 23, 23]),
        (100, 0, [25, 25, 25, 25]),
        (100, 100, [100]),
        (100, 98, [98, 1, 1]),
        (3, 1, [1, 1, 1]),
        (1, 0, [1]),
    ],
)
def test_stages(n: int, wrong: int, sizes: list[int]) -> None:
    order = list(range(n))[::-1]
    found = stages(order, wrong)
    assert [len(stage) for stage in found] == sizes
    assert [at for stage in found for at in stage] == order


def test_one_part_is_one_stage() -> None:
    assert stages([2, 0, 1], 2, parts=1) == [[2, 0, 1]]


# The winner is that of full scoring


@dataclass(frozen=True)
class Search:
    """The winner of a search, and how many verdicts it took after the first candidate's."""

    winner: int
    calls: int


def world(generator: np.random.Generator) -> tuple[list[str], list[list[Verdict]]]:
    """Gold of unequal classes and candidates that err on the same hard items, some of them rewrites of another."""
    n = int(generator.integers(12, 80))
    gold = (generator.random(n) < generator.uniform(0.1, 0.9)).astype(int)
    gold[:2] = 0, 1
    hard = generator.normal(0, 1.5, n)
    candidates: list[np.ndarray] = []
    for _ in range(int(generator.integers(3, 10))):
        kind = generator.random()
        if kind < 0.1:
            judged = np.full(n, generator.integers(0, 2))
        elif kind < 0.5 and candidates:
            judged = candidates[generator.integers(len(candidates))].copy()
            changed = generator.random(n) < generator.uniform(0, 0.3)
            judged[changed] = generator.integers(0, 2, int(changed.sum()))
        else:
            skill, lean = generator.normal(1, 1), generator.normal(0, 0.7)
            right = skill + hard + np.where(gold == 1, lean, -lean) + generator.logistic(size=n) > 0
            judged = np.where(right, gold, 1 - gold)
        judged = np.where(generator.random(n) < generator.choice([0, 0, 0.05, 0.3]), 2, judged)
        candidates.append(judged)
    return [str(label) for label in gold], [scored("".join("01-"[code] for code in each)) for each in candidates]


def full_search(gold: list[str], candidates: list[list[Verdict]], objective: Objective, margin: float) -> Search:
    values = [objective.value(gold, each, BINARY) for each in candidates]
    winner = 0
    for at, value in enumerate(values):
        if value > values[winner] + margin:
            winner = at
    return Search(winner, len(gold) * (len(candidates) - 1))


def pruned_search(
    gold: list[str], candidates: list[list[Verdict]], objective: Objective, margin: float, *, ties_lose: bool
) -> Search:
    winner, best, calls = 0, objective.value(gold, candidates[0], BINARY), 0
    earlier: list[list[Verdict | None]] = [list(candidates[0])]
    for number, judged in enumerate(candidates[1:], start=1):
        incumbent = candidates[winner]
        wrong = sum(each != Scored(label) for label, each in zip(gold, incumbent, strict=True))
        so_far: list[Verdict | None] = [None] * len(gold)
        for stage in stages(telling_order(gold, incumbent, earlier, BINARY), wrong):
            for at in stage:
                so_far[at] = judged[at]
            calls += len(stage)
            if pruned(gold, so_far, BINARY, objective, best, ties_lose=ties_lose):
                break
        earlier.append(so_far)
        if None not in so_far and (value := objective.value(gold, judged, BINARY)) > best + margin:
            winner, best = number, value
    return Search(winner, calls)


def compare(seeds: range, objective: Objective, *, ties_lose: bool) -> float:
    """Assert that the winners are the same, and return the share of verdicts saved."""
    margin = TIE if ties_lose else 0.0
    calls, all_calls = 0, 0
    for seed in seeds:
        gold, candidates = world(np.random.default_rng(seed))
        full = full_search(gold, candidates, objective, margin)
        quick = pruned_search(gold, candidates, objective, margin, ties_lose=ties_lose)
        assert quick.winner == full.winner, (seed, objective.text)
        calls, all_calls = calls + quick.calls, all_calls + full.calls
    assert calls < all_calls
    return 1 - calls / all_calls


@pytest.mark.slow
@pytest.mark.parametrize("ties_lose", [False, True])
def test_the_winner_is_that_of_full_scoring(ties_lose: bool) -> None:
    for objective in OBJECTIVES:
        compare(range(12), objective, ties_lose=ties_lose)


@pytest.mark.slow
@pytest.mark.parametrize("ties_lose", [False, True])
@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda each: each.text)
def test_the_winner_of_thousands_of_searches_is_that_of_full_scoring(objective: Objective, ties_lose: bool) -> None:
    saved = compare(range(100, 600), objective, ties_lose=ties_lose)
    print(f"\n{objective.text}, ties {'lose' if ties_lose else 'go on'}: calls saved {saved:.3f}")
