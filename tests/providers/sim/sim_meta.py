"""Requests to a prompt writer in the second version of the meta-prompt's format, as text, for the simulator's tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sim_requests import ask

from calibrate.domain import ModelRequest
from calibrate.providers.sim import SimWriter

MUSEUM = "Tickets cost 12 euros. Children under 6 enter free. The museum is closed on Mondays."


@dataclass(frozen=True)
class Shown:
    """An error as it is shown: what the judge did wrongly with an answer about the museum."""

    kind: str
    answer: str
    note: str = ""
    pattern: str = ""
    context: str = MUSEUM
    question: str = "What does a ticket cost?"

    def text(self, number: int | None = None) -> str:
        accepted = self.kind == "wrongly accepted"
        attributes = "".join(
            f' {name}="{value}"'
            for name, value in (("number", number), ("kind", self.kind), ("pattern", self.pattern))
            if value
        )
        note = f"<expert_note>{self.note}</expert_note>\n" if self.note else ""
        return (
            f"<error{attributes}>\n<question>\n{self.question}\n</question>\n<context>\n{self.context}\n</context>\n"
            f"<answer>\n{self.answer}\n</answer>\n<expert_label>{'0' if accepted else '1'}</expert_label>\n{note}"
            f"<judge_label>{'1' if accepted else '0'}</judge_label>\n"
            "<judge_reasoning>Judged as a whole.</judge_reasoning>\n</error>"
        )


FIGURE = Shown("wrongly accepted", "Tickets cost 15 euros.")
FIGURES = (FIGURE, Shown("wrongly accepted", "Tickets cost 18 euros."))
BRIEF = Shown("wrongly rejected", "12 euros.", "Short, but right: nothing has to be complete.")


def task_section(language: str = "en", limit: int = 6000) -> str:
    return (
        f"<task>\nDimension: faithfulness\nLanguage: {language}\nInputs the judge sees: question, context, answer\n"
        f'Good label: "1". Bad label: "0".\nLength limit: {limit} characters\nScore: alignment\n</task>'
    )


def block(name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"<{name}>", *lines, f"</{name}>"])


def neutral(text: str, *tags: str) -> str:
    return re.sub(rf"<(/?(?:{'|'.join(tags)})\b)", r"&lt;\1", text) if tags else text


def rewrite_request(
    strategy: str,
    current: str,
    *,
    errors: Sequence[Shown] = (FIGURE,),
    tried: Sequence[str] = (),
    other: str = "",
    elsewhere: Sequence[str] = (),
    patterns: Sequence[str] = (),
    language: str = "en",
    limit: int = 6000,
    problem: str = "",
    reply: str = "",
    repeat: int = 0,
) -> ModelRequest:
    history = [f'<tried score="0.4000" strategy="baseline">\n{text}\n</tried>' for text in tried]
    others = [
        f'<tried score="0.6000" strategy="general improvement" judge="openai:gpt-x">\n{text}\n</tried>'
        for text in elsewhere
    ]
    parts = [task_section(language, limit), block("history", history)]
    parts += [block("other_judges", others)] if others else []
    parts += [block("rejected", [])]
    parts += [block("patterns", patterns)] if patterns else []
    parts += [block("errors", [error.text() for error in errors])]
    parts += [f'<other score="0.5500">\n{other}\n</other>'] if other else []
    parts += [f'<current score="0.6000">\n{current}\n</current>']
    parts += [f'<request strategy="{strategy}">\nRewrite it.\n</request>']
    if problem:
        shown = neutral(reply, "prompt", "reply", "request", "current", "repair", "problem")
        parts.append(
            f"<repair>\n<problem>{problem}</problem>\n<reply>\n{shown}\n</reply>\n"
            "Answer the request again so that this problem is gone.\n</repair>"
        )
    return ModelRequest(system="You improve judge prompts.", user="\n".join(parts), max_tokens=4096, repeat=repeat)


def analysis_request(
    current: str, errors: Sequence[Shown], *, known: Sequence[tuple[str, str]] = (), language: str = "en"
) -> ModelRequest:
    patterns = [f'<pattern name="{name}">{meaning}</pattern>' for name, meaning in known]
    parts = [
        task_section(language),
        f'<current score="0.4000">\n{current}\n</current>',
        block("known_patterns", patterns),
        block("errors", [error.text(number) for number, error in enumerate(errors, start=1)]),
        '<request analysis="patterns">\nGroup the errors by what goes wrong.\n</request>',
    ]
    return ModelRequest(system="You analyse the errors of an LLM judge.", user="\n".join(parts), max_tokens=4096)


def answered(request: ModelRequest) -> str:
    """Return the prompt that the writer replies with: the last whole block."""
    text = ask(SimWriter(), request).text
    found = re.findall(r"<prompt>\n(.*?)\n</prompt>", text, re.DOTALL)
    assert found, text
    return str(found[-1])


def rewrites(strategy: str, current: str, *, repeats: int = 12, **told: object) -> list[str]:
    return [answered(rewrite_request(strategy, current, repeat=n, **told)) for n in range(repeats)]  # type: ignore[arg-type] # passed on by name


def grouped(request: ModelRequest) -> dict[str, tuple[tuple[int, ...], str]]:
    """Return the patterns replied: name to the numbers of its errors and what goes wrong."""
    text = ask(SimWriter(), request).text
    assert re.fullmatch(r"<patterns>\n(.*\n)?</patterns>", text, re.DOTALL), text
    found = re.findall(r'^<pattern name="([^"<]+)" errors="([\d, ]+)">([^<\n]+)</pattern>$', text, re.MULTILINE)
    assert len(found) == text.count("<pattern "), text
    assert len({name for name, _, _ in found}) == len(found), text
    return {name: (tuple(int(number) for number in numbers.split(", ")), said) for name, numbers, said in found}
