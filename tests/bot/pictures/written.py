"""Measures the words that are painted."""

from typing import TypeAlias

import pytest
from PIL import Image

from bot.pictures import painting
from bot.pictures.drawing import Scene, picture_of
from bot.pictures.fonts import Weight
from bot.pictures.painting import _pieces

Line: TypeAlias = tuple[str, int, Weight, int]
"""Text, size, weight and greatest width of a line."""


def lines_written(monkeypatch: pytest.MonkeyPatch) -> dict[Line, Image.Image | None]:
    """Return a dict to which each line is added that is painted from now on."""
    written, words = dict[Line, Image.Image | None](), painting._words
    monkeypatch.setattr(painting, "_words", lambda *line: written.setdefault(line, words(*line)))
    return written


def smallest_words(scene: Scene) -> int:
    """Paint a scene, and return the size of its smallest words, in pixels of a picture 1000 wide."""
    with pytest.MonkeyPatch.context() as patch:
        written = lines_written(patch)
        picture_of(scene).paint()
    return min(line[1] if _pieces(*line)[1] else line[1] * 5 // 6 for line in written)
