"""Reports as their readers see them: offline, light and dark, on a phone, on paper, by keyboard."""

import pytest
from explained import PATTERNS, TRIED, save_run
from html_pages import NASTY

from calibrate.report import JudgePoint, comparison_page
from calibrate.workflows.report import write_report

pytestmark = pytest.mark.slow

CHARTS = ["trajectory", "cost"]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of a calibration with regressions, rejected and stopped candidates."""
    folder = tmp_path_factory.mktemp("report")
    worse = TRIED[2][0].__class__(8, 3, "shorten", 5, f"Judge it.\n{NASTY}", "scored", score=0.6, cost=0.01)
    save_run(str(folder / "runs.db"), (*TRIED, (worse, "1010?011")), iterations=PATTERNS)
    write_report(str(folder / "runs.db"), "1:8", folder / "candidate.html")
    write_report(str(folder / "runs.db"), "1", folder / "report.html")
    return folder / "report.html"


def overflow(opened):
    return opened.run("document.documentElement.scrollWidth - innerWidth")


def background(opened):
    return opened.run("getComputedStyle(document.body).backgroundColor")


def texts_of_charts(opened):
    """The colours of the axes' texts."""
    return set(opened.run("[...document.querySelectorAll('.xtick text')].map((e) => getComputedStyle(e).fill)"))


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize(
    ("scheme", "paper", "ink"),
    [("light", "rgb(255, 255, 255)", "rgb(27, 31, 36)"), ("dark", "rgb(20, 23, 27)", "rgb(232, 234, 237)")],
)
def test_it_opens_offline_in_every_scheme_and_width(report, open_page, width, scheme, paper, ink):
    opened = open_page(report, width=width, scheme=scheme)
    for name in CHARTS:
        assert opened.page.locator(f"#chart-{name} svg.main-svg").count() > 0
        assert opened.page.locator(f"#chart-{name} .scatterlayer .point").count() > 0
    assert background(opened) == paper
    assert texts_of_charts(opened) == {ink}
    assert overflow(opened) == 0
    for each in opened.page.locator("details").all():
        each.evaluate("(e) => e.open = true")
    assert overflow(opened) == 0


def test_the_scheme_may_change_while_it_is_open(report, open_page):
    opened = open_page(report)
    opened.page.emulate_media(color_scheme="dark")
    for _ in range(100):  # drawn when the page is told; its policy lets no condition of a test be evaluated in it
        if texts_of_charts(opened) == {"rgb(232, 234, 237)"}:
            break
        opened.page.wait_for_timeout(50)
    assert texts_of_charts(opened) == {"rgb(232, 234, 237)"}


def test_on_paper_everything_is_open_and_light(report, open_page, tmp_path):
    opened = open_page(report, scheme="dark")
    closed = opened.page.locator("details:not([open])")
    before = closed.count()
    assert before > 2
    opened.run("window.seen = {}")
    opened.run(
        "addEventListener('beforeprint', () => { seen.closed = document.querySelectorAll('details:not([open])').length;"
        " seen.paper = getComputedStyle(document.body).backgroundColor })"
    )
    pdf = opened.page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 20_000
    assert opened.run("seen") == {"closed": 0, "paper": "rgb(255, 255, 255)"}
    assert closed.count() == before  # as it was, once it is printed
    assert background(opened) == "rgb(20, 23, 27)"


def test_disagreements_are_filtered_and_opened_by_keyboard(report, open_page):
    opened = open_page(report.with_name("candidate.html"))
    items = opened.page.locator("details.item")
    assert items.count() == 5
    opened.page.get_by_role("radio", name="all (5)").focus()
    opened.page.keyboard.press("ArrowRight")
    chosen = opened.page.locator("input[name=error]:checked").get_attribute("value")
    shown = [each for each in items.all() if each.is_visible()]
    assert 0 < len(shown) < 5
    assert {each.get_attribute("data-error") for each in shown} == {chosen}
    assert opened.page.get_by_role("status").inner_text() == f"{len(shown)} items shown"
    opened.page.get_by_role("button", name="Open all").press("Enter")
    assert [each.get_attribute("open") is not None for each in items.all()].count(True) == len(shown)


def test_a_strategy_is_hidden_and_shown_again(report, open_page):
    opened = open_page(report)
    points = opened.page.locator("#chart-trajectory .scatterlayer .point")
    button = opened.page.get_by_role("button", name="fix wrongly accepted")
    before = points.count()
    button.press("Space")
    assert (button.get_attribute("aria-pressed"), points.count()) == ("false", before - 2)
    button.press("Space")
    assert (button.get_attribute("aria-pressed"), points.count()) == ("true", before)


def test_who_cannot_see_it_has_headings_tables_and_names(report, open_page):
    opened = open_page(report)
    levels = [int(each) for each in opened.run("[...document.querySelectorAll('h1,h2,h3')].map((e) => e.tagName[1])")]
    assert levels[0] == 1
    assert set(levels[1:]) == {2}
    charts = opened.page.locator(".plot[role=img]")  # what is within an image is no part of what is read out
    assert charts.count() == len(CHARTS)
    for chart in charts.all():
        assert "The table below holds the same data." in str(chart.get_attribute("aria-label"))
    assert opened.run("[...document.querySelectorAll('table')].every((e) => e.caption && e.caption.textContent)")
    assert opened.run("[...document.querySelectorAll('th')].every((e) => e.scope)")
    opened.page.keyboard.press("Tab")
    assert opened.run("document.activeElement.textContent") == "Skip to the content"


def test_data_run_nothing(open_page, tmp_path):
    points = [
        JudgePoint(f"{NASTY} {number}", "judge", 0.5 + number / 10, 0.4, 0.9, cost, False, {NASTY: NASTY})
        for number, cost in enumerate((0.0, 0.00001, 0.01, None))
    ]
    path = tmp_path / "comparison.html"
    path.write_text(comparison_page(NASTY, NASTY, points, [NASTY], simulated=True), encoding="utf-8")
    opened = open_page(path)
    assert opened.page.title().startswith("</script><script>alert(1)</script> {{7*7}}")
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("#chart-cost .point").count() == 4
    opened.page.locator("#chart-cost .point").nth(1).hover(force=True)
    hover = opened.page.locator("#chart-cost .hoverlayer text").first
    assert "<script>alert(1)</script>" in hover.text_content()
    assert opened.page.locator("#chart-cost .hoverlayer a").count() == 0


def test_its_policy_stops_a_script_that_got_in(report, open_page, tmp_path):
    """The second line: were an escape ever forgotten, the script would not run all the same."""
    text = report.read_text(encoding="utf-8")
    path = tmp_path / "broken.html"
    path.write_text(text.replace("</main>", "<script>document.title = 'taken'</script></main>", 1), encoding="utf-8")
    opened = open_page(path)
    assert opened.page.title() != "taken"
    assert "Content Security Policy" in opened.problems.pop()
