"""The store: its subjects, and the writes that concern several of them. `tests/bot/store` has its contract.

Times are ms since the Unix epoch on Discord's clock. A write returns once it is on the disk; it raises StoreFailed when
nothing of it was kept. Cancelling the caller does not undo a write; read again to see whether it was kept. Reads raise
Unreadable. Every write goes through one writer; writes that wait at the same time share one commit.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence

from bot.store.errors import StoreFailed
from bot.store.rows import Finished, LogRow, Match, NewMatch, StoreHealth
from bot.store.sql.bulletins import BulletinStore
from bot.store.sql.daily import DailyStore, finish_attempt
from bot.store.sql.database import Database
from bot.store.sql.deadlines import DeadlineStore, replace_deadlines
from bot.store.sql.guilds import GuildStore
from bot.store.sql.history import HistoryStore
from bot.store.sql.hours import HoursStore
from bot.store.sql.logs import LogStore, add_entries
from bot.store.sql.matches import MatchStore, create_match, set_columns
from bot.store.sql.nights import NightStore
from bot.store.sql.own_state import OwnStateStore
from bot.store.sql.people import PersonStore
from bot.store.sql.privacy import PrivacyStore
from bot.store.sql.recount import RecountStore
from bot.store.sql.seasons import SeasonStore
from bot.store.sql.seeks import SeekStore, add_summons
from bot.store.sql.standings import StandingStore, check_people, count_match
from bot.store.sql.transfer import TransferStore


class Store(
    MatchStore,
    LogStore,
    DeadlineStore,
    DailyStore,
    StandingStore,
    HistoryStore,
    SeasonStore,
    PersonStore,
    HoursStore,
    GuildStore,
    BulletinStore,
    SeekStore,
    NightStore,
    PrivacyStore,
    RecountStore,
    TransferStore,
    OwnStateStore,
):
    """An open database: everything that outlives the process. Each subject has its methods in its own module."""

    @abstractmethod
    async def health(self) -> StoreHealth:
        """Return whether the last write was kept, and the space on the disk. Raises OSError when it cannot be read."""

    @abstractmethod
    async def until_lost(self) -> str:
        """Wait until somebody has deleted or replaced the file of this database. Keep its content in a new file, and
        return a sentence about that. From then on every write raises StoreFailed. On a server: wait until another bot
        has taken the database."""

    async def create(
        self,
        match: NewMatch,
        entries: Sequence[LogRow],
        deadlines: Mapping[int, int],
        *,
        since: int | None = None,
        challenged: int | None = None,
    ) -> Match:
        """Keep a new lobby with its first entries and deadlines, and the call to a person who is `challenged`. Return
        its row; its number was never used before. For `since` see `append`.

        Raises StoreFailed for a second rematch of one match.
        """

        async def work(db: Database) -> Match:
            created = await create_match(db, match, entries)
            await replace_deadlines(db, created.id, deadlines, since)
            if challenged is not None:
                await add_summons(db, created, challenged)
            return created

        return await self._writer.write(work)

    async def append(
        self,
        match: int,
        entries: Sequence[LogRow],
        *,
        deadlines: Mapping[int, int] | None = None,
        since: int | None = None,
        phase: str | None = None,
        started: int | None = None,
        played_options: str | None = None,
        ended: int | None = None,
        finished: Finished | None = None,
        may: Callable[[], bool] | None = None,
    ) -> None:
        """Append entries to a match's log, together with everything that follows from them: all of it or nothing.

        - `deadlines`, seat -> due ms: all of the match from now on. Seat -1 is the table itself, -2 its game or kept
          seats. If a process that does not run the match has counted them, `since` is its time in ms then: where the
          last heartbeat is later, they count from that.
        - `phase`, `started`, `played_options`, `ended`: columns of the match's row.
        - `finished`: the result to count, for standings and daily deals.
        - `may`: called right before; if it returns False, nothing is kept.

        None leaves each of them as it is.

        Raises StoreFailed when an entry does not follow the last one of the log (another process, or a write whose
        caller was cancelled, has appended before), when the match is counted already, and when it may not be kept.
        """

        async def work(db: Database) -> None:
            if may is not None and not may():
                raise StoreFailed("This was not saved: another process runs this table now.")
            await add_entries(db, match, entries)
            if deadlines is not None:
                await replace_deadlines(db, match, deadlines, since)
            await set_columns(
                db, match, phase=phase, started=started, played_options=played_options, ended=ended
            )
            if finished is not None:
                await check_people(db, match, finished)
                await count_match(db, match, finished)
                await finish_attempt(db, match, finished)

        # Without a turn two matches that are counted would take the same number.
        await (self._writer.write if finished is None else self._write_in_turn)(work)
