"""The bot as a discord.py client: the events it listens to, the cogs it loads, and its registered commands."""

import asyncio
import hashlib
import importlib
import json
import logging
import pkgutil
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import nullcontext, suppress
from email.utils import parsedate_to_datetime
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.computers.players import ComputerPlayers
from bot.computers.worker_client import WorkerClient as Thinker
from bot.gateway import shards
from bot.gateway.acting import SERVER, NotServed
from bot.gateway.discord_time import DiscordTime
from bot.gateway.guild_cache import SlimState
from bot.gateway.held_shards import Bot, HeldShards
from bot.gateway.identifies import Identifies, too_many_begun
from bot.gateway.private import OwnTree, without_voice
from bot.gateway.session import SessionsLeftOpen
from bot.gateway.shards import ShardedBot, shard_of
from bot.match.dailies import Dailies
from bot.match.entries import CloseReason
from bot.match.names import LONGEST_TYPED
from bot.match.nights import Nights
from bot.match.refusal import Refusal
from bot.match.tables import Tables
from bot.match.times import Times
from bot.messages.admission import MAY_WAIT, Admission, no_suggestions
from bot.messages.answers import explain
from bot.messages.emojis import uploaded
from bot.messages.expected import EXPECTED, Failures
from bot.messages.game_ui import GameUI
from bot.messages.late_pictures import LatePictures
from bot.messages.live_message import EditBudget
from bot.messages.member_names import MemberNames
from bot.messages.publisher import Publisher
from bot.messages.rehearsals import Rehearsals
from bot.messages.router import Router, click_of
from bot.pictures.worker_client import WorkerClient as Rasterizer
from bot.program import PROGRAM
from bot.store import Match, Store, StoreFailed, Unreadable
from bot.upkeep.chores import Chore
from bot.upkeep.clock import Clock
from bot.upkeep.left_guilds import LeftGuilds
from bot.upkeep.log_packer import LogPacker
from games.phrases import counted

if TYPE_CHECKING:
    from bot.store.postgresql.processes import PostgreSQLProcesses

log = logging.getLogger(__name__)

INTENTS = discord.Intents(guilds=True, guild_messages=True)
"""No privileged ones. Messages are only counted, to know how far a table has scrolled away; Discord does not send their
content."""

SYNC_PAUSES = (5, 60, 600)
"""Seconds before each retry of registering the commands; the last one repeats."""

FAREWELL = 0.4
"""Seconds to wait at the end for answers under way, and again for the connection to close."""

SESSION = "session"
"""Key of the store's fact about the sessions that were left open at the last stop."""

HOUR, DAY = 3_600.0, 86_400.0
"""Seconds between two turns of a chore."""

PAUSE = 1.0
"""Seconds before the next try to read the tables of a shard."""

CLOCK, ARCHIVE = "clock", "archive threads"
"""Names of background tasks."""

COMMON = "cogs.common"
"""The package in `cogs` that is shared code, not a cog."""

EMOJI_WAIT = 5.0
"""Seconds to wait at the start for the list of the application's emojis."""


def cogs() -> list[str]:
    """Return the names of the modules with a cog: those in `cogs`, and `cog` in each package there but `common`."""
    found = pkgutil.iter_modules(importlib.import_module("cogs").__path__, "cogs.")
    return sorted(f"{each.name}.cog" if each.ispkg else each.name for each in found if each.name != COMMON)


def cog_of(module: str) -> type[commands.Cog]:
    """Return the cog that a module defines."""
    found = vars(importlib.import_module(module)).values()
    kinds = [each for each in found if isinstance(each, type) and issubclass(each, commands.Cog)]
    (cog,) = [each for each in kinds if each.__module__ == module]
    return cog


def dated(time: DiscordTime) -> aiohttp.TraceConfig:
    """Return a trace that sets `time` by the Date header of Discord's answers."""

    async def learn(_session: object, _context: object, answered: aiohttp.TraceRequestEndParams) -> None:
        with suppress(KeyError, ValueError):  # an answer without a valid date is ignored
            date = parsedate_to_datetime(answered.response.headers["Date"])
            time.learn(int(date.timestamp()) * 1000)

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(learn)
    return trace


class Tree(OwnTree["Palmhouse"]):
    """The slash commands. A failing one answers with a sentence."""

    async def run(
        self, interaction: discord.Interaction["Palmhouse"], work: Callable[[], Awaitable[None]]
    ) -> None:
        """Run a command, after others if there are many."""
        if interaction.type is discord.InteractionType.autocomplete and (
            self.client.admission.is_overloaded() or _is_too_long(interaction)
        ):
            await no_suggestions(interaction)
            return
        may_wait = interaction.command is not None and MAY_WAIT in interaction.command.extras
        await self.client.admission.run(interaction, work, may_wait=may_wait, turn=nullcontext())

    async def interaction_check(self, interaction: discord.Interaction["Palmhouse"], /) -> bool:
        """Return whether a command or an autocompletion may run. Called by discord.py."""
        self.client.note_arrival(interaction)
        return self.client.may_work()

    async def on_error(
        self, interaction: discord.Interaction["Palmhouse"], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a command that raised. Called by discord.py, which logs errors of autocompletions by itself."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await explain(interaction, cause)


def _is_too_long(interaction: discord.Interaction["Palmhouse"]) -> bool:
    """Return whether an option has a longer text than a person may send: not every client stops them."""
    return any(isinstance(value, str) and len(value) > LONGEST_TYPED for _, value in interaction.namespace)


class Palmhouse(ShardedBot):
    """The whole bot, or one process of it, which serves the shards that it holds. `extra_cogs` are loaded beside those
    in `cogs`; `rasterizer` and `thinker` ask the worker processes; `time` is the clock, `edits` spreads edits of public
    messages over time; other arguments go to `Tables`."""

    def __init__(
        self,
        store: Store,
        *,
        held: HeldShards | None = None,
        extra_cogs: tuple[str, ...] = (),
        times: Times | None = None,
        time: DiscordTime | None = None,
        edits: EditBudget | None = None,
        rasterizer: Rasterizer | None = None,
        thinker: Thinker | None = None,
        **table_options: Any,
    ):
        without_voice()
        self.time = time or DiscordTime()
        self.trace = dated(self.time)
        """Callbacks for the requests. None can be added after the login."""
        super().__init__(
            commands.when_mentioned,
            tree_cls=Tree,
            intents=INTENTS,
            # Else Discord would offer every command to people who install the bot for themselves, also on servers where
            # it is no member. A command that works there has `app_commands.allowed_installs`.
            allowed_installs=app_commands.AppInstallationType(guild=True),
            help_command=None,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            http_trace=self.trace,
            guild_ready_timeout=0.5,  # people wait meanwhile, and a server that comes later does no harm
        )
        self.note_arrival: Callable[[discord.Interaction[Any]], None] = lambda _: None
        """Callback for each interaction before it is handled. Commands and autocompletions call it twice."""
        self.store = store
        self.held = held
        if held is not None:
            table_options["owns"] = held.owns
            self.shard_count = held.wanted.count
        self.tables = Tables(store, self.time.now, times=times or Times(), **table_options)
        self.trace.on_request_start.append(self._check_server)
        self.dailies = Dailies(self.tables)
        self.nights = Nights(self.tables)
        self.role_lock = asyncio.Lock()
        """Held while a role of a night's winner is given or taken away, until that is stored."""
        self.game_uis: dict[str, GameUI] = {}
        """By slug of the game. Each game's cog adds itself."""
        self.router = Router()
        self.admission = Admission()
        self.command_ids: dict[str, int] = {}
        """By full name: the ids of the commands, once they are registered."""
        self.rasterizer = rasterizer or Rasterizer()
        self.publisher = Publisher(self, self.tables, self.game_uis, self.command_ids, self.rasterizer, edits)
        self.nights.on_open = self.publisher.look_again  # their tables have no card yet
        self.late_pictures = LatePictures(self.rasterizer)
        self.rehearsals = Rehearsals(self.tables, self.game_uis, self.rasterizer)
        self.computers = ComputerPlayers(self.tables, thinker)
        self.member_names = MemberNames(self._member_name, self.time.now)
        self.clock = Clock(self.tables, self.computers, self.time, self._shard_of)
        self.left_guilds = LeftGuilds(
            store, self.time.now, self.fetch_guild, table_options.get("owns", lambda _: True)
        )
        self.identifies = Identifies(store, self.time.now)
        self.plays = asyncio.Event()
        """Set once a shard was there."""
        self.shards_there = set[int]()
        """Shards whose servers are known, and that are connected."""
        self.chores = [
            Chore("purge", self.left_guilds.purge, DAY, "servers that removed the bot could not be purged"),
            Chore("pack", LogPacker(store, self.time.now).pack, HOUR, "logs of matches could not be packed"),
            Chore("forget", self.dailies.forget, HOUR, "former players could not be forgotten"),
        ]
        """Cogs add their own in their constructors."""
        self._cogs_to_load = [*cogs(), *extra_cogs]
        self._background: dict[str, asyncio.Task[None]] = {}
        """Tasks that run until the bot closes, by name."""
        self._telling: set[asyncio.Task[None]] = set()
        self._working: set[asyncio.Task[Any]] = set()
        """Tasks that handle an event of Discord's."""
        self._looking = asyncio.Lock()
        """Held while Discord is asked whether a thread is there."""
        self._leaving = False
        self.emojis_follow = False
        """True while the emojis are being uploaded to a new sandbox."""
        self.is_synced = False
        """True once the commands are registered as they are now."""

    async def setup_hook(self) -> None:
        """Do everything that needs no connection. Called by discord.py after the login."""
        if self.time.jump:
            log.warning(
                "this machine's clock is %.0f s off; set it by the network. The bot goes by Discord's time",
                abs(self.time.jump) / 1000,
            )
        self.time.set_forward(self.time.jump)  # Discord's answer to the login had a date
        await self.tables.load()
        await self.publisher.load()
        await self.add_cogs()
        await self.learn_emojis()
        if self.held is None:
            await self.clock.start()  # before the first click can come, and after every game has its UI
            await self._find_sessions()
        else:
            self.tables.tell = self._tell
            self._begin("follow", self._follow(self.held.processes))
        if not await self._sync():
            self._begin("sync", self._sync_later())

    async def _find_sessions(self) -> None:
        """Look for sessions to continue."""
        stored = await self.store.fact(SESSION)
        # They are read once: what happens after this start is not in them.
        await self.store.set_fact(SESSION, "")
        left = SessionsLeftOpen.read(stored, self.application_id or 0, self.time.now())
        if left is not None:
            left.add_guilds(self)
            self.shard_count = left.shards
            self.left_open = {each.shard: each for each in left.sessions}

    async def _keep_sessions(self) -> None:
        """Store the sessions that were left open, for the next start."""
        left = SessionsLeftOpen.of(self, self.sockets, self.time.now())
        if left is not None:
            with suppress(StoreFailed):
                await self.store.set_fact(SESSION, left.text())

    async def add_cogs(self) -> None:
        # Not as extensions: discord.py would run their modules again for every bot in a process.
        for name in self._cogs_to_load:
            await self.add_cog(cog_of(name)(self))

    async def learn_emojis(self) -> None:
        """Ask Discord which cards the application has as emojis. Without an answer cards are shown by letters."""
        try:
            async with asyncio.timeout(EMOJI_WAIT):
                found = await self.fetch_application_emojis()
        except EXPECTED as error:
            log.info("cards are shown by letters: Discord did not say which emojis there are (%s)", error)
            return
        for ui in self.game_uis.values():
            ui.emojis = uploaded(ui.drawings, found)
        if not self.emojis_follow and not any(ui.emojis for ui in self.game_uis.values()):
            log.info("cards are shown by letters; `%s emojis` uploads emojis of them, once", PROGRAM)

    async def before_session(self, shard: int) -> None:
        """Wait if a shard has begun too many sessions lately. Raises TooManySessions at a start."""
        await self.identifies.load(shard)
        while (free_at := self.identifies.free_at(shard, self.shard_count or 1)) is not None:
            refusal = too_many_begun(shard, free_at)
            # Nobody can play meanwhile, so the host shall know.
            if not self.plays.is_set():
                raise refusal
            log.error("%s", refusal)
            await asyncio.sleep((free_at - self.time.now()) / 1000 + 1)

    async def before_identify_hook(self, shard_id: int | None, **_: bool) -> None:
        """Count a session that a shard begins: not before the gateway is reached. Called by discord.py."""
        await self.identifies.note(shard_id or 0)

    # Several processes

    def begin_shards(self) -> None:
        """Begin to serve all shards or, if shared, the held ones. Called when their number is known."""
        if self.held is None:
            super().begin_shards()
        else:
            self.plays.set()  # another process may have all of them
            self.clock.on_given_back = self.held.renew_soon
            self.held.serve_with(
                Bot(
                    self._begin_shard,
                    self._end_shard,
                    self.clock.is_running,
                    self.time.now,
                    self.clock.away,
                    self.clock.hand_over,
                )
            )

    def _begin_shard(self, shard: int, since: int, away: Mapping[int, int]) -> None:
        self.clock.take(shard, since, away)
        self.add_shard(shard, self._serve_held(shard))

    async def _serve_held(self, shard: int) -> None:
        """Learn what another process has left of a shard, then serve it."""
        failures = Failures(log)
        while True:
            try:
                await self.clock.correct()  # it does not move the deadlines that others have set
                await self.tables.load()
                await self.publisher.load(lambda guild: self._shard_of(guild) == shard)
                break
            except StoreFailed as error:
                failures.note(shard, f"shard {shard} cannot be served yet", error)
                await asyncio.sleep(PAUSE)
        await self.serve(shard)

    async def _end_shard(self, shard: int) -> None:
        """Leave a shard to another process: move nothing there any more, show nothing, and disconnect."""
        self.shards_there.discard(shard)
        self.tables.let_go()
        self.computers.let_go()
        with suppress(Unreadable):  # of a commit in doubt, which nobody can hold up
            # A move that is being written must not come after those of the next process.
            await self.store.flush()
        await self.clock.release(shard)
        await self.publisher.let_go()
        await self.remove_shard(shard)
        self.state.forget_shard(shard, self.shard_count or 1)
        self._note_ready()  # perhaps it was the only one still to come

    def serves(self, shard: int) -> bool:
        """Return whether events of a shard are handled. What a process that was frozen finds waiting is answered by
        the one that has taken the shard, which has its own connection; what comes as the bot closes, by the next run,
        which continues the session."""
        return not self._leaving if self.held is None else self.held.serves(shard)

    async def _check_server(self, *_: object) -> None:
        """Raise NotServed if the task that sends a request acts for a server of another process."""
        # Only now: discord.py may have held the request back for a rate limit.
        guild = SERVER.get()
        if guild is not None and not self.tables.owns(guild):
            raise NotServed("another process serves this server now")

    async def begin_turn(self, bucket: int) -> None:
        """Wait until no other process begins a session."""
        if self.held is not None:
            await self.held.begin_session(bucket)

    async def end_turn(self, bucket: int) -> None:
        """Let other processes begin a session, after Discord's pause."""
        if self.held is not None:
            await self.held.end_turn(bucket, shards.IDENTIFY_PAUSE)

    def _tell(self, match: int) -> None:
        """Tell the other processes that a match has changed."""
        assert self.held is not None

        async def notice(processes: "PostgreSQLProcesses") -> None:
            with suppress(StoreFailed):
                # Its loss is no fault: the others find out within half a minute.
                await processes.notice(match)

        task = asyncio.create_task(notice(self.held.processes), name=f"notice-{match}")
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _follow(self, processes: "PostgreSQLProcesses") -> None:
        """Read what other processes change, until cancelled."""
        async for matches in processes.notices():
            try:
                await self.tables.follow(matches)
                await self.tables.load()
            except StoreFailed as error:
                log.warning("changes by other processes could not be read: %s", error)
            except Exception:
                log.exception("changes by other processes could not be read")

    async def on_shard_ready(self, shard: int) -> None:
        """Let the tables of a shard go on. Called when its servers are known."""
        # Since its servers began to arrive, its connection may have been lost, or the shard left and taken again. Then
        # it is ready once it is connected again.
        socket = self.sockets.get(shard) if shard in self.shard_ids else None
        if socket is None or not socket.open or not self.serves(shard) or not self.may_work():
            return
        await self._go_on(shard)
        await self._close_tables_outside(shard)
        await self._end_outages(shard)
        self._note_ready()

    async def on_shard_resumed(self, shard: int) -> None:
        """Let the tables of a shard go on. Called when a lost connection was resumed, also that of the last run of the
        bot."""
        await self.on_shard_ready(shard)

    def _note_ready(self) -> None:
        """Let the chores begin if all shards that are served are there."""
        if self.shard_ids and self.shards_there.issuperset(self.shard_ids):
            self.state.mark_ready()

    async def _go_on(self, shard: int) -> None:
        """Post what has not been posted, and let the clock run for a shard."""
        self.shards_there.add(shard)
        self.plays.set()
        for number in self.tables.guilds():
            guild = self.get_guild(number) if self._shard_of(number) == shard else None
            if guild is not None and guild.unavailable:
                self.clock.pause_guild(number)
        if CLOCK not in self._background:  # before the first outage ends: a freeze may follow at once
            self._begin(CLOCK, self.clock.run())
        await self.clock.resume(shard)
        with suppress(StoreFailed):  # then at the next start
            await self.tables.let_erased_leave()  # before a call that Discord would refuse
        self.publisher.resume()

    async def on_shard_disconnect(self, shard: int) -> None:
        """Stop the clock for a shard. Called when its connection is lost; the shard reconnects by itself."""
        if shard in self.shard_ids:
            self.shards_there.discard(shard)
            self.clock.pause(shard)

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Stop the clock for a server that has an outage."""
        if guild.unavailable:  # else it is back already
            self.clock.pause_guild(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Let the clock run again for a server whose outage is over. Called for all servers of a new session, too."""
        if self.may_work():
            await self.clock.resume_guild(guild.id)
            await self._find_deleted_threads(guild.id)

    async def _find_deleted_threads(self, number: int) -> None:
        """Let the tables of threads that were deleted while the bot was away go on in their channels."""
        for place in self.tables.places(number):
            await self._look_for_thread(number, place)

    async def _look_for_thread(self, number: int, place: int) -> None:
        """Let the tables of a thread of a server go on in its channel if it was deleted."""
        guild = self.get_guild(number)
        if guild is None or guild.get_channel_or_thread(place) is not None:
            return
        # Discord lists active threads only, so this one may be archived. At a start all servers come at once, and
        # clicks must not wait until Discord allows more requests.
        try:
            async with self._looking:
                await self.fetch_channel(place)
        except discord.NotFound:
            await self.publisher.leave_thread(place)
        except EXPECTED as error:
            log.info("it is not known whether thread %d is there: %s", place, error)

    async def on_ready(self) -> None:
        """Note which servers the bot has left. Called when the servers of all shards are known."""
        if not self.may_work():
            return
        await self._mark_left_guilds()
        if ARCHIVE not in self._background:
            log.info("ready as %s in %s", self.user, counted(len(self.guild_ids), "server"))
            for game in self.tables.by_game():
                self.rehearsals.begin(game)
            for chore in self.chores:
                self._begin(chore.name, chore.run())
            self._begin(ARCHIVE, self.publisher.archiver.run())

    async def on_interaction(self, interaction: discord.Interaction["Palmhouse"]) -> None:
        """Set the clock by the interaction, and pass clicks and modals to the router. (Commands go to the tree.)"""
        self.note_arrival(interaction)
        self.time.learn_from(interaction.id)
        if interaction.guild_id is not None and isinstance(interaction.user, discord.Member):
            self.member_names.learn(interaction.guild_id, interaction.user.id, interaction.user.display_name)
        if self.may_work() and interaction.type in (
            discord.InteractionType.component,
            discord.InteractionType.modal_submit,
        ):
            click = click_of(interaction)
            dispatch = partial(self.router.dispatch, interaction, click)
            may_wait, turn = self.router.may_wait(click), self.router.turn(interaction.message)
            await self.admission.run(interaction, dispatch, may_wait=may_wait, turn=turn)

    def new_state(self, **options: Any) -> SlimState:
        """Return the state in which discord.py keeps servers."""
        return SlimState(note_message=self._count_message, **options)

    def _shard_of(self, guild: int) -> int:
        return shard_of(guild, self.shard_count or 1)

    def _count_message(self, channel: int, message: int, author: int) -> None:
        """Count a message that may push tables out of sight."""
        self.publisher.live.count(channel, message, author)

    def server(self, guild: int) -> discord.Guild | None:
        """Return a server that is there; None also while it has an outage, or Discord has not described it yet."""
        found = self.get_guild(guild)
        return None if found is None or found.unavailable else found

    @property
    def guild_ids(self) -> set[int]:
        """Ids of the servers that the bot is on."""
        return self.state.guild_ids()

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the tables of a server that the bot was removed from; they do not count."""
        if self.may_work():
            await self._close_tables_outside(guild.shard_id)
            await self._mark_left_guilds()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Keep what happened on a server that invites the bot again."""
        if self.may_work():
            await self.clock.resume_guild(guild.id)  # it may have been away when it removed the bot
            await self._mark_left_guilds()

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the tables of a deleted channel, whose archived threads Discord does not name."""
        if self.may_work():
            guild = channel.guild
            with suppress(StoreFailed):  # then they are missed when something is posted there
                for number in self.tables.of_guild(guild.id):
                    match = await self.store.match(number)
                    if match is not None and guild.get_channel_or_thread(match.channel) is None:
                        await self._look_for_thread(guild.id, match.place or match.channel)

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        """Let the table of a deleted thread go on in its channel."""
        if self.may_work():
            await self.publisher.leave_thread(thread.thread_id)

    async def _mark_left_guilds(self) -> None:
        if self.is_ready():  # else not all servers are known, and all are marked then
            await self.left_guilds.mark(self.guild_ids, self.shards_there, self.shard_count or 1)

    def may_work(self) -> bool:
        """Return whether the current task may handle an event; False once the bot is closing."""
        task = asyncio.current_task()
        if self._leaving or task is None:
            return False
        # `close` waits for it.
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        return True

    async def close(self) -> None:
        """Take no more moves, finish the answers under way, stop the computers, disconnect, close the store."""
        await asyncio.sleep(0)  # the session counts the events that came last as handled
        self._leaving = True
        self.admission.close()
        await self._finish_work()
        if self.held is not None and self.clock.servers_out():
            with suppress(StoreFailed, TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    await self.clock.hand_over(self.shard_ids)
        await self.computers.close()
        await self.publisher.close()
        await self.late_pictures.close()
        await self.rehearsals.close()
        await asyncio.to_thread(self.rasterizer.close)
        await self.member_names.close()
        was_ready = self.is_ready()
        leaving = asyncio.create_task(super().close())
        done, _ = await asyncio.wait({leaving}, timeout=FAREWELL)
        if not done:
            leaving.cancel()
            await self.end_requests()
        await asyncio.gather(leaving, return_exceptions=True)
        if was_ready and self.held is None:
            await self._keep_sessions()
        await self.store.close()

    async def __aexit__(self, *_: object) -> None:
        """Close, unless that is done."""
        if not self._leaving:
            # Not by discord.py, which waits without limit for Discord to close the connection.
            await self.close()

    async def _finish_work(self) -> None:
        """Wait briefly for answers under way, then cancel them."""
        self._end_background()
        if self._working:
            await asyncio.wait(self._working, timeout=FAREWELL)
        for task in self._working:
            task.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)
        self._end_background()  # a shard that became ready meanwhile has begun some

    def _begin(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        self._background[name] = asyncio.create_task(work, name=name)

    def _end_background(self) -> None:
        for task in self._background.values():
            task.cancel()

    async def _member_name(self, guild: int, user: int) -> str:
        """Ask Discord for the name of a member. Raises discord.DiscordException."""
        server = self.get_guild(guild)
        if server is None:
            raise discord.ClientException(f"the bot is not on the server {guild}")
        return (await server.fetch_member(user)).display_name

    async def _close_tables_outside(self, shard: int) -> None:
        """Close the tables of servers of a shard that the bot is not in any more."""
        matches = await self._open_matches(shard)
        if shard not in self.shards_there:  # it was lost or left meanwhile, and its servers may be unknown
            return
        present = self.guild_ids
        for match in matches:
            # Server 0 stands for direct messages.
            if match.guild and self._shard_of(match.guild) == shard and match.guild not in present:
                try:
                    await self.tables.close(match.id, CloseReason.BOT_REMOVED)
                except (Refusal, StoreFailed) as reason:
                    log.warning("table %s could not be closed: %s", match.id, reason)

    async def _end_outages(self, shard: int) -> None:
        """Let the clock run again for servers of a shard that have no outage, or that the bot is not in any more."""
        for number in [each for each in self.clock.servers_out() if self._shard_of(each) == shard]:
            guild = self.get_guild(number)
            # discord.py tells nobody of a server that comes back just as it stops to wait for those of a new session.
            if shard in self.shards_there and not (guild and guild.unavailable):
                await self.clock.resume_guild(number)

    async def _open_matches(self, shard: int) -> list[Match]:
        """Return the open matches, once the store answers."""
        failures = Failures(log)
        while True:
            try:
                return await self.tables.open_matches()
            except StoreFailed as error:
                failures.note(shard, f"the tables of shard {shard} cannot be read yet", error)
                await asyncio.sleep(PAUSE)

    async def _sync_later(self) -> None:
        """Retry until the commands are registered. Until then Discord offers the ones registered last."""
        for pause in chain(SYNC_PAUSES, repeat(SYNC_PAUSES[-1])):
            await asyncio.sleep(pause)
            if await self._sync():
                return

    async def _sync(self) -> bool:
        """Register the commands if they have changed since the last time. Return whether Discord knows them."""
        definitions = json.dumps(
            [command.to_dict(self.tree) for command in self.tree.get_commands()], sort_keys=True
        )
        fingerprint = hashlib.sha256(f"{self.application_id} {definitions}".encode()).hexdigest()
        try:
            known, _, ids = (await self.store.fact("commands") or "").partition(" ")
            if known != fingerprint or not ids:
                registered = await self.tree.sync()
                ids = json.dumps({command.name: command.id for command in registered})
                await self.store.set_fact("commands", f"{fingerprint} {ids}")
                log.info("the commands have changed and are registered")
        except EXPECTED as error:
            log.warning("the commands could not be registered, which is tried again: %s", error)
            return False
        self._learn_ids(json.loads(ids))
        self.is_synced = True
        return True

    def _learn_ids(self, ids: Mapping[str, int]) -> None:
        """Note the id of each command; the commands of a group share its id."""
        names = [command.qualified_name for command in self.tree.walk_commands()]
        self.command_ids.update({name: ids[name.partition(" ")[0]] for name in names})
