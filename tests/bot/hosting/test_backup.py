"""`python -m bot backup`, `check` and `restore`: a backup is whole or not there, faults are found, nothing is lost."""

import asyncio
import errno
import os
import re
import signal
import sqlite3
import stat
import sys
from asyncio import FIRST_COMPLETED
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import pytest

from bot.hosting.backup import REPLAYED, BackupRefused, Bars, back_up, check, restore, silent
from bot.hosting.transfer import Progress
from bot.match.entries import Cut
from bot.match.log import read
from bot.store import LogRow, StoreRefused
from bot.store.seeds import cut_digest
from bot.store.sql.privacy import Erasure
from bot.store.sqlite.ledger import ledger_of, write_down
from bot.store.sqlite.opening import alone, newest_version
from tests.bot.store.stores import NIGHTS, opened, pack_all, rows
from tests.bot.store.test_sqlite_opening import NOBODY, unprivileged
from tests.bot.test_start import begin, start
from tests.held import full_disk
from tests.stored.releases import NEWEST, migrated

USER_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a stored database. Copy it before you change it."""
    file = migrated(tmp_path_factory.mktemp("stored") / "palmhouse.sqlite3")
    file.chmod(0o600)
    rows(file, "UPDATE alive SET at = 0")
    return file


@pytest.fixture
def file(stored: Path, tmp_path: Path) -> Path:
    """Return a database in a folder of its own."""
    (tmp_path / "data").mkdir()
    return Path(copy(stored, tmp_path / "data" / "palmhouse.sqlite3"))


@pytest.fixture
async def backup(file: Path, tmp_path: Path) -> Path:
    """Return a backup of the database."""
    await back_up(file, tmp_path / "backup.sqlite3", silent)
    return tmp_path / "backup.sqlite3"


def as_restored(file: Path) -> dict[str, list[Any]]:
    """Return the rows of a database once it is restored: of open matches it is in doubt what is shown."""
    with TemporaryDirectory() as folder:
        restored = Path(copy(file, folder))
        rows(restored, "UPDATE matches SET published = 0 WHERE ended IS NULL")
        return content(restored)


def content(file: Path) -> dict[str, list[Any]]:
    """Return all rows of all tables, except the heartbeat, what matches say of a restore, and what it makes new."""
    tables = [table for (table,) in rows(file, USER_TABLES) if table != "alive"]
    found = {table: rows(file, f"SELECT * FROM {table}") for table in tables}
    found["log"] = [row for row in found["log"] if row[2] not in ("restored", "cut")]
    found["matches"] = [(*row[:4], *row[5:]) for row in found["matches"]]
    return {table: sorted(map(repr, there)) for table, there in found.items()}


def names(folder: Path) -> set[str]:
    """Return the names in a folder, except of SQLite's own files and of locks."""
    return {each.name for each in folder.iterdir() if not each.name.endswith(("-wal", "-shm", ".lock"))}


def calling(act: Callable[[], object]) -> Bars:
    """Return progress bars that call `act` instead."""

    def show(_: int, __: int) -> None:
        act()

    return lambda _: show


def fill(file: Path) -> None:
    """Add 30 MB to the database, so that its backup takes a while."""
    numbers = "WITH numbers AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers LIMIT 60)"
    rows(file, f"INSERT INTO facts {numbers} SELECT 'ballast ' || n, hex(randomblob(250000)) FROM numbers")


async def begun(part: Path) -> None:
    """Wait until another process writes the file."""
    while not part.exists():  # noqa: ASYNC110 - it happens in another process
        await asyncio.sleep(0.001)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class Usage(NamedTuple):
    """The free bytes of a disk."""

    free: int


# Backup


async def test_a_backup_has_every_row_in_one_private_file(file: Path, tmp_path: Path) -> None:
    said = await back_up(file, tmp_path / "backup.sqlite3", silent)
    assert "backup.sqlite3, and checked" in said
    assert content(tmp_path / "backup.sqlite3") == content(file)
    assert mode(tmp_path / "backup.sqlite3") == 0o600
    assert names(tmp_path) == {"data", "backup.sqlite3"}
    assert names(tmp_path / "data") == {"palmhouse.sqlite3"}


async def test_nobody_else_may_read_a_backup_at_any_time(file: Path, tmp_path: Path) -> None:
    modes: set[int] = set()
    bars = calling(lambda: modes.update(mode(each) for each in tmp_path.glob("*.sqlite3*")))
    await back_up(file, tmp_path / "backup.sqlite3", bars)
    assert modes == {0o600}


async def test_without_a_name_it_goes_into_a_folder_beside_the_database(file: Path, tmp_path: Path) -> None:
    await back_up(file, None, silent)
    (made,) = (file.parent / "backups").iterdir()
    assert re.fullmatch(r"palmhouse-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite3", made.name)
    assert mode(made.parent) == 0o700
    (tmp_path / "elsewhere").mkdir()
    await back_up(file, tmp_path / "elsewhere", silent)
    assert [each.name[:10] for each in (tmp_path / "elsewhere").iterdir()] == ["palmhouse-"]


async def test_a_database_on_a_full_disk_can_be_copied_to_another(file: Path, tmp_path: Path) -> None:
    with ExitStack() as full:
        # The second copy takes no room beside the database, so what it takes is elsewhere.
        disks = iter((lambda: full.enter_context(full_disk(1_000)), full.close))

        def bars(_: str) -> Progress:
            next(disks, lambda: None)()
            return lambda *_: None

        await back_up(file, tmp_path / "backup.sqlite3", bars)
    assert next(disks, None) is None
    assert content(tmp_path / "backup.sqlite3") == content(file)


async def test_a_backup_of_an_older_version_stays_as_it_is(tmp_path: Path) -> None:
    """A host makes one before an update; the new version must not change it."""
    old = Path(copy(NEWEST, tmp_path / "palmhouse.sqlite3"))
    rows(old, f"PRAGMA user_version = {newest_version() - 1}")
    await back_up(old, tmp_path / "backup.sqlite3", silent)
    assert rows(tmp_path / "backup.sqlite3", "PRAGMA user_version") == [(newest_version() - 1,)]
    assert content(tmp_path / "backup.sqlite3") == content(old)


async def test_while_a_bot_writes_every_acknowledged_row_is_in_the_backup(file: Path, tmp_path: Path) -> None:
    """The backup is made by a process of its own, as a host does."""
    fill(file)
    async with opened(file) as store:
        acknowledged = 0
        made = asyncio.create_task(start(tmp_path, "backup", "backup.sqlite3", DATABASE_PATH=str(file)))
        before = 0
        while not made.done():
            if names(tmp_path) == {"data"}:
                before = acknowledged
            await store.set_fact(f"row {acknowledged + 1:06}", "there")
            acknowledged += 1
        code, said = made.result()
        assert code == 0, said
        async with opened(tmp_path / "backup.sqlite3") as copied:
            there = [f"row {n:06}" for n in range(1, acknowledged + 1) if await copied.fact(f"row {n:06}")]
    assert there == [f"row {n:06}" for n in range(1, len(there) + 1)], "no row is missing before another"
    assert len(there) >= before > 0
    assert acknowledged > len(there), "the bot could write meanwhile"


async def test_a_target_that_is_there_is_refused(file: Path, tmp_path: Path) -> None:
    (tmp_path / "backup.sqlite3").write_text("older")
    with pytest.raises(BackupRefused, match="is there already"):
        await back_up(file, tmp_path / "backup.sqlite3", silent)
    assert (tmp_path / "backup.sqlite3").read_text() == "older"


async def test_backups_by_name_are_in_the_order_of_time(file: Path) -> None:
    """Names of one length are so in every language that `ls` sorts by, and in a manager of files."""
    for n in range(3):
        rows(file, f"UPDATE alive SET at = {n}")
        await back_up(file, None, silent)
    made = sorted((file.parent / "backups").iterdir())
    assert [rows(each, "SELECT at FROM alive") for each in made] == [[(0,)], [(1,)], [(2,)]]
    assert len({len(each.name) for each in made}) == 1


async def test_a_folder_that_is_not_there_is_refused(file: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupRefused, match="There is no folder"):
        await back_up(file, tmp_path / "none" / "backup.sqlite3", silent)


async def test_a_link_to_a_disk_that_is_not_mounted_is_named(file: Path, tmp_path: Path) -> None:
    (file.parent / "backups").symlink_to(tmp_path / "disk" / "backups")
    with pytest.raises(BackupRefused, match=r"There is no folder .*/data/backups\."):
        await back_up(file, None, silent)


async def test_a_short_disk_is_refused(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = file.stat().st_size
    monkeypatch.setattr("bot.hosting.backup.shutil.disk_usage", lambda _: Usage(int(size * 1.1) - 1))
    with pytest.raises(BackupRefused, match="Free some space"):
        await back_up(file, tmp_path / "backup.sqlite3", silent)
    assert names(tmp_path) == {"data"}
    monkeypatch.setattr("bot.hosting.backup.shutil.disk_usage", lambda _: Usage(int(size * 1.1)))
    await back_up(file, tmp_path / "backup.sqlite3", silent)


async def test_a_disk_that_becomes_full_leaves_no_backup(file: Path, tmp_path: Path) -> None:
    with full_disk(file.stat().st_size // 2), pytest.raises(BackupRefused, match="the disk"):
        await back_up(file, tmp_path / "backup.sqlite3", silent)
    assert names(tmp_path) == {"data"}


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can become another user.")
async def test_a_folder_that_may_not_be_written_is_named_with_the_remedy(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "bot.hosting.backup.inspect", lambda _: None
    )  # it reads the migrations, and NOBODY may not
    with TemporaryDirectory(prefix="palmhouse-test-") as folder:
        Path(folder).chmod(0o755)
        (data := Path(folder) / "data").mkdir()
        own = Path(copy(file, data / "palmhouse.sqlite3"))
        for each in (data, own):
            os.chown(each, NOBODY, NOBODY)
        with unprivileged(), pytest.raises(BackupRefused) as refused:
            await back_up(own, Path(folder) / "backup.sqlite3", silent)
    assert f"user {NOBODY}" in str(refused.value)
    assert f"`sudo chown {NOBODY} {folder}`" in str(refused.value)


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can become another user.")
async def test_a_folder_that_may_not_be_entered_is_named(file: Path, backup: Path) -> None:
    """As when the user of the bot is to back up into the folder of root, or to restore from it."""
    with TemporaryDirectory(prefix="palmhouse-test-") as folder:
        os.chown(folder, NOBODY, NOBODY)
        (shut := Path(folder) / "shut").mkdir(0o700)
        copy(backup, shut)
        with unprivileged():
            with pytest.raises(BackupRefused, match=f"may not write into {shut}"):
                await back_up(file, shut / "new.sqlite3", silent)
            with pytest.raises(BackupRefused, match=r"There is no file .*/backup\.sqlite3 that .* may read"):
                await restore(Path(folder) / "palmhouse.sqlite3", shut / backup.name, silent)


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can become another user.")
async def test_a_file_that_may_not_be_opened_is_named_and_not_its_folder(
    backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when root has put the list of erasures beside the new place of the database."""
    monkeypatch.setattr(
        "bot.hosting.backup._check_source", lambda *_: None
    )  # it reads the migrations, and NOBODY may not
    with TemporaryDirectory(prefix="palmhouse-test-") as folder:
        own = Path(copy(backup, folder))
        (ledger := Path(folder) / "palmhouse.sqlite3.erased").touch(0o600)
        for each in (folder, own):
            os.chown(each, NOBODY, NOBODY)
        with unprivileged(), pytest.raises(BackupRefused, match=f"`sudo chown {NOBODY} {ledger}`"):
            await restore(Path(folder) / "palmhouse.sqlite3", own, silent)


async def test_a_damaged_database_is_refused(file: Path, tmp_path: Path) -> None:
    flip_page_of(file, "log")
    with pytest.raises(StoreRefused, match="damaged"):
        await back_up(file, tmp_path / "backup.sqlite3", silent)
    assert names(tmp_path) == {"data"}


@pytest.mark.parametrize(
    ("planted", "named"),
    [
        ("UPDATE log SET body = 'nonsense' WHERE match = {live} AND n = 4", "does not replay: entry 4"),
        ("INSERT INTO clocks VALUES (99999, 0, 1)", "Rows of clocks refer to rows of matches"),
    ],
)
async def test_a_copy_with_a_fault_is_deleted_and_older_backups_stay(
    file: Path, tmp_path: Path, planted: str, named: str
) -> None:
    await back_up(file, tmp_path / "older.sqlite3", silent)
    before = (tmp_path / "older.sqlite3").read_bytes()
    rows(file, planted.format(live=live(file)))
    with pytest.raises(BackupRefused, match=named):
        await back_up(file, tmp_path / "backup.sqlite3", silent)
    assert names(tmp_path) == {"data", "older.sqlite3"}
    assert (tmp_path / "older.sqlite3").read_bytes() == before


async def test_only_the_newest_live_matches_are_replayed(file: Path, tmp_path: Path) -> None:
    query = "SELECT id FROM matches WHERE phase = 'play' ORDER BY id"
    oldest = rows(file, query)[0][0]
    assert len(rows(file, query)) > REPLAYED
    rows(file, f"UPDATE log SET body = 'nonsense' WHERE match = {oldest} AND n = 4")
    await back_up(file, tmp_path / "backup.sqlite3", silent)
    assert len(await check(file, silent)) == 1


async def long_backup(file: Path, folder: Path) -> asyncio.subprocess.Process:
    """Begin the backup of a large database. Return its process, which has begun to write."""
    fill(file)
    part = folder / "palmhouse.sqlite3.part"
    for _ in range(3):
        process = await begin(folder, "backup", "backup.sqlite3", DATABASE_PATH=str(file))
        over = asyncio.create_task(process.wait())
        async with asyncio.timeout(30):
            await asyncio.wait({over, asyncio.create_task(begun(part))}, return_when=FIRST_COMPLETED)
        if not over.done():
            return process
        # It was over before it was seen to begin, as this process had no processor meanwhile.
        assert process.returncode == 0, await process.communicate()
        (folder / "backup.sqlite3").unlink()
    raise AssertionError("three backups were over too soon")


async def test_a_killed_backup_leaves_nothing_that_disturbs_the_next(file: Path, tmp_path: Path) -> None:
    process = await long_backup(file, tmp_path)
    process.kill()
    await process.communicate()
    assert not (tmp_path / "backup.sqlite3").exists()
    assert mode(tmp_path / "palmhouse.sqlite3.part") == 0o600
    await back_up(file, tmp_path / "backup.sqlite3", silent)
    assert names(tmp_path) == {"data", "backup.sqlite3"}


async def test_a_backup_can_be_interrupted(file: Path, tmp_path: Path) -> None:
    process = await long_backup(file, tmp_path)
    async with asyncio.timeout(30):
        process.send_signal(signal.SIGINT)
        _, said = await process.communicate()
    assert process.returncode == 1, "no backup is there"
    assert "Traceback" not in said.decode()
    assert names(tmp_path) == {"data"}


LATE: Final = """
import os, signal, sys, time
from bot.__main__ import main
from bot.hosting import backup

def give_name(copy, target, give_name=backup._give_name):
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(0.3)
    give_name(copy, target)

backup._give_name = give_name
sys.argv[1:] = ["backup", "backup.sqlite3"]
sys.exit(main())
"""
"""A backup that is interrupted when its file is whole, before it has its name."""


async def test_a_backup_that_is_interrupted_at_the_end_is_not_denied(file: Path, tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LATE),
        cwd=tmp_path,
        env={"PYTHONPATH": os.pathsep.join(sys.path), "DATABASE_PATH": str(file)},
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    assert (tmp_path / "backup.sqlite3").exists()
    assert said.decode() == "Stopped. There is a whole new backup, or none.\n"


async def test_a_backup_is_made_in_a_folder_that_cannot_be_synced(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def of_a_shared_folder(opened: int) -> None:
        """Refuse a folder, as the system does for /proc."""
        sync(os.open("/proc", os.O_RDONLY) if stat.S_ISDIR(os.fstat(opened).st_mode) else opened)

    monkeypatch.setattr(os, "fsync", of_a_shared_folder)
    assert (await back_up(file, tmp_path / "backup.sqlite3", silent)).startswith("Backed up to")


async def test_two_backups_at_once_do_not_disturb_each_other(file: Path, tmp_path: Path) -> None:
    """The second one begins while the first one writes."""
    second: list[str] = []

    def begin_another() -> None:
        if not second:
            second.append("")
            with pytest.raises(BackupRefused) as refused:
                asyncio.run(back_up(file, tmp_path / "another.sqlite3", silent))
            second.append(str(refused.value))

    await back_up(file, tmp_path / "backup.sqlite3", calling(begin_another))
    assert "Another process makes or restores a backup" in second[1]
    assert names(tmp_path) == {"data", "backup.sqlite3"}


async def test_the_command_says_where_the_backup_is_missing(tmp_path: Path) -> None:
    code, said = await start(tmp_path, "backup", DATABASE_PATH=str(tmp_path / "none.sqlite3"))
    assert code == 1
    assert said.startswith("No backup was made. There is no database at")
    assert "nothing to back up" in said


# Check


def live(file: Path) -> int:
    ((match,),) = rows(file, "SELECT max(id) FROM matches WHERE phase = 'play'")
    assert isinstance(match, int)
    return match


def flip_page_of(file: Path, table: str) -> None:
    """Overwrite the middle of the first page of a table."""
    ((page, size),) = rows(
        file,
        f"SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema WHERE name = '{table}'",
    )
    content = bytearray(file.read_bytes())
    for at in range((page - 1) * size, (page - 1) * size + 100):
        content[at] ^= 0xFF
    file.write_bytes(content)


async def test_a_sound_database_has_no_faults_and_stays_as_it_is(file: Path) -> None:
    before = content(file)
    assert await check(file, silent) == []
    assert content(file) == before
    assert names(file.parent) == {"palmhouse.sqlite3"}


@pytest.mark.parametrize(
    ("planted", "named"),
    [
        ("DROP INDEX results_by_user", "The index results_by_user is missing."),
        ("DROP TRIGGER log_has_no_gap", "The trigger log_has_no_gap is missing."),
        (
            "INSERT INTO clocks VALUES (99999, 0, 1)",
            "Rows of clocks refer to rows of matches that are not there (1).",
        ),
        ("UPDATE log SET body = 'nonsense' WHERE match = {live} AND n = 4", "match {live} does not replay"),
        ("DELETE FROM log WHERE match = {live} AND n = 2", "The log of match {live} has no entry 2."),
        ("DELETE FROM log WHERE match = {live}", "By its log match {live} is in phase lobby"),
        ("UPDATE matches SET published = 99999 WHERE id = {live}", "but its messages show entry 99999"),
        ("UPDATE matches SET phase = 'lobby' WHERE id = {live}", "by its row in phase lobby"),
        ("UPDATE ratings SET mu = mu + 1 WHERE match = {over}", "ratings of 1: match {over}"),
        ("UPDATE results SET score = score + 1 WHERE match = {over}", "results of 1: match {over}"),
        ("UPDATE progress SET earned = '{{}}' WHERE earned <> '{{}}'", "milestones of"),
        (
            "UPDATE log SET body = 'nonsense' WHERE match = {over} AND kind = 'move'",
            "match {over}, which is over",
        ),
    ],
)
async def test_each_planted_fault_is_found(file: Path, planted: str, named: str) -> None:
    ((over,),) = rows(file, "SELECT max(match) FROM ratings WHERE match IN (SELECT match FROM log)")
    values = {"live": live(file), "over": over}
    rows(file, planted.format(**values))
    before = content(file)
    assert named.format(**values) in " ".join(await check(file, silent))
    assert content(file) == before, "a check mends nothing"
    assert names(file.parent) == {"palmhouse.sqlite3"}


async def test_a_damaged_packed_log_is_found(file: Path) -> None:
    rows(file, "UPDATE matches SET published = 99999 WHERE phase = 'over'")
    async with opened(file) as store:
        await pack_all(store)
    assert await check(file, silent) == []
    ((match,),) = rows(file, "SELECT max(match) FROM packed_logs")
    rows(file, f"UPDATE packed_logs SET log = substr(log, 2) WHERE match = {match}")
    (fault,) = await check(file, silent)
    assert fault.startswith(f"The packed log of match {match} is damaged.")


async def test_a_damaged_page_is_found(file: Path) -> None:
    flip_page_of(file, "results_by_user")  # an index: nothing reads it but SQLite's own check
    before = file.read_bytes()
    assert await check(file, silent)
    assert file.read_bytes() == before
    assert names(file.parent) == {"palmhouse.sqlite3"}


async def test_an_index_that_lacks_a_row_is_found(file: Path) -> None:
    """A copy has new indexes, so it does not show this."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.executescript(
            "PRAGMA writable_schema = ON;"
            "UPDATE sqlite_schema SET sql = sql || ' WHERE user < 0' WHERE name = 'results_by_user';"
            "PRAGMA writable_schema = RESET; REINDEX results_by_user; PRAGMA writable_schema = ON;"
            "UPDATE sqlite_schema SET sql = replace(sql, ' WHERE user < 0', '') WHERE name = 'results_by_user';"
        )
    assert "results_by_user" in " ".join(await check(file, silent))


async def test_another_programs_database_is_a_fault(tmp_path: Path) -> None:
    rows(tmp_path / "cookies.sqlite3", "CREATE TABLE cookies (name TEXT)")
    assert await check(tmp_path / "cookies.sqlite3", silent) == ["It is not a database of Palmhouse."]


async def test_a_check_of_another_programs_database_names_it_and_the_remedy(tmp_path: Path) -> None:
    rows(path := tmp_path / "cookies.sqlite3", "CREATE TABLE cookies (name TEXT)")
    assert await start(tmp_path, "check", DATABASE_PATH=str(path)) == (
        1,
        f"Nothing was checked. The database {path} cannot be used. It is not a database of Palmhouse. "
        "Name another file in DATABASE_PATH.\n",
    )


async def test_a_check_runs_beside_a_bot_that_writes(file: Path, tmp_path: Path) -> None:
    async with opened(file) as store:
        checked = asyncio.create_task(start(tmp_path, "check", DATABASE_PATH=str(file)))
        while not checked.done():
            await store.set_fact("row", "there")  # it would fail after having been blocked for 1.5 s
            await asyncio.sleep(0.01)
        assert checked.result()[0] == 0, checked.result()[1]


async def test_the_command_prints_a_sentence_for_each_fault(file: Path, tmp_path: Path) -> None:
    rows(file, "DROP INDEX results_by_user")
    rows(file, "UPDATE ratings SET mu = mu + 1")
    code, said = await start(tmp_path, "check", DATABASE_PATH=str(file))
    assert code == 1
    faults = [line for line in said.splitlines() if not re.match(r"[\d,]+ of ", line)]
    assert [line.split()[1] for line in faults] == ["index", "standings"]


# Restore


async def test_a_restore_brings_back_the_backup_and_keeps_what_was_there(file: Path, backup: Path) -> None:
    before = as_restored(file)
    rows(file, "UPDATE results SET name = 'Changed'")
    changed = content(file)
    said = await restore(file, backup, silent)
    assert said.startswith(f"Restored {backup} to {file}.")
    assert content(file) == before
    (aside,) = file.parent.glob("palmhouse.sqlite3.before-*")
    assert str(aside) in said
    assert content(aside) == changed
    assert (mode(file), mode(aside)) == (0o600, 0o600)
    assert names(file.parent) == {file.name, aside.name}


async def test_after_a_restore_each_open_match_says_once_up_to_when_it_counts(
    file: Path, backup: Path
) -> None:
    last = dict(rows(file, "SELECT match, max(at) FROM log GROUP BY match"))
    made = max(last.values()) + 5_000
    rows(backup, f"UPDATE alive SET at = {made}")
    await restore(file, backup, silent)
    (is_open,) = zip(*rows(file, "SELECT id FROM matches WHERE ended IS NULL AND channel <> 0"), strict=True)
    said = rows(file, "SELECT match, body, at FROM log WHERE kind = 'restored' ORDER BY match")
    assert said == [(match, str(made), last[match]) for match in is_open]
    assert await check(file, silent) == []


async def test_a_restore_seals_lobbies_anew_with_their_cuts_and_no_other_deal(
    file: Path, backup: Path
) -> None:
    """Their matches may have been played since the backup, with all cards shown."""
    (night, *_), *sealed = rows(backup, "SELECT id FROM matches WHERE phase = 'lobby'")
    rows(backup, f"UPDATE matches SET seed = 'palmhouse-night-1:7' WHERE id = {night}")
    before = dict(rows(backup, "SELECT id, seed FROM matches"))
    await restore(file, backup, silent)
    after = dict(rows(file, "SELECT id, seed FROM matches"))
    assert {(match,) for match, seed in after.items() if seed != before[match]} == {*sealed}
    assert len({after[match] for (match,) in sealed}) == len(sealed)
    query = "SELECT seed, n, kind, seat, user, body, log.at FROM log JOIN matches ON match = id"
    for seed, *row in rows(file, f"{query} WHERE kind = 'cut' AND phase = 'lobby'"):
        cut = read(LogRow(*row)).entry
        assert isinstance(cut, Cut)
        assert cut.digest == cut_digest(seed, cut.words)


async def test_a_restore_seals_game_nights_anew_that_were_to_come_and_no_other(
    file: Path, backup: Path
) -> None:
    """They may have been played since the backup, and their secrets told."""
    rows(backup, NIGHTS)
    await restore(file, backup, silent)
    new = rows(file, "SELECT phase, secret FROM nights WHERE secret <> '5ec'")
    assert [(phase, len(bytes.fromhex(secret))) for phase, secret in new] == [("planned", 32)] * 2
    assert len({*new}) == 2


async def test_after_a_restore_no_match_gets_a_number_that_was_given_since_the_backup(
    file: Path, backup: Path
) -> None:
    rows(file, "UPDATE sqlite_sequence SET seq = 900 WHERE name = 'matches'")
    rows(file, "INSERT INTO sqlite_sequence (name, seq) VALUES ('seasons', 40)")
    await restore(file, backup, silent)
    given = dict(rows(file, "SELECT name, seq FROM sqlite_sequence"))
    assert (given["matches"], given["seasons"]) == (900, 40)


async def test_after_a_restore_daily_deals_are_those_that_people_have_played(
    file: Path, backup: Path
) -> None:
    rows(backup, "INSERT INTO facts VALUES ('daily secret 2025', 'old')")
    for year in (2025, 2099):
        rows(file, f"INSERT INTO facts VALUES ('daily secret {year}', 'new')")
    await restore(file, backup, silent)
    secrets = dict(rows(file, "SELECT key, value FROM facts WHERE key LIKE 'daily secret %'"))
    assert (secrets["daily secret 2025"], secrets["daily secret 2099"]) == ("old", "new")


async def test_a_daily_deal_that_was_closed_since_the_backup_stays_closed(file: Path, backup: Path) -> None:
    rows(file, "INSERT INTO facts VALUES ('daily closed 20000', '1728086400000')")
    await restore(file, backup, silent)
    assert rows(file, "SELECT value FROM facts WHERE key = 'daily closed 20000'") == [("1728086400000",)]


async def test_a_role_that_was_given_since_the_backup_is_taken_away_after_a_restore(
    file: Path, backup: Path
) -> None:
    rows(backup, "INSERT INTO night_roles VALUES (1, 2, 3, 40)")
    rows(file, "INSERT INTO night_roles VALUES (1, 2, 3, 50), (1, 4, 3, 60)")
    await restore(file, backup, silent)
    assert {(1, 2, 3, 50), (1, 4, 3, 60)} <= {*rows(file, "SELECT * FROM night_roles")}


async def test_a_database_of_an_older_version_tells_a_restore_what_it_has_given(
    file: Path, backup: Path
) -> None:
    """As after an update of the bot, before its first start."""
    copy(NEWEST, file)
    rows(file, "UPDATE sqlite_sequence SET seq = 900 WHERE name = 'matches'")
    rows(file, "INSERT INTO facts VALUES ('daily secret 2099', 'played')")
    await restore(file, backup, silent)
    assert dict(rows(file, "SELECT name, seq FROM sqlite_sequence"))["matches"] == 900
    assert rows(file, "SELECT value FROM facts WHERE key = 'daily secret 2099'") == [("played",)]


async def test_what_another_program_writes_during_the_restore_is_kept(file: Path, backup: Path) -> None:
    await restore(file, backup, calling(lambda: rows(file, "UPDATE alive SET at = 77")))
    (aside,) = file.parent.glob("palmhouse.sqlite3.before-*")
    assert rows(aside, "SELECT at FROM alive") == [(77,)]


async def test_another_name_of_the_database_stays(file: Path, backup: Path) -> None:
    os.link(file, file.with_name("mine.sqlite3"))
    os.link(file, file.with_name(f"{file.name}.before-2026-01-01T0000Z"))  # left by a killed restore
    await restore(file, backup, silent)
    assert (file.parent / "mine.sqlite3").exists()
    (aside,) = file.parent.glob("*.before-*")
    assert "2026-01-01" not in aside.name


@pytest.mark.parametrize("refusal", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS])
async def test_a_disk_without_hard_links_takes_a_restore_where_nothing_is_to_be_kept(
    file: Path, backup: Path, monkeypatch: pytest.MonkeyPatch, refusal: int
) -> None:
    """As exFAT and some network drives. A copy would stay after a kill, with people in it who erase themselves."""

    def refuse(old: Path, new: Path) -> None:
        raise OSError(refusal, os.strerror(refusal), str(old), None, str(new))

    monkeypatch.setattr(os, "link", refuse)
    write_down(file, Erasure.of(1))
    before = content(file)
    with pytest.raises(BackupRefused, match=r"no hard links.* Move all files .*\* to another disk"):
        await restore(file, backup, silent)
    assert content(file) == before
    assert names(file.parent) == {file.name, ledger_of(file).name}
    file.unlink()
    await restore(file, backup, silent)
    assert names(file.parent) == {file.name, ledger_of(file).name}


@pytest.mark.parametrize("damaged", ["log", "matches"])
async def test_a_damaged_database_is_replaced_and_kept_with_its_log(
    file: Path, backup: Path, damaged: str
) -> None:
    before = as_restored(file)
    flip_page_of(file, damaged)
    kept = file.read_bytes()
    file.with_name(f"{file.name}-wal").write_bytes(b"torn")
    await restore(file, backup, silent)
    assert content(file) == before
    (aside,) = (each for each in file.parent.glob("*.before-*") if not each.name.endswith("-wal"))
    assert aside.read_bytes() == kept


async def test_a_file_that_is_no_database_is_replaced(file: Path, backup: Path) -> None:
    before = as_restored(file)
    file.write_text("Dear diary, today I learned a new game. " * 100)
    await restore(file, backup, silent)
    assert content(file) == before


async def test_moves_in_the_log_of_a_killed_bot_are_kept_aside(
    file: Path, backup: Path, tmp_path: Path
) -> None:
    leave_log(file, tmp_path / "killed")
    rest = await restore(file, backup, silent)
    assert rows(file, "SELECT * FROM facts WHERE key = 'last move'") == []
    (aside,) = file.parent.glob("palmhouse.sqlite3.before-*")
    assert str(aside) in rest
    assert rows(aside, "SELECT value FROM facts WHERE key = 'last move'") == [("there",)]


def leave_log(file: Path, folder: Path) -> None:
    """Change the database as a killed bot leaves it: the last move is only in the write-ahead log."""
    folder.mkdir()
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("INSERT INTO facts VALUES ('last move', 'there')")
        for ending in ("", "-wal"):
            copy(f"{file}{ending}", folder / f"{file.name}{ending}")
    for ending in ("", "-wal"):
        copy(folder / f"{file.name}{ending}", f"{file}{ending}")


async def test_whoever_was_erased_after_the_backup_stays_erased(file: Path, backup: Path) -> None:
    seated = (
        "SELECT user FROM log JOIN matches ON id = match WHERE phase IN ('lobby', 'play') AND user NOT NULL"
    )
    ((person,),) = rows(file, f"SELECT min(user) FROM results WHERE user > 0 AND user NOT IN ({seated})")
    async with opened(file) as store:
        assert await store.erase_person(person, 1)
    ledger = ledger_of(file).read_bytes()
    assert rows(backup, f"SELECT 1 FROM results WHERE user = {person}")
    await restore(file, backup, silent)
    assert ledger_of(file).read_bytes() == ledger
    assert rows(file, f"SELECT 1 FROM results WHERE user = {person}") == []
    assert person.to_bytes(8, "big") not in file.read_bytes()
    (aside,) = file.parent.glob("*.before-*")
    assert names(file.parent) == {file.name, aside.name, ledger_of(file).name}


async def test_a_ledger_that_cannot_be_read_leaves_the_present_database(file: Path, backup: Path) -> None:
    before = content(file)
    ledger_of(file).write_bytes(b"\xff\xfe")
    with pytest.raises(StoreRefused, match="cannot be read"):
        await restore(file, backup, silent)
    assert content(file) == before
    assert names(file.parent) == {file.name, ledger_of(file).name}


def truncated(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[:-10_000])


def newer(backup: Path) -> None:
    rows(backup, "PRAGMA user_version = 999")


def foreign(backup: Path) -> None:
    backup.unlink()
    rows(backup, "CREATE TABLE cookies (name TEXT)")


def flipped(backup: Path) -> None:
    flip_page_of(backup, "results")


def orphaned(backup: Path) -> None:
    rows(backup, "INSERT INTO clocks VALUES (99999, 0, 1)")


def gone(backup: Path) -> None:
    backup.unlink()


@pytest.mark.parametrize("spoil", [truncated, newer, foreign, flipped, orphaned, gone])
async def test_a_bad_backup_is_refused(file: Path, backup: Path, spoil: Callable[[Path], None]) -> None:
    spoil(backup)
    before = content(file)
    with pytest.raises(BackupRefused, match=r"backup\.sqlite3") as refused:
        await restore(file, backup, silent)
    assert "Name a" in str(refused.value)
    assert content(file) == before
    assert names(file.parent) == {"palmhouse.sqlite3"}


async def test_a_folder_is_no_backup(file: Path) -> None:
    with pytest.raises(BackupRefused, match=r"/data is a folder\. Name a backup\."):
        await restore(file, file.parent, silent)


async def test_the_database_is_no_backup_of_itself(file: Path) -> None:
    with pytest.raises(BackupRefused, match="is the database itself"):
        await restore(file, file, silent)


async def test_a_restore_refuses_while_another_program_has_the_database_open(
    file: Path, backup: Path, tmp_path: Path
) -> None:
    async with opened(file):
        code, said = await start(tmp_path, "restore", str(backup), DATABASE_PATH=str(file))
    assert code == 1
    assert said.startswith("Nothing was restored. A bot or another program uses")
    assert names(file.parent) == {"palmhouse.sqlite3"}


async def test_a_restore_refuses_while_a_bot_runs(file: Path, backup: Path, tmp_path: Path) -> None:
    with alone(file):
        code, said = await start(tmp_path, "restore", str(backup), DATABASE_PATH=str(file))
    assert code == 1
    assert said.startswith(f"Nothing was restored. Another bot or task uses the database {file}. Stop it")
    assert names(file.parent) == {"palmhouse.sqlite3"}


async def test_a_full_disk_leaves_the_present_database(file: Path, backup: Path) -> None:
    before = content(file)
    with full_disk(file.stat().st_size // 2), pytest.raises(BackupRefused, match="the disk"):
        await restore(file, backup, silent)
    assert content(file) == before
    assert names(file.parent) == {"palmhouse.sqlite3"}


async def test_a_disk_that_becomes_full_by_the_erasures_leaves_the_present_database(
    file: Path, backup: Path
) -> None:
    """The log has room for them, the file has none."""
    for person in range(600):
        write_down(file, Erasure.of(person))
    before = content(file)
    with full_disk(backup.stat().st_size + 30_000), pytest.raises(BackupRefused, match="the disk"):
        await restore(file, backup, silent)
    assert content(file) == before
    assert names(file.parent) == {"palmhouse.sqlite3", ledger_of(file).name}


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can give files away.")
async def test_root_restores_for_the_owner_of_the_database(file: Path, backup: Path) -> None:
    os.chown(file, NOBODY, NOBODY)
    await restore(file, backup, silent)
    assert file.stat().st_uid == NOBODY


KILLED = """
import asyncio, os, shutil, signal, sys
from itertools import count
from pathlib import Path
from bot.hosting.backup import restore, silent

killed, backup, folders = map(Path, sys.argv[1:])

def child(folder, n):
    left = n

    def kill(event, arguments):
        nonlocal left
        events = "open", "os.link", "os.remove", "os.rename", "os.chmod", "os.chown", "sqlite3.connect"
        if event in events and str(folder) in repr(arguments):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(kill)
    asyncio.run(restore(folder / "palmhouse.sqlite3", backup, silent))
    os._exit(0)

for n in count(1):
    shutil.copytree(killed, folders / str(n))
    pid = os.fork() or child(folders / str(n), n)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != -signal.SIGKILL:
        break
"""
"""Restores in one process after another. The n-th is killed before its n-th action on a file of its folder, except the
last one, which has fewer actions."""


async def test_a_kill_at_any_moment_leaves_the_old_or_the_new_database(
    file: Path, backup: Path, tmp_path: Path
) -> None:
    leave_log(file, tmp_path / "killed")
    (tmp_path / "folders").mkdir()
    arguments = (tmp_path / "killed", backup, tmp_path / "folders")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", KILLED, *map(str, arguments)), stdout=asyncio.subprocess.DEVNULL
    )
    assert await process.wait() == 0
    old, new = await content_at_start(tmp_path / "killed" / file.name, tmp_path), as_restored(backup)
    assert old != new
    found, states = [], list[dict[str, bytes]]()
    for folder in sorted((tmp_path / "folders").iterdir(), key=lambda each: int(each.name)):
        state = {each.name: each.read_bytes() for each in folder.iterdir() if not each.match("*-shm")}
        if state in states:
            continue
        states.append(state)
        present = await content_at_start(folder / file.name, tmp_path)
        assert present in (old, new), folder.name
        found.append(present == new)
        await restore(folder / file.name, backup, silent)
        assert content(folder / file.name) == new
        assert not [*folder.glob("*.part")]
    assert found[-1]
    assert found == sorted(found), "first the old one, then the new one"
    assert found.count(False) > 5


async def content_at_start(file: Path, tmp_path: Path) -> dict[str, list[Any]]:
    """Return the rows that the next start of a bot would find, in a copy."""
    with TemporaryDirectory(dir=tmp_path) as folder:
        for ending in ("", "-wal"):
            if Path(f"{file}{ending}").exists():
                copy(f"{file}{ending}", Path(folder) / f"{file.name}{ending}")
        async with opened(Path(folder) / file.name):
            pass
        return content(Path(folder) / file.name)
