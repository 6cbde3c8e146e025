"""One's own hand: where it is shown, how a move is made from it, and what becomes of clicks that make no sense."""

import pytest

from games import GAMES
from sandbox import Answer, Message, Person
from sandbox.components import STRING_SELECT
from tests.e2e.house import House
from tests.e2e.players import bid, deal, hand_of, heard, latest, prefer, shown

pytestmark = pytest.mark.usefixtures("at_once")

GAME = GAMES["twin-palms"]


async def leader(here: House) -> Person:
    """Whose turn it is, at the first table."""
    table = await here.bot.tables.get(1)
    return here.people[table.state.awaited()[0]]


async def play_of(here: House, person: Person, match: int = 1) -> list[str]:
    """The texts of all that person may do."""
    table = await here.bot.tables.get(match)
    seat = table.state.seat_of(person.id)
    assert seat is not None
    return [GAME.text(action) for action in table.state.legal(seat)]


async def alices_turn(here: House) -> Person:
    """To play: Ben, who leads, has played. Alice holds wilds."""
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    await bid(place, alice, ben)
    await bid(place, ben, action=(await play_of(here, ben))[0])
    await here.bot.publisher.rest()
    return alice


async def entries(here: House, match: int = 1) -> int:
    """The length of a table's log."""
    return len(await here.bot.store.log(match))


def labels(message: Message) -> list[str]:
    return [each["label"] for each in message.buttons]


async def tap(person: Person, hand: Message, step: str) -> None:
    """Press the button of the form that is this step; its custom id carries what is picked already."""
    await person.click(
        hand, next(b["custom_id"] for b in hand.buttons if b["custom_id"].endswith(f":{step}"))
    )


# In a message for oneself


async def test_a_hand_is_seen_by_its_player_alone(here: House) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    hand = await hand_of(alice, place)
    assert "Your hand" in heard(hand)
    assert alice.can_see(hand)
    assert not ben.can_see(hand)


async def test_a_bid_is_made_in_one_message_and_may_be_changed_until_all_have_bid(here: House) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    hand = await hand_of(alice, place)
    for label in ("3", "Bid 3, bet 1"):
        assert shown(await alice.click(hand, label)) is hand
    assert "you chose Bid 3, half bet, and may change it until all have bid" in hand.text
    assert [shown(await alice.click(hand, label)) is hand for label in ("2", "Bid 2")] == [True] * 2
    await bid(place, ben)
    await here.bot.publisher.rest()
    assert "Bids: Alice 2, Ben 1." in here.transcript(place)


async def test_others_see_how_many_have_bid_and_then_all_bids_at_once(here: House) -> None:
    place = await deal(here, 3)
    board = latest(here.people[4], place, "Rules")
    for bids, person in enumerate(here.people[:3]):
        assert f"{bids} of 3 have bid" in heard(board)
        await bid(place, person, action=f"bid {bids + 1} max")
        await here.bot.publisher.rest()
    assert "Bids: Alice 1 (bets 1), Ben 2 (bets 1), Cleo 3 (bets 1)." in here.transcript(place)
    assert heard(board).count("have bid") == 0


async def test_a_play_takes_at_most_three_taps_after_my_hand(here: House) -> None:
    person = await alices_turn(here)
    (place,) = here.room.threads
    hand = await hand_of(person, place)
    before = len(person.answers)
    cards = [each for each in hand.buttons if ":card-" in each["custom_id"]]
    one, other = [each for each in cards if "wild" not in each["label"]][:2]
    for each in (one, other):
        await tap(person, hand, each["custom_id"].split(":")[-1])
    await person.click(hand, next(label for label in labels(hand) if label.startswith("Play ")))
    assert len(person.answers) - before == 3
    assert "✅" in hand.text
    await here.bot.publisher.rest()
    assert any(f"{one['label']} + {other['label']}" in line for line in here.transcript(place))


async def test_a_number_stated_for_a_wild_is_one_more_choice(here: House) -> None:
    person = await alices_turn(here)
    (place,) = here.room.threads
    hand = await hand_of(person, place)
    cards = [each for each in hand.buttons if ":card-" in each["custom_id"]]
    for wild in (True, False):
        card = next(each for each in cards if ("wild" in each["label"]) is wild)
        await tap(person, hand, card["custom_id"].split(":")[-1])
    await person.select(hand, "The wild counts as", ["as 8"])
    await person.click(hand, next(label for label in labels(hand) if label.startswith("Play ")))
    assert "✅" in hand.text
    await here.bot.publisher.rest()
    assert any("8 wild" in line for line in here.transcript(place))


async def test_a_stale_form_changes_nothing_and_shows_the_present_hand(here: House) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    old = await hand_of(alice, place)
    await bid(place, alice, ben)
    n = await entries(here)
    await alice.click(old, "3")
    assert "The table has moved on since this was opened. This is how it stands now." in old.text
    assert "you: 0 of 1" in old.text
    assert await entries(here) == n


async def test_a_neighbours_bid_does_not_spoil_the_form_i_am_filling_in(here: House) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    hand = await hand_of(alice, place)
    await alice.click(hand, "3")
    await bid(place, ben)
    await alice.click(hand, "Bid 3")
    assert "✅ Bid 3" in hand.text


async def test_a_double_click_counts_once(here: House) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    hand = await hand_of(alice, place)
    await alice.click(hand, "3")
    n = await entries(here)
    first = alice.click(hand, "Bid 3", wait=False)
    second = alice.click(hand, "Bid 3", wait=False)
    answers = [await first, await second]
    await here.box.until(lambda: all(each.interaction.answer for each in answers))
    assert await entries(here) == n + 1
    assert "you chose Bid 3" in hand.text


async def test_a_click_that_arrives_twice_counts_once(here: House) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    hand = await hand_of(alice, place)
    await alice.click(hand, "3")
    n = await entries(here)
    await alice.click(hand, "Bid 3", times=2)
    await bid(place, here.people[1])
    assert await entries(here) == n + 2


async def test_who_does_not_play_is_told_that_they_watch(here: House) -> None:
    place = await deal(here, 2)
    eve = here.people[4]
    told = await eve.click(latest(eve, place), "My hand")
    assert told.ephemeral
    assert told.text.startswith("You are watching")


async def test_my_hand_on_an_old_message_works_when_the_match_is_over(here: House) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2, mode="easy", rounds=1)
    table = await here.bot.tables.get(1)
    while table.state.phase == "play":
        seat = table.state.awaited()[0]
        await bid(place, here.people[seat], action=(await play_of(here, here.people[seat]))[0])
    await here.bot.publisher.rest()
    told = await ben.click(next(m for m in ben.sees(place) if m.buttons), "My hand")
    assert "The match is over." in told.text
    assert "Type a move" not in labels(shown(told))
    assert "over" in (await alice.slash(place, "move", action="bid 1", table="1")).text.lower()


# In direct messages


async def test_who_likes_it_so_gets_the_hand_by_direct_message_and_plays_there(here: House) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    await prefer(alice, place, hand="dm")
    told = shown(await alice.click(latest(alice, place), "My hand"))
    assert told.ephemeral
    assert "Your hand is in our direct messages" in told.text
    (hand,) = alice.sees(alice.dms)
    for label in ("3", "Bid 3"):
        assert shown(await alice.click(hand, label)) is hand
    assert "you chose Bid 3" in hand.text
    assert shown(await alice.click(hand, "My hand")) is hand
    assert len(alice.sees(alice.dms)) == 1


async def test_closed_direct_messages_give_way_to_a_message_for_oneself_and_a_word_about_it(
    here: House,
) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    await prefer(alice, place, hand="dm")
    alice.close_dms()
    told = shown(await alice.click(latest(alice, place), "My hand"))
    assert told.ephemeral
    assert "Your direct messages are closed to me, so here is your hand" in told.text
    assert "Your hand" in heard(told)
    await alice.click(told, "3")
    await alice.click(told, "Bid 3")
    assert "you chose Bid 3" in told.text


async def test_in_direct_messages_hand_and_move_mean_the_only_table(here: House) -> None:
    alice, *_ = here.people
    await deal(here, 2)
    assert "Your hand" in heard(shown(await alice.slash(alice.dms, "hand")))
    assert "✅ Bid 4" in (await alice.slash(alice.dms, "move", action="bid 4")).text


async def test_with_several_tables_hand_and_move_ask_which_and_offer_them(here: House) -> None:
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


# From the keyboard


async def test_every_legal_move_is_reachable_by_typing_its_text(here: House) -> None:
    place = await deal(here, 2)
    await bid(place, *here.people[:2])
    person = await leader(here)
    moves = await play_of(here, person)
    assert len(moves) > 25
    for move in moves[::7]:
        offered = await person.autocomplete(place, "move", "action", move)
        assert move in [each["value"] for each in offered]


async def test_the_moves_offered_are_at_most_25_and_fit_what_is_typed(here: House) -> None:
    person = await alices_turn(here)
    (place,) = here.room.threads
    assert len(await person.autocomplete(place, "move", "action", "")) == 25
    wild = await person.autocomplete(place, "move", "action", "wild =8")
    assert wild
    assert all("wild" in each["name"] and "=8" in each["value"] for each in wild)
    assert await person.autocomplete(place, "move", "action", "bid") == []


async def test_who_has_nothing_to_decide_is_offered_no_move(here: House) -> None:
    place = await deal(here, 2)
    await bid(place, *here.people[:2])
    waiting = here.people[1 - here.people.index(await leader(here))]
    assert await waiting.autocomplete(place, "move", "action", "") == []
    assert await here.people[4].autocomplete(place, "move", "action", "") == []
    assert await here.people[4].autocomplete(here.room, "move", "action", "") == []


async def test_an_illegal_move_gets_the_sentence_of_the_rule_it_breaks(here: House) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    sentences = {
        "play P3 P4": "Cards are played once everyone has bid",
        "bid 9": "That is not a move in Twin Palms. To bid, write bid 2",
        "?": "That is not a move in Twin Palms",
        "play P3 P*": "A wild needs a number from 0 to 10",
    }
    for typed, sentence in sentences.items():
        told = await alice.slash(place, "move", action=typed)
        assert told.ephemeral
        assert sentence in told.text
    await bid(place, alice, ben)
    first = await leader(here)
    waiting = here.people[1 - here.people.index(first)]
    told = await waiting.slash(place, "move", action="play P3 P4")
    assert f"It is not your turn: {first.name} plays two cards now" in told.text
    assert "You are watching" in (await here.people[4].slash(place, "move", action="bid 1")).text


async def test_a_move_can_be_typed_into_a_modal_and_an_illegal_one_is_explained(here: House) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    hand = await hand_of(alice, place)
    modal = (await alice.click(hand, "Type a move")).modal
    assert modal is not None
    assert shown(await alice.submit(modal, {"Your move": "bid 7"})) is hand
    assert "That is not a move in Twin Palms" in hand.text
    await alice.submit(modal, {"Your move": "  BID  2 half "})
    assert "✅ Bid 2, half bet" in hand.text
    n = await entries(here)
    await alice.submit(modal, {"Your move": "bid 5"})
    assert "The table has moved on" in hand.text
    assert await entries(here) == n


# Clicks that make no sense

VERBS = (
    *("join", "leave", "start", "cancel", "computer", "hand", "reference", "rules", "form", "type", "typed"),
    *("hint", "back", "take", "accept", "decline", "vote", "rematch", "quit", "end", "stay"),
)
RUBBISH = (
    "",
    ":",
    ":99",
    ":1:",
    ":1::::::",
    ":1:x:y:z",
    ":²:1:1",
    ":-1",
    ":999999999999999999999",
    ":1:3::tricks-",
)
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
    "typed:1:{prompt}",
)


@pytest.mark.parametrize("verb", [*VERBS, "nothing", ""])
async def test_a_forged_click_is_answered_and_does_no_harm(verb: str, here: House) -> None:
    place = await deal(here, 2)
    alice, eve = here.people[0], here.people[4]
    hand = await hand_of(alice, place)
    n = await entries(here)
    for rest in RUBBISH:
        for person, message in ((alice, hand), (alice, latest(alice, place)), (eve, latest(eve, place))):
            answered(await person.press(message, (verb + rest) or "-"))
    table = await here.bot.tables.get(1)
    assert await entries(here) == n + (verb == "quit")
    assert table.state.phase == "play"


@pytest.mark.parametrize("phase", ["bid", "play"])
async def test_a_forged_form_is_answered_and_does_no_harm(phase: str, here: House) -> None:
    place = await deal(here, 2)
    if phase == "play":
        await bid(place, *here.people[:2])
    person = await leader(here)
    hand = await hand_of(person, place)
    n = await entries(here)
    prompt = next(each for each in hand.custom_ids if each.startswith("form:")).split(":")[2]
    values: tuple[list[str], ...] = ([], ["0"], ["99", "x"], [str(n) for n in range(25)], ["y" * 100])
    for form in FORMS:
        answered(await person.press(hand, form.format(prompt=prompt)))
        for some in values:
            answered(await person.press(hand, form.format(prompt=prompt), STRING_SELECT, values=some))
    assert await entries(here) == n
    assert "Your hand" in heard(shown(await person.slash(place, "hand")))


def answered(answer: Answer) -> None:
    """With something, and not with the confession that the bot is broken."""
    assert answer.failed is None, answer.interaction.data
    assert "the bot's fault" not in answer.text, answer.interaction.data
    assert not any("the bot's fault" in each.text for each in answer.followups)
