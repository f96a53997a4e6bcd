"""``strategies``: the ways to rewrite a prompt, with the user's own ones among them."""

import json
import os
import re
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

import calibrate
from calibrate.domain import Item, Scored
from calibrate.errors import InputError
from calibrate.optimizer import STRATEGIES, Misjudged, Strategy
from calibrate.optimizer.strategies import Situation
from calibrate.optimizer.user_strategies import ERROR_KINDS
from calibrate.workflows.strategies import ONLY_WHERE, list_strategies

HEAVY = ("pandas", "sklearn", "scipy", "numpy", "sqlalchemy", "alembic", "openai", "anthropic", "genai_prices")


@pytest.fixture
def own():
    """A folder with a strategy of one's own, and one in place of a built-in one."""
    folder = Path("mine")
    folder.mkdir()
    (folder / "quote.md").write_text(
        "# quote [the] numbers\n> Every figure is quoted.\n\n"
        "Evidence: over-scored, wrongly accepted, unscored\n\nQuote."
    )
    (folder / "shorten.md").write_text("# shorten\nSay it in ten words.\n")
    return "mine"


def used_while(document):
    return {each["name"]: each["used_while"] for each in document["strategies"]}


def test_the_first_line_counts_and_a_line_follows_for_each(program):
    shown = program("strategies").out.splitlines()
    assert shown[0] == "A search rewrites the judge's prompt in 11 ways."
    assert shown[2].split() == ["strategy", "what", "it", "does", "used", "while"]
    for strategy, line in zip(STRATEGIES, shown[3:], strict=True):
        assert re.match(rf"{strategy.name} +{re.escape(strategy.description)} +\w", line)


def test_when_each_is_used(program):
    assert used_while(program("strategies", "--json").json) == {
        "general improvement": "always",
        "fix wrongly rejected": "items come out wrongly rejected or under-scored",
        "fix wrongly accepted": "items come out wrongly accepted or over-scored",
        "explicit rubric": "always",
        "radical simplification": "always",
        "claim enumeration": "items come out wrongly accepted or over-scored",
        "entity attribution": "items come out wrongly accepted or over-scored",
        "evidence quoting": "the judge sees more than one input",
        "few-shot from disagreements": "an item that it gets wrong fits as an example",
        "merge": "another prompt is right on an item that this one gets wrong",
        "shorten": "the prompt has 300 characters or more",
    }


def test_the_words_for_conditions_in_code_are_there_for_all_such_and_true():
    (default,) = [each.default for each in fields(Strategy) if each.name == "only_where"]
    assert set(ONLY_WHERE) == {each.name for each in STRATEGIES if each.only_where is not default}
    situation = Situation((), "x" * 300, ("question", "answer"))
    quoting, shorten = (next(each for each in STRATEGIES if each.name == name) for name in ONLY_WHERE)
    assert quoting.applies(situation)
    assert not quoting.applies(replace(situation, inputs=("answer",)))
    assert shorten.applies(situation)
    assert not shorten.applies(replace(situation, prompt="x" * 299))


def test_what_is_always_used_is_used_without_anything_to_work_on():
    nothing = Situation((), "", ("answer",))
    for each in list_strategies().strategies:
        assert (each.used_while == "always") == each.strategy.applies(nothing), each.strategy.name
        errors = [Misjudged(Item("1", "q", {"answer": "a"}, "0"), Scored("1"), kind) for kind in ERROR_KINDS]
        everything = Situation(errors, "x" * 300, ("question", "answer"), has_partner=True, has_examples=True)
        assert each.strategy.applies(everything)


def test_own_ones_are_marked_and_stand_where_a_search_has_them(program, own):
    shown = program("strategies", "--strategies", own).out
    assert shown.startswith(
        "A search rewrites the judge's prompt in 12 ways: 10 built in, 2 of your own, 1 of them in place of a built-in "
        "one.\n"
    )
    assert re.search(
        r"^quote \[the\] numbers \(own\) +Every figure is quoted\. +items come out wrongly accepted, over-scored or "
        r"unscored *$",
        shown,
        re.MULTILINE,
    )
    assert re.search(
        r"^shorten \(own, replaces a built-in one\) +Say it in ten words\. +always *$", shown, re.MULTILINE
    )
    assert shown.splitlines()[-1] == "(own): from mine."
    assert "(own" not in program("strategies").out


def test_the_document(program, own):
    document = program("strategies", "--strategies", own, "--json").json
    assert (document["schema"], document["status"], document["folder"]) == (1, "ok", "mine")
    assert document["sentence"] == program("strategies", "--strategies", own).out.splitlines()[0]
    rows = {each["name"]: each for each in document["strategies"]}
    assert list(rows) == [*(each.name for each in STRATEGIES), "quote [the] numbers"]
    quote, digest = rows["quote [the] numbers"], rows["quote [the] numbers"].pop("digest")
    assert re.fullmatch("[0-9a-f]{32}", digest)
    assert quote == {
        "name": "quote [the] numbers",
        "own": True,
        "replaces": False,
        "description": "Every figure is quoted.",
        "used_while": "items come out wrongly accepted, over-scored or unscored",
        "evidence": ["wrongly accepted", "over-scored", "unscored"],
        "brings": "nothing",
        "keeps_examples": True,
        "request": "Quote.",
    }
    assert (rows["shorten"]["replaces"], rows["shorten"]["request"]) == (True, "Say it in ten words.")
    assert (rows["merge"]["own"], rows["merge"]["digest"], rows["merge"]["brings"]) == (False, None, "partner")


def test_what_cannot_be_read_is_one_line_with_file_and_line(program, own):
    (Path(own) / "bad.md").write_text("# bad\n> d\nEvidence: everything\nr")
    outcome = program("strategies", "--strategies", own, code=2)
    assert outcome.out == ""
    assert outcome.err.startswith("error: mine/bad.md: line 3: 'everything' is no kind of error; known are ")
    assert outcome.err.count("\n") == 1
    document = program("strategies", "--strategies", "nowhere", "--json", code=2).json
    assert document == {
        "schema": 1,
        "status": "bad_input",
        "error": "nowhere: no such folder of strategies; check the path",
    }


@pytest.mark.parametrize("width", [80, 100])
def test_it_fits_a_terminal(program, own, monkeypatch, width):
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", str(width))):
        monkeypatch.setenv(name, value)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", program("strategies", "--strategies", own).out)
    _, _, *table, _, _ = shown.splitlines()
    assert max(map(len, table)) <= width


def test_text_of_a_file_does_not_steer_the_terminal(program, own):
    (Path(own) / "sly.md").write_text("# sly\n> [bold]clear\x1b[2J[/bold]\nr")
    shown = program("strategies", "--strategies", own).out
    assert "\x1b" not in shown
    assert "[bold]clear" in shown


def test_the_function_returns_the_same_and_a_frame(program, own):
    assert (
        json.loads(json.dumps(calibrate.strategies(own).to_json()))
        == program("strategies", "--strategies", own, "--json").json
    )
    frame = calibrate.strategies(Path(own)).frame()
    assert frame.loc[frame["own"], "name"].tolist() == ["shorten", "quote [the] numbers"]
    assert len(calibrate.strategies().frame()) == len(STRATEGIES)
    with pytest.raises(InputError, match="no such folder"):
        calibrate.strategies("nowhere")


def test_it_loads_nothing_heavy(own):
    def loaded(*options):
        code = f"from calibrate.cli import main; main(['strategies', '--strategies', 'mine', *{options!r}])"
        found = subprocess.run(
            [sys.executable, "-c", f"{code}\nimport sys; print('\\n' + ' '.join(sys.modules))"],
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=True,
        )
        return set(found.stdout.splitlines()[-1].split())

    assert loaded().isdisjoint(HEAVY)
    assert loaded("--json").isdisjoint(set(HEAVY) - {"numpy"})


# In a search


def search(program, pages, *options, code=None):
    models = ("--judge", "openai:gpt-4.1-mini", "--optimizer", "openai:gpt-4.1", "--prompt", "prompt.txt")
    limits = ("--iterations", 1, "--noise-repeats", 0, "--no-analysis")
    return program("optimize", pages, *models, *limits, *options, "--json", code=code)


def requests_to_the_writer(server):
    return [
        re.findall(r"<request .*</request>", call.user, re.DOTALL) for call in server.calls if "<request" in call.user
    ]


def test_a_search_sends_the_request_as_it_is_written(program, server, pages, own):
    search(program, pages, "--strategies", own, "--strategy", "quote [the] numbers")
    sent = requests_to_the_writer(server)
    assert sent
    assert {each for found in sent for each in found} == {
        '<request strategy="quote [the] numbers">\nQuote.\n</request>'
    }


def test_the_same_text_is_the_same_search_and_another_text_is_another_one(program, server, pages, own):
    options = ("--strategies", own, "--strategy", "quote [the] numbers")
    first = search(program, pages, *options).json["calibrations"][0]["run"]
    asked = len(server.calls)
    assert search(program, pages, *options).json["calibrations"][0]["run"] == first
    assert len(server.calls) == asked
    file = Path(own) / "quote.md"
    file.write_text(file.read_text().replace("Every figure is quoted.", "Quotes figures."))
    assert search(program, pages, *options).json["calibrations"][0]["run"] == first
    file.write_text(file.read_text().replace("\nQuote.", "\nQuote each."))
    assert search(program, pages, *options).json["calibrations"][0]["run"] != first


def test_an_unknown_name_is_refused_before_anything_is_asked(program, server, pages, own):
    outcome = search(program, pages, "--strategies", own, "--strategy", "quote numbers", code=2)
    assert (
        "there is no strategy 'quote numbers'; use one of 'quote [the] numbers', 'general improvement'" in outcome.error
    )
    assert not server.calls
