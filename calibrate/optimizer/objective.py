"""What a search maximises: alignment, one figure, a weighted mean of figures, or figures under a constraint.

::

    alignment                                the default (STATISTICS section 1)
    recall:unfaithful                        one figure; a label follows recall or precision
    0.7*alignment + 0.3*recall:unfaithful    a weighted mean
    recall:unfaithful subject to precision:unfaithful>=0.8 and accuracy>=0.7
    pareto                                   alignment, and the front of alignment against cost per verdict

Unscored verdicts count as disagreements (STATISTICS section 2, ``wrong``). Precision with nothing predicted is 0, and
anything else that is undefined enters as 0, as r of a constant judge does; alignment on one-class gold is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from calibrate.domain import Scale, Verdict
from calibrate.domain.scales import match_label
from calibrate.errors import InputError

__all__ = ["Bound", "Figure", "FigureName", "Objective", "Term"]

FigureName: TypeAlias = Literal[
    "alignment", "accuracy", "precision", "recall", "f1", "cohen_kappa", "pearson", "spearman"
]

_OF_A_LABEL = ("precision", "recall")
_SIGNED = ("alignment", "cohen_kappa", "pearson", "spearman")
_SIDES = ("bad", "good")  # the classes of an interval scale, in the order of its table
_SUBJECT_TO = " subject to "


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a judge.

    Attributes:
        name: alignment or one of its parts, as the scale defines them.
        label: precision and recall of this label (``good`` or ``bad`` on an interval scale); None for the scale's own:
            of the positive label, or the mean over labels.
    """

    name: FigureName
    label: str | None = None

    @property
    def text(self) -> str:
        """The figure as it is written in an objective."""
        return self.name if self.label is None else f"{self.name}:{self.label}"

    @property
    def least(self) -> float:
        """The low end of its range; the high end is 1."""
        return -1.0 if self.name in _SIGNED else 0.0


@dataclass(frozen=True, slots=True)
class Term:
    """A figure with its weight in the mean, in (0, 1]; the weights of an objective sum to 1."""

    weight: float
    figure: Figure


@dataclass(frozen=True, slots=True)
class Bound:
    """A constraint: the figure must reach ``least``."""

    figure: Figure
    least: float


@dataclass(frozen=True, slots=True)
class Objective:
    """What candidates are ranked by.

    Attributes:
        terms: the figures whose weighted mean is maximised.
        bounds: what has to hold first.
        front: whether the front of alignment against cost per verdict is reported (``pareto``).
        note: what was changed in reading the weights, for a person; empty when nothing was.
    """

    terms: tuple[Term, ...] = (Term(1.0, Figure("alignment")),)
    bounds: tuple[Bound, ...] = ()
    front: bool = False
    note: str = field(default="", compare=False)

    @classmethod
    def parse(cls, text: str, constraint: str = "", *, scale: Scale) -> Objective:
        """Read an objective; weights are normalised to sum 1.

        Args:
            text: see the module; what ``Objective.text`` gives is read back as an equal objective.
            constraint: ``FIGURE>=NUMBER``, several joined by ``and``, unless ``text`` holds it after ``subject to``.
            scale: the declared scale.

        Raises:
            InputError: the text cannot be read, or names a figure or label that the scale does not have.
        """
        reader = _Reader("objective", text, scale, r"\+|subject\s+to(?!\S)")
        if reader.took(r"pareto(?![^\s])"):
            if constraint.strip() or not reader.ended():
                raise reader.error("pareto takes no weights, further figures or constraint")
            return cls(front=True)
        weights, figures, note = reader.terms()
        bounds: tuple[Bound, ...] = ()
        if reader.took(r"subject\s+to(?!\S)"):
            if constraint.strip():
                raise reader.error("state the constraint once, here or beside the objective")
            bounds = _constraint(reader.rest(), scale)
        elif not reader.ended():
            raise reader.error(f"expected + and a further figure, found '{reader.rest()}'")
        elif constraint.strip():
            bounds = _constraint(constraint, scale)
        terms = tuple(Term(weight, figure) for weight, figure in zip(weights, figures, strict=True))
        return cls(terms, bounds, note=note)

    @property
    def text(self) -> str:
        """The objective in its canonical form, which runs record."""
        if self.front:
            return "pareto"
        terms = (_weighted(term) for term in self.terms)
        bounds = " and ".join(f"{each.figure.text}>={_number(each.least)}" for each in self.bounds)
        return " + ".join(terms) + (_SUBJECT_TO + bounds if bounds else "")

    @property
    def is_alignment(self) -> bool:
        """Whether candidates are ranked by plain alignment, as they are with ``pareto`` too."""
        return self.terms == (Term(1.0, Figure("alignment")),) and not self.bounds

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Every figure it rests on."""
        return (*(term.figure for term in self.terms), *(bound.figure for bound in self.bounds))

    def in_words(self, scale: Scale) -> str:
        """Return a part of a sentence that names what is maximised, for the meta-prompt and for people."""
        parts = [(_in_words(term.figure, scale), term.weight) for term in self.terms]
        words = parts[0][0]
        if len(parts) > 1:
            words = f"the weighted mean of {_listed([f'{name} (weight {weight:.3g})' for name, weight in parts])}"
        if self.front:
            words += ", with the front of alignment against cost per verdict beside it"
        if self.bounds:
            bounds = [f"{_in_words(each.figure, scale)} >= {_number(each.least)}" for each in self.bounds]
            missed = "the constraint is" if len(bounds) == 1 else "the constraints are"
            words += f", subject to {_listed(bounds)}; negative scores tell how far {missed} missed"
        return words

    def value(self, human: Sequence[str | None], verdicts: Sequence[Verdict], scale: Scale) -> float:
        """Return what candidates are ranked by, in [-1, 1].

        Without a constraint it is the weighted mean of the figures. With one it is that mean where every bound is
        reached, and at least 0: a feasible judge that is worse than chance ranks above all that miss a bound. Else it
        is minus the largest shortfall, at most 1, hence in [-1, 0).

        Args:
            human: gold label of each row; None leaves the row out, with its verdict.
            verdicts: the judge's verdict on the same rows.
            scale: the scale that the objective was read for.

        Raises:
            InputError: alignment is needed and undefined on these items, or as
                :func:`~calibrate.metrics.alignment_value`.
        """
        from calibrate.metrics import alignment_value

        if self.is_alignment:
            return alignment_value(human, verdicts, scale)
        known: dict[Figure, float] = {}
        if any(figure.name == "alignment" for figure in self.figures):
            known[Figure("alignment")] = alignment_value(human, verdicts, scale)
        if any(figure not in known for figure in self.figures):
            measured = _measured(human, verdicts, scale)
            known |= {figure: measured(figure) for figure in self.figures if figure not in known}
        mean = sum(term.weight * known[term.figure] for term in self.terms)
        if not self.bounds:
            return mean
        from calibrate.metrics.selection import TIE

        missed = max(bound.least - known[bound.figure] for bound in self.bounds)
        return -min(missed, 1.0) if missed > TIE else max(mean, 0.0)


def _constraint(text: str, scale: Scale) -> tuple[Bound, ...]:
    return _Reader("constraint", text, scale, ">=|≥").bounds()


def _measured(human: Sequence[str | None], verdicts: Sequence[Verdict], scale: Scale) -> Callable[[Figure], float]:
    """Return a look-up of every figure but alignment."""
    import numpy as np

    from calibrate.metrics.agreement import CORRELATIONS, TOO_FEW, class_scores, components, confusion_table
    from calibrate.metrics.pairing import collapse, judged_scores, pair, policy_suite
    from calibrate.metrics.raw_scores import ScoreRows

    pairs = pair(human, verdicts, scale)
    how = policy_suite(scale, "wrong")
    labels = how.labels if scale.kind != "interval" else _SIDES
    if scale.kind != "interval":
        table = collapse(pairs.table(), scale, "wrong")
        parts = {name: float(part) for name, part in components(table, how).items()}
    else:
        used = judged_scores(pairs, "wrong") if pairs.n else pairs
        table = confusion_table(used.human, used.judge, 2) if how.labels else np.zeros((2, 2))
        rows = ScoreRows(used.human_scores, used.judge_scores, used.human, used.judge)
        parts = (
            {name: float(part[0]) for name, part in rows.figures(how, np.ones((1, rows.n))).items()} if rows.n else {}
        )
    if pairs.n < TOO_FEW:
        parts |= dict.fromkeys(CORRELATIONS, 0.0)
    precision, recall, _ = class_scores(table)
    of_label = {"precision": precision, "recall": recall}

    def value(figure: Figure) -> float:
        found = parts.get(figure.name, 0.0)
        if figure.label is not None:
            found = float(of_label[figure.name][labels.index(figure.label)])
        return found if np.isfinite(found) else 0.0

    return value


class _Reader:
    """A text that is read from left to right.

    Labels may hold any characters: a declared label is recognised as a whole where the text goes on with ``after``.
    """

    def __init__(self, what: str, text: str, scale: Scale, after: str) -> None:
        self._what, self._text, self._scale = what, text.strip(), scale
        self._after = re.compile(rf"\s*(?:{after}|$)", re.IGNORECASE)
        self._at = 0
        self._names: tuple[FigureName, ...] = get_args(FigureName)
        self._labels: tuple[str, ...] = scale.labels
        if scale.kind == "interval":
            self._labels = _SIDES if scale.threshold is not None else ()
            if scale.threshold is None:
                self._names = ("alignment", "pearson", "spearman")
        elif scale.kind in ("nominal", "pairwise"):
            self._names = tuple(name for name in self._names if name not in ("pearson", "spearman"))

    def error(self, problem: str) -> InputError:
        return InputError(f"{self._what} '{self._text}': {problem}")

    def took(self, pattern: str) -> re.Match[str] | None:
        """Skip white space and what matches; None, and nothing skipped, when it does not."""
        found = re.compile(rf"\s*(?:{pattern})", re.IGNORECASE).match(self._text, self._at)
        if found:
            self._at = found.end()
        return found

    def rest(self) -> str:
        return self._text[self._at :].strip()

    def ended(self) -> bool:
        return not self.rest()

    def terms(self) -> tuple[list[float], list[Figure], str]:
        """Read weighted figures: weights of sum 1, the figures, and what was done to the weights."""
        weights: list[float | None] = []
        figures: list[Figure] = []
        while True:
            weights.append(self._weight())
            figures.append(self._figure())
            if not self.took(r"\+"):
                break
        self._refuse_twice(figures)
        if len(weights) > 1 and None in weights:
            unweighted = next(each for each, weight in zip(figures, weights, strict=True) if weight is None)
            raise self.error(f"give every figure a weight, such as 0.5*{unweighted.text}")
        given = [1.0 if weight is None else weight for weight in weights]
        total = sum(given)
        if abs(total - 1) < 1e-9:
            return given, figures, ""
        shares = [weight / total for weight in given]
        read = [" and ".join(f"{each:.6g}" for each in numbers) for numbers in (given, shares)]
        return shares, figures, f"weights {read[0]} are read as {read[1]}, so that they sum to 1"

    def bounds(self) -> tuple[Bound, ...]:
        """Read constraints to the end of the text."""
        found: list[Bound] = []
        while True:
            figure = self._figure()
            if not self.took(">=|≥"):
                raise self.error(f"a constraint is FIGURE>=NUMBER, such as {figure.text}>=0.8")
            text = self._number()
            least = None if text is None else float(text)
            if least is None or not figure.least < least <= 1:
                raise self.error(
                    f"the bound of {figure.text} is a number above {figure.least:g} and at most 1, "
                    f"found '{text or self.rest()}'"
                )
            found.append(Bound(figure, least))
            if self.ended():
                break
            if not self.took(r"and(?!\S)"):
                raise self.error(f"expected 'and' and a further constraint, found '{self.rest()}'")
        self._refuse_twice([bound.figure for bound in found])
        return tuple(found)

    def _refuse_twice(self, figures: Sequence[Figure]) -> None:
        twice = next((each for at, each in enumerate(figures) if each in figures[:at]), None)
        if twice is not None:
            raise self.error(f"{twice.text} is named twice")

    def _number(self) -> str | None:
        found = self.took(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\w.])")
        return found[0].strip() if found else None

    def _weight(self) -> float | None:
        text = self._number()
        if text is None:
            return None
        if not self.took(r"\*"):
            raise self.error(f"a weight is followed by * and a figure, such as {text}*alignment")
        if not 0 < float(text) < float("inf"):
            raise self.error(f"weights are positive numbers, found {text}")
        return float(text)

    def _figure(self) -> Figure:
        known = ", ".join(self._names)
        labelled = [f"{name}:LABEL" for name in _OF_A_LABEL if name in self._names]
        figures = f"the figures of this scale are {', '.join([known, *labelled])}"
        word = self.took(r"\w+")
        if word is None:
            raise self.error(f"name a figure{f' where it says {self.rest()!r}' if self.rest() else ''}: {figures}")
        name = next((each for each in self._names if each == word[0].strip().casefold()), None)
        if name is None:
            hint = "a weight is written 0.7*alignment; " if word[0].strip()[0].isdigit() else ""
            raise self.error(f"there is no figure '{word[0].strip()}' here: {hint}{figures}")
        if not self.took(":"):
            return Figure(name)
        if name not in _OF_A_LABEL:
            raise self.error(f"{name} is of all labels; only precision and recall are of one")
        return Figure(name, self._label())

    def _label(self) -> str:
        self.took("")
        for fold in (str, str.casefold):
            for label in sorted(self._labels, key=len, reverse=True):
                end = self._at + len(label)
                if fold(self._text[self._at : end]) == fold(label) and self._after.match(self._text, end):
                    self._at = end
                    return label
        ends = next((found.start() for found in self._after.finditer(self._text, self._at)), len(self._text))
        stated = self._text[self._at : ends]
        matched = match_label(stated, self._labels)
        if matched is None:
            raise self.error(f"there is no label '{stated}': the labels are {', '.join(self._labels)}")
        self._at = ends
        return matched


def _weighted(term: Term) -> str:
    return term.figure.text if term.weight == 1 else f"{_number(term.weight)}*{term.figure.text}"


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _in_words(figure: Figure, scale: Scale) -> str:
    if figure.name == "cohen_kappa":
        return "Cohen's kappa with quadratic weights" if scale.kind == "ordinal" else "Cohen's kappa"
    if figure.name in ("alignment", "accuracy", "pearson", "spearman"):
        return {"pearson": "Pearson's r", "spearman": "Spearman's rho"}.get(figure.name, figure.name)
    name = "F1" if figure.name == "f1" else figure.name
    label = figure.label
    if scale.kind == "interval":
        side = "of at least" if label != "bad" else "below"
        return f"{name} of {label or 'good'} (scores {side} {_number(scale.threshold or 0.0)})"
    label = label or (scale.positive if scale.kind == "binary" else None)
    return f"{name} averaged over the labels" if label is None else f"{name} of {label}"
