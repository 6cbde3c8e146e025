"""`Challenge`: a table with a seat kept for somebody, and one message that calls them.

Where the bot is no member it can only answer, so no table can be played there: it could not call anybody when it is
their turn, and its answers take no more edits after 15 minutes. There the challenge is to the deal of the day, which
everybody plays alone, with the same cards.
"""

import asyncio
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands
from pydantic import ValidationError

from bot.client import Palmhouse
from bot.match.call import absence
from bot.match.challenges import check_challenges
from bot.match.deadlines import DUE
from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.match.seats import decline_kept
from bot.match.state import Player
from bot.match.table import Table
from bot.messages.answers import age, send, tell
from bot.messages.custom_ids import CustomId
from bot.messages.expected import EXPECTED
from bot.messages.panel import SUCCESS, Item, Modal, Panel, button, menu_field, row, text
from bot.messages.router import DEAD_BUTTON, Click, Kind
from cogs.common.audience import ASK_WAIT, sees
from cogs.common.daily_result import daily_id
from cogs.common.lookup import Interaction, here_only, is_outside
from cogs.common.new_table import TableTerms, caller, check_here, chosen_options, open_table, show_card
from cogs.common.offering import offer_lesson
from cogs.play import pace_field
from cogs.profile.selections import whole
from cogs.seeking.form import offered
from cogs.seeking.summoning import is_called_later, shared_place, who_wakes
from games import GAMES

YOURSELF: Final = "That is you. Choose somebody else, or play alone: `/practice`."
BOT: Final = "A bot takes no challenges. At a table, `Add computer` seats one."
NOWHERE: Final = "Nobody else is here. Challenge people on a server, or in a group."
UNKNOWN: Final = "Discord does not say now whether they are on this server. Try again in a moment."
LEFT: Final = "They are not on this server any more. Challenge somebody who is."
NOBODYS: Final = "{} takes no challenges. `/play` opens a table that everybody can join."
HIDDEN: Final = "{} does not see this channel. Challenge them in one that both of you see."
NOT_YOURS: Final = "Somebody else is challenged here, so you cannot decline. `Join` takes a free seat."
YOUR_OWN: Final = (
    "You have made this challenge yourself. To take it back, press `More` at its card, then `Cancel`."
)
DECLINED: Final = "↩️ <@{}>: **{}** declines your challenge. The seat at table {} is free for anybody."
CALLED_LATER: Final = "🌙 {} I call them then, and keep the seat until <t:{}:f>."
NOT_CALLED: Final = "🌙 {} No call reaches them before, and the seat is kept until <t:{}:f>."
DAILY: Final = (
    "⚔️ <@{}>: **{}** challenges you to the deal of the day, with the same cards for both of you.\n"
    "-# Each plays alone, once, in a few minutes. Then `Share` shows your result here."
)


def challenge_button(user: int) -> Item:
    """Return the button by which a person is challenged."""
    return button("Challenge", CustomId("challenge", 0, str(user)))


class Challenges(commands.Cog):
    """Routes of the button and its form, and the command that a long press on a person opens."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        menu = app_commands.ContextMenu(
            name="Challenge",
            callback=self.by_long_press,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        bot.tree.add_command(menu)
        bot.router.add("challenge", self.by_button, at_once=True)
        bot.router.add("challenge-with", self.open, Kind.MODAL, at_once=True)
        bot.router.add("decline-challenge", self.decline)

    async def by_long_press(self, interaction: Interaction, person: discord.Member | discord.User) -> None:
        """Challenge a person."""
        if person == interaction.user:
            raise Refusal(YOURSELF)
        if person.bot:
            raise Refusal(BOT)
        if is_outside(interaction):
            await self._challenge_outside(interaction, person)
        else:
            await self._ask(interaction, person.id)

    async def by_button(self, interaction: Interaction, click: Click) -> None:
        """Challenge the person of a profile."""
        await self._ask(interaction, _user(click))

    async def _ask(self, interaction: Interaction, user: int) -> None:
        """Open the form of a challenge. Raises Refusal if there can be none."""
        self.bot.tables.check_room(interaction.user.id)
        member = await self._opponent(interaction, user)
        settings = await self.bot.store.guild_settings(member.guild.id)
        options = [discord.SelectOption(label=GAMES[slug].title, value=slug) for slug in offered(settings)]
        await interaction.response.send_modal(
            Modal(
                f"Challenge {safe(member.display_name)}",
                CustomId("challenge-with", 0, str(user)),
                menu_field("Game", options),
                pace_field(settings.pace),
            )
        )

    async def open(self, interaction: Interaction, click: Click) -> None:
        """Open a table with a seat kept for the person who is challenged, and call them."""
        try:
            slug, pace = click.values
            game, terms = GAMES[slug], TableTerms(pace=pace)  # type: ignore[arg-type]
        except (ValueError, KeyError, ValidationError) as error:
            raise Refusal(DEAD_BUTTON) from error
        member = await self._opponent(interaction, _user(click))
        guest = Player(member.id, member.display_name)
        table = await open_table(
            interaction,
            game,
            chosen_options(game, {}),
            [caller(interaction)],
            pace=terms.pace or "live",
            challenged=guest,
        )
        await show_card(interaction, table)
        self.bot.dispatch("summons", table)
        await self._tell_of_absence(interaction, table, guest)
        await offer_lesson(interaction, table.id)

    async def _tell_of_absence(self, interaction: Interaction, table: Table, guest: Player) -> None:
        """Tell the caller when somebody answers who sleeps, or is away."""
        hours = (await self.bot.store.hours([guest.user])).get(guest.user)
        said = absence(safe(guest.name), hours, self.bot.time.now())
        kept_until = table.deadlines.get(DUE)  # not if they have answered meanwhile, or the table was closed
        if said and kept_until is not None:
            text = CALLED_LATER if await is_called_later(self.bot, table, guest.user) else NOT_CALLED
            await tell(interaction, text.format(said, kept_until // 1000))

    async def decline(self, interaction: Interaction, click: Click) -> None:
        """Give free the seat of the person who is challenged, and tell the host."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        user, stored = interaction.user, await self.bot.store.summons(table.match.guild)
        if (table.id, user.id) not in [(each.match, each.user) for each in stored]:
            raise Refusal(YOUR_OWN if user.id == table.match.host else NOT_YOURS)
        await decline_kept(table, user.id, self.bot.time.learn_from(interaction.id))
        host = table.match.host
        said = Panel(text(DECLINED.format(host, safe(user.display_name), table.id)))
        await send(interaction, said, public=True, pinged=await who_wakes(self.bot, [host], asked=False))

    async def _opponent(self, interaction: Interaction, user: int) -> discord.Member:
        """Return the member who is challenged. Raises Refusal if the caller may not challenge them here."""
        if user == interaction.user.id:
            raise Refusal(YOURSELF)
        if interaction.guild is None:
            raise Refusal(NOWHERE)
        await check_here(interaction)
        place = shared_place(self.bot, interaction.guild.id, interaction.channel_id or 0)
        try:
            async with asyncio.timeout(ASK_WAIT - age(interaction)):
                member = await interaction.guild.fetch_member(user)
        except discord.NotFound as error:
            raise Refusal(LEFT) from error
        except EXPECTED as error:
            raise Refusal(UNKNOWN) from error
        name = safe(member.display_name)
        if member.bot:
            raise Refusal(BOT)
        await self._check_wanted(user, name)
        if not sees(member, place):
            raise Refusal(HIDDEN.format(name))
        guest = Player(user, member.display_name)
        await check_challenges(self.bot.store, interaction.user.id, guest, self.bot.time.now())
        return member

    async def _check_wanted(self, user: int, name: str) -> None:
        """Raise Refusal for somebody who takes no challenges."""
        if (await self.bot.store.preferences(user)).challenges == "from nobody":
            raise Refusal(NOBODYS.format(name))

    async def _challenge_outside(
        self, interaction: Interaction, person: discord.Member | discord.User
    ) -> None:
        """Challenge a person to the deal of the day. The message notifies nobody."""
        await self._check_wanted(person.id, safe(person.display_name))
        said = DAILY.format(person.id, safe(interaction.user.display_name))
        play = button("Play", daily_id("card"), style=SUCCESS)
        await send(interaction, Panel(text(said), row(play)), public=True)


def _user(click: Click) -> int:
    """Return the person of a custom id. Raises Refusal for anything that the bot does not write."""
    try:
        user = whole(click.rest)
    except ValueError as error:
        raise Refusal(DEAD_BUTTON) from error
    if not 0 < user < 2**63:  # below 0: erased
        raise Refusal(DEAD_BUTTON)
    return user
