"""What is wrong with a bank of questions and with recorded outputs, counted by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrate.golden import Finding
from calibrate.rag import Bank, Chunk, Corpus, Output, Question, Variant
from calibrate.rag.bank_resolution import bank_resolution
from calibrate.rag.checking import COPIED, bank_errors, check_bank, copied_share, coverage, ids_in_words
from calibrate.rag.checking_outputs import check_variant, unknown_contexts
from calibrate.rag.sample_resolution import resolution

RETURNS = "El plazo de devolución de un pedido es de treinta días desde la entrega."
CORPUS = Corpus(
    (
        Chunk("c1", RETURNS, "devoluciones"),
        Chunk("c2", "Los socios Oro tienen sesenta días.", "club"),
        Chunk("c3", "La batería tiene dos años de garantía.", "garantía"),
    )
)


def bank(*questions: Question) -> Bank:
    return Bank("shop", questions)


def ask(question_id: str, text: str, *relevant: str, **more: object) -> Question:
    return Question(question_id, text, relevant, **more)


def found(code: str, questions: Bank, corpus: Corpus | None = CORPUS) -> Finding | None:
    return next((each for each in check_bank(questions, corpus) if each.code == code), None)


class TestRelevantChunks:
    def test_chunks_that_the_corpus_does_not_have_are_an_error(self) -> None:
        finding = found("unknown_chunks", bank(ask("q1", "a", "c1", "c8"), ask("q2", "b", "c9"), ask("q3", "c", "c2")))
        assert finding is not None
        assert (finding.level, finding.ids) == ("error", ("q1", "q2"))
        assert finding.message.startswith("2 questions with relevant chunks that the corpus does not have: c8, c9")
        assert "JSON list" not in finding.message

    def test_ids_with_spaces_are_pointed_at(self) -> None:
        corpus = Corpus((Chunk("guide 1", "a"),))
        finding = found("unknown_chunks", bank(ask("q1", "a", "guide", "1")), corpus)
        assert finding is not None
        assert 'are written as a JSON list, ["a b", "c"]' in finding.message

    def test_without_a_corpus_it_says_what_is_not_checked(self) -> None:
        questions = bank(ask("q1", "a", "c8"))
        assert found("unknown_chunks", questions, None) is None
        assert found("no_corpus", questions, None) is not None
        assert found("no_corpus", questions) is None


class TestErrors:
    WRONG = bank(ask("q1", "a", "c1", "c8"), ask("q2", "Who?", "c1"), ask("q3", "who?", "c2"), ask("q4", "who?", "c2"))

    def test_they_are_those_of_the_check_and_nothing_else(self) -> None:
        errors = bank_errors(self.WRONG, CORPUS)
        assert [each.code for each in errors] == ["unknown_chunks", "conflicting_duplicates"]
        assert set(errors) == {each for each in check_bank(self.WRONG, CORPUS) if each.level == "error"}
        assert [each.code for each in bank_errors(self.WRONG, None)] == ["conflicting_duplicates"]
        assert bank_errors(bank(ask("q1", "a", "c1"), ask("q2", "A", "c1")), CORPUS) == ()

    def test_long_ids_are_cut(self) -> None:
        assert ids_in_words(["a", "b" * 40, "c" * 41]) == f"a, {'b' * 40}, {'c' * 39}…"


class TestCopiedQuestions:
    def test_the_share_of_runs_of_three_words(self) -> None:
        # Runs: cuál es el, es el plazo, el plazo de*, plazo de devolución*, de devolución de*, devolución de un*,
        # de un pedido*.
        assert copied_share("¿Cuál es el plazo de devolución de un pedido?", [RETURNS]) == pytest.approx(5 / 7)
        assert copied_share("¿Hasta cuándo puedo mandar de vuelta lo que compré?", [RETURNS]) == 0
        assert copied_share("EL PLAZO, DE DEVOLUCIÓN", [RETURNS]) == 1
        assert copied_share("¿Plazo?", [RETURNS]) == 0
        assert copied_share("¿?", [RETURNS]) == 0
        assert copied_share("¿Cuál es el plazo?", []) == 0

    def test_the_closest_relevant_chunk_counts_and_no_other(self) -> None:
        copied = "¿Cuál es el plazo de devolución de un pedido?"
        finding = found("copied_questions", bank(ask("q1", copied, "c2", "c1"), ask("q2", copied, "c2")))
        assert finding is not None
        assert (finding.level, finding.ids) == ("warning", ("q1",))

    @given(st.text(), st.lists(st.text(), max_size=3))
    def test_a_share(self, question: str, chunks: list[str]) -> None:
        assert 0 <= copied_share(question, chunks) <= 1
        assert copied_share(question, [*chunks, question]) in (0, 1)

    def test_the_shipped_questions_that_people_ask_stay_well_below(self) -> None:
        from calibrate.golden import load_golden

        shares = [
            copied_share(str(item.inputs["question"]), [text] if isinstance(text, str) else text)
            for name in ("support_faithfulness", "atencion_es")
            for item in load_golden(name).golden.items
            if (text := item.inputs.get("context")) is not None
        ]
        assert len(shares) >= 50
        assert max(shares) <= 0.2 < COPIED


class TestUnanswerable:
    def test_none_of_them(self) -> None:
        finding = found("no_unanswerable", bank(ask("q1", "a", "c1")))
        assert finding is not None
        assert "cannot be measured" in finding.message

    def test_some(self) -> None:
        questions = bank(ask("q1", "a", "c1"), ask("q2", "b", "c1"), ask("q3", "c"))
        finding = found("unanswerable", questions)
        assert finding is not None
        assert (finding.level, finding.ids) == ("info", ("q3",))
        assert "1 question of 3 without an answer in the corpus (33%)" in finding.message
        assert found("no_unanswerable", questions) is None
        assert found("mostly_unanswerable", questions) is None

    def test_exactly_half_is_not_more_than_half(self) -> None:
        assert found("mostly_unanswerable", bank(ask("q1", "a", "c1"), ask("q2", "b"))) is None
        assert found("mostly_unanswerable", bank(ask("q1", "a", "c1"), ask("q2", "b"), ask("q3", "c"))) is not None


class TestQuestions:
    def test_drafts_that_nobody_reviewed(self) -> None:
        finding = found(
            "unreviewed", bank(ask("q1", "a", "c1", origin="drafted", reviewed=False), ask("q2", "b", "c1"))
        )
        assert finding is not None
        assert finding.ids == ("q1",)
        assert found("unreviewed", bank(ask("q2", "b", "c1"))) is None

    def test_the_same_question_twice(self) -> None:
        same = bank(ask("q1", "How long  is it?", "c1"), ask("q2", "how long is it?", "c1"), ask("q3", "Who?", "c1"))
        finding = found("exact_duplicates", same)
        assert finding is not None
        assert (finding.level, finding.ids) == ("warning", ("q1", "q2"))
        assert found("near_duplicates", same) is None
        assert found("conflicting_duplicates", same) is None

    def test_the_same_question_with_other_relevant_chunks_is_an_error(self) -> None:
        finding = found("conflicting_duplicates", bank(ask("q1", "Who?", "c1"), ask("q2", "who?", "c2")))
        assert finding is not None
        assert (finding.level, finding.ids) == ("error", ("q1", "q2"))

    def test_nearly_the_same_question(self) -> None:
        ten = "how many days do i have to send it back"
        near = found("near_duplicates", bank(ask("q1", ten, "c1"), ask("q2", f"{ten} please", "c1"), ask("q3", "Who?")))
        assert near is not None
        assert near.ids == ("q1", "q2")
        other = ten.replace("back", "off")  # 8 of 10 pairs of words
        assert found("near_duplicates", bank(ask("q1", ten, "c1"), ask("q2", other, "c1"))) is None

    def test_few_questions(self) -> None:
        questions = [ask(str(number), f"question {number}", "c1") for number in range(30)]
        assert found("small_bank", bank(*questions)) is None
        assert found("small_bank", bank(*questions[1:])) is not None


class TestCorpus:
    TWINS = Corpus((Chunk("a", "The same."), Chunk("b", "the  same."), Chunk("c", "Another.")))

    def test_chunks_of_the_same_text(self) -> None:
        finding = found("identical_chunks", bank(ask("q1", "x", "a", "b"), ask("q2", "y", "c")), self.TWINS)
        assert finding is not None
        assert finding.ids == ("a", "b")
        assert finding.message == "chunks of the same text: a = b"
        assert found("identical_chunks", bank(ask("q1", "x", "c1"))) is None

    def test_a_question_with_one_of_the_twins_is_pointed_at(self) -> None:
        finding = found("identical_chunks", bank(ask("q1", "x", "a"), ask("q2", "y", "a", "b")), self.TWINS)
        assert finding is not None
        assert "1 question with only one of them as relevant" in finding.message
        assert finding.message.endswith("counts as a miss: q1")

    def test_chunks_and_documents_without_a_question(self) -> None:
        questions = bank(ask("q1", "a", "c1", "c2"), ask("q2", "b", "c1"))
        known = coverage(questions, CORPUS)
        assert (known.chunks, known.covered_chunks, known.documents, known.covered_documents) == (3, 2, 3, 2)
        finding = found("uncovered", questions)
        assert finding is not None
        assert (finding.level, finding.ids) == ("info", ("c3",))
        assert finding.message == "no question is about 1 chunk of 3 (33%); 2 of 3 documents covered (67%)"
        assert found("uncovered", bank(ask("q1", "a", "c1", "c2", "c3"))) is None


def test_what_a_bank_resolves() -> None:
    answerable, unanswerable = bank_resolution(bank(*(ask(str(n), f"q {n}", *(["c1"] * (n < 80))) for n in range(100))))
    assert (answerable.of, answerable.n, unanswerable.of, unanswerable.n) == ("answerable", 80, "unanswerable", 20)
    # Wilson at one half: z / (2 sqrt(n + z^2)).
    z = 1.959964
    assert answerable.half_width == pytest.approx(z / (2 * math.sqrt(80 + z * z)), abs=1e-6)
    assert unanswerable.half_width == pytest.approx(z / (2 * math.sqrt(20 + z * z)), abs=1e-6)
    assert bank_resolution(bank(ask("q", "a", "c1")))[1].half_width is None
    assert answerable.half_width == resolution(80).half_width  # what `rag run --dry-run` says


class TestOutputs:
    BANK = bank(ask("q1", "a", "c1"), ask("q2", "b", "c2"), ask("q3", "c"))

    def codes(self, *outputs: Output) -> dict[str, tuple[str, tuple[str, ...]]]:
        variant = Variant("new", {each.question: each for each in outputs})
        findings = check_variant(variant, self.BANK, CORPUS)
        assert all(each.dimension == "new" for each in findings)
        return {each.code: (each.level, each.ids) for each in findings}

    def test_nothing_wrong(self) -> None:
        assert self.codes(*(Output(each, ("c1", "c2"), ("c1",), "Yes.") for each in ("q1", "q2", "q3"))) == {}

    def test_what_is_wrong(self) -> None:
        found = self.codes(
            Output("q1", ("c1", "c8"), ("c1", "c9"), "Yes."),
            Output("q2", ("c1",), ("c1", "c2"), "  "),
        )
        assert found == {
            "missing_outputs": ("warning", ("q3",)),
            "unknown_context": ("error", ("q1",)),
            "unknown_retrieved": ("warning", ("q1",)),
            "context_not_retrieved": ("warning", ("q1", "q2")),
            "empty_answers": ("warning", ("q2",)),
        }

    def test_contexts_of_texts_are_an_error_of_their_own_and_cut(self) -> None:
        outputs = {each: Output(each, ("c1",), (RETURNS,), "Yes.") for each in ("q1", "q2", "q3")}
        findings = {each.code: each for each in check_variant(Variant("new", outputs), self.BANK, CORPUS)}
        assert set(findings) == {"no_known_context", "context_not_retrieved"}
        assert findings["no_known_context"].level == "error"
        assert f" {RETURNS[:39]}…; a context holds the ids" in findings["no_known_context"].message

    def test_one_context_that_is_known_makes_the_others_a_part(self) -> None:
        known, unknown = Output("q1", ("c1",), ("c1",), "Yes."), Output("q2", ("c1",), ("c1", "c9"), "Yes.")
        assert self.codes(known, unknown)["unknown_context"] == ("error", ("q2",))
        assert set(self.codes(unknown)) >= {"no_known_context"}
        variant = Variant("new", {each.question: each for each in (known, unknown)})
        assert unknown_contexts(variant, CORPUS) == {"q2": ("c9",)}
        assert unknown_contexts(variant, None) == {}

    def test_none_of_the_retrieved_is_an_error_and_nothing_retrieved_is_not(self) -> None:
        nothing = Output("q1", (), (), "Yes.")
        assert "no_known_retrieved" in self.codes(nothing, Output("q2", ("d1", "d2"), (), "Yes."))
        assert "unknown_retrieved" in self.codes(nothing, Output("q2", ("d1", "c2"), (), "Yes."))
        assert set(self.codes(nothing)) == {"missing_outputs"}

    def test_no_output_at_all_is_an_error(self) -> None:
        assert self.codes() == {"no_outputs": ("error", ())}

    def test_without_a_corpus_ids_are_not_checked(self) -> None:
        variant = Variant("new", {each: Output(each, ("x",), ("x",), "Yes.") for each in ("q1", "q2", "q3")})
        assert check_variant(variant, self.BANK, None) == ()


def test_rankings_without_any_context_are_said_and_no_question_has_a_known_one() -> None:
    """Judged against nothing, every answer would be unfaithful."""
    asked = Bank("bank", tuple(Question(name, f"What is {name}?", ("a",)) for name in ("q1", "q2")))
    chunks = Corpus((Chunk("a", "About a."),))

    def recorded(*contexts: tuple[str, ...]) -> Variant:
        outputs = (Output(name, ("a",), each, "Yes.") for name, each in zip(("q1", "q2"), contexts, strict=True))
        return Variant("v", {each.question: each for each in outputs})

    assert "no_contexts" in [each.code for each in check_variant(recorded((), ()), asked, chunks)]
    assert dict(unknown_contexts(recorded((), ()), chunks)) == {"q1": (), "q2": ()}
    assert "no_contexts" not in [each.code for each in check_variant(recorded(("a",), ()), asked, chunks)]
    assert dict(unknown_contexts(recorded(("a",), ()), chunks)) == {}
