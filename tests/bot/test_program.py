"""Texts name the command that starts the bot."""

from pathlib import Path

from bot.program import PROGRAM, command


def test_a_package_has_a_command_of_its_own() -> None:
    assert command(Path("/venv/lib/python3.11/site-packages")) == "palmhouse"
    assert command(Path("/opt/palmhouse")) == PROGRAM == "python -m bot"
