"""Practice: private, against computers, with hints that can be followed by one tap."""

from typing import Any

import pytest

from bot.match.deadlines import Times
from bot.store import StoreFailed
from games import GAMES
from sandbox import Channel, Message, Permission, Person, Thread
from tests.e2e.evening import Evening
from tests.e2e.house import House
from tests.e2e.players import hand_of, latest, leave, open_table, shown

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture
def times() -> Times:
    """Computers answer at once."""
    return Times(computer=(0, 1))


async def practise(here: House, place: Channel | None = None, /, **options: Any) -> Evening:
    """Alice at her newest practice table, when it is her turn and that is told."""
    alice = here.people[0]
    told = await alice.slash(place or here.room, "practice", **options)
    await here.box.until(lambda: "Your practice table is ready" in told.text)
    assert told.ephemeral
    return await turn_of(here, alice)


async def turn_of(here: House, person: Person) -> Evening:
    table = await here.bot.tables.get(here.bot.tables.seated(person.id)[-1])
    evening = Evening(here, table, person)
    await evening.wait()
    await here.bot.publisher.rest()
    return evening


def labels(message: Message) -> list[str]:
    return [each["label"] for each in message.buttons]


async def hinted(here: House) -> tuple[Evening, Message]:
    """Alice's hand at a practice table of Palmer, with a hint."""
    evening = await practise(here, game="Palmer")
    alice = here.people[0]
    hand = await hand_of(alice, alice.dms)
    assert shown(await alice.click(hand, "Hint")) is hand
    return evening, hand


# Where it is played


async def test_practice_is_played_in_direct_messages_and_the_channel_shows_nothing(here: House) -> None:
    alice, ben, *_ = here.people
    evening = await practise(here, game="Palmer", computers=2, strength="casual")
    assert (here.room.messages(), here.room.threads) == ([], [])
    assert evening.table.match.place == alice.dms.id
    hello, *_ = alice.sees(alice.dms)
    assert "You play against 🤖 Fern and 🤖 Moss" in hello.text
    await evening.finish()
    await here.bot.publisher.rest()
    assert "No match has been finished here" in (await ben.slash(here.room, "leaderboard")).text
    told = await alice.press(hello, f"hint:{evening.table.id}")
    assert "You have nothing to decide right now." in told.text


async def test_a_hand_in_direct_messages_opens_apart_from_the_table_there(here: House) -> None:
    alice = here.people[0]
    await practise(here, game="Palmer")
    board = latest(alice, alice.dms, "Rules")
    before = board.text
    hand = shown(await alice.click(board, "My hand"))
    assert hand is not board
    assert shown(await alice.click(hand, "My hand")) is hand, "it is updated in place"
    assert board.text == before


async def test_every_game_can_be_practised(here: House) -> None:
    alice = here.people[0]
    for game in GAMES.values():
        await practise(here, game=game.title)
        hand = await hand_of(alice, alice.dms)
        assert "💡" in shown(await alice.click(hand, "Hint")).text
        await leave(alice, alice.dms)
        await here.bot.publisher.rest()


async def test_closed_direct_messages_give_way_to_a_private_thread(here: House) -> None:
    alice, ben, *_ = here.people
    alice.close_dms()
    evening = await practise(here, game="Palmer")
    (thread,) = here.room.threads
    assert isinstance(thread, Thread)
    assert thread.private
    assert evening.table.match.place == thread.id
    assert thread.sees(alice.id)
    assert not thread.sees(ben.id)
    assert here.room.messages() == []


async def test_practice_asked_for_in_a_thread_gets_a_private_thread_beside_it(here: House) -> None:
    alice = here.people[0]
    alice.close_dms()
    card = await open_table(here.room, "twin-palms start", alice, here.people[1])
    await alice.click(card, "Start")
    await here.bot.publisher.rest()
    evening = await practise(here, here.thread(card), game="Palmer")
    assert evening.table.match.channel not in (here.room.id, card.id)


async def test_without_any_private_place_practice_says_what_would_help(here: House) -> None:
    alice = here.people[0]
    alice.close_dms()
    here.room.deny(here.box.world.bot, Permission.CREATE_PRIVATE_THREADS)
    told = await alice.slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "Create Private Threads" in told.text)
    assert told.ephemeral
    assert "privacy settings" in told.text
    assert (here.room.messages(), here.bot.tables.seated(alice.id)) == ([], [])


async def test_a_second_click_opens_no_second_table(here: House) -> None:
    alice = here.people[0]
    page = shown(await alice.slash(here.room, "palmer rules"))
    await alice.click(page, "Try it", times=2)
    await here.box.until(lambda: here.bot.tables.seated(alice.id))
    await turn_of(here, alice)
    again = await alice.click(page, "Try it")
    await here.box.until(lambda: "You already have a practice table" in again.text)
    assert len(here.bot.tables.seated(alice.id)) == 1


async def test_practice_against_too_few_or_too_many_is_refused_with_a_sentence(here: House) -> None:
    alice = here.people[0]
    told = await alice.slash(here.room, "practice", game="Palmer", computers=7)
    assert "Palmer takes at most 6 here: you and 5 computers." in told.text
    told = await alice.slash(here.room, "practice", game="Palmer", computers=1)
    assert "Palmer needs at least 2 computers beside you." in told.text
    assert (alice.sees(alice.dms), here.bot.tables.seated(alice.id)) == ([], [])


async def test_at_three_tables_practice_is_refused_before_anything_is_posted(here: House) -> None:
    alice = here.people[0]
    for _ in range(3):
        await open_table(here.room, "twin-palms start", alice)
    told = await alice.slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "You sit at 3 open tables already" in told.text)
    assert alice.sees(alice.dms) == []


# Its life


async def test_a_practice_table_is_found_by_commands_and_listed_with_a_link(here: House) -> None:
    alice = here.people[0]
    await practise(here, game="Palmer")
    assert (
        "Your hand" in shown(await alice.slash(alice.dms, "hand")).text
        or shown(await alice.slash(alice.dms, "hand")).files
    )
    assert f"/channels/@me/{alice.dms.id}" in (await alice.slash(here.room, "tables")).text


async def test_a_rematch_of_practice_stays_private(here: House) -> None:
    alice = here.people[0]
    evening = await practise(here, game="Thirty-One")
    await evening.finish()
    await here.bot.publisher.rest()
    await alice.click(latest(alice, alice.dms, "Rematch"), "Rematch")
    await here.box.until(lambda: here.bot.tables.seated(alice.id))
    again = await turn_of(here, alice)
    assert (again.table.match.place, again.table.state.practice) == (alice.dms.id, True)
    assert here.room.messages() == []


async def test_practice_in_direct_messages_is_not_closed_as_if_its_server_were_gone(here: House) -> None:
    alice = here.people[0]
    evening = await practise(here, game="Palmer")
    await here.bot.on_ready()
    assert evening.table.is_open
    assert "✅" in (await alice.slash(alice.dms, "move", action=evening.choice())).text


async def test_nobody_else_touches_a_practice_table_from_their_direct_messages(here: House) -> None:
    ben = here.people[1]
    evening = await practise(here, game="Palmer")
    number = evening.table.id
    own = await practise_of(here, ben)
    for custom_id in (f"hand:{number}", f"hint:{number}", f"do:{number}:0:0", f"form:{number}:0::draw"):
        assert "You are watching" in (await ben.press(own, custom_id)).text
    for custom_id in (f"cancel:{number}", f"end:{number}", f"watch:{number}", f"rematch:{number}"):
        assert "There is no such table" in (await ben.press(own, custom_id)).text
    assert evening.table.is_open


async def practise_of(here: House, person: Person) -> Message:
    """A message in somebody's own direct messages, of a practice table of theirs."""
    told = await person.slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "ready" in told.text)
    await here.bot.publisher.rest()
    return latest(person, person.dms)


# Hints


async def test_a_hint_says_what_to_play_and_do_it_plays_that(here: House) -> None:
    evening, hand = await hinted(here)
    (said,) = [line for line in hand.text.splitlines() if line.startswith("💡 ")]
    n = evening.table.state.n
    assert shown(await here.people[0].click(hand, "Do it")) is hand
    assert evening.table.state.n > n
    move = hand.text.splitlines()[1].removeprefix("✅ ")
    assert said.startswith(f"💡 {move}. ")


async def test_do_it_is_refused_when_the_table_has_moved_on(here: House) -> None:
    evening, hand = await hinted(here)
    alice = here.people[0]
    old = next(each["custom_id"] for each in hand.buttons if each["label"] == "Do it")
    await evening.move(alice.dms)
    await evening.wait()
    moves = sum(entry.user == alice.id for entry in await here.bot.store.log(evening.table.id))
    assert "The table has moved on" in (await alice.press(hand, old)).text
    assert moves == sum(entry.user == alice.id for entry in await here.bot.store.log(evening.table.id))


@pytest.mark.parametrize("rest", ["", ":", "0", "0:", "0:x", "-1:0", "0:99999999999999999999", "x:1:2"])
async def test_a_forged_do_it_is_refused_politely(rest: str, here: House) -> None:
    evening, hand = await hinted(here)
    n = evening.table.state.n
    told = await here.people[0].press(hand, f"do:{evening.table.id}:{rest}")
    assert "does not work any more" in told.text
    assert evening.table.state.n == n


async def test_do_it_on_a_hint_of_an_older_version_names_the_action_by_its_number(here: House) -> None:
    evening, hand = await hinted(here)
    new = next(each["custom_id"] for each in hand.buttons if each["label"] == "Do it")
    prompt, move = new.split(":")[2:]
    number = evening.table.state.game.parse(move)
    told = await here.people[0].press(hand, f"do:{evening.table.id}:{prompt}:{number}")
    assert "✅" in told.text


async def test_a_forged_action_that_is_not_legal_is_refused(here: House) -> None:
    evening, hand = await hinted(here)
    prompt = evening.table.state.prompts[0]
    told = await here.people[0].press(hand, f"do:{evening.table.id}:{prompt}:98765")
    assert "The table has moved on" in told.text


async def test_a_hint_is_refused_where_it_would_spoil_a_match(here: House) -> None:
    alice = here.people[0]
    card = await open_table(here.room, "twin-palms start", alice, computers=1)
    assert "Hints are for practice" in (await alice.press(card, "hint:1")).text
    await alice.click(card, "Start")
    await here.bot.publisher.rest()
    hand = await hand_of(alice, here.thread(card))
    assert "Hint" not in labels(hand)
    assert "Hints are for practice" in (await alice.press(hand, "hint:1")).text


# Where it cannot be opened


async def unopened(here: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alice asks for practice, and nothing can be written to the disk."""

    async def fail(**_: Any) -> None:
        raise StoreFailed("The disk is full.")

    monkeypatch.setattr(here.bot.store, "create", fail)
    told = await here.people[0].slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "could not be saved" in told.text)


async def test_a_greeting_is_taken_back_when_no_table_is_opened_below_it(
    here: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await unopened(here, monkeypatch)
    assert here.people[0].dms.messages() == []


@pytest.mark.parametrize("manages", [True, False], ids=["may delete", "may not delete"])
async def test_a_thread_is_put_away_when_no_table_is_opened_in_it(
    here: House, monkeypatch: pytest.MonkeyPatch, manages: bool
) -> None:
    here.people[0].close_dms()
    if not manages:
        here.room.deny(here.box.world.bot, Permission.MANAGE_THREADS)
    await unopened(here, monkeypatch)
    assert [thread for thread in here.room.threads if not thread.archived] == []


async def test_a_thread_in_which_the_bot_may_not_write_is_put_away(here: House) -> None:
    alice = here.people[0]
    alice.close_dms()
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    told = await alice.slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "Send Messages in Threads" in told.text)
    assert [thread for thread in here.room.threads if not thread.archived] == []
