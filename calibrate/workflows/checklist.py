"""The checklist of a report (STATISTICS section 11): every fact it must state, or why the fact is not known.

It is built from what is stored: the run, its golden set as it was, and the verdicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calibrate.domain import Item, Json, Scale, Scored, UnscoredReason, digest, normalise_label
from calibrate.metrics import Alignment
from calibrate.workflows.evidence import Evidence
from calibrate.workflows.sentences import counted, signed
from calibrate.workflows.stored import Chosen, StoredRun

__all__ = ["Fact", "checklist", "checklist_json", "untested"]

_UNITS = {
    "tables": "items, as tables drawn around the counts",
    "rows": "items, as weighted rows",
    "groups": "groups of items",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the checklist.

    Attributes:
        key: its key in JSON.
        name: what it is, in words.
        value: the fact, None when it is not known or not defined.
        words: the fact in words, or why there is none.
    """

    key: str
    name: str
    value: Json
    words: str

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return self.value is not None

    def to_json(self) -> dict[str, Json]:
        """Return the value, its words, and why there is none."""
        return {
            "name": self.name,
            "value": self.value,
            "words": self.words if self.known else None,
            "reason": None if self.known else self.words,
        }


def checklist(chosen: Chosen, returned: tuple[str, ...]) -> tuple[Fact, ...]:
    """Return every fact that a report of a judged candidate must state, in the order of the section.

    Args:
        chosen: the candidate, with its verdicts measured.
        returned: the models that answered, as the provider named them.
    """
    return tuple(
        Fact(key, name, value, words)
        for part in (_labels(chosen), _people(chosen), _unscored(chosen), _figures(chosen), _judge(chosen, returned))
        for key, name, value, words in part
    )


def checklist_json(facts: tuple[Fact, ...]) -> dict[str, Json]:
    """Return the checklist by key."""
    return {fact.key: fact.to_json() for fact in facts}


_Line = tuple[str, str, Json, str]


def _labels(chosen: Chosen) -> Iterator[_Line]:
    alignment = chosen.alignment
    scale = alignment.scale
    threshold = "" if scale.threshold is None else f", good from {scale.threshold:g} on"
    levels = f": {', '.join(scale.labels)}" if scale.labels else threshold
    yield "scale", "label scale", scale.to_json(), f"{scale.kind}{levels}"
    positive = scale.positive if scale.threshold is None else f">= {scale.threshold:g}"
    none = f"a scale of this kind ({scale.kind}) has no positive class"
    yield "positive_class", "positive class", positive, none if positive is None else positive
    yield "n", "items with a gold label", alignment.n, str(alignment.n)
    classes = {label: int(count) for label, count in alignment.n_per_class.items()}
    yield (
        "n_per_class",
        "items of each class",
        dict(classes) if classes else None,
        ", ".join(f"{label}: {count}" for label, count in classes.items()) or "raw scores without a threshold",
    )


def _people(chosen: Chosen) -> Iterator[_Line]:
    people, golden = chosen.result.people, chosen.golden
    raters: list[Json] = list(golden.raters)
    yield "raters", "raters", raters or None, ", ".join(golden.raters) or "the golden set names none"
    known = people is not None and people.known and people.agreement is not None
    yield (
        "rater_agreement",
        "raters' agreement",
        people.agreement.to_json() if known and people and people.agreement else None,
        "agreement unknown" if people is None else people.gate.reason,
    )
    yield "gold", "how gold was made", golden.gold, golden.gold


def _unscored(chosen: Chosen) -> Iterator[_Line]:
    alignment = chosen.alignment
    offered = bool(_settings(chosen).get("allow_abstain"))
    how = "the judge may abstain" if offered else "abstaining is not offered to the judge"
    value, words = _rate(alignment, "abstained")
    yield "abstentions", "abstentions", {**value, "offered": offered}, f"{words}; {how}"
    yield ("ties", "ties", *_ties(chosen))
    value, words = _rate(alignment, "invalid")
    yield "invalid_outputs", "invalid outputs", value, words
    others: tuple[UnscoredReason, ...] = ("refused", "truncated", "error")
    rates: dict[str, Json] = {reason: _rate(alignment, reason)[0] for reason in others}
    said = ", ".join(f"{alignment.unscored[reason]} {reason}" for reason in others)
    yield "other_unscored", "others without a verdict", rates, f"{said} of {alignment.n}; {_policy(alignment)}"


def _rate(alignment: Alignment, reason: UnscoredReason) -> tuple[dict[str, Json], str]:
    count = alignment.unscored[reason]
    rate = count / alignment.n if alignment.n else None
    value: dict[str, Json] = {"handling": alignment.invalid, "count": count, "rate": rate}
    share = "" if rate is None else f" ({rate:.1%})"
    return value, f"{count} of {alignment.n}{share}; {_policy(alignment)}"


def _policy(alignment: Alignment) -> str:
    policies = {
        "exclude": "left out of the metrics and counted; as a disagreement wherever prompts are ranked",
        "wrong": "counted as disagreements",
        "category": "a class of their own",
    }
    return policies[alignment.invalid]


def _ties(chosen: Chosen) -> tuple[Json, str]:
    """Ties between raters, and, of preferences, verdicts and labels of a tie."""
    golden = chosen.golden
    scale = golden.scales[chosen.stored.run.dimension]
    rated = [item for item in golden.items if len(item.ratings) > 1]
    raters: Json = None
    if scale.kind == "interval":
        words = "raters' scores are averaged and cannot tie"
    elif not rated:
        words = "no item has two raters, so that none tie"
    else:
        tied = [item for item in rated if _tied(item)]
        left_out = sum(item.label is None for item in tied)
        raters = {"count": len(tied), "left_out": left_out, "rated": len(rated), "rate": len(tied) / len(rated)}
        decided = f", {len(tied) - left_out} decided otherwise ({golden.gold})" if len(tied) > left_out else ""
        words = (
            f"raters tie on {len(tied)} of {counted(len(rated), 'item')} with two raters or more "
            f"({len(tied) / len(rated):.1%}); {left_out} left out{decided}"
        )
    preferences = _preference_ties(chosen, scale)
    if preferences is not None:
        words += f"; called a tie: {preferences['human']} times by people, {preferences['judge']} times by the judge"
    return {"raters": raters, "preferences": None if preferences is None else dict(preferences)}, words


def _tied(item: Item) -> bool:
    ranked = Counter(item.ratings.values()).most_common(2)
    return len(ranked) == 2 and ranked[0][1] == ranked[1][1]


def _preference_ties(chosen: Chosen, scale: Scale) -> dict[str, int] | None:
    if scale.kind != "pairwise":
        return None
    items = chosen.golden.labelled
    verdicts = [chosen.verdicts[item.id] for item in items if item.id in chosen.verdicts]
    labels = [each.label for each in verdicts if isinstance(each, Scored)]
    return {
        "human": sum(normalise_label(item.label or "") == "tie" for item in items),
        "judge": sum(normalise_label(label) == "tie" for label in labels),
        "n": len(items),
    }


def _figures(chosen: Chosen) -> Iterator[_Line]:
    alignment = chosen.alignment
    yield (
        "coverage",
        "coverage",
        alignment.coverage,
        "no items" if alignment.coverage is None else f"{alignment.coverage:.3f}",
    )
    bounds = alignment.accuracy_bounds
    yield (
        "accuracy_bounds",
        "accuracy on all items lies between",
        None if bounds is None else [bounds.low, bounds.high],
        f"undefined ({_why(alignment)})" if bounds is None else f"{bounds.low:.3f} and {bounds.high:.3f}",
    )
    table = alignment.confusion
    rows = zip(table.labels, table.matrix, strict=True)
    yield (
        "confusion",
        "table, rows human, columns judge",
        table.to_json() if table.labels else None,
        "; ".join(f"{label}: {' '.join(f'{count:g}' for count in row)}" for label, row in rows)
        or "raw scores without a threshold have no classes",
    )
    rates = alignment.positive_rate
    yield (
        "positive_rates",
        "positive rates",
        None if rates is None else dict(rates),
        "no positive class, or no verdict"
        if rates is None
        else ", ".join(f"{who} {rate:.3f}" for who, rate in rates.items()),
    )
    reference = alignment.reference
    yield (
        "reference_judges",
        "alignment of the reference judges",
        None if reference.constant is None and reference.random is None else reference.to_json(),
        f"undefined ({_why(alignment)})"
        if reference.constant is None
        else f"always {reference.constant_label!r} {reference.constant:.3f}, random {_three(reference.random)}",
    )
    undefined = {name: each.reason for name, each in alignment.metrics.items() if each.value is None}
    if alignment.alignment.value is None:
        undefined["alignment"] = alignment.alignment.reason
    said = ", ".join(f"{name} ({reason})" for name, reason in undefined.items())
    yield "undefined_metrics", "undefined metrics", dict(undefined), said or "none"
    yield ("aggregation", "aggregation", *_aggregation(chosen))
    drawn = alignment.resampling
    yield (
        "resampling_unit",
        "resampling unit",
        None if drawn is None else drawn.to_json(),
        "there is no interval" if drawn is None else f"{_UNITS[drawn.unit]}, {drawn.draws} draws",
    )
    yield ("unseen_items", "figures on unseen items", *_unseen(chosen))


def _aggregation(chosen: Chosen) -> tuple[Json, str]:
    alignment, dimension = chosen.alignment, chosen.stored.run.dimension
    macro = alignment.scale.kind in ("nominal", "pairwise", "ordinal")
    averaged = "macro over the classes that occur" if macro else "of the positive class"
    words = (
        f"one dimension, {dimension}, averaged with no other; alignment is the mean of "
        f"{counted(alignment.components, 'metric')}; precision, recall and F1 {averaged}"
    )
    return {
        "dimension": dimension,
        "over_dimensions": "none",
        "over_classes": "macro" if macro else "positive class",
        "components": alignment.components,
    }, words


def _unseen(chosen: Chosen) -> tuple[Json, str]:
    record, stored = _record(chosen), chosen.stored
    if record is None:
        return None, _unfinished(chosen)
    tests = Evidence.from_json((stored.run.result or {}).get("evidence")).unseen
    # They compare the winner with the baseline; of the other candidates nothing is known on unseen items.
    if tests and chosen.candidate.number in (0, stored.winner):
        said = [f"{each.source.replace('_', '-')}, {each.n} items: gain {signed(each.difference)}" for each in tests]
        return [
            each.to_json() for each in tests
        ], f"the gain of the winner, beside the figures above: {'; '.join(said)}"
    if stored.run.kind == "optimize":
        return False, f"none: {untested(stored)}"
    return False, "none that were kept apart: whether the prompt was written on these items is not known here"


def untested(stored: StoredRun) -> str:
    """Say why a calibration has no test on unseen items."""
    held_out = "holdout" in stored.run.spec
    if stored.run.status != "done" and (held_out or stored.folds):
        return f"not tested yet: the run is {stored.run.status}"
    if held_out:
        return "some were kept apart, and no prompt was tested on them"
    return "none were kept apart: the prompts were searched on these items"


def _judge(chosen: Chosen, returned: tuple[str, ...]) -> Iterator[_Line]:
    run, record = chosen.stored.run, _record(chosen)
    requested = str(run.spec["judge"]["model"])
    yield "model_requested", "judge model requested", requested, requested
    answered: list[Json] = list(returned)
    yield "model_returned", "judge model returned", answered or None, ", ".join(returned) or "no model answered"
    bundle = None if record is None else record.get("bundle")
    if bundle is not None:
        words = f"{bundle['file']}, content digest {bundle['content']}"
        yield "bundle", "bundle it came from", {name: bundle[name] for name in ("file", "content")}, words
    splitter = run.spec["judge"].get("splitter")
    if splitter:
        words = f"claim by claim; {splitter['model']} splits the answers, prompt digest {splitter['prompt']}"
        yield "splitter", "how it judges", splitter, words
    settings = _settings(chosen)
    if settings.get("code"):
        yield "prompt_digest", "prompt digest", None, "the judge is code: it has no prompt"
        source = _source_digest(run.spec["judge"].get("identity") or {})
        yield "source_digest", "source digest", source, source or "its source is in no file"
        yield "settings", "settings", None, "the judge is code: nothing is sampled"
    else:
        prompt = digest(chosen.candidate.prompt)
        yield "prompt_digest", "prompt digest", prompt, prompt
        words = ", ".join(f"{name} {value}" for name, value in settings.items())
        yield "settings", "settings", dict(settings), words
    seed = run.spec.get("seed", None if record is None else record.get("seed"))
    yield "seed", "seed", seed, _unfinished(chosen) if seed is None else str(seed)
    prices = None if record is None else record.get("prices")
    unpriced = f"no price is known for {requested}"
    yield (
        "prices",
        "price snapshot",
        prices,
        (_unfinished(chosen) if record is None else unpriced)
        if prices is None
        else ", ".join(f"{name} {value}" for name, value in prices.items() if value is not None),
    )
    yield "version", "tool version", run.version or None, run.version or "the run does not tell"
    yield "golden_digest", "dataset digest", run.golden_digest, run.golden_digest


def _source_digest(identity: Mapping[str, Any]) -> str | None:
    """Return the digest of a judge's source, or those of the files of its program; None when there is no file."""
    files = identity.get("files") or [identity.get("source")]
    return ", ".join(str(each) for each in files if each) or None


def _settings(chosen: Chosen) -> Mapping[str, Any]:
    found: Mapping[str, Any] = chosen.stored.run.spec["judge"]["settings"]
    return found


def _record(chosen: Chosen) -> Mapping[str, Any] | None:
    """Return what the run recorded when it ended, None while it has not."""
    return (chosen.stored.run.result or {}).get("record")


def _unfinished(chosen: Chosen) -> str:
    run = chosen.stored.run
    if run.status == "done":
        return f"a run of this kind ({run.kind}) does not record it"
    return f"recorded when the run ends; it is {run.status}"


def _why(alignment: Alignment) -> str:
    return alignment.alignment.reason or "no classes"


def _three(figure: float | None) -> str:
    return "undefined" if figure is None else f"{figure:.3f}"
