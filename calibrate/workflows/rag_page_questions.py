"""Questions with their traces, as far as a page holds: those that go wrong, and those that changed between variants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from calibrate.rag.failures import FAILURES
from calibrate.report import MOST_IN_MARKDOWN, Block, Paragraph, Section, TracedQuestion, Traces
from calibrate.workflows.rag_page_traces import size_of, traced_question
from calibrate.workflows.rag_words import failures_in_words, move_in_words
from calibrate.workflows.sentences import counted

__all__ = ["question_sections"]

_MOST_BYTES = 1_050_000  # of all traces as HTML: with Plotly the page stays below 6 MB
_OF_FAILURES = 400_000  # what failures do not need, changes have
_LONGEST_CHUNK = 300  # of a context where it is enough to see what kind of text that was


def question_sections(
    facts: Mapping[str, Any], run: int, most: int, *, markdown: bool = False
) -> tuple[Section, Section, int]:
    """Return the questions that go wrong, those that changed, and how many changed ones are left out.

    Args:
        facts: what the run found.
        run: its number.
        most: the largest number of questions to show in each of the two sections.
        markdown: whether it is for a page in Markdown, which has room for few.
    """
    room = _Room(run, most, markdown, _OF_FAILURES)
    failures = _failures(facts, room)
    room = _Room(run, most, markdown, room.bytes + _MOST_BYTES - _OF_FAILURES)
    blocks, left_out = _changes(facts, room)
    return failures, Section("changes", "Questions whose outcome changed", tuple(blocks)), left_out


class _Room:
    """How many more questions a section holds, and how many bytes of them."""

    def __init__(self, run: int, most: int, markdown: bool, bytes: int) -> None:
        self._run, self._most, self._markdown = run, most, markdown
        self.items, self.bytes = min(most, MOST_IN_MARKDOWN) if markdown else most, bytes

    def block(self, name: str, caption: str, questions: Iterable[TracedQuestion], of: int, parts: int) -> Traces:
        """Return as many questions as there is room for, sharing it with the parts that follow.

        Args:
            name: the anchor.
            caption: what they are.
            questions: all of them, made one by one.
            of: how many these are.
            parts: how many parts are still to come, with this one; what it does not need, the next ones have.
        """
        share, room = -(-self.items // parts), self.bytes // parts
        shown: list[TracedQuestion] = []
        took = 0
        for each in questions:
            size = size_of(each) if len(shown) < share else 0
            if len(shown) == share or took + size > room:
                break
            took += size
            shown.append(each)
        self.items, self.bytes = self.items - len(shown), self.bytes - took
        rest = of - len(shown)
        return Traces(name, caption, tuple(shown), rest, self._why(large=len(shown) < share) if rest else "")

    def _why(self, *, large: bool) -> str:
        everything = f"calibrate show {self._run} --json has all"
        if large:
            return f"the page would grow too large; {everything}"
        if self._markdown and self._most > MOST_IN_MARKDOWN:
            return f"Markdown lists {MOST_IN_MARKDOWN}; the HTML page has the traces in full, and {everything}"
        return f"--max-items {self._most}; {everything}"


def _failures(facts: Mapping[str, Any], room: _Room) -> Section:
    said = (
        "Each question by its own verdicts, the worst first. An invented answer is quoted: if it declines in words of "
        "its own, give them with --abstain-phrase, or name a judge of abstention."
    )
    blocks: list[Block] = [Paragraph(said, "muted")]
    variants = facts["variants"]
    for place, variant in enumerate(variants):
        failures = variant["failures"]
        shown = (
            traced_question(
                facts,
                each["question"],
                (variant["name"],),
                FAILURES[each["codes"][0]],
                each["told"],
                longest_chunk=_LONGEST_CHUNK,
            )
            for each in failures
        )
        caption = f"{variant['name']}: {failures_in_words(failures, facts['bank']['questions'])}."
        blocks.append(room.block(f"failures-{place + 1}", caption, shown, len(failures), len(variants) - place))
    return Section("failures", "What goes wrong", tuple(blocks))


def _changes(facts: Mapping[str, Any], room: _Room) -> tuple[list[Block], int]:
    pairs, left_out = facts["changes"], 0
    blocks: list[Block] = []
    for place, pair in enumerate(pairs):
        names = pair["first"], pair["second"]
        shown = (
            traced_question(facts, each["question"], names, each["direction"], [*map(move_in_words, each["moves"])])
            for each in pair["questions"]
        )
        count = len(pair["questions"])
        traces = room.block(f"changes-{place + 1}", _caption(pair, facts), shown, count, len(pairs) - place)
        left_out += traces.left_out
        blocks.append(traces)
    if not pairs:
        blocks.append(Paragraph("One variant has nothing to be compared with; give a second --variant."))
    return blocks, left_out


def _caption(pair: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    of = f"of {facts['bank']['questions']} changed from {pair['first']} to {pair['second']}"
    return f"{counted(len(pair['questions']), 'question')} {of}, those whose outcomes changed most first."
