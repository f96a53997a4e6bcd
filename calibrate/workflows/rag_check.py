"""Before a RAG system is measured: what its bank of questions can show, and whether the recorded outputs fit it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from calibrate.domain import Json
from calibrate.golden import Finding
from calibrate.rag import Bank, Corpus, Variant
from calibrate.rag.bank_resolution import ShareResolution, bank_resolution
from calibrate.rag.checking import Coverage, check_bank, coverage
from calibrate.rag.checking_outputs import check_variant
from calibrate.workflows.rag_loading import RagReading, open_bank, open_variants
from calibrate.workflows.results import document
from calibrate.workflows.sentences import counted

__all__ = ["CheckedVariant", "RagCheck", "check_rag"]


@dataclass(frozen=True, slots=True)
class CheckedVariant:
    """A variant of a system, against the bank.

    Attributes:
        name: what the user calls it.
        source: the file that it came from.
        outputs: questions of the bank with an output.
        missing: questions of the bank without one.
    """

    name: str
    source: str
    outputs: int
    missing: int

    def to_json(self) -> dict[str, Json]:
        """Return the fields as JSON."""
        return {"name": self.name, "source": self.source, "outputs": self.outputs, "missing": self.missing}


@dataclass(frozen=True, slots=True)
class RagCheck:
    """What is to be known about a bank before anything is measured on it.

    Attributes:
        sentence: whether it can be used, and how large it is.
        name: the bank's name.
        digest: its content digest.
        language: its language.
        provenance: how it was made, from its card.
        questions: how many there are.
        answerable: those with an answer in the corpus.
        unreviewed: those that nobody has reviewed.
        references: those with a reference answer.
        origins: questions by origin.
        coverage: how much of the corpus they are about; None without a corpus.
        resolution: what so many questions can resolve.
        variants: the recorded variants.
        findings: what is wrong or limits what the bank can show; ``dimension`` names the variant concerned, if any.
        notes: what was mapped or left out on reading.
        status: ``ok``, or ``refused`` when it cannot be used as it is.
    """

    sentence: str
    name: str
    digest: str
    language: str
    provenance: str
    questions: int
    answerable: int
    unreviewed: int
    references: int
    origins: Mapping[str, int]
    coverage: Coverage | None
    resolution: tuple[ShareResolution, ...]
    variants: tuple[CheckedVariant, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    status: Literal["ok", "refused"]

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        return document(
            self.status,
            sentence=self.sentence,
            name=self.name,
            digest=self.digest,
            language=self.language,
            provenance=self.provenance,
            questions={
                "total": self.questions,
                "answerable": self.answerable,
                "unanswerable": self.questions - self.answerable,
                "unreviewed": self.unreviewed,
                "references": self.references,
                "origins": dict(self.origins),
            },
            corpus=None if self.coverage is None else self.coverage.to_json(),
            resolution=[each.to_json() for each in self.resolution],
            variants=[each.to_json() for each in self.variants],
            findings=[
                {
                    "level": each.level,
                    "code": each.code,
                    "message": each.message,
                    "ids": list(each.ids),
                    "variant": each.dimension or None,
                }
                for each in self.findings
            ],
            notes=list(self.notes),
        )


def check_rag(path: str, reading: RagReading, variants: Sequence[str] = ()) -> RagCheck:
    """Check a bank, and the variants that are named or that lie in its folder.

    Raises:
        InputError: something cannot be read at all.
    """
    loaded = open_bank(path, reading)
    bank, corpus = loaded.bank, loaded.corpus
    recorded, said = open_variants(variants, loaded, reading)
    findings = (*check_bank(bank, corpus), *(each for one in recorded for each in check_variant(one, bank, corpus)))
    refused = any(each.level == "error" for each in findings)
    return RagCheck(
        sentence=_sentence(bank, corpus, recorded, findings),
        name=bank.name,
        digest=bank.digest,
        language=bank.language,
        provenance=loaded.provenance,
        questions=len(bank.questions),
        answerable=sum(each.answerable for each in bank.questions),
        unreviewed=sum(not each.reviewed for each in bank.questions),
        references=sum(each.reference is not None for each in bank.questions),
        origins=Counter(each.origin for each in bank.questions),
        coverage=None if corpus is None else coverage(bank, corpus),
        resolution=bank_resolution(bank),
        variants=tuple(_checked(each, bank) for each in recorded),
        findings=findings,
        notes=(*loaded.messages, *said),
        status="refused" if refused else "ok",
    )


def _sentence(bank: Bank, corpus: Corpus | None, variants: Sequence[Variant], findings: Sequence[Finding]) -> str:
    levels = Counter(each.level for each in findings)
    without = sum(not each.answerable for each in bank.questions)
    size = f"{counted(len(bank.questions), 'question')}, {without} of them without an answer in the corpus"
    chunks = "" if corpus is None else f", on {counted(len(corpus.chunks), 'chunk')}"
    compared = f", {counted(len(variants), 'variant')}" if variants else ""
    verdict = "cannot be used for an evaluation as it is" if levels["error"] else "can be used"
    return (
        f"{bank.name}: {size}{chunks}{compared}; {verdict} "
        f"({counted(levels['error'], 'error')}, {counted(levels['warning'], 'warning')})."
    )


def _checked(variant: Variant, bank: Bank) -> CheckedVariant:
    outputs = len(variant.outputs)
    return CheckedVariant(variant.name, variant.source, outputs, len(bank.questions) - outputs)
