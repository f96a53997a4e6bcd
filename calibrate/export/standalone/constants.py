"""The constants of an example, which an exported judge has its own in place of."""

from __future__ import annotations

from typing import Any

MODEL = "provider:model"
TEMPERATURE: float | None = 0.0
MAX_TOKENS = 1024
LABELS: tuple[str, ...] = ("0", "1")
LOW: float | None = None
HIGH: float | None = None
INPUTS: tuple[str, ...] = ("question", "answer")
IN_BLOCK: tuple[str, ...] = INPUTS
SYSTEM = "Is the answer right?"
PARTS: tuple[str, ...] = ("Is <reply>", "answer", "</reply> right?")
PLACED_TAGS: tuple[str, ...] = ("reply",)
ASK = "Give your verdict on the item now."
SCHEMA: dict[str, Any] | None = None
PATTERN = r"Score: (\d)"
SUPPORTED = "1"
NOT_MENTIONED = "0"
CONTRADICTED: str | None = None
