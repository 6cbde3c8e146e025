"""The bot as discord.py knows it: what it listens to, what it may ping, which cogs it loads, when it syncs."""

import asyncio
import hashlib
import importlib
import json
import logging
import pkgutil
from contextlib import suppress
from email.utils import parsedate_to_datetime
from itertools import chain, repeat
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.clock import Clock, DiscordTime
from bot.computers.players import ComputerPlayers
from bot.match.deadlines import Times
from bot.match.refusal import Refusal
from bot.match.tables import Tables
from bot.messages.answers import explain
from bot.messages.emojis import known
from bot.messages.game_ui import GameUI
from bot.messages.live_message import EXPECTED
from bot.messages.publisher import Publisher
from bot.messages.router import Router
from bot.store import Store, StoreFailed

log = logging.getLogger(__name__)

INTENTS = discord.Intents(guilds=True, guild_messages=True)
"""None is privileged. Messages are only counted (how far a card has scrolled away); their content never arrives."""

SYNC_PAUSES = (5, 60, 600)
"""Seconds until Discord is told the commands again after it could not be; the last pause repeats."""

FAREWELL = 0.4
"""Seconds at the end for Discord to take the last answers, and again to take leave."""

EMOJI_WAIT = 5.0
"""Seconds at the start for asking which emojis there are."""


def cogs() -> list[str]:
    """Every module and package of `cogs` but `common`, which is shared code: a new one needs no list to be edited."""
    folder = importlib.import_module("cogs").__path__
    return sorted(f"cogs.{module.name}" for module in pkgutil.iter_modules(folder) if module.name != "common")


def without_voice() -> None:
    """Spare the host discord.py's warnings of what voice would need: a card room has none."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def dated(time: DiscordTime) -> aiohttp.TraceConfig:
    """Return what tells `time` the date of each of Discord's answers."""

    async def tell(_session: object, _context: object, answered: aiohttp.TraceRequestEndParams) -> None:
        with suppress(KeyError, ValueError):  # an answer without a sound date tells nothing
            date = parsedate_to_datetime(answered.response.headers["Date"])
            time.told(int(date.timestamp()) * 1000)

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(tell)
    return trace


class Tree(app_commands.CommandTree["Palmhouse"]):
    """The slash commands. One that fails answers with a sentence."""

    async def interaction_check(self, _: discord.Interaction["Palmhouse"], /) -> bool:
        """Called by discord.py before each command and each suggestion."""
        return self.client.may_work()

    async def on_error(
        self, interaction: discord.Interaction["Palmhouse"], error: app_commands.AppCommandError, /
    ) -> None:
        """Called by discord.py for whatever a command raised; what a suggestion raises it logs by itself."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await explain(interaction, cause)


class Palmhouse(commands.Bot):
    """The whole bot. `extensions` are the cogs to load; `tables` options are passed on for tests of chance and time."""

    def __init__(
        self, store: Store, *, extra_cogs: tuple[str, ...] = (), times: Times | None = None, **chance: Any
    ):
        without_voice()
        self.time = DiscordTime()
        super().__init__(
            commands.when_mentioned,
            tree_cls=Tree,
            intents=INTENTS,
            help_command=None,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            http_trace=dated(self.time),
            guild_ready_timeout=0.5,  # a server that comes later is no harm, and people wait meanwhile
        )
        self.store = store
        self.tables = Tables(store, self.time.now, times=times or Times(), **chance)
        self.game_uis: dict[str, GameUI] = {}
        """By slug of the game; each game's cog adds its own."""
        self.router = Router()
        self.publisher = Publisher(self, self.tables, self.game_uis)
        self.computers = ComputerPlayers(self.tables)
        self.clock = Clock(self.tables, self.computers, self.time)
        self._cogs_to_load = [*cogs(), *extra_cogs]
        self._ticking: asyncio.Task[None] | None = None
        self._syncing: asyncio.Task[None] | None = None
        self._working: set[asyncio.Task[Any]] = set()
        """Tasks in which the bot acts on what has happened at Discord."""
        self._leaving = False

    async def setup_hook(self) -> None:
        """Before the first connection: everything that needs no server."""
        self.time.arrive(self.time.jump)  # what this machine took for the time counts no more
        await self.tables.load()
        await self.publisher.load()
        for cog in self._cogs_to_load:
            await self.load_extension(cog)
        await self.learn_emojis()
        await self.clock.start()  # before the first click can come, when every game has a face to show it
        if not await self._sync():
            self._syncing = asyncio.create_task(self._sync_later(), name="sync")

    async def learn_emojis(self) -> None:
        """Which cards the application has as emojis. Without them letters do, so nothing waits long for it."""
        try:
            async with asyncio.timeout(EMOJI_WAIT):
                found = await self.fetch_application_emojis()
        except EXPECTED as error:
            log.info("cards are shown by letters: Discord did not say which emojis there are (%s)", error)
            return
        for ui in self.game_uis.values():
            ui.emojis = known(ui.drawings, found)
        if not any(ui.emojis for ui in self.game_uis.values()):
            log.info("cards are shown by letters; `python -m bot emojis` uploads emojis of them, once")

    async def on_ready(self) -> None:
        """Connected, and the servers are known: tell what is untold, and let the clock run."""
        if not self.may_work():
            return
        await self.clock.go_on()
        if self._ticking is None:
            self._ticking = asyncio.create_task(self.clock.run(), name="clock")
            self.publisher.resume()
            log.info("ready as %s in %d servers", self.user, len(self.guilds))
        await self._close_tables_outside({guild.id for guild in self.guilds})

    async def on_resumed(self) -> None:
        """Connected again, and nothing was missed."""
        if self.may_work():
            await self.clock.go_on()

    async def on_disconnect(self) -> None:
        """Discord is out of reach; discord.py is connecting anew."""
        self.clock.pause()

    async def on_interaction(self, interaction: discord.Interaction["Palmhouse"]) -> None:
        """Every interaction tells the time; clicks and modals go to the router (commands go to the tree)."""
        self.time.heard(interaction.id)
        if self.may_work() and interaction.type in (
            discord.InteractionType.component,
            discord.InteractionType.modal_submit,
        ):
            await self.router.dispatch(interaction)

    async def on_message(self, message: discord.Message, /) -> None:
        """Messages matter only as something that pushes cards up; there are no text commands."""
        self.publisher.seen(message)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server: its tables close, uncounted."""
        if self.may_work():
            await self._close_tables_outside({other.id for other in self.guilds} - {guild.id})

    def may_work(self) -> bool:
        """Return whether the present task may act on what has happened at Discord; `close` then waits for it."""
        task = asyncio.current_task()
        if self._leaving or task is None:
            return False
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        return True

    async def close(self) -> None:
        """Take no more moves, finish the answers under way, send the computers home, leave Discord, close the store."""
        self._leaving = True
        await self._finish_work()
        await self.computers.close()
        await self.publisher.close()
        leaving = asyncio.create_task(super().close())
        done, _ = await asyncio.wait({leaving}, timeout=FAREWELL)
        if not done:
            leaving.cancel()
            await self.http.close()
        await asyncio.gather(leaving, return_exceptions=True)
        await self.store.close()

    async def __aexit__(self, *_: object) -> None:
        """Close, unless that is done. (discord.py would wait for Discord to take leave, however long that takes.)"""
        if not self._leaving:
            await self.close()

    async def _finish_work(self) -> None:
        """Give answers under way a moment, then end them: an answer that Discord does not take must hold up nothing."""
        for task in (self._ticking, self._syncing):
            if task is not None:
                task.cancel()
        if self._working:
            await asyncio.wait(self._working, timeout=FAREWELL)
        for task in self._working:
            task.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)

    async def _close_tables_outside(self, guilds: set[int]) -> None:
        """Close what nobody can play any more, whether the bot was removed just now or while it was away."""
        for match in await self.store.open_matches():
            if match.guild and match.guild not in guilds:  # 0 stands for direct messages
                try:
                    await (await self.tables.get(match.id)).close("the bot was removed from the server.")
                except (Refusal, StoreFailed) as reason:
                    log.warning("table %s could not be closed: %s", match.id, reason)

    async def _sync_later(self) -> None:
        """Try until Discord knows the commands; meanwhile it goes on offering the ones it was told last."""
        for pause in chain(SYNC_PAUSES, repeat(SYNC_PAUSES[-1])):
            await asyncio.sleep(pause)
            if await self._sync():
                return

    async def _sync(self) -> bool:
        """Tell Discord the commands if they are not those it was told last time. Return whether it knows them."""
        told = json.dumps(
            [command.to_dict(self.tree) for command in self.tree.get_commands()], sort_keys=True
        )
        fingerprint = hashlib.sha256(f"{self.application_id} {told}".encode()).hexdigest()
        if await self.store.fact("commands") == fingerprint:
            return True
        try:
            await self.tree.sync()
            await self.store.set_fact("commands", fingerprint)
        except EXPECTED as error:
            log.warning("Discord does not know the present commands yet, and is told them again: %s", error)
            return False
        log.info("the commands have changed; Discord was told")
        return True
