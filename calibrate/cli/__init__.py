"""The command line: parse, call one workflow, render."""

from calibrate.cli.main import main

__all__ = ["main"]
