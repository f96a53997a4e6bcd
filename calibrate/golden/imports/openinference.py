"""Spans and annotations of Phoenix (OpenInference): annotations by people are human labels, all others verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from calibrate.domain import Json
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.imports.documents import Document, nested, objects
from calibrate.golden.imports.imported import Imported
from calibrate.golden.imports.judged import Judgement, Thing, tabulate

__all__ = ["read_openinference", "recognises_openinference"]

_IDS = ("context.span_id", "span_id", "spanId", "context.trace_id", "trace_id", "traceId")
_LISTS = ("annotations", "span_annotations", "spanAnnotations")
_COLUMN = re.compile(r"eval\.(?P<name>.+)\.(?P<what>label|score|explanation)")
_ITEM = {
    "input": ("attributes.input.value", "input.value", "input"),
    "output": ("attributes.output.value", "output.value", "output"),
    "model": ("attributes.llm.model_name", "llm.model_name"),
    "span_kind": ("attributes.openinference.span.kind", "span_kind"),
}


def recognises_openinference(content: Json) -> bool:
    """Whether this looks like spans with annotations, or annotations of spans."""
    return any(next(_judgements(each), None) is not None for each in _records(content))


def read_openinference(document: Document) -> Imported:
    """Read one row per span that was annotated; a label is the verdict, else the score.

    Raises:
        InputError: it is no such file.
    """
    things: dict[str, Thing] = {}
    for position, record in enumerate(_records(document.content), 1):
        judgements = list(_judgements(record))
        if not judgements:
            continue
        span_id = next((cell_text(value) for key in _IDS if not is_blank(value := _at(record, key))), str(position))
        place = record.get("document_position")
        thing = things.setdefault(span_id if is_blank(place) else f"{span_id}/{cell_text(place)}", Thing())
        for column, paths in _ITEM.items():
            value = next((found for path in paths if (found := _at(record, path)) is not None), None)
            if value is not None:
                thing.item[column] = value
        thing.metadata.update(_metadata(record))
        thing.judgements += judgements
    if not things:
        raise InputError(
            "no annotated spans: expected spans with annotations or eval.NAME.label columns, or annotations with name, "
            "annotator_kind and span_id",
            file=document.source,
        )
    return tabulate(document.source, "openinference", things, document.messages)


def _records(content: Json) -> list[Mapping[str, Json]]:
    if isinstance(content, Mapping):
        content = next((content[key] for key in ("data", "spans", *_LISTS) if objects(content.get(key))), [content])
    return objects(content)


def _at(record: Mapping[str, Json], path: str) -> Json:
    """Return the value at a dotted path, however much of it is one key and how much is nested."""
    if path in record:
        return record[path]
    parts = path.split(".")
    for split in range(len(parts) - 1, 0, -1):
        inner = nested(record.get(".".join(parts[:split])))
        if isinstance(inner, Mapping) and (found := _at(inner, ".".join(parts[split:]))) is not None:
            return found
    return None


def _metadata(record: Mapping[str, Json]) -> dict[str, Json]:
    """Return a span's metadata, and the columns that somebody added to a table of spans."""
    metadata = nested(_at(record, "attributes.metadata"))
    found = dict(metadata) if isinstance(metadata, Mapping) else {}
    if "annotator_kind" not in record and "annotatorKind" not in record:
        paths = {path for paths in _ITEM.values() for path in paths}
        for column, value in record.items():
            if not isinstance(nested(value), Mapping | list) and column not in paths and not _COLUMN.fullmatch(column):
                found[column] = value
    return found


def _judgements(record: Mapping[str, Json]) -> Iterator[Judgement]:
    """Yield what a record says: it is an annotation, or a span with a list of them, or one with columns of them."""
    kind = record.get("annotator_kind", record.get("annotatorKind"))
    if kind is not None:
        yield _annotation(record)
        return
    for key in _LISTS:
        for each in objects(record.get(key)):
            yield _annotation(each)
    found: dict[str, dict[str, Json]] = {}
    for column, value in record.items():
        match = _COLUMN.fullmatch(column)
        if match:
            found.setdefault(match["name"], {})[match["what"]] = value
        elif column.endswith("_score"):
            yield from _evaluated(record, column.removesuffix("_score"), nested(value))
    for name, parts in found.items():
        if any(not is_blank(value) for value in parts.values()):
            yield _judgement(name, "", parts)


def _annotation(record: Mapping[str, Json]) -> Judgement:
    name = next((record[key] for key in ("annotation_name", "name") if not is_blank(record.get(key))), "annotation")
    kind = cell_text(record.get("annotator_kind", record.get("annotatorKind")))
    parts = {what: _at(record, f"result.{what}") for what in ("label", "score", "explanation")}
    return _judgement(
        cell_text(name),
        kind,
        {what: record.get(what) if each is None else each for what, each in parts.items()},
        record,
    )


def _evaluated(record: Mapping[str, Json], name: str, score: Json) -> Iterator[Judgement]:
    """Read what ``phoenix.evals.evaluate_dataframe`` adds: NAME_score and NAME_execution_details."""
    details = nested(record.get(f"{name}_execution_details"))
    if not isinstance(details, Mapping):
        return
    if isinstance(score, Mapping):
        yield _judgement(name, cell_text(score.get("kind", score.get("source"))), score)
    else:
        failed = details.get("exceptions") or None
        yield Judgement(name, human=False, verdict="error" if failed else None, reason=failed)


def _judgement(name: str, kind: str, parts: Mapping[str, Json], record: Mapping[str, Json] | None = None) -> Judgement:
    label, score = parts.get("label"), parts.get("score")
    at = (record or {}).get("updated_at") or (record or {}).get("created_at")
    return Judgement(
        name,
        kind.upper() == "HUMAN",
        score if is_blank(label) else label,
        None if is_blank(label) else score,
        parts.get("explanation"),
        cell_text(at),
    )
