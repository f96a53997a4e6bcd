"""When what is known of one judge holds for another: the two would give the same verdict, and were asked the same.

Compared is what decides a verdict: model with its identity (server, weights, embedder), splitter, task, temperature,
votes and when they are taken, orders, own output format, whether it may abstain, the language of the format section,
and the labels. Not compared is what only says how sure it is (confidence), and a larger limit of the reply: that cuts
off less. A smaller one leaves verdicts out, and makes another judge. The prompt is compared by whoever looks.

Of a scale only what the judge is told or held to counts: the labels, in their order on an ordinal scale, the positive
one, or the bounds. A splitter, and a model that writes questions back, are told no labels at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibrate.domain import Scale
from calibrate.judge import JudgeSettings, language_of

__all__ = ["primary_language", "same_judge", "same_name", "same_scale", "task_of"]

_DECISIVE = ("task", "temperature", "votes", "adaptive", "both_orders", "parse", "allow_abstain")
_USUAL = JudgeSettings()


def same_judge(measured: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    """Return whether the judge that was measured is the one that is asked; both as runs record them, prompts aside."""
    if any(measured.get(name) != asked.get(name) for name in ("model", "identity", "splitter")):
        return False
    if any(_setting(measured, name) != _setting(asked, name) for name in _DECISIVE):
        return False
    if language_of(_setting(measured, "language")) != language_of(_setting(asked, "language")):
        return False
    declared = (asked.get("identity") or {}).get("max_tokens") is not None  # it then stands in place of both limits
    return declared or _setting(asked, "max_tokens") >= _setting(measured, "max_tokens")


def same_scale(task: str, one: Scale, other: Scale) -> bool:
    """Return whether a judge of a task says the same on both scales."""
    if task in ("split", "questions"):
        return True
    if one.kind == "ordinal":
        return one.kind == other.kind and one.labels == other.labels
    return (one.kind, set(one.labels), one.positive, one.low, one.high) == (
        *(other.kind, set(other.labels), other.positive, other.low, other.high),
    )


def same_name(one: str, other: str) -> bool:
    """Return whether two names of dimensions are one: case, hyphens and spaces aside."""
    return _plain(one) == _plain(other)


def primary_language(tag: str) -> str:
    """Return the language of a BCP 47 tag without region or script: ``es`` for ``es-MX``."""
    return tag.replace("_", "-").split("-")[0].strip().casefold()


def task_of(judge: Mapping[str, Any]) -> str:
    """Return what a judge, as runs record it, is asked to do."""
    return str(_setting(judge, "task"))


def _setting(judge: Mapping[str, Any], name: str) -> Any:
    return (judge.get("settings") or {}).get(name, getattr(_USUAL, name))


def _plain(name: str) -> str:
    return "_".join(name.replace("-", " ").replace("_", " ").casefold().split())
