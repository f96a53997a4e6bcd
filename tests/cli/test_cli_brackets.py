"""Names of strategies come from users and are data: what looks like markup in them is printed as it is."""

import pytest
from program import PROMPT, rewrite

NAMES = ("[/red] x", "[numbers]", "a \\[bold]b[/bold] c", "[link=http://x.example]y")
SEARCH = ("optimize", "pages.csv", "--judge", "openai:gpt-4.1-mini", "--optimizer", "openai:gpt-4.1", "--no-analysis")


@pytest.fixture
def calibrated(program, pages, server, world, tmp_path):
    """A calibration in which each of the names wins, is rejected, or is in vain."""
    folder = tmp_path / "own"
    folder.mkdir()
    for number, name in enumerate(NAMES):
        (folder / f"{number}.md").write_text(f"# {name}\n> What {name} does.\n\nImprove it.\n", encoding="utf-8")
    steps = dict(zip(NAMES, ("fix wrongly accepted", "general improvement", "nothing", "nothing"), strict=True))
    world.writer = lambda strategy, current: rewrite(steps[strategy], current)
    named = [word for name in NAMES for word in ("--strategy", name)]
    options = ("--prompt", "prompt.txt", "--iterations", 2, "--width", 4, "--noise-repeats", 0, "--strategies", "own")
    return program(*SEARCH, *options, *named)


def test_the_calibration_shows_them_in_its_progress_and_its_trajectory(calibrated):
    for name in NAMES:
        assert f"iteration 1, {name}: " in calibrated.err
        assert any(line.split("  ")[0].isdigit() and name in line for line in calibrated.out.splitlines()), name


def test_what_is_shown_of_it_later_has_them_too(calibrated, program):
    shown = program("show", 1).out
    explained = program("explain", 1, "--diff").out
    assert all(name in shown and name in explained for name in NAMES)
    assert "1 run." in program("runs").out
    assert NAMES[0] in [each["strategy"] for each in program("show", 1, "--json").json["candidates"]]


def test_the_list_of_strategies_has_them(calibrated, program):
    listed = program("strategies", "--strategies", "own").out
    for name in NAMES:
        assert any(line.startswith(f"{name} (own) ") and f"What {name} does." in line for line in listed.splitlines())


def test_one_that_is_not_there_is_named_as_it_was_written(program, pages, server):
    failed = program(*SEARCH, "--prompt", "prompt.txt", "--strategy", "[/red] y", code=2)
    assert "[/red] y" in failed.error
    assert PROMPT not in failed.error
