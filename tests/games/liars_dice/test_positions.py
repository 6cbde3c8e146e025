"""The rules of Liar's Dice as positions. The notation: see `position`."""

import pytest

from games.ending import Ended
from games.liars_dice import GAME
from games.liars_dice.actions import BIDS, is_higher
from games.liars_dice.events import Rolled, RoundBegan, RoundEnded
from games.types import SEATS
from tests.games.liars_dice.position import Position, opened, position

CUPS = """
    Alice | 1 2 5 5 6
    Ben   | 2 3 3 4 5
    Cleo  | 1 3 4 6 6
"""
"""Fives: four with the ones. Sixes: five with the ones. Ones: two."""


def with_bids(*bids: str, cups: str = CUPS, **options: bool) -> Position:
    """Return the round of these cups after bids such as "Alice 3x5"."""
    return position(f"{', '.join(['round 4', *bids])}\n{cups.strip()}", **options)


def ended(seen: Position) -> RoundEnded:
    """Return how the last round ended."""
    assert seen.state.last is not None
    return seen.state.last


# Roll


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_everybody_rolls_five_dice_and_the_cups_are_sorted(seats: int) -> None:
    seen = opened(seats)
    assert [len(cup) for cup in seen.state.cups] == [5] * seats
    assert all(cup == sorted(cup) for cup in seen.state.cups)
    assert seen.state.dice == [5] * seats


def test_the_first_opener_is_drawn() -> None:
    assert {opened(3, seed).state.turn for seed in range(30)} == {0, 1, 2}


def test_each_player_sees_their_own_cup_and_a_watcher_sees_none() -> None:
    seen = opened()
    rolled = {event.to: list(event.cup) for event in seen.events if isinstance(event, Rolled)}
    assert rolled == dict(enumerate(seen.state.cups))
    assert [list(GAME.view(seen.state, seat).cup) for seat in SEATS[:3]] == seen.state.cups
    assert GAME.view(seen.state, None).cup == ()


def test_every_face_is_rolled_about_equally_often() -> None:
    rolled = [die for seed in range(200) for cup in opened(6, seed).state.cups for die in cup]
    shares = [rolled.count(face) / len(rolled) for face in range(1, 7)]
    assert all(abs(share - 1 / 6) < 0.015 for share in shares), shares


def test_two_dice_of_a_cup_are_independent() -> None:
    cups = [cup for seed in range(400) for cup in opened(6, seed).state.cups]
    sixes = [cup.count(6) for cup in cups]
    assert abs(sixes.count(0) / len(cups) - (5 / 6) ** 5) < 0.03
    assert abs(sixes.count(2) / len(cups) - 10 * 5**3 / 6**5) < 0.03


# Bids


def test_a_round_opens_with_any_quantity_of_any_face_but_ones() -> None:
    seen = with_bids(cups="Alice | 2 3\n Ben | 4")
    assert seen.bids_of("Alice") == [f"{quantity}x{face}" for quantity in (1, 2, 3) for face in range(2, 7)]
    assert "doubt" not in seen.legal("Alice")
    assert seen.legal("Ben") == []
    assert seen.refusal("Alice: bid 1x1") == (
        "Ones are wild, so a round cannot open with a bid on them. Bid one die or more of any face but ones."
    )
    assert (
        seen.refusal("Alice: bid 4x2") == "Only 3 dice are in play. Bid one die or more of any face but ones."
    )
    assert "nothing to doubt: nobody has bid yet" in seen.refusal("Alice: doubt")


def test_no_bid_is_on_more_dice_than_are_in_play() -> None:
    seen = with_bids("Alice 2x3", cups="Alice | 2 3\n Ben | 4")
    assert seen.refusal("Ben: bid 4x5") == (
        "Only 3 dice are in play. Bid at least a one, three twos, three threes, two fours, two fives or two sixes, "
        "or doubt."
    )


def test_a_refused_bid_is_told_the_reason_that_holds() -> None:
    seen = with_bids("Alice 3x1")
    assert seen.refusal("Ben: bid 3x1").startswith("Three ones is the standing bid itself. Bid at least ")
    assert seen.refusal("Ben: bid 2x1").startswith("Two ones is not higher than three ones. ")
    assert seen.refusal("Ben: bid 6x5").startswith(
        "Six fives is not higher than three ones: a one is worth about two of a face. "
    )


def test_a_refusal_names_calza_where_it_is_allowed() -> None:
    seen = with_bids("Alice 3x4", calza=True)
    assert seen.refusal("Ben: bid 2x6").endswith(", or doubt or call calza.")
    assert seen.refusal("Cleo: doubt") == (
        "It is not your turn: seat 2 plays now. Out of turn you can only call calza."
    )
    assert seen.refusal("Alice: bid 5x5") == "It is not your turn: seat 2 plays now."
    assert with_bids("Alice 3x4").refusal("Ben: bid 2x6").endswith(", or doubt.")


def test_a_raise_is_more_dice_of_any_face_or_as_many_of_a_higher_face() -> None:
    seen = with_bids("Alice 3x4")
    assert seen.legal("Ben")[0] == "doubt"
    bids = seen.bids_of("Ben")
    assert [bid for bid in bids if bid.startswith("3x")] == ["3x1", "3x5", "3x6"]
    assert [bid for bid in bids if bid.startswith("4x")] == [f"4x{face}" for face in range(1, 7)]
    assert seen.refusal("Ben: bid 3x4").startswith("Three fours is the standing bid itself.")
    assert seen.refusal("Ben: bid 2x6").startswith("Two sixes is not higher than three fours.")


@pytest.mark.parametrize(("bid", "ones"), [("3x6", "2x1"), ("4x2", "2x1"), ("5x2", "3x1"), ("1x6", "1x1")])
def test_a_bid_on_ones_takes_half_the_quantity_rounded_up(bid: str, ones: str) -> None:
    bids = with_bids(f"Alice {bid}").bids_of("Ben")
    assert next(each for each in bids if each.endswith("x1")) == ones


@pytest.mark.parametrize(("ones", "twos"), [("1x1", "3x2"), ("2x1", "5x2"), ("7x1", "15x2")])
def test_from_ones_a_bid_on_a_face_takes_twice_the_quantity_and_one_more(ones: str, twos: str) -> None:
    bids = with_bids(f"Alice {ones}").bids_of("Ben")
    assert next(each for each in bids if not each.endswith("x1")) == twos


def test_from_ones_to_ones_a_bid_takes_more() -> None:
    bids = with_bids("Alice 2x1").bids_of("Ben")
    assert [each for each in bids if each.endswith("x1")][:2] == ["3x1", "4x1"]


def test_after_the_highest_bid_only_doubting_is_left_or_calza() -> None:
    seen = with_bids("Alice 15x1", calza=True)
    assert seen.legal("Ben") == ["doubt", "calza"]
    assert seen.legal("Cleo") == ["calza"]
    assert seen.refusal("Ben: bid 15x6").endswith("No higher bid is left, so you must doubt or call calza.")
    without = with_bids("Alice 15x1")
    assert without.legal("Ben") == ["doubt"]
    assert without.refusal("Ben: bid 15x6").endswith("No higher bid is left, so you must doubt.")
    assert GAME.words.task(GAME.view(seen.state, None)) == "doubt fifteen ones"


@pytest.mark.parametrize("wild", [True, False])
def test_of_two_different_bids_one_is_higher_and_that_is_an_order(wild: bool) -> None:
    few = BIDS[:60]
    for one in few:
        assert not is_higher(one, one, wild=wild)
        for other in few:
            assert one == other or is_higher(one, other, wild=wild) != is_higher(other, one, wild=wild)
    heights = [sum(is_higher(one, other, wild=wild) for other in few) for one in few]
    assert sorted(heights) == list(range(60)), "no circle"


def test_the_turn_passes_to_the_left_to_the_next_player_who_is_in() -> None:
    seen = with_bids(cups="Alice | 2\n Ben | out in round 3\n Cleo | 3")
    assert seen.awaited() == ["Alice"]
    assert seen.act("Alice: bid 1x2") == ["Alice bids a two."]
    assert seen.awaited() == ["Cleo"]
    seen.act("Cleo: bid 1x3")
    assert seen.awaited() == ["Alice"]


def test_bids_are_refused_out_of_turn_and_by_those_who_are_out() -> None:
    seen = with_bids("Alice 1x2", cups="Alice | 2\n Ben | 3\n Cleo | out in round 3")
    assert seen.refusal("Alice: bid 1x3") == "It is not your turn: seat 2 plays now."
    assert seen.refusal("Alice: doubt") == "It is not your turn: seat 2 plays now."
    for text in ("bid 1x3", "hello"):
        assert seen.refusal(f"Cleo: {text}") == (
            "You are out: you lost your last die in round 3. You can watch the others."
        )


# Doubt


def test_a_bid_stands_if_there_are_exactly_that_many_and_the_doubter_loses_a_die() -> None:
    seen = with_bids("Alice 4x5")
    assert seen.act("Ben: doubt")[:1] == [
        "**Ben doubts Alice's bid of four fives.**\n"
        "Shown: Alice 1 2 5 5 6 · Ben 2 3 3 4 5 · Cleo 1 3 4 6 6.\n"
        "With ones, five fives are there: **Honest!** Ben loses a die and has four."
    ]
    assert seen.dice() == [5, 4, 5]


@pytest.mark.parametrize(
    ("bid", "found"), [("5x5", 5), ("6x5", 5), ("5x6", 5), ("2x1", 2), ("3x1", 2), ("4x2", 4), ("5x3", 5)]
)
def test_ones_count_as_every_face_but_faces_do_not_count_as_ones(bid: str, found: int) -> None:
    seen = with_bids(f"Alice {bid}")
    seen.act("Ben: doubt")
    end = ended(seen)
    assert end.found == found
    assert end.right == (found < int(bid[0]))
    assert seen.dice() == ([4, 5, 5] if end.right else [5, 4, 5])


def test_whoever_was_wrong_opens_the_next_round_with_new_dice() -> None:
    seen = with_bids("Alice 6x5")
    narration = seen.act("Ben: doubt")
    assert narration[-1] == "**Round 5** · 14 dice · Alice opens."
    assert seen.awaited() == ["Alice"]
    assert [len(cup) for cup in seen.state.cups] == [4, 5, 5]
    assert seen.state.bids == []


def test_who_loses_the_last_die_is_out_and_the_next_player_still_in_opens() -> None:
    seen = with_bids("Alice 2x5", cups="Alice | 2\n Ben | 3 3\n Cleo | out in round 3\n Dan | 4 4")
    narration = seen.act("Ben: doubt")
    assert narration[0].endswith("No fives are there: **Busted!** Alice loses the last die and is out.")
    assert seen.state.out == [4, 0, 3, 0]
    assert seen.awaited() == ["Ben"]
    assert narration[1] == "**Round 5** · 4 dice · Ben opens."


def test_all_cups_are_shown_to_everybody_until_the_next_round_ends() -> None:
    seen = with_bids("Alice 6x5")
    seen.act("Ben: doubt")
    for name in ("Alice", "Cleo", None):
        assert "Shown: Alice 1 2 5 5 6 · Ben 2 3 3 4 5 · Cleo 1 3 4 6 6" in seen.describe(name)


def test_a_doubt_after_the_round_is_over_is_refused_kindly() -> None:
    seen = with_bids("Alice 4x5")
    seen.act("Ben: doubt")
    assert seen.refusal("Ben: doubt") == (
        "There is nothing to doubt: you have doubted already, so round 4 is over, and nobody has bid in round 5 yet. "
        "Open the round with a bid."
    )
    seen = with_bids("Alice 6x5")
    seen.act("Ben: doubt")
    assert seen.refusal("Alice: doubt").startswith(
        "There is nothing to doubt: seat 2 doubted first, so round 4"
    )
    # Neither to the one who opens the next round nor to those who wait for it.
    assert seen.refusal("Cleo: doubt") == (
        "There is nothing to doubt: seat 2 doubted first, so round 4 is over, and nobody has bid in round 5 yet. "
        "Wait for the first bid."
    )


# End


def test_the_last_player_with_dice_wins_and_the_others_by_when_they_went_out() -> None:
    seen = with_bids("Alice 2x5", cups="Alice | 2\n Ben | 3 3\n Cleo | out in round 2\n Dan | out in round 3")
    narration = seen.act("Ben: doubt")
    outcome = seen.state.outcome
    assert outcome is not None
    assert outcome.placings == (2, 1, 4, 3)
    assert outcome.scores == (0, 2, 0, 0)
    assert narration[-1].startswith(
        "**Ben wins with 2 dice.** Only the winner has dice left. Whoever lasted longer is placed higher."
    )
    assert seen.awaited() == []
    assert seen.legal("Ben") == []
    assert seen.refusal("Ben: bid 1x2") == "The match is over."


def test_a_match_ends_after_200_rounds_and_the_most_dice_win() -> None:
    seen = position("round 200, Alice 6x5\n" + CUPS.strip() + "\n Dan | out in round 90")
    seen.act("Ben: doubt")
    outcome = seen.state.outcome
    assert outcome is not None
    assert outcome.placings == (3, 1, 1, 4)
    assert outcome.scores == (4, 5, 5, 0)
    assert outcome.reason.startswith("After 200 rounds the match ends, and the most dice win.")
    assert position("round 199, Alice 6x5\n" + CUPS.strip()).act("Ben: doubt")[-1].startswith("**Round 200**")


def test_the_longest_match_has_every_bid_in_each_of_200_rounds() -> None:
    """With calza a round can end without a die lost, so all 30 dice may be in play to the end."""
    assert GAME.longest == 200 * (30 * 6 + 1)


# Palifico

ONE_DIE = "Alice | 2\n Ben | 3 3\n Cleo | 1 4"


def lose_down_to_one(**options: bool) -> Position:
    """Return a match in which Alice, with two dice, has just lost one."""
    seen = with_bids("Alice 6x5", cups="Alice | 2 2\n Ben | 3 3\n Cleo | 1 4", **options)
    seen.act("Ben: doubt")
    return seen


def test_the_first_round_that_a_player_opens_with_one_die_is_palifico() -> None:
    seen = lose_down_to_one()
    began = [event for event in seen.events if isinstance(event, RoundBegan)]
    assert [(event.opener, event.palifico) for event in began] == [(0, True)]
    assert GAME.words.narrate(began[0], seen.names) == (
        "**Round 5** · 5 dice · **palifico**: ones are not wild, the first bid fixes the face · Alice opens."
    )
    assert seen.bids_of("Alice")[:3] == ["1x1", "1x2", "1x3"]


def test_who_waits_can_decide_to_doubt_if_a_bid_will_come_and_in_a_palifico_round_nothing_else() -> None:
    def ahead(bids: str) -> list[list[str]]:
        state = position(f"round 4, palifico, {bids}\n Alice | 1\n Ben | 2 2\n Cleo | 3 4").state
        return [[*map(GAME.text, GAME.ahead(state, seat))] for seat in SEATS[:3]]

    assert ahead("Alice plays") == [[], ["doubt"], ["doubt"]]
    assert ahead("Alice 3x3") == [["doubt"], [], ["doubt"]]
    assert ahead("Alice 5x3") == [[], [], []]  # Ben cannot bid higher


def test_a_table_may_play_without_palifico() -> None:
    assert not lose_down_to_one(palifico=False).state.palifico


def test_a_player_has_one_palifico_round_in_a_match() -> None:
    seen = position("round 4, Alice 6x5\n Alice | 2 2 | palifico in round 2\n Ben | 3 3\n Cleo | 1 4")
    seen.act("Ben: doubt")
    assert not seen.state.palifico


def test_with_two_players_left_there_is_no_palifico() -> None:
    seen = with_bids("Alice 6x5", cups="Alice | 2 2\n Ben | 3 3\n Cleo | out in round 2")
    seen.act("Ben: doubt")
    assert seen.state.dice == [1, 2, 0]
    assert not seen.state.palifico


def test_in_a_palifico_round_ones_are_the_lowest_face_and_nothing_is_halved_or_doubled() -> None:
    seen = position("palifico, Cleo 2x1\n Cleo | 2 2\n Alice | 2\n Ben | 3 3")
    assert seen.awaited() == ["Alice"]
    assert seen.bids_of("Alice")[:6] == ["2x2", "2x3", "2x4", "2x5", "2x6", "3x1"]


def test_in_a_palifico_round_only_players_with_one_die_change_the_face() -> None:
    seen = position(f"palifico, Alice 1x3\n {ONE_DIE}")
    assert seen.bids_of("Ben") == ["2x3", "3x3", "4x3", "5x3"]
    assert seen.refusal("Ben: bid 2x4") == (
        "In a palifico round only players with a single die may change the face. Bid at least two threes, or doubt."
    )
    seen.act("Ben: bid 2x3; Cleo: bid 3x3")
    assert "3x4" in seen.bids_of("Alice")
    assert "4x1" in seen.bids_of("Alice")


def test_in_a_palifico_round_ones_do_not_count_as_other_faces() -> None:
    seen = position(f"palifico, Ben 3x4\n {ONE_DIE}")
    seen.act("Cleo: doubt")
    assert ended(seen).found == 1
    assert ended(seen).right


# Calza


def test_without_the_option_calza_is_refused() -> None:
    assert with_bids("Alice 4x5").refusal("Cleo: calza") == (
        "This table plays without calza. On your turn you can bid higher or doubt."
    )


def test_anyone_but_the_bidder_may_call_calza_in_turn_or_not() -> None:
    seen = with_bids("Alice 4x5", calza=True)
    assert seen.legal("Alice") == []
    assert seen.legal("Ben")[:2] == ["doubt", "calza"]
    assert seen.legal("Cleo") == ["calza"]
    assert seen.awaited() == ["Ben"]
    assert seen.refusal("Alice: calza").startswith("The last bid is your own")


def test_before_the_first_bid_nobody_may_call_calza() -> None:
    seen = with_bids(calza=True)
    assert all("calza" not in seen.legal(name) for name in seen.names)
    assert seen.refusal("Ben: calza") == (
        "There is nothing to call exact: nobody has bid yet. Wait for the first bid."
    )
    assert seen.refusal("Alice: calza") == (
        "There is nothing to call exact: nobody has bid yet. Open the round with a bid."
    )


def test_an_exact_call_wins_back_a_die_and_opens_the_next_round() -> None:
    seen = with_bids("Alice 3x5", cups="Alice | 1 2 5 5 6\n Ben | 2 3\n Cleo | 3 4 6", calza=True)
    narration = seen.act("Cleo: calza")
    assert narration[0].splitlines() == [
        "**Cleo calls calza on Alice's bid of three fives.**",
        "Shown: Alice 1 2 5 5 6 · Ben 2 3 · Cleo 3 4 6.",
        "With ones, three fives are there: **On the nose!** Cleo wins back a die and has four.",
    ]
    assert seen.dice() == [5, 2, 4]
    assert seen.awaited() == ["Cleo"]


def test_an_exact_call_with_five_dice_wins_nothing_but_opens() -> None:
    seen = with_bids("Alice 5x5", calza=True)
    assert "Cleo keeps five dice, the most there are." in seen.act("Cleo: calza")[0]
    assert seen.dice() == [5, 5, 5]
    assert seen.awaited() == ["Cleo"]


@pytest.mark.parametrize("bid", ["4x5", "6x5"])
def test_a_call_that_is_not_exact_loses_a_die(bid: str) -> None:
    seen = with_bids(f"Alice {bid}", calza=True)
    assert "**Not exactly!** Cleo loses a die and has four." in seen.act("Cleo: calza")[0]
    assert seen.dice() == [5, 5, 4]
    assert seen.awaited() == ["Cleo"]


def test_a_wrong_caller_without_dice_is_out_and_the_next_player_opens() -> None:
    seen = with_bids("Alice 4x5", cups="Alice | 2 2\n Ben | 3 3\n Cleo | 4\n Dan | 6 6", calza=True)
    seen.act("Cleo: calza")
    assert seen.state.out == [0, 0, 4, 0]
    assert seen.awaited() == ["Dan"]


def test_of_two_calls_the_first_counts_and_the_second_is_refused_kindly() -> None:
    seen = with_bids("Alice 5x5", calza=True)
    seen.act("Cleo: calza")
    assert seen.refusal("Ben: calza") == (
        "There is nothing to call exact: seat 3 called calza first, so round 4 is over, and nobody has bid in round 5 "
        "yet. Wait for the first bid."
    )


def test_those_who_are_out_call_nothing() -> None:
    seen = with_bids("Alice 1x2", cups="Alice | 2\n Ben | 3\n Cleo | out in round 3", calza=True)
    assert seen.legal("Cleo") == []
    assert seen.refusal("Cleo: calza").startswith("You are out")


def test_a_match_with_calza_ends_when_a_wrong_caller_was_the_last_opponent() -> None:
    seen = with_bids("Alice 2x2", cups="Alice | 2\n Ben | 3", calza=True)
    seen.act("Ben: calza")
    assert any(isinstance(event, Ended) for event in seen.events)
    assert seen.state.outcome is not None
    assert seen.state.outcome.placings == (1, 2)


# Absent players


@pytest.mark.parametrize(
    ("bids", "move"),
    [([], "bid 1x2"), (["Alice 3x4"], "bid 3x5"), (["Alice 6x4"], "doubt"), (["Alice 2x1"], "bid 5x2")],
)
def test_an_absent_player_bids_as_low_as_possible_or_doubts_more_than_is_to_be_expected(
    bids: list[str], move: str
) -> None:
    seen = with_bids(*bids)
    (seat,) = GAME.awaited(seen.state)
    assert GAME.text(GAME.fallback(seen.state, seat)) == move
