"""Responses and verdicts: what was paid for is kept, and what was judged can be read back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from store_data import Clock, a_run, an_evaluation, judgement, key, labels, response

from calibrate.domain import (
    UNSCORED_REASONS,
    Finish,
    Judgement,
    ModelResponse,
    Scored,
    UncertainCharge,
    Unscored,
    Usage,
    Verdict,
)
from calibrate.errors import StoreError
from calibrate.store import Spending, Store

# Responses


def test_a_response_comes_back_as_it_was_with_the_time_it_was_received(store: Store, clock: Clock) -> None:
    paid = ModelResponse('{"label": "1"}', "length", "gpt-9", Usage(120, 100, 0, 17, 5), 0.00125, 1.5)
    store.save_response(a_run(store).id, key("a"), "openai:gpt", paid)
    assert store.responses([key("a")]) == {key("a"): replace(paid, cached_at="2026-01-01T00:00:00.000+00:00")}


@pytest.mark.parametrize("finish", ["stop", "length", "refusal"])
def test_the_finish_reason_is_kept(store: Store, finish: Finish) -> None:
    store.save_response(a_run(store).id, key("a"), "m", replace(response(), finish=finish))
    assert store.responses([key("a")])[key("a")].finish == finish


def test_what_the_provider_did_not_say_stays_unknown(store: Store) -> None:
    store.save_response(a_run(store).id, key("a"), "m", ModelResponse("text", "stop", "m"))
    found = store.responses([key("a")])[key("a")]
    assert found.usage == Usage()
    assert found.cost is None


def test_a_key_without_a_response_is_left_out(store: Store) -> None:
    assert store.responses([key("never asked")]) == {}
    assert store.responses([]) == {}


def test_more_keys_than_a_statement_takes_parameters(store: Store) -> None:
    evaluation, run = an_evaluation(store), a_run(store)
    store.record(run.id, "m", [judgement(evaluation, str(n)) for n in range(2500)])
    assert len(store.responses(key(n) for n in range(3000))) == 2500


def test_a_fresh_reply_stays_beside_the_old_one_and_lookups_give_the_newest(store: Store, clock: Clock) -> None:
    run = a_run(store)
    for text in ("first", "second", "third"):
        store.save_response(run.id, key("a"), "m", response(text))
        clock.pass_seconds(60)
    newest = store.responses([key("a")])[key("a")]
    assert (newest.text, newest.cached_at) == ("third", "2026-01-01T00:02:00.000+00:00")
    assert store.spending(run.id).calls == 3


def test_half_an_emoji_or_a_nul_in_a_reply_does_not_stop_a_run(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    broken = judgement(evaluation, "0", Scored("1", "good \ud83d"), response("nul \x00 and half \udc4d"))
    store.record(run.id, "m", [broken])
    assert store.verdicts(evaluation)["0"] == Scored("1", "good \ufffd")
    assert store.responses([key("0")])[key("0")].text == "nul \ufffd and half \ufffd"


# Spending


def money(store: Store, run_id: int) -> tuple[int, float, int]:
    spending = store.spending(run_id)
    return spending.calls, spending.cost, spending.unknown


def test_spending_counts_paid_calls_and_adds_known_costs(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    store.record(run.id, "m", [judgement(evaluation, str(n), answer=response(cost=0.25)) for n in range(3)])
    assert money(store, run.id) == (3, 0.75, 0)


def test_an_unknown_cost_is_counted_and_not_taken_for_zero(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    costs = [0.5, None, None]
    store.record(run.id, "m", [judgement(evaluation, str(n), answer=response(cost=c)) for n, c in enumerate(costs)])
    assert money(store, run.id) == (3, 0.5, 2)


def test_a_call_that_cost_nothing_is_known(store: Store) -> None:
    run = a_run(store)
    store.save_response(run.id, key("a"), "m", response(cost=0.0))
    assert money(store, run.id) == (1, 0.0, 0)


def test_a_run_that_paid_nothing(store: Store) -> None:
    assert store.spending(a_run(store).id) == Spending(calls=0, cost=0.0, unknown=0)


def test_a_replayed_response_is_not_paid_for_again(store: Store) -> None:
    first, second, evaluation = a_run(store, "first"), a_run(store, "second"), an_evaluation(store)
    store.record(first.id, "m", [judgement(evaluation, "0")])
    replayed = store.responses([key("0")])[key("0")]
    store.record(second.id, "m", [judgement(evaluation, "0", answer=replayed)])
    assert store.spending(first.id).calls == 1
    assert store.spending(second.id).calls == 0


def test_each_run_pays_for_its_own_calls(store: Store) -> None:
    first, second, evaluation = a_run(store, "first"), a_run(store, "second"), an_evaluation(store)
    store.record(first.id, "m", [judgement(evaluation, "0", answer=response(cost=1.0))])
    store.record(second.id, "m", [judgement(evaluation, "0", answer=response(cost=2.0))])
    assert (store.spending(first.id).cost, store.spending(second.id).cost) == (1.0, 2.0)


def test_two_items_with_the_same_text_were_both_paid_for(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    twins = [judgement(evaluation, each, answer=response(each, cost=0.5), request="same text") for each in ("x", "y")]
    store.record(run.id, "m", twins)
    assert money(store, run.id) == (2, 1.0, 0)
    assert store.responses([key("same text")])[key("same text")].text == "y"


def test_tokens_are_added_by_kind_and_a_kind_that_nobody_told_stays_unknown(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    usages = [Usage(100, 60, None, 20, 5), Usage(50, 0, None, 10, 2)]
    answers = [replace(response(), usage=usage, enlarged=n) for n, usage in enumerate(usages)]
    store.record(run.id, "m", [judgement(evaluation, str(n), answer=answer) for n, answer in enumerate(answers)])
    spending = store.spending(run.id)
    assert spending.usage == Usage(150, 60, None, 30, 7)
    assert spending.enlarged == 1


def test_charges_of_unknown_amount_are_kept_beside_the_calls(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    charges = [UncertainCharge("m", "no reply in time", 0.25), UncertainCharge("m", "the connection broke", 0.5)]
    store.record(run.id, "m", [judgement(evaluation, "0", answer=response(cost=1.0))], charges)
    spending = store.spending(run.id)
    assert (spending.calls, spending.cost, spending.uncertain, spending.uncertain_most) == (1, 1.0, 2, 0.75)


def test_a_charge_without_a_price_leaves_the_most_unknown(store: Store) -> None:
    run = a_run(store)
    store.record(run.id, "m", [], [UncertainCharge("m", "a", 0.25), UncertainCharge("m", "b", None)])
    assert (store.spending(run.id).uncertain, store.spending(run.id).uncertain_most) == (2, None)


# Verdicts


def test_every_kind_of_verdict_comes_back_as_it_was(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    verdicts: dict[str, Verdict] = {
        "0": Scored("1", "supported by chunk 2", 0.75),
        "1": Scored("0"),
        **{reason: Unscored(reason, f"because {reason}") for reason in UNSCORED_REASONS},
    }
    store.record(run.id, "m", [judgement(evaluation, item, verdict) for item, verdict in verdicts.items()])
    assert store.verdicts(evaluation) == verdicts


def test_a_verdict_written_again_replaces_the_old_one(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    failed = Judgement(evaluation, "0", Unscored("error", "timeout"), key("0"), None)
    store.record(run.id, "m", [failed, judgement(evaluation, "1", Scored("0"))])
    assert labels(list(store.verdicts(evaluation).values())) == ["(error)", "0"]
    store.record(run.id, "m", [judgement(evaluation, "0", Scored("1", "it does"))])
    assert store.verdicts(evaluation) == {"0": Scored("1", "it does"), "1": Scored("0")}


def test_a_scored_verdict_that_becomes_unscored_keeps_nothing_of_the_label(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    store.record(run.id, "m", [judgement(evaluation, "0", Scored("1", "it does", 0.9))])
    store.record(run.id, "m", [judgement(evaluation, "0", Unscored("refused", "no"))])
    assert store.verdicts(evaluation) == {"0": Unscored("refused", "no")}


def test_of_one_item_twice_in_a_batch_the_last_verdict_counts(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    store.record(run.id, "m", [judgement(evaluation, "0", Scored(label)) for label in ("0", "1")])
    assert store.verdicts(evaluation) == {"0": Scored("1")}


def test_a_failed_call_leaves_a_verdict_and_no_response(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    store.record(run.id, "m", [Judgement(evaluation, "0", Unscored("error", "timeout"), key("0"), None)])
    assert store.verdicts(evaluation) == {"0": Unscored("error", "timeout")}
    assert store.responses([key("0")]) == {}
    assert store.spending(run.id).calls == 0


def test_an_empty_batch_is_nothing(store: Store) -> None:
    store.record(a_run(store).id, "m", [])


def test_a_batch_is_all_or_nothing(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    with pytest.raises(StoreError):
        store.record(run.id, "m", [judgement(evaluation, "0"), judgement(evaluation + 1, "1")])
    assert store.verdicts(evaluation) == {}
    assert store.responses([key("0"), key("1")]) == {}


def test_the_same_evaluation_is_made_once(store: Store) -> None:
    assert an_evaluation(store, "one") == an_evaluation(store, "one")
    assert an_evaluation(store, "one") != an_evaluation(store, "other")


def test_verdicts_of_two_evaluations_are_kept_apart(store: Store) -> None:
    run, one, other = a_run(store), an_evaluation(store, "one"), an_evaluation(store, "other")
    store.record(run.id, "m", [judgement(one, "0", Scored("0")), judgement(other, "0", Scored("1"))])
    assert store.verdicts(one) == {"0": Scored("0")}
    assert store.verdicts(other) == {"0": Scored("1")}


def test_an_evaluation_knows_which_models_answered_last(store: Store) -> None:
    run, evaluation = a_run(store), an_evaluation(store)
    answers = {"0": "gpt-9-0101", "1": "gpt-9-0101", "2": "gpt-9-0202"}
    for item, model in answers.items():
        store.record(run.id, "m", [judgement(evaluation, item, answer=replace(response(), model=model))])
    assert store.returned_models(evaluation) == ("gpt-9-0101", "gpt-9-0202")
    store.record(run.id, "m", [judgement(evaluation, "2", answer=replace(response(), model="gpt-9-0101"))])
    assert store.returned_models(evaluation) == ("gpt-9-0101",)
