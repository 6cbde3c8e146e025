"""Pictures, and the threads that draw them."""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from io import BytesIO
from typing import Final

import discord
from PIL import Image

from bot.pictures import raster

COMPRESSION: Final = 3
"""Level of zlib. Level 3 is as fast as 1 for flat colours, with a fifth fewer bytes; 4 takes twice the time."""

KEPT: Final = 64
"""Number of pictures in the cache, as PNG of 40 to 100 kB each. Pictures with equal `paint` are drawn once."""

NICENESS: Final = 10
"""Niceness of the thread that draws boards (see nice(2)); only Linux has it for threads."""


def _lower_priority() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


ANSWER_TIMEOUT: Final = 2.0
"""Seconds for drawing the pictures of an answer. Discord waits three seconds for the answer."""

# One thread draws boards and another one answers, so that no click waits for a board. More threads would take the core
# that answers clicks. Pillow releases the interpreter's lock while it works.
_boards: Final = ThreadPoolExecutor(1, thread_name_prefix="pictures-boards", initializer=_lower_priority)


@dataclass(frozen=True, slots=True)
class Painting:
    """A call of a painter for a scene. Equal ones draw the same picture."""

    painter: str
    """Name of a module with a function `paint(scene)`."""
    scene: object
    """What the picture shows, and no more: the file name tells whether two scenes are equal."""

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
    """Draws the picture. Called in a thread."""

    @property
    def name(self) -> str:
        """File name. Pictures with equal names look the same."""
        return f"{self.kind}-{_fingerprint(self.paint)}.png"


@lru_cache(256)
def _fingerprint(paint: Callable[[], Image.Image]) -> str:
    # A hash of what is shown: whoever reads the name sees the picture as well, so it tells nothing new.
    return sha256(repr(paint).encode()).hexdigest()[:16]


async def draw(pictures: Iterable[Picture], *, answer: bool = False) -> list[discord.File]:
    """Draw the pictures of one message, one after the other, and return them as files.

    Pictures of an answer to a click (`answer`) have a thread of their own and a timeout. Raises DrawingFailed when SVG
    cannot be drawn now, or not in time for an answer."""
    wanted = [*pictures]
    if not wanted:
        return []
    raster.start()
    if answer:
        return await _answers.draw(wanted)
    loop = asyncio.get_running_loop()
    return [await loop.run_in_executor(_boards, draw_file, picture) for picture in wanted]


class _Answers:
    """The thread that draws the pictures of answers to clicks.

    After a timeout the drawing goes on in the thread. Until it ends, other answers fail at once instead of waiting."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures-answers")
        self._late: Future[list[discord.File]] | None = None

    async def draw(self, pictures: list[Picture]) -> list[discord.File]:
        """Draw the pictures of one answer within ANSWER_TIMEOUT. Raises DrawingFailed."""
        if self._late is not None and not self._late.done():
            raise raster.DrawingFailed("an earlier answer is still being drawn")
        drawing = self._thread.submit(lambda: [draw_file(picture) for picture in pictures])
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                return await asyncio.wrap_future(drawing)
        except TimeoutError:
            if drawing.running():
                self._late = drawing
            raise raster.DrawingFailed("it cannot be drawn in time for an answer") from None


_answers: Final = _Answers()


async def draw_ahead(sprites: Iterable[Callable[[], object]]) -> None:
    """Fill the cache with the sprites of later pictures, on the boards' thread, one at a time.

    Each callable makes one sprite. Boards can be drawn between two sprites. Stops without an error when SVG cannot be
    drawn now."""
    raster.start()
    loop = asyncio.get_running_loop()
    with contextlib.suppress(raster.DrawingFailed):  # the pictures that need the other sprites draw them
        for make in sprites:
            await loop.run_in_executor(_boards, make)


def draw_file(picture: Picture) -> discord.File:
    """Draw a picture in this thread and return it as a file."""
    return discord.File(BytesIO(_png(picture.paint)), picture.name, description=picture.alt)


@lru_cache(KEPT)
def _png(paint: Callable[[], Image.Image]) -> bytes:
    # A hand is often sent again without a change: when it is opened again, and at each tap on its form.
    return encode(paint())


def encode(image: Image.Image) -> bytes:
    """Return an image as PNG, without loss. With a palette it takes a sixth of the time and a third of the bytes."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()
