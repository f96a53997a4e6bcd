"""The README is true: its commands run, in their order, in an empty folder, and its Python does too."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from calibrate.cli import main

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
NOT_RUN = "<!-- not run by the tests"
FACTS = [
    (
        "How long is the trial of {}?",
        "The trial of {} lasts {} days and needs no card.",
        "The trial of {} lasts {} days.",
    ),
    ("What does {} cost?", "{} costs {} euros a month, billed every month.", "You pay {1} euros a month for {0}."),
    ("How many users does {} allow?", "{} allows up to {} users in one account.", "Up to {1} users can work in {0}."),
]
PRODUCTS = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ivy", "Juniper"]


def blocks(language: str) -> list[str]:
    """The code blocks in a language, but for those marked as not run."""
    found = []
    for match in re.finditer(rf"```{language}\n(.*?)```", README, re.DOTALL):
        before = README[: match.start()].rstrip().splitlines()[-1]
        if not before.startswith(NOT_RUN):
            found.append(match[1])
    return found


def commands() -> list[list[str]]:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("calibrate ")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the README speaks of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CALIBRATE_DB", raising=False)
    items = []
    for number, product in enumerate(PRODUCTS):
        for kind, (question, context, answer) in enumerate(FACTS):
            figure, wrong = 10 + number, (number + kind) % 3 == 0
            items.append(
                {
                    "id": f"q{number}{kind}",
                    "question": question.format(product),
                    "context": context.format(product, figure),
                    "answer": answer.format(product, figure + 7 if wrong else figure),
                    "label": int(not wrong),
                }
            )
    items[1]["label"] = 1 - int(str(items[1]["label"]))  # the experts' slip, for the review to find
    waiting = [
        {**each, "id": f"w{at}", "answer": f"{each['answer']} ({at})", "label": ""} for at, each in enumerate(items[:3])
    ]
    write(tmp_path / "my_set.csv", [*items, *waiting])
    fresh = [{**each, "id": f"n{each['id']}", "answer": f"{each['answer']} That is so today."} for each in items]
    write(tmp_path / "fresh.csv", fresh)
    (tmp_path / "my_strategies").mkdir()
    (own_strategy,) = blocks("markdown")
    (tmp_path / "my_strategies" / "quote_the_numbers.md").write_text(own_strategy, encoding="utf-8")
    (tmp_path / "my_prompt.txt").write_text("Is the answer supported by the context? Check every figure.\n")
    verdicts = [
        {
            "id": each["id"],
            "product": PRODUCTS[position % 2],
            "human_label": each["label"],
            "judge_a": 1,
            "judge_b": each["label"] if position % 5 else 1 - int(str(each["label"])),
        }
        for position, each in enumerate(items)
    ]
    write(tmp_path / "verdicts.csv", verdicts)
    write_bank(tmp_path / "my_bank")
    return tmp_path


def write_bank(folder: Path) -> None:
    """Write the files that the example of a bank shows."""
    (example,) = (block for block in blocks("text") if block.startswith("bank.jsonl"))
    (folder / "variants").mkdir(parents=True)
    name = ""
    for line in example.splitlines():
        named, row = line[: line.index("{")].strip(), line[line.index("{") :]
        name = named or name
        with (folder / name).open("a", encoding="utf-8") as handle:
            handle.write(row + "\n")


def write(path: Path, rows: list[dict[str, object]]) -> None:
    with path.open("w", newline="") as handle:
        writer = csv.DictWriter(handle, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_its_commands_run_in_their_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = commands()
    assert len(ran) >= 10
    for command in ran:
        code = main(command)
        shown = capsys.readouterr()
        assert code == 0, f"calibrate {shlex.join(command)}: exit {code}\n{shown.err}"
        assert shown.out.strip(), f"calibrate {shlex.join(command)} says nothing"
        if command[0] == "disagreements":
            change_a_label(folder / "review.csv")
    assert (folder / "judge.py").exists()
    assert (folder / "my_set.v2.csv").exists(), "golden merge wrote no new version"


def change_a_label(path: Path) -> None:
    """What an expert does: take a label back."""
    with path.open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert rows, "judge and experts agree on everything, a label that is plainly wrong included"
    rows[0]["label_new"] = rows[0]["judge_label"]
    write(path, list(rows))


def test_its_python_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge, code = blocks("python")
    namespace: dict[str, Any] = {}
    exec(compile(judge, "README.md", "exec"), namespace)
    assert namespace["judge"]({"inputs": {"answer": "14 days", "context": "It lasts 14 days."}}) == 1
    exec(compile(code, "README.md", "exec"), {})
    assert "judge_a" in capsys.readouterr().out


def test_its_example_of_a_golden_set_loads(folder: Path) -> None:
    from calibrate.golden import load_golden

    (table,) = blocks("csv")
    (folder / "example.csv").write_text(table)
    assert [item.label for item in load_golden("example.csv").golden.items] == ["1", "0"]


def test_its_strategy_is_one_and_is_used(folder: Path) -> None:
    import calibrate
    from calibrate.optimizer.user_strategies import load_strategies
    from calibrate.workflows.procedure import SearchOptions

    (own,) = load_strategies("my_strategies")
    assert (own.name, own.evidence) == ("quote the numbers", {"wrongly accepted", "over-scored"})
    search = SearchOptions(folder="my_strategies", strategies=(own.name,))
    result = calibrate.optimize("my_set.csv", "sim:reader", "sim:writer", search=search, noise_repeats=0)
    tried = result.each[0].trajectory()["strategy"].tolist()
    assert tried[0] == "baseline"
    assert set(tried[1:]) == {own.name}


def test_its_configuration_is_one(folder: Path) -> None:
    from calibrate.config import load_settings

    (text,) = [block for block in blocks("toml") if block.startswith("# calibrate.toml")]
    (folder / "calibrate.toml").write_text(text)
    settings = load_settings({}, folder)
    assert set(settings.models) == {"local"}
    assert set(settings.overrides) == {"openai:gpt-4.1"}


def test_its_card_is_one(folder: Path) -> None:
    from calibrate.golden import load_golden

    (text,) = [block for block in blocks("toml") if block.startswith("# card.toml")]
    (folder / "set").mkdir()
    (folder / "set" / "card.toml").write_text(text)
    rows = [
        {"pregunta": "a", "contexto": "b", "respuesta": each, "etiqueta": each} for each in ("correcta", "incorrecta")
    ]
    write(folder / "set" / "my_set.csv", [dict(each) for each in rows])
    golden = load_golden("set").golden
    assert (golden.language, [item.label for item in golden.items]) == ("es", ["correcta", "incorrecta"])


def test_every_command_is_documented() -> None:
    from calibrate.cli.app import app

    names = {command.name for command in app.registered_commands} | {group.name for group in app.registered_groups}
    shown = {command[0] for command in commands()} | set(re.findall(r"scripts/(demo)", README))
    assert names <= shown
