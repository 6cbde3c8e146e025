"""The cards of Charms as SVG: suits without numbers (coin, key, clover, rabbit foot), and numbers without a suit."""

from functools import cache
from typing import Final

from bot.pictures.artwork import Artwork
from bot.pictures.blank import GOLD, INK, PAPER, card_back, on_blank_card, pip_at, star_pip
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.emoji_tile import emoji_tile, rank_tile
from bot.pictures.lettering import written
from bot.pictures.scene import DrawnCard
from games.charms.cards import KINDS, NUMBER, SIGNS, SUIT_NAMES, SUITS

COLOURS: Final = ("#b06a00", "#4a3fc0", "#0c7a3e", "#c02372")
"""Colours of coin, key, clover and rabbit foot."""
_LETTERS: Final = "CKLR"

_COIN: Final = (
    f'<circle r="44" fill="{GOLD}" stroke="{COLOURS[0]}" stroke-width="10"/>'
    f'<circle r="29" fill="none" stroke="{COLOURS[0]}" stroke-width="5"/>'
    f'<rect x="-11" y="-11" width="22" height="22" rx="3" fill="{PAPER}" stroke="{COLOURS[0]}" stroke-width="6"/>'
)
_KEY: Final = (
    f'<g transform="rotate(45)" fill="none" stroke="{COLOURS[1]}" stroke-width="13" stroke-linejoin="round" '
    'stroke-linecap="round"><circle cy="-32" r="20"/><path d="M0 -10V56M2 54H20M2 32H16"/></g>'
)
_LEAF: Final = (
    '<path d="M0 -4C-6 -12 -25 -20 -25 -36 -25 -52 -6 -52 0 -41 6 -52 25 -52 25 -36 25 -20 6 -12 0 -4Z"/>'
)
_CLOVER: Final = (
    f'<path d="M2 4C10 20 14 34 28 46" fill="none" stroke="{COLOURS[2]}" stroke-width="9" stroke-linecap="round"/>'
    f'<g fill="{COLOURS[2]}" transform="translate(0 -3)">'
    + "".join(f'<g transform="rotate({turn})">{_LEAF}</g>' for turn in (0, 90, 180, 270))
    + "</g>"
    '<g stroke="#8fd9a8" stroke-width="4" stroke-linecap="round" transform="translate(0 -3)">'
    '<path d="M0 -14V-28M14 0H28M0 14V28M-14 0H-28"/></g>'
)
_FOOT: Final = (
    f'<g transform="rotate(18)"><circle cy="-48" r="8" fill="none" stroke="{INK}" stroke-width="5"/>'
    f'<g fill="{COLOURS[3]}"><path d="M-14 -26H14C16 -6 33 8 33 30L0 40 -33 30C-33 8 -16 -6 -14 -26Z"/>'
    '<circle cx="-20" cy="33" r="14"/><circle cy="38" r="14"/><circle cx="20" cy="33" r="14"/></g>'
    f'<rect x="-20" y="-40" width="40" height="17" rx="4" fill="{GOLD}" stroke="{INK}" stroke-width="5"/>'
    '<g fill="#ffd3e6"><ellipse cy="9" rx="13" ry="11"/><ellipse cx="-20" cy="33" rx="6" ry="7"/>'
    '<ellipse cy="38" rx="6" ry="7"/><ellipse cx="20" cy="33" rx="6" ry="7"/></g></g>'
)
PIPS: Final = (_COIN, _KEY, _CLOVER, _FOOT)
BACK_SVG: Final = card_back("#5b2a6e", "#c58ad6", _CLOVER)
BACK: Final = Artwork(__name__, "BACK_SVG")

_STARS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    7: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5)),
    8: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5), (0, 0.5)),
}
"""Columns and rows of the stars on a card, by its number."""


@cache
def card(kind: int) -> DrawnCard:
    """Return a card by its kind."""
    name = SUIT_NAMES[kind] if kind in SUITS else str(NUMBER[kind])
    return DrawnCard(Artwork(__name__, "card_svg", (kind,)), name)


def card_svg(kind: int) -> str:
    """Return the SVG of a card by its kind: the four suits, then the numbers from 1 on."""
    if kind < len(PIPS):
        letter = written(_LETTERS[kind], 20, 20, 84, COLOURS[kind])
        return on_blank_card(letter, pip_at(PIPS[kind], 116, 186, 138))
    number = kind - len(PIPS) + 1
    star = star_pip(GOLD, INK, 11)
    stars = (pip_at(star, 132 + 38 * x, 200 + 48 * y, 42) for x, y in _STARS[number])
    return on_blank_card(written(str(number), 20, 18, 106, INK), *stars)


def _drawing(kind: int) -> EmojiDrawing:
    if kind in SUITS:
        return EmojiDrawing(SUIT_NAMES[kind].replace(" ", "_"), emoji_tile(pip_at(PIPS[kind], 50, 50, 84)))
    number = str(NUMBER[kind])
    return EmojiDrawing(f"number_{number}", rank_tile(number, INK, star_pip(GOLD, INK, 11)))


EMOJIS: Final = {SIGNS[kind]: _drawing(kind) for kind in KINDS}
"""The cards as emojis, by their names in texts."""
