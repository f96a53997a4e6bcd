"""What is said of a search: what it ranks by, what it has missed, ties, and how it was set up."""

from __future__ import annotations

from program import PROMPT

COMMON = ("optimize", "pages.csv", "--judge", "openai:gpt-4.1-mini", "--optimizer", "openai:gpt-4.1")
SHORT = (*COMMON, "--prompt", "prompt.txt", "--noise-repeats", 0, "--iterations", 1)


def test_a_missed_constraint_comes_first_and_is_not_acceptable(program, pages, server):
    ranked = ("--objective", "recall:0", "--subject-to", "precision>=0.999 and recall:0>=0.999")
    outcome = program(*SHORT, *ranked)
    assert outcome.out.startswith("No prompt met precision>=0.999 and recall:0>=0.999: the best one misses it by ")
    assert "Acceptable (0.70): no." in outcome.out
    assert "no prompt met the constraint" in program("explain", 1).out.splitlines()[0]
    program(*SHORT, *ranked, "--require", code=1)


def test_the_table_names_what_it_ranks_by(program, pages, server):
    plain = program(*SHORT).out
    ranked = program(*SHORT, "--objective", "0.5*alignment + 0.5*recall:0").out
    heading = next(line for line in ranked.splitlines() if line.startswith("#"))
    assert "alignment" in next(line for line in plain.splitlines() if line.startswith("#"))
    assert "score" in heading
    assert "alignment" not in heading


def test_a_search_is_told_in_the_record_and_in_the_list(program, pages, server):
    program(*SHORT, "--policy", "beam", "--prune", "--width", 3)
    record = next(line for line in program("show", 1).out.splitlines() if line.startswith("  search: "))
    for part in ("ranked by alignment", "policy beam", "3 rewrites an iteration", "at most 1 iteration", "prune"):
        assert part in record
    assert "optimize (beam, prune)" in program("runs").out


def test_a_merge_alone_is_refused_before_anything_is_paid(program, pages, server):
    outcome = program(*SHORT, "--strategy", "merge", code=2)
    assert "'merge' needs a second prompt to unite with; add another --strategy" in outcome.err
    assert server.calls == []


def test_the_simulated_reader_is_no_meta_llm(program, pages, server):
    outcome = program("optimize", "pages.csv", "--judge", "sim:reader", "--optimizer", "sim:reader", code=2)
    assert "sim:reader judges and cannot rewrite a prompt; use sim:writer" in outcome.err


def test_a_refusal_names_its_option(program, pages, server):
    refused = program(*SHORT, "--race", "--subject-to", "precision>=0.5", code=2)
    assert refused.err.rstrip().endswith("leave --race out")
    assert "a weight is written 0.7*alignment" in program(*SHORT, "--objective", "0.7alignment", code=2).err


def test_a_winner_stays_a_winner_when_it_is_measured_again(program, pages, server, tmp_path):
    """Else one more baseline on the same items would take away that it was chosen on them."""
    program(*SHORT)
    prompt = program("export", 1).out
    assert prompt.strip() != PROMPT
    (tmp_path / "winner.txt").write_text(prompt)
    outcome = program(
        "baseline", "pages.csv", "--judge", "openai:gpt-4.1-mini", "--prompt", str(tmp_path / "winner.txt")
    )
    assert "was calibrated on" in outcome.out
    assert "on the items that run searched on" in outcome.out


def test_going_on_is_said_with_what_was_paid(program, pages, server):
    """The baseline costs more than a third of a cent: the budget ends in the first iteration."""
    program(*SHORT, "--budget", 0.006, code=3)
    outcome = program(*SHORT)
    assert "calibration 1 goes on: 1 prompt so far, paid $0.00" in outcome.err
    assert "goes on" not in program(*SHORT).err
