"""Pages to send: a calibration or a comparison as one file that opens anywhere."""

from calibrate.report.blocks import (
    SIMULATED,
    Block,
    Cell,
    Chart,
    Column,
    Confusion,
    Diff,
    Disagreement,
    Disagreements,
    Facts,
    Notes,
    Page,
    Paragraph,
    Preformatted,
    Section,
    Table,
)
from calibrate.report.comparison import JudgePoint, comparison_page
from calibrate.report.cost_chart import CostPoint, Series, cost_chart, letters
from calibrate.report.html import html_page, require_libraries
from calibrate.report.markdown import MOST_IN_MARKDOWN, markdown_page
from calibrate.report.trajectory import OUTCOMES, Outcome, Step, trajectory_chart

__all__ = [
    "MOST_IN_MARKDOWN",
    "OUTCOMES",
    "SIMULATED",
    "Block",
    "Cell",
    "Chart",
    "Column",
    "Confusion",
    "CostPoint",
    "Diff",
    "Disagreement",
    "Disagreements",
    "Facts",
    "JudgePoint",
    "Notes",
    "Outcome",
    "Page",
    "Paragraph",
    "Preformatted",
    "Section",
    "Series",
    "Step",
    "Table",
    "comparison_page",
    "cost_chart",
    "html_page",
    "letters",
    "markdown_page",
    "require_libraries",
    "trajectory_chart",
]
