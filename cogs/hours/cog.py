"""`/hours`: when a person is awake or away, what is learned of that, and one message a day in place of calls."""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.error_codes import UNREACHABLE
from bot.gateway.discord_time import posted_at
from bot.match.names import isolated, printable
from bot.match.refusal import Refusal
from bot.match.waking import DAY, FEWEST, LONGEST_AWAY, counted, hour_of, length, local
from bot.match.zones import UnknownZone, matching, meant, time_in, zone_named
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import send, show
from bot.messages.custom_ids import number
from bot.messages.expected import EXPECTED
from bot.messages.panel import Panel
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.store import Hours as Kept
from bot.upkeep.chores import Chore
from cogs.common.lookup import Interaction, Typed
from cogs.hours.digest import LOOK, Digests, hello
from cogs.hours.panel import form, offer, panel, soon

log = logging.getLogger(__name__)

SUGGESTED: Final = 25
"""Maximum number of suggestions that Discord shows."""
BEGINS, ENDS = [*map(str, range(24))], [*map(str, range(25))]
"""Hours that are chosen, as they are written in forms and custom ids."""
DAYS: Final = ("%Y-%m-%d", "%d.%m.%Y", "%d %b %Y")
"""Forms of a day that are read; the last one is that of `bot.dates`."""
CLOSED: Final = (
    "I cannot write to you, so nothing was changed. Allow direct messages of this server (its "
    "name, Privacy Settings), then choose again."
)
NO_ZONE: Final = "Name your time zone first, such as `/hours zone: Europe/Berlin`."


class Hours(commands.Cog):
    """The command, its panel, and the counting of acts."""

    def __init__(self, bot: Palmhouse, look: float = LOOK) -> None:
        self.bot = bot
        self._digests = Digests(bot)
        self._learning: dict[int, Kept] = {}
        """By person who wanted their acts counted at the last look: their hours."""
        self._counted: dict[int, tuple[date, int]] = {}
        """By person: the day and hour that was counted last."""
        bot.router.add("hours", self.press)
        bot.router.add("change-hours", self.ask, at_once=True)
        bot.router.add("hours-with", self.fill_in, Kind.MODAL | Kind.BUTTON)
        bot.router.add("digest", self.choose_digest, Kind.SELECT)
        bot.chores.append(Chore("hours", self._look, look, "hours of people could not be looked at"))

    @app_commands.command(name="hours", extras={MAY_WAIT: True})
    @app_commands.rename(begins="from", ends="until")
    @app_commands.describe(
        zone="Your time zone: type a city, such as Berlin",
        begins="The hour from which you are awake, such as 18",
        ends="The hour until which you are awake, such as 23",
        away="The day on which you are back, such as 2026-12-24",
    )
    async def hours(
        self,
        interaction: Interaction,
        zone: Typed | None = None,
        begins: app_commands.Range[int, 0, 23] | None = None,
        ends: app_commands.Range[int, 0, 24] | None = None,
        away: Typed | None = None,
    ) -> None:
        """Your hours: outside them nobody calls you at slow tables, and your time for a move rests"""
        if zone is None and begins is None and ends is None and away is None:
            await send(interaction, panel(await self._kept(interaction), self.bot.time.now()))
        else:
            await self._set(interaction, zone, begins, ends, away)

    async def _set(
        self,
        interaction: Interaction,
        zone: str | None,
        begins: int | None,
        ends: int | None,
        away: str | None,
    ) -> None:
        """Change what is given of a person's hours, and show them; in place of an unknown zone, offer others."""

        def change(kept: Kept | None) -> Kept:
            if zone is None and kept is None:
                raise Refusal(NO_ZONE)
            new = kept or Kept("")
            if zone is not None:
                new = replace(new, zone=zone_named(zone, self.bot.time.now()))
            if begins is not None or ends is not None:
                new = with_window(new, begins, ends)
            return new if away is None else replace(new, away_until=back_on(new, away, self.bot.time.now()))

        try:
            await show(interaction, await self._changed(interaction.user.id, change))
        except UnknownZone as refused:
            await send(interaction, offer(refused, begins, ends, _day(away) if away else None))

    @hours.autocomplete("zone")
    async def suggest_zones(self, _: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest zones of which the typed text is a part, with the time there."""
        now = self.bot.time.now()
        found = [*dict.fromkeys([*meant(typed, now), *matching(typed)])]
        return [
            app_commands.Choice(name=f"{name} ({time_in(name, now):%H:%M})", value=name)
            for name in found[:SUGGESTED]
        ]

    @hours.autocomplete("away")
    async def suggest_days(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest days on which somebody may be back."""
        kept = await self._kept(interaction) or Kept("UTC")
        days = soon(kept, self.bot.time.now())
        return [app_commands.Choice(name=day, value=day) for day in days if day.startswith(typed.strip())]

    async def ask(self, interaction: Interaction, _: Click) -> None:
        """Open the form."""
        await interaction.response.send_modal(form(await self._kept(interaction)))

    async def fill_in(self, interaction: Interaction, click: Click) -> None:
        """Keep what was filled in in the form, or what an offered zone is to be kept with."""
        given = click.values or click.rest.split(",")
        if len(given) != 4 or given[1] not in ("", *BEGINS) or given[2] not in ("", *ENDS):
            raise Refusal(DEAD_BUTTON)
        zone, begins, ends, away = given
        await self._set(interaction, zone, number(begins), number(ends), away.strip() or None)

    async def press(self, interaction: Interaction, click: Click) -> None:
        """Do what a button of the panel says."""

        def change(kept: Kept | None) -> Kept | None:
            if kept is None:
                raise Refusal("You have set no hours, or they were forgotten. `/hours` begins anew.")
            match click.rest.split(":"):
                case ["back"]:
                    return replace(kept, away_until=0)
                case ["learn"]:
                    return replace(kept, acts=kept.acts or (0,) * 24)
                case ["unlearn"]:
                    return replace(kept, acts=None)
                case ["use", begins, ends] if {begins, ends} <= {*BEGINS}:
                    return with_window(kept, int(begins), int(ends))
                case ["forget"]:
                    return None
            raise Refusal(DEAD_BUTTON)

        await show(interaction, await self._changed(interaction.user.id, change))

    async def choose_digest(self, interaction: Interaction, click: Click) -> None:
        """Keep at which hour a person gets one message a day, once that could be announced to them."""
        (chosen, *_), now = [*click.values, ""], self.bot.time.now()
        hour = int(chosen) if chosen in BEGINS else None

        def change(kept: Kept | None) -> Kept:
            if kept is None or not (chosen == "off" or (hour is not None and _is_in(kept, hour))):
                raise Refusal(DEAD_BUTTON)
            if hour is not None:
                today = local(kept, now).date()
                is_over = hour_of(kept, today, hour) <= now
                kept = replace(kept, digested=today.toordinal() - (not is_over))
            return replace(kept, digest=hour, undelivered=0)

        change(await self._kept(interaction))
        if hour is not None:
            try:
                await self._digests.send(interaction.user.id, hello(hour), str(interaction.id))
            except discord.HTTPException as error:
                if error.code not in UNREACHABLE:
                    raise
                raise Refusal(CLOSED) from error
        await show(interaction, await self._changed(interaction.user.id, change))

    async def _kept(self, interaction: Interaction) -> Kept | None:
        return (await self.bot.store.hours([interaction.user.id])).get(interaction.user.id)

    async def _changed(self, user: int, change: Callable[[Kept | None], Kept | None]) -> Panel:
        """Change a person's hours. Return the panel that shows them."""
        hours = await self.bot.tables.set_hours(user, change)
        return panel(hours, self.bot.time.now())

    # Learning

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Count an hour in which a person acts who wants that."""
        user, known = interaction.user.id, self._learning.get(interaction.user.id)
        if known is None:
            return
        at = local(known, posted_at(interaction.id))
        if self._counted.get(user) == (at.date(), at.hour):
            return
        self._counted[user] = at.date(), at.hour
        try:
            kept = await self._kept(interaction)
            if kept is not None and kept.acts is not None:
                await self.bot.store.set_acts(user, counted(kept.acts, at.hour))
        except EXPECTED as error:  # one hour more or less makes no habit
            log.warning("an hour of a person was not counted: %s", error)

    async def _look(self) -> None:
        """Learn who wants their acts counted, and send the messages of a day that are due."""
        found = await self.bot.store.all_hours()
        self._learning = {user: hours for user, hours in found.items() if hours.acts is not None}
        self._counted = {user: last for user, last in self._counted.items() if user in self._learning}
        if self.bot.tables.owns(0):  # one process alone sends them: tables of a person may be on many servers
            await self._digests.send_due(found)


def with_window(hours: Kept, begins: int | None, ends: int | None) -> Kept:
    """Return hours with another begin or end of the day, without both for the whole day. Raises Refusal when they are
    too few."""
    begins = hours.begins if begins is None else begins
    ends = hours.ends if ends is None else ends % 24
    if begins is None or ends is None:
        raise Refusal("Give both, `from:` and `until:`, such as 18 and 23.")
    new = replace(hours, begins=begins, ends=ends)
    if begins == ends == 0:
        return replace(hours, begins=None, ends=None)
    if begins == ends:
        raise Refusal(
            f"From {begins} until {ends} are no hours. Choose two that differ, such as 8 and 22; from 0 until 24 you "
            "are called day and night."
        )
    if length(new) < FEWEST:
        raise Refusal(
            f"At least {FEWEST} hours a day are needed, or others would wait too long for you. These are {length(new)}."
        )
    is_in = new.digest is None or _is_in(new, new.digest)
    return new if is_in else replace(new, digest=begins)


def _is_in(hours: Kept, hour: int) -> bool:
    return hours.begins is None or (hour - hours.begins) % 24 < length(hours)


def back_on(hours: Kept, typed: str, now: int) -> int:
    """Return when the day begins on which somebody is back, in ms. Raises Refusal."""
    day, today = _day(typed), local(hours, now).date()
    if day <= today:
        raise Refusal(
            "That day has begun already. Choose a later one; if you are back, `I'm back` in `/hours` says so."
        )
    if (day - today).days > LONGEST_AWAY // DAY:
        raise Refusal(
            f"That is too far ahead: a table waits at most {LONGEST_AWAY // DAY} days for somebody. Choose an "
            "earlier day, or leave your tables: `/table leave`."
        )
    return hour_of(hours, day, 0)


def _day(typed: str) -> date:
    for written in DAYS:
        with suppress(ValueError):
            return datetime.strptime(typed.strip(), written).date()  # noqa: DTZ007 - a day of their own
    raise Refusal(
        f"{isolated(printable(typed))} is no day that I can read. Write the day on which you are back, such as "
        "2026-12-24 or 24.12.2026."
    )
