"""The contract of a store. `tests/bot/store` holds every implementation to it.

Times are ms since the Unix epoch on Discord's clock. A write returns once it is on the disk; it raises StoreFailed when
nothing of it was kept. Cancelling the caller does not undo a write; read again to see whether it was kept. Reads raise
Unreadable.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

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


class Store(Protocol):
    """An open database: everything that outlives the process."""

    on_write: list[Callable[[float, bool], None]]
    """Callbacks for each write: the seconds from its request until it was on the disk, and False when it failed. They
    must not raise."""

    async def close(self) -> None:
        """Finish the writes that wait, then close."""

    async def health(self) -> StoreHealth:
        """Return whether the last write was kept, and the space on the disk. Raises OSError when it cannot be read."""
        ...

    async def flush(self) -> None:
        """Wait until every write requested so far is done or has failed, including those of cancelled callers."""

    async def until_lost(self) -> str:
        """Wait until somebody has deleted or replaced the file of this database. Keep its content in a new file, and
        return a sentence about that. From then on every write raises StoreFailed. On a server: wait until another bot
        has taken the database."""

    # Matches

    async def create(self, match: NewMatch, entries: Sequence[LogRow], deadlines: Mapping[int, int]) -> Match:
        """Keep a new lobby with its first entries and deadlines. Return its row; its number was never used before.

        Raises StoreFailed for a second rematch of one match.
        """
        ...

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

        `deadlines` (seat -> due ms; -1 is the table itself, -2 its game or kept seats) replaces all of the match; None
        keeps them. Each other None keeps its column. `finished` counts the match. `may` is called right before: if it
        returns False, nothing is kept.

        Raises StoreFailed when an entry does not follow the last one of the log (another process, or a write whose
        caller was cancelled, has appended before), when the match is counted already, and when it may not be kept.
        """

    async def update_match(
        self,
        match: int,
        *,
        place: int | None = None,
        card: int | None = None,
        published: int | None = None,
    ) -> None:
        """Change columns of a match's row; None keeps one as it is."""

    async def match(self, match: int) -> Match | None:
        """Return a match by its number, None for an unknown one."""
        ...

    async def rematch(self, match: int) -> int | None:
        """Return the rematch of a match. One that closed before it began does not count."""
        ...

    async def open_matches(self) -> list[Match]:
        """Return all matches in the lobby or in play, oldest first."""
        ...

    async def unpublished(self) -> list[Match]:
        """Return the matches with a place, open or not, whose messages lag behind their log or are being replaced,
        oldest first."""
        ...

    async def ended_in_threads(self, since: int) -> list[Match]:
        """Return the matches that ended after a time in ms and were played in a thread of their own."""
        ...

    async def members(self) -> list[tuple[int, int]]:
        """Return (match, user) of everybody who has a seat at an open match with a place."""
        ...

    async def log(self, match: int, after: int = 0) -> list[LogRow]:
        """Return the entries of a match after number `after`, in order."""
        ...

    async def lengths(self, matches: Iterable[int]) -> dict[int, int]:
        """Return the number of the last entry of each of these matches that has a log as rows."""
        ...

    async def pack_logs(self, until: int, after: int = 0) -> int | None:
        """Compress the logs of the next few matches: those after match `after` that ended at `until` or earlier, and
        whose messages show the whole log. Return the last of them, from which the next call goes on; None when there
        are no more.

        The logs read as before, but nothing can be appended. Of the messages of their pages only the last page's and
        the newest are kept. Other writes wait for some ms only."""
        ...

    # Messages

    async def posts(self, match: int) -> list[Post]:
        """Return the messages of a match, by kind and number."""
        ...

    async def save_post(self, post: Post) -> None:
        """Keep a message, in place of the one with its match, kind and number."""

    async def delete_post(self, post: Post) -> None:
        """Forget the message with this match, kind and number."""

    # Deadlines

    async def deadlines(self, match: int) -> dict[int, int]:
        """Return the deadlines of a match: seat -> due ms."""
        ...

    async def next_deadline(self, after: int) -> int | None:
        """Return the earliest deadline of any match that is later than `after`."""
        ...

    async def due_deadlines(self, now: int) -> list[tuple[int, int, int]]:
        """Return the deadlines up to `now` as (match, seat, due ms), earliest first."""
        ...

    async def with_game_deadlines(self) -> list[int]:
        """Return the matches whose game does something by itself (a deadline of seat -2), oldest first."""
        ...

    async def postpone(self, ms: int, matches: Iterable[int], now: int) -> None:
        """Move the deadlines of these matches by `ms`, except those of seat -2 (times at which a game does something by
        itself). Keep `now` as the last heartbeat in the same transaction, so that no outage is counted twice."""

    async def heartbeat(self, now: int) -> None:
        """Keep `now` as the time at which the process was last known to be alive."""

    async def last_heartbeat(self) -> int | None:
        """Return the last time the process was known to be alive; None for a new database."""
        ...

    # Standings, preferences, facts

    async def leaderboard(
        self, guild: int, game: str | None = None, *, pool: str | None = None, since: int = 0
    ) -> list[Standing]:
        """Return the standings of everybody with a match in a guild that ended at `since` or later: most wins first,
        then best mean placing, then most matches, then lowest user.

        With `game` only matches of that game count. With `pool` only those that were rated in that pool of the game.
        """
        ...

    async def ratings(self, pool: str, users: Iterable[int]) -> dict[int, RatingRow]:
        """Return the present ratings of those of `users` who have one in this pool."""
        ...

    async def participants(self, pool: str, *, matches: int, since: int) -> list[Participant]:
        """Return the people on the leaderboard of all servers, by user: those with an alias and at least `matches`
        rated matches in this pool, of which the last ended at `since` or later."""
        ...

    async def rating_steps(self, match: int) -> list[RatingStep]:
        """Return the changes of ratings by a match, by seat; none if it is not rated."""
        ...

    async def together(self, ratings: Sequence[RatingRow], since: int) -> int:
        """Return the place of a rated match among those of exactly its people, in its pool, that ended after `since`: 1
        for the first. `ratings` are all ratings after it; 1 if there are none."""
        ...

    async def recount(self, redo: Redo, progress: Callable[[int, int], None]) -> Recounted:
        """Compute the results, ratings and milestones of all finished matches anew, in the order in which they were
        counted, and store what differs: all of it or nothing. `progress` is called with the matches done and their
        number.

        Nothing else may use the database meanwhile."""
        ...

    async def export_guild(self, guild: int, write: Write) -> None:
        """Call `write` in a thread with the standings of a guild, as they are at one moment. Other processes may use
        the database meanwhile. Raises whatever `write` raises."""

    async def import_guild(
        self, standings: GuildStandings, redo: Redo, progress: Callable[[int, int], None]
    ) -> Imported:
        """Add the matches and seasons that are not here yet, order all matches by their end, and recount them as
        `recount` does: all of it or nothing. People who were erased here become "former player" again.

        Nothing else may use the database meanwhile. Raises StoreFailed, also for standings that contradict what is
        here, and whatever `progress` raises."""
        ...

    async def progress(self, users: Iterable[int]) -> dict[int, ProgressRow]:
        """Return the progress of those of `users` who have some, by user."""
        ...

    async def finishes(self, user: int, *, since: int, limit: int) -> list[bool]:
        """Return for each of the person's matches that ended at `since` or later, the latest first and `limit` at most,
        whether the person finished it (see `Result.finished`)."""
        ...

    async def placings(self, selection: Selection) -> list[Placed]:
        """Return the person's placings in these matches, the earliest match first."""
        ...

    async def history(self, selection: Selection, limit: int, skipped: int = 0) -> tuple[int, list[Played]]:
        """Return the number of these matches, and `limit` of them: the latest first, without the first `skipped`."""
        ...

    async def fact_values(self, selection: Selection) -> list[FactValues]:
        """Return the values of the person's facts over these matches, by game and key."""
        ...

    async def best_win(self, selection: Selection, matches: int, sigma: float) -> Beaten | None:
        """Return the highest rated person whom this person has beaten by a first place in one of these matches.

        Only people count whose rating after the match had at least `matches` matches and at most `sigma`."""
        ...

    async def rating_course(self, user: int, pool: str) -> list[tuple[int, float]]:
        """Return the person's rating after each rated match in a pool, in order: end of the match in ms, and mu."""
        ...

    async def add_season(self, guild: int, channel: int, name: str, starts: int, ends: int) -> Season | None:
        """Add a season. Return None when it overlaps another season of the guild, or has its name.

        Raises StoreFailed for a season that does not end after its start."""
        ...

    async def rename_season(self, season: int, name: str) -> bool:
        """Give a season another name. Return False when another season of its guild has that name."""
        ...

    async def end_season(self, season: int, at: int) -> bool:
        """Let a season end at `at`. Return False when it is closed, has not started before `at`, or ends by then."""
        ...

    async def cancel_season(self, season: int, at: int) -> bool:
        """Delete a season that starts after `at`. Return False when it does not, or when a match has started in it."""
        ...

    async def close_season(
        self, season: int, at: int, tabulate: Tabulate, *, unless_playing: bool = True
    ) -> bool:
        """Close a season that has ended, and store its final table: all of it or nothing.

        Return False, and change nothing, when it is closed already, when it ends after `at`, and with `unless_playing`
        while one of its matches is in play. `tabulate` must be quick and raise nothing."""
        ...

    async def seasons(self, guild: int) -> list[Season]:
        """Return the seasons of a guild, the latest first."""
        ...

    async def unfinished_seasons(self) -> list[Season]:
        """Return the seasons that are not closed or whose final table is not posted, oldest first."""
        ...

    async def season_results(self, season: int) -> list[SeasonResult]:
        """Return the results in all rated matches of a season, in the order in which they were counted."""
        ...

    async def final_table(self, season: int) -> list[SeasonRow]:
        """Return the final table of a season, best place first; nothing before it is closed."""
        ...

    async def keep_final_post(self, season: int, message: int) -> None:
        """Keep the message with the final table of a season."""

    async def guild_settings(self, guild: int) -> GuildSettings:
        """Return the settings of a guild; for a new guild, the defaults."""
        ...

    async def set_season_role(self, guild: int, role: int | None) -> None:
        """Set the role whose members may change the seasons of a guild; None for no role."""

    async def set_table_channels(self, guild: int, channels: Sequence[int]) -> None:
        """Set the channels of a guild in which tables may be opened; none for all channels."""

    async def set_default_pace(self, guild: int, pace: str) -> None:
        """Set the pace of tables of a guild that are opened without one. Raises StoreFailed for an unknown pace."""

    async def set_table_role(self, guild: int, role: int | None) -> None:
        """Set the role whose members may close the tables of a guild; None for no role."""

    async def preferences(self, user: int) -> Preferences:
        """Return a person's preferences; for a new person, the defaults."""
        ...

    async def set_preference(self, user: int, preference: str, word: str) -> None:
        """Change one preference, named by its field. Raises ValueError for an unknown field, StoreFailed for a
        word that is not one of its values."""

    async def who_want_pings(self, users: Sequence[int], *, urgent: bool) -> list[int]:
        """Return those of `users` who want to be mentioned for their turn, or with `urgent` for a reminder."""
        ...

    async def lesson(self, user: int, game: str) -> int:
        """Return the number of steps that a person has done in the lesson of a game."""
        ...

    async def set_lesson(self, user: int, game: str, steps: int) -> None:
        """Keep the number of steps that a person has done in the lesson of a game."""

    async def offer_lesson(self, user: int, game: str) -> bool:
        """Keep that a person was offered the lesson of a game. Return False, and keep nothing, if they were offered it
        before or have begun it, or have a result or a daily attempt in that game."""
        ...

    async def fact(self, key: str) -> str | None:
        """Return a fact about the bot itself, such as the fingerprint of the commands it has registered."""
        ...

    async def set_fact(self, key: str, value: str) -> None:
        """Keep a fact in place of an older one."""

    async def add_fact(self, key: str, value: str) -> str:
        """Keep a fact unless there is one. Return the one that is kept."""
        ...

    # Daily deals

    async def begin_attempt(
        self, day: int, guild: int, name: str, match: NewMatch, entries: Sequence[LogRow]
    ) -> Attempt:
        """Keep an attempt of the match's host at the deal of a day, and its match as a lobby with its first entries:
        both or nothing. A person who has an attempt at that day gets that one, and nothing changes."""
        ...

    async def attempt(self, user: int, day: int) -> Attempt | None:
        """Return a person's attempt at the deal of a day."""
        ...

    async def attempt_of(self, match: int) -> Attempt | None:
        """Return the attempt that a match belongs to; None for other matches."""
        ...

    async def attempts(self, day: int) -> list[Attempt]:
        """Return all attempts at the deal of a day, by user."""
        ...

    async def finished_days(self, user: int) -> list[int]:
        """Return the days whose deals the person has finished, ascending."""
        ...

    async def unfinished_attempts(self, before: int, limit: int) -> list[Attempt]:
        """Return the attempts at deals of days before `before` whose match is open: oldest first, `limit` at most."""
        ...

    async def practice_without_place(self, user: int) -> list[int]:
        """Return the open matches without a place of a person, except attempts at daily deals, oldest first."""
        ...

    async def add_outage(self, since: int, until: int) -> None:
        """Keep a time in which the bot was away, in place of one that began at the same time."""

    async def outages(self, after: int) -> list[tuple[int, int]]:
        """Return the outages that ended after a time, as (since, until), earliest first."""
        ...

    # Privacy

    async def export_person(self, user: int) -> Person:
        """Return all that is stored about a person."""
        ...

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
        ...

    async def former_ids(self, user: int) -> dict[int, int]:
        """Return by match the number that stands in its log for a person who was erased before its deal was over."""
        ...

    async def forget_former_players(self, first_day: int) -> bool:
        """Delete the hashes for matches that are over or closed, and for deals of days before `first_day`. Return
        whether there were any. Their bytes vanish as those of an erased person do."""
        ...

    # Servers that removed the bot

    async def mark_left_guilds(
        self, present: Collection[int], at: int, *, shards: Collection[int] = (0,), count: int = 1
    ) -> None:
        """Keep `at` as the time at which each guild with a match, a season or settings, except those in `present`,
        removed the bot. A guild that is marked already keeps its time; marks of those in `present` are deleted. This
        concerns the guilds of some shards out of `count`."""

    async def unmark_guild(self, guild: int) -> None:
        """Forget that a guild removed the bot."""

    async def left_guilds(self, until: int) -> list[int]:
        """Return the guilds that removed the bot at `until` or earlier, and have no open match."""
        ...

    async def purge_guild(self, guild: int) -> None:
        """Delete the logs and messages of a guild's matches, and the matches that were closed. Results and ratings
        stay, with a random negative number as their guild, and without channels."""
