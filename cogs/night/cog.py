"""Game nights: the command `/night plan`, the buttons of their messages, and a chore that lets them go on.

`bot.match.nights` has the steps of a night. What stands in Discord follows from what is stored (`cogs.night.page`):
after each step the messages are made what they should be. One that a kill left unstored is found by its buttons.
"""

import asyncio
import contextlib
import logging
from functools import partial
from math import ceil
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.error_codes import UNKNOWN_CHANNEL
from bot.match.nights import seal
from bot.match.refusal import Refusal
from bot.messages.answers import show, tell
from bot.messages.custom_ids import number
from bot.messages.expected import EXPECTED
from bot.messages.live_message import NO_MENTIONS, is_lost
from bot.messages.panel import DANGER, Panel, button, row, text
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.messages.venue import find_channel
from bot.store import Night
from bot.upkeep.chores import Chore
from cogs.common.lookup import Interaction
from cogs.common.managing import manages_tables
from cogs.common.new_table import check_chosen, check_place
from cogs.common.once import Standing, delete_copy, look_back
from cogs.night.around import EVENT, REFUSED, keep_event, reward, take_back
from cogs.night.form import Plan, form, offered
from cogs.night.page import LAST, Evening, night_id, own_ids, own_place, seats_line, when

log = logging.getLogger(__name__)

PAUSE: Final = 2.0
"""Seconds between two looks at the nights."""
AGAIN: Final = 60.0
"""Seconds after which messages that could not be posted are tried again, and planned nights are looked at again."""
NOT_HOST: Final = "Only {}people who manage tables here can change this game night. Ask one of them."
SEAL: Final = """### The game night
🔒 The seal of its deals: `{}`
-# It is the SHA-256 of the secret from which all deals follow. After the night `/verify` shows the secret."""


class GameNight(
    commands.GroupCog, Standing, group_name="night", group_description="Game nights of this server"
):
    """The game nights of the servers of this process."""

    def __init__(self, bot: Palmhouse, pause: float = PAUSE) -> None:
        super().__init__()
        self.bot = bot
        self._pause = pause
        self._woken = set[int]()
        """Servers whose planned nights are to be shown again."""
        self._round: list[int] = []
        """Servers with planned nights that are still to be woken in this turn: somebody may have erased themselves."""
        self._share = 0
        """Number of them that are woken at once."""
        self._looked_again = 0.0
        """Time of the event loop at which all are woken again, one after the other."""
        self._work: dict[int, asyncio.Task[None]] = {}
        """By night: the task that lets it go on."""
        self._rests: dict[int, float] = {}
        """By night: the time of the event loop before which no message is tried again."""
        self._began: dict[tuple[int, int], int] = {}
        """By night and number of a message that is to be posted: the time in ms of the first try, which makes its
        nonce."""
        bot.router.add("night", self.pressed)
        bot.router.add("night-plan", self.change, Kind.BUTTON | Kind.SELECT)
        bot.chores.append(Chore("nights", self._look, pause, "game nights could not be read"))
        bot.chores.append(
            Chore("roles", partial(take_back, bot), AGAIN, "roles of winners could not be read")
        )

    async def cog_unload(self) -> None:
        """Stop. What is not done is done after the next start."""
        for task in self._work.values():
            task.cancel()
        await asyncio.gather(*self._work.values(), return_exceptions=True)

    # Planning

    @app_commands.command(name="plan")
    @app_commands.guild_only
    async def plan(self, interaction: Interaction) -> None:
        """Plan an evening of several rounds: everybody who comes is seated anew in each"""
        await self._check(interaction)
        await self._form(interaction, Plan.begun(self.bot.time.now()))

    async def change(self, interaction: Interaction, click: Click) -> None:
        """Change the form, or plan the night."""
        plan, action = Plan.read(click.rest)
        if action == "plan" and click.kind is Kind.BUTTON:
            await self._plan(interaction, plan)
        else:
            await self._form(interaction, plan.after(action, click, self.bot.time.now()))

    async def _form(self, interaction: Interaction, plan: Plan) -> None:
        guild = interaction.guild_id or 0
        presets, settings = await self.bot.store.presets(guild), await self.bot.store.guild_settings(guild)
        await show(interaction, form(plan, offered(presets, settings)))

    async def _plan(self, interaction: Interaction, plan: Plan) -> None:
        guild, channel = await self._check(interaction)
        presets, settings = await self.bot.store.presets(guild), await self.bot.store.guild_settings(guild)
        choices = offered(presets, settings)
        games = [choices[each][1:] for each in plan.games if each in choices]
        if len(games) != len(plan.games) or not games:
            raise Refusal("A preset that you chose was deleted. Choose the games again.")
        night = await self.bot.nights.plan(
            guild, channel, interaction.user.id, plan.starts, games, rounds=plan.rounds, weekly=plan.weekly
        )
        self._changed(guild)
        await show(
            interaction, Panel(text(f"The game night is planned for {when(night)}. It is announced here."))
        )

    async def _check(self, interaction: Interaction) -> tuple[int, int]:
        """Return server and channel. Raises Refusal unless the caller may plan a night there."""
        guild, channel = interaction.guild_id, interaction.channel_id
        if guild is None or channel is None or not await manages_tables(interaction):
            raise Refusal(
                "Only people who manage tables of this server can plan game nights. Ask one of them."
            )
        if isinstance(interaction.channel, discord.Thread):
            raise Refusal(
                "A game night needs a channel, as its tables open threads. Use this command in one."
            )
        await check_chosen(interaction, guild, channel)
        check_place(interaction)
        return guild, channel

    # Buttons

    async def pressed(self, interaction: Interaction, click: Click) -> None:
        """Answer a press of a button on a message of a night."""
        numbers, _, action = click.rest.rpartition(":")
        wanted = number(numbers.partition(":")[0])
        night = None if wanted is None else await self.bot.store.night(wanted)
        if night is None or night.guild != interaction.guild_id:
            raise Refusal(DEAD_BUTTON)
        match action:
            case "place":
                await tell(
                    interaction, own_place(await Evening.of(self.bot.store, night), interaction.user.id)
                )
            case "table":
                await self._own_table(interaction, night)
            case "plan":
                await self.plan.callback(self, interaction)  # type: ignore[arg-type, call-arg]
            case _:
                await self._change(interaction, await self.bot.nights.get(night.id, night.guild), action)

    async def _change(self, interaction: Interaction, night: Night, action: str) -> None:
        match action:
            case "come":
                await self._come(interaction, night)
            case "go":
                await self._go(interaction, night)
            case "more":
                await show(interaction, _more(night, may_change=await self._may_change(interaction, night)))
            case "cancel" | "once":
                await self._check_host(interaction, night)
                await (self._cancel if action == "cancel" else self._once)(interaction, night)
            case _:
                raise Refusal(DEAD_BUTTON)
        self._changed(night.guild)

    async def _come(self, interaction: Interaction, night: Night) -> None:
        user = interaction.user
        night, own = await self.bot.nights.come(night, user.id, user.display_name)
        if own is not None:
            evening = await Evening.of(self.bot.store, night)
            said = f"You are in, and this is your table:\n{seats_line(evening, own, evening.names)}"
        elif night.round:
            said = (
                "You are in: you get a seat in the next round. Without points you begin with the mean of all."
            )
        else:
            said = f"You are coming: {when(night)}. You get a seat then, so be here."
        await tell(interaction, said)

    async def _go(self, interaction: Interaction, night: Night) -> None:
        left = await self.bot.nights.go(night, interaction.user.id)
        if left is None:
            raise Refusal("You had not said that you come, so nothing has changed.")
        night, own = left
        said = "You are not coming. `I'm coming` takes that back."
        if night.round:
            computer = " A computer plays on in your seat." * (own is not None)
            said = f"You have left; your points stay.{computer} `I'm coming` brings you back."
        await tell(interaction, said)

    async def _cancel(self, interaction: Interaction, night: Night) -> None:
        if not await self.bot.nights.cancel(night):
            raise Refusal("The game night has just gone on. Press `More` again.")
        follows = ", and no other one follows" * night.weekly
        await show(interaction, Panel(text(f"The game night is cancelled{follows}.")))

    async def _once(self, interaction: Interaction, night: Night) -> None:
        if not await self.bot.store.stop_repeating(night.id):
            raise Refusal(
                "This game night is not repeated. If the next one is planned already, cancel that one."
            )
        await show(interaction, Panel(text("This game night is not repeated any more.")))

    async def _may_change(self, interaction: Interaction, night: Night) -> bool:
        return interaction.user.id == night.host or await manages_tables(interaction)

    async def _check_host(self, interaction: Interaction, night: Night) -> None:
        if not await self._may_change(interaction, night):
            raise Refusal(_not_host(night))

    async def _own_table(self, interaction: Interaction, night: Night) -> None:
        """Tell a person where they sit in this round, and why."""
        evening, user = await Evening.of(self.bot.store, night), interaction.user.id
        rows = [each for each in evening.tables if each.round == night.round]
        own = next((each for each in rows if user in [seat.user for seat in each.seats]), None)
        if night.phase != "round" or own is None:
            raise Refusal(_no_table(night))
        await tell(interaction, f"{seats_line(evening, own, evening.names)}\n-# {own.why}")

    # Going on

    def _wake(self, guild: int) -> None:
        self._woken.add(guild)

    def _changed(self, guild: int) -> None:
        self._wake(guild)
        self.bot.dispatch("night_set", guild)

    async def _look(self) -> None:
        """Begin to let the nights of this process go on."""
        if self.bot.time.jump:
            return  # this machine's clock is wrong, and is corrected in a moment
        time = asyncio.get_running_loop().time()
        if time >= self._looked_again:
            await self._look_again()
            self._looked_again = time + AGAIN
        self._woken |= {*self._round[: self._share]}
        del self._round[: self._share]
        found = await self.bot.store.due_nights(self.bot.time.now(), woken := {*self._woken})
        self._woken -= woken
        # A task of its own, so that no server waits for one whose requests are slow.
        for night in found:
            if night.id in self._work:
                self._woken.add(night.guild)  # it may have begun before the change
            elif self._may_go_on(night):
                self._work[night.id] = asyncio.create_task(self._keep(night), name=f"night-{night.id}")

    async def _look_again(self) -> None:
        """Note the servers with nights of this process, and forget what is over."""
        found = [each for each in await self.bot.store.nights_to_do() if self.bot.tables.owns(each.guild)]
        nights, guilds = {each.id for each in found}, dict.fromkeys(each.guild for each in found)
        self._round, self._share = [*guilds], ceil(len(guilds) * self._pause / AGAIN)
        self._rests = {night: until for night, until in self._rests.items() if night in nights}
        self._began = {key: began for key, began in self._began.items() if key[0] in nights}
        self._guilds = {message: guild for message, guild in self._guilds.items() if guild in guilds}
        self._shown = {message: shown for message, shown in self._shown.items() if message in self._guilds}

    def _may_go_on(self, night: Night) -> bool:
        tables, is_here = self.bot.tables, self.bot.get_guild(night.guild) is not None
        return is_here and tables.owns(night.guild) and not tables.clock.has_outage(night.guild)

    async def _keep(self, night: Night) -> None:
        try:
            if await self._has_lost_its_channel(night):
                await self.bot.nights.cancel(night)
            else:
                await self.bot.nights.step(night)
            now = await self.bot.store.night(night.id)
            if now is None:
                return
            if now != night:
                self._changed(night.guild)
            await self._tell(now)
        except EXPECTED as error:
            log.warning("game night %d could not go on, which is tried again: %s", night.id, error)
        except Exception:
            log.exception("game night %d could not go on, which is tried again", night.id)
        finally:
            del self._work[night.id]

    async def _has_lost_its_channel(self, night: Night) -> bool:
        """Return whether the channel of a night that goes on was deleted: no table can be opened there."""
        if night.phase in ("over", "off") or find_channel(self.bot, night.guild, night.channel) is not None:
            return False
        with contextlib.suppress(discord.Forbidden):  # it may be seen again
            try:
                await self.bot.fetch_channel(night.channel)
            except discord.NotFound:
                return True
        return False

    async def _tell(self, night: Night) -> None:
        """Make the messages of a night what they should be, and what is around it."""
        time, is_over = asyncio.get_running_loop().time(), night.phase in ("over", "off")
        if time < self._rests.get(night.id, 0.0):
            self._wake(night.guild)
            return
        self._rests[night.id] = time + AGAIN
        evening = await Evening.of(self.bot.store, night)
        posts = await self.bot.store.night_posts(night.id)
        try:
            wanted = [*evening.messages()]
            for each in wanted:
                await self._show(evening, each, posts.get(each))
            for each in [*{*posts}.difference(wanted, [EVENT])]:  # of a round that is not played
                await self._take_away(night, each, posts[each])
        except discord.HTTPException as error:
            is_gone = isinstance(error, discord.NotFound) and error.code == UNKNOWN_CHANNEL
            if not (is_over and (is_gone or isinstance(error, discord.Forbidden))):
                raise
        is_kept = await keep_event(self.bot, night, posts)
        if is_over and is_kept:
            await reward(self.bot, evening)
            await self.bot.store.night_is_told(night.id)
        if is_kept or not is_over:
            self._rests.pop(night.id, None)

    async def _take_away(self, night: Night, each: int, message: int) -> None:
        place = self.bot.get_partial_messageable(night.channel, guild_id=night.guild)
        with contextlib.suppress(discord.NotFound):
            await place.get_partial_message(message).delete()
        await self.bot.store.delete_night_post(night.id, each)

    async def _show(self, evening: Evening, each: int, message: int | None) -> None:
        """Post or edit one message of a night."""
        night = evening.night
        panel = evening.panel(each, self.bot.tables.clock.times).with_mentions(self.bot.command_ids)
        if message is None:
            posted = await self._posted(night, each, panel)
            await self.bot.store.add_night_post(night.id, each, posted)
            message = posted
        if not message or each == LAST or self._shown.get(message) == panel.payload():
            return
        place = self.bot.get_partial_messageable(night.channel, guild_id=night.guild)
        try:
            await place.get_partial_message(message).edit(view=panel, allowed_mentions=NO_MENTIONS)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_CHANNEL or not is_lost(error):
                raise
            await self.bot.store.delete_night_post(night.id, each)
            self._wake(night.guild)
            return
        self._shown[message] = panel.payload()
        self._guilds[message] = night.guild

    async def _posted(self, night: Night, each: int, panel: Panel) -> int:
        """Return the message with this number. Post it if it is not there; return 0 if the night is over and Discord
        refuses that."""
        place = self.bot.get_partial_messageable(night.channel, guild_id=night.guild)
        with contextlib.suppress(discord.Forbidden):
            for message in await look_back(self.bot, place, *own_ids(night, each)):
                return message.id
        is_last = night.phase in ("over", "off")
        for _ in range(1 + is_last):
            try:
                return await self._send(place, night, each, panel)
            except discord.HTTPException as error:
                if not is_last or error.status not in REFUSED:
                    raise
                log.warning("a message of game night %d was refused: %s", night.id, error)
                panel.put_into_words()  # pictures may not be allowed there
        return 0

    async def _send(self, place: discord.PartialMessageable, night: Night, each: int, panel: Panel) -> int:
        files = await panel.files(self.bot.rasterizer)
        began = self._began.setdefault((night.id, each), self.bot.time.now())
        sent = await place.send(
            view=panel,
            files=files,
            # Of the first try, whose receipt may be lost; for one that was deleted, another one.
            nonce=f"night-{night.id}-{each}-{began % 10**7}",
            silent=True,
            allowed_mentions=NO_MENTIONS,
        )
        await delete_copy(self.bot, sent, began, *own_ids(night, each))
        del self._began[night.id, each]
        return sent.id


def _no_table(night: Night) -> str:
    """Return why a person has no table now, and when they get one."""
    if night.phase in ("over", "off"):
        return "The game night is over."
    if night.phase == "pause":
        return f"The next round begins <t:{night.due // 1000}:R>. With `I'm coming` you get a table then."
    if night.round == night.rounds:
        return "You have no table, and this is the last round."
    return "You have no table in this round. With `I'm coming` you get one in the next."


def _not_host(night: Night) -> str:
    return NOT_HOST.format("" if night.host < 0 else f"<@{night.host}>, who planned it, and ")


def _more(night: Night, *, may_change: bool) -> Panel:
    seal_of_it = text(SEAL.format(seal(night)))
    if not may_change:
        return Panel(seal_of_it, text(f"-# {_not_host(night)}"))
    told = (
        "`Cancel it` ends what is on at once. The rounds that are over count, and matches that are on go on."
        if night.round
        else "`Cancel it`, and nobody is seated."
    )
    parts = [button("Cancel it", night_id(night, 0, "cancel"), style=DANGER)]
    if night.weekly:
        told += " No other night follows then. `Do not repeat it` only ends the series after this one."
        parts.append(button("Do not repeat it", night_id(night, 0, "once")))
    return Panel(seal_of_it, text(told), row(*parts))
