"""What the providers' headers say about their rate limits: when a limit of which nothing remains is reset.

OpenAI: https://developers.openai.com/api/docs/guides/rate-limits (durations such as ``6m0s`` and ``20ms``).
Anthropic: https://platform.claude.com/docs/en/api/rate-limits (moments as in RFC 3339).
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

__all__ = ["exhausted", "retry_after"]

_OPENAI = tuple((f"x-ratelimit-remaining-{limit}", f"x-ratelimit-reset-{limit}") for limit in ("requests", "tokens"))
_ANTHROPIC = tuple(
    (f"anthropic-ratelimit-{limit}-remaining", f"anthropic-ratelimit-{limit}-reset")
    for limit in ("requests", "tokens", "input-tokens", "output-tokens")
)
_PART = re.compile(r"(\d+(?:\.\d+)?)(d|h|ms|m|s|us|µs|ns)")
_SECONDS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}


def exhausted(headers: Mapping[str, str], *, now: Callable[[], float] = time.time) -> float | None:
    """Return the seconds until the limits of which nothing remains are reset; None when something remains of all.

    Headers that cannot be read say nothing.

    Args:
        headers: of a reply, names in lower case or case-insensitive.
        now: seconds since the epoch.
    """
    waits = [_duration(headers.get(reset, "")) for remaining, reset in _OPENAI if _is_nothing(headers.get(remaining))]
    waits += [
        _until(headers.get(reset, ""), now()) for remaining, reset in _ANTHROPIC if _is_nothing(headers.get(remaining))
    ]
    return max((wait for wait in waits if wait is not None), default=None)


def retry_after(headers: Mapping[str, str], *, now: Callable[[], float] = time.time) -> float | None:
    """Return the seconds that ``retry-after-ms`` or ``Retry-After`` ask for (RFC 9110 section 10.2.3), else None."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "").strip()
    seconds = _number(value)
    if seconds is not None:
        return seconds
    try:
        return parsedate_to_datetime(value).timestamp() - now()
    except (ValueError, TypeError, OverflowError):
        return None


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _is_nothing(remaining: str | None) -> bool:
    return remaining is not None and remaining.strip() == "0"


def _duration(value: str) -> float | None:
    parts = _PART.findall(value)
    if not parts or "".join(number + unit for number, unit in parts) != value.strip():
        return None
    seconds = sum(float(number) * _SECONDS[unit] for number, unit in parts)
    return seconds if math.isfinite(seconds) else None


def _until(value: str, now: float) -> float | None:
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return max(0.0, moment.timestamp() - now) if moment.tzinfo is not None else None
