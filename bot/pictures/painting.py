"""The painter's tools: felt, plates, cards and words, all of them sprites that are made once."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, Literal

from PIL import Image, ImageColor, ImageDraw

from bot.pictures.blank import GOLD, HEIGHT, INK, PAPER
from bot.pictures.blank import WIDTH as CARD_WIDTH
from bot.pictures.fonts import Weight, font, legible
from bot.pictures.raster import sprite
from bot.pictures.scene import Card

WIDTH: Final = 1000
"""Of every picture, in pixels."""
CREAM: Final = PAPER
FAINT: Final = "#7fb0aa"
NIGHT: Final = "#083536"
FELT: Final = "#0e615b"
SHADE: Final = "#0c5650"
RIM: Final = "#e3bd77"
PEEK: Final = 7
"""A card that lies beneath another peeks out by its width divided by this."""


OUT: Final = ("#0c4a49", "#2a7570")
SHADED: Final = 0.42
"""How far a faded card goes into the colour of the table."""

_PLATES: Final = {"seat": (NIGHT, RIM), "turn": (GOLD, PAPER), "out": OUT}


@cache
def felt(height: int, inset: int) -> Image.Image:
    """An empty table; `inset` is how far its edge lies from the top and the bottom. Copy it, never draw on it."""
    fronds = "".join(
        f'<g transform="translate({x} {y}) rotate({turn})">{_FROND}</g>'
        for x, y, turn in ((10, height - inset - 20, 48), (990, inset + 20, 228))
    )
    table = f'x="10" y="{inset}" width="{WIDTH - 20}" height="{height - 2 * inset}" rx="90"'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">'
        f'<clipPath id="table"><rect {table}/></clipPath>'
        f'<rect width="{WIDTH}" height="{height}" fill="{NIGHT}"/><rect {table} fill="{FELT}"/>'
        f'<g clip-path="url(#table)" fill="none" stroke="{SHADE}" stroke-width="17" stroke-linecap="round">{fronds}</g>'
        f'<rect {table} fill="none" stroke="{RIM}" stroke-width="6"/></svg>'
    )
    return sprite(svg, WIDTH).convert("RGB")


_FROND: Final = '<path d="M0 0V-330"/>' + "".join(
    f'<path d="M0 -{y}Q{side * reach * 0.6:g} -{y + 16} {side * reach:g} -{y + 66}"/>'
    for y, reach in ((60, 78), (104, 92), (148, 94), (192, 84), (236, 66), (280, 44))
    for side in (-1, 1)
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
    the grounds it is seen on. Ten times as fast as to look for the best palette, and flat colours stay as they are."""
    colours = frozenset(colour for svg in set(drawn) for colour in _colours(svg))
    return image.quantize(palette=_palette(colours), dither=Image.Dither.NONE)


@lru_cache(1024)
def _colours(svg: str) -> frozenset[str]:
    return frozenset(re.findall(r"#[0-9a-f]{6}", svg))


@lru_cache(256)
def _palette(colours: frozenset[str]) -> Image.Image:
    house = (PAPER, INK, GOLD, FAINT, NIGHT, FELT, SHADE, RIM, *OUT)
    solid = [ImageColor.getrgb(colour) for colour in dict.fromkeys((*house, *sorted(colours)))]
    entries = dict.fromkeys(solid)
    for part in (SHADED, 0.7, 0.2, 0.85, 0.55, 0.3):
        for ground in (PAPER, FELT, NIGHT, GOLD):
            under = ImageColor.getrgb(ground)
            for colour in solid:
                mixed = (round(a + (b - a) * part) for a, b in zip(colour, under, strict=True))
                entries[tuple(mixed)] = None
    image = Image.new("P", (1, 1))
    image.putpalette([value for entry in [*entries][:256] for value in entry])
    return image


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
    wide: a little smaller, then cut; and `otherwise` when nothing of it can be drawn. Returns its width."""
    mask = _words(text, size, weight, width) or _words(otherwise, size, weight, width)
    if mask is None:
        return 0
    image.paste(colour, (int(x - anchor * mask.width), y - mask.height // 2), mask)
    return mask.width


@lru_cache(1024)
def _words(text: str, size: int, weight: Weight, width: int) -> Image.Image | None:
    """A line as a mask, as high as the typeface; None when there is nothing to see."""
    small = size * 5 // 6
    shown = legible(text, size, width, weight)
    if shown.endswith("…"):
        size, shown = small, legible(text, small, width, weight)
    face = font(size, weight)
    wide = int(face.getlength(shown)) + 2
    if wide <= 2:
        return None
    mask = Image.new("L", (wide, sum(face.getmetrics())))
    ImageDraw.Draw(mask).text((0, 0), shown, fill=255, font=face)
    return mask


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
        size = max(wide // 4, 26)
        high = size * 3 // 2
        across = max(high, int(font(size).getlength(card.badge)) + size)
        top = y + card_height(wide) - high - 6
        plate(image, x + 6, top, across, high, "turn")
        write(image, card.badge, x + 6 + across // 2, top + high // 2, size, INK, anchor=0.5)


@lru_cache(256)
def _faded(svg: str, wide: int) -> Image.Image:
    """A card in the shade."""
    shape = sprite(svg, wide)
    shaded = Image.blend(shape.convert("RGB"), Image.new("RGB", shape.size, FELT), SHADED)
    shaded.putalpha(shape.getchannel("A"))
    return shaded
