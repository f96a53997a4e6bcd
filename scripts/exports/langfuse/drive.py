"""Judge items with exported evaluators in experiments of Langfuse: drive.py JOBS RESULTS."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from langfuse import Langfuse
from modules import load


def judged(langfuse: Langfuse, job: dict[str, Any], number: int) -> dict[str, Any]:
    os.environ["OPENAI_BASE_URL"] = job["base_url"]
    module = load(job["file"])
    outputs = {}
    data = []
    for item in job["items"]:
        inputs = dict(item["inputs"])
        outputs[item["id"]] = inputs.pop("answer", {})
        data.append({"input": {**inputs, "id": item["id"]}})

    def answer(*, item: dict[str, Any], **_: Any) -> Any:
        return outputs[item["input"]["id"]]

    result = langfuse.run_experiment(name=f"experiment {number}", data=data, task=answer, evaluators=[module.judge])
    verdicts = {}
    for each in result.item_results:
        scores = {score.name: score for score in each.evaluations}
        score = scores.get(module.NAME)
        verdicts[each.item["input"]["id"]] = {
            "label": score.metadata["label"] if score else None,
            "unscored": getattr(scores.get(f"{module.NAME} unscored"), "value", None),
        }
    return verdicts


def main() -> None:
    langfuse = Langfuse(public_key="none", secret_key="none", base_url="http://127.0.0.1:9", tracing_enabled=False)
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    results = {job["judge"]: judged(langfuse, job, number) for number, job in enumerate(jobs)}
    Path(sys.argv[2]).write_text(json.dumps(results), encoding="utf-8")


main()
