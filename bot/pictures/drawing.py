"""From a scene to the picture of it."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from PIL import Image

from bot.pictures import banner, hand, podium, sheet, table
from bot.pictures.picture import Picture
from bot.pictures.scene import Banner, Hand, Podium, Sheet, Table

Scene: TypeAlias = Table | Hand | Sheet | Podium | Banner

NAMES: Final = {
    Table: "table.png",
    Hand: "hand.png",
    Sheet: "scores.png",
    Podium: "podium.png",
    Banner: "banner.png",
}
"""File names by kind of scene."""


def pictured(scene: Scene) -> Picture:
    """The picture of a scene, with the scene in words as its alt text."""
    return Picture(NAMES[type(scene)], scene.alt, _Painting(scene))


@dataclass(frozen=True, slots=True)
class _Painting:
    """How a scene is painted: equal for equal scenes, so that they are drawn once."""

    scene: Scene

    def __call__(self) -> Image.Image:
        match self.scene:
            case Table():
                return table.paint(self.scene)
            case Hand():
                return hand.paint(self.scene)
            case Sheet():
                return sheet.paint(self.scene)
            case Podium():
                return podium.paint(self.scene)
            case Banner():
                return banner.paint(self.scene)
