"""Practice: private tables against computers, with hints that can be followed with one tap."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from discord import ChannelType

from games import GAMES
from games.advice import Advice
from games.types import Action
from sandbox import Channel, Message, Permission, Person
from tests.e2e.card_room import CardRoom, connected_bot, without_a_bot
from tests.e2e.daily_player import has_form
from tests.e2e.match import refusal_of
from tests.e2e.players import hand_of, labels, latest, leave, open_table, shown
from tests.e2e.solo import SoloPlayer
from tests.e2e.solo import times as times
from tests.e2e.test_night import added
from tests.e2e.test_privacy import settled
from tests.held import FULL, fail, failing, held, losing_answers


async def practise(here: CardRoom, place: Channel | None = None, /, **options: Any) -> SoloPlayer:
    """Open a practice table for Alice, wait until it is her turn and shown, and return it."""
    alice = here.people[0]
    answer = await alice.slash(place or here.room, "practice", **options)
    await here.box.until(lambda: "Your practice table is ready" in answer.text)
    assert answer.ephemeral
    return await turn_of(here, alice)


async def turn_of(here: CardRoom, person: Person) -> SoloPlayer:
    table = await here.bot.tables.get(here.bot.tables.seated(person.id)[-1])
    solo = SoloPlayer(here, table, person)
    await solo.wait()
    await here.rest()
    return solo


async def hinted(here: CardRoom) -> tuple[SoloPlayer, Message]:
    """Return Alice's hand, with a hint, at a practice table of Palmer."""
    solo = await practise(here, game="Palmer")
    alice = here.people[0]
    hand = await hand_of(alice, alice.dms)
    assert shown(await alice.click(hand, "Hint")) is hand
    return solo, hand


# Where it is played


async def test_practice_is_played_in_direct_messages_and_not_shown_in_the_channel(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    solo = await practise(here, game="Palmer", computers=2, strength="casual")
    assert (here.room.messages(), here.room.threads) == ([], [])
    assert solo.table.match.place == alice.dms.id
    hello, *_ = alice.sees(alice.dms)
    assert "You play against 🤖 Fern and 🤖 Moss" in hello.text
    assert shown(await alice.slash(alice.dms, "hand")).files
    assert f"/channels/@me/{alice.dms.id}" in (await alice.slash(here.room, "tables")).text
    await solo.finish()
    await here.rest()
    assert "No match has been finished here" in (await ben.slash(here.room, "leaderboard")).text
    answer = await alice.press(hello, f"hint:{solo.table.id}")
    assert "You have nothing to decide right now." in answer.text


async def test_every_game_can_be_practised(here: CardRoom) -> None:
    alice = here.people[0]
    for game in GAMES.values():
        await practise(here, game=game.title)
        hand = await hand_of(alice, alice.dms)
        assert "💡" in shown(await alice.click(hand, "Hint")).text
        await leave(alice, alice.dms)
        await here.rest()


async def test_who_was_away_from_the_server_comes_back_into_their_private_thread(here: CardRoom) -> None:
    alice = here.people[0]
    alice.close_dms()
    solo = await practise(here, game="Palmer")
    (thread,) = here.room.threads
    alice.leave(here.guild)
    here.guild.add(alice.user)
    assert not thread.sees(alice.id)
    answer = await alice.slash(here.room, "table show", table=str(solo.table.id))
    await here.box.until(lambda: f"<#{thread.id}>" in answer.text)
    assert thread.sees(alice.id)


async def test_without_any_private_place_practice_says_what_would_help(here: CardRoom) -> None:
    alice = here.people[0]
    alice.close_dms()
    here.room.deny(here.box.world.bot, Permission.CREATE_PRIVATE_THREADS)
    answer = await alice.slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "Create Private Threads" in answer.text)
    assert answer.ephemeral
    assert "privacy settings" in answer.text
    assert (here.room.messages(), here.bot.tables.seated(alice.id)) == ([], [])


async def test_where_there_can_be_no_private_thread_practice_says_what_would_help(here: CardRoom) -> None:
    alice = here.people[0]
    alice.close_dms()
    here.guild.most_threads = 0  # an announcement channel is refused with the same status
    for place in (here.room, added(here, ChannelType.voice)):
        answer = await alice.slash(place, "practice", game="Palmer")
        await here.box.until(lambda answer=answer: "privacy settings" in answer.text)  # type: ignore[misc]
        assert "or practise in a text channel where I have Create Private Threads" in answer.text
    here.guild.time_out(here.box.world.bot, 600)
    answer = await alice.slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "I am in a timeout" in answer.text)


async def test_a_double_click_opens_only_one_table(here: CardRoom) -> None:
    alice = here.people[0]
    page = shown(await alice.slash(here.room, "palmer rules"))
    await alice.click(page, "Try it", times=2)
    await here.box.until(lambda: here.bot.tables.seated(alice.id))
    await turn_of(here, alice)
    again = await alice.click(page, "Try it")
    await here.box.until(lambda: "You already have a practice table" in again.text)
    assert len(here.bot.tables.seated(alice.id)) == 1


async def test_practice_that_was_opened_but_could_not_begin_begins_with_the_next_click(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = here.people[0]
    page = shown(await alice.slash(here.room, "palmer rules"))
    fail(monkeypatch, here.bot.store, "append", once=True)
    failed = await alice.click(page, "Try it")
    await here.box.until(lambda: "could not be saved" in failed.text)
    await alice.click(page, "Try it")
    await turn_of(here, alice)


async def test_practice_that_could_not_begin_begins_with_the_same_command(here: CardRoom) -> None:
    alice = here.people[0]
    with failing(here.bot.store, "append"):
        failed = await alice.slash(here.room, "practice", game="Palmer")
        await here.box.until(lambda: "could not be saved" in failed.text)
    await practise(here, game="Palmer")
    assert here.bot.tables.seated(alice.id) == [1]
    await practise(here, game="Palmer", strength="casual")
    assert here.bot.tables.seated(alice.id) == [1, 2]


@pytest.mark.parametrize("killed", [False, True])
async def test_practice_that_could_not_begin_has_a_start_button(file: Path, killed: bool) -> None:
    async with without_a_bot() as (box, room, alice, _):
        async with connected_bot(box, file) as bot:
            with failing(bot.store, "append", RuntimeError("Killed.") if killed else FULL):
                failed = await alice.slash(room, "practice", game="Palmer")
                await box.until(lambda: bool(failed.text))
            await bot.publisher.wait()
            assert ("Start" in labels(alice.dms.messages()[-1])) is not killed
        async with connected_bot(box, file):
            await box.until(lambda: "Start" in labels(alice.dms.messages()[-1]))
            hello, card = alice.dms.messages()
            await alice.click(card, "Start")
            await box.until(lambda: "My hand" in labels(latest(alice, alice.dms)))
            assert alice.dms.messages()[:2] == [hello, card]


async def test_practice_with_too_few_or_too_many_computers_is_refused_with_a_sentence(here: CardRoom) -> None:
    alice = here.people[0]
    answer = await alice.slash(here.room, "practice", game="Palmer", computers=7)
    assert "Palmer takes at most 6 with these options: you and 5 computers." in answer.text
    answer = await alice.slash(here.room, "practice", game="Palmer", computers=1)
    assert "Palmer needs at least 2 computers beside you." in answer.text
    assert (alice.sees(alice.dms), here.bot.tables.seated(alice.id)) == ([], [])


# During practice


async def test_what_was_picked_stays_beside_a_hint(here: CardRoom) -> None:
    await practise(here, game="Twin Palms")
    alice = here.people[0]
    hand = await hand_of(alice, alice.dms)
    await alice.click(hand, "3")
    await alice.click(hand, "Hint")
    assert "💡" in hand.text
    assert "Bid 3" in labels(hand)


async def test_of_two_practice_tables_the_one_used_last_is_meant(here: CardRoom) -> None:
    alice = here.people[0]
    first = await practise(here, game="Palmer")
    second = await practise(here, game="Thirty-One")
    for solo in (first, second, first):
        await solo.table.play(alice.id, [solo.choice()], solo.table.clock.now())
        await solo.wait()
        offered = await alice.autocomplete(alice.dms, "move", "action", "")
        assert solo.choice() in [each["value"] for each in offered]
        assert f"table {solo.table.id}" in (await alice.slash(alice.dms, "hand")).text


async def practised(here: CardRoom) -> Person:
    """Practise to the end, and return who has."""
    await (await practise(here, game="Thirty-One")).finish()
    await here.rest()
    return here.people[0]


async def test_a_rematch_of_practice_is_private_too(here: CardRoom) -> None:
    alice = await practised(here)
    await alice.click(latest(alice, alice.dms, "Rematch"), "Rematch")
    await here.box.until(lambda: here.bot.tables.seated(alice.id))
    again = await turn_of(here, alice)
    assert (again.table.match.place, again.table.state.practice) == (alice.dms.id, True)
    assert here.room.messages() == []


async def test_a_rematch_of_practice_that_was_kept_without_an_answer_begins(here: CardRoom) -> None:
    alice = await practised(here)
    with losing_answers(here.bot.store, "create"):
        answer = await alice.click(latest(alice, alice.dms, "Rematch"), "Rematch")
        await here.box.until(lambda: here.bot.tables.seated(alice.id))
    await turn_of(here, alice)
    assert "The rematch has begun" in answer.told
    assert "My hand" in labels(latest(alice, alice.dms))


async def test_the_card_of_a_rematch_of_practice_that_never_began_is_found(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = await practised(here)
    fail(monkeypatch, here.bot.publisher.live, "note_card", once=True)
    fail(monkeypatch, here.bot.tables.store, "append", once=True)
    await alice.click(latest(alice, alice.dms, "Rematch"), "Rematch")
    await alice.slash(alice.dms, "table leave")
    await here.rest()
    assert not [each for each in alice.dms.messages() if "Join" in labels(each)]


async def test_practice_is_not_said_to_be_on_another_server(here: CardRoom) -> None:
    alice, *_ = here.people
    await alice.slash(here.room, "practice", game="Palace")
    said = refusal_of(await alice.slash(here.room, "table end"))
    assert said == "That table is in our direct messages. `/table leave` leaves it."
    assert "You have left table 1." in (await leave(alice, here.room)).told


async def test_nobody_else_can_use_a_practice_table_from_their_direct_messages(here: CardRoom) -> None:
    ben = here.people[1]
    solo = await practise(here, game="Palmer")
    number = solo.table.id
    await settled(here, await ben.slash(here.room, "practice", game="Palmer"))
    await here.rest()
    own = latest(ben, ben.dms)
    for custom_id in (f"hand:{number}", f"hint:{number}", f"do:{number}:0:0", f"form:{number}:0::draw"):
        assert "You do not sit" in (await ben.press(own, custom_id)).text
    for custom_id in (f"cancel:{number}", f"end:{number}", f"watch:{number}", f"rematch:{number}"):
        assert "There is no such table" in (await ben.press(own, custom_id)).text
    assert solo.table.is_open


async def test_who_leaves_the_last_common_server_plays_on_and_reads_why_the_table_is_not_shown(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    solo = await practise(here, game="Palmer")
    old, first = latest(alice, alice.dms), solo.table.pages.live.first
    alice.leave(here.guild)
    while solo.table.pages.live.first == first:
        await solo.table.play(alice.id, [solo.choice()], solo.table.clock.now())
        await solo.wait()
    async with asyncio.timeout(600):
        await here.rest()  # and it is not tried again and again
    hand = shown(await alice.click(old, "My hand"))
    assert "You and I are on no common server any more" in hand.text
    assert "who manages it" not in hand.text
    here.guild.add(alice.user)
    await solo.move(here.room)
    await here.rest()
    assert latest(alice, alice.dms).id > old.id
    assert "common server" not in shown(await alice.slash(here.room, "hand")).text


# Hints


async def test_do_it_is_refused_after_the_table_has_moved_on(here: CardRoom) -> None:
    solo, hand = await hinted(here)
    alice = here.people[0]
    old = next(each["custom_id"] for each in hand.buttons if each["label"] == "Do it")
    await solo.move(alice.dms)
    await solo.wait()
    await here.rest()
    moves = sum(entry.user == alice.id for entry in await here.bot.store.log(solo.table.id))
    assert "The table has moved on" in (await alice.press(hand, old)).text
    assert moves == sum(entry.user == alice.id for entry in await here.bot.store.log(solo.table.id))


async def test_no_hint_is_shown_for_a_decision_that_was_made_meanwhile(here: CardRoom) -> None:
    solo = await practise(here, game="Palmer")
    alice = here.people[0]
    hand = await hand_of(alice, alice.dms)
    async with held(here.bot.computers, "hint", alice.click(hand, "Hint"), after=True) as click:
        await solo.move(alice.dms)
        await solo.wait()
    assert shown(await click) is hand
    assert "The table has moved on" in hand.text
    assert "💡" not in hand.text


async def test_a_hint_to_wait_has_no_button(here: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(*_: object) -> Advice:
        return Advice(Action(0), "Wait for your team mate.", waits=True)

    await practise(here, game="Palmer")
    alice = here.people[0]
    hand = await hand_of(alice, alice.dms)
    monkeypatch.setattr(here.bot.computers, "hint", wait)
    await alice.click(hand, "Hint")
    assert "💡 Wait for your team mate." in hand.text
    assert "Do it" not in labels(hand)


async def test_a_forged_do_it_is_refused_politely(here: CardRoom) -> None:
    solo, hand = await hinted(here)
    n = solo.table.state.n
    for rest in [
        *("", ":", "0", "0:", "0:x", "-1:0", "0:99999999999999999999", "x:1:2"),
        f"{solo.table.state.prompts[0]}:98765",
    ]:
        answer = await here.people[0].press(hand, f"do:{solo.table.id}:{rest}")
        assert "does not work any more" in answer.text, rest
    assert solo.table.state.n == n


async def test_a_hint_in_a_match_with_other_people_is_refused(here: CardRoom) -> None:
    alice = here.people[0]
    card = await open_table(here.room, "twin-palms start", alice, computers=1)
    assert "Hints are for practice" in (await alice.press(card, "hint:1")).text
    await alice.click(card, "Start")
    await here.rest()
    hand = await hand_of(alice, here.thread(card))
    assert "Hint" not in labels(hand)
    assert "Hints are for practice" in (await alice.press(hand, "hint:1")).text


# Failures on opening


async def practise_with_a_full_disk(here: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask for practice as Alice while the disk refuses every write."""
    fail(monkeypatch, here.bot.store, "create")
    answer = await here.people[0].slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "could not be saved" in answer.text)


async def test_the_greeting_is_deleted_when_no_table_is_opened_below_it(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    await practise_with_a_full_disk(here, monkeypatch)
    assert here.people[0].dms.messages() == []


@pytest.mark.parametrize("manages", [True, False], ids=["may delete", "may not delete"])
async def test_the_thread_is_removed_when_no_table_is_opened_in_it(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch, manages: bool
) -> None:
    here.people[0].close_dms()
    if not manages:
        here.room.deny(here.box.world.bot, Permission.MANAGE_THREADS)
    await practise_with_a_full_disk(here, monkeypatch)
    assert [thread for thread in here.room.threads if not thread.archived] == []


async def test_a_thread_in_which_the_bot_cannot_write_is_removed(here: CardRoom) -> None:
    alice = here.people[0]
    alice.close_dms()
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    answer = await alice.slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "Send Messages in Threads" in answer.text)
    assert [thread for thread in here.room.threads if not thread.archived] == []


async def test_who_closes_their_direct_messages_plays_on_and_sees_the_table_again_once_they_are_open(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    solo = await practise(here, game="Palmer")
    alice.close_dms()
    first = solo.table.pages.live.first
    while solo.table.pages.live.first == first:
        await solo.move(here.room)
    async with asyncio.timeout(600):
        await here.rest()  # and it is not tried again and again
    hand = shown(await alice.slash(here.room, "hand"))
    assert "You take no direct messages from me" in hand.text
    assert "/doctor" not in hand.text
    asked = await alice.slash(here.room, "table show", table=f"{solo.table.id}")
    await here.box.until(lambda: "You take no direct messages from me" in asked.text)
    before = latest(alice, alice.dms)
    alice.open_dms()
    await solo.move(here.room)
    await here.rest()
    assert latest(alice, alice.dms).id > before.id
    assert "direct messages" not in shown(await alice.slash(here.room, "hand")).text


async def test_practice_where_the_bot_is_no_member_is_answered_in_time_on_a_slow_disk(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    alice.install()
    away = here.box.group(alice, ben)
    first = shown(await alice.slash(away, "practice", game="Palmer"))
    async with held(here.bot.store, "create", alice.slash(away, "practice", game="Palace")) as asking:
        await asyncio.sleep(3.2)
    answer = await asking
    await asyncio.sleep(2)
    assert answer.failed is None, "nobody sees the new match, and the one before is closed"
    assert has_form(shown(answer))
    assert first is not shown(answer)
