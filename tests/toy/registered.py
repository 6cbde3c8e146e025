"""The toy beside the bot's own games."""

import sys
from importlib import import_module

import pytest

from games import GAMES
from tests.toy import GAME

LIST_GAMES = ("cogs.practice", "cogs.profile.cog", "cogs.profile", "cogs.standings.cog", "cogs.standings")
"""Modules that build a list of all games when they are imported, a module before its package."""


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer the toy until the end of the test. Call it before the bot starts."""
    known = {name: import_module(name) for name in LIST_GAMES}  # before they can list the toy
    monkeypatch.setitem(GAMES, GAME.slug, GAME)
    for name, own in known.items():
        package, _, module = name.rpartition(".")
        monkeypatch.setattr(sys.modules[package], module, own)  # back at the end, with the line below
        monkeypatch.delitem(sys.modules, name)
