"""What a judge is asked to do with an item: give a verdict, or one of the steps of judging claim by claim.

- ``verdict``: one label for the item.
- ``split``: take an answer apart into claims. It sees question and answer.
- ``verify``: say of one claim, or of several, whether the context supports it, with a verbatim quote.
- ``questions``: write the questions back that an answer answers. It sees the answer only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from calibrate.domain import Scale
from calibrate.errors import InputError
from calibrate.judge.support import label_roles

__all__ = ["TASKS", "Task", "check_task", "needed_inputs", "read_task", "shown_inputs"]

Task: TypeAlias = Literal["verdict", "split", "verify", "questions"]
TASKS: tuple[Task, ...] = get_args(Task)

_SHOWN: dict[Task, tuple[str, ...]] = {"split": ("question", "answer"), "questions": ("answer",)}
_NEEDED: dict[Task, tuple[str, ...]] = {
    "verdict": (),
    "split": ("answer",),
    "verify": ("context", "claim"),
    "questions": ("question", "answer"),
}


def read_task(text: str) -> Task:
    """Read the name of a task.

    Raises:
        InputError: there is no such task.
    """
    for task in TASKS:
        if text.strip().casefold() == task:
            return task
    raise InputError(f"--task {text}: give one of {', '.join(TASKS)}", field="task")


def shown_inputs(task: Task, names: Iterable[str]) -> tuple[str, ...]:
    """Return the inputs that the model sees, in their order: a splitter does not see the context, for one."""
    shown = _SHOWN.get(task)
    return tuple(name for name in names if shown is None or name in shown)


def needed_inputs(task: Task) -> tuple[str, ...]:
    """Return the inputs that an item must have."""
    return _NEEDED[task]


def check_task(task: Task, scale: Scale) -> None:
    """Refuse a scale on which a task has no labels.

    Raises:
        InputError: says which scale it takes.
    """
    if task == "split" and scale.kind != "binary":
        raise InputError(
            "--task split says whether a statement is among an answer's claims: it takes a binary scale, "
            f"not {scale.kind}"
        )
    if task == "questions" and scale.kind != "interval":
        raise InputError(
            f"--task questions gives a similarity: it takes an interval scale, such as 0 to 1, not {scale.kind}"
        )
    if task == "verify":
        label_roles(scale)
