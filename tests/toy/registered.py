"""The toy beside the bot's own games."""

import sys
from importlib import import_module

import pytest

from games import GAMES
from tests.toy import GAME

LISTS = ("play", "practice", "profile.cog", "profile", "standings.cog", "standings")
"""Modules of `cogs` that build a list of all games when they are imported, a module before its package."""


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer the toy until the end of the test. Call it before the bot starts."""
    known = [import_module(f"cogs.{name}") for name in LISTS]  # before they can list the toy
    monkeypatch.setitem(GAMES, GAME.slug, GAME)
    for own in known:
        package, _, module = own.__name__.rpartition(".")
        monkeypatch.setattr(sys.modules[package], module, own)  # back at the end, with the line below
        monkeypatch.delitem(sys.modules, own.__name__)
