"""Patterns in the errors: the simulated writer groups them by what it finds amiss in each."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sim_meta import BRIEF, FIGURE, FIGURES, Shown, analysis_request, grouped, rewrites
from sim_requests import ALL_EN, FAITHFUL, FIEL, ask

from calibrate.domain import ModelRequest
from calibrate.providers.sim import SimWriter, recognise
from calibrate.providers.sim.diagnosis import TOLERANT
from calibrate.providers.sim.phrasings import ASKING

NEGATION = Shown("wrongly accepted", "The museum is not closed on Mondays.")
ODD = Shown("wrongly accepted", "Tickets cost 12 euros.")
PRECIO = Shown(
    "wrongly accepted",
    "La entrada cuesta 15 euros.",
    context="La entrada cuesta 12 euros. El museo cierra los lunes.",
    question="¿Cuánto cuesta la entrada?",
)
RARO = Shown(
    "wrongly accepted",
    "La entrada cuesta 12 euros.",
    context="La entrada cuesta 12 euros.",
    question="¿Cuánto cuesta la entrada?",
)


def test_errors_of_one_cause_are_one_pattern_largest_first() -> None:
    found = grouped(analysis_request(FAITHFUL, [BRIEF, FIGURES[0], NEGATION, FIGURES[1]]))
    assert next(iter(found.items())) == (
        "wrong figures overlooked",
        ((2, 4), "The judge does not compare numbers, dates and amounts with the source."),
    )
    assert found["brevity taken for an error"][0] == (1,)
    assert found["negations and conditions missed"][0] == (3,)


def test_what_is_not_understood_is_said_to_be_so() -> None:
    assert grouped(analysis_request(FAITHFUL, [ODD, FIGURE]))["unexplained"][0] == (1,)


def test_it_speaks_the_language_of_the_task() -> None:
    found = grouped(analysis_request(FIEL, [PRECIO, RARO], language="es"))
    assert {name: errors for name, (errors, _) in found.items()} == {
        "cifras equivocadas": (1,),
        "sin explicación": (2,),
    }
    assert found["cifras equivocadas"][1] == "El juez no compara números, fechas e importes con la fuente."


def test_a_check_applied_too_strictly_is_a_pattern() -> None:
    current = f"{FAITHFUL} {ALL_EN}"
    strict = Shown("wrongly rejected", "Tickets cost 13 euros.", note="")
    assert list(grouped(analysis_request(current, [strict]))) == ["too strict about figures"]


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("quantities changed", "The judge does not compare numbers with the context."),
        ("numbers", "Amounts and dates differ."),
        ("wrong figures overlooked", "Anything at all."),
        ("cifras equivocadas", "Se escribió en otra lengua."),
    ],
)
def test_a_known_pattern_of_the_same_cause_keeps_its_name(name: str, meaning: str) -> None:
    known = [("wrong product", "The statement belongs to another plan."), (name, meaning)]
    found = grouped(analysis_request(FAITHFUL, [*FIGURES, NEGATION], known=known))
    assert found[name][0] == (1, 2)
    assert "wrong product" not in found


def test_a_known_name_is_used_for_one_cause_only() -> None:
    silent = Shown("wrongly accepted", "There is no car park.", "The source is silent about it.")
    known = [("figures or silence", "")]
    found = grouped(analysis_request(FAITHFUL, [silent, *FIGURES], known=known))
    assert {name: errors for name, (errors, _) in found.items()} == {
        "figures or silence": (2, 3),
        "silence taken for a no": (1,),
    }
    alone = grouped(analysis_request(FAITHFUL, [silent], known=known))
    assert alone["figures or silence"][0] == (1,)


def test_the_unexplained_stay_together_under_their_known_name() -> None:
    known = [("unexplained", "What leads the judge astray is not apparent.")]
    assert grouped(analysis_request(FAITHFUL, [ODD, ODD], known=known))["unexplained"][0] == (1, 2)


def test_what_was_put_in_no_pattern_is_unexplained() -> None:
    known = [("other", "Errors that were put in no pattern.")]
    mixed_up = Shown("wrongly accepted", "Tickets cost 12 euros.", "It speaks of another product.")
    found = grouped(analysis_request(FAITHFUL, [mixed_up, ODD], known=known))
    assert {name: errors for name, (errors, _) in found.items()} == {"one thing taken for another": (1,), "other": (2,)}


def test_there_are_at_most_eight_patterns() -> None:
    notes = {
        "figures": "The date and the price differ.",
        "entities": "It speaks of another product.",
        "negation": "The exception is gone.",
        "unsupported": "An invented addition.",
        "silence": "The source is silent about it.",
        "truncation": "The sentence is cut off there.",
        "paraphrase": "Same meaning, other wording.",
        "omission": "Brief, nothing has to be complete.",
    }
    errors = [
        Shown("wrongly rejected" if name in TOLERANT else "wrongly accepted", "12 euros.", note)
        for name, note in notes.items()
    ]
    assert len(grouped(analysis_request(FAITHFUL, errors))) == 8
    found = grouped(analysis_request(FAITHFUL, [*errors, ODD, ODD]))
    assert len(found) == 8
    assert found["unexplained"][0] == (8, 9, 10)


def test_without_errors_there_are_no_patterns() -> None:
    assert ask(SimWriter(), analysis_request(FAITHFUL, [])).text == "<patterns>\n</patterns>"


@settings(deadline=None, max_examples=40)
@given(
    errors=st.lists(
        st.sampled_from([FIGURE, BRIEF, NEGATION, ODD, PRECIO, Shown("confused", "12 euros.")]), max_size=7
    ),
    language=st.sampled_from(["en", "es"]),
    asked=st.sets(st.sampled_from(sorted(ASKING)), max_size=4),
)
def test_every_error_is_in_exactly_one_pattern(errors: list[Shown], language: str, asked: set[str]) -> None:
    current = " ".join([FAITHFUL, *(ASKING[name]["en"][0] for name in sorted(asked))])
    found = grouped(analysis_request(current, errors, language=language)) if errors else {}
    assert sorted(number for members, _ in found.values() for number in members) == [*range(1, len(errors) + 1)]
    sizes = [len(members) for members, _ in found.values()]
    assert sizes == sorted(sizes, reverse=True)


def test_the_analysis_is_the_same_every_time() -> None:
    request = analysis_request(FAITHFUL, [BRIEF, *FIGURES, ODD])
    assert ask(SimWriter(), request).text == ask(SimWriter(), request).text


def test_an_analysis_it_does_not_know_gets_an_honest_reply() -> None:
    known = analysis_request(FAITHFUL, [FIGURE])
    request = ModelRequest(system=known.system, user=known.user.replace('analysis="patterns"', 'analysis="costs"'))
    assert "simulator" in ask(SimWriter(), request).text


def test_patterns_and_what_other_judges_found_do_not_hinder_a_rewrite() -> None:
    named = [Shown("wrongly accepted", f"Tickets cost {n} euros.", pattern="more > than, quantities") for n in (15, 18)]
    texts = rewrites(
        "fix wrongly accepted",
        FAITHFUL,
        errors=named,
        patterns=['<pattern name="quantities" errors="5">The judge does not compare numbers.</pattern>'],
        elsewhere=[f"{FAITHFUL} {ASKING['silence']['en'][0]}"],
        repeats=20,
    )
    assert all(text.startswith(FAITHFUL) for text in texts)
    assert sum("figures" in recognise(text) for text in texts) > 12
