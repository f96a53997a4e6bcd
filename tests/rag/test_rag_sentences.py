from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.rag.sentences import sentences


def split(text: str) -> list[str]:
    return [each.text for each in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Returns take 30 days. Refunds take 5.", ["Returns take 30 days.", "Refunds take 5."]),
        ("It costs 3.5 euros. Or 1.200,50 euros.", ["It costs 3.5 euros.", "Or 1.200,50 euros."]),
        ("Según el art. 5 son 14 días. Nada más.", ["Según el art. 5 son 14 días.", "Nada más."]),
        ("Se admite ropa, p. ej. camisas. Otra cosa no.", ["Se admite ropa, p. ej. camisas.", "Otra cosa no."]),
        ("El Sr. Gómez firma. La Dra. Ruiz no.", ["El Sr. Gómez firma.", "La Dra. Ruiz no."]),
        ("Some items, e.g. shoes, i.e. footwear. Fine.", ["Some items, e.g. shoes, i.e. footwear.", "Fine."]),
        ("Written by J. Smith. Printed later.", ["Written by J. Smith.", "Printed later."]),
        ("Abre a las 9 a.m. los lunes. Cierra a las 5 p.m. Los martes no.",
         ["Abre a las 9 a.m. los lunes.", "Cierra a las 5 p.m.", "Los martes no."]),
        ("Shoes, bags, etc. are in. Hats, etc. Nothing else.",
         ["Shoes, bags, etc. are in.", "Hats, etc.", "Nothing else."]),
        ("See No. 5. No. The shop is closed.", ["See No. 5.", "No.", "The shop is closed."]),
        ("It is modern art. The rest is not.", ["It is modern art.", "The rest is not."]),
        ("¿Cuánto tarda? ¡Cinco días! Gracias.", ["¿Cuánto tarda?", "¡Cinco días!", "Gracias."]),
        ("«¿Seguro?» dijo ella. Sí.", ["«¿Seguro?» dijo ella.", "Sí."]),
        ("Fees:\n- 5 euros\n- 10 euros abroad", ["Fees:", "5 euros", "10 euros abroad"]),
        ("1. Open the box. Keep it.\n2. Send it.", ["Open the box.", "Keep it.", "Send it."]),
        ("One paragraph\n\nAnother\nwith two lines.", ["One paragraph", "Another\nwith two lines."]),
        ("In 2024. Then in 2025.", ["In 2024.", "Then in 2025."]),
        ("He said \"yes.\" Then he left.", ["He said \"yes.\"", "Then he left."]),
        ("", []),
        ("... \n\n ---", []),
    ],
)  # fmt: skip
def test_where_sentences_end(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@given(st.text(alphabet="ab A.!?\n-1[]¿é", max_size=80))
def test_places_are_those_of_the_text_and_no_word_is_lost(text: str) -> None:
    found = sentences(text)
    assert all(text[each.start : each.end] == each.text for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    letters = [character for character in text if character.isalpha()]
    assert [character for each in found for character in each.text if character.isalpha()] == letters
