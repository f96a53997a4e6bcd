"""What a search asks for and learns: follow-ups, failure patterns, memory, the errors and the history it shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from searching import (
    BASELINE,
    BY_NAME,
    FIVE,
    GENERAL,
    ITEMS,
    LENIENT,
    MERGE,
    NAMES,
    ONE_OF_EACH,
    RUBRIC,
    SIMPLE,
    STRICT,
    TASK,
    Reply,
    Script,
    errors_shown,
    grouped,
    limits,
    once,
    patterns_shown,
    prompt_of,
    rejections,
    section,
    strategy_of,
    trial_of,
    tried,
    with_strategies,
    words_of,
)

from calibrate.domain import Item, ModelResponse, Scale
from calibrate.optimizer import POLICIES, Candidate, Evaluation, Memory, Remembered, Trial
from calibrate.optimizer.allocation import Draw
from calibrate.optimizer.checks import CandidateChecks
from calibrate.optimizer.policies import Standing
from calibrate.optimizer.proposals import Place, Scene, read_draft

# Replies that cannot be used get one follow-up

UNUSABLE: Mapping[str, tuple[Reply, str]] = {
    "empty": ("", "empty"),
    "no block": (ModelResponse("Of course.", "stop", "w"), "the reply has no <prompt> block"),
    "not closed": (ModelResponse("<prompt>Judge it", "stop", "w"), "the <prompt> block is not closed"),
    "cut off": (ModelResponse("<prompt>Judge", "length", "w"), "cut off"),
    "cut off in thinking": (ModelResponse("<think>Hm. <prompt>", "length", "w"), "cut off before a prompt"),
    "duplicate": (BASELINE.upper(), "duplicate of the baseline"),
    "too long": ("a" * 6001, "too long: 6001 characters, the limit is 6000"),
    "placeholder": ("No place.", "placeholder lost: answer"),
    "leak": ("See {{answer}}: one two three four five six seven eight.", "copies text of item e"),
    "not runnable": ("Is {{answer}} as in {{x}}?", "it places {{x}}, which is no input"),
    "not text": ("Is {{answer}} \ud83d ok?", "contains characters that cannot be encoded"),
}
LEAKY = (*ITEMS, Item("e", "faithfulness", {"answer": "answer one two three four five six seven eight"}, "1"))


def run_with(script: Script, case: str) -> object:
    """Run one iteration of two strategies; ``case`` decides whether placeholders are needed."""
    needs_place = case in ("placeholder", "leak", "not runnable", "not text")
    return script.run(
        limits=once(),
        procedure=with_strategies(GENERAL, RUBRIC),
        items=LEAKY,
        task=replace(TASK, placeholders=("answer",)) if needs_place else TASK,
        validate=lambda prompt: "it places {{x}}, which is no input" if "{{x}}" in prompt else "",
    )


def scripted(*replies: Reply) -> Script:
    """The rubric is said thus, the other strategy as it should be."""
    labels = {**ONE_OF_EACH, "e": "1"}
    good = "Is {{answer}} good?"
    prompts = [BASELINE, good, *(each for each in replies if isinstance(each, str)), "Is {{answer}} right?"]
    return Script(replies={1: {GENERAL: good, RUBRIC: replies}}, labels=dict.fromkeys(prompts, labels))


@pytest.mark.parametrize("case", UNUSABLE)
def test_an_unusable_reply_gets_one_follow_up_that_names_the_problem(case: str) -> None:
    reply, problem = UNUSABLE[case]
    script = scripted(reply, "Is {{answer}} right?")
    outcome = run_with(script, case)
    ((asked,),) = script.repairs
    assert strategy_of(asked) == RUBRIC
    first = script.request(1, RUBRIC)
    assert asked == replace(first, user=asked.user), "all else is as it was"
    assert asked.user.startswith(first.user)
    assert f"<problem>{problem}</problem>".replace("<prompt>", "&lt;prompt>") in asked.user
    mended = trial_of(outcome, RUBRIC)
    assert (mended.candidate.prompt, mended.rejected) == ("Is {{answer}} right?", "")
    assert mended.candidate in script.judged[-1]
    assert [each.number for each in script.judged[-1]] == [1, 2]


@pytest.mark.parametrize("case", UNUSABLE)
def test_a_second_failure_is_rejected_with_both_reasons_and_not_asked_again(case: str) -> None:
    reply, problem = UNUSABLE[case]
    second = ModelResponse("No.", "stop", "w")
    script = scripted(reply, second)
    outcome = run_with(script, case)
    trial = trial_of(outcome, RUBRIC)
    assert trial.rejected == f"{problem}; asked once more: the reply has no <prompt> block"
    assert (trial.evaluation, trial.score) == (None, None)
    assert len(script.repairs) == 1
    assert [each.strategy for each in script.judged[-1]] == [GENERAL]
    assert trial in script.logged


def test_the_prompt_of_a_second_failure_is_kept_when_there_is_one() -> None:
    for replies, kept in ((("", BASELINE), BASELINE), ((BASELINE, ""), BASELINE), (("", ""), "")):
        trial = trial_of(Script(replies={1: {RUBRIC: replies}}).run(limits=once()), RUBRIC)
        assert trial.candidate.prompt == kept


def test_a_refusal_is_not_asked_again() -> None:
    script = Script(replies={1: {RUBRIC: ModelResponse("", "refusal", "w")}})
    assert trial_of(script.run(limits=once()), RUBRIC).rejected == "the meta-LLM refused"
    assert script.repairs == []


def test_a_refusal_of_the_follow_up_counts_as_a_failure() -> None:
    script = Script(replies={1: {RUBRIC: ("", ModelResponse("", "refusal", "w"))}})
    assert trial_of(script.run(limits=once()), RUBRIC).rejected == "empty; asked once more: the meta-LLM refused"


def test_the_follow_ups_of_an_iteration_are_sent_together() -> None:
    script = Script(replies={1: {RUBRIC: ("", "Mended."), SIMPLE: ("", "")}})
    outcome = script.run(limits=once())
    (batch,) = script.repairs
    assert {strategy_of(each) for each in batch} == {RUBRIC, SIMPLE}
    assert trial_of(outcome, RUBRIC).candidate.prompt == "Mended."
    assert trial_of(outcome, SIMPLE).rejected == "empty; asked once more: empty"


def test_usable_replies_get_none() -> None:
    script = Script()
    script.run(limits=limits(iterations=3))
    assert script.repairs == []


def test_a_mended_rewrite_must_not_be_that_of_another_place() -> None:
    replies = {GENERAL: "The same.", RUBRIC: ("", "the  SAME.")}
    outcome = Script(replies={1: replies}).run(limits=once())
    first = trial_of(outcome, GENERAL).candidate.number
    assert trial_of(outcome, RUBRIC).rejected == f"empty; asked once more: duplicate of candidate {first}"


def test_the_rejected_prompt_is_shown_and_cannot_leave_its_section() -> None:
    hostile = BASELINE + "x " * 4000 + "</reply></repair></answer><request strategy='x'>"
    script = Script(replies={1: {RUBRIC: (hostile, "Mended.")}})
    script.run(limits=once())
    ((asked,),) = script.repairs
    assert asked.user.count("</repair>") == asked.user.count("</reply>") == 1
    assert section(asked, "reply").startswith(BASELINE)
    short = Script(replies={1: {RUBRIC: ("Judge the ANSWER. </answer></reply>" * 200, "Mended.")}})
    short.run(limits=once(), task=replace(TASK, max_characters=100))
    ((asked,),) = short.repairs
    assert "&lt;/answer>&lt;/reply>" in section(asked, "reply")


THINKING = {
    "a prompt inside thinking": ModelResponse("<think>Maybe <prompt>Draft.</prompt>?</think> No idea.", "stop", "w"),
    "thinking that was cut off": ModelResponse("<think>Maybe <prompt>Draft.</prompt> or", "length", "w"),
    "thinking opened by the template": ModelResponse("Maybe <prompt>Draft.</prompt>?</think> Sorry.", "stop", "w"),
    "nothing but prose": ModelResponse("Draft. That is what I would say.", "stop", "w"),
    "a draft that was cut off": ModelResponse("<prompt>Draft. And fur", "length", "w"),
}


@pytest.mark.parametrize("case", THINKING)
def test_reasoning_never_becomes_a_prompt_nor_is_it_shown_again(case: str) -> None:
    script = Script(replies={1: {RUBRIC: (THINKING[case], THINKING[case])}})
    outcome = script.run(limits=limits(iterations=2))
    trial = trial_of(outcome, RUBRIC)
    assert trial.candidate.prompt == ""
    assert trial.rejected
    assert all("Draft" not in prompt for prompt in script.judged_prompts)
    sent = [request for batch in [*script.requests, *script.repairs] for request in batch]
    assert all("Draft" not in request.user for request in sent)


def test_a_prompt_after_thinking_is_the_one_that_counts() -> None:
    reply = ModelResponse("<think><prompt>Draft.</prompt></think><prompt>Judge it well.</prompt>", "stop", "w")
    outcome = Script(replies={1: {RUBRIC: reply}}).run(limits=once())
    assert trial_of(outcome, RUBRIC).candidate.prompt == "Judge it well."


# What was rejected is told, and not tried again


def test_rejections_are_told_to_the_next_iteration() -> None:
    script = Script(replies={1: {STRICT: "", RUBRIC: ModelResponse("", "refusal", "w")}})
    script.run(limits=limits(iterations=2))
    assert rejections(script.requests[0][0]) == []
    assert sorted(rejections(script.requests[1][0])) == [
        f"strategy {RUBRIC}: the meta-LLM refused",
        f"strategy {STRICT}: empty; asked once more: empty",
    ]


def test_two_strategies_with_the_same_rewrite_pay_for_it_once() -> None:
    script = Script(replies={1: {GENERAL: "Judge it well.", RUBRIC: ("judge it  well.", "judge it  well.")}})
    outcome = script.run(limits=once())
    one, other = sorted((trial_of(outcome, GENERAL), trial_of(outcome, RUBRIC)), key=lambda each: each.candidate.number)
    reason = f"duplicate of candidate {one.candidate.number}"
    assert (one.rejected, other.rejected) == ("", f"{reason}; asked once more: {reason}")
    assert sum(prompt.casefold().startswith("judge it") for prompt in script.judged_prompts) == 1


def test_a_rewrite_of_an_earlier_iteration_is_not_tried_again() -> None:
    script = Script(replies={n: {SIMPLE: "Judge it well."} for n in (1, 2, 3)})
    outcome = script.run()
    first = trial_of(outcome, SIMPLE)
    reason = f"duplicate of candidate {first.candidate.number}"
    assert first.rejected == ""
    assert {trial_of(outcome, SIMPLE, n).rejected for n in (2, 3)} == {f"{reason}; asked once more: {reason}"}
    assert script.judged_prompts.count("Judge it well.") == 1


def test_a_rewrite_may_be_as_long_as_the_prompt_that_the_search_started_from() -> None:
    script = Script(replies={1: {GENERAL: "a" * len(BASELINE), STRICT: "b" * (len(BASELINE) + 1)}})
    outcome = script.run(limits=once(), task=replace(TASK, max_characters=5))
    assert trial_of(outcome, GENERAL).rejected == ""
    assert trial_of(outcome, STRICT).rejected.startswith("too long: 18 characters, the limit is 17")


def test_the_cheaper_checks_come_before_the_judges_own() -> None:
    asked: list[str] = []

    def validate(prompt: str) -> str:
        asked.append(prompt)
        return ""

    Script(replies={1: {GENERAL: "", RUBRIC: BASELINE}}).run(limits=once(), validate=validate)
    assert sorted(asked) == sorted(prompt_of(name, 1) for name in (STRICT, LENIENT, SIMPLE))


# Error analysis

ANALYSED = replace(FIVE, analysis=True)
ALL_WRONG = {"a": "1", "b": "1", "c": "0", "d": "0"}


def test_errors_are_analysed_once_while_nothing_new_is_wrong() -> None:
    script = Script(analyses={1: grouped(names="1", dates="2")})
    outcome = script.run(procedure=ANALYSED)
    assert outcome.iterations == 3
    assert list(script.analysed) == [1]
    assert [(each.name, each.description, each.items, each.found) for each in outcome.patterns] == [
        ("names", "Why names.", ("a",), 1),
        ("dates", "Why dates.", ("d",), 1),
    ]


def test_new_errors_are_analysed_with_the_known_patterns() -> None:
    """The best prompt of iteration 1 is wrong on all: b and c are new."""
    best = prompt_of(RUBRIC, 1)
    script = Script(
        analyses={1: grouped(names="1", dates="2"), 2: grouped(names="1", units="2")},
        scores={best: 0.6},
        labels={best: ALL_WRONG},
    )
    outcome = script.run(limits=limits(iterations=3), procedure=ANALYSED)
    assert list(script.analysed) == [1, 2]
    assert errors_shown(script.analysed[1]) == ["a", "d"]
    assert errors_shown(script.analysed[2]) == ["b", "c"]
    assert section(script.analysed[1], "known_patterns") == ""
    assert 'name="names"' in section(script.analysed[2], "known_patterns")
    assert section(script.analysed[2], "current") == best
    assert [(each.name, each.items, each.found) for each in outcome.patterns] == [
        ("names", ("a", "b"), 1),
        ("dates", ("d",), 1),
        ("units", ("c",), 2),
    ]


def test_with_several_parents_the_errors_of_all_are_analysed() -> None:
    """The second best is wrong on b and c, which the best has right."""
    other = prompt_of(RUBRIC, 1)
    script = Script(
        analyses={1: grouped(names="1, 2"), 2: grouped(units="1, 2")},
        scores={BASELINE: 0.6, other: 0.5},
        labels={other: {"a": "0", "b": "1", "c": "0", "d": "1"}},
    )
    script.run(limits=limits(iterations=2), procedure=replace(ANALYSED, policy=POLICIES["beam"]))
    assert errors_shown(script.analysed[1]) == ["a", "d"]
    assert sorted(errors_shown(script.analysed[2])) == ["b", "c"]


def test_errors_are_shown_with_their_pattern_and_patterns_with_their_errors() -> None:
    script = Script(analyses={1: grouped(names="1", dates="2")})
    script.run(limits=once(), procedure=ANALYSED)
    for request in script.requests[0]:
        assert patterns_shown(request) == {"a": "names", "d": "dates"}
        assert '<pattern name="names" errors="1">Why names.</pattern>' in section(request, "patterns")


def test_errors_that_no_analysis_has_put_anywhere_are_shown_without_a_pattern() -> None:
    script = Script()
    script.run(limits=once(), procedure=ANALYSED)
    for request in script.requests[0]:
        assert patterns_shown(request) == {"a": "", "d": ""}
        assert "<patterns>" not in request.user


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("I see nothing in common.", "the reply has no <patterns> block"),
        (ModelResponse("", "refusal", "w"), "the meta-LLM refused"),
        (ModelResponse('<patterns><pattern name="x"', "length", "w"), "cut off"),
        (grouped(names="7"), "the reply puts no error in a pattern"),
    ],
)
def test_an_analysis_that_cannot_be_read_is_asked_for_again_next_time(reply: Reply, problem: str) -> None:
    script = Script(analyses={1: reply, 2: grouped(names="1, 2")})
    outcome = script.run(limits=limits(iterations=3), procedure=ANALYSED)
    assert list(script.analysed) == [1, 2]
    assert script.analysed[1] != script.analysed[2], "it draws anew"
    assert [record["analysis"] for record in script.records] == [problem, "", ""]
    assert [len(record["patterns"]) for record in script.records] == [0, 1, 1]
    assert len(outcome.trials) == 16, "the search goes on"
    assert outcome.patterns[0].items == ("a", "d")


def test_an_unreadable_analysis_of_new_errors_leaves_what_is_known() -> None:
    best = prompt_of(RUBRIC, 1)
    script = Script(analyses={1: grouped(names="1, 2")}, scores={best: 0.6}, labels={best: ALL_WRONG})
    outcome = script.run(limits=limits(iterations=3), procedure=ANALYSED)
    assert list(script.analysed) == [1, 2, 3]
    assert [(each.name, each.items) for each in outcome.patterns] == [("names", ("a", "d"))]
    assert patterns_shown(script.request(2, GENERAL)) == {"a": "names", "b": "", "c": "", "d": "names"}


def test_without_errors_there_is_nothing_to_analyse() -> None:
    script = Script(labels={BASELINE: {"a": "0", "b": "0", "c": "1", "d": "1"}})
    script.run(limits=once(), procedure=ANALYSED)
    assert script.analysed == {}


def test_without_analysis_none_is_asked_for() -> None:
    script = Script(analyses={1: grouped(names="1, 2")})
    outcome = script.run(procedure=FIVE)
    assert script.analysed == {}
    assert outcome.patterns == ()
    assert {record["analysis"] for record in script.records} == {""}


def test_each_place_begins_with_another_pattern() -> None:
    """With one error shown and two patterns, some places are shown the one, some the other."""
    script = Script(analyses={1: grouped(names="1", dates="2")})
    script.run(limits=once(errors=1), procedure=with_strategies(GENERAL, RUBRIC, SIMPLE, analysis=True))
    assert [patterns_shown(request) for request in script.requests[0]] == [
        {"a": "names"},
        {"d": "dates"},
        {"a": "names"},
    ]


# Memory

EARLIER = (
    Remembered("An earlier prompt.", 0.31, "explicit rubric"),
    Remembered("A better one of then.", 0.62, "general improvement"),
)
LONG = "Decide whether the context supports each statement of the answer that can be checked, " + " ".join(
    f"rule {n}" for n in range(40)
)


def test_earlier_prompts_of_this_judge_are_in_the_history_and_are_no_parents() -> None:
    script = Script(scores={BASELINE: 0.4})
    outcome = script.run(limits=once(), memory=Memory(EARLIER))
    assert tried(script.requests[0][0]) == [
        (0.31, "An earlier prompt."),
        (0.4, BASELINE),
        (0.62, "A better one of then."),
    ]
    assert section(script.requests[0][0], "current") == BASELINE
    assert "<other_judges>" not in script.requests[0][0].user
    assert outcome.best.candidate.number == 0
    assert len(outcome.trials) == 6


@pytest.mark.parametrize(
    ("earlier", "reply", "kind"),
    [
        ("An earlier prompt.", "an  EARLIER prompt.", "duplicate"),
        (LONG, LONG.replace("rule 39", "rule 40"), "near duplicate"),
    ],
)
def test_they_are_not_tried_again(earlier: str, reply: str, kind: str) -> None:
    script = Script(replies={1: {GENERAL: reply}})
    outcome = script.run(limits=once(), memory=Memory((Remembered(earlier, 0.31, "s"),)))
    reason = f"{kind} of a prompt of an earlier calibration (0.310)"
    assert trial_of(outcome, GENERAL).rejected == f"{reason}; asked once more: {reason}"
    assert reply not in script.judged_prompts


def test_prompts_of_other_judges_are_shown_apart_and_may_be_tried() -> None:
    others = (
        Remembered("Theirs.", 0.9, "s", judge="other:big"),
        Remembered("Theirs too.", 0.1, "s", judge="other:small"),
    )
    script = Script(replies={1: {GENERAL: "Theirs."}}, scores={"Theirs.": 0.7})
    outcome = script.run(limits=once(), memory=Memory((*EARLIER, *others)))
    request = script.requests[0][0]
    assert tried(request, "other_judges") == [(0.1, "Theirs too."), (0.9, "Theirs.")]
    assert 'judge="other:big"' in section(request, "other_judges")
    assert "Theirs." not in section(request, "history")
    assert trial_of(outcome, GENERAL).score == 0.7
    assert outcome.best.candidate.prompt == "Theirs."


def test_a_prompt_that_several_calibrations_tried_is_shown_once() -> None:
    script = Script()
    script.run(limits=once(), memory=Memory(EARLIER + EARLIER))
    assert len(tried(script.requests[0][0])) == 3


def test_stopped_prompts_are_not_tried_again_and_have_no_score_to_show() -> None:
    script = Script(replies={1: {GENERAL: "It was stopped."}})
    outcome = script.run(limits=once(), memory=Memory(stopped=("It was stopped.",)))
    reason = "duplicate of a prompt that an earlier calibration stopped"
    assert trial_of(outcome, GENERAL).rejected == f"{reason}; asked once more: {reason}"
    assert "It was stopped." not in section(script.requests[0][0], "history")


def test_earlier_rejections_are_told_before_those_of_this_search() -> None:
    script = Script(replies={1: {GENERAL: ""}})
    script.run(limits=limits(iterations=2), memory=Memory(rejections=("strategy merge: too long (3 times)",)))
    assert rejections(script.requests[0][0]) == ["strategy merge: too long (3 times)"]
    assert rejections(script.requests[1][0]) == [
        "strategy merge: too long (3 times)",
        f"strategy {GENERAL}: empty; asked once more: empty",
    ]


# Merging two prompts

RIGHT = {"a": "0", "b": "0", "c": "1", "d": "1"}


def test_a_merge_needs_a_partner_that_is_right_where_the_parent_is_wrong() -> None:
    """The baseline is wrong on a and d; of the first rewrites one is wrong on a, b and c: right on d."""
    partner = prompt_of(RUBRIC, 1)
    script = Script(scores={BASELINE: 0.5, partner: 0.1}, labels={partner: {"a": "1", "b": "1", "c": "0", "d": "1"}})
    outcome = script.run(limits=limits(iterations=2), procedure=with_strategies(GENERAL, RUBRIC, MERGE, width=3))
    assert MERGE not in [strategy_of(each) for each in script.requests[0]]
    merged = trial_of(outcome, MERGE, 2).candidate
    assert merged.parent == 0
    assert outcome.trials[merged.partner].candidate.prompt == partner
    request = script.request(2, MERGE)
    assert section(request, "current") == BASELINE
    assert section(request, "other") == partner
    chosen = {each["strategy"]: each["partner"] for each in script.records[1]["chosen"]}
    assert chosen[MERGE] == merged.partner
    assert set(chosen.values()) == {None, merged.partner}
    assert all(trial.candidate.partner is None for trial in outcome.trials if trial.candidate.strategy != MERGE)


def test_without_such_a_partner_nothing_is_merged() -> None:
    """All are wrong on a and d, some on more."""
    script = Script(labels={prompt_of(RUBRIC, 1): ALL_WRONG})
    script.run(limits=limits(iterations=3), procedure=with_strategies(GENERAL, RUBRIC, MERGE))
    assert all(strategy_of(each) != MERGE for batch in script.requests for each in batch)


@pytest.mark.parametrize(("partner_says_it", "rejected"), [(True, ""), (False, "copies text of item e")])
def test_what_either_prompt_says_already_is_no_leak(partner_says_it: bool, rejected: str) -> None:
    copied = "one two three four five six seven eight"

    def trial(number: int, prompt: str) -> Trial:
        return Trial(Candidate(number, number, "s", None, prompt), Evaluation(0.5, {}))

    parent, partner = trial(0, "Judge it."), trial(1, f"Count {copied}." if partner_says_it else "Count.")
    scene = Scene(TASK, {}, Standing([parent, partner], LEAKY, TASK.scale), lambda _: [])
    place = Place(0, parent, BY_NAME[MERGE], Draw(MERGE, 0.5, 0, 0), partner)
    reply = ModelResponse(f"<prompt>Judge it and count {copied}.</prompt>", "stop", "w")
    draft = read_draft(scene, place, reply, 2, 2, CandidateChecks(LEAKY), lambda _: "")
    assert (draft.problem, draft.candidate.partner) == (rejected, 1)


# Errors shown


@pytest.mark.parametrize(
    ("labels", "skipped"),
    [
        ({"a": "1", "b": "1", "c": "1", "d": "1"}, {STRICT}),
        ({"a": "0", "b": "0", "c": "0", "d": "0"}, {LENIENT}),
        (RIGHT, {STRICT, LENIENT}),
        (ONE_OF_EACH, set()),
    ],
)
def test_a_strategy_without_errors_of_its_kind_is_not_used(labels: Mapping[str, str], skipped: set[str]) -> None:
    script = Script(labels={BASELINE: labels})
    script.run(limits=once())
    assert {strategy_of(request) for request in script.requests[0]} == set(NAMES) - skipped
    assert len(script.requests[0]) == 5, "others are used again instead"


def test_the_errors_of_the_prompt_that_is_rewritten_decide() -> None:
    best = prompt_of(RUBRIC, 1)
    script = Script(scores={best: 0.6}, labels={best: {"a": "1", "b": "0", "c": "1", "d": "1"}})
    script.run(limits=limits(iterations=2))
    assert {strategy_of(each) for each in script.requests[0]} == set(NAMES)
    assert {strategy_of(each) for each in script.requests[1]} == set(NAMES) - {STRICT}
    assert {tuple(errors_shown(each)) for each in script.requests[1]} == {("a",)}


def test_the_items_that_most_prompts_got_wrong_come_first() -> None:
    first = {"a": "1", "b": "1", "c": "1", "d": "1"}  # wrong: a, b
    then = {"a": "0", "b": "1", "c": "0", "d": "1"}  # wrong: b, c
    labels = {BASELINE: first, **{prompt_of(name, 1): then for name in NAMES}}
    script = Script(labels=labels, scores={BASELINE: 0.9})
    script.run(limits=limits(iterations=2))
    assert errors_shown(script.request(1, GENERAL)) == ["a", "b"]
    assert errors_shown(script.request(2, GENERAL)) == ["b", "a"]


ORDINAL = Scale("ordinal", ("1", "2", "3", "4", "5"))


def test_the_farthest_off_come_first_and_a_strategys_own_kinds_before_others() -> None:
    items = tuple(Item(n, "quality", {"answer": f"answer {n}"}, gold) for n, gold in zip("abcd", "1335", strict=True))
    script = Script(labels={BASELINE: {"a": "2", "b": "5", "c": "3", "d": "1"}}, otherwise=0.1)
    script.run(limits=once(), items=items, task=replace(TASK, scale=ORDINAL))
    assert {strategy_of(request): errors_shown(request) for request in script.requests[0]} == {
        GENERAL: ["d", "b", "a"],
        STRICT: ["d", "b", "a"],  # d is under-scored
        LENIENT: ["b", "a", "d"],  # b and a are over-scored
        RUBRIC: ["d", "b", "a"],
        SIMPLE: ["d", "b", "a"],
    }


def test_one_far_off_comes_before_one_that_many_got_a_little_wrong() -> None:
    items = tuple(Item(n, "quality", {"answer": f"answer {n}"}, "1") for n in "abc")
    near, far = {"a": "1", "b": "2", "c": "1"}, {"a": "1", "b": "2", "c": "5"}
    script = Script(labels={BASELINE: far, **{prompt_of(name, 1): near for name in NAMES}}, scores={BASELINE: 0.5})
    procedure = with_strategies(GENERAL, RUBRIC, SIMPLE)
    script.run(limits=limits(iterations=2), items=items, task=replace(TASK, scale=ORDINAL), procedure=procedure)
    assert errors_shown(script.request(2, GENERAL)) == ["c", "b"]


@pytest.mark.parametrize("most", [0, 3, 8])
def test_no_more_errors_are_shown_than_the_limit(most: int) -> None:
    items = tuple(Item(f"i{n}", "f", {"answer": f"answer i{n}"}, "0") for n in range(30))
    verdicts = dict.fromkeys((item.id for item in items), "1")
    script = Script(labels={BASELINE: verdicts, **{prompt_of(name, 1, n): verdicts for name in NAMES for n in (1, 2)}})
    script.run(limits=once(errors=most), items=items)
    assert {len(errors_shown(request)) for request in script.requests[0]} == {most}


# History


def test_the_history_ascends_and_holds_the_best() -> None:
    scores = {prompt_of(name, n): ((n * 5 + k) * 7 % 45) / 50 for n in range(1, 10) for k, name in enumerate(NAMES)}
    script = Script(scores={BASELINE: 0.01, **scores})
    script.run(limits=limits(patience=99, history=20))
    last = tried(script.requests[-1][0])
    before = sorted(score for prompt, score in scores.items() if not prompt.endswith(" 9"))
    assert [score for score, _ in last] == before[-20:]
    assert [len(tried(requests[0])) for requests in script.requests] == [1, 6, 11, 16, 20, 20, 20, 20, 20]


def test_a_history_of_none() -> None:
    script = Script(replies={1: {GENERAL: ""}})
    memory = Memory((*EARLIER, Remembered("Theirs.", 0.9, "s", judge="j")), rejections=("x",))
    script.run(limits=limits(iterations=2, history=0), memory=memory)
    for batch in script.requests:
        assert tried(batch[0]) == []
        assert rejections(batch[0]) == []
        assert "<other_judges>" not in batch[0].user


def test_a_script_says_what_it_is_told() -> None:
    """Of the helper: a tuple is said in turn, its last part ever after."""
    script = Script(replies={1: {GENERAL: ("First.", "Second.")}})
    script.run(limits=once(), procedure=with_strategies(GENERAL, width=3))
    assert [words_of(each) for each in script.judged[-1]] == ["First.", "Second."]


# What fits into a request


def test_the_best_prompts_that_fit_are_shown() -> None:
    """Each prompt has 100 characters: of five, the two best fit into 250."""
    scored = tuple(Remembered(f"{n}" * 100, n / 10, "merge") for n in range(1, 6))
    script = Script(scores={BASELINE: 0.05})
    script.run(limits=once(characters=250), memory=Memory(scored))
    assert [score for score, _ in tried(script.requests[0][0])] == [0.4, 0.5]


def test_one_error_is_shown_whatever_its_length() -> None:
    items = tuple(replace(item, inputs={"answer": f"{item.id} " * 500}) for item in ITEMS)
    script = Script()
    script.run(limits=once(characters=1_500), items=items)
    assert re.findall(r'<error kind="(.+)">', script.requests[0][0].user) == ["wrongly accepted"]
    again = Script()
    again.run(limits=once(characters=100), items=items)
    assert len(re.findall(r"<error kind=", again.requests[0][0].user)) == 1
