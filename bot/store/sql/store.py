"""The methods of a store, in SQL. See `bot.store.protocol` for what each of them does.

Every write goes through one writer; writes that wait at the same time share one commit.
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
    Tabulate,
    Write,
)
from bot.store.sql import daily, guilds, history, logs, privacy, seasons, standings
from bot.store.sql.database import Blocking, Database, Reading, Values
from bot.store.sql.recount import recount
from bot.store.sql.transfer import export_guild, import_guild
from bot.store.sql.writer import Writer

T = TypeVar("T")


class SQLStore(ABC):
    """A database of any engine, with one connection to read and one to write."""

    latest_name: ClassVar[str] = "name"
    """Expression for the name in the row with the latest `ended` of a group."""

    def __init__(self, reading: Reading, writer: Writer) -> None:
        self._reading = reading
        self._writer = writer
        self.on_write = writer.on_write

    async def close(self) -> None:
        try:
            await self._reading.close()
        finally:
            await self._writer.close()

    async def flush(self) -> None:
        await self._writer.flush()

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
        await self._writer.write(lambda db: _update(db, match, place=place, card=card, published=published))

    async def posts(self, match: int) -> list[Post]:
        rows = await self._read("SELECT * FROM posts WHERE match = ? ORDER BY kind, number", match)
        return [Post(*row) for row in rows]

    async def save_post(self, post: Post) -> None:
        await self._writer.write(
            lambda db: db.execute(
                "INSERT INTO posts VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (match, kind, number) DO UPDATE SET"
                " channel = excluded.channel, message = excluded.message, old = excluded.old,"
                " final = excluded.final, copies = excluded.copies",
                astuple(post),
            )
        )

    async def delete_post(self, post: Post) -> None:
        await self._writer.write(
            lambda db: db.execute(
                "DELETE FROM posts WHERE match = ? AND kind = ? AND number = ?",
                (post.match, post.kind, post.number),
            )
        )

    async def match(self, match: int) -> Match | None:
        rows = await self._read("SELECT * FROM matches WHERE id = ?", match)
        return next((Match(*row) for row in rows), None)

    async def rematch(self, match: int) -> int | None:
        rows = await self._read(
            "SELECT id FROM matches WHERE rematch_of = ? AND (phase <> 'closed' OR started IS NOT NULL)",
            match,
        )
        return next((rematch for (rematch,) in rows), None)

    async def open_matches(self) -> list[Match]:
        rows = await self._read("SELECT * FROM matches WHERE phase IN ('lobby', 'play') ORDER BY id")
        return [Match(*row) for row in rows]

    async def unpublished(self) -> list[Match]:
        rows = await self._read(
            # CROSS JOIN keeps the order of the tables: most matches have a packed log, and no rows.
            "SELECT * FROM matches WHERE id IN"
            " (SELECT id FROM matches CROSS JOIN log ON match = id WHERE channel <> 0 AND n > published"
            " UNION SELECT match FROM posts WHERE old IS NOT NULL) ORDER BY id"
        )
        return [Match(*row) for row in rows]

    async def ended_in_threads(self, since: int) -> list[Match]:
        rows = await self._read(
            "SELECT * FROM matches WHERE ended > ? AND place <> channel ORDER BY id", since
        )
        return [Match(*row) for row in rows]

    async def members(self) -> list[tuple[int, int]]:
        rows = await self._read(
            "SELECT match, user FROM (SELECT match, user, kind, row_number() OVER"
            " (PARTITION BY match, user ORDER BY n DESC) AS back FROM log JOIN matches ON match = id"
            " WHERE phase IN ('lobby', 'play') AND channel <> 0"
            " AND kind IN ('sit', 'take', 'leave', 'give')) AS seated"
            " WHERE back = 1 AND kind IN ('sit', 'take') ORDER BY match, user"
        )
        return [(match, user) for match, user in rows]

    async def log(self, match: int, after: int = 0) -> list[LogRow]:
        return logs.entries(match, await self._read(logs.ENTRIES, match, after), after)

    async def lengths(self, matches: Iterable[int]) -> dict[int, int]:
        rows = await self._read(
            "SELECT match, max(n) FROM log WHERE match IN (SELECT value FROM json_each(?)) GROUP BY match",
            json.dumps([*matches]),
        )
        return dict(rows)

    async def pack_logs(self, until: int, after: int = 0) -> int | None:
        matches = [match for (match,) in await self._read(logs.TO_PACK, after, until, logs.AT_ONCE)]
        return await self._writer.write(lambda db: logs.pack_some(db, matches)) if matches else None

    # Clocks

    async def deadlines(self, match: int) -> dict[int, int]:
        rows = await self._read("SELECT seat, due FROM clocks WHERE match = ? ORDER BY seat", match)
        return dict(rows)

    async def next_deadline(self, after: int) -> int | None:
        due: int | None
        ((due,),) = await self._read("SELECT min(due) FROM clocks WHERE due > ?", after)
        return due

    async def due_deadlines(self, now: int) -> list[tuple[int, int, int]]:
        rows = await self._read(
            "SELECT match, seat, due FROM clocks WHERE due <= ? ORDER BY due, match, seat", now
        )
        return [(match, seat, due) for match, seat, due in rows]

    async def with_game_deadlines(self) -> list[int]:
        rows = await self._read("SELECT match FROM clocks WHERE seat = -2 ORDER BY match")
        return [match for (match,) in rows]

    async def heartbeat(self, now: int) -> None:
        await self._writer.write(lambda db: _heartbeat(db, now))

    async def last_heartbeat(self) -> int | None:
        rows = await self._read("SELECT at FROM alive")
        return next((at for (at,) in rows), None)

    async def postpone(self, ms: int, matches: Iterable[int], now: int) -> None:
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
        query, values = standings.leaderboard(guild, game, pool, since, latest_name=self.latest_name)
        return [Standing(*row) for row in await self._read(query, *values)]

    async def ratings(self, pool: str, users: Iterable[int]) -> dict[int, RatingRow]:
        rows = await self._read(standings.CURRENT, *standings.current(pool, users))
        return standings.by_user(rows)

    async def participants(self, pool: str, *, matches: int, since: int) -> list[Participant]:
        rows = await self._read(standings.PARTICIPANTS, pool, matches, since)
        return [*map(Participant._make, rows)]

    async def rating_steps(self, match: int) -> list[RatingStep]:
        return standings.steps(await self._read(standings.STEPS, match))

    async def together(self, ratings: Sequence[RatingRow], since: int) -> int:
        if not ratings:
            return 1
        users = [row.user for row in ratings]
        return await standings.together(
            lambda query, values: self._read(query, *values), users, ratings, since, ratings[0].at
        )

    async def recount(self, redo: Redo, progress: Callable[[int, int], None]) -> Recounted:
        try:
            return await self._long(lambda db: recount(db, redo, progress), self._alone())
        except Exception as error:
            raise self._not_saved(error) from error

    async def export_guild(self, guild: int, write: Write) -> None:
        try:
            await self._long(lambda db: export_guild(db, guild, write), self._snapshot())
        except Exception as error:
            raise self._unreadable(error) from error

    async def import_guild(
        self, standings: GuildStandings, redo: Redo, progress: Callable[[int, int], None]
    ) -> Imported:
        erasures = await self._erasures()
        try:
            return await self._long(
                lambda db: import_guild(db, standings, erasures, redo, progress), self._alone()
            )
        except Exception as error:
            raise self._not_saved(error) from error

    async def progress(self, users: Iterable[int]) -> dict[int, ProgressRow]:
        return standings.progress(await self._read(standings.PROGRESS, json.dumps([*users])))

    async def finishes(self, user: int, *, since: int, limit: int) -> list[bool]:
        return [bool(done) for (done,) in await self._read(standings.FINISHES, user, since, limit)]

    async def placings(self, selection: Selection) -> list[Placed]:
        return [*map(Placed._make, await self._read(*history.placings(selection)))]

    async def history(self, selection: Selection, limit: int, skipped: int = 0) -> tuple[int, list[Played]]:
        ((total,),) = await self._read(*history.number(selection))
        matches = [row[0] for row in await self._read(*history.page(selection, limit, skipped))]
        results = await self._read(*history.results(matches))
        ratings = await self._read(*history.ratings(selection.user, matches))
        return total, history.played(matches, results, ratings)

    async def fact_values(self, selection: Selection) -> list[FactValues]:
        return [FactValues(*row) for row in await self._read(*history.fact_values(selection))]

    async def best_win(self, selection: Selection, matches: int, sigma: float) -> Beaten | None:
        rows = await self._read(*history.best_win(selection, matches, sigma))
        return next(map(history.beaten, rows), None)

    async def rating_course(self, user: int, pool: str) -> list[tuple[int, float]]:
        rows = await self._read(
            "SELECT at, mu FROM ratings WHERE user = ? AND pool = ? ORDER BY n", user, pool
        )
        return [(at, mu) for at, mu in rows]

    async def add_season(self, guild: int, channel: int, name: str, starts: int, ends: int) -> Season | None:
        return await self._writer.write(lambda db: seasons.add(db, guild, channel, name, starts, ends))

    async def rename_season(self, season: int, name: str) -> bool:
        return await self._change(
            "UPDATE seasons AS s SET name = ?1 WHERE id = ?2 AND NOT EXISTS"
            " (SELECT 1 FROM seasons WHERE guild = s.guild AND name = ?1 AND id <> ?2)",
            name,
            season,
        )

    async def end_season(self, season: int, at: int) -> bool:
        return await self._change(
            "UPDATE seasons SET ends = ?1 WHERE id = ?2 AND closed IS NULL AND starts < ?1 AND ends > ?1",
            at,
            season,
        )

    async def cancel_season(self, season: int, at: int) -> bool:
        return await self._change(seasons.CANCEL, season, at)

    async def close_season(
        self, season: int, at: int, tabulate: Tabulate, *, unless_playing: bool = True
    ) -> bool:
        return await self._writer.write(
            lambda db: seasons.close(db, season, at, tabulate, unless_playing=unless_playing)
        )

    async def seasons(self, guild: int) -> list[Season]:
        rows = await self._read("SELECT * FROM seasons WHERE guild = ? ORDER BY starts DESC", guild)
        return [Season(*row) for row in rows]

    async def unfinished_seasons(self) -> list[Season]:
        rows = await self._read("SELECT * FROM seasons WHERE message IS NULL ORDER BY id")
        return [Season(*row) for row in rows]

    async def season_results(self, season: int) -> list[SeasonResult]:
        return [SeasonResult(*row) for row in await self._read(seasons.RESULTS, season)]

    async def final_table(self, season: int) -> list[SeasonRow]:
        return [SeasonRow(*row) for row in await self._read(seasons.TABLE, season)]

    async def keep_final_post(self, season: int, message: int) -> None:
        await self._change("UPDATE seasons SET message = ? WHERE id = ?", message, season)

    async def guild_settings(self, guild: int) -> GuildSettings:
        rows = await self._read(
            "SELECT season_role, channels, pace, table_role FROM guild_settings WHERE guild = ?", guild
        )
        return next(map(guilds.settings, rows), GuildSettings())

    async def set_season_role(self, guild: int, role: int | None) -> None:
        await self._change(guilds.set_column("season_role"), guild, role)

    async def set_table_channels(self, guild: int, channels: Sequence[int]) -> None:
        await self._change(guilds.set_column("channels"), guild, json.dumps([*channels]))

    async def set_default_pace(self, guild: int, pace: str) -> None:
        await self._change(guilds.set_column("pace"), guild, pace)

    async def set_table_role(self, guild: int, role: int | None) -> None:
        await self._change(guilds.set_column("table_role"), guild, role)

    async def preferences(self, user: int) -> Preferences:
        rows = await self._read(
            "SELECT hand, pings, pictures, cards, card_order, ratings, alias, replays FROM preferences WHERE user = ?",
            user,
        )
        return next((Preferences(*row) for row in rows), Preferences())

    async def set_preference(self, user: int, preference: str, word: str) -> None:
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
        wants = [(user, (await self.preferences(user)).pings) for user in users]
        return [user for user, pings in wants if pings == "always" or (urgent and pings == "only reminders")]

    async def lesson(self, user: int, game: str) -> int:
        rows = await self._read("SELECT steps FROM lessons WHERE user = ? AND game = ?", user, game)
        return next((steps for (steps,) in rows), 0)

    async def set_lesson(self, user: int, game: str, steps: int) -> None:
        await self._change(
            "INSERT INTO lessons VALUES (?1, ?2, ?3) ON CONFLICT (user, game) DO UPDATE SET steps = ?3",
            user,
            game,
            steps,
        )

    async def offer_lesson(self, user: int, game: str) -> bool:
        return await self._change(
            "INSERT INTO lessons SELECT ?1, ?2, 0"
            " WHERE NOT EXISTS (SELECT 1 FROM results WHERE user = ?1 AND game = ?2)"
            " AND NOT EXISTS (SELECT 1 FROM daily_attempts AS a JOIN matches AS m ON m.id = a.match"
            " WHERE a.user = ?1 AND m.game = ?2) ON CONFLICT DO NOTHING",
            user,
            game,
        )

    async def fact(self, key: str) -> str | None:
        rows = await self._read("SELECT value FROM facts WHERE key = ?", key)
        return next((value for (value,) in rows), None)

    async def set_fact(self, key: str, value: str) -> None:
        await self._writer.write(
            lambda db: db.execute(
                "INSERT INTO facts VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value),
            )
        )

    async def add_fact(self, key: str, value: str) -> str:
        await self._change("INSERT INTO facts VALUES (?, ?) ON CONFLICT DO NOTHING", key, value)
        kept = await self.fact(key)
        assert kept is not None
        return kept

    # Daily deals

    async def begin_attempt(
        self, day: int, guild: int, name: str, match: NewMatch, entries: Sequence[LogRow]
    ) -> Attempt:
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
        return daily.first(await self._read(daily.ATTEMPT, user, day))

    async def attempt_of(self, match: int) -> Attempt | None:
        return daily.first(await self._read("SELECT * FROM daily_attempts WHERE match = ?", match))

    async def attempts(self, day: int) -> list[Attempt]:
        rows = await self._read("SELECT * FROM daily_attempts WHERE day = ? ORDER BY user", day)
        return [Attempt(*row) for row in rows]

    async def finished_days(self, user: int) -> list[int]:
        rows = await self._read(
            "SELECT day FROM daily_attempts WHERE user = ? AND placing IS NOT NULL ORDER BY day", user
        )
        return [day for (day,) in rows]

    async def unfinished_attempts(self, before: int, limit: int) -> list[Attempt]:
        return [Attempt(*row) for row in await self._read(daily.UNFINISHED, before, limit)]

    async def practice_without_place(self, user: int) -> list[int]:
        rows = await self._read(
            "SELECT id FROM matches WHERE phase IN ('lobby', 'play') AND channel = 0 AND host = ?"
            " AND id NOT IN (SELECT match FROM daily_attempts WHERE user = ?) ORDER BY id",
            user,
            user,
        )
        return [match for (match,) in rows]

    async def add_outage(self, since: int, until: int) -> None:
        await self._change(
            "INSERT INTO outages VALUES (?, ?) ON CONFLICT (since) DO UPDATE SET until = excluded.until",
            since,
            until,
        )

    async def outages(self, after: int) -> list[tuple[int, int]]:
        rows = await self._read("SELECT since, until FROM outages WHERE until > ? ORDER BY since", after)
        return [(since, until) for since, until in rows]

    async def _change(self, statement: str, *values: str | int | None) -> bool:
        """Run one statement in a transaction of its own. Return whether it has changed a row."""

        async def work(db: Database) -> bool:
            return await db.change(statement, values) > 0

        return await self._writer.write(work)

    # Privacy

    async def export_person(self, user: int) -> Person:
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

    async def former_ids(self, user: int) -> dict[int, int]:
        return {int(row["match"]): int(row["former"]) for row in await self._former_players(user)}

    async def _former_players(self, user: int) -> list[dict[str, str | int]]:
        return privacy.former_players(await self._read(privacy.FORMER_PLAYERS), user)

    async def forget_former_players(self, first_day: int) -> bool:
        return await self._change(privacy.FORGET, first_day)

    async def _is_known(self, user: int) -> bool:
        """Return whether the database has the id of a person anywhere, after all writes so far."""
        await self.flush()
        ((known,),) = await self._read_values(*privacy.is_known(user))
        return bool(known)

    async def mark_left_guilds(
        self, present: Collection[int], at: int, *, shards: Collection[int] = (0,), count: int = 1
    ) -> None:
        await self._writer.write(lambda db: guilds.mark(db, present, at, shards, count))

    async def unmark_guild(self, guild: int) -> None:
        await self._writer.write(lambda db: db.execute("DELETE FROM guilds_left WHERE guild = ?", (guild,)))

    async def left_guilds(self, until: int) -> list[int]:
        rows = await self._read(
            "SELECT guild FROM guilds_left WHERE at <= ? AND guild NOT IN"
            " (SELECT guild FROM matches WHERE phase IN ('lobby', 'play')) ORDER BY guild",
            until,
        )
        return [guild for (guild,) in rows]

    async def purge_guild(self, guild: int) -> None:
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
