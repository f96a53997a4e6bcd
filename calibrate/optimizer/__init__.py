"""The search for a judge prompt that agrees with the experts."""

from calibrate.optimizer.loop import Limits, Outcome, optimize
from calibrate.optimizer.meta_prompt import META_PROMPT_VERSION, MetaTask
from calibrate.optimizer.strategies import STRATEGIES, Strategy
from calibrate.optimizer.trials import Candidate, Evaluation, Misjudged, Remembered, StopReason, Trial, misjudged

__all__ = [
    "META_PROMPT_VERSION",
    "STRATEGIES",
    "Candidate",
    "Evaluation",
    "Limits",
    "MetaTask",
    "Misjudged",
    "Outcome",
    "Remembered",
    "StopReason",
    "Strategy",
    "Trial",
    "misjudged",
    "optimize",
]
