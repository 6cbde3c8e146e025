"""Patterns that show something. Each function draws one family; its arguments are the traits of a design."""

from cogs.twin_it.colours import (
    BLUE,
    CREAM,
    GREEN,
    INK,
    LILAC,
    NAVY,
    ORANGE,
    RED,
    ROSE,
    SUN,
    VIOLET,
    WHITE,
)
from cogs.twin_it.shapes import Svg, design_svg, disc, mirrored, path, turned


def fern(side: str, pairs: int, berries: bool) -> Svg:
    """Draw a fern from a lower corner to the opposite upper one."""
    gap = 84 / pairs
    leaf = f"C10 {-gap * 0.75:.2f} 30 {-gap * 0.75:.2f} 42 -6 C30 {gap * 0.2:.2f} 10 {gap * 0.2:.2f} 0 0Z"
    drawn = [path("M50 112 L50 2", stroke=GREEN, width=4)]
    for i in range(pairs):
        y, shrink = 14 + gap * i + gap * 0.5, 0.55 + 0.45 * min(1, (i + 1) / 2.5)
        for sign in (1, -1):
            drawn.append(f'<g transform="translate(50 {y:.2f}) scale({sign * shrink:.3f} {shrink:.3f})">')
            drawn.append(path(f"M0 0{leaf}", GREEN) + "</g>")
            drawn.append(disc(50 + sign * 9, y + gap * 0.32, 5.2, ROSE) if berries else "")
    frond = turned("".join(drawn), 40)
    return design_svg(CREAM, [frond if side == "rising" else mirrored(frond)])


def rainbow(corner: str, bands: int) -> Svg:
    """Draw bands around one corner."""
    fills = (RED, ORANGE, SUN, GREEN, BLUE, VIOLET)
    height, _, side = corner.partition(" ")
    x, y = (0 if side == "left" else 100), (100 if height == "low" else 0)
    step = 84 / bands
    arcs = [disc(x, y, 104 - step * i, fills[i]) for i in range(bands)]
    return design_svg(LILAC, [*arcs, disc(x, y, 104 - step * bands, WHITE), disc(100 - x, 100 - y, 17, SUN)])


def shoal(way: str, coat: str) -> Svg:
    """Draw three rows of fish that swim left, right, or left and right by turns."""
    rows = []
    for row, y in enumerate((18, 50, 82)):
        xs = (27, 77) if row % 2 == 0 else (2, 52, 102)
        fish = "".join(_fish(x, y, coat) for x in xs)
        right = way == "right" or (way == "turns" and row % 2)
        rows.append(mirrored(fish) if right else fish)
    return design_svg(BLUE, rows)


def _fish(x: float, y: float, coat: str) -> Svg:
    """Return a fish that swims to the left."""
    coats = {
        "plain": "",
        "tiger": path("M-4 -10 L-4 10 M5 -8 L5 8", stroke=NAVY, width=4.2),
        "spotted": disc(-2, -5, 4.2, WHITE) + disc(5, 4, 4.2, WHITE),
    }
    body = path("M-19 0 C-12 -15 6 -14 13 -2 L22 -11 L22 11 L13 2 C6 14 -12 15 -19 0Z", ORANGE)
    eye = disc(-11.5, -2.5, 3, WHITE) + disc(-12, -2.5, 1.7, INK)
    return f'<g transform="translate({x} {y})">{body}{coats[coat]}{eye}</g>'
