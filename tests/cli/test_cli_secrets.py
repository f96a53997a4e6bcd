"""Keys and passwords reach the provider, and no file, stream or row."""

from pathlib import Path

import pytest
from loopback import error
from program import PAGES, start

SECRET = "sk-test-SECRET-123"
BASELINE = ("baseline", "pages.csv", "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt")
OPTIMIZE = (
    *("optimize", "pages.csv", "--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1"),
    *("--prompt", "prompt.txt", "--iterations", "1"),
)


def assert_nowhere(secret, *texts):
    for text in texts:
        assert secret not in text
    files = [path for path in Path().rglob("*") if path.is_file()]
    assert any(path.name.startswith("runs.db") for path in files)
    for path in files:
        assert secret.encode() not in path.read_bytes(), path


@pytest.mark.usefixtures("no_waiting")
def test_the_key_is_sent_and_written_nowhere(program, pages, server, world, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    said = []

    def run(*arguments):
        outcome = program(*arguments, code=None)
        said.extend((outcome.out, outcome.err))
        return outcome.code

    # A provider that quotes the key in what it says: in refusals of single items, in failures of all, in a wrong key.
    quoting = f"the key {SECRET} (Bearer {SECRET}) is not allowed to do that"
    world.special = {"f03": error(400, quoting), "f04": error(403, quoting)}
    run(*BASELINE)
    world.special = {page: error(500, quoting) for page in PAGES}
    run(*BASELINE)
    server.keys = {"another"}
    assert run(*BASELINE) == 3
    assert run(*BASELINE, "--json") == 3
    server.keys, world.special = {SECRET}, {"f03": error(400, quoting)}
    run(*BASELINE)
    run(*OPTIMIZE)
    run(*OPTIMIZE, "--new", "--json")
    for arguments in (("runs",), ("show", "1"), ("show", "2"), ("diff", "1", "2")):
        assert run(*arguments) == 0
        assert run(*arguments, "--json") == 0
    for to, name in (("text", "judge.txt"), ("json", "judge.json"), ("python", "judge.py")):
        assert run("export", "2", "--to", to, "-o", name) == 0
    assert run("disagreements", "1", "-o", "review.csv") == 0
    assert all(call.headers["authorization"] == f"Bearer {SECRET}" for call in server.calls)
    assert_nowhere(SECRET, *said)
    assert "[redacted]" in "".join(said)


@pytest.mark.slow
def test_a_program_of_its_own_is_as_discreet(program, pages, server, world, tmp_path):
    world.special = {"f03": error(400, f"no: {SECRET}")}
    process = start(BASELINE, tmp_path, {"OPENAI_BASE_URL": server.openai_url, "OPENAI_API_KEY": SECRET})
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert_nowhere(SECRET, out, err)


def test_a_declared_models_key(program, pages, server, world, monkeypatch):
    monkeypatch.setenv("HOUSE_KEY", SECRET)
    Path("calibrate.toml").write_text(
        f'[models.house]\nbase_url = "{server.openai_url}"\nmodel = "m"\nkey_env = "HOUSE_KEY"\n'
    )
    world.special = {"f03": error(400, f"no: {SECRET}")}
    outcome = program("baseline", pages, "--judge", "house", "--prompt", "prompt.txt")
    assert server.calls[0].headers["authorization"] == f"Bearer {SECRET}"
    assert_nowhere(SECRET, outcome.out, outcome.err)


def test_no_text_that_is_sent_holds_the_key(program, pages, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    program(*OPTIMIZE)
    assert server.calls
    assert not any(SECRET in str(call.body) for call in server.calls)


def test_code_judges_do_not_spill_it(program, pages, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    Path("spilling.py").write_text(
        "import os\n\n\ndef judge(item):\n    raise RuntimeError('failed with ' + os.environ['OPENAI_API_KEY'])\n"
    )
    outcome = program("baseline", pages, "--judge", "py:spilling:judge", "--db", "runs.db", code=None)
    assert outcome.code != 0
    assert_nowhere(SECRET, outcome.out, outcome.err)


def test_the_password_of_a_database(program, pages):
    outcome = program(
        "baseline", pages, "--judge", "sim:reader", "--db", f"postgresql://me:{SECRET}@127.0.0.1:1/runs", code=2
    )
    assert SECRET not in outcome.out + outcome.err
