"""`Tell me when …` and `Call players`, and the messages that call people to tables.

Such a message follows from what is stored: it is to stand while its table waits for its people. A loop makes that so,
also after a kill or an error.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Final, get_args
from weakref import WeakValueDictionary

import discord
from discord.ext import commands

from bot.client import Palmhouse
from bot.gateway.acting import act_for
from bot.match.entries.play import Start
from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import Outdated
from bot.match.times import Pace
from bot.messages.answers import Interaction, defer, send, tell
from bot.messages.custom_ids import CustomId
from bot.messages.expected import Failures
from bot.messages.panel import SUCCESS, Item, Panel, beside, button, text
from bot.messages.router import Click, Kind
from bot.store import Match, Seek, Summons
from bot.upkeep.chores import Chore
from cogs.common.audience import readable
from cogs.common.lookup import here_only, where
from cogs.common.managing import described_server
from cogs.common.new_table import IN_DMS, caller, chosen_options, open_table, show_card
from cogs.common.offering import offer_lesson
from cogs.common.once import Unstored, look_back
from cogs.seeking.form import ANY, HOUR, enough, form, offered, read, told
from cogs.seeking.summoning import (
    Demand,
    call_id,
    is_called_later,
    message,
    resting_line,
    summon,
    wants,
    who_wakes,
)
from games import GAMES, AnyGame
from games.phrases import counted

log = logging.getLogger(__name__)

PAUSE: Final = 1.0
"""Seconds between two looks at which tables have changed."""
AGAIN: Final = 60.0
"""Seconds after which a failed request is tried again, and in which everything is looked at again."""
GIVE_UP: Final = 6 * 3_600.0
"""Seconds of tries after which a summons that cannot be taken away is left there."""
MOST_LOOKED_AT: Final = 30
"""Maximum number of a server's newest tables that are looked at for somebody who looks for a game."""
MOST_SHOWN: Final = 3
"""Maximum number of open tables that they are shown."""
STOPPED: Final = "🔕 You are not called to tables any more."
SEATED: Final = "🔕 You have a seat now, so you are not called to tables any more."
HAS_CALLED: Final = (
    "📣 {} asked to be told, and {} called. The call is deleted when the table is full or begins."
)
OPENED: Final = "{}, so I opened table {} with you as its host"
MAY_OPEN: Final = "`/play` opens a table that they can find there."


class Seeking(commands.Cog):
    """Routes of these buttons, and the messages in the servers of this process."""

    def __init__(self, bot: Palmhouse, pause: float = PAUSE) -> None:
        self.bot = bot
        self._standing: dict[int, int] = {}
        """By match whose summons stands, or is to be posted: the server."""
        self._changed: dict[int, int] = {}
        """By match that is to be looked at: the server."""
        self._rests: dict[int, float] = {}
        """By match: the time of the event loop before which its summons is left alone."""
        self._failing = Failures(log)
        """By match."""
        self._tried: dict[int, float] = {}
        """By match whose summons could not be taken away: the time of the event loop of the first try."""
        self._sent = Unstored[int]()
        """By match: its summons."""
        self._looked_again = 0.0
        """Time of the event loop at which everything is looked at again."""
        self._opening = WeakValueDictionary[int, asyncio.Lock]()
        """By server: the lock that is held while a table is looked for, or opened, for somebody."""
        self._work: dict[int, asyncio.Task[None]] = {}
        """By match: the task that changes its summons."""
        bot.router.add("seek", self.ask, at_once=True)
        bot.router.add("seek-with", self.keep, Kind.MODAL)
        bot.router.add("call", self.call)
        bot.tables.on_change.append(self._note)
        bot.chores.append(Chore("summons", self._look, pause, "summons to tables could not be read"))

    async def cog_unload(self) -> None:
        """Stop. What is not posted or taken away is so after the next start."""
        for task in self._work.values():
            task.cancel()
        await asyncio.gather(*self._work.values(), return_exceptions=True)

    # Looking for a game

    async def ask(self, interaction: Interaction, _: Click) -> None:
        """Open the form, filled in with what the person looks for already."""
        guild = _guild(interaction)
        settings = await self.bot.store.guild_settings(guild)
        kept = await self.bot.store.seek(guild, interaction.user.id)
        await interaction.response.send_modal(
            form(offered(settings), kept, on_board=settings.board is not None)
        )

    async def keep(self, interaction: Interaction, click: Click) -> None:
        """Keep what a person looks for, and say what follows: tables that wait for them, or one that is opened."""
        guild, user = _guild(interaction), interaction.user
        at = self.bot.time.learn_from(interaction.id)
        settings = await self.bot.store.guild_settings(guild)
        blank = Seek(guild, user.id, safe(user.display_name), (), ANY, None, 0, at)
        seek = read(click.values, offered(settings), blank)
        if seek is None:
            await self.bot.store.end_seek(guild, user.id)
            self.bot.dispatch("seeks", guild)
            await tell(interaction, STOPPED)
            return
        described_server(self.bot, guild)  # else a table that is open already might not be found
        before = await self.bot.store.seek(guild, user.id)
        await self.bot.store.set_seek(seek)
        self.bot.dispatch("seeks", guild)
        # Who changes only how they are called has opened no table by that.
        is_new = before is None or (before.games, before.pace) != (seek.games, seek.pace)
        said, opened = "", None
        # Of two who look for the same at once, the second is shown the table of the first.
        async with self._opening.setdefault(guild, asyncio.Lock()):
            tables = await self._matching(interaction, seek)
            if not tables:
                said, opened = await self._offer(interaction, seek, settings.pace, may_open=is_new)
        if opened is not None:
            said += await self._show(interaction, opened)
        is_seated = opened is not None and seek.until is not None  # then it has ended
        lines = [said, SEATED if is_seated else told(seek, on_board=settings.board is not None)]
        await send(interaction, Panel(text("\n".join(filter(None, lines))), *self._joinable(tables)))

    async def _matching(self, interaction: Interaction, seek: Seek) -> list[Table]:
        """Return the tables that a person looks for and can join, the newest first."""
        found = []
        numbers = self.bot.tables.of_guild(seek.guild, seek.games)[:MOST_LOOKED_AT]
        for table in await self.bot.tables.loadable(numbers):
            is_free = wants(table) and table.state.seat_of(seek.user) is None
            if is_free and seek.pace in (ANY, table.state.pace):
                found.append(table)
        return (await readable(interaction, found))[:MOST_SHOWN]

    def _joinable(self, tables: list[Table]) -> Iterator[Item]:
        for table in tables:
            join = button("Join", CustomId("sit", table.id), style=SUCCESS)
            yield beside(f"**{table.state.game.title}** is open: table {table.id} in {where(table)}", join)

    async def _offer(
        self, interaction: Interaction, seek: Seek, usual: Pace, *, may_open: bool
    ) -> tuple[str, Table | None]:
        """If enough people look for the same, open a table. Return a line about it, and the table."""
        found = await self._most_wanted(seek, usual)
        if found is None:
            return "", None
        game, pace, number, resting = found
        if number < enough(game) - 1:
            return f"{resting_line(game, resting)} {MAY_OPEN}", None
        others = f"{counted(number, 'player')} look{'s' * (number == 1)} for {game.title} here, too"
        if not may_open:
            return f"{others}: `/play` opens a table, and `More` there calls them.", None
        options, players = chosen_options(game, {}), [caller(interaction)]
        try:
            table = await open_table(interaction, game, options, players, pace=pace)
        except Refusal as reason:
            return f"{others}, but I opened no table: {reason}", None
        return OPENED.format(others, table.id), table

    async def _show(self, interaction: Interaction, table: Table) -> str:
        """Answer with the card of a table that was opened, and call people to it. Return the end of the line about
        that."""
        await show_card(interaction, table)
        await offer_lesson(interaction, table.id)
        try:
            return f", and called {await summon(self.bot, table)}. `More` there cancels it."
        except Refusal as reason:
            return f". {reason}"

    async def _most_wanted(self, seek: Seek, usual: Pace) -> tuple[AnyGame, Pace, int, int] | None:
        """Return the game and pace for which the most others look, how many of them can be called, and how many cannot;
        None if all together they are too few."""
        demand = await Demand.read(self.bot, seek.guild, [seek.user])
        paces = dict.fromkeys(pace for pace in (usual, *get_args(Pace)) if seek.pace in (ANY, pace))
        choices = product([GAMES[slug] for slug in seek.games], paces)
        found = [(game, pace, *demand.of(game, pace)) for game, pace in choices]
        return max(
            (each for each in found if sum(each[2:]) >= enough(each[0]) - 1),
            key=lambda each: (each[2] >= enough(each[0]) - 1, each[2], each[3]),
            default=None,
        )

    # Calling them

    async def call(self, interaction: Interaction, click: Click) -> None:
        """Call people who look for such a game to a lobby, for its host."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        table.must_be("lobby", "The match has begun, so nobody is called any more.")
        table.must_host(interaction.user.id, "call players")
        await defer(interaction, thinking=True)
        number = await summon(self.bot, table)
        await tell(interaction, HAS_CALLED.format(counted(number, "player"), "is" if number == 1 else "are"))

    @commands.Cog.listener()
    async def on_summons(self, table: Table) -> None:
        """Post a message that was stored just now."""
        self._standing[table.id] = self._changed[table.id] = table.match.guild

    def _note(self, table: Table) -> None:
        begins = isinstance(table.state.last, Start)  # a table of a game night has no lobby
        if table.state.phase == "lobby" or begins or table.id in self._standing:
            self._changed[table.id] = table.match.guild

    async def _look(self) -> None:
        """Begin to do what follows from what has changed."""
        now = asyncio.get_running_loop().time()
        if now >= self._looked_again:
            await self._look_again()
            self._looked_again = now + AGAIN
        owned = {match: guild for match, guild in self._changed.items() if self.bot.tables.owns(guild)}
        ready = [match for match, guild in owned.items() if self._may_act(match, guild, now)]
        self._changed = {match: guild for match, guild in owned.items() if match not in ready}
        for match in ready:
            self._work[match] = asyncio.create_task(self._keep(match, owned[match]), name=f"call-{match}")

    async def _look_again(self) -> None:
        """Note all tables and summons, and forget what is over."""
        now, store = self.bot.time.now(), self.bot.store
        for guild in await store.end_seeks(now):
            self.bot.dispatch("seeks", guild)
        await store.forget_summons(now - HOUR)
        before = {*self._standing}
        stored = {each.match: each.guild for each in await store.summons() if each.message != 0}
        # Others may have been stored meanwhile.
        stored |= {match: guild for match, guild in self._standing.items() if match not in before}
        self._standing = {match: guild for match, guild in stored.items() if self.bot.tables.owns(guild)}
        for known in (self._rests, self._tried, self._sent):
            for match in known.keys() - self._standing.keys():
                del known[match]
        lobbies = [match for match in await self.bot.tables.open_matches() if match.phase == "lobby"]
        self._changed = {
            match: guild for match, guild in self._changed.items() if self.bot.tables.runs(match)
        }
        self._changed |= self._standing | {match.id: match.guild for match in lobbies}
        self._failing.keep(self._changed)

    def _may_act(self, match: int, guild: int, now: float) -> bool:
        is_there = self.bot.server(guild) is not None and not self.bot.tables.clock.has_outage(guild)
        return is_there and match not in self._work and now >= self._rests.get(match, 0.0)

    async def _keep(self, match: int, guild: int) -> None:
        """Do what follows from one table of a server. Log errors, and try again later."""
        act_for(guild)
        try:
            await self._look_at(match)
            self._failing.forget(match)
        except Refusal:  # its server was purged, or it cannot be loaded
            self._standing.pop(match, None)
        except Exception as error:  # another table must not wait for this one
            self._failing.note(match, f"the summons to table {match}", error)
            self._rests[match] = asyncio.get_running_loop().time() + AGAIN
            self._changed[match] = guild
        finally:
            del self._work[match]

    async def _look_at(self, match: int) -> None:
        try:
            table = await self.bot.tables.get(match)
        except Outdated as outdated:
            await self._make_right(outdated.match, None)
            return
        guild, game = table.match.guild, table.match.game
        if await self.bot.store.find_seats(match, guild, game, table.state.pace):
            self.bot.dispatch("seeks", guild)
        if match in self._standing:
            await self._make_right(table.match, table)

    async def _make_right(self, match: Match, table: Table | None) -> None:
        """Post a summons that is to stand, and take away one that is not. There is no table under older rules."""
        stored = await self.bot.store.summons(match.guild)
        summons = next((each for each in stored if each.match == match.id and each.message != 0), None)
        if summons is None:
            self._standing.pop(match.id, None)
        elif table is None or not wants(table, summons.user):
            await self._take_away(summons)
        elif summons.message is not None:
            self._tried.pop(match.id, None)  # it stays, and is taken away another time
        elif await self._is_due(table, summons):
            await self._post(table, summons)

    async def _is_due(self, table: Table, summons: Summons) -> bool:
        """Return whether a summons can be posted now: below the card, and when who is challenged is awake."""
        if table.match.card is None:
            return False
        return not (summons.user and await is_called_later(self.bot, table, summons.user))

    async def _post(self, table: Table, summons: Summons) -> None:
        """Post a summons, unless a kill has left one that is not stored."""
        game, pace, now = table.match.game, table.state.pace, self.bot.time.now()
        called = [summons.user] if summons.user else await self.bot.store.called(summons, game, pace, now)
        users = [user for user in called if table.state.seat_of(user) is None]
        pinged = await who_wakes(self.bot, users, asked=summons.user is None)
        # They have sat down, or do not look for such a game any more; or it was closed just now.
        if not users or not wants(table, summons.user):
            await self._take_away(summons)
            return
        panel = message(table, users, challenged=summons.user is not None).with_mentions(self.bot.command_ids)

        async def post() -> int:
            with contextlib.suppress(PermissionError):  # then its nonce keeps Discord from posting it twice
                if (found := await self._found(summons)) is not None:
                    return found
            return await self._send(summons, panel, pinged)

        await self._sent.keep(table.id, post, partial(self.bot.store.set_summons, table.id))
        self._changed[table.id] = summons.guild  # it may have begun meanwhile

    async def _send(self, summons: Summons, panel: Panel, pinged: list[int]) -> int:
        mentions = discord.AllowedMentions(users=[discord.Object(user) for user in pinged])
        sent = await self._channel(summons).send(
            view=panel, nonce=f"call-{summons.match}", silent=not pinged, allowed_mentions=mentions
        )
        return sent.id

    async def _take_away(self, summons: Summons) -> None:
        now = asyncio.get_running_loop().time()
        since = self._tried.setdefault(summons.match, now)
        try:
            posted = summons.message or self._sent.get(summons.match) or await self._found(summons)
            if posted is None and since == now:  # another process may have sent it, and it may be under way
                self._rests[summons.match] = now + AGAIN
                return
            if posted is not None:
                await self._channel(summons).get_partial_message(posted).delete()
        except discord.NotFound:
            pass
        except PermissionError:  # it may stand there
            if now < since + GIVE_UP:
                self._rests[summons.match] = now + AGAIN
                return
        except discord.HTTPException as error:  # the bot may see the channel again before
            if now < since + GIVE_UP:
                raise
            log.warning("the summons to table %d is left there: %s", summons.match, error)
        await self.bot.store.set_summons(summons.match, 0)
        self._standing.pop(summons.match, None)
        self._tried.pop(summons.match, None)
        self._sent.pop(summons.match, None)

    async def _found(self, summons: Summons) -> int | None:
        """Return the message of a summons that is not stored."""
        found = await look_back(self.bot, self._channel(summons), call_id(summons.match))
        return next((each.id for each in found), None)

    def _channel(self, summons: Summons) -> discord.PartialMessageable:
        return self.bot.get_partial_messageable(summons.channel, guild_id=summons.guild)


def _guild(interaction: Interaction) -> int:
    """Return the server of an interaction. Raises Refusal where the bot is no member."""
    if interaction.guild_id is None or not interaction.is_guild_integration():
        raise Refusal(IN_DMS)
    return interaction.guild_id
