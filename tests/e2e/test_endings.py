"""The end of a round stays in sight until people have read it; then the next table comes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import discord
import pytest

from bot.client import Palmhouse
from bot.match.table import Table
from bot.match.times import Times
from bot.messages import posts
from sandbox import Channel, Person, Sandbox
from sandbox.faults import Fault
from sandbox.gateway import IDENTIFY_PERIOD
from tests.e2e.card_room import connected_bot, new_sandbox
from tests.e2e.players import hand_of, labels, latest, open_table

LONG = IDENTIFY_PERIOD + 60
"""Seconds of a pause in which the bot can be started again."""
TIMES = Times(reading=(int(LONG) * 1000,) * 2)


@pytest.fixture
async def box() -> AsyncIterator[Sandbox]:
    async with new_sandbox() as box:
        yield box
        assert box.complaints == []


async def with_a_bid(box: Sandbox, bot: Palmhouse) -> tuple[Table, Channel, Person, Person]:
    """Begin a match of Liar's Dice with a bid that is too high. Return also its place, who opened and who may doubt."""
    guild = box.guild("Palm Beach")
    people = [box.person(name, guild) for name in ("Alice", "Ben")]
    card = await open_table(guild.channel("card-room"), "liars-dice start", *people)
    await people[0].click(card, "Start")
    await bot.publisher.wait()
    place, table = box.world.channel(card.id), await bot.tables.get(1)
    opener, doubter = sorted(people, key=lambda person: table.state.seat_of(person.id) or 0)
    assert "✅" in (await opener.slash(place, "move", action="bid 9x6")).text
    await bot.publisher.wait()
    return table, place, opener, doubter


async def test_a_reveal_is_the_last_message_until_it_is_read_also_after_a_restart(
    box: Sandbox, file: Path
) -> None:
    async with connected_bot(box, file, seed=lambda: "e2e", times=TIMES) as bot:
        table, place, opener, doubter = await with_a_bid(box, bot)
        await doubter.click(latest(doubter, place, "Doubt"), "Doubt")
        await bot.publisher.wait()
        (reveal,) = [message for message in place.messages() if "Shown: " in message.text]
        assert place.messages()[-1] is reveal
        assert "My hand" in labels(reveal)
        # The next hand can be opened already, and begins with what ended the last.
        told = (await hand_of(opener, place)).text.splitlines()[1]
        assert told.startswith(f"**{doubter.name} doubts {opener.name}'s bid of nine sixes.** ")
        # Nobody loses time to move, and no computer would move before it.
        assert min(table.deadlines.values()) >= table.state.read_until(TIMES) > table.clock.now()
    box.clock.advance(IDENTIFY_PERIOD)
    async with connected_bot(box, file, times=TIMES) as bot:
        await bot.publisher.wait()
        assert place.messages()[-1] is reveal
    box.clock.advance(LONG)
    async with connected_bot(box, file, times=TIMES) as bot:
        await bot.publisher.wait()
        assert "My hand" not in labels(reveal)
        *_, live, call = place.messages()
        assert "Round 2" in live.text
        assert call.text.endswith("'s turn** · open with a bid")


async def test_the_next_call_comes_below_the_next_table_though_the_reveal_was_slow(
    box: Sandbox, file: Path
) -> None:
    times = Times(reading=(6_000, 6_000))
    async with connected_bot(box, file, seed=lambda: "e2e", times=times) as bot:
        _, place, _, doubter = await with_a_bid(box, bot)
        box.fail("PATCH", f"^/channels/{place.id}/messages/", None, delay=12)
        await doubter.slash(place, "move", action="doubt")
        await asyncio.sleep(30)
        *_, live, call = place.messages()
        assert "Round 2" in live.text
        assert call.text.endswith("'s turn** · open with a bid")


@asynccontextmanager
async def a_reveal(box: Sandbox, file: Path) -> AsyncIterator[tuple[Palmhouse, Table, Channel]]:
    """Run a bot at whose table people read for a minute what a doubt came to."""
    async with connected_bot(box, file, seed=lambda: "e2e", times=Times(reading=(60_000, 60_000))) as bot:
        table, place, _, doubter = await with_a_bid(box, bot)
        await doubter.slash(place, "move", action="doubt")
        await bot.publisher.wait()
        yield bot, table, place


async def test_a_reveal_is_one_message_for_the_bot_though_nothing_could_be_posted_below_it(
    box: Sandbox, file: Path
) -> None:
    async with a_reveal(box, file) as (bot, table, place):
        live = bot.publisher.live
        reveal = live.get(table, "table")
        box.fail("POST", f"^/channels/{place.id}/messages$", 403)
        with pytest.raises(discord.Forbidden):
            await bot.publisher.show_again(table)
        assert live.get(table, "table") is reveal


async def test_a_reveal_that_is_edited_when_the_next_table_is_found_becomes_a_record(
    box: Sandbox, file: Path
) -> None:
    async with a_reveal(box, file) as (bot, table, place):
        live, ui = bot.publisher.live, bot.game_uis["liars-dice"]
        live._shown.clear()  # as after a restart
        (reveal,) = [message for message in place.messages() if "Shown: " in message.text]
        clicked = live.get(table, "table")
        assert clicked is not None
        clicked._shown = []  # as after a click whose answer was lost
        box.faults.add(slow := Fault("PATCH", f"/messages/{reveal.id}$", None, delay=2.0))
        clicked.touch()
        await box.until(lambda: not slow.times)
        await live._outbox.send(table, place.id, posts.live(table, ui, pictures=False), "next")
        bot.publisher.look_again(table)
        await bot.publisher.wait()
        await clicked.wait()
        assert "My hand" not in labels(reveal)
