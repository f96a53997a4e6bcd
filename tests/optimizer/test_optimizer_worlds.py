"""The seeded worlds of the optimizer bench: what their judges answer to, and what their writer does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from calibrate.domain import ModelRequest, Scored, digest
from calibrate.metrics import alignment_value
from calibrate.optimizer import STRATEGIES, MetaTask, meta_prompt
from calibrate.optimizer.trials import Remembered, misjudged

SCRIPTS = str(Path(__file__).parents[2] / "scripts")
sys.path.insert(0, SCRIPTS)

from optimizer_worlds import (  # noqa: E402
    FAMILIES,
    FEATURES,
    REPORTED_SEEDS,
    REPORTED_WORLDS,
    TUNING_SEEDS,
    USELESS,
    Evidence,
    World,
    alignment_of_table,
    parse,
    read,
)
from optimizer_worlds.concepts import BROAD, FILLERS, SCAFFOLDS, concept_in_item, phrasings  # noqa: E402

WORLD = World("modes", 0)
CONDITIONED = [family for family in FAMILIES if family != "null"]


def prompt_of(features, variant=0):
    random = Random(f"{features}{variant}")
    return " ".join(["Judge the answer.", *(random.choice(phrasings(feature)) for feature in features)])


# The words


@pytest.mark.parametrize("feature", range(len(FEATURES)), ids=FEATURES)
def test_each_phrasing_states_its_feature_and_no_other(feature):
    assert len(set(phrasings(feature))) >= 3
    for sentence in phrasings(feature):
        assert parse(sentence).features == (feature,), sentence
        assert concept_in_item(sentence) is None, sentence


def test_fillers_and_baselines_state_nothing_by_accident():
    assert [sentence for sentence in FILLERS if parse(sentence).features] == []
    for family in FAMILIES:
        for seed in range(20):
            world = World(family, seed)
            assert set(parse(world.baseline).features) <= set(world.needed)


def test_the_text_of_an_item_tells_its_mode_and_states_no_feature():
    for item in WORLD.items + WORLD.unseen:
        text = "\n".join([*item.inputs.values(), item.note])
        assert parse(text).features == ()
        assert parse("\n".join(item.inputs[name] for name in ("answer", "context"))).features == ()
        found = concept_in_item("\n".join(item.inputs.values()))
        mode = WORLD.modes[item.id].split(":")[0]
        assert (mode == "plain") == (found is None)
        if found is not None:
            assert FEATURES[2 * found] == f"{mode}:strict"


# Items and seeds


def test_two_hundred_worlds_are_reported_and_none_of_their_seeds_is_for_tuning():
    assert len(REPORTED_WORLDS) == len(set(REPORTED_WORLDS)) == 200
    assert {family: sum(each == family for each, _ in REPORTED_WORLDS) for family in FAMILIES} == dict.fromkeys(
        FAMILIES, 50
    )
    assert {seed for _, seed in REPORTED_WORLDS} == set(REPORTED_SEEDS)
    assert not set(TUNING_SEEDS) & set(REPORTED_SEEDS)


@pytest.mark.parametrize("family", FAMILIES)
def test_development_and_unseen_items_are_of_one_distribution(family):
    worlds = [World(family, seed) for seed in range(20)]
    assert all(len(world.items) == 60 and len(world.unseen) == 400 for world in worlds)
    good = [np.mean([item.label == "1" for item in part]) for world in worlds for part in (world.items, world.unseen)]
    assert abs(np.mean(good[::2]) - np.mean(good[1::2])) < 0.05
    assert any(item.note for item in worlds[0].items)
    assert len({item.id for item in worlds[0].items + worlds[0].unseen}) == 460


def test_sizes_can_be_chosen():
    world = World("tradeoffs", 3, development=25, unseen=50)
    assert (len(world.items), len(world.unseen)) == (25, 50)


# The judge


def fingerprint(family):
    world = World(family, 5)
    verdicts = world.judge(world.baseline, world.items, 1)
    request = request_of(world, world.baseline, "general improvement")
    return [world.baseline, "".join(verdicts[item.id].label for item in world.items), world.writer(request).text]


def test_all_is_the_same_in_another_process_whatever_its_hash_seed():
    code = (
        "import json, sys; sys.path[:0] = sys.argv[1:]; from optimizer.test_optimizer_worlds import *; "
        "print(json.dumps([fingerprint(each) for each in FAMILIES]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parents[1])],
        env={"PYTHONHASHSEED": "7", "PATH": "", "PYTHONPATH": str(Path(SCRIPTS).parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout) == [fingerprint(family) for family in FAMILIES]


@pytest.mark.parametrize("family", FAMILIES)
def test_alignment_is_the_alignment_of_the_verdicts(family):
    for seed in range(5):
        world = World(family, seed)
        for prompt, items in ((world.baseline, world.items), (prompt_of(world.needed), world.unseen)):
            verdicts = world.judge(prompt, items)
            measured = alignment_value([i.label for i in items], [verdicts[i.id] for i in items], world.scale)
            assert world.alignment(prompt, items) == pytest.approx(measured, abs=1e-12)


@pytest.mark.parametrize("table", [(20, 15, 10, 15), (35, 0, 25, 0), (0, 35, 0, 25), (0, 35, 25, 0), (35, 0, 0, 25)])
def test_the_alignment_of_a_table_is_that_of_the_metrics(table):
    tp, fn, fp, tn = table
    gold = ["1"] * (tp + fn) + ["0"] * (fp + tn)
    said = "1" * tp + "0" * fn + "1" * fp + "0" * tn
    assert alignment_of_table(*table) == pytest.approx(alignment_value(gold, [*map(Scored, said)], WORLD.scale))


def test_a_subset_is_judged_as_it_is_among_all():
    every = WORLD.judge(WORLD.baseline, WORLD.items + WORLD.unseen)
    some = WORLD.items[7:3:-1] + WORLD.unseen[100:110]
    assert WORLD.judge(WORLD.baseline, some) == {item.id: every[item.id] for item in some}


@pytest.mark.parametrize("family", FAMILIES)
def test_wording_and_repeats_change_few_verdicts(family):
    reworded, repeated = [], []
    for seed in range(20):
        world = World(family, seed)
        features = world.needed[:4]
        first = world.right(prompt_of(features, 0))
        reworded.append((first != world.right(prompt_of(features, 1))).mean())
        repeated.append((first != world.right(prompt_of(features, 0), repeat=1)).mean())
        assert np.array_equal(first, world.right(prompt_of(features, 0)))
    assert 0.005 < np.mean(repeated) < np.mean(reworded) < 0.10


@pytest.mark.parametrize("family", CONDITIONED)
def test_what_a_prompt_says_matters_and_how_it_says_it_does_not(family):
    gains, wordings = [], []
    for seed in range(20):
        world = World(family, seed)
        gains.append(world.expected(prompt_of(world.needed)) - world.expected(prompt_of(())))
        wordings.append(world.expected(prompt_of(world.needed, 0)) - world.expected(prompt_of(world.needed, 1)))
    assert np.mean(gains) > 0.1
    assert np.abs(wordings).max() == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_expected_alignment_is_what_verdicts_come_to_on_average(family):
    differences = []
    for seed in range(15):
        world = World(family, seed)
        prompt = prompt_of(world.needed[:3])
        measured = np.mean([world.alignment(prompt, world.unseen, repeat) for repeat in range(3)])
        differences.append(measured - world.expected(prompt))
    # The item's own draw is common to all repeats: 400 items tell alignment to about 0.03 in a world.
    assert abs(np.mean(differences)) < 0.03


def test_in_null_worlds_no_feature_has_an_effect():
    differences = []
    for seed in range(40):
        world = World("null", seed)
        prompt = prompt_of(range(0, len(FEATURES), 2))
        assert world.expected(prompt) == world.expected("Judge.") == world.attainable
        differences.append(world.alignment(prompt, world.unseen) - world.alignment("Judge.", world.unseen))
    assert abs(np.mean(differences)) < 3 * np.std(differences) / 40**0.5
    assert np.std(differences) > 0.005  # rewriting draws the noise anew


@pytest.mark.slow
@pytest.mark.parametrize("family", CONDITIONED)
def test_baselines_and_what_can_be_reached_are_where_judges_are(family):
    worlds = [World(family, seed) for seed in range(30)]
    first = np.array([world.expected(world.baseline) for world in worlds])
    best = np.array([world.attainable for world in worlds])
    assert ((first > 0.2) & (first < 0.6)).mean() > 0.8
    assert ((best > 0.75) & (best < 0.95)).mean() > 0.5
    assert (best >= first).all()


def test_advice_for_all_items_mostly_harms():
    effects = [
        world.expected(f"Judge. {sentences[0]}") - world.expected("Judge.")
        for seed in range(15)
        for world in [World("modes", seed)]
        for _, sentences in BROAD.values()
    ]
    assert np.mean(np.array(effects) < 0) > 0.7


def test_with_many_sentences_each_works_less_where_attention_is_limited():
    few, many = [], []
    for seed in range(15):
        world = World("interactions", seed)
        mends = prompt_of(range(len(FEATURES) - len(BROAD) - len(SCAFFOLDS), len(FEATURES) - len(BROAD)))
        mends += " " + prompt_of(world.needed[:5])
        few.append(world.expected(mends))
        many.append(world.expected(mends + " Find the passage that supports what is said." * 12))
    assert np.mean(few) > np.mean(many) + 0.03


def test_examples_are_a_weak_form_of_their_feature_and_known_by_heart():
    shown = [item for item in WORLD.items if item.label == "0"][:8]
    lines = [f"Answer: {item.inputs['answer']}\nLabel: {item.label}" for item in shown]
    prompt = "Judge.\n\nExamples:\n" + "\n\n".join(lines)
    assert parse(prompt).features == ()
    assert len(parse(prompt).codes) == 8
    verdicts = WORLD.judge(prompt, shown)
    assert sum(verdicts[item.id].label == item.label for item in shown) >= 7
    assert WORLD.expected(prompt) != WORLD.expected("Judge.")


# What the writer reads


def errors_of(world, prompt):
    return misjudged(world.items, world.judge(prompt, world.items), world.scale)[:8]


def request_of(world, prompt, name):
    """Build a request with the program's own meta-prompt, in the first or the second version of its format."""
    strategy = next(each for each in STRATEGIES if each.name == name)
    task = MetaTask("faithfulness", "en", ("question", "context", "answer"), world.scale)
    current, errors = Remembered(prompt, 0.4, "baseline"), errors_of(world, prompt)
    if meta_prompt.META_PROMPT_VERSION == 1:
        return meta_prompt.meta_request(task, strategy, current, [current], ["strategy x: too long"], errors)
    lesson = meta_prompt.Lesson(current, history=[current], errors=[(error, "a pattern") for error in errors])
    return meta_prompt.meta_request(task, strategy, lesson)


def prompt_in(response):
    """Return the prompt of a reply, empty when there is none."""
    found = re.fullmatch(r"<prompt>\n(.*)\n</prompt>", response.text, re.DOTALL)
    return found[1] if found else ""


def test_the_request_of_today_is_read_whole():
    errors = errors_of(WORLD, WORLD.baseline)
    reading = read(request_of(WORLD, WORLD.baseline, "fix wrongly accepted").user)
    assert (reading.kind, reading.current, reading.strategy) == ("rewrite", WORLD.baseline, "fix wrongly accepted")
    assert len(reading.evidence) == len(errors) == 8
    for each, error in zip(reading.evidence, errors, strict=True):
        assert (each.told, each.label, each.noted) == (error.kind, error.item.label, bool(error.item.note))
        assert error.item.inputs["answer"] in each.text


ITEMS = """<question>
How much?
</question>
<context>
The invoice is for 12 kg.
</context>
<answer>
The invoice is for 12 tonnes. (case K-123456)
</answer>
<expert_label>0</expert_label>
<expert_note>Look at &lt;answer>.</expert_note>
<judge_label>{judge}</judge_label>
<judge_reasoning>
It fits.
</judge_reasoning>
</error>"""
VERSION_2 = f"""<task>
Dimension: faithfulness
</task>
<history>
<tried score="0.1000" strategy="baseline">
Judge. Be severe.
</tried>
</history>
<other_judges>
<tried score="0.6" strategy="general improvement" judge="openai:gpt-x">Check dates.</tried>
</other_judges>
<rejected>
- strategy explicit rubric: duplicate of candidate 3
</rejected>
<patterns>
<pattern name="units overlooked" errors="2">The judge does not compare units.</pattern>
</patterns>
<errors>
<error kind="wrongly accepted" pattern="units overlooked">
{ITEMS.format(judge="1")}
<error kind="unscored">
{ITEMS.format(judge="none: invalid")}
</errors>
<other score="0.5500">
Reject the answer when a place is mixed up with another.
</other>
<current score="0.6000">
Judge. Accept synonyms. Keep &lt;prompt> tags.
</current>
<request strategy="merge">
Merge both.
</request>
<repair>
<problem>placeholder lost: context</problem>
<reply>
none
</reply>
Answer the request again so that this problem is gone.
</repair>"""


def test_the_second_version_of_the_format_is_read():
    reading = read(VERSION_2)
    assert reading.current == "Judge. Accept synonyms. Keep <prompt> tags."
    assert reading.others == ("Reject the answer when a place is mixed up with another.",)
    assert (reading.kind, reading.strategy) == ("rewrite", "merge")
    first, second = reading.evidence
    assert (first.told, first.pattern, first.noted) == ("wrongly accepted", "units overlooked", True)
    assert (second.told, second.pattern) == ("unknown", "")
    found = {"meaning:lenient", "places:strict"}
    merged = [WORLD.writer(ModelRequest("", VERSION_2, repeat=repeat)) for repeat in range(60)]
    shares = [found <= {FEATURES[n] for n in parse(prompt_in(each)).features} for each in merged]
    assert np.mean(shares) > 0.7


ANALYSIS = """<task>
Dimension: faithfulness
</task>
<current score="0.4000">
Judge.
</current>
<known_patterns>
<pattern name="units mixed up">The judge does not compare units.</pattern>
</known_patterns>
<errors>
{errors}
</errors>
<request analysis="patterns">
Group the errors.
</request>"""


def test_an_error_analysis_has_every_error_once_and_uses_known_names():
    errors = "\n".join(
        f'<error number="{n}" kind="wrongly accepted">\n{ITEMS.format(judge="1").replace("123456", f"{n:06}")}'
        for n in range(1, 9)
    )
    named = 0
    for repeat in range(40):
        response = WORLD.writer(ModelRequest("Name at most 3 patterns.", ANALYSIS.format(errors=errors), repeat=repeat))
        if response.finish == "length":
            continue
        groups = [line.split('errors="')[1].split('"')[0] for line in response.text.splitlines()[1:-1]]
        assert sorted(int(n) for group in groups for n in group.split(", ")) == list(range(1, 9))
        assert len(groups) <= 3
        named += 'name="units mixed up"' in response.text
    assert named > 30


@pytest.mark.parametrize(
    "text",
    [
        "I gave an assistant these instructions:\n```\nJudge. Accept synonyms.\n```\nHere are items.\n\n"
        "# Example 1\nquestion: How much?\n\nanswer: The invoice is for 12 t. (case K-123456)\njudge: 1\nexpert: 0\n\n"
        "# Example 2\nanswer: The map shows it. (case K-123457)\njudge: 0\nexpert: 1",
        "Current prompt: Judge. Accept synonyms.\n\nItems:\n"
        "The invoice is for 12 t. (case K-123456) expert label: 0, judge verdict: 1\n"
        "The map shows it. (case K-123457) expert label: 1, judge verdict: 0",
        "<current_instruction>Judge. Accept synonyms.</current_instruction>\n<examples>\n<example>The invoice is for "
        "12. (case K-123456) Predicted: 1. Correct answer: 0</example>\n"
        "<example>The map shows it. (case K-123457) Predicted: 0. Correct answer: 1</example></examples>",
    ],
)
def test_other_formats_are_read_too(text):
    reading = read(text)
    assert reading.current == "Judge. Accept synonyms."
    assert [(each.told, each.label) for each in reading.evidence] == [
        ("wrongly accepted", "0"),
        ("wrongly rejected", "1"),
    ]


# What the writer does

INVOICE = Evidence("The invoice is for 12 t. (case K-{})", "wrongly accepted", "0")
QUANTITIES = FEATURES.index("quantities:strict")


def invoices(count, **changes):
    return [replace(INVOICE, text=INVOICE.text.format(100_000 + n), **changes) for n in range(count)]


def rewrites(world, evidence, strategy, current="Judge.", n=200, others=()):
    random = Random(1)
    return [parse(world.writer.rewrite(current, others, evidence, strategy, random)).features for _ in range(n)]


def test_replies_depend_on_the_request_alone():
    request = request_of(WORLD, WORLD.baseline, "general improvement")
    assert WORLD.writer(request) == World("modes", 0).writer(request) == WORLD.complete(request)
    again = {WORLD.writer(replace(request, repeat=repeat)).text for repeat in range(10)}
    assert len(again) == 10
    assert digest(request.to_json()) != digest(replace(request, repeat=1).to_json())


def test_two_or_three_replies_in_a_hundred_cannot_be_used():
    unusable, n = 0, 0
    for seed in range(20):
        world = World("modes", seed)
        request = request_of(world, world.baseline, "general improvement")
        for repeat in range(100):
            prompt = prompt_in(world.writer(replace(request, repeat=repeat)))
            unusable += prompt in ("", world.baseline)
            n += 1
    assert 0.015 < unusable / n < 0.04


def test_a_rewrite_loses_features_at_the_rate_of_the_world():
    current = prompt_of(range(0, 20, 2))
    for seed in range(5):
        world = World("modes", seed)
        kept = [len(set(features) & set(range(0, 20, 2))) / 10 for features in rewrites(world, [], "few-shot", current)]
        assert 1 - np.mean(kept) == pytest.approx(world.loss, abs=0.025)
        assert 0.02 <= world.loss <= 0.10


def test_two_strategies_in_five_are_useless_in_a_world_whatever_their_names():
    aptitudes = np.array(
        [World("null", seed, unseen=2).writer.aptitude(f"my way {n}") for seed in range(20) for n in range(50)]
    )
    assert np.mean(aptitudes < 0.1) == pytest.approx(USELESS, abs=0.05)
    assert aptitudes.min() >= 0
    assert aptitudes.max() <= 1


def test_aptitude_is_whether_additions_follow_the_evidence():
    hits = {True: [], False: []}
    for seed in range(10):
        for strategy in ("general improvement", "my own way"):
            found = np.mean([QUANTITIES in each for each in rewrites(World("modes", seed), invoices(8), strategy)])
            hits[World("modes", seed).writer.aptitude(strategy) > 0.1].append(found)
    assert np.mean(hits[True]) > 0.4
    assert np.mean(hits[False]) < 0.15


def test_insight_is_how_often_an_error_is_understood_and_notes_and_patterns_help():
    single, noted, together = [], [], []
    for seed in range(30):
        writer, random = World("null", seed, unseen=2).writer, Random(seed)
        for found, changes in (
            (single, {"pattern": "single cases"}),
            (noted, {"noted": True}),
            (together, {"pattern": "p"}),
        ):
            found += [each == QUANTITIES for each in writer.diagnose(invoices(30, **changes), random)]
        assert 0.4 <= writer.insight <= 0.8
    # Beside insight, one random guess in eighteen is right.
    assert np.mean(single) == pytest.approx(0.62, abs=0.06)
    assert np.mean(single) < np.mean(noted) - 0.1
    assert np.mean(together) > 0.95


def test_evidence_tells_a_direction_only_where_the_judge_is_shown_to_fail():
    writer, random = WORLD.writer, Random(1)
    assert {each % 2 for each in writer.diagnose(invoices(50), random)} == {0}
    assert {each % 2 for each in writer.diagnose(invoices(50, told="wrongly rejected"), random)} == {1}
    assert set(writer.diagnose(invoices(50, told="right"), random)) == {None}
    unknown = writer.diagnose(invoices(200, told="unknown"), random)
    assert 0.35 < np.mean([each is None for each in unknown]) < 0.65
    assert {each % 2 for each in unknown if each is not None} == {0, 1}


def test_what_the_names_of_strategies_say_is_heeded():
    current = prompt_of(range(0, 24, 2)) + " Be objective. Take the task seriously."
    sizes = {
        name: np.mean([len(each) for each in rewrites(WORLD, invoices(8), name, current)])
        for name in ("radical simplification", "explicit rubric", "general improvement", "shorten")
    }
    assert sizes["radical simplification"] < 6 < sizes["explicit rubric"] < sizes["general improvement"]
    assert 10 < sizes["shorten"] <= 12
    shorter = WORLD.writer.rewrite(current, (), (), "shorten", Random(1))
    assert parse(shorter).fillers == ()
    other = prompt_of(range(1, 9, 2))
    merged = rewrites(WORLD, [], "merge", current, others=(other,))
    assert np.mean([len(set(each) & set(range(1, 9, 2))) for each in merged]) > 3
    both = [*invoices(4), Evidence("The map shows it. (case K-200000)", "wrongly rejected", "1")] * 2
    for name, wrong in (("fix wrongly accepted", 1), ("fix wrongly rejected", 0)):
        world = next(w for w in (World("modes", seed) for seed in range(50)) if w.writer.aptitude(name) > 0.9)
        added = [each % 2 == wrong for features in rewrites(world, both, name) for each in features if each < 36]
        assert np.mean(added) < 0.2
