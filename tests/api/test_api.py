"""``import calibrate``: the workflows of the command line as functions, in scripts and in notebooks."""

import asyncio
import inspect
import json
import threading
from pathlib import Path

import pandas as pd
import pytest
from loopback import Reply, error
from program import ADDITIONS, FIVE_STRATEGIES, PROMPT

import calibrate
from calibrate.errors import InputError, ProviderError
from calibrate.optimizer import Limits
from calibrate.workflows.procedure import SearchOptions

JUDGE, OPTIMIZER = "openai:gpt-4.1-mini", "openai:gpt-4.1"
PLAIN = SearchOptions(strategies=FIVE_STRATEGIES, analysis=False)
WINNER = f"{PROMPT} {ADDITIONS['ledger']} {ADDITIONS['roster']} {ADDITIONS['mercy']}"


def number_of(calibration, score):
    """The number of the candidate with a score."""
    trajectory = calibration.trajectory()
    (number,) = trajectory.loc[(trajectory["score"] - score).abs() < 0.0001, "number"]
    return number


@pytest.fixture
def verdicts():
    rows = [("1", "1")] * 20 + [("1", "0")] + [("0", "1")] * 9
    Path("verdicts.csv").write_text("human,judge\n" + "".join(f"{human},{judge}\n" for human, judge in rows))
    return "verdicts.csv"


def test_every_public_name_resolves_and_is_described():
    assert set(calibrate.__all__) <= set(dir(calibrate))
    for name in calibrate.__all__:
        assert callable(getattr(calibrate, name))
        assert inspect.getdoc(getattr(calibrate, name))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = calibrate.nonsense


def test_score(verdicts):
    report = calibrate.score(verdicts, human="human", judges=["judge"])
    assert report.status == "ok"
    assert report.sentence.startswith("judge on quality agrees with the experts at alignment 0.40")
    frame = report.frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame.loc[0, "judge"] == "judge"
    assert frame.loc[0, "alignment"] == pytest.approx(0.4002, abs=0.0001)
    assert frame.loc[0, "recall of 0"] == 0.0
    assert calibrate.score(verdicts, require=0.5).status == "below_acceptable"
    assert calibrate.score(Path(verdicts), pass_if=("judge >= 1",)).results[0].alignment.n == 30


def test_confidence_is_in_the_frame_where_there_is_any(tmp_path):
    rows = "human,judge,sure\n1,1,0.75\n0,0,0.5\n1,0,0.5\n"
    (tmp_path / "sure.csv").write_text(rows)
    frame = calibrate.score(tmp_path / "sure.csv", confidence_column="sure").frame()
    assert frame.loc[0, "brier"] == pytest.approx((0.0625 + 0.25 + 0.25) / 3)
    assert "brier" not in calibrate.score(tmp_path / "sure.csv").frame()


def test_an_undefined_figure_is_a_missing_value_of_the_frame(verdicts):
    Path(verdicts).write_text("human,judge\n" + "1,1\n" * 5)
    frame = calibrate.score(verdicts).frame()
    assert pd.isna(frame.loc[0, "alignment"])


def test_baseline(pages, server):
    report = calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    assert report.results[0].alignment.alignment.value == pytest.approx(0.4002, abs=0.0001)
    assert server.calls[0].system.startswith(PROMPT)
    assert Path("runs.db").exists()
    # A text is a prompt, a path is a file that holds one.
    again = calibrate.baseline(Path(pages), JUDGE, prompt=Path("prompt.txt"))
    assert len(server.calls) == 30
    assert again.to_json()["results"] == report.to_json()["results"]


def test_optimize(pages, server):
    result = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, db="search.db", search=PLAIN)
    (calibration,) = result.each
    assert calibration.stopped == "target"
    assert calibration.prompt == WINNER
    assert calibration.frame()["alignment"].tolist() == pytest.approx([0.4002, 1.0], abs=0.0001)
    trajectory = calibration.trajectory()
    assert trajectory["number"].tolist() == list(range(16))
    first = trajectory[trajectory["iteration"] == 1].set_index("strategy")
    assert set(first.index) == set(FIVE_STRATEGIES)
    assert first.loc["fix wrongly accepted", "score"] == pytest.approx(0.7514, abs=0.0001)
    no_prompt = "the reply has no <prompt> block"
    assert first.loc["explicit rubric", "reason"] == f"{no_prompt}; asked once more: {no_prompt}"
    assert pd.isna(first.loc["explicit rubric", "score"])
    assert trajectory.loc[number_of(calibration, 1.0), "prompt"] == calibration.prompt
    assert not Path("runs.db").exists()


def test_limits(pages, server):
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, limits=Limits(iterations=1)).each
    assert calibration.stopped == "limit"
    assert (
        not calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, limits=Limits(iterations=1), acceptable=0.9)
        .each[0]
        .acceptable_met
    )


def test_the_options_of_the_command_are_there(pages, server, world):
    world.special = {"f01": Reply("?")}
    one = {"prompt": PROMPT, "limits": Limits(iterations=1)}
    assert calibrate.optimize(pages, JUDGE, OPTIMIZER, **one, max_unscored=0.0).status == "too_many_unscored"
    assert calibrate.optimize(pages, JUDGE, OPTIMIZER, **one, acceptable=0.9, require=True).status == "below_acceptable"
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, **one, max_prompt=100).each
    assert calibration.trajectory()["reason"].str.startswith("too long").any()


def test_every_option_of_a_command_has_its_parameter():
    """A keyword of the function, or a field of the options it passes on."""
    import typer

    from calibrate.cli.app import app
    from calibrate.golden import LoadOptions, RecordedOptions
    from calibrate.workflows.setup import JudgeOptions

    passed_on = {
        "baseline": (calibrate.abaseline, JudgeOptions, LoadOptions),
        "optimize": (calibrate.aoptimize, JudgeOptions, LoadOptions, Limits, SearchOptions),
        "score": (calibrate.score, RecordedOptions),
    }
    other_names = {
        "set_path": "path",
        "judge": "judges",
        "as_json": None,
        "quiet": None,
        "dry_run": None,
        "dimension": "dimensions",
    }
    other_names |= {"human": "label", "id_column": "id"}
    other_names |= {"strategy": "strategies", "no_analysis": "analysis", "meta_characters": "characters"}
    commands = typer.main.get_command(app).commands
    for name, takers in passed_on.items():
        known = {parameter for taker in takers for parameter in inspect.signature(taker).parameters}
        for parameter in commands[name].params:
            if name == "score" and parameter.name == "db":
                continue
            wanted = {parameter.name, other_names.get(parameter.name, parameter.name)}
            assert None in wanted or wanted & known, f"{name}: {parameter.name}"
    # And the other way round: how to search is said by options, each of them.
    options = {other_names.get(parameter.name, parameter.name) for parameter in commands["optimize"].params}
    assert set(inspect.signature(SearchOptions).parameters) <= options
    assert {"search", "start"} <= set(inspect.signature(calibrate.aoptimize).parameters)


def test_inside_a_running_loop(pages, server, verdicts):
    """As in a notebook: a loop runs in this thread, and the functions are called all the same."""

    async def notebook():
        before = threading.active_count()
        report = calibrate.baseline(pages, JUDGE, prompt=PROMPT)
        result = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, limits=Limits(iterations=1))
        scored = calibrate.score(verdicts)
        assert threading.active_count() == before
        return report, result, scored

    report, result, scored = asyncio.run(notebook())
    assert report.results[0].alignment.scored == 30
    assert result.each[0].stopped == "limit"
    assert scored.results[0].alignment.n == 30


def test_an_error_inside_a_running_loop_is_the_callers(pages, server):
    server.keys = {"another"}

    async def notebook():
        with pytest.raises(ProviderError, match="OPENAI_API_KEY"):
            calibrate.baseline(pages, JUDGE, prompt=PROMPT)
        with pytest.raises(InputError, match="nowhere"):
            calibrate.baseline("nowhere.csv", JUDGE)

    asyncio.run(notebook())


def test_the_asynchronous_forms(pages, server):
    async def both():
        report = await calibrate.abaseline(pages, JUDGE, prompt=PROMPT)
        result = await calibrate.aoptimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, limits=Limits(iterations=1))
        return report, result

    report, result = asyncio.run(both())
    assert report.details["runs"][0]["run"] == 1
    assert result.each[0].run_id == 2


def test_several_at_once(pages, server):
    async def several():
        return await asyncio.gather(
            *(calibrate.abaseline(pages, f"openai:gpt-4.1{suffix}", prompt=PROMPT) for suffix in ("", "-mini", "-nano"))
        )

    reports = asyncio.run(several())
    assert sorted(each.details["runs"][0]["run"] for each in reports) == [1, 2, 3]
    assert len(server.calls) == 90


@pytest.mark.slow
def test_a_cancelled_search_goes_on_later(pages, server, world):
    world.held_from = 40

    async def impatient():
        work = asyncio.create_task(calibrate.aoptimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, noise_repeats=0))
        async with asyncio.timeout(60):
            while len(server.calls) < world.held_from:
                await asyncio.sleep(0.02)
        await asyncio.sleep(1.0)  # what was answered arrives and is recorded; the rest is held
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(impatient())
    assert calibrate.runs().rows()[0]["status"] == "interrupted"
    world.held_from = None
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, noise_repeats=0).each
    assert (calibration.run_id, calibration.stopped) == (1, "target")
    assert set(world.answered.values()) == {1}


def test_the_callers_task_stays_cancelled(pages, server, world):
    """A cancelled task ends as a cancelled task: that is what task groups and timeouts rest on."""
    world.held_from = 0

    async def cancelled():
        task = asyncio.create_task(calibrate.abaseline(pages, JUDGE, prompt=PROMPT))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())


def test_reading_back(pages, server):
    calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    (calibration,) = calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, search=PLAIN).each
    assert calibrate.runs().frame()["kind"].tolist() == ["baseline", "optimize"]
    assert calibrate.show(2).chosen.candidate.number == number_of(calibration, 1.0)
    better = f"2:{number_of(calibration, 0.7514)}"
    assert calibrate.show(better).chosen.candidate.prompt == f"{PROMPT} {ADDITIONS['ledger']}"
    difference = calibrate.diff("2:0", 2)
    assert difference.comparison.difference.value == pytest.approx(1 - 0.4002, abs=0.0001)
    assert len(difference.changed) == 10
    exported = calibrate.export_prompt(2, "python", output="judge.py")
    assert Path("judge.py").read_text(encoding="utf-8") == exported.text
    with pytest.raises(InputError, match="no run 3 here"):
        calibrate.show(3)


def test_files_are_replaced_on_request_only(pages, server):
    calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    for write in (
        lambda **options: calibrate.disagreements(1, "out.csv", **options),
        lambda **options: calibrate.export_prompt(1, output="out.csv", **options),
    ):
        Path("out.csv").write_text("filled in")
        with pytest.raises(InputError, match="exists already"):
            write()
        assert Path("out.csv").read_text() == "filled in"
        write(overwrite=True)
        assert Path("out.csv").read_text() != "filled in"


def test_the_whole_way_round(pages, server):
    calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    written = calibrate.disagreements(1, "review.jsonl")
    assert written.rows == 10
    rows = [json.loads(line) for line in Path("review.jsonl").read_text().splitlines()]
    rows[0]["label_new"] = "0"
    Path("review.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    merged = calibrate.merge(pages, "review.jsonl")
    assert merged.path == "pages.v2.csv"
    assert merged.labels == (("f21", "1", "0"),)
    assert calibrate.check("pages.v2.csv").dimensions[0].classes == {"0": 10, "1": 20}


def test_golden_sets(pages):
    loaded = calibrate.load_golden(pages)
    assert loaded.golden.dimensions == ("faithfulness",)
    assert len(loaded.golden.labelled) == 30
    check = calibrate.check(pages)
    assert check.status == "ok"
    assert check.to_json()["schema"] == 1
    with pytest.raises(InputError, match=r"pages\.csv"):
        calibrate.load_golden(pages, strict=True, id="nowhere")


def test_options_that_do_not_exist_are_refused(pages, verdicts):
    for call in (
        lambda: calibrate.score(verdicts, jugde="judge"),
        lambda: calibrate.baseline(pages, JUDGE, temprature=1.0),
        lambda: calibrate.load_golden(pages, lables=("0", "1")),
    ):
        with pytest.raises(TypeError):
            call()


def test_without_a_key(pages):
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        calibrate.baseline(pages, JUDGE)
    assert not Path("runs.db").exists()


def test_the_database_of_the_environment(pages, server, monkeypatch):
    monkeypatch.setenv("CALIBRATE_DB", "mine.db")
    calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    assert len(calibrate.runs().runs) == 1
    assert Path("mine.db").exists()
    assert not Path("runs.db").exists()


def test_unscored_verdicts_of_a_model_that_fails(pages, server, world):
    world.special = {"f01": error(400, "no"), "f02": Reply("?")}
    report = calibrate.baseline(pages, JUDGE, prompt=PROMPT, max_unscored=0.1)
    assert report.status == "ok"
    assert report.results[0].alignment.unscored["error"] == 1
    assert calibrate.baseline(pages, JUDGE, prompt=PROMPT, max_unscored=0.0).status == "too_many_unscored"


def test_nothing_is_printed(pages, server, capsys):
    calibrate.baseline(pages, JUDGE, prompt=PROMPT)
    calibrate.optimize(pages, JUDGE, OPTIMIZER, prompt=PROMPT, limits=Limits(iterations=1))
    assert capsys.readouterr() == ("", "")


def test_progress_is_told_to_who_asks(pages, server):
    from calibrate.workflows.progress import Quiet

    told = []

    class Told(Quiet):
        def begin(self, title, total):
            told.append((title, total))

        def judged(self, judgement):
            told.append(judgement.item_id)

    calibrate.baseline(pages, JUDGE, prompt=PROMPT, progress=Told())
    assert told[0] == ("Judging faithfulness", 30)
    assert len(set(told[1:])) == 30


def test_judges_are_compared_as_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = calibrate.compare("support_faithfulness", ["sim:reader", "sim:reader-small"], volume=1000, juries=False)
    (standings,) = found.each
    assert standings.choice == "sim:reader-small"  # as good as the other, to the verdict, and cheaper
    frame = found.frame().set_index("judge")
    assert list(frame.index) == ["sim:reader", "sim:reader-small"]
    assert frame["on_front"].tolist() == [False, True]
    assert frame.loc["sim:reader", "cost_per_verdict"] > frame.loc["sim:reader-small", "cost_per_verdict"]
    assert found.to_json()["simulated"] is True
