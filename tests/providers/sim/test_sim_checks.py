"""Each directive switches on its own check: what it finds, what it leaves alone, and what is missed without it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from sim_requests import FAITHFUL, FIEL, judge_request, verdict

from calibrate.providers.sim import DIRECTIVES, SimReader

READER = SimReader()

ASK = {
    "figures": (
        "Compare numbers, dates and amounts with the source.",
        "Compara números, fechas e importes con la fuente.",
    ),
    "entities": (
        "Check that each statement is about the same product, person or place as in the source.",
        "Comprueba que cada afirmación habla del mismo producto, persona o lugar que la fuente.",
    ),
    "negation": ("Watch negations, exceptions and conditions.", "Vigila las negaciones, excepciones y condiciones."),
    "claims": (
        "Split the answer into claims and check each one by itself.",
        "Divide la respuesta en afirmaciones y comprueba cada una por separado.",
    ),
    "unsupported": (
        "Whatever the source does not state counts as an error, however plausible it is.",
        "Lo que la fuente no dice cuenta como error, por verosímil que sea.",
    ),
    "silence": (
        "Do not take the silence of the source for a no.",
        "No tomes el silencio de la fuente por un no.",
    ),
    "truncation": (
        "A source sentence that is cut off does not support what it would have said.",
        "Una frase cortada de la fuente no respalda lo que habría dicho.",
    ),
    "paraphrase": (
        "Other wording, order or style is no error.",
        "Otra redacción, otro orden u otro estilo no es un error.",
    ),
    "omission": ("Leaving details out is no error.", "Dejar detalles fuera no es un error."),
    "all-or-nothing": (
        "One failing claim fails the whole answer.",
        "Una sola afirmación fallida suspende toda la respuesta.",
    ),
}


@dataclass(frozen=True)
class Case:
    language: str
    context: str
    good: str
    bad: str
    question: str = ""

    def label(self, answer: str, *directives: str) -> str:
        which = 0 if self.language == "en" else 1
        prompt = " ".join([(FAITHFUL, FIEL)[which], *(ASK[name][which] for name in directives)])
        inputs = {"question": self.question, "context": self.context, "answer": answer}
        return str(verdict(READER, judge_request(prompt, inputs))["label"])


FIGURES = (
    Case("en", "Orders arrive within 30 days.", "Orders arrive within thirty days.", "Orders arrive within 20 days."),
    Case("en", "The fee is 8 euros.", "The fee is 8 €.", "The fee is 9 €."),
    Case("en", "The deposit is 20 per cent.", "The deposit is 20%.", "The deposit is 25%."),
    Case("en", "The trial lasts two weeks.", "The trial lasts 14 days.", "The trial lasts 14 hours."),
    Case("en", "It opened on 5 May 2012.", "It opened on May 5, 2012.", "It opened on May 6, 2012."),
    Case("en", "The doors close at 21:30.", "The doors close at 9:30 pm.", "The doors close at 8:30 pm."),
    Case(
        "es",
        "Los pedidos llegan en 30 días.",
        "Los pedidos llegan en treinta días.",
        "Los pedidos llegan en veinte días.",
    ),
    Case("es", "La cuota es de 8 €.", "La cuota es de 8 euros.", "La cuota es de 9 euros."),
    Case("es", "La señal es del 20 %.", "La señal es del 20 por ciento.", "La señal es del 30 por ciento."),
    Case("es", "La garantía dura 24 meses.", "La garantía dura dos años.", "La garantía dura tres años."),
)
ENTITIES = (
    Case(
        "en",
        "The Alto tent has a porch. The Bravo tent has a stove.",
        "The Bravo tent has a stove.",
        "The Alto tent has a stove.",
    ),
    Case(
        "en",
        "Laptops come with a carrying case. Headphones come with a cable.",
        "Laptops come with a carrying case.",
        "Headphones come with a carrying case.",
    ),
    Case(
        "en",
        "# Monthly pass\nIt includes the sauna.\n\n# Annual pass\nIt includes the pool.",
        "The monthly pass includes the sauna.",
        "The annual pass includes the sauna.",
    ),
    Case(
        "es",
        "La tienda Alta tiene porche. La tienda Brava tiene cocina.",
        "La tienda Brava tiene cocina.",
        "La tienda Alta tiene cocina.",
    ),
    Case(
        "es",
        "El plan mensual incluye la sauna. El plan anual incluye la piscina.",
        "El plan mensual incluye la sauna.",
        "El plan anual incluye la sauna.",
    ),
)
NEGATION = (
    Case(
        "en",
        "Dogs are not allowed in the garden.",
        "Dogs are not allowed in the garden.",
        "Dogs are allowed in the garden.",
    ),
    Case("en", "The shop is closed on Sundays.", "The shop is closed on Sundays.", "The shop is open on Sundays."),
    Case("en", "Entry is free only for members.", "Entry is free only for members.", "Entry is free."),
    Case(
        "en",
        "Books may be renewed unless another reader is waiting.",
        "Books may be renewed unless another reader is waiting.",
        "Books may be renewed.",
    ),
    Case("en", "Members get a towel.", "Members get a towel.", "Only members with a locker get a towel."),
    Case(
        "es",
        "No se admiten perros en el jardín.",
        "En el jardín no se admiten perros.",
        "En el jardín se admiten perros.",
    ),
    Case("es", "La tienda cierra los domingos.", "La tienda cierra los domingos.", "La tienda abre los domingos."),
    Case(
        "es",
        "La entrada es gratuita solo para socios.",
        "La entrada es gratuita solo para socios.",
        "La entrada es gratuita.",
    ),
    Case(
        "es",
        "Se aceptan devoluciones, salvo de ropa interior.",
        "Se aceptan devoluciones, salvo de ropa interior.",
        "Se aceptan devoluciones.",
    ),
)
UNSUPPORTED = (
    Case(
        "en",
        "The hotel has forty rooms.",
        "The hotel has forty rooms.",
        "Guests praise its excellent breakfast buffet.",
    ),
    Case(
        "es",
        "El hotel tiene cuarenta habitaciones.",
        "El hotel tiene cuarenta habitaciones.",
        "Sus huéspedes alaban el desayuno.",
    ),
)
SILENCE = (
    Case(
        "en",
        "The hotel has a pool. Pets are not admitted.",
        "Pets are not admitted.",
        "The hotel does not have a sauna.",
        "What does the hotel have?",
    ),
    Case(
        "es",
        "El hotel tiene piscina. No se admiten mascotas.",
        "No se admiten mascotas.",
        "El hotel no tiene sauna.",
        "¿Qué tiene el hotel?",
    ),
)
TRUNCATION = (
    Case(
        "en",
        "Breakfast is served from seven. Photography is permitted, but tripods are",
        "Photography is permitted.",
        "Photography is permitted, but tripods are forbidden.",
    ),
    Case(
        "es",
        "El desayuno se sirve desde las siete. Se permiten fotos, pero los trípodes están",
        "Se permiten fotos.",
        "Se permiten fotos, pero los trípodes están prohibidos.",
    ),
)
CASES = [
    (name, case)
    for name, cases in (
        ("figures", FIGURES),
        ("entities", ENTITIES),
        ("negation", NEGATION),
        ("unsupported", UNSUPPORTED),
        ("silence", SILENCE),
        ("truncation", TRUNCATION),
    )
    for case in cases
]


@pytest.mark.parametrize(("directive", "case"), CASES)
def test_a_check_finds_the_fault_and_leaves_the_rest_alone(directive: str, case: Case) -> None:
    assert case.label(case.bad, directive, "claims", "all-or-nothing", "omission") == "0"
    assert case.label(case.good, directive, "claims", "all-or-nothing", "omission") == "1"


@pytest.mark.parametrize(("directive", "case"), CASES)
def test_all_checks_together_find_it_too(directive: str, case: Case) -> None:
    strict = [name for name in DIRECTIVES if name != "paraphrase"]
    assert case.label(case.bad, *strict) == "0"


@pytest.mark.parametrize(
    ("directive", "case"),
    [(name, case) for name, case in CASES if name in ("figures", "entities", "negation", "silence")],
)
def test_a_careless_prompt_misses_it(directive: str, case: Case) -> None:
    assert case.label(case.bad) == "1"


@pytest.mark.parametrize("case", FIGURES + NEGATION)
def test_one_directive_alone_is_enough_for_one_claim(case: Case) -> None:
    directive = "figures" if case in FIGURES else "negation"
    assert case.label(case.bad, directive, "omission") == "0"


TWO_OF_THREE = Case(
    "en",
    "The ferry leaves at 10 am. The trip costs 12 euros. Bicycles travel free.",
    "The ferry leaves at 10 am. The trip costs 12 euros. Bicycles travel free.",
    "The ferry leaves at 10 am. The trip costs 19 euros. Bicycles travel free.",
)
DOS_DE_TRES = Case(
    "es",
    "El barco sale a las 10:00. El viaje cuesta 12 euros. Las bicicletas viajan gratis.",
    "El barco sale a las 10:00. El viaje cuesta 12 euros. Las bicicletas viajan gratis.",
    "El barco sale a las 10:00. El viaje cuesta 19 euros. Las bicicletas viajan gratis.",
)


@pytest.mark.parametrize("case", [TWO_OF_THREE, DOS_DE_TRES])
def test_without_all_or_nothing_a_majority_of_claims_decides(case: Case) -> None:
    assert case.label(case.bad, "figures", "claims", "omission") == "1"
    assert case.label(case.bad, "figures", "claims", "omission", "all-or-nothing") == "0"
    assert case.label(case.good, "figures", "claims", "omission", "all-or-nothing") == "1"


@pytest.mark.parametrize(
    ("language", "context", "answer"),
    [
        ("en", "Purchases can be sent back during one month.", "You may return what you bought within 30 days."),
        ("es", "Las compras pueden retornarse durante un mes.", "Puedes devolver tus pedidos en un plazo de 30 días."),
    ],
)
def test_strictness_alone_rejects_other_words_and_tolerance_accepts_them(
    language: str, context: str, answer: str
) -> None:
    case = Case(language, context, answer, answer)
    strict = ("unsupported", "claims", "all-or-nothing", "omission")
    assert case.label(answer, *strict) == "0"
    assert case.label(answer, *strict, "paraphrase") == "1"


@pytest.mark.parametrize(
    ("language", "context", "question", "answer"),
    [
        (
            "en",
            "The climbing hall offers beginners a harness, shoes, chalk and an instructor on weekday evenings.",
            "What does the climbing hall offer beginners on weekday evenings?",
            "Chalk.",
        ),
        (
            "es",
            "El rocódromo ofrece a los principiantes arnés, zapatos, magnesio y un monitor por las tardes.",
            "¿Qué ofrece el rocódromo a los principiantes por las tardes?",
            "Magnesio.",
        ),
    ],
)
def test_brevity_is_a_fault_unless_omissions_are_allowed(
    language: str, context: str, question: str, answer: str
) -> None:
    case = Case(language, context, answer, answer, question)
    assert case.label(answer, "claims", "all-or-nothing") == "0"
    assert case.label(answer, "claims", "all-or-nothing", "omission") == "1"


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "I have no information about a sauna."),
        ("en", "The context does not mention a sauna."),
        ("es", "No dispongo de información sobre una sauna."),
        ("es", "El contexto no menciona ninguna sauna."),
    ],
)
def test_saying_that_the_source_is_silent_denies_nothing(language: str, answer: str) -> None:
    context = "The hotel has a pool." if language == "en" else "El hotel tiene piscina."
    case = Case(language, context, answer, answer)
    assert case.label(answer, *(name for name in DIRECTIVES if name != "omission"), "omission") == "1"


@pytest.mark.parametrize(
    ("language", "question", "context", "yes", "no"),
    [
        ("en", "Are dogs allowed in the garden?", "Dogs are allowed in the garden.", "Yes.", "No."),
        ("es", "¿Se admiten perros en el jardín?", "Se admiten perros en el jardín.", "Sí.", "No."),
    ],
)
def test_a_bare_yes_or_no_claims_what_was_asked(language: str, question: str, context: str, yes: str, no: str) -> None:
    case = Case(language, context, yes, no, question)
    assert case.label(yes, "negation", "omission") == "1"
    assert case.label(no, "negation", "omission") == "0"


def test_greetings_and_offers_of_help_are_no_claims() -> None:
    case = Case("en", "Orders arrive within 30 days.", "", "")
    answer = "Thanks for reaching out! Orders arrive within 30 days. Let me know if you need anything else."
    assert case.label(answer, *DIRECTIVES) == "1"


def test_a_table_row_is_about_its_first_cell() -> None:
    table = "| Model | Weight | Price |\n|---|---|---|\n| Kite | 350 g | $49 |\n| Heron | 900 g | $119 |"
    case = Case("en", table, "The Heron costs $119.", "The Kite costs $119.", "What does it cost?")
    strict = ("figures", "entities", "claims", "all-or-nothing", "omission")
    assert case.label(case.good, *strict) == "1"
    assert case.label(case.bad, *strict) == "0"
