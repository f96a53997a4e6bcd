"""How tests and probes are named in a report and on a card: one wording for each conclusion."""

from __future__ import annotations

from collections.abc import Mapping

from calibrate.metrics import Probe

__all__ = ["CONCLUSIONS", "SOURCES", "probe_name"]

CONCLUSIONS: Mapping[str, str] = {
    "better": "better",
    "non_inferior": "not worse by more than the margin",
    "worse": "worse",
    "cannot_tell": "these data cannot tell",
    "biased": "biased",
    "no_sign": "no sign of bias",
    "not_identifiable": "not identifiable",
}
"""Of each conclusion of a comparison or a probe, the words."""

SOURCES: Mapping[str, str] = {
    "holdout": "held-out items",
    "confirm": "fresh labels",
    "cross_fit": "cross-fit, left-out folds",
}
"""Of each kind of unseen items, the words."""


def probe_name(probe: Probe) -> str:
    """Name a probe, and the value of the attribute that it is about."""
    name = probe.name.replace("_", " ")
    return name if probe.value is None else f"{name}={probe.value}"
