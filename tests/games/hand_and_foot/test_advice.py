"""The advice of Hand and Foot: sensible moves, with reasons that fit, in positions as text."""

import pytest

from games.advice import Advice
from games.hand_and_foot import GAME
from games.strategies import advise, choose
from tests.games.hand_and_foot.position import Position, opened, position


def advice(seen: Position, name: str, strength: str = "steady") -> tuple[str, str]:
    """Return the text of the advised action, and the reason."""
    found: Advice = advise(
        GAME,
        GAME.view(seen.state, seen.seat(name)),
        "sharp" if strength == "sharp" else "steady",
        "advice",
    )
    return GAME.text(found.action), found.reason


def test_the_pile_is_taken_when_it_can_be() -> None:
    seen = position("Alice plays, discards KS 5C 6C\nAlice | KC KD 4C | melds Q Q Q\nBen | 9C")
    assert advice(seen, "Alice") == ("take", "You meld three Ks at once and get 3 cards instead of two.")


def test_a_small_pile_that_could_be_taken_is_not_said_to_be_of_no_use() -> None:
    seen = position("Alice plays, discards 6H\nAlice | 6C 6D KC KD KH 9C 8C 8D 8H\nBen | 9D")
    assert "meld K x3" in seen.legal("Alice")
    reason = "The discard pile would give you only 1 card. Draw two, and wait until it has more."
    assert advice(seen, "Alice") == ("draw", reason)


def test_natural_cards_are_added_and_finish_a_clean_pile() -> None:
    seen = position("Alice plays, drawn\nAlice | QC QD 2C 4C | melds Q Q Q Q Q\nBen | 9C")
    assert advice(seen, "Alice") == ("meld Q x2", "This finishes a clean pile of Qs.")


def test_a_meld_near_a_clean_pile_gets_no_wild_card() -> None:
    seen = position("Alice plays, drawn\nAlice | 2C 4C 9D | melds Q Q Q Q Q\nBen | 9C")
    assert advice(seen, "Alice")[0].startswith("discard")


def test_a_black_three_is_the_first_to_go_and_a_wild_card_the_last() -> None:
    seen = position("Alice plays, drawn\nAlice | 3S 2C KC 4C | melds Q Q Q Q Q\nBen | 9C")
    action, reason = advice(seen, "Alice")
    assert action == "discard 3S"
    assert "cannot take the pile under it" in reason


def test_a_sharp_player_does_not_discard_what_the_next_player_is_known_to_hold() -> None:
    seen = position(
        "Alice plays, drawn, discards 5C 6C 7C 8C 9C 10C\nAlice | JC KC | melds Q Q Q\n"
        "Ben | 9D (KD) (KH) | melds 7 7 7"
    )
    assert advice(seen, "Alice", "sharp")[0] == "discard JC"


def test_the_first_meld_is_begun_with_natural_cards() -> None:
    seen = position("Alice plays, drawn\nAlice | KC KD KH 2C 8C 8D 8H 4C\nBen | 9C")
    assert advice(seen, "Alice")[1].startswith("Your first meld needs 50 points")
    assert "+" not in advice(seen, "Alice")[0]


def test_the_first_meld_of_a_pair_is_for_both() -> None:
    seen = position("Alice plays, drawn\nAlice | KC KD KH 8C 8D 8H 4C\nBen | 9C\nCleo | 9D\nDan | 9H")
    assert advice(seen, "Alice")[1] == "Your side needs 50 points once; then both of you can meld."


@pytest.mark.parametrize("strength", ["steady", "sharp"])
def test_a_last_card_that_must_complete_a_pile_is_laid_even_on_a_clean_meld(strength: str) -> None:
    seen = position(
        "Alice plays, drawn\nBen | 9C\nCleo | 9D\n"
        "Alice | QC 2C | no foot | melds Q Q Q Q Q Q, 8 8 8 8 8 8, 7 7 7 7 7 7"
    )
    seen.act("Alice: meld Q x1")
    assert seen.legal("Alice") == ["meld 7 +2", "meld 8 +2"]
    assert "finishes a dirty pile" in advice(seen, "Alice", strength)[1]


PAIRS = """
    Alice plays, drawn
    Alice | QC 9C | no foot | melds Q Q Q | piles K clean, 8 dirty
    Ben   | KC KD KH JC JD JH 9C 9D
    Cleo  | KD | no foot
    Dan   | KH
"""


def test_the_partner_is_asked_as_soon_as_the_hand_can_be_played_and_agrees_when_ahead() -> None:
    seen = position(PAIRS)
    assert advice(seen, "Alice")[0] == "ask"
    seen.act("Alice: ask")
    action, reason = advice(seen, "Cleo")
    assert action == "agree"
    assert "your side gains about" in reason


def test_the_partner_is_not_asked_when_the_last_pile_cannot_be_of_the_kind_that_lacks() -> None:
    # Three kings finish a clean pile; two kings and the 2 finish a dirty one, but leave two.
    melds = "melds K K K K, 8 8 8 | piles 9 clean"
    seen = position(
        PAIRS.replace("QC 9C", "KS KH KD KC 2S").replace("melds Q Q Q | piles K clean, 8 dirty", melds)
    )
    assert "ask" in seen.legal("Alice")
    assert advice(seen, "Alice")[0] != "ask"


def test_the_partner_refuses_when_far_behind() -> None:
    seen = position(PAIRS.replace("9C 9D", "9C 9D | piles A clean, 7 clean, 6 clean, 5 clean, 4 clean"))
    seen.act("Alice: ask")
    action, reason = advice(seen, "Cleo")
    assert action == "refuse"
    assert "Play on for more piles" in reason


def test_who_may_go_out_does() -> None:
    seen = position(PAIRS)
    seen.act("Alice: ask; Cleo: agree")
    seen.act(f"Alice: {advice(seen, 'Alice')[0]}")
    seen.act(f"Alice: {advice(seen, 'Alice')[0]}")
    assert seen.end().out == 0


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_matches_of_sharp_computers_end_and_most_deals_by_going_out_or_with_many_piles(seats: int) -> None:
    seen = opened(seats, 7, deals=1)
    moves = 0
    while GAME.awaited(seen.state):
        (seat,) = GAME.awaited(seen.state)
        action = choose(GAME, GAME.view(seen.state, seat), "sharp", moves)
        seen.events += GAME.apply(seen.state, seat, action)
        moves += 1
    assert sum(score.clean + score.dirty for score in seen.end().scores) >= 3
