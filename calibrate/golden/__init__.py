"""Golden sets, recorded verdicts, and the tables they come from."""

from calibrate.golden.card import CARD_NAME
from calibrate.golden.check import Finding, check
from calibrate.golden.holdout import HOLDOUT_FROM, HOLDOUT_SHARE, choose_sides, folds, side_key, split
from calibrate.golden.load import LoadedSet, load_golden
from calibrate.golden.locate import builtin_sets
from calibrate.golden.merge import MergeResult, merge
from calibrate.golden.options import LoadOptions
from calibrate.golden.recorded import Recorded, load_recorded
from calibrate.golden.recorded_options import RecordedOptions
from calibrate.golden.tables import Table, read_table
from calibrate.golden.writing import refuse_overwriting, write_csv, write_json_lines, write_text

__all__ = [
    "CARD_NAME",
    "HOLDOUT_FROM",
    "HOLDOUT_SHARE",
    "Finding",
    "LoadOptions",
    "LoadedSet",
    "MergeResult",
    "Recorded",
    "RecordedOptions",
    "Table",
    "builtin_sets",
    "check",
    "choose_sides",
    "folds",
    "load_golden",
    "load_recorded",
    "merge",
    "read_table",
    "refuse_overwriting",
    "side_key",
    "split",
    "write_csv",
    "write_json_lines",
    "write_text",
]
