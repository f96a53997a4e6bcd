"""``calibrate.rag_run`` and ``calibrate.rag_check``: RAG evaluation in scripts and in notebooks."""

import asyncio
import inspect
from dataclasses import replace
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
    assert [each["name"] for each in report.variants] == ["new", "old", "live"]
    assert report.facts["cuts"] == [1]


def test_judges_may_differ_by_role(shop):
    report = calibrate.rag_run(shop, judges={"correctness": "sim:reader"}, metrics=["retrieval", "correctness"])
    assert [each["role"] for each in report.facts["judges"]] == ["correctness"]
    assert report.facts["metrics"] == ["retrieval", "correctness"]


@pytest.mark.parametrize(
    "judges",
    [
        ["sim:reader", "claim_support=sim:reader-small"],
        {"": "sim:reader", "claim_support": "sim:reader-small"},
        {None: "sim:reader", "claim_support": "sim:reader-small"},
    ],
)
def test_one_judge_plays_all_roles_but_those_of_another(shop, judges):
    report = calibrate.rag_run(shop, judges=judges, metrics=["faithfulness", "correctness"])
    assert {each["role"]: each["judge"] for each in report.facts["judges"]} == {
        "claims": "sim:reader",
        "correctness": "sim:reader",
        "claim_support": "sim:reader-small",
    }


def test_its_signature_names_every_option_and_its_help_explains_them():
    one, other = inspect.signature(calibrate.rag_run), inspect.signature(calibrate.arag_run)
    assert one == other
    assert {"variants", "judges", "sample", "db"} <= set(one.parameters)
    assert calibrate.rag_run.__name__ == "rag_run"
    assert not inspect.iscoroutinefunction(calibrate.rag_run)
    assert "judges: None for" in calibrate.rag_run.__doc__


def test_a_report_is_printed_in_a_line(shop):
    report = calibrate.rag_run(shop)
    assert repr(report).startswith(f"<RagReport of run {report.run} (ok), variants new, old: 3 questions, ")
    assert len(str(replace(report, sentence="x" * 10_000))) < 400
    many = {**report.facts, "variants": [{"name": f"v{at}"} for at in range(9)]}
    assert "variants v0, v1, v2, v3, v4, and 4 more:" in repr(replace(report, facts=many))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"variants": {"live": print}}, "a variant is a file of recorded outputs, not builtin_function_or_method"),
        ({"variants": [3]}, "a variant is a file of recorded outputs, not int"),
        ({"judges": {"taste": "sim:reader"}}, "there is no role 'taste'"),
        ({"metrics": "taste"}, "--metric taste"),
        (
            {"judge": "sim:reader"},
            "there is no option 'judge', perhaps you mean 'judges'; the options are variants, sys",
        ),
        ({"corpora": "x"}, "the options are .*fresh, seed, db, progress, corpus, language"),
        ({"judges": ["sim:reader", 0.5]}, "a judge is a model .*, a bundle, or a run of the database, not float"),
        ({"judges": print}, "not builtin_function_or_method"),
        ({"judges": {"claims": None}}, "not NoneType"),
        ({"judges": {"sim:x": "sim:reader"}}, "there is no role 'sim:x'; the roles are abstention"),
        ({"judges": ["sim:reader", "sim:reader"]}, "two judges for all roles"),
        ({"systems": {"live": print}}, "systems={'NAME': 'MODULE:FUNCTION'}, not builtin_function_or_method"),
        ({"systems": print}, "a live system is named by where it is"),
        ({"variants": 3}, "a variant is a file of recorded outputs, not int"),
        ({"cuts": ["5"]}, "a cut is a number of chunks, not '5'"),
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
