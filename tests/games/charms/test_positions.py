"""Bidding, playing, scoring and the end of a match, as positions. The notation: see `position`."""

import pytest

from games.charms import GAME
from games.charms.cards import FIRST_PLAY
from tests.games.charms.position import Position, after_random_moves, opened, position
from tests.seats import FIRST, SECOND, THIRD

# Bids


def test_hidden_bids_are_made_in_any_order_and_revealed_together() -> None:
    seen = opened(3)
    assert seen.awaited() == ["Alice", "Ben", "Cleo"]
    assert seen.legal("Ben") == [f"bid {tricks}" for tricks in range(13)]
    assert seen.act("Cleo: bid 12; Alice: bid 0") == []
    assert seen.awaited() == ["Ben"]
    assert GAME.view(seen.state, SECOND).bids == (None, None, None)
    assert seen.act("Ben: bid 5") == ["Bids: Alice 0, Ben 5, Cleo 12. Together 17, for 12 tricks."]
    assert seen.awaited() == [seen.names[seen.state.leader]]


def test_a_hidden_bid_may_be_changed_silently_until_all_are_in() -> None:
    seen = opened(3)
    seen.act("Cleo: bid 12; Alice: bid 0; Cleo: bid 3")
    assert GAME.view(seen.state, THIRD).bid == 3
    assert GAME.view(seen.state, SECOND).has_bid == (True, False, True)
    assert "Cleo 3" in seen.act("Ben: bid 4")[0]
    assert seen.refusal("Cleo: bid 2") == "The bids are final. Play a card on your turn."


def test_open_bids_are_made_in_turn_from_the_dealers_left_and_cannot_be_changed() -> None:
    seen = opened(3, 2, bidding="open")
    first, second, third = (seen.names[(seen.state.leader + place) % 3] for place in range(3))
    assert seen.awaited() == [first]
    assert seen.legal(second) == []
    assert "seat" in seen.refusal(f"{second}: bid 2")
    assert seen.act(f"{first}: bid 2") == [f"{first} bids 2."]
    assert GAME.view(seen.state, None).bids[seen.state.leader] == 2
    assert "you bid in turn, once" in seen.refusal(f"{first}: bid 3")
    seen.act(f"{second}: bid 12; {third}: bid 12")
    assert seen.awaited() == [first]
    assert seen.legal(first)[0].split()[0] in "CKLR"


def test_no_card_is_played_before_all_have_bid() -> None:
    sentence = "You cannot play a card until everyone has bid. Bid 0 to 12 tricks first."
    assert opened(3).refusal("Alice: play 3") == sentence


# The first trick

FIRST_TRICK = """
    Ben leads, trump L
    Alice | C C K K 1 2 3 3 4 5 5 6 7
    Ben   | C C C K L L 1 2 4 6 6 7 8
    Cleo  | L L L R R R R 1 2 4 5 7 8
"""


def test_the_leader_starts_with_any_suit_card_and_any_number_card() -> None:
    seen = position(FIRST_TRICK)
    assert seen.legal("Ben") == [f"{suit} {number}" for suit in "CKL" for number in (1, 2, 4, 6, 7, 8)]


def test_a_holder_of_the_led_suit_must_play_it_with_any_number() -> None:
    seen = position(FIRST_TRICK)
    assert seen.act("Ben: play C 8") == ["Ben leads 🪙C 8."]
    assert seen.act("Cleo: play R 8") == ["Cleo plays 🐇R 8."]
    assert seen.legal("Alice") == [f"C {number}" for number in range(1, 8)]
    assert seen.refusal("Alice: play K 7") == (
        "🪙C is led and you hold it, so play it as your suit card. Choose any number card."
    )
    assert seen.act("Alice: play C 7") == ["Alice plays 🪙C 7.", "Ben takes trick 1."]


def test_the_first_trick_takes_two_cards_and_later_ones_take_one() -> None:
    seen = position(FIRST_TRICK)
    assert seen.refusal("Ben: play C") == "In the first trick, play two cards: a suit and a number."
    seen.act("Ben: play C 8; Cleo: play R 8; Alice: play C 7")
    assert seen.refusal("Ben: play C 6") == (
        "You play two cards in the first trick only. Now play one card, a suit or a number."
    )
    assert [len(hand) for hand in seen.state.hands] == [11, 11, 11]


# Tricks 2 to 12: covering and following

SECOND_TRICK = """
    Alice leads, trump R
    Alice | shows C 3 | C K L 5 8
    Ben   | shows K 6 | K L L 1 6
    Cleo  | shows L 6 | C C L R 2
"""


def test_a_card_covers_the_shown_card_of_its_sort_and_the_other_stays() -> None:
    seen = position(SECOND_TRICK)
    assert seen.act("Alice: play K") == ["Alice leads 🔑K and shows 🔑K 3."]
    assert (seen.state.suits, seen.state.numbers) == ([1, 1, 2], [3, 6, 6])
    assert seen.act("Ben: play 1") == ["Ben plays 1 and shows 🔑K 1."]


def test_the_suit_that_the_leader_shows_after_the_play_is_led() -> None:
    seen = position(SECOND_TRICK)
    seen.act("Alice: play K")
    assert GAME.view(seen.state, None).led == 1
    other = position(SECOND_TRICK)
    other.act("Alice: play 8")
    assert GAME.view(other.state, None).led == 0


@pytest.mark.parametrize(
    ("lead", "ben"),
    [
        ("K", ["K", "1", "6"]),  # shows it: keeps showing it
        ("L", ["L"]),  # holds it and does not show it: must play it
        ("C", ["K", "L", "1", "6"]),  # neither: anything
        ("5", ["K", "L", "1", "6"]),
    ],
)
def test_what_a_follower_may_play(lead: str, ben: list[str]) -> None:
    seen = position(SECOND_TRICK)
    seen.act(f"Alice: play {lead}")
    assert seen.legal("Ben") == ben


def test_a_refused_play_is_answered_with_the_rule() -> None:
    seen = position(SECOND_TRICK)
    assert seen.refusal("Ben: play K").startswith("It is not your turn: seat 1 plays now")
    assert seen.refusal("Alice: play R") == "You do not hold 🐇R. Your hand: 🪙C 🔑K 🍀L 5 8."
    seen.act("Alice: play K")
    assert seen.refusal("Ben: play L") == (
        "🔑K is led and you show it. Keep showing it: play a number, or another 🔑K."
    )
    held = position(SECOND_TRICK)
    held.act("Alice: play L")
    assert held.refusal("Ben: play 6") == "🍀L is led. You hold it and do not show it, so you must play it."


# Who takes a trick


@pytest.mark.parametrize(
    ("shown", "taker"),
    [
        # Nobody shows the trump: the highest number with the led suit.
        (("C 3", "C 6", "K 8"), "Ben"),
        (("C 3", "K 6", "L 8"), "Alice"),
        # The highest number with the trump, even a low one.
        (("C 8", "R 1", "C 7"), "Ben"),
        (("C 8", "R 1", "R 2"), "Cleo"),
        (("R 3", "C 8", "R 2"), "Alice"),
        # Equal cards: the later one in this trick's turn order.
        (("C 5", "C 5", "K 8"), "Ben"),
        (("C 5", "C 5", "C 5"), "Cleo"),
        (("C 8", "R 4", "R 4"), "Cleo"),
    ],
)
def test_who_takes_a_trick(shown: tuple[str, str, str], taker: str) -> None:
    """Everybody covers the number with an equal one, so the players still show the same."""
    numbers = [stack.split()[1] for stack in shown]
    seen = position(f"""
        Alice leads, trump R
        Alice | shows {shown[0]} | {numbers[0]} 1
        Ben   | shows {shown[1]} | {numbers[1]} 1
        Cleo  | shows {shown[2]} | {numbers[2]} 1
    """)
    plays = zip(seen.names, numbers, strict=True)
    narration = seen.act("; ".join(f"{name}: play {number}" for name, number in plays))
    assert narration[-1] == f"{taker} takes trick 11."
    assert seen.awaited() == [taker]


def test_equal_cards_are_decided_by_the_turn_order_of_this_trick() -> None:
    seen = position("""
        Cleo leads, trump R
        Alice | shows C 5 | 5 1
        Ben   | shows K 5 | 5 1
        Cleo  | shows C 5 | 5 1
    """)
    assert seen.act("Cleo: play 5; Alice: play 5; Ben: play 5")[-1] == "Alice takes trick 11."


def test_a_card_of_an_earlier_trick_counts_like_a_new_one() -> None:
    """Cleo has shown the trump and an 8 for some time and wins as long as she covers neither with less."""
    seen = position("""
        Alice leads, trump R
        Alice | shows C 8 | C C
        Ben   | shows C 8 | C C
        Cleo  | shows R 2 | R 1
    """)
    assert seen.act("Alice: play C; Ben: play C; Cleo: play R")[-1] == "Cleo takes trick 11."


# Score and end

LAST = """
    hand {hand}, Alice leads, trump R, Cleo dealt
    Alice | shows C 8 | C | bid 3 | won 2 | {points[0]} points
    Ben   | shows C 2 | 1 | bid 6 | won 5 | {points[1]} points
    Cleo  | shows L 2 | K | bid 0 | won 4 | {points[2]} points
"""


def scored(hand: int = 4, points: tuple[int, int, int] = (0, 0, 0)) -> tuple[Position, list[str]]:
    """Return the position after the last trick of a hand, which Alice takes: she is exact, Ben is off by 1, Cleo by
    4."""
    seen = position(LAST.format(hand=hand, points=points))
    return seen, seen.act("Alice: play C; Ben: play 1; Cleo: play K")


def test_a_hand_is_scored_by_the_difference_between_bid_and_tricks() -> None:
    _, narration = scored(points=(3, 1, 0))
    assert narration[4].splitlines() == [
        "🎯 Alice hit 3 · Ben needed 6, got 5: 1 penalty point · Cleo needed 0, got 4: 5 penalty points",
        "Points after hand 4 (fewest win): Ben 2 · Alice 3 · Cleo 5",
    ]
    assert narration[5].splitlines() == [
        "**Ben wins with 2 points.** Fewest points after 4 hands.",
        "**2.** Alice: 3 points",
        "**3.** Cleo: 5 points",
    ]


@pytest.mark.parametrize(
    ("bid", "points"), [(3, 0), (2, 1), (4, 1), (1, 3), (5, 3), (0, 5), (6, 5), (7, 5), (12, 5)]
)
def test_the_points_for_three_tricks_after_each_bid(bid: int, points: int) -> None:
    seen = position(LAST.format(hand=4, points=(0, 0, 0)).replace("bid 3", f"bid {bid}"))
    seen.act("Alice: play C; Ben: play 1; Cleo: play K")
    assert seen.state.points[0] == points


def test_after_a_hand_the_deal_moves_to_the_left() -> None:
    seen, narration = scored(hand=3, points=(1, 1, 1))
    assert narration[5] == "**Hand 4 of 4.** Alice deals; Ben leads the first trick."
    assert (seen.state.dealer, seen.state.leader, seen.state.hand) == (0, 1, 4)
    assert seen.state.points == [1, 2, 6]
    assert [len(hand) for hand in seen.state.hands] == [13, 13, 13]
    assert seen.awaited() == ["Alice", "Ben", "Cleo"]
    assert GAME.view(seen.state, None).suits == (None, None, None)


def test_with_equal_points_more_exact_bids_win() -> None:
    seen, _ = scored(points=(1, 0, 0))
    assert seen.outcome().placings == (1, 2, 3)
    assert seen.outcome().scores == (1, 1, 5)
    assert seen.outcome().reason == ("Fewest points after 4 hands, and of equals the most exact bids.")


def test_equal_points_and_equal_exact_bids_share_a_place() -> None:
    seen = position(LAST.format(hand=4, points=(0, 0, 0)).replace("bid 6", "bid 5"))
    seen.act("Alice: play C; Ben: play 1; Cleo: play K")
    assert seen.outcome().placings == (1, 1, 3)
    assert seen.outcome().reason == (
        "Fewest points after 4 hands; the exact bids are equal too, so first place is shared."
    )


def test_no_action_is_possible_after_the_end() -> None:
    seen, _ = scored()
    assert seen.awaited() == []
    assert all(seen.legal(name) == [] for name in seen.names)
    assert seen.refusal("Alice: bid 1") == "The match is over."


def test_the_longest_match_takes_as_many_actions_as_the_game_claims() -> None:
    seen = opened(4, hands=12)
    actions = 0
    while seats := GAME.awaited(seen.state):
        GAME.step(seen.state, seats[0], GAME.fallback(seen.state, seats[0]))
        actions += 1
    assert actions == GAME.longest


# Absent players


def test_the_fallback_bids_a_fair_share() -> None:
    assert [GAME.fallback(opened(seats).state, FIRST) for seats in (3, 4)] == [4, 3]


def test_the_fallback_makes_the_weakest_play() -> None:
    seen = position(SECOND_TRICK)
    assert GAME.text(GAME.fallback(seen.state, FIRST)) == "play C"  # leads 3, the lowest
    seen.act("Alice: play K")
    assert GAME.text(GAME.fallback(seen.state, SECOND)) == "play 1"
    seen.act("Ben: play 1")
    assert GAME.fallback(seen.state, THIRD) >= FIRST_PLAY
    first = position(FIRST_TRICK)
    first.act("Ben: play C 8")
    assert GAME.text(GAME.fallback(first.state, THIRD)) == "play R 1"


# What is remembered


def test_everybody_remembers_the_cards_played_and_what_each_player_lacks() -> None:
    seen = position(SECOND_TRICK.replace("K L L 1 6", "C L L L R"))
    seen.act("Alice: play K; Ben: play L; Cleo: play 2")
    narration = seen.describe("Cleo")
    assert "Alice has played 🔑K." in narration
    assert "Ben has played 🍀L; has no 🔑K, no numbers." in narration
    assert "Cleo has played 2; has no 🔑K." in narration


def test_everybody_shows_the_last_card_played_of_each_sort() -> None:
    for seed in range(20):
        view = GAME.view(after_random_moves(4, seed, 30).state, None)
        for cards, suit, number in zip(view.played, view.suits, view.numbers, strict=True):
            assert suit == [card for card in cards if card < 4][-1]
            assert number == [card for card in cards if card >= 4][-1] - 3
