"""What the lobby and the rules show of Twin It!: some of its faces."""

from bot.messages.panel import Item, shown, text
from bot.pictures.drawing import pictured
from bot.pictures.scene import Banner, Card
from cogs.twin_it import spread
from cogs.twin_it.designs import drawing
from cogs.twin_it.spread import Player, Spread, Tile
from games.twin_it.designs import NAMES


def banner() -> Item:
    """Four faces, the first and the last alike."""
    faces = ("star seven", "sun eight", "whirl left four", "star seven")
    return shown(pictured(Banner("Twin It!", tuple(_card(name) for name in faces))))


def example() -> list[Item]:
    """A row of faces: two alike, and one that differs in one detail."""
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
            "It is Alice's turn to flip, but anybody may lay hands at any time."
        ),
    ]


def _card(name: str) -> Card:
    """A square face in the middle of the space of a card."""
    face = drawing(NAMES.index(name)).replace("<svg ", '<svg y="40" width="200" height="200" ', 1)
    return Card(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 280">{face}</svg>', name)
