"""Answers in their own words: values and names of another passage, waived demands, wide claims."""

from __future__ import annotations

import pytest

from calibrate.providers.sim.attention import Attention
from calibrate.providers.sim.judging import judge_support

ALL = frozenset(
    {"figures", "entities", "negation", "claims", "unsupported", "silence", "truncation", "paraphrase", "omission"}
    | {"all-or-nothing"}
)
POTTERY = (
    "Kilnside Pottery. The wheel course runs for six evenings and costs 140 euros; the glazing workshop takes one "
    "afternoon and costs 35 euros. Bookings for the wheel course close on 4 May. Requests for the glazing "
    "workshop must arrive by 18 May. Firing is done by Oona Trent, invoices are handled by Piet Vaal. Shelf space "
    "is rented at 12 euros a quarter. Participants who have finished the wheel course may use the studio alone. "
    "Before using the large kiln, visitors should ask the studio manager for permission. The Solo pass includes "
    "one shelf. The Duo pass adds a locker and 5 kg of clay. The kiln room must not be photographed."
)


def good(question: str, answer: str) -> bool:
    return judge_support(answer, (POTTERY,), question, Attention(ALL)).good


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does the wheel course cost?", "For the wheel course you pay 140 euros."),
        ("By when do I book the wheel course?", "Book the wheel course by 4 May at the latest."),
        ("Who handles my invoice?", "Piet Vaal takes care of invoices."),
        ("What is the rent for a shelf?", "A shelf costs 12 euros each quarter."),
        ("Can I use the large kiln?", "Only if you ask the studio manager for permission beforehand."),
        ("Does the Duo pass have a locker?", "Yes, the Duo pass comes with a locker and 5 kg of clay."),
        ("Is there a car park?", "The text does not say anything about a car park, so I'd ask the studio."),
    ],
)
def test_accepts_the_value_of_the_passage_that_is_asked_about(question: str, answer: str) -> None:
    assert good(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("By when do I book the wheel course?", "Book the wheel course by 18 May at the latest."),
        ("Who handles my invoice?", "Oona Trent handles invoices."),
        ("What is the rent for a shelf?", "Shelf space is rented at 12 euros a month."),
        ("Can I use the large kiln?", "Yes, and there's no need to ask the studio manager for permission."),
        ("May I use the studio alone?", "All participants may use the studio alone."),
        ("What comes with the Solo pass?", "The Solo pass includes one shelf, a locker and 5 kg of clay."),
        ("Can the kiln room be photographed?", "Yes, take as many as you like."),
    ],
)
def test_rejects_what_another_passage_says_and_what_the_source_asks_for(question: str, answer: str) -> None:
    assert not good(question, answer)
