"""`/privacy`: what is stored about the caller, all of it as a file, and erasing it.

The bot stores nothing about its question before erasing: the custom id of the button has everything.
"""

import gzip
import io
import json
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.refusal import Refusal
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import defer, send, tell
from bot.messages.custom_ids import CustomId
from bot.messages.panel import DANGER, Panel, button, row, text
from bot.messages.router import DEAD_BUTTON, Click
from bot.store import FORMER, TABLES, Person, Personal
from cogs.common.lookup import Interaction
from cogs.night.around import take_all_back

LARGEST: Final = 8_000_000
"""Bytes from which an export is compressed: Discord takes attachments of up to 10 MB."""
SAFE: Final = 2**53
"""Largest number that every reader of JSON reads exactly. Discord's ids are larger, so they are written as text."""
NOTHING: Final = "Nothing is stored about you."
NOTHING_TO_ERASE: Final = "There is nothing about you to erase."


class Privacy(commands.GroupCog, group_name="privacy", group_description="What is stored about you"):
    """Each answer is for the caller alone."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("erase-me", self.erase_me)

    @app_commands.command(name="show")
    async def show(self, interaction: Interaction) -> None:
        """Show what is stored about you, why, and for how long"""
        await defer(interaction, thinking=True)
        await tell(interaction, _summary(await self.bot.store.export_person(interaction.user.id)))

    @app_commands.command(name="export")
    async def export(self, interaction: Interaction) -> None:
        """Get everything that is stored about you as a JSON file"""
        await defer(interaction, thinking=True)
        user = interaction.user.id
        person = await self.bot.store.export_person(user)
        if person.is_unknown:
            raise Refusal(NOTHING)
        file = file_of(written(user, person))
        await interaction.followup.send(
            "This is everything that is stored about you.", file=file, ephemeral=True
        )

    @app_commands.command(name="erase", extras={MAY_WAIT: True})
    async def erase(self, interaction: Interaction) -> None:
        """Erase everything that is stored about you; asks first"""
        await self.bot.tables.check_erasing(interaction.user.id)
        question = text(
            "### Erase everything about you?\n"
            f"Your id is replaced by a random number and your name by “{FORMER}”, in all matches, results and ratings "
            "on all servers. Your preferences are deleted. **Nobody can undo this**: you start again without rating "
            "and history.\n"
            "A daily deal or practice match that only you see is closed, unfinished. For a deal that you have seen and "
            "that is not over, a keyed hash of your id is kept until it is, so that nobody sees two hands of it or "
            "plays it twice.\n"
            "Placings and ratings of others stay. Messages that were posted before stay in Discord, with your name, "
            "and so does your role as the winner of a game night where I am not allowed to take it back."
        )
        answer = button("Erase me", CustomId("erase-me", 0, str(interaction.user.id)), style=DANGER)
        await send(interaction, Panel(question, row(answer)))

    async def erase_me(self, interaction: Interaction, click: Click) -> None:
        """Erase the person who clicked. A second click finds nothing any more."""
        if click.match or click.rest != str(interaction.user.id):
            raise Refusal(DEAD_BUTTON)
        await defer(interaction, thinking=True)
        await self.bot.tables.check_erasing(interaction.user.id)
        async with self.bot.role_lock:  # a role that they were given in between would stay
            await take_all_back(self.bot, interaction.user.id)
            erased = await self.bot.tables.erase(interaction.user.id)
        await tell(
            interaction, "You are erased. Goodbye, and welcome back any time." if erased else NOTHING_TO_ERASE
        )


def written(user: int, person: Person) -> bytes:
    """Return an export as JSON: for each table its meaning, its columns with purpose and lifetime, and its rows."""
    tables = {
        name: {
            "about": TABLES[name].title,
            "columns": {column: _described(of) for column, of in TABLES[name].personal().items()},
            "rows": [{column: _exact(value) for column, value in each.items()} for each in rows],
        }
        for name, rows in person.tables.items()
    }
    return json.dumps({"user": str(user), "tables": tables}, ensure_ascii=False, indent=1).encode()


def _described(column: Personal) -> dict[str, str]:
    return {"purpose": column.purpose, "kept": column.kept, "erasing": column.erasing.value}


def _exact(value: Any) -> Any:
    return str(value) if isinstance(value, int) and abs(value) > SAFE else value


def file_of(content: bytes, largest: int = LARGEST) -> discord.File:
    """Return the file of an export, compressed if it has more than `largest` bytes."""
    if len(content) <= largest:
        return discord.File(io.BytesIO(content), "palmhouse.json")
    return discord.File(io.BytesIO(gzip.compress(content)), "palmhouse.json.gz")


KEPT_HASHES: Final = (
    "A keyed hash of your id stays until its deal is over, so that nobody plays it twice. "
    "Erasing keeps it until then."
)
"""Line about what erasing does not erase."""


def _summary(person: Person) -> str:
    if person.is_unknown:
        return NOTHING
    hashes = [KEPT_HASHES] if person.tables.get("former_players") else []
    counts = [f"- {TABLES[table].title}: {len(rows):,}" for table, rows in person.tables.items() if rows]
    return "\n".join(
        [
            "### What is stored about you",
            *counts,
            *hashes,
            "It is used to play, to keep score, and for `/profile`, `/history` and `/leaderboard`. It is kept until "
            "you erase it; deadlines only until the match is over. If a server removes the bot, the moves there are "
            "deleted 30 days later; results and ratings stay yours.",
            "`/privacy export` sends you all of it as a file, with the purpose of each column. `/privacy erase` "
            "erases it.",
        ]
    )
