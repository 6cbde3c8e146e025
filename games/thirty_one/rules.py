"""The rules of Thirty-One, the knocking game, as it was played aboard ship.

Two to eight players, 52 cards, the same number of tokens each. A dealer is drawn, then the deal moves left. Each deal
has these phases, in order:

1. Deal. Everyone still in gets three cards. One more card is turned up and starts the discards. A player who is dealt
   31 shows it at once, and the deal ends.
2. Turns, from the dealer's left. Draw from the stock or take the top discard; then discard a card, but not the one
   just taken from the discards. Or knock instead: then everyone else has one more turn, and nobody knocks again. A
   player who has 31 after discarding shows it at once, and the deal ends. When the stock is used up, all discards but
   the top one are shuffled into a new stock. After 30 turns each without a knock the deal ends, too.
3. Show and pay. After 31 everyone without it pays one token. Otherwise all hands are shown and the lowest pay one
   token each; if several are lowest, the knocker among them does not pay. A knocker who does not have the highest hand
   pays one token for that. Nobody pays when all hands are equal, and nobody pays more than they have.

Players without tokens are out. The last player in wins the pot. After 200 deals most tokens win.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from games import french
from games.chance import drawn, shuffled
from games.contract import Event, Game, Outcome, Sink
from games.elimination import left_of, placing_reason, placings
from games.ending import end
from games.thirty_one import actions, refusals
from games.thirty_one import view as views
from games.thirty_one.actions import DISCARD, DISCARDS, DRAW, KNOCK, TAKE
from games.thirty_one.events import (
    DealBegan,
    Dealt,
    Discarded,
    Drew,
    HadThirtyOne,
    HandsShown,
    Knocked,
    Looked,
    Refilled,
    Shown,
    Took,
)
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.state import HELD, NO_CARD, State
from games.thirty_one.values import BEST, worth
from games.thirty_one.view import View
from games.types import SEATS, Action, Seat, with_seats

PLAYERS: Final = range(2, 9)
TURNS: Final = 30
"""Limit of turns each without a knock, after which all hands are shown."""
DEALS: Final = 200
"""Limit of deals, after which most tokens win."""
CHOICES: Final = (DRAW, TAKE, KNOCK)
AFTER_KNOCK: Final = (DRAW, TAKE)


class ThirtyOne(Game[ThirtyOneOptions, State, View]):
    slug = "thirty-one"
    title = "Thirty-One"
    blurb = "Exchange a card a turn, collect one suit up to 31, and knock in time"
    minutes = 25
    reference_title = "What counts"
    length_option = "tokens"
    version = 1
    longest = DEALS * PLAYERS[-1] * (TURNS + 1) * 2
    round_name = "deal"
    card_names = french.NAME
    shuffles = {"dealer N": "lot", "deal N": "whole", "refill of deal N N": "part"}
    dealing = (
        "Cards are dealt from the end of the list: three to each player in the order of seats, then the first "
        "discard. Later cards are drawn from there on."
    )
    Options = ThirtyOneOptions

    def seats(self, _: ThirtyOneOptions) -> range:
        return PLAYERS

    def new(self, options: ThirtyOneOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        self.check_seats(options, seats)
        events: list[Event] = []
        dealer = SEATS[drawn(seats, seed, "dealer")]
        state = State(options, seats, seed, dealer, tokens=[options.tokens] * seats)
        _deal(state, events)
        return state, events

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        if seat != state.turn:
            return ()
        hand = state.hands[seat]
        if len(hand) > HELD:
            return [DISCARDS[card] for card in hand if card != state.taken]
        return CHOICES if state.knocker is None else AFTER_KNOCK

    def ahead(self, state: State, seat: Seat) -> Sequence[Action]:
        # The top discard may be another card by then.
        if state.turn in (None, seat, state.knocker) or state.out[seat]:
            return ()
        if state.knocker is None:
            return DRAW, KNOCK
        return (DRAW,) if seat in _between(state.turn, state.knocker, state.out) else ()

    def awaited(self, state: State) -> tuple[Seat, ...]:
        return () if state.turn is None else (state.turn,)

    def step(self, state: State, seat: Seat, action: Action, events: Sink = None) -> None:
        if action >= DISCARD:
            _discard(state, seat, action - DISCARD, events)
        elif action == KNOCK:
            state.knocker = seat
            if events is not None:
                events.append(Knocked(seat))
            _end_turn(state, seat, events)
        elif action == TAKE:
            state.taken = state.discards.pop()
            _receive(state, seat, state.taken)
            state.known[seat].append(state.taken)
            if events is not None:
                events.append(Took(seat, state.taken))
        else:
            _draw(state, seat, events)

    def fallback(self, state: State, seat: Seat) -> Action:
        # An absent player never knocks, takes no discards, and keeps the best hand.
        hand = state.hands[seat]
        if len(hand) == HELD:
            return DRAW
        return max(self.legal(state, seat), key=lambda action: worth(_without(hand, action), state.options))

    def unit(self, _: ThirtyOneOptions) -> str:
        return "token"

    def pack(self, _: ThirtyOneOptions) -> Sequence[int]:
        return french.PACK

    why_not = staticmethod(refusals.why_not)
    view = staticmethod(views.view)
    imagine = staticmethod(views.imagine)
    text = staticmethod(actions.TEXT.__getitem__)
    parse = staticmethod(actions.parse)


def _without(hand: list[int], discard: Action) -> list[int]:
    return [card for card in hand if card != discard - DISCARD]


def _deal(state: State, events: Sink) -> None:
    """Begin the next deal; `dealer` is already set."""
    state.deal += 1
    state.stock = shuffled(french.PACK, state.seed, "deal", state.deal)
    state.hands = [[] if out else sorted([state.stock.pop() for _ in range(HELD)]) for out in state.out]
    state.known = [[] for _ in state.hands]
    state.discards = [state.stock.pop()]
    state.batch = [0] * len(french.PACK)
    state.refills = state.turns = 0
    state.knocker = None
    state.turn = left_of(state.dealer, state.out)
    if events is not None:
        events.append(DealBegan(state.deal, state.dealer, state.turn, state.discards[0]))
        events += [Dealt(tuple(hand), to=seat) for seat, hand in with_seats(state.hands) if hand]
    if any(hand and worth(hand, state.options) == 2 * BEST for hand in state.hands):
        _show_best(state, True, events)


def _draw(state: State, seat: Seat, events: Sink) -> None:
    if not state.stock:
        _refill(state, events)
    card = state.stock.pop()
    _receive(state, seat, card)
    if events is not None:
        events += [Drew(seat), Looked(card, to=seat)]


def _refill(state: State, events: Sink) -> None:
    """Shuffle all discards but the top one into a new stock."""
    *under, top = state.discards
    state.refills += 1
    state.stock = shuffled(under, state.seed, f"refill of deal {state.deal}", state.refills)
    state.discards = [top]
    for card in under:
        state.batch[card] = state.refills
    if events is not None:
        events.append(Refilled(len(under)))


def _receive(state: State, seat: Seat, card: int) -> None:
    hand = state.hands[seat]
    hand.append(card)
    hand.sort()


def _discard(state: State, seat: Seat, card: int, events: Sink) -> None:
    hand, known = state.hands[seat], state.known[seat]
    hand.remove(card)
    if card in known:
        known.remove(card)
    state.discards.append(card)
    state.taken = NO_CARD
    if events is not None:
        events.append(Discarded(seat, card))
    if worth(hand, state.options) == 2 * BEST:
        _show_best(state, False, events)
    else:
        _end_turn(state, seat, events)


def _end_turn(state: State, seat: Seat, events: Sink) -> None:
    """Pass the turn to the next seat, or end the deal."""
    state.turns += 1
    state.turn = left_of(seat, state.out)
    ran_out = state.knocker is None and state.turns == TURNS * state.out.count(0)
    if state.turn == state.knocker or ran_out:
        _show_all(state, events)


def _between(seat: Seat, last: Seat, out: Sequence[int]) -> Iterator[Seat]:
    """Yield the seats in turn order that are still in, after `seat` and before `last`."""
    while (seat := left_of(seat, out)) != last:
        yield seat


def _shown(state: State) -> tuple[Shown, ...]:
    """Return the hands of all seats that are in."""
    return tuple(
        [
            Shown(seat, tuple(hand), worth(hand, state.options))
            for seat, hand in with_seats(state.hands)
            if hand
        ]
    )


def _show_best(state: State, dealt: bool, events: Sink) -> None:
    """Show every 31; everybody without one pays."""
    shown = tuple(hand for hand in _shown(state) if hand.worth == 2 * BEST)
    having = {hand.seat for hand in shown}
    payments = tuple(int(not out and seat not in having) for seat, out in with_seats(state.out))
    _end_deal(state, HadThirtyOne(dealt, shown, payments, _going_out(state, payments)), events)


def _show_all(state: State, events: Sink) -> None:
    shown = _shown(state)
    paid = payments([(hand.seat, hand.worth) for hand in shown], state.knocker, state.tokens)
    _end_deal(state, HandsShown(state.knocker, shown, paid, _going_out(state, paid)), events)


def _going_out(state: State, paid: Sequence[int]) -> tuple[Seat, ...]:
    """Return the seats that pay their last token."""
    return tuple([seat for seat, held in with_seats(state.tokens) if held and held == paid[seat]])


def payments(
    hands: Sequence[tuple[Seat, int]], knocker: Seat | None, tokens: Sequence[int]
) -> tuple[int, ...]:
    """Return the tokens that each seat pays after all hands are shown. `hands` are (seat, half points)."""
    values = [value for _, value in hands]
    lowest, highest = min(values), max(values)
    several = values.count(lowest) > 1
    due = [0] * len(tokens)
    for seat, value in hands if lowest < highest else ():
        spared = several and seat == knocker
        due[seat] += value == lowest and not spared
        due[seat] += seat == knocker and value < highest
    return tuple(map(min, due, tokens))


def _end_deal(state: State, last: HadThirtyOne | HandsShown, events: Sink) -> None:
    """Apply the end of a deal, then begin the next deal or end the match."""
    state.last = last
    for hand in last.shown:
        state.known[hand.seat] = list(hand.cards)
    state.tokens = [held - paid for held, paid in zip(state.tokens, last.payments, strict=True)]
    for seat in last.out:
        state.out[seat] = state.deal
    if events is not None:
        events.append(last)
    if state.out.count(0) > 1 and state.deal < DEALS:
        state.dealer = left_of(state.dealer, state.out)
        _deal(state, events)
    else:
        _end(state, events)


def _end(state: State, events: Sink) -> None:
    state.turn = None
    pot = state.options.tokens * state.seats - sum(state.tokens)
    reason = f"Only the winner has tokens left. The pot holds {pot}."
    if state.out.count(0) > 1:
        reason = f"After {DEALS} deals the match ends, and the most tokens win."
    reason += placing_reason(state.out)
    end(state, Outcome(placings(state.out, state.tokens), tuple(state.tokens), reason), events)
