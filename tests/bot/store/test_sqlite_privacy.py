"""Privacy in the real files: every personal column is declared, exported and erased, in every byte."""

import asyncio
import hmac
import os
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from shutil import copy
from typing import Any

import aiosqlite
import pytest

from bot.hosting.recount import recount
from bot.match.log import read
from bot.match.state import TableState
from bot.match.tables import game_of
from bot.store import FORMER, TABLES, Erasing, LogRow, Match, Store, StoreFailed, StoreRefused, open_store
from bot.store.sql import privacy
from bot.store.sql.logs import pack_rows
from bot.store.sql.packing import unpack
from bot.store.sql.privacy import Erasure, exported_entries
from bot.store.sqlite import ledger
from bot.store.sqlite.database import SQLiteDatabase
from bot.store.sqlite.ledger import ledger_of, write_down
from bot.store.sqlite.opening import Waits, prepare
from tests.bot.store.stores import lobby, opened, pack_all, purge, rows
from tests.held import failing, full_disk
from tests.stored.releases import NEWEST

MARKED, OTHER = 0x6A11C0DE5EED1234, 0x6A11C0DE5EED9876
NAME = "Marker Person"
DM_CHANNEL, DM_PLACE, DM_CARD, DM_MESSAGE, DM_OLD = (0x6B00FACADE000000 + n for n in range(5))
DIGEST = "d" * 64
COPY = b"Copy of a row"
HASH = hmac.new(b"s", str(MARKED).encode(), sha256).hexdigest()
GUILD, CHANNEL = 0x5A00000000000001, 0x5A00000000000002
COLUMNS = "match, n, kind, seat, user, body, at"
IN_THE_LOG = {"packed_logs"}
"""Tables whose content is that of other tables in another form."""

PLANTED: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "matches": [
        {"id": 1, "game": "palace", "rules": 1, "options": '{"a": 1}', "seed": "s", "guild": GUILD}
        | {"channel": CHANNEL, "host": MARKED, "phase": "over", "opened": 11, "started": 12, "ended": 13}
        | {"place": 14, "published": 4, "counted": 1, "rated": '{"r": 1}', "played_options": "{}"},
        {
            "id": 2,
            "game": "palace",
            "rules": 1,
            "options": "{}",
            "seed": "s",
            "guild": 0,
            "channel": DM_CHANNEL,
        }
        | {"host": MARKED, "phase": "closed", "opened": 21, "ended": 22, "place": DM_PLACE, "card": DM_CARD},
    ],
    "log": [
        {"match": 1, "n": 1, "kind": "sit", "user": MARKED, "body": f"0 {NAME} log", "at": 31},
        {"match": 1, "n": 2, "kind": "sit", "user": OTHER, "body": "0 Other", "at": 32},
        {
            "match": 1,
            "n": 3,
            "kind": "move",
            "seat": 0,
            "user": MARKED,
            "body": "play 5",
            "at": 33,
            "click": 40,
        },
        {
            "match": 1,
            "n": 4,
            "kind": "offer",
            "seat": 1,
            "user": OTHER,
            "body": f"{MARKED} {NAME} offer",
            "at": 34,
        },
        {"match": 1, "n": 5, "kind": "give", "seat": 1, "user": OTHER, "body": f"{NAME} give", "at": 35},
        {"match": 1, "n": 6, "kind": "take", "seat": 1, "user": MARKED, "body": f"{NAME} take", "at": 36},
        {"match": 1, "n": 7, "kind": "remind", "body": "30000 0", "at": 37},
        {"match": 1, "n": 8, "kind": "close", "user": MARKED, "body": "ended", "at": 38},
        {"match": 1, "n": 9, "kind": "sit", "user": MARKED, "body": f"72 {NAME} sit", "at": 45},
        {
            "match": 1,
            "n": 10,
            "kind": "cut",
            "user": MARKED,
            "body": f"{DIGEST} {NAME} cut\n{NAME}",
            "at": 46,
        },
        {"match": 1, "n": 11, "kind": "reserve", "user": MARKED, "body": f"{NAME} reserve", "at": 54},
        {"match": 2, "n": 1, "kind": "sit", "user": MARKED, "body": f"0 {NAME} dm", "at": 39},
    ],
    "packed_people": [{"user": MARKED, "match": 1}, {"user": MARKED, "match": 2}],
    "clocks": [{"match": 1, "seat": 0, "due": 41}],
    "results": [
        {"match": 1, "seat": 0, "guild": GUILD, "game": "palace", "user": MARKED, "name": f"{NAME} result"}
        | {"placing": 1, "score": 51, "players": 2, "ended": 52, "facts": '{"tricks": 53}'}
        | {"finished": 0},
    ],
    "preferences": [
        {"user": MARKED, "hand": "dm", "pings": "never", "pictures": "text only", "cards": "large"}
        | {"card_order": "rank", "ratings": "never", "alias": f"{NAME} alias", "replays": "open"}
        | {"challenges": "from nobody"}
    ],
    "hours": [
        {"user": MARKED, "zone": "Asia/Kathmandu", "begins": 9, "ends": 21, "away_until": 95, "digest": 17}
        | {"digested": 96, "undelivered": 98, "acts": str([97] * 24)}
    ],
    "seeks": [
        {"guild": GUILD, "user": MARKED, "name": f"{NAME} seek", "games": '["palace"]', "pace": "live"}
        | {"until": 101, "most": 3, "at": 102, "called": 103, "calls": 104, "turn": 106},
    ],
    "summons": [{"match": 1, "guild": GUILD, "channel": CHANNEL, "user": MARKED, "at": 105}],
    "lessons": [{"user": MARKED, "game": "palace", "steps": 4}],
    "posts": [
        {"match": 2, "kind": "page", "number": 1, "channel": DM_CHANNEL, "message": DM_MESSAGE, "old": DM_OLD}
    ],
    "progress": [{"user": MARKED, "counts": '{"wins": 71}', "earned": '{"win": 1}'}],
    "season_tables": [
        {
            "season": 1,
            "user": MARKED,
            "name": f"{NAME} season",
            "place": 1,
            "points": 83,
            "wins": 84,
            "matches": 85,
        }
    ],
    "daily_attempts": [
        {"user": MARKED, "day": 91, "match": 1, "guild": GUILD, "name": f"{NAME} daily"}
        | {"placing": 2, "score": 92, "ended": 93},
    ],
    "nights": [
        {"id": 1, "guild": GUILD, "channel": CHANNEL, "host": MARKED, "starts": 101, "weekly": 0}
        | {"games": "[]", "rounds": 1, "secret": "s", "due": 102}
    ],
    "night_roles": [{"guild": GUILD, "user": MARKED, "role": 105, "until": 106}],
    "night_people": [{"night": 1, "user": MARKED, "name": f"{NAME} night", "gone": 0}],
    "night_seats": [
        {"night": 1, "round": 1, "number": 1, "seat": 0, "user": MARKED, "part": 103, "merit": 104}
    ],
    "former_players": [{"match": 1, "hash": HASH, "former": -94}],
    "ratings": [
        {"user": MARKED, "pool": "palace", "n": 1, "match": 1, "seat": 0, "mu": 61.5, "sigma": 6.25}
        | {"expected": 1.5, "at": 62},
    ],
}
"""Rows of the marked person. A test fails for a personal column that has no value here."""
OTHERS = [
    {"match": 1, "seat": 1, "guild": GUILD, "game": "palace", "user": OTHER, "name": "Other"}
    | {"placing": 2, "score": 3, "players": 2, "ended": 52, "facts": "{}", "finished": 1},
]
SEASONS = [{"id": 1, "guild": GUILD, "channel": CHANNEL, "name": "Autumn", "starts": 81, "ends": 82}]
IDENTIFYING = (
    *(MARKED.to_bytes(8, "big"), str(MARKED).encode(), NAME.encode()),
    *(number.to_bytes(8, "big") for number in (DM_CHANNEL, DM_PLACE, DM_CARD, DM_MESSAGE, DM_OLD)),
)


@pytest.fixture(params=["rows", "packed"])
async def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a database with the marked person in every personal column, with logs as rows or packed."""
    path = tmp_path / "palmhouse.sqlite3"
    prepare(path)
    with closing(sqlite3.connect(path)) as db:
        for table, rows in [*PLANTED.items(), ("results", OTHERS), ("seasons", SEASONS)]:
            for row in rows if table != "packed_people" else ():
                marks = ", ".join(f":{name}" for name in row)
                db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", row)
        db.commit()
    if request.param == "packed":
        await pack(path)
    return path


async def pack(path: Path) -> None:
    """Pack every log."""
    async with aiosqlite.connect(path) as db:
        for (match,) in rows(path, "SELECT DISTINCT match FROM log"):
            await pack_rows(SQLiteDatabase(db), match)
        await db.commit()
    rows(path, "VACUUM")  # so that markers are found in packed logs or nowhere


def entries(path: Path) -> list[Any]:
    """Return (match, entry) of every entry of all logs, packed or not."""
    found = [(match, LogRow(*row)) for match, *row in rows(path, f"SELECT {COLUMNS} FROM log")]
    for match, value in rows(path, "SELECT match, log FROM packed_logs"):
        found += [(match, row) for row in unpack(match, value)]
    return sorted(found, key=lambda each: (each[0], each[1].n))


def content(path: Path) -> bytes:
    """Return all bytes of the database's files, without the ledger, and those of packed logs as rows."""
    files = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
    packed = rows(path, "SELECT match, log FROM packed_logs")
    logs = [row for match, value in packed for row in unpack(match, value)]
    users = [row.user.to_bytes(8, "big", signed=True) for row in logs if row.user is not None]
    stored = [file.read_bytes() for file in files if file != ledger_of(path)]
    return b"".join([*stored, *users, repr(logs).encode()])


def remains(path: Path) -> list[bytes]:
    """Return the markers that are found in the files."""
    found = content(path)
    return [marker for marker in IDENTIFYING if marker in found]


def leave_copy(path: Path) -> None:
    """Leave bytes in unused pages of the file, as SQLite does of rows that it has moved."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript("PRAGMA secure_delete = OFF; CREATE TABLE copies (copy TEXT) STRICT")
        with db:
            db.execute("INSERT INTO copies VALUES (?)", (COPY.decode() * 10_000,))
        db.execute("DROP TABLE copies")


async def known(store: Store, user: int) -> list[str]:
    """Return the tables that have rows of a person."""
    return [table for table, rows in (await store.export_person(user)).tables.items() if rows]


# Declarations


def test_every_column_of_the_schema_is_declared(path: Path) -> None:
    tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    schema = {
        table: {name for (name,) in rows(path, f"SELECT name FROM pragma_table_info('{table}')")}
        for (table,) in rows(path, tables)
    }
    assert {table: {*declared.columns} for table, declared in TABLES.items()} == schema


def test_every_personal_column_says_what_for_and_for_how_long() -> None:
    declared = [column for table in TABLES.values() for column in table.personal().values()]
    assert all(column.purpose and column.kept for column in declared)


def test_every_personal_column_is_planted() -> None:
    for table, declared in TABLES.items():
        for column in declared.personal() if table not in IN_THE_LOG else ():
            assert any(row.get(column) is not None for row in PLANTED[table]), f"{table}.{column}"


# Export


async def test_the_export_has_every_planted_value(path: Path) -> None:
    async with opened(path) as store:
        person = await store.export_person(MARKED)
    is_packed = not rows(path, "SELECT 1 FROM log")
    for table, planted in PLANTED.items():
        columns = TABLES[table].personal()
        if table == ("clocks" if is_packed else "packed_people"):  # a match that is over has no deadline
            assert not person.tables[table]
            continue
        expected = [
            {column: _allowed(table, column, row, is_packed) for column in columns}
            for row in planted
            if row.get("user") != OTHER or "offer" in row.values() or "give" in row.values()
        ]
        assert sorted(map(str, person.tables[table])) == sorted(map(str, expected))


def _allowed(table: str, column: str, row: Mapping[str, Any], is_packed: bool) -> Any:
    value: Any = row.get(column)
    if is_packed and (table, column) == ("log", "click"):  # of no use any more
        return None
    if (table, column, row["match"] if table == "log" else 0) == ("log", "n", 1):
        return value - (value > 2)  # the second entry is somebody else's, and leaves no gap
    return None if value == OTHER and (table, column) == ("log", "user") else value


async def test_the_export_names_nobody_else(path: Path) -> None:
    async with opened(path) as store:
        marked, other = await store.export_person(MARKED), await store.export_person(OTHER)
    assert str(OTHER) not in str(marked)
    assert "Other" not in str(marked)
    assert str(MARKED) not in str(other)
    assert NAME not in str(other)


def test_the_export_does_not_tell_by_its_numbers_that_others_have_decided_ahead() -> None:
    kinds = [("sit", MARKED), ("ahead", OTHER), ("move", MARKED), ("ahead", OTHER), ("ahead", MARKED)]
    log = [LogRow(n, kind, 0, user, "draw", n) for n, (kind, user) in enumerate(kinds, start=1)]
    own = exported_entries(7, log, MARKED)
    assert [(each["n"], each["kind"]) for each in own] == [(1, "sit"), (2, "move"), (3, "ahead")]


# Erasing


async def test_no_byte_remains_in_any_file_of_the_database(path: Path) -> None:
    async with opened(path) as store:
        await store.set_preference(MARKED, "hand", "ephemeral")  # so that the write-ahead log has the id, too
        assert remains(path) == [*IDENTIFYING]
        assert await store.erase_person(MARKED, 99) == [1, 2]
        assert remains(path) == []
        assert await known(store, MARKED) == ["former_players"]
        assert await store.erase_person(MARKED, 99) is None
    assert remains(path) == []


async def test_no_byte_of_the_hash_remains_when_the_deal_is_over(path: Path) -> None:
    async with opened(path) as store:
        await store.erase_person(MARKED, 99)
        assert HASH.encode() in content(path)
        assert await store.forget_former_players(92)
        assert HASH.encode() not in content(path)
        assert await known(store, MARKED) == []


async def test_all_columns_have_one_random_number_and_the_name_of_former_players(path: Path) -> None:
    async with opened(path) as store:
        await store.erase_person(MARKED, 99)
    found = {
        user
        for table, declared in TABLES.items()
        for column, of in declared.personal().items()
        if of.erasing is Erasing.ID
        for (user,) in rows(path, f"SELECT {column} FROM {table}")
    }
    (new,) = found - {OTHER, None}
    assert new < 0
    assert rows(path, "SELECT name FROM results ORDER BY seat") == [(FORMER,), ("Other",)]
    assert [entry.body for _, entry in entries(path)] == [
        *(f"0 {FORMER}", "0 Other", "play 5", f"{new} {FORMER}", FORMER, FORMER, "30000 0"),
        *("ended", f"72 {FORMER}", f"{DIGEST} \n{FORMER}", FORMER, f"0 {FORMER}"),
    ]


async def test_everything_else_stays(path: Path) -> None:
    async def stored() -> list[Any]:
        return [
            [(match, row.n, row.kind, row.seat, row.at) for match, row in entries(path)],
            rows(path, "SELECT match, seat, placing, score, players, ended, facts FROM results"),
            rows(path, "SELECT pool, n, match, seat, mu, sigma, expected, at FROM ratings"),
            rows(path, "SELECT id, channel, place, card, published FROM matches WHERE guild <> 0"),
        ]

    before = await stored()
    async with opened(path) as store:
        await store.erase_person(MARKED, 99)
    assert await stored() == before


# Real matches


@pytest.fixture(params=["rows", "packed"])
async def played(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a stored database with many matches, the logs of finished ones as rows or packed."""
    path = Path(copy(NEWEST, tmp_path / "palmhouse.sqlite3"))
    if request.param == "packed":
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE matches SET published = 99999")
        async with opened(path) as store:
            await pack_all(store)
        assert len(rows(path, "SELECT * FROM packed_logs")) > 30
    return path


async def events(store: Store, path: Path) -> list[Any]:
    """Return everything that happens in all matches, replayed from their logs."""
    happened = []
    for row in rows(path, "SELECT * FROM matches ORDER BY id"):
        match = Match(*row)
        if (game := game_of(match)) is not None:
            state = TableState.of(match, game)
            log = await store.log(match.id)
            happened.append([state.apply(read(each)) for each in log])
    return happened


def standings(path: Path) -> list[Any]:
    return [
        rows(path, "SELECT match, seat, placing, score, facts FROM results ORDER BY 1, 2"),
        rows(path, "SELECT match, seat, pool, n, mu, sigma, expected FROM ratings ORDER BY 1, 2"),
    ]


async def test_after_erasing_everybody_all_matches_replay_and_a_recount_finds_no_difference(
    played: Path,
) -> None:
    async with opened(played) as store:
        await recount(store)
        replayed, stood = await events(store, played), standings(played)
        people = {row.user for _, row in entries(played) if row.user is not None and row.user > 0}
        seated = {user for _, user in await store.members()}
        # Erasing closes a match that its person plays alone.
        seated |= {user for (user,) in rows(played, "SELECT host FROM matches WHERE channel = 0")}
        erased = sorted(people - seated)[::8]
        names = {
            name
            for user in erased
            for (name,) in rows(played, f"SELECT name FROM results WHERE user = {user}")
        }
        assert names
        for user in erased:
            await store.erase_person(user, 99)
        assert await events(store, played) == replayed
        assert standings(played) == stood
        assert "everything was as stored" in await recount(store)
    found = content(played)
    assert not any(user.to_bytes(8, "big") in found or str(user).encode() in found for user in erased)


async def test_several_erasures_share_one_rebuild_of_the_file_later(path: Path) -> None:
    async with opened(path) as store:
        for user in (MARKED, OTHER):
            await store.erase_person(user, 99)
        assert [each.get_name() for each in asyncio.all_tasks()].count("scrub") == 1


@pytest.mark.parametrize(
    "erase", [lambda store: store.erase_person(MARKED, 99), lambda store: purge(store, GUILD)]
)
async def test_a_file_that_was_not_rebuilt_before_a_stop_is_at_the_next_start(
    path: Path, erase: Callable[[Store], Awaitable[object]]
) -> None:
    leave_copy(path)
    async with opened(path) as store:
        await erase(store)
    assert COPY in content(path)
    async with opened(path):
        assert COPY not in content(path)
    leave_copy(path)
    async with opened(path):
        assert COPY in content(path), "only once"


# Backups and interruptions


async def test_a_file_that_another_process_reads_is_scrubbed_at_the_next_start(path: Path) -> None:
    async with opened(path, waits=Waits(answer=0.01)) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM matches").fetchone()
            assert await store.erase_person(MARKED, 99) == [1, 2]
            assert await known(store, MARKED) == ["former_players"]
            assert remains(path)
    async with opened(path):
        assert remains(path) == []


async def test_a_file_that_a_backup_reads_is_scrubbed_when_the_backup_is_made(path: Path) -> None:
    waits = Waits(answer=0.01, scrub=0.05)
    async with opened(path, waits=waits) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM log").fetchone()
            await store.erase_person(MARKED, 99)
            await asyncio.sleep(0.2)
            assert remains(path)
        async with asyncio.timeout(20):
            while remains(path):  # noqa: ASYNC110 - the store has no event for it
                await asyncio.sleep(0.05)


async def test_a_restored_backup_forgets_the_erased(path: Path) -> None:
    backup = path.read_bytes()
    async with opened(path) as store:
        await store.erase_person(MARKED, 99)
    path.write_bytes(backup)
    assert remains(path)
    async with opened(path) as store:
        assert remains(path) == []
        assert not (await store.export_person(OTHER)).is_unknown


async def test_a_restored_backup_knows_who_has_seen_a_hand_though_the_ledger_does_not(path: Path) -> None:
    async with opened(path) as store:
        match = await lobby(store, host=MARKED)
        await store.append(match.id, [LogRow(2, "start", None, MARKED, "", 2)], phase="play")
    backup = path.read_bytes()
    async with opened(path) as store:
        await store.append(match.id, [LogRow(3, "leave", None, MARKED, "", 3)])
        await store.erase_person(MARKED, 99)
        assert match.id in await store.former_ids(MARKED)
    path.write_bytes(backup)
    async with opened(path) as store:
        assert remains(path) == []
        assert match.id in await store.former_ids(MARKED)
        ((found,),) = rows(path, f"SELECT hash FROM former_players WHERE match = {match.id}")
        assert found not in ledger_of(path).read_text()


async def test_a_match_in_direct_messages_that_a_backup_brings_back_is_closed(path: Path) -> None:
    async with opened(path) as store:
        match = await lobby(store, host=MARKED, guild=0)
    write_down(path, Erasure.of(MARKED))
    async with opened(path) as store:
        assert match.id not in [each.id for each in await store.open_matches()]
        assert await store.deadlines(match.id) == {}
        assert (await store.log(match.id))[-1].kind == "close"


async def test_a_person_who_plays_again_after_an_erasure_is_not_erased_at_the_next_start(path: Path) -> None:
    async with opened(path) as store:
        await store.erase_person(MARKED, 99)
        await store.set_preference(MARKED, "hand", "dm")
    async with opened(path) as store:
        assert (await store.preferences(MARKED)).hand == "dm"


async def test_the_ledger_does_not_name_the_person(path: Path) -> None:
    async with opened(path) as store:
        await store.erase_person(MARKED, 99)
    ledger = ledger_of(path)
    assert str(MARKED) not in ledger.read_text()
    assert ledger.stat().st_mode & 0o777 == 0o600


async def test_an_erasure_that_was_interrupted_before_the_scrub_is_finished_at_the_next_start(
    path: Path,
) -> None:
    async with opened(path) as store:
        with failing(ledger, "empty_log", sqlite3.OperationalError("killed")):
            await store.erase_person(MARKED, 99)
        assert remains(path)
    async with opened(path):
        assert remains(path) == []
    assert rows(path, "SELECT scrubbed FROM erasures") == [(1,)]


async def test_an_erasure_that_was_interrupted_after_the_ledger_is_finished_at_the_next_start(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def interrupt(*_: object) -> None:
        erasing.cancel()
        raise sqlite3.OperationalError("killed")

    async with opened(path) as store:
        with monkeypatch.context() as patch:
            patch.setattr("bot.store.sql.privacy.erase", interrupt)
            erasing = asyncio.create_task(store.erase_person(MARKED, 99))
            with pytest.raises(asyncio.CancelledError):
                await erasing
    assert remains(path)
    async with opened(path):
        assert remains(path) == []


async def test_whoever_reads_that_nothing_was_erased_is_not_erased_at_the_next_start(path: Path) -> None:
    async with opened(path) as store:
        await store.erase_person(OTHER, 98)
        before = ledger_of(path).read_text()
        full = sqlite3.OperationalError("database or disk is full")
        with failing(privacy, "erase", full), pytest.raises(StoreFailed):
            await store.erase_person(MARKED, 99)
    async with opened(path) as store:
        assert not (await store.export_person(MARKED)).is_unknown
    assert ledger_of(path).read_text() == before  # a backup must not bring back those who were erased before


async def test_a_line_that_was_cut_off_does_not_spoil_the_next_one(path: Path) -> None:
    backup = path.read_bytes()
    ledger_of(path).write_text("0123 45")
    async with opened(path) as store:
        await store.erase_person(MARKED, 99)
    path.write_bytes(backup)
    async with opened(path):
        assert remains(path) == []


def test_a_line_that_a_full_disk_cuts_off_is_refused_and_taken_back(path: Path) -> None:
    write_down(path, Erasure.of(OTHER))
    before = ledger_of(path).read_text()
    with full_disk(len(before) + 70), pytest.raises(StoreFailed, match="No space left"):
        write_down(path, Erasure.of(MARKED))
    assert ledger_of(path).read_text() == before


def test_a_new_ledger_and_its_name_are_on_the_disk_before_anybody_is_erased(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its name it is gone after a cut of the power, and a restore brings the erased back."""
    synced: list[Path] = []
    monkeypatch.setattr(os, "fsync", lambda opened: synced.append(Path(f"/proc/self/fd/{opened}").readlink()))
    write_down(path, Erasure.of(MARKED))
    assert synced == [ledger_of(path), path.parent]


async def test_nothing_is_erased_when_the_ledger_cannot_be_written(path: Path) -> None:
    async with opened(path) as store:
        ledger_of(path).mkdir()
        with pytest.raises(StoreFailed, match="cannot be written"):
            await store.erase_person(MARKED, 99)
        assert not (await store.export_person(MARKED)).is_unknown
    with pytest.raises(StoreRefused, match="ledger of erasures"):
        await open_store(path)
