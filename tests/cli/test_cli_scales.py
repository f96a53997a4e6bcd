"""The whole way, on every scale: check, baseline, optimize, show, diff, disagreements, merge, export."""

import json
import re
from pathlib import Path

import pytest
from loopback import Reply
from program import FIVE_STRATEGIES, PROMPT

DECLARED = {
    "binary": ("--labels", "bad,good", "--positive", "good"),
    "nominal": ("--scale", "nominal", "--labels", "praise,complaint,question"),
    "ordinal": ("--scale", "ordinal", "--labels", "1,2,3,4,5"),
    "pairwise": ("--scale", "pairwise", "--labels", "A,B,tie"),
    "interval": ("--scale", "interval", "--threshold", "0.5", "--low", "0", "--high", "1"),
}
LABELS = {
    "binary": ["good", "bad"],
    "nominal": ["praise", "complaint", "question"],
    "ordinal": ["1", "2", "3", "4", "5"],
    "pairwise": ["A", "B", "tie"],
    "interval": ["0.1", "0.6", "0.35", "0.9"],
}
ITEMS = 24
STRATEGIES = tuple(word for name in FIVE_STRATEGIES for word in ("--strategy", name))


def gold(kind, number):
    return LABELS[kind][number % len(LABELS[kind])]


def reply(kind, prompt, number):
    """Wrong on every other item until the prompt speaks of the ledger; one item is never judged."""
    if number == 5:
        return "I would rather not say."
    label = gold(kind, number if "ledger" in prompt or number % 2 else number + 1)
    value = float(label) if kind == "interval" else label
    return json.dumps({"reasoning": f"item {number}", "label": value})


@pytest.mark.slow
@pytest.mark.parametrize("kind", DECLARED)
def test_the_whole_way(program, server, kind):
    declared = DECLARED[kind]
    names = ["answer_a", "answer_b"] if kind == "pairwise" else ["answer"]
    lines = [",".join(["id", "question", *names, "label"])]
    lines += [
        ",".join([f"i{n}", f"Item number {n}?", *(f"{name} of item {n}" for name in names), gold(kind, n)])
        for n in range(ITEMS)
    ]
    Path("set.csv").write_text("\n".join(lines))
    Path("prompt.txt").write_text(PROMPT)

    def answer(call):
        if '<request analysis="patterns">' in call.user:
            numbers = ", ".join(re.findall(r'<error number="(\d+)"', call.user))
            return Reply(f'<patterns><pattern name="next" errors="{numbers}">One too far.</pattern></patterns>')
        if "<request strategy=" in call.user:
            return Reply(f"<prompt>{PROMPT} Mind the ledger.</prompt>")
        return Reply(reply(kind, call.system, int(re.search(r"Item number (\d+)", call.user)[1])))

    server._replies = answer
    asked = ("set.csv", *declared, "--judge", "openai:gpt-4.1", "--prompt", "prompt.txt")
    assert program("golden", "check", "set.csv", *declared, "--json").json["dimensions"][0]["scale"]["kind"] == kind
    (entry,) = program("baseline", *asked, "--json").json["results"]
    assert (entry["scale"], entry["n"], entry["scored"]) == (kind, ITEMS, ITEMS - 1)
    assert entry["unscored"]["invalid"] == 1
    search = ("optimize", *asked, "--optimizer", "openai:gpt-4.1", "--iterations", 1, *STRATEGIES)
    document = program(*search, "--json").json
    before, after = document["results"]
    # What is shown leaves the silent item out, what ranks counts it as wrong.
    assert before["alignment"]["value"] < after["alignment"]["value"] == pytest.approx(1.0)
    assert any('pattern="next"' in call.user for call in server.calls if "<request strategy=" in call.user)
    scores = [each["score"] for each in document["calibrations"][0]["candidates"] if each["score"] is not None]
    assert scores[0] < scores[1] < 1.0
    assert after["alignment"]["components"] == (5 if kind in ("nominal", "pairwise") else 7)
    for command in (("show", "2"), ("show", "2:0"), ("diff", "2:0", "2"), ("runs",), search):
        assert program(*command).out
    assert len(program("diff", "2:0", "2", "--json").json["changed"]) == ITEMS // 2
    program("disagreements", "2:0", "-o", "review.jsonl")
    rows = [json.loads(line) for line in Path("review.jsonl").read_text().splitlines()]
    silent = next(row for row in rows if row["id"] == "i5")
    assert silent["judge_label"] == "(invalid)"
    # The experts give in on the first one.
    first = next(row for row in rows if row is not silent)
    for row in rows:
        row["label_new"] = row["judge_label"] if row is first else ""
    Path("review.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    merged = program("golden", "merge", "set.csv", "review.jsonl", *declared, "--json").json
    assert merged["labels"] == [{"id": first["id"], "old": first["label"], "new": first["judge_label"]}]
    for to in ("text", "json", "python"):
        assert program("export", 2, "--to", to).out


def test_a_set_that_comes_with_a_card_needs_no_options(program, server):
    server._replies = lambda call: Reply(
        json.dumps({"reasoning": "", "label": call.schema["properties"]["label"]["enum"][0]})
    )
    for name in ("email_quality", "atencion_es"):
        document = program("baseline", name, "--judge", "openai:gpt-4.1", "--json").json
        assert document["results"]
        assert all(each["scored"] == each["n"] for each in document["results"])
