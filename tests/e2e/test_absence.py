"""Players who run out of time, leave, come back, take a seat or hand it over, as people do it in Discord."""

from dataclasses import replace

import pytest

from sandbox import Channel, Message, Permission, Person
from sandbox.faults import Fault
from tests.e2e.card_room import QUICK, CardRoom, until_shown
from tests.e2e.match import check_answer, refusal_of
from tests.e2e.players import (
    bid,
    chat,
    deal,
    hand_of,
    labels,
    latest,
    leave,
    open_table,
    set_preferences,
    shown,
    text_and_alt,
)

LESSON = "Is Twin Palms new to you? The match goes on while you learn."


async def wait_for_message(here: CardRoom, place: Channel, words: str) -> Message:
    """Wait until a message there contains the words, and return the last one."""
    eve = here.people[4]
    await here.box.until(lambda: any(words in message.text for message in eve.sees(place)))
    return next(message for message in reversed(eve.sees(place)) if words in message.text)


async def wait_for_message_after(here: CardRoom, place: Channel, seconds: float, words: str) -> Message:
    """Advance the clock, use a command that tells the bot the time, and return the message that contains the words."""
    here.box.clock.advance(seconds)
    await here.people[4].slash(place, "tables")
    return await wait_for_message(here, place, words)


async def match_with_ben_overdue(here: CardRoom, seats: int = 3) -> tuple[Channel, Message]:
    """Deal a match in which everybody but Ben has bid and his time is up. Return where it is played, and the vote
    about what to do."""
    place = await deal(here, seats)
    await bid(place, here.people[0], *here.people[2:seats])
    await wait_for_message_after(here, place, 61, "30 seconds left")
    return place, await wait_for_message_after(
        here, place, 31, "time's up. Alice and Cleo: wait, let a computer play, or end the match?"
    )


async def wait_for_end_of_vote(here: CardRoom, question: Message, how: str) -> None:
    """Wait until the vote shows its result without its buttons, or is deleted because the match continues."""
    await here.box.until(lambda: how in question.text or question.deleted)
    assert question.deleted or labels(question) in ([], ["My hand"])


async def match_with_a_computer_for_ben(here: CardRoom) -> Channel:
    """Deal a match in which a computer plays for Ben and has bid."""
    here.bot.tables.clock.times = replace(QUICK, computer=(0, 1))
    place, _ = await match_with_ben_overdue(here)
    await wait_for_message_after(here, place, 31, "A computer plays for Ben until they press `I'm back`.")
    await wait_for_message(here, place, "Bids: Alice 1")
    await here.rest()
    return place


def is_pinged_by(person: Person, message: Message) -> bool:
    return person.id in message.pings


# Running out of time


async def test_only_a_missing_player_is_called_then_reminded_then_voted_about(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await match_with_ben_overdue(here)
    table, reminder, question = ben.pings
    assert "`My hand` shows what you hold" in table.text
    assert "⏰" in reminder.text
    assert reminder.deleted, "one call at a time"
    assert "⏳" in question.text
    assert len(alice.pings) == len(cleo.pings) == 1


async def test_a_reminder_pings_those_who_want_only_reminders_and_not_those_who_want_nothing(
    here: CardRoom,
) -> None:
    alice, ben, cleo, *_ = here.people
    await set_preferences(ben, here.room, pings="only reminders")
    await set_preferences(cleo, here.room, pings="never")
    place = await deal(here, 3)
    reminder = await wait_for_message_after(here, place, 61, "30 seconds left")
    assert [is_pinged_by(person, reminder) for person in (alice, ben, cleo)] == [True, True, False]
    assert [len(person.pings) for person in (alice, ben, cleo)] == [2, 1, 0]
    assert cleo.mention in reminder.text, "the reminder names everybody who is missing"


# The table's vote


async def test_the_table_can_vote_for_a_computer_and_everybody_sees_it(here: CardRoom) -> None:
    here.bot.tables.clock.times = replace(QUICK, computer=(0, 1))
    alice, _, cleo, *_ = here.people
    place, question = await match_with_ben_overdue(here)
    check_answer(await alice.click(question, "Computer plays"))
    await wait_for_message(here, place, "Computer plays: 1 of 2")
    check_answer(await cleo.click(question, "Computer plays"))
    await wait_for_message(here, place, "A computer plays for Ben until they press `I'm back`.")
    await wait_for_message(here, place, "Bids: Alice 1")
    await here.rest()
    assert "🤖 A computer plays for Ben" in latest(alice, place, "Rules").text


async def test_a_deleted_vote_message_is_posted_again_without_another_ping(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place, question = await match_with_ben_overdue(here)
    called = len(ben.pings)
    here.guild.grant(ben.user, Permission.MANAGE_MESSAGES)
    ben.delete(question)
    check_answer(await alice.press(question, "vote:1:1:keep"))
    again = await wait_for_message(here, place, "Computer plays: 1 of 2")
    assert again is not question
    assert [each["label"] for each in again.buttons] == ["Wait", "Computer plays", "End the match"]
    assert len(ben.pings) == called
    await bid(place, ben)


async def test_watchers_and_overdue_players_cannot_vote_and_forged_votes_are_refused(here: CardRoom) -> None:
    alice, ben, *_, eve = here.people
    place, question = await match_with_ben_overdue(here)
    n = (await here.bot.tables.get(1)).state.n
    assert "You do not sit" in refusal_of(await eve.click(question, "End the match"))
    assert "The table is waiting for you" in refusal_of(await ben.click(question, "Wait"))
    for rest in ("", ":", ":1", ":99:end", ":1:explode", ":x:end", ":1:end:more", ":-1:end"):
        refusal_of(await alice.press(question, f"vote:1{rest}"))
    assert (await here.bot.tables.get(1)).state.n == n
    await bid(place, ben)
    await here.box.until(lambda: question.deleted)
    assert "That vote is over" in refusal_of(await alice.press(question, "vote:1:1:end"))


async def test_the_pace_can_be_changed_by_vote_and_is_shown(here: CardRoom) -> None:
    alice, ben, *_, eve = here.people
    place = await deal(here, 2)
    assert "You do not sit" in refusal_of(await eve.slash(place, "table pace", pace="relaxed", table="1"))
    assert "The others are asked to vote" in (await alice.slash(place, "table pace", pace="relaxed")).text
    question = await wait_for_message(
        here, place, "Alice proposes the relaxed pace (1 hour a move). Majority decides."
    )
    check_answer(await ben.click(question, "Yes to relaxed"))
    await wait_for_message(here, place, "⏱️ The pace is relaxed: 1 hour a move.")
    await wait_for_end_of_vote(here, question, "⏱️ The pace is relaxed: 1 hour a move.")
    assert "The pace is relaxed already" in refusal_of(await ben.slash(place, "table pace", pace="relaxed"))
    reminder = await wait_for_message_after(here, place, 2401, "⏰ **<@")
    assert is_pinged_by(alice, reminder)


@pytest.mark.parametrize("moves", [True, False], ids=["who moves next", "who is reminded"])
async def test_people_are_called_though_the_first_table_was_posted_before(
    here: CardRoom, moves: bool
) -> None:
    alice, ben, *_ = here.people
    here.bot.tables.clock.times = replace(QUICK, live=36_000)
    card = await open_table(here.room, "thirty-one start", alice, ben)
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    fault = Fault("POST", r"^/channels/\d+/messages$", 500, times=5, after=True)
    here.box.faults.add(fault)
    await alice.click(card, "Start")
    await here.box.until(lambda: not fault.times)
    table = await here.bot.tables.get(1)
    (seat,), game = table.state.awaited(), table.state.game
    while moves and table.state.awaited() == (seat,):
        text = game.text(game.fallback(table.state.game_state, seat))
        await here.people[seat].slash(here.thread(card), "move", action=text)
    called = here.people[table.state.awaited()[0]]
    await until_shown(here.box, lambda: called.pings[-1].text.startswith("**<@" if moves else "⏰"), 14)


@pytest.mark.parametrize("present", [1, 0], ids=["a vote", "nobody else"])
async def test_a_call_whose_message_was_not_recorded_is_deleted_once_it_is_over(
    here: CardRoom, present: int
) -> None:
    place = await deal(here, 2)
    await bid(place, *here.people[:present])
    await wait_for_message_after(here, place, 61, "30 seconds left")
    here.box.fail("POST", f"/channels/{place.id}/messages$", 0, after=True)
    question = await wait_for_message_after(here, place, 31, "time's up")
    await bid(place, *here.people[present:2])
    await here.rest()
    assert question.deleted


# Coming back


async def test_a_player_takes_the_seat_back_at_once_with_the_tables_button(here: CardRoom) -> None:
    _, ben, cleo, *_ = here.people
    place = await match_with_a_computer_for_ben(here)
    message = latest(ben, place, "I'm back")
    assert "no computer plays for you" in refusal_of(await cleo.click(message, "I'm back"))
    welcome = await ben.click(message, "I'm back")
    assert "You are back" in refusal_of(welcome)
    await wait_for_message(here, place, "🪑 Ben is back.")
    assert "Your hand" in text_and_alt(shown(await ben.click(shown(welcome), "My hand")))
    await here.rest()
    # Above that the table may tell that a computer played, if it had the time to move.
    now = latest(ben, place, "Rules").text.rpartition("🪑 Ben is back.")[2]
    assert "A computer plays" not in now


async def test_the_hand_of_an_absent_player_says_who_plays_and_how_to_come_back(here: CardRoom) -> None:
    ben = here.people[1]
    place = await match_with_a_computer_for_ben(here)
    hand = await hand_of(ben, place)
    assert "🤖 A computer plays for you." in hand.text
    assert "Your turn" not in hand.text
    assert hand.selects == []
    assert "a computer plays for you until you are back" in (await ben.slash(place, "tables")).text
    for moved in (await ben.slash(place, "move", action="draw"), await ben.press(hand, "type:1")):
        assert refusal_of(moved) == "A computer plays for you. Press `I'm back`, then you can decide."
    assert shown(await ben.click(hand, "I'm back")) is hand
    assert "no computer plays for you" in refusal_of(await ben.slash(place, "table back"))


# Leaving, and joining later


async def test_the_table_says_who_has_left_though_somebody_whose_name_begins_so_leaves_later(
    here: CardRoom,
) -> None:
    alice, ben, cleo, dana, eve = here.people
    ali = here.box.person("Ali", here.guild)
    await open_table(here.room, "palmer start", eve, ali, ben, cleo, dana, alice)
    table, now = await here.bot.tables.get(1), here.bot.time.now()
    await table.start(eve.id, now)
    for person in (ali, ben, cleo, dana, alice):
        await table.leave(person.id, now)
    await here.bot.publisher.wait()
    shown = here.box.world.channel(table.match.place or 0).messages()[-1].text
    for person in (ali, ben, cleo, dana, alice):
        assert f"👋 {person.name} left." in shown


async def test_a_person_who_takes_a_seat_that_was_left_sees_its_hand(here: CardRoom) -> None:
    alice, ben, _, _, eve = here.people
    place = await deal(here, 3)
    check_answer(await leave(ben, place))
    message = await wait_for_message(
        here, place, "Ben left. A computer plays on in that seat; anybody may take it."
    )
    assert "`/table back` gives it back" in refusal_of(await ben.click(message, "My hand"))
    assert "You already sit at this table" in refusal_of(await alice.click(message, "Take Ben's seat"))
    assert "You do not sit" in refusal_of(await eve.click(message, "My hand"))
    for rest in ("", ":", ":x", ":9", ":0", ":-1", ":99999999999"):
        refusal_of(await eve.press(message, f"take:1{rest}"))
    taken = await eve.click(message, "Take Ben's seat")
    assert "The seat is yours" in refusal_of(taken)
    await wait_for_message(here, place, "🪑 Eve plays on for Ben.")
    await here.box.until(lambda: any(LESSON in message.text for message in eve.sees(place)))
    await here.box.until(lambda: eve.pings)
    assert "Your hand" in text_and_alt(shown(await eve.click(shown(taken), "My hand")))
    assert "That seat is taken" in refusal_of(await here.people[3].press(message, "take:1:1"))
    assert "You are watching" in refusal_of(await ben.click(message, "My hand"))
    assert "table 1" in (await eve.slash(here.room, "tables")).text
    await bid(place, eve)
    await here.rest()
    assert "Take" not in "".join(each["label"] for each in latest(eve, place, "Rules").buttons)


# Handing over


async def test_a_seat_is_handed_over_only_to_the_chosen_member_who_accepts(here: CardRoom) -> None:
    alice, ben, _, dana, eve = here.people
    place = await deal(here, 3)
    await bid(place, ben, action="bid 3")
    said = await ben.slash(place, "table hand-over", member=eve)
    assert "Play on until they accept. Then you have left the match. You are rated as last" in said.text
    offer = await wait_for_message(here, place, "Ben offers you their seat")
    assert is_pinged_by(eve, offer)
    for person in (alice, ben, dana):
        assert "not to you" in refusal_of(await person.click(offer, "Accept"))
    for person in (alice, dana):
        assert "not to you" in refusal_of(await person.click(offer, "Decline"))
    accepted = await eve.click(offer, "Accept")
    assert "The seat is yours" in refusal_of(accepted)
    await wait_for_message(here, place, "🤝 Eve takes over from Ben.")
    await here.box.until(lambda: any(LESSON in message.text for message in eve.sees(place)))
    assert "you chose Bid 3" in shown(await eve.click(shown(accepted), "My hand")).text
    assert "You are watching" in refusal_of(await ben.slash(place, "hand", table="1"))
    assert "That offer is over" in refusal_of(await eve.press(offer, "accept:1:1"))


@pytest.mark.parametrize(("person", "how"), [(4, "declined"), (1, "taken back")])
async def test_an_offered_seat_may_be_declined_and_taken_back(here: CardRoom, person: int, how: str) -> None:
    ben, eve = here.people[1], here.people[4]
    place = await deal(here, 2)
    said = await ben.slash(place, "table hand-over", member=eve)
    assert "Until they accept, `Decline` below the offer takes it back." in said.text
    offer = await wait_for_message(here, place, "Ben offers you their seat")
    check_answer(await here.people[person].click(offer, "Decline"))
    await wait_for_end_of_vote(here, offer, f"🤝 The offer was {how}: Ben plays on.")
    assert "That offer is over" in refusal_of(await eve.press(offer, "accept:1:1"))
    await bid(place, ben)


async def test_a_seat_cannot_be_handed_to_oneself_a_bot_a_player_or_somebody_who_does_not_see_the_table(
    here: CardRoom,
) -> None:
    alice, ben, cleo, *_ = here.people
    stranger = here.box.person("Stranger", here.guild)
    stranger.leave(here.guild)
    place = await deal(here, 2)
    bot = here.box.client_of(here.box.world.bot)
    wrong = {ben: "That is you", alice: "sits at this table already", bot: "A bot cannot take your seat"}
    for person, sentence in (wrong | {stranger: "is not on this server"}).items():
        assert sentence in refusal_of(await ben.slash(place, "table hand-over", member=person))
    here.room.deny(cleo.user, Permission.VIEW_CHANNEL)
    unseen = await ben.slash(here.guild.channel("lounge"), "table hand-over", member=cleo)
    assert f"does not see <#{place.id}>. Name somebody who does." in refusal_of(unseen)
    here.room.allow(cleo.user, Permission.VIEW_CHANNEL)
    assert "You do not sit" in refusal_of(await cleo.slash(place, "table hand-over", member=ben, table="1"))
    for rest in ("", ":", ":x", ":9", ":1", ":-1"):
        for verb in ("accept", "decline"):
            refusal_of(await cleo.press(latest(cleo, place), f"{verb}:1{rest}"))


async def test_a_card_that_is_further_down_has_no_button_that_ends(here: CardRoom) -> None:
    place = await match_with_a_computer_for_ben(here)
    card = await wait_for_message(here, here.room, "The match is on in")
    assert "I'm back" in labels(card)
    await chat(here.people[4], here.room, 9)
    await leave(here.people[2], place)
    await here.box.until(lambda: "further down" in card.text)
    assert labels(card) == ["My hand", "What beats what", "Rules"]


async def test_a_seat_is_not_handed_over_from_another_server_to_somebody_who_may_not_be_there(
    here: CardRoom,
) -> None:
    ben, stranger = here.people[1], here.box.person("Stranger", elsewhere := here.box.guild("Elsewhere"))
    elsewhere.add(ben.user)
    place = await deal(here, 2)
    answer = await ben.slash(elsewhere.channel("lounge"), "table hand-over", member=stranger)
    await here.rest()
    assert not any("offers you" in message.text for message in place.messages())
    assert "belongs to another server" in refusal_of(answer)
