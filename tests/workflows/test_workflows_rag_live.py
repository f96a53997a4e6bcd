"""Live systems: a function is asked every question, and what it returns is read as recorded outputs are."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibrate.config import load_settings
from calibrate.errors import InputError, ProviderError
from calibrate.rag import Bank, Question
from calibrate.rag.loading import load_variants
from calibrate.workflows.progress import Quiet
from calibrate.workflows.rag_live import AT_ONCE, ask_systems

BANK = Bank("shop", tuple(Question(f"q{n}", f"What about {n}?", (f"c{n}",), reference="secret") for n in range(1, 13)))
NUMBER = itertools.count()


class Told(Quiet):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def module(tmp_path: Path) -> Iterator[object]:
    """Write a module under a name of its own into the working directory, and return the name."""
    names = []

    def write(source: str) -> str:
        name = f"live_system_{next(NUMBER)}"
        names.append(name)
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(source), encoding="utf-8")
        return name

    yield write
    for name in names:
        sys.modules.pop(name, None)


def ask(*specs: str, told: Quiet, **options: object):
    return asyncio.run(ask_systems(specs, options.pop("bank", BANK), told, **options))


PLAIN = """
    def answer(question):
        return {"ranked": ["c1", "c2"], "context": ["c1"], "answer": "Yes [c1]."}
"""


def test_a_function_is_asked_every_question_and_told_nothing_else(module, told):
    name = module("""
        asked = []

        def answer(question):
            asked.append(dict(question))
            number = question["id"][1:]
            return {
                "ranked": (f"c{number}", "c0"), "context": [f"c{number}"], "answer": f"About {number}.",
                "latency": 1.5, "input_tokens": 10, "output_tokens": 3, "cost": 0.01,
            }
    """)
    (variant,) = ask(f"{name}:answer", told=told)
    assert (variant.name, variant.source) == ("answer", f"{name}:answer")
    assert list(variant.outputs) == [each.id for each in BANK.questions]
    output = variant.outputs["q3"]
    assert (output.ranked, output.context, output.answer) == (("c3", "c0"), ("c3",), "About 3.")
    assert (output.latency, output.input_tokens, output.output_tokens, output.cost) == (1.5, 10, 3, 0.01)
    asked = sorted(sys.modules[name].asked, key=lambda each: int(each["id"][1:]))
    assert asked == [{"id": each.id, "question": each.text} for each in BANK.questions]


def test_async_functions_names_and_spanish_keys(module, told):
    name = module("""
        import asyncio

        class System:
            @staticmethod
            async def answer(question):
                await asyncio.sleep(0.02)
                return {
                    "recuperados": [{"id": "c1", "score": 0.9}, {"id": "c1", "score": 0.8}],
                    "contexto": "c1; c2",
                    "respuesta": None,
                    "latencia_ms": 250 if question["id"] == "q1" else None,
                }
    """)
    (variant,) = ask(f"new = py:{name}:System.answer", told=told)
    assert variant.name == "new"
    output = variant.outputs["q1"]
    assert (output.ranked, output.context, output.answer, output.latency) == (("c1",), ("c1", "c2"), "", 0.25)
    assert 0.02 <= variant.outputs["q2"].latency < 5  # measured, as none was told
    assert "new: 12 outputs with a chunk twice among those retrieved: it keeps its first place" in told.notes
    assert "new: 12 outputs without an answer: taken as an empty one" in told.notes


@pytest.mark.parametrize("prefix", ["", "async "])
def test_no_more_than_eight_at_a_time(module, told, prefix):
    wait = "await asyncio.sleep(0.02)" if prefix else "time.sleep(0.02)"
    name = module(f"""
        import asyncio, threading, time
        inside, most, lock = 0, 0, threading.Lock()

        {prefix}def answer(question):
            global inside, most
            with lock:
                inside += 1
                most = max(most, inside)
            {wait}
            with lock:
                inside -= 1
            return {{"ranked": [], "context": [], "answer": "No."}}
    """)
    ask(f"{name}:answer", told=told)
    most = sys.modules[name].most
    assert most == AT_ONCE if prefix else 1 < most <= AT_ONCE


def test_arrays_are_lists(module, told):
    name = module("""
        import numpy as np

        def answer(question):
            return {"ranked": np.array(["c1", "c2"]), "context": ["c1"], "answer": "x", "cost": np.float64(0.5)}
    """)
    output = ask(f"{name}:answer", told=told)[0].outputs["q1"]
    assert (output.ranked, output.cost) == (("c1", "c2"), 0.5)


def test_a_question_on_which_it_raises_has_no_output_and_is_counted(module, told):
    name = module("""
        def answer(question):
            if question["id"] in ("q2", "q5"):
                raise RuntimeError(f"no index for {question['id']}")
            return {"ranked": [], "context": [], "answer": "No."}
    """)
    (variant,) = ask(f"{name}:answer", told=told)
    assert set(variant.outputs) == {each.id for each in BANK.questions} - {"q2", "q5"}
    assert told.notes[-1] == (
        f"answer: {name}:answer raised on 2 of 12 questions, which have no output; 'q2': RuntimeError: no index for q2"
    )


def test_one_that_always_raises_ends_the_evaluation_in_one_line_without_keys(module, told):
    name = module("def answer(question):\n    raise ValueError('refused sk-a-secret-key\\n(401)')\n")
    settings = load_settings({"OPENAI_API_KEY": "sk-a-secret-key"}, Path.cwd())
    with pytest.raises(ProviderError) as error:
        ask(f"{name}:answer", told=told, settings=settings)
    said = str(error.value)
    assert said.startswith(f"{name}:answer raised on every one of 12 questions, such as: ValueError: refused ")
    assert "sk-a-secret-key" not in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("None", "the function returned nothing; return a mapping with 'ranked', 'context' and 'answer'"),
        ("'Yes.'", "the function returned a value of the type str"),
        ("{'ranked': [], 'answer': ''}", "the mapping has no 'context', the ids of the chunks in the context"),
        ("{'ranked': None, 'context': [], 'answer': ''}", "field 'ranked': no list of ids; write []"),
        ("{'ranked': [True], 'context': [], 'answer': ''}", "field 'ranked': true is no id of a chunk"),
        ("{'ranked': [object()], 'context': [], 'answer': ''}", "field 'ranked': a value of the type object is no"),
        (
            "(own := []).append(own) or {'ranked': own, 'context': [], 'answer': ''}",
            "field 'ranked': it contains itself, or is nested too deeply",
        ),
        ("{'ranked': [], 'context': [], 'answer': '', 'cost': -1}", "field 'cost': '-1' is no number of 0 or more"),
        ("{'ranked': [], 'context': [], 'answer': '', 'cost': float('nan')}", "field 'cost': nan is no number"),
        ("{'ranked': [], 'retrieved': [], 'context': [], 'answer': ''}", "could both be the ranked"),
    ],
)
def test_a_return_value_that_is_no_output_names_the_question(module, told, value, message):
    name = module(f"def answer(question):\n    return {value}\n")
    with pytest.raises(InputError) as error:
        ask(f"{name}:answer", told=told, bank=BANK.only(["q7"]))
    assert str(error.value).startswith(f"{name}:answer, question 'q7'")
    assert message in str(error.value)


def test_a_context_that_is_not_told_can_be_the_first_retrieved(module, told):
    name = module("def answer(question):\n    return {'ranked': 'c1 c2 c3', 'answer': 'x'}\n")
    (variant,) = ask(f"{name}:answer", told=told, context_from_ranked=2)
    assert variant.outputs["q1"].context == ("c1", "c2")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rag", "'rag' is not of the form NAME=MODULE:FUNCTION"),
        ("=rag:answer", "is not of the form NAME=MODULE:FUNCTION"),
        ("a/b=rag:answer", "'a/b' is no name of a variant"),
        ("no_such_module_here:answer", "module 'no_such_module_here' cannot be imported"),
        ("json:nothing", "module 'json' has no function 'nothing'"),
        ("base=json:dumps", "two variants are called 'base'; give NAME=json:dumps"),
    ],
)
def test_a_system_that_cannot_be_asked(told, spec, message):
    with pytest.raises(InputError) as error:
        ask(spec, told=told, taken=["base"])
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_nothing_is_asked_when_a_later_system_cannot_be_loaded(module, told):
    name = module("calls = []\n\ndef answer(question):\n    calls.append(question)\n")
    with pytest.raises(InputError):
        ask(f"{name}:answer", f"{name}:nothing", told=told)
    assert sys.modules[name].calls == []


COUNTING = """
    calls = []
    failing = {"q4"}

    def answer(question):
        calls.append(question["id"])
        if question["id"] in failing:
            raise OSError("no connection")
        return {"recuperados": ["c1"], "contexto": ["c1"], "respuesta": "Sí.", "latencia_ms": 500}
"""


def test_saved_outputs_are_read_as_recorded_ones_and_not_asked_again(module, told, tmp_path):
    name = module(COUNTING)
    folder = tmp_path / "made" / "outputs"
    (first,) = ask(f"a={name}:answer", told=told, save=folder)
    lines = (folder / "a.outputs.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 11
    assert json.loads(lines[0])["question"].startswith("What about ")
    (recorded,), _ = load_variants([f"a={folder / 'a.outputs.jsonl'}"], BANK)
    assert (recorded.name, recorded.digest) == ("a", first.digest)

    sys.modules[name].calls.clear()
    sys.modules[name].failing.clear()
    (second,) = ask(f"a={name}:answer", told=told, save=folder)
    assert sys.modules[name].calls == ["q4"]
    assert len(second.outputs) == 12
    assert any("holds 11 outputs already; --fresh asks for them again" in note for note in told.notes)
    (again,), _ = load_variants([f"a={folder / 'a.outputs.jsonl'}"], BANK)
    assert again.digest == second.digest


def test_a_part_of_the_bank_takes_its_part_of_the_saved_outputs(module, told, tmp_path):
    name = module(PLAIN)
    ask(f"{name}:answer", told=told, save=tmp_path)
    (variant,) = ask(f"{name}:answer", told=told, save=tmp_path, bank=BANK.only(["q2"]))
    assert list(variant.outputs) == ["q2"]


def test_a_line_that_was_not_finished_is_asked_again(module, told, tmp_path):
    name = module(COUNTING.replace('{"q4"}', "set()"))
    ask(f"{name}:answer", told=told, save=tmp_path)
    path = tmp_path / "answer.outputs.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    lost = json.loads(whole.splitlines()[-1])["id"]
    sys.modules[name].calls.clear()
    (variant,) = ask(f"{name}:answer", told=told, save=tmp_path)
    assert sys.modules[name].calls == [lost]
    assert len(variant.outputs) == len(path.read_bytes().splitlines()) == 12
    path.write_bytes(path.read_bytes().rstrip(b"\n"))  # a line that only lacks its end is an output
    sys.modules[name].calls.clear()
    ask(f"{name}:answer", told=told, save=tmp_path)
    assert sys.modules[name].calls == []


def ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_file_of_something_else_is_left_alone(module, told, tmp_path):
    name = module(PLAIN)
    path = tmp_path / "answer.outputs.jsonl"
    path.write_text('{"id": "q1", "ranked": [], "context": [], "answer": "Mine."}\n', encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(InputError, match="row 1: not the outputs of a live system; move the file, or give"):
        ask(f"{name}:answer", told=told, save=tmp_path)
    assert path.read_bytes() == before


def test_outputs_of_another_function_are_set_aside(module, told, tmp_path):
    one, other = module(PLAIN), module(PLAIN.replace("Yes", "No"))
    path = tmp_path / "answer.outputs.jsonl"
    ask(f"{one}:answer", told=told, save=tmp_path)
    before = path.read_bytes()
    (variant,) = ask(f"{other}:answer", told=told, save=tmp_path)
    assert {each.answer for each in variant.outputs.values()} == {"No [c1]."}
    assert (tmp_path / "answer.outputs.1.jsonl").read_bytes() == before
    assert len(ids(path)) == 12
    assert any(note.startswith("answer: 12 earlier outputs set aside in ") for note in told.notes)


def test_a_changed_source_is_another_system(module, told, tmp_path):
    name = module(PLAIN)
    ask(f"{name}:answer", told=told, save=tmp_path, bank=BANK.only(["q1", "q2"]))
    source = tmp_path / f"{name}.py"
    source.write_text(source.read_text().replace("Yes", "Certainly"))
    del sys.modules[name]
    (variant,) = ask(f"{name}:answer", told=told, save=tmp_path)
    assert {each.answer for each in variant.outputs.values()} == {"Certainly [c1]."}
    assert sorted(ids(tmp_path / "answer.outputs.1.jsonl")) == ["q1", "q2"]


def test_a_changed_question_alone_is_asked_again(module, told, tmp_path):
    name = module(COUNTING.replace('{"q4"}', "set()"))
    ask(f"{name}:answer", told=told, save=tmp_path)
    sys.modules[name].calls.clear()
    changed = tuple(Question(each.id, "What else?", ()) if each.id == "q5" else each for each in BANK.questions)
    (variant,) = ask(f"{name}:answer", told=told, save=tmp_path, bank=Bank("shop", changed))
    assert sys.modules[name].calls == ["q5"]
    assert len(variant.outputs) == len(ids(tmp_path / "answer.outputs.jsonl")) == 12


def test_asked_afresh_nothing_is_lost(module, told, tmp_path):
    name = module(COUNTING.replace('{"q4"}', "set()"))
    for _ in range(3):
        ask(f"{name}:answer", told=told, save=tmp_path, fresh=True)
    assert len(sys.modules[name].calls) == 36
    files = [tmp_path / f"answer.outputs{number}.jsonl" for number in ("", ".1", ".2")]
    assert [len(ids(each)) for each in files] == [12, 12, 12]


def test_what_is_in_flight_at_a_wrong_return_value_is_kept(module, told, tmp_path):
    name = module("""
        import asyncio

        async def answer(question):
            if question["id"] == "q1":
                return "no mapping"
            await asyncio.sleep(0.05)
            return {"ranked": [], "context": [], "answer": "No."}
    """)
    with pytest.raises(InputError, match="question 'q1'"):
        ask(f"{name}:answer", told=told, save=tmp_path)
    kept = [json.loads(line)["id"] for line in (tmp_path / "answer.outputs.jsonl").read_text().splitlines()]
    assert sorted(kept) == [f"q{n}" for n in range(2, 9)]


def test_stopped_it_keeps_what_had_arrived_and_goes_on(module, told, tmp_path):
    name = module("""
        import asyncio
        calls, slow = [], True

        async def answer(question):
            calls.append(question["id"])
            if slow and question["id"] != "q1":
                await asyncio.sleep(60)
            return {"ranked": [], "context": [], "answer": "No."}
    """)

    async def stopped() -> None:
        work = asyncio.create_task(ask_systems([f"{name}:answer"], BANK, told, save=tmp_path))
        while not (tmp_path / "answer.outputs.jsonl").exists():
            await asyncio.sleep(0.01)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(asyncio.wait_for(stopped(), 30))
    system = sys.modules[name]
    system.calls.clear()
    system.slow = False
    (variant,) = ask(f"{name}:answer", told=told, save=tmp_path)
    assert "q1" not in system.calls
    assert len(variant.outputs) == 12
