"""The list of models on the terminal."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from calibrate.console.style import console, plain_table
from calibrate.providers import PriceSnapshot
from calibrate.workflows.models import Known, ModelList
from calibrate.workflows.record import money
from calibrate.workflows.sentences import counted

__all__ = ["show_models"]

_COLUMNS = ("model", "input", "output", "cache read", "cache write", "cost", "batch", "prices by")


def show_models(models: ModelList) -> None:
    """Print a line for each model, and what the figures mean."""
    out = console()
    out.print(models.sentence, style="bold", markup=False, soft_wrap=True)
    out.print(models.about_the_data, markup=False, soft_wrap=True)
    if models.models:
        out.print()
        out.print(_table(models))
        out.print()
    for note in _notes(models):
        out.print(note, markup=False, soft_wrap=True)


def _table(models: ModelList) -> Table:
    table = plain_table(_COLUMNS)
    table.columns[-1].justify = "left"
    for each in models.models:
        prices = each.prices
        apart = f" ({each.set_apart})" if each.set_apart else " (simulated)" if each.simulated else ""
        table.add_row(
            escape(each.name) + apart,
            *(
                ("unknown", "unknown", "–", "–")
                if prices is None
                else (
                    _price(price, each)
                    for price in (prices.input, prices.output, prices.cache_read, prices.cache_write)
                )
            ),
            money(each.cost),
            "–" if each.batch_cost is None else money(each.batch_cost),
            escape(_source(prices, models)),
        )
    return table


def _source(prices: PriceSnapshot | None, models: ModelList) -> str:
    if prices is None:
        return "–"
    return "price data" if prices.source == models.data.source else prices.source


def _price(price: float | None, known: Known) -> str:
    return "–" if price is None else f"{price:.10g}{'+' if known.long_prompts else ''}"


def _notes(models: ModelList) -> list[str]:
    shown, notes = models.models, []
    if shown:
        notes.append("Prices are US dollars per million tokens; cost and batch are US dollars for the run.")
    if any(each.long_prompts for each in shown):
        notes.append("+: another price holds for long prompts; cost and batch allow for it.")
    if any(each.cost is None for each in shown):
        notes.append("Declare an unknown price in calibrate.toml: input_price and output_price under the model's name.")
    if any(not each.simulated for each in shown):
        notes.append("The price data does not tell which of these models your account can call.")
    if any(each.simulated for each in shown):
        notes.append("Simulated models are no LLMs, and their prices are made up.")
    if models.left_out:
        left = counted(models.left_out, "model")
        notes.append(f"{left} left out: deprecated, fine-tuned, or for other things than text; --all lists them.")
    return notes
