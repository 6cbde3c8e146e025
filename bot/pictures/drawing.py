"""From a scene to the picture of it."""

from functools import partial

from bot.pictures import hand, sheet, table
from bot.pictures.picture import Picture
from bot.pictures.scene import Hand, Sheet, Table


def pictured(scene: Table | Hand | Sheet) -> Picture:
    """The picture of a scene, with the scene in words as its alt text."""
    match scene:
        case Table():
            return Picture("table.png", scene.alt, partial(table.paint, scene))
        case Hand():
            return Picture("hand.png", scene.alt, partial(hand.paint, scene))
        case Sheet():
            return Picture("scores.png", scene.alt, partial(sheet.paint, scene))
