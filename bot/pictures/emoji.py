"""Cards drawn as emojis of the Discord application."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from PIL import Image

from bot.pictures.picture import Painting, Picture
from bot.pictures.raster import sprite

SIDE: Final = 128
"""Width in pixels. Discord shows an emoji 22 wide, 48 in a message without text. Fine screens need twice that."""


@dataclass(frozen=True, slots=True)
class EmojiDrawing:
    """The drawing of an emoji. `name` is the card's: at most 17 letters, digits and underscores."""

    name: str
    svg: str

    @property
    def key(self) -> str:
        """Name of the emoji at Discord. It changes when the drawing changes."""
        return f"palmhouse_{self.name}_{sha256(self.svg.encode()).hexdigest()[:4]}"

    @property
    def picture(self) -> Picture:
        """The picture to upload, about 12 kB."""
        return Picture("emoji", self.name, Painting(__name__, self))


def paint(drawing: EmojiDrawing) -> Image.Image:
    """Paint an emoji. Called in the rasterizer."""
    return sprite(drawing.svg, SIDE)
