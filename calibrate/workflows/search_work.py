"""What the parts of a search take: judging its rewrites, and writing them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from calibrate.domain import Model
from calibrate.judge import PromptJudge
from calibrate.store import Store
from calibrate.workflows.preflight import CHARACTERS_PER_TOKEN, OUTPUT_TOKENS, Work, request_characters, work_of
from calibrate.workflows.setup import JudgeOptions, Prepared

__all__ = ["Rewrites", "judging_candidates", "rewriting"]

_LONGER = 1.5
_SHORTEST_REWRITE = 1_000  # characters
_MISJUDGED = 0.25  # share of the items
_META_PROMPT = 4_000  # characters of a meta-prompt without what it is shown
_AROUND_AN_ERROR = 4 * OUTPUT_TOKENS["judge"] + 200  # characters: the judge's reasoning, labels and tags
_AROUND_A_PROMPT = 70  # characters: its score, its strategy and tags


@dataclass(frozen=True, slots=True)
class Rewrites:
    """The rewrites of one search, as far as they can be told beforehand.

    What is assumed: no iteration is left out. A rewrite is half again as long as the prompt that the search starts
    from, of 1,000 characters at least (a bare sentence is not rewritten as one) and as long as it may be at most. Each
    is judged, so that the history holds all prompts of the iterations before, as many as it takes. A quarter of the
    items is misjudged, and an analysis is shown as many errors as a rewrite. What earlier searches have tried, and what
    was rejected, is not counted.

    Attributes:
        iterations: of the search.
        width: rewrites of an iteration.
        analysis: whether each iteration begins with an error analysis.
        history: earlier prompts that a rewrite is shown at most.
        errors: misjudged items that it is shown at most.
        characters: what these prompts may have together, and what these items may.
        longest: characters that a rewrite may have.
    """

    iterations: int
    width: int
    analysis: bool
    history: int
    errors: int
    characters: int
    longest: int

    @property
    def count(self) -> int:
        """All of them."""
        return self.iterations * self.width

    def length(self, prompt: str) -> int:
        """Return how many characters a rewrite is assumed to have."""
        assumed = max(_SHORTEST_REWRITE, round(_LONGER * len(prompt)))
        return min(assumed, max(self.longest, len(prompt)))

    def request_lengths(self, part: Prepared) -> tuple[int, int]:
        """Return how many characters the requests of all rewrites, and those of all analyses, are assumed to have."""
        items, prompt = part.golden.labelled, self.length(part.prompt.text)
        mean_item = sum(len(str(item.inputs)) for item in items) // len(items)
        errors = min(self.errors, math.ceil(_MISJUDGED * len(items))) * (mean_item + _AROUND_AN_ERROR)
        always = _META_PROMPT + min(errors, self.characters) + prompt
        earlier = [min(self.history, 1 + number * self.width) for number in range(self.iterations)]
        told = sum(min(each * (prompt + _AROUND_A_PROMPT), self.characters) for each in earlier)
        rewrites = self.count * always + self.width * told
        return rewrites, self.analysis * self.iterations * always


def judging_candidates(
    store: Store | None,
    model: Model,
    part: Prepared,
    judge: JudgeOptions,
    count: int,
    *,
    purpose: str,
    length: float | None = None,
    unlikely: int = 0,
) -> Work:
    """Return the work of judging the items ``count`` times, by rewrites or by the prompt itself afresh.

    Args:
        store: the run database; None when there is none yet.
        model: the judge.
        part: the items and the prompt.
        judge: how it is asked.
        count: how often all items are judged.
        purpose: what for.
        length: characters of the prompts on average; None for those of the prompt itself.
        unlikely: how often they are judged beyond that where something goes wrong.
    """
    scale = part.golden.scales[part.dimension]
    prompt_judge = PromptJudge(part.prompt, model.name, scale, part.settings)
    # Claims have no label of their own.
    items, asks = part.golden.labelled or part.golden.items, len(part.settings.asks)
    longer = 0.0 if length is None else length - len(part.prompt.text)
    characters = sum(request_characters(prompt_judge.request(item)) + longer for item in items)
    calls, tokens = count * asks * len(items), int(count * asks * characters) // CHARACTERS_PER_TOKEN
    return work_of(store, model, judge, calls, tokens, "judge", 0, None, purpose, unlikely * asks * len(items))


def rewriting(
    store: Store | None,
    model: Model,
    part: Prepared,
    judge: JudgeOptions,
    rewrites: Rewrites,
    *,
    searches: int = 1,
    purpose: str = "rewriting",
) -> Work:
    """Return the meta-LLM's work in so many searches: rewrites, error analyses, and asking once more for each rewrite.

    The last of these is not to be expected, but can happen.
    """
    calls = searches * (rewrites.count + rewrites.analysis * rewrites.iterations)
    tokens = searches * sum(rewrites.request_lengths(part)) // CHARACTERS_PER_TOKEN
    return work_of(store, model, judge, calls, tokens, "optimizer", 0, None, purpose, searches * rewrites.count)
