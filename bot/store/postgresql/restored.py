"""Tell a database that it was restored from a dump (`bot.store.sql.restored`)."""

from typing import Any, Final

from bot.store.postgresql.connection import Raw
from bot.store.seeds import new_seed
from bot.store.sql.restored import IS_SEALED, IS_TO_COME, RESTORED, cut_anew, night_secret

# Nobody knows which numbers were given since: those in play may be in buttons. So these are left out: more than a bot
# gives between two dumps, and far fewer than an import bridges (MOST_MISSING of `bot.store.sql.transfer`). The last
# value is never below the highest number that is there. It stays when the transaction fails, which does no harm.
PAST_GIVEN: Final = (
    "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + 10000)"
    " FROM pg_sequences WHERE schemaname = current_schema()"
)
"""Query after which no match, season, preset or night gets a number that was given since the dump."""
SEALED: Final = f"SELECT id FROM matches WHERE {IS_SEALED}"  # noqa: S608 - our own text
SEAL: Final = "UPDATE matches SET seed = $1 WHERE id = $2"
CUTS: Final = (
    "SELECT seed, body, match, n FROM log JOIN matches ON match = id"  # noqa: S608 - our own text
    f" WHERE kind = 'cut' AND {IS_SEALED}"
)
TO_COME: Final = f"SELECT id FROM nights WHERE {IS_TO_COME}"  # noqa: S608 - our own text
NIGHT: Final = "UPDATE nights SET secret = $1 WHERE id = $2"
CUT: Final = "UPDATE log SET body = $1 WHERE match = $2 AND n = $3"


async def note_restored(raw: Raw) -> None:
    """Do what a restore of a file does, in the transaction that is open."""
    for statement in (PAST_GIVEN, *RESTORED):
        await raw.execute(statement.encode())
    for (match,) in await _rows(raw, SEALED):
        await raw.execute(SEAL.encode(), (new_seed(), match))
    for seed, body, match, n in await _rows(raw, CUTS):
        await raw.execute(CUT.encode(), (cut_anew(seed, body), match, n))
    for (night,) in await _rows(raw, TO_COME):
        await raw.execute(NIGHT.encode(), (night_secret(), night))


async def _rows(raw: Raw, query: str) -> list[tuple[Any, ...]]:
    return await (await raw.execute(query.encode())).fetchall()
