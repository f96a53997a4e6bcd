"""References to runs, and the facts that stand beside a figure."""

import pytest

import calibrate
from calibrate.errors import InputError
from calibrate.store import Spending
from calibrate.workflows.record import spending_in_words
from calibrate.workflows.stored import parse_reference


@pytest.mark.parametrize(
    ("text", "meant"), [("2", (2, None)), ("2:5", (2, 5)), (" 12:0 ", (12, 0)), ("007", (7, None))]
)
def test_a_reference(text, meant):
    assert parse_reference(text) == meant


@pytest.mark.parametrize("text", ["", ":", "2:", ":5", "a", "2:5:1", "-2", "2.5", "2 5", "²"])
def test_what_is_no_reference(text):
    with pytest.raises(InputError, match="names no run"):
        parse_reference(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "floating"),
    [
        ("openai:gpt-4.1", True),
        ("openai:gpt-4.1-2025-04-14", False),
        ("openai:gpt-4-0613", False),
        ("openai:gpt-5", True),
        ("openai:o3", True),
        ("anthropic:claude-example", True),
        ("anthropic:claude-example-20250929", False),
    ],
)
def test_a_name_that_the_provider_may_point_elsewhere(pages, server, monkeypatch, model, floating):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-any")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.anthropic_url)
    (run,) = calibrate.baseline(pages, model).details["runs"]
    assert run["record"]["floating_alias"] is floating
    assert run["record"]["model_requested"] == model


def test_gold_and_raters_are_on_record(server):
    from pathlib import Path

    from program import PAGES

    lines = ["id,context,answer,rater_ana,rater_ben"]
    for page in PAGES:
        label = "1" if page.startswith("f") else "0"
        other = "0" if page == "f01" else label
        lines.append(f"{page},Text of {page}.,Answer of page {page}.,{label},{other}")
    Path("raters.csv").write_text("\n".join(lines))
    (run,) = calibrate.baseline("raters.csv", "openai:gpt-4.1").details["runs"]
    record = run["record"]
    assert record["raters"] == ["rater_ana", "rater_ben"]
    assert "2 raters" in record["gold"]
    # Two raters tie on f01, so it has no gold label and is left out.
    assert (record["n"], record["unlabelled"]) == (29, 1)
    assert len(server.calls) == 29


@pytest.mark.parametrize(
    ("spending", "said"),
    [
        (Spending(1, 0.5, 0), "$0.50 for 1 call"),
        (Spending(1200, 0.5, 0, uncertain=1), "$0.50 for 1,200 calls; beside them 1 charge of unknown amount"),
        (Spending(1, 0.0, 1, enlarged=1), "1 call of unknown cost; 1 reply was used up by reasoning"),
    ],
)
def test_one_is_not_counted_in_the_plural(spending, said):
    assert spending_in_words(spending).startswith(said)
