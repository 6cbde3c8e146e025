"""Most answers are deferred when many people act at once. Each is given once, in the form that it would have had."""

import asyncio
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any

import pytest

from sandbox import Answer, Channel, Message, Person
from sandbox.faults import Fault
from sandbox.interactions import DEFER, DEFER_UPDATE, MESSAGE, MODAL
from tests.e2e.card_room import CardRoom
from tests.e2e.daily_player import has_form
from tests.e2e.players import deal, hand_of, labels, latest, modal_of, open_table, shown, text_and_alt
from tests.held import held

AT_ONCE = 40
"""Number of interactions at the same time."""


@pytest.fixture
async def place(here: CardRoom) -> Channel:
    """Deal a match of two, then let every interaction come late. Return where it is played."""
    channel = await deal(here, 2)
    here.bot.admission.late = -inf
    return channel


@pytest.fixture
def few_at_a_time(here: CardRoom) -> None:
    """Handle few interactions at a time."""
    here.bot.admission.most = 3


async def answered(here: CardRoom, answer: Answer) -> Message:
    """Return the message of a command or of a click on a table, which may follow a deferred answer."""
    if answer.interaction.answer == DEFER_UPDATE:
        await here.box.until(lambda: answer.followups)
        return answer.followups[0]
    await here.box.until(lambda: shown(answer).text)
    return shown(answer)


async def test_a_late_command_is_deferred_and_answered_to_its_person_alone(
    here: CardRoom, place: Channel
) -> None:
    alice, ben, *_ = here.people
    answer = await alice.slash(place, "hand")
    hand = await answered(here, answer)
    assert answer.interaction.answer == DEFER
    assert "Your hand" in text_and_alt(hand)
    assert answer.followups == []
    assert answer.ephemeral
    assert not ben.can_see(hand)


@pytest.mark.parametrize(
    "ask",
    [
        lambda here, manager: manager.choose(here.room, "Profile", here.people[1]),
        lambda here, manager: manager.choose(here.room, "Compare", here.people[1]),
        lambda here, manager: manager.choose(here.room, "Replay", here.room.messages()[0]),
        lambda here, manager: manager.slash(here.room, "night plan"),
        lambda here, manager: manager.slash(here.room, "settings season end", season="Spring"),
    ],
)
async def test_a_late_answer_that_is_private_is_deferred(
    here: CardRoom, manager: Person, ask: Callable[[CardRoom, Person], Awaitable[Answer]]
) -> None:
    await open_table(here.room, "palace start", here.people[0])
    here.bot.admission.late = -inf
    answer = await ask(here, manager)
    assert (await answered(here, answer)).ephemeral
    assert answer.interaction.answer == DEFER


async def test_a_late_move_that_is_refused_says_why(here: CardRoom, place: Channel) -> None:
    before = await here.bot.store.log(1)
    answer = await here.people[0].slash(place, "move", action="bid 99")
    assert "✅" not in (await answered(here, answer)).text
    assert answer.ephemeral
    assert await here.bot.store.log(1) == before


async def test_a_late_click_on_a_table_opens_a_hand_and_leaves_the_table(
    here: CardRoom, place: Channel
) -> None:
    alice, ben, *_ = here.people
    table = latest(alice, place)
    before = table.text
    answer = await alice.click(table, "My hand")
    hand = await answered(here, answer)
    assert answer.interaction.answer == DEFER_UPDATE
    assert hand is not table
    assert hand.ephemeral
    assert not ben.can_see(hand)
    assert len(answer.followups) == 1
    assert table.text == before


async def test_a_late_click_on_a_hand_edits_that_hand(here: CardRoom) -> None:
    alice, *_ = here.people
    hand = await hand_of(alice, await deal(here, 2))
    here.bot.admission.late = -inf
    first, second = await alice.click(hand, "3"), None
    await here.box.until(lambda: "Bid 3" in labels(hand))
    second = await alice.click(hand, "Bid 3")
    await here.box.until(lambda: "✅" in hand.text)
    for answer in (first, second):
        assert answer.interaction.answer == DEFER_UPDATE
        assert answer.followups == []


async def test_a_late_modal_is_opened_at_once(here: CardRoom, place: Channel) -> None:
    alice, *_ = here.people
    hand = await answered(here, await alice.click(latest(alice, place), "My hand"))
    answer = await alice.click(hand, "Type a move")
    assert answer.interaction.answer == MODAL


async def test_a_late_submission_of_a_modal_edits_the_hand(here: CardRoom, place: Channel) -> None:
    alice, *_ = here.people
    hand = await answered(here, await alice.click(latest(alice, place), "My hand"))
    modal = modal_of(await alice.click(hand, "Type a move"))
    answer = await alice.submit(modal, {"Your move": "bid 1"})
    await here.box.until(lambda: "✅" in hand.text)
    assert answer.interaction.answer == DEFER_UPDATE
    assert answer.followups == []


async def test_a_late_join_is_shown_on_the_card_and_a_late_refusal_to_its_person(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "palace start", alice)
    here.bot.admission.late = -inf
    joining = await ben.click(card, "Join")
    await here.box.until(lambda: "2. Ben" in card.text)
    again = await ben.click(card, "Join")
    assert "You already sit at this table" in (await answered(here, again)).text
    assert [each.interaction.answer for each in (joining, again)] == [DEFER_UPDATE] * 2
    assert not alice.can_see(again.followups[0])


async def test_a_late_daily_begins_in_the_message_of_its_card(here: CardRoom) -> None:
    here.bot.admission.late = -inf
    alice, *_ = here.people
    asked = await alice.slash(here.room, "daily")
    card = await answered(here, asked)
    assert asked.interaction.answer == DEFER
    begun = await alice.click(card, "Play")
    await here.box.until(lambda: has_form(card))
    assert begun.interaction.answer == DEFER_UPDATE
    assert begun.followups == []


async def test_an_answer_that_takes_long_is_deferred_meanwhile(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    hand = await hand_of(alice, place)
    may_read, read = asyncio.Event(), here.bot.store.preferences

    async def slowly(user: int) -> Any:
        await may_read.wait()
        return await read(user)

    monkeypatch.setattr(here.bot.store, "preferences", slowly)
    by_command, by_click = await asyncio.gather(alice.slash(place, "hand"), alice.click(hand, "3"))
    assert by_command.is_loading
    assert by_click.interaction.answer == DEFER_UPDATE
    assert "Bid 3" not in labels(hand)
    may_read.set()
    assert "Your hand" in text_and_alt(await answered(here, by_command))
    await here.box.until(lambda: "Bid 3" in labels(hand))
    assert by_command.followups == by_click.followups == []


async def test_of_two_late_clicks_the_second_is_shown_last_though_the_first_is_deferred_later(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    rules = shown(await alice.click(await open_table(here.room, "palace start", alice), "Rules"))
    here.bot.admission.late = -inf
    here.box.faults.add(Fault("POST", "/callback$", None, delay=1))
    full, best, *_ = labels(rules)
    first = asyncio.create_task(alice.click(rules, full))
    await asyncio.sleep(0.1)
    await asyncio.gather(first, alice.click(rules, best))
    await asyncio.sleep(1)
    assert labels(rules)[:2] == ["Short rules", "Full rules"]


async def test_clicks_on_all_pages_wait_for_their_turn(here: CardRoom) -> None:
    modals = {"change-hours", "cut", "keep", "seek", "take-part", "type"}
    cards = {"challenge", "challenge-with", "play", "play-with"}
    at_once = {verb for verb, route in here.bot.router.verbs.items() if route.at_once}
    assert {verb for verb in at_once if "." not in verb} == modals | cards
    assert {verb.partition(".")[0] for verb in at_once if "." in verb} == {"liars-dice", "twin-it"}


async def test_clicks_that_wait_for_their_turn_keep_nobody_else_waiting(
    here: CardRoom, few_at_a_time: None
) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "palace start", alice)
    rules = shown(await alice.click(card, "Rules"))
    clicks = asyncio.gather(*(alice.click(rules, "Full rules") for _ in range(4)))
    async with held(here.bot.store, "preferences"):
        await asyncio.sleep(2)
        assert "Palace" in (await answered(here, await ben.click(card, "Rules"))).text
    await clicks


async def opened_at_once(here: CardRoom, place: Channel, number: int = AT_ONCE) -> list[Answer]:
    """Let people open their hands all at once, half of them by the command."""
    alice, ben, *_ = here.people
    table = latest(alice, place)
    return await asyncio.gather(
        *(
            person.slash(place, "hand") if n % 4 < 2 else person.click(table, "My hand")
            for n, person in enumerate([alice, ben] * (number // 2))
        )
    )


async def test_everybody_is_answered_when_many_act_at_once(here: CardRoom, few_at_a_time: None) -> None:
    answers = await opened_at_once(here, await deal(here, 2))
    hands = [await answered(here, answer) for answer in answers]
    assert [answer.failed for answer in answers] == [None] * AT_ONCE
    assert all("Your hand" in text_and_alt(hand) and hand.ephemeral for hand in hands)
    assert len({hand.id for hand in hands}) == AT_ONCE
    kinds = [answer.interaction.answer for answer in answers]
    assert {*kinds} == {MESSAGE, DEFER, DEFER_UPDATE}
    assert kinds.count(MESSAGE) >= 3


async def test_suggestions_are_left_out_while_others_wait(here: CardRoom, few_at_a_time: None) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    opening = asyncio.create_task(opened_at_once(here, place))
    await here.box.until(here.bot.admission.is_overloaded)
    assert await alice.autocomplete(place, "move", "action", "") == []
    for answer in await opening:
        await answered(here, answer)
    assert await alice.autocomplete(place, "move", "action", "") != []
