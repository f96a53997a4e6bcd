"""``calibrate.rag_run`` and ``calibrate.rag_check``: RAG evaluation in scripts and in notebooks."""

import asyncio
from pathlib import Path

import pytest
from rag_pages import write_shop

import calibrate
from calibrate.errors import InputError


@pytest.fixture
def shop(tmp_path):
    return write_shop(tmp_path)


def test_a_bank_is_evaluated_and_its_frame_has_a_row_for_each_variant_and_figure(shop):
    report = calibrate.rag_run(shop, judges="sim:reader")
    frame = report.frame()
    assert set(frame["variant"]) == {"old", "new"}
    recall = frame[frame["figure"] == "context_recall"].set_index("variant")["value"]
    assert recall.to_dict() == {"new": 1.0, "old": 0.0}
    assert set(frame[frame["figure"] == "correctness"]["judge"]) == {"correctness"}
    assert report.simulated
    assert calibrate.show(report.run).rag == report


def test_it_works_where_a_loop_is_running(shop):
    async def notebook():
        return calibrate.rag_run(shop), await calibrate.arag_run(shop)

    one, other = asyncio.run(notebook())
    assert one.facts == other.facts
    assert one.run == other.run


def test_variants_are_files_or_are_named(shop):
    old = shop / "variants" / "old.jsonl"
    for variants, names in (
        (old, ["old"]),
        (str(old), ["old"]),
        ([old, shop / "variants" / "new.jsonl"], ["old", "new"]),
        ({"before": old, "after": str(shop / "variants" / "new.jsonl")}, ["before", "after"]),
    ):
        assert [each["name"] for each in calibrate.rag_run(shop, variants=variants).variants] == names


def test_a_live_system_is_named_by_where_it_is(shop):
    Path("desk.py").write_text("def answer(item):\n    return {'ranked': ['c1'], 'context': ['c1'], 'answer': 'No.'}\n")
    report = calibrate.rag_run(shop, systems={"live": "desk:answer"}, metrics="retrieval", cuts=1)
    assert [each["name"] for each in report.variants] == ["live"]
    assert report.facts["cuts"] == [1]


def test_judges_may_differ_by_role(shop):
    report = calibrate.rag_run(shop, judges={"correctness": "sim:reader"}, metrics=["retrieval", "correctness"])
    assert [each["role"] for each in report.facts["judges"]] == ["correctness"]
    assert report.facts["metrics"] == ["retrieval", "correctness"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"variants": {"live": print}}, "a variant is a file of recorded outputs, not builtin_function_or_method"),
        ({"variants": [3]}, "a variant is a file of recorded outputs, not int"),
        ({"judges": {"taste": "sim:reader"}}, "there is no role 'taste'"),
        ({"metrics": "taste"}, "--metric taste"),
        ({"judge": "sim:reader"}, "there is no option 'judge'; reading takes corpus"),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_is_written(shop, options, said):
    with pytest.raises(InputError, match=said):
        calibrate.rag_run(shop, **options)
    assert not Path("runs.db").exists()


def test_a_bank_is_checked_with_how_it_is_read(shop):
    assert calibrate.rag_check(shop).questions == 3
    (shop / "corpus.jsonl").rename("chunks.jsonl")
    check = calibrate.rag_check(str(shop), variants={"x": shop / "variants" / "old.jsonl"}, corpus="chunks.jsonl")
    assert [each.name for each in check.variants] == ["x"]
    assert check.coverage is not None
