"""The answer to a typed text that is no move: it says what may be typed now."""

from tests.games.palmer.position import position as palmer
from tests.games.twin_palms.position import position as twin_palms

SQUARES = """
    deal 1, Alice dealt, Ben plays, pile QD 8C, stock 9H
    Alice | (9S) (KD) / (7C) (3C)
    Ben   | (2S) (3S) / (4S) (5S)
"""


def test_a_text_that_is_no_move_is_refused_with_the_first_and_last_move_of_each_verb() -> None:
    assert palmer(SQUARES).refusal("Ben: fold") == (
        "There is no such move. You can now write `draw`, `take TL` … `take BR` or `turn TL` … `turn BR`."
    )


def test_the_refusal_follows_what_is_asked_now() -> None:
    seen = palmer(SQUARES)
    seen.act("Ben: draw")
    assert seen.refusal("Ben: fold").endswith("You can now write `place TL` … `place BR`.")
    assert seen.refusal("Alice: fold").endswith("You have nothing to decide right now.")


def test_a_text_whose_fault_is_known_is_refused_with_that() -> None:
    seen = twin_palms("normal, round 1, Ben leads\nAlice | P9 P* | bid 1\nBen | P1 D2 | bid 1")
    assert seen.refusal("Ben: play P9 P*").startswith("A wild needs a number")
