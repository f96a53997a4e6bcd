"""Charts in text: where a point lands, the step line of the best so far, marks below the axis, plain ASCII."""

import io

import pytest
from explained import TRIED
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from calibrate.console.chart import Point, chart, say_trajectory

# 31 columns: 4 of labels, a blank, the axis, and 25 for x from 0 to 8: x lies in column 3x of these. Five rows for
# values from 0 to 1: one every 0.25.
POINTS = [
    Point(0, 0.0),
    Point(2, 0.5),
    Point(3, None, "rejected"),
    Point(4, 0.25),
    Point(5, None, "stopped"),
    Point(6, 1.0, "winner"),
    Point(8, 0.75),
]


def test_a_chart():
    assert chart(POINTS, width=31, height=5, x_name="candidate") == [
        "1.00 ┤                  ◆──────",
        "0.75 ┤                  │     •",
        "0.50 ┤      •───────────┘",
        "0.25 ┤      │     •",
        "0.00 ┤•─────┘",
        "     └┬──────────────┬─────────",
        "      0              5",
        "                      candidate",
        "               ×",
        "                     ◌",
    ]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "no-such-encoding"])
def test_a_console_without_these_characters_gets_plain_ones(encoding):
    assert chart(POINTS, width=31, height=5, x_name="candidate", encoding=encoding) == [
        "1.00 +                  #------",
        "0.75 +                  |     o",
        "0.50 +      o-----------+",
        "0.25 +      |     o",
        "0.00 +o-----+",
        "     ++--------------+---------",
        "      0              5",
        "                      candidate",
        "               x",
        "                     /",
    ]


def test_one_point_lies_in_the_middle():
    lines = chart([Point(0, 0.25)], width=30, height=5)
    assert lines[2].startswith("0.25 ┤•───")
    assert (lines[0][:6], lines[4][:6]) == ("0.30 ┤", "0.20 ┤")


def test_nothing_is_drawn_without_a_value():
    assert chart([], width=40) == []
    assert chart([Point(0, None, "rejected")], width=40) == []


def test_the_winner_shows_where_points_share_a_cell():
    crowd = [Point(each, 0.5) for each in range(1000)]
    crowd[500] = Point(500, 0.5, "winner")
    assert sum(line.count("◆") for line in chart(crowd, width=40)) == 1


values = st.none() | st.floats(-1, 1, allow_nan=False)
kinds = st.sampled_from(["rejected", "stopped"])


@given(st.lists(st.tuples(values, kinds), min_size=1, max_size=120), st.integers(1, 100), st.integers(1, 20))
def test_every_chart_fits(tried, width, height):
    points = [Point(at, y, "scored" if y is not None else kind) for at, (y, kind) in enumerate(tried)]
    lines = chart(points, width=width, height=height, x_name="candidate")
    assert max(map(len, lines), default=0) <= max(24, width)
    if lines:
        drawn = "\n".join(lines)
        for kind, mark in (("scored", "•"), ("rejected", "×"), ("stopped", "◌")):
            assert (mark in drawn) == any(each.kind == kind for each in points)
        plain = chart(points, width=width, height=height, x_name="candidate", encoding="ascii")
        assert [len(line) for line in plain] == [len(line) for line in lines]
        assert all(line.isascii() for line in plain)


@given(st.lists(st.floats(-1, 1, allow_nan=False), min_size=2, max_size=60))
def test_the_line_ends_at_the_best(scores):
    """The last column holds the best value's row, unless the last point itself lies there."""
    grid = chart([Point(at, y) for at, y in enumerate(scores)], width=100, height=9)[:9]
    top = grid[0] if max(scores) - min(scores) >= 1e-9 else grid[4]
    assert len(top) == 100
    assert top[-1] in "─•┌"


def test_the_trajectory_of_a_calibration():
    stream = io.StringIO()
    say_trajectory(Console(file=stream, width=70), [each for each, _ in TRIED], winner=7, name="recall:0")
    first, *lines, legend = stream.getvalue().splitlines()
    assert first == "recall:0:"
    assert legend == "• scored   ◆ winner   ─ best so far   × rejected   ◌ stopped early"
    assert lines[0].startswith("0.90 ┤")
    assert lines[0].endswith("◆")
    assert sum(line.count("•") for line in lines) == 5
    assert max(map(len, lines)) <= 70


def test_marks_that_do_not_occur_are_not_explained():
    stream = io.StringIO()
    say_trajectory(Console(file=stream, width=60), [TRIED[0][0], TRIED[1][0]], winner=None)
    assert stream.getvalue().splitlines()[-1] == "• scored   ─ best so far"
