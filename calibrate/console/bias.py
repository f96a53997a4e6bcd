"""A judge's leanings on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from calibrate.console.style import SIMULATED, console, plain_table, value
from calibrate.metrics import LARGE_DIFFERENCE, LARGE_ODDS_RATIO, Probe
from calibrate.workflows.bias import BiasReport

__all__ = ["say_probes", "show_bias"]

_CONCLUSIONS = {
    "biased": "biased",
    "no_sign": "no sign of bias",
    "cannot_tell": "cannot tell",
    "not_identifiable": "not identifiable",
}
_COLOURS = {"biased": "red", "no_sign": "green", "cannot_tell": "yellow", "not_identifiable": "yellow"}


def show_bias(report: BiasReport) -> None:
    """Print a line for each probe, its reason, and what the figures mean."""
    out = console()
    out.print(report.sentence, style="bold", markup=False, soft_wrap=True)
    if report.simulated:
        out.print(SIMULATED, style="yellow")
    say_probes(out, report.probes)
    for note in report.notes:
        out.print(note, markup=False, soft_wrap=True)
    if report.run is not None:
        calls = report.run["paid_calls"]
        out.print(
            f"Run {report.run['run']}: {calls} call{'' if calls == 1 else 's'} paid now. Paid by it in all: "
            f"{report.run['spent_in_words']}.",
            markup=False,
            soft_wrap=True,
        )


def say_probes(out: Console, probes: Sequence[Probe]) -> None:
    """Print a line for each probe, its reason, and what the figures mean."""
    out.print()
    table = plain_table(("probe", "n", "effect", "95 %", "could have seen", "flips", "conclusion"))
    table.columns[-1].justify = "left"
    for each in probes:
        table.add_row(
            escape(_name(each)),
            str(each.n),
            _effect(each, each.effect),
            "–" if each.low is None else f"{_effect(each, each.low)} to {_effect(each, each.high)}",
            _effect(each, each.detectable),
            _flips(each),
            f"[{_COLOURS[each.conclusion]}]{_conclusion(each)}[/]",
        )
    out.print(table)
    out.print()
    for each in probes:
        out.print(f"{_name(each)}: {_conclusion(each)}: {each.reason}.", markup=False, soft_wrap=True)
    out.print()
    for meaning in _meanings(probes):
        out.print(meaning, markup=False, soft_wrap=True)


def _meanings(probes: Sequence[Probe]) -> list[str]:
    measures = {each.measure for each in probes if each.effect is not None}
    said = []
    if "odds_ratio" in measures:
        said.append(
            "x: odds ratio for an answer that is longer by one standard deviation of log length; 1 is no effect."
        )
    if "difference" in measures:
        said.append("Other effects are differences of shares, -1 to 1; 0 is no effect.")
    said.append(
        "could have seen: the smallest effect found in four of five such sets. No sign of bias: an effect above "
        f"{LARGE_DIFFERENCE:g} (odds ratio {LARGE_ODDS_RATIO:g}) is ruled out."
    )
    return said


def _name(probe: Probe) -> str:
    name = probe.name.replace("_", " ")
    return name if probe.value is None else f"{name}={probe.value}"


def _conclusion(probe: Probe) -> str:
    words = _CONCLUSIONS[probe.conclusion]
    return words if probe.bound is None else f"{words} larger than {_effect(probe, probe.bound).lstrip('+')}"


def _effect(probe: Probe, figure: float | None) -> str:
    if figure is None:
        return "–"
    if probe.measure == "difference":
        return f"{figure:+.2f}"
    return f"x{figure:.2f}" if figure < 1000 else f"x{figure:.0e}"


def _flips(probe: Probe) -> str:
    rate = probe.figures.get("flip_rate")
    if not isinstance(rate, dict):
        return ""
    return f"{value(rate['value'], 2)} ({value(rate['low'], 2)} to {value(rate['high'], 2)})"
