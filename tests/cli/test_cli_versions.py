"""Calibrations by another version of the search: they are shown, the same command does not go on with them."""

from contextlib import contextmanager

import pytest
from loopback import error
from program import ADDITIONS

from calibrate.optimizer import META_PROMPT_VERSION

SEARCH = (
    *("optimize", "pages.csv", "--judge", "openai:gpt-4.1-mini", "--optimizer", "openai:gpt-4.1"),
    *("--prompt", "prompt.txt", "--iterations", 2, "--noise-repeats", 0),
)
BEGUN_ANEW = "was made by an earlier version of the search; `calibrate show 1` shows it; this one searches anew"


@contextmanager
def version(number):
    """Record calibrations as a version of the search that has another meta-prompt would."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("search", "versions"):
            patch.setattr(f"calibrate.workflows.{module}.META_PROMPT_VERSION", number)
        yield


@pytest.fixture
def unfinished(program, pages, server, world):
    """A calibration of an earlier version; the meta-LLM failed when there was something better than the baseline."""
    better = (ADDITIONS["ledger"], ADDITIONS["roster"])

    def answer(call):
        return error(400) if "<request " in call.user and any(each in call.user for each in better) else world(call)

    server._replies = answer
    with version(META_PROMPT_VERSION - 1):
        assert program(*SEARCH, code=None).code not in (0, 1)
    server._replies = world


def test_an_unfinished_one_is_not_said_to_go_on(unfinished, program):
    shown = program("show", 1).out
    sentence, *_ = shown.splitlines()
    assert sentence.startswith("Unfinished, by an earlier version of the search: so far, on these 30 items, ")
    assert sentence.endswith("; the same command starts another calibration.")
    stopped = "Stopped: not finished, by an earlier version of the search: the same command starts another calibration."
    assert stopped in shown
    assert "goes on" not in shown


@pytest.mark.slow
def test_an_unfinished_one_of_this_version_goes_on(unfinished, program):
    with version(META_PROMPT_VERSION - 1):
        shown = program("show", 1).out
    assert "; the same command goes on." in shown
    assert "Stopped: failed; the same command goes on." in shown


def test_a_search_says_that_it_does_not_go_on_with_an_unfinished_one(unfinished, program):
    begun = program(*SEARCH)
    assert f"calibration 1, which is not finished, {BEGUN_ANEW}" in begun.err
    assert [each["run"] for each in program("runs", "--json").json["runs"]] == [1, 2]


@pytest.mark.slow
def test_a_search_says_that_there_is_a_finished_one_once_and_where_it_begins(program, pages, server):
    with version(META_PROMPT_VERSION - 1):
        assert "version of the search" not in program(*SEARCH).err
    begun = program(*SEARCH)
    assert f"calibration 1 {BEGUN_ANEW}" in begun.err
    assert begun.err.count("version of the search") == 1
    assert begun.err.index(BEGUN_ANEW) < begun.err.index("#0 baseline")
    assert "version of the search" not in program(*SEARCH).err  # shown as stored: nothing is begun


@pytest.mark.slow
def test_a_finished_one_is_named_rather_than_a_later_unfinished_one(unfinished, program, server, world):
    with version(META_PROMPT_VERSION - 2):
        program(*SEARCH)
    server._replies = error(400)
    with version(META_PROMPT_VERSION - 1):
        program(*SEARCH, "--seed", 1, code=None)
    server._replies = world
    assert [each["status"] for each in program("runs", "--json").json["runs"]] == ["failed", "done", "failed"]
    assert "calibration 2 was made by an earlier version of the search; " in program(*SEARCH).err


@pytest.mark.slow
def test_those_of_other_judges_prompts_and_meta_llms_are_not_told(program, pages, server, tmp_path):
    (tmp_path / "other.txt").write_text("Say whether the context bears the answer out.", encoding="utf-8")
    with version(META_PROMPT_VERSION - 1):
        program(*SEARCH)
    for other in (
        ("--judge", "openai:gpt-4.1-nano"),
        ("--optimizer", "openai:gpt-4.1-mini"),
        ("--prompt", "other.txt"),
    ):
        assert "version of the search" not in program(*SEARCH, *other).err
    assert BEGUN_ANEW in program(*SEARCH, "--width", 4).err


@pytest.mark.slow
def test_calibrations_of_folds_are_neither_told_nor_told_of(program, pages, server):
    with version(META_PROMPT_VERSION - 1):
        program(*SEARCH, "--cross-fit", 2)
    begun = program(*SEARCH, "--cross-fit", 2).err
    assert begun.count("version of the search") == 1
    assert f"calibration 1 {BEGUN_ANEW}" in begun


@pytest.mark.slow
def test_one_of_a_later_version_is_called_that(program, pages, server):
    with version(META_PROMPT_VERSION + 1):
        program(*SEARCH)
    assert "calibration 1 was made by a later version of the search" in program(*SEARCH).err
