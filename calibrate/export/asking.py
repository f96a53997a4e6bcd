"""A judge as a module that asks its model itself, around which a tool's own definition is written."""

from __future__ import annotations

import json
import textwrap

from calibrate.domain import Json, number
from calibrate.export.adapted import adapted_module
from calibrate.export.bundle import Exported
from calibrate.export.literals import literal

__all__ = ["asking_module", "field_names", "names_in_order", "numbers", "scores"]

_WIDTH = 100

_ASK = '''\
def ask(inputs: Mapping[str, Any]) -> Verdict:
    """Ask the model about one item, and return its verdict; without a label, it says why.

    Raises:
        ValueError: an input is missing.
        TypeError: an input is no text.
        Exception: the model could not be asked, in the words of its library.
    """
    return answer(render(inputs))
'''

_OPENAI = '''\
def answer(request: Mapping[str, Any]) -> Verdict:
    """Send a request, and read the verdict of its reply."""
    from openai import BadRequestError

    client = _client()
    messages = [{"role": "user", "content": request["user"]}]
    if request["system"]:
        messages.insert(0, {"role": "system", "content": request["system"]})
    own = client.base_url.host == "api.openai.com"  # other servers know the older name of the limit
    options: dict[str, Any] = {"max_completion_tokens" if own else "max_tokens": MAX_TOKENS}
    if TEMPERATURE is not None and not _REFUSED:
        options["temperature"] = TEMPERATURE
    if request["schema"] is not None:
        reply_format = {"name": "reply", "strict": True, "schema": request["schema"]}
        options["response_format"] = {"type": "json_schema", "json_schema": reply_format}
    try:
        choice = client.chat.completions.create(model=SERVED_MODEL, messages=messages, **options).choices[0]
    except BadRequestError as error:
        if "temperature" not in options or "temperature" not in str(error):
            raise
        _REFUSED.add("temperature")  # there are models that take none
        return answer(request)
    refusal = choice.message.refusal
    text = choice.message.content or refusal or ""
    return parse(_UNSTORABLE.sub("\\ufffd", text), "refusal" if refusal else choice.finish_reason or "stop")


@lru_cache(maxsize=1)
def _client() -> Any:
    """Connect when the first item is judged, by OPENAI_API_KEY and OPENAI_BASE_URL."""
    from openai import OpenAI

    return OpenAI()


_REFUSED: set[str] = set()
_UNSTORABLE = re.compile("[\\ud800-\\udfff\\x00]")
'''

_ANTHROPIC = '''\
def answer(request: Mapping[str, Any]) -> Verdict:
    """Send a request, and read the verdict of its reply. The API takes no temperature from this judge."""
    from anthropic import transform_schema

    options: dict[str, Any] = {}
    if request["system"]:
        options["system"] = [{"type": "text", "text": request["system"], "cache_control": {"type": "ephemeral"}}]
    if request["schema"] is not None:
        options["output_config"] = {"format": {"type": "json_schema", "schema": transform_schema(request["schema"])}}
    messages = [{"role": "user", "content": request["user"]}]
    reply = _client().messages.create(model=SERVED_MODEL, max_tokens=MAX_TOKENS, messages=messages, **options)
    said = "\\n".join(block.text for block in reply.content if block.type == "text")
    text = said or getattr(reply.stop_details, "explanation", None) or ""  # a refusal explains itself there
    return parse(_UNSTORABLE.sub("\\ufffd", text), reply.stop_reason or "stop")


@lru_cache(maxsize=1)
def _client() -> Any:
    """Connect when the first item is judged, by ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL."""
    from anthropic import Anthropic

    return Anthropic()


_UNSTORABLE = re.compile("[\\ud800-\\udfff\\x00]")
'''

_SENT = (
    "The file asks the model itself, and {tool} adds nothing to the request. It is the one that was measured, with the "
    "same texts, reply format{temperature} and token limit, and the reply is read by the same rules. A reply without a "
    "verdict is never a low score: it is {unscored}."
)

_SERVED = ("what the server calls the model", "to be set: no server is known to have a model of this name")
_NEEDS = {
    "openai": "It needs the library openai and OPENAI_API_KEY; OPENAI_BASE_URL names {server}.",
    "anthropic": "It needs the library anthropic and ANTHROPIC_API_KEY; ANTHROPIC_BASE_URL names {server}.",
}
_OUTPUTS = "answer response output reply completion actual_output prediction generation summary translation".split()
_INPUTS = "question query input prompt user_input instruction instructions request".split()
_REFERENCES = "reference expected_output expected reference_answer ground_truth target gold".split()
_CONTEXTS = "context contexts retrieved_contexts retrieval_context documents document sources source passages".split()


def asking_module(
    exported: Exported, *, tool: str, unscored: str, usage: str, library: str, modules: tuple[str, ...], adapter: str
) -> str:
    """Return a module with the judge, what asks its model, and a definition for a tool.

    Args:
        exported: the judge.
        tool: what the tool is called.
        unscored: what becomes of a reply without a verdict, in the tool's words.
        usage: how the definition is used.
        library: the lines that import from the tool.
        modules: the lines that import from the standard library for the definition.
        adapter: the definition; it has ``ask(inputs)``, ``answer(request)``, the judge's constants and ``NAME``.

    Raises:
        InputError: the judge is asked in a way that such a module does not know.
    """
    provider = "anthropic" if exported.api == "anthropic" else "openai"
    temperature = ", temperature" if provider == "openai" and exported.settings.temperature is not None else ""
    sent = textwrap.fill(_SENT.format(tool=tool, unscored=unscored, temperature=temperature), _WIDTH)
    asking = [_ASK] if "ask(" in adapter else []
    asking.append(_ANTHROPIC if provider == "anthropic" else _OPENAI)
    return adapted_module(
        exported,
        tool=tool,
        usage=f"{usage}\n\n{sent}\n\n{_unknown(exported)}{_needs(exported, provider)}",
        library=library,
        modules=("from functools import lru_cache", *modules),
        adapter="\n\n".join([adapter, *asking]),
        further=f"SERVED_MODEL = {literal(exported.served or exported.model)}  # {_SERVED[exported.served is None]}\n",
    )


def scores(exported: Exported) -> dict[str, Json]:
    """Return the number for each label where labels have one: nominal labels and scores have none."""
    scale = exported.scale
    if scale.kind in ("interval", "nominal"):
        return {}
    return {label: _whole(scale.value(label)) for label in scale.labels}


def numbers(exported: Exported) -> dict[str, Json]:
    """Return the labels that are all numbers, as numbers; else nothing."""
    values = [number(label) for label in exported.scale.labels]
    known = [value for value in values if value is not None]
    return {} if len(known) < len(values) else dict(zip(exported.scale.labels, map(_whole, known), strict=True))


def field_names(exported: Exported) -> dict[str, str]:
    """Return, by its role (``input``, ``output``, ``reference``, ``context``), the input whose name says that role."""
    roles = {"input": _INPUTS, "output": _OUTPUTS, "reference": _REFERENCES, "context": _CONTEXTS}
    found: dict[str, str] = {}
    for role, names in roles.items():
        name = next((name for name in names if name in exported.inputs), None)
        if name is not None:
            found[role] = name
    return found


def names_in_order(exported: Exported) -> str:
    """Return the inputs as they stand in an example of an item."""
    return ", ".join(f"{json.dumps(name, ensure_ascii=False)}: ..." for name in exported.inputs)


def _needs(exported: Exported, provider: str) -> str:
    vendors = exported.model.startswith(f"{provider}:")
    return _NEEDS[provider].format(server="another server" if vendors else "the server, which has to be set")


def _unknown(exported: Exported) -> str:
    if exported.served is not None:
        return ""
    name = " ".join(exported.model.split())
    told = (
        f"No server is known to have {name}: set SERVED_MODEL to what yours calls the model, before anything is judged."
    )
    return textwrap.fill(told, _WIDTH, break_long_words=False, break_on_hyphens=False) + "\n\n"


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() else value
