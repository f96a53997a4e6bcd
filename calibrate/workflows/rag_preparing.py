"""What a RAG evaluation is about, read and checked before any judge is asked.

What `calibrate rag check` calls an error of a bank is refused here, and what it warns of is said.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calibrate.config import Settings
from calibrate.errors import InputError
from calibrate.rag import Bank, Corpus, Variant
from calibrate.rag.checking import bank_errors, ids_in_words
from calibrate.rag.checking_outputs import check_variant
from calibrate.rag.judged_items import Role
from calibrate.rag.loading import LoadedBank
from calibrate.rag.sampling import stratified_sample
from calibrate.workflows.progress import Progress
from calibrate.workflows.rag_asking import Subject
from calibrate.workflows.rag_live import ask_systems
from calibrate.workflows.rag_loading import open_bank, open_variants
from calibrate.workflows.rag_options import Metric, RagOptions, judge_notes, metrics_for, roles_for
from calibrate.workflows.sentences import counted

__all__ = ["Loaded", "load"]

_TEXTS_NEEDED: tuple[Metric, ...] = ("citations", "faithfulness", "citation_support", "context_relevancy")
_REFUSED = ("no_outputs", "no_known_context", "no_known_retrieved")


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a command has read, before anything is asked of a judge.

    Attributes:
        subject: what is evaluated.
        roles: of the judges that it takes.
        messages: what there is to say about it.
    """

    subject: Subject
    roles: tuple[Role, ...]
    messages: tuple[str, ...]


async def load(options: RagOptions, settings: Settings, progress: Progress) -> Loaded:
    """Read and check bank, corpus and recorded outputs; then ask live systems, if there are any.

    Raises:
        InputError: something cannot be used, or figures on it would be wrong.
        ProviderError: a live system raised on every question.
    """
    metrics = metrics_for(options.metrics, options.judges)
    if "retrieval" in metrics and importlib.util.find_spec("ir_measures") is None:
        raise InputError(
            "retrieval figures need ir-measures, which is not installed: pip install ir-measures, or "
            "pip install '.[rag]' in a clone"
        )
    loaded = open_bank(options.bank, options.reading)
    bank, messages = _questions(loaded, options)
    metrics, said = _with_texts(metrics, options, loaded.corpus)
    messages += [*said, *judge_notes(options.metrics, metrics, options.judges)]
    variants, said = tuple[Variant, ...](), tuple[str, ...]()
    if options.variants or loaded.variants:
        variants, said = open_variants(options.variants, loaded, options.reading)
    messages += [*said, *_checked(variants, bank, loaded.corpus, metrics)]
    if options.systems:
        live = await ask_systems(
            options.systems,
            bank,
            progress,
            taken=[each.name for each in variants],
            save=Path(),
            fresh=options.fresh,
            settings=settings,
            context_from_ranked=options.reading.context_from_ranked,
        )
        messages += _checked(live, bank, loaded.corpus, metrics)
        variants += live
    if not variants:
        raise InputError("nothing to evaluate; name recorded outputs with --variant NAME=FILE, or a --system")
    subject = Subject(bank, loaded.corpus, tuple(_only(bank, variants)), metrics, options)
    return Loaded(subject, roles_for(metrics, options.judges), tuple(messages))


def _questions(loaded: LoadedBank, options: RagOptions) -> tuple[Bank, list[str]]:
    """Return the questions that are asked, and what there is to say about them."""
    bank, messages = loaded.bank, list(loaded.messages)
    if options.reviewed_only:
        bank = bank.only(each.id for each in bank.questions if each.reviewed)
        if not bank.questions:
            raise InputError("nobody has reviewed a question of the bank; read them, then `calibrate rag accept` them")
        if len(bank.questions) < len(loaded.bank.questions):
            out = len(loaded.bank.questions) - len(bank.questions)
            messages.append(f"{out} of {counted(len(loaded.bank.questions), 'question')} left out: not reviewed")
    _refuse_errors(bank, loaded.corpus, options)
    of = len(bank.questions)
    if options.by is not None and not any(options.by in each.attributes for each in bank.questions):
        raise InputError(f"no question of the bank has the column '{options.by}'", field="--by")
    if options.sample is not None and options.sample < of:
        bank = stratified_sample(bank, options.sample, options.seed, slice_by=options.by)
        messages.append(f"{len(bank.questions)} of {of} questions, drawn by strata")
    drafts = sum(not each.reviewed for each in bank.questions)
    if drafts:
        are, they, them = ("is a draft", "it counts", "it") if drafts == 1 else ("are drafts", "they count", "them")
        messages.append(
            f"{drafts} of {counted(len(bank.questions), 'question')} {are} that nobody has reviewed; {they} "
            f"(--reviewed-only leaves {them} out)"
        )
    return bank, messages


def _refuse_errors(bank: Bank, corpus: Corpus | None, options: RagOptions) -> None:
    for error in bank_errors(bank, corpus):
        where = f" --corpus {options.reading.corpus}" if options.reading.corpus else ""
        raise InputError(
            f"{error.message} (questions {ids_in_words(error.ids)}); mend them: "
            f"`calibrate rag check {options.bank}{where} --json` lists all",
            file=bank.source,
        )


def _with_texts(
    metrics: tuple[Metric, ...], options: RagOptions, corpus: Corpus | None
) -> tuple[tuple[Metric, ...], tuple[str, ...]]:
    """Return the metrics that can be had without the chunks' texts, where there are none."""
    needing = [metric for metric in metrics if corpus is None and metric in _TEXTS_NEEDED]
    # Citations come along unless they are asked for; whatever needs a judge is asked for by naming one.
    wanted = [metric for metric in needing if metric != "citations" or metric in options.metrics]
    if wanted:
        raise InputError(f"{wanted[0]} needs the chunks' texts; name the corpus with --corpus FILE")
    kept = tuple(metric for metric in metrics if metric not in needing)
    return kept, ("no corpus: citations are not checked",) if needing else ()


def _checked(
    variants: Iterable[Variant], bank: Bank, corpus: Corpus | None, metrics: Sequence[Metric]
) -> Iterator[str]:
    """Say what is wrong with outputs, and refuse those that nothing can be measured on."""
    for variant in variants:
        for each in check_variant(variant, bank, corpus):
            if each.code in _REFUSED and (each.code != "no_known_retrieved" or "retrieval" in metrics):
                raise InputError(f"{variant.name}: {each.message}", file=variant.source)
            left_out = (
                f"; {counted(len(each.ids), 'question')} left out of what needs the context"
                if each.code == "unknown_context"
                else ""
            )
            yield f"{variant.name}: {each.message}{left_out}"


def _only(bank: Bank, variants: Iterable[Variant]) -> Iterator[Variant]:
    kept = frozenset(each.id for each in bank.questions)
    for variant in variants:
        yield replace(variant, outputs={name: out for name, out in variant.outputs.items() if name in kept})
