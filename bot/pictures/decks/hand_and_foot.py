"""Cards of Hand and Foot as SVG: the French pack and a joker; chips for melds, piles and red threes; marks of sides."""

from collections.abc import Iterator
from functools import cache
from itertools import product, starmap
from typing import Final

from bot.pictures.artwork import Artwork
from bot.pictures.bands import CHIP, CHIP_HEIGHT
from bot.pictures.blank import EDGE, GOLD, INK, PAPER, on_blank_card, pip_at, star_pip
from bot.pictures.decks import french
from bot.pictures.lettering import HEIGHT, PEN, width, written
from bot.pictures.scene import DrawnCard
from bot.pictures.score_curve import COLOURS
from games.french import SUITS
from games.hand_and_foot.cards import FRENCH, JOKER, MELDABLE, RANK, RANKS
from games.hand_and_foot.words import meld_words, pile_words, reds_words

_STAR: Final = star_pip(GOLD, INK)
JOKER_SVG: Final = on_blank_card(pip_at(_STAR, 46, 52, 66), pip_at(_STAR, 112, 176, 140))

CLEAN: Final = "#0f5fa8"
DIRTY: Final = "#8a3f12"
_STARS_AT: Final = {0: (), 1: (CHIP_HEIGHT / 2,), 2: (22, CHIP_HEIGHT - 22)}
"""Heights of the stars on a chip, by the number of wild cards. An open meld has at most six cards, two of them wild."""
SIDES: Final = COLOURS[:5]
"""Colours of the sides, as of their lines through the scores at the end."""
_SHAPES: Final = (
    ("Circle", "M0 -42A42 42 0 1 0 0 42A42 42 0 1 0 0 -42Z"),
    ("Square", "M-38 -38H38V38H-38Z"),
    ("Triangle", "M0 -44 46 38H-46Z"),
    ("Diamond", "M0 -47 41 0 0 47 -41 0Z"),
    ("Cross", "M-16 -44H16V-16H44V16H16V44H-16V16H-44V-16H-16Z"),
)
"""Name and outline of each side's shape: colours alone would not do for everybody."""


@cache
def card(number: int) -> DrawnCard:
    """Return a card by its number in `games.hand_and_foot.cards`. Alt texts name its rank, as suits do not matter."""
    art = Artwork(__name__, "JOKER_SVG") if number == JOKER else french.card(FRENCH[number]).art
    return DrawnCard(art, RANKS[RANK[number]])


@cache
def meld(rank: int, cards: int, wilds: int) -> DrawnCard:
    """Return the chip for an open meld: its rank, its number of cards, and a star for each wild card."""
    return DrawnCard(Artwork(__name__, "meld_svg", (rank, cards, wilds)), meld_words(rank, cards, wilds))


def meld_svg(rank: int, cards: int, wilds: int) -> str:
    """Return the SVG of a meld's chip."""
    stars = "".join(pip_at(_STAR, 132, y, 28) for y in _STARS_AT[wilds])
    return f"{_chip(PAPER, INK, RANKS[rank], f'×{cards}')}{stars}</svg>"


def usual_chips() -> Iterator[DrawnCard]:
    """Yield the chips of melds of three and four cards, with one wild card or none."""
    return starmap(meld, product(MELDABLE, (3, 4), (0, 1)))


@cache
def pile(rank: int, *, clean: bool) -> DrawnCard:
    """Return the chip for a closed pile, clean or dirty: these differ by word, colour and outline."""
    return DrawnCard(Artwork(__name__, "pile_svg", (rank, clean)), pile_words(rank, clean=clean))


def pile_svg(rank: int, clean: bool) -> str:
    """Return the SVG of a pile's chip."""
    word, ground, corner = ("CLEAN", CLEAN, CHIP_HEIGHT / 2) if clean else ("DIRTY", DIRTY, 4)
    chip = _chip(ground, PAPER, RANKS[rank], high=38, corner=corner, left=14)
    shape = written(word, CHIP - 14, (CHIP_HEIGHT - 20) / 2, 20, PAPER, pen=16, anchor=1)
    return f"{chip}{shape}</svg>"


@cache
def reds(number: int) -> DrawnCard:
    """Return the chip for red threes, with the signs of both suits: it tells only their number."""
    return DrawnCard(Artwork(__name__, "reds_svg", (number,)), reds_words(number))


def reds_svg(number: int) -> str:
    """Return the SVG of the chip for red threes."""
    hearts, diamonds = SUITS.index("H"), SUITS.index("D")
    chip = _chip(PAPER, french.COLOURS[hearts], "3", f"×{number}" * (number > 1))
    heart = pip_at(french.PIPS[hearts], 132, 22, 28)
    diamond = pip_at(french.PIPS[diamonds], 132, CHIP_HEIGHT - 22, 28)
    return f"{chip}{heart}{diamond}</svg>"


def _chip(
    ground: str,
    ink: str,
    rank: str,
    counted: str = "",
    *,
    high: float = 48,
    corner: float = 14,
    left: float = 10,
) -> str:
    """Return the beginning of a chip as SVG: its ground, a rank, and a number of cards."""
    top, after = (CHIP_HEIGHT - high) / 2, 16 + width(rank, PEN) * high / (HEIGHT + PEN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CHIP} {CHIP_HEIGHT}"><rect x="1.5" y="1.5" '
        f'width="{CHIP - 3}" height="{CHIP_HEIGHT - 3}" rx="{corner}" fill="{ground}" '
        f'stroke="{EDGE}" stroke-width="3"/>'
        f"{written(rank, left, top, high, ink)}{written(counted, after, top + 11, 34, ink, pen=12)}"
    )


def side_mark(side: int) -> DrawnCard:
    """Return the shape of a side, in its colour."""
    return DrawnCard(Artwork(__name__, "side_svg", (side,)), _SHAPES[side][0])


def side_svg(side: int) -> str:
    """Return the SVG of a side's shape."""
    _, path = _SHAPES[side]
    shape = f'<path d="{path}" fill="{SIDES[side]}" stroke="{INK}" stroke-width="7" stroke-linejoin="round"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">{shape}</svg>'
