"""The option `match` of commands about matches that are over, and its suggestions."""

from typing import Final

import discord
from discord import app_commands

from bot.dates import day
from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.messages.custom_ids import ids_on
from bot.store import Played, Selection
from cogs.common.lookup import Interaction, typed_number
from games import GAMES

OPTION: Final = "Which match: pick one of yours, or type its number"
"""Description of the option."""
NO_SUCH_MATCH: Final = (
    "There is no such match. `/replay` and `/verify` offer your last ones when you tap their option `match`."
)
OF_NO_MATCH: Final = (
    "This message is of no match. Choose the card or the last message of one, or use `/history`."
)
LATEST: Final = 100
"""Number of matches, the latest first, among which some are suggested."""


def match_meant(named: str) -> int:
    """Return the number that was picked or typed as the option. Raises Refusal if it is none."""
    found = typed_number(named)
    if found is None:
        raise Refusal("Name the match by its number, or pick it from the list.")
    return found


def match_on(interaction: Interaction, message: discord.Message) -> int:
    """Return the match of a message of the bot. Raises Refusal for any other message."""
    own = ids_on(message) if message.author == interaction.client.user else ()
    for each in own:
        if each.match:
            return each.match
    raise Refusal(OF_NO_MATCH)


async def matches_named(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Return suggestions: the caller's last matches on this server, in direct messages on all servers."""
    selection = Selection(interaction.user.id, interaction.guild_id)
    _, found = await interaction.client.store.history(selection, LATEST)
    named = [(_choice(played), str(played.match)) for played in found]
    wanted = typed.lower().strip().lstrip("#")
    return [
        app_commands.Choice(name=name, value=value)
        for name, value in named
        if (value.startswith(wanted) if wanted.isdigit() else wanted in name.lower())
    ][:25]


def title(game: str) -> str:
    """Return the title of a game; its slug if the bot does not have it any more."""
    return GAMES[game].title if game in GAMES else game


def _choice(played: Played) -> str:
    names = ", ".join(safe(result.name) for result in played.results)
    return f"{title(played.game)} · {day(played.ended)} · match {played.match} · {names}"[:100]
