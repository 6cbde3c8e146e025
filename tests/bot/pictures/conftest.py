"""Measures the words that are painted."""

from collections.abc import Callable

import pytest
from PIL import Image

from bot.pictures import painting
from bot.pictures.drawing import Scene, picture_of
from bot.pictures.fonts import Weight
from bot.pictures.painting import _pieces


@pytest.fixture
def smallest_words(monkeypatch: pytest.MonkeyPatch) -> Callable[[Scene], int]:
    """Return what paints a scene and returns the size of its smallest words, in pixels of a picture 1000 wide."""
    sizes, words = list[int](), painting._words

    def measured(text: str, size: int, weight: Weight, width: int) -> Image.Image | None:
        fits = _pieces(text, size, weight, width)[1]
        sizes.append(size if fits else size * 5 // 6)
        return words(text, size, weight, width)

    monkeypatch.setattr(painting, "_words", measured)

    def smallest(scene: Scene) -> int:
        sizes.clear()
        picture_of(scene).paint()
        return min(sizes)

    return smallest
