"""A budget holds at every moment, whatever fails; what it covers is kept, and a larger one goes on from there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from charging import Faults, answer, by_item, is_fault, item_of, query, use, write_items
from loopback import Call, Loopback, Reply
from program import PROMPT, World, verdict, write_pages

pytestmark = pytest.mark.usefixtures("fast_waiting")

JUDGE = "openai:gpt-4.1-2025-04-14"
ITEMS = 700


@pytest.mark.slow
def test_with_64_calls_in_flight_most_of_a_budget_is_spent_and_none_too_much(program, tmp_path, monkeypatch):
    items = write_items(tmp_path / "items.csv", ITEMS)
    asked = ("baseline", items, "--judge", JUDGE, "--max-tokens", 100, "--concurrency", 64, "--json")
    with Loopback(answer, latency=0.02) as server:
        use(server, monkeypatch)
        ended = program(*asked, "--budget", 0.35, code=3)
        first, charged = len(server.entries), server.charged
        assert ended.json["status"] == "budget_exceeded"
        assert re.match(r"the budget of \$0\.35 ends here: \$0\.[23]\d+ are spent, ", ended.error)
        assert 0.6 * 0.35 <= charged <= 0.35
        assert server.most_in_flight == 64
        # What was answered is kept, and nothing else.
        assert query("select count(*), sum(cost) from responses") == [(first, pytest.approx(charged, abs=1e-9))]
        assert query("select count(*) from verdicts") == [(first,)]
        assert query("select status from runs") == [("interrupted",)]
        assert 0 < first < ITEMS
        document = program(*asked, "--budget", 5).json
    assert {len(entries) for entries in by_item(server).values()} == {1}
    assert len(server.entries) == ITEMS
    (run,) = document["runs"]
    assert (run["run"], run["paid_calls"], run["spent"]["calls"]) == (1, ITEMS - first, ITEMS)
    assert run["spent"]["cost"] == pytest.approx(server.charged, abs=1e-9)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("errors", [False, True], ids=["replies are lost", "everything fails at times"])
def test_a_budget_holds_over_both_parts_although_lost_replies_are_charged(program, tmp_path, monkeypatch, seed, errors):
    items = write_items(tmp_path / "items.csv", 300)
    asked = ("baseline", items, "--judge", JUDGE, "--max-tokens", 100, "--max-unscored", 1, "--json")
    with Loopback(Faults(seed, charged=True, errors=errors), latency=0.005) as server:
        use(server, monkeypatch)
        answered = 0
        for cap in (0.05, 0.1, 0.15):
            before = len(server.entries)
            stored = stored_items()
            ended = program(*asked, "--budget", cap, code=3)
            assert ended.json["status"] == "budget_exceeded"
            assert server.charged <= cap
            new = [item_of(entry.call) for entry in server.entries[before:]]
            assert stored.isdisjoint(new)
            (calls,) = query("select count(*) from responses")[0]
            assert calls > answered
            answered = calls
        document = program(*asked, "--budget", 5).json
    spent = document["runs"][0]["spent"]
    answered_items = {item for item, entries in by_item(server).items() if not is_fault(entries[-1])}
    assert stored_items() == answered_items
    assert sum(not is_fault(entry) for entry in server.entries) == len(answered_items) == spent["calls"]
    assert spent["known_cost"] <= server.charged <= spent["known_cost"] + spent["uncertain_charges"]["at_most"]


def stored_items() -> set[str]:
    """The items whose reply is stored."""
    if not Path("runs.db").exists():
        return set()
    return {item for (item,) in query("select item_id from verdicts where response_key in (select key from responses)")}


# Judge and meta-LLM


OPTIMIZE = ("optimize", "pages.csv", "--judge", JUDGE, "--optimizer", "openai:gpt-4.1", "--prompt", "prompt.txt")


@pytest.fixture
def pages(tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text(PROMPT, encoding="utf-8")
    write_pages(tmp_path / "pages.csv")


@pytest.mark.slow
@pytest.mark.usefixtures("pages")
def test_judge_and_meta_llm_share_one_budget(program, monkeypatch):
    asked = (*OPTIMIZE, "--json")
    with Loopback(World()) as server:
        use(server, monkeypatch)
        whole = program(*asked, "--db", "other.db").json
        total, calls = server.charged, len(server.entries)
    with Loopback(World(), latency=0.002) as server:
        use(server, monkeypatch)
        cap, ends = 0.0, 0
        while True:
            cap += total / 4
            ended = program(*asked, "--budget", cap, code=None)
            assert server.charged <= cap
            if ended.code == 0:
                break
            ends += 1
            assert (ended.code, ended.json["status"]) == (3, "budget_exceeded")
            assert "raise --budget to go on" in ended.error
            (paid,) = query("select sum(cost) from responses")[0]
            assert paid == pytest.approx(server.charged, abs=1e-9)
    assert ends >= 3
    assert len(server.entries) == calls
    assert server.charged == pytest.approx(total, abs=1e-9)
    (calibration,) = ended.json["calibrations"]
    assert calibration["spent"]["cost"] == pytest.approx(total, abs=1e-9)
    assert calibration["winner"] == whole["calibrations"][0]["winner"]


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_shared_budget_holds_although_lost_replies_are_charged(program, monkeypatch, seed):
    world = World()
    faults = Faults(seed, charged=True, odd=False, say=lambda call: world(call).text)
    with Loopback(faults, latency=0.002) as server:
        use(server, monkeypatch)
        for cap in (0.05, 0.1, 0.2):
            ended = program(*OPTIMIZE, "--json", "--budget", cap, code=None)
            assert server.charged <= cap
            assert ended.code in (0, 3)
        spent = program(*OPTIMIZE, "--json", "--budget", 20).json["calibrations"][0]["spent"]
    assert spent["known_cost"] <= server.charged <= spent["known_cost"] + spent["uncertain_charges"]["at_most"]


# Before anything is spent


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("command", ["baseline", "optimize"])
def test_a_budget_without_a_price_is_refused_before_anything_is_sent(program, monkeypatch, command):
    asked = ("baseline", "pages.csv") if command == "baseline" else ("optimize", "pages.csv", "--optimizer", JUDGE)
    with Loopback(World()) as server:
        use(server, monkeypatch)
        ended = program(*asked, "--judge", "openai:nobody-knows", "--budget", 1, "--quiet", code=2)
        assert server.requests == 0
    assert ended.err.splitlines() == [f"error: {ended.error}"]
    assert '[models."openai:nobody-knows"] in calibrate.toml' in ended.error
    assert "input_price and output_price" in ended.error
    assert not Path("runs.db").exists()


def test_a_budget_of_nothing_sends_nothing_and_replays_what_is_stored(program, tmp_path, monkeypatch):
    asked = ("baseline", write_items(tmp_path / "items.csv", 10), "--judge", JUDGE, "--json", "--budget")
    with Loopback(answer) as server:
        use(server, monkeypatch)
        ended = program(*asked, 0, code=3)
        assert (ended.json["status"], server.requests) == ("budget_exceeded", 0)
        assert ended.error.startswith("the budget of $0.00 ends here: $0.0000 are spent, and one more call to ")
        program(*asked, 1)
        assert server.requests == 10
        document = program(*asked, 0).json
        assert server.requests == 10
    assert (document["status"], document["runs"][0]["paid_calls"]) == ("ok", 0)


@pytest.mark.usefixtures("pages")
def test_a_meta_llm_without_a_price_is_refused_too(program, monkeypatch):
    with Loopback(World()) as server:
        use(server, monkeypatch)
        asked = ("optimize", "pages.csv", "--judge", JUDGE, "--optimizer", "openai:nobody-knows", "--budget", 1)
        assert "openai:nobody-knows" in program(*asked, code=2).error
        assert server.requests == 0
    assert not Path("runs.db").exists()


def thorough(call: Call) -> Reply:
    """A reply as long as replies of judges are: a few sentences, of different lengths."""
    item = item_of(call)
    assert item is not None
    return Reply(
        verdict("1", "The answer says what the context says, as far as that can be told. " * (3 + int(item) % 5))
    )


def test_a_dry_run_sends_nothing_and_its_cost_is_about_what_the_run_costs(program, tmp_path, monkeypatch):
    asked = ("baseline", write_items(tmp_path / "items.csv", 200), "--judge", JUDGE, "--json")
    with Loopback(thorough) as server:
        use(server, monkeypatch)
        planned = program(*asked, "--dry-run").json["estimate"]
        assert server.requests == 0
        assert server.connections == 0
        assert not Path("runs.db").exists()
        program(*asked)
        assert planned["calls"] == len(server.entries) == 200
        assert server.charged / 2 <= planned["cost"] <= server.charged * 2
        assert planned["at_most"] >= server.charged
        # With replies to go by it is closer: here another prompt.
        (tmp_path / "prompt.txt").write_text(PROMPT, encoding="utf-8")
        before, count = server.charged, query("select count(*) from responses")
        planned = program(*asked, "--prompt", "prompt.txt", "--dry-run").json["estimate"]
        assert (server.charged, query("select count(*) from responses")) == (before, count)
        program(*asked, "--prompt", "prompt.txt")
        assert planned["cost"] == pytest.approx(server.charged - before, rel=0.2)
        assert planned["at_most"] >= server.charged - before


@pytest.mark.slow
@pytest.mark.usefixtures("pages")
def test_a_dry_run_of_a_calibration_is_what_it_costs_at_most(program, monkeypatch):
    with Loopback(World()) as server:
        use(server, monkeypatch)
        planned = program(*OPTIMIZE, "--json", "--dry-run").json["estimate"]
        assert server.requests == 0
        assert not Path("runs.db").exists()
        program(*OPTIMIZE, "--json")
    assert planned["upper_bound"] is True
    assert planned["calls"] >= len(server.entries)
    assert planned["cost"] >= server.charged
