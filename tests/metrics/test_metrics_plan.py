"""Before labels are made: the interval that so many items will give."""

import numpy as np
import pytest

from calibrate.domain import Scale, Scored
from calibrate.errors import InputError
from calibrate.metrics import align, interval_half_width, resolvable_difference

BINARY = Scale("binary", ("0", "1"), positive="1")
GRADES = Scale("ordinal", ("1", "2", "3"))


@pytest.mark.parametrize(("scale", "shares"), [(BINARY, (9, 21)), (GRADES, (10, 10, 10))], ids=["binary", "ordinal"])
def test_four_times_the_items_give_half_the_width(scale, shares):
    few, many = (interval_half_width(n, shares, scale) for n in (400, 1600))
    assert few / many == pytest.approx(2, rel=0.1)


def test_it_is_the_width_that_such_a_judge_gets():
    """A table of 50 and 50 items of which the judge has .8 right has alignment .74 (six figures .8, kappa and r .6)."""
    assumed = resolvable_difference(100, (1, 1), BINARY, assumed=(4 * 0.8 + 3 * 0.6) / 7)
    assert assumed.accuracy == pytest.approx(0.8, abs=1e-6)
    gold = ["1"] * 50 + ["0"] * 50
    judge = [*["1"] * 40, *["0"] * 10, *["0"] * 40, *["1"] * 10]
    found = align(gold, [Scored(label) for label in judge], BINARY).alignment
    assert found.value == pytest.approx(assumed.alignment)
    planned = interval_half_width(100, (1, 1), BINARY, assumed=assumed.alignment)
    assert planned == pytest.approx((found.high - found.low) / 2, rel=0.05)


def test_more_items_never_widen_it():
    widths = [interval_half_width(n, (1, 2), BINARY) for n in (10, 20, 40, 80, 160, 320)]
    assert np.all(np.diff(widths) < 0)


def test_one_class_has_no_interval():
    with pytest.raises(InputError, match="at least two classes"):
        interval_half_width(30, (0, 30), BINARY)
