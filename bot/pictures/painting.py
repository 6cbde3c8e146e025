"""Parts that all painters use: felt, plates, cards, pips and words."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Final, Literal

from PIL import Image, ImageDraw

from bot.pictures.blank import GOLD, HEIGHT, INK, PAPER
from bot.pictures.blank import WIDTH as CARD_WIDTH
from bot.pictures.fonts import Weight, drawable_part, font
from bot.pictures.line import cut_to_fit, extra_height, text_width, write_into
from bot.pictures.palette import palette, quantized
from bot.pictures.raster import sprite
from bot.pictures.scene import DrawnCard
from games.letters import END_OF_ISOLATE, ISOLATE, ROBOT

WIDTH: Final = 1000
"""Width of every picture in pixels."""
CREAM: Final = PAPER
FAINT: Final = "#7fb0aa"
NIGHT: Final = "#083536"
FELT: Final = "#0e615b"
SHADE: Final = "#0c5650"
RIM: Final = "#e3bd77"
BEND: Final = 90
"""Radius of the table's corners in pixels."""
FROND: Final = 250
"""Width of the palm fronds in two corners of the table, in pixels."""
PEEK: Final = 7
"""The visible part of a card under another one is as high as its width divided by this number."""
FRAME: Final = 9
"""Width of the frame around the top card of a pile, in pixels."""
OUT: Final = ("#0c4a49", "#2a7570")
"""Fill and edge of the plates of players who are out, and of ordinary rows."""
CAPITAL: Final = 0.73
"""Height of the typeface's capitals, in font sizes."""
FADE: Final = 0.42
"""Part of the table's colour in a faded card."""

_PLATES: Final = {"seat": (NIGHT, RIM), "turn": (GOLD, PAPER), "out": OUT}
"""Fill and edge of plates: "turn" for the players to act and for winners, "out" for rows that do not stand out."""


def felt_table(height: int, inset: int) -> Image.Image:
    """Return an empty table, with its edge `inset` pixels from the top and the bottom of the picture."""
    image = Image.new("RGB", (WIDTH, height), NIGHT)
    left, top, right, bottom = 10, inset, WIDTH - 10, height - inset
    ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), FELT, RIM, 6)
    for turn, x, y in ((45, left + 6, bottom - FROND - 6), (225, right - FROND - 6, top + 6)):
        frond = sprite(_FROND.format(turn=turn), FROND)
        image.paste(frond, (x, y), frond)
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
"""The upper left corner of the table's edge, rotated clockwise by `turn` degrees."""
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


def paint_plate(
    image: Image.Image, x: int, y: int, wide: int, high: int, kind: Literal["seat", "turn", "out"]
) -> None:
    """Paint a rounded plate with its top left corner at x, y: the background of words."""
    fill, edge = _PLATES[kind]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"><rect x="2.5" y="2.5" '
        f'width="{wide - 5}" height="{high - 5}" rx="24" fill="{fill}" stroke="{edge}" stroke-width="5"/></svg>'
    )
    shape = sprite(svg, wide)
    image.paste(shape, (x, y), shape)


def paint_pip(image: Image.Image, pip: str, x: int, y: int, size: int) -> None:
    """Paint a pip (see `blank.pip_at`) with its middle at x, y."""
    shape = sprite(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">{pip}</svg>', size)
    image.paste(shape, (x - size // 2, y - size // 2), shape)


def with_palette(image: Image.Image, svgs: Iterable[str]) -> Image.Image:
    """Return the picture with a palette made from the colours of these SVGs and those of the table.

    The palette also has mixtures of each colour with the backgrounds, for smooth edges."""
    colours = frozenset(colour for svg in set(svgs) for colour in _colours(svg))
    return quantized(image, _palette(colours))


@lru_cache(1024)
def _colours(svg: str) -> frozenset[str]:
    return frozenset(re.findall(r"#[0-9a-f]{6}", svg))


@lru_cache(256)
def _palette(colours: frozenset[str]) -> Image.Image:
    own = (PAPER, INK, GOLD, FAINT, NIGHT, FELT, SHADE, RIM, *OUT)
    solid = [*dict.fromkeys((*own, *sorted(colours)))]
    # Two steps make edges smooth enough. Six of them, and edges on gold, took a tenth more bytes.
    steps = product((FADE, 0.7), (PAPER, FELT, NIGHT), solid)
    return palette(solid, ((colour, ground, part) for part, ground, colour in steps))


def paint_slot(image: Image.Image, x: int, y: int, wide: int) -> None:
    """Paint the outline of a missing card, with its top left corner at x, y."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CARD_WIDTH} {HEIGHT}"><rect x="6" y="6" '
        f'width="{CARD_WIDTH - 12}" height="{HEIGHT - 12}" rx="24" fill="{SHADE}" stroke="{FAINT}" stroke-width="5" '
        'stroke-dasharray="16 14" stroke-linecap="round"/></svg>'
    )
    shape = sprite(svg, wide)
    image.paste(shape, (x, y), shape)


def card_height(wide: int) -> int:
    """Return the height of a card that is `wide` pixels wide."""
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
    """Write a line with its middle at the height y. Return its width in pixels.

    `anchor` is the part of the line to the left of x: 0.5 centres it on x. A line wider than `width` is written a
    little smaller, and cut if that is not enough. `otherwise` is written when nothing of the text can be drawn. A 🤖,
    with which the names of computers begin, is drawn as a small robot in the colour of the text."""
    mask = _words(text, size, weight, width) or _words(otherwise, size, weight, width)
    if mask is None:
        return 0
    image.paste(colour, (int(x - anchor * mask.width), y - mask.height // 2), mask)
    return mask.width


def width_of(text: str, size: int, width: int = WIDTH, weight: Weight = "Bold") -> int:
    """Return the width in pixels that `write` needs for a line; 0 when nothing of it can be drawn."""
    mask = _words(text, size, weight, width)
    return mask.width if mask else 0


@lru_cache(512)
def _words(text: str, size: int, weight: Weight, width: int) -> Image.Image | None:
    """Return a line as a mask, or None when nothing of it is visible.

    The mask is as high as the typeface, with the same extra height above and below for scripts that need it."""
    pieces, whole = _pieces(text, size, weight, width)
    if not whole:
        size = size * 5 // 6
        pieces, _ = _pieces(text, size, weight, width)
    if not any(shown for _, _, shown in pieces):
        return None
    typeface = font(size, weight)
    left, _, last = pieces[-1]
    room = max(extra_height(shown, size) for _, _, shown in pieces)
    mask = Image.new(
        "L", (left + int(text_width(last, size, weight)) + 2, sum(typeface.getmetrics()) + 2 * room)
    )
    for left, marked, shown in pieces:
        write_into(mask, shown, left, size, weight)
        if marked:
            robot = sprite(_ROBOT, size).getchannel("A")
            above = room + typeface.getmetrics()[0] - round(size * CAPITAL / 2) - size // 2
            mask.paste(robot, (left - _indent(size), above))
    return mask


def _pieces(text: str, size: int, weight: Weight, width: int) -> tuple[list[tuple[int, bool, str]], bool]:
    """Cut a line at each robot. Return its pieces, and whether all of the line fits into `width`.

    A piece is: the left edge of its words, whether a robot stands before them, and the words that fit."""
    pieces = []
    x = 0
    for piece in re.split(f"(?={ROBOT})", text):
        marked = piece.startswith(ROBOT)
        left = x + marked * _indent(size)
        words = drawable_part(piece.removeprefix(ROBOT))
        shown = cut_to_fit(words, size, width - left, weight)
        if shown and left < width:
            pieces.append((left, marked, shown))
            x = left + int(text_width(shown, size, weight) + font(size, weight).getlength(" "))
        if shown != words:
            return pieces, False
    return pieces, True


def wrapped(text: str, size: int, width: int, weight: Weight = "Bold") -> list[str]:
    """Break a longer text into lines at most `width` pixels wide."""
    lines = [""]
    for word in re.findall(f"(?:{ISOLATE}[^{END_OF_ISOLATE}]*|[^{ISOLATE}\\s])+", text):
        longer = f"{lines[-1]} {word}".lstrip()
        words = drawable_part(longer.replace(ROBOT, ""))
        robots = longer.count(ROBOT) * _indent(size)
        if lines[-1] and text_width(words, size, weight) + robots > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _indent(size: int) -> int:
    """Return the pixels by which a robot moves the words after it to the right."""
    return size * 5 // 4


_ROBOT: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><g fill="none" stroke="#000000" stroke-width="9" '
    'stroke-linecap="round"><path d="M50 30V16M7 52V66M93 52V66"/></g><circle cx="50" cy="12" r="9"/>'
    '<path fill-rule="evenodd" d="M33 27H67A17 17 0 0 1 84 44V74A17 17 0 0 1 67 91H33A17 17 0 0 1 16 74V44A17 17 0 0 1 '
    '33 27ZM36 43A9 9 0 0 0 36 61A9 9 0 0 0 36 43ZM64 43A9 9 0 0 0 64 61A9 9 0 0 0 64 43ZM35 71V79H65V71Z"/></svg>'
)
"""The head of a robot. Only its shape is used: it is painted in the colour of the text."""


def paint_card(image: Image.Image, card: DrawnCard, x: int, y: int, wide: int) -> None:
    """Paint a card with its top left corner at x, y. A card under it shows at the top and moves it down."""
    if card.under:
        beneath = sprite(card.under.svg, wide)
        image.paste(beneath, (x, y), beneath)
        y += wide // PEEK
    if card.framed:
        paint_plate(image, x - FRAME, y - FRAME, wide + 2 * FRAME, card_height(wide) + 2 * FRAME, "turn")
    if card.art:
        shape = _faded(card.svg, wide) if card.faded else sprite(card.svg, wide)
        image.paste(shape, (x, y), shape)
    if card.badge:
        size = max(wide // 5, 30)
        high = size * 7 // 5
        across = max(high, int(font(size).getlength(card.badge)) + size * 3 // 4)
        # At the top of a small card it would hide the rank.
        left, top = x + wide + 6 - across, y - 6 if across < wide / 2 else y + card_height(wide) + 6 - high
        paint_plate(image, left, top, across, high, "turn")
        write(image, card.badge, left + across // 2, top + high // 2, size, INK, anchor=0.5)


@lru_cache(64)
def _faded(svg: str, wide: int) -> Image.Image:
    """Return a card in darker colours."""
    shape = sprite(svg, wide)
    faded = Image.blend(shape.convert("RGB"), Image.new("RGB", shape.size, FELT), FADE)
    faded.putalpha(shape.getchannel("A"))
    return faded
