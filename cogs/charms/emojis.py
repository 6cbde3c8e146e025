"""The cards of Charms as emojis, by their names in texts."""

from typing import Final

from bot.messages.emojis import Drawing
from bot.pictures.blank import GOLD, INK, pip_at, star_pip
from bot.pictures.emoji_tile import emoji_tile, rank_tile
from cogs.charms.artwork import PIPS
from games.charms.cards import KINDS, NUMBER, SIGNS, SUIT_NAMES, SUITS


def _drawing(kind: int) -> Drawing:
    if kind in SUITS:
        return Drawing(SUIT_NAMES[kind].replace(" ", "_"), emoji_tile(pip_at(PIPS[kind], 50, 50, 84)))
    number = str(NUMBER[kind])
    return Drawing(f"number_{number}", rank_tile(number, INK, star_pip(GOLD, INK, 11)))


EMOJIS: Final = {SIGNS[kind]: _drawing(kind) for kind in KINDS}
