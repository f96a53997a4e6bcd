"""How large a difference of two variants the judges' own flips explain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from calibrate.rag import Figure, Variant
from calibrate.workflows.rag_floors import floor_notes, largest_floors, noise_floors
from calibrate.workflows.rag_measure import Measured
from calibrate.workflows.rag_standing import Standing


def measured(name: str, questions: int, figure: str = "correctness", judge: str = "correctness", first: int = 0) -> Any:
    """A variant with a figure over some questions, each answer with three claims."""
    ids = [f"q{number}" for number in range(first, first + questions)]
    traces: Mapping[str, Any] = {each: {"claims": [{"kind": "factual"}] * 3} for each in ids}
    return Measured(Variant(name, {}), (Figure(figure, dict.fromkeys(ids, 1.0), {}, judge),), traces)


def judges(**flips: float | None) -> Any:
    return {
        role: SimpleNamespace(role=role, standing=Standing(role, "m", flip_rate=rate)) for role, rate in flips.items()
    }


def floor(rate: float, verdicts: int) -> Any:
    return pytest.approx(1.96 * math.sqrt(rate / verdicts))


def test_a_small_or_empty_variant_changes_the_floors_of_its_own_pairs_only():
    found = noise_floors(
        [measured("a", 30), measured("b", 30), measured("c", 1), measured("d", 0)], judges(correctness=0.2)
    )
    assert found == {
        ("a", "b", "correctness"): floor(0.2, 30),
        ("a", "c", "correctness"): floor(0.2, 1),
        ("b", "c", "correctness"): floor(0.2, 1),
    }


def test_only_questions_with_a_value_in_both_count():
    assert noise_floors([measured("a", 30), measured("b", 30, first=20)], judges(correctness=0.2)) == {
        ("a", "b", "correctness"): floor(0.2, 10)
    }


def test_one_variant_has_the_floor_of_its_difference_from_one_of_its_kind():
    alone = [measured("a", 30)]
    floors = noise_floors(alone, judges(correctness=0.2))
    assert largest_floors("correctness", alone, floors) == {"correctness": floor(0.2, 30)}
    assert largest_floors("claims", alone, floors) == {}


def test_flips_of_the_splitter_count_where_they_are_known_and_where_not_a_note_says_so():
    two = [measured(name, 30, "faithfulness", "claim_support") for name in ("a", "b")]
    for claims, rate in ((0.5, 0.6), (0.0, 0.1), (None, 0.1)):
        asked = judges(claims=claims, claim_support=0.1)
        assert noise_floors(two, asked) == {("a", "b", "faithfulness"): floor(rate, 90)}
        assert bool(floor_notes(asked)) is (claims is None)
    assert noise_floors(two, judges(claims=0.5, claim_support=None)) == {}
    assert floor_notes(judges(claims=None, claim_support=None)) == ()
