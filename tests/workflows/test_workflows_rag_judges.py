"""Who plays which role in a RAG evaluation: models, bundles and runs, code, and those that cannot play theirs."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from rag_world import ANSWERABLE, JUDGE, RagJudges, element, figure, role_of, write_desks, write_variant

from calibrate.config import Settings, load_settings
from calibrate.domain import Scale
from calibrate.errors import InputError
from calibrate.export import Exported, bundle
from calibrate.judge import JudgeSettings, Prompt, Task
from calibrate.providers import Ledger
from calibrate.rag.judged_items import ROLES, Role, role_inputs, role_task
from calibrate.workflows.rag_judges import Asking, RoleJudge, close_judges, open_role_judges, read_judges

BINARY = Scale("binary", ("0", "1"), positive="1")
THREE = Scale("nominal", ("supported", "contradicted", "not mentioned"))
SHARE = Scale("interval", threshold=0.5, low=0.0, high=1.0)
STARS = Scale("interval", threshold=3.0, low=1.0, high=5.0)


@pytest.fixture
def world() -> RagJudges:
    return RagJudges.of_desks()


# How judges are named


def test_a_judge_is_for_all_roles_or_for_one():
    given = read_judges([JUDGE, "claim_support = judge.json", "abstention=12:3", "correctness=py:mine:judge"])
    assert given == {
        None: JUDGE,
        "claim_support": "judge.json",
        "abstention": "12:3",
        "correctness": "py:mine:judge",
    }
    # An equals sign may belong to a judge itself.
    assert read_judges(["exec:judge --mode=strict"]) == {None: "exec:judge --mode=strict"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["relevance=sim:reader"], "--judge relevance=sim:reader: there is no role 'relevance'; the roles are "),
        (["claims=a:b", "claims=c:d"], "two judges for the role claims: a:b and c:d; give one"),
        (["a:b", "c:d"], "two judges for all roles: a:b and c:d; give one"),
        (["claims="], "--judge claims=: name a model, a bundle or a run"),
        ([""], "name a model, a bundle or a run"),
    ],
)
def test_names_that_cannot_be_read_are_one_line(given, said):
    with pytest.raises(InputError) as refused:
        read_judges(given)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


# What they need


def opened(roles: tuple[Role, ...], judges: Mapping[Role | None, str], language: str = "en") -> dict[Role, RoleJudge]:
    async def both() -> dict[Role, RoleJudge]:
        found = open_role_judges(roles, judges, Asking(language), settings(), None, Ledger())
        await close_judges(found)
        return found

    return asyncio.run(both())


def settings() -> Settings:
    return load_settings(os.environ, Path.cwd())


def test_a_model_plays_every_role_with_the_default_prompt_of_the_bank_s_language():
    english = opened(ROLES, {None: "sim:reader"})
    assert {role: (judge.settings.task, judge.inputs) for role, judge in english.items()} == {
        role: (role_task(role), role_inputs(role)) for role in ROLES
    }
    spanish = opened(ROLES, {None: "sim:reader"}, "es-MX")
    assert spanish["claim_support"].scale.labels == ("respaldada", "contradicha", "no mencionada")
    assert all(english[role].prompt.text != spanish[role].prompt.text for role in ROLES)
    assert {judge.settings.language for judge in spanish.values()} == {"es-MX"}


def test_judges_of_one_model_share_it_and_its_limit():
    judges = opened(("claims", "claim_support", "correctness"), {None: "sim:reader"})
    assert len({id(judge.model) for judge in judges.values()}) == 1


def test_a_role_without_a_judge_is_refused():
    with pytest.raises(InputError, match="no judge for correctness; give --judge MODEL, or --judge correctness=MODEL"):
        opened(("correctness",), {"claims": "sim:reader"})


def written(
    path: Path, task: Task, scale: Scale, inputs: tuple[str, ...], prompt: str = "Judge it.", **told: Any
) -> str:
    """Write a bundle."""
    metrics: Any = {"alignment": {"value": 0.8, "low": 0.7, "high": 0.9}}
    exported = Exported(
        name="mine",
        dimension=told.pop("dimension", "mine"),
        prompt=Prompt.parse(prompt, inputs),
        model=told.pop("model", "sim:reader"),
        models_returned=(),
        scale=scale,
        settings=JudgeSettings(task=task, **told),
        inputs=inputs,
        metrics=metrics,
        provenance={"run": "9:4", "golden_set": "experts", "n": 80},
    )
    path.write_text(json.dumps(bundle(exported)), encoding="utf-8")
    return path.name


def test_a_bundle_plays_a_role_as_it_was_calibrated(tmp_path):
    name = written(tmp_path / "v.json", "verify", THREE, ("context", "claim"), "Check {{claim}} well.", max_tokens=99)
    judge = opened(("claim_support",), {"claim_support": name}, "es")["claim_support"]
    assert (judge.prompt.text, judge.prompt.placeholders) == ("Check {{claim}} well.", ("claim",))
    assert (judge.scale, judge.settings.language, judge.settings.max_tokens) == (THREE, "en", 99)
    told = judge.standing
    assert (told.alignment, told.n, told.golden_set, told.source) == (0.8, 80, "experts", "v.json, run 9:4")


@pytest.mark.parametrize("inputs", [("question", "context", "claim"), ("context", "claim", "answer")])
def test_a_verifier_may_know_the_question_and_need_not_see_what_else_its_set_had(tmp_path, inputs):
    name = written(tmp_path / "v.json", "verify", THREE, inputs)
    judge = opened(("claim_support",), {"claim_support": name})["claim_support"]
    assert judge.inputs == tuple(each for each in inputs if each != "answer")


def test_a_judge_of_answer_relevancy_is_one_that_writes_questions_back(tmp_path):
    name = written(tmp_path / "q.json", "questions", SHARE, ("question", "answer"))
    assert opened(("answer_relevancy",), {"answer_relevancy": name})["answer_relevancy"].scale == SHARE


@pytest.mark.parametrize(
    ("role", "task", "scale", "inputs", "prompt", "said"),
    [
        (
            "claims",
            "verify",
            THREE,
            ("context", "claim"),
            "Judge.",
            "j.json has the task verify, and claims needs split: calibrate one with --task split",
        ),
        (
            "answer_relevancy",
            "verdict",
            SHARE,
            ("question", "answer"),
            "Judge.",
            "j.json has the task verdict, and answer_relevancy needs questions: calibrate one with --task questions",
        ),
        (
            "correctness",
            "verdict",
            THREE,
            ("question", "reference", "answer"),
            "Judge.",
            "j.json judges on a nominal scale; correctness needs a binary one, or scores",
        ),
        (
            "claim_support",
            "verify",
            THREE,
            ("context", "claim", "note"),
            "Mind {{note}}.",
            "the prompt of j.json places 'note'; claim_support has context, claim, question",
        ),
        (
            "correctness",
            "verdict",
            BINARY,
            ("question", "answer"),
            "Judge.",
            "j.json was not shown 'reference', and cannot judge correctness without it",
        ),
        (
            "context_relevancy",
            "verdict",
            BINARY,
            ("question", "answer"),
            "Judge.",
            "j.json was not shown 'context', and cannot judge context_relevancy without it",
        ),
    ],
)
def test_a_bundle_that_cannot_play_a_role_is_one_line(
    tmp_path, role: Role, task: Task, scale: Scale, inputs: tuple[str, ...], prompt: str, said: str
):
    name = written(tmp_path / "j.json", task, scale, inputs, prompt)
    with pytest.raises(InputError) as refused:
        opened((role,), {role: name})
    assert str(refused.value) == said


def test_a_bundle_without_a_role_does_not_play_them_all(tmp_path):
    name = written(tmp_path / "v.json", "verify", THREE, ("context", "claim"))
    with pytest.raises(InputError) as refused:
        opened(("claim_support", "correctness"), {None: name})
    assert str(refused.value) == (
        "v.json has the task verify and cannot play correctness; name the role that it plays, as in --judge ROLE=JUDGE"
    )


@pytest.mark.parametrize("role", ["claims", "claim_support", "answer_relevancy"])
def test_code_cannot_play_a_step_that_takes_more_than_a_label(role: Role):
    with pytest.raises(InputError) as refused:
        opened((role,), {role: "py:mine:judge"})
    assert (
        str(refused.value)
        == f"py:mine:judge is code and gives labels only; {role} needs more than a label: give a model"
    )
    with pytest.raises(InputError, match=f"give --judge {role}=MODEL"):
        opened((role,), {None: "exec:./judge"})


def test_the_embedder_is_a_part_of_the_judge_of_answer_relevancy_only(server):
    embedded = open_role_judges(
        ("answer_relevancy", "claims"),
        {None: JUDGE},
        Asking(embedder="openai:text-embedding-3-small"),
        settings(),
        None,
        Ledger(),
    )
    asyncio.run(close_judges(embedded))
    assert "embedder" in embedded["answer_relevancy"].model.identity
    assert "embedder" not in embedded["claims"].model.identity


# Through the whole program


@pytest.fixture
def run(program, server, tmp_path) -> Callable[..., Any]:
    write_desks(tmp_path)
    write_variant(tmp_path / "a.jsonl", change=lambda name, row: {"answer": "It is free."} if name == "q01" else {})

    def command(*options: object, code: int | None = 0) -> Any:
        return program(
            *("rag", "run", "bank.jsonl", "--corpus", "corpus.jsonl", "--variant", "a.jsonl", "--json"),
            *options,
            code=code,
        )

    return command


def judge_of(outcome: Any, role: str) -> Any:
    (found,) = [each for each in outcome.json["judges"] if each["role"] == role]
    return found


def test_a_run_of_this_database_plays_a_role_with_its_prompt(run, program, server, tmp_path):
    rows = ["id,question,reference,answer,label", *(f"i{n},q,r{n},a,{n % 2}" for n in range(6))]
    (tmp_path / "right.csv").write_text("\n".join(rows))
    (tmp_path / "mine.txt").write_text("Be a judge of my own.")
    program("baseline", "right.csv", "--judge", JUDGE, "--prompt", "mine.txt")
    for named in ("1", "1:0"):
        outcome = run("--judge", f"correctness={named}", "--metric", "correctness")
        assert judge_of(outcome, "correctness")["source"] == "run 1:0"
    asked = [call for call in server.calls if "<reference>" in call.user and "desk" in call.user]
    assert len(asked) == 10
    assert all(call.system.startswith("Be a judge of my own.") for call in asked)
    assert figure(outcome.json, "a", "correctness")["value"] == 0.9
    refused = run("--judge", JUDGE, "--judge", "claim_support=1", code=2).error
    assert refused == "run 1 has the task verdict, and claim_support needs verify: calibrate one with --task verify"


def test_runs_that_are_no_judges_are_one_line(run):
    assert "no run 7" in run("--judge", "correctness=7", code=2).error
    number = run("--metric", "retrieval").json["run"]
    assert (
        f"run {number} evaluates a RAG system and is no judge" in run("--judge", f"correctness={number}", code=2).error
    )
    assert "no run 9" in run("--judge", "correctness=9:1", code=2).error


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[None]:
    """Judges that are code: one says who is right, one who abstains, one fails for desk 02."""
    (tmp_path / "mine.py").write_text(
        "def right(item):\n"
        "    said, reference = item['inputs']['answer'], item['inputs']['reference']\n"
        "    return '1' if reference.split()[-2] in said else '0', 'its number'\n"
        "def declines(item):\n"
        "    return item['inputs']['answer'] in ('I do not know.', 'It is free.')\n"
        "def fails(item):\n"
        "    return None if '02' in item['inputs']['question'] else '1'\n"
    )
    (tmp_path / "judge.py").write_text(
        "import json, sys\nitem = json.load(sys.stdin)\nprint('0' if 'free' in item['inputs']['answer'] else '1')\n"
    )
    yield
    sys.modules.pop("mine", None)


def test_code_judges_correctness_and_abstention(run, mine, server):
    outcome = run(
        *("--judge", "correctness=py:mine:right", "--judge", "abstention=py:mine:declines"),
        *("--metric", "correctness", "--metric", "abstention"),
    )
    assert figure(outcome.json, "a", "correctness")["value"] == 0.9
    assert outcome.json["traces"]["a"]["q02"]["said"]["correctness"] == {"label": "1", "reasoning": "its number"}
    assert outcome.json["traces"]["a"]["q01"]["abstained"] is True
    assert figure(outcome.json, "a", "answer_rate")["value"] == 0.9
    assert figure(outcome.json, "a", "abstention_recall")["value"] == 1.0
    assert "correctness (py:mine:right) was never calibrated" in judge_of(outcome, "correctness")["sentence"]
    assert server.calls == []


def test_a_program_judges_correctness(run, mine):
    outcome = run("--judge", f"correctness=exec:{sys.executable} judge.py", "--metric", "correctness", "--sample", 5)
    assert figure(outcome.json, "a", "correctness")["n"] == 3
    assert judge_of(outcome, "correctness")["unscored"] == {}


def test_code_that_fails_leaves_its_question_out(run, mine):
    outcome = run("--judge", "correctness=py:mine:fails", "--metric", "correctness", code=1)
    assert figure(outcome.json, "a", "correctness")["left_out"] == {"no_reference": 3, "unscored": 1}


def test_scores_of_a_judge_are_shares_of_its_scale(run, server, world, tmp_path):
    def judge(call):
        if role_of(call) == "correctness":
            return json.dumps({"reasoning": "", "label": 1 if "free" in element(call, "answer") else 4})
        return world(call)

    server._replies = judge
    name = written(tmp_path / "stars.json", "verdict", STARS, ("question", "reference", "answer"), model=JUDGE)
    outcome = run("--judge", f"correctness={name}", "--metric", "correctness")
    figures = {q: outcome.json["traces"]["a"][q]["figures"]["correctness"] for q in ANSWERABLE}
    assert figures == {q: 0.0 if q == "q01" else 0.75 for q in ANSWERABLE}


def test_a_bundle_that_takes_votes_plays_a_role_by_their_majority(run, server, world, tmp_path):
    name = written(tmp_path / "v.json", "verify", THREE, ("context", "claim"), model=JUDGE, votes=3, temperature=1.0)
    document = run("--judge", f"claim_support={name}", "--judge", f"claims={JUDGE}", "--metric", "faithfulness").json
    assert world.roles == {"claims": 10, "claim_support": 30}
    assert figure(document, "a", "faithfulness")["value"] == 0.9
    assert document["traces"]["a"]["q02"]["claims"][0]["quote_found"]


def test_questions_written_back_are_compared_by_the_embedder_that_is_named(run, server):
    options = ("--judge", JUDGE, "--metric", "answer_relevancy")
    lexical = run(*options)
    assert {call.api for call in server.calls} == {"openai"}
    named = run(*options, "--embedder", "openai:text-embedding-3-small")
    embedded = [call for call in server.calls if call.api == "embeddings"]
    assert {call.body["model"] for call in embedded} == {"text-embedding-3-small"}
    assert len(embedded) == 10
    calls = len(server.calls)
    assert run(*options, "--embedder", "openai:text-embedding-3-small").json["results"] == named.json["results"]
    assert run(*options).json["results"] == lexical.json["results"]
    assert len(server.calls) == calls
    assert named.json["results"] != lexical.json["results"]
    written_back = named.json["traces"]["a"]["q02"]["questions_written_back"]
    assert len(written_back) == 3
    assert named.json["traces"]["a"]["q02"]["figures"]["answer_relevancy"] == pytest.approx(
        sum(each["similarity"] for each in written_back) / 3
    )
