"""Put items before a judge and read its verdicts."""

from calibrate.judge.ballots import ONCE, Ask, majority, merge_orders, swap_answers, undo_swap
from calibrate.judge.block import DATA_BLOCK_VERSION, block_tags, data_block, input_text, neutralise
from calibrate.judge.judge import PromptJudge
from calibrate.judge.parse import ReplyReader, parse_reply, parse_with_regex
from calibrate.judge.prompt import MAX_PROMPT_BYTES, Prompt, load_prompt
from calibrate.judge.prompts import default_prompt
from calibrate.judge.render import JudgeSettings, render
from calibrate.judge.verdict_format import ABSTENTION, FORMAT_VERSION, language_of

__all__ = [
    "ABSTENTION",
    "DATA_BLOCK_VERSION",
    "FORMAT_VERSION",
    "MAX_PROMPT_BYTES",
    "ONCE",
    "Ask",
    "JudgeSettings",
    "Prompt",
    "PromptJudge",
    "ReplyReader",
    "block_tags",
    "data_block",
    "default_prompt",
    "input_text",
    "language_of",
    "load_prompt",
    "majority",
    "merge_orders",
    "neutralise",
    "parse_reply",
    "parse_with_regex",
    "render",
    "swap_answers",
    "undo_swap",
]
