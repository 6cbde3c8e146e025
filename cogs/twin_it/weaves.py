"""Patterns that repeat all over a design. Each function draws one family; its arguments are the traits of a design."""

from cogs.twin_it.colours import (
    BLUE,
    CREAM,
    GREEN,
    LIME,
    NAVY,
    PINK,
    PLUM,
    RED,
    ROSE,
    SKY,
    SUN,
    TEAL,
    WHITE,
)
from cogs.twin_it.shapes import Point, Svg, box, design_svg, disc, grid, path, polygon, turned


def hoops(count: int, form: str) -> Svg:
    """Draw rings, frames or kites, one inside the other."""
    step = 47 / (count - 0.4)
    fills = (PINK, SUN, PINK, SUN, PINK)

    def nested(size: float, fill: str) -> Svg:
        match form:
            case "ring":
                return disc(50, 50, size, fill)
            case "frame":
                return box(50, 50, 1.84 * size, 1.84 * size, fill, 4)
            case _:
                return turned(box(50, 50, 1.62 * size, 1.62 * size, fill, 3), 45)

    layers = [
        nested(47 - step * i, fills[i]) + nested(47 - step * (i + 0.52), NAVY) for i in range(count - 1)
    ]
    return design_svg(NAVY, [*layers, nested(47 - step * (count - 1), WHITE)])


def stripes(angle: int, count: int) -> Svg:
    """Draw bands at an angle, each with a thin line along it."""
    period = 100 / count
    middles = [period * (i + 0.5) for i in range(-count, 2 * count)]
    bands = [box(x, 50, period * 0.62, 300, GREEN) + box(x, 50, period * 0.2, 300, CREAM) for x in middles]
    return design_svg(LIME, [turned("".join(bands), angle)])


def waves(count: int, form: str, angle: int) -> Svg:
    """Draw wavy or jagged lines in two colours by turns."""
    period = 100 / count
    crests = range(-25, 126, 25)

    def line(y: float) -> str:
        if form == "round":
            return f"M-25 {y:.2f} Q-12.5 {y - 15:.2f} 0 {y:.2f} " + " ".join(
                f"T{x} {y:.2f}" for x in crests[2:]
            )
        return "M" + " L".join(f"{x} {y + (-8 if i % 2 else 8):.2f}" for i, x in enumerate(crests))

    drawn = [
        path(line(period * (i + 0.5)), stroke=WHITE if i % 2 else SKY, width=period * 0.44)
        for i in range(-1, count + 1)
    ]
    return design_svg(BLUE, [turned("".join(drawn), angle)])


def dots(count: int, form: str, order: str) -> Svg:
    """Draw dots, rings or square tiles, in rows that are in line or staggered."""
    size = 36 / count
    shapes = {
        "dot": lambda x, y: disc(x, y, size, PLUM),
        "ring": lambda x, y: disc(x, y, size, PLUM) + disc(x, y, size * 0.52, CREAM),
        "tile": lambda x, y: box(x, y, 2 * size, 2 * size, PLUM, 1),
    }
    places = grid(count, count) if order == "line" else _staggered(count)
    return design_svg(PINK, [shapes[form](x, y) for x, y in places])


def _staggered(count: int) -> list[Point]:
    """Return the points of a grid in which every other row is moved by half a step and has one point more."""
    step = 100 / count
    return [
        (step * (i + 0.5 * (row % 2 == 0)), step * (row + 0.5))
        for row in range(count)
        for i in range(count + (row % 2))
    ]


def scales(angle: int, count: int, pearl: bool) -> Svg:
    """Draw the scales of a fish in overlapping rows."""
    size = 100 / count
    drawn = []
    for row in range(2 * count + 1, -3, -1):
        for i in range(-1, count + 1):
            x, y = size * (i + 0.5 * (row % 2) + 0.5), size * row / 2
            drawn.append(disc(x, y, size * 0.5, NAVY) + disc(x, y, size * 0.42, TEAL if row % 2 else SKY))
            drawn.append(disc(x, y + size * 0.24, size * 0.15, CREAM) if pearl else "")
    return design_svg(SKY, [turned("".join(drawn), angle)])


def chess(count: int, form: str, pearl: bool) -> Svg:
    """Draw squares as on a chessboard, or diamonds as on a harlequin's coat."""
    cells = grid(count, count)
    size = 100 / count
    if form == "squares":
        fields = [
            box(x, y, size, size, ROSE) for i, (x, y) in enumerate(cells) if (i % count + i // count) % 2 == 0
        ]
        marks = [
            disc(x, y, size * 0.26, NAVY if pearl else ROSE)
            for i, (x, y) in enumerate(cells)
            if (i % count + i // count) % 2
        ]
        return design_svg(CREAM, fields + (marks if pearl else []))
    half = size / 2
    diamonds = [polygon([(x, y - half), (x + half, y), (x, y + half), (x - half, y)], ROSE) for x, y in cells]
    return design_svg(CREAM, diamonds + [disc(x, y, size * 0.13, SUN) for x, y in cells])


def quilt(count: int, angle: int, pearl: bool) -> Svg:
    """Draw petals along the edges of squares. Four petals make a flower or, between flowers, a star."""
    size = 100 / count
    bend = size * 0.42
    petals = []
    for x, y in [(size * i, size * j) for i in range(-3, count + 4) for j in range(-3, count + 4)]:
        petals.append(path(f"M{x} {y} q{size / 2} {bend} {size} 0 q{-size / 2} {-bend} {-size} 0Z", RED))
        petals.append(path(f"M{x} {y} q{bend} {size / 2} 0 {size} q{-bend} {-size / 2} 0 {-size}Z", RED))
        petals.append(disc(x + size / 2, y + size / 2, size * 0.15, NAVY) if pearl else "")
    return design_svg(SUN, [turned("".join(petals), angle)])
