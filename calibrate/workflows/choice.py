"""Which judge to take: the cheapest that is shown to be as good as the best, and a sentence that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibrate.metrics import Beside, Family
from calibrate.workflows.compared import Compared
from calibrate.workflows.record import money
from calibrate.workflows.results import too_many_unscored
from calibrate.workflows.sentences import figure, judge_sentence

__all__ = ["Choice", "choose_judge", "cost_in_words"]

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """The judge to take.

    Attributes:
        name: its name; None when no judge is usable, or what the best one costs is unknown.
        sentence: why, or why these data cannot tell.
    """

    name: str | None
    sentence: str


def choose_judge(
    compared: Sequence[Compared],
    best: Compared | None,
    beside: Mapping[str, Beside],
    family: Family,
    *,
    margin: float,
    max_unscored: float,
    volume: int | None,
) -> Choice:
    """Return the cheapest judge that is non-inferior to the best; juries and cascades are told of beside it.

    Judges whose cost is unknown can be the best, but not the cheapest. A judge that leaves too many items without a
    verdict is neither.

    Args:
        compared: all judges, juries and cascades.
        best: the best of the judges; None when none is usable.
        beside: how each of the others stands beside the best, by name.
        family: the differences of the usable judges.
        margin: how much lower in alignment still counts as as good.
        max_unscored: share of unscored verdicts above which no good word is said about a judge.
        volume: verdicts a day that costs are told for; None for none.
    """
    judges = [each for each in compared if each.kind == "judge"]
    usable = [each for each in judges if not too_many_unscored(each.alignment, max_unscored)]
    silent = [judge_sentence(each.result, max_unscored) for each in judges if each not in usable]
    if best is None or best.score is None:
        return Choice(None, " ".join(silent) or f"No alignment is defined on {_items(family.n)}.")
    if len(judges) == 1:
        return Choice(best.name, f"{judge_sentence(best.result, max_unscored)} {_costs(best, volume)}")
    cheaper = [] if best.cost is None else [each for each in usable if each.cost is not None and each.cost < best.cost]
    as_good = [each for each in cheaper if _conclusion(each, beside) == "non_inferior"]
    choice = min(as_good, key=lambda each: each.cost or 0.0) if as_good else best
    if choice is best:
        said = _leading(best, usable, family, volume) + _open_ones(
            best, usable, cheaper, beside, family.n, margin, volume
        )
    else:
        said = (
            f"{choice.name} is the cheapest judge that is as good as the best within {margin:g} in alignment: "
            f"{figure(choice.ranked)} against {figure(best.ranked)} for {best.name} on {_items(family.n)}, at "
            f"{cost_in_words(choice, volume)} instead of {cost_in_words(best, volume)} {_unit(volume)}."
        )
    made = [
        each
        for each in compared
        if each.kind != "judge" and not too_many_unscored(each.alignment, max_unscored) and each.beats_constant
    ]
    said += _beside_constant(best) + _of_several(made, choice, beside, volume)
    return Choice(None if choice.cost is None else choice.name, " ".join([said, *silent]))


def cost_in_words(compared: Compared, volume: int | None) -> str:
    """Write what a judge costs: a day at ``volume`` where there is one, else 1,000 verdicts."""
    times = 1000 if volume is None else volume
    return money(compared.toll.cost.times(times).live)


def _leading(best: Compared, usable: Sequence[Compared], family: Family, volume: int | None) -> str:
    """Say which judge has the highest alignment, and whether it is told apart from any other."""
    price = "what it costs is unknown" if best.cost is None else f"at {cost_in_words(best, volume)} {_unit(volume)}"
    told_apart = any(each.real for each in family.pairs if best.name in (each.baseline, each.candidate))
    equals = [each.name for each in usable if each.score == best.score and each is not best]
    if told_apart and not equals:
        return (
            f"{best.name} agrees with the experts most: alignment {figure(best.ranked)} on {_items(family.n)}, {price}"
        )
    names = f"{best.name} and {_listed(equals)} have" if equals else f"{best.name} has"
    cheapest = f"; {best.name} is the cheapest of them" if equals and best.cost is not None else ""
    apart = "" if told_apart else f", but {_items(family.n)} do not tell it apart from any other judge"
    return f"{names} the highest alignment, {figure(best.ranked)}{cheapest}, {price}{apart}"


def _open_ones(
    best: Compared,
    usable: Sequence[Compared],
    cheaper: Sequence[Compared],
    beside: Mapping[str, Beside],
    n: int,
    margin: float,
    volume: int | None,
) -> str:
    """Say what is known of cheaper judges, where none is shown to be as good as the best."""
    unknown = [each.name for each in usable if each.cost is None and each is not best]
    if best.cost is None:
        return "; nothing can be said of cheaper ones."
    if not cheaper:
        others = [each for each in usable if each is not best]
        known = f"; what {_listed(unknown)} cost{'s' if len(unknown) == 1 else ''} is unknown" if unknown else ""
        return known + ("; none of the others is cheaper." if len(others) > len(unknown) else ".")
    open_ones = [each for each in cheaper if _conclusion(each, beside) != "worse"]
    if not open_ones:
        return f"; every cheaper judge is worse by more than {margin:g}."
    names = [f"{each.name} ({cost_in_words(each, volume)})" for each in open_ones]
    needed = [beside[each.name].items_to_resolve for each in open_ones if each.name in beside]
    enough = [each for each in needed if each is not None and each > n]
    would = f"; about {min(enough):,} items would be needed to tell" if enough else ""
    return f"; these data cannot tell whether {_listed(names)} would be as good within {margin:g}{would}."


def _of_several(made: Sequence[Compared], choice: Compared, beside: Mapping[str, Beside], volume: int | None) -> str:
    """Say which jury or cascade is shown to be better than the best judge, or as good and cheaper than the choice."""
    known = [(each, _conclusion(each, beside)) for each in made if each.cost is not None]
    better = [each for each, conclusion in known if conclusion == "better"]
    cheaper = [
        each
        for each, conclusion in known
        if conclusion == "non_inferior" and choice.cost is not None and (each.cost or 0.0) < choice.cost
    ]
    for found, what in ((better, "Better"), (cheaper, "As good and cheaper")):
        if found:
            least = min(found, key=lambda each: each.cost or 0.0)
            price = f"{cost_in_words(least, volume)} {_unit(volume)}"
            return f" {what} would be {least.name}: {figure(least.ranked)} at {price}."
    return ""


def _beside_constant(best: Compared) -> str:
    """Say that not even the best judge beats one that always says the same."""
    if best.beats_constant or best.alignment.reference.constant is None:
        return ""
    constant = best.alignment.reference.constant
    return f" Not even that is more than a judge that always says the same would reach ({constant:.2f})."


def _costs(one: Compared, volume: int | None) -> str:
    cost = cost_in_words(one, volume)
    return f"What it costs is {cost}." if one.cost is None else f"It costs {cost} {_unit(volume)}."


def _unit(volume: int | None) -> str:
    return "per 1,000 verdicts" if volume is None else f"a day at {volume:,} verdicts"


def _items(n: int) -> str:
    return "this 1 item" if n == 1 else f"these {n} items"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _conclusion(one: Compared, beside: Mapping[str, Beside]) -> str:
    found = beside.get(one.name)
    return "" if found is None else found.conclusion
