"""Rewrite strategies of the user's own: a folder, and in it a Markdown file for each.

::

    # quote the numbers
    > The judge quotes every figure before it decides.

    Evidence: wrongly accepted, over-scored

    Rewrite the prompt so that the judge first copies every figure of the answer, then ...

The files are those of the folder whose names end in ``.md``, in any case of letters and in the order of their names;
hidden ones (``.name.md``) and subfolders are not read, links are followed. A file is UTF-8 text, with or without a byte
order mark, of at most 64 KiB; the line ends of Windows and of old Macs are read as line feeds. Its parts, in this
order, with any number of blank lines around each:

- **Name**, required: a first line of ``#``, white space and the name, at most 60 printable characters. White space in
  it is folded, and it is written in Unicode's composed form (NFC). The name of a strategy that comes with the program
  is allowed: the file replaces that strategy, its conditions included. ``baseline`` is not allowed, the name of the
  prompt that a search starts from.
- **Description**, optional: lines that begin with ``>``, up to the first one that does not; a line for people, its
  white space folded. The meta-LLM never sees it. Without one, the beginning of the request stands in for it.
- **Evidence**, optional: a line ``Evidence:`` (in any case of letters) and kinds of errors, separated by commas. The
  strategy is used only while the prompt to rewrite makes such errors, and is shown them first.
- **Request**, required: all the rest, as it is, less the blank lines around it. It goes to the meta-LLM as the user's
  own instruction: nothing in it is neutralised, and nothing is executed. A ``</request>`` in it would end it too early
  and is refused.

A request that itself begins with ``>`` or ``Evidence:`` needs a description, or evidence, before it.
"""

from __future__ import annotations

import difflib
import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from calibrate.domain import Json, digest
from calibrate.errors import InputError
from calibrate.optimizer.strategies import STRATEGIES, Strategy
from calibrate.optimizer.trials import ErrorKind

__all__ = [
    "ERROR_KINDS",
    "MAX_FILES",
    "MAX_NAME",
    "MAX_STRATEGY_BYTES",
    "chosen_strategies",
    "load_strategies",
    "strategy_digest",
    "strategy_record",
]

MAX_STRATEGY_BYTES = 64 * 1024
"""The largest file that is read."""

MAX_FILES = 100
"""The most files of a folder; one with more of them holds something else."""

MAX_NAME = 60
"""Characters of a name at most."""

ERROR_KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)
"""The kinds of errors that a strategy can work on."""

_RESERVED = "baseline"
_BEGINNING = 80  # characters of a request that stand in for a description
_HEADING = re.compile(r"#(?:\s+(?P<name>.*))?")
_EVIDENCE = re.compile(r"\s*evidence\s*:(?P<kinds>.*)", re.IGNORECASE)
_END_OF_REQUEST = re.compile(r"<\s*+/\s*+request(?!\w)", re.IGNORECASE)


def load_strategies(folder: str | Path) -> tuple[Strategy, ...]:
    """Read the strategies of a folder, in the order of its file names.

    Raises:
        InputError: the folder is missing, is none, or has no such file; or one of the files cannot be read, is too
            large, is not UTF-8 text, has no name, no request, an unknown kind of evidence, or another one's name. The
            message names the file, and the line where there is one.
    """
    found: dict[str, tuple[Strategy, Path]] = {}
    for file in _files(Path(folder)):
        strategy, line = _parse(_read(file), str(file))
        if strategy.name in found:
            other = found[strategy.name][1].name
            raise _refusal(f"'{strategy.name}' is the name in {other} too; give each its own", file, line)
        found[strategy.name] = strategy, file
    return tuple(strategy for strategy, _ in found.values())


def chosen_strategies(
    built_in: Sequence[Strategy], own: Sequence[Strategy], names: Sequence[str] = ()
) -> tuple[Strategy, ...]:
    """Return the strategies that a search is to use.

    Args:
        built_in: those that come with the program.
        own: the user's; one with the name of a built-in one takes its place, the others follow at the end.
        names: keep these only, in this order; a name given twice counts once. Empty keeps all.

    Raises:
        InputError: a name is not known; the message lists the known ones, the most similar first.
    """
    known = {strategy.name: strategy for strategy in (*built_in, *own)}
    chosen = dict.fromkeys(_name(name) for name in names)
    for name in chosen:
        if name not in known:
            listed = ", ".join(f"'{each}'" for each in _similar_first(name, list(known)))
            raise InputError(f"there is no strategy '{name}'; use one of {listed}", field="--strategy")
    return tuple(known[name] for name in chosen or known)


def strategy_record(strategies: Iterable[Strategy]) -> list[Json]:
    """Return what fixes the strategies of a search, for its specification.

    One that comes with the program is its name, since the version of the meta-prompt covers its text. One of the user's
    own is its name and the digest of what it does, so that a search with another text is another search.
    """
    return [
        each.name if each in STRATEGIES else {"name": each.name, "digest": strategy_digest(each)} for each in strategies
    ]


def strategy_digest(strategy: Strategy) -> str:
    """Return the digest of what a strategy of the user's own does: its request and its kinds of evidence."""
    return digest({"request": strategy.request, "evidence": sorted(strategy.evidence)})


def _files(folder: Path) -> list[Path]:
    source = str(folder)
    try:
        if not folder.exists():
            raise InputError("no such folder of strategies; check the path", file=source)
        if not folder.is_dir():
            raise InputError("not a folder; name the folder that holds the strategies", file=source)
        found = (each for each in folder.iterdir() if each.suffix.lower() == ".md" and not each.name.startswith("."))
        files = sorted((each for each in found if not each.is_dir()), key=lambda each: each.name)
    except OSError as error:
        raise InputError(f"the folder cannot be read: {error.strerror or 'unreadable'}", file=source) from None
    if not files:
        raise InputError("no strategies here; put a Markdown file (NAME.md) for each into the folder", file=source)
    if len(files) > MAX_FILES:
        raise InputError(f"{len(files)} Markdown files; a folder of strategies has {MAX_FILES} at most", file=source)
    return files


def _read(file: Path) -> str:
    source = str(file)
    try:
        if file.exists() and not file.is_file():  # reading a pipe or a device might never end
            raise InputError("not a regular file; put the strategy's text here", file=source)
        with file.open("rb") as stream:
            content = stream.read(MAX_STRATEGY_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or 'unreadable'}", file=source) from None
    if len(content) > MAX_STRATEGY_BYTES:
        raise InputError(f"larger than {MAX_STRATEGY_BYTES // 1024} KiB; shorten the strategy", file=source)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _line_ends(content[: error.start].decode("utf-8")).count("\n") + 1
        raise _refusal(f"not UTF-8 (byte 0x{content[error.start]:02x}); save it as UTF-8", source, line) from None
    text = _line_ends(text.removeprefix("\ufeff"))
    if "\0" in text:
        raise _refusal("a null character; this is no text file", source, text[: text.index("\0")].count("\n") + 1)
    return text


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(slots=True)
class _Lines:
    """The lines of a file, taken from the top."""

    lines: list[str]
    at: int = 0

    def peek(self) -> str | None:
        """The next line; None at the end."""
        return self.lines[self.at] if self.at < len(self.lines) else None

    def skip_blank(self) -> None:
        while (line := self.peek()) is not None and not line.strip():
            self.at += 1


def _parse(text: str, source: str) -> tuple[Strategy, int]:
    """Return a file's strategy, and the line of its name."""
    lines = _Lines(text.split("\n"))
    lines.skip_blank()
    heading = lines.at + 1
    name = _heading(lines, source)
    description = _description(lines)
    evidence = _evidence(lines, source)
    request = _request(lines, source)
    beginning = textwrap.shorten(request, _BEGINNING, placeholder=" …")
    return Strategy(name, description or beginning, request, evidence), heading


def _heading(lines: _Lines, source: str) -> str:
    line = lines.peek()
    number = lines.at + 1
    found = None if line is None else _HEADING.fullmatch(line)
    if found is None:
        raise _refusal(
            "no heading; begin the file with '# ' and the strategy's name", source, 1 if line is None else number
        )
    name = _name(found["name"] or "")
    if not name:
        raise _refusal("the heading has no name; write it after '# '", source, number)
    if len(name) > MAX_NAME:
        raise _refusal(f"a name of {len(name)} characters; {MAX_NAME} are possible", source, number)
    if not name.isprintable():
        raise _refusal("the name has a character that cannot be shown; write it anew", source, number)
    if name.casefold() == _RESERVED:
        raise _refusal(f"'{name}' is what the first prompt is called; choose another name", source, number)
    lines.at += 1
    return name


def _description(lines: _Lines) -> str:
    lines.skip_blank()
    quoted = []
    while (line := lines.peek()) is not None and line.startswith(">"):
        quoted.append(line[1:])
        lines.at += 1
    return " ".join(" ".join(quoted).split())


def _evidence(lines: _Lines, source: str) -> frozenset[ErrorKind]:
    lines.skip_blank()
    line = lines.peek()
    found = None if line is None else _EVIDENCE.fullmatch(line)
    if found is None:
        return frozenset()
    number = lines.at + 1
    lines.at += 1
    asked = [" ".join(kind.split()) for kind in found["kinds"].split(",") if kind.strip()]
    if not asked:
        raise _refusal(f"names no kind of error; known are {', '.join(ERROR_KINDS)}", source, number)
    kinds: set[ErrorKind] = set()
    for each in asked:
        kind = next((known for known in ERROR_KINDS if known == each.lower()), None)
        if kind is None:
            raise _refusal(
                f"'{each}' is no kind of error; known are {', '.join(_similar_first(each, ERROR_KINDS))}",
                source,
                number,
            )
        kinds.add(kind)
    return frozenset(kinds)


def _request(lines: _Lines, source: str) -> str:
    lines.skip_blank()
    rest = lines.lines[lines.at :]
    while rest and not rest[-1].strip():
        rest.pop()
    if not rest:
        last = len(lines.lines) if lines.lines[-1] else max(1, len(lines.lines) - 1)
        raise _refusal("no request; write below the name what the meta-LLM is to do", source, last)
    request = "\n".join(rest)
    end = _END_OF_REQUEST.search(request)
    if end is not None:
        number = lines.at + 1 + request[: end.start()].count("\n")
        raise _refusal("a </request> would end the request here; leave it out", source, number)
    return request


def _refusal(message: str, source: str | Path, line: int) -> InputError:
    return InputError(f"line {line}: {message}", file=str(source))


def _name(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _similar_first(name: str, known: Sequence[str]) -> list[str]:
    folded: dict[str, list[str]] = {}
    for each in known:
        folded.setdefault(each.casefold(), []).append(each)
    close = difflib.get_close_matches(name.casefold(), folded, n=3)
    first = [each for match in close for each in folded[match]]
    return [*first, *(each for each in known if each not in first)]
