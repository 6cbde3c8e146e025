"""The view of a match of Hand and Foot: what one seat, or a watcher, may know; and a match imagined from it."""

from dataclasses import dataclass
from random import Random

from games.contract import Outcome
from games.fields import restored, shown
from games.hand_and_foot.cards import RED_THREES, deck
from games.hand_and_foot.events import DealScored
from games.hand_and_foot.options import HandAndFootOptions
from games.hand_and_foot.state import (
    AGREED,
    ASKING,
    MINIMUM,
    REFUSED,
    UNASKED,
    State,
    partner,
    sides,
)
from games.types import Seat, with_seats


@dataclass(frozen=True, slots=True)
class View:
    """Everything that one seat may know. Tuples are by seat unless said otherwise."""

    seat: Seat | None
    options: HandAndFootOptions
    deal: int
    dealer: Seat
    turn: Seat | None
    phase: int
    """DRAWING, PLAYING or ASKING."""
    asked: bool
    """True when the seat to act has asked its partner in this turn."""
    consent: int | None
    """The partner's answer, UNASKED before; None if it is known only to the two."""
    hand: tuple[int, ...]
    """The cards of `seat`, ascending, without those laid aside; none for a watcher."""
    aside: tuple[tuple[int, ...], ...]
    """By rank, the cards that `seat` has laid aside for its side's first meld."""
    counts: tuple[int, ...]
    """Numbers of cards in hand, those laid aside included."""
    known: tuple[tuple[int, ...], ...]
    """The cards of each hand that everybody knows, ascending: they were taken from the discard pile."""
    feet: tuple[int, ...]
    """Numbers of cards in each foot; 0 once it is taken up."""
    reds: tuple[tuple[int, ...], ...]
    """The red threes that each seat has laid out."""
    melds: tuple[tuple[tuple[int, ...], ...], ...]
    """By side and rank, the cards of the open meld, ascending."""
    piles: tuple[tuple[tuple[int, ...], ...], ...]
    """By side, its finished piles, each ascending."""
    discards: tuple[int, ...]
    """The discard pile, its top card last: everybody has seen it."""
    stock: int
    totals: tuple[int, ...]
    """By side, the points of all finished deals."""
    last: DealScored | None
    """The end of the last finished deal."""
    outcome: Outcome | None

    @property
    def seats(self) -> int:
        return len(self.counts)

    @property
    def partner(self) -> Seat | None:
        """The partner of the seat whose turn it is, if there is one."""
        return None if self.turn is None else partner(self.turn, self.seats)

    @property
    def minimum(self) -> int:
        """Points that a side's first meld needs in this deal."""
        return MINIMUM[self.deal - 1]

    def side(self, seat: Seat) -> int:
        return sides(self.seats)[seat]

    def has_opened(self, side: int) -> bool:
        """Return whether a side has made its first meld."""
        return bool(self.piles[side]) or any(self.melds[side])


def view(state: State, seat: Seat | None) -> View:
    """Return what `seat` (None: a watcher) may know."""
    number = max(sides(state.seats)) + 1
    acts = seat is not None and seat == state.turn
    aside = sum(map(len, state.aside))
    return shown(
        View,
        state,
        seat=seat,
        asked=state.phase == ASKING or state.consent != UNASKED,
        consent=_consent(state, seat),
        hand=() if seat is None else tuple(state.hands[seat]),
        aside=tuple(tuple(cards) if acts else () for cards in state.aside),
        counts=tuple(len(hand) + aside * (other == state.turn) for other, hand in with_seats(state.hands)),
        known=tuple(tuple(sorted(cards)) for cards in state.known),
        feet=tuple(map(len, state.feet)),
        melds=tuple(tuple(map(tuple, melds)) for melds in state.melds[:number]),
        piles=tuple(map(tuple, state.piles[:number])),
        stock=len(state.stock),
        totals=tuple(state.totals[:number]),
    )


def _consent(state: State, seat: Seat | None) -> int | None:
    """Return the partner's answer if `seat` knows it. All do when the seat to act holds so few cards that it may go
    out."""
    if state.consent == UNASKED or state.turn is None:
        return UNASKED
    return state.consent if seat in (state.turn, state.partner) or len(state.hands[state.turn]) < 2 else None


def imagine(view: View, rng: Random) -> State:
    """Return a match that looks like `view`: hidden cards are drawn, and so is the seed of later deals."""
    state = restored(State(view.options, view.seats, rng.getrandbits(64), view.dealer), view)
    state.consent = rng.choice((AGREED, REFUSED)) if view.consent is None else view.consent
    _imagine_cards(state, view, rng)
    state.known = [list(cards) for cards in view.known]
    state.aside = [list(cards) for cards in view.aside]
    spare = range(view.seats - len(view.melds))
    state.melds = [[list(meld) for meld in melds] for melds in view.melds]
    state.melds += [[[] for _ in state.aside] for _ in spare]
    state.piles = [*map(list, view.piles), *([] for _ in spare)]
    state.totals = [*view.totals, *(0 for _ in spare)]
    return state


def _imagine_cards(state: State, view: View, rng: Random) -> None:
    """Draw the hidden cards: first those of the hands, in which there are no red threes."""
    unseen = _unseen(view)
    rng.shuffle(unseen)
    reds = [card for card in unseen if card in RED_THREES]
    others = [card for card in unseen if card not in RED_THREES]
    for seat, known in with_seats(view.known):
        drawn = () if seat == view.seat else [others.pop() for _ in range(view.counts[seat] - len(known))]
        state.hands[seat] = list(view.hand) if seat == view.seat else sorted([*known, *drawn])
    rest = reds + others
    rng.shuffle(rest)
    state.feet = [sorted([rest.pop() for _ in range(number)]) for number in view.feet]
    state.stock = rest


def _unseen(view: View) -> list[int]:
    """Return the cards that this seat has not seen, ascending."""
    left = [0] * (max(deck(1)) + 1)
    for card in deck(view.seats + 1):
        left[card] += 1
    groups = [view.hand, view.discards, *view.aside, *view.reds]
    groups += (cards for seat, cards in with_seats(view.known) if seat != view.seat)
    groups += (cards for zones in (view.melds, view.piles) for zone in zones for cards in zone)
    for group in groups:
        for card in group:
            left[card] -= 1
    return [card for card, number in enumerate(left) for _ in range(number)]
