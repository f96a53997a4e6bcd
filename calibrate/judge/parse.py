"""Read a verdict out of a reply.

The rules, in order; the first that finds something decides, and nothing weaker is asked after it:

1. Thinking blocks never count.
2. At the token limit, a reply that ends inside an object which began as a verdict is truncated, whatever came before:
   the judge was about to say something else.
3. Objects (see :mod:`calibrate.judge.structured`) that state a label: the last one that also has a reasoning, else the
   last one. "Last" is by where an object ends, and an object that states a declared label outweighs those inside it, so
   that verdicts on single claims never pass for the verdict on the answer. A label is stated by ``label`` or
   ``etiqueta``; only when no object has one, by ``verdict`` or ``veredicto``.
4. The last line of the form ``Label: x`` (``Etiqueta:``; then ``Verdict:``, ``Veredicto:``) outside objects; in bold or
   in a list, but not in a quotation (``> Label: x``).
5. Otherwise there is no verdict, and the finish reason says why.

What was found is the verdict even when its label is not declared: then it is ``invalid``. Looking further for something
that does fit would turn an answer the judge did not offer into data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from calibrate.domain import Finish, Scale, Scored, Unscored, Verdict, normalise_label, number
from calibrate.errors import InputError
from calibrate.judge.structured import FoundObject, Nested, Span, Value, read_parts
from calibrate.judge.verdict_format import ABSTENTION

__all__ = ["ReplyReader", "no_verdict", "parse_reply", "parse_with_regex"]

ReplyReader: TypeAlias = Callable[[str, Finish, Scale], Verdict]
"""Reads a verdict: reply, finish reason, scale."""

_FIELDS = {
    **dict.fromkeys(["label", "etiqueta"], "label"),
    **dict.fromkeys(["verdict", "veredicto"], "verdict"),
    **dict.fromkeys(
        ("reasoning", "reason", "rationale", "explanation", "justification"),
        "reasoning",
    ),
    **dict.fromkeys(["razonamiento", "razon", "explicacion", "justificacion"], "reasoning"),
    **dict.fromkeys(["confidence", "probability", "confianza", "probabilidad"], "confidence"),
}
_LINE = re.compile(
    r"[\s*_#`\-•]*+(?:\d{1,2}[.)]\s*+)?[*_`]*+(?:final\s++)?"
    r"(?:(?P<label>label|etiqueta)|verdict|veredicto)(?:\s++final)?[\s*_`]*+[:：](?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_LABEL = 1000
_EXCERPT = 160


def parse_reply(text: str, finish: Finish, scale: Scale) -> Verdict:
    """Read the verdict of a reply to our own format (the rules are in the module's description).

    Never raises; time is linear in the reply. A number under ``confidence`` or ``probability`` in [0, 1] is kept.

    Args:
        text: the raw reply.
        finish: why it ended; it decides between truncated, refused and invalid when there is no verdict.
        scale: the declared labels.
    """
    parts = read_parts(text, _FIELDS)
    if parts.cut_off and finish == "length":
        return no_verdict(text, finish)
    stated = _stated_by_object(parts.objects, scale)
    if stated is not None:
        found, name = stated
        reasoning = _text_of(found.values.get("reasoning"), text)
        return _verdict(found.values[name], scale, reasoning, _confidence(found), source=text)
    return _labelled_line(_without(text, [*parts.thinking, *parts.structured]), text, finish, scale)


def parse_with_regex(option: str) -> ReplyReader:
    """Return the reader of ``--parse label=REGEX``, for a judge with its own output format.

    The last match outside thinking blocks counts; its label is the group named ``label``, else the first group, else
    the whole match. ``^`` and ``$`` match at line ends. A reply without a match is invalid, truncated or refused by its
    finish.

    Args:
        option: the option's value, ``label=`` included.

    Raises:
        InputError: not of this form, or not a regular expression.
    """
    name, equals, expression = option.partition("=")
    if not equals or name.strip() != "label" or not expression:
        raise InputError(f"--parse {option!r}: write label=REGEX, such as label='Score: (\\d)'", field="parse")
    try:
        pattern = re.compile(expression, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        raise InputError(f"--parse: not a regular expression: {error}", field="parse") from None
    group: str | int = "label" if "label" in pattern.groupindex else min(pattern.groups, 1)

    def read(text: str, finish: Finish, scale: Scale) -> Verdict:
        visible = _without(text, read_parts(text, _FIELDS).thinking)
        last = None
        for match in pattern.finditer(visible):
            if match[group] is not None:
                last = match
        if last is None or _may_go_on(last[group], last.end(group) == len(visible), finish, scale):
            return no_verdict(text, finish)
        return _verdict(last[group], scale, visible[: last.start()].strip(), None, source=text)

    return read


def _stated_by_object(objects: Sequence[FoundObject], scale: Scale) -> tuple[FoundObject, str] | None:
    """Return the object that holds the verdict, and the field that states it."""
    for name in ("label", "verdict"):
        stating: list[FoundObject] = []
        for found in objects:
            if name not in found.values or _is_object(found.values[name]):
                continue
            if _declared(found.values[name], scale) is not None:
                while stating and stating[-1].start > found.start:
                    stating.pop()
            stating.append(found)
        if stating:
            return next((each for each in reversed(stating) if "reasoning" in each.values), stating[-1]), name
    return None


def _labelled_line(visible: str, text: str, finish: Finish, scale: Scale) -> Verdict:
    last: dict[str, tuple[int, int, str]] = {}
    start = 0
    for line in visible.splitlines(keepends=True):
        if match := _LINE.match(line):
            last["label" if match["label"] else "verdict"] = (start, start + len(line.rstrip("\r\n")), match["value"])
        start += len(line)
    if not last:
        return no_verdict(text, finish)
    start, end, value = last.get("label") or last["verdict"]
    value = value.strip()
    if not normalise_label(value[:_LONGEST_LABEL]) or _may_go_on(value, end == len(visible), finish, scale):
        return no_verdict(text, finish)
    return _verdict(value, scale, visible[:start].strip(), None, source=text)


def _without(text: str, spans: Iterable[Span]) -> str:
    """Return the text without these stretches; a line break stands for each, so that no line is glued together."""
    kept, position = [], 0
    for span in sorted(spans, key=lambda each: each.start):
        kept.append(text[position : max(span.start, position)])
        position = max(position, span.end)
    kept.append(text[position:])
    return "\n".join(kept)


def _verdict(raw: Value, scale: Scale, reasoning: str, confidence: float | None, *, source: str) -> Verdict:
    label = _declared(raw, scale)
    if label is not None:
        return Scored(label, reasoning, confidence)
    if isinstance(raw, str) and _letters(raw) == _letters(ABSTENTION):
        return Unscored("abstained", reasoning)
    offered = ", ".join(scale.labels) if scale.labels else "the numbers of the scale"
    return Unscored("invalid", f"the label {_shown(raw, source)} is not one of {offered}")


def _declared(raw: Value, scale: Scale) -> str | None:
    if isinstance(raw, str) and len(raw) > _LONGEST_LABEL:
        return None
    label = scale.match(raw)
    if label is None and scale.kind == "interval" and isinstance(raw, str):
        return scale.match(normalise_label(raw))  # "**0.8**." is a number in markup
    return label


def no_verdict(text: str, finish: Finish) -> Unscored:
    """Return why a reply without a verdict has none, by how it ended."""
    if finish == "length":
        return Unscored("truncated", "the reply reached the token limit before its verdict")
    if finish == "refusal":
        return Unscored("refused", _excerpt(text) if text.strip() else "the model refused and gave no text")
    return Unscored("invalid", f"no verdict in the reply: {_excerpt(text)}" if text.strip() else "the reply is empty")


def _may_go_on(value: str, at_the_end: bool, finish: Finish, scale: Scale) -> bool:
    """Whether the token limit may have cut this label short: "1" of "10", "partly" of "partly faithful", any number."""
    if finish != "length" or not at_the_end:
        return False
    if scale.kind == "interval":
        return True
    begun = normalise_label(value[:_LONGEST_LABEL])
    return any(
        folded.startswith(begun) and folded != begun for folded in map(normalise_label, (*scale.labels, ABSTENTION))
    )


def _confidence(found: FoundObject) -> float | None:
    value = number(found.values.get("confidence"))
    return value if value is not None and 0.0 <= value <= 1.0 else None


def _text_of(value: Value, text: str) -> str:
    if isinstance(value, Nested):
        return text[value.start : value.end]
    return value if isinstance(value, str) else "" if value is None else str(value)


def _is_object(value: Value) -> bool:
    return isinstance(value, Nested) and value.kind == "object"


def _letters(text: str) -> str:
    return "".join(char for char in text[:_LONGEST_LABEL].casefold() if char.isalnum())


def _shown(raw: Value, text: str) -> str:
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)  # 7 is read as 7.0
    shown = "null" if raw is None else _text_of(raw, text)
    return f'"{_excerpt(shown)}"'


def _excerpt(text: str) -> str:
    line = " ".join(text[: 4 * _EXCERPT].split())
    return line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…"
