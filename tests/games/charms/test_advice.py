"""The advice for Charms in positions with an obvious best move. The notation: see `position`."""

from random import Random

import pytest

from games.advice import Strength
from games.chance import recorded
from games.charms import GAME
from games.charms.advice import STRATEGY
from games.strategies import advise
from games.types import SEATS
from tests.games.charms.position import Position, position
from tests.seats import FIRST

both = pytest.mark.parametrize("strength", ["steady", "sharp"])


def advised_action(seen: Position, name: str, strength: Strength) -> str:
    seat = seen.seat(name)
    return GAME.text(advise(GAME, GAME.view(seen.state, seat), strength, 1).action)


def bid(hand: str, strength: Strength) -> int:
    state, _ = GAME.new(GAME.Options(), 3, "bids")
    trumps = {text: (state.trump + turn) % 4 for turn, text in enumerate("TXYZ")}
    cards = [trumps[text] if text in trumps else 3 + int(text) for text in hand.split()]
    state.give([cards, *state.hands[1:]])
    return int(GAME.text(advise(GAME, GAME.view(state, FIRST), strength, 1).action).split()[1])


@both
def test_a_hand_of_trumps_and_high_numbers_bids_more_than_a_low_one(strength: Strength) -> None:
    """T is the trump; X, Y and Z are the other suits."""
    assert bid("T T T T T X Y 8 8 8 7 7 6", strength) > bid("X X Y Y Z Z 1 1 2 2 3 3 4", strength)


LAST = """
    trump K, Ben leads
    Alice | shows C 2 | {hand} | bid {bid} | won 3
    Ben   | shows C 5 | 6 6 | bid 4 | won 4
    Cleo  | shows L 1 | 1 1 | bid 3 | won 3
"""


@both
@pytest.mark.parametrize(("bid", "action"), [(4, "play 8"), (3, "play 1")])
def test_the_advice_wins_a_trick_only_if_it_is_still_needed(
    bid: int, action: str, strength: Strength
) -> None:
    seen = position(LAST.format(hand="1 8", bid=bid))
    seen.act("Ben: play 6; Cleo: play 1")
    assert advised_action(seen, "Alice", strength) == action


def test_a_play_that_another_one_is_less_likely_to_win_is_not_called_the_least_likely() -> None:
    others = "".join(f"\n {name} | shows L 5 | 6 6 | bid 2 | won 2" for name in ("Ben", "Cleo", "Dan"))
    seen = position(f"trump K, Alice leads\n Alice | shows C 5 | 1 2 | bid 5 | won 5{others}")
    advice = advise(GAME, GAME.view(seen.state, FIRST), "steady", 1)
    assert GAME.text(advice.action) == "play 2"
    assert advice.reason.endswith("Get rid of a card that might win one later.")


@pytest.mark.parametrize("bid", ["", "bid 3"])
def test_a_playout_deals_no_further_hand(bid: str) -> None:
    state, _ = GAME.new(GAME.Options(hands=4), 4, "deal")
    for seat in SEATS[:4] if bid else ():
        GAME.step(state, seat, GAME.parse(bid))
    seat = GAME.awaited(state)[0]
    problem = STRATEGY.problem(GAME.view(state, seat), GAME.legal(state, seat))
    world = problem.world(Random(1))
    with recorded() as shuffles:
        for action in problem.candidates():
            problem.play_out(world, action)
    assert not shuffles
