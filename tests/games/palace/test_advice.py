"""The advice for Palace in positions with an obvious best move. The notation: see `position`."""

import pytest

from games.advice import Strength
from games.palace import GAME
from games.palace.advice import STRATEGY
from games.palace.cards import RANKS
from games.strategies import advise
from tests.games.palace.position import Position, position
from tests.seats import FIRST

both = pytest.mark.parametrize("strength", ["steady", "sharp"])

BEN = "Ben | hand 4 5 6 | up 6 8 9 | down 3 4 5"


def advised_action(seen: Position, strength: Strength = "steady") -> str:
    return GAME.text(advise(GAME, GAME.view(seen.state, FIRST), strength, 1).action)


@pytest.mark.parametrize(
    ("pile", "hand", "action"),
    [
        ("3", "4 4 K A", "play 4 4"),  # the lowest, and all of them
        ("Q", "4 4 K A", "play K"),  # the lowest that fits
        ("K", "4 4 K A", "play A"),  # only a wild fits
        ("K", "4 7 10", "play 7"),  # the wild that is worth least
        ("9", "J Q 8", "play 8"),  # lower than nine
    ],
)
def test_low_cards_are_played_first_and_wilds_last(pile: str, hand: str, action: str) -> None:
    assert (
        advised_action(position(f"pile {pile} | stock 5 5 5\n Alice | hand {hand} | up K 2 3\n {BEN}"))
        == action
    )


def test_where_any_card_fits_the_advice_does_not_say_that_only_wilds_do() -> None:
    seen = position(f"pile 2 | stock 5 5 5\n Alice | hand 7 10 | up K 2 3\n {BEN}")
    advice = advise(GAME, GAME.view(seen.state, FIRST), "steady", 1)
    assert advice.reason == "Of your cards only wilds fit, and 7 is the one you need least."


def test_the_strongest_cards_are_put_face_up() -> None:
    state, _ = GAME.new(GAME.Options(), 2, "show")
    state.hands[0] = [1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1]
    assert GAME.text(advise(GAME, GAME.view(state, FIRST), "steady", 1).action) == "show 2 10 A"


@both
def test_the_card_that_ends_the_match_is_played(strength: Strength) -> None:
    seen = position(f"pile 3 | stock\n Alice | up K K\n {BEN}")
    assert advised_action(seen, strength) == "play K K"


def test_the_search_does_not_choose_between_unknown_cards() -> None:
    seen = position(f"pile 3 | stock\n Alice | down 4 5 6\n {BEN}")
    assert advised_action(seen, "sharp") == "blind 1"


def test_only_rules_of_thumb_decide_while_cards_can_be_drawn() -> None:
    seen = position(f"pile 3 | stock 5 5 5\n Alice | hand 4 4 K | up K 2 3\n {BEN}")
    view = GAME.view(seen.state, FIRST)
    assert STRATEGY.problem(view, GAME.legal(seen.state, FIRST)).candidates() == ()


def test_the_search_finds_that_an_ace_first_wins_at_once_and_says_what_it_beats() -> None:
    """After an ace the same player plays again, so both cards are played before Ben's turn."""
    seen = position("pile 5 | stock\n Alice | hand 2 A\n Ben | hand K")
    seen.state.gone = [8 - (rank in {"5", "2", "A", "K"}) for rank in RANKS]
    advice = advise(GAME, GAME.view(seen.state, FIRST), "sharp", 1)
    assert GAME.text(advice.action) == "play A"
    assert advice.reason == (
        "Out of 150 possible deals, you go out first in 100% with this move, and in 0% with “Play 2”."
    )
