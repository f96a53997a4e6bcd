import pytest

from calibrate.providers.rate_headers import exhausted, retry_after

NOW = 1_767_225_600.0  # 2026-01-01T00:00:00Z


def openai(remaining, reset, limit="requests"):
    return {f"x-ratelimit-remaining-{limit}": remaining, f"x-ratelimit-reset-{limit}": reset}


def anthropic(remaining, reset, limit="requests"):
    return {f"anthropic-ratelimit-{limit}-remaining": remaining, f"anthropic-ratelimit-{limit}-reset": reset}


def wait(headers):
    return exhausted(headers, now=lambda: NOW)


@pytest.mark.parametrize(
    ("reset", "seconds"),
    [
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("20ms", 0.02),
        ("1h2m3.5s", 3723.5),
        ("1d", 86400.0),
        ("0s", 0.0),
        ("250µs", 0.00025),
        (" 7s ", 7.0),
    ],
)
def test_openai_tells_durations(reset, seconds):
    assert wait(openai("0", reset)) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("reset", "seconds"),
    [
        ("2026-01-01T00:01:30Z", 90.0),
        ("2026-01-01T01:01:30+01:00", 90.0),
        ("2026-01-01T00:00:00.250Z", 0.25),
        ("2025-12-31T23:59:00Z", 0.0),
    ],
)
def test_anthropic_tells_moments(reset, seconds):
    assert wait(anthropic("0", reset)) == pytest.approx(seconds)


@pytest.mark.parametrize("limit", ["requests", "tokens"])
def test_each_limit_of_openai_counts(limit):
    assert wait(openai("0", "5s", limit)) == 5.0


@pytest.mark.parametrize("limit", ["requests", "tokens", "input-tokens", "output-tokens"])
def test_each_limit_of_anthropic_counts(limit):
    assert wait(anthropic("0", "2026-01-01T00:00:05Z", limit)) == 5.0


def test_the_last_limit_to_be_reset_decides():
    assert wait({**openai("0", "5s"), **openai("0", "9s", "tokens")}) == 9.0


@pytest.mark.parametrize("remaining", ["1", "59", "-1", "", "none", "0.5"])
def test_a_limit_of_which_something_remains_says_nothing(remaining):
    assert wait({**openai(remaining, "5s"), **anthropic(remaining, "2026-01-01T00:00:05Z")}) is None


@pytest.mark.parametrize(
    "reset", ["", "soon", "9" * 400 + "s", "5", "5 s", "5s later", "1m-5s", "-5s", "s", "5.s", "2026-01-01T00:00:05Z"]
)
def test_a_duration_that_is_none_says_nothing(reset):
    assert wait(openai("0", reset)) is None


@pytest.mark.parametrize("reset", ["", "soon", "5s", "2026-01-01T00:00:05", "2026-13-01T00:00:05Z", "0"])
def test_a_moment_that_is_none_says_nothing(reset):
    assert wait(anthropic("0", reset)) is None


def test_a_limit_without_a_reset_says_nothing():
    assert wait({"x-ratelimit-remaining-requests": "0", "anthropic-ratelimit-tokens-remaining": "0"}) is None
    assert wait({}) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 2.5 "}, 2.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Thu, 01 Jan 2026 00:01:30 GMT"}, 90.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_a_wait_that_is_asked_for(headers, seconds):
    assert retry_after(headers, now=lambda: NOW) == seconds
