"""`Rematch`: a lobby with the same options, whose seats are kept for the people who played. Its host starts it."""

import asyncio
from math import inf
from pathlib import Path
from typing import Any

import pytest

from bot.match.deadlines import DUE
from bot.match.table import Table
from bot.match.times import Times
from bot.store.seeds import new_seed
from games.strategies import advise
from games.types import Seat
from sandbox import Answer, Message, Permission, Person
from sandbox.faults import Fault
from sandbox.interactions import DEFER_UPDATE
from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.match import check_answer, refusal_of
from tests.e2e.players import labels, latest, open_table, press_more, start_match
from tests.held import held, losing_answers


async def finished_match(here: CardRoom, seats: int = 3, **options: Any) -> None:
    """Return table 1 of Twin Palms, played to its end."""
    people = here.people[:seats]
    card = await open_table(here.room, "twin-palms start", *people, rounds=1, **options)
    await people[0].click(card, "Start")
    await finish(here)


async def finish(here: CardRoom) -> None:
    """Play to the end; for players who have left, the fallback is played."""
    table = await here.bot.tables.get(1)
    game = table.state.game
    while table.is_open:
        seat = table.state.awaited()[0]
        harmless = game.text(game.fallback(table.state.game_state, seat))
        if table.state.strength_at(seat):
            await table.answer(seat, table.state.prompts[seat], harmless)
        else:
            await table.play(table.state.players[seat].user, [harmless], table.clock.now())
    await here.rest()


def names(here: CardRoom, match: int = 2) -> list[str]:
    """Return the names of the rematch's players, the host first."""
    table = here.bot.tables._loaded[match]
    return [player.name for player in table.state.players]


async def slow_to_answer(here: CardRoom, seconds: float) -> tuple[Person, Person, Message]:
    """Play a match of two. Return both and its end, to which Discord takes the first answer late."""
    await finished_match(here, 2)
    alice, ben, *_ = here.people
    here.box.faults.add(Fault("POST", "/callback$", None, delay=seconds))
    return alice, ben, latest(alice, here.room.threads[0], "Rematch")


async def lobby_card(here: CardRoom, match: int = 2) -> Message:
    """Wait until the lobby of the rematch is shown in the channel, and return its card."""
    tables = here.bot.tables._loaded
    await here.box.until(lambda: match in tables and tables[match].match.card)
    await here.rest()
    (card,) = (each for each in here.room.messages() if f"start:{match}" in each.custom_ids)
    return card


async def follow_up_of(here: CardRoom, answer: Answer) -> Message:
    """Return the follow-up message."""
    check_answer(answer)
    await here.box.until(lambda: answer.followups)
    return answer.followups[0]


async def press(here: CardRoom, person: Person) -> Answer:
    """Press `Rematch` in the thread of table 1."""
    return await person.click(latest(person, here.room.threads[0], "Rematch"), "Rematch")


async def ask(here: CardRoom, person: Person) -> Message:
    """Press `Rematch` there, and return the follow-up message."""
    return await follow_up_of(here, await press(here, person))


def link_to(here: CardRoom, card: Message) -> str:
    """Return the link to the card of table 2."""
    return f"[table 2](https://discord.com/channels/{here.guild.id}/{here.room.id}/{card.id})"


async def test_a_click_in_the_thread_seats_its_person_and_keeps_seats_for_the_others(here: CardRoom) -> None:
    await finished_match(here, 3)
    (thread,) = here.room.threads
    reply = await ask(here, here.people[1])
    card = await lobby_card(here)
    assert names(here) == ["Ben"]
    assert here.bot.tables.seated(here.people[0].id) == []
    assert "1. Ben (host)" in card.text
    assert "⏳ Kept for Alice and Cleo, open to all <t:" in card.text
    assert ":R>: Alice and Cleo press `Join`." in card.text
    assert labels(card) == ["Join", "Add computer", "Start", "Rules", "More"]
    assert (thread.messages()[-1], reply.ephemeral) == (reply, False)
    assert f"Ben plays again at {link_to(here, card)}, and invites Alice and Cleo: press" in reply.text
    assert len(here.room.threads) == 1, "nothing starts by itself"


async def test_old_buttons_of_a_lobby_say_that_the_match_is_over(here: CardRoom) -> None:
    alice, *_ = here.people
    await finished_match(here, 3)
    card = here.room.messages()[0]
    for pressed in ("computer:1", "computer:1:casual", "options:1", "more:1", "start:1", "join:1", "watch:1"):
        assert refusal_of(await alice.press(card, pressed)) == "The match is over."


async def test_a_kept_seat_is_taken_by_a_press_and_others_have_only_what_is_free(here: CardRoom) -> None:
    alice, ben, cleo, dana, *_ = here.people
    await finished_match(here, 3)
    reply = await ask(here, ben)
    card = await lobby_card(here)
    check_answer(await dana.click(card, "Join"))
    assert "kept for Alice and Cleo, open to all" in refusal_of(await here.people[4].click(card, "Join"))
    assert "kept for Alice and Cleo, open to all" in refusal_of(await ben.press(card, "computer:2:steady"))
    check_answer(await alice.click(card, "Join"))
    check_answer(await ben.click(card, "Start"))
    await here.rest()
    assert {*names(here)} == {"Alice", "Ben", "Dana"}
    assert here.bot.tables.seated(cleo.id) == []
    assert "kept" not in reply.text, "that is over, and the message is not edited"


async def test_after_ten_minutes_kept_seats_are_free_also_after_a_restart(here: CardRoom) -> None:
    await finished_match(here, 2)
    await ask(here, here.people[1])
    card = await lobby_card(here)
    here.bot.tables.forget(await here.bot.tables.get(2))
    assert "Kept for Alice" in card.text
    await here.later(Times().reserved / 1000 + 1)
    await here.box.until(lambda: "Kept for" not in card.text)
    assert DUE not in (await here.bot.tables.get(2)).deadlines


async def test_long_after_the_end_a_rematch_keeps_no_seats_but_the_computers(here: CardRoom) -> None:
    await finished_match(here, 2, computers=1)
    here.box.clock.advance(Times().rematch / 1000 + 1)
    reply = await ask(here, here.people[0])
    card = await lobby_card(here)
    assert names(here) == ["Alice", "🤖 Fern"]
    assert "Kept for" not in card.text
    assert (reply.ephemeral, link_to(here, card) in reply.text) == (True, True)


async def test_without_permission_to_post_in_the_channel_there_is_no_rematch_until_it_is_restored(
    here: CardRoom,
) -> None:
    await finished_match(here, 2)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    answer = refusal_of(await press(here, here.people[0]))
    assert f"I cannot play in <#{here.room.id}>: I lack Send Messages." in answer
    here.room.allow(here.box.world.bot, Permission.SEND_MESSAGES)
    await ask(here, here.people[0])
    await lobby_card(here)


async def test_a_rematch_that_cannot_be_posted_is_closed_and_may_be_asked_for_again(here: CardRoom) -> None:
    await finished_match(here, 2)
    here.box.fail("POST", f"^/channels/{here.room.id}/messages$", 403)
    assert (await ask(here, here.people[0])).ephemeral
    assert here.bot.tables.seated(here.people[0].id) == []
    await ask(here, here.people[0])
    await lobby_card(here, 3)


async def test_a_rematch_whose_card_answers_the_click_is_also_closed_when_refused(here: CardRoom) -> None:
    await finished_match(here, 2)
    card = here.room.messages()[0]
    here.box.fail("POST", "^/interactions/.*/callback$", 403)
    refusal_of(await here.people[0].click(card, "Rematch"))
    assert here.bot.tables.seated(here.people[0].id) == []
    check_answer(await here.people[0].click(card, "Rematch"))
    await lobby_card(here, 3)


async def test_a_rematch_that_discord_delays_is_answered_at_once_and_linked_later(here: CardRoom) -> None:
    await finished_match(here, 2)
    here.box.fail("POST", f"^/channels/{here.room.id}/messages$", None, delay=60, after=True)
    answer = await press(here, here.people[0])
    check_answer(answer)
    await here.box.until(lambda: "table 2" in here.room.messages()[-1].text)
    assert answer.followups == []
    here.box.clock.advance(60)
    assert link_to(here, await lobby_card(here)) in (await follow_up_of(here, answer)).text


async def test_a_rematch_that_everybody_leaves_before_its_link_comes_is_closed(here: CardRoom) -> None:
    await finished_match(here, 2)
    here.box.fail("POST", f"^/channels/{here.room.id}/messages$", None, delay=60, after=True)
    answer = await press(here, here.people[0])
    await here.box.until(lambda: "table 2" in here.room.messages()[-1].text)
    check_answer(await press_more(here.people[0], here.room.messages()[-1], "Leave"))
    here.box.clock.advance(60)
    assert "This table is closed: everybody has left" in (await follow_up_of(here, answer)).text
    await here.rest()
    assert 2 not in here.bot.publisher.live.matches()


async def test_a_rematch_posted_again_before_its_card_was_answered_has_one_card(file: Path) -> None:
    async with card_room(file, rate_limits=True) as here:
        await finished_match(here, 2)
        alice, ben, *_ = here.people
        here.box.fail("POST", f"^/channels/{here.room.id}/messages$", None, delay=30, after=True)
        await press(here, alice)
        await here.box.until(lambda: "table 2" in here.room.messages()[-1].text)
        table = await here.bot.tables.get(2)
        for _ in range(2):
            await here.bot.publisher.show_again(table)
        await asyncio.sleep(40)
        card = await lobby_card(here)
        check_answer(await ben.click(card, "Join"))
        await here.rest()
        assert "2. Ben" in card.text


async def test_a_rematch_that_the_database_delays_is_answered_in_time_and_then_shown(here: CardRoom) -> None:
    await finished_match(here, 2)
    here.bot.admission.late = -inf
    answer = await here.people[0].click(here.room.messages()[0], "Rematch")
    assert answer.interaction.answer == DEFER_UPDATE
    card = await lobby_card(here)
    assert (names(here), card.ephemeral) == (["Alice"], False)
    assert "⏳ Kept for Ben, open to all <t:" in card.text


async def test_no_seat_is_kept_for_somebody_who_erases_themselves_just_then(here: CardRoom) -> None:
    await finished_match(here)
    alice, ben, cleo, *_ = here.people
    end = latest(alice, here.room.threads[0], "Rematch")
    async with here.bot.tables._opening:
        erasing = asyncio.create_task(here.bot.tables.erase(ben.id))
        await asyncio.sleep(0)
        await alice.click(end, "Rematch", wait=False)
        await asyncio.sleep(0.5)  # the rematch waits for the erasing
    assert await erasing
    await lobby_card(here)
    assert {row.user for row in await here.bot.store.log(2)} == {alice.id, cleo.id}


async def test_options_pace_and_computers_are_kept(here: CardRoom) -> None:
    await finished_match(here, 2, computers=2, strength="casual", pace="relaxed", bets=False)
    await ask(here, here.people[1])
    await lobby_card(here)
    assert names(here) == ["Ben", "🤖 Fern", "🤖 Moss"]
    state = here.bot.tables._loaded[2].state
    assert state.pace == "relaxed"
    assert [player.strength for player in state.players] == [None, "casual", "casual"]
    assert state.options == (await here.bot.tables.get(1)).state.options


async def won(here: CardRoom, table: Table) -> int:
    """Let whoever is to flip play by the hints to the end. Return the person who has won."""
    while table.is_open:
        (seat,) = table.state.awaited()
        hint = advise(table.state.game, table.state.game.view(table.state.game_state, seat), "sharp", 1)
        move = table.state.game.text(hint.action)
        await table.play(table.state.players[seat].user, [move], table.clock.now())
    await here.rest()
    return table.state.players[table.state.outcome().placings.index(1)].user


def forbidden_for(table: Table) -> int:
    """Return the person for whom designs are forbidden."""
    barred: Seat = table.state.game_state.barred_side
    return table.state.players[barred].user


async def test_the_rematches_of_twin_it_forbid_designs_to_the_last_winner(here: CardRoom) -> None:
    here.bot.tables.new_seed = new_seed  # with a secret, seats are drawn
    host, *others = here.people[:4]
    await start_match(here, "twin-it start", host, *others, mode="forbidden", sets_to_win=1)
    winner = 0
    for number in (1, 2):
        winner = await won(here, await here.bot.tables.get(number))
        await host.click(latest(host, here.room.threads[number - 1], "Rematch"), "Rematch")
        card = await lobby_card(here, number + 1)
        for person in others:
            await person.click(card, "Join")
        await host.click(card, "Start")
        await here.rest()
        assert forbidden_for(await here.bot.tables.get(number + 1)) == winner
    assert forbidden_for(await here.bot.tables._load(3)) == winner, "it is in the log"


async def test_three_simultaneous_clicks_open_one_rematch_and_seat_all_three(here: CardRoom) -> None:
    await finished_match(here, 3)
    answers = await asyncio.gather(*(press(here, person) for person in here.people[:3]))
    await here.box.until(lambda: not any(answer.is_loading for answer in answers))  # a busy bot defers some
    card = await lobby_card(here)
    replies = [answer.text for answer in answers if answer.ephemeral]
    (first,) = (answer for answer in answers if not answer.ephemeral)
    assert (len(replies), link_to(here, card) in (await follow_up_of(here, first)).text) == (2, True)
    assert all(reply.startswith("You sit at the rematch: ") for reply in replies)
    assert sorted(names(here)) == ["Alice", "Ben", "Cleo"]
    assert await here.bot.store.match(3) is None
    assert card.text.count("(host)") == 1


@pytest.mark.parametrize("slow", [0, 1.6])
async def test_a_rematch_that_two_ask_for_has_one_card_though_the_first_answer_is_slow(
    here: CardRoom, slow: float
) -> None:
    alice, ben, end = await slow_to_answer(here, 1.2)
    async with held(here.bot.store, "create", alice.click(end, "Rematch", wait=False), after=True):
        await asyncio.sleep(slow)
    await asyncio.sleep(0.3)
    check_answer(await ben.click(end, "Rematch"))
    await asyncio.sleep(3)
    card = await lobby_card(here)
    assert [each for each in here.room.messages() if "table 2" in each.text] == [card]


@pytest.mark.parametrize("slow", [0, 4])
async def test_a_rematch_whose_answer_came_too_late_is_shown_to_who_sits_there(
    here: CardRoom, slow: float
) -> None:
    alice, ben, end = await slow_to_answer(here, 3.2)
    await alice.click(end, "Rematch", wait=False)
    await asyncio.sleep(0.5)
    async with held(here.bot.store, "append", ben.click(end, "Rematch")) as clicked:
        await asyncio.sleep(slow)
    answer = await clicked
    await here.box.until(
        lambda: "You sit at the rematch" in answer.text + "".join(each.text for each in answer.followups)
    )
    await asyncio.sleep(5)
    card = await lobby_card(here)
    assert "2. Ben" in card.text


async def test_a_second_click_says_where_the_rematch_is_before_and_after_its_start(here: CardRoom) -> None:
    await finished_match(here, 2)
    await ask(here, here.people[0])
    card = await lobby_card(here)
    for person, said in zip(here.people, ("You are the host of", "You sit at"), strict=False):
        assert f"{said} the rematch: {link_to(here, card)}." in (await press(here, person)).text
    assert names(here) == ["Alice", "Ben"]
    await here.rest()
    check_answer(await here.people[0].click(card, "Start"))
    refused = refusal_of(await press(here, here.people[1]))
    assert f"has begun already: {link_to(here, card)}." in refused


async def test_after_a_rematch_that_never_began_another_may_be_asked_for(here: CardRoom) -> None:
    await finished_match(here, 2)
    await ask(here, here.people[0])
    card, table = await lobby_card(here), await here.bot.tables.get(2)
    assert "Ben" in table.kept_for
    check_answer(await press_more(here.people[0], card, "Cancel"))
    await here.rest()
    assert table.kept_for == ""
    await ask(here, here.people[1])
    await lobby_card(here, 3)
    assert names(here, 3) == ["Ben"]


async def test_when_the_host_leaves_the_next_one_starts_it(here: CardRoom) -> None:
    await finished_match(here, 3)
    alice, ben, cleo, *_ = here.people
    check_answer(await cleo.click(here.room.messages()[0], "Rematch"))
    (thread,) = here.room.threads  # where some are still
    await here.box.until(lambda: "Rematch!** Cleo plays again at " in thread.messages()[-1].text)
    card = await lobby_card(here)
    for person in (alice, ben):
        check_answer(await person.click(card, "Join"))
    check_answer(await press_more(cleo, card, "Leave"))
    await here.rest()
    assert "1. Alice (host)" in card.text
    check_answer(await alice.click(card, "Start"))
    await here.rest()
    assert {*names(here)} == {"Alice", "Ben"}


async def test_watchers_cannot_ask_for_a_rematch_and_nobody_can_before_the_end(here: CardRoom) -> None:
    card = await open_table(here.room, "twin-palms start", *here.people[:2], rounds=1)
    assert "The match is not over yet" in refusal_of(await here.people[0].press(card, "rematch:1"))
    await here.people[0].click(card, "Start")
    assert "The match is not over yet" in refusal_of(await here.people[0].press(card, "rematch:1"))
    await finish(here)
    assert "You do not sit" in refusal_of(await here.people[4].click(card, "Rematch"))
    for rest in ("", ":", ":x", ":1"):
        check_answer(await here.people[4].press(card, f"rematch:2{rest}"))


async def test_a_rematch_that_was_kept_without_an_answer_is_shown_to_who_asked_for_it(here: CardRoom) -> None:
    await finished_match(here, 2)
    with losing_answers(here.bot.store, "create"):
        answer = await press(here, here.people[1])
    card = await lobby_card(here)
    assert "You are the host of the rematch" in answer.text
    check_answer(await here.people[0].click(card, "Join"))
    assert names(here) == ["Ben", "Alice"]
