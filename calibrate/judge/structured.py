"""Find the objects in a reply: JSON and near-JSON, wherever they stand, in one pass from left to right.

Valid JSON reads exactly as it is. Beyond it are read: trailing commas, ``//`` and ``/* */`` comments, raw line breaks
and control characters in strings, strings in single quotes, bare identifiers as keys, ``True``/``False``/``None``,
unknown escapes, and quotes inside a string that were not escaped (a quote ends a value only where the object can go on
after it).

The pass never goes back over what it has read, but for a key that turns out to be none, so that its time is linear in
the reply, and it keeps its own stack, so that no nesting is too deep.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

__all__ = ["FoundObject", "Nested", "ReplyParts", "Span", "Value", "fold_key", "read_parts"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the reply, end excluded."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Nested(Span):
    """A value that is an object or an array, by where it stands."""

    kind: Literal["object", "array"]


Value: TypeAlias = str | float | bool | Nested | None


@dataclass(frozen=True, slots=True)
class FoundObject(Span):
    """A whole object with at least one of the fields looked for; of a repeated field, the last value."""

    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class ReplyParts:
    """What a reply is made of.

    Attributes:
        objects: the whole objects outside thinking blocks, in the order in which they end.
        thinking: the thinking blocks, tags included.
        structured: the objects, and the beginnings of objects that hold a field looked for but break off.
        cut_off: whether the reply ends inside an object that holds a field looked for.
        broken: of the structured, the beginnings that break off.
    """

    objects: tuple[FoundObject, ...]
    thinking: tuple[Span, ...]
    structured: tuple[Span, ...]
    cut_off: bool
    broken: tuple[Span, ...]


def read_parts(text: str, fields: Mapping[str, str]) -> ReplyParts:
    """Find thinking blocks and objects in a reply. Never raises; time and memory are linear in the text.

    A thinking block runs from its opening tag to the next closing tag, or to the end; a closing tag without an opening
    one makes a block of everything before it. Tags inside the strings of an object are text.

    Args:
        text: the reply.
        fields: the field that each folded key (:func:`fold_key`) stands for; other keys are read over.
    """
    reader = _Reader(text, fields)
    reader.read()
    objects, thinking, structured = tuple(reader.objects), tuple(reader.thinking), tuple(reader.structured)
    return ReplyParts(objects, thinking, structured, reader.cut_off, tuple(reader.broken))


def fold_key(key: str) -> str:
    """Fold the case and the accents of a key, and trim white space: ``Justificación`` is ``justificacion``."""
    return key.strip().casefold().translate(_ACCENTS)


_ACCENTS = str.maketrans("áéíóú", "aeiou", "\u0301")
_LONGEST_KEY = 64
_LONGEST_NUMBER = 400

_THINKING = r"think|thinking|thought|reasoning|scratchpad"
_OPENING = re.compile(
    rf"(?P<object>\{{)(?=\s*+[\"'/\w])|<(?P<close>/?)(?:{_THINKING})\b[^<>]{{0,100}}>|\[(?P<close_square>/?)think\]",
    re.IGNORECASE,
)
_CLOSING = re.compile(rf"</(?:{_THINKING})\s{{0,100}}>|\[/think\]", re.IGNORECASE)

_SPACE = re.compile(r"\s*+")
_COMMENTS = {"//": "\n", "/*": "*/"}
_KEY = re.compile(r"\"((?:[^\"\\]|\\.)*+)\"|'((?:[^'\\]|\\.)*+)'|([^\W\d]\w*+)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?(?![\w.])")
_CONSTANT = re.compile(r"(true|false|null|none)\b", re.IGNORECASE)
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "none": None}

# Where an object or an array can go on after a string: the quote before it ends the string, any other is part of it.
_QUOTED_KEY = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|[^\W\d]\w*+)\s*+:"""
_AFTER = {
    "object": rf"\s*+(?:\}}|/[/*]|\Z|,\s*+(?:\}}|/[/*]|\Z|{_QUOTED_KEY}))",
    "array": r"\s*+(?:[,\]]|/[/*]|\Z)",
}
_STRINGS = {
    (quote, kind): re.compile(rf"{quote}((?:[^{quote}\\]++|\\.|{quote}(?!{after}))*+){quote}", re.DOTALL)
    for quote in "\"'"
    for kind, after in _AFTER.items()
}

_ESCAPE = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}


@dataclass(slots=True)
class _Frame:
    """An object or array that is being read."""

    kind: Literal["object", "array"]
    start: int
    expected: Literal["key", "value", "comma"]
    values: dict[str, Value] = field(default_factory=dict)
    waiting: str | None = None  # the field that the next value belongs to

    @property
    def closes_with(self) -> str:
        if self.kind == "array":
            return "]"
        return "" if self.expected == "value" else "}"

    @property
    def looked_for(self) -> bool:
        return bool(self.values) or self.waiting is not None

    def put(self, value: Value) -> None:
        if self.waiting is not None:
            self.values[self.waiting] = value
            self.waiting = None


class _Reader:
    def __init__(self, text: str, fields: Mapping[str, str]) -> None:
        self.text = text
        self.fields = fields
        self.objects: list[FoundObject] = []
        self.thinking: list[Span] = []
        self.structured: list[Span] = []
        self.broken: list[Span] = []
        self.cut_off = False
        # Searches that reached the end in vain: they would from any later place too, and are not made again.
        self.in_vain: set[object] = set()

    def read(self) -> None:
        position = 0
        while opening := _OPENING.search(self.text, position):
            if opening["object"]:
                position = self._read_object(opening.start())
            elif opening["close"] or opening["close_square"]:
                position = opening.end()
                self.objects.clear()
                self.structured.clear()
                self.broken.clear()
                self.thinking[:] = [Span(0, position)]
            else:
                closing = _CLOSING.search(self.text, opening.end())
                position = closing.end() if closing else len(self.text)
                self.thinking.append(Span(opening.start(), position))

    def _read_object(self, start: int) -> int:
        """Read the object that starts here, if it is one, and return where to go on."""
        stack = [_Frame("object", start, "key")]
        position = start + 1
        while stack:
            position = self._skip(position)
            frame = stack[-1]
            char = self.text[position : position + 1]
            if char and char == frame.closes_with:
                position += 1
                self._close(stack, position)
            elif frame.expected == "comma":
                if char != ",":
                    return self._break_off(stack, position)
                frame.expected = "key" if frame.kind == "object" else "value"
                position += 1
            elif frame.expected == "key":
                key = _KEY.match(self.text, position)
                if key is None:
                    return self._break_off(stack, position, in_string=char in ("'", '"'))
                frame.waiting = self._field(key)
                colon = self._skip(key.end())
                if self.text[colon : colon + 1] != ":":
                    return self._break_off(stack, position + 1 if colon < len(self.text) else colon)
                frame.expected = "value"
                position = colon + 1
            elif char in ("{", "["):
                frame.expected = "comma"
                stack.append(_Frame("object", position, "key") if char == "{" else _Frame("array", position, "value"))
                position += 1
            else:
                end = self._scalar(frame, position, char)
                if end is None:
                    return self._break_off(stack, position, in_string=char in ("'", '"'))
                frame.expected = "comma"
                position = end
        return position

    def _close(self, stack: list[_Frame], end: int) -> None:
        frame = stack.pop()
        if frame.values:
            self.objects.append(FoundObject(frame.start, end, frame.values))
        if stack:
            stack[-1].put(Nested(frame.start, end, frame.kind))
        else:
            self.structured.append(Span(frame.start, end))

    def _break_off(self, stack: list[_Frame], position: int, *, in_string: bool = False) -> int:
        looked_for = any(frame.looked_for for frame in stack)
        if in_string:  # it never ends: a cut-off verdict reaches to the end, in anything else the quote was prose
            position = len(self.text) if looked_for else position + 1
        if looked_for:
            self.broken.append(Span(stack[0].start, position))
            self.structured.append(self.broken[-1])
            self.cut_off = position >= len(self.text)
        return position

    def _skip(self, position: int) -> int:
        """Skip white space and comments; a comment without an end is none."""
        while True:
            space = _SPACE.match(self.text, position)
            position = space.end() if space else position
            opening = self.text[position : position + 2]
            if opening not in _COMMENTS or opening in self.in_vain:
                return position
            closing = _COMMENTS[opening]
            end = self.text.find(closing, position + 2)
            if end < 0:
                self.in_vain.add(opening)
                return position
            position = end + len(closing)

    def _field(self, key: re.Match[str]) -> str | None:
        name = key[1] or key[2] or key[3] or ""
        return self.fields.get(fold_key(_unescape(name))) if len(name) <= _LONGEST_KEY else None

    def _scalar(self, frame: _Frame, position: int, char: str) -> int | None:
        """Read a string, number or constant; return its end, or None when there is none."""
        if char in ("'", '"'):
            string = (
                None if (char, frame.kind) in self.in_vain else _STRINGS[char, frame.kind].match(self.text, position)
            )
            if string is None:
                self.in_vain.add((char, frame.kind))
                return None
            if frame.waiting is not None:
                frame.put(_unescape(string[1]))
            return string.end()
        if number := _NUMBER.match(self.text, position):
            frame.put(float(number[0]) if len(number[0]) <= _LONGEST_NUMBER else number[0])
            return number.end()
        if constant := _CONSTANT.match(self.text, position):
            frame.put(_CONSTANTS[constant[1].casefold()])
            return constant.end()
        return None


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    if escape[1]:  # UTF-16 units; half a surrogate pair becomes the replacement character
        return bytes.fromhex(escape[1].replace("\\u", "")).decode("utf-16-be", "replace")
    return _ESCAPES.get(escape[2], escape[0])
