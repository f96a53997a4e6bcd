"""``--mode batch`` on the command line, against both providers."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, Reply
from program import PAGES, Program, World, start

JUDGES = ["openai:gpt-4.1", "anthropic:claude-haiku-4-5"]

judges = pytest.mark.parametrize("judge", JUDGES)


@pytest.fixture(autouse=True)
def _anthropic_too(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base_url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-any")


def scores(report: Any) -> list[float | None]:
    return [each["score"] for each in report["calibrations"][0]["candidates"]]


def read_until(process: subprocess.Popen[str], text: str) -> None:
    """Read what a process tells until it says this."""
    assert process.stderr is not None
    said: list[str] = []
    for line in process.stderr:
        said.append(line)
        if text in line:
            return
    raise AssertionError("".join(said))


def environment(server: Loopback) -> Mapping[str, str]:
    return {
        "OPENAI_BASE_URL": server.openai_url,
        "OPENAI_API_KEY": "sk-any",
        "ANTHROPIC_BASE_URL": server.base_url,
        "ANTHROPIC_API_KEY": "sk-any",
    }


@judges
def test_a_baseline_in_a_batch_says_what_direct_calls_say_at_half_the_price(
    program: Program, server: Loopback, pages: str, judge: str
) -> None:
    arguments = ["baseline", pages, "--judge", judge, "--prompt", "prompt.txt", "--json"]
    batched = program(*arguments, "--mode", "batch", "--db", "batch.db").json
    assert len(server.batches.batches) == 1
    assert len(server.batches.charged) == len(PAGES)
    direct = program(*arguments, "--db", "direct.db").json
    assert batched["results"] == direct["results"]
    (of_batch,), (of_calls,) = batched["runs"], direct["runs"]
    assert of_batch["paid_calls"] == len(PAGES)
    assert of_batch["cost"] == pytest.approx(of_calls["cost"] / 2)
    again = program(*arguments, "--db", "batch.db").json
    assert again["runs"][0]["paid_calls"] == 0


@pytest.mark.slow
@judges
def test_a_calibration_submits_one_batch_for_each_round_of_candidates(
    program: Program, server: Loopback, pages: str, judge: str
) -> None:
    arguments = ["optimize", pages, "--judge", judge, "--optimizer", "openai:writer", "--prompt", "prompt.txt"]
    arguments += ["--iterations", "1", "--noise-repeats", "0", "--json"]
    batched = program(*arguments, "--mode", "batch", "--db", "batch.db", code=None).json
    rounds = len(server.batches.batches)
    assert rounds == 2  # the prompt itself, and its rewrites
    direct = program(*arguments, "--db", "direct.db", code=None).json
    assert len(server.batches.batches) == rounds
    assert scores(batched) == scores(direct)


@pytest.mark.slow
@judges
def test_a_command_killed_while_its_batch_is_under_way_collects_it_when_it_is_run_again(
    program: Program, server: Loopback, pages: str, tmp_path: Path, judge: str
) -> None:
    server.batches.script.looks = 1
    arguments = ["baseline", pages, "--judge", judge, "--prompt", "prompt.txt", "--mode", "batch", "--json"]
    process = start([*arguments, "--poll", "3600"], tmp_path, environment(server))
    read_until(process, "1 batch at the provider: 0 of 30 requests done")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    outcome = program(*arguments, "--poll", "1")
    assert "1 batch at the provider: 30 of 30 requests done" in outcome.err
    assert outcome.json["runs"][0]["paid_calls"] == len(PAGES)
    assert len(server.batches.batches) == 1
    assert len(server.batches.charged) == len(PAGES)


@pytest.mark.slow
def test_calls_beside_an_open_batch_say_that_it_can_be_collected(
    program: Program, server: Loopback, pages: str, tmp_path: Path
) -> None:
    server.batches.script.looks = 1
    arguments = ["baseline", pages, "--judge", JUDGES[0], "--prompt", "prompt.txt"]
    process = start([*arguments, "--mode", "batch", "--poll", "3600"], tmp_path, environment(server))
    read_until(process, "1 batch at the provider")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    told = "30 requests to openai:gpt-4.1 are in batches that were not collected; --mode batch collects those"
    assert told in program(*arguments).err


def interrupted(program: Program, server: Loopback, tmp_path: Path, arguments: list[str]) -> None:
    """Run a command in a batch until it waits for it."""
    server.batches.script.looks = 3
    process = start([*arguments, "--mode", "batch", "--poll", "3600"], tmp_path, environment(server))
    read_until(process, "1 batch at the provider")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)


@pytest.mark.slow
def test_what_an_open_batch_can_cost_counts_towards_the_budget_of_calls(
    program: Program, server: Loopback, pages: str, tmp_path: Path
) -> None:
    arguments = ["baseline", pages, "--judge", JUDGES[0], "--prompt", "prompt.txt"]
    interrupted(program, server, tmp_path, arguments)
    most = program(*arguments, "--mode", "batch", "--dry-run", "--json").json["estimate"]["at_most"]
    outcome = program(*arguments, "--budget", f"{most * 1.01:.6f}", code=3)
    assert f"the batches of this run can cost up to ${most:,.4f}, which counts towards --budget" in outcome.err
    assert f"${most:,.4f} are spent" in outcome.error
    assert server.calls == []
    program(*arguments, "--budget", f"{most * 4:.6f}")
    assert len(server.calls) == len(PAGES)


@pytest.mark.slow
def test_a_batch_is_paid_beside_the_calls_made_meanwhile_and_answers_those_who_ask_afresh(
    program: Program, server: Loopback, pages: str, tmp_path: Path
) -> None:
    arguments = ["baseline", pages, "--judge", JUDGES[0], "--prompt", "prompt.txt", "--json"]
    interrupted(program, server, tmp_path, arguments)
    assert program(*arguments).json["runs"][0]["paid_calls"] == len(PAGES)
    server.batches.batches[0].looks = 0
    report = program(*arguments, "--mode", "batch", "--poll", "1", "--fresh").json
    assert report["runs"][0]["paid_calls"] == len(PAGES)
    assert len(server.batches.charged) == len(PAGES)


@pytest.mark.slow
def test_an_interrupted_command_says_that_its_batch_stays(
    program: Program, server: Loopback, pages: str, tmp_path: Path
) -> None:
    server.batches.script.looks = 1
    arguments = ["baseline", pages, "--judge", JUDGES[0], "--prompt", "prompt.txt", "--mode", "batch"]
    process = start([*arguments, "--poll", "3600"], tmp_path, environment(server))
    read_until(process, "1 batch at the provider")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "batches that were submitted stay with the provider; the same command collects them" in err
    program(*arguments)
    assert len(server.batches.batches) == 1


def test_a_budget_submits_what_it_covers_and_says_how_to_go_on(program: Program, server: Loopback, pages: str) -> None:
    arguments = ["baseline", pages, "--judge", JUDGES[0], "--prompt", "prompt.txt", "--mode", "batch"]
    outcome = program(*arguments, "--budget", "0.05", code=3)
    assert "the budget of $0.05 ends here" in outcome.error
    submitted = len(server.batches.batches[0].requests)
    assert 0 < submitted < len(PAGES)
    report = program(*arguments, "--budget", "10", "--json").json
    assert report["runs"][0]["paid_calls"] == len(PAGES) - submitted
    assert len(server.batches.charged) == len(PAGES)


@judges
def test_a_dry_run_of_a_batch_costs_half_and_is_given_a_day(
    program: Program, server: Loopback, pages: str, judge: str
) -> None:
    arguments = ["baseline", pages, "--judge", judge, "--prompt", "prompt.txt", "--json", "--dry-run"]
    direct, batch = program(*arguments).json, program(*arguments, "--mode", "batch").json
    assert batch["estimate"]["cost"] == pytest.approx(direct["estimate"]["cost"] / 2)
    assert batch["estimate"]["at_most"] == pytest.approx(direct["estimate"]["at_most"] / 2)
    assert "within a day for each batch" in batch["sentence"]
    assert "within a day" not in direct["sentence"]
    assert server.requests == 0


def test_expired_and_failed_requests_are_counted_like_those_of_calls(
    program: Program, world: World, server: Loopback, pages: str
) -> None:
    world.special = {"f03": Reply(status=400, message="indecent page"), "u02": Reply("I would rather not say.")}
    server.batches.script.fate = lambda key, times: "expired" if times == 1 and key < "8" else None
    arguments = ["baseline", pages, "--judge", JUDGES[0], "--prompt", "prompt.txt", "--mode", "batch", "--json"]
    report = program(*arguments, code=1).json
    assert len(server.batches.batches) == 2
    assert report["results"][0]["unscored"]["error"] == 1
    assert report["results"][0]["unscored"]["invalid"] == 1


def test_models_without_a_batch_endpoint_are_refused_before_anything_is_written(
    program: Program, pages: str, tmp_path: Path
) -> None:
    outcome = program("baseline", pages, "--judge", "sim:reader", "--mode", "batch", code=2)
    assert outcome.error.startswith("sim:reader has no batch endpoint")
    assert not (tmp_path / "runs.db").exists()


@pytest.mark.parametrize("options", [["--mode", "later"], ["--poll", "0"], ["--poll", "nan"]])
def test_other_modes_and_waits_are_refused(program: Program, pages: str, options: list[str]) -> None:
    program("baseline", pages, "--judge", "sim:reader", *options, code=2)


def test_a_batch_that_is_refused_as_a_whole_is_one_line(program: Program, server: Loopback, pages: str) -> None:
    server.batches.script.problem = "Enqueued token limit reached."
    outcome = program("baseline", pages, "--judge", JUDGES[0], "--prompt", "prompt.txt", "--mode", "batch", code=3)
    assert outcome.error == "openai:gpt-4.1: the provider refuses the batch: Enqueued token limit reached. (line 1)"
