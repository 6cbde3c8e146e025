"""Facts of Twin It!: from positions and in agreement with the events of random matches."""

from typing import Any

import pytest

from games.contract import Event
from games.twin_it import GAME
from games.twin_it.events import Countdown, Erred, Offered, Opened, SetWon, Tied
from games.twin_it.options import TwinItOptions
from games.types import SEATS, Seat
from tests.contract.golden import public_events
from tests.contract.matches import finished_match, public
from tests.contract.subjects import SUBJECTS
from tests.games.twin_it.position import position
from tests.seats import FIRST, SECOND

TWIN_IT = SUBJECTS["twin-it"]
OWNED = "classic\ntable | A/b\nAlice | C/d\nBen | G/h | won A/i A/j"
TURNS = ("sets", "robberies", "threes", "ties", "mistakes")


def facts(text: str, script: str, **options: Any) -> list[dict[str, int]]:
    """Return by seat the facts of what the script does."""
    seen = position(text, **options)
    seen.act(script)
    return [GAME.facts.count(seen.events, seat) for seat in SEATS[: len(seen.names)]]


def turns(text: str, script: str) -> list[tuple[int, ...]]:
    """Return by seat sets, pairs robbed, sets of three, ties and mistakes of a game of turns."""
    return [tuple(found[key] for key in TURNS) for found in facts(text, script)]


def test_a_pair_is_a_set_and_a_mistake_takes_none_away() -> None:
    text = "classic\ntable | A/b A/c\nAlice | C/d\nBen | G/h"
    script = "100 Alice A.table; 200 Alice A.table.2; 900 Alice C.Alice; 950 Alice G.Ben"
    assert turns(text, script) == [(1, 0, 0, 0, 1), (0, 0, 0, 0, 0)]


def test_a_robbed_pair_is_a_set_of_the_robber() -> None:
    assert turns(OWNED, "100 Alice A.table; 200 Alice A.Ben's") == [(1, 1, 1, 0, 0), (0, 0, 0, 0, 0)]


def test_a_third_copy_added_to_an_own_pair_is_no_new_set() -> None:
    assert turns(OWNED, "100 Ben A.table; 200 Ben A.Ben's") == [(0, 0, 0, 0, 0), (0, 0, 1, 0, 0)]


def test_a_tie_counts_for_everybody_in_it() -> None:
    text = "classic\ntable | A/b\nAlice | C/d\nBen | A/h\nCleo | E/f"
    assert turns(text, "0 Ben A.table; 300 Alice A.Ben") == [(0, 0, 0, 1, 0)] * 2 + [(0,) * 5]


def test_in_teams_a_set_counts_for_the_player_of_the_last_hand() -> None:
    text = "teams\ntable | A/b A/c\nAlice | C/d\nBen | E/f\nCleo | G/h\nDan | I/j"
    assert [sets for sets, *_ in turns(text, "100 Alice A.table; 900 Cleo A.table.2")] == [0, 0, 1, 0]


def test_the_smallest_lead_over_a_rivals_hand_is_kept() -> None:
    alice, ben = facts(
        "classic\ntable | A/b A/c D/e D/f\nAlice | C/d\nBen | G/h",
        "100 Alice A.table; 135 Ben A.table; 200 Alice A.table.2;"
        "9000 Alice D.table; 9012 Ben D.table; 9200 Alice D.table.2",
    )
    assert alice["closest_ms"] == 12
    assert "closest_ms" not in ben


def test_the_fastest_set_counts_from_the_flip_before() -> None:
    alice, ben = facts(
        "classic\ntable | A/b\nAlice | C/A E/f\nBen | G/h G/i",
        "5000 Alice flip; 5700 Alice A.table; 5740 Alice A.table.2",
    )
    assert alice["fastest_ms"] == 740
    assert "fastest_ms" not in ben


def won(at: int, seat: Seat = FIRST, size: int = 2, from_side: int | None = None) -> SetWon:
    return SetWon(seat, seat, 7, size, at, (), (), (), None, from_side)


def test_in_a_race_the_fastest_set_counts_from_the_start_or_from_the_set_before() -> None:
    race: list[Event] = [Offered(void=False), Countdown(opens=5000), Opened(ends=65_000, faces=())]
    race += [
        won(9000),
        won(9500, seat=SECOND),
        won(11_000),
        won(11_100, size=3, from_side=0),
        won(30_000, size=3),
    ]
    race += [Erred(FIRST, (), 40_000, None, 0, None, ())]
    assert [GAME.facts.count(race, seat) for seat in SEATS[:3]] == [
        {"race_sets": 3, "race_ms": 60_000, "race_fastest_ms": 2000, "threes": 2, "mistakes": 1},
        {"race_sets": 1, "race_ms": 60_000, "race_fastest_ms": 4500, "threes": 0, "mistakes": 0},
        {"race_sets": 0, "race_ms": 60_000, "threes": 0, "mistakes": 0},
    ]


def test_a_race_that_does_not_count_leaves_no_facts() -> None:
    void: list[Event] = [Offered(void=False), Countdown(opens=5000), Opened(ends=65_000, faces=())]
    void += [won(5100), won(5200, size=3), Erred(FIRST, (), 40_000, None, 0, None, ())]
    race: list[Event] = [
        Offered(void=True),
        Countdown(opens=70_000),
        Opened(ends=90_000, faces=()),
        won(73_000),
    ]
    facts = GAME.facts.count(void + race, FIRST)
    assert facts == {"race_sets": 1, "race_ms": 20_000, "race_fastest_ms": 3000, "threes": 0, "mistakes": 0}


@pytest.mark.parametrize("name", ["classic", "forbidden", "teams"])
def test_the_sets_of_all_agree_with_the_scores_of_a_game_of_turns(name: str) -> None:
    events = public_events(TWIN_IT, name)
    assert_sets_agree(events, TwinItOptions(mode="teams" if name == "teams" else "classic"))


@pytest.mark.parametrize("number", range(24))
def test_facts_agree_with_the_events_and_scores_of_the_match(number: int) -> None:
    match = finished_match(TWIN_IT, number)
    assert_sets_agree(public(match), match.state.options)


def assert_sets_agree(events: list[Event], options: TwinItOptions) -> None:
    scores = events[-1].outcome.scores  # type: ignore[attr-defined] # the last event ends the match
    seats = SEATS[: len(scores)]
    facts = [GAME.facts.count(events, seat) for seat in seats]
    assert sum(found["mistakes"] for found in facts) == sum(isinstance(event, Erred) for event in events)
    if options.against_time:
        points = [found["race_sets"] + found["threes"] for found in facts]
        together = options.mode == "cooperative"
        assert list(scores) == ([sum(points)] * len(points) if together else points)
        assert {found["race_ms"] for found in facts} == {1000 * options.seconds}
        return
    sides = options.sides(len(scores))
    given = sum(isinstance(event, Erred) and event.given is not None for event in events)
    robbed = sum(found["robberies"] for found in facts)
    assert sum(found["sets"] for found in facts) - robbed - given == sum(scores[:sides])
    tied = [{hand.seat for hand in event.hands} for event in events if isinstance(event, Tied)]
    assert [found["ties"] for found in facts] == [sum(seat in hands for hands in tied) for seat in seats]


@pytest.mark.parametrize(
    ("mode", "pool"),
    [
        ("classic", "twin-it"),
        ("forbidden", "twin-it"),
        ("teams", "twin-it"),
        ("cooperative", None),
        ("timed", "twin-it-race"),
    ],
)
def test_races_have_a_pool_of_their_own_and_a_common_race_is_not_rated(mode: str, pool: str | None) -> None:
    assert GAME.pool(TwinItOptions.model_validate({"mode": mode})) == pool
    assert GAME.pools == {"twin-it": "Twin It!", "twin-it-race": "Twin It!, race"}
