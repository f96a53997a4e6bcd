"""Other optimizers in the same worlds: DSPy's GEPA and MIPROv2, driven over HTTP, where their packages are there.

The optimizer runs in a process of its own, with a Python that has the packages; judge and meta-LLM are a loopback
server here, which counts the calls. A peer ranks prompts by how many items they have right, since that is what it can
be told item by item; it stands at the best prompt that it has judged on all development items.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import optimizer_dspy
from optimizer_methods import Standing, Trace
from optimizer_worlds import World

from calibrate.domain import digest

__all__ = ["INSTALL", "PEERS", "Simulated", "missing", "run"]

PEERS = {"DSPy GEPA": "gepa", "DSPy MIPROv2": "mipro"}
"""The peers: their names, and what the driver calls them."""

INSTALL = "pip install gepa dspy optuna"

_DRIVER = Path(__file__).with_name("optimizer_peers_driver.py")


def missing(python: str) -> str:
    """Say what is missing; empty text when an interpreter has the packages."""
    try:
        found = subprocess.run([python, "-c", "import dspy, gepa, optuna"], capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return "" if found.returncode == 0 else found.stderr.strip().splitlines()[-1]


def run(name: str, world: World, budget: int, python: str) -> Trace:
    """Run a peer in a world."""
    simulated = Simulated(world)
    given = {
        "baseline": world.baseline,
        "budget": budget,
        "seed": world.seed,
        "items": [{"inputs": dict(item.inputs), "label": item.label, "note": item.note} for item in world.items],
    }
    with serving(simulated) as url:
        done = subprocess.run(
            [python, str(_DRIVER), PEERS[name], url],
            input=json.dumps(given),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"{name} failed in {world.family} {world.seed}:\n{done.stderr[-2000:]}")
    return simulated.trace


class Simulated:
    """A world's judge and meta-LLM behind an API that chats.

    Args:
        world: the world.

    Attributes:
        trace: how the caller stands.
        calls: judge calls.
    """

    def __init__(self, world: World) -> None:
        self.world, self.calls, self.trace = world, 0, Trace()
        self._by_code = dict(zip(world.material.codes, world.items, strict=False))
        self._judged: dict[str, dict[str, bool]] = {}
        self._lock = threading.Lock()
        # Whatever it does first: after as many calls as there are items it has the baseline to hand over.
        self._most = sum(verdict.label == item.label for item, verdict in self._verdicts(world.baseline))
        self._best = world.baseline
        self._stand(len(world.items))

    def answer(self, body: Mapping[str, Any]) -> tuple[str, str]:
        """Answer a request of the chat API: text and finish reason."""
        with self._lock:
            return self._judge(body) if body["model"] == "judge" else self._write(body)

    def _judge(self, body: Mapping[str, Any]) -> tuple[str, str]:
        asked = optimizer_dspy.judging(body["messages"])
        item = self._by_code[asked.code]
        self.calls += 1
        (verdict,) = self.world.judge(asked.prompt, [item]).values()
        judged = self._judged.setdefault(asked.prompt, {})
        judged[item.id] = verdict.label == item.label
        if len(judged) == len(self.world.items) and sum(judged.values()) > self._most:
            self._most, self._best = sum(judged.values()), asked.prompt
            self._stand(self.calls)
        elif self.calls > len(self.world.items) and self.calls % len(self.world.items) == 0:
            self._stand(self.calls)
        return optimizer_dspy.say({"label": verdict.label}), "stop"

    def _stand(self, calls: int) -> None:
        score, expected = self.world.alignment(self._best, self.world.items), self.world.expected(self._best)
        self.trace.standings.append(Standing(calls, score, expected, self.trace.meta_calls))

    def _verdicts(self, prompt: str):
        verdicts = self.world.judge(prompt, self.world.items)
        return [(item, verdicts[item.id]) for item in self.world.items]

    def _write(self, body: Mapping[str, Any]) -> tuple[str, str]:
        self.trace.meta_calls += 1
        random = Random(f"{self.world.family}|{self.world.seed}|{digest(dict(body))}|{self.trace.meta_calls}")
        system, user = (message["content"] for message in body["messages"])
        asked = optimizer_dspy.reading(system, user, random)
        written = None if asked.reading is None else self.world.writer.reply(asked.reading, random)
        return optimizer_dspy.replies(asked, written)


@contextmanager
def serving(simulated: Simulated):
    """Serve on loopback; yield the API's URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            text, finish = simulated.answer(body)
            message = {"role": "assistant", "content": text}
            reply = {
                "id": "simulated",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [{"index": 0, "finish_reason": finish, "message": message}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
            content = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
