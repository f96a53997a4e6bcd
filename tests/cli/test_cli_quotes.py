"""A prompt that the user brings and that quotes items of the set: it is said before anything is judged."""

from __future__ import annotations

import csv

import pytest
from program import PAGES, PROMPT

BASELINE = ("baseline", "pages.csv", "--judge", "openai:gpt-4.1", "--json")


def quoting(*pages: str) -> str:
    return PROMPT + "".join(f"\nWhat is on page {page}? Answer of page {page}." for page in pages)


def notes(outcome) -> list[str]:
    return [note for note in outcome.json["notes"] if "quotes" in note]


@pytest.mark.parametrize(
    ("pages_quoted", "said"),
    [
        (("f01",), "the prompt quotes 1 item of the set (f01): figures on it flatter; leave it out of the set"),
        (
            ("u02", "f03", "f01", "f04"),
            "the prompt quotes 4 items of the set (f01, f03, f04, ...): figures on them flatter; "
            "leave them out of the set",
        ),
    ],
)
def test_a_prompt_file_that_quotes_items(program, pages, server, tmp_path, pages_quoted, said):
    (tmp_path / "mine.txt").write_text(quoting(*pages_quoted), encoding="utf-8")
    found = program(*BASELINE, "--prompt", "mine.txt")
    assert notes(found) == [said]
    assert f"note: {said}" in found.err


def test_one_that_quotes_none(program, pages, server):
    assert notes(program(*BASELINE, "--prompt", "prompt.txt")) == []


def test_items_without_a_label_measure_nothing(program, pages, server, tmp_path):
    with (tmp_path / "pages.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    with (tmp_path / "pages.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"label": "" if row["id"] == "f01" else row["label"]} for row in rows)
    (tmp_path / "mine.txt").write_text(quoting("f01"), encoding="utf-8")
    assert notes(program(*BASELINE, "--prompt", "mine.txt")) == []
    (tmp_path / "mine.txt").write_text(quoting(*PAGES[:2]), encoding="utf-8")
    assert "1 item of the set (f02)" in notes(program(*BASELINE, "--prompt", "mine.txt"))[0]


def test_the_default_prompt_is_not_looked_through(program, pages, server, monkeypatch):
    def refuse(*_):
        raise AssertionError("not for the default prompt")

    monkeypatch.setattr("calibrate.optimizer.leaks.quoted_items", refuse)
    assert notes(program(*BASELINE)) == []
