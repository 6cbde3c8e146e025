"""What everybody remembers of everybody's hand: cards taken up in sight of all, and what a forced pick-up rules out.

Who has to take the pile holds nothing that goes on it. From then on the cards that were unknown to the others cannot
be of those kinds, while cards drawn later can. `State.ruled_out` says so card by card, with nested sets: when an
unknown card is played it counts as the one of which most was ruled out, among those it can have been. That forgets
nothing: any hand that fits the sets card for card can have come about, and no other.
"""

from collections.abc import Iterator
from random import Random

from games.palace.cards import KINDS, counts, expand
from games.palace.state import State


def played(state: State, seat: int, kind: int, count: int) -> None:
    """`seat` has played so many of a kind from its hand: those seen coming first, for nobody can tell."""
    known, ruled_out = state.known[seat], state.ruled_out[seat]
    if seen := min(count, known[kind]):
        known[kind] -= seen
    if ruled_out and seen < count:
        possible = [kinds for kinds in ruled_out if not kinds >> kind & 1]
        for kinds in possible[: count - seen]:
            ruled_out.remove(kinds)


def took_up(state: State, seat: int, cards: list[int]) -> None:
    """`seat` has taken these cards into its hand, in sight of all."""
    hand, known = state.hands[seat], state.known[seat]
    for kind in cards:
        hand[kind] += 1
        known[kind] += 1


def had_to_take(state: State, seat: int, kinds: int) -> None:
    """`seat` holds none of `kinds` (bits)."""
    ruled_out = state.ruled_out[seat]
    unknown = sum(state.hands[seat]) - sum(state.known[seat])
    fresh = unknown - len(ruled_out)
    state.ruled_out[seat] = [kinds | before for before in ruled_out] + [kinds] * fresh


def unknown_cards(
    unseen: list[int], sizes: list[int], ruled_out: list[list[int]], rng: Random
) -> list[list[int]]:
    """Deal `unseen` at random into hands of so many unknown cards, within what is ruled out of each; what is left
    over remains in `unseen`. By hand: counts by kind."""
    slots = [(kinds, seat) for seat, row in enumerate(ruled_out) for kinds in row]
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
    """A kind for each of `slots` (bits it cannot be), taken from the counts in `left`. The slots most ruled out
    choose first; one that finds nothing makes an earlier one choose again, as in the search for a matching."""
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
        """Those a slot can be, at random: the more are left of a kind, the likelier it comes early."""
        weighed = [
            (rng.random() ** (1 / max(left[kind], 0.01)), kind) for kind in KINDS if not ruled_out >> kind & 1
        ]
        return iter([kind for _, kind in sorted(weighed, reverse=True)])

    for slot in sorted(range(len(slots)), key=lambda slot: -slots[slot].bit_count()):
        if not place(slot, set()):
            raise ValueError("No deal of the unseen cards fits what is known of the hands.")
    return chosen
