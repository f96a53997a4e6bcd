"""Which judge to take: the cheapest that is shown to be as good as the best, and a sentence that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibrate.workflows.compared import Against, Compared, best_of
from calibrate.workflows.record import money
from calibrate.workflows.results import too_many_unscored
from calibrate.workflows.sentences import counted, figure, judge_sentence

__all__ = ["Choice", "choose_judge", "cost_in_words"]

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """The judge to take.

    Attributes:
        name: its name; None when no judge can be recommended, or what the best one costs is unknown.
        sentence: why, or why these data cannot tell.
    """

    name: str | None
    sentence: str


def choose_judge(
    compared: Sequence[Compared],
    against: Mapping[str, Against],
    *,
    n: int,
    margin: float,
    max_unscored: float,
    volume: int | None,
) -> Choice:
    """Return the cheapest judge that is non-inferior to the best; juries and cascades are told of beside it.

    Judges whose cost is unknown can be the best, but not the cheapest. A judge that leaves too many items without a
    verdict is neither.

    Args:
        compared: all judges, juries and cascades.
        against: how each but the best stands beside the best, by name.
        n: items.
        margin: how much lower in alignment still counts as as good.
        max_unscored: share of unscored verdicts above which no good word is said about a judge.
        volume: verdicts a day that costs are told for; None for none.
    """
    judges = [each for each in compared if each.kind == "judge"]
    usable = [each for each in judges if not too_many_unscored(each.alignment, max_unscored)]
    silent = [judge_sentence(each.result, max_unscored) for each in judges if each not in usable]
    best = best_of(usable)
    if best is None:
        return Choice(None, " ".join(silent) or f"No alignment is defined on these {counted(n, 'item')}.")
    if len(judges) == 1:
        return Choice(best.name, f"{judge_sentence(best.result, max_unscored)} {_costs(best, volume)}")
    cheaper = [] if best.cost is None else [each for each in usable if each.cost is not None and each.cost < best.cost]
    as_good = [each for each in cheaper if _conclusion(each, against) == "non_inferior"]
    choice = min(as_good, key=lambda each: each.cost or 0.0) if as_good else best
    said = _found(choice, best, cheaper, against, n, margin, volume)
    made = [each for each in compared if each.kind != "judge"]
    said += _beside_constant(best) + _of_several(made, choice, against, volume)
    return Choice(None if choice.cost is None else choice.name, " ".join([said, *silent]))


def cost_in_words(compared: Compared, volume: int | None) -> str:
    """Write what a judge costs: a day at ``volume`` where there is one, else 1,000 verdicts."""
    times = 1000 if volume is None else volume
    return money(compared.toll.cost.times(times).live)


def _found(
    choice: Compared,
    best: Compared,
    cheaper: Sequence[Compared],
    against: Mapping[str, Against],
    n: int,
    margin: float,
    volume: int | None,
) -> str:
    unit = _unit(volume)
    if choice is not best:
        return (
            f"{choice.name} is the cheapest judge that is as good as the best within {margin:g} in alignment: "
            f"{figure(choice.alignment.alignment)} against {figure(best.alignment.alignment)} for {best.name} on these "
            f"{n} items, at {cost_in_words(choice, volume)} instead of {cost_in_words(best, volume)} {unit}."
        )
    leads = f"{best.name} agrees with the experts most: alignment {figure(best.alignment.alignment)} on these {n} items"
    if best.cost is None:
        return f"{leads}; what it costs is unknown, so that nothing can be said of cheaper ones."
    price = f"at {cost_in_words(best, volume)} {unit}"
    if not cheaper:
        return f"{leads}, {price}; none of the others is cheaper."
    open_ones = [each for each in cheaper if _conclusion(each, against) == "cannot_tell"]
    if not open_ones:
        return f"{leads}, {price}; every cheaper judge is worse by more than {margin:g}."
    names = [f"{each.name} ({cost_in_words(each, volume)})" for each in open_ones[:_NAMED]]
    more = f" and {len(open_ones) - _NAMED} more" if len(open_ones) > _NAMED else ""
    needed = [against[each.name].needed for each in open_ones if each.name in against]
    enough = [each for each in needed if each is not None and each > n]
    would = f"; about {min(enough):,} items would be needed to tell" if enough else ""
    return (
        f"{leads}, {price}; these data cannot tell whether {', '.join(names)}{more} would be as good within "
        f"{margin:g}{would}."
    )


def _of_several(made: Sequence[Compared], choice: Compared, against: Mapping[str, Against], volume: int | None) -> str:
    """Say which jury or cascade is shown to be better than the best judge, or as good and cheaper than the choice."""
    known = [(each, _conclusion(each, against)) for each in made if each.cost is not None]
    better = [each for each, conclusion in known if conclusion == "better"]
    cheaper = [
        each
        for each, conclusion in known
        if conclusion == "non_inferior" and choice.cost is not None and (each.cost or 0.0) < choice.cost
    ]
    for found, what in ((better, "better"), (cheaper, "as good and cheaper")):
        if found:
            least = min(found, key=lambda each: each.cost or 0.0)
            value = figure(least.alignment.alignment)
            price = f"{cost_in_words(least, volume)} {_unit(volume)}"
            return f" {what.capitalize()} would be {least.name}: {value} at {price}."
    return ""


def _beside_constant(best: Compared) -> str:
    """Say that not even the best judge beats one that always says the same."""
    constant, value = best.alignment.reference.constant, best.score
    if constant is None or value is None or value > constant:
        return ""
    return f" Not even that is more than a judge that always says the same would reach ({constant:.2f})."


def _costs(one: Compared, volume: int | None) -> str:
    cost = cost_in_words(one, volume)
    return f"What it costs is {cost}." if one.cost is None else f"It costs {cost} {_unit(volume)}."


def _unit(volume: int | None) -> str:
    return "per 1,000 verdicts" if volume is None else f"a day at {volume:,} verdicts"


def _conclusion(one: Compared, against: Mapping[str, Against]) -> str:
    found = against.get(one.name)
    return "" if found is None else found.conclusion
