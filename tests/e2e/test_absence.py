"""Who runs out of time, leaves, comes back, takes a seat or hands it over, as people do it in Discord."""

from pathlib import Path

import pytest

from bot.match.deadlines import Times
from games.minds import choose
from sandbox import Answer, Channel, Message, Permission, Person
from tests.e2e.followed import Followed, card_room
from tests.e2e.house import House
from tests.e2e.match import Match, answered
from tests.e2e.players import bid, deal, hand_of, heard, latest, leave, prefer, shown, too_late

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot looks at its clock often, as the tests turn Discord's by minutes."""
    monkeypatch.setattr("bot.clock.BEAT", 0.02)


async def told(here: House, place: Channel, words: str) -> Message:
    """The last message that says so, once it is there."""
    eve = here.people[4]
    await here.box.until(lambda: any(words in message.text for message in eve.sees(place)))
    return next(message for message in reversed(eve.sees(place)) if words in message.text)


async def later(here: House, place: Channel, seconds: float, words: str) -> Message:
    """Time passes, the bot learns of it, and says something."""
    here.box.clock.advance(seconds)
    await here.people[4].slash(place, "tables")
    return await told(here, place, words)


async def overdue(here: House, seats: int = 3) -> tuple[Channel, Message]:
    """Everybody has bid but Ben, whose time is up: the place, and the question what to do."""
    place = await deal(here, seats)
    await bid(place, here.people[0], *here.people[2:seats])
    await later(here, place, 61, "30 seconds left")
    return place, await later(here, place, 31, "time's up. Wait, let a computer play, or end the match?")


async def settled(here: House, question: Message, how: str) -> None:
    """The vote says how it ended, and can be voted in no more; it goes when the match goes on."""
    await here.box.until(lambda: how in question.text or question.deleted)
    assert question.deleted or question.buttons == []


async def kept(here: House) -> Channel:
    """A computer keeps Ben's seat, and has bid."""
    here.bot.tables.times = Times(computer=(0, 1))
    place, _ = await overdue(here)
    await later(here, place, 31, "A computer plays for Ben until they press `I'm back`.")
    await told(here, place, "Bids: Alice 1")
    await here.bot.publisher.rest()
    return place


def refused(answer: Answer) -> str:
    """The sentence somebody was refused with, to them alone."""
    assert answer.ephemeral, answer
    answered(answer)
    return answer.text


def pinged(person: Person, message: Message) -> bool:
    return person.id in message.pings


# Time


async def test_the_missing_are_called_once_reminded_once_and_asked_about_and_nobody_else_is(
    here: House,
) -> None:
    alice, ben, cleo, *_ = here.people
    await overdue(here)
    table, reminder, question = ben.pings
    assert "`My hand` shows your cards" in table.text
    assert "⏰" in reminder.text
    assert reminder.deleted, "one call at a time"
    assert "⏳" in question.text
    assert len(alice.pings) == len(cleo.pings) == 1


async def test_a_match_whose_player_vanishes_in_the_first_round_finishes_in_every_game(match: Match) -> None:
    match.here.bot.tables.times = Times(computer=(0, 1))
    await match.deal()
    table, (lost, _) = await match.table(), await match.next()
    seat = match.people.index(lost)
    while table.is_open:
        others = [other for other in table.state.awaited() if other != seat]
        for other in others[:1]:
            view = match.game.view(table.state.game_state, other)
            action = choose(match.game, view, "steady", table.state.n)
            with too_late(match.game):
                await table.move(match.people[other].id, match.game.text(action), table.house.now())
        if not others and seat not in table.state.away:
            await match.time_out()
        if not others:
            n = table.state.n
            await match.box.until(lambda n=n: table.state.n > n)  # type: ignore[misc]
    assert table.state.phase == "over"
    await match.sound()
    assert lost.name in (await match.watcher.slash(match.here.room, "leaderboard")).text


async def test_alone_and_overdue_the_table_waits_and_then_closes_for_want_of_people(here: House) -> None:
    place = await deal(here, 2)
    await later(here, place, 61, "30 seconds left")
    await later(here, place, 31, "Nobody else is here: the table closes in 15 minutes.")
    n = (await here.bot.tables.get(1)).state.n
    await later(here, place, 600, "Nobody else is here")
    assert (await here.bot.tables.get(1)).state.n == n
    await later(here, place, 301, "🚪 Table closed: nobody was left to play; the match does not count.")


async def test_a_reminder_comes_to_who_wants_only_reminders_and_nothing_to_who_wants_nothing(
    here: House,
) -> None:
    alice, ben, cleo, *_ = here.people
    await prefer(ben, here.room, pings="only reminders")
    await prefer(cleo, here.room, pings="never")
    place = await deal(here, 3)
    reminder = await later(here, place, 61, "30 seconds left")
    assert [pinged(person, reminder) for person in (alice, ben, cleo)] == [True, True, False]
    assert [len(person.pings) for person in (alice, ben, cleo)] == [2, 1, 0]
    assert cleo.mention in reminder.text, "it is told all the same who is missing"


# The table's vote


async def test_the_table_lets_a_computer_keep_the_seat_and_everybody_sees_it(here: House) -> None:
    here.bot.tables.times = Times(computer=(0, 1))
    alice, _, cleo, *_ = here.people
    place, question = await overdue(here)
    answered(await alice.click(question, "Computer plays"))
    await told(here, place, "Computer plays: 1 of 2")
    answered(await cleo.click(question, "Computer plays"))
    await told(here, place, "A computer plays for Ben until they press `I'm back`.")
    await told(here, place, "Bids: Alice 1")
    await here.bot.publisher.rest()
    assert "🤖 A computer plays for Ben" in latest(alice, place, "Rules").text


async def test_the_table_waits_when_it_wants_to(here: House) -> None:
    alice, ben, cleo, *_ = here.people
    place, question = await overdue(here)
    for person in (alice, cleo):
        answered(await person.click(question, "Wait"))
    await told(here, place, "⏳ The table waits for Ben.")
    await settled(here, question, "⏳ The table waits for Ben.")
    assert "That vote is over" in refused(await alice.press(question, "vote:1:1:end"))
    await bid(place, ben)


async def test_the_table_ends_the_match_when_it_wants_to(here: House) -> None:
    place, question = await overdue(here, 2)
    answered(await here.people[0].click(question, "End the match"))
    await told(here, place, "🚪 Table closed: the table voted to end it; the match does not count.")
    await here.box.until(lambda: question.deleted)


async def test_a_vote_whose_question_was_deleted_is_asked_again_and_calls_nobody_twice(here: House) -> None:
    alice, ben, *_ = here.people
    place, question = await overdue(here)
    called = len(ben.pings)
    here.guild.grant(ben.user, Permission.MANAGE_MESSAGES)
    ben.delete(question)
    answered(await alice.press(question, "vote:1:1:keep"))
    again = await told(here, place, "Computer plays: 1 of 2")
    assert again is not question
    assert [each["label"] for each in again.buttons] == ["Wait", "Computer plays", "End the match"]
    assert len(ben.pings) == called
    await bid(place, ben)


async def test_votes_of_watchers_of_the_overdue_and_forged_ones_are_refused(here: House) -> None:
    alice, ben, *_, eve = here.people
    place, question = await overdue(here)
    n = (await here.bot.tables.get(1)).state.n
    assert "You are watching" in refused(await eve.click(question, "End the match"))
    assert "The table is waiting for you" in refused(await ben.click(question, "Wait"))
    for rest in ("", ":", ":1", ":99:end", ":1:explode", ":x:end", ":1:end:more", ":-1:end"):
        refused(await alice.press(question, f"vote:1{rest}"))
    assert (await here.bot.tables.get(1)).state.n == n
    await bid(place, ben)
    await here.box.until(lambda: question.deleted)
    assert "That vote is over" in refused(await alice.press(question, "vote:1:1:end"))


async def test_all_who_are_late_are_one_vote(here: House) -> None:
    alice, ben, cleo, dana, _ = here.people
    place = await deal(here, 4)
    await bid(place, alice)
    await later(here, place, 61, "30 seconds left")
    missing = f"{ben.mention}, {cleo.mention} and {dana.mention}"
    question = await later(here, place, 31, f"⏳ {missing}, time's up.")
    await bid(place, cleo)
    assert len(question.buttons) == 3, "there is still something to decide"
    await here.box.until(lambda: cleo.mention not in question.text)
    assert question.mentions == (), "an edit calls nobody"
    for person in (alice, cleo):
        answered(await person.click(question, "Computer plays"))
    await settled(here, question, "🤖 Computers play for Ben and Dana until they press `I'm back`.")


async def test_the_pace_is_changed_by_vote_and_shown(here: House) -> None:
    alice, ben, *_, eve = here.people
    place = await deal(here, 2)
    assert "You are watching" in refused(await eve.slash(place, "table pace", pace="relaxed", table="1"))
    assert "The others are asked to vote" in (await alice.slash(place, "table pace", pace="relaxed")).text
    question = await told(here, place, "Alice proposes the relaxed pace (1 hour a move). Majority decides.")
    answered(await ben.click(question, "Yes"))
    await told(here, place, "⏱️ The pace is relaxed: 1 hour a move.")
    await settled(here, question, "⏱️ The pace is relaxed: 1 hour a move.")
    assert "The pace is relaxed already" in refused(await ben.slash(place, "table pace", pace="relaxed"))
    reminder = await later(here, place, 2401, "20 minutes left")
    assert pinged(alice, reminder)


# Coming back


async def test_who_is_back_has_the_seat_at_once_by_the_tables_button(here: House) -> None:
    _, ben, cleo, *_ = here.people
    place = await kept(here)
    message = latest(ben, place, "I'm back")
    assert "no computer plays for you" in refused(await cleo.click(message, "I'm back"))
    welcome = await ben.click(message, "I'm back")
    assert "You are back" in refused(welcome)
    await told(here, place, "🪑 Ben is back.")
    assert "Your hand" in heard(shown(await ben.click(shown(welcome), "My hand")))
    await here.bot.publisher.rest()
    assert "A computer plays" not in latest(ben, place, "Rules").text


async def test_the_hand_of_who_is_away_shows_that_a_computer_plays_and_the_way_back(here: House) -> None:
    ben = here.people[1]
    place = await kept(here)
    hand = await hand_of(ben, place)
    assert "🤖 A computer plays for you." in hand.text
    assert hand.selects == []
    assert "a computer plays for you until you are back" in (await ben.slash(place, "tables")).text
    assert shown(await ben.click(hand, "I'm back")) is hand
    assert "no computer plays for you" in refused(await ben.slash(place, "table back"))


async def test_coming_back_by_a_move_is_enough(here: House) -> None:
    ben = here.people[1]
    here.bot.tables.times = Times(computer=(60_000, 60_001))
    place, _ = await overdue(here)
    await later(here, place, 31, "A computer plays for Ben until they press `I'm back`.")
    assert "✅" in (await ben.slash(place, "move", action="bid 2")).text
    await told(here, place, "🪑 Ben is back.")
    await told(here, place, "Ben 2")


# Leaving, and joining later


async def test_a_seat_that_was_left_is_taken_by_somebody_who_then_sees_its_hand(here: House) -> None:
    alice, ben, _, _, eve = here.people
    place = await deal(here, 3)
    answered(await leave(ben, place))
    message = await told(here, place, "Ben left. A computer plays on in that seat; anybody may take it.")
    assert "You have left this match" in refused(await ben.click(message, "My hand"))
    assert "You already sit at this table" in refused(await alice.click(message, "Take Ben's seat"))
    assert "You are watching" in refused(await eve.click(message, "My hand"))
    for rest in ("", ":", ":x", ":9", ":0", ":-1", ":99999999999"):
        refused(await eve.press(message, f"take:1{rest}"))
    taken = await eve.click(message, "Take Ben's seat")
    assert "The seat is yours" in refused(taken)
    await told(here, place, "🪑 Eve plays on in seat 2.")
    await here.box.until(lambda: eve.pings)
    assert "Your hand" in heard(shown(await eve.click(shown(taken), "My hand")))
    assert "That seat is taken" in refused(await here.people[3].press(message, "take:1:1"))
    assert "You are watching" in refused(await ben.click(message, "My hand"))
    assert "table 1" in (await eve.slash(here.room, "tables")).text
    await bid(place, eve)
    await here.bot.publisher.rest()
    assert "Take" not in "".join(each["label"] for each in latest(eve, place, "Rules").buttons)


async def test_the_board_offers_the_seats_that_were_left(here: House) -> None:
    _, ben, *_, eve = here.people
    place = await deal(here, 3)
    answered(await leave(ben, place))
    await here.bot.publisher.rest()
    board = latest(eve, place, "Rules")
    assert "The seat is yours" in refused(await eve.click(board, "Take Ben's seat"))


async def test_who_left_may_take_the_same_seat_again_but_no_other(here: House) -> None:
    _, ben, cleo, *_ = here.people
    place = await deal(here, 3)
    answered(await leave(ben, place))
    await told(here, place, "Ben left")
    answered(await leave(cleo, place))
    board = await told(here, place, "Cleo left")
    assert "Nobody may see two hands" in refused(await ben.click(board, "Take Cleo's seat"))
    assert "The seat is yours" in refused(await ben.click(board, "Take Ben's seat"))


# Handing over


async def test_a_seat_is_handed_to_a_member_who_accepts_and_to_nobody_else(here: House) -> None:
    alice, ben, _, dana, eve = here.people
    place = await deal(here, 3)
    await bid(place, ben, action="bid 3")
    said = await ben.slash(place, "table hand-over", member=eve)
    assert "Play on until they accept" in said.text
    offer = await told(here, place, "Ben offers you their seat")
    assert pinged(eve, offer)
    for person in (alice, ben, dana):
        assert "not to you" in refused(await person.click(offer, "Accept"))
        assert "not to you" in refused(await person.click(offer, "Decline"))
    accepted = await eve.click(offer, "Accept")
    assert "The seat is yours" in refused(accepted)
    await told(here, place, "🤝 Eve takes over from Ben.")
    assert "you chose Bid 3" in shown(await eve.click(shown(accepted), "My hand")).text
    assert "You are watching" in refused(await ben.slash(place, "hand", table="1"))
    assert "That offer is over" in refused(await eve.press(offer, "accept:1:1"))


async def test_an_offer_may_be_declined(here: House) -> None:
    ben, eve = here.people[1], here.people[4]
    place = await deal(here, 2)
    await ben.slash(place, "table hand-over", member=eve)
    offer = await told(here, place, "Ben offers you their seat")
    answered(await eve.click(offer, "Decline"))
    await settled(here, offer, "🤝 The offer was declined: Ben plays on.")
    await bid(place, ben)


async def test_a_seat_is_not_handed_to_oneself_a_bot_somebody_at_the_table_or_who_is_not_here(
    here: House,
) -> None:
    alice, ben, cleo, *_ = here.people
    stranger = here.box.person("Stranger", here.guild)
    stranger.leave(here.guild)
    place = await deal(here, 2)
    bot = Person(here.box, here.box.world.bot)
    wrong = {ben: "That is you", alice: "sits at this table already", bot: "A bot cannot take your seat"}
    for person, sentence in (wrong | {stranger: "is not on this server"}).items():
        assert sentence in refused(await ben.slash(place, "table hand-over", member=person))
    assert "You are watching" in refused(await cleo.slash(place, "table hand-over", member=ben, table="1"))
    for rest in ("", ":", ":x", ":9", ":1", ":-1"):
        for verb in ("accept", "decline"):
            refused(await cleo.press(latest(cleo, place), f"{verb}:1{rest}"))


# Restarts


async def test_a_restart_restores_reminders_votes_caretakers_and_the_way_back(tmp_path: Path) -> None:
    async with card_room(tmp_path / "house.sqlite3") as (bot, room):
        alice, ben, cleo = people = [bot.box.person(name, room.guild) for name in ("Alice", "Ben", "Cleo")]
        here = Followed(bot, room, people, mode="normal", rounds=2)
        await here.deal()

        async def killed(words: str) -> Message:
            """Killed; at the start Ben's deadline is at hand, and something is said."""
            await here.bot.kill()
            here.bot.write("UPDATE clocks SET due = (SELECT at FROM alive) + 1 WHERE seat = 1")
            await here.bot.start()
            await here.box.until(lambda: any(words in text for text in here.told()))
            await here.box.until(here.bot.all_told)
            return next(m for m in reversed(here.people[0].sees(here.thread)) if words in m.text)

        for person in (alice, cleo):
            await person.slash(here.thread, "move", action="bid 1")
        await killed("30 seconds left")
        question = await killed("time's up")
        assert (await alice.click(question, "Computer plays")).failed is None
        assert (await cleo.click(question, "Computer plays")).failed is None
        await killed("A computer plays for Ben until they press `I'm back`.")
        message = await killed("Bids: Alice 1")
        assert "You are back" in (await ben.click(message, "I'm back")).text
        here.look()
        kinds = [kind for kind, _, _ in here.moves]
        assert kinds[:8] == ["move", "move", "remind", "overdue", "vote", "vote", "caretaker", "move"]
        assert {*kinds[8:-1]} <= {"move"}, "the computer plays on until Ben is heard"
        assert kinds[-1] == "back"
