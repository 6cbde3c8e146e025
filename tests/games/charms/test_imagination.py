"""Imagined states: only what public knowledge allows, and all of that now and then."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.charms import GAME
from games.charms.state import State
from games.types import Seat, with_seats
from tests.games.charms.position import Position, after_random_moves, opened, texts
from tests.games.charms.slow_rules import is_suit
from tests.games.charms.test_deal import ALICE, BAD, dealt, rest_of
from tests.games.position import NAMES


def final_hand(state: State, seat: Seat) -> Counter[str]:
    """Return the hand that a seat was finally dealt."""
    return Counter(texts([*state.hands[seat], *state.played[seat]]).split())


def left(state: State) -> Counter[str]:
    """Return the cards left over after the deal."""
    return Counter(texts([*state.rest, *state.turned]).split())


def assert_possible(state: State) -> None:
    """Assert that a deal and plays like the observed ones could have led to this state. It takes the deal back, from
    the last hand dealt again to the first; the cards of each shown hand must have been available."""
    for seat, (hand, lacks) in with_seats(zip(state.hands, state.lacks, strict=True)):
        assert not any(lacks >> kind & 1 for kind in hand)
        suits = sum(is_suit(card) for card in final_hand(state, seat).elements())
        assert 3 <= suits <= 10
    pool = left(state)
    for seat in reversed(dict.fromkeys(bad.seat for bad in state.redealt)):
        pool += final_hand(state, seat)
        shown = [Counter(texts(bad.cards).split()) for bad in state.redealt if bad.seat == seat]
        assert all(hand <= pool for hand in shown)
        pool -= shown[0]


@given(st.integers(0, 10_000), st.integers(0, 52), st.integers(0, 4))
def test_what_is_imagined_is_possible(seed: int, moves: int, looks: int) -> None:
    seen = after_random_moves(3 + seed % 2, seed, moves, hands=2)
    name = None if looks >= seen.state.seats else seen.names[looks]
    assert_possible(seen.state)
    for world in seen.imagined(name, 5):
        assert_possible(world)


def two_dealt_anew(monkeypatch: pytest.MonkeyPatch) -> Position:
    """A state in which Ben showed all eights and sevens and got another hand; after him Cleo showed most of the
    coins."""
    cleo, ben_at_last = "C C C C C C K K K K K 1 1", "C K L 1 3 4 4 4 4 5 5 5 5"
    cleo_at_last = "C C K K L L L 1 1 6 6 7 7"
    return dealt(
        monkeypatch,
        [ALICE, BAD, cleo, rest_of(ALICE, BAD, cleo)],
        [ben_at_last, rest_of(ALICE, ben_at_last, cleo)],
        [cleo_at_last, "R", rest_of(ALICE, ben_at_last, cleo_at_last, "R")],
        seats=3,
    )


def test_cards_of_a_shown_hand_are_imagined_only_where_they_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = two_dealt_anew(monkeypatch)
    for name in (None, *NAMES[:3]):
        worlds = seen.imagined(name, 100)
        for world in worlds:
            assert_possible(world)
            assert not {"7", "8"} & set(texts(world.hands[0]).split())
        if name != "Ben":
            assert any("8" in texts(world.hands[1]) for world in worlds)


def test_cards_of_a_shown_hand_are_imagined_correctly_until_the_last_trick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = two_dealt_anew(monkeypatch)
    while seen.state.hand == 1:
        seat = GAME.awaited(seen.state)[0]
        GAME.step(seen.state, seat, GAME.fallback(seen.state, seat))
        for name in (None, *NAMES[:3]) if seen.state.hand == 1 else ():
            assert_possible(seen.imagined(name, 1)[0])


def test_a_hand_that_can_be_deduced_is_imagined_exactly() -> None:
    """Three cards before the end Ben has played one suit card, so he has at least two of the three."""
    seen = opened(3, 1)
    state = seen.state
    state.give([[0], [1, 1, 4], [2]])
    state.played = [(0, 4), (0, *(4, 5, 6) * 3), (0, 5)]
    for world in seen.imagined("Alice"):
        assert sum(card < 4 for card in world.hands[1]) >= 2


def test_hidden_bids_are_imagined_and_the_own_bid_is_kept() -> None:
    seen = opened(3, 1)
    seen.act("Alice: bid 3; Ben: bid 4")
    worlds = seen.imagined("Alice", 200)
    assert {world.bids[0] for world in worlds} == {3}
    assert {world.bids[1] for world in worlds} == set(range(13))
    assert {world.bids[2] for world in worlds} == {-1}


def test_open_bids_are_kept_in_imagined_states() -> None:
    seen = opened(3, 1, bidding="open")
    leader = seen.state.leader
    seen.act(f"{seen.names[leader]}: bid 9")
    assert {world.bids[leader] for world in seen.imagined(None)} == {9}


def test_imagined_hands_have_about_the_right_frequencies() -> None:
    """Alice does not see 51 cards, 13 of them Ben's: each is imagined with Ben at about that rate."""
    seen = opened(3, 4)
    worlds = seen.imagined("Alice", 1000)
    hidden = Counter(texts([*seen.state.hands[1], *seen.state.hands[2], *seen.state.rest]).split())
    expected = hidden["C"] * 13 / hidden.total()
    mean = sum(texts(world.hands[1]).split().count("C") for world in worlds) / len(worlds)
    assert abs(mean - expected) < 0.25
