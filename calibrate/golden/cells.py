"""What a cell holds: its text, and the neutralisation of text that a spreadsheet would run as a formula.

Neutralisation is a reversible escape. Text that starts with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return gets
a leading apostrophe when it is written to CSV; plain numbers such as ``-2`` stay. Text that already looks escaped
(apostrophes, then one of those characters) gets one more apostrophe, so that reading, which takes exactly one away,
gives back what was written. Every CSV and TSV file is read that way, whoever wrote it; the reader says how often it did
so.
"""

from __future__ import annotations

import json
import re

from calibrate.domain import Json

__all__ = ["cell_text", "is_blank", "neutralise", "restore"]

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")
_PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def cell_text(value: Json) -> str:
    """Return the text of a cell: text as it is, nothing for null, JSON for everything else (``True`` is ``true``)."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def is_blank(value: Json) -> bool:
    """Whether a cell holds nothing: null, or text of white space only."""
    return value is None or (isinstance(value, str) and not value.strip())


def neutralise(text: str) -> str:
    """Return ``text`` such that no spreadsheet runs it; `restore` undoes it."""
    return f"'{text}" if _FORMULA.match(text) and not _PLAIN_NUMBER.fullmatch(text) else text


def restore(text: str) -> str:
    """Return what `neutralise` was given."""
    return text[1:] if _ESCAPED.match(text) else text
