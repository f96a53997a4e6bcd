"""A judge: a prompt, a model and its settings, for one scale."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from calibrate.domain import Item, ModelRequest, ModelResponse, Scale, Scored, Verdict, digest
from calibrate.judge.ballots import ONCE, Ask, swap_answers
from calibrate.judge.block import DATA_BLOCK_VERSION
from calibrate.judge.claims import read_split
from calibrate.judge.parse import ReplyReader, parse_reply, parse_with_regex
from calibrate.judge.prompt import Prompt
from calibrate.judge.questions import read_similarities
from calibrate.judge.render import JudgeSettings, render
from calibrate.judge.support import read_verification
from calibrate.judge.tasks import check_task
from calibrate.judge.verdict_format import FORMAT_VERSION

__all__ = ["PromptJudge"]


@dataclass(frozen=True, slots=True)
class PromptJudge:
    """A judge of one verdict per item.

    Attributes:
        prompt: its instructions.
        model: the model's name, such as ``openai:gpt-4.1``.
        scale: the labels it may give.
        settings: how it is asked.

    Raises:
        InputError: ``settings.parse`` is not ``label=REGEX``, or its task has no labels on this scale.
    """

    prompt: Prompt
    model: str
    scale: Scale
    settings: JudgeSettings = field(default_factory=JudgeSettings)

    def __post_init__(self) -> None:
        _reader(self.settings.parse)
        check_task(self.settings.task, self.scale)

    def request(self, item: Item, ask: Ask = ONCE) -> ModelRequest:
        """Return the request for one item, asked in one of the ways that make up the verdict.

        Raises:
            InputError: the prompt places an input that the item does not have or its task does not show, or the item
                lacks what the task needs, or has no two answers to exchange.
        """
        request = render(self.prompt, swap_answers(item) if ask.swapped else item, self.scale, self.settings)
        return replace(request, repeat=ask.repeat) if ask.repeat else request

    def read(self, response: ModelResponse, item: Item | None = None) -> Verdict:
        """Read the verdict on an item of a response. Never raises for any text.

        A confidence that the reply states goes before the one that its tokens had.

        Args:
            response: the response.
            item: what was judged; claims are held against it, a plain verdict is read without.
        """
        if self.settings.task == "questions":
            return read_similarities(response.text, response.finish, self.scale)
        if self.settings.task != "verdict":
            assert item is not None, "claims are read with the item that they belong to"
            read_claims = read_split if self.settings.task == "split" else read_verification
            return read_claims(response.text, response.finish, self.scale, item)
        verdict = _reader(self.settings.parse)(response.text, response.finish, self.scale)
        if isinstance(verdict, Scored) and verdict.confidence is None and response.confidence is not None:
            return replace(verdict, confidence=response.confidence)
        return verdict

    @property
    def digest(self) -> str:
        """Content digest of prompt, model, scale, settings and the versions of the formats around them."""
        return digest(
            {
                "prompt": self.prompt.digest,
                "model": self.model,
                "scale": self.scale.to_json(),
                "settings": self.settings.to_json(),
                "format": FORMAT_VERSION,
                "data_block": DATA_BLOCK_VERSION,
            }
        )


@lru_cache(maxsize=64)
def _reader(parse: str | None) -> ReplyReader:
    return parse_reply if parse is None else parse_with_regex(parse)
