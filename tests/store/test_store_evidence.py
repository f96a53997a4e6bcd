"""Verdicts keep what they rest on: the claims of an answer with their quotes, the questions written back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path

from alembic import command
from alembic.config import Config
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine
from store_data import a_run, an_evaluation, judgement

from calibrate.domain import Json, Scored, Unscored, Verdict
from calibrate.store import Store
from calibrate.store.tables import storable

CLAIMS: Mapping[str, Json] = {
    "claims": [
        {
            "claim": "El envío es gratuito.",
            "label": "not mentioned",
            "stated": "supported",
            "quote": "gastos de envío",
            "quote_found": False,
            "reasoning": "",
        }
    ]
}


JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters() | st.sampled_from("\0\ud83d")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def kept(store: Store, verdict: Verdict) -> Verdict:
    run, evaluation = a_run(store), an_evaluation(store)
    store.record(run.id, "m", [judgement(evaluation, "1", verdict)])
    return store.verdicts(evaluation)["1"]


def test_the_claims_of_a_verdict_are_kept_with_their_quotes(store: Store) -> None:
    verdict = kept(store, Scored("0", "because", evidence=CLAIMS))
    assert isinstance(verdict, Scored)
    assert verdict.evidence == CLAIMS


def test_similarities_come_back_as_the_numbers_they_were(store: Store) -> None:
    evidence: Mapping[str, Json] = {"questions": ["¿Qué?"], "similarities": [0.1 + 0.2], "embedder": "lexical"}
    verdict = kept(store, Scored("1", evidence=evidence))
    assert isinstance(verdict, Scored)
    assert verdict.evidence == evidence


def test_a_plain_verdict_rests_on_nothing(store: Store) -> None:
    assert kept(store, Scored("1", "because")) == Scored("1", "because")
    run, evaluation = a_run(store, "other"), an_evaluation(store, "other")
    store.record(
        run.id, "m", [judgement(evaluation, "1", Scored("1")), judgement(evaluation, "2", Unscored("invalid"))]
    )
    assert [getattr(each, "evidence", None) for each in store.verdicts(evaluation).values()] == [None, None]


def test_what_a_database_cannot_hold_is_replaced_as_in_every_text(store: Store) -> None:
    verdict = kept(store, Scored("1", evidence={"claims": [{"claim": "a\x00b\ud83d"}]}))
    assert isinstance(verdict, Scored)
    assert verdict.evidence == {"claims": [{"claim": "a�b�"}]}


def test_evidence_makes_no_verdict_differ() -> None:
    assert Scored("1", "r", evidence=CLAIMS) == Scored("1", "r")


def texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield name
            yield from texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each)


@given(JSON)
def test_what_can_be_stored_is_encoded_and_is_left_as_it_is(value: Json) -> None:
    once = storable(value)
    assert storable(once) == once
    for each in texts(once):
        assert "\0" not in each
        assert each.encode("utf-8").decode("utf-8") == each


def test_verdicts_of_an_older_database_rest_on_nothing(tmp_path: Path) -> None:
    database = tmp_path / "runs.db"
    engine = create_engine(f"sqlite:///{database}")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(resources.files("calibrate.store") / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "0008")
        columns = "evaluation_id, item_id, label, unscored, detail, reasoning, confidence, response_key"
        for statement in (
            "INSERT INTO golden_sets VALUES ('g', 'support', 's.csv', '{}', '1')",
            "INSERT INTO prompts VALUES ('p', 'Judge it.')",
            "INSERT INTO evaluations VALUES (1, 'k', 'g', 'f', 'p', 'm', '{}', 0, '1')",
            f"INSERT INTO verdicts ({columns}) VALUES (1, '1', '1', NULL, '', 'because', NULL, 'r')",
        ):
            connection.exec_driver_sql(statement)
    engine.dispose()
    with Store(str(database)) as store:
        verdict = store.verdicts(1)["1"]
    assert verdict == Scored("1", "because")
    assert isinstance(verdict, Scored)
    assert verdict.evidence is None
