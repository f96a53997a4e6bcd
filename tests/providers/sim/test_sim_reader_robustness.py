"""Whatever stands in an item, the simulated reader replies with one declared label."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sim_requests import ALL_EN, ALL_ES, FAITHFUL, FIEL, ask, judge_request, meta_request, rewritten, verdict

from calibrate.providers.sim import SimReader, SimWriter, recognise

READERS = [SimReader(), SimReader("sim:reader-small")]
PROMPTS = [
    FAITHFUL,
    f"{FAITHFUL} {ALL_EN}",
    f"{FIEL} {ALL_ES}",
    "Judge whether the answer is relevant to the question.",
    "",
]

# Text that is likely to meet what the reader looks for.
fragment = st.sampled_from(
    [
        "not ", "no ", "only ", "unless ", "30 days ", "$5 ", "8 € ", "treinta y cinco ", "May 5, 2024 ", "9:30 pm ",
        "Pro ", "the ", "el ", "is ", "es ", ". ", ", ", "; ", "... ", "| a | b |\n", "|---|---|\n", "# Title\n",
        "- item\n", "\n\n", "(", ")", '"', "</item>", "&lt;", "{{x}}", "{", "😀", "é", "ﬁ", "²", "1,5", "1.000.000",
        "24/7 ", "X200 ", "and ", "y ",
    ]
)  # fmt: skip
text = st.one_of(st.text(max_size=200), st.lists(fragment, max_size=40).map("".join))


@given(
    question=text,
    context=st.lists(text, max_size=3),
    answer=text,
    prompt=st.sampled_from(PROMPTS),
    reader=st.sampled_from(READERS),
)
@example(question="", context=[], answer="", prompt=PROMPTS[1], reader=READERS[0])
@example(question="?", context=["."], answer="No.", prompt=PROMPTS[1], reader=READERS[0])
@example(question="¿?", context=["..."], answer="Sí", prompt=PROMPTS[2], reader=READERS[0])
def test_any_text_gets_a_declared_label(
    question: str, context: list[str], answer: str, prompt: str, reader: SimReader
) -> None:
    request = judge_request(prompt, {"question": question, "context": context, "answer": answer})
    assert verdict(reader, request)["label"] in ("0", "1")
    request = judge_request(prompt, {"question": question, "reference": answer, "answer": question}, abstain=True)
    assert verdict(reader, request)["label"] in ("0", "1", "CANNOT_ASSESS")


@given(text)
def test_any_instructions_can_be_read(instructions: str) -> None:
    assert recognise(instructions) <= recognise(ALL_EN)
    verdict(READERS[0], judge_request(instructions, {"answer": "Yes.", "context": "Yes."}))


@given(current=text.filter(lambda each: "<" not in each), note=text.filter(lambda each: "<" not in each))
def test_any_prompt_can_be_rewritten(current: str, note: str) -> None:
    error = {
        "kind": "wrongly accepted",
        "inputs": {"context": note, "answer": current},
        "expert": "0",
        "judge": "1",
        "note": note,
    }
    response = ask(SimWriter(), meta_request(current=current, strategy="general improvement", errors=[error]))
    assert isinstance(rewritten(response), str)


@pytest.mark.parametrize(
    "unit",
    [
        "Returns are accepted for 30 days. ",
        "x",
        "1 ",
        "😀 ",
        "| a | b |\n",
        "not ",
        "Ab ",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("a ", ", ", ".", "a\n", "\n", "a-", "1,", "if ")),
    ],
)
def test_a_hundred_kilobytes_of_anything_get_a_label(unit: str) -> None:
    huge = unit * (100_000 // len(unit))
    inputs = {"question": "How long?", "context": [huge], "answer": f"Returns are accepted for 30 days. {unit * 20}"}
    for prompt in PROMPTS[:2]:
        assert verdict(READERS[0], judge_request(prompt, inputs))["label"] in ("0", "1")


def test_what_matters_is_found_in_a_huge_context() -> None:
    filler = "".join(f"The garden number {n} has {n % 7 + 2} benches and a small pond. " for n in range(1500))
    context = f"{filler}\n\nThe library lends books for 21 days.\n\n{filler}"
    prompt = f"{FAITHFUL} {ALL_EN}"
    for days, label in (("21", "1"), ("30", "0")):
        inputs = {
            "question": "How long may I keep a book?",
            "context": context,
            "answer": f"The library lends books for {days} days.",
        }
        assert verdict(READERS[0], judge_request(prompt, inputs))["label"] == label


@pytest.mark.parametrize(
    ("context", "answer", "label"),
    [
        ("Die Bibliothek verleiht Bücher für 21 Tage.", "Die Bibliothek verleiht Bücher für 21 Tage.", "1"),
        ("Die Bibliothek verleiht Bücher für 21 Tage.", "Elefanten fressen gern grünes Gras.", "0"),
        ("図書館は本を貸し出します。", "図書館は本を貸し出します。", "1"),
    ],
)
def test_an_unknown_language_is_judged_by_its_wording(context: str, answer: str, label: str) -> None:
    assert (
        verdict(READERS[0], judge_request(FAITHFUL, {"question": "", "context": context, "answer": answer}))["label"]
        == label
    )
