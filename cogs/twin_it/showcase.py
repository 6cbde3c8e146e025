"""The pictures of Twin It! in the lobby and the rules."""

from bot.messages.panel import Item, shown, text
from bot.pictures.artwork import Artwork
from bot.pictures.drawing import picture_of
from bot.pictures.scene import Banner, DrawnCard
from cogs.twin_it import spread
from cogs.twin_it.spread import Player, Spread, Tile
from games import Options
from games.twin_it.designs import NAMES
from games.twin_it.options import TwinItOptions

CLASSIC = (
    "12 and 15 are alike: {} before anybody else does, and the set is yours.\n"
    "14 has six petals, not eight. 12 and 14 would be a mistake: it costs your last set.\n"
    "It is Alice's turn to flip, but anybody may press at any time."
)
RACE = (
    "12 and 15 are alike: press both, and the pair brings a point.\n"
    "14 has six petals, not eight. 12 and 14 would be a wrong claim."
)


def banner() -> Item:
    """Return a banner with four faces; the first and the last are alike."""
    names = ("star seven", "sun eight", "whirl left four", "star seven")
    return shown(picture_of(Banner("Twin It!", tuple(_card(name) for name in names))))


def example(options: Options) -> list[Item]:
    """Return an example: a row of faces with two alike and one near-twin, and its explanation."""
    assert isinstance(options, TwinItOptions)
    tiles = [
        Tile(number, NAMES.index(name))
        for number, name in ((12, "daisy eight"), (13, "fish left"), (14, "daisy six"), (15, "daisy eight"))
    ]
    if options.against_time:
        return [shown(spread.picture(Spread(tuple(tiles), ()))), text(RACE)]
    table = Spread(tuple(tiles), (Player("Alice", 1), Player("Ben", 2)), turn=0)
    in_team = options.mode == "teams"
    lay = "two of your team lay a hand on one each" if in_team else "lay a hand on both"
    return [shown(spread.picture(table)), text(CLASSIC.format(lay))]


def _card(name: str) -> DrawnCard:
    return DrawnCard(Artwork("cogs.twin_it.designs", "on_card", (NAMES.index(name),)), name)
