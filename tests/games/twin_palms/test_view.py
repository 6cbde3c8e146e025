"""The knowledge and memory of a seat. The contract suite tests that it knows no more."""

import pytest

from games.twin_palms import GAME
from games.twin_palms.state import Trick
from games.types import SEATS, Action, Seat
from tests.games.twin_palms.position import Position, opened
from tests.seats import FIRST


def test_bids_are_hidden_until_the_reveal_but_it_is_public_who_has_bid() -> None:
    seen = opened()
    seen.act("Cleo: bid 3 max")
    views = [GAME.view(seen.state, seat) for seat in (*SEATS[:3], None)]
    assert [view.bids for view in views] == [None] * 4
    assert [view.stakes for view in views] == [None] * 4
    assert [view.bid for view in views] == [None, None, GAME.parse("bid 3 max"), None]
    assert {view.has_bid for view in views} == {(False, False, True)}


def test_everybody_remembers_the_cards_played_in_this_round_and_all_score_sheets() -> None:
    seen = opened(seats=2, seed=3)
    seen.act("Alice: bid 0; Ben: bid 0")
    leader = seen.state.leader
    plays = [advance(seen), advance(seen)]
    for seat in (*SEATS[:2], None):
        view = GAME.view(seen.state, seat)
        assert view.tricks == (Trick(leader, tuple(plays), view.tricks[0].winner),)
        assert view.hand_sizes == (8, 8)
    while seen.state.round == 1:
        advance(seen)
    view = GAME.view(seen.state, FIRST)
    assert view.tricks == ()
    assert [row.total for row in view.sheets[0]] == list(view.dollars)


def advance(seen: Position) -> Action:
    """Make the fallback move of the first awaited player and return the action."""
    seat = GAME.awaited(seen.state)[0]
    action = GAME.fallback(seen.state, seat)
    GAME.step(seen.state, seat, action)
    return action


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_watcher_sees_no_hand_and_a_player_only_the_own_one(seat: Seat | None) -> None:
    seen = opened()
    assert GAME.view(seen.state, seat).hand == (() if seat is None else tuple(seen.state.hands[seat]))
