"""Seasons: `/settings season`, the table in `/leaderboard`, and the end, which is posted once whatever happens."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.standings.ratings import DAY
from bot.standings.season import SETTLING
from bot.store import Season, Store, Unreadable, open_store
from cogs.standings import closing
from games import GAMES
from sandbox import Message, Permission, Person, Sandbox
from sandbox.faults import Fault
from tests.e2e.card_room import (
    CardRoom,
    connected_bot,
    forget_nonces,
    until_shown,
    until_stored,
    without_a_bot,
)
from tests.e2e.followed_match import post_that_comes_late
from tests.e2e.match import check_answer, refusal_of
from tests.e2e.players import labels, set_preferences, shown, text_and_alt
from tests.e2e.processes import BotProcess, Condition, bot_process
from tests.e2e.stored_matches import begin_match, end_match
from tests.held import failing, held

GAME = GAMES["palace"]
MESSAGES = r"^/channels/\d+/messages$"


async def play(
    store: Store, guild: int, people: Sequence[Person], started: int, ended: int | None = None
) -> int:
    """Store a match in which these people came first, second and so on; without `ended`, one in play."""
    match = await begin_match(store, guild, people, started)
    if ended is not None:
        await end_match(store, match, guild, people, ended)
    return match


async def played(here: CardRoom, *people: Person) -> None:
    """Store a match that starts and ends now."""
    now = here.bot.time.now()
    await play(here.bot.store, here.guild.id, people, now, now)


async def begin(here: CardRoom, name: str = "Autumn", days: int = 30) -> Person:
    """Let Alice, who manages the server, start a season, and return her."""
    alice = here.people[0]
    here.guild.grant(alice.user, Permission.MANAGE_GUILD)
    begun = shown(await alice.slash(here.room, "settings season start", name=name, days=days))
    assert not begun.ephemeral
    assert "has begun" in begun.text
    return alice


async def begin_played(here: CardRoom) -> Person:
    """Let Alice start a season of a day, win a match in it against Ben, and return her."""
    alice = await begin(here, days=1)
    await played(here, alice, here.people[1])
    return alice


async def the_season(here: CardRoom) -> Season:
    return (await here.bot.store.seasons(here.guild.id))[0]


def finals(box: Sandbox) -> list[Message]:
    """Return the messages with a final table."""
    found = [message for channel in box.world.channels.values() for message in channel.messages()]
    return [message for message in found if "is over" in message.text]


async def posted(here: CardRoom) -> Season:
    """Wait until the bot has stored that the latest season's final table is posted, or refused."""
    return await until_stored(lambda: the_season(here), lambda season: season.message is not None)


async def pass_by(here: CardRoom, ms: int) -> None:
    """Let time pass, and let the bot learn it."""
    await here.later(ms / 1000)


async def test_a_season_from_its_start_to_its_final_table(here: CardRoom) -> None:
    alice = await begin(here)
    _, ben, cleo, *_ = here.people
    await played(here, alice, ben, cleo)
    await played(here, ben, alice)
    table = shown(await ben.slash(here.room, "leaderboard", period="this season"))
    assert "1. Ben (marked): points 150, wins 1, matches 2. 2. Alice: points 100" in text_and_alt(table)
    assert "Ben is 1st of 3 with 150 points from 2 matches." in table.text
    await pass_by(here, 30 * DAY + SETTLING)
    await here.box.until(lambda: len(finals(here.box)) == 1)
    (final,) = finals(here.box)
    assert final.text.startswith("### Season Autumn is over\n<t:")
    assert "\n🏆 **Ben** wins with 150 points." in final.text
    (picture,) = final.files
    assert picture["description"].startswith("Autumn · ")
    assert "3. Cleo: points 0, wins 0, matches 1." in picture["description"]
    assert labels(final) == ["My place"]
    own = shown(await cleo.click(final, "My place"))
    assert own.ephemeral
    assert "Cleo is 3rd of 3 with 0 points from 1 match." in own.text
    assert "final table" in own.text
    assert (await posted(here)).message == final.id


async def test_a_season_waits_for_the_match_that_started_in_its_last_moment(here: CardRoom) -> None:
    alice = await begin(here)
    _, ben, *_ = here.people
    season, store = await the_season(here), here.bot.store
    late = await play(store, here.guild.id, [ben, alice], season.ends - 1)
    await play(store, here.guild.id, [alice, ben], season.ends)
    await pass_by(here, 30 * DAY + SETTLING)
    table = shown(await ben.slash(here.room, "leaderboard", period="this season"))
    assert "over; the table is final once the last match of the season ends" in table.text
    assert finals(here.box) == []
    await end_match(store, late, here.guild.id, [ben, alice], season.ends + DAY)
    await here.box.until(lambda: len(finals(here.box)) == 1)
    assert "**Ben** wins with 100 points" in finals(here.box)[0].text


async def test_a_season_ends_early_once(here: CardRoom) -> None:
    alice = await begin(here)
    assert "Season Autumn goes on until" in refusal_of(
        await alice.slash(here.room, "settings season start", name="Winter", days=1)
    )
    assert "no season of that name" in refusal_of(
        await alice.slash(here.room, "settings season end", season="Autum")
    )
    await pass_by(here, 1)
    ended = await alice.slash(here.room, "settings season end", season="autumn")
    assert "Season Autumn has ended" in ended.text
    again = await alice.slash(here.room, "settings season end", season="Autumn")
    assert "has ended already" in refusal_of(again)
    await pass_by(here, SETTLING)
    await here.box.until(lambda: len(finals(here.box)) == 1)
    assert "No rated match of this season has been finished." in finals(here.box)[0].text


async def test_a_season_does_not_end_before_its_start_when_the_clock_goes_back(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = await begin(here)
    season = await the_season(here)
    await play(here.bot.store, here.guild.id, [alice, here.people[1]], season.starts)
    monkeypatch.setattr(here.bot.time, "now", lambda: season.starts - DAY)
    refused = await alice.slash(here.room, "settings season end", season="Autumn")
    assert "was deleted already, or has a match" in refusal_of(refused)
    refused = await alice.slash(here.room, "settings season start", name="Winter", days=2)
    assert "Season Autumn begins <t:" in refusal_of(refused)
    assert await here.bot.store.seasons(here.guild.id) == [season]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("**Gold** <@1> @everyone", "∗∗Gold∗∗ ‹＠1› ＠every"),
        ("\u202eAutumn\nCup", "Autumn Cup"),
        ("كأس الخريف", "\u2068كأس الخريف\u2069"),
        ("🌴" * 32, "🌴" * 20),
    ],
)
async def test_any_name_is_safe_to_print_and_can_be_asked_for(here: CardRoom, typed: str, kept: str) -> None:
    alice = await begin(here, typed)
    await played(here, alice, here.people[1])
    assert (await the_season(here)).name == kept
    (choice,) = await alice.autocomplete(here.room, "leaderboard", "season", "")
    for name in (choice["value"], typed):
        table = shown(await alice.slash(here.room, "leaderboard", season=name))
        assert f"### Season {kept}" in table.text
    await alice.slash(here.room, "settings season end", season=typed)
    await pass_by(here, SETTLING + 1)
    await here.box.until(lambda: len(finals(here.box)) == 1)
    assert kept in finals(here.box)[0].text


async def test_names_are_visible_and_not_given_twice(here: CardRoom) -> None:
    alice = await begin(here)
    blank = await alice.slash(here.room, "settings season rename", season="Autumn", name="\u200b\u2800")
    assert "Nothing of that name can be seen" in refusal_of(blank)
    assert (
        "is called AUTUMN now"
        in (await alice.slash(here.room, "settings season rename", season="Autumn", name="AUTUMN")).text
    )
    await alice.slash(here.room, "settings season end", season="AUTUMN")
    await pass_by(here, SETTLING)
    taken = await alice.slash(here.room, "settings season start", name="autumn", days=3)
    assert "of that name here already" in refusal_of(taken)
    await begin(here, "Winter")
    taken = await alice.slash(here.room, "settings season rename", season="Winter", name="Autumn")
    assert "of that name here already" in refusal_of(taken)


async def test_only_people_who_manage_the_server_change_seasons(here: CardRoom) -> None:
    await begin(here)
    ben = here.people[1]
    with pytest.raises(Exception, match="settings"):
        await ben.slash(here.room, "settings season end", season="Autumn")
    here.guild.commands_for_all = True
    for command, options in (
        ("role", {}),
        ("start", {"name": "Winter", "days": 3}),
        ("end", {"season": "Autumn"}),
        ("rename", {"season": "Autumn", "name": "Winter"}),
    ):
        refused = await ben.slash(here.room, f"settings season {command}", **options)
        assert "permission Manage Server" in refusal_of(refused)
    assert [each.name for each in await here.bot.store.seasons(here.guild.id)] == ["Autumn"]


async def test_a_table_without_a_season_is_refused(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    assert "No season is running here" in refusal_of(
        await ben.slash(here.room, "leaderboard", period="this season")
    )
    await begin(here)
    assert "no season of that name" in refusal_of(await ben.slash(here.room, "leaderboard", season="Spring"))
    counted = await ben.slash(here.room, "leaderboard", game="Palace", period="this season")
    assert "counts all games together" in refusal_of(counted)
    empty = shown(await alice.slash(here.room, "leaderboard", period="this season"))
    assert "No rated match of this season has been finished." in empty.text


async def test_a_forged_page_is_refused(here: CardRoom) -> None:
    alice = await begin(here)
    ben = here.people[1]
    await played(here, alice, ben)
    page = shown(await ben.slash(here.room, "leaderboard", period="this season"))
    for rest in ["9:0", "1:-1", "1:", "1:10000", "1:one", "1:0:0", "01:0", "1", "", "1:MINE"]:
        assert "does not work any more" in refusal_of(await ben.press(page, f"season:0:{rest}")), rest


async def test_the_table_of_another_server_is_not_shown(here: CardRoom) -> None:
    alice = await begin(here)
    await played(here, alice, here.people[1])
    other = await here.bot.store.add_season(here.guild.id + 1, 1, "Theirs", 1, 2)
    assert other is not None
    page = shown(await alice.slash(here.room, "leaderboard", period="this season"))
    assert "does not work any more" in refusal_of(await alice.press(page, f"season:0:{other.id}:0"))
    assert "no season" in refusal_of(await alice.slash(here.room, "leaderboard", season="Theirs"))


async def test_everybody_turns_pages_of_a_season_and_reads_it_as_text(here: CardRoom) -> None:
    alice = await begin(here)
    crowd = [here.box.person(f"Guest {number:02}", here.guild) for number in range(24)]
    for first in range(0, 24, 4):
        await played(here, *crowd[first : first + 4])
    posted = shown(await crowd[3].slash(here.room, "leaderboard", period="this season", public=True))
    assert "page 2 of 3" in posted.text
    own = shown(await crowd[3].click(posted, "Next"))
    assert own.ephemeral
    assert "page 3 of 3" in own.text
    assert "Guest 03 (marked)" in text_and_alt(shown(await crowd[3].click(own, "My place")))
    await set_preferences(alice, here.room, pictures="text only")
    page = shown(await alice.slash(here.room, "leaderboard", period="this season"))
    assert page.files == []
    assert "Alice has no rated match in this season." in page.text
    assert max(map(len, page.text.split("```")[1].splitlines())) <= 34


@pytest.mark.parametrize("missing", [Permission.ATTACH_FILES, Permission.READ_MESSAGE_HISTORY])
async def test_a_final_table_is_posted_without_these_permissions(
    here: CardRoom, missing: Permission, caplog: pytest.LogCaptureFixture
) -> None:
    await begin_played(here)
    here.room.deny(here.box.world.bot, missing)
    await pass_by(here, DAY + SETTLING)
    await here.box.until(lambda: len(finals(here.box)) == 1)
    assert "1. Alice: points 100" in text_and_alt(finals(here.box)[0])
    await posted(here)
    assert ("sent without pictures" in caplog.text) is (missing is Permission.ATTACH_FILES)


async def test_a_final_table_that_may_not_be_posted_can_be_opened_and_is_posted_later(here: CardRoom) -> None:
    alice = await begin_played(here)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    await pass_by(here, DAY + SETTLING)
    await asyncio.sleep(300)
    table = shown(await alice.slash(here.room, "leaderboard", season="Autumn"))
    assert "final table" in table.text
    here.room.allow(here.box.world.bot, Permission.SEND_MESSAGES)
    await posted(here)
    assert len(finals(here.box)) == 1


async def test_a_final_table_is_left_out_where_it_may_not_be_posted_for_a_day(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    await begin_played(here)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    await pass_by(here, DAY + SETTLING)
    await asyncio.sleep(300)
    assert (await the_season(here)).message is None
    assert len([each for each in caplog.messages if "could not be finished yet" in each]) == 1
    await pass_by(here, closing.GIVE_UP)
    assert (await posted(here)).message == 0


async def test_a_season_that_another_process_has_finished_is_forgotten(here: CardRoom) -> None:
    process = closing.Closing(here.bot)
    await begin_played(here)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    await pass_by(here, DAY + SETTLING)
    await process.finish_seasons()
    assert {*process._failing.works} == {*process._rests} == {1}
    here.room.allow(here.box.world.bot, Permission.SEND_MESSAGES)
    await posted(here)
    await process.finish_seasons()
    assert not process._failing.works
    assert not process._rests


async def test_a_season_that_is_renamed_while_its_post_is_held_up_has_its_new_name(here: CardRoom) -> None:
    alice = await begin(here, days=1)
    async with held(closing, "look_back", pass_by(here, DAY + SETTLING)):
        await alice.slash(here.room, "settings season rename", season="Autumn", name="Winter")
    await posted(here)
    assert [each.text.partition("\n")[0] for each in finals(here.box)] == ["### Season Winter is over"]


@pytest.mark.parametrize("after", [False, True], ids=["not carried out", "carried out"])
@pytest.mark.parametrize("status", [0, 500])
async def test_a_final_table_with_a_lost_answer_comes_once(here: CardRoom, after: bool, status: int) -> None:
    await begin_played(here)
    here.box.faults.add(Fault("POST", MESSAGES, status, times=2, after=after))
    await pass_by(here, DAY + SETTLING)
    await here.box.until(lambda: len(finals(here.box)) >= 1, timeout=30)
    assert [(await posted(here)).message] == [message.id for message in finals(here.box)]


async def test_a_final_table_is_posted_once_where_no_message_can_be_looked_for(here: CardRoom) -> None:
    await begin_played(here)
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    here.box.faults.add(Fault("POST", MESSAGES, 503, times=2, after=True))
    await pass_by(here, DAY + SETTLING)
    assert [(await posted(here)).message] == [message.id for message in finals(here.box)]


async def test_a_final_table_of_a_database_that_was_lost_is_not_taken_for_that_of_a_new_season(
    tmp_path: Path,
) -> None:
    async with without_a_bot() as (box, room, alice, _):
        room.guild.grant(alice.user, Permission.MANAGE_GUILD)
        for number, name in enumerate(("Autumn", "Winter"), 1):
            async with connected_bot(box, tmp_path / name):
                check_answer(await alice.slash(room, "settings season start", name=name, days=1))
                box.clock.advance((DAY + SETTLING) / 1000)
                await alice.slash(room, "tables")
                await until_shown(box, lambda number=number: len(finals(box)) == number, 60)  # type: ignore[misc]


# Faults of the store between the end of a season and its posted table

AT_THE_END = ("unfinished_seasons", "close_season", "final_table", "keep_final_post")
"""The requests of the bot to the store at the end of a season, in order."""


@pytest.mark.parametrize("carried_out", [False, True], ids=["not carried out", "carried out"])
@pytest.mark.parametrize("name", AT_THE_END)
async def test_a_fault_of_the_store_at_any_step_leaves_one_final_table(
    here: CardRoom, name: str, carried_out: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin_played(here)
    ask, failed = getattr(here.bot.store, name), 0

    async def fail_three_times(*args: Any, **options: Any) -> Any:
        nonlocal failed
        if here.bot.time.now() < season.ends or failed == 3:
            return await ask(*args, **options)
        failed += 1
        if carried_out:
            await ask(*args, **options)
        raise Unreadable("The database cannot be read: planted.")

    season = await the_season(here)
    monkeypatch.setattr(here.bot.store, name, fail_three_times)
    await pass_by(here, DAY + SETTLING)
    kept = (await posted(here)).message
    await asyncio.sleep(60)  # it looks several times more
    assert [message.id for message in finals(here.box)] == [kept]
    assert failed == (1 if carried_out and name in ("close_season", "keep_final_post") else 3)
    assert "1. Alice: points 100" in text_and_alt(finals(here.box)[0])


async def test_a_season_is_not_closed_twice_when_the_clock_jumps_back(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = await begin_played(here)
    await pass_by(here, DAY + SETTLING)
    season, rows = await posted(here), await here.bot.store.final_table((await the_season(here)).id)
    monkeypatch.setattr(here.bot.time, "now", lambda: season.starts + 5)
    late = await play(here.bot.store, here.guild.id, [here.people[1], alice], season.starts + 5)
    await end_match(here.bot.store, late, here.guild.id, [here.people[1], alice], season.starts + 6)
    await asyncio.sleep(60)
    assert await the_season(here) == season
    assert await here.bot.store.final_table(season.id) == rows
    assert len(finals(here.box)) == 1
    refused = await alice.slash(here.room, "settings season end", season="Autumn")
    assert "has ended already" in refusal_of(refused)


# Kills

KILLS: dict[str, Callable[[BotProcess], Condition]] = {
    "the season is closed": lambda bot: (
        lambda: bool(bot.read("SELECT 1 FROM seasons WHERE closed IS NOT NULL"))
    ),
    "the table is posted": lambda bot: bot.request_made("POST", MESSAGES),
}


@pytest.mark.parametrize(
    ("kill", "nonces"),
    [("the season is closed", True), ("the table is posted", True), ("the table is posted", False)],
    ids=["before the post", "after the post", "after the post, nonces forgotten"],
)
async def test_a_kill_at_the_end_of_a_season_leaves_one_final_table(
    tmp_path: Path, kill: str, nonces: bool
) -> None:
    file = tmp_path / "palmhouse.sqlite3"
    async with without_a_bot() as (box, room, alice, ben):
        guild = room.guild
        now = int(box.clock.now() * 1000)
        store = await open_store(file)
        season = await store.add_season(guild.id, room.id, "Autumn", now - 9 * DAY, now - DAY)
        assert season is not None
        await play(store, guild.id, [alice, ben], season.starts, season.starts)
        await store.close()
        bot = BotProcess(box, tmp_path)
        await bot.kill_during(partial(bot.start, wait=False), KILLS[kill](bot))
        if not nonces:
            bot.forget_nonces()
        async with bot_process(box, tmp_path) as bot:
            await box.until(lambda: bot.read("SELECT message FROM seasons")[0][0] is not None, timeout=20)
            ((message,),) = bot.read("SELECT message FROM seasons")
            assert [each.id for each in finals(box)] == [message]
            assert bot.read("SELECT user, points FROM season_tables ORDER BY place") == [
                (alice.id, 100),
                (ben.id, 0),
            ]


async def test_a_final_table_that_reaches_discord_only_after_a_kill_and_a_look_back_stands_once(
    tmp_path: Path,
) -> None:
    async with post_that_comes_late(tmp_path) as (bot, room, manager, slow):
        check_answer(await manager.slash(room, "settings season start", name="Autumn", days=1))
        bot.box.clock.advance((DAY + SETTLING) / 1000)
        await bot.kill_during(lambda: manager.slash(room, "tables"), lambda: not slow.times)
        await bot.start()
        await asyncio.sleep(600)
        assert len(finals(bot.box)) == 1


async def test_a_final_table_is_posted_once_while_the_disk_is_full_where_the_bot_may_not_read(
    here: CardRoom,
) -> None:
    await begin(here, days=1)
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    with failing(here.bot.store, "keep_final_post"):
        await pass_by(here, DAY + SETTLING)
        await forget_nonces(here.room)
    await asyncio.sleep(120)
    assert len(finals(here.box)) == 1


async def test_a_season_that_a_slow_database_begins_late_is_announced_all_the_same(here: CardRoom) -> None:
    alice = here.people[0]
    here.guild.grant(alice.user, Permission.MANAGE_GUILD)
    command = alice.slash(here.room, "settings season start", name="Winter", days=3)
    asked = asyncio.create_task(command)
    async with held(here.bot.store, "add_season"):
        await asyncio.sleep(5)
    await here.box.until(lambda: any("Season Winter has begun" in each.text for each in here.room.messages()))
    asked.cancel()
    await asyncio.wait({asked})
