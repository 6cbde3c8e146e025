"""Patterns around the middle of the face: a function for each family, its arguments the traits that members differ in."""

from math import pi, sin

from cogs.twin_it.colours import (
    AQUA,
    CORAL,
    CREAM,
    GREEN,
    LILAC,
    LIME,
    NAVY,
    ORANGE,
    PINK,
    RED,
    ROSE,
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
    disc,
    ellipse,
    face,
    mirrored,
    path,
    polar,
    polygon,
    star,
    turned,
    wedge,
)


def daisy(petals: int, form: str, heart: str) -> Svg:
    """Petals around a heart, yellow suns in the corners."""
    width = 52 * sin(pi / petals)
    shapes = {
        "round": ellipse(50, 25.5, width, 43, WHITE),
        "pointed": path(f"M50 1 Q{50 + width:.2f} 25 50 50 Q{50 - width:.2f} 25 50 1Z", WHITE),
    }
    hearts = {"disc": disc(50, 50, 13, SUN), "ring": disc(50, 50, 19, SUN) + disc(50, 50, 10, TEAL)}
    corners = [disc(x, y, 12, SUN) for x in (0, 100) for y in (0, 100)]
    return face(TEAL, [*corners, around(petals, shapes[form]), hearts[heart]])


def sun(rays: int, height: float, heart: str) -> Svg:
    """Rays around a disc, in the middle of the face or rising from its lower edge."""
    at = (50, height)
    beams = [wedge(360 * i / rays, 180 / rays, SUN, at) for i in range(rays)]
    hearts = {"disc": disc(*at, 19, CREAM), "star": disc(*at, 22, CREAM) + star(*at, 6, 21, 9, RED)}
    return face(CORAL, [*beams, disc(*at, 27, RED), hearts[heart]])


def whirl(side: str, arms: int, heart: str) -> Svg:
    """Arms that bend out of the middle to one side."""
    width = 180 / arms
    (ax, ay), (bx, by) = polar(90, 80), polar(90, 80 + width)
    (cx, cy), (dx, dy) = polar(46, 10), polar(46, 10 + width)
    arm = path(
        f"M50 50 Q{cx:.2f} {cy:.2f} {ax:.2f} {ay:.2f} L{bx:.2f} {by:.2f} Q{dx:.2f} {dy:.2f} 50 50Z", SUN
    )
    hearts = {"disc": disc(50, 50, 8, PINK), "hollow": disc(50, 50, 21, PINK) + disc(50, 50, 12, VIOLET)}
    drawn = around(arms, arm) + hearts[heart]
    return face(VIOLET, [drawn if side == "right" else mirrored(drawn)])


def mill(side: str, sails: int, heart: str) -> Svg:
    """Sails of a toy windmill, each half light and half dark."""
    (ax, ay), (bx, by) = polar(46, 0), polar(46, 330 / sails)
    (cx, cy) = polar(23, 330 / sails)
    sail = polygon([(50, 50), (ax, ay), (bx, by)], CREAM) + polygon(
        [(50, 50), (bx, by), (cx, cy), (ax, ay)], NAVY
    )
    sail = polygon([(50, 50), (ax, ay), (bx, by)], NAVY) + polygon([(50, 50), (ax, ay), (cx, cy)], CREAM)
    hearts = {"disc": disc(50, 50, 7, RED), "star": star(50, 50, 5, 19, 8.5, RED)}
    drawn = around(sails, sail) + hearts[heart]
    return face(ORANGE, [drawn if side == "right" else mirrored(drawn)])


def stars(points: int, heart: str) -> Svg:
    """A star in a star, or around a moon."""
    depth = {5: 0.45, 6: 0.52, 7: 0.58, 8: 0.62}[points]
    layers = [star(50, 50, points, size, size * depth, fill) for size, fill in ((49, SUN), (36, CORAL))]
    hearts = {"star": star(50, 50, points, 20, 20 * depth, WHITE), "moon": disc(50, 50, 16, WHITE)}
    twinkles = [star(x, y, 4, 6, 2.2, SKY) for x in (10, 90) for y in (11, 89)]
    return face(NAVY, [*twinkles, *layers, hearts[heart]])


def beads(count: int, form: str, heart: str) -> Svg:
    """A chain of beads or of gems around a medallion."""
    size = 110 / count
    shapes = {
        "bead": disc(50, 12, size, LIME),
        "gem": turned(box(50, 12, 1.75 * size, 1.75 * size, LIME), 45, (50, 12)),
    }
    hearts = {"disc": disc(50, 50, 9, PINK), "heart": _heart(PINK)}
    medallion = disc(50, 50, 21, WHITE)
    return face(ROSE, [around(count, shapes[form]), medallion, hearts[heart]])


def _heart(fill: str) -> Svg:
    return path("M50 66 C26 48 38 32 50 43 C62 32 74 48 50 66Z", fill)


def citrus(fruit: str, segments: int, heart: str) -> Svg:
    """A slice of orange or lime."""
    rind, flesh, ground = {"orange": (ORANGE, "#ffa938", AQUA), "lime": (GREEN, LIME, LILAC)}[fruit]
    half = 180 / segments - 12 / segments
    (ax, ay), (bx, by) = polar(35, -half), polar(35, half)
    segment = path(f"M50 45 L{ax:.2f} {ay:.2f} A35 35 0 0 1 {bx:.2f} {by:.2f}Z", flesh, flesh, 1.5)
    hearts = {"none": "", "cherry": disc(50, 50, 16, RED) + disc(45, 45, 4, WHITE)}
    return face(
        ground,
        [
            disc(50, 50, 46, rind),
            disc(50, 50, 40, WHITE),
            around(segments, segment),
            hearts[heart],
        ],
    )
