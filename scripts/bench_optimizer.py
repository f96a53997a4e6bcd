"""Compares search methods for judge prompts over seeded worlds, and times a round of candidates over HTTP.

Prints figures, asserts none. The worlds are in ``optimizer_worlds``, the methods in ``optimizer_methods``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import bench_pool
import optimizer_peers
from optimizer_figures import ITEMS, Fared
from optimizer_methods import METHODS, run
from optimizer_tables import REFERENCE, summary, tables
from optimizer_worlds import FAMILIES, REPORTED_WORLDS, TUNING_SEEDS, Family, World

FEWEST_CANDIDATES = 3  # a quarter of the budget has the baseline in it


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what the arguments ask for."""
    asked = parser().parse_args(arguments)
    written: dict[str, object] = {}
    if not asked.pool:
        methods = chosen(asked.methods) + peers(asked.peers)
        budget = (asked.candidates + 1) * ITEMS
        names = worlds(tuning=asked.tuning, count=asked.worlds)
        start = time.perf_counter()
        found = compare(names, methods, budget, jobs=asked.jobs, python=asked.peers)
        seconds = time.perf_counter() - start
        print(
            f"{len(found)} {'tuning' if asked.tuning else 'reported'} worlds, at most {budget:,} judge calls in each "
            f"({ITEMS} items, the baseline and {asked.candidates} candidates); {seconds:.0f} s"
        )
        print(tables(found, methods, budget))
        written |= {
            "seeds": "tuning" if asked.tuning else "reported",
            "budget": budget,
            "items": ITEMS,
            "seconds": seconds,
            "summary": summary(found, methods, budget),
            "worlds": [each.to_json() for each in found],
        }
    if asked.pool or not asked.tuning:
        written["pool"] = bench_pool.report()
    if asked.json is not None:
        asked.json.write_text(json.dumps(written, allow_nan=False), encoding="utf-8")


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    made = argparse.ArgumentParser(prog="scripts/bench_optimizer", description=__doc__)
    made.add_argument("--tuning", action="store_true", help="the worlds to try things on, without the pool")
    made.add_argument("--worlds", type=_at_least(1), metavar="N", help="so many worlds, of all families in turn")
    made.add_argument("--methods", metavar="A,B", help=f"of: {', '.join(METHODS)}; {REFERENCE} always takes part")
    made.add_argument(
        "--candidates", type=_at_least(FEWEST_CANDIDATES), default=45, metavar="N", help="the budget (default: 45)"
    )
    made.add_argument("--jobs", type=_at_least(1), default=2, metavar="N", help="processes (default: 2)")
    made.add_argument(
        "--peers",
        nargs="?",
        const=sys.executable,
        metavar="PYTHON",
        help=f"also DSPy's GEPA and MIPROv2, by a Python that has them ({optimizer_peers.INSTALL})",
    )
    made.add_argument("--pool", action="store_true", help="only time a round of candidates over HTTP")
    made.add_argument("--json", type=Path, metavar="FILE", help="write everything to a file")
    return made


def worlds(*, tuning: bool, count: int | None) -> list[tuple[Family, int]]:
    """Return families and seeds; the first ``count`` of them are of all families in turn."""
    named = [(family, seed) for family in FAMILIES for seed in TUNING_SEEDS] if tuning else list(REPORTED_WORLDS)
    order = sorted(named, key=lambda each: (each[1], FAMILIES.index(each[0])))
    return order[:count]


def chosen(names: str | None) -> list[str]:
    """Return the methods, the one that all are compared with first."""
    methods = list(METHODS) if names is None else [REFERENCE, *_listed(names, METHODS)]
    unknown = [name for name in methods if name not in METHODS]
    if unknown:
        raise SystemExit(f"no method {', '.join(map(repr, unknown))}; there are: {', '.join(METHODS)}")
    return list(dict.fromkeys(methods))


def peers(python: str | None) -> list[str]:
    """Return the other optimizers that take part."""
    if python is None:
        return []
    if missing := optimizer_peers.missing(python):
        raise SystemExit(f"{python} cannot run the other optimizers: {missing}; {optimizer_peers.INSTALL}")
    return list(optimizer_peers.PEERS)


def compare(
    names: Sequence[tuple[Family, int]], methods: Sequence[str], budget: int, *, jobs: int, python: str | None = None
) -> list[Fared]:
    """Run methods in worlds. What comes of it does not depend on the number of processes."""
    one = partial(fare, methods=methods, budget=budget, python=python)
    if jobs == 1:
        return [one(*name) for name in names]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(one, *zip(*names, strict=True), chunksize=2))


def fare(family: Family, seed: int, *, methods: Sequence[str], budget: int, python: str | None) -> Fared:
    """Run methods in one world."""
    world = World(family, seed)
    traces = {
        name: run(name, world, budget) if name in METHODS else optimizer_peers.run(name, world, budget, python)
        for name in methods
    }
    return Fared(family, seed, world.expected(world.baseline), world.attainable, traces)


def _listed(names: str, known: object) -> list[str]:
    """Cut a list at its commas; a name may have commas itself."""
    listed: list[str] = []
    for part in (part.strip() for part in names.split(",")):
        joined = f"{listed[-1]}, {part}" if listed else ""
        if joined in known:
            listed[-1] = joined
        elif part:
            listed.append(part)
    return listed


def _at_least(low: int):
    def number(text: str) -> int:
        value = int(text)
        if value < low:
            raise argparse.ArgumentTypeError(f"must be at least {low}")
        return value

    return number


if __name__ == "__main__":
    main()
