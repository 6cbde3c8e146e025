"""Selections of matches in custom ids, and pages of a history that fit into a message."""

import json

import pytest

from bot.match.refusal import Refusal
from bot.messages.custom_ids import LONGEST, CustomId
from bot.messages.panel import MOST_TEXT
from bot.store import Played, RatingRow, Result, Selection
from cogs.profile.history import PAGE, line
from cogs.profile.selections import MOST, coded, decoded
from games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_longest_selections_of_a_profile_fit_into_a_custom_id(game: str) -> None:
    for fact in GAMES[game].facts.KINDS:
        text = coded(Selection(MOST, None, game, fact=fact, value=10**12))
        assert len(str(CustomId("history", 0, f"{MOST}:100000000:{text}"))) <= LONGEST


@pytest.mark.parametrize(
    "text", ["", "g", "gchess", "p", "p-", "p1.0", "p 1", "g\0", "fexact", "x1", "all,all", "o+1", "o1,a2"]
)
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="does not work any more"):
        decoded(text, 8, 9)


@pytest.mark.parametrize("game", GAMES)
def test_a_page_of_matches_with_as_many_people_as_can_play_fits_into_a_message(game: str) -> None:
    kinds = GAMES[game].facts.KINDS
    facts = json.dumps(dict.fromkeys(kinds, 99_999))
    people = max(GAMES[game].seats(GAMES[game].Options()))
    results = [
        Result(1, seat, MOST, game, seat, "\u0645" * 20, 1, 0, people + 1, 10**12, facts)
        for seat in range(people)
    ]
    rating = RatingRow(0, next(iter(GAMES[game].pools)), 1, 1, 0, 99.0, 8.0, 2.0, 1)
    played = Played(1, MOST, game, 10**12, MOST, results, rating, rating)
    shown = line(played, 0, {(game, key): 99_999 for key in kinds})
    assert PAGE * (len(shown) + 1) + 300 <= MOST_TEXT
    assert shown.count("★") == min(2, sum(kind.shown and kind.combine != "sum" for kind in kinds.values()))


def test_a_game_that_the_bot_does_not_have_any_more_is_shown_by_its_slug() -> None:
    results = [Result(1, 0, 5, "whist", 1, "Alice", 1, 0, 2, 1000, '{"x":3}')]
    shown = line(Played(1, 5, "whist", 1000, None, results, None, None), 1, {})
    assert shown == "<t:1:d> **whist**\n**1st Alice**, with 1 computer"
