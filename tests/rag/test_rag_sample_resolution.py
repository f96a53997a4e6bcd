from __future__ import annotations

import numpy as np
import pytest

from calibrate.errors import InputError
from calibrate.metrics import mcnemar_exact, wilson
from calibrate.rag.sample_resolution import POWER, resolution


def test_thirty_questions_resolve_about_a_quarter() -> None:
    found = resolution(30)
    ends = wilson(15, 30)
    assert ends is not None
    assert found.half_width == pytest.approx((ends.high - ends.low) / 2)
    assert found.fewest_changed == 6
    assert found.difference is not None
    assert 0.2 < found.difference < 0.35


@pytest.mark.parametrize(("n", "reversed_share"), [(30, 0.02), (30, 0.1), (100, 0.0), (300, 0.05)])
def test_a_resolvable_difference_is_found_in_four_of_five_worlds(n: int, reversed_share: float) -> None:
    found = resolution(n, reversed_share=reversed_share)
    assert found.difference is not None
    generator = np.random.default_rng(n)
    chances = [found.difference + reversed_share, reversed_share, 1 - found.difference - 2 * reversed_share]
    worlds = generator.multinomial(n, chances, size=4000)
    seen = np.mean([mcnemar_exact(int(less), int(more)) < 0.05 and more > less for more, less, _ in worlds])
    assert seen == pytest.approx(POWER, abs=0.025)


def test_more_questions_resolve_less() -> None:
    differences = [resolution(n).difference for n in (10, 30, 100, 1000)]
    assert all(each is not None for each in differences)
    assert differences == sorted(differences, key=lambda each: -(each or 0))


def test_five_questions_tell_nothing_about_a_difference() -> None:
    found = resolution(5)
    assert (found.difference, found.fewest_changed) == (None, None)


def test_arguments_have_ranges() -> None:
    with pytest.raises(InputError, match="between 1 and 100,000, not 0"):
        resolution(0)
    with pytest.raises(InputError, match=r"below 0\.5"):
        resolution(30, reversed_share=0.5)
