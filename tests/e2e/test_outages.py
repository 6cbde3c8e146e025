"""People get answers even if Discord or the disk fails, and acknowledged entries are announced once."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import bot.clock
from bot.store import StoreFailed
from sandbox import Message
from tests.e2e.card_room import PATIENCE, CardRoom, card_room
from tests.e2e.players import bid, deal, open_table


def hold_edits(here: CardRoom, card: Message, seconds: float) -> None:
    """Delay the next edit of the card by seconds, as Discord's rate limit does."""
    here.box.fail("PATCH", f"/messages/{card.id}$", None, delay=seconds)


# Cards


async def test_a_click_does_not_wait_for_an_edit_of_the_card(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    hold_edits(here, card, 60)
    await ben.slash(here.room, "table leave")
    answer = await cleo.click(card, "Join")
    assert not answer.failed
    here.box.clock.advance(60)
    await here.box.until(lambda: "2. Cleo" in card.text)


async def test_a_card_shows_a_player_who_joined_even_if_the_answer_was_lost(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice)
    here.box.fail("POST", "^/interactions/.*/callback$", 403, times=2)
    click = asyncio.create_task(ben.click(card, "Join"))
    await here.box.until(lambda: "2. Ben" in card.text)
    here.box.clock.advance(PATIENCE)
    assert (await click).failed


# Announcements


async def test_an_announcement_that_could_not_be_recorded_is_not_repeated(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await deal(here, 2)
    update_match, failures = here.bot.store.update_match, iter(range(3))

    async def fail(match: int, **columns: Any) -> None:
        place.nonces.clear()  # as Discord does after some minutes
        if "Bids:" in here.transcript(place)[-1] and next(failures, None) is not None:
            raise StoreFailed("The disk is full.")
        await update_match(match, **columns)

    monkeypatch.setattr(here.bot.store, "update_match", fail)
    await bid(place, *here.people[:2])
    await here.rest()
    assert len([each for each in here.transcript(place) if "Bids:" in each]) == 1


# Discord out of reach


@pytest.mark.parametrize("resumable", [True, False])
async def test_nobody_loses_time_while_discord_is_out_of_reach(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch, resumable: bool
) -> None:
    await deal(here, 2)
    table = await here.bot.tables.get(1)
    before, pause, steady = dict(table.deadlines), here.bot.clock.pause, bot.discord_time._steady

    def pause_for_an_hour(shard: int) -> None:
        pause(shard)
        monkeypatch.setattr("bot.discord_time._steady", lambda: steady() + 3_600_000)

    monkeypatch.setattr(here.bot.clock, "pause", pause_for_an_hour)
    await here.box.gateway.drop(resumable=resumable)
    await here.box.until(lambda: min(table.deadlines.values()) >= min(before.values()) + 3_600_000)
    assert await here.bot.store.deadlines(1) == table.deadlines
    assert table.state.awaited() == (0, 1)


async def test_tables_of_a_server_that_the_bot_left_while_offline_are_closed(tmp_path: Path) -> None:
    path = tmp_path / "palmhouse.sqlite3"
    async with card_room(path) as first:
        await deal(first, 2)
    async with card_room(path) as elsewhere:  # another sandbox, which does not have the server of the first
        await elsewhere.box.until(lambda: elsewhere.bot.tables.seated(first.people[0].id) == [])
        assert await elsewhere.bot.store.open_matches() == []
