"""Killed at any moment, a command goes on: no verdict is lost, and nothing recorded is asked for or paid for again."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from charging import Faults, answer, by_item, environment, integrity, item_of, judged, query, write_items
from loopback import Entry, Loopback
from program import PROMPT, World, start, write_pages

JUDGE = "openai:gpt-4.1-2025-04-14"
CONCURRENCY = 8


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.002)


def rows(statement: str) -> list[tuple[Any, ...]]:
    """Return what the database holds; nothing while its tables are being made."""
    try:
        return query(statement) if Path("runs.db").exists() else []
    except sqlite3.OperationalError:
        return []


def recorded() -> set[str]:
    """The items whose reply is recorded."""
    return {item for (item,) in rows("select item_id from verdicts where response_key in (select key from responses)")}


def killed_after(arguments: tuple[object, ...], folder: Path, server: Loopback, replies: int, pause: float) -> bool:
    """Run a command until the server has sent so many replies and a moment more; return whether that was in time."""
    process = start(arguments, folder, environment(server))
    wait_until(lambda: process.poll() is not None or len(server.entries) >= replies)
    time.sleep(pause)
    process.kill()
    process.communicate()
    return process.returncode == -signal.SIGKILL


def finished(arguments: tuple[object, ...], folder: Path, server: Loopback) -> Any:
    process = start(arguments, folder, environment(server))
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return json.loads(out)


def check_calls_after(server: Loopback, first_call: int, items: set[str]) -> None:
    """No call from ``first_call`` on asks for one of the items."""
    again = {item_of(call) for call in server.calls[first_call:]} & items
    assert not again, f"recorded, and asked for again: {sorted(map(str, again))}"


@pytest.mark.slow
def test_twenty_kills_in_a_row_lose_no_verdict_and_repeat_no_recorded_call(tmp_path):
    count = 600
    randomness = random.Random(1)
    items = write_items(tmp_path / "items.csv", count)
    asked = ("baseline", items, "--judge", JUDGE, "--concurrency", CONCURRENCY, "--json")
    with Loopback(answer, latency=0.05) as server:
        kept: set[str] = set()
        unrecorded = 0
        for kill in range(20):
            calls, answered = len(server.calls), len(server.entries)
            # The first ones come while it starts, and makes the database.
            more, pause = (0, 2.0) if kill < 4 else (randomness.randint(1, 40), 0.05)
            assert killed_after(asked, tmp_path, server, answered + more, pause * randomness.random())
            wait_until(lambda: len(server.entries) == len(server.calls))
            check_calls_after(server, calls, kept)
            now = recorded()
            assert kept <= now
            new = {item_of(entry.call) for entry in server.entries[answered:]}
            assert now - kept <= new
            unrecorded += len(server.entries) - answered - len(now - kept)
            kept = now
            assert integrity() in ("ok", None)
        # A kill costs what was in flight, and what was answered while the last batch was on its way to the disk.
        assert unrecorded <= 20 * 4 * CONCURRENCY
        calls = len(server.calls)
        document = finished(asked, tmp_path, server)
        check_calls_after(server, calls, kept)
    (run,) = document["runs"]
    assert 20 < len(kept) < count
    assert run["paid_calls"] == count - len(kept)
    assert dict(rows("select item_id, label from verdicts")) == {item: judged(item) for item in by_item(server)}
    assert rows("select count(*), count(distinct key) from responses") == [(count, count)]
    assert rows("select count(*) from evaluations") == [(1,)]
    # The money: what the database knows, and what was in flight at the kills, are what the server has charged.
    assert run["spent"]["calls"] + unrecorded == len(server.entries)
    times = Counter(item_of(entry.call) for entry in server.entries)
    charge = {item_of(entry.call): entry.charge for entry in server.entries}
    paid_again = sum(charge[item] * (n - 1) for item, n in times.items())
    assert sum(n - 1 for n in times.values()) == unrecorded
    assert run["spent"]["cost"] + paid_again == pytest.approx(server.charged, abs=1e-9)


@pytest.mark.slow
def test_killed_twice_amid_faults_it_ends_with_every_verdict(tmp_path):
    count = 90
    randomness = random.Random(11)
    items = write_items(tmp_path / "items.csv", count)
    asked = ("baseline", items, "--judge", JUDGE, "--concurrency", CONCURRENCY, "--json", "--max-unscored", 1)
    with Loopback(Faults(4, errors=False, charged=True), latency=0.005) as server:
        kept: set[str] = set()
        for _ in range(2):
            calls = len(server.calls)
            assert killed_after(asked, tmp_path, server, len(server.entries) + randomness.randint(5, 30), 0.0)
            check_calls_after(server, calls, kept)
            assert kept <= recorded()
            kept = recorded()
        calls = len(server.calls)
        finished(asked, tmp_path, server)
        check_calls_after(server, calls, kept)
    assert {item for (item,) in rows("select item_id from verdicts")} == set(by_item(server))
    assert rows("select count(*), count(distinct item_id) from verdicts") == [(count, count)]
    assert rows("select max(generation) from responses") == [(0,)]
    assert integrity() == "ok"


# A calibration


OPTIMIZE = (
    *("optimize", "pages.csv", "--judge", JUDGE, "--optimizer", JUDGE, "--prompt", "prompt.txt"),
    *("--concurrency", 4, "--json"),
)


def body(entry: Entry) -> str:
    return json.dumps(entry.call.body, sort_keys=True)


def bodies(server: Loopback) -> Counter[str]:
    return Counter(body(entry) for entry in server.entries)


@pytest.mark.slow
def test_a_calibration_killed_again_and_again_pays_twice_only_for_what_was_not_recorded(tmp_path):
    randomness = random.Random(2)
    write_pages(tmp_path / "pages.csv")
    (tmp_path / "prompt.txt").write_text(PROMPT, encoding="utf-8")
    with Loopback(World()) as uninterrupted:
        finished((*OPTIMIZE, "--db", "other.db"), tmp_path, uninterrupted)
    calls = len(uninterrupted.entries)
    with Loopback(World(), latency=0.03) as server:
        unrecorded, stored = 0, 0
        for _ in range(6):
            answered = len(server.entries)
            in_time = killed_after(
                OPTIMIZE, tmp_path, server, answered + randomness.randint(3, 30), 0.02 * randomness.random()
            )
            assert in_time
            wait_until(lambda: len(server.entries) == len(server.calls))
            now = rows("select count(*) from responses")[0][0] if rows("select 1 from responses") else 0
            unrecorded += len(server.entries) - answered - (now - stored)
            stored = now
        # Four judge calls, or five meta-prompts, are in flight at once.
        assert unrecorded <= 6 * 4 * 5
        document = finished(OPTIMIZE, tmp_path, server)
    (calibration,) = document["calibrations"]
    assert calibration["spent"]["calls"] == calls
    assert len(server.entries) - calls == unrecorded
    assert bodies(server) >= bodies(uninterrupted)
    paid_again = bodies(server) - bodies(uninterrupted)
    charge = {body(entry): entry.charge for entry in server.entries}
    wasted = sum(charge[what] * times for what, times in paid_again.items())
    assert calibration["spent"]["cost"] + wasted == pytest.approx(server.charged, abs=1e-9)
    assert rows("select max(generation), count(*), count(distinct key) from responses") == [(0, calls, calls)]
    assert rows("select count(*) from verdicts") == rows(
        "select count(*) from (select distinct evaluation_id, item_id from verdicts)"
    )
    assert integrity() == "ok"
