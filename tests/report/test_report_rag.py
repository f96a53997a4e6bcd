"""The blocks of a RAG evaluation: systems by what they achieve and take, and questions with what each system did."""

from html_pages import NASTY, parse
from hypothesis import given
from hypothesis import strategies as st

from calibrate.report import (
    Cell,
    Column,
    Line,
    Page,
    QualityPoint,
    Section,
    Series,
    Table,
    Trace,
    TracedQuestion,
    TracePart,
    Traces,
    html_page,
    markdown_page,
    quality_chart,
)

RIGHT, FOUND = Series("right", "circle", "○", "s1"), Series("found", "square", "□", "s2")
TABLE = Table("the same", (Column("variant"),), ((Cell("a"),),))


def chart(*points, **options):
    return quality_chart("time", "What they do", "seconds", points, TABLE, **options)


def point(letter, amount, value, series=RIGHT, low=None, high=None):
    return QualityPoint(letter, amount, value, low, high, series, (letter,))


def traced(**changes):
    line = Line(NASTY, NASTY, NASTY, "bad")
    parts = (TracePart("answer", (line,)), TracePart("context", (line, line), folded=True), TracePart("claims", ()))
    given = {
        "id": NASTY,
        "text": NASTY,
        "direction": "worse",
        "moves": (f"recall 1 to 0 {NASTY}",),
        "about": (TracePart("reference", (line,)),),
        "traces": (Trace(NASTY, parts), Trace("b", parts)),
    }
    return TracedQuestion(**{**given, **changes})


def page(*blocks):
    return Page("Title", "Sentence.", (Section("one", "One", blocks),))


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1)), min_size=1, max_size=8))
def test_every_point_lies_within_the_axes_and_near_its_own_amount(places):
    amounts = [amount for amount, _ in places]
    points = [point("A", amount, value, series) for amount, value in places for series in (RIGHT, FOUND)]
    figure = chart(*points).figure
    low, high = figure["layout"]["xaxis"]["range"]
    near = 0.01 * ((max(amounts) - min(amounts)) or max(amounts) or 1.0)
    for trace in figure["data"]:
        assert trace["y"] == [value for _, value in places]
        assert all(low < x < high for x in trace["x"])
        assert all(abs(x - amount) <= near for x, amount in zip(trace["x"], amounts, strict=True))


def test_each_figure_has_a_shape_of_its_own_and_its_interval():
    figure = chart(point("A", 1.0, 0.5, RIGHT, 0.4, 0.7), point("A", 1.0, 0.9, FOUND)).figure
    first, second = figure["data"]
    assert (first["marker"]["symbol"], second["marker"]["symbol"]) == ("circle", "square")
    assert first["error_y"]["array"] == [0.7 - 0.5]
    assert first["error_y"]["arrayminus"] == [0.5 - 0.4]
    assert second["error_y"]["array"] == [0]
    assert first["x"] != second["x"]  # else the intervals of one system hide each other


def test_the_key_names_what_is_drawn():
    assert chart(point("A", 1.0, 0.5)).key == (("○", "right"),)
    assert chart(point("A", 1.0, 0.5, low=0.1, high=0.9)).key == (("○", "right"), ("│", "95 % interval"))
    assert chart(point("A", 1.0, 0.5), prefix="$").figure["layout"]["xaxis"]["tickprefix"] == "$"


def test_texts_on_the_chart_are_no_markup():
    nasty = QualityPoint(NASTY, 1.0, 0.5, None, None, RIGHT, (NASTY,))
    found = parse(html_page(page(chart(nasty)))).charts["time"]["figure"]["data"][0]
    assert "<script" not in found["text"][0] + found["hovertext"][0]
    assert "&lt;img" in found["hovertext"][0]


def test_traces_stand_side_by_side_with_what_is_folded():
    found = parse(html_page(page(Traces("changes", "What changed.", (traced(),)))))
    assert len([each for each in found.all("div") if each.get("class") == "trace"]) == 2
    assert "context (2)" in found.shown
    assert found.shown.count("claims none") == 2
    assert found.shown.count("<script>alert(1)</script>") > 10
    assert [each["class"] for each in found.all("details")] == ["item", "fold", "fold"]


def test_questions_can_be_chosen_by_where_they_went():
    each = (traced(), traced(direction="better"), traced(direction="better"))
    block = Traces("changes", "What changed.", each, 2, "--max-items 3")
    assert block.directions() == (("worse", 1), ("better", 2))
    found = parse(html_page(page(block, Traces("others", "Others.", (traced(),)))))
    chosen = [(radio["name"], radio["value"]) for radio in found.all("input")]
    assert chosen == [
        ("direction-changes", ""),
        ("direction-changes", "worse"),
        ("direction-changes", "better"),
        ("direction-others", ""),
        ("direction-others", "worse"),
    ]
    assert "2 more are left out: --max-items 3." in found.shown


def test_markdown_has_the_answers_of_each_system_as_text():
    text = markdown_page(page(Traces("changes", "What changed.", (traced(),), 1, "there is more")))
    assert "<script>" not in text
    assert "@octocat" not in text
    assert text.count("alert(1)") > 3
    assert "- and 1 more: there is more" in text
    assert "What changed." in text


def test_without_questions_there_is_only_the_caption():
    found = parse(html_page(page(Traces("changes", "0 questions changed.", ()))))
    assert "0 questions changed." in found.shown
    assert not found.all("fieldset")
