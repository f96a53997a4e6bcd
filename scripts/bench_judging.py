"""Measures judging over HTTP on this machine, beside a bare loop over the official SDK and the time it must take.

The server is the tests' loopback server, in a process of its own, and so is each measurement: processor time and
memory are those of one side only. Judging is the real path: rendered, asked, parsed, priced, every verdict durable in
an SQLite file before it counts.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

IN_FLIGHT = 64
# With the format section and the block around the inputs, a request has about 2,400 characters, or 600 tokens.
CONTEXT = "The warranty covers parts and labour for two years from the day of purchase. " * 17
PROMPT = "Is every claim of the answer supported by the context? 1 = yes, 0 = no.\n" + "Judge each claim alone.\n" * 22
VERDICT = '{"reasoning": "The context says so in its second sentence.", "label": "1"}'


def report(count: int, latency: float, *, repeats: int = 3, beside_the_sdk: bool = True) -> None:
    """Print the figures of judging ``count`` items with replies after ``latency`` seconds: the best of some repeats."""
    ideal = math.ceil(count / IN_FLIGHT) * latency
    print(f"{count:,} judgements, {IN_FLIGHT} in flight, replies after {latency * 1000:.0f} ms, best of {repeats}")
    runs: dict[str, list[dict[str, float]]] = {"bare": [], "ours": []}
    for _ in range(repeats):
        for who in ("bare", "ours") if beside_the_sdk else ("ours",):
            with server(latency) as url:
                runs[who].append(measure(who, url, count))
    bare = line("bare loop over AsyncOpenAI", runs["bare"], count, ideal) if beside_the_sdk else None
    line("calibrate", runs["ours"], count, ideal, bare)
    judging, golden, peak = (max(run[kind] for run in runs["ours"]) for kind in ("judging", "set", "peak"))
    print(
        f"  memory over the imports: {peak:.0f} MB at most; the golden set, when it is stored, {golden:.0f} MB; "
        f"judging {judging:.0f} MB more"
    )


def line(
    title: str, runs: list[dict[str, float]], count: int, ideal: float, bare: tuple[float, float] | None = None
) -> tuple[float, float]:
    """Print and return the best wall and CPU time, beside the ideal and the bare loop."""
    wall, cpu = min(run["wall"] for run in runs), min(run["cpu"] for run in runs)
    text = f"  {title:<28} wall {wall:7.2f} s   CPU {cpu / count * 1000:5.2f} ms a call"
    if ideal:
        text += f"   {wall / ideal:.2f} of the ideal {ideal:.2f} s"
    if bare is not None:
        text += f"   {wall / bare[0]:.2f} of the bare loop, CPU {cpu / bare[1]:.2f}"
    print(text)
    return wall, cpu


@contextmanager
def server(latency: float):
    """Run the loopback server in a process of its own, and yield the URL of its OpenAI API."""
    command = [sys.executable, __file__, "serve", str(latency)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def measure(who: str, url: str, count: int) -> dict[str, float]:
    """Run one measurement in a process of its own, and return its figures."""
    command = [sys.executable, __file__, who, url, str(count)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def serve(latency: float) -> None:
    """Answer until the standard input ends."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from loopback import Loopback, Reply

    with Loopback(lambda _: Reply(VERDICT, input_tokens=600, output_tokens=24), latency=latency) as answering:
        answering.calls = Forgetful()
        print(answering.openai_url, flush=True)
        sys.stdin.read()


class Forgetful(list):
    """A list that keeps nothing: a hundred thousand requests would fill the memory that others need."""

    def append(self, _: object) -> None:
        """Keep nothing."""


def requests(count: int):
    """Return the golden set, its judge's settings, and the prompt."""
    from calibrate.domain import GoldenSet, Item, Scale
    from calibrate.judge import JudgeSettings, Prompt

    items = tuple(
        Item(
            id=str(number),
            dimension="faithfulness",
            inputs={
                "question": f"How long is part {number} covered?",
                "context": CONTEXT,
                "answer": f"Part {number}: two years.",
            },
            label=str(number % 2),
        )
        for number in range(count)
    )
    golden = GoldenSet("bench", items, {"faithfulness": Scale("binary", ("0", "1"), positive="1")})
    return golden, JudgeSettings(max_tokens=200), Prompt(PROMPT)


async def bare(url: str, count: int) -> dict[str, float]:
    """Send the same requests in a bare loop: no verdict is read, priced or kept."""
    from openai import AsyncOpenAI

    from calibrate.judge import PromptJudge

    golden, settings, prompt = requests(count)
    judge = PromptJudge(prompt, "openai:gpt-4.1", golden.scales["faithfulness"], settings)
    asked = [judge.request(item) for item in golden.items]
    schema = {"name": "reply", "strict": True, "schema": asked[0].schema}
    measured = start()
    places = asyncio.Semaphore(IN_FLIGHT)

    async def one(system: str, user: str) -> str | None:
        async with places:
            completion = await client.chat.completions.create(
                model="gpt-4.1",
                messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
                temperature=0.0,
                max_completion_tokens=200,
                response_format={"type": "json_schema", "json_schema": schema},
            )
        return completion.choices[0].message.content

    async with AsyncOpenAI(api_key="bench", base_url=url) as client:
        texts = await asyncio.gather(*(one(request.system, request.user) for request in asked))
    assert texts == [VERDICT] * count
    return measured()


async def ours(url: str, count: int) -> dict[str, float]:
    """Judge, and keep every verdict."""
    import genai_prices  # what is imported on the way is no memory of judging
    import openai

    from calibrate.config import Secret, Settings
    from calibrate.domain import Scored
    from calibrate.providers import Ledger, connection, open_model
    from calibrate.store import Store
    from calibrate.workflows.evaluation import Evaluator
    from calibrate.workflows.progress import Quiet

    connection.http_client(openai.DefaultAioHttpClient)
    genai_prices.calc_price(genai_prices.Usage(input_tokens=1, output_tokens=1), "gpt-4.1")
    with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/runs.db") as store:
        before = resident()
        golden, settings, prompt = requests(count)
        run = store.start_run("baseline", {}, store.save_golden(golden, "bench"), "faithfulness")
        with_set = resident()
        largest = with_set

        class Watching(Quiet):
            count = 0

            def judged(self, _: object) -> None:
                nonlocal largest
                self.count += 1
                if self.count % 100 == 0:
                    largest = max(largest, resident())

        measured = start()
        ledger = Ledger()
        model = open_model(
            "openai:gpt-4.1",
            Settings(openai_key=Secret("bench"), openai_base_url=url),
            concurrency=IN_FLIGHT,
            ledger=ledger,
        )
        evaluator = Evaluator(
            store, run.id, golden, model, settings, concurrency=IN_FLIGHT, progress=Watching(), ledger=ledger
        )
        [judged] = await evaluator.evaluate([prompt], "bench")
        await model.close()
        figures = measured()
        kept = store.verdicts(judged.evaluation)
    assert len(kept) == count
    assert all(isinstance(verdict, Scored) for verdict in kept.values())
    assert judged.cost is not None
    return {**figures, "judging": largest - with_set, "set": with_set - before, "peak": largest_ever() - before}


def start() -> Callable[[], dict[str, float]]:
    """Start to measure; what is returned ends it, and returns the seconds on the wall and of the processor."""
    wall, cpu = time.perf_counter(), time.process_time()
    return lambda: {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def resident() -> float:
    """Return the megabytes that this process holds now (where the system does not tell: at most so far)."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return largest_ever()
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def largest_ever() -> float:
    """Return the most megabytes that this process ever held."""
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / 2**20 if sys.platform == "darwin" else largest / 2**10


def main() -> None:
    """Do what one process is for."""
    what, *rest = sys.argv[1:]
    if what == "serve":
        serve(float(rest[0]))
    else:
        url, count = rest
        print(json.dumps(asyncio.run({"bare": bare, "ours": ours}[what](url, int(count)))))


if __name__ == "__main__":
    main()
