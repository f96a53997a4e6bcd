import math

import pytest

from calibrate.providers.logprobs import label_probability


def token(text, probability, **changes):
    data = text if isinstance(text, bytes) else text.encode()
    whole = {"token": data.decode("utf-8", "replace"), "bytes": list(data), "logprob": math.log(probability)}
    return {**whole, **changes}


def told(*pairs):
    """The reply that these tokens make, and the tokens."""
    tokens = [token(*pair) for pair in pairs]
    return b"".join(bytes(each["bytes"]) for each in tokens).decode(), tokens


@pytest.mark.parametrize(
    ("pairs", "probability"),
    [
        # One token is the label.
        ([('{"label": "', 0.5), ("1", 0.9), ('"}', 0.5)], 0.9),
        # The label is several tokens.
        ([('{"label": "', 0.5), ("par", 0.8), ("tial", 0.5), ('"}', 0.5)], 0.4),
        # Tokens straddle the quotation marks and what is around them.
        ([('{"label', 0.5), ('": "', 0.5), ('yes"}', 0.7)], 0.7),
        ([('{"label": "no', 0.25), ('"}', 0.5)], 0.25),
        ([('{"label":"a', 0.5), ('b"', 0.5), ("}", 0.1)], 0.25),
        # The last field counts, not one that is considered before it, nor one in the reasoning.
        ([('{"label": "', 0.5), ("0", 0.1), ('"}\n{"label": "', 0.5), ("1", 0.9), ('"}', 0.5)], 0.9),
        ([('{"reasoning": "\\"label\\": \\"0\\"", "label": "', 0.5), ("1", 0.9), ('"}', 0.5)], 0.9),
        ([('{"label": "', 0.5), ("1", 0.9), ('", "reasoning": "the label: \\"x\\""}', 0.5)], 0.9),
        # Numbers have no quotation marks.
        ([('{"label": ', 0.5), ("7", 0.5), (".5", 0.5), ("}", 0.1)], 0.25),
        ([('{"label":', 0.5), (" -1}", 0.75)], 0.75),
        # A character of two bytes in two tokens, and whitespace as a model likes it.
        ([('{\n  "label" : "s', 0.5), (b"\xc3", 0.5), (b"\xad", 0.5), ('"\n}', 0.1)], 0.125),
        # A label with an escaped quotation mark.
        ([('{"label": "', 0.5), ('a\\"b', 0.5), ('"}', 0.1)], 0.5),
    ],
)
def test_the_tokens_that_hold_the_label_are_multiplied(pairs, probability):
    assert label_probability(*told(*pairs)) == pytest.approx(probability)


def test_without_bytes_the_text_of_a_token_counts():
    text, tokens = told(('{"label": "', 0.5), ("sí", 0.9), ('"}', 0.5))
    assert label_probability(text, [{**each, "bytes": None} for each in tokens]) == pytest.approx(0.9)


def test_a_token_that_ends_the_reply_does_no_harm():
    text, tokens = told(('{"label": "', 0.5), ("1", 0.9), ('"}', 0.5))
    assert label_probability(text, [*tokens, token("<|end|>", 0.5)]) == pytest.approx(0.9)


@pytest.mark.parametrize(
    "pairs",
    [
        [("yes", 0.9)],
        [('{"verdict": "', 0.5), ("1", 0.9), ('"}', 0.5)],
        [('{"label": "', 0.5), ("1", 0.9)],  # cut off: the label may go on
        [('{"label": "1"}, {"label": ', 0.5), ("[1]", 0.9)],
        [('{"label": ""}', 0.5)],
    ],
)
def test_a_reply_that_states_no_label_has_no_probability(pairs):
    assert label_probability(*told(*pairs)) is None


def test_tokens_of_another_reply_tell_nothing():
    _, tokens = told(('{"label": "', 0.5), ("1", 0.9), ('"}', 0.5))
    assert label_probability('{"label": "0"}', tokens) is None


@pytest.mark.parametrize("tokens", [None, [], "tokens", {}, [None], [3], [{}], [{"bytes": [300]}], [{"bytes": ["a"]}]])
def test_what_is_no_list_of_tokens_tells_nothing(tokens):
    assert label_probability('{"label": "1"}', tokens) is None


@pytest.mark.parametrize("logprob", [None, "0", True, math.nan, math.inf, 0.7, 10**400])
def test_a_log_probability_that_cannot_be_tells_nothing(logprob):
    text, tokens = told(('{"label": "', 0.5), ("1", 0.9), ('"}', 0.5))
    tokens[1]["logprob"] = logprob
    assert label_probability(text, tokens) is None


@pytest.mark.parametrize(
    ("logprob", "probability"), [(-9999.0, 0.0), (-math.inf, 0.0), (-(10**400), 0.0), (1e-9, 1.0), (0, 1.0)]
)
def test_the_ends_of_the_scale(logprob, probability):
    text, tokens = told(('{"label": "', 0.5), ("1", 0.9), ('"}', 0.5))
    tokens[1]["logprob"] = logprob
    assert label_probability(text, tokens) == probability
