"""What the contract suite knows of Twin Palms: see `tests.contract.subjects.Secrets`."""

from collections import Counter
from collections.abc import Sequence

from games.contract import Event, Options
from games.twin_palms.cards import CARDS, DECKS
from games.twin_palms.events import BidsRevealed, TrickTaken
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.state import State

DEALT = 10


def options() -> list[Options]:
    return [
        TwinPalmsOptions(),
        TwinPalmsOptions(mode="easy", rounds=1),
        TwinPalmsOptions(mode="normal", bets=False, exact_points=(0, 0, 0, 0, 0, 0), rounds=2),
        TwinPalmsOptions(mode="advanced", half_bet_rounding="down", exact_points=(20, 1, 0, 7, 19, 20)),
        TwinPalmsOptions(mode="extreme", rounds=3),
    ]


def cards(state: State) -> list[int]:
    return [card for hand in state.hands for card in hand] + _face_up(state) + _undealt(state)


def unseen(state: State, seat: int | None) -> dict[str, list[int]]:
    hands = {f"hand {other}": list(hand) for other, hand in enumerate(state.hands) if other != seat}
    return hands | {"undealt": _undealt(state)}


def put(state: State, places: dict[str, list[int]]) -> State:
    twin = state.copy()
    for other in range(state.seats):
        if f"hand {other}" in places:
            twin.hands[other] = sorted(places[f"hand {other}"])
    return twin


def choices(state: State, seat: int | None) -> list[State]:
    """Before the reveal, every other bid that is in moved on by one (with bets) or three (without)."""
    twins = []
    for other, bid in enumerate(state.bids):
        if other != seat and bid >= 0 and min(state.bids) < 0:
            twin = state.copy()
            twin.bids[other] = (bid + (1 if state.options.bets else 3)) % 18
            twins.append(twin)
    return twins


def recount(options: TwinPalmsOptions, seats: int, events: Sequence[Event]) -> tuple[int, ...]:
    """From what was bid and staked and who took which trick."""
    dollars, won, revealed, number = [2] * seats, [0] * seats, None, 0
    for event in events:
        if isinstance(event, BidsRevealed):
            revealed, won, number = event, [0] * seats, number + 1
            _check_stakes(options, number, dollars, event)
        elif isinstance(event, TrickTaken) and revealed is not None:
            if event.winner is not None:
                won[event.winner] += 1
            if event.trick == 5:
                for seat in range(seats):
                    dollars[seat] += _points(options, revealed, won, seat)
    return tuple(dollars)


def _points(options: TwinPalmsOptions, revealed: BidsRevealed, won: list[int], seat: int) -> int:
    if won[seat] == revealed.bids[seat]:
        return options.exact_points[won[seat]] + revealed.stakes[seat]
    if revealed.bids[seat] == 0:
        return -revealed.stakes[seat]
    return won[seat] - revealed.stakes[seat]


def _check_stakes(options: TwinPalmsOptions, number: int, dollars: list[int], revealed: BidsRevealed) -> None:
    up, down = -(-number // 2), number // 2
    half = up if options.half_bet_rounding == "up" else down
    for held, bet, stake in zip(dollars, revealed.bets, revealed.stakes, strict=True):
        assert stake == min(held, [0, half, number][bet])


def _face_up(state: State) -> list[int]:
    """The cards played in this round."""
    plays = [play for trick in state.tricks for play in trick.plays] + state.trick
    return [card for play in plays for card in CARDS[play]]


def _undealt(state: State) -> list[int]:
    """What is left of the deck, out of play and seen by nobody."""
    dealt = Counter(card for hand in state.hands for card in hand) + Counter(_face_up(state))
    left = Counter(DECKS[state.options.mode])
    left.subtract(dealt)
    assert min(left.values()) >= 0, "a card is there more often than in the deck"
    assert dealt.total() == DEALT * state.seats, "everybody was dealt ten cards, and none has gone"
    return sorted(left.elements())
