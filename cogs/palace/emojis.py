"""The cards of Palace as emojis, by their ranks."""

from typing import Final

from bot.pictures.blank import INK, PAPER
from bot.pictures.decks.palace import WILD, pip
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.emoji_tile import SUNNY, rank_tile
from games.palace.cards import KINDS, RANKS, WILDS

_NAMES: Final = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}


def _drawing(kind: int) -> EmojiDrawing:
    rank, wild = RANKS[kind], kind in WILDS
    svg = rank_tile(rank, WILD if wild else INK, pip(kind), paper=SUNNY if wild else PAPER)
    return EmojiDrawing(_NAMES[rank], svg)


EMOJIS: Final = {RANKS[kind]: _drawing(kind) for kind in KINDS}
