"""``calibrate explain``: how a calibration's winner came about."""

from functools import partial
from typing import Annotated

import typer

from calibrate.cli.options import Output, Reference, grouped, output_options

__all__ = ["explain"]


@grouped(out=output_options)
def explain(
    reference: Reference,
    out: Output,
    diff: Annotated[bool, typer.Option("--diff", help="Show what each edit changed in the prompt.")] = False,
) -> None:
    """Explain how a calibration's winner came about: its edits, the errors they fixed, what was tried in vain."""
    from calibrate.console.explain import show_explanation
    from calibrate.workflows.explain import explain as explain_reference

    out.emit(explain_reference(out.database(), reference), partial(show_explanation, diff=diff))
