"""The log that the bot writes. No level shows hands, moves before they are public, seeds or the token."""

import logging
import sqlite3
import traceback
from collections.abc import Iterator
from copy import copy
from types import TracebackType
from typing import Final, TypeAlias

import aiohttp
import discord

from bot.computers.players import NoAdvice
from bot.match.refusal import Refusal
from bot.messages.live_message import EXPECTED
from bot.pictures import Undrawn
from bot.store import StoreFailed
from bot.worker_process import Gone

log = logging.getLogger(__name__)

OURS: Final = ("bot", "cogs", "games")
"""Loggers to which the level applies. Libraries log at DEBUG what they send and keep, and every hand is in it."""

OUTSIDE: Final = (
    *(OSError, aiohttp.ClientError, discord.DiscordException, sqlite3.Error),
    *(Gone, Refusal, StoreFailed, NoAdvice, Undrawn),
)
"""Errors that say what happened outside of the cards. The text of any other may name some: what is not in a list, what
is not allowed."""

_Info: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def set_up(level: str) -> None:
    """Write to stderr what is logged at `level` and above; of libraries nothing below INFO."""
    handler = logging.StreamHandler()
    handler.setFormatter(Discreet("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level="INFO" if level == "DEBUG" else level)
    for room in OURS:
        logging.getLogger(room).setLevel(level)
    logging.getLogger("discord.app_commands.tree").addFilter(is_no_late_suggestion)


class Discreet(logging.Formatter):
    """Writes down where an error came from, but not what it says, unless that is known to name no cards."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        told = copy(record)
        if isinstance(told.args, tuple):
            told.args = tuple(_told(arg) if isinstance(arg, BaseException) else arg for arg in told.args)
        if (
            told.name == "asyncio"
        ):  # what follows shows tasks with their results, and callbacks with their arguments
            told.msg, told.args = told.getMessage().partition("\n")[0], ()
        return super().format(told)

    def formatException(self, ei: _Info) -> str:  # noqa: N802 - the name is logging's
        """Return the traceback of an error, and of those that led to it."""
        return "\n".join(_traceback(ei[1])) if ei[1] else ""


def _traceback(error: BaseException) -> Iterator[str]:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from _traceback(cause)
        yield "\nThis led to:\n"
    yield "Traceback (most recent call last):"
    yield "".join(traceback.format_tb(error.__traceback__)).rstrip()
    yield _told(error)


def _told(error: BaseException) -> str:
    kind = type(error).__qualname__
    speaks = isinstance(error, OUTSIDE) and not isinstance(error, discord.app_commands.AppCommandError)
    return f"{kind}: {error}" if speaks else f"{kind} (its text may name cards)"


def is_no_late_suggestion(record: logging.LogRecord) -> bool:
    """Tell whether a record of discord.py's is worth a place in the log: a suggestion that came too late, or was lost
    on its way, hurts nobody, as people type on."""
    error = record.exc_info[1] if record.exc_info else None
    unheard = isinstance(error, EXPECTED)
    if unheard:
        log.debug("a suggestion was not taken by Discord (%s)", error)
    return not unheard
