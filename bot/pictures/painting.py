"""The painter's tools: felt, plates, cards and words, all of them sprites that are made once."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Final, Literal

from PIL import Image, ImageDraw

from bot.match.names import ROBOT
from bot.pictures.blank import GOLD, HEIGHT, INK, PAPER
from bot.pictures.blank import WIDTH as CARD_WIDTH
from bot.pictures.fonts import Weight, font, writable
from bot.pictures.line import legible, length, spare, write_into
from bot.pictures.palette import flattened, palette
from bot.pictures.raster import sprite
from bot.pictures.scene import Card
from games.letters import END_OF_ISOLATE, ISOLATE

WIDTH: Final = 1000
"""Of every picture, in pixels."""
CREAM: Final = PAPER
FAINT: Final = "#7fb0aa"
NIGHT: Final = "#083536"
FELT: Final = "#0e615b"
SHADE: Final = "#0c5650"
RIM: Final = "#e3bd77"
BEND: Final = 90
"""Pixels of the bends of a table's edge."""
LEAF: Final = 250
"""Pixels of the palm leaves in its corners."""
PEEK: Final = 7
"""A card that lies beneath another peeks out by its width divided by this."""


OUT: Final = ("#0c4a49", "#2a7570")
CAPITAL: Final = 0.73
"""The height of the typeface's capitals, in parts of its size."""
SHADED: Final = 0.42
"""How far a faded card goes into the colour of the table."""

_PLATES: Final = {"seat": (NIGHT, RIM), "turn": (GOLD, PAPER), "out": OUT}


def felt(height: int, inset: int) -> Image.Image:
    """An empty table; `inset` is how far its edge lies from the top and the bottom."""
    image = Image.new("RGB", (WIDTH, height), NIGHT)
    left, top, right, bottom = 10, inset, WIDTH - 10, height - inset
    ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), FELT, RIM, 6)
    for turn, x, y in ((45, left + 6, bottom - LEAF - 6), (225, right - LEAF - 6, top + 6)):
        leaf = sprite(_FROND.format(turn=turn), LEAF)
        image.paste(leaf, (x, y), leaf)
    far, low = right - BEND, bottom - BEND
    for turn, x, y in ((0, left, top), (90, far, top), (180, far, low), (270, left, low)):
        image.paste(sprite(_CORNER.format(turn=turn), BEND), (x, y))
    return image


_CORNER: Final = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {BEND} {BEND}"><g transform="rotate({{turn}} {BEND / 2:g} '
    f'{BEND / 2:g})"><path d="M-9 -9H{BEND + 9}V{BEND + 9}H-9Z" fill="{NIGHT}"/>'
    f'<path d="M3 {BEND + 9}V{BEND}A{BEND - 3} {BEND - 3} 0 0 1 {BEND} 3H{BEND + 9}V{BEND + 9}Z" fill="{FELT}" '
    f'stroke="{RIM}" stroke-width="6"/></g></svg>'
)
"""The upper left bend of the table's edge, turned."""
_FROND: Final = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300"><g transform="rotate({{turn}} 150 150) '
    f'translate(150 330)" fill="none" stroke="{SHADE}" stroke-width="15" stroke-linecap="round"><path d="M0 0V-300"/>'
    + "".join(
        f'<path d="M0 -{y}Q{side * reach * 0.6:g} -{y + 14} {side * reach:g} -{y + 58}"/>'
        for y, reach in ((60, 70), (102, 84), (144, 86), (186, 76), (228, 58), (266, 38))
        for side in (-1, 1)
    )
    + "</g></svg>"
)


def plate(
    image: Image.Image, x: int, y: int, wide: int, high: int, kind: Literal["seat", "turn", "out"]
) -> None:
    """A rounded plate to write on."""
    fill, edge = _PLATES[kind]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"><rect x="2.5" y="2.5" '
        f'width="{wide - 5}" height="{high - 5}" rx="24" fill="{fill}" stroke="{edge}" stroke-width="5"/></svg>'
    )
    shape = sprite(svg, wide)
    image.paste(shape, (x, y), shape)


def stamp(image: Image.Image, pip: str, x: int, y: int, size: int) -> None:
    """A pip, drawn from -50 to 50 both ways, with its middle at x, y."""
    shape = sprite(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">{pip}</svg>', size)
    image.paste(shape, (x - size // 2, y - size // 2), shape)


def flat(image: Image.Image, drawn: Iterable[str]) -> Image.Image:
    """The picture with a palette: every colour that is `drawn` (SVG) or the house's own, and steps between each and
    the grounds it is seen on."""
    colours = frozenset(colour for svg in set(drawn) for colour in _colours(svg))
    return flattened(image, _palette(colours))


@lru_cache(1024)
def _colours(svg: str) -> frozenset[str]:
    return frozenset(re.findall(r"#[0-9a-f]{6}", svg))


@lru_cache(256)
def _palette(colours: frozenset[str]) -> Image.Image:
    house = (PAPER, INK, GOLD, FAINT, NIGHT, FELT, SHADE, RIM, *OUT)
    solid = [*dict.fromkeys((*house, *sorted(colours)))]
    steps = product((SHADED, 0.7, 0.2, 0.85, 0.55, 0.3), (PAPER, FELT, NIGHT, GOLD), solid)
    return palette(solid, ((colour, ground, part) for part, ground, colour in steps))


def slot(image: Image.Image, x: int, y: int, wide: int) -> None:
    """The place of a pile that is empty."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CARD_WIDTH} {HEIGHT}"><rect x="6" y="6" '
        f'width="{CARD_WIDTH - 12}" height="{HEIGHT - 12}" rx="24" fill="{SHADE}" stroke="{FAINT}" stroke-width="5" '
        'stroke-dasharray="16 14" stroke-linecap="round"/></svg>'
    )
    shape = sprite(svg, wide)
    image.paste(shape, (x, y), shape)


def card_height(wide: int) -> int:
    """Of a card so many pixels wide."""
    return round(wide * HEIGHT / CARD_WIDTH)


def write(
    image: Image.Image,
    text: str,
    x: int,
    y: int,
    size: int,
    colour: str,
    *,
    weight: Weight = "Bold",
    anchor: float = 0,
    width: int = WIDTH,
    otherwise: str = "",
) -> int:
    """Write a line with its middle at the height y; `anchor` is the part of it that lies left of x. At most `width`
    wide: a little smaller, then cut; and `otherwise` when nothing of it can be drawn. Computers' names begin with a
    small robot, as they begin with 🤖 in text. Returns the line's width."""
    mask = _words(text, size, weight, width) or _words(otherwise, size, weight, width)
    if mask is None:
        return 0
    image.paste(colour, (int(x - anchor * mask.width), y - mask.height // 2), mask)
    return mask.width


@lru_cache(512)
def _words(text: str, size: int, weight: Weight, width: int) -> Image.Image | None:
    """A line as a mask, as high as the typeface or, above and below alike, a little higher; None when there is nothing
    to see."""
    pieces, whole = _pieces(text, size, weight, width)
    if not whole:
        size = size * 5 // 6
        pieces, _ = _pieces(text, size, weight, width)
    if not any(shown for _, _, shown in pieces):
        return None
    face = font(size, weight)
    left, _, last = pieces[-1]
    room = max(spare(shown, size) for _, _, shown in pieces)
    mask = Image.new("L", (left + int(length(last, size, weight)) + 2, sum(face.getmetrics()) + 2 * room))
    for left, marked, shown in pieces:
        write_into(mask, shown, left, size, weight)
        if marked:
            robot = sprite(_ROBOT, size).getchannel("A")
            above = room + face.getmetrics()[0] - round(size * CAPITAL / 2) - size // 2
            mask.paste(robot, (left - _indent(size), above))
    return mask


def _pieces(text: str, size: int, weight: Weight, width: int) -> tuple[list[tuple[int, bool, str]], bool]:
    """The words from each robot to the next: where they begin, whether a robot stands before them, and what of them
    can be written within `width`; and whether that is all of them."""
    pieces = []
    x = 0
    for piece in re.split(f"(?={ROBOT})", text):
        marked = piece.startswith(ROBOT)
        left = x + marked * _indent(size)
        words = writable(piece.removeprefix(ROBOT))
        shown = legible(words, size, width - left, weight)
        if shown and left < width:
            pieces.append((left, marked, shown))
            x = left + int(length(shown, size, weight) + font(size, weight).getlength(" "))
        if shown != words:
            return pieces, False
    return pieces, True


def wrapped(text: str, size: int, width: int, weight: Weight = "Bold") -> list[str]:
    """The lines of a longer text, each at most `width` wide."""
    lines = [""]
    for word in re.findall(f"(?:{ISOLATE}[^{END_OF_ISOLATE}]*|[^{ISOLATE}\\s])+", text):
        longer = f"{lines[-1]} {word}".lstrip()
        long = length(writable(longer.replace(ROBOT, "")), size, weight) + longer.count(ROBOT) * _indent(size)
        if lines[-1] and long > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _indent(size: int) -> int:
    """Pixels by which the mark of a computer moves its name to the right."""
    return size * 5 // 4


_ROBOT: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><g fill="none" stroke="#000000" stroke-width="9" '
    'stroke-linecap="round"><path d="M50 30V16M7 52V66M93 52V66"/></g><circle cx="50" cy="12" r="9"/>'
    '<path fill-rule="evenodd" d="M33 27H67A17 17 0 0 1 84 44V74A17 17 0 0 1 67 91H33A17 17 0 0 1 16 74V44A17 17 0 0 1 '
    '33 27ZM36 43A9 9 0 0 0 36 61A9 9 0 0 0 36 43ZM64 43A9 9 0 0 0 64 61A9 9 0 0 0 64 43ZM35 71V79H65V71Z"/></svg>'
)
"""The head of a robot. Only its shape counts: it is written in the colour of the name."""


def lay(image: Image.Image, card: Card, x: int, y: int, wide: int) -> None:
    """A card with its top left corner at x, y; one that lies beneath it peeks out at the top."""
    if card.under:
        beneath = sprite(card.under, wide)
        image.paste(beneath, (x, y), beneath)
        y += wide // PEEK
    if card.face:
        shape = _faded(card.face, wide) if card.faded else sprite(card.face, wide)
        image.paste(shape, (x, y), shape)
    if card.badge:
        size = max(wide // 5, 30)
        high = size * 7 // 5
        across = max(high, int(font(size).getlength(card.badge)) + size * 3 // 4)
        left, top = x + wide + 6 - across, y - 6
        plate(image, left, top, across, high, "turn")
        write(image, card.badge, left + across // 2, top + high // 2, size, INK, anchor=0.5)


@lru_cache(64)
def _faded(svg: str, wide: int) -> Image.Image:
    """A card in the shade."""
    shape = sprite(svg, wide)
    shaded = Image.blend(shape.convert("RGB"), Image.new("RGB", shape.size, FELT), SHADED)
    shaded.putalpha(shape.getchannel("A"))
    return shaded
