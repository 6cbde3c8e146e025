"""Palace, the engine. Source: Palace, the house rules noted down by Joshua Palmatier (2010), with our options.

Two packs without jokers; suits do not count. Two to eight players; with one pack, our option, two to four. The
phases, in order:

1. Deal. A dealer is drawn. Everyone gets three face-down cards, which nobody looks at, and a hand of six.
2. Show. Everyone chooses in secret three of the six to lie face up. A choice may be changed until everybody has
   chosen; then all are revealed. A card is turned up to start the pile (a 10 leaves the game, and the next card is
   turned). The seat to the dealer's left begins, clockwise.
3. Play, until somebody has no card left. In turn, players play one to four cards of one rank: a rank higher than the
   effective top of the pile, or wilds. When nothing fits, they take the pile. After a play, in this order: its effect
   on the pile, drawing up to three cards, the end, then another play or the next seat's turn.
   The hand is played first; when hand and stock are used up, the three face-up cards; last the face-down cards, one
   at a time and without looking. A face-down card that does not fit goes to the hand with the pile.
"""

from collections.abc import Sequence
from typing import Final

from games.chance import drawn, shuffled
from games.contract import Event, Game, Outcome, Sink, ranked
from games.ending import end
from games.palace import cards, memory, refusals
from games.palace import view as views
from games.palace.cards import (
    ACE,
    BLINDS,
    DECKS,
    EACH,
    EIGHT,
    FIRST_BLIND,
    FIRST_PLAY,
    FITTING,
    FITTING_BITS,
    FREE,
    KINDS,
    MOST,
    PLAYS,
    QUEEN,
    SEVEN,
    SHOWS,
    TAKE,
    TEN,
)
from games.palace.events import (
    Began,
    BlindFailed,
    Dealt,
    Drew,
    PileStarted,
    Played,
    ShowIn,
    ShowsRevealed,
    Took,
    WentOut,
    Zone,
)
from games.palace.options import PalaceOptions
from games.palace.state import GONE, NO_SHOW, State
from games.palace.view import View
from games.types import SEATS, Action, Seat, with_seats

PLAYERS: Final = range(2, 9)
FEW_PLAYERS: Final = range(2, 5)
"""Numbers of players with one pack: four of them have a stock of 16 cards."""
QUIET_PLAYS: Final = 100
"""Limit of plays in a row in which no card is drawn, leaves the game or comes from the table."""
ALL_PLAYS: Final = 4000
"""Limit of plays in a match. Without it, two players can be forced to repeat the same plays for ever."""


class Palace(Game[PalaceOptions, State, View]):
    slug = "palace"
    title = "Palace"
    blurb = "Play higher and higher and be first out of cards; wilds turn the tables"
    minutes = 25
    version = 1
    longest = PLAYERS[-1] + ALL_PLAYS
    card_names = cards.RANKS
    shuffles = {"dealer N": "lot", "deal N": "whole"}
    dealing = (
        "Cards are dealt from the end of the list: each player in the order of seats gets three blind cards and "
        "six for the hand. Later cards are drawn from there on."
    )
    Options = PalaceOptions

    def seats(self, options: PalaceOptions) -> range:
        return PLAYERS if options.packs > 1 else FEW_PLAYERS

    def duration(self, options: PalaceOptions) -> int:
        return self.minutes if options.packs > 1 else 10

    def new(self, options: PalaceOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        self.check_seats(options, seats)
        state = State(options, seats, seed, dealer=SEATS[drawn(seats, seed, "dealer")])
        events: list[Event] = [Began(state.dealer)]
        deck = shuffled(self.pack(options), seed, "deal")
        for seat in SEATS[:seats]:
            state.blind[seat] = [deck.pop() for _ in range(EACH)]
            hand = sorted([deck.pop() for _ in range(2 * EACH)])
            state.hands[seat] = cards.counts(hand)
            events.append(Dealt(tuple(hand), to=seat))
        state.stock = deck
        return state, events

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        if seat != state.turn:
            return cards.shows(state.hands[seat]) if state.choosing else ()
        zone = _zone(state, seat)
        if not any(zone):
            return _blinds(state, seat)
        actions: list[Action] = []
        for kind in FITTING[state.options.allow_equal][state.top]:
            if zone[kind]:
                actions += PLAYS[kind][zone[kind]]
        if not actions or (state.options.voluntary_pickup and state.pile):
            actions.append(TAKE)
        return actions

    def ahead(self, state: State, seat: Seat) -> Sequence[Action]:
        if state.turn in (None, seat) or seat in state.finished:
            return ()
        zone, equal = _zone(state, seat), state.options.allow_equal
        if not any(zone):
            return _blinds(state, seat)
        actions = [action for kind in KINDS for action in PLAYS[kind][zone[kind]]]
        may_lack = any(not any(zone[kind] for kind in fitting) for fitting in FITTING[equal])
        return [*actions, TAKE] if may_lack or state.options.voluntary_pickup else actions

    def awaited(self, state: State) -> tuple[Seat, ...]:
        if state.turn is not None:
            return (state.turn,)
        if state.choosing:
            return tuple(seat for seat, show in with_seats(state.shows) if show == NO_SHOW)
        return ()

    def step(self, state: State, seat: Seat, action: Action, events: Sink = None) -> None:
        if action < FIRST_PLAY:
            _show(state, seat, action, events)
            return
        state.plays += 1
        state.quiet += 1
        if action < FIRST_BLIND:
            _play(state, seat, action, events)
        elif action < TAKE:
            _turn_up(state, seat, action - FIRST_BLIND, events)
        else:
            _take(state, seat, events)
        if state.outcome is None and (state.quiet == QUIET_PLAYS or state.plays == ALL_PLAYS):
            _end(state, _latest_end(state), events)

    def view(self, state: State, seat: Seat | None) -> View:
        return views.view(state, seat, self.awaited(state))

    def fallback(self, state: State, seat: Seat) -> Action:
        # The strongest cards lie face up, as the source advises; then a single card is played, the lowest that fits.
        return self.legal(state, seat)[-1 if state.choosing else 0]

    def unit(self, _: PalaceOptions) -> str:
        return "card"

    def pack(self, options: PalaceOptions) -> Sequence[int]:
        return DECKS[options.packs]

    why_not = staticmethod(refusals.why_not)
    imagine = staticmethod(views.imagine)
    text = staticmethod(cards.TEXT.__getitem__)
    parse = staticmethod(cards.parse)


def _zone(state: State, seat: Seat) -> list[int]:
    """Return the hand, or the face-up cards once it is empty, as counts."""
    hand = state.hands[seat]
    return hand if any(hand) else state.shown[seat]


def _blinds(state: State, seat: Seat) -> list[Action]:
    return [BLINDS[place] for place, kind in enumerate(state.blind[seat]) if kind != GONE]


# Choosing the face-up cards


def _show(state: State, seat: Seat, action: Action, events: Sink) -> None:
    changed = state.shows[seat] != NO_SHOW
    state.shows[seat] = action
    missing = state.shows.count(NO_SHOW)
    if events is not None and not changed:  # a changed choice stays secret
        events.append(ShowIn(seat, state.seats - missing, state.seats))
    if not missing:
        _reveal(state, events)
        _start_pile(state, events)


def _reveal(state: State, events: Sink) -> None:
    for seat, show in with_seats(state.shows):
        for kind in SHOWS[show]:
            state.hands[seat][kind] -= 1
            state.shown[seat][kind] += 1
    if events is not None:
        events.append(ShowsRevealed(tuple(SHOWS[show] for show in state.shows)))
    state.shows = [NO_SHOW] * state.seats  # from now on everybody sees the cards themselves


def _start_pile(state: State, events: Sink) -> None:
    """Turn up the first card of the pile. Its rank counts, but an 8 skips nobody and a queen changes no direction."""
    while (kind := state.stock.pop()) == TEN:
        state.gone[TEN] += 1
    state.pile.append(kind)
    state.top = FREE if kind == SEVEN else kind
    state.turn = SEATS[(state.dealer + 1) % state.seats]
    if events is not None:
        events.append(PileStarted(kind, state.gone[TEN], state.turn))


# Playing


def _play(state: State, seat: Seat, action: Action, events: Sink) -> None:
    """Play cards of one rank from the hand or, when it is empty, from the face-up cards."""
    kind, count = cards.play(action)
    hand = state.hands[seat]
    if any(hand):
        hand[kind] -= count
        memory.played(state, seat, kind, count)
        _lay(state, seat, kind, count, "hand", events)
    else:
        state.shown[seat][kind] -= count
        state.quiet = 0
        _lay(state, seat, kind, count, "table", events)


def _turn_up(state: State, seat: Seat, place: int, events: Sink) -> None:
    """Turn up a face-down card. If it fits, it is played; if not, it goes to the hand with the pile."""
    kind, state.blind[seat][place] = state.blind[seat][place], GONE
    state.quiet = 0
    if kind in FITTING[state.options.allow_equal][state.top]:
        _lay(state, seat, kind, 1, "blind", events)
        return
    if events is not None:
        events.append(BlindFailed(seat, kind, state.top, tuple(state.pile)))
    memory.took_up(state, seat, [kind])
    _pick_up(state, seat)


def _take(state: State, seat: Seat, events: Sink) -> None:
    forced = not state.options.voluntary_pickup
    if events is not None:
        events.append(Took(seat, tuple(state.pile), forced))
    if forced:
        memory.had_to_take(state, seat, FITTING_BITS[state.options.allow_equal][state.top])
    _pick_up(state, seat)


def _pick_up(state: State, seat: Seat) -> None:
    """Put the pile into the hand; the next seat starts a new one."""
    memory.took_up(state, seat, state.pile)
    state.pile = []
    state.top = FREE
    state.turn = _following(state, seat)


def _lay(state: State, seat: Seat, kind: int, count: int, zone: Zone, events: Sink) -> None:
    """Do what follows a play: the effect on the pile, drawing, the end, and the next turn."""
    gone = _onto_pile(state, kind, count)
    fresh = _draw(state, seat) if state.stock else ()
    in_play = state.seats - len(state.finished)
    out = not any(state.hands[seat]) and not state.cards_left(seat)
    if out:
        state.finished.append(seat)
    turned = 0
    skipped: tuple[Seat, ...] = ()
    if over := out and (in_play == 2 or not state.options.play_for_places):
        state.turn = None
    else:
        if kind == QUEEN and not gone and count % 2 and in_play > 2:
            turned = state.direction = -state.direction
        if kind == EIGHT and not gone:
            skipped = _skipped(state, seat, count)
        if out or not (gone or kind == ACE):
            state.turn = _following(state, skipped[-1] if skipped else seat)
    if events is not None:
        following = None if over else state.turn
        events.append(Played(seat, kind, count, zone, gone, skipped, turned, len(fresh), following))
        events += [Drew(fresh, to=seat)] if fresh else []
        events += [WentOut(seat, len(state.finished))] if out and not over else []
    if over:
        _end(state, _won(state), events)


def _onto_pile(state: State, kind: int, count: int) -> int:
    """Lay cards on the pile. Return how many cards leave the game: the whole pile or none."""
    pile = state.pile
    pile += [kind] * count
    four = count == MOST or (state.options.four_across_turns and pile[-MOST:] == [kind] * MOST)
    if kind != TEN and not four:
        if kind != SEVEN:
            state.top = kind
        return 0
    for card in pile:
        state.gone[card] += 1
    state.pile = []
    state.top = FREE
    state.quiet = 0
    return len(pile)


def _draw(state: State, seat: Seat) -> tuple[int, ...]:
    """Draw until the hand has three cards or the stock is empty. Return the cards drawn."""
    hand, stock = state.hands[seat], state.stock
    missing = EACH - sum(hand)
    if missing <= 0:
        return ()
    fresh = tuple(stock[: -missing - 1 : -1])
    del stock[-missing:]
    for kind in fresh:
        hand[kind] += 1
    state.quiet = 0
    return fresh


def _following(state: State, seat: Seat) -> Seat:
    """Return the next seat in the direction of play; `seat` itself when nobody else is in play."""
    following = SEATS[(seat + state.direction) % state.seats]
    while following in state.finished:
        following = SEATS[(following + state.direction) % state.seats]
    return following


def _skipped(state: State, seat: Seat, count: int) -> tuple[Seat, ...]:
    """Return the seats that `count` 8s skip: the next ones in the direction of play, perhaps `seat` itself."""
    skipped = []
    for _ in range(count):
        seat = _following(state, seat)
        skipped.append(seat)
    return tuple(skipped)


# The end


def _end(state: State, reason: str, events: Sink) -> None:
    """End the match. Those who went out are placed in that order, then the others by cards left."""
    left = tuple(state.cards_left(seat) for seat in SEATS[: state.seats])
    merits = [
        (1, -state.finished.index(seat)) if seat in state.finished else (0, -left[seat])
        for seat in SEATS[: state.seats]
    ]
    state.turn = None
    end(state, Outcome(ranked(merits), left, reason), events)


def _won(state: State) -> str:
    if state.options.play_for_places:
        return "Only one player is left; places go in the order in which players went out."
    return "The first player without a card wins. The others are placed by cards left: fewer is better."


def _latest_end(state: State) -> str:
    still = "those still in" if state.finished else "all players"
    placed = f"so the match ends and {still} are placed by cards left: fewer is better."
    if state.quiet == QUIET_PLAYS:
        return f"In {QUIET_PLAYS} plays in a row no card was drawn, left the game or came from the table, {placed}"
    return f"{ALL_PLAYS:,} plays were made, {placed}"
