"""``card.toml``: unknown keys are refused with file, line and key; edits keep everything else."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.errors import InputError
from calibrate.golden.card import read_card, with_key

CARD = """\
# The support set.
name = "support"
scale = "binary"
labels = [0, 1]          # written as numbers
positive = 1
provenance = \"\"\"
Two experts, three days.
\"\"\"

[aliases]
good = 1

[dimensions.accuracy]
label = "accuracy_label"

[dimensions.tone]
scale = "ordinal"
labels = ["poor", "fair", "good"]
"""


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "card.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def refusal(folder: Path, text: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        read_card(written(folder, text))
    message = str(caught.value)
    assert "card.toml" in message
    assert "\n" not in message
    return message


def test_labels_may_be_numbers(tmp_path: Path) -> None:
    card = read_card(written(tmp_path, CARD))
    assert (card.labels, card.positive, card.aliases) == (("0", "1"), "1", {"good": "1"})
    assert card.dimensions["tone"].labels == ("poor", "fair", "good")
    assert card.language == "en"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('name = "x"\nlables = ["a"]\n', "field 'lables': line 2: unknown key; known are scale, labels"),
        ('[dimensions.a]\nx = 1\n[dimensions.b]\nscael = "binary"\n', "field 'dimensions.a.x': line 2: unknown key"),
        ('scale = "likert"\n', "field 'scale': line 1: input should be 'binary', 'nominal'"),
        ("\nthreshold = true\nlabels = 3\n", "line 3"),
        ("name = \n", "not valid TOML: Invalid value (at line 1"),
        (b"name = \xff", "not UTF-8 text"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str | bytes, what: str) -> None:
    assert what in refusal(tmp_path, text)


def test_a_card_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_card(tmp_path / "card.toml")


class TestEditing:
    def test_a_new_key_leaves_the_rest_as_it_is(self) -> None:
        edited = with_key(CARD, ("dimensions", "tone"), "label", "tone_label", source="card.toml")
        assert set(CARD.splitlines()) < set(edited.splitlines())
        assert tomllib.loads(edited)["dimensions"]["tone"]["label"] == "tone_label"
        assert tomllib.loads(edited)["dimensions"]["accuracy"]["label"] == "accuracy_label"

    def test_a_value_over_several_lines_is_replaced(self) -> None:
        edited = with_key(CARD, (), "provenance", "Three experts.", source="card.toml")
        assert "# The support set." in edited
        assert tomllib.loads(edited) == {**tomllib.loads(CARD), "provenance": "Three experts."}

    def test_an_existing_key_of_a_table_is_replaced(self) -> None:
        edited = with_key(CARD, ("dimensions", "accuracy"), "label", "other", source="card.toml")
        assert tomllib.loads(edited)["dimensions"]["accuracy"] == {"label": "other"}

    def test_a_card_that_cannot_be_edited_by_line_says_what_to_add(self) -> None:
        with pytest.raises(InputError, match=r'add \[dimensions.x\] label = "y" to the card'):
            with_key('dimensions = {x = {scale = "nominal"}}', ("dimensions", "x"), "label", "y", source="card.toml")

    @given(st.text(st.characters(exclude_categories=["Cs"])))
    def test_any_text_can_be_a_value(self, value: str) -> None:
        assert tomllib.loads(with_key(CARD, (), "provenance", value, source="card.toml"))["provenance"] == value
