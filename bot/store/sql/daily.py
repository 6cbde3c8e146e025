"""SQL of daily deals."""

from collections.abc import Iterable
from typing import Any, Final

from bot.store.rows import Attempt, Finished
from bot.store.sql.database import Database

ATTEMPT: Final = "SELECT * FROM daily_attempts WHERE user = ? AND day = ?"
"""Query for `Store.attempt`."""
UNFINISHED: Final = (
    "SELECT a.* FROM matches JOIN daily_attempts AS a ON a.match = id"
    " WHERE phase IN ('lobby', 'play') AND day < ? ORDER BY id LIMIT ?"
)
"""Query for `Store.unfinished_attempts`."""


def first(rows: Iterable[Any]) -> Attempt | None:
    """Return the first of these rows as an attempt."""
    return next((Attempt(*row) for row in rows), None)


async def finish(db: Database, match: int, finished: Finished) -> None:
    """Keep the result of a match that is an attempt; do nothing for other matches."""
    if finished.alone is not None:
        await db.execute(
            "UPDATE daily_attempts SET placing = ?, score = ?, ended = ? WHERE match = ?",
            (*finished.alone, match),
        )
