"""Runs one of DSPy's optimizers against the API whose URL it is given; needs dspy, gepa and optuna, and nothing else.

``optimizer_peers_driver.py gepa|mipro URL``, with the baseline, the items and the budget as JSON on the standard input.
"""

from __future__ import annotations

import json
import sys

import dspy

THREADS = 4
MINIBATCH, FULL_EVERY = 35, 5  # MIPROv2's own defaults


def main() -> None:
    """Optimize, and print the instructions that are handed over."""
    what, url = sys.argv[1:]
    given = json.load(sys.stdin)
    judge, writer = (
        dspy.LM(f"openai/{name}", api_base=url, api_key="none", cache=False, temperature=temperature, max_tokens=4000)
        for name, temperature in (("judge", 0.0), ("writer", 1.0))
    )
    dspy.configure(lm=judge)
    signature = dspy.Signature("question, context, answer -> label", given["baseline"])
    examples = [
        dspy.Example(**each["inputs"], label=each["label"], note=each["note"]).with_inputs(*each["inputs"])
        for each in given["items"]
    ]
    optimize = {"gepa": gepa, "mipro": mipro}[what]
    found = optimize(dspy.Predict(signature), examples, judge, writer, given["budget"], given["seed"])
    print(json.dumps({"instructions": found.signature.instructions, "examples": len(found.demos)}))


def gepa(program, examples, judge, writer, budget, seed):  # noqa: ARG001 — all are called alike
    """Run GEPA as it comes, on all items, with the expert's label and note as feedback."""

    def metric(gold, said, trace=None, pred_name=None, pred_trace=None):  # noqa: ARG001 — GEPA's
        right = float(gold.label == said.label.strip())
        note = f" Expert's note: {gold.note}" if gold.note else ""
        text = f"The expert's label is {gold.label}; the judge said {said.label}.{note}"
        return right if pred_name is None else dspy.Prediction(score=right, feedback=text)

    made = dspy.GEPA(metric=metric, max_metric_calls=budget, reflection_lm=writer, seed=seed, num_threads=THREADS)
    return made.compile(program, trainset=examples, valset=examples)


def mipro(program, examples, judge, writer, budget, seed):
    """Run MIPROv2 with as many trials as the budget holds, and by its own rule two candidates for three trials."""
    trials = int((budget - len(examples)) / (MINIBATCH + len(examples) / FULL_EVERY))
    made = dspy.MIPROv2(
        metric=lambda gold, said, trace=None: gold.label == said.label.strip(),  # noqa: ARG005 — MIPROv2's
        prompt_model=writer,
        task_model=judge,
        auto=None,
        num_candidates=max(2, int(trials / 1.5)),
        num_threads=THREADS,
        seed=seed,
    )
    return made.compile(
        program,
        trainset=examples,
        valset=examples,
        num_trials=trials,
        minibatch_size=MINIBATCH,
        minibatch_full_eval_steps=FULL_EVERY,
    )


if __name__ == "__main__":
    main()
