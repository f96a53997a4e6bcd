"""Leanings that are planted in judges are found, those that are not are not, and what cannot be known is said."""

import csv
from pathlib import Path

import pytest
from leaning import write_pairs, write_set

import calibrate
from calibrate.domain import GoldenSet, Item, Scale
from calibrate.errors import InputError
from calibrate.judge import Prompt
from calibrate.workflows.harmless_edits import edited, new_layout, swapped


def probe(report, name, value=None):
    (found,) = [each for each in report.probes if each.name == name and each.value == value]
    return found


def judged(judge, path, **options):
    calibrate.baseline(path, f"py:leaning:{judge}", **options)


def of_set(judge, **options):
    judged(judge, write_set("set.csv"))
    return calibrate.bias(1, **options)


def of_pairs(judge, **options):
    from calibrate.golden import LoadOptions

    judged(judge, write_pairs("pairs.csv"), load=LoadOptions(scale="pairwise", labels=("A", "B")))
    return calibrate.bias(1, **options)


def test_an_honest_judge_is_not_accused():
    report = of_set("honest", ask=True, by=["language", "model"], own="house")
    assert [each.name for each in report.probes if each.conclusion == "biased"] == []
    assert probe(report, "white space").conclusion == "no_sign"
    assert report.sentence.startswith("1:0, py:leaning:honest on ")
    assert "no bias found in 10 probes" in report.sentence


def test_a_taste_for_length_is_found_at_a_constant_label():
    found = probe(of_set("likes_length"), "verbosity")
    assert found.conclusion == "biased"
    assert found.effect > 1.5
    assert found.low > 1
    assert found.reason == "the judge accepts longer answers more often than its quality explains"


def test_leniency_is_found():
    found = probe(of_set("lenient"), "leniency")
    assert (found.conclusion, found.effect > 0.1) == ("biased", True)


def test_a_taste_for_its_own_answers_is_found_in_the_column_of_models():
    found = probe(of_set("likes_its_own", own="house"), "self_preference")
    assert found.conclusion == "biased"
    assert (
        found.reason
        == "at the same human label the judge accepts its own answers more often than the answers of others"
    )


def test_without_an_own_model_there_is_no_answer():
    found = probe(of_set("likes_its_own"), "self_preference")
    assert found.conclusion == "not_identifiable"
    assert "column model has" in found.reason
    assert "--own" in found.reason


@pytest.mark.parametrize(
    ("value", "judge", "own"),
    [
        ("gpt-4.1", "openai:gpt-4.1", True),
        ("gpt-4.1-2025-04-14", "openai:gpt-4.1", True),
        ("openai/GPT-4.1", "openai:gpt-4.1", True),
        ("gpt-4.1-mini", "openai:gpt-4.1", False),
        ("claude-sonnet-5-5-20260101", "anthropic:claude-sonnet-5-5", True),
        ("human", "py:judges:mine", False),
    ],
)
def test_its_own_model_is_known_by_its_name(value, judge, own):
    from calibrate.workflows.bias_case import is_own

    assert is_own(value, judge) is own


def test_a_dislike_of_a_language_is_found():
    found = probe(of_set("dislikes_spanish", by="language"), "language", "es")
    assert found.conclusion == "biased"
    assert found.reason == "at the same human label the judge accepts es less often than en"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("judge", "edit", "reason"),
    [
        ("thrown_by_white_space", "white space", "verdicts move to rejecting"),
        ("flattered", "polite opener", "verdicts move to accepting"),
        ("swayed_by_repetition", "restatement", "verdicts move to accepting"),
    ],
)
def test_an_edit_that_must_not_matter_and_does_is_found(judge, edit, reason):
    report = of_set(judge, ask=True)
    found = probe(report, edit)
    assert (found.conclusion, found.reason) == ("biased", reason)
    assert found.figures["flips"] == sum(found.figures["moves"].values()) > 10
    others = {"white space", "polite opener", "restatement"} - {edit}
    assert {probe(report, each).conclusion for each in others} == {"no_sign"}


def test_flips_of_a_noisy_judge_may_be_noise_and_asking_again_tells():
    report = of_set("noisy", ask=True, again=True)
    for edit in ("white space", "polite opener", "restatement"):
        found = probe(report, edit)
        assert found.conclusion == "cannot_tell"
        assert "flip when the same is asked again" in found.reason


def test_without_asking_again_flips_may_be_nothing_else():
    found = probe(of_set("noisy", ask=True), "restatement")
    assert found.conclusion == "cannot_tell"
    assert "the judge's own noise is not known, and the flips may be nothing else" in found.reason


def test_a_noise_run_of_the_same_judge_tells_its_noise():
    from calibrate.cli import main

    of_set("noisy", ask=True)
    assert main(["noise", "set.csv", "--judge", "py:leaning:noisy", "--runs", "2", "--quiet"]) == 0
    found = probe(calibrate.bias(1), "restatement")
    assert found.conclusion == "cannot_tell"
    assert "flip when the same is asked again" in found.reason


def test_the_runs_of_a_noise_run_tell_the_noise_of_each_other():
    calibrate.noise(write_set("set.csv"), "py:leaning:noisy", runs=2)
    found = probe(calibrate.bias(1, ask=True), "restatement")
    assert found.conclusion == "cannot_tell"
    assert "flip when the same is asked again" in found.reason


def test_a_judge_that_prefers_the_first_answer():
    report = of_pairs("prefers_the_first", ask=True, own="house")
    found = probe(report, "position")
    assert (found.conclusion, found.reason) == ("biased", "verdicts move towards the first answer")
    assert found.figures["flip_rate"]["value"] > 0.2
    assert probe(report, "first_answer").conclusion == "biased"
    assert probe(report, "self_preference").conclusion != "biased"


def test_a_judge_of_pairs_without_a_leaning():
    report = of_pairs("steady", ask=True, own="house")
    assert [each.name for each in report.probes if each.conclusion == "biased"] == []
    assert probe(report, "position").conclusion == "no_sign"


def test_a_judge_that_prefers_its_own_answer():
    report = of_pairs("prefers_its_own", own="house")
    found = probe(report, "self_preference")
    assert found.conclusion == "biased"
    assert found.reason == "at the same human label the judge prefers its own answer more often than the other"


def test_a_judge_that_prefers_the_longer_answer():
    assert probe(of_pairs("prefers_the_longer"), "verbosity").conclusion == "biased"


def test_a_judge_that_asks_in_both_orders_is_probed_call_by_call():
    from calibrate.golden import LoadOptions

    load = LoadOptions(scale="pairwise", labels=("A", "B"))
    judged("prefers_the_first", write_pairs("pairs.csv"), load=load, both_orders=True)
    report = calibrate.bias(1, ask=True)
    assert probe(report, "position").conclusion == "biased"
    assert report.run["paid_calls"] == 2 * 3 * 120  # three edits in both orders; the orders themselves are stored


def test_length_that_goes_with_quality_is_not_identifiable():
    with Path("set.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "context", "answer", "label"])
        for number in range(30):
            good = number < 21
            writer.writerow(
                [f"{'g' if good else 'b'}{number}", "Text.", "word " * (3 if good else 30 + number), int(good)]
            )
    judged("honest", "set.csv")
    found = probe(calibrate.bias(1), "verbosity")
    assert (found.conclusion, found.effect, found.low) == ("not_identifiable", None, None)


def test_what_was_asked_once_is_shown_without_asking():
    asked = of_set("flattered", ask=True)
    later = calibrate.bias(1)
    assert [each.to_json() for each in later.probes] == [each.to_json() for each in asked.probes]
    assert later.run is None
    assert calibrate.bias(1, ask=True).run["paid_calls"] == 0
    shown = calibrate.show(2)
    assert asked.sentence in shown.sentence
    assert shown.to_json()["results"] == asked.to_json()["results"]
    assert shown.stored.run.status == "done"


def test_a_judge_that_has_changed_is_not_asked():
    Path("house_bias.py").write_text("def judge(item):\n    return 1\n")
    calibrate.baseline(write_set("set.csv", 20), "py:house_bias:judge")
    Path("house_bias.py").write_text("def judge(item):\n    return 0\n")
    with pytest.raises(InputError, match="is not what it was when run 1 judged"):
        calibrate.bias(1, ask=True)
    assert calibrate.bias(1).run is None


@pytest.mark.slow
def test_simulated_judges_are_deterministic_and_their_prompt_is_edited_too(tmp_path):
    calibrate.baseline("support_faithfulness", "sim:reader")
    paraphrase = tmp_path / "other_words.txt"
    paraphrase.write_text("Say whether the context supports what the answer claims.")
    report = calibrate.bias(1, ask=True, paraphrases=(paraphrase,))
    assert {"prompt layout", "paraphrase other_words.txt"} <= {each.name for each in report.probes}
    assert report.simulated
    assert not any("noise is not known" in each.reason for each in report.probes)


@pytest.mark.slow
def test_ordinal_scales_say_what_accepting_is():
    calibrate.baseline("email_quality", "sim:reader")
    without = calibrate.bias(1)
    assert probe(without, "leniency").reason.endswith("such as --accept 4,5")
    accepted = calibrate.bias(1, accept=["4", "5"])
    assert probe(accepted, "leniency").effect is not None
    asked = calibrate.bias(1, ask=True)
    assert set(probe(asked, "white space").figures["moves"]) == {"upwards", "downwards"}
    with pytest.raises(InputError, match="name some of the labels 1, 2, 3, 4, 5"):
        calibrate.bias(1, accept=["good"])


def golden(answer, language="en", **inputs):
    item = Item("1", "quality", inputs or {"question": "Why?", "answer": answer}, label="A" if inputs else "1")
    scale = Scale("pairwise", ("A", "B", "tie")) if inputs else Scale("binary", ("0", "1"), "1")
    return GoldenSet("set", (item,), {"quality": scale}, language=language)


@pytest.mark.parametrize(
    ("edit", "language", "expected"),
    [
        ("white space", "en", "\nIt costs 3.50 euros.  Pay Mr. Li.\n\n"),
        ("polite opener", "en", "Thank you for your question. It costs 3.50 euros. Pay Mr. Li."),
        ("polite opener", "es", "Gracias por su pregunta. It costs 3.50 euros. Pay Mr. Li."),
        ("restatement", "en", "It costs 3.50 euros. Pay Mr. Li. It costs 3.50 euros."),
    ],
)
def test_edits_of_an_answer(edit, language, expected):
    (item,) = edited(golden("It costs 3.50 euros. Pay Mr. Li.", language), edit, ("answer",)).items
    text = item.inputs["answer"]
    assert text == expected or (edit == "white space" and text.split() == expected.split())
    assert item.inputs["question"] == "Why?"


@pytest.mark.parametrize("edit", ["white space", "polite opener", "restatement"])
def test_an_empty_answer_stays_empty(edit):
    (item,) = edited(golden(""), edit, ("answer",)).items
    assert item.inputs["answer"] == ""


def test_the_layout_of_a_prompt_changes_and_its_words_do_not():
    plain = new_layout(Prompt.parse("Judge {{answer}}.\n\nBe fair.", ["answer"]), ["answer"], "en")
    assert plain.text == "## Task\n\n\nJudge {{answer}}.\n\n\nBe fair."
    assert plain.placeholders == ("answer",)
    headed = new_layout(Prompt.parse("# Judge\n\nBe fair.", []), [], "es")
    assert headed.text == "## Judge\n\n\nBe fair."


def test_swapping_a_pair_swaps_its_label():
    (item,) = swapped(golden("", answer_a="one", answer_b="two")).items
    assert (item.inputs, item.label) == ({"answer_a": "two", "answer_b": "one"}, "B")


def test_items_of_one_document_count_as_fewer():
    from calibrate.golden import LoadOptions

    write_set("set.csv")
    with Path("set.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    # A document of ten items is judged as one: all right, or all wrong.
    for number, row in enumerate(rows):
        row["document"] = f"d{number // 10}"
    with Path("set.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    Path("house_documents.py").write_text(
        "def judge(item):\n    return 1 if int(item['id'][1:]) // 10 % 4 == 0 else int(item['id'][0] == 'g')\n"
    )
    calibrate.baseline("set.csv", "py:house_documents:judge")
    alone = probe(calibrate.bias(1), "leniency")
    calibrate.baseline("set.csv", "py:house_documents:judge", load=LoadOptions(group="document"))
    grouped = probe(calibrate.bias(2, ask=True), "leniency")
    assert grouped.figures["design_effect"] > 2
    assert grouped.high - grouped.low > 1.3 * (alone.high - alone.low)
    assert grouped.effect == pytest.approx(alone.effect)
