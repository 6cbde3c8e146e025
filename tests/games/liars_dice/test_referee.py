"""Whole matches of random play, judged by a second referee who knows the rules and not the engine."""

from random import Random

from games.liars_dice import GAME
from games.liars_dice.options import LiarsDiceOptions
from games.liars_dice.state import State
from games.types import SEATS, Action, Seat
from tests.games.liars_dice.referee import Referee, bid_of
from tests.games.liars_dice.secrets import options as all_options

CHANCE_OF_A_JUMP = 0.1
"""Portion of bids that are any legal ones. The others are low, so that a round has many bids."""


def test_a_second_referee_agrees_with_every_legal_action_and_every_round() -> None:
    for number in range(50):
        judge(number)


def judge(number: int) -> None:
    """Play a match, and let the referee follow it."""
    rng = Random(number)
    options = rng.choice(all_options())
    assert isinstance(options, LiarsDiceOptions)
    seats = rng.choice(range(2, 7))
    referee = Referee(options, seats)
    state, events = GAME.new(options, seats, number)
    while True:
        for event in events:
            if event.to is None:
                referee.receive(event)
        if referee.over:
            break
        assert_legal(referee, state)
        seat, action = a_move(state, rng)
        events = GAME.apply(state, seat, action)
    assert state.outcome is not None
    assert state.outcome.scores == tuple(referee.dice)
    later = referee.gone[::-1]
    assert [state.outcome.placings[seat] for seat in later] == list(range(seats - len(later) + 1, seats + 1))


def assert_legal(referee: Referee, state: State) -> None:
    """Assert that the legal actions of all seats are those that the referee allows."""
    assert GAME.awaited(state) == (referee.turn,)
    for seat in SEATS[: state.seats]:
        texts = {GAME.text(action): action for action in GAME.legal(state, seat)}
        assert ("doubt" in texts) == referee.may_call(seat, calza=False)
        assert ("calza" in texts) == referee.may_call(seat, calza=True)
        allowed = {
            (quantity, face)
            for quantity in range(1, 31)
            for face in range(1, 7)
            if seat == referee.turn and referee.may_bid(seat, (quantity, face))
        }
        assert {bid_of(action) for text, action in texts.items() if text.startswith("bid")} == allowed


def a_move(state: State, rng: Random) -> tuple[Seat, Action]:
    """Return a seat that may act, and one of its actions."""
    able = [seat for seat in SEATS[: state.seats] if GAME.legal(state, seat)]
    seat = rng.choice(able if rng.random() < 0.1 else GAME.awaited(state))
    legal = GAME.legal(state, seat)
    return seat, rng.choice(legal if rng.random() < CHANCE_OF_A_JUMP else legal[:8])
