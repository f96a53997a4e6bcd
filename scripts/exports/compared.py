"""What a tool sends and reads with an exported judge, beside what calibrate sends and reads."""

from __future__ import annotations

import asyncio
import json
import shutil
import socketserver
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from environments import Failed, Tool
from fixtures import FIXTURES, Fixture, mark
from loopback import Call, Loopback, Reply

from calibrate.config import Secret
from calibrate.domain import Scored, Verdict
from calibrate.errors import InputError
from calibrate.export import export
from calibrate.providers.endpoint import Endpoint
from calibrate.providers.openai_model import OpenAIModel
from calibrate.providers.prices import Pricing

__all__ = ["FIELDS", "run"]

FIELDS = (
    "model",
    "system",
    "user",
    "text",
    "schema",
    "strict",
    "temperature",
    "max_tokens",
    "other",
    "calls",
    "reason",
)
"""What is compared: of each request, its texts and options (``text``: whether the texts are in the request at all,
wherever they stand; ``other``: any further option), and ``calls``: one request for each item. Of each verdict the
``label``, and the ``reason`` for which there is none."""

_SHOWN = 300


def run(tool: Tool, names: Sequence[str]) -> list[str]:
    """Check an installed tool with some of the fixtures, and return what there is to say about it.

    Raises:
        Failed: something differs that is not declared to, or the tool fails.
    """
    work = tool.home / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    refusals: list[str] = []
    with ExitStack() as stack:
        reached = stack.enter_context(_proxy())
        servers: dict[str, Loopback] = {}
        jobs: list[dict[str, Any]] = []
        for number, name in enumerate(names):
            fixture = FIXTURES[name]
            try:
                text = export(fixture.judge, tool.name)
            except InputError as error:
                refusals.append(_refusal(tool, name, error))
                continue
            if name in tool.refuses:
                raise Failed(f"{name}: is exported, but declared to be refused")
            path = work / f"judge_{number}{tool.suffix}"
            path.write_text(text, encoding="utf-8", newline="\n")
            servers[name] = stack.enter_context(Loopback(_answers(fixture)))
            jobs.append(_job(name, fixture, str(path), servers[name].openai_url))
        expected = {name: _own(FIXTURES[name], server) for name, server in servers.items()}
        for server in servers.values():
            server.calls.clear()
        (work / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
        tool.drive(work / "jobs.json", work / "results.json", reached.address)
        results = json.loads((work / "results.json").read_text(encoding="utf-8"))
        differing: dict[tuple[str, str], str] = {}
        for name, server in servers.items():
            sent, verdicts = expected[name]
            for field, difference in _differences(FIXTURES[name], sent, server.calls):
                differing.setdefault((field, name), difference)
            for field, difference in _misread(verdicts, results[name]):
                differing.setdefault((field, name), difference)
    _judge(tool, differing, names, reached.hosts)
    items = sum(len(FIXTURES[name].items) for name in servers)
    read = "no verdict read" if "label" in tool.differs else "same labels read"
    said = [f"{len(servers)} judges, {items} items: same texts sent, {read}"]
    said += [f"differs ({field}): {why}" for field, why in tool.differs.items()]
    said += [f"asks {host}: {why}" for host, why in tool.reaches.items()]
    return said + refusals


def _judge(tool: Tool, differing: Mapping[tuple[str, str], str], names: Sequence[str], hosts: Sequence[str]) -> None:
    found: dict[str, str] = {}
    faults = []
    for (field, name), what in differing.items():
        declared = next((key for key in (field, f"{field}: {name}") if key in tool.differs), None)
        if declared is not None:
            found[declared] = what
        elif not any(fault.startswith(f"{field}: ") for fault in faults):
            faults.append(f"{field}: {name}: {what}")
    if set(names) == set(FIXTURES):
        faults += [f"{field}: declared to differ, and does not" for field in tool.differs if field not in found]
    further = sorted(set(hosts) - set(tool.reaches))
    if further:
        faults.append(f"it tried to reach {', '.join(further)}")
    if faults:
        raise Failed(*faults)


def _refusal(tool: Tool, name: str, error: InputError) -> str:
    wanted = tool.refuses.get(name)
    if wanted is None or wanted not in str(error):
        raise Failed(f"{name}: cannot be exported: {error}")
    return f"refuses {name}: {error}"


def _job(name: str, fixture: Fixture, path: str, base_url: str) -> dict[str, Any]:
    judge = fixture.judge
    items = [
        {
            "id": item_id,
            "inputs": {key: value if isinstance(value, str) else list(value) for key, value in item.inputs.items()},
        }
        for item_id, item in fixture.items.items()
    ]
    return {
        "judge": name,
        "file": path,
        "base_url": base_url,
        "model": judge.model.partition(":")[2],
        "kind": judge.scale.kind,
        "labels": list(judge.scale.labels),
        "positive": judge.scale.positive,
        "items": items,
    }


def _answers(fixture: Fixture) -> Any:
    def answer(call: Call) -> Reply:
        told = json.dumps(call.body["messages"], ensure_ascii=False)
        found = [item_id for item_id in fixture.replies if mark(item_id) in told]
        return fixture.replies[found[0]] if len(found) == 1 else Reply(status=400, message=f"about {len(found)} items")

    return answer


def _own(fixture: Fixture, server: Loopback) -> tuple[dict[str, dict[str, Any]], dict[str, Verdict]]:
    """What calibrate sends and reads."""

    async def ask() -> dict[str, Verdict]:
        name = fixture.judge.model
        endpoint = Endpoint(
            name=name,
            model=name.partition(":")[2],
            base_url=server.openai_url,
            pricing=Pricing(name.partition(":")[2], provider="openai"),
            key=Secret("sk-none"),
        )
        model = OpenAIModel(endpoint)
        try:
            judge = fixture.judge.judge
            return {key: judge.read(await model.complete(judge.request(item))) for key, item in fixture.items.items()}
        finally:
            await model.close()

    verdicts = asyncio.run(ask())
    return dict(zip(fixture.items, map(_request, server.calls), strict=True)), verdicts


def _request(call: Call) -> dict[str, Any]:
    """What a request asks for, by field."""
    body = dict(call.body)
    form = (body.pop("response_format", None) or {}).get("json_schema") or {}
    body.pop("messages")
    limits = [body.pop(name) for name in ("max_tokens", "max_completion_tokens") if name in body]
    return {
        "model": body.pop("model"),
        "system": call.system,
        "user": "".join(_plain(message["content"]) for message in call.body["messages"] if message["role"] == "user"),
        "schema": form.get("schema"),
        "strict": form.get("strict"),
        "temperature": body.pop("temperature", None),
        "max_tokens": limits[0] if limits else None,
        "other": {
            name: value for name, value in body.items() if value not in (None, False) and (name, value) != ("n", 1)
        },
    }


def _plain(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _differences(
    fixture: Fixture, expected: Mapping[str, Mapping[str, Any]], calls: Sequence[Call]
) -> Iterator[tuple[str, str]]:
    counted = dict.fromkeys(fixture.items, 0)
    for call in calls:
        sent = _request(call)
        texts = sent["system"] + sent["user"]
        found = [item_id for item_id in fixture.items if mark(item_id) in texts]
        if len(found) != 1:
            yield "calls", f"a request about {len(found)} items: {_short(texts)}"
            continue
        counted[found[0]] += 1
        wanted = expected[found[0]]
        for field, value in wanted.items():
            if sent[field] != value:
                yield field, f"{found[0]}: sent {_short(sent[field])}, calibrate sends {_short(value)}"
        for field in ("system", "user"):
            if wanted[field] not in texts:
                yield "text", f"{found[0]}: the {field} text is not in what was sent: {_short(texts)}"
    for item_id, count in counted.items():
        if count != 1:
            yield "calls", f"{item_id}: {count} requests"


def _misread(expected: Mapping[str, Verdict], results: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for item_id, verdict in expected.items():
        read = results.get(item_id)
        label = verdict.label if isinstance(verdict, Scored) else None
        if read is None:
            yield "label", f"{item_id}: no verdict, calibrate reads {label}"
        elif read["label"] != label:
            yield "label", f"{item_id}: reads {read['label']!r}, calibrate reads {verdict}"
        elif not isinstance(verdict, Scored) and read.get("unscored") != verdict.reason:
            yield (
                "reason",
                f"{item_id}: no label for the reason {read.get('unscored')!r}, calibrate's is {verdict.reason}",
            )


def _short(value: Any) -> str:
    told = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return told if len(told) <= _SHOWN else f"{told[: _SHOWN // 2]} ... {told[-_SHOWN // 2 :]}"


class _Reached(socketserver.ThreadingTCPServer):
    """In place of a proxy: whatever is to leave this machine is noted and gets no answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Refusal)
        self.hosts: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Refusal(socketserver.StreamRequestHandler):
    timeout = 5

    def handle(self) -> None:
        line = self.rfile.readline().decode("latin-1").split()
        if len(line) > 1 and isinstance(self.server, _Reached):
            self.server.hosts.append(line[1])
        self.wfile.write(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")


@contextmanager
def _proxy() -> Iterator[_Reached]:
    with _Reached() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
