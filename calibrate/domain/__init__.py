"""Frozen types shared by every layer."""

from calibrate.domain.digests import Json, canonical_json, digest
from calibrate.domain.items import GoldenSet, Item, Text, alike, unlike
from calibrate.domain.judgements import Judgement
from calibrate.domain.models import Finish, Model, ModelRequest, ModelResponse, UncertainCharge, Usage, request_key
from calibrate.domain.scales import Scale, ScaleKind, match_label, normalise_label, number
from calibrate.domain.verdicts import UNSCORED_REASONS, Scored, Unscored, UnscoredReason, Verdict

__all__ = [
    "UNSCORED_REASONS",
    "Finish",
    "GoldenSet",
    "Item",
    "Json",
    "Judgement",
    "Model",
    "ModelRequest",
    "ModelResponse",
    "Scale",
    "ScaleKind",
    "Scored",
    "Text",
    "UncertainCharge",
    "Unscored",
    "UnscoredReason",
    "Usage",
    "Verdict",
    "alike",
    "canonical_json",
    "digest",
    "match_label",
    "normalise_label",
    "number",
    "request_key",
    "unlike",
]
