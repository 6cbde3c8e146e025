"""`python -m bot` as a host starts it: an obstacle is reported in one sentence, never in a traceback."""

import asyncio
import os
import platform
import signal
import sqlite3
import sys
from pathlib import Path

import pytest

from bot.invite import PERMISSIONS, SCOPES, permissions
from bot.start import TASKS, card_drawings
from sandbox import Sandbox
from sandbox.application_emojis import MOST
from tests.bot.messages.uploaded import put

HERE = Path(__file__).parents[2]


async def start(folder: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """Run the bot in `folder` until it ends by itself. Return its exit status and its text on stderr."""
    process = await begin(folder, *arguments, stdout=asyncio.subprocess.DEVNULL, **settings)
    async with asyncio.timeout(30):
        _, said = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def begin(
    folder: Path, *arguments: str, stdout: int = asyncio.subprocess.DEVNULL, **settings: str
) -> asyncio.subprocess.Process:
    """Start the bot in `folder`."""
    ours = ("DISCORD_TOKEN", "DATABASE_PATH", "LOG_LEVEL")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", *arguments),
        cwd=folder,
        env=environment | settings | {"PYTHONPATH": str(HERE)},
        stdout=stdout,
        stderr=asyncio.subprocess.PIPE,
    )


def newer(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 999")
        database.execute("CREATE TABLE matches (id INTEGER)")
    database.close()


def torn(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"torn" * 1000)


def malformed(path: Path) -> None:
    path.write_text("LOG_LEVEL=loud\n")


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({}, "DISCORD_TOKEN is not set"),
        ({"DISCORD_TOKEN": "  "}, "DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": "s3cret"}, "DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": "a.b.c", "LOG_LEVEL": "loud"}, "LOG_LEVEL"),
    ],
)
async def test_a_missing_or_malformed_setting_is_named(
    settings: dict[str, str], named: str, tmp_path: Path
) -> None:
    status, said = await start(tmp_path, **settings)
    assert status == 1
    assert said.startswith("Palmhouse cannot start. ")
    assert named in said
    assert said.count("\n") == 1
    assert "s3cret" not in said
    assert list(tmp_path.iterdir()) == [], "a refused start leaves nothing behind"


async def test_the_file_env_is_read(tmp_path: Path) -> None:
    malformed(tmp_path / ".env")
    status, said = await start(tmp_path, "--sandbox")
    assert status == 1
    assert "LOG_LEVEL" in said


@pytest.mark.parametrize("broken", [newer, torn])
async def test_a_database_that_cannot_be_used_is_named_and_left_as_it_was(
    broken: object, tmp_path: Path
) -> None:
    path = tmp_path / "palmhouse.sqlite3"
    assert callable(broken)
    broken(path)
    before = path.read_bytes()
    status, said = await start(tmp_path, "--sandbox", DATABASE_PATH=str(path))
    assert status == 1
    assert str(path) in said
    assert "Traceback" not in said
    assert path.read_bytes() == before


@pytest.mark.parametrize("task", [(), ("emojis",)], ids=["play", "emojis"])
async def test_a_refused_token_is_reported(task: tuple[str, ...], tmp_path: Path) -> None:
    async with Sandbox() as box:
        box.token = "another"
        status, said = await start(tmp_path, *task, "--sandbox", box.url)
    assert status == 1
    assert "Discord refuses DISCORD_TOKEN" in said
    assert "Traceback" not in said


async def test_a_malformed_sandbox_address_is_reported(tmp_path: Path) -> None:
    status, said = await start(tmp_path, "--sandbox", "my sandbox")
    assert status == 1
    assert "'my sandbox' is no address of a sandbox" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("task", [(), ("emojis",)], ids=["play", "emojis"])
async def test_a_missing_network_is_reported(task: tuple[str, ...], tmp_path: Path) -> None:
    async with Sandbox() as box:
        url = box.url
    status, said = await start(tmp_path, *task, "--sandbox", url)
    assert status == 1
    assert "cannot be reached" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("path", ["^/users/@me$", "^/oauth2/applications/@me$"])
@pytest.mark.parametrize(
    ("status", "words"), [(503, "answers with an error (503)"), (0, "cannot be reached")]
)
async def test_an_outage_at_the_start_is_reported(path: str, status: int, words: str, tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box:
        box.fail("GET", path, status, times=9)
        ended, said = await start(tmp_path, "--sandbox", box.url)
    assert ended == 1
    assert words in said
    assert "Traceback" not in said


# Memory


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="It is a setting of glibc.")
async def test_the_memory_of_finished_pictures_goes_back_to_the_system() -> None:
    """Small objects that stay lie between the big ones: by default the C library would keep the memory below them."""
    script = """
from pathlib import Path
from bot.start import _give_big_blocks_back
def resident(): return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
_give_big_blocks_back()
del [b"x" * 2**23][:]
before = resident()
made = [(b"x" * 2**20, bytearray(30_000)) for _ in range(64)]
kept = [small for _, small in made]
del made
print(resident() - before)
"""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", script), cwd=HERE, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    assert int(said) < 8 * 2**20


# Uploading emojis


async def test_emojis_are_uploaded_and_then_there_is_nothing_to_do(tmp_path: Path) -> None:
    """All but one are uploaded beforehand, because drawing them takes a while."""
    async with Sandbox(rate_limits=False) as box:
        drawings = card_drawings()
        put(box, *(drawing.key for drawing in drawings[1:]))
        for status_and_said in [await start(tmp_path, "emojis", "--sandbox", box.url) for _ in range(2)]:
            assert status_and_said[0] == 0
            assert "Traceback" not in status_and_said[1]
        assert sorted(emoji.name for emoji in box.world.emojis.values()) == sorted(
            each.key for each in drawings
        )
        posted = [
            asked for asked in box.requests if asked.template.endswith("/emojis") and asked.method == "POST"
        ]
        assert len(posted) == 1
    assert list(tmp_path.iterdir()) == [], "an upload needs no database"


async def test_an_upload_can_be_interrupted(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box:
        process = await begin(tmp_path, "emojis", "--sandbox", box.url)
        await box.until(lambda: box.world.emojis, 30)
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(30):
            _, said = await process.communicate()
    assert process.returncode == 0
    assert "Traceback" not in said.decode()


async def test_an_application_without_room_for_emojis_is_reported(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box:
        put(box, *(f"other_{n}" for n in range(MOST)))
        status, said = await start(tmp_path, "emojis", "--sandbox", box.url)
        assert len(box.world.emojis) == MOST
    assert status == 1
    assert "Not all emojis are uploaded. The application has 2,000 emojis" in said
    assert "Traceback" not in said


async def test_an_outage_during_the_upload_is_reported(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box:
        box.fail("POST", "/emojis$", 503)
        status, said = await start(tmp_path, "emojis", "--sandbox", box.url)
    assert status == 1
    assert "What is uploaded stays: run this again in a while for the rest." in said
    assert "Traceback" not in said


async def test_emojis_are_not_uploaded_to_a_sandbox_that_would_end_with_the_upload(tmp_path: Path) -> None:
    status, said = await start(tmp_path, "emojis", "--sandbox")
    assert status == 1
    assert "No sandbox is named." in said


# The invitation


async def test_the_invitation_names_the_link_the_scopes_and_the_permissions(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box:
        process = await begin(tmp_path, "invite", "--sandbox", box.url, stdout=asyncio.subprocess.PIPE)
        async with asyncio.timeout(30):
            said, complained = await process.communicate()
        application = box.world.bot.id
    assert process.returncode == 0, complained
    assert (
        f"https://discord.com/oauth2/authorize?client_id={application}"
        f"&scope=bot+applications.commands&permissions={permissions().value}\n" in said.decode()
    )
    for name in (*SCOPES, *PERMISSIONS):
        assert f"  {name}: " in said.decode()


async def test_without_a_token_there_is_no_link(tmp_path: Path) -> None:
    status, said = await start(tmp_path, "invite")
    assert status == 1
    assert said.startswith("There is no link. DISCORD_TOKEN is not set")


# The command line


@pytest.mark.parametrize("arguments", [("policy",), ("--help",), ("export", "--help")])
async def test_a_reader_that_ends_early_is_no_error(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """As `head` does. The pipe has no reader already when the bot starts."""
    reading, writing = os.pipe()
    os.close(reading)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(HERE)},
        stdout=writing,
        stderr=asyncio.subprocess.PIPE,
    )
    os.close(writing)
    async with asyncio.timeout(30):
        _, said = await process.communicate()
    assert said == b""


async def test_the_help_lists_all_tasks(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "--help"),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(HERE)},
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    tasks = said.decode().partition("other tasks:")[2]
    for task in filter(None, TASKS):
        assert f"\n    {task} " in tasks


async def test_the_id_of_a_server_is_a_number(tmp_path: Path) -> None:
    status, said = await start(tmp_path, "export", "my server")
    assert status == 2
    assert "'my server' is not the id of a server" in said
