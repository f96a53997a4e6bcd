"""Two thousand calls to a server that fails in every way: each verdict has its true reason, each cent its entry."""

from __future__ import annotations

from collections import Counter

import pytest
from charging import Faults, answer, by_item, is_fault, item_of, judged, query, use, write_items
from loopback import Entry, Loopback, Reply

pytestmark = pytest.mark.usefixtures("fast_waiting")

OPENAI = ("openai:gpt-4.1-2025-04-14", (2.0, 0.5, 8.0))
ANTHROPIC = ("anthropic:claude-haiku-4-5-20251001", (1.0, 0.1, 5.0))


def may_be_billed(entry: Entry) -> bool:
    """Whether the request was taken, and no usable reply came."""
    return is_fault(entry) and entry.reply.status == 200


def expected_verdict(entry: Entry) -> tuple[str | None, str | None]:
    """What the last reply to an item makes of it: a label, or a reason."""
    reply = entry.reply
    if is_fault(entry):
        return None, "error"
    if reply.finish in ("refusal", "length"):
        return None, "refused" if reply.finish == "refusal" else "truncated"
    return judged(item_of(entry.call) or ""), None


def words_for(entry: Entry) -> str:
    """Words by which the reason of a failed item tells what its last reply was."""
    reply = entry.reply
    if reply.status != 200:
        return f" answered {reply.status}: {reply.message}"
    if reply.drop:
        return " broke: "
    if reply.cut:
        return " broke: "
    if "text/html; charset=utf-8" in reply.headers.values():
        return " sent an unreadable reply (it is text/html; charset=utf-8)"
    if reply.raw == b'{"id": "x", "choices": [{"ind':
        return " sent an unreadable reply ("
    return " sent a reply without c"  # choices, or content


def check_verdicts(server: Loopback, count: int) -> Counter[str | None]:
    """Compare the verdicts item by item with what the server sent last, and return the reasons with their numbers."""
    rows = {
        item: (label, unscored, detail)
        for item, label, unscored, detail in query("select item_id, label, unscored, detail from verdicts")
    }
    entries = by_item(server)
    assert sorted(rows) == sorted(entries)
    assert len(rows) == count
    for item, (label, unscored, detail) in rows.items():
        *earlier, last = entries[item]
        assert (label, unscored) == expected_verdict(last), (item, detail, last.reply)
        assert all(is_fault(each) for each in earlier), "what was answered is asked again"
        if unscored == "error":
            assert words_for(last) in detail
            limited = [each for each in entries[item] if "retry-after" in each.reply.headers]
            assert len(entries[item]) - len(limited) == 5
            assert detail.endswith("(given up after 5 attempts)")
    return Counter(unscored for _, unscored, _ in rows.values())


def check_books(server: Loopback, spent: dict) -> None:
    usable = [each for each in server.entries if not is_fault(each)]
    told = [each for each in usable if each.reply.usage]
    untold = [each for each in usable if not each.reply.usage]
    lost = [each for each in server.entries if may_be_billed(each)]
    assert spent["calls"] == len(usable)
    assert spent["known_cost"] == pytest.approx(sum(each.charge for each in told), abs=1e-9)
    assert spent["calls_of_unknown_cost"] == len(untold)
    assert spent["cost"] is None if untold else spent["cost"] == spent["known_cost"]
    assert spent["uncertain_charges"]["count"] == len(lost) + len(untold)
    # The bounds hold for each part by itself, so that no surplus of one covers another.
    parts = {
        "the reply did not tell what was billed": untold,
        "%: the connection to % broke: %": [each for each in lost if _broken(each)],
        "%: % sent %": [each for each in lost if not _broken(each)],
    }
    for reason, charged in parts.items():
        count, most = query("select count(*), sum(at_most) from uncertain_charges where reason like ?", reason)[0]
        assert count == len(charged)
        assert sum(each.charge for each in charged) <= (most or 0.0)
    assert server.charged == pytest.approx(sum(each.charge for each in server.entries), abs=1e-9)
    assert spent["known_cost"] <= server.charged + 1e-9
    assert server.charged <= spent["known_cost"] + spent["uncertain_charges"]["at_most"]
    rows = query("select sum(cost), count(*), sum(cost is null), sum(cost = 0) from responses")
    assert rows[0] == (pytest.approx(spent["known_cost"], abs=1e-9), len(usable), len(untold), 0)


def _broken(entry: Entry) -> bool:
    return entry.reply.drop or entry.reply.cut


@pytest.mark.parametrize(
    ("judge", "count", "charged", "seed"),
    [
        pytest.param(OPENAI, 2000, False, 1, id="openai", marks=pytest.mark.slow),
        pytest.param(OPENAI, 500, True, 2, id="openai, faults are charged"),
        pytest.param(ANTHROPIC, 300, False, 3, id="anthropic"),
        pytest.param(ANTHROPIC, 300, True, 4, id="anthropic, faults are charged", marks=pytest.mark.slow),
    ],
)
def test_every_verdict_has_its_true_reason_and_every_charge_is_in_the_books(
    program, tmp_path, monkeypatch, judge, count, charged, seed
):
    (name, prices), items = judge, write_items(tmp_path / "items.csv", count)
    with Loopback(Faults(seed, charged=charged), prices=prices) as server:
        use(server, monkeypatch)
        document = program("baseline", items, "--judge", name, "--max-unscored", 1, "--json").json
    (run,) = document["runs"]
    reasons = check_verdicts(server, count)
    check_books(server, run["spent"])
    # What was to be tried did occur.
    assert {None, "refused", "truncated", "error"} <= set(reasons) or count < 2000
    assert reasons[None] > 0.9 * count
    faults = [each for each in server.entries if is_fault(each)]
    assert len(faults) > 0.3 * len(server.entries)
    assert (sum(each.charge for each in faults) > 0) is charged
    (result,) = document["results"]
    assert (result["n"], result["n"] - result["scored"]) == (count, count - reasons[None])


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC], ids=["openai", "anthropic"])
def test_a_server_that_counts_no_tokens_does_not_answer_for_nothing(program, tmp_path, monkeypatch, judge):
    """Some servers and proxies tell zeros in place of no usage."""
    (name, prices), items = judge, write_items(tmp_path / "items.csv", 5)
    with Loopback(lambda call: Reply(answer(call), input_tokens=0, output_tokens=0), prices=prices) as server:
        use(server, monkeypatch)
        (run,) = program("baseline", items, "--judge", name, "--json").json["runs"]
    assert (run["spent"]["cost"], run["spent"]["calls_of_unknown_cost"]) == (None, 5)
    assert run["spent"]["uncertain_charges"]["count"] == 5
    assert query("select count(cost), count(input_tokens) from responses") == [(0, 0)]
