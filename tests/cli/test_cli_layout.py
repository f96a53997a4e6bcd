"""Tables on terminals of 80 and 100 columns, and in a pipe: no line too long, no word broken."""

import csv
import random
import re

import pytest
from program import write_pages

from calibrate.console.style import PlainConsole, plain_table
from calibrate.workflows.record import money_column

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def terminal(program, monkeypatch):
    """Runs a command as on a terminal of so many columns, and returns what it prints, without styles."""

    def run(width: int, *arguments: object, code: int | None = 0) -> str:
        with monkeypatch.context() as patch:
            patch.setenv("FORCE_COLOR", "1")
            patch.setenv("TERM", "xterm")
            patch.setenv("COLUMNS", str(width))
            return _STYLE.sub("", program(*arguments, code=code).out)

    return run


def rows_of_tables(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if re.search(r"\S  +\S", line)]


def words(text: str) -> set[str]:
    return set(text.split())


def write_verdicts(path, rows: int = 300) -> str:
    chance = random.Random(7)
    shares = {"judge_gpt_4o_mini": 0.9, "judge_claude_haiku": 0.8, "judge_c": 0.5, "judge_d": 0.4, "judge_e": 0.7}
    with path.open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(["id", "question_type", "human_label", *shares])
        for row in range(rows):
            label = chance.random() < 0.7
            said = ["1" if label == (chance.random() < share) else "0" for share in shares.values()]
            if row == 0:
                said[1] = ""
            table.writerow([row, ("single hop inference", "comparison of things")[row % 2], "01"[label], *said])
    return path.name


@pytest.mark.parametrize("width", [80, 100])
def test_many_judges_and_slices_are_readable(terminal, tmp_path, width):
    table = ("score", write_verdicts(tmp_path / "verdicts.csv"), "--by", "question_type")
    shown = terminal(width, *table)
    assert max(map(len, rows_of_tables(shown))) <= width
    assert words(shown) == words(terminal(1000, *table))
    for slice_name in ("single hop inference", "comparison of things"):
        assert f"quality, question_type={slice_name}\n" in shown
    assert len(re.findall(r"^judge_gpt_4o_mini  +150  +1\.00  +0\.\d{3} \[0\.\d\d, 0\.\d\d\]", shown, re.M)) == 2


def test_in_a_pipe_figures_do_not_run_on_for_ever(program, tmp_path):
    shown = program("score", write_verdicts(tmp_path / "verdicts.csv"), "--by", "question_type").out
    assert max(map(len, rows_of_tables(shown))) <= 100


def test_the_slices_of_one_judge_stand_below_each_other(program, tmp_path):
    name = write_verdicts(tmp_path / "verdicts.csv")
    shown = program("score", name, "--by", "question_type", "--judge", "judge_c").out
    assert re.search(
        r"^question_type=single hop inference +150 .*\nquestion_type=comparison of things +150 ", shown, re.M
    )
    assert shown.count("judge_c, quality, question_type") == 0


def test_coverage_is_never_rounded_up_to_1(program, tmp_path):
    name = write_verdicts(tmp_path / "verdicts.csv")
    assert re.search(r"^coverage +0\.99$", program("score", name, "--judge", "judge_claude_haiku").out, re.M)
    assert re.search(r"^coverage +1\.00$", program("score", name, "--judge", "judge_c").out, re.M)


@pytest.mark.parametrize("width", [80, 100])
def test_runs_and_candidates_are_readable(terminal, program, server, pages, width):
    models = ("--judge", "openai:gpt-4.1-mini-2025-04-14", "--optimizer", "openai:gpt-4.1", "--prompt", "prompt.txt")
    program("optimize", pages, *models, "--noise-repeats", 0)
    shown = terminal(width, "runs")
    assert max(map(len, rows_of_tables(shown))) <= width
    assert words(shown) == words(terminal(1000, "runs"))
    trajectory = [line for line in terminal(width, "show", 1).splitlines() if "█" in line or "best so far" in line]
    assert trajectory
    assert max(map(len, trajectory)) <= width
    if width == 100:
        (line,) = [line for line in trajectory if " winner " in line]
        assert re.search(r"1\.0000 +█{20} winner +\$\d", line)


def test_amounts_below_each_other_have_the_same_digits():
    assert money_column([0.0123, 3.7, None, 0, 0.0019]) == ("$0.0123", "$3.7000", "unknown", "$0", "$0.0019")
    assert money_column([1.5, 20.25]) == ("$1.50", "$20.25")
    assert money_column([0.0, None]) == ("$0", "unknown")
    assert money_column([2e-7, 1.0]) == ("$2.0e-07", "$1.00")


def test_words_are_broken_only_where_one_alone_is_too_long(capsys):
    table = plain_table(("judge", "n", "a figure"))
    table.add_row("a" * 60, "1", "0.500 [0.40, 0.60]")
    PlainConsole(width=40).print(table)
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 40
    assert "0.500 [0.40, 0.60]" in shown
    assert shown.count("a") == 2 * 60 + 2 * "judge a figure".count("a") - 1


def test_one_call_is_no_calls(program, server, tmp_path):
    (tmp_path / "prompt.txt").write_text("Decide.", encoding="utf-8")
    baseline = (
        "baseline",
        write_pages(tmp_path / "one.csv", ["f01"]),
        "--judge",
        "openai:gpt-4.1",
        "--prompt",
        "prompt.txt",
    )
    assert "1 call to openai:gpt-4.1;" in program(*baseline, "--dry-run").out
    shown = program(*baseline, code=None).out
    assert ": 1 call paid now; " in shown
    assert " for 1 call (" in shown
    assert "; the one reply is stored: no calls are needed." in program(*baseline, "--dry-run").out
