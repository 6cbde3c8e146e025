"""The rules of Palmer as positions. The notation: see `position`."""

from itertools import product
from random import Random

import pytest

from games.ending import Ended
from games.french import CARD, TEXT
from games.palmer import GAME
from games.palmer.events import DealBegan, DealScored, Peeked
from games.palmer.rules import points
from games.types import SEATS, with_seats
from tests.games.palmer.position import Position, last_turn, opened, position
from tests.games.palmer.secrets import counted
from tests.seats import SECOND

FRESH = """
    Alice dealt, pile QD 8C, stock 5D 3C
    Alice | (7S) (QH) / (10D) (KC)
    Ben   | (2S) (3S) / (4S) (5S)
    Cleo  | (AH) (2H) / (QC) (4C)
"""


def play_deal(seen: Position, rng: Random) -> int:
    """Play at random to the end of the deal and return how often a card became fixed."""
    deal, fixed = seen.state.deal, 0
    while seen.awaited() and seen.state.deal == deal:
        (seat,) = GAME.awaited(seen.state)
        action = rng.choice(GAME.legal(seen.state, seat))
        fixed += action != GAME.parse("draw")
        GAME.step(seen.state, seat, action)
    return fixed


# Deal


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_everybody_gets_four_cards_face_down_and_one_more_starts_the_pile(seats: int) -> None:
    seen = opened(seats)
    assert [len(square) for square in seen.state.squares] == [4] * seats
    assert seen.state.up == [0] * seats
    assert len(seen.state.pile) == 1
    assert len(seen.state.stock) == 52 - 4 * seats - 1


def test_the_first_dealer_is_drawn_and_the_player_to_the_left_begins() -> None:
    dealers = set()
    for seed in range(30):
        seen = opened(3, seed)
        began = next(event for event in seen.events if isinstance(event, DealBegan))
        assert began.start == seen.state.turn == (began.dealer + 1) % 3
        dealers.add(began.dealer)
    assert dealers == {0, 1, 2}


def test_a_bottom_row_is_shown_only_to_its_player_and_a_top_row_to_nobody() -> None:
    seen = opened()
    peeks = [event for event in seen.events if isinstance(event, Peeked)]
    assert [event.to for event in peeks] == [0, 1, 2]
    assert [list(event.cards) for event in peeks] == [square[2:] for square in seen.state.squares]
    for seat in (*SEATS[:3], None):
        known = GAME.view(seen.state, seat).squares
        for other, square in with_seats(seen.state.squares):
            assert known[other] == (None, None, *(square[2:] if seat == other else [None, None]))


# Turns


def test_a_turn_takes_from_the_pile_draws_or_turns_over() -> None:
    seen = position(FRESH)
    ways = ["take TL", "take TR", "take BL", "take BR", "turn TL", "turn TR", "turn BL", "turn BR"]
    assert seen.legal("Ben") == ["draw", *ways]
    assert seen.legal("Alice") == seen.legal("Cleo") == []


def test_the_top_of_the_pile_replaces_a_card_which_goes_face_up_on_the_pile() -> None:
    seen = position(FRESH)
    narration = seen.act("Ben: take BL")
    assert seen.square("Ben") == "(2S) (3S) / QD (5S)"
    assert seen.pile() == "4S 8C"
    assert narration == ["Ben takes ♦Q for ♠4 (bottom left)."]
    assert seen.awaited() == ["Cleo"]


def test_a_card_of_the_top_row_is_replaced_without_being_seen_first() -> None:
    """Before it is on the pile its player does not know it either; afterwards everybody does."""
    seen = position(FRESH)
    assert "♠2" not in seen.describe("Ben")
    assert seen.act("Ben: take TL") == ["Ben takes ♦Q for ♠2 (top left)."]
    assert seen.private_narration("Ben") == []
    assert "Palmer pile, the top first: ♠2 ♣8." in seen.describe("Cleo")


def test_a_drawn_card_is_seen_by_its_player_alone_and_must_be_placed() -> None:
    seen = position(FRESH)
    assert seen.act("Ben: draw") == ["Ben draws from the stock."]
    assert seen.private_narration("Ben") == ["You drew ♦5. Choose which of your face-down cards it replaces."]
    assert "♦5" in seen.describe("Ben")
    assert not any("♦5" in seen.describe(name) for name in ("Alice", "Cleo", None))
    assert seen.legal("Ben") == ["place TL", "place TR", "place BL", "place BR"]
    assert seen.awaited() == ["Ben"]
    for back in ("draw", "take BL", "turn BL"):
        assert "must keep it" in seen.refusal(f"Ben: {back}")
    assert seen.act("Ben: place TR") == ["Ben draws ♦5 for ♠3 (top right)."]
    assert seen.square("Ben") == "(2S) 5D / (4S) (5S)"
    assert seen.pile() == "3S QD 8C"
    assert seen.awaited() == ["Cleo"]


def test_the_stock_is_drawn_from_its_top() -> None:
    seen = position(FRESH)
    seen.act("Ben: draw; Ben: place BL; Cleo: draw; Cleo: place BL")
    assert seen.square("Ben") == "(2S) (3S) / 5D (5S)"
    assert seen.square("Cleo") == "(AH) (2H) / 3C (4C)"


def test_turning_over_shows_a_card_and_leaves_pile_and_stock() -> None:
    seen = position(FRESH)
    stock = list(seen.state.stock)
    assert seen.act("Ben: turn TR") == ["Ben turns over ♠3 (top right)."]
    assert seen.square("Ben") == "(2S) 3S / (4S) (5S)"
    assert seen.pile() == "QD 8C"
    assert seen.state.stock == stock


@pytest.mark.parametrize("way", ["take", "turn", "place"])
def test_a_face_up_card_is_fixed(way: str) -> None:
    seen = position(FRESH.replace("(3S)", "3S").replace("(5S)", "5S"))
    if way == "place":
        seen.act("Ben: draw")
    assert not {f"{way} TR", f"{way} BR"} & set(seen.legal("Ben"))
    refusal = seen.refusal(f"Ben: {way} BR")
    assert refusal == (
        "Your bottom right card lies face up and stays. Choose one that is face down: top left, bottom left."
    )


@pytest.mark.parametrize("way", ["draw", "take TL", "turn TL", "place TL"])
def test_nobody_acts_out_of_turn(way: str) -> None:
    assert position(FRESH).refusal(f"Cleo: {way}").startswith("It is not your turn: seat 2 plays now.")


def test_a_card_can_be_placed_only_after_drawing_one() -> None:
    assert "not drawn a card yet" in position(FRESH).refusal("Ben: place TL")


def test_the_turn_passes_to_the_left_and_skips_those_who_are_out() -> None:
    seen = position("""
        deal 3, Alice dealt, pile QD
        Alice | (7S) (QH) / (10D) (KC)
        Ben   | out in deal 2 | 52
        Cleo  | (AH) (2H) / (QC) (4C)
    """)
    assert seen.awaited() == ["Cleo"]
    seen.act("Cleo: turn TL")
    assert seen.awaited() == ["Alice"]
    seen.act("Alice: turn TL")
    assert seen.awaited() == ["Cleo"]
    assert seen.legal("Ben") == []
    assert seen.refusal("Ben: draw") == "You are out with 52 points. You can watch the others."


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_deal_is_four_turns_each_and_the_stock_is_large_enough(seats: int) -> None:
    for seed in range(20):
        seen = opened(seats, seed)
        assert play_deal(seen, Random(seed)) == 4 * seats
        assert [len(score.square) for score in seen.state.last] == [4] * seats


def test_six_players_who_always_draw_do_not_empty_the_stock() -> None:
    seen, stocks = opened(6), []
    for _ in range(24):
        (seat,) = GAME.awaited(seen.state)
        GAME.step(seen.state, seat, GAME.parse("draw"))
        stocks.append(len(seen.state.stock))
        GAME.step(seen.state, seat, GAME.legal(seen.state, seat)[0])
    assert stocks == [*range(26, 2, -1)]
    assert seen.state.deal == 2


# Points


@pytest.mark.parametrize(
    ("square", "value"),
    [
        ("AS 2S 3S 4S", 10),
        ("5S 6S 7S 8S", 26),
        ("9S 10S JS QS", 39),
        ("KS AS KD 2S", 3),
        # Examples of the rules' source: pairs count nothing, and a jack and a nine count nineteen.
        ("AS AH KD KC", 0),
        ("QS QH KD 2C", 2),
        ("8S 8H KD 2C", 2),
        ("JS 9H KD KC", 19),
        # The two cards of a pair may lie anywhere in the square.
        ("7S 7H 2D 3C", 5),
        ("7S 2H 7D 3C", 5),
        ("7S 2H 3D 7C", 5),
        ("2S 7H 7D 3C", 5),
        ("2S 7H 3D 7C", 5),
        ("2S 3H 7D 7C", 5),
        # Of three equal cards the third counts; four equal cards or two pairs count nothing.
        ("9S 9H 9D 2C", 11),
        ("9S 9H 9D KC", 9),
        ("KS KH KD 9C", 9),
        ("9S 9H 9D 9C", 0),
        ("9S 4H 9D 4C", 0),
        # Ten, jack and queen have the same value but make no pair.
        ("JS QH KD KC", 20),
        ("10S JH QD KC", 30),
        ("10S 10H QD QC", 0),
    ],
)
def test_the_points_of_a_square(square: str, value: int) -> None:
    assert points([CARD[text] for text in square.split()]) == value
    assert counted(square.split()) == value


def test_points_equal_a_count_that_removes_pairs_one_by_one() -> None:
    """All squares of four ranks, with any suits."""
    for ranks in product(range(13), repeat=4):
        square = [13 * suit + rank for suit, rank in enumerate(ranks)]
        assert points(square) == counted([TEXT[card] for card in square])


def test_points_are_added_to_the_totals_and_announced_with_the_squares() -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 6S 6D", "QS KD / 8S 9D", totals=(1, 20, 3))
    narration = seen.act("Alice: turn BR")
    assert narration[1] == (
        "Scores of deal 1:\nAlice: ♠A ♠2 ♠3 ♠4 = 10, total 11.\nBen: ♠5 ♦5 ♠6 ♦6 = 0, total 20.\n"
        "Cleo: ♠Q ♦K ♠8 ♦9 = 27, total 30."
    )
    assert seen.state.totals == [11, 20, 30]
    assert "Last deal: Alice 10, Ben 0, Cleo 27." in seen.describe("Alice")


# The match


def test_the_deal_moves_to_the_left() -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 6S 6D", "7S 7D / 8S 8D")
    seen.act("Alice: turn BR")
    assert (seen.state.deal, seen.state.dealer, seen.awaited()) == (2, 0, ["Ben"])


def test_the_deal_skips_those_who_are_out() -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 6S 6D", "7S 7D / 8S 8D", totals=(45, 0, 0))
    narration = seen.act("Alice: turn BR")
    assert narration[1].endswith("\nOut: Alice with 55")
    assert (seen.state.deal, seen.state.dealer, seen.awaited()) == (2, 1, ["Cleo"])
    assert seen.state.squares[0] == []
    assert not any(isinstance(event, Peeked) and event.to == 0 for event in seen.events)


@pytest.mark.parametrize(("total", "out"), [(39, False), (40, True), (41, True)])
def test_a_player_whose_total_reaches_the_limit_is_out(total: int, out: bool) -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 6S 6D", "7S 7D / 8S 8D", totals=(total, 0, 0))
    seen.act("Alice: turn BR")
    assert [event.out for event in seen.events if isinstance(event, DealScored)] == [(0,) * out]
    assert seen.state.out == [int(out), 0, 0]


def test_the_limit_is_an_option() -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 6S 6D", "7S 7D / 8S 8D", limit=10)
    seen.act("Alice: turn BR")
    assert seen.state.out == [1, 0, 0]


def outcome(seen: Position) -> tuple[tuple[int, ...], str]:
    seen.act("Alice: turn BR")
    ended = seen.events[-1]
    assert isinstance(ended, Ended)
    assert seen.awaited() == []
    assert seen.refusal("Alice: draw").startswith("The match is over")
    return ended.outcome.placings, ended.outcome.reason


def test_the_last_player_in_wins_and_those_out_in_the_same_deal_are_placed_by_total() -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 6S 6D", "7S 7D / 8S 9D", totals=(45, 49, 49))
    assert outcome(seen) == ((2, 1, 3), "Everybody else has 50 points or more.")


def test_when_all_go_out_together_the_lowest_total_wins() -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 6S 7D", "7S 9S / 8S 9D", totals=(45, 49, 49))
    placings, reason = outcome(seen)
    assert placings == (1, 2, 3)
    assert reason == "All remaining players reached 50 in deal 1, so the lowest total wins."


def test_equal_lowest_totals_share_first_place() -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 6S 7D", "7S 9S / 8S 9D", totals=(45, 42, 49))
    assert outcome(seen)[0] == (1, 1, 3)
    assert GAME.words.narrate(seen.events[-1], seen.names).startswith(
        "**Alice and Ben share first place with 55 points.**"
    )


def test_a_player_who_went_out_later_is_placed_better_whatever_the_points() -> None:
    seen = position("""
        deal 4, Eve dealt, Alice plays, pile 2C
        Alice | AS 2S / 3S (4S) | 45
        Ben   | 5S 5D / 6S 6D | 30
        Cleo  | out in deal 2 | 51
        Dan   | out in deal 3 | 60
        Eve   | out in deal 3 | 58
        Finn  | 10S 10D / JS QD | 49
    """)
    assert outcome(seen)[0] == (2, 1, 6, 5, 4, 3)


def test_the_latest_end_is_after_100_deals() -> None:
    squares = ("AS 2S / 3S 4S", "5S 5D / 6S 6D", "7S 7D / 8S 8D")
    early = last_turn(*squares, totals=(0, 20, 10), deal=99)
    early.act("Alice: turn BR")
    assert early.state.deal == 100
    placings, reason = outcome(last_turn(*squares, totals=(0, 20, 10), deal=100))
    assert placings == (1, 3, 1)
    assert reason == "The match ends after 100 deals, so the lowest total wins."


def test_at_the_latest_end_those_who_are_out_are_placed_last() -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 6S 6D", "7S 7D / 8S 8D", totals=(40, 40, 45), deal=100)
    assert outcome(seen)[0] == (3, 1, 2)


def test_all_players_often_go_out_in_the_same_deal() -> None:
    together = 0
    for seed in range(60):
        seen, rng = opened(3, seed), Random(seed)
        while seen.awaited():
            play_deal(seen, rng)
        together += min(seen.state.out) > 0
    assert 12 <= together <= 40


# Fallback and memory


def test_the_fallback_turns_over_the_first_face_down_card_and_places_a_drawn_card_there() -> None:
    seen = position(FRESH.replace("(2S)", "2S"))
    assert GAME.text(GAME.fallback(seen.state, SECOND)) == "turn TR"
    seen.act("Ben: draw")
    assert GAME.text(GAME.fallback(seen.state, SECOND)) == "place TR"


def test_everybody_remembers_the_whole_pile() -> None:
    seen = position(FRESH)
    seen.act("Ben: take TL; Cleo: draw; Cleo: place BL; Alice: turn TL")
    for seat in (*SEATS[:3], None):
        assert [TEXT[card] for card in GAME.view(seen.state, seat).pile] == ["8C", "2S", "QC"]


def test_a_scored_deal_lists_everybody_who_played_it() -> None:
    seen = position("""
        deal 3, Ben dealt, Cleo plays, pile 2C
        Alice | 7S QH / 10D KC | 4
        Ben   | out in deal 2 | 52
        Cleo  | AH 2H / QC (4C) | 5
    """)
    seen.act("Cleo: turn BR")
    scored = next(event for event in seen.events if isinstance(event, DealScored))
    assert [(score.seat, score.points, score.total) for score in scored.scores] == [(0, 27, 31), (2, 17, 22)]
