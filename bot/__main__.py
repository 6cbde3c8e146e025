"""`python -m bot` plays on Discord; `python -m bot --sandbox` on a local stand-in for it, without a token."""

import argparse
import asyncio
import contextlib
import gc
import logging
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

import aiohttp
import discord
import discord.gateway
import discord.http
import yarl

from bot.client import Palmhouse
from bot.settings import Settings, SettingsRefused, load
from bot.store import Store, StoreRefused
from sandbox import TOKEN, Sandbox
from sandbox.__main__ import PORT, furnish

DATABASE = Path("data/palmhouse.sqlite3")
SANDBOX_DATABASE = Path("data/sandbox.sqlite3")
AUTHENTICATION_FAILED = 4004
"""The code with which Discord's gateway closes when the token is not, or no longer, one it knows."""


class StartRefused(Exception):
    """The bot cannot start. `str()` is one sentence that says why and what to do."""


class Dismissed(Exception):
    """Discord has ended the connection for good. `str()` is one sentence that says why and what to do."""


def main() -> int:
    """Run until interrupted. Returns the exit status; whatever prevents it is one sentence on stderr."""
    wanted = _arguments()
    sandbox = wanted.sandbox
    try:
        settings = load()
        logging.basicConfig(
            level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
        )
        if wanted.or_sandbox:
            sandbox = "" if settings.discord_token is None else None
            _say(
                "Playing on the sandbox: no DISCORD_TOKEN is set." if sandbox == "" else "Playing on Discord."
            )
        asyncio.run(run(settings, sandbox))
    except (SettingsRefused, StoreRefused, StartRefused) as refusal:
        _say(f"Palmhouse cannot start. {refusal}", to=sys.stderr)
        return 1
    except Dismissed as reason:
        _say(f"Palmhouse stops; every match goes on at the next start. {reason}", to=sys.stderr)
        return 1
    except KeyboardInterrupt:
        ended = (
            "The sandbox ends with it."
            if sandbox == ""
            else "Every match goes on where it is at the next start."
        )
        _say(f"Stopped. {ended}")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bot", description=__doc__)
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


def _say(sentence: str, to: TextIO | None = None) -> None:
    """To whoever sits at the terminal."""
    print(sentence, file=to, flush=True)


async def run(settings: Settings, sandbox: str | None) -> None:
    """Start everything and play until cancelled. `sandbox` is None for Discord, "" for a new stand-in, or its URL."""
    async with AsyncExitStack() as stack:
        if sandbox is None:
            token = _token(settings)
        else:
            token = await enter_sandbox(stack, sandbox)
        store = await Store.open(settings.database_path or _usual_path(stack, sandbox))
        stack.push_async_callback(store.close)
        bot = await stack.enter_async_context(Palmhouse(store))
        await play(bot, token)


def _usual_path(stack: AsyncExitStack, sandbox: str | None) -> Path:
    """Where the database is when no setting says so. What a new sandbox forgets at its end is not kept longer."""
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
    try:
        await bot.login(token)
        gc.freeze()  # what is loaded stays: looking through it for garbage would hold up clicks for 30 ms now and then
        await bot.connect()
    except discord.LoginFailure:
        raise StartRefused(
            "Discord refuses DISCORD_TOKEN: it is wrong or was reset. Copy the present one from your application's "
            "Bot page."
        ) from None
    except (aiohttp.ClientConnectionError, discord.GatewayNotFound) as error:
        raise StartRefused(
            f"Discord cannot be reached ({type(error).__name__}). Check the network."
        ) from None
    except discord.ConnectionClosed as error:
        if error.code == AUTHENTICATION_FAILED:
            raise Dismissed(
                "Discord takes DISCORD_TOKEN no longer: it was reset. Copy the present one from your application's "
                "Bot page."
            ) from None
        raise Dismissed(f"Discord ended the connection for good (code {error.code}).") from None


if __name__ == "__main__":
    sys.exit(main())
