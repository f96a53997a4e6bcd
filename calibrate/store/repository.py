"""The repository: the only place where sessions live.

Everything written here is durable when the call returns. Writes are idempotent: the same response, verdict or
candidate written again changes nothing, so an interrupted command can be run again from its start.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Select, select, update

from calibrate.domain import GoldenSet, Item, Judgement, ModelResponse, UncertainCharge, Verdict, digest
from calibrate.errors import InputError
from calibrate.store.access import Access
from calibrate.store.candidates import candidates_of, remove_left_over, tried_before, write_candidate
from calibrate.store.database import open_engine
from calibrate.store.evaluations import answered_items, answering_models, is_frozen, verdict_counts
from calibrate.store.leases import lease, refuse_held
from calibrate.store.mapping import golden_set, golden_values, run_record, verdict, verdict_values
from calibrate.store.money import add_charges, spending_of
from calibrate.store.records import CandidateRecord, RunKind, RunRecord, RunStatus, Spending, Tried, Typical
from calibrate.store.replies import (
    add_responses,
    count_renewals,
    known_keys,
    models_before,
    stored_responses,
    typical_reply,
)
from calibrate.store.sides import known_sides
from calibrate.store.statements import insert_missing, upsert
from calibrate.store.tables import (
    EvaluationRow,
    GoldenSetRow,
    ItemRow,
    IterationRow,
    PromptRow,
    RunRow,
    SideRow,
    VerdictRow,
)

__all__ = ["Store"]

_MAX_ID = 2**31 - 1
_ITEMS_AT_ONCE = 1000  # a large set in one statement takes twice its memory


class Store:
    """A run database.

    Args:
        url: SQLAlchemy URL, or the path of an SQLite file.
        create: whether a database that is not there, or has nothing in it, is made.
        version: the tool version recorded with runs.
        clock: the current time; passed in so that tests can fix it.
        lock_wait: seconds to wait for another process's lock.

    Attributes:
        access: the database itself, for what else is kept in it.

    Raises:
        StoreError: from every method, when the database cannot be read or written.
    """

    def __init__(
        self,
        url: str,
        *,
        create: bool = True,
        version: str = "",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        lock_wait: float = 30.0,
    ) -> None:
        self.url = url
        self._version = version
        self._engine = open_engine(url, create=create, lock_wait=lock_wait)
        self.access = Access(url, self._engine, clock)
        self._reading, self._writing, self._now = self.access.reading, self.access.writing, self.access.now
        self._holder = self.access.holder

    @property
    def file(self) -> Path | None:
        """The database's file, None on a server."""
        return Path(str(self._engine.url.database)) if self._engine.dialect.name == "sqlite" else None

    def close(self) -> None:
        """Release all connections, and what this store has under way."""
        self._holder.release()
        self._engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Golden sets and prompts

    def save_golden(self, golden: GoldenSet, source: str) -> str:
        """Store a golden set by content, with the whole path of its file, and return its digest."""
        key = golden.digest
        row = golden_values(golden, key, str(Path(source).absolute()), self._now())
        with self._writing() as session:
            if session.get(GoldenSetRow, key) is None:
                insert_missing(session, GoldenSetRow, [row])
                for start in range(0, len(golden.items), _ITEMS_AT_ONCE):
                    chunk = enumerate(golden.items[start : start + _ITEMS_AT_ONCE], start)
                    rows = [{"golden_digest": key, "position": at, "item": item.to_json()} for at, item in chunk]
                    insert_missing(session, ItemRow, rows)
        return key

    def golden(self, golden_digest: str) -> GoldenSet:
        """Return a stored golden set as it was used."""
        with self._reading() as session:
            row = session.get_one(GoldenSetRow, golden_digest)
            query = select(ItemRow.item).where(ItemRow.golden_digest == golden_digest).order_by(ItemRow.position)
            items = tuple(Item.from_json(each) for each in session.scalars(query))
        return golden_set(row, items)

    def golden_origin(self, golden_digest: str) -> tuple[str, str]:
        """Return the name of a stored golden set, and the file that it was first read from."""
        with self._reading() as session:
            row = session.get_one(GoldenSetRow, golden_digest)
            return row.name, row.source

    def sides(self, keys: Sequence[str]) -> dict[str, bool]:
        """Return which of ``keys`` are held out, for those whose side was chosen before."""
        with self._reading() as session:
            return known_sides(session, keys)

    def save_sides(self, sides: Mapping[str, bool]) -> None:
        """Keep sides; one that was chosen before stays as it is."""
        rows = [{"key": key, "held_out": held, "created": self._now()} for key, held in sides.items()]
        with self._writing() as session:
            insert_missing(session, SideRow, rows)

    def mark_seen(self, keys: Iterable[str]) -> None:
        """Keep that a search sees these items: they are not held out any more, and never will be."""
        rows = [{"key": key, "held_out": False, "created": self._now()} for key in dict.fromkeys(keys)]
        with self._writing() as session:
            upsert(session, SideRow, rows, keep=("created",))

    def amend_result(self, run_id: int, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Replace a run's result by what ``change`` makes of the stored one, in one transaction."""
        with self._writing() as session:
            row = session.get_one(RunRow, run_id)
            row.result = change(dict(row.result or {}))

    def save_prompt(self, text: str) -> str:
        """Store a prompt by content and return its digest."""
        key = digest(text)
        with self._writing() as session:
            insert_missing(session, PromptRow, [{"digest": key, "text": text}])
        return key

    # Runs

    def start_run(
        self, kind: RunKind, spec: Mapping[str, Any], golden_digest: str, dimension: str, *, new: int | None = None
    ) -> RunRecord:
        """Return the run of this specification: the latest one there is, or a new one.

        Args:
            kind: what the run does.
            spec: everything that fixes its result.
            golden_digest: a stored golden set.
            dimension: the dimension.
            new: start another run, of at least this number, unless the latest one is unfinished; None starts none.

        Raises:
            StoreError: another living process is at work on the run, and it is no baseline.
        """
        key = _spec_digest(kind, spec, golden_digest, dimension)
        # Two baselines at work on one run write the same. Two others would pay twice and overwrite what they found.
        owner = None if kind == "baseline" else lease(self._holder, self._now())
        with self._writing() as session:
            latest = session.scalar(_latest(key))
            if latest is not None and (new is None or latest.status != "done"):
                if latest.status != "done" or kind == "bias":  # a judge can always be probed further
                    refuse_held(session, latest, self._holder, self._now())
                    latest.status, latest.finished, latest.owner = "running", None, owner
                return run_record(latest)
            row = RunRow(
                kind=kind,
                spec_digest=key,
                number=max(new or 0, 0 if latest is None else latest.number + 1),
                spec=dict(spec),
                golden_digest=golden_digest,
                dimension=dimension,
                status="running",
                result=None,
                version=self._version,
                created=self._now(),
                finished=None,
                owner=owner,
            )
            session.add(row)
            session.flush()
            return run_record(row)

    def find_run(self, kind: RunKind, spec: Mapping[str, Any], golden_digest: str, dimension: str) -> RunRecord | None:
        """Return the latest run of this specification, None when there is none."""
        with self._reading() as session:
            row = session.scalar(_latest(_spec_digest(kind, spec, golden_digest, dimension)))
            return None if row is None else run_record(row)

    def finish_run(
        self,
        run_id: int,
        status: RunStatus,
        result: Mapping[str, Any] | None = None,
        *,
        candidates: Collection[int] | None = None,
        iterations: Collection[int] | None = None,
    ) -> None:
        """Record how a run ended and what it came to; without a ``result``, the one that there is stays.

        Where ``candidates`` or ``iterations`` are given, its others are removed: by number, they are what an
        interrupted attempt has left over.
        """
        stored = {} if result is None else {"result": dict(result)}
        values: dict[str, Any] = {"status": status, "finished": self._now(), "owner": None, **stored}
        with self._writing() as session:
            session.execute(update(RunRow).where(RunRow.id == run_id).values(values))
            remove_left_over(session, run_id, candidates, iterations)

    def run(self, run_id: int) -> RunRecord:
        """Return one run.

        Raises:
            InputError: there is no such run.
        """
        with self._reading() as session:
            row = session.get(RunRow, run_id) if run_id <= _MAX_ID else None
            if row is None:
                raise InputError(f"no run {run_id} here; `calibrate runs` lists them")
            return run_record(row)

    def runs(self) -> tuple[RunRecord, ...]:
        """Return all runs, the oldest first."""
        with self._reading() as session:
            return tuple(run_record(row) for row in session.scalars(select(RunRow).order_by(RunRow.id)))

    def spending(self, run_id: int) -> Spending:
        """Return what a run has paid for so far, over all its interrupted parts."""
        with self._reading() as session:
            return spending_of(session, run_id)

    def typical(self, requested: str) -> Typical:
        """Return what a model's latest replies were like, for estimates."""
        with self._reading() as session:
            return typical_reply(session, requested)

    # Responses and verdicts

    def responses(self, keys: Iterable[str]) -> dict[str, ModelResponse]:
        """Return the latest stored response of each of ``keys`` that has one, with ``cached_at`` set."""
        with self._reading() as session:
            return stored_responses(session, keys)

    def known(self, keys: Sequence[str]) -> set[str]:
        """Return those of ``keys`` that have a stored response."""
        with self._reading() as session:
            return known_keys(session, keys)

    def renewals(self, keys: Iterable[str]) -> int:
        """Return how many responses of ``keys`` came after a first one: 0 until something is asked afresh."""
        with self._reading() as session:
            return count_renewals(session, keys)

    def save_response(self, run_id: int, key: str, requested: str, response: ModelResponse) -> None:
        """Store one paid response (a meta-LLM's); one that is there already stays beside it."""
        with self._writing() as session:
            add_responses(session, run_id, requested, [(key, response)], self._now())

    def record(
        self, run_id: int, requested: str, judgements: Sequence[Judgement], charges: Sequence[UncertainCharge] = ()
    ) -> None:
        """Store a batch of judgements, paid responses, verdicts and uncertain charges, in one transaction."""
        paid = [(each.key, each.response) for each in judgements if each.response is not None and each.paid]
        verdicts = {(each.evaluation, each.item_id): verdict_values(each) for each in judgements}
        with self._writing() as session:
            add_responses(session, run_id, requested, paid, self._now())
            upsert(session, VerdictRow, list(verdicts.values()))
            add_charges(session, run_id, charges, self._now())

    def evaluation(
        self,
        *,
        key: str,
        golden_digest: str,
        dimension: str,
        prompt: str,
        model: str,
        judge: Mapping[str, Any],
        repeat: int = 0,
    ) -> int:
        """Return the id of an evaluation, made when it is new.

        Args:
            key: its content address (judge, golden set, dimension, repeat, and which of several such).
            golden_digest: a stored golden set.
            dimension: the dimension.
            prompt: the judge's prompt text.
            model: the model's name.
            judge: the judge's settings as JSON.
            repeat: 0, or the number of an independent repetition.
        """
        prompt_digest = self.save_prompt(prompt)
        row = {
            "key": key,
            "golden_digest": golden_digest,
            "dimension": dimension,
            "prompt_digest": prompt_digest,
            "model": model,
            "judge": dict(judge),
            "repeat": repeat,
            "created": self._now(),
        }
        with self._writing() as session:
            insert_missing(session, EvaluationRow, [row], unique=("key",))
            return session.scalars(select(EvaluationRow.id).where(EvaluationRow.key == key)).one()

    def verdicts(self, evaluation: int) -> dict[str, Verdict]:
        """Return an evaluation's verdicts by item id, in the order of the ids, which no database gives by itself."""
        query = select(VerdictRow).where(VerdictRow.evaluation_id == evaluation)
        with self._reading() as session:
            return dict(sorted((row.item_id, verdict(row)) for row in session.scalars(query)))

    def verdict_counts(self, evaluations: Collection[int]) -> dict[int, int]:
        """Return how many verdicts each of these evaluations holds; one without any is left out."""
        with self._reading() as session:
            return verdict_counts(session, evaluations)

    def answered(self, evaluation: int) -> frozenset[str]:
        """Return the items that have a verdict in an evaluation, other than that the call failed."""
        with self._reading() as session:
            return answered_items(session, evaluation)

    def is_frozen(self, evaluation: int, run_id: int) -> bool:
        """Return whether an evaluation's verdicts are part of what another, finished run has found."""
        with self._reading() as session:
            return is_frozen(session, evaluation, run_id)

    def returned_models(self, evaluation: int) -> tuple[str, ...]:
        """Return the models that answered in an evaluation, as the provider named them."""
        with self._reading() as session:
            return answering_models(session, evaluation)

    def returned_before(self, evaluation: int) -> tuple[str, ...]:
        """Return the models that answered when the same prompt and model were last evaluated before, on any set."""
        with self._reading() as session:
            return models_before(session, evaluation)

    # Candidates and iterations

    def save_candidate(self, run_id: int, candidate: CandidateRecord) -> None:
        """Log a candidate; logging it again replaces it, but it stays as old as it is."""
        prompt = self.save_prompt(candidate.prompt)
        with self._writing() as session:
            write_candidate(session, run_id, candidate, prompt, self._now())

    def candidates(self, run_id: int) -> tuple[CandidateRecord, ...]:
        """Return a run's candidates by number."""
        with self._reading() as session:
            return candidates_of(session, run_id)

    def tried_before(self, run: RunRecord) -> tuple[Tried, ...]:
        """Return the candidates logged before ``run`` on its golden set and dimension, whoever judged them.

        What counts is when a candidate was logged, whatever has become of its run since, so that an interrupted run,
        gone on with later, sees what it saw at first.
        """
        with self._reading() as session:
            return tried_before(session, run)

    def save_iteration(self, run_id: int, number: int, record: Mapping[str, Any]) -> None:
        """Log what an iteration decided; logging it again replaces it."""
        row = {"run_id": run_id, "number": number, "record": dict(record), "created": self._now()}
        with self._writing() as session:
            upsert(session, IterationRow, [row], keep=("created",))

    def iterations(self, run_id: int) -> dict[int, dict[str, Any]]:
        """Return what each iteration of a run decided, by its number."""
        query = select(IterationRow).where(IterationRow.run_id == run_id).order_by(IterationRow.number)
        with self._reading() as session:
            return {row.number: row.record for row in session.scalars(query)}


def _spec_digest(kind: RunKind, spec: Mapping[str, Any], golden_digest: str, dimension: str) -> str:
    return digest({"kind": kind, "spec": spec, "golden": golden_digest, "dimension": dimension})


def _latest(spec_digest: str) -> Select[RunRow]:
    return select(RunRow).where(RunRow.spec_digest == spec_digest).order_by(RunRow.number.desc()).limit(1)
