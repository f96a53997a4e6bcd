"""What a page is made of: plain blocks of text, tables and charts, filled by the workflows and drawn here.

Every text is data: the renderers escape it, for HTML, for Plotly and for Markdown. Figures come as they are to be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from calibrate.domain import Json

__all__ = [
    "SIMULATED",
    "Block",
    "Cell",
    "Chart",
    "Column",
    "Confusion",
    "Diff",
    "Disagreement",
    "Disagreements",
    "Facts",
    "Line",
    "Notes",
    "Page",
    "Paragraph",
    "Preformatted",
    "Section",
    "Table",
    "Trace",
    "TracePart",
    "TracedQuestion",
    "Traces",
]

SIMULATED = "Simulated: this shows how the tool works and says nothing about any LLM."
"""Said on every page that a simulated model had a part in."""

Tone = Literal["", "strong", "good", "bad", "muted"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: what it says.
        note: what stands smaller behind it, such as an interval.
        tone: how it is set; never the only sign of what it says.
    """

    text: str
    note: str = ""
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: its heading.
        numeric: whether its cells are aligned to the right, on one line each.
        prose: whether its cells hold sentences, which need room.
    """

    name: str
    numeric: bool = False
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of each row names the row.

    Attributes:
        caption: what it shows.
        columns: its columns.
        rows: cells in the order of the columns.
        folded: whether it is closed at first, its caption being what opens it.
    """

    kind: ClassVar[str] = "table"
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    kind: ClassVar[str] = "paragraph"
    text: str
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences below each other, as a list."""

    kind: ClassVar[str] = "notes"
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and what is to be said of them."""

    kind: ClassVar[str] = "facts"
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Preformatted:
    """A text shown with its line breaks, such as a prompt."""

    kind: ClassVar[str] = "preformatted"
    caption: str
    text: str
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """An interactive chart, and the same data as a table for those who do not see it.

    Attributes:
        name: tells it from the others of a page: letters and hyphens.
        caption: what it shows.
        figure: ``data`` and ``layout`` of Plotly; its texts are escaped, and ``{"css": "--name"}`` is a colour of the
            page's style sheet.
        table: its data.
        key: what its signs mean: a sign and its words.
        legend: what its colours mean: words and a colour of the style sheet. Each entry shows and hides the traces
            whose ``meta`` are its words.
        height: in pixels.
    """

    kind: ClassVar[str] = "chart"
    name: str
    caption: str
    figure: Mapping[str, Json]
    table: Table
    key: tuple[tuple[str, str], ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    height: int = 420


@dataclass(frozen=True, slots=True)
class Confusion:
    """A confusion matrix: rows the experts' labels, columns the judge's."""

    kind: ClassVar[str] = "confusion"
    caption: str
    labels: tuple[str, ...]
    matrix: tuple[tuple[int, ...], ...]

    def shade(self, row: int, column: int) -> int:
        """Return how dark a cell is, 0 to 4: its share of the items that experts gave this label."""
        total = sum(self.matrix[row])
        return 0 if not total else -(-4 * self.matrix[row][column] // total)


@dataclass(frozen=True, slots=True)
class Diff:
    """Two texts as one, line by line: ``same``, ``removed`` or ``added``."""

    kind: ClassVar[str] = "diff"
    caption: str
    lines: tuple[tuple[Literal["same", "removed", "added"], str], ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item on which judge and experts differ.

    Attributes:
        item: its id.
        error: which way the judge is wrong.
        label: the experts' label.
        verdict: the judge's label, or why there is none.
        note: the experts' note, empty when there is none.
        reasoning: the judge's.
        inputs: what the judge saw, by name.
    """

    item: str
    error: str
    label: str
    verdict: str
    note: str
    reasoning: str
    inputs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Disagreements:
    """The items on which judge and experts differ.

    Attributes:
        each: those that are shown.
        left_out: how many are not.
        why: why they are not, in words.
        of: items that were judged.
    """

    kind: ClassVar[str] = "disagreements"
    each: tuple[Disagreement, ...]
    left_out: int = 0
    why: str = ""
    of: int = 0

    def errors(self) -> tuple[tuple[str, int], ...]:
        """Return each kind of error with how many of those shown are of it."""
        kinds = dict.fromkeys(each.error for each in self.each)
        return tuple((kind, sum(each.error == kind for each in self.each)) for kind in kinds)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a trace.

    Attributes:
        text: what it says, with its line breaks.
        mark: what stands before it, such as the id of a chunk.
        note: what is to be said of it, such as a rank or a verdict.
        tone: how the note is set; never the only sign of what it says.
    """

    text: str
    mark: str = ""
    note: str = ""
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class TracePart:
    """A part of a trace.

    Attributes:
        name: what it is, such as ``answer``.
        lines: its lines; without any it is said that there are none.
        folded: whether it is closed at first.
    """

    name: str
    lines: tuple[Line, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Trace:
    """What one system did with a question, and what came of it.

    Attributes:
        name: the system's.
        parts: what it did, in order.
    """

    name: str
    parts: tuple[TracePart, ...]


@dataclass(frozen=True, slots=True)
class TracedQuestion:
    """A question with what several systems did, to be read side by side.

    Attributes:
        id: the question's.
        text: the question.
        direction: what became of it, in a word or two.
        moves: what changed, or what is wrong, in words.
        about: what is known of the question itself.
        traces: what each system did.
    """

    id: str
    text: str
    direction: str
    moves: tuple[str, ...]
    about: tuple[TracePart, ...]
    traces: tuple[Trace, ...]


@dataclass(frozen=True, slots=True)
class Traces:
    """Questions with what several systems did.

    Attributes:
        name: tells it from the others of a page: letters and hyphens.
        caption: what they are.
        each: those that are shown.
        left_out: how many are not.
        why: why they are not, in words.
    """

    kind: ClassVar[str] = "traces"
    name: str
    caption: str
    each: tuple[TracedQuestion, ...]
    left_out: int = 0
    why: str = ""

    def directions(self) -> tuple[tuple[str, int], ...]:
        """Return each direction with how many of those shown have it."""
        found = dict.fromkeys(each.direction for each in self.each)
        return tuple((name, sum(each.direction == name for each in self.each)) for name in found)


Block = Table | Paragraph | Notes | Facts | Preformatted | Chart | Confusion | Diff | Disagreements | Traces


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page, with a heading of its own.

    Attributes:
        name: its anchor: letters and hyphens.
        title: its heading.
        blocks: its content.
        beside: whether its blocks stand beside each other where there is room.
    """

    name: str
    title: str
    blocks: tuple[Block, ...]
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A page.

    Attributes:
        title: its heading.
        sentence: what a manager can quote.
        sections: its parts.
        facts: what it is about, in short: names and values.
        simulated: whether a simulated model had a part in it.
        notes: what else should be known, before everything else.
    """

    title: str
    sentence: str
    sections: tuple[Section, ...]
    facts: tuple[tuple[str, str], ...] = field(default=())
    simulated: bool = False
    notes: tuple[str, ...] = ()
