"""A part of a bank for the runs between releases, with both kinds of questions in it."""

from __future__ import annotations

from collections import Counter

from calibrate.domain import digest
from calibrate.errors import InputError
from calibrate.rag.bank import Bank, Question

__all__ = ["FEWEST_OF_A_KIND", "stratified_sample"]

FEWEST_OF_A_KIND = 2
"""Answerable and unanswerable questions a sample holds at least, where the bank has them: abstention and retrieval are
measured on different ones."""


def stratified_sample(bank: Bank, n: int, seed: int = 0, *, slice_by: str | None = None) -> Bank:
    """Return n questions of a bank, in file order, spread over its strata as the bank is.

    Strata are the answerable and the unanswerable questions, times the values of an attribute. Who is taken depends on
    the ids and the seed alone, so that a larger sample of the bank holds every smaller one, and what a run on the
    smaller one has paid for is not paid again. The first two of either kind come first; then each next question is
    taken where the sample lags behind the bank most (Webster's method).

    Args:
        bank: all questions.
        n: how many are wanted, above 0; a bank with no more than that is returned whole.
        seed: another one makes another sample.
        slice_by: the attribute; questions without it are a stratum of their own.

    Raises:
        InputError: ``n`` is not above 0, or no question has the attribute.
    """
    if n < 1:
        raise InputError(f"a sample has at least 1 question, not {n}", field="sample")
    if slice_by is not None and not any(slice_by in each.attributes for each in bank.questions):
        raise InputError(f"no question of the bank has the column '{slice_by}'", field=slice_by)
    if n >= len(bank.questions):
        return bank
    waiting: dict[tuple[bool, str], list[Question]] = {}
    for each in sorted(bank.questions, key=lambda question: digest([seed, question.id]), reverse=True):
        value = "" if slice_by is None else each.attributes.get(slice_by, "")
        waiting.setdefault((each.answerable, value), []).append(each)
    sizes = {stratum: len(questions) for stratum, questions in waiting.items()}
    taken: Counter[tuple[bool, str]] = Counter()
    kept: list[str] = []
    while len(kept) < n:
        open_strata = [stratum for stratum in sorted(waiting) if waiting[stratum]]
        stratum = max(_short(open_strata, taken), key=lambda each: sizes[each] / (2 * taken[each] + 1))
        taken[stratum] += 1
        kept.append(waiting[stratum].pop().id)
    return bank.only(kept)


def _short(strata: list[tuple[bool, str]], taken: Counter[tuple[bool, str]]) -> list[tuple[bool, str]]:
    """Return the strata of the kind that the sample has too few of, if there is one; else all."""
    kinds: Counter[bool] = Counter()
    for (answerable, _), count in taken.items():
        kinds[answerable] += count
    fewest = min({answerable for answerable, _ in strata}, key=lambda kind: kinds[kind])
    return [each for each in strata if each[0] is fewest] if kinds[fewest] < FEWEST_OF_A_KIND else strata
