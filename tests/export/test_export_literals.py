"""Data as Python source: it reads back as it is, whatever it holds."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Json
from calibrate.export.literals import docstring, literal

NASTY = st.lists(st.sampled_from(['"', "'", '"""', "'''", "\\", "\n", "{", "}", "%s", "\\N{x}", "\r", "\0", "ñ"])).map(
    "".join
)
TEXTS = st.one_of(st.text(st.characters()), NASTY)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner), st.lists(inner).map(tuple), st.dictionaries(TEXTS, inner)),
)


@pytest.mark.slow
@given(VALUES)
def test_a_literal_reads_back_as_the_value(value: Json) -> None:
    source = f"value = {literal(value)}\n"
    assert ast.literal_eval(source.encode("utf-8").decode("utf-8").removeprefix("value = ")) == value
    namespace: dict[str, object] = {}
    exec(source, namespace)
    assert namespace["value"] == value


@given(TEXTS)
def test_a_docstring_reads_back_as_the_text_and_is_all_that_there_is(text: str) -> None:
    module = ast.parse(f"{docstring(text)}\n".encode())
    assert len(module.body) == 1
    assert ast.get_docstring(module, clean=False) == f"{text}\n"


@pytest.mark.parametrize(
    ("value", "source"),
    [
        ("plain", '"plain"'),
        ('say "x"', "'say \"x\"'"),
        ("one\ntwo", '(\n    "one\\n"\n    "two"\n)'),
        ("one\n", '"one\\n"'),
        (("a",), '("a",)'),
        ((), "()"),
        ({"a": [1, None], "b": True}, '{"a": [1, None], "b": True}'),
        (["x" * 60, "y" * 60], f'[\n    "{"x" * 60}",\n    "{"y" * 60}",\n]'),
    ],
)
def test_literals_are_written_to_be_read(value: Json, source: str) -> None:
    assert literal(value) == source
