"""What the charts have in common: texts that Plotly cannot take for markup, the page's colours, a bare layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from textwrap import wrap
from typing import Any

__all__ = ["axis", "css", "hover", "layout", "plain"]

_HOVER_WIDTH = 60  # characters


def plain(text: str) -> str:
    """Return a text that Plotly draws as it is: it reads a small subset of HTML in its texts."""
    return escape(" ".join(text.split()), quote=False)


def hover(lines: Iterable[str]) -> str:
    """Return what is told at a point: lines of text, long ones broken."""
    return "<br>".join(plain(part) for line in lines for part in wrap(line, _HOVER_WIDTH))


def css(name: str) -> dict[str, str]:
    """Return a colour of the style sheet, which the page fills in when it draws."""
    return {"css": f"--{name}"}


def axis(title: str, **options: Any) -> dict[str, Any]:
    """Return an axis with quiet lines."""
    return {
        "title": {"text": title, "font": {"size": 13}},
        "gridcolor": css("line"),
        "linecolor": css("soft"),
        "zeroline": False,
        "automargin": True,
        "fixedrange": False,
        **options,
    }


def layout(**options: Any) -> Mapping[str, Any]:
    """Return a layout without title and background, in the page's type and colours."""
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "system-ui, -apple-system, Segoe UI, Roboto, sans-serif", "size": 12, "color": css("ink")},
        "margin": {"l": 56, "r": 16, "t": 12, "b": 48},
        "hoverlabel": {
            "bgcolor": css("panel"),
            "bordercolor": css("line"),
            "font": {"color": css("ink")},
            "align": "left",
        },
        "hovermode": "closest",
        "dragmode": False,
        **options,
    }
