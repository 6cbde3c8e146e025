"""Checks that ask Discord: the token, the clock, the application, its servers and its emojis."""

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Final

import aiohttp
import discord
from discord import app_commands

from bot.error_codes import MISSING_ACCESS
from bot.hosting.doctor.finding import Finding, Level
from bot.program import PROGRAM
from games.phrases import counted

PATIENCE: Final = 30.0
"""Seconds within which all checks at Discord must be done."""
TOLERANCE: Final = 2.0
"""Seconds by which this machine's clock may differ from Discord's."""
ASKED: Final = 5
"""Maximum number of servers that are asked about their commands."""

Progress = Callable[[int, int], None]
"""Function that is called with the number of servers asked, and of those to ask."""


class ClockCheck:
    """Compares this machine's clock with the Date header of Discord's answers.

    The header has whole seconds, and an answer takes its time. So each answer gives an interval that contains the
    difference; several answers make it shorter.
    """

    def __init__(self) -> None:
        self._least, self._most = float("-inf"), float("inf")
        """Limits of the seconds by which Discord's clock is ahead of this one."""

    def trace(self) -> aiohttp.TraceConfig:
        """Return a trace of requests that calls `learn`."""

        async def begin(_: object, context: SimpleNamespace, __: object) -> None:
            context.asked = time.time()

        async def end(_: object, context: SimpleNamespace, answered: aiohttp.TraceRequestEndParams) -> None:
            with suppress(KeyError, ValueError):  # an answer without a valid date is ignored
                date = parsedate_to_datetime(answered.response.headers["Date"])
                self.learn(context.asked, time.time(), date.timestamp())

        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(begin)
        trace.on_request_end.append(end)
        return trace

    def learn(self, asked: float, answered: float, date: float) -> None:
        """Learn from an answer: when it was asked for and when it came by this clock, and its date, in seconds."""
        self._least = max(self._least, date - answered)
        self._most = min(self._most, date + 1 - asked)

    def finding(self) -> Finding:
        """Return what the answers so far show."""
        if self._least == float("-inf"):
            return Finding("clock", Level.SKIPPED, "Not checked: Discord has not answered.")
        if self._least > TOLERANCE:
            said = f"This machine's clock is {int(self._least)} s or more behind."
        elif self._most < -TOLERANCE:
            said = f"This machine's clock is {int(-self._most)} s or more ahead."
        else:
            return Finding("clock", Level.OK, "It agrees with Discord's.")
        return Finding(
            "clock",
            Level.WARNING,
            said,
            "Set it by the network: `sudo timedatectl set-ntp true`. The bot itself goes by Discord's time.",
        )


def without_token() -> Finding:
    """Return the fault of a missing token."""
    return Finding(
        "token",
        Level.FAULT,
        "DISCORD_TOKEN is not set.",
        "Put your bot's token into .env or the environment.",
    )


def without_address() -> Finding:
    """Return what is said in place of the sandbox's answers when no sandbox is named."""
    return Finding(
        "sandbox",
        Level.SKIPPED,
        "Not asked, because none is named.",
        f"Name the one that runs: `{PROGRAM} doctor --sandbox URL`.",
    )


async def ask(
    client: discord.Client,
    token: str,
    *,
    emojis: Collection[str],
    last_application: str | None,
    progress: Progress,
    sandbox: str | None = None,
) -> list[Finding]:
    """Log in and return the findings. `emojis`: names that the bot's emojis should have; `last_application`: id of the
    one that used the database last; `sandbox`: URL of the sandbox, None for Discord. An error ends the checks with a
    finding."""
    found: list[Finding] = []
    try:
        async with asyncio.timeout(PATIENCE):
            await client.login(token)
            application = client.application
            assert application is not None, "the login has asked for it"
            found.append(Finding("token", Level.OK, f"It is valid, and belongs to {application.name}."))
            found.append(other_application(last_application, application.id))
            found.append(await _servers(client, progress))
            found.append(
                missing_emojis(
                    emojis, [each.name for each in await client.fetch_application_emojis()], sandbox
                )
            )
    except discord.LoginFailure:
        found.append(
            Finding(
                "token",
                Level.FAULT,
                "Discord refuses DISCORD_TOKEN: it is wrong or was reset.",
                "Copy the present one from your application's Bot page.",
            )
        )
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        found.append(
            Finding(
                "Discord",
                Level.FAULT,
                f"Discord cannot be reached ({reason(error)}).",
                "Check the network and the firewall. A bot that runs keeps trying.",
            )
        )
    except discord.HTTPException as error:
        found.append(
            Finding(
                "Discord",
                Level.WARNING,
                f"Discord answers with an error ({error.status}).",
                "Run the doctor again in a while.",
            )
        )
    return found


def reason(error: Exception) -> str:
    """Return in a few words why a connection failed."""
    match error:
        case aiohttp.ClientConnectorDNSError():
            return "its name is not found"
        case aiohttp.ClientSSLError():
            return "no secure connection is possible"
        case aiohttp.ClientConnectorError(os_error=ConnectionRefusedError()):
            return "the connection is refused"
        case aiohttp.ServerDisconnectedError() | ConnectionResetError():
            return "the connection was closed"
        case TimeoutError():
            return "no answer"
        case _:
            return "no connection"


def other_application(last: str | None, present: int) -> Finding:
    """Check that the token belongs to the application that used the database last, if one did."""
    if last in (None, str(present)):
        return Finding("application", Level.OK, f"{present}.")
    return Finding(
        "application",
        Level.WARNING,
        f"The token belongs to the application {present}, but {last} has played with this database.",
        "If you did not mean that, stop the bot and set the token of the other application: this one closes tables on "
        "servers where it is no member, and cannot edit the other's messages.",
    )


async def _servers(client: discord.Client, progress: Progress) -> Finding:
    """Check that the servers allow the bot's commands, of some of them. Raises discord.HTTPException."""
    servers = [server async for server in client.fetch_guilds(limit=ASKED, with_counts=False)]
    tree = app_commands.CommandTree(client)
    refusing = []
    for done, server in enumerate(servers, 1):
        try:
            await tree.fetch_commands(guild=server)
        except discord.Forbidden as error:
            if error.code != MISSING_ACCESS:
                raise
            refusing.append(f"{server.name} ({server.id})")
        progress(done, len(servers))
    return servers_finding(refusing, len(servers))


def servers_finding(refusing: Sequence[str], asked: int) -> Finding:
    """Return the finding on the servers that do not allow the bot's commands."""
    if not asked:
        return Finding(
            "servers", Level.WARNING, "The bot is on no server.", f"Open the link of `{PROGRAM} invite`."
        )
    if refusing:
        return Finding(
            "servers",
            Level.WARNING,
            f"Without the scope applications.commands, and so without commands: {', '.join(refusing)}.",
            f"Open the link of `{PROGRAM} invite`, and choose the server again.",
        )
    return Finding(
        "servers",
        Level.OK,
        f"Commands are allowed on {counted(asked, 'server')}: all that were asked, at most {ASKED}.",
    )


def missing_emojis(wanted: Collection[str], there: Collection[str], sandbox: str | None = None) -> Finding:
    """Check that all emojis of the bot are uploaded. `sandbox`: its URL; None for Discord."""
    missing = len({*wanted} - {*there})
    if missing:
        return Finding(
            "emojis",
            Level.WARNING,
            f"{missing} of {len(wanted)} are missing; those cards are shown as letters or as older pictures.",
            f"Run `{PROGRAM} emojis{f' --sandbox {sandbox}' if sandbox else ''}`, then start the bot again.",
        )
    return Finding("emojis", Level.OK, f"{len(wanted)}, all uploaded.")
