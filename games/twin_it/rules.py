"""Twin It!, the engine. Source: "Twin It!" by Nathalie Saunier, Rémi Saunier and Tom Vuarchex, all five ways to play.

Classic, forbidden and teams are games of turns:

1. Deal. All cards are dealt into visible piles. In forbidden mode, and in teams with a handicap, three cards lie
   beside a pile and bar their designs for its side.
2. Turns. In turn, players flip the top card of their pile over onto the table.
3. Hands, at any time: a player who sees two identical faces lays a hand on each (see `hands`).
4. End. A side has won enough sets; or the piles are used up, and no faces match or nobody finds the match.

Cooperative and timed are a race: everybody searches the spread at the same time (see `spread`).

All times come from Discord with the actions. Everything that happens by itself happens in `tick`: a hand lifts, a rest
ends, a race begins or ends.
"""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Final

from games.chance import drawn
from games.contract import Event, Game, Sink
from games.phrases import counted
from games.twin_it import actions, hands, refusals, spread
from games.twin_it import view as views
from games.twin_it.actions import FLIP, HOLD, LIFT, READY, TURN, on, parts
from games.twin_it.deck import CARDS, deal, sides
from games.twin_it.designs import NAMES
from games.twin_it.events import Dealt, Ended, Flipped, HandsLifted
from games.twin_it.options import TwinItOptions, duration
from games.twin_it.result import final
from games.twin_it.state import ANYBODY, State
from games.twin_it.view import View
from games.types import SEATS, Action, Seat, around, with_seats

LATEST: Final = 3_000
"""Limit of actions in a match."""
PATIENCE: Final = 30_000
"""Ms without a card turned or taken, after which a match without piles is over."""
BARRED: Final = 3
"""Number of cards that bar their designs for a side."""
RACE_POOL: Final = "twin-it-race"
"""Rating pool of timed races, which test other skills than the games of turns."""


class TwinIt(Game[TwinItOptions, State, View]):
    slug = "twin-it"
    title = "Twin It!"
    blurb = "Spot two designs alike before anybody else does"
    minutes = 10
    reference_title = "What counts"
    version = 1
    longest = LATEST
    real_time = True
    how = "See two alike? Press both numbers."
    # Sides are shuffled: in a dealt deck, two designs in a row are the two sides of a card.
    card_names = NAMES
    shuffles = {"start N": "lot", "barred N": "lot", "deal N N": "whole"}
    dealing = (
        "The list has the sides of all cards: the first two are the first card, up side first, and so on. The "
        "last list of a deal counts."
    )
    Options = TwinItOptions

    def seats(self, options: TwinItOptions) -> range:
        return options.seats()

    def duration(self, options: TwinItOptions) -> int:
        return 5 if options.against_time else self.minutes_of(options.sets_to_win, 5)

    def new(self, options: TwinItOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        self.check_seats(options, seats)
        state = State(options, seats, seed, deal(options.singles, seed, 1))
        state.sets = [[] for _ in range(state.sides)]
        if options.against_time:
            state.piles = []
            return state, spread.offer(state, void=False)
        return state, _deal(state)

    def legal(self, state: State, seat: Seat) -> list[Action]:
        if state.outcome is not None:
            return []
        if state.options.against_time:
            return spread.legal(state, seat)
        found = [FLIP] if _may_flip(state, seat) else []
        if state.hands[seat]:
            found.append(LIFT)
        if not state.rests[seat]:
            own = state.hand_of(state.side(seat))
            taken = own[1].face if own else 0
            found += [on(face) for face in state.showing if face != taken]
        return found

    def awaited(self, state: State) -> tuple[Seat, ...]:
        if state.outcome is not None:
            return ()
        if state.options.against_time:
            return tuple(seat for seat, ready in with_seats(state.ready) if not ready)
        if state.turn == ANYBODY:
            return tuple(state.holders())
        return () if state.turn is None else (state.turn,)

    def apply(self, state: State, seat: Seat, action: Action, at: int = 0) -> list[Event]:
        self.check(state, seat, action)
        state.now = max(state.now, at)
        events: list[Event] = []
        self.step(state, seat, action, events)
        return events

    def step(self, state: State, seat: Seat, action: Action, events: Sink = None) -> None:
        state.acted += 1
        happened = _act(state, seat, action) + _end(state)
        if events is not None:
            events += happened

    def view(self, state: State, seat: Seat | None) -> View:
        return views.view(state, seat, self.awaited(state))

    def fallback(self, state: State, _: Seat) -> Action:
        return READY if state.options.against_time else FLIP

    def unit(self, options: TwinItOptions) -> str:
        return "point" if options.against_time else "set"

    def sides(self, options: TwinItOptions, seats: int) -> tuple[int, ...]:
        return tuple(seat % options.sides(seats) for seat in SEATS[:seats])

    @property
    def pools(self) -> Mapping[str, str]:
        return {self.slug: self.title, RACE_POOL: f"{self.title}, race"}

    def pool(self, options: TwinItOptions) -> str | None:
        if options.mode == "cooperative":
            return None
        return RACE_POOL if options.against_time else self.slug

    def due(self, state: State) -> int | None:
        if state.outcome is not None:
            return None
        times = [rest for rest in state.rests if rest]
        if state.options.against_time:
            times += [state.ends or state.opens] if state.opens else []
        else:
            times += [hand.at + state.options.hand_ms for lying in state.hands for hand in lying]
            times += [state.stirred + PATIENCE] if state.turn is None else []
        return min(times, default=None)

    def tick(self, state: State, at: int) -> list[Event]:
        state.now = max(state.now, at)
        state.rests = [0 if rest <= state.now else rest for rest in state.rests]
        if not state.options.against_time:
            return _lapse(state) + _end(state)
        if state.opens and not state.ends and state.opens <= state.now:
            return spread.uncover(state)
        return _end(state)

    def resume(self, state: State, at: int) -> list[Event]:
        """Offer a new race if one was interrupted. In a game of turns, start the last search for a match again."""
        state.now = state.stirred = max(state.now, at)
        if state.outcome is not None or not state.opens:
            return []
        state.deals += 1
        return spread.offer(state, void=True)

    def pack(self, options: TwinItOptions) -> Sequence[int]:
        return sides(options.singles)

    why_not = staticmethod(refusals.why_not)
    imagine = staticmethod(views.imagine)
    text = staticmethod(actions.text)
    parse = staticmethod(actions.parse)


def _deal(state: State) -> list[Event]:
    """Lay out the cards that bar, then deal the others one by one, beginning with the first player."""
    start = SEATS[drawn(state.seats, state.seed, "start")]
    _bar(state)
    dealt = [card for card in range(CARDS) if card not in state.barred]
    for seat, card in zip(cycle(around(start, state.seats)), dealt, strict=False):
        state.piles[seat].append(card)
    for card in state.barred:
        state.lay(card)
    shown = [*state.barred, *state.uncover()]
    state.turn = start
    sizes = tuple(map(len, state.piles))
    barred = tuple(seat for seat in SEATS[: state.seats] if state.side(seat) == state.barred_side)
    return [Dealt(piles=sizes, start=start, barred=barred, faces=state.faces_of(shown))]


def _bar(state: State) -> None:
    """Choose the side that is barred, if any, and its cards: the first three of the deck with different faces."""
    options = state.options
    if options.mode == "forbidden":
        anybody = drawn(state.seats, state.seed, "barred")
        state.barred_side = anybody if options.barred is None else options.barred
    elif options.mode == "teams" and options.handicap and state.seats % 2:
        state.barred_side = 0  # there is one more even seat than odd ones
    else:
        return
    for card in range(CARDS):
        if len(state.barred) < BARRED and not state.bars(state.barred_side, state.design(card)):
            state.barred.append(card)


def _may_flip(state: State, seat: Seat) -> bool:
    return state.turn == seat or (state.turn == ANYBODY and bool(state.piles[seat]))


def _act(state: State, seat: Seat, action: Action) -> list[Event]:
    if action == FLIP:
        return _flip(state, seat)
    if action == LIFT:
        return _lift(state, seat)
    if action == READY:
        return spread.ready(state, seat)
    face, kind = parts(action)
    if not state.options.against_time:
        return hands.lay(state, seat, face)
    if kind == TURN:
        return spread.turn(state, seat, face)
    return spread.lay(state, seat, face, hold=kind == HOLD)


def _flip(state: State, seat: Seat) -> list[Event]:
    """Flip the top card of a pile onto the table, and show the next card of the pile."""
    card = state.piles[seat][-1]
    gone = state.number[card]
    state.take_up(card)
    state.up[card] ^= 1
    state.lay(card)
    state.stirred = state.now
    shown = [card, *state.uncover()]
    state.turn = state.flipper(SEATS[(seat + 1) % state.seats])
    return [Flipped(seat=seat, gone=gone, faces=state.faces_of(shown), at=state.now)]


def _lift(state: State, seat: Seat) -> list[Event]:
    lifted = tuple((seat, hand.face) for hand in state.hands[seat])
    state.hands[seat] = ()
    return [HandsLifted(hands=lifted, lapsed=False)]


def _lapse(state: State) -> list[Event]:
    """Lift the hands whose time is up."""
    lapsed = []
    for seat, lying in with_seats(state.hands):
        if lying and lying[0].at + state.options.hand_ms <= state.now:
            lapsed.append((seat, lying[0].face))
            state.hands[seat] = ()
    return [HandsLifted(hands=tuple(lapsed), lapsed=True)] if lapsed else []


def _end(state: State) -> list[Event]:
    """End the match if there is a reason, and return the event."""
    reason = _reason(state)
    if state.outcome is not None or not reason:
        return []
    state.outcome = final(state, reason)
    return [Ended(mode=state.options.mode, outcome=state.outcome)]


def _reason(state: State) -> str:
    """Return why the match is over; "" while it is not."""
    options = state.options
    if options.against_time:
        if state.ends and state.ends <= state.now:
            return f"Time's up: {duration(options.seconds)}."
    elif max(map(len, state.sets)) >= options.sets_to_win:
        return f"{counted(options.sets_to_win, 'set')} {'wins' if options.sets_to_win == 1 else 'win'} the match."
    elif state.turn is None and not state.any_match():
        return "The piles are used up, and no two faces match."
    elif state.turn is None and state.stirred + PATIENCE <= state.now:
        return "The piles are used up, and nobody found a match for 30 seconds."
    return "A match ends after 3,000 actions." if state.acted >= LATEST else ""
