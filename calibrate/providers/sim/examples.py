"""The block of labelled examples that may stand at the end of a judge prompt: material, never instructions."""

from __future__ import annotations

import re

__all__ = ["split_examples"]

_TAG = re.compile(r"^[ \t]*<(/?)examples>[ \t]*$", re.MULTILINE)


def split_examples(prompt: str) -> tuple[str, str]:
    """Return a prompt's instructions, and its block of examples with the white space in front; together they are it.

    The block stands between lines ``<examples>`` and ``</examples>`` at the end of the prompt; a line above it that
    ends in a colon leads up to it and belongs to it. It begins at the first ``<examples>`` that is not closed before a
    later one, so that a block in the middle of the instructions stays theirs and a stray tag inside an example cuts
    nothing in two. Empty when there is none.
    """
    tags = list(_TAG.finditer(prompt))
    if not tags or not tags[-1][1] or prompt[tags[-1].end() :].strip():
        return prompt, ""
    start: int | None = None
    closed = False
    for tag in tags[:-1]:
        if tag[1]:
            closed = True
        elif start is None or closed:
            start, closed = tag.start(), False
    if start is None:
        return prompt, ""
    instructions = prompt[:start].rstrip()
    lead = instructions.rpartition("\n")[2]
    if lead.endswith(":") and "{" not in lead:
        instructions = instructions.removesuffix(lead).rstrip()
    return instructions, prompt[len(instructions) :]
