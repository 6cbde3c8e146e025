"""The 119 designs: their families, their traits and their SVG."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from cogs.twin_it import scenes, weaves, wheels
from cogs.twin_it.shapes import Svg


@dataclass(frozen=True, slots=True)
class Family:
    """Designs that differ in a few traits.

    `pattern` draws a design from its traits. `members` has these traits by the name of the design, in the order of
    `games.twin_it.designs.NAMES`.
    """

    pattern: Callable[..., Svg]
    members: dict[str, tuple[Any, ...]]


FAMILIES: Final = (
    Family(
        wheels.daisy,
        {
            "daisy six": (6, "round", "disc"),
            "daisy eight": (8, "round", "disc"),
            "daisy twelve": (12, "round", "disc"),
            "dahlia six": (6, "pointed", "disc"),
            "dahlia eight": (8, "pointed", "disc"),
            "dahlia twelve": (12, "pointed", "disc"),
            "ringed daisy": (8, "round", "ring"),
        },
    ),
    Family(
        wheels.sun,
        {
            "sun eight": (8, 50, "disc"),
            "sun twelve": (12, 50, "disc"),
            "sun sixteen": (16, 50, "disc"),
            "dawn eight": (8, 88, "disc"),
            "dawn twelve": (12, 88, "disc"),
            "dawn sixteen": (16, 88, "disc"),
            "starry sun": (12, 50, "star"),
        },
    ),
    Family(
        weaves.hoops,
        {
            "hoops three": (3, "ring"),
            "hoops four": (4, "ring"),
            "hoops five": (5, "ring"),
            "boxes three": (3, "frame"),
            "boxes four": (4, "frame"),
            "boxes five": (5, "frame"),
            "kites four": (4, "kite"),
        },
    ),
    Family(
        weaves.stripes,
        {
            "stripes upright": (0, 5),
            "stripes level": (90, 5),
            "stripes rising": (45, 5),
            "stripes falling": (135, 5),
            "ribbons rising": (45, 3),
            "ribbons falling": (135, 3),
            "pinstripes rising": (45, 8),
        },
    ),
    Family(
        weaves.waves,
        {
            "waves three": (3, "round", 0),
            "waves four": (4, "round", 0),
            "waves five": (5, "round", 0),
            "zigzags three": (3, "sharp", 0),
            "zigzags four": (4, "sharp", 0),
            "zigzags five": (5, "sharp", 0),
            "waves upright": (4, "round", 90),
        },
    ),
    Family(
        weaves.dots,
        {
            "dots nine": (3, "dot", "line"),
            "dots sixteen": (4, "dot", "line"),
            "dots staggered": (4, "dot", "staggered"),
            "rings nine": (3, "ring", "line"),
            "rings sixteen": (4, "ring", "line"),
            "rings staggered": (4, "ring", "staggered"),
            "tiles nine": (3, "tile", "line"),
        },
    ),
    Family(
        wheels.whirl,
        {
            "whirl left three": ("left", 3, "disc"),
            "whirl left four": ("left", 4, "disc"),
            "whirl left six": ("left", 6, "disc"),
            "whirl right three": ("right", 3, "disc"),
            "whirl right four": ("right", 4, "disc"),
            "whirl right six": ("right", 6, "disc"),
            "hollow whirl": ("left", 4, "hollow"),
        },
    ),
    Family(
        wheels.mill,
        {
            "mill left four": ("left", 4, "disc"),
            "mill left six": ("left", 6, "disc"),
            "mill left eight": ("left", 8, "disc"),
            "mill right four": ("right", 4, "disc"),
            "mill right six": ("right", 6, "disc"),
            "mill right eight": ("right", 8, "disc"),
            "starry mill": ("left", 6, "star"),
        },
    ),
    Family(
        scenes.fern,
        {
            "fern rising four": ("rising", 4, False),
            "fern rising five": ("rising", 5, False),
            "fern rising six": ("rising", 6, False),
            "fern falling four": ("falling", 4, False),
            "fern falling five": ("falling", 5, False),
            "fern falling six": ("falling", 6, False),
            "berry fern": ("rising", 5, True),
        },
    ),
    Family(
        weaves.scales,
        {
            "scales up": (180, 4, False),
            "scales down": (0, 4, False),
            "scales left": (90, 4, False),
            "scales right": (270, 4, False),
            "pearl scales up": (180, 4, True),
            "pearl scales down": (0, 4, True),
            "broad scales up": (180, 3, False),
        },
    ),
    Family(
        wheels.stars,
        {
            "star five": (5, "star"),
            "star six": (6, "star"),
            "star seven": (7, "star"),
            "star eight": (8, "star"),
            "moon star five": (5, "moon"),
            "moon star six": (6, "moon"),
            "moon star seven": (7, "moon"),
        },
    ),
    Family(
        weaves.chess,
        {
            "chess three": (3, "squares", False),
            "chess four": (4, "squares", False),
            "chess five": (5, "squares", False),
            "harlequin three": (3, "diamonds", False),
            "harlequin four": (4, "diamonds", False),
            "harlequin five": (5, "diamonds", False),
            "pearl chess": (4, "squares", True),
        },
    ),
    Family(
        wheels.beads,
        {
            "beads eight": (8, "bead", "disc"),
            "beads ten": (10, "bead", "disc"),
            "beads twelve": (12, "bead", "disc"),
            "gems eight": (8, "gem", "disc"),
            "gems ten": (10, "gem", "disc"),
            "gems twelve": (12, "gem", "disc"),
            "heart beads": (10, "bead", "heart"),
        },
    ),
    Family(
        weaves.quilt,
        {
            "quilt two": (2, 0, False),
            "quilt three": (3, 0, False),
            "quilt four": (4, 0, False),
            "tilted quilt two": (2, 45, False),
            "tilted quilt three": (3, 45, False),
            "pearl quilt two": (2, 0, True),
            "pearl quilt three": (3, 0, True),
        },
    ),
    Family(
        wheels.citrus,
        {
            "orange eight": ("orange", 8, "pith"),
            "orange ten": ("orange", 10, "pith"),
            "orange twelve": ("orange", 12, "pith"),
            "lime eight": ("lime", 8, "pith"),
            "lime ten": ("lime", 10, "pith"),
            "lime twelve": ("lime", 12, "pith"),
            "cherry orange": ("orange", 10, "cherry"),
        },
    ),
    Family(
        scenes.rainbow,
        {
            "rainbow low left": ("low left", 4),
            "rainbow low right": ("low right", 4),
            "rainbow high left": ("high left", 4),
            "rainbow high right": ("high right", 4),
            "wide rainbow left": ("low left", 3),
            "wide rainbow right": ("low right", 3),
            "fine rainbow left": ("low left", 6),
        },
    ),
    Family(
        scenes.shoal,
        {
            "fish left": ("left", "plain"),
            "fish right": ("right", "plain"),
            "fish by turns": ("turns", "plain"),
            "tigers left": ("left", "tiger"),
            "tigers right": ("right", "tiger"),
            "tigers by turns": ("turns", "tiger"),
            "spotted fish": ("left", "spotted"),
        },
    ),
)

_DRAWN: Final = [(family.pattern, traits) for family in FAMILIES for traits in family.members.values()]


@cache
def drawing(design: int) -> Svg:
    """Return a design, 0 to 118, as an SVG document of 100 × 100 units with round corners."""
    pattern, traits = _DRAWN[design]
    return pattern(*traits)


def on_card(design: int) -> Svg:
    """Return a design in the middle of the area of a card."""
    square = drawing(design).replace("<svg ", '<svg y="40" width="200" height="200" ', 1)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 280">{square}</svg>'
