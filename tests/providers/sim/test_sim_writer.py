"""The simulated prompt writer: rewrites of the real meta-prompt, by strategy, that keep what must be kept."""

from __future__ import annotations

from typing import Any

import pytest
from sim_requests import FAITHFUL, FIEL, ask, meta_request, rewritten

from calibrate.domain import ModelRequest
from calibrate.errors import InputError
from calibrate.providers.sim import DIRECTIVES, SimWriter, recognise
from calibrate.providers.sim.diagnosis import STRICT, TOLERANT
from calibrate.providers.sim.dimension import dimension_of
from calibrate.providers.sim.phrasings import ASKING, CLOSINGS, CRITERIA, INTRODUCTIONS

STRATEGIES = (
    "general improvement",
    "fix wrongly rejected",
    "fix wrongly accepted",
    "explicit rubric",
    "radical simplification",
)
WRITER = SimWriter()
CONTEXT = "Tickets cost 12 euros. Children under 6 enter free. The museum is closed on Mondays."


def error(kind: str, answer: str, note: str = "") -> dict[str, Any]:
    accepted = kind == "wrongly accepted"
    return {
        "kind": kind,
        "inputs": {"question": "What does a ticket cost?", "context": [CONTEXT], "answer": answer},
        "expert": "0" if accepted else "1",
        "judge": "1" if accepted else "0",
        "note": note,
    }


FIGURE = error("wrongly accepted", "Tickets cost 15 euros.")
BRIEF = error("wrongly rejected", "12 euros.", "Short, but right: nothing has to be complete.")


def rewrites(strategy: str, *, repeats: int = 12, **told: Any) -> list[str]:
    told.setdefault("current", FAITHFUL)
    return [rewritten(ask(WRITER, meta_request(strategy=strategy, repeat=n, **told))) for n in range(repeats)]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("language", "current"), [("en", FAITHFUL), ("es", FIEL)])
def test_every_strategy_gives_a_prompt_in_the_language_asked_for(strategy: str, language: str, current: str) -> None:
    for text in rewrites(strategy, current=current, language=language, errors=[FIGURE, BRIEF]):
        other = "es" if language == "en" else "en"
        foreign = [phrase for by_tongue in ASKING.values() for phrase in by_tongue[other] if phrase in text]  # type: ignore[index] # a key by its value
        assert not foreign
        assert recognise(text)


def test_the_same_request_gives_the_same_rewrite_and_other_repeats_give_others() -> None:
    request = meta_request(current=FAITHFUL, strategy="explicit rubric", errors=[FIGURE])
    assert ask(SimWriter(), request).text == ask(SimWriter(), request).text
    assert len(set(rewrites("explicit rubric", errors=[FIGURE]))) > 6


def test_wrongly_accepted_answers_make_it_stricter() -> None:
    for text in rewrites("fix wrongly accepted", errors=[FIGURE]):
        assert text.startswith(FAITHFUL)
        assert recognise(text)
        assert recognise(text) <= STRICT


def test_it_mostly_sees_what_the_errors_have_in_common() -> None:
    wrong = [error("wrongly accepted", f"Tickets cost {euros} euros.") for euros in (15, 18, 20)]
    asked = [recognise(text) for text in rewrites("fix wrongly accepted", errors=wrong, repeats=20)]
    assert sum("figures" in directives for directives in asked) > 12


def test_it_reads_the_experts_notes() -> None:
    note = "The price is another one: the date and the amount are wrong."
    odd = [error("wrongly accepted", "The museum is nice.", note)]
    asked = [recognise(text) for text in rewrites("fix wrongly accepted", errors=odd, repeats=20)]
    assert sum("figures" in directives for directives in asked) > 10


def test_wrongly_rejected_answers_make_it_more_tolerant_or_less_strict() -> None:
    current = f"{FAITHFUL} {ASKING['unsupported']['en'][0]}"
    for text in rewrites("fix wrongly rejected", current=current, errors=[BRIEF]):
        assert recognise(text) & TOLERANT or recognise(text) < recognise(current)


def test_a_rubric_numbers_its_criteria() -> None:
    for text in rewrites("explicit rubric", errors=[FIGURE, BRIEF]):
        assert "\n1. " in text
        assert "\n2. " in text


def test_a_simplification_is_short_and_written_from_scratch() -> None:
    current = (
        f"{FAITHFUL}\n" + "\n".join(f"- {by_tongue['en'][0]}" for by_tongue in ASKING.values()) + "\nOld words stay."
    )
    for text in rewrites("radical simplification", current=current, errors=[FIGURE]):
        assert "Old words stay." not in text
        assert len(text) < len(current)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_placeholders_stay(strategy: str) -> None:
    current = f"{FAITHFUL} {ASKING['claims']['en'][0]}\n\nQuestion: {{{{question}}}}\nContext:\n{{{{ context }}}}"
    for text in rewrites(strategy, current=current, errors=[FIGURE, BRIEF]):
        for name in ("question", "context"):
            assert text.replace(" ", "").count(f"{{{{{name}}}}}") == 1


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("limit", [40, 120, 300])
def test_the_length_limit_holds(strategy: str, limit: int) -> None:
    current = f"{FAITHFUL}\n" + "\n".join(by_tongue["en"][1] for by_tongue in ASKING.values()) + "\n{{question}}"
    for text in rewrites(strategy, current=current, errors=[FIGURE, BRIEF], limit=limit, repeats=4):
        assert len(text) <= limit
        assert "{{question}}" in text


def test_it_tries_what_the_history_has_not_seen() -> None:
    tried = [f"{FAITHFUL} {ASKING['figures']['en'][0]}"]
    seen = recognise(tried[0])
    texts = rewrites("fix wrongly accepted", errors=[FIGURE], tried=tried, repeats=20)
    assert sum(recognise(text) == seen for text in texts) <= 2
    assert not any(ASKING["figures"]["en"][0] in text for text in texts)


def test_definitions_of_labels_survive_a_rewrite_from_scratch() -> None:
    current = "Sort the answers.\n1: the answer agrees with the context\n0: it does not"
    for text in rewrites("radical simplification", current=current, errors=[FIGURE]):
        assert "1: the answer agrees with the context" in text
        assert "0: it does not" in text


def test_without_errors_it_still_writes() -> None:
    for strategy in STRATEGIES:
        assert all(rewrites(strategy, repeats=3))


def test_what_is_no_meta_prompt_gets_an_honest_reply() -> None:
    response = ask(WRITER, ModelRequest(system="Write a poem.", user="About the sea."))
    assert "simulator" in response.text
    assert "<prompt>" not in response.text


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InputError, match="sim:writer"):
        SimWriter("sim:poet")


@pytest.mark.parametrize("directive", DIRECTIVES)
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_phrasing_asks_for_its_directive_alone(directive: str, language: str) -> None:
    phrasings = ASKING[directive][language]  # type: ignore[index] # a key by its value
    assert len(set(phrasings)) >= 4
    for phrasing in phrasings:
        assert recognise(phrasing) == {directive}, phrasing


@pytest.mark.parametrize("dimension", INTRODUCTIONS)
@pytest.mark.parametrize("language", ["en", "es"])
def test_introductions_tell_the_dimension_and_ask_for_nothing(dimension: str, language: str) -> None:
    for introduction in INTRODUCTIONS[dimension][language]:  # type: ignore[index] # a key by its value
        assert recognise(introduction) == frozenset(), introduction
        everything = " ".join(by_tongue[language][0] for by_tongue in ASKING.values())  # type: ignore[index] # a key by its value
        roles = frozenset({"question", "context", "answer", "reference"})
        assert dimension_of(f"{introduction} {everything}", roles) == dimension  # type: ignore[arg-type] # roles by name
    for line in (*CRITERIA[language], *CLOSINGS[language]):  # type: ignore[index] # a key by its value
        assert recognise(line) == frozenset()
