"""`python -m bot move-to`: take everything in the database file to a PostgreSQL database."""

import asyncio
from functools import partial
from pathlib import Path

from bot.hosting.recount import progress_bar, redo, report
from bot.hosting.transfer import Stopping
from bot.store import StoreRefused, open_store
from bot.store.sqlite.contents import check_newest
from bot.store.sqlite.opening import alone
from games.phrases import counted


async def move_to(path: Path, url: str) -> str:
    """Copy the database file to an empty PostgreSQL database, with progress bars on stderr, and recount there. The file
    stays as it is. Return a report.

    Raises StoreRefused, also while a bot or task uses one of them, and StoreFailed."""
    with alone(path), Stopping() as stopping:
        await asyncio.to_thread(check_newest, path)
        try:
            store = await open_store(url)  # makes the tables, and keeps bots away
        except StoreRefused as refusal:
            raise StoreRefused(str(refusal).replace("DATABASE_URL", "the address")) from None
        try:
            from bot.store.postgresql.moving import move  # here, as few need psycopg

            bars = stopping.watched(progress_bar(of="rows")), stopping.watched(progress_bar())
            moved = await asyncio.to_thread(partial(move, path, url, redo, *bars))
        finally:
            await store.close()
    return (
        f"Moved {counted(moved.matches, 'match')}, {moved.rows:,} rows in all. {report(moved.recounted)}\n"
        "Set DATABASE_URL to the address now, and start the bot. To go back, remove DATABASE_URL: "
        f"{path} is as it was, but what is played from now on is not in it. When you no longer need it, delete it: "
        "people who erase themselves later are still in it."
    )
