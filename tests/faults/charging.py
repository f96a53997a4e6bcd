"""Small items, a judge whose server fails in every way, and what its books and the database say."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from loopback import (
    Call,
    Entry,
    Loopback,
    Reply,
    cut_off,
    dropped,
    empty_choices,
    error,
    malformed,
    refused,
    truncated,
    web_page,
    without_usage,
)
from program import verdict

__all__ = [
    "Faults",
    "answer",
    "by_item",
    "environment",
    "integrity",
    "is_fault",
    "item_of",
    "judged",
    "query",
    "use",
    "write_items",
]

_ITEM = re.compile(r"item (\d{5})")


def by_item(server: Loopback) -> dict[str, list[Entry]]:
    """Return the replies to each item, in order."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in list(server.entries):
        item = item_of(entry.call)
        if item is not None:
            found[item].append(entry)
    return found


def is_fault(entry: Entry) -> bool:
    """Whether the reply cannot be used."""
    reply = entry.reply
    return reply.drop or reply.cut or reply.raw is not None or reply.status != 200


def item_of(call: Call) -> str | None:
    found = _ITEM.search(call.user)
    return None if found is None else found[1]


def judged(item: str) -> str:
    """What the judge says about an item: wrong about every seventh."""
    right, wrong = ("1", "0") if int(item) % 3 else ("0", "1")
    return right if int(item) % 7 else wrong


def answer(call: Call) -> str:
    item = item_of(call)
    assert item is not None, call.user
    return verdict(judged(item))


def write_items(path: Path, count: int) -> str:
    lines = ["id,context,answer,label"]
    for number in range(count):
        item = f"{number:05}"
        lines.append(f"{item},Text of item {item}.,Answer to it.,{1 if number % 3 else 0}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path.name


class Faults:
    """What goes wrong, drawn for each attempt at each item, so that it does not depend on the order of the calls.

    Args:
        seed: of the draws.
        charged: whether replies that cannot be used are charged.
        odd: whether refusals, truncated replies and replies without usage are among the answers.
        errors: whether error statuses are among the faults.
        broken: the share of replies that are malformed; 0.4 times as many connections break.
    """

    def __init__(
        self,
        seed: int,
        *,
        charged: bool = False,
        odd: bool = True,
        errors: bool = True,
        broken: float = 0.05,
        say: Callable[[Call], str] = answer,
    ) -> None:
        self._seed, self._charged, self._odd, self._errors, self._broken = seed, charged, odd, errors, broken
        self._attempts: dict[str, int] = defaultdict(int)
        self._say = say

    def __call__(self, call: Call) -> Reply:
        # A second prompt on an item, or a meta-prompt, has draws of its own.
        what = json.dumps([call.system, call.user])
        attempt = self._attempts[what]
        self._attempts[what] += 1
        draws = random.Random(f"{self._seed} {attempt} {what}")
        return self._fault(draws, call) or self._answer(draws, call)

    def _fault(self, draws: random.Random, call: Call) -> Reply | None:
        draw = draws.random()
        if self._errors and draw < 0.2:
            # Without a number the provider only says that it is too much now.
            return error(429, "too many requests", retry_after=draws.choice([1, "1", 2]) if draw < 0.01 else None)
        if self._errors and draw < 0.3:
            status = draws.choice([500, 503, 529])
            return error(status, f"trouble number {status}")
        draw -= 0.3
        if 0 <= draw < self._broken:
            kinds = (malformed, web_page, empty_choices)
            reply = draws.choice(kinds)(charged=self._charged)
            if call.api == "anthropic" and reply == empty_choices(charged=self._charged):
                return Reply(raw=b'{"type": "message", "model": "m", "content": null}', charged=self._charged)
            return reply
        draw -= self._broken
        if 0 <= draw < 0.4 * self._broken:
            if draws.random() < 0.5:
                return dropped(charged=self._charged)
            return cut_off(self._say(call), charged=self._charged)
        return None

    def _answer(self, draws: random.Random, call: Call) -> Reply:
        text, draw = self._say(call), draws.random()
        if not self._odd or draw > 0.06:
            return Reply(text)
        if draw < 0.02:
            return refused()
        if draw < 0.04:
            return truncated(text[: len(text) // 2])
        return without_usage(text)


def environment(server: Loopback) -> dict[str, str]:
    return {
        "OPENAI_BASE_URL": server.openai_url,
        "OPENAI_API_KEY": "sk-any",
        "ANTHROPIC_BASE_URL": server.anthropic_url,
        "ANTHROPIC_API_KEY": "sk-any",
    }


def use(server: Loopback, monkeypatch: Any) -> None:
    for name, value in environment(server).items():
        monkeypatch.setenv(name, value)


def query(statement: str, *values: object, db: str = "runs.db") -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        return connection.execute(statement, values).fetchall()


def integrity(db: str = "runs.db") -> str | None:
    """Return what SQLite has against the file; None when there is no file."""
    if not Path(db).exists():
        return None
    with closing(sqlite3.connect(db)) as connection:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
