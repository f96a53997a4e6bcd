import pytest

from calibrate.providers.parameters import Form, Parameters

SCHEMA = Form("schema", ("response_format", "schema"))
OBJECT = Form("object", ("response_format",))
LIMIT = Form("limit", ("limit",), unless=("too large",))


def parameters():
    return Parameters({"format": (SCHEMA, OBJECT, None), "limit": (LIMIT,)})


def sent(learned):
    return {option: form.name for option, form in learned.forms.items() if form}


def test_at_first_the_preferred_forms_are_sent_and_nothing_is_dropped():
    assert parameters().forms == {"format": SCHEMA, "limit": LIMIT}
    assert parameters().dropped == ()


def test_each_refusal_leads_to_the_next_form_until_the_option_is_left_out():
    learned = parameters()
    assert learned.learn("bad response_format", sent(learned))
    assert learned.forms["format"] is OBJECT
    assert learned.dropped == ("schema (object instead)",)
    assert learned.learn("bad response_format", sent(learned))
    assert learned.forms["format"] is None
    assert learned.dropped == ("schema",)


def test_a_late_refusal_of_an_early_form_does_not_bring_a_refused_one_back():
    learned = parameters()
    early = sent(learned)
    learned.learn("bad response_format", early)
    learned.learn("bad response_format", sent(learned))
    assert learned.learn("bad response_format", early)
    assert learned.forms["format"] is None


def test_the_last_form_of_an_option_that_must_be_said_is_kept():
    learned = parameters()
    assert not learned.learn("bad limit", sent(learned))
    assert learned.forms["limit"] is LIMIT


@pytest.mark.parametrize("refusal", ["", "something else", "schematic", "my_schema", "limits", "limit too large"])
def test_a_refusal_that_names_no_form_teaches_nothing(refusal):
    learned = parameters()
    assert not learned.learn(refusal, sent(learned))
    assert learned.dropped == ()


@pytest.mark.parametrize("refusal", ["Schema!", "'schema'", "body.schema.name: no", "SCHEMA"])
def test_a_form_is_named_in_whole_words_of_any_case(refusal):
    learned = parameters()
    assert learned.learn(refusal, sent(learned))
