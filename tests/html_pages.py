"""What a page of HTML holds, as a parser sees it: its elements, their texts, and the scripts that would run."""

from __future__ import annotations

import base64
import hashlib
import json
from html.parser import HTMLParser
from typing import Any

__all__ = ["NASTY", "PageParser", "parse"]

NASTY = (
    '</script><script>alert(1)</script> {{7*7}} {% raw %} <img src=x onerror="alert(1)"> %{x} &lt; \u2028 `|` @octocat'
)
"""Text of an item that is no markup, no template, no script and no mention."""

_VOID = {"meta", "br", "img", "link", "input"}


class PageParser(HTMLParser):
    """Collects elements with their attributes, and the text below each."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert [tag] == self._open[-1:], f"</{tag}> closes {self._open[-1:]}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append((self._open[-1] if self._open else "", data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements of a tag."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def scripts(self) -> list[str]:
        """The texts of the script elements, JSON included."""
        return [text for tag, text in self.texts if tag == "script"]

    @property
    def charts(self) -> dict[str, Any]:
        """The charts by name."""
        found: dict[str, Any] = json.loads(next(text for text in self.scripts if text.startswith("{")))
        return found

    @property
    def policy(self) -> str:
        """The Content-Security-Policy."""
        return next(str(each["content"]) for each in self.all("meta") if "http-equiv" in each)

    @property
    def shown(self) -> str:
        """All text but scripts and styles."""
        return " ".join(" ".join(text for tag, text in self.texts if tag not in ("script", "style")).split())


def parse(text: str) -> PageParser:
    """Parse a page and check what holds for every one of them: nothing remote, and no script but the named ones."""
    page = PageParser()
    page.feed(text)
    page.close()
    assert not page._open
    running = [each for each in page.scripts if not each.startswith("{")]
    digests = {f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in running}
    allowed = next(part for part in page.policy.split("; ") if part.startswith("script-src"))
    assert set(allowed.split()[1:]) == digests
    assert page.policy.startswith("default-src 'none'")
    for tag, attributes in page.elements:
        assert tag not in ("link", "iframe", "img", "object", "base"), tag
        assert "src" not in attributes
        assert not [name for name in attributes if name.startswith("on")], attributes
        assert (attributes.get("href") or "#").startswith("#")
    assert len(text.encode()) < 6_000_000
    return page
