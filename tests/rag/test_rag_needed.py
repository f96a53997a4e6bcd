"""How many questions a comparison takes."""

from __future__ import annotations

import pytest

from calibrate.rag.needed import MOST, questions_needed
from calibrate.rag.sample_resolution import resolution


@pytest.mark.parametrize("difference", [0.1, 0.35, 1.0])
def test_so_many_questions_find_it_and_one_less_do_not(difference: float) -> None:
    needed = questions_needed(difference)
    assert needed is not None
    enough, too_few = resolution(needed).difference, resolution(needed - 1).difference
    assert enough is not None
    assert enough <= difference
    assert too_few is None or too_few > difference


def test_the_sign_does_not_count() -> None:
    assert questions_needed(-0.35) == questions_needed(0.35)


@pytest.mark.parametrize("difference", [0.0, 0.001])
def test_what_no_bank_finds_is_undefined(difference: float) -> None:
    assert questions_needed(difference) is None
    assert MOST == 5_000
