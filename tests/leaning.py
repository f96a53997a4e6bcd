"""Judges in code with leanings that are known, and sets to find them in.

An id tells what an item is (``g07`` is good, ``b07`` bad; of a pair, ``a07`` is won by A) and, by its digest, on which
items a judge errs. Lengths, languages, models and labels are drawn independently of one another.
"""

from __future__ import annotations

import csv
import random
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["write_pairs", "write_set"]

Item = Mapping[str, Any]
MARK = "In the house's words:"
LONG = 60


def write_set(path: str | Path, n: int = 160, seed: int = 3) -> str:
    """Write a binary set: question, answer, label, language, model, document."""
    _ASKED.clear()  # no test depends on what another one has asked
    generator = random.Random(seed)
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "question", "context", "answer", "label", "language", "model"])
        for number in range(n):
            good = generator.random() < 0.6
            language, model = generator.choice(["en", "es"]), generator.choice(["house", "other", "third"])
            words = " ".join(["palabra" if language == "es" else "word"] * generator.randint(3, 25))
            answer = f"{MARK if model == 'house' else 'It says:'} {words}. That is item {number}."
            writer.writerow(
                [
                    f"{'g' if good else 'b'}{number:03}",
                    f"Question {number}?",
                    "Text.",
                    answer,
                    int(good),
                    language,
                    model,
                ]
            )
    return str(path)


def write_pairs(path: str | Path, n: int = 120, seed: int = 4) -> str:
    """Write a pairwise set."""
    generator = random.Random(seed)
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "question", "answer_a", "answer_b", "label", "model_a", "model_b"])
        for number in range(n):
            wins, own = generator.choice("ab"), generator.choice("ab")
            answers = {
                side: f"{MARK if own == side else 'It says:'} {'right' if wins == side else 'wrong'} "
                + "word " * generator.randint(2, 20)
                for side in "ab"
            }
            models = ["house" if own == side else "other" for side in "ab"]
            writer.writerow([f"{wins}{number:03}", f"Q{number}?", answers["a"], answers["b"], wins.upper(), *models])
    return str(path)


def _by_chance(item: Item, share: float, salt: str = "") -> bool:
    return zlib.crc32(f"{item['id']}{salt}".encode()) % 1000 < 1000 * share


def _answer(item: Item) -> str:
    return str(item["inputs"]["answer"])


def honest(item: Item) -> int:
    """Errs on every sixth item, whatever it looks like."""
    return int(item["id"].startswith("g") != _by_chance(item, 1 / 6))


def likes_length(item: Item) -> int:
    return int(len(_answer(item)) > LONG + 30) if _by_chance(item, 0.5, "length") else honest(item)


def lenient(item: Item) -> int:
    return 1 if _by_chance(item, 0.5, "lenient") else honest(item)


def likes_its_own(item: Item) -> int:
    return 1 if _answer(item).startswith(MARK) and _by_chance(item, 0.7, "own") else honest(item)


def dislikes_spanish(item: Item) -> int:
    return 0 if "palabra" in _answer(item) and _by_chance(item, 0.5, "language") else honest(item)


def thrown_by_white_space(item: Item) -> int:
    text = _answer(item)
    return 0 if text != text.strip() and _by_chance(item, 0.3, "space") else honest(item)


def flattered(item: Item) -> int:
    return 1 if "Thank you" in _answer(item) else honest(item)


def swayed_by_repetition(item: Item) -> int:
    text = _answer(item)
    repeats = text.count(MARK) > 1 or text.count("It says:") > 1
    return 1 if repeats and _by_chance(item, 0.5, "repeat") else honest(item)


def _better(item: Item) -> str:
    """The winner, told from the texts: an order that is swapped does not fool it, but chance does."""
    right = "A" if " right " in item["inputs"]["answer_a"] else "B"
    return {"A": "B", "B": "A"}[right] if _by_chance(item, 1 / 6) else right


def steady(item: Item) -> str:
    return _better(item)


def prefers_the_first(item: Item) -> str:
    return "A" if _by_chance(item, 0.4, "first") else _better(item)


def prefers_its_own(item: Item) -> str:
    own = "A" if item["inputs"]["answer_a"].startswith(MARK) else "B"
    return own if _by_chance(item, 0.5, "own") else _better(item)


def prefers_the_longer(item: Item) -> str:
    longer = "A" if len(item["inputs"]["answer_a"]) > len(item["inputs"]["answer_b"]) else "B"
    return longer if _by_chance(item, 0.5, "long") else _better(item)


_ASKED: dict[str, int] = {}


def noisy(item: Item) -> int:
    """Answers to the same differently: every tenth answer is turned round, by how often it was asked."""
    times = _ASKED[item["id"]] = _ASKED.get(item["id"], 0) + 1
    return honest(item) ^ int(_by_chance(item, 0.15, f"noise {times}"))
