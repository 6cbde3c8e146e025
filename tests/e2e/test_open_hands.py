"""The newest hand that a person has open shows the table as it is, without a click."""

import asyncio
from dataclasses import replace
from math import inf

import pytest

from bot.match.entries import Caretaker
from bot.match.times import Times
from bot.messages.admission import MOST
from bot.messages.custom_ids import CustomId
from bot.messages.open_hands import ELSEWHERE, OpenHands
from bot.messages.open_hands import PRESENT as LINE
from bot.messages.panel import Panel
from bot.store import Unreadable
from cogs.common.coded import coded
from cogs.twin_it import verbs
from cogs.twin_it.pages import OpenPage
from games.types import Seat
from sandbox import Channel, Message, Permission, Person
from sandbox.faults import Fault
from tests.e2e.card_room import QUICK, CardRoom
from tests.e2e.players import bid, deal, labels, leave, set_preferences, shown, text_and_alt
from tests.e2e.test_kept_pictures import pick, play
from tests.e2e.twin_it_table import dealt
from tests.held import failing, held

SHORT = 0.3
"""Seconds in which nothing more happens."""


@pytest.fixture(autouse=True)
def at_once(here: CardRoom) -> None:
    """Edit hands without a pause."""
    here.bot.publisher.hands.interval = 0.0


def table_in(place: Channel) -> Message:
    """Return the last message of a place that everybody sees and that has `My hand`."""
    return next(
        each for each in reversed(place.messages()) if not each.ephemeral and "My hand" in labels(each)
    )


async def opened(person: Person, place: Channel) -> Message:
    """Return the person's hand in a new message."""
    return shown(await person.click(table_in(place), "My hand"))


async def opened_directly(here: CardRoom, person: Person, place: Channel) -> Message:
    """Return the person's hand in a new direct message."""
    answer = await person.click(table_in(place), "My hand")
    await here.box.until(lambda: "direct messages" in answer.text)
    return person.dms.messages()[-1]


async def with_a_bid(here: CardRoom, person: Person, place: Channel) -> Message:
    """Return the person's hand in a new message, in which they have bid 1."""
    hand = await opened(person, place)
    for label in ("1", "Bid 1"):
        await person.click(hand, label)
    await here.rest()
    return hand


async def to_act(here: CardRoom) -> tuple[Person, Person]:
    """Return the person whose turn it is, and another one."""
    (seat,) = (await here.bot.tables.get(1)).state.awaited()
    players = [player.user for player in (await here.bot.tables.get(1)).state.players]
    people = {person.id: person for person in here.people}
    return people[players[seat]], next(people[user] for user in players if user != players[seat])


async def test_a_hand_follows_bids_and_turns_without_a_click(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    hands = {person.id: await opened(person, place) for person in (alice, ben)}
    for person in (alice, ben):
        await person.click(hands[person.id], "1")
        await person.click(hands[person.id], "Bid 1")
    await here.rest()
    first, second = await to_act(here)
    assert "Your turn" in hands[first.id].text, "the bids were revealed while the hand was open"
    assert "Your turn" not in hands[second.id].text
    hand = hands[first.id]
    for number in (0, 1):
        await first.click(hand, pick(hand, number))
    await first.click(hand, play(hand))
    await here.rest()
    assert "Your turn" in hands[second.id].text
    assert all(hand.files for hand in hands.values())
    assert all(len(person.sees(place)) == len({*map(id, person.sees(place))}) for person in (alice, ben))


async def test_what_others_do_in_secret_moves_no_hand(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    hand = await with_a_bid(here, alice, place)
    edits = hand.edits
    for choice in ("bid 1", "bid 2"):
        await bid(place, ben, action=choice)
        await here.rest()
        said, edits = hand.edits - edits, hand.edits
        # That he has bid is public; which number, and that he changes it, is not.
        assert said == (choice == "bid 1")


async def test_a_hand_that_was_refused_moves_no_more_than_others(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    hand = await with_a_bid(here, alice, place)
    for status in (400, None, 400):  # with the picture, in words, with the picture
        here.box.faults.add(Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", status))
    await bid(place, ben)
    await here.rest()
    assert "Your hand: " in hand.text
    edits = hand.edits
    await bid(place, ben, action="bid 2")
    await here.rest()
    assert hand.edits == edits


async def test_a_hand_that_could_not_be_drawn_for_a_moment_is_not_edited_without_a_change(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    hand = await with_a_bid(here, alice, place)
    await bid(place, ben)
    await here.rest()
    open_hand = here.bot.publisher.hands._hands[1, alice.id]
    edits, draw, failures = hand.edits, open_hand.opening.draw, ["The database does not answer."]

    async def draw_after_a_failure(with_note: bool) -> tuple[Panel, bool]:
        if failures:
            raise Unreadable(failures.pop())
        return await draw(with_note)

    open_hand.opening = replace(open_hand.opening, draw=draw_after_a_failure)
    await bid(place, ben, action="bid 2")
    await here.rest()
    assert not failures
    assert hand.edits == edits, "an edit would tell Alice that Ben has changed his bid"


@pytest.mark.parametrize("after", [None, True, False], ids=["at once", "answer lost", "request lost"])
async def test_of_several_hands_only_the_newest_stays(here: CardRoom, after: bool | None) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    if after is not None:
        here.box.faults.add(Fault("DELETE", "/webhooks/", 0, after=after))
    hands = [await opened(alice, place) for _ in range(10)]
    await here.rest()
    assert [each for each in alice.sees(place) if each.ephemeral] == [hands[-1]]
    assert len(here.bot.publisher.hands) == len(here.bot.publisher.hands._messages) == 1
    assert "3" in labels(hands[-1])
    assert not [each for each in here.box.requests if each.method == "PATCH" and "/webhooks/" in each.path]


async def test_a_hand_in_direct_messages_to_which_a_link_leads_points_to_the_newer_one(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    await set_preferences(alice, here.room, hand="dm")
    place = await deal(here, 2)
    older, newer = [await opened_directly(here, alice, place) for _ in range(2)]
    await here.rest()
    assert (older.text, labels(older)) == (ELSEWHERE, [])
    assert "3" in labels(newer)


async def test_the_hand_of_whoever_leaves_or_gives_the_seat_away_shows_nothing_more(here: CardRoom) -> None:
    alice, ben, _, dan, *_ = here.people
    place = await deal(here, 3)
    hands = {person.id: await opened(person, place) for person in (alice, ben)}
    await leave(alice, place)
    await ben.slash(place, "table hand-over", member=dan)
    await here.rest()
    call = next(message for message in reversed(place.messages()) if "Accept" in labels(message))
    await dan.click(call, "Accept")
    await here.rest()
    for hand in hands.values():
        assert (hand.files, labels(hand)) == ([], [])
    assert "left" in hands[alice.id].text
    assert "has your seat now" in hands[ben.id].text


async def test_the_hand_of_whoever_has_left_follows_again_once_they_are_back(here: CardRoom) -> None:
    alice, *_ = here.people
    place = await deal(here, 3)
    hand = await opened(alice, place)
    await leave(alice, place)
    await here.rest()
    await alice.slash(place, "table back")
    await here.rest()
    assert "You have left" not in hand.text
    assert "3" in labels(hand)


async def test_the_hand_at_a_closed_table_says_only_why_it_was_closed(here: CardRoom) -> None:
    alice, _, cleo, *_ = here.people
    here.guild.grant(cleo.user, Permission.MANAGE_GUILD)
    place = await deal(here, 2)
    hand = await opened(alice, place)
    await cleo.click(shown(await cleo.slash(place, "table end")), "End the match")
    await here.rest()
    said = f"table 1\nThis table is closed: ended by {cleo.mention}; the match does not count."
    assert hand.text.endswith(said)
    assert (hand.buttons, hand.files) == ([], [])
    assert hand.text == shown(await alice.slash(here.room, "hand", table="1")).text


async def test_the_hand_at_a_lobby_that_was_closed_does_not_promise_a_match(here: CardRoom) -> None:
    alice = here.people[0]
    await alice.slash(here.room, "palmer start")
    await alice.slash(here.room, "table end")
    said = shown(await alice.slash(here.room, "hand", table="1")).text
    assert said.endswith(f"table 1\nThis table is closed: {alice.mention} cancelled this table.")


async def test_a_new_round_does_not_push_the_hand_out_of_sight(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2, mode="easy", rounds=2)
    await set_preferences(ben, here.room, hand="dm")
    hand = await opened(alice, place)
    await opened(ben, place)
    table = await here.bot.tables.get(1)

    def board() -> int:
        live = here.bot.publisher.live.get(table, "table")
        return live.message.id if live else 0

    first, direct = board(), ben.sees(ben.dms)
    while board() <= first:
        for seat in table.state.awaited():
            action = table.state.game.text(table.state.legal(seat)[0])
            await table.play(table.state.players[seat].user, [action], table.clock.now())
        await here.rest()
    (last,) = [each for each in alice.sees(place) if each.ephemeral]
    assert last is not hand
    assert last.id > board()
    assert last.files
    await alice.click(last, "1")
    assert "Bid 1" in labels(last)
    assert ben.sees(ben.dms) == direct, "each message there notifies its person"


async def test_a_click_in_a_hand_that_has_just_moved_is_answered_in_a_new_message(here: CardRoom) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    hand = await opened(alice, place)
    await here.box.until(lambda: len(here.bot.publisher.hands))
    here.bot.publisher.hands.move_down(await here.bot.tables.get(1))
    await here.rest()
    number = next(each["custom_id"] for each in hand.buttons if each["label"] == "1")
    answer = shown(await alice.press(hand, number))
    assert answer is not hand
    assert "Bid 1" in labels(answer)
    await here.box.until(lambda: sum("1" in labels(each) for each in alice.sees(place)) == 1)


async def test_a_hand_that_cannot_move_down_is_edited_where_it_is(here: CardRoom) -> None:
    alice, *_ = here.people
    place = await deal(here, 2, mode="easy", rounds=2)
    hand = await opened(alice, place)
    await here.box.until(lambda: len(here.bot.publisher.hands))
    refused = Fault("POST", "/webhooks/", 403)
    here.box.faults.add(refused)
    table = await here.bot.tables.get(1)
    here.bot.publisher.hands.move_down(table)
    await here.rest()
    assert refused.times == 0
    for person in here.people[:2]:
        await table.play(person.id, ["bid 1"], table.clock.now())
    await here.rest()
    assert "· play two cards" in text_and_alt(hand)


async def test_a_hand_whose_token_ends_keeps_no_buttons_that_would_mislead(here: CardRoom) -> None:
    alice, *_ = here.people
    here.bot.publisher.hands.lasts = SHORT
    place = await deal(here, 2)
    hand = await opened(alice, place)
    await here.box.until(lambda: LINE in hand.text)
    assert labels(hand) == ["My hand"]
    assert hand.files, "the last state stays"
    again = shown(await alice.click(hand, "My hand"))
    assert again is hand
    assert LINE not in hand.text


async def test_a_hand_that_was_shown_late_ends_before_its_token(here: CardRoom) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    here.bot.publisher.hands.lasts = 3
    here.bot.admission.late, here.bot.admission.most = -inf, 0  # many others come first
    answer = await alice.click(table_in(place), "My hand")
    await asyncio.sleep(2)
    here.bot.admission.most = MOST
    await here.box.until(lambda: answer.followups)
    await asyncio.sleep(1.5)
    await here.rest()
    assert LINE in answer.followups[0].text


@pytest.mark.parametrize("looks", [True, False], ids=["looks", "looked"])
async def test_who_looks_at_their_hand_is_not_called_yet_and_a_call_leads_to_the_hand(
    here: CardRoom, looks: bool
) -> None:
    alice, ben, *_ = here.people
    times = here.bot.tables.clock.times = replace(QUICK, grace=Times().grace)
    place = await deal(here, 2)
    await bid(place, alice, ben)
    first, second = await to_act(here)
    if not looks:
        await asyncio.sleep(times.lately / 1000)
    state = (await here.bot.tables.get(1)).state
    (seat,) = state.awaited()
    await first.slash(place, "move", action=state.game.text(state.legal(seat)[0]))
    await asyncio.sleep(1.5 * times.grace / 1000)

    def call() -> Message | None:
        return next((each for each in place.messages() if f"<@{second.id}>'s turn" in each.text), None)

    assert (call() is None) == looks
    await here.box.until(call)
    asked = call()
    assert asked is not None
    assert labels(asked) == ["My hand"]


async def test_a_call_that_could_not_be_noted_stays_though_its_person_looks_at_their_hand_now(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be deleted as a second one, and Discord would take the next for it by its nonce."""
    times = here.bot.tables.clock.times = replace(QUICK, grace=Times().grace, lately=0)
    place = await deal(here, 2)
    await bid(place, *here.people[:2])
    first, second = await to_act(here)
    state = (await here.bot.tables.get(1)).state
    (seat,) = state.awaited()

    def calls() -> list[int]:
        return [each.id for each in place.messages() if f"<@{second.id}>'s turn" in each.text]

    with failing(here.bot.tables.store, "save_post"):
        await first.slash(place, "move", action=state.game.text(state.legal(seat)[0]))
        await here.box.until(calls)
        called = calls()
        await here.box.until(here.bot.publisher.not_shown)
        monkeypatch.setattr(here.bot.publisher.live.calls, "_is_looking", lambda *_: True)
    await asyncio.sleep(3 * times.grace / 1000)
    await here.rest()
    assert calls() == called


@pytest.mark.parametrize("expired", [True, False], ids=["expired", "unknown"])
async def test_a_token_that_discord_refuses_ends_the_following_and_nothing_else(
    here: CardRoom, expired: bool
) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    hand = await opened(alice, place)
    await alice.click(hand, "1")
    await alice.click(hand, "Bid 1")
    if expired:
        here.box.clock.advance(901)
    else:
        here.box.faults.add(Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", 404))
    await bid(place, ben)
    await here.rest()
    assert not here.bot.publisher.hands.is_looking(1, alice.id)
    await alice.click(hand, "0")
    await here.box.until(lambda: here.bot.publisher.hands.is_looking(1, alice.id))


async def test_a_hand_follows_on_after_a_click_that_met_a_slow_edit_and_was_not_answered(
    here: CardRoom,
) -> None:
    alice, ben, cleo, *_ = here.people
    place = await deal(here, 3)
    hand = await with_a_bid(here, alice, place)
    slow = Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", None, delay=4)
    here.box.faults.add(slow)
    await bid(place, ben)
    await here.box.until(lambda: not slow.times)
    here.box.fail("POST", "/callback$", 0, times=9)
    await alice.click(hand, "2", wait=False)
    await asyncio.sleep(5)
    here.box.faults.clear()
    await bid(place, cleo)
    await here.rest()
    assert hand.text == shown(await alice.slash(place, "hand")).text


async def test_a_hand_follows_again_once_discord_answers(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    here.bot.publisher.hands.interval = OpenHands.interval
    place = await deal(here, 2)
    hand = await with_a_bid(here, alice, place)
    here.box.faults.add(Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", 0, times=99))
    await bid(place, ben)
    await asyncio.sleep(10)
    here.box.faults.clear()
    await here.rest()
    assert "· play two cards" in text_and_alt(hand)


async def test_a_hand_follows_at_once_after_a_click_that_was_answered_after_an_outage(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    here.bot.publisher.hands.interval = OpenHands.interval
    place = await deal(here, 3)
    hand = await with_a_bid(here, alice, place)
    here.box.faults.add(Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", 0, times=4))
    await bid(place, ben)
    await asyncio.sleep(16)  # the next try is 14 s later
    await alice.click(hand, "2")
    await asyncio.sleep(2)
    edits = hand.edits
    await bid(place, here.people[2])
    await asyncio.sleep(2)
    assert hand.edits > edits


async def test_a_hand_that_is_refused_in_words_too_is_not_sent_again(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    await with_a_bid(here, alice, place)
    refused = Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", 400, times=99)
    here.box.faults.add(refused)
    await bid(place, ben)
    await here.rest()
    assert refused.times == 97, "once with its picture, and once in words"


async def leave_to_a_computer(here: CardRoom, person: Person) -> None:
    """Let a computer play for somebody who is away."""
    table = await here.bot.tables.get(1)
    async with table.changing(table.clock.now()):
        await table.commit(table.clock.now(), Caretaker((Seat(table.state.seat_of(person.id) or 0),)))
    await here.rest()


async def test_no_edit_overtakes_the_answer_to_whoever_is_back(here: CardRoom) -> None:
    _, ben, *_ = here.people
    place = await deal(here, 2)
    hand = await opened(ben, place)
    await leave_to_a_computer(here, ben)
    assert "I'm back" in labels(hand)
    here.box.faults.add(Fault("PATCH", f"/{ben.answers[-1].interaction.token}/", None, delay=1))
    await ben.click(hand, "I'm back")
    await asyncio.sleep(2)
    assert "You are back in your seat." in hand.text


async def test_a_hand_in_direct_messages_follows_too(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await set_preferences(alice, here.room, hand="dm")
    place = await deal(here, 2)
    hand = await opened_directly(here, alice, place)
    before = hand.text
    await bid(place, ben, alice)
    await here.rest()
    assert hand.edits > 0
    assert hand.text != before


@pytest.mark.parametrize("pause", [0, 3.5], ids=["before", "meanwhile"])
async def test_an_older_hand_that_is_clicked_as_it_is_deleted_is_the_newest_again(
    here: CardRoom, pause: float
) -> None:
    alice, ben, *_ = here.people
    here.bot.publisher.hands.interval = 3
    place = await deal(here, 3)
    older = await with_a_bid(here, alice, place)
    await bid(place, ben)
    await here.rest()  # so it was edited just now, and the next edit waits
    here.box.faults.add(Fault("DELETE", "/webhooks/", None, delay=4))
    newer = await opened(alice, place)
    await asyncio.sleep(pause)
    answer = shown(await alice.click(older, "2"))
    await asyncio.sleep(6)
    await here.rest()
    assert newer.deleted
    assert "Bid 2" in labels(answer)
    assert (answer is older) == (not pause)


async def test_a_click_in_a_hand_whose_token_ends_just_now_is_answered_last(here: CardRoom) -> None:
    alice, *_ = here.people
    here.bot.publisher.hands.lasts = 1
    place = await deal(here, 2)
    hand = await opened(alice, place)
    here.box.faults.add(Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", None, delay=1))
    await asyncio.sleep(1.5)
    here.bot.publisher.hands.lasts = OpenHands.lasts
    await alice.click(hand, "1")
    await asyncio.sleep(3)
    assert LINE not in hand.text
    assert "Bid 1" in labels(hand)


async def test_a_hand_whose_click_is_answered_after_another_was_opened_is_deleted(here: CardRoom) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    older = await opened(alice, place)
    here.box.faults.add(Fault("POST", "/callback$", None, delay=1))
    await alice.click(older, "1", wait=False)
    await asyncio.sleep(0.3)
    newer = await opened(alice, place)
    await asyncio.sleep(3)
    await here.rest()
    assert older.deleted
    assert "1" in labels(newer)


async def test_an_answer_that_is_confirmed_after_a_later_one_changes_nothing(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    hand = await opened(alice, place)
    await alice.click(hand, "1")
    await alice.click(hand, "Bid 1")
    here.box.faults.add(slow := Fault("POST", "/callback$", None, after=True, delay=3))
    await alice.click(hand, "2", wait=False)
    await here.box.until(lambda: not slow.times and "Bid 2" in labels(hand))
    await alice.click(hand, "3")
    await here.box.until(lambda: "Bid 3" in labels(hand))
    await asyncio.sleep(3)
    await bid(place, ben)
    await here.rest()
    assert "Bid 3" in labels(hand)


async def test_of_two_hands_the_lower_one_is_alive_though_the_other_is_confirmed_later(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    table = table_in(place)
    here.box.faults.add(slow := Fault("POST", "/callback$", None, after=True, delay=1))
    await alice.click(table, "My hand", wait=False)
    await here.box.until(lambda: not slow.times)
    await alice.click(table, "My hand", wait=False)
    await asyncio.sleep(2)
    await here.rest()
    upper, lower = [shown(answer) for answer in alice.answers[-2:]]
    assert "1" in labels(lower)
    assert upper.deleted


@pytest.mark.parametrize(
    "delays", [{"DELETE": 1.0}, {"POST": 0.5, "DELETE": 0.5}], ids=["taken away", "posted below"]
)
async def test_a_hand_stays_when_it_is_clicked_while_it_is_moved_down(
    delays: dict[str, float], here: CardRoom
) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    hand = await opened(alice, place)
    await here.box.until(lambda: len(here.bot.publisher.hands))
    slow, *_ = faults = [Fault(method, "/webhooks/", None, delay=delay) for method, delay in delays.items()]
    for each in faults:
        here.box.faults.add(each)
    here.bot.publisher.hands.move_down(await here.bot.tables.get(1))
    await here.box.until(lambda: not slow.times)
    await alice.click(hand, "1", wait=False)
    await asyncio.sleep(3)
    await here.rest()
    assert [each for each in alice.sees(place) if each.ephemeral and "Bid 1" in labels(each)]


async def test_a_click_is_answered_last_in_a_hand_whose_last_edit_is_rate_limited(here: CardRoom) -> None:
    alice, *_ = here.people
    here.bot.publisher.hands.lasts = 1
    place = await deal(here, 2)
    hand = await opened(alice, place)
    slow = Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", 429, retry_after=6)
    here.box.faults.add(slow)
    await here.box.until(lambda: not slow.times)
    here.bot.publisher.hands.lasts = OpenHands.lasts
    await alice.click(hand, "1")
    await asyncio.sleep(8)
    assert LINE not in hand.text
    assert "Bid 1" in labels(hand)


async def test_a_hand_that_is_clicked_before_it_stands_below_a_new_round_does_so_after(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    hand = await opened(alice, place)
    await here.box.until(lambda: len(here.bot.publisher.hands))
    here.bot.publisher.hands.move_down(await here.bot.tables.get(1))
    async with held(here.bot.rasterizer, "draw"):
        await alice.click(hand, "1")
    await here.rest()
    (last,) = [each for each in alice.sees(place) if each.ephemeral]
    assert last is not hand
    assert "Bid 1" in labels(last)


async def test_whoever_is_back_while_their_hand_is_posted_below_is_answered_in_time(here: CardRoom) -> None:
    _, ben, *_ = here.people
    place = await deal(here, 2)
    hand = await opened(ben, place)
    await leave_to_a_computer(here, ben)
    here.box.faults.add(slow := Fault("POST", "/webhooks/", None, delay=1.4))
    here.box.faults.add(Fault("DELETE", "/webhooks/", None, delay=3))
    here.box.faults.add(Fault("POST", "/callback$", None, delay=0.3))
    here.bot.publisher.hands.move_down(await here.bot.tables.get(1))
    await here.box.until(lambda: not slow.times)
    answer = await ben.click(hand, "I'm back")
    assert not answer.failed
    await asyncio.sleep(4)  # Discord has taken the old message away


async def test_a_click_waits_for_all_that_puts_its_hand_away(here: CardRoom) -> None:
    alice, *_ = here.people
    await set_preferences(alice, here.room, hand="dm")
    place = await deal(here, 2)
    older = await opened_directly(here, alice, place)
    number = next(each["custom_id"] for each in older.buttons if each["label"] == "2")
    here.box.faults.add(Fault("POST", "/callback$", None, delay=1))
    await alice.click(older, "1", wait=False)
    await asyncio.sleep(0.3)
    newer = await opened_directly(here, alice, place)
    slow, _ = faults = [Fault("PATCH", f"/channels/{alice.dms.id}/", None, delay=delay) for delay in (0.5, 1)]
    for each in faults:
        here.box.faults.add(each)
    await here.box.until(lambda: not slow.times)
    await alice.press(older, number)
    here.box.faults.clear()
    await asyncio.sleep(2)
    await here.rest()
    assert "Bid 2" in labels(older)
    assert ELSEWHERE in newer.text


async def test_an_edit_that_arrives_after_the_answer_to_a_click_does_not_stay(here: CardRoom) -> None:
    alice, *_ = here.people
    here.bot.publisher.hands.interval = OpenHands.interval
    await set_preferences(alice, here.room, hand="dm")
    place = await deal(here, 2)
    older = await opened_directly(here, alice, place)
    slow = Fault("PATCH", f"/channels/{alice.dms.id}/", None, delay=2.5, arrives=True)
    here.box.faults.add(slow)
    await opened_directly(here, alice, place)
    await here.box.until(lambda: not slow.times)
    await alice.click(older, "1")
    await here.box.until(lambda: "Bid 1" in labels(older))
    await here.box.until(lambda: ELSEWHERE in older.text)
    await here.box.until(lambda: "Bid 1" in labels(older))


async def hand_that_comes_late(here: CardRoom) -> tuple[Channel, Message]:
    """Return where a match of two is played, and Alice's hand in direct messages, which came late."""
    alice = here.people[0]
    await set_preferences(alice, here.room, hand="dm")
    place = await deal(here, 2)
    here.box.faults.add(Fault("POST", f"/channels/{alice.dms.id}/messages$", None, after=True, delay=4))
    await alice.click(table_in(place), "My hand")
    await here.box.until(lambda: "so here is your hand" in alice.sees(place)[-1].text)
    await here.box.until(lambda: ELSEWHERE in alice.sees(place)[-1].text)
    (hand,) = alice.sees(alice.dms)
    return place, hand


async def test_a_hand_in_direct_messages_that_arrives_late_is_the_hand(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place, hand = await hand_that_comes_late(here)
    for label in ("1", "Bid 1"):
        await alice.click(hand, label)
    await bid(place, ben)
    await here.rest()
    assert "· play two cards" in hand.text


async def test_a_message_follows_the_table_whose_hand_it_has_shown_last(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    places = [await deal(here, 2) for _ in range(2)]
    page = shown(await alice.slash(here.room, "tables"))
    for button in [each for each in page.buttons if each["label"] == "My hand"]:
        await alice.press(page, button["custom_id"])
    before = page.text
    await bid(places[0], ben, alice)
    await here.rest()
    assert page.text == before
    await bid(places[1], ben, alice)
    await here.rest()
    assert page.text != before


@pytest.mark.parametrize("method", ["POST", "DELETE"], ids=["posted below", "taken away"])
async def test_one_hand_is_alive_after_a_click_in_it_while_it_is_slowly_moved_down(
    here: CardRoom, method: str
) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    hand = await opened(alice, place)
    await here.box.until(lambda: len(here.bot.publisher.hands))
    here.box.faults.add(slow := Fault(method, "/webhooks/", None, delay=2.5, arrives=True))
    here.bot.publisher.hands.move_down(await here.bot.tables.get(1))
    await here.box.until(lambda: not slow.times)
    await alice.click(hand, "1")
    await asyncio.sleep(5)
    await here.rest()
    (alive,) = [each for each in alice.sees(place) if each.ephemeral and "1" in labels(each)]
    assert "Bid 1" in labels(alive)


async def test_the_answer_to_a_click_that_met_a_slow_edit_keeps_its_note(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    here.bot.publisher.hands.interval = OpenHands.interval
    place = await deal(here, 3)
    hand = await opened(ben, place)
    await leave_to_a_computer(here, ben)
    here.box.faults.add(slow := Fault("PATCH", f"/{ben.answers[-1].interaction.token}/", None, delay=2))
    await bid(place, alice)
    await here.box.until(lambda: not slow.times)
    await ben.click(hand, "I'm back")
    await here.rest()
    assert "You are back in your seat." in hand.text


@pytest.mark.parametrize("turns", [0, 1])
async def test_an_edit_that_arrives_late_does_not_stay_over_the_page_that_was_opened_in_the_hand(
    turns: int, here: CardRoom
) -> None:
    game = await dealt(here, 2, mode="timed", seconds=60)
    alice = game.people[0]
    hands = [await opened(person, game.place) for person in game.people]
    for person, hand in zip(game.people, hands, strict=True):
        await person.click(hand, "I am ready")
    await here.rest()
    slow = Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", None, delay=2, arrives=True)
    here.box.faults.add(slow)
    await game.happen()
    await here.box.until(lambda: not slow.times)
    await alice.press(hands[0], str(CustomId(verbs.PAGE, 1, str(OpenPage()))))
    if turns:
        await here.box.until(lambda: "▶" in labels(hands[0]))
        await alice.click(hands[0], "▶")
    await here.box.until(lambda: "Open the spread" in labels(hands[0]))
    await asyncio.sleep(3)
    await here.rest()
    assert "▶" in labels(hands[0])


async def test_an_edit_that_arrives_after_its_message_became_another_hand_does_not_stay(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    await set_preferences(
        alice, here.room, pictures="text only"
    )  # else the edit names a picture that is gone
    for _ in range(2):
        await deal(here, 2)
    page = shown(await alice.slash(here.room, "tables"))
    first, second = [each["custom_id"] for each in page.buttons if each["label"] == "My hand"]
    await alice.press(page, first)
    table = await here.bot.tables.get(1)
    rules = CustomId("page", 0, f"first:{coded(table.state.game, table.state.options)}")
    here.box.faults.add(slow := Fault("POST", "/callback$", None, delay=0.5))
    await alice.press(page, str(rules), wait=False)  # so it is no hand for a moment
    await here.box.until(lambda: not slow.times)
    async with held(here.bot.store, "preferences", alice.press(page, second, wait=False)):
        await alice.press(page, first, wait=False)
        await here.box.until(lambda: len(here.bot.publisher.hands))
        here.box.faults.add(slow := Fault("PATCH", "/webhooks/", None, delay=1))
        await table.play(alice.id, ["bid 1"], table.clock.now())
        await here.box.until(lambda: not slow.times)
    await here.box.until(lambda: "table 2" in page.text)
    await asyncio.sleep(2)
    await here.rest()
    assert "table 2" in page.text


@pytest.mark.parametrize("way", ["opened", "posted below", "in direct messages"])
async def test_a_hand_that_stands_though_its_answer_was_lost_is_the_hand_once_it_is_clicked(
    way: str, here: CardRoom
) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    if way == "in direct messages":
        await set_preferences(alice, here.room, hand="dm")
    else:
        await opened(alice, place)
        await here.box.until(lambda: len(here.bot.publisher.hands))
    paths = {"opened": "/callback$", "posted below": "/webhooks/"}
    here.box.faults.add(lost := Fault("POST", paths.get(way, f"/channels/{alice.dms.id}/"), 0, after=True))
    if way == "posted below":
        here.bot.publisher.hands.move_down(await here.bot.tables.get(1))
    else:
        await alice.click(table_in(place), "My hand", wait=False)
    await here.box.until(lambda: not lost.times)
    await asyncio.sleep(3)

    def alive() -> list[Message]:
        return [each for each in (*alice.sees(place), *alice.sees(alice.dms)) if "1" in labels(each)]

    _, hand = alive()
    assert shown(await alice.click(hand, "1")) is hand
    await here.rest()
    assert alive() == [hand]
    await alice.click(hand, "Bid 1")
    await bid(place, ben)
    await here.rest()
    assert "· play two cards" in text_and_alt(hand)


async def test_a_hand_that_was_moved_below_a_new_round_says_once_at_its_end_that_it_is_old(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    here.bot.publisher.hands.lasts = 30
    place = await deal(here, 2)
    hand = await opened(alice, place)
    await here.box.until(lambda: len(here.bot.publisher.hands))
    here.bot.publisher.hands.move_down(await here.bot.tables.get(1))
    await here.rest()
    (last,) = [each for each in alice.sees(place) if each.ephemeral]
    assert last is not hand
    await asyncio.sleep(32)
    await here.rest()
    assert labels(last) == ["My hand"]
    assert last.text.count(LINE) == 1


async def test_a_hand_in_direct_messages_that_arrived_late_follows_for_longer_than_a_token_lasts(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    here.bot.publisher.hands.lasts = 30
    _, hand = await hand_that_comes_late(here)
    await asyncio.sleep(40)
    table = await here.bot.tables.get(1)
    for person in (ben, alice):
        await table.play(person.id, ["bid 1"], table.clock.now())
    await here.rest()
    assert LINE not in hand.text
    assert "· play two cards" in text_and_alt(hand)


@pytest.mark.parametrize("what", ["network", "database"])
async def test_a_hand_follows_again_after_an_outage_of_a_minute(
    here: CardRoom, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.bot.publisher.hands.interval = OpenHands.interval
    alice, ben, cleo, *_ = here.people
    place = await deal(here, 3)
    hand = await opened(alice, place)
    for label in ("1", "Bid 1"):
        await alice.click(hand, label)
    await here.rest()
    with monkeypatch.context() as away:
        if what == "database":
            table = await here.bot.tables.get(1)
            await table.play(ben.id, ["bid 1"], table.clock.now())

            async def unreadable(*_: object) -> None:
                raise Unreadable("The database does not answer.")

            away.setattr(here.bot.store, "preferences", unreadable)
        else:
            here.box.faults.add(Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", 0, times=999))
            await bid(place, ben)
        await asyncio.sleep(60)
        here.box.faults.clear()
    await bid(place, cleo)
    await asyncio.sleep(60)
    await here.rest()
    assert "· play two cards" in text_and_alt(hand)
