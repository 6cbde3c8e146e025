"""The start of `python -m bot`: everything is put together here, for Discord or for the sandbox."""

import asyncio
import contextlib
import ctypes
import gc
import importlib
import logging
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

import aiohttp
import discord
import discord.gateway
import discord.http
import yarl

from bot import logs
from bot.client import INTENTS, Palmhouse, cogs, without_voice
from bot.messages.emojis import Drawing, upload
from bot.settings import Settings, SettingsRefused, load
from bot.stopping import GOES_ON, Stop
from bot.store import Store, StoreFailed, StoreRefused
from cogs.common.game import GameCog
from sandbox import TOKEN, Sandbox
from sandbox.__main__ import PORT, furnish

log = logging.getLogger(__name__)

DATABASE = Path("data/palmhouse.sqlite3")
SANDBOX_DATABASE = Path("data/sandbox.sqlite3")
AUTHENTICATION_FAILED = 4004
"""The code with which Discord's gateway closes when the token is not, or no longer, one it knows."""


M_MMAP_THRESHOLD = -3
"""A parameter of glibc's `mallopt`, from its malloc.h."""
BIG_BLOCK = 64 * 1024
"""Bytes. Half of a sprite, a hundredth of a table."""

TOO_MANY_EMOJIS = 30008
"""The code with which Discord takes no more emojis."""


class StartRefused(Exception):
    """The bot cannot start. `str()` is one sentence that says why and what to do."""


class UploadRefused(Exception):
    """Discord does not take the emojis. `str()` is one sentence that says why and what to do."""


class Dismissed(Exception):
    """Discord has ended the connection for good. `str()` is one sentence that says why and what to do."""


def arguments(description: str | None) -> Namespace:
    """Return what the command line asks for. Ends the process with a sentence for what cannot be."""
    parser = ArgumentParser(prog="python -m bot", description=description)
    parser.add_argument(
        "task", nargs="?", choices=["emojis"], help="upload the cards' emojis instead of playing"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--sandbox",
        nargs="?",
        const="",
        metavar="URL",
        help="play on a local stand-in for Discord instead: a new one, or the one running at URL",
    )
    where.add_argument(
        "--or-sandbox",
        action="store_true",
        help="play on Discord when DISCORD_TOKEN is set, else as with --sandbox",
    )
    return parser.parse_args()


def start(wanted: Namespace, stop: Stop) -> int:
    """Do what is wanted until it is done or stopped. Returns the exit status; whatever prevents it is one sentence on
    stderr."""
    sandbox = wanted.sandbox
    _give_big_blocks_back()
    try:
        settings = load()
        logs.set_up(settings.log_level)
        if wanted.or_sandbox:
            sandbox = "" if settings.discord_token is None else None
            _say(
                "Playing on the sandbox: no DISCORD_TOKEN is set." if sandbox == "" else "Playing on Discord."
            )
        stop.farewell = _farewell(wanted.task, sandbox)
        stop.run((upload_emojis if wanted.task == "emojis" else run)(settings, sandbox))
    except (SettingsRefused, StoreRefused, StoreFailed, StartRefused) as refusal:
        _say(f"Palmhouse cannot start. {refusal}", to=sys.stderr)
        return 1
    except UploadRefused as refusal:
        _say(f"Not all emojis are uploaded. {refusal}", to=sys.stderr)
        return 1
    except Dismissed as reason:
        _say(f"Palmhouse stops; every match goes on at the next start. {reason}", to=sys.stderr)
        return 1
    return 0


def _give_big_blocks_back() -> None:
    """Let the C library give the memory of pictures back to the system when they are done with.

    By itself glibc keeps such blocks after the first one, with small things between them: 40 MiB more after 5,000 moves
    (`python -m bench memory`). It costs 3 ms of the processor for each picture. Other C libraries do not know it."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, BIG_BLOCK)


def _farewell(task: str | None, sandbox: str | None) -> str:
    """Return the sentence that says what is left when it is stopped."""
    if task == "emojis":
        return "Run it again to upload the rest."
    return "The sandbox ends with it." if sandbox == "" else GOES_ON


def _say(sentence: str, to: TextIO | None = None) -> None:
    """To whoever sits at the terminal."""
    print(sentence, file=to, flush=True)


async def run(settings: Settings, sandbox: str | None) -> None:
    """Start everything and play until cancelled. `sandbox` is None for Discord, "" for a new stand-in, or its URL."""
    async with AsyncExitStack() as stack:
        token = await _entered(stack, settings, sandbox)
        store = await Store.open(settings.database_path or _usual_path(stack, sandbox))
        stack.push_async_callback(store.close)
        bot = await stack.enter_async_context(Palmhouse(store))
        if sandbox == "":
            stack.callback(asyncio.create_task(unpack_emojis(bot)).cancel)
        await play(bot, token)


async def _entered(stack: AsyncExitStack, settings: Settings, sandbox: str | None) -> str:
    """The token for where it is wanted."""
    return _token(settings) if sandbox is None else await enter_sandbox(stack, sandbox)


async def upload_emojis(settings: Settings, sandbox: str | None) -> None:
    """Bring the application's emojis up to date, and say what was done. Raises StartRefused or UploadRefused."""
    if sandbox == "":
        raise StartRefused("Which sandbox? Name the one that runs: `python -m bot emojis --sandbox URL`.")
    async with AsyncExitStack() as stack:
        token = await _entered(stack, settings, sandbox)
        without_voice()
        client = await stack.enter_async_context(discord.Client(intents=INTENTS))
        with _let_in():
            uploaded, deleted = await _uploaded(client, token)
    _say(
        f"The emojis are up to date: {uploaded} uploaded, {deleted} deleted. The bot learns of them when it starts."
    )


async def _uploaded(client: discord.Client, token: str) -> tuple[int, int]:
    try:
        await client.login(token)
        return await upload(client, card_drawings(), _say)
    except discord.HTTPException as error:
        if error.code == TOO_MANY_EMOJIS:
            raise UploadRefused(
                "The application has 2,000 emojis, as many as Discord allows. Delete some on its Emojis page in the "
                "developer portal, then run this again."
            ) from None
        raise UploadRefused(
            f"Discord answered with an error ({error.status}). What is uploaded stays: run this again in a while for "
            "the rest."
        ) from None


def card_drawings() -> list[Drawing]:
    """Return the cards of all games, each once."""
    found = [each for name in cogs() for each in vars(importlib.import_module(name)).values()]
    uis = [each for each in found if isinstance(each, type) and issubclass(each, GameCog)]
    drawings = (drawing for ui in uis for drawing in ui.drawings.values())
    return list({drawing.name: drawing for drawing in drawings}.values())


async def unpack_emojis(bot: Palmhouse) -> None:
    """A new sandbox has no emojis yet, and nobody who could upload them before the bot plays there."""
    await bot.wait_until_ready()
    try:
        await upload(bot, card_drawings(), log.debug)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("the sandbox has no emojis, or not all: %s", error)
    await bot.learn_emojis()


def _usual_path(stack: AsyncExitStack, sandbox: str | None) -> Path:
    """Return the path of the database when no setting names one. That of a new sandbox goes when the sandbox ends."""
    if sandbox == "":
        return Path(stack.enter_context(TemporaryDirectory(prefix="palmhouse-"))) / SANDBOX_DATABASE.name
    return DATABASE if sandbox is None else SANDBOX_DATABASE


def _token(settings: Settings) -> str:
    if settings.discord_token is None:
        raise StartRefused(
            "DISCORD_TOKEN is not set: put your bot's token into .env or the environment, "
            "or try the bot without one by `python -m bot --sandbox`."
        )
    return settings.discord_token.get_secret_value()


async def enter_sandbox(stack: AsyncExitStack, url: str) -> str:
    """Point discord.py at the sandbox, a new one if no URL is given, and return the token it takes.

    Raises StartRefused for what is no URL."""
    if not url:
        url = await _new_sandbox(stack)
        _say(f"Open {url} in your browser. Stop with Ctrl+C.")
    try:
        base = yarl.URL(url).origin()
    except ValueError:
        raise StartRefused(
            f"{url!r} is no address of a sandbox; one reads http://127.0.0.1:{PORT}."
        ) from None
    discord.http.Route.BASE = str(base / "api/v10")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = base.with_scheme("ws") / "gateway"
    return TOKEN


async def _new_sandbox(stack: AsyncExitStack) -> str:
    """At its usual port, so that a page left open finds it again, or at any when that one is taken."""
    for port in (PORT, 0):
        with contextlib.suppress(OSError):
            box = await stack.enter_async_context(Sandbox(port=port))
            furnish(box)
            return box.url
    raise StartRefused("The sandbox finds no free port on 127.0.0.1.")


async def play(bot: Palmhouse, token: str) -> None:
    """Until the bot is told to stop. Raises StartRefused when Discord does not let it in, Dismissed when no more."""
    with _let_in():
        await bot.login(token)
        gc.freeze()  # what is loaded stays: looking through it for garbage would hold up clicks for 30 ms now and then
        await bot.connect()


@contextlib.contextmanager
def _let_in() -> Iterator[None]:
    """Say it in a sentence when Discord does not let the bot in, or no more."""
    try:
        yield
    except discord.LoginFailure:
        raise StartRefused(
            "Discord refuses DISCORD_TOKEN: it is wrong or was reset. Copy the present one from your application's "
            "Bot page."
        ) from None
    except (aiohttp.ClientConnectionError, TimeoutError, discord.GatewayNotFound) as error:
        raise StartRefused(
            f"Discord cannot be reached ({type(error).__name__}). Check the network."
        ) from None
    except discord.HTTPException as error:
        raise StartRefused(
            f"Discord answers with an error ({error.status}). Start the bot again in a while; every match goes on."
        ) from None
    except discord.ConnectionClosed as error:
        if error.code == AUTHENTICATION_FAILED:
            raise Dismissed(
                "Discord takes DISCORD_TOKEN no longer: it was reset. Copy the present one from your application's "
                "Bot page."
            ) from None
        raise Dismissed(f"Discord ended the connection for good (code {error.code}).") from None
