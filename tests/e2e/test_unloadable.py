"""A table whose log makes no sense, as one that is damaged or of a newer version: its people read so, and the rest goes
on."""

import asyncio
from pathlib import Path

import pytest

from bot.match.entries import CloseReason
from sandbox import Message, Permission
from tests.bot.store.stores import rows
from tests.e2e.card_room import CardRoom
from tests.e2e.match import refusal_of
from tests.e2e.players import deal, labels, open_table, set_preferences, shown
from tests.e2e.test_privacy import erase
from tests.held import held

SAID = (
    "Table 1 cannot be loaded, and stays as it is until it can. The person who hosts the bot finds the cause in its "
    "log."
)


def break_log(file: Path) -> None:
    """Let the log of table 1 make no sense from now on."""
    rows(file, "UPDATE log SET kind = 'un' || kind WHERE match = 1 AND kind <> 'sit'")


def mend_log(file: Path) -> None:
    """Let the log of table 1 make sense again, as after an update of the bot."""
    rows(file, "UPDATE log SET kind = substr(kind, 3) WHERE match = 1 AND kind LIKE 'un%'")


async def break_table(here: CardRoom, file: Path) -> None:
    """Let table 1 be one that cannot be loaded, as after a restart."""
    await here.rest()
    break_log(file)
    here.bot.tables.forget(await here.bot.tables.get(1))


@pytest.fixture
async def broken(here: CardRoom, file: Path) -> Message:
    """The card of Alice's table 1, which cannot be loaded. In the same channel she has table 2, a lobby."""
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben, pace="relaxed")
    await open_table(here.room, "palmer start", alice, pace="relaxed")
    await break_table(here, file)
    return card


async def test_whoever_sits_there_sees_their_other_tables_and_reads_about_it(
    here: CardRoom, broken: Message
) -> None:
    alice, ben, *_ = here.people
    listed = shown(await alice.slash(here.room, "tables"))
    assert "Palmer · table 2" in listed.text
    assert SAID in listed.text
    assert labels(listed) == ["Leave", "Play"]
    assert SAID in shown(await ben.slash(here.room, "tables")).text


async def test_commands_and_clicks_there_say_so(here: CardRoom, broken: Message) -> None:
    alice, ben, *_ = here.people
    assert "Which table?" in refusal_of(await alice.slash(here.room, "hand"))
    assert refusal_of(await ben.slash(here.room, "hand")) == SAID
    assert refusal_of(await here.people[2].click(broken, "Join")) == SAID
    assert refusal_of(await here.people[2].slash(here.room, "table leave", table="1")) == SAID


async def test_what_counts_at_all_tables_counts_at_the_others(here: CardRoom, broken: Message) -> None:
    alice, *_ = here.people
    await set_preferences(alice, here.room, ratings="never")
    shown(await alice.slash(here.room, "hours", zone="Africa/Abidjan"))
    hours = await here.bot.store.hours([alice.id])
    assert (await here.bot.tables.get(2)).hours == hours


async def test_whoever_sits_there_can_leave_and_be_erased(
    here: CardRoom, file: Path, broken: Message
) -> None:
    alice, ben, *_ = here.people
    assert "You sit at an open table (1), so nothing was erased" in refusal_of(
        await ben.slash(here.room, "privacy erase")
    )
    assert "`/table leave table:1` gives up your seat." in shown(await ben.slash(here.room, "tables")).text
    assert "You have left table 1." in (await ben.slash(here.room, "table leave")).text
    assert "You sit at no table." in shown(await ben.slash(here.room, "tables")).text
    assert "erased" in await erase(ben, here)
    assert not [row for row in await here.bot.store.log(1) if row.user == ben.id or "Ben" in row.body]
    mend_log(file)
    table = await here.bot.tables.get(1)
    assert table.is_open
    assert [player.user for player in table.state.players] == [alice.id]


async def test_a_computer_plays_for_whoever_has_left_a_match_there_and_they_can_come_back(
    here: CardRoom, file: Path
) -> None:
    alice, ben, cleo, *_ = here.people
    place = await deal(here, 3)
    await break_table(here, file)
    assert "You have left table 1." in (await ben.slash(place, "table leave")).text
    assert SAID in refusal_of(await ben.slash(place, "table leave", table="1")), "once is enough"
    mend_log(file)
    state = (await here.bot.tables.get(1)).state
    assert [state.players[seat].user for seat in sorted(state.gone)] == [ben.id]
    assert "You are back at table 1." in (await ben.slash(place, "table back")).text
    assert {each.user for each in state.players} == {alice.id, ben.id, cleo.id}


async def test_one_closes_when_its_last_person_leaves(here: CardRoom, file: Path) -> None:
    alice, ben, *_ = here.people
    await open_table(here.room, "twin-palms start", alice, ben, pace="relaxed")
    await here.rest()
    table = await here.bot.tables.get(1)
    break_log(file)
    table.outdate()  # as after a write that failed
    for person in (ben, alice):
        assert "You have left table 1." in (await person.slash(here.room, "table leave")).text
        assert "You sit at no table." in shown(await person.slash(here.room, "tables")).text
    assert await here.bot.store.open_matches() == []
    assert await here.bot.store.deadlines(1) == {}
    mend_log(file)
    assert (await here.bot.tables.get(1)).state.phase == "closed"


async def test_the_doctor_names_it(here: CardRoom, broken: Message) -> None:
    alice, ben, *_ = here.people
    here.guild.grant(alice.user, Permission.MANAGE_GUILD)
    await ben.slash(here.room, "tables")
    page = shown(await alice.slash(here.room, "doctor")).text
    assert "✗ Cannot be loaded: table 1.\n" in page
    assert "All tables of this server are shown" not in page


async def test_one_logs_its_fault_once_and_is_loaded_once_that_is_possible(
    here: CardRoom, file: Path, broken: Message, caplog: pytest.LogCaptureFixture
) -> None:
    ben = here.people[1]
    for _ in range(3):
        assert SAID in shown(await ben.slash(here.room, "tables")).text
    assert caplog.text.count("table 1 cannot be loaded") == 1
    mend_log(file)
    assert "Twin Palms · table 1" in shown(await ben.slash(here.room, "tables")).text


async def test_a_practice_table_that_cannot_be_loaded_keeps_nobody_from_the_next_one(
    here: CardRoom, file: Path
) -> None:
    alice, *_ = here.people
    alice.install()
    away = here.box.guild("Elsewhere", bot=False)
    away.add(alice.user)
    chat = away.channel("chat")
    shown(await alice.slash(chat, "practice", game="Palmer"))
    await break_table(here, file)
    assert "Palace · practice" in shown(await alice.slash(chat, "practice", game="Palace")).text


async def test_one_with_a_gap_in_its_log_can_be_left(here: CardRoom, file: Path) -> None:
    alice, ben, cleo, *_ = here.people
    place = await deal(here, 3)
    await break_table(here, file)
    rows(file, f"DELETE FROM log WHERE match = 1 AND user = {ben.id}")
    for person in (cleo, alice):
        assert "You have left table 1." in (await person.slash(place, "table leave")).text
    assert await here.bot.store.open_matches() == []


async def test_whoever_wants_to_leave_one_as_it_can_be_loaded_again_does_not_leave_unseen(
    here: CardRoom, file: Path, broken: Message
) -> None:
    ben = here.people[1]
    async with held(here.bot.store, "log", ben.slash(here.room, "table leave"), after=True) as leaving:
        others = asyncio.create_task(here.bot.tables.get(1))
        mend_log(file)
    table = await others
    assert SAID in refusal_of(await leaving)
    assert "You have left table 1." in (await ben.slash(here.room, "table leave")).text
    assert ben.id not in {player.user for player in table.state.players}


async def test_one_closes_once_though_a_server_removes_the_bot_as_its_night_is_cancelled(
    here: CardRoom, broken: Message
) -> None:
    tables = here.bot.tables
    reasons = CloseReason.BOT_REMOVED, CloseReason.ROUND_OVER
    await asyncio.gather(*(tables.close(1, reason) for reason in reasons))
    assert [row.kind for row in await here.bot.store.log(1)].count("close") == 1


async def test_nothing_is_kept_of_the_messages_of_one_that_has_closed(here: CardRoom, file: Path) -> None:
    alice, ben, *_ = here.people
    await deal(here, 2)
    await here.rest()
    publisher, table = here.bot.publisher, await here.bot.tables.get(1)
    break_log(file)
    table.outdate()  # as after a write that failed
    publisher.look_again(table)
    await here.rest()
    assert publisher._recovery.doubted() == [1]
    for person in (ben, alice):
        await person.slash(here.room, "table leave")
    assert (publisher.live.matches(), publisher._recovery.doubted()) == (set(), [])
    assert here.bot.tables.unloadable == set()
