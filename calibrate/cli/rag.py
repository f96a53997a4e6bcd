"""``calibrate rag``: evaluate systems that retrieve and then answer."""

import typer

from calibrate.cli import rag_add, rag_check, rag_draft, rag_run

__all__ = ["app"]

app = typer.Typer(
    help="Evaluate RAG systems: question banks, retrieval, answers.", no_args_is_help=True, rich_markup_mode=None
)

app.command("run")(rag_run.run)
app.command("check")(rag_check.check)
app.command("draft")(rag_draft.draft)
app.command("add")(rag_add.add)
app.command("accept")(rag_add.accept)
