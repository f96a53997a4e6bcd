"""The verdict on an answer that is judged claim by claim: what follows from its split and from what its claims are.

Faithfulness is the share of the factual claims that the context supports (STATISTICS section 9). On a binary scale an
answer is good when all of them are supported; on one of three labels it gets the worst of theirs. Conditional and
normative claims are none that a context can support or contradict: they are in the evidence and count in nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibrate.domain import Json, Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.judge.quotes import why_no_quote
from calibrate.judge.support import LabelRoles, label_roles

__all__ = ["NO_CLAIMS", "check_composed", "compose_verdict", "factual_claims"]

NO_CLAIMS = "the answer makes no claim that can be checked"


def factual_claims(split: Verdict) -> tuple[str, ...]:
    """Return the claims of a split that a context can support or contradict; none where it is unscored."""
    return tuple(each["claim"] for each in _claims(split) if each["kind"] == "factual")


def check_composed(scale: Scale, labels: Scale) -> None:
    """Refuse a scale on which claims make no verdict.

    Args:
        scale: the scale of the answers.
        labels: the scale of the claims.

    Raises:
        InputError: says which scales there are.
    """
    claims = label_roles(labels)
    if scale.kind == "interval":
        if scale.low in (None, 0.0) and scale.high in (None, 1.0):
            return
        low, high = (None if each is None else format(each, "g") for each in (scale.low, scale.high))
        bounds = f"from {low} on" if high is None else f"up to {high}" if low is None else f"from {low} to {high}"
        raise InputError(
            f"claim by claim a score is the share of supported claims, from 0 to 1; this scale goes {bounds}"
        )
    try:
        answers = label_roles(scale)
    except InputError:
        raise InputError(
            "claim by claim a verdict is binary, a share from 0 to 1 (interval), or one of supported, contradicted and "
            f"not mentioned (nominal); this scale is {scale.kind}: {', '.join(scale.labels)}"
        ) from None
    if answers.contradicted is not None and claims.contradicted is None:
        raise InputError("a verifier with a binary scale does not tell contradicted claims from others")


def compose_verdict(split: Verdict, checks: Sequence[Verdict], scale: Scale, labels: Scale) -> Verdict:
    """Return the verdict on an answer.

    Args:
        split: of the answer.
        checks: what was found of its factual claims: one verdict on all of them, or one on each in their order.
        scale: the scale of the answer.
        labels: the scale of the claims.

    Returns:
        A label with ``evidence`` of every claim, in the order of the answer; or no label, where one of the steps gave
        none or there is no factual claim.
    """
    if isinstance(split, Unscored):
        return Unscored(split.reason, _step("splitting the answer into claims", split.detail))
    factual = factual_claims(split)
    if not factual:
        return Unscored("abstained", NO_CLAIMS)
    found: list[Mapping[str, Any]] = []
    for number, check in enumerate(checks, 1):
        if isinstance(check, Unscored):
            which = "the claims" if len(checks) == 1 else f"claim {number}"
            return Unscored(check.reason, _step(f"holding {which} against the context", check.detail))
        found += _claims(check)
    assert len(found) == len(factual), "one finding for each factual claim"
    roles = label_roles(labels)
    supported = sum(each["label"] == roles.supported for each in found)
    waiting = iter(found)
    claims = [{**each, **_finding(next(waiting) if each["kind"] == "factual" else None)} for each in _claims(split)]
    evidence: dict[str, Json] = {"claims": claims, "supported": supported, "of": len(found)}
    label = _label([each["label"] for each in found], supported / len(found), scale, roles)
    return Scored(label, _told(claims, supported, len(found)), evidence=evidence)


def _claims(verdict: Verdict) -> Sequence[Mapping[str, Any]]:
    listed = (verdict.evidence or {}).get("claims") if isinstance(verdict, Scored) else None
    return [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list | tuple) else []


def _finding(found: Mapping[str, Any] | None) -> dict[str, Json]:
    if found is None:
        return {"label": None, "quote": "", "quote_found": None, "stated": None, "reasoning": ""}
    return {name: found[name] for name in ("label", "quote", "quote_found", "stated", "reasoning")}


def _label(labels: Sequence[str], share: float, scale: Scale, claims: LabelRoles) -> str:
    if scale.kind == "interval":
        return scale.match(share) or ""
    if scale.kind == "binary":
        return (scale.positive or "") if share == 1.0 else scale.negative
    answers = label_roles(scale)
    by_role = {
        claims.supported: answers.supported,
        claims.not_mentioned: answers.not_mentioned,
        claims.contradicted: answers.contradicted,
    }
    return answers.worst([by_role[label] or "" for label in labels])


def _told(claims: Sequence[Mapping[str, Any]], supported: int, of: int) -> str:
    """Return what a person, or the meta-LLM, reads of it."""
    lines = [f"{supported} of {of} claims are supported." if of > 1 else f"{supported} of 1 claim is supported."]
    for number, each in enumerate(claims, 1):
        said = [f"{number}. {each['claim']}: {each['label'] or each['kind'] + ', not checked'}."]
        if each["reasoning"]:
            said.append(each["reasoning"])
        if each["quote"]:
            said.append(f'Quote: "{each["quote"]}"')
        if each["label"] != each["stated"]:
            said.append(f"Called {each['stated']}, but {why_no_quote(each['quote'])}.")
        lines.append(" ".join(said))
    return "\n".join(lines)


def _step(step: str, detail: str) -> str:
    return f"{step}: {detail}" if detail else f"{step} gave no verdict"
