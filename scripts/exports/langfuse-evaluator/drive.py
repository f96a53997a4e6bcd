"""Check exported definitions of evaluators that Langfuse runs: drive.py JOBS RESULTS.

Langfuse runs them on its own servers. Here the body is held to the types of its SDK, where unknown fields would show,
and the messages are sent with their variables filled. What its servers add, and how they read the score, cannot be seen
here: no verdict is read.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from langfuse.api.core.pydantic_utilities import parse_obj_as
from langfuse.api.evaluators.types import CreateEvaluatorRequest_LlmAsJudge
from openai import OpenAI
from pydantic import BaseModel

_PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def checked(document: dict[str, Any]) -> dict[str, Any]:
    """Return a body that is of the SDK's types and has nothing else."""
    _refuse_unknown(parse_obj_as(CreateEvaluatorRequest_LlmAsJudge, document))
    variables = {name for message in document["prompt"] for name in _PLACE.findall(message["content"])}
    mapped = [each["variable"] for each in document["variableMapping"]]
    assert sorted(mapped) == sorted(variables), "exactly one mapping for each variable"
    return document


def _refuse_unknown(value: Any) -> None:
    if isinstance(value, BaseModel):
        assert not value.model_extra, value.model_extra
        for name in type(value).model_fields:
            _refuse_unknown(getattr(value, name))
    elif isinstance(value, list):
        for each in value:
            _refuse_unknown(each)


def filled(text: str, inputs: dict[str, Any]) -> str:
    def place(found: re.Match[str]) -> str:
        value = inputs[found[1]]
        return value if isinstance(value, str) else json.dumps(value)

    return _PLACE.sub(place, text)


def judged(job: dict[str, Any]) -> dict[str, Any]:
    document = checked(json.loads(Path(job["file"]).read_text(encoding="utf-8")))
    client = OpenAI(base_url=job["base_url"], api_key="none")
    verdicts = {}
    for item in job["items"]:
        messages = [{**each, "content": filled(each["content"], item["inputs"])} for each in document["prompt"]]
        client.chat.completions.create(model=document["modelConfig"]["model"], messages=messages)
        verdicts[item["id"]] = {"label": None, "unscored": "not read"}
    return verdicts


def main() -> None:
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    results = {job["judge"]: judged(job) for job in jobs}
    Path(sys.argv[2]).write_text(json.dumps(results), encoding="utf-8")


main()
