"""The bot's log. No level shows hands, moves before they are public, seeds or the token."""

import json
import logging
import re
import sqlite3
import traceback
from collections.abc import Iterator
from copy import copy
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, TypeAlias

import aiohttp
import discord
from aiohttp.http_exceptions import HttpProcessingError

from bot.computers.worker_client import NoAdvice
from bot.match.refusal import Refusal
from bot.messages.expected import EXPECTED
from bot.pictures.worker_client import DrawingFailed
from bot.store import StoreFailed
from bot.worker_process import WorkerGone
from games import Illegal

log = logging.getLogger(__name__)

OURS: Final = ("bot", "cogs", "games")
"""Loggers to which the level applies. Libraries log at DEBUG what they send, and that includes every hand."""

OUTSIDE: Final = (
    *(OSError, aiohttp.ClientError, discord.DiscordException, sqlite3.Error),
    *(WorkerGone, Refusal, StoreFailed, NoAdvice, DrawingFailed),
)
"""Errors whose text is logged, as it never names cards. The text of other errors may: "Q♠ is not in list"."""

TOKEN: Final = re.compile(r"(/(?:interactions|webhooks)/\d+/)[\w-]+")
"""Token of an interaction in an address, as errors of aiohttp name it. For 15 minutes it lets anybody answer as the
bot."""

QUIET: Final = 60.0
"""Seconds after the record of a refused request in which no other one is logged."""
REFUSED: Final = "a request was refused: %s. Further ones are not logged for %d s"

_Info: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def set_up(level: str, form: str) -> None:
    """Log to stderr at `level` and above, as "text" or "json"; libraries at INFO and above."""
    handler = logging.StreamHandler()
    text = Discreet("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JSONLines() if form == "json" else text)
    logging.basicConfig(handlers=[handler], level="INFO" if level == "DEBUG" else level)
    for name in OURS:
        logging.getLogger(name).setLevel(level)
    logging.getLogger("discord.app_commands.tree").addFilter(is_no_late_suggestion)
    logging.getLogger("aiohttp.server").addFilter(RefusedRequests())


class Discreet(logging.Formatter):
    """Formats an error with its traceback, but its text only if it cannot name cards. Leaves out the tokens of
    interactions."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a log record."""
        return TOKEN.sub(r"\1…", super().format(_discreet(record)))

    def formatException(self, ei: _Info) -> str:  # noqa: N802 - the name is logging's
        """Return the tracebacks of an error and of those that caused it."""
        return "\n".join(_traceback(ei[1])) if ei[1] else ""


class JSONLines(Discreet):
    """Formats each record as a JSON object on one line, with as little of an error's text as `Discreet`.

    Its keys are `time` (ISO 8601, UTC), `level`, `logger`, `message`, and with an error `error`, its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a log record."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _discreet(record).getMessage(),
        }
        if record.exc_info and record.exc_info[1]:
            line["error"] = self.formatException(record.exc_info)
        return TOKEN.sub(r"\1…", json.dumps(line))


def _discreet(record: logging.LogRecord) -> logging.LogRecord:
    """Return a copy of a record that names no cards in its message."""
    safe = copy(record)
    if isinstance(safe.args, tuple):
        safe.args = tuple(_safe_text(arg) if isinstance(arg, BaseException) else arg for arg in safe.args)
    if safe.name == "asyncio":  # its further lines show results of tasks and arguments of callbacks
        safe.msg, safe.args = safe.getMessage().partition("\n")[0], ()
    return safe


def _traceback(error: BaseException) -> Iterator[str]:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from _traceback(cause)
        yield "\nThis led to:\n"
    yield "Traceback (most recent call last):"
    yield "".join(traceback.format_tb(error.__traceback__)).rstrip()
    yield _safe_text(error)


def _safe_text(error: BaseException) -> str:
    kind = type(error).__qualname__
    # A refusal by the rules of a game says what somebody holds.
    is_safe = isinstance(error, OUTSIDE) and not isinstance(
        error, (discord.app_commands.AppCommandError, Illegal)
    )
    return f"{kind}: {error}" if is_safe else f"{kind} (its text may name cards)"


class RefusedRequests(logging.Filter):
    """Shortens aiohttp's record of a request that is no HTTP or has a wrong header to one line, and keeps one a
    minute."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = -QUIET

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to keep the record. Called by logging."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, HttpProcessingError):
            return True
        # Any program, or page in a browser, can send such requests without a pause.
        if record.created - self._kept < QUIET:
            return False
        self._kept = record.created
        record.msg, record.args, record.exc_info = REFUSED, (type(error).__name__, QUIET), None
        return True


def is_no_late_suggestion(record: logging.LogRecord) -> bool:
    """Return False for discord.py's record of an autocompletion that was late or lost: the person has typed on."""
    error = record.exc_info[1] if record.exc_info else None
    is_late = isinstance(error, EXPECTED)
    if is_late:
        log.debug("Discord did not take an autocompletion (%s)", error)
    return not is_late
