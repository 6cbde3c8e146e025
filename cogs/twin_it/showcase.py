"""The pictures of Twin It! in the lobby and the rules."""

from bot.messages.panel import Item, shown, text
from bot.pictures.artwork import Artwork
from bot.pictures.drawing import picture_of
from bot.pictures.scene import Banner, DrawnCard
from cogs.twin_it import spread
from cogs.twin_it.spread import Player, Spread, Tile
from games.twin_it.designs import NAMES


def banner() -> Item:
    """Return a banner with four faces; the first and the last are alike."""
    names = ("star seven", "sun eight", "whirl left four", "star seven")
    return shown(picture_of(Banner("Twin It!", tuple(_card(name) for name in names))))


def example() -> list[Item]:
    """Return an example: a row of faces with two alike and one near-twin, and its explanation."""
    tiles = [
        Tile(number, NAMES.index(name))
        for number, name in ((12, "daisy eight"), (13, "fish left"), (14, "daisy six"), (15, "daisy eight"))
    ]
    table = Spread(tuple(tiles), (Player("Alice", 1), Player("Ben", 2)), turn=0)
    return [
        shown(spread.picture(table)),
        text(
            "12 and 15 are alike: lay a hand on both before anybody else does, and the set is yours.\n"
            "14 has six petals, not eight. 12 and 14 would be a mistake: it costs your last set.\n"
            "It is Alice's turn to flip, but anybody may press at any time."
        ),
    ]


def _card(name: str) -> DrawnCard:
    return DrawnCard(Artwork("cogs.twin_it.designs", "on_card", (NAMES.index(name),)), name)
