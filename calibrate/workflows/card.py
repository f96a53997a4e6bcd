"""The card of a judge: everything that is on record of it, gathered for one page to keep beside its prompt.

Nothing in it depends on the day: the same database gives the same card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from calibrate.domain import Json, digest
from calibrate.errors import InputError
from calibrate.export.card import CARD_FORMATS, CardPrompt, Entry, JudgeCard, Section, write_card
from calibrate.golden import refuse_overwriting, write_text
from calibrate.metrics import Confidence
from calibrate.store import RunRecord, Store
from calibrate.workflows.calibrated import calibration_in_words
from calibrate.workflows.conclusions import CONCLUSIONS, SOURCES, probe_name
from calibrate.workflows.export import files_in_use
from calibrate.workflows.front import cost_per_verdict
from calibrate.workflows.known_judge import KnownJudge, known_judge
from calibrate.workflows.record import money
from calibrate.workflows.results import document
from calibrate.workflows.sentences import counted, figure, judge_sentence, signed
from calibrate.workflows.setup import input_names
from calibrate.workflows.stored import fold_in_words
from calibrate.workflows.use_limits import limits_of, recommended

__all__ = ["REVIEW_DAYS", "WrittenCard", "card", "read_review_date"]

REVIEW_DAYS = 90
"""Days from the end of a run to the day on which its judge is looked at again, where none is named."""

_MOST_PATTERNS = 5


@dataclass(frozen=True, slots=True)
class WrittenCard:
    """A card in a format.

    Attributes:
        sentence: what was written.
        card: the card.
        format: ``md`` or ``json``.
        text: the file's content.
        path: where it was written, None when it was not.
    """

    sentence: str
    card: JudgeCard
    format: str
    text: str
    path: str | None

    def to_json(self) -> dict[str, Json]:
        """Return the JSON document."""
        return document(
            "ok",
            sentence=self.sentence,
            simulated=self.card.simulated,
            format=self.format,
            path=self.path,
            card=self.card.to_json(),
            text=self.text,
        )


def card(
    db: str,
    reference: str,
    output: Path | None = None,
    *,
    to: str = "md",
    review_by: str | None = None,
    overwrite: bool = False,
) -> WrittenCard:
    """Write the card of a run's winner, or of one of its candidates.

    Args:
        db: the run database.
        reference: ``RUN`` or ``RUN:CANDIDATE``.
        output: the file to write; None for none.
        to: ``md`` or ``json``.
        review_by: ISO date by which it is to be looked at again; None for 90 days after the run ended.
        overwrite: whether a file that exists is replaced.

    Raises:
        InputError: there is no such judged candidate, format or date, the date is before the run ended, or the file
            cannot be written, or exists and is not to be overwritten (the run database and the golden set's table never
            are).
    """
    if to not in CARD_FORMATS:
        raise InputError(f"unknown format '{to}'; choose one of {', '.join(CARD_FORMATS)}", field="--format")
    day = None if review_by is None else read_review_date(review_by)
    with Store(db, create=False) as store:
        known = known_judge(store, reference)
        if day is not None:
            _refuse_past(day, known.chosen.stored.run)
        if output is not None:
            refuse_overwriting(output, overwrite=overwrite, never=files_in_use(store, known.chosen.stored.run))
    made = _card(known, day)
    text = write_card(made, to)
    if output is not None:
        write_text(output, text)
    where = f", written to {output}" if output is not None else ""
    return WrittenCard(f"Card of judge {made.reference}{where}.", made, to, text, str(output) if output else None)


def read_review_date(text: str) -> date:
    """Read an ISO date (``2027-03-31``).

    Raises:
        InputError: it is none.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise InputError(f"'{text}' is no date; write it as year-month-day, such as 2027-03-31", field="--review-by")
    return day


def _refuse_past(day: date, run: RunRecord) -> None:
    ended = datetime.fromisoformat(run.finished or run.created).date()
    if day < ended:
        what = "ended" if run.finished else "started"
        raise InputError(f"{day} is before run {run.id} {what} ({ended}); name a later day", field="--review-by")


def _card(known: KnownJudge, review_by: date | None) -> JudgeCard:
    chosen, run = known.chosen, known.chosen.stored.run
    day = review_by or _review_date(run)
    sections = (
        Section("use", "Use and limits", tuple(_use(known))),
        Section("judges", "What it judges", tuple(_judges(known))),
        Section("judge", "The judge", tuple(_judge(known))),
        Section("calibrated_on", "Calibrated on", tuple(_calibrated_on(known))),
        Section("figures", "Figures", tuple(_figures(known)), table=True),
        Section("unseen", "On unseen items", tuple(_unseen(known))),
        Section("failures", "Known failure patterns", tuple(_failures(known))),
        Section("biases", "Known biases", tuple(_biases(known))),
        Section("cost", "Cost", tuple(_cost(known))),
        Section("again", "When to calibrate again", tuple(_again(known, day))),
        Section("checklist", "Checklist", tuple(_checklist(known)), table=True),
    )
    prompt = chosen.candidate.prompt
    whole = f"calibrate export {chosen.reference}"
    shown = CardPrompt(None, "", whole) if known.code else CardPrompt(digest(prompt), prompt, whole)
    return JudgeCard(
        name=f"{chosen.golden.name}, {run.dimension}",
        reference=chosen.reference,
        sentence=judge_sentence(chosen.result, 0.05),
        simulated=chosen.stored.simulated,
        sections=sections,
        prompt=shown,
        review_by=None if day is None else day.isoformat(),
    )


def _review_date(run: RunRecord) -> date | None:
    if run.status != "done" or run.finished is None:
        return None
    return datetime.fromisoformat(run.finished).date() + timedelta(days=REVIEW_DAYS)


def _use(known: KnownJudge) -> Iterator[Entry]:
    limits = limits_of(known.chosen, known.evidence, known.probes, floating=known.floating)
    code, words = recommended(limits)
    yield Entry("recommended", "Recommended use", words, code)
    golden, dimension = known.chosen.golden, known.chosen.stored.run.dimension
    fold = fold_in_words(known.chosen.stored.run)
    if fold:
        yield Entry("fold", "Part of", fold, dict(known.chosen.stored.run.spec["fold"]))
    scope = f"{dimension} of items like those of {golden.name}, in {golden.language}; anything else is unmeasured."
    yield Entry("scope", "For", scope, [dimension, golden.name, golden.language])
    yield from (Entry(_unique(each.code, at), "Limit", each.words, each.code) for at, each in enumerate(limits, 1))


def _unique(code: str, position: int) -> str:
    """Return a key for one of several entries; classes and leanings may meet the same rule."""
    return f"{position:02}_{code}"


def _judges(known: KnownJudge) -> Iterator[Entry]:
    golden = known.chosen.golden
    yield Entry("dimension", "Dimension", known.chosen.stored.run.dimension, known.chosen.stored.run.dimension)
    yield _fact(known, "scale", "Scale")
    yield _fact(known, "positive_class", "Positive class")
    names = input_names(golden)
    yield Entry("inputs", "Inputs", ", ".join(names), list(names))
    yield Entry("language", "Language", golden.language, golden.language)


def _judge(known: KnownJudge) -> Iterator[Entry]:
    yield _fact(known, "model_requested", "Model requested")
    yield _fact(known, "model_returned", "Model returned")
    if known.floating:
        words = "the name is a floating alias: the model behind it may change any day without a word"
        yield Entry("floating_alias", "Caution", words, True)
    if known.record.get("model_changed"):
        words = "the model that answered changed within this run or since the last"
        yield Entry("model_changed", "Caution", words, True)
    if known.record.get("caution"):
        yield Entry("caution", "Caution", str(known.record["caution"]), str(known.record["caution"]))
    yield _fact(known, "source_digest", "Source digest") if known.code else _fact(known, "settings", "Settings")
    if "bundle" in known.facts:
        yield _fact(known, "bundle", "Bundle")
    if not known.code:
        yield _fact(known, "prompt_digest", "Prompt digest")
    shown = known.chosen.candidate.shown
    if shown:
        words = f"the prompt shows {counted(len(shown), 'item')} of the set as examples; it is not measured on them"
        yield Entry("examples", "Examples", words, list(shown))


def _calibrated_on(known: KnownJudge) -> Iterator[Entry]:
    chosen, people = known.chosen, known.chosen.result.people
    yield Entry("golden_set", "Golden set", f"{chosen.golden.name}, digest {chosen.stored.run.golden_digest}")
    n = chosen.alignment.n
    yield Entry("n", "Items", f"{n} ({known.facts['n_per_class'].words})", n)
    raters = () if people is None else people.raters
    how_many = counted(len(raters), "rater") + f" ({', '.join(raters)})" if raters else "no raters are named"
    adjudicated = "adjudicated" in chosen.golden.gold
    yield Entry("raters", "Raters", how_many + ("; adjudicated" if adjudicated else ""), list(raters))
    yield _fact(known, "rater_agreement", "Agreement")
    yield _fact(known, "gold", "Gold rule")
    calibrated = chosen.result.calibrated
    if calibrated is not None:
        words = calibration_in_words(calibrated, chosen.stored.run.dimension, judge=chosen.result.judge)
        yield Entry("calibrated", "Calibrated", words, calibrated.to_json())


def _figures(known: KnownJudge) -> Iterator[Entry]:
    alignment = known.chosen.alignment
    yield Entry("alignment", "alignment", figure(alignment.alignment), alignment.alignment.to_json())
    if alignment.wrong is not None:
        words = figure(alignment.wrong.alignment)
        yield Entry("alignment_wrong", "the same, unscored as wrong", words, alignment.wrong.alignment.to_json())
    yield _fact(known, "reference_judges", "reference judges")
    for name, metric in alignment.metrics.items():
        yield Entry(name, name.replace("_", " "), figure(metric), metric.to_json())
    for label, recall in alignment.recall_by_class.items():
        words = f"{figure(recall)}, {counted(alignment.n_per_class.get(label, 0), 'item')}"
        yield Entry(f"recall_of_{label}", f"recall of {label!r}", words, recall.to_json())
    if alignment.confidence is not None:
        yield from _confidence(alignment.confidence)
    yield _fact(known, "confusion", "table, rows human, columns judge")
    yield _fact(known, "coverage", "coverage")
    missing = alignment.n - alignment.scored
    counts: dict[str, Json] = {str(reason): count for reason, count in alignment.unscored.items()}
    why = ", ".join(f"{count} {reason}" for reason, count in counts.items() if count)
    yield Entry("unscored", "unscored", f"{missing} of {alignment.n}" + (f": {why}" if why else ""), counts)


def _confidence(confidence: Confidence) -> Iterator[Entry]:
    """How far the confidence that a judge states can be believed."""
    yield Entry("brier", "Brier score of its confidence", figure(confidence.brier), confidence.brier.to_json())
    bins = [
        f"says {each.confidence:.2f}, right {figure(each.right)}, {counted(each.n, 'item')}" for each in confidence.bins
    ]
    words = f"{figure(confidence.ece)} on {counted(confidence.n, 'item')} with a confidence"
    if confidence.ece_by_chance is not None:
        words += f" (up to {confidence.ece_by_chance:.2f} by chance alone)"
    yield Entry("ece", "expected calibration error", words, confidence.ece.to_json())
    for at, (each, said) in enumerate(zip(confidence.bins, bins, strict=True), 1):
        yield Entry(f"reliability_{at:02}", "reliability", said, each.to_json())


def _unseen(known: KnownJudge) -> Iterator[Entry]:
    if not known.evidence.unseen:
        yield _fact(known, "unseen_items", "")
    for at, each in enumerate(known.evidence.unseen, 1):
        used = "" if each.uses == 1 else f", test {each.uses} on some of them"
        words = (
            f"{each.n} items{used}: alignment {figure(each.winner)}, {figure(each.baseline)} before; "
            f"difference {signed(each.difference)}, {CONCLUSIONS[each.conclusion]}"
        )
        yield Entry(f"{each.source}_{at}", SOURCES[each.source], words, each.to_json())


def _failures(known: KnownJudge) -> Iterator[Entry]:
    left = [each for each in known.patterns if each.errors[0].errors]
    for at, each in enumerate(left[:_MOST_PATTERNS], 1):
        errors, of = each.errors[0].errors, len(each.pattern.items)
        words = f"{each.pattern.description} ({errors} of the {counted(of, 'item')} it was seen on)"
        yield Entry(f"pattern_{at}", each.pattern.name, words, each.to_json())
    if len(left) > _MOST_PATTERNS:
        words = f"{len(left) - _MOST_PATTERNS} more; calibrate explain {known.chosen.reference} lists them"
        yield Entry("more", "", words, len(left) - _MOST_PATTERNS)
    if not left:
        if known.patterns:
            words = "none of the patterns that the calibration found is left"
        elif known.chosen.stored.run.kind == "optimize":
            words = f"none found{f': {known.no_patterns}' if known.no_patterns else ''}"
        else:
            words = "not searched for: a calibration groups errors, this run measured one prompt"
        yield Entry("none", "", words)


def _biases(known: KnownJudge) -> Iterator[Entry]:
    if known.bias is None:
        command = f"calibrate bias {known.chosen.reference} --ask"
        yield Entry("not_probed", "", f"not probed: {command} does it and keeps what it finds")
        return
    where = "the same set" if known.bias.golden_digest == known.chosen.stored.run.golden_digest else "another set"
    yield Entry("run", "Probed", f"run {known.bias.id}, on {where}", known.bias.id)
    for at, each in enumerate(known.probes or (), 1):
        effect = "" if each.effect is None else f"; {each.measure.replace('_', ' ')} {each.effect:.2f}"
        interval = "" if each.low is None or each.high is None else f" ({each.low:.2f} to {each.high:.2f})"
        words = f"{CONCLUSIONS[each.conclusion]}: {each.reason}{effect}{interval}, {counted(each.n, 'item')}"
        yield Entry(f"probe_{at}", probe_name(each), words, each.to_json())


def _cost(known: KnownJudge) -> Iterator[Entry]:
    each = cost_per_verdict(known.chosen.candidate, known.chosen.stored.judged)
    made_up = " (made-up prices)" if known.chosen.stored.simulated and each else ""
    unknown = "unknown: a price or a call's usage is not known"
    yield Entry("per_verdict", "A verdict", unknown if each is None else f"{money(each)}{made_up}", each)
    yield Entry(
        "per_1000",
        "1,000 verdicts",
        "unknown" if each is None else f"{money(each * 1000)}{made_up}",
        None if each is None else each * 1000,
    )
    yield _fact(known, "prices", "Prices, US dollars a million tokens")


def _again(known: KnownJudge, review_by: date | None) -> Iterator[Entry]:
    run, returned = known.chosen.stored.run, known.facts["model_returned"].words
    what = "the judge's code" if known.code else "the prompt, its settings or the model"
    key = "source_digest" if known.code else "prompt_digest"
    prompt = f" ({known.facts[key].name} {known.facts[key].words})"
    yield Entry("model", "", f"when a model other than the one that answered ({returned}) answers to this name")
    yield Entry("prompt", "", f"when {what} changes{prompt}")
    yield Entry("rubric", "", "when the rubric changes: what experts call good")
    yield Entry("labels", "", f"when labels are added or corrected (set digest {run.golden_digest})")
    yield Entry("drift", "", "when the data drift: other inputs, languages, lengths or systems than those of the set")
    words = f"no date: run {run.id} has not finished" if review_by is None else review_by.isoformat()
    yield Entry("review_by", "At the latest by", words, None if review_by is None else review_by.isoformat())


def _checklist(known: KnownJudge) -> Iterator[Entry]:
    yield from (Entry(each.key, each.name, each.words, each.value) for each in known.facts.values())


def _fact(known: KnownJudge, key: str, name: str) -> Entry:
    fact = known.facts[key]
    return Entry(key, name, fact.words, fact.value)
