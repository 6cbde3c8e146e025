"""Thirty-One: three cards, one of them exchanged each turn, a knock, and tokens for the lowest hand."""

from typing import Final

from games.thirty_one.rules import ThirtyOne

__all__ = ["GAME"]

GAME: Final = ThirtyOne()
