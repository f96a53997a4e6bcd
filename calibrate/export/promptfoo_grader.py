"""A judge as a grader for promptfoo."""

from __future__ import annotations

import json
import textwrap

from calibrate.export.asking import asking_module, field_names
from calibrate.export.bundle import Exported
from calibrate.export.item_parts import parts_code

__all__ = ["as_promptfoo"]

_WIDTH = 100
_USAGE = """\
A transform of promptfoo, for an assertion on the verdict:

    assert:
      - type: {kind}
        transform: file://judge.py
        value: {value}

{wanted}The transform asks the judge and returns its label, on which the assertion stands. The inputs are found by name
in the test's vars{output}.

A reply without a verdict is an error of the test, and no failure. That is why this is a transform: promptfoo takes what
goes wrong in a Python assertion, or in llm-rubric, for a failure.

promptfoo fills templates in vars before the judge sees them. Where texts may hold {{{{ or {{%, set
PROMPTFOO_DISABLE_TEMPLATING=true; the name of another var in double braces is replaced even then. A list makes a test
of each of its members unless the test has options: {{disableVarExpansion: true}}."""
_ADAPTER = '''\
def get_transform(output: Any, context: Mapping[str, Any]) -> str:
    """Return the judge's label for one test.

    Raises:
        RuntimeError: the reply has no verdict.
    """
    verdict = ask(_inputs_from(context.get("vars"), output, None))
    if verdict.label is None:
        raise RuntimeError(f"UNSCORED {{verdict.unscored}}: the judge's reply has no verdict")
    return verdict.label


{parts}'''


def as_promptfoo(exported: Exported) -> str:
    """Return a Python module with the transform ``get_transform``.

    Raises:
        InputError: a verdict of the judge takes several calls, or its model answers no chat.
    """
    parts = parts_code(exported)
    kind, value, wanted = _assertion(exported)
    judged = field_names(exported).get("output")
    return asking_module(
        exported,
        tool="promptfoo",
        unscored="an error",
        usage=_USAGE.format(
            kind=kind, value=value, wanted=wanted, output=f", and {judged} is the output" if judged else ""
        ),
        library="# promptfoo calls get_transform; nothing is imported from it.\n",
        modules=(),
        adapter=_ADAPTER.format(parts=parts),
    )


def _assertion(exported: Exported) -> tuple[str, str, str]:
    """Return the kind of the assertion, its value as YAML, and what a user has to put into it."""
    scale = exported.scale
    if scale.kind == "interval":
        if scale.threshold is not None:
            return "javascript", f"Number(output) >= {scale.threshold}", ""
        return (
            "javascript",
            "Number(output) >= LOWEST",
            "No score is known to be good: put your own in place of LOWEST.\n\n",
        )
    if scale.positive is not None:
        return "equals", _yaml(scale.positive), ""
    labels = ", ".join(map(_yaml, scale.labels))
    told = f"None of the labels is the good one: put the one that a test wants in place of LABEL. They are {labels}."
    return "equals", "LABEL", textwrap.fill(told, _WIDTH, break_long_words=False, break_on_hyphens=False) + "\n\n"


def _yaml(label: str) -> str:
    """Write a label in single quotes, in which a backslash stands for itself; what has no such form, as JSON."""
    return "'{}'".format(label.replace("'", "''")) if label.isprintable() else json.dumps(label)
