"""A page as Markdown for a pull request: the same facts, short, with data that stays text.

Every text is escaped so that it is no markup, and so that it mentions nobody and links to nothing: what follows an
``@``, a ``#`` or a colon that would begin a mention, a reference, an address or an emoji is parted from it by a
zero-width space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from calibrate.report.blocks import (
    SIMULATED,
    Block,
    Cell,
    Chart,
    Column,
    Confusion,
    Diff,
    Disagreement,
    Disagreements,
    Facts,
    Notes,
    Page,
    Paragraph,
    Preformatted,
    Table,
    TracedQuestion,
    Traces,
)

__all__ = ["MOST_IN_MARKDOWN", "markdown_page"]

MOST_IN_MARKDOWN = 20
"""Disagreements, or questions whose outcome changed, that a page in Markdown lists."""

_LONGEST_TEXT = 300
_LONGEST_INPUT = 160
_MOST_ROWS = 40
_MOST_LINES = 300
_MANY_FACTS = 8
_MARKUP = re.compile(r"([\\`*_\[\]{}~|$])")
_SPACE = "&#8203;"
_PARTED = re.compile(r"([@#])(?=\w)|:(?=//|\w+:)|(?<=\bwww)\.|(?<=\b[Gg][Hh])-(?=\d)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LINE_START = re.compile(r"^(?:[-+](?=\s|$)|#+(?=\s|$)|[-=]+$|\d+(?=[.)](?:\s|$)))")


def markdown_page(page: Page) -> str:
    """Return a page as GitHub-flavoured Markdown."""
    parts = [f"## {_text(page.title)}", f"**{_text(page.sentence)}**"]
    if page.simulated:
        parts.append(f"> {SIMULATED}")
    parts += [_text(each) for each in page.notes]
    parts += [" · ".join(f"{_text(name)}: {_text(value)}" for name, value in page.facts)] if page.facts else []
    for section in page.sections:
        parts.append(f"### {_text(section.title)}")
        parts += [part for block in section.blocks for part in _block(block) if part]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph():
            yield f"**{_text(block.text)}**" if block.tone == "strong" else _text(block.text)
        case Table():
            yield _folded(block.caption, _table(block)) if block.folded else _table(block)
        case Chart():
            yield _folded(block.table.caption, _table(block.table))
        case Notes():
            yield "\n".join(f"- {_text(each)}" for each in block.sentences)
        case Facts():
            facts = "\n".join(f"- {_text(name)}: {_text(value)}" for name, value in block.pairs)
            yield _folded("The facts", facts) if len(block.pairs) > _MANY_FACTS else facts
        case Confusion():
            yield f"{_text(block.caption)}:"
            yield _table(_confusion(block))
        case Diff():
            signs = {"same": " ", "removed": "-", "added": "+"}
            lines = [f"{signs[what]}{line}" for what, line in block.lines]
            yield _folded(block.caption, _fenced(lines, "diff"))
        case Preformatted():
            # What is folded on a page is too long here: a prompt in full beside what changed in it.
            yield "" if block.folded else _folded(block.caption, _fenced(block.text.splitlines(), "text"))
        case Disagreements():
            yield from _disagreements(block)
        case Traces():
            yield from _traces(block)


def _disagreements(block: Disagreements) -> Iterator[str]:
    shown = block.each[:MOST_IN_MARKDOWN]
    yield f"Judge and experts differ on {len(block.each) + block.left_out} of {block.of} items."
    if shown:
        lines = [_line(each) for each in shown]
        more = len(block.each) + block.left_out - len(shown)
        if more:
            why = f": {_text(block.why)}" if block.why else ""
            lines.append(f"- and {more} more{why}")
        yield _folded("These items", "\n".join(lines))


def _line(each: Disagreement) -> str:
    note = f" Note: {_text(_short(each.note))}" if each.note else ""
    said = f" Judge: {_text(_short(each.reasoning))}" if each.reasoning else ""
    labels = f"experts {_text(each.label)}, judge {_text(each.verdict)}"
    inputs = [f"  - {_text(name)}: {_text(_short(text, _LONGEST_INPUT))}" for name, text in each.inputs]
    return "\n".join([f"- **{_text(each.item)}** ({_text(each.error)}): {labels}.{note}{said}", *inputs])


def _traces(block: Traces) -> Iterator[str]:
    shown = block.each[:MOST_IN_MARKDOWN]
    yield _text(block.caption)
    if shown:
        lines = [_traced(each) for each in shown]
        more = len(block.each) + block.left_out - len(shown)
        if more:
            why = f": {_text(block.why)}" if block.why else ""
            lines.append(f"- and {more} more{why}")
        yield _folded("These questions", "\n".join(lines))


def _traced(each: TracedQuestion) -> str:
    """Write a question with the first part of each trace, which is the answer; the page in HTML has all of them."""
    moves = _text(_short("; ".join(each.moves)))
    answers = [
        f"  - {_text(trace.name)}: {_text(_short(' '.join(line.text for line in trace.parts[0].lines)))}"
        for trace in each.traces
        if trace.parts
    ]
    return "\n".join(
        [f"- **{_text(each.id)}** ({_text(each.direction)}): {_text(_short(each.text))} — {moves}", *answers]
    )


def _confusion(block: Confusion) -> Table:
    columns = (Column("experts \\ judge"), *(Column(label, numeric=True) for label in block.labels))
    rows = tuple(
        (Cell(label), *(Cell(str(count)) for count in row))
        for label, row in zip(block.labels, block.matrix, strict=True)
    )
    return Table(block.caption, columns, rows)


def _table(table: Table) -> str:
    lines = [
        _row([_text(each.name) for each in table.columns]),
        _row(["---:" if each.numeric else "---" for each in table.columns]),
        *(_row([_cell(cell) for cell in row]) for row in table.rows[:_MOST_ROWS]),
    ]
    more = len(table.rows) - _MOST_ROWS
    return "\n".join(lines) + (f"\n\nand {more} more" if more > 0 else "")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    note = f" ({_text(cell.note)})" if cell.note else ""
    text = _text(cell.text)
    return f"**{text}**{note}" if cell.tone == "strong" and text else f"{text}{note}"


def _folded(caption: str, text: str) -> str:
    return f"<details><summary>{_text(caption)}</summary>\n\n{text}\n\n</details>"


def _fenced(lines: Sequence[str], language: str) -> str:
    more = len(lines) - _MOST_LINES
    text = "\n".join((*lines[:_MOST_LINES], *([f"and {more} more lines"] if more > 0 else [])))
    longest = max((len(each) for each in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _text(text: str) -> str:
    """Return a text as one line of Markdown that reads as the text."""
    line = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))
    parted = _PARTED.sub(lambda found: f"{found[0]}\0", line)
    entities = parted.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = _LINE_START.sub(_backslash, _MARKUP.sub(r"\\\1", entities))
    return escaped.replace("\0", _SPACE)


def _backslash(start: re.Match[str]) -> str:
    # A number begins a list with its point: `1\.` does not.
    return f"{start[0]}\\" if start[0].isdigit() else f"\\{start[0]}"


def _short(text: str, longest: int = _LONGEST_TEXT) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
