"""Pages on the terminal: Markdown as it is, or where a page was written."""

from __future__ import annotations

import sys

from calibrate.console.pipes import write
from calibrate.console.style import console
from calibrate.workflows.report import RunReport

__all__ = ["show_report_page"]


def show_report_page(report: RunReport) -> None:
    """Print the page where it was not written to a file, else what came out and where the page is."""
    if report.path is None:
        write(report.text, sys.stdout)
        return
    out = console()
    out.print(report.sentence, style="bold", markup=False, soft_wrap=True)
    left_out = f"; {report.left_out} {report.what} left out" if report.left_out else ""
    out.print(f"Written to {report.path}{left_out}.", markup=False, soft_wrap=True)
