"""The search for a judge prompt that agrees with the experts."""

from calibrate.optimizer.examples import instructions_of
from calibrate.optimizer.loop import Outcome, optimize
from calibrate.optimizer.meta_prompt import META_PROMPT_VERSION, MetaTask
from calibrate.optimizer.objective import Objective
from calibrate.optimizer.patterns import Pattern
from calibrate.optimizer.policies import POLICIES, Policy
from calibrate.optimizer.procedure import Limits, Procedure
from calibrate.optimizer.scoring import Job, Scorer, Stopping
from calibrate.optimizer.strategies import STRATEGIES, Strategy
from calibrate.optimizer.trials import (
    Candidate,
    Evaluation,
    Memory,
    Misjudged,
    Remembered,
    StopReason,
    Trial,
    is_right,
    misjudged,
)

__all__ = [
    "META_PROMPT_VERSION",
    "POLICIES",
    "STRATEGIES",
    "Candidate",
    "Evaluation",
    "Job",
    "Limits",
    "Memory",
    "MetaTask",
    "Misjudged",
    "Objective",
    "Outcome",
    "Pattern",
    "Policy",
    "Procedure",
    "Remembered",
    "Scorer",
    "StopReason",
    "Stopping",
    "Strategy",
    "Trial",
    "instructions_of",
    "is_right",
    "misjudged",
    "optimize",
]
