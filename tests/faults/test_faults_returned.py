"""A model that changes behind its name, and reasoning that uses up the room for a reply: both are told and counted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from charging import answer, by_item, item_of, judged, query, use, write_items
from loopback import Call, Loopback, Reply

from calibrate.workflows.returned import is_floating_alias

ALIAS, DATED = "openai:gpt-4.1", "openai:gpt-4.1-2025-04-14"


def named(model: str):
    return lambda call: Reply(answer(call), model=model)


def record_of(outcome):
    (run,) = outcome.json["runs"]
    return run["record"], run["notes"]


def test_an_alias_whose_model_changes_between_two_runs_is_reported(program, tmp_path, monkeypatch):
    items = write_items(tmp_path / "items.csv", 20)
    asked = ("baseline", items, "--judge", ALIAS, "--json")
    with Loopback(named("gpt-4.1-2025-04-14")) as server:
        use(server, monkeypatch)
        first = program(*asked)
        record, notes = record_of(first)
        assert record["floating_alias"] is True
        assert record["model_returned"] == ["gpt-4.1-2025-04-14"]
        assert (record["model_returned_before"], record["model_changed"]) == ([], False)
        alias = "openai:gpt-4.1 is a floating alias: the model behind it may change; gpt-4.1-2025-04-14 answered"
        assert notes == [alias]
        assert f"note: {alias}" in first.err
        # Replayed, or asked afresh of the same model, nothing has changed.
        assert record_of(program(*asked))[0]["model_changed"] is False
        assert record_of(program(*asked, "--fresh"))[0]["model_changed"] is False
        server._replies = named("gpt-4.1-2025-12-01")
        second = program(*asked, "--fresh")
    record, notes = record_of(second)
    assert record["model_returned"] == ["gpt-4.1-2025-12-01"]
    assert record["model_returned_before"] == ["gpt-4.1-2025-04-14"]
    assert record["model_changed"] is True
    change = (
        "the model behind openai:gpt-4.1 has changed since the last run of this prompt: gpt-4.1-2025-04-14 answered "
        "then, gpt-4.1-2025-12-01 now"
    )
    assert change in notes
    assert f"note: {change}" in second.err


def test_a_model_that_changes_within_a_run_is_reported_with_its_counts(program, tmp_path, monkeypatch):
    items = write_items(tmp_path / "items.csv", 20)

    def changing(call: Call) -> Reply:
        return Reply(answer(call), model="gpt-4.1-2025-12-01" if call.index >= 15 else None)

    with Loopback(changing) as server:
        use(server, monkeypatch)
        outcome = program("baseline", items, "--judge", DATED, "--json")
    record, notes = record_of(outcome)
    assert record["model_returned"] == ["gpt-4.1-2025-04-14", "gpt-4.1-2025-12-01"]
    assert (record["floating_alias"], record["model_changed"]) == (False, True)
    (note,) = notes
    assert note == (
        "the model changed within the run: gpt-4.1-2025-04-14 (15), gpt-4.1-2025-12-01 (5); "
        "the verdicts are not of one judge"
    )
    assert f"note: {note}" in outcome.err


def test_a_dated_model_that_stays_the_same_is_reported_in_no_note(program, tmp_path, monkeypatch):
    with Loopback(answer) as server:
        use(server, monkeypatch)
        items = write_items(tmp_path / "items.csv", 20)
        record, notes = record_of(program("baseline", items, "--judge", DATED, "--json"))
    assert notes == []
    assert (record["floating_alias"], record["model_changed"]) == (False, False)
    assert record["model_returned"] == ["gpt-4.1-2025-04-14"]


@pytest.mark.parametrize(
    ("model", "floats"),
    [
        ("openai:gpt-4.1", True),
        ("openai:gpt-4.1-mini", True),
        ("openai:gpt-5", True),
        ("openai:chatgpt-4o-latest", True),
        ("anthropic:claude-sonnet-4-5", True),
        ("anthropic:claude-3-5-haiku-latest", True),
        ("openai:gpt-4.1-2025-04-14", False),
        ("openai:gpt-3.5-turbo-0125", False),
        ("openai:gpt-4-0613", False),
        ("anthropic:claude-sonnet-4-5-20250929", False),
        ("anthropic:claude-haiku-4-5@20251001", False),
        ("sim:reader", False),
    ],
)
def test_a_floating_alias_is_told_from_a_dated_name(model, floats):
    assert is_floating_alias(model) is floats


# Reasoning that uses up the limit


class Thinker:
    """Thinks until 200 tokens are over, unless there is room for more.

    Args:
        think: the items it thinks long about; None for all of them.
        usage: whether the first and the second replies tell their usage.
        tokens: how many it takes when there is room.
    """

    def __init__(
        self, think: set[str] | None = None, usage: tuple[bool, bool] = (True, True), tokens: int = 320
    ) -> None:
        self._think, self._usage, self._tokens = think, usage, tokens

    def __call__(self, call: Call) -> Reply:
        item = item_of(call)
        assert item is not None
        limit = call.body.get("max_completion_tokens") or call.body["max_tokens"]
        if self._think is not None and item not in self._think:
            return Reply(answer(call))
        if limit <= 200:
            return Reply("", finish="length", output_tokens=limit, reasoning_tokens=limit, usage=self._usage[0])
        return Reply(answer(call), output_tokens=self._tokens, reasoning_tokens=self._tokens - 20, usage=self._usage[1])


def limits(server: Loopback) -> list[int]:
    return [call.body.get("max_completion_tokens") or call.body["max_tokens"] for call in server.calls]


THINKING = ("--judge", DATED, "--max-tokens", 200, "--concurrency", 1, "--json")


def test_a_reply_used_up_by_reasoning_is_asked_again_with_more_room_and_both_are_paid_for(
    program, tmp_path, monkeypatch
):
    items = write_items(tmp_path / "items.csv", 10)
    with Loopback(Thinker({"00003", "00006"})) as server:
        use(server, monkeypatch)
        (run,) = program("baseline", items, *THINKING).json["runs"]
    # The first three with the usual limit, the fourth with both, and all later ones with the larger.
    assert limits(server) == [200] * 4 + [800] * 7
    assert [len(entries) for entries in by_item(server).values()] == [1, 1, 1, 2, 1, 1, 1, 1, 1, 1]
    spent = run["spent"]
    assert (spent["calls"], spent["used_up_by_reasoning"]) == (10, 1)
    assert spent["cost"] == pytest.approx(server.charged, abs=1e-9)
    assert spent["uncertain_charges"]["count"] == 0
    (row,) = query(
        "select cost, output_tokens, reasoning_tokens, enlarged, input_tokens from responses join verdicts "
        "on key = response_key where item_id = '00003'"
    )
    first, second = by_item(server)["00003"]
    assert row[:4] == (pytest.approx(first.charge + second.charge, abs=1e-9), 520, 500, 1)
    assert query("select sum(enlarged), count(*) from responses") == [(1, 10)]
    assert run["record"]["not_taken"] == ["token limit (4 times as large instead: reasoning used it up)"]
    assert dict(query("select item_id, label from verdicts")) == {item: judged(item) for item in by_item(server)}


def test_thinking_blocks_without_any_text_are_asked_again_too(program, tmp_path, monkeypatch):
    items = write_items(tmp_path / "items.csv", 4)
    thinker = Thinker({"00001"})

    def aloud(call: Call) -> Reply:
        reply = thinker(call)
        return replace(reply, thinking='The label may be {"label": "1"}, or not.') if reply.reasoning_tokens else reply

    asked = ("--judge", "anthropic:claude-haiku-4-5-20251001", *THINKING[2:])
    with Loopback(aloud, prices=(1.0, 0.1, 5.0)) as server:
        use(server, monkeypatch)
        (run,) = program("baseline", items, *asked).json["runs"]
    assert limits(server) == [200, 200, 800, 800, 800]
    assert run["spent"]["used_up_by_reasoning"] == 1
    assert run["spent"]["cost"] == pytest.approx(server.charged, abs=1e-9)
    assert dict(query("select item_id, label from verdicts")) == {item: judged(item) for item in by_item(server)}


def test_with_many_in_flight_each_is_asked_twice_at_most(program, tmp_path, monkeypatch):
    items = write_items(tmp_path / "items.csv", 60)
    asked = ("--judge", DATED, "--max-tokens", 200, "--concurrency", 16, "--json")
    with Loopback(Thinker(), latency=0.01) as server:
        use(server, monkeypatch)
        (run,) = program("baseline", items, *asked).json["runs"]
    twice = sum(len(entries) == 2 for entries in by_item(server).values())
    assert len(server.entries) == 60 + twice
    assert twice == run["spent"]["used_up_by_reasoning"] <= 16
    assert run["spent"]["cost"] == pytest.approx(server.charged, abs=1e-9)


@pytest.mark.parametrize("usage", [(True, False), (False, True), (False, False)])
@pytest.mark.parametrize("budget", [(), ("--budget", 5)], ids=["no budget", "a budget"])
def test_when_one_of_both_replies_does_not_tell_its_usage_the_other_is_not_forgotten(
    program, tmp_path, monkeypatch, usage, budget
):
    items = write_items(tmp_path / "items.csv", 5)
    thinker = Thinker({"00002"}, usage, tokens=800)

    def wordy(call: Call) -> Reply:
        # So many input tokens that the bound on one reply has no room for the other's cost.
        return replace(thinker(call), input_tokens=len(json.dumps(call.body)) // 2)

    with Loopback(wordy) as server:
        use(server, monkeypatch)
        (run,) = program("baseline", items, *THINKING, *budget).json["runs"]
    spent = run["spent"]
    assert (spent["cost"], spent["calls_of_unknown_cost"]) == (None, 1)
    assert spent["known_cost"] <= server.charged <= spent["known_cost"] + spent["uncertain_charges"]["at_most"]


@pytest.mark.usefixtures("fast_waiting")
@pytest.mark.parametrize("usage", [True, False])
def test_when_the_second_request_fails_the_first_one_counts_towards_the_budget(program, tmp_path, monkeypatch, usage):
    items = write_items(tmp_path / "items.csv", 5)
    thinker = Thinker({"00002"}, (usage, True))

    def failing(call: Call) -> Reply:
        reply = thinker(call)
        large = (call.body.get("max_completion_tokens") or call.body["max_tokens"]) > 200
        return Reply(status=400, message="no more") if large and item_of(call) == "00002" else reply

    with Loopback(failing) as server:
        use(server, monkeypatch)
        arguments = ("baseline", items, *THINKING, "--budget", 5, "--max-unscored", 1)
        (run,) = program(*arguments).json["runs"]
    spent = run["spent"]
    assert query("select item_id, unscored from verdicts where unscored is not null") == [("00002", "error")]
    assert spent["uncertain_charges"]["count"] == 1
    assert spent["known_cost"] <= server.charged <= spent["known_cost"] + spent["uncertain_charges"]["at_most"]


def test_a_declared_token_limit_is_kept_and_nothing_is_asked_twice_for_nothing(program, tmp_path, monkeypatch):
    items = write_items(tmp_path / "items.csv", 5)
    (tmp_path / "calibrate.toml").write_text(f'[models."{DATED}"]\nmax_tokens = 150\n', encoding="utf-8")
    with Loopback(Thinker({"00002"})) as server:
        use(server, monkeypatch)
        (run,) = program("baseline", items, *THINKING, "--max-unscored", 1).json["runs"]
    assert limits(server) == [150] * 5
    assert (run["spent"]["used_up_by_reasoning"], run["record"]["not_taken"]) == (0, [])
    assert run["spent"]["cost"] == pytest.approx(server.charged, abs=1e-9)
    assert query("select item_id, unscored from verdicts where unscored is not null") == [("00002", "truncated")]
