"""What a command that runs a judge needs before it spends anything: the set, the prompt, the model, the settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Literal

from calibrate.config import Settings
from calibrate.domain import GoldenSet, Item, Json, Model
from calibrate.errors import InputError
from calibrate.golden import LoadOptions
from calibrate.judge import (
    DATA_BLOCK_VERSION,
    FORMAT_VERSION,
    JudgeSettings,
    Prompt,
    PromptJudge,
    Task,
    default_prompt,
    load_prompt,
    shown_inputs,
)
from calibrate.providers import Ledger, check_request, open_model
from calibrate.providers.batches import open_batches
from calibrate.workflows.bundles import (
    Bundle,
    dimension_for,
    fit_inputs,
    fit_model,
    fit_scale,
    is_bundle,
    load_bundle,
    without_examples,
)
from calibrate.workflows.quoted import quoted_in_words
from calibrate.workflows.splitter import Splitter, TwoStepModel, check_options, open_splitter, with_room
from calibrate.workflows.task_sets import load_for_task

__all__ = [
    "LEXICAL",
    "JudgeOptions",
    "Mode",
    "Prepared",
    "input_names",
    "judge_record",
    "open_judge",
    "prepare",
    "prompt_inputs",
    "select_dimensions",
]

Mode = Literal["direct", "batch"]

LEXICAL = "lexical"
"""The embedder that needs no model: words and parts of words."""

_OPTIONS = {
    "prompt": "--prompt",
    "prompt_text": "--prompt",
    "single_braces": "--single-braces",
    "parse": "--parse",
    "allow_abstain": "--allow-abstain",
    "temperature": "--temperature",
    "max_tokens": "--max-tokens",
    "confidence": "--confidence",
    "votes": "--votes",
    "adaptive": "--adaptive",
    "both_orders": "--both-orders",
    "task": "--task",
    "embedder": "--embedder",
}
"""What decides a verdict: the fields, and the options that set them."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """Which judge, and how it is asked.

    Attributes:
        model: ``provider:name``; or a bundle (a file that ends in ``.json``), which is the judge with all its settings.
        prompt: a prompt file, or a bundle, whose prompt is taken; None for the generic prompt of the dimension.
        prompt_text: the prompt itself, for callers that have it at hand.
        single_braces: whether ``{name}`` places an input.
        parse: ``label=REGEX`` for a judge with an output format of its own.
        allow_abstain: whether the judge may answer CANNOT_ASSESS.
        temperature: None leaves the provider's default.
        max_tokens: the largest reply.
        confidence: whether to ask for the probability of the stated label, where a model can tell it.
        votes: how often each item is asked about; the majority is the verdict.
        adaptive: whether the third of three votes is taken only where the first two differ.
        both_orders: whether a pair of answers is judged in both orders.
        task: what is asked of an item: a verdict, or one of the steps of judging claim by claim.
        embedder: whose embeddings compare the questions that ``questions`` writes back with the one that was asked.
        splitter: who splits answers into claims, ``provider:name`` or a bundle; the judge then holds these against the
            context, and its verdict follows from what it finds. None for a judge of one step.
        splitter_prompt: the splitter's prompt file, or a bundle; None for the generic prompt.
        per_claim: whether the judge is asked about each claim by itself.
        concurrency: calls in flight at most; None takes what is declared for the model, else 64.
        fresh: ask again instead of replaying stored responses.
        mode: call by call, or through the provider's batch endpoint: half the price, within a day.
        poll_seconds: between two looks at a batch.
        given: the fields that a user set, also where they are set to what they are anyway: none of them goes together
            with a bundle that fixes it.
    """

    model: str
    prompt: Path | None = None
    prompt_text: str | None = None
    single_braces: bool = False
    parse: str | None = None
    allow_abstain: bool = False
    temperature: float | None = 0.0
    max_tokens: int = 1024
    confidence: bool = False
    votes: int = 1
    adaptive: bool = False
    both_orders: bool = False
    task: Task = "verdict"
    embedder: str = LEXICAL
    splitter: str | None = None
    splitter_prompt: Path | None = None
    per_claim: bool = False
    concurrency: int | None = None
    fresh: bool = False
    mode: Mode = "direct"
    poll_seconds: float = 30.0
    given: tuple[str, ...] = ()

    @property
    def polls_every(self) -> float | None:
        """Seconds between two looks at a batch; None when it judges call by call."""
        return self.poll_seconds if self.mode == "batch" else None

    @property
    def is_code(self) -> bool:
        """Whether the judge is a function or a program, which gets the item and no prompt."""
        return self.model.startswith(("py:", "exec:"))


@dataclass(frozen=True, slots=True)
class Prepared:
    """One dimension, ready to be judged.

    Attributes:
        golden: the items, of this dimension only.
        prompt: the judge's prompt.
        settings: how the judge is asked.
        source: the file that the set came from.
        messages: what was found or left out in reading it.
        held_out: items that are kept from the search, None when there are none.
        sides: which items are held out, by their keys.
        fresh: fresh labels to test the winner on, none of them among the other items; None when there are none.
        shown: items that the prompt shows as examples, written by the program; they are among none of the others.
        bundle: which bundle the judge or its prompt comes from, as a run records it; None when it comes from none.
        splitter: the first step of a judge that judges claim by claim, whose second step has prompt and settings; None
            for a judge of one step.
    """

    golden: GoldenSet
    prompt: Prompt
    settings: JudgeSettings
    source: str
    messages: tuple[str, ...] = field(default=())
    held_out: GoldenSet | None = None
    sides: Mapping[str, bool] = field(default_factory=dict)
    fresh: GoldenSet | None = None
    shown: tuple[Item, ...] = ()
    bundle: Mapping[str, Json] | None = None
    splitter: Splitter | None = None

    @property
    def dimension(self) -> str:
        """The only dimension of the set."""
        return self.golden.dimensions[0]


def prepare(
    set_path: str,
    judge: JudgeOptions,
    load: LoadOptions,
    dimensions: Iterable[str],
    settings: Settings,
    ledger: Ledger,
    *,
    look_for_quotes: bool = True,
) -> tuple[tuple[Prepared, ...], Model]:
    """Load the set, prepare the prompt of each dimension and open the judge model; nothing is written or spent.

    ``look_for_quotes``: whether a message says which labelled items a given prompt quotes. Not for a prompt of an
    earlier calibration, whose examples are known and leave the set.

    Raises:
        InputError: any of them cannot be used.
    """
    judge, bundle, whole = _unbundled(judge, load.language)
    check_options(judge, bundle)
    given, judge = bundle, with_room(judge, bundle if whole else None)
    if judge.splitter is not None:
        bundle = None  # what it knows of its own set says nothing of the set that both steps together judge
    read, wanted = list[str](), tuple(dimensions)
    task = judge.task if judge.splitter is None else "verdict"
    loaded = load_for_task(task, set_path, load, wanted, read, bundle if whole else None)
    golden = loaded.golden
    if judge.is_code and (judge.prompt or judge.prompt_text):
        raise InputError(f"{judge.model} is code and reads no prompt; leave --prompt out")
    messages = [*loaded.messages, *read]
    chosen = select_dimensions(golden, wanted)
    if bundle is not None:
        chosen = (dimension_for(bundle, golden, wanted, messages),)
    splitting = None
    if judge.splitter is not None:
        splitting = open_splitter(judge, given if whole else None, golden.language, settings, ledger)
    prepared = []
    for dimension in chosen:
        part, shown = golden.only(dimension), tuple[Item, ...]()
        if bundle is not None and whole:
            part = fit_scale(bundle, part, loaded.source)
            part = fit_inputs(bundle, part, input_names(part), loaded.source, messages)
        if bundle is not None:
            part, shown = without_examples(bundle, part, messages)
        if not part.labelled:
            raise InputError(f"no labelled items for dimension '{dimension}'; add labels first", file=loaded.source)
        language = given.exported.settings.language if given is not None and whole else golden.language
        judge_settings = _settings(judge, language)
        if judge.both_orders and part.scales[dimension].kind != "pairwise":
            raise InputError(f"--both-orders is for pairs of answers; '{dimension}' is {part.scales[dimension].kind}")
        splitter = None if splitting is None else splitting.on(part, loaded.source)
        prompt = _prompt(judge, part, splitter)
        record = None if given is None else given.record(shown)
        prepared.append(
            Prepared(part, prompt, judge_settings, loaded.source, shown=shown, bundle=record, splitter=splitter)
        )
    prepared = [replace(each, messages=tuple(messages)) for each in prepared]
    model = open_judge(judge, settings, ledger)
    if given is not None and whole:
        fit_model(given, model)
    if judge.mode == "batch":
        open_batches(model)  # refuses models that have none
    for each in prepared:
        # Refuses what cannot be parsed with, and what the model cannot be asked.
        golden, asked = each.golden.with_items(each.golden.labelled[:1]), each.settings
        if each.splitter is not None:
            golden, asked = each.splitter.claims(golden, {golden.items[0].id: ("?",)}), replace(asked, task="verify")
        own = PromptJudge(each.prompt, judge.model, golden.scales[golden.dimensions[0]], asked)
        for ask in asked.asks:
            check_request(model, own.request(golden.items[0], ask))
    if look_for_quotes and (judge.prompt is not None or judge.prompt_text is not None):
        quotes = quoted_in_words((each.prompt.text, each.golden.labelled) for each in prepared)
        prepared = [replace(each, messages=(*each.messages, *quotes)) for each in prepared]
    return tuple(prepared), model if splitting is None else TwoStepModel(model, splitting.model)


def open_judge(judge: JudgeOptions, settings: Settings, ledger: Ledger) -> Model:
    """Open the model of a judge; of one that writes questions back, together with the embedder that compares them.

    Raises:
        InputError: there is no such model or embedder, or its key is not set.
    """
    model = open_model(judge.model, settings, concurrency=judge.concurrency, ledger=ledger)
    if judge.task != "questions":
        return model
    from calibrate.providers.embedders import open_embedder  # few judges need one
    from calibrate.providers.relevancy import RelevancyModel

    return RelevancyModel(model, open_embedder(judge.embedder, settings, ledger=ledger), ledger=ledger)


def select_dimensions(golden: GoldenSet, wanted: Iterable[str]) -> tuple[str, ...]:
    """Return the dimensions asked for, or all of them.

    Raises:
        InputError: one of them is not in the set.
    """
    chosen = tuple(wanted) or golden.dimensions
    for dimension in chosen:
        if dimension not in golden.scales:
            raise InputError(f"{golden.name} has no dimension '{dimension}'; it has {', '.join(golden.dimensions)}")
    return chosen


def judge_record(model: Model, settings: JudgeSettings, splitter: Splitter | None = None) -> dict[str, Json]:
    """Return everything that fixes a judge but its prompt; of one of two steps, all of the first one too."""
    first: dict[str, Json] = {} if splitter is None else {"splitter": splitter.record}
    return {
        "model": model.name,
        "identity": dict(model.identity),
        "settings": settings.to_json(),
        "data_block": DATA_BLOCK_VERSION,
        "format": FORMAT_VERSION,
        **first,
    }


def input_names(golden: GoldenSet) -> tuple[str, ...]:
    """Return the inputs that occur in the set, in order of appearance."""
    return tuple(dict.fromkeys(name for item in golden.items for name in item.inputs))


def prompt_inputs(part: Prepared) -> tuple[str, ...]:
    """Return the inputs that a prompt may place: those that the model it is for is shown."""
    names = input_names(part.golden) if part.splitter is None else part.splitter.inputs
    return shown_inputs(part.settings.task, names)


def _unbundled(judge: JudgeOptions, language: str | None) -> tuple[JudgeOptions, Bundle | None, bool]:
    """Return the judge with what a bundle fixes in place, the bundle, and whether it is the whole judge.

    Of a bundle that only brings its prompt, what goes with the text is taken too: how its braces are meant, how replies
    to it are read, whether it may abstain, and its task where none is given.

    Raises:
        InputError: the bundle cannot be used, or an option was given that it fixes.
    """
    if is_bundle(judge.model):
        found = load_bundle(judge.model)
        own = found.exported.settings
        _refuse_given(judge, tuple(_OPTIONS), f"{found.path} is a whole judge, and {{}} would make it another one")
        if language not in (None, own.language):
            raise InputError(f"{found.path} is a judge in '{own.language}'; leave --language out")
        names = [each.name for each in fields(JudgeSettings) if each.name in _OPTIONS]
        asked = replace(judge, model=found.exported.model, **{name: getattr(own, name) for name in names})
        asked = replace(asked, embedder=str(found.exported.answering.get("embedder") or LEXICAL))
        return _with_text(asked, found), found, True
    if judge.prompt is not None and is_bundle(judge.prompt):
        found = load_bundle(judge.prompt)
        own = found.exported.settings
        _refuse_given(judge, ("single_braces",), f"{found.path} says itself what its braces mean")
        parse, abstain = judge.parse or own.parse, judge.allow_abstain or own.allow_abstain
        asked = replace(judge, parse=parse, allow_abstain=abstain)
        if judge.splitter is None and judge.task == "verdict" and "task" not in judge.given:
            asked = replace(asked, task=own.task)
        return _with_text(asked, found), found, False
    return judge, None, False


def _with_text(judge: JudgeOptions, bundle: Bundle) -> JudgeOptions:
    prompt = bundle.exported.prompt
    return replace(judge, prompt=None, prompt_text=prompt.text, single_braces=prompt.single_braces)


def _refuse_given(judge: JudgeOptions, names: Iterable[str], why: str) -> None:
    usual = JudgeOptions(judge.model)
    for name in names:
        if name in judge.given or getattr(judge, name) != getattr(usual, name):
            option = _OPTIONS[name]
            raise InputError(f"{why.format(option)}; leave {option} out")


def _settings(judge: JudgeOptions, language: str) -> JudgeSettings:
    return JudgeSettings(
        language=language,
        temperature=judge.temperature,
        max_tokens=judge.max_tokens,
        allow_abstain=judge.allow_abstain,
        parse=judge.parse,
        code=judge.is_code,
        confidence=judge.confidence,
        votes=judge.votes,
        adaptive=judge.adaptive,
        both_orders=judge.both_orders,
        task=judge.task if judge.splitter is None else "verdict",
    )


def _prompt(judge: JudgeOptions, golden: GoldenSet, splitter: Splitter | None) -> Prompt:
    names = shown_inputs(judge.task, input_names(golden)) if splitter is None else splitter.inputs
    if judge.is_code:
        return Prompt.parse(f"(judged by {judge.model}, which is code and has no prompt)", names)
    if judge.prompt is not None:
        return _doubled(load_prompt(judge.prompt, names, single_braces=judge.single_braces), names)
    if judge.prompt_text is not None:
        return _doubled(Prompt.parse(judge.prompt_text, names, single_braces=judge.single_braces), names)
    if splitter is not None:
        return Prompt.parse(default_prompt("claim_support", splitter.labels, golden.language, "verify"), names)
    (dimension,) = golden.dimensions
    text = default_prompt(dimension, golden.scales[dimension], golden.language, judge.task, names)
    return Prompt.parse(text, names)


def _doubled(prompt: Prompt, names: Iterable[str]) -> Prompt:
    """Write ``{name}`` placeholders as ``{{name}}``, the one form in which prompts are stored and rewritten."""
    if not prompt.single_braces:
        return prompt
    doubled = prompt.fill({name: "{{" + name + "}}" for name in prompt.placeholders})
    return Prompt.parse(doubled, tuple(names))
