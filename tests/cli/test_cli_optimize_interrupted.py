"""A calibration whose n-th call fails, or that is cancelled at it, and is run again, is the one that never stopped."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from loopback import Call, Loopback, Reply, error
from program import PROMPT, World, run_in, write_pages

import calibrate
from calibrate.optimizer import Limits
from calibrate.workflows.procedure import SearchOptions

# Each of the world's words matters on one of them; ten are lost to "stern", enough for a rewrite to be stopped early.
PAGES = ("f01", *(f"f{number}" for number in range(10, 22)), "u01", "u02", "u04", "u05", "u06")
MODEL = "openai:gpt-4.1"
OPTIMIZE = (
    *("optimize", "pages.csv", "--judge", MODEL, "--optimizer", MODEL, "--prompt", "prompt.txt", "--json"),
    *("--iterations", 2, "--noise-repeats", 0, "--concurrency", 1),
)
SEARCHES = {
    "default": SearchOptions(),
    "pareto": SearchOptions(policy="pareto"),
    "prune": SearchOptions(prune=True),
    "race": SearchOptions(race=True),
    "all": SearchOptions(policy="pareto", prune=True, race=True),
}
WORDS = {
    "default": (),
    "pareto": ("--policy", "pareto"),
    "prune": ("--prune",),
    "race": ("--race",),
    "all": ("--policy", "pareto", "--prune", "--race"),
}
MOST_CALLS = 200
"""More calls than any of these calibrations makes."""


@dataclass(frozen=True)
class Uninterrupted:
    """A calibration that ran in one go: what it came to, what is recorded, and what was asked how often."""

    result: Any
    recorded: Any
    asked: Counter[str]

    @property
    def calls(self) -> int:
        return sum(self.asked.values())


def result(document: Any) -> Any:
    """What a calibration came to, candidates with their costs; what the command itself paid for is another matter."""
    (calibration,) = document["calibrations"]
    names = ("stopped", "iterations", "winner", "candidates", "comparison")
    return {
        "results": document["results"],
        "sentence": document["sentence"],
        "paid": (calibration["spent"]["calls"], round(calibration["spent"]["cost"], 9)),
        **{name: calibration[name] for name in names},
    }


def recorded(folder: Path) -> Any:
    """The candidates and iterations in the run database, moments and ids of evaluations aside."""
    candidates = (
        "select number, iteration, strategy, parent, partner, prompt_digest, status, reason, score, metrics, cost,"
        " shown from candidates order by number"
    )
    with closing(sqlite3.connect(folder / "runs.db")) as connection:
        return {
            "candidates": connection.execute(candidates).fetchall(),
            "iterations": connection.execute("select number, record from iterations order by number").fetchall(),
            "verdicts": connection.execute("select count(*) from verdicts").fetchone(),
            "responses": connection.execute("select count(*), max(generation) from responses").fetchone(),
        }


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """One calibration of each kind, run in one go."""
    done = {}
    for kind, words in WORDS.items():
        folder = tmp_path_factory.mktemp(kind)
        write_pages(folder / "pages.csv", PAGES)
        (folder / "prompt.txt").write_text(PROMPT, encoding="utf-8")
        world = World()
        with Loopback(world) as server:
            document = run_in(folder, server, *OPTIMIZE, *words).json
        done[kind] = Uninterrupted(result(document), recorded(folder), world.answered)
    return done


@pytest.fixture
def short(pages, tmp_path):
    """The small set."""
    write_pages(tmp_path / "pages.csv", PAGES)


def check_the_same(document, tmp_path, world, expected):
    assert result(document) == expected.result
    assert recorded(tmp_path) == expected.recorded
    assert world.answered == expected.asked


def each_at(parts, fast):
    """Each kind of calibration at moments that cut its calls into so many parts; only those named are fast."""
    every_one = [(kind, part / parts) for kind in SEARCHES for part in range(parts)]
    assert set(fast) <= set(every_one)
    return [pytest.param(*each, marks=() if each in fast else pytest.mark.slow) for each in every_one]


def test_the_calibrations_are_worth_interrupting(uninterrupted):
    """They judge, analyse, rewrite, ask once more, show examples, and stop candidates where they may."""
    for kind, expected in uninterrupted.items():
        assert 60 < expected.calls < MOST_CALLS, kind
        bodies = "\n".join(expected.asked)
        assert "<repair>" in bodies
        assert "analysis=" in bodies
        iterations = [json.loads(record) for _, record in expected.recorded["iterations"]]
        assert [len(each["chosen"]) for each in iterations] == [5, 5]
        stopped = [each for each in expected.result["candidates"] if each["status"] == "stopped"]
        assert bool(stopped) == (kind in ("prune", "race", "all")), kind
    assert any(each["shown"] for each in uninterrupted["default"].result["candidates"])
    assert uninterrupted["prune"].calls < uninterrupted["default"].calls


@pytest.mark.parametrize(
    ("kind", "share"), each_at(40, set(zip(SEARCHES, (0.05, 0.1, 0.3, 0.175, 0.575), strict=True)))
)
def test_a_call_that_fails_costs_nothing_but_itself(
    program, short, server, world, tmp_path, uninterrupted, kind, share
):
    expected = uninterrupted[kind]
    moment = int(share * expected.calls)

    def once(call: Call) -> Reply:
        return error(401, "not now") if call.index == moment else world(call)

    server._replies = once
    failed = program(*OPTIMIZE, *WORDS[kind], code=3)
    assert failed.json["status"] == "provider_failed"
    check_the_same(program(*OPTIMIZE, *WORDS[kind]).json, tmp_path, world, expected)
    assert [each["run"] for each in program("runs", "--json").json["runs"]] == [1]


@pytest.mark.parametrize(("kind", "share"), each_at(16, {("all", 0.125)}))
def test_cancelled_at_a_call_it_goes_on(program, short, server, world, tmp_path, uninterrupted, kind, share):
    expected = uninterrupted[kind]
    moment = int(share * expected.calls)
    world.held_from = moment

    def stored():
        with closing(sqlite3.connect("file:runs.db?mode=ro", uri=True)) as connection:
            return connection.execute("select count(*) from responses").fetchone()[0]

    async def cancelled():
        how = {"limits": Limits(iterations=2), "noise_repeats": 0, "concurrency": 1, "search": SEARCHES[kind]}
        work = asyncio.create_task(calibrate.aoptimize("pages.csv", MODEL, MODEL, prompt=PROMPT, **how))
        async with asyncio.timeout(60):
            while len(server.calls) <= moment or stored() < moment:
                await asyncio.sleep(0.01)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(cancelled())
    assert sum(world.answered.values()) == moment
    world.held_from = None
    # The command is the same calibration as the function's.
    check_the_same(program(*OPTIMIZE, *WORDS[kind]).json, tmp_path, world, expected)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["default", "all"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_failing_over_and_over_it_still_arrives(program, short, server, world, tmp_path, uninterrupted, kind, seed):
    expected = uninterrupted[kind]
    every_so_many = 9 + 4 * seed
    server._replies = lambda call: error(401, "not now") if call.index % every_so_many == 8 else world(call)
    outcome = None
    for _ in range(MOST_CALLS):
        outcome = program(*OPTIMIZE, *WORDS[kind], code=None)
        if outcome.code == 0:
            break
    check_the_same(outcome.json, tmp_path, world, expected)
