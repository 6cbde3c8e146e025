"""The store: all that it does, in the SQL that both engines understand. `tests/bot/store` has its contract.

Times are ms since the Unix epoch on Discord's clock. A write returns once it is on the disk; it raises StoreFailed when
nothing of it was kept. Cancelling the caller does not undo a write; read again to see whether it was kept. Reads raise
Unreadable. Every write goes through one writer; writes that wait at the same time share one commit.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, fields
from typing import Any, ClassVar, TypeVar

from bot.store.errors import StoreFailed, Unreadable
from bot.store.rows import (
    Attempt,
    Beaten,
    FactValues,
    Finished,
    GuildSettings,
    GuildStandings,
    Imported,
    LogRow,
    Match,
    NewMatch,
    Participant,
    Person,
    Placed,
    Played,
    Post,
    Preferences,
    ProgressRow,
    RatingRow,
    RatingStep,
    Recounted,
    Redo,
    Season,
    SeasonResult,
    SeasonRow,
    Selection,
    Standing,
    StoreHealth,
    Tabulate,
    Write,
)
from bot.store.sql import daily, guilds, history, logs, privacy, seasons, standings
from bot.store.sql.database import Blocking, Database, Reading, Values
from bot.store.sql.recount import recount
from bot.store.sql.transfer import export_guild, import_guild
from bot.store.sql.writer import Writer

T = TypeVar("T")


class Store(ABC):
    """An open database: everything that outlives the process. One connection reads, and one writes."""

    latest_name: ClassVar[str] = "name"
    """Expression for the name in the row with the latest `ended` of a group."""

    def __init__(self, reading: Reading, writer: Writer) -> None:
        self._reading = reading
        self._writer = writer
        self.on_write = writer.on_write
        """Callbacks for each write: the seconds from its request until it was on the disk, and False when it failed.
        They must not raise."""

    async def close(self) -> None:
        """Finish the writes that wait, then close."""
        try:
            await self._reading.close()
        finally:
            await self._writer.close()

    async def flush(self) -> None:
        """Wait until every write requested so far is done or has failed, including those of cancelled callers."""
        await self._writer.flush()

    @abstractmethod
    async def health(self) -> StoreHealth:
        """Return whether the last write was kept, and the space on the disk. Raises OSError when it cannot be read."""

    @abstractmethod
    async def until_lost(self) -> str:
        """Wait until somebody has deleted or replaced the file of this database. Keep its content in a new file, and
        return a sentence about that. From then on every write raises StoreFailed. On a server: wait until another bot
        has taken the database."""

    @abstractmethod
    def _snapshot(self) -> AbstractContextManager[Blocking]:
        """Return a connection that reads everything as it is at one moment."""

    @abstractmethod
    def _alone(self) -> AbstractContextManager[Blocking]:
        """Return a connection in a transaction that is committed at the end of the block."""

    @abstractmethod
    async def _erasures(self) -> list[privacy.Erasure]:
        """Return the traces of the people who were erased here."""

    async def _long(self, work: Callable[[Blocking], T], where: AbstractContextManager[Blocking]) -> T:
        """Run `work` in a thread."""

        def run() -> T:
            with where as db:
                return work(db)

        return await asyncio.to_thread(run)

    def _not_saved(self, error: Exception) -> StoreFailed:
        """Return the error that the caller of a write gets. Raises an error that is not the database's."""
        return StoreFailed(f"This was not saved: {self._reason(error)}.")

    def _unreadable(self, error: Exception) -> Unreadable:
        """Return the error that the caller of a read gets. Raises an error that is not the database's."""
        return Unreadable(f"The database cannot be read: {self._reason(error)}.")

    def _reason(self, error: Exception) -> str:
        reason = self._reading.reason(error)
        if reason is None:
            raise error
        return reason

    # Matches

    async def create(self, match: NewMatch, entries: Sequence[LogRow], deadlines: Mapping[int, int]) -> Match:
        """Keep a new lobby with its first entries and deadlines. Return its row; its number was never used before.

        Raises StoreFailed for a second rematch of one match.
        """

        async def work(db: Database) -> Match:
            created = await _create(db, match, entries)
            await _set_deadlines(db, created.id, deadlines)
            return created

        return await self._writer.write(work)

    async def append(
        self,
        match: int,
        entries: Sequence[LogRow],
        *,
        deadlines: Mapping[int, int] | None = None,
        phase: str | None = None,
        started: int | None = None,
        ended: int | None = None,
        finished: Finished | None = None,
        may: Callable[[], bool] | None = None,
    ) -> None:
        """Append entries to a match's log, together with everything that follows from them: all of it or nothing.

        - `deadlines`, seat -> due ms: all of the match from now on. Seat -1 is the table itself, -2 its game or kept
          seats.
        - `phase`, `started`, `ended`: columns of the match's row.
        - `finished`: the result to count, for standings and daily deals.
        - `may`: called right before; if it returns False, nothing is kept.

        None leaves each of them as it is.

        Raises StoreFailed when an entry does not follow the last one of the log (another process, or a write whose
        caller was cancelled, has appended before), when the match is counted already, and when it may not be kept.
        """

        async def work(db: Database) -> None:
            if may is not None and not may():
                raise StoreFailed("This was not saved: another process runs this table now.")
            await _add_entries(db, match, entries)
            if deadlines is not None:
                await _set_deadlines(db, match, deadlines)
            await _update(db, match, phase=phase, started=started, ended=ended)
            if finished is not None:
                await standings.count(db, match, finished)
                await daily.finish(db, match, finished)

        await self._writer.write(work)

    async def update_match(
        self,
        match: int,
        *,
        place: int | None = None,
        card: int | None = None,
        published: int | None = None,
    ) -> None:
        """Change columns of a match's row; None keeps one as it is."""
        await self._writer.write(lambda db: _update(db, match, place=place, card=card, published=published))

    async def posts(self, match: int) -> list[Post]:
        """Return the messages of a match, by kind and number."""
        rows = await self._read("SELECT * FROM posts WHERE match = ? ORDER BY kind, number", match)
        return [Post(*row) for row in rows]

    async def save_post(self, post: Post) -> None:
        """Keep a message, in place of the one with its match, kind and number."""
        await self._writer.write(
            lambda db: db.execute(
                "INSERT INTO posts VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (match, kind, number) DO UPDATE SET"
                " channel = excluded.channel, message = excluded.message, old = excluded.old,"
                " final = excluded.final, copies = excluded.copies",
                astuple(post),
            )
        )

    async def delete_post(self, post: Post) -> None:
        """Forget the message with this match, kind and number."""
        await self._writer.write(
            lambda db: db.execute(
                "DELETE FROM posts WHERE match = ? AND kind = ? AND number = ?",
                (post.match, post.kind, post.number),
            )
        )

    async def match(self, match: int) -> Match | None:
        """Return a match by its number, None for an unknown one."""
        rows = await self._read("SELECT * FROM matches WHERE id = ?", match)
        return next((Match(*row) for row in rows), None)

    async def rematch(self, match: int) -> int | None:
        """Return the rematch of a match. One that closed before it began does not count."""
        rows = await self._read(
            "SELECT id FROM matches WHERE rematch_of = ? AND (phase <> 'closed' OR started IS NOT NULL)",
            match,
        )
        return next((rematch for (rematch,) in rows), None)

    async def open_matches(self) -> list[Match]:
        """Return all matches in the lobby or in play, oldest first."""
        rows = await self._read("SELECT * FROM matches WHERE phase IN ('lobby', 'play') ORDER BY id")
        return [Match(*row) for row in rows]

    async def unpublished(self) -> list[Match]:
        """Return the matches with a place, open or not, whose messages lag behind their log or are being replaced,
        oldest first."""
        rows = await self._read(
            # CROSS JOIN keeps the order of the tables: most matches have a packed log, and no rows.
            "SELECT * FROM matches WHERE id IN"
            " (SELECT id FROM matches CROSS JOIN log ON match = id WHERE channel <> 0 AND n > published"
            " UNION SELECT match FROM posts WHERE old IS NOT NULL) ORDER BY id"
        )
        return [Match(*row) for row in rows]

    async def ended_in_threads(self, since: int) -> list[Match]:
        """Return the matches that ended after a time in ms and were played in a thread of their own."""
        rows = await self._read(
            "SELECT * FROM matches WHERE ended > ? AND place <> channel ORDER BY id", since
        )
        return [Match(*row) for row in rows]

    async def members(self) -> list[tuple[int, int]]:
        """Return (match, user) of everybody who has a seat at an open match with a place."""
        rows = await self._read(
            "SELECT match, user FROM (SELECT match, user, kind, row_number() OVER"
            " (PARTITION BY match, user ORDER BY n DESC) AS back FROM log JOIN matches ON match = id"
            " WHERE phase IN ('lobby', 'play') AND channel <> 0"
            " AND kind IN ('sit', 'take', 'leave', 'give')) AS seated"
            " WHERE back = 1 AND kind IN ('sit', 'take') ORDER BY match, user"
        )
        return [(match, user) for match, user in rows]

    async def log(self, match: int, after: int = 0) -> list[LogRow]:
        """Return the entries of a match after number `after`, in order."""
        return logs.entries(match, await self._read(logs.ENTRIES, match, after), after)

    async def lengths(self, matches: Iterable[int]) -> dict[int, int]:
        """Return the number of the last entry of each of these matches that has a log as rows."""
        rows = await self._read(
            "SELECT match, max(n) FROM log WHERE match IN (SELECT value FROM json_each(?)) GROUP BY match",
            json.dumps([*matches]),
        )
        return dict(rows)

    async def pack_logs(self, until: int, after: int = 0) -> int | None:
        """Compress the logs of the next few matches: those after match `after` that ended at `until` or earlier, and
        whose messages show the whole log. Return the last of them, from which the next call goes on; None when there
        are no more.

        The logs read as before, but nothing can be appended. Of the messages of their pages only the last page's and
        the newest are kept. Other writes wait for some ms only."""
        matches = [match for (match,) in await self._read(logs.TO_PACK, after, until, logs.AT_ONCE)]
        return await self._writer.write(lambda db: logs.pack_some(db, matches)) if matches else None

    # Clocks

    async def deadlines(self, match: int) -> dict[int, int]:
        """Return the deadlines of a match: seat -> due ms."""
        rows = await self._read("SELECT seat, due FROM clocks WHERE match = ? ORDER BY seat", match)
        return dict(rows)

    async def next_deadline(self, after: int) -> int | None:
        """Return the earliest deadline of any match that is later than `after`."""
        due: int | None
        ((due,),) = await self._read("SELECT min(due) FROM clocks WHERE due > ?", after)
        return due

    async def due_deadlines(self, now: int) -> list[tuple[int, int, int]]:
        """Return the deadlines up to `now` as (match, seat, due ms), earliest first."""
        rows = await self._read(
            "SELECT match, seat, due FROM clocks WHERE due <= ? ORDER BY due, match, seat", now
        )
        return [(match, seat, due) for match, seat, due in rows]

    async def with_game_deadlines(self) -> list[int]:
        """Return the matches whose game does something by itself (a deadline of seat -2), oldest first."""
        rows = await self._read("SELECT match FROM clocks WHERE seat = -2 ORDER BY match")
        return [match for (match,) in rows]

    async def heartbeat(self, now: int) -> None:
        """Keep `now` as the time at which the process was last known to be alive."""
        await self._writer.write(lambda db: _heartbeat(db, now))

    async def last_heartbeat(self) -> int | None:
        """Return the last time the process was known to be alive; None for a new database."""
        rows = await self._read("SELECT at FROM alive")
        return next((at for (at,) in rows), None)

    async def postpone(self, ms: int, matches: Iterable[int], now: int) -> None:
        """Move the deadlines of these matches by `ms`, except those of seat -2 (times at which a game does something by
        itself). Keep `now` as the last heartbeat in the same transaction, so that no outage is counted twice."""

        async def work(db: Database) -> None:
            await db.execute(
                "UPDATE clocks SET due = due + ? WHERE seat <> -2 AND match IN (SELECT value FROM json_each(?))",
                (ms, json.dumps([*matches])),
            )
            await _heartbeat(db, now)

        await self._writer.write(work)

    # Standings, preferences, facts

    async def leaderboard(
        self, guild: int, game: str | None = None, *, pool: str | None = None, since: int = 0
    ) -> list[Standing]:
        """Return the standings of everybody with a match in a guild that ended at `since` or later: most wins first,
        then best mean placing, then most matches, then lowest user.

        With `game` only matches of that game count. With `pool` only those that were rated in that pool of the game.
        """
        query, values = standings.leaderboard(guild, game, pool, since, latest_name=self.latest_name)
        return [Standing(*row) for row in await self._read(query, *values)]

    async def ratings(self, pool: str, users: Iterable[int]) -> dict[int, RatingRow]:
        """Return the present ratings of those of `users` who have one in this pool."""
        rows = await self._read(standings.CURRENT, *standings.current(pool, users))
        return standings.by_user(rows)

    async def participants(self, pool: str, *, matches: int, since: int) -> list[Participant]:
        """Return the people on the leaderboard of all servers, by user: those with an alias and at least `matches`
        rated matches in this pool, of which the last ended at `since` or later."""
        rows = await self._read(standings.PARTICIPANTS, pool, matches, since)
        return [*map(Participant._make, rows)]

    async def rating_steps(self, match: int) -> list[RatingStep]:
        """Return the changes of ratings by a match, by seat; none if it is not rated."""
        return standings.steps(await self._read(standings.STEPS, match))

    async def together(self, ratings: Sequence[RatingRow], since: int) -> int:
        """Return the place of a rated match among those of exactly its people, in its pool, that ended after `since`: 1
        for the first. `ratings` are all ratings after it; 1 if there are none."""
        if not ratings:
            return 1
        users = [row.user for row in ratings]
        return await standings.together(
            lambda query, values: self._read(query, *values), users, ratings, since, ratings[0].at
        )

    async def recount(self, redo: Redo, progress: Callable[[int, int], None]) -> Recounted:
        """Compute the results, ratings and milestones of all finished matches anew, in the order in which they were
        counted, and store what differs: all of it or nothing. `progress` is called with the matches done and their
        number.

        Nothing else may use the database meanwhile."""
        try:
            return await self._long(lambda db: recount(db, redo, progress), self._alone())
        except Exception as error:
            raise self._not_saved(error) from error

    async def export_guild(self, guild: int, write: Write) -> None:
        """Call `write` in a thread with the standings of a guild, as they are at one moment. Other processes may use
        the database meanwhile. Raises whatever `write` raises."""
        try:
            await self._long(lambda db: export_guild(db, guild, write), self._snapshot())
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
                lambda db: import_guild(db, standings, erasures, redo, progress), self._alone()
            )
        except Exception as error:
            raise self._not_saved(error) from error

    async def progress(self, users: Iterable[int]) -> dict[int, ProgressRow]:
        """Return the progress of those of `users` who have some, by user."""
        return standings.progress(await self._read(standings.PROGRESS, json.dumps([*users])))

    async def finishes(self, user: int, *, since: int, limit: int) -> list[bool]:
        """Return for each of the person's matches that ended at `since` or later, the latest first and `limit` at most,
        whether the person finished it (see `Result.finished`)."""
        return [bool(done) for (done,) in await self._read(standings.FINISHES, user, since, limit)]

    async def placings(self, selection: Selection) -> list[Placed]:
        """Return the person's placings in these matches, the earliest match first."""
        return [*map(Placed._make, await self._read(*history.placings(selection)))]

    async def history(self, selection: Selection, limit: int, skipped: int = 0) -> tuple[int, list[Played]]:
        """Return the number of these matches, and `limit` of them: the latest first, without the first `skipped`."""
        ((total,),) = await self._read(*history.number(selection))
        matches = [row[0] for row in await self._read(*history.page(selection, limit, skipped))]
        results = await self._read(*history.results(matches))
        ratings = await self._read(*history.ratings(selection.user, matches))
        return total, history.played(matches, results, ratings)

    async def fact_values(self, selection: Selection) -> list[FactValues]:
        """Return the values of the person's facts over these matches, by game and key."""
        return [FactValues(*row) for row in await self._read(*history.fact_values(selection))]

    async def best_win(self, selection: Selection, matches: int, sigma: float) -> Beaten | None:
        """Return the highest rated person whom this person has beaten by a first place in one of these matches.

        Only people count whose rating after the match had at least `matches` matches and at most `sigma`."""
        rows = await self._read(*history.best_win(selection, matches, sigma))
        return next(map(history.beaten, rows), None)

    async def rating_course(self, user: int, pool: str) -> list[tuple[int, float]]:
        """Return the person's rating after each rated match in a pool, in order: end of the match in ms, and mu."""
        rows = await self._read(
            "SELECT at, mu FROM ratings WHERE user = ? AND pool = ? ORDER BY n", user, pool
        )
        return [(at, mu) for at, mu in rows]

    async def add_season(self, guild: int, channel: int, name: str, starts: int, ends: int) -> Season | None:
        """Add a season. Return None when it overlaps another season of the guild, or has its name.

        Raises StoreFailed for a season that does not end after its start."""
        return await self._writer.write(lambda db: seasons.add(db, guild, channel, name, starts, ends))

    async def rename_season(self, season: int, name: str) -> bool:
        """Give a season another name. Return False when another season of its guild has that name."""
        return await self._change(
            "UPDATE seasons AS s SET name = ?1 WHERE id = ?2 AND NOT EXISTS"
            " (SELECT 1 FROM seasons WHERE guild = s.guild AND name = ?1 AND id <> ?2)",
            name,
            season,
        )

    async def end_season(self, season: int, at: int) -> bool:
        """Let a season end at `at`. Return False when it is closed, has not started before `at`, or ends by then."""
        return await self._change(
            "UPDATE seasons SET ends = ?1 WHERE id = ?2 AND closed IS NULL AND starts < ?1 AND ends > ?1",
            at,
            season,
        )

    async def cancel_season(self, season: int, at: int) -> bool:
        """Delete a season that starts after `at`. Return False when it does not, or when a match has started in it."""
        return await self._change(seasons.CANCEL, season, at)

    async def close_season(
        self, season: int, at: int, tabulate: Tabulate, *, unless_playing: bool = True
    ) -> bool:
        """Close a season that has ended, and store its final table: all of it or nothing.

        Return False, and change nothing, when it is closed already, when it ends after `at`, and with `unless_playing`
        while one of its matches is in play. `tabulate` must be quick and raise nothing."""
        return await self._writer.write(
            lambda db: seasons.close(db, season, at, tabulate, unless_playing=unless_playing)
        )

    async def seasons(self, guild: int) -> list[Season]:
        """Return the seasons of a guild, the latest first."""
        rows = await self._read("SELECT * FROM seasons WHERE guild = ? ORDER BY starts DESC", guild)
        return [Season(*row) for row in rows]

    async def unfinished_seasons(self) -> list[Season]:
        """Return the seasons that are not closed or whose final table is not posted, oldest first."""
        rows = await self._read("SELECT * FROM seasons WHERE message IS NULL ORDER BY id")
        return [Season(*row) for row in rows]

    async def season_results(self, season: int) -> list[SeasonResult]:
        """Return the results in all rated matches of a season, in the order in which they were counted."""
        return [SeasonResult(*row) for row in await self._read(seasons.RESULTS, season)]

    async def final_table(self, season: int) -> list[SeasonRow]:
        """Return the final table of a season, best place first; nothing before it is closed."""
        return [SeasonRow(*row) for row in await self._read(seasons.TABLE, season)]

    async def keep_final_post(self, season: int, message: int) -> None:
        """Keep the message with the final table of a season."""
        await self._change("UPDATE seasons SET message = ? WHERE id = ?", message, season)

    async def guild_settings(self, guild: int) -> GuildSettings:
        """Return the settings of a guild; for a new guild, the defaults."""
        rows = await self._read(
            "SELECT season_role, channels, pace, table_role FROM guild_settings WHERE guild = ?", guild
        )
        return next(map(guilds.settings, rows), GuildSettings())

    async def set_season_role(self, guild: int, role: int | None) -> None:
        """Set the role whose members may change the seasons of a guild; None for no role."""
        await self._change(guilds.set_column("season_role"), guild, role)

    async def set_table_channels(self, guild: int, channels: Sequence[int]) -> None:
        """Set the channels of a guild in which tables may be opened; none for all channels."""
        await self._change(guilds.set_column("channels"), guild, json.dumps([*channels]))

    async def set_default_pace(self, guild: int, pace: str) -> None:
        """Set the pace of tables of a guild that are opened without one. Raises StoreFailed for an unknown pace."""
        await self._change(guilds.set_column("pace"), guild, pace)

    async def set_table_role(self, guild: int, role: int | None) -> None:
        """Set the role whose members may close the tables of a guild; None for no role."""
        await self._change(guilds.set_column("table_role"), guild, role)

    async def preferences(self, user: int) -> Preferences:
        """Return a person's preferences; for a new person, the defaults."""
        rows = await self._read(
            "SELECT hand, pings, pictures, cards, card_order, ratings, alias, replays FROM preferences WHERE user = ?",
            user,
        )
        return next((Preferences(*row) for row in rows), Preferences())

    async def set_preference(self, user: int, preference: str, word: str) -> None:
        """Change one preference, named by its field. Raises ValueError for an unknown field, StoreFailed for a
        word that is not one of its values."""
        usual = Preferences()
        # Only names from this dictionary become part of the query.
        columns = {field.name: field.name for field in fields(usual)} | {"order": "card_order"}
        if preference not in columns:
            raise ValueError(f"there is no preference {preference!r}")

        async def work(db: Database) -> None:
            marks = ", ".join("?" * len(columns))
            await db.execute(
                f"INSERT INTO preferences (user, {', '.join(columns.values())}) VALUES (?, {marks})"  # noqa: S608
                " ON CONFLICT DO NOTHING",
                (user, *astuple(usual)),
            )
            query = f"UPDATE preferences SET {columns[preference]} = ? WHERE user = ?"  # noqa: S608
            await db.execute(query, (word, user))

        await self._writer.write(work)

    async def who_want_pings(self, users: Sequence[int], *, urgent: bool) -> list[int]:
        """Return those of `users` who want to be mentioned for their turn, or with `urgent` for a reminder."""
        wants = [(user, (await self.preferences(user)).pings) for user in users]
        return [user for user, pings in wants if pings == "always" or (urgent and pings == "only reminders")]

    async def lesson(self, user: int, game: str) -> int:
        """Return the number of steps that a person has done in the lesson of a game."""
        rows = await self._read("SELECT steps FROM lessons WHERE user = ? AND game = ?", user, game)
        return next((steps for (steps,) in rows), 0)

    async def set_lesson(self, user: int, game: str, steps: int) -> None:
        """Keep the number of steps that a person has done in the lesson of a game."""
        await self._change(
            "INSERT INTO lessons VALUES (?1, ?2, ?3) ON CONFLICT (user, game) DO UPDATE SET steps = ?3",
            user,
            game,
            steps,
        )

    async def offer_lesson(self, user: int, game: str) -> bool:
        """Keep that a person was offered the lesson of a game. Return False, and keep nothing, if they were offered it
        before or have begun it, or have a result or a daily attempt in that game."""
        return await self._change(
            "INSERT INTO lessons SELECT ?1, ?2, 0"
            " WHERE NOT EXISTS (SELECT 1 FROM results WHERE user = ?1 AND game = ?2)"
            " AND NOT EXISTS (SELECT 1 FROM daily_attempts AS a JOIN matches AS m ON m.id = a.match"
            " WHERE a.user = ?1 AND m.game = ?2) ON CONFLICT DO NOTHING",
            user,
            game,
        )

    async def fact(self, key: str) -> str | None:
        """Return a fact about the bot itself, such as the fingerprint of the commands it has registered."""
        rows = await self._read("SELECT value FROM facts WHERE key = ?", key)
        return next((value for (value,) in rows), None)

    async def set_fact(self, key: str, value: str) -> None:
        """Keep a fact in place of an older one."""
        await self._writer.write(
            lambda db: db.execute(
                "INSERT INTO facts VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value),
            )
        )

    async def add_fact(self, key: str, value: str) -> str:
        """Keep a fact unless there is one. Return the one that is kept."""
        await self._change("INSERT INTO facts VALUES (?, ?) ON CONFLICT DO NOTHING", key, value)
        kept = await self.fact(key)
        assert kept is not None
        return kept

    # Daily deals

    async def begin_attempt(
        self, day: int, guild: int, name: str, match: NewMatch, entries: Sequence[LogRow]
    ) -> Attempt:
        """Keep an attempt of the match's host at the deal of a day, and its match as a lobby with its first entries:
        both or nothing. A person who has an attempt at that day gets that one, and nothing changes."""

        async def work(db: Database) -> Attempt:
            rows = await db.fetch(daily.ATTEMPT, (match.host, day))
            if known := daily.first(rows):
                return known
            created = await _create(db, match, entries)
            attempt = Attempt(match.host, day, created.id, guild, name)
            await db.execute("INSERT INTO daily_attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", astuple(attempt))
            return attempt

        return await self._writer.write(work)

    async def attempt(self, user: int, day: int) -> Attempt | None:
        """Return a person's attempt at the deal of a day."""
        return daily.first(await self._read(daily.ATTEMPT, user, day))

    async def attempt_of(self, match: int) -> Attempt | None:
        """Return the attempt that a match belongs to; None for other matches."""
        return daily.first(await self._read("SELECT * FROM daily_attempts WHERE match = ?", match))

    async def attempts(self, day: int) -> list[Attempt]:
        """Return all attempts at the deal of a day, by user."""
        rows = await self._read("SELECT * FROM daily_attempts WHERE day = ? ORDER BY user", day)
        return [Attempt(*row) for row in rows]

    async def finished_days(self, user: int) -> list[int]:
        """Return the days whose deals the person has finished, ascending."""
        rows = await self._read(
            "SELECT day FROM daily_attempts WHERE user = ? AND placing IS NOT NULL ORDER BY day", user
        )
        return [day for (day,) in rows]

    async def unfinished_attempts(self, before: int, limit: int) -> list[Attempt]:
        """Return the attempts at deals of days before `before` whose match is open: oldest first, `limit` at most."""
        return [Attempt(*row) for row in await self._read(daily.UNFINISHED, before, limit)]

    async def practice_without_place(self, user: int) -> list[int]:
        """Return the open matches without a place of a person, except attempts at daily deals, oldest first."""
        rows = await self._read(
            "SELECT id FROM matches WHERE phase IN ('lobby', 'play') AND channel = 0 AND host = ?"
            " AND id NOT IN (SELECT match FROM daily_attempts WHERE user = ?) ORDER BY id",
            user,
            user,
        )
        return [match for (match,) in rows]

    async def add_outage(self, since: int, until: int) -> None:
        """Keep a time in which the bot was away, in place of one that began at the same time."""
        await self._change(
            "INSERT INTO outages VALUES (?, ?) ON CONFLICT (since) DO UPDATE SET until = excluded.until",
            since,
            until,
        )

    async def outages(self, after: int) -> list[tuple[int, int]]:
        """Return the outages that ended after a time, as (since, until), earliest first."""
        rows = await self._read("SELECT since, until FROM outages WHERE until > ? ORDER BY since", after)
        return [(since, until) for since, until in rows]

    async def _change(self, statement: str, *values: str | int | None) -> bool:
        """Run one statement in a transaction of its own. Return whether it has changed a row."""

        async def work(db: Database) -> bool:
            return await db.change(statement, values) > 0

        return await self._writer.write(work)

    # Privacy

    async def export_person(self, user: int) -> Person:
        """Return all that is stored about a person."""
        found: dict[str, list[dict[str, str | int | float | None]]] = {}
        for table, columns, (query, values) in privacy.exports(user):
            rows = await self._read_values(query, values)
            found[table] = [dict(zip(columns, row, strict=True)) for row in rows]
        found["log"] = await self._entries_of(user)
        found["former_players"] = [{**row} for row in await self._former_players(user)]
        return Person(found)

    async def _entries_of(self, user: int) -> list[dict[str, str | int | float | None]]:
        matches = [match for (match,) in await self._read_values(privacy.NAMED, {"user": user})]
        return [
            entry
            for match in matches
            for entry in privacy.exported_entries(match, await self.log(match), user)
        ]

    @abstractmethod
    async def erase_person(self, user: int, at: int) -> list[int] | None:
        """Replace a person by a random negative number and the name "former player", and delete their preferences.
        Close their open matches without a place, and keep for each deal that they have seen and that is not over a
        hash by which `former_ids` knows them. Return the matches that have changed; None for an unknown person, of
        whom nothing is stored.

        The person must not sit at an open match with a place. Afterwards no byte of the id and the names remains in the
        files of a SQLite database. If they cannot be rebuilt now, as when another process reads them, the next start
        does that. A server's own files keep old bytes until the server uses their space again.

        Raises StoreFailed. `at` is the time in ms.
        """

    async def former_ids(self, user: int) -> dict[int, int]:
        """Return by match the number that stands in its log for a person who was erased before its deal was over."""
        return {int(row["match"]): int(row["former"]) for row in await self._former_players(user)}

    async def _former_players(self, user: int) -> list[dict[str, str | int]]:
        return privacy.former_players(await self._read(privacy.FORMER_PLAYERS), user)

    async def forget_former_players(self, first_day: int) -> bool:
        """Delete the hashes for matches that are over or closed, and for deals of days before `first_day`. Return
        whether there were any. Their bytes vanish as those of an erased person do."""
        return await self._change(privacy.FORGET, first_day)

    async def _is_known(self, user: int) -> bool:
        """Return whether the database has the id of a person anywhere, after all writes so far."""
        await self.flush()
        ((known,),) = await self._read_values(*privacy.is_known(user))
        return bool(known)

    async def mark_left_guilds(
        self, present: Collection[int], at: int, *, shards: Collection[int] = (0,), count: int = 1
    ) -> None:
        """Mark each guild of these shards, out of `count`, that has a match, a season or settings and is not in
        `present`, as one that removed the bot at `at`. Guilds that are marked already keep their time. Unmark those in
        `present`."""
        await self._writer.write(lambda db: guilds.mark(db, present, at, shards, count))

    async def unmark_guild(self, guild: int) -> None:
        """Forget that a guild removed the bot."""
        await self._writer.write(lambda db: db.execute("DELETE FROM guilds_left WHERE guild = ?", (guild,)))

    async def left_guilds(self, until: int) -> list[int]:
        """Return the guilds that removed the bot at `until` or earlier, and have no open match."""
        rows = await self._read(
            "SELECT guild FROM guilds_left WHERE at <= ? AND guild NOT IN"
            " (SELECT guild FROM matches WHERE phase IN ('lobby', 'play')) ORDER BY guild",
            until,
        )
        return [guild for (guild,) in rows]

    async def purge_guild(self, guild: int) -> None:
        """Delete the logs and messages of a guild's matches, and the matches that were closed. Results and ratings
        stay, with a random negative number as their guild, and without channels."""
        await self._writer.write(lambda db: guilds.purge(db, guild))

    async def _read(self, query: str, *values: Any) -> Sequence[Any]:
        return await self._read_values(query, values)

    async def _read_values(self, query: str, values: Values) -> Sequence[Any]:
        try:
            return await self._reading.fetch(query, values)
        except Exception as error:
            raise self._unreadable(error) from error


async def _create(db: Database, match: NewMatch, entries: Sequence[LogRow]) -> Match:
    rows = await db.fetch(
        "INSERT INTO matches (game, rules, options, seed, guild, channel, host, opened, rematch_of)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
        astuple(match),
    )
    (created,) = (Match(*row) for row in rows)
    await _add_entries(db, created.id, entries)
    return created


async def _add_entries(db: Database, match: int, entries: Sequence[LogRow]) -> None:
    await db.execute_many(logs.INSERT, [(match, *astuple(entry)) for entry in entries])


async def _set_deadlines(db: Database, match: int, deadlines: Mapping[int, int]) -> None:
    await db.execute("DELETE FROM clocks WHERE match = ?", (match,))
    await db.execute_many(
        "INSERT INTO clocks VALUES (?, ?, ?)", [(match, seat, due) for seat, due in deadlines.items()]
    )


async def _update(db: Database, match: int, **columns: str | int | None) -> None:
    """Set the columns that are not None. Raises StoreFailed when there is no such match."""
    given = {column: value for column, value in columns.items() if value is not None}
    if not given:
        return
    marks = ", ".join(f"{column} = ?" for column in given)
    query = f"UPDATE matches SET {marks} WHERE id = ?"  # noqa: S608 - the columns are our own keywords
    if not await db.change(query, (*given.values(), match)):
        raise StoreFailed(f"This was not saved: there is no match {match}.")


async def _heartbeat(db: Database, now: int) -> None:
    await db.execute(
        "INSERT INTO alive VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET at = excluded.at", (now,)
    )
