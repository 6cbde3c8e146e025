"""Verbs of Twin It!'s own buttons."""

from typing import Final

PRESS: Final = "twin-it.press"
NAME: Final = "twin-it.name"
NAMED: Final = "twin-it.named"
PAGE: Final = "twin-it.page"
FACE: Final = "twin-it.face"
LIFT: Final = "twin-it.lift"
NUMBERS: Final = "twin-it.numbers"
CLAIM: Final = "twin-it.claim"
