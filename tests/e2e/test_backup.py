"""A backup of a bot that plays: after the loss of the disk, the match goes on from it."""

from pathlib import Path

import pytest

from bot.hosting.nightly import make
from tests.bot.test_start import start
from tests.e2e.followed_match import FollowedMatch, bot_and_channel

pytestmark = pytest.mark.real

DIARY = "Dear diary, today I lost a database. " * 1_000


async def test_a_match_goes_on_from_a_backup_that_was_made_while_it_was_played(tmp_path: Path) -> None:
    file, older = (tmp_path / f"{name}.sqlite3" for name in ("palmhouse", "older"))
    async with bot_and_channel(file) as (bot, room):
        people = [bot.box.person(name, room.guild) for name in ("Alice", "Ben")]
        here = FollowedMatch(bot, room, people, rounds=1)
        await here.deal()
        for _ in range(5):
            await here.play()
        await here.box.until(here.bot.all_posted)
        code, said = await start(tmp_path, "backup", str(older), DATABASE_PATH=str(file))
        assert code == 0, said
        code, said = await start(tmp_path, "check", DATABASE_PATH=str(file))
        assert code == 0, said
        code, said = await start(tmp_path, "restore", str(older), DATABASE_PATH=str(file))
        assert code == 1
        assert "Stop it, and try again" in said
        await here.play()
        await here.box.until(here.bot.all_posted)
        code, said = await make(file)  # the backup of the night
        assert code == 0, said
        (later,) = (tmp_path / "backups").iterdir()
        await here.bot.kill()
        for ending in ("-wal", "-shm"):
            Path(f"{file}{ending}").unlink()
        file.write_text(DIARY)
        code, said = await start(tmp_path, "restore", str(later), DATABASE_PATH=str(file))
        assert code == 0, said
        (aside,) = tmp_path.glob("*.before-*")
        assert aside.read_text() == DIARY
        await here.bot.start()
        while not here.over:
            await here.play()
        await here.check()
