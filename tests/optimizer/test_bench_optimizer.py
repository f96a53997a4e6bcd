"""The optimizer bench: budgets that are kept, figures with worked values, and the same result on every run."""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random

import pytest
from scipy import stats

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import bench_optimizer
import optimizer_dspy
import optimizer_peers
from optimizer_figures import Fared, against, fared, mean
from optimizer_methods import METHODS, Standing, Trace, run
from optimizer_tables import REFERENCE, tables
from optimizer_worlds import FAMILIES, REPORTED_WORLDS, TUNING_SEEDS, World, parse

from calibrate.domain import ModelResponse

BUDGET = 10 * 60
RECORDED = json.loads(Path(__file__).with_name("peer_requests.json").read_text(encoding="utf-8"))
"""Requests of DSPy 3.4.1 about items of the world ``modes`` 0."""


def fares(*curves, family="modes", seed=0):
    """Return a world in which each curve is a method's expected alignment after each 60 calls, and the score 0.1 more.

    The methods are named by their letters, in order.
    """
    traces = {
        name: Trace([Standing(60 * n, value + 0.1, value, n - 1) for n, value in enumerate(curve, 1)])
        for name, curve in zip("abc", curves, strict=False)
    }
    return Fared(family, seed, curves[0][0], 0.9, traces)


# The methods' traces


@pytest.fixture(scope="module")
def traces():
    world = World("modes", TUNING_SEEDS[0])
    return {name: run(name, world, BUDGET) for name in METHODS}


@pytest.mark.parametrize("name", METHODS)
def test_a_method_stands_somewhere_after_every_candidate(traces, name):
    calls = [each.calls for each in traces[name].standings]
    assert calls[0] == 60  # the baseline
    steps = [after - before for before, after in pairwise(calls)]
    assert all(0 < step <= 60 for step in steps)
    assert calls[-1] >= BUDGET


@pytest.mark.parametrize("name", METHODS)
def test_what_a_method_hands_over_never_scores_less_than_before(traces, name):
    scores = [each.score for each in traces[name].standings]
    assert scores == sorted(scores)
    asked = [each.meta_calls for each in traces[name].standings]
    assert asked == sorted(asked)
    assert asked[0] == 0
    assert asked[-1] <= traces[name].meta_calls


def test_methods_whose_candidates_take_all_items_spend_the_same(traces):
    assert traces["plain OPRO"].at(BUDGET).calls == traces["random search"].at(BUDGET).calls == BUDGET


def test_in_null_worlds_every_method_ends_where_it_started():
    world = World("null", TUNING_SEEDS[0])
    for name in METHODS:
        assert {each.expected for each in run(name, world, BUDGET).standings} == {world.attainable}


# The figures


def test_a_mean_has_the_interval_of_t():
    found = mean([0.2, 0.4, 0.6, 0.8])
    interval = stats.ttest_1samp([0.2, 0.4, 0.6, 0.8], 0).confidence_interval(0.95)
    assert (found.value, found.low, found.high) == pytest.approx((0.5, *interval))
    assert mean([0.3]).to_json() == {"mean": 0.3, "low": None, "high": None}


def test_means_are_of_what_is_handed_over_within_a_share_of_the_budget():
    # A quarter of 600 calls is 150: the standing at 120.
    worlds = [fares([0.1, 0.2, 0.3, 0.3, 0.4, 0.4, 0.4, 0.4, 0.4, 0.5])] * 2
    found = fared(worlds, "a", BUDGET)
    assert [each.value for each in found["expected"]] == pytest.approx([0.2, 0.4, 0.5])
    assert [each.value for each in found["optimism"]] == pytest.approx([0.1] * 3)
    assert (found["score"].value, found["meta_calls"]) == (pytest.approx(0.6), 9)


def test_methods_are_compared_world_by_world():
    flat = [0.4] * 10
    worlds = [
        fares([0.1] * 5 + flat[:5], [0.1] * 2 + [0.4] * 8),  # b has a's end after 180 of 600 calls, and ends equal
        fares([0.2] * 9 + [0.4], [0.2, *[0.5] * 9]),  # after 120, higher
        fares([0.1] * 9 + [0.4], [0.1] * 9 + [0.3]),  # never, lower
    ]
    found = against(worlds, "b", "a", BUDGET)
    assert (found.higher, found.equal, found.lower, found.never) == (1, 1, 1, 1)
    assert found.difference.value == pytest.approx(0)
    assert found.median_share == pytest.approx(0.3)
    # b's mean is 0.1 + 0.1 + 0.2 after 60 calls, 0.1 + 0.5 + 0.1 after 120, 1.0 / 3 after 180 and a's 1.2 / 3 at 600.
    assert found.share == 1.0
    own = against(worlds, "a", "a", BUDGET)
    assert (own.equal, own.median_share, own.never) == (3, 1.0, 0)


def test_what_is_never_reached_is_said_to_be_so():
    worlds = [fares([0.5] * 10, [0.4] * 10)] * 4
    found = against(worlds, "b", "a", BUDGET)
    assert (found.share, found.share_high, found.median_share, found.never) == (inf, inf, inf, 4)
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["median_share"] is None


def test_calls_beyond_the_budget_do_not_count():
    late = Trace([Standing(60, 0.2, 0.2), Standing(590, 0.3, 0.3), Standing(640, 0.9, 0.9)])
    world = Fared("modes", 0, 0.2, 0.9, {"a": fares([0.2] * 9 + [0.5]).traces["a"], "b": late})
    found = against([world, world], "b", "a", BUDGET)
    assert (found.lower, found.never) == (2, 2)
    assert found.difference.value == pytest.approx(-0.2)


# The command


def test_reported_worlds_are_reported_unless_tuning_is_asked_for():
    assert set(bench_optimizer.worlds(tuning=False, count=None)) == set(REPORTED_WORLDS)
    tuning = bench_optimizer.worlds(tuning=True, count=8)
    assert tuning == [(family, seed) for seed in TUNING_SEEDS[:2] for family in FAMILIES]


def test_the_reference_always_takes_part_and_names_may_have_commas():
    assert bench_optimizer.chosen("default, pruned,default") == [REFERENCE, "default, pruned", "default"]
    assert bench_optimizer.chosen(None) == list(METHODS)
    with pytest.raises(SystemExit, match="no method 'none'"):
        bench_optimizer.chosen("none")


def test_the_number_of_processes_changes_nothing():
    names = bench_optimizer.worlds(tuning=True, count=4)
    one, two = (bench_optimizer.compare(names, [REFERENCE, "default"], 240, jobs=jobs) for jobs in (1, 2))
    assert [each.to_json() for each in one] == [each.to_json() for each in two]


@pytest.mark.slow
def test_the_command_prints_tables_and_writes_everything(tmp_path, capsys):
    file = tmp_path / "bench.json"
    asked = "--tuning --worlds 8 --methods default --candidates 9 --jobs 1 --json".split()
    bench_optimizer.main([*asked, str(file)])
    printed = capsys.readouterr().out
    assert "8 tuning worlds, at most 600 judge calls" in printed
    assert "simulated worlds, not LLMs" in printed
    assert "of 6 worlds (null worlds aside)" in printed
    written = json.loads(file.read_text())
    assert (written["seeds"], written["budget"], len(written["worlds"])) == ("tuning", 600, 8)
    assert set(written["worlds"][0]["methods"]) == {REFERENCE, "default"}
    null = written["summary"]["null"]["against"]["default"]
    assert (null["worlds"], null["equal"]) == (2, 2)
    assert list(written["summary"]) == ["modes", "tradeoffs", "interactions", "all but null", "null"]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            [0.1, *[0.6] * 9],
            "default reaches plain OPRO's alignment with 20% of its judge calls; at equal calls it ends"
            " higher by 0.100 [0.100, 0.100]; lower in 0 of 4 worlds",
        ),
        (
            [0.1] * 10,
            "default does not reach plain OPRO's alignment with as many judge calls; at equal calls it ends"
            " lower by 0.400 [0.400, 0.400]; lower in 4 of 4 worlds",
        ),
    ],
)
def test_the_sentence_says_what_the_figures_say(other, said):
    worlds = []
    for seed in range(4):
        made = fares([0.1] * 9 + [0.5], other, seed=seed)
        worlds.append(Fared("modes", seed, 0.1, 0.9, {REFERENCE: made.traces["a"], "default": made.traces["b"]}))
    assert said in tables(worlds, [REFERENCE, "default"], BUDGET)


# The peers: what they ask, as recorded


def asked(name):
    system, user = (message["content"] for message in RECORDED[name])
    return optimizer_dspy.reading(system, user, Random(0))


def test_the_judge_is_given_the_instructions_and_nothing_that_dspy_adds():
    found = optimizer_dspy.judging(RECORDED["GEPA judging"])
    assert found.prompt == (
        "You judge whether an answer is faithful to its context.\n\n"
        "Rules:\n- Do not mark an answer down for a double negative that says the same."
    )
    assert f"(case {found.code})" in RECORDED["GEPA judging"][-1]["content"]


def test_demonstrations_are_labelled_examples_of_the_prompt():
    found = optimizer_dspy.judging(RECORDED["MIPROv2 judging"])
    parsed = parse(found.prompt)
    assert (len(parsed.codes), parsed.features) == (4, ())
    assert found.code not in parsed.codes
    assert found.prompt.startswith(
        "You judge whether an answer is faithful to its context.\n\nExamples:\nQuestion: When"
    )
    assert found.prompt.count("\nLabel: ") == 4


def test_a_reflection_is_read_with_what_the_judge_got_wrong():
    found = asked("GEPA reflection")
    assert (found.field, found.as_json) == ("new_instruction", True)
    assert found.reading.current.startswith("Judge the faithfulness of the answer.\n\nRules:\n- Reject the answer when")
    assert found.reading.current.endswith("\n- Do not mark an answer down for an informal style.")
    assert [(e.told, e.label, e.noted) for e in found.reading.evidence] == [
        ("right", "0", True),
        ("right", "1", True),
        ("wrongly accepted", "0", True),
    ]
    assert found.reading.evidence[2].text.endswith("The map shows depot 22 overseas. (case K-742418)")
    assert found.reading.strategy.startswith("way ")


def test_a_proposal_is_read_with_each_item_once_and_its_label_only():
    found = asked("MIPROv2 proposal")
    assert (found.field, found.as_json) == ("proposed_instruction", False)
    assert found.reading.current == "You judge whether an answer is faithful to its context."
    codes = [each.text.split("(case ")[1] for each in found.reading.evidence]
    assert len(codes) == len(set(codes)) >= 3
    assert {each.told for each in found.reading.evidence} == {"unknown"}
    assert [each.label for each in found.reading.evidence[:4]] == ["1", "0", "1", "0"]
    assert [each.noted for each in found.reading.evidence[:4]] == [False, False, False, True]


def test_what_is_said_about_the_items_can_be_read_again():
    found = asked("MIPROv2 observations")
    assert found.reading is None
    text, finish = optimizer_dspy.replies(found, None)
    assert (text.split("\n")[0], finish) == ("[[ ## observations ## ]]", "stop")
    again = optimizer_dspy.reading(RECORDED["MIPROv2 observations"][0]["content"], text, Random(0))
    assert len(again.quotes) == 8
    assert set(again.quotes) == set(found.quotes)
    assert any(each.noted for each in again.quotes)


@pytest.mark.parametrize("name", ["GEPA reflection", "MIPROv2 proposal"])
def test_a_new_instruction_comes_in_the_form_that_is_asked_for(name):
    written = ModelResponse("<prompt>\nJudge.\n\n- Check dates.\n</prompt>", "stop", "world")
    text, finish = optimizer_dspy.replies(asked(name), written)
    if asked(name).as_json:
        assert json.loads(text) == {"new_instruction": "Judge.\n\n- Check dates."}
    else:
        assert text.startswith("[[ ## proposed_instruction ## ]]\nJudge.\n\n- Check dates.\n\n[[ ## completed ## ]]")
    assert finish == "stop"


@pytest.mark.parametrize(("text", "finish"), [("", "stop"), ("Judge.", "stop"), ("<prompt>\nJudge.", "length")])
def test_a_reply_that_cannot_be_used_stays_so(text, finish):
    said, ended = optimizer_dspy.replies(asked("GEPA reflection"), ModelResponse(text, finish, "world"))
    assert ended == finish
    with pytest.raises(json.JSONDecodeError):
        json.loads(said)


def test_judge_and_writer_are_the_worlds_own_and_calls_are_counted():
    simulated = optimizer_peers.Simulated(World("modes", 0))
    world = simulated.world
    assert simulated.trace.standings == [
        Standing(60, world.alignment(world.baseline, world.items), world.expected(world.baseline))
    ]
    simulated.answer({"model": "writer", "messages": RECORDED["GEPA reflection"]})
    prompt = "Judge. Tolerate common knowledge as long as the rest holds."
    system = {"role": "system", "content": f"In adhering to this structure, your objective is: \n        {prompt}"}
    said = {}
    for item in world.items:
        fields = "\n\n".join(f"[[ ## {name} ## ]]\n{text}" for name, text in item.inputs.items())
        text, _ = simulated.answer({"model": "judge", "messages": [system, {"role": "user", "content": fields}]})
        said[item.id] = text.split("\n")[1]
    verdicts = world.judge(prompt, world.items)
    assert said == {name: verdict.label for name, verdict in verdicts.items()}
    right, before = (
        sum(said.label == item.label for item, said in zip(world.items, judged.values(), strict=True))
        for judged in (verdicts, world.judge(world.baseline, world.items))
    )
    assert right > before  # so that it stands at the new prompt
    assert simulated.trace.standings[1:] == [
        Standing(60, world.alignment(prompt, world.items), world.expected(prompt), 1)
    ]
    assert (simulated.calls, simulated.trace.meta_calls) == (60, 1)


def test_without_the_packages_it_is_said_how_to_install_them(tmp_path):
    missing = str(tmp_path / "python")
    with pytest.raises(SystemExit, match="pip install gepa dspy optuna"):
        bench_optimizer.peers(missing)
    assert bench_optimizer.peers(None) == []
