"""`Watch`: the link from the card to the thread."""

from tests.e2e.card_room import CardRoom
from tests.e2e.players import open_table, press_more


async def test_a_watcher_is_led_to_the_thread_and_a_player_to_their_hand(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    assert "Watch" not in [each["label"] for each in card.buttons]
    await alice.click(card, "Start")
    await here.rest()
    answer = await cleo.click(card, "Watch")
    assert answer.ephemeral
    assert f"<#{here.thread(card).id}>" in answer.text
    assert "hands stay hidden" in answer.text
    assert "join it" in answer.text
    before = len(here.thread(card).messages())
    await cleo.click(card, "Watch")
    assert len(here.thread(card).messages()) == before, "nobody else notices"
    answer = await ben.click(card, "Watch")
    assert answer.text == f"You play in this match, in <#{here.thread(card).id}>. Press `My hand`."


async def test_an_old_watch_button_says_why_before_and_after_the_match_and_elsewhere(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    assert "The match has not begun yet" in (await cleo.press(card, "watch:1")).text
    await press_more(alice, card, "Cancel")
    assert "This table is closed" in (await cleo.press(card, "watch:1")).text
    assert "There is no such table" in (await cleo.press(card, "watch:99")).text
    elsewhere = here.box.guild("Elsewhere")
    elsewhere.add(cleo.user)
    foreign = await open_table(elsewhere.channel("lounge"), "twin-palms start", cleo)
    assert "There is no such table" in (await cleo.press(foreign, "watch:1")).text
