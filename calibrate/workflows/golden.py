"""Looking after golden sets: what a set can show, and taking new labels in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from calibrate.domain import GoldenSet, Item, Json, Scale
from calibrate.errors import InputError
from calibrate.golden import Finding, LoadOptions, builtin_sets, check, load_golden, merge
from calibrate.metrics import (
    Gate,
    RaterAgreement,
    Resolution,
    agreement_gate,
    disagreements,
    rater_agreement,
    resolvable_difference,
)
from calibrate.workflows.results import document
from calibrate.workflows.sentences import counted
from calibrate.workflows.setup import select_dimensions

if TYPE_CHECKING:
    from calibrate.workflows.plan import DimensionPlan

__all__ = [
    "DimensionCheck",
    "DisputedItem",
    "GoldenCheck",
    "Merged",
    "check_golden",
    "class_counts",
    "excerpt",
    "merge_golden",
    "raters_gate",
    "used_classes",
]

_EXCERPT = 80
_TELLING = ("answer", "claim", "answer_a", "question")  # of an item's inputs, the ones to know it by


@dataclass(frozen=True, slots=True)
class DisputedItem:
    """An item on which raters disagree.

    Attributes:
        id: its id.
        ratings: label by rater.
        disagreement: in (0, 1]: share of pairs of raters who differ, or their mean distance as a share of the scale.
        excerpt: the beginning of its answer, or of the input that it is best known by.
    """

    id: str
    ratings: Mapping[str, str]
    disagreement: float
    excerpt: str

    def to_json(self) -> dict[str, Json]:
        """Return the fields as JSON."""
        return {
            "id": self.id,
            "ratings": dict(self.ratings),
            "disagreement": self.disagreement,
            "excerpt": self.excerpt,
        }


@dataclass(frozen=True, slots=True)
class DimensionCheck:
    """One dimension of a set.

    Attributes:
        dimension: its name.
        scale: its scale.
        items: all items.
        labelled: the items with a gold label.
        classes: labelled items per label; on an interval scale the two sides of its threshold.
        agreement: the raters' agreement, None without ratings.
        gate: whether they agree enough to calibrate a judge against them.
        resolution: the smallest difference of two judges that so many items resolve; None when it is undefined.
        disputed: the items on which raters disagree, the most disputed first.
    """

    dimension: str
    scale: Scale
    items: int
    labelled: int
    classes: Mapping[str, int]
    agreement: RaterAgreement | None
    gate: Gate
    resolution: Resolution | None
    disputed: tuple[DisputedItem, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Return the entry of the ``dimensions`` list."""
        return {
            "dimension": self.dimension,
            "scale": self.scale.to_json(),
            "items": self.items,
            "labelled": self.labelled,
            "classes": dict(self.classes),
            "agreement": None if self.agreement is None else self.agreement.to_json(),
            "gate": self.gate.to_json(),
            "resolution": None if self.resolution is None else self.resolution.to_json(),
            "disputed": [each.to_json() for each in self.disputed],
        }


@dataclass(frozen=True, slots=True)
class GoldenCheck:
    """What is to be known about a golden set before anything is measured on it.

    Attributes:
        sentence: whether it can be used, and what for.
        name: the set's name.
        digest: its content digest.
        dimensions: one entry for each dimension.
        findings: what is wrong or limits what it can show.
        notes: what was mapped or left out on reading.
        status: ``ok``, or ``refused`` when it cannot be used for a calibration.
        plan: what more labels of each dimension would buy, when asked for.
    """

    sentence: str
    name: str
    digest: str
    dimensions: tuple[DimensionCheck, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    status: Literal["ok", "refused"]
    plan: tuple[DimensionPlan, ...] | None = None

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        plan: dict[str, Json] = {} if self.plan is None else {"plan": [each.to_json() for each in self.plan]}
        return document(
            self.status,
            **plan,
            sentence=self.sentence,
            name=self.name,
            digest=self.digest,
            dimensions=[each.to_json() for each in self.dimensions],
            findings=[
                {
                    "level": each.level,
                    "code": each.code,
                    "message": each.message,
                    "ids": list(each.ids),
                    "dimension": each.dimension,
                }
                for each in self.findings
            ],
            notes=list(self.notes),
        )


@dataclass(frozen=True, slots=True)
class Merged:
    """A new version of a golden set.

    Attributes:
        sentence: what was written.
        path: the new version, or the set itself when nothing changed.
        labels: (id, old label or None, new label).
        notes: ids of the items whose note changed.
        messages: what else there is to say.
    """

    sentence: str
    path: str
    labels: tuple[tuple[str, str | None, str], ...]
    notes: tuple[str, ...]
    messages: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        labels = [{"id": item_id, "old": old, "new": new} for item_id, old, new in self.labels]
        return document(
            "ok",
            sentence=self.sentence,
            path=self.path,
            labels=labels,
            notes=list(self.notes),
            messages=list(self.messages),
        )


def check_golden(path: str, options: LoadOptions, dimensions: tuple[str, ...] = ()) -> GoldenCheck:
    """Check a golden set.

    Raises:
        InputError: it cannot be read at all, or has no such dimension.
    """
    loaded = load_golden(path, options)
    chosen = select_dimensions(loaded.golden, dimensions)
    checks = tuple(_dimension(loaded.golden.only(name)) for name in chosen)
    findings = [each for each in check(loaded) if each.dimension in chosen]
    for each in checks:
        level: Literal["error", "info"] = "error" if each.gate.passed is False else "info"
        findings.append(Finding(level, f"raters_{each.gate.code}", each.gate.reason, dimension=each.dimension))
    errors = sum(each.level == "error" for each in findings)
    warnings = sum(each.level == "warning" for each in findings)
    verdict = "cannot be used for a calibration as it is" if errors else "can be used"
    sentence = (
        f"{loaded.golden.name}: {counted(sum(each.labelled for each in checks), 'labelled item')} in {len(checks)} "
        f"dimension{'s' if len(checks) > 1 else ''}; {verdict} ({counted(errors, 'error')}, "
        f"{counted(warnings, 'warning')})."
    )
    status: Literal["ok", "refused"] = "refused" if errors else "ok"
    name, digest = loaded.golden.name, loaded.golden.digest
    return GoldenCheck(sentence, name, digest, checks, tuple(findings), loaded.messages, status)


def merge_golden(path: str, labels: str, options: LoadOptions) -> Merged:
    """Make a new version of a set with new labels and notes; the old one stays.

    Raises:
        InputError: by row, when an id, a label or an input does not fit; nothing is written then.
    """
    if not Path(path).exists() and path in builtin_sets():
        raise InputError(
            f"'{path}' comes with the package and stays as it is; copy the folder {builtin_sets()[path]} here, "
            "then merge into the copy"
        )
    found = merge(path, labels, options)
    if found.changed:
        sentence = (
            f"{found.path}: {counted(len(found.labels), 'label')} and {counted(len(found.notes), 'note')} changed, "
            f"{counted(len(found.confirmed), 'label')} confirmed; {path} stays as it was."
        )
    else:
        sentence = f"Nothing changed; {path} stays as it is and no new version was written."
    return Merged(sentence, str(found.path), found.labels, found.notes, found.messages)


def raters_gate(golden: GoldenSet) -> Gate:
    """Return whether the raters of a set of one dimension agree enough (STATISTICS section 6)."""
    (dimension,) = golden.dimensions
    return agreement_gate([item.ratings for item in golden.items], golden.scales[dimension])


def _dimension(golden: GoldenSet) -> DimensionCheck:
    (dimension,) = golden.dimensions
    scale = golden.scales[dimension]
    classes = class_counts(golden, scale)
    resolution = None
    used = used_classes(classes, scale)
    if used is not None:
        shares, used_scale = used
        resolution = resolvable_difference(len(golden.labelled), shares, used_scale)
    ratings = [item.ratings for item in golden.items]
    return DimensionCheck(
        dimension=dimension,
        scale=scale,
        items=len(golden.items),
        labelled=len(golden.labelled),
        classes=classes,
        agreement=rater_agreement(ratings, scale) if golden.raters else None,
        gate=raters_gate(golden),
        resolution=resolution,
        disputed=tuple(_disputed(golden.items, scale)) if golden.raters else (),
    )


def used_classes(classes: Mapping[str, int], scale: Scale) -> tuple[list[int], Scale] | None:
    """Return the counts of the classes and the scale that they stand for; None below two classes with items.

    Labels of a nominal scale that nobody used say nothing about a judge; the scale is taken without them.
    """
    present = [count for count in classes.values() if count]
    if len(present) < 2:
        return None
    if scale.kind != "nominal":
        return list(classes.values()), scale
    return present, replace(scale, labels=tuple(label for label, count in classes.items() if count))


def excerpt(item: Item) -> str:
    """Return the beginning of an item's answer, or of the input that it is best known by, in one line."""
    telling = (item.inputs[name] for name in _TELLING if name in item.inputs)
    text = next(telling, next(iter(item.inputs.values()), ""))
    line = " ".join((text if isinstance(text, str) else " ".join(text)).split())
    return line if len(line) <= _EXCERPT else line[: _EXCERPT - 1] + "…"


def _disputed(items: Sequence[Item], scale: Scale) -> Iterator[DisputedItem]:
    for each in disagreements([item.ratings for item in items], scale):
        if each.disagreement > 0:
            item = items[each.item]
            yield DisputedItem(item.id, item.ratings, each.disagreement, excerpt(item))


def class_counts(golden: GoldenSet, scale: Scale) -> dict[str, int]:
    """Return the labelled items of each label, on an interval scale of the two sides of its threshold."""
    labels = [item.label for item in golden.labelled if item.label is not None]
    if scale.kind == "interval":
        above = sum(bool(scale.passes(label)) for label in labels)
        return {f"< {scale.threshold:g}": len(labels) - above, f">= {scale.threshold:g}": above}
    counts = Counter(labels)
    return {label: counts[label] for label in scale.labels}
