"""`/preferences`: a panel of menus below a sample hand. Preferences count on every server."""

from typing import NamedTuple

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import send, show
from bot.messages.custom_ids import CustomId
from bot.messages.emojis import LETTERS
from bot.messages.game_ui import Form, GameUI, hand_style
from bot.messages.panel import Item, Panel, is_picture, row, select, text
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.pictures.hand_style import HandStyle
from bot.store import Preferences as Kept
from cogs.common.lookup import Interaction
from games import GAMES
from games.types import SEATS

SAMPLE = GAMES["twin-palms"]
"""Game of the sample hand."""


class Choice(NamedTuple):
    """A value of a preference as it is stored, with its label and description in the menu."""

    word: str
    label: str
    about: str


MENUS: dict[str, tuple[Choice, ...]] = {
    "hand": (
        Choice("ephemeral", "Hand: here", "Only you see it"),
        Choice("dm", "Hand: direct message", "Here, if closed"),
    ),
    "pings": (
        Choice("always", "Calls: every turn", "And before time is up"),
        Choice("only reminders", "Calls: reminders", "Before time is up"),
        Choice("never", "Calls: never", "Look in now and then"),
    ),
    "pictures": (
        Choice("pictures", "Cards: pictures", "Your hand is drawn"),
        Choice("text only", "Cards: text only", "For screen readers, too"),
    ),
    "cards": (
        Choice("usual", "Card size: usual", "More cards in a row"),
        Choice("large", "Card size: large", "Easier to read"),
    ),
    "order": (
        Choice("suit", "Order: by suit", "Then by number"),
        Choice("rank", "Order: by number", "Then by suit"),
    ),
    "ratings": (
        Choice("shown", "Ratings: shown", "In lobbies, after matches"),
        Choice("after the match", "Ratings: after a match", "Until then nobody's"),
        Choice("never", "Ratings: never mine", "Yours at no table"),
    ),
    "replays": (
        Choice("private", "Replays: private", "Others see no hands"),
        Choice("open", "Replays: open", "All hands, if all agree"),
    ),
    "challenges": (
        Choice("from everybody", "Challenges: from everybody", "Three an hour"),
        Choice("from nobody", "Challenges: from nobody", "They are told so"),
    ),
}
"""Menus by field of the stored preferences. A phone shows about 45 letters of the choice."""
OF_PICTURES = ("cards", "order")
"""Menus that are shown only with pictures, as they do not change a hand in text."""


class Preferences(commands.Cog):
    """The panel of preferences. Each choice is stored alone, so of two at the same time both count."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("preference", self.choose, Kind.SELECT)

    @app_commands.command(name="preferences", extras={MAY_WAIT: True})
    async def preferences(self, interaction: Interaction) -> None:
        """Choose where and how your hands are shown, and when you are called"""
        await send(interaction, await self._panel(interaction.user.id))

    async def choose(self, interaction: Interaction, click: Click) -> None:
        """Store what was chosen in a menu, and show the panel with it."""
        words = [choice.word for choice in MENUS.get(click.rest, ())]
        if len(click.values) != 1 or click.values[0] not in words:
            raise Refusal(DEAD_BUTTON)
        try:
            await self.bot.store.set_preference(interaction.user.id, click.rest, click.values[0])
        finally:  # it may be kept though the answer was lost
            if click.rest == "ratings":
                for table in await self.bot.tables.note(interaction.user.id):
                    self.bot.publisher.wake(table)
        await show(interaction, await self._panel(interaction.user.id))

    async def _panel(self, user: int) -> Panel:
        kept = await self.bot.store.preferences(user)
        menus = [name for name in MENUS if hand_style(kept).pictures or name not in OF_PICTURES]
        return Panel(
            text("### Your preferences\nThey count on every server. Your hands look like this:"),
            *_sample(self.bot.game_uis[SAMPLE.slug], hand_style(kept)),
            *(_menu(name, kept) for name in menus),
            *_taking_part(kept),
        )


def _menu(name: str, kept: Kept) -> Item:
    now = getattr(kept, name)
    options = [
        discord.SelectOption(label=label, value=word, description=about, default=word == now)
        for word, label, about in MENUS[name]
    ]
    return row(select("Choose", CustomId("preference", 0, name), options))


def _taking_part(kept: Kept) -> list[Item]:
    """Return a line about leaderboards of all servers, for somebody who is on them."""
    if not kept.alias:
        return []
    return [
        text(
            f"-# You are on leaderboards everywhere as {safe(kept.alias)}. "
            "`/leaderboard scope: everywhere game: …` changes that."
        )
    ]


def _sample(ui: GameUI, style: HandStyle) -> list[Item]:
    """Return a hand in this style: the picture, or all of it as text."""
    state, _ = SAMPLE.new(SAMPLE.Options(), 2, "sample")
    form = Form(0, 0, (), style=style, emojis=LETTERS)  # no legal actions, so no buttons
    items = ui.hand(SAMPLE.view(state, SEATS[0]), ("Alice", "Ben"), form)
    return [item for item in items if is_picture(item)] or items
