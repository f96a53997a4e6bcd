"""Test runs of DeepEval: ``.deepeval/.latest_test_run.json``, an exported run, or a dumped evaluation result."""

from __future__ import annotations

from collections.abc import Mapping

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.imports.documents import Document, objects
from calibrate.golden.imports.imported import Imported, Rows

__all__ = ["read_deepeval", "recognises_deepeval"]

_CASES = ("testCases", "conversationalTestCases", "test_cases", "test_results", "testResults")
_ITEM = {
    "input": ("input",),
    "actual_output": ("actualOutput", "actual_output"),
    "expected_output": ("expectedOutput", "expected_output"),
    "context": ("context",),
    "retrieval_context": ("retrievalContext", "retrieval_context"),
    "turns": ("turns",),
    "scenario": ("scenario",),
    "name": ("name",),
}
_METADATA = ("metadata", "additionalMetadata", "additional_metadata")


def recognises_deepeval(content: Json) -> bool:
    """Whether this looks like a test run of DeepEval."""
    cases = _cases(content)
    return bool(cases) and any(_metrics(each) for each in cases)


def read_deepeval(document: Document) -> Imported:
    """Read one row per test case; ``success`` is a metric's verdict, and a metric with an error has none.

    Raises:
        InputError: it is no such file.
    """
    cases = _cases(document.content)
    if not cases:
        raise InputError("no DeepEval test run: expected testCases, a list (or test_results)", file=document.source)
    rows = Rows(document.source)
    names = [cell_text(each.get("name")) for each in cases]
    usable = all(map(str.strip, names)) and len(set(names)) == len(names)
    for position, case in enumerate(cases):
        row = rows.add(names[position] if usable else position + 1)
        for column, keys in _ITEM.items():
            rows.put(row, "item", column, _first(case, keys))
        rows.put_all(row, "metadata", _first(case, _METADATA))
        for metric in _metrics(case):
            name = cell_text(metric.get("name"))
            broken = not is_blank(metric.get("error"))
            skipped = bool(metric.get("skipped")) or metric.get("score") is None
            rows.put(row, "verdict", name, "error" if broken else None if skipped else metric.get("success"))
            rows.put(row, "score", name, metric.get("score"))
            rows.put(row, "reason", name, metric.get("error") if broken else metric.get("reason"))
    return rows.imported("deepeval", document.messages)


def _cases(content: Json) -> list[Mapping[str, Json]]:
    if isinstance(content, list):
        cases = objects(content)
        return cases if any(_metrics(each) for each in cases) else []
    if not isinstance(content, Mapping):
        return []
    inner = content.get("testRunData")
    holder = inner if isinstance(inner, Mapping) else content
    return [each for key in _CASES for each in objects(holder.get(key))]


def _metrics(case: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    return objects(_first(case, ("metricsData", "metrics_data", "metricsMetadata")))


def _first(case: Mapping[str, Json], keys: tuple[str, ...]) -> Json:
    return next((case[key] for key in keys if case.get(key) is not None), None)
