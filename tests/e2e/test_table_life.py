"""The life of a table: lobby, match and end; where it is played, who may do what, and when it closes."""

import asyncio
import time

import pytest
from discord.app_commands import Command, Group

from bot.match.entries import Caretaker
from bot.match.openings import MOST_OPENED, WITHIN
from bot.messages.live_message import EditBudget
from bot.store import GuildSettings
from sandbox import Message, Permission
from tests.e2e.card_room import CardRoom
from tests.e2e.match import check_answer, refusal_of
from tests.e2e.players import (
    bid,
    chat,
    deal,
    latest,
    leave,
    new_thread,
    open_table,
    press_more,
    shown,
    text_and_alt,
)
from tests.e2e.test_privacy import settled
from tests.e2e.test_rematch import finished_match
from tests.held import failing, held

BOARD = "Rules"
"""A button that only the board has."""


def edits(here: CardRoom, message: Message) -> int:
    """Return how often the bot has edited a message other than by answering a click."""
    path = f"/channels/{message.channel.id}/messages/{message.id}"
    return sum(each.method == "PATCH" and each.path == path for each in here.box.requests)


def pressable(message: Message) -> set[str]:
    """Return the labels of the message's enabled buttons."""
    return {each["label"] for each in message.buttons if not each.get("disabled")}


# The lobby


async def test_the_lobby_and_the_commands_describe_the_game(here: CardRoom) -> None:
    card = await open_table(here.room, "twin-palms start", here.people[0])
    said = "Say how many tricks you will win, then win exactly that many"
    assert f"{said}\n-# Twin Palms · table 1 · 20 min · 90 seconds a move · normal mode\n" in card.text
    group = here.bot.tree.get_command("twin-palms")
    assert isinstance(group, Group)
    start = group.get_command("start")
    assert isinstance(start, Command)
    assert group.description == start.description == f"{said} · 2–5 players · 20 min"


async def test_the_lobby_of_a_game_of_speed_promises_no_time_for_a_move(here: CardRoom) -> None:
    card = await open_table(here.room, "twin-it start", here.people[0])
    assert "-# Twin It! · table 1 · 10 min" in card.text
    assert "a move" not in card.text


async def test_a_full_lobby_says_how_more_people_could_play(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben, mode="easy")
    assert "**2 of 2 seats** · the host can start" in card.text
    assert pressable(card).isdisjoint({"Join", "Add computer"})
    assert "Up to 5 can play with `mode: advanced or extreme`: `/twin-palms start`" in card.text
    card = await open_table(here.room, "palace start", alice, computers=3, packs=1)
    assert "Up to 8 can play with `packs: 2`: `/palace start`" in card.text
    card = await open_table(here.room, "palace start", alice, computers=7)
    assert "More people? `/palace start` opens another table." in card.text


async def test_more_is_refused_when_everybody_leaves_while_it_is_looked_up(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "palace start", alice)
    store, table = here.bot.store, await here.bot.tables.get(1)
    settings = store.guild_settings

    async def settings_later(guild: int) -> GuildSettings:
        await table.leave(alice.id, here.bot.time.now())
        return await settings(guild)

    monkeypatch.setattr(store, "guild_settings", settings_later)
    assert "everybody has left" in refusal_of(await ben.click(card, "More"))


async def test_the_lobby_has_a_banner_if_the_bot_may_post_files(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice)
    assert [file["description"].split(":")[0] for file in card.files] == ["Twin Palms"]
    await ben.click(card, "Join")
    assert len(card.files) == 1
    await alice.click(card, "Start")
    await here.rest()
    assert card.files == []
    here.room.deny(here.box.world.bot, Permission.ATTACH_FILES)
    bare = await open_table(here.room, "twin-palms start", alice)
    assert bare.files == []
    await ben.click(bare, "Join")
    assert bare.files == []


async def test_a_manager_of_the_server_can_end_any_table_at_any_time(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    place = await deal(here, 2)
    assert "Only people who manage this server" in (await alice.slash(place, "table end")).text
    here.guild.grant(cleo.user, Permission.MANAGE_GUILD)
    asked = shown(await cleo.slash(place, "table end"))
    assert "End this match of Twin Palms (table 1) for everybody?" in asked.text
    assert "Table 1 is closed" in (await cleo.click(asked, "End the match")).text
    assert not asked.buttons
    await here.rest()
    assert f"Ended by {cleo.mention}" in here.room.messages()[0].text
    assert f"🚪 Table closed: ended by {cleo.mention}" in here.transcript(place)[-1]
    assert "No match has been finished here" in (await ben.slash(here.room, "leaderboard")).text


async def test_a_person_who_opens_and_cancels_again_and_again_must_wait(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    for _ in range(MOST_OPENED):
        await press_more(alice, await open_table(here.room, "palace start", alice), "Cancel")
    posted, answer = len(here.room.messages()), await alice.slash(here.room, "palace start")
    assert answer.ephemeral
    assert "You have opened 10 tables within 10 minutes. You can open the next one <t:" in answer.text
    answer = await settled(here, await alice.slash(here.room, "practice", game="palace"))
    assert "opened 10 tables" in answer.text
    assert len(here.room.messages()) == posted
    assert alice.dms.messages() == []
    assert (await open_table(here.room, "palace start", ben)).buttons
    await here.later(WITHIN / 1000)
    assert (await open_table(here.room, "palace start", alice)).buttons


async def test_a_person_leaves_a_lobby_and_returns_to_a_match_in_their_list_of_tables(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await deal(here, 2)
    table = await here.bot.tables.get(1)
    async with table.changing(table.clock.now()):
        await table.commit(table.clock.now(), Caretaker((table.state.held[alice.id],)))
    lobby = await open_table(here.room, "palace start", ben, alice)
    listed = shown(await alice.slash(here.room, "tables"))
    assert "a computer plays for you until you are back" in listed.text
    assert "not started, 2 seated. It closes <t:" in listed.text
    assert "closes <t:" in lobby.text
    back = await alice.press(listed, "back:1")
    assert "You are back in your seat" in back.text
    assert "You have left table 2" in (await alice.press(listed, "ask-leave:2")).text
    asked = shown(await alice.press(listed, "ask-leave:1"))
    assert "Leave this match of Twin Palms" in asked.text
    await here.rest()
    assert "Alice" not in lobby.text


async def test_a_person_who_has_left_a_match_finds_their_free_seat_again(here: CardRoom) -> None:
    _, ben, *_, eve = here.people
    place = await deal(here, 3)
    await open_table(here.room, "palace start", ben)
    for way_back in ("command", "button"):
        check_answer(await leave(ben, place))
        assert "table 1" not in (await eve.slash(here.room, "tables")).text
        listed = shown(await ben.slash(here.room, "tables"))
        assert "you left; the seat is still yours to take" in listed.text
        assert [each["label"] for each in listed.buttons] == ["I'm back", "Leave", "Play"]
        if way_back == "button":
            assert "You are back in your seat" in (await ben.press(listed, "back:1")).text
        else:
            assert "You are back at table 1" in (await ben.slash(here.room, "table back")).text
            await bid(place, ben)
    check_answer(await leave(ben, place))
    await here.rest()
    check_answer(await eve.click(latest(eve, place, "Take Ben's seat"), "Take Ben's seat"))
    assert "table 1" not in (await ben.slash(here.room, "tables")).text


# Where it is played


async def test_in_a_private_thread_without_the_bot_one_is_told_to_mention_it(here: CardRoom) -> None:
    alice, world = here.people[0], here.box.world
    thread = new_thread(here.room, alice, private=True)
    asked = await alice.slash(thread, "palmer start")
    assert "I am not in this private thread, so I cannot play here. Mention me in it" in asked.text
    here.room.deny(world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    assert "I lack " in (await alice.slash(thread, "palmer start")).text
    here.room.allow(world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    thread.add(world.bot)
    await open_table(thread, "palmer start", alice)


async def test_a_table_opened_in_a_thread_is_played_there_as_the_only_one(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    thread = new_thread(here.room, alice)
    card = await open_table(thread, "twin-palms start", alice, ben)
    assert "Table 1 is played in this thread" in (await cleo.slash(thread, "twin-palms start")).text
    await alice.click(card, "Start")
    await here.rest()
    assert here.room.threads == [thread]
    with_hand = [each for each in thread.messages() if "My hand" in pressable(each)]
    assert len(with_hand) == 3, "the card, the table and the call"


async def test_of_two_who_open_a_table_in_a_thread_at_once_one_is_refused(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    thread = new_thread(here.room, alice)
    async with held(here.bot.store, "create", alice.slash(thread, "twin-palms start")) as first:
        second = asyncio.create_task(ben.slash(thread, "twin-palms start"))
        await asyncio.sleep(1)
    assert "Alice (host)" in shown(await first).text
    assert "Table 1 is played in this thread" in refusal_of(await second)


async def test_where_the_bot_cannot_post_it_says_what_it_lacks_and_who_can_help(here: CardRoom) -> None:
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    refused = await here.people[0].slash(here.room, "twin-palms start")
    assert refused.ephemeral
    assert "I lack Send Messages. Somebody who manages the channel can give me that" in refused.text
    assert here.room.messages() == []
    assert "You sit at no table" in (await here.people[0].slash(here.room, "tables")).text
    here.room.deny(here.box.world.bot, Permission.VIEW_CHANNEL)
    assert "View Channel" in (await here.people[0].slash(here.room, "twin-palms start")).text


async def test_a_table_is_posted_again_only_when_it_is_no_longer_visible(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    old = await open_table(here.room, "twin-palms start", alice)
    table = await here.bot.tables.get(1)
    await here.box.until(lambda: table.match.card == old.id)
    for _ in range(3):
        answer = await alice.slash(here.room, "table show")
        await here.box.until(lambda answer=answer: answer.text.startswith("[Table 1](https://"))  # type: ignore[misc]
        assert f"/{here.room.id}/{old.id}" in answer.text
    await chat(ben, here.room, 3)
    answer = await alice.slash(here.room, "table show")
    await here.box.until(lambda: "Table 1 is posted again" in answer.text)
    *_, new = here.room.messages()
    await here.box.until(lambda: "further down" in old.text)
    assert "Twin Palms" in new.text


async def test_of_a_table_that_is_over_the_channel_of_its_card_is_named(here: CardRoom) -> None:
    await finished_match(here, 2)
    alice, ben, *_ = here.people
    (thread,) = here.room.threads
    for place in (thread, here.room):
        await chat(ben, place, 9)
    for words in ("Table 1 is posted again in {}.", "is among the last messages of {} already."):
        answer = await alice.slash(thread, "table show", table="1")
        await here.box.until(lambda answer=answer: "Table 1" in answer.text)  # type: ignore[misc]
        assert words.format(f"<#{here.room.id}>") in answer.text
        assert "Table 1" in here.room.messages()[-1].text


@pytest.mark.parametrize("sunk", [False, True], ids=["in sight", "out of sight"])
async def test_a_finished_table_is_done_with_when_it_was_shown(here: CardRoom, sunk: bool) -> None:
    alice, ben, *_ = here.people
    publisher, tables = here.bot.publisher, here.bot.tables
    for number in map(str, range(1, 6)):
        card = await open_table(here.room, "palmer start", alice)
        check_answer(await press_more(alice, card, "Cancel"))
        await publisher.wait()
        await chat(ben, here.room, 3 * sunk)
        answer = await alice.slash(here.room, "table show", table=number)
        await here.box.until(lambda answer=answer: "Table" in answer.text)  # type: ignore[misc]
        assert ("posted again" if sunk else "among the last messages") in answer.text
        await publisher.wait()
    assert (publisher.live._shown, tables._loaded, await tables.unpublished()) == ({}, {}, [])


# Leaving


async def test_leaving_or_ending_a_match_needs_a_confirmation(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    here.guild.grant(alice.user, Permission.MANAGE_GUILD)
    table = await here.bot.tables.get(1)
    n = table.state.n
    for command in ("table leave", "table end"):
        asked = shown(await alice.slash(place, command))
        assert asked.ephemeral
        await alice.click(asked, "No, play on")
        assert asked.text == "The match goes on."
        assert not asked.buttons
    assert "Only people who manage this server" in (await ben.slash(place, "table end")).text
    assert table.state.n == n
    await leave(alice, place)
    assert "You are the last person here" in shown(await ben.slash(place, "table leave")).text


async def test_a_manager_who_plays_a_rated_match_can_only_leave_it(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    place = await deal(here, 2)
    for person in (alice, cleo):
        here.guild.grant(person.user, Permission.MANAGE_GUILD)
    asked = shown(await alice.slash(place, "table end"))
    assert "you can leave it, but not end it for the others" in asked.text
    assert "You are rated as last" in asked.text
    assert "but not end it" in (await alice.press(asked, "end:1")).text
    await alice.click(asked, "Leave the match")
    table = await here.bot.tables.get(1)
    assert (table.state.phase, table.state.gone) == ("play", {table.state.held[alice.id]})
    # Nor can they end it afterwards; somebody who has not played can.
    for refused in (await alice.slash(place, "table end"), await alice.press(asked, "end:1")):
        assert "You have played in this match" in refused.text
    assert table.state.phase == "play"
    asked = shown(await cleo.slash(place, "table end"))
    assert "Table 1 is closed" in (await cleo.click(asked, "End the match")).text
    assert "No match has been finished here" in (await ben.slash(here.room, "leaderboard")).text


async def test_who_stays_longer_in_a_match_of_two_wins_by_leaving_last(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    await bid(place, alice, ben)
    asked = shown(await ben.slash(place, "table leave"))
    assert (
        "You are rated as last, whatever happens to the seat. While the seat is free, `I'm back` undoes that."
        in (asked.text)
    )
    await ben.click(asked, "Leave the match")
    asked = shown(await alice.slash(place, "table leave"))
    assert "you stayed longer, and win" in asked.text
    assert "You have won" in (await alice.click(asked, "Leave the match")).text
    await here.rest()
    said = f"Everybody else has left or was away, so {alice.mention} has won."
    lines = here.transcript(place)
    assert lines.index("🏆 **Alice wins**.") == lines.index(f"🏁 {said}") + 1
    assert "first rating 1" in lines[-2], "her new rating"
    assert {"Rematch", "Replay", "Verify"} <= pressable(place.messages()[-1])
    card, result = (message.text for message in here.room.messages())
    assert said in card
    assert ("Alice (left" in card, "Ben (left)" in card) == (False, True)
    assert "🏆 Alice won at Twin Palms, as everybody else has left or was away" in result
    history = shown(await ben.slash(here.room, "history")).text
    assert "1st Alice, **🤖 for Ben**" in history
    assert "first rating" in history
    assert "1 won" in shown(await alice.slash(here.room, "profile")).text


async def test_who_was_told_that_they_win_does_not_leave_once_the_other_one_is_back(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    await bid(place, alice, ben)
    await leave(ben, place)
    asked = shown(await alice.slash(place, "table leave"))
    assert "you stayed longer, and win" in asked.text
    await ben.slash(place, "table back")
    assert "says what leaving means now" in refusal_of(await alice.click(asked, "Leave the match"))
    assert "rated as last" in shown(await alice.slash(place, "table leave")).text


async def test_who_was_told_that_the_match_goes_on_does_not_end_it_as_its_last_person(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    asked = shown(await alice.slash(place, "table leave"))
    assert "`I'm back` undoes that" in asked.text
    await leave(ben, place)
    assert "says what leaving means now" in refusal_of(await alice.click(asked, "Leave the match"))
    assert "the match ends and does not count" in shown(await alice.slash(place, "table leave")).text


async def test_who_would_play_on_in_a_match_that_was_ended_reads_that_it_was(here: CardRoom) -> None:
    alice, _, cleo, *_ = here.people
    place = await deal(here, 2)
    asked = shown(await alice.slash(place, "table leave"))
    here.guild.grant(cleo.user, Permission.MANAGE_GUILD)
    await cleo.click(shown(await cleo.slash(place, "table end")), "End the match")
    assert "This table is closed" in refusal_of(await alice.click(asked, "No, play on"))


@pytest.mark.parametrize("command", ["leave", "end"])
async def test_who_leaves_or_ends_a_match_reads_so_though_the_database_is_slow(
    here: CardRoom, command: str
) -> None:
    alice, _, cleo, *_ = here.people
    place = await deal(here, 2)
    here.guild.grant(cleo.user, Permission.MANAGE_GUILD)
    person, label = (alice, "Leave the match") if command == "leave" else (cleo, "End the match")
    asked = shown(await person.slash(place, f"table {command}"))
    async with held(here.bot.store, "append", person.click(asked, label)):
        await asyncio.sleep(4)
    await here.box.until(lambda: asked.text.startswith(("You have left", "Table 1 is closed")))


async def test_a_manager_of_another_server_cannot_end_the_table(here: CardRoom) -> None:
    """Neither with forged buttons nor with the command, which needs only the table's number."""
    alice, ben, *_ = here.people
    elsewhere = here.box.guild("Elsewhere")
    elsewhere.add(alice.user)
    elsewhere.grant(alice.user, Permission.MANAGE_GUILD)
    lounge = elsewhere.channel("lounge")
    foreign = await open_table(lounge, "twin-palms start", alice)
    card = await open_table(here.room, "twin-palms start", ben, alice)
    assert "belongs to another server" in (await alice.press(foreign, "cancel:2")).text
    await ben.click(card, "Start")
    assert "belongs to another server" in (await alice.press(foreign, "end:2")).text
    assert "belongs to another server" in (await alice.slash(lounge, "table end", table="2")).text
    assert (await here.bot.tables.get(2)).state.phase == "play"


# The board


async def test_the_table_moves_below_the_chat_and_is_there_once(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    old = latest(alice, place, BOARD)
    await ben.say(place, "Hello")
    await here.rest()
    assert latest(alice, place, BOARD) is old, "a word pushes nothing out of sight"
    await bid(place, alice)
    await here.rest()
    second = latest(alice, place, BOARD)
    assert second is not old
    assert old.deleted
    assert "1 of 2 have bid" in text_and_alt(second)
    for n in range(3):
        await ben.say(place, f"And {n}")
    await here.box.until(lambda: latest(alice, place, BOARD) is not second)
    await here.rest()
    assert place.messages()[-1] is latest(alice, place, BOARD)
    assert len([each for each in place.messages() if BOARD in pressable(each)]) == 1


async def test_a_table_older_than_an_hour_is_posted_again_as_discord_limits_its_edits(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2, pace="correspondence")
    old = latest(alice, place, BOARD)
    here.box.clock.advance(4_000)
    await bid(place, alice)
    await here.rest()
    assert old.deleted
    assert "1 of 2 have bid" in text_and_alt(latest(ben, place, BOARD))


async def test_many_quick_moves_need_few_edits_and_the_last_state_is_shown(here: CardRoom) -> None:
    place = await deal(here, 5, mode="extreme")
    board = latest(here.people[0], place, BOARD)
    before, began = edits(here, board), time.monotonic()
    for seats in range(1, 5):
        for person in here.people[:seats]:
            await bid(place, person)
    lasted = time.monotonic() - began
    await here.rest()
    assert "4 of 5 have bid" in text_and_alt(board)
    # One edit at once, one at the end, and one in each whole interval between.
    assert edits(here, board) - before <= 2 + lasted // EditBudget().interval


async def test_tables_that_could_not_be_saved_do_not_count_as_opened(here: CardRoom) -> None:
    alice = here.people[0]
    with failing(here.bot.store, "create"):
        for _ in range(MOST_OPENED):
            assert "does not count" in shown(await alice.slash(here.room, "palace start")).text
            await asyncio.sleep(20)
    assert "You have opened" not in shown(await alice.slash(here.room, "palace start")).text
