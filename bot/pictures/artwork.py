"""Drawings by name: scenes hold and compare them, and the rasterizer makes the SVG from them."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Artwork:
    """A drawing of a deck. Equal ones look the same."""

    deck: str
    """Name of the module that draws it."""
    name: str
    """Name of a function there that returns SVG, or of a text of SVG."""
    key: tuple[int | str | bool | None, ...] = ()
    """Arguments of the function."""

    @property
    def svg(self) -> str:
        """The SVG document."""
        return _drawn(self)


@cache
def _drawn(artwork: Artwork) -> str:
    found = getattr(import_module(artwork.deck), artwork.name)
    svg: str = found(*artwork.key) if callable(found) else found
    return svg
