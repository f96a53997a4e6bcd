"""What the meta-LLM is told of a judge by its task: what it does, what its labels rest on, and the form of its reply.

The form is added to the instructions. A rewrite that demanded another one would set the judge against itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from calibrate.judge import Task

__all__ = ["AIM", "DOES", "FORM", "LABELLED", "RESTS_ON"]

DOES: Mapping[Task, str] = {
    "verdict": "a model that labels answers",
    "split": "a model that takes answers apart into claims",
    "verify": "a model that says of claims whether a context supports them",
    "questions": "a model that writes questions back which an answer answers",
}
"""What the judge is."""

LABELLED: Mapping[Task, str] = {
    "verdict": "Experts have labelled the same items",
    "split": "Experts have labelled statements, as a claim of a right split or as none",
    "verify": "Experts have labelled the same items",
    "questions": "Experts have scored how well the same answers answer their question",
}
"""What the experts did."""

AIM: Mapping[Task, str] = {
    "verdict": "the aim is that the judge agrees with them.",
    "split": "the aim is that the judge's split has the first and none of the others.",
    "verify": "the aim is that the judge agrees with them.",
    "questions": "the aim is that the judge's questions are the more like that question the better the answer is.",
}
"""What is wanted of the judge."""

RESTS_ON: Mapping[Task, str] = {
    "verdict": "",
    "split": (
        "The judge states no label: its label is good where its split has the statement under claim, which it does "
        "not see; the reasoning below lists its claims."
    ),
    "verify": (
        "A claim counts as supported only with a quote that stands in the context word for word; else it counts as the "
        "label for what the context does not say."
    ),
    "questions": (
        "The judge states no score: it is how like its questions are to the item's question, which it does not see; "
        "the reasoning below lists them, each with its similarity."
    ),
}
"""How the labels shown follow from what the judge says; empty where it states them."""

_ADDED = "Do not describe the output format; it is added to your text: {form}. Ask for no other."

FORM: Mapping[Task, str] = {
    "verdict": "Do not describe the output format and do not list the labels' spelling; both are added to your text.",
    "split": _ADDED.format(form="a list of claims, each with its kind (factual, conditional, normative), and no label"),
    "verify": _ADDED.format(form="for each claim its number, the reasoning, the quote and then the label"),
    "questions": _ADDED.format(form="three questions, and no label"),
}
"""What a rewrite is not to say of the reply."""
