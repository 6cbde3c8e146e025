"""The advice for Twin Palms in positions with an obvious best move. The notation: see `position`."""

from random import Random

import pytest

from games.advice import Strength
from games.strategies import advise
from games.twin_palms import GAME
from games.twin_palms.advice import STRATEGY
from games.twin_palms.cards import CARDS, DECKS, STRENGTH, Mode, plays
from games.twin_palms.playout import NOTHING, best_of, pick, play_out
from games.twin_palms.sets import strongest, weakest
from games.twin_palms.state import State
from games.types import SEATS, Seat
from tests.games.twin_palms.position import position
from tests.seats import FIRST

both = pytest.mark.parametrize("strength", ["steady", "sharp"])

GREAT = "P10 P10 P9 P9 P8 P8 P7 P7 P6 P6"
POOR = "P0 D1 P2 D3 P4 D0 P1 D2 P3 D4"
OTHERS = """
    Ben  | D10 D10 D9 D9 D8 D8 D7 D7 D6 D6
    Cleo | P* P* D* D* P5 P5 D5 D5 P4 D4
    Dan  | P0 P1 P2 P3 D0 D1 D2 D3 D1 D2
"""


def bid(hand: str, strength: Strength) -> str:
    seen = position(f"normal\n Alice | {hand}{OTHERS}")
    return GAME.text(advise(GAME, GAME.view(seen.state, FIRST), strength, 1).action)


@both
def test_five_pairs_of_palms_bid_almost_every_trick_and_low_cards_bid_none(strength: Strength) -> None:
    assert int(bid(GREAT, strength).split()[1]) >= 3
    assert bid(POOR, strength) == "bid 0 max"


@both
def test_no_bet_is_advised_at_a_table_without_bets(strength: Strength) -> None:
    seen = position(f"normal\n Alice | {GREAT}{OTHERS}", bets=False)
    assert len(GAME.text(advise(GAME, GAME.view(seen.state, FIRST), strength, 1).action).split()) == 2


@pytest.mark.parametrize(("number", "advised"), [(1, "bid 2 max"), (4, "bid 2 half")])
def test_a_half_bet_is_advised_only_where_it_is_lower_than_the_max_bet(number: int, advised: str) -> None:
    hand = "P10 P10 P9 P9 D6 D6 P0 D1 P2 D3"
    seen = position(f"normal, round {number}\n Alice | {hand}{OTHERS}")
    seen.state.dollars[0] = 9
    assert STRATEGY.advise(GAME.view(seen.state, FIRST), ()).action == GAME.parse(advised)


def test_a_searched_bid_says_how_often_it_succeeds_and_how_much_better_it_is_than_the_usual_one() -> None:
    reasons = []
    for deal in range(12):
        state, _ = GAME.new(GAME.Options(), 4, deal)
        view = GAME.view(state, FIRST)
        steady, sharp = (advise(GAME, view, strength, 1) for strength in ("steady", "sharp"))
        usual, tricks = (int(GAME.text(advice.action).split()[1]) for advice in (steady, sharp))
        assert sharp.reason.startswith(f"A bid of {tricks} comes true in ")
        assert (f" of 100 possible deals. A bid of {usual} does in " in sharp.reason) == (usual != tricks)
        reasons.append(usual != tricks)
    assert any(reasons)


LAST_BUT_ONE = """
    normal, round 2, Ben leads
    Alice | P9 P9 P0 D1 | bid 2 | won {won}
    Ben   | D5 D5 P1 D3 | bid 1 | won 1
    Cleo  | D7 D7 P2 D4 | bid 1 | won 1
"""


@both
@pytest.mark.parametrize(("won", "winner"), [(1, 0), (2, 1)])
def test_the_advice_wins_a_trick_only_if_it_is_still_needed(
    won: int, winner: int, strength: Strength
) -> None:
    seen = position(LAST_BUT_ONE.format(won=won))
    seen.act("Ben: play D5 D5; Cleo: play P2 D4")
    GAME.step(seen.state, FIRST, advise(GAME, GAME.view(seen.state, FIRST), strength, 1).action)
    assert seen.state.tricks[-1].winner == winner


@pytest.mark.parametrize("mode", DECKS)
def test_a_hand_is_divided_into_sets_of_all_its_cards(mode: Mode) -> None:
    rng = Random(1)
    for _ in range(50):
        hand = sorted(rng.sample(DECKS[mode], 10))
        for sets in (strongest(hand, mode), weakest(hand, mode)):
            assert sorted(kind for made in sets for kind in (made.one, made.other)) == hand
            assert all(made.strength in STRENGTH[mode] for made in sets)


@pytest.mark.parametrize("mode", DECKS)
def test_the_strongest_possible_set_is_taken_again_and_again(mode: Mode) -> None:
    rng = Random(3)
    for size in (2, 4, 6, 8, 10) * 200:
        hand = left = sorted(rng.sample(DECKS[mode], size))
        for made in strongest(hand, mode):
            # Among equally strong sets, the one of the later kinds.
            assert (made.strength, made.other, made.one) == max(
                (STRENGTH[mode][play], high, low) for play in plays(left) for low, high in [CARDS[play]]
            )
            left = [*left]
            left.remove(made.one)
            left.remove(made.other)
        assert not left


def test_the_strongest_sets_have_more_stronger_sets_above_the_weakest() -> None:
    rng = Random(2)
    for _ in range(50):
        hand = sorted(rng.sample(DECKS["normal"], 10))
        assert max(made.strength for made in strongest(hand, "normal")) >= max(
            made.strength for made in weakest(hand, "normal")
        )


@pytest.mark.parametrize(
    ("need", "best", "last", "place"),
    [
        (0, NOTHING, False, 0),  # leads low
        (0, 25, False, 1),  # the strongest set that loses
        (0, 5, True, 3),  # must win, so plays the strongest
        (0, 5, False, 0),  # may still be beaten
        (2, 25, True, 2),  # no stronger than needed
        (2, 25, False, 3),  # as strong as possible
        (2, 99, False, 1),  # the strongest that is not needed later
        (4, 99, False, 0),  # hopeless: the weakest
        (-1, 35, True, 3),  # every trick is welcome
    ],
)
def test_the_rule_of_thumb_for_a_trick(need: int, best: int, last: bool, place: int) -> None:
    assert pick([10, 20, 30, 40], need, best, last) == place


def test_equal_sets_cancel_in_a_playout() -> None:
    assert best_of([7, 9, 9, 3]) == 7
    assert best_of([4, 4]) == NOTHING
    need = [1, 1, 0]
    play_out([[8], [8], [2]], need, 0, [])
    assert need == [1, 1, -1]


def test_a_trick_that_nobody_wins_counts_for_nobody() -> None:
    need = [1, 1]
    play_out([[5], [5]], need, 0, [])
    assert need == [1, 1]


def test_a_playout_gives_the_tricks_that_the_engine_gives_for_the_same_sets() -> None:
    for deal in range(100):
        state, _ = GAME.new(GAME.Options(), 4, deal)
        for seat in SEATS[:4]:
            GAME.step(state, seat, GAME.parse("bid 1"))
        sets = [sorted(made.strength for made in strongest(hand, "normal")) for hand in state.hands]
        need = [1] * 4
        play_out([[*row] for row in sets], need, state.leader, [])
        while not state.sheets:
            (turn,) = GAME.awaited(state)
            _play_by_rule_of_thumb(state, turn, sets[turn])
        assert [1 - row.tricks for row in state.sheets[0]] == need


def _play_by_rule_of_thumb(state: State, seat: Seat, sets: list[int]) -> None:
    """Let the seat to act play the set that `pick` chooses; `sets` are the strengths of those it has left."""
    strength = STRENGTH["normal"]
    to_beat = best_of([strength[play] for play in state.trick])
    value = sets.pop(pick(sets, 1 - state.won[seat], to_beat, len(state.trick) == 3))
    GAME.step(
        state,
        seat,
        next(play for play in GAME.legal(state, seat) if strength[play] == value),
    )


def test_imagined_worlds_of_the_search_fit_the_bids_better_than_random_ones() -> None:
    seen = position(
        """
        normal, Alice leads
        Alice | P0 P1 P2 P3 D0 D1 D2 D3 D1 D2 | bid 0
        Ben   | P10 P10 P9 P9 P8 P8 P7 P7 P6 P6 | bid 5
        Cleo  | P* P* D* D* P5 P5 D5 D5 P4 D4 | bid 0
        Dan   | D10 D10 D9 D9 D8 D8 D7 D7 D6 D6 | bid 0
        """
    )
    view = GAME.view(seen.state, FIRST)
    problem = STRATEGY.problem(view, GAME.legal(seen.state, FIRST))
    worlds = [problem.world(Random(seed)) for seed in range(60)]
    top = [sum(max(world[seat]) for world in worlds) / len(worlds) for seat in (1, 2)]
    assert top[0] > top[1]
