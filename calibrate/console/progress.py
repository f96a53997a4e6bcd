"""Progress on stderr: what is being done, how fast, what it has cost, and how long it will take."""

from __future__ import annotations

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from calibrate.console.style import PlainConsole
from calibrate.domain import Judgement
from calibrate.optimizer import Trial
from calibrate.runner import BatchCounts

__all__ = ["ConsoleProgress"]


class ConsoleProgress:
    """Draws a bar on a terminal; writes one line for each piece of news where there is none."""

    def __init__(self) -> None:
        self._console = PlainConsole(stderr=True)
        self._progress: Progress | None = None
        self._task = TaskID(0)
        self._spent, self._unknown = 0.0, False
        self._counts: BatchCounts | None = None

    def note(self, text: str) -> None:
        """Something a user should know."""
        self._console.print(f"note: {text}", style="dim", markup=False, soft_wrap=True)

    def begin(self, title: str, total: int) -> None:
        """``total`` judge calls are about to start."""
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("{task.fields[spent]}"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._progress.add_task(title, total=total, rate="", spent="")
        self._progress.start()

    def judged(self, judgement: Judgement) -> None:
        """One of them is done and recorded."""
        if judgement.paid and judgement.response is not None:
            if judgement.response.cost is None:
                self._unknown = True
            else:
                self._spent += judgement.response.cost
        if self._progress is not None:
            speed = self._progress.tasks[self._task].speed
            spent = f"${self._spent:.4f}" + (" + unknown" if self._unknown else "")
            self._progress.update(self._task, advance=1, rate=f"{speed:.0f}/s" if speed else "", spent=spent)

    def polled(self, counts: BatchCounts) -> None:
        """So far have the batches come."""
        if counts != self._counts:
            self._counts = counts
            batches = "1 batch" if counts.jobs == 1 else f"{counts.jobs} batches"
            self.note(f"{batches} at the provider: {counts.done:,} of {counts.total:,} requests done")

    def end(self) -> None:
        """All of them are done, or the work stopped."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def tried(self, trial: Trial, score: str = "alignment") -> None:
        """The optimizer has scored, stopped or rejected a candidate; ``score`` is what it is ranked by."""
        candidate = trial.candidate
        where = f"iteration {candidate.iteration}, {candidate.strategy}" if candidate.number else "baseline"
        stopped = "" if trial.evaluation is None else trial.evaluation.stopped
        result = stopped or f"rejected: {trial.rejected}"
        if trial.score is not None:
            result = f"{score} {trial.score:.4f}"
        self._console.print(f"#{candidate.number} {where}: {result}", markup=False, soft_wrap=True)
