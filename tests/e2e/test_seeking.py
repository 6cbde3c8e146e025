"""`Tell me when …`: people who look for a game are called to tables, at most so often, and never by a role."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.store import Hours, Seek, Summons
from cogs.common.managing import NOT_DESCRIBED
from cogs.seeking.cog import AGAIN, GIVE_UP, Seeking
from cogs.seeking.summoning import MOST_ASKED, lookers
from sandbox import Answer, Message, Permission, Person, Sandbox, TextChannel
from sandbox.components import BUTTON
from sandbox.faults import Fault
from sandbox.guilds import Thread
from tests.bot.store.stores import rows
from tests.e2e.card_room import CardRoom, connected_bot, until_stored, without_a_bot
from tests.e2e.match import refusal_of
from tests.e2e.players import labels, modal_of, new_thread, open_table, press_more, secret_channel, shown
from tests.e2e.test_board import boards, put_board
from tests.e2e.test_forged import forged, submitted
from tests.e2e.test_left_guilds import purge_in_a_month, remove_bot
from tests.e2e.test_privacy import settled
from tests.e2e.test_servers import without_description
from tests.held import failing

CALL = "📣 "
"""Beginning of a call."""


async def look(person: Person, room: TextChannel | Thread, *games: str, **chosen: str) -> Answer:
    """Look for games by the form behind the button of `/play`."""
    modal = modal_of(await person.click(shown(await person.slash(room, "play")), "Tell me when …"))
    wanted = {"Pace": "any", "Until": "always", "At most": "3"} | chosen
    return await person.submit(modal, {"Games": [*games], **{name: [each] for name, each in wanted.items()}})


async def seek(here: CardRoom, person: Person, game: str, at: int = 1) -> None:
    """Store that somebody looks for a game, without a look at others who do."""
    await here.bot.store.set_seek(Seek(here.guild.id, person.id, person.name, (game,), "any", None, 3, at))


def calls(room: TextChannel | Thread) -> list[Message]:
    return [each for each in room.messages() if each.text.startswith(CALL)]


async def press_call(here: CardRoom, host: Person, card: Message, number: int) -> str:
    """Call people to a lobby, and return what its host is told."""
    more = shown(await host.click(card, "More"))
    return (await settled(here, await host.click(more, f"Call players ({number})"))).text


async def shown_board(here: CardRoom, manager: Person) -> Message:
    await put_board(manager, here.room, here.room)
    await here.box.until(lambda: bool(boards(here.room)), timeout=60)
    return boards(here.room)[0]


async def called(here: CardRoom, number: int = 1) -> list[Message]:
    await here.box.until(lambda: len(calls(here.room)) == number, timeout=120)
    return calls(here.room)


async def test_a_table_that_cannot_be_read_hides_no_other(
    here: CardRoom, manager: Person, tmp_path: Path
) -> None:
    alice, ben, cleo, dana, _ = here.people
    lobby = here.guild.channel("lobby")
    await put_board(manager, here.room, lobby)
    await open_table(here.room, "palmer start", alice)
    rows(tmp_path / "palmhouse.sqlite3", "UPDATE log SET kind = 'nonsense' WHERE match = 1")
    here.bot.tables.forget(await here.bot.tables.get(1))
    await open_table(here.room, "palmer start", ben)
    await here.box.until(lambda: any("Ben · table 2" in each.text for each in boards(lobby)), timeout=120)
    assert "Ben" in shown(await cleo.slash(here.room, "play")).text
    assert "is open: table 2" in shown(await look(dana, here.room, "palmer")).text
    assert [each["value"] for each in await alice.autocomplete(here.room, "hand", "table", "")] == ["2"]


async def test_who_looks_for_a_game_is_called_to_a_table_until_it_begins(here: CardRoom) -> None:
    alice, ben, cleo, dana, _ = here.people
    said = shown(await look(ben, here.room, "palace", "charms", Until="tonight"))
    assert said.ephemeral
    assert said.text.startswith("🔔 You look for **Charms and Palace** at any pace until <t:")
    assert ":t> or until you sit down. Whoever opens such a table" in said.text
    assert "at most 3 times a day." in said.text
    once = shown(await look(cleo, here.room, "palmer", **{"At most": "1"}))
    assert "at most once a day." in once.text
    await look(dana, here.room, "charms", Pace="relaxed")
    card = await open_table(here.room, "palace start", alice)
    assert "Call players (1)" not in labels(shown(await ben.click(card, "More")))
    said_to_host = await press_call(here, alice, card, 1)
    assert said_to_host.startswith("📣 1 player asked to be told, and is called.")
    (call,) = await called(here)
    assert call.text == (
        f"📣 <@{ben.id}>: **Alice** opened **Palace** · table 1\n"
        "-# You asked to be told. `Tell me when …` changes or stops that."
    )
    assert call.pings == {ben.id}
    assert "You sit at [table 1](" in shown(await ben.click(call, "Join")).text
    await here.box.until(lambda: "2 of 8 seats" in card.text)
    assert calls(here.room) == [call]
    await alice.click(card, "Start")
    await here.box.until(lambda: not calls(here.room), timeout=30)
    assert await here.bot.store.seek(here.guild.id, ben.id) is None  # they found a table
    assert await here.bot.store.seek(here.guild.id, cleo.id) is not None


async def test_a_table_is_offered_when_enough_people_look_for_the_same(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await look(alice, here.room, "palmer", Pace="relaxed")
    said = shown(await look(ben, here.room, "palmer", "charms"))
    assert "opened" not in said.text.splitlines()[0]  # Palmer takes three
    answer = await look(cleo, here.room, "palmer", "twin-it", Until="tonight")
    card = shown(answer)
    assert not card.ephemeral
    assert "Palmer · table 1" in card.text
    assert "1. Cleo (host)" in card.text
    told = (
        "2 players look for Palmer here, too, so I opened table 1 with you as its host, and called 2. `More` there "
        "cancels it.\n🔕 You have a seat now, so you are not called to tables any more."
    )
    await here.box.until(lambda: any(told == each.text for each in answer.followups), timeout=30)
    (call,) = await called(here)
    assert call.pings == {alice.id, ben.id}
    # It was made for a table at which she sits now.
    await here.box.until(lambda: bool(calls(here.room)))
    await asyncio.sleep(5)
    assert await here.bot.store.seek(here.guild.id, cleo.id) is None
    assert await here.bot.store.seek(here.guild.id, ben.id) is not None


async def test_two_people_who_look_for_the_same_at_once_find_each_other(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_seek, both = here.bot.store.set_seek, asyncio.Barrier(2)

    async def set_together(seek: Seek) -> None:
        await set_seek(seek)
        await both.wait()  # both share one commit

    monkeypatch.setattr(here.bot.store, "set_seek", set_together)
    answers = await asyncio.gather(*(look(each, here.room, "palace") for each in here.people[:2]))
    (said,) = [each.text for each in map(shown, answers) if each.ephemeral]
    assert said.startswith("🔔 You look for **Palace**")
    assert "**Palace** is open: table 1" in said
    assert len(here.bot.tables.of_guild(here.guild.id)) == 1


async def in_the_archive(here: CardRoom) -> str:
    """Open a table in a thread that is archived then, and return a pattern of the thread's path."""
    thread = new_thread(here.room, here.people[0])
    await open_table(thread, "palmer start", here.people[0])
    thread.archive()
    return rf"^/channels/{thread.id}$"


async def test_two_who_look_at_once_are_answered_though_discord_does_not_say_who_sees_a_table(
    here: CardRoom,
) -> None:
    here.box.faults.add(Fault("GET", await in_the_archive(here), None, times=4, delay=10))
    answers = await asyncio.gather(*(look(each, here.room, "palmer") for each in here.people[1:3]))
    await here.rest()
    for answer in answers:  # one waits for the other, and is answered later
        (said,) = answer.followups or [shown(answer)]
        assert said.text.startswith("🔔 You look for **Palmer**")


async def test_a_table_in_a_channel_of_which_discord_tells_nothing_is_not_shown(here: CardRoom) -> None:
    here.box.faults.add(Fault("GET", await in_the_archive(here), 0, times=5))
    assert shown(await look(here.people[1], here.room, "palmer")).text.startswith(
        "🔔 You look for **Palmer**"
    )


async def test_the_form_says_what_looking_for_a_game_brings(here: CardRoom, manager: Person) -> None:
    ben = here.people[1]

    async def form() -> str:
        page = shown(await ben.slash(here.room, "play"))
        return json.dumps(modal_of(await ben.click(page, "Tell me when …")).body)

    assert "A table opens when 3 people look for it" in (before := await form())
    assert "The last of them is its host" in before
    assert "your name is on the board" not in before
    await put_board(manager, here.room, here.room)
    assert "your name is on the board" in await form()
    said = shown(await look(ben, here.room, "palmer")).text
    assert "When 3 people look for the same, I open a table, and the last of them is its host." in said
    assert "Your name is on the board." in said
    assert "When enough people look" in shown(await look(ben, here.room, "palmer", "palace")).text


async def test_whoever_looks_for_a_table_that_is_open_is_shown_it(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await look(alice, here.room, "palace")
    await open_table(here.room, "palace start", here.people[2], pace="relaxed")
    await open_table(here.room, "palmer start", here.people[2])
    said = shown(await look(ben, here.room, "palace"))
    assert f"**Palace** is open: table 1 in <#{here.room.id}>" in said.text
    assert labels(said) == ["Join"]
    await ben.click(said, "Join")
    assert "table 3" not in "\n".join(here.transcript(here.room))


async def test_nothing_is_looked_for_before_discord_has_described_the_server(here: CardRoom) -> None:
    ben = here.people[1]
    await open_table(here.room, "palace start", here.people[2], pace="relaxed")
    modal = modal_of(await ben.click(shown(await ben.slash(here.room, "play")), "Tell me when …"))
    await without_description(here)
    wanted = {"Games": ["palace"], "Pace": ["any"], "Until": ["always"], "At most": ["3"]}
    assert refusal_of(await ben.submit(modal, wanted)) == NOT_DESCRIBED
    assert await here.bot.store.seek(here.guild.id, ben.id) is None
    await here.box.until(lambda: here.bot.server(here.guild.id) is not None)
    assert "**Palace** is open: table 1" in shown(await look(ben, here.room, "palace")).text


async def test_who_changes_only_how_they_are_called_opens_no_table(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    for person in (alice, ben):
        await seek(here, person, "palace")
    said = shown(await look(ben, here.room, "palace", **{"At most": "1"}))
    assert said.text.startswith(
        "1 player looks for Palace here, too: `/play` opens a table, and `More` there calls them.\n🔔 "
    )


async def test_people_of_a_server_are_called_once_in_half_an_hour(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await look(ben, here.room, "palmer", "palace", **{"At most": "10"})
    card = await open_table(here.room, "palmer start", alice)
    more = shown(await alice.click(card, "More"))
    answers = await asyncio.gather(*(alice.click(more, "Call players (1)") for _ in range(2)))
    told = [(await settled(here, each)).text for each in answers]
    assert sorted("is called" in each for each in told) == [False, True]
    assert "Call players (1)" not in labels(shown(await alice.click(card, "More")))
    other = await open_table(here.room, "palmer start", cleo)
    more = shown(await cleo.click(other, "More"))
    assert "less than 30 minutes ago. `Call players` in `More` works <t:" in more.text
    assert [each["disabled"] for each in more.buttons if each["label"] == "Call players (1)"] == [True]
    pressed = await settled(here, await forged(cleo, more, "call:2", BUTTON, []))
    assert "less than 30 minutes ago" in pressed.text
    assert len(await called(here)) == 1
    answer = await look(here.people[3], here.room, "palace")
    assert "1. Dana (host)" in shown(answer).text
    opened = "so I opened table 3 with you as its host. People of this server were called less than 30 minutes ago."
    await here.box.until(lambda: any(opened in each.text for each in answer.followups), timeout=30)
    assert "🔔 You look for **Palace**" in answer.followups[-1].text  # it has no end
    await here.later(1_800)
    assert "is called" in await press_call(here, here.people[3], shown(answer), 1)


async def test_a_person_is_called_so_often_a_day_as_they_want(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await look(ben, here.room, "palmer", **{"At most": "1"})
    first = await open_table(here.room, "palmer start", alice)
    await press_call(here, alice, first, 1)
    second = await open_table(here.room, "palmer start", alice)
    more = shown(await alice.click(second, "More"))
    assert not [each for each in labels(more) if "Call" in each]
    assert (
        "-# 1 more looks for Palmer, but cannot be called now: asleep, away, at other tables, or called often enough "
        "today. They see this table in `/play`."
    ) in more.text


async def test_nobody_is_called_to_a_table_in_their_night(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    now = datetime.fromtimestamp(here.box.clock.now(), UTC).hour
    for person, begins in ((ben, now + 3), (cleo, now - 1)):
        await here.bot.store.set_hours(person.id, Hours("Africa/Abidjan", begins % 24, (begins + 8) % 24))
        await look(person, here.room, "palace")
    card = await open_table(here.room, "palace start", alice)
    await press_call(here, alice, card, 1)
    assert [each.pings for each in await called(here)] == [{cleo.id}]


async def test_who_looks_for_a_game_is_told_of_others_who_cannot_be_called(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    tomorrow = here.bot.time.now() + 86_400_000
    await here.bot.tables.set_hours(ben.id, lambda _: Hours("Europe/Berlin", away_until=tomorrow))
    await look(ben, here.room, "palace", "palmer")
    said = shown(await look(alice, here.room, "palace", "palmer")).text
    assert said.startswith(
        "1 more looks for Palace, but cannot be called now: asleep, away, at other tables, or called often enough "
        "today. `/play` opens a table that they can find there.\n🔔 "
    )
    assert here.bot.tables.of_guild(here.guild.id) == []
    assert "1. Cleo (host)" in shown(await look(cleo, here.room, "palace")).text  # for her and Alice


async def test_slow_tables_call_first_who_is_awake_when_their_people_are(here: CardRoom) -> None:
    now = datetime.fromtimestamp(here.box.clock.now(), UTC).hour
    # The first one of them has no hours.
    for person, begins in zip(here.people, (now - 1, None, now - 6, now - 2, now - 4), strict=True):
        if begins is not None:
            hours = Hours("Africa/Abidjan", begins % 24, (begins + 8) % 24)
            await here.bot.store.set_hours(person.id, hours)
        await seek(here, person, "palmer")
    alice = here.people[0]
    _, ben, cleo, dana, eve = [person.id for person in here.people]
    for number, (pace, expected) in enumerate(
        {"correspondence": [dana, eve, ben, cleo], "live": [ben, cleo, dana, eve]}.items(), start=1
    ):
        await open_table(here.room, "palmer start", alice, pace=pace)
        assert await lookers(here.bot, await here.bot.tables.get(number)) == expected


async def test_who_does_not_see_the_channel_or_has_left_is_not_called(here: CardRoom) -> None:
    _, ben, cleo, dana, eve = here.people
    for person in (ben, cleo, dana):
        await seek(here, person, "palmer")
    secret = secret_channel(here, eve, dana)
    cleo.leave(here.guild)
    card = await open_table(secret, "palmer start", eve)
    assert "1 player asked" in await press_call(here, eve, card, 3)
    await here.box.until(lambda: bool(calls(secret)), timeout=30)
    assert calls(secret)[0].pings == {dana.id}
    assert await here.bot.store.seek(here.guild.id, cleo.id) is None


async def test_who_does_not_see_the_channel_is_behind_others_when_it_calls_again(here: CardRoom) -> None:
    alice, ben, *others = here.people
    others += [here.box.person(f"Guest {number}", here.guild) for number in range(MOST_ASKED - len(others))]
    for at, person in enumerate([*others, ben], 1):
        await seek(here, person, "palmer", at)
    secret = secret_channel(here, alice, ben)
    card = await open_table(secret, "palmer start", alice)
    assert "None of the 30 people whose turn it is" in await press_call(here, alice, card, 10)
    assert "1 player asked" in await press_call(here, alice, card, 10)
    await here.box.until(lambda: bool(calls(secret)), timeout=30)
    assert calls(secret)[0].pings == {ben.id}


async def test_who_looks_for_another_game_before_the_call_is_posted_is_not_in_it(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await look(ben, here.room, "palmer")
    await look(cleo, here.room, "palmer")
    await open_table(here.room, "palmer start", alice)
    table = await here.bot.tables.get(1)
    stored = Summons(1, here.guild.id, here.room.id, None, None, here.bot.time.now())
    assert await here.bot.store.call(stored, [ben.id, cleo.id], 0)
    await look(ben, here.room, "charms")
    here.bot.dispatch("summons", table)
    assert [each.pings for each in await called(here)] == [{cleo.id}]


async def test_a_seek_can_be_changed_and_stopped(here: CardRoom) -> None:
    ben = here.people[1]
    await look(ben, here.room, "palmer", "charms", Pace="relaxed", Until="tonight", **{"At most": "10"})
    modal = modal_of(await ben.click(shown(await ben.slash(here.room, "play")), "Tell me when …"))
    answer = await ben.submit(modal, {})
    assert "**Charms and Palmer** at the relaxed pace until <t:" in shown(answer).text
    modal = modal_of(await ben.click(shown(await ben.slash(here.room, "play")), "Tell me when …"))
    assert (await ben.submit(modal, {"Until": ["stop"]})).told == "🔕 You are not called to tables any more."
    assert await here.bot.store.seek(here.guild.id, ben.id) is None


FORGED: tuple[list[str], ...] = (
    [],
    ["palmer"],
    ["any", "always", "3"],
    ["chess", "any", "always", "3"],
    ["palmer", "fast", "always", "3"],
    ["palmer", "any", "never", "3"],
    ["palmer", "any", "always", "1000"],
    ["palmer", "any", "always", "3", "3"],
)


async def test_a_forged_form_is_refused_and_keeps_nothing(here: CardRoom) -> None:
    ben = here.people[1]
    page = shown(await ben.slash(here.room, "play"))
    for values in FORGED:
        refusal_of(await submitted(ben, page, "seek-with:0", values))
        assert await here.bot.store.seek(here.guild.id, ben.id) is None, values


async def test_a_game_that_left_the_menu_cannot_be_looked_for(here: CardRoom) -> None:
    ben = here.people[1]
    modal = modal_of(await ben.click(shown(await ben.slash(here.room, "play")), "Tell me when …"))
    await here.bot.store.leave_out(here.guild.id, ["palmer"])
    answer = await ben.submit(modal, {"Games": ["palmer", "charms"]})
    assert "Palmer left the menu of this server meanwhile." in refusal_of(answer)


async def test_only_the_host_calls_and_only_before_the_start(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await look(cleo, here.room, "palace")
    card = await open_table(here.room, "palace start", alice, ben)
    more = shown(await alice.click(card, "More"))
    answer = await forged(ben, shown(await ben.click(card, "More")), "call:1", BUTTON, [])
    assert "Only the host of this table" in refusal_of(answer)
    await alice.click(card, "Start")
    assert "The match has begun" in refusal_of(await alice.click(more, "Call players (1)"))
    assert calls(here.room) == []


async def test_nobody_counts_as_called_to_a_table_that_begins_meanwhile(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await look(ben, here.room, "palace")
    card = await open_table(here.room, "palace start", alice, computers=1)
    more = shown(await alice.click(card, "More"))
    here.box.faults.add(Fault("GET", rf"/members/{ben.id}$", None, delay=1.5))
    answer = await alice.click(more, "Call players (1)")
    await alice.click(card, "Start")
    await here.box.until(lambda: "This table has begun" in answer.text)
    assert await here.bot.store.summons() == []


async def test_nobody_is_called_where_the_bot_may_not_post(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await look(ben, here.room, "palmer")
    card = await open_table(here.room, "palmer start", alice)
    more = shown(await alice.click(card, "More"))
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    answer = await settled(here, await alice.click(more, "Call players (1)"))
    assert "so nobody can be called there" in answer.text


@pytest.mark.parametrize(
    "faults",
    [[(503, False)], [(503, True)], [(500, True)], [(500, False), (403, False)], [(500, True), (403, False)]],
    ids=["refused", "lost", "failed", "refused and then forbidden", "failed and then forbidden"],
)
async def test_a_call_stands_once_and_goes_though_answers_of_discord_are_lost(
    here: CardRoom, faults: list[tuple[int, bool]]
) -> None:
    alice, ben, *_ = here.people
    await look(ben, here.room, "palmer")
    card = await open_table(here.room, "palmer start", alice)
    for status, after in faults:
        here.box.faults.add(Fault("POST", rf"^/channels/{here.room.id}/messages$", status, after=after))
    await press_call(here, alice, card, 1)
    await asyncio.sleep(90)
    assert len(calls(here.room)) == 1
    await (await here.bot.tables.get(1)).cancel(alice.id, here.bot.time.now(), manages=False)
    await here.box.until(lambda: not calls(here.room), timeout=120)


async def call_to_a_table(box: Sandbox, room: TextChannel | Thread, host: Person, other: Person) -> None:
    """Let somebody look for a game, and a host call them to a table."""
    await look(other, room, "palmer")
    card = await open_table(room, "palmer start", host)
    await host.click(shown(await host.click(card, "More")), "Call players (1)")
    await box.until(lambda: bool(calls(room)), timeout=60)
    await asyncio.sleep(1)


async def test_a_call_is_found_again_after_a_kill_and_taken_away(file: Path) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        async with connected_bot(box, file) as bot:
            await call_to_a_table(box, room, alice, ben)
            await bot.store._change("UPDATE summons SET message = NULL")
        room.nonces.clear()
        async with connected_bot(box, file) as bot:
            await asyncio.sleep(10)
            assert len(calls(room)) == 1
            await (await bot.tables.get(1)).cancel(alice.id, bot.time.now(), manages=False)
            await box.until(lambda: not calls(room), timeout=60)


@pytest.mark.parametrize("in_thread", [False, True])
async def test_a_call_is_looked_for_until_the_bot_may_read_what_stands_there(
    file: Path, in_thread: bool
) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        place = new_thread(room, alice) if in_thread else room
        async with connected_bot(box, file) as bot:
            await call_to_a_table(box, place, alice, ben)
            await (await bot.tables.get(1)).cancel(alice.id, bot.time.now(), manages=False)
            await bot.store._change("UPDATE summons SET message = NULL")
        room.deny(box.world.bot, Permission.READ_MESSAGE_HISTORY)
        async with connected_bot(box, file):
            await asyncio.sleep(300)
            room.allow(box.world.bot, Permission.READ_MESSAGE_HISTORY)
            await box.until(lambda: not calls(place), timeout=120)


async def test_a_call_is_posted_where_the_bot_may_not_read(here: CardRoom) -> None:
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    await call_to_a_table(here.box, here.room, *here.people[:2])
    assert len(calls(here.room)) == 1


async def test_a_call_to_a_table_under_older_rules_is_taken_away(file: Path) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        async with connected_bot(box, file) as bot:
            await call_to_a_table(box, room, alice, ben)
            await bot.store._change("UPDATE matches SET rules = 0")
        async with connected_bot(box, file) as bot:
            await box.until(lambda: not calls(room), timeout=120)
            await asyncio.sleep(1)
            assert [each.message for each in await bot.store.summons()] == [0]


async def test_the_board_shows_who_looks_for_a_game(here: CardRoom, manager: Person) -> None:
    ben, cleo = here.people[1:3]
    board = await shown_board(here, manager)
    modal = modal_of(await ben.click(board, "Tell me when …"))
    chosen = {"Games": ["palmer"], "Until": ["hour"]}
    await ben.submit(modal, chosen)
    await look(cleo, here.room, "charms", "twin-it", "liars-dice", "thirty-one")
    wanted = ("**Ben** looks for Palmer until <t:", "**Cleo** looks for one of 4 games")
    await here.box.until(lambda: all(each in board.text for each in wanted), timeout=60)
    await here.later(3_600)
    await asyncio.sleep(100)
    assert "Ben" not in board.text
    assert "**Cleo** looks for" in board.text


async def test_the_board_leaves_out_who_looks_for_a_game_but_is_away(here: CardRoom, manager: Person) -> None:
    ben, cleo = here.people[1:3]
    back = here.bot.time.now() + 3_600_000
    await here.bot.tables.set_hours(ben.id, lambda _: Hours("Europe/Berlin", away_until=back))
    for person in (ben, cleo):
        await look(person, here.room, "palmer")
    board = await shown_board(here, manager)
    assert "**Cleo** looks for Palmer" in board.text
    assert "Ben" not in board.text
    await here.later(3_600)
    await asyncio.sleep(100)
    assert "**Ben** looks for Palmer" in board.text


async def test_five_thousand_people_who_look_for_a_game_cost_little(here: CardRoom) -> None:
    alice, store = here.people[0], here.bot.store
    await look(here.people[1], here.room, "palmer")
    await store._change("UPDATE seeks SET at = -1")
    await store._writer.write(
        lambda db: db.execute_many(
            "INSERT INTO seeks (guild, user, name, games, pace, most, at) VALUES (?, ?, ?, ?, 'live', 3, ?)",
            [(here.guild.id, 10**18 + each, f"#{each}", '["palmer"]', each) for each in range(5_000)],
        )
    )
    card = await open_table(here.room, "palmer start", alice)
    said = await press_call(here, alice, card, 10)
    assert said.startswith("📣 1 player asked")
    requests = [each for each in here.box.requests if "/members/" in each.path]
    assert len(requests) <= 30


async def test_who_has_erased_themselves_looks_for_no_game_any_more(here: CardRoom, manager: Person) -> None:
    ben = here.people[1]
    await shown_board(here, manager)
    await look(ben, here.room, "palmer")
    await here.box.until(lambda: "**Ben** looks" in boards(here.room)[0].text, timeout=60)
    asked = shown(await ben.slash(here.room, "privacy erase"))
    assert "erased" in (await settled(here, await ben.click(asked, "Erase me"))).text
    assert await here.bot.store.seek(here.guild.id, ben.id) is None
    await here.box.until(lambda: "Ben" not in boards(here.room)[0].text, timeout=120)


async def test_a_call_ends_with_its_channel(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    room = here.guild.channel("another-room")
    await call_to_a_table(here.box, room, alice, ben)
    room.delete()
    await (await here.bot.tables.get(1)).cancel(alice.id, here.bot.time.now(), manages=False)
    await until_stored(here.bot.store.summons, lambda found: found[0].message == 0)


@pytest.mark.parametrize("hours", [5, 7])
async def test_a_call_that_cannot_be_deleted_is_tried_again_for_hours(
    here: CardRoom, hours: int, caplog: pytest.LogCaptureFixture
) -> None:
    alice, ben, *_ = here.people
    await call_to_a_table(here.box, here.room, alice, ben)
    here.room.deny(here.box.world.bot, Permission.VIEW_CHANNEL)
    await (await here.bot.tables.get(1)).cancel(alice.id, here.bot.time.now(), manages=False)
    await asyncio.sleep(300)
    assert caplog.text.count("the summons to table 1") == 1, "not at each try"
    cog = here.bot.get_cog("Seeking")
    assert isinstance(cog, Seeking)
    cog._tried[1] -= hours * 3_600  # as after hours of tries
    await asyncio.sleep(200)
    here.room.allow(here.box.world.bot, Permission.VIEW_CHANNEL)
    before = len(here.box.requests)
    await asyncio.sleep(200)
    assert len(calls(here.room)) == (hours > 6)
    deleted = [each for each in here.box.requests[before:] if each.method == "DELETE"]
    assert len(deleted) == (hours < 6)


async def test_why_a_lobby_cannot_be_filled_is_logged_once_each_time_that_it_begins(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    await open_table(here.room, "palmer start", here.people[0])
    for times in (1, 2):
        with failing(here.bot.store, "find_seats"):
            await asyncio.sleep(300)
        assert caplog.text.count("the summons to table 1: The disk is full.") == times
        await asyncio.sleep(2 * AGAIN)


async def test_an_old_call_that_cannot_be_deleted_at_once_is_tried_again(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await call_to_a_table(here.box, here.room, alice, ben)
    await here.bot.store._change("UPDATE summons SET at = 0")
    here.box.fail("DELETE", f"^/channels/{here.room.id}/messages/", 503)
    await (await here.bot.tables.get(1)).cancel(alice.id, here.bot.time.now(), manages=False)
    await here.box.until(lambda: not calls(here.room), timeout=200)


async def test_a_call_that_stays_after_all_is_taken_away_later_as_any_other(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await look(ben, here.room, "palmer")
    card = await open_table(here.room, "palmer start", alice, computers=4, pace="relaxed")
    await press_call(here, alice, card, 1)
    (call,) = await called(here)
    path = f"^/channels/{here.room.id}/messages/{call.id}$"
    here.box.fail("DELETE", path, 503)
    await cleo.click(card, "Join")
    await asyncio.sleep(10)
    cog = here.bot.get_cog("Seeking")
    assert isinstance(cog, Seeking)
    cog._tried[1] -= GIVE_UP  # as after hours
    await press_more(cleo, card, "Leave")
    await asyncio.sleep(100)
    assert calls(here.room) == [call]
    here.box.fail("DELETE", path, 503)
    await cleo.click(card, "Join")
    await here.box.until(lambda: not calls(here.room), timeout=120)


async def test_nothing_is_kept_of_calls_on_a_server_that_was_purged(here: CardRoom) -> None:
    await call_to_a_table(here.box, here.room, *here.people[:2])
    await remove_bot(here)
    await purge_in_a_month(here)
    await asyncio.sleep(2 * AGAIN)
    cog = here.bot.get_cog("Seeking")
    assert isinstance(cog, Seeking)
    assert cog._standing == cog._changed == {}
