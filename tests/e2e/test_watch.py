"""`Watch`: from the card into the thread."""

import pytest

from sandbox import Permission
from tests.e2e.house import House
from tests.e2e.players import open_table

pytestmark = pytest.mark.usefixtures("at_once")


async def test_a_watcher_is_shown_the_way_into_the_thread_and_how_to_follow(here: House) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    assert "Watch" not in [each["label"] for each in card.buttons]
    await alice.click(card, "Start")
    await here.bot.publisher.rest()
    told = await cleo.click(card, "Watch")
    assert told.ephemeral
    assert f"<#{here.thread(card).id}>" in told.text
    assert "hands stay hidden" in told.text
    assert "join it" in told.text
    before = len(here.thread(card).messages())
    await cleo.click(card, "Watch")
    assert len(here.thread(card).messages()) == before, "nobody else notices"


async def test_where_there_is_no_thread_there_is_nothing_to_go_to(here: House) -> None:
    here.room.deny(here.box.world.bot, Permission.CREATE_PUBLIC_THREADS)
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    await alice.click(card, "Start")
    await here.bot.publisher.rest()
    assert "Watch" not in [each["label"] for each in card.buttons]
    assert f"<#{here.room.id}>" in (await cleo.press(card, "watch:1")).text


async def test_before_and_after_the_match_and_elsewhere_an_old_watch_button_says_so(here: House) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    assert "The match has not begun yet" in (await cleo.press(card, "watch:1")).text
    await alice.click(card, "Cancel")
    assert "This table is closed" in (await cleo.press(card, "watch:1")).text
    assert "There is no such table" in (await cleo.press(card, "watch:99")).text
    elsewhere = here.box.guild("Elsewhere")
    elsewhere.add(cleo.user)
    foreign = await open_table(elsewhere.channel("lounge"), "twin-palms start", cleo)
    assert "There is no such table" in (await cleo.press(foreign, "watch:1")).text
