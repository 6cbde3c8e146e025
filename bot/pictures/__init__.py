"""Pictures: SVG becomes sprites, sprites become pictures, and pictures become PNG files, off the event loop.

`scene` has the data that a picture shows, `drawing` makes a picture from a scene, `picture` draws it in a thread.
"""

from bot.pictures.fonts import font
from bot.pictures.line import cut_to_fit
from bot.pictures.picture import Picture, draw, draw_ahead, encode
from bot.pictures.raster import DrawingFailed, sprite

__all__ = ["DrawingFailed", "Picture", "cut_to_fit", "draw", "draw_ahead", "encode", "font", "sprite"]
