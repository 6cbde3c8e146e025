"""A finished picture, and the thread that draws it."""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from typing import Final

import discord
from PIL import Image

from bot.pictures import raster

COMPRESSION: Final = 3
"""Of zlib. Flat colours are packed as fast as at 1 and a fifth smaller; from 4 on it takes twice the time."""

KEPT: Final = 64
"""Pictures that are kept as PNG, 40 to 100 kB each: those whose way of painting compares equal are drawn once."""

POLITE: Final = 10
"""How nice the thread of the boards is to all others, as in `nice`; Linux knows this of threads."""


def _be_polite() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), POLITE)


ANSWER: Final = 2.0
"""Seconds for the pictures of an answer, which must be there within three."""

_boards: Final = ThreadPoolExecutor(1, thread_name_prefix="pictures-boards", initializer=_be_polite)
"""One thread, and one for answers: more would take the core that answers clicks. Whoever has clicked waits for no
board, or for one drawing of it at most. Pillow works without the interpreter's lock."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, drawn when it is sent. The alt text says everything it shows, so equal ones look alike."""

    name: str
    """Of the file, ending in .png."""
    alt: str
    """At most 1,024 characters."""
    paint: Callable[[], Image.Image] = field(compare=False)


async def drawn(pictures: Iterable[Picture], *, answer: bool = False) -> list[discord.File]:
    """As files for one message, drawn in turn: on the thread for those who have clicked, or on that for the rest.

    Raises Undrawn when vectors cannot be drawn just now, or not in time for an answer."""
    wanted = [*pictures]
    if not wanted:
        return []
    raster.start()
    if answer:
        return await _answers.draw(wanted)
    loop = asyncio.get_running_loop()
    return [await loop.run_in_executor(_boards, drawn_file, picture) for picture in wanted]


class _Answers:
    """The thread that draws for those who have clicked. They wait so long, and nobody does behind one who could not."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures-answers")
        self._late: Future[list[discord.File]] | None = None

    async def draw(self, pictures: list[Picture]) -> list[discord.File]:
        """The pictures of one answer. Raises Undrawn."""
        if self._late is not None and not self._late.done():
            raise raster.Undrawn("an earlier answer is still being drawn")
        drawing = self._thread.submit(lambda: [drawn_file(picture) for picture in pictures])
        try:
            async with asyncio.timeout(ANSWER):
                return await asyncio.wrap_future(drawing)
        except TimeoutError:
            if drawing.running():
                self._late = drawing
            raise raster.Undrawn("it cannot be drawn in time for an answer") from None


_answers: Final = _Answers()


async def prepared(pieces: Iterable[Callable[[], object]]) -> None:
    """Draw what later pictures are made of on the boards' thread, one at a time: no picture waits for more than one.
    What cannot be drawn now is drawn when it is needed."""
    raster.start()
    loop = asyncio.get_running_loop()
    with contextlib.suppress(raster.Undrawn):
        for piece in pieces:
            await loop.run_in_executor(_boards, piece)


def drawn_file(picture: Picture) -> discord.File:
    """The picture as a file, drawn here and now."""
    return discord.File(BytesIO(_png(picture.paint)), picture.name, description=picture.alt)


@lru_cache(KEPT)
def _png(paint: Callable[[], Image.Image]) -> bytes:
    """Hands are opened over and over, and each tap on a form shows the same one again."""
    return encode(paint())


def encode(image: Image.Image) -> bytes:
    """As PNG, to the letter. With a palette it is a sixth of the work of true colour, and a third of its weight."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()
