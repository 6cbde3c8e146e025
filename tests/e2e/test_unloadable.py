"""A table whose log makes no sense, as one that is damaged or of a newer version: its people read so, and the rest goes
on."""

from pathlib import Path

import pytest

from sandbox import Message, Permission
from tests.bot.store.stores import rows
from tests.e2e.card_room import CardRoom
from tests.e2e.match import refusal_of
from tests.e2e.players import labels, open_table, set_preferences, shown

SAID = (
    "Table 1 cannot be loaded, and stays as it is until it can. The person who hosts the bot finds the cause in its "
    "log."
)


async def break_tables(here: CardRoom, file: Path, *tables: int) -> None:
    """Let the logs of tables make no sense from now on, as after a restart."""
    await here.rest()
    for table in tables:
        rows(file, f"UPDATE log SET kind = 'un' || kind WHERE match = {table}")
        here.bot.tables.forget(await here.bot.tables.get(table))


@pytest.fixture
async def broken(here: CardRoom, file: Path) -> Message:
    """The card of Alice's table 1, which cannot be loaded. In the same channel she has table 2, a lobby."""
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben, pace="relaxed")
    await open_table(here.room, "palmer start", alice, pace="relaxed")
    await break_tables(here, file, 1)
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
    assert refusal_of(await ben.slash(here.room, "table leave")) == SAID
    assert refusal_of(await here.people[2].click(broken, "Join")) == SAID


async def test_what_counts_at_all_tables_counts_at_the_others(here: CardRoom, broken: Message) -> None:
    alice, *_ = here.people
    await set_preferences(alice, here.room, ratings="never")
    shown(await alice.slash(here.room, "hours", zone="Africa/Abidjan"))
    hours = await here.bot.store.hours([alice.id])
    assert (await here.bot.tables.get(2)).hours == hours


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
    rows(file, "UPDATE log SET kind = substr(kind, 3) WHERE match = 1")
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
    await break_tables(here, file, 1)
    assert "Palace · practice" in shown(await alice.slash(chat, "practice", game="Palace")).text
