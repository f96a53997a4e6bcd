"""Which unlabelled items come first, and why."""

import pytest

from calibrate.domain import GoldenSet, Item, Judgement, ModelResponse, Scale, Scored, Unscored, Usage, digest
from calibrate.errors import InputError
from calibrate.store import CandidateRecord, Store
from calibrate.workflows.next_labels import Opinion, opinions, rank_unlabelled

BINARY = Scale("binary", ("0", "1"), positive="1")
GENERIC, STRICT = ("sim:reader", "generic"), ("sim:reader", "strict")


def item(name, label=None, **more):
    return Item(name, "faithfulness", {"answer": f"Answer {name}."}, label, **more)


def golden(*items, name="set"):
    return GoldenSet(name, items, {"faithfulness": BINARY})


LABELLED = tuple(item(f"l{at}", str(at % 2), attributes={"product": "web"}) for at in range(6))


def said(**verdicts):
    """Opinions by item: pairs of judge and verdict; runs are numbered from 1."""
    return {
        name: [Opinion(f"{run}:0", judge, verdict) for run, (judge, verdict) in enumerate(given, 1)]
        for name, given in verdicts.items()
    }


def first(ranking):
    return ranking.suggestions[0]


def test_judges_that_disagree():
    found = said(
        a=[(GENERIC, Scored("1")), (STRICT, Scored("1"))],
        b=[(GENERIC, Scored("1")), (STRICT, Scored("0"))],
        c=[(GENERIC, Scored("0")), (STRICT, Scored("0"))],
    )
    ranking = rank_unlabelled(golden(*LABELLED, item("a"), item("b"), item("c")), found)
    assert (first(ranking).item.id, first(ranking).score) == ("b", 1.0)
    assert first(ranking).reasons == ("judges disagree: 1:0 says 1, 2:0 says 0",)
    assert ranking.informed == 1
    assert "1 of 3 unlabelled items stand out (runs here have verdicts on 3)" in ranking.how
    assert "no random sample" in ranking.how


def test_votes_of_one_judge_that_differ():
    found = said(a=[(GENERIC, Scored("1")), (GENERIC, Scored("0")), (GENERIC, Scored("1"))])
    ranking = rank_unlabelled(golden(*LABELLED, item("z"), item("a")), found)
    assert first(ranking).item.id == "a"
    assert first(ranking).score == pytest.approx(2 / 3)
    assert first(ranking).reasons[0].startswith("votes of one judge differ:")


def test_confidence_near_chance():
    found = said(
        a=[(GENERIC, Scored("1", confidence=0.99))],
        b=[(GENERIC, Scored("1", confidence=0.55))],
        c=[(GENERIC, Scored("1", confidence=0.70))],
        d=[(GENERIC, Scored("1"))],
    )
    ranking = rank_unlabelled(golden(*LABELLED, *map(item, "abcd")), found)
    assert [each.item.id for each in ranking.suggestions[:2]] == ["b", "c"]
    assert first(ranking).score == pytest.approx(0.9)
    assert first(ranking).reasons == ("1:0 is unsure: confidence 0.55",)
    assert ranking.informed == 2


def test_a_judge_that_gives_no_label_is_unsure():
    found = said(a=[(GENERIC, Unscored("abstained"))], b=[(GENERIC, Scored("1"))])
    ranking = rank_unlabelled(golden(*LABELLED, item("b"), item("a")), found)
    assert (first(ranking).item.id, first(ranking).reasons) == ("a", ("1:0 gave no label (abstained)",))


def test_raters_who_tie():
    tied = item("t", ratings={"ana": "1", "ben": "0"})
    ranking = rank_unlabelled(golden(*LABELLED, item("a"), tied), {})
    assert (first(ranking).item.id, first(ranking).reasons) == ("t", ("raters tie: ana 1, ben 0",))


def test_slices_that_are_rare_among_the_labelled():
    phone = item("p", attributes={"product": "phone"})
    more = [item(f"w{at}", attributes={"product": "web"}) for at in range(5)]
    ranking = rank_unlabelled(golden(*LABELLED, *more, phone), {}, by="product")
    assert (first(ranking).item.id, first(ranking).reasons) == ("p", ("rare: product=phone has 0 labelled items",))
    assert ranking.informed == 1


def test_reasons_add_up():
    found = said(a=[(GENERIC, Scored("1")), (STRICT, Scored("0"))], b=[(GENERIC, Scored("1")), (STRICT, Scored("0"))])
    pair = item("a", attributes={"product": "web"}), item("b", attributes={"product": "phone"})
    ranking = rank_unlabelled(golden(*LABELLED, *pair), found, by="product")
    assert [(each.item.id, each.score) for each in ranking.suggestions] == [("b", 2.0), ("a", 1.0)]


def test_where_nothing_is_known_the_draw_is_random_and_says_so():
    items = [item(f"u{at}") for at in range(40)]
    draws = [rank_unlabelled(golden(*LABELLED, *items), {}, seed=seed) for seed in (0, 0, 1)]
    ids = [[each.item.id for each in draw.suggestions] for draw in draws]
    assert ids[0] == ids[1] != ids[2]
    assert sorted(ids[0]) == sorted(each.id for each in items) != ids[0]
    assert draws[0].informed == 0
    assert "no run here has a verdict on an unlabelled item" in draws[0].how
    assert "drawn at random (name a column with --by to stratify), seed 0" in draws[0].how
    assert {each.reasons for each in draws[0].suggestions} == {("drawn at random",)}


@pytest.mark.parametrize("how", ["column", "group"])
def test_every_beginning_of_the_draw_holds_the_strata_in_proportion(how):
    items = []
    for at in range(90):
        place = "east" if at < 30 else "west"
        items.append(item(f"u{at}", attributes={"region": place}) if how == "column" else item(f"u{at}", group=place))
    ranking = rank_unlabelled(golden(*items), {}, by="region" if how == "column" else None)
    for many in range(3, 90, 3):
        east = sum(int(each.item.id[1:]) < 30 for each in ranking.suggestions[:many])
        assert abs(east - many / 3) <= 1
    assert ("stratified by region" if how == "column" else "stratified by group") in ranking.how


def test_no_such_column():
    with pytest.raises(InputError, match="no column 'region' to slice by; set has product"):
        rank_unlabelled(golden(*LABELLED, item("a")), {}, by="region")


def test_a_set_without_unlabelled_items():
    assert rank_unlabelled(golden(*LABELLED), {}).how == "Every item has a label."


# Verdicts from the run database


def run_on(store, stored, prompt, verdicts, dimension="faithfulness"):
    """A run whose baseline said this of the items of a stored set."""
    key = store.save_golden(stored, "set.csv")
    run = store.start_run("baseline", {"judge": {"model": "sim:reader"}, "prompt": digest(prompt)}, key, dimension)
    evaluation = store.evaluation(
        key=digest([prompt, key]), golden_digest=key, dimension=dimension, prompt=prompt, model="sim:reader", judge={}
    )
    reply = ModelResponse("", "stop", "reader", Usage(), None, 0.0)
    judged = [Judgement(evaluation, name, each, digest([prompt, name]), reply) for name, each in verdicts.items()]
    store.record(run.id, "sim:reader", judged)
    store.save_candidate(run.id, CandidateRecord(0, 0, "baseline", None, prompt, "scored", evaluation=evaluation))
    return run.id


@pytest.fixture
def store(tmp_path):
    with Store(str(tmp_path / "runs.db")) as opened:
        yield opened


def test_verdicts_on_an_item_are_found_in_other_versions_of_the_set(store):
    earlier = golden(*LABELLED, item("a", "1"), item("b", "0"))
    now = golden(*LABELLED, item("a"), item("b"))
    run_on(store, earlier, "generic", {"a": Scored("1"), "b": Scored("1"), "l1": Scored("1")})
    run_on(store, earlier, "strict", {"a": Scored("1"), "b": Scored("0")})
    found = opinions(store, now)
    assert {name: [(each.run, each.verdict.label) for each in given] for name, given in found.items()} == {
        "a": [("1:0", "1"), ("2:0", "1")],
        "b": [("1:0", "1"), ("2:0", "0")],
    }
    assert first(rank_unlabelled(now, found)).item.id == "b"


def test_an_item_of_the_same_id_with_another_text_is_another_item(store):
    other = Item("a", "faithfulness", {"answer": "Another answer."}, "1")
    run_on(store, golden(*LABELLED, other), "generic", {"a": Scored("1")})
    assert opinions(store, golden(*LABELLED, item("a"))) == {}


def test_another_dimension_says_nothing(store):
    moved = Item("a", "relevance", {"answer": "Answer a."}, "1")
    run_on(store, GoldenSet("set", (moved,), {"relevance": BINARY}), "generic", {"a": Scored("1")}, "relevance")
    assert opinions(store, golden(*LABELLED, item("a"))) == {}


def test_without_a_database_nobody_said_anything():
    assert opinions(None, golden(*LABELLED, item("a"))) == {}
