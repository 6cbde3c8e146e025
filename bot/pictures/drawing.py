"""From a scene to the picture of it."""

from dataclasses import dataclass
from typing import TypeAlias

from PIL import Image

from bot.pictures import banner, hand, sheet, table
from bot.pictures.picture import Picture
from bot.pictures.scene import Banner, Hand, Sheet, Table

Scene: TypeAlias = Table | Hand | Sheet | Banner


def pictured(scene: Scene) -> Picture:
    """The picture of a scene, with the scene in words as its alt text."""
    name = {Table: "table.png", Hand: "hand.png", Sheet: "scores.png", Banner: "banner.png"}[type(scene)]
    return Picture(name, scene.alt, _Painting(scene))


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
            case Banner():
                return banner.paint(self.scene)
