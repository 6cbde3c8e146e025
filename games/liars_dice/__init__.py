"""Liar's Dice: bid on the dice of all cups, doubt the bid before you, and be the last with dice."""

from typing import Final

from games.liars_dice import facts, record, rulebook, words
from games.liars_dice.rules import LiarsDice

GAME: Final = LiarsDice(words=words, rulebook=rulebook, record=record, facts=facts)
