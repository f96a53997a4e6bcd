"""How the figures of a RAG evaluation are spelled, on the terminal and on the page alike.

What is read here is the document that a run keeps (:class:`calibrate.workflows.rag_report.RagReport`), as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibrate.rag.failures import FAILURES
from calibrate.rag.figures import AMOUNTS
from calibrate.rag.names import figure_name
from calibrate.workflows.record import money
from calibrate.workflows.sentences import counted

__all__ = [
    "conclusion_in_words",
    "difference_in_words",
    "failures_in_words",
    "figure_interval",
    "figure_value",
    "judge_in_words",
    "judges_behind",
    "left_out_in_words",
    "missing_in_words",
    "move_in_words",
    "p_in_words",
    "questions_in_words",
    "reason_in_words",
    "system_in_words",
    "trust_in_words",
]

_LARGE = 10  # figures from here on are amounts, with fewer digits
_LEAST_P = 0.001


def figure_value(figure: Mapping[str, Any] | None) -> str:
    """Write a figure, or a dash and the commonest reason why there is none."""
    if figure is None:
        return "–"
    if figure["value"] is not None:
        return _spelled(figure["name"], figure["value"])
    reasons = sorted(figure["left_out"], key=lambda each: -figure["left_out"][each])
    return f"– ({reason_in_words(reasons[0])})" if reasons else "–"


def figure_interval(figure: Mapping[str, Any] | None, joint: str = " to ") -> str:
    """Write the ends of a figure's 95 % interval; empty where it has none."""
    if figure is None or figure["value"] is None or figure["low"] is None or figure["high"] is None:
        return ""
    digits = 2 if figure["value"] < _LARGE else 0
    return joint.join(_spelled(figure["name"], figure[end], digits) for end in ("low", "high"))


def difference_in_words(test: Mapping[str, Any], joint: str = " to ") -> tuple[str, str]:
    """Write a difference with its sign, and the ends of its 95 % interval; empty where there are none."""
    if test["difference"] is None:
        return "–", ""
    name, digits = test["name"], 2 if abs(test["difference"]) < _LARGE else 0
    ends = [test["low"], test["high"]]
    told = "" if None in ends else joint.join(_signed(name, each, digits) for each in ends)
    return _signed(name, test["difference"]), told


def conclusion_in_words(test: Mapping[str, Any]) -> str:
    """Say what a comparison came to; noise is told by what makes it."""
    if test["conclusion"] != "noise":
        return str(test["conclusion"])
    floor = test["noise_floor"]
    if floor is not None and abs(test["difference"]) < floor:
        return f"noise: its judge's own flips explain up to {floor:.2f}"
    return "noise: nothing is left without its two strongest questions"


def p_in_words(p: float | None) -> str:
    """Write a p with three digits; one that these would show as zero as smaller than the least they can show."""
    if p is None:
        return "–"
    return f"< {_LEAST_P}" if p < _LEAST_P else f"{p:.3f}"


def questions_in_words(figures: Sequence[Mapping[str, Any] | None]) -> str:
    """Write over how many questions each variant's figure is: once where all are over as many."""
    counts = [0 if each is None else each["n"] for each in figures]
    return str(counts[0]) if len(set(counts)) == 1 else ", ".join(map(str, counts))


def left_out_in_words(figures: Sequence[Mapping[str, Any] | None]) -> str:
    """Say how many questions have no value, by reason; several numbers are those of the variants in their order."""
    left_out = [{} if each is None else each["left_out"] for each in figures]
    told = []
    for reason in dict.fromkeys(reason for each in left_out for reason in each):
        counts = [each.get(reason, 0) for each in left_out]
        numbers = str(counts[0]) if len(set(counts)) == 1 else ", ".join(map(str, counts))
        told.append(f"{reason_in_words(reason)}: {numbers}")
    return "; ".join(told)


def failures_in_words(failures: Sequence[Mapping[str, Any]], questions: int) -> str:
    """Say how many questions of how many go wrong, and in which ways; one that does in several counts in each."""
    if not failures:
        return f"no verdict says that any of {counted(questions, 'question')} goes wrong"
    ways = [f"{words} {count}" for code, words in FAILURES.items() if (count := _failing(failures, code))]
    verb = "goes" if len(failures) == 1 else "go"
    return f"{len(failures)} of {counted(questions, 'question')} {verb} wrong: {', '.join(ways)}"


def _failing(failures: Sequence[Mapping[str, Any]], code: str) -> int:
    return sum(code in each["codes"] for each in failures)


def reason_in_words(reason: str) -> str:
    """Return why a question has no value, from its code."""
    return _REASONS.get(reason, reason.replace("_", " "))


_REASONS = {
    "no_relevant_chunk": "no answer in the corpus",
    "not_told": "not in the outputs",
    "unscored": "no verdict",
}


def move_in_words(move: Mapping[str, Any]) -> str:
    """Say how one figure of one question moved: ``recall@5 0.00 to 1.00``."""
    before, after = (
        reason_in_words(reason) if number is None and reason else "–" if number is None else f"{number:.2f}"
        for number, reason in ((move["first"], move["first_reason"]), (move["second"], move["second_reason"]))
    )
    return f"{figure_name(move['figure'])} {before} to {after}"


def system_in_words(variant: Mapping[str, Any]) -> str:
    """Say what a variant took, as far as its outputs tell: time, tokens, money, and questions without an output."""
    said, latency = [], variant["latency"]
    if latency["median"] is not None:
        said.append(f"median {latency['median']:.1f} s, p95 {latency['p95']:.1f} s an answer")
    if variant["tokens"] is not None:
        said.append(f"{variant['tokens']:,.0f} tokens in all")
    if variant["cost"] is not None:
        said.append(f"{money(variant['cost'])} in all")
    if variant["missing"]:
        said.append(f"{counted(variant['missing'], 'question')} without an output")
    return "; ".join(said)


def judge_in_words(judge: Mapping[str, Any]) -> str:
    """Say what is known of a judge, with the verdicts that are missing of it, and what the bank itself tells of it."""
    missing = sum(judge["unscored"].values())
    without = f"{missing} of {judge['verdicts']} without a verdict" if missing else ""
    here = (judge.get("on_this_bank") or {}).get("sentence", "")
    return "; ".join(filter(None, (judge["sentence"], without, here)))


def judges_behind(name: str, role: str | None, judges: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the judges that a figure comes from: of claims held against a context, who split them too."""
    roles = ("claims", role) if name in ("faithfulness", "contradiction_rate") else (role,)
    return [each for wanted in roles for each in judges if each["role"] == wanted]


def trust_in_words(behind: Sequence[Mapping[str, Any]]) -> str:
    """Write, in short, who gives a figure and their own alignment: ``claims 0.81, claim_support unproven``."""
    return ", ".join(f"{each['role']} {_trust(each)}" for each in behind)


def _trust(judge: Mapping[str, Any]) -> str:
    if not judge["measured"]:
        return "unproven"
    return "undefined" if judge["alignment"] is None else f"{judge['alignment']:.2f}"


def missing_in_words(judges: Sequence[Mapping[str, Any]]) -> str:
    """Say how many verdicts are missing of each judge, where any is."""
    missing = [(each["role"], sum(each["unscored"].values()), each["verdicts"]) for each in judges]
    return ", ".join(f"{role} {count} of {verdicts}" for role, count, verdicts in missing if count)


def _spelled(name: str, number: float, digits: int = 3) -> str:
    if name == "cost":
        return money(number)
    if number < _LARGE:
        return f"{number:.{min(digits, 2) if name in AMOUNTS else digits}f}"
    return f"{number:,.{min(digits, 1)}f}"


def _signed(name: str, number: float, digits: int = 3) -> str:
    spelled = _spelled(name, abs(number), digits)
    if not any(digit in "123456789" for digit in spelled):
        return spelled  # it is zero as far as is shown, which has no sign
    return f"{'-' if number < 0 else '+'}{spelled}"
