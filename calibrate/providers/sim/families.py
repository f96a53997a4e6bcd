"""Families of expressions that ask for a directive, as meetings of concepts.

They add to the rules of :mod:`.directives`: where those speak of a matter and an attitude, a family speaks of a turn of
thought: "X tells you nothing about Y", "mostly right is not right", "what was about to be said".
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["asked_by_family", "says_silence"]

Concepts = frozenset[str]


def asked_by_family(c: Concepts) -> set[str]:
    """Return the directives that the concepts of a sentence ask for by a family of expressions."""
    return set() if "chat" in c else {name for name, family in _FAMILIES.items() if family(c)}


def _figures(c: Concepts) -> bool:
    if "altered" in c and c & {"figure", "weak_figure"}:
        return True
    if c & {"output", "split", "verdict_text"}:
        return False
    if "two_units" in c and c & {"negated", "error", "check", "same", "source"} and not c & {"condition", "particle"}:
        return True
    return "two_figures" in c and bool(c & {"source", "answer", "error"}) and not c & {"no_offset", "mostly_right"}


def _entities(c: Concepts) -> bool:
    if c & {"outside", "broken", "said_otherwise", "no_offset", "absence_noun"} or (
        "figure" in c and "misattributed" not in c
    ):
        return False
    moved = bool(c & {"carried_over", "attribution"})
    return (
        ("misattributed" in c and bool(c & {"check", "error", "same", "answer", "claim", "source", "carried_over"}))
        or ("confusion" in c and not c & {"silence", "unmentioned", "particle", "meaning", "wording"})
        or ("carried_over" in c and bool(c & {"other", "entity", "one_other", "different_one", "twins"}))
        or ("not_transferable" in c and bool(c & {"entity", "twins", "source", "carried_over"}) and not says_silence(c))
        or (
            "twins" in c
            and (moved or bool(c & {"check", "error", "rely", "negated"}))
            and not c & {"opposite_pair", "particle"}
        )
        or ("same_one" in c and not c & {"wording", "apart", "plausible"})
        or ("different_one" in c and "entity" in c and bool(c & {"negated", "error", "rely"}) and "claim" not in c)
        or ("different_one" in c and moved and not c & {"one_by_one", "wording"} and "negated" in c)
    )


def _negation(c: Concepts) -> bool:
    if says_silence(c) or c & {"broken", "outside"}:
        return False
    return "negation_matter" in c or (
        "opposite_pair" in c and bool(c & {"source", "error", "negated", "check", "answer"})
    )


def _claims(c: Concepts) -> bool:
    if c & {"figure", "skip_split"} or ("one_bad" in c and "sinks_all" in c and "apart" not in c):
        return False
    return (
        "one_by_one" in c
        or ("apart" in c and bool(c & {"answer", "claim", "source"}) and not c & {"broken", "cut"})
        or ("inventory" in c and bool(c & {"claim", "said_things"}) and not c & {"omit", "broken", "unmentioned"})
        or ("singly" in c and bool(c & {"claim", "each", "said_things"}) and bool(c & {"check", "each", "claim"}))
        or ("not_in_bulk" in c and bool(c & {"check", "claim", "split", "each", "negated"}) and "one_bad" not in c)
        or ("for_each" in c and bool(c & {"check", "source", "comply", "rely", "singly"}) and "error" not in c)
        or ("each" in c and "said_things" in c and bool(c & {"check", "source", "must_be_backed"}))
    )


def _unsupported(c: Concepts) -> bool:
    if (
        "broken" in c
        or (c >= {"one_bad", "sinks_all"} and not c & {"plausible", "outside"})
        or c & {"no_offset", "mostly_right"}
    ):
        return False
    if says_silence(c) and not c & {"plausible", "invented", "outside"}:
        return False
    return (
        "invented" in c
        or ("confined" in c and "source" in c and not c & {"one_bad", "wording"} and not _excused(c))
        or ("not_found" in c and bool(c & {"rejecting", "error"}) and not _excused(c) and "only_if" not in c)
        or ("must_be_backed" in c and not c & {"denial", "refusal", "only_if", "figure", "mostly_right"})
        or ("plausible" in c and bool(c & {"source", "error", "rejecting", "not_found", "judged_unsupported"}))
    )


def says_silence(c: Concepts) -> bool:
    """Return whether a sentence says that what the source does not mention is not thereby denied."""
    if c & {"broken", "invented", "plausible"} or ("negation_matter" in c and "absence_noun" not in c):
        return False
    if "unmentioned" not in c:
        return False
    if ("absence_noun" in c and "not_a_no" in c) or "as_unknown" in c:
        return True
    if "rejecting" in c and not c & {"not_a_no", "refusal", "nothing_there"}:
        return False
    return (
        ("not_a_no" in c and bool(c & {"nothing_there", "denial", "refusal"}))
        or ("cannot_deny" in c and bool(c & {"denial", "refusal"}))
        or (c >= {"cannot_say", "nothing_there"})
    )


def _truncation(c: Concepts) -> bool:
    if "answer" in c and c & {"tolerate", "lenient"} and not c & {"negated", "source", "sentence", "claim"}:
        return False
    return ("broken" in c and not (c & {"one_bad"} and "sinks_all" in c and "claim" not in c)) or (
        "continuation" in c and bool(c & {"guess", "inference", "cut"}) and bool(c & {"negated", "cut", "sentence"})
    )


def _paraphrase(c: Concepts) -> bool:
    if c & {"figure", "particle", "polarity", "broken", "misattributed", "outside", "verdict_text", "no_partial"}:
        return False
    return ("said_otherwise" in c and bool(c & {"tolerate", "lenient", "negated", "same", "meaning"})) or (
        "two_quotes" in c and bool(c & {"same", "tolerate"}) and not c & {"denial", "opposite_pair", "unmentioned"}
    )


def _omission(c: Concepts) -> bool:
    if c & {"broken", "said_otherwise", "no_partial", "mostly_right", "only_if", "twins", "verdict_text"}:
        return False
    if "whole_coverage" in c and c & {"lenient", "tolerate"} and not c & {"check", "one_bad"}:
        return True
    if "polarity" in c:
        return False
    if "precision_only" in c:
        return True
    if says_silence(c) and not c & {"answer"}:
        return False
    if "said_not_unsaid" in c and c & {"omit", "unmentioned", "negated", "tolerate"} and "wording" not in c:
        return True
    return "omit" in c and bool(c & {"lenient", "tolerate"}) and not c & {"invented", "one_bad"}


def _all_or_nothing(c: Concepts) -> bool:
    if c & {"apart", "broken"}:
        return False
    return (
        "no_partial" in c
        or ("one_bad" in c and "sinks_all" in c and not c & {"one_by_one"})
        or ("any_bad" in c and "sinks_all" in c and "figure" not in c)
        or ("mostly_right" in c and bool(c & {"not_right", "failing", "error"}))
        or ("no_offset" in c and bool(c & {"claim", "rest", "error", "one_bad", "mostly_right"}))
    )


def _excused(c: Concepts) -> bool:
    """Whether a sentence lets the answer leave something out, rather than the source."""
    return "omit" in c and bool(c & {"tolerate", "lenient"}) and "source" not in c


_FAMILIES: dict[str, Callable[[Concepts], bool]] = {
    "figures": _figures,
    "entities": _entities,
    "negation": _negation,
    "claims": _claims,
    "unsupported": _unsupported,
    "silence": says_silence,
    "truncation": _truncation,
    "paraphrase": _paraphrase,
    "omission": _omission,
    "all-or-nothing": _all_or_nothing,
}
