"""The default prompts, and the judge that puts the parts together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibrate.domain import Item, ModelResponse, Scale, Scored, Unscored, canonical_json
from calibrate.errors import InputError
from calibrate.judge import Ask, JudgeSettings, Prompt, PromptJudge, default_prompt, parse_reply

BINARY = Scale("binary", ("0", "1"), positive="1")
SCALES = [
    BINARY,
    Scale("nominal", ("a", "b", "c")),
    Scale("ordinal", ("1", "2", "3")),
    Scale("pairwise", ("A", "B", "tie")),
    Scale("interval", threshold=0.5),
]
INPUTS = ("question", "context", "answer", "reference", "answer_a", "answer_b")
ITEM = Item("1", "faithfulness", {"context": "10 EUR", "answer": "12 EUR"})


def judge(**changes: object) -> PromptJudge:
    made = PromptJudge(Prompt.parse("Judge it.", INPUTS), "sim:reader", BINARY)
    return replace(made, **changes)  # type: ignore[arg-type]  # any field of the judge


@pytest.mark.parametrize(
    ("names", "word"),
    [
        (["faithfulness", "Faithfulness", "fidelidad", "groundedness"], "faithful"),
        (["relevance", "relevancia", "answer_relevancy"], "relevant"),
        (["accuracy", "factual accuracy", "Factual_Accuracy", "exactitud", "precisión factual"], "accurate"),
    ],
)
def test_a_usual_name_of_a_dimension_finds_its_prompt(names: list[str], word: str) -> None:
    texts = {default_prompt(name, BINARY, "en") for name in names}
    assert len(texts) == 1
    assert f"An answer is {word} if" in texts.pop()


def test_another_dimension_is_named() -> None:
    assert "evaluate one criterion: tone of voice." in default_prompt("tone_of_voice", BINARY, "en")
    assert "evaluar un criterio: tono." in default_prompt("tono", BINARY, "es-ES")


def test_a_pairwise_scale_asks_for_a_preference_on_the_dimension() -> None:
    text = default_prompt("faithfulness", Scale("pairwise", ("A", "B", "tie")), "en")
    assert "compare two answers, answer_a and answer_b, on one criterion: faithfulness." in text


@pytest.mark.parametrize("language", ["en", "es", "es-MX", "de"])
@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.kind)
@pytest.mark.parametrize("dimension", ["faithfulness", "relevance", "accuracy", "tone"])
def test_every_default_prompt_is_plain_instructions_of_about_ten_lines(
    dimension: str, scale: Scale, language: str
) -> None:
    text = default_prompt(dimension, scale, language)
    assert Prompt.parse(text, INPUTS).placeholders == ()
    assert "$" not in text
    assert 8 <= len(text.splitlines()) <= 14
    assert ("Tu tarea es" in text) == language.startswith("es")
    for label in scale.labels if scale.kind in ("binary", "nominal", "pairwise") else ():
        assert f'"{label}"' in text


def test_no_default_prompt_reads_as_a_verdict() -> None:
    for scale in SCALES:
        assert isinstance(parse_reply(default_prompt("faithfulness", scale, "en"), "stop", scale), Unscored)


def test_a_judge_asks_and_reads() -> None:
    request = judge().request(ITEM)
    assert request.repeat == 0
    assert "12 EUR" in request.user
    assert judge().read(ModelResponse('{"reasoning": "r", "label": "0"}', "stop", "sim")) == Scored("0", "r")
    assert judge().read(ModelResponse("", "length", "sim")) == Unscored(
        "truncated", "the reply reached the token limit before its verdict"
    )


def test_a_repeat_differs_from_the_first_request_in_its_index_only() -> None:
    first, third = judge().request(ITEM), judge().request(ITEM, Ask(repeat=2))
    assert replace(third, repeat=0) == first
    assert third.repeat == 2


def test_a_judge_with_its_own_format_reads_by_its_expression() -> None:
    own = judge(settings=JudgeSettings(parse=r"label=Score: (\d)"))
    assert own.request(ITEM).schema is None
    assert own.read(ModelResponse("Score: 1", "stop", "sim")) == Scored("1")


def test_a_confidence_that_the_reply_states_goes_before_that_of_its_tokens() -> None:
    reply = ModelResponse('{"label": "1"}', "stop", "sim", confidence=0.75)
    assert judge().read(reply) == Scored("1", confidence=0.75)
    assert judge().read(replace(reply, text='{"label": "1", "confidence": 0.5}')) == Scored("1", confidence=0.5)
    assert isinstance(judge().read(replace(reply, text="Nothing.")), Unscored)


def test_only_a_judge_that_asks_for_confidence_says_so() -> None:
    asking = judge(settings=JudgeSettings(confidence=True))
    assert asking.request(ITEM).confidence
    assert not judge().request(ITEM).confidence
    # Judges of before there was such a setting keep their digests.
    assert "confidence" not in judge().settings.to_json()
    assert asking.settings.to_json() == {**judge().settings.to_json(), "confidence": True}


def test_a_bad_expression_is_refused_when_the_judge_is_made() -> None:
    with pytest.raises(InputError, match="not a regular expression"):
        judge(settings=JudgeSettings(parse="label=("))


def test_the_digest_covers_everything_that_makes_a_judge() -> None:
    judges = [
        judge(),
        judge(prompt=Prompt.parse("Judge it well.", INPUTS)),
        judge(model="sim:other"),
        judge(scale=Scale("binary", ("0", "1"), positive="0")),
        judge(settings=JudgeSettings(language="es")),
        judge(settings=JudgeSettings(temperature=0.5)),
        judge(settings=JudgeSettings(max_tokens=10)),
        judge(settings=JudgeSettings(allow_abstain=True)),
        judge(settings=JudgeSettings(parse="label=.")),
        judge(settings=JudgeSettings(code=True)),
        judge(settings=JudgeSettings(confidence=True)),
    ]
    assert len({each.digest for each in judges}) == len(judges)
    assert judge().digest == judge().digest


def test_a_request_can_be_a_key() -> None:
    assert canonical_json(judge().request(ITEM).to_json())
