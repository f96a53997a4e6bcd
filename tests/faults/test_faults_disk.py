"""A disk that is full, for real: one line says so, nothing is damaged, and with space again the command goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from charging import environment, integrity, item_of, judged, query, write_items
from loopback import Call, Loopback, Reply
from program import start, verdict

COUNT = 300
JUDGE = "openai:gpt-4.1-2025-04-14"
# Python ignores SIGXFSZ: a write beyond the limit fails, as one beyond a quota does.
LIMITED = (
    "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2); "
    "from calibrate.cli import main; sys.exit(main(sys.argv[2:]))"
)


def long_winded(call: Call) -> Reply:
    item = item_of(call)
    assert item is not None
    # Slow at first, so that something is recorded before the disk is full.
    reasoning = f"The answer to item {item} is compared with the text. " * 170
    return Reply(verdict(judged(item), reasoning), latency=0.1 if call.index < 12 else 0.005)


def run_limited(limit: int, arguments: tuple[object, ...], folder: Path, server: Loopback) -> tuple[int, str, str]:
    process = subprocess.Popen(
        [sys.executable, "-c", LIMITED, str(limit), *map(str, arguments)],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), **environment(server)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def run_free(arguments: tuple[object, ...], folder: Path, server: Loopback) -> tuple[int, str, str]:
    process = start(arguments, folder, environment(server))
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def check_refusal(result: tuple[int, str, str], db: str) -> None:
    code, out, err = result
    assert code == 2, err
    assert json.loads(out)["status"] == "store_error"
    assert "Traceback" not in err
    (line,) = [line for line in err.splitlines() if not line.startswith("note: ")]
    assert line.startswith(f"error: {db} cannot be written: the disk ")
    assert "full" in line
    assert line.endswith(" and run the same command again")


def check_it_goes_on(
    full: Callable[[], tuple[int, str, str]], free: Callable[[], tuple[int, str, str]], server: Loopback, db: str
) -> None:
    """Run on a full disk, then with space."""
    check_refusal(full(), db)
    assert integrity(db) == "ok"
    recorded = {item for (item,) in query("select item_id from verdicts", db=db)}
    replies = query("select count(*) from responses", db=db)
    assert 0 < len(recorded) < COUNT
    assert replies == [(len(recorded),)]
    calls = len(server.calls)
    code, out, err = free()
    assert code == 0, err
    assert recorded.isdisjoint(item_of(call) for call in server.calls[calls:])
    (run,) = json.loads(out)["runs"]
    assert (run["run"], run["paid_calls"], run["spent"]["calls"]) == (1, COUNT - len(recorded), COUNT)
    assert dict(query("select item_id, label from verdicts", db=db)) == {
        f"{number:05}": judged(f"{number:05}") for number in range(COUNT)
    }
    assert integrity(db) == "ok"


@pytest.mark.slow
@pytest.mark.parametrize("limit", [600_000, pytest.param(4_200_000, marks=pytest.mark.slow)], ids=["soon", "later"])
def test_a_file_that_may_not_grow_ends_the_command_and_more_space_lets_it_go_on(tmp_path, limit):
    """What cannot grow is first the write-ahead log, and later, when that is written back, the file."""
    items = write_items(tmp_path / "items.csv", COUNT)
    asked = ("baseline", items, "--judge", JUDGE, "--concurrency", 4, "--json")
    with Loopback(long_winded) as server:
        check_it_goes_on(
            lambda: run_limited(limit, asked, tmp_path, server),
            lambda: run_free(asked, tmp_path, server),
            server,
            "runs.db",
        )


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of a megabyte; skips the test where none can be mounted."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount a file system"
)


@pytest.mark.slow
@needs_root
def test_a_full_file_system_ends_the_command_and_more_space_lets_it_go_on(tmp_path):
    items = write_items(tmp_path / "items.csv", COUNT)
    with Loopback(long_winded) as server, small_disk(tmp_path / "disk") as disk:
        asked = ("baseline", items, "--judge", JUDGE, "--concurrency", 4, "--json", "--db", "disk/runs.db")

        def with_space() -> tuple[int, str, str]:
            subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
            return run_free(asked, tmp_path, server)

        os.chdir(tmp_path)
        check_it_goes_on(lambda: run_free(asked, tmp_path, server), with_space, server, "disk/runs.db")


@pytest.mark.slow
@needs_root
def test_a_file_system_without_any_space_says_so_before_anything_is_sent(tmp_path):
    items = write_items(tmp_path / "items.csv", 3)
    with Loopback(long_winded) as server, small_disk(tmp_path / "disk") as disk:
        with (disk / "filler").open("wb") as filler, pytest.raises(OSError, match="No space left"):
            filler.write(bytes(2**21))
        check_refusal(
            run_free(
                ("baseline", items, "--judge", JUDGE, "--concurrency", 4, "--json", "--db", "disk/runs.db"),
                tmp_path,
                server,
            ),
            "disk/runs.db",
        )
        assert server.requests == 0
