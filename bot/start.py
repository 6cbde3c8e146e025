"""Start `python -m bot`: create all parts and connect them, for Discord or for the sandbox."""

import asyncio
import contextlib
import ctypes
import gc
import importlib
import logging
import sys
import time
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TextIO

import aiohttp
import discord
import discord.gateway
import discord.http
import yarl

from bot import logs, systemd
from bot.backup import BackupRefused, back_up, check, restore
from bot.client import INTENTS, Palmhouse, cogs, without_voice
from bot.invite import invitation
from bot.messages.emojis import upload
from bot.pictures.emoji import EmojiDrawing
from bot.policy import policy
from bot.recount import recount
from bot.settings import Settings, SettingsRefused, load
from bot.standings_file import FileRefused, read
from bot.stopping import GOES_ON, Stop
from bot.store import Store, StoreFailed, StoreRefused, open_store
from bot.transfer import export_standings, import_standings, usual_path
from cogs.common.game import GameCog
from sandbox import TOKEN, Sandbox
from sandbox.__main__ import PORT, furnish

log = logging.getLogger(__name__)

DATABASE = Path("data/palmhouse.sqlite3")
SANDBOX_DATABASE = Path("data/sandbox.sqlite3")
AUTHENTICATION_FAILED = 4004
"""The code with which Discord's gateway closes for a wrong token, or one that was reset."""


M_MMAP_THRESHOLD = -3
"""A parameter of glibc's `mallopt`, from its malloc.h."""
BIG_BLOCK = 64 * 1024
"""Size in bytes from which memory is returned: half of a sprite, a hundredth of the picture of a table."""

STILL_RUNNING = 12_000
"""Ms after a heartbeat in which the bot is taken to be running: two heartbeats and a little."""

TOO_MANY_EMOJIS = 30008
"""The code with which Discord refuses an emoji when the application has as many as it may."""


class StartRefused(Exception):
    """The bot cannot start. `str()` is one sentence that says why and what to do."""


class UploadRefused(Exception):
    """Discord refuses the emojis. `str()` is one sentence that says why and what to do."""


class FaultsFound(Exception):
    """The database has faults. `str()` has a sentence on a line of its own for each."""


class Dismissed(Exception):
    """Discord has ended the connection for good. `str()` is one sentence that says why and what to do."""


def arguments(description: str | None) -> Namespace:
    """Parse the command line. Ends the process with an error message for unknown arguments."""
    parser = ArgumentParser(
        prog="python -m bot",
        usage="python -m bot [-h] [--sandbox [URL] | --or-sandbox] [TASK ...]",
        description=description,
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
    _add_tasks(parser)
    return parser.parse_args()


def _add_tasks(parser: ArgumentParser) -> None:
    """Add the tasks that the bot does instead of playing."""
    tasks = parser.add_subparsers(
        title="other tasks",
        description="`python -m bot TASK --help` says more.",
        dest="task",
        metavar="TASK",
        prog="python -m bot",
    )
    of_sandbox = ArgumentParser(add_help=False)
    # Without a default, `--sandbox` before the task stays as it is.
    of_sandbox.add_argument(
        "--sandbox",
        nargs="?",
        const="",
        default=SUPPRESS,
        metavar="URL",
        help="for the sandbox, not for Discord",
    )
    added = {
        name: tasks.add_parser(
            name, help=about, description=f"{about[0].upper()}{about[1:]}.", parents=[of_sandbox]
        )
        for name, about in ABOUT.items()
    }
    added["export"].add_argument("guild", type=_guild, metavar="GUILD", help="id of the server")
    added["export"].add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="a new file (default: palmhouse-GUILD.json)"
    )
    added["import"].add_argument("file", type=Path, metavar="FILE", help="a file that export has written")
    added["backup"].add_argument(
        "path",
        nargs="?",
        type=Path,
        metavar="PATH",
        help="a new file, or a folder for it (default: the folder `backups` beside the database)",
    )
    added["restore"].add_argument("path", type=Path, metavar="PATH", help="a file that backup has written")


def _guild(written: str) -> int:
    """Return the id of a server. Raises ArgumentTypeError."""
    if written.isascii() and written.isdigit() and 0 < int(written) < 2**63:
        return int(written)
    raise ArgumentTypeError(f"{written!r} is not the id of a server; one has 17 to 19 digits")


def start(wanted: Namespace, stop: Stop) -> int:
    """Run the task of the command line until it is done or stopped, and return the exit status. Errors that a person
    can mend are printed to stderr as one sentence."""
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
        wanted.sandbox = sandbox
        stop.run(TASKS[wanted.task](settings, wanted))
    except FaultsFound as faults:
        _say(str(faults), to=sys.stderr)
        return 1
    except (SettingsRefused, StoreRefused, StoreFailed, StartRefused, FileRefused, BackupRefused) as refusal:
        _say(f"{FAILED.get(wanted.task, 'Palmhouse cannot start.')} {refusal}", to=sys.stderr)
        return 1
    except UploadRefused as refusal:
        _say(f"Not all emojis are uploaded. {refusal}", to=sys.stderr)
        return 1
    except Dismissed as reason:
        _say(f"Palmhouse stops; every match goes on at the next start. {reason}", to=sys.stderr)
        return 1
    return 0


def _give_big_blocks_back() -> None:
    """Let the C library return the memory of pictures to the system as soon as they are freed.

    By default glibc keeps such blocks after the first one, fragmented by small ones: 40 MiB more after 5,000 moves
    (`python -m bench memory`). Returning them costs 3 ms of CPU time a picture. Other C libraries ignore this."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, BIG_BLOCK)


def _farewell(task: str | None, sandbox: str | None) -> str:
    """Return the sentence to print when the bot is stopped."""
    if task == "restore":
        return "The database is whole: the one before, or the restored one."
    if task in ("recount", "policy", "export", "import", "invite", "backup", "check"):
        return FAILED.get(task, "Nothing was changed.")
    if task == "emojis":
        return "Run it again to upload the rest."
    return "The sandbox ends with it." if sandbox == "" else GOES_ON


def _say(sentence: str, to: TextIO | None = None) -> None:
    """Print a sentence to the terminal at once."""
    print(sentence, file=to, flush=True)


async def run(settings: Settings, wanted: Namespace) -> None:
    """Start everything and play until cancelled. `sandbox` is None for Discord, "" for a new sandbox, or a URL."""
    sandbox: str | None = wanted.sandbox
    async with AsyncExitStack() as stack:
        token = await _entered(stack, settings, sandbox)
        store = await open_store(settings.database_path or _usual_path(stack, sandbox))
        stack.push_async_callback(store.close)
        bot = await stack.enter_async_context(Palmhouse(store))
        if sandbox == "":
            stack.callback(asyncio.create_task(unpack_emojis(bot)).cancel)
        if systemd.is_listening():
            stack.callback(asyncio.create_task(_report(bot, store)).cancel)
        await play(bot, token)


async def _report(bot: Palmhouse, store: Store) -> None:
    """Report to systemd until cancelled."""

    async def write() -> None:
        await store.set_fact("reported", str(int(time.time())))

    await systemd.report(bot.wait_until_ready(), write)


async def _entered(stack: AsyncExitStack, settings: Settings, sandbox: str | None) -> str:
    """Return the token for Discord or the sandbox."""
    return _token(settings) if sandbox is None else await enter_sandbox(stack, sandbox)


async def upload_emojis(settings: Settings, wanted: Namespace) -> None:
    """Bring the application's emojis up to date, and print what was done. Raises StartRefused or UploadRefused."""
    sandbox: str | None = wanted.sandbox
    if sandbox == "":
        raise StartRefused(
            "No sandbox is named. Name the one that runs: `python -m bot emojis --sandbox URL`."
        )
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


async def print_invitation(settings: Settings, wanted: Namespace) -> None:
    """Print the link that adds the bot to a server. Raises StartRefused."""
    async with AsyncExitStack() as stack:
        token = await _entered(stack, settings, wanted.sandbox)
        without_voice()
        client = await stack.enter_async_context(discord.Client(intents=INTENTS))
        with _let_in():
            await client.login(token)
        assert client.application_id is not None, "the login has told it"
        _say(invitation(client.application_id))


async def recount_all(settings: Settings, wanted: Namespace) -> None:
    """Compute all results, facts and ratings anew, and print what differed. Raises StartRefused."""
    path = _existing(settings, wanted)
    async with AsyncExitStack() as stack:
        _say(await recount(await _open_alone(stack, path)))


async def export_guild(settings: Settings, wanted: Namespace) -> None:
    """Write the standings of a server to a file, and print a report. Raises StartRefused or FileRefused."""
    path = _existing(settings, wanted)
    async with AsyncExitStack() as stack:
        store = await open_store(path)
        stack.push_async_callback(store.close)
        file = wanted.file or usual_path(wanted.guild)
        _say(await export_standings(store, wanted.guild, file))


async def import_guild(settings: Settings, wanted: Namespace) -> None:
    """Add the standings in a file to the database, and print a report. Raises StartRefused or FileRefused."""
    standings = read(wanted.file)
    async with AsyncExitStack() as stack:
        store = await _open_alone(stack, _path(settings, wanted))
        _say(await import_standings(store, standings))


async def back_up_database(settings: Settings, wanted: Namespace) -> None:
    """Copy the database while it may be in use, and print a report. Raises StartRefused, StoreRefused or
    BackupRefused."""
    _say(await back_up(_existing(settings, wanted), wanted.path))


async def restore_database(settings: Settings, wanted: Namespace) -> None:
    """Put a backup in the place of the database, and print a report. Raises StartRefused, StoreRefused or
    BackupRefused."""
    path = _path(settings, wanted)
    _say(await restore(path, wanted.path, lambda last: _check_stopped(path, last)))


async def check_database(settings: Settings, wanted: Namespace) -> None:
    """Check the database while it may be in use. Raises FaultsFound, StartRefused, StoreRefused or BackupRefused."""
    path = _existing(settings, wanted)
    if faults := await check(path):
        raise FaultsFound("\n".join(faults))
    _say(f"{path} is sound: every live match replays, and the standings are what a recount finds.")


async def print_policy(_: Settings, __: Namespace) -> None:
    """Print the privacy policy and the terms as Markdown."""
    _say(policy())


def _path(settings: Settings, wanted: Namespace) -> Path:
    """Return the path of the database for a task."""
    return settings.database_path or (DATABASE if wanted.sandbox is None else SANDBOX_DATABASE)


def _existing(settings: Settings, wanted: Namespace) -> Path:
    """Return the path of the database. Raises StartRefused when there is none."""
    path = _path(settings, wanted)
    if not path.exists():
        raise StartRefused(
            f"There is no database at {path}, so there is nothing to {VERBS.get(wanted.task, wanted.task)}."
        )
    return path


async def _open_alone(stack: AsyncExitStack, path: Path) -> Store:
    """Open the database until the end of the stack. Raises StartRefused while a bot uses it."""
    store = await open_store(path)
    stack.push_async_callback(store.close)
    _check_stopped(path, await store.last_heartbeat())
    return store


def _check_stopped(path: Path, last: int | None) -> None:
    """Raise StartRefused when the last heartbeat, a time in ms, is so recent that a bot may be running."""
    if abs(time.time() * 1000 - (last or 0)) < STILL_RUNNING:
        raise StartRefused(
            f"A bot uses {path}, or has just stopped. Stop it, and try again {STILL_RUNNING // 1000} seconds later."
        )


def card_drawings() -> list[EmojiDrawing]:
    """Return the cards of all games, each once."""
    found = [each for name in cogs() for each in vars(importlib.import_module(name)).values()]
    uis = [each for each in found if isinstance(each, type) and issubclass(each, GameCog)]
    drawings = (drawing for ui in uis for drawing in ui.drawings.values())
    return list({drawing.name: drawing for drawing in drawings}.values())


async def unpack_emojis(bot: Palmhouse) -> None:
    """Upload the emojis to a new sandbox, which has none yet."""
    await bot.wait_until_ready()
    try:
        await upload(bot, card_drawings(), log.debug)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("the sandbox has no emojis, or not all: %s", error)
    await bot.learn_emojis()


def _usual_path(stack: AsyncExitStack, sandbox: str | None) -> Path:
    """Return the path of the database when no setting names one. A new sandbox's is deleted at the end."""
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
    """Point discord.py at the sandbox, a new one if no URL is given, and return its token.

    Raises StartRefused for a malformed URL."""
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
    """Start a sandbox and return its URL. It listens on its usual port, so that an open page finds it again, or on any
    free port when that one is taken."""
    for port in (PORT, 0):
        with contextlib.suppress(OSError):
            box = await stack.enter_async_context(Sandbox(port=port))
            furnish(box)
            return box.url
    raise StartRefused("The sandbox finds no free port on 127.0.0.1.")


TASKS: Final = {
    None: run,
    "invite": print_invitation,
    "emojis": upload_emojis,
    "recount": recount_all,
    "export": export_guild,
    "import": import_guild,
    "backup": back_up_database,
    "check": check_database,
    "restore": restore_database,
    "policy": print_policy,
}
"""Tasks of the command line."""
ABOUT: Final = {
    "invite": "print the link that adds the bot to a server, and what it asks for",
    "emojis": "upload small pictures of the cards as emojis; once, and after each update",
    "recount": "compute all results and ratings anew from the logs",
    "export": "write the standings of a server to a file",
    "import": "add the standings in such a file to the database",
    "backup": "copy the database to a new file, also while the bot runs, and check the copy",
    "check": "check the database, also while the bot runs",
    "restore": "put a backup in the place of the database",
    "policy": "print a privacy policy and terms as Markdown",
}
"""Descriptions of the tasks, for the help of the command line."""
VERBS: Final = {"backup": "back up"}
"""Verbs of the tasks whose names are none."""
FAILED: Final = {
    "invite": "There is no link.",
    "recount": "Nothing was recounted.",
    "export": "Nothing was exported.",
    "import": "Nothing was imported.",
    "backup": "No backup was made.",
    "check": "Nothing was checked.",
    "restore": "Nothing was restored.",
}
"""Sentences that begin the error message of a task, in place of "Palmhouse cannot start."."""


async def play(bot: Palmhouse, token: str) -> None:
    """Log in and play until cancelled. Raises StartRefused when Discord refuses the login or cannot be reached,
    Dismissed when it ends the connection for good."""
    with _let_in():
        await bot.login(token)
        gc.freeze()  # loaded modules stay: garbage collection over them would delay clicks by 30 ms
        await bot.connect()


@contextlib.contextmanager
def _let_in() -> Iterator[None]:
    """Turn errors of the login and the connection into StartRefused and Dismissed."""
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
