"""Two processes at work on one database: nothing is lost, and nothing is recorded twice under one name."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from charging import answer, environment, integrity, item_of, judged, query, write_items
from loopback import Loopback
from program import start

JUDGE = "openai:gpt-4.1-2025-04-14"
COUNT = 200


def at_once(
    server: Loopback, folder: Path, *commands: tuple[object, ...], second_after: int = 0
) -> list[dict[str, object]]:
    """Run two commands at once, the second when the server has answered so many calls."""
    processes = [start(commands[0], folder, environment(server))]
    while len(server.entries) < second_after:
        assert processes[0].poll() is None
    processes += [start(command, folder, environment(server)) for command in commands[1:]]
    documents = []
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        documents.append(json.loads(out)["runs"][0])
    return documents


@pytest.mark.slow
def test_two_prompts_at_once_share_a_database_and_each_pays_for_its_own(tmp_path):
    items = write_items(tmp_path / "items.csv", COUNT)
    commands = []
    for name in ("one", "other"):
        (tmp_path / f"{name}.txt").write_text(f"Say what the {name} prompt says.", encoding="utf-8")
        commands.append(("baseline", items, "--judge", JUDGE, "--prompt", f"{name}.txt", "--json"))
    with Loopback(answer, latency=0.01) as server:
        documents = at_once(server, tmp_path, *commands)
    assert {run["run"] for run in documents} == {1, 2}
    assert all(run["paid_calls"] == run["spent"]["calls"] == COUNT for run in documents)
    assert len(server.entries) == 2 * COUNT
    assert sum(run["spent"]["cost"] for run in documents) == pytest.approx(server.charged, abs=1e-9)
    assert query("select evaluation_id, count(*) from verdicts group by 1 order by 1") == [(1, COUNT), (2, COUNT)]
    assert query("select max(generation) from responses") == [(0,)]
    assert integrity() == "ok"


@pytest.mark.slow
@pytest.mark.parametrize("second_after", [0, 40])
def test_the_same_command_twice_at_once_loses_nothing_and_all_that_is_paid_is_in_the_books(tmp_path, second_after):
    """Both judge what was not recorded when they looked: what both ask for is paid twice, and counted twice."""
    items = write_items(tmp_path / "items.csv", COUNT)
    asked = ("baseline", items, "--judge", JUDGE, "--concurrency", 8, "--json")
    with Loopback(answer, latency=0.02) as server:
        documents = at_once(server, tmp_path, asked, asked, second_after=second_after)
        times = Counter(item_of(entry.call) for entry in server.entries)
        assert len(times) == COUNT
        assert set(times.values()) <= {1, 2}
        assert {run["run"] for run in documents} == {1}
        assert sum(run["paid_calls"] for run in documents) == len(server.entries)
        if second_after:
            # The second one did not ask for what it found recorded.
            assert len(server.entries) < 2 * COUNT
        # One verdict for each item, one reply for each call, and each is charged to the run.
        verdicts = {f"{number:05}": judged(f"{number:05}") for number in range(COUNT)}
        assert dict(query("select item_id, label from verdicts")) == verdicts
        assert query("select count(*), count(distinct evaluation_id) from verdicts") == [(COUNT, 1)]
        assert query("select count(*), count(distinct key) from responses") == [(len(server.entries), COUNT)]
        (paid,) = query("select sum(cost) from responses")[0]
        assert paid == pytest.approx(server.charged, abs=1e-9)
        # Afterwards everything is there, and paid for.
        calls = len(server.calls)
        (again,) = at_once(server, tmp_path, asked)
        assert (again["paid_calls"], len(server.calls)) == (0, calls)
        assert again["spent"]["cost"] == pytest.approx(server.charged, abs=1e-9)
    assert query("select status from runs") == [("done",)]
    assert integrity() == "ok"
