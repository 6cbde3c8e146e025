"""Dealing, bad hands, turning up the trump, and void deals."""

from collections import Counter
from collections.abc import Sequence

import pytest

from games.chance import shuffled
from games.charms import GAME, rules
from games.charms.cards import DECK, SUITS
from games.charms.events import DealVoid, HandBegan, Redealt, TrumpTurned
from games.charms.rules import good
from tests.games.charms.position import DEALT_ANEW, KIND, Position, opened, texts

ALICE = "L L L L R R R R 2 2 2 3 3"
CLEO = "C C C C K K K K 1 1 1 1 2"
BAD = "C C 6 6 6 7 7 7 7 8 8 8 8"
"""Hands as they are dealt; Ben is the first to be asked whether his hand is good."""


def rest_of(*hands: str) -> str:
    """Return the cards that are in none of the hands, suit cards first."""
    left = Counter(DECK)
    left.subtract(KIND[card] for hand in hands for card in hand.split())
    assert min(left.values()) >= 0
    return texts(sorted(left.elements()))


def dealt(monkeypatch: pytest.MonkeyPatch, *decks: Sequence[str], seats: int) -> Position:
    """Return a match whose shuffles give these cards, each in the order of dealing, and after them the usual ones.
    The first dealer is Alice."""
    stacked = iter(decks)

    def shuffle(cards: Sequence[int], seed: int | str, purpose: str, number: int = 0) -> list[int]:
        deck = next(stacked, None)
        if deck is None:
            return shuffled(cards, seed, purpose, number)
        order = [KIND[card] for part in deck for card in part.split()]
        assert sorted(order) == sorted(cards), "a shuffle adds and loses nothing"
        return order

    monkeypatch.setattr(rules, "shuffled", shuffle)
    monkeypatch.setattr(rules, "drawn", lambda *_: 0)
    return opened(seats)


def announced(seen: Position) -> list[str]:
    """Return the public narration of the deal, without the dealer and the leader."""
    return seen.narrated(
        event for event in seen.events if event.to is None and not isinstance(event, HandBegan)
    )


def test_the_deck_has_eight_cards_of_each_suit_and_four_of_each_number() -> None:
    assert len(DECK) == 64
    assert Counter(texts(DECK).split()) == Counter(dict.fromkeys("CKLR", 8)) + Counter(
        {str(number): 4 for number in range(1, 9)}
    )


@pytest.mark.parametrize("seats", [3, 4])
def test_everybody_gets_thirteen_cards_and_the_player_left_of_the_dealer_leads(seats: int) -> None:
    seen = opened(seats, 5)
    state = seen.state
    assert [len(hand) for hand in state.hands] == [13] * seats
    assert len(state.rest) + len(state.turned) == 64 - 13 * seats
    assert state.leader == (state.dealer + 1) % seats
    began = seen.events[0]
    assert began == HandBegan(1, 4, state.dealer, state.leader)


def test_the_dealer_is_drawn_at_random() -> None:
    assert {opened(3, seed).state.dealer for seed in range(20)} == {0, 1, 2}


@pytest.mark.parametrize(
    ("hand", "is_good"),
    [
        ("C C C 1 1 1 1 2 2 2 2 3 3", True),
        ("C C 1 1 1 1 2 2 2 2 3 3 3", False),
        ("C C C C C K K K K K 1 2 3", True),
        ("C C C C C K K K K K L 2 3", False),
        ("1 1 1 1 2 2 2 2 3 3 3 3 4", False),
    ],
)
def test_a_good_hand_has_three_suit_cards_and_three_number_cards(hand: str, is_good: bool) -> None:
    assert good(sorted(KIND[card] for card in hand.split())) is is_good


def test_a_bad_hand_is_shown_and_dealt_again_from_its_own_cards_and_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    anew = "C K L L 6 7 7 7 7 8 8 8 8"
    first = [ALICE, BAD, CLEO, rest_of(ALICE, BAD, CLEO)]
    seen = dealt(monkeypatch, first, [anew, "6 5 R", rest_of(anew, CLEO, ALICE, "6 5 R")], seats=3)
    assert announced(seen) == [
        "Ben shows 🪙C×2 6×3 7×4 8×4, too few suit cards, and gets a new hand.",
        "Trump is **🐇R rabbit foot**. Turned up before it: 6 5.",
    ]
    assert [seen.hand(name) for name in seen.names] == [ALICE, anew, CLEO]
    assert seen.describe("Alice").endswith("Ben showed 🪙C×2 6×3 7×4 8×4 and got a new hand.")


def test_a_hand_is_dealt_again_until_it_is_good_and_then_the_next_seat_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cleo, again = "C C C C C C K K K K K 1 1", "C 6 6 6 6 7 7 7 7 8 8 8 8"
    ben_at_last, cleo_at_last = "C K L 6 6 7 7 7 7 8 8 8 8", "C K K K L L L 1 1 5 5 5 5"
    seen = dealt(
        monkeypatch,
        [ALICE, BAD, cleo, rest_of(ALICE, BAD, cleo)],
        [again, rest_of(ALICE, again, cleo)],
        [ben_at_last, rest_of(ALICE, ben_at_last, cleo)],
        [cleo_at_last, "R", rest_of(ALICE, ben_at_last, cleo_at_last, "R")],
        seats=3,
    )
    shown = [(seen.names[event.seat], texts(event.cards)) for event in seen.state.redealt]
    assert shown == [("Ben", BAD), ("Ben", again), ("Cleo", cleo)]
    assert "too few number cards" in announced(seen)[2]
    assert [seen.hand(name) for name in seen.names] == [ALICE, ben_at_last, cleo_at_last]


def test_a_deal_is_void_when_no_good_hand_is_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ben holds number cards, and the rest has only two suit cards: he cannot get a third."""
    alice, *others = "C C C C C C C C K K 1 1 1", "K K K K K K L L L L 1 2 2", "L L L L R R R R R R 2 2 3"
    ben = "3 3 3 4 4 4 4 5 5 5 5 6 6"
    seen = dealt(monkeypatch, [alice, ben, *others, rest_of(alice, ben, *others)], seats=4)
    assert rest_of(alice, ben, *others).split()[:3] == ["R", "R", "6"]
    assert announced(seen)[0] == (
        "Ben shows 3×3 4×4 5×4 6×2: no good hand is possible from these and the rest. Alice deals again."
    )
    assert_dealt_again(seen)


def test_a_deal_is_void_when_no_suit_card_is_left_to_turn_up(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = ["C C C C C C C C 1 1 1 1 2", "K K K K K K K K 2 2 2 3 3", "L L L L L L L L 3 3 4 4 4"]
    hands.append("R R R R R R R R 4 5 5 5 5")
    rest = "8 8 8 8 7 7 7 7 6 6 6 6"
    seen = dealt(monkeypatch, [*hands, rest], seats=4)
    assert (
        announced(seen)[0] == "All cards are turned up, and none is a suit: 6×4 7×4 8×4. Alice deals again."
    )
    assert_dealt_again(seen)


def assert_dealt_again(seen: Position) -> None:
    """Assert a new deal by the same dealer, in the same hand of the match, with other cards."""
    assert sum(isinstance(event, DealVoid) for event in seen.events) == 1
    assert sum(isinstance(event, HandBegan) for event in seen.events) == 1
    assert sum(isinstance(event, TrumpTurned) for event in seen.events) == 1
    assert (seen.state.hand, seen.state.dealer, seen.state.voids) == (1, 0, 1)
    assert all(good(hand) for hand in seen.state.hands)
    assert seen.state.turned[-1] in SUITS
    assert not seen.state.redealt


def test_the_hand_after_a_void_deal_has_cards_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deals are numbered consecutively, so no shuffle is used twice."""
    asked: list[int] = []

    def shuffle(cards: Sequence[int], seed: int | str, purpose: str, number: int = 0) -> list[int]:
        if purpose == "deal":
            asked.append(number)
        void = len(asked) == 1 and purpose == "deal"
        return [*range(12)] * 4 + [11] * 16 if void else shuffled(cards, seed, purpose, number)

    monkeypatch.setattr(rules, "shuffled", shuffle)
    seen = opened(4, 2, hands=3)
    while seats := GAME.awaited(seen.state):
        GAME.step(seen.state, seats[0], GAME.fallback(seen.state, seats[0]))
    assert asked == [1, 2, 3, 4]


def test_the_turned_card_is_public_and_the_rest_is_hidden() -> None:
    seen = opened(3, 8)
    view = GAME.view(seen.state, None)
    assert view.turned == tuple(seen.state.turned)
    assert view.trump == view.turned[-1]
    assert view.rest == len(seen.state.rest)


def test_everybody_sees_a_hand_that_is_shown_and_only_its_player_the_new_one() -> None:
    seen = opened(4, DEALT_ANEW)
    shown = [event for event in seen.events if isinstance(event, Redealt)]
    assert [event.to for event in shown] == [None]
    assert sorted(event.to for event in seen.events if event.to is not None) == [0, 1, 2, 3]
