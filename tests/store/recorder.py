"""A process that records judgements, for the tests that need another one.

``python recorder.py DATABASE NAME BATCHES SIZE [FILE_LIMIT]`` says ``ready``, waits for a line, opens the database and
records batches; it says the number of each as soon as ``record`` has returned.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

from store_data import a_run, an_evaluation, judgement, response

from calibrate.errors import StoreError
from calibrate.store import Store


def item_ids(name: str, batch: int, size: int) -> list[str]:
    return [f"{name}-{batch}-{n}" for n in range(size)]


def start(database: str, name: str, *, batches: int, size: int, file_limit: int | None = None) -> subprocess.Popen[str]:
    """Start a recorder and wait until it is ready to begin."""
    command = [sys.executable, str(Path(__file__)), database, name, str(batches), str(size)]
    command += [str(file_limit)] if file_limit is not None else []
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def main(database: str, name: str, batches: int, size: int, file_limit: int | None = None) -> None:
    say("ready")
    sys.stdin.readline()
    if file_limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))
    try:
        with Store(database) as store:
            run, evaluation = a_run(store, name, kind="baseline"), an_evaluation(store)
            for batch in range(batches):
                ids = item_ids(name, batch, size)
                store.record(run.id, "m", [judgement(evaluation, each, answer=response("x" * 200)) for each in ids])
                say(str(batch))
    except StoreError as error:
        say(f"StoreError: {error}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
