"""The bot's own backups: one each night that was restored for trial, and never fewer good ones than there should be."""

import asyncio
import logging
import signal
import subprocess
import sys
from argparse import Namespace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli.settings import Settings
from bot.cli.start import run
from bot.hosting import nightly
from bot.hosting.backup import restore, silent
from bot.hosting.backup_files import MINUTE, last_good_backup
from bot.hosting.nightly import back_up_nightly, delete_outdated, is_due, make, outdated
from bot.store.sqlite import ledger
from bot.store.sqlite.backup import TO_SCRUB
from bot.store.sqlite.ledger import UNSCRUBBED, ledger_of
from bot.worker_process import command, environment
from tests.bot.hosting.test_backup import Usage, begun, content, fill, live, mode
from tests.bot.hosting.test_backup import file as file
from tests.bot.hosting.test_backup import stored as stored
from tests.bot.store.stores import opened, rows
from tests.held import failing

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
TODAY = datetime(2026, 11, 22, 3, 10, tzinfo=UTC)
DAY = timedelta(days=1)
RECENT = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(hours=1)
"""A minute that is past also by the real clock."""
minutes = st.integers(0, 15 * 365 * 24 * 60).map(
    lambda n: datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=n)
)


def named(file: Path, made: datetime, mark: str = "nightly-") -> Path:
    """Return the path of a backup of that minute."""
    return file.parent / "backups" / f"{file.stem}-{mark}{made.strftime(MINUTE)}{file.suffix}"


def planted(file: Path, *made: datetime, mark: str = "nightly-") -> list[Path]:
    """Put files with the names of backups into the folder of backups."""
    (file.parent / "backups").mkdir(exist_ok=True)
    paths = [named(file, each, mark) for each in made]
    for path in paths:
        path.write_text("older")
    return paths


def backups(file: Path) -> list[str]:
    return sorted(each.name for each in (file.parent / "backups").iterdir())


# What is deleted


def test_a_year_of_nights_keeps_7_days_4_weeks_and_6_months() -> None:
    made: set[datetime] = set()
    for night in range(365):
        now = TODAY + night * DAY
        made.add(now)
        made -= outdated(made, now)
    assert sorted(each.date().isoformat() for each in made) == [
        *(
            "2027-06-30",
            "2027-07-31",
            "2027-08-31",
            "2027-09-30",
            "2027-10-31",
        ),  # ends of months, and November
        *("2027-11-07", "2027-11-14"),  # ends of weeks, and those of the last two weeks
        *("2027-11-15", "2027-11-16", "2027-11-17", "2027-11-18", "2027-11-19", "2027-11-20", "2027-11-21"),
    ]


@given(st.sets(minutes, min_size=1), minutes)
def test_the_newest_one_stays_and_so_does_what_is_later(made: set[datetime], now: datetime) -> None:
    left = made - outdated(made, now)
    past = {each for each in made if each <= now}
    assert not past or max(past) in left
    assert {each for each in made if each > now} <= left
    assert outdated(left, now) == set(), "deleting again deletes nothing more"
    assert len(left & past) <= 7 + 4 + 6


@given(st.sets(minutes), st.lists(minutes, min_size=1, max_size=30))
def test_a_clock_that_jumps_never_deletes_the_backup_just_made(
    made: set[datetime], clock: list[datetime]
) -> None:
    for now in clock:
        made |= {now}
        made -= outdated(made, now)
        assert now in made


@given(st.sets(minutes, min_size=8), minutes)
def test_days_without_a_backup_do_not_count(made: set[datetime], now: datetime) -> None:
    """A bot that was switched off for a year still has the backups of its last seven days."""
    left = made - outdated(made, now)
    days = sorted({each.date() for each in made if each <= now})[-7:]
    assert {each.date() for each in left} >= {*days}


def test_only_backups_that_the_bot_made_of_this_database_are_deleted(file: Path) -> None:
    made = [TODAY - n * DAY for n in range(300, 330)]
    planted(file, *made)
    others = [
        *planted(file, TODAY - 320 * DAY, mark=""),  # the host's own
        *planted(file.with_name("sandbox.sqlite3"), TODAY - 320 * DAY),
        *planted(file, TODAY - 320 * DAY, mark="before-nightly-"),
    ]
    for name in (
        "palmhouse-nightly-2020-13-41T9999Z.sqlite3",
        "palmhouse-nightly-2020-01-01T0310Z.sqlite3.gz",
    ):
        others.append(file.parent / "backups" / name)
        others[-1].write_text("mine")
    named(file, TODAY - 900 * DAY).mkdir()
    old = outdated(made, NOW)
    assert delete_outdated(file, NOW) == len(old) > 10
    assert {each for each in made if not named(file, each).exists()} == old
    assert all(each.exists() for each in others)
    assert named(file, TODAY - 900 * DAY).is_dir()


# When one is due


@pytest.mark.parametrize(
    ("made", "now", "due"),
    [
        ([], NOW, True),
        ([TODAY], NOW, False),
        ([TODAY + timedelta(hours=5)], NOW, False),
        ([TODAY - DAY], NOW, True),  # the machine was off at night
        ([TODAY - DAY], TODAY - timedelta(minutes=1), False),
        ([TODAY - DAY], TODAY, True),
        ([TODAY + 900 * DAY], NOW, True),  # the clock was wrong then, or is now
        ([TODAY - 900 * DAY, TODAY], NOW, False),
    ],
)
def test_one_is_due_when_there_is_none_since_the_last_night(
    file: Path, made: list[datetime], now: datetime, due: bool
) -> None:
    planted(file, *made)
    assert is_due(file, now) is due


def test_a_backup_of_the_host_and_a_copy_with_a_fault_are_no_nightly_ones(file: Path) -> None:
    planted(file, TODAY, mark="")
    planted(file, TODAY, mark="faulty-")
    assert is_due(file, NOW)


def test_the_last_good_one_is_the_newest_by_name(file: Path) -> None:
    assert last_good_backup(file) is None
    planted(file, RECENT - 3 * DAY, RECENT - 2 * DAY)
    assert last_good_backup(file) == RECENT - 2 * DAY
    planted(file, RECENT - DAY, mark="")
    assert last_good_backup(file) == RECENT - DAY, "the host's own has been checked, too"
    planted(file, RECENT, mark="faulty-")
    planted(file, datetime.now(UTC) + 9 * DAY)
    assert last_good_backup(file) == RECENT - DAY


# A night


async def test_a_night_leaves_one_private_backup_that_can_be_restored(file: Path, tmp_path: Path) -> None:
    status, said = await make(file)
    assert status == 0, said
    (name,) = backups(file)
    made = file.parent / "backups" / name
    assert mode(made) == 0o600
    assert mode(made.parent) == 0o700
    assert content(made) == content(file)
    assert last_good_backup(file) is not None
    assert not is_due(file, datetime.now(UTC))
    await restore(tmp_path / "new" / "palmhouse.sqlite3", made, silent)


async def test_a_night_deletes_what_is_old(file: Path) -> None:
    planted(file, *(RECENT - n * DAY for n in range(200, 230)))
    status, said = await make(file)
    assert status == 0
    left = len(backups(file))
    assert said.endswith(f"deleted {31 - left} old backups")
    assert 7 <= left <= 12


async def test_the_trial_opens_the_copy_as_a_start_does(file: Path) -> None:
    """A fault that only a start finds: the erasures beside the database cannot be read."""
    ledger_of(file).write_bytes(b"\xff\xfe")
    status, said = await make(file)
    assert status == 1
    assert "cannot be read" in said
    assert backups(file) == []


async def test_a_short_disk_is_refused_and_older_backups_stay(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted(file, *(RECENT - n * DAY for n in range(30)))
    before = backups(file)
    size = file.stat().st_size
    monkeypatch.setattr("bot.hosting.backup.shutil.disk_usage", lambda _: Usage(int(size * 2.2) - 1))
    status, said = await make(file)
    assert status == 1
    assert "2 copies need" in said
    assert backups(file) == before


BROKEN = "UPDATE log SET body = 'nonsense' WHERE match = {} AND n = 4"


async def test_a_database_with_a_broken_match_is_copied_and_good_backups_stay(file: Path) -> None:
    good = planted(file, *(RECENT - n * DAY for n in range(30)))
    planted(file, RECENT, mark="faulty-")
    rows(file, BROKEN.format(live(file)))
    status, said = await make(file)
    assert status == 1
    assert "does not replay: entry 4" in said
    assert all(each.exists() for each in good)
    (kept,) = (file.parent / "backups").glob("*-faulty-*")
    assert kept.name in said
    assert content(kept) == content(file), "only the newest is kept"
    assert last_good_backup(file) == RECENT


async def test_a_good_backup_ends_the_copies_with_faults(file: Path) -> None:
    planted(file, RECENT, mark="faulty-")
    status, _ = await make(file)
    assert status == 0
    assert [name for name in backups(file) if "faulty" in name] == []


async def test_a_damaged_database_leaves_no_copy(file: Path) -> None:
    rows(file, "INSERT INTO clocks VALUES (99999, 0, 1)")
    status, said = await make(file)
    assert status == 1
    assert "Rows of clocks" in said
    assert backups(file) == []


async def test_the_backup_of_a_person_who_was_erased_is_tried_without_a_trace(file: Path) -> None:
    """The trial needs the ledger, and leaves no copy of it."""
    seated = (
        "SELECT user FROM log JOIN matches ON id = match WHERE phase IN ('lobby', 'play') AND user NOT NULL"
    )
    ((person,),) = rows(file, f"SELECT min(user) FROM results WHERE user > 0 AND user NOT IN ({seated})")
    async with opened(file) as store:
        assert await store.erase_person(person, 1)
    status, _ = await make(file)
    assert status == 0
    (name,) = backups(file)
    assert person.to_bytes(8, "big") not in (file.parent / "backups" / name).read_bytes()


async def test_a_night_after_an_erasure_rebuilds_no_copy(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """That would take the room of a third copy, or of a fourth. A copy has no old bytes."""
    rows(file, "INSERT INTO facts VALUES (?, '')", TO_SCRUB)
    with failing(ledger, "scrub"):
        status, said = await make(file)
    assert status == 0, said
    assert not caplog.records
    assert rows(file, UNSCRUBBED, TO_SCRUB)
    (name,) = backups(file)
    assert not rows(file.parent / "backups" / name, UNSCRUBBED, TO_SCRUB)


# In the bot


async def test_the_bot_makes_one_in_a_process_and_says_so(
    file: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "s3cret")
    caplog.set_level(logging.INFO)
    record = await first_record(file, caplog)
    assert record.levelno == logging.INFO
    assert "restored it for trial" in record.message
    assert len(backups(file)) == 1


@pytest.mark.parametrize(
    ("sandbox", "wanted", "begun"),
    [(None, True, True), ("http://127.0.0.1:1", True, True), ("", True, False), (None, False, False)],
)
async def test_they_are_made_unless_switched_off_or_for_a_temporary_database(
    file: Path, monkeypatch: pytest.MonkeyPatch, sandbox: str | None, wanted: bool, begun: bool
) -> None:
    paths: list[Path] = []

    async def note(path: Path) -> None:
        paths.append(path)

    async def play(*_: object) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr("bot.cli.start.back_up_nightly", note)
    monkeypatch.setattr("bot.cli.start.play", play)
    monkeypatch.setattr("bot.cli.start.entered", play)
    settings = Settings(database_path=file, nightly_backups=wanted)
    await run(settings, Namespace(sandbox=sandbox))
    assert paths == [file] * begun


async def first_record(file: Path, caplog: pytest.LogCaptureFixture, *process: str) -> logging.LogRecord:
    """Let the bot make a backup at once, and return the only record that it logs."""
    process = process or command("bot.hosting.nightly")
    working = asyncio.create_task(back_up_nightly(file, first=0, process=process))
    async with asyncio.timeout(30):
        while not caplog.records:  # noqa: ASYNC110 - another process knows no event
            await asyncio.sleep(0.01)
    working.cancel()
    (record,) = caplog.records
    return record


async def failure(file: Path, caplog: pytest.LogCaptureFixture, *process: str) -> str:
    """Return what the bot logs about a backup that fails."""
    record = await first_record(file, caplog, *process)
    assert record.levelno == logging.WARNING
    return record.message


async def test_a_failure_is_one_warning_that_says_what_to_do(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (file.parent / "backups").write_text("a file")
    said = await failure(file, caplog)
    assert said == (
        f"the nightly backup failed, and is tried again in 6 hours. There is no folder {file.parent}/backups. "
        "Create it, or name another place."
    )


async def test_a_process_that_dies_is_one_warning(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    said = await failure(file, caplog, sys.executable, "-c", "import os; os.abort()")
    assert "Run `python -m bot backup` to see why" in said


async def test_a_process_that_cannot_be_started_is_one_warning(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert "No such file" in await failure(file, caplog, str(file.parent / "no-python"))


async def until_trial(file: Path) -> "subprocess.Popen[bytes]":
    """Begin the backup of a large database. Return its process, which has begun to restore the copy for trial."""
    fill(file)
    process = subprocess.Popen(  # noqa: ASYNC220 - starting it takes milliseconds
        (*command(nightly.__name__), str(file)), env=environment()
    )
    async with asyncio.timeout(30):
        await begun(file.parent / "backups" / f"{file.name}.trial.part")
    return process


async def test_a_kill_leaves_no_backup_and_the_next_night_cleans_up(file: Path) -> None:
    process = await until_trial(file)
    process.kill()
    process.wait()
    assert all(name.endswith((".part", "-wal", "-shm", "-journal")) for name in backups(file))
    assert last_good_backup(file) is None
    status, said = await make(file)
    assert status == 0, said
    assert len(backups(file)) == 1


async def test_the_end_of_the_bot_ends_the_process_which_leaves_nothing(file: Path) -> None:
    process = await until_trial(file)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 1
    assert backups(file) == []


async def test_a_cancelled_task_ends_its_process(file: Path) -> None:
    fill(file)
    working = asyncio.create_task(back_up_nightly(file, first=0))
    async with asyncio.timeout(30):
        await begun(file.parent / "backups" / f"{file.name}.part")
    working.cancel()
    async with asyncio.timeout(30):
        while backups(file):  # noqa: ASYNC110 - another process knows no event
            await asyncio.sleep(0.01)
