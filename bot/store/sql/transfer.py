"""Export the standings of a guild, and import them, each in one transaction.

An origin identifies a match in all databases: the random id of the database where it was played, a colon, and the
number of the match there. So no match is imported twice, nor into the database it came from.
"""

import secrets
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from typing import Final, NamedTuple

from bot.store.errors import StoreFailed
from bot.store.personal import FORMER
from bot.store.rows import (
    ClosedSeason,
    FinishedMatch,
    GuildStandings,
    Imported,
    Match,
    Redo,
    Result,
    Season,
    SeasonRow,
    Write,
)
from bot.store.sql import seasons
from bot.store.sql.connections import Connections
from bot.store.sql.database import Blocking
from bot.store.sql.privacy import Erasure
from bot.store.sql.recount import recount_within

_WITH_RESULTS: Final = "counted IS NOT NULL AND EXISTS (SELECT 1 FROM results WHERE match = matches.id)"
_ORDER: Final = (
    # First to negative numbers: no two matches may have the same number at any time.
    "UPDATE matches SET counted = -place.n FROM (SELECT id, row_number() OVER (ORDER BY ended, id) AS n"
    " FROM matches WHERE counted IS NOT NULL) AS place WHERE matches.id = place.id",
    "UPDATE matches SET counted = -counted WHERE counted < 0",
)
"""Statements that number the finished matches in the order of their ends."""
MOST_MISSING: Final = 1_000_000
"""Highest number of matches that a restored backup can lack. New matches get numbers above those of a file."""


class TransferStore(Connections):
    """Standings of a guild, to take them to another database."""

    @abstractmethod
    async def _erasures(self) -> list[Erasure]:
        """Return the traces of the people who were erased here."""

    async def export_guild(self, guild: int, write: Write) -> None:
        """Call `write` in a thread with the standings of a guild, as they are at one moment. Other processes may use
        the database meanwhile. Raises whatever `write` raises."""
        try:
            await self._long(lambda db: _export(db, guild, write), self._snapshot())
        except Exception as error:
            raise self._unreadable(error) from error

    async def import_guild(
        self, standings: GuildStandings, redo: Redo, progress: Callable[[int, int], None]
    ) -> Imported:
        """Add the matches and seasons that are not here yet, order all matches by their end, and recount them as
        `recount` does: all of it or nothing. People who were erased here become "former player" again.

        Nothing else may use the database meanwhile. Raises StoreFailed, also for standings that contradict what is
        here, and whatever `progress` raises."""
        erasures = await self._erasures()
        try:
            return await self._long(
                lambda db: _import(db, standings, erasures, redo, progress), self._alone()
            )
        except Exception as error:
            raise self._not_saved(error) from error


def _export(db: Blocking, guild: int, write: Write) -> None:
    """Call `write` with the standings of a guild, as the transaction that is open sees them. Raises errors of the
    database, and whatever `write` raises."""
    (total,) = db.execute(
        f"SELECT count(*) FROM matches WHERE guild = ? AND {_WITH_RESULTS}",  # noqa: S608 - our own text
        (guild,),
    ).fetchone()
    played = [
        Season(*row) for row in db.execute("SELECT * FROM seasons WHERE guild = ? ORDER BY starts", (guild,))
    ]
    closed = [ClosedSeason(season, _table(db, season.id)) for season in played if season.closed is not None]
    unfinished = [season.name for season in played if season.closed is None]
    write(GuildStandings(guild, total, _finished_matches(db, guild), closed, unfinished))


def _import(
    db: Blocking,
    standings: GuildStandings,
    erasures: Sequence[Erasure],
    redo: Redo,
    progress: Callable[[int, int], None],
) -> Imported:
    """Add what is not there yet, and recount, in the transaction that is open. `erasures` are the people who were
    erased here. Raises errors of the database, StoreFailed, and whatever `progress` raises."""
    _check_present(db, standings.guild)
    installation = _installation(db)
    former = _Former(erasures)
    new, known = [], 0
    for finished in standings.matches:
        own = _own_number(finished.match, installation)
        here = _known(db, finished.match, own)
        if here is None:
            if own is not None:
                _check_given(db, finished.match, own)
            new.append(finished)
        else:
            known += 1
            _check_same(here, finished.match, standings.guild)
            former.learn(db, here.id, finished.results)
    tables, known_seasons = _new_seasons(db, standings)
    added = [_add(db, each, standings.guild, installation, former) for each in new]
    for season in tables:
        _add_season(db, season, standings.guild, former)
    recounted = None
    if added:
        for statement in _ORDER:
            db.execute(statement)
        recounted = recount_within(db, redo, progress)
    return Imported(added, known, len(tables), known_seasons, former.replaced, recounted)


# Matches


def _finished_matches(db: Blocking, guild: int) -> Iterator[FinishedMatch]:
    installation = _installation(db)
    query = f"SELECT * FROM matches WHERE guild = ? AND {_WITH_RESULTS} ORDER BY counted"  # noqa: S608 - our own text
    for row in db.execute(query, (guild,)):
        match = Match(*row)
        origin = match.origin or f"{installation}:{match.id}"
        results = db.execute("SELECT * FROM results WHERE match = ? ORDER BY seat", (match.id,))
        yield FinishedMatch(replace(match, origin=origin), [Result(*result) for result in results])


def _installation(db: Blocking) -> str:
    (found,) = db.execute("SELECT value FROM facts WHERE key = 'installation'").fetchone()
    return str(found)


def _own_number(match: Match, installation: str) -> int | None:
    """Return the number of a match that was played in this database; None for any other match."""
    played_in, _, number = (match.origin or "").partition(":")
    return int(number) if played_in == installation else None


def _known(db: Blocking, match: Match, own: int | None) -> Match | None:
    """Return the row of a match of the file; None if it is not here."""
    row = db.execute(
        "SELECT * FROM matches WHERE origin = ? UNION ALL SELECT * FROM matches WHERE id = ? AND origin IS NULL",
        (match.origin, own),
    ).fetchone()
    return Match(*row) if row else None


def _check_same(here: Match, match: Match, guild: int) -> None:
    """Raise StoreFailed unless a match of the file is the one that is here."""
    if here.guild < 0:
        raise StoreFailed(
            f"Server {guild} removed the bot more than 30 days ago, and its matches here belong to no server any "
            "more. They cannot be given back to it."
        )
    if here.guild != guild:
        raise StoreFailed(
            f"Match {match.origin} of the file is stored here as a match of another server ({here.guild}). A match "
            "belongs to one server. Import a file that was exported and not changed."
        )
    parts = ["game", "rules", "opened"]
    if here.ended is not None:  # else the database was restored from a backup, and the match goes on here
        parts += ["started", "ended"]
    if any(getattr(here, part) != getattr(match, part) for part in parts):
        raise StoreFailed(
            f"Match {match.origin} of the file has the same origin as match {here.id} here, but is another match. "
            "Either the file was changed, or it comes from a copy of this database with which a second bot played. "
            "Import a file that was exported and not changed; standings of such copies cannot be put together."
        )


def _check_given(db: Blocking, match: Match, own: int) -> None:
    """Raise StoreFailed unless this database can have given the number `own` to a match of the file, as before it was
    restored from a backup."""
    query = "SELECT id, opened FROM matches WHERE origin IS NULL AND id"
    before = db.execute(f"{query} < ? ORDER BY id DESC LIMIT 1", (own,)).fetchone() or (0, 0)
    after = db.execute(f"{query} > ? ORDER BY id LIMIT 1", (own,)).fetchone() or (own, match.opened)
    # Numbers are given in the order in which matches are opened.
    if own > before[0] + MOST_MISSING or not before[1] <= match.opened <= after[1]:
        raise StoreFailed(
            f"The file says that match {match.origin} was played in this database, but that number was never given "
            "here at that time. Import a file that was exported and not changed; into a database restored from a "
            "backup, before new tables are opened there."
        )


def _add(db: Blocking, finished: FinishedMatch, guild: int, installation: str, former: "_Former") -> int:
    """Add a match that is not here. Return its number."""
    match, number = finished.match, _own_number(finished.match, installation)
    if number is not None and db.execute("SELECT 1 FROM matches WHERE id = ?", (number,)).fetchone():
        number = None
    # A match of this database gets back its number: the database was restored from an older backup.
    origin = match.origin if number is None else None
    given = {} if number is None else {"id": number}
    columns = "".join(f"{column}, " for column in given)
    (number,) = db.execute(
        f"INSERT INTO matches ({columns}game, rules, options, seed, guild, channel, host, phase, opened, started,"  # noqa: S608
        f" ended, counted, rated, origin) SELECT {'?, ' * len(given)}?, ?, ?, '', ?, 0, 0, 'over', ?, ?, ?,"
        " (SELECT coalesce(max(counted), 0) + 1 FROM matches WHERE counted IS NOT NULL), ?, ? RETURNING id",
        (
            *(*given.values(), match.game, match.rules, match.options, guild),
            *(match.opened, match.started, match.ended, match.rated, origin),
        ),
    ).fetchone()
    for result in finished.results:
        user, name = former.instead_of(result.user, result.name)
        row = replace(result, match=number, guild=guild, user=user, name=name)
        db.execute("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", astuple(row))
    return int(number)


def _check_present(db: Blocking, guild: int) -> None:
    """Raise StoreFailed for a guild that is marked as left."""
    # What is imported would be purged soon.
    if db.execute("SELECT 1 FROM guilds_left WHERE guild = ?", (guild,)).fetchone():
        raise StoreFailed(
            f"Server {guild} has removed the bot, so its matches here will be deleted. Invite the bot to the server "
            "again and start it, then stop it and import the file."
        )


# Seasons


def _table(db: Blocking, season: int) -> list[SeasonRow]:
    return [SeasonRow(*row) for row in db.execute(seasons.TABLE, (season,))]


class _Span(NamedTuple):
    name: str
    starts: int
    ends: int
    closed: int | None


def _new_seasons(db: Blocking, standings: GuildStandings) -> tuple[list[ClosedSeason], int]:
    """Return the seasons that are not here, and the number of the others. Raises StoreFailed for a season that overlaps
    another one here, or has its name."""
    here = [
        _Span(*row)
        for row in db.execute(
            "SELECT name, starts, ends, closed FROM seasons WHERE guild = ?", (standings.guild,)
        )
    ]
    spans = {(each.starts, each.ends) for each in here if each.closed is not None}
    new = [each for each in standings.seasons if (each.season.starts, each.season.ends) not in spans]
    for season, _ in new:
        for other in here:
            is_namesake = other.name.casefold() == season.name.casefold()
            if is_namesake or (other.starts < season.ends and other.ends > season.starts):
                raise StoreFailed(
                    f"Season {season.name!r} of the file overlaps season {other.name!r} here, or has its name. A "
                    "server has one season at a time, each with a name of its own. If only the names are equal, rename "
                    "the season here by `/settings season rename`; otherwise the standings cannot be put together."
                )
    return new, len(standings.seasons) - len(new)


def _add_season(db: Blocking, closed: ClosedSeason, guild: int, former: "_Former") -> None:
    season = closed.season
    (number,) = db.execute(
        # The final table is not posted again, so there is no message.
        "INSERT INTO seasons (guild, channel, name, starts, ends, closed, message) VALUES (?, 0, ?, ?, ?, ?, 0)"
        " RETURNING id",
        (guild, season.name, season.starts, season.ends, season.closed),
    ).fetchone()
    for row in closed.rows:
        user, name = former.instead_of(row.user, row.name)
        db.execute(
            "INSERT INTO season_tables (season, user, name, place, points, wins, matches)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, user, name, row.place, row.points, row.wins, row.matches),
        )


# People who were erased here


class _Former:
    """Replaces people who are in the ledger by random numbers: one for each of them."""

    def __init__(self, erasures: Sequence[Erasure]) -> None:
        self._erasures = erasures
        self._numbers: dict[int, int | None] = {}
        """By person: the number in their place; None for somebody who was not erased."""
        self._learned: dict[int, int] = {}
        """By person: the number that stands in their place here, in a match that is here already."""
        self._replaced: set[int] = set()

    @property
    def replaced(self) -> int:
        """Number of people who were replaced."""
        return len(self._replaced)

    def learn(self, db: Blocking, match: int, results: Iterable[Result]) -> None:
        """Read which numbers stand in the place of erased people in a match that is here already."""
        for seat, user in db.execute("SELECT seat, user FROM results WHERE match = ? AND user < 0", (match,)):
            for result in results:
                if result.seat == seat and result.user > 0:
                    self._learned.setdefault(result.user, user)

    def instead_of(self, user: int, name: str) -> tuple[int, str]:
        """Return the id and the name under which a person of the file is stored."""
        if user < 0:  # was erased before the export
            return user, FORMER
        if user not in self._numbers:
            self._numbers[user] = self._number(user)
        number = self._numbers[user]
        if number is None:
            return user, name
        self._replaced.add(user)
        return number, FORMER

    def _number(self, user: int) -> int | None:
        if user in self._learned:
            return self._learned[user]
        is_erased = any(erasure.is_of(user) for erasure in self._erasures)
        return -secrets.randbelow(2**62) - 1 if is_erased else None
