"""Make the request that puts one item before a judge."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

from calibrate.domain import Item, Json, ModelRequest, Scale, Text
from calibrate.errors import InputError
from calibrate.judge.ballots import Ask
from calibrate.judge.block import block_tags, data_block, input_text
from calibrate.judge.prompt import Prompt
from calibrate.judge.task_format import task_schema, task_section
from calibrate.judge.tasks import Task, needed_inputs, shown_inputs
from calibrate.judge.verdict_format import Placement, format_section, language_of, verdict_schema

__all__ = ["JudgeSettings", "render", "reply_section"]

_CLOSING_TAG = re.compile(r"</\s*+([^\W\d][\w.-]*+)\s*+>")
_UNUSED = {"confidence": False, "votes": 1, "adaptive": False, "both_orders": False, "task": "verdict"}
_ASK = {"en": "Give your verdict on the item now.", "es": "Da ahora tu veredicto sobre el caso."}


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How a judge is asked.

    Attributes:
        language: BCP 47 tag of the format section; Spanish for ``es``, else English.
        temperature: sampling temperature; None leaves the provider's default.
        max_tokens: the largest reply, reasoning included.
        allow_abstain: whether ``CANNOT_ASSESS`` is offered. It changes a judge; the parser knows it in any case.
        parse: ``label=REGEX`` of a judge with its own output format, which then runs as it is.
        code: whether the judge is code (``py:``, ``exec:``): it gets the item itself and no text.
        confidence: whether to ask for the probability of the stated label, where a model can tell it.
        votes: how often each item is asked about; the majority is the verdict.
        adaptive: whether the third of three votes is taken only where the first two differ.
        both_orders: whether a pair of answers is judged in both orders.
        task: what is asked of an item: a verdict, or one of the steps of judging claim by claim.
    """

    language: str = "en"
    temperature: float | None = 0.0
    max_tokens: int = 1024
    allow_abstain: bool = False
    parse: str | None = None
    code: bool = False
    confidence: bool = False
    votes: int = 1
    adaptive: bool = False
    both_orders: bool = False
    task: Task = "verdict"

    def __post_init__(self) -> None:
        if self.temperature is not None and not 0.0 <= self.temperature <= 2.0:
            raise InputError(f"temperature {self.temperature}: give a number from 0 to 2", field="temperature")
        if self.max_tokens < 1:
            raise InputError(f"max_tokens {self.max_tokens}: give at least 1", field="max_tokens")
        if self.votes < 1:
            raise InputError(f"votes {self.votes}: give at least 1", field="votes")
        if self.adaptive and self.votes != 3:
            raise InputError(
                "adaptive votes are three: a third where the first two differ; give --votes 3", field="votes"
            )
        if self.task != "verdict" and (self.parse is not None or self.code):
            what = "a judge with an output format of its own" if self.parse else "code"
            raise InputError(f"--task {self.task} has a reply format of its own: it is not for {what}", field="task")
        if self.task in ("split", "questions") and (self.allow_abstain or self.confidence):
            option = "--allow-abstain" if self.allow_abstain else "--confidence"
            raise InputError(f"--task {self.task} states no label; leave {option} out", field="task")

    @property
    def asks_more_than_once(self) -> bool:
        """Whether a verdict takes more than one call."""
        return self.votes > 1 or self.both_orders

    @property
    def asked_once(self) -> JudgeSettings:
        """The settings of each of those calls."""
        return replace(self, votes=1, adaptive=False, both_orders=False) if self.asks_more_than_once else self

    @property
    def asks(self) -> tuple[Ask, ...]:
        """All calls that a verdict can take."""
        orders = (False, True) if self.both_orders else (False,)
        return tuple(Ask(vote, swapped) for vote in range(self.votes) for swapped in orders)

    def to_json(self) -> dict[str, Json]:
        """Return the settings as JSON, as they enter a judge's digest; later additions only where they are used."""
        return {name: value for name, value in asdict(self).items() if name not in _UNUSED or value != _UNUSED[name]}


def render(prompt: Prompt, item: Item, scale: Scale, settings: JudgeSettings) -> ModelRequest:
    """Return the request for one item.

    Without placeholders the system text and the schema are the same objects for all items, so that a provider can cache
    them and only the data block differs. A prompt that places inputs gets them neutralised and in one pass; the block
    then holds the others. A judge with its own format (``settings.parse``) gets neither format section nor schema.

    Raises:
        InputError: the prompt places an input that the item does not have.
    """
    if settings.code:
        return ModelRequest(system="", user="", item=_item_json(item))
    # The embedder compares with the question; the model that writes questions back never sees it.
    question: dict[str, Json] | None = None
    if settings.task == "questions" and "question" in item.inputs:
        question = {"inputs": {"question": _joined(item.inputs["question"])}}
    if settings.task != "verdict":
        item = _shown(item, settings.task)
    instructions = _instructions(prompt, item)
    left = [name for name in item.inputs if name not in prompt.placeholders]
    block = data_block(item.inputs, leave_out=prompt.placeholders) if left or not prompt.placeholders else ""
    if settings.parse is not None:
        system, user = instructions, block
        if prompt.placeholders:
            system, user = "", f"{instructions}\n\n{block}" if block else instructions
        return ModelRequest(
            system,
            user,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            confidence=settings.confidence,
        )
    placement: Placement = "block" if not prompt.placeholders else "mixed" if block else "prompt"
    section, schema = _reply_format(settings.task, scale, settings.language, settings.allow_abstain, placement)
    return ModelRequest(
        system=_system(instructions, section),
        user=block or _ASK[language_of(settings.language)],
        schema=schema,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        confidence=settings.confidence,
        item=question,
    )


def reply_section(scale: Scale, settings: JudgeSettings, placement: Placement) -> str:
    """Return the format section that follows the instructions of a judge without a reply format of its own."""
    return _reply_format(settings.task, scale, settings.language, settings.allow_abstain, placement)[0]


def _shown(item: Item, task: Task) -> Item:
    """Return the item as the model sees it.

    Raises:
        InputError: it lacks what the task needs.
    """
    for name in needed_inputs(task):
        if name not in item.inputs:
            raise InputError(f"item {item.id} has no {name}, which --task {task} needs", row=item.row or None)
    return replace(item, inputs={name: item.inputs[name] for name in shown_inputs(task, item.inputs)})


def _joined(text: Text) -> str:
    return text if isinstance(text, str) else "\n".join(text)


def _item_json(item: Item) -> dict[str, Json]:
    inputs: dict[str, Json] = {k: v if isinstance(v, str) else list(v) for k, v in item.inputs.items()}
    return {"id": item.id, "dimension": item.dimension, "inputs": inputs}


def _instructions(prompt: Prompt, item: Item) -> str:
    if not prompt.placeholders:
        return prompt.text
    missing = [name for name in prompt.placeholders if name not in item.inputs]
    if missing:
        raise InputError(
            f"item {item.id} has no input '{missing[0]}', which the prompt places; add it or change the prompt",
            row=item.row or None,
        )
    # The author's own tags around a placeholder are delimiters as well.
    tags = block_tags(item.inputs) | set(_CLOSING_TAG.findall(prompt.text))
    return prompt.fill({name: input_text(item.inputs[name], tags) for name in prompt.placeholders})


@lru_cache(maxsize=64)
def _reply_format(
    task: Task, scale: Scale, language: str, allow_abstain: bool, placement: Placement
) -> tuple[str, Mapping[str, Json]]:
    words = language_of(language)
    if task != "verdict":
        section = task_section(task, scale, words, allow_abstain=allow_abstain, placement=placement)
        return section, task_schema(task, scale, allow_abstain=allow_abstain)
    section = format_section(scale, words, allow_abstain=allow_abstain, placement=placement)
    return section, verdict_schema(scale, allow_abstain=allow_abstain)


@lru_cache(maxsize=8)
def _system(instructions: str, section: str) -> str:
    return f"{instructions}\n\n{section}"
