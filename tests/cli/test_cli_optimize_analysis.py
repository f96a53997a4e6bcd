"""``optimize`` as users run it: errors are grouped into patterns, and a reply of no use is asked for once more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from loopback import Call, Loopback, Reply
from program import ADDITIONS, FIVE, FIVE_STRATEGIES, PROMPT, UNFAITHFUL, World, run_in, write_pages

MODELS = ("--judge", "openai:gpt-4.1-mini", "--optimizer", "openai:gpt-4.1")
OPTIMIZE = ("optimize", "pages.csv", *MODELS, "--prompt", "prompt.txt", "--noise-repeats", "0")
PLAIN = (*OPTIMIZE, *FIVE)
NO_PROMPT = "the reply has no <prompt> block"


@dataclass
class Finished:
    """A calibration that ran to its end, and what was asked."""

    document: Any
    calls: list[Call]


def calibrated(document):
    (calibration,) = document["calibrations"]
    return calibration


def test_a_reply_that_cannot_be_used_is_asked_for_once_more_with_what_was_wrong(program, pages, server, world):
    world.writer = lambda strategy, current: current.upper() if strategy == "general improvement" else "I cannot."
    server._replies = lambda call: (
        Reply(f"<prompt>{PROMPT} {ADDITIONS['ledger']}</prompt>") if "<repair>" in call.user else world(call)
    )
    document = program(*PLAIN, "--iterations", 1, "--json").json
    # The first one mended is a new prompt, the others are the same one again.
    assert [each["score"] and round(each["score"], 4) for each in calibrated(document)["candidates"]] == [
        *(0.4002, 0.7514),
        *[None] * 4,
    ]
    for each in calibrated(document)["candidates"][2:]:
        assert each["reason"] == f"{NO_PROMPT}; asked once more: duplicate of candidate 1"
    follow_ups = [call.user for call in server.calls if "<repair>" in call.user]
    assert len(follow_ups) == 5
    assert all(f"<problem>{NO_PROMPT.replace('<', '&lt;', 1)}</problem>" in user for user in follow_ups)
    asked = [call.user for call in server.calls if "<request strategy=" in call.user and "<repair>" not in call.user]
    assert sorted(user.partition("\n<repair>")[0] for user in follow_ups) == sorted(asked)


@pytest.fixture(scope="module")
def as_users_run_it(tmp_path_factory):
    """A calibration with the options that come with the program."""
    folder = tmp_path_factory.mktemp("default")
    write_pages(folder / "pages.csv")
    (folder / "prompt.txt").write_text(PROMPT)
    with Loopback(World()) as running:
        return Finished(run_in(folder, running, *OPTIMIZE, "--json").json, running.calls)


def test_with_default_options_it_finds_the_best_prompt_too(as_users_run_it):
    document = as_users_run_it.document
    calibration = calibrated(document)
    assert (calibration["stopped"], document["results"][1]["alignment"]["value"]) == ("target", pytest.approx(1.0))
    winner = calibration["winner"]["prompt"]
    assert all(sentence in winner for name, sentence in ADDITIONS.items() if name != "stern")
    # Five rewrites an iteration, no strategy twice while others apply.
    for number in range(1, calibration["iterations"] + 1):
        used = [each["strategy"] for each in calibration["candidates"] if each["iteration"] == number]
        assert len(used) == len(set(used)) == 5
    tried = {each["strategy"] for each in calibration["candidates"][1:]}
    assert tried - set(FIVE_STRATEGIES)


def test_errors_are_grouped_once_and_again_when_there_are_new_ones(as_users_run_it):
    analyses = [call.user for call in as_users_run_it.calls if '<request analysis="patterns">' in call.user]
    shown = [re.findall(r'<error number="\d+".*?page ([fu]\d\d)', user, re.DOTALL) for user in analyses]
    assert sorted(shown[0]) == ["f21", *UNFAITHFUL]  # what the baseline gets wrong
    once = [page for each in shown for page in each]
    assert len(once) == len(set(once))
    assert "<known_patterns>\n</known_patterns>" in analyses[0]
    assert all('<pattern name="names not checked">' in user for user in analyses[1:])
    rewrites = [call.user for call in as_users_run_it.calls if "<request strategy=" in call.user]
    assert all('pattern="figures not compared"' in user for user in rewrites if '0.4002">\nDecide' in user)
    assert all("<patterns>" in user for user in rewrites)


def test_an_analysis_that_cannot_be_read_loses_nothing(program, pages, server, world):
    world.analyst = lambda pages: "I see no pattern."
    calibration = calibrated(program(*OPTIMIZE, "--json").json)
    assert calibration["stopped"] == "target"
    asked = [call for call in server.calls if '<request analysis="patterns">' in call.user]
    assert len(asked) == calibration["iterations"]  # they are as new as before
    assert not any("<patterns>" in call.user for call in server.calls if "<request strategy=" in call.user)


def test_what_a_calibration_pays_for_is_counted(as_users_run_it):
    calibration, calls = calibrated(as_users_run_it.document), as_users_run_it.calls
    judged = [each for each in calibration["candidates"] if each["status"] == "scored"]
    mended = sum("asked once more" in each["reason"] for each in calibration["candidates"])
    analyses = sum('<request analysis="patterns">' in call.user for call in calls)
    shown = sum(len(each["shown"]) for each in judged)
    paid = 30 * len(judged) - shown + 5 * calibration["iterations"] + mended + analyses
    assert calibration["spent"]["calls"] == len(calls) == paid
    assert analyses >= 1
