"""What judging takes, with the step before it where a judge splits answers first; told before anything is spent.

How many claims an answer makes is known once it is split. Where no split of it is stored, a usual number is assumed,
which the estimate says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from calibrate.domain import GoldenSet, Item, Model, request_key
from calibrate.judge import Ask, PromptJudge, factual_claims
from calibrate.providers import expected_cost
from calibrate.store import Store
from calibrate.workflows.preflight import CHARACTERS_PER_TOKEN, OUTPUT_TOKENS, Work, judging
from calibrate.workflows.setup import JudgeOptions, Prepared

__all__ = ["CLAIMS_PER_ANSWER", "judging_works", "second_step", "splitting_again"]

CLAIMS_PER_ANSWER = 6
"""Claims that an answer is taken to make where no split of it is stored."""

_CHUNK = 500
_LONGER = 2  # a list of claims, with their kinds, takes so much more than the answer


def judging_works(
    store: Store | None,
    model: Model,
    part: Prepared,
    judge: JudgeOptions,
    *,
    unlabelled: bool = False,
    repeats: Sequence[int] = (0,),
    purpose: str = "judging the prompt",
) -> tuple[Work, ...]:
    """Return the work of judging one dimension with its prompt: one entry, or one for each of two steps.

    Args:
        store: the run database; None when there is none yet.
        model: the judge's; the verifier's where there is a splitter.
        part: the dimension.
        judge: how it is asked.
        unlabelled: whether items without a label are judged too.
        repeats: the numbers of the repetitions; 0 is the first run.
        purpose: what for.
    """
    if part.splitter is None:
        return (judging(store, model, part, judge, unlabelled=unlabelled, repeats=repeats, purpose=purpose),)
    items = part.golden.items if unlabelled else part.golden.labelled
    golden, votes = part.golden.with_items(items), part.settings.votes
    splitting = _splitting(store, part, golden, judge, [number * votes for number in repeats], purpose)
    holding: list[Work] = []
    guessed: list[int] = []
    for number in repeats:
        known = {} if store is None or judge.fresh else _stored(store, part, golden, number * votes)
        if not known:
            guessed.append(number)  # all of these are alike
            continue
        holding.append(_holding(store, model, part, golden, judge, known, [number], purpose))
    if guessed:
        holding.append(_holding(store, model, part, golden, judge, {}, guessed, purpose))
    return splitting, _together(holding)


def second_step(store: Store | None, part: Prepared) -> Prepared:
    """Return what the verifier is to judge of a dimension, as far as that is known; all of it without a splitter."""
    if part.splitter is None:
        return part
    golden = part.golden.with_items(part.golden.labelled)
    known = {} if store is None else _stored(store, part, golden, 0)
    return _claims_part(part, golden, known)


def splitting_again(
    store: Store | None, part: Prepared, judge: JudgeOptions, times: int, purpose: str
) -> tuple[Work, ...]:
    """Return the work of splitting all answers anew so many times; none for a judge of one step."""
    if part.splitter is None or not times:
        return ()
    golden = part.golden.with_items(part.golden.labelled)
    return (_splitting(store, part, golden, replace(judge, fresh=True), range(1, times + 1), purpose),)


def _splitting(
    store: Store | None, part: Prepared, golden: GoldenSet, judge: JudgeOptions, repeats: Sequence[int], purpose: str
) -> Work:
    assert part.splitter is not None
    splitter = part.splitter
    answers = replace(
        part, golden=splitter.answers(golden), prompt=splitter.prompt, settings=splitter.settings, splitter=None
    )
    name = f"{purpose}: splitting answers"
    work = judging(store, splitter.model, answers, judge, unlabelled=True, repeats=repeats, purpose=name)
    length = sum(len(str(item.inputs["answer"])) for item in golden.items) / max(len(golden.items), 1)
    return _replying(work, splitter.model, _LONGER * length / CHARACTERS_PER_TOKEN)


def _holding(
    store: Store | None,
    model: Model,
    part: Prepared,
    golden: GoldenSet,
    judge: JudgeOptions,
    known: dict[str, tuple[str, ...]],
    repeats: Sequence[int],
    purpose: str,
) -> Work:
    claims = _claims_part(part, golden, known)
    name = f"{purpose}: holding claims against the context"
    work = judging(store, model, claims, judge, unlabelled=True, repeats=repeats, purpose=name)
    if not work.calls:
        return work
    in_all = sum(1 if isinstance(claim := item.inputs["claim"], str) else len(claim) for item in claims.golden.items)
    work = _replying(work, model, OUTPUT_TOKENS["judge"] * in_all / len(claims.golden.items))
    if len(known) == len(golden.items):
        return work
    # What the claims are is not known, and no bound on what they cost.
    return replace(work, most=None, assumes=f"{CLAIMS_PER_ANSWER} claims an answer")


def _claims_part(part: Prepared, golden: GoldenSet, known: dict[str, tuple[str, ...]]) -> Prepared:
    assert part.splitter is not None
    claims = {item.id: known[item.id] if item.id in known else _usual(item) for item in golden.items}
    settings = replace(part.settings, task="verify")
    return replace(part, golden=part.splitter.claims(golden, claims), settings=settings, splitter=None)


def _usual(item: Item) -> tuple[str, ...]:
    """Return pieces of an answer that are as long as its claims, and stand for them where lengths are counted."""
    answer = str(item.inputs["answer"])
    size = max(1, -(-len(answer) // CLAIMS_PER_ANSWER))
    return tuple(answer[start * size : (start + 1) * size] or "?" for start in range(CLAIMS_PER_ANSWER))


def _stored(store: Store, part: Prepared, golden: GoldenSet, repeat: int) -> dict[str, tuple[str, ...]]:
    """Return the factual claims of the answers whose split is stored, by item id."""
    assert part.splitter is not None
    answers = part.splitter.answers(golden)
    (scale,) = answers.scales.values()
    judge = PromptJudge(part.splitter.prompt, part.splitter.model.name, scale, part.splitter.settings)
    found = {}
    for start in range(0, len(answers.items), _CHUNK):
        items = answers.items[start : start + _CHUNK]
        keys = {item.id: request_key(part.splitter.model, judge.request(item, Ask(repeat))) for item in items}
        replies = store.responses(keys.values())
        for item in items:
            if keys[item.id] in replies:
                found[item.id] = factual_claims(judge.read(replies[keys[item.id]], item))
    return found


def _replying(work: Work, model: Model, tokens: float) -> Work:
    """Return the work with so many output tokens a reply, where no earlier reply tells how long they are."""
    if not work.assumed:
        return work
    output = round(work.calls * tokens)
    cost = expected_cost(model, work.input_tokens, output)
    before = expected_cost(model, work.input_tokens, work.output_tokens)
    if work.cost is None or cost is None or not before:
        return replace(work, output_tokens=output)
    return replace(work, output_tokens=output, cost=cost * work.cost / before)


def _together(works: Iterable[Work]) -> Work:
    first, *others = works
    for each in others:
        first = replace(
            first,
            calls=first.calls + each.calls,
            stored=first.stored + each.stored,
            input_tokens=first.input_tokens + each.input_tokens,
            output_tokens=first.output_tokens + each.output_tokens,
            cost=None if first.cost is None or each.cost is None else first.cost + each.cost,
            most=None if first.most is None or each.most is None else first.most + each.most,
            seconds=first.seconds + each.seconds,
            assumed=first.assumed or each.assumed,
            batched=first.batched or each.batched,
            assumes=first.assumes or each.assumes,
        )
    return first
