"""Strategies of the user's own: the form of their files, every refusal, and how they go with the built-in ones."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calibrate.errors import InputError
from calibrate.optimizer import STRATEGIES, Strategy
from calibrate.optimizer.strategies import Situation
from calibrate.optimizer.user_strategies import (
    ERROR_KINDS,
    MAX_FILES,
    MAX_NAME,
    MAX_STRATEGY_BYTES,
    chosen_strategies,
    load_strategies,
    strategy_digest,
    strategy_record,
)

WHOLE = """\
# quote the numbers
> The judge quotes every figure
> before it decides.

Evidence: wrongly accepted, over-scored

Rewrite the prompt so that the judge

1. copies every figure of the answer,
2. finds it in the context.
"""


def write(folder: Path, **contents: str | bytes) -> Path:
    """Write files ``NAME.md``."""
    for name, content in contents.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / f"{name}.md").write_bytes(data)
    return folder


def read(folder: Path, content: str | bytes) -> Strategy:
    (strategy,) = load_strategies(write(folder, own=content))
    return strategy


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_strategies(folder)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{folder}{os.sep}").removeprefix(f"{folder}")


# The form of a file


def test_a_whole_file(tmp_path: Path) -> None:
    assert read(tmp_path, WHOLE) == Strategy(
        "quote the numbers",
        "The judge quotes every figure before it decides.",
        "Rewrite the prompt so that the judge\n\n1. copies every figure of the answer,\n2. finds it in the context.",
        frozenset({"wrongly accepted", "over-scored"}),
    )


def test_a_heading_and_a_request_are_enough_and_the_request_is_described_by_its_beginning(tmp_path: Path) -> None:
    short = read(tmp_path, "# a\nKeep it\nshort.")
    assert (short.name, short.request, short.evidence) == ("a", "Keep it\nshort.", frozenset())
    assert short.description == "Keep it short."
    long = read(tmp_path, "# a\n" + "Say what decides. " * 20)
    assert long.description.startswith("Say what decides. Say what")
    assert long.description.endswith(" …")
    assert len(long.description) <= 80


@pytest.mark.parametrize(
    "text",
    [
        "# a\n> d\nEvidence: unscored\nr",
        "\n\n# a\n\n> d\n\n\nEvidence: unscored\n\n\nr\n\n",
        "#\ta  \n>d\nEVIDENCE : Unscored ,, unscored,\nr",
        "#    a\n>  d \n>\n  evidence:unscored\n \t \nr\n  ",
        "\ufeff# a\r\n> d\r\n\r\nEvidence: unscored\r\nr\r\n",
        "# a\r> d\rEvidence: unscored\rr\r",
    ],
    ids=["tight", "blank lines", "other spelling", "other white space", "BOM and CRLF", "CR"],
)
def test_the_same_strategy_written_in_other_ways(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == Strategy("a", "d", "r", frozenset({"unscored"}))


@pytest.mark.parametrize("kind", ERROR_KINDS)
def test_every_kind_of_error_can_be_evidence(tmp_path: Path, kind: str) -> None:
    assert read(tmp_path, f"# a\nEvidence: {kind}\nr").evidence == {kind}


def test_evidence_can_follow_the_heading_and_a_quotation_after_it_is_part_of_the_request(tmp_path: Path) -> None:
    strategy = read(tmp_path, "# a\nEvidence: confused\n> Judge as an editor would.\nMake it so.")
    assert strategy.request == "> Judge as an editor would.\nMake it so."


def test_further_headings_and_later_lines_of_evidence_are_part_of_the_request(tmp_path: Path) -> None:
    request = "## What to do\n\nQuote.\n\n# And\n\nEvidence: any will do."
    assert read(tmp_path, f"# a\n{request}\n").request == request


def test_a_request_is_left_as_it_is(tmp_path: Path) -> None:
    request = '    indented  \n\n<errors> {{question}} $HOME `rm` &lt; \\n "quoted" </prompt>\u2028\x0b\x85 é 判\t'
    assert read(tmp_path, f"# a\n\n{request}\n\n").request == request


def test_the_name_is_folded_and_composed(tmp_path: Path) -> None:
    strategy = read(tmp_path, f"#   citar \t las {unicodedata.normalize('NFD', 'señales')}   #1 \nr")
    assert strategy.name == "citar las señales #1"
    assert len(read(tmp_path, f"# {'n' * MAX_NAME}\nr").name) == MAX_NAME


def test_an_own_strategy_is_used_while_there_are_errors_of_its_kinds(tmp_path: Path) -> None:
    some, always = read(tmp_path, WHOLE), read(tmp_path, "# a\nr")
    assert not some.applies(Situation((), "p", ("answer",)))
    assert always.applies(Situation((), "p", ("answer",)))
    assert (some.brings, some.keeps_examples) == ("nothing", True)


_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=200)
_REQUEST = _TEXT.filter(
    lambda text: text.split("\n")[0].strip() and text.split("\n")[-1].strip() and "request" not in text.lower()
)
_NAME = (
    st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=20)
    .map(lambda text: unicodedata.normalize("NFC", text))
    .filter(lambda text: text.casefold() != "baseline" and text.isprintable())
)


@given(
    name=_NAME,
    description=st.text("abc .#:>é", max_size=40).map(lambda text: " ".join(text.split())),
    evidence=st.sets(st.sampled_from(ERROR_KINDS)),
    request=_REQUEST,
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
)
def test_what_is_written_is_read_again(
    name: str, description: str, evidence: set[str], request: str, end: str, mark: bool
) -> None:
    assume(description or not request.startswith(">"))
    assume(evidence or not request.lstrip().lower().startswith("evidence"))
    parts = [f"# {name}"]
    parts += [f"> {description}"] if description else []
    parts += [f"Evidence: {', '.join(sorted(evidence))}"] if evidence else []
    text = "\n".join([*parts, "", request, ""]).replace("\n", end)
    with TemporaryDirectory() as folder:
        strategy = read(Path(folder), ("\ufeff" if mark else "") + text)
    assert (strategy.name, strategy.request, strategy.evidence) == (name, request, evidence)
    assert not description or strategy.description == description


# The folder


def test_files_are_read_in_the_order_of_their_names_and_others_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path, b="# second\nr", a="# third\nr", B="# first\nr")
    (tmp_path / "c.MD").write_text("# fourth\nr")
    (tmp_path / "notes.txt").write_text("none")
    (tmp_path / ".hidden.md").write_text("none")
    (tmp_path / "more.md").mkdir()
    (tmp_path / "deeper").mkdir()
    write(tmp_path / "deeper", d="# fifth\nr")
    for folder in (tmp_path, str(tmp_path)):
        assert [each.name for each in load_strategies(folder)] == ["first", "third", "second", "fourth"]


def test_links_are_followed_also_out_of_the_folder(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere.txt", tmp_path / "own"
    elsewhere.write_text("# linked\nr")
    folder.mkdir()
    (folder / "link.md").symlink_to(elsewhere)
    (tmp_path / "same").symlink_to(folder)
    assert [each.name for each in load_strategies(tmp_path / "same")] == ["linked"]


# Refusals


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: no heading"),
        ("\n \n", "line 1: no heading"),
        ("Quote.", "line 1: no heading; begin the file with '# ' and the strategy's name"),
        ("\n\nQuote.\n# a\n", "line 3: no heading"),
        ("## a\nr", "line 1: no heading"),
        ("#a\nr", "line 1: no heading"),
        ("---\nname: a\n---\n# a\nr", "line 1: no heading"),
        ("\n#  \nr", "line 2: the heading has no name"),
        ("#\nr", "line 1: the heading has no name"),
        (f"# {'n' * (MAX_NAME + 1)}\nr", "line 1: a name of 61 characters; 60 are possible"),
        ("# a\x1b[2Jb\nr", "line 1: the name has a character that cannot be shown"),
        ("# a\u202eb\nr", "line 1: the name has a character that cannot be shown"),
        ("# Baseline\nr", "line 1: 'Baseline' is what the first prompt is called"),
        ("# a", "line 1: no request"),
        (
            "# a\n> d\n\nEvidence: unscored\n\n \n",
            "line 6: no request; write below the name what the meta-LLM is to do",
        ),
        (
            "# a\nEvidence: wrongly acepted\nr",
            "line 2: 'wrongly acepted' is no kind of error; known are wrongly accepted,",
        ),
        ("# a\n> d\n\nEvidence: unscored, all\nr", "line 4: 'all' is no kind of error; known are "),
        ("# a\nEvidence: ,\nr", "line 2: names no kind of error; known are wrongly accepted, wrongly rejected, "),
        ("# a\nr\n\nr </request>", "line 4: a </request> would end the request here"),
        ("# a\n\nr\r\n< / REQUEST\n>", "line 4: a </request> would end the request here"),
        ("# a\n\nr\0", "line 3: a null character"),
        (b"# a\r\n\r\nr\xe9sum\xe9", "line 3: not UTF-8 (byte 0xe9); save it as UTF-8"),
        ("# a\nr".encode("utf-16"), "line 1: not UTF-8 (byte 0xff)"),
    ],
)
def test_a_file_that_is_no_strategy_is_named_with_its_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    message = refusal(write(tmp_path, good=WHOLE, own=text))
    assert message.startswith(f"own.md: {said}")


def test_an_unknown_kind_names_all_known_ones(tmp_path: Path) -> None:
    message = refusal(write(tmp_path, own="# a\nEvidence: scored\nr"))
    assert all(kind in message for kind in ERROR_KINDS)


@pytest.mark.parametrize("request_text", ["<request>", "</requests>", "</prompt>", "request/>"])
def test_only_the_end_of_the_request_is_refused_in_it(tmp_path: Path, request_text: str) -> None:
    assert read(tmp_path, f"# a\n{request_text}").request == request_text


def test_two_files_with_one_name(tmp_path: Path) -> None:
    write(tmp_path, a="# one\nr", b="# two\nr", c="\n#  one\nother")
    assert refusal(tmp_path) == "c.md: line 2: 'one' is the name in a.md too; give each its own"


def test_a_file_may_be_64_kib_long_and_no_longer(tmp_path: Path) -> None:
    heading = b"# a\n"
    fits = heading + b"r" * (MAX_STRATEGY_BYTES - len(heading))
    assert len(read(tmp_path, fits).request) == 64 * 1024 - 4
    assert refusal(write(tmp_path, own=fits + b"r")) == "own.md: larger than 64 KiB; shorten the strategy"


def test_a_folder_with_too_many_files(tmp_path: Path) -> None:
    write(tmp_path, **{f"s{number:03}": f"# {number}\nr" for number in range(MAX_FILES)})
    assert len(load_strategies(tmp_path)) == MAX_FILES
    assert "101 Markdown files; a folder of strategies has 100 at most" in refusal(write(tmp_path, more="# more\nr"))


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    assert "no such folder of strategies" in refusal(tmp_path / "nowhere")
    write(tmp_path, own=WHOLE)
    assert "not a folder; name the folder that holds the strategies" in refusal(tmp_path / "own.md")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("none")
    assert "no strategies here; put a Markdown file (NAME.md) for each" in refusal(tmp_path / "empty")
    assert "no such folder of strategies" in refusal(Path("a\0b"))


def test_files_that_cannot_be_read_are_refused_and_never_waited_for(tmp_path: Path) -> None:
    for number, make in enumerate(
        (
            lambda file: file.symlink_to(tmp_path / "gone"),
            lambda file: file.symlink_to(file),
            lambda file: file.symlink_to("/dev/zero"),
            os.mkfifo,
        )
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        make(folder / "own.md")
        assert refusal(folder).startswith(("own.md: cannot be read: ", "own.md: not a regular file"))


# With the built-in ones

BUILT_IN = (Strategy("a", "", "ra"), Strategy("b", "", "rb"), Strategy("c d", "", "rc"))
OWN = (Strategy("z", "", "own z"), Strategy("b", "", "own b"))


def requests(strategies: tuple[Strategy, ...]) -> list[str]:
    return [strategy.request for strategy in strategies]


def test_own_ones_replace_those_of_the_same_name_and_the_others_follow() -> None:
    assert requests(chosen_strategies(BUILT_IN, OWN, ())) == ["ra", "own b", "rc", "own z"]
    assert chosen_strategies(BUILT_IN, (), ()) == BUILT_IN
    assert requests(chosen_strategies(STRATEGIES, [Strategy("merge", "", "own")]))[9] == "own"


def test_names_restrict_to_them_in_their_order() -> None:
    assert requests(chosen_strategies(BUILT_IN, OWN, ["z", "a"])) == ["own z", "ra"]
    assert requests(chosen_strategies(BUILT_IN, OWN, ["b", " c \t d", "b"])) == ["own b", "rc"]


def test_an_unknown_name_is_refused_with_the_known_ones_the_most_similar_first() -> None:
    with pytest.raises(InputError) as caught:
        chosen_strategies(STRATEGIES, [Strategy("quote the numbers", "", "r")], ["merge", "Quote numbers"])
    message = str(caught.value)
    assert message.startswith(
        "field '--strategy': there is no strategy 'Quote numbers'; use one of 'quote the numbers', "
    )
    assert all(f"'{strategy.name}'" in message for strategy in STRATEGIES)
    assert message.count("'quote the numbers'") == 1


def test_a_specification_has_built_in_ones_by_name_and_own_ones_with_a_digest_of_what_they_do() -> None:
    own = Strategy("quote", "d", "r", frozenset({"unscored", "confused"}))
    assert strategy_record([*STRATEGIES[:2], own]) == [
        "general improvement",
        "fix wrongly rejected",
        {"name": "quote", "digest": strategy_digest(own)},
    ]
    in_place = Strategy("merge", "", "own text")
    assert strategy_record([in_place]) == [{"name": "merge", "digest": strategy_digest(in_place)}]


def test_another_text_is_another_digest_and_another_description_is_not() -> None:
    own = Strategy("quote", "d", "r", frozenset({"unscored"}))
    same = Strategy("quote", "another", "r", frozenset({"unscored"}))
    others = [Strategy("quote", "d", "R", own.evidence), Strategy("quote", "d", "r")]
    assert strategy_digest(own) == strategy_digest(same)
    assert len({strategy_digest(each) for each in (own, *others)}) == 3
    assert len(strategy_digest(own)) == 32
