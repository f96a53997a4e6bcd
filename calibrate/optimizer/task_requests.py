"""What the strategies ask for where a judge has another task than a verdict: in place of their request, or None.

A strategy that is named here with None is of no use there: a label shown as an example is no reply of a judge that
splits answers, and one that verifies claims has been given them already.
"""

from __future__ import annotations

from collections.abc import Mapping

from calibrate.judge import Task

__all__ = ["REQUESTS"]

REQUESTS: Mapping[str, Mapping[Task, str | None]] = {
    "general improvement": {
        "split": (
            "Improve the current prompt so that the judge splits answers as the experts would. Work out from the "
            "errors what it joins, cuts, leaves out, adds or words in another way, and change or add the instructions "
            "that would have led it right. Keep what works."
        ),
    },
    "fix wrongly rejected": {
        "split": (
            "The judge's split lacks statements that the experts accept as claims. Find out whether it joins facts in "
            "one claim, leaves something out, or changes the wording, and change the instructions so that such "
            "statements stand in the split, without adding anything that the answer does not say."
        ),
        "verify": (
            "The judge does not call some claims supported that the experts do. Find out whether it asks for the same "
            "wording, overlooks a passage, or does not copy its quote word for word, and change the instructions so "
            "that such claims are supported, without opening the door to what the context does not say."
        ),
        "questions": (
            "The judge's questions are unlike the one that was asked although the answer is to the point. Find what "
            "sets them apart (too narrow, too wide, about a detail, in other words), and change the instructions so "
            "that the questions are those that somebody who gets such an answer has asked."
        ),
    },
    "fix wrongly accepted": {
        "split": (
            "The judge's split has statements that the experts reject: two facts in one claim, a fragment that cannot "
            "be understood alone, or something that the answer does not say. Find which it is, and change the "
            "instructions so that such statements are split, completed or left out."
        ),
        "verify": (
            "The judge calls some claims supported that the experts do not. Find which check would have caught each "
            "of them (a part that the context does not say, another number, somebody else, a negation), and add it as "
            "a general instruction, without asking for the same wording."
        ),
        "questions": (
            "The judge's questions are like the one that was asked although the answer is not to the point. Change "
            "the instructions so that the questions ask only for what the answer says, and for all of it."
        ),
    },
    "explicit rubric": {
        "split": (
            "Rewrite the prompt as numbered rules, each of which can be checked by itself: what makes a claim one "
            "claim, complete and understandable alone, which words it keeps, and what is no claim. Cover the errors "
            "shown."
        ),
        "questions": None,
    },
    "radical simplification": {
        "split": (
            "Write the shortest prompt that could work: a few plain sentences that say what a claim is. Drop every "
            "instruction that the errors and scores do not justify."
        ),
        "questions": (
            "Write the shortest prompt that could work: a few plain sentences that say which questions to write. Drop "
            "every instruction that the errors and scores do not justify."
        ),
    },
    "claim enumeration": {
        "split": None,
        "verify": None,
        "questions": None,
    },
    "entity attribution": {
        "split": None,
        "questions": None,
    },
    "evidence quoting": {
        "split": None,
        "verify": (
            "Rewrite the prompt so that the judge finds, for each claim, the passage that decides before it decides, "
            "and copies it as it stands: one passage, letter by letter, without an ellipsis and without words of its "
            "own. Say what to quote when several passages bear on a claim, and that other wording of the same is no "
            "reason against a claim."
        ),
        "questions": None,
    },
    "few-shot from disagreements": {
        "split": None,
        "questions": None,
    },
}
"""By the name of the strategy; a task that is not named gets the strategy's own request."""
