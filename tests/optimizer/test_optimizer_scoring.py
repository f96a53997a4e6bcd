"""Scoring candidates: what they are judged on, what their score is, and that stopping early changes no winner."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from calibrate.domain import Item, Scale, Scored, Unscored, Verdict
from calibrate.errors import InputError
from calibrate.metrics import alignment_value
from calibrate.optimizer import Candidate, Evaluation, Job, Objective, Scorer, Stopping, Trial

BINARY = Scale("binary", ("0", "1"), positive="1")
ALIGNMENT = Objective()


def items_of(gold: str) -> tuple[Item, ...]:
    return tuple(Item(f"i{n}", "f", {"answer": str(n)}, label) for n, label in enumerate(gold))


def candidate(number: int, *, length: int = 10, shown: Sequence[str] = (), parent: int = 0) -> Candidate:
    return Candidate(
        number, min(number, 1), "s", parent if number else None, f"{number}:".ljust(length, "x"), shown=tuple(shown)
    )


@dataclass
class Judge:
    """A judge whose verdicts are written down: for each candidate one letter for each item, ``-`` for unscored.

    Attributes:
        said: the letters, by the candidate's number.
        jobs: every batch of jobs.
    """

    said: Mapping[int, str]
    jobs: list[list[Job]] = field(default_factory=list)

    async def judge(self, jobs: Sequence[Job]) -> list[Mapping[str, Verdict]]:
        self.jobs.append(list(jobs))
        return [{item.id: self.verdict(job.candidate, item) for item in job.items} for job in jobs]

    def verdict(self, of: Candidate, item: Item) -> Verdict:
        letter = self.said[of.number][int(item.id[1:])]
        return Unscored("invalid") if letter == "-" else Scored(letter)

    def asked(self, number: int) -> list[list[str]]:
        """The ids of the items of a candidate's jobs, in order."""
        return [
            [item.id for item in job.items] for batch in self.jobs for job in batch if job.candidate.number == number
        ]

    def judged(self, number: int) -> list[str]:
        """The ids of the items that a candidate was judged on, in order."""
        return [item for job in self.asked(number) for item in job]


def search(
    gold: str,
    judge: Judge,
    iterations: Sequence[Sequence[Candidate]],
    *,
    stopping: Stopping | None = None,
    objective: Objective | None = None,
    seed: int = 0,
) -> list[Trial]:
    """Evaluate the baseline and then the candidates of each iteration, as the loop does."""
    scorer = Scorer(items_of(gold), BINARY, judge.judge, objective=objective, stopping=stopping, seed=seed)

    async def run() -> list[Trial]:
        trials: list[Trial] = []
        for candidates in ([candidate(0)], *iterations):
            evaluations = await scorer.evaluate(candidates, tuple(trials))
            trials += [Trial(*pair) for pair in zip(candidates, evaluations, strict=True)]
        return trials

    return asyncio.run(run())


def winner(trials: Sequence[Trial]) -> int:
    return max((trial for trial in trials if trial.score is not None), key=lambda trial: trial.rank).candidate.number


# Without stopping


def test_all_candidates_are_judged_on_all_items_in_one_batch() -> None:
    judge = Judge({0: "0101", 1: "0011", 2: "1-00"})
    trials = search("0011", judge, [[candidate(1), candidate(2)]])
    assert [[job.candidate.number for job in batch] for batch in judge.jobs] == [[0], [1, 2]]
    assert all(job.items == job.scope == list(items_of("0011")) for batch in judge.jobs for job in batch)
    assert [trial.score for trial in trials] == [
        pytest.approx(alignment_value("0011", [judge.verdict(candidate(n), item) for item in items_of("0011")], BINARY))
        for n in range(3)
    ]
    assert trials[1].score == 1
    assert trials[2].evaluation.verdicts["i1"] == Unscored("invalid")
    assert all(trial.evaluation.stopped == "" for trial in trials)


def test_the_score_is_the_objectives_value() -> None:
    """Of the two items of label 0, one is found."""
    recall = Objective.parse("recall:0", scale=BINARY)
    (trial,) = search("0011", Judge({0: "0111"}), [], objective=recall)
    assert trial.score == 0.5


# What candidates show


def test_what_a_candidate_shows_is_not_judged_and_counts_as_its_parent_had_it() -> None:
    """Worked: the baseline is wrong on i0 and i3; the candidate shows both, and is wrong on i1 only.

    Its verdicts are taken to be 11 0010 on the six items, that is 1 (as parent), 1, 0, 0 (as parent), 1, 1.
    """
    judge = Judge({0: "100011", 1: "?10?11"})
    trials = search("000111", judge, [[candidate(1, shown=["i0", "i3"])]])
    evaluation = trials[1].evaluation
    assert judge.asked(1) == [["i1", "i2", "i4", "i5"]]
    assert [item.id for item in judge.jobs[1][0].scope] == ["i1", "i2", "i4", "i5"]
    assert set(evaluation.verdicts) == {"i1", "i2", "i4", "i5"}
    assert evaluation.assumed == {"i0": Scored("1"), "i3": Scored("0")}
    assert trials[1].score == alignment_value("000111", [Scored(label) for label in "110011"], BINARY)
    assert trials[1].score < trials[0].score


def test_examples_that_the_parent_got_wrong_win_nothing_and_those_it_got_right_lose_nothing() -> None:
    judge = Judge({0: "1001", 1: "?00?", 2: "?0??"})
    trials = search("0011", judge, [[candidate(1, shown=["i0", "i3"]), candidate(2, shown=["i0", "i2", "i3"])]])
    assert trials[1].score == trials[2].score == trials[0].score


def test_a_childs_assumed_verdicts_are_those_its_parent_was_scored_with() -> None:
    """1 shows i0 and takes the baseline's verdict; 2 shows i0 and i1 and takes 1's, of which one was the baseline's."""
    judge = Judge({0: "1001", 1: "?111", 2: "??11"})
    first, second = candidate(1, shown=["i0"]), candidate(2, shown=["i0", "i1"], parent=1)
    trials = search("0011", judge, [[first], [second]])
    assert trials[2].evaluation.assumed == {"i0": Scored("1"), "i1": Scored("1")}
    assert trials[2].score == alignment_value("0011", [Scored(label) for label in "1111"], BINARY)


# Pruning


def test_nothing_is_stopped_for_the_baseline() -> None:
    judge = Judge({0: "1100"})
    for stopping in (Stopping(prune=True), Stopping(race=True), Stopping(prune=True, race=True)):
        (trial,) = search("0011", judge, [], stopping=stopping)
        assert trial.score == alignment_value("0011", [Scored(label) for label in "1100"], BINARY) < 0
        assert judge.asked(0)[-1] == ["i0", "i1", "i2", "i3"]


def test_a_hopeless_candidate_is_stopped_with_the_verdicts_it_has() -> None:
    """The baseline has one error, i9; a candidate that is wrong on all is stopped after the first stage."""
    gold = "0000011111"
    judge = Judge({0: "0000011110", 1: "1111100000"})
    trials = search(gold, judge, [[candidate(1)]], stopping=Stopping(prune=True))
    evaluation = trials[1].evaluation
    assert trials[1].score is evaluation.score is None
    assert evaluation.stopped.startswith("stopped after")
    (asked,) = judge.asked(1)
    assert asked[0] == "i9", "what the best gets wrong comes first"
    assert len(asked) < 10
    assert list(evaluation.verdicts) == asked
    assert evaluation.assumed == {}
    assert f"stopped after {len(asked)} of 10 items" in evaluation.stopped


def test_those_that_are_not_stopped_go_on_together() -> None:
    gold = "0000011111"
    judge = Judge({0: "0000011100", 1: "1111100000", 2: gold, 3: "0000000011"})
    trials = search(gold, judge, [[candidate(1), candidate(2), candidate(3)]], stopping=Stopping(prune=True))
    batches = [[job.candidate.number for job in batch] for batch in judge.jobs]
    assert batches[:2] == [[0], [1, 2, 3]]
    assert all(2 in batch for batch in batches[1:])
    assert all(1 not in batch for batch in batches[2:])
    assert (trials[1].score, trials[2].score) == (None, 1)
    assert sorted(trials[2].evaluation.verdicts) == sorted(item.id for item in items_of(gold))
    assert judge.judged(2) == list(trials[2].evaluation.verdicts), "no item is judged twice"


def test_the_scope_is_all_that_a_candidate_is_judged_on_if_it_is_not_stopped() -> None:
    gold = "0000011111"
    judge = Judge({0: "0000011100", 1: "1111100000", 2: gold})
    shown = candidate(2, shown=["i0", "i9"])
    search(gold, judge, [[candidate(1), shown]], stopping=Stopping(prune=True))
    for batch in judge.jobs:
        for job in batch:
            scope = [item.id for item in job.scope]
            assert scope == [item.id for item in items_of(gold) if item.id not in job.candidate.shown]
            assert {item.id for item in job.items} <= set(scope)
    assert sorted(judge.judged(2)) == [f"i{n}" for n in range(1, 9)]


def test_a_tie_is_judged_to_the_end_only_where_it_would_win() -> None:
    """Candidate 1 is the best, with the last item wrong. Others get i0 wrong instead, with the same alignment at most.

    Against it a shorter prompt wins the tie; one as long, and a longer one, cannot.
    """
    gold = "0000000011111111"
    best = gold[:-1] + "0"
    judge = Judge({0: "0" * 15 + "1", 1: best, **dict.fromkeys((2, 3, 4), gold[:-1] + "0")})
    lengths = {2: 9, 3: 10, 4: 11}
    tied = [candidate(number, length=length) for number, length in lengths.items()]
    trials = search(gold, judge, [[candidate(1)], tied], stopping=Stopping(prune=True))
    assert trials[1].score == trials[2].score
    assert trials[3].score is trials[4].score is None
    assert winner(trials) == 2


def test_nobody_wins_a_tie_against_the_baseline() -> None:
    gold = "0000000011111111"
    judge = Judge({0: gold[:-1] + "0", 1: gold[:-1] + "0"})
    trials = search(gold, judge, [[candidate(1, length=3)]], stopping=Stopping(prune=True))
    assert trials[1].score is None


def test_a_stopped_candidate_is_no_incumbent_and_no_parent_of_verdicts() -> None:
    gold = "0000011111"
    judge = Judge({0: "0000011110", 1: "1111100000", 2: gold})
    trials = search(gold, judge, [[candidate(1)], [candidate(2)]], stopping=Stopping(prune=True))
    assert [trial.score for trial in trials][1:] == [None, 1]


# The winner is that of full scoring

OBJECTIVES = [
    ALIGNMENT,
    *(
        Objective.parse(*text, scale=BINARY)
        for text in (["cohen_kappa"], ["recall:0", "precision:0>=0.6"], ["0.5*f1 + 0.5*pearson"], ["accuracy"])
    ),
]


def small_world(seed: int) -> tuple[str, dict[int, str], list[list[Candidate]]]:
    """Few items, so that ties are common; rewrites of others among the candidates; prompts of any length; examples."""
    generator = np.random.default_rng(seed)
    n = int(generator.integers(6, 16))
    gold = "01" + "".join(generator.choice(["0", "1"], n - 2))
    said: dict[int, str] = {0: drawn_verdicts(generator, gold, {})}
    iterations: list[list[Candidate]] = []
    for _ in range(int(generator.integers(1, 4))):
        made = []
        for _ in range(int(generator.integers(1, 5))):
            number = len(said)
            said[number] = drawn_verdicts(generator, gold, said)
            shows = generator.random() < 0.25
            shown = [f"i{at}" for at in generator.choice(n, 3, replace=False)] if shows else []
            made.append(candidate(number, length=int(generator.integers(3, 7)), shown=shown))
        iterations.append(made)
    return gold, said, iterations


def drawn_verdicts(generator: np.random.Generator, gold: str, said: Mapping[int, str]) -> str:
    if said and generator.random() < 0.4:
        source, rate = said[int(generator.integers(len(said)))], generator.choice([0.0, 0.1, 0.3])
        return "".join(str(generator.choice(list("01-"))) if generator.random() < rate else each for each in source)
    skill = generator.uniform(0.3, 1)
    return "".join(each if generator.random() < skill else str(generator.choice(list("01-"))) for each in gold)


def compare(seeds: Sequence[int], objective: Objective) -> tuple[int, int]:
    """Assert that pruning changes no winner; return how many candidates were stopped, and how many won by a tie."""
    stopped = ties = 0
    for seed in seeds:
        gold, said, iterations = small_world(seed)
        full = search(gold, Judge(said), iterations, objective=objective)
        judge = Judge(said)
        quick = search(gold, judge, iterations, objective=objective, stopping=Stopping(prune=True))
        assert winner(quick) == winner(full), (seed, objective.text)
        for one, other in zip(quick, full, strict=True):
            assert one.score in (None, other.score)
            assert all(judge.asked(one.candidate.number)), "a job without items"
            if one.score is None:
                assert one.evaluation.stopped
                assert set(one.evaluation.verdicts) == set(judge.judged(one.candidate.number))
                assert len(one.evaluation.verdicts) < len(gold) - len(one.candidate.shown)
                stopped += 1
            else:
                assert one.evaluation.verdicts == other.evaluation.verdicts
        top = max(trial.score for trial in full)
        ties += sum(trial.score > top - 1e-9 for trial in full) > 1
    return stopped, ties


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda each: each.text)
def test_pruning_changes_no_winner(objective: Objective) -> None:
    stopped, ties = compare(range(60), objective)
    assert stopped > 40
    assert ties > 5


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda each: each.text)
def test_pruning_changes_no_winner_of_thousands_of_searches(objective: Objective) -> None:
    stopped, ties = compare(range(1000, 3000), objective)
    assert stopped > 1000
    assert ties > 200


# Racing


def test_each_candidate_is_raced_in_an_order_of_its_own() -> None:
    gold = "01" * 20
    judge = Judge(dict.fromkeys(range(4), gold))
    search(gold, judge, [[candidate(1), candidate(2)], [candidate(3)]], stopping=Stopping(race=True))
    orders = [judge.judged(number) for number in (1, 2, 3)]
    assert all(sorted(order) == sorted(item.id for item in items_of(gold)) for order in orders)
    assert len({tuple(order) for order in orders}) == 3
    assert orders[0] != [item.id for item in items_of(gold)]


def test_the_orders_are_seeded() -> None:
    gold = "01" * 20

    def order(seed: int) -> list[str]:
        judge = Judge(dict.fromkeys(range(2), gold))
        search(gold, judge, [[candidate(1)]], stopping=Stopping(race=True), seed=seed)
        return judge.judged(1)

    assert order(1) == order(1) != order(2)


def test_a_much_worse_candidate_is_stopped_and_a_better_one_is_not() -> None:
    gold = "01" * 50
    worse = "".join("10"[int(label)] for label in gold)
    judge = Judge({0: gold[:80] + worse[80:], 1: worse[:80] + gold[80:], 2: gold})
    trials = search(gold, judge, [[candidate(1), candidate(2)]], stopping=Stopping(race=True))
    assert trials[1].score is None
    assert trials[1].evaluation.stopped.startswith("stopped after 20 of 100 items")
    assert "error rate 0.05" in trials[1].evaluation.stopped
    assert len(trials[1].evaluation.verdicts) == 20
    assert trials[2].score == 1


def test_a_higher_error_rate_stops_earlier() -> None:
    gold = "01" * 50
    middling = "".join("10"[int(label)] if at % 5 == 0 else label for at, label in enumerate(gold))

    def judged(error: float) -> int:
        judge = Judge({0: gold[:-1] + "0", 1: middling})
        search(gold, judge, [[candidate(1)]], stopping=Stopping(race=True, error=error))
        return sum(map(len, judge.asked(1)))

    assert judged(0.5) < judged(0.001)


def test_with_both_whatever_stops_first_does() -> None:
    """A candidate that is wrong everywhere against a perfect best cannot win after one stage of racing's order."""
    gold = "01" * 10
    judge = Judge({0: gold, 1: "10" * 10})
    trials = search(gold, judge, [[candidate(1)]], stopping=Stopping(prune=True, race=True))
    assert "with perfect agreement on the rest" in trials[1].evaluation.stopped
    assert judge.asked(1) != [[f"i{n}" for n in range(4)]], "in racing's order"


# What is refused


def test_stopping_is_off_unless_asked_for() -> None:
    assert Stopping().is_off
    assert not Stopping(prune=True).is_off
    assert not Stopping(race=True).is_off
    Stopping().refuse(Scale("interval"), Objective(front=True))


@pytest.mark.parametrize(
    ("stopping", "scale", "objective", "why"),
    [
        (Stopping(prune=True), Scale("nominal", ("a", "b")), ALIGNMENT, "binary scales only"),
        (Stopping(race=True), Scale("ordinal", ("1", "2")), ALIGNMENT, "racing tests how often"),
        (Stopping(prune=True), BINARY, Objective(front=True), "pareto"),
        (Stopping(prune=True, race=True), BINARY, Objective.parse("recall:0", scale=BINARY), "recall"),
    ],
)
def test_what_is_not_sound_is_refused(stopping: Stopping, scale: Scale, objective: Objective, why: str) -> None:
    with pytest.raises(InputError, match=why):
        stopping.refuse(scale, objective)


def test_a_complete_evaluation_is_what_the_score_came_from() -> None:
    evaluation = Evaluation(0.5, {"a": Scored("1")}, {"b": Scored("0")})
    assert evaluation.complete == {"a": Scored("1"), "b": Scored("0")}


@pytest.mark.parametrize("stopping", [Stopping(), Stopping(prune=True), Stopping(race=True)])
def test_a_candidate_that_shows_every_item_is_scored_as_its_parent(stopping: Stopping) -> None:
    judge = Judge({0: "1001", 1: "????"})
    trials = search("0011", judge, [[candidate(1, shown=["i0", "i1", "i2", "i3"])]], stopping=stopping)
    assert judge.asked(1) == [[]]
    assert trials[1].score == trials[0].score


def test_what_a_candidate_shows_is_no_part_of_its_race() -> None:
    """Its parent is wrong on twenty items that the best is right on: as losses they would end the race at once."""
    gold = "01" * 50
    worse = "".join("10"[int(label)] for label in gold)
    wrong_on_first = worse[:20] + gold[20:]
    judge = Judge({0: worse[:50] + gold[50:], 1: wrong_on_first, 2: gold[:99] + "0", 3: gold[:99] + "0"})
    shows = candidate(3, shown=[f"i{n}" for n in range(20)], parent=1)
    trials = search(gold, judge, [[candidate(1), candidate(2)], [shows]], stopping=Stopping(race=True))
    assert trials[1].score is not None  # judged to the end, or there were no verdicts to take from it
    assert trials[3].evaluation.stopped == ""
    assert len(trials[3].evaluation.verdicts) == 80
