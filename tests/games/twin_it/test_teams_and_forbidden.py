"""The rules that forbidden designs and teams add to the classic game of Twin It!, sentence by sentence."""

import pytest

from games.twin_it import GAME
from games.twin_it.events import Dealt, Tied
from games.twin_it.options import TwinItOptions
from games.types import SEATS
from tests.games.twin_it.position import Position, opened, position
from tests.seats import THIRD

# Forbidden designs

BARRED = """
    forbidden, Cleo flips
    barred Ben | A/b C/d E/f
    table | A/g A/h I/j
    Alice | K/l
    Ben   | M/n
    Cleo  | O/p
"""


def dealt(seen: Position) -> Dealt:
    (event,) = seen.events
    assert isinstance(event, Dealt)
    return event


def test_three_cards_with_different_faces_lie_beside_the_barred_players_pile_and_132_are_dealt() -> None:
    for seed in range(20):
        seen = opened(4, seed, mode="forbidden", barred=2)
        beside = [face for face in dealt(seen).faces if face.place == "barred"]
        assert len({face.design for face in beside}) == len(beside) == 3
        assert dealt(seen).piles == (33, 33, 33, 33)
        assert dealt(seen).barred == (2,)


def test_the_first_three_cards_of_the_deck_with_different_upper_faces_are_taken() -> None:
    skipped = 0
    for seed in range(60):
        state = opened(2, seed, mode="forbidden").state
        fits: list[int] = []
        for card in range(state.barred[-1] + 1):
            if state.faces[2 * card] not in [state.faces[2 * other] for other in fits]:
                fits.append(card)
        assert state.barred == fits
        skipped += state.barred != [0, 1, 2]
    assert skipped, "a deck in which the first three are not all different was among them"


def test_without_a_named_seat_the_barred_player_is_drawn() -> None:
    assert {dealt(opened(3, seed, mode="forbidden")).barred for seed in range(20)} == {(0,), (1,), (2,)}


def test_a_rematch_bars_the_last_winner_unless_its_host_names_a_seat() -> None:
    named = TwinItOptions(mode="forbidden", barred=4)
    lobby = named.after(None)
    assert (lobby.barred, lobby.after(THIRD).barred) == (None, THIRD)
    assert named.after(THIRD) == named
    assert TwinItOptions().after(THIRD) == TwinItOptions()


def test_a_named_seat_must_exist() -> None:
    with pytest.raises(ValueError, match="4 to 6 players, not for 3"):
        opened(3, mode="forbidden", barred=3)


@pytest.mark.parametrize("second", ["A.table", "A.table.2"])
def test_two_hands_of_the_barred_player_on_a_barred_design_are_a_mistake(second: str) -> None:
    seen = position(BARRED)
    first = "A.barred" if second == "A.table" else "A.table"
    assert seen.act(f"100 Ben {first}; 200 Ben {second}") == "HandLaid Erred"


def test_one_hand_of_the_barred_player_makes_no_tie() -> None:
    seen = position(BARRED)
    assert seen.act("100 Ben A.table; 200 Alice A.table.2; 300 Alice A.barred") == "HandLaid HandLaid SetWon"
    seen = position(BARRED)
    assert seen.act("100 Alice A.table; 200 Ben A.table.2") == "HandLaid HandLaid"


def test_others_can_tie_over_a_barred_design_and_a_turned_card_bars_its_new_face() -> None:
    seen = position("forbidden\nbarred Ben | A/I\ntable | A/g I/j\nAlice | K/l\nBen | M/n\nCleo | O/p")
    assert seen.act("100 Alice A.table; 200 Cleo A.barred") == "HandLaid Tied"
    assert seen.barred() == "I/A"
    assert seen.act("1000 Ben I.barred; 1100 Ben I.table") == "HandLaid Erred"


def test_others_may_claim_the_barred_cards_which_frees_the_design() -> None:
    seen = position(BARRED)
    assert seen.act("100 Alice A.barred; 200 Alice A.table") == "HandLaid SetWon"
    assert seen.barred() == "C/d E/f"
    seen = position(BARRED.replace("A/b C/d", "C/d"))
    assert seen.act("100 Ben A.table; 200 Ben A.table.2") == "HandLaid SetWon"


# Teams

TEAMS = """
    teams, Cleo flips
    table | A/b A/c D/e F/g
    Alice | H/i J/k
    Ben   | L/m N/o
    Cleo  | P/q
    Dan   | R/s
"""


def test_teams_alternate_by_seat_and_five_play_as_three_against_two() -> None:
    state = opened(5, mode="teams").state
    assert [state.side(seat) for seat in SEATS[:5]] == [0, 1, 0, 1, 0]


def test_the_two_hands_of_a_set_belong_to_two_members() -> None:
    seen = position(TEAMS)
    assert seen.act("100 Alice A.table; 3000 Cleo A.table.2") == "HandLaid SetWon"
    assert seen.won("Alice") == seen.won("Cleo") == "AA"


def test_a_members_second_hand_is_that_members_mistake() -> None:
    seen = position(TEAMS)
    assert seen.act("100 Alice A.table; 200 Alice A.table.2") == "HandLaid Erred"
    assert seen.state.rests == [4200, 0, 0, 0]


def test_a_teams_second_hand_on_another_design_is_the_mistake_of_its_player() -> None:
    seen = position(TEAMS.replace("P/q", "P/q | won T/u T/v"))
    assert seen.act("100 Alice A.table; 200 Cleo D.table") == "HandLaid Erred"
    assert seen.state.rests == [0, 0, 4200, 0]
    assert seen.pile("Cleo") == "P/q T/u T/v", "the team's set goes under the pile of who erred"
    assert seen.hands("Alice") == [], "the team mate's hand was part of the mistake"


def test_hands_of_opponents_on_both_faces_make_a_tie() -> None:
    seen = position(TEAMS)
    assert seen.act("100 Alice A.table; 400 Dan A.table.2") == "HandLaid Tied"
    event = seen.events[-1]
    assert isinstance(event, Tied)
    assert [hand.seat for hand in event.hands] == [0, 3]


def test_a_team_can_have_only_one_hand_on_a_face() -> None:
    seen = position(TEAMS)
    seen.act("100 Alice A.table; 150 Ben A.table")
    assert seen.refusal("200 Cleo A.table").startswith("Your team's hand is on 1 already")


def test_a_member_may_lift_only_the_own_hand() -> None:
    seen = position(TEAMS)
    seen.act("100 Alice A.table")
    assert seen.refusal("200 Cleo lift") == "You have no hand on a face, so there is none to lift."


@pytest.mark.parametrize(
    "script",
    [
        "100 Alice A.table; 200 Cleo A.table.2",
        "100 Alice A.table; 200 Dan A.table.2",
        "100 Alice A.table; 200 Cleo D.table",
    ],
    ids=["set", "tie", "mistake"],
)
def test_after_a_set_tie_or_mistake_anybody_may_flip_and_the_turn_continues_from_there(script: str) -> None:
    seen = position(TEAMS)
    seen.act(script)
    assert seen.awaited() == ["Alice", "Ben", "Cleo", "Dan"]
    assert seen.act("900 Ben flip") == "Flipped"
    assert seen.awaited() == ["Cleo"]


def test_anybody_with_a_pile_may_flip_when_anybody_may() -> None:
    seen = position(TEAMS.replace("R/s", "").replace("Cleo flips", "anybody flips"))
    assert seen.awaited() == ["Alice", "Ben", "Cleo"]
    assert seen.refusal("100 Dan flip").startswith("You have no cards left to flip")


def test_a_pair_of_the_other_team_can_be_robbed() -> None:
    seen = position(TEAMS.replace("R/s", "R/s | won D/x D/y"))
    assert seen.act("100 Alice D.table; 200 Cleo D.Ben's") == "HandLaid SetWon"
    assert (seen.won("Alice"), seen.won("Dan")) == ("DDD", "")


def test_every_member_has_the_teams_placing() -> None:
    seen = position(TEAMS, sets_to_win=1)
    assert seen.act("100 Ben A.table; 200 Dan A.table.2") == "HandLaid SetWon Ended"
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert (outcome.placings, outcome.scores) == ((3, 1, 3, 1), (0, 1, 0, 1))


@pytest.mark.parametrize(
    ("seats", "handicap", "barred"), [(4, True, 0), (5, True, 3), (5, False, 0), (6, True, 0)]
)
def test_with_a_handicap_the_bigger_team_has_three_forbidden_cards(
    seats: int, handicap: bool, barred: int
) -> None:
    seen = opened(seats, mode="teams", handicap=handicap)
    assert len(seen.state.barred) == barred
    assert dealt(seen).barred == ((0, 2, 4) if barred else ())


def test_a_teams_forbidden_cards_bar_all_its_members() -> None:
    seen = position(TEAMS.replace("table", "barred Alice | D/z\n table"))
    assert seen.act("100 Alice D.table; 200 Cleo D.barred") == "HandLaid Erred"
    assert seen.act("300 Ben D.table; 400 Dan D.barred") == "HandLaid SetWon"
