"""The buttons of a table's card: Join, Leave, Start, Cancel and Cut before the match, Watch during it."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import discord
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.deals import LONGEST_CUT
from bot.match.names import isolated
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.messages.answers import Interaction, tell
from bot.messages.custom_ids import CustomId
from bot.messages.panel import Modal, text, text_field
from bot.messages.router import DEAD_BUTTON, Click, Kind, Route
from cogs.common.lookup import here_only, of_this_server, where
from cogs.common.managing import manages_tables
from cogs.common.offering import offer_lesson

WATCH = """👀 The match is played in {where}. You see everything there that is public; hands stay hidden.
**To follow it,** open the thread and join it: it then stays in your channel list until the match is over."""

CUTTING = """Your words go into the deal at `Start`. The seal was there before them: a hash of everything that the \
deal follows from so far. It changes when somebody joins, leaves or cuts.
**Cut last:** a join or a cut after yours may come from whoever runs the bot."""
AFTERWARDS = "After the match, /verify shows this seal again: compare. Changes in this field have no effect."
HAS_CUT = (
    "✂️ Your cut is on the card: “{}”. It goes into the deal at `Start`. If somebody joins or cuts after you, "
    "cut again."
)
HAS_CUT_AGAIN = (
    "✂️ Your cut is on the card: “{}”. Both count; the card shows your last one. The one before was “{}”."
)

Action: TypeAlias = Callable[[Interaction, Table, int, Click], Awaitable[str | None]]
"""The effect of a click at a table, at a time in ms. It may return a sentence for the person who clicked."""


class Lobby(commands.Cog):
    """Routes of the buttons on a card. All except Watch are answered by an edit of the card."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        for verb, action in {"leave": leave, "start": start, "cancel": cancel}.items():
            bot.router.add(verb, self._on_card(action))
        bot.router.add("join", self.join)
        bot.router.add("cut", self.ask_cut)
        bot.router.add("cut-with", self._on_card(cut), Kind.MODAL)
        bot.router.add("watch", self.watch)

    def _on_card(self, action: Action) -> Route:
        async def route(interaction: Interaction, click: Click) -> None:
            table = here_only(interaction, await self.bot.tables.get(click.match))
            lacks_card = table.match.card is None and not table.state.practice
            if lacks_card and interaction.message and interaction.channel_id == table.match.channel:
                # The card is posted, but not stored: the bot was killed in between, or is just doing it.
                await self.bot.tables.update_match(table, card=interaction.message.id)
            receipt = await action(interaction, table, self.bot.time.learn_from(interaction.id), click)
            card = self.bot.publisher.live.get(table, "card")
            if (
                card is not None
                and interaction.message is not None
                and interaction.message.id == card.message.id
            ):
                await card.answer(interaction)
            else:
                # An older copy of the card was clicked. The present one shows the change.
                await interaction.response.defer()
            if receipt is not None:
                await tell(interaction, receipt)

        return route

    async def join(self, interaction: Interaction, click: Click) -> None:
        """Take a seat. Once the card shows that, offer a lesson to somebody who is new to the game."""
        await self._on_card(join)(interaction, click)
        await offer_lesson(interaction, click.match)

    async def ask_cut(self, interaction: Interaction, click: Click) -> None:
        """Open a modal to type the words of a cut into."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        table.check_cut(interaction.user.id)
        # The modal covers the card on a phone, and only the text of a field can be copied everywhere.
        present = table.state.seal
        shown = text_field(
            "First copy this seal",
            len(present),
            description=AFTERWARDS,
            default=present,
            required=False,
            style=discord.TextStyle.paragraph,
        )
        words = text_field(
            f"Your words: 1 to {LONGEST_CUT} characters",
            LONGEST_CUT,
            description="Type what nobody can guess. Everybody will see it. It changes the cards and the seats.",
            placeholder="for example: blue lamp 4711",
        )
        await interaction.response.send_modal(
            Modal("Cut the deck", CustomId("cut-with", table.id, present), text(CUTTING), shown, words)
        )

    async def watch(self, interaction: Interaction, click: Click) -> None:
        """Tell the person where the match is played, what watchers see, and how to follow it."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        table.must_be(
            "play", "The match is over." if table.state.game_state else "The match has not begun yet."
        )
        await tell(interaction, WATCH.format(where=where(table)))


async def join(interaction: Interaction, table: Table, at: int, _: Click) -> None:
    await table.join(interaction.user.id, interaction.user.display_name, at, interaction.id)


async def leave(interaction: Interaction, table: Table, at: int, _: Click) -> None:
    await table.leave(interaction.user.id, at, sure=False)


async def start(interaction: Interaction, table: Table, at: int, _: Click) -> None:
    await table.start(interaction.user.id, at)


async def cut(interaction: Interaction, table: Table, at: int, click: Click) -> str:
    """Add the words that were typed into the modal, its last field."""
    if not click.values:
        raise Refusal(DEAD_BUTTON)
    user = interaction.user
    earlier = await table.cut(user.id, user.display_name, click.values[-1], at, click.rest)
    words = isolated(table.state.cuts[user.id].words)
    return HAS_CUT.format(words) if earlier is None else HAS_CUT_AGAIN.format(words, isolated(earlier.words))


async def cancel(interaction: Interaction, table: Table, at: int, _: Click) -> None:
    """Close the lobby. Allowed for its host and for people who manage the server or its tables."""
    manages = await manages_tables(interaction)
    await of_this_server(interaction, table).cancel(interaction.user.id, at, manages=manages, sure=False)


async def setup(bot: Palmhouse) -> None:
    """Add the cog. Called at the start."""
    await bot.add_cog(Lobby(bot))
