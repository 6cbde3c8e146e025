"""The cards of Twin Palms as SVG: palms, dolphins and sunglasses from 0 to 10, and wild cards with sunbeams."""

from functools import cache
from typing import Final

from bot.pictures.artwork import Artwork
from bot.pictures.blank import GOLD, PAPER, card_back, left_column, on_blank_card, pip_at, rays, star_pip
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.emoji_tile import SUNNY, emoji_tile, rank_tile
from bot.pictures.scene import DrawnCard
from games.twin_palms import words
from games.twin_palms.cards import KINDS, SUITS, WILD

COLOURS: Final = ("#0d8043", "#2257d6", "#e2560a")
"""Colours of palms, dolphins and sunglasses."""

_PALM: Final = (
    '<path d="M-42 49C-28 36 28 36 42 49Z" fill="#f2c062" stroke="#f2c062" stroke-width="3" stroke-linejoin="round"/>'
    '<path d="M-8 45C-4 22 -4 6 2 -10L14 -8C8 8 8 26 10 45Z" fill="#a8672f"/>'
    f'<g fill="{COLOURS[0]}" stroke="{COLOURS[0]}" stroke-width="3" stroke-linejoin="round">'
    '<path d="M6 -12C-4 -30 -24 -40 -46 -28 -36 -26 -34 -22 -32 -18 -20 -20 -6 -16 6 -12Z"/>'
    '<path d="M6 -12C-14 -18 -38 -12 -44 14 -36 8 -30 8 -26 8 -20 -2 -8 -10 6 -12Z"/>'
    '<path d="M6 -12C4 -30 -6 -44 -22 -50 6 -54 24 -40 22 -24 18 -18 12 -14 6 -12Z"/>'
    '<path d="M6 -12C14 -34 34 -42 50 -30 42 -28 40 -24 38 -18 26 -20 16 -16 6 -12Z"/>'
    '<path d="M6 -12C28 -18 46 -6 48 18 40 10 34 10 30 12 26 0 16 -8 6 -12Z"/></g>'
    '<g fill="#7a4420"><circle cx="1" cy="-6" r="6"/><circle cx="13" cy="-5" r="6"/></g>'
)
_DOLPHIN: Final = (
    f'<g fill="{COLOURS[1]}" stroke="{COLOURS[1]}" stroke-width="3" stroke-linejoin="round">'
    '<path d="M50 12C47 7 42 4 36 2 31 -15 16 -28 -4 -30 -9 -38 -17 -43 -27 -44 -23 -38 -22 -33 -23 -28 -38 -20 '
    "-45 -6 -44 9 -51 14 -53 25 -49 35 -44 28 -39 25 -34 24 -29 28 -22 29 -13 27 -17 19 -23 13 -31 10 -29 4 -24 0 "
    '-16 0 -11 0 -7 2 -4 5 -3 13 0 21 7 28 12 25 15 21 16 16 26 20 40 20 50 12Z"/></g>'
    '<path d="M15 13C26 17 36 17 45 12 34 12 18 10 6 1 8 7 11 11 15 13Z" fill="#cfe6ff"/>'
    f'<circle cx="25" cy="-4" r="4.5" fill="{PAPER}"/>'
    '<path d="M-44 46C-34 38 -24 38 -15 46S4 54 14 46 34 38 44 46" fill="none" stroke="#56b4f5" stroke-width="7" '
    'stroke-linecap="round"/>'
)
_SUNGLASSES: Final = (
    '<path d="M-50 -20C-30 -28 -14 -24 -7 -19 -3 -23 3 -23 7 -19 14 -24 30 -28 50 -20L49 -8 46 -4C48 14 42 31 26 31 '
    '9 31 3 15 3 -6 1 -9 -1 -9 -3 -6 -3 15 -9 31 -26 31 -42 31 -48 14 -46 -4L-49 -8Z" '
    f'fill="{COLOURS[2]}" stroke="{COLOURS[2]}" stroke-width="3" stroke-linejoin="round"/>'
    '<g fill="#4a2312"><path d="M10 -14C20 -18 34 -18 40 -14 42 4 38 22 26 22 13 22 9 6 10 -14Z"/>'
    '<path d="M-10 -14C-20 -18 -34 -18 -40 -14 -42 4 -38 22 -26 22 -13 22 -9 6 -10 -14Z"/></g>'
    '<g stroke="#ffd9a0" stroke-width="5" stroke-linecap="round"><path d="M-33 -6-26 8"/><path d="M-22 -7-19 -1"/>'
    '<path d="M17 -6 24 8"/><path d="M28 -7 31 -1"/></g>'
)
SUIT_NAMES: Final = ("Palm", "Dolphin", "Sunglasses")
PIPS: Final = (_PALM, _DOLPHIN, _SUNGLASSES)
BACK_SVG: Final = card_back("#d4503e", "#ffb199", _PALM)
BACK: Final = Artwork(__name__, "BACK_SVG")
SAND_DOLLAR: Final = (
    '<circle r="44" fill="#f7e3bd" stroke="#c99a52" stroke-width="8"/><g fill="#c99a52">'
    + "".join(f'<ellipse cy="-20" rx="6" ry="13" transform="rotate({turn})"/>' for turn in range(0, 360, 72))
    + "</g>"
)


@cache
def card(kind: int, stated: int | None = None) -> DrawnCard:
    """Return a card by its kind. A wild card on the table has the number that its player `stated`."""
    suit, number = divmod(kind, WILD + 1)
    name = [
        SUIT_NAMES[suit],
        *([] if stated is None else [str(stated)]),
        "wild" if number == WILD else str(number),
    ]
    return DrawnCard(Artwork(__name__, "card_svg", (kind, stated)), " ".join(name))


def card_svg(kind: int, stated: int | None = None) -> str:
    """Return the SVG of a card by its kind. A wild card on the table has the number that its player `stated`."""
    suit, number = divmod(kind, WILD + 1)
    pip, letter, colour = PIPS[suit], SUITS[suit], COLOURS[suit]
    large = pip_at(pip, 134, 206, 116)
    if number != WILD:
        return on_blank_card(left_column(str(number), pip, letter, colour), large)
    if stated is None:
        star = pip_at(star_pip(GOLD, colour), 66, 70, 100)
        return on_blank_card(rays(134, 206), left_column("", pip, letter, colour), star, large)
    star = pip_at(star_pip(GOLD, colour, 11), 170, 40, 42)
    return on_blank_card(rays(134, 206), left_column(str(stated), pip, letter, colour), star, large)


def _drawing(kind: int) -> EmojiDrawing:
    suit, number = divmod(kind, WILD + 1)
    name, pip, colour = SUIT_NAMES[suit].lower(), PIPS[suit], COLOURS[suit]
    if number != WILD:
        return EmojiDrawing(f"{name}_{number}", rank_tile(str(number), colour, pip))
    star = pip_at(star_pip(GOLD, colour, 11), 32, 30, 50)
    return EmojiDrawing(f"{name}_wild", emoji_tile(pip_at(pip, 66, 64, 60), star, paper=SUNNY))


EMOJIS: Final = {words.card(kind): _drawing(kind) for kind in KINDS}
"""The cards as emojis, by their names in texts."""
