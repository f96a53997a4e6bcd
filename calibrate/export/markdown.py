"""A judge for people to read: its instructions with the facts about it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from calibrate.domain import Item
from calibrate.export.bundle import Exported
from calibrate.export.header import calls_in_words, header

__all__ = ["as_markdown"]

_BACKTICKS = re.compile("`+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SETTINGS = "Temperature {temperature}, at most {max_tokens} tokens, reply in the form of {form}."
_READ_AS = {
    "split": (
        "The claims are those of the last list in the reply. Measured was whether they have a statement that an expert "
        "names: positive if one of them says the same (content words, numbers and negation), else negative."
    ),
    "verify": (
        "The last list of verdicts counts. A claim that is called supported and whose quote does not occur in the "
        "context word for word (white space and case folded), or has function words only, counts as not mentioned. A "
        "reply that says two things of one claim, or leaves one out, is invalid. The label of several claims is the "
        "worst of theirs: contradicted, then not mentioned, then supported."
    ),
    "questions": (
        "The score is the mean cosine similarity of the questions in the reply with the question that was asked, by "
        "the embeddings of an embedder{embedder}. The model does not see that question."
    ),
}
_READ = "Everything in the blocks below is text of the judge, not of this page."


def as_markdown(exported: Exported) -> str:
    """Return a page in Markdown.

    All that comes from data stands in code blocks, whose fences are longer than any in the text.
    """
    page = "\n\n".join(_parts(exported)) + "\n"
    # An unpaired surrogate has no UTF-8 form.
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", page)


def _parts(exported: Exported) -> Iterator[str]:
    settings, request = exported.settings, exported.example()
    yield "# A calibrated judge"
    yield _block(header(exported, _asked(exported)))
    yield _READ
    yield "## Instructions"
    yield _block(exported.prompt.text)
    if exported.section is not None:
        yield "## What follows them"
        yield _block(exported.section)
    yield "## Message with the item"
    yield _block(_message(exported))
    if request.schema is not None:
        yield "## Schema of the reply"
        yield _block(json.dumps(request.schema, indent=2, ensure_ascii=False), "json")
    if settings.parse is not None:
        yield "## How the reply is read"
        yield "The last match of this regular expression outside thinking blocks states the label:"
        yield _block(settings.parse.partition("=")[2])
    if settings.task != "verdict":
        yield "## How the reply is read"
        yield _READ_AS[settings.task].format(embedder=_embedder(exported))


def _asked(exported: Exported) -> str:
    settings, scale = exported.settings, exported.scale
    temperature = "by the provider's default" if settings.temperature is None else str(settings.temperature)
    form = "its own" if settings.parse is not None else "a JSON schema"
    lines = [_SETTINGS.format(temperature=temperature, max_tokens=exported.max_tokens, form=form)]
    if scale.kind == "interval":
        low, high = ("any" if bound is None else f"{bound:g}" for bound in (scale.low, scale.high))
        lines.append(f"Scores: a number, lowest {low}, highest {high}.")
    else:
        lines.append(
            f"Labels ({scale.kind}): {', '.join(json.dumps(label, ensure_ascii=False) for label in scale.labels)}."
        )
    if scale.positive is not None:
        lines.append(f"The positive label is {json.dumps(scale.positive, ensure_ascii=False)}.")
    if settings.allow_abstain:
        lines.append("It may abstain with CANNOT_ASSESS.")
    if settings.asks_more_than_once:
        lines.append(calls_in_words(exported))
    return "\n".join(lines)


def _message(exported: Exported) -> str:
    """Return the user message for an item each of whose inputs is its own name in brackets."""
    inputs = {name: f"[{name}]" for name in exported.inputs}
    return exported.judge.request(Item(id="", dimension=exported.dimension, inputs=inputs)).user


def _block(text: str, language: str = "text") -> str:
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _embedder(exported: Exported) -> str:
    known = exported.answering.get("embedder")
    return f" ({json.dumps(known)})" if known else ""
