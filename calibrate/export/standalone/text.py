"""How labels and numbers read."""

from __future__ import annotations

import math
import re
import unicodedata

# --- exported


_ZERO_WIDTH = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD])
_EDGES = " \t\r\n\f\v\xa0*_`~#\"'“”‘’«».,;:!?¡¿()[]{}<>|/\\"
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_LONGEST_LABEL = 1000


def _normalise(text: str) -> str:
    """Fold Unicode form and case; trim white space, zero-width characters, markup and surrounding punctuation."""
    folded = unicodedata.normalize("NFKC", text.translate(_ZERO_WIDTH)).casefold()
    # A leading point or comma stays: ".5" must not read as "5".
    return unicodedata.normalize("NFKC", folded).lstrip(_EDGES.replace(".", "").replace(",", "")).rstrip(_EDGES)


def _number(raw: object) -> float | None:
    """Read ``raw`` as a finite number, or return None. Booleans are not numbers here."""
    if isinstance(raw, str):
        text = raw.translate(_ZERO_WIDTH).strip()
        raw = float(text) if _DECIMAL.fullmatch(text) else None
    return raw if isinstance(raw, float) and math.isfinite(raw) else None
