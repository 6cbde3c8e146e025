"""What README and docs/hosting.md say of the outside is so."""

import re
from pathlib import Path

import discord

from games import GAMES
from games.about import about
from tests.e2e.house import house

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


def test_every_picture_is_there_and_described() -> None:
    images = re.findall(r"<img ([^>]+)>", README)
    assert images
    for image in images:
        assert re.search(r'alt="[^"]{40,}"', image)
        source = re.search(r'src="([^"]+)"', image)
        assert source
        assert (ROOT / source[1]).exists()


def test_the_invite_link_asks_for_the_permissions_that_are_named() -> None:
    """Each in the table, in Discord's words."""
    asked = re.search(r"scope=bot\+applications\.commands&permissions=(\d+)", HOSTING)
    assert asked
    granted = {name for name, value in discord.Permissions(int(asked[1])) if value}
    named = re.findall(r"^ +\| ([A-Z][\w ]+) \|", HOSTING, re.MULTILINE)
    assert {
        name.lower().replace(" ", "_").replace("view_channels", "read_messages") for name in named
    } == granted


def test_every_game_is_described_as_its_command_does() -> None:
    rows = re.findall(r"^\| \*\*(.+)\*\* \| (.+) \| (.+) \| (.+) \|$", README, re.MULTILINE)
    told = {title: f"{blurb} · {players} players · {minutes} min" for title, blurb, players, minutes in rows}
    assert told == {game.title: about(game) for game in GAMES.values()}


def test_everything_to_make_can_be_made() -> None:
    """The two that matter most are named: `make run` and `make test`."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^    )make ([a-z-]+)", README + HOSTING, re.MULTILINE))
    assert {"run", "test"} <= named <= targets


async def test_every_command_that_is_named_is_there(tmp_path: Path) -> None:
    async with house(tmp_path / "house.sqlite3") as here:
        there = {command.qualified_name for command in here.bot.tree.walk_commands()}
    named = set(re.findall(r"`/([a-z-]+(?: [a-z-]+)?)`", README + HOSTING))
    assert "twin-palms start" in named
    assert named <= there


def test_links_within_the_repository_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https:)([^)]+)\)", README)
    assert "docs/hosting.md" in links
    for link in links:
        assert (ROOT / link).exists()
