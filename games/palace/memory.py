"""Public knowledge of hands: cards taken up openly, and kinds that a forced pick-up rules out.

A player who must take the pile holds no card that fits. So none of the hand's unknown cards has a fitting kind; cards
drawn later can have one. `State.ruled_out` has for each such card the kinds it cannot be, as nested sets of bits. When
an unknown card is played, the set with most kinds is dropped among those that allow the card. No information is lost:
a hand is possible exactly when each set can be matched with an unknown card of its own that it allows.
"""

from collections.abc import Iterator
from random import Random

from games.palace.cards import KINDS, counts, expand
from games.palace.state import State
from games.types import Seat, with_seats


def played(state: State, seat: Seat, kind: int, count: int) -> None:
    """Note that `seat` has played `count` cards of a kind from its hand. Known cards of that kind count as played
    first."""
    known, ruled_out = state.known[seat], state.ruled_out[seat]
    if seen := min(count, known[kind]):
        known[kind] -= seen
    if ruled_out and seen < count:
        possible = [kinds for kinds in ruled_out if not kinds >> kind & 1]
        for kinds in possible[: count - seen]:
            ruled_out.remove(kinds)


def took_up(state: State, seat: Seat, cards: list[int]) -> None:
    """Put these cards into the hand of `seat`. Everybody has seen them."""
    hand, known = state.hands[seat], state.known[seat]
    for kind in cards:
        hand[kind] += 1
        known[kind] += 1


def had_to_take(state: State, seat: Seat, kinds: int) -> None:
    """Note that `seat` holds none of `kinds` (bits)."""
    ruled_out = state.ruled_out[seat]
    unknown = sum(state.hands[seat]) - sum(state.known[seat])
    fresh = unknown - len(ruled_out)
    state.ruled_out[seat] = [kinds | before for before in ruled_out] + [kinds] * fresh


def unknown_cards(
    unseen: list[int], sizes: list[int], ruled_out: list[list[int]], rng: Random
) -> list[list[int]]:
    """Deal `unseen` at random into hands of `sizes` cards, respecting `ruled_out` (by hand, by card, as bits).

    Return the hands as counts by kind. The cards that are left remain in `unseen`."""
    slots = [(kinds, seat) for seat, row in with_seats(ruled_out) for kinds in row]
    left = counts(unseen)
    hands = [[0] * len(KINDS) for _ in sizes]
    for (_, seat), kind in zip(slots, _matched([kinds for kinds, _ in slots], left, rng), strict=True):
        hands[seat][kind] += 1
    unseen[:] = expand(left)
    rng.shuffle(unseen)
    for hand, size in zip(hands, sizes, strict=True):
        for _ in range(size - sum(hand)):
            hand[unseen.pop()] += 1
    return hands


def _matched(slots: list[int], left: list[int], rng: Random) -> list[int]:
    """Return a kind for each of `slots` (bits of the kinds it cannot be), taken from the counts in `left`.

    This is a search for a bipartite matching with augmenting paths: slots with most kinds ruled out choose first, and a
    slot without a free kind makes an earlier one choose again. Raises ValueError when no matching exists."""
    chosen = [-1] * len(slots)

    def place(slot: int, tried: set[int]) -> bool:
        for kind in _kinds(slots[slot]):
            if kind in tried:
                continue
            tried.add(kind)
            if not left[kind] and not any(
                chosen[other] == kind and place(other, tried) for other in range(len(slots))
            ):
                continue
            left[kind] -= 1
            if chosen[slot] != -1:
                left[chosen[slot]] += 1
            chosen[slot] = kind
            return True
        return False

    def _kinds(ruled_out: int) -> Iterator[int]:
        """Yield the possible kinds of a slot in random order, weighted by the number left of each kind."""
        weighed = [
            (rng.random() ** (1 / max(left[kind], 0.01)), kind) for kind in KINDS if not ruled_out >> kind & 1
        ]
        return iter([kind for _, kind in sorted(weighed, reverse=True)])

    for slot in sorted(range(len(slots)), key=lambda slot: -slots[slot].bit_count()):
        if not place(slot, set()):
            raise ValueError("No deal of the unseen cards fits what is known of the hands.")
    return chosen
