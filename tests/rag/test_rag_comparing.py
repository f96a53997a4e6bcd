from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rag.factories import figure

from calibrate.metrics import holm, mcnemar_exact
from calibrate.rag import Figure
from calibrate.rag.comparing import Paired, compare_variants


def compared(before: list[float], after: list[float], name: str = "faithfulness", **fields: object) -> Paired:
    (found,) = compare_variants({"a": [figure(name, before, **fields)], "b": [figure(name, after, **fields)]})
    return found


def test_values_of_0_and_1_are_tested_by_mcnemar() -> None:
    found = compared([0] * 10 + [1] * 20, [1] * 9 + [0] + [1] * 20, "hit_rate@5")
    assert found.p == mcnemar_exact(0, 9)
    assert found.difference == pytest.approx(0.3)
    assert found.low is not None
    assert found.low > 0
    assert found.conclusion == "better"
    assert len(found.changed) == 9


def test_other_values_are_tested_by_flipping_signs() -> None:
    before = [0.1 * (at % 5) for at in range(12)]
    found = compared(before, [value + 0.1 for value in before])
    assert found.p == pytest.approx(2 / 2**12)
    assert found.conclusion == "better"


def test_many_changes_are_tested_by_seeded_draws() -> None:
    generator = np.random.default_rng(1)
    before = list(generator.random(40) / 2)
    after = [value + 0.2 + 0.05 * generator.random() for value in before]
    found, again = compared(before, after), compared(before, after)
    assert found == again
    assert found.p == pytest.approx(1 / 10_001)
    assert found.low is not None
    assert found.high is not None
    assert found.difference is not None
    assert 0.15 < found.low <= found.difference <= found.high < 0.35


def test_only_questions_with_a_value_in_both_count() -> None:
    found = compared([0.5, 0.5, 1.0], [0.5, 1.0])
    assert (found.n, found.first_value, found.second_value) == (2, 0.5, 0.75)


def test_nothing_shared_is_undefined() -> None:
    found = compared([], [0.5])
    assert (found.n, found.difference, found.low, found.p, found.p_holm) == (0, None, None, None, None)
    assert found.conclusion == "not distinguishable"


@pytest.mark.parametrize("n", [1, 3, 12, 30])
def test_an_interval_of_shares_has_a_width_where_nothing_changed(n: int) -> None:
    values = [0.5, *[1.0] * (n - 1)]
    fractions, whole = compared(values, values), compared([1.0] * n, [1.0] * n)
    for each in (fractions, whole):
        assert each.low is not None
        assert each.high is not None
        assert each.low < 0 < each.high
        assert each.high - each.low > 1 / n


def test_an_interval_of_shares_lies_between_minus_1_and_1() -> None:
    before, after = [0.01 * at for at in range(5)], [1 - 0.01 * at for at in range(5)]
    up, down = compared(before, after), compared(after, before)
    assert up.high == 1.0
    assert down.low == -1.0


def test_a_difference_that_the_test_shows_has_an_interval_without_0() -> None:
    before = [0.1 * (at % 5) for at in range(6)]
    found = compared(before, [value + 0.1 for value in before])
    assert found.p is not None
    assert found.p < 0.05
    assert found.low is not None
    assert found.low > 0


def test_no_change_is_no_noise() -> None:
    found = compared([0.5, 1.0], [0.5, 1.0])
    assert (found.conclusion, found.difference, found.changed) == ("not distinguishable", 0.0, ())


@pytest.mark.parametrize("improved", [1, 2])
def test_differences_of_one_or_two_questions_are_noise(improved: int) -> None:
    found = compared([0] * 30, [1] * improved + [0] * (30 - improved), "hit_rate@5")
    assert found.conclusion == "noise"
    assert len(found.changed) == improved


def test_a_net_difference_of_two_questions_is_noise_however_many_changed() -> None:
    found = compared([0] * 6 + [1] * 4, [1] * 6 + [0] * 4, "hit_rate@5")
    assert (len(found.changed), found.conclusion) == (10, "noise")


def test_three_of_thirty_cannot_be_told() -> None:
    assert compared([0] * 30, [1] * 3 + [0] * 27, "hit_rate@5").conclusion == "not distinguishable"


def test_below_the_judges_noise_floor_it_is_noise() -> None:
    before = [0.1 * (at % 5) for at in range(20)]
    figures = {"a": [figure("faithfulness", before)], "b": [figure("faithfulness", [each + 0.05 for each in before])]}
    (free,) = compare_variants(figures)
    (floored,) = compare_variants(figures, noise_floors={"faithfulness": 0.08})
    assert (free.conclusion, floored.conclusion, floored.noise_floor) == ("better", "noise", 0.08)


@pytest.mark.parametrize(("higher_is_better", "conclusion"), [(True, "worse"), (False, "better"), (None, "lower")])
def test_what_is_better_depends_on_the_figure(higher_is_better: bool | None, conclusion: str) -> None:
    before = [1.0 + 0.1 * at for at in range(12)]
    after = [each - 0.5 for each in before]
    assert compared(before, after, "latency", higher_is_better=higher_is_better).conclusion == conclusion


def test_all_pairs_and_figures_are_corrected_together() -> None:
    generator = np.random.default_rng(2)
    variants = {
        name: [
            figure("hit_rate@5", list((generator.random(30) < 0.6).astype(float))),
            figure("mrr", generator.random(30)),
        ]
        for name in "abc"
    }
    found = compare_variants(variants)
    assert [(each.first, each.second) for each in found[::2]] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [each.p_holm for each in found] == pytest.approx(holm([each.p for each in found if each.p is not None]))


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_the_interval_holds_the_difference_and_0_unless_the_test_rejects(rows: list[tuple[float, float]]) -> None:
    before, after = [figure("mrr", [row[at] for row in rows]) for at in (0, 1)]
    (found,) = compare_variants({"a": [before], "b": [after]}, draws=300)
    assert found.low is not None
    assert found.high is not None
    assert found.difference is not None
    assert found.p is not None
    assert found.low <= found.difference + 1e-9
    assert found.difference <= found.high + 1e-9
    assert found.p < 0.05 or found.low <= 0 <= found.high


def a_null_world(generator: np.random.Generator, n: int) -> list[Figure]:
    """Figures of one system whose answers come out anew each time: binary, skewed shares, and an amount."""
    return [
        figure("hit_rate@5", (generator.random(n) < 0.8).astype(float)),
        figure("faithfulness", generator.choice([1, 0.8, 0.5, 0], size=n, p=[0.7, 0.15, 0.1, 0.05])),
        figure("mrr", generator.choice([1, 0.5, 1 / 3, 0], size=n)),
        figure("latency", generator.lognormal(0, 0.8, size=n)),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("n", [12, 30, 100])
def test_variants_that_do_not_differ_are_said_to_in_at_most_one_of_twenty_worlds(n: int) -> None:
    generator = np.random.default_rng(n)
    worlds = 400
    claimed = 0
    for _ in range(worlds):
        variants = {name: a_null_world(generator, n) for name in "abc"}
        found = compare_variants(variants, draws=1000)
        claimed += any(each.conclusion not in ("noise", "not distinguishable") for each in found)
    assert claimed / worlds <= 0.05 + 2 * (0.05 * 0.95 / worlds) ** 0.5


def test_a_noise_floor_can_be_that_of_two_variants_and_the_tests_stay_one_family() -> None:
    before = [0.1 * (at % 5) for at in range(12)]
    variants = {
        name: [figure("faithfulness", [value + more for value in before])]
        for name, more in (("a", 0.0), ("b", 0.1), ("c", 0.3))
    }
    plain = compare_variants(variants)
    found = compare_variants(
        variants, noise_floors={"faithfulness": 0.05}, floors_by_pair={("a", "b", "faithfulness"): 0.2}
    )
    assert [(each.first, each.second, each.noise_floor) for each in found] == [
        ("a", "b", 0.2),
        ("a", "c", 0.05),
        ("b", "c", 0.05),
    ]
    assert [each.conclusion for each in found] == ["noise", "better", "better"]
    assert [each.p_holm for each in found] == [each.p_holm for each in plain]
