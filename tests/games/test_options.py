"""The announcement of a table's options: in players' words, and only the options that differ from the default."""

import pytest

from games import GAMES

ANNOUNCED: list[tuple[str, dict[str, object], list[str]]] = [
    ("twin-palms", {}, ["normal mode"]),
    ("twin-palms", {"mode": "easy", "bets": False, "rounds": 1}, ["easy mode", "no bets", "1 round"]),
    (
        "twin-palms",
        {"exact_points": (9, 4, 5, 6, 7, 8), "half_bet_rounding": "down"},
        ["normal mode", "9, 4, 5, 6, 7 and 8 points for exact bids of 0 to 5", "half a bet is rounded down"],
    ),
    ("palace", {}, []),
    ("palace", {"packs": 1}, ["one pack"]),
    ("palace", {"allow_equal": True}, ["equal ranks allowed"]),
    (
        "palace",
        {"voluntary_pickup": True, "four_across_turns": True, "play_for_places": True},
        ["the pile may be taken at any time", "four of a kind across turns", "played on for every place"],
    ),
    ("palmer", {}, []),
    ("palmer", {"limit": 80}, ["out at 80 points"]),
    ("thirty-one", {}, []),
    (
        "thirty-one",
        {"tokens": 1, "any_suit": True, "three_of_a_kind": True},
        ["1 token each", "cards of any suit count together", "three of a kind are worth 30½"],
    ),
    ("charms", {}, []),
    ("charms", {"hands": 6, "bidding": "open"}, ["6 hands", "open bids"]),
    ("twin-it", {"seconds": 120, "handicap": True, "barred": 2}, ["classic"]),
    (
        "twin-it",
        {"mode": "forbidden", "barred": 2, "sets_to_win": 3, "tie_ms": 100},
        ["forbidden", "3 sets to win", "ties within 100 ms", "three designs are forbidden for seat 3"],
    ),
    (
        "twin-it",
        {"mode": "teams", "handicap": True, "singles": 1, "hand_seconds": 2},
        [
            "teams",
            "1 design on one face only",
            "hands are off for 2 seconds after a mistake",
            "three designs are forbidden for the bigger team",
        ],
    ),
    ("twin-it", {"mode": "timed", "seconds": 120, "sets_to_win": 3}, ["timed", "a race of 2 minutes"]),
    (
        "twin-it",
        {"mode": "timed", "seconds": 60, "hand_seconds": 2},
        ["timed", "a race of 1 minute", "hands are off for 2 seconds after a mistake"],
    ),
]


@pytest.mark.parametrize(("game", "options", "said"), ANNOUNCED)
def test_only_relevant_options_that_differ_from_the_default_are_announced(
    game: str, options: dict[str, object], said: list[str]
) -> None:
    assert GAMES[game].Options(**options).summary() == said


@pytest.mark.parametrize(
    ("game", "options", "minutes"),
    [
        ("twin-palms", {"rounds": 1}, 5),
        ("charms", {"hands": 1}, 10),
        ("palmer", {"limit": 100}, 30),
        ("thirty-one", {"tokens": 1}, 10),
        ("palace", {"packs": 1}, 10),
        ("twin-it", {"mode": "timed"}, 5),
        ("hand-and-foot", {"deals": 1}, 25),
    ],
)
def test_minutes_follow_the_options(game: str, options: dict[str, object], minutes: int) -> None:
    rules = GAMES[game]
    assert rules.duration(rules.Options()) == rules.minutes
    assert rules.duration(rules.Options(**options)) == minutes


def test_the_menu_of_an_option_has_its_present_value_and_25_at_most() -> None:
    for game in GAMES.values():
        for options in (game.Options(), game.Options(**game.Options.usual())):
            for name in options.phrases():
                values = options.menu(name)
                assert name == "exact_points" or getattr(options, name) in values
                assert len(values) <= 25
    assert GAMES["palmer"].Options(limit=55).menu("limit")[:6] == [10, 20, 30, 40, 50, 55]
