"""Measures what users wait for: start-up, scoring a large table, judging over HTTP. Prints figures, asserts none."""

from __future__ import annotations

import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import bench_judging

REPEATS = 5
ROWS = 100_000
QUESTIONS = 2000
RIGHT = (0.9, 0.8, 0.85, 0.7, 0.95, 0.6, 0.88, 0.75, 0.82, 0.91)
"""How often each made-up judge is right."""


def main() -> None:
    """Print one line for each figure. ``--long`` adds a hundred thousand judgements, for the memory they take."""
    print(f"python {sys.version.split()[0]}, {os.cpu_count()} cores, best of {REPEATS}")
    report("calibrate --help", ["--help"])
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "verdicts.csv"
        write_table(table, ROWS, RIGHT[:2])
        report(f"calibrate score, {ROWS:,} rows, 2 judges", ["score", str(table), "--quiet", "--json"])
        write_table(table, 500, RIGHT)
        report(f"calibrate score, 500 rows, {len(RIGHT)} judges", ["score", str(table), "--quiet", "--json"])
        db = str(Path(folder) / "runs.db")
        judges = ["--judge", "sim:reader", "--judge", "sim:reader-small"]
        report("calibrate compare, 30 items, stored", ["compare", "support_faithfulness", *judges, "--db", db])
        page = str(Path(folder) / "report.html")
        report("calibrate report, 30 items", ["report", "1", "-o", page, "--overwrite", "--db", db])
        rag = ["rag", "run", "tienda_rag", "--quiet", "--json", "--db", db]
        report("calibrate rag run, 40 questions, stored", [*rag, "--judge", "sim:reader"])
        bank = Path(folder) / "bank"
        write_bank(bank, QUESTIONS)
        report(f"calibrate rag run, {QUESTIONS:,} questions, no judge", ["rag", "run", str(bank), *rag[3:]])
    bench_judging.report(1000, latency=0.1)
    bench_judging.report(1000, latency=0.0)
    if "--long" in sys.argv[1:]:
        bench_judging.report(100_000, latency=0.0, repeats=1, beside_the_sdk=False)


def report(title: str, arguments: list[str]) -> None:
    """Run a command several times; print its best wall time, CPU time and peak memory."""
    walls, cpus = [], []
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "calibrate", *arguments], check=True, capture_output=True)
        walls.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpus.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{title:<45} wall {min(walls):6.2f} s   CPU {min(cpus):6.2f} s   peak so far {memory:5.0f} MB")


def write_bank(folder: Path, questions: int) -> None:
    """Write a made-up bank with ten chunks a question and two variants that retrieve at random, the same every time."""
    drawn = random.Random(1)
    (folder / "variants").mkdir(parents=True)
    ids = [f"c{number}" for number in range(10 * questions)]
    write_lines(folder / "corpus.jsonl", ({"id": each, "text": f"What {each} says of thing {each}."} for each in ids))
    relevant = [[] if number % 10 == 0 else [drawn.choice(ids)] for number in range(questions)]
    bank = ({"id": f"q{at}", "question": f"What is {at}?", "relevant": each} for at, each in enumerate(relevant))
    write_lines(folder / "bank.jsonl", bank)
    for name in ("base", "new"):
        outputs = []
        for number, right in enumerate(relevant):
            ranked = drawn.sample(ids, 50)
            if right and drawn.random() < 0.8:
                ranked[drawn.randrange(50)] = right[0]
            answer = f"It is {number} [{ranked[0]}]."
            outputs.append({"id": f"q{number}", "ranked": ranked, "context": ranked[:5], "answer": answer})
        write_lines(folder / "variants" / f"{name}.jsonl", outputs)


def write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Write rows as JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_table(path: Path, rows: int, judges: Sequence[float]) -> None:
    """Write a table of made-up labels and of judges that are right so often, the same every time."""
    draw = random.Random(0)
    with path.open("w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["id", "label", *(f"judge_{number}" for number in range(len(judges)))])
        for number in range(rows):
            label = int(draw.random() < 0.7)
            writer.writerow([number, label, *(label if draw.random() < right else 1 - label for right in judges)])


if __name__ == "__main__":
    main()
