"""The hand of Thirty-One: which buttons a form offers, and which action each sequence of taps makes."""

from typing import Any

import pytest

from bot.messages.game_ui import Form, MoveText, Picks
from bot.messages.panel import Panel
from bot.pictures import hand
from cogs.thirty_one.cog import ThirtyOne
from games import GAMES
from games.french import SIGN
from games.thirty_one.actions import DRAW, KNOCK
from games.types import SEATS, Seat
from tests.cogs.reading import action, controls, labels, new, said, shown, steps
from tests.games.position import NAMES
from tests.games.thirty_one.position import Position, position
from tests.seats import FIRST

GAME = GAMES["thirty-one"]
FACE = new(ThirtyOne)


def state_after(seed: int, moves: int, seats: int = 4) -> Any:
    return Position.after_random_moves(seats, seed, moves, tokens=10).state


def fresh() -> tuple[Any, Seat]:
    """Return a state at the beginning of a turn, and the seat whose turn it is."""
    state = state_after(1, 0)
    return state, GAME.awaited(state)[0]


def test_the_buttons_name_the_card_to_take_and_the_points_a_knock_would_show() -> None:
    state, seat = fresh()
    offered = labels(shown(FACE, state, seat)[0])
    assert offered[:2] == ["Draw", f"{SIGN[state.discards[-1]]} · take it"]
    assert offered[2].startswith("Knock with ")


def test_the_card_just_taken_is_shown_but_cannot_be_discarded() -> None:
    state, seat = fresh()
    GAME.step(state, seat, GAME.parse("take"))
    components, _, _ = shown(FACE, state, seat)
    assert len(controls(components)) == 4
    assert len(steps(components)) == 3
    taken = SIGN[state.taken]
    assert f"{taken} · just taken" in labels(components)
    others = ", ".join(SIGN[card] for card in state.hands[seat] if card != state.taken)
    told = said(components)
    assert f"{taken} taken" in told
    assert f"Can be played now: {others}." in told


def test_a_private_table_has_the_own_seat_at_the_bottom_and_a_strip_no_outline_of_unknown_cards() -> None:
    state, _ = fresh()
    table = FACE.looks.table(GAME.view(state, None), NAMES[:4]).seen_from(2)
    # The painter begins at the bottom left, and goes on clockwise.
    assert [seat.name for seat in table.seats] == [NAMES[seat] for seat in (2, 3, 0, 1)]
    strip = FACE.looks.hand(GAME.view(state, FIRST), NAMES[:4], Form(1, 1, ())).strip
    assert strip is not None
    assert [laid.slot for laid in strip.laid] == [True, False, False, False, False]
    crowded = FACE.looks.hand(GAME.view(state_after(1, 8, 8), FIRST), NAMES[:8], Form(1, 1, ())).strip
    assert crowded is not None
    assert strip.laid[0].name == crowded.laid[0].name == "Discard"


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("alike", [("🤖 Bamboo", "🤖 Bamboa"), ("Maximilian", "Maxymilian")])
def test_names_above_a_hand_can_be_told_apart(seats: int, alike: tuple[str, str]) -> None:
    state = state_after(1, 0, seats)
    view = GAME.view(state, FIRST)

    def painted(other: int) -> bytes:
        names = [alike[seat == other] for seat in range(seats)]
        return hand.paint(FACE.looks.hand(view, names, Form(1, 1, ()))).convert("RGB").tobytes()

    assert len({painted(other) for other in range(seats)}) == seats


# Confirming a risky knock


def about_to(turns: int, hand: str) -> Any:
    """Return a state in which Alice is to play with this hand after that many turns of hers."""
    return position(
        f"Ben dealt, Alice plays, {2 * turns} turns, discards QD\nAlice | {hand}\nBen | 2S 3H 4S"
    ).state


@pytest.mark.parametrize(
    ("turns", "hand", "asks"),
    [(0, "AH KH 9H", True), (0, "2C 7H 9S", True), (2, "8C 9C 5C", True), (2, "9C KC 4C", False)],
    ids=["the-first-turn", "both", "low", "a-good-hand-later"],
)
def test_a_knock_in_the_first_turn_or_with_a_low_hand_needs_confirmation(
    turns: int, hand: str, asks: bool
) -> None:
    _, form, view = shown(FACE, about_to(turns, hand), FIRST)
    assert FACE.pick(view, form, "knock", ()) == (Picks("knock") if asks else MoveText("knock"))


@pytest.mark.parametrize(
    ("head", "hand", "offered"),
    [
        ("Alice dealt, Ben plays, 0 turns", "AH KH 9H", False),
        ("Ben dealt, Ben plays, 1 turns", "9C KC 2C", True),
        ("Ben dealt, Ben plays, 1 turns", "9C KC 4H", False),
        ("Ben dealt, Ben plays, 3 turns", "9C KC 3C", False),
        ("Ben dealt, Ben plays, 3 turns", "9C KC 4C", True),
    ],
    ids=["the-first-turn", "good-for-the-second", "low-for-the-second", "low-for-the-third", "good-for-it"],
)
def test_a_knock_that_needs_confirmation_cannot_be_decided_ahead(head: str, hand: str, offered: bool) -> None:
    state = position(f"{head}, discards QD\nAlice | {hand}\nBen | 2S 3H 4S").state
    actions = FACE.ahead(GAME.view(state, FIRST), GAME.ahead(state, FIRST))
    assert [*actions] == [DRAW, KNOCK][: 1 + offered]


def test_the_confirmation_says_what_a_knock_does_and_what_a_good_hand_is() -> None:
    state = about_to(0, "2C 7H 9S")
    components, form, view = shown(FACE, state, FIRST, "knock")
    assert said(components).endswith(
        "**Knock with 9?** Everybody else has one more turn; if anybody then has more, you pay a token. "
        "A good knock now is 24 or more."
    )
    assert steps(components) == ["sure", "later"]
    assert action(FACE, FACE.pick(view, form, "sure", ())) == KNOCK
    assert FACE.pick(view, form, "later", ()) == Picks("")
    assert "A good knock" not in said(shown(FACE, about_to(0, "AH KH 9H"), FIRST, "knock")[0])


def test_the_hand_alone_shows_all_that_a_player_needs() -> None:
    """It shows the top discard, the tokens, the cards known to be in others' hands, and the player who has knocked."""
    state, seat = fresh()
    GAME.step(state, seat, GAME.parse("knock"))
    components, _, view = shown(FACE, state, SEATS[(seat + 1) % 4])
    text = said(components)
    assert f"{NAMES[seat]} has knocked: one last turn each. Discard: {SIGN[view.discards[-1]]}." in text
    assert text.count(", 10 tokens") == 4
    assert len([part for part in components if part["type"] == 10]) == 1


# Banner and example


def test_the_example_is_a_picture_with_an_alt_text() -> None:
    told = said(Panel(*FACE.example(FACE.game.Options())).payload())
    assert "Ben: worth 17, tokens −1" in told
    assert "Ben and Cleo have 17, the lowest: each pays a token." in told


def test_the_example_counts_all_three_cards_where_the_rules_do() -> None:
    told = said(Panel(*FACE.example(GAME.Options(any_suit=True))).payload())
    assert "Alice: worth 25, tokens −1" in told
    assert "Ben has 19, the lowest, and pays a token." in told
