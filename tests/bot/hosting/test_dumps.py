"""A PostgreSQL database that was restored from a dump: the next opening notices that, and does what a restore of a file
does."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.hosting.moving import move_to
from bot.match.entries import Cut
from bot.match.log import read
from bot.store import TABLES, LogRow, NewNight, Preset, Store, StoreRefused, open_store
from bot.store.postgresql.looking import look
from bot.store.seeds import cut_digest
from tests.bot.store.stores import ALICE, CHANNEL, GUILD, NIGHTS, lobby, opened
from tests.postgresql import Server
from tests.stored.releases import migrated
from tests.test_architecture import ROOT

Restore = Callable[[], None]
TELL = "INSERT INTO facts VALUES ('tables', '') ON CONFLICT (key) DO UPDATE SET value = ''"
WAYS: Sequence[dict[str, bool]] = {"is_task": True}, {"is_alone": False}, {"is_shared": True}, {}
"""Ways to open a database: by `recount` and `import`, by `export`, by one of several processes and by the only one."""


@pytest.fixture
async def url(database_url: str, tmp_path: Path) -> str:
    """Return the address of a database that a bot has opened, with rows in every table."""
    await move_to(migrated(tmp_path / "palmhouse.sqlite3"), database_url)
    async with opened(database_url) as store:
        await store.set_fact("commands", "of some version")
    return database_url


@pytest.fixture
def restore(url: str, postgresql: Server) -> Restore:
    """Dump the database. Return a function that restores it."""
    return postgresql.dumped(url)


def rows(url: str, query: str) -> list[Any]:
    with psycopg.connect(url) as db:
        return db.execute(query.encode()).fetchall()


def execute(url: str, statements: str) -> None:
    with psycopg.connect(url) as db:
        db.execute(statements.encode())


def content(url: str) -> dict[str, list[Any]]:
    """Return all rows of all tables, and the last numbers that were given."""
    numbers = "SELECT sequencename, last_value FROM pg_sequences ORDER BY sequencename"
    return {table: sorted(rows(url, f"SELECT * FROM {table}")) for table in TABLES} | {
        "numbers": rows(url, numbers)
    }


async def numbers(store: Store, name: str) -> dict[str, int]:
    """Return the numbers that a match and others get that are made now."""
    assert await store.add_preset(Preset(0, GUILD, name, "toy", "{}", "live"), 99)
    (preset,) = (each.id for each in await store.presets(GUILD) if each.name == name)
    at = 4_000_000_000_000 + preset
    season = await store.add_season(GUILD, CHANNEL, name, at, at + 1)
    night = await store.plan_night(NewNight(GUILD, CHANNEL, ALICE, at, 0, "[]", 1, "5ec"), 1)
    assert season is not None
    assert night is not None
    return {
        "match": (await lobby(store)).id,
        "season": season.id,
        "preset": preset,
        "night": night.id,
    }


async def test_a_database_that_was_moved_or_opened_again_is_not_taken_for_restored(
    database_url: str, tmp_path: Path
) -> None:
    await move_to(migrated(tmp_path / "palmhouse.sqlite3"), database_url)
    moved = content(database_url)
    for options in WAYS:
        async with opened(database_url, **options):
            pass
    now = content(database_url)
    now["facts"] = [fact for fact in now["facts"] if fact[0] != "tables"]
    assert now == moved


async def test_after_a_restore_no_number_is_given_that_was_given_since_the_dump(
    url: str, restore: Restore
) -> None:
    async with opened(url) as store:
        given = await numbers(store, "Earlier")
    restore()
    async with opened(url) as store:
        new = await numbers(store, "Later")
    assert {kind for kind, number in new.items() if number > given[kind]} == {*given}


@pytest.mark.parametrize("options", WAYS)
async def test_after_a_restore_each_open_match_says_once_up_to_when_it_counts(
    url: str, restore: Restore, options: dict[str, bool]
) -> None:
    said = "SELECT match, body, at FROM log WHERE kind = 'restored'"
    before, last = rows(url, said), dict(rows(url, "SELECT match, max(at) FROM log GROUP BY match"))
    restore()
    await look(url)
    assert rows(url, said) == before, "the doctor changes nothing"
    for each in (options, {}, {}):
        async with opened(url, **each):
            pass
    ((beat,),) = rows(url, "SELECT at FROM alive")
    is_open = rows(url, "SELECT id FROM matches WHERE ended IS NULL AND channel <> 0")
    wanted = [(match, str(max(beat, last[match])), last[match]) for (match,) in is_open]
    assert sorted({*rows(url, said)} - {*before}) == sorted(wanted)
    assert len(rows(url, said)) == len(before) + len(wanted)


async def test_after_a_restore_the_bot_looks_at_what_stands_in_discord(url: str, restore: Restore) -> None:
    execute(url, "UPDATE matches SET published = 1")
    before = content(url)
    restore()
    async with opened(url):
        pass
    assert rows(url, "SELECT DISTINCT published FROM matches WHERE ended IS NULL") == [(0,)]
    after = content(url)
    assert {table for table in before if before[table] != after[table]} == {
        *("matches", "log", "facts", "numbers")
    }
    keys = [{key for key, _ in each["facts"]} for each in (before, after)]
    assert keys[0] - keys[1] == {"commands"}


async def test_a_restore_seals_lobbies_anew_with_their_cuts_and_no_other_deal(
    url: str, restore: Restore
) -> None:
    """Their matches may have been played since the dump, with all cards shown."""
    seeds = "SELECT id, seed FROM matches"
    before = dict(rows(url, seeds))
    restore()
    async with opened(url):
        pass
    after = dict(rows(url, seeds))
    sealed = rows(url, "SELECT id FROM matches WHERE phase = 'lobby' AND seed LIKE 'palmhouse-deal-1:%'")
    assert sealed
    assert {match for match, seed in after.items() if seed != before[match]} == {id_ for (id_,) in sealed}
    assert len({after[match] for (match,) in sealed}) == len(sealed)
    query = 'SELECT seed, n, kind, seat, "user", body, log.at FROM log JOIN matches ON match = id'
    cuts = rows(url, f"{query} WHERE kind = 'cut' AND phase = 'lobby'")
    assert cuts
    for seed, *row in cuts:
        cut = read(LogRow(*row)).entry
        assert isinstance(cut, Cut)
        assert cut.digest == cut_digest(seed, cut.words)


async def test_a_restore_seals_game_nights_anew_that_were_to_come_and_no_other(
    url: str, postgresql: Server
) -> None:
    """They may have been played since the dump, and their secrets told."""
    execute(url, NIGHTS)
    postgresql.dumped(url)()
    async with opened(url):
        pass
    new = rows(url, "SELECT phase, secret FROM nights WHERE secret <> '5ec'")
    assert [(phase, len(bytes.fromhex(secret))) for phase, secret in new] == [("planned", 32)] * 2
    assert len({*new}) == 2


async def test_an_opening_that_fails_after_a_restore_does_all_of_it_again(url: str, restore: Restore) -> None:
    said = "SELECT count(*) FROM log WHERE kind = 'restored'"
    ((before,),) = rows(url, said)
    restore()
    execute(url, "ALTER TABLE facts ADD CONSTRAINT no_more CHECK (key <> 'tables') NOT VALID")
    with pytest.raises(StoreRefused):
        await open_store(url)
    assert rows(url, said) == [(before,)]
    execute(url, "ALTER TABLE facts DROP CONSTRAINT no_more")
    async with opened(url):
        pass
    ((is_open,),) = rows(url, "SELECT count(*) FROM matches WHERE ended IS NULL AND channel <> 0")
    assert rows(url, said) == [(before + is_open,)]


async def test_a_host_can_tell_of_a_restore_that_leaves_the_tables_as_they_are(url: str) -> None:
    """As of the server's files, or from a dump of a version that kept nothing of its tables."""
    assert TELL in (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    for told in (True, False):
        execute(url, TELL if told else "DELETE FROM facts WHERE key = 'tables'")
        execute(url, "UPDATE matches SET published = 1")
        async with opened(url):
            pass
        assert rows(url, "SELECT min(published) FROM matches") == [(0 if told else 1,)]


async def test_a_database_that_was_restored_below_a_process_is_refused_to_others(
    url: str, restore: Restore
) -> None:
    async with opened(url, is_shared=True):
        restore()
        with pytest.raises(StoreRefused, match=r"was restored from a dump, .* Stop all"):
            await open_store(url, is_shared=True)
    async with opened(url, is_shared=True):
        pass
