"""The options of all games: their defaults, what else is allowed, and how a table announces them."""

import re
from collections.abc import Mapping, Sequence

import pytest
from pydantic import ValidationError

from games import GAMES

DEFAULTS: dict[str, dict[str, object]] = {
    "charms": {"hands": 4, "bidding": "hidden"},
    "hand-and-foot": {"deals": 4},
    "liars-dice": {"calza": False, "palifico": True},
    "palace": {
        "packs": 2,
        "allow_equal": False,
        "voluntary_pickup": False,
        "four_across_turns": False,
        "play_for_places": False,
    },
    "palmer": {"limit": 50},
    "thirty-one": {"tokens": 3, "any_suit": False, "three_of_a_kind": False},
    "twin-it": {
        "mode": "classic",
        "sets_to_win": 5,
        "seconds": 60,
        "singles": 10,
        "hand_seconds": 4,
        "tie_ms": 400,
        "barred": None,
        "handicap": False,
    },
    "twin-palms": {
        "mode": "normal",
        "bets": True,
        "exact_points": (5, 4, 5, 6, 7, 8),
        "half_bet_rounding": "up",
        "rounds": None,
    },
}
ALLOWED = {
    "charms": {"hands": "1 to 12", "bidding": "hidden or open"},
    "hand-and-foot": {"deals": "1 to 4"},
    "liars-dice": {},
    "palace": {"packs": "1 to 2"},
    "palmer": {"limit": "10 to 200"},
    "thirty-one": {"tokens": "1 to 10"},
    "twin-it": {
        "mode": "classic, forbidden, teams, cooperative or timed",
        "sets_to_win": "1 to 9",
        "seconds": "20 to 300",
        "singles": "1 to 18",
        "hand_seconds": "1 to 15",
        "tie_ms": "0 to 2000",
        "barred": "0 to 5, or nothing",
    },
    "twin-palms": {
        "mode": "easy, normal, advanced or extreme",
        "half_bet_rounding": "up or down",
        "rounds": "1 to 12, or nothing",
    },
}
"""What each option may be that is not true or false: a whole number, or one of some words."""
SEATS: list[tuple[str, Mapping[str, object], Sequence[int]]] = [
    ("charms", {}, range(3, 5)),
    ("hand-and-foot", {}, range(2, 7)),
    ("liars-dice", {}, range(2, 7)),
    ("palace", {"packs": 1}, range(2, 5)),
    ("palmer", {}, range(3, 7)),
    ("thirty-one", {}, range(2, 9)),
    *(("palace", {name: True}, range(2, 9)) for name, usual in DEFAULTS["palace"].items() if usual is False),
    ("twin-it", {"mode": "classic", "barred": 4}, range(2, 7)),
    ("twin-it", {"mode": "forbidden"}, range(2, 7)),
    ("twin-it", {"mode": "forbidden", "barred": 4}, range(5, 7)),
    ("twin-it", {"mode": "teams"}, range(4, 7)),
    ("twin-it", {"mode": "cooperative"}, range(1, 7)),
    ("twin-it", {"mode": "timed"}, range(2, 7)),
    ("twin-palms", {"mode": "easy"}, [2]),
    ("twin-palms", {"mode": "normal"}, range(2, 5)),
    ("twin-palms", {"mode": "advanced"}, range(2, 6)),
    ("twin-palms", {"mode": "extreme"}, range(2, 6)),
]
ANNOUNCED: list[tuple[str, dict[str, object], list[str]]] = [
    ("twin-palms", {}, ["normal mode"]),
    ("twin-palms", {"mode": "easy", "bets": False, "rounds": 1}, ["easy mode", "no bets", "1 round"]),
    (
        "twin-palms",
        {"exact_points": (9, 4, 5, 6, 7, 8), "half_bet_rounding": "down"},
        ["normal mode", "9, 4, 5, 6, 7 and 8 points for exact bids of 0 to 5", "a half bet is rounded down"],
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
    ("liars-dice", {}, []),
    ("liars-dice", {"calza": True, "palifico": False}, ["with calza", "without palifico"]),
    ("hand-and-foot", {}, ["4 deals"]),
    ("hand-and-foot", {"deals": 1}, ["1 deal"]),
    ("charms", {}, []),
    ("charms", {"hands": 6, "bidding": "open"}, ["6 hands", "open bids"]),
    ("twin-it", {"seconds": 120, "handicap": True, "barred": 2}, ["classic"]),
    (
        "twin-it",
        {"mode": "forbidden", "barred": 2, "sets_to_win": 3, "tie_ms": 100},
        [
            "forbidden",
            "3 sets to win",
            "ties within 100 ms",
            "three designs are forbidden for whoever draws seat 3",
        ],
    ),
    ("twin-it", {"mode": "forbidden"}, ["forbidden"]),
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


# What is allowed


def test_the_default_options() -> None:
    assert {slug: game.Options().model_dump() for slug, game in GAMES.items()} == DEFAULTS


def values_of(allowed: str) -> tuple[list[object], list[object]]:
    """Return values that are just allowed, and others that are not."""
    if numbers := re.match(r"(\d+) to (\d+)(, or nothing)?", allowed):
        low, high = int(numbers[1]), int(numbers[2])
        free = [None] if numbers[3] else []
        return [low, high, *free], [low - 1, high + 1, str(low), float(high), True, *([] if free else [None])]
    words = re.split(", | or ", allowed)
    return [*words], [words[0].title(), "nonsense", None, 1, True]


@pytest.mark.parametrize("slug", GAMES)
def test_an_option_has_the_allowed_values_and_any_other_is_refused_with_them(slug: str) -> None:
    options = GAMES[slug].Options
    for name, usual in DEFAULTS[slug].items():
        if name == "exact_points":
            continue
        allowed = "true or false" if isinstance(usual, bool) else ALLOWED[slug][name]
        right, wrong = (
            ([True, False], [1, "yes", None, 0.0]) if isinstance(usual, bool) else values_of(allowed)
        )
        for value in right:
            assert getattr(options.model_validate({name: value}), name) == value
        for value in wrong:
            with pytest.raises(ValidationError, match=f"{name} must be (a whole number from )?{allowed}"):
                options.model_validate({name: value})
    with pytest.raises(ValidationError, match="jokers"):
        options.model_validate({"jokers": True})


def test_points_for_exact_bids_are_six_numbers() -> None:
    options = GAMES["twin-palms"].Options
    for each in (0, 20):
        assert (
            options.model_validate({"exact_points": (each,) * 6}).model_dump()["exact_points"] == (each,) * 6
        )
    usual = [5, 4, 5, 6, 7, 8]
    for wrong in (usual[:5], [*usual, 9], [*usual[:5], 21], [-1, *usual[1:]], [*usual[:5], 8.0]):
        with pytest.raises(ValidationError, match="exact_points must be 6 whole numbers from 0 to 20"):
            options.model_validate({"exact_points": wrong})


@pytest.mark.parametrize(("game", "options", "seats"), SEATS)
def test_options_say_how_many_may_play(
    game: str, options: Mapping[str, object], seats: Sequence[int]
) -> None:
    chosen = GAMES[game].Options(**options)
    assert [*GAMES[game].seats(chosen)] == [*seats]
    with pytest.raises(ValueError, match=f"is for .*{seats[-1]} players?, not for {seats[-1] + 1}"):
        GAMES[game].new(chosen, seats[-1] + 1, 1)


# What is announced


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
