"""A judge prompt: instructions, with an optional place for an input where the author wants it.

The rules of braces, in one place:

- ``{{name}}`` (white space inside allowed) places the input ``name``. A name that is an identifier but no input is
  refused, because a misspelt placeholder would silently judge without its data.
- Any other double brace is text: ``{{"label": 1}}``, ``{{ user.name }}``, ``{{#if}}``.
- A single brace is text, so that JSON examples just work. Only a ``{name}`` that is exactly an input is refused: it is
  almost surely a placeholder of another template language. Two ways out: write ``{{name}}``, or pass
  ``--single-braces``.
- With ``--single-braces`` both forms of a known input are placeholders and everything else is text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibrate.domain import digest
from calibrate.errors import InputError

__all__ = ["MAX_PROMPT_BYTES", "Prompt", "load_prompt"]

MAX_PROMPT_BYTES = 256 * 1024
"""The largest prompt file that is read."""

_DOUBLE = re.compile(r"\{\{[ \t]*(?P<name>[^{}\s](?:[^{}\n]*[^{}\s])?)[ \t]*\}\}")
_SINGLE = re.compile(r"\{(?P<name>[^{}\n]+)\}")
_EITHER = re.compile(f"{_DOUBLE.pattern}|{_SINGLE.pattern.replace('name', 'single')}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """Instructions for a judge. Made by :meth:`parse`, which checks the placeholders.

    Attributes:
        text: the instructions, without white space around them.
        placeholders: the inputs that the text places itself, in order of first appearance.
        single_braces: whether ``{name}`` places an input too.
    """

    text: str
    placeholders: tuple[str, ...] = ()
    single_braces: bool = False

    @classmethod
    def parse(
        cls, text: str, inputs: Sequence[str], *, single_braces: bool = False, source: str | None = None
    ) -> Prompt:
        """Read instructions written for items with these inputs.

        Args:
            text: the instructions.
            inputs: the names that a placeholder may have.
            single_braces: whether ``{name}`` of a known input is a placeholder.
            source: the file the text came from, for messages.

        Raises:
            InputError: the text is empty, a placeholder names no input, or a ``{name}`` could be meant as one.
        """
        text = text.strip()
        if not text:
            raise InputError("the prompt is empty; write instructions for the judge", file=source)
        if not single_braces:
            _refuse_unknown(text, inputs, source)
            _refuse_single(text, inputs, source)
        pattern = _EITHER if single_braces else _DOUBLE
        names = (_name(match) for match in pattern.finditer(text))
        placed = tuple(dict.fromkeys(name for name in names if name in inputs))
        return cls(text=text, placeholders=placed, single_braces=single_braces)

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the text with each placeholder replaced by its value, in one pass: values are never read again."""
        if not self.placeholders:
            return self.text

        def value(match: re.Match[str]) -> str:
            name = _name(match)
            return values[name] if name in self.placeholders else match.group()

        return (_EITHER if self.single_braces else _DOUBLE).sub(value, self.text)

    @property
    def digest(self) -> str:
        """Content digest: equal instructions, equal digest."""
        return digest(
            {"text": self.text, "placeholders": sorted(self.placeholders), "single_braces": self.single_braces}
        )


def load_prompt(path: Path | str, inputs: Sequence[str], *, single_braces: bool = False) -> Prompt:
    """Read a prompt file (UTF-8, at most ``MAX_PROMPT_BYTES``); line ends become ``\\n``.

    Raises:
        InputError: the file cannot be read, is too large or is not text, or :meth:`Prompt.parse` refuses it.
    """
    source = str(path)
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_PROMPT_BYTES + 1)
    except FileNotFoundError:
        raise InputError("no such prompt file; check the path", file=source) from None
    except OSError as error:
        raise InputError(f"cannot read the prompt: {error.strerror or 'unreadable'}", file=source) from None
    if len(content) > MAX_PROMPT_BYTES:
        raise InputError(f"the prompt is larger than {MAX_PROMPT_BYTES // 1024} KiB; shorten it", file=source)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("the prompt is not UTF-8 text; save it as UTF-8", file=source) from None
    if "\0" in text:
        raise InputError("the prompt is not a text file; name a file with instructions", file=source)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Prompt.parse(text, inputs, single_braces=single_braces, source=source)


def _name(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return groups["name"] or groups["single"]


def _refuse_unknown(text: str, inputs: Sequence[str], source: str | None) -> None:
    for match in _DOUBLE.finditer(text):
        name = match["name"]
        if name.isidentifier() and name not in inputs:
            known = ", ".join(inputs) or "none"
            raise InputError(
                f"the prompt places {{{{{name}}}}}, which is no input; the inputs are: {known}", file=source
            )


def _refuse_single(text: str, inputs: Sequence[str], source: str | None) -> None:
    for match in _SINGLE.finditer(_DOUBLE.sub("", text)):
        name = match["name"]
        if name in inputs:
            raise InputError(
                f"{{{name}}} could be meant as the input or as text: write {{{{{name}}}}} to place the input, "
                "or pass --single-braces",
                file=source,
            )
