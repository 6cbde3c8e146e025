"""Verbs of Twin It!'s own buttons, and their verbs in older versions."""

from typing import Final

PRESS: Final = "twin-it.press"
NAME: Final = "twin-it.name"
NAMED: Final = "twin-it.named"
PAGE: Final = "twin-it.page"
FACE: Final = "twin-it.face"
LIFT: Final = "twin-it.lift"
NUMBERS: Final = "twin-it.numbers"
CLAIM: Final = "twin-it.claim"

FORMERLY: Final = {
    PRESS: "press",
    NAME: "name",
    NAMED: "named",
    PAGE: "leaf",
    FACE: "face",
    LIFT: "lift",
    NUMBERS: "numbers",
    CLAIM: "claim",
}
"""Verbs of older versions, by the present verb. Messages of tables in play may still have them."""
