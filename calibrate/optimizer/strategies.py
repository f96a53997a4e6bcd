"""The named ways in which the meta-LLM is asked to rewrite a judge prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import Literal

from calibrate.judge import Task
from calibrate.optimizer.task_requests import REQUESTS
from calibrate.optimizer.trials import ErrorKind, Misjudged

__all__ = ["LENGTHY", "STRATEGIES", "Situation", "Strategy"]

LENGTHY = 300
"""Characters of a prompt from which shortening it can be worth a try."""

TOO_LENIENT: frozenset[ErrorKind] = frozenset({"wrongly accepted", "over-scored"})
TOO_STRICT: frozenset[ErrorKind] = frozenset({"wrongly rejected", "under-scored"})


@dataclass(frozen=True, slots=True)
class Situation:
    """What a strategy would work on.

    Attributes:
        errors: the items that the prompt to rewrite gets wrong.
        prompt: its instructions, without examples.
        inputs: names of the inputs that the judge sees.
        has_partner: whether another candidate is right on some of those items.
        has_examples: whether one of those items is short enough to be shown as an example.
        judge_task: what the judge is asked of an item.
    """

    errors: Sequence[Misjudged]
    prompt: str
    inputs: tuple[str, ...]
    has_partner: bool = False
    has_examples: bool = False
    judge_task: Task = "verdict"


def _always(_: Situation) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to rewrite.

    Attributes:
        name: how it is called in logs and in the meta-prompt.
        description: what it does, in a line for people.
        request: what it asks of the meta-LLM.
        evidence: the kinds of errors it shows first; empty for all kinds. A strategy with kinds of its own is used only
            while the prompt makes such errors.
        only_where: a further condition of its use.
        brings: what it puts into the rewrite beside the errors' lesson: a second prompt, or labelled examples.
        keeps_examples: whether examples that the prompt to rewrite shows stay in the rewrite.
        of_tasks: what it asks in place of ``request`` where the judge has this task; None where it is of no use there.
    """

    name: str
    description: str
    request: str
    evidence: frozenset[ErrorKind] = frozenset()
    only_where: Callable[[Situation], bool] = _always
    brings: Literal["nothing", "partner", "examples"] = "nothing"
    keeps_examples: bool = True
    of_tasks: Mapping[Task, str | None] = field(default_factory=dict, hash=False)

    def applies(self, situation: Situation) -> bool:
        """Whether the situation gives this strategy something to work on."""
        if self.request_for(situation.judge_task) is None:
            return False
        if self.brings == "partner" and not situation.has_partner:
            return False
        if self.brings == "examples" and not situation.has_examples:
            return False
        has_evidence = not self.evidence or any(error.kind in self.evidence for error in situation.errors)
        return has_evidence and self.only_where(situation)

    def request_for(self, task: Task) -> str | None:
        """Return what it asks of the meta-LLM about a judge with this task; None where it is of no use."""
        return self.of_tasks.get(task, self.request)

    def choose(self, groups: Sequence[Sequence[Misjudged]], limit: int) -> tuple[Misjudged, ...]:
        """Return at most ``limit`` errors to show: its own kinds first, taken from the groups in turn.

        Args:
            groups: the errors by failure pattern, the largest first; in each the most telling first.
            limit: how many to show.
        """
        in_turn = [error for each in zip_longest(*groups) for error in each if error is not None]
        first = [error for error in in_turn if error.kind in self.evidence]
        rest = [error for error in in_turn if error.kind not in self.evidence]
        return tuple(list(chain(first, rest))[:limit])


STRATEGIES: tuple[Strategy, ...] = (
    Strategy(
        "general improvement",
        "Find out what the judge overlooks or misunderstands, and say it.",
        "Improve the current prompt so that the judge agrees with the experts more often. Work out from the errors "
        "what the judge does not look at or misunderstands, and change or add the instructions that would have led it "
        "right. Keep what works.",
        of_tasks=REQUESTS["general improvement"],
    ),
    Strategy(
        "fix wrongly rejected",
        "Loosen the judge where it fails answers that the experts accept.",
        "The judge is too strict on some items: it fails or underrates answers that the experts accept. Find what "
        "these answers have in common and change the instructions so that such answers are accepted, without opening "
        "the door to bad ones.",
        TOO_STRICT,
        of_tasks=REQUESTS["fix wrongly rejected"],
    ),
    Strategy(
        "fix wrongly accepted",
        "Tighten the judge where it passes answers that the experts reject.",
        "The judge is too lenient on some items: it passes or overrates answers that the experts reject. Find which "
        "check would have caught each of them and add it as a general instruction, without making the judge strict "
        "about what the experts do not mind.",
        TOO_LENIENT,
        of_tasks=REQUESTS["fix wrongly accepted"],
    ),
    Strategy(
        "explicit rubric",
        "Numbered criteria, and the rule that leads from them to the label.",
        "Rewrite the prompt as an explicit rubric: numbered criteria, each of which can be checked by itself, followed "
        "by the rule that leads from the criteria to the label. Cover the errors shown.",
        of_tasks=REQUESTS["explicit rubric"],
    ),
    Strategy(
        "radical simplification",
        "The shortest prompt that could work.",
        "Write the shortest prompt that could work: a few plain sentences that state what decides the label. Drop "
        "every instruction that the errors and scores do not justify.",
        keeps_examples=False,
        of_tasks=REQUESTS["radical simplification"],
    ),
    Strategy(
        "claim enumeration",
        "Have the judge list every claim of the answer and check each by itself.",
        "Rewrite the prompt so that the judge first lists every single claim that the answer makes, small ones too, "
        "then decides about each claim by itself, and only then gives the label. Say which claims count and how many "
        "failures decide the label, so that the errors shown would have been caught.",
        TOO_LENIENT,
        of_tasks=REQUESTS["claim enumeration"],
    ),
    Strategy(
        "entity attribution",
        "Have the judge check to whom or what each statement belongs.",
        "Rewrite the prompt so that the judge checks for each statement whom or what it is about (product, person, "
        "place, plan, version, date) and whether the same is said of that very one, and not of a neighbour. Say how "
        "a statement that is true of something else is to be labelled.",
        TOO_LENIENT,
        of_tasks=REQUESTS["entity attribution"],
    ),
    Strategy(
        "evidence quoting",
        "Have the judge quote the passage that decides, before the label.",
        "Rewrite the prompt so that the judge, before it decides, quotes word for word the passage on which its "
        "decision about each point rests, and treats a point for which it finds no passage as not supported. Say what "
        "follows when wording differs but meaning does not, so that good answers are not rejected for it.",
        only_where=lambda situation: len(situation.inputs) > 1,
        of_tasks=REQUESTS["evidence quoting"],
    ),
    Strategy(
        "few-shot from disagreements",
        "Show some of the misjudged items with the experts' labels in the prompt; they leave its scoring.",
        "The program will add some of the errors shown, with the experts' labels and notes, as examples after your "
        "text. Write the instructions that go before them: what decides the label, and what the judge is to learn from "
        "the examples. Do not write the examples yourself.",
        brings="examples",
        of_tasks=REQUESTS["few-shot from disagreements"],
    ),
    Strategy(
        "merge",
        "Unite two prompts that are right on different items.",
        "The prompt in <other> is right on items that the current prompt gets wrong. Unite the two: take from each the "
        "instructions that make the difference, without repeating anything and without the weaknesses of either.",
        brings="partner",
    ),
    Strategy(
        "shorten",
        "Say the same in fewer words, which makes every verdict cheaper.",
        "Say the same as the current prompt in at most two thirds of its words. Every instruction that changes a label "
        "stays; repetition, politeness and explanation go. The judge must decide as before.",
        only_where=lambda situation: len(situation.prompt) >= LENGTHY,
    ),
)
"""The strategies that come with the program."""
