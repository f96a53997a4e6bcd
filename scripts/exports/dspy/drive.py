"""Judge items with exported modules of DSPy: drive.py JOBS RESULTS."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import dspy
from modules import load


def judged(job: dict[str, Any]) -> dict[str, Any]:
    module = load(job["file"])
    judge = module.Judge(dspy.LM(f"openai/{job['model']}", api_base=job["base_url"], api_key="none", cache=False))
    verdicts = {}
    for item in job["items"]:
        prediction = judge(**item["inputs"])
        verdicts[item["id"]] = {"label": prediction.label, "unscored": prediction.unscored}
    return verdicts


def main() -> None:
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    results = {job["judge"]: judged(job) for job in jobs}
    Path(sys.argv[2]).write_text(json.dumps(results), encoding="utf-8")


main()
