"""A RAG evaluation whose judges fail, whose budget ends, and that is killed: nothing is lost, or paid for twice."""

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
from charging import Faults, environment, integrity, is_fault, query, use
from loopback import Loopback, error
from program import start
from rag_world import JUDGE, RagJudges, figure, role_of, write_desks, write_variant

FIGURES = ("faithfulness", "citation_support", "answer_relevancy", "context_relevancy", "correctness")


def longer(name: str, row: dict[str, Any]) -> dict[str, Any]:
    return {"answer": f"{row['answer']} The door is red."}


@pytest.fixture
def command(tmp_path: Path) -> tuple[object, ...]:
    """The evaluation of two variants: 160 calls or so, some of them the same for both."""
    write_desks(tmp_path)
    named = [write_variant(tmp_path / "a.jsonl"), write_variant(tmp_path / "b.jsonl", change=longer)]
    return (
        *("rag", "run", "bank.jsonl", "--corpus", "corpus.jsonl", "--judge", JUDGE, "--json"),
        *(word for each in named for word in ("--variant", each)),
        *("--concurrency", 8),
    )


@pytest.fixture
def expected(command: tuple[object, ...], tmp_path: Path, program: Any) -> Callable[[], Any]:
    """The figures of an evaluation in which nothing fails."""

    def run() -> Any:
        with Loopback(RagJudges.of_desks()) as server, pytest.MonkeyPatch.context() as patch:
            use(server, patch)
            return program(*command, "--db", "other.db").json

    return run


def figures(document: Any) -> dict[tuple[str, str], Any]:
    found = {(variant, name): figure(document, variant, name) for variant in ("a", "b") for name in FIGURES}
    assert all(each["value"] is not None for each in found.values())
    return found


def bodies(server: Loopback) -> Counter[str]:
    """How often each request got a reply that can be used."""
    return Counter(json.dumps(entry.call.body, sort_keys=True) for entry in list(server.entries) if not is_fault(entry))


@pytest.mark.slow
@pytest.mark.usefixtures("fast_waiting")
def test_a_storm_of_429_and_500_changes_no_figure(program, command, expected, monkeypatch):
    with Loopback(Faults(3, odd=False, say=RagJudges.of_desks().say)) as server:
        use(server, monkeypatch)
        document = program(*command).json
        failed = [entry for entry in server.entries if is_fault(entry)]
        assert len(failed) > 40
        assert {entry.reply.status for entry in failed} >= {429, 500}
        assert set(bodies(server).values()) == {1}
        assert document["spent"]["calls"] == len(bodies(server))
        asked = len(server.entries)
        assert figures(program(*command).json) == figures(document)
        assert len(server.entries) == asked
    assert all(each["unscored"] == {} for each in document["judges"])
    assert figures(document) == figures(expected())


@pytest.mark.usefixtures("fast_waiting")
def test_refusals_and_truncated_replies_leave_their_questions_out(program, command, monkeypatch):
    with Loopback(Faults(5, errors=False, broken=0.0, say=RagJudges.of_desks().say)) as server:
        use(server, monkeypatch)
        document = program(*command, "--max-unscored", 1).json
    missing = {each["role"]: sum(each["unscored"].values()) for each in document["judges"]}
    assert sum(missing.values()) > 0
    for role in ("context_relevancy", "correctness", "answer_relevancy"):
        left = [figure(document, variant, role)["left_out"].get("unscored", 0) for variant in ("a", "b")]
        assert (sum(left) > 0) == (missing[role] > 0), role
        assert sum(left) <= missing[role]
    for variant in ("a", "b"):
        traces = document["traces"][variant].values()
        unread = [each for each in traces if any(c["kind"] == "factual" and c["label"] is None for c in each["claims"])]
        assert not any("faithfulness" in each["figures"] for each in unread)


@pytest.mark.slow
@pytest.mark.usefixtures("fast_waiting")
def test_a_budget_holds_step_by_step_and_a_larger_one_pays_the_rest_only(program, command, expected, monkeypatch):
    with Loopback(RagJudges.of_desks(), latency=0.002) as server:
        use(server, monkeypatch)
        for cap in (0.05, 0.07, 0.09):
            ended = program(*command, "--budget", cap, code=3)
            assert ended.json["status"] == "budget_exceeded"
            assert server.charged <= cap
            assert query("select count(*) from responses") == [(len(server.entries),)]
            assert query("select status from runs") == [("interrupted",)]
        roles = Counter(role_of(entry.call) for entry in server.entries)
        assert roles["claims"] == 20
        assert roles["claim_support"] < 40
        document = program(*command, "--budget", 5).json
        assert set(bodies(server).values()) == {1}
        assert document["run"] == 1
        assert document["spent"]["cost"] == pytest.approx(server.charged, abs=1e-9)
    assert figures(document) == figures(expected())


@pytest.mark.usefixtures("fast_waiting")
def test_a_judge_that_fails_throughout_ends_it_and_what_was_answered_is_kept(program, command, monkeypatch):
    judges = RagJudges.of_desks()

    def failing(call: Any) -> Any:
        return judges(call) if role_of(call) == "claims" else error(401, "this key is not known")

    with Loopback(failing) as server:
        use(server, monkeypatch)
        ended = program(*command, code=None)
        assert ended.code not in (0, 1)
        assert "Traceback" not in ended.err
        assert query("select count(*) from responses") == [(20,)]
        server._replies = judges
        document = program(*command).json
        assert judges.roles["claims"] == 20
        assert set(judges.answered.values()) == {1}
        assert document["status"] == "ok"


# Killed


def recorded() -> int:
    try:
        return int(query("select count(*) from responses")[0][0]) if Path("runs.db").exists() else 0
    except sqlite3.OperationalError:
        return 0


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.002)


def killed_at(command: tuple[object, ...], folder: Path, server: Loopback, how: signal.Signals, replies: int) -> str:
    """Run the command until so many replies are sent, and end it; return what it wrote."""
    process = start(command, folder, environment(server))
    wait_until(lambda: process.poll() is not None or len(server.entries) >= replies)
    process.send_signal(how)
    out, err = process.communicate(timeout=60)
    assert process.returncode == (-signal.SIGKILL if how is signal.SIGKILL else 130), err
    assert "Traceback" not in err
    return out


@pytest.mark.slow
@pytest.mark.parametrize(("how", "times"), [(signal.SIGKILL, 4), (signal.SIGINT, 2)], ids=["killed", "interrupted"])
def test_ended_again_and_again_it_goes_on_and_pays_for_nothing_that_is_recorded(
    program, command, expected, tmp_path, monkeypatch, how, times
):
    randomness = random.Random(4)
    with Loopback(RagJudges.of_desks(), latency=0.03) as server:
        lost, kept = 0, 0
        for _ in range(times):
            before = len(server.entries)
            out = killed_at(command, tmp_path, server, how, before + randomness.randint(2, 30))
            if how is signal.SIGINT:
                assert json.loads(out)["status"] == "interrupted"
            wait_until(lambda: len(server.entries) == len(server.calls))
            now = recorded()
            assert now >= kept
            lost += len(server.entries) - before - (now - kept)
            kept = now
            assert integrity() in ("ok", None)
        assert kept > 0
        # What was in flight, and what was answered while the last batch was on its way to the disk.
        assert lost <= times * 4 * 8
        use(server, monkeypatch)
        document = program(*command).json
        assert document["run"] == 1
        assert len(server.entries) - lost == recorded() == document["spent"]["calls"]
        assert sum(each - 1 for each in bodies(server).values()) == lost
    assert figures(document) == figures(expected())
    assert query("select count(*), count(distinct key) from responses") == [(recorded(), recorded())]
