from __future__ import annotations

from collections.abc import Sequence

from rag.factories import figure

from calibrate.rag import Figure
from calibrate.rag.comparing import compare_variants
from calibrate.rag.diagnoses import Diagnosis
from calibrate.rag.fault_changes import change_faults, change_rules
from calibrate.rag.goodhart import GoodhartWarning, goodhart_warning

Values = dict[str, tuple[Sequence[float], Sequence[float]]]
N = 30
LOW, HIGH = [0.0] * 20 + [1.0] * 10, [1.0] * N
SAME = (HIGH, HIGH)


def amounts(value: float) -> list[float]:
    """About a value, a little different on every question."""
    return [value * (1 + 0.01 * (at % 3)) for at in range(N)]


def change(values: Values) -> Diagnosis:
    variants = {
        name: [
            figure(each, pair[at], higher_is_better=None if each in NEUTRAL else True) for each, pair in values.items()
        ]
        for at, name in enumerate(("before", "after"))
    }
    return change_faults(compare_variants(variants))


NEUTRAL = ("context_chunks", "answer_words")


def codes(values: Values) -> list[str]:
    return [each.code for each in change(values).faults]


def test_retrieval_better_and_answers_not_is_generation() -> None:
    values: Values = {"context_recall": (LOW, HIGH), "recall@50": SAME, "faithfulness": SAME, "correctness": (LOW, LOW)}
    found = change(values)
    assert [each.code for each in found.faults] == ["answers_do_not_follow"]
    assert "retrieval is better and the answers are not: generation" in found.faults[0].sentence
    assert "context recall 0.33 to 1.00 (difference +0.67" in found.faults[0].sentence


def test_retrieval_and_answers_better_is_no_fault() -> None:
    assert codes({"context_recall": (LOW, HIGH), "recall@50": SAME, "correctness": (LOW, HIGH)}) == []


def test_faithfulness_down_and_correctness_up_is_memory() -> None:
    values: Values = {
        "context_recall": SAME,
        "recall@50": SAME,
        "faithfulness": (HIGH, LOW),
        "correctness": (LOW, HIGH),
    }
    found = change(values)
    assert [each.code for each in found.faults] == ["memory"]
    assert found.faults[0].certain
    assert "it answers from memory" in found.faults[0].sentence


def test_more_context_that_is_not_needed_is_a_k_too_large() -> None:
    values: Values = {
        "context_chunks": ([5.0] * N, [20.0] * N),
        "context_relevancy": ([0.6] * N, [0.2] * N),
        "faithfulness": SAME,
    }
    assert codes(values) == ["k_too_large"]
    assert codes({**values, "faithfulness": (LOW, HIGH)}) == []
    assert codes({**values, "context_relevancy": ([0.6] * N, [0.6] * N)}) == []


def test_a_planted_fault_of_retrieval_is_named_and_generation_is_not() -> None:
    not_found: Values = {
        "recall@50": (HIGH, LOW),
        "context_recall": (HIGH, LOW),
        "faithfulness": (HIGH, LOW),
        "correctness": (HIGH, LOW),
    }
    assert codes(not_found) == ["retrieval_worse"]
    assert codes({**not_found, "recall@50": SAME}) == ["reranker_worse"]


def test_a_planted_fault_of_generation_is_named_and_retrieval_is_not() -> None:
    values: Values = {
        "recall@50": SAME,
        "context_recall": SAME,
        "faithfulness": (HIGH, LOW),
        "correctness": (HIGH, LOW),
    }
    assert codes(values) == ["generation_worse"]


def test_inventing_more_comes_first() -> None:
    values: Values = {"abstention_recall": (HIGH, LOW), "recall@50": (HIGH, LOW)}
    assert codes(values) == ["invents_more", "retrieval_worse"]


def test_inventing_more_by_declared_phrases_is_likely_at_most() -> None:
    for judge, certain in ((None, False), ("abstention", True)):
        before, after = (figure("abstention_recall", values, judge=judge) for values in (HIGH, LOW))
        (fault,) = change_faults(compare_variants({"before": [before], "after": [after]})).faults
        assert fault.certain is certain
        assert ("likely, decided by declared phrases and no judge: it invents more" in fault.sentence) is not certain


def test_fewer_right_answers_where_more_is_declined_is_caution() -> None:
    values: Values = {"context_recall": SAME, "correctness": (HIGH, LOW), "faithfulness": SAME}
    (fault,) = change({**values, "answer_rate": (HIGH, LOW)}).faults
    assert (fault.code, fault.figures[-1].name) == ("generation_worse", "answer_rate")
    assert "more is declined: generation is more cautious" in fault.sentence
    (fault,) = change({**values, "answer_rate": SAME}).faults
    assert "answers are worse: generation" in fault.sentence


def test_the_rules_of_a_change_are_those_that_are_read() -> None:
    silent = [each.code for each in change({}).silent]
    assert [each.code for each in change_rules()] == silent


def test_two_changed_questions_are_no_fault() -> None:
    two = [0.0, 0.0, *[1.0] * (N - 2)]
    assert codes({"abstention_recall": (HIGH, two), "recall@50": (HIGH, two), "context_recall": (HIGH, two)}) == []


def test_what_the_correction_does_not_keep_is_only_pointed_to() -> None:
    six = [0.0] * 6 + [1.0] * (N - 6)
    (fault,) = change({"recall@50": (HIGH, six), "mrr": SAME, "ndcg@5": SAME}).faults
    assert (fault.code, fault.certain) == ("retrieval_worse", False)
    (fault,) = change({"recall@50": (HIGH, six)}).faults
    assert fault.certain


def test_recall_that_did_not_change_on_a_few_questions_may_still_have() -> None:
    """Twelve questions say nothing about five in a hundred, whether their values are whole or not."""
    fell: Values = {"context_recall": ([1.0] * 12, [0.0] * 12)}
    for wide in ([0.5] + [1.0] * 11, [1.0] * 12):
        (fault,) = change({"recall@50": (wide, wide), **fell}).faults
        assert (fault.code, fault.certain) == ("reranker_worse", False)


def test_rules_without_figures_say_what_is_missing() -> None:
    found = change({"recall@50": SAME})
    assert {each.code: each.missing for each in found.silent} == {
        "invents_more": ("abstention_recall",),
        "reranker_worse": ("context_recall",),
        "generation_worse": ("context_recall", "faithfulness", "correctness"),
        "answers_do_not_follow": ("context_recall", "recall@5", "faithfulness", "correctness"),
        "memory": ("faithfulness", "correctness"),
        "k_too_large": ("context_chunks", "context_relevancy", "faithfulness"),
    }


def warning(values: Values) -> GoodhartWarning | None:
    variants = {
        name: [
            figure(each, pair[at], higher_is_better=None if each in NEUTRAL else True) for each, pair in values.items()
        ]
        for at, name in enumerate(("before", "after"))
    }
    return goodhart_warning(compare_variants(variants))


def test_faithfulness_bought_with_shorter_answers_is_warned_of() -> None:
    found = warning({"faithfulness": (LOW, HIGH), "answer_words": (amounts(60), amounts(25))})
    assert found is not None
    assert [each.name for each in found.paid_with] == ["answer_words"]
    assert found.sentence.startswith("faithfulness 0.33 to 1.00")
    assert "what is not said needs no support (words an answer 60.60 to 25.25" in found.sentence


def test_so_is_faithfulness_bought_with_wrong_or_declined_answers() -> None:
    found = warning({"faithfulness": (LOW, HIGH), "correctness": (HIGH, LOW), "answer_rate": (HIGH, LOW)})
    assert found is not None
    assert [each.name for each in found.paid_with] == ["correctness", "answer_rate"]


def test_a_gain_that_costs_nothing_is_not() -> None:
    assert warning({"faithfulness": (LOW, HIGH), "answer_words": (amounts(60), amounts(57))}) is None
    assert warning({"faithfulness": (LOW, HIGH), "correctness": (LOW, HIGH)}) is None
    assert warning({"faithfulness": SAME, "answer_words": (amounts(60), amounts(25))}) is None
    assert warning({"answer_words": (amounts(60), amounts(25))}) is None


def test_two_questions_more_are_no_rise() -> None:
    two = [0.0, 0.0, *[1.0] * (N - 2)]
    assert warning({"faithfulness": (two, HIGH), "answer_words": (amounts(60), amounts(25))}) is None


class TestFaithfulnessBoughtByDeclining:
    """Half of the answers of the first are unfaithful, and these are what the second declines; no answer is better."""

    FIRST = figure("faithfulness", [1.0, 0.0] * 12, judge="claim_support")
    ODD = tuple(f"q{at}" for at in range(1, 24, 2))

    def second(self, *, gone: int = 12, reason: str = "abstained") -> Figure:
        left = dict.fromkeys(self.ODD[:gone], reason)
        kept = {name: value for name, value in self.FIRST.values.items() if name not in left}
        return figure("faithfulness", kept, left_out=left, judge="claim_support")

    def warn(self, second: Figure, *others: Figure) -> GoodhartWarning | None:
        first = [self.FIRST, *(figure(each.name, [1.0] * 24, left_out=each.left_out) for each in others)]
        both = (first, [second, *others])
        assert goodhart_warning(compare_variants({"a": both[0], "b": both[1]})) is None
        return goodhart_warning(compare_variants({"a": both[0], "b": both[1]}), both)

    def test_it_is_warned_of(self) -> None:
        found = self.warn(self.second(), figure("answer_rate", [1.0, 0.0] * 12))
        assert found is not None
        assert (found.faithfulness.first, found.faithfulness.second) == (0.5, 1.0)
        assert [each.name for each in found.paid_with] == ["answer_rate"]
        assert found.sentence.startswith(
            "faithfulness 0.50 to 1.00, each over its own questions, but 12 questions left it, which are now declined "
            "or answered without a claim: on the 12 that both answered it is 1.00 and 1.00; more questions are declined"
        )

    def test_so_is_saying_nothing_that_could_be_wrong(self) -> None:
        assert self.warn(self.second(reason="no_claims")) is not None

    def test_one_or_two_questions_or_ones_without_a_verdict_are_not(self) -> None:
        assert self.warn(self.second(gone=2)) is None
        assert self.warn(self.second(gone=3)) is not None
        assert self.warn(self.second(reason="unscored")) is None

    def test_declining_what_nothing_answers_is_right(self) -> None:
        answered = {f"q{at}": 1.0 for at in range(0, 24, 2)}
        rate = figure("answer_rate", answered, left_out=dict.fromkeys(self.ODD, "no_relevant_chunk"))
        both = ([self.FIRST, rate], [self.second(), rate])
        assert goodhart_warning(compare_variants({"a": both[0], "b": both[1]}), both) is None

    def test_declining_what_was_faithful_raises_nothing(self) -> None:
        even = dict.fromkeys((f"q{at}" for at in range(0, 24, 2)), "abstained")
        kept = {name: value for name, value in self.FIRST.values.items() if name not in even}
        assert self.warn(figure("faithfulness", kept, left_out=even)) is None
