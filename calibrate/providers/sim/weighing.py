"""Weighing what a sentence is about when no rule is sure: how much of each directive's vocabulary meets in it."""

from __future__ import annotations

from collections.abc import Callable

from calibrate.providers.sim.families import says_silence

__all__ = ["CORE", "settle", "weigh"]

Concepts = frozenset[str]

_CORE_WEIGHT = 2
_SIDE_WEIGHT = 1
_LEAST_WEIGHT = 4

CORE: dict[str, Concepts] = {
    "figures": frozenset({"figure", "two_figures", "weak_figure"}),
    "entities": frozenset(
        {
            "misattributed",
            "confusion",
            "carried_over",
            "not_transferable",
            "same_one",
            "twins",
            "different_one",
            "names",
            "transfer",
            "one_other",
            "attribution",
        }
    ),
    "negation": frozenset({"polarity", "condition", "opposite_pair", "particle"}),
    "claims": frozenset({"split", "one_by_one", "apart", "inventory", "singly", "said_things", "not_in_bulk"}),
    "unsupported": frozenset(
        {
            "outside",
            "confined",
            "not_found",
            "invented",
            "plausible",
            "absent",
            "addition",
            "must_be_backed",
            "judged_unsupported",
        }
    ),
    "silence": frozenset({"unmentioned", "silence", "refusal", "denial"}),
    "truncation": frozenset({"broken", "cut", "continuation"}),
    "paraphrase": frozenset({"wording", "said_otherwise", "meaning", "two_quotes"}),
    "omission": frozenset({"omit", "precision_only", "said_not_unsaid"}),
    "all-or-nothing": frozenset({"one_bad", "no_partial", "mostly_right", "no_offset", "only_if", "one", "mostly"}),
}
SIDE: dict[str, Concepts] = {
    "figures": frozenset({"check", "error", "same", "source", "demand", "comply"}),
    "entities": frozenset({"entity", "error", "check", "source", "same"}),
    "negation": frozenset({"error", "check", "source", "meaning", "demand", "same"}),
    "claims": frozenset({"claim", "each", "check", "answer"}),
    "unsupported": frozenset({"source", "rejecting", "error", "only", "claim"}),
    "silence": frozenset({"not_a_no", "cannot_deny", "nothing_there", "inference", "source"}),
    "truncation": frozenset({"sentence", "guess", "negated", "inference"}),
    "paraphrase": frozenset({"tolerate", "lenient", "same"}),
    "omission": frozenset({"tolerate", "lenient", "answer", "only"}),
    "all-or-nothing": frozenset({"sinks_all", "failing", "whole", "error", "rest", "rescue"}),
}


def settle(asked: set[str], c: Concepts) -> set[str]:
    """Drop what a sentence only seems to ask for: what is weakly said beside what is said plainly."""
    if "chat" in c and not c & {"source", "claim"}:
        return set()
    if len(asked) < 2:
        return asked
    plain = {name for name in asked if PLAIN[name](c)}
    left = plain or asked
    if "omission" in left and "whole_coverage" in c and not c & {"check", "particle"}:
        left = left - {"negation"}
    elif len(left) > 1 and "left_out" not in c:
        left = left - {"omission"}
    if "silence" in left and not c & {"outside", "plausible", "invented"}:
        left = left - {"unsupported"}
    return {name for name in left if not any(other in left for other in YIELDS.get(name, ()))}


def weigh(c: Concepts) -> set[str]:
    """Return the directive whose vocabulary a sentence is full of, if there is one."""
    if c & {"chat", "output", "verdict_text"}:
        return set()
    weights = {
        name: _CORE_WEIGHT * len(c & core) + _SIDE_WEIGHT * len(c & SIDE[name])
        for name, core in CORE.items()
        if c & core
    }
    best = max(weights, key=lambda name: weights[name], default="")
    return {best} if weights.get(best, 0) >= _LEAST_WEIGHT else set()


def _plainly_one_bad(c: Concepts) -> bool:
    return (
        bool(c & {"no_partial", "no_offset", "mostly_right", "any_bad"})
        or ("only_if" in c and "particle" not in c)
        or c >= {"one_bad", "sinks_all"}
    )


PLAIN: dict[str, Callable[[Concepts], bool]] = {
    "figures": lambda c: (
        (
            bool(c & {"figure", "two_figures", "two_units"})
            or ("weak_figure" in c and bool(c & {"error", "check", "same"}))
        )
        and not c & {"apart", "no_offset", "mostly_right"}
        and not ("twins" in c and "figure" not in c)
    ),
    "entities": lambda c: (
        bool(c & {"misattributed", "carried_over", "same_one", "not_transferable", "transfer"})
        or ("twins" in c and not c & {"opposite_pair", "particle", "condition"})
        or ("one_other" in c and bool(c & {"attribution", "error", "rely"}) and "claim" not in c)
        or ("confusion" in c and "unmentioned" not in c)
        or ("different_one" in c and "entity" in c)
        or (c >= {"names", "check"})
    ),
    "negation": lambda c: (
        (
            bool(c & {"particle", "opposite_pair", "negation_matter"})
            or (
                "polarity" in c
                and not c & {"two_figures", "figure"}
                and ("condition" in c or not c >= {"one_bad", "sinks_all"})
            )
        )
        or c >= {"condition", "check"}
    ),
    "claims": lambda c: (
        bool(c & {"one_by_one", "apart", "not_in_bulk", "for_each"})
        or ("singly" in c and bool(c & {"claim", "each", "said_things"}))
        or ("inventory" in c and bool(c & {"claim", "said_things"}) and not c >= {"one_bad", "sinks_all"})
        or (c >= {"each", "said_things"})
        or (c >= {"each", "claim", "check"} and not c & {"error", "comply"})
    ),
    "unsupported": lambda c: (
        bool(c & {"outside", "invented", "plausible", "must_be_backed"})
        or ("confined" in c and "source" in c)
        or ("not_found" in c and bool(c & {"rejecting", "error"}))
    ),
    "silence": lambda c: (
        "plain_denial" in c
        or says_silence(c)
        or (
            bool(c & {"denial", "refusal"}) and bool(c & {"unmentioned", "absence_noun"}) and "negation_matter" not in c
        )
    ),
    "truncation": lambda c: "broken" in c or c >= {"continuation", "guess"},
    "paraphrase": lambda c: bool(c & {"said_otherwise", "wording"}) and bool(c & {"tolerate", "lenient", "same"}),
    "omission": lambda c: (
        bool(c & {"omit", "left_out", "precision_only", "whole_coverage"}) and bool(c & {"tolerate", "lenient"})
    ),
    "all-or-nothing": _plainly_one_bad,
}
"""What says each directive plainly."""

YIELDS: dict[str, tuple[str, ...]] = {
    "omission": ("silence", "truncation", "negation", "unsupported"),
    "paraphrase": ("truncation", "negation", "silence"),
    "unsupported": ("truncation",),
    "negation": ("silence", "truncation"),
    "claims": ("truncation",),
    "all-or-nothing": ("truncation",),
}
"""Directives that are read into a sentence that asks for another one in similar words."""
