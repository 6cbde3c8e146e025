"""Twin It! played by six people on the sandbox: all five modes, each to its end, and who was first."""

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.match.announcements import turn
from bot.pictures.worker_client import NotYet, WorkerClient
from bot.store import Unreadable
from cogs.twin_it.pages import PER_HAND
from games import GAMES
from games.twin_it.actions import FIRST, FLIP
from games.twin_it.advice import STRATEGY
from games.twin_it.race_player import PAGES
from games.twin_it.state import Face
from games.types import SEATS, Seat
from sandbox import Answer, Message, Permission, Person
from sandbox.faults import Fault
from sandbox.interactions import DEFER_UPDATE
from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.match import check_answer
from tests.e2e.players import hand_of, labels, latest, leave, set_preferences, shown
from tests.e2e.twin_it_table import TwinItTable, dealt, type_claim, type_hands
from tests.held import held

GAME = GAMES["twin-it"]


# What is marked as shown


async def test_a_move_is_shown_only_once_the_board_is_edited(here: CardRoom) -> None:
    """A kill must not find a move that is marked as shown while the board has the state before it."""
    game = await dealt(here, 2)
    (seat,) = GAME.awaited(game.state)
    n = game.table.state.n
    here.box.faults.add(Fault("POST", "/callback$", 404, delay=2.0))
    pressing = asyncio.create_task(game.press(seat, "flip"))
    await here.box.until(lambda: game.table.match.published > n)
    assert turn(game.table.state) in game.board.text
    await asyncio.wait([pressing])


async def test_a_board_with_chat_below_is_edited_when_it_is_outdated_after_a_restart(here: CardRoom) -> None:
    game = await dealt(here, 2)
    board, live = game.board, here.bot.publisher.live
    live._shown.clear()  # as after a restart
    board.body = board.body | {"components": board.body["components"][:1]}
    await game.people[0].say(game.place, "Hello")
    await here.box.until(lambda: live._heard)
    here.bot.publisher._start_worker(game.table.id)
    await here.box.until(lambda: "hand:1:p1" in " ".join(board.custom_ids))


async def test_a_move_that_cannot_be_shown_is_said_to_count(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise Unreadable("The database does not answer.")

    game = await dealt(here, 2)
    (seat,) = GAME.awaited(game.state)
    monkeypatch.setattr(here.bot.publisher.live, "clicked", fail)
    answer = await game.people[seat].click(game.board, "twin-it.press:1:flip")
    assert "✅ Your move counts." in answer.text


# Whole matches


@pytest.mark.parametrize("mode", ["classic", "forbidden", "teams"])
async def test_six_people_can_play_with_buttons_below_the_faces_to_the_end(here: CardRoom, mode: str) -> None:
    game = await dealt(here, mode=mode, sets_to_win=1)
    rng = Random(mode)
    while game.table.is_open:
        await game.pressed(*some_click(game, rng))
    await game.rest()
    outcome = game.state.outcome
    assert outcome is not None
    assert max(outcome.scores) == 1
    assert outcome.reason in game.place.messages()[-1].text
    assert not [
        name
        for each in game.place.messages()
        for name in each.custom_ids
        if name.startswith("twin-it.press:")
    ]
    assert "🏆" in here.room.messages()[-1].text


def some_click(game: TwinItTable, rng: Random) -> tuple[int, str]:
    """Lay a hand on a face of a match, or else flip as the player whose turn it is."""
    seats = [*SEATS[: len(game.people)]]
    rng.shuffle(seats)
    for seat in seats:
        legal = GAME.legal(game.state, seat)
        action = STRATEGY.advise(GAME.view(game.state, seat), legal).action if len(legal) > 1 else FLIP
        if action >= FIRST and game.pairs():
            return seat, GAME.text(action)
    return rng.choice(GAME.awaited(game.state)), "flip"


@pytest.mark.parametrize("mode", ["cooperative", "timed"])
async def test_six_people_can_play_a_race_with_their_own_pages(here: CardRoom, mode: str) -> None:
    game = await dealt(here, mode=mode, seconds=60)
    pages = await game.open_spread()
    pairs = game.pairs()[:12]
    await asyncio.gather(*(claim_pair(game, seat, pages[seat], pairs[seat::6]) for seat in SEATS[:6]))
    assert not {face.number for pair in pairs for face in pair} & {*game.state.showing}
    await turn_over(game, pages[0])
    await game.happen()
    await game.rest()
    outcome = game.state.outcome
    assert outcome is not None
    assert outcome.scores == ((12,) * 6 if mode == "cooperative" else (2,) * 6)
    answer = "\n".join(each.text for each in game.place.messages())
    assert outcome.reason in answer
    if mode == "cooperative":
        assert "Grade: better luck next time" in answer
    last = shown(await game.people[0].click(pages[0], "▶"))
    assert outcome.reason in last.text
    assert not last.buttons


async def test_a_click_whose_picture_is_late_is_shown_after_an_older_edit(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await dealt(here)
    drawn = asyncio.Event()
    draw = WorkerClient.draw

    async def hold(client: WorkerClient, *args: Any, answer: bool = False, **more: Any) -> list[bytes]:
        if answer:
            drawn.set()
            await asyncio.sleep(0.2)  # the older edit now waits for the click to be answered
            raise NotYet("late")
        await drawn.wait()
        return await draw(client, *args, **more)

    (first,) = game.table.state.awaited()
    monkeypatch.setattr(WorkerClient, "draw", hold)
    await game.table.play(here.people[first].id, ["flip"], game.table.clock.now())
    await asyncio.sleep(0.2)
    await game.pressed(*some_click(game, Random(1)))
    await here.rest()
    assert f"twin-it.press:1:hand {max(game.state.showing)}" in game.board.custom_ids


async def test_a_page_that_comes_late_does_not_hide_the_hand_of_a_later_click(here: CardRoom) -> None:
    game = await dealt(here, 2, mode="timed", seconds=60)
    alice, (page, _) = game.people[0], await game.open_spread()
    face = next(each["label"] for each in page.buttons if each["label"].isdigit())
    async with held(here.bot.store, "preferences", alice.click(page, "Turn over")):
        second = asyncio.create_task(alice.click(page, face))
        await game.box.until(lambda: any(game.state.hands))
        await asyncio.sleep(0.2)
    await second
    assert "Lift the hand" in labels(page)


async def test_a_page_is_answered_though_the_answer_before_it_takes_too_long(here: CardRoom) -> None:
    game = await dealt(here, 2, mode="timed", seconds=60)
    alice, (page, _) = game.people[0], await game.open_spread()
    face = next(each["label"] for each in page.buttons if each["label"].isdigit())
    here.box.faults.add(slow := Fault("POST", "/callback$", None, after=True, delay=4))
    await alice.click(page, "▶", wait=False)
    await alice.click(page, "◀", wait=False)
    await alice.click(page, face, wait=False)
    await here.box.until(lambda: "Lift the hand" in labels(page))
    assert slow.times == 0


async def test_a_page_whose_click_reaches_the_bot_late_is_answered_in_time(here: CardRoom) -> None:
    game = await dealt(here, 2, mode="timed", seconds=60)
    alice, (page, _) = game.people[0], await game.open_spread()
    here.box.under_way = lambda: 1.6
    async with held(here.bot.store, "preferences", alice.click(page, "▶")) as clicked:
        assert (await clicked).interaction.answer == DEFER_UPDATE
    await here.box.until(lambda: "Page 2" in page.text)


async def test_a_spread_that_is_opened_as_its_hand_is_edited_stays_open(here: CardRoom) -> None:
    game = await dealt(here, 2, mode="timed", seconds=60)
    alice, ben = game.people
    hand, other = [await hand_of(person, game.place) for person in game.people]
    await alice.click(hand, "I am ready")
    await here.rest()
    slow = Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", None, delay=1)
    here.box.faults.add(slow)
    await ben.click(other, "I am ready")
    await here.box.until(lambda: not slow.times)
    await alice.click(hand, "Open the spread")
    await here.rest()
    assert labels(hand) == ["Open the spread", "My hand"], "the page before the race begins"


async def test_a_spread_in_direct_messages_stays_in_the_message_in_which_it_was_opened(
    here: CardRoom,
) -> None:
    game = await dealt(here, 2, mode="timed")
    alice, ben = game.people
    await set_preferences(alice, game.place, hand="dm")
    await alice.click(latest(alice, game.place), "My hand")
    (hand,) = alice.sees(alice.dms)
    for person, own in ((alice, hand), (ben, await hand_of(ben, game.place))):
        check_answer(await person.click(own, "I am ready"))
    for _ in range(2):  # before the race begins
        assert shown(await alice.click(hand, "Open the spread")) is hand
    await game.happen()
    for label in ("Open the spread", "▶"):
        assert shown(await alice.click(hand, label)) is hand
    assert "Page 2" in (await type_claim(alice, hand, "one")).text
    assert alice.sees(alice.dms) == [hand]


async def claim_pair(game: TwinItTable, seat: Seat, page: Message, pairs: list[tuple[Face, Face]]) -> None:
    """Claim two faces by turning to their pages, or by typing both."""
    person = game.people[seat]
    for one, other in pairs:
        if seat % 2:
            await type_claim(person, page, f"{one.number}, {other.number}")
        else:
            for face in (one, other):
                check_answer(
                    await person.click(await turn_to_page_of(person, page, face.number), str(face.number))
                )


async def turn_over(game: TwinItTable, page: Message) -> None:
    """Turn over the first card of the page; another face appears in its place."""
    check_answer(await game.people[0].click(page, "Turn over"))
    shows, free = next((n, b["label"]) for n, b in enumerate(page.buttons) if not b.get("disabled"))
    check_answer(await game.people[0].click(page, free))
    assert page.buttons[shows]["label"] == str(game.state.last)


async def turn_to_page_of(person: Person, page: Message, number: int) -> Message:
    """Turn to the page that has this face."""
    for _ in range(PAGES):
        if any(button["label"] == str(number) for button in page.buttons):
            return page
        check_answer(await person.click(page, "▶"))
    raise AssertionError(f"{number} is on no page")


# Who was first


async def test_with_a_jitter_of_60_ms_the_first_click_wins_the_set(here: CardRoom) -> None:
    game = await dealt(here, seats=2, sets_to_win=6, tie_ms=0)
    rng, contests = Random(1), 0
    here.box.under_way = lambda: rng.randrange(61) / 1000
    while game.table.is_open and contests < 4:
        one, other = await game.until_a_pair_shows()
        for seat in SEATS[:2]:
            await game.pressed(seat, f"hand {one}")
        here.box.clock.advance(0.005)
        order = rng.sample(SEATS[:2], 2)
        clicks = []
        for seat in order:
            clicks.append(asyncio.create_task(game.forged(seat, f"hand {other}")))
            await asyncio.sleep(0.001)
            here.box.clock.advance(0.005)
        await asyncio.gather(*clicks)
        log = await here.bot.store.log(1)
        assert [each.seat for each in log if each.body == f"hand {other}"][-1:] == order[:1]
        contests += 1
    here.box.under_way = lambda: 0.0


async def test_a_contested_claim_says_how_far_apart_the_hands_were(here: CardRoom) -> None:
    game = await dealt(here, seats=2, tie_ms=0)
    one, other = await game.until_a_pair_shows()
    first = await game.pressed(0, f"hand {one}")
    here.box.clock.advance(0.2)
    second = await game.pressed(1, f"hand {one}")
    await game.pressed(0, f"hand {other}")
    await game.rest()
    assert f"Ben's hand on {one} came {received(second) - received(first)} ms later." in game.board.text


async def test_a_late_click_gets_no_message_and_the_board_says_how_late_it_was(here: CardRoom) -> None:
    game = await dealt(here, seats=3, tie_ms=0)
    one, other = await game.until_a_pair_shows()
    for seat in SEATS[:2]:
        await game.pressed(seat, f"hand {one}")
    won = await game.pressed(0, f"hand {other}")
    here.box.clock.advance(0.2)
    late = [await game.forged(seat, f"hand {other}") for seat in (0, 1, 2, 1)]
    assert {answer.interaction.answer for answer in late} == {6}
    await game.rest()
    ben, cleo = (received(answer) - received(won) for answer in late[1:3])
    reply = f" Ben was {ben} ms late. Cleo was {cleo} ms late."
    assert reply in game.board.text
    assert game.board.text.count(" late.") == 2
    assert "ms later" not in game.board.text, "one figure a person: Ben's other hand was late, too"
    await game.pressed(GAME.awaited(game.state)[0], "flip")
    await game.rest()
    assert reply in game.board.text


@pytest.mark.parametrize("typed", [False, True])
async def test_only_who_claims_a_forbidden_match_reads_that_it_is_one(here: CardRoom, typed: bool) -> None:
    game = await dealt(here, seats=2, mode="forbidden", singles=1)
    seat = game.state.barred_side
    barred, rival = game.people[seat], game.people[1 - seat]
    while not (pair := forbidden_pair(game)):
        await game.pressed(GAME.awaited(game.state)[0], "flip")
    one, other = pair
    if typed:
        answer = await type_hands(barred, game.board, f"{one} {other}")
    else:
        await game.pressed(seat, f"hand {one}")
        answer = await game.press(seat, f"hand {other}")
    await game.rest()
    (said,) = answer.followups
    assert said.text == f"{one} and {other} are alike, but their design is forbidden for you."
    assert barred.can_see(said)
    assert not rival.can_see(said)
    assert f"forbidden for {barred.name}! {barred.name}'s hands are off" in game.board.text


def forbidden_pair(game: TwinItTable) -> tuple[int, int] | None:
    """Return two faces alike of which the first is forbidden; None while there are none."""
    for one, other in game.pairs():
        if one.place == "barred":
            return one.number, other.number
    return None


def received(answer: Answer) -> int:
    """Return when Discord received a click, in ms."""
    return answer.interaction.id >> 22


async def test_a_late_claim_in_a_race_is_announced_to_its_player_and_on_the_board(here: CardRoom) -> None:
    game = await dealt(here, seats=2, mode="timed")
    pages = await game.open_spread()
    one, other = game.pairs()[0]
    for person, page in zip(game.people, pages, strict=True):
        await type_claim(person, page, f"{one.number} {other.number}")
    await game.rest()
    assert "costs you nothing" in pages[1].text
    for text in (pages[1].text, game.board.text):
        assert re.search(r"Ben was \d+ ms late\.", text)


# The board


async def test_a_click_that_changes_faces_is_answered_with_the_board_and_others_without_a_message(
    here: CardRoom,
) -> None:
    game = await dealt(here, seats=2, tie_ms=0)
    one, other = await game.until_a_pair_shows()
    assert (await game.pressed(1, f"hand {one}")).interaction.answer == 6
    assert (await game.pressed(0, f"hand {one}")).interaction.answer == 6
    won = await game.pressed(0, f"hand {other}")
    assert won.interaction.answer == 7
    assert "Alice takes the pair" in shown(won).text
    late = await game.forged(1, f"hand {other}")
    assert (late.interaction.answer, late.followups) == (6, [])


async def test_hands_that_lift_by_themselves_leave_the_last_news_on_the_board(here: CardRoom) -> None:
    game = await dealt(here, seats=2, tie_ms=0, hand_seconds=1)
    one, other = await game.until_a_pair_shows()
    for number in (one, other):
        await game.pressed(0, f"hand {number}")
    for _ in range(5):
        await game.pressed(1, f"hand {min(game.state.showing)}")
        await asyncio.sleep(2)
    await game.rest()
    assert "Alice takes the pair" in game.board.text


async def test_faces_without_a_button_are_in_the_same_picture_and_claimed_by_typing(here: CardRoom) -> None:
    game = await dealt(here, seats=2, mode="classic")
    while len(game.state.showing) < 25:
        (seat,) = game.table.state.awaited()
        await game.pressed(seat, "flip")
    await game.rest()
    labels = {button["label"] for button in game.board.buttons}
    number = next(number for number in game.state.showing if str(number) not in labels)
    assert f"{number}: " in alt(game.board)
    check_answer(await type_hands(game.people[0], game.board, str(number)))
    assert game.state.hands[0][0].face == number
    await game.rest()
    assert f"hand on {number}" in alt(game.board)
    answer = await type_hands(game.people[1], game.board, "rubbish")
    assert answer.text == "Type the number of a face, or of two faces alike, such as 12 87."


async def test_in_teams_all_but_one_typed_number_is_asked_for_again_and_costs_no_set(here: CardRoom) -> None:
    game = await dealt(here, seats=4, mode="teams")
    while len(game.state.showing) < 12:
        await game.pressed(game.table.state.awaited()[0], "flip")
    await game.rest()
    assert "and Cleo play against" in game.board.text
    for typed in ("12 13", "twelve"):
        answer = await type_hands(
            game.people[0], game.board, typed, "A number; your partner lays the other hand"
        )
        assert answer.text == "Type one number: your partner lays the other hand."
    assert not any(game.state.hands + game.state.rests)


async def test_a_hand_keeps_its_page_after_each_move(here: CardRoom) -> None:
    game = await dealt(here, seats=2, mode="classic")
    while len(game.state.showing) <= PER_HAND:
        (seat,) = game.table.state.awaited()
        await game.pressed(seat, "flip")
    await game.rest()
    hand = await hand_of(game.people[0], game.place)
    check_answer(await game.people[0].click(hand, "▶"))
    face = next(button["label"] for button in hand.buttons if button["label"].isdigit())
    check_answer(await game.people[0].click(hand, face))
    assert f"Your hand is on {face}." in hand.text
    assert "Buttons: page 2 of 2" in hand.text
    await game.pressed(1, f"hand {face}")
    (seat,) = game.table.state.awaited()
    await game.pressed(seat, "flip")
    await here.box.until(lambda: f"{game.state.last}: " in alt(hand))
    assert "Buttons: page 2 of 2" in hand.text


def alt(message: Message) -> str:
    return " ".join(str(each.get("description")) for each in message.files)


# Discord's limits


async def test_with_discords_rate_limits_no_edit_of_a_picture_is_refused(file: Path) -> None:
    async with card_room(file, rate_limits=True, seed=lambda: "e2e") as here:
        game = await dealt(here, seats=4, hand_seconds=1)
        for _ in range(22):
            (seat,) = game.table.state.awaited()
            await game.pressed(seat, "flip")
            number = next(iter(game.state.showing))
            await asyncio.gather(*(game.forged(other, f"hand {number}") for other in range(4)))
        await game.rest()
        assert len(game.state.showing) > 20
        assert {each.status for each in here.box.requests} <= {200, 201, 204}


# Claims that do not count

RUBBISH = ("rubbish", "12", "12 12 12 12", "12 twelve", "-1 2", "１２ 13", "9" * 39)


async def test_a_claim_that_makes_no_sense_lays_no_hand(here: CardRoom) -> None:
    game = await dealt(here, seats=1, mode="cooperative")
    (page,) = await game.open_spread()
    for line in RUBBISH:
        await type_claim(game.people[0], page, line)
        assert "Type the numbers of two or three faces, such as 12 87." in page.text, line
    await type_claim(game.people[0], page, "1 9999")
    assert "There is no face 9999 yet." in page.text
    await type_claim(game.people[0], page, "7 7")
    assert "is on 7 already" in page.text
    assert game.state.hands == [()]


async def test_a_player_who_acts_long_after_the_end_of_a_race_sees_its_end(here: CardRoom) -> None:
    game = await dealt(here, seats=2, mode="timed")
    pages = await game.open_spread()
    here.box.clock.advance(100_000)
    answer = await game.people[0].click(pages[0], pages[0].buttons[0]["custom_id"])
    check_answer(answer)
    assert "The match is over" in shown(answer).text
    assert "Time's up: 2 minutes" in shown(answer).text


async def test_a_page_says_that_its_race_was_ended(here: CardRoom) -> None:
    game = await dealt(here, 2, mode="timed")
    alice, (page, _) = game.people[0], await game.open_spread()
    here.guild.grant(here.people[2].user, Permission.MANAGE_GUILD)
    await here.people[2].click(shown(await here.people[2].slash(game.place, "table end")), "End the match")
    await here.rest()
    await alice.click(page, "▶")
    assert "This table is closed: ended by" in page.text
    assert not page.buttons


async def test_a_page_says_who_has_won_a_race_of_two_by_staying_longer(here: CardRoom) -> None:
    game = await dealt(here, 2, mode="timed")
    pages = await game.open_spread()
    for person in game.people:
        await leave(person, game.place)
    await here.rest()
    await game.people[0].click(pages[0], "▶")
    assert not pages[0].buttons
    assert "Ben wins" in pages[0].text


async def test_a_spread_stays_open_though_an_earlier_click_in_its_hand_is_noted_later(here: CardRoom) -> None:
    game = await dealt(here, 2, mode="timed", seconds=60)
    alice, ben = game.people
    hand, other = [await hand_of(person, game.place) for person in game.people]
    here.box.faults.add(slow := Fault("POST", "/callback$", None, after=True, delay=3))
    await alice.click(hand, "I am ready", wait=False)
    await here.box.until(lambda: not slow.times and "Open the spread" in labels(hand))
    await alice.click(hand, "Open the spread")
    await here.box.until(lambda: labels(hand) == ["Open the spread", "My hand"])
    await asyncio.sleep(3)
    await ben.click(other, "I am ready")
    await here.rest()
    assert labels(hand) == ["Open the spread", "My hand"], "the page before the race begins"
