"""What was in flight when a command stopped may have been billed: it stays in the books, with the most it can be."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from charging import answer, environment, query, use, write_items
from loopback import Call, Loopback, Reply, error
from program import PROMPT, World, start, write_pages

JUDGE = "openai:gpt-4.1-2025-04-14"


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.01)


def recorded() -> int:
    """How many replies the run database holds; none while it is being made."""
    try:
        return int(query("select count(*) from responses")[0][0])
    except sqlite3.OperationalError:
        return 0


def check_books_of_a_stop(server: Loopback, answered: int) -> None:
    """All calls are in the books: those answered with their cost, the others as uncertain charges."""
    assert query("select count(*) from responses") == [(answered,)]
    (known,) = query("select sum(cost) from responses")[0]
    ((count, most),) = query("select count(*), sum(at_most) from uncertain_charges")
    taken = [entry for entry in server.entries if entry.reply.status == 200]
    assert count == len(taken) - answered
    assert known <= server.charged <= known + (most or 0.0)


@pytest.mark.parametrize(
    "budget", [pytest.param((), marks=pytest.mark.slow), ("--budget", 5)], ids=["no budget", "a budget"]
)
def test_what_was_in_flight_at_ctrl_c_is_in_the_books(tmp_path, budget):
    items = write_items(tmp_path / "items.csv", 200)
    asked = ("baseline", items, "--judge", JUDGE, "--concurrency", 16, *budget, "--json")

    def slower(call: Call) -> Reply:
        return Reply(answer(call), latency=0.02 if call.index < 40 else 2.0)

    with Loopback(slower) as server:
        process = start(asked, tmp_path, environment(server))
        wait_until(lambda: len(server.calls) == 56 and recorded() == 40)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        assert json.loads(out)["status"] == "interrupted"
        assert len(server.calls) == 56
        wait_until(lambda: len(server.entries) == 56)  # the server answers, and charges, all the same
        check_books_of_a_stop(server, 40)


@pytest.mark.slow
def test_what_was_in_flight_when_the_key_was_withdrawn_is_in_the_books(program, tmp_path, monkeypatch):
    items = write_items(tmp_path / "items.csv", 200)

    def withdrawn(call: Call) -> Reply:
        if call.index == 50:
            return error(401, "the key was withdrawn")
        return Reply(answer(call), latency=0.01 if call.index < 40 else 0.5)

    with Loopback(withdrawn) as server:
        use(server, monkeypatch)
        ended = program("baseline", items, "--judge", JUDGE, "--concurrency", 16, "--json", code=None)
        assert (ended.code, ended.json["status"]) == (3, "provider_failed")
        wait_until(lambda: len(server.entries) == len(server.calls))
        assert "refused the key (401)" in ended.error
        check_books_of_a_stop(server, recorded())


@pytest.mark.slow
def test_meta_prompts_that_were_in_flight_at_ctrl_c_are_in_the_books(tmp_path):
    write_pages(tmp_path / "pages.csv")
    (tmp_path / "prompt.txt").write_text(PROMPT, encoding="utf-8")
    asked = ("optimize", "pages.csv", "--judge", JUDGE, "--optimizer", JUDGE, "--prompt", "prompt.txt", "--json")
    world = World()

    def slower(call: Call) -> Reply:
        return replace(world(call), latency=0.01 if call.index < 33 else 2.0)

    with Loopback(slower) as server:
        process = start(asked, tmp_path, environment(server))
        # All thirty items are judged, their errors are analysed, and two of five rewrites have come.
        wait_until(lambda: len(server.calls) == 36 and recorded() == 33)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        wait_until(lambda: len(server.entries) == 36)
        check_books_of_a_stop(server, 33)
