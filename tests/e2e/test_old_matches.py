"""Matches of older versions.

One stored before the live table had pages: its board becomes the live table, and nothing is announced twice. One of
older rules: it is closed at the start, its players read why, and it counts nowhere.
"""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.client import Palmhouse
from bot.store.sqlite.opening import MIGRATIONS, prepare
from games import GAMES
from tests.e2e.card_room import connected_bot, new_sandbox
from tests.e2e.followed_match import FollowedMatch
from tests.e2e.match import refusal_of
from tests.e2e.players import latest, open_table
from tests.e2e.processes import BotProcess, bot_process
from tests.e2e.test_table_life import sandbox_without_a_bot

WITHOUT_PAGES = 5
"""The last version of the database without pages."""


async def test_the_board_of_an_old_match_becomes_its_live_table(tmp_path: Path) -> None:
    file = tmp_path / "palmhouse.sqlite3"
    async with new_sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        people = [box.person(name, guild) for name in ("Alice", "Ben")]
        async with bot_process(box, file) as bot:
            match = FollowedMatch(bot, guild.channel("card-room"), people, mode="normal", rounds=1)
            await match.deal()
            for _ in range(3):
                await match.play()
            await match.check()
            board = match.board
            await bot.kill()
            make_old(bot, tmp_path / "old")
            await bot.start()
            await match.play()
            await bot.box.until(bot.all_posted)
            assert match.board is board, "it is edited, not posted anew"
            boards = [each for each in match.thread.messages() if "reference:1" in each.custom_ids]
            assert boards == [board]
            assert "Bids:" not in board.text, "earlier announcements are not repeated"
            while not match.over:
                await match.play()
            await bot.box.until(lambda: match.thread.messages()[-1].text.startswith("🏆"))
            assert not board.deleted
            assert latest(people[0], match.thread, "Rematch") is match.thread.messages()[-1]


@pytest.mark.parametrize("dealt", [True, False])
async def test_players_of_older_rules_read_once_that_their_match_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dealt: bool
) -> None:
    file = tmp_path / "palmhouse.sqlite3"
    async with sandbox_without_a_bot() as (box, room, (alice, ben)):
        async with connected_bot(box, file) as bot:
            card = await open_table(room, "thirty-one start", alice, ben)
            if dealt:
                await alice.click(card, "Start")
            await bot.publisher.wait()
        place = card.thread if dealt else room
        assert place is not None
        before = [each.id for each in place.messages()]
        monkeypatch.setattr(type(GAMES["thirty-one"]), "version", 2)
        for _ in range(2):
            async with connected_bot(box, file) as bot:
                await box.until(lambda: len(place.messages()) > len(before))
                await bot.publisher.wait()
                (said,) = (each.text for each in place.messages() if each.id not in before)
                assert said == (
                    "🚪 Table 1 closed: it began under older rules and cannot go on. The match does not count. "
                    "`/thirty-one start` opens a new table."
                )
                assert "under older rules" in refusal_of(await alice.press(card, "rules:1"))
                await all_posted(bot)
                match = await bot.store.match(1)
                assert match is not None
                assert (match.phase, match.counted) == ("closed", None)


async def test_a_sentence_that_a_kill_left_unnoted_is_not_posted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "palmhouse.sqlite3"
    async with sandbox_without_a_bot() as (box, room, (alice, ben)):
        async with connected_bot(box, file) as bot:
            await open_table(room, "thirty-one start", alice, ben)
            await bot.publisher.wait()
        monkeypatch.setattr(type(GAMES["thirty-one"]), "version", 2)
        async with connected_bot(box, file) as bot:
            await box.until(lambda: "Table 1 closed" in room.messages()[-1].text)
            await bot.publisher.wait()
            await bot.store.update_match(1, published=1)
        async with connected_bot(box, file) as bot:
            await all_posted(bot)
            assert sum("Table 1 closed" in each.text for each in room.messages()) == 1


async def all_posted(bot: Palmhouse) -> None:
    """Wait until every log is noted as shown."""
    async with asyncio.timeout(20):
        while await bot.store.unpublished():
            pass


def make_old(bot: BotProcess, folder: Path) -> None:
    """Convert the bot's database to that version, with the same match."""
    folder.mkdir()
    for step in sorted(MIGRATIONS.glob("*.sql"))[:WITHOUT_PAGES]:
        shutil.copy(step, folder)
    ((board,),) = bot.read("SELECT message FROM posts WHERE kind = 'page'")
    new = folder / "new.sqlite3"
    bot.file.rename(new)
    for beside in bot.file.parent.glob(f"{bot.file.name}-*"):
        beside.rename(folder / beside.name.replace(bot.file.name, new.name))
    prepare(bot.file, folder)
    with closing(sqlite3.connect(bot.file)) as db, db:
        db.execute("ATTACH ? AS new", (str(new),))
        for table in ("matches", "log", "clocks", "alive", "facts"):
            new_columns, columns = (
                [name for _, name, *_ in db.execute(f"PRAGMA {version}.table_info({table})")]
                for version in ("new", "main")
            )
            names = ", ".join(name for name in new_columns if name in columns)
            db.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM new.{table}")
        db.execute("UPDATE matches SET board = ?", (board,))
