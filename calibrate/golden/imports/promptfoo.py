"""Results of ``promptfoo eval -o results.json``: each assertion of a test is a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text
from calibrate.golden.imports.documents import Document, objects
from calibrate.golden.imports.imported import Imported, Rows

__all__ = ["read_promptfoo", "recognises_promptfoo"]

_HUMAN, _SET = "human", "assert-set"  # types of assertions: a person's grade, and several assertions together
_ERROR = 2  # failureReason: the provider failed, and nothing was graded


def recognises_promptfoo(content: Json) -> bool:
    """Whether this looks like promptfoo's results."""
    results = _results(content)
    return bool(results) and ("gradingResult" in results[0] or "testCase" in results[0])


def read_promptfoo(document: Document) -> Imported:
    """Read one row per test, prompt and provider; an assertion goes by its metric, else by its type.

    A grader that failed (``metadata.graderError``, or a function that threw) is an error and not a "no"; so are all
    assertions of a test whose provider failed. A test without an assertion did not ask for its verdict. A person's
    grade (assertion type ``human``) is a human label.

    Raises:
        InputError: it is no such file.
    """
    results = _results(document.content)
    if not results:
        raise InputError("no promptfoo results: expected results.results, a list", file=document.source)
    rows = Rows(document.source)
    several = len({cell_text(each.get("promptIdx")) for each in results}) > 1
    verdicts: dict[str, None] = {}
    defined = [_defined(result) for result in results]
    failed = set()
    for position, result in enumerate(results):
        test = result.get("testIdx")
        row = rows.add(
            position + 1 if test is None else f"{test}/{cell_text(result.get('promptIdx'))}" if several else test
        )
        _describe(rows, row, result)
        grading = result.get("gradingResult")
        components = objects(grading.get("componentResults")) if isinstance(grading, Mapping) else []
        graded = [(component, found) for component in components for found in objects([component.get("assertion")])]
        for (component, _), name in zip(graded, _names([found for _, found in graded]), strict=True):
            _grade(rows, row, component, name, verdicts)
        if result.get("failureReason") == _ERROR:
            failed.add(row)
        elif not components and isinstance(result.get("success"), bool):
            _put_verdict(rows, row, "pass", result["success"], result.get("score"), result.get("error"))
            verdicts["pass"] = None
    for row, own in enumerate(defined):
        asked = own or [*(verdicts if not any(defined) else ()), "pass"]
        for name in asked if row in failed else own:
            if name is None or (verdicts and name not in verdicts):
                continue
            if row in failed:
                rows.put(row, "verdict", name, "error")
            elif not rows.holds(row, "verdict", name):
                rows.put(row, "verdict", name, None)
    said = (
        "several outputs of each test: --by prompt or --by provider shows each apart, --group test resamples tests",
    )
    return rows.imported("promptfoo", (*document.messages, *(said if several else ())))


def _results(content: Json) -> list[Mapping[str, Json]]:
    inner = content.get("results") if isinstance(content, Mapping) else content
    return objects(inner.get("results") if isinstance(inner, Mapping) else inner)


def _describe(rows: Rows, row: int, result: Mapping[str, Json]) -> None:
    """Fill what was judged: the test's variables, the prompt, the provider and the output."""
    case = result.get("testCase")
    case = case if isinstance(case, Mapping) else {}
    for name in ("provider", "prompt"):
        value = result.get(name)
        if isinstance(value, Mapping):
            value = value.get("id") if name == "provider" else value.get("label") or value.get("raw")
        rows.put(row, "item", name, value)
    response = result.get("response")
    rows.put(row, "item", "output", response.get("output") if isinstance(response, Mapping) else None)
    rows.put(row, "item", "test", result.get("testIdx"))
    rows.put(row, "item", "description", case.get("description"))
    rows.put_all(row, "item", result.get("vars") or case.get("vars"))
    metadata = result.get("metadata") or case.get("metadata")
    if isinstance(metadata, Mapping):
        rows.put_all(row, "metadata", {name: value for name, value in metadata.items() if not name.startswith("_")})


def _defined(result: Mapping[str, Json]) -> list[str | None]:
    """The names of the assertions that a test asks for, those of its sets among them."""
    case = result.get("testCase")
    found = []
    for each in objects(case.get("assert") if isinstance(case, Mapping) else None):
        found += objects(each.get("assert")) if each.get("type") == _SET else [each]
    return _names(found)


def _names(assertions: Sequence[Mapping[str, Json]]) -> list[str | None]:
    """Name the assertions of a test: by metric, else by type, numbered where there are several; None for a person's."""
    seen: Counter[str] = Counter()
    names: list[str | None] = []
    for assertion in assertions:
        kind = cell_text(assertion.get("type"))
        if kind == _HUMAN:
            names.append(None)
            continue
        name = cell_text(assertion.get("metric")).strip() or kind
        seen[name] += 1
        names.append(f"{name} #{seen[name]}" if seen[name] > 1 else name)
    return names


def _grade(rows: Rows, row: int, component: Mapping[str, Json], name: str | None, verdicts: dict[str, None]) -> None:
    passed = component.get("pass")
    if name is None:
        rows.put(row, "human", "label", passed)
        rows.put(row, "human reason", "label", component.get("comment") or component.get("reason"))
        return
    verdicts[name] = None
    if _grader_failed(component):
        rows.put(row, "verdict", name, "error")
        rows.put(row, "reason", name, component.get("reason"))
        return
    _put_verdict(rows, row, name, passed, component.get("score"), component.get("reason"))


def _put_verdict(rows: Rows, row: int, name: str, passed: Json, score: Json, reason: Json) -> None:
    rows.put(row, "verdict", name, passed)
    rows.put(row, "score", name, score)
    rows.put(row, "reason", name, reason)


def _grader_failed(component: Mapping[str, Json]) -> bool:
    metadata, reason = component.get("metadata"), component.get("reason")
    if isinstance(metadata, Mapping) and metadata.get("graderError"):
        return True
    threw = ("Custom function threw error:", "Python code execution failed:", "Ruby code execution failed:")
    return component.get("pass") is False and isinstance(reason, str) and reason.startswith(threw)
