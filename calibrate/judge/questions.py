"""Questions written back from an answer, and how alike they are to the question that was asked (answer relevancy)."""

from __future__ import annotations

import json
import math

from calibrate.domain import Finish, Scale, Scored, Unscored, Verdict, number
from calibrate.judge.parse import no_verdict

__all__ = ["read_similarities"]

_LARGEST = 1.001  # a cosine, rounded


def read_similarities(text: str, finish: Finish, scale: Scale) -> Verdict:
    """Read the mean similarity of a reply that an embedder has completed. Never raises for any text.

    The reply is ``{"questions": [...], "similarities": [...], "embedder": name}``; one without similarities is a
    reply in which the embedder found no questions. The mean is held to the bounds of the scale.
    """
    try:
        reply = json.loads(text)
    except (ValueError, RecursionError):
        return no_verdict(text, finish)
    if not isinstance(reply, dict) or "similarities" not in reply or finish != "stop":
        return no_verdict(text, finish)
    questions, values = _listed(reply.get("questions")), _listed(reply["similarities"])
    # An embedder gives one for each question; where there are none, a model has made them up.
    asked = [question for question in questions if isinstance(question, str) and question.strip()]
    known = [value for value in map(number, values) if value is not None and abs(value) <= _LARGEST]
    if not asked or not len(asked) == len(questions) == len(known) == len(values):
        return Unscored("invalid", "no question was written back")
    mean = math.fsum(known) / len(known)
    low, high = (-math.inf if scale.low is None else scale.low), (math.inf if scale.high is None else scale.high)
    label = scale.match(round(min(max(mean, low), high), 6))
    if label is None:
        return Unscored("invalid", f"the similarity {mean} is no score of the scale")
    pairs = zip(asked, known, strict=True)
    return Scored(label, "\n".join(f"{value:.2f} {question}" for question, value in pairs), evidence=reply)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []
