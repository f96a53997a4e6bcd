"""Judge items with exported scorers of Inspect: drive.py JOBS RESULTS."""

from __future__ import annotations

import json
import math
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from modules import load


@solver
def answers() -> Solver:
    """The answer of each sample, as if a model had given it."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 — Inspect gives it
        state.output = ModelOutput.from_content("none", state.metadata.get("answer", ""))
        return state

    return solve


def judged(job: dict[str, Any], number: int) -> dict[str, Any]:
    module = load(job["file"])
    samples = [Sample(id=item["id"], input="unused", metadata=item["inputs"]) for item in job["items"]]
    task = Task(name=f"task_{number}", dataset=samples, solver=answers(), scorer=module.judge())
    grader = get_model(f"openai/{job['model']}", base_url=job["base_url"], api_key="none")
    logs = eval(
        task, model="mockllm/model", model_roles={"grader": grader}, display="none", log_dir="logs", log_format="json"
    )
    assert logs[0].status == "success", logs[0].error
    verdicts = {}
    for sample in logs[0].samples:
        score = sample.scores["judge"]
        unscored = isinstance(score.value, float) and math.isnan(score.value)
        verdicts[sample.id] = {"label": None if unscored else score.answer, "unscored": score.reason}
    return verdicts


def main() -> None:
    os.environ["INSPECT_LOG_LEVEL"] = "error"
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    results = {job["judge"]: judged(job, number) for number, job in enumerate(jobs)}
    Path(sys.argv[2]).write_text(json.dumps(results), encoding="utf-8")


main()
