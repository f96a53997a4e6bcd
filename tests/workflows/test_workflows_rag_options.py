"""What a RAG evaluation is asked to do, checked wherever it comes from."""

from __future__ import annotations

import math
from typing import Any

import pytest

from calibrate.errors import InputError
from calibrate.workflows.rag_options import RagOptions


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seed", -1),
        ("max_unscored", math.nan),
        ("max_unscored", 2.0),
        ("budget", -1.0),
        ("budget", math.nan),
        ("concurrency", 0),
        ("context_unit", "word"),
        ("phrases", ("",)),
        ("only_phrases", True),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(field: str, value: Any) -> None:
    options: dict[str, Any] = {field: value}
    with pytest.raises(InputError) as refused:
        RagOptions("bank", **options)
    assert "\n" not in str(refused.value)


def test_phrases_of_ones_own_may_be_the_only_ones() -> None:
    assert RagOptions("bank", phrases=("pass",), only_phrases=True).only_phrases
