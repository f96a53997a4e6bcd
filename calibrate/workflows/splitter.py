"""A judge of two steps before it is asked: who splits answers into claims, and what the verifier is shown of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from calibrate.config import Settings
from calibrate.domain import GoldenSet, Item, Json, Model, ModelRequest, Scale, Text
from calibrate.errors import InputError
from calibrate.judge import (
    JudgeSettings,
    Prompt,
    PromptJudge,
    check_composed,
    default_prompt,
    language_of,
    load_prompt,
    needed_inputs,
    shown_inputs,
)
from calibrate.providers import Ledger, ModelWrapper, check_request, how_to_price, largest_cost, open_model
from calibrate.providers.batches import open_batches
from calibrate.workflows.bundles import Bundle, fit_model, is_bundle, load_bundle

if TYPE_CHECKING:
    from calibrate.workflows.setup import JudgeOptions

__all__ = [
    "OpenedSplitter",
    "Splitter",
    "TwoStepModel",
    "check_options",
    "judge_name",
    "open_splitter",
    "way_in_words",
    "with_room",
]

REPLY_TOKENS = 4096
"""The largest reply of either step where none is given: a list of claims, each with its quote, is no single verdict."""

_USUAL_TOKENS = 1024
_CLAIMS, _CLAIM_SUPPORT = "claims", "claim_support"
_SPLITS = Scale("binary", ("1", "0"), positive="1")
_LABELS = {
    "en": Scale("nominal", ("supported", "contradicted", "not_mentioned")),
    "es": Scale("nominal", ("respaldada", "contradicha", "no mencionada")),
}


@dataclass(frozen=True, slots=True)
class Splitter:
    """The first step of a judge that judges claim by claim, and what it hands to the second one.

    Attributes:
        model: who splits answers.
        prompt: its instructions.
        settings: how it is asked.
        labels: the scale on which the verifier labels claims.
        inputs: what the verifier is shown, in order: of question and context what there is, and the claim.
        per_claim: whether each claim is a call of its own; else one call holds all claims of an answer.
    """

    model: Model
    prompt: Prompt
    settings: JudgeSettings
    labels: Scale
    inputs: tuple[str, ...]
    per_claim: bool = False

    @property
    def record(self) -> dict[str, Json]:
        """Everything that fixes it, as JSON."""
        return {
            "model": self.model.name,
            "identity": dict(self.model.identity),
            "settings": self.settings.to_json(),
            "prompt": self.prompt.digest,
            "labels": list(self.labels.labels),
            "per_claim": self.per_claim,
        }

    def answers(self, golden: GoldenSet) -> GoldenSet:
        """Return the items of a set as the splitter judges them: question and answer, and no label."""
        items = [_bare(each, each.id, _CLAIMS, shown_inputs("split", each.inputs)) for each in golden.items]
        return replace(golden, items=tuple(items), scales={_CLAIMS: _SPLITS})

    def ids(self, item_id: str, claims: int) -> tuple[str, ...]:
        """Return the ids under which the claims of an item are judged."""
        if not claims:
            return ()
        return tuple(f"{item_id}#{number}" for number in range(1, claims + 1)) if self.per_claim else (item_id,)

    def claims(self, golden: GoldenSet, claims: Mapping[str, Sequence[str]]) -> GoldenSet:
        """Return what the verifier judges: the claims of each item, one by one or together, beside their context.

        Args:
            golden: the items.
            claims: by item id, the claims that can be checked; items without any are left out.
        """
        return replace(
            golden,
            items=tuple(one for item in golden.items for one in self._of_item(item, claims.get(item.id, ()))),
            scales={_CLAIM_SUPPORT: self.labels},
        )

    def _of_item(self, item: Item, claims: Sequence[str]) -> Iterable[Item]:
        names = [name for name in self.inputs if name in item.inputs and name != "claim"]
        parts: Sequence[Text] = claims if self.per_claim else [tuple(claims)]
        for name, part in zip(self.ids(item.id, len(claims)), parts, strict=False):
            yield _bare(item, name, _CLAIM_SUPPORT, names, claim=part)


class TwoStepModel(ModelWrapper):
    """The verifier's model, which takes the splitter's along: both are closed together, and either may be simulated.

    Args:
        inner: the verifier's.
        splitter: the splitter's.

    Attributes:
        splitter: as given.
    """

    def __init__(self, inner: Model, splitter: Model) -> None:
        super().__init__(inner)
        self.splitter = splitter

    @property
    def simulated(self) -> bool:
        """Whether one of them is simulated."""
        return self.inner.simulated or self.splitter.simulated

    async def close(self) -> None:
        """Close both."""
        try:
            await self.inner.close()
        finally:
            await self.splitter.close()


@dataclass(frozen=True, slots=True)
class OpenedSplitter:
    """A splitter that no set was shown to yet.

    Attributes:
        model: who splits answers.
        settings: how it is asked.
        judge: what was asked for.
        bundle: the bundle that it is, or whose prompt it has.
        verifier: the bundle that the verifier is; None for a model with a prompt.
    """

    model: Model
    settings: JudgeSettings
    judge: JudgeOptions
    bundle: Bundle | None = None
    verifier: Bundle | None = None

    def on(self, part: GoldenSet, source: str) -> Splitter:
        """Return the splitter for one dimension of a set.

        Raises:
            InputError: claims make no verdict on its scale, or its items lack an answer or a context.
        """
        ((dimension, scale),) = part.scales.items()
        labels, inputs = _LABELS[language_of(part.language)], _verifier_inputs(part)
        if self.verifier is not None:
            exported = self.verifier.exported
            labels, inputs = exported.scale, tuple(name for name in exported.inputs if name in inputs)
        try:
            check_composed(scale, labels)
        except InputError as error:
            raise InputError(f"'{dimension}': {error.message}", file=source) from None
        _refuse_items(part, scale, source)
        if scale.kind == "interval" and self.judge.votes > 1 and not self.judge.per_claim:
            raise InputError(
                "votes on all claims of an answer together give no share of them; add --per-claim, or leave --votes out"
            )
        names = shown_inputs("split", dict.fromkeys(name for item in part.items for name in item.inputs))
        splitter = Splitter(
            self.model, self._prompt(names, part.language), self.settings, labels, inputs, self.judge.per_claim
        )
        first = splitter.answers(part.with_items(part.labelled[:1])).items[0]
        asked = PromptJudge(splitter.prompt, self.model.name, _SPLITS, self.settings)
        check_request(self.model, asked.request(first))
        return splitter

    def _prompt(self, names: Sequence[str], language: str) -> Prompt:
        if self.bundle is not None:
            given = self.bundle.exported.prompt
            return Prompt.parse(given.text, names, single_braces=given.single_braces)
        if self.judge.splitter_prompt is not None:
            return load_prompt(self.judge.splitter_prompt, names, single_braces=self.judge.single_braces)
        return Prompt.parse(default_prompt(_CLAIMS, _SPLITS, language, "split"), names)


def check_options(judge: JudgeOptions, bundle: Bundle | None) -> None:
    """Refuse what does not go together with judging in two steps, or is for that only.

    Args:
        judge: what was asked for.
        bundle: the bundle that the verifier is, or whose prompt it has; None when there is none.

    Raises:
        InputError: names the option.
    """
    if judge.splitter is None:
        if judge.per_claim or judge.splitter_prompt is not None:
            option = "--per-claim" if judge.per_claim else "--splitter-prompt"
            raise InputError(f"{option} is for a judge of two steps: name its --splitter, or leave {option} out")
        return
    if bundle is not None and bundle.exported.settings.task != "verify":
        raise InputError(
            "with --splitter the judge holds claims against a context, and this bundle does not: export a judge that "
            "was calibrated with --task verify",
            file=bundle.path,
        )
    if bundle is None and judge.task != "verdict":
        raise InputError("--splitter takes both steps of judging claim by claim; leave --task out", field="--task")
    for given, option in (
        (judge.is_code or judge.splitter.startswith(("py:", "exec:")), "a judge that is code"),
        (judge.parse is not None, "--parse"),
        (judge.confidence, "--confidence"),
        (judge.both_orders, "--both-orders"),
    ):
        if given:
            raise InputError(f"--splitter judges claim by claim, which does not go together with {option}")


def with_room(judge: JudgeOptions, verifier: Bundle | None) -> JudgeOptions:
    """Return a judge of two steps with room for its lists of claims, unless a limit or a whole verifier was given."""
    if judge.splitter is None or verifier is not None or "max_tokens" in judge.given:
        return judge
    return replace(judge, max_tokens=REPLY_TOKENS) if judge.max_tokens == _USUAL_TOKENS else judge


def open_splitter(
    judge: JudgeOptions, verifier: Bundle | None, language: str, settings: Settings, ledger: Ledger
) -> OpenedSplitter:
    """Open the splitter of a judge of two steps; nothing is asked.

    Args:
        judge: what was asked for.
        verifier: the bundle that the verifier is, if it is one.
        language: of the set.
        settings: of this environment.
        ledger: the command's, for both models.

    Raises:
        InputError: there is no such model, bundle or prompt, or its price is unknown and there is a budget.
    """
    name = judge.splitter or ""
    bundle = None
    how = JudgeSettings(language, judge.temperature, judge.max_tokens, task="split")
    if is_bundle(name):
        if judge.splitter_prompt is not None:
            raise InputError(f"{name} brings its own prompt; leave --splitter-prompt out")
        bundle = _splitting_bundle(name)
        name, how = bundle.exported.model, bundle.exported.settings
    elif judge.splitter_prompt is not None and is_bundle(judge.splitter_prompt):
        bundle = _splitting_bundle(judge.splitter_prompt)
    model = open_model(name, settings, concurrency=judge.concurrency, ledger=ledger)
    if bundle is not None and is_bundle(judge.splitter or ""):
        fit_model(bundle, model)
    if judge.mode == "batch":
        open_batches(model)  # refuses models that have none
    if ledger.cap is not None and largest_cost(model, ModelRequest(system="", user="?")) is None:
        raise InputError(f"{name}: --budget needs a price, and none is known: {how_to_price(name)}")
    return OpenedSplitter(model, how, judge, bundle, verifier)


def judge_name(judge: Mapping[str, Any]) -> str:
    """Return what a judge is called, by its record: its model, and that it judges claim by claim where it does."""
    splitter = judge.get("splitter")
    if not splitter:
        return str(judge["model"])
    return f"{judge['model']}, {way_in_words(bool(splitter.get('per_claim')))}"


def way_in_words(per_claim: bool) -> str:
    """Return how a judge of two steps judges: all claims of an answer in one call, or each in one of its own."""
    return "claim by claim, each by itself" if per_claim else "claim by claim"


def _splitting_bundle(path: object) -> Bundle:
    found = load_bundle(str(path))
    if found.exported.settings.task != "split":
        raise InputError(
            "the splitter takes answers apart, and this bundle does not: export a judge that was calibrated with "
            "--task split",
            file=found.path,
        )
    if found.exported.settings.votes > 1:
        raise InputError(
            "an answer is split once: votes on a list of claims make no list; export it without", file=found.path
        )
    return found


def _verifier_inputs(part: GoldenSet) -> tuple[str, ...]:
    there = dict.fromkeys(name for item in part.items for name in item.inputs)
    return (*(name for name in there if name in ("question", "context")), "claim")


def _refuse_items(part: GoldenSet, scale: Scale, source: str) -> None:
    needed = dict.fromkeys([*needed_inputs("split"), *needed_inputs("verify")])
    for item in part.items:
        for name in needed:
            if name not in item.inputs and name != "claim":
                raise InputError(
                    f"item {item.id} has no {name}, which judging claim by claim needs; name the column, as in "
                    f"--column {name}=COLUMN",
                    file=source,
                    row=item.row or None,
                )
        if scale.kind == "interval" and item.label is not None and not 0 <= float(item.label) <= 1:
            raise InputError(
                f"the label {item.label} is no share from 0 to 1, which is what judging claim by claim gives",
                file=source,
                row=item.row or None,
            )


def _bare(item: Item, name: str, dimension: str, shown: Iterable[str], **further: Text) -> Item:
    inputs = {each: item.inputs[each] for each in shown}
    return Item(name, dimension, {**inputs, **further}, group=item.group, row=item.row)
