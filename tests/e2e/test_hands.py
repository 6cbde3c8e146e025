"""A player's own hand: where it is shown, how moves are made with it, and what happens to clicks that make no sense."""

import re

import pytest

from games import GAMES
from sandbox import Person
from sandbox.components import STRING_SELECT
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom
from tests.e2e.match import check_answer
from tests.e2e.players import (
    bid,
    deal,
    hand_of,
    labels,
    latest,
    modal_of,
    open_table,
    set_preferences,
    shown,
    text_and_alt,
)

GAME = GAMES["twin-palms"]


async def player_to_act(here: CardRoom) -> Person:
    """Return the person whose turn it is at the first table."""
    table = await here.bot.tables.get(1)
    return here.people[table.state.awaited()[0]]


async def legal_texts(here: CardRoom, person: Person, match: int = 1) -> list[str]:
    """Return the texts of all legal actions of the person."""
    table = await here.bot.tables.get(match)
    seat = table.state.seat_of(person.id)
    assert seat is not None
    return [GAME.text(action) for action in table.state.legal(seat)]


async def entries(here: CardRoom, match: int = 1) -> int:
    """Return the length of a table's log."""
    return len(await here.bot.store.log(match))


# As an ephemeral message


async def test_what_was_picked_stays_after_a_wrong_typed_move(here: CardRoom) -> None:
    alice, *_ = here.people
    hand = await hand_of(alice, await deal(here, 2))
    await alice.click(hand, "3")
    await alice.submit(modal_of(await alice.click(hand, "Type a move")), {"Your move": "bid 9"})
    assert "✅" not in hand.text
    assert "Bid 3" in labels(hand)


async def test_what_was_picked_for_one_decision_is_not_kept_for_the_next(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    hand = await hand_of(alice, place)
    await alice.click(hand, "3")
    (old,) = [each["custom_id"] for each in hand.buttons if each["label"] == "Type a move"]
    await bid(place, alice, ben)
    player = await player_to_act(here)
    hand = await hand_of(player, place)
    await player.submit(modal_of(await player.press(hand, old)), {"Your move": "play"})
    assert "Pick two cards" in labels(hand)


async def test_a_stale_form_changes_nothing_and_shows_the_present_hand(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    old = await hand_of(alice, place)
    (three,) = [each["custom_id"] for each in old.buttons if each["label"] == "3"]
    await bid(place, alice, ben)
    n = await entries(here)
    await alice.press(old, three)
    assert "The table has moved on since this was opened. This is how it stands now." in old.text
    assert "you: 0 of 1" in old.text
    assert await entries(here) == n


async def test_my_hand_on_an_old_message_works_after_the_match(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2, mode="easy", rounds=1)
    table = await here.bot.tables.get(1)
    while table.state.phase == "play":
        seat = table.state.awaited()[0]
        await bid(place, here.people[seat], action=(await legal_texts(here, here.people[seat]))[0])
    await here.rest()
    answer = await ben.click(
        next(m for m in ben.sees(place) if "My hand" in [each["label"] for each in m.buttons]), "My hand"
    )
    assert re.search(r"🏆 \*\*(Alice|Ben|Alice and Ben) (wins|share first place)\*\*", answer.text)
    assert labels(shown(answer)) == []
    assert "over" in (await alice.slash(place, "move", action="bid 1", table="1")).text.lower()


# In direct messages


async def test_a_player_who_prefers_direct_messages_gets_the_hand_there_and_can_play_there(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    await set_preferences(alice, place, hand="dm")
    answer = shown(await alice.click(latest(alice, place), "My hand"))
    assert answer.ephemeral
    assert "Your hand is in our direct messages" in answer.text
    (hand,) = alice.sees(alice.dms)
    for label in ("3", "Bid 3"):
        assert shown(await alice.click(hand, label)) is hand
    assert "you chose Bid 3" in hand.text
    assert "My hand" not in [each["label"] for each in hand.buttons]
    assert len(alice.sees(alice.dms)) == 1


async def test_with_closed_direct_messages_the_hand_is_ephemeral_and_says_why(here: CardRoom) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    await set_preferences(alice, place, hand="dm")
    alice.close_dms()
    answer = shown(await alice.click(latest(alice, place), "My hand"))
    assert answer.ephemeral
    assert "Your direct messages are closed to me, so here is your hand" in answer.text
    assert "Your hand" in text_and_alt(answer)
    await alice.click(answer, "3")
    await alice.click(answer, "Bid 3")
    assert "you chose Bid 3" in answer.text


@pytest.mark.parametrize(("status", "delay"), [(None, 3.0), (0, 0.0), (403, 0.0)])
async def test_direct_messages_are_not_said_to_be_closed_when_discord_fails_in_another_way(
    status: int | None, delay: float, here: CardRoom
) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    await set_preferences(alice, here.room, hand="dm")
    here.box.faults.add(Fault("POST", f"/channels/{alice.dms.id}/messages$", status, times=9, delay=delay))
    await alice.click(latest(alice, place), "My hand")
    await here.box.until(lambda: "so here is your hand." in alice.sees(place)[-1].text)
    assert "closed" not in alice.sees(place)[-1].text


async def test_with_several_tables_hand_and_move_ask_which_and_suggest_them(here: CardRoom) -> None:
    alice, *_ = here.people
    await deal(here, 2)
    await deal(here, 3)
    assert "Which table?" in (await alice.slash(alice.dms, "hand")).text
    assert "Which table?" in (await alice.slash(alice.dms, "move", action="bid 4")).text
    offered = await alice.autocomplete(alice.dms, "move", "table", "")
    assert offered == [{"name": f"Twin Palms · table {n}", "value": str(n)} for n in (1, 2)]
    assert await alice.autocomplete(alice.dms, "hand", "table", "e 2") == offered[1:]
    moved = await alice.slash(alice.dms, "move", action="bid 4", table="2")
    assert "Twin Palms · table 2" in moved.text
    assert (await entries(here, 1), await entries(here, 2)) == (3, 5)


async def test_a_table_of_others_in_the_channel_is_not_meant_by_who_sits_elsewhere(here: CardRoom) -> None:
    alice, *others = here.people
    await deal(here, 2)
    await open_table(here.room, "twin-palms start", *others[1:3])
    assert "Twin Palms · table 1" in (await alice.slash(here.room, "hand")).text
    assert "✅" in (await alice.slash(here.room, "move", action="bid 4")).text
    assert "You have your seat" in (await alice.slash(here.room, "table back")).text
    posted = await alice.slash(here.room, "table show")
    await here.box.until(lambda: "Table 2" in posted.text)
    await deal(here, 2)
    for command in ("hand", "table back"):
        assert "Which table?" in (await alice.slash(here.room, command)).text


# From the keyboard


async def test_at_most_25_moves_are_suggested_and_they_match_the_typed_text(here: CardRoom) -> None:
    person, ben, *_ = here.people  # she holds wilds
    place = await deal(here, 2)
    await bid(place, person, ben)
    await bid(place, ben, action=(await legal_texts(here, ben))[0])
    assert len(await person.autocomplete(place, "move", "action", "")) == 25
    wild = await person.autocomplete(place, "move", "action", "wild =8")
    assert wild
    assert all("wild" in each["name"] and "=8" in each["value"] for each in wild)
    assert (await person.autocomplete(place, "move", "action", "play"))[0]["name"].startswith(("🌴", "🐬"))
    assert await person.autocomplete(place, "move", "action", "bid") == []
    pairs = [
        each for n in "23456789" for each in await person.autocomplete(place, "move", "action", f"{n} {n}")
    ]
    assert all(max(map(each["value"].count, "23456789")) >= 2 for each in pairs)


async def test_bids_are_suggested_in_one_form_and_no_stake_twice(here: CardRoom) -> None:
    place = await deal(here, 2)
    offered = await here.people[0].autocomplete(place, "move", "action", "bid 2")
    assert offered == [
        {"name": "Bid 2", "value": "bid 2"},
        {"name": "Bid 2, max bet", "value": "bid 2 max"},  # as high as a half bet in the first round
    ]


async def test_a_player_with_nothing_to_decide_is_offered_no_move(here: CardRoom) -> None:
    place = await deal(here, 2)
    await bid(place, *here.people[:2])
    waiting = here.people[1 - here.people.index(await player_to_act(here))]
    assert await waiting.autocomplete(place, "move", "action", "") == []
    assert await here.people[4].autocomplete(place, "move", "action", "") == []
    assert await here.people[4].autocomplete(here.room, "move", "action", "") == []


async def test_an_illegal_move_is_answered_with_the_rule_it_breaks(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    sentences = {
        "play P3 P4": "You cannot play cards until everyone has bid",
        "bid 9": "There is no such move. You can now write `bid 0` … `bid 5 max`.",
        "?": "There is no such move.",
        "play P3 P*": "A wild needs a number from 0 to 10",
    }
    for typed, sentence in sentences.items():
        answer = await alice.slash(place, "move", action=typed)
        assert answer.ephemeral
        assert sentence in answer.text
    await bid(place, alice, ben)
    first = await player_to_act(here)
    waiting = here.people[1 - here.people.index(first)]
    answer = await waiting.slash(place, "move", action="play P3 P4")
    assert f"It is not your turn: {first.name} plays now" in answer.text
    answer = await waiting.slash(place, "move", action="?")
    assert f"It is not your turn: {first.name} plays now" in answer.text
    assert "There is no such move" not in answer.text
    assert "You do not sit" in (await here.people[4].slash(place, "move", action="bid 1")).text


async def test_a_move_can_be_typed_into_a_form_and_an_illegal_one_is_explained(here: CardRoom) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    hand = await hand_of(alice, place)
    modal = modal_of(await alice.click(hand, "Type a move"))
    assert shown(await alice.submit(modal, {"Your move": "bid 7"})) is hand
    assert "There is no such move." in hand.text
    await alice.submit(modal, {"Your move": "  BID  2 half "})
    assert "✅ Bid 2, half bet" in hand.text
    n = await entries(here)
    await alice.submit(modal, {"Your move": "bid 5"})
    assert "The table has moved on" in hand.text
    assert await entries(here) == n


# Clicks that make no sense

FORMS = (
    "form:1:{prompt}::tricks-99",
    "form:1:{prompt}::tricks-",
    "form:1:{prompt}:9,9:bid",
    "form:1:{prompt}::bid",
    "form:1:{prompt}:,,,:bid-7",
    "form:1:{prompt}:0,99=55:play",
    "form:1:{prompt}:0,99=55:card-10",
    "form:1:{prompt}::card-",
    "form:1:{prompt}::play-99999",
    "form:1:{prompt}:0,1:numbers",
    "form:1:{prompt}:0=x:play",
    "form:1:{prompt}::cards",
    "form:1:{prompt}::nothing",
    "form:1:{prompt}:" + "9" * 60 + ":cards",
    "form:1:" + "9" * 60 + "::bid",
    *(
        f"form:1:{{prompt}}:{picks}:play"
        for picks in ("0", "0,0", "0,1,2", "-1,0", "a,b", "²,³", "0,0=1,2,3")
    ),
    "typed:1:{prompt}",
)


@pytest.mark.parametrize("phase", ["bid", "play"])
async def test_a_forged_form_is_answered_and_has_no_effect(phase: str, here: CardRoom) -> None:
    place = await deal(here, 2)
    if phase == "play":
        await bid(place, *here.people[:2])
    person = await player_to_act(here)
    hand = await hand_of(person, place)
    n = await entries(here)
    prompt = next(each for each in hand.custom_ids if each.startswith("form:")).split(":")[2]
    for form in FORMS:
        check_answer(await person.press(hand, form.format(prompt=prompt)))
        chosen = await person.press(hand, form.format(prompt=prompt), STRING_SELECT, values=["99", "y" * 100])
        check_answer(chosen)
    assert await entries(here) == n
    assert "Your hand" in text_and_alt(shown(await person.slash(place, "hand")))
