"""The writer: a model of an LLM that rewrites judge prompts, with its insight, its slips and its losses."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from calibrate.domain import ModelRequest, ModelResponse, digest

from .concepts import (
    FEATURES,
    FILLERS,
    HARMFUL,
    SCAFFOLDS,
    concept_in_item,
    feature_number,
    features_in_sentence,
)
from .prompts import Form, Parsed, compose, parse, say
from .reading import Evidence, Reading, read
from .subjects import CONCEPTS

__all__ = ["USELESS", "Writer"]

USELESS = 0.4
"""The share of strategies that are useless in a given world."""

_STUBBORN = 0.5
"""How often a diagnosis is the one this writer always makes of this item, right or wrong."""

_NO_CAUSE = ("", "single cases", "other")
"""Names of patterns whose errors need not have anything in common."""

_TOO_STRICT = re.compile(r"\btoo (?:strict|much)|taken for|wrongly reject", re.IGNORECASE)

Diagnosis: TypeAlias = int | None
"""A feature that would have mended the error, or None: nothing that can be put into words."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the name of a strategy says: ``keep`` of the features (loss aside), additions, form, what it looks at."""

    keep: float = 1.0
    fewest: int = 1
    most: int = 3
    form: Form | None = None
    looks_at: str = ""
    also: str = ""
    scratch: bool = False
    merges: bool = False


_PLANS: tuple[tuple[str, _Plan], ...] = (
    ("simplif", _Plan(keep=0.25, scratch=True, form="text")),
    ("rubric", _Plan(keep=0.75, fewest=3, most=6, scratch=True, form="rubric")),
    ("wrongly accepted", _Plan(looks_at="wrongly accepted")),
    ("wrongly rejected", _Plan(looks_at="wrongly rejected")),
    ("merge", _Plan(fewest=0, most=0, merges=True)),
    ("shorten", _Plan(fewest=0, most=0, keep=0.97, form="text")),
    ("few-shot", _Plan(fewest=0, most=1)),
    ("claim", _Plan(also="claims")),
    ("quot", _Plan(also="evidence")),
    ("entit", _Plan(also="names:strict")),
)


class Writer:
    """A meta-LLM of one world. Its replies depend on the request alone.

    Attributes:
        insight: how often it sees what an item is about, U(0.4, 0.8); an expert's note halves what is missing to 1.
        loss: how often it loses a feature of the prompt it rewrites, U(0.02, 0.10).
        malformed: how often its reply cannot be used, U(0.02, 0.03).
    """

    def __init__(self, name: str) -> None:
        self._name = name
        random = Random(f"{name}|writer")
        self.insight = random.uniform(0.4, 0.8)
        self.loss = random.uniform(0.02, 0.10)
        self.malformed = random.uniform(0.02, 0.03)

    def __call__(self, request: ModelRequest) -> ModelResponse:
        """Answer a request."""
        return self.reply(read(request.user, request.system), Random(f"{self._name}|{digest(request.to_json())}"))

    def reply(self, reading: Reading, random: Random) -> ModelResponse:
        """Answer a request that another reader has read."""
        bad = random.random() < self.malformed
        if reading.kind == "patterns":
            text = self.analyse(reading.evidence, reading.known, reading.most, random)
            return ModelResponse(text[: len(text) // 2] if bad else text, "length" if bad else "stop", "world")
        prompt = self.rewrite(reading.current, reading.others, reading.evidence, reading.strategy, random)
        text = f"<prompt>\n{prompt}\n</prompt>"
        if not bad:
            return ModelResponse(text, "stop", "world")
        slip = random.choice(("no block", "cut off", "empty", "copied"))
        if slip == "cut off":
            return ModelResponse(text[: len(text) * 2 // 3], "length", "world")
        if slip == "copied":
            return ModelResponse(f"<prompt>\n{reading.current}\n</prompt>", "stop", "world")
        return ModelResponse(prompt if slip == "no block" else "", "stop", "world")

    def aptitude(self, strategy: str) -> float:
        """Return how often what a strategy adds follows from the evidence, in [0, 1], drawn for its name.

        Two in five are U(0, 0.08), the others 0.3 + 0.7 Beta(2, 1.5).
        """
        random = Random(f"{self._name}|aptitude|{strategy.strip().lower()}")
        if random.random() < USELESS:
            return random.uniform(0.0, 0.08)
        return 0.3 + 0.7 * random.betavariate(2, 1.5)

    def rewrite(
        self, current: str, others: Sequence[str], evidence: Sequence[Evidence], strategy: str, random: Random
    ) -> str:
        """Write a new prompt.

        Args:
            current: the prompt to rewrite.
            others: further prompts; a merge takes their features over.
            evidence: the items shown.
            strategy: its name; what it says is heeded, and its aptitude decides whether the evidence is.
            random: where chance comes from.
        """
        plan = next((plan for word, plan in _PLANS if word in strategy.lower()), _Plan())
        parsed, apt = parse(current), self.aptitude(strategy)
        sentences = self._kept(parsed, plan, random)
        if plan.merges:
            present = _features(sentences)
            for other in others:
                more = [each for each in self._kept(parse(other), plan, random) if not _features([each]) <= present]
                sentences += [each for each in more if _features([each])]
                present |= _features(more)
        shown = [each for each in evidence if each.told == plan.looks_at] if plan.looks_at else list(evidence)
        diagnoses = [each for each in self.diagnose(shown or evidence, random) if each is not None]
        chances = (0.40, 0.35, 0.25) if (plan.fewest, plan.most) == (1, 3) else None
        counts = range(plan.fewest, plan.most + 1)
        wanted = random.choices(counts, chances)[0]
        for _ in range(wanted):
            if diagnoses and random.random() < apt:
                sentences.append(say(random.choice(diagnoses), random))
            else:
                sentences.append(_stray(random))
        if plan.also and random.random() < 0.9:
            sentences.append(say(FEATURES.index(plan.also), random))
        if plan.most and random.random() < 0.08:
            sentences.append(say(random.choice(HARMFUL), random))
        if plan.most and random.random() < 0.3:
            sentences.append(random.choice(FILLERS))
        sentences = _once(sentences)
        if random.random() < 0.5:
            random.shuffle(sentences)
        keeps_examples = not plan.scratch and random.random() < 0.7
        return compose(sentences, random, form=plan.form, tail=parsed.examples if keeps_examples else "")

    def diagnose(self, evidence: Sequence[Evidence], random: Random) -> list[Diagnosis]:
        """Say of each item which feature would have mended it; items of one pattern are told apart by majority.

        An item whose verdict is not shown does not tell whether the judge fails on it: the label suggests a direction,
        and half of these items suggest nothing. An item judged right suggests nothing.
        """
        single = [self._diagnosis(each, random) for each in evidence]
        for pattern in {each.pattern: None for each in evidence if each.pattern not in _NO_CAUSE}:
            members = [n for n, each in enumerate(evidence) if each.pattern == pattern]
            votes = Counter(single[n] for n in members if single[n] is not None)
            if votes:
                most = max(votes.values())
                winner = random.choice([each for each, count in votes.items() if count == most])
                for n in members:
                    single[n] = winner
        return single

    def analyse(self, evidence: Sequence[Evidence], known: Sequence[tuple[str, str]], most: int, random: Random) -> str:
        """Group errors by what they are diagnosed as, with the name of a known pattern where it is the same one.

        With more than ``most`` groups (0 for any number), the smallest are put together as single cases.
        """
        groups: dict[Diagnosis, list[int]] = {}
        for place, (each, found) in enumerate(zip(evidence, self.diagnose(evidence, random), strict=True), start=1):
            groups.setdefault(found, []).append(each.number or place)
        if most and len(groups) > most:
            for found in sorted((each for each in groups if each is not None), key=lambda each: -len(groups[each]))[
                most - 1 :
            ]:
                groups.setdefault(None, []).extend(groups.pop(found))
        names = {_pattern_meant(name, about): (name, about) for name, about in known}
        lines = ["<patterns>"]
        for found, numbers in sorted(groups.items(), key=lambda group: -len(group[1])):
            name, about = names.get(found) or _pattern(found, random)
            shown = ", ".join(map(str, sorted(numbers)))
            lines.append(f'<pattern name="{name.replace(chr(34), "&quot;")}" errors="{shown}">{about}</pattern>')
        return "\n".join([*lines, "</patterns>"])

    def _diagnosis(self, evidence: Evidence, random: Random) -> Diagnosis:
        if evidence.told == "right":
            return None
        stubborn = random.random() < _STUBBORN
        mind = Random(f"{self._name}|{_fingerprint(evidence.text)}") if stubborn else random
        insight = self.insight + (1 - self.insight) / 2 if evidence.noted else self.insight
        seen = mind.random() < insight
        concept = concept_in_item(evidence.text) if seen else mind.randrange(len(CONCEPTS))
        if concept is None:
            return None
        if evidence.told == "unknown":
            if random.random() < 0.5:
                return None
            strict = random.random() < {"0": 0.75, "1": 0.25}.get(evidence.label, 0.5)
        else:
            strict = evidence.told == "wrongly accepted"
        return feature_number(concept, "strict" if strict else "lenient")

    def _kept(self, parsed: Parsed, plan: _Plan, random: Random) -> list[str]:
        """Return the sentences of a prompt that survive its rewriting, three in ten of them in other words.

        Of a sentence that states several features, each is lost by itself. Placeholders always survive.
        """
        kept: list[str] = []
        fillers = set(parsed.fillers)
        for sentence, stated in zip(parsed.sentences, parsed.stated, strict=True):
            if not stated:
                survives = sentence in fillers and plan.form is None and random.random() < 0.8
                if survives or "{{" in sentence:
                    kept.append(sentence)
                continue
            left = [each for each in sorted(stated) if random.random() < plan.keep * (1 - self.loss)]
            if len(left) == len(stated) and (len(left) > 1 or random.random() < 0.7):
                kept.append(sentence)
            else:
                kept += [say(each, random) for each in left]
        return kept


def _features(sentences: Sequence[str]) -> frozenset[int]:
    return frozenset(feature for sentence in sentences for feature in parse(sentence).features)


def _once(sentences: Sequence[str]) -> list[str]:
    """Leave out sentences that state nothing new; a sentence of no feature is told once."""
    kept: list[str] = []
    present: frozenset[int] = frozenset()
    for sentence in sentences:
        stated = _features([sentence])
        if (stated and not stated <= present) or (not stated and sentence not in kept):
            kept.append(sentence)
            present |= stated
    return kept


def _stray(random: Random) -> str:
    """Write a sentence that has nothing to do with the evidence: any feature, a filler, or something harmful."""
    kind = random.random()
    if kind < 0.60:
        return say(random.randrange(2 * len(CONCEPTS) + len(SCAFFOLDS)), random)
    return random.choice(FILLERS) if kind < 0.85 else say(random.choice(HARMFUL), random)


def _pattern(found: Diagnosis, random: Random) -> tuple[str, str]:
    if found is None:
        return "single cases", "Nothing that these errors have in common."
    concept = CONCEPTS[found // 2]
    if found % 2:
        name = random.choice((f"{concept.name} taken too strictly", f"{concept.name}: too strict"))
        return name, f"The judge makes too much of {concept.harmless}."
    name = random.choice((f"{concept.name} overlooked", f"{concept.name} not looked at"))
    return name, f"The judge does not see that {concept.fault}."


def _pattern_meant(name: str, about: str) -> int | None:
    """Return what a known pattern is about, by its name or else its description; -1 when that cannot be told."""
    if name in _NO_CAUSE:
        return None
    directive = "Do not mark down" if _TOO_STRICT.search(f"{name} {about}") else "Check"
    by_name = [n for n, concept in enumerate(CONCEPTS) if re.search(rf"\b{concept.name}\b", name, re.IGNORECASE)]
    if len(by_name) == 1:
        return feature_number(by_name[0], "lenient" if directive != "Check" else "strict")
    for text in (name, about):
        if found := features_in_sentence(f"{directive} {text}"):
            return min(found)
    return -1


def _fingerprint(text: str) -> str:
    """Return what stays the same of an item, however it is shown: its case number, or else its text."""
    code = re.search(r"\bK-\d{6}\b", text)
    return code[0] if code else hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
