"""``calibrate compare``: judges on the same items, what they cost, and which one to take."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from loopback import Loopback, Reply, error
from program import ADDITIONS, PROMPT, World, verdict, write_pages

LARGE, SMALL = "openai:gpt-4.1", "openai:gpt-4o-mini"
LEDGER = f"{PROMPT} {ADDITIONS['ledger']}"
SET = ("compare", "pages.csv")


def verdicts(call):
    """A large and a small model of the published table: 1,400 tokens in and 50 out; the small one rejects f19 too."""
    reply = World()(call)
    if call.body["model"] == "gpt-4o-mini" and "page f19" in call.user and "ledger" in call.system:
        reply = replace(reply, text=json.dumps({"reasoning": "unsure of it", "label": "0"}))
    return replace(reply, input_tokens=1400, output_tokens=50)


@pytest.fixture
def models(pages, monkeypatch):
    Path("ledger.txt").write_text(LEDGER, encoding="utf-8")
    with Loopback(verdicts) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.openai_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
        yield running


def by_name(document):
    return {each["judge"]: each for each in document["results"]}


def test_the_published_table_with_its_costs(program, models):
    judges = ("--judge", LARGE, "--judge", SMALL, "--prompt", "prompt.txt", "--prompt", "ledger.txt")
    document = program(*SET, *judges, "--volume", 1_000_000, "--no-juries", "--json").json
    found = by_name(document)
    assert list(found) == [
        f"{LARGE}, prompt.txt",
        f"{LARGE}, ledger.txt",
        f"{SMALL}, prompt.txt",
        f"{SMALL}, ledger.txt",
    ]
    for name, alignment, a_day in (
        (f"{LARGE}, prompt.txt", 0.4002, 3200),
        (f"{LARGE}, ledger.txt", 0.7514, 3200),
        (f"{SMALL}, ledger.txt", 0.7061, 240),
    ):
        entry = found[name]
        assert entry["alignment"]["value"] == pytest.approx(alignment, abs=0.0001)
        assert entry["cost"]["per_day"] == pytest.approx(a_day)
        assert entry["cost"]["per_year"] == pytest.approx(a_day * 365)
        assert entry["cost"]["batch_per_day"] == pytest.approx(a_day / 2)
        assert entry["tokens_per_verdict"] == {"input": 1400, "output": 50}
        assert entry["latency"]["median"] > 0
        assert entry["latency"]["p95"] >= entry["latency"]["median"]
    assert found[f"{LARGE}, prompt.txt"]["recall_by_class"] == {"0": 0.0, "1": pytest.approx(20 / 21)}
    (comparison,) = document["comparisons"]
    assert comparison["front"] == [f"{LARGE}, ledger.txt", f"{SMALL}, ledger.txt"]
    assert comparison["choice"] == f"{LARGE}, ledger.txt"
    assert "these data cannot tell whether openai:gpt-4o-mini" in document["sentence"]
    assert "$3,200.00 a day at 1,000,000 verdicts" in document["sentence"]
    assert len(models.calls) == 120
    program(*SET, *judges)
    assert len(models.calls) == 120  # all of it is stored


def test_a_cheaper_judge_that_is_as_good_is_the_one_to_take(program, models):
    judges = ("--judge", LARGE, "--judge", SMALL, "--prompt", "ledger.txt")
    document = program(*SET, *judges, "--margin", 0.3, "--no-juries", "--json").json
    (comparison,) = document["comparisons"]
    assert comparison["choice"] == SMALL
    assert document["sentence"].startswith(
        f"{SMALL} is the cheapest judge that is as good as the best within 0.3 in alignment: 0.71"
    )
    assert "at $0.24 instead of $3.20 per 1,000 verdicts" in document["sentence"]
    beside = by_name(document)[SMALL]["beside_best"]
    assert beside["conclusion"] == "non_inferior"


def test_of_two_equal_judges_the_cheaper_one_is_the_best(program, models):
    judges = ("--judge", LARGE, "--judge", SMALL, "--prompt", "prompt.txt")
    document = program(*SET, *judges, "--no-juries", "--json").json
    assert document["sentence"].startswith(f"{SMALL} and {LARGE} have the highest alignment, 0.40 (95 % interval 0.")
    assert f"; {SMALL} is the cheapest of them, at $0.24 per 1,000 verdicts" in document["sentence"]
    assert "do not tell it apart from any other judge" in document["sentence"]
    assert "none of the others is cheaper" in document["sentence"]
    assert "a judge that always says the same would reach (0.46)" in document["sentence"]


def test_differences_are_corrected_for_their_number(program, models):
    Path("stern.txt").write_text(f"{ADDITIONS['stern']} {PROMPT}", encoding="utf-8")
    prompts = ("--prompt", "prompt.txt", "--prompt", "ledger.txt", "--prompt", "stern.txt")
    document = program(*SET, "--judge", LARGE, *prompts, "--no-juries", "--json").json
    pairs = document["comparisons"][0]["family"]["pairs"]
    assert len(pairs) == 3
    assert all(each["p_holm"] >= each["comparison"]["p"] for each in pairs)
    two = {f"{LARGE}, ledger.txt", f"{LARGE}, stern.txt"}
    worst = next(each for each in pairs if {each["baseline"], each["candidate"]} == two)
    assert worst["real"] is True
    assert worst["comparison"]["difference"]["value"] == pytest.approx(0.0496 - 0.7514, abs=0.0002)
    text = program(*SET, "--judge", LARGE, *prompts, "--no-juries").out
    assert "corrected for 3 comparisons (Holm)" in text


def test_a_prompt_of_a_run_goes_to_other_models(program, models):
    program("baseline", "pages.csv", "--judge", LARGE, "--prompt", "ledger.txt")
    calls = len(models.calls)
    document = program(*SET, "--judge", LARGE, "--judge", SMALL, "--prompt-from", "1", "--generic", "--json").json
    found = by_name(document)
    assert found[f"{SMALL}, prompt of 1:0"]["prompt_from"] == "1:0"
    assert found[f"{SMALL}, prompt of 1:0"]["alignment"]["value"] == pytest.approx(0.7061, abs=0.0001)
    assert len(models.calls) == calls + 3 * 30  # the one that run 1 has judged with is replayed


def test_juries_and_a_cascade_stand_in_the_same_table(program, models):
    third = "openai:gpt-4.1-mini"
    judges = ("--judge", LARGE, "--judge", SMALL, "--judge", third, "--prompt", "ledger.txt")
    document = program(*SET, *judges, "--json").json
    found = by_name(document)
    kinds = {name: each["kind"] for name, each in found.items()}
    assert kinds == {
        LARGE: "judge",
        SMALL: "judge",
        third: "judge",
        "majority of 3": "jury",
        "veto of any of 3": "jury",
        "weighted vote of 3": "jury",
        "cascade on disagreement": "cascade",
    }
    assert found["majority of 3"]["confusion"]["matrix"] == [[6, 3], [2, 19]]
    assert found["veto of any of 3"]["confusion"]["matrix"] == [[6, 3], [3, 18]]
    total = sum(found[name]["cost"]["per_verdict"] for name in (LARGE, SMALL, third))
    assert found["majority of 3"]["cost"]["per_verdict"] == pytest.approx(total)
    cascade = found["cascade on disagreement"]
    assert cascade["cascade"]["escalated"] == 1  # f19, on which the two cheapest differ
    assert cascade["members"] == [SMALL, third, LARGE]
    expected = found[SMALL]["cost"]["per_verdict"] + found[third]["cost"]["per_verdict"]
    assert cascade["cost"]["per_verdict"] == pytest.approx(expected + found[LARGE]["cost"]["per_verdict"] / 30)
    text = program(*SET, *judges).out
    assert f"{SMALL} and {third} first; {LARGE} where they disagree: 3% of the items" in text
    assert len(models.calls) == 90


def sure_or_not(call):
    """The large model is right throughout; the small one errs on four pages, on which it is unsure."""
    page = call.user.partition("page ")[2][:3]
    right, small = ("1" if page[0] == "f" else "0"), call.body["model"] == "gpt-4o-mini"
    errs = small and page in ("f01", "f02", "u01", "u02")
    unsure = errs or (small and page == "f03")
    label = {"0": "1", "1": "0"}[right] if errs else right
    return Reply(json.dumps({"reasoning": "r", "label": label, "confidence": 0.5 if unsure else 0.95}))


def test_a_cheap_judge_that_knows_what_it_does_not_know(program, pages, monkeypatch):
    with Loopback(sure_or_not) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.openai_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
        judges = ("--judge", SMALL, "--judge", LARGE, "--prompt", "prompt.txt", "--max-error", 0.2)
        document = program(*SET, *judges, "--json").json
        text = program(*SET, *judges).out
        strict = by_name(program(*SET, *judges[:-2], "--json").json)
    found = by_name(document)
    cascade = found[f"cascade from {SMALL}"]
    assert (cascade["cascade"]["threshold"], cascade["cascade"]["escalated"]) == (0.95, 5)
    assert cascade["alignment"]["value"] == 1.0
    assert cascade["on_front"] is True
    automation = found[SMALL]["automation"]
    assert (automation["decisions"], automation["errors"], automation["threshold"]) == (25, 0, 0.95)
    assert automation["share"] == pytest.approx(25 / 30)
    assert "may decide 83 % of the items alone" in text
    assert "needs 59 decisions, has 30" in strict[SMALL]["automation"]["sentence"]


def test_a_judge_that_leaves_too_much_open_is_no_measure_of_the_others(program, pages, monkeypatch):
    """The large model is right, but silent on four pages: the others are compared with the best that can be used."""

    def reply(call):
        page = call.user.partition("page ")[2][:3]
        right = "1" if page[0] == "f" else "0"
        if call.body["model"] == "gpt-4.1":
            return Reply("I would rather not say.") if page in ("f01", "f02", "f03", "f04") else Reply(verdict(right))
        wrong = page in ("u01", "f05") if call.body["model"] == "gpt-4o" else page in ("u02", "f05")
        return Reply(verdict({"0": "1", "1": "0"}[right] if wrong else right))

    with Loopback(reply) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.openai_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
        judges = ("--judge", LARGE, "--judge", "openai:gpt-4o", "--judge", SMALL, "--prompt", "prompt.txt")
        document = program(*SET, *judges, "--json", code=1).json
    (comparison,), found = document["comparisons"], by_name(document)
    assert comparison["best"] == SMALL
    assert comparison["choice"] == SMALL
    assert found[LARGE]["beside_best"] is None
    assert [each["kind"] for each in document["results"]] == ["judge"] * 3 + ["jury"] * 2  # of the two that answer
    assert "4 of 30 items have no usable verdict" in document["sentence"]


def test_one_judge_has_one_name(program, models):
    program("baseline", "pages.csv", "--judge", SMALL)
    twice = program(*SET, "--judge", SMALL, "--generic", "--prompt-from", "1", code=2).error
    assert "are one judge" in twice


def test_the_end_of_the_budget_is_no_failure_of_a_judge(program, models):
    judges = ("--judge", LARGE, "--judge", SMALL, "--prompt", "prompt.txt")
    outcome = program(*SET, *judges, "--budget", 0.05, code=3)
    assert "the budget of $0.05 ends here" in outcome.error
    before = len(models.calls)
    assert program(*SET, *judges, "--budget", 5, "--json").json["status"] == "ok"
    assert len(models.calls) == 60 > before


def test_a_judge_that_fails_is_left_out_and_named(program, pages, world, monkeypatch, no_waiting):
    with Loopback(lambda call: error(400) if call.body["model"] == "gpt-4o-mini" else world(call)) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.openai_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
        outcome = program(*SET, "--judge", SMALL, "--judge", LARGE, "--prompt", "prompt.txt", "--json", code=3)
    assert outcome.json["status"] == "judge_failed"
    assert list(outcome.json["failed"]) == [SMALL]
    assert list(by_name(outcome.json)) == [LARGE]


def test_unknown_costs_stay_unknown(program, models):
    Path("mine.py").write_text("def judge(item):\n    return '0' if item['id'] > 'u' else '1'\n", encoding="utf-8")
    document = program(*SET, "--judge", LARGE, "--judge", "py:mine:judge", "--prompt", "prompt.txt", "--json").json
    mine = by_name(document)["py:mine:judge"]
    assert mine["alignment"]["value"] == 1.0
    assert mine["cost"]["per_verdict"] is None
    assert (document["comparisons"][0]["front"], document["comparisons"][0]["choice"]) == ([LARGE], None)
    assert "what it costs is unknown" in document["sentence"]


def test_what_it_would_cost_is_told_before(program, models):
    told = program(*SET, "--judge", LARGE, "--judge", SMALL, "--prompt", "prompt.txt", "--dry-run", "--json").json
    assert (told["dry_run"], told["estimate"]["calls"]) == (True, 60)
    assert not models.calls


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--judge", LARGE, "--judge", LARGE), "is asked for twice"),
        (("--judge", LARGE, "--margin", "0"), "a margin lies between 0 and 1"),
        (("--judge", LARGE, "--prompt-from", "7"), "no run 7 here"),
        (("--judge", LARGE, "--recalibrate", "--optimizer", "sim:writer"), "give --prompt-from once"),
        (("--judge", LARGE, "--optimizer", "sim:writer"), "--optimizer is for --recalibrate"),
        (("--judge", LARGE, "--plot", "runs.csv"), "ends in .html"),
        (("--judge", LARGE, "--plot", "nowhere/page.html"), "no such folder"),
        (("--judge", LARGE, "--volume", "0"), "--volume"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(program, models, options, said):
    if "--prompt-from" in options:
        program("baseline", "pages.csv", "--judge", SMALL, "--prompt", "prompt.txt")
    before = len(models.calls)
    assert said in program(*SET, *options, code=2).error
    assert len(models.calls) == before


def test_the_page_of_a_comparison(program, models):
    program(*SET, "--judge", LARGE, "--judge", SMALL, "--prompt", "ledger.txt", "--plot", "front.html")
    page = Path("front.html").read_text(encoding="utf-8")
    assert LARGE in page
    assert "these data cannot tell" in page


@pytest.mark.slow
def test_calibrating_each_model_again_shows_what_that_buys(program, models):
    program("baseline", "pages.csv", "--judge", LARGE, "--prompt", "prompt.txt")
    command = (*SET, "--judge", LARGE, "--judge", SMALL, "--prompt-from", "1", "--recalibrate", "--optimizer", LARGE)
    document = program(*command, "--iterations", 1, "--json").json
    (comparison,) = document["comparisons"]
    assert [each["model"] for each in comparison["recalibrated"]] == [LARGE, SMALL]
    found = by_name(document)
    for gain in comparison["recalibrated"]:
        assert found[gain["recalibrated"]]["alignment"]["value"] > found[gain["transferred"]]["alignment"]["value"]
    assert any("calibrating openai:gpt-4o-mini again" in note for note in comparison["notes"])
    assert any("were seen by a search" in note for note in comparison["notes"])
    calls = len(models.calls)
    program(*command, "--iterations", 1)
    assert len(models.calls) == calls


@pytest.mark.slow
def test_only_items_that_no_search_has_seen(program, models):
    program(
        "optimize",
        "pages.csv",
        "--judge",
        LARGE,
        "--optimizer",
        LARGE,
        "--prompt",
        "prompt.txt",
        "--holdout",
        0.4,
        "--iterations",
        1,
    )
    document = program(*SET, "--judge", SMALL, "--prompt-from", "1", "--generic", "--unseen", "--json").json
    held = document["comparisons"][0]["n"]
    assert 0 < held < 30
    assert any(f"{30 - held} of 30 items were seen by a search" in note for note in document["notes"])
    assert document["comparisons"][0]["notes"] == []
    program("export", "1", "--to", "text", "-o", "winner.txt")
    document = program(*SET, "--judge", SMALL, "--prompt", "winner.txt", "--json").json
    assert "A search has seen" in document["sentence"]  # by its text, though nobody says where it comes from


def test_dimensions_are_compared_each_by_itself(program, models):
    path = write_pages(Path("two.csv"))
    lines = path.read_text(encoding="utf-8").splitlines()
    header, *rows = lines
    both = [f"{header},dimension", *(f"{row},{name}" for name in ("faithfulness", "relevance") for row in rows)]
    path.write_text("\n".join(both) + "\n", encoding="utf-8")
    document = program(
        "compare", "two.csv", "--judge", LARGE, "--judge", SMALL, "--prompt", "prompt.txt", "--json"
    ).json
    assert [each["dimension"] for each in document["comparisons"]] == ["faithfulness", "relevance"]
    assert document["sentence"].startswith("Faithfulness: ")
