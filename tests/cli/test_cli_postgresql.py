"""The whole command line on a PostgreSQL that a team shares: it does what it does on a file, and tells no password."""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from collections.abc import Iterator

import pytest
from postgresql_server import GUARDED, PostgreSQL, postgresql_server, why_not
from program import PAGES, start, write_pages

psycopg = pytest.importorskip("psycopg", reason="needs judge-calibrate[postgres]")

pytestmark = pytest.mark.slow

PASSWORD = "p@ss%w/o:rd"
QUOTED = "p%40ss%25w%2Fo%3Ard"
SIMULATED = ("--judge", "sim:reader", "--prompt", "prompt.txt")
SEARCH = (*SIMULATED, "--optimizer", "sim:writer")
COMMANDS = (
    ("baseline", "pages.csv", *SIMULATED),
    ("optimize", "pages.csv", *SEARCH, "--iterations", 1),
    ("optimize", "pages.csv", *SEARCH, "--iterations", 1, "--new"),
    ("optimize", "pages.csv", *SEARCH[:2], *SEARCH[4:], "--iterations", 1, "--from", "2:1"),
    ("noise", "pages.csv", *SIMULATED, "--runs", 2),
    ("bias", 2, "--ask"),
    ("bias", 1),
    ("runs",),
    *(("show", number) for number in range(1, 7)),
    ("show", "2:1"),
    ("diff", "2:0", 2),
    ("explain", 2),
    ("disagreements", 1, "-o", "review.csv", "--overwrite"),
    ("export", 2),
    ("card", 2),
    ("report", 2, "-o", "page.html", "--overwrite"),
    ("compare", "pages.csv", "--judge", "sim:reader", "--judge", "sim:reader-small"),
    ("golden", "check", "pages.csv", "--plan", "--run", 2),
    ("models",),
    ("rag", "run", "tienda_rag", "--sample", 6, "--judge", "sim:reader", "--judge", "claim_support=sim:reader-small"),
    ("rag", "run", "tienda_rag", "--sample", 8, "--judge", "sim:reader", "--per-claim"),
)
BASELINE = ("baseline", "pages.csv", "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt", "--json")
OPTIMIZE = (
    *("optimize", "pages.csv", "--judge", "openai:gpt-4.1", "--optimizer", "openai:gpt-4.1", "--prompt", "prompt.txt"),
    *("--iterations", 1, "--noise-repeats", 0, "--concurrency", 1, "--json"),
)


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSQL]:
    if reason := why_not():
        pytest.skip(reason)
    with postgresql_server() as server, psycopg.connect(plain(server.url("postgres")), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{PASSWORD}'")
        yield server


@pytest.fixture
def url(postgresql: PostgreSQL) -> Iterator[str]:
    with postgresql.new_database() as made:
        yield made


@pytest.fixture
def guarded(postgresql: PostgreSQL, url: str) -> str:
    """The URL of a role that may read what is there, with its password."""
    statement(url, f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO {GUARDED}")
    return postgresql.url(url.rpartition("/")[2], f"{GUARDED}:{QUOTED}")


def plain(url: str) -> str:
    return url.replace("+psycopg", "")


def statement(url: str, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(plain(url), autocommit=True) as connection:
        cursor = connection.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []


def timeless(text: str) -> str:
    """Without times, and without the ids of evaluations, which leave gaps on a server."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", "TIME", text)
    text = re.sub(r'"(median|p95)": [\d.e-]+', r'"\1": TIME', text)
    return re.sub(r'"(evaluation|evaluations)": (\d+|\[[^\]]*\])', r'"\1": ID', text)


def test_every_command_finds_what_it_finds_on_a_file(program, pages, url):
    for command in COMMANDS:
        on_file, on_server = (program(*command, "--json", *where).out for where in ((), ("--db", url)))
        assert timeless(on_server) == timeless(on_file), command


def calls_recorded(url: str) -> int:
    try:
        return int(str(statement(url, "SELECT count(*) FROM responses")[0][0]))
    except psycopg.errors.UndefinedTable:
        return 0


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.02)


def test_stopped_and_killed_in_the_middle_it_goes_on_and_pays_for_nothing_twice(
    program, pages, server, world, tmp_path, url, monkeypatch
):
    environment = {"OPENAI_BASE_URL": server.openai_url, "OPENAI_API_KEY": "sk-any", "CALIBRATE_DB": url}
    for moment, how, code in ((12, signal.SIGKILL, -signal.SIGKILL), (45, signal.SIGINT, 130)):
        world.held_from = len(server.calls) + moment - calls_recorded(url)
        process = start(OPTIMIZE, tmp_path, environment)
        wait_until(lambda: calls_recorded(url) == moment)  # noqa: B023 — waited for here
        time.sleep(0.2)  # the next call is under way
        process.send_signal(how)
        out, err = process.communicate(timeout=60)
        assert process.returncode == code, err
        assert "Traceback" not in err
    assert json.loads(out)["status"] == "interrupted"
    world.held_from = None
    monkeypatch.setenv("CALIBRATE_DB", url)
    document = program(*OPTIMIZE).json
    assert document["calibrations"][0]["run"] == 1
    assert set(world.answered.values()) == {1}
    monkeypatch.delenv("CALIBRATE_DB")
    assert program(*OPTIMIZE).json["results"] == document["results"]


def test_two_processes_at_once_share_it_and_do_not_calibrate_the_same_twice(
    program, pages, server, world, tmp_path, url
):
    environment = {"OPENAI_BASE_URL": server.openai_url, "OPENAI_API_KEY": "sk-any", "CALIBRATE_DB": url}
    write_pages(tmp_path / "half.csv", PAGES[::2])
    arguments = (BASELINE, ("baseline", "half.csv", *BASELINE[2:]))
    processes = [start(each, tmp_path, environment) for each in arguments]
    outcomes = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outcomes
    assert sorted(json.loads(out)["runs"][0]["run"] for out, _ in outcomes) == [1, 2]
    world.held_from = len(server.calls) + 5
    first = start(OPTIMIZE, tmp_path, environment)
    wait_until(lambda: len(server.calls) > (world.held_from or 0))
    assert "is being calibrated by another process" in program(*OPTIMIZE, "--db", url, code=2).error
    first.kill()
    first.communicate()


def test_a_role_that_may_only_read_reads(program, pages, url, guarded):
    program(*BASELINE[:2], *SIMULATED, "--db", url)
    for command in (("runs",), ("show", 1), ("export", 1), ("card", 1), ("golden", "check", pages, "--plan")):
        assert program(*command, "--db", guarded).out == program(*command, "--db", url).out
    refused = program(*BASELINE[:2], *SIMULATED, "--db", guarded, code=2).error
    assert "permission denied for table runs; use a role that may write here" in refused
    statement(url, "UPDATE alembic_version SET version_num = '0007'")
    assert "are of schema 0007, and this role may not change them" in program("runs", "--db", guarded, code=2).error


def test_data_of_an_older_schema_are_there_after_an_upgrade(program, pages, url):
    """What the newest revisions added is taken away again, as if it had never been there."""
    program(*BASELINE[:2], *SIMULATED, "--db", url)
    before = program("show", 1, "--json", "--db", url).out
    statement(url, "DROP TABLE iterations")
    statement(url, "ALTER TABLE candidates DROP COLUMN partner, DROP COLUMN shown")
    statement(url, "ALTER TABLE verdicts DROP COLUMN evidence")
    statement(url, "UPDATE alembic_version SET version_num = '0007'")
    assert program("show", 1, "--json", "--db", url).out == before
    assert statement(url, "SELECT version_num FROM alembic_version") == [("0009",)]


def test_what_is_wrong_is_one_line_that_says_what_to_do(program, pages, postgresql, url, guarded):
    def said(place: str, *command: object) -> str:
        error = program(*(command or ("runs",)), "--db", place, code=2).error
        assert PASSWORD not in error
        assert QUOTED not in error
        return error

    assert "check that the server runs" in said(f"postgresql://u:{QUOTED}@127.0.0.1:1/runs")
    assert "password authentication failed" in said(guarded.replace(QUOTED, "wr%25ong"))
    assert "make it with `createdb`" in said(postgresql.url("nowhere", f"calibrate:{QUOTED}"))
    assert "no runs here yet" in said(guarded)
    refused = said(guarded, *BASELINE[:2], *SIMULATED)
    assert "its tables are not there, and this role may not make them" in refused
    assert "invalid connection option" in said(f"{guarded}?nonsense=1&password={QUOTED}")
    assert "with @ in a password as %40" in said(f"postgresql://u:{PASSWORD}@127.0.0.1:1/runs")
    assert "with @ in a password as %40" in said(f"postgresql:/u:{QUOTED}@127.0.0.1:1/runs")


def test_without_its_driver_it_says_what_to_install(program, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    error = program("runs", "--db", f"postgresql://u:{QUOTED}@127.0.0.1:1/runs", code=2).error
    assert "install judge-calibrate[postgres]" in error
    assert QUOTED not in error


@pytest.mark.parametrize("given", ["--db", "CALIBRATE_DB", "PGPASSWORD"])
def test_the_password_stands_in_no_output_file_or_row(
    program, pages, postgresql, url, guarded, tmp_path, monkeypatch, given
):
    statement(url, f"GRANT ALL ON SCHEMA public TO {GUARDED}")
    where: tuple[str, ...] = ("--db", guarded) if given == "--db" else ()
    if given != "--db":
        monkeypatch.setenv("CALIBRATE_DB", guarded if given == "CALIBRATE_DB" else guarded.replace(f":{QUOTED}", ""))
    if given == "PGPASSWORD":
        monkeypatch.setenv("PGPASSWORD", PASSWORD)
    told = []
    for command in (
        ("optimize", pages, *SEARCH, "--iterations", 1),
        ("runs",),
        ("show", 1, "--json"),
        ("card", 1, "-o", "card.md"),
        ("report", 1, "-o", "page.html"),
        ("export", 1, "--to", "json", "-o", "judge.json"),
    ):
        outcome = program(*command, *where)
        told += [outcome.out, outcome.err]
    told += [path.read_text(errors="replace") for path in tmp_path.iterdir()]
    tables = statement(url, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
    assert len(tables) > 5
    told += [str(statement(url, f'SELECT * FROM "{table}"')) for (table,) in tables]
    for text in told:
        assert PASSWORD not in text
        assert QUOTED not in text
