"""A page as Markdown: data that would break it, mention somebody or link somewhere stays text."""

import re

import pytest
from html_pages import NASTY

from calibrate.report import (
    SIMULATED,
    Cell,
    Column,
    Diff,
    Disagreement,
    Disagreements,
    Page,
    Paragraph,
    Section,
    Table,
    markdown_page,
)


def markdown_of(*blocks, **page):
    return markdown_page(Page("Title", "Sentence.", (Section("one", "One", blocks),), **page))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a | b", r"a \| b"),
        ("`x` *y* _z_ ~~no~~", r"\`x\` \*y\* \_z\_ \~\~no\~\~"),
        ("<b>&amp;</b>", "&lt;b&gt;&amp;amp;&lt;/b&gt;"),
        ("ask @octocat/team", "ask @&#8203;octocat/team"),
        ("see #12 and GH-3", "see #&#8203;12 and GH-&#8203;3"),
        ("https://evil.example www.evil.example", "https:&#8203;//evil.example www.&#8203;evil.example"),
        ("![x](y) [a](b)", r"!\[x\](y) \[a\](b)"),
        ("py:house:judge", "py:&#8203;house:judge"),
        ("$3 and $4", r"\$3 and \$4"),
        ("# no heading", r"\# no heading"),
        ("1. no list", r"1\. no list"),
        ("- no list", r"\- no list"),
        ("---", r"\---"),
        ("-0.27 to 0.5", "-0.27 to 0.5"),
        ("two\nlines\x1b[31m", "two lines\N{REPLACEMENT CHARACTER}\\[31m"),
    ],
)
def test_data_stays_text(text, written):
    assert markdown_of(Paragraph(text)).splitlines()[-1] == written


def test_a_cell_cannot_leave_its_table():
    table = Table("t", (Column("a"), Column("b", numeric=True)), ((Cell(NASTY), Cell("1", "0 to 2", "strong")),))
    lines = markdown_of(table).rstrip().splitlines()[-3:]
    assert [len(re.split(r"(?<!\\)\|", line)) for line in lines] == [4, 4, 4]
    assert lines[1] == "| --- | ---: |"
    assert lines[2].endswith("| **1** (0 to 2) |")


def test_a_prompt_cannot_leave_its_fence():
    text = markdown_of(Diff("what changed", (("removed", "old"), ("added", "```` </details> @octocat"))))
    fences = [line for line in text.splitlines() if line.startswith("`")]
    assert fences == ["`````diff", "`````"]


def test_of_many_disagreements_twenty_are_told_and_the_others_counted():
    each = Disagreement("x", "confused", "a", "b", "", "why " * 200, (("answer", "word " * 100),))
    text = markdown_of(Disagreements((each,) * 30, 12, "too many", 100), simulated=True)
    assert text.count("**x** (confused): experts a, judge b.") == 20
    assert text.count(f"\n  - answer: {('word ' * 100)[:159]}…\n") == 20
    assert "- and 22 more: too many" in text
    assert "differ on 42 of 100 items" in text
    assert f"> {SIMULATED}" in text
    assert len(text) < 12_000
