"""The instructions alone."""

from __future__ import annotations

from calibrate.export.bundle import Exported

__all__ = ["as_text"]


def as_text(exported: Exported) -> str:
    """Return the prompt as a file that ``--prompt`` takes, ending in one line break."""
    return exported.prompt.text.rstrip("\n") + "\n"
