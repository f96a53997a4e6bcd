"""Stopped with Ctrl-C or killed at any moment, a command run again goes on and pays only for what is missing."""

import json
import random
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from program import PROMPT, World, start, write_pages

import calibrate

OPTIMIZE = (
    *("optimize", "pages.csv", "--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1"),
    *("--prompt", "prompt.txt", "--noise-repeats", "0", "--json"),
)


def finished(process):
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return json.loads(out)


def recorded():
    """How many replies the run database holds."""
    if not Path("runs.db").exists():
        return 0
    try:
        with closing(sqlite3.connect("file:runs.db?mode=ro", uri=True)) as connection:
            return connection.execute("select count(*) from responses").fetchone()[0]
    except sqlite3.OperationalError:  # its tables are being made
        return 0


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.01)


def result(document):
    """What a calibration came to, whatever it was charged on the way."""
    (calibration,) = document["calibrations"]
    return {
        "results": document["results"],
        "sentence": document["sentence"],
        **{name: calibration[name] for name in ("stopped", "iterations", "winner", "candidates", "comparison")},
    }


@dataclass
class Uninterrupted:
    """A calibration that ran in one go: what it came to, and what was asked, each body with how often."""

    result: Any
    asked: Counter[str]

    @property
    def calls(self) -> int:
        return sum(self.asked.values())


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("uninterrupted")
    write_pages(folder / "pages.csv")
    world = World()
    with Loopback(world) as server, pytest.MonkeyPatch.context() as patch:
        for name, value in environment(server).items():
            patch.setenv(name, value)
        model = "openai:gpt-4.1"
        where = {"db": str(folder / "runs.db"), "noise_repeats": 0}
        found = calibrate.optimize(folder / "pages.csv", model, model, prompt=PROMPT, **where)
    assert len(server.calls) > 150
    return Uninterrupted(result(found.to_json()), world.answered)


def environment(server):
    return {"OPENAI_BASE_URL": server.openai_url, "OPENAI_API_KEY": "sk-any"}


# The moments: amid the baseline; at its last item; at the error analysis, amid the rewrites, at the follow-ups; amid
# the candidates of each iteration; and, counted from the end, amid the last ones.
MOMENTS = [0, 1, 12, 29, 30, 31, 33, 36, 37, 38, 60, 95, 130, 150, -60, -30, -1]


@pytest.mark.parametrize(
    "moment", [pytest.param(each, marks=() if each in (12, 33) else pytest.mark.slow) for each in MOMENTS]
)
def test_killed_and_run_again_it_ends_the_same_and_no_reply_is_paid_for_twice(
    program, pages, server, world, tmp_path, uninterrupted, moment
):
    moment = moment if moment >= 0 else uninterrupted.calls + moment
    world.held_from = moment
    process = start(OPTIMIZE, tmp_path, environment(server))
    # Nothing more is answered, and what was answered is recorded: the others are in flight, unpaid.
    wait_until(lambda: len(server.calls) > moment and recorded() == moment)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert sum(world.answered.values()) == moment
    world.held_from = None
    document = program(*OPTIMIZE).json
    assert result(document) == uninterrupted.result
    assert world.answered == uninterrupted.asked
    assert document["calibrations"][0]["spent"]["calls"] == uninterrupted.calls
    assert document["calibrations"][0]["run"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_killed_again_and_again_it_pays_twice_at_most_for_what_was_in_flight(
    program, pages, server, world, tmp_path, uninterrupted, seed
):
    randomness = random.Random(seed)
    server._latency = 0.005
    kills = 0
    while True:
        process = start((*OPTIMIZE, "--concurrency", 2), tmp_path, environment(server))
        enough = len(server.calls) + randomness.randint(10, 90)
        wait_until(lambda: process.poll() is not None or len(server.calls) >= enough)  # noqa: B023 — waited for here
        time.sleep(0.02 * randomness.random())
        if process.poll() is not None:
            break
        process.kill()
        process.communicate()
        kills += 1
    assert result(finished(process)) == uninterrupted.result
    assert kills
    # Two judge calls, or five meta-prompts, can be in flight.
    assert sum(world.answered.values()) - uninterrupted.calls <= 5 * kills


@pytest.mark.slow
def test_ctrl_c_stops_it_and_says_how_to_go_on(program, pages, server, world, tmp_path, uninterrupted):
    world.held_from = 40
    process = start(OPTIMIZE, tmp_path, environment(server))
    wait_until(lambda: len(server.calls) > 40 and recorded() == 40)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(out)["status"] == "interrupted"
    assert "Traceback" not in err
    *_, note, said = err.splitlines()
    assert note == "note: stopped; `calibrate show 1` shows what there is, the same command goes on"
    assert said == "error: stopped by the user; run the same command to go on"
    shown = program("show", 1)
    assert "Stopped: interrupted; the same command goes on." in shown.out
    world.held_from = None
    assert result(program(*OPTIMIZE).json) == uninterrupted.result
    assert world.answered == uninterrupted.asked


@pytest.mark.slow
def test_a_noise_run_of_the_same_judge_in_between_does_not_bend_a_calibration(
    program, pages, server, world, uninterrupted
):
    program(*OPTIMIZE, "--budget", 0.12, code=3)
    before, judge = len(server.calls), world.judge
    assert 30 < before < uninterrupted.calls
    world.judge = lambda prompt, page: "0"
    program("noise", pages, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--runs", 2)
    world.judge = judge
    assert result(program(*OPTIMIZE).json) == uninterrupted.result
    assert len(server.calls) == uninterrupted.calls + 60


@pytest.mark.slow
def test_ctrl_c_in_a_baseline(program, pages, server, world, tmp_path):
    asked = ("baseline", pages, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt")
    world.held_from = 11
    process = start(asked, tmp_path, environment(server))
    wait_until(lambda: len(server.calls) > 11 and recorded() == 11)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "error: stopped by the user; run the same command to go on"
    assert "Run 1 (interrupted) has judged nothing yet." in program("show", 1).out
    assert "interrupted" in program("runs").out
    world.held_from = None
    (run,) = json.loads(program(*asked, "--json").out)["runs"]
    assert (run["run"], run["paid_calls"], run["spent"]["calls"]) == (1, 19, 30)
    assert set(world.answered.values()) == {1}


@pytest.mark.slow
def test_two_at_once_share_a_database(program, pages, server, world, tmp_path):
    processes = [
        start(("baseline", pages, "--judge", f"openai:gpt-4.1{suffix}", "--json"), tmp_path, environment(server))
        for suffix in ("", "-mini")
    ]
    documents = [finished(process) for process in processes]
    assert sorted(each["runs"][0]["run"] for each in documents) == [1, 2]
    assert len(server.calls) == 60


@pytest.mark.slow
def test_a_server_that_is_not_there_is_tried_for_a_while(tmp_path, pages):
    with Loopback() as gone:
        address = environment(gone)
    asked = ("baseline", pages, "--judge", "openai:gpt-4.1")
    process = start(asked, tmp_path, address)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (3, "")
    assert err.splitlines()[-1].startswith(f"error: openai:gpt-4.1: cannot reach 127.0.0.1:{gone.port}: ")
    assert "given up after 5 attempts" in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_the_same_command_twice_at_once_runs_once(program, pages, server, world, tmp_path, uninterrupted):
    """A calibration belongs to one process: the other is told so, and then shows what came out."""
    server._latency = 0.4  # long enough for the second to come while the first is at work
    first = start(OPTIMIZE, tmp_path, environment(server))
    deadline = time.monotonic() + 60
    while not world.answered and time.monotonic() < deadline:
        time.sleep(0.01)
    second = start(OPTIMIZE, tmp_path, environment(server))
    _, refusal = second.communicate(timeout=120)
    assert second.returncode == 2
    assert "is being calibrated by another process" in refusal.splitlines()[-1]
    assert result(finished(first)) == uninterrupted.result
    assert result(finished(start(OPTIMIZE, tmp_path, environment(server)))) == uninterrupted.result
    assert len(program("runs", "--json").json["runs"]) == 1
    assert world.answered == uninterrupted.asked
