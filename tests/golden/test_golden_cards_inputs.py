"""A card says, dimension by dimension, what a judge sees."""

from __future__ import annotations

from pathlib import Path

from calibrate.golden import load_golden


def test_a_dimension_sees_only_the_inputs_it_lists(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "card.toml").write_text(
        'scale = "binary"\nlabels = ["0", "1"]\npositive = "1"\n'
        '[dimensions.faithfulness]\ninputs = ["question", "context", "answer"]\n'
        '[dimensions.accuracy]\ninputs = ["question", "reference", "answer"]\n'
        "[dimensions.tone]\n"
    )
    header = "id,dimension,question,context,reference,answer,label\n"
    rows = "".join(f"{d[0]}{n},{d},q,c,r,a{n},{n}\n" for d in ("faithfulness", "accuracy", "tone") for n in (0, 1))
    (folder / "items.csv").write_text(header + rows)

    golden = load_golden(folder).golden

    seen = {item.dimension: set(item.inputs) for item in golden.items}
    assert seen == {
        "faithfulness": {"question", "context", "answer"},
        "accuracy": {"question", "reference", "answer"},
        "tone": {"question", "context", "reference", "answer"},
    }


def test_the_shipped_spanish_set_hides_the_reference_from_the_faithfulness_judge() -> None:
    golden = load_golden("atencion_es").golden
    assert all("reference" not in item.inputs for item in golden.only("faithfulness").items)
    assert all("context" not in item.inputs for item in golden.only("accuracy").items)
