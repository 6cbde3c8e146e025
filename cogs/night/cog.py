"""Game nights: the command `/night plan`, and the buttons of their messages, which `cogs.night_course` posts."""

from contextlib import suppress
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.night_rows import people_at, present, seal
from bot.match.refusal import Refusal
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import defer, show, tell
from bot.messages.custom_ids import number
from bot.messages.expected import EXPECTED
from bot.messages.panel import DANGER, Panel, button, row, text
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.store import Night
from cogs.common.lookup import Interaction
from cogs.common.managing import manages_tables
from cogs.common.new_table import check_here
from cogs.night.form import Plan, form, offered
from cogs.night.page import Evening, night_id, own_place, seats_line, when

SEAL: Final = """### The game night
🔒 The seal of its deals: `{}`
-# It is the SHA-256 of the secret from which all deals follow. After the night `/verify` shows the secret.
-# Should whoever runs the bot restore a backup before the night, it has another seal."""


class GameNight(commands.GroupCog, group_name="night", group_description="Game nights of this server"):
    """The command and the buttons of game nights."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("night", self.pressed)
        bot.router.add("night-plan", self.change, Kind.BUTTON | Kind.SELECT)

    # Planning

    @app_commands.command(name="plan", extras={MAY_WAIT: True})
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
        now, times = self.bot.time.now(), self.bot.tables.clock.times
        await show(interaction, form(plan, offered(presets, settings), now, times))

    async def _plan(self, interaction: Interaction, plan: Plan) -> None:
        guild, channel = await self._check(interaction)
        presets, settings = await self.bot.store.presets(guild), await self.bot.store.guild_settings(guild)
        choices = offered(presets, settings)
        games = [choices[each][1:] for each in plan.games if each in choices]
        if len(games) != len(plan.games) or not games:
            raise Refusal(
                "A game or preset that you chose is not offered here any more. Choose the games again."
            )
        night = await self.bot.nights.plan(
            guild, channel, interaction.user.id, plan.starts, games, rounds=plan.rounds, weekly=plan.weekly
        )
        self.bot.dispatch("night_set", guild)
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
        if isinstance(interaction.channel, discord.Thread | discord.VoiceChannel | discord.StageChannel):
            raise Refusal(
                "A game night needs a text channel, as its tables open threads. Use this command in one."
            )
        await check_here(interaction)
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
            case "cancel" | "end" | "once":
                await self._check_host(interaction, night)
                if action == "cancel" and night.round:
                    await show(interaction, _sure(night))
                else:
                    await (self._once if action == "once" else self._cancel)(interaction, night)
            case _:
                raise Refusal(DEAD_BUTTON)

    async def _come(self, interaction: Interaction, night: Night) -> None:
        user = interaction.user
        night, own = await self.bot.nights.come(night, user.id, user.display_name)
        self.bot.dispatch("night_set", night.guild)
        if own is not None:
            evening = await Evening.of(self.bot.store, night)
            said = f"You are in, and this is your table:\n{seats_line(evening, own, evening.names)}"
        elif night.round:
            evening = await Evening.of(self.bot.store, night)
            is_new = all(user.id not in people_at(each) for each in evening.tables)
            said = (
                "You are in: you get a seat in the next round."
                + " You begin with the mean of all points." * is_new
            )
        else:
            said = f"You are coming: {when(night)}. You get a seat then, so be here."
        await tell(interaction, said)

    async def _go(self, interaction: Interaction, night: Night) -> None:
        left = await self.bot.nights.go(night, interaction.user.id)
        if left is None:
            raise Refusal("You are not on the list of those who come, so nothing has changed.")
        night, own = left
        self.bot.dispatch("night_set", night.guild)
        said = "You are not coming. `I'm coming` takes that back."
        if night.round:
            computer = " A computer plays on in your seat." * (own is not None)
            back = " `I'm coming` brings you back." * (own is not None or night.round < night.rounds)
            said = f"You have left; your points stay.{computer}{back}"
        await tell(interaction, said)

    async def _cancel(self, interaction: Interaction, night: Night) -> None:
        if not await self.bot.nights.cancel(night):
            raise Refusal("The game night has just gone on. Press `More` again.")
        self.bot.dispatch("night_set", night.guild)
        follows = ", and no other one follows" * night.weekly
        await show(interaction, Panel(text(f"The game night is cancelled{follows}.")))

    async def _once(self, interaction: Interaction, night: Night) -> None:
        if not await self.bot.store.stop_repeating(night.id):
            raise Refusal(
                "This game night is not repeated. If the next one is planned already, cancel that one."
            )
        self.bot.dispatch("night_set", night.guild)
        await show(interaction, Panel(text("This game night is not repeated any more.")))

    async def _may_change(self, interaction: Interaction, night: Night) -> bool:
        return interaction.user.id == night.host or await manages_tables(interaction)

    async def _check_host(self, interaction: Interaction, night: Night) -> None:
        if not await self._may_change(interaction, night):
            raise Refusal(f"{_who_cancels(night)} Ask one of them.")

    async def _own_table(self, interaction: Interaction, night: Night) -> None:
        """Tell a person where they sit in this round, and why."""
        evening, user = await Evening.of(self.bot.store, night), interaction.user.id
        rows = [each for each in evening.tables if each.round == night.round]
        own = next((each for each in rows if user in [seat.user for seat in each.seats]), None)
        if night.phase != "round" or own is None:
            raise Refusal(_no_table(night, comes=user in present(evening.people)))
        await defer(interaction, thinking=True)  # Discord may be slow to bring them in
        if own.match is not None:  # they may have left its private thread, to which a link leads nobody
            table = await self.bot.tables.get(own.match)
            with suppress(*EXPECTED):
                await self.bot.publisher.venue.bring_in(table, [user])
        await tell(interaction, f"{seats_line(evening, own, evening.names)}\n-# {own.why}")


def _no_table(night: Night, *, comes: bool) -> str:
    """Return why a person has no table now, and when they get one."""
    if night.phase in ("over", "off"):
        return "The game night is over."
    if night.phase == "round" and night.round == night.rounds:
        return "You have no table, and this is the last round."
    next_one = "You get one" if comes else "With `I'm coming` you get one"
    if night.phase == "pause":
        return f"The tables of the next round open <t:{night.due // 1000}:R>. {next_one} then."
    return f"You have no table in this round. {next_one} in the next."


def _who_cancels(night: Night) -> str:
    who = "People" if night.host < 0 else f"<@{night.host}>, who planned it, and people"
    return f"{who} who manage tables here can cancel this game night."


def _sure(night: Night) -> Panel:
    yes = button("Yes, cancel it", night_id(night, 0, "end"), style=DANGER)
    no = button("No, go on", night_id(night, 0, "more"))
    return Panel(
        text("**Cancel this game night for everybody?** No other round begins, and nobody wins."),
        row(yes, no),
    )


def _more(night: Night, *, may_change: bool) -> Panel:
    seal_of_it = text(SEAL.format(seal(night)))
    if not may_change:
        return Panel(seal_of_it, text(f"-# {_who_cancels(night)}"))
    told = (
        "`Cancel it`, and no other round begins. Matches under way go on, without points."
        if night.round
        else "`Cancel it`, and nobody is seated."
    )
    parts = [button("Cancel it", night_id(night, 0, "cancel"), style=DANGER)]
    if night.weekly:
        told += " No other night follows then. `Do not repeat it` only ends the series after this one."
        parts.append(button("Do not repeat it", night_id(night, 0, "once")))
    return Panel(seal_of_it, text(told), row(*parts))
