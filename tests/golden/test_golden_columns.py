"""Usual column names are found by themselves; two candidates for one role are refused."""

from __future__ import annotations

import pytest

from calibrate.errors import InputError
from calibrate.golden.columns import ROLES, ColumnFinder


def finder(*columns: str, given: dict[str, str] | None = None, taken: tuple[str, ...] = ()) -> ColumnFinder:
    return ColumnFinder(columns, "t.csv", given=given or {}, taken=taken)


@pytest.mark.parametrize(("role", "name"), [(role, name) for role, names in ROLES.items() for name in names])
def test_every_usual_name_is_found_whatever_its_case(role: str, name: str) -> None:
    for column in (name, name.upper(), f" {name.title()} "):
        assert finder("other", column).find(role) == column


def test_names_written_with_spaces_are_found() -> None:
    assert finder("Human Label").find("label") == "Human Label"


def test_two_candidates_are_refused_with_both_names_and_what_decides() -> None:
    with pytest.raises(InputError) as caught:
        finder("input", "Question").find("question")
    assert "columns 'input' and 'Question' could both be the question" in str(caught.value)
    assert "--column question=NAME, or question under [columns] in card.toml" in str(caught.value)
    with pytest.raises(InputError, match="--human NAME"):
        finder("label", "human").find("label")


def test_a_declaration_decides_and_a_declared_use_is_no_candidate() -> None:
    assert finder("input", "question", given={"question": "input"}).find("question") == "input"
    assert finder("label", "human", taken=("human",)).find("label") == "label"


def test_a_declared_column_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(InputError, match=r"t\.csv, field 'answer': no column 'reply'; the table has id, response"):
        finder("id", "response", given={"answer": "reply"})
    with pytest.raises(InputError, match="no such role; known are id,"):
        finder("id", given={"quetion": "id"})


def test_what_was_found_is_said() -> None:
    found = finder("id", "pregunta")
    assert (found.find("id"), found.find("question"), found.find("answer")) == ("id", "pregunta", None)
    assert found.mapping == "id, question <- pregunta"


def test_raters_and_judges_without_their_companions() -> None:
    table = finder(
        "rater_ana", "annotator_1", "annotator_1_reason", "judge_x", "judge_x_reason", "judge_x_raw", "Judge_Y"
    )
    assert table.raters() == ("rater_ana", "annotator_1")
    assert table.judges() == ("judge_x", "Judge_Y")
    assert finder("verdict", "judge_x").judges() == ("verdict", "judge_x")
    with pytest.raises(InputError, match="'judge' and 'verdict' could both be the judge"):
        finder("judge", "verdict").judges()
