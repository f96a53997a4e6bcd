"""The page of a RAG evaluation as its readers see it: offline, light and dark, on a phone, on paper, by keyboard."""

import pytest
from rag_pages import evaluate, write_shop

from calibrate.workflows.report import write_report

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Two variants of a shop whose texts try to be markup, and the time that both took."""
    folder = tmp_path_factory.mktemp("rag")
    shop = write_shop(folder)
    old = shop / "variants" / "old.jsonl"
    old.write_text(old.read_text(encoding="utf-8").replace('"id": "', '"latency": 2.0, "id": "'), encoding="utf-8")
    evaluate(shop, folder / "runs.db", judges={None: "sim:reader"})
    write_report(str(folder / "runs.db"), "1", folder / "rag.html")
    return folder / "rag.html"


def overflow(opened):
    return opened.run("document.documentElement.scrollWidth - innerWidth")


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize(("scheme", "paper"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 23, 27)")])
def test_it_opens_offline_in_every_scheme_and_width(report, open_page, width, scheme, paper):
    opened = open_page(report, width=width, scheme=scheme)
    assert opened.page.locator("#chart-latency .scatterlayer .point").count() == 8  # two variants, four figures
    assert opened.run("getComputedStyle(document.body).backgroundColor") == paper
    assert overflow(opened) == 0
    for each in opened.page.locator("details").all():
        each.evaluate("(e) => e.open = true")
    assert overflow(opened) == 0


@pytest.mark.parametrize(("width", "beside"), [(1200, True), (390, False)])
def test_both_traces_stand_side_by_side_where_there_is_room(report, open_page, width, beside):
    opened = open_page(report, width=width)
    opened.page.locator("#changes details.item > summary").first.click()
    first, second = (
        each.bounding_box() for each in opened.page.locator("#changes details.item .sides").first.locator("> *").all()
    )
    assert (first["y"] == second["y"]) is beside
    assert (first["x"] < second["x"]) is beside


def test_questions_are_filtered_and_opened_by_keyboard(report, open_page):
    opened = open_page(report)
    for name in ("failures", "changes"):
        section = opened.page.locator(f"#{name} .disagreements").last
        wanted = section.locator("details.item").last.get_attribute("data-error")
        section.locator(f"input[value='{wanted}']").focus()
        opened.page.keyboard.press("Space")
        shown = section.locator("details.item:not([hidden])")
        assert shown.count() == section.locator(f"details.item[data-error='{wanted}']").count()
        section.locator(".open-all").focus()
        opened.page.keyboard.press("Enter")
        assert section.locator("details.item[open]").count() == shown.count()


def test_on_paper_everything_is_open_and_light(report, open_page):
    opened = open_page(report, scheme="dark")
    assert opened.page.locator("details:not([open])").count() > 2
    opened.run("window.seen = {}")
    opened.run(
        "addEventListener('beforeprint', () => { seen.closed = document.querySelectorAll('details:not([open])').length;"
        " seen.paper = getComputedStyle(document.body).backgroundColor })"
    )
    assert opened.page.pdf(format="A4").startswith(b"%PDF")
    assert opened.run("seen") == {"closed": 0, "paper": "rgb(255, 255, 255)"}
