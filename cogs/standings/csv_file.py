"""A whole table as a CSV file, for the person who pressed `As CSV`."""

import asyncio
import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

import discord

from bot.match.names import safe
from bot.messages.answers import Interaction, defer
from games.letters import ISOLATE

FORMULA: Final = tuple("=+-@\t\r＝＋－＠")
"""Beginnings of cells that a spreadsheet would run as a formula."""


async def send_csv(
    interaction: Interaction, name: str, heads: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Send the caller alone a file of that name. Each row is a place, a name as it is stored, and one cell per head."""
    await defer(interaction, thinking=True)
    content = await asyncio.to_thread(written, heads, rows)  # may be 100,000 rows
    await interaction.followup.send(
        "The whole table, for a spreadsheet.", file=discord.File(io.BytesIO(content), name), ephemeral=True
    )


def written(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return the content of the file (see `send_csv`): UTF-8 with a byte order mark, by which spreadsheets know it."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow(("Place", "Name", *heads))
    lines.writerows((place, harmless(safe(str(name))), *cells) for place, name, *cells in rows)
    return text.getvalue().encode("utf-8-sig")


def harmless(cell: str) -> str:
    """Return a text that no spreadsheet runs as a formula."""
    return f"'{cell}" if cell.lstrip(f"{ISOLATE} ").startswith(FORMULA) else cell
