"""What a judge prompt can ask of the reader, and how the reader finds it in the prompt, however phrased.

A directive is recognised in a sentence by the ideas that meet there (:mod:`.concepts`), never by a fixed phrase. Within
a prompt the last word counts: "check the figures ... do not worry about numbers" asks for no figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from calibrate.providers.sim.concepts import concepts_in, fold
from calibrate.providers.sim.families import asked_by_family
from calibrate.providers.sim.weighing import settle, weigh

__all__ = ["DIRECTIVES", "recognise", "sentences_asking"]

DIRECTIVES: dict[str, str] = {
    "figures": "compare numbers, dates, amounts and units with the source",
    "entities": "check that each statement is about the same product, person, plan or place as in the source",
    "negation": "watch negations, opposites, exceptions and conditions",
    "claims": "split the answer into claims and check each one by itself",
    "unsupported": "whatever the source does not state counts as failing, however plausible or true",
    "silence": "absence from the source is no evidence that something is not so",
    "truncation": "a source sentence that is cut off does not support what it would have said",
    "paraphrase": "other wording, order or style is no error",
    "omission": "leaving details out is no error",
    "all-or-nothing": "one failing claim fails the whole answer",
}

_LONGEST = 600
_BOUNDARY = re.compile(r"(?<=[.!?;])(?<!\.\.\.)[\"')\]]*\s+|\n+\s*(?:[-•]\s+|\d+[.)]\s+)?")
_CONTRAST = re.compile(r",?\s+(?:but|however|pero|sino|mientras que|while|whereas)\s+|,\s+(?:only|solo)\s+")


@lru_cache(maxsize=512)
def recognise(instructions: str) -> frozenset[str]:
    """Return the directives that a prompt asks for (names as in :data:`DIRECTIVES`), in English or Spanish."""
    asked: set[str] = set()
    for _, wanted, unwanted in _read(instructions):
        asked |= wanted
        asked -= unwanted
    return frozenset(asked)


def sentences_asking(instructions: str, directive: str) -> tuple[str, ...]:
    """Return the sentences of a prompt (folded) that ask for one directive."""
    return tuple(sentence for sentence, wanted, _ in _read(instructions) if directive in wanted)


def _read(instructions: str) -> Iterator[tuple[str, set[str], set[str]]]:
    parts = [part.strip() for part in _BOUNDARY.split(fold(instructions)) if part and part.strip()]
    sentences = [part[at : at + _LONGEST] for part in parts for at in range(0, len(part), _LONGEST)]
    previous = ""
    for sentence in sentences:
        wanted, unwanted = _directives_of(sentence)
        if not wanted and not unwanted and previous:
            # A directive may stand in two sentences: "Some passages are cut off. Do not guess the rest."
            wanted = {
                name
                for name in ("truncation", "silence", "claims")
                if _RULES[name](concepts_in(previous) | concepts_in(sentence))
            }
        if not wanted and not unwanted:
            wanted = weigh(concepts_in(sentence))
        yield sentence, wanted, unwanted
        previous = "" if wanted or unwanted else sentence


def _directives_of(sentence: str) -> tuple[set[str], set[str]]:
    wanted = _asked_in(concepts_in(sentence))
    unwanted: set[str] = set()
    # "Ignore the style, but compare the figures": each side of a contrast has its say, the later one the last word.
    for clause in _CONTRAST.split(sentence):
        present = concepts_in(clause)
        asked = _asked_in(present)
        revoked = {name for name, rule in _REVOKED.items() if rule(present)}
        wanted |= asked
        unwanted = (unwanted - asked) | revoked
    return wanted - unwanted, unwanted


def _asked_in(present: frozenset[str]) -> set[str]:
    asked = {name for name, rule in _RULES.items() if rule(present)} | asked_by_family(present)
    return settle(asked, present)


def _figures(c: frozenset[str]) -> bool:
    if "output" in c:
        return False
    return "figure" in c or (bool(c & {"weak_figure", "two_figures"}) and bool(c & {"check", "error", "same"}))


def _entities(c: frozenset[str]) -> bool:
    if c & {"wording", "outside", "cut"} or ("silence" in c and not c & {"one_other", "attribution", "names"}):
        return False
    return (
        ("names" in c and bool(c & {"check", "comply", "error", "other", "claim"}))
        or ("entity" in c and "other" in c and bool(c & {"attribution", "error", "check", "claim", "negated"}))
        or ("entity" in c and "attribution" in c and bool(c & {"same", "check", "error", "negated", "each"}))
        or ("entity" in c and "each" in c and "check" in c and "split" not in c)
        or ("entity" in c and "same" in c and bool(c & {"claim", "check", "source"}) and "failing" not in c)
        or (
            "one_other" in c
            and bool(c & {"attribution", "error", "source", "demand", "rely"})
            and not c & {"split", "check"}
        )
        or ("transfer" in c and bool(c & {"entity", "attribution"}))
    )


def _negation(c: frozenset[str]) -> bool:
    if "silence" in c and "denial" in c and "negation_matter" not in c:
        return False
    if "negation_matter" in c:
        return True
    if "refusal" in c and "inference" in c and not c & {"particle", "condition"}:
        return False
    if "refusal" in c and "source" in c and c & {"error", "check"}:
        return True
    return bool(c & {"particle", "polarity"}) or (
        "condition" in c and bool(c & {"check", "error", "claim", "source", "answer", "negated", "demand"})
    )


def _claims(c: frozenset[str]) -> bool:
    if "claim" not in c or ("one" in c and "failing" in c):
        return False
    return (
        "split" in c
        or ("overall" in c and "check" in c)
        or ("each" in c and bool(c & {"check", "source"}) and "comply" not in c)
    )


def _unsupported(c: frozenset[str]) -> bool:
    if "outside" in c:
        return True
    if "plausible" not in c and (_truncation(c) or _omission(c) or ("dismiss" in c and "answer" in c)):
        return False
    if _silence(c) and "plausible" not in c:
        return False
    if "one" in c and "failing" in c and "source" not in c:
        return False
    return (
        ("absent" in c and bool(c & {"error", "plausible"}))
        or ("absent" in c and "source" in c and bool(c & {"answer", "addition", "demand"}) and "omit" not in c)
        or ("only" in c and "source" in c and bool(c & {"rely", "answer"}) and "cut" not in c)
        or ("plausible" in c and bool(c & {"source", "error"}))
        or ("addition" in c and bool(c & {"error", "negated", "answer"}) and "omit" not in c)
        or ("plausible" in c and "claim" in c and "negated" in c)
        or ("absent" in c and "demand" in c and "source" in c)
        or ("absent" in c and "source" in c and "judged_unsupported" in c and not c & {"silence", "denial", "cut"})
    )


def _silence(c: frozenset[str]) -> bool:
    if (
        "omit" in c
        and "tolerate" in c
        and not c & {"source", "refusal"}
        and not (c >= {"silence", "denial"} or c >= {"silence", "forbidden_inference"})
    ):
        return False
    if "one" in c and "failing" in c and "silence" not in c:
        return False
    return (
        ("silence" in c and bool(c & {"inference", "denial"}) and "negation_matter" not in c)
        or ("refusal" in c and "inference" in c and "cut" not in c)
        or ("denial" in c and "inference" in c and not c & {"cut", "polarity", "condition"})
        or ("silence" in c and "source" in c and not c & {"addition", "error", "plausible", "outside", "omit", "cut"})
    )


def _truncation(c: frozenset[str]) -> bool:
    return (
        "cut" in c
        and bool(c & {"sentence", "inference"})
        and not ("answer" in c and "tolerate" in c and not c & {"negated", "source"})
    )


def _paraphrase(c: frozenset[str]) -> bool:
    if c & {"figure", "two_figures", "particle", "verdict_text", "cut", "names"}:
        return False
    return "wording" in c or (
        "meaning" in c and bool(c & {"tolerate", "same"}) and not c & {"polarity", "only", "split"}
    )


def _omission(c: frozenset[str]) -> bool:
    if c & {"verdict_text", "mostly"} or _truncation(c) or ("one" in c and "failing" in c):
        return False
    if "source" in c and c & {"denial", "addition"} and not c & {"answer", "dismiss"}:
        return False
    return "omit" in c and bool(c & {"tolerate", "only"}) and "polarity" not in c and not _silence(c)


def _all_or_nothing(c: frozenset[str]) -> bool:
    if "verdict_text" in c and "claim" not in c:
        return False
    return (
        (
            "one" in c
            and (("failing" in c and not ("split" in c and "error" not in c)) or ("whole" in c and "split" not in c))
        )
        or ("only_if" in c and bool(c & {"comply", "claim", "answer", "negated"}))
        or ("mostly" in c and "failing" in c)
        or ("rest" in c and "rescue" in c and "negated" in c)
        or ("each" in c and "claim" in c and "comply" in c and "split" not in c and "check" not in c)
    )


_RULES: dict[str, Callable[[frozenset[str]], bool]] = {
    "figures": _figures,
    "entities": _entities,
    "negation": _negation,
    "claims": _claims,
    "unsupported": _unsupported,
    "silence": _silence,
    "truncation": _truncation,
    "paraphrase": _paraphrase,
    "omission": _omission,
    "all-or-nothing": _all_or_nothing,
}

_REVOKED: dict[str, Callable[[frozenset[str]], bool]] = {
    "figures": lambda c: bool(c & {"figure", "weak_figure"}) and _dismissed(c),
    "entities": lambda c: "entity" in c and "wording" not in c and _dismissed(c),
    "negation": lambda c: bool(c & {"polarity", "particle"}) and _dismissed(c),
    "claims": lambda c: "claim" in c and "split" in c and "skip_split" in c,
    "unsupported": lambda c: (
        bool(c & {"outside", "plausible", "addition"}) and "granted" in c and not c & {"negated", "error"}
    ),
    "silence": lambda c: "silence" in c and "closed_world" in c,
    "truncation": lambda c: "cut" in c and "complete" in c and "permit" in c and not c & {"negated", "only"},
    "paraphrase": lambda c: "strictly_worded" in c and bool(c & {"same", "error", "demand"}) and _affirmed(c),
    "omission": lambda c: (
        "left_out" in c
        and bool(c & {"error", "demand"})
        and _affirmed(c)
        and not c & {"polarity", "condition", "cut", "one", "addition", "absent", "plausible"}
    ),
    "all-or-nothing": lambda c: "one" in c and "pardon" in c and not c & {"rescue", "mostly", "only_if"},
}


def _dismissed(c: frozenset[str]) -> bool:
    return "dismiss" in c or ("skip" in c and "error" not in c)


def _affirmed(c: frozenset[str]) -> bool:
    return not c & {"negated", "tolerate", "lenient"}
