"""The batch APIs of OpenAI (files, batches) and Anthropic (message batches) for the loopback server.

A batch stays in progress for as many looks at it as the test says; then its requests are answered as single calls are,
by the server's replies, at half the price. What else becomes of a request is for the test to say: see :class:`Script`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qsl, urlsplit

from loopback_apis import APIS, Call, Refused

if TYPE_CHECKING:
    from loopback import Loopback

__all__ = ["Batch", "BatchApis", "Dropped", "Fate", "Script"]

Fate = Literal["expired", "cancelled", "missing", "timeout"]


class Dropped(Exception):  # noqa: N818 — the connection breaks; nothing went wrong
    """The reply never arrives."""


@dataclass(slots=True)
class Batch:
    """A batch as the provider knows it.

    Attributes:
        id: its id.
        api: whose it is.
        requests: bodies by custom id.
        headers: of the request that created it.
        created: when, in seconds of the epoch.
        metadata: what came with it.
        looks: how often it still says that it is in progress.
        status: OpenAI's word for its state; "completed" stands for "ended" at Anthropic's.
        results: what became of each request, by custom id.
        problem: what OpenAI's validation found.
    """

    id: str
    api: Literal["openai", "anthropic"]
    requests: Mapping[str, Mapping[str, Any]]
    headers: Mapping[str, str]
    created: float
    metadata: Mapping[str, str]
    looks: int
    status: str = "in_progress"
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    problem: str | None = None
    archived: bool = False


@dataclass(slots=True)
class Script:
    """What becomes of batches.

    Attributes:
        looks: how often a batch says that it is in progress before it ends; infinity keeps it there.
        fate: what becomes of a request, by custom id and the number of batches that have had it; None: it is answered.
        problem: what OpenAI's validation finds wrong with a batch.
        lost_replies: how many of the next batches are created without their creator ever hearing of it.
        refused: how many of the next batches are refused with status 500.
        clock: seconds of the epoch.
    """

    looks: float = 0
    fate: Callable[[str, int], Fate | None] = lambda key, times: None
    problem: str | None = None
    lost_replies: int = 0
    refused: int = 0
    clock: Callable[[], float] = time.time


class BatchApis:
    """The batches of a server.

    Attributes:
        script: what becomes of them.
        batches: all of them, in order of creation.
        charged: custom ids of the requests that were billed, in order.
        uploads: files that were uploaded.
    """

    def __init__(self, server: Loopback) -> None:
        self.script = Script()
        self.batches: list[Batch] = []
        self.charged: list[str] = []
        self.uploads: dict[str, bytes] = {}
        self._server = server
        self._times: dict[str, int] = {}

    def answer(self, method: str, target: str, headers: Mapping[str, str], content: bytes) -> bytes | None:
        """Answer a request of the batch APIs; None: it is none of theirs.

        Raises:
            Refused: the API would refuse it.
            Dropped: nothing is to be answered.
        """
        url = urlsplit(target)
        parts = url.path.strip("/").split("/")
        query = dict(parse_qsl(url.query))
        reply: bytes | dict[str, Any] | None = None
        if parts[:2] == ["v1", "files"]:
            self._let_in(headers)
            reply = self._upload(headers, content) if method == "POST" else self._file(parts[2])
        elif parts[:2] == ["v1", "batches"]:
            self._let_in(headers)
            reply = self._openai(method, parts[2:], query, headers, content)
        elif parts[:3] == ["v1", "messages", "batches"]:
            self._let_in(headers)
            reply = self._anthropic(method, parts[3:], query, headers, content)
        return json.dumps(reply).encode() if isinstance(reply, dict) else reply

    def refusal(self, target: str, refused: Refused) -> bytes:
        return APIS["/v1/messages" if "/messages/" in target else "/v1/chat/completions"].error(refused)

    # OpenAI

    def _upload(self, headers: Mapping[str, str], content: bytes) -> dict[str, Any]:
        head = b"content-type: " + headers["content-type"].encode() + b"\r\n\r\n"
        message = BytesParser(policy=HTTP).parsebytes(head + content)
        parts = {part.get_param("name", header="content-disposition"): part for part in message.iter_parts()}
        if parts["purpose"].get_content().strip() != "batch":
            raise Refused(400, "'purpose' must be 'batch'", param="purpose")
        name = f"file-{len(self.uploads)}"
        self.uploads[name] = parts["file"].get_payload(decode=True)
        return {
            "id": name,
            "object": "file",
            "bytes": len(self.uploads[name]),
            "created_at": int(self.script.clock()),
            "filename": parts["file"].get_filename(),
            "purpose": "batch",
            "status": "processed",
        }

    def _file(self, name: str) -> bytes:
        batch_id, _, kind = name.partition("-results-")
        batch = self._find(batch_id)
        ok = kind == "output"
        lines = [
            json.dumps(self._line(key, result), ensure_ascii=False)
            for key, result in batch.results.items()
            if (result.get("status") == 200) == ok
        ]
        return "".join(f"{line}\n" for line in lines).encode()

    def _line(self, key: str, result: Mapping[str, Any]) -> dict[str, Any]:
        line: dict[str, Any] = {"id": f"batch_req_{key}", "custom_id": key, "response": None, "error": None}
        if "status" in result:
            body = result["body"] if result["status"] == 200 else json.loads(result["error"])
            line["response"] = {"status_code": result["status"], "request_id": "req_1", "body": body}
        else:
            code, message = {
                "expired": (
                    "batch_expired",
                    "This request could not be executed in the completion window.",
                ),
                "cancelled": ("batch_cancelled", "This request was not executed: the batch was cancelled."),
                "timeout": ("request_timeout", "The underlying call to the model timed out."),
            }[result["fate"]]
            line["error"] = {"code": code, "message": message}
        return line

    def _openai(
        self, method: str, parts: list[str], query: Mapping[str, str], headers: Mapping[str, str], content: bytes
    ) -> dict[str, Any]:
        if method == "POST" and not parts:
            body = json.loads(content)
            assert body["endpoint"] == "/v1/chat/completions"
            assert body["completion_window"] == "24h"
            lines = [json.loads(line) for line in self.uploads[body["input_file_id"]].splitlines()]
            assert all(line["method"] == "POST" and line["url"] == body["endpoint"] for line in lines)
            requests = {line["custom_id"]: line["body"] for line in lines}
            assert len(requests) == len(lines), "custom ids are unique"
            return self._openai_object(self._create("openai", requests, headers, body.get("metadata") or {}))
        if not parts:
            return self._page("openai", query, self._openai_object, {"object": "list"})
        batch = self._find(parts[0])
        if parts[1:] == ["cancel"]:
            self._cancel(batch)
        else:
            self._look_at(batch)
        return self._openai_object(batch)

    def _openai_object(self, batch: Batch) -> dict[str, Any]:
        ended = batch.status in ("completed", "expired", "cancelled")
        good = sum(result.get("status") == 200 for result in batch.results.values())
        bad = len(batch.results) - good
        faults = {"object": "list", "data": [{"code": "invalid", "message": batch.problem, "line": 1, "param": None}]}
        return {
            "id": batch.id,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "created_at": int(batch.created),
            "input_file_id": "file-0",
            "status": batch.status,
            "errors": faults if batch.problem else None,
            "metadata": dict(batch.metadata),
            "output_file_id": f"{batch.id}-results-output" if ended and good else None,
            "error_file_id": f"{batch.id}-results-error" if ended and bad else None,
            "request_counts": {"total": len(batch.requests), "completed": good, "failed": bad},
        }

    # Anthropic

    def _anthropic(
        self, method: str, parts: list[str], query: Mapping[str, str], headers: Mapping[str, str], content: bytes
    ) -> bytes | dict[str, Any]:
        if method == "POST" and not parts:
            entries = json.loads(content)["requests"]
            requests = {entry["custom_id"]: entry["params"] for entry in entries}
            assert len(requests) == len(entries), "custom ids are unique"
            return self._anthropic_object(self._create("anthropic", requests, headers, {}))
        if not parts:
            return self._page("anthropic", query, self._anthropic_object, {})
        batch = self._find(parts[0])
        if parts[1:] == ["results"]:
            lines = [
                json.dumps({"custom_id": key, "result": self._result(result)}, ensure_ascii=False)
                for key, result in batch.results.items()
            ]
            return "".join(f"{line}\n" for line in lines).encode()
        if parts[1:] == ["cancel"]:
            self._cancel(batch)
        else:
            self._look_at(batch)
        return self._anthropic_object(batch)

    def _result(self, result: Mapping[str, Any]) -> dict[str, Any]:
        if result.get("status") == 200:
            return {"type": "succeeded", "message": result["body"]}
        if "status" in result:
            return {"type": "errored", "error": json.loads(result["error"])}
        return {"type": "canceled" if result["fate"] == "cancelled" else "expired"}

    def _anthropic_object(self, batch: Batch) -> dict[str, Any]:
        kinds = [self._result(result)["type"] for result in batch.results.values()]
        counts = {kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
        ended = batch.status != "in_progress"
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(batch.created))
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {**counts, "processing": len(batch.requests) - len(kinds)},
            "created_at": moment,
            "expires_at": moment,
            "ended_at": moment if ended else None,
            "cancel_initiated_at": moment if batch.status == "cancelled" else None,
            "archived_at": moment if batch.archived else None,
            "results_url": f"{self._server.base_url}/v1/messages/batches/{batch.id}/results"
            if ended and not batch.archived
            else None,
        }

    # Both

    def _let_in(self, headers: Mapping[str, str]) -> None:
        key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        if not key or (self._server.keys is not None and key not in self._server.keys):
            raise Refused(401, "no such key")

    def _create(
        self,
        api: Literal["openai", "anthropic"],
        requests: Mapping[str, Mapping[str, Any]],
        headers: Mapping[str, str],
        metadata: Mapping[str, str],
    ) -> Batch:
        script = self.script
        if script.refused:
            script.refused -= 1
            raise Refused(500, "told to fail")
        looks = 10**9 if script.looks == float("inf") else int(script.looks)
        batch = Batch(f"{api}-batch-{len(self.batches)}", api, requests, headers, script.clock(), metadata, looks)
        self.batches.append(batch)
        if script.problem is not None:
            batch.status, batch.problem = "failed", script.problem
        if script.lost_replies:
            script.lost_replies -= 1
            raise Dropped
        return batch

    def _find(self, batch_id: str) -> Batch:
        for batch in self.batches:
            if batch.id == batch_id:
                return batch
        raise Refused(404, f"No batch found with id '{batch_id}'.")

    def _page(
        self,
        api: str,
        query: Mapping[str, str],
        shown: Callable[[Batch], dict[str, Any]],
        more: Mapping[str, str],
    ) -> dict[str, Any]:
        newest_first = [batch for batch in reversed(self.batches) if batch.api == api]
        after = query.get("after") or query.get("after_id")
        if after:
            newest_first = newest_first[[batch.id for batch in newest_first].index(after) + 1 :]
        # Pages are small here, so that tests see more than one.
        data = [shown(batch) for batch in newest_first[:2]]
        ids = [batch["id"] for batch in data] or [None]
        return {"data": data, "has_more": len(newest_first) > 2, "first_id": ids[0], "last_id": ids[-1], **more}

    def _cancel(self, batch: Batch) -> None:
        batch.results = {key: {"fate": "cancelled"} for key in batch.requests}
        batch.status = "cancelled"

    def _look_at(self, batch: Batch) -> None:
        if batch.status != "in_progress":
            return
        if batch.looks > 0:
            batch.looks -= 1
            return
        fates = {}
        for key, body in batch.requests.items():
            self._times[key] = self._times.get(key, 0) + 1
            fates[key] = self.script.fate(key, self._times[key])
            if fates[key] is None:
                batch.results[key] = self._reply(batch, key, body)
            elif fates[key] != "missing":
                batch.results[key] = {"fate": fates[key]}
        batch.status = "expired" if "expired" in fates.values() else "completed"

    def _reply(self, batch: Batch, key: str, body: Mapping[str, Any]) -> dict[str, Any]:
        server = self._server
        shapes = APIS["/v1/messages" if batch.api == "anthropic" else "/v1/chat/completions"]
        try:
            shapes.check(server, body, batch.headers)
        except Refused as refusal:
            return {"status": refusal.status, "error": shapes.error(refusal).decode()}
        call = Call(shapes.api, body, batch.headers, len(server.calls))
        server.calls.append(call)
        reply = server._reply(call)
        if reply.status != 200:
            return {"status": reply.status, "error": shapes.error(Refused(reply.status, reply.message)).decode()}
        server._charging, before = True, server.charged
        answered = shapes.success(server, call, reply)
        server.charged = before + (server.charged - before) / 2
        self.charged.append(key)
        return {"status": 200, "body": json.loads(reply.raw) if reply.raw is not None else answered}
