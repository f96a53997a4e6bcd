"""Check exported graders of OpenAI's evals: drive.py JOBS RESULTS.

OpenAI runs graders on its own servers. Here the parameters are held to the types of its SDK, where unknown ones would
show, and the messages are sent with their templates filled as its documentation says. What its servers add around them,
and how they read the label, cannot be seen here: no verdict is read.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from openai import OpenAI
from openai.types.eval_create_params import (
    DataSourceConfigCustom,
    EvalCreateParams,
    TestingCriterionLabelModel,
    TestingCriterionScoreModel,
)
from openai.types.graders import LabelModelGrader, ScoreModelGrader
from pydantic import TypeAdapter

_PLACE = re.compile(r"\{\{\s*item\.(\w+)\s*\}\}")
_PARTS = {"label_model": TestingCriterionLabelModel, "score_model": TestingCriterionScoreModel}
_GRADERS = {"label_model": LabelModelGrader, "score_model": ScoreModelGrader}


def checked(document: Any) -> dict[str, Any]:
    """Return the grader of parameters that are of the SDK's types and have nothing else."""
    [grader] = document["testing_criteria"]
    TypeAdapter(EvalCreateParams).validate_python(document)
    for part, kind in ((document["data_source_config"], DataSourceConfigCustom), (grader, _PARTS[grader["type"]])):
        adapter = TypeAdapter(kind)
        read = adapter.dump_python(adapter.validate_python(part), mode="json")
        assert read == part, f"the SDK's types do not know {part} but {read}"
    assert document.keys() <= EvalCreateParams.__annotations__.keys()
    own = {name: value for name, value in grader.items() if name != "pass_threshold"}
    model = _GRADERS[grader["type"]].model_validate(own, strict=True)
    assert not model.model_extra, model.model_extra
    assert set(grader.get("passing_labels", [])) <= set(grader.get("labels", []))
    metadata = document["metadata"]
    assert len(metadata) <= 16
    assert all(len(name) <= 64 and len(value) <= 512 for name, value in metadata.items())
    return grader


def filled(text: str, inputs: dict[str, Any]) -> str:
    def place(found: re.Match[str]) -> str:
        value = inputs[found[1]]
        return value if isinstance(value, str) else json.dumps(value)

    return _PLACE.sub(place, text)


def judged(job: dict[str, Any]) -> dict[str, Any]:
    grader = checked(json.loads(Path(job["file"]).read_text(encoding="utf-8")))
    client = OpenAI(base_url=job["base_url"], api_key="none")
    verdicts = {}
    for item in job["items"]:
        messages = [{**each, "content": filled(each["content"], item["inputs"])} for each in grader["input"]]
        client.chat.completions.create(model=grader["model"], messages=messages)
        verdicts[item["id"]] = {"label": None, "unscored": "not read"}
    return verdicts


def main() -> None:
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    results = {job["judge"]: judged(job) for job in jobs}
    Path(sys.argv[2]).write_text(json.dumps(results), encoding="utf-8")


main()
