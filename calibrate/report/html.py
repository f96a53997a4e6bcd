"""A page as one HTML file: it opens from disk, asks the network for nothing, and runs no script but its own.

Jinja2 escapes every text. Charts travel as JSON in a script element, with ``<`` escaped, and are drawn by Plotly, which
is part of the file. The Content-Security-Policy names the digests of the two scripts: no other one runs, whatever the
data hold.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING

from calibrate.domain import Json
from calibrate.domain.version import VERSION
from calibrate.errors import InputError
from calibrate.report.blocks import SIMULATED, Chart, Page

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["html_page", "require_libraries"]

_NEEDED = "pages need Plotly and Jinja2, which are not installed: pip install judge-calibrate[report]"


def require_libraries() -> None:
    """Refuse to go on without the libraries that draw pages.

    Raises:
        InputError: one of them is not installed.
    """
    if find_spec("jinja2") is None or find_spec("plotly") is None:
        raise InputError(_NEEDED)


def html_page(page: Page) -> str:
    """Return a page as HTML.

    Raises:
        InputError: Plotly or Jinja2 is not installed.
    """
    require_libraries()
    charts = {each.name: {"figure": each.figure} for each in _charts(page)}
    style, script = _own("page.css"), _own("page.js")
    library = _plotly() if charts else ""
    return (
        _environment()
        .get_template("page.html")
        .render(
            page=page,
            simulated=SIMULATED if page.simulated else "",
            version=VERSION,
            policy=_policy(*filter(None, (library, script))),
            style=style,
            library=library,
            script=script,
            charts=_json(charts),
        )
    )


def _charts(page: Page) -> Iterator[Chart]:
    for section in page.sections:
        for block in section.blocks:
            if isinstance(block, Chart):
                yield block


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("calibrate.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _own(name: str) -> str:
    return files("calibrate.report").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _plotly() -> str:
    return files("plotly").joinpath("package_data", "plotly.min.js").read_text(encoding="utf-8")


def _policy(*scripts: str) -> str:
    """Allow these scripts and nothing else; Plotly sets styles from within, which takes ``unsafe-inline`` for them."""
    digests = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in scripts
    )
    return f"default-src 'none'; script-src {digests}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def _json(value: Mapping[str, Json]) -> str:
    """Write JSON that may stand in a script element: no data can close it, or open a comment in it."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
