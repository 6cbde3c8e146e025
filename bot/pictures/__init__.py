"""Pictures: vectors become sprites, sprites become pictures, pictures become bytes, all of it off the event loop."""

from bot.pictures.fonts import font
from bot.pictures.line import legible
from bot.pictures.picture import Picture, drawn, encode, prepared
from bot.pictures.raster import Undrawn, sprite

__all__ = ["Picture", "Undrawn", "drawn", "encode", "font", "legible", "prepared", "sprite"]
