"""Worlds in which nothing is to be found: one judge that answers anew, or many candidates that are equally good."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from measured_rows import BINARY, ORDINAL

from calibrate.domain import Scale, Scored, Verdict

Codes = np.ndarray

_VERDICTS: dict[str, Scored] = {}


def gold(scale: Scale, n: int, prevalence: float = 0.7) -> Codes:
    """Label indices: binary with the given share of label 1, else all labels equally often."""
    return (np.arange(n) < prevalence * n).astype(int) if scale is BINARY else np.arange(n) % len(scale.labels)


def wrong(human: Codes, scale: Scale, generator: np.random.Generator, shape: tuple[int, ...] = ()) -> Codes:
    """Another label on every item; a neighbour on the ordinal scale."""
    if scale is BINARY:
        return np.broadcast_to(1 - human, shape or human.shape)
    up = generator.random(shape or human.shape) < 0.5
    up = np.where(human == 0, True, np.where(human == len(ORDINAL.labels) - 1, False, up))
    return human + np.where(up, 1, -1)


def runs_of_one_judge(human: Codes, scale: Scale, runs: int, flip_rate: float, generator: np.random.Generator) -> Codes:
    """Runs of a judge whose usual verdict is right on 80 % of items; two runs differ on ``flip_rate`` of them."""
    usual = np.where(generator.random(human.size) < 0.8, human, wrong(human, scale, generator))
    unusual = wrong(usual, scale, generator)
    rarely = (1 - np.sqrt(1 - 2 * flip_rate)) / 2
    return np.where(generator.random((runs, human.size)) < rarely, unusual, usual)


def redrawn_candidates(human: Codes, scale: Scale, accuracy: Sequence[float], generator: np.random.Generator) -> Codes:
    """Candidates that answer independently, each right on its share of items."""
    shape = (len(accuracy), human.size)
    right = generator.random(shape) < np.array(accuracy)[:, None]
    return np.where(right, human, wrong(human, scale, generator, shape))


def words(codes: Codes, scale: Scale) -> list[str]:
    return [scale.labels[code] for code in codes]


def spoken(codes: Codes, scale: Scale) -> list[Verdict]:
    return [_VERDICTS.setdefault(label, Scored(label)) for label in words(codes, scale)]
