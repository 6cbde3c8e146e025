"""Patterns around one point of a design. Each function draws one family; its arguments are the traits of a design."""

from math import pi, sin

from cogs.twin_it.colours import (
    AQUA,
    CORAL,
    CREAM,
    GREEN,
    LEAF,
    LIME,
    NAVY,
    ORANGE,
    PINK,
    PLUM,
    RED,
    SKY,
    SUN,
    TEAL,
    VIOLET,
    WHITE,
)
from cogs.twin_it.shapes import (
    Svg,
    around,
    box,
    design_svg,
    disc,
    ellipse,
    mirrored,
    path,
    polar,
    polygon,
    star,
    turned,
    wedge,
)


def daisy(petals: int, form: str, heart: str) -> Svg:
    """Draw petals around a heart, with yellow suns in the corners."""
    width = 52 * sin(pi / petals)
    shapes = {
        "round": ellipse(50, 25.5, width, 43, WHITE),
        "pointed": polygon([(50, 2), (50 + width * 0.47, 36), (50, 50), (50 - width * 0.47, 36)], WHITE),
    }
    hearts = {"disc": disc(50, 50, 13, SUN), "ring": disc(50, 50, 19, SUN) + disc(50, 50, 10, TEAL)}
    corners = [disc(x, y, 12, SUN) for x in (0, 100) for y in (0, 100)]
    return design_svg(TEAL, [*corners, around(petals, shapes[form]), hearts[heart]])


def sun(rays: int, height: float, heart: str) -> Svg:
    """Draw rays around a disc, in the middle of the design or at its lower edge."""
    at = (50, height)
    beams = [wedge(360 * i / rays, 180 / rays, SUN, at) for i in range(rays)]
    hearts = {"disc": disc(*at, 19, CREAM), "star": disc(*at, 22, CREAM) + star(*at, 6, 21, 9, RED)}
    return design_svg(CORAL, [*beams, disc(*at, 27, RED), hearts[heart]])


def whirl(side: str, arms: int, heart: str) -> Svg:
    """Draw arms that bend from the middle to one side."""
    width = 180 / arms
    (ax, ay), (bx, by) = polar(90, 80), polar(90, 80 + width)
    (cx, cy), (dx, dy) = polar(46, 10), polar(46, 10 + width)
    arm = path(
        f"M50 50 Q{cx:.2f} {cy:.2f} {ax:.2f} {ay:.2f} L{bx:.2f} {by:.2f} Q{dx:.2f} {dy:.2f} 50 50Z", SUN
    )
    hearts = {"disc": disc(50, 50, 8, PINK), "hollow": disc(50, 50, 21, PINK) + disc(50, 50, 12, VIOLET)}
    drawn = around(arms, arm) + hearts[heart]
    return design_svg(VIOLET, [drawn if side == "right" else mirrored(drawn)])


def mill(side: str, sails: int, heart: str) -> Svg:
    """Draw the sails of a toy windmill, each half light and half dark."""
    width = min(330 / sails, 58)
    tip, edge, fold = polar(47, 0), polar(45, width), polar(24, width * 0.92)
    sail = polygon([(50, 50), tip, edge], NAVY) + polygon([(50, 50), tip, fold], CREAM)
    hearts = {"disc": disc(50, 50, 7, RED), "star": disc(50, 50, 21, SUN) + star(50, 50, 5, 20, 9, RED)}
    drawn = around(sails, sail) + hearts[heart]
    return design_svg(ORANGE, [drawn if side == "right" else mirrored(drawn)])


def stars(points: int, heart: str) -> Svg:
    """Draw a star in a star, or around a moon."""
    depth = {5: 0.45, 6: 0.52, 7: 0.58, 8: 0.62}[points]
    layers = [star(50, 50, points, size, size * depth, fill) for size, fill in ((49, SUN), (36, CORAL))]
    hearts = {
        "star": star(50, 50, points, 20, 20 * depth, WHITE),
        "moon": disc(50, 50, 19, NAVY) + disc(50, 50, 15, WHITE) + disc(57, 46, 12, NAVY),
    }
    twinkles = [star(x, y, 4, 6, 2.2, SKY) for x in (10, 90) for y in (11, 89)]
    return design_svg(NAVY, [*twinkles, *layers, hearts[heart]])


def beads(count: int, form: str, heart: str) -> Svg:
    """Draw a chain of beads or gems around a medallion."""
    size = 110 / count
    shapes = {
        "bead": disc(50, 12, size, LIME),
        "gem": turned(box(50, 12, 1.75 * size, 1.75 * size, LIME), 45, (50, 12)),
    }
    hearts = {"disc": disc(50, 50, 9, CORAL), "heart": _heart(PLUM)}
    medallion = disc(50, 50, 22, WHITE)
    return design_svg(PLUM, [around(count, shapes[form]), medallion, hearts[heart]])


def _heart(fill: str) -> Svg:
    return path("M50 70 C20 47 35 27 50 41 C65 27 80 47 50 70Z", fill)


def citrus(fruit: str, segments: int, heart: str) -> Svg:
    """Draw a slice of orange or lime."""
    rind, flesh, ground = {"orange": (RED, ORANGE, AQUA), "lime": (GREEN, LEAF, VIOLET)}[fruit]
    skins = around(segments, path("M50 50 L50 15", stroke=WHITE, width=40 / segments))
    hearts = {"pith": disc(50, 50, 6, WHITE), "cherry": disc(50, 50, 17, RED) + disc(44, 44, 4.5, WHITE)}
    rings = [disc(50, 50, 47, rind), disc(50, 50, 41, WHITE), disc(50, 50, 36.5, flesh)]
    return design_svg(ground, [*rings, skins, hearts[heart]])
