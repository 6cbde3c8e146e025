"""`Rematch`: the same people and options in one click, each a seat further on."""

import asyncio
from typing import Any

import pytest

from sandbox import Answer, Message, Permission
from tests.e2e.house import House
from tests.e2e.match import answered, refused
from tests.e2e.players import latest, open_table

pytestmark = pytest.mark.usefixtures("at_once")


async def over(here: House, seats: int = 3, **options: Any) -> None:
    """Table 1 of Twin Palms, played to its end."""
    people = here.people[:seats]
    card = await open_table(here.room, "twin-palms start", *people, rounds=1, **options)
    await people[0].click(card, "Start")
    await finish(here)


async def finish(here: House) -> None:
    """Everybody plays on to the end; for who has left something harmless is played."""
    table = await here.bot.tables.get(1)
    game = table.state.game
    while table.is_open:
        seat = table.state.awaited()[0]
        harmless = game.text(game.fallback(table.state.game_state, seat))
        if table.state.mind(seat):
            await table.answer(seat, table.state.prompts[seat], harmless)
        else:
            await table.move(table.state.players[seat].user, harmless, table.house.now())
    await here.bot.publisher.rest()


def names(here: House, match: int = 2) -> list[str]:
    """Who sits at the rematch, by seat."""
    table = here.bot.tables._loaded[match]
    return [player.name for player in table.state.players]


async def dealt(here: House, match: int = 2) -> None:
    """Wait until the rematch is on and told."""
    await here.box.until(
        lambda: match in here.bot.tables._loaded and here.bot.tables._loaded[match].state.phase == "play"
    )
    await here.bot.publisher.rest()


async def followed_up(here: House, answer: Answer) -> Message:
    """What is said once it is done, in a message of its own."""
    answered(answer)
    await here.box.until(lambda: answer.followups)
    return answer.followups[0]


async def test_one_click_in_the_thread_deals_again_in_a_thread_of_its_own_and_says_the_way_there(
    here: House,
) -> None:
    await over(here, 3)
    (thread,) = here.room.threads
    answer = await here.people[1].click(latest(here.people[1], thread, "Rematch"), "Rematch")
    await dealt(here)
    told = await followed_up(here, answer)
    assert names(here) == ["Ben", "Cleo", "Alice"]
    _, other = here.room.threads
    assert here.bot.tables.here(other.id) == [2]
    card = here.room.messages()[-1]
    assert thread.messages()[-1] is told
    assert (
        f"It is [table 2](https://discord.com/channels/{here.guild.id}/{here.room.id}/{card.id}" in told.text
    )
    assert f"The match is on in <#{other.id}>." in card.text


async def test_where_the_channel_may_no_longer_be_posted_in_there_is_no_rematch_until_that_is_mended(
    here: House,
) -> None:
    await over(here, 2)
    (thread,) = here.room.threads
    board = latest(here.people[0], thread, "Rematch")
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    told = refused(await here.people[0].click(board, "Rematch"))
    assert f"I cannot play in <#{here.room.id}>: I lack Send Messages." in told
    here.room.allow(here.box.world.bot, Permission.SEND_MESSAGES)
    answered(await here.people[0].click(board, "Rematch"))
    await dealt(here)


async def test_a_rematch_that_could_not_be_shown_is_closed_and_may_be_asked_for_again(here: House) -> None:
    await over(here, 2)
    (thread,) = here.room.threads
    board = latest(here.people[0], thread, "Rematch")
    here.box.fail("POST", f"^/channels/{here.room.id}/messages$", 403)
    told = await followed_up(here, await here.people[0].click(board, "Rematch"))
    assert told.ephemeral
    assert here.bot.tables.seated(here.people[0].id) == []
    answered(await here.people[0].click(board, "Rematch"))
    await dealt(here, 3)


async def test_a_rematch_whose_card_answers_the_click_is_closed_too_when_that_is_refused(here: House) -> None:
    await over(here, 2)
    card = here.room.messages()[0]
    here.box.fail("POST", "^/interactions/.*/callback$", 403)
    refused(await here.people[0].click(card, "Rematch"))
    assert here.bot.tables.seated(here.people[0].id) == []
    answered(await here.people[0].click(card, "Rematch"))
    await dealt(here, 3)


async def test_a_rematch_whose_card_must_wait_for_discord_is_answered_at_once_and_dealt_later(
    here: House,
) -> None:
    await over(here, 2)
    (thread,) = here.room.threads
    here.box.fail("POST", f"^/channels/{here.room.id}/messages$", None, delay=60, after=True)
    answer = await here.people[0].click(latest(here.people[0], thread, "Rematch"), "Rematch")
    answered(answer)
    await here.box.until(lambda: "Table 2" in here.room.messages()[-1].text)
    assert answer.followups == []
    here.box.clock.advance(60)
    await dealt(here)
    assert "It is [table 2]" in (await followed_up(here, answer)).text


async def test_a_rematch_that_everybody_leaves_before_it_is_dealt_is_closed(here: House) -> None:
    await over(here, 2)
    (thread,) = here.room.threads
    here.box.fail("POST", f"^/channels/{here.room.id}/messages$", None, delay=60, after=True)
    answer = await here.people[0].click(latest(here.people[0], thread, "Rematch"), "Rematch")
    await here.box.until(lambda: "Table 2" in here.room.messages()[-1].text)
    for person in here.people[:2]:
        answered(await person.click(here.room.messages()[-1], "Leave"))
    here.box.clock.advance(60)
    assert "This table is closed: everybody has left" in (await followed_up(here, answer)).text


async def test_options_pace_and_computers_stay_and_the_seats_are_rotated(here: House) -> None:
    await over(here, 2, computers=2, strength="casual", pace="relaxed", bets=False)
    (thread,) = here.room.threads
    answered(await here.people[1].click(latest(here.people[1], thread, "Rematch"), "Rematch"))
    await dealt(here)
    assert names(here) == ["🤖 Fern", "🤖 Moss", "Ben", "Alice"]
    state = here.bot.tables._loaded[2].state
    assert state.pace == "relaxed"
    assert [player.strength for player in state.players] == ["casual", "casual", None, None]
    assert state.options == (await here.bot.tables.get(1)).state.options


async def test_from_the_card_in_the_channel_a_rematch_gets_a_thread_of_its_own(here: House) -> None:
    await over(here, 2)
    card = here.room.messages()[0]
    answered(await here.people[0].click(card, "Rematch"))
    await dealt(here)
    assert len(here.room.threads) == 2


async def test_two_who_want_it_at_once_get_one_rematch(here: House) -> None:
    await over(here, 3)
    (thread,) = here.room.threads
    board = latest(here.people[0], thread, "Rematch")
    answers = await asyncio.gather(*(person.click(board, "Rematch") for person in here.people[:3]))
    await dealt(here)
    told = [answer.text for answer in answers if answer.ephemeral]
    assert told == ["The rematch is on already: table 2."] * 2
    assert "already: table 2." in refused(await here.people[0].click(board, "Rematch"))
    assert await here.bot.store.match(3) is None


async def test_who_only_watched_asks_for_no_rematch_and_before_the_end_nobody_does(here: House) -> None:
    card = await open_table(here.room, "twin-palms start", *here.people[:2], rounds=1)
    assert "The match is not over yet" in refused(await here.people[0].press(card, "rematch:1"))
    await here.people[0].click(card, "Start")
    assert "The match is not over yet" in refused(await here.people[0].press(card, "rematch:1"))
    await finish(here)
    assert "You are watching" in refused(await here.people[4].click(card, "Rematch"))
    for rest in ("", ":", ":x", ":1"):
        answered(await here.people[4].press(card, f"rematch:2{rest}"))


async def test_who_left_is_not_dealt_in_again_and_with_too_few_there_is_no_rematch(here: House) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben, cleo, rounds=1)
    await alice.click(card, "Start")
    table = await here.bot.tables.get(1)
    await table.leave(ben.id, table.house.now())
    await table.leave(cleo.id, table.house.now())
    await finish(here)
    assert "Only 1 of you are still here, too few" in refused(await alice.click(card, "Rematch"))
    answered(await ben.click(card, "Rematch"))
    await dealt(here)
    assert names(here) == ["Ben", "Alice"]


async def test_who_sits_at_too_many_tables_is_named(here: House) -> None:
    await over(here, 2)
    for _ in range(3):
        await open_table(here.room, "twin-palms start", here.people[1])
    told = refused(await here.people[0].click(here.room.messages()[0], "Rematch"))
    assert f"{here.people[1].mention} sits at 3 open tables already" in told
