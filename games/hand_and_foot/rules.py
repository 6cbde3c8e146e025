"""The rules of Hand and Foot, a game of the canasta family without a standard; these are the house's.

Two to six players; four and six in pairs that sit opposite. One pack more than players, each with two jokers. The
first dealer is drawn, then the deal moves left. Each of four deals has these phases, in order:

1. Deal. Everyone gets a hand of eleven cards and a foot of eleven, which nobody looks at. The discard pile is empty.
   A red three is laid out as soon as it is in a hand, and replaced from the stock.
2. Turns, from the dealer's left. Draw two cards from the stock; or take the top seven discards with two natural cards
   of the hand that match the top one, and meld those three. Then meld, and discard one card.
   A meld has three to seven cards of one rank from 4 to the ace, the wild cards (2 and joker) fewer than the natural
   ones. A side has one open meld of a rank. Seven cards make a pile: clean without wild cards, else dirty.
   The cards of a side's first meld must be worth a minimum together; until then they are laid aside, unseen.
   Whoever has played the hand takes up the foot: at once, or for the next turn after a discard.
3. Going out. With hand and foot gone the deal ends, if the side has a clean and a dirty pile and a partner, who may be
   asked once a turn, agrees. Others must keep a card after the discard. A draw that the stock cannot give ends the
   deal, too.
4. Score. Piles, cards melded, red threes, 100 for going out; less the cards that the players still hold.

The highest total after four deals, or as many as the options say, wins.
"""

from collections.abc import Sequence
from typing import Final

from games.chance import drawn, shuffled
from games.contract import Event, Game, Outcome, Sink, ranked
from games.ending import end
from games.hand_and_foot import (
    actions,
    cards,
    legality,
    refusals,
    scoring,
    typed,
)
from games.hand_and_foot import view as views
from games.hand_and_foot.actions import AGREE, ASK, DISCARD, DRAW, FULL, MELD, TAKE, Way, melded
from games.hand_and_foot.cards import MELDABLE, RANK, RED_THREES
from games.hand_and_foot.events import (
    Answered,
    Asked,
    DealBegan,
    DealScored,
    Dealt,
    Discarded,
    Drew,
    FootSeen,
    FootTaken,
    LaidAside,
    LaidReds,
    Looked,
    Melded,
    PileMade,
    Took,
)
from games.hand_and_foot.melding import BELOW, TAKEN, chosen
from games.hand_and_foot.options import HandAndFootOptions
from games.hand_and_foot.state import (
    AGREED,
    ASKING,
    DRAWING,
    MINIMUM,
    PLAYING,
    REFUSED,
    UNASKED,
    State,
    is_clean,
    sides,
)
from games.hand_and_foot.view import View
from games.phrases import counted
from games.types import SEATS, Action, Seat, with_seats

PLAYERS: Final = range(2, 7)
DEALS: Final = len(MINIMUM)
DEALT: Final = 11
"""Cards of a hand, and of a foot."""
DRAWN: Final = 2
_CARDS: Final = len(cards.deck(PLAYERS[-1] + 1))


class HandAndFoot(Game[HandAndFootOptions, State, View]):
    slug = "hand-and-foot"
    title = "Hand and Foot"
    blurb = "Meld piles of seven, play your hand, then your foot, and go out"
    minutes = 90
    length_option = "deals"
    reference_title = "What counts"
    version = 1
    # A turn uses up two cards of the stock or melds three, and has four actions beside melds of a card or more.
    longest = DEALS * (4 * _CARDS + _CARDS)
    round_name = "deal"
    card_names = cards.NAME
    shuffles = {"dealer N": "lot", "deal N": "whole"}
    dealing = (
        "Cards are dealt from the end of the list: eleven to each player in the order of seats, then eleven more to "
        "each as the foot. Later cards are drawn from there on; first of all those that replace red threes dealt to a "
        "hand, in the order of seats."
    )
    Options = HandAndFootOptions

    def seats(self, _: HandAndFootOptions) -> range:
        return PLAYERS

    def sides(self, _: HandAndFootOptions, seats: int) -> tuple[int, ...]:
        return sides(seats)

    def new(self, options: HandAndFootOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        self.check_seats(options, seats)
        events: list[Event] = []
        state = State(options, seats, seed, dealer=SEATS[drawn(seats, seed, "dealer")])
        _deal(state, events)
        return state, events

    def awaited(self, state: State) -> tuple[Seat, ...]:
        awaited = state.partner if state.phase == ASKING else state.turn
        return () if awaited is None else (awaited,)

    def step(self, state: State, seat: Seat, action: Action, events: Sink = None) -> None:
        if action >= MELD:
            _meld(state, seat, *melded(action), events)
        elif action >= DISCARD:
            _discard(state, seat, action - DISCARD, events)
        elif action == DRAW:
            _draw(state, seat, events)
        elif action == TAKE:
            _take(state, seat, events)
        elif action == ASK:
            state.phase = ASKING
            if events is not None and state.partner is not None:
                events.append(Asked(seat, state.partner))
        else:
            _answer(state, seat, action == AGREE, events)

    def pack(self, _: HandAndFootOptions) -> Sequence[int]:
        return cards.deck(1)

    legal = staticmethod(legality.legal)
    fallback = staticmethod(legality.fallback)
    why_not = staticmethod(refusals.why_not)
    view = staticmethod(views.view)
    imagine = staticmethod(views.imagine)
    text = staticmethod(actions.TEXTS.__getitem__)
    parse = staticmethod(typed.parse)


# Deal


def _deal(state: State, events: Sink) -> None:
    """Begin the next deal; `dealer` is already set."""
    state.deal += 1
    state.stock = shuffled(cards.deck(state.seats + 1), state.seed, "deal", state.deal)
    state.hands = [_dealt(state) for _ in range(state.seats)]
    state.feet = [_dealt(state) for _ in range(state.seats)]
    state.known = [[] for _ in state.hands]
    state.reds = [[] for _ in state.hands]
    state.melds = [[[] for _ in range(MELDABLE.stop)] for _ in state.hands]
    state.piles = [[] for _ in state.hands]
    state.discards = []
    start = SEATS[(state.dealer + 1) % state.seats]
    _begin_turn(state, start)
    if events is not None:
        events.append(DealBegan(state.deal, state.dealer, start, state.minimum))
        events += [Dealt(tuple(hand), to=seat) for seat, hand in with_seats(state.hands)]
    for seat in SEATS[: state.seats]:
        _lay_reds(state, seat, events)


def _dealt(state: State) -> list[int]:
    return sorted([state.stock.pop() for _ in range(DEALT)])


def _lay_reds(state: State, seat: Seat, events: Sink) -> bool:
    """Lay out the red threes of a hand and replace them. Return whether the deal goes on: not if the stock is too
    small."""
    hand = state.hands[seat]
    while reds := [card for card in hand if card in RED_THREES]:
        state.reds[seat] += reds
        state.hands[seat] = hand = [card for card in hand if card not in RED_THREES]
        if events is not None:
            events.append(LaidReds(seat, tuple(reds)))
        if not _draw_cards(state, seat, len(reds), events):
            return False
    return True


def _draw_cards(state: State, seat: Seat, number: int, events: Sink) -> bool:
    """Draw cards from the stock. If it has too few, end the deal and return False."""
    if len(state.stock) < number:
        _end_deal(state, None, events)
        return False
    new = [state.stock.pop() for _ in range(number)]
    _receive(state, seat, new)
    if events is not None:
        events.append(Looked(tuple(sorted(new)), to=seat))
    return True


def _receive(state: State, seat: Seat, new: Sequence[int]) -> None:
    hand = state.hands[seat]
    hand += new
    hand.sort()


# Turns


def _begin_turn(state: State, seat: Seat | None) -> None:
    state.turn = seat
    state.phase = DRAWING
    state.consent = UNASKED


def _draw(state: State, seat: Seat, events: Sink) -> None:
    state.phase = PLAYING
    if len(state.stock) < DRAWN:
        _end_deal(state, None, events)
        return
    if events is not None:
        events.append(Drew(seat))
    if _draw_cards(state, seat, DRAWN, events):
        _lay_reds(state, seat, events)


def _take(state: State, seat: Seat, events: Sink) -> None:
    """Take the top discards, and meld the top one with two cards of the hand; with a first meld, all that was laid
    aside."""
    state.phase = PLAYING
    top = state.discards.pop()
    below = state.discards[-BELOW:]
    del state.discards[-BELOW:]
    if events is not None:
        events.append(Took(seat, top, tuple(below)))
    group = [top, *chosen(state.hands[seat], RANK[top], Way(TAKEN - 1, 0, 0))]
    _give_up(state, seat, group[1:])
    _receive(state, seat, below)
    state.known[seat] += below
    if state.has_opened(state.side(seat)):
        _lay(state, seat, {RANK[top]: group}, 0, events)
    else:
        state.aside[RANK[top]] += group
        _open(state, seat, events)


def _give_up(state: State, seat: Seat, gone: Sequence[int]) -> None:
    """Remove cards from a hand, and from those known in it. Of a hand that lays cards aside, none is known yet."""
    for card in gone:
        state.hands[seat].remove(card)
        if card in state.known[seat]:
            state.known[seat].remove(card)


def _meld(state: State, seat: Seat, rank: int, way: Way, events: Sink) -> None:
    """Lay cards on the side's meld of a rank, or aside before its first meld."""
    group = chosen(state.hands[seat], rank, way)
    _give_up(state, seat, group)
    if state.has_opened(state.side(seat)):
        _lay(state, seat, {rank: group}, 0, events)
        return
    state.aside[rank] += group
    laid = state.laid_aside()
    if events is not None:
        events.append(LaidAside(tuple(group), laid, state.minimum, to=seat))
    # The discard pile is taken with what is laid aside before drawing.
    if state.phase == PLAYING and laid >= state.minimum:
        _open(state, seat, events)


def _open(state: State, seat: Seat, events: Sink) -> None:
    """Make the side's first meld of the cards laid aside."""
    laid = state.laid_aside()
    groups = {rank: group for rank, group in enumerate(state.aside) if group}
    state.aside = [[] for _ in state.aside]
    _lay(state, seat, groups, laid, events)


def _lay(state: State, seat: Seat, groups: dict[int, list[int]], first: int, events: Sink) -> None:
    """Lay groups of cards on the melds of their ranks, and finish piles. Then take up the foot, or go out, if the hand
    is gone."""
    side = state.side(seat)
    if events is not None:
        laid = tuple([tuple(sorted(group)) for group in groups.values()])
        events.append(Melded(seat, (*groups,), laid, first))
    for rank, group in groups.items():
        state.melds[side][rank] = sorted(state.melds[side][rank] + group)
        _finish_pile(state, seat, rank, events)
    if not state.hands[seat]:
        _next_hand(state, seat, events)


def _finish_pile(state: State, seat: Seat, rank: int, events: Sink) -> None:
    side = state.side(seat)
    pile = tuple(state.melds[side][rank])
    if len(pile) == FULL:
        state.piles[side].append(pile)
        state.melds[side][rank] = []
        if events is not None:
            events.append(PileMade(seat, rank, is_clean(pile)))


def _next_hand(state: State, seat: Seat, events: Sink) -> bool:
    """Take up the foot, or go out. Return whether the deal goes on."""
    if not state.feet[seat]:
        _end_deal(state, seat, events)
        return False
    state.hands[seat], state.feet[seat] = state.feet[seat], []
    if events is not None:
        events += [FootTaken(seat), FootSeen(tuple(state.hands[seat]), to=seat)]
    return _lay_reds(state, seat, events)


def _discard(state: State, seat: Seat, card: int, events: Sink) -> None:
    _give_up(state, seat, [card])
    state.discards.append(card)
    if events is not None:
        events.append(Discarded(seat, card))
    if state.hands[seat] or _next_hand(state, seat, events):
        _begin_turn(state, SEATS[(seat + 1) % state.seats])


def _answer(state: State, seat: Seat, agreed: bool, events: Sink) -> None:
    state.phase = PLAYING
    state.consent = AGREED if agreed else REFUSED
    if events is not None:
        events.append(Answered(seat, agreed, to=state.turn))


# Score


def _end_deal(state: State, out: Seat | None, events: Sink) -> None:
    """Score the deal that `out` ended by going out (None: the stock ran out), and go on to the next deal, if any."""
    found = scoring.scores(state, out)
    state.last = DealScored(state.deal, out, scoring.held(state), found)
    for side, score in enumerate(found):
        state.totals[side] = score.total
    if events is not None:
        events.append(state.last)
    if state.deal < state.options.deals:
        state.dealer = SEATS[(state.dealer + 1) % state.seats]
        _deal(state, events)
    else:
        _end(state, events)


def _show_all(state: State) -> None:
    """Let everybody know the cards left: with the scores they were shown."""
    state.hands = [[*cards] for cards in scoring.held(state)]
    state.feet = [[] for _ in state.feet]
    state.known = [[*cards] for cards in state.hands]


def _end(state: State, events: Sink) -> None:
    _begin_turn(state, None)
    _show_all(state)
    totals = [state.totals[side] for side in sides(state.seats)]
    reason = f"The match ends after {counted(state.options.deals, 'deal')}, so the highest total wins."
    end(state, Outcome(ranked(totals), tuple(totals), reason), events)
