"""Pictures of scenes."""

from typing import Final, TypeAlias

from bot.pictures.picture import Painting, Picture
from bot.pictures.scene import (
    BandedTable,
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

KINDS: Final = {
    TableScene: ("table", "table"),
    BandedTable: ("table", "banded_table"),
    HandScene: ("hand", "hand"),
    OpenHands: ("hands", "open_hands"),
    ScoreSheet: ("scores", "score_sheet"),
    Podium: ("podium", "podium"),
    Leaderboard: ("leaderboard", "leaderboard"),
    Banner: ("banner", "banner"),
    RatingChart: ("rating", "chart"),
    DailyResult: ("daily", "daily_result"),
}
"""By type of scene: the first part of the file name, and the module of this package that has the painter."""


def picture_of(scene: Scene) -> Picture:
    """Return the picture of a scene, with its alt text. Nothing is drawn yet."""
    kind, painter = KINDS[type(scene)]
    return Picture(kind, scene.alt, Painting(f"{__package__}.{painter}", scene))
