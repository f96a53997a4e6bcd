"""Judges that are code: ``py:module:function`` and ``exec:command``.

Both get the item as JSON (``id``, ``dimension``, ``inputs``; an input is a text, or a list of chunks) and answer with a
label or a verdict. The answer becomes the text of a reply, which the common verdict parser reads. Their cost is unknown
(None): whatever they call is not seen from here.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import importlib
import inspect
import json
import math
import os
import shlex
import shutil
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from calibrate.domain import Finish, Json, ModelRequest, ModelResponse, Scored, Unscored
from calibrate.errors import InputError, ProviderError
from calibrate.providers.replies import storable
from calibrate.providers.standard_output import printing_to_stderr

__all__ = ["EXEC_SECONDS", "CommandJudge", "FunctionJudge"]

EXEC_SECONDS = 60.0
"""The most time for one process."""

_Outcome: TypeAlias = tuple[object, BaseException | None]

_ABSTAINED = "CANNOT_ASSESS"
_FINISHES: Mapping[str, Finish] = {"refused": "refusal", "truncated": "length"}


class FunctionJudge:
    """``py:module:function``: a function of the item, sync or async. What it prints goes to standard error.

    It returns a label (text, number or bool), a pair of label and reasoning, a mapping with ``label`` and optionally
    ``reasoning`` and ``confidence``, a verdict (:class:`~calibrate.domain.Scored`,
    :class:`~calibrate.domain.Unscored`), or the raw reply of a model. A sync function runs in a thread: it may block.

    Args:
        name: the judge as the user wrote it.
        directory: where its module may lie, beside the installed ones.
        redact: takes known keys out of the function's own messages.

    Raises:
        InputError: the module cannot be imported or has no such function.
    """

    simulated = False

    def __init__(self, name: str, directory: Path, redact: Callable[[str], str] = str) -> None:
        self.name = name
        self._redact = redact
        module, _, function = name.removeprefix("py:").partition(":")
        if not module or not function:
            raise InputError(f"{name}: write py:module:function, such as py:judges:faithful")
        self._function = _import(name, module, function, directory)
        self._identity: dict[str, Json] = {"source": _source_digest(module)}

    @property
    def identity(self) -> Mapping[str, Json]:
        """The digest of the module's source file; what it imports is not part of it."""
        return self._identity

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Judge the item of one request.

        Raises:
            ProviderError: the function raised, or returned what is no verdict.
        """
        value, latency = await self.call(_item(self.name, request))
        if isinstance(value, Unscored):
            return self._unscored(value, latency)
        try:
            text = storable(_reply(value))
        except ValueError as error:
            raise ProviderError(f"{self.name} returned {error}") from None
        return ModelResponse(text=text, finish="stop", model=self.name, latency=latency)

    async def close(self) -> None:
        """Nothing to release."""

    async def call(self, item: dict[str, Any]) -> tuple[object, float]:
        """Return what the function returns for an item, and the seconds that took; waiting for a thread is no part.

        Raises:
            ProviderError: it raised; the message is one line without known keys.
        """

        def call() -> tuple[float, _Outcome]:
            # The outcome is handed over as a value: a future refuses StopIteration and lets SystemExit end the loop.
            started = time.perf_counter()
            try:
                with printing_to_stderr():
                    return started, (self._function(item), None)
            except BaseException as error:  # noqa: BLE001 — the function is the user's: anything may come
                return started, (None, error)

        is_async = inspect.iscoroutinefunction(self._function)
        started, (value, failure) = call() if is_async else await asyncio.to_thread(call)
        if failure is None and inspect.isawaitable(value):
            value, failure = await _awaited(value)
        if failure is not None:
            said = self._redact(" ".join(f"{type(failure).__name__}: {failure}".split()))
            raise ProviderError(f"{self.name} raised {said}")
        return value, time.perf_counter() - started

    def _unscored(self, verdict: Unscored, latency: float) -> ModelResponse:
        if verdict.reason == "error":
            raise ProviderError(f"{self.name}: {self._redact(verdict.detail or 'error')}")
        if verdict.reason == "abstained":
            text = storable(_dumps({"reasoning": verdict.detail, "label": _ABSTAINED}))
            return ModelResponse(text=text, finish="stop", model=self.name, latency=latency)
        # No text: a detail that quotes a label must not be read as one.
        return ModelResponse(text="", finish=_FINISHES.get(verdict.reason, "stop"), model=self.name, latency=latency)


class CommandJudge:
    """``exec:command``: one process for each item.

    The command is split as a shell would and run without one. The item comes as one line of JSON on standard input;
    what stands on standard output is a label or a reply with one; the exit status is 0.

    Args:
        name: the judge as the user wrote it.
        directory: where it runs.
        redact: takes known keys out of the command's own messages.
        timeout: the most seconds for one process.

    Raises:
        InputError: the command cannot be split or is not found.
    """

    simulated = False

    def __init__(
        self, name: str, directory: Path, redact: Callable[[str], str] = str, *, timeout: float = EXEC_SECONDS
    ) -> None:
        self.name = name
        self._directory = directory
        self._redact = redact
        self._timeout = timeout
        try:
            self._command = shlex.split(name.removeprefix("exec:"))
        except ValueError as error:
            raise InputError(f"{name}: the command cannot be split ({error})") from None
        if not self._command:
            raise InputError(f"{name}: write exec:command, such as exec:./judge.sh")
        program = self._command[0]
        # As in a shell, a bare name is looked for on the path, not here.
        found = shutil.which(str(directory / program) if "/" in program else program)
        if found is None:
            hint = f"; for a file in this directory write ./{program}" if (directory / program).is_file() else ""
            raise InputError(f"{name}: there is no program '{program}' that can be run{hint}")
        self._program = found
        self._identity: dict[str, Json] = {
            "files": [
                _file_digest(file)
                for file in (Path(found), *(directory / word for word in self._command[1:]))
                if file.is_file()
            ]
        }

    @property
    def identity(self) -> Mapping[str, Json]:
        """The digests of the program and of the files that the command names."""
        return self._identity

    async def complete(self, request: ModelRequest) -> ModelResponse:
        """Judge the item of one request.

        Raises:
            ProviderError: the process could not be started, failed, or took too long.
        """
        content = (_dumps(_item(self.name, request)) + "\n").encode("utf-8", "surrogatepass")
        started = time.perf_counter()
        try:
            process = await asyncio.create_subprocess_exec(
                self._program,
                *self._command[1:],
                cwd=self._directory,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise ProviderError(f"{self.name}: cannot be started: {error.strerror}") from None
        try:
            out, err = await asyncio.wait_for(process.communicate(content), self._timeout)
        except TimeoutError:
            raise ProviderError(f"{self.name}: no answer within {self._timeout:g} s") from None
        finally:
            if process.returncode is None:
                await _end(process)
        if process.returncode:
            lines = err.decode("utf-8", "replace").split("\n")
            last = next((line.strip() for line in reversed(lines) if line.strip()), "nothing on standard error")
            raise ProviderError(f"{self.name}: exit status {process.returncode}: {self._redact(last)}")
        text = storable(_spoken(out.decode("utf-8", "replace")))
        return ModelResponse(text=text, finish="stop", model=self.name, latency=time.perf_counter() - started)

    async def close(self) -> None:
        """Nothing to release: every process ended with its request."""


async def _awaited(value: Awaitable[object]) -> _Outcome:
    """Await a user's coroutine in a task of its own, which tells its cancellation of itself from one of ours."""

    async def outcome() -> _Outcome:
        try:
            with printing_to_stderr():
                return await value, None
        except (KeyboardInterrupt, asyncio.CancelledError):  # the first may be the user's: this is the main thread
            raise
        except BaseException as error:  # noqa: BLE001 — the function is the user's: anything may come
            return None, error

    task = asyncio.create_task(outcome())
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        raise
    return (None, asyncio.CancelledError("by itself")) if task.cancelled() else task.result()


async def _end(process: asyncio.subprocess.Process) -> None:
    # Its children too: they would keep the pipes open.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _item(name: str, request: ModelRequest) -> dict[str, Any]:
    if request.item is None:
        raise InputError(f"{name} judges items; it cannot write text, so choose a language model here")
    item: dict[str, Any] = json.loads(_dumps(request.item))  # a copy: the function may change it
    return item


def _reply(value: Any) -> str:
    """Write what a function returned as a reply.

    Raises:
        ValueError: it is no verdict; the message continues "returned ...".
    """
    if isinstance(value, str):
        return _spoken(value)
    if isinstance(value, Scored):
        value = {"label": value.label, "reasoning": value.reasoning, "confidence": value.confidence}
    if isinstance(value, tuple) and len(value) == 2:
        value = {"label": value[0], "reasoning": value[1]}
    if not isinstance(value, Mapping):
        value = {"label": value}
    if "label" not in value:
        raise ValueError("a mapping without 'label'")
    reply: dict[str, Any] = {"reasoning": str(value.get("reasoning") or ""), "label": _plain(value["label"])}
    if value.get("confidence") is not None:
        reply["confidence"] = _plain(value["confidence"])
    return _dumps(reply)


def _plain(value: Any) -> str | bool | int | float:
    item = getattr(value, "item", None)
    value = item() if callable(item) else value  # numpy and torch scalars
    if not isinstance(value, str | bool | int | float) or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError(f"{value!r:.80}: return a label, (label, reasoning), a mapping with 'label', or a verdict")
    return value


def _spoken(text: str) -> str:
    """Return a reply as it is, and a bare label as the object that the verdict parser reads."""
    text = text.strip()
    bare = text and not any(sign in text for sign in "\n{:")
    return _dumps({"label": text}) if bare else text


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _import(name: str, module: str, function: str, directory: Path) -> Callable[[Any], object]:
    try:
        with _on_path(directory), printing_to_stderr():
            importlib.invalidate_caches()  # the module may be newer than what was seen of its directory
            found: Any = importlib.import_module(module)
    except KeyboardInterrupt:  # the user stops the command
        raise
    except BaseException as error:  # noqa: BLE001 — the module is the user's: anything may come
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"{name}: module '{module}' cannot be imported ({said})") from None
    for part in function.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise InputError(f"{name}: module '{module}' has no function '{function}'")
    judge: Callable[[Any], object] = found
    return judge


@contextlib.contextmanager
def _on_path(directory: Path) -> Iterator[None]:
    entry = str(directory)
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # the module may have changed the path itself
            sys.path.remove(entry)


def _source_digest(module: str) -> str | None:
    source = getattr(sys.modules[module], "__file__", None)
    return _file_digest(Path(source)) if source and Path(source).is_file() else None


def _file_digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
