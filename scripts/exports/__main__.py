"""Prove each exported format in the tool it is for.

For each tool: an environment of its own, judges exported with ``--to``, a loopback server in place of the model, and
a driver that runs the exported files with the tool. What the tool sent and read is compared with what calibrate sends
and reads when it puts the same items before the same server.

A tool is a folder here, named as its format, with

- ``tool.json``: what :class:`environments.Tool` tells, such as ``{"suffix": ".py", "quick": true}``;
- ``requirements.txt`` (or ``package.json``) with pinned versions, the tool itself first;
- ``drive.py`` (or ``drive.mjs``), run once in the tool's environment as ``drive.py JOBS RESULTS``. JOBS is a JSON file,
  a list of objects: ``judge`` (a name), ``file`` (the exported file), ``base_url`` (of the model's server, which is
  another one for each judge), ``model``, ``kind`` (of the scale), ``labels``, ``positive`` and ``items`` (``id`` and
  ``inputs``). It writes to RESULTS a JSON object: by the judge's name, by the item's id, ``label`` (None without one)
  and ``unscored`` (without a label, the reason, if the tool tells it).
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[1:1] = [str(ROOT / "tests"), str(ROOT / "tests" / "export")]

from compared import run  # noqa: E402 — the tests' server is found first
from environments import Failed, tools  # noqa: E402
from fixtures import FIXTURES  # noqa: E402


def main() -> int:
    known = tools(ROOT)
    parser = argparse.ArgumentParser(description="Prove each exported format in the tool it is for.")
    parser.add_argument("tool", nargs="*", help=f"default: all of {', '.join(known)}")
    parser.add_argument("--quick", action="store_true", help="only those that install and run in seconds")
    parser.add_argument("--judge", action="append", choices=FIXTURES, help="only these judges; can be repeated")
    told = parser.parse_args()
    unknown = [name for name in told.tool if name not in known]
    if unknown:
        parser.error(f"unknown tool '{unknown[0]}'; choose from {', '.join(known)}")
    chosen = [tool for name in told.tool or known if (tool := known[name]).quick or not told.quick]
    with ThreadPoolExecutor(2) as pool:
        installed = [pool.submit(tool.install) for tool in chosen]
    failures = 0
    for tool, installation in zip(chosen, installed, strict=True):
        started = time.perf_counter()
        try:
            installation.result()
            outcome, notes = "passed", run(tool, told.judge or tuple(FIXTURES))
        except Failed as failure:
            outcome, notes = "FAILED", failure.lines
            failures += 1
        print(f"{tool.name:<15} {outcome}  {tool.version:<24} {time.perf_counter() - started:5.1f} s", flush=True)
        for note in notes:
            print(f"    {note}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
