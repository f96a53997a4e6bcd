"""Tables that fit: columns of words are wrapped, and what still is too wide goes below in a further block.

Figures are never wrapped and no word is broken while there is another way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.table import Column, Table

__all__ = ["PlainTable"]

_GAP = 2


class PlainTable(Table):
    """A table without lines, whose columns from number ``right`` on are aligned to the right.

    Args:
        columns: their names.
        right: the first column of figures; those before it are words, which may be wrapped.
        widest: the most characters of a line, on a terminal or not; None leaves it to the terminal.
    """

    def __init__(self, columns: Sequence[str], *, right: int = 1, widest: int | None = None) -> None:
        super().__init__(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
        self.widest = widest
        for position, name in enumerate(columns):
            justify: JustifyMethod = "right" if position >= right else "left"
            self.add_column(name, justify=justify, overflow="fold", no_wrap=position == 0)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the table in as many blocks as it takes; each begins with the first column."""
        width = min(options.max_width, self.widest or options.max_width)
        for number, block in enumerate(self._blocks(console, width)):
            if number:
                yield ""
            yield from Table.__rich_console__(block, console, options.update(width=width))

    def _blocks(self, console: Console, width: int) -> Iterator[Table]:
        natural = [_natural(console, column) for column in self.columns]
        if _total(natural) <= width or len(natural) < 2:
            yield self
            return
        least = [_least(console, column, most) for column, most in zip(self.columns, natural, strict=True)]
        if least[0] > width // 2:
            least[0] = min(width // 2, _longest_word(console, [str(each) for each in self.columns[0].cells]))
        first, *others = range(len(natural))
        block = [first]
        for position in others:
            if len(block) > 1 and _total([least[each] for each in (*block, position)]) > width:
                yield self._block(block, natural, least, width)
                block = [first]
            block.append(position)
        yield self._block(block, natural, least, width)

    def _block(self, positions: Sequence[int], natural: Sequence[int], least: Sequence[int], width: int) -> Table:
        """Return some of the columns as a table, their widths between the least and the natural."""
        widths = _spread([natural[each] for each in positions], [least[each] for each in positions], width)
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
        for position, wide in zip(positions, widths, strict=True):
            column = self.columns[position]
            table.add_column(column.header, justify=column.justify, overflow="fold", width=wide)
        cells = [list(self.columns[position].cells) for position in positions]
        for row in zip(*cells, strict=True):
            table.add_row(*row)
        return table


def _spread(natural: Sequence[int], least: Sequence[int], width: int) -> list[int]:
    """Hand the free width out to the columns that want more, evenly."""
    widths = list(least)
    free = width - _total(widths)
    while free > 0:
        wanting = [each for each, wide in enumerate(widths) if wide < natural[each]]
        if not wanting:
            break
        for each in wanting[:free]:
            widths[each] += 1
        free = width - _total(widths)
    excess = _total(widths) - width
    if excess > 0:  # one word wider than the terminal
        widths[-1] = max(1, widths[-1] - excess)
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _natural(console: Console, column: Column) -> int:
    return max(_lengths(console, [str(column.header), *map(str, column.cells)]), default=0)


def _least(console: Console, column: Column, natural: int) -> int:
    """The width at which no word of a column of words is broken, and no cell of a column of figures."""
    header, cells = [str(column.header)], [*map(str, column.cells)]
    if column.no_wrap:
        return natural
    if column.justify == "right":
        return max(_longest_word(console, header), max(_lengths(console, cells), default=0))
    return _longest_word(console, header + cells)


def _longest_word(console: Console, texts: Sequence[str]) -> int:
    words = (cell_len(word) for text in texts for word in console.render_str(text).plain.split())
    return max(words, default=0)


def _lengths(console: Console, texts: Sequence[str]) -> list[int]:
    return [cell_len(line) for text in texts for line in console.render_str(text).plain.splitlines()]
