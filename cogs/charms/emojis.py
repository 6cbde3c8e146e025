"""The cards of Charms as emojis, by their names in texts."""

from typing import Final

from bot.pictures.blank import GOLD, INK, pip_at, star_pip
from bot.pictures.decks.charms import PIPS
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.emoji_tile import emoji_tile, rank_tile
from games.charms.cards import KINDS, NUMBER, SIGNS, SUIT_NAMES, SUITS


def _drawing(kind: int) -> EmojiDrawing:
    if kind in SUITS:
        return EmojiDrawing(SUIT_NAMES[kind].replace(" ", "_"), emoji_tile(pip_at(PIPS[kind], 50, 50, 84)))
    number = str(NUMBER[kind])
    return EmojiDrawing(f"number_{number}", rank_tile(number, INK, star_pip(GOLD, INK, 11)))


EMOJIS: Final = {SIGNS[kind]: _drawing(kind) for kind in KINDS}
