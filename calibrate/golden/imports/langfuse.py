"""Scores of Langfuse, as a list or inside traces: annotations are human labels, all other scores verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from calibrate.domain import Json, number
from calibrate.errors import InputError
from calibrate.golden.cells import cell_text, is_blank
from calibrate.golden.imports.documents import Document, nested, objects
from calibrate.golden.imports.imported import Imported
from calibrate.golden.imports.judged import Judgement, Thing, tabulate

__all__ = ["read_langfuse", "recognises_langfuse"]

_NO_VERDICTS = {"CORRECTION", "TEXT"}


def recognises_langfuse(content: Json) -> bool:
    """Whether this looks like scores of Langfuse."""
    return next(_scores(content), None) is not None


def read_langfuse(document: Document) -> Imported:
    """Read one row per trace or, where scores are of observations, per observation.

    A categorical score's label is its text, a boolean one's true or false. Corrections and free text are no verdicts.

    Raises:
        InputError: it is no such file.
    """
    found = list(_scores(document.content))
    scores = [each for each in found if cell_text(each[0].get("datatype")).upper() not in _NO_VERDICTS]
    if not found:
        raise InputError(
            "no Langfuse scores: expected a list of scores with name, value, source and traceId, or traces with scores",
            file=document.source,
        )
    observed: dict[str, set[str]] = {}
    for score, _ in scores:
        if not is_blank(score.get("observationid")):
            observed.setdefault(_trace(score), set()).add(cell_text(score["observationid"]))
    things: dict[str, Thing] = {}
    for score, trace in scores:
        trace_id = _trace(score)
        # The one observation that was scored of a trace is the same answer as the trace.
        own = cell_text(score.get("observationid")) if len(observed.get(trace_id, ())) > 1 else ""
        thing = things.setdefault(f"{trace_id}/{own}" if own else trace_id, Thing())
        thing.item.update({key: value for key in ("name", "input", "output") if (value := trace.get(key)) is not None})
        metadata = nested(trace.get("metadata"))
        if isinstance(metadata, Mapping):
            thing.metadata.update(metadata)
        thing.judgements.append(_judgement(score))
    texts = len(found) - len(scores)
    said = (f"{texts} corrections and texts, which are no verdicts, left out",) if texts else ()
    return tabulate(document.source, "langfuse", things, (*document.messages, *said))


def _scores(content: Json) -> Iterator[tuple[Mapping[str, Json], Mapping[str, Json]]]:
    """Yield each score, its keys in one spelling, and the trace that holds it."""
    if isinstance(content, Mapping):
        inner = next((content[key] for key in ("data", "scores", "traces") if objects(content.get(key))), None)
        if inner is None or "input" in content:
            inner = [content]
        content = inner
    for record in objects(content):
        held = objects(record.get("scores"))
        for score in held:
            spelled = _spelled(score)
            if "name" in spelled and ("value" in spelled or "stringvalue" in spelled):
                yield {"traceid": record.get("id"), **spelled}, record
        spelled = {} if held else _spelled(record)
        if (
            {"name", "source"} <= spelled.keys()
            and _trace(spelled)
            and ("value" in spelled or "stringvalue" in spelled)
        ):
            trace = spelled.get("trace")
            yield spelled, trace if isinstance(trace, Mapping) else {}


def _spelled(record: Mapping[str, Json]) -> dict[str, Json]:
    """Return the record with ``traceId``, ``trace_id`` and ``Trace ID`` under one key; newer scores have a subject."""
    spelled = {re.sub(r"[^a-z0-9]", "", key.lower()): value for key, value in record.items()}
    subject = spelled.get("subject")
    if isinstance(subject, Mapping):
        spelled["traceid"] = subject.get("traceId") or subject.get("id")
        spelled["observationid"] = subject.get("id") if subject.get("kind") == "observation" else None
    return spelled


def _trace(score: Mapping[str, Json]) -> str:
    found = (score.get(key) for key in ("traceid", "sessionid", "datasetrunid"))
    return next((cell_text(each) for each in found if not is_blank(each)), "")


def _judgement(score: Mapping[str, Json]) -> Judgement:
    value, text = score.get("value"), score.get("stringvalue")
    kind = cell_text(score.get("datatype")).upper()
    verdict, beside = value, None
    if kind == "BOOLEAN":
        stated = number(value)
        verdict = value if isinstance(value, bool) else bool(stated) if stated in {0.0, 1.0} else text or value
    elif kind == "CATEGORICAL" or (value is None and not is_blank(text)):
        verdict, beside = (value, None) if is_blank(text) else (text, value)
    return Judgement(
        cell_text(score.get("name")),
        cell_text(score.get("source")).upper() == "ANNOTATION",
        verdict,
        beside,
        score.get("comment"),
        cell_text(score.get("timestamp") or score.get("createdat")),
    )
