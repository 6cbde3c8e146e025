"""Dice as SVG: a die with pips, and below it the face as a digit. They are drawn where other games have cards."""

from functools import cache
from typing import Final, Literal

from bot.pictures.artwork import Artwork
from bot.pictures.blank import EDGE, GOLD, HEIGHT, INK, PAPER, WIDTH, pip_at, star_pip
from bot.pictures.lettering import written
from bot.pictures.scene import DrawnCard
from games.phrases import FACE_NAMES

Kind = Literal["plain", "counts"]
"""Look of a die: "counts" for one that matches a bid, on gold."""

_COLOURS: Final = {"plain": (PAPER, EDGE), "counts": (GOLD, INK)}
"""Fill and edge of a die."""
_LEFT, _MIDDLE, _RIGHT = 52, 100, 148
_PIPS: Final = (
    (),
    ((_MIDDLE, _MIDDLE),),
    ((_LEFT, _LEFT), (_RIGHT, _RIGHT)),
    ((_LEFT, _LEFT), (_MIDDLE, _MIDDLE), (_RIGHT, _RIGHT)),
    ((_LEFT, _LEFT), (_RIGHT, _LEFT), (_LEFT, _RIGHT), (_RIGHT, _RIGHT)),
    ((_LEFT, _LEFT), (_RIGHT, _LEFT), (_MIDDLE, _MIDDLE), (_LEFT, _RIGHT), (_RIGHT, _RIGHT)),
    tuple((x, y) for x in (_LEFT, _RIGHT) for y in (46, _MIDDLE, 154)),
)
"""Middles of the pips of each face."""
_HEAD: Final = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
DIGIT: Final = 77
"""Height of the digit below a die."""
LEATHER: Final = "#8a4b2a"
STITCH: Final = "#e0a878"


@cache
def die(face: int, kind: Kind = "plain", *, wild: bool = False) -> DrawnCard:
    """Return a die that shows a face. A `wild` one has a star for its pip."""
    name = FACE_NAMES[face] + " (wild)" * wild + " (counts)" * (kind == "counts")
    return DrawnCard(Artwork(__name__, "die_svg", (face, kind, wild)), name)


def die_svg(face: int, kind: Kind, wild: bool) -> str:
    """Return the SVG of a die."""
    fill, edge = _COLOURS[kind]
    body = f'<g transform="translate(6 0) scale(0.94)">{_body(face, kind, wild=wild)}</g>'
    tab = f'<rect x="48" y="190" width="104" height="87" rx="18" fill="{fill}" stroke="{edge}" stroke-width="5"/>'
    digit = written(str(face), 100, 195, DIGIT, INK, anchor=0.5)
    return f"{_HEAD}{body}{tab}{digit}</svg>"


@cache
def bid(quantity: int, face: int, name: str, kind: Kind = "plain", *, wild: bool = False) -> DrawnCard:
    """Return a bid: a die that shows its face, and below the die quantity and face in digits. A bid on `wild` ones has
    a star for their pip."""
    return DrawnCard(Artwork(__name__, "bid_svg", (face, kind, wild)), name, badge=f"{quantity}×{face}")


def bid_svg(face: int, kind: Kind, wild: bool) -> str:
    """Return the SVG of a bid's die, with room below it."""
    return f"{_HEAD}{_body(face, kind, wild=wild)}</svg>"


def _body(face: int, kind: Kind, *, wild: bool = False) -> str:
    fill, edge = _COLOURS[kind]
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="21" fill="{INK}"/>' for x, y in _PIPS[face])
    if wild:
        pips = pip_at(star_pip("#d81f26", INK), 100, 100, 130)
    return f'<rect x="5" y="5" width="190" height="190" rx="40" fill="{fill}" stroke="{edge}" stroke-width="8"/>{pips}'


CUP_SVG: Final = (
    f'{_HEAD}<path d="M52 40H148L176 236H24Z" fill="{LEATHER}" stroke="{INK}" stroke-width="7"/>'
    f'<rect x="44" y="26" width="112" height="30" rx="13" fill="{LEATHER}" stroke="{INK}" stroke-width="7"/>'
    f'<rect x="12" y="218" width="176" height="36" rx="15" fill="{LEATHER}" stroke="{INK}" stroke-width="7"/>'
    f'<path d="M42 92H158M36 190H164" stroke="{STITCH}" stroke-width="5" stroke-dasharray="13 9" fill="none"/>'
    f"{pip_at(star_pip(STITCH, STITCH), 100, 142, 62)}</svg>"
)


CUP: Final = DrawnCard(Artwork(__name__, "CUP_SVG"), "cup")
"""A cup upside down."""


def stamp(words: str, colour: str) -> DrawnCard:
    """Return words as if stamped, a little aslant: a wide drawing, not a card."""
    return DrawnCard(Artwork(__name__, "stamp_svg", (words, colour)), words)


def stamp_svg(words: str, colour: str) -> str:
    """Return the SVG of stamped words."""
    wide = 46 * len(words) + 110
    edges = (
        f'<rect x="20" y="40" width="{wide - 40}" height="130" rx="20" fill="{PAPER}" stroke="{colour}" '
        f'stroke-width="12"/><rect x="38" y="58" width="{wide - 76}" height="94" rx="10" fill="none" '
        f'stroke="{colour}" stroke-width="4"/>'
    )
    letters = (
        f'<text x="{wide / 2:g}" y="132" font-family="Inter" font-weight="700" font-size="76" '
        f'text-anchor="middle" fill="{colour}">{words}</text>'
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} 210">'
    return f'{head}<g transform="rotate(-4 {wide / 2:g} 105)">{edges}{letters}</g></svg>'
