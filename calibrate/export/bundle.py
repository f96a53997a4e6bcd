"""A judge as one JSON document: what is sent, what it was measured at, and digests that show a change."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calibrate.domain import Item, Json, ModelRequest, Scale, digest
from calibrate.errors import InputError
from calibrate.judge import (
    DATA_BLOCK_VERSION,
    FORMAT_VERSION,
    JudgeSettings,
    Prompt,
    PromptJudge,
    render,
    reply_section,
    shown_inputs,
)
from calibrate.judge.verdict_format import Placement

__all__ = ["BUNDLE_SCHEMA", "KIND", "Exported", "answering", "as_json", "bundle", "read_bundle"]

BUNDLE_SCHEMA = 1
KIND = "calibrate judge"

_DATA_BLOCK = (
    "The user message holds the inputs in their order between <item> and </item>: each input between <name> and "
    '</name>, chunks of one input between <chunk index="n"> and </chunk>, every tag on a line of its own. An empty '
    "text is written (empty). In the texts, a < that starts one of these tags (any case, white space after < and / "
    "allowed) is written &lt;; every other character stays as it is."
)
_PLACED = (
    "Inputs that the prompt places stand there and not in the block, written by the same rules; in them, tags that the "
    "prompt itself closes are neutralised as well."
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ANSWERING = ("api", "model", "max_tokens", "weights")


@dataclass(frozen=True, slots=True)
class Exported:
    """A judge with its figures and where they come from.

    Attributes:
        name: a name for the judge.
        dimension: what it judges.
        prompt: its instructions.
        model: the model that was asked, such as ``openai:gpt-4.1``.
        models_returned: the models that the provider says answered.
        scale: the labels it may give.
        settings: how it is asked.
        inputs: the names of the inputs it sees, in their order.
        metrics: its alignment, as JSON.
        provenance: facts about the measurement: ``golden_set``, ``golden_digest``, ``run``, ``version`` (of the tool),
            ``n``, ``sentence``, ``simulated``, ``created``; further ones are kept.
        answering: which model stands behind the name, as :func:`answering` tells it; empty when that is not known.

    Raises:
        InputError: the judge is code and has no prompt, or its prompt places something that is no input.
    """

    name: str
    dimension: str
    prompt: Prompt
    model: str
    models_returned: tuple[str, ...]
    scale: Scale
    settings: JudgeSettings
    inputs: tuple[str, ...]
    metrics: Mapping[str, Json]
    provenance: Mapping[str, Json]
    answering: Mapping[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.settings.code:
            raise InputError(f"{self.model} is code and has no prompt to export; export a judge with a prompt")
        unknown = [name for name in self.prompt.placeholders if name not in self.inputs]
        if unknown:
            raise InputError(f"the prompt places '{unknown[0]}', which is no input of the judge; add it to the inputs")

    @property
    def judge(self) -> PromptJudge:
        """The judge itself."""
        return PromptJudge(prompt=self.prompt, model=self.model, scale=self.scale, settings=self.settings)

    @property
    def api(self) -> str:
        """Whose API the model has; a server of unknown kind is taken to have OpenAI's, as most have."""
        known = self.answering.get("api")
        provider, _, name = self.model.partition(":")
        return str(known) if known else provider if name else "openai"

    @property
    def served(self) -> str | None:
        """What the server calls the model; None when there is no server, or it is not known."""
        known = self.answering.get("model")
        provider, _, name = self.model.partition(":")
        return str(known) if known else (name or None) if provider in ("openai", "anthropic") else None

    @property
    def max_tokens(self) -> int:
        """The token limit that is sent: what is declared for the model, else the judge's own."""
        declared = self.answering.get("max_tokens")
        return declared if isinstance(declared, int) else self.settings.max_tokens

    @property
    def in_block(self) -> tuple[str, ...]:
        """The inputs that stand in the data block: those that the model sees and the prompt does not place."""
        shown = shown_inputs(self.settings.task, self.inputs)
        return tuple(name for name in shown if name not in self.prompt.placeholders)

    @property
    def section(self) -> str | None:
        """The format section that follows the instructions; None when the judge has its own output format."""
        if self.settings.parse is not None:
            return None
        placement: Placement = "block" if not self.prompt.placeholders else "mixed" if self.in_block else "prompt"
        return reply_section(self.scale, self.settings, placement)

    def example(self) -> ModelRequest:
        """The request for an item whose inputs are all empty."""
        item = Item(id="", dimension=self.dimension, inputs=dict.fromkeys(self.inputs, ""))
        return render(self.prompt, item, self.scale, self.settings)


def answering(identity: Mapping[str, Json]) -> dict[str, Json]:
    """Return what decides which model answers to a name: its API, its name there, its token limit, or its weights.

    For a judge that writes questions back, the name of the embedder that compares them as well. Where the server is, is
    left out: it differs from machine to machine, and may be nobody else's business.
    """
    embedder = identity.get("embedder")
    compared: dict[str, Json] = {"embedder": embedder["name"]} if isinstance(embedder, Mapping) else {}
    return {name: identity[name] for name in _ANSWERING if name in identity} | compared


def bundle(exported: Exported) -> dict[str, Any]:
    """Return the judge as JSON.

    ``system`` is the system text as sent, None when the prompt places inputs and the text differs from item to item.
    ``digests.content`` is the digest of everything else in the bundle.
    """
    request = exported.example()
    placeholders = exported.prompt.placeholders
    document: dict[str, Json] = {
        "schema": BUNDLE_SCHEMA,
        "kind": KIND,
        "name": exported.name,
        "dimension": exported.dimension,
        "prompt": {
            "text": exported.prompt.text,
            "placeholders": list(placeholders),
            "single_braces": exported.prompt.single_braces,
        },
        "system": None if placeholders else request.system,
        "inputs": list(exported.inputs),
        "data_block": {
            "version": DATA_BLOCK_VERSION,
            "description": f"{_DATA_BLOCK} {_PLACED}" if placeholders else _DATA_BLOCK,
        },
        "verdict": {"version": FORMAT_VERSION, "section": exported.section, "schema": request.schema},
        "model": {"requested": exported.model, "returned": list(exported.models_returned), **_known(exported)},
        "settings": exported.settings.to_json(),
        "scale": exported.scale.to_json(),
        "metrics": exported.metrics,
        "provenance": exported.provenance,
        "digests": {"prompt": exported.prompt.digest, "judge": exported.judge.digest},
    }
    written: dict[str, Any] = json.loads(json.dumps(document, allow_nan=False))
    written["digests"]["content"] = content_digest(written)
    return written


def _known(exported: Exported) -> dict[str, Json]:
    return {"answering": exported.answering} if exported.answering else {}


def content_digest(document: Mapping[str, Any]) -> str:
    """Return the digest of a bundle without its content digest."""
    digests = {name: value for name, value in document["digests"].items() if name != "content"}
    return digest({**document, "digests": digests})


def as_json(exported: Exported) -> str:
    """Return the bundle as indented JSON, ending in one line break."""
    text = json.dumps(bundle(exported), indent=2, ensure_ascii=False)
    # An unpaired surrogate has no UTF-8 form.
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def read_bundle(text: str, *, source: str | None = None) -> Exported:
    """Read a bundle and check it.

    Args:
        text: what :func:`as_json` wrote.
        source: the file it came from, for messages.

    Raises:
        InputError: it is no bundle, has missing or unknown keys, was changed after it was written, or was written for
            another version of the formats around the prompt.
    """
    from calibrate.export.document import read_document

    document, judge = read_document(text, source)
    if content_digest(document) != document["digests"]["content"]:
        raise InputError(
            "the bundle was changed after it was written: its content digest does not match; export it again",
            file=source,
        )
    for part, version in (("data_block", DATA_BLOCK_VERSION), ("verdict", FORMAT_VERSION)):
        if document[part]["version"] != version:
            raise InputError(
                f"written for version {document[part]['version']}, and this tool sends version {version}; "
                "export it again, or use the tool that wrote it",
                file=source,
                field=part,
            )
    try:
        exported = judge.exported()
        again = bundle(exported)
    except InputError as error:
        raise InputError(f"not a judge that can be: {error}", file=source) from None
    differing = [name for name in again if again[name] != document[name]]
    if differing:
        raise InputError(
            "does not follow from the rest of the bundle; export it again", file=source, field=differing[0]
        )
    return exported
