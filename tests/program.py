"""The program as its tests run it, and the world it runs in: a golden set, a judge and a meta-LLM behind HTTP.

The world is worked by hand. Thirty pages, 21 of them faithful (``f01`` to ``f21``) and 9 unfaithful (``u01`` to
``u09``). The judge accepts what its prompt gives it no reason to reject, so that words in the prompt decide:

============================  ====  ====  ====  ====  =========
words in the judge's prompt     TP    FN    FP    TN  alignment
============================  ====  ====  ====  ====  =========
none                            20     1     9     0     0.4002
ledger                          19     2     3     6     0.7514
ledger, roster                  19     2     0     9     0.9085
ledger, roster, mercy           21     0     0     9     1.0000
stern                           10    11     9     0     0.0496
============================  ====  ====  ====  ====  =========

The meta-LLM knows how to go on with some strategies and not with others (:func:`rewrite`), and groups the errors that
it is shown by what the judge overlooks on their pages (:func:`analyse`).
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from loopback import Call, Loopback, Reply

from calibrate.cli import main

__all__ = [
    "ADDITIONS",
    "FAITHFUL",
    "FIVE",
    "FIVE_STRATEGIES",
    "PAGES",
    "PROMPT",
    "UNFAITHFUL",
    "Outcome",
    "Program",
    "World",
    "analyse",
    "judge_label",
    "rewrite",
    "run_in",
    "start",
    "verdict",
    "write_pages",
]

FAITHFUL = tuple(f"f{number:02}" for number in range(1, 22))
UNFAITHFUL = tuple(f"u{number:02}" for number in range(1, 10))
PAGES = (*FAITHFUL, *UNFAITHFUL)
PROMPT = "Decide whether the answer is supported by the context it comes with."

_REJECTS: Mapping[str, frozenset[str]] = {
    "ledger": frozenset({"f20", *UNFAITHFUL[3:]}),
    "roster": frozenset(UNFAITHFUL[:3]),
    "stern": frozenset(FAITHFUL[9:19]),
}
_PAGE = re.compile(r"page ([fu]\d\d)")
_STRATEGY = re.compile(r'<request strategy="([^"]+)">')
_ANALYSIS = '<request analysis="patterns">'
_NUMBERED = re.compile(r'<error number="(\d+)".*?page ([fu]\d\d)', re.DOTALL)
_CURRENT = re.compile(r'<current score="[^"]*">\n(.*?)\n</current>', re.DOTALL)

ADDITIONS = {
    "ledger": "Hold every figure in the answer against the ledger of figures that the context gives, one by one.",
    "roster": "Then check that each name in the answer stands on the roster of names in the context.",
    "mercy": "Show mercy to other wording: what says the same in other words is supported all the same.",
    "stern": "Be stern without exception, and when anything at all is unusual about the answer fail it at once.",
}


FIVE_STRATEGIES = (
    "general improvement",
    "fix wrongly rejected",
    "fix wrongly accepted",
    "explicit rubric",
    "radical simplification",
)
FIVE = ("--no-analysis", *(word for name in FIVE_STRATEGIES for word in ("--strategy", name)))
"""Options of a search whose first two iterations use each of five strategies once, whatever is drawn."""


def write_pages(path: Path, pages: Iterable[str] = PAGES, labels: Mapping[str, str] | None = None) -> Path:
    """Write the golden set; ``labels`` are those that differ from what the page's name says."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "question", "context", "answer", "label"])
        for page in pages:
            label = (labels or {}).get(page, "1" if page.startswith("f") else "0")
            writer.writerow([page, f"What is on page {page}?", f"Text of {page}.", f"Answer of page {page}.", label])
    return path


def judge_label(prompt: str, page: str) -> str:
    """Return what the judge says about a page when it is asked with this prompt."""
    rejected = {"f21"}.union(*(pages for word, pages in _REJECTS.items() if word in prompt))
    if "mercy" in prompt:
        rejected -= {"f20", "f21"}
    return "0" if page in rejected else "1"


def verdict(label: str, reasoning: str = "as the prompt says") -> str:
    return json.dumps({"reasoning": reasoning, "label": label})


def rewrite(strategy: str, current: str) -> str:
    """Return what the meta-LLM replies: one step forward for the right strategy, a step back or nonsense for others."""
    step = None
    if strategy in ("fix wrongly accepted", "claim enumeration") and "ledger" not in current:
        step = f"{current} {ADDITIONS['ledger']}"
    elif strategy in ("fix wrongly accepted", "entity attribution") and "roster" not in current:
        step = f"{current} {ADDITIONS['roster']}"
    elif strategy == "fix wrongly rejected":
        step = f"{current} {ADDITIONS['mercy']}" if "roster" in current else current.upper()
    elif strategy == "general improvement" and "roster" not in current:
        step = f"{ADDITIONS['stern']} {current}"
    elif strategy == "few-shot from disagreements":
        step = f"{current} Learn from the examples below."
    return "I would rather not say." if step is None else f"Here it is:\n<prompt>\n{step}\n</prompt>"


def analyse(pages: Mapping[int, str]) -> str:
    """Return what the meta-LLM replies to an error analysis: the numbers of the errors, by what is wrong on the page.

    Args:
        pages: the page of each error, by the error's number.
    """
    causes = (
        ("figures not compared", "It does not hold the answer's figures against the context.", UNFAITHFUL[3:]),
        ("names not checked", "It does not ask whether a name stands in the context.", UNFAITHFUL[:3]),
        ("other wording rejected", "It rejects what the context says in other words.", FAITHFUL),
    )
    lines = ["They have three causes.", "<patterns>"]
    for name, description, affected in causes:
        numbers = ", ".join(str(number) for number, page in pages.items() if page in affected)
        if numbers:
            lines.append(f'<pattern name="{name}" errors="{numbers}">{description}</pattern>')
    return "\n".join([*lines, "</patterns>"])


@dataclass(slots=True)
class World:
    """The judge and the meta-LLM: the function that a loopback server calls.

    Attributes:
        judge: label by prompt and page.
        writer: the meta-LLM's reply by strategy and current prompt, to a follow-up too.
        analyst: its reply to an error analysis, by the page of each numbered error.
        special: replies to single pages, in place of the judge's.
        held_from: from this call on nothing is answered while it is set.
        answered: bodies that were answered, with how often.
    """

    judge: Callable[[str, str], str] = judge_label
    writer: Callable[[str, str], str] = rewrite
    analyst: Callable[[Mapping[int, str]], str] = analyse
    special: Mapping[str, Reply] = field(default_factory=dict)
    held_from: int | None = None
    answered: Counter[str] = field(default_factory=Counter)

    def __call__(self, call: Call) -> Reply:
        if self.held_from is not None and call.index >= self.held_from:
            return Reply(latency=3600.0)
        self.answered[json.dumps(call.body, sort_keys=True)] += 1
        if _ANALYSIS in call.user:
            return Reply(self.analyst({int(number): page for number, page in _NUMBERED.findall(call.user)}))
        strategy = _STRATEGY.search(call.user)
        if strategy is not None:
            current = _CURRENT.search(call.user)
            assert current is not None
            return Reply(self.writer(strategy[1], current[1]))
        page = _PAGE.search(call.user)
        assert page is not None, call.user
        return self.special.get(page[1]) or Reply(verdict(self.judge(call.system, page[1])))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of the program came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> str:
        """The one line that an expected failure writes; notes may stand before it."""
        *_, last = self.err.splitlines()
        assert last.startswith("error: "), self.err
        assert "Traceback" not in self.err
        return last.removeprefix("error: ")


@dataclass(frozen=True, slots=True)
class Program:
    """Runs the command line in this process, in a folder of its own."""

    folder: Path
    captured: pytest.CaptureFixture[str]

    def __call__(self, *arguments: object, code: int | None = 0) -> Outcome:
        """Run a command; ``code`` is the exit code it must have, None for any."""
        self.captured.readouterr()
        returned = main([str(argument) for argument in arguments])
        out, err = self.captured.readouterr()
        assert code is None or returned == code, f"exit code {returned}\n{out}\n{err}"
        return Outcome(returned, out, err)


def run_in(folder: Path, server: Loopback, *arguments: object, code: int = 0) -> Outcome:
    """Run a command in this process for a fixture that outlives a test; the server answers for OpenAI."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.chdir(folder)
        patch.setenv("OPENAI_BASE_URL", server.openai_url)
        patch.setenv("OPENAI_API_KEY", "sk-any")
        returned = main([str(argument) for argument in arguments])
    assert returned == code, err.getvalue()
    return Outcome(returned, out.getvalue(), err.getvalue())


def start(
    arguments: Sequence[object], folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start the program as a process of its own, with nothing of this environment but the path."""
    return subprocess.Popen(
        [sys.executable, "-m", "calibrate", *map(str, arguments)],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
