"""Questions written back from an answer, and how alike they are to the question that was asked (answer relevancy)."""

from __future__ import annotations

import json
import math

from calibrate.domain import Finish, Scale, Scored, Unscored, Verdict, number
from calibrate.judge.parse import no_verdict

__all__ = ["read_similarities"]


def read_similarities(text: str, finish: Finish, scale: Scale) -> Verdict:
    """Read the mean similarity of a reply that an embedder has completed. Never raises for any text.

    The reply is ``{"questions": [...], "similarities": [...], "embedder": name}``; one without similarities is a
    reply in which the embedder found no questions. The mean is held to the bounds of the scale.
    """
    try:
        reply = json.loads(text)
    except (ValueError, RecursionError):
        return no_verdict(text, finish)
    if not isinstance(reply, dict) or "similarities" not in reply:
        return no_verdict(text, finish)
    values = [number(each) for each in reply["similarities"]] if isinstance(reply["similarities"], list) else []
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return Unscored("invalid", "no question was written back")
    mean = math.fsum(known) / len(known)
    low, high = (-math.inf if scale.low is None else scale.low), (math.inf if scale.high is None else scale.high)
    label = scale.match(round(min(max(mean, low), high), 6))
    if label is None:
        return Unscored("invalid", f"the similarity {mean} is no score of the scale")
    pairs = zip(reply["questions"], known, strict=False)
    return Scored(label, "\n".join(f"{value:.2f} {question}" for question, value in pairs), evidence=reply)
