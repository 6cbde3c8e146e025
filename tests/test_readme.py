"""README, docs/hosting.md and docs/owners.md name only pictures, links, commands and permissions that exist."""

import re
from pathlib import Path

from bot.hosting.invite import PERMISSIONS, permissions
from bot.match.deals import LONGEST_CUT, MOST_STEPS
from bot.match.openings import MOST_OFFERS, MOST_OPENED, WITHIN
from bot.match.tables import MOST_OPEN
from games import GAMES
from games.about import about
from tests.e2e.card_room import card_room

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
OWNERS = (ROOT / "docs" / "owners.md").read_text(encoding="utf-8")
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


def test_every_picture_is_a_small_file_and_has_an_alt_text() -> None:
    images = re.findall(r"<img ([^>]+)>", README)
    assert len(images) > len(GAMES)
    for image in images:
        assert re.search(r'alt="[^"]{40,}"', image)
        source = re.search(r'src="([^"]+)"', image)
        assert source
        assert (ROOT / source[1]).stat().st_size < (1_500_000 if source[1].endswith(".webp") else 300_000)


def test_the_invite_link_asks_for_exactly_the_permissions_in_the_table() -> None:
    asked = re.search(r"scope=bot\+applications\.commands&permissions=(\d+)", HOSTING)
    assert asked
    assert int(asked[1]) == permissions().value
    named = re.findall(r"^\| ([A-Z][\w ]+) \| (.+) \|$", OWNERS, re.MULTILINE)
    assert dict(named) == PERMISSIONS


def test_owners_are_told_the_limits_of_a_person() -> None:
    told = " ".join(OWNERS.split())
    assert f"{MOST_OPEN} open tables, opens more than {MOST_OPENED} within {WITHIN // 60_000} minutes" in told
    assert f"changes a lobby more than {MOST_STEPS} times" in told
    assert f"offers seats more than {MOST_OFFERS} times" in OWNERS
    assert f"up to {LONGEST_CUT} characters" in OWNERS


def test_every_game_is_described_as_by_its_command() -> None:
    rows = re.findall(r"^\| \*\*(.+)\*\* \| (.+) \| (.+) \| (.+) \|$", README, re.MULTILINE)
    told = {title: f"{blurb} · {players} players · {minutes} min" for title, blurb, players, minutes in rows}
    assert told == {game.title: about(game) for game in GAMES.values()}


def test_every_make_target_named_exists_and_run_and_test_are_named() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^    )make ([a-z-]+)", README + HOSTING, re.MULTILINE))
    assert {"run", "test"} <= named <= targets


async def test_every_command_named_exists(tmp_path: Path) -> None:
    async with card_room(tmp_path / "house.sqlite3") as here:
        there = {command.qualified_name for command in here.bot.tree.walk_commands()}
    named = set(re.findall(r"`/([a-z-]+(?: [a-z-]+)?)`", README + HOSTING + OWNERS))
    assert "twin-palms start" in named
    assert named <= there


def test_links_within_the_repository_exist() -> None:
    links = re.findall(r"\]\((?!https:)([^)]+)\)", README)
    assert "docs/hosting.md" in links
    for link in links:
        assert (ROOT / link).exists()
