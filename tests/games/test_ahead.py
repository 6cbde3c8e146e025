"""The moves that a player may choose before their turn, in each game of turns."""

from tests.games.charms.position import opened as opened_charms
from tests.games.charms.position import position as of_charms
from tests.games.liars_dice.position import position as of_dice
from tests.games.palace.position import position as of_palace
from tests.games.palmer.position import position as of_palmer
from tests.games.thirty_one.position import position as of_thirty_one
from tests.games.twin_palms.position import opened as opened_twin_palms
from tests.games.twin_palms.position import position as of_twin_palms

KNOCKED = """
    Alice dealt, Cleo knocked, Alice plays, discards QD 8C, stock 5D 3H
    Alice | 7S QH 10D
    Ben   | 2S 3S 4S
    Cleo  | AH 2H QC
"""


def test_in_thirty_one_one_draws_or_knocks() -> None:
    seen = of_thirty_one(KNOCKED.replace(" Cleo knocked,", ""))
    assert seen.ahead("Alice") == [], "it is her turn"
    assert seen.ahead("Ben") == seen.ahead("Cleo") == ["draw", "knock"]


def test_in_thirty_one_nobody_knocks_twice_and_who_knocked_has_no_other_turn() -> None:
    seen = of_thirty_one(KNOCKED)
    assert (seen.ahead("Ben"), seen.ahead("Cleo")) == (["draw"], [])
    seen.act("Alice: draw; Alice: discard 5D")
    assert seen.ahead("Alice") == [], "she has had her last turn"


def test_in_palmer_one_draws_or_turns_over_what_lies_face_down() -> None:
    seen = of_palmer("""
        Cleo dealt, pile QS 9H, stock 5D 3C
        Alice | 7S (QH) / (10D) KC
        Ben   | (2S) 3S / (4S) 5S
        Cleo  | 2D 3D / 4D 5C
    """)
    assert seen.ahead("Ben") == ["draw", "turn TL", "turn BL"]
    assert seen.ahead("Alice") == seen.ahead("Cleo") == []


PILE = """
    pile 5 9 | stock J 4
    Alice | hand 3 4 | down 5
    Ben   | hand 9 9 K
    Cleo  | up K A | down 6
    Dana  | down 5 . 6
"""


def test_in_palace_one_plays_any_cards_or_takes_the_pile_if_they_may_not_fit() -> None:
    seen = of_palace(PILE)
    assert seen.ahead("Alice") == []
    assert seen.ahead("Ben") == ["play 9", "play 9 9", "play K", "take"]
    assert seen.ahead("Cleo") == ["play K", "play A"], "a wild always fits"
    assert seen.ahead("Dana") == ["blind 1", "blind 3"]
    assert of_palace(PILE, voluntary_pickup=True).ahead("Cleo")[-1] == "take"


TRICK = """
    hand 2, Ben leads, trump K, Alice dealt
    Alice | shows C 7 | C L 5 8
    Ben   | shows K 1 | R R 2 3
    Cleo  | shows L 7 | K 5 5 6
"""


def test_in_charms_one_plays_what_the_led_suit_may_ask_for() -> None:
    seen = of_charms(TRICK)
    assert seen.ahead("Ben") == []
    assert seen.ahead("Cleo") == ["play K", "play 5", "play 6"]
    seen.act("Ben: play R")
    assert seen.ahead("Alice") == ["play C", "play L", "play 5", "play 8"], "she has no R"
    assert seen.ahead("Ben") == ["play R", "play 2", "play 3"], "the next trick is meant"
    follows = of_charms(TRICK.replace("C L 5 8", "C L R 8"))
    follows.act("Ben: play R")
    assert follows.ahead("Alice") == ["play R"]


def test_in_charms_an_open_bid_is_made_before_the_turn() -> None:
    seen = opened_charms(3, bidding="open")
    first, second, third = (seen.names[(seen.state.leader + step) % 3] for step in range(3))
    assert seen.ahead(first) == []
    assert seen.ahead(second) == seen.ahead(third) == [f"bid {tricks}" for tricks in range(13)]
    seen.act(f"{first}: bid 4")
    assert seen.ahead(first) == []


def test_in_twin_palms_one_plays_any_two_cards_once_the_bids_are_known() -> None:
    seen = of_twin_palms("""
        easy
        Alice | P3 P7 P8 P9 | bid 2
        Ben   | P3 P4 P5 P6 | bid 0
        Cleo  | P0 P0 P1 P9 | bid 1
    """)
    assert seen.ahead("Alice") == []
    assert seen.ahead("Cleo") == ["play P0 P0", "play P0 P1", "play P0 P9", "play P1 P9"]
    assert opened_twin_palms(3).ahead("Alice") == []


HIGHEST = ["7x1", *(f"{ones}x1" for ones in range(8, 15)), *(f"15x{face}" for face in range(1, 7))]
"""Bids over fourteen sixes of fifteen dice."""
DICE = """
    Alice | 1 3 3 5 6
    Ben   | 2 2 4 4 5
    Cleo  | 1 3 4 6 6
"""


def test_in_liars_dice_one_bids_what_can_still_be_higher() -> None:
    seen = of_dice(f"round 4, Cleo 14x6{DICE}")
    assert seen.ahead("Alice") == [], "it is her turn"
    assert seen.legal("Alice") == ["doubt", *(f"bid {each}" for each in HIGHEST)]
    assert seen.ahead("Ben") == ["doubt", *(f"bid {each}" for each in HIGHEST if each != "7x1")]
    assert seen.ahead("Cleo") == [
        "doubt",
        *(f"bid {each}" for each in HIGHEST if each not in ("7x1", "15x2")),
    ]
