"""Names of the 119 designs, by number: short, unique, and easy to say and to hear.

The near-twins of a family have neighbouring numbers.
"""

from typing import Final

FAMILY: Final = 7
"""Number of designs in a family of near-twins."""

NAMES: Final[tuple[str, ...]] = (
    *(
        "daisy six",
        "daisy eight",
        "daisy twelve",
        "dahlia six",
        "dahlia eight",
        "dahlia twelve",
        "ringed daisy",
    ),
    *("sun eight", "sun twelve", "sun sixteen", "dawn eight", "dawn twelve", "dawn sixteen", "starry sun"),
    *("hoops three", "hoops four", "hoops five", "boxes three", "boxes four", "boxes five", "kites four"),
    *("stripes upright", "stripes level", "stripes rising", "stripes falling"),
    *("ribbons rising", "ribbons falling", "pinstripes rising"),
    *(
        "waves three",
        "waves four",
        "waves five",
        "zigzags three",
        "zigzags four",
        "zigzags five",
        "waves upright",
    ),
    *(
        "dots nine",
        "dots sixteen",
        "dots staggered",
        "rings nine",
        "rings sixteen",
        "rings staggered",
        "tiles nine",
    ),
    *("whirl left three", "whirl left four", "whirl left six"),
    *("whirl right three", "whirl right four", "whirl right six", "hollow whirl"),
    *("mill left four", "mill left six", "mill left eight"),
    *("mill right four", "mill right six", "mill right eight", "starry mill"),
    *("fern rising four", "fern rising five", "fern rising six"),
    *("fern falling four", "fern falling five", "fern falling six", "berry fern"),
    *("scales up", "scales down", "scales left", "scales right"),
    *("pearl scales up", "pearl scales down", "broad scales up"),
    *(
        "star five",
        "star six",
        "star seven",
        "star eight",
        "moon star five",
        "moon star six",
        "moon star seven",
    ),
    *(
        "chess three",
        "chess four",
        "chess five",
        "harlequin three",
        "harlequin four",
        "harlequin five",
        "pearl chess",
    ),
    *("beads eight", "beads ten", "beads twelve", "gems eight", "gems ten", "gems twelve", "heart beads"),
    *("quilt two", "quilt three", "quilt four", "tilted quilt two", "tilted quilt three", "pearl quilt two"),
    *("pearl quilt three",),
    *(
        "orange eight",
        "orange ten",
        "orange twelve",
        "lime eight",
        "lime ten",
        "lime twelve",
        "cherry orange",
    ),
    *("rainbow low left", "rainbow low right", "rainbow high left", "rainbow high right"),
    *("wide rainbow left", "wide rainbow right", "fine rainbow left"),
    *(
        "fish left",
        "fish right",
        "fish by turns",
        "tigers left",
        "tigers right",
        "tigers by turns",
        "spotted fish",
    ),
)
