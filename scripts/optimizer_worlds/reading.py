"""What the writer takes in of a request: the text of the request, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .concepts import concept_in_item
from .prompts import parse

__all__ = ["Evidence", "Reading", "Told", "read"]

Told = Literal["wrongly accepted", "wrongly rejected", "right", "unknown"]
"""What a piece of evidence tells of the judge; ``unknown`` when its verdict is not shown, or states no label."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One labelled item as it is shown.

    Attributes:
        text: its inputs.
        told: what it tells of the judge.
        label: the expert's label, empty when it is not shown.
        noted: whether an expert's note is shown.
        pattern: the failure pattern it is said to belong to, empty for none.
        number: its number in an error analysis, 0 elsewhere.
    """

    text: str
    told: Told = "unknown"
    label: str = ""
    noted: bool = False
    pattern: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """A request as it was read.

    Attributes:
        kind: what is asked for: a prompt, or failure patterns.
        current: the prompt to rewrite.
        others: further prompts to take from.
        evidence: the items shown.
        strategy: the name of the strategy; empty when the request has none.
        known: names of failure patterns that may be used again, with their descriptions.
        most: how many patterns may be named; 0 when nothing is said of it.
    """

    kind: Literal["rewrite", "patterns"]
    current: str
    others: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    strategy: str = ""
    known: tuple[tuple[str, str], ...] = ()
    most: int = 0


_CURRENT = re.compile(r"<current\b[^<>]*>\n?(.*?)\n?</current>", re.DOTALL)
_OTHER = re.compile(r"<other\b[^<>]*>\n?(.*?)\n?</other>", re.DOTALL)
_ERROR = re.compile(r"<error\b(?P<attributes>[^<>]*)>(?P<body>.*?)</error>", re.DOTALL)
_REQUEST = re.compile(r"<request (strategy|analysis)=\"([^\"]*)\">")
_MOST = re.compile(r"\bat most (\d+) patterns\b")
_KNOWN = re.compile(r"<known_patterns>(.*?)</known_patterns>", re.DOTALL)
_PATTERN = re.compile(r"<pattern\b[^<>]*name=\"([^\"]*)\"[^<>]*>(.*?)</pattern>", re.DOTALL)
_BESIDE = re.compile(r"<(expert_label|expert_note|judge_label|judge_reasoning)>(.*?)</\1>", re.DOTALL)
_ATTRIBUTE = re.compile(r"(\w+)=\"([^\"]*)\"")

_NAMED_CURRENT = re.compile(
    r"<(?P<tag>[\w-]*(?:current|instruction|prompt)[\w-]*)>\s*(?P<tagged>.*?)\s*</(?P=tag)>"
    r"|(?:current|existing|initial|base)[^\n:]*(?:prompt|instruction)[^\n:]*:?\s*\n\s*(?P<fence>`{3,})[^\n]*\n"
    r"(?P<fenced>.*?)\n\s*(?P=fence)"
    r"|(?:current|existing|initial|base)[^\n:]*(?:prompt|instruction)[^\n:]*:\s*(?P<plain>.+?)(?=\n\s*\n|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_FENCED = re.compile(r"`{3,}[^\n]*\n(.*?)\n\s*`{3,}", re.DOTALL)
_EXPERT_SAYS = re.compile(
    r"(?:expert|gold|correct|expected|human|reference|true)[\w ]*(?:label|answer|verdict|output)?\W{1,6}([01])\b",
    re.IGNORECASE,
)
_JUDGE_SAYS = re.compile(
    r"(?:judge|model|assistant|predicted|generated|prediction)['’s]*[\w ]*\W{1,6}([01])\b", re.IGNORECASE
)
_LABEL = re.compile(r"\blabel\W{1,6}([01])\b", re.IGNORECASE)
_CODE = re.compile(r"\bK-\d{6}\b")


def read(text: str, system: str = "") -> Reading:
    """Read a request: the format of this program, or any text with a prompt and labelled items.

    Args:
        text: the user text.
        system: the system text; of it, only how many patterns may be named is taken in.
    """
    request = _REQUEST.search(text[text.rfind("<request ") :] if "<request " in text else "")
    current = _CURRENT.search(text)
    if request is None or current is None:
        return _read_any(text)
    errors = text[text.find("<errors>") : text.find("</errors>")]
    known, most = _KNOWN.search(text), _MOST.search(system)
    return Reading(
        "patterns" if request[1] == "analysis" else "rewrite",
        _plain(current[1]),
        tuple(_plain(found) for found in _OTHER.findall(text)),
        tuple(_error(found["attributes"], found["body"]) for found in _ERROR.finditer(errors)),
        "" if request[1] == "analysis" else _plain(request[2]),
        tuple((_plain(name), _plain(about)) for name, about in _PATTERN.findall(known[1])) if known else (),
        int(most[1]) if most else 0,
    )


def _error(attributes: str, body: str) -> Evidence:
    beside = {name: content.strip() for name, content in _BESIDE.findall(body)}
    given = dict(_ATTRIBUTE.findall(attributes))
    label = beside.get("expert_label", "")
    return Evidence(
        _plain(_BESIDE.sub("", body)),
        _told(label, beside.get("judge_label", "")),
        label,
        bool(beside.get("expert_note")),
        _plain(given.get("pattern", "")),
        int(given.get("number", "0") or 0),
    )


def _told(label: str, judged: str) -> Told:
    if label not in ("0", "1") or judged not in ("0", "1"):
        return "unknown"
    if label == judged:
        return "right"
    return "wrongly accepted" if judged == "1" else "wrongly rejected"


def _plain(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&").strip()


def _read_any(text: str) -> Reading:
    """Read a format nobody declared: a prompt that is marked as such, and paragraphs with items."""
    named = _NAMED_CURRENT.search(text)
    if named:
        current = named["tagged"] or named["fenced"] or named["plain"] or ""
    else:
        fenced = [block for block in _FENCED.findall(text) if not _CODE.search(block)]
        paragraphs = [each for each in re.split(r"\n\s*\n", text) if not _CODE.search(each)]
        current = max(fenced or paragraphs, key=lambda each: parse(each).weight, default="")
    rest = text.replace(current, "", 1) if current else text
    return Reading("rewrite", current.strip(), evidence=tuple(map(_piece, _pieces(rest))))


def _pieces(text: str) -> list[str]:
    """Cut a text at its items: each piece has one case number, and what follows it up to the next item."""
    pieces: list[str] = []
    for paragraph in re.split(r"\n\s*\n|(?=<(?:example|item|error|case)\b)", text):
        starts_item = concept_in_item(paragraph) is not None or _CODE.search(paragraph) is not None
        complete = bool(pieces) and _CODE.search(pieces[-1]) is not None
        if starts_item and (complete or not pieces):
            pieces.append(paragraph)
        elif pieces:
            pieces[-1] += "\n" + paragraph
    # A paragraph may hold several items, one a line.
    cut: list[str] = []
    for piece in pieces:
        lines = [line for line in piece.split("\n") if _CODE.search(line)]
        cut += lines if len(lines) > 1 else [piece]
    return cut


def _piece(text: str) -> Evidence:
    expert = _EXPERT_SAYS.search(text) or _LABEL.search(text)
    judge = _JUDGE_SAYS.search(text)
    label = expert[1] if expert else ""
    noted = re.search(r"\b(?:note|feedback|explanation)\b", text, re.IGNORECASE) is not None
    return Evidence(text, _told(label, judge[1] if judge else ""), label, noted)
