"""The French pack as SVG: four suits in four colours, each with its letter, and headgear for jack, queen and king."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from bot.pictures.artwork import Artwork
from bot.pictures.blank import GOLD, INK, PAPER, card_back, left_column, on_blank_card, pip_at
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.emoji_tile import rank_tile
from bot.pictures.scene import DrawnCard, Pile
from games.french import PACK, RANK, RANKS, SIGN, SUIT, SUIT_NAMES, SUITS

COLOURS: Final = ("#0b9a52", "#1b6ee6", "#d81f26", "#1d2433")
"""Clubs, diamonds, hearts, spades, in the order of `games.french`."""

_CLUB: Final = (
    '<circle cx="0" cy="-24" r="23"/><circle cx="-25" cy="13" r="23"/><circle cx="25" cy="13" r="23"/>'
    '<path d="M0 -6 10 12C8 28 11 40 17 49H-17C-11 40 -8 28 -10 12Z"/>'
)
_DIAMOND: Final = (
    '<path d="M0 -46C9 -31 22 -13 36 0 22 13 9 31 0 46 -9 31 -22 13 -36 0 -22 -13 -9 -31 0 -46Z" '
    'stroke-width="9"/>'
)
_HEART: Final = (
    '<path d="M0 46C-10 33 -48 12 -48 -17 -48 -34 -36 -45 -23 -45 -12 -45 -4 -39 0 -29 4 -39 12 -45 23 -45 36 -45 '
    '48 -34 48 -17 48 12 10 33 0 46Z"/>'
)
_SPADE: Final = (
    '<path d="M0 -48C9 -30 47 -10 47 15 47 29 37 38 25 38 17 38 10 34 6 28 7 37 10 44 16 49H-16C-10 44 -7 37 -6 28 '
    '-10 34 -17 38 -25 38 -37 38 -47 29 -47 15 -47 -10 -9 -30 0 -48Z"/>'
)
_SHAPES: Final = (_CLUB, _DIAMOND, _HEART, _SPADE)
PIPS: Final = tuple(
    f'<g fill="{colour}" stroke="{colour}" stroke-width="2" stroke-linejoin="round">{shape}</g>'
    for shape, colour in zip(_SHAPES, COLOURS, strict=True)
)

_OUTLINE: Final = (
    f'fill="{GOLD}" stroke="{INK}" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"'
)
_CROWN: Final = (
    f'<g {_OUTLINE}><path d="M-40 20 -46 -22 -22 -4 0 -34 22 -4 46 -22 40 20Z"/>'
    f'<circle cx="-46" cy="-26" r="7"/><circle cx="0" cy="-38" r="7"/><circle cx="46" cy="-26" r="7"/></g>'
)
_TIARA: Final = (
    f'<g {_OUTLINE}><path d="M-42 20C-40 2 -32 -8 -22 -10 -17 -24 -8 -34 0 -40 8 -34 17 -24 22 -10 32 -8 40 2 42 20 '
    f'26 12 -26 12 -42 20Z"/></g><circle cx="0" cy="-10" r="8" fill="{PAPER}" stroke="{INK}" stroke-width="5"/>'
)
_CAP: Final = (
    f'<path d="M18 -4C16 -34 34 -50 52 -50 56 -30 44 -6 24 6Z" fill="{PAPER}" stroke="{INK}" stroke-width="5" '
    f'stroke-linejoin="round"/><path d="M46 -42 24 0" stroke="{INK}" stroke-width="4" stroke-linecap="round"/>'
    f'<g {_OUTLINE}><path d="M-42 14C-44 -14 -22 -28 2 -24 22 -20 34 -6 38 14Z"/>'
    f'<path d="M-48 20C-48 12 -44 10 -38 10H36C42 10 46 12 46 20Z"/></g>'
)
_HEADGEAR: Final = {"J": _CAP, "Q": _TIARA, "K": _CROWN}


@cache
def card(number: int) -> DrawnCard:
    """Return a card by its number in `games.french`."""
    return DrawnCard(Artwork(__name__, "card_svg", (number,)), SIGN[number])


def card_svg(number: int) -> str:
    """Return the SVG of a card by its number in `games.french`."""
    rank, suit = RANKS[RANK[number]], SUIT[number]
    large = pip_at(PIPS[suit], 134, 206, 112)
    if rank in _HEADGEAR:
        large = pip_at(PIPS[suit], 136, 216, 100) + pip_at(_HEADGEAR[rank], 142, 140, 80)
    return on_blank_card(left_column(rank, PIPS[suit], SUITS[suit], COLOURS[suit]), large)


_FOUR: Final = "".join(
    pip_at(PIPS[suit], x, y, 44) for suit, (x, y) in enumerate(((0, 30), (30, 0), (-30, 0), (0, -30)))
)
BACK_SVG: Final = card_back("#24457c", "#6f9be0", _FOUR)
BACK: Final = Artwork(__name__, "BACK_SVG")
FACE_DOWN: Final = DrawnCard(BACK, "face down")
"""A card that lies face down."""


def stock(count: int) -> Pile:
    """Return the stock with its number of cards as the caption."""
    return Pile((DrawnCard(BACK, ""),) if count else (), f"Stock {count}")


def pile(cards: Sequence[int], caption: str) -> Pile:
    """Return a pile that lies face up, the last card on top. Only its top three are shown."""
    return Pile(tuple(card(each) for each in cards[-3:]), caption)


_COURT: Final = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}


def _drawing(number: int) -> EmojiDrawing:
    rank, suit = RANKS[RANK[number]], SUIT[number]
    name = f"{_COURT.get(rank, rank)}_of_{SUIT_NAMES[suit]}"
    return EmojiDrawing(name, rank_tile(rank, COLOURS[suit], PIPS[suit]))


EMOJIS: Final = {SIGN[number]: _drawing(number) for number in PACK}
"""The pack as emojis, by the name that the engine gives a card in texts (♠Q)."""
