"""The SVG shapes of which the designs are made.

A design is 100 × 100 units, with its middle at (50, 50). Angles are in degrees, clockwise, and 0 is up.
"""

from collections.abc import Iterable
from math import cos, pi, sin
from typing import Final, TypeAlias

Svg: TypeAlias = str
Point: TypeAlias = tuple[float, float]

CORNER: Final = 9
"""Radius of a design's corners."""


def design_svg(background: str, shapes: Iterable[Svg]) -> Svg:
    """Return a design as an SVG document: the shapes on a background, cut to a square with round corners."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><defs><clipPath id="card">'
        f'<rect width="100" height="100" rx="{CORNER}"/></clipPath></defs><g clip-path="url(#card)">'
        f'<rect width="100" height="100" fill="{background}"/>{"".join(shapes)}</g></svg>'
    )


def disc(x: float, y: float, radius: float, fill: str) -> Svg:
    """Return a filled circle."""
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{fill}"/>'


def ellipse(x: float, y: float, width: float, height: float, fill: str) -> Svg:
    """Return a filled ellipse. x and y are its middle."""
    return f'<ellipse cx="{x:.2f}" cy="{y:.2f}" rx="{width / 2:.2f}" ry="{height / 2:.2f}" fill="{fill}"/>'


def box(x: float, y: float, width: float, height: float, fill: str, rounding: float = 0) -> Svg:
    """Return a filled rectangle. x and y are its middle, `rounding` is the radius of its corners."""
    return (
        f'<rect x="{x - width / 2:.2f}" y="{y - height / 2:.2f}" width="{width:.2f}" height="{height:.2f}" '
        f'rx="{rounding:.2f}" fill="{fill}"/>'
    )


def polygon(points: Iterable[Point], fill: str) -> Svg:
    return f'<polygon points="{" ".join(f"{x:.2f},{y:.2f}" for x, y in points)}" fill="{fill}"/>'


def path(line: str, fill: str = "none", stroke: str = "none", width: float = 0) -> Svg:
    """Return a path with round ends and corners. `line` is SVG path data."""
    return (
        f'<path d="{line}" fill="{fill}" stroke="{stroke}" stroke-width="{width:.2f}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def star(x: float, y: float, points: int, outer: float, inner: float, fill: str) -> Svg:
    """Return a star with `points` points, one of which points up."""
    step = pi / points
    radii = (outer, inner) * points
    corners = ((x + r * sin(i * step), y - r * cos(i * step)) for i, r in enumerate(radii))
    return polygon(corners, fill)


def wedge(angle: float, width: float, fill: str, at: Point = (50, 50)) -> Svg:
    """Return a ray from `at` beyond the edge of the design: its direction is `angle`, its width `width` degrees."""
    x, y = at
    edges = [(angle - width / 2) * pi / 180, (angle + width / 2) * pi / 180]
    return polygon([at, *((x + 150 * sin(edge), y - 150 * cos(edge)) for edge in edges)], fill)


def turned(shape: Svg, angle: float, at: Point = (50, 50)) -> Svg:
    """Return the shape, turned about a point."""
    return f'<g transform="rotate({angle:.3f} {at[0]:.2f} {at[1]:.2f})">{shape}</g>'


def mirrored(shape: Svg) -> Svg:
    """Return the shape with left and right exchanged."""
    return f'<g transform="translate(100 0) scale(-1 1)">{shape}</g>'


def around(count: int, shape: Svg, start: float = 0) -> Svg:
    """Return the shape `count` times, evenly around the middle of the design."""
    return "".join(turned(shape, start + 360 * i / count) for i in range(count))


def grid(columns: int, rows: int, margin: float = 0) -> list[Point]:
    """Return the middles of the cells of a grid, row by row."""
    width, height = (100 - 2 * margin) / columns, (100 - 2 * margin) / rows
    return [
        (margin + width * (i + 0.5), margin + height * (j + 0.5)) for j in range(rows) for i in range(columns)
    ]


def polar(radius: float, angle: float) -> Point:
    """Return the point at this distance and direction from the middle of the design."""
    return 50 + radius * sin(angle * pi / 180), 50 - radius * cos(angle * pi / 180)
