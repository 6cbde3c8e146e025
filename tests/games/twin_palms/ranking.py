"""A second implementation of the ranking of two-card sets: slow, and close to the rulebook's words."""

from games.twin_palms.cards import Mode
from games.types import Seat

Card = tuple[str, int]
Set = tuple[Card, Card]

SUITS = ["Palms", "Dolphins", "Sunglasses"]
ORDER = {
    "easy": ["Palms"],
    "normal": ["Palms", "Dolphins", "mixed"],
    "advanced": ["Palms", "Dolphins", "Sunglasses", "mixed"],
    "extreme": [
        "Palms",
        "Dolphins",
        "Sunglasses",
        "Palms and Dolphins",
        "Palms and Sunglasses",
        "Dolphins and Sunglasses",
    ],
}


def better(mode: Mode, one: Set, other: Set) -> Set | None:
    """Return the set that wins, or None for a tie."""
    if is_pair(one) != is_pair(other):
        return one if is_pair(one) else other
    rank, other_rank = (ORDER[mode].index(suits(mode, cards)) for cards in (one, other))
    if rank != other_rank:
        return one if rank < other_rank else other
    for place in (0, 1):
        number, other_number = high_to_low(one)[place], high_to_low(other)[place]
        if number != other_number:
            return one if number > other_number else other
    return None


def is_pair(cards: Set) -> bool:
    return cards[0][1] == cards[1][1]


def high_to_low(cards: Set) -> list[int]:
    return sorted([cards[0][1], cards[1][1]], reverse=True)


def suits(mode: Mode, cards: Set) -> str:
    first, second = cards[0][0], cards[1][0]
    if first == second:
        return first
    if mode != "extreme":
        return "mixed"
    return " and ".join(suit for suit in SUITS if suit in (first, second))


def set_of(play: str) -> Set:
    """Return the set that a play such as "play P3 D*=8" puts on the table."""
    one, other = (
        (next(suit for suit in SUITS if suit[0] == card[0]), int(card[1:].removeprefix("*=")))
        for card in play.split()[1:]
    )
    return one, other


def best(mode: Mode, sets: dict[Seat, Set]) -> Seat | None:
    """Return the seat with the best of the sets that no other set ties, or None when all tie."""
    lone = [
        seat
        for seat, cards in sets.items()
        if all(better(mode, cards, sets[other]) is not None for other in sets if other != seat)
    ]
    for seat in lone:
        if all(better(mode, sets[seat], sets[other]) is sets[seat] for other in lone if other != seat):
            return seat
    return None
