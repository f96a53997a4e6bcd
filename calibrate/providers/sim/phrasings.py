"""How the simulated prompt writer says things: introductions, and several ways to ask for each directive."""

from __future__ import annotations

from typing import Literal

__all__ = ["ASKING", "CLOSINGS", "COMMENTS", "CRITERIA", "INTRODUCTIONS", "PLACED"]

Tongue = Literal["en", "es"]

INTRODUCTIONS: dict[str, dict[Tongue, tuple[str, ...]]] = {
    "faithfulness": {
        "en": (
            "Judge whether the answer is faithful to the context it was given.",
            "Your task: decide if the answer is faithful to its context.",
            "You review answers of an assistant. Say whether the answer is grounded in the context.",
            "Compare the answer with the context and decide whether it is faithful.",
        ),
        "es": (
            "Juzga si la respuesta es fiel al contexto que se le dio.",
            "Tu tarea: decidir si la respuesta es fiel a su contexto.",
            "Revisas respuestas de un asistente. Di si la respuesta es fiel al contexto.",
            "Compara la respuesta con el contexto y decide si es fiel.",
        ),
    },
    "relevance": {
        "en": (
            "Judge whether the answer is relevant to the question.",
            "Your task: decide if the answer is relevant to what was asked.",
            "Decide whether the answer addresses the question.",
            "Say whether the answer is relevant and addresses the question.",
        ),
        "es": (
            "Juzga si la respuesta es pertinente para la pregunta.",
            "Tu tarea: decidir si la respuesta es pertinente para lo que se pregunta.",
            "Decide si la respuesta responde a la pregunta.",
            "Di si la respuesta es pertinente y responde a la pregunta.",
        ),
    },
    "accuracy": {
        "en": (
            "Judge the factual accuracy of the answer.",
            "Your task: decide if the answer is factually accurate.",
            "Say whether the answer is accurate, judged by the reference.",
            "Decide whether the answer is accurate.",
        ),
        "es": (
            "Juzga la exactitud de la respuesta.",
            "Tu tarea: decidir si la respuesta es factualmente exacta.",
            "Di si hay exactitud en la respuesta, a juzgar por la referencia.",
            "Valora la exactitud de la respuesta.",
        ),
    },
}

ASKING: dict[str, dict[Tongue, tuple[str, ...]]] = {
    "figures": {
        "en": (
            "Compare every number, date, amount and unit with the source.",
            "Figures, prices and deadlines must be exactly those of the source.",
            "Check all quantities and dates against the source; a different value is an error.",
            "Treat a wrong number, price or date as an error.",
            "Look at each amount and each date, in digits or in words, and confirm that the source has the same.",
        ),
        "es": (
            "Compara cada número, fecha, importe y unidad con la fuente.",
            "Las cifras, los precios y los plazos deben ser exactamente los de la fuente.",
            "Comprueba todas las cantidades y fechas con la fuente; otro valor es un error.",
            "Considera un error cualquier número, precio o fecha equivocados.",
            "Fíjate en los importes y las fechas, en cifra o en letra, y confirma que la fuente tiene los mismos.",
        ),
    },
    "entities": {
        "en": (
            "Check that the source speaks of the same product, person or plan as the answer.",
            "A rule that belongs to another product or plan does not count.",
            "Make sure that nothing said of one product is attributed to another.",
            "Information about a different person, plan or place is no support.",
            "Watch for mix-ups between similar products, plans or people.",
        ),
        "es": (
            "Comprueba que la fuente habla del mismo producto, persona o plan que la respuesta.",
            "Una norma que pertenece a otro producto o plan no cuenta.",
            "Asegúrate de que nada de lo que se dice de un producto se atribuye a otro.",
            "La información sobre otra persona, otro plan u otro lugar no sirve.",
            "Vigila las confusiones entre productos, planes o personas parecidos.",
        ),
    },
    "negation": {
        "en": (
            "Watch negations and opposites: a reversed meaning is an error.",
            "Exceptions and conditions of the source must be kept.",
            'Pay attention to words such as "not", "only", "except" and "unless".',
            "Check that what the source prohibits is not presented as allowed, or the other way round.",
            "A rule with an exception must not be stated without it.",
        ),
        "es": (
            "Vigila las negaciones y los opuestos: un sentido invertido es un error.",
            "Las excepciones y condiciones de la fuente deben conservarse.",
            "Presta atención a palabras como «no», «solo», «excepto» y «salvo».",
            "Comprueba que lo que la fuente prohíbe no se presente como permitido, ni al revés.",
            "Una norma con una excepción no debe enunciarse sin ella.",
        ),
    },
    "claims": {
        "en": (
            "Split the answer into separate claims and check each one by itself.",
            "Go through the answer claim by claim.",
            "List the statements of the answer and verify them one by one.",
            "Examine every statement individually, not the answer as a whole.",
            "Break the answer down into single facts before you decide.",
        ),
        "es": (
            "Divide la respuesta en afirmaciones y comprueba cada una por sí misma.",
            "Recorre la respuesta afirmación por afirmación.",
            "Enumera los enunciados de la respuesta y verifícalos uno a uno.",
            "Examina cada enunciado por separado y no la respuesta en conjunto.",
            "Descompón la respuesta en hechos sueltos antes de decidir.",
        ),
    },
    "unsupported": {
        "en": (
            "Whatever the source does not state counts as an error, however plausible it is.",
            "Do not use outside knowledge.",
            "Information that is not in the source is an error even if it is true.",
            "Treat every addition that the source does not back as an error.",
            "Rely on the source alone, never on what you know.",
        ),
        "es": (
            "Lo que la fuente no dice cuenta como error, por verosímil que sea.",
            "No uses conocimientos externos.",
            "La información que no está en la fuente es un error aunque sea cierta.",
            "Trata como error todo añadido que la fuente no respalde.",
            "Básate solo en la fuente y nunca en lo que sabes.",
        ),
    },
    "silence": {
        "en": (
            "If the source does not mention something, that is no proof that it does not exist.",
            "A denial needs a sentence of the source that denies it.",
            "Do not take the silence of the source for a no.",
            "Absence of evidence is not evidence of absence.",
            "Saying that something does not exist because the source does not mention it is unsupported.",
        ),
        "es": (
            "Que la fuente no mencione algo no prueba que no exista.",
            "Una negación necesita una frase de la fuente que lo niegue.",
            "No tomes el silencio de la fuente por un no.",
            "La ausencia de prueba no es prueba de ausencia.",
            "Decir que algo no existe porque la fuente no lo menciona es algo sin respaldo.",
        ),
    },
    "truncation": {
        "en": (
            "A source sentence that is cut off does not support what it would have said.",
            "Do not complete sentences that the source leaves unfinished.",
            "Where a passage breaks off, its continuation is unknown.",
            "Truncated passages back only the words that can be read.",
            "Never guess the end of a sentence that ends in an ellipsis.",
        ),
        "es": (
            "Una frase cortada de la fuente no respalda lo que habría dicho.",
            "No completes las frases que la fuente deja inacabadas.",
            "Donde un pasaje se interrumpe, su continuación es desconocida.",
            "Los pasajes truncados respaldan solo las palabras que se leen.",
            "Nunca adivines el final de una frase que acaba en puntos suspensivos.",
        ),
    },
    "paraphrase": {
        "en": (
            "Other wording, order or style is no error.",
            "Synonyms and paraphrases count as the same.",
            "Judge the meaning, not the wording.",
            "Do not penalise rephrasing or a different tone.",
            "The answer may use its own words.",
        ),
        "es": (
            "Otra redacción, otro orden u otro estilo no es un error.",
            "Los sinónimos y las paráfrasis cuentan como lo mismo.",
            "Juzga el significado y no la redacción.",
            "No penalices las reformulaciones ni otro tono.",
            "La respuesta puede usar sus propias palabras.",
        ),
    },
    "omission": {
        "en": (
            "Leaving details out is no error.",
            "The answer need not be complete.",
            "Do not penalise omissions.",
            "A short answer is fine.",
            "Missing details are not a fault.",
        ),
        "es": (
            "Dejar detalles fuera no es un error.",
            "La respuesta no tiene que ser completa.",
            "No penalices las omisiones.",
            "Una respuesta breve está bien.",
            "Que falten detalles no es un defecto.",
        ),
    },
    "all-or-nothing": {
        "en": (
            "One failing claim fails the whole answer.",
            "A single error is enough to fail the answer.",
            "Accept the answer only if all of its claims hold.",
            "If any statement fails, the whole answer fails.",
            "Correct statements do not make up for a wrong one.",
        ),
        "es": (
            "Una sola afirmación fallida suspende toda la respuesta.",
            "Un solo error basta para suspender la respuesta.",
            "Acepta la respuesta solo si se sostienen todas sus afirmaciones.",
            "Si falla cualquier afirmación, suspende la respuesta entera.",
            "Las afirmaciones correctas no compensan una incorrecta.",
        ),
    },
}

CRITERIA: dict[Tongue, tuple[str, ...]] = {
    "en": ("Criteria:", "Apply these criteria:", "Go by the following criteria:"),
    "es": ("Criterios:", "Aplica estos criterios:", "Guíate por los criterios siguientes:"),
}
CLOSINGS: dict[Tongue, tuple[str, ...]] = {
    "en": ("Then give your verdict.", "Decide after that.", ""),
    "es": ("Da después tu veredicto.", "Decide después.", ""),
}
COMMENTS: dict[Tongue, str] = {
    "en": "Simulated rewrite ({strategy}).",
    "es": "Reescritura simulada ({strategy}).",
}
PLACED: dict[str, dict[Tongue, str]] = {
    "question": {"en": "Question", "es": "Pregunta"},
    "context": {"en": "Context", "es": "Contexto"},
    "answer": {"en": "Answer", "es": "Respuesta"},
    "reference": {"en": "Reference", "es": "Referencia"},
}
