"""Charms: a trick-taking game in which a card has a suit or a number, and the cards before you count again."""

from typing import Final

from games.charms import facts, record, rulebook, words
from games.charms.rules import Charms

GAME: Final = Charms(words=words, rulebook=rulebook, record=record, facts=facts)
