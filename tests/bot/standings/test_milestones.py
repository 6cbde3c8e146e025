"""Milestones: what earns each of them, once per person, from match to match."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pytest

from bot.standings.milestones import BIDS, MILESTONES, WINS, Progress, advance, earn, progress_of, titles
from bot.standings.ratings import RatedMatch, RatedSeat
from bot.store import Result
from games import GAMES
from games.advice import STRENGTHS, Strength

ALICE, BEN = 7001, 7002


@dataclass(frozen=True)
class Played:
    """A match of Alice and Ben, as Alice sees it; computers came last."""

    placing: int = 2
    game: str = "palace"
    facts: tuple[tuple[str, int], ...] = (("piles_taken", 2),)
    computers: tuple[Strength, ...] = ()
    replaced: bool = False


def match(game: str = "palace", placing: int = 2, **facts: int) -> Played:
    return Played(placing, game, tuple(facts.items()))


def bids(*, exact: Iterable[int], game: str = "charms") -> Played:
    """Return a lost match with these bids, 1 for an exact one."""
    row = [*exact]
    text = "".join(map(str, row))
    return match(
        game,
        bids=len(row),
        exact=sum(row),
        exact_run=max(map(len, text.split("0"))),
        exact_start=len(text.split("0", maxsplit=1)[0]),
        exact_end=len(text.rsplit("0", maxsplit=1)[-1]),
    )


def after(matches: Sequence[Played]) -> Progress:
    """Return Alice's progress after these matches, which have the numbers 1, 2 and so on."""
    progress = Progress()
    for number, each in enumerate(matches, start=1):
        other = 3 - min(each.placing, 2)
        result = Result(
            *(number, 0, 5, each.game, ALICE, "Alice", each.placing, 0, 2, 9, json.dumps(dict(each.facts)))
        )
        seats = [
            RatedSeat(0, each.placing, None, each.replaced),
            RatedSeat(1, other, None, replaced=False),
            *(RatedSeat(2 + n, 3, strength, replaced=False) for n, strength in enumerate(each.computers)),
        ]
        progress = advance(progress, result, RatedMatch(each.game, tuple(seats)))
    return progress


def earned(*matches: Played) -> dict[str, int]:
    """Return the milestones that Alice has after these matches, with the numbers of the matches."""
    return dict(after(matches).earned)


WON, LOST = match(placing=1, piles_taken=1), match(placing=2, piles_taken=1)


def test_the_first_win_is_a_milestone_and_the_second_is_not() -> None:
    assert earned(LOST) == {}
    assert earned(LOST, WON, WON) == {"win": 2}


def test_five_wins_must_follow_each_other_in_any_games() -> None:
    other = match("palmer", 1, deals_zero=0)
    assert earned(WON, WON, LOST, other, WON, other, WON, WON)["row"] == 8
    assert "row" not in earned(*[WON] * 4, LOST, *[WON] * 4)


def test_the_hundredth_win_counts_whatever_lies_between() -> None:
    played = [WON, LOST] * (WINS - 1) + [WON]
    assert "hundred" not in earned(*played[:-1])
    assert earned(*played)["hundred"] == len(played)


def test_a_win_in_each_game_counts_once_per_game() -> None:
    wins = [match(game, 1) for game in GAMES]
    assert len(wins) >= 6
    assert "games" not in earned(*wins[:5], *wins[:5])
    assert earned(*wins[:5], *wins[:5], wins[5])["games"] == 11


def test_computers_of_each_strength_must_be_beaten_but_not_in_one_match() -> None:
    first = Played(computers=("casual", "steady"))
    last = Played(computers=("sharp",))
    assert "strengths" not in earned(first, first)
    assert earned(first, last)["strengths"] == 2
    assert "strengths" not in earned(first, Played(placing=3, computers=("sharp",)))
    assert len(STRENGTHS) == 3


def test_a_run_of_exact_bids_goes_on_in_the_next_match_of_the_game() -> None:
    six, four = bids(exact=[0, *[1] * 6]), bids(exact=[1, 1, 1, 1, 0])
    assert earned(six, four) == {"bids": 2}
    assert earned(six, LOST, four) == {"bids": 3}
    assert earned(four, six) == {}
    assert earned(six, bids(exact=[1, 1, 1]), bids(exact=[1, 0])) == {"bids": 3}
    assert earned(six, bids(exact=[1, 1, 1, 0]), bids(exact=[1, 1, 0])) == {}
    assert earned(six, bids(exact=[1, 1, 1, 1, 0], game="twin-palms")) == {}
    assert earned(bids(exact=[0, *[1] * BIDS, 0])) == {"bids": 1}


def test_a_match_of_exact_bids_needs_five_of_them() -> None:
    assert earned(bids(exact=[1] * 4)) == {}
    assert earned(bids(exact=[1] * 5)) == {"all-bids": 1}
    assert earned(bids(exact=[1, 1, 1, 1, 0])) == {}


@pytest.mark.parametrize(
    ("good", "others"),
    [
        (match("palace", 2, piles_taken=0), [match("palace", 2, piles_taken=1), match("palace", 2)]),
        (match("palmer", 2, deals_zero=1), [match("palmer", 2, deals_zero=0), match("palmer", 2)]),
        (
            match("thirty-one", 1, tokens_paid=0),
            [match("thirty-one", 2, tokens_paid=0), match("thirty-one", 1, tokens_paid=1)],
        ),
        (
            match("twin-it", 1, sets=3, mistakes=0),
            [
                match("twin-it", 1, sets=0, mistakes=0),
                match("twin-it", 1, sets=3, mistakes=1),
                match("twin-it", 2, sets=3, mistakes=0),
                match("twin-it", 1),
            ],
        ),
        (match("twin-it", 1, race_sets=1, mistakes=0), []),
    ],
)
def test_a_game_has_its_own_milestone(good: Played, others: list[Played]) -> None:
    assert good.game in earned(good)
    for other in others:
        assert good.game not in earned(other), other


def test_nothing_is_earned_in_a_match_that_a_caretaker_played_and_all_runs_end() -> None:
    away = Played(1, "charms", bids(exact=[1] * 9).facts, ("casual", "steady", "sharp"), replaced=True)
    assert earned(away) == {}
    assert "row" not in earned(*[WON] * 3, away, *[WON] * 3)
    assert earned(bids(exact=[0, *[1] * 6]), away, bids(exact=[1, 1, 1, 1, 0])) == {}


def test_a_match_without_facts_ends_a_run_of_bids_and_earns_nothing_else() -> None:
    assert earned(bids(exact=[0, *[1] * 6]), match("charms"), bids(exact=[1, 1, 1, 1, 0])) == {}
    assert all(earned(match(game)) == {} for game in GAMES)


def test_titles_are_listed_in_one_order_and_by_match() -> None:
    progress = after([match("palace", 1, piles_taken=0), *[WON] * 4])
    assert [*titles(progress)] == [
        "first win",
        "five wins in a row",
        "a match of Palace without taking the pile",
    ]
    assert [*titles(progress, 1)] == ["first win", "a match of Palace without taking the pile"]
    assert [*titles(progress, 2)] == []


def test_rows_of_a_match_are_the_same_however_often_they_are_computed() -> None:
    rated = RatedMatch("palace", tuple(RatedSeat(n, n + 1, None, replaced=False) for n in range(2)))
    results = [Result(4, n, 5, "palace", user, "x", n + 1, 0, 2, 9) for n, user in enumerate((ALICE, BEN))]
    rows = earn({}, results, rated)
    assert rows == earn({}, results, rated)
    assert [progress_of(row).earned for row in rows] == [{"win": 4}, {}]
    assert rows[0].counts == '{"row":1,"wins":1,"won:palace":1}'
    assert progress_of(None) == Progress()


def test_milestones_are_few_short_and_know_the_facts_of_their_games() -> None:
    assert 8 <= len(MILESTONES) <= 12
    assert all(len(milestone.title) <= 45 for milestone in MILESTONES.values())
    known = {key for game in GAMES.values() for key in game.facts.KINDS}
    assert {"bids", "exact", "exact_run", "exact_start", "exact_end"} <= known
    assert "piles_taken" in GAMES["palace"].facts.KINDS
    assert "deals_zero" in GAMES["palmer"].facts.KINDS
    assert "tokens_paid" in GAMES["thirty-one"].facts.KINDS
    assert {"sets", "race_sets", "mistakes"} <= {*GAMES["twin-it"].facts.KINDS}
