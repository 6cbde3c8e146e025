"""The buttons of a table's card: Join, Start and More before the match, Watch during it."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

import discord
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.deals import LONGEST_CUT
from bot.match.names import isolated
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.messages.answers import Interaction, defer, show, tell
from bot.messages.custom_ids import CustomId
from bot.messages.expected import EXPECTED
from bot.messages.panel import DANGER, SECONDARY, Item, Modal, Panel, button, rows, text, text_field
from bot.messages.router import DEAD_BUTTON, Click, Kind, Route
from cogs.common.lookup import here_only, where
from cogs.common.managing import manages_tables
from cogs.common.new_table import note_card
from cogs.common.offering import offer_lesson
from cogs.leaving import end, leave
from cogs.seeking.summoning import call_buttons, tell_host
from cogs.terms import partner_menu

WATCH = """👀 The match is played in {where}. You see everything there that is public; hands stay hidden.
**To follow it,** open the thread and join it: it then stays in your channel list until the match is over."""
PLAYS = "You play in this match, in {where}. Press `My hand`."

SEAL = """🔒 **The seal of this deal**
{}
-# It is the fingerprint of a secret of the bot, drawn before others joined, and of each join and `Cut` since. `Start` \
draws the seats and the deal from these, so nobody at the table can choose them. Nor can whoever runs the bot, if you \
copy the seal and then cut last. After the match `/verify` shows the secret, and checks the seal."""
CUTTING = """Your words change the seats and the deal. Copy the seal first and cut last: then nobody, not even \
whoever runs the bot, has chosen the deal."""
HAS_CUT = (
    "✂️ Your cut is on the card: “{}”. It goes into the deal at `Start`. If anything changes in this lobby "
    "after that, cut again."
)
HAS_CUT_AGAIN = (
    "✂️ Your cut is on the card: “{}”. Both count; the card shows your last one. The one before was “{}”."
)

Action: TypeAlias = Callable[[Interaction, Table, int], Awaitable[None]]
"""The effect of a click at a table, at a time in ms."""


class Lobby(commands.Cog):
    """Routes of the buttons on a card. Join and Start are answered by an edit of the card."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("start", self._on_card(start))
        bot.router.add("join", self.join)
        bot.router.add("more", self.more)
        bot.router.add("leave", self.leave)
        bot.router.add("cancel", self.cancel)
        bot.router.add("cut", self.ask_cut, at_once=True)
        bot.router.add("cut-with", self.cut, Kind.MODAL)
        bot.router.add("watch", self.watch)

    def _on_card(self, action: Action) -> Route:
        async def route(interaction: Interaction, click: Click) -> None:
            table = await self._table(interaction, click)
            lacks_card = table.match.card is None and not table.state.practice
            if lacks_card and interaction.message and interaction.channel_id == table.match.channel:
                # The card is posted, but not stored: the bot was killed in between, or is just doing it.
                await note_card(self.bot, table, interaction.message.id)
            await action(interaction, table, self.bot.time.learn_from(interaction.id))
            card = self.bot.publisher.live.clicked(interaction, table, "card")
            if card is not None:
                await card.answer(interaction)
            else:
                # An older copy of the card was clicked. The present one shows the change.
                await defer(interaction)

        return route

    async def _table(self, interaction: Interaction, click: Click) -> Table:
        return here_only(interaction, await self.bot.tables.get(click.match))

    async def join(self, interaction: Interaction, click: Click) -> None:
        """Take a seat. Once the card shows that, tell the host of a challenge, and offer a lesson to somebody who is
        new to the game."""
        await self._on_card(join)(interaction, click)
        await tell_host(interaction, click.match)
        await offer_lesson(interaction, click.match)

    async def more(self, interaction: Interaction, click: Click) -> None:
        """Show the rare buttons that the caller may press, and the whole seal."""
        table = await self._table(interaction, click)
        user, manages = interaction.user.id, await manages_tables(interaction)
        calls = await call_buttons(self.bot, table, user)
        # Last, as others may begin or close it meanwhile.
        table.must_be("lobby", "The match has begun, so this table cannot be changed any more.")
        await show(interaction, _more(table, user, calls, manages=manages))

    async def leave(self, interaction: Interaction, click: Click) -> None:
        await leave(interaction, await self._table(interaction, click))

    async def cancel(self, interaction: Interaction, click: Click) -> None:
        await end(interaction, await self._table(interaction, click))

    async def ask_cut(self, interaction: Interaction, click: Click) -> None:
        """Open a modal to type the words of a cut into."""
        table = await self._table(interaction, click)
        table.check_cut(interaction.user.id)
        # The modal covers the card on a phone, and only the text of a field can be copied everywhere. What comes back
        # in it is ignored on purpose: the custom id has the seal that was shown.
        present = table.state.seal
        shown = text_field(
            "The seal, to copy: editing it changes nothing",
            len(present),
            default=present,
            required=False,
            style=discord.TextStyle.paragraph,
        )
        words = text_field(
            f"Your words: 1 to {LONGEST_CUT} characters",
            LONGEST_CUT,
            placeholder="what nobody can guess, such as blue lamp 4711",
        )
        await interaction.response.send_modal(
            Modal("Cut the deal", CustomId("cut-with", table.id, present), text(CUTTING), words, shown)
        )

    async def cut(self, interaction: Interaction, click: Click) -> None:
        """Add the words that were typed into the modal, its first field."""
        if not click.values:
            raise Refusal(DEAD_BUTTON)
        table, user = await self._table(interaction, click), interaction.user
        at = self.bot.time.learn_from(interaction.id)
        earlier = await table.cut(user.id, user.display_name, click.values[0], at, click.rest)
        words = isolated(table.state.cuts[user.id].words)
        said = HAS_CUT.format(words)
        await show(
            interaction,
            Panel(text(said if earlier is None else HAS_CUT_AGAIN.format(words, isolated(earlier.words)))),
        )

    async def watch(self, interaction: Interaction, click: Click) -> None:
        """Tell the person where the match is played, what watchers see, and how to follow it."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        table.must_be("play", "The match has not begun yet.")
        if table.is_seated:
            await self.bot.nights.check_watching(table.id, interaction.user.id)
            await defer(interaction, thinking=True)  # Discord may be slow to bring them in
            with suppress(*EXPECTED):
                await self.bot.publisher.venue.bring_in(table, [interaction.user.id])
        plays = table.state.seat_of(interaction.user.id) in table.state.people()
        await tell(interaction, (PLAYS if plays else WATCH).format(where=where(table)))


async def join(interaction: Interaction, table: Table, at: int) -> None:
    await table.join(interaction.user.id, interaction.user.display_name, at, interaction.id)


async def start(interaction: Interaction, table: Table, at: int) -> None:
    await table.start(interaction.user.id, at, await interaction.client.tables.last_winner(table))


def _more(table: Table, user: int, calls: Sequence[Item], *, manages: bool) -> Panel:
    """Build those of the rarely used buttons of a lobby that a person may use."""
    hosts = table.state.is_host(user)
    rare = (
        (table.state.seat_of(user) is not None, "Leave", "leave", SECONDARY),
        (hosts, "Options", "options", SECONDARY),
        (table.is_sealed, "Cut", "cut", SECONDARY),
        (manages, "Keep as preset", "keep", SECONDARY),
        (hosts or manages, "Cancel", "cancel", DANGER),
    )
    buttons = [
        button(label, CustomId(verb, table.id), style=style) for may, label, verb, style in rare if may
    ]
    return Panel(
        text(f"**{table.state.game.title} · table {table.id}**"),
        *calls,
        *rows(buttons),
        *partner_menu(table, user),
        *([text(SEAL.format(table.state.seal))] if table.is_sealed else []),
    )
