"""Put items before a judge and read its verdicts."""

from calibrate.judge.ballots import ONCE, Ask, majority, merge_orders, swap_answers, undo_swap
from calibrate.judge.block import DATA_BLOCK_VERSION, block_tags, data_block, input_text, neutralise
from calibrate.judge.claims import Claim, ClaimKind, contains
from calibrate.judge.composition import NO_CLAIMS, check_composed, compose_verdict, factual_claims
from calibrate.judge.judge import PromptJudge
from calibrate.judge.parse import ReplyReader, parse_reply, parse_with_regex
from calibrate.judge.prompt import MAX_PROMPT_BYTES, Prompt, load_prompt
from calibrate.judge.prompts import default_prompt
from calibrate.judge.render import JudgeSettings, render, reply_section
from calibrate.judge.support import LabelRoles, VerifiedClaim, label_roles
from calibrate.judge.tasks import TASKS, Task, needed_inputs, read_task, shown_inputs
from calibrate.judge.verdict_format import ABSTENTION, FORMAT_VERSION, language_of

__all__ = [
    "ABSTENTION",
    "DATA_BLOCK_VERSION",
    "FORMAT_VERSION",
    "MAX_PROMPT_BYTES",
    "NO_CLAIMS",
    "ONCE",
    "TASKS",
    "Ask",
    "Claim",
    "ClaimKind",
    "JudgeSettings",
    "LabelRoles",
    "Prompt",
    "PromptJudge",
    "ReplyReader",
    "Task",
    "VerifiedClaim",
    "block_tags",
    "check_composed",
    "compose_verdict",
    "contains",
    "data_block",
    "default_prompt",
    "factual_claims",
    "input_text",
    "label_roles",
    "language_of",
    "load_prompt",
    "majority",
    "merge_orders",
    "needed_inputs",
    "neutralise",
    "parse_reply",
    "parse_with_regex",
    "read_task",
    "render",
    "reply_section",
    "shown_inputs",
    "swap_answers",
    "undo_swap",
]
