"""Prints what the seeded worlds are like: baseline and attainable alignment by family, and the speed of their judge."""

from __future__ import annotations

import sys
import time

import numpy as np
from optimizer_worlds import FAMILIES, TUNING_SEEDS, World


def main() -> None:
    """Print one line for each family, over the tuning seeds (or as many of them as the first argument says)."""
    seeds = TUNING_SEEDS[: int(sys.argv[1])] if len(sys.argv) > 1 else TUNING_SEEDS
    print(f"{len(seeds)} seeds; expected alignment on unseen items: quantiles 5, 25, 50, 75, 95 %")
    print(
        f"{'family':<13}{'baseline':^31}{'in 0.2-0.6':>11}{'attainable':^35}{'in 0.75-0.95':>13}"
        f"{'reworded':>10}{'repeated':>10}"
    )
    for family in FAMILIES:
        worlds = [World(family, seed) for seed in seeds]
        first = np.array([world.expected(world.baseline) for world in worlds])
        best = np.array([world.attainable for world in worlds])
        worded = np.mean([(w.right(w.baseline) != w.right(w.baseline + " Be fair.")).mean() for w in worlds])
        again = np.mean([(w.right(w.baseline) != w.right(w.baseline, 1)).mean() for w in worlds])
        shares = ((first >= 0.2) & (first <= 0.6)).mean(), ((best >= 0.75) & (best <= 0.95)).mean()
        print(
            f"{family:<13}{quantiles(first):>31}{shares[0]:>11.0%}{quantiles(best):>35}{shares[1]:>13.0%}"
            f"{worded:>10.1%}{again:>10.1%}"
        )
    print(speed(World("interactions", 0)))


def quantiles(values: np.ndarray) -> str:
    """Write five quantiles."""
    return " ".join(f"{each:.2f}" for each in np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95]))


def speed(world: World, prompts: int = 300) -> str:
    """Measure building a world, judging its 60 development items, and scoring a prompt without verdicts."""
    texts = [f"{world.baseline} Check dates. Reject when a name is wrong. Variant {n}." for n in range(2 * prompts)]
    start = time.perf_counter()
    for text in texts[:prompts]:
        world.judge(text, world.items)
    middle = time.perf_counter()
    for text in texts[prompts:]:
        world.alignment(text, world.items)
    end = time.perf_counter()
    World(world.family, world.seed)
    built = time.perf_counter() - end
    return (
        f"judging {len(world.items)} items with a new prompt: {(middle - start) / prompts * 1e6:.0f} µs; "
        f"its alignment alone: {(end - middle) / prompts * 1e6:.0f} µs; building a world: {built * 1e3:.0f} ms"
    )


if __name__ == "__main__":
    main()
