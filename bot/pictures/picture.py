"""Pictures as they are described before they are drawn, and the name by which equal ones are known."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib import import_module

from PIL import Image


@dataclass(frozen=True, slots=True)
class Painting:
    """A call of a painter for a scene. Equal ones draw the same picture."""

    painter: str
    """Name of a module with a function `paint(scene)`."""
    scene: object
    """Content of the picture and no more: the file name tells whether two scenes are equal."""

    def __call__(self) -> Image.Image:
        image: Image.Image = import_module(self.painter).paint(self.scene)
        return image


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that is drawn when it is sent."""

    kind: str
    """First part of the file name: "table"."""
    alt: str
    """Alt text of at most 1,024 characters, which says everything that the picture shows."""
    paint: Callable[[], Image.Image]
    """Draws the picture. It is pickled and called in the rasterizer."""
    name: str = field(init=False)
    """File name. Pictures with equal names look the same."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", f"{self.kind}-{_fingerprint(self.paint)}.png")


@lru_cache(256)
def _fingerprint(paint: Callable[[], Image.Image]) -> str:
    # A hash of what is shown: whoever reads the name sees the picture as well, so it tells nothing new.
    return sha256(repr(paint).encode()).hexdigest()[:16]
