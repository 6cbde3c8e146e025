"""Buttons about seats: adding computers, `I'm back`, taking a vacant or an offered seat, and votes."""

from discord.ext import commands

from bot.client import Palmhouse
from bot.match import seats as seating
from bot.match import votes as voting
from bot.match.announcements import names
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.messages.answers import Interaction, defer, is_private, send, show
from bot.messages.custom_ids import CustomId, number
from bot.messages.game_ui import NOT_MINE
from bot.messages.panel import Panel, button, hand_button, row, text
from bot.messages.router import Click
from cogs.common.lookup import here_only
from cogs.common.offering import offer_lesson
from cogs.common.open_hand import held, show_hand
from games.advice import STRENGTHS
from games.types import Seat


class Seats(commands.Cog):
    """Routes of these buttons. The table announces each change; the caller also gets a private note."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("computer", self.computer)
        bot.router.add("back", held(self.back))
        bot.router.add("take", self.take)
        bot.router.add("accept", self.accept)
        bot.router.add("decline", self.decline)
        bot.router.add("vote", self.vote)

    async def computer(self, interaction: Interaction, click: Click) -> None:
        """Ask for the strength of a computer, add one of that strength, or remove the last one."""
        table, at = await self._table(interaction, click)
        user = interaction.user.id
        if click.rest in STRENGTHS:
            await seating.add_computer(table, user, click.rest, at)
        elif click.rest == "dismiss":
            await seating.dismiss_computer(table, user, at)
        elif click.rest:
            raise Refusal(NOT_MINE)
        else:
            table.must_be("lobby", "The match has begun. Computers can join only before the start.")
            table.must_host(user, "add and remove computers")
        await show(interaction, _computers(table))

    async def back(self, interaction: Interaction, click: Click) -> None:
        """Give the caller back the seat that a computer plays."""
        table, at = await self._table(interaction, click)
        await seating.come_back(table, interaction.user.id, at)
        if is_private(interaction):  # pressed in the hand
            await show_hand(interaction, table, note="🪑 You are back in your seat.")
        else:
            await send(interaction, _seated(table, "You are back in your seat."))

    async def take(self, interaction: Interaction, click: Click) -> None:
        """Give the caller a seat that was left."""
        table, at = await self._table(interaction, click)
        user = interaction.user
        await seating.take(table, _seat(table, click), user.id, user.display_name, at)
        await send(interaction, _seated(table, "The seat is yours, with its hand and score."))
        await offer_lesson(interaction, table.id)

    async def accept(self, interaction: Interaction, click: Click) -> None:
        """Give the caller a seat that was offered to them."""
        table, at = await self._table(interaction, click)
        user = interaction.user
        await seating.accept(table, _seat(table, click), user.id, user.display_name, at)
        await send(interaction, _seated(table, "The seat is yours, with its hand and score."))
        await offer_lesson(interaction, table.id)

    async def decline(self, interaction: Interaction, click: Click) -> None:
        """Decline the offer of a seat."""
        table, at = await self._table(interaction, click)
        await seating.decline(table, _seat(table, click), interaction.user.id, at)
        await defer(interaction)

    async def vote(self, interaction: Interaction, click: Click) -> None:
        """Vote on an overdue seat or on the pace."""
        table, at = await self._table(interaction, click)
        digits, _, choice = click.rest.partition(":")
        poll = number(digits)
        if poll is None:
            raise Refusal(NOT_MINE)
        await voting.vote(table, interaction.user.id, poll, choice, at)
        await defer(interaction)

    async def _table(self, interaction: Interaction, click: Click) -> tuple[Table, int]:
        """Return the table of a click, and the time of the click in ms."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        return table, self.bot.time.learn_from(interaction.id)


def _seat(table: Table, click: Click) -> Seat:
    seat = number(click.rest)
    if seat is None or seat >= len(table.state.players):
        raise Refusal(NOT_MINE)
    return Seat(seat)


def _seated(table: Table, note: str) -> Panel:
    return Panel(text(note), row(hand_button(table.id)))


def _computers(table: Table) -> Panel:
    """Build the list of computers at a table, with buttons to add one."""
    state = table.state
    seated = [
        f"{name} ({player.strength})"
        for name, player in zip(names(state), state.players, strict=True)
        if player.strength
    ]
    free = table.has_free()
    ask = "How strong should the next one be?" if free else "No seat is free."
    buttons = [
        button(strength.capitalize(), CustomId("computer", table.id, strength), disabled=not free)
        for strength in STRENGTHS
    ]
    buttons.append(button("Remove the last", CustomId("computer", table.id, "dismiss"), disabled=not seated))
    return Panel(text(f"Computers at this table: {', '.join(seated) or 'none yet'}. {ask}"), row(*buttons))
