"""Thirty-One: exchange one of three cards each turn, knock, and do not have the lowest hand."""

from typing import Final

from games.thirty_one import facts, record, rulebook, words
from games.thirty_one.rules import ThirtyOne

GAME: Final = ThirtyOne(words=words, rulebook=rulebook, record=record, facts=facts)
