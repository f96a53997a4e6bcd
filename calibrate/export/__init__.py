"""Turn a calibrated judge into something that runs elsewhere."""

from collections.abc import Callable

from calibrate.errors import InputError
from calibrate.export.bundle import Exported, answering, as_json, bundle, read_bundle
from calibrate.export.deepeval_metric import as_deepeval
from calibrate.export.dspy_module import as_dspy
from calibrate.export.header import calls_in_words, to_be_set
from calibrate.export.inspect_scorer import as_inspect
from calibrate.export.langfuse_definition import as_langfuse_evaluator
from calibrate.export.langfuse_evaluator import as_langfuse
from calibrate.export.markdown import as_markdown
from calibrate.export.mlflow_scorer import as_mlflow
from calibrate.export.openai_graders import as_openai_graders
from calibrate.export.openevals_judge import as_openevals
from calibrate.export.phoenix_evaluator import as_phoenix
from calibrate.export.promptfoo_grader import as_promptfoo
from calibrate.export.python import as_python
from calibrate.export.ragas_metric import as_ragas
from calibrate.export.text import as_text
from calibrate.judge import Task

__all__ = [
    "FORMATS",
    "Exported",
    "answering",
    "as_json",
    "as_python",
    "as_text",
    "bundle",
    "calls_in_words",
    "ending",
    "export",
    "read_bundle",
    "to_be_set",
]

FORMATS: dict[str, Callable[[Exported], str]] = {
    "text": as_text,
    "json": as_json,
    "python": as_python,
    "markdown": as_markdown,
    "mlflow": as_mlflow,
    "deepeval": as_deepeval,
    "ragas": as_ragas,
    "openevals": as_openevals,
    "phoenix": as_phoenix,
    "promptfoo": as_promptfoo,
    "openai-graders": as_openai_graders,
    "inspect": as_inspect,
    "dspy": as_dspy,
    "langfuse": as_langfuse,
    "langfuse-evaluator": as_langfuse_evaluator,
}
"""The formats by name: the instructions alone, everything as JSON, a module without dependencies, a page for people,
and definitions for other tools."""


_OF_TASKS: dict[Task, tuple[str, tuple[str, ...]]] = {
    "split": ("a judge that splits answers into claims", ("text", "markdown", "json", "python")),
    "verify": ("a judge that verifies claims", ("text", "markdown", "json", "python")),
    "questions": ("a judge that writes questions back and needs an embedder", ("text", "markdown", "json")),
}
_JSON = ("json", "openai-graders", "langfuse-evaluator")
_FOR_PEOPLE = ("text", "markdown")


def ending(to: str) -> str | None:
    """Return how the name of a file in a format ends; None where any name will do, and for unknown formats."""
    if to in _JSON:
        return ".json"
    return None if to in _FOR_PEOPLE or to not in FORMATS else ".py"


def export(exported: Exported, to: str) -> str:
    """Write a judge in the format ``to``.

    Raises:
        InputError: there is no such format, or it is none for a judge of this task.
    """
    if to not in FORMATS:
        raise InputError(f"unknown format '{to}'; choose one of {', '.join(FORMATS)}", field="to")
    what, formats = _OF_TASKS.get(exported.settings.task, ("", tuple(FORMATS)))
    if to not in formats:
        raise InputError(f"{what} exports to {', '.join(formats)}; not to {to}", field="to")
    return FORMATS[to](exported)
