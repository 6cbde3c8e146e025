"""Images as files."""

from io import BytesIO
from typing import Final

from PIL import Image

COMPRESSION: Final = 6
"""Level of zlib. Level 6 has a sixth fewer bytes than 3, and takes 6 ms instead of 3; 9 takes 45 ms."""


def encode(image: Image.Image) -> bytes:
    """Return an image as PNG, without loss. With a palette it takes a sixth of the time and a third of the bytes."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()
