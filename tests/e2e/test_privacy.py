"""`/privacy`: what is stored, as text and as a file, and erasing it."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bot.store import FORMER, InDoubt
from cogs.privacy import file_of
from sandbox import Answer, Channel, Message, Person
from sandbox.components import STRING_SELECT
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.followed_match import bot_and_channel
from tests.e2e.match import Match
from tests.e2e.players import bid, deal, labels, latest, leave, open_table, set_preferences, shown
from tests.e2e.test_profile import played
from tests.held import failing

NOTHING = "Nothing is stored about you."
NOTHING_TO_ERASE = "There is nothing about you to erase."


def exported(here: CardRoom, answer: Answer) -> dict[str, Any]:
    """Return the content of the file in an answer."""
    (file,) = shown(answer).files
    content = here.box.world.files[int(file["id"])]
    found: dict[str, Any] = json.loads(content)
    return found


async def settled(here: CardRoom, answer: Answer) -> Answer:
    """Wait until the answer has come in place of "… is thinking"."""
    await here.box.until(lambda: answer.message is not None and not answer.message.loading)
    return answer


async def privacy(person: Person, here: CardRoom, command: str) -> Answer:
    """Use a command of `/privacy` and return the answer."""
    return await settled(here, await person.slash(here.room, f"privacy {command}"))


async def question(person: Person, here: CardRoom) -> Message:
    return shown(await person.slash(here.room, "privacy erase"))


async def erase(person: Person, here: CardRoom) -> str:
    """Erase a person with the command and its button, and return the answer."""
    return (await settled(here, await person.click(await question(person, here), "Erase me"))).text


async def test_whoever_may_be_erased_does_not_read_of_a_move(here: CardRoom) -> None:
    alice, *_ = here.people
    await set_preferences(alice, here.room, pings="never")
    with failing(here.bot.store, "erase_person", InDoubt("The answer was lost.")):
        said = await erase(alice, here)
    assert "What you did may have counted" in said
    assert "move" not in said


# Showing and exporting


async def test_new_people_learn_that_nothing_is_stored(here: CardRoom) -> None:
    alice, *_ = here.people
    for command in ("show", "export"):
        answer = await privacy(alice, here, command)
        assert answer.text == NOTHING
        assert answer.ephemeral
    assert await erase(alice, here) == NOTHING_TO_ERASE


async def test_show_counts_what_is_stored_and_names_the_other_commands(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    for _ in range(3):
        await played(here, alice, ben)
    answer = await privacy(alice, here, "show")
    assert answer.ephemeral
    assert "- results: 3\n- ratings: 3" in answer.text
    assert "/privacy export" in answer.text
    assert "/privacy erase" in answer.text


@pytest.mark.parametrize("place", ["room", "dms"])
async def test_the_export_is_a_file_for_the_caller_alone(here: CardRoom, place: str) -> None:
    alice, ben, *_ = here.people
    await played(here, alice, ben, tricks=7)
    await set_preferences(alice, here.room, order="rank")
    answer = await settled(
        here, await alice.slash(here.room if place == "room" else alice.dms, "privacy export")
    )
    assert answer.ephemeral
    found = exported(here, answer)
    assert found["user"] == str(alice.id)
    (result,) = found["tables"]["results"]["rows"]
    assert (result["user"], result["name"], result["facts"]) == (str(alice.id), "Alice", '{"tricks": 7}')
    assert found["tables"]["preferences"]["rows"][0]["card_order"] == "rank"
    assert found["tables"]["results"]["columns"]["name"]["kept"] == "until you erase yourself"
    assert str(ben.id) not in json.dumps(found)


async def test_the_export_does_not_tell_how_often_others_have_changed_their_bids(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    await bid(place, alice, ben)
    for action in ("bid 2", "bid 1"):
        await bid(place, ben, action=action)
    await bid(place, alice, action="bid 2")
    rows = exported(here, await privacy(alice, here, "export"))["tables"]["log"]["rows"]
    assert [row["body"] for row in rows if row["kind"] == "move"] == ["bid 1", "bid 2"]
    assert [row["n"] for row in rows] == [*range(1, len(rows) + 1)]


def test_a_large_export_is_compressed() -> None:
    export = b"export" * 100
    small, large = file_of(export, len(export)), file_of(export, len(export) - 1)
    assert (small.filename, small.fp.read()) == ("palmhouse.json", export)
    assert (large.filename, gzip.decompress(large.fp.read())) == ("palmhouse.json.gz", export)


# Erasing


async def test_the_question_says_what_happens_and_erases_nothing(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await played(here, alice, ben)
    asked = await question(alice, here)
    assert asked.ephemeral
    assert "Nobody can undo this" in asked.text
    assert "A daily deal or practice match that only you see is closed" in asked.text
    assert "a keyed hash of your id is kept until it is" in asked.text
    assert labels(asked) == ["Erase me"]
    assert not (await here.bot.store.export_person(alice.id)).is_unknown


async def test_a_forged_click_erases_nobody(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await played(here, alice, ben)
    asked = await question(alice, here)
    for custom_id in ("erase-me:0", "erase-me:0:{other}", "erase-me:1:{own}", "erase-me:0:x"):
        forged = custom_id.format(own=alice.id, other=ben.id)
        for kind in (2, STRING_SELECT):
            values: dict[str, Any] = {"values": ["x"]} if kind == STRING_SELECT else {}
            answer = await alice.press(asked, forged, kind, **values)
            assert "does not work any more" in answer.text
            for person in (alice, ben):
                assert not (await here.bot.store.export_person(person.id)).is_unknown


async def test_people_at_an_open_table_are_refused_even_after_they_were_asked(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await played(here, alice, ben)
    asked = await question(alice, here)
    await open_table(here.room, "palace start", alice)
    for answer in (await alice.slash(here.room, "privacy erase"), await alice.click(asked, "Erase me")):
        await settled(here, answer)
        assert "You sit at an open table (2), so nothing was erased" in answer.text
    assert not (await here.bot.store.export_person(alice.id)).is_unknown


async def test_a_match_goes_on_without_the_name_of_a_person_who_left_it(match: Match) -> None:
    await match.deal(full=True)
    gone = match.people[0]
    await leave(gone, await match.place())
    assert "erased" in await erase(gone, match.here)
    await match.rest()
    state = (await match.table()).state
    assert state.players[0].name == FORMER
    assert state.players[0].user < 0
    assert gone.name not in (await match.board()).text
    assert FORMER in (await match.board()).text
    assert gone.id not in [row.user for row in await match.here.bot.store.log(1)]


async def press(person: Person, place: Channel, label: str) -> str:
    """Press the last button with that label there, and return the answer."""
    return (await person.click(latest(person, place, label), label)).text


async def test_whoever_left_and_was_erased_sees_no_second_hand_of_the_match(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    place = await deal(here, 3)
    await leave(ben, place)
    assert "erased" in await erase(ben, here)
    await leave(cleo, place)
    await here.rest()
    assert "You have played another seat of this match." in await press(ben, place, "Take Cleo's seat")
    await alice.slash(place, "table hand-over", member=ben)
    await here.rest()
    assert "You have played another seat of this match." in await press(ben, place, "Accept")
    assert ben.id not in [row.user for row in await here.bot.store.log(1)]
    await press(ben, place, f"Take {FORMER}'s seat")
    state = (await here.bot.tables.get(1)).state
    seat = state.seat_of(ben.id)
    assert seat is not None
    assert sorted(user < 0 for user, held in state.held.items() if held == seat) == [False, True]


async def test_a_start_forgets_who_was_erased_in_a_match_that_is_over(file: Path) -> None:
    async with card_room(file) as here:
        alice, ben, cleo, *_ = here.people
        place = await deal(here, 3)
        await leave(ben, place)
        assert "erased" in await erase(ben, here)
        for person in (alice, cleo):
            await leave(person, place)
        assert [*await here.bot.store.former_ids(ben.id)] == [1]
    async with card_room(file) as here, asyncio.timeout(20):
        while await here.bot.store.former_ids(ben.id):  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.05)


async def test_erasing_forgets_the_channel_of_direct_messages_and_old_buttons_there_are_answered(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    await settled(here, await alice.slash(here.room, "practice", game="Palace", computers=1))
    await here.rest()
    await leave(alice, alice.dms)
    await here.rest()
    assert "erased" in await erase(alice, here)
    found = await here.bot.store.match(1)
    assert found is not None
    assert (found.channel, found.place, found.card) == (0, None, None)
    assert await here.bot.store.posts(1) == []
    assert await here.bot.store.unpublished() == []
    old = next(message for message in reversed(alice.sees(alice.dms)) if message.buttons)
    for custom_id in old.custom_ids:
        answer = await alice.press(old, custom_id)
        assert answer.failed is None
        assert "the bot's fault" not in answer.text


async def test_erasing_forgets_a_direct_message_that_is_edited_meanwhile(here: CardRoom) -> None:
    alice, *_ = here.people
    await settled(here, await alice.slash(here.room, "practice", game="Palace", computers=1))
    await here.rest()
    here.box.faults.add(Fault("PATCH", rf"^/channels/{alice.dms.id}/messages", None, delay=10))
    await leave(alice, alice.dms)
    assert "erased" in await erase(alice, here)
    assert (await here.bot.tables.get(1)).match.placeless
    await asyncio.sleep(20)
    await here.rest()
    assert await here.bot.store.posts(1) == []
    assert not [each for each in here.box.requests if each.path == "/channels/0/messages"]


async def test_after_a_restore_whoever_was_erased_leaves_their_tables_and_the_others_are_called(
    tmp_path: Path,
) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        alice, ben, cleo = (bot.box.person(name, room.guild) for name in ("Alice", "Ben", "Cleo"))
        await open_table(room, "palace start", ben)
        card = await open_table(room, "twin-palms start", alice, ben, cleo)
        await alice.click(card, "Start")
        await bot.box.until(lambda: card.thread)
        thread = card.thread
        assert thread
        await bot.keep_copy()
        await leave(ben, thread)
        await ben.slash(room, "table leave", table="1")
        erased = await ben.click(shown(await ben.slash(room, "privacy erase")), "Erase me")
        await bot.box.until(lambda: "You are erased" in erased.text)
        await bot.bring_back()
        await bot.start()
        await bot.box.until(lambda: thread.messages()[-1].pings == {alice.id, cleo.id}, timeout=300)
        store = bot.client.store
        assert [row.kind for row in await store.log(1)] == ["sit", "restored", "leave", "close"]
        assert not [user for _, user in await store.members() if user < 0]
