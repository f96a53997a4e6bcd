"""The bundle's form: which keys it has, and of which types."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibrate.domain import Scale, ScaleKind
from calibrate.errors import InputError
from calibrate.export.bundle import Exported
from calibrate.judge import JudgeSettings, Prompt, Task

__all__ = ["read_document"]

_DEEPEST = 100  # levels; a bundle has about ten


class _Declared(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Prompt(_Declared):
    text: str
    placeholders: list[str]
    single_braces: bool


class _DataBlock(_Declared):
    version: int
    description: str


class _Verdict(_Declared):
    version: int
    section: str | None
    form: dict[str, Any] | None = Field(alias="schema")


class _Answering(_Declared):
    api: str | None = None
    model: str | None = None
    max_tokens: int | None = None
    weights: str | None = None
    embedder: str | None = None


class _Model(_Declared):
    requested: str
    returned: list[str]
    answering: _Answering = _Answering()


class _Settings(_Declared):
    language: str
    temperature: int | float | None
    max_tokens: int
    allow_abstain: bool
    parse: str | None
    code: bool
    confidence: bool = False
    votes: int = 1
    adaptive: bool = False
    both_orders: bool = False
    task: Task = "verdict"


class _Scale(_Declared):
    kind: ScaleKind
    labels: list[str]
    positive: str | None
    threshold: int | float | None
    low: int | float | None
    high: int | float | None


class _Digests(_Declared):
    prompt: str
    judge: str
    content: str


class _Bundle(_Declared):
    version: Literal[1] = Field(alias="schema")
    kind: Literal["calibrate judge"]
    name: str
    dimension: str
    prompt: _Prompt
    system: str | None
    inputs: list[str]
    data_block: _DataBlock
    verdict: _Verdict
    model: _Model
    settings: _Settings
    scale: _Scale
    metrics: dict[str, Any]
    provenance: dict[str, Any]
    digests: _Digests

    def exported(self) -> Exported:
        """Return the judge of the bundle.

        Raises:
            InputError: its prompt, scale or settings are none that can be.
        """
        return Exported(
            name=self.name,
            dimension=self.dimension,
            prompt=Prompt.parse(self.prompt.text, self.inputs, single_braces=self.prompt.single_braces),
            model=self.model.requested,
            models_returned=tuple(self.model.returned),
            scale=Scale.from_json(self.scale.model_dump()),
            settings=JudgeSettings(**self.settings.model_dump()),
            inputs=tuple(self.inputs),
            metrics=self.metrics,
            provenance=self.provenance,
            answering=self.model.answering.model_dump(exclude_unset=True),
        )


def read_document(text: str, source: str | None) -> tuple[dict[str, Any], _Bundle]:
    """Return a bundle as it stands, its digests unchecked, and with its types.

    Raises:
        InputError: it is not JSON, or not of the bundle's form.
    """
    document = _json(text, source)
    try:
        return document, _Bundle.model_validate(document)
    except ValidationError as error:
        raise _problem(error, source) from None


def _json(text: str, source: str | None) -> dict[str, Any]:
    try:
        document = json.loads(text, parse_constant=_finite, parse_float=_finite, object_pairs_hook=_distinct)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a bundle: not valid JSON: {error}", file=source) from None
    if not isinstance(document, dict):
        raise InputError("not a bundle: write it with --to json", file=source)
    _refuse_deep(document, source)
    return document


def _refuse_deep(document: dict[str, Any], source: str | None) -> None:
    """Refuse what is nested so deep that it could be read and not be written again."""
    level: list[Any] = [document]
    for _ in range(_DEEPEST):
        level = [child for each in level for child in _children(each)]
        if not level:
            return
    raise InputError(f"not a bundle: nested more than {_DEEPEST} levels deep", file=source)


def _children(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _finite(written: str) -> float:
    value = float(written)
    if not math.isfinite(value):
        raise ValueError(f"{written} is no number that JSON has")
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return read


def _problem(error: ValidationError, source: str | None) -> InputError:
    first = error.errors(include_url=False)[0]
    what = {"extra_forbidden": "unknown key", "missing": "missing"}.get(first["type"], first["msg"].lower())
    field = ".".join(map(str, first["loc"]))
    return InputError(f"not a bundle of this version: {what}; export it again", file=source, field=field)
