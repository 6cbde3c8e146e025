"""When Discord or the disk fails: people are answered all the same, and what was acknowledged is told once."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.store import StoreFailed
from sandbox import Message, Permission, Thread
from tests.e2e.house import House, house
from tests.e2e.players import bid, deal, latest, open_table

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed is tried again without a wait."""
    monkeypatch.setattr("bot.publisher.RETRIES", (0.0,))


def hold_edits(here: House, card: Message, seconds: float) -> None:
    """The next edit of a card takes so long, as when Discord limits the rate."""
    here.box.fail("PATCH", f"/messages/{card.id}$", None, delay=seconds)


# Cards


async def test_a_click_waits_for_no_edit_of_the_card(here: House) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    hold_edits(here, card, 60)
    await ben.slash(here.room, "table leave")
    answer = await cleo.click(card, "Join")
    assert not answer.failed
    here.box.clock.advance(60)
    await here.box.until(lambda: "2. Cleo" in card.text)


async def test_a_card_shows_who_joined_even_if_the_answer_was_lost(here: House) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice)
    here.box.fail("POST", "^/interactions/.*/callback$", 403, times=2)
    click = asyncio.create_task(ben.click(card, "Join"))
    await here.box.until(lambda: "2. Ben" in card.text)
    here.box.clock.advance(3)
    assert (await click).failed


# Telling


async def test_what_could_not_be_noted_as_told_is_not_told_again(
    here: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await deal(here, 2)
    note, failures = here.bot.store.note, iter(range(3))

    async def fail(match: int, **columns: Any) -> None:
        place.nonces.clear()  # as Discord does after some minutes
        if "Bids:" in here.transcript(place)[-1] and next(failures, None) is not None:
            raise StoreFailed("The disk is full.")
        await note(match, **columns)

    monkeypatch.setattr(here.bot.store, "note", fail)
    await bid(place, *here.people[:2])
    await here.bot.publisher.rest()
    assert len([each for each in here.transcript(place) if "Bids:" in each]) == 1


async def test_a_match_whose_thread_is_gone_goes_on_in_the_channel_even_if_that_fails_at_first(
    here: House,
) -> None:
    place = await deal(here, 2)
    assert isinstance(place, Thread)
    place.delete()
    here.box.fail("POST", f"^/channels/{here.room.id}/messages$", 403)
    await bid(here.room, *here.people[:2])
    await here.bot.publisher.rest()
    assert any("Bids:" in each for each in here.transcript(here.room))


async def test_a_table_whose_channel_is_gone_is_closed(here: House) -> None:
    here.room.deny(here.box.world.bot, Permission.CREATE_PUBLIC_THREADS)
    await deal(here, 2)
    elsewhere = here.guild.channel("elsewhere")
    here.room.delete()
    for person in here.people[:2]:
        await person.slash(elsewhere, "move", action="bid 1")
    await here.bot.publisher.rest()
    assert "You sit at no table" in (await here.people[0].slash(elsewhere, "tables")).text


async def test_an_archived_thread_is_woken(here: House) -> None:
    place = await deal(here, 2)
    assert isinstance(place, Thread)
    place.archive()
    for person in here.people[:2]:
        await person.slash(here.room, "move", action="bid 1")
    await here.bot.publisher.rest()
    assert "Bids: Alice 1, Ben 1." in here.transcript(place)[-1]
    assert "Two cards are awaited" in latest(here.people[0], place, "Rules").text
    assert not place.archived


async def test_a_locked_thread_is_named_with_the_hand_and_told_once_it_is_unlocked(here: House) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    assert isinstance(place, Thread)
    place.archive(locked=True)
    await bid(here.room, alice, ben)
    await here.box.until(lambda: here.bot.publisher.troubles)
    hand = await alice.slash(here.room, "hand")
    assert f"<#{place.id}> is locked" in hand.text
    place.archive(False, locked=False)
    await here.bot.publisher.rest()
    assert "Bids: Alice 1, Ben 1." in here.transcript(place)[-1]
    assert "is locked" not in (await alice.slash(here.room, "hand")).text


async def test_when_the_bot_is_removed_from_a_server_its_tables_close_uncounted(here: House) -> None:
    await deal(here, 2)
    table = await here.bot.tables.get(1)
    here.guild.remove(here.box.world.bot)
    await here.box.until(lambda: not table.is_open)
    await here.bot.publisher.rest()
    assert await here.bot.store.untold() == []
    assert await here.bot.store.leaderboard(here.guild.id) == []


# Discord out of reach


@pytest.mark.parametrize("resumable", [True, False])
async def test_while_discord_is_out_of_reach_nobody_loses_time(here: House, resumable: bool) -> None:
    await deal(here, 2)
    table = await here.bot.tables.get(1)
    await here.bot.store.beat(here.bot.time.now() - 3_600_000)  # as if it had been away for an hour
    before = dict(table.clocks)
    await here.box.gateway.drop(resumable=resumable)
    await here.box.until(lambda: min(table.clocks.values()) >= min(before.values()) + 3_600_000, 10)
    assert await here.bot.store.clocks(1) == table.clocks
    assert table.sitting.awaited() == (0, 1)


async def test_tables_of_a_server_that_was_left_while_the_bot_was_down_are_closed(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    async with house(path) as first:
        await deal(first, 2)
    async with house(path) as elsewhere:  # another sandbox: the server of the first is not among its own
        await elsewhere.box.until(lambda: elsewhere.bot.tables.seated(first.people[0].id) == [])
        assert await elsewhere.bot.store.open_matches() == []
