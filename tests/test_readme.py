"""What README says of the outside is so."""

import re
from pathlib import Path

import discord

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_every_picture_is_there_and_described() -> None:
    images = re.findall(r"<img ([^>]+)>", README)
    assert images
    for image in images:
        assert re.search(r'alt="[^"]{40,}"', image)
        source = re.search(r'src="([^"]+)"', image)
        assert source
        assert (Path(__file__).parent.parent / source[1]).exists()


def test_the_invite_link_asks_for_the_permissions_that_are_named() -> None:
    """Each in the table, in Discord's words."""
    asked = re.search(r"scope=bot\+applications\.commands&permissions=(\d+)", README)
    assert asked
    granted = {name for name, value in discord.Permissions(int(asked[1])) if value}
    named = re.findall(r"^ +\| ([A-Z][\w ]+) \|", README, re.MULTILINE)
    assert {
        name.lower().replace(" ", "_").replace("view_channels", "read_messages") for name in named
    } == granted
