"""The rules of Hand and Foot as positions. The notation: see `position`."""

import pytest

from games.hand_and_foot import GAME
from games.hand_and_foot.cards import CARD, RED_THREES
from games.hand_and_foot.events import DealBegan, Dealt, LaidReds
from games.hand_and_foot.options import HandAndFootOptions
from games.types import with_seats
from tests.games.hand_and_foot.position import Position, opened, position
from tests.seats import FIRST, SECOND

ALONE = """
    Alice dealt, Alice plays, discards KS 5C
    Alice | KC KD 4C 9H | melds Q Q Q
    Ben   | 8C 8D
    Cleo  | 8H 8S
"""


def melds(seen: Position, name: str) -> list[str]:
    return [action for action in seen.legal(name) if action.startswith("meld")]


# Deal


@pytest.mark.parametrize(("seats", "stock"), [(2, 118), (3, 150), (4, 182), (5, 214), (6, 246)])
def test_everybody_gets_a_hand_and_a_foot_of_eleven(seats: int, stock: int) -> None:
    seen = opened(seats)
    assert [len(hand) for hand in seen.state.hands] == [11] * seats
    assert [len(foot) for foot in seen.state.feet] == [11] * seats
    assert len(seen.state.stock) == stock - sum(map(len, seen.state.reds))
    assert seen.state.discards == []


def test_four_and_six_play_in_pairs_that_sit_opposite_and_others_alone() -> None:
    sides = [GAME.sides(HandAndFootOptions(), seats) for seats in range(2, 7)]
    assert sides == [(0, 1), (0, 1, 2), (0, 1, 0, 1), (0, 1, 2, 3, 4), (0, 1, 2, 0, 1, 2)]


def test_the_first_dealer_is_drawn_and_the_player_to_the_left_begins() -> None:
    dealers = set()
    for seed in range(30):
        began = next(event for event in opened(3, seed).events if isinstance(event, DealBegan))
        assert began.start == (began.dealer + 1) % 3
        dealers.add(began.dealer)
    assert dealers == {0, 1, 2}


@pytest.mark.parametrize("seed", range(20))
def test_red_threes_are_laid_out_at_once_and_replaced(seed: int) -> None:
    seen = opened(4, seed)
    dealt = {event.to: event.cards for event in seen.events if isinstance(event, Dealt)}
    for seat, hand in with_seats(seen.state.hands):
        had = [card for card in dealt[seat] if card in RED_THREES]
        assert len(hand) == 11
        assert not {*hand} & {*RED_THREES}
        assert seen.state.reds[seat][: len(had)] == had
        assert bool(had) <= any(isinstance(event, LaidReds) and event.seat == seat for event in seen.events)


def test_a_red_three_drawn_is_replaced_and_so_is_the_next_one() -> None:
    seen = position("Ben plays, stock 3D 4H 3H 5C\nAlice | 9C\nBen | KC 8D")
    assert seen.act("Ben: draw") == ["Ben draws.", "Ben lays out ♦3.", "Ben lays out ♥3."]
    assert seen.hand("Ben") == "4H 5C 8D KC"
    assert seen.private_narration("Ben") == [
        "From the stock: ♦3 ♥4.",
        "From the stock: ♥3.",
        "From the stock: ♣5.",
    ]


# Turns


def test_a_turn_begins_with_two_cards_of_the_stock() -> None:
    seen = position("Ben plays, stock 5H 6H\nAlice | 9C\nBen | KC 8D")
    assert seen.legal("Ben") == ["draw"]
    assert "Draw two cards or take the pile first" in seen.refusal("Ben: discard KC")
    seen.act("Ben: draw")
    assert seen.hand("Ben") == "5H 6H 8D KC"
    assert seen.legal("Ben") == ["discard 5H", "discard 6H", "discard 8D", "discard KC"]
    seen.act("Ben: discard 8D")
    assert seen.awaited() == ["Alice"]
    assert seen.discards() == "8D"


def test_only_the_player_whose_turn_it_is_acts() -> None:
    seen = position(ALONE)
    assert seen.legal("Ben") == []
    assert "seat 1 plays now" in seen.refusal("Ben: draw")


def test_the_pile_is_taken_with_two_natural_cards_that_match_its_top() -> None:
    seen = position(ALONE)
    assert seen.legal("Alice") == ["draw", "take"]
    assert seen.act("Alice: take") == ["Alice takes 2 discards: ♠K, ♣5.", "Alice lays K K K."]
    assert seen.hand("Alice") == "4C 5C 9H"
    assert seen.melds("Alice") == ["Q Q Q", "K K K"]
    assert seen.discards() == ""


def test_only_the_top_seven_are_taken() -> None:
    seen = position(ALONE.replace("KS 5C", "KS 4D 5C 6C 7C 8C 9C 10C JC"))
    seen.act("Alice: take")
    assert seen.hand("Alice") == "4C 4D 5C 6C 7C 8C 9C 9H"
    assert seen.discards() == "10C JC"


@pytest.mark.parametrize(("top", "says"), [("2S", "under a wild card"), ("3S", "or a black three")])
def test_nobody_takes_the_pile_under_a_wild_card_or_a_black_three(top: str, says: str) -> None:
    seen = position(ALONE.replace("KS", top))
    assert seen.legal("Alice") == ["draw"]
    assert says in seen.refusal("Alice: take")


def test_wild_cards_do_not_help_to_take_the_pile() -> None:
    seen = position(ALONE.replace("KD", "2D"))
    assert seen.legal("Alice") == ["draw"]
    assert "two natural Ks" in seen.refusal("Alice: take")


def test_the_pile_is_not_taken_when_the_open_meld_has_no_room_for_three() -> None:
    seen = position(ALONE.replace("Q Q Q", "K K K K"))
    seen.act("Alice: take")
    assert seen.melds("Alice") == []
    assert len(seen.state.piles[0]) == 1
    seen = position(ALONE.replace("Q Q Q", "K K K K K"))
    assert seen.legal("Alice") == ["draw"]
    assert "room for only 2" in seen.refusal("Alice: take")


def test_there_is_nothing_to_take_at_first() -> None:
    seen = position(ALONE.replace(", discards KS 5C", ""))
    assert "The discard pile is empty" in seen.refusal("Alice: take")


# Melds


def test_a_meld_has_three_to_seven_cards_and_fewer_wild_than_natural_ones() -> None:
    seen = position("Alice plays, drawn\nAlice | 8C 8D 2C 2D JOKER KC 5C | melds Q Q Q\nBen | 9C")
    assert [action for action in melds(seen, "Alice") if " 8 " in action] == [
        "meld 8 x2 +JOKER",
        "meld 8 x2 +2",
    ]
    fewer = "A meld needs fewer wild cards than natural ones:"
    assert f"{fewer} lay fewer wild cards." in seen.refusal("Alice: meld 8 x2 +2 +2")
    assert f"{fewer} add an 8, or lay fewer wild cards." in seen.refusal("Alice: meld 8 x1 +2 +2")
    assert "at least 3 cards" in seen.refusal("Alice: meld 8 x2")
    assert "You do not hold three 8s" in seen.refusal("Alice: meld 8 x3")


@pytest.mark.parametrize(
    ("meld", "missing"),
    [
        ("K x1 +2", "a king and a 2"),
        ("K x1 +2 +2 +JOKER", "a king, two 2s and a joker"),
        ("8 x3", "three 8s"),
        ("A x1 +JOKER", "an ace and a joker"),
    ],
)
def test_a_refusal_names_the_cards_that_are_missing(meld: str, missing: str) -> None:
    seen = position("Alice plays, drawn\nAlice | QC 4C 9H | melds Q Q Q\nBen | 8C")
    assert f"You do not hold {missing}. Lay fewer" in seen.refusal(f"Alice: meld {meld}")


def test_threes_and_wild_cards_are_not_melded() -> None:
    seen = position("Alice plays, drawn\nAlice | 3C 3S 3C 2C 2D 2H 2S KC | melds Q Q Q\nBen | 9C")
    assert {action.split()[1] for action in melds(seen, "Alice")} == {"Q"}


def test_a_side_adds_to_its_open_meld() -> None:
    seen = position("Alice plays, drawn\nAlice | QC 2C 4C 5C | melds Q Q Q\nBen | 9C\nCleo | 9D\nDan | 9H")
    assert melds(seen, "Alice") == ["meld Q +2", "meld Q x1", "meld Q x1 +2"]
    assert seen.act("Alice: meld Q +2") == ["Alice lays 2 on the Qs."]
    assert seen.melds("Cleo") == ["Q Q Q 2"]


def test_seven_cards_are_a_pile_and_more_of_the_rank_start_anew() -> None:
    seen = position("Alice plays, drawn\nAlice | QC QC QD QD QH QH QS 4C | melds Q Q Q\nBen | 9C")
    assert "room for 4" in seen.refusal("Alice: meld Q x5")
    assert seen.act("Alice: meld Q x4") == ["Alice lays Q Q Q Q.", "Alice finishes a **clean pile** of Qs."]
    assert melds(seen, "Alice") == ["meld Q x3"]


def test_a_pile_with_a_wild_card_is_dirty() -> None:
    seen = position("Alice plays, drawn\nAlice | QC 4C 5C | melds Q Q Q Q Q 2\nBen | 9C")
    assert seen.act("Alice: meld Q x1")[-1] == "Alice finishes a **dirty pile** of Qs."


# The first meld


@pytest.mark.parametrize(("deal", "minimum"), [(1, 50), (2, 90), (3, 120), (4, 150)])
def test_a_first_meld_needs_more_points_in_each_deal(deal: int, minimum: int) -> None:
    seen = position(f"deal {deal}, Alice plays, drawn\nAlice | AC AD AH KC KD KH QC QD JOKER 4C\nBen | 9C")
    seen.act("Alice: meld K x3")
    assert seen.private_narration("Alice") == [f"Laid aside: K K K. 30 of {minimum} points."]
    assert seen.melds("Alice") == []
    assert f"laid 30 of {minimum} points" in seen.refusal("Alice: discard 4C")


def test_groups_are_laid_aside_unseen_and_become_public_together() -> None:
    seen = position("deal 2, Alice plays, drawn\nAlice | AC AD AH KC KD KH 4C\nBen | 9C")
    assert seen.act("Alice: meld K x3") == []
    assert "Alice: 7 cards" in seen.describe("Ben")
    assert seen.act("Alice: meld A x3") == ["Alice lays K K K, A A A as first meld, 90 points."]
    assert seen.legal("Alice") == ["discard 4C"]


def test_only_the_player_of_a_first_meld_is_told_to_finish_it() -> None:
    seen = position("Alice plays, drawn\nAlice | KC KD KH AC AD AH 4C\nBen | 9C")
    assert "**Your turn** · meld if you like, then discard a card" in seen.describe("Alice")
    seen.act("Alice: meld K x3")
    assert "**Your turn** · finish the first meld" in seen.describe("Alice")
    assert "**Alice's turn** · meld if you like, then discard a card" in seen.describe("Ben")


def test_a_group_is_laid_aside_only_if_the_minimum_can_be_reached() -> None:
    seen = position("deal 2, Alice plays, drawn\nAlice | AC AD AH KC KD 2H 4C 5C 6C\nBen | 9C")
    assert melds(seen, "Alice") == ["meld K x2 +2", "meld A x3"]
    assert "you could not reach them" in seen.refusal("Alice: meld A x3 +2")
    assert "you could not reach them" in seen.refusal("Alice: meld A x2 +2")


def test_nothing_is_laid_aside_by_a_hand_with_too_few_points() -> None:
    seen = position("deal 4, Alice plays, drawn\nAlice | AC AD AH KC KD 2H 4C 4D 5C\nBen | 9C")
    assert melds(seen, "Alice") == []


def test_the_partners_first_meld_counts_for_both() -> None:
    seen = position(
        "deal 4, Alice plays, drawn\nAlice | 4C 4D 4H 5C\nBen | 9C\nCleo | 9D | melds A A A\nDan | 9H"
    )
    assert seen.act("Alice: meld 4 x3") == ["Alice lays 4 4 4."]


def test_a_first_meld_takes_the_pile_if_its_top_card_makes_it_complete() -> None:
    seen = position("Alice plays, discards AS KC KD\nAlice | AC AD 9C 9D\nBen | 9H")
    assert seen.act("Alice: take")[-1] == "Alice lays A A A as first meld, 60 points."


def test_other_groups_are_laid_aside_before_the_pile_is_taken_and_only_its_top_counts() -> None:
    seen = position(
        "deal 2, Alice plays, discards KS AC AD\nAlice | KC KD QC QD QH AH 9C 9D JOKER 4C\nBen | 9H"
    )
    assert "With this pile you would meld 30 of 90 points. Lay other groups" in seen.refusal("Alice: take")
    assert seen.act("Alice: meld Q x3") == []
    assert seen.legal("Alice") == ["meld 9 x2 +JOKER", "meld Q +JOKER", "meld K +JOKER"]
    assert "laid 60 of 90 points for the first meld. Lay more groups, then take the pile" in seen.refusal(
        "Alice: draw"
    )
    seen.act("Alice: meld 9 x2 +JOKER")
    assert seen.legal("Alice") == ["take"]
    assert seen.act("Alice: take") == [
        "Alice takes 3 discards: ♠K, ♣A ♦A.",
        "Alice lays 9 9 Joker, Q Q Q, K K K as first meld, 130 points.",
    ]
    assert seen.hand("Alice") == "4C AC AD AH"


def test_the_two_cards_for_the_pile_are_not_laid_aside() -> None:
    seen = position("deal 2, Alice plays, discards KS AC\nAlice | KC KD KH QC QD QH AC AD AH\nBen | 9H")
    assert "meld K x1" in seen.legal("Alice")
    assert "beside the two for the pile" in seen.refusal("Alice: meld K x2")


def test_a_pile_is_not_taken_by_a_hand_with_too_few_points() -> None:
    seen = position("deal 4, Alice plays, discards KS AC AD\nAlice | KC KD AH 4C\nBen | 9H")
    assert seen.legal("Alice") == ["draw"]
    assert "Your hand has too few" in seen.refusal("Alice: take")


def test_a_discard_taken_from_below_stays_known_when_equal_cards_are_laid() -> None:
    seen = position("Alice plays, discards KS KS 9C\nAlice | KC KD 4C 5C 6C | melds Q Q Q\nBen | 9H")
    seen.act("Alice: take")
    assert seen.hand("Alice") == "4C 5C 6C 9C KS"
    assert "(known: 9 K)" in seen.describe("Ben")
    seen.act("Alice: discard KS")
    assert "(known: 9)" in seen.describe("Ben")


# The foot


def test_who_melds_the_last_card_of_the_hand_takes_up_the_foot_and_goes_on() -> None:
    seen = position("Alice plays, drawn\nAlice | QC QD | foot 4C KD 3D | melds Q Q Q\nBen | 9C")
    assert seen.act("Alice: meld Q x2")[1:] == ["Alice takes up the **foot**.", "Alice lays out ♦3."]
    assert seen.hand("Alice") == "4C 9S KD"
    assert seen.awaited() == ["Alice"]
    assert seen.private_narration("Alice") == ["Your foot: ♦3 ♣4 ♦K.", "From the stock: ♠9."]


def test_who_discards_the_last_card_of_the_hand_takes_up_the_foot_for_the_next_turn() -> None:
    seen = position("Alice plays, drawn\nAlice | QC | foot 4C KD | melds Q Q Q\nBen | 9C")
    assert seen.act("Alice: discard QC") == ["Alice drops ♣Q.", "Alice takes up the **foot**."]
    assert seen.awaited() == ["Ben"]
    assert seen.hand("Alice") == "4C KD"


def test_nobody_sees_a_foot_before_it_is_taken_up() -> None:
    seen = position("Alice plays, drawn\nAlice | QC 4C | foot KD\nBen | 9C | foot AH")
    for name in ("Alice", "Ben", None):
        assert "♦K" not in seen.describe(name)
        assert "♥A" not in seen.describe(name)


# Going out

LAST = """
    Alice plays, drawn
    Alice | QC 9C | no foot | melds Q Q Q | piles K clean, 8 dirty
    Ben   | KC
    Cleo  | KD
"""


def test_a_player_alone_goes_out_with_both_piles_with_or_without_a_last_discard() -> None:
    seen = position(LAST)
    assert seen.legal("Alice") == ["discard 9C", "discard QC", "meld Q x1"]
    assert seen.act("Alice: meld Q x1; Alice: discard 9C")[2] == (
        "**Alice goes out.** Deal 1:\n"
        "Alice **1,120** (1 clean pile 500, 1 dirty pile 300, cards 220, out 100), total 1,120\n"
        "Ben **−65** (left over −65), total −65\n"
        "Cleo **−65** (left over −65), total −65"
    )
    assert position(LAST.replace("9C", "QD")).act("Alice: meld Q x2")[1].startswith("**Alice goes out.**")


def test_without_both_piles_a_card_must_be_kept_after_the_discard() -> None:
    seen = position(LAST.replace(", 8 dirty", ""))
    assert seen.legal("Alice") == ["discard 9C", "discard QC"]
    assert "You must keep a card after the discard" in seen.refusal("Alice: meld Q x1")
    assert "you need a clean and a dirty pile" in seen.refusal("Alice: meld Q x1")


def test_the_last_meld_may_complete_the_piles() -> None:
    seen = position(LAST.replace("Q Q Q", "Q Q Q Q Q 2").replace(", 8 dirty", ""))
    assert "meld Q x1" in seen.legal("Alice")
    seen.act("Alice: meld Q x1; Alice: discard 9C")
    assert seen.end().out == 0


BOTH = """
    Alice plays, discards KS
    Alice | KC KD QC 2C | no foot | melds Q Q Q Q Q Q, 8 8 8 8 8 2
    Ben   | 9C
    Cleo  | 9D
"""


@pytest.mark.parametrize("melds", ["meld Q x1; Alice: meld 8 +2", "meld 8 +2; Alice: meld Q x1"])
def test_the_last_two_cards_may_complete_both_piles_in_any_order(melds: str) -> None:
    seen = position(BOTH)
    seen.act(f"Alice: take; Alice: {melds}")
    assert seen.end().out == 0


def test_a_last_card_that_must_complete_a_pile_is_not_discarded() -> None:
    seen = position(BOTH)
    seen.act("Alice: take; Alice: meld Q x1")
    assert seen.legal("Alice") == ["meld 8 +2"]
    assert "your last card must complete a pile" in seen.refusal("Alice: discard 2C")
    assert GAME.text(GAME.fallback(seen.state, FIRST)) == "meld 8 +2"


def test_the_last_card_may_complete_the_pile_of_the_cards_taken() -> None:
    seen = position(BOTH.replace("QC 2C", "KH").replace("Q Q Q Q Q Q, 8 8 8 8 8 2", "K K K | piles 8 dirty"))
    seen.act("Alice: take; Alice: meld K x1")
    assert seen.end().out == 0


@pytest.mark.parametrize(
    "other",
    [
        BOTH.replace("8 8 8 8 8 2", "8 8 8 8 2"),
        BOTH.replace("Q Q Q Q Q Q,", "Q Q Q Q Q,"),
        BOTH.replace("QC 2C", "QC 5C"),
    ],
)
def test_the_last_two_cards_are_kept_if_they_cannot_complete_both_piles(other: str) -> None:
    seen = position(other)
    seen.act("Alice: take")
    assert melds(seen, "Alice") == []


def test_a_partner_is_asked_before_the_last_two_cards_complete_both_piles() -> None:
    seen = position(f"{BOTH}    Dan | 9H")
    seen.act("Alice: take")
    assert seen.legal("Alice") == ["ask", "discard QC", "discard 2C"]
    seen.act("Alice: ask; Cleo: agree; Alice: meld Q x1; Alice: meld 8 +2")
    assert seen.end().out == 0


PAIRS = """
    Alice plays, drawn
    Alice | QC 9C | no foot | melds Q Q Q | piles K clean, 8 dirty
    Ben   | KC
    Cleo  | KD
    Dan   | KH
"""


def test_in_pairs_the_partner_must_agree_first() -> None:
    seen = position(PAIRS)
    assert seen.legal("Alice") == ["ask", "discard 9C", "discard QC"]
    assert seen.act("Alice: ask") == ["Alice asks Cleo: may I go out?"]
    assert seen.awaited() == ["Cleo"]
    assert seen.legal("Cleo") == ["agree", "refuse"]
    assert seen.legal("Alice") == []
    assert "Wait for the answer" in seen.refusal("Alice: discard 9C")
    assert "agree or refuse" in seen.refusal("Cleo: draw")
    assert seen.act("Cleo: agree") == []
    assert seen.private_narration("Alice") == ["Cleo agrees: you may go out."]
    seen.act("Alice: meld Q x1; Alice: discard 9C")
    assert seen.end().out == 0


def test_who_is_refused_plays_on_keeps_a_card_and_asks_again_in_another_turn() -> None:
    seen = position(PAIRS)
    assert seen.act("Alice: ask; Cleo: refuse") == ["Alice asks Cleo: may I go out?"]
    assert seen.legal("Alice") == ["discard 9C", "discard QC"]
    assert "ask again in your next turn" in seen.refusal("Alice: ask")
    assert "your partner must agree" in seen.refusal("Alice: meld Q x1")
    seen.act("Alice: discard 9C; Ben: draw; Ben: discard KC; Cleo: draw; Cleo: discard KD; Dan: draw")
    seen.act("Dan: discard KH; Alice: draw")
    assert "ask" in seen.legal("Alice")


def test_only_the_two_know_the_answer_until_the_cards_tell() -> None:
    seen = position(PAIRS.replace("QC 9C", "QC 9C QD"))
    seen.act("Alice: ask; Cleo: agree")
    views = {name: GAME.view(seen.state, seen.seat(name)) for name in ("Alice", "Ben", "Cleo")}
    assert [view.consent for view in views.values()] == [1, None, 1]
    seen.act("Alice: meld Q x2")
    assert GAME.view(seen.state, SECOND).consent == 1


def test_nobody_asks_before_the_foot_or_without_piles_or_alone() -> None:
    assert "once you have taken up your foot" in position(PAIRS.replace("no foot", "foot 4C")).refusal(
        "Alice: ask"
    )
    assert "needs a clean and a dirty pile" in position(PAIRS.replace(", 8 dirty", "")).refusal("Alice: ask")
    alone = position(LAST).refusal("Alice: ask")
    assert "You play alone" in alone
    assert "once you have a clean and a dirty pile" in alone


def test_others_are_told_whose_answer_everybody_waits_for() -> None:
    seen = position(PAIRS)
    seen.act("Alice: ask")
    for action in ("agree", "draw"):
        assert "Seat 1 has asked seat 3 whether to go out." in seen.refusal(f"Ben: {action}")


def test_a_yes_does_not_oblige() -> None:
    seen = position(PAIRS)
    seen.act("Alice: ask; Cleo: agree; Alice: discard 9C")
    assert seen.awaited() == ["Ben"]
    assert seen.hand("Alice") == "QC"


def test_taking_the_pile_must_leave_enough_cards_too() -> None:
    seen = position(LAST.replace("drawn", "discards QS").replace("QC 9C", "QC QD").replace(", 8 dirty", ""))
    assert seen.legal("Alice") == ["draw"]
    assert "no card to keep" in seen.refusal("Alice: take")
    seen = position(LAST.replace("drawn", "discards QS").replace("QC 9C", "QC QD"))
    seen.act("Alice: take")
    assert seen.end().out == 0


# The end of a deal, and of the match


def test_a_draw_that_the_stock_cannot_give_ends_the_deal_without_a_bonus() -> None:
    seen = position("Alice plays, stock only 4C\nAlice | 9C | no foot | melds Q Q Q\nBen | KC | no foot")
    assert seen.act("Alice: draw")[0].startswith("**The stock has too few cards.** Deal 1:")
    assert seen.points() == [20, -10]
    assert seen.end().out is None


def test_so_does_a_red_three_that_cannot_be_replaced_and_it_counts() -> None:
    seen = position("Alice plays, stock only 3D 4C\nAlice | 9C | no foot\nBen | KC | no foot")
    seen.act("Alice: draw")
    assert seen.points() == [100 - 10 - 5, -10]


def test_cards_left_count_against_a_side_and_a_red_three_in_a_foot_100() -> None:
    seen = position("Alice plays, stock only 4C\nAlice | 9C 3C JOKER 2C | foot 3D AC\nBen | KC | no foot")
    seen.act("Alice: draw")
    assert seen.points() == [-(10 + 5 + 50 + 20) - (100 + 20), -10]


POINTS = {"JOKER": 50, "2C": 20, "AC": 20, "3C": 5} | dict.fromkeys(("4C", "5C", "6C", "7C"), 5)
POINTS |= dict.fromkeys(("8C", "9C", "10C", "JC", "QC", "KC"), 10)


@pytest.mark.parametrize(("card", "points"), POINTS.items())
def test_points_of_cards(card: str, points: int) -> None:
    seen = position(f"Alice plays, stock only 4C\nAlice | {card} | no foot\nBen | KC | no foot")
    seen.act("Alice: draw")
    assert seen.points()[0] == -points


def test_the_deal_moves_left_and_the_next_one_needs_more_points() -> None:
    seen = position("Alice dealt, Ben plays, stock only 4C\nAlice | 9C\nBen | KC\nCleo | 9C")
    seen.act("Ben: draw")
    assert (seen.state.deal, seen.state.dealer, seen.state.turn, seen.state.minimum) == (2, 1, 2, 90)


def test_after_four_deals_the_highest_total_wins_and_equal_totals_share_the_win() -> None:
    seen = position("deal 4, Alice plays, stock only 4C\nAlice | 9C\nBen | KC\nCleo | 9C KD")
    seen.act("Alice: draw")
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert outcome.placings == (1, 1, 3)
    assert seen.awaited() == []


def test_a_red_three_is_never_discarded() -> None:
    seen = position("Alice plays, drawn\nAlice | 9C KC\nBen | KC")
    assert CARD["3D"] in RED_THREES
    assert "You do not hold ♦3" in seen.refusal("Alice: discard 3D")


def test_a_match_of_one_deal_ends_after_it() -> None:
    seen = opened(2, 1, deals=1)
    seen.state.stock = []
    name = seen.awaited()[0]
    assert "The match ends after 1 deal," in seen.act(f"{name}: draw")[-1]
