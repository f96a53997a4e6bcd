"""The verdict on an answer follows from its claims: STATISTICS section 9, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Scale, Scored, Unscored
from calibrate.errors import InputError
from calibrate.judge import NO_CLAIMS, check_composed, compose_verdict, factual_claims

BINARY = Scale("binary", ("0", "1"), positive="1")
SHARE = Scale("interval", low=0.0, high=1.0)
NLI = Scale("nominal", ("neutral", "entailment", "contradiction"))
LABELS = Scale("nominal", ("supported", "contradicted", "not_mentioned"))
SHORT = {"s": "supported", "c": "contradicted", "n": "not_mentioned"}


def split(*claims):
    """A split: factual claims as texts, others as pairs."""
    pairs = [(each, "factual") if isinstance(each, str) else each for each in claims]
    return Scored("1", evidence={"claims": [{"claim": text, "kind": kind} for text, kind in pairs]})


def found(labels, claims=None, quote="so it says"):
    """What a verifier found of claims, by the first letters of its labels."""
    names = claims or [f"claim {number}" for number in range(1, len(labels) + 1)]
    listed = [
        {
            "claim": name,
            "label": SHORT[label],
            "stated": SHORT[label],
            "quote": quote,
            "quote_found": True,
            "reasoning": "",
        }
        for name, label in zip(names, labels, strict=True)
    ]
    return Scored("not looked at", evidence={"claims": listed})


def composed(labels, scale, labels_of=LABELS):
    names = [f"claim {number}" for number in range(1, len(labels) + 1)]
    return compose_verdict(split(*names), [found(labels)], scale, labels_of)


def test_five_of_six_claims_supported_is_a_faithfulness_of_0_83():
    verdict = composed("sssnss", SHARE)
    assert round(float(verdict.label), 2) == 0.83
    assert verdict.label == repr(5 / 6)
    assert (verdict.evidence["supported"], verdict.evidence["of"]) == (5, 6)


@pytest.mark.parametrize(
    ("labels", "binary", "nominal"),
    [
        ("s", "1", "entailment"),
        ("sss", "1", "entailment"),
        ("ssn", "0", "neutral"),
        ("snc", "0", "contradiction"),
        ("c", "0", "contradiction"),
        ("n", "0", "neutral"),
    ],
)
def test_an_answer_is_good_when_all_its_claims_are_supported_and_has_the_worst_of_three_labels(labels, binary, nominal):
    assert composed(labels, BINARY).label == binary
    assert composed(labels, NLI).label == nominal


@given(st.text("scn", min_size=1, max_size=12))
def test_the_share_is_one_exactly_where_the_answer_is_good(labels):
    share = float(composed(labels, SHARE).label)
    assert share == labels.count("s") / len(labels)
    assert (share == 1.0) == (composed(labels, BINARY).label == "1") == (composed(labels, NLI).label == "entailment")


@given(st.text("scn", min_size=1, max_size=8))
def test_claims_judged_one_by_one_come_to_the_same_as_together(labels):
    names = [f"claim {number}" for number in range(1, len(labels) + 1)]
    single = [found(label, [name]) for label, name in zip(labels, names, strict=True)]
    for scale in (BINARY, SHARE, NLI):
        together = compose_verdict(split(*names), [found(labels)], scale, LABELS)
        one_by_one = compose_verdict(split(*names), single, scale, LABELS)
        assert one_by_one == together
        assert one_by_one.evidence == together.evidence


def test_conditional_and_normative_claims_are_in_the_evidence_and_count_in_nothing():
    answer = split(("If it rains, we close.", "conditional"), "We open at nine.", ("Come early.", "normative"))
    verdict = compose_verdict(answer, [found("s", ["We open at nine."], "open at nine")], SHARE, LABELS)
    assert verdict.label == "1.0"
    kinds = [(each["kind"], each["label"]) for each in verdict.evidence["claims"]]
    assert kinds == [("conditional", None), ("factual", "supported"), ("normative", None)]
    assert verdict.evidence["of"] == 1
    assert verdict.reasoning.splitlines() == [
        "1 of 1 claim is supported.",
        "1. If it rains, we close.: conditional, not checked.",
        '2. We open at nine.: supported. Quote: "open at nine"',
        "3. Come early.: normative, not checked.",
    ]


def test_an_answer_without_a_claim_that_can_be_checked_has_no_verdict():
    for answer in (split(), split(("You should call us.", "normative"))):
        assert factual_claims(answer) == ()
        assert compose_verdict(answer, [], SHARE, LABELS) == Unscored("abstained", NO_CLAIMS)


def test_a_step_without_a_verdict_is_named_with_its_reason():
    cut = compose_verdict(Unscored("truncated", "cut off"), [], BINARY, LABELS)
    assert cut == Unscored("truncated", "splitting the answer into claims: cut off")
    invalid = compose_verdict(split("a", "b"), [Unscored("invalid", "no label")], BINARY, LABELS)
    assert invalid == Unscored("invalid", "holding the claims against the context: no label")
    second = compose_verdict(split("a", "b"), [found("s"), Unscored("refused", "")], BINARY, LABELS)
    assert second == Unscored("refused", "holding claim 2 against the context gave no verdict")


def test_a_claim_that_was_called_supported_without_a_quote_of_the_context_tells_why_it_is_not():
    listed = {"claim": "a", "label": "not_mentioned", "stated": "supported", "quote": "made up", "quote_found": False}
    check = Scored("not_mentioned", evidence={"claims": [{**listed, "reasoning": "It is there."}]})
    verdict = compose_verdict(split("a"), [check], BINARY, LABELS)
    assert verdict.label == "0"
    assert verdict.evidence["claims"] == [{"kind": "factual", **listed, "reasoning": "It is there."}]
    assert "Called supported, but the context does not say the quote word for word." in verdict.reasoning


def test_a_verifier_with_a_binary_scale_gives_shares_and_binary_verdicts():
    yes_no = Scale("binary", ("no", "yes"), positive="yes")
    listed = [
        {"claim": name, "label": label, "stated": label, "quote": "q", "quote_found": True, "reasoning": ""}
        for name, label in (("claim 1", "yes"), ("claim 2", "no"))
    ]
    check = Scored("no", evidence={"claims": listed})
    assert compose_verdict(split("claim 1", "claim 2"), [check], SHARE, yes_no).label == "0.5"
    assert compose_verdict(split("claim 1", "claim 2"), [check], BINARY, yes_no).label == "0"
    with pytest.raises(InputError, match="does not tell contradicted claims from others"):
        check_composed(NLI, yes_no)


@pytest.mark.parametrize("scale", [BINARY, SHARE, Scale("interval"), NLI, LABELS])
def test_scales_on_which_claims_make_a_verdict(scale):
    check_composed(scale, LABELS)


@pytest.mark.parametrize(
    ("scale", "what"),
    [
        (Scale("ordinal", ("1", "2", "3")), "this scale is ordinal: 1, 2, 3"),
        (Scale("nominal", ("red", "green", "blue")), "this scale is nominal: red, green, blue"),
        (Scale("pairwise", ("A", "B", "tie")), "this scale is pairwise"),
        (Scale("interval", low=1.0, high=5.0), "this scale goes from 1 to 5"),
        (Scale("interval", high=100.0), "this scale goes up to 100"),
    ],
)
def test_scales_on_which_they_make_none_are_refused(scale, what):
    with pytest.raises(InputError, match=what):
        check_composed(scale, LABELS)
