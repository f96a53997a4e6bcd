"""Everyday questions and answers: a careless prompt accepts nearly all of them, a careful one tells most apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sim_requests import ALL_EN, ALL_ES, FAITHFUL, FIEL, judge_request, verdict

from calibrate.providers.sim import SimReader

DATA: dict[str, Any] = json.loads((Path(__file__).parent / "plain_items.json").read_text(encoding="utf-8"))
STRICT_EN = ALL_EN.replace("Other wording is no error. ", "")
STRICT_ES = ALL_ES.replace("Otra redacción no es un error. ", "")


def accepted(model: SimReader, english: str, spanish: str) -> dict[str, float]:
    """Return the share of accepted answers by expert label."""
    counts = {"0": [0, 0], "1": [0, 0]}
    for item in DATA["items"]:
        prompt = english if item["language"] == "en" else spanish
        inputs = {"question": item["question"], "context": DATA["contexts"][item["context"]], "answer": item["answer"]}
        counts[item["label"]][0] += verdict(model, judge_request(prompt, inputs))["label"] == "1"
        counts[item["label"]][1] += 1
    return {label: hits / total for label, (hits, total) in counts.items()}


@pytest.mark.parametrize("name", ["sim:reader", "sim:reader-small"])
def test_a_careless_prompt_is_lenient(name: str) -> None:
    shares = accepted(SimReader(name), FAITHFUL, FIEL)
    assert shares["1"] > 0.85
    assert shares["0"] > 0.7


def test_a_careful_prompt_tells_most_good_answers_from_bad_ones() -> None:
    shares = accepted(SimReader(), f"{FAITHFUL} {ALL_EN}", f"{FIEL} {ALL_ES}")
    assert shares["1"] > 0.85
    assert shares["0"] < 0.35


def test_strictness_without_tolerance_for_wording_rejects_good_answers() -> None:
    strict = accepted(SimReader(), f"{FAITHFUL} {STRICT_EN}", f"{FIEL} {STRICT_ES}")
    assert strict["0"] < 0.2
    assert strict["1"] < 0.7


def test_the_small_reader_misses_more() -> None:
    prompts = f"{FAITHFUL} {ALL_EN}", f"{FIEL} {ALL_ES}"
    assert accepted(SimReader("sim:reader-small"), *prompts)["0"] > accepted(SimReader(), *prompts)["0"]
