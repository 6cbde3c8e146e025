"""`python -m bot doctor`: each fault that is planted is found, with a remedy, and nothing is changed by looking."""

import asyncio
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from shutil import copy, which
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import discord
import pytest

from bot.cli.start import APPLICATION, card_drawings, enter_sandbox
from bot.client import INTENTS
from bot.hosting.backup import back_up, silent
from bot.hosting.backup_files import last_good_backup
from bot.hosting.doctor import database, machine, mounts
from bot.hosting.doctor.at_discord import ClockCheck, ask, missing_emojis, other_application, reason
from bot.hosting.doctor.checks import before_start, of_machine, quick
from bot.hosting.doctor.database import NEXT, last_application
from bot.hosting.doctor.finding import Finding, Level, as_json, as_text, split, status
from bot.store.errors import StoreRefused
from bot.store.sqlite.opening import alone, prepare
from sandbox import Sandbox
from tests.bot.hosting.test_backup import foreign, newer
from tests.bot.messages.uploaded import put
from tests.bot.store.stores import lobby, opened, run
from tests.bot.store.test_sqlite_opening import everything, unprivileged
from tests.bot.test_start import begin, ended, start, until_said
from tests.stored.releases import NEWEST

HERE = Path(__file__).parents[3]
DAY = 86_400


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a database in a folder of its own. Its first match is two days old."""
    (tmp_path / "data").mkdir()
    file = Path(copy(NEWEST, tmp_path / "data" / "palmhouse.sqlite3"))
    prepare(file)
    run(file, f"UPDATE matches SET opened = {int((time.time() - 2 * DAY) * 1000)}")
    return file


async def doctor(folder: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """Run the doctor in `folder`. Return its exit status and what it prints to stdout."""
    process = await begin(folder, "doctor", *arguments, stdout=asyncio.subprocess.PIPE, **settings)
    said, complained = await ended(process)
    assert process.returncode is not None
    assert "Traceback" not in complained, complained
    return process.returncode, said


async def findings(folder: Path, *arguments: str, **settings: str) -> dict[str, dict[str, str]]:
    """Run the doctor in `folder`, and return its findings by name."""
    _, said = await doctor(folder, "--json", *arguments, **settings)
    return {each["name"]: each for each in json.loads(said)}


def faulty(found: Finding, state: Level, *words: str) -> None:
    """Check that a finding has this state, these words and a remedy."""
    assert found.state is state
    for each in words:
        assert each in f"{found.what} {found.remedy}"
    assert found.remedy


# Python and libraries


def test_an_old_python_is_a_fault() -> None:
    assert machine.python().state is Level.OK
    faulty(machine.python((3, 10, 4)), Level.FAULT, "This is Python 3.10.4; the bot needs 3.11 or newer.")


def test_the_installed_libraries_suit_and_are_those_of_the_project() -> None:
    assert machine.libraries().state is Level.OK
    assert {each.split(" ")[0] for each in machine.required()} >= {"discord.py", "aiosqlite", "pydantic"}


def test_a_machine_without_time_zones_is_found() -> None:
    assert machine.zones().state is Level.OK
    faulty(machine.zones([]), Level.WARNING, "nobody can set `/hours`", "tzdata")


@pytest.mark.parametrize(
    ("wanted", "state", "words"),
    [
        ("aiohttp >=99,<100", Level.FAULT, "is too old (99 or newer is needed)"),
        ("no-such-library >=1", Level.FAULT, "no-such-library is not installed"),
        ("aiohttp<3,>=2", Level.WARNING, "is too new (tested below 3)"),
    ],
)
def test_a_library_out_of_its_range_is_found(wanted: str, state: Level, words: str) -> None:
    assert machine.libraries(["aiohttp >=3.11,<4"]).state is Level.OK
    faulty(machine.libraries(["pydantic >=2", wanted]), state, words, "pip install")


def test_missing_libraries_are_reported_by_any_command() -> None:
    for arguments in (("doctor",), ("doctor", "--quick"), ()):
        ended = subprocess.run(  # without the folder of installed libraries
            (sys.executable, "-S", "-m", "bot", *arguments),
            cwd=HERE,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 2
        assert "is not installed. Install all libraries: " in ended.stderr
        assert ended.stderr.count("\n") == 1


# The folder, the disk, the file system


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_may_not_be_written_is_a_fault_with_the_user_and_the_command(there: bool) -> None:
    with TemporaryDirectory(prefix="palmhouse-test-") as name:
        path = Path(name) / "palmhouse.sqlite3"
        if there:
            prepare(path)
        path.parent.chmod(0o555)
        with unprivileged():
            user = os.geteuid()
            found = machine.folder(path)
            assert [each for each in quick(path) if each.state is Level.FAULT] == [found]
        path.parent.chmod(0o755)
        faulty(found, Level.FAULT, f"(user {user}) may not write {name}", f"`sudo chown {user} {name}")
        assert (str(path) in found.remedy) == (there and os.geteuid() == 0)
        assert machine.folder(path).state is Level.OK


def test_a_folder_that_may_not_be_entered_is_a_fault_in_every_check() -> None:
    with TemporaryDirectory(prefix="palmhouse-test-") as name:
        closed = Path(name)
        path = closed / "data" / "palmhouse.sqlite3"
        prepare(path)
        closed.chmod(0o600)
        with unprivileged():
            user = os.geteuid()
            found = {each.name: each for checks in (of_machine, quick) for each in checks(path)}
            refused = found["folder"], database.database(path), database.readable(path)
            with pytest.raises(StoreRefused, match=f"may not enter {name}"), alone(path):
                pass
        closed.chmod(0o700)
    for each in refused:
        faulty(each, Level.FAULT, f"(user {user})", "Run the bot as the owner")


def test_a_path_that_is_a_folder_or_below_a_file_is_a_fault(tmp_path: Path) -> None:
    for check in (database.database, database.readable):
        said = f"No database can be kept at {tmp_path}: Is a directory."
        assert check(tmp_path) == Finding(
            "database", Level.FAULT, said, "Name another file in DATABASE_PATH."
        )
    plain = tmp_path / "plain"
    plain.touch()
    for check in (machine.folder, database.database, database.readable):
        faulty(check(plain / "x.sqlite3"), Level.FAULT, f"{plain} is a file, not a folder. Name another file")


def test_a_short_disk_is_found(path: Path) -> None:
    assert machine.disk(path).state is Level.OK
    with path.with_name(f"{path.name}-wal").open("wb") as log:
        log.truncate(2**43)  # without blocks on the disk
    faulty(machine.disk(path), Level.WARNING, "free on the disk of", "need about 19,")
    full = machine.free_space(10_000_000, 0, path.parent)
    faulty(full, Level.FAULT, f"Only 10 MB free on the disk of {path.parent}.", "cannot save moves")


MAY_MOUNT = which("unshare") and not subprocess.call(("unshare", "-m", "true"), stderr=subprocess.DEVNULL)
MOUNTED = """
from pathlib import Path
from bot.hosting.doctor.machine import disk, file_system, folder
for check, place in (folder, "ro"), (disk, "rw"), (file_system, "rw"), (disk, "/proc/foo"):
    found = check(Path(place) / "palmhouse.sqlite3")
    print(found.state, found.what)
"""


@pytest.mark.skipif(not MAY_MOUNT, reason="Only root may mount file systems.")
def test_real_file_systems_that_are_read_only_full_or_in_memory_are_found(tmp_path: Path) -> None:
    """They are mounted for the checking process alone."""
    script = ""
    for option in ("ro", "rw"):
        (tmp_path / option).mkdir()
        script += f"mount -t tmpfs -o size=10m,{option} none {option} && "
    said = subprocess.check_output(
        ("unshare", "-m", "sh", "-c", f'{script} exec "$@"', "sh", sys.executable, "-c", MOUNTED),
        env=os.environ | {"PYTHONPATH": str(HERE)},
        cwd=tmp_path,
        text=True,
    )
    read_only, full, in_memory, system = said.splitlines()
    assert read_only.startswith("fault ")
    assert "is mounted read-only." in read_only
    assert full.startswith("fault Only 10 MB free")
    assert in_memory.startswith("warning ")
    assert "in memory (tmpfs)" in in_memory
    assert system == "fault /proc is on no disk."


MOUNTINFO = r"""
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
29 27 0:40 / /mnt/my\040share rw,relatime shared:7 - nfs4 server:/share rw,vers=4.2
30 27 0:41 / /run rw,nosuid - tmpfs tmpfs rw
31 27 0:42 / /data rw,relatime - ext4 /dev/sdb rw
32 31 0:43 / /data rw,relatime - fuse.sshfs me@there:/ rw
"""


@pytest.mark.parametrize(
    ("path", "mount"),
    [
        ("/home/palmhouse/data", ("/", "ext4")),
        ("/mnt/my share/palmhouse.sqlite3", ("/mnt/my share", "nfs4")),
        ("/mnt/my share of it", ("/", "ext4")),
        ("/run/palmhouse.sqlite3", ("/run", "tmpfs")),
        ("/data/palmhouse.sqlite3", ("/data", "fuse.sshfs")),
    ],
)
def test_the_file_system_of_a_path_is_the_last_one_mounted_around_it(
    path: str, mount: tuple[str, str]
) -> None:
    assert mounts.find(MOUNTINFO, PurePosixPath(path)) == mount


def test_a_system_that_does_not_tell_its_mounts_has_no_finding(path: Path) -> None:
    assert mounts.mount_of(path) is not None
    assert mounts.mount_of(path, path / "none") is None


def test_the_file_system_of_links_in_a_circle_is_not_known(tmp_path: Path) -> None:
    (link := tmp_path / "palmhouse.sqlite3").symlink_to(link)
    assert mounts.mount_of(link) is None
    assert machine.suitable(None, {}).state is Level.SKIPPED
    assert mounts.find("nonsense\n\n1 2 3 - \n", PurePosixPath("/")) is None


LASTING = mounts.Mount("/", "ext4")
VOLUME = mounts.Mount("/data", "ext4")


@pytest.mark.parametrize(
    ("mount", "environment", "words"),
    [
        (mounts.Mount("/data", "nfs4"), {}, "a network drive (nfs4 at /data), whose locks may fail"),
        (mounts.Mount("/data", "cifs"), {}, "a network drive"),
        (mounts.Mount("/data", "fuse.sshfs"), {}, "a network drive"),
        (mounts.Mount("/", "overlay"), {}, "in the container itself (overlay), and is deleted with it"),
        (mounts.Mount("/tmp", "tmpfs"), {}, "in memory (tmpfs)"),
        (LASTING, {"DYNO": "worker.1"}, "Heroku empties this disk at each start"),
        (VOLUME, {"DYNO": "worker.1"}, "Heroku empties"),
        (LASTING, {"RENDER": "true"}, "Render empties"),
        (None, {"RAILWAY_ENVIRONMENT_NAME": "production"}, "Railway empties"),
        (LASTING, {"FLY_APP_NAME": "palmhouse"}, "Fly.io empties"),
    ],
)
def test_a_place_that_does_not_suit_a_database_is_a_warning(
    mount: mounts.Mount | None, environment: dict[str, str], words: str
) -> None:
    faulty(machine.suitable(mount, environment), Level.WARNING, words, "in DATABASE_PATH")


@pytest.mark.parametrize(
    "environment", [{}, {"RENDER": "true"}, {"RAILWAY_ENVIRONMENT_NAME": "x"}, {"DYNO": ""}]
)
def test_a_volume_suits_a_database_on_any_host(environment: dict[str, str]) -> None:
    assert machine.suitable(VOLUME, environment).state is Level.OK


# The database


def test_before_the_first_start_nothing_is_wrong_and_nothing_is_made(tmp_path: Path) -> None:
    path = tmp_path / "some" / "where" / "palmhouse.sqlite3"
    place = machine.file_system(path)  # the tests may run in a container
    for checks in (before_start, of_machine, quick):
        assert {finding.state for finding in checks(path) if finding != place} == {Level.OK}
    assert list(tmp_path.iterdir()) == []


def torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def diary(path: Path) -> None:
    path.write_text("Dear diary, today I learned a new game. " * 100)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (newer, "written by a newer Palmhouse (version 999"),
        (foreign, "belongs to another program"),
        (torn, "the file is damaged. Put a backup in its place (`python -m bot restore PATH`), or move"),
        (diary, "the file is not a database. Name another one"),
    ],
)
def test_a_database_that_cannot_be_used_is_a_fault_and_stays_as_it_is(
    path: Path, spoil: Callable[[Path], None], words: str
) -> None:
    spoil(path)
    before = everything(path.parent)
    faulty(database.database(path), Level.FAULT, words)
    if spoil is not torn:  # the quick check does not read the whole file
        assert database.readable(path).state is Level.FAULT
    assert everything(path.parent) == before


def test_a_database_that_another_program_holds_is_a_fault(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        faulty(database.database(path), Level.FAULT, "another process is holding the file. Stop it")
    assert database.database(path).state is Level.OK


async def test_a_running_bot_is_well_until_its_heartbeats_stop(path: Path) -> None:
    async with opened(path) as store:
        await store.heartbeat(1_000_000)
        assert database.bot(path, 1_000).what == "No bot uses the database now."
        with alone(path):
            assert database.bot(path, 1_002).what == "A bot is running; last heartbeat 2 s ago."
            waited = list[float]()
            stopped = database.bot(path, 1_600, waited.append)
            faulty(stopped, Level.FAULT, "last heartbeat 10 minutes ago.", "start it again")
            assert waited == [NEXT]


@pytest.mark.parametrize("clock", [800, 1_200])
async def test_a_bot_is_at_work_though_the_clock_of_the_machine_is_wrong(clock: int) -> None:
    found = database.at_work(1_000_000, lambda: 1_005_000, clock, lambda _: None)
    wrong = abs(clock - 1_005)
    faulty(found, Level.WARNING, f"clock differs from Discord's by {wrong} s.", "Set it by the network")


async def test_a_pause_before_a_start_does_not_count_as_a_wrong_clock() -> None:
    found = database.at_work(1_000_000, lambda: 9_000_000, 9_200, lambda _: None)
    faulty(found, Level.WARNING, "clock differs from Discord's by 200 s.", "Set it by the network")


async def test_a_bot_that_has_just_started_after_a_pause_is_well() -> None:
    found = database.at_work(1_000_000, lambda: 1_199_000, 1_200, lambda _: None)
    assert (found.state, found.what) == (Level.OK, "A bot is running; last heartbeat 1 s ago.")


async def test_a_bot_is_not_at_work_because_the_second_look_fails() -> None:
    faulty(
        database.at_work(1_000_000, lambda: None, 1_200, lambda _: None),
        Level.FAULT,
        "no bot is at work",
        "hangs",
    )


def test_a_lock_that_may_not_be_read_is_a_warning() -> None:
    with TemporaryDirectory(prefix="palmhouse-test-") as name:
        path = Path(name) / "palmhouse.sqlite3"
        with alone(path):
            path.with_name(f"{path.name}.lock").chmod(0)
            path.parent.chmod(0o755)
            with unprivileged():
                faulty(database.bot(path), Level.WARNING, "may not read", "as the user of the bot")


# Backups


async def test_a_backup_that_is_missing_or_too_old_is_a_warning(path: Path) -> None:
    now = datetime.now(UTC)
    faulty(database.backup(path), Level.WARNING, "There is none", str(path.parent / "backups"), "bot backup")
    await back_up(path, None, silent)
    assert database.backup(path).state is Level.OK
    assert database.backup(path, now + timedelta(hours=25)).state is Level.OK
    old = database.backup(path, now + timedelta(hours=27))
    faulty(old, Level.WARNING, "The last one is from 27 hours ago")


async def test_the_newest_backup_is_found_among_other_files(path: Path) -> None:
    (path.parent / "backups").mkdir()
    for name in (
        *("palmhouse-nightly-2026-11-20T0310Z", "palmhouse-2026-11-21T031059Z"),
        *(
            "palmhouse-faulty-2026-11-22T0310Z",
            "other-2026-11-22T0310Z",
            "palmhouse-2026-13-22T0310Z",
            "palmhouse",
        ),
    ):
        (path.parent / "backups" / f"{name}.sqlite3").touch()
    assert last_good_backup(path) == datetime(2026, 11, 21, 3, 10, tzinfo=UTC)


async def test_a_young_database_needs_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "palmhouse.sqlite3"
    async with opened(path) as store:
        assert database.backup(path).state is Level.OK
        match = await lobby(store)
    opened_at = datetime.fromtimestamp(match.opened / 1000, UTC)
    assert database.backup(path, opened_at + timedelta(hours=25)).state is Level.OK
    assert database.backup(path, opened_at + timedelta(hours=27)).state is Level.WARNING


# The clock


@pytest.mark.parametrize("ahead", [0.0, 1.4, -1.4, 30.0, -30.0, 3.1, -3.1])
def test_a_clock_more_than_two_seconds_off_is_found(ahead: float) -> None:
    """Discord's dates have whole seconds. Answers at any fraction of a second decide about it."""
    check = ClockCheck()
    for n in range(5):
        asked = 1_000_000 + 7.2 * n
        check.learn(asked, asked + 0.1, int(asked + 0.05 - ahead))
    found = check.finding()
    assert (found.state is Level.WARNING) == (abs(ahead) > 2)
    if ahead:
        assert ("behind" in found.what) == (ahead < -2)
        assert ("ahead" in found.what) == (ahead > 2)


def test_without_any_answer_the_clock_is_not_blamed() -> None:
    found = ClockCheck().finding()
    assert (found.state, found.what) == (Level.SKIPPED, "Not checked: Discord has not answered.")


def test_a_slow_answer_says_little_about_the_clock() -> None:
    check = ClockCheck()
    check.learn(1_000, 1_010, 1_009)
    assert check.finding().state is Level.OK


# Discord


@pytest.fixture
async def box() -> Any:
    """Yield a sandbox with two servers with the bot, one without, and all emojis."""
    async with Sandbox(rate_limits=False) as box:
        box.guild("Palm Beach")
        box.guild("Oasis")
        box.guild("Elsewhere", bot=False)
        put(box, *(drawing.key for drawing in card_drawings()))
        yield box


async def asked(box: Sandbox, last: str | None = None) -> dict[str, Finding]:
    """Return by name what the checks at Discord find. `last`: the application that used the database last."""
    clock = ClockCheck()
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, box.url)
        client = await stack.enter_async_context(discord.Client(intents=INTENTS, http_trace=clock.trace()))
        wanted = {drawing.key for drawing in card_drawings()}
        found = await ask(client, token, emojis=wanted, last_application=last, progress=lambda *_: None)
    return {each.name: each for each in [*found, clock.finding()]}


async def test_a_bot_that_is_set_up_well_has_no_findings(box: Sandbox, tmp_path: Path) -> None:
    code, said = await doctor(tmp_path, "--sandbox", box.url)
    lines = said.splitlines()
    assert lines[-1] in ("All is well.", "Found 1 warning.")
    assert code == (lines[-1] != "All is well.")
    assert "✓ servers      Commands are allowed on 2 servers: all that were asked, at most 5." in lines
    # The tests may run in a container, whose own disk does not last.
    assert {line[0] for line in lines[:-2] if line[0] != " " and "file system" not in line} == {"✓"}
    assert list(tmp_path.iterdir()) == [], "a check makes no files"
    assert box.complaints == []


async def test_a_missing_token_is_a_fault(tmp_path: Path) -> None:
    code, said = await doctor(tmp_path, DYNO="worker.1")
    assert code == 2
    assert "! file system  The database does not last: Heroku empties this disk at each start." in said
    assert "✗ token        DISCORD_TOKEN is not set.\n               Put your bot's token into .env" in said


async def test_a_malformed_setting_is_a_fault(tmp_path: Path) -> None:
    for arguments in ((), ("--quick",)):
        code, said = await doctor(tmp_path, *arguments, DISCORD_TOKEN="s3cret")
        assert code == 2
        assert "DISCORD_TOKEN is not a bot token (three parts joined by dots)." in said.splitlines()[0]
        assert "disk" in said, "the other checks are made"
        assert "is not set" not in said
        assert "s3cret" not in said


@pytest.mark.parametrize("named", [".", "/"])
async def test_a_folder_without_a_name_in_the_place_of_the_database_is_a_fault(
    named: str, tmp_path: Path
) -> None:
    for arguments in ((), ("--quick",)):
        code, said = await doctor(tmp_path, *arguments, DATABASE_PATH=named)
        assert code == 2
        assert "DATABASE_PATH is a folder." in said.splitlines()[0]
    status, complained = await start(tmp_path, DATABASE_PATH=named)
    assert (status, complained.splitlines()[-1:]) == (
        1,
        ["Palmhouse cannot start. DATABASE_PATH is a folder; name a file in it."],
    )


@pytest.mark.parametrize(
    ("plant", "name", "state", "words"),
    [
        ("token", "token", "fault", "wrong or was reset. Copy the present one"),
        ("outage", "Discord", "warning", "answers with an error (503). Run the doctor again"),
        ("network", "Discord", "fault", "cannot be reached (the connection was closed). Check the network"),
        ("clock", "clock", "warning", "clock is 4 s or more behind. Set it by the network"),
        ("servers", "servers", "warning", "The bot is on no server. Open the link"),
        (
            "scope",
            "servers",
            "warning",
            "Without the scope applications.commands, and so without commands: Oasis (",
        ),
        ("emojis", "emojis", "warning", "1 of 113 are missing"),
    ],
)
async def test_what_discord_says_is_found(
    box: Sandbox, plant: str, name: str, state: str, words: str
) -> None:
    _, oasis, *_ = guilds = [*box.guilds.values()]
    match plant:
        case "token":
            box.token = "another"
        case "outage":
            box.fail("GET", "^/users/@me$", 503)
        case "network":
            box.fail("GET", "^/users/@me$", 0, times=9)
        case "clock":
            box.clock.advance(5)
        case "servers":
            for guild in guilds[:2]:
                guild.remove(box.world.bot)
        case "scope":
            oasis.allows_commands = False
        case "emojis":
            box.world.emojis.popitem()
    faulty((await asked(box))[name], Level(state), words)


async def test_a_token_of_another_application_is_a_warning(box: Sandbox, path: Path) -> None:
    async with opened(path) as store:
        await store.set_fact(APPLICATION, "7")
    found = (await asked(box, last_application(path)))["application"]
    faulty(found, Level.WARNING, "but 7 has played with this database", "cannot edit the other's messages")
    assert other_application("7", 7).state is other_application(None, 7).state is Level.OK


async def test_without_an_address_of_a_sandbox_the_machine_is_checked(tmp_path: Path) -> None:
    code, said = await doctor(tmp_path, "--sandbox")
    assert code == 0, "nothing is wrong"
    assert "Name the one that runs: `python -m bot doctor --sandbox URL`." in said
    assert said.endswith("\nNothing wrong in what was checked.\n"), said


async def test_a_machine_without_the_port_of_the_metrics_is_found(
    path: Path, tmp_path: Path, unused_tcp_port: int
) -> None:
    settings = {"DATABASE_PATH": str(path), "METRICS_PORT": str(unused_tcp_port)}
    assert machine.metrics_port(unused_tcp_port, is_used=False).state is Level.OK
    with socket.create_server(("127.0.0.1", unused_tcp_port)):
        found = (await findings(tmp_path, **settings))["metrics"]
        assert (found["state"], "cannot be used. Another program has it" in found["what"]) == ("fault", True)
        with alone(path):  # as a bot
            assert (await findings(tmp_path, **settings))["metrics"]["state"] == "ok"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://no-such-host.invalid", "its name is not found"),
        ("http://127.0.0.1:1", "the connection is refused"),
    ],
)
async def test_a_failed_connection_is_explained_in_plain_words(url: str, words: str) -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.ClientError) as failed:
            await session.get(url)
    assert reason(failed.value) == words


def test_the_remedy_for_emojis_names_the_sandbox() -> None:
    said = missing_emojis({"a"}, [], "http://127.0.0.1:8420").remedy
    assert said == "Run `python -m bot emojis --sandbox http://127.0.0.1:8420`, then start the bot again."


def test_emojis_of_other_names_do_not_count() -> None:
    assert missing_emojis({"a", "b"}, ["a", "b", "c"]).state is Level.OK
    faulty(missing_emojis({"a", "b"}, ["c"]), Level.WARNING, "2 of 2 are missing", "bot emojis")


# Beside a running bot


async def test_beside_a_running_bot_it_says_how_the_bot_is_and_disturbs_nothing(
    box: Sandbox, path: Path, tmp_path: Path
) -> None:
    process = await begin(tmp_path, "--sandbox", box.url, DATABASE_PATH=str(path))
    await until_said(process, "ready as")
    for arguments in (("--sandbox", box.url), ("--quick",), ("--quick", "--sandbox", box.url)):
        found = await findings(tmp_path, *arguments, DATABASE_PATH=str(path))
        assert found["bot"]["what"].startswith("A bot is running; last heartbeat ")
        assert {each["state"] for each in found.values()} == {"ok", "warning"}  # it has no backup
    _, said = await ended(process, signal.SIGTERM)
    assert process.returncode == 0
    assert "ERROR" not in said


async def test_a_quick_check_warns_with_status_0_and_finds_faults_with_status_2(
    path: Path, tmp_path: Path
) -> None:
    code, said = await doctor(tmp_path, "--quick", DATABASE_PATH=str(path))
    assert (code, "! backup" in said) == (0, True)
    newer(path)
    code, said = await doctor(tmp_path, "--quick", DATABASE_PATH=str(path))
    assert (code, "✗ database" in said) == (2, True)


async def test_a_quick_check_imports_neither_the_games_nor_the_library_of_discord(path: Path) -> None:
    script = "import sys; from bot.cli.quick_doctor import main; main(['doctor', '--quick']);"
    script += "print([name for name in ('discord', 'games', 'PIL', 'cogs') if name in sys.modules])"
    said = await asyncio.to_thread(
        subprocess.check_output, (sys.executable, "-c", script), cwd=HERE, text=True
    )
    assert said.endswith("\n[]\n")


# The start


async def test_the_start_logs_warnings_and_refuses_for_a_fault(
    box: Sandbox, path: Path, tmp_path: Path
) -> None:
    process = await begin(tmp_path, "--sandbox", box.url, DATABASE_PATH=str(path), DYNO="worker.1")
    said = await until_said(process, "ready as")
    await ended(process, signal.SIGTERM)
    assert said.count(f"There is none (looked in {path.parent / 'backups'}). Run `python -m bot backup`") == 1
    assert said.count("The database does not last: Heroku empties this disk at each start.") == 1
    status_and_said = await start(tmp_path, "--sandbox", box.url, DATABASE_PATH=str(path / "x.sqlite3"))
    sentence = (
        f"Palmhouse cannot start. {path} is a file, not a folder. Name another file in DATABASE_PATH.\n"
    )
    assert status_and_said == (1, sentence)


def test_the_checks_of_a_start_take_little_time(path: Path) -> None:
    """300 ms are allowed for all of them; here in CPU time, as other tests run beside this one."""
    begun = time.process_time()
    assert len([*before_start(path)]) == 6
    assert time.process_time() - begun < 0.3


# Reports

FOUND = [
    Finding("disk", Level.OK, "9 GB free."),
    Finding("token", Level.FAULT, "It is wrong.", "Copy it."),
    Finding("backup", Level.WARNING, "There is none.", "Make one."),
    Finding("clock", Level.WARNING, "It is slow.", "Set it."),
]


def test_the_report_has_a_line_for_each_finding_and_its_remedy_below() -> None:
    assert as_text(FOUND) == (
        "✓ disk    9 GB free.\n"
        "✗ token   It is wrong.\n"
        "          Copy it.\n"
        "! backup  There is none.\n"
        "          Make one.\n"
        "! clock   It is slow.\n"
        "          Set it.\n"
        "\n"
        "Found 1 fault and 2 warnings."
    )


def test_a_quick_report_does_not_say_that_all_is_well() -> None:
    assert as_text(FOUND[:1]).endswith("\n\nAll is well.")
    assert as_text(FOUND[:1], quick=True).endswith("\n\nNothing wrong in what was checked.")


def test_the_list_for_programs_has_four_keys() -> None:
    assert json.loads(as_json(FOUND))[1] == {
        "name": "token",
        "state": "fault",
        "what": "It is wrong.",
        "remedy": "Copy it.",
    }


def test_the_status_is_that_of_the_worst_finding() -> None:
    assert [status(FOUND[:n]) for n in (0, 1, 2)] == [0, 0, 2]
    assert status(FOUND[2:]) == 1
    assert status(FOUND[2:], quick=True) == 0
    assert status(FOUND, quick=True) == 2


@pytest.mark.parametrize(
    ("said", "what", "remedy"),
    [
        ("It is bad. Mend it.", "It is bad.", "Mend it."),
        ("It is bad; mend it.", "It is bad.", "Mend it."),
        ("It is bad.", "It is bad.", ""),
    ],
)
def test_a_refusal_is_split_into_what_is_and_what_to_do(said: str, what: str, remedy: str) -> None:
    assert split("x", said) == Finding("x", Level.FAULT, what, remedy)


def test_the_backup_is_not_judged_when_the_database_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "palmhouse.sqlite3").write_bytes(b"x" * 5_000)
    finding = database.backup(tmp_path / "palmhouse.sqlite3")
    assert (finding.state, finding.what) == (
        Level.SKIPPED,
        "Not checked, because the database cannot be read.",
    )


def test_a_fault_of_the_folder_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    for checks in (of_machine, quick):
        found = checks(tmp_path / "data" / "palmhouse.sqlite3")
        assert [each.name for each in found if each.state is Level.FAULT] == ["folder"]
