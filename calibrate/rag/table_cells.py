"""What the cells of a bank, a corpus and recorded outputs hold: ids, lists of ids, texts, numbers, yes and no.

A list of ids is a JSON list. As text it is the ids with ``;``, ``|``, commas or line breaks between them, and only
where there is none of these, with white space; ids that hold one of these themselves are written as a JSON list,
``["a b", "c"]``, which a cell of CSV can hold too. A list as Python prints it (``['a', 'b']``, what pandas writes) is
read as well. A whole number of JSON is an id without its decimals: pandas writes 1.0 for 1 where another is missing.
"""

from __future__ import annotations

import ast
import json
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibrate.domain import Json, number
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.table import Table

__all__ = ["WHITE_SPACE_NOTE", "Cell", "id_list_text"]

_SEPARATORS = re.compile(r"[;|,\s]+")
_MARKS = re.compile(r"\s*[;|,\n\r]\s*")
_ID_KEYS = ("id", "chunk_id", "id_fragmento")
_HIDDEN = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control characters, halves of a character, separators of lines
_YES = {"true", "1", "1.0", "yes", "y", "x", "sí", "si", "s", "verdadero"}
_NO = {"false", "0", "0.0", "no", "n", "falso", ""}


WHITE_SPACE_NOTE = (
    "told apart by white space alone: 'a b' is read as 'a' and 'b'; if ids hold spaces, put ; between them or write a "
    "JSON list"
)
"""What to say of ids where :attr:`Cell.split_at_white_space` holds."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell, and where it stands.

    Attributes:
        value: what it holds; None also where an object of JSON lacks the key.
        present: whether the row has it at all.
        table: the table, for messages and for what an empty cell means.
        row: its row number.
        column: its column.
    """

    value: Json
    present: bool
    table: Table
    row: int
    column: str

    @classmethod
    def of(cls, table: Table, row_number: int, row: Mapping[str, Json], column: str) -> Cell:
        """Return the cell of a row."""
        return cls(row.get(column), column in row, table, row_number, column)

    def text(self, what: str) -> str:
        """Return its text.

        Raises:
            InputError: it is empty; ``what`` is what is missing, such as ``id``.
        """
        if is_blank(self.value):
            raise self.refused(f"no {what}")
        return self._shown(self.value) if what == "id" else cell_text(self.value)

    def optional_text(self) -> str | None:
        """Return its text, or None when it is empty."""
        return None if is_blank(self.value) else cell_text(self.value)

    def ids(self, when_empty: str) -> tuple[str, ...]:
        """Return a list of ids, in their order; an empty cell of CSV, empty text or ``[]`` is a list of none.

        Objects with an id, such as ``{"id": "c1", "score": 0.8}``, stand for their id.

        Raises:
            InputError: the value is null, missing, or no list of ids; ``when_empty`` is what an empty list says.
        """
        value = self.value
        if value is None:
            if self.table.delimiter is None:
                raise self.refused(f"no list of ids; write [] when {when_empty}")
            return ()
        if isinstance(value, str):
            text = value.strip()
            if not text.startswith("["):
                separators = _MARKS if _MARKS.search(text) else _SEPARATORS
                return tuple(self._shown(part) for part in separators.split(text) if part)
            value = self._list_in(text)
        return tuple(self._id(each) for each in value) if isinstance(value, list) else (self._id(value),)

    @property
    def split_at_white_space(self) -> bool:
        """Whether it is a list of ids that only white space tells apart: ``doc 1`` may be meant as one id."""
        text = self.value.strip() if isinstance(self.value, str) else ""
        return not text.startswith("[") and not _MARKS.search(text) and _SEPARATORS.search(text) is not None

    def scores(self) -> tuple[float, ...]:
        """Return the scores that stand beside the ids, where every id has one."""
        value = self.value
        if isinstance(value, str) and value.strip().startswith("["):
            value = self._list_in(value.strip())
        found = [each.get("score") for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
        numbers = [each for each in map(number, found) if each is not None]
        return tuple(numbers) if isinstance(value, list) and len(numbers) == len(value) else ()

    def amount(self) -> float | None:
        """Return a finite number that is not negative, or None when the cell is empty.

        Raises:
            InputError: it holds something else.
        """
        if is_blank(self.value):
            return None
        found = number(self.value)
        if found is None or not math.isfinite(found) or found < 0:
            raise self.refused(f"'{cell_text(self.value)}' is no number of 0 or more; leave the cell empty if unknown")
        return found

    def count(self) -> int | None:
        """Return a whole number that is not negative, or None when the cell is empty.

        Raises:
            InputError: it holds something else.
        """
        found = self.amount()
        if found is not None and found != int(found):
            raise self.refused(f"'{cell_text(self.value)}' is no whole number")
        return None if found is None else int(found)

    def yes(self) -> bool:
        """Return whether it says yes; an empty cell says no.

        Raises:
            InputError: it says neither.
        """
        said = cell_text(self.value).strip().casefold()
        if said not in _YES | _NO:
            raise self.refused(f"'{cell_text(self.value)}' says neither yes nor no; write true or false")
        return said in _YES

    def refused(self, message: str) -> InputError:
        """Return the error that names this cell."""
        return InputError(message, file=self.table.source, row=self.row, field=self.column)

    def _list_in(self, text: str) -> list[Json]:
        value: Json
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            try:
                value = json.loads(json.dumps(ast.literal_eval(text)))
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                value = None
        if not isinstance(value, list):
            raise self.refused('no list of ids; write ["a", "b"], or a; b')
        return value

    def _id(self, value: Json) -> str:
        if isinstance(value, Mapping):
            keys = [key for key in _ID_KEYS if key in value]
            if len(keys) != 1:
                raise self.refused(f"an object that stands for a chunk needs one key of {', '.join(_ID_KEYS)}")
            value = value[keys[0]]
        if isinstance(value, bool) or not isinstance(value, str | int | float) or is_blank(value):
            raise self.refused(f"{cell_text(value) or 'nothing'} is no id of a chunk")
        return self._shown(value)

    def _shown(self, value: Json) -> str:
        """Return an id as text.

        Raises:
            InputError: it holds a character that does not show, and that no one means.
        """
        whole = isinstance(value, float) and value.is_integer()
        text = str(int(value)) if isinstance(value, float) and whole else cell_text(value).strip()
        hidden = next((each for each in text if unicodedata.category(each) in _HIDDEN), None)
        if hidden is not None:
            raise self.refused(f"the id {text!r} holds a control character, U+{ord(hidden):04X}; take it out")
        return text


def id_list_text(ids: Sequence[str]) -> str:
    """Write a list of ids as the text of a cell, such that `Cell.ids` reads it back."""
    if any(_SEPARATORS.search(each) or each.startswith("[") for each in ids):
        return json.dumps(list(ids), ensure_ascii=False)
    return "; ".join(ids)
