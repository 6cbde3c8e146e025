"""The table of a season as a message: within Discord's limits, whatever the names and however many win."""

import pytest

from bot.match.names import safe
from bot.messages.panel import MOST_TEXT
from bot.pictures.encoding import encode
from bot.pictures.scene import MOST_ALT
from bot.standings.ratings import DAY
from bot.store import Season, SeasonRow
from cogs.standings.season import Viewer, dates, final_post, season_page

START = 1_793_491_200_000
"""1 November 2026, 0:00 UTC."""


def season(name: str = "Autumn", days: int = 30, closed: int | None = 1) -> Season:
    return Season(7, 5001, 6001, safe(name), START, START + days * DAY, closed, None)


def rows(*names: str) -> list[SeasonRow]:
    return [SeasonRow(user, name, 1, 2_000, 99_999, 99_999) for user, name in enumerate(names, 1)]


@pytest.mark.parametrize(("days", "shown"), [(30, "1 Nov to 30 Nov 2026"), (1, "1 Nov to 1 Nov 2026")])
def test_the_dates_are_the_first_and_the_last_day(days: int, shown: str) -> None:
    assert dates(season(days=days)) == shown


def test_the_dates_of_a_season_over_the_turn_of_the_year_have_both_years() -> None:
    assert dates(season(days=90)) == "1 Nov 2026 to 29 Jan 2027"


@pytest.mark.parametrize("name", ["W" * 100, "🌴" * 32, "**@everyone** <#5>", "\u202eكأس الخريف" * 5])
def test_any_names_keep_discords_limits(name: str) -> None:
    people = rows(*[name] * 60)
    viewer = Viewer(60, safe(name), pictures=True)
    for panel in (final_post(season(name), people), season_page(season(name), people, viewer, None, START)):
        (picture,) = panel.pictures()
        assert len(encode(picture.paint())) < 100_000
        assert len(picture.alt) < MOST_ALT
        assert len(panel.texts()) < MOST_TEXT
        assert "@everyone" not in panel.texts()
        panel.put_into_words()
        assert len(panel.texts()) < MOST_TEXT


def test_all_winners_of_a_shared_first_place_are_named_up_to_ten() -> None:
    assert (
        "🏆 **Alice** and **Ben** win with 2,000 points."
        in final_post(season(), rows("Alice", "Ben")).texts()
    )
    assert "and 2 more win with 2,000 points." in final_post(season(), rows(*"ABCDEFGHIJKL")).texts()


def test_a_page_opens_where_the_person_stands_and_numbers_after_the_last_mean_the_last() -> None:
    people, ben = rows(*map(str, range(25))), Viewer(15, "Ben", pictures=False)
    titles = [
        season_page(season(), people, ben, page, START).texts().splitlines()[0] for page in (None, 0, 99)
    ]
    assert titles == [f"### Season Autumn · page {page} of 3" for page in (2, 1, 3)]
