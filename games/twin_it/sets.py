"""Taking and giving back sets, in every mode. The functions change the state."""

from collections.abc import Iterable, Sequence

from games.twin_it.events import Laid
from games.twin_it.state import Hand, State
from games.types import Seat, with_seats


def take(state: State, side: int, cards: Sequence[int]) -> tuple[tuple[int, ...], int | None]:
    """Make these cards, which show one design, a set of `side`. If one of them is the top of a won pair, the whole pair
    is taken.

    Return the set and the side that had the pair, or None when there was no pair."""
    owner: int | None = None
    pair: tuple[int, ...] = ()
    for card in cards:
        state.take_up(card)
        if (won := state.won(card)) is not None:
            owner, pair = won, next(each for each in state.sets[won] if each[0] == card)
            state.sets[won].remove(pair)
    new = (*pair, *(card for card in cards if card not in pair))
    state.sets[side].append(new)
    state.stirred = state.now
    return new, owner


def give_back(state: State, side: int, seat: Seat) -> tuple[int, ...]:
    """Put the set that the side won or enlarged last under the pile of `seat`, same side up. Return its cards, if
    any."""
    if not state.sets[side]:
        return ()
    cards = state.sets[side].pop()
    state.take_up(cards[0])
    state.piles[seat][:0] = reversed(cards)
    return cards


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
