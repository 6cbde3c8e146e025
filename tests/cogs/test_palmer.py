"""The hand of Palmer: which buttons a form offers, and which action each sequence of taps makes."""

from random import Random
from typing import Any

from bot.messages.game_ui import Form
from bot.messages.panel import Panel
from cogs.palmer.cog import Palmer
from games import GAMES
from games.french import SIGN
from games.types import SEATS
from tests.cogs.reading import labels, new, said, shown
from tests.games.palmer.position import Position, last_turn, position
from tests.seats import FIRST, SECOND

GAME = GAMES["palmer"]
FACE = new(Palmer)


def state_after(seed: int, moves: int, seats: int = 4) -> Any:
    return Position.after_random_moves(seats, seed, moves, limit=200).state


def test_the_buttons_form_the_square_with_the_cards_its_player_knows() -> None:
    state = state_after(1, 0)
    (seat,) = GAME.awaited(state)
    components, _, view = shown(FACE, state, seat, "take")
    left, right = (SIGN[card] for card in state.squares[seat][2:])
    offered = labels(components)
    assert offered[0] == f"{SIGN[state.pile[-1]]} · take it"
    assert offered[1:3] == ["Draw", "Turn over"]
    assert offered[3:5] == ["Top left: ?", "Top right: ?"]
    assert offered[5:7] == [f"Bottom left: {left}", f"Bottom right: {right}"]
    assert view.squares[seat][:2] == (None, None)
    assert labels(shown(FACE, state, seat)[0]) == offered[:3]


def test_the_strip_shows_the_top_of_the_pile_and_the_points_and_face_up_cards_of_the_next_players() -> None:
    seen = position("""
        Alice dealt, pile QD 5C
        Alice | (9S) 3S / (QH) 4C | 12
        Ben   | (2S) (4S) / (5S) 6S | 30
        Cleo  | out in deal 1 | 51
        Dan   | 2D (4D) / (5D) (6D) | 1
    """)
    form = Form(1, 2, GAME.legal(seen.state, SECOND))
    strip = FACE.looks.hand(GAME.view(seen.state, SECOND), seen.names, form).strip
    assert strip is not None
    assert strip.describe()[1:] == [
        "Pile: ♦Q",
        "You, 30 points",
        "Dan, 1 point: ♦2",
        "Alice, 12 points: ♠3, ♣4",
    ]


def test_the_hand_gives_the_state_of_the_match_in_one_line() -> None:
    state = state_after(1, 0)
    texts = [part["content"] for part in shown(FACE, state, state.turn)[0] if part["type"] == 10]
    assert texts == [
        "**Your turn** · take, draw or turn over a card · turn 1 of 4 · **Deal 1** · out at 200 points"
    ]


def test_the_score_sheet_crosses_out_pairs_and_marks_those_who_go_out() -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 5C 6D", "7S 7D / 8S 8D", totals=(45, 0, 0))
    seen.act("Alice: turn BR")
    sheet = next(sheet for event in seen.events if (sheet := FACE.looks.score_sheet(event, seen.names)))
    assert sheet.alt == (
        "Deal 1 · shaded pairs count 0. Alice: points 10, total 55 out, ♠A, ♠2, ♠3, ♠4. Ben: points 11, total 11, "
        "♠5 (cancelled), ♦5 (cancelled), ♣5, ♦6. Cleo (first): points 0, total 0, ♠7 (cancelled), ♦7 (cancelled), "
        "♠8 (cancelled), ♦8 (cancelled)."
    )


def test_the_example_in_the_rules_is_the_rulebooks() -> None:
    text = said(Panel(*FACE.example(FACE.game.Options())).payload())
    assert "Pile: ♦Q." in text
    assert "♥Q (face down, seen by you alone), ♣4 (face down, seen by you alone)" in text
    assert "The card it replaced, ♠9, goes on the pile." in text


def test_players_who_are_out_or_have_finished_are_told_so() -> None:
    state, _ = GAME.new(GAME.Options(limit=10), 3, 3)
    rng = Random(3)
    while GAME.awaited(state):
        (seat,) = GAME.awaited(state)
        GAME.step(state, seat, rng.choice(GAME.legal(state, seat)))
        gone = [other for other in SEATS[:3] if state.out[other]]
        if gone and GAME.awaited(state):
            assert "You are out with" in str(shown(FACE, state, gone[0])[0])
    assert "The match is over." in str(shown(FACE, state, FIRST)[0])
