"""The taker of a trick: the ranking of each mode, ties, and the examples of the rulebook, as positions.

A play is written "Alice P3 P*=3". "nobody" takes a trick in which all sets cancel.
"""

from itertools import pairwise

import pytest

from games.twin_palms.cards import Mode
from tests.games.twin_palms.position import trick

ALL: list[Mode] = ["easy", "normal", "advanced", "extreme"]
MIXED: list[Mode] = ["normal", "advanced", "extreme"]
THREE_SUITS: list[Mode] = ["advanced", "extreme"]

LADDERS: dict[Mode, list[str]] = {
    "easy": ["P10 P10", "P0 P0", "P10 P9", "P10 P0", "P9 P8", "P1 P0"],
    "normal": ["P1 P1", "D3 D3", "P8 D8", "P1 P3", "D2 D4", "P8 D9"],
    "advanced": ["P0 P0", "D1 D1", "S2 S2", "D3 S3", "P0 P1", "D2 D3", "S4 S5", "P9 S10"],
    "extreme": [
        *("P0 P0", "D1 D1", "S2 S2", "P3 D3", "P4 S4", "D5 S5"),
        *("P0 P1", "D2 D3", "S4 S5", "P6 D7", "P8 S7", "D9 S10"),
    ],
}
"""A set of every rank of a mode, the strongest first; the lower the rank, the higher the numbers."""


@pytest.mark.parametrize("mode", ALL)
def test_every_rank_of_a_mode_beats_the_next(mode: Mode) -> None:
    ladder = LADDERS[mode]
    for strong, weak in pairwise(ladder):
        assert trick(mode, f"Alice {strong}, Ben {weak}") == "Alice"
        assert trick(mode, f"Alice {weak}, Ben {strong}") == "Ben"


@pytest.mark.parametrize(
    ("modes", "plays", "taker"),
    [
        # Any pair beats any two cards that are no pair.
        (ALL, "Alice P0 P0, Ben P10 P9", "Alice"),
        (MIXED, "Alice P10 P9, Ben P0 D0", "Ben"),
        # Within a rank the higher number counts, in either position, then the other number.
        (ALL, "Alice P4 P4, Ben P5 P5", "Ben"),
        (ALL, "Alice P3 P7, Ben P6 P5", "Alice"),
        (ALL, "Alice P1 P7, Ben P7 P2", "Ben"),
        (MIXED, "Alice P2 D7, Ben P7 D3", "Ben"),
        (["extreme"], "Alice D2 S9, Ben D9 S1", "Alice"),
        # Suits are compared before numbers.
        (MIXED, "Alice P0 P1, Ben D10 D9", "Alice"),
        (["normal"], "Alice D0 D1, Ben P10 D9", "Alice"),
        (THREE_SUITS, "Alice S0 S1, Ben P10 D9", "Alice"),
        (["extreme"], "Alice D10 S9, Ben P0 S1", "Ben"),
        (["extreme"], "Alice P10 S9, Ben P0 D1", "Ben"),
        (["advanced"], "Alice D10 S9, Ben P0 D1", "Alice"),
        # Equal sets cancel, and a wild is exactly the card that its player names.
        (ALL, "Alice P4 P6, Ben P4 P6", "nobody"),
        (ALL, "Alice P4 P6, Ben P*=6 P4", "nobody"),
        (ALL, "Alice P4 P6, Ben P*=6 P*=4", "nobody"),
        (MIXED, "Alice P4 P6, Ben P6 P4, Cleo P0 D1", "Cleo"),
        (MIXED, "Alice P9 P9, Ben D5 D5, Cleo P9 P9, Dan D5 D*=5", "nobody"),
        (MIXED, "Alice P9 P9, Ben D5 D6, Cleo P9 P9, Dan D5 D7", "Dan"),
        (MIXED, "Alice P8 D8, Ben P8 D8", "nobody"),
        # Below extreme, suits never decide between mixed sets.
        (["normal", "advanced"], "Alice P8 D9, Ben P9 D8", "nobody"),
        (["advanced"], "Alice P8 D9, Ben D8 S9", "nobody"),
        (["advanced"], "Alice P8 D8, Ben D8 S8", "nobody"),
        (["extreme"], "Alice D8 S9, Ben P8 D9", "Ben"),
        (["extreme"], "Alice D8 S8, Ben P8 S8", "Ben"),
        # In extreme two sets of the same suits with exchanged numbers tie.
        (["extreme"], "Alice P1 D0, Ben P0 D1", "nobody"),
        (["extreme"], "Alice P1 S0, Ben P0 S1, Cleo D5 S2", "Cleo"),
        # A wild may complete a set, avoid one, win, or tie.
        (ALL, "Alice P10 P9, Ben P2 P*=2", "Ben"),
        (ALL, "Alice P10 P9, Ben P2 P*=3", "Alice"),
        (ALL, "Alice P8 P6, Ben P8 P*=7", "Ben"),
        (MIXED, "Alice P10 P9, Ben D0 D1, Cleo P10 P*=9", "Ben"),
        (MIXED, "Alice P2 P*=2, Ben D2 D*=2", "Alice"),
    ],
)
def test_who_takes_the_trick(modes: list[Mode], plays: str, taker: str) -> None:
    for mode in modes:
        assert trick(mode, plays) == taker, mode


@pytest.mark.parametrize(
    ("mode", "plays", "taker"),
    [
        # A pair of Palms is above a pair of Dolphins, which is above two cards of two suits.
        ("normal", "Alice P5 P5, Ben D8 D8, Cleo P9 D10", "Alice"),
        # Two equal plays cancel, and the weakest set wins.
        ("normal", "Alice P0 D2, Ben D7 D9, Cleo D7 D9", "Alice"),
        # A Palm and a wild Palm with the same number make Twin Palms.
        ("advanced", "Alice D9 D9, Ben P10 P9, Cleo P3 P*=3", "Cleo"),
        # The only pair wins, even a low and mixed one.
        ("advanced", "Alice P10 P9, Ben D9 D8, Cleo D1 S1", "Cleo"),
        # A player who could win with a wild may also choose a tie and leave the trick to a third.
        ("advanced", "Alice S1 S2, Ben P3 P8, Cleo P3 P*=8", "Alice"),
        ("advanced", "Alice S1 S2, Ben P3 P8, Cleo P3 P*=3", "Cleo"),
        # Between mixed pairs the suits count first: a low Palm is enough.
        ("extreme", "Alice D9 S9, Ben P2 S2, Cleo D10 S10", "Ben"),
        # Two zeros of the weakest suit are still a pair.
        ("extreme", "Alice S0 S0, Ben P10 P9, Cleo D1 D0", "Alice"),
        # With the same numbers, a Palm is stronger than a Dolphin.
        ("extreme", "Alice D0 S2, Ben D1 S0, Cleo P1 S0", "Cleo"),
    ],
)
def test_the_examples_of_the_rulebook(mode: Mode, plays: str, taker: str) -> None:
    assert trick(mode, plays) == taker
