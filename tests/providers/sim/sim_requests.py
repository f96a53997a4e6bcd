"""Judge requests and meta-prompts in the shape that the judge and the optimizer send, for the simulator's tests."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from calibrate.domain import Model, ModelRequest, ModelResponse

Text = str | Sequence[str]

FAITHFUL = "Decide whether the answer is faithful to the context."
FIEL = "Decide si la respuesta es fiel al contexto."
BINARY = {"1": "the answer meets the criterion.", "0": "the answer does not meet the criterion."}
BINARIO = {"1": "la respuesta cumple el criterio.", "0": "la respuesta no cumple el criterio."}

ALL_EN = (
    "Split the answer into claims and check each one by itself. Compare numbers, dates, amounts and units with "
    "the source. Check that each statement is about the same product, person or place as in the source. Watch "
    "negations, exceptions and conditions. Whatever the source does not state counts as failing, however "
    "plausible. If the source does not mention something, that is no proof that it is not so. A source sentence "
    "that is cut off does not support what it would have said. Other wording is no error. Leaving details out is "
    "no error. One failing claim fails the whole answer."
)
ALL_ES = (
    "Divide la respuesta en afirmaciones y comprueba cada una por separado. Compara números, fechas, importes y "
    "unidades con la fuente. Comprueba que cada afirmación habla del mismo producto, persona o lugar que la "
    "fuente. Vigila las negaciones, excepciones y condiciones. Lo que la fuente no dice cuenta como fallo, por "
    "verosímil que sea. Que la fuente no mencione algo no prueba que no exista. Una frase cortada de la fuente no "
    "respalda lo que habría dicho. Otra redacción no es un error. Dejar detalles fuera no es un error. Una sola "
    "afirmación fallida suspende toda la respuesta."
)


def data_block(inputs: Mapping[str, Text]) -> str:
    parts = ["<item>"]
    for name, text in inputs.items():
        if isinstance(text, str):
            body = text or "(empty)"
        else:
            body = (
                "\n".join(f'<chunk index="{n}">\n{chunk}\n</chunk>' for n, chunk in enumerate(text, start=1))
                or "(empty)"
            )
        parts.append(f"<{name}>\n{body}\n</{name}>")
    return "\n".join([*parts, "</item>"])


def judge_request(
    instructions: str,
    inputs: Mapping[str, Text],
    *,
    meanings: Mapping[str, str] = BINARY,
    number: str = "",
    spanish: bool = False,
    abstain: bool = False,
    max_tokens: int = 1024,
) -> ModelRequest:
    heading, word = ("## Veredicto", "Etiqueta") if spanish else ("## Verdict", "Label")
    lines = (
        [f'{word} "{label}": {meaning}' for label, meaning in meanings.items()] if not number else [f"{word}: {number}"]
    )
    labels = list(meanings)
    if abstain:
        lines.append(f'{word} "CANNOT_ASSESS": the item cannot be assessed from what is given.')
        labels.append("CANNOT_ASSESS")
    label: dict[str, Any] = {"type": "number"} if number else {"type": "string", "enum": labels}
    return ModelRequest(
        system=f"{instructions}\n\n{heading}\nReply with one JSON object and nothing else.\n" + "\n".join(lines),
        user=data_block(inputs),
        schema={
            "type": "object",
            "properties": {"reasoning": {"type": "string"}, "label": label},
            "required": ["reasoning", "label"],
            "additionalProperties": False,
        },
        max_tokens=max_tokens,
    )


def ask(model: Model, request: ModelRequest) -> ModelResponse:
    return asyncio.run(model.complete(request))


def verdict(model: Model, request: ModelRequest) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(ask(model, request).text)
    assert set(reply) == {"reasoning", "label"}
    return reply


def meta_request(
    *,
    current: str,
    strategy: str,
    errors: Sequence[Mapping[str, Any]] = (),
    tried: Sequence[str] = (),
    dimension: str = "faithfulness",
    language: str = "en",
    limit: int = 6000,
    repeat: int = 0,
) -> ModelRequest:
    shown = []
    for error in errors:
        inputs = data_block(error["inputs"]).removeprefix("<item>\n").removesuffix("\n</item>")
        note = f"<expert_note>{error['note']}</expert_note>\n" if error.get("note") else ""
        shown.append(
            f'<error kind="{error["kind"]}">\n{inputs}\n'
            f"<expert_label>{error['expert']}</expert_label>\n{note}"
            f"<judge_label>{error['judge']}</judge_label>\n"
            f"<judge_reasoning>{error.get('reasoning', '')}</judge_reasoning>\n</error>"
        )
    history = "\n".join(f'<tried score="0.3000" strategy="start">\n{text}\n</tried>' for text in tried)
    user = (
        f"<task>\nDimension: {dimension}\nLanguage: {language}\nInputs the judge sees: question, context, answer\n"
        f'Good label: "1". Bad label: "0".\nLength limit: {limit} characters\n</task>\n'
        f"<history>\n{history}\n</history>\n"
        f"<rejected>\n</rejected>\n<errors>\n"
        + "\n".join(shown)
        + f'\n</errors>\n<current score="0.4000">\n{current}\n'
        f'</current>\n<request strategy="{strategy}">\nRewrite it.\n</request>'
    )
    return ModelRequest(
        system="You improve the instructions of an LLM judge.", user=user, max_tokens=4096, repeat=repeat
    )


def rewritten(response: ModelResponse) -> str:
    found = re.search(r"<prompt>\n(.*)\n</prompt>", response.text, re.DOTALL)
    assert found, response.text
    return found[1]
