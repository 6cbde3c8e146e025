"""Bots that draw one picture of ten, chosen by its content; the other files only have a beginning and differ.

Most of the tests' time went into pictures that nobody looks at. Other tests look at all kinds of them.
"""

from collections.abc import Callable
from typing import Any
from zlib import crc32

from bot.pictures.encoding import encode
from bot.pictures.picture import Picture
from bot.pictures.rasterizer import Draw
from bot.worker_process import WorkerProcess

PNG = b"\x89PNG\r\n\x1a\n"
"""The beginning of every file of this type, by which discord.py knows it."""


def undrawn(paint: object) -> bytes | None:
    """Return the file of a picture that is not drawn, by the function that would paint it; None for the others."""
    key = repr(paint).encode()
    return PNG + key if crc32(key) % 10 else None


def drawn(picture: Picture) -> bytes:
    """Return the file of a picture, which is drawn here if it is one of the few that are."""
    return undrawn(picture.paint) or encode(picture.paint())


def few(ask: Callable[[WorkerProcess, object], Any]) -> Callable[[WorkerProcess, object], Any]:
    """Return `WorkerProcess.ask` for a rasterizer that draws one picture of ten."""

    def ask_seldom(worker: WorkerProcess, question: object) -> Any:
        file = undrawn(question.paint) if isinstance(question, Draw) else None
        return ask(worker, question) if file is None else file

    return ask_seldom


def start_later(_: WorkerProcess) -> None:
    """Start no worker process ahead of its first question."""
