"""The simulated writer rewrites prompts for the steps of judging claim by claim, and the reader does what they ask."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from sim_requests import ask
from sim_steps import BINARY, RESPALDO, SUPPORT, labels, split

from calibrate.domain import Item, Scale, Scored, Text
from calibrate.optimizer.meta_prompt import Lesson, MetaTask, meta_request
from calibrate.optimizer.strategies import STRATEGIES
from calibrate.optimizer.trials import ErrorKind, Misjudged, Remembered
from calibrate.providers.sim import SimWriter
from calibrate.providers.sim.directives import recognise
from calibrate.providers.sim.step_directives import recognise_step
from calibrate.providers.sim.step_rewriting import SPLIT_ASKING

CONTEXT = "A ticket costs 12 euros. Children under 6 enter free. The museum is closed on Mondays."
CONTEXTO = "La entrada cuesta 12 euros. Los menores de 6 años entran gratis. El museo cierra los lunes."
CARELESS = "Say of each claim whether the context supports it."
DESCUIDADA = "Di de cada afirmación si el contexto la respalda."


def misjudged(inputs: dict[str, Text], expert: str, judge: str, kind: ErrorKind, note: str = "") -> Misjudged:
    return Misjudged(
        Item("1", "claim_support", inputs, label=expert, note=note), Scored(judge, "Judged as a whole."), kind
    )


def rewrites(
    dimension: str,
    scale: Scale,
    current: str,
    errors: Sequence[Misjudged],
    *,
    strategy: str,
    language: str = "en",
    repeats: int = 8,
) -> list[str]:
    found = []
    for repeat in range(repeats):
        task = MetaTask(dimension, language, tuple(errors[0].item.inputs), scale, repeat=repeat)
        lesson = Lesson(Remembered(current, 0.2, "baseline"), errors=[(error, "") for error in errors])
        named = next(each for each in STRATEGIES if each.name == strategy)
        text = ask(SimWriter(), meta_request(task, named, lesson)).text
        found.append(re.findall(r"<prompt>\n(.*?)\n</prompt>", text, re.DOTALL)[-1])
    return found


@pytest.mark.parametrize(
    ("language", "scale", "current", "context", "claims"),
    [
        ("en", SUPPORT, CARELESS, CONTEXT, ("A ticket costs 15 euros.", "A ticket costs 20 euros.")),
        ("es", RESPALDO, DESCUIDADA, CONTEXTO, ("La entrada cuesta 15 euros.", "La entrada cuesta 20 euros.")),
    ],
)
@pytest.mark.parametrize("also_shown", [{}, {"answer": "A ticket costs 12 euros."}], ids=["claim", "claim and answer"])
def test_figures_that_a_verifier_let_pass_are_looked_at_after_rewrites(
    language: str, scale: Scale, current: str, context: str, claims: tuple[str, ...], also_shown: dict[str, Text]
) -> None:
    supported, contradicted, _ = scale.labels
    errors = [
        misjudged({"context": context, **also_shown, "claim": claim}, contradicted, supported, "confused")
        for claim in claims
    ]
    assert labels(current, context, claims, scale=scale, language=language) == [supported, supported]
    written = rewrites(
        "claim_support", scale, current, errors, strategy="general improvement", language=language, repeats=12
    )
    better = [text for text in written if "figures" in recognise(text)]
    assert len(better) >= len(written) / 3
    for text in better:
        assert labels(text, context, claims, scale=scale, language=language) == [contradicted, contradicted]


@pytest.mark.parametrize("strategy", ["explicit rubric", "radical simplification"])
def test_a_prompt_written_anew_still_verifies(strategy: str) -> None:
    error = misjudged(
        {"context": CONTEXT, "claim": "A ticket costs 15 euros."}, "contradicted", "supported", "confused"
    )
    for text in rewrites("claim_support", SUPPORT, CARELESS, [error], strategy=strategy):
        found = labels(text, CONTEXT, ("The museum is closed on Mondays.", "Penguins live in Antarctica."))
        assert found == ["supported", "not mentioned"]


@pytest.mark.parametrize(
    ("language", "current"),
    [("en", "List the claims of the answer."), ("es", "Enumera las afirmaciones de la respuesta.")],
)
@pytest.mark.parametrize("strategy", ["general improvement", "fix wrongly accepted", "explicit rubric"])
def test_a_splitter_is_told_what_makes_a_good_claim(language: str, current: str, strategy: str) -> None:
    error = misjudged({"answer": "It opens at 9.", "claim": "The pool opens at 9."}, "1", "0", "wrongly rejected")
    written = rewrites("claims", BINARY, current, [error], strategy=strategy, language=language)
    assert all(recognise_step(text) & set(SPLIT_ASKING) for text in written)
    assert len(set(written)) > 1


def test_a_splitter_does_what_a_note_asked_for() -> None:
    answer = "The pool has a slide. It opens at 9."
    error = misjudged(
        {"answer": answer, "claim": "The pool opens at 9."},
        "1",
        "0",
        "wrongly rejected",
        "The pronoun hides what opens.",
    )
    current = "List the claims of the answer."
    written = rewrites("claims", BINARY, current, [error], strategy="general improvement", repeats=12)
    mended = [text for text in written if "self-contained" in recognise_step(text)]
    assert len(mended) >= len(written) / 2
    for text in mended:
        assert ("The pool opens at 9.", "factual") in split(text, answer)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("directive", sorted(SPLIT_ASKING))
def test_each_phrasing_is_recognised(directive: str, language: str) -> None:
    for sentence in SPLIT_ASKING[directive][language]:  # type: ignore[index]  # en or es
        assert recognise_step(sentence) & set(SPLIT_ASKING) == {directive}
