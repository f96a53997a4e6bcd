"""Traces of MLflow with assessments, and evaluation tables: a person's feedback is a human label, the rest verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.imports.documents import Document, nested, objects
from calibrate.golden.imports.imported import Imported
from calibrate.golden.imports.judged import Judgement, Thing, tabulate

__all__ = ["read_mlflow", "recognises_mlflow"]

_COLUMN = re.compile(r"(?P<name>.+?)/(?:v\d+/)?(?P<what>value|score|rationale|justification|error_message)")
_OWN = {"trace", "spans", "assessments", "tags", "trace_metadata", "request", "response", "trace_id", "request_id"}


def recognises_mlflow(content: Json) -> bool:
    """Whether this looks like traces or an evaluation table of MLflow."""
    return any(_assessments(each) or any(map(_COLUMN.fullmatch, each)) for each in _records(content)[:20])


def read_mlflow(document: Document) -> Imported:
    """Read one row per trace, or per row of an evaluation table.

    Feedback of source HUMAN is a human label, of LLM_JUDGE and CODE a verdict, and feedback with an error is none.
    What was overridden (``valid`` is false) does not count, and expectations are data about the item.

    Raises:
        InputError: it is no such file.
    """
    records = _records(document.content)
    if not recognises_mlflow(document.content):
        raise InputError(
            "no MLflow traces or evaluation table: expected assessments in each trace, or columns such as "
            "correctness/value",
            file=document.source,
        )
    things: dict[str, Thing] = {}
    for position, record in enumerate(records, 1):
        info = record.get("info")
        info = info if isinstance(info, Mapping) else record
        trace_id = next((info[key] for key in ("trace_id", "request_id") if not is_blank(info.get(key))), position)
        thing = things.setdefault(cell_text(trace_id), Thing())
        _describe(thing, record, info)
        assessments = _assessments(record)
        for assessment in assessments:
            _assess(thing, assessment)
        if not assessments:
            thing.judgements += _from_columns(record)
    return tabulate(document.source, "mlflow", things, document.messages)


def _records(content: Json) -> list[Mapping[str, Json]]:
    """Return the traces or rows: a list, an object that holds one, or a table of columns and data."""
    if isinstance(content, Mapping):
        columns, data = content.get("columns"), content.get("data")
        if isinstance(columns, list) and isinstance(data, list):
            names = list(map(cell_text, columns))
            return [dict(zip(names, row, strict=False)) for row in data if isinstance(row, list)]
        if "info" in content or "assessments" in content:
            return [content]
        return next((found for key in ("traces", "data", "rows") if (found := objects(content.get(key)))), [])
    return objects(content)


def _assessments(record: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    for holder in (record, record.get("info"), nested(record.get("trace"))):
        if isinstance(holder, Mapping):
            inner = holder.get("info")
            for each in (holder, inner):
                found = objects(each.get("assessments")) if isinstance(each, Mapping) else []
                if found:
                    return found
    return []


def _describe(thing: Thing, record: Mapping[str, Json], info: Mapping[str, Json]) -> None:
    stored = info.get("trace_metadata")
    stored = stored if isinstance(stored, Mapping) else {}
    request = nested(_first(record.get("request"), stored.get("mlflow.traceInputs"), info.get("request_preview")))
    response = _first(record.get("response"), stored.get("mlflow.traceOutputs"), info.get("response_preview"))
    if isinstance(request, Mapping):
        thing.item.update(request)
    else:
        thing.item["request"] = request
    thing.item["response"] = response
    for values in (stored, nested(info.get("tags"))):
        if isinstance(values, Mapping):
            thing.metadata.update({name: value for name, value in values.items() if not name.startswith("mlflow.")})
    if info is record:
        others = {name: value for name, value in record.items() if name not in _OWN and not _COLUMN.fullmatch(name)}
        thing.metadata.update(others)


def _first(*values: Json) -> Json:
    return next((value for value in values if value is not None), None)


def _assess(thing: Thing, assessment: Mapping[str, Json]) -> None:
    name = cell_text(_first(assessment.get("assessment_name"), assessment.get("name")))
    source = assessment.get("source")
    kind = cell_text(source.get("source_type")).upper() if isinstance(source, Mapping) else ""
    expectation, feedback = assessment.get("expectation"), assessment.get("feedback")
    if isinstance(expectation, Mapping):
        thing.item[name] = _first(expectation.get("value"), expectation.get("serialized_value"))
    if not isinstance(feedback, Mapping) or assessment.get("valid") is False:
        return
    error = _first(feedback.get("error"), assessment.get("error"))
    said = error.get("error_message") if isinstance(error, Mapping) else error
    thing.judgements.append(
        Judgement(
            name,
            kind == "HUMAN",
            feedback.get("value") if error is None else "error",
            reason=assessment.get("rationale") if error is None else said,
            at=cell_text(assessment.get("create_time")),
        )
    )


def _from_columns(record: Mapping[str, Json]) -> Iterator[Judgement]:
    """Read ``correctness/value`` and ``correctness/rationale``, and the older ``correctness/v1/score``."""
    found: dict[str, dict[str, Json]] = {}
    for column, value in record.items():
        match = _COLUMN.fullmatch(column)
        if match:
            found.setdefault(match["name"], {})[match["what"]] = value
    for name, parts in found.items():
        error = parts.get("error_message")
        yield Judgement(
            name,
            human=False,
            verdict="error" if not is_blank(error) else _first(parts.get("value"), parts.get("score")),
            reason=_first(error, parts.get("rationale"), parts.get("justification")),
        )
