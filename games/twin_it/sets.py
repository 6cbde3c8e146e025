"""Taking and giving back sets, in every mode. The functions change the state."""

from collections.abc import Iterable, Sequence

from games.twin_it.events import Laid
from games.twin_it.state import Face, Hand, State
from games.types import Seat, with_seats


def take(state: State, side: int, cards: Sequence[int]) -> tuple[tuple[int, ...], int | None]:
    """Make these cards, which show one design, a set of `side`. If one of them is the top of a won pair, the whole pair
    is taken.

    Return the set and the side that had the pair, or None when there was no pair."""
    owner: int | None = None
    new: tuple[int, ...] = ()
    for card in cards:
        state.hide(card)
        won = state.won(card)
        if won is None:
            _zone(state, card).remove(card)
            new += (card,)
        else:
            owner = won
            new = _pop(state, won, card) + new
    state.sets[side].append(new)
    state.stirred = state.now
    return new, owner


def _pop(state: State, side: int, top: int) -> tuple[int, ...]:
    place = next(place for place, cards in enumerate(state.sets[side]) if cards[0] == top)
    return state.sets[side].pop(place)


def _zone(state: State, card: int) -> list[int]:
    """Return the list that holds the card: a pile, the forbidden cards or the table."""
    place, owner = state.place(card)
    if place == "pile" and owner is not None:
        return state.piles[owner]
    return state.barred if place == "barred" else state.table


def give_back(state: State, side: int, seat: Seat) -> tuple[int, ...]:
    """Put the set that the side won or enlarged last under the pile of `seat`, same side up. Return its cards, if
    any."""
    if not state.sets[side]:
        return ()
    cards = state.sets[side].pop()
    state.hide(cards[0])
    state.piles[seat][:0] = reversed(cards)
    return cards


def faces(state: State, cards: Iterable[int]) -> tuple[Face, ...]:
    """Return the faces that these cards show."""
    return tuple(state.face(card) for card in cards)


def laid(seat: Seat, hands: Iterable[Hand]) -> list[Laid]:
    """Return hands in the form that events use."""
    return [Laid(seat, hand.face, hand.at) for hand in hands]


def others_on(state: State, seat: Seat, numbers: Sequence[int]) -> list[Laid]:
    """Return the hands of all seats but `seat` on these faces."""
    return [
        Laid(other, hand.face, hand.at)
        for other, hands in with_seats(state.hands)
        for hand in hands
        if other != seat and hand.face in numbers
    ]
