"""What a host does while people play: backups, and imports of standings."""

import json
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

from bot.hosting.backup import back_up, check, silent
from bot.hosting.recount import redo
from bot.hosting.standings_file import read, write
from bot.store import GuildStandings, LogRow, Store, StoreFailed, StoreRefused, open_store
from bot.store.sqlite.opening import Waits
from tests.rooms.faults import Faults
from tests.rooms.room import ENTRIES, Room

MOST = 10
"""Number of matches in a file of standings."""
Logs = dict[int, list[LogRow]]
"""The logs of a file by match."""


async def back_up_the_database(faults: Faults, _: Random) -> None:
    """Back up the database while people play. The copy must be a sound database of its own, with all that was there
    before and nothing that is not there after."""
    room = faults.room
    async with room.bot.lock:
        if room.bot.runs and room.bot.file.exists():
            room.counts["backups"] += 1
            copy = room.bot.folder / f"backup-{room.counts['backups']}.sqlite3"
            before = _logs(room.bot.file)
            await back_up(room.bot.file, copy, silent)
            room.errors += _faults_of_copy(room, before, _logs(copy), _logs(room.bot.file))
            room.errors += [f"a backup is faulty: {each}" for each in await check(copy, silent)]
            copy.unlink()


def _logs(file: Path) -> Logs:
    """Return the logs in a file that are not packed."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as db:
        matches = [number for (number,) in db.execute("SELECT DISTINCT match FROM log ORDER BY match")]
        return {each: [LogRow(*row) for row in db.execute(ENTRIES, (each, 0))] for each in matches}


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
    """Stop the bot, import what another bot has counted of a server from a file, twice, and start the bot again."""
    room = faults.room
    async with room.bot.lock:
        with room.trouble("stopped"):
            try:
                await room.bot.stop()
                with suppress(StoreFailed, StoreRefused):  # something else holds the file
                    store = await open_store(room.bot.file, waits=Waits(start=0))
                    try:
                        await _import(room, rng, store)
                    finally:
                        await store.close()
            finally:
                await faults.start()


async def _import(room: Room, rng: Random, store: Store) -> None:
    guild, file = rng.choice(room.guilds).id, room.bot.folder / "standings.json"
    now = int(room.box.clock.now() * 1000)

    def keep(standings: GuildStandings) -> None:
        with file.open("w") as opened:
            deque(write(standings, opened, now), maxlen=0)

    await store.export_guild(guild, keep)
    found: dict[str, Any] = json.loads(file.read_text())
    elsewhere = f"{rng.getrandbits(128):032x}"
    found["matches"] = found["matches"][:MOST]
    for n, match in enumerate(found["matches"], 1):
        match["origin"] = f"{elsewhere}:{n}"
    found["seasons"] = []  # else they would overlap with those that are here
    file.write_text(json.dumps(found))
    for new in (len(found["matches"]), 0):
        done = await store.import_guild(read(file, now), redo, lambda *_: None)
        room.counts["imported matches"] += len(done.matches)
        if len(done.matches) != new:
            room.errors.append(
                f"of {len(found['matches'])} matches {len(done.matches)} were imported, not {new}"
            )
