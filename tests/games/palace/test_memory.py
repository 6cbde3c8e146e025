"""The common knowledge about everybody's hand: it is true, nothing is forgotten, and imagined hands agree with it. A
second implementation decides from a seat's history alone whether a hand is possible."""

from itertools import combinations_with_replacement
from random import Random
from typing import NamedTuple

import pytest

from games.palace import GAME
from games.palace.cards import FITTING, KINDS, RANKS, counts, expand, ranks
from games.palace.events import BlindFailed, Played, ShowsRevealed, Took
from games.palace.memory import had_to_take, played, unknown_cards
from games.palace.options import PalaceOptions
from games.palace.state import State
from games.types import SEATS
from tests.games.palace.position import Position, opened, position
from tests.seats import FIRST


class Happening(NamedTuple):
    """An event for a hand's unknown cards: cards `drawn`, a card `played`, or the set of kinds it `lacked`."""

    drawn: int = 0
    played: int | None = None
    lacked: frozenset[int] = frozenset()


def possible(history: list[Happening], hand: list[int]) -> bool:
    """Return whether the unknown cards can be `hand` now. Every card that was ever in the hand needs a time at which
    it was drawn: after the last time it was lacking, and before it was played. This is possible exactly when no
    stretch of time needs more draws than there were."""
    plays = [(time, event.played) for time, event in enumerate(history) if event.played is not None]
    stays = [
        (_earliest(history, time, kind), time)
        for time, kind in [*plays, *((len(history), kind) for kind in hand)]
    ]
    drawn = [event.drawn for event in history]
    if sum(drawn) != len(stays):
        return False
    times = range(len(history) + 1)
    return all(
        sum(start <= earliest and latest <= end for earliest, latest in stays) <= sum(drawn[start:end])
        for start in times
        for end in times[start:]
    )


def _earliest(history: list[Happening], before: int, kind: int) -> int:
    """Return the first time at which a card still in the hand just before `before` can have been drawn."""
    return max((time for time in range(before) if kind in history[time].lacked), default=-1) + 1


def remembered(history: list[Happening]) -> State:
    """Return what the engine remembers of seat 0 after that history."""
    state = State(PalaceOptions(), 2, "memory", FIRST)
    for event in history:
        state.hands[0][0] += event.drawn  # the kinds of the cards do not matter for what is known of them
        if event.played is not None:
            played(state, FIRST, event.played, 1)
            state.hands[0][0] -= 1
        if event.lacked:
            had_to_take(state, FIRST, sum(1 << kind for kind in event.lacked))
    return state


def fits(hand: list[int], ruled_out: list[int]) -> bool:
    """Return whether each set can be given a card of its own that it does not rule out."""
    if not ruled_out:
        return True
    first, *others = ruled_out
    return any(
        not first >> kind & 1 and fits(hand[:place] + hand[place + 1 :], others)
        for place, kind in enumerate(hand)
    )


KINDS_TRIED = [RANKS.index(rank) for rank in ("3", "8", "J", "K", "A")]


def test_the_memory_allows_exactly_the_possible_hands() -> None:
    """Random histories of a hand; every hand of a few ranks is checked with both implementations."""
    for seed in range(300):
        history = random_history(Random(seed))
        state = remembered(history)
        size = sum(event.drawn for event in history) - sum(event.played is not None for event in history)
        for hand in combinations_with_replacement(KINDS_TRIED, size):
            assert fits(list(hand), state.ruled_out[0]) == possible(history, list(hand)), (history, hand)


def random_history(rng: Random) -> list[Happening]:
    """Return the history of a hand that draws, plays and takes piles, with real cards."""
    hand: list[int] = []
    history = []
    for _ in range(9):
        done = rng.choice(("draw", "play", "lack", "lack"))
        fitting = frozenset(FITTING[0][rng.choice([RANKS.index(rank) for rank in "3689JQK"])])
        if done == "draw" and len(hand) < 4:
            hand.append(rng.choice(KINDS_TRIED))
            history.append(Happening(drawn=1))
        elif done == "play" and hand:
            history.append(Happening(played=hand.pop(rng.randrange(len(hand)))))
        elif done == "lack" and hand and fitting.isdisjoint(hand):
            history.append(Happening(lacked=fitting))
    return history


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("voluntary", [False, True])
def test_the_memory_is_true_and_can_be_rebuilt_from_public_events(seed: int, voluntary: bool) -> None:
    seen = opened(seats=2 + seed % 4, seed=seed, voluntary_pickup=voluntary)
    rng, taken = Random(seed), [[0] * 13 for _ in seen.names]
    while GAME.awaited(seen.state):
        seat = GAME.awaited(seen.state)[0]
        events = GAME.apply(seen.state, seat, rng.choice(GAME.legal(seen.state, seat)))
        for event in events:
            listen(taken, event)
        assert seen.state.known == taken
        for hand, known, ruled_out in zip(
            seen.state.hands, seen.state.known, seen.state.ruled_out, strict=True
        ):
            unknown = [held - some for held, some in zip(hand, known, strict=True)]
            assert min(unknown) >= 0
            assert len(ruled_out) <= sum(unknown)
            assert fits_quickly(expand(unknown), ruled_out)
            assert not (voluntary and ruled_out)


def listen(taken: list[list[int]], event: object) -> None:
    """Update the count of the cards taken up publicly."""
    match event:
        case Took():
            taken[event.seat] = [a + b for a, b in zip(taken[event.seat], counts(event.pile), strict=True)]
        case BlindFailed():
            cards = counts([*event.pile, event.kind])
            taken[event.seat] = [a + b for a, b in zip(taken[event.seat], cards, strict=True)]
        case Played(zone="hand"):
            taken[event.seat][event.kind] = max(0, taken[event.seat][event.kind] - event.count)
        case ShowsRevealed():
            assert taken == [[0] * 13] * len(taken)


def fits_quickly(hand: list[int], ruled_out: list[int]) -> bool:
    """Return the same as `fits`, for long hands. The sets are nested, so the most restricted card is placed first."""
    left = list(hand)
    for kinds in ruled_out:
        card = next((kind for kind in left if not kinds >> kind & 1), None)
        if card is None:
            return False
        left.remove(card)
    return True


@pytest.mark.parametrize("seed", range(20))
def test_an_imagined_hand_has_the_known_cards_and_none_that_is_ruled_out(seed: int) -> None:
    seen = opened(seats=2 + seed % 3, seed=seed)
    rng = Random(seed)
    for _ in range(rng.randrange(60, 220)):
        if not GAME.awaited(seen.state):
            break
        seat = GAME.awaited(seen.state)[0]
        GAME.step(seen.state, seat, rng.choice(GAME.legal(seen.state, seat)))
    for onlooker in (None, *range(len(seen.names))):
        world = GAME.imagine(GAME.view(seen.state, onlooker), rng)
        for hand, known, ruled_out in zip(world.hands, world.known, world.ruled_out, strict=True):
            unknown = [held - some for held, some in zip(hand, known, strict=True)]
            assert min(unknown) >= 0
            assert fits_quickly(expand(unknown), ruled_out)


def test_imagination_finds_the_only_possible_deal_after_a_wrong_first_choice() -> None:
    """One card can only be a 3, the other a 3 or 4: giving the second one the 3 must be undone."""
    only_3, low = ~(1 << 0) & 0x1FFF, ~0b11 & 0x1FFF
    for seed in range(30):
        unseen = [0, 1, 5, 6]
        hands = unknown_cards(unseen, [1, 2], [[low], [low]], Random(seed))
        assert expand(hands[0])[0] in (0, 1)
        unseen = [0, 1, 5]
        hands = unknown_cards(unseen, [1, 1], [[low], [only_3]], Random(seed))
        assert [expand(hand) for hand in hands] == [[1], [0]]
        assert unseen == [5]


def test_imagination_exchanges_cards_between_hands_with_equally_many_ruled_out() -> None:
    """One card can be 4 or 5, the other 3 or 4, and only a 4 and a 5 are available: a hand that took the 4 must give
    it up."""
    first, second = (~bits & 0x1FFF for bits in (0b110, 0b011))
    for seed in range(30):
        unseen = [1, 2]
        hands = unknown_cards(unseen, [1, 1], [[first], [second]], Random(seed))
        assert [expand(hand) for hand in hands] == [[2], [1]]


# As positions


def test_a_taken_pile_is_known_card_by_card_until_played() -> None:
    seen = position("pile 5 8 8 K\nAlice | hand 3 8\nBen | hand 2 2 2")
    seen.act("Alice: take")
    assert seen.known("Alice") == "5 8 8 K"
    for seat in (None, *SEATS[:2]):
        assert ranks(expand(GAME.view(seen.state, seat).known[0])) == "5 8 8 K"
    seen.act("Ben: play 2; Alice: play 8")
    assert seen.known("Alice") == "5 8 K"
    seen.act("Alice: play K; Ben: play 2; Alice: play 8 8")
    assert (seen.hand("Alice"), seen.known("Alice")) == ("3 5", "5")


def test_a_failed_face_down_card_is_known_as_well() -> None:
    seen = position("pile K\nAlice | down 4 5\nBen | hand 3")
    seen.act("Alice: blind 1")
    assert seen.known("Alice") == "4 K"


def can_be(seen: Position, name: str) -> list[str]:
    """Return what each card of a hand can be, for the cards of which something is ruled out."""
    return [
        ranks(kind for kind in KINDS if not bits >> kind & 1)
        for bits in seen.state.ruled_out[seen.seat(name)]
    ]


def test_a_player_forced_to_take_the_pile_held_nothing_that_fits_it() -> None:
    seen = position("pile 6\nAlice | hand 3 4\nBen | hand 3")
    seen.act("Alice: take")
    assert can_be(seen, "Alice") == ["3 4 5 6", "3 4 5 6"]
    under_9 = position("pile 9\nAlice | hand J K\nBen | hand 3")
    under_9.act("Alice: take")
    assert can_be(under_9, "Alice") == ["9 J Q K", "9 J Q K"]


def test_a_player_who_took_the_pile_by_choice_may_hold_anything() -> None:
    seen = position("pile 6\nAlice | hand 3 4\nBen | hand 3", voluntary_pickup=True)
    seen.act("Alice: take")
    assert can_be(seen, "Alice") == []


def test_cards_drawn_later_can_be_anything_and_a_played_card_uses_up_a_restriction() -> None:
    seen = position("pile 6 | stock Q Q Q\nAlice | hand 3 3 4\nBen | hand 3 3 3 3")
    seen.act("Alice: take; Ben: play 3; Alice: play 6")
    assert can_be(seen, "Alice") == ["3 4 5 6"] * 3
    seen.act("Ben: take; Alice: play 3 3")
    assert (seen.hand("Alice"), can_be(seen, "Alice")) == ("4 Q Q", ["3 4 5 6"])


def test_two_forced_pickups_are_both_remembered() -> None:
    seen = position("pile K\nAlice | hand 3 Q\nBen | hand 3 3 3")
    seen.act("Alice: take; Ben: play 3; Alice: play Q; Ben: take; Alice: play K; Ben: take")
    assert can_be(seen, "Alice") == ["3 4 5 6 8 9 J Q K"]
