"""The rankings of the two variants of ``golden_sets/tienda_rag``, computed anew and written into their files.

``base`` ranks the chunks by TF-IDF over words, as they stand. ``reranked`` takes its first 50 and orders them by the
sum of two similarities: TF-IDF over runs of 3 to 5 letters within words, which sees ``devolver`` in ``devolución``,
and TF-IDF over words; both read the document's title with the chunk and leave function words and accents out.
A variant's context is the first five of its ranking. Only ``ranked`` and ``context`` of the files are rewritten:
answers, latencies and tokens stay, and an answer has to fit its context, so look at it when the context changes.

    python scripts/rag_rankings.py            # rewrite
    python scripts/rag_rankings.py --check    # only say whether the files hold these rankings
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

FOLDER = Path(__file__).parents[1] / "golden_sets" / "tienda_rag"
CONTEXT = 5
WIDE = 50
FUNCTION_WORDS = """
a al algo ante aunque asi aun cada como con cuando cuanto cuantos de del desde donde e el ella en entre es esa
ese eso esta este esto fue ha han has hasta hay he la las le les lo los me mi mis mas muy nada ni no nos o os
otra otro para pero por porque que quien se sea si sin sobre son soy su sus tambien te tengo ti tiene tu tus
un una uno vez y ya yo
""".split()

Rows = list[dict[str, Any]]


def rankings(questions: Rows, chunks: Rows) -> dict[str, dict[str, list[str]]]:
    """Return the ranked chunks by variant and question, the best first."""
    asked = [each["pregunta"] for each in questions]
    texts = [each["texto"] for each in chunks]
    titled = [f"{each['documento']}. {each['texto']}" for each in chunks]
    words = _similarities(asked, texts, TfidfVectorizer())
    base = [_best(row)[:WIDE] for row in words]
    fused = _similarities(
        asked, titled, TfidfVectorizer(preprocessor=_content_words, sublinear_tf=True)
    ) + _similarities(
        asked,
        titled,
        TfidfVectorizer(preprocessor=_content_words, sublinear_tf=True, analyzer="char_wb", ngram_range=(3, 5)),
    )
    reranked = [
        [place for place in _best(row) if place in frozenset(first)] for row, first in zip(fused, base, strict=True)
    ]
    return {
        name: {
            question["id"]: [chunks[place]["id"] for place in places]
            for question, places in zip(questions, ranked, strict=True)
        }
        for name, ranked in (("base", base), ("reranked", reranked))
    }


def rewritten(folder: Path = FOLDER) -> dict[Path, Rows]:
    """Return the rows of each variant's file with the rankings computed anew."""
    computed = rankings(read(folder / "bank.jsonl"), read(folder / "corpus.jsonl"))
    files = {}
    for name, by_question in computed.items():
        path = folder / "variants" / f"{name}.jsonl"
        files[path] = [
            {**row, "ranked": by_question[row["id"]], "context": by_question[row["id"]][:CONTEXT]} for row in read(path)
        ]
    return files


def read(path: Path) -> Rows:
    """Return the rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _similarities(asked: list[str], texts: list[str], vectorizer: TfidfVectorizer) -> NDArray[np.float64]:
    index = vectorizer.fit_transform(texts)
    similar: NDArray[np.float64] = (vectorizer.transform(asked) @ index.T).toarray()
    return similar


def _best(scores: NDArray[np.float64]) -> list[int]:
    """Places by falling score; equal ones, up to the noise of floating point, in the order of the corpus."""
    return [int(place) for place in np.argsort(-scores.round(9), kind="stable")]


def _content_words(text: str) -> str:
    letters = "".join(each for each in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(each))
    return " ".join(word for word in re.findall(r"\w+", letters) if word not in FUNCTION_WORDS)


def main() -> int:
    parser = argparse.ArgumentParser(description="The rankings of the variants of golden_sets/tienda_rag.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file holds other rankings")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="another folder with such a bank")
    arguments = parser.parse_args()
    checking = arguments.check
    changed = 0
    for path, rows in rewritten(arguments.folder).items():
        different = sum(new != old for new, old in zip(rows, read(path), strict=True))
        changed += different
        print(f"{path.name}: {len(rows)} questions, {different} with another ranking")
        if different and not checking:
            lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
            path.write_text("".join(lines), encoding="utf-8")
    return 1 if checking and changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
