"""Cards of Hand and Foot as SVG: the French pack, a joker, and one card each that stands for clean and dirty piles."""

from functools import cache
from typing import Final

from bot.pictures.blank import GOLD, INK, PAPER, on_blank_card, pip_at, star_pip
from bot.pictures.decks import french
from bot.pictures.lettering import written
from bot.pictures.scene import DrawnCard
from games.hand_and_foot.cards import FRENCH, JOKER, RANK, RANKS

_STAR: Final = star_pip(GOLD, INK)
_JOKER: Final = on_blank_card(pip_at(_STAR, 46, 52, 66), pip_at(_STAR, 112, 176, 140))


def _pile(letter: str, ground: str, pip: str) -> str:
    """Return the card for a kind of piles, told apart by letter, colour and shape."""
    field = f'<rect x="16" y="16" width="168" height="248" rx="16" fill="{ground}"/>'
    return on_blank_card(
        field, written(letter, 100, 36, 106, PAPER, pen=19, anchor=0.5), pip_at(pip, 100, 206, 80)
    )


CLEAN: Final = DrawnCard(
    _pile("C", "#0f5fa8", f'<circle r="40" fill="none" stroke="{PAPER}" stroke-width="16"/>'), "clean pile"
)
DIRTY: Final = DrawnCard(_pile("D", "#8a3f12", star_pip(GOLD, PAPER)), "dirty pile")


@cache
def card(number: int) -> DrawnCard:
    """Return a card by its number in `games.hand_and_foot.cards`. Alt texts name its rank, as suits do not matter."""
    svg = _JOKER if number == JOKER else french.card(FRENCH[number]).svg
    return DrawnCard(svg, RANKS[RANK[number]])


@cache
def meld(number: int, wilds: int) -> DrawnCard:
    """Return the card for a meld by its lowest card; a star has the number of its wild cards."""
    plain = card(number)
    if not wilds:
        return plain
    star = pip_at(_STAR, 142, 214, 112) + written(str(wilds), 142, 192, 48, INK, anchor=0.5)
    return DrawnCard(plain.svg.replace("</svg>", f"{star}</svg>"), f"{plain.alt} with {wilds} wild")
