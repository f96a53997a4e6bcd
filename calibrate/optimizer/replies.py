"""How the meta-LLM's replies are read, and how it is asked once more when one cannot be used.

A reply is free text with one block of interest, such as ``<prompt>...</prompt>``. Reasoning never counts as part of it:

- A thinking block (``<think>``, ``[THINK]``, ``◁think▷``, a harmony channel other than ``final``, ...) runs to its
  closing mark; one that is never closed hides all that follows. A closing mark alone means that all before it was
  thinking, since the opening one is then in the model's template.
- In a reply that was cut off an opening mark inside thinking counts, which else is a mere mention.
- Inside a block all tags are text, so that a prompt may speak of them. ```<prompt>``` in backticks is a mention.

What cannot be known: thinking whose opening *and* closing marks are missing looks like any other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from calibrate.domain import ModelRequest, ModelResponse
from calibrate.judge import neutralise

__all__ = ["FORMAT_TAGS", "MOST_SHOWN", "Block", "Reading", "last_block", "read_rewrite", "repair_request"]

FORMAT_TAGS = frozenset(
    "task history tried other_judges rejected patterns pattern known_patterns errors error expert_label expert_note "
    "judge_label judge_reasoning other current request repair problem reply prompt chunk".split()
)
"""The tags that requests to the meta-LLM are made of, besides the names of a task's inputs."""

MOST_SHOWN = 6000
"""Characters of an earlier reply that a follow-up shows."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A prompt, or why there is none.

    Attributes:
        prompt: the rewritten prompt; empty when there is a problem.
        problem: why the reply cannot be used; empty when it can.
        mendable: whether it makes sense to ask once more. A refusal stays one.
    """

    prompt: str
    problem: str
    mendable: bool


@dataclass(frozen=True, slots=True)
class Block:
    """What a reply holds between the tags looked for.

    Attributes:
        text: the text of the last whole block, None when there is none.
        unclosed: whether another one was opened after it, or alone, and not closed.
    """

    text: str | None
    unclosed: bool


def read_rewrite(response: ModelResponse) -> Reading:
    """Read the rewritten prompt out of a reply. Never raises; time is linear in the reply.

    The last whole ``<prompt>`` block outside thinking counts, and all that stands in it. A reply that was cut off
    inside its last block has none. A fence around the prompt is taken off, and ``&lt;``, by which the request names
    its own tags, is written ``<`` again. Text without a block is never taken for a prompt.
    """
    if response.finish == "refusal":
        return Reading("", "the meta-LLM refused", mendable=False)
    cut_off = response.finish == "length"
    block = last_block(response.text, "prompt", cut_off=cut_off)
    if block.unclosed and cut_off:
        return Reading("", "cut off", mendable=True)
    if block.text is None:
        missing = "cut off before a prompt" if cut_off else "the reply has no <prompt> block"
        return Reading("", "the <prompt> block is not closed" if block.unclosed else missing, mendable=True)
    prompt = _written_back(_unwrapped(block.text))
    return Reading(prompt, "", mendable=False) if prompt else Reading("", "empty", mendable=True)


def last_block(text: str, tag: str, *, cut_off: bool) -> Block:
    """Find the last whole ``<tag>`` block outside thinking; the tag in any case, with or without attributes.

    In a reply whose tags are all escaped (``&lt;prompt&gt;``) the escaped ones count. A block inside a block is part
    of it where the outer one begins a line; ``<prompt> and </prompt>`` or ``<prompt>...</prompt>`` in prose is none.

    Args:
        text: the reply.
        tag: the name of the block's tag.
        cut_off: whether the reply ended at the token limit.
    """
    scan = _Scan(text, tag, cut_off)
    if scan.block is None and not scan.unclosed:
        visible = "\n".join(scan.visible)
        if re.search(rf"&lt;{tag}(?:\s[^<>&]*)?(?:&gt;|>)", visible, re.IGNORECASE):
            scan = _Scan(_unescaped(visible), tag, cut_off)
    return Block(scan.block, scan.unclosed)


def repair_request(request: ModelRequest, problem: str, shown: str = "", *, tags: Iterable[str] = ()) -> ModelRequest:
    """Ask once more, telling what was wrong with the reply to ``request``; everything else stays as it was.

    Args:
        request: the request that the reply answered.
        problem: why it cannot be used: :attr:`Reading.problem`, or what a later check said.
        shown: the prompt that was read from the reply, empty when there is none; at most :data:`MOST_SHOWN` characters
            of it are shown. Never the reply as it came, which may hold reasoning.
        tags: further tags of the request, the names of the task's inputs.
    """
    names = FORMAT_TAGS | set(tags)
    sentences = ["Answer the request again so that this problem is gone.", *_advice(problem)]
    if len(shown) > MOST_SHOWN:
        sentences.append("Only the beginning of your reply is shown.")
    sentences.append("Reply with the whole rewritten instructions between <prompt> and </prompt>.")
    reply = f"{neutralise(_encodable(shown[:MOST_SHOWN]), names)}\n" if shown else ""
    section = (
        f"<repair>\n<problem>{neutralise(_encodable(' '.join(problem.split())), names)}</problem>\n"
        f"<reply>\n{reply}</reply>\n{' '.join(sentences)}\n</repair>"
    )
    return replace(request, user=f"{request.user}\n{section}")


_PROBLEMS: tuple[tuple[str, str], ...] = (
    ("too long", "Write it shorter and keep only what decides the label; at most {limit} characters."),
    ("placeholder lost", "Keep {placeholders} exactly as written here; the item's inputs are put in their place."),
    ("duplicate", "This prompt has been tried. Write one that differs in substance, not only in wording."),
    ("copies text", "Use no text of the items: replace what was copied by a general instruction."),
    ("cut off", "The reply reached its limit: think and write less, and close the prompt with </prompt>."),
    ("the <prompt> block is not closed", "Close the prompt with </prompt>."),
    ("the reply has no <prompt> block", "Only what stands between the tags is read; put the prompt there."),
    ("empty", "Nothing stood between the tags; write the prompt there."),
    ("contains characters", "Leave out the characters that are no proper text, such as half of an emoji."),
)


def _advice(problem: str) -> list[str]:
    said = problem.removeprefix("near ")
    limit = re.search(r"the limit is (\d+)", said)
    lost = [f"{{{{{name.strip()}}}}}" for name in said.partition(":")[2].split(",")]
    filled = {"{limit}": limit[1] if limit else "fewer", "{placeholders}": " and ".join(lost)}
    for begins, advice in _PROBLEMS:
        if said.startswith(begins):
            return [re.sub(r"{\w+}", lambda name: filled[name[0]], advice)]
    return []


def _encodable(text: str) -> str:
    """Write a question mark for each half of a surrogate pair, which no request can hold."""
    return text.encode("utf-8", "replace").decode()


# What the block holds

_FENCE = re.compile(r"(?P<mark>`{3,}|~{3,})(?P<info>[^`]*)")
_ESCAPED_TAG = re.compile(r"&lt;(/?\s?\w[^<>&\n]{0,80})&gt;")


def _unwrapped(text: str) -> str:
    """Take off white space, fences and a second pair of tags around the prompt."""
    text = text.strip()
    while (inner := _without_tags(_without_fence(text)).strip()) != text:
        text = inner
    return text


def _without_fence(text: str) -> str:
    """Take off a fence when its end is the end of the text; fences with a language may be nested in it."""
    lines = text.split("\n")
    opened: list[str] = []
    for index, line in enumerate(lines):
        fence = _FENCE.fullmatch(line.strip())
        if fence and opened and not fence["info"].strip():
            if fence["mark"].startswith(opened[-1]):
                opened.pop()
        elif fence and (opened or index == 0):
            opened.append(fence["mark"])
        if not opened:
            return "\n".join(lines[1:-1]) if 0 < index == len(lines) - 1 else text
    return text


def _without_tags(text: str) -> str:
    ends = [mark for mark in _marks(text, "prompt") if mark.kind in ("block", "block ends")]
    if [mark.kind for mark in ends] == ["block", "block ends"] and (ends[0].start, ends[1].end) == (0, len(text)):
        return text[ends[0].end : ends[1].start]
    return text


def _written_back(text: str) -> str:
    return _ESCAPED_TAG.sub(r"<\1>", text).replace("&lt;", "<").strip()


def _unescaped(text: str) -> str:
    for escaped, plain in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("#39", "'"), ("#x27", "'"), ("amp", "&")):
        text = text.replace(f"&{escaped};", plain)
    return text


# Where the block is

_NAMES = "think|thinking|thoughts?|reasoning|scratchpad|reflection|analysis"
_DEEPEST = 8  # blocks within blocks beyond which an opening tag counts as a mention; it keeps the time linear
_MENTION = re.compile(r"\W*[a-zà-ÿ]{1,3}\W*|\s*[.…][.…\s]*")  # "<prompt> and </prompt>", "<prompt>...</prompt>"

_Kind = Literal["opens", "closes", "channel", "channel ends", "block", "block ends"]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A tag or token that opens or closes thinking, or the block looked for."""

    kind: _Kind
    name: str
    start: int
    end: int


@lru_cache(maxsize=16)
def _pattern(tag: str) -> re.Pattern[str]:
    return re.compile(
        rf"""
          <(?:\w{{1,20}}:)?(?P<opens>{_NAMES})(?:[\s:][^<>]*)?>
        | </(?:\w{{1,20}}:)?(?P<closes>{_NAMES})\s*>
        | [\[◁](?P<bracket_opens>think)[\]▷]
        | [\[◁]/(?P<bracket_closes>think)[\]▷]
        | <\|(?P<token_opens>begin_of_thought|start_thinking)\|>
        | <\|(?P<token_closes>end_of_thought|end_thinking)\|>
        | <\|channel\|?>\s*(?P<channel>\w*)
        | <\|(?P<channel_ends>end|return|call|start)\|>
        | (?P<channel_closes><channel\|>)
        | \A\s*(?P<bare_channel>(?-i:analysis(?=[A-Z])))      # harmony with its tokens left out
        | (?P<bare_final>(?-i:assistantfinal))
        | (?P<block><{re.escape(tag)}(?:\s[^<>]*)?>)
        | (?P<block_ends></{re.escape(tag)}\s*>)
        """,
        re.IGNORECASE | re.VERBOSE,
    )


_FINAL = "final"
_KINDS: dict[str, tuple[_Kind, str | None]] = {
    "opens": ("opens", None),
    "closes": ("closes", None),
    "bracket_opens": ("opens", "bracket"),
    "bracket_closes": ("closes", "bracket"),
    "token_opens": ("opens", "token"),
    "token_closes": ("closes", "token"),
    "channel": ("channel", "channel"),
    "channel_ends": ("channel ends", "channel"),
    "channel_closes": ("closes", "channel"),
    "bare_channel": ("channel", "channel"),
    "bare_final": ("closes", _FINAL),
    "block": ("block", ""),
    "block_ends": ("block ends", ""),
}


def _marks(text: str, tag: str) -> list[_Mark]:
    marks = []
    for match in _pattern(tag).finditer(text):
        start, end, group = match.start(), match.end(), match.lastgroup
        if group is None or (_backtick(text, start - 1, -1) and _backtick(text, end, 1)):
            continue
        kind, name = _KINDS[group]
        if kind == "channel" and match[group].casefold() == _FINAL:
            kind, name = "closes", _FINAL
        marks.append(_Mark(kind, match[group].casefold() if name is None else name, start, end))
    return marks


def _backtick(text: str, at: int, outwards: int) -> bool:
    """Whether a single backtick stands there; several are a fence."""
    return text[max(at, 0) : at + 1] == "`" and text[max(at + outwards, 0) : at + outwards + 1] != "`"


@dataclass(slots=True)
class _Scan:
    """One pass over a reply."""

    text: str
    tag: str
    cut_off: bool
    block: str | None = None
    unclosed: bool = False
    visible: list[str] = field(default_factory=list)  # the stretches outside thinking
    _thinking: list[str] = field(default_factory=list)  # what is open, outermost first
    _leading: bool = False  # whether the outermost began the reply
    _since: int = 0

    def __post_init__(self) -> None:
        marks = _marks(self.text, self.tag)
        blank = len(self.text) - len(self.text.lstrip())
        closings = [place for place, mark in enumerate(marks) if mark.kind == "closes"]
        last_closing = len(marks) if self.cut_off else max(closings, default=-1)
        index = 0
        while index < len(marks):
            mark = marks[index]
            index += 1
            if mark.kind in ("opens", "channel"):
                if mark.kind == "channel":
                    self._close("channel", mark.end)
                self._open(mark, leading=mark.start <= blank)
            elif mark.kind == "channel ends":
                self._close("channel", mark.end)
            elif mark.kind == "closes":
                self._close_or_forget(mark)
            elif mark.kind == "block" and not self._thinking:
                end = _end_of_block(marks, index - 1, self.text, last_closing)
                if end is None:
                    self.unclosed = True
                else:
                    self._take(self.text[mark.end : marks[end].start])
                    index = end + 1
        if not self._thinking:
            self.visible.append(self.text[self._since :])

    def _open(self, mark: _Mark, *, leading: bool) -> None:
        if not self._thinking:
            self.visible.append(self.text[self._since : mark.start])
            self._leading = leading
        elif mark.name in self._thinking and not self.cut_off:
            return  # a mention
        self._thinking.append(mark.name)

    def _close(self, name: str, position: int) -> None:
        if _pop(self._thinking, name) and not self._thinking:
            self._since = position

    def _close_or_forget(self, mark: _Mark) -> None:
        if mark.name in self._thinking:
            self._close(mark.name, mark.end)
        elif mark.name == _FINAL or not (self._thinking and (self.cut_off or self._leading)):
            # Its opening mark is in the model's template: all before it was thinking.
            self.block, self.unclosed, self._since = None, False, mark.end
            self.visible.clear()
            self._thinking.clear()

    def _take(self, text: str) -> None:
        if _MENTION.fullmatch(text) or (self.block is not None and not text.strip()):
            return
        self.block, self.unclosed = text, False


def _end_of_block(marks: Sequence[_Mark], begin: int, text: str, last_closing: int) -> int | None:
    """Return the index of the mark that closes the block, or None when its opening tag is a mention or not closed.

    Thinking that is opened in the block and not closed is a mention unless it may be closed later.
    """
    begins_line = _begins_line(text, marks[begin].start)
    depth, thinking, escaped, simple = 1, list[str](), False, begins_line
    first: int | None = None
    on_its_line: int | None = None
    for index in range(begin + 1, len(marks)):
        mark = marks[index]
        if mark.kind == "block":
            if escaped or thinking or not begins_line or depth == _DEEPEST:
                return None
            mention = not _begins_line(text, mark.start)
            simple = simple and mention
            if not (mention and index + 1 < len(marks) and marks[index + 1].kind == "block"):
                depth += 1
        elif mark.kind == "block ends":
            depth -= 1
            if depth == 0:
                return None if thinking and last_closing > index else index
            first = index if first is None else first
            if on_its_line is None and _begins_line(text, mark.start):
                on_its_line = index
        elif mark.kind == "channel":
            return None  # no prompt speaks of those
        else:
            simple = False
            if mark.kind == "opens":
                thinking.append(mark.name)
            elif not _pop(thinking, mark.name):
                escaped = True
    if not simple:
        return None
    # More opening tags than closing ones: the prompt speaks of its tag, and ends rather where a line begins with it.
    return first if on_its_line is None else on_its_line


def _pop(opened: list[str], name: str) -> bool:
    """Close the last of this name and all inside it; False when there is none."""
    if name not in opened:
        return False
    while opened.pop() != name:
        pass
    return True


def _begins_line(text: str, position: int) -> bool:
    """Whether only markup, or another tag, stands before it on its line."""
    before = text[max(0, position - 40) : position].rstrip(" \t*`_#-")
    return not before or before[-1] in "\n\r>]▷"
