"""The judges of a RAG evaluation: which one plays which role, where it comes from, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from calibrate.config import Settings
from calibrate.domain import Item, Json, Model, Scale, digest
from calibrate.errors import InputError
from calibrate.judge import JudgeSettings, Prompt, default_prompt, needed_inputs, shown_inputs
from calibrate.providers import Ledger
from calibrate.rag.judged_items import ROLES, Role, role_inputs, role_scale, role_task
from calibrate.store import Store
from calibrate.workflows.bundles import Bundle, fit_model, is_bundle, load_bundle
from calibrate.workflows.rag_standing import Standing, standing_of
from calibrate.workflows.rag_stored import refuse_rag_run
from calibrate.workflows.setup import LEXICAL, JudgeOptions, input_names, judge_record, open_judge
from calibrate.workflows.stored import load_run, parse_reference

__all__ = ["Asking", "RoleJudge", "close_judges", "open_role_judges", "read_judges"]


@dataclass(frozen=True, slots=True)
class Asking:
    """How all judges of an evaluation are asked.

    Attributes:
        language: of the bank: BCP 47 tag; decides the default prompts.
        embedder: whose embeddings compare questions that were written back; None for the lexical one, or for that of a
            judge that was measured with one.
        concurrency: calls in flight at most; None takes what is declared for the model.
        max_tokens: the largest reply of judges that bring no limit of their own.
        per_claim: whether each claim is verified in a call of its own.
    """

    language: str = "en"
    embedder: str | None = None
    concurrency: int | None = None
    max_tokens: int = 2048
    per_claim: bool = False


@dataclass(frozen=True, slots=True)
class RoleJudge:
    """A judge in its role, open.

    Attributes:
        role: what it judges.
        model: its model.
        prompt: its prompt.
        settings: how it is asked.
        scale: the labels it gives.
        inputs: what it sees of an item.
        standing: its own alignment and noise.
    """

    role: Role
    model: Model
    prompt: Prompt
    settings: JudgeSettings
    scale: Scale
    inputs: tuple[str, ...]
    standing: Standing

    def seen(self, items: Iterable[Item]) -> tuple[Item, ...]:
        """Return the items with what the judge knows of, and nothing else."""
        return tuple(
            replace(item, inputs={name: item.inputs[name] for name in self.inputs if name in item.inputs})
            for item in items
        )

    def to_json(self) -> dict[str, Json]:
        """Return what identifies it, as a run records it."""
        record = judge_record(self.model, self.settings)
        return {**record, "prompt": digest(self.prompt.text), "scale": self.scale.to_json()}


@dataclass(frozen=True, slots=True)
class _Source:
    """A judge as it was named, not yet open."""

    options: JudgeOptions
    prompt: Prompt
    scale: Scale
    inputs: tuple[str, ...]
    language: str
    bundle: Bundle | None = None
    reference: str = ""


def read_judges(given: Sequence[str]) -> dict[Role | None, str]:
    """Read ``--judge``: ``JUDGE`` for all roles but abstention, ``ROLE=JUDGE`` for one.

    Who abstains is told by phrases unless a judge is named for just that.

    A judge is a model, a bundle (``judge.json``), or a run of this database (``12`` or ``12:3``), whose winner or
    candidate is taken.

    Raises:
        InputError: two judges for one role, or none is named.
    """
    found: dict[Role | None, str] = {}
    for each in given:
        name, equals, judge = each.partition("=")
        role = next((one for one in ROLES if equals and one == name.strip()), None)
        if equals and role is None and ":" not in name:
            raise InputError(f"--judge {each}: there is no role '{name}'; the roles are {', '.join(ROLES)}")
        wanted = (judge if role is not None else each).strip()
        if not wanted:
            raise InputError(f"--judge {each}: name a model, a bundle or a run", field="--judge")
        if role in found:
            which = f"the role {role}" if role else "all roles"
            raise InputError(f"two judges for {which}: {found[role]} and {wanted}; give one", field="--judge")
        found[role] = wanted
    return found


def open_role_judges(
    roles: Sequence[Role],
    judges: Mapping[Role | None, str],
    asking: Asking,
    settings: Settings,
    store: Store | None,
    ledger: Ledger,
) -> dict[Role, RoleJudge]:
    """Open the judge of each role; nothing is written or spent.

    Args:
        roles: those that are needed.
        judges: what was named for them; the one for None plays every role that has none of its own. One that is named
            for another role is not opened, but has to fit it all the same.
        asking: how they are asked.
        settings: keys, base URLs and declared models.
        store: the run database; None when there is none yet.
        ledger: where what the calls cost is entered.

    Raises:
        InputError: a role has no judge, or one that cannot play it.
    """
    opened: dict[Role, RoleJudge] = {}
    models: dict[tuple[str, str], Model] = {}
    for other in (each for each in judges if each is not None and each not in roles):
        _source(other, judges[other], True, asking, store)
    for role in roles:
        named = judges.get(role, judges.get(None))
        if named is None:
            raise InputError(f"no judge for {role}; give --judge MODEL, or --judge {role}=MODEL")
        source = _source(role, named, role in judges, asking, store)
        # Models of one name are one model, with one limit; one that writes questions back has an embedder besides.
        place = (source.options.model, source.options.embedder if source.options.task == "questions" else "")
        if place not in models:
            models[place] = open_judge(source.options, settings, ledger)
        model = models[place]
        if source.bundle is not None:
            fit_model(source.bundle, model)
        asked = _settings(source)
        record = judge_record(model, asked)
        standing = standing_of(
            store,
            role,
            source.prompt.text,
            record,
            scale=source.scale,
            language=asking.language,
            together="claims" in roles and not asking.per_claim,
            bundle=source.bundle,
            reference=source.reference,
        )
        if asked.task == "questions":
            standing = replace(standing, judge=f"{standing.judge}, embedder {source.options.embedder}")
        opened[role] = RoleJudge(role, model, source.prompt, asked, source.scale, source.inputs, standing)
    return opened


async def close_judges(judges: Mapping[Role, RoleJudge]) -> None:
    """Close the models, each once."""
    for model in {id(each.model): each.model for each in judges.values()}.values():
        await model.close()


def _source(role: Role, named: str, own: bool, asking: Asking, store: Store | None) -> _Source:
    """Return the judge that was named; ``own``: for this role, so that it has to fit it."""
    if is_bundle(named):
        return _checked(role, named, _of_bundle(named, asking), own=own)
    if named.replace(":", "", 1).isdigit():
        return _checked(role, f"run {named}", _of_run(named, asking, store), own=own)
    if named.startswith(("py:", "exec:")) and role_task(role) != "verdict":
        hint = f"--judge {role}=MODEL" if not own else "a model"
        raise InputError(f"{named} is code and gives labels only; {role} needs more than a label: give {hint}")
    scale = role_scale(role, asking.language)
    names = role_inputs(role)
    options = JudgeOptions(
        named,
        max_tokens=asking.max_tokens,
        concurrency=asking.concurrency,
        task=role_task(role),
        embedder=asking.embedder or LEXICAL,
    )
    if options.is_code:
        prompt = Prompt.parse(f"(judged by {named}, which is code and has no prompt)", names)
    else:
        prompt = Prompt.parse(default_prompt(role, scale, asking.language, None, names), names)
    return _Source(options, prompt, scale, names, asking.language)


def _of_bundle(path: str, asking: Asking) -> _Source:
    bundle = load_bundle(path)
    exported = bundle.exported
    options = _options(path, exported.model, exported.settings, asking, exported.answering.get("embedder"))
    return _Source(options, exported.prompt, exported.scale, exported.inputs, exported.settings.language, bundle=bundle)


def _of_run(named: str, asking: Asking, store: Store | None) -> _Source:
    run_id, number = parse_reference(named)
    if store is None:
        raise InputError(f"there is no run {run_id}: the database holds no runs yet", field="--judge")
    stored = load_run(store, run_id)
    refuse_rag_run(stored.run, field="--judge")
    if stored.run.kind not in ("baseline", "optimize", "noise") or (number is None and stored.winner is None):
        raise InputError(f"run {run_id} has no judged prompt to take; name a baseline or a calibration")
    candidate = stored.candidate(stored.winner or 0 if number is None else number)
    if candidate.status == "rejected":
        raise InputError(f"candidate {candidate.number} of run {run_id} was rejected: {candidate.reason}")
    if stored.run.spec["judge"].get("splitter"):
        raise InputError(
            f"run {run_id} judges in two steps; name a splitter for claims and a verifier for claim_support"
        )
    judge = stored.run.spec["judge"]
    settings = JudgeSettings(**judge["settings"])
    embedder = ((judge.get("identity") or {}).get("embedder") or {}).get("name")
    names = input_names(stored.golden)
    return _Source(
        _options(f"run {named}", str(judge["model"]), settings, asking, embedder),
        Prompt.parse(candidate.prompt, shown_inputs(settings.task, names)),
        stored.golden.scales[stored.run.dimension],
        names,
        settings.language,
        reference=f"{run_id}:{candidate.number}",
    )


def _options(what: str, model: str, settings: JudgeSettings, asking: Asking, embedder: object) -> JudgeOptions:
    """Return how a judge is asked that was measured before; ``embedder`` is the one that it was measured with.

    Raises:
        InputError: it was measured with another embedder than the one that is asked for.
    """
    if embedder is not None and asking.embedder not in (None, embedder):
        raise InputError(
            f"{what} was measured with the embedder {embedder}, and {asking.embedder} would make it another judge; "
            "leave --embedder out"
        )
    return JudgeOptions(
        model,
        parse=settings.parse,
        allow_abstain=settings.allow_abstain,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        confidence=settings.confidence,
        votes=settings.votes,
        adaptive=settings.adaptive,
        task=settings.task,
        embedder=str(embedder or asking.embedder or LEXICAL),
        concurrency=asking.concurrency,
    )


def _checked(role: Role, what: str, source: _Source, *, own: bool) -> _Source:
    """Refuse a judge that cannot play a role.

    Raises:
        InputError: its task, its scale or what it sees is another one.
    """
    task = role_task(role)
    if source.options.task != task:
        has = f"{what} has the task {source.options.task}"
        if not own:
            raise InputError(f"{has} and cannot play {role}; name the role that it plays, as in --judge ROLE=JUDGE")
        raise InputError(f"{has}, and {role} needs {task}: calibrate one with --task {task}")
    if task == "verdict" and source.scale.kind not in ("binary", "interval"):
        raise InputError(f"{what} judges on a {source.scale.kind} scale; {role} needs a binary one, or scores")
    known = (*role_inputs(role), *(("question",) if role == "claim_support" else ()))
    hidden = tuple(name for name in needed_inputs(task) if name not in shown_inputs(task, needed_inputs(task)))
    # What experts' sets have besides, such as the whole answer of a claim, an evaluation does not show.
    unknown = [name for name in source.prompt.placeholders if name not in (*known, *hidden)]
    if unknown:
        raise InputError(f"the prompt of {what} places '{unknown[0]}'; {role} has {', '.join(known)}")
    inputs = tuple(name for name in source.inputs if name in known)
    missing = [name for name in role_inputs(role) if name not in inputs and name != "question"]
    if missing:
        raise InputError(f"{what} was not shown '{missing[0]}', and cannot judge {role} without it")
    return replace(source, inputs=inputs)


def _settings(source: _Source) -> JudgeSettings:
    asked = source.options
    return JudgeSettings(
        language=source.language,
        temperature=asked.temperature,
        max_tokens=asked.max_tokens,
        allow_abstain=asked.allow_abstain,
        parse=asked.parse,
        code=asked.is_code,
        confidence=asked.confidence,
        votes=asked.votes,
        adaptive=asked.adaptive,
        task=asked.task,
    )
