"""The hand of Hand and Foot: which buttons a form offers, and which action each sequence of taps makes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.match.refusal import Refusal
from bot.messages.game_ui import MOST_PICKS, Form, MoveText, Picks
from bot.messages.panel import SECONDARY, Panel
from cogs.hand_and_foot.chosen import Chosen
from cogs.hand_and_foot.cog import HandAndFoot
from cogs.hand_and_foot.reasons import lacks
from games import GAMES
from games.hand_and_foot.actions import ASK, DISCARD, MELD, Way, melded
from games.hand_and_foot.cards import RANK
from games.types import Action, Seat
from tests.cogs.reading import controls, labels, new, picks, rows, said, shown, steps
from tests.games.hand_and_foot.position import Position, position
from tests.games.position import NAMES
from tests.seats import FIRST, FOURTH, SECOND, THIRD

GAME = GAMES["hand-and-foot"]
FACE = new(HandAndFoot)


class Taps:
    """A player who taps on the form of the hand, one tap after the other."""

    def __init__(self, state: Any, seat: Seat = FIRST) -> None:
        self.state = state
        self.seat = seat
        self.picks = ""

    @property
    def components(self) -> list[Any]:
        return shown(FACE, self.state, self.seat, self.picks)[0]

    def tap(self, step: str, *values: str) -> str:
        """Tap something that is offered; return the text of the move, "" when it made none."""
        assert step in steps(self.components)
        return self.forge(step, *values)

    def forge(self, step: str, *values: str) -> str:
        _, form, view = shown(FACE, self.state, self.seat, self.picks)
        found = FACE.pick(view, form, step, values)
        if isinstance(found, MoveText):
            return found.text
        self.picks = found.text
        return ""

    def menu(self) -> dict[str, str]:
        """Return the options of the menu: their labels and descriptions."""
        (found,) = [part for part in controls(self.components) if part["type"] == 3]
        return {option["label"]: option.get("description", "") for option in found["options"]}


MELDING = """
    Alice plays, drawn
    Alice | 8C 8D 8H 2C 2D JOKER KC KD 5C 3S | melds Q Q Q
    Ben   | 9C
"""


def test_a_usual_turn_is_three_taps() -> None:
    state = position("Alice plays\nAlice | 8C KC | melds Q Q Q\nBen | 9C").state
    taps = Taps(state)
    assert labels(taps.components) == ["Draw two"]
    assert taps.tap("draw") == "draw"
    GAME.step(state, FIRST, GAME.parse("draw"))
    assert taps.tap("rank", "5") == ""
    assert taps.tap("discard") == "discard 8C"


def test_a_draw_that_the_stock_cannot_give_says_that_it_ends_the_deal() -> None:
    for stock, title in (("4C", "Draw: this ends the deal"), ("4C 4D", "Draw two")):
        state = position(f"Alice plays, stock only {stock}\nAlice | 8C KC\nBen | 9C").state
        assert labels(Taps(state).components) == [title]


def test_the_pile_is_taken_with_one_tap_that_names_its_top_card() -> None:
    taps = Taps(position("Alice plays, discards KS 5C\nAlice | KC KD 4C | melds Q Q Q\nBen | 9C").state)
    assert labels(taps.components) == ["Draw two", "♠K · take 2 cards"]
    assert taps.tap("take") == "take"


def test_the_menu_has_each_rank_with_its_number_of_cards_and_its_use() -> None:
    assert Taps(position(MELDING).state).menu() == {
        "3 · 1 card": "",
        "5 · 1 card": "",
        "8 · 3 cards": "Can be melded",
        "Q · add a wild card": "Add to a meld of 3",
        "K · 2 cards": "Can be melded with a wild card",
        "2 · 2 cards": "",
        "Joker · 1 card": "",
    }


def test_a_rank_is_picked_with_all_its_natural_cards_and_wild_ones_are_added() -> None:
    taps = Taps(position(MELDING).state)
    taps.tap("rank", "5")
    assert labels(taps.components) == ["− 8", "+ 2", "+ Joker", "Lay 8 8 8", "♣8 · discard"]
    taps.tap("two")
    taps.tap("joker")
    assert "Lay 8 8 8 2 Jo" in labels(taps.components)
    assert taps.tap("lay") == "meld 8 x3 +2 +JOKER"
    taps.tap("tame")
    taps.tap("fewer")
    assert "A meld of 8s needs at least 3 cards. Lay more, or none." in said(taps.components)
    assert "lay" not in steps(taps.components)
    taps.tap("two")
    assert taps.tap("lay") == "meld 8 x2 +2"
    taps.tap("two")
    assert "fewer wild cards than natural ones" in said(taps.components)


def test_finishing_a_pile_is_announced() -> None:
    taps = Taps(position("Alice plays, drawn\nAlice | QC QD 4C | melds Q Q Q Q Q\nBen | 9C").state)
    taps.tap("rank", "9")
    assert "This finishes a clean pile." in said(taps.components)


def test_a_reason_of_the_engine_names_people() -> None:
    view = GAME.view(position("Alice plays\nAlice | 8C KC\nBen | 9C 9D 9H 5C").state, SECOND)
    assert (
        lacks(view, NAMES, Chosen(RANK[view.hand[0]], Way(3, 0, 0)))
        == "It is not your turn: Alice plays now."
    )


def test_a_first_meld_says_what_it_still_lacks() -> None:
    seen = position("deal 2, Alice plays, drawn\nAlice | AC AD AH KC KD KH 4C\nBen | 9C")
    taps = Taps(seen.state)
    begin = "90 more. Cards laid aside stay laid: once you begin, you lay the rest this turn."
    assert f"First meld: **0 of 90** points laid aside, {begin}" in said(taps.components)
    taps.tap("rank", "10")
    assert "These cards count 30 points." in said(taps.components)
    taps.tap("fewer")
    assert "lay" not in steps(taps.components)
    taps.tap("more")
    seen.act(f"Alice: {taps.tap('lay')}")
    taps.picks = ""
    text = said(taps.components)
    assert "**30 of 90** points laid aside, 60 more" in text
    assert "stay laid" not in text
    assert Taps(seen.state).menu()["A · 3 cards"] == "Can be melded"
    assert "Aside: 30/90: K ×3" in text


def test_a_group_laid_aside_whose_rank_is_gone_can_get_a_wild_card() -> None:
    seen = position("deal 2, Alice plays, drawn\nAlice | AC AD AH KC KD KH 2C 4C\nBen | 9C")
    seen.act("Alice: meld K x3")
    assert Taps(seen.state).menu()["K · add a wild card"] == "Add to a meld of 3"


def test_cards_after_which_the_minimum_cannot_be_reached_are_not_laid() -> None:
    taps = Taps(position("deal 2, Alice plays, drawn\nAlice | AC AD AH KC KD 2H 4C\nBen | 9C").state)
    taps.tap("rank", "11")
    taps.tap("two")
    assert "A first meld needs 90 points, and you could not reach them after this" in said(taps.components)
    assert "lay" not in steps(taps.components)


def test_other_groups_are_laid_aside_before_the_pile_is_taken() -> None:
    seen = position("deal 2, Alice plays, discards KS AC\nAlice | KC KD QC QD QH AH AC AD 4C\nBen | 9H")
    taps = Taps(seen.state)
    assert "To take the pile, lay 60 more points aside first" in said(taps.components)
    taps.tap("rank", "11")
    seen.act(f"Alice: {taps.tap('lay')}")
    taps.picks = ""
    assert "60 points are laid aside, enough for the first meld: take the pile." in said(taps.components)
    assert steps(taps.components) == ["take"]


PAIRS = """
    Alice plays, drawn
    Alice | QC 9C | no foot | melds Q Q Q | piles K clean, 8 dirty
    Ben   | KC
    Cleo  | KD
    Dan   | KH
"""


def test_consent_is_asked_and_answered_with_two_buttons_in_private() -> None:
    seen = position(PAIRS)
    assert "Ask to go out" in labels(Taps(seen.state).components)
    seen.act(f"Alice: {Taps(seen.state).tap('ask')}")
    cleo = Taps(seen.state, THIRD)
    assert labels(cleo.components) == ["Agree", "Refuse"]
    assert f" · with {NAMES[0]}" in said(cleo.components)
    assert f"If you agree, {NAMES[0]} may end the deal in this turn." in said(cleo.components)
    assert "brings 100, less 10 points in your hand, and your unseen foot." in said(cleo.components)
    for seat in (FIRST, SECOND, FOURTH):
        assert controls(Taps(seen.state, seat).components) == []
    assert cleo.tap("refuse") == "refuse"
    seen.act("Cleo: refuse")
    assert f"{NAMES[2]} refuses, so you may not go out this turn" in said(Taps(seen.state).components)
    assert "refuse" not in said(Taps(seen.state, SECOND).components)


@pytest.mark.parametrize(
    ("hand", "offered"),
    [
        ("QC 9C", True),
        ("QC 2C 9C", True),
        ("7C 7D 7H QC 9C", True),
        ("7C 7D 2H 9C", True),
        ("9C 10C", False),
        ("7C 7D 9C", False),
        ("QC QD QH QS JOKER 9C", False),
        ("QC QD QH QS QC QD QH QS 9C", True),
    ],
)
def test_asking_comes_last_and_only_if_the_rest_can_be_played(hand: str, offered: bool) -> None:
    components = Taps(position(PAIRS.replace("QC 9C", hand)).state).components
    assert (labels(components)[-1:] == ["Ask to go out"]) == offered
    assert ("ask" in steps(components)) == offered
    if offered:
        assert controls(components)[-1]["style"] == SECONDARY.value


def test_a_card_that_fits_a_meld_but_cannot_be_laid_says_why() -> None:
    alone = "Alice plays, drawn\nAlice | 4C KD | no foot | melds 4 4 4\nBen | 9C"
    taps = Taps(position(alone).state)
    taps.tap("rank", "1")
    assert labels(taps.components) == ["♣4 · discard"]
    assert "You must keep a card after the discard" in said(taps.components)
    assert "To go out, you need a clean and a dirty pile." in said(taps.components)
    taps.tap("rank", "10")
    assert "You must keep" not in said(taps.components)


@pytest.mark.parametrize(("rank", "card"), [("12", "♣2"), ("13", "Joker")])
def test_a_wild_card_is_said_to_be_laid_with_the_rank_of_its_meld(rank: str, card: str) -> None:
    taps = Taps(position(MELDING).state)
    taps.tap("rank", rank)
    assert labels(taps.components) == [f"{card} · discard"]
    assert "A wild card is laid with another rank: pick the rank of its meld." in said(taps.components)


def test_a_black_three_says_what_it_does() -> None:
    taps = Taps(position(MELDING).state)
    taps.tap("rank", "0")
    assert "it blocks it for the next player" in said(taps.components)


def test_two_cards_for_the_pile_are_not_laid_aside() -> None:
    state = position("Alice plays, discards 4S\nAlice | 4C 4D KC KD KH 2C JOKER\nBen | 9C").state
    taps = Taps(state)
    taps.tap("rank", "1")
    assert labels(taps.components) == ["Draw two", "+ 2", "+ Joker", "Lay nothing"]
    assert "Pick the cards to lay. Two 4s stay for the pile." in said(taps.components)
    taps.forge("more")
    assert "You do not hold a 4 beside the two for the pile." in said(taps.components)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Alice plays, discards KS 5C\nAlice | KC KD AC AD AH\nBen | 9C", "Lay aside"),
        ("Alice plays, drawn\nAlice | KC KD KH AC AD AH\nBen | 9C", "Meld or discard"),
        ("Alice plays, drawn\nAlice | KC 9D\nBen | 9C", "Discard"),
        ("Alice plays, drawn\nAlice | KC | no foot | melds K K K K K K | piles 8 dirty\nBen | 9C", "Meld"),
    ],
)
def test_the_menu_says_what_is_possible(text: str, title: str) -> None:
    text = text.replace("Alice plays, discards", "deal 2, Alice plays, discards")
    (menu,) = [part for part in controls(Taps(position(text).state).components) if part["type"] == 3]
    assert menu["placeholder"] == f"{title}: pick a rank"


@pytest.mark.parametrize(
    ("cells", "end"),
    [
        ("QC", " and take up your foot"),
        ("QC | no foot", " and go out"),
        ("QC 9C", ""),
    ],
)
def test_the_last_card_says_what_it_leads_to(cells: str, end: str) -> None:
    seats = f"Alice | {cells} | melds Q Q Q | piles K clean, 8 dirty\nBen | 9C"
    taps = Taps(position(f"Alice plays, drawn\n{seats}").state)
    taps.tap("rank", "9")
    assert labels(taps.components) == [*["− Q"], f"Lay Q{end}", f"♣Q · discard{end}"]


def test_who_may_not_go_out_is_told_what_to_keep() -> None:
    taps = Taps(position(PAIRS.replace("9C", "9C QD")).state)
    taps.tap("rank", "9")
    taps.tap("more")
    assert "You must keep a card after the discard, so leave at least two in your hand." in said(
        taps.components
    )


def test_a_pile_that_cannot_be_taken_is_called_blocked() -> None:
    for top, blocked in (("3S", True), ("2D", True), ("JOKER", True), ("KD", False)):
        state = position(f"Alice plays, discards {top} 5C\nAlice | 9C\nBen | 9D").state
        text = said(Panel(*FACE.board(GAME.view(state, None), NAMES[:2])).payload())
        assert ("blocked" in text) == blocked


def test_table_and_hand_have_the_discards_in_one_order_the_top_last() -> None:
    state = position("Alice plays, discards 6S 9C 10C\nAlice | 9C\nBen | 9D").state
    table = said(Panel(*FACE.board(GAME.view(state, None), NAMES[:2])).payload())
    assert "Discards 3: 10, 9, 6" in table
    assert "Stock 40, discards 3: 10, 9, 6." in said(Taps(state).components)


def test_the_example_is_a_picture_with_an_alt_text() -> None:
    told = said(Panel(*FACE.example(FACE.game.Options())).payload())
    assert "30 points: Q, Q, Q. 40 points: 8, 8, 2. 90 points: A, A, Joker." in told
    assert "160 points" in told


# Every position


@given(st.integers(0, 10_000), st.integers(0, 300), st.sampled_from([2, 3, 4, 6]))
def test_every_legal_action_can_be_made_up_to_the_suits(seed: int, moves: int, seats: int) -> None:
    state = Position.after_random_moves(seats, seed, moves).state
    if not GAME.awaited(state):
        return
    (seat,) = GAME.awaited(state)
    legal = GAME.legal(state, seat)
    components, form, view = shown(FACE, state, seat)
    assert all(len(row) <= 5 for row in rows(components))
    reached = {move(found) for name in steps(components) if (found := tapped(view, form, name))}
    menu = [part for part in controls(components) if part["type"] == 3]
    for option in menu[0]["options"] if menu else ():
        reached |= moves_of_rank(state, seat, picks(FACE.pick(view, form, "rank", [option["value"]])))
    # The question to the partner is offered only if a yes would help.
    assert reached | {(ASK,)} == {kind(action) for action in legal} | {(ASK,)}


def tapped(view: Any, form: Form, name: str) -> MoveText | None:
    found = FACE.pick(view, form, name, ()) if name != "rank" else None
    return found if isinstance(found, MoveText) else None


def move(found: MoveText) -> tuple[Any, ...]:
    return kind(GAME.parse(found.text))


def kind(action: Action) -> tuple[Any, ...]:
    """Return an action without the suit of a discard."""
    if DISCARD <= action < MELD:
        return "discard", RANK[action - DISCARD]
    return ("meld", *melded(action)) if action >= MELD else (action,)


def moves_of_rank(state: Any, seat: Seat, first: str) -> set[tuple[Any, ...]]:
    """Return every move that can be made once a rank is picked."""
    seen, new_picks, reached = {first}, [first], set()
    while new_picks:
        now = new_picks.pop()
        assert len(now) <= MOST_PICKS
        components, form, view = shown(FACE, state, seat, now)
        for name in {*steps(components)} - {"rank", "draw", "take", "ask"}:
            found = FACE.pick(view, form, name, ())
            if isinstance(found, MoveText):
                reached.add(move(found))
            elif found.text not in seen:
                seen.add(found.text)
                new_picks.append(found.text)
    return reached


def test_forged_picks_are_refused_when_the_hand_is_shown() -> None:
    for forged in ("1", "99-1-0-0", "5-1-0", "5-9-0-0", "x-1-0-0", "5--1-0-0"):
        with pytest.raises(Refusal):
            shown(FACE, position(MELDING).state, FIRST, forged)
    assert isinstance(FACE.pick(*_view_and_form(), "rank", ["5"]), Picks)


def _view_and_form() -> tuple[Any, Form]:
    state = position(MELDING).state
    return GAME.view(state, FIRST), Form(1, 2, GAME.legal(state, FIRST))
