"""The table for the README's real result comes from a clone of LLMBar; here from a clone's layout in miniature."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from calibrate.cli import main

SCRIPT = Path(__file__).parents[2] / "scripts" / "llmbar.py"


def verdicts(pairs: list[tuple[str, str]]) -> str:
    orders = [{"swap = False": {"winner": first}, "swap = True": {"winner": second}} for first, second in pairs]
    return json.dumps([{"results": [each]} for each in orders])


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    subset = tmp_path / "LLMBar" / "Dataset" / "LLMBar" / "Natural"
    pairs = [{"input": f"q{n}", "output_1": "one", "output_2": "two", "label": 1 + n % 2} for n in range(4)]
    judge = subset / "evaluators" / "GPT-4" / "Vanilla"
    judge.mkdir(parents=True)
    (subset / "dataset.json").write_text(json.dumps(pairs))
    (judge / "result.json").write_text(verdicts([("1", "1"), ("2", "1"), ("2", "2"), ("?", "2")]))
    return tmp_path / "LLMBar"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_clone_becomes_a_table_that_can_be_scored(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "llmbar.jsonl"
    assert run(clone, table).returncode == 0

    rows = [json.loads(line) for line in table.read_text().splitlines()]
    assert [row["label"] for row in rows] == ["A", "B", "A", "B"]
    assert [row["judge_gpt4_vanilla"] for row in rows] == ["A", "B", "B", None]
    assert [row["judge_gpt4_vanilla_swapped"] for row in rows] == ["A", "A", "B", "B"]

    main(["score", str(table), "--judge", "judge_gpt4_vanilla", "--json", "--quiet"])
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["n"], result["scored"]) == (4, 3)
    assert result["metrics"]["accuracy"]["value"] == pytest.approx(2 / 3)


def test_a_folder_that_is_no_clone_is_refused_in_one_line(tmp_path: Path) -> None:
    found = run(tmp_path, tmp_path / "out.jsonl")
    assert found.returncode == 2
    assert len(found.stderr.splitlines()) == 1
