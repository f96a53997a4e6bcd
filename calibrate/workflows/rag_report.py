"""The result of a RAG evaluation: one document that the terminal, the page and ``--json`` show alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibrate.domain import Json
from calibrate.workflows.results import document

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RagReport"]

_MOST_NAMES = 5
_LONGEST = 300  # characters of its sentence, where it stands for itself


@dataclass(frozen=True, slots=True)
class RagReport:
    """A RAG evaluation.

    Attributes:
        sentence: what a manager can quote.
        status: ``ok``; else results are kept, and the exit code is 1: ``too_many_unscored`` (verdicts of a judge),
            ``too_many_missing`` (outputs of a variant) or ``no_claims`` (the splitter finds none in any answer).
        run: its number in the run database.
        facts: everything else, as JSON, as the run keeps it: ``bank``, ``corpus``, ``variants`` (each with ``figures``,
            ``latency``, ``tokens``, ``cost``, ``faults``, ``failures``, ``notes``), ``comparisons``, ``changes``,
            ``between`` (faults and warnings of each pair), ``judges``, ``resolution``, ``questions``, ``traces`` (by
            variant and question), ``chunks`` (their texts).
        notes: what was mapped, left out or should be known.
        spent: what the judges were paid; None when nobody was asked.
        spent_in_words: the same.
        simulated: whether a simulated model had a part in it.
    """

    sentence: str
    status: str
    run: int
    facts: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    spent: Mapping[str, Json] | None = None
    spent_in_words: str = ""
    simulated: bool = False

    def __repr__(self) -> str:
        """Return what it is in a line; everything is in ``facts``, which is long."""
        names = [str(each["name"]) for each in self.variants]
        more = f", and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        said = self.sentence if len(self.sentence) <= _LONGEST else f"{self.sentence[: _LONGEST - 1]}…"
        listed = f"{', '.join(names[:_MOST_NAMES])}{more}"
        return f"<RagReport of run {self.run} ({self.status}), variants {listed}: {said}>"

    @property
    def variants(self) -> Sequence[Mapping[str, Any]]:
        """The variants, each with its figures."""
        found: Sequence[Mapping[str, Any]] = self.facts["variants"]
        return found

    @property
    def comparisons(self) -> Sequence[Mapping[str, Any]]:
        """Every figure of every two variants, tested."""
        found: Sequence[Mapping[str, Any]] = self.facts["comparisons"]
        return found

    def stored(self) -> dict[str, Json]:
        """Return what the run keeps."""
        return {
            "sentence": self.sentence,
            "status": self.status,
            "facts": dict(self.facts),
            "notes": list(self.notes),
            "simulated": self.simulated,
            "evaluations": list(self.facts.get("evaluations", ())),
        }

    @classmethod
    def of_run(
        cls, run: int, result: Mapping[str, Any], spent: Mapping[str, Json] | None, spent_in_words: str
    ) -> RagReport:
        """Read back what a finished run keeps."""
        return cls(
            result["sentence"],
            result["status"],
            run,
            result["facts"],
            tuple(result["notes"]),
            spent,
            spent_in_words,
            bool(result["simulated"]),
        )

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        parts: dict[str, Json] = {name: value for name, value in self.facts.items() if name != "variants"}
        return document(
            self.status,
            run=self.run,
            sentence=self.sentence,
            simulated=self.simulated,
            notes=list(self.notes),
            results=list(self.variants),
            spent=None if self.spent is None else dict(self.spent),
            **parts,
        )

    def frame(self) -> pd.DataFrame:
        """Return one row for each variant and figure."""
        import pandas as pd

        columns = ("name", "value", "low", "high", "n", "judge")
        rows = [
            {"variant": variant["name"], **{name: figure[name] for name in columns}}
            for variant in self.variants
            for figure in variant["figures"]
        ]
        return pd.DataFrame(rows).rename(columns={"name": "figure"})
