"""A finished picture, and the thread that draws it."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
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


_answers: Final = ThreadPoolExecutor(1, thread_name_prefix="pictures-answers")
_boards: Final = ThreadPoolExecutor(1, thread_name_prefix="pictures-boards", initializer=_be_polite)
"""One each: more would take the core that answers clicks. Whoever has clicked waits for no board, or for one drawing of
it at most. Pillow works without the interpreter's lock."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, drawn when it is sent. The alt text says everything it shows, so equal ones look alike."""

    name: str
    """Of the file, ending in .png."""
    alt: str
    """At most 1,024 characters."""
    paint: Callable[[], Image.Image] = field(compare=False)


async def drawn(pictures: Iterable[Picture], *, answer: bool = False) -> list[discord.File]:
    """As files for one message, drawn in turn: on the thread for those who have clicked, or on that for the rest."""
    raster.start()
    loop, thread = asyncio.get_running_loop(), _answers if answer else _boards
    return [await loop.run_in_executor(thread, drawn_file, picture) for picture in pictures]


async def prepared(pieces: Iterable[Callable[[], object]]) -> None:
    """Draw what later pictures are made of on the boards' thread, one at a time: no picture waits for more than one."""
    raster.start()
    loop = asyncio.get_running_loop()
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
