"""A match stored before the live table had pages: its board becomes the live table, and nothing is announced twice."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.sqlite.opening import MIGRATIONS, prepare
from sandbox import Sandbox
from tests.e2e.followed_match import FollowedMatch
from tests.e2e.players import latest
from tests.e2e.processes import BotProcess, bot_process

WITHOUT_PAGES = 5
"""The last version of the database without pages."""


async def test_the_board_of_an_old_match_becomes_its_live_table(tmp_path: Path) -> None:
    file = tmp_path / "palmhouse.sqlite3"
    async with Sandbox(rate_limits=False) as box:
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
