"""Packed logs: they read as before, damage is noticed, and only logs that are settled are packed."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.hosting.recount import recount
from bot.match.entries import KINDS
from bot.store import LogRow, Match, Post, Store, StoreFailed, Unreadable
from bot.store.sql import logs
from bot.store.sql.packing import HEAD, VERSION, _checksum, pack, unpack
from tests.bot.store.stores import ALICE, GUILD, lobby, move, opened, pack_all, plan, purge, rows
from tests.stored.releases import NEWEST

ROOT = Path(__file__).parents[3]
INTEGERS = st.integers(-(2**63), 2**63 - 1)
MAYBE = st.none() | st.integers(-2, 9) | INTEGERS
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
"""Everything that SQLite can store, NUL and line breaks included."""
KIND = st.sampled_from(sorted(KINDS)) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20
)
ENTRY = st.tuples(KIND, MAYBE, MAYBE, TEXTS, INTEGERS | st.integers(0, 10**6))
LOG = [LogRow(n, "move", n % 3, n % 3 + 1, f"play P{n}", 1_000 + 900 * n) for n in range(1, 60)]


def numbered(entries: list[tuple[Any, ...]]) -> list[LogRow]:
    return [LogRow(n, *entry) for n, entry in enumerate(entries, start=1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "palmhouse.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with opened(path) as store:
        yield store


async def over(store: Store, *, published: int = 2, guild: int = GUILD) -> Match:
    """Create a match with two entries that ended at 50 ms."""
    match = await lobby(store, guild=guild)
    await store.append(match.id, [move(2)], deadlines={}, phase="over", ended=50)
    await store.update_match(match.id, published=published)
    return match


def packed(path: Path) -> list[int]:
    return [match for (match,) in rows(path, "SELECT match FROM packed_logs ORDER BY match")]


# The form


@given(st.lists(ENTRY, min_size=1, max_size=30))
@example([("k", None, None, "", 0)] * 300)
@example([(f"k{n}", n, -n, "\0\n\U0001f334\u2028", (-1) ** n * (2**63 - 1)) for n in range(300)])
def test_a_log_is_the_same_after_packing(entries: list[tuple[Any, ...]]) -> None:
    log = numbered(entries)
    assert unpack(1, pack(log)) == log


def test_every_cut_and_every_flipped_byte_is_noticed() -> None:
    value = pack(LOG)
    spoiled = [value[:end] for end in range(len(value))]
    spoiled += [value[:at] + bytes([value[at] ^ 0x10]) + value[at + 1 :] for at in range(len(value))]
    for each in spoiled:
        with pytest.raises(Unreadable, match="log of match 7 is damaged"):
            unpack(7, each)


def test_the_format_of_a_newer_version_is_named() -> None:
    newer, rest = bytes([VERSION + 1]), pack(LOG)[HEAD:]
    with pytest.raises(Unreadable, match=f"format {VERSION + 1}"):
        unpack(7, newer + _checksum(newer + rest) + rest)


# In the store


async def test_a_packed_log_reads_as_before(store: Store, path: Path) -> None:
    match = await over(store)
    before = await store.log(match.id)
    assert await store.pack_logs(50) == match.id
    assert await store.pack_logs(50, match.id) is None
    assert packed(path) == [match.id]
    assert not rows(path, "SELECT * FROM log")
    assert await store.log(match.id) == before
    assert await store.log(match.id, after=1) == before[1:]
    assert await store.log(match.id, after=2) == []
    assert await store.unpublished() == []


async def test_only_settled_logs_are_packed(store: Store, path: Path) -> None:
    await lobby(store)
    play, unpublished, replaced, settled = [await over(store) for _ in range(4)]
    rows(path, f"UPDATE matches SET phase = 'play' WHERE id = {play.id}")
    rows(path, f"UPDATE matches SET published = 1 WHERE id = {unpublished.id}")
    rows(path, f"INSERT INTO posts VALUES ({replaced.id}, 'page', 1, 5, 6, 7, 1, 0, 0)")
    gap = await over(store)
    rows(path, f"DELETE FROM log WHERE match = {gap.id} AND n = 1")
    await pack_all(store, 49)
    assert packed(path) == []
    await pack_all(store, 50)
    assert packed(path) == [settled.id]


async def pack_within(seconds: float, store: Store, *matches: int) -> int:
    """Pack the first of these matches in a transaction that begins no further one after so many seconds."""
    last: int = await store._writer.write(lambda db: logs.pack_some(db, matches, seconds))
    return last


async def test_a_failure_keeps_the_rows(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = await over(store), await over(store)

    def fail(log: list[LogRow]) -> bytes:
        if log[0].at == 0:
            raise sqlite3.OperationalError("killed")
        return pack(log)

    rows(path, f"UPDATE log SET at = 0 WHERE match = {second.id} AND n = 1")
    before = [await store.log(match.id) for match in (first, second)]
    with monkeypatch.context() as patch:
        patch.setattr(logs, "pack", fail)
        with pytest.raises(StoreFailed):
            await pack_within(60.0, store, first.id, second.id)
    assert packed(path) == []
    assert [await store.log(match.id) for match in (first, second)] == before


async def test_two_processes_pack_the_same_logs_once(store: Store, path: Path) -> None:
    matches = [(await over(store)).id for _ in range(40)]
    before = [await store.log(match) for match in matches]
    async with opened(path) as other:
        await asyncio.gather(pack_all(store), pack_all(other))
    assert packed(path) == matches
    assert [await store.log(match) for match in matches] == before


async def test_a_transaction_packs_few_logs(store: Store) -> None:
    first, *others = [(await over(store)).id for _ in range(3)]
    assert await pack_within(0.0, store, first, *others) == first


async def test_a_search_for_logs_to_pack_does_not_walk_through_the_whole_database(
    store: Store, path: Path
) -> None:
    await over(store)
    steps = plan(path, logs.TO_PACK, (0, 50, 8))
    assert "CO-ROUTINE logged" in steps
    assert not [step for step in steps if step in ("SCAN log", "SCAN matches", "MATERIALIZE logged")]


@pytest.mark.parametrize(
    ("messages", "kept"),
    [([11, 12, 13], [13]), ([11, 14, 13], [14, 13]), ([11, 12, 0], [12, 0]), ([0], [0]), ([11], [11])],
)
async def test_only_the_last_page_and_the_newest_message_stay(
    store: Store, messages: list[int], kept: list[int]
) -> None:
    match = await over(store)
    others = [Post(match.id, "end", 0, 5, 3, final=1), Post(match.id, "result", 0, 5, 4, final=1)]
    for number, message in enumerate(messages, start=1):
        await store.save_post(Post(match.id, "page", number, 5, message, final=1))
    for post in others:
        await store.save_post(post)
    await store.pack_logs(50)
    posts = await store.posts(match.id)
    assert [post.message for post in posts if post.kind == "page"] == kept
    assert [post for post in posts if post.kind != "page"] == others


async def test_a_server_that_is_purged_loses_its_packed_logs(store: Store, path: Path) -> None:
    gone, stays = await over(store, guild=8), await over(store)
    await pack_all(store)
    await purge(store, 8)
    assert packed(path) == [stays.id]
    assert rows(path, "SELECT * FROM packed_people") == [(ALICE, stays.id)]
    assert await store.log(gone.id) == []


async def test_people_of_a_log_are_those_who_acted_or_were_offered_a_seat() -> None:
    log = [
        LogRow(1, "sit", None, 11, "12 Ben", 0),
        LogRow(2, "offer", 0, 11, "13 Cleo", 0),
        LogRow(3, "close", None, 14, "ended", 0),
        LogRow(4, "tick", None, None, "15", 0),
    ]
    assert logs.people(log) == {11, 13, 14}


# Real matches


@pytest.fixture
def played(path: Path) -> Path:
    """Return a stored database with many matches, as if the messages of all of them were posted."""
    copy(NEWEST, path)
    rows(path, "UPDATE matches SET published = 99999")
    return path


async def test_stored_matches_read_and_recount_as_before(played: Path, path: Path) -> None:
    async with opened(played) as store:
        await recount(store)
        numbers = [match for (match,) in rows(path, "SELECT id FROM matches")]
        before = [await store.log(match) for match in numbers]
        await pack_all(store)
        assert len(packed(path)) > 30
        assert [await store.log(match) for match in numbers] == before
        assert "everything was as stored" in await recount(store)


async def test_everybody_exports_the_same_entries_as_before(played: Path) -> None:
    async with opened(played) as store:
        users = [user for (user,) in rows(played, "SELECT DISTINCT user FROM log WHERE user > 0")]
        before = {user: await store.export_person(user) for user in users}
        await pack_all(store)
        for user, person in before.items():
            again = await store.export_person(user)
            changed = {table for table in again.tables if again.tables[table] != person.tables[table]}
            assert changed <= {"packed_people"}


async def test_a_damaged_log_stops_a_recount_with_a_sentence(played: Path, path: Path) -> None:
    async with opened(played) as store:
        await recount(store)
        await pack_all(store)
        ((match,),) = rows(path, "SELECT max(match) FROM packed_logs JOIN ratings USING (match)")
        rows(path, f"UPDATE packed_logs SET log = substr(log, 1, 50) WHERE match = {match}")
        with pytest.raises(Unreadable, match=f"log of match {match} is damaged"):
            await recount(store)
        with pytest.raises(Unreadable, match=f"log of match {match} is damaged"):
            await store.log(match)
