"""What was measured beside the figures: chance, noise, unseen items; a judge's own variation; its leanings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calibrate.metrics import LARGE_DIFFERENCE, LARGE_ODDS_RATIO, Probe
from calibrate.report import Block, Cell, Column, Facts, Paragraph, Section, Table
from calibrate.report.figures import three
from calibrate.workflows.checklist import untested
from calibrate.workflows.conclusions import CONCLUSIONS, SOURCES, probe_name
from calibrate.workflows.evidence import Chance, Evidence, Noise, Unseen
from calibrate.workflows.noise_report import JudgeNoise
from calibrate.workflows.report_alignment import estimate_cell
from calibrate.workflows.sentences import counted, figure, p_value
from calibrate.workflows.stored import StoredRun

__all__ = ["evidence_section", "noise_section", "probes_section"]

_MOST_FLIPS = 100


def evidence_section(evidence: Evidence, stored: StoredRun) -> Iterator[Section]:
    """Return what stands behind the best prompt of a calibration: what was measured beside the search."""
    facts = []
    if evidence.chance is not None:
        facts.append(("chance", _chance(evidence.chance)))
    if evidence.noise is not None:
        facts.append(("the judge's own noise", _noise(evidence.noise)))
    if not evidence.unseen:
        facts.append(("unseen items", untested(stored)))
    blocks: list[Block] = [Facts(tuple(facts))]
    if evidence.unseen:
        blocks.append(_unseen(evidence.unseen))
    yield Section("evidence", "Could it be chance?", tuple(blocks))


def _chance(chance: Chance) -> str:
    p = f"p is undefined ({chance.p.reason})" if chance.p.value is None else p_value(chance.p.value)
    return (
        f"{p} that the best of {counted(chance.candidates, 'useless rewrite')} gains as much; the winner's alignment, "
        f"corrected for choosing but not for rewriting on the same items: {figure(chance.corrected)}"
    )


def _noise(noise: Noise) -> str:
    if noise.flip_rate:
        seen = f"{three(noise.flip_rate)} of verdicts flip between two runs; differences up to"
        said = f"{seen} {three(noise.resolution)} are the judge's own variation"
    else:
        said = f"no verdict flipped; so few runs cannot rule out differences up to {three(noise.resolution)}"
    fresh = f"; the winner's fresh runs: {three(noise.fresh)}, a gain of {three(noise.fresh_gain)}"
    return f"{noise.repeats} runs each; {said}{fresh if noise.winner else ''}"


def _unseen(tests: Sequence[Unseen]) -> Table:
    columns = (
        Column("unseen items"),
        Column("n", numeric=True),
        Column("before", numeric=True),
        Column("after", numeric=True),
        Column("difference", numeric=True),
        Column("conclusion"),
    )
    rows = tuple(
        (
            Cell(SOURCES[each.source], f"test {each.uses} on some of them" if each.uses > 1 else ""),
            Cell(str(each.n)),
            estimate_cell(each.baseline),
            estimate_cell(each.winner),
            estimate_cell(each.difference, strong=True),
            Cell(CONCLUSIONS[each.conclusion]),
        )
        for each in tests
    )
    return Table("Winner against baseline on items that no search saw", columns, rows)


def noise_section(noise: JudgeNoise) -> Section:
    """Return how far a judge's verdicts vary between runs."""
    floor = noise.floor
    facts = [
        ("alignment of each run", ", ".join(three(each.value) for each in floor.alignment)),
        ("standard deviation", figure(floor.sd)),
        ("flip rate", figure(floor.flip_rate)),
        ("resolution", figure(floor.resolution)),
        ("one changed verdict moves alignment by up to", figure(floor.one_flip)),
    ]
    if noise.votes is not None:
        by_votes = ", ".join(f"{count}: {three(each.value)}" for count, each in noise.votes.by_votes.items())
        facts.append(("expected alignment by votes", by_votes))
    blocks: list[Block] = [Facts(tuple(facts))]
    if floor.flips:
        rows = []
        for flip in floor.flips[:_MOST_FLIPS]:
            given = {**flip.labels, **{f"({reason})": count for reason, count in flip.unscored.items()}}
            verdicts = ", ".join(f"{count} × {name}" for name, count in given.items())
            rows.append((Cell(noise.ids[flip.row]), Cell(verdicts)))
        more = len(floor.flips) - len(rows)
        caption = f"Items whose verdict changes{f', and {more:,} more' if more else ''}"
        blocks.append(Table(caption, (Column("item"), Column("verdicts")), tuple(rows), folded=len(rows) > 10))
    return Section("noise", "The judge's own variation", tuple(blocks))


def probes_section(probes: Sequence[Probe]) -> Section:
    """Return what probing a judge for leanings found."""
    columns = (
        Column("probe"),
        Column("n", numeric=True),
        Column("effect", numeric=True),
        Column("could have seen", numeric=True),
        Column("conclusion"),
        Column("why", prose=True),
    )
    rows = tuple(
        (
            Cell(probe_name(each)),
            Cell(f"{each.n:,}"),
            Cell(
                _effect(each, each.effect),
                "" if each.low is None else f"{_effect(each, each.low)} to {_effect(each, each.high)}",
            ),
            Cell(_effect(each, each.detectable)),
            Cell(CONCLUSIONS[each.conclusion], tone="strong" if each.conclusion == "biased" else ""),
            Cell(each.reason),
        )
        for each in probes
    )
    meaning = (
        "Effects are differences of shares, -1 to 1, or with an x odds ratios, where 1 is no effect. Could have seen: "
        "the smallest effect found in four of five such sets. No sign of bias: an effect above "
        f"{LARGE_DIFFERENCE:g} (odds ratio {LARGE_ODDS_RATIO:g}) is ruled out."
    )
    table = Table("What each probe found, with 95 % intervals", columns, rows)
    return Section("probes", "Leanings", (table, Paragraph(meaning, "muted")))


def _effect(probe: Probe, value: float | None) -> str:
    if value is None:
        return "none"
    return f"{value:+.2f}" if probe.measure == "difference" else f"x{value:.3g}"
