"""Formula neutralisation is an escape: nothing runs in a spreadsheet, and nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.golden.cells import cell_text, neutralise, restore

DANGEROUS = tuple("=+-@\t\r")
texts = st.text(st.one_of(st.sampled_from("'=+-@\t\r\n0 1.e"), st.characters(exclude_categories=["Cs"])))


@given(texts)
def test_restoring_gives_back_every_text(text: str) -> None:
    assert restore(neutralise(text)) == text


@given(texts)
def test_no_written_text_starts_a_formula_unless_it_is_a_plain_number(text: str) -> None:
    written = neutralise(text)
    if written.startswith(DANGEROUS):
        assert written == text
        float(written)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('=HYPERLINK("x")', '\'=HYPERLINK("x")'),
        ("@sum", "'@sum"),
        ("\tx", "'\tx"),
        ("-2", "-2"),
        ("+1.5e3", "+1.5e3"),
        ("-2+3", "'-2+3"),
        ("\t-2", "'\t-2"),
        ("'=x", "''=x"),
        ("'quoted'", "'quoted'"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_what_is_neutralised(text: str, written: str) -> None:
    assert neutralise(text) == written


def test_cells_that_are_not_text_are_written_as_json() -> None:
    assert [cell_text(value) for value in (None, True, 7, 1.5, ["a", "ñ"], {"k": None})] == [
        "",
        "true",
        "7",
        "1.5",
        '["a", "ñ"]',
        '{"k": null}',
    ]
