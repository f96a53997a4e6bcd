"""Writer and reader together: rewriting improves a careless prompt on a set made up here."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from sim_requests import FAITHFUL, ask, judge_request, meta_request, rewritten

from calibrate.providers.sim import SimReader, SimWriter

STRATEGIES = (
    "general improvement",
    "fix wrongly accepted",
    "explicit rubric",
    "fix wrongly rejected",
    "radical simplification",
)
PLACES = "Northgate Eastfield Southbank Westhill Riverside Lakeview".split()
EXTRAS = (
    "A brass band plays at noon.",
    "Visitors receive a printed map of the premises.",
    "There is a workshop for beginners every Thursday.",
)


def made_up_items(count: int, seed: int) -> list[tuple[dict[str, Any], str]]:
    """Swimming pools with prices and rules; half of the answers are wrong in one of several ways."""
    random = Random(seed)
    items: list[tuple[dict[str, Any], str]] = []
    for number in range(count):
        place, other = random.sample(PLACES, 2)
        price, other_price = random.sample(range(3, 20), 2)
        hour = random.randint(6, 11)
        context = (
            f"The {place} pool opens at {hour} am. A ticket for the {place} pool costs {price} euros. "
            f"Dogs are not allowed in the {place} pool.",
            f"The {other} pool opens at {hour + 1} am. A ticket for the {other} pool costs {other_price} euros.",
        )
        fault = ("none", "figure", "none", "place", "none", "addition", "none", "negation")[number % 8]
        said = {
            "none": f"A ticket for the {place} pool costs {price} euros.",
            "figure": f"A ticket for the {place} pool costs {price + 21} euros.",
            "place": f"A ticket for the {place} pool costs {other_price} euros.",
            "addition": f"A ticket for the {place} pool costs {price} euros. {random.choice(EXTRAS)}",
            "negation": f"Dogs are allowed in the {place} pool.",
        }[fault]
        inputs = {"question": f"What should I know about the {place} pool?", "context": context, "answer": said}
        items.append((inputs, "1" if fault == "none" else "0"))
    return items


def balanced_accuracy(prompt: str, items: list[tuple[dict[str, Any], str]]) -> tuple[float, list[dict[str, Any]]]:
    reader = SimReader()
    right = {"0": 0, "1": 0}
    errors: list[dict[str, Any]] = []
    for inputs, label in items:
        reply = json.loads(ask(reader, judge_request(prompt, inputs)).text)
        if reply["label"] == label:
            right[label] += 1
        else:
            kind = "wrongly accepted" if label == "0" else "wrongly rejected"
            errors.append(
                {
                    "kind": kind,
                    "inputs": inputs,
                    "expert": label,
                    "judge": reply["label"],
                    "reasoning": reply["reasoning"],
                }
            )
    total = {label: sum(1 for _, gold in items if gold == label) for label in right}
    return sum(right[label] / total[label] for label in right) / 2, errors


def test_rewriting_improves_a_careless_prompt() -> None:
    train, unseen = made_up_items(40, seed=5), made_up_items(40, seed=6)
    best = FAITHFUL
    score, errors = balanced_accuracy(best, train)
    start, _ = balanced_accuracy(best, unseen)
    assert start < 0.7
    tried = [best]
    for round_ in range(10):
        request = meta_request(
            current=best, strategy=STRATEGIES[round_ % 5], errors=errors[:6], tried=tried, repeat=round_
        )
        candidate = rewritten(ask(SimWriter(), request))
        tried.append(candidate)
        reached, missed = balanced_accuracy(candidate, train)
        if reached > score:
            best, score, errors = candidate, reached, missed
    end, _ = balanced_accuracy(best, unseen)
    assert score > start + 0.2
    assert end > start + 0.15


def test_not_every_rewrite_helps() -> None:
    items = made_up_items(40, seed=7)
    start, errors = balanced_accuracy(FAITHFUL, items)
    reached = []
    for repeat in range(12):
        for strategy in ("general improvement", "fix wrongly rejected"):
            request = meta_request(current=FAITHFUL, strategy=strategy, errors=errors[:3], repeat=repeat)
            reached.append(balanced_accuracy(rewritten(ask(SimWriter(), request)), items)[0])
    assert max(reached) > start
    assert min(reached) <= start
