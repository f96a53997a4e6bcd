"""The simulator on data that its authors have not seen."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from calibrate.golden import LoadOptions, load_golden
from calibrate.judge import JudgeSettings, Prompt, PromptJudge
from calibrate.metrics import Alignment, align
from calibrate.providers.sim import SimReader, recognise

DATA = Path(__file__).parent
LANGUAGES = {"en": "english", "es": "spanish"}


def measured(language: str, kind: str, prompt: str) -> Alignment:
    """The alignment of sim:reader with a prompt on a blind set."""
    loaded = load_golden(DATA / f"{LANGUAGES[language]}{kind}.jsonl", LoadOptions(language=language))
    golden = loaded.golden
    ((dimension, scale),) = golden.scales.items()
    assert dimension == "faithfulness"
    text = (DATA / f"{prompt}_{language}.txt").read_text(encoding="utf-8")
    judge = PromptJudge(
        Prompt.parse(text, ["question", "context", "answer"]), "sim:reader", scale, JudgeSettings(language=language)
    )
    model = SimReader("sim:reader")

    async def replies() -> list[object]:
        return [judge.read(await model.complete(judge.request(item))) for item in golden.labelled]

    found = align([item.label for item in golden.labelled], asyncio.run(replies()), scale)  # type: ignore[arg-type]
    kappa = found.metrics["cohen_kappa"]
    print(f"{language}{kind} {prompt}: kappa {kappa.value:.3f} [{kappa.low:.2f}, {kappa.high:.2f}]")
    return found


def kappa(found: Alignment) -> float:
    value = found.metrics["cohen_kappa"].value
    assert value is not None
    return value


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_careful_prompt_agrees_beyond_chance_and_beats_a_careless_one(language: str) -> None:
    careful, careless = (measured(language, "", prompt) for prompt in ("careful", "careless"))
    low = careful.metrics["cohen_kappa"].low
    assert careful.n == 40
    assert low is not None
    assert low > 0
    assert kappa(careful) > kappa(careless)
    assert (careful.alignment.value or 0) > (careless.alignment.value or 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_set_written_to_mislead_word_matching_care_does_no_harm(language: str) -> None:
    careful, careless = (measured(language, "_hard", prompt) for prompt in ("careful", "careless"))
    assert kappa(careful) >= kappa(careless)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_recognises_what_a_prompt_asks_for_however_it_is_phrased(language: str) -> None:
    paraphrases = json.loads((DATA / f"paraphrases_{language}.json").read_text(encoding="utf-8"))
    assert {len(sentences) for sentences in paraphrases.values()} == {20}
    shares = {
        directive: sum(directive in recognise(sentence) for sentence in sentences) / len(sentences)
        for directive, sentences in paraphrases.items()
    }
    print(language, shares)
    assert len(shares) == 10
    assert sum(shares.values()) / len(shares) >= 0.8, shares


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_reads_no_directive_into_other_sentences(language: str) -> None:
    neutral = json.loads((DATA / f"neutral_{language}.json").read_text(encoding="utf-8"))
    misread = [sentence for sentence in neutral if recognise(sentence)]
    assert len(misread) / len(neutral) <= 0.12, misread
