"""What a judge's stored alignment tells of its errors either way, counted by hand from its confusion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Scale, Scored, Unscored
from calibrate.metrics.alignment import align
from calibrate.workflows.rag_judge_errors import JudgeErrors, errors_in_words, errors_of

THREE = ("supported", "contradicted", "not mentioned")
BINARY = ("0", "1")


def measured(pairs: list[tuple[str, str | None]], scale: Scale, **how):
    verdicts = [Unscored("invalid", "?") if said is None else Scored(said) for _, said in pairs]
    return align([right for right, _ in pairs], verdicts, scale, intervals=False, **how).to_json()


def test_a_verifier_lets_unsupported_claims_pass_whichever_kind_they_are():
    pairs = [
        *[("supported", "supported")] * 5,
        *[("supported", "not mentioned")] * 2,
        *[("contradicted", "supported")] * 1,
        *[("contradicted", "not mentioned")] * 4,  # another label, and as unsupported
        *[("not mentioned", "supported")] * 3,
        *[("not mentioned", "not mentioned")] * 6,
    ]
    errors = errors_of("claim_support", measured(pairs, Scale("nominal", THREE)))
    assert errors == JudgeErrors(negatives=14, false_positives=4, positives=7, false_negatives=2)
    assert errors_in_words("claim_support", errors) == (
        "it calls 4 of 14 unsupported claims supported and 2 of 7 supported claims unsupported"
    )


@pytest.mark.parametrize(
    ("role", "said"),
    [
        ("claim_support", "it calls 1 of 3 unsupported claims supported and 2 of 4 supported claims unsupported"),
        ("correctness", "it calls 1 of 3 wrong answers right and 2 of 4 right answers wrong"),
        ("context_relevancy", "it calls 1 of 3 needless passages needed and 2 of 4 needed passages needless"),
        ("abstention", "it takes 1 of 3 answers for abstentions and 2 of 4 abstentions for answers"),
    ],
)
def test_a_judge_with_two_labels_says_it_in_the_words_of_its_role(role, said):
    pairs = [*[("0", "0")] * 2, ("0", "1"), *[("1", "1")] * 2, *[("1", "0")] * 2]
    errors = errors_of(role, measured(pairs, Scale("binary", BINARY, positive="1")))
    assert errors is not None
    assert errors_in_words(role, errors) == said
    # The positive label decides which side is the good one.
    turned = errors_of(role, measured(pairs, Scale("binary", BINARY, positive="0")))
    assert turned == JudgeErrors(negatives=4, false_positives=2, positives=3, false_negatives=1)


def test_a_set_without_one_side_says_so():
    errors = errors_of("correctness", measured([("1", "1"), ("1", "0")], Scale("binary", BINARY, positive="1")))
    assert errors is not None
    assert errors_in_words("correctness", errors) == (
        "it calls 1 of 2 right answers wrong, and was shown no wrong answers"
    )


@pytest.mark.parametrize("role", ["claims", "answer_relevancy"])
def test_roles_without_two_sides_have_no_such_errors(role):
    assert errors_of(role, measured([("1", "0"), ("0", "1")], Scale("binary", BINARY, positive="1"))) is None


def test_scores_and_sets_without_a_confusion_have_none():
    scores = measured([("1", "2"), ("4", "5")], Scale("interval", threshold=3.0, low=1.0, high=5.0))
    assert errors_of("correctness", scores) is None
    assert errors_of("correctness", {}) is None
    assert errors_of("correctness", {"alignment": {"value": 0.8}}) is None


@given(st.lists(st.tuples(st.sampled_from(THREE), st.sampled_from([*THREE, None])), min_size=1, max_size=40))
def test_errors_are_those_that_a_count_of_the_pairs_finds(pairs):
    for how in ("exclude", "wrong"):
        found = errors_of("claim_support", measured(pairs, Scale("nominal", THREE), invalid=how))
        kept = [(right, said) for right, said in pairs if said is not None or how == "wrong"]
        if not kept:
            assert found is None
            continue
        bad = [said for right, said in kept if right != "supported"]
        good = [said for right, said in kept if right == "supported"]
        assert found == JudgeErrors(
            len(bad), bad.count("supported"), len(good), sum(said in THREE[1:] for said in good)
        )
