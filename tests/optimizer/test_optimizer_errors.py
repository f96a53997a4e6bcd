"""What counts as an error of the judge on each scale."""

from __future__ import annotations

import pytest

from calibrate.domain import UNSCORED_REASONS, Item, Scale, Scored, Unscored, UnscoredReason, Verdict
from calibrate.optimizer import is_right, misjudged

BINARY = Scale("binary", ("0", "1"), positive="1")
REVERSED = Scale("binary", ("harmful", "harmless"), positive="harmless")
NOMINAL = Scale("nominal", ("billing", "shipping", "other"))
PAIRWISE = Scale("pairwise", ("A", "B", "tie"))
ORDINAL = Scale("ordinal", ("1", "2", "3", "4", "5"))
WORDS = Scale("ordinal", ("poor", "fair", "good"))
UNEVEN = Scale("ordinal", ("1", "2", "10"))
INTERVAL = Scale("interval", threshold=0.5, low=0.0, high=1.0)
WITHOUT_THRESHOLD = Scale("interval", low=0.0, high=10.0)


def item(gold: str | None, item_id: str = "1") -> Item:
    return Item(item_id, "quality", {"answer": "text"}, gold)


def error(gold: str, verdict: Verdict, scale: Scale) -> tuple[str, float] | None:
    found = misjudged((item(gold),), {"1": verdict}, scale)
    return (found[0].kind, found[0].distance) if found else None


@pytest.mark.parametrize(
    ("scale", "gold", "judge", "expected"),
    [
        (BINARY, "1", "1", None),
        (BINARY, "0", "0", None),
        (BINARY, "0", "1", ("wrongly accepted", 1)),
        (BINARY, "1", "0", ("wrongly rejected", 1)),
        (REVERSED, "harmful", "harmless", ("wrongly accepted", 1)),
        (REVERSED, "harmless", "harmful", ("wrongly rejected", 1)),
        (NOMINAL, "other", "other", None),
        (NOMINAL, "billing", "other", ("confused", 1)),
        (NOMINAL, "other", "billing", ("confused", 1)),
        (PAIRWISE, "A", "A", None),
        (PAIRWISE, "A", "B", ("confused", 1)),
        (PAIRWISE, "tie", "A", ("confused", 1)),
        (ORDINAL, "3", "3", None),
        (ORDINAL, "3", "4", ("over-scored", 1)),
        (ORDINAL, "5", "1", ("under-scored", 4)),
        (WORDS, "poor", "good", ("over-scored", 2)),
        (WORDS, "good", "fair", ("under-scored", 1)),
        (UNEVEN, "2", "10", ("over-scored", 8)),
        (INTERVAL, "0.5", "0.9", None),
        (INTERVAL, "0.1", "0.4", None),
        (INTERVAL, "0.25", "0.5", ("over-scored", 0.25)),
        (INTERVAL, "0.75", "0.25", ("under-scored", 0.5)),
        (WITHOUT_THRESHOLD, "4", "4.0", None),
        (WITHOUT_THRESHOLD, "4.0", "7.5", ("over-scored", 3.5)),
        (WITHOUT_THRESHOLD, "4.0", "3.0", ("under-scored", 1)),
    ],
)
def test_errors_of_every_scale(scale: Scale, gold: str, judge: str, expected: tuple[str, float] | None) -> None:
    assert error(gold, Scored(judge), scale) == expected


@pytest.mark.parametrize("scale", [BINARY, NOMINAL, PAIRWISE, ORDINAL, INTERVAL], ids=lambda scale: scale.kind)
@pytest.mark.parametrize("reason", UNSCORED_REASONS)
def test_an_unscored_verdict_is_an_error_on_every_scale(scale: Scale, reason: UnscoredReason) -> None:
    gold = scale.labels[0] if scale.labels else "0.5"
    assert error(gold, Unscored(reason), scale) == ("unscored", 1)


def test_an_item_without_gold_is_no_error() -> None:
    assert misjudged((item(None),), {}, BINARY) == ()


def test_the_farthest_off_comes_first_and_equals_in_the_order_of_the_set() -> None:
    gold_and_judge = {
        "a": ("3", "4"),
        "b": ("1", "5"),
        "c": ("3", "3"),
        "d": ("4", "2"),
        "e": ("2", "1"),
        "f": ("5", "3"),
    }
    items = tuple(item(gold, name) for name, (gold, _) in gold_and_judge.items())
    verdicts = {name: Scored(judge) for name, (_, judge) in gold_and_judge.items()}
    assert [each.item.id for each in misjudged(items, verdicts, ORDINAL)] == ["b", "d", "f", "a", "e"]


# Agreement


@pytest.mark.parametrize(
    ("scale", "gold", "verdict", "right"),
    [
        (BINARY, "1", Scored("1"), True),
        (BINARY, "1", Scored("0"), False),
        (ORDINAL, "3", Scored("4"), False),
        (INTERVAL, "0.5", Scored("0.9"), True),
        (INTERVAL, "0.4", Scored("0.5"), False),
        (WITHOUT_THRESHOLD, "4", Scored("4.0"), True),
        (BINARY, "1", Unscored("invalid"), False),
        (BINARY, None, Scored("1"), False),
    ],
)
def test_an_item_is_right_where_it_is_no_error(scale: Scale, gold: str | None, verdict: Verdict, right: bool) -> None:
    assert is_right(item(gold), verdict, scale) == right
    if gold is not None:
        assert (error(gold, verdict, scale) is None) == right


def test_an_item_without_a_verdict_is_left_out() -> None:
    assert misjudged((item("1", "a"), item("1", "b")), {"b": Scored("0")}, BINARY)[0].item.id == "b"
    assert len(misjudged((item("1", "a"), item("1", "b")), {"b": Scored("0")}, BINARY)) == 1
