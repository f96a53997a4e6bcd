"""``--dry-run`` on the terminal: what each row of work is for, and nothing where nothing is to be done."""

import pytest
from program import PAGES, write_pages

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


@pytest.mark.slow
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


def works_of(told, purpose):
    return {work["model"]: work for work in told["estimate"]["work"] if work["purpose"] == purpose}


@pytest.mark.parametrize(
    ("options", "usable"),
    [
        (("--width", 2, "--no-analysis"), False),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                ((), True),
                ((), False),
                (("--width", 2, "--no-analysis"), True),
                (("--holdout", 0.3, "--noise-repeats", 2), True),
                (("--holdout", 0.3, "--noise-repeats", 2), False),
            )
        ),
    ],
)
def test_a_search_with_a_cross_fit_asks_no_more_than_was_said(program, pages, server, world, options, usable):
    if not usable:
        world.writer = lambda strategy, current: "I would rather not say."
    search = ("optimize", pages, *MODELS, "--prompt", "prompt.txt", "--iterations", 2, "--cross-fit", 3, *options)
    told = program(*search, "--dry-run", "--json").json["estimate"]
    program(*search)
    for model in ("gpt-4.1-mini", "gpt-4.1"):
        said = sum(work["calls"] for work in told["work"] if work["model"] == f"openai:{model}")
        made = sum(call.body["model"] == model for call in server.calls)
        assert 0 < made <= said, model
    assert program(*search, "--dry-run").out == "Nothing was spent; no calls are needed.\n"


def test_asking_once_more_is_counted_and_not_expected(program, pages, server):
    """A rewrite and what comes after it: two iterations of five, and an error analysis each."""
    search = ("optimize", pages, *MODELS, "--prompt", "prompt.txt", "--iterations", 2, "--dry-run", "--json")
    (rewriting,) = works_of(program(*search).json, "rewriting").values()
    assert (rewriting["calls"], rewriting["unlikely"]) == (2 * (1 + 5 + 5), 2 * 5)
    assert rewriting["output_tokens"] == 2 * (1 + 5) * 700


def test_what_is_known_of_the_first_prompt_is_not_expected_to_be_asked_in_a_cross_fit(program, pages, server):
    """Of 30 items in 3 folds each is judged by the rewrites of 2 folds and the winner of 1; the first prompt in all."""
    search = ("optimize", pages, *MODELS, "--prompt", "prompt.txt", "--iterations", 2, "--cross-fit", 3, "--dry-run")
    judging = works_of(program(*search, "--json").json, "cross-fit")["openai:gpt-4.1-mini"]
    assert judging["calls"] - judging["unlikely"] == 30 * (2 * 10 + 1)
    assert judging["unlikely"] == 30 * 3


def test_rewrites_are_taken_to_be_longer_than_the_first_prompt(program, pages, server, tmp_path):
    """Half again as long, 1,000 characters at least, and no longer than they may be; four characters are a token."""
    search = ("optimize", pages, *MODELS, "--iterations", 1, "--noise-repeats", 0, "--dry-run", "--json")
    for characters, more in ((100, 900), (2000, 1000), (5000, 1000), (7000, 0)):
        (tmp_path / "long.txt").write_text("x" * characters, encoding="utf-8")
        told = program(*search, "--prompt", "long.txt").json
        (first,) = works_of(told, "judging the prompt").values()
        (rewrites,) = works_of(told, "judging rewrites").values()
        longer = rewrites["input_tokens"] / rewrites["calls"] - first["input_tokens"] / first["calls"]
        assert longer == pytest.approx(more / 4, abs=0.1), characters


def test_the_history_that_rewrites_are_shown_fills_up(program, pages, server, tmp_path):
    """Prompts of 1,000 characters, five an iteration: 1, 6 and 11 are shown, or as many as the history takes."""
    (tmp_path / "long.txt").write_text("x" * 1000, encoding="utf-8")
    search = ("optimize", pages, *MODELS, "--prompt", "long.txt", "--no-analysis", "--dry-run", "--json")

    def shown(iterations, *options):
        told = program(*search, "--iterations", iterations, *options).json
        return works_of(told, "rewriting")["openai:gpt-4.1"]["input_tokens"]

    prompt = 5 * (1500 + 70) / 4  # one more in each of the five requests of an iteration
    first, second, third = shown(1), shown(2) - shown(1), shown(3) - shown(2)
    assert (second - first, third - second) == pytest.approx((5 * prompt, 5 * prompt), abs=3)
    assert shown(3) - shown(3, "--history", 6) == pytest.approx(5 * prompt, abs=3)
    assert shown(3) - shown(3, "--history", 1) == pytest.approx(15 * prompt, abs=3)


@pytest.mark.slow
def test_another_cross_fit_of_a_finished_calibration_is_counted(program, pages, server):
    search = ("optimize", pages, *MODELS, "--prompt", "prompt.txt", "--iterations", 1, "--noise-repeats", 0)
    program(*search, "--cross-fit", 2)
    told = program(*search, "--cross-fit", 3, "--dry-run", "--json").json["estimate"]
    before = len(server.calls)
    program(*search, "--cross-fit", 3)
    assert 0 < len(server.calls) - before <= told["calls"]


@pytest.mark.slow
def test_fresh_labels_that_have_changed_since_are_counted(program, pages, server, tmp_path):
    search = ("optimize", write_pages(tmp_path / "some.csv", PAGES[3:-3]).name, *MODELS, "--prompt", "prompt.txt")
    search = (*search, "--iterations", 2, "--noise-repeats", 0, "--confirm", "fresh.csv")
    write_pages(tmp_path / "fresh.csv", (*PAGES[:2], *PAGES[-2:]))
    program(*search)
    assert program(*search, "--dry-run").out == "Nothing was spent; no calls are needed.\n"
    write_pages(tmp_path / "fresh.csv", (*PAGES[:3], *PAGES[-3:]))
    told = program(*search, "--dry-run", "--json").json["estimate"]
    before = len(server.calls)
    program(*search)
    assert 0 < len(server.calls) - before <= told["calls"] == 2 * 6


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
