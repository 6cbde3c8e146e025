"""The bot on a PostgreSQL server that hangs meanwhile, and the bot as a host runs it."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from games import AnyGame
from tests.bot.test_start import begin, start
from tests.e2e.card_room import connected_bot, without_a_bot
from tests.e2e.match import Match, match_of, refusal_of
from tests.e2e.players import open_table
from tests.postgresql import Server, frozen

pytestmark = pytest.mark.real


@pytest.fixture
async def match(game: AnyGame, database_url: str) -> AsyncIterator[Match]:
    """A match of `game` on the server; its table is not open yet."""
    async with match_of(game, database_url) as match:
        yield match


async def test_while_the_server_hangs_moves_are_refused_and_then_play_goes_on(
    match: Match, database_url: str
) -> None:
    await match.deal()
    n, board = await match.entries(), (await match.board()).text
    person, text = await match.next()
    place = await match.place()
    with frozen(database_url):
        refusal = refusal_of(await person.slash(place, "move", action=text))
        assert "could not be saved, so it does not count" in refusal
        assert "try again in a moment" in refusal
    async with asyncio.timeout(10):
        while await match.entries() == n:
            await match.step()
            await asyncio.sleep(0.1)
    await match.rest()
    assert (await match.board()).text != board
    await match.check_that_play_continues()


async def test_a_killed_bot_goes_on_and_a_second_one_is_refused(database_url: str, tmp_path: Path) -> None:
    url = database_url.replace("palmhouse@", "palmhouse:secret@")
    async with without_a_bot() as (box, room, alice, ben):
        arguments = "--sandbox", box.url
        bot = await begin(tmp_path, *arguments, DATABASE_URL=url, LOG_LEVEL="DEBUG")
        await box.until(lambda: box.gateway.connected, timeout=30)
        card = await open_table(room, "thirty-one start", alice)
        status, said = await start(tmp_path, *arguments, DATABASE_URL=url, LOG_LEVEL="DEBUG")
        assert (status, said.count("secret")) == (1, 0)
        assert "Another bot or task uses the database in DATABASE_URL." in said
        bot.kill()
        logged = (await bot.communicate())[1].decode()
        assert "secret" not in logged
        await box.until(lambda: not box.gateway.connected)
        bot = await begin(tmp_path, *arguments, DATABASE_URL=url)
        await box.until(lambda: box.gateway.connected, timeout=30)
        await ben.click(card, "Join")
        await box.until(lambda: "Ben" in card.text)
        bot.kill()
        await bot.communicate()
    assert not [*tmp_path.iterdir()]


async def test_people_read_that_a_dump_was_restored_and_old_buttons_stay_old(
    database_url: str, postgresql: Server
) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        async with connected_bot(box, database_url):
            kept = await open_table(room, "palmer start", alice)
            restore = postgresql.dumped(database_url)
            lost = await open_table(room, "palmer start", alice)
            await ben.click(kept, "Join")
        restore()
        async with connected_bot(box, database_url):
            await box.until(lambda: "restored a backup" in kept.text)
            assert "Ben" not in kept.text
            new = await open_table(room, "palmer start", alice)
            assert "There is no such table." in refusal_of(await ben.click(lost, "Join"))
            assert "Ben" not in new.text
            await ben.click(kept, "Join")
            await box.until(lambda: "Ben" in kept.text)


async def test_a_backup_names_the_tools_for_a_server(tmp_path: Path) -> None:
    url = "postgresql://me:secret@localhost/palmhouse"
    status, said = await start(tmp_path, "backup", DATABASE_URL=url)
    assert status == 1
    assert "`python -m bot backup` is for a file" in said
    assert "pg_dump" in said
    assert "secret" not in said


async def test_a_recount_and_the_doctor_work_on_a_server(
    database_url: str, tmp_path: Path, postgresql: Server
) -> None:
    assert (await start(tmp_path, "recount", DATABASE_URL=database_url))[0] == 0
    for quick in ([], ["--quick"]):
        doctor = await begin(
            tmp_path, "doctor", *quick, stdout=asyncio.subprocess.PIPE, DATABASE_URL=database_url
        )
        said, complained = await doctor.communicate()
        assert b"Traceback" not in complained
        # The server of the tests is fast, not safe.
        assert b"PostgreSQL has fsync and full_page_writes and synchronous_commit off" in said
        assert b"No bot uses the database now." in said
    gone = database_url.replace(str(postgresql.folder), "/nowhere")
    doctor = await begin(tmp_path, "doctor", "--quick", stdout=asyncio.subprocess.PIPE, DATABASE_URL=gone)
    assert b"The database in DATABASE_URL cannot be used" in (await doctor.communicate())[0]
    assert doctor.returncode == 2


async def test_the_doctor_finds_no_fault_in_a_port_that_the_bot_itself_has(
    database_url: str, tmp_path: Path, unused_tcp_port: int
) -> None:
    begin_here = partial(begin, tmp_path, DATABASE_URL=database_url, METRICS_PORT=str(unused_tcp_port))
    async with without_a_bot() as (box, *_):
        bot = await begin_here("--sandbox", box.url)
        await box.until(lambda: box.gateway.connected, timeout=30)
        doctor = await begin_here("doctor", "--sandbox", box.url, stdout=asyncio.subprocess.PIPE)
        said, _ = await doctor.communicate()
        bot.kill()
        await bot.communicate()
    assert f"Port {unused_tcp_port} on 127.0.0.1 is in use, as it is while the bot runs.".encode() in said
    assert doctor.returncode == 1, "only a warning, that the server of the tests is not safe"
