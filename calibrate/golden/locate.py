"""Where a golden set is: a table, a folder with a card, or a set that comes with the package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import calibrate
from calibrate.errors import InputError
from calibrate.golden.card import CARD_NAME, Card, read_card
from calibrate.golden.tables import TABLE_SUFFIXES

__all__ = ["Location", "builtin_banks", "builtin_sets", "locate"]


@dataclass(frozen=True, slots=True)
class Location:
    """Where a set and its parts are.

    Attributes:
        path: the table, or the folder.
        table: the table.
        card: what the card says; an empty card when there is none.
        card_path: the card's file, if there is one.
        name: the folder's or the file's name without its suffix.
    """

    path: Path
    table: Path
    card: Card
    card_path: Path | None
    name: str

    @property
    def is_folder(self) -> bool:
        """Whether the set is a folder, not a single file."""
        return self.path != self.table


def builtin_sets() -> dict[str, Path]:
    """Return the sets that come with the package, by name: inside it when installed, beside it in a checkout."""
    return {name: folder for name, folder in _builtin().items() if not _is_bank(folder)}


def builtin_banks() -> dict[str, Path]:
    """Return the question banks for RAG systems that come with the package, by name; their table is ``bank.*``."""
    return {name: folder for name, folder in _builtin().items() if _is_bank(folder)}


def locate(path: str | Path) -> Location:
    """Find a set's table and card.

    Raises:
        InputError: there is nothing of that name, or the folder's table cannot be told.
    """
    place = Path(path)
    if not place.exists():
        builtin = builtin_sets()
        if str(path) in builtin_banks():
            raise InputError(f"a bank of questions, no golden set; `calibrate rag check {path}` looks at it")
        if str(path) not in builtin:
            known = f"; sets that come with calibrate: {', '.join(builtin)}" if builtin else ""
            raise InputError(f"no such file or folder{known}", file=str(path))
        place = builtin[str(path)]
    if not place.is_dir():
        return Location(place, place, Card(), None, place.stem)
    card_path = place / CARD_NAME
    card = read_card(card_path) if card_path.is_file() else Card()
    return Location(place, _table(place, card), card, card_path if card_path.is_file() else None, place.resolve().name)


def _builtin() -> dict[str, Path]:
    package = Path(calibrate.__file__).parent
    for root in (package / "golden_sets", package.parent / "golden_sets"):
        if root.is_dir():
            return {folder.name: folder for folder in sorted(root.iterdir()) if (folder / CARD_NAME).is_file()}
    return {}


def _is_bank(folder: Path) -> bool:
    return any((folder / f"bank{suffix}").is_file() for suffix in TABLE_SUFFIXES)


def _table(folder: Path, card: Card) -> Path:
    if card.file is not None:
        table = folder / card.file
        if not table.resolve().is_relative_to(folder.resolve()):
            raise InputError("the table must lie inside the folder", file=str(folder / CARD_NAME), field="file")
        if not table.is_file():
            raise InputError(f"no file '{card.file}' in the folder", file=str(folder / CARD_NAME), field="file")
        return table
    tables = sorted(each for each in folder.iterdir() if each.suffix.lower() in TABLE_SUFFIXES and each.is_file())
    if len(tables) != 1:
        found = f"tables {', '.join(each.name for each in tables)}" if tables else "no table"
        raise InputError(f'the folder holds {found}; name the one with file = "..." in {CARD_NAME}', file=str(folder))
    return tables[0]
