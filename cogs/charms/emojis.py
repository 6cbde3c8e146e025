"""The deck of Charms as emojis, by a card's form for people."""

from typing import Final

from bot.messages.emojis import Drawing
from bot.pictures.blank import GOLD, INK, placed, starred
from bot.pictures.tile import ranked, tile
from cogs.charms.faces import PIPS
from games.charms.cards import KINDS, NUMBER, SIGNS, SUIT_NAMES, SUITS


def _drawing(kind: int) -> Drawing:
    if kind in SUITS:
        return Drawing(SUIT_NAMES[kind].replace(" ", "_"), tile(placed(PIPS[kind], 50, 50, 84)))
    number = str(NUMBER[kind])
    return Drawing(f"number_{number}", ranked(number, INK, starred(GOLD, INK, 11)))


EMOJIS: Final = {SIGNS[kind]: _drawing(kind) for kind in KINDS}
