"""Facts that the contract suite needs about Hand and Foot: see `tests.contract.subjects.Secrets`."""

from collections import Counter

from games.contract import Options
from games.hand_and_foot.options import HandAndFootOptions
from games.hand_and_foot.state import State
from games.types import Seat, with_seats
from tests.games.hand_and_foot.referee import Referee as Referee

AGREED, REFUSED = 1, 2


def options() -> list[Options]:
    return [HandAndFootOptions(deals=1), HandAndFootOptions(deals=2), HandAndFootOptions()]


def cards(state: State) -> list[int]:
    zones = [*state.hands, *state.feet, *state.reds, *state.aside, state.discards, state.stock]
    zones += [meld for side in state.melds for meld in side]
    zones += [[*pile] for side in state.piles for pile in side]
    return [card for zone in zones for card in zone]


def unseen(state: State, seat: Seat | None) -> dict[str, list[int]]:
    """The stock in its order, the feet (the own one, too), and in the hands of the others all but the cards that were
    in the discard pile. What they have laid aside for a first meld still looks like a part of the hand."""
    places = {f"stock {place}": [card] for place, card in enumerate(state.stock)}
    for other, foot in with_seats(state.feet):
        if foot:
            places[f"foot {other}"] = list(foot)
        if other != seat and (hidden := _hidden(state, other)):
            places[f"hand {other}"] = hidden
    return places


def _hidden(state: State, seat: Seat) -> list[int]:
    held = Counter(state.hands[seat])
    if seat == state.turn:
        held += Counter(card for cards in state.aside for card in cards)
    return sorted((held - Counter(state.known[seat])).elements())


def put(state: State, places: dict[str, list[int]]) -> State:
    """Cards laid aside unseen go back to the hand, because only some cards can be laid aside."""
    twin = state.copy()
    for name, lying in places.items():
        where, number = name.split()
        if where == "stock":
            twin.stock[int(number)] = lying[0]
        elif where == "foot":
            twin.feet[int(number)] = sorted(lying)
        else:
            twin.hands[int(number)] = sorted(state.known[int(number)] + lying)
            if int(number) == state.turn:
                twin.aside = [[] for _ in state.aside]
    return twin


def choices(state: State, seat: Seat | None) -> list[State]:
    """The answer of a partner is hidden from the other sides, until the number of cards shows that it was a yes."""
    asks = state.turn
    if asks is None or state.consent not in (AGREED, REFUSED) or len(state.hands[asks]) < 2:
        return []
    if seat in (asks, (asks + state.seats // 2) % state.seats):
        return []
    twin = state.copy()
    twin.consent = REFUSED if state.consent == AGREED else AGREED
    return [twin]
