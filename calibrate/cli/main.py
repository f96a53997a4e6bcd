"""Entry point: runs a command and turns expected errors into one line and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from calibrate.cli.app import app
from calibrate.cli.options import print_json
from calibrate.console.pipes import spell_out, write
from calibrate.errors import CalibrateError, Interrupted

__all__ = ["main"]

# Typer's own classes for wrong usage; the public name of the base is reached through a public subclass.
_UsageError: type[Exception] = typer.BadParameter.mro()[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code (0 done, 1 threshold, 2 input, 3 provider, 130 interrupted)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    spell_out(sys.stdout)
    try:
        code = app(given, prog_name="calibrate", standalone_mode=False)
    except CalibrateError as error:
        return _failed(str(error), error.status, error.exit_code, given)
    except KeyboardInterrupt:
        return _interrupted(given)
    except _UsageError as error:
        return _usage(error, given)
    except SystemExit as gone:
        if isinstance(gone.__context__, BrokenPipeError):
            return 0  # Typer's answer when the reader of its help has gone (head, less)
        raise
    if code == Interrupted.exit_code:
        return _interrupted(given)  # Typer's answer to Ctrl-C; no command returns it
    return code if isinstance(code, int) else 0


def _interrupted(arguments: Sequence[str]) -> int:
    message = "stopped by the user; run the same command to go on"
    return _failed(message, Interrupted.status, Interrupted.exit_code, arguments)


def _failed(message: str, status: str, code: int, arguments: Sequence[str]) -> int:
    if "--json" in arguments:
        print_json({"schema": 1, "status": status, "error": message})
    write(f"error: {message}\n", sys.stderr)
    return code


def _usage(error: Exception, arguments: Sequence[str]) -> int:
    context = getattr(error, "ctx", None)
    if context is not None and type(error).__name__ == "NoArgsIsHelpError":
        write(context.get_help() + "\n", sys.stdout)
        return 2
    command = context.command_path if context is not None else "calibrate"
    message = getattr(error, "format_message", error.__str__)()
    return _failed(f"{message} (see `{command} --help`)", "bad_input", 2, arguments)
