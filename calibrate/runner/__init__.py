"""Many judge calls at once, each recorded before it counts."""

from calibrate.runner.batch import BatchCounts, run_batch
from calibrate.runner.jobs import Budget, Job, Jobs
from calibrate.runner.pool import Task, run

__all__ = ["BatchCounts", "Budget", "Job", "Jobs", "Task", "run", "run_batch"]
