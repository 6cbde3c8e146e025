"""Verbs of Twin It!'s own buttons, and the ones they had in older versions."""

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
"""Verbs of older versions, without the game's slug, by their verb now. Messages of live tables may still have them."""
