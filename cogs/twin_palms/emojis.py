"""The cards of Twin Palms as emojis, by their names in texts."""

from typing import Final

from bot.pictures.blank import GOLD, pip_at, star_pip
from bot.pictures.decks.twin_palms import COLOURS, PIPS
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.emoji_tile import SUNNY, emoji_tile, rank_tile
from games.twin_palms.cards import KINDS, WILD
from games.twin_palms.words import card

_NAMES: Final = ("palm", "dolphin", "sunglasses")


def _drawing(kind: int) -> EmojiDrawing:
    suit, number = divmod(kind, WILD + 1)
    pip, colour = PIPS[suit], COLOURS[suit]
    if number != WILD:
        return EmojiDrawing(f"{_NAMES[suit]}_{number}", rank_tile(str(number), colour, pip))
    star = pip_at(star_pip(GOLD, colour, 11), 32, 30, 50)
    return EmojiDrawing(f"{_NAMES[suit]}_wild", emoji_tile(pip_at(pip, 66, 64, 60), star, paper=SUNNY))


EMOJIS: Final = {card(kind): _drawing(kind) for kind in KINDS}
