"""Start the bot: create all parts and connect them, for Discord or for the sandbox."""

import asyncio
import contextlib
import gc
import logging
import time
from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack
from itertools import chain, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TextIO

import aiohttp
import discord
import yarl

from bot.cli.settings import SANDBOX_DATABASE, Settings, database
from bot.client import Palmhouse, cog_of, cogs
from bot.gateway.held_shards import HeldShards, ShardsTaken
from bot.gateway.identifies import TooManySessions
from bot.gateway.private import application_of, point_at
from bot.gateway.shard_range import ShardRange
from bot.hosting import systemd
from bot.hosting.doctor.at_discord import other_application, reason
from bot.hosting.doctor.checks import before_start
from bot.hosting.doctor.database import last_application
from bot.hosting.doctor.finding import Level
from bot.hosting.doctor.machine import unusable_port
from bot.hosting.nightly import back_up_nightly
from bot.messages.emojis import upload
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.worker_client import DrawingFailed
from bot.program import PROGRAM
from bot.store import Store, open_store
from bot.store.sqlite.opening import BESIDE, alone
from cogs.common.game import GameCog

if TYPE_CHECKING:
    from bot.store.postgresql.processes import PostgreSQLProcesses

log = logging.getLogger(__name__)

AUTHENTICATION_FAILED = 4004
"""The code with which Discord's gateway closes for a wrong token, or one that was reset."""
INVALID_SHARD = 4010
"""The code with which the sandbox's gateway closes for a second bot. Discord's refuses a wrong number of a shard by it,
which this bot never sends."""
TOO_MANY_REQUESTS = 429
"""Status of Discord's refusal when this machine has sent too many requests."""

LOGIN_PAUSES = (5, 10, 20, 40, 60)
"""Seconds before each retry of the login while Discord cannot be reached; the last one repeats."""

LONGEST_LOGIN = 300
"""Seconds that the HTTP client waits for an answer."""

APPLICATION = "application"
"""Name of the fact that holds the id of the application that used the database last."""
AT_DISCORD = "at discord"
"""Name of the fact that is "1" when that application was one of Discord, "0" when it was one of a sandbox."""


# With the usual ones it takes 5 % of the processor time under load, and with many tables a full collection, which is to
# be rare, stops everything for a tenth of a second.
COLLECTIONS = (1_000, 20, 20)
"""Thresholds of garbage collection."""


class StartRefused(Exception):
    """The bot cannot start. `str()` is one sentence that says why and what to do."""


class Unreachable(StartRefused):
    """Discord cannot be reached, or has an outage. A later try may succeed."""


class DatabaseLost(Exception):
    """The database was deleted or replaced while the bot used it. `str()` says so, and where its content is."""


class Dismissed(Exception):
    """Discord has ended the connection for good. `str()` is one sentence that says why and what to do."""


async def run(settings: Settings, wanted: Namespace) -> None:
    """Start everything and play until cancelled. `sandbox` is None for Discord, "" for a new sandbox, or a URL."""
    sandbox: str | None = wanted.sandbox
    async with AsyncExitStack() as stack:
        token = await entered(stack, settings, sandbox)
        where = _database(stack, settings, sandbox)
        if settings.shards is not None and isinstance(where, Path):
            raise StartRefused(
                "SHARDS is set, but several processes need one PostgreSQL database. Set DATABASE_URL, or leave SHARDS "
                "empty."
            )
        path = where if isinstance(where, Path) else None
        warnings = _check(path) if sandbox != "" else []
        if path is not None:
            stack.enter_context(alone(path))
            await _forget_former_sandbox(path, sandbox, token)
        store = await open_store(where, is_shared=settings.shards is not None)
        stack.push_async_callback(store.close)
        held = None
        if settings.shards is not None and isinstance(where, str):
            from bot.store.postgresql.processes import PostgreSQLProcesses  # here, as few need psycopg

            held = await hold_shards(stack, PostgreSQLProcesses(where), settings.shards)
        for warning in warnings:  # not before the last refusal, which stands alone then
            log.warning(warning)
        bot = await stack.enter_async_context(Palmhouse(store, held=held))
        if sandbox is not None:
            bot.identifies.most = None  # there people end the bot as often as they like
        if settings.metrics_port is not None:
            await stack.enter_async_context(_watched(bot, path, settings.metrics_port))
        if sandbox == "":
            stack.callback(asyncio.create_task(unpack_emojis(bot)).cancel)
        elif settings.nightly_backups and path is not None:
            stack.callback(asyncio.create_task(back_up_nightly(path)).cancel)
        if systemd.is_listening():
            stack.callback(asyncio.create_task(_report(bot, store)).cancel)
        await _until_lost(store, play(bot, token, sandbox), sandbox)


async def hold_shards(stack: AsyncExitStack, processes: "PostgreSQLProcesses", wanted: str) -> HeldShards:
    """Take the shards that SHARDS names, or any once the bot has logged in, and hold them until the end. Raises
    StartRefused."""
    held = HeldShards(processes, ShardRange.parse(wanted))
    stack.push_async_callback(held.close)
    try:
        await held.claim()
    except ShardsTaken as refusal:
        raise StartRefused(str(refusal)) from None
    stack.callback(asyncio.create_task(held.run(), name="leases").cancel)
    return held


def _check(path: Path | None) -> list[str]:
    """Check what the bot needs of this machine, with the file of the database if there is one, and return warnings.
    Raises StartRefused for a fault."""
    found = [*before_start(path)]
    for finding in found:
        if finding.state is Level.FAULT:
            raise StartRefused(f"{finding.what} {finding.remedy}")
    return [f"{finding.what} {finding.remedy}" for finding in found if finding.state is Level.WARNING]


async def _until_lost(store: Store, playing: Coroutine[None, None, None], sandbox: str | None) -> None:
    """Run `playing` until it ends. Raises DatabaseLost when the file of the database is lost before that."""
    tasks = play_task, lost_task = asyncio.create_task(playing), asyncio.create_task(store.until_lost())
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not play_task.done():
            said, restore = lost_task.result(), f"{PROGRAM} restore"
            raise DatabaseLost(said if sandbox is None else said.replace(restore, f"{restore} --sandbox"))
        await play_task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def say(sentence: str, to: TextIO | None = None) -> None:
    """Print a sentence to the terminal at once."""
    print(sentence, file=to, flush=True)


@contextlib.asynccontextmanager
async def _watched(bot: Palmhouse, database: Path | None, port: int) -> AsyncIterator[None]:
    """Serve health and metrics until the end of the block. Raises StartRefused."""
    async with AsyncExitStack() as stack:
        try:
            from bot.cli.watching import watched  # here, as it takes memory that few need

            await stack.enter_async_context(watched(bot, database, port))
        except ImportError as error:
            raise StartRefused(
                f"METRICS_PORT is set, but the package {error.name} is missing. Install the packages of "
                "requirements.txt again, or leave METRICS_PORT empty."
            ) from None
        except OSError:
            finding = unusable_port(port)
            raise StartRefused(f"{finding.what} {finding.remedy}") from None
        yield


async def _report(bot: Palmhouse, store: Store) -> None:
    """Report to systemd until cancelled."""

    async def write() -> None:
        await store.set_fact("reported", str(int(time.time())))

    await systemd.report(bot.plays.wait(), write)


async def entered(stack: AsyncExitStack, settings: Settings, sandbox: str | None) -> str:
    """Return the token for Discord or the sandbox."""
    return _token(settings) if sandbox is None else await enter_sandbox(stack, sandbox)


def card_drawings() -> list[EmojiDrawing]:
    """Return the cards of all games, each once."""
    uis = [cog for cog in map(cog_of, cogs()) if issubclass(cog, GameCog)]
    drawings = (drawing for ui in uis for drawing in ui.drawings.values())
    return list({drawing.name: drawing for drawing in drawings}.values())


async def unpack_emojis(bot: Palmhouse, drawings: Callable[[], list[EmojiDrawing]] = card_drawings) -> None:
    """Upload the emojis to a new sandbox, which has none yet."""
    bot.emojis_follow = True
    await bot.wait_until_ready()
    try:
        await upload(bot, bot.rasterizer, drawings(), log.debug)
    except (discord.HTTPException, aiohttp.ClientError, OSError, DrawingFailed) as error:
        log.warning("the sandbox has no emojis, or not all: %s", error)
    bot.emojis_follow = False
    await bot.learn_emojis()


def _database(stack: AsyncExitStack, settings: Settings, sandbox: str | None) -> Path | str:
    """Return the path or address of the database. A new sandbox's is deleted at the end, unless a setting names one."""
    if sandbox == "" and settings.database_path is None and settings.database_url is None:
        return Path(stack.enter_context(TemporaryDirectory(prefix="palmhouse-"))) / SANDBOX_DATABASE.name
    return database(settings, is_sandbox=sandbox is not None)


async def _forget_former_sandbox(path: Path, sandbox: str | None, token: str) -> None:
    """Delete the database of a sandbox that has ended: another one has another application, and knows nothing of it."""
    former = last_application(path)
    if former is None or not sandbox or path != SANDBOX_DATABASE:
        return
    with contextlib.suppress(Unreachable), let_in():
        if await application_of(token) == int(former):
            return
        for ending in ("", *BESIDE):
            path.with_name(path.name + ending).unlink(missing_ok=True)


def _token(settings: Settings) -> str:
    if settings.discord_token is None:
        raise StartRefused(
            "DISCORD_TOKEN is not set: put your bot's token into .env or the environment, "
            f"or try the bot without one by `{PROGRAM} --sandbox`."
        )
    return settings.discord_token.get_secret_value()


async def enter_sandbox(stack: AsyncExitStack, url: str) -> str:
    """Point discord.py at the sandbox, a new one if no URL is given, and return its token.

    Raises StartRefused for a malformed URL."""
    from sandbox import TOKEN  # here, as a bot on Discord needs none of it
    from sandbox.__main__ import PORT

    if not url:
        url = await _new_sandbox(stack)
        say(f"Open {url} in your browser. Stop with Ctrl+C.")
        say(
            "Then everything is forgotten, and so it is at a kill: README.md says how to see a match survive one."
        )
    try:
        base = yarl.URL(url).origin()
    except ValueError:
        raise StartRefused(
            f"{url!r} is no address of a sandbox; one reads http://127.0.0.1:{PORT}."
        ) from None
    point_at(base / "api/v10", base.with_scheme("ws") / "gateway")
    return TOKEN


async def _new_sandbox(stack: AsyncExitStack) -> str:
    """Start a sandbox and return its URL. It listens on its usual port or, when that is taken, on any free one."""
    from sandbox import Sandbox
    from sandbox.__main__ import PORT, furnish

    for port in (PORT, 0):  # an open page finds the usual one again
        with contextlib.suppress(OSError):
            box = await stack.enter_async_context(Sandbox(port=port))
            furnish(box)
            return box.url
    raise StartRefused("The sandbox finds no free port on 127.0.0.1.")


async def play(bot: Palmhouse, token: str, sandbox: str | None = None) -> None:
    """Log in and play until cancelled. Raises StartRefused when Discord refuses the login, Dismissed when it ends the
    connection for good."""
    await _log_in(bot, token)
    await _note_application(bot)
    await bot.store.set_fact(AT_DISCORD, str(int(sandbox is None)))
    with let_in():
        gc.freeze()  # loaded modules stay: garbage collection over them would delay clicks by 30 ms
        gc.set_threshold(*COLLECTIONS)
        await bot.connect()


async def _log_in(bot: Palmhouse, token: str) -> None:
    """Log in. Retry while Discord cannot be reached."""
    for pause in chain(LOGIN_PAUSES, repeat(LOGIN_PAUSES[-1])):
        try:
            with let_in():
                await bot.login(token)
                return
        except Unreachable as obstacle:
            log.warning("%s The bot tries again in %d s.", str(obstacle), pause)
        await bot.end_requests()
        systemd.ask_for_time(pause + LONGEST_LOGIN)
        await asyncio.sleep(pause)


async def _note_application(bot: Palmhouse) -> None:
    """Store the id of the application, and log a warning when another one has used the database before."""
    assert bot.application_id is not None, "the login has told it"
    finding = other_application(await bot.store.fact(APPLICATION), bot.application_id)
    if finding.state is not Level.OK:
        log.warning("%s %s", finding.what, finding.remedy)
    await bot.store.set_fact(APPLICATION, str(bot.application_id))


@contextlib.contextmanager
def let_in() -> Iterator[None]:
    """Turn errors of the login and the connection into StartRefused and Dismissed."""
    try:
        yield
    except TooManySessions as refusal:
        raise StartRefused(str(refusal)) from None
    except discord.LoginFailure:
        raise StartRefused(
            "Discord refuses DISCORD_TOKEN: it is wrong or was reset. Copy the present one from your application's "
            "Bot page."
        ) from None
    except (aiohttp.ClientConnectionError, TimeoutError, discord.GatewayNotFound) as error:
        raise Unreachable(f"Discord cannot be reached ({reason(error)}). Check the network.") from None
    except discord.HTTPException as error:
        said = f"Discord answers with an error ({error.status})."
        if error.status >= 500 or error.status == TOO_MANY_REQUESTS:
            raise Unreachable(said) from None
        raise StartRefused(f"{said} Start the bot again in a while; every match goes on.") from None
    except discord.ConnectionClosed as error:
        if error.code == AUTHENTICATION_FAILED:
            raise Dismissed(
                "Discord takes DISCORD_TOKEN no longer: it was reset. Copy the present one from your application's "
                "Bot page."
            ) from None
        if error.code == INVALID_SHARD:
            raise StartRefused(
                f"Another bot is connected there already (code {INVALID_SHARD}). Stop it, or give this one a sandbox "
                f"of its own by `{PROGRAM} --sandbox`."
            ) from None
        raise Dismissed(f"Discord ended the connection for good (code {error.code}).") from None
