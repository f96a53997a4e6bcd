"""Many judge calls at once, each recorded before it counts."""

from calibrate.runner.pool import Task, run

__all__ = ["Task", "run"]
