"""The laws about the ends of matches and seasons allow what is right, and find what is wrong."""

from dataclasses import dataclass
from typing import Any

import pytest

from bot.match.state import Player, TableState
from bot.messages.ending import Course, MatchResult, ending, podium_of, result_line
from bot.messages.panel import Panel
from bot.store import Season, SeasonRow
from cogs.standings.season import final_post
from games import Outcome
from games.phrases import placed
from sandbox.bodies import texts
from tests.bot.messages import test_ending as ends
from tests.rooms.told import End, faults_of_season_table

RESULTS = {name: each for name, each in vars(ends).items() if isinstance(each, MatchResult)}


@dataclass(slots=True, eq=False)
class Over(TableState):
    """A table that is over with a given outcome."""

    ended: Any = None

    def outcome(self) -> Outcome:
        return self.ended  # type: ignore[no-any-return]


def end_of(result: MatchResult) -> End:
    players = [Player(0, each[2:], "casual") if each[0] == "🤖" else Player(1, each) for each in result.names]
    return End(Over(result.game, result.options, "", players=(*players,), phase="over", ended=result.outcome))


def read(panel: Panel) -> str:
    return "\n".join(texts({"components": panel.payload()}))


def last(result: MatchResult, ratings: dict[int, str] | None = None) -> tuple[str, str]:
    course = Course(ratings=ratings or {})
    said = read(ending(result, course, 7, pictures=False))
    return said, podium_of(result, course)[0].alt


@pytest.mark.parametrize("name", RESULTS)
def test_what_the_bot_says_of_an_end_is_allowed(name: str) -> None:
    result, end = RESULTS[name], end_of(RESULTS[name])
    said, alt = last(result)
    assert [*end.of_last(said.partition("\n")[0], alt)] == []
    assert [*end.of_last(said, "")] == []
    assert [*end.of_line(result_line(result, "<#7>"))] == []


@pytest.mark.parametrize("name", sorted(RESULTS.keys() - {"ALONE", "TOGETHER", "TIE", "TIED_TEAMS"}))
def test_another_winner_is_found(name: str) -> None:
    result = RESULTS[name]
    shifted = MatchResult(result.game, result.options, result.outcome, result.names[::-1])
    if shifted.names[result.places[0][0]] == result.names[result.places[0][0]]:
        shifted = MatchResult(
            result.game, result.options, result.outcome, [*result.names[1:], result.names[0]]
        )
    assert [*end_of(result).of_last(*last(shifted))]
    assert [*end_of(result).of_line(result_line(shifted, "<#7>"))]


def test_other_scores_are_found() -> None:
    other = ends.result("twin-palms", (2, 1, 3), (12, 21, 9))
    assert [*end_of(ends.THREE).of_last(*last(other))]
    assert [*end_of(ends.THREE).of_line(result_line(other, "<#7>"))]


def card(result: MatchResult) -> str:
    rows = [f"{number}. {name}" for number, name in enumerate(result.names, 1)]
    ended = placed(result.outcome, result.names, result.unit)
    return "\n".join([*rows, f"🏁 {result.outcome.reason}", *ended])


@pytest.mark.parametrize("name", sorted(RESULTS.keys() - {"OUTLASTED"}))
def test_a_card_has_the_places_of_all(name: str) -> None:
    assert [*end_of(RESULTS[name]).of_card(card(RESULTS[name]))] == []


def test_another_card_is_found() -> None:
    end, right = end_of(ends.THREE), card(ends.THREE)
    assert "\n**1.** Ben: 20" in right
    for wrong in (
        right.replace("**1.** Ben", "**1.** Alice"),
        right.replace("Ben: 20", "Ben: 21"),
        right.replace("🏁", "The match is on."),
        right.replace("3. Cleo", "3. Dan", 1),
        right.partition("\n**3.**")[0],
    ):
        assert len([*end.of_card(wrong)]) == 1


def test_another_rating_is_found() -> None:
    _, alt = last(ends.TWO, {0: "1488 −12", 1: "1540? +12"})
    assert [*end_of(ends.TWO).of_ratings(alt, {0: 1488, 1: 1540})] == []
    assert len([*end_of(ends.TWO).of_ratings(alt, {0: 1488, 1: 1541})]) == 1


def table_of(rows: list[SeasonRow]) -> str:
    panel = final_post(Season(1, 2, 3, "Spring", 0, 1, 2, None), rows)
    return "\n".join([read(panel), *(each.alt for each in panel.pictures())])


ROWS = [
    SeasonRow(5, "Ben", 1, 150, 1, 2),
    SeasonRow(4, "Alice", 2, 50, 1, 2),
    SeasonRow(6, "Cleo", 2, 50, 0, 1),
]


def test_the_table_of_a_season_has_its_rows_in_order() -> None:
    assert [*faults_of_season_table(ROWS, table_of(ROWS), set())] == []
    assert [*faults_of_season_table([], table_of([]), set())] == []
    erased = [ROWS[0], SeasonRow(-9, "Somebody", 2, 50, 0, 1), ROWS[1]]
    assert [*faults_of_season_table(erased, table_of(ROWS), set())] == []


@pytest.mark.parametrize(
    "shown",
    [ROWS[::-1], ROWS[:2], [*ROWS, ROWS[0]], [SeasonRow(5, "Dan", 1, 150, 1, 2), *ROWS[1:]], []],
    ids=["upside down", "one left out", "one twice", "another name", "nobody"],
)
def test_another_table_of_a_season_is_found(shown: list[SeasonRow]) -> None:
    assert len([*faults_of_season_table(ROWS, table_of(shown), set())]) == 1
