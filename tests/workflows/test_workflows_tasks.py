"""Judges with a task are judges like any other: baseline, noise, compare, optimize, export, and what shows them.

The world: a verifier that copies its quotes only when its prompt says "letter by letter", a splitter that joins two
facts on even pages unless its prompt says "atomic", and a writer of questions that asks about the weather unless its
prompt says "subject".
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from loopback import Call, Loopback, Reply
from program import Program

from calibrate.domain import Scored
from calibrate.store import Store

LABELS = ("supported", "contradicted", "not mentioned")
NOMINAL = ("--scale", "nominal", "--labels", ",".join(LABELS))
INTERVAL = ("--scale", "interval", "--threshold", "0.5", "--low", "0", "--high", "1")
ADDITIONS = {
    "verify": "Copy the quote letter by letter out of the context, and never write it in words of your own.",
    "split": "Make every claim atomic: whatever says two things becomes two claims.",
    "questions": "Ask about the subject that the answer is about, in the words of the answer.",
}
PROMPTS = {
    "verify": "Say of the claim whether the context supports it.",
    "split": "List the claims that the answer makes.",
    "questions": "Write questions that the answer answers.",
}
SETS = {"verify": "support.csv", "split": "claims.csv", "questions": "questions.csv"}
SCALES: Mapping[str, Sequence[str]] = {"verify": NOMINAL, "split": (), "questions": INTERVAL}
BEFORE = {"verify": 8 / 12, "split": 6 / 12, "questions": 0.5}  # accuracy without the addition
CALLS = {"verify": 12, "split": 4, "questions": 8}
tasks = pytest.mark.parametrize("task", SETS)


class Steps:
    """The judge and the meta-LLM.

    Attributes:
        meta: the meta-prompts, in order: the system text and the message.
    """

    def __init__(self) -> None:
        self.meta: list[tuple[str, str]] = []

    def __call__(self, call: Call) -> str | Reply:
        if "<request " in call.user:
            return self._rewrite(call)
        number = re.search(r"number (\d+)", call.user)
        assert number is not None, call.user
        asked = set((call.schema or {})["properties"])
        answer = _verified if "verdicts" in asked else _split if "claims" in asked else _asked
        return json.dumps(answer(call.system, int(number[1])))

    def _rewrite(self, call: Call) -> str:
        self.meta.append((call.system, call.user))
        current = re.search(r'<current score="[^"]*">\n(.*?)\n</current>', call.user, re.DOTALL)
        assert current is not None
        task = next(name for name, prompt in PROMPTS.items() if prompt in current[1])
        if ADDITIONS[task] in current[1]:
            return "I would rather not say."
        return f"<prompt>{current[1]} {ADDITIONS[task]}</prompt>"


def _verified(prompt: str, number: int) -> Any:
    """Every claim gets the experts' label; the quote of four supported ones is copied only when that is asked for."""
    label = LABELS[number % 3]
    quote = f"shop number {number} opens at nine" if label == "supported" else ""
    if "letter by letter" not in prompt:
        quote = quote.replace("opens at nine", "is open from nine on")
    return {"verdicts": [{"claim": 1, "reasoning": f"Look at {number}.", "quote": quote, "label": label}]}


def _split(prompt: str, number: int) -> Any:
    claims = [f"Page number {number} is red.", f"Page number {number} costs nothing."]
    if "atomic" not in prompt and number % 2 == 0:
        claims = [f"Page number {number} is red and costs nothing."]
    return {"reasoning": "", "claims": [{"claim": each, "kind": "factual"} for each in claims]}


def _asked(prompt: str, number: int) -> Any:
    about = [f"What colour is house number {number}?", f"Which colour has house number {number}?", "Is it red?"]
    return {"questions": about if "subject" in prompt else ["Will it rain tomorrow?", "Is it windy?", "Who knows?"]}


def _write(path: Path, rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)


@pytest.fixture
def steps() -> Steps:
    return Steps()


@pytest.fixture
def server(steps: Steps, monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with Loopback(steps) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.openai_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
        yield running


@pytest.fixture(autouse=True)
def sets(tmp_path: Path) -> None:
    """Twelve claims, twelve statements on four answers, and eight answers of which every other one is to the point."""
    _write(
        tmp_path / "support.csv",
        [("id", "context", "claim", "label")]
        + [
            (f"s{n:02}", f"The shop number {n} opens at nine.", f"Shop number {n} opens at nine.", LABELS[n % 3])
            for n in range(12)
        ],
    )
    statements = ("Page number {} is red.", "Page number {} costs nothing.", "Page number {} is red and costs nothing.")
    _write(
        tmp_path / "claims.csv",
        [("id", "question", "answer", "claim", "label")]
        + [
            (f"c{n}{kind}", "What of it?", f"Page number {n} is red and free.", text.format(n), int(kind < 2))
            for n in range(4)
            for kind, text in enumerate(statements)
        ],
    )
    _write(
        tmp_path / "questions.csv",
        [("id", "question", "answer", "label")]
        + [
            (f"q{n}", f"What colour is house number {n}?", f"House number {n} is red.", "0.9")
            if n % 2
            else (f"q{n}", "How do I get my money back?", f"House number {n} is red.", "0.1")
            for n in range(8)
        ],
    )
    for task, prompt in PROMPTS.items():
        (tmp_path / f"{task}.txt").write_text(prompt, encoding="utf-8")


def command(verb: str, task: str, *more: object, judges: Sequence[str] = ("openai:gpt-4.1",)) -> list[object]:
    """Return the arguments of a command on the set of a task."""
    named = [word for judge in judges for word in ("--judge", judge)]
    return [verb, SETS[task], *named, "--task", task, *SCALES[task], "--prompt", f"{task}.txt", *more]


def verdicts(evaluation: int = 1) -> dict[str, Scored]:
    with Store("runs.db", create=False) as store:
        found = store.verdicts(evaluation)
    return {item: verdict for item, verdict in found.items() if isinstance(verdict, Scored)}


def accuracy(result: Any) -> float:
    value = result["metrics"]["accuracy"]["value"]
    assert isinstance(value, float)
    return value


# --- baseline -------------------------------------------------------------------------------------------------------


@tasks
def test_a_baseline_measures_todays_prompt(program: Program, server: Loopback, task: str) -> None:
    report = program(*command("baseline", task, "--json")).json
    (result,), (run,) = report["results"], report["runs"]
    assert accuracy(result) == pytest.approx(BEFORE[task], abs=0.001)
    assert result["coverage"] == 1.0
    assert run["paid_calls"] == len(server.calls) == CALLS[task]


def test_a_quote_that_is_not_in_the_context_makes_supported_not_mentioned(program: Program, server: Loopback) -> None:
    report = program(*command("baseline", "verify", "--json")).json
    assert report["results"][0]["confusion"] == {
        "labels": list(LABELS),
        "matrix": [[0, 0, 4], [0, 4, 0], [0, 0, 4]],
    }
    one = verdicts()["s00"]
    assert one.evidence == {
        "claims": [
            {
                "claim": "Shop number 0 opens at nine.",
                "label": "not mentioned",
                "stated": "supported",
                "quote": "shop number 0 is open from nine on",
                "quote_found": False,
                "reasoning": "Look at 0.",
            }
        ]
    }
    assert server.calls[0].system.startswith(PROMPTS["verify"])


def test_statements_on_one_answer_share_its_split_and_have_verdicts_of_their_own(
    program: Program, server: Loopback
) -> None:
    planned = program(*command("baseline", "split", "--dry-run")).out
    assert "This would take 4 calls to openai:gpt-4.1;" in planned
    assert "stored" not in planned.splitlines()[0]
    program(*command("baseline", "split"))
    assert len(server.calls) == 4
    found = verdicts()
    assert {item: found[item].label for item in ("c00", "c01", "c02")} == {"c00": "0", "c01": "0", "c02": "1"}
    together = {"claims": [{"claim": "Page number 0 is red and costs nothing.", "kind": "factual"}]}
    assert [found[item].evidence for item in ("c00", "c01", "c02")] == [together] * 3
    for call in server.calls:
        assert "<claim>" not in call.user
    (run,) = json.loads(program(*command("baseline", "split", "--json")).out)["runs"]
    assert len(server.calls) == 4
    assert run["cost"] == pytest.approx(run["spent"]["cost"]), "a split that serves three statements is paid for once"


def test_the_question_is_the_embedders_alone(program: Program, server: Loopback) -> None:
    program(*command("baseline", "questions", "--embedder", "lexical"))
    for call in server.calls:
        assert "What colour" not in call.user + call.system
    evidence = verdicts()["q1"].evidence
    assert evidence is not None
    assert evidence["embedder"] == "lexical"
    assert evidence["questions"] == ["Will it rain tomorrow?", "Is it windy?", "Who knows?"]
    assert isinstance(evidence["similarities"], list)
    assert len(evidence["similarities"]) == 3


@pytest.mark.parametrize("task", ["split", "verify"])
def test_a_batch_says_what_direct_calls_say(program: Program, server: Loopback, task: str) -> None:
    batched = program(*command("baseline", task, "--mode", "batch", "--json", "--db", "batch.db")).json
    assert server.requests == 0
    assert len(server.batches.charged) == batched["runs"][0]["paid_calls"] == CALLS[task]
    assert program(*command("baseline", task, "--json")).json["results"] == batched["results"]


def test_votes_on_a_split_ask_about_each_answer_as_often(program: Program, server: Loopback) -> None:
    report = program(*command("baseline", "split", "--votes", "3", "--json")).json
    assert len(server.calls) == 12
    assert accuracy(report["results"][0]) == pytest.approx(BEFORE["split"])
    with Store("runs.db", create=False) as store:
        evaluation = store.candidates(1)[0].evaluation
    assert evaluation is not None
    assert verdicts(evaluation)["c00"].evidence is not None


# --- noise, compare, optimize ---------------------------------------------------------------------------------------


@tasks
def test_noise_asks_again_and_again(program: Program, server: Loopback, task: str) -> None:
    report = program(*command("noise", task, "--runs", "2", "--json")).json
    assert len(server.calls) == 2 * CALLS[task]
    assert report["status"] == "ok"
    assert "no verdict changed in 2 runs" in report["sentence"]


@pytest.mark.slow
@tasks
def test_two_models_are_compared(program: Program, server: Loopback, task: str) -> None:
    judges = ("openai:gpt-4.1", "openai:gpt-4.1-mini")
    report = program(*command("compare", task, "--json", judges=judges)).json
    assert len(server.calls) == 2 * CALLS[task]
    for result in report["results"][:2]:
        assert accuracy(result) == pytest.approx(BEFORE[task], abs=0.001)


@pytest.mark.slow
@tasks
def test_a_calibration_finds_the_better_prompt(program: Program, server: Loopback, steps: Steps, task: str) -> None:
    search = ("--optimizer", "openai:gpt-4.1-mini", "--iterations", "1", "--no-analysis", "--json")
    (calibration,) = program(*command("optimize", task, *search)).json["calibrations"]
    scores = {each["number"]: each["score"] for each in calibration["candidates"]}
    assert scores[calibration["winner"]["number"]] > scores[0]
    assert ADDITIONS[task] in program("export", "1").out
    used = {each["strategy"] for each in calibration["candidates"]}
    assert ("few-shot from disagreements" in used) <= (task == "verify")
    assert len(steps.meta) > 0
    for system, message in steps.meta:
        assert "it is added to your text" in system
        assert "a model that labels answers" not in system
        shown = re.search(r"Inputs the judge sees: (.*)", message)
        assert shown is not None
        seen = {"verify": "context, claim", "split": "question, answer", "questions": "answer"}
        assert shown[1] == seen[task]


# --- export ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@tasks
def test_a_bundle_is_the_same_judge(program: Program, server: Loopback, task: str) -> None:
    before = program(*command("baseline", task, "--json")).json
    program("export", "1", "--to", "json", "-o", "judge.json")
    calls = len(server.calls)
    again = program("baseline", SETS[task], "--judge", "judge.json", *SCALES[task], "--json").json
    assert again["results"] == before["results"]
    assert len(server.calls) == calls
    assert program("export", "1").out == PROMPTS[task] + "\n"
    assert "## How the reply is read" in program("export", "1", "--to", "markdown").out
    for option in (("--task", "verdict"), ("--embedder", "lexical")):
        refused = program("baseline", SETS[task], "--judge", "judge.json", *SCALES[task], *option, code=2)
        assert refused.error.startswith(f"judge.json is a whole judge, and {option[0]} would make it another one")


def test_a_module_reads_replies_of_the_model(program: Program, server: Loopback) -> None:
    program(*command("baseline", "verify"))
    program("export", "1", "--to", "python", "-o", "verifier.py")
    module: dict[str, Any] = {}
    exec(compile(Path("verifier.py").read_text(encoding="utf-8"), "verifier.py", "exec"), module)
    inputs = {"context": "The shop number 3 opens at nine.", "claim": "Shop number 3 opens at nine."}
    sent = module["render"](inputs)
    assert (sent["system"], sent["user"]) in {(call.system, call.user) for call in server.calls}
    read = module["parse"](json.dumps(_verified("letter by letter", 3)), inputs)
    assert (read.label, read.claims[0].quote) == ("supported", "shop number 3 opens at nine")
    assert module["parse"](json.dumps(_verified("", 3)), inputs).label == "not mentioned"


@pytest.mark.parametrize("to", ["mlflow", "inspect", "promptfoo", "langfuse"])
def test_other_tools_are_refused_in_one_line(program: Program, server: Loopback, to: str) -> None:
    program(*command("baseline", "verify"))
    error = program("export", "1", "--to", to, code=2).error
    assert "a judge that verifies claims exports to text, markdown, json, python" in error


@pytest.mark.slow
@tasks
def test_a_prompt_goes_with_its_task(program: Program, server: Loopback, task: str) -> None:
    before = program(*command("baseline", task, "--json")).json
    program("export", "1", "--to", "json", "-o", "judge.json")
    given = ("baseline", SETS[task], "--judge", "openai:gpt-4.1", *SCALES[task])
    again = program(*given, "--prompt", "judge.json", "--json").json
    assert again["results"] == before["results"]
    calls = server.requests
    search = ("optimize", SETS[task], "--judge", "openai:gpt-4.1", *SCALES[task], "--optimizer", "openai:gpt-4.1-mini")
    refused = program(*search, "--from", "1", code=2)
    assert refused.error == f"field '--from': the prompt of run 1 is for --task {task}: give --task {task} too"
    assert server.requests == calls
    found = program(*search, "--from", "1", "--task", task, "--iterations", "1", "--no-analysis", "--json").json
    assert found["calibrations"][0]["candidates"][0]["score"] is not None


@pytest.mark.slow
@tasks
def test_a_judge_with_a_task_is_probed_for_leanings_as_it_was_asked(
    program: Program, server: Loopback, task: str
) -> None:
    program(*command("baseline", task))
    report = program("bias", "1", "--ask", "--json").json
    assert report["status"] == "ok"
    assert server.requests > CALLS[task]


# --- what shows them ------------------------------------------------------------------------------------------------


def test_disagreements_show_the_quote_and_why_it_did_not_count(program: Program, server: Loopback) -> None:
    program(*command("baseline", "verify"))
    program("disagreements", "1", "-o", "differ.csv")
    with Path("differ.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["id"] for row in rows] == ["s00", "s03", "s06", "s09"]
    said = (
        'Look at 0. Quote: "shop number 0 is open from nine on" Called supported, but the context does not say the '
        "quote word for word: counted as not mentioned."
    )
    assert rows[0]["judge_reasoning"] == said
    assert rows[0]["claim"] == "Shop number 0 opens at nine."
    program("report", "1", "--format", "md", "-o", "page.md")
    for text in (program("show", "1").out, Path("page.md").read_text(encoding="utf-8")):
        assert "Called supported, but the context does not say the quote word for word" in " ".join(text.split())


def test_a_run_on_a_split_shows_the_claims(program: Program, server: Loopback) -> None:
    program(*command("baseline", "split"))
    shown = program("show", "1").out
    assert "c00: experts 1, judge 0: 1. Page number 0 is red and costs nothing." in shown
    assert "'task': 'split'" in shown
    assert "task split" in program("card", "1").out


# --- what cannot work -----------------------------------------------------------------------------------------------


@tasks
@pytest.mark.parametrize(
    ("judge", "said"),
    [
        ("openai-decisions:gpt-4.1", "chooses between labels and writes no text: it cannot split answers"),
        ("py:module:function", "has a reply format of its own: it is not for code"),
        ("exec:cat", "has a reply format of its own: it is not for code"),
    ],
)
def test_what_cannot_have_a_task_is_refused_before_anything_is_sent(
    program: Program, server: Loopback, task: str, judge: str, said: str
) -> None:
    Path("module.py").write_text("def function(item): return '1'\n", encoding="utf-8")
    error = program("baseline", SETS[task], "--judge", judge, "--task", task, *SCALES[task], code=2).error
    assert said in error
    assert server.requests == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("claims.csv", "--task", "verify"), "has no context, which --task verify needs"),
        (("support.csv", "--task", "split", *NOMINAL), "it takes a binary scale, not nominal"),
        (("claims.csv", "--task", "questions"), "it takes an interval scale, such as 0 to 1, not binary"),
        (("claims.csv", "--task", "verifying"), "--task verifying: give one of verdict, split, verify, questions"),
        (
            ("claims.csv", "--task", "split", "--allow-abstain"),
            "--task split states no label; leave --allow-abstain out",
        ),
        (("claims.csv", "--task", "split", "--parse", r"label=(\d)"), "it is not for a judge with an output format"),
        (("claims.csv", "--task", "split", "--prompt", "placed.txt"), "the prompt places {{claim}}, which is no input"),
        (("questions.csv", "--task", "questions", *INTERVAL, "--mode", "batch"), "no batch mode"),
    ],
)
def test_what_a_task_cannot_do_is_refused_in_one_line(
    program: Program, server: Loopback, arguments: Sequence[str], said: str
) -> None:
    Path("placed.txt").write_text("Is {{claim}} in it?", encoding="utf-8")
    assert said in program("baseline", *arguments, "--judge", "openai:gpt-4.1", code=2).error
    assert server.requests == 0


# --- offline --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("name", "task"), [("claims_es", "split"), ("claim_support_es", "verify")])
def test_everything_can_be_tried_without_a_key(program: Program, name: str, task: str) -> None:
    judged = (name, "--judge", "sim:reader", "--task", task)
    (result,) = program("baseline", *judged, "--json").json["results"]
    assert result["coverage"] == 1.0
    assert result["n"] > 50
    assert program("noise", *judged, "--runs", "2", "--json").json["status"] == "ok"
    assert len(program("compare", *judged, "--judge", "sim:reader-small", "--json").json["results"]) >= 2
    search = program("optimize", *judged, "--optimizer", "sim:writer", "--iterations", "1", "--json", code=None).json
    (calibration,) = search["calibrations"]
    assert len([each for each in calibration["candidates"] if each["score"] is not None]) >= 2
    program("export", "1", "--to", "json", "-o", "judge.json")
    again = program("baseline", name, "--judge", "judge.json", "--json").json
    assert again["results"] == [result]
