"""An embedder without a model: how many words and parts of words two texts share."""

from __future__ import annotations

import json
import re
import time
import unicodedata
from collections.abc import Mapping
from typing import Any, ClassVar

from scipy.sparse import hstack
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.preprocessing import normalize

from calibrate.config import Prices
from calibrate.domain import Json, ModelRequest, ModelResponse
from calibrate.providers.embeddings import embedding_texts
from calibrate.providers.prices import Pricing

__all__ = ["LEXICAL", "LexicalEmbedder"]

LEXICAL = "lexical"
"""The name of the embedder."""

_VERSION = 1  # raised whenever a text gets another vector
_FEATURES = 4096  # of each kind: two questions without a word in common come to less than 0.05
_WORD = re.compile(r"\w+")


class LexicalEmbedder:
    """Counts words, pairs of words, and their parts of three to five letters, each kind with the same weight.

    It needs no key, no network and no training, and knows no language: case, accents and punctuation do not count. It
    sees wording and not meaning: synonyms are unlike, and questions of one form are alike whatever they ask about. Its
    similarities lie in [0, 1], and compare with each other only. A text without a letter or a digit is a zero vector.

    Attributes:
        caution: what to bear in mind about its similarities.
        pricing: nothing is billed.
    """

    name = LEXICAL
    simulated = False
    caution: ClassVar[str] = (
        "lexical similarities compare wording, not meaning: they do not compare with those of another embedder"
    )
    pricing: ClassVar[Pricing] = Pricing(LEXICAL, declared=Prices(0.0, 0.0), declared_in=LEXICAL)

    def __init__(self) -> None:
        # Features are only ever added: with signs, two texts that share nothing could be less alike than nothing.
        same: dict[str, Any] = {
            "n_features": _FEATURES,
            "alternate_sign": False,
            "norm": "l2",
            "lowercase": False,
        }
        self._kinds = (
            HashingVectorizer(analyzer="word", token_pattern=r"\w+", ngram_range=(1, 2), **same),
            HashingVectorizer(analyzer="char_wb", ngram_range=(3, 5), **same),
        )

    @property
    def identity(self) -> Mapping[str, Json]:
        """What can change a vector beside the text."""
        return {"api": LEXICAL, "version": _VERSION}

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Return the vectors of the texts of a request, each of length 1 or 0.

        Raises:
            InputError: the request is no list of texts.
        """
        texts = [_words(text) for text in embedding_texts(request, LEXICAL)]
        started = time.perf_counter()
        vectors = self._vectors(texts) if texts else []
        latency = time.perf_counter() - started
        return ModelResponse(json.dumps(vectors), "stop", LEXICAL, cost=0.0, latency=latency)

    async def close(self) -> None:
        """Nothing is open."""

    def most_cost(self, request: ModelRequest) -> float:  # noqa: ARG002 — the same for all
        """Return what any request costs, in US dollars: nothing."""
        return 0.0

    def _vectors(self, texts: list[str]) -> list[list[float]]:
        joined = hstack([kind.transform(texts) for kind in self._kinds])
        vectors: list[list[float]] = normalize(joined.tocsr()).toarray().tolist()
        return vectors


def _words(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(_WORD.findall("".join(each for each in letters if not unicodedata.combining(each))))
