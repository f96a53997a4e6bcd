"""``--dry-run`` on the terminal: what each row of work is for, and nothing where nothing is to be done."""

from program import write_pages

MODELS = ("--judge", "openai:gpt-4.1-mini", "--optimizer", "openai:gpt-4.1")


def header_of(text: str) -> list[str]:
    (line,) = [each for each in text.splitlines() if each.startswith("model")]
    return line.split()


def test_each_row_says_what_it_is_for(program, pages, server):
    table = ("optimize", pages, *MODELS, "--prompt", "prompt.txt", "--cross-fit", 2, "--holdout", 0.3, "--dry-run")
    shown = program(*table).out
    purposes = ("judging the prompt", "judging rewrites", "rewriting", "noise", "holdout", "cross-fit")
    assert all(purpose in shown for purpose in purposes)
    assert header_of(shown) == ["model", "for", "calls", "stored", "input", "tokens", "output", "tokens", "about"]
    works = program(*table, "--json").json["estimate"]["work"]
    assert [work["purpose"] for work in works] == [*purposes, "cross-fit"]
    assert all(work["calls"] > 0 for work in works)
    assert not server.calls


def test_what_a_search_can_ask_at_most_is_what_is_said(program, pages, server, world):
    """The most is asked when nothing can be used: no analysis is read, and each rewrite is asked for once more."""
    world.writer = lambda strategy, current: "I would rather not say."
    world.analyst = lambda pages: "I see no pattern."
    for number, (options, most) in enumerate(
        (((), 3 * (1 + 5 + 5)), (("--width", 2), 3 * (1 + 2 + 2)), (("--no-analysis",), 3 * (5 + 5))), start=1
    ):
        search = ("optimize", pages, *MODELS, "--prompt", "prompt.txt", "--iterations", 3, "--noise-repeats", 0)
        search = (*search, *options, "--db", f"{number}.db", "--json")
        works = program(*search, "--dry-run").json["estimate"]["work"]
        (rewriting,) = [work for work in works if work["purpose"] == "rewriting"]
        assert rewriting["calls"] == most
        before = len(server.calls)
        assert program(*search).json["calibrations"][0]["iterations"] == 3
        assert sum("<request " in call.user for call in server.calls[before:]) == most


def test_the_most_is_shown_where_it_is_known(program, pages, server):
    baseline = ("baseline", pages, "--judge", "openai:gpt-4.1-mini", "--prompt", "prompt.txt", "--dry-run")
    assert header_of(program(*baseline).out)[-2:] == ["at", "most"]


def test_the_most_is_left_out_where_it_is_known_for_none(program, pages, server, tmp_path):
    (tmp_path / "calibrate.toml").write_text(f'[models.house]\nbase_url = "{server.openai_url}"\nmodel = "m"\n')
    shown = program("baseline", pages, "--judge", "house", "--prompt", "prompt.txt", "--dry-run").out
    assert "most" not in shown
    assert header_of(shown)[-1] == "about"


def test_what_is_stored_needs_no_calls(program, pages, server):
    baseline = ("baseline", pages, "--judge", "openai:gpt-4.1-mini", "--prompt", "prompt.txt")
    program(*baseline)
    shown = program(*baseline, "--dry-run").out
    assert shown == "Nothing was spent; all 30 replies are stored: no calls are needed.\n"
    asked = program("bias", 1, "--ask", "--dry-run").out
    assert "This would take 120 calls" in asked
    assert "probing" in asked


def test_a_finished_calibration_has_no_work_and_no_table(program, server, tmp_path):
    (tmp_path / "prompt.txt").write_text("Decide.", encoding="utf-8")
    pages = write_pages(tmp_path / "pages.csv").name
    search = ("optimize", pages, *MODELS, "--prompt", "prompt.txt", "--iterations", 1, "--noise-repeats", 0)
    program(*search)
    assert program(*search, "--dry-run").out == "Nothing was spent; no calls are needed.\n"
