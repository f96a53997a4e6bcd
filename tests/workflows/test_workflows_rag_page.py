"""The page of a RAG evaluation: what it says, in which order, how much of it, and that data stay data."""

import json
import re
from dataclasses import replace

import pytest
from html_pages import NASTY, parse
from rag_pages import evaluate, write_shop

from calibrate.rag import comparing, fault_changes, faults
from calibrate.report import MOST_IN_MARKDOWN, SIMULATED, Traces, html_page, markdown_page
from calibrate.store import Store
from calibrate.workflows.rag_page import rag_page
from calibrate.workflows.rag_page_questions import question_sections
from calibrate.workflows.rag_words import difference_in_words


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """The report of both variants, judged by the simulated reader, and the run."""
    folder = tmp_path_factory.mktemp("shop")
    report = evaluate(write_shop(folder), folder / "runs.db", judges={None: "sim:reader"})
    with Store(str(folder / "runs.db"), create=False) as store:
        return report, store.run(report.run)


@pytest.fixture(scope="module")
def page(shop):
    return rag_page(*shop, 200)[0]


@pytest.fixture(scope="module")
def parsed(page):
    return parse(html_page(page))


def changed(shop, change):
    """The page after a change of what the run keeps."""
    report, run = shop
    facts = json.loads(json.dumps(report.facts))
    change(facts)
    return rag_page(replace(report, facts=facts), run, 200)[0]


def section(page, name):
    """The text of one section, as Markdown."""
    (found,) = [each for each in page.sections if each.name == name]
    return markdown_page(replace(page, sections=(found,))).partition("### ")[2]


def test_the_fault_comes_first_and_the_sentence_before_it(shop, page, parsed):
    names = [each.name for each in page.sections]
    assert names[:3] == ["faults", "figures", "differences"]
    assert parsed.shown.index(shop[0].sentence[:40]) < parsed.shown.index("Where the fault lies")
    assert [f"#{name}" for name in names] == [each["href"] for each in parsed.all("a")][1:]


def test_it_is_said_that_a_simulated_judge_says_nothing_about_any_llm(parsed, page):
    assert SIMULATED in parsed.shown
    assert f"> {SIMULATED}" in markdown_page(page)


def test_no_text_of_questions_answers_and_chunks_is_markup(page, parsed):
    assert "{{7*7}} {% raw %}" in parsed.shown
    assert parsed.shown.count("<script>alert(1)</script>") >= 4  # question, reference, answer and chunk
    text = markdown_page(page)
    assert "<script>" not in text
    assert "<img" not in text
    assert "@octocat" not in text
    assert NASTY.split()[0] not in text


def test_each_variant_has_its_faults_and_rules_that_could_not_be_applied_say_why(shop, page):
    said = section(page, "faults")
    for variant in shop[0].variants:
        for fault in variant["faults"]:
            assert fault["sentence"][:20].split("@")[0] in said
    silent = [rule for each in (*shop[0].variants, *shop[0].facts["between"]) for rule in each["silent"]]
    assert silent  # three questions cannot feed every rule
    assert f"{len(silent)} rules could not be applied, as figures are missing." in said


def test_warnings_stand_before_every_fault(shop):
    def warn(facts):
        facts["between"][0]["warnings"] = [{"sentence": "faithfulness rises, but fewer answers are right"}]

    said = section(changed(shop, warn), "faults").splitlines()
    assert said[2] == "Beware, from new to old: faithfulness rises, but fewer answers are right."


def test_where_no_rule_finds_a_fault_it_is_said_with_the_rules_that_could_not_be_applied(shop):
    def mend(facts):
        facts["variants"][0].update(faults=[], silent=[])
        facts["variants"][1].update(faults=[])

    said = section(changed(shop, mend), "faults")
    assert "**new**\n\nNo rule finds a fault in it.\n" in said
    assert re.search(r"\*\*old\*\*\n\nNo rule finds a fault in it; \d rules? could not be applied\.", said)


def test_figures_have_interval_questions_and_what_is_left_out_for_each_variant(page):
    rows = {line.split(" | ")[0].lstrip("| "): line for line in section(page, "figures").splitlines()}
    assert rows["context recall"] == (
        "| context recall | 1.000 (0.34 to 1.00) | 0.000 (0.00 to 0.66) | 2 | no answer in the corpus: 1 |"
    )
    assert "| 2, 3 | abstained: 1, 0 |" in rows["citations valid"]
    assert rows["seconds an answer"].endswith("| 0.50 | – (not in the outputs) | 3, 0 | not in the outputs: 0, 3 |")
    assert "correctness: sim:reader, never calibrated on such data |" in rows["correctness"]


def test_noise_is_marked_in_words(shop, page):
    noise = [each for each in shop[0].comparisons if each["conclusion"] == "noise"]
    assert noise
    assert section(page, "differences").count("noise: nothing is left without its two strongest questions") == len(
        noise
    )

    def flip(facts):
        for each in facts["comparisons"]:
            each.update(conclusion="noise", difference=0.05, noise_floor=0.1)

    said = section(changed(shop, flip), "differences")
    assert "noise: its judge's own flips explain up to 0.10" in said
    assert "two strongest questions |" not in said


def test_a_p_that_three_digits_cannot_show_is_not_zero(shop):
    def tell(facts):
        facts["comparisons"][0].update(p=0.0, p_holm=0.00099)

    row = section(changed(shop, tell), "differences").splitlines()
    assert sum(line.count("| &lt; 0.001 | &lt; 0.001 |") for line in row) == 1
    assert not any("| 0.000 | " in line and "0.001" in line for line in row)


def test_quality_stands_against_each_amount_that_outputs_tell(shop, page, parsed):
    assert not parsed.charts  # one variant alone tells its time: there is nothing to compare
    said = section(page, "cost")
    assert "| new | A | 0.50 |" in said
    assert "No chart against seconds an answer: only the outputs of new tell it, and a chart compares variants." in said
    assert "Unknown, as the outputs do not tell: US dollars an answer, tokens an answer." in said

    def time(facts):
        (latency,) = [each for each in facts["variants"][1]["figures"] if each["name"] == "latency"]
        latency.update(value=2.5, low=2.0, high=3.0, n=3, left_out={})

    charts = parse(html_page(changed(shop, time))).charts
    assert list(charts) == ["latency"]
    spots = {
        (trace["text"][at], round(trace["y"][at], 3)): trace["x"][at]
        for trace in charts["latency"]["figure"]["data"]
        for at in range(len(trace["x"]))
    }
    recall = {"<b>A</b>": 1.0, "<b>B</b>": 0.0}
    for letter, amount in (("<b>A</b>", 0.5), ("<b>B</b>", 2.5)):
        assert spots[letter, recall[letter]] == pytest.approx(amount, abs=0.1)


def test_every_judge_tells_its_own_alignment_or_that_there_is_none(shop, page):
    said = section(page, "judges")
    for each in shop[0].facts["judges"]:
        assert (
            f"| {each['role'].replace('_', ' ')} | {each['judge']} | never | not measured | {each['verdicts']} |"
            in said
        )
        assert each["record"]["prompt"][:12] in said
    assert said.count("was never calibrated on such data") == len(shop[0].facts["judges"])
    assert "No verdict is missing." in said

    def known(facts):
        facts["judges"][0].update(
            measured=True, alignment=0.81, low=0.7, high=0.9, n=60, golden_set="ours", source="run 3:2", flip_rate=0.02
        )
        facts["judges"][1].update(unscored={"truncated": 2})

    said = section(changed(shop, known), "judges")
    assert "| 0.81 (0.70 to 0.90) | 60 | ours, run 3:2 | 2.0% |" in said
    assert "| truncated 2 |" in said
    assert "Without a verdict: answer\\_relevancy 2 of" in said


def test_without_judges_it_says_that_nobody_was_asked(tmp_path):
    report = evaluate(write_shop(tmp_path), tmp_path / "runs.db")
    with Store(str(tmp_path / "runs.db"), create=False) as store:
        page, _ = rag_page(report, store.run(report.run), 200)
    assert "No judge was asked: what needs a model was not measured." in section(page, "judges")
    assert not page.simulated
    assert "Answers, as judges see them" not in parse(html_page(page)).shown


def test_a_question_whose_outcome_changed_has_both_traces(page, parsed):
    (changes,) = [each for each in page.sections if each.name == "changes"]
    (traces,) = changes.blocks
    assert isinstance(traces, Traces)
    question = next(each for each in traces.each if each.id == "q2")
    assert question.direction == "worse"  # from the new one to the old one
    assert "context recall 1.00 to 0.00" in question.moves
    new, old = question.traces
    assert (new.name, old.name) == ("new", "old")
    parts = {part.name: part for part in old.parts}
    assert parts["answer"].lines[0].text == "Five years [c3]. See [c99]."
    assert [(line.mark, line.note) for line in parts["citations"].lines] == [
        ("[c3]", "exists, and was not in the context"),
        ("[c99]", "the corpus has no such chunk"),
    ]
    assert [(line.mark, line.note) for line in parts["relevant chunks, of 2 chunks retrieved"].lines] == [
        ("c3", "not retrieved, not in the context")
    ]
    assert parts["context"].folded
    assert [(line.mark, line.text) for line in parts["context"].lines] == [
        ("c1", "Returns are free within thirty days.")
    ]
    claims = {line.text: line.note for part in new.parts if part.name.startswith("claims") for line in part.lines}
    assert claims["The warranty lasts three years."].startswith(
        "supported: “The warranty lasts three years.” (found in the context word by word)"
    )
    unanswerable = next(each for each in traces.each if each.id == "n1")
    assert "nothing in the corpus answers it: the system must abstain" in parsed.shown
    assert {part.lines[0].note for trace in unanswerable.traces for part in trace.parts[:1]} == {"abstains", ""}


def test_a_question_that_goes_wrong_is_listed_with_what_is_wrong_and_its_trace(page, parsed):
    (failures,) = [each for each in page.sections if each.name == "failures"]
    _, new, old = failures.blocks
    assert (new.caption, new.each) == ("new: no verdict says that any of 3 questions goes wrong.", ())
    assert old.caption.startswith("old: 3 of 3 questions go wrong: invented answer 1, ")
    invented = old.each[0]
    assert (invented.id, invented.direction) == ("n1", "invented answer")
    answer = "Yes, we open on Sundays [c1]."
    assert invented.moves[0] == f"nothing in the corpus answers it, and it answered: “{answer}”"
    (trace,) = invented.traces
    assert trace.parts[0].lines[0].text == answer
    words = {each.id: each.moves for each in old.each}
    assert "c3 is not among the 2 retrieved chunks" in words["q2"]
    assert "cites [c99], which the corpus does not have" in words["q2"]
    assert "c1 is at rank 2 and not in the context" in words["q1"]
    assert words["q1"][0] in parsed.shown


def test_one_variant_alone_shows_what_goes_wrong(tmp_path):
    shop = write_shop(tmp_path)
    report = evaluate(shop, tmp_path / "runs.db", variants=(f"only={shop / 'variants' / 'old.jsonl'}",))
    (failures, _, left_out), fewer = question_sections(report.facts, 1, 200), question_sections(report.facts, 1, 1)
    assert [each.id for each in failures.blocks[1].each] == ["n1", "q2", "q1"]
    assert left_out == 0
    (shown,) = fewer[0].blocks[1:]
    assert (len(shown.each), shown.left_out, shown.why) == (1, 2, "--max-items 1; calibrate show 1 --json has all")


def test_what_rounds_to_zero_has_no_sign():
    test = {"name": "recall@5", "difference": -0.25, "low": -0.5, "high": -0.0001}
    assert difference_in_words(test) == ("-0.250", "-0.50 to 0.00")
    assert difference_in_words({**test, "difference": 0.0, "low": 0.0, "high": 0.011}) == ("0.000", "0.00 to +0.01")


def test_a_claim_says_when_its_quote_was_not_found_and_what_was_not_verified(shop):
    def claims(facts):
        trace = facts["traces"]["old"]["q2"]
        common = {"quote_found": False, "reasoning": ""}
        trace["claims"] = [
            {"text": "One.", "kind": "factual", "label": "not_mentioned", "quote": "made up", **common},
            {"text": "Two.", "kind": "conditional", "label": None, "quote": "", **common},
            {"text": "Three.", "kind": "factual", "label": None, "quote": "", **common},
        ]

    shown = parse(html_page(changed(shop, claims))).shown
    assert "One. not mentioned: “made up” (not found in the context)" in shown
    assert "Two. conditional: not verifiable, in no figure" in shown
    assert "Three. no verdict" in shown


def test_a_question_without_an_output_has_no_trace(shop):
    def lose(facts):
        del facts["traces"]["old"]["q2"]

    assert "no output for this question" in parse(html_page(changed(shop, lose))).shown


@pytest.mark.parametrize(("most", "left_out"), [(0, 3), (2, 1), (3, 0), (200, 0)])
def test_no_more_questions_are_shown_than_was_asked_for(shop, most, left_out):
    _, found, rest = question_sections(shop[0].facts, 7, most)
    (traces,) = found.blocks
    assert (len(traces.each), traces.left_out, rest) == (3 - left_out, left_out, left_out)
    assert traces.why == (f"--max-items {most}; calibrate show 7 --json has all" if left_out else "")


def test_pairs_of_variants_share_the_room(shop):
    facts = {**shop[0].facts, "changes": [*shop[0].facts["changes"], *shop[0].facts["changes"]]}
    _, found, rest = question_sections(facts, 7, 3)
    assert [len(each.each) for each in found.blocks] == [2, 1]
    assert rest == 3
    assert len({each.name for each in found.blocks}) == 2


def test_a_page_that_would_grow_too_large_leaves_questions_out_and_says_so(shop):
    facts = json.loads(json.dumps(shop[0].facts))
    ids = [f"q{number}" for number in range(400)]
    facts["questions"] = {each: {"text": "Why? " * 50, "relevant": [], "reference": ""} for each in ids}
    one = facts["changes"][0]["questions"][0]
    facts["changes"][0]["questions"] = [{**one, "question": name} for name in ids]
    for each in facts["variants"]:
        each["failures"] = [{"question": name, "codes": ["wrong"], "told": ["wrong"]} for name in ids]
    for name in facts["traces"]:
        trace = {**facts["traces"][name]["q1"], "answer": "<b>" * 20_000}
        facts["traces"][name] = dict.fromkeys(ids, trace)
    report, run = shop
    page, left_out = rag_page(replace(report, facts=facts), run, 1000)
    text = html_page(page)
    parse(text)  # which is smaller than 6 MB
    assert 0 < left_out < 400
    assert f"{left_out} more are left out: the page would grow too large" in parse(text).shown
    shown = [each.each for part in page.sections[-5:] for each in part.blocks if isinstance(each, Traces)]
    assert len(shown) == 3
    assert all(shown)  # what goes wrong in each variant, and what changed
    assert "… (and 54,000 more characters)" in parse(text).shown


def test_markdown_lists_few_and_says_where_the_others_are(shop):
    facts = json.loads(json.dumps(shop[0].facts))
    ids = [f"q{number}" for number in range(MOST_IN_MARKDOWN + 5)]
    facts["questions"] = {each: {"text": "Why?", "relevant": [], "reference": ""} for each in ids}
    one = facts["changes"][0]["questions"][0]
    facts["changes"][0]["questions"] = [{**one, "question": name} for name in ids]
    for each in facts["variants"]:
        each["failures"] = []
    for name in facts["traces"]:
        facts["traces"][name] = dict.fromkeys(ids, facts["traces"][name]["q2"])
    report, run = shop
    page, left_out = rag_page(replace(report, facts=facts), run, 200, markdown=True)
    assert left_out == 5
    text = markdown_page(page)
    assert text.count(": Why? — ") == MOST_IN_MARKDOWN
    assert "- and 5 more: Markdown lists 20; the HTML page has the traces in full" in text


def test_one_variant_has_no_differences_and_says_why_nothing_changed(tmp_path):
    shop = write_shop(tmp_path)
    report = evaluate(shop, tmp_path / "runs.db", variants=(f"only={shop / 'variants' / 'old.jsonl'}",))
    with Store(str(tmp_path / "runs.db"), create=False) as store:
        page, left_out = rag_page(report, store.run(report.run), 200)
    assert "differences" not in {each.name for each in page.sections}
    assert "One variant has nothing to be compared with" in section(page, "changes")
    assert left_out == 0
    parse(html_page(page))


def test_each_reading_rule_has_its_threshold(parsed):
    shown = parsed.shown.partition("How to read this")[2]
    for rule in (*faults.variant_rules((50, 5)), *fault_changes.change_rules((50, 5))):
        assert rule.sentence in shown
        for threshold in rule.thresholds.values():
            assert f"{threshold:.2f}" in rule.sentence
    assert f"p of its own test is below {comparing.LEVEL}" in shown
    assert "answers lose 10% of their words" in shown


def test_the_words_of_what_was_measured_are_explained_and_no_others(page, tmp_path):
    said = section(page, "reading")
    for word in ("factual claim", "conditional claim", "normative claim", "figures and differences", "lexical"):
        assert word in said
    shop = write_shop(tmp_path)
    report = evaluate(shop, tmp_path / "runs.db", variants=(f"only={shop / 'variants' / 'old.jsonl'}",))
    with Store(str(tmp_path / "runs.db"), create=False) as store:
        alone = section(rag_page(report, store.run(report.run), 200)[0], "reading")
    assert "claim**" not in alone
    assert "lexical" not in alone


def test_costs_of_judges_that_come_to_more_than_was_paid_are_explained(page):
    assert "a reply that serves several of them, or was stored before, counts in each and is paid once" in (
        section(page, "judges")
    )


def test_what_so_many_questions_can_show_is_said(page):
    said = section(page, "resolution")
    assert "2 answerable questions: a share is known to about ±0." in said
    assert "no difference of two variants can be found." in said


def test_what_is_amiss_with_the_run_stands_at_the_top(shop):
    report, run = shop
    judges = [{**each, "unscored": {"invalid": 4}} for each in report.facts["judges"]]
    bank = {**report.facts["bank"], "unreviewed": 2}
    bad = replace(report, status="too_many_unscored", facts={**report.facts, "judges": judges, "bank": bank})
    notes = rag_page(bad, replace(run, status="interrupted"), 200)[0].notes
    assert notes[0] == "The run is interrupted: the figures are those that it had found before."
    assert notes[1].startswith("Too many verdicts are missing (claims 4 of ")
    assert notes[2] == "2 questions nobody has reviewed."


def test_where_files_lie_on_a_disk_is_not_sent_around(parsed, tmp_path_factory):
    assert "old.jsonl, 3 outputs, digest " in parsed.shown
    assert str(tmp_path_factory.getbasetemp()) not in parsed.shown
