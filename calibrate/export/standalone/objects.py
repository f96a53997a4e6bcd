"""The objects and the thinking blocks of a reply."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from calibrate.export.standalone.verdict_fields import _FIELDS

# --- exported


class _Nested(NamedTuple):
    """A value that is an object or an array, by where it stands in the reply."""

    start: int
    end: int
    is_object: bool


class _Object(NamedTuple):
    """A whole object with at least one field of _FIELDS; of a repeated field, the last value."""

    start: int
    end: int
    values: dict[str, Any]


class _Open:
    """An object or array that is being read."""

    def __init__(self, start: int, is_object: bool) -> None:
        self.start = start
        self.is_object = is_object
        self.expected = "key" if is_object else "value"
        self.values: dict[str, Any] = {}
        self.waiting: str | None = None  # the field that the next value belongs to

    def closes_with(self, char: str) -> bool:
        if self.is_object:
            return char == "}" and self.expected != "value"
        return char == "]"

    def looked_for(self) -> bool:
        return bool(self.values) or self.waiting is not None

    def put(self, value: Any) -> None:
        if self.waiting is not None:
            self.values[self.waiting] = value
            self.waiting = None


class _Reply:
    """The parts of a reply, found in one pass from left to right.

    Read are JSON and near-JSON: trailing commas, comments, raw line breaks in strings, single quotes, bare keys, Python
    constants, unknown escapes, quotes in a string that were not escaped.

    Attributes:
        objects: the whole objects outside thinking blocks, in the order in which they end.
        thinking: where the thinking blocks stand, tags included.
        structured: where the objects stand, and the beginnings of objects with a field that break off.
        cut_off: whether the reply ends inside an object that has a field.
        broken: of the structured, the beginnings that break off.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.objects: list[_Object] = []
        self.thinking: list[tuple[int, int]] = []
        self.structured: list[tuple[int, int]] = []
        self.broken: list[tuple[int, int]] = []
        self.cut_off = False
        self.in_vain: set[Any] = set()  # searches that reached the end are not made again
        position = 0
        while True:
            opening = _OPENING.search(text, position)
            if opening is None:
                break
            if opening["object"]:
                position = self._read_object(opening.start())
            elif opening["close"] or opening["close_square"]:
                position = opening.end()
                self.objects.clear()
                self.structured.clear()
                self.broken.clear()
                self.thinking[:] = [(0, position)]
            else:
                closing = _CLOSING.search(text, opening.end())
                position = closing.end() if closing else len(text)
                self.thinking.append((opening.start(), position))

    def _read_object(self, start: int) -> int:
        """Read the object that starts here, if it is one, and return where to go on."""
        stack = [_Open(start, True)]
        position = start + 1
        while stack:
            position = self._skip(position)
            inner = stack[-1]
            char = self.text[position : position + 1]
            if inner.closes_with(char):
                position += 1
                self._close(stack, position)
            elif inner.expected == "comma":
                if char != ",":
                    return self._break_off(stack, position, False)
                inner.expected = "key" if inner.is_object else "value"
                position += 1
            elif inner.expected == "key":
                key = _KEY.match(self.text, position)
                if key is None:
                    return self._break_off(stack, position, char in ("'", '"'))
                inner.waiting = _field(key[1] or key[2] or key[3] or "")
                colon = self._skip(key.end())
                if self.text[colon : colon + 1] != ":":
                    return self._break_off(stack, position + 1 if colon < len(self.text) else colon, False)
                inner.expected = "value"
                position = colon + 1
            elif char in ("{", "["):
                inner.expected = "comma"
                stack.append(_Open(position, char == "{"))
                position += 1
            else:
                end = self._scalar(inner, position, char)
                if end is None:
                    return self._break_off(stack, position, char in ("'", '"'))
                inner.expected = "comma"
                position = end
        return position

    def _close(self, stack: list[_Open], end: int) -> None:
        closed = stack.pop()
        if closed.values:
            self.objects.append(_Object(closed.start, end, closed.values))
        if stack:
            stack[-1].put(_Nested(closed.start, end, closed.is_object))
        else:
            self.structured.append((closed.start, end))

    def _break_off(self, stack: list[_Open], position: int, in_string: bool) -> int:
        looked_for = any(each.looked_for() for each in stack)
        if in_string:  # it never ends: a cut-off verdict reaches to the end, in anything else the quote was prose
            position = len(self.text) if looked_for else position + 1
        if looked_for:
            self.broken.append((stack[0].start, position))
            self.structured.append(self.broken[-1])
            self.cut_off = position >= len(self.text)
        return position

    def _skip(self, position: int) -> int:
        """Skip white space and comments; a comment without an end is none."""
        while True:
            while self.text[position : position + 1].isspace():
                position += 1
            opening = self.text[position : position + 2]
            if opening not in _COMMENTS or opening in self.in_vain:
                return position
            end = self.text.find(_COMMENTS[opening], position + 2)
            if end < 0:
                self.in_vain.add(opening)
                return position
            position = end + len(_COMMENTS[opening])

    def _scalar(self, inner: _Open, position: int, char: str) -> int | None:
        """Read a string, number or constant; return its end, or None when there is none."""
        if char in ("'", '"'):
            if (char, inner.is_object) in self.in_vain:
                return None
            end = self._string_end(position + 1, char, _AFTER_IN_OBJECT if inner.is_object else _AFTER_IN_ARRAY)
            if end is None:
                self.in_vain.add((char, inner.is_object))
                return None
            if inner.waiting is not None:
                inner.put(_unescape(self.text[position + 1 : end]))
            return end + 1
        number = _JSON_NUMBER.match(self.text, position)
        if number:
            inner.put(float(number[0]) if len(number[0]) <= _LONGEST_NUMBER else number[0])
            return number.end()
        constant = _CONSTANT.match(self.text, position)
        if constant:
            inner.put({"true": True, "false": False}.get(constant[1].casefold()))
            return constant.end()
        return None

    def _string_end(self, position: int, quote: str, after: re.Pattern[str]) -> int | None:
        """Return where the string's last quote stands: the first one after which the object or array can go on."""
        while True:
            found = _QUOTE_OR_ESCAPE[quote].search(self.text, position)
            if found is None:
                return None
            if found[0] == quote and after.match(self.text, found.end()):
                return found.start()
            position = found.end()


_ACCENTS = str.maketrans("áéíóú", "aeiou", "\u0301")
_LONGEST_KEY = 64
_LONGEST_NUMBER = 400

_THINKING = "think|thinking|thought|reasoning|scratchpad"
_OPENING = re.compile(
    rf"(?P<object>\{{)(?=\s*[\"'/\w])|<(?P<close>/?)(?:{_THINKING})\b[^<>]{{0,100}}>|\[(?P<close_square>/?)think\]",
    re.IGNORECASE,
)
_CLOSING = re.compile(rf"</(?:{_THINKING})\s{{0,100}}>|\[/think\]", re.IGNORECASE)

_COMMENTS = {"//": "\n", "/*": "*/"}
_DOUBLE_QUOTED = r'"([^"\\]*(?:\\.[^"\\]*)*)"'
_SINGLE_QUOTED = r"'([^'\\]*(?:\\.[^'\\]*)*)'"
_KEY = re.compile(rf"{_DOUBLE_QUOTED}|{_SINGLE_QUOTED}|([^\W\d]\w*)", re.DOTALL)
_JSON_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.])")
_CONSTANT = re.compile(r"(true|false|null|none)\b", re.IGNORECASE)

_QUOTE_OR_ESCAPE = {quote: re.compile(rf"{quote}|\\.", re.DOTALL) for quote in "\"'"}
_AFTER_IN_OBJECT = re.compile(
    rf"\s*(?:\}}|/[/*]|\Z|,\s*(?:\}}|/[/*]|\Z|(?:{_DOUBLE_QUOTED}|{_SINGLE_QUOTED}|[^\W\d]\w*)\s*:))", re.DOTALL
)
_AFTER_IN_ARRAY = re.compile(r"\s*(?:[,\]]|/[/*]|\Z)")

_ESCAPE = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}


def _field(key: str) -> str | None:
    if len(key) > _LONGEST_KEY:
        return None
    return _FIELDS.get(_unescape(key).strip().casefold().translate(_ACCENTS))


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    if escape[1]:  # UTF-16 units; half a surrogate pair becomes the replacement character
        return bytes.fromhex(escape[1].replace("\\u", "")).decode("utf-16-be", "replace")
    return _ESCAPES.get(escape[2], escape[0])
