"""The cards of Palace as SVG: ranks without suits. The pip shows what a card does; wild cards have sunbeams."""

from functools import cache
from typing import Final

from bot.pictures.artwork import Artwork
from bot.pictures.blank import GOLD, INK, PAPER, card_back, on_blank_card, pip_at, rays
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.emoji_tile import SUNNY, rank_tile
from bot.pictures.lettering import written
from bot.pictures.scene import DrawnCard
from games.palace.cards import KINDS, RANKS, WILDS

WILD: Final = "#b5179e"
"""Colour of wild cards."""


def _arrow(path: str, colour: str) -> str:
    pen = f'fill="none" stroke="{colour}" stroke-width="13" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{path}" {pen}/>'


_TOWER: Final = (
    f'<path d="M-30 46V-6H-38V-44H-20V-32H-9V-44H9V-32H20V-44H38V-6H30V46Z" fill="#7d89a8" stroke="{INK}" '
    f'stroke-width="6" stroke-linejoin="round"/><path d="M-13 46V26A13 13 0 0 1 13 26V46Z" fill="{INK}"/>'
    f'<path d="M-14 -6H14" stroke="{INK}" stroke-width="6" stroke-linecap="round"/>'
)
_CROWN: Final = (
    f'<g fill="{GOLD}" stroke="{INK}" stroke-width="6" stroke-linejoin="round">'
    '<path d="M-38 36 -46 -16 -22 4 0 -32 22 4 46 -16 38 36Z"/>'
    '<circle cx="-46" cy="-22" r="7"/><circle cx="0" cy="-38" r="7"/><circle cx="46" cy="-22" r="7"/></g>'
)
_SKIP: Final = (
    _arrow("M-42 30C-40 -34 26 -44 38 10M16 -2 39 14 46 -14", INK) + f'<circle cy="30" r="13" fill="{INK}"/>'
)
_LOWER: Final = _arrow("M0 -42V40M-30 12 0 42 30 12", INK)
_TURN: Final = _arrow("M-44 -18H40M20 -40 42 -18 20 4M44 24H-40M-20 2 -42 24 -20 46", INK)
_RESET: Final = _arrow("M30 -26A40 40 0 1 0 40 4M32 -48V-24H8", WILD)
_GLASS: Final = (
    f'<rect x="-34" y="-44" width="68" height="88" rx="12" fill="#bfe9ff" stroke="{WILD}" stroke-width="9"/>'
    f'<path d="M-14 8 14 -20M-10 30 18 2" stroke="{PAPER}" stroke-width="9" stroke-linecap="round"/>'
)
_FLAME: Final = (
    f'<path d="M4 -50C10 -28 38 -14 38 14 38 36 20 48 0 48 -20 48 -38 36 -38 14 -38 0 -30 -10 -22 -18 -20 -8 -16 -4 '
    f'-10 -2 -12 -20 -8 -38 4 -50Z" fill="#ff7a1a" stroke="{WILD}" stroke-width="8" stroke-linejoin="round"/>'
    f'<path d="M2 4C4 14 16 18 16 28 16 38 8 42 0 42 -8 42 -16 38 -16 28 -16 18 -2 14 2 4Z" fill="{GOLD}"/>'
)
_AGAIN: Final = _arrow("M-36 -34 -2 0 -36 34M6 -34 40 0 6 34", WILD)
_EFFECTS: Final = {
    "8": _SKIP, "9": _LOWER, "Q": _TURN, "K": _CROWN, "2": _RESET, "7": _GLASS, "10": _FLAME, "A": _AGAIN
}  # fmt: skip
BACK_SVG: Final = card_back("#3d2c5e", "#9a83d6", _TOWER)
BACK: Final = Artwork(__name__, "BACK_SVG")


def pip(kind: int) -> str:
    """Return the pip that shows what a card does; a tower for cards that do nothing special."""
    return _EFFECTS.get(RANKS[kind], _TOWER)


@cache
def card(kind: int) -> DrawnCard:
    """Return a card by its kind."""
    return DrawnCard(Artwork(__name__, "card_svg", (kind,)), RANKS[kind])


def card_svg(kind: int) -> str:
    """Return the SVG of a card by its kind."""
    wild = kind in WILDS
    effect = pip_at(pip(kind), 128, 204, 108)
    number = written(RANKS[kind], 20, 20, 122, WILD if wild else INK)
    return on_blank_card(*([rays(128, 204)] if wild else []), number, effect)


_NAMES: Final = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine",
    "10": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip


def _drawing(kind: int) -> EmojiDrawing:
    rank, wild = RANKS[kind], kind in WILDS
    svg = rank_tile(rank, WILD if wild else INK, pip(kind), paper=SUNNY if wild else PAPER)
    return EmojiDrawing(_NAMES[rank], svg)


EMOJIS: Final = {RANKS[kind]: _drawing(kind) for kind in KINDS}
"""The cards as emojis, by their ranks."""
