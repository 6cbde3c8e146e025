"""Pictures of scenes."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from PIL import Image

from bot.pictures import (
    banner,
    chart,
    daily_result,
    hand,
    leaderboard,
    open_hands,
    podium,
    score_sheet,
    table,
)
from bot.pictures.picture import Picture
from bot.pictures.scene import (
    Banner,
    DailyResult,
    HandScene,
    Leaderboard,
    OpenHands,
    Podium,
    RatingChart,
    ScoreSheet,
    TableScene,
)

Scene: TypeAlias = (
    TableScene
    | HandScene
    | OpenHands
    | ScoreSheet
    | Podium
    | Leaderboard
    | Banner
    | RatingChart
    | DailyResult
)

FILE_NAMES: Final = {
    TableScene: "table.png",
    HandScene: "hand.png",
    OpenHands: "hands.png",
    ScoreSheet: "scores.png",
    Podium: "podium.png",
    Leaderboard: "leaderboard.png",
    Banner: "banner.png",
    RatingChart: "rating.png",
    DailyResult: "daily.png",
}


def picture_of(scene: Scene) -> Picture:
    """Return the picture of a scene, with its alt text. Nothing is drawn yet."""
    return Picture(FILE_NAMES[type(scene)], scene.alt, _Painting(scene))


@dataclass(frozen=True, slots=True)
class _Painting:
    """A call of the painter for a scene.

    Calls with equal scenes are equal, so the cache in `bot.pictures.picture` draws them once."""

    scene: Scene

    def __call__(self) -> Image.Image:
        match self.scene:
            case TableScene():
                return table.paint(self.scene)
            case HandScene():
                return hand.paint(self.scene)
            case OpenHands():
                return open_hands.paint(self.scene)
            case ScoreSheet():
                return score_sheet.paint(self.scene)
            case Podium():
                return podium.paint(self.scene)
            case Leaderboard():
                return leaderboard.paint(self.scene)
            case Banner():
                return banner.paint(self.scene)
            case RatingChart():
                return chart.paint(self.scene)
            case DailyResult():
                return daily_result.paint(self.scene)
