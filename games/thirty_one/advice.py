"""Strategy for Thirty-One: rules of thumb, and a search that plays deals out with everybody following them."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.advice import Advice
from games.elimination import left_of
from games.french import SIGN
from games.search import PlayoutResult, Problem, SearchingStrategy
from games.thirty_one import GAME, words
from games.thirty_one.actions import DISCARD, DISCARDS, DRAW, KNOCK, TAKE
from games.thirty_one.playout import (
    NEAR,
    STEP,
    Deal,
    asked,
    bit,
    card_of,
    drawing,
    hand_of,
    is_low,
    merits,
    taking,
    turning,
    turns_had,
)
from games.thirty_one.state import HELD
from games.thirty_one.values import BEST, POINTS, worth
from games.thirty_one.view import View
from games.thirty_one.words import points
from games.types import Action, Seat, with_seats

OFFERED: Final = 2
"""Cards that a player can get in a turn: the top discard and one from the stock."""
KNOCKER_TRIES: Final = 100
"""Limit of extra exchanges that make an imagined knocker's hand good enough to knock with."""


class ThirtyOneStrategy(SearchingStrategy[View]):
    """Collect one suit, and knock while the others are still collecting."""

    unit = "tokens"
    goal = "pay nothing"
    label = staticmethod(words.label)

    def advise(self, view: View, legal: Sequence[Action]) -> Advice:
        return _discarding(view) if len(view.hand) > HELD else _turning(view, KNOCK in legal)

    def blunder(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        # A beginner keeps high cards of any suit, and knocks as soon as the hand looks fair.
        if len(view.hand) > HELD:
            return min(legal, key=lambda action: (POINTS[action - DISCARD], action))
        if KNOCK in legal and worth(view.hand, view.options) >= 2 * 20:
            return KNOCK
        return TAKE if POINTS[view.discards[-1]] >= rng.choice((9, 10, 11)) else DRAW

    def problem(self, view: View, legal: Sequence[Action]) -> Problem[Deal]:
        return _Decision(view, legal)


def _discarding(view: View) -> Advice:
    """Choose the discard that leaves the best hand; of equal ones, the hand with the most points in any suit."""
    merit = merits(view.options)
    if view.taken is None:
        *hand, drawn = view.hand
        found = drawing(merit, hand_of(hand), bit(drawn))
    else:
        found = taking(merit, hand_of(card for card in view.hand if card != view.taken), bit(view.taken))
    left, _, discard = found
    card = card_of(discard)
    return Advice(
        DISCARDS[card], f"Drop {SIGN[card]}: this leaves you the best hand, {points(left // STEP)}."
    )


def _turning(view: View, may_knock: bool) -> Advice:
    merit, hand, top = merits(view.options), hand_of(view.hand), view.discards[-1]
    knocking = asked(turns_had(view)) if may_knock else None
    action, now = turning(merit, hand, bit(top), knocking), points(worth(view.hand, view.options))
    if action == KNOCK:
        return Advice(KNOCK, f"You have {now}. Few players have more at this point of a deal.")
    if action == TAKE:
        then = points(taking(merit, hand, bit(top))[0] // STEP)
        return Advice(TAKE, f"{SIGN[top]} raises your hand from {now} to {then}.")
    return Advice(DRAW, f"{SIGN[top]} adds little to your {now}. A card from the stock may add more.")


class _Decision(Problem[Deal]):
    """The choice of an action in a deal. Gains are tokens."""

    iterations = 600

    def __init__(self, view: View, legal: Sequence[Action]) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.legal = legal

    def candidates(self) -> Sequence[Action]:
        """Leave out actions that are clearly bad: spoiling a good hand, or knocking with a poor one."""
        merit, hand = merits(self.view.options), [bit(card) for card in self.view.hand]
        if len(hand) > HELD:
            kept = {action: merit[sum(hand) - bit(action - DISCARD)] for action in self.legal}
            best = max(kept.values())
            return [action for action, left in kept.items() if left >= best - NEAR * STEP]
        now, top = merit[sum(hand)], bit(self.view.discards[-1])
        spoilt = taking(merit, hand_of(self.view.hand), top)[0] < now - NEAR * STEP
        early = is_low(now // STEP, turns_had(self.view))
        return [
            action
            for action in self.legal
            if not (action == TAKE and spoilt) and not (action == KNOCK and early)
        ]

    def world(self, rng: Random) -> Deal:
        state = GAME.imagine(self.view, rng)
        deal = Deal(state)
        for seat, hand in with_seats(deal.hands):
            if hand and seat != self.seat:
                _grow(deal, seat, self.view, rng)
        return deal

    def play_out(self, world: Deal, action: Action) -> PlayoutResult:
        deal = world.copy()
        deal.act(action)
        deal.play_out()
        paid = deal.payments(self.view.tokens)
        own = paid[self.seat]
        return PlayoutResult((sum(paid) - own) / (deal.players - 1) - own, not own)


def _grow(deal: Deal, seat: Seat, view: View, rng: Random) -> None:
    """Improve a random hand to one that its player could have collected in the turns played.

    A knocker's hand becomes good enough to knock. Other players' hands stay too low to knock until their last turn."""
    turns = _turns_of(seat, view)
    for turn in range(turns):
        most = asked(turns - 1) - 1 if turn < turns - 1 else 2 * BEST - 1
        for _ in range(OFFERED):
            _exchange(deal, seat, view, rng, most)
    if seat == deal.knocker:
        for _ in range(KNOCKER_TRIES):
            if deal.worth(seat) >= asked(turns):
                return
            _exchange(deal, seat, view, rng, 2 * BEST - 1)


def _turns_of(seat: Seat, view: View) -> int:
    """Return how many cards a seat has exchanged in this deal."""
    later, other = 0, left_of(view.dealer, view.out)
    while other != seat:
        later, other = later + 1, left_of(other, view.out)
    return (view.turns - later - 1) // view.out.count(0) + 1 - (seat == view.knocker)


def _exchange(deal: Deal, seat: Seat, view: View, rng: Random, most: int) -> None:
    """Exchange a hidden card of the hand for a random one of the stock, if that improves the hand to `most` half points
    at most."""
    if not deal.stock:
        return
    place = int(rng.random() * len(deal.stock))
    card = deal.stock[place]
    merit, kept, discard = drawing(deal.merit, deal.hands[seat], card)
    if discard == card or merit // STEP > most:
        return
    old = card_of(discard)
    # Everybody knows when each hidden card was drawn, so both cards must have come into the stock together.
    if old not in view.known[seat] and view.batch[old] == view.batch[card_of(card)]:
        deal.hands[seat] = kept
        deal.stock[place] = discard


STRATEGY: Final = ThirtyOneStrategy()
