"""The judges of a comparison: models times prompts times votes, each ready to judge the same items."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from calibrate.config import Settings
from calibrate.domain import Item, Model, digest, unlike
from calibrate.errors import InputError
from calibrate.golden import LoadOptions, side_key
from calibrate.providers import Ledger
from calibrate.workflows.bundles import is_bundle, load_bundle
from calibrate.workflows.preflight import known_replies
from calibrate.workflows.setup import JudgeOptions, Prepared, judge_record, prepare
from calibrate.workflows.splitter import way_in_words
from calibrate.workflows.starting import start_from
from calibrate.workflows.stored import load_run, parse_reference

__all__ = ["Contender", "Judges", "Opened", "contenders_of", "dimension_of", "open_contenders", "searched_items"]


@dataclass(frozen=True, slots=True)
class Judges:
    """Which judges are compared.

    Attributes:
        models: ``provider:name``, or bundles, each of which is a judge by itself.
        how: how each of them is asked; its model, prompt and votes are not looked at.
        prompts: prompt files, or prompts themselves.
        prompts_from: runs, or candidates of them, whose prompts are taken.
        generic: whether the generic prompt is compared too; it always is where there is no other.
        votes: how often each item is asked about.
        own_prompts: further judges: a model, and the candidate whose prompt it is given.
        one_verdict: whether the models are compared with judges of one verdict too, where they judge claim by claim.
    """

    models: tuple[str, ...]
    how: JudgeOptions
    prompts: tuple[Path | str, ...] = ()
    prompts_from: tuple[str, ...] = ()
    generic: bool = False
    votes: tuple[int, ...] = (1,)
    own_prompts: tuple[tuple[str, str], ...] = ()
    one_verdict: bool = False


@dataclass(frozen=True, slots=True)
class Contender:
    """One judge of a comparison.

    Attributes:
        name: what tells it from the others.
        model: its model, as the user wrote it.
        prompt: where its prompt comes from, in words.
        judge: how it is asked.
        shown: the items that its prompt shows as examples.
        origin: the candidate that its prompt is, ``RUN:CANDIDATE``; None for a prompt of no run.
        dimension: the only dimension that its prompt was written for, where it was written for one.
        searched: whether its prompt is a rewrite that a search made.
        elsewhere: whether that search is in another database than this one.
    """

    name: str
    model: str
    prompt: str
    judge: JudgeOptions
    shown: tuple[Item, ...] = ()
    origin: str | None = None
    dimension: str | None = None
    searched: bool = False
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """A contender with its model and its part of the set.

    Attributes:
        contender: the judge.
        model: its opened model.
        parts: by dimension, the items that all contenders judge.
    """

    contender: Contender
    model: Model
    parts: dict[str, Prepared] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Prompt:
    """A prompt on its way to the judges."""

    words: str
    judge: JudgeOptions
    shown: tuple[Item, ...] = ()
    origin: str | None = None
    dimension: str | None = None
    searched: bool = False


def contenders_of(asked: Judges, db: str) -> tuple[Contender, ...]:
    """Return the judges that were asked for, under names that tell them apart.

    Raises:
        InputError: there is none, one is asked for twice, or a prompt cannot be had.
    """
    if not asked.models:
        raise InputError("name the judges to compare: --judge MODEL, once for each", field="--judge")
    bundles = [each for each in asked.models if is_bundle(each)]
    models = [each for each in asked.models if each not in bundles]
    if bundles and not models and (asked.prompts or asked.prompts_from or asked.generic):
        raise InputError("a bundle brings its own prompt; name a model for the other prompts to be judged with")
    found = [
        Contender(each, each, f"of {each}", replace(asked.how, model=each), searched=_is_of_search(each))
        for each in bundles
    ]
    prompts = list(_prompts(asked, db))
    for model, prompt, votes in itertools.product(models, prompts, asked.votes):
        code = replace(asked.how, model=model).is_code
        if code and (prompt is not prompts[0] or votes != asked.votes[0]):
            continue  # code reads no prompt: it is one judge, however many prompts there are
        words = "code" if code else prompt.words
        how = asked.how if code else prompt.judge
        judge = replace(how, model=model, votes=votes, adaptive=how.adaptive and votes > 1)
        several = len(prompts) > 1 or asked.own_prompts
        in_steps = "" if how.splitter is None else way_in_words(how.per_claim)
        parts = [model, in_steps, words if several and not code else "", _votes(votes) if len(asked.votes) > 1 else ""]
        name = ", ".join(part for part in parts if part)
        origin = () if code else (prompt.shown, prompt.origin, prompt.dimension, prompt.searched)
        found.append(Contender(name, model, words, judge, *origin))
    for model, reference in asked.own_prompts:
        own = _of_run(reference, asked.how, db)
        judge = replace(own.judge, model=model, votes=asked.votes[0])
        name = f"{model}, recalibrated ({own.origin})"
        found.append(Contender(name, model, own.words, judge, own.shown, own.origin, own.dimension, own.searched))
    if asked.one_verdict:
        if asked.how.splitter is None:
            raise InputError("--one-verdict is beside judging claim by claim: name a --splitter, or leave it out")
        votes = asked.votes[0]
        plain = replace(asked.how, splitter=None, splitter_prompt=None, per_claim=False)
        plain = replace(plain, votes=votes, adaptive=plain.adaptive and votes > 1)
        found += [Contender(each, each, "generic prompt", replace(plain, model=each)) for each in models]
    names = [each.name for each in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{twice} is asked for twice; name each judge once")
    return tuple(found)


@asynccontextmanager
async def open_contenders(
    contenders: Sequence[Contender],
    set_path: str,
    load: LoadOptions,
    dimensions: tuple[str, ...],
    settings: Settings,
    ledger: Ledger,
    db: str,
    *,
    unseen: bool,
) -> AsyncIterator[tuple[tuple[Opened, ...], tuple[str, ...]]]:
    """Open every judge on the same items, and say what was left out; nothing is written or spent.

    What one judge's prompt shows as an example, none of them is judged on.

    Args:
        contenders: the judges.
        set_path: the golden set.
        load: how to read it.
        dimensions: which dimensions; empty for all.
        settings: of this environment.
        ledger: the command's.
        db: the run database.
        unseen: whether items that any search in the database has seen are left out.

    Raises:
        InputError: a judge or the set cannot be used, or no item is left.
    """
    opened: list[Opened] = []
    notes: list[str] = []
    rewrites = _rewrites(db)
    try:
        for each in contenders:
            wanted = dimensions
            if each.dimension is not None:
                if dimensions and each.dimension not in dimensions:
                    raise InputError(f"{each.prompt} judges '{each.dimension}'; use --dimension {each.dimension}")
                wanted = (each.dimension,)
            quotes = each.origin is None
            prepared, model = prepare(set_path, each.judge, load, wanted, settings, ledger, look_for_quotes=quotes)
            here = any(part.prompt.text in rewrites for part in prepared)
            known = replace(each, searched=here or each.searched, elsewhere=each.searched and not here)
            opened.append(Opened(known, model, {part.dimension: _without(part, each, notes) for part in prepared}))
            notes += prepared[0].messages
        _refuse_twins(opened)
        for dimension in dict.fromkeys(name for one in opened for name in one.parts):
            _restrict([one for one in opened if dimension in one.parts], dimension, db if unseen else None, notes)
        yield tuple(opened), tuple(dict.fromkeys(notes))
    finally:
        for one in opened:
            await one.model.close()


def dimension_of(reference: str, db: str) -> str:
    """Return the dimension of a run.

    Raises:
        InputError: there is no such run.
    """
    number, _ = parse_reference(reference)
    with known_replies(db) as store:
        if store is None:
            raise InputError(f"{db} holds no runs yet: there is no run {number}", field="--prompt-from")
        return store.run(number).dimension


def searched_items(part: Prepared, items: Sequence[Item], db: str) -> frozenset[str]:
    """Return the ids of the items that a search in the database has seen."""
    keys = {each.id: side_key(each, part.dimension) for each in items}
    with known_replies(db) as store:
        sides = {} if store is None else store.sides(list(keys.values()))
    return frozenset(name for name, key in keys.items() if sides.get(key) is False)


def _prompts(asked: Judges, db: str) -> Iterator[_Prompt]:
    if asked.generic or not (asked.prompts or asked.prompts_from):
        yield _Prompt("generic prompt", asked.how)
    files = [each.name for each in asked.prompts if isinstance(each, Path)]
    for number, prompt in enumerate(asked.prompts, start=1):
        if isinstance(prompt, Path):
            words = prompt.name if files.count(prompt.name) == 1 else str(prompt)
            searched = is_bundle(prompt) and _is_of_search(prompt)
            yield _Prompt(words, replace(asked.how, prompt=prompt), searched=searched)
        else:
            yield _Prompt(f"prompt {number}", replace(asked.how, prompt_text=prompt))
    for reference in asked.prompts_from:
        yield _of_run(reference, asked.how, db)


def _of_run(reference: str, how: JudgeOptions, db: str) -> _Prompt:
    """Return a run's prompt, with what decides how replies to it are read."""
    start = start_from(reference, how, db, field="--prompt-from")
    with known_replies(db) as store:
        if store is None:
            raise InputError(f"{db} holds no runs yet", field="--prompt-from")
        run = load_run(store, parse_reference(reference)[0]).run
    settings = run.spec["judge"]["settings"]
    parse, abstain = settings.get("parse"), bool(settings.get("allow_abstain"))
    judge = replace(start.judge, parse=how.parse or parse, allow_abstain=how.allow_abstain or abstain)
    searched = run.kind == "optimize" and not start.reference.endswith(":0")
    return _Prompt(f"prompt of {start.reference}", judge, start.shown, start.reference, start.dimension, searched)


def _rewrites(db: str) -> frozenset[str]:
    """Return the prompts that searches in the database have written: a file may hold one of them."""
    with known_replies(db) as store:
        if store is None:
            return frozenset()
        searches = [each.id for each in store.runs() if each.kind == "optimize"]
        return frozenset(each.prompt for run in searches for each in store.candidates(run) if each.number)


def _is_of_search(bundle: str | Path) -> bool:
    """Whether a bundle's prompt is a rewrite that a search made: a candidate other than the one it started from."""
    number = str(load_bundle(bundle).exported.provenance.get("run", "")).partition(":")[2]
    return number not in ("", "0")


def _refuse_twins(opened: Sequence[Opened]) -> None:
    """Refuse a judge that stands there under two names: it would be compared with itself.

    Raises:
        InputError: two have one model, prompt and settings.
    """
    known: dict[str, str] = {}
    for one in opened:
        for dimension, part in one.parts.items():
            judge = digest([judge_record(one.model, part.settings, part.splitter), part.prompt.text, dimension])
            name = known.setdefault(judge, one.contender.name)
            if name != one.contender.name:
                raise InputError(f"{name} and {one.contender.name} are one judge; name it once")


def _without(part: Prepared, contender: Contender, notes: list[str]) -> Prepared:
    """Return a dimension without what a run's prompt shows as examples; a bundle's have left it already."""
    if not contender.shown:
        return part
    left = unlike(part.golden.items, contender.shown)
    left_out = len(part.golden.items) - len(left)
    if left_out:
        items = "1 item is" if left_out == 1 else f"{left_out} items are"
        notes.append(f"{items} left out: {contender.prompt} shows such items as examples")
    return replace(part, golden=part.golden.with_items(left), shown=contender.shown)


def _restrict(opened: Sequence[Opened], dimension: str, db: str | None, notes: list[str]) -> None:
    """Leave every judge of a dimension the items that all of them may judge, and that no search has seen."""
    parts = [one.parts[dimension] for one in opened]
    kept = set.intersection(*({item.id for item in part.golden.items} for part in parts))
    left_out = max(len(part.golden.items) for part in parts) - len(kept)
    if left_out:
        notes.append(f"of {dimension}, what one judge's prompt shows as examples is left out for all: {left_out} items")
    if db is not None:
        items = [item for item in parts[0].golden.items if item.id in kept]
        searched = searched_items(parts[0], items, db)
        notes.append(f"{dimension}: {len(searched)} of {len(kept)} items were seen by a search and are left out")
        kept -= searched
    if not any(item.label is not None and item.id in kept for item in parts[0].golden.items):
        raise InputError(f"no labelled item of '{dimension}' is left to compare on", file=parts[0].source)
    for one, part in zip(opened, parts, strict=True):
        golden = part.golden.with_items(item for item in part.golden.items if item.id in kept)
        one.parts[dimension] = replace(part, golden=golden)


def _votes(votes: int) -> str:
    return "1 vote" if votes == 1 else f"{votes} votes"
