"""What an exported module says of itself."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping

from calibrate.domain import Json
from calibrate.export.bundle import Exported
from calibrate.judge import shown_inputs

__all__ = ["calls_in_words", "figures", "header", "simulation", "to_be_set"]

_WIDTH = 100


def header(exported: Exported, usage: str | None = None) -> str:
    """Return what the judge is, where it comes from, its figures, and how to use it, as lines.

    Args:
        exported: the judge.
        usage: how it is used; None for the module without dependencies.
    """
    title = f"A judge of {_text(exported.dimension)}, with the alignment that was measured."
    return "\n\n".join([title, *_facts(exported), usage or _usage(exported)])


def _facts(exported: Exported) -> Iterator[str]:
    sentence = _text(exported.provenance.get("sentence"))
    if sentence:
        yield textwrap.fill(sentence, _WIDTH, break_long_words=False, break_on_hyphens=False)
    yield "\n".join(f"{f'{name}:':<12}{value}" for name, value in figures(exported) if value)
    for told in (simulation(exported), to_be_set(exported)):
        if told:
            yield textwrap.fill(told, _WIDTH, break_long_words=False, break_on_hyphens=False)


def to_be_set(exported: Exported) -> str:
    """Return a sentence on a model that no server has, else nothing."""
    if not exported.model.startswith("sim:"):
        return ""
    name = _text(exported.model)
    return f"{name} exists only in calibrate: put a real model in its place (MODEL), and measure the judge again."


def calls_in_words(exported: Exported) -> str:
    """Say from how many replies a verdict of the judge is made; nothing for one."""
    settings, said = exported.settings, []
    if settings.votes > 1:
        adaptive = ", the third only where the first two differ" if settings.adaptive else ""
        said.append(f"A verdict is the majority of {settings.votes} replies{adaptive}.")
    if settings.both_orders:
        said.append("Each pair is judged in both orders.")
    return " ".join(said)


def simulation(exported: Exported) -> str:
    """Return a sentence on figures that come from a simulated model, else nothing."""
    if not exported.provenance.get("simulated"):
        return ""
    return "The figures come from a simulated model. They say nothing about a real one."


def figures(exported: Exported) -> Iterator[tuple[str, str]]:
    """Name the facts of a judge, and say each on one line; what is not known is empty."""
    facts = {name: _text(value) for name, value in exported.provenance.items()}
    returned = ", ".join(exported.models_returned)
    yield "Name", _text(exported.name)
    yield "Alignment", _alignment(exported)
    yield "Golden set", _joined(facts.get("golden_set"), "digest", facts.get("golden_digest"))
    yield "Model", _joined(_text(exported.model), "answered by", _text(returned))
    yield "Run", _joined(facts.get("run"), "of", facts.get("created"))
    yield "Digests", f"judge {exported.judge.digest}, prompt {exported.prompt.digest}"
    yield "Made with", f"calibrate {facts['version']}" if facts.get("version") else ""


def _alignment(exported: Exported) -> str:
    alignment = exported.metrics.get("alignment")
    n = exported.provenance.get("n", exported.metrics.get("n"))
    items = "" if n is None else f", n = {_text(n)}"
    if not isinstance(alignment, Mapping):
        return f"not known{items}"
    value, low, high = (alignment.get(name) for name in ("value", "low", "high"))
    if not isinstance(value, int | float):
        return f"undefined, {_text(alignment.get('reason')) or 'for no reason given'}{items}"
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return f"{value:.3f}{items}"
    return f"{value:.3f}, 95 % interval {low:.3f} to {high:.3f}{items}"


_PARSED = {
    "verdict": """\
    verdict = parse(reply, finish_reason)
    verdict.label  # one of LABELS, or None; then verdict.unscored says why""",
    "split": """\
    split = parse(reply, finish_reason)
    split.claims  # each with its text and kind, or None; then split.unscored says why""",
    "verify": """\
    verdict = parse(reply, inputs, finish_reason)
    verdict.label  # the worst of the claims' labels, or None; then verdict.unscored says why
    verdict.claims  # each with its label, its quote, and whether that occurs in the context word for word""",
}


def _usage(exported: Exported) -> str:
    settings = exported.settings
    shown = shown_inputs(settings.task, exported.inputs)
    names = ", ".join(f"{json.dumps(name, ensure_ascii=False)}: ..." for name in shown)
    given = f"request = render({{{names}}})"
    if settings.task == "verify":
        given = f"inputs = {{{names}}}\n    request = render(inputs)"
    pattern = settings.parse is not None
    return f"""\
    {given}
    # Ask MODEL, at TEMPERATURE and with MAX_TOKENS: request["system"], request["user"], request["schema"].
{_PARSED[settings.task]}

{_several(exported)}Run as a script, this file reads one JSON object of inputs per line and prints the request for each:

    python judge.py < inputs.jsonl

It needs the standard library of Python 3.9 or later{", and of a version that knows PATTERN" if pattern else ""}."""


def _several(exported: Exported) -> str:
    calls = calls_in_words(exported)
    if not calls:
        return ""
    told = f"{calls} This file makes the request for one reply and reads one: ask as often, and put them together."
    return textwrap.fill(told, _WIDTH) + "\n\n"


def _joined(what: str | None, word: str, detail: str | None) -> str:
    return f"{what}, {word} {detail}" if what and detail else what or ""


def _text(value: Json) -> str:
    return "" if value is None else " ".join(str(value).split())
