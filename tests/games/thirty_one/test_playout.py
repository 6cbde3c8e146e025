"""Deals played out by rules of thumb end as the rulebook says and lose no card. The notation: see `position`."""

from random import Random

import pytest

from games.french import CARD, PACK
from games.thirty_one import GAME
from games.thirty_one.actions import DRAW, KNOCK, TAKE
from games.thirty_one.advice import STRATEGY
from games.thirty_one.playout import Deal, card_of
from games.types import Action
from tests.games.thirty_one.position import position


def paid(hand: str, action: Action, stock: str = "6D 3C") -> tuple[int, ...]:
    """Return what Alice, Ben and Cleo pay when Alice takes this action."""
    seen = position(
        f"Cleo dealt, Alice plays, discards QH, stock {stock}\n Alice | {hand}\n Ben | 2S 7D 9D\n Cleo | 3D 4C 8S"
    )
    deal = Deal(seen.state)
    deal.act(action)
    deal.play_out()
    return deal.payments(seen.state.tokens)


@pytest.mark.parametrize(
    ("hand", "action", "payments"),
    [
        ("AH KH 9H", KNOCK, (0, 0, 1)),  # the lowest hand pays; Ben drew a diamond
        ("2C 7H 9S", KNOCK, (1, 0, 1)),  # a knocker who is beaten pays as well
        ("AH KH 9S", TAKE, (0, 1, 1)),  # 31
    ],
)
def test_a_deal_played_out_ends_as_the_rulebook_says(
    hand: str, action: Action, payments: tuple[int, ...]
) -> None:
    assert paid(hand, action) == payments


def test_the_chosen_discard_is_made_after_a_draw() -> None:
    seen = position(
        "Cleo dealt, Alice plays, discards QC, stock JH\n Alice | AH KH 9S\n Ben | 2S 7D 9C\n Cleo | 3D 4C 8S"
    )
    seen.act("Alice: draw")
    deal = Deal(seen.state)
    deal.act(GAME.parse("discard 9S"))
    assert deal.best == 0
    assert card_of(deal.discards[-1]) == CARD["9S"]


def test_no_card_is_lost_or_duplicated_and_the_given_state_stays_unchanged() -> None:
    rng = Random(1)
    state, _ = GAME.new(GAME.Options(), 4, "playout")
    while (seat := state.turn) is not None and state.deal < 4:
        legal = GAME.legal(state, seat)
        world = STRATEGY.problem(GAME.view(state, seat), legal).world(rng)
        deal = world.copy()
        deal.act(rng.choice(legal))
        deal.play_out()
        for cards in (world, deal):
            found = [*cards.stock, *cards.discards, *(card for hand in cards.hands for card in hand)]
            assert sorted(map(card_of, found)) == list(PACK)
        GAME.step(state, seat, rng.choice([action for action in legal if action != KNOCK] or [DRAW]))
