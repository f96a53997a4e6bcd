"""A judge as a template that somebody else's server fills and asks: what such a definition can say of it."""

from __future__ import annotations

import re
from collections.abc import Callable

from calibrate.domain import Item
from calibrate.errors import InputError
from calibrate.export.adapted import refuse_unaskable
from calibrate.export.bundle import Exported

__all__ = ["cut", "differences", "template"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_DIFFERS = (
    "{tool} puts inputs into the texts as they are: a tag in one is not neutralised, an empty one is not marked, a "
    "list of chunks is not numbered. It asks for the verdict in a reply format of its own{sampling}. The alignment "
    "was measured without these differences."
)
_SAMPLING = ", at a temperature and a token limit of its own"


def template(exported: Exported, tool: str, place: Callable[[str], str]) -> tuple[str, str]:
    """Return the system and the user text, with a place for each input.

    Args:
        exported: the judge.
        tool: whose template it is.
        place: the name of an input to its place in a template.

    Raises:
        InputError: a template cannot say what the judge sends, or the reply is not one that the tool reads.
    """
    refuse_unaskable(exported, tool)
    if exported.settings.parse is not None:
        raise InputError(f"the judge has its own reply format (--parse), which {tool} cannot read; export it as python")
    strange = [name for name in exported.inputs if not _NAME.fullmatch(name)]
    if strange:
        raise InputError(f"the input '{strange[0]}' has no name that a template of {tool} takes; rename it")
    pieces = exported.prompt.fill(dict.fromkeys(exported.prompt.placeholders, "\0"))
    if any(each in pieces for each in ("{{", "}}", "{%", "{#", "{\0", "\0}")):
        raise InputError(
            f"the prompt holds braces that {tool} may take for a template, and there is no escape; write it another "
            "way, or export it as python"
        )
    inputs = {name: place(name) for name in exported.inputs}
    request = exported.judge.request(Item(id="", dimension=exported.dimension, inputs=inputs))
    return request.system, request.user


def differences(tool: str, *, sampling: bool) -> str:
    """Say what the tool does otherwise.

    Args:
        tool: whose template it is.
        sampling: whether temperature and token limit are the tool's.
    """
    return _DIFFERS.format(tool=tool, sampling=_SAMPLING if sampling else "")


def cut(text: str, longest: int) -> str:
    """Return a text as one line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
