"""Claims held against a context: which verdict is for which claim, the quote that decides, and the worst label."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.domain import Finish, Item, ModelResponse, Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.judge import JudgeSettings, Prompt, PromptJudge, label_roles
from calibrate.judge.support import read_verification

THREE = Scale("nominal", ("supported", "contradicted", "not mentioned"))
BINARY = Scale("binary", ("0", "1"), positive="1")
CONTEXT = ("Items can be returned within 30 days.", "Shipping back costs 4.99 euros.")
ONE = ("Any item can be returned within 30 days.",)
SEVERAL = (*ONE, "Shipping back is free.", "The refund takes five days.")
QUOTE = "returned within 30 days"


def item(claims: tuple[str, ...] = ONE) -> Item:
    return Item("1", "support", {"context": CONTEXT, "claim": claims[0] if len(claims) == 1 else claims})


def entry(label: object, claim: object = 1, quote: object = QUOTE, reasoning: object = "r") -> dict[str, object]:
    return {"claim": claim, "reasoning": reasoning, "quote": quote, "label": label}


def reply(*entries: Mapping[str, object]) -> str:
    return json.dumps({"verdicts": list(entries)}, ensure_ascii=False)


def verify(text: str, claims: tuple[str, ...] = ONE, scale: Scale = THREE, finish: Finish = "stop") -> Verdict:
    return read_verification(text, finish, scale, item(claims))


def label(text: str, claims: tuple[str, ...] = ONE, scale: Scale = THREE, finish: Finish = "stop") -> str:
    verdict = verify(text, claims, scale, finish)
    return verdict.label if isinstance(verdict, Scored) else f"({verdict.reason})"


def evidence(text: str, claims: tuple[str, ...] = ONE, scale: Scale = THREE) -> list[Any]:
    verdict = verify(text, claims, scale)
    assert isinstance(verdict, Scored), verdict
    assert verdict.evidence is not None
    found = verdict.evidence["claims"]
    assert isinstance(found, list)
    return found


# --- the quote ------------------------------------------------------------------------------------------------------


def test_a_claim_with_a_verbatim_quote_is_supported() -> None:
    verdict = verify(reply(entry("supported", reasoning="The first sentence says it.")))
    assert isinstance(verdict, Scored)
    assert verdict.label == "supported"
    assert verdict.reasoning == f'The first sentence says it. Quote: "{QUOTE}"'
    assert verdict.evidence == {
        "claims": [
            {
                "claim": ONE[0],
                "label": "supported",
                "stated": "supported",
                "quote": QUOTE,
                "quote_found": True,
                "reasoning": "The first sentence says it.",
            }
        ]
    }


def test_supported_without_its_quote_in_the_context_counts_as_not_mentioned() -> None:
    verdict = verify(reply(entry("supported", quote="returned in 30 days")))
    assert isinstance(verdict, Scored)
    assert verdict.label == "not mentioned"
    assert verdict.reasoning == (
        'r Quote: "returned in 30 days" Called supported, but the context does not say the quote word for word: '
        "counted as not mentioned."
    )
    (claim,) = evidence(reply(entry("supported", quote="returned in 30 days")))
    assert (claim["label"], claim["stated"], claim["quote_found"]) == ("not mentioned", "supported", False)


@pytest.mark.parametrize("quote", ["", None, "..."])
def test_supported_without_a_quote_counts_as_not_mentioned(quote: object) -> None:
    verdict = verify(reply(entry("supported", quote=quote)))
    assert isinstance(verdict, Scored)
    assert verdict.label == "not mentioned"
    assert "counted as not mentioned" in verdict.reasoning


@pytest.mark.parametrize("quote", ["be", "«Is»", "a", "de la", "no"])
def test_a_quote_of_function_words_alone_is_none(quote: str) -> None:
    of = Item("1", "support", {"context": "It may be de la, is a, no.", "claim": "The moon is green."})
    verdict = read_verification(reply(entry("supported", quote=quote)), "stop", THREE, of)
    assert isinstance(verdict, Scored)
    assert verdict.label == "not mentioned"
    assert verdict.reasoning.endswith("Called supported, but its quote says nothing: counted as not mentioned.")


def test_a_missing_quote_is_said() -> None:
    verdict = verify('{"verdicts": [{"claim": 1, "label": "supported"}]}')
    assert isinstance(verdict, Scored)
    assert verdict.reasoning == "Called supported, but it quotes nothing: counted as not mentioned."


@pytest.mark.parametrize(
    "quote", ["returned ... days", "within 30 days. Shipping back costs", [QUOTE, "4.99 euros"], {"text": QUOTE}]
)
def test_an_ellipsis_two_chunks_and_a_list_are_no_verbatim_quote(quote: object) -> None:
    assert label(reply(entry("supported", quote=quote))) == "not mentioned"


@pytest.mark.parametrize("quote", ["“Returned within\\n30 days”", "  RETURNED WITHIN 30 DAYS "])
def test_white_space_case_and_quotation_marks_are_folded(quote: str) -> None:
    assert label(reply(entry("supported", quote=quote.replace("\\n", "\n")))) == "supported"


@pytest.mark.parametrize("stated", ["contradicted", "not mentioned"])
def test_only_supported_needs_its_quote(stated: str) -> None:
    assert label(reply(entry(stated, quote="nothing of the kind"))) == stated
    (claim,) = evidence(reply(entry(stated, quote="nothing of the kind")))
    assert (claim["stated"], claim["quote_found"]) == (stated, False)


# --- several claims -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "worst"),
    [
        (["supported", "supported", "supported"], "supported"),
        (["supported", "not mentioned", "supported"], "not mentioned"),
        (["supported", "not mentioned", "contradicted"], "contradicted"),
        (["contradicted", "supported", "not mentioned"], "contradicted"),
    ],
)
def test_the_worst_label_of_several_claims_is_that_of_the_item(labels: list[str], worst: str) -> None:
    told = reply(*(entry(each, number) for number, each in enumerate(labels, 1)))
    assert label(told, SEVERAL) == worst
    assert [each["label"] for each in evidence(told, SEVERAL)] == labels
    assert [each["claim"] for each in evidence(told, SEVERAL)] == list(SEVERAL)


def test_one_downgraded_claim_of_several_is_named() -> None:
    told = reply(entry("supported", 1), entry("supported", 2, quote="no charge"), entry("supported", 3))
    verdict = verify(told, SEVERAL)
    assert isinstance(verdict, Scored)
    assert verdict.label == "not mentioned"
    first, second, _ = verdict.reasoning.splitlines()
    assert first == f'{SEVERAL[0]}: supported. r Quote: "{QUOTE}"'
    assert second.startswith("Shipping back is free.: not mentioned. r")


def test_verdicts_are_put_to_their_claims_by_number_and_not_by_place() -> None:
    told = reply(entry("contradicted", 2), entry("not mentioned", 3), entry("supported", 1))
    assert [each["label"] for each in evidence(told, SEVERAL)] == ["supported", "contradicted", "not mentioned"]


@pytest.mark.parametrize("numbers", [["1", "2", "3"], ["claim 1", "Claim #2", "claim 3."], ["1.0", 2.0, "3)"]])
def test_numbers_may_be_texts(numbers: list[object]) -> None:
    labels = ["supported", "contradicted", "not mentioned"]
    told = reply(*(entry(each, number) for each, number in zip(labels, numbers, strict=True)))
    if "1.0" in numbers:
        told = told.replace('"1.0"', "1.0")
    assert [each["label"] for each in evidence(told, SEVERAL)] == labels


def test_a_verdict_may_repeat_its_claim_in_place_of_the_number() -> None:
    told = reply(
        entry("contradicted", "shipping back is free"), entry("supported", SEVERAL[0]), entry("not mentioned", 3)
    )
    assert [each["label"] for each in evidence(told, SEVERAL)] == ["supported", "contradicted", "not mentioned"]


def test_verdicts_without_numbers_are_in_the_order_of_the_claims() -> None:
    labels = ["supported", "contradicted", "not mentioned"]
    told = reply(*({"label": each, "quote": QUOTE} for each in labels))
    assert [each["label"] for each in evidence(told, SEVERAL)] == labels


@pytest.mark.parametrize(
    "told",
    [
        reply(entry("supported", 1), entry("supported", 2)),
        reply(entry("supported", 1), entry("supported", 1), entry("supported", 2)),
        reply({"label": "supported"}, {"label": "supported"}),
        reply(*({"label": "supported"} for _ in range(4))),
        reply(entry("supported", 0), entry("supported", 1), entry("supported", 2)),
        reply(entry("supported", 1)),
        reply({"label": "supported"}),
    ],
)
def test_a_reply_that_leaves_a_claim_open_is_invalid_as_a_whole(told: str) -> None:
    assert label(told, SEVERAL) == "(invalid)"


def test_the_missing_claim_is_named() -> None:
    verdict = verify(reply(entry("supported", 1), entry("supported", 3)), SEVERAL)
    assert verdict == Unscored("invalid", "no verdict on claim 2 of 3")


def test_a_verdict_that_is_there_twice_counts_once() -> None:
    told = reply(entry("supported", 1), entry("Contradicted", 2), entry("not mentioned", 3), entry("contradicted", 2))
    assert [each["label"] for each in evidence(told, SEVERAL)] == ["supported", "contradicted", "not mentioned"]
    assert label(reply(entry("supported", None), entry("supported", 1))) == "supported"


@pytest.mark.parametrize(
    ("told", "claims", "why"),
    [
        (
            reply(entry("supported", 1), entry("contradicted", 2), entry("not mentioned", 3), entry("supported", 2)),
            SEVERAL,
            "verdicts on claim 2 of 3 that differ",
        ),
        (reply(entry("supported", 1), entry("contradicted", 2)), ONE, "a verdict on claim 2 of 1"),
        (reply(entry("contradicted", 1), entry("supported", 1)), ONE, "verdicts on claim 1 of 1 that differ"),
        (reply({"label": "contradicted"}, {"label": "supported"}), ONE, "verdicts on claim 1 of 1 that differ"),
        (reply(entry("supported", 1), entry("CANNOT_ASSESS", 1)), ONE, "verdicts on claim 1 of 1 that differ"),
        (reply(*(entry("supported", n) for n in (1, 2, 3, 4))), SEVERAL, "a verdict on claim 4 of 3"),
        (
            reply(*(entry("supported", n) for n in (1, 2, "it is so", 3))),
            SEVERAL,
            "4 verdicts for 3 claims, and it is not clear which is for which",
        ),
    ],
)
def test_a_reply_that_contradicts_itself_or_speaks_of_other_claims_is_invalid_as_a_whole(
    told: str, claims: tuple[str, ...], why: str
) -> None:
    assert verify(told, claims) == Unscored("invalid", why)
    # What came before the last list was a draft.
    final = reply(*(entry("supported", number) for number in range(1, len(claims) + 1)))
    assert label(f"{told}\nNo: {final}", claims) == "supported"


# --- a single claim -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "told",
    [
        reply({"label": "supported", "quote": QUOTE}),
        json.dumps({"label": "supported", "quote": QUOTE}),
        reply(entry("supported", 7)),
        reply(entry("supported", 0)),
        reply(entry("supported", "the claim")),
        reply(entry("supported", True)),
        reply(entry("supported", None)),
    ],
)
def test_a_single_verdict_needs_no_number(told: str) -> None:
    assert label(told) == "supported"


@pytest.mark.parametrize(
    "told",
    [
        '{"verdicts": [{"claim": 1, "quote": "within 30 days", "label": "supported"}, {"claim": 2, "lab',
        '{"verdicts": [{"claim": 1, "quote": "within 30 days", "label": "supported"}, "and more"]}',
        '{"verdicts": [{"claim": 1, "quote": "within 30 days", "label": "supported"}, {"claim": 2}]}',
    ],
)
def test_a_list_that_breaks_off_or_holds_something_else_is_not_read_in_part(told: str) -> None:
    assert verify(told) == Unscored("invalid", "the list of the reply breaks off, or holds something else")


# --- where the verdicts stand ---------------------------------------------------------------------------------------

GOOD = reply(entry("supported"))
BAD = reply(entry("contradicted"))


@pytest.mark.parametrize(
    "told",
    [
        f"```json\n{GOOD}\n```",
        f"Let me see.\n{GOOD}\nThat is all.",
        f"{BAD}\nNo, wait:\n{GOOD}",
        f"<think>{BAD}</think>{GOOD}",
        f"{BAD}</think>{GOOD}",
        f"{GOOD}<think>{BAD}",
        f'{{"verdicts": [{{"claim": 1, "quote": "{QUOTE}", "label": "supported",}},],}}',
        f'{{"veredictos": [{{"afirmación": 1, "razonamiento": "r", "cita": "{QUOTE}", "etiqueta": "supported"}}]}}',
        f'[{{"claim": 1, "quote": "{QUOTE}", "label": "supported"}}]',
        f'{{"claims": [{{"claim": 1, "quote": "{QUOTE}", "label": "supported"}}]}}',
        f'{{"results": [{{"claim": 1, "quote": "{QUOTE}", "label": "supported"}}]}}',
        f'{{"verdicts": [{{"claim": 1, "quote": "{QUOTE}", "label": "supported"}}], "label": "contradicted"}}',
        f'{{"label": "contradicted", "results": [{{"claim": 1, "quote": "{QUOTE}", "label": "supported"}}]}}',
        f"{{verdicts: [{{claim: 1, quote: '{QUOTE}', label: 'supported'}}]}}",
    ],
)
def test_the_last_list_of_verdicts_counts(told: str) -> None:
    assert label(told) == "supported"


@pytest.mark.parametrize(
    "told",
    ["", "supported", "Label: supported", '{"verdicts": []}', '{"verdicts": [{"claim": 1, "quote": "x"}]}', "{}"],
)
def test_a_reply_without_verdicts_is_invalid(told: str) -> None:
    assert label(told) == "(invalid)"


WHOLE = reply(entry("supported", 1), entry("contradicted", 2), entry("not mentioned", 3))


@pytest.mark.parametrize("end", range(1, len(WHOLE)))
def test_a_reply_that_the_token_limit_cut_off_is_truncated_wherever_it_is(end: int) -> None:
    assert label(WHOLE[:end], SEVERAL, finish="length") == "(truncated)"


def test_a_second_list_that_was_cut_off_leaves_none() -> None:
    assert label(f"{GOOD}\nNo: {BAD[:30]}", finish="length") == "(truncated)"
    assert label(f"{GOOD}\nNo, it is", finish="length") == "supported"


def test_a_refusal_is_refused() -> None:
    assert label("I cannot help with that.", finish="refusal") == "(refused)"


@given(
    st.text()
    | st.builds(
        "".join,
        st.lists(
            st.sampled_from(
                [
                    "{",
                    "}",
                    "[",
                    "]",
                    '"verdicts"',
                    '"claim"',
                    '"label"',
                    '"quote"',
                    ":",
                    ",",
                    '"supported"',
                    "1",
                    "1e999",
                ]
            )
        ),
    ),
    st.sampled_from(["stop", "length", "refusal"]),
    st.sampled_from([ONE, SEVERAL]),
)
def test_no_reply_makes_reading_fail(told: str, finish: Finish, claims: tuple[str, ...]) -> None:
    assert isinstance(verify(told, claims, finish=finish), Scored | Unscored)


# --- labels ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stated", ["mostly supported", "yes", 1, None, ["supported"], {"a": 1}, ""])
def test_a_label_that_is_not_declared_is_invalid(stated: object) -> None:
    verdict = verify(reply(entry(stated)))
    assert isinstance(verdict, Unscored)
    assert verdict.reason == "invalid"
    assert verdict.detail.endswith("is not one of supported, contradicted, not mentioned")
    assert "Nested" not in verdict.detail


@pytest.mark.parametrize("stated", ["SUPPORTED", " **supported** ", "Supported."])
def test_a_label_is_matched_as_everywhere(stated: str) -> None:
    assert label(reply(entry(stated))) == "supported"


@pytest.mark.parametrize(
    "stated", ["Not_Mentioned", "not-mentioned", "NOT  MENTIONED", "_not_mentioned_", "Nót mentioned"]
)
def test_a_label_is_matched_without_underscores_hyphens_and_accents(stated: str) -> None:
    assert label(reply(entry(stated))) == "not mentioned"
    own = Scale("nominal", ("respaldada", "contradicción", "no mencionada"))
    assert label(reply(entry("Contradiccion")), scale=own) == "contradicción"
    assert label(reply(entry("notmentioned"))) == "(invalid)"


@pytest.mark.parametrize("stated", ["CANNOT_ASSESS", "cannot assess", "Cannot-assess"])
def test_an_abstention_is_one(stated: str) -> None:
    assert verify(reply(entry(stated, reasoning="It is not in German."))) == Unscored(
        "abstained", "It is not in German."
    )


@pytest.mark.parametrize(
    ("labels", "roles"),
    [
        (("supported", "contradicted", "not mentioned"), (0, 1, 2)),
        (("not_mentioned", "Supported", "CONTRADICTED"), (1, 2, 0)),
        (("entailment", "neutral", "contradiction"), (0, 2, 1)),
        (("respaldada", "contradicha", "no mencionada"), (0, 1, 2)),
        (("apoyada", "contradicción", "sin información"), (0, 1, 2)),
        (("SUPPORTED", "REFUTED", "NOT ENOUGH INFO"), (0, 1, 2)),
    ],
)
def test_the_labels_are_known_in_both_languages_and_by_the_names_of_inference(
    labels: tuple[str, ...], roles: tuple[int, int, int]
) -> None:
    scale = Scale("nominal", labels)
    found = label_roles(scale)
    assert (found.supported, found.contradicted, found.not_mentioned) == tuple(labels[place] for place in roles)
    assert label(reply(entry(found.supported, quote="no such words")), scale=scale) == found.not_mentioned
    assert [found.role(each) for each in (found.supported, found.contradicted or "", found.not_mentioned)] == [
        "supported",
        "contradicted",
        "not_mentioned",
    ]


def test_on_a_binary_scale_the_negative_label_stands_for_both() -> None:
    assert label(reply(entry("1")), scale=BINARY) == "1"
    assert label(reply(entry(1)), scale=BINARY) == "1"
    assert label(reply(entry("1", quote="no such words")), scale=BINARY) == "0"
    assert label(reply(entry("0", quote="")), scale=BINARY) == "0"
    assert label(reply(entry("1", 1), entry("0", 2), entry("1", 3)), SEVERAL, BINARY) == "0"
    assert label_roles(BINARY).role("0") == "not_mentioned"


@pytest.mark.parametrize(
    "scale",
    [
        Scale("ordinal", ("contradicted", "not mentioned", "supported")),
        Scale("nominal", ("supported", "contradicted")),
        Scale("nominal", ("supported", "contradicted", "partly")),
        Scale("nominal", ("supported", "entailed", "contradicted")),
        Scale("nominal", ("supported", "contradicted", "not mentioned", "neutral")),
        Scale("pairwise", ("A", "B", "tie")),
        Scale("interval", low=0.0, high=1.0),
    ],
)
def test_other_scales_are_refused_in_one_line_that_says_which_are_taken(scale: Scale) -> None:
    with pytest.raises(InputError, match="--task verify takes three nominal labels") as refusal:
        PromptJudge(Prompt.parse("Verify.", ("claim",)), "m", scale, JudgeSettings(task="verify"))
    assert "\n" not in str(refusal.value)


def test_a_judge_reads_its_reply_with_the_item() -> None:
    judge = PromptJudge(Prompt.parse("Verify it.", ("claim",)), "m", THREE, JudgeSettings(task="verify"))
    assert judge.read(ModelResponse(GOOD, "stop", "m"), item()) == verify(GOOD)
