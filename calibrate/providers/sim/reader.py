"""The offline judge: a deterministic reader that checks what the prompt tells it to check."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping

from calibrate.domain import Json, ModelRequest, ModelResponse
from calibrate.errors import InputError
from calibrate.providers.prices import Pricing
from calibrate.providers.sim.billing import SIMULATOR_VERSION, most_cost, pricing, respond
from calibrate.providers.sim.checks import Attention
from calibrate.providers.sim.dimension import NARROW, Dimension, dimension_of
from calibrate.providers.sim.directives import recognise
from calibrate.providers.sim.examples import split_examples
from calibrate.providers.sim.labels import choose_label, choose_side
from calibrate.providers.sim.panel import judge_roles
from calibrate.providers.sim.requests import ABSTAIN, JudgeTask, Role, inputs_of, read_task, roles_of
from calibrate.providers.sim.step_directives import recognise_step
from calibrate.providers.sim.step_requests import read_step
from calibrate.providers.sim.steps import answer_step
from calibrate.providers.sim.wordings import reasoning

__all__ = ["READERS", "SimReader"]

READERS = ("sim:reader", "sim:reader-small")

_CANNOT = (
    "This is the offline simulator {name}. It can answer judge requests that state their labels (a verdict "
    "section or a JSON"
    " schema) and carry an item; it cannot answer this request. Use a real model for it."
)

_Inputs = Mapping[Role, tuple[str, ...]]


class SimReader:
    """A rule-based reader behind the model protocol: text in, text out, no network, the same reply every time.

    The prompt decides what it does. Asked nothing in particular, it compares wording and is lenient, as generic judges
    are; each directive of :data:`~calibrate.providers.sim.DIRECTIVES` that it recognises in the instructions switches
    on a check. Labelled examples at the end of the prompt are not read: the rules learn nothing from examples, and what
    an example says is no instruction. It takes the steps of judging claim by claim, too (:mod:`.steps`): it splits
    answers, verifies claims with a quote, and writes questions back. ``sim:reader-small`` costs a tenth and sees less:
    no attribution, no denials that rest on silence, no broken-off sentences, and word stems in place of synonyms.

    Args:
        name: ``sim:reader`` or ``sim:reader-small``.
        clock: where latency is measured.

    Raises:
        InputError: another name.
    """

    def __init__(self, name: str = "sim:reader", *, clock: Callable[[], float] = time.perf_counter) -> None:
        if name not in READERS:
            raise InputError(f"no simulated reader is called {name}; use {' or '.join(READERS)}")
        self._name = name
        self._clock = clock

    @property
    def name(self) -> str:
        """The name as the user wrote it."""
        return self._name

    @property
    def simulated(self) -> bool:
        """Always true."""
        return True

    @property
    def identity(self) -> Mapping[str, Json]:
        """The simulator's version."""
        return {"simulator": SIMULATOR_VERSION}

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Answer a judge request; say so when the request is none."""
        await asyncio.sleep(0)  # lets progress and interruption through between two judgements
        started = self._clock()
        text = self._reply(request)
        return respond(request, text, self._name, self._clock() - started)

    @property
    def pricing(self) -> Pricing:
        """Made-up prices."""
        return pricing(self._name)

    def most_cost(self, request: ModelRequest) -> float:
        """Return the most, in made-up US dollars, that the response to a request can cost."""
        return most_cost(request, self._name)

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    def _reply(self, request: ModelRequest) -> str:
        step = read_step(request)
        if step is not None:
            small = self._name == "sim:reader-small"
            answered = answer_step(step, small=small) if step.complete else None
            return _CANNOT.format(name=self._name) if answered is None else json.dumps(answered, ensure_ascii=False)
        task = read_task(request)
        inputs = inputs_of(request)
        roles, instructions = roles_of(inputs, split_examples(task.instructions)[0]) if task is not None else ({}, "")
        if task is None or not (inputs or roles):
            return _CANNOT.format(name=self._name)
        directives = recognise(instructions)
        dimension = dimension_of(instructions, frozenset(roles))
        if dimension in NARROW:
            directives |= recognise_step(instructions)
        attention = Attention(directives, small=self._name == "sim:reader-small")
        label, why = _judge(task, roles, dimension, attention)
        return json.dumps({"reasoning": why, "label": label}, ensure_ascii=False)


def _judge(task: JudgeTask, roles: _Inputs, dimension: Dimension, attention: Attention) -> tuple[str | float, str]:
    if task.scale == "pairwise" and "answer_a" in roles and "answer_b" in roles:
        first = judge_roles(roles, "answer_a", dimension, attention)
        second = judge_roles(roles, "answer_b", dimension, attention)
        why = " ".join(
            f"{side}: {reasoning(each, attention.directives, task.language)}"
            for side, each in (("A", first), ("B", second))
        )
        if task.abstain and first.empty and second.empty:
            return ABSTAIN, why
        return choose_side(first, second, task), why
    judgement = judge_roles(roles, "answer" if "answer" in roles else "answer_a", dimension, attention)
    why = reasoning(judgement, attention.directives, task.language)
    if task.abstain and judgement.empty:
        return ABSTAIN, why
    return choose_label(judgement, task), why
