"""The tasks that the bot does instead of playing, as `python -m bot TASK`. Each prints its report."""

import asyncio
import logging
import time
from argparse import Namespace
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import discord

from bot.cli.quick_doctor import of_database
from bot.cli.settings import Settings, database, database_file, load_well_formed
from bot.cli.start import StartRefused, card_drawings, entered, let_in, say
from bot.client import INTENTS
from bot.error_codes import TOO_MANY_EMOJIS
from bot.gateway.private import without_voice
from bot.hosting.backup import back_up, check, restore
from bot.hosting.doctor import at_discord, checks, machine
from bot.hosting.doctor.database import NO_BOT, is_of_sandbox, last_application, readable
from bot.hosting.doctor.finding import Finding, Level, as_json, as_text, split, status
from bot.hosting.invite import invitation
from bot.hosting.moving import move_to
from bot.hosting.policy import policy
from bot.hosting.recount import progress_bar, recount
from bot.hosting.standings_file import read
from bot.hosting.transfer import export_standings, import_standings, usual_path
from bot.messages.emojis import upload
from bot.pictures.worker_client import DrawingFailed, WorkerClient
from bot.program import PROGRAM
from bot.store import Store, open_store
from bot.store.sqlite.contents import check_newest
from bot.store.sqlite.opening import alone, check_place, is_in_use

VERB = {"backup": "back up", "move-to": "move"}
"""Verbs of the tasks whose names are none."""


class UploadRefused(StartRefused):
    """The emojis are not uploaded, or not all. `str()` says why and what to do."""


class FaultsFound(Exception):
    """The database has faults. `str()` has a sentence on a line of its own for each."""


async def upload_emojis(settings: Settings, wanted: Namespace) -> None:
    """Bring the application's emojis up to date, and print what was done. Raises StartRefused or UploadRefused."""
    sandbox: str | None = wanted.sandbox
    if sandbox == "":
        raise StartRefused(f"No sandbox is named. Name the one that runs: `{PROGRAM} emojis --sandbox URL`.")
    async with AsyncExitStack() as stack:
        token = await entered(stack, settings, sandbox)
        without_voice()
        client = await stack.enter_async_context(discord.Client(intents=INTENTS))
        rasterizer = WorkerClient()
        stack.callback(rasterizer.close)
        with let_in():
            uploaded, deleted = await _uploaded(client, token, rasterizer)
    say(
        f"The emojis are up to date: {uploaded} uploaded, {deleted} deleted. The bot learns of them when it starts."
    )


async def _uploaded(client: discord.Client, token: str, rasterizer: WorkerClient) -> tuple[int, int]:
    try:
        await client.login(token)
        return await upload(client, rasterizer, card_drawings(), say)
    except DrawingFailed as error:
        raise UploadRefused(
            f"The emojis cannot be drawn: {error}. What is uploaded stays: run this again for the rest."
        ) from None
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
        token = await entered(stack, settings, wanted.sandbox)
        without_voice()
        client = await stack.enter_async_context(discord.Client(intents=INTENTS))
        with let_in():
            await client.login(token)
        assert client.application_id is not None, "the login has told it"
        say(invitation(client.application_id))


async def recount_all(settings: Settings, wanted: Namespace) -> None:
    """Compute all results, facts and ratings again, and print what differed. Raises StartRefused or StoreRefused."""
    where = _existing(settings, wanted)
    async with AsyncExitStack() as stack:
        say(await recount(await _open_alone(stack, where)))


async def export_guild(settings: Settings, wanted: Namespace) -> None:
    """Write the standings of a server to a file, and print a report. Raises StartRefused or FileRefused."""
    where = _existing(settings, wanted)
    if isinstance(where, Path) and _may_be_in_use(where):
        await asyncio.to_thread(check_newest, where)  # opening it would migrate it under an older bot
    async with AsyncExitStack() as stack:
        store = await open_store(where, is_alone=False)
        stack.push_async_callback(store.close)
        file = wanted.file or usual_path(wanted.guild, where)
        say(await export_standings(store, wanted.guild, file))


async def import_guild(settings: Settings, wanted: Namespace) -> None:
    """Add the standings in a file to the database, and print a report. Raises StartRefused or FileRefused."""
    standings = read(wanted.file, int(time.time() * 1000))
    async with AsyncExitStack() as stack:
        store = await _open_alone(stack, _database(settings, wanted))
        say(await import_standings(store, standings))


async def back_up_database(settings: Settings, wanted: Namespace) -> None:
    """Copy the database while it may be in use, and print a report. Raises StartRefused, StoreRefused or
    BackupRefused."""
    say(await back_up(_existing_file(settings, wanted), wanted.path))


async def restore_database(settings: Settings, wanted: Namespace) -> None:
    """Put a backup in the place of the database, and print a report. Raises StartRefused, StoreRefused or
    BackupRefused."""
    path = _file(settings, wanted)
    check_place(path)
    for_sandbox = wanted.sandbox is not None
    if is_of_sandbox(wanted.path) is (not for_sandbox):
        of, to, remedy = (
            ("Discord", "the sandbox", "leave out") if for_sandbox else ("the sandbox", "Discord", "add")
        )
        raise StartRefused(
            f"{wanted.path} is a backup of {of}, and would be restored for {to}. Name another one, or {remedy} "
            "`--sandbox`."
        )
    say(await restore(path, wanted.path))


async def check_database(settings: Settings, wanted: Namespace) -> None:
    """Check the database while it may be in use. Raises FaultsFound, StartRefused, StoreRefused or BackupRefused."""
    path = _existing_file(settings, wanted)
    found = await asyncio.to_thread(readable, path)
    if found.state is Level.FAULT:
        raise StartRefused(f"{found.what} {found.remedy}")
    if faults := await check(path):
        raise FaultsFound("\n".join(faults))
    say(f"{path} is sound: every live match replays, and the standings are what a recount finds.")


async def move_database(settings: Settings, wanted: Namespace) -> None:
    """Copy the file to a PostgreSQL database, and print a report. Raises StartRefused, StoreRefused or StoreFailed."""
    path = database_file(settings, is_sandbox=wanted.sandbox is not None)
    _check_exists(path, wanted)
    say(await move_to(path, wanted.url))


async def diagnose(settings: Settings, wanted: Namespace) -> int:
    """Print what the checks find. Return the exit status. Raises StartRefused."""
    where, (_, wrong) = _database(settings, wanted), load_well_formed()
    found = [split("settings", sentence) for sentence in wrong.values()]
    if wanted.quick:
        found += await asyncio.to_thread(of_database, settings, is_sandbox=wanted.sandbox is not None)
        return print_findings(found, wanted)
    if isinstance(where, Path):
        found += checks.of_machine(where)
    else:
        found += [*checks.before_start(None), *await asyncio.to_thread(of_database, settings)]
    if settings.metrics_port is not None:
        is_used = any(each.name == NO_BOT.name and each != NO_BOT for each in found)
        found.append(machine.metrics_port(settings.metrics_port, is_used=is_used))
    if wanted.sandbox is not None or "DISCORD_TOKEN" not in wrong:
        found += await _at_discord(settings, wanted, where)
    return print_findings(found, wanted)


async def _at_discord(settings: Settings, wanted: Namespace, where: Path | str) -> list[Finding]:
    if wanted.sandbox is None and settings.discord_token is None:
        return [at_discord.without_token()]
    if wanted.sandbox == "":
        return [at_discord.without_address()]
    logging.getLogger("discord").setLevel("ERROR")  # the findings say what it would log
    without_voice()
    clock = at_discord.ClockCheck()
    async with AsyncExitStack() as stack:
        token = await entered(stack, settings, wanted.sandbox)
        client = await stack.enter_async_context(discord.Client(intents=INTENTS, http_trace=clock.trace()))
        found = await at_discord.ask(
            client,
            token,
            emojis={drawing.key for drawing in card_drawings()},
            last_application=last_application(where) if isinstance(where, Path) else None,
            progress=progress_bar(of="servers"),
            sandbox=wanted.sandbox,
        )
    return [*found, clock.finding()]


def print_findings(findings: list[Finding], wanted: Namespace) -> int:
    """Print findings as the command line wants them, and return the exit status."""
    say(as_json(findings) if wanted.json else as_text(findings, quick=wanted.quick))
    return status(findings, quick=wanted.quick)


async def print_policy(settings: Settings, wanted: Namespace) -> None:
    """Print the privacy policy and the terms as Markdown."""
    say(policy(server=isinstance(_database(settings, wanted), str)))


def _database(settings: Settings, wanted: Namespace) -> Path | str:
    """Return the path or address of the database for a task."""
    return database(settings, is_sandbox=wanted.sandbox is not None)


def _file(settings: Settings, wanted: Namespace) -> Path:
    """Return the path of the database for a task about its file. Raises StartRefused for a PostgreSQL database."""
    where = _database(settings, wanted)
    if isinstance(where, Path):
        return where
    raise StartRefused(
        f"DATABASE_URL names a PostgreSQL database, and `{PROGRAM} {wanted.task}` is for a file. Use the tools of "
        "PostgreSQL: pg_dump makes a backup, pg_restore puts it back."
    )


def _existing(settings: Settings, wanted: Namespace) -> Path | str:
    """Return the path or address of the database. Raises as `_existing_file` does."""
    where = _database(settings, wanted)
    return _existing_file(settings, wanted) if isinstance(where, Path) else where


def _existing_file(settings: Settings, wanted: Namespace) -> Path:
    """Return the path of the database. Raises StartRefused when there is none, StoreRefused when none can be there."""
    path = _file(settings, wanted)
    _check_exists(path, wanted)
    return path


def _check_exists(path: Path, wanted: Namespace) -> None:
    """Raise StartRefused when there is no database at `path`, StoreRefused when none can be there."""
    check_place(path)
    if not path.exists():
        raise StartRefused(
            f"There is no database at {path}, so there is nothing to {VERB.get(wanted.task, wanted.task)}."
        )


def _may_be_in_use(path: Path) -> bool:
    with suppress(OSError):
        return is_in_use(path)
    return True


async def _open_alone(stack: AsyncExitStack, where: Path | str) -> Store:
    """Open the database until the end of the stack. Raises StoreRefused while a bot uses it."""
    if isinstance(where, Path):
        stack.enter_context(alone(where))
    store = await open_store(where, is_task=True)
    stack.push_async_callback(store.close)
    return store
