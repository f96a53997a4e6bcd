"""Judges that come as a bundle: which file is one, how it is read, and whether a golden set fits it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from calibrate.domain import GoldenSet, Item, Json, Model, Scale, unlike
from calibrate.errors import InputError
from calibrate.export import Exported, answering, bundle, read_bundle
from calibrate.golden import LoadedSet, LoadOptions, load_golden
from calibrate.golden.declaration import Declaration
from calibrate.golden.locate import locate

__all__ = [
    "MAX_BUNDLE_BYTES",
    "Bundle",
    "dimension_for",
    "fit_inputs",
    "fit_model",
    "fit_scale",
    "is_bundle",
    "load_bundle",
    "load_for",
    "without_examples",
]

MAX_BUNDLE_BYTES = 8 * 1024 * 1024
"""The largest bundle that is read."""

_FACTS = {
    "model": "{}",
    "weights": "weights {}",
    "api": "asked by the API {}",
    "max_tokens": "asked with max_tokens {}",
    "embedder": "compared by the embedder {}",
}


@dataclass(frozen=True, slots=True)
class Bundle:
    """A judge read from a file, its digests checked.

    Attributes:
        path: the file, as it was named.
        exported: the judge.
        content: the digest of all that the bundle holds.
    """

    path: str
    exported: Exported
    content: str

    @property
    def examples(self) -> tuple[str, ...]:
        """The ids of the items that its prompt shows as examples."""
        named = self.exported.provenance.get("examples")
        return tuple(each for each in named if isinstance(each, str)) if isinstance(named, list | tuple) else ()

    def record(self, shown: Iterable[Item] = ()) -> dict[str, Json]:
        """Return what a run records of where its judge came from; ``shown`` are the examples that its set had."""
        return {
            "file": self.path,
            "content": self.content,
            "examples": list(self.examples),
            "shown": [item.to_json() for item in shown],
        }

    def shown_among(self, items: Iterable[Item]) -> tuple[Item, ...]:
        """Return the items that the prompt shows: named in the bundle as such, and with the texts that it quotes."""
        named = frozenset(self.examples)
        if not named:
            return ()
        from calibrate.optimizer.examples import shows  # the search is no part of what every command loads

        own = self.exported.inputs
        return tuple(item for item in items if item.id in named and shows(self.exported.prompt.text, _seen(item, own)))


def is_bundle(name: str | Path) -> bool:
    """Return whether the name of a judge, a prompt or a run is that of a bundle: a file that ends in ``.json``.

    What has a provider before it (``exec:judge.json``) is one only if there is such a file.
    """
    text = str(name)
    return text.lower().endswith(".json") and "\n" not in text and (":" not in text or Path(text).is_file())


def load_bundle(path: str | Path) -> Bundle:
    """Read a bundle, and check that nobody has changed it.

    Raises:
        InputError: it cannot be read, is too large or no bundle, was changed, or is of another version.
    """
    source = str(path)
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BUNDLE_BYTES + 1)
    except FileNotFoundError:
        raise InputError("no such bundle; `calibrate export ID --to json -o FILE` writes one", file=source) from None
    except OSError as error:
        raise InputError(f"cannot read the bundle: {error.strerror or 'unreadable'}", file=source) from None
    if len(content) > MAX_BUNDLE_BYTES:
        raise InputError(f"larger than {MAX_BUNDLE_BYTES // 1024**2} MiB: not a bundle", file=source)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("not a bundle: not UTF-8 text", file=source) from None
    exported = read_bundle(text, source=source)
    return Bundle(source, exported, str(bundle(exported)["digests"]["content"]))


def load_for(given: Bundle, set_path: str, load: LoadOptions, notes: list[str]) -> LoadedSet:
    """Load a set that the bundle's judge is to judge; labels that nothing says how to read are read as the bundle does.

    Raises:
        InputError: the set cannot be used, or its labels are others than the bundle's.
    """
    try:
        return load_golden(set_path, load)
    except InputError as error:
        if says_scale(set_path, load):
            raise
        unexplained = error
    own = given.exported.scale
    scale = {each: getattr(own, each) for each in ("labels", "positive", "threshold", "low", "high")}
    try:
        loaded = load_golden(set_path, replace(load, scale=own.kind, **scale))
    except InputError as error:
        if str(error) == str(unexplained):  # it was not about the labels
            raise
        message = f"{error.message}, as {given.path} says; or say how to read them with --scale and --labels"
        raise InputError(message, file=error.file, row=error.row, field=error.field) from None
    notes.append(f"labels read as {given.path} says: {_words(own)}")
    return loaded


def says_scale(set_path: str, load: LoadOptions) -> bool:
    """Return whether the options, or the set's card, say on which scale the labels are; other words for them do not."""
    card = locate(set_path).card
    declared = (load.declared(card, name) for name in ("", *card.dimensions))
    return any(replace(each, aliases={}) != Declaration() for each in declared)


def dimension_for(given: Bundle, golden: GoldenSet, wanted: tuple[str, ...], notes: list[str]) -> str:
    """Return the dimension that a bundle judges in a set: the one asked for, else its own, else the only one.

    Raises:
        InputError: several were asked for, or it is not clear which one it is.
    """
    own = given.exported.dimension
    if len(wanted) > 1:
        raise InputError(f"it judges one dimension, '{own}'; name one --dimension", file=given.path)
    if not wanted and own not in golden.scales and len(golden.dimensions) > 1:
        raise InputError(
            f"it judges '{own}', and {golden.name} has {', '.join(golden.dimensions)}; name one with --dimension",
            file=given.path,
        )
    dimension = wanted[0] if wanted else own if own in golden.scales else golden.dimensions[0]
    if dimension != own:
        notes.append(f"{given.path} was written for '{own}'; here it judges '{dimension}'")
    return dimension


def fit_model(given: Bundle, model: Model) -> None:
    """Refuse a model that has the name of the bundle's and is another one; older bundles do not say which it is.

    Raises:
        InputError: names both.
    """
    was, now = given.exported.answering, answering(model.identity)
    differing = next((key for key in _FACTS if was.get(key) != now.get(key)), None)
    if not was or differing is None:
        return
    name = given.exported.model
    before, after = (_fact(differing, each.get(differing)) for each in (was, now))
    raise InputError(
        f"the bundle's judge is {before}; calibrate.toml's '{name}' is {after} now, which is another judge: declare it "
        f"as it was, or measure the prompt with it (--judge {name} --prompt {given.path})",
        file=given.path,
    )


def fit_scale(given: Bundle, part: GoldenSet, source: str) -> GoldenSet:
    """Return a dimension on the bundle's scale; one that has it already is returned as it is.

    Raises:
        InputError: its labels or its positive class are others.
    """
    ((dimension, theirs),) = part.scales.items()
    own = given.exported.scale
    if theirs == own:
        return part
    # The order of labels that have none is only the order in which the judge is told of them.
    in_order = own.kind != "ordinal" and set(theirs.labels) == set(own.labels)
    if not in_order or replace(theirs, labels=own.labels) != own:
        raise InputError(
            f"the judge of {given.path} answers on another scale ({_words(own)}) than '{dimension}' of the set has "
            f"({_words(theirs)}); if they mean the same, read the set with --labels, --positive and --map",
            file=source,
        )
    return replace(part, scales={dimension: own})


def fit_inputs(given: Bundle, part: GoldenSet, names: tuple[str, ...], source: str, notes: list[str]) -> GoldenSet:
    """Return a dimension whose items have what the bundle's judge sees, in its order, and nothing else.

    A set that has just these inputs is returned as it is, so that it is the set that earlier runs know.

    Args:
        given: the bundle.
        part: the dimension.
        names: the inputs that occur in it, in order of appearance.
        source: the file it came from.
        notes: told of inputs that are not shown.

    Raises:
        InputError: an input is missing in all items, or an item has none of them.
    """
    own = given.exported.inputs
    missing = [name for name in own if name not in names]
    if missing:
        raise InputError(
            f"the judge of {given.path} sees {', '.join(own)}, and the set has no {', '.join(missing)}; "
            f"name the column, as in --column {missing[0]}=COLUMN",
            file=source,
        )
    if names == own:
        return part
    further = [name for name in names if name not in own]
    if further:
        notes.append(f"not shown to the judge of {given.path}, which does not know it: {', '.join(further)}")
    items = [_seen(item, own) for item in part.items]
    empty = next((item for item in items if not item.inputs), None)
    if empty is not None:
        raise InputError(f"item {empty.id} has nothing that the judge sees", file=source, row=empty.row or None)
    return part.with_items(items)


def without_examples(given: Bundle, part: GoldenSet, notes: list[str]) -> tuple[GoldenSet, tuple[Item, ...]]:
    """Return a dimension without the items that the bundle's prompt shows, and these; it was told their labels."""
    shown = given.shown_among(part.items)
    if not shown:
        return part, ()
    left = unlike(part.items, shown)
    count = len(part.items) - len(left)
    items = "1 item is" if count == 1 else f"{count} items are"
    notes.append(f"{items} left out: the prompt of {given.path} shows them, or items like them, as examples")
    return part.with_items(left), shown


def _seen(item: Item, names: Iterable[str]) -> Item:
    inputs: Mapping[str, str | tuple[str, ...]] = {name: item.inputs[name] for name in names if name in item.inputs}
    return replace(item, inputs=inputs)


def _fact(key: str, value: Json) -> str:
    return f"without a {key} of its own" if value is None else _FACTS[key].format(value)


def _words(scale: Scale) -> str:
    facts = {"good": scale.positive, "good from": scale.threshold, "lowest": scale.low, "highest": scale.high}
    said = [f"{name} {value}" for name, value in facts.items() if value is not None]
    return ", ".join([f"{scale.kind}: {' / '.join(scale.labels)}" if scale.labels else scale.kind, *said])
