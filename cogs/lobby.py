"""The buttons of a table's card: Join, Leave, Start and Cancel before the match, Watch during it."""

from collections.abc import Awaitable, Callable

from discord.ext import commands

from bot.client import Palmhouse
from bot.match.table import Table
from bot.messages.answers import Interaction, tell
from bot.messages.router import Click
from cogs.common.lookup import here_only, of_this_server, where

WATCH = """👀 The match is played in {where}. You see everything there that is public; hands stay hidden.
**To follow it,** open the thread and join it: it then stays in your channel list until the match is over."""


class Lobby(commands.Cog):
    """Routes of the buttons on a card. All except Watch are answered by an edit of the card."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        for verb, action in {"join": join, "leave": leave, "start": start, "cancel": cancel}.items():
            bot.router.add(verb, self._on_card(action))
        bot.router.add("watch", self.watch)

    def _on_card(
        self, action: Callable[[Interaction, Table, int], Awaitable[None]]
    ) -> Callable[[Interaction, Click], Awaitable[None]]:
        async def route(interaction: Interaction, click: Click) -> None:
            table = here_only(interaction, await self.bot.tables.get(click.match))
            lacks_card = table.match.card is None and not table.state.practice
            if lacks_card and interaction.message and interaction.channel_id == table.match.channel:
                # The card is posted, but not stored: the bot was killed in between, or is just doing it.
                await self.bot.tables.update_match(table, card=interaction.message.id)
            await action(interaction, table, self.bot.time.learn_from(interaction.id))
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

        return route

    async def watch(self, interaction: Interaction, click: Click) -> None:
        """Tell the person where the match is played, what watchers see, and how to follow it."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        table.must_be(
            "play", "The match is over." if table.state.game_state else "The match has not begun yet."
        )
        await tell(interaction, WATCH.format(where=where(table)))


async def join(interaction: Interaction, table: Table, at: int) -> None:
    await table.join(interaction.user.id, interaction.user.display_name, at)


async def leave(interaction: Interaction, table: Table, at: int) -> None:
    await table.leave(interaction.user.id, at, sure=False)


async def start(interaction: Interaction, table: Table, at: int) -> None:
    await table.start(interaction.user.id, at)


async def cancel(interaction: Interaction, table: Table, at: int) -> None:
    """Close the lobby. Allowed for its host and for people who manage the server."""
    manages = interaction.permissions.manage_guild
    await of_this_server(interaction, table).cancel(interaction.user.id, at, manages=manages, sure=False)


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Lobby(bot))
