"""`python -m bot` as a host starts it: an obstacle is reported in one sentence, never in a traceback."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.command_line import TASKS, arguments
from bot.cli.start import AT_DISCORD, card_drawings
from bot.hosting.invite import PERMISSIONS, SCOPES, permissions
from bot.store.sqlite.opening import alone, prepare
from sandbox import Sandbox
from sandbox.application_emojis import MOST
from tests.bot.forked import forked
from tests.bot.messages.uploaded import put
from tests.bot.store.stores import opened

HERE = Path(__file__).parents[2]


async def start(folder: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """Run the bot in `folder` until it ends by itself. Return its exit status and its text on stderr."""
    process = await begin(folder, *arguments, stdout=asyncio.subprocess.DEVNULL, **settings)
    _, said = await ended(process)
    assert process.returncode is not None
    return process.returncode, said


async def begin(
    folder: Path, *arguments: str, stdout: int = asyncio.subprocess.DEVNULL, **settings: str
) -> asyncio.subprocess.Process:
    """Start the bot in `folder`."""
    ours = ("DISCORD_TOKEN", "DATABASE_PATH", "DATABASE_URL", "LOG_LEVEL")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    environment |= settings | {"PYTHONPATH": str(HERE)}
    return await forked(
        ("bot", *arguments), folder, environment, stdout=stdout, stderr=asyncio.subprocess.PIPE
    )


async def ended(process: asyncio.subprocess.Process, number: int = 0) -> tuple[str, str]:
    """Send the bot a signal, or 0 for none, and wait for its end. Return what it said on stdout and on stderr."""
    if number:
        process.send_signal(number)
    async with asyncio.timeout(30):
        said, complained = await process.communicate()
    return (said or b"").decode(), complained.decode()


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({}, "DISCORD_TOKEN is not set"),
        ({"DISCORD_TOKEN": "s3cret"}, "DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": "a.b.c", "SHARDS": "0/2"}, "SHARDS is set, but"),
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


async def test_a_task_without_a_network_ends(tmp_path: Path) -> None:
    async with Sandbox() as box:
        url = box.url
    status, said = await start(tmp_path, "emojis", "--sandbox", url)
    assert status == 1
    assert "cannot be reached" in said
    assert "Traceback" not in said


async def until_said(process: asyncio.subprocess.Process, words: str) -> str:
    """Read the bot's stderr until a line has these words, and return what was read."""
    assert process.stderr is not None
    said = ""
    async with asyncio.timeout(60):
        async for line in process.stderr:
            said += line.decode()
            if words in line.decode():
                return said
    raise AssertionError(f"The bot has ended without saying {words!r}.")


# One bot for one database, and one database for one bot


async def test_a_second_bot_on_the_same_database_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box:
        path = str(tmp_path / "palmhouse.sqlite3")
        process = await begin(tmp_path, "--sandbox", box.url, DATABASE_PATH=path)
        await box.ready(60)
        status, said = await start(tmp_path, "--sandbox", box.url, DATABASE_PATH=path)
        assert status == 1
        assert said == (
            f"Palmhouse cannot start. Another bot or task uses the database {path}. Stop it, or "
            "name another file in DATABASE_PATH.\n"
        )
        process.kill()
        await process.communicate()
        with alone(Path(path)):
            pass


async def test_a_link_to_a_database_is_that_database(tmp_path: Path) -> None:
    """No bot may use it by one name while another bot does by the other, and a restore leaves it on its disk."""
    (tmp_path / "disk").mkdir()
    file, link = tmp_path / "disk" / "palmhouse.sqlite3", tmp_path / "palmhouse.sqlite3"
    link.symlink_to(file)
    prepare(file)
    with alone(file):
        _, said = await start(tmp_path, "recount", DATABASE_PATH=str(link))
    assert "Another bot or task uses the database" in said
    await start(tmp_path, "backup", "backup.sqlite3", DATABASE_PATH=str(link))
    status, said = await start(tmp_path, "restore", "backup.sqlite3", DATABASE_PATH=str(link))
    assert status == 0, said
    assert link.is_symlink()
    assert len([*file.parent.glob("palmhouse.sqlite3.before-*")]) == 1


async def test_a_bot_whose_database_is_deleted_keeps_its_content_and_stops(tmp_path: Path) -> None:
    path = tmp_path / "data" / "palmhouse.sqlite3"
    async with Sandbox(rate_limits=False) as box:
        process = await begin(tmp_path, "--sandbox", box.url, DATABASE_PATH=str(path))
        await until_said(process, "ready as")
        path.unlink()
        _, said = await ended(process)
    assert process.returncode == 1
    (kept,) = path.parent.glob("palmhouse.sqlite3.before-*")
    assert said.splitlines()[-1] == (
        f"Palmhouse stops. The database {path} was deleted or replaced while the bot used it. What it held is in "
        f"{kept}; `python -m bot restore --sandbox {kept}` puts it back."
    )
    assert "Traceback" not in said
    status, _ = await start(tmp_path, "restore", "--sandbox", str(kept), DATABASE_PATH=str(path))
    assert status == 0
    status, said_of_it = await start(tmp_path, "check", DATABASE_PATH=str(path))
    assert (status, "Traceback" in said_of_it) == (0, False)


@pytest.mark.parametrize(
    ("at_discord", "words"),
    [
        (0, "the sandbox, and would be restored for Discord. Name another one, or add"),
        # The next sandbox would delete it, as it has another application.
        (1, "Discord, and would be restored for the sandbox. Name another one, or leave out"),
    ],
)
async def test_a_backup_is_restored_only_where_it_comes_from(
    at_discord: int, words: str, tmp_path: Path
) -> None:
    async with opened(tmp_path / "copy.sqlite3") as store:
        await store.set_fact(AT_DISCORD, str(at_discord))
    at_sandbox, there = ("restore", "--sandbox", "copy.sqlite3"), ("restore", "copy.sqlite3")
    right, wrong = (there, at_sandbox) if at_discord else (at_sandbox, there)
    said = f"Nothing was restored. copy.sqlite3 is a backup of {words} `--sandbox`.\n"
    assert await start(tmp_path, *wrong) == (1, said)
    assert not (tmp_path / "data").exists()
    status, complained = await start(tmp_path, *right)
    assert status == 0, complained


@pytest.mark.parametrize("named", [".", "/", ""])
async def test_a_folder_without_a_name_is_no_backup(named: str, tmp_path: Path) -> None:
    said = f"Nothing was restored. {Path(named)} is a folder. Name a backup.\n"
    assert await start(tmp_path, "restore", named) == (1, said)


@pytest.mark.parametrize(
    ("given", "task", "sandbox"),
    [
        ("restore --sandbox copy.sqlite3", "restore", ""),
        ("--sandbox restore copy.sqlite3", "restore", ""),
        ("export --sandbox 5", "export", ""),
        ("move-to --sandbox postgresql://me@localhost/cards", "move-to", ""),
        ("--sandbox doctor", "doctor", ""),
        ("doctor --sandbox http://127.0.0.1:8420", "doctor", "http://127.0.0.1:8420"),
        ("--sandbox http://127.0.0.1:8420 check", "check", "http://127.0.0.1:8420"),
        ("--sandbox http://127.0.0.1:8420", None, "http://127.0.0.1:8420"),
    ],
)
def test_a_task_and_what_it_is_about_are_no_address_of_a_sandbox(
    given: str, task: str | None, sandbox: str
) -> None:
    wanted = arguments(given.split())
    assert (wanted.task, wanted.sandbox) == (task, sandbox)


# Uploading emojis


async def test_a_new_sandbox_gets_all_emojis_without_a_word_about_letters_or_limits(tmp_path: Path) -> None:
    process = await begin(tmp_path, "--or-sandbox", stdout=asyncio.subprocess.PIPE, LOG_LEVEL="DEBUG")
    said = await until_said(process, f"{len(card_drawings())} of {len(card_drawings())} uploaded")
    assert " WARNING " not in said
    assert "shown by letters" not in said
    said, _ = await ended(process, signal.SIGTERM)
    assert "Then everything is forgotten, and so it is at a kill" in said


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
        _, said = await ended(process, signal.SIGINT)
    assert process.returncode == 1
    assert "Traceback" not in said


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
    assert said.startswith("Not all emojis are uploaded. No sandbox is named.")


# The invitation


async def test_the_invitation_names_the_link_the_scopes_and_the_permissions(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box:
        process = await begin(tmp_path, "invite", "--sandbox", box.url, stdout=asyncio.subprocess.PIPE)
        said, complained = await ended(process)
        application = box.world.bot.id
    assert process.returncode == 0, complained
    assert (
        f"https://discord.com/oauth2/authorize?client_id={application}"
        f"&scope=bot+applications.commands&permissions={permissions().value}\n" in said
    )
    for name in (*SCOPES, *PERMISSIONS):
        assert f"  {name}: " in said


async def test_without_a_token_there_is_no_link(tmp_path: Path) -> None:
    status, said = await start(tmp_path, "invite")
    assert status == 1
    assert said.startswith("There is no link. DISCORD_TOKEN is not set")


# The command line


@pytest.mark.parametrize("arguments", [("policy",), ("--help",)])
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


@pytest.mark.parametrize(("task", "said"), [("doctor --quick", "? folder"), ("backup", "Backed up to ")])
def test_a_terminal_that_lacks_a_sign_shows_a_question_mark(task: str, said: str, tmp_path: Path) -> None:
    """The doctor writes ticks, and the name of a file may have any sign."""
    prepare(tmp_path / "\u2660.sqlite3")
    own = {"PYTHONPATH": str(HERE), "PYTHONIOENCODING": "ascii", "DATABASE_PATH": "\u2660.sqlite3"}
    command = (sys.executable, "-m", "bot", *task.split())
    shown = subprocess.run(command, cwd=tmp_path, env=os.environ | own, capture_output=True)
    assert b"Traceback" not in shown.stderr
    assert shown.stdout.decode().startswith(said)
    assert "?" in shown.stdout.decode()
    assert shown.returncode == 0


async def test_a_bot_on_discord_imports_neither_the_sandbox_nor_what_draws() -> None:
    code = (
        "import bot.cli.command_line, sys; from bot.client import cogs; "
        "[*map(__import__, cogs())]; print(*sys.modules)"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    imported = (await process.communicate())[0].decode().split()
    assert "cogs.palace.cog" in imported
    assert {"sandbox", "aiohttp.web", "resvg_py"}.isdisjoint(imported)


async def test_the_help_lists_all_tasks(tmp_path: Path) -> None:
    process = await begin(tmp_path, "--help", stdout=asyncio.subprocess.PIPE)
    said, _ = await ended(process)
    tasks = said.partition("other tasks:")[2]
    for task in TASKS:
        assert f"\n    {task} " in tasks


async def test_the_id_of_a_server_is_a_number(tmp_path: Path) -> None:
    status, said = await start(tmp_path, "export", "my server")
    assert status == 2
    assert "'my server' is not the id of a server" in said
