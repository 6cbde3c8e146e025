"""The deck of Twin Palms as emojis, by a card's form for people."""

from typing import Final

from bot.messages.emojis import Drawing
from bot.pictures.blank import GOLD, placed, starred
from bot.pictures.tile import SUNNY, ranked, tile
from cogs.twin_palms.faces import COLOURS, PIPS
from games.twin_palms.cards import KINDS, WILD
from games.twin_palms.words import card

_NAMES: Final = ("palm", "dolphin", "sunglasses")


def _drawing(kind: int) -> Drawing:
    suit, number = divmod(kind, WILD + 1)
    pip, colour = PIPS[suit], COLOURS[suit]
    if number != WILD:
        return Drawing(f"{_NAMES[suit]}_{number}", ranked(str(number), colour, pip))
    star = placed(starred(GOLD, colour, 11), 32, 30, 50)
    return Drawing(f"{_NAMES[suit]}_wild", tile(placed(pip, 66, 64, 60), star, paper=SUNNY))


EMOJIS: Final = {card(kind): _drawing(kind) for kind in KINDS}
