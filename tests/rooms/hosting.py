"""Acts of a host while people play: restoring backups, and importing standings."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from bot.hosting.backup import BackupRefused, back_up, back_up_and_try, check, restore, silent
from bot.hosting.recount import redo
from bot.hosting.standings_file import read, write
from bot.match.entries import CloseReason
from bot.store import GuildStandings, LogRow, Store, StoreFailed, StoreRefused, open_store
from bot.store.sqlite.opening import Waits
from tests.rooms.faults import LONGEST_DELAY, Faults
from tests.rooms.reading import reading
from tests.rooms.room import ENTRIES, Room, without_seal
from tests.simulation.loop import Loop
from tests.simulation.process import Process

MOST = 10
"""Number of matches in a file of standings."""
LONGEST_IMPORT = 0.3
"""Seconds after which an import is killed at the latest."""
Logs = dict[int, list[LogRow]]
"""The logs of a file by match."""


async def back_up_the_database(faults: Faults, rng: Random) -> None:
    """Back up the database while people play, maybe as the bot does at night. The copy must be a sound database of its
    own, with all that was there before and nothing that is not there after."""
    room = faults.room
    async with room.bot.lock:
        if room.bot.runs and room.bot.file.exists():
            copy, before = _copy(room), _logs(room.bot.file)
            if rng.randrange(2):
                await back_up(room.bot.file, copy, silent)
            else:
                tried = await back_up_and_try(room.bot.file, copy, copy.with_suffix(".faulty"))
                room.errors += [f"a backup of the night is faulty: {each}" for each in tried]
            room.errors += _faults_of_copy(room, before, _logs(copy), _logs(room.bot.file))
            room.errors += [f"a backup is faulty: {each}" for each in await check(copy, silent)]
            copy.unlink()


def _copy(room: Room) -> Path:
    room.counts["backups"] += 1
    return room.bot.folder / f"backup-{room.counts['backups']}.sqlite3"


async def restore_a_backup(faults: Faults, rng: Random) -> None:
    """Back up the database. After a while stop the bot, put the copy in the place of the database, and start the bot
    again. It must have all of the copy, and plays on from there."""
    room = faults.room
    if room.restoring.locked():  # with two at a time, what is gone could come back
        return
    async with room.restoring:
        async with room.bot.lock:
            if not (room.bot.runs and room.bot.file.exists()):
                return
            copy = _copy(room)
            await back_up(room.bot.file, copy, silent)
        await asyncio.sleep(rng.uniform(0, 6))
        async with room.bot.lock:
            with room.trouble("stopped"):
                try:
                    await room.bot.stop()
                    await asyncio.sleep(LONGEST_DELAY)  # a backup is older than what was on its way
                    with suppress(BackupRefused):  # something else holds the file
                        await _restore(room, copy)
                finally:
                    await faults.start()
        copy.unlink()


async def _restore(room: Room, copy: Path) -> None:
    try:
        await restore(room.bot.file, copy, silent)
    except asyncio.CancelledError:  # the faults are over, but its thread has done it
        room.note_restored()
        raise
    room.note_restored()
    kept, restored = _without_seals(_logs(copy)), _without_seals(_logs(room.bot.file))
    room.errors += _faults_of_copy(room, kept, kept, restored)
    if any(_is_longer(log, kept.get(match, ())) for match, log in restored.items()):
        room.errors.append("a restored database has entries that are not in the backup")


def _is_longer(restored: Sequence[LogRow], kept: Sequence[LogRow]) -> bool:
    """Tell whether a log has entries that its backup has not, but for the one that tells of the restore, or the end of
    a match in direct messages: a restore erases who has erased themselves since."""
    new = [(row.kind, row.body) for row in restored[len(kept) :]]
    return new not in ([], [("close", CloseReason.EVERYBODY_LEFT.code)]) and [*dict(new)] != ["restored"]


def _logs(file: Path) -> Logs:
    """Return the logs in a file that are not packed."""
    with reading(file) as db:
        matches = [number for (number,) in db.execute("SELECT DISTINCT match FROM log ORDER BY match")]
        return {each: [LogRow(*row) for row in db.execute(ENTRIES, (each, 0))] for each in matches}


def _without_seals(logs: Logs) -> Logs:
    return {match: [*map(without_seal, log)] for match, log in logs.items()}


def _faults_of_copy(room: Room, before: Logs, copy: Logs, after: Logs) -> Iterator[str]:
    for match in before.keys() | copy.keys():
        if match not in after:
            continue  # it is packed
        kept = copy.get(match, [])
        if len(kept) < len(before.get(match, [])):
            yield f"a backup has {len(kept)} entries of match {match}, which had {len(before[match])} before"
        if len(kept) > len(after[match]) or not all(map(room.is_same, kept, after[match])):
            yield f"a backup has entries of match {match} that are not in its log"


async def import_standings(faults: Faults, rng: Random) -> None:
    """Stop the bot, import what another bot has counted of a server from a file, maybe kill that on the way, import it
    again until nothing is new, and start the bot again."""
    room = faults.room
    async with room.bot.lock:
        with room.trouble("stopped"):
            try:
                await room.bot.stop()
                with suppress(StoreFailed, StoreRefused):  # something else holds the file
                    await _import(room, rng, await _exported(room, rng))
            finally:
                await faults.start()


async def _exported(room: Room, rng: Random) -> Path:
    """Write a file of standings as another bot would."""
    guild, file = rng.choice(room.guilds).id, room.bot.folder / "standings.json"
    now = int(room.box.clock.now() * 1000)

    def keep(standings: GuildStandings) -> None:
        with file.open("w") as opened:
            deque(write(standings, opened, now), maxlen=0)

    async with _opened(room) as store:
        await store.export_guild(guild, keep)
    found: dict[str, Any] = json.loads(file.read_text())
    elsewhere = f"{rng.getrandbits(128):032x}"
    found["matches"] = found["matches"][:MOST]
    for n, match in enumerate(found["matches"], 1):
        match["origin"] = f"{elsewhere}:{n}"
    found["seasons"] = []  # else they would overlap with those that are here
    file.write_text(json.dumps(found))
    return file


@asynccontextmanager
async def _opened(room: Room) -> AsyncIterator[Store]:
    store = await open_store(room.bot.file, waits=Waits(start=0))
    try:
        yield store
    finally:
        await store.close()


async def _import(room: Room, rng: Random, file: Path) -> None:
    count = len(json.loads(file.read_text())["matches"])
    new = [count, 0]
    if count:  # also if it is killed: it may have added all by then
        room.recounted = room.box.clock.now()
    if rng.randrange(2):
        await _kill_an_import(room, rng, file)
        new = [*{count, 0}, 0]  # it has added all or nothing
    added = [await _imported(room, file), await _imported(room, file)]
    room.counts["imported matches"] += count
    if added[0] not in new[:-1] or added[1]:
        room.errors.append(f"of {count} matches {added} were imported, not {new}")


async def _imported(room: Room, file: Path) -> int:
    """Import a file. Return the number of matches that are new."""
    async with _opened(room) as store:
        standings = read(file, int(room.box.clock.now() * 1000))
        return len((await store.import_guild(standings, redo, lambda *_: None)).matches)


async def _kill_an_import(room: Room, rng: Random, file: Path) -> None:
    """Import a file by a process of its own, and kill that on the way, maybe by a cut of the power."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    process = Process(loop, "import")
    work = process.start(_imported(room, file))
    await asyncio.wait({work}, timeout=rng.uniform(0, LONGEST_IMPORT))
    process.kill(rng.choice((None, rng)))
