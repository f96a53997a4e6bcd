"""Times a round of candidates as the program judges it: a search over HTTP, beside the time that it must take.

The search is the program's own: loop, scorer, evaluator, store and the official SDK. What is timed begins when all
rewrites of the meta-LLM are there. The server is a process of its own, and so is each measurement.
"""

from __future__ import annotations

import asyncio
import csv
import json
import math
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from random import Random

import bench_judging
from bench_judging import IN_FLIGHT, PROMPT, VERDICT

__all__ = ["report"]

CANDIDATES, ITEMS, LATENCY = 10, 100, 0.1
_WORDS = (
    "clause date amount place name unit promise exception negation quotation figure source reason cause effect title "
    "author number price term limit range order event result claim detail summary question answer context passage"
).split()


def report(repeats: int = 3) -> dict[str, float]:
    """Print and return the best of some rounds, beside a bare loop over the SDK."""
    count = CANDIDATES * ITEMS
    ideal = math.ceil(count / IN_FLIGHT) * LATENCY
    runs, bare = [], []
    for _ in range(repeats):
        with bench_judging.server(LATENCY) as url:
            bare.append(bench_judging.measure("bare", url, count))
        with _server() as url:
            done = subprocess.run([sys.executable, __file__, "search", url], check=True, stdout=subprocess.PIPE)
        runs.append(json.loads(done.stdout))
    best = min(runs, key=lambda run: run["judged"])
    plain = min(run["wall"] for run in bare)
    print(
        f"A round of {CANDIDATES} candidates x {ITEMS} items, replies after {LATENCY * 1000:.0f} ms, {IN_FLIGHT} in "
        f"flight, best of {repeats}:\n"
        f"  judged and stored in {best['judged']:.2f} s, {best['judged'] / ideal:.2f} of the ideal {ideal:.2f} s "
        f"(a bare loop over the SDK: {plain / ideal:.2f}); CPU {best['cpu'] / count * 1000:.2f} ms a call\n"
        f"  with the candidates' figures and their entries, {best['logged']:.2f} s, {best['logged'] / ideal:.2f}"
    )
    return {"ideal": ideal, "bare": plain, **best}


@contextmanager
def _server():
    """Run the server below in a process of its own, and yield the URL of its OpenAI API."""
    command = [sys.executable, __file__, "serve", str(LATENCY)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().strip()
        process.stdin.close()  # ends it


def serve(latency: float) -> None:
    """Answer as judge and as meta-LLM, until the standard input ends."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from loopback import Call, Loopback, Reply

    def answer(call: Call) -> Reply:
        if call.schema is not None:
            return Reply(VERDICT, input_tokens=600, output_tokens=24)
        # Rewrites of the same words would be refused as copies of each other.
        words = Random(call.index)
        rules = "\n".join(" ".join(words.choices(_WORDS, k=8)) + "." for _ in range(20))
        return Reply(f"<prompt>\nIs the answer supported by the context?\n{rules}\n</prompt>")

    with Loopback(answer, latency=latency) as answering:
        print(answering.openai_url, flush=True)
        sys.stdin.read()


async def search(url: str) -> dict[str, float]:
    """Search for one iteration, and return the seconds that its round has taken."""
    from calibrate.config import Secret, Settings
    from calibrate.optimizer import Limits, Scorer
    from calibrate.workflows import searching
    from calibrate.workflows.optimize import optimize
    from calibrate.workflows.procedure import SearchOptions
    from calibrate.workflows.progress import Quiet
    from calibrate.workflows.search import OptimizeOptions
    from calibrate.workflows.setup import JudgeOptions

    figures: dict[str, float] = {}
    started = 0.0

    class Timed(Scorer):
        async def evaluate(self, candidates, trials):
            nonlocal started
            started, cpu = time.perf_counter(), time.process_time()
            found = await super().evaluate(candidates, trials)
            if len(candidates) > 1:  # the baseline is judged by itself, before
                assert sum(len(each.verdicts) for each in found) == CANDIDATES * ITEMS
                figures.update(judged=time.perf_counter() - started, cpu=time.process_time() - cpu)
            return found

    class Watching(Quiet):
        def tried(self, _, score="alignment"):  # noqa: ARG002 — the protocol's
            figures["logged"] = time.perf_counter() - started

    searching.Scorer = Timed
    with tempfile.TemporaryDirectory() as folder:
        golden, settings, _ = bench_judging.requests(ITEMS)
        table = Path(folder) / "set.csv"
        with table.open("w", newline="", encoding="utf-8") as handle:
            writer = csv.writer(handle)
            writer.writerow(["id", "question", "context", "answer", "label"])
            writer.writerows([item.id, *item.inputs.values(), item.label] for item in golden.items)
        options = OptimizeOptions(
            str(table),
            JudgeOptions("openai:gpt-4.1", prompt_text=PROMPT, max_tokens=settings.max_tokens, concurrency=IN_FLIGHT),
            "openai:gpt-4.1",
            limits=Limits(iterations=1),
            search=SearchOptions(width=CANDIDATES, strategies=("general improvement",), analysis=False),
            holdout=0.0,
            noise_repeats=0,
        )
        connected = Settings(openai_key=Secret("bench"), openai_base_url=url)
        await optimize(options, connected, f"sqlite:///{folder}/runs.db", Watching())
    return figures


def main() -> None:
    """Do what one process is for."""
    what, rest = sys.argv[1:]
    if what == "serve":
        serve(float(rest))
    else:
        print(json.dumps(asyncio.run(search(rest))))


if __name__ == "__main__":
    main()
