"""A reader whom other words do not bother accepts rewording and still finds what was changed, added or made up."""

from __future__ import annotations

import pytest

from calibrate.providers.sim.attention import Attention
from calibrate.providers.sim.judging import Judgement, judge_support

ALL = frozenset(
    "figures entities negation claims unsupported silence truncation paraphrase omission all-or-nothing".split()
)

HOSTEL = (
    "Lanternfish Hostel house rules. Check-in is from 3 pm and reception closes at 11 pm. Dorm beds cost €24 a"
    " night and private rooms €62. Guests under 25 get 10% off dorm beds. Towels can be rented for €3; bed "
    "linen is included. Bookings may be cancelled free of charge up to 72 hours before arrival; after that the"
    " first night is charged. Smoking is forbidden everywhere except on the roof terrace. The kitchen is open "
    "to all guests until 10 pm. Bicycles can be left in the courtyard, but not in the corridors. Groups of "
    "more than eight should write to Henrike Vosgerau. If you lose your key card,"
)
SKI = (
    "Pases de esquí de Peñablanca. El pase de Mañana vale de 8:30 a 13:00 y cuesta 29 €. El pase de Día cuesta"
    " 46 € y el de Semana, 210 €. Los menores de seis años no pagan si van acompañados de un adulto con pase. "
    "El pase de Semana incluye el aparcamiento cubierto; los demás pases, no. El alquiler de casco cuesta 5 € "
    "por día. Si la estación cierra por viento más de cuatro horas, se devuelve la mitad del importe del pase "
    "de Día. Las clases se reservan en la caseta de Rosalba Iturbe con dos días de antelación. Está prohibido "
    "esquiar fuera de pista salvo con guía. Los pases extraviados"
)


def read(
    answer: str, context: str, question: str, directives: frozenset[str] = ALL, *, small: bool = False
) -> Judgement:
    return judge_support(answer, (context,), question, Attention(directives, small=small))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When can I arrive?", "You're welcome to turn up any time after three in the afternoon."),
        ("What does a dorm bed cost for a 22-year-old?", "Being under 25, you'd pay €21.60 a night."),
        ("How much are two nights in a private room?", "That comes to €124."),
        ("Can I bring my own sheets?", "There's no need, since those come with the price."),
        ("Can I smoke in my room?", "No. The roof terrace is the one spot where lighting up is tolerated."),
        ("May I cancel four days ahead?", "Yes, that costs nothing, as you're outside the three-day limit."),
        ("Where may I put my bike?", "Somewhere in the courtyard; the corridors are off limits."),
        ("Do you have a swimming pool?", "The house rules say nothing about a swimming pool."),
        ("When is check-in?", "Check-in is from 3 pm and reception closes at 11 pm."),
        ("Do I need to pay for towels?", "Yes, you can hire one for three euros."),
    ],
)
def test_accepts_an_answer_in_other_words(question: str, answer: str) -> None:
    judgement = read(answer, HOSTEL, question)
    assert judgement.good, judgement.results


@pytest.mark.parametrize(
    ("question", "answer", "check"),
    [
        ("When is check-in?", "Check-in is from 2 pm and reception closes at 11 pm.", "figures"),
        ("What do beds cost?", "Dorm beds cost €28 a night and private rooms €62.", "figures"),
        ("Is there a discount?", "Guests under 25 get 10% off private rooms.", "entities"),
        ("Whom do groups write to?", "Groups of more than eight should write to Henrike Vossberg.", "entities"),
        ("Is linen included?", "Towels and bed linen are included.", "entities"),
        ("Can I smoke?", "Smoking is forbidden everywhere, including on the roof terrace.", "negation"),
        ("Where do bicycles go?", "Bicycles can be left in the courtyard and in the corridors.", "negation"),
        (
            "Can I use the kitchen?",
            "The kitchen is open to all guests until 10 pm and has a dishwasher.",
            "unsupported",
        ),
        ("Do you have a swimming pool?", "No, the hostel does not have a swimming pool.", "silence"),
        (
            "I lost my key card. What now?",
            "If you lose your key card, you have to pay €15 for a new one.",
            "truncation",
        ),
    ],
)
def test_finds_what_a_near_quotation_changes(question: str, answer: str, check: str) -> None:
    judgement = read(answer, HOSTEL, question)
    assert not judgement.good, (judgement.reason, check)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("¿Hasta qué hora me sirve el pase de Mañana?", "Puedes usarlo hasta la una del mediodía."),
        ("¿Cuánto pagamos dos adultos por un día?", "Entre los dos, 92 €."),
        ("Mi hija tiene cuatro años. ¿Paga?", "No, con tu pase ella entra gratis."),
        ("Cerraron cinco horas por viento. ¿Me devuelven algo?", "Sí, 23 €, que es la mitad de lo que vale el de Día."),
        ("¿Puedo esquiar fuera de pista?", "Solo si te acompaña un guía; por tu cuenta no está permitido."),
        ("¿Tengo parking con el pase de Día?", "No, el garaje a cubierto va solo con el de Semana."),
        ("¿Cuánto cuesta el casco tres días?", "Quince euros."),
        ("¿Hay guardería?", "El texto no menciona ninguna guardería."),
        ("¿Cuánto cuesta el pase de Semana?", "El pase de Semana cuesta 210 €."),
    ],
)
def test_accepts_a_spanish_answer_in_other_words(question: str, answer: str) -> None:
    judgement = read(answer, SKI, question)
    assert judgement.good, judgement.results


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("¿Cuánto cuesta el pase de Mañana?", "El pase de Mañana vale de 8:30 a 13:00 y cuesta 33 €."),
        ("¿Qué incluye el pase de Día?", "El pase de Día incluye el aparcamiento cubierto."),
        (
            "¿Dónde se reservan las clases?",
            "Las clases se reservan en la caseta de Rosaura Iturbe con dos días de antelación.",
        ),
        ("¿Se puede esquiar fuera de pista?", "Está prohibido esquiar fuera de pista incluso con guía."),
        ("¿Pagan los menores?", "Los menores de seis años no pagan aunque vayan solos."),
        ("¿Hay guardería?", "No, la estación no tiene guardería."),
        ("¿Y si pierdo el pase?", "Los pases extraviados se reponen por 10 € en la taquilla."),
        ("¿Cuánto cuesta el casco?", "El alquiler de casco cuesta 5 € por día y de botas, 9 €."),
        (
            "¿Qué incluye el pase de Semana?",
            "El pase de Semana incluye el aparcamiento cubierto y una clase de prueba.",
        ),
    ],
)
def test_finds_what_a_spanish_answer_changes(question: str, answer: str) -> None:
    judgement = read(answer, SKI, question)
    assert not judgement.good, judgement.reason


LOCKERS = (
    "Locker hire.\n\nSmall\nTwo euros a day. Holds bags up to 8 kg. Opens with the Tapkey app.\n\n"
    "Large\nFive euros a day. Holds bags up to 20 kg. Opens with the Boxly app.\n\n"
    "Rules\nLockers are emptied after 72 hours. Lost codes cost 4 euros."
)


@pytest.mark.parametrize(
    ("answer", "good"),
    [
        ("With a large one you pay five euros daily and can stow as much as 20 kg.", True),
        ("In a small locker you can stow bags of as much as 20 kg.", False),
        ("You unlock a large locker with the Tapkey app.", False),
        ("A large locker gets cleared once seventy-two hours are over.", True),
    ],
)
def test_a_figure_or_a_name_belongs_to_the_heading_it_stands_under(answer: str, good: bool) -> None:
    judgement = read(answer, LOCKERS, "How do lockers work?")
    assert judgement.good is good, judgement.results


def test_finds_a_statement_that_has_nothing_to_do_with_the_source() -> None:
    assert not read("Wednesday quizzes award wine vouchers.", HOSTEL, "When can I arrive?").good


def test_without_the_leave_to_reword_a_prompt_rejects_other_words() -> None:
    answer = "You're welcome to turn up any time after three in the afternoon."
    assert not read(answer, HOSTEL, "When can I arrive?", ALL - {"paraphrase"}).good


def test_the_smaller_reader_misses_who_a_rule_is_for_but_sees_figures() -> None:
    assert read("Guests under 25 get 10% off private rooms.", HOSTEL, "Is there a discount?", small=True).good
    assert not read("Dorm beds cost €28 a night and private rooms €62.", HOSTEL, "What do beds cost?", small=True).good
