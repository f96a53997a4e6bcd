"""What holds for every command: help, common options, exit codes, one line for an expected error, a quick start."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import typer
from program import start

from calibrate import errors
from calibrate.cli import main
from calibrate.cli.app import app
from calibrate.domain.version import VERSION

ROOT = typer.main.get_command(app)


def walk(command, path=()):
    """Every command with its path, groups included."""
    yield path, command
    for name, each in getattr(command, "commands", {}).items():
        yield from walk(each, (*path, name))


EVERY = dict(walk(ROOT))
COMMANDS = {path: command for path, command in EVERY.items() if not hasattr(command, "commands")}
HEAVY = ("pandas", "sklearn", "scipy", "numpy", "sqlalchemy", "alembic", "openai", "anthropic", "rich", "genai_prices")


def test_the_commands():
    assert {" ".join(path) for path in COMMANDS} == {
        *("demo", "score", "models", "baseline", "optimize", "noise", "bias", "disagreements"),
        *("runs", "show", "explain", "diff", "report", "export", "card", "compare", "strategies"),
        *("golden check", "golden sample", "golden merge"),
        *("rag run", "rag check", "rag draft", "rag add", "rag accept"),
    }


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_command_has_help(program, path):
    outcome = program(*path, "--help")
    assert outcome.err == ""
    command = EVERY[path]
    assert len(command.help.strip()) > 10
    assert command.help.split("\n")[0].split()[0] in outcome.out
    for parameter in command.params:
        name = parameter.opts[0] if parameter.param_type_name == "option" else parameter.metavar
        assert name in outcome.out, name
        assert parameter.help, f"{name} has no help"
        assert parameter.help.rstrip().endswith((".", ")")), f"{name}: {parameter.help}"


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_the_common_options(path):
    flags = {option for parameter in COMMANDS[path].params for option in parameter.opts}
    assert {"--json", "--db", "--quiet"} <= flags


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_help_fits_a_terminal(program, path):
    assert max(map(len, program(*path, "--help").out.splitlines())) <= 80


@pytest.mark.parametrize("path", [path for path in EVERY if hasattr(EVERY[path], "commands")], ids=" ".join)
def test_without_arguments_there_is_help(program, path):
    outcome = program(*path, code=2)
    assert outcome.out.startswith("Usage:")
    assert outcome.err == ""


@pytest.mark.parametrize("path", [(), ("optimize",), ("golden", "check")], ids=" ".join)
def test_h_is_help_everywhere(program, path):
    assert program(*path, "-h").out == program(*path, "--help").out


def test_help_names_every_kind_of_model(program):
    said = " ".join(program("optimize", "--help").out.split())
    for name in ("openai:NAME", "local:FILE.gguf", "local:smollm2", "sim:reader-small", "exec:command", "sim:writer"):
        assert name in said
    assert "From 100 items on" in said
    assert "full set" not in said


def test_the_version(program):
    assert program("--version").out == f"calibrate {VERSION}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("golden", "nonsense"),
        ("score",),
        ("score", "a.csv", "b.csv"),
        ("score", "a.csv", "--nonsense"),
        ("score", "a.csv", "--seed", "one"),
        ("score", "a.csv", "--max-unscored", "2"),
        ("score", "a.csv", "--judge"),
        ("baseline", "pages.csv"),
        ("baseline", "pages.csv", "--judge", "sim:reader", "--concurrency", "0"),
        ("optimize", "pages.csv", "--judge", "sim:reader"),
        ("optimize", "pages.csv", "--judge", "sim:reader", "--optimizer", "sim:writer", "--iterations", "0"),
        ("show",),
        ("diff", "1"),
        ("export",),
        ("disagreements", "1"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line(program, arguments):
    outcome = program(*arguments, code=2)
    assert outcome.out == ""
    assert re.fullmatch(r"error: .+ \(see `calibrate[a-z ]* --help`\)\n", outcome.err), outcome.err
    as_json = program(*arguments, "--json", code=2)
    assert as_json.json["status"] == "bad_input"


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "pages.csv", "--map", "good"),
        ("score", "pages.csv", "--scale", "likert"),
        ("golden", "check", "pages.csv", "--column", "context"),
        ("golden", "check", "nowhere"),
        ("golden", "merge", "pages.csv", "nowhere.csv"),
    ],
    ids=" ".join,
)
def test_a_value_that_cannot_be_used_is_one_line(program, pages, arguments):
    outcome = program(*arguments, code=2)
    assert outcome.out == ""
    assert outcome.error
    assert outcome.err.count("error: ") == 1


def expected_errors(base=errors.CalibrateError):
    yield base
    for each in base.__subclasses__():
        yield from expected_errors(each)


CODES = {
    "CalibrateError": (2, "error"),
    "InputError": (2, "bad_input"),
    "StoreError": (2, "store_error"),
    "ThresholdMissed": (1, "threshold_missed"),
    "ProviderError": (3, "provider_failed"),
    "BudgetExceeded": (3, "budget_exceeded"),
    "Interrupted": (130, "interrupted"),
}


@pytest.mark.parametrize("kind", [each for each in expected_errors() if each.__module__ == errors.__name__])
def test_every_expected_error_has_its_exit_code_and_status(program, monkeypatch, kind):
    def fail(*_):
        raise kind("it is so")

    monkeypatch.setattr("calibrate.workflows.runs.list_runs", fail)
    code, status = CODES[kind.__name__]
    outcome = program("runs", code=code)
    assert (outcome.out, outcome.err) == ("", "error: it is so\n")
    outcome = program("runs", "--json", code=code)
    assert outcome.json == {"schema": 1, "status": status, "error": "it is so"}


def test_a_bug_keeps_its_traceback(program, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("calibrate.workflows.runs.list_runs", fail)
    with pytest.raises(ZeroDivisionError):
        program("runs")


@pytest.mark.parametrize("command", [("runs",), ("show", "1"), ("diff", "1", "2"), ("export", "1")], ids=" ".join)
def test_without_a_database_it_says_so_and_makes_none(program, command):
    outcome = program(*command, code=2)
    assert "runs.db: no runs here yet" in outcome.error
    assert not Path("runs.db").exists()


@pytest.mark.parametrize("command", [("runs",), ("show", "1"), ("baseline", "pages.csv", "--judge", "sim:reader")])
def test_a_file_that_is_no_run_database_is_left_alone(program, pages, command):
    content = b"These are my notes, and no database.\n" * 100
    Path("runs.db").write_bytes(content)
    outcome = program(*command, code=2)
    assert "runs.db is not a calibrate database" in outcome.error
    assert Path("runs.db").read_bytes() == content
    Path("runs.db").unlink()
    with sqlite3.connect("runs.db") as connection:
        connection.execute("create table invoices (id integer)")
    connection.close()
    assert "it has invoices" in program(*command, code=2).error


def test_a_locked_database_is_one_line(program, pages, server, monkeypatch):
    from calibrate.store import Store

    program("baseline", pages, "--judge", "openai:m")
    monkeypatch.setitem(Store.__init__.__kwdefaults__, "lock_wait", 0.1)
    other = sqlite3.connect("runs.db")
    other.execute("begin exclusive")
    try:
        outcome = program("baseline", pages, "--judge", "openai:m", "--fresh", code=2)
        assert "runs.db is locked by another process" in outcome.error
    finally:
        other.close()
    assert program("baseline", pages, "--judge", "openai:m", "--json").json["runs"][0]["run"] == 1


@pytest.mark.parametrize("db", ["nowhere/runs.db", ".", "mysql://host/db", "postgres://u:secret@127.0.0.1:1/x"])
def test_a_database_that_cannot_be_opened(program, pages, db):
    outcome = program("baseline", pages, "--judge", "sim:reader", "--db", db, code=2)
    assert "secret" not in outcome.err
    assert len(outcome.error) < 400


def test_python_dash_m(tmp_path):
    process = start(["--version"], tmp_path)
    assert process.communicate(timeout=60) == (f"calibrate {VERSION}\n", "")
    assert process.returncode == 0
    process = start(["nonsense"], tmp_path)
    assert "No such command" in process.communicate(timeout=60)[1]
    assert process.returncode == 2


def modules_after(code, folder):
    found = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print('\\n' + ' '.join(sys.modules))"],
        cwd=folder,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(found.stdout.splitlines()[-1].split())


def test_help_loads_nothing_heavy(tmp_path):
    for code in (
        "import calibrate",
        "from calibrate.cli import main; main(['--help'])",
        "from calibrate.cli import main; main(['optimize', '--help'])",
        "from calibrate.cli import main; main(['nonsense'])",
    ):
        assert modules_after(code, tmp_path).isdisjoint(HEAVY), code


def test_score_loads_no_database_and_no_sdk(tmp_path):
    (tmp_path / "v.csv").write_text("human,judge\n1,1\n0,1\n1,0\n0,0\n")
    loaded = modules_after("from calibrate.cli import main; main(['score', 'v.csv', '--json'])", tmp_path)
    assert loaded.isdisjoint({"sqlalchemy", "alembic", "openai", "anthropic"})


def test_a_judge_loads_the_sdk_it_needs_only(tmp_path, pages):
    code = "from calibrate.cli import main; main(['baseline', 'pages.csv', '--judge', 'sim:reader'])"
    assert modules_after(code, tmp_path).isdisjoint({"openai", "anthropic"})


@pytest.mark.slow
def test_a_reader_that_goes_away_does_no_harm(tmp_path, program, pages, server):
    program("baseline", pages, "--judge", "openai:m")
    with closing(sqlite3.connect("runs.db")) as connection, connection:  # more than a pipe holds back
        connection.execute("update prompts set text = text || ?", ("\nand again" * 20_000,))
    for arguments, code in (
        (("--help",), 0),
        (("show", "1"), 0),
        (("show", "1", "--json"), 0),
        (("export", "1"), 0),
        (("nonsense", "--json"), 2),
    ):
        process = start(arguments, tmp_path)
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()
        assert process.wait(timeout=60) == code
        assert "Traceback" not in said
        assert "Exception ignored" not in said


@pytest.mark.slow
def test_work_goes_on_when_nobody_reads_its_progress(tmp_path, server, pages):
    search = ("optimize", pages, "--judge", "openai:m", "--optimizer", "openai:m", "--iterations", "1", "--json")
    environment = {"OPENAI_BASE_URL": server.openai_url, "OPENAI_API_KEY": "sk-any"}
    process = start(search, tmp_path, environment)
    process.stderr.close()
    out = process.stdout.read()
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert json.loads(out)["status"] == "ok"


def test_a_terminal_that_knows_few_characters(tmp_path, program, pages, server):
    text = Path("pages.csv").read_text().replace("Answer of page f01.", "Ein B\u00e4r auf page f01")
    Path("pages.csv").write_text(text, encoding="utf-8")
    Path("prompt.txt").write_text("Bleib bei der Quelle \u2013 f\u00fcr 5 \u20ac \U0001f642.", encoding="utf-8")
    program("baseline", pages, "--judge", "openai:m", "--prompt", "prompt.txt")
    document = program("show", 1, "--json").json
    for arguments in (("show", "1"), ("show", "1", "--json")):
        process = subprocess.run(
            [sys.executable, "-m", "calibrate", *arguments],
            env={"PATH": os.environ["PATH"], "PYTHONIOENCODING": "ascii"},
            capture_output=True,
            check=True,
        )
        shown = process.stdout.decode("ascii")
    assert json.loads(shown) == document


def test_ctrl_c_outside_of_the_models_is_said_too(program, monkeypatch):
    def stop(*_):
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()

    monkeypatch.setattr("calibrate.workflows.runs.list_runs", stop)
    outcome = program("runs", "--json", code=130)
    assert outcome.json["status"] == "interrupted"
    assert outcome.error == "stopped by the user; run the same command to go on"


def test_main_returns_what_the_program_exits_with(capsys):
    assert main(["--version"]) == 0
    assert main(["nonsense"]) == 2
    capsys.readouterr()
