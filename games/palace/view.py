"""What one seat, or a watcher, may know of a match of Palace; and a whole match drawn from that."""

from dataclasses import dataclass
from random import Random

from games.contract import Outcome
from games.palace import memory
from games.palace.cards import DECK, counts, expand, shows
from games.palace.options import PalaceOptions
from games.palace.state import GONE, NO_SHOW, NOBODY, State


@dataclass(frozen=True, slots=True)
class View:
    """Cards are kinds (see `cards`), "counts" are how many of each kind; tuples are by seat unless said otherwise."""

    seat: int | None
    options: PalaceOptions
    phase: str
    """One of "show", "play" and "over"."""
    dealer: int
    turn: int | None
    """The seat to act, in phase "play"."""
    awaited: tuple[int, ...]
    direction: int
    """1 when play goes to the left, -1 when to the right."""
    hand: tuple[int, ...]
    """Counts of the hand of `seat`; empty for a watcher."""
    hand_sizes: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    """Counts of the cards in each hand that it took up in sight of all."""
    ruled_out: tuple[tuple[int, ...], ...]
    """For some other cards of each hand the kinds they cannot be, as bits: their holder had to take a pile."""
    has_chosen: tuple[bool, ...]
    show: int | None
    """The choice of `seat`, from the moment it is made: an action."""
    shown: tuple[tuple[int, ...], ...]
    """Counts of the face-up cards."""
    blind: tuple[tuple[bool, ...], ...]
    """By place: whether a face-down card still lies there."""
    pile: tuple[int, ...]
    """Bottom to top; all of it lay face up."""
    top: int
    """The effective top, or FREE."""
    gone: tuple[int, ...]
    """Counts of the cards out of the game."""
    stock: int
    """How many cards can still be drawn."""
    finished: tuple[int, ...]
    """Seats that have gone out, the first first."""
    plays: int
    quiet: int
    """Plays in a row that brought the end no nearer; see the latest end."""
    outcome: Outcome | None

    @property
    def zone(self) -> str:
        """What `seat` plays from: "hand", "table" or "blind"."""
        assert self.seat is not None
        return "hand" if any(self.hand) else "table" if any(self.shown[self.seat]) else "blind"


def view(state: State, seat: int | None, awaited: tuple[int, ...]) -> View:
    """What `seat` (None: a watcher) may know."""
    show = NO_SHOW if seat is None else state.shows[seat]
    return View(
        seat=seat,
        options=state.options,
        phase="over" if state.outcome is not None else "show" if state.choosing else "play",
        dealer=state.dealer,
        turn=None if state.turn == NOBODY else state.turn,
        awaited=awaited,
        direction=state.direction,
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple([sum(hand) for hand in state.hands]),
        known=tuple(map(tuple, state.known)),
        ruled_out=tuple(map(tuple, state.ruled_out)),
        has_chosen=tuple([show != NO_SHOW for show in state.shows]),
        show=None if show == NO_SHOW else show,
        shown=tuple(map(tuple, state.shown)),
        blind=tuple([tuple([kind != GONE for kind in places]) for places in state.blind]),
        pile=tuple(state.pile),
        top=state.top,
        gone=tuple(state.gone),
        stock=len(state.stock),
        finished=tuple(state.finished),
        plays=state.plays,
        quiet=state.quiet,
        outcome=state.outcome,
    )


def imagine(view: View, rng: Random) -> State:
    """A match like the one seen: hands, face-down cards, stock and hidden choices are drawn, within what is known."""
    state = State(view.options, len(view.shown), rng.getrandbits(64), view.dealer)
    state.turn = NOBODY if view.turn is None else view.turn
    state.direction = view.direction
    state.shown = [list(shown) for shown in view.shown]
    state.pile = list(view.pile)
    state.top = view.top
    state.gone = list(view.gone)
    state.known = [list(known) for known in view.known]
    state.ruled_out = [list(ruled_out) for ruled_out in view.ruled_out]
    state.finished = list(view.finished)
    state.plays = view.plays
    state.quiet = view.quiet
    state.outcome = view.outcome
    _draw_hidden(view, state, rng)
    state.shows = [_show(view, state, seat, rng) for seat in range(state.seats)]
    return state


def _draw_hidden(view: View, state: State, rng: Random) -> None:
    """Hands, face-down cards and stock, out of all cards that `view` does not show."""
    unseen = _unseen(view)
    own = [seat == view.seat for seat in range(state.seats)]
    sizes = [
        0 if mine else size - sum(known)
        for mine, size, known in zip(own, view.hand_sizes, view.known, strict=True)
    ]
    ruled_out = [[] if mine else list(row) for mine, row in zip(own, view.ruled_out, strict=True)]
    unknown = memory.unknown_cards(unseen, sizes, ruled_out, rng)
    state.hands = [
        list(view.hand) if mine else [held + drawn for held, drawn in zip(known, hand, strict=True)]
        for mine, known, hand in zip(own, view.known, unknown, strict=True)
    ]
    state.blind = [[unseen.pop() if lies else GONE for lies in places] for places in view.blind]
    state.stock = unseen


def _unseen(view: View) -> list[int]:
    """The cards that lie where `view` does not show them."""
    left = counts(DECK)
    others = [known for seat, known in enumerate(view.known) if seat != view.seat]
    for seen in (view.hand, view.gone, counts(view.pile), *view.shown, *others):
        for kind, number in enumerate(seen):
            left[kind] -= number
    return expand(left)


def _show(view: View, state: State, seat: int, rng: Random) -> int:
    """The choice of face-up cards: one's own, one that is public, or one that could have been made."""
    if not view.has_chosen[seat]:
        return NO_SHOW
    if seat == view.seat and view.show is not None:
        return view.show
    return rng.choice(shows(state.hands[seat]))
