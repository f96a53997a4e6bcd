"""Verdicts that other tools recorded, read as the table that recorded verdicts are always read from."""

from calibrate.golden.imports.formats import TOOLS, read_imported
from calibrate.golden.imports.imported import Imported

__all__ = ["TOOLS", "Imported", "read_imported"]
