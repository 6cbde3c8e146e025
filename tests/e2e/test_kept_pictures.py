"""A tap uploads nothing: as long as the cards have not changed, an edit keeps the picture that the message has."""

import pytest

from bench.players import GREEN
from sandbox import Message
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom
from tests.e2e.players import bid, deal, hand_of, open_table, shown


def pictures(message: Message) -> list[str]:
    return [file["id"] for file in message.files]


def pick(hand: Message, number: int) -> str:
    """Return the button of the hand's card with this number, from 0 on."""
    return [each for each in hand.custom_ids if each.startswith("form:") and ":card-" in each][number]


def play(hand: Message) -> str:
    """Return the button that makes the move."""
    return next(str(each["custom_id"]) for each in hand.buttons if each["style"] == GREEN)


async def opened(here: CardRoom) -> Message:
    """Return the hand of Alice, who is to play."""
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    await bid(place, alice, ben)
    table = await here.bot.tables.get(1)
    return await hand_of(here.people[table.state.awaited()[0]], place)


async def test_picks_keep_the_picture_of_the_hand(here: CardRoom) -> None:
    hand = await opened(here)
    (before,), uploaded = pictures(hand), len(here.box.world.files)
    person = next(each for each in here.people if each.id == hand.only_for)
    for number in (0, 1):
        assert shown(await person.click(hand, pick(hand, number))) is hand
    assert play(hand), "both picks are shown"
    assert pictures(hand) == [before]
    assert len(here.box.world.files) == uploaded


async def test_a_picture_that_discord_no_longer_has_is_sent_again(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = await opened(here)
    before = pictures(hand)
    person = next(each for each in here.people if each.id == hand.only_for)
    monkeypatch.setattr(
        "bot.messages.open_hands.OpenHands.attachments_of",
        lambda *_: {file["filename"]: 1 for file in hand.files},
    )
    await person.click(hand, pick(hand, 0))
    assert len(pictures(hand)) == 1
    await here.box.until(lambda: pictures(hand) != before)
    assert len(here.box.complaints) == 1
    here.box.complaints.clear()


async def test_an_edit_of_the_table_that_is_refused_is_sent_with_all_pictures(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice)
    await ben.click(card, "Join")
    await here.rest()
    before = pictures(card)
    here.box.faults.add(Fault("PATCH", rf"/messages/{card.id}$", 400))
    table = await here.bot.tables.get(1)
    await table.join(cleo.id, cleo.name, 0)
    await here.rest()
    assert cleo.name in card.text
    assert len(pictures(card)) == 1
    assert pictures(card) != before
