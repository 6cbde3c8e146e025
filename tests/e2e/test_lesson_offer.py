"""The offer of a lesson to somebody who sits down at a game for the first time."""

from typing import Any

import pytest

from games.lessons import lessons
from sandbox import Channel, Message, Person
from tests.e2e.card_room import CardRoom
from tests.e2e.players import labels, open_table, press_more, shown, start_match
from tests.e2e.test_privacy import privacy
from tests.held import fail

PALMER = lessons()["palmer"]
OFFER = "Learn it in 4 minutes"


def offers(person: Person, place: Channel) -> list[Message]:
    return [message for message in person.sees(place) if OFFER in labels(message)]


async def test_a_lesson_is_offered_once_and_in_private_to_those_who_never_played(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    for _ in range(2):
        card = await open_table(here.room, "palmer start", alice, ben)
        await press_more(alice, card, "Cancel")
    assert [len(offers(each, here.room)) for each in (alice, ben, cleo)] == [1, 1, 0]
    (offer,) = offers(ben, here.room)
    assert offer.ephemeral
    assert "You keep your seat while you learn." in offer.text
    assert offer not in alice.sees(here.room)
    assert shown(await ben.click(offer, OFFER)) is offer
    assert PALMER.steps[0].task in offer.text
    assert offer.text.startswith("-# Table 1 has closed.")
    assert "- lessons offered or begun: 1\n" in (await privacy(alice, here, "show")).text


async def test_an_offer_that_is_taken_in_the_match_says_where_that_is(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await start_match(here, "palmer start", alice, ben, computers=1)
    lesson = shown(await ben.click(offers(ben, here.room)[0], OFFER))
    assert lesson.text.startswith(f"-# Table 1 has begun in <#{here.thread(card).id}>. The match goes on")
    assert PALMER.steps[0].task in lesson.text


async def test_a_lesson_is_not_offered_to_somebody_who_plays_the_game_now(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, ben, *_ = here.people
    await start_match(here, "palmer start", alice, ben, computers=1)

    async def offer(*_: Any) -> bool:
        return True

    monkeypatch.setattr(here.bot.store, "offer_lesson", offer)
    await open_table(here.room, "palmer start", here.people[2], ben)
    assert [len(offers(each, here.room)) for each in here.people[:3]] == [1, 1, 1]


async def test_a_full_disk_keeps_nobody_from_a_seat(here: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(monkeypatch, here.bot.store, "offer_lesson")
    alice, ben, *_ = here.people
    await open_table(here.room, "palmer start", alice, ben)
    assert [len(here.bot.tables.seated(each.id)) for each in (alice, ben)] == [1, 1]
    assert [len(offers(each, here.room)) for each in (alice, ben)] == [0, 0]
