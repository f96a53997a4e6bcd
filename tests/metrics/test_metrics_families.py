"""All judges of a comparison at once, p-values of a difference, and the front of alignment against cost."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_rows import BINARY, ORDINAL, verdicts
from null_worlds import gold, redrawn_candidates, spoken, words

from calibrate.domain import Verdict
from calibrate.errors import InputError
from calibrate.metrics import Estimate, Family, alignment_value, compare, family, holm, pareto_front


def judged(accuracies: dict[str, float], n: int = 300, seed: int = 0) -> tuple[list[str], dict[str, list[Verdict]]]:
    """Gold, and judges that err independently."""
    human = gold(BINARY, n, 0.6)
    codes = redrawn_candidates(human, BINARY, list(accuracies.values()), np.random.default_rng(seed))
    return words(human, BINARY), {name: spoken(each, BINARY) for name, each in zip(accuracies, codes, strict=True)}


# p-values of one comparison


def test_p_goes_with_the_interval() -> None:
    human, judges = judged({"one": 0.8, "alike": 0.81, "better": 0.92})
    for candidate in ("alike", "better"):
        found = compare(human, judges["one"], judges[candidate], BINARY)
        assert found.p is not None
        assert found.difference.low is not None
        assert found.difference.high is not None
        assert (found.p < 0.05) == (found.difference.low > 0 or found.difference.high < 0)
        turned = compare(human, judges[candidate], judges["one"], BINARY)
        assert turned.p == pytest.approx(found.p, abs=0.04)
        assert found.to_json()["p"] == found.p


def test_p_is_never_0_and_at_most_1() -> None:
    human = ["0", "1"] * 50
    right, wrong = verdicts(human), verdicts(human[::-1])
    found = compare(human, right, wrong, BINARY, draws=999)
    assert (found.p, found.p_inferior) == (2 / 1000, 1.0)
    assert compare(human, wrong, right, BINARY, draws=999).p_inferior == 1 / 1000
    assert compare(human, right, right, BINARY).p == 1.0


def test_p_inferior_is_about_the_margin() -> None:
    human, judges = judged({"one": 0.9, "other": 0.89}, 500, seed=3)
    tight, wide = (compare(human, judges["one"], judges["other"], BINARY, margin=each) for each in (0.02, 0.2))
    assert tight.p_inferior is not None
    assert wide.p_inferior is not None
    assert tight.p_inferior > wide.p_inferior
    assert wide.p_inferior < 0.025
    assert (tight.conclusion(), wide.conclusion()) == ("cannot_tell", "non_inferior")
    assert (tight.p, tight.difference) == (wide.p, wide.difference)
    assert wide.to_json()["margin"] == 0.2


def test_over_groups_the_larger_p_counts_and_one_group_has_none() -> None:
    human, judges = judged({"one": 0.8, "better": 0.88})
    grouped, one = (
        compare(human, judges["one"], judges["better"], BINARY, groups=each)
        for each in ([f"doc{at // 10}" for at in range(300)], ["doc"] * 300)
    )
    assert grouped.p is not None
    assert grouped.difference.low is not None
    assert (grouped.p < 0.05) == (grouped.difference.low > 0)
    assert (one.p, one.p_inferior) == (None, None)


# Families


def test_every_pair_is_compared_with_the_higher_ranking_judge_as_baseline() -> None:
    human, judges = judged({"middle": 0.85, "worst": 0.6, "best": 0.95})
    found = family(human, judges, BINARY)
    assert found.best == "best"
    assert [(each.baseline, each.candidate) for each in found.pairs] == [
        ("best", "middle"),
        ("best", "worst"),
        ("middle", "worst"),
    ]
    assert {name: each.value for name, each in found.alignments.items()} == {
        name: pytest.approx(alignment_value(human, each, BINARY)) for name, each in judges.items()
    }
    raw = [each.comparison.p for each in found.pairs]
    assert None not in raw
    assert [each.p for each in found.pairs] == holm([each or 0 for each in raw])
    assert [each.mcnemar_p for each in found.pairs] == holm([each.comparison.mcnemar_p for each in found.pairs])
    assert found.pair("worst", "best").real
    assert list(found.beside) == ["middle", "worst"]
    assert found.beside["worst"].conclusion == "worse"
    with pytest.raises(KeyError):
        found.pair("worst", "worst")


def test_a_family_as_json() -> None:
    human, judges = judged({"better": 0.95, "worse": 0.6})
    found = family(human, judges, BINARY)
    told = json.loads(json.dumps(found.to_json(), allow_nan=False))
    (pair,), (beside,) = told["pairs"], told["beside_best"]
    assert (told["best"], pair["baseline"], pair["candidate"], pair["real"]) == ("better", "better", "worse", True)
    assert pair["p_holm"] == pair["comparison"]["p"]
    assert pair["comparison"]["baseline"]["value"] == told["alignments"]["better"]["value"]
    assert (beside["judge"], beside["conclusion"], beside["non_inferior"]) == ("worse", "worse", False)
    assert beside["difference"] == pair["comparison"]["difference"]


def test_as_good_as_the_best_takes_data() -> None:
    human, judges = judged({"one": 0.9, "other": 0.9}, 400)
    judges["one"] = [*judges["other"]]
    judges["one"][0] = verdicts(["1" if judges["one"][0] == verdicts(["0"])[0] else "0"])[0]
    found = family(human, judges, BINARY)
    (beside,) = found.beside.values()
    assert beside.non_inferior
    few = family(human[::7], {name: each[::7] for name, each in judges.items()}, BINARY, margin=0.01)
    (beside,) = few.beside.values()
    assert beside.conclusion == "cannot_tell"
    assert beside.items_to_resolve is not None
    assert beside.items_to_resolve > 58


def test_of_equal_judges_the_first_is_the_best() -> None:
    human, judges = judged({"a": 0.9})
    found = family(human, {"z": judges["a"], "a": judges["a"]}, BINARY)
    assert found.best == "z"
    assert found.pairs[0].p == 1.0
    assert not found.pairs[0].real


def test_unscored_verdicts_are_wrong_and_can_be_left_out() -> None:
    human, judges = judged({"a": 0.85, "b": 0.9}, 100)
    judges["b"][:50] = verdicts([None] * 50)
    assert family(human, judges, BINARY).best == "a"
    left_out = family(human, judges, BINARY, invalid="exclude")
    assert left_out.best == "a"
    assert left_out.pairs[0].comparison.n == 50


def test_one_judge_and_undefined_alignments() -> None:
    human, judges = judged({"a": 0.9})
    alone = family(human, judges, BINARY)
    assert (alone.best, alone.pairs, alone.beside) == ("a", (), {})
    undefined = family(["1"] * 5, {"a": verdicts(list("11111")), "b": verdicts(list("11101"))}, BINARY)
    assert undefined.best is None
    assert undefined.alignments["b"] == Estimate(None, reason="single_class_gold")
    assert undefined.pairs[0].p is None
    assert undefined.beside == {}
    for each in (alone, undefined):
        json.dumps(each.to_json(), allow_nan=False)
    with pytest.raises(InputError, match="one judge at least"):
        family(human, {}, BINARY)
    with pytest.raises(InputError, match="above 0"):
        family(human, judges, BINARY, margin=0)


def test_without_an_interval_nothing_can_be_told() -> None:
    human, judges = judged({"a": 0.9, "b": 0.6}, 60)
    found = family(human, judges, BINARY, groups=["doc"] * 60)
    assert found.beside["b"].conclusion == "cannot_tell"
    assert found.beside["b"].items_to_resolve is None
    assert not found.pairs[0].real


@pytest.mark.slow
@pytest.mark.parametrize(("n", "prevalence"), [(30, 0.7), (100, 0.9), (200, 0.5)])
def test_a_difference_between_equal_judges_is_rarely_called_real(n: int, prevalence: float) -> None:
    """Four judges alike in all but luck: any pair real in at most 5 % of 500 worlds, plus two errors."""
    generator = np.random.default_rng(n)
    human = gold(BINARY, n, prevalence)
    called = 0
    for _ in range(500):
        codes = redrawn_candidates(human, BINARY, [0.8] * 4, generator)
        judges = {str(at): spoken(each, BINARY) for at, each in enumerate(codes)}
        called += any_real(family(words(human, BINARY), judges, BINARY))
    assert called / 500 <= 0.07


@pytest.mark.slow
def test_ordinal_judges_alike_are_rarely_called_different() -> None:
    generator = np.random.default_rng(5)
    human = gold(ORDINAL, 100)
    called = 0
    for _ in range(500):
        codes = redrawn_candidates(human, ORDINAL, [0.7] * 3, generator)
        judges = {str(at): spoken(each, ORDINAL) for at, each in enumerate(codes)}
        called += any_real(family(words(human, ORDINAL), judges, ORDINAL))
    assert called / 500 <= 0.07


@pytest.mark.slow
def test_a_judge_worse_by_the_margin_is_rarely_called_as_good() -> None:
    """Two judges of which one is worse by the margin exactly: called as good in at most 2.5 %, plus two errors."""
    generator = np.random.default_rng(8)
    human = gold(BINARY, 200, 0.5)
    large = gold(BINARY, 200_000, 0.5)
    codes = redrawn_candidates(large, BINARY, [0.9, 0.85], generator)
    values = [alignment_value(words(large, BINARY), spoken(each, BINARY), BINARY) for each in codes]
    margin = values[0] - values[1]
    called = 0
    for _ in range(500):
        one, other = redrawn_candidates(human, BINARY, [0.9, 0.85], generator)
        found = compare(words(human, BINARY), spoken(one, BINARY), spoken(other, BINARY), BINARY, margin=margin)
        called += found.p_inferior is not None and found.p_inferior < 0.025
    assert called / 500 <= 0.04


def any_real(found: Family) -> bool:
    return any(each.real for each in found.pairs)


# The front

POINT = st.tuples(st.one_of(st.none(), st.integers(0, 5)), st.one_of(st.none(), st.integers(0, 5)))


def test_front_of_a_few_points() -> None:
    points = [(0.9, 3.0), (0.8, 1.0), (0.7, 2.0), (0.9, 3.0), (None, 0.1), (0.95, None), (0.8, 1.5)]
    assert pareto_front(points) == (True, True, False, True, False, False, False)
    assert pareto_front([]) == ()


@given(st.lists(POINT, max_size=12))
def test_front_is_what_no_other_point_beats(points: list[tuple[int | None, int | None]]) -> None:
    known = [(a, c) for a, c in points if a is not None and c is not None]

    def on_it(point: tuple[int | None, int | None]) -> bool:
        a, c = point
        if a is None or c is None:
            return False
        return not any(oa >= a and oc <= c and (oa > a or oc < c) for oa, oc in known)

    assert pareto_front(points) == tuple(on_it(each) for each in points)
