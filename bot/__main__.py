"""`python -m bot` plays on Discord; `python -m bot --sandbox` on a local stand-in for it, without a token."""

import os
import sys
from io import TextIOWrapper
from pathlib import Path

from bot.cli.stopping import GOES_ON, Stop

STDOUT, STDERR = 1, 2
"""File descriptors."""
OLDEST_PYTHON = (3, 11)
QUICK = ({"--quick"}, {"--quick", "--json"})
"""Options of `doctor` that need only a small part of the bot."""


def main() -> int:
    """Run until stopped. Return the exit status."""
    if sys.version_info < OLDEST_PYTHON:
        oldest, present = (".".join(map(str, each)) for each in (OLDEST_PYTHON, sys.version_info[:3]))
        sys.stderr.write(f"Palmhouse needs Python {oldest} or newer; this is Python {present}.\n")
        return 2
    _write_any_sign()
    stop = Stop(GOES_ON)
    stop.listen()
    try:
        return _run(stop)
    except ModuleNotFoundError as error:
        if Path(__file__).parents[1].joinpath(str(error.name).partition(".")[0]).exists():
            raise  # a module of the bot itself
        sys.stderr.write(
            f"The library {error.name} is not installed. Install all libraries: "
            "`.venv/bin/pip install --require-hashes -r requirements.txt`.\n"
        )
        return 2


def _write_any_sign() -> None:
    """Let stdout and stderr show a question mark where their encoding lacks a sign."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # None if the process was started without it
            stream.reconfigure(errors="replace")


def _run(stop: Stop) -> int:
    try:
        try:
            if sys.argv[1:2] == ["doctor"] and {*sys.argv[2:]} in QUICK:
                from bot.cli.quick_doctor import main as diagnose

                return diagnose(sys.argv)
            # The rest takes a second to import; Ctrl+C meanwhile must print a sentence, not a traceback.
            from bot.cli.command_line import arguments, start

            return start(arguments(), stop)
        finally:
            if sys.stdout:  # None if the process was started without it
                sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has ended, as `head` does. What is not written yet is dropped.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (STDOUT, STDERR):
            os.dup2(nowhere, stream)
        return 1


if __name__ == "__main__":
    sys.exit(main())
