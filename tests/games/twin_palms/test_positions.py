"""Bidding, playing, scoring and the end of a match, as positions. The notation: see `position`."""

from itertools import combinations
from typing import Any

import pytest

from games.ending import Ended
from games.twin_palms import GAME
from games.twin_palms.cards import DECKS, card_text
from games.twin_palms.events import BidIn, BidsRevealed, Dealt, ExtraRound, RoundBegan, RoundScored, ScoreRow
from games.twin_palms.options import TwinPalmsOptions
from games.types import SEATS
from tests.games.twin_palms.position import Position, opened, position
from tests.seats import FIRST, SECOND

EVERY_BID = [f"bid {tricks}{bet}" for tricks in range(6) for bet in ("", " half", " max")]


def play_round(seen: Position) -> None:
    """Play to the end of the round with the fallback of every player."""
    number = seen.state.round
    while seen.awaited() and seen.state.round == number:
        seat = GAME.awaited(seen.state)[0]
        seen.act(f"{seen.names[seat]}: {GAME.text(GAME.fallback(seen.state, seat))}")


def score(
    bid: str, tricks: int, held: int = 2, number: int = 1, mode: str = "normal", **options: Any
) -> ScoreRow:
    """Return Alice's line of the score sheet after winning that many tricks, if any including the last one."""
    alice, ben = ("P9 P9", "P1 P2") if tricks else ("P1 P2", "P9 P9")
    text = f"""
        {mode}, round {number}
        Alice | {alice} | bid {bid} | won {max(tricks - 1, 0)} | {held} dollars
        Ben   | {ben} | bid 5
    """
    seen = position(text, **options)
    seen.act(f"Alice: play {alice}; Ben: play {ben}")
    return next(event.rows[0] for event in seen.events if isinstance(event, RoundScored))


# Match and deal


@pytest.mark.parametrize(("mode", "suits"), [("easy", 1), ("normal", 2), ("advanced", 3), ("extreme", 3)])
def test_a_deck_has_0_to_10_and_a_wild_of_each_suit_twice(mode: str, suits: int) -> None:
    numbers = [str(number) for number in range(11)] + ["*"]
    assert [card_text(kind) for kind in DECKS[TwinPalmsOptions.model_validate({"mode": mode}).mode]] == [
        suit + number for suit in "PDS"[:suits] for number in numbers for _ in range(2)
    ]


def test_everybody_begins_with_2_sand_dollars_and_ten_cards_that_only_they_see() -> None:
    seen = opened(seats=4)
    assert seen.state.dollars == [2, 2, 2, 2]
    assert [(event.to, len(event.hand)) for event in seen.events if isinstance(event, Dealt)] == [
        (seat, 10) for seat in SEATS[:4]
    ]


def test_each_round_is_dealt_from_the_whole_deck() -> None:
    """20 of 24 cards are dealt, so without the played cards the next round would lack cards."""
    seen = opened(seats=2, mode="easy", rounds=2)
    play_round(seen)
    hands = dealt(seen)
    assert hands[:2] != hands[2:]
    assert [len(hand) for hand in hands] == [10] * 4


def dealt(seen: Position) -> list[tuple[int, ...]]:
    return [event.hand for event in seen.events if isinstance(event, Dealt)]


def test_the_first_start_player_is_drawn() -> None:
    assert {opened(seats=5, seed=seed, mode="extreme").state.start for seed in range(60)} == {0, 1, 2, 3, 4}


def test_the_start_players_token_moves_one_seat_to_the_left_each_round() -> None:
    seen = opened(seats=3, rounds=5, seed=7)
    for _ in range(4):
        play_round(seen)
    starts = [event.start for event in seen.events if isinstance(event, RoundBegan)]
    assert starts == [(starts[0] + number) % 3 for number in range(5)]


def test_the_token_holder_leads_the_first_trick_even_if_somebody_else_won_the_last_one() -> None:
    seen = position("""
        normal, round 1, Ben leads
        Alice | P9 P9 | bid 1
        Ben   | P1 D2 | bid 1
        Cleo  | P3 D4 | bid 1
    """)
    seen.act("Ben: play P1 D2; Cleo: play P3 D4; Alice: play P9 P9")
    seen.act("Alice: bid 0; Ben: bid 0; Cleo: bid 0")
    assert seen.awaited() == ["Cleo"]
    assert seen.state.leader == seen.state.start == 2


# Bid and bet


def test_a_bid_is_0_to_5_tricks_with_no_bet_half_or_max() -> None:
    assert opened().legal("Ben") == EVERY_BID


def test_a_table_without_bets_asks_only_for_the_bid() -> None:
    seen = opened(bets=False)
    assert seen.legal("Ben") == ["bid 0", "bid 1", "bid 2", "bid 3", "bid 4", "bid 5"]
    assert "no bets at this table" in seen.refusal("Ben: bid 2 max")


def test_bids_arrive_in_any_order_and_are_revealed_with_the_last_one() -> None:
    seen = opened()
    assert seen.awaited() == ["Alice", "Ben", "Cleo"]
    assert seen.act("Cleo: bid 2 max") == []
    assert seen.awaited() == ["Alice", "Ben"]
    assert seen.act("Alice: bid 0") == []
    assert seen.act("Ben: bid 1 half") == ["Bids: Alice 0, Ben 1 (half bet: 1), Cleo 2 (max bet: 1)."]


def test_a_bid_may_be_changed_silently_until_the_reveal() -> None:
    seen = opened()
    seen.act("Cleo: bid 2 max")
    assert seen.legal("Cleo") == EVERY_BID
    assert seen.act("Cleo: bid 5") == []
    seen.act("Alice: bid 0; Ben: bid 1")
    assert [event.bids for event in seen.events if isinstance(event, BidsRevealed)] == [(0, 1, 5)]
    assert [event.seat for event in seen.events if isinstance(event, BidIn)] == [2, 0, 1]


def test_a_revealed_bid_cannot_be_changed() -> None:
    seen = opened()
    seen.act("Alice: bid 0; Ben: bid 1; Cleo: bid 2")
    for name in seen.names:
        assert "The bids are final" in seen.refusal(f"{name}: bid 3")


@pytest.mark.parametrize(
    ("number", "rounding", "half", "most"),
    [
        (1, "up", 1, 1),
        (1, "down", 0, 1),
        (2, "up", 1, 2),
        (5, "up", 3, 5),
        (5, "down", 2, 5),
        (14, "up", 7, 14),
    ],
)
def test_max_is_the_rounds_number_and_half_is_half_of_it(
    number: int, rounding: str, half: int, most: int
) -> None:
    """In further rounds too, and independent of the sand dollars held."""
    text = f"normal, round {number}\nAlice | P1 P2 | | 50 dollars\nBen | P3 P4 | | 51 dollars"
    seen = position(text, half_bet_rounding=rounding)
    seen.act("Alice: bid 1 half; Ben: bid 1 max")
    assert seen.state.stakes() == (half, most)


@pytest.mark.parametrize(("held", "half", "most"), [(0, 0, 0), (1, 1, 1), (3, 3, 3), (4, 3, 4), (5, 3, 5)])
def test_a_stake_above_what_is_held_becomes_all_that_is_held(held: int, half: int, most: int) -> None:
    """Half is still half of the number, so a player with nothing may bet as well."""
    text = f"normal, round 5\nAlice | P1 P2 | | {held} dollars\nBen | P3 P4 | | {held} dollars"
    seen = position(text)
    seen.act("Alice: bid 1 half; Ben: bid 1 max")
    assert seen.state.stakes() == (half, most)


# Playing tricks


def test_the_start_player_leads_and_the_others_follow_to_the_left() -> None:
    seen = position("""
        normal, Ben leads
        Alice | P1 P2 P3 D4 | bid 1
        Ben   | P5 P6 D5 D5 | bid 1
        Cleo  | P7 D8 D9 D9 | bid 1
    """)
    for line in ("Ben: play P5 P6", "Cleo: play D8 D9", "Alice: play P1 P2"):
        assert seen.awaited() == [line.split(":")[0]]
        seen.act(line)
    assert (seen.hand("Alice"), seen.hand("Ben"), seen.hand("Cleo")) == ("P3 D4", "D5 D5", "P7 D9")


def test_any_two_cards_may_be_played_whatever_was_led() -> None:
    """There is no following and no trump; a wild may be any number from 0 to 10."""
    seen = position("""
        advanced
        Alice | P1 P2 S3 S3 | bid 1
        Ben   | P4 P4 D5 S* | bid 1
    """)
    seen.act("Alice: play P1 P2")
    wilds = [f"play {card} S*={number}" for card in ("P4", "D5") for number in range(11)]
    assert seen.legal("Ben") == ["play P4 P4", "play P4 D5", *wilds]


@pytest.mark.parametrize("mode", ["easy", "normal", "advanced", "extreme"])
def test_every_pair_of_cards_of_a_new_hand_may_be_played(mode: str) -> None:
    """Counted card by card, with every number for each wild."""
    for seed in range(20):
        seen = opened(seats=2, seed=seed, mode=mode)
        seen.act("Alice: bid 0; Ben: bid 0")
        name = seen.awaited()[0]
        forms = {
            frozenset([(one, x), (other, y)]) if (one, x) != (other, y) else frozenset([(one, x)])
            for one, other in combinations(seen.hand(name).split(), 2)
            for x in statements(one)
            for y in statements(other)
        }
        assert len(seen.legal(name)) == len(forms)


def statements(card: str) -> list[str]:
    return [f"={number}" for number in range(11)] if card.endswith("*") else [""]


def test_two_wilds_may_be_played_each_with_a_number() -> None:
    seen = position("normal\nAlice | P* P* | bid 1\nBen | D* D1 | bid 0")
    assert len(seen.legal("Alice")) == 66
    assert seen.act("Alice: play P*=9 P*=2")[0] == "Alice leads 🌴P2 wild + 🌴P9 wild."


def test_the_winner_leads_the_next_trick() -> None:
    seen = position("""
        normal, Alice leads
        Alice | P1 P2 P3 D4 | bid 1
        Ben   | P5 P6 D5 D5 | bid 1
        Cleo  | P7 P7 D9 D9 | bid 1
    """)
    narration = seen.act("Alice: play P1 P2; Ben: play P5 P6; Cleo: play P7 P7")
    assert narration[-1] == "Cleo takes trick 4."
    assert seen.awaited() == ["Cleo"]


def test_if_nobody_takes_a_trick_its_leader_leads_again_and_nobody_scores_it() -> None:
    seen = position("""
        normal, Alice leads
        Alice | P1 P1 P3 D4 D6 D7 | bid 1
        Ben   | P2 P2 D3 P4 P8 P9 | bid 1
    """)
    seen.act("Alice: play P1 P1; Ben: play P2 P2")
    narration = seen.act("Ben: play D3 P4; Alice: play P3 D4")
    assert narration[-1] == "Alice and Ben cancel each other; nobody takes trick 4, and Ben leads again."
    assert seen.awaited() == ["Ben"]
    assert seen.state.won == [0, 1]


def test_if_nobody_has_taken_a_trick_yet_the_start_player_leads_again() -> None:
    seen = position("""
        normal, Ben leads
        Alice | P1 P1 P3 D4 | bid 1
        Ben   | P1 P1 D5 P6 | bid 1
    """)
    seen.act("Ben: play P1 P1; Alice: play P1 P1")
    assert seen.awaited() == ["Ben"]


def test_if_nobody_takes_the_last_trick_no_next_leader_is_announced() -> None:
    seen = position("easy\nAlice | P1 P2 | bid 0\nBen | P1 P2 | bid 0")
    narration = seen.act("Alice: play P1 P2; Ben: play P1 P2")
    assert "Alice and Ben cancel each other; nobody takes trick 5." in narration


def test_all_tied_sets_cancel_at_once_and_the_best_remaining_one_wins() -> None:
    seen = position("""
        advanced
        Alice | P9 P9 | bid 0
        Ben   | D4 S5 | bid 0
        Cleo  | P9 P* | bid 0
        Dan   | D1 D2 | bid 0
        Eve   | P5 S4 | bid 0
    """)
    plays = "Alice: play P9 P9; Ben: play D4 S5; Cleo: play P9 P*=9; Dan: play D1 D2; Eve: play P5 S4"
    narration = seen.act(plays)
    expected = "Alice and Cleo cancel each other; Ben and Eve cancel each other; Dan takes trick 5."
    assert expected in narration


def test_three_may_cancel_each_other() -> None:
    seen = position("""
        normal
        Alice | P9 D8 | bid 0
        Ben   | P8 D9 | bid 0
        Cleo  | P9 D* | bid 0
        Dan   | P0 D1 | bid 0
    """)
    narration = seen.act("Alice: play P9 D8; Ben: play P8 D9; Cleo: play P9 D*=8; Dan: play P0 D1")
    assert "Alice, Ben and Cleo cancel each other; Dan takes trick 5." in narration


# Refusals


def test_a_refused_play_names_the_rule_and_what_is_allowed() -> None:
    seen = position("normal\nAlice | P1 P2 P* D4 | bid 1\nBen | P5 P6 D5 D5 | bid 1")
    assert seen.refusal("Ben: play P5 P6").startswith("It is not your turn: seat 1 plays now")
    assert seen.refusal("Alice: play P1 P5") == "You do not hold P5. Play two cards out of P1 P2 P* D4."
    assert seen.refusal("Alice: play P1 P1") == "You hold P1 only once. Play two cards out of P1 P2 P* D4."
    assert seen.refusal("Alice: play P1 D*=3").startswith("You do not hold D*")
    assert seen.refusal("Alice: play P1 P*").startswith("A wild needs a number from 0 to 10")


def test_a_play_has_exactly_two_cards_and_a_wild_keeps_its_suit() -> None:
    seen = position("normal\nAlice | P1 P2 P* D4 | bid 1\nBen | P5 P6 D5 D5 | bid 1")
    for play in ("play P1", "play P1 P2 D4", "P1 + P2 + D4", "P*=3", "play"):
        assert seen.refusal(f"Alice: {play}").startswith("A play is two cards.")
    for play in ("play P1 P*=11", "play P1 P*=D4", "play P1 P2=3", "P1 + banana"):
        assert "no such move" in seen.refusal(f"Alice: {play}")


@pytest.mark.parametrize("typed", ["play P1 P*=8", "P1 P*=8", "P*=8 + P1", "p1+p*=8"])
def test_two_cards_are_a_play_with_the_verb_and_as_a_suggestion_reads(typed: str) -> None:
    assert GAME.parse(typed) == GAME.parse("play P1 P*=8")


def test_cards_can_be_played_only_after_the_bids() -> None:
    seen = position("normal\nAlice | P1 P2 | bid 1\nBen | P5 P6")
    assert "until everyone has bid" in seen.refusal("Alice: play P1 P2")


def test_nobody_can_act_after_the_end() -> None:
    seen = ended(6, alice=5, ben=7, cleo=12)
    assert "over" in seen.refusal("Alice: bid 1")


# Score


@pytest.mark.parametrize("mode", ["easy", "normal", "advanced", "extreme"])
@pytest.mark.parametrize(("bid", "earned"), list(enumerate((5, 4, 5, 6, 7, 8))))
def test_an_exact_bid_earns_its_points_in_every_mode(mode: str, bid: int, earned: int) -> None:
    assert score(str(bid), bid, mode=mode) == (bid, bid, 0, earned, 2 + earned)


def test_a_table_may_set_its_own_points_for_exact_bids() -> None:
    own = (20, 0, 1, 2, 3, 19)
    assert [score(str(bid), bid, exact_points=own).points for bid in range(6)] == list(own)


@pytest.mark.parametrize(("bid", "tricks"), [(1, 0), (2, 1), (2, 3), (1, 5), (5, 4), (4, 0)])
def test_a_missed_bid_earns_1_for_each_trick(bid: int, tricks: int) -> None:
    assert score(str(bid), tricks).points == tricks


@pytest.mark.parametrize("tricks", [1, 2, 5])
def test_a_missed_bid_of_0_earns_nothing(tricks: int) -> None:
    assert score("0", tricks).points == 0


def test_an_exact_bid_also_wins_its_stake() -> None:
    assert score("2 max", 2, held=9, number=4) == (2, 2, 4, 5 + 4, 9 + 5 + 4)
    assert score("0 half", 0, held=9, number=4) == (0, 0, 2, 5 + 2, 9 + 5 + 2)


def test_a_missed_bid_loses_its_stake_and_still_earns_points_for_tricks() -> None:
    assert score("2 max", 3, held=9, number=4) == (2, 3, 4, 3 - 4, 9 + 3 - 4)
    assert score("0 max", 1, held=9, number=4) == (0, 1, 4, -4, 9 - 4)


def test_nobody_falls_below_zero() -> None:
    assert score("5 max", 0, held=3, number=6) == (5, 0, 3, -3, 0)
    assert score("5 max", 0, held=0, number=6) == (5, 0, 0, 0, 0)


# The end


@pytest.mark.parametrize(("seats", "rounds"), [(2, 6), (3, 6), (4, 8), (5, 5)])
def test_the_number_of_rounds_follows_from_the_players_or_the_option(seats: int, rounds: int) -> None:
    for chosen in (None, 1, 12):
        seen = opened(seats=seats, mode="extreme", rounds=chosen)
        begun = next(event for event in seen.events if isinstance(event, RoundBegan))
        assert begun.rounds == (chosen or rounds)


END = """
    normal, round {number}
    Alice | P9 P9 | bid 1 | {alice} dollars
    Ben   | P1 D2 | bid 5 | {ben} dollars
    Cleo  | P3 D4 | bid 5 | {cleo} dollars
"""
"""Round in which Alice gets 4 sand dollars by the last trick, Ben and Cleo none."""


def ended(number: int, alice: int, ben: int, cleo: int) -> Position:
    seen = position(END.format(number=number, alice=alice, ben=ben, cleo=cleo))
    seen.act("Alice: play P9 P9; Ben: play P1 D2; Cleo: play P3 D4")
    return seen


def test_after_the_last_round_the_most_sand_dollars_win() -> None:
    outcome = GAME.outcome(ended(6, alice=5, ben=7, cleo=12).state)
    assert outcome is not None
    assert (outcome.placings, outcome.scores) == ((2, 3, 1), (9, 7, 12))
    assert outcome.reason == "Most sand dollars after 6 rounds."


def test_players_with_equal_sand_dollars_share_a_lower_place() -> None:
    outcome = GAME.outcome(ended(6, alice=5, ben=7, cleo=7).state)
    assert outcome is not None
    assert outcome.placings == (1, 2, 2)


def test_a_lead_before_the_last_round_ends_nothing() -> None:
    seen = ended(5, alice=5, ben=7, cleo=12)
    assert GAME.outcome(seen.state) is None
    assert seen.state.round == 6


def test_a_tie_for_first_place_adds_a_round_for_everybody_and_token_and_number_continue() -> None:
    seen = ended(6, alice=3, ben=7, cleo=1)
    assert ExtraRound((FIRST, SECOND)) in seen.events
    assert RoundBegan(7, rounds=6, start=SECOND) in seen.events
    assert seen.awaited() == ["Alice", "Ben", "Cleo"]
    seen.act("Alice: bid 1 max; Ben: bid 1 max; Cleo: bid 1 max")
    assert seen.state.stakes() == (7, 7, 1)


def test_further_rounds_end_when_one_player_leads_alone() -> None:
    outcome = GAME.outcome(ended(8, alice=5, ben=7, cleo=1).state)
    assert outcome is not None
    assert outcome.placings == (1, 2, 3)
    assert outcome.reason == "Most sand dollars after 6 rounds and 2 further to break the tie for first."


def test_a_tie_after_20_further_rounds_ends_the_match_with_a_shared_first_place() -> None:
    assert GAME.outcome(ended(25, alice=3, ben=7, cleo=1).state) is None
    outcome = GAME.outcome(ended(26, alice=3, ben=7, cleo=1).state)
    assert outcome is not None
    assert outcome.placings == (1, 1, 3)
    assert "still tied after 20 further rounds" in outcome.reason


def test_a_match_of_one_round_can_reach_the_latest_end() -> None:
    """With bids of 0 for 0 points nobody can gain anything, so it takes 21 rounds."""
    seen = opened(seats=2, rounds=1, mode="easy", exact_points=(0, 0, 0, 0, 0, 0))
    while seen.awaited():
        seen.act("Alice: bid 0; Ben: bid 0")
        play_round(seen)
    assert seen.state.round == 21
    assert [event.outcome.placings for event in seen.events if isinstance(event, Ended)] == [(1, 1)]


# Fallback


def test_the_fallback_bids_1_without_a_bet_and_plays_the_weakest_set() -> None:
    seen = opened()
    assert GAME.text(GAME.fallback(seen.state, FIRST)) == "bid 1"
    seen = position("normal\nAlice | P1 P2 D4 D* | bid 1\nBen | P5 P6 D5 D5 | bid 1")
    assert GAME.text(GAME.fallback(seen.state, FIRST)) == "play P1 D*=0"
