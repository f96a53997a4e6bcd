"""Where a bank and what belongs to it are: one table, a folder, or a bank that comes with the package."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from calibrate.errors import InputError
from calibrate.golden.card import CARD_NAME, read_card_text
from calibrate.golden.locate import builtin_banks
from calibrate.golden.tables import TABLE_SUFFIXES

__all__ = ["BankCard", "BankLocation", "locate_bank", "newest_beside"]

_VERSION = re.compile(r"(?P<name>.+?)(?:\.v(?P<number>[0-9]+))?")


class BankCard(BaseModel):
    """What a folder says about its bank. Unknown keys are refused.

    Attributes:
        name: the bank's name; the folder's when not given.
        language: BCP 47 tag.
        provenance: how the bank, its corpus and its outputs were made.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str | None = None
    language: str | None = None
    provenance: str = ""


@dataclass(frozen=True, slots=True)
class BankLocation:
    """Where a bank and what belongs to it are.

    Attributes:
        table: the bank's table.
        name: the bank's name: from its card, else of its folder or file.
        corpus: the corpus's table, if the folder has one.
        variants: the tables of recorded outputs in the folder, by name.
        card: what the card says; an empty card when there is none.
        shipped: whether the bank comes with the package.
        messages: what there is to say about the choice of files.
    """

    table: Path
    name: str
    corpus: Path | None = None
    variants: tuple[Path, ...] = ()
    card: BankCard = field(default_factory=BankCard)
    shipped: bool = False
    messages: tuple[str, ...] = ()


def locate_bank(path: str | Path) -> BankLocation:
    """Find a bank's table and what belongs to it.

    A folder holds ``bank.*``, and may hold ``corpus.*``, ``variants/*`` and ``card.toml``. Of several versions of a
    bank (``bank.csv``, ``bank.v2.csv``) the newest counts.

    Raises:
        InputError: there is nothing of that name, or the folder's tables cannot be told apart.
    """
    place = Path(path)
    shipped = not place.exists()
    if shipped:
        builtin = builtin_banks()
        if str(path) not in builtin:
            known = f"; banks that come with calibrate: {', '.join(builtin)}" if builtin else ""
            raise InputError(f"no such file or folder{known}", file=str(path))
        place = builtin[str(path)]
    if not place.is_dir():
        return BankLocation(place, place.stem)
    card_path = place / CARD_NAME
    card = _read_card(card_path) if card_path.is_file() else BankCard()
    table, said = _bank_table(place)
    return BankLocation(
        table,
        card.name or place.resolve().name,
        corpus=_only(place, "corpus"),
        variants=tuple(sorted(_tables(place / "variants"))),
        card=card,
        shipped=shipped,
        messages=said,
    )


def newest_beside(table: Path) -> Path:
    """Return the newest version of a bank's table in its folder: the table itself when there is no later one."""
    versions, number = versions_beside(table), _version(table)[1]
    return versions[max(versions)] if versions and max(versions) > number else table


def versions_beside(table: Path) -> dict[int, Path]:
    """Return the versions of a bank's table in its folder, by their number."""
    return {
        _version(each)[1]: each
        for each in _tables(table.parent)
        if _version(each)[0] == _version(table)[0] and each.suffix.lower() == table.suffix.lower()
    }


def _bank_table(folder: Path) -> tuple[Path, tuple[str, ...]]:
    found = {each: _version(each) for each in _tables(folder) if _version(each)[0] == "bank"}
    if not found:
        raise InputError("the folder holds no bank; name its table bank.jsonl or bank.csv", file=str(folder))
    suffixes = {each.suffix.lower() for each in found}
    if len(suffixes) > 1:
        raise _several(folder, "bank", sorted(found))
    newest = max(found, key=lambda each: found[each][1])
    older = len(found) - 1
    said = f"{newest.name} is the newest of {older + 1} versions of the bank and counts; give a file for another"
    return newest, ((said,) if older else ())


def _only(folder: Path, stem: str) -> Path | None:
    found = [each for each in _tables(folder) if each.stem == stem]
    if len(found) > 1:
        raise _several(folder, stem, found)
    return found[0] if found else None


def _several(folder: Path, stem: str, found: list[Path]) -> InputError:
    names = " and ".join(each.name for each in found)
    return InputError(f"the folder holds {names}; keep one table of the name {stem}", file=str(folder))


def _tables(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.suffix.lower() in TABLE_SUFFIXES and each.is_file())


def _version(table: Path) -> tuple[str, int]:
    found = _VERSION.fullmatch(table.stem)
    if found is None:
        return table.stem, 1
    return found["name"], int(found["number"] or 1)


def _read_card(path: Path) -> BankCard:
    try:
        return BankCard.model_validate(tomllib.loads(read_card_text(path)))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", file=str(path)) from None
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        what = problem["msg"].lower()
        if problem["type"] == "extra_forbidden":
            what = f"unknown key; known are {', '.join(BankCard.model_fields)}"
        raise InputError(what, file=str(path), field=".".join(map(str, problem["loc"]))) from None
    except ValueError:  # the one thing that the TOML reader leaves to Python
        raise InputError("not valid TOML: a number of thousands of digits", file=str(path)) from None
