"""A real Chromium. Where none is found these tests are skipped, but never where ``CI`` is set."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def _program() -> str | None:
    """Return a browser of this machine, else the one that Playwright has installed."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is not None:
        return found
    with sync_playwright() as playwright:
        installed = playwright.chromium.executable_path
    return installed if Path(installed).exists() else None


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for a module, and no longer: as long as Playwright is there, an event loop runs in this thread."""
    program = _program()
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("CI tests pages in Chromium, and none is found; scripts/test --all installs Debian's")
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        # As root, and in containers, Chromium's own sandbox cannot start.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass(frozen=True, slots=True)
class Opened:
    """A page that was opened from disk, without a network.

    Attributes:
        page: the page.
        problems: what the console and the page complained about.
        requests: every address that was asked for.
    """

    page: Page
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def run(self, script: str) -> Any:
        """Evaluate a script of the test, by the debugger: the page's own policy does not apply to it."""
        return self.page.evaluate(script)


Open = Callable[..., Opened]


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """Open a file as a reader would, offline; the test fails when it asks for anything but itself."""
    contexts, all_opened = [], []

    def open_file(path: Path, *, width: int = 1200, scheme: str = "light") -> Opened:
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        context.set_offline(True)
        opened = Opened(context.new_page())
        all_opened.append((path, opened))

        def only_itself(route: Route) -> None:
            opened.requests.append(route.request.url)
            if route.request.url == path.as_uri():
                route.continue_()
            else:
                route.abort()

        context.route("**/*", only_itself)
        opened.page.on("console", lambda message: opened.problems.append(f"{message.type}: {message.text}"))
        opened.page.on("pageerror", lambda error: opened.problems.append(str(error)))
        opened.page.on("dialog", lambda dialog: (opened.problems.append("a dialog"), dialog.dismiss()))
        opened.page.goto(path.as_uri())
        return opened

    yield open_file
    for context in contexts:
        context.close()
    for path, opened in all_opened:
        assert opened.problems == []
        assert set(opened.requests) <= {path.as_uri()}
