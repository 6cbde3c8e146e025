"""The rules of Twin It! with piles and turns (classic mode), sentence by sentence."""

from collections import Counter

import pytest

from games.twin_it import GAME
from games.twin_it.actions import claim
from games.twin_it.deck import CARDS, DESIGNS, SIDES, copies, deal
from games.twin_it.events import Dealt, Erred, SetWon, Tied
from games.twin_it.options import TwinItOptions
from games.types import Seat
from tests.games.twin_it.position import opened, position
from tests.seats import FIRST, FOURTH, SECOND

# Cards


@pytest.mark.parametrize("singles", [1, 10, 18])
def test_the_270_faces_have_every_design_one_two_or_three_times(singles: int) -> None:
    faces = Counter(copies(singles))
    assert faces == {1: singles, 2: 87 - 2 * singles, 3: singles + 32}
    assert len(copies(singles)) == DESIGNS
    assert sum(copies(singles)) == SIDES == 2 * CARDS


@pytest.mark.parametrize("seed", range(5))
def test_no_card_has_the_same_design_on_both_sides(seed: int) -> None:
    sides = deal(10, seed, 1)
    assert all(sides[side] != sides[side + 1] for side in range(0, SIDES, 2))
    assert Counter(sides) == Counter(dict(enumerate(copies(10))))


def test_the_sides_of_cards_are_paired_differently_in_each_match() -> None:
    assert len({deal(10, 1, 1), deal(10, 2, 1), deal(10, 1, 2)}) == 3
    assert deal(10, 1, 1) == deal(10, 1, 1)


# Deal and turns


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_deck_is_dealt_out_as_evenly_as_possible_beginning_with_the_first_player(seats: int) -> None:
    seen = opened(seats)
    dealt = seen.events[0]
    assert isinstance(dealt, Dealt)
    clockwise = [dealt.piles[(dealt.start + step) % seats] for step in range(seats)]
    assert sum(clockwise) == 135
    assert clockwise == sorted(clockwise, reverse=True)
    assert clockwise[0] - clockwise[-1] <= 1
    assert GAME.awaited(seen.state) == (dealt.start,)
    assert [face.place for face in dealt.faces] == ["pile"] * seats


def test_the_first_player_is_drawn() -> None:
    assert {GAME.awaited(opened(3, seed).state) for seed in range(20)} == {(0,), (1,), (2,)}


def test_a_flip_puts_the_other_side_on_the_table_and_shows_the_next_card_of_the_pile() -> None:
    seen = position("classic\ntable | A/b\nAlice | C/d E/f\nBen | G/h")
    assert seen.act("100 Alice flip") == "Flipped"
    assert seen.table() == "A/b d/C"
    assert seen.pile("Alice") == "E/f"
    assert seen.awaited() == ["Ben"]


def test_every_newly_shown_face_has_a_new_number() -> None:
    seen = position("classic\ntable | A/b\nAlice | C/d E/f\nBen | G/h")
    assert [seen.number(face) for face in ("A.table", "C.Alice", "G.Ben")] == [1, 2, 3]
    seen.act("100 Alice flip")
    assert [seen.number(face) for face in ("A.table", "d.table", "E.Alice", "G.Ben")] == [1, 4, 5, 3]


def test_only_the_player_whose_turn_it_is_may_flip() -> None:
    seen = position("classic\ntable |\nAlice | C/d E/f\nBen | G/h")
    assert seen.refusal("100 Ben flip").startswith("It is not your turn to flip: seat 1 flips now.")


def test_hands_may_be_laid_before_the_first_flip() -> None:
    seen = position("classic\ntable |\nAlice | A/d E/f\nBen | A/h\nCleo | B/i")
    assert seen.act("100 Cleo A.Alice; 200 Cleo A.Ben") == "HandLaid SetWon"


def test_a_flip_need_not_wait_for_an_unclaimed_match() -> None:
    seen = position("classic\ntable | A/b A/c\nAlice | C/d E/f\nBen | G/h")
    assert seen.legal("Alice")[0] == "flip"
    assert seen.act("100 Alice flip") == "Flipped"


def test_what_a_turned_card_hides_is_known_but_not_shown() -> None:
    seen = position("classic\ntable |\nAlice | C/d E/f\nBen | G/h")
    seen.act("100 Alice flip")
    faces = {face.number: face for face in GAME.view(seen.state, None).faces}
    turned, top = faces[seen.number("d.table")], faces[seen.number("E.Alice")]
    assert turned.hidden is not None
    assert top.hidden is None


def test_a_player_without_a_pile_is_skipped_and_the_turn_continues_from_the_next() -> None:
    seen = position("classic\ntable |\nAlice | C/d I/j\nBen |\nCleo | E/f K/l\nDan | G/h")
    assert seen.act("100 Alice flip; 200 Cleo flip; 300 Dan flip") == "Flipped Flipped Flipped"
    assert seen.awaited() == ["Alice"]
    assert seen.refusal("400 Ben flip").startswith("You have no cards left to flip")


# Hands

TWO = "classic, Ben flips\ntable | A/b A/c D/e F/g\nAlice | H/i J/k\nBen | L/m N/o\nCleo | P/q"


def test_a_single_hand_on_a_face_waits() -> None:
    seen = position(TWO)
    assert seen.act("100 Alice A.table") == "HandLaid"
    assert seen.hands("Alice") == [1]


def test_a_second_hand_on_the_match_wins_a_set() -> None:
    seen = position(TWO)
    assert seen.act("100 Alice A.table; 3000 Alice A.table.2") == "HandLaid SetWon"
    assert seen.won("Alice") == "AA"
    assert seen.table() == "D/e F/g"


def test_a_set_shows_its_top_card_under_a_new_number() -> None:
    seen = position(TWO)
    seen.act("100 Alice A.table; 200 Alice A.table.2")
    assert seen.number("A.Alice's") == seen.state.last == 8


@pytest.mark.parametrize("face", [1, 2])
def test_a_hand_on_a_face_that_has_gone_is_refused_without_penalty(face: int) -> None:
    seen = position(TWO)
    seen.act("100 Alice A.table; 200 Alice A.table.2; 201 Ben D.table")
    with pytest.raises(Exception, match=f"{face} has gone. This costs you nothing"):
        GAME.apply(seen.state, SECOND, GAME.parse(f"hand {face}"), 203)
    assert seen.state.rests == [0, 0, 0]


def test_a_number_never_shown_is_refused() -> None:
    with pytest.raises(Exception, match="There is no face 99 yet"):
        GAME.apply(position(TWO).state, SECOND, GAME.parse("hand 99"), 203)


def test_a_second_hand_on_the_same_face_is_refused() -> None:
    seen = position(TWO)
    seen.act("100 Alice A.table")
    assert seen.refusal("150 Alice A.table").startswith("Your hand is on 1 already")


def test_a_hand_is_lifted_when_its_time_is_over() -> None:
    seen = position(TWO, hand_seconds=3)
    seen.act("100 Alice A.table")
    assert GAME.due(seen.state) == 3100
    assert seen.act("3100 tick") == "HandsLifted"
    assert seen.hands("Alice") == []


def test_a_hand_whose_time_is_over_does_not_count_even_if_the_clock_is_late() -> None:
    seen = position(TWO, hand_seconds=3)
    assert seen.act("100 Alice A.table; 3100 Alice D.table") == "HandLaid HandsLifted HandLaid"


def test_a_player_may_lift_the_own_hand() -> None:
    seen = position(TWO)
    assert seen.act("100 Alice A.table; 200 Alice lift; 300 Alice D.table") == "HandLaid HandsLifted HandLaid"
    assert seen.refusal("400 Ben lift") == "You have no hand on a face, so there is none to lift."


def test_laying_both_hands_again_lifts_the_first_one() -> None:
    seen = position(TWO)
    seen.act("100 Alice D.table")
    for action in claim((1, 2), lying=True):
        GAME.apply(seen.state, FIRST, action, 200)
    assert seen.won("Alice") == "AA"


def test_a_hand_is_lifted_when_its_card_is_taken() -> None:
    seen = position(TWO)
    seen.act("100 Ben A.table; 1000 Alice A.table.2; 1100 Alice A.table")
    assert seen.won("Alice") == "AA"
    assert seen.hands("Ben") == []


def test_a_hand_is_lifted_when_its_card_is_turned() -> None:
    seen = position(TWO)
    seen.act("100 Cleo L.Ben; 200 Ben flip")
    assert seen.hands("Cleo") == []


def test_several_players_may_lay_hands_on_the_same_face() -> None:
    seen = position(TWO)
    assert seen.act("100 Alice A.table; 150 Ben A.table; 200 Cleo A.table") == "HandLaid HandLaid HandLaid"


# The first rule that fits: mistake, tie, set, wait


def test_two_hands_on_different_designs_are_a_mistake_even_if_one_matches_a_rivals() -> None:
    seen = position(TWO)
    assert seen.act("100 Alice D.table; 200 Ben A.table; 300 Alice A.table.2").endswith("Erred")
    assert seen.hands("Ben") == [1]


def test_a_rivals_recent_hand_on_the_other_face_makes_a_tie() -> None:
    seen = position(TWO)
    assert seen.act("100 Alice A.table; 500 Ben A.table.2") == "HandLaid Tied"
    assert seen.table() == "b/A c/A D/e F/g"
    assert seen.hands("Alice") == seen.hands("Ben") == []


def test_a_rivals_older_hand_makes_no_tie() -> None:
    seen = position(TWO)
    assert seen.act("100 Alice A.table; 501 Ben A.table.2") == "HandLaid HandLaid"


def test_with_a_tie_time_of_zero_only_the_same_millisecond_ties() -> None:
    assert position(TWO, tie_ms=0).act("100 Alice A.table; 100 Ben A.table.2") == "HandLaid Tied"
    assert position(TWO, tie_ms=0).act("100 Alice A.table; 101 Ben A.table.2") == "HandLaid HandLaid"


def test_a_rivals_earlier_recent_hand_on_the_second_face_makes_a_tie() -> None:
    """On one face the earlier hand counts: the rival's."""
    seen = position(TWO)
    assert seen.act("100 Alice A.table; 1000 Ben A.table.2; 1300 Alice A.table.2") == "HandLaid HandLaid Tied"


def test_a_rivals_earlier_recent_hand_on_the_first_face_makes_a_tie() -> None:
    seen = position(TWO)
    assert seen.act("100 Ben A.table; 200 Alice A.table; 300 Alice A.table.2") == "HandLaid HandLaid Tied"


def test_at_the_same_time_the_order_of_the_log_decides_which_hand_was_earlier() -> None:
    seen = position(TWO)
    assert seen.act("100 Ben A.table; 100 Alice A.table; 300 Alice A.table.2").endswith("Tied")
    seen = position(TWO)
    assert seen.act("100 Alice A.table; 100 Ben A.table; 300 Alice A.table.2").endswith("SetWon")


def test_a_hand_left_lying_neither_reserves_nor_blocks_a_face() -> None:
    seen = position(TWO)
    script = "100 Alice A.table; 600 Ben A.table.2; 1100 Ben A.table"
    assert seen.act(script) == "HandLaid HandLaid SetWon"
    assert seen.won("Ben") == "AA"


def test_an_earlier_time_counts_as_the_time_of_the_last_entry() -> None:
    seen = position(TWO)
    assert seen.act("5000 Alice A.table; 100 Ben A.table.2") == "HandLaid Tied"
    event = seen.events[-1]
    assert isinstance(event, Tied)
    assert [hand.at for hand in event.hands] == [5000, 5000]


def test_a_rivals_later_hand_on_the_first_face_changes_nothing_and_the_set_says_that_it_was_late() -> None:
    """On one face the earlier hand counts: the player's own."""
    seen = position(TWO)
    assert seen.act("100 Alice A.table; 1000 Ben A.table; 1300 Alice A.table.2") == "HandLaid HandLaid SetWon"
    assert seen.won("Alice") == "AA"
    event = seen.events[-1]
    assert isinstance(event, SetWon)
    assert [(hand.seat, hand.face, hand.at) for hand in event.hands] == [
        (0, 1, 100),
        (0, 2, 1300),
        (1, 1, 1000),
    ]


# Sets, robbing, chains


def test_a_set_from_a_pile_uncovers_the_next_face_which_counts_at_once() -> None:
    seen = position("classic\ntable | A/b C/c\nAlice | E/f\nBen | A/h C/i K/j\nCleo | P/q")
    seen.act("100 Alice A.table; 200 Alice A.Ben; 300 Cleo C.table; 400 Cleo C.Ben")
    assert seen.won("Alice") == "AA"
    assert seen.won("Cleo") == "CC"
    assert seen.pile("Ben") == "K/j"
    assert seen.awaited() == ["Cleo"], "after a chain the last winner flips"


def test_a_player_who_wins_the_last_card_of_a_rivals_pile_flips_and_the_rival_is_skipped() -> None:
    seen = position("classic\ntable | A/b\nAlice | E/f X/y\nBen | A/h\nCleo | P/q")
    seen.act("100 Alice A.table; 200 Alice A.Ben; 300 Alice flip")
    assert seen.awaited() == ["Cleo"]


ROB = "classic\ntable | A/b D/c\nAlice | E/f\nBen | G/h | won A/i A/j\nCleo | P/q | won K/l K/m K/n"


@pytest.mark.parametrize("script", ["A.table; 200 Alice A.Ben's", "A.Ben's; 200 Alice A.table"])
def test_hands_on_a_won_pair_and_its_third_copy_rob_the_pair(script: str) -> None:
    seen = position(ROB)
    assert seen.act(f"100 Alice {script}") == "HandLaid SetWon"
    assert (seen.won("Alice"), seen.won("Ben")) == ("AAA", "")
    assert seen.awaited() == ["Alice"]


def test_the_owner_of_a_pair_may_add_the_third_copy() -> None:
    seen = position(ROB)
    seen.act("100 Ben A.table; 200 Ben A.Ben's")
    assert seen.won("Ben") == "AAA"


def test_a_set_of_three_is_safe() -> None:
    """There is no fourth copy, so a hand on it matches nothing."""
    seen = position(ROB)
    assert seen.act("100 Alice K.Cleo's; 200 Alice A.table").endswith("Erred")
    assert seen.won("Cleo") == "KKK"


def test_a_tie_over_a_won_pair_turns_only_the_other_card() -> None:
    seen = position(ROB)
    assert seen.act("100 Ben A.Ben's; 200 Alice A.table") == "HandLaid Tied"
    assert seen.won("Ben") == "AA"
    assert seen.table() == "b/A D/c"
    assert seen.hands("Ben") == [], "the hand on the pair was part of the tie"


def test_a_tie_turns_a_pile_card_in_place_and_the_new_faces_may_match_at_once() -> None:
    seen = position("classic, Cleo flips\ntable | A/b Z/d\nAlice | A/Z E/f\nBen | G/h\nCleo | P/q")
    seen.act("100 Alice A.table; 200 Ben A.Alice")
    assert seen.pile("Alice") == "Z/A E/f"
    assert seen.awaited() == ["Cleo"], "whose turn it was flips next"
    assert seen.act("900 Ben Z.Alice; 1000 Ben Z.table") == "HandLaid SetWon"


THREE = "classic, Ben flips\ntable | A/b A/c A/d\nAlice | E/f\nBen | G/h\nCleo | P/q"


def test_a_set_takes_the_two_touched_cards_of_three_and_turns_the_third() -> None:
    seen = position(THREE)
    seen.act("100 Alice A.table; 200 Alice A.table.3")
    assert seen.won("Alice") == "AA"
    assert seen.table() == "c/A"


def test_a_tie_turns_all_three_matching_cards() -> None:
    seen = position(THREE)
    seen.act("100 Alice A.table; 200 Ben A.table.3")
    assert seen.table() == "b/A c/A d/A"


# Mistakes

ERR = "classic, Cleo flips\ntable | A/b A/c D/e\nAlice | H/i J/k | won L/m L/n, O/p O/q O/r\nBen | S/t\nCleo | U/v"


def test_after_a_mistake_the_last_set_goes_under_the_own_pile_with_the_same_side_up() -> None:
    seen = position(ERR)
    assert seen.act("100 Alice A.table; 200 Alice D.table") == "HandLaid Erred"
    assert seen.won("Alice") == "LL"
    assert seen.pile("Alice") == "H/i J/k O/p O/q O/r"


def test_the_set_enlarged_last_is_given_back_first() -> None:
    seen = position("classic\ntable | L/x D/e\nAlice | H/i | won L/m L/n, O/p O/q\nBen | S/t")
    seen.act("100 Alice L.table; 200 Alice L.Alice's; 300 Alice D.table; 400 Alice H.Alice")
    assert seen.won("Alice") == "OO"


@pytest.mark.parametrize(("text", "second"), [(TWO, "A.table.2"), (ERR, "D.table")], ids=["set", "mistake"])
def test_who_has_made_a_set_or_a_mistake_flips_next_and_the_turn_continues_from_there(
    text: str, second: str
) -> None:
    seen = position(text)
    seen.act(f"100 Alice A.table; 200 Alice {second}")
    assert seen.awaited() == ["Alice"]
    seen.act("300 Alice flip")
    assert seen.awaited() == ["Ben"]


def test_after_a_mistake_the_players_hands_must_rest() -> None:
    seen = position(ERR, hand_seconds=2)
    seen.act("100 Alice A.table; 200 Alice D.table")
    assert seen.legal("Alice") == ["flip"]
    assert seen.refusal("2199 Alice A.table").startswith("Your hands are off")
    assert seen.act("2200 Alice A.table") == "HandLaid"


def test_a_mistake_without_a_set_costs_no_cards() -> None:
    seen = position(ERR)
    seen.act("100 Ben A.table; 200 Ben D.table")
    event = seen.events[-1]
    assert isinstance(event, Erred)
    assert event.given is None
    assert seen.awaited() == ["Ben"]


def test_a_set_given_back_to_a_player_without_a_pile_becomes_the_pile() -> None:
    seen = position("classic, Ben flips\ntable | A/b C/c\nAlice | | won L/m L/n\nBen | S/t")
    seen.act("100 Alice A.table; 200 Alice C.table")
    assert seen.pile("Alice") == "L/m L/n"
    assert seen.number("L.Alice") == seen.state.last
    assert seen.awaited() == ["Alice"]


# End


def test_a_player_with_enough_sets_wins_at_once() -> None:
    seen = position("classic\ntable | A/b A/c\nAlice | H/i | won L/m L/n\nBen | S/t", sets_to_win=2)
    assert seen.act("100 Alice A.table; 200 Alice A.table.2") == "HandLaid SetWon Ended"
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert (outcome.placings, outcome.scores) == ((1, 2), (2, 0))
    assert GAME.due(seen.state) is None
    assert seen.refusal("300 Ben S.Ben").startswith("The match is over")


def test_a_robbed_set_counts_only_for_the_robber() -> None:
    seen = position(ROB.replace("E/f", "E/f | won R/s R/t"), sets_to_win=2)
    assert seen.act("100 Alice A.table; 200 Alice A.Ben's") == "HandLaid SetWon Ended"
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert outcome.scores == (2, 0, 1)


def test_without_piles_the_match_ends_as_soon_as_nothing_matches() -> None:
    seen = position("classic\ntable | A/b\nAlice | H/i\nBen | | won L/m L/n")
    assert seen.act("100 Alice flip") == "Flipped Ended"
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert (outcome.placings, outcome.scores) == ((2, 1), (0, 1))


@pytest.mark.parametrize("under", ["A", "L"])
def test_without_piles_the_match_continues_while_any_faces_match(under: str) -> None:
    seen = position(f"classic\ntable | A/b\nAlice | H/{under}\nBen | | won L/m L/n")
    assert seen.act("100 Alice flip") == "Flipped"
    assert seen.awaited() == []
    assert GAME.due(seen.state) == 30_100
    assert seen.legal("Ben") == ["hand 1", "hand 3", "hand 4"]


def test_without_piles_the_match_ends_when_nobody_finds_a_match_in_time() -> None:
    seen = position("classic\ntable | A/b\nAlice | H/A\nBen | | won L/m L/n")
    seen.act("100 Alice flip; 29000 Ben A.table")
    assert GAME.due(seen.state) == 30_100
    assert seen.act("30100 tick") == "Ended"


def test_a_card_turned_or_taken_restarts_the_time_of_the_last_search() -> None:
    seen = position("classic\ntable | A/b C/d C/e\nAlice | H/A\nBen |")
    seen.act("100 Alice flip; 20000 Ben C.table; 20300 Ben C.table.2")
    assert GAME.due(seen.state) == 50_300
    seen = position("classic\ntable | A/b C/d C/e\nAlice | H/A\nBen |")
    assert seen.act("100 Alice flip; 20000 Ben C.table; 20300 Alice C.table.2").endswith("Tied")
    assert GAME.due(seen.state) == 50_300


def test_an_outage_restarts_the_time_of_the_last_search() -> None:
    seen = position("classic\ntable | A/b\nAlice | H/A\nBen |")
    seen.act("100 Alice flip")
    assert GAME.resume(seen.state, 90_000) == []
    assert GAME.due(seen.state) == 120_000


def test_the_latest_end_is_after_3000_actions() -> None:
    seen = position(TWO)
    for turn in range(1, 1500):
        seen.act(f"{turn} Alice D.table; {turn} Alice lift")
    assert GAME.outcome(seen.state) is None
    assert seen.act("5000 Alice D.table; 5001 Alice lift") == "HandLaid HandsLifted Ended"
    assert seen.state.acted == GAME.longest == 3000


def test_a_watcher_cannot_lay_a_hand() -> None:
    state = position(TWO).state
    for seat in (Seat(-1), FOURTH):
        with pytest.raises(Exception, match="Only seats 1 to 3 play"):
            GAME.apply(state, seat, GAME.parse("hand 1"), 10)


def test_the_fallback_flips_and_claims_nothing() -> None:
    seen = position("classic\ntable | A/b A/c\nAlice | C/d E/f\nBen | G/h")
    assert GAME.text(GAME.fallback(seen.state, FIRST)) == "flip"


def test_settings_name_their_limits() -> None:
    with pytest.raises(ValueError, match="tie_ms must be a whole number from 0 to 2000"):
        TwinItOptions(tie_ms=2001)
