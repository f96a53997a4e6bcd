"""Makes a table of recorded verdicts from a clone of LLMBar, a public set of human preferences with LLM judges.

    git clone https://github.com/princeton-nlp/LLMBar
    python scripts/llmbar.py LLMBar llmbar.jsonl
    calibrate score llmbar.jsonl --human label --judge judge_gpt4_vanilla --judge judge_chatgpt_cot

One row for each pair of answers: the human label (A or B), and for each judge and prompt its verdict in both orders of
the answers, mapped back (``_swapped``); null where the judge gave none. LLMBar: Zeng et al., 2023, arXiv:2310.07641.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

JUDGES = ("GPT-4/Vanilla", "ChatGPT/Vanilla", "ChatGPT/CoT", "PaLM2/Vanilla", "LLaMA2/Vanilla", "Falcon/Vanilla")
WINNERS = {"1": "A", "2": "B"}


def main(arguments: list[str]) -> int:
    """Read a clone, write a JSON Lines file."""
    if len(arguments) != 2:
        print("usage: python scripts/llmbar.py CLONE OUTPUT.jsonl", file=sys.stderr)
        return 2
    root = Path(arguments[0]) / "Dataset" / "LLMBar"
    rows = list(table(root))
    if not rows:
        print(f"error: {root}: no dataset.json below it; name the folder of a clone of LLMBar", file=sys.stderr)
        return 2
    Path(arguments[1]).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} pairs written to {arguments[1]}")
    return 0


def table(root: Path) -> Iterator[dict[str, object]]:
    """Yield one row for each pair of answers below ``root``."""
    for dataset in sorted(root.rglob("dataset.json")):
        subset = "-".join(dataset.parent.relative_to(root).parts).lower()
        pairs = json.loads(dataset.read_text(encoding="utf-8"))
        verdicts = {judge: results(dataset.parent / "evaluators" / judge / "result.json") for judge in JUDGES}
        for number, pair in enumerate(pairs):
            row: dict[str, object] = {
                "id": f"llmbar-{subset}-{number:03}",
                "dimension": "instruction_following",
                "question": pair["input"],
                "answer_a": pair["output_1"],
                "answer_b": pair["output_2"],
                "label": WINNERS[str(pair["label"])],
                "subset": subset,
            }
            for judge, given in verdicts.items():
                if given:
                    first, swapped = given[number]
                    row |= {f"judge_{column(judge)}": first, f"judge_{column(judge)}_swapped": swapped}
            yield row


def results(path: Path) -> list[tuple[str | None, str | None]]:
    """Return a judge's verdicts in both orders, or nothing where the clone has none."""
    if not path.exists():
        return []
    found = []
    for pair in json.loads(path.read_text(encoding="utf-8")):
        (once,) = pair["results"]
        orders = (once["swap = False"]["winner"], once["swap = True"]["winner"])
        found.append((WINNERS.get(str(orders[0])), WINNERS.get(str(orders[1]))))
    return found


def column(judge: str) -> str:
    """Return ``GPT-4/Vanilla`` as ``gpt4_vanilla``."""
    return re.sub(r"\W+", "_", judge.replace("-", "")).lower()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
