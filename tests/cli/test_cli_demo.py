"""``calibrate demo``: the tour without a key."""

import pytest


@pytest.fixture
def _on_the_house(monkeypatch):
    """No key, and no network to use one on."""
    monkeypatch.setattr("socket.socket.connect", None)


@pytest.mark.usefixtures("_on_the_house")
def test_the_tour(program, tmp_path, monkeypatch):
    monkeypatch.setenv("CALIBRATE_DB", "tour.db")
    outcome = program("demo")
    text = outcome.out
    assert "Simulated: this shows how the tool works and says nothing about any LLM." in text
    assert "not tested on unseen ones" in text or "on these 30 items" in text
    for command in ("calibrate show 1", "calibrate disagreements 1 -o review.csv", "calibrate export 1 --to python"):
        assert command in text
    again = program("demo")
    assert again.out == text
    document = program("demo", "--json").json
    assert document["simulated"] is True
    assert [each["role"] for each in document["results"]] == ["baseline", "winner"]
    # What it names can be run.
    for arguments in (
        ("show", 1),
        ("disagreements", 1, "-o", "review.csv"),
        ("export", 1, "--to", "python", "-o", "j.py"),
    ):
        program(*arguments)
    assert not (tmp_path / "runs.db").exists()


def test_whatever_shows_a_simulated_figure_says_so(program, tmp_path):
    said = "says nothing about any LLM"
    assert said in program("baseline", "support_faithfulness", "--judge", "sim:reader").out
    assert said in program("show", "1").out
    assert said in program("show", "1:0").out
    assert said in program("diff", "1", "1:0").out
    assert "sim:reader (simulated)" in program("runs").out
    assert "The simulated judge and the experts differ" in program("disagreements", "1", "-o", "review.csv").out
