"""Near duplicates: word shingles, Jaccard similarity, and all similar pairs without comparing every two."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet

__all__ = ["jaccard", "shingles", "similar_pairs"]

_EPSILON = 1e-9
_WORD = re.compile(r"\w+")


def shingles(text: str, k: int = 5) -> frozenset[str]:
    """Return the runs of ``k`` consecutive words of a text, case folded and without punctuation.

    A text of fewer words is one shingle; a text without words has none.
    """
    words = _WORD.findall(text.casefold())
    if len(words) <= k:
        return frozenset([" ".join(words)] if words else [])
    return frozenset(map(" ".join, zip(*(words[start:] for start in range(k)), strict=False)))


def jaccard(one: AbstractSet[Hashable], other: AbstractSet[Hashable]) -> float:
    """Return the size of the intersection over the size of the union, in [0, 1]; 0 for two empty sets."""
    shared = len(one & other)
    union = len(one) + len(other) - shared
    return shared / union if union else 0.0


def similar_pairs(
    sets: Sequence[AbstractSet[Hashable]], threshold: float, *, most: int | None = None
) -> Iterator[tuple[int, int]]:
    """Yield the positions (earlier, later) of all pairs with a Jaccard similarity of at least ``threshold``.

    Exact: two such sets share an element among the few rarest of each, so an index of those elements finds every pair
    (prefix and positional filters; Chaudhuri, Ganti, Kaushik, ICDE 2006; Xiao et al., WWW 2008). Empty sets are similar
    to nothing.

    Args:
        sets: the sets.
        threshold: in (0, 1].
        most: yield at most so many earlier partners per set, which bounds the work when all sets are alike.
    """
    frequency = Counter(element for each in sets for element in each)
    shared = sorted(((count, element) for element, count in frequency.items() if count > 1), key=lambda pair: pair[0])
    rank = {element: position for position, (_, element) in enumerate(shared)}
    index: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for later in sorted(range(len(sets)), key=lambda position: len(sets[position])):
        size = len(sets[later])
        ranks = sorted(rank[element] for element in sets[later] if element in rank)
        alone = size - len(ranks)  # elements of this set only come before all others
        prefix = ranks[: max(0, size - math.ceil(threshold * size - _EPSILON) + 1 - alone)]
        seen: set[int] = set()
        partners = 0
        for place, element in enumerate(prefix, start=alone):
            for earlier, its_place in index[element]:
                if earlier in seen or partners == most:
                    continue
                seen.add(earlier)
                # This is the rarest element they share: what follows it bounds what they can share in all.
                possible = min(size - place, len(sets[earlier]) - its_place)
                needed = threshold / (1 + threshold) * (size + len(sets[earlier]))
                if possible >= needed - _EPSILON and jaccard(sets[later], sets[earlier]) >= threshold:
                    partners += 1
                    yield (min(earlier, later), max(earlier, later))
            if partners == most:
                break
        for place, element in enumerate(prefix, start=alone):
            index[element].append((later, place))
