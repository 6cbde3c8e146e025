"""The view of a match of Palace: what one seat, or a watcher, may know; and a match imagined from it."""

from dataclasses import dataclass
from random import Random

from games.contract import Outcome
from games.fields import restored, shown
from games.palace import memory
from games.palace.cards import DECKS, counts, expand, shows
from games.palace.options import PalaceOptions
from games.palace.state import GONE, NO_SHOW, State
from games.types import SEATS, Action, Seat, with_seats


@dataclass(frozen=True, slots=True)
class View:
    """Everything that one seat may know. Cards are kinds (see `cards`); tuples are by seat, "counts" are by kind."""

    seat: Seat | None
    options: PalaceOptions
    phase: str
    """Either "show", "play" or "over"."""
    dealer: Seat
    turn: Seat | None
    """The seat to act, in phase "play"."""
    awaited: tuple[Seat, ...]
    direction: int
    """1 when play goes to the left, -1 when to the right."""
    hand: tuple[int, ...]
    """Counts of the hand of `seat`; empty for a watcher."""
    hand_sizes: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    """Counts of the cards in each hand that everybody saw being taken up."""
    ruled_out: tuple[tuple[int, ...], ...]
    """For some other cards of each hand: the kinds that the card cannot be, as bits (see `State.ruled_out`)."""
    has_chosen: tuple[bool, ...]
    show: Action | None
    """The choice of `seat`, an action, as soon as it is made."""
    shown: tuple[tuple[int, ...], ...]
    """Counts of the face-up cards."""
    blind: tuple[tuple[bool, ...], ...]
    """By place, whether a face-down card lies there."""
    pile: tuple[int, ...]
    """The pile, bottom to top: everybody has seen it."""
    top: int
    """The effective top, or FREE."""
    gone: tuple[int, ...]
    """Counts of the cards out of the game."""
    stock: int
    """Number of cards in the stock."""
    finished: tuple[Seat, ...]
    """The seats that have gone out, in order."""
    plays: int
    quiet: int
    """Plays in a row in which no card was drawn, left the game, or came from the table."""
    outcome: Outcome | None

    @property
    def zone(self) -> str:
        """The cards that `seat` plays from: "hand", "table" or "blind"."""
        assert self.seat is not None
        return "hand" if any(self.hand) else "table" if any(self.shown[self.seat]) else "blind"


def view(state: State, seat: Seat | None, awaited: tuple[Seat, ...]) -> View:
    """Return what `seat` (None: a watcher) may know."""
    show = NO_SHOW if seat is None else state.shows[seat]
    return shown(
        View,
        state,
        seat=seat,
        phase="over" if state.outcome is not None else "show" if state.choosing else "play",
        awaited=awaited,
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple([sum(hand) for hand in state.hands]),
        has_chosen=tuple([show != NO_SHOW for show in state.shows]),
        show=None if show == NO_SHOW else show,
        blind=tuple([tuple([kind != GONE for kind in places]) for places in state.blind]),
        stock=len(state.stock),
    )


def imagine(view: View, rng: Random) -> State:
    """Return a match that looks like `view`: hidden cards and choices are drawn, and so is the seed."""
    state = restored(State(view.options, len(view.shown), rng.getrandbits(64), view.dealer), view)
    _draw_hidden(view, state, rng)
    state.shows = [_show(view, state, seat, rng) for seat in SEATS[: state.seats]]
    return state


def _draw_hidden(view: View, state: State, rng: Random) -> None:
    """Draw hands, face-down cards and stock among the cards that `view` does not show."""
    unseen = _unseen(view)
    own = [seat == view.seat for seat in SEATS[: state.seats]]
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
    """Return the cards whose place `view` does not show."""
    left = counts(DECKS[view.options.packs])
    others = [known for seat, known in with_seats(view.known) if seat != view.seat]
    for seen in (view.hand, view.gone, counts(view.pile), *view.shown, *others):
        for kind, number in enumerate(seen):
            left[kind] -= number
    return expand(left)


def _show(view: View, state: State, seat: Seat, rng: Random) -> Action:
    """Return the action of a seat that has chosen: the known one of the view's own seat, else a random possible one."""
    if not view.has_chosen[seat]:
        return NO_SHOW
    if seat == view.seat and view.show is not None:
        return view.show
    return rng.choice(shows(state.hands[seat]))
