"""A start while requests fail: the bot starts and makes up for the rest later; and one beside another bot."""

from pathlib import Path

import pytest

from bot.hosting.backup import back_up, restore, silent
from bot.store import Unreadable
from sandbox.connection import Connection
from tests.bot.test_start import start
from tests.e2e.card_room import connected_bot, new_sandbox, without_a_bot
from tests.e2e.hosted import hosted_bot


@pytest.mark.usefixtures("first_start")
@pytest.mark.parametrize("status", [503, 0], ids=["refused", "cut"])
async def test_commands_that_could_not_be_registered_are_registered_later_while_the_bot_runs(
    file: Path, status: int
) -> None:
    async with without_a_bot() as (box, room, alice, _):
        box.fail("PUT", "/commands$", status, times=3)
        async with connected_bot(box, file) as bot:
            syncing = bot._background["sync"]
            await box.until(syncing.done, timeout=900)
            assert (await alice.slash(room, "help")).text
            assert await bot.store.fact("commands")


@pytest.mark.usefixtures("first_start")
async def test_commands_are_registered_though_the_database_could_not_be_read_at_a_retry(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with without_a_bot() as (box, room, alice, _):
        box.fail("PUT", "/commands$", 503)
        async with connected_bot(box, file) as bot:
            read = bot.store.fact

            async def fail(_: str) -> str | None:
                monkeypatch.setattr(bot.store, "fact", read)
                raise Unreadable("The database cannot be read.")

            monkeypatch.setattr(bot.store, "fact", fail)
            await box.until(bot._background["sync"].done, timeout=900)
            assert (await alice.slash(room, "help")).text


async def test_after_a_restore_discord_offers_the_commands_of_this_version_again(file: Path) -> None:
    """A host who goes back to an older version has to restore a backup from before the update."""
    async with without_a_bot() as (box, room, alice, _):
        async with connected_bot(box, file):
            pass
        await back_up(file, backup := file.with_name("backup.sqlite3"), silent)
        async with connected_bot(box, file) as bot:  # the newer version, which has other commands
            await bot.http.bulk_upsert_global_commands(
                bot.application_id or 0, [{"name": "newer", "description": "A command of the newer version"}]
            )
            await bot.store.set_fact("commands", 'newer {"newer": 1}')
        await restore(file, backup, silent)
        async with connected_bot(box, file):
            assert (await alice.slash(room, "help")).text


async def test_a_gateway_that_hangs_up_before_it_says_hello_is_tried_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Connection.run

    async def hang_up(connection: Connection) -> None:
        monkeypatch.setattr(Connection, "run", run)
        await connection.close(1001, "Discord restarts")

    monkeypatch.setattr(Connection, "run", hang_up)
    async with new_sandbox() as box, connected_bot(box, file):
        assert box.gateway.connected


@pytest.mark.real
async def test_a_second_bot_on_a_sandbox_is_refused_and_one_after_a_kill_is_not(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    async with without_a_bot() as (box, room, alice, _), hosted_bot(box.url, first) as bot:
        await box.ready(30)
        status, said = await start(second, "--sandbox", box.url)
        assert (status, "Traceback" in said) == (1, False)
        *_, sentence = said.splitlines()
        assert sentence.startswith("Palmhouse cannot start. Another bot is connected there already")
        assert "You sit at no table" in (await alice.slash(room, "tables")).text
        bot.process.kill()
        async with hosted_bot(box.url, second):
            await box.until(lambda: box.gateway.identifies == 2, 30)
            assert "You sit at no table" in (await alice.slash(room, "tables")).text
