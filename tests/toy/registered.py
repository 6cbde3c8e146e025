"""The toy beside the bot's own games."""

import sys

import pytest

from games import GAMES
from tests.toy import GAME

LIST_GAMES = ("cogs.practice", "cogs.profile.cog", "cogs.profile", "cogs.standings.cog", "cogs.standings")
"""Modules that build a list of all games when they are imported, a module before its package."""


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer the toy until the end of the test. Call it before the bot starts."""
    monkeypatch.setitem(GAMES, GAME.slug, GAME)
    for name in LIST_GAMES:
        known = sys.modules.get(name)
        if known is not None:
            package, _, module = name.rpartition(".")
            monkeypatch.setattr(sys.modules[package], module, known)  # back at the end, with the line below
            monkeypatch.delitem(sys.modules, name)
