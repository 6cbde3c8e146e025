"""The end of a match: what its last message and the line in the channel say."""

from typing import Any

import pytest
from discord import ui

from bot.match.results import RatingNote
from bot.messages.ending import Course, MatchResult, ending, result_line, winner
from bot.messages.panel import Panel
from bot.messages.posts import _people
from bot.pictures.picture import Painting
from bot.pictures.scene import Podium
from games import GAMES, Outcome
from tests.present import present

NAMES = ("Alice", "Ben", "Cleo", "🤖 Fern", "Eve", "Finn")
LINK = "<#7>"


def result(slug: str, placings: tuple[int, ...], scores: tuple[int, ...], **options: Any) -> MatchResult:
    game = GAMES[slug]
    outcome = Outcome(placings, scores, "Most sand dollars after 4 rounds.")
    return MatchResult(game, game.Options(**options), outcome, NAMES[: len(placings)])


TWO = result("twin-palms", (2, 1), (12, 20))
THREE = result("twin-palms", (2, 1, 3), (12, 20, 9))
TIE = result("twin-palms", (1, 1), (12, 12))
TIE_OF_THREE = result("twin-palms", (1, 3, 1), (12, 9, 12))
FEW = result("palmer", (2, 1, 3), (40, 31, 55))
OUT_EARLY = result("palmer", (1, 2, 3), (63, 68, 53))
TIEBREAK = result("charms", (2, 1), (12, 12))
OUT = result("palace", (2, 1, 3), (0, 0, 5))
LAST = result("thirty-one", (2, 1), (0, 2))
TEAMS = result("twin-it", (1, 2, 1, 2), (5, 3, 5, 3), mode="teams")
TIED_TEAMS = result("twin-it", (1, 1, 1, 1), (4, 4, 4, 4), mode="teams")
PAIRS = result("hand-and-foot", (3, 2, 1, 3, 2, 1), (-35, 900, 4800, -35, 900, 4800))
HIGH = result("palmer", (2, 1, 3), (1340, 1031, 5500))
TOGETHER = result("twin-it", (1, 1), (14, 14), mode="cooperative")
OUTLASTED = result("palace", (2, 1, 0), ())
ALONE = result("twin-it", (1,), (14,), mode="cooperative")
LOST = result("twin-it", (0, 0), (3, 3), mode="cooperative")


@pytest.mark.parametrize(
    ("match", "line"),
    [
        (TWO, "🏆 **Ben wins** with 20 sand dollars, 8 ahead of Alice."),
        (THREE, "🏆 **Ben wins** with 20 sand dollars, 8 ahead of Alice."),
        (TIE, "🏆 **Alice and Ben share first place** with 12 sand dollars."),
        (TIE_OF_THREE, "🏆 **Alice and Cleo share first place** with 12 sand dollars, 3 ahead of Ben."),
        (FEW, "🏆 **Ben wins** with 31 points, 9 fewer than Alice."),
        (HIGH, "🏆 **Ben wins** with 1,031 points, 309 fewer than Alice."),
        (TIEBREAK, "🏆 **Ben wins** with 12 points, ahead of Alice."),
        (OUT, "🏆 **Ben wins** with no cards, ahead of Alice."),
        (LAST, "🏆 **Ben wins** with 2 tokens, ahead of Alice."),
        (TEAMS, "🏆 **Alice and Cleo win** with 5 sets, 2 ahead of Ben and 🤖 Fern."),
        (TIED_TEAMS, "🏆 **Alice, Ben, Cleo and 🤖 Fern share first place** with 4 sets."),
        (TOGETHER, "🏆 **Alice and Ben** have 14 points together."),
        (ALONE, "🏆 **Alice** has 14 points."),
        (OUTLASTED, "🏆 **Ben wins**."),
        (LOST, "**Alice and Ben** have 3 points together."),
    ],
)
def test_the_last_message_begins_with_the_winner(match: MatchResult, line: str) -> None:
    assert winner(match) == line
    assert texts(ending(match, Course(), 5, pictures=True))[0] == line


@pytest.mark.parametrize(
    ("match", "line"),
    [
        (TWO, "🏆 Ben beat Alice 20 to 12 at Twin Palms · <#7>"),
        (THREE, "🏆 Ben won at Twin Palms: 20 sand dollars, ahead of Alice 12 and Cleo 9 · <#7>"),
        (TIE, "🏆 Alice and Ben share first place at Twin Palms with 12 sand dollars · <#7>"),
        (
            TIE_OF_THREE,
            "🏆 Alice and Cleo share first place at Twin Palms: 12 sand dollars, ahead of Ben 9 · <#7>",
        ),
        (FEW, "🏆 Ben won at Palmer: 31 points, ahead of Alice 40 and Cleo 55 (fewest points win) · <#7>"),
        (
            HIGH,
            "🏆 Ben won at Palmer: 1,031 points, ahead of Alice 1,340 and Cleo 5,500 (fewest points win) · <#7>",
        ),
        (
            OUT_EARLY,
            "🏆 Alice won at Palmer: 63 points, ahead of Ben 68 and Cleo 53 (fewest points win) · <#7>",
        ),
        (TIEBREAK, "🏆 Ben beat Alice at Charms, 12 points each · <#7>"),
        (TEAMS, "🏆 Alice and Cleo beat Ben and 🤖 Fern 5 to 3 at Twin It! · <#7>"),
        (
            PAIRS,
            "🏆 Cleo and Finn won at Hand and Foot: 4,800 points, "
            "ahead of Ben and Eve 900 and Alice and 🤖 Fern −35 · <#7>",
        ),
        (TOGETHER, "🏆 Alice and Ben have 14 points together at Twin It! · <#7>"),
        (ALONE, "🏆 Alice has 14 points at Twin It! · <#7>"),
        (OUTLASTED, "🏆 Ben won at Palace, as everybody else has left or was away · <#7>"),
        (LOST, "Alice and Ben have 3 points together at Twin It! · <#7>"),
    ],
)
def test_the_channel_reads_the_result_in_one_line(match: MatchResult, line: str) -> None:
    assert result_line(match, LINK) == line


def test_text_does_not_repeat_the_picture() -> None:
    panel = ending(THREE, Course("Ben hit 3 in the last round."), 5, pictures=True)
    assert texts(panel) == [winner(THREE), "-# Most sand dollars after 4 rounds."]
    (picture,) = panel.pictures()
    assert picture.alt == (
        "Twin Palms. Sand dollars at the end. 1. Ben: 20. 2. Alice: 12. 3. Cleo: 9. Ben hit 3 in the last round."
    )


def test_a_moment_with_cards_that_cannot_be_drawn_stands_below_the_picture() -> None:
    panel = ending(TWO, Course("Ben won the last trick with 🍀7."), 5, pictures=True)
    assert "-# Ben won the last trick with 🍀7." in texts(panel)[1].splitlines()
    assert "🍀" not in next(iter(panel.pictures())).alt


def test_without_pictures_the_text_says_what_the_picture_says() -> None:
    said = texts(ending(THREE, Course("Ben hit 3 in the last round."), 5, pictures=False))
    (picture,) = ending(THREE, Course("Ben hit 3 in the last round."), 5, pictures=True).pictures()
    assert said == [winner(THREE), picture.alt, "-# Most sand dollars after 4 rounds."]


def drawn(match: MatchResult, course: Course) -> Podium:
    """Return the scene of the picture."""
    (picture,) = ending(match, course, 5, pictures=True).pictures()
    assert isinstance(picture.paint, Painting)
    assert isinstance(picture.paint.scene, Podium)
    return picture.paint.scene


def test_the_picture_has_a_line_of_scores_for_each_side_in_the_order_of_places() -> None:
    curve = present(drawn(THREE, Course(scores=[(4, 9, 3), (12, 20, 9)])).curve)
    assert [(line.name, line.seat, line.scores) for line in curve.lines] == [
        ("Ben", 1, (9, 20)),
        ("Alice", 0, (4, 12)),
        ("Cleo", 2, (3, 9)),
    ]
    assert (curve.heading, curve.low_wins) == ("Sand dollars after each round", False)
    curve = present(drawn(OUT_EARLY, Course(scores=[(49, 40, 53), (63, 68, 53)])).curve)
    assert curve.heading == "Points after each deal · fewest win"
    teams = present(drawn(TEAMS, Course(scores=[(1, 2, 1, 2), (5, 3, 5, 3)])).curve)
    assert [(line.name, line.scores) for line in teams.lines] == [
        ("Alice and Cleo", (1, 5)),
        ("Ben and 🤖 Fern", (2, 3)),
    ]


def test_lines_on_people_come_in_the_order_of_the_ratings_then_those_with_a_milestone_only() -> None:
    ratings = [RatingNote(2, "", "Cleo +9"), RatingNote(0, "", "Alice −9")]
    lines = _people(NAMES, {1: ["a first win"], 0: ["10 matches"]}, ratings)
    assert lines == ["Cleo +9", "Alice −9 · 🌟 10 matches", "Ben · 🌟 a first win"]


def test_ratings_stand_beside_the_names_of_those_who_show_them() -> None:
    podium = drawn(THREE, Course(ratings={0: "1540 +12", 2: "1488? −7"}))
    assert [(player.name, player.rating) for player in podium.players] == [
        ("Ben", ""),
        ("Alice", "1540 +12"),
        ("Cleo", "1488? −7"),
    ]
    assert "2. Alice: 12, rating 1540 +12. 3. Cleo: 9, rating 1488? −7." in podium.alt


def texts(panel: Panel) -> list[str]:
    return [item.content for item in panel.walk_children() if isinstance(item, ui.TextDisplay)]
