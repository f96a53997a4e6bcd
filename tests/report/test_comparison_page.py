"""The page of a comparison: every judge where its cost and its alignment put it, and every text as text."""

from html_pages import NASTY, parse

from calibrate.report import SIMULATED, JudgePoint, comparison_page


def judge(name, alignment, cost, *, kind="judge", low=None, high=None, front=False, **figures):
    return JudgePoint(name, kind, alignment, low, high, cost, front, figures)


def points_of(page):
    """Each point of the chart by the first line of what is told at it: axis, x, y, symbol."""
    found = {}
    for trace in page.charts["cost"]["figure"]["data"]:
        for at, text in enumerate(trace.get("hovertext", ())):
            name = text.split("<br>")[0].split(": ", 1)[1]
            found[name] = (trace.get("xaxis", "x"), trace["x"][at], trace["y"][at], trace["marker"]["symbol"])
    return found


def test_costs_that_span_a_lot_stand_on_a_logarithmic_axis_and_unknown_ones_beside_it():
    html = comparison_page(
        "Judges",
        "B agrees most.",
        [
            judge("A", 0.62, 0.00004, low=0.5, high=0.71, front=True, median="0.8 s"),
            judge("B", 0.71, 0.0021, kind="jury", front=True),
            judge("C", 0.66, 0.0031),
            judge("free", 0.4, 0.0, front=True),
            judge("mystery", 0.45, None, kind="cascade"),
            judge("constant", None, 0.001),
        ],
        ["All judged the same 30 items."],
        simulated=True,
    )
    page = parse(html)
    layout = page.charts["cost"]["figure"]["layout"]
    assert layout["xaxis"]["type"] == "log"
    assert layout["xaxis2"]["categoryarray"] == ["unknown", "$0"]
    assert points_of(page) == {
        "A": ("x", 0.04, 0.62, "circle"),
        "B": ("x", 2.1, 0.71, "diamond"),
        "C": ("x", 3.1, 0.66, "circle-open"),
        "free": ("x2", "$0", 0.4, "circle"),
        "mystery": ("x2", "unknown", 0.45, "square-open"),
    }
    front = next(each for each in page.charts["cost"]["figure"]["data"] if each["mode"] == "lines")
    assert (front["x"], front["y"]) == ([0.04, 2.1], [0.62, 0.71])
    for said in (
        SIMULATED,
        "B agrees most.",
        "All judged the same 30 items.",
        "Not on the chart, since their alignment is undefined: constant.",
        "Of unknown cost, in a column of their own on the chart and never on the front: mystery.",
        "0.620 0.500 to 0.710",
        "0.8 s",
    ):
        assert said in page.shown


def test_costs_that_are_near_each_other_stand_on_a_plain_axis_and_zero_is_on_it():
    page = parse(comparison_page("Judges", "", [judge("A", 0.6, 0.001), judge("B", 0.7, 0.0), judge("C", 0.7, 0.002)]))
    layout = page.charts["cost"]["figure"]["layout"]
    assert "type" not in layout["xaxis"]
    assert "xaxis2" not in layout
    assert points_of(page)["B"][:2] == ("x", 0.0)
    assert SIMULATED not in page.shown


def test_without_a_defined_alignment_there_is_a_table_and_no_chart():
    page = parse(comparison_page("Judges", "Nothing is defined.", [judge("A", None, 0.1)]))
    assert page.charts == {}
    assert len(page.scripts) == 2  # the data, and the page's own script: no Plotly
    assert "undefined" in page.shown


def test_texts_are_never_markup():
    page = parse(comparison_page(NASTY, NASTY, [judge(NASTY, 0.5, 0.1, **{NASTY: NASTY})], [NASTY]))
    assert len(page.scripts) == 3
    assert page.shown.count("{{7*7}} {% raw %} <img src=x") >= 6
    told = next(each for each in page.charts["cost"]["figure"]["data"] if "hovertext" in each)
    # Plotly draws a subset of HTML: what is left of it is its own line breaks.
    assert "<" not in told["hovertext"][0].replace("<br>", "")
    assert "hovertemplate" not in told


def test_letters_that_would_cover_each_other_are_left_to_the_table():
    crowd = [judge(f"judge {n}", 0.7 + n / 500, 0.001 + n / 1e6) for n in range(30)]
    crowd += [judge("far", 0.2, 0.009), judge("front", 0.9, 0.0009, front=True)]
    page = parse(comparison_page("Judges", "", crowd))
    drawn = [text for trace in page.charts["cost"]["figure"]["data"] for text in trace.get("text", ()) if text]
    assert {"<b>AE</b>", "<b>AF</b>"} <= set(drawn)  # those with room, and those on the front
    assert len(drawn) < 8
    assert all(each.name in page.shown for each in crowd)
